/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 48-bit words on AVX-512: one word of eight blocks in a vector, 12, 8, 4 or 1 vector of
 * every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [simon96_96.encrypt, simon96_96.decrypt, simon96_96.ctr, simon96_144.encrypt, simon96_144.decrypt, simon96_144.ctr]
     isa: avx512
     blocks: [96, 64, 32, 8]
     args: { out: {buffer: out, bytes: 12 * blocks * groups, access: w}, in: {buffer: in, bytes: 12 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 12, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over messages of one length that have keys of their own, 8 at a time.
 * void hanji_CIPHER_avx512_uniform_x8(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [simon96_96.uniform, simon96_144.uniform]
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
     spec: [simon96_96.ragged, simon96_144.ragged]
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
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_KERNELS(simon96_96, avx512, 48, 12, 96, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, avx512, 48, 8, 64, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, avx512, 48, 4, 32, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_96, avx512, 48, 1, 8, simon_encrypt_w48, simon_decrypt_w48, 52)
HANJI_VECTOR_KERNELS(simon96_144, avx512, 48, 12, 96, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, avx512, 48, 8, 64, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, avx512, 48, 4, 32, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_KERNELS(simon96_144, avx512, 48, 1, 8, simon_encrypt_w48, simon_decrypt_w48, 54)
HANJI_VECTOR_STREAMS(simon96_96, avx512, 48, 8, simon_encrypt_w48, simon_schedule_w48, 2, 52,
                     SIMON_Z_simon96_96)
HANJI_VECTOR_STREAMS(simon96_144, avx512, 48, 8, simon_encrypt_w48, simon_schedule_w48, 3, 54,
                     SIMON_Z_simon96_144)

#endif
