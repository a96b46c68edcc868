/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 64-bit words on AVX2: one word of four blocks in a vector, 5, 2 or 1 vector of every
 * word at a time. Groups of 256 and of 32 blocks are bit slices.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon128_128.encrypt, simon128_128.decrypt, simon128_128.ctr, simon128_192.encrypt, simon128_192.decrypt, simon128_192.ctr, simon128_256.encrypt, simon128_256.decrypt, simon128_256.ctr]
     isa: avx2
     blocks: [256, 32, 20, 8, 4]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 4 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x4(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [simon128_128.streams, simon128_192.streams, simon128_256.streams]
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
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/octets.h"
#include "simon/simon.h"
#include "simon/simon_octets.h"
#include "simon/simon_rounds.h"
#include "simon/simon_slices.h"

HANJI_SLICED_KERNELS(simon128_128, avx2, 64, simon, 68)
HANJI_SLICED_KERNELS(simon128_192, avx2, 64, simon, 69)
HANJI_SLICED_KERNELS(simon128_256, avx2, 64, simon, 72)
HANJI_OCTET_FEISTEL(simon, 64)
HANJI_OCTET_KERNELS(simon128_128, avx2, 64, 32, simon, 68)
HANJI_OCTET_KERNELS(simon128_192, avx2, 64, 32, simon, 69)
HANJI_OCTET_KERNELS(simon128_256, avx2, 64, 32, simon, 72)
HANJI_VECTOR_KERNELS(simon128_128, avx2, 64, 5, 20, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_128, avx2, 64, 2, 8, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_128, avx2, 64, 1, 4, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_192, avx2, 64, 5, 20, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_192, avx2, 64, 2, 8, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_192, avx2, 64, 1, 4, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_256, avx2, 64, 5, 20, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_KERNELS(simon128_256, avx2, 64, 2, 8, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_KERNELS(simon128_256, avx2, 64, 1, 4, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_STREAMS(simon128_128, avx2, 64, 4, simon_encrypt_w64, simon_schedule_w64, 2, 68,
                     SIMON_Z_simon128_128)
HANJI_VECTOR_STREAMS(simon128_192, avx2, 64, 4, simon_encrypt_w64, simon_schedule_w64, 3, 69,
                     SIMON_Z_simon128_192)
HANJI_VECTOR_STREAMS(simon128_256, avx2, 64, 4, simon_encrypt_w64, simon_schedule_w64, 4, 72,
                     SIMON_Z_simon128_256)

#endif
