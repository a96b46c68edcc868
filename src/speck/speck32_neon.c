/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 16-bit words on NEON: one word of eight blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck32_64.encrypt, speck32_64.decrypt, speck32_64.ctr]
     isa: neon
     blocks: [64, 16, 8]
     args: { out: {buffer: out, bytes: 4 * blocks * groups, access: w}, in: {buffer: in, bytes: 4 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 4, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 8 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck32_64.streams]
     isa: neon
     blocks: [8]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 8 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck32_64, neon, 16, 8, 64, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_KERNELS(speck32_64, neon, 16, 2, 16, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_KERNELS(speck32_64, neon, 16, 1, 8, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_STREAMS(speck32_64, neon, 16, 8, speck_encrypt_w16, speck_schedule_w16, 4, 22, 0)

#endif
