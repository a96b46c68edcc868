/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 16-bit words on AVX2: one word of sixteen blocks in a vector, 5, 2 or 1 vector of
 * every word at a time. Groups of 256 and of 128 blocks are bit slices.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon32_64.encrypt, simon32_64.decrypt, simon32_64.ctr]
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
     spec: [simon32_64.streams]
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
#include "simon/simon.h"
#include "simon/simon_octets.h"
#include "simon/simon_rounds.h"
#include "simon/simon_slices.h"

HANJI_SLICED_KERNELS(simon32_64, avx2, 16, simon, 32)
HANJI_OCTET_FEISTEL(simon, 16)
HANJI_OCTET_KERNELS(simon32_64, avx2, 16, 128, simon, 32)
HANJI_VECTOR_KERNELS(simon32_64, avx2, 16, 5, 80, simon_encrypt_w16, simon_decrypt_w16, 32)
HANJI_VECTOR_KERNELS(simon32_64, avx2, 16, 2, 32, simon_encrypt_w16, simon_decrypt_w16, 32)
HANJI_VECTOR_KERNELS(simon32_64, avx2, 16, 1, 16, simon_encrypt_w16, simon_decrypt_w16, 32)
HANJI_VECTOR_STREAMS(simon32_64, avx2, 16, 16, simon_encrypt_w16, simon_schedule_w16, 4, 32,
                     SIMON_Z_simon32_64)

#endif
