/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 8, 4 or 1 vector of
 * every word at a time. Groups of 256 blocks are folded bit slices.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simeck64_128.encrypt, simeck64_128.decrypt, simeck64_128.ctr]
     isa: avx512
     blocks: [256, 128, 64, 16]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 16 at a time.
 * void hanji_CIPHER_avx512_uniform_x16(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [simeck64_128.uniform]
     isa: avx512
     blocks: [16]
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w}, in: {buffer: in, bytes: bytes * blocks * groups, access: r},
             bytes: {value: bytes}, keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r}, groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
*/
/*
 * And over messages of any lengths, wherever they lie.
 * void hanji_CIPHER_avx512_ragged_x16(void *round_keys, const hanji_ragged *r)
 */
/* kernel:
     spec: [simeck64_128.ragged]
     isa: avx512
     blocks: [16]
     args: { round_keys: {buffer: round_keys, bytes: 64 for each round key, access: w}, r: {buffer: ragged, bytes: addresses and lengths of 16 messages, access: r} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: round_keys
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/folds.h"
#include "simeck/simeck.h"
#include "simeck/simeck_folds.h"
#include "simeck/simeck_rounds.h"

HANJI_FOLDED_KERNELS(simeck64_128, avx512, 32, 256, simeck, 44)
HANJI_VECTOR_KERNELS(simeck64_128, avx512, 32, 8, 128, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_KERNELS(simeck64_128, avx512, 32, 4, 64, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_KERNELS(simeck64_128, avx512, 32, 1, 16, simeck_encrypt_w32, simeck_decrypt_w32, 44)
HANJI_VECTOR_STREAMS(simeck64_128, avx512, 32, 16, simeck_encrypt_w32, simeck_schedule_w32, 4, 44,
                     SIMECK_Z_simeck64_128)

#endif
