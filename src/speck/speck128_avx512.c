/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 64-bit words on AVX-512: one word of eight blocks in a vector, 12, 8, 4 or 1 vector of
 * every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck128_128.encrypt, speck128_128.decrypt, speck128_128.ctr, speck128_192.encrypt, speck128_192.decrypt, speck128_192.ctr, speck128_256.encrypt, speck128_256.decrypt, speck128_256.ctr]
     isa: avx512
     blocks: [96, 64, 32, 8]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 8 at a time.
 * void hanji_CIPHER_avx512_uniform_x8(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [speck128_128.uniform, speck128_192.uniform, speck128_256.uniform]
     isa: avx512
     blocks: [8]
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w}, in: {buffer: in, bytes: bytes * blocks * groups, access: r},
             bytes: {value: bytes}, keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r}, groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
*/
/*
 * And over messages of any lengths, wherever they lie.
 * void hanji_CIPHER_avx512_ragged_x8(void *round_keys, const hanji_ragged *r)
 */
/* kernel:
     spec: [speck128_128.ragged, speck128_192.ragged, speck128_256.ragged]
     isa: avx512
     blocks: [8]
     args: { round_keys: {buffer: round_keys, bytes: 64 for each round key, access: w}, r: {buffer: ragged, bytes: addresses and lengths of 8 messages, access: r} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: round_keys
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck128_128, avx512, 64, 12, 96, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, avx512, 64, 8, 64, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, avx512, 64, 4, 32, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, avx512, 64, 1, 8, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_192, avx512, 64, 12, 96, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, avx512, 64, 8, 64, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, avx512, 64, 4, 32, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, avx512, 64, 1, 8, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_256, avx512, 64, 12, 96, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, avx512, 64, 8, 64, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, avx512, 64, 4, 32, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, avx512, 64, 1, 8, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_STREAMS(speck128_128, avx512, 64, 8, speck_encrypt_w64, speck_schedule_w64, 2, 32, 0)
HANJI_VECTOR_STREAMS(speck128_192, avx512, 64, 8, speck_encrypt_w64, speck_schedule_w64, 3, 33, 0)
HANJI_VECTOR_STREAMS(speck128_256, avx512, 64, 8, speck_encrypt_w64, speck_schedule_w64, 4, 34, 0)

#endif
