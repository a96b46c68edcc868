/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 32-bit words on AVX2: one word of eight blocks in a vector, 5, 2 or 1 vector of every
 * word at a time. Groups of 256 and of 64 blocks are bit slices.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simeck64_128.encrypt, simeck64_128.decrypt, simeck64_128.ctr]
     isa: avx2
     blocks: [256, 64, 40, 16, 8]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 8 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simeck64_128.streams]
     isa: avx2
     blocks: [8]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 8 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/octets.h"
#include "simeck/simeck.h"
#include "simeck/simeck_octets.h"
#include "simeck/simeck_rounds.h"
#include "simeck/simeck_slices.h"

HANJI_SLICED_KERNELS(simeck64_128, avx2, 32, simeck, 44)
HANJI_OCTET_FEISTEL(simeck, 32)
HANJI_OCTET_KERNELS(simeck64_128, avx2, 32, 64, simeck, 44)
HANJI_VECTOR_KERNELS(simeck64_128, avx2, 32, 5, 40, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_KERNELS(simeck64_128, avx2, 32, 2, 16, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_KERNELS(simeck64_128, avx2, 32, 1, 8, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_STREAMS(simeck64_128, avx2, 32, 8, simeck_encrypt_w32, simeck_schedule_w32, 4, 44,
                     SIMECK_Z_simeck64_128)

#endif
