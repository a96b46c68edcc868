/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 24-bit words on AVX2: one word of eight blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck48_72.encrypt, speck48_72.decrypt, speck48_72.ctr, speck48_96.encrypt, speck48_96.decrypt, speck48_96.ctr]
     isa: avx2
     blocks: [48, 16, 8]
     args: { out: {buffer: out, bytes: 6 * blocks * groups, access: w}, in: {buffer: in, bytes: 6 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 6, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 48 bytes each of 8 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck48_72.streams, speck48_96.streams]
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
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck48_72, avx2, 24, 6, 48, speck_encrypt_w24, speck_decrypt_w24, 22)
HANJI_VECTOR_KERNELS(speck48_72, avx2, 24, 2, 16, speck_encrypt_w24, speck_decrypt_w24, 22)
HANJI_VECTOR_KERNELS(speck48_72, avx2, 24, 1, 8, speck_encrypt_w24, speck_decrypt_w24, 22)
HANJI_VECTOR_KERNELS(speck48_96, avx2, 24, 6, 48, speck_encrypt_w24, speck_decrypt_w24, 23)
HANJI_VECTOR_KERNELS(speck48_96, avx2, 24, 2, 16, speck_encrypt_w24, speck_decrypt_w24, 23)
HANJI_VECTOR_KERNELS(speck48_96, avx2, 24, 1, 8, speck_encrypt_w24, speck_decrypt_w24, 23)
HANJI_VECTOR_STREAMS(speck48_72, avx2, 24, 8, speck_encrypt_w24, speck_schedule_w24, 3, 22, 0)
HANJI_VECTOR_STREAMS(speck48_96, avx2, 24, 8, speck_encrypt_w24, speck_schedule_w24, 4, 23, 0)

#endif
