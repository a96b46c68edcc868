/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 16-bit words on NEON: one word of eight blocks in a vector, 4, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [cham64_128.encrypt, cham64_128.decrypt, cham64_128.ctr, cham64_128_original.encrypt, cham64_128_original.decrypt, cham64_128_original.ctr]
     isa: neon
     blocks: [32, 16, 8]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 8 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [cham64_128.streams, cham64_128_original.streams]
     isa: neon
     blocks: [8]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 8 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 4
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"

HANJI_VECTOR_KERNELS(cham64_128, neon, 16, 4, 32, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, neon, 16, 2, 16, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, neon, 16, 1, 8, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128_original, neon, 16, 4, 32, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, neon, 16, 2, 16, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, neon, 16, 1, 8, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_STREAMS(cham64_128, neon, 16, 8, cham_encrypt_k16_w16, cham_schedule_w16, 8, 88, 0)
HANJI_VECTOR_STREAMS(cham64_128_original, neon, 16, 8, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                     80, 0)

#endif
