/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 24-bit words on AVX-512: one word of sixteen blocks in a vector, 12, 8, 4 or 1 vector
 * of every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon48_72.encrypt, simon48_72.decrypt, simon48_72.ctr, simon48_96.encrypt, simon48_96.decrypt, simon48_96.ctr]
     isa: avx512
     blocks: [192, 128, 64, 16]
     args: { out: {buffer: out, bytes: 6 * blocks * groups, access: w}, in: {buffer: in, bytes: 6 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 6, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 16 at a time.
 * void hanji_CIPHER_avx512_uniform_x16(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [simon48_72.uniform, simon48_96.uniform]
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
     spec: [simon48_72.ragged, simon48_96.ragged]
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
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_KERNELS(simon48_72, avx512, 24, 12, 192, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_72, avx512, 24, 8, 128, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_72, avx512, 24, 4, 64, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_72, avx512, 24, 1, 16, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, avx512, 24, 12, 192, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, avx512, 24, 8, 128, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, avx512, 24, 4, 64, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_KERNELS(simon48_96, avx512, 24, 1, 16, simon_encrypt_w24, simon_decrypt_w24, 36)
HANJI_VECTOR_STREAMS(simon48_72, avx512, 24, 16, simon_encrypt_w24, simon_schedule_w24, 3, 36,
                     SIMON_Z_simon48_72)
HANJI_VECTOR_STREAMS(simon48_96, avx512, 24, 16, simon_encrypt_w24, simon_schedule_w24, 4, 36,
                     SIMON_Z_simon48_96)

#endif
