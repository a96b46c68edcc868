/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 64-bit words on NEON: one word of two blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon128_128.encrypt, simon128_128.decrypt, simon128_128.ctr, simon128_192.encrypt, simon128_192.decrypt, simon128_192.ctr, simon128_256.encrypt, simon128_256.decrypt, simon128_256.ctr]
     isa: neon
     blocks: [12, 4, 2]
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
     spec: [simon128_128.streams, simon128_192.streams, simon128_256.streams]
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

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_KERNELS(simon128_128, neon, 64, 6, 12, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_128, neon, 64, 2, 4, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_128, neon, 64, 1, 2, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_192, neon, 64, 6, 12, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_192, neon, 64, 2, 4, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_192, neon, 64, 1, 2, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_256, neon, 64, 6, 12, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_KERNELS(simon128_256, neon, 64, 2, 4, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_KERNELS(simon128_256, neon, 64, 1, 2, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_STREAMS(simon128_128, neon, 64, 2, simon_encrypt_w64, simon_schedule_w64, 2, 68,
                     SIMON_Z_simon128_128)
HANJI_VECTOR_STREAMS(simon128_192, neon, 64, 2, simon_encrypt_w64, simon_schedule_w64, 3, 69,
                     SIMON_Z_simon128_192)
HANJI_VECTOR_STREAMS(simon128_256, neon, 64, 2, simon_encrypt_w64, simon_schedule_w64, 4, 72,
                     SIMON_Z_simon128_256)

#endif
