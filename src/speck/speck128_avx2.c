/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 64-bit words on AVX2: one word of four blocks in a vector, 7, 4, 2 or 1 vector of
 * every word at a time, but 14 to decrypt, where more of a round waits for the one before it.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck128_128.encrypt, speck128_128.decrypt, speck128_128.ctr, speck128_192.encrypt, speck128_192.decrypt, speck128_192.ctr, speck128_256.encrypt, speck128_256.decrypt, speck128_256.ctr]
     isa: avx2
     blocks: [56, 16, 8, 4]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck128_128.streams, speck128_192.streams, speck128_256.streams]
     isa: avx2
     blocks: [4]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 4 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS_APART(speck128_128, avx2, 64, 7, 2, 56, speck_encrypt_w64, speck_decrypt_w64,
                           32)
HANJI_VECTOR_KERNELS(speck128_128, avx2, 64, 4, 16, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, avx2, 64, 2, 8, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, avx2, 64, 1, 4, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS_APART(speck128_192, avx2, 64, 7, 2, 56, speck_encrypt_w64, speck_decrypt_w64,
                           33)
HANJI_VECTOR_KERNELS(speck128_192, avx2, 64, 4, 16, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, avx2, 64, 2, 8, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, avx2, 64, 1, 4, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS_APART(speck128_256, avx2, 64, 7, 2, 56, speck_encrypt_w64, speck_decrypt_w64,
                           34)
HANJI_VECTOR_KERNELS(speck128_256, avx2, 64, 4, 16, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, avx2, 64, 2, 8, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, avx2, 64, 1, 4, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_STREAMS(speck128_128, avx2, 64, 4, speck_encrypt_w64, speck_schedule_w64, 2, 32, 0)
HANJI_VECTOR_STREAMS(speck128_192, avx2, 64, 4, speck_encrypt_w64, speck_schedule_w64, 3, 33, 0)
HANJI_VECTOR_STREAMS(speck128_256, avx2, 64, 4, speck_encrypt_w64, speck_schedule_w64, 4, 34, 0)

#endif
