/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 64-bit words on NEON: one word of two blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck128_128.encrypt, speck128_128.decrypt, speck128_128.ctr, speck128_192.encrypt, speck128_192.decrypt, speck128_192.ctr, speck128_256.encrypt, speck128_256.decrypt, speck128_256.ctr]
     isa: neon
     blocks: [16, 4, 2]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 2 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x2(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck128_128.streams, speck128_192.streams, speck128_256.streams]
     isa: neon
     blocks: [2]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 2 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck128_128, neon, 64, 8, 16, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, neon, 64, 2, 4, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_128, neon, 64, 1, 2, speck_encrypt_w64, speck_decrypt_w64, 32)
HANJI_VECTOR_KERNELS(speck128_192, neon, 64, 8, 16, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, neon, 64, 2, 4, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_192, neon, 64, 1, 2, speck_encrypt_w64, speck_decrypt_w64, 33)
HANJI_VECTOR_KERNELS(speck128_256, neon, 64, 8, 16, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, neon, 64, 2, 4, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_KERNELS(speck128_256, neon, 64, 1, 2, speck_encrypt_w64, speck_decrypt_w64, 34)
HANJI_VECTOR_STREAMS(speck128_128, neon, 64, 2, speck_encrypt_w64, speck_schedule_w64, 2, 32, 0)
HANJI_VECTOR_STREAMS(speck128_192, neon, 64, 2, speck_encrypt_w64, speck_schedule_w64, 3, 33, 0)
HANJI_VECTOR_STREAMS(speck128_256, neon, 64, 2, speck_encrypt_w64, speck_schedule_w64, 4, 34, 0)

#endif
