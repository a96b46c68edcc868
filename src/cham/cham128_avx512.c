/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 6, 4, 2 or 1 vector of every word at a time.
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
 * And key streams: 64 bytes each of 16 messages that have keys of their own.
 * void hanji_CIPHER_avx512_streams_x16(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [cham128_128.streams, cham128_128_original.streams, cham128_256.streams, cham128_256_original.streams]
     isa: avx512
     blocks: [16]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 16 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
/*
 * And CTR over messages of one length that have keys of their own, 16 at a time.
 * void hanji_CIPHER_avx512_messages_x16(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [cham128_128.messages, cham128_128_original.messages, cham128_256.messages, cham128_256_original.messages]
     isa: avx512
     blocks: [16]
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w}, in: {buffer: in, bytes: bytes * blocks * groups, access: r},
             bytes: {value: bytes}, keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r}, groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
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
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 6, 96, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 4, 64, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 2, 32, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx512, 32, 1, 16, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 6, 96, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 4, 64, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 2, 32, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, avx512, 32, 1, 16, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 6, 96, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 4, 64, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 2, 32, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx512, 32, 1, 16, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 96)
HANJI_VECTOR_STREAMS(cham128_128, avx512, 32, 16, cham_encrypt_k8_w32, cham_schedule_w32, 4, 112, 0)
HANJI_VECTOR_STREAMS(cham128_128_original, avx512, 32, 16, cham_encrypt_k8_w32, cham_schedule_w32, 4, 80, 0)
HANJI_VECTOR_STREAMS(cham128_256, avx512, 32, 16, cham_encrypt_k16_w32, cham_schedule_w32, 8, 120, 0)
HANJI_VECTOR_STREAMS(cham128_256_original, avx512, 32, 16, cham_encrypt_k16_w32, cham_schedule_w32, 8, 96, 0)

#endif
