/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 48-bit words on NEON: one word of two blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon96_96.encrypt, simon96_96.decrypt, simon96_96.ctr, simon96_144.encrypt, simon96_144.decrypt, simon96_144.ctr]
     isa: neon
     blocks: [12, 4, 2]
     args: { out: {buffer: out, bytes: 12 * blocks * groups, access: w}, in: {buffer: in, bytes: 12 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 12, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 48 bytes each of 2 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x2(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simon96_96.streams, simon96_144.streams]
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
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_KERNELS(simon96_96, neon, 48, 6, 12, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, neon, 48, 2, 4, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, neon, 48, 1, 2, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_144, neon, 48, 6, 12, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, neon, 48, 2, 4, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, neon, 48, 1, 2, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_STREAMS(simon96_96, neon, 48, 2, simon_encrypt_w48, simon_schedule_w48, 2, 52,
                     SIMON_Z_simon96_96)
HANJI_VECTOR_STREAMS(simon96_144, neon, 48, 2, simon_encrypt_w48, simon_schedule_w48, 3, 54,
                     SIMON_Z_simon96_144)

#endif
