/* SPDX-License-Identifier: Apache-2.0 */
/* The lane scheduler. Which hash goes into which lane depends on public numbers only. */
#include "aimer/lanes.h"

#include "aimer/protocol.h"
#include "support/bytes.h"

void hanji_lanes_init(hanji_lanes *lanes, uint32_t rate)
{
    const hanji_kernel *widest = hanji_keccak_widest();
    memset(lanes, 0, sizeof *lanes);
    lanes->permute = widest->run.keccak;
    lanes->permute_single = hanji_keccak_single()->run.keccak;
    lanes->width = widest->group;
    lanes->rate_words = rate / 8;
}

static int ready(const hanji_lanes *lanes, const hanji_long_hash *hash)
{
    return (size_t)(hash->end - hash->next) >= 8 * lanes->rate_words;
}

static uint32_t first_lane(const hanji_lanes *lanes, uint32_t word)
{
    return lanes->width == 8   ? 8 * word
           : lanes->width == 4 ? 4 * word
           : lanes->width == 2 ? 2 * word
                               : word;
}

/* The last lanes are for the long hashes that have a block when a batch begins. */
static void place_long_hashes(hanji_lanes *lanes)
{
    lanes->room = lanes->width;
    lanes->placed_count = 0;
    for (uint32_t r = 0; r < LANES_LONG_HASHES && lanes->width > 1; r++)
        if (lanes->long_hash[r] != NULL && ready(lanes, lanes->long_hash[r]) && lanes->room > 1) {
            lanes->placed[lanes->placed_count++] = lanes->long_hash[r];
            lanes->room--;
        }
}

/* What all hashes of a form have in common, into all lanes: the compiler fills vectors. */
HANJI_INLINE void fill(uint64_t *states, const uint64_t *input, const uint32_t width)
{
    for (uint32_t w = 0; w < HANJI_KECCAK_WORDS; w++)
        for (uint32_t lane = 0; lane < width; lane++)
            *states++ = input[w];
}

static void begin(hanji_lanes *lanes)
{
    place_long_hashes(lanes);
    switch (lanes->width) {
    case 8: fill(lanes->states, lanes->form->input, 8); break;
    case 4: fill(lanes->states, lanes->form->input, 4); break;
    case 2: fill(lanes->states, lanes->form->input, 2); break;
    default: fill(lanes->states, lanes->form->input, 1); break;
    }
}

/* One permutation of all lanes, in which every placed long hash absorbs a block if there is one. */
static void step(hanji_lanes *lanes)
{
    const uint32_t width = lanes->width;
    uint32_t taken = 0;
    for (uint32_t r = 0; r < lanes->placed_count; r++) {
        hanji_long_hash *hash = lanes->placed[r];
        if (!ready(lanes, hash))
            continue;
        uint64_t *lane = lanes->states + width - 1 - r;
        for (uint32_t w = 0; w < HANJI_KECCAK_WORDS; w++, lane += width)
            *lane = hash->state[w] ^ (w < lanes->rate_words ? load_le64(hash->next + 8 * w) : 0);
        hash->next += 8 * lanes->rate_words;
        taken |= 1u << r;
    }
    lanes->permute(lanes->states);
    for (uint32_t r = 0; r < lanes->placed_count; r++)
        if ((taken >> r & 1) != 0) {
            const uint64_t *lane = lanes->states + width - 1 - r;
            for (uint32_t w = 0; w < HANJI_KECCAK_WORDS; w++, lane += width)
                lanes->placed[r]->state[w] = *lane;
        }
}

void hanji_lanes_form(hanji_lanes *lanes, const hanji_hash_form *form)
{
    hanji_lanes_flush(lanes);
    lanes->form = form;
    lanes->index_at = first_lane(lanes, form->index_word);
    lanes->seed_at = first_lane(lanes, form->seed_word);
}

HANJI_INLINE void put_words(uint64_t *lane, uint32_t width, const uint8_t *seed,
                            const uint32_t words, const uint32_t shift)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i <= words; i++, lane += width) {
        const uint64_t word = i < words ? load_le64(seed + 8 * i) : 0;
        *lane ^= carry | word << shift;
        carry = word >> (64 - shift);
    }
}

/*
 * Shifts are constants: processors without wide shifts would need a library for others. And so are
 * lengths: loops are too short for vectors.
 */
HANJI_INLINE void put_seed(uint64_t *lane, uint32_t width, const uint8_t *seed, uint32_t words,
                           const uint32_t shift)
{
    switch (words) {
    case 2: put_words(lane, width, seed, 2, shift); break;
    case 3: put_words(lane, width, seed, 3, shift); break;
    default: put_words(lane, width, seed, 4, shift); break;
    }
}

void hanji_lanes_add(hanji_lanes *lanes, const uint8_t *seed, uint32_t index, uint8_t *bytes,
                     uint64_t *octet)
{
    const hanji_hash_form *form = lanes->form;
    const uint32_t width = lanes->width;
    if (lanes->used == 0)
        begin(lanes);
    const uint32_t at = lanes->used++;
    lanes->bytes[at] = bytes;
    lanes->octet[at] = octet;
    lanes->states[lanes->index_at + at] ^= (uint64_t)index << 8;
    uint64_t *lane = lanes->states + lanes->seed_at + at;
    switch (form->seed_shift) {
    case 8: put_seed(lane, width, seed, form->seed_words, 8); break;
    case 24: put_seed(lane, width, seed, form->seed_words, 24); break;
    default: put_seed(lane, width, seed, form->seed_words, 40); break;
    }
    if (lanes->used == lanes->room)
        hanji_lanes_flush(lanes);
}

void hanji_lanes_flush(hanji_lanes *lanes)
{
    const hanji_hash_form *form = lanes->form;
    if (lanes->used == 0)
        return;
    const uint32_t total = form->byte_words + form->octet_words;
    for (uint32_t from = 0; from < total; from += form->rate_words) {
        const uint32_t to = total - from < form->rate_words ? total : from + form->rate_words;
        step(lanes);
        for (uint32_t at = 0; at < lanes->used; at++) {
            const uint64_t *lane = lanes->states + at;
            uint32_t w = from;
            for (; w < to && w < form->byte_words; w++, lane += lanes->width)
                store_le64(lanes->bytes[at] + 8 * w, *lane);
            if (w == to)
                continue;
            uint64_t *octet = lanes->octet[at] + HANJI_AIMER_OCTET * (w - form->byte_words);
            for (; w < to; w++, lane += lanes->width, octet += HANJI_AIMER_OCTET)
                *octet = *lane;
        }
    }
    lanes->used = 0;
}

void hanji_lanes_drain(hanji_lanes *lanes)
{
    hanji_lanes_flush(lanes);
    for (;;) {
        hanji_long_hash *waiting[LANES_LONG_HASHES];
        uint32_t count = 0;
        for (uint32_t r = 0; r < LANES_LONG_HASHES; r++)
            if (lanes->long_hash[r] != NULL && ready(lanes, lanes->long_hash[r]))
                waiting[count++] = lanes->long_hash[r];
        if (count == 0)
            return;
        if (count > 1 && lanes->width > 1) {
            place_long_hashes(lanes); /* what is in the other lanes does not matter */
            if (lanes->placed_count == count) {
                step(lanes);
                continue;
            }
        }
        for (uint32_t w = 0; w < lanes->rate_words; w++)
            waiting[0]->state[w] ^= load_le64(waiting[0]->next + 8 * w);
        waiting[0]->next += 8 * lanes->rate_words;
        lanes->permute_single(waiting[0]->state);
    }
}

/* Here, away from its callers, so the linker can put another in its place. */
void hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason)
{
    (void)memory;
    (void)bytes;
    (void)reason;
}
