/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 48-bit words on AVX2: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck96_96.encrypt, speck96_96.decrypt, speck96_96.ctr, speck96_144.encrypt, speck96_144.decrypt, speck96_144.ctr]
     isa: avx2
     blocks: [24, 8, 4]
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
     spec: [speck96_96.streams, speck96_144.streams]
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

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck96_96, avx2, 48, 6, 24, speck_encrypt_w48, speck_decrypt_w48, 28)
HANJI_VECTOR_KERNELS(speck96_96, avx2, 48, 2, 8, speck_encrypt_w48, speck_decrypt_w48, 28)
HANJI_VECTOR_KERNELS(speck96_96, avx2, 48, 1, 4, speck_encrypt_w48, speck_decrypt_w48, 28)
HANJI_VECTOR_KERNELS(speck96_144, avx2, 48, 6, 24, speck_encrypt_w48, speck_decrypt_w48, 29)
HANJI_VECTOR_KERNELS(speck96_144, avx2, 48, 2, 8, speck_encrypt_w48, speck_decrypt_w48, 29)
HANJI_VECTOR_KERNELS(speck96_144, avx2, 48, 1, 4, speck_encrypt_w48, speck_decrypt_w48, 29)
HANJI_VECTOR_STREAMS(speck96_96, avx2, 48, 4, speck_encrypt_w48, speck_schedule_w48, 2, 28, 0)
HANJI_VECTOR_STREAMS(speck96_144, avx2, 48, 4, speck_encrypt_w48, speck_schedule_w48, 3, 29, 0)

#endif
