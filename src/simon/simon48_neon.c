/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 24-bit words on NEON: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon48_72.encrypt, simon48_72.decrypt, simon48_72.ctr, simon48_96.encrypt, simon48_96.decrypt, simon48_96.ctr]
     isa: neon
     blocks: [24, 8, 4]
     args: { out: {buffer: out, bytes: 6 * blocks * groups, access: w}, in: {buffer: in, bytes: 6 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 6, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 48 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simon48_72.streams, simon48_96.streams]
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
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_KERNELS(simon48_72, neon, 24, 6, 24, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_72, neon, 24, 2, 8, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_72, neon, 24, 1, 4, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, neon, 24, 6, 24, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, neon, 24, 2, 8, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, neon, 24, 1, 4, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_STREAMS(simon48_72, neon, 24, 4, simon_encrypt_w24, simon_schedule_w24, 3, 36,
                     SIMON_Z_simon48_72)
HANJI_VECTOR_STREAMS(simon48_96, neon, 24, 4, simon_encrypt_w24, simon_schedule_w24, 4, 36,
                     SIMON_Z_simon48_96)

#endif
