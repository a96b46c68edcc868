/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on AVX-512, one message: its blocks that are not the last, its end, or all of it, with the
 * state in two vectors (sparkle_halves.h).
 * void hanji_CIPHER_avx512_absorb_x1(uint32_t *state, const uint8_t *message, size_t blocks)
 */
/* kernel:
     spec: [esch256.absorb_blocks, esch384.absorb_blocks]
     isa: avx512
     blocks: [1]
     args: { state: {buffer: state, bytes: 4 * words of the state, access: rw},
             message: {buffer: message, bytes: 16 * blocks, access: r}, blocks: {value: blocks} }
     aliasing: none
     stack: compiler
     secrets: state, message
*/
/*
 * The last block, padded; `domain` is 1, or 2 where nothing was padded, xor 4 for extendable
 * output. Then the first blocks of output; the state is that of the last of them.
 * void hanji_CIPHER_avx512_end_x1(uint32_t *state, uint8_t *out, size_t out_blocks,
 *     const uint8_t *last, uint32_t domain)
 */
/* kernel:
     spec: [esch256.end, esch384.end]
     isa: avx512
     blocks: [1]
     args: { state: {buffer: state, bytes: 4 * words of the state, access: rw},
             out: {buffer: out, bytes: 16 * out_blocks, access: w},
             out_blocks: {value: out_blocks}, last: {buffer: last, bytes: 16, access: r},
             domain: {value: domain} }
     aliasing: none
     stack: compiler
     secrets: state, last
*/
/*
 * The whole message; `domain` is 0 for a hash, 4 for extendable output.
 * void hanji_CIPHER_avx512_digest_x1(uint8_t *out, size_t out_bytes, const uint8_t *message,
 *     size_t bytes, uint32_t domain)
 */
/* kernel:
     spec: [esch256.digest, esch384.digest]
     isa: avx512
     blocks: [1]
     args: { out: {buffer: out, bytes: out_bytes, access: w}, out_bytes: {value: out_bytes},
             message: {buffer: message, bytes: bytes, access: r}, bytes: {value: bytes},
             domain: {value: domain} }
     aliasing: out == message allowed
     stack: compiler
     secrets: message
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#include "sparkle/esch_halves.h"

void hanji_esch256_avx512_absorb_x1(uint32_t *state, const uint8_t *message, size_t blocks)
{
    absorb_blocks(state, message, blocks, 8, 4);
}

void hanji_esch384_avx512_absorb_x1(uint32_t *state, const uint8_t *message, size_t blocks)
{
    absorb_blocks(state, message, blocks, 8, 8);
}

void hanji_esch256_avx512_end_x1(uint32_t *state, uint8_t *out, size_t out_blocks,
                                 const uint8_t *last, uint32_t domain)
{
    end_message(state, out, out_blocks, last, domain, 8, 4);
}

void hanji_esch384_avx512_end_x1(uint32_t *state, uint8_t *out, size_t out_blocks,
                                 const uint8_t *last, uint32_t domain)
{
    end_message(state, out, out_blocks, last, domain, 8, 8);
}

void hanji_esch256_avx512_digest_x1(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                    size_t bytes, uint32_t domain)
{
    whole_message(out, out_bytes, message, bytes, domain, 3);
}

void hanji_esch384_avx512_digest_x1(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                    size_t bytes, uint32_t domain)
{
    whole_message(out, out_bytes, message, bytes, domain, 4);
}

#endif
