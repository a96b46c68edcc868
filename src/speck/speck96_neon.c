/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 48-bit words on NEON: one word of two blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck96_96.encrypt, speck96_96.decrypt, speck96_96.ctr, speck96_144.encrypt, speck96_144.decrypt, speck96_144.ctr]
     isa: neon
     blocks: [16, 4, 2]
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
     spec: [speck96_96.streams, speck96_144.streams]
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

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_KERNELS(speck96_96, neon, 48, 8, 16, speck_encrypt_w48, speck_decrypt_w48, 28)
HANJI_VECTOR_KERNELS(speck96_96, neon, 48, 2, 4, speck_encrypt_w48, speck_decrypt_w48, 28)
HANJI_VECTOR_KERNELS(speck96_96, neon, 48, 1, 2, speck_encrypt_w48, speck_decrypt_w48, 28)
HANJI_VECTOR_KERNELS(speck96_144, neon, 48, 8, 16, speck_encrypt_w48, speck_decrypt_w48, 29)
HANJI_VECTOR_KERNELS(speck96_144, neon, 48, 2, 4, speck_encrypt_w48, speck_decrypt_w48, 29)
HANJI_VECTOR_KERNELS(speck96_144, neon, 48, 1, 2, speck_encrypt_w48, speck_decrypt_w48, 29)
HANJI_VECTOR_STREAMS(speck96_96, neon, 48, 2, speck_encrypt_w48, speck_schedule_w48, 2, 28, 0)
HANJI_VECTOR_STREAMS(speck96_144, neon, 48, 2, speck_encrypt_w48, speck_schedule_w48, 3, 29, 0)

#endif
