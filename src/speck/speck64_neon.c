/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 32-bit words on NEON: one word of four blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck64_96.encrypt, speck64_96.decrypt, speck64_96.ctr, speck64_128.encrypt, speck64_128.decrypt, speck64_128.ctr]
     isa: neon
     blocks: [32, 8, 4]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck64_96.streams, speck64_128.streams]
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
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck64_96, neon, 32, 8, 32, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, neon, 32, 2, 8, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, neon, 32, 1, 4, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_128, neon, 32, 8, 32, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, neon, 32, 2, 8, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, neon, 32, 1, 4, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_STREAMS(speck64_96, neon, 32, 4, speck_encrypt_w32, speck_schedule_w32, 3, 26, 0)
HANJI_VECTOR_STREAMS(speck64_128, neon, 32, 4, speck_encrypt_w32, speck_schedule_w32, 4, 27, 0)

#endif
