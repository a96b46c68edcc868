/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 32-bit words on NEON: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 * void hanji_CIPHER_neon_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simeck64_128.encrypt, simeck64_128.decrypt, simeck64_128.ctr]
     isa: neon
     blocks: [24, 8, 4]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_neon_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simeck64_128.streams]
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
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simeck/simeck.h"
#include "simeck/simeck_rounds.h"

HANJI_VECTOR_KERNELS(simeck64_128, neon, 32, 6, 24, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_KERNELS(simeck64_128, neon, 32, 2, 8, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_KERNELS(simeck64_128, neon, 32, 1, 4, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_STREAMS(simeck64_128, neon, 32, 4, simeck_encrypt_w32, simeck_schedule_w32, 4, 44,
                     SIMECK_Z_simeck64_128)

#endif
