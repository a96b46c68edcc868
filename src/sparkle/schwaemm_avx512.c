/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on AVX-512, sixteen messages at a time: those of one length that lie one after the other
 * (sponge_uniform.h), and any others (sponge_ragged.h).
 * const hanji_lanes_uniform hanji_CIPHER_avx512_uniform_x16; const hanji_lanes_ragged_fns hanji_CIPHER_avx512_ragged_x16
 */
/* kernel:
     spec: [schwaemm256_128.absorb_words, schwaemm192_192.absorb_words, schwaemm128_128.absorb_words, schwaemm256_256.absorb_words]
     isa: avx512
     blocks: [16]
     args: { state: {buffer: state, bytes: 4 * 16 words of each state, access: rw}, ragged: {buffer: ragged, bytes: addresses and lengths of 16 messages, access: r},
             at: {value: at}, chunks: {value: chunks}, active: {value: active} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: state
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#include "sparkle/sparkle_vector.h"

#include "sparkle/sponge_ragged.h" /* after the vectors */

#include "hanji/hash.h"
#include "support/secret.h"

/*
 * A phase of at least one byte; words of rate and capacity, bits of the permutation. Sealing and
 * opening are apart: what is absorbed is chosen when they are compiled.
 */
#define PHASE(id, verb, open, rate, capacity, bits)                                                \
    static HANJI_NOINLINE void id##_##verb##_whole(uint32_t *state, uint8_t *out,                  \
                                                   const uint8_t *in, size_t bytes, size_t chunks, \
                                                   size_t ahead)                                   \
    {                                                                                              \
        uniform_whole(state, out, in, bytes, chunks, ahead, open, rate, capacity,                  \
                      HANJI_SPARKLE##bits##_STEPS_SLIM);                                           \
    }                                                                                              \
    static HANJI_NOINLINE void id##_##verb##_last(uint32_t *state, uint8_t *out,                   \
                                                  const uint8_t *in, size_t bytes, size_t left,    \
                                                  uint32_t domain)                                 \
    {                                                                                              \
        uniform_last(state, out, in, bytes, left, domain, open, rate, capacity,                    \
                     HANJI_SPARKLE##bits##_STEPS_BIG);                                             \
    }                                                                                              \
    static void id##_##verb(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes,        \
                            size_t ahead, uint32_t domain)                                         \
    {                                                                                              \
        const size_t chunks = (bytes - 1) / (4 * (rate)), done = chunks * (4 * (rate)),            \
                     left = bytes - done;                                                          \
        if (chunks > 0)                                                                            \
            id##_##verb##_whole(state, out, in, bytes, chunks, ahead);                             \
        id##_##verb##_last(state, out != NULL ? out + done : NULL, in + done, bytes, left,         \
                           (domain ^ (left == 4 * (rate) ? 1u : 0u)) << 24);                       \
    }

#define UNIFORM(kernels, id, rate, capacity, bits)                                      \
    static void id##_begin(uint32_t *state, const uint8_t *nonces, const uint8_t *keys, \
                           size_t key_stride)                                           \
    {                                                                                   \
        uniform_begin(state, nonces, keys, key_stride, rate, capacity,                  \
                      HANJI_SPARKLE##bits##_STEPS_BIG);                                 \
    }                                                                                   \
    PHASE(id, seal, 0, rate, capacity, bits)                                            \
    PHASE(id, open, 1, rate, capacity, bits)                                            \
    static void id##_end(uint8_t *tags, const uint32_t *state, const uint8_t *keys,     \
                         size_t key_stride)                                             \
    {                                                                                   \
        uniform_end(tags, state, keys, key_stride, rate, capacity);                     \
    }                                                                                   \
    const hanji_lanes_uniform kernels = {id##_begin, id##_seal, id##_open, id##_end};

#define RAGGED_PHASE(id, verb, open, rate, capacity, bits)                                    \
    static void id##_ragged_##verb(uint32_t *state, const hanji_lanes_ragged *r, size_t at,   \
                                   size_t chunks, uint32_t active)                            \
    {                                                                                         \
        if (active == 0xffff)                                                                 \
            ragged_chunks(state, r, at, chunks, active, open, rate, capacity,                 \
                          HANJI_SPARKLE##bits##_STEPS_SLIM, 0);                               \
        else                                                                                  \
            ragged_chunks(state, r, at, chunks, active, open, rate, capacity,                 \
                          HANJI_SPARKLE##bits##_STEPS_SLIM, 1);                               \
    }                                                                                         \
    static void id##_ragged_##verb##_last(uint32_t *state, const hanji_lanes_ragged *r,       \
                                          uint32_t active)                                    \
    {                                                                                         \
        ragged_last(state, r, active, open, rate, capacity, HANJI_SPARKLE##bits##_STEPS_BIG); \
    }

#define RAGGED(kernels, id, rate, capacity, bits)                                         \
    static void id##_ragged_begin(uint32_t *state, const hanji_lanes_ragged *r)           \
    {                                                                                     \
        ragged_begin(state, r, rate, capacity, HANJI_SPARKLE##bits##_STEPS_BIG);          \
    }                                                                                     \
    RAGGED_PHASE(id, seal, 0, rate, capacity, bits)                                       \
    RAGGED_PHASE(id, open, 1, rate, capacity, bits)                                       \
    static void id##_ragged_end(uint32_t *state, const hanji_lanes_ragged *r)             \
    {                                                                                     \
        ragged_end(state, r, rate, capacity);                                             \
    }                                                                                     \
    const hanji_lanes_ragged_fns kernels = {id##_ragged_begin,     id##_ragged_seal,      \
                                            id##_ragged_open,      id##_ragged_seal_last, \
                                            id##_ragged_open_last, id##_ragged_end};

UNIFORM(hanji_schwaemm256_128_avx512_uniform_x16, schwaemm256_128, 8, 4, 384)
UNIFORM(hanji_schwaemm192_192_avx512_uniform_x16, schwaemm192_192, 6, 6, 384)
UNIFORM(hanji_schwaemm128_128_avx512_uniform_x16, schwaemm128_128, 4, 4, 256)
UNIFORM(hanji_schwaemm256_256_avx512_uniform_x16, schwaemm256_256, 8, 8, 512)

RAGGED(hanji_schwaemm256_128_avx512_ragged_x16, schwaemm256_128, 8, 4, 384)
RAGGED(hanji_schwaemm192_192_avx512_ragged_x16, schwaemm192_192, 6, 6, 384)
RAGGED(hanji_schwaemm128_128_avx512_ragged_x16, schwaemm128_128, 4, 4, 256)
RAGGED(hanji_schwaemm256_256_avx512_ragged_x16, schwaemm256_256, 8, 8, 512)

#endif
