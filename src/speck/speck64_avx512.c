/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 12, 8, 4 or 1 vector
 * of every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck64_96.encrypt, speck64_96.decrypt, speck64_96.ctr, speck64_128.encrypt, speck64_128.decrypt, speck64_128.ctr]
     isa: avx512
     blocks: [192, 128, 64, 16]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 16 at a time.
 * void hanji_CIPHER_avx512_uniform_x16(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [speck64_96.uniform, speck64_128.uniform]
     isa: avx512
     blocks: [16]
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w}, in: {buffer: in, bytes: bytes * blocks * groups, access: r},
             bytes: {value: bytes}, keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r}, groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
*/
/*
 * And over messages of any lengths, wherever they lie.
 * void hanji_CIPHER_avx512_ragged_x16(void *round_keys, const hanji_ragged *r)
 */
/* kernel:
     spec: [speck64_96.ragged, speck64_128.ragged]
     isa: avx512
     blocks: [16]
     args: { round_keys: {buffer: round_keys, bytes: 64 for each round key, access: w}, r: {buffer: ragged, bytes: addresses and lengths of 16 messages, access: r} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: round_keys
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck64_96, avx512, 32, 12, 192, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, avx512, 32, 8, 128, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, avx512, 32, 4, 64, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_96, avx512, 32, 1, 16, speck_encrypt_w32, speck_decrypt_w32, 26)
HANJI_VECTOR_KERNELS(speck64_128, avx512, 32, 12, 192, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, avx512, 32, 8, 128, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, avx512, 32, 4, 64, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_KERNELS(speck64_128, avx512, 32, 1, 16, speck_encrypt_w32, speck_decrypt_w32, 27)
HANJI_VECTOR_STREAMS(speck64_96, avx512, 32, 16, speck_encrypt_w32, speck_schedule_w32, 3, 26, 0)
HANJI_VECTOR_STREAMS(speck64_128, avx512, 32, 16, speck_encrypt_w32, speck_schedule_w32, 4, 27, 0)

#endif
