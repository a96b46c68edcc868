/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 6, 4, 2 or 1 vector of
 * every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [cham128_128.encrypt, cham128_128.decrypt, cham128_128.ctr, cham128_128_original.encrypt, cham128_128_original.decrypt, cham128_128_original.ctr, cham128_256.encrypt, cham128_256.decrypt, cham128_256.ctr, cham128_256_original.encrypt, cham128_256_original.decrypt, cham128_256_original.ctr]
     isa: avx512
     blocks: [96, 64, 32, 16]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 16 at a time.
 * void hanji_CIPHER_avx512_uniform_x16(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [cham128_128.uniform, cham128_128_original.uniform, cham128_256.uniform, cham128_256_original.uniform]
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
     spec: [cham128_128.ragged, cham128_128_original.ragged, cham128_256.ragged, cham128_256_original.ragged]
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
#define WORDS 4
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"

HANJI_VECTOR_KERNELS(cham128_128, avx512, 32, 6, 96, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, avx512, 32, 4, 64, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, avx512, 32, 2, 32, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, avx512, 32, 1, 16, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 6, 96, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 4, 64, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 2, 32, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 1, 16, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 6, 96, cham_encrypt_k16_w32, cham_decrypt_k16_w32,
                     120)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 4, 64, cham_encrypt_k16_w32, cham_decrypt_k16_w32,
                     120)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 2, 32, cham_encrypt_k16_w32, cham_decrypt_k16_w32,
                     120)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 1, 16, cham_encrypt_k16_w32, cham_decrypt_k16_w32,
                     120)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 6, 96, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 4, 64, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 2, 32, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 1, 16, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_STREAMS(cham128_128, avx512, 32, 16, cham_encrypt_k8_w32, cham_schedule_w32, 4, 112, 0)
HANJI_VECTOR_STREAMS(cham128_128_original, avx512, 32, 16, cham_encrypt_k8_w32, cham_schedule_w32,
                     4, 80, 0)
HANJI_VECTOR_STREAMS(cham128_256, avx512, 32, 16, cham_encrypt_k16_w32, cham_schedule_w32, 8, 120,
                     0)
HANJI_VECTOR_STREAMS(cham128_256_original, avx512, 32, 16, cham_encrypt_k16_w32, cham_schedule_w32,
                     8, 96, 0)

#endif
