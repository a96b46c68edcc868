/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 32-bit words on AVX2: one word of eight blocks in a vector, 7, 4, 2 or 1 vector of
 * every word at a time, but 14 to decrypt, where more of a round waits for the one before it.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups,
 *                                         [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [speck64_128.encrypt, speck64_128.decrypt, speck64_128.ctr]
     isa: avx2
     args: { out: {buffer: out, bytes: block * blocks * groups, access: w},
             in: {buffer: in, bytes: block * blocks * groups, access: r},
             counter: {buffer: counter, bytes: block, access: rw},
             keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 8 messages with keys of their own.
 * void hanji_CIPHER_avx2_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [speck64_128.streams]
     isa: avx2
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of all lanes,
                 access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
/*
 * And chains of blocks: of 8 messages with keys of their own in each of two vectors.
 * void hanji_CIPHER_avx2_chains_x8(hanji_chains *c, size_t vectors, size_t blocks, uint32_t flags)
 */
/* kernel:
     spec: [speck64_128.chains]
     isa: avx2
     args: { c: {buffer: chains, bytes: keys and texts in and chain values out of all lanes,
                 access: rw}, vectors: {value: vectors}, blocks: {value: blocks of a lane},
             flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: chains
*/
/*
 * And CTR over texts of up to 512 bytes.
 * void hanji_CIPHER_avx2_short_x64(uint8_t *out, const uint8_t *in, size_t bytes,
 *                                  uint8_t *counter, uint8_t *keystream, const void *keys)
 */
/* kernel:
     spec: [speck64_128.short]
     isa: avx2
     args: { out: {buffer: out, bytes: bytes, access: w},
             in: {buffer: in, bytes: bytes, access: r}, bytes: {value: bytes},
             counter: {buffer: counter, bytes: block, access: rw},
             keystream: {buffer: keystream, bytes: block, access: w},
             keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And CTR over one text of 3 to 512 blocks, with its key.
 * void hanji_CIPHER_avx2_once_x512(uint8_t *out, const uint8_t *in, size_t bytes,
 *                                  const uint8_t *iv, const uint8_t *key)
 */
/* kernel:
     spec: [speck64_128.once]
     isa: avx2
     args: { out: {buffer: out, bytes: bytes, access: w},
             in: {buffer: in, bytes: bytes, access: r}, bytes: {value: bytes},
             iv: {buffer: iv, bytes: block, access: r},
             key: {buffer: key, bytes: the key, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, key
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"

#include "lanes/vector_once.h"
#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_encrypt_x112, 2, 7, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_decrypt_x112, 1, 14, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR_PARTS(hanji_speck64_128_avx2_ctr_x112, 2, 7, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_encrypt_x32, 1, 4, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_decrypt_x32, 1, 4, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx2_ctr_x32, 1, 4, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_encrypt_x16, 1, 2, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_decrypt_x16, 1, 2, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx2_ctr_x16, 1, 2, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_encrypt_x8, 1, 1, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_avx2_decrypt_x8, 1, 1, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_avx2_ctr_x8, 1, 1, speck_encrypt_w32, 27)
HANJI_VECTOR_STREAMS(hanji_speck64_128_avx2_streams_x8, speck_encrypt_w32, speck_schedule_w32, 4,
                     27, 0)
HANJI_VECTOR_CHAINS(hanji_speck64_128_avx2_chains_x8, speck_encrypt_w32, speck_schedule_w32, 4, 27,
                    0)
HANJI_VECTOR_SHORT(hanji_speck64_128_avx2_short_x64, speck_encrypt_w32, 27)
HANJI_VECTOR_ONCE(hanji_speck64_128_avx2_once_x512, hanji_speck64_128_avx2_ctr_x112_parts,
                  hanji_speck64_128_avx2_short_x64, speck_once_w32, 4, 27, 0)

#endif
