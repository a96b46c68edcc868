/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 24-bit words on NEON: one word of four blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck48_72.encrypt, speck48_72.decrypt, speck48_72.ctr, speck48_96.encrypt, speck48_96.decrypt, speck48_96.ctr]
     isa: neon
     blocks: [32, 8, 4]
     args: { out: {buffer: out, bytes: 6 * blocks * groups, access: w}, in: {buffer: in, bytes: 6 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 6, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 48 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck48_72.streams, speck48_96.streams]
     isa: neon
     blocks: [4]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 4 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck48_72, neon, 24, 8, 32, speck_encrypt_w24, speck_decrypt_w24, 22)
HANJI_VECTOR_KERNELS(speck48_72, neon, 24, 2, 8, speck_encrypt_w24, speck_decrypt_w24, 22)
HANJI_VECTOR_KERNELS(speck48_72, neon, 24, 1, 4, speck_encrypt_w24, speck_decrypt_w24, 22)
HANJI_VECTOR_KERNELS(speck48_96, neon, 24, 8, 32, speck_encrypt_w24, speck_decrypt_w24, 23)
HANJI_VECTOR_KERNELS(speck48_96, neon, 24, 2, 8, speck_encrypt_w24, speck_decrypt_w24, 23)
HANJI_VECTOR_KERNELS(speck48_96, neon, 24, 1, 4, speck_encrypt_w24, speck_decrypt_w24, 23)
HANJI_VECTOR_STREAMS(speck48_72, neon, 24, 4, speck_encrypt_w24, speck_schedule_w24, 3, 22, 0)
HANJI_VECTOR_STREAMS(speck48_96, neon, 24, 4, speck_encrypt_w24, speck_schedule_w24, 4, 23, 0)

#endif
