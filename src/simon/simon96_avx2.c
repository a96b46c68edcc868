/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 48-bit words on AVX2: one word of four blocks in a vector, 5, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon96_96.encrypt, simon96_96.decrypt, simon96_96.ctr, simon96_144.encrypt, simon96_144.decrypt, simon96_144.ctr]
     isa: avx2
     blocks: [20, 8, 4]
     args: { out: {buffer: out, bytes: 12 * blocks * groups, access: w}, in: {buffer: in, bytes: 12 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 12, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 48 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simon96_96.streams, simon96_144.streams]
     isa: avx2
     blocks: [4]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 4 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_KERNELS(simon96_96, avx2, 48, 5, 20, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, avx2, 48, 2, 8, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, avx2, 48, 1, 4, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_144, avx2, 48, 5, 20, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, avx2, 48, 2, 8, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, avx2, 48, 1, 4, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_STREAMS(simon96_96, avx2, 48, 4, simon_encrypt_w48, simon_schedule_w48, 2, 52,
                     SIMON_Z_simon96_96)
HANJI_VECTOR_STREAMS(simon96_144, avx2, 48, 4, simon_encrypt_w48, simon_schedule_w48, 3, 54,
                     SIMON_Z_simon96_144)

#endif
