/* SPDX-License-Identifier: Apache-2.0 */
/* The hash functions of SLH-DSA in lanes: inputs are built where the permutation takes them. */
#include "slhdsa/slhdsa.h"
#include "support/secret.h"

#define PAD 0x1full
#define LAST ((uint64_t)0x80 << 56)

static void fill_row(uint64_t *row, uint32_t width, uint64_t value)
{
    for (uint32_t s = 0; s < width; s++)
        row[s] = value;
}

void hanji_slhdsa_lanes_init(hanji_slhdsa_lanes *lanes, const hanji_kernel *kernel,
                             const hanji_slhdsa *set)
{
    const uint32_t width = kernel->group;
    memset(lanes, 0, sizeof *lanes);
    lanes->permute = kernel->run.keccak;
    lanes->width = width;
    lanes->words = set->words;
    fill_row(lanes->frame + (size_t)(2 * lanes->words + 4) * width, width, PAD);
    fill_row(lanes->frame + (size_t)(SLH_RATE_WORDS - 1) * width, width, LAST);
}

void hanji_slhdsa_lanes_address(hanji_slhdsa_lanes *lanes, uint32_t lane, const uint64_t *seed,
                                uint32_t layer, uint64_t tree, uint32_t type, uint32_t key)
{
    uint64_t *at = lanes->frame + lane;
    const uint32_t width = lanes->width;
    for (uint32_t w = 0; w < lanes->words; w++, at += width)
        *at = seed[w];
    at[0] = slh_pair(layer, 0);
    at[width] = slh_swap64(tree);
    at[2 * width] = slh_pair(type, key);
}

void hanji_slhdsa_lanes_address_all(hanji_slhdsa_lanes *lanes, const uint64_t *seed, uint32_t layer,
                                    uint64_t tree, uint32_t type, uint32_t key)
{
    for (uint32_t s = 0; s < lanes->width; s++)
        hanji_slhdsa_lanes_address(lanes, s, seed, layer, tree, type, key);
}

void hanji_slhdsa_lanes_next(hanji_slhdsa_lanes *lanes)
{
    const size_t row = lanes->width, words = lanes->words, behind = (2 * words + 4) * row;
    memcpy(slh_value_row(lanes), lanes->states, sizeof(uint64_t) * words * row);
    memcpy(lanes->states, lanes->frame, sizeof(uint64_t) * (words + 3) * row);
    memcpy(lanes->states + behind, lanes->frame + behind,
           sizeof(uint64_t) * (HANJI_KECCAK_WORDS * row - behind));
}

void hanji_slhdsa_lanes_pair(hanji_slhdsa_lanes *lanes)
{
    const size_t row = lanes->width, words = lanes->words, behind = (3 * words + 4) * row;
    memcpy(lanes->states, lanes->frame, sizeof(uint64_t) * (words + 3) * row);
    memset(lanes->states + behind, 0, sizeof(uint64_t) * (HANJI_KECCAK_WORDS * row - behind));
    for (size_t s = 0; s < row; s++) {
        lanes->states[behind + s] = PAD;
        lanes->states[(SLH_RATE_WORDS - 1) * row + s] |= LAST; /* the same word where n is 32 */
    }
}

void hanji_slhdsa_sponge_init(hanji_slhdsa_sponge *sponge, const hanji_slhdsa_lanes *lanes)
{
    memset(sponge, 0, sizeof *sponge);
    sponge->permute = lanes->permute;
    sponge->width = lanes->width;
    sponge->words = lanes->words;
}

void hanji_slhdsa_sponge_step(hanji_slhdsa_sponge *sponge)
{
    if (++sponge->at == SLH_RATE_WORDS) {
        sponge->permute(sponge->states);
        sponge->at = 0;
    }
}

void hanji_slhdsa_sponge_rows(hanji_slhdsa_sponge *sponge, const uint64_t *rows)
{
    for (uint32_t w = 0; w < sponge->words; w++, rows += sponge->width) {
        for (uint32_t s = 0; s < sponge->width; s++)
            slh_sponge_put(sponge, s, rows[s]);
        hanji_slhdsa_sponge_step(sponge);
    }
}

void hanji_slhdsa_sponge_address(hanji_slhdsa_sponge *sponge, uint32_t lane, const uint64_t *seed,
                                 uint32_t layer, uint64_t tree, uint32_t type, uint32_t key)
{
    /* It is shorter than a block, whatever the set. */
    uint64_t *at = sponge->states + lane;
    const uint32_t width = sponge->width;
    for (uint32_t w = 0; w < sponge->words; w++, at += width)
        *at = seed[w];
    at[0] = slh_pair(layer, 0);
    at[width] = slh_swap64(tree);
    at[2 * width] = slh_pair(type, key);
    sponge->at = sponge->words + 4;
}

void hanji_slhdsa_sponge_end(hanji_slhdsa_sponge *sponge)
{
    for (uint32_t s = 0; s < sponge->width; s++) {
        slh_sponge_put(sponge, s, PAD);
        sponge->states[(size_t)(SLH_RATE_WORDS - 1) * sponge->width + s] ^= LAST;
    }
    sponge->permute(sponge->states);
}

/* Here, away from its callers, so the linker can put another in its place. */
void hanji_slhdsa_revealed(const void *memory, size_t bytes, const char *reason)
{
    (void)memory;
    (void)bytes;
    (void)reason;
}
