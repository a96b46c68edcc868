/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 16-bit words on AVX-512: one word of thirty-two blocks in a vector, 12, 8, 4 or 1
 * vector of every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck32_64.encrypt, speck32_64.decrypt, speck32_64.ctr]
     isa: avx512
     blocks: [384, 256, 128, 32]
     args: { out: {buffer: out, bytes: 4 * blocks * groups, access: w}, in: {buffer: in, bytes: 4 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 4, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 32 at a time.
 * void hanji_CIPHER_avx512_uniform_x32(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [speck32_64.uniform]
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
     spec: [speck32_64.ragged]
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
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck32_64, avx512, 16, 12, 384, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_KERNELS(speck32_64, avx512, 16, 8, 256, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_KERNELS(speck32_64, avx512, 16, 4, 128, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_KERNELS(speck32_64, avx512, 16, 1, 32, speck_encrypt_w16, speck_decrypt_w16, 22)
HANJI_VECTOR_STREAMS(speck32_64, avx512, 16, 32, speck_encrypt_w16, speck_schedule_w16, 4, 22, 0)

#endif
