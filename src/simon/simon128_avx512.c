/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 64-bit words on AVX-512: one word of eight blocks in a vector, 8, 4 or 1 vector of
 * every word at a time. Groups of 128 blocks are folded bit slices.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon128_128.encrypt, simon128_128.decrypt, simon128_128.ctr, simon128_192.encrypt, simon128_192.decrypt, simon128_192.ctr, simon128_256.encrypt, simon128_256.decrypt, simon128_256.ctr]
     isa: avx512
     blocks: [128, 64, 32, 8]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 8 at a time.
 * void hanji_CIPHER_avx512_uniform_x8(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [simon128_128.uniform, simon128_192.uniform, simon128_256.uniform]
     isa: avx512
     blocks: [8]
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w}, in: {buffer: in, bytes: bytes * blocks * groups, access: r},
             bytes: {value: bytes}, keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r}, groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
*/
/*
 * And over messages of any lengths, wherever they lie.
 * void hanji_CIPHER_avx512_ragged_x8(void *round_keys, const hanji_ragged *r)
 */
/* kernel:
     spec: [simon128_128.ragged, simon128_192.ragged, simon128_256.ragged]
     isa: avx512
     blocks: [8]
     args: { round_keys: {buffer: round_keys, bytes: 64 for each round key, access: w}, r: {buffer: ragged, bytes: addresses and lengths of 8 messages, access: r} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: round_keys
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/folds.h"
#include "simon/simon.h"
#include "simon/simon_folds.h"
#include "simon/simon_rounds.h"

HANJI_FOLDED_KERNELS(simon128_128, avx512, 64, 128, simon, 68)
HANJI_VECTOR_KERNELS(simon128_128, avx512, 64, 8, 64, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_128, avx512, 64, 4, 32, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_VECTOR_KERNELS(simon128_128, avx512, 64, 1, 8, simon_encrypt_w64, simon_decrypt_w64, 68)
HANJI_FOLDED_KERNELS(simon128_192, avx512, 64, 128, simon, 69)
HANJI_VECTOR_KERNELS(simon128_192, avx512, 64, 8, 64, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_192, avx512, 64, 4, 32, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_VECTOR_KERNELS(simon128_192, avx512, 64, 1, 8, simon_encrypt_w64, simon_decrypt_w64, 69)
HANJI_FOLDED_KERNELS(simon128_256, avx512, 64, 128, simon, 72)
HANJI_VECTOR_KERNELS(simon128_256, avx512, 64, 8, 64, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_KERNELS(simon128_256, avx512, 64, 4, 32, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_KERNELS(simon128_256, avx512, 64, 1, 8, simon_encrypt_w64, simon_decrypt_w64, 72)
HANJI_VECTOR_STREAMS(simon128_128, avx512, 64, 8, simon_encrypt_w64, simon_schedule_w64, 2, 68,
                     SIMON_Z_simon128_128)
HANJI_VECTOR_STREAMS(simon128_192, avx512, 64, 8, simon_encrypt_w64, simon_schedule_w64, 3, 69,
                     SIMON_Z_simon128_192)
HANJI_VECTOR_STREAMS(simon128_256, avx512, 64, 8, simon_encrypt_w64, simon_schedule_w64, 4, 72,
                     SIMON_Z_simon128_256)

#endif
