/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 12, 8, 4 or 1 vector
 * of every word at a time.
 * void hanji_CIPHER_avx512_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups,
 *                                         [uint8_t *counter,] const void *keys)
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck64_128.encrypt, speck64_128.decrypt, speck64_128.ctr]
     isa: avx512
*/
/*
 * And CTR over messages of one length with keys of their own, 16 at a time.
 * void hanji_CIPHER_avx512_uniform_x16(uint8_t *out, const uint8_t *in, size_t bytes,
 *     const uint8_t *keys, const uint8_t *nonces, size_t groups)
 */
/* kernel:
     spec: [speck64_128.uniform]
     isa: avx512
     args: { out: {buffer: out, bytes: bytes * blocks * groups, access: w},
             in: {buffer: in, bytes: bytes * blocks * groups, access: r}, bytes: {value: bytes},
             keys: {buffer: keys, bytes: keys one after the other, access: r},
             nonces: {buffer: nonces, bytes: counter blocks one after the other, access: r},
             groups: {value: groups} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, keys, nonces
*/
/*
 * And over messages of any lengths, wherever they lie.
 * void hanji_CIPHER_avx512_ragged_x16(void *round_keys, const hanji_ragged *r)
 */
/* kernel:
     spec: [speck64_128.ragged]
     isa: avx512
     args: { round_keys: {buffer: round_keys, bytes: 64 for each round key, access: w},
             r: {buffer: ragged, bytes: addresses and lengths of the messages, access: r} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: round_keys
*/
/* And chains of blocks: of 16 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [speck64_128.chains]
     isa: avx512
*/
/*
 * And CMAC of messages of one length with keys of their own, 32 at a time; tags of a block each.
 * void hanji_CIPHER_avx512_macs_x32(uint8_t *tags, const uint8_t *in, size_t bytes,
 *     const uint8_t *keys, size_t groups)
 */
/* kernel:
     spec: [speck64_128.macs]
     isa: avx512
     args: { tags: {buffer: tags, bytes: block * blocks * groups, access: w},
             in: {buffer: in, bytes: bytes * blocks * groups, access: r}, bytes: {value: bytes},
             keys: {buffer: keys, bytes: keys one after the other, access: r},
             groups: {value: groups} }
     aliasing: none
     stack: compiler
     secrets: in, keys
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [speck64_128.short]
     isa: avx512
*/
/* And CTR over one text of 3 to 512 blocks, with its key. */
/* kernel:
     like: speck64_avx2 once
     spec: [speck64_128.once]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"

#include "lanes/vector_once.h"
#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_encrypt_x192, 1, 12, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_decrypt_x192, 1, 12, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx512_ctr_x192, 1, 12, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_encrypt_x128, 1, 8, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_decrypt_x128, 1, 8, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx512_ctr_x128, 1, 8, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_encrypt_x64, 1, 4, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_decrypt_x64, 1, 4, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx512_ctr_x64, 1, 4, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_encrypt_x16, 1, 1, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx512_decrypt_x16, 1, 1, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx512_ctr_x16, 1, 1, speck_encrypt_w32, 27)
HANJI_VECTOR_UNIFORM(hanji_speck64_128_avx512_uniform_x16, 16, speck_encrypt_w32,
                     speck_schedule_w32, 4, 27, 0)
HANJI_VECTOR_RAGGED(hanji_speck64_128_avx512_ragged_x16, speck_encrypt_w32, speck_schedule_w32, 4,
                    27, 0)
HANJI_VECTOR_CHAINS(hanji_speck64_128_avx512_chains_x16, speck_encrypt_w32, speck_schedule_w32, 4,
                    27, 0)
HANJI_VECTOR_MACS(hanji_speck64_128_avx512_macs_x32, 16, speck_encrypt_w32, speck_schedule_w32, 4,
                  27, 0)
HANJI_VECTOR_SHORT(hanji_speck64_128_avx512_short_x64, speck_encrypt_w32, 27)
HANJI_VECTOR_ONCE(hanji_speck64_128_avx512_once_x512, hanji_speck64_128_avx512_ctr_x128,
                  hanji_speck64_128_avx512_short_x64, speck_once_w32, 4, 27, 0)

#endif
