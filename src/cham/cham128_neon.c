/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 32-bit words on NEON: one word of four blocks in a vector, 4, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [cham128_128.encrypt, cham128_128.decrypt, cham128_128.ctr, cham128_128_original.encrypt, cham128_128_original.decrypt, cham128_128_original.ctr, cham128_256.encrypt, cham128_256.decrypt, cham128_256.ctr, cham128_256_original.encrypt, cham128_256_original.decrypt, cham128_256_original.ctr]
     isa: neon
     blocks: [16, 8, 4]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [cham128_128.streams, cham128_128_original.streams, cham128_256.streams, cham128_256_original.streams]
     isa: neon
     blocks: [4]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 4 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 4
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"

HANJI_VECTOR_KERNELS(cham128_128, neon, 32, 4, 16, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, neon, 32, 2, 8, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, neon, 32, 1, 4, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128_original, neon, 32, 4, 16, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, neon, 32, 2, 8, cham_encrypt_k8_w32, cham_decrypt_k8_w32,
                     80)
HANJI_VECTOR_KERNELS(cham128_128_original, neon, 32, 1, 4, cham_encrypt_k8_w32, cham_decrypt_k8_w32,
                     80)
HANJI_VECTOR_KERNELS(cham128_256, neon, 32, 4, 16, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, neon, 32, 2, 8, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, neon, 32, 1, 4, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256_original, neon, 32, 4, 16, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, neon, 32, 2, 8, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, neon, 32, 1, 4, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_STREAMS(cham128_128, neon, 32, 4, cham_encrypt_k8_w32, cham_schedule_w32, 4, 112, 0)
HANJI_VECTOR_STREAMS(cham128_128_original, neon, 32, 4, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                     80, 0)
HANJI_VECTOR_STREAMS(cham128_256, neon, 32, 4, cham_encrypt_k16_w32, cham_schedule_w32, 8, 120, 0)
HANJI_VECTOR_STREAMS(cham128_256_original, neon, 32, 4, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                     96, 0)

#endif
