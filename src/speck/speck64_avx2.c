/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 32-bit words on AVX2: one word of eight blocks in a vector, 7, 4, 2 or 1 vector of
 * every word at a time, but 14 to decrypt, where more of a round waits for the one before it.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck64_96.encrypt, speck64_96.decrypt, speck64_96.ctr, speck64_128.encrypt, speck64_128.decrypt, speck64_128.ctr]
     isa: avx2
     blocks: [112, 32, 16, 8]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 8 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck64_96.streams, speck64_128.streams]
     isa: avx2
     blocks: [8]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 8 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS_APART(speck64_96, avx2, 32, 7, 2, 112, speck_encrypt_w32, speck_decrypt_w32,
                           26)
HANJI_VECTOR_KERNELS(speck64_96, avx2, 32, 4, 32, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, avx2, 32, 2, 16, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, avx2, 32, 1, 8, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS_APART(speck64_128, avx2, 32, 7, 2, 112, speck_encrypt_w32, speck_decrypt_w32,
                           27)
HANJI_VECTOR_KERNELS(speck64_128, avx2, 32, 4, 32, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, avx2, 32, 2, 16, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, avx2, 32, 1, 8, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_STREAMS(speck64_96, avx2, 32, 8, speck_encrypt_w32, speck_schedule_w32, 3, 26, 0)
HANJI_VECTOR_STREAMS(speck64_128, avx2, 32, 8, speck_encrypt_w32, speck_schedule_w32, 4, 27, 0)

#endif
