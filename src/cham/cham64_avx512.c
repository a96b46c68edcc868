/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 16-bit words on AVX-512: one word of thirty-two blocks in a vector, 6, 4, 2 or 1 vector
 * of every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [cham64_128.encrypt, cham64_128.decrypt, cham64_128.ctr, cham64_128_original.encrypt, cham64_128_original.decrypt, cham64_128_original.ctr]
     isa: avx512
     blocks: [192, 128, 64, 32]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 32 at a time.
 * void hanji_CIPHER_avx512_uniform_x32(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [cham64_128.uniform, cham64_128_original.uniform]
     isa: avx512
     blocks: [32]
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w}, in: {buffer: in, bytes: bytes * blocks * groups, access: r},
             bytes: {value: bytes}, keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r}, groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
*/
/*
 * And over messages of any lengths, wherever they lie.
 * void hanji_CIPHER_avx512_ragged_x32(void *round_keys, const hanji_ragged *r)
 */
/* kernel:
     spec: [cham64_128.ragged, cham64_128_original.ragged]
     isa: avx512
     blocks: [32]
     args: { round_keys: {buffer: round_keys, bytes: 64 for each round key, access: w}, r: {buffer: ragged, bytes: addresses and lengths of 32 messages, access: r} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: round_keys
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 4
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"

HANJI_VECTOR_KERNELS(cham64_128, avx512, 16, 6, 192, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, avx512, 16, 4, 128, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, avx512, 16, 2, 64, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, avx512, 16, 1, 32, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128_original, avx512, 16, 6, 192, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, avx512, 16, 4, 128, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, avx512, 16, 2, 64, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, avx512, 16, 1, 32, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_STREAMS(cham64_128, avx512, 16, 32, cham_encrypt_k16_w16, cham_schedule_w16, 8, 88, 0)
HANJI_VECTOR_STREAMS(cham64_128_original, avx512, 16, 32, cham_encrypt_k16_w16, cham_schedule_w16,
                     8, 80, 0)

#endif
