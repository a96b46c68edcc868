/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 16-bit words on AVX2: one word of sixteen blocks in a vector, 5, 2 or 1 vector of
 * every word at a time. Groups of 256 and of 128 blocks are bit slices.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simeck32_64.encrypt, simeck32_64.decrypt, simeck32_64.ctr]
     isa: avx2
     blocks: [256, 128, 80, 32, 16]
     args: { out: {buffer: out, bytes: 4 * blocks * groups, access: w}, in: {buffer: in, bytes: 4 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 4, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 16 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x16(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simeck32_64.streams]
     isa: avx2
     blocks: [16]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 16 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/octets.h"
#include "simeck/simeck.h"
#include "simeck/simeck_octets.h"
#include "simeck/simeck_rounds.h"
#include "simeck/simeck_slices.h"

HANJI_SLICED_KERNELS(simeck32_64, avx2, 16, simeck, 32)
HANJI_OCTET_FEISTEL(simeck, 16)
HANJI_OCTET_KERNELS(simeck32_64, avx2, 16, 128, simeck, 32)
HANJI_VECTOR_KERNELS(simeck32_64, avx2, 16, 5, 80, simeck_encrypt_w16, simeck_decrypt_w16, 32)
HANJI_VECTOR_KERNELS(simeck32_64, avx2, 16, 2, 32, simeck_encrypt_w16, simeck_decrypt_w16, 32)
HANJI_VECTOR_KERNELS(simeck32_64, avx2, 16, 1, 16, simeck_encrypt_w16, simeck_decrypt_w16, 32)
HANJI_VECTOR_STREAMS(simeck32_64, avx2, 16, 16, simeck_encrypt_w16, simeck_schedule_w16, 4, 32,
                     SIMECK_Z_simeck32_64)

#endif
