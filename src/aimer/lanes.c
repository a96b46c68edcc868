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
    return hash->out != hash->out_end || (size_t)(hash->end - hash->next) >= 8 * lanes->rate_words;
}

static uint32_t first_lane(const hanji_lanes *lanes, uint32_t word)
{
    return lanes->width == 8   ? 8 * word
           : lanes->width == 4 ? 4 * word
           : lanes->width == 2 ? 2 * word
                               : word;
}

/* The last lane, or the one before it: of long hash r of those that are placed. */
static uint64_t *long_lane(hanji_lanes *lanes, uint32_t r)
{
    return lanes->states + lanes->width - 1 - r;
}

/* Placed long hash r. */
static hanji_long_hash *placed(const hanji_lanes *lanes, uint32_t r)
{
    return lanes->long_hash[lanes->placed[r]];
}

/* The state of a long hash is in its lane only until here, if it was. */
static void take_out(hanji_lanes *lanes, uint32_t r)
{
    if ((lanes->in_lanes >> r & 1) == 0)
        return;
    const uint64_t *lane = long_lane(lanes, r);
    uint64_t *state = placed(lanes, r)->state;
    for (uint32_t w = 0; w < HANJI_KECCAK_WORDS; w++, lane += lanes->width)
        state[w] = *lane;
    lanes->in_lanes = (uint16_t)(lanes->in_lanes & ~(1u << r));
}

static void take_all_out(hanji_lanes *lanes)
{
    for (uint32_t r = 0; r < lanes->placed_count; r++)
        take_out(lanes, r);
}

/* The last lanes are for the long hashes that have a block when a batch begins. */
static void place_long_hashes(hanji_lanes *lanes)
{
    uint8_t numbers[LANES_LONG_HASHES];
    uint32_t count = 0;
    lanes->room = lanes->width;
    for (uint32_t r = 0; r < LANES_LONG_HASHES && lanes->width > 1; r++)
        if (lanes->long_hash[r] != NULL && ready(lanes, lanes->long_hash[r]) && lanes->room > 1) {
            numbers[count++] = (uint8_t)r;
            lanes->room--;
        }
    /* Those that keep their lane keep their state in it. */
    for (uint32_t r = 0; r < lanes->placed_count; r++)
        if (r >= count || numbers[r] != lanes->placed[r])
            take_out(lanes, r);
    lanes->placed_count = (uint16_t)count;
    for (uint32_t r = 0; r < count; r++)
        lanes->placed[r] = numbers[r];
}

/* What all hashes of a form have in common, into as many lanes as there is room. */
HANJI_INLINE void fill(uint64_t *lane, const uint64_t *input, uint32_t width, const uint32_t room)
{
    for (uint32_t w = 0; w < HANJI_KECCAK_WORDS; w++, lane += width)
        for (uint32_t at = 0; at < room; at++)
            lane[at] = input[w];
}

/* Numbers of lanes are constants for the compiler, which fills vectors. */
static void begin(hanji_lanes *lanes)
{
    uint64_t *lane = lanes->states;
    const uint64_t *input = lanes->form->input;
    const uint32_t width = lanes->width;
    place_long_hashes(lanes);
    switch (lanes->room) {
#if HANJI_KECCAK_LANES_MAX > 1
    case 8: fill(lane, input, width, 8); break;
    case 7: fill(lane, input, width, 7); break;
    case 6: fill(lane, input, width, 6); break;
    case 5: fill(lane, input, width, 5); break;
    case 4: fill(lane, input, width, 4); break;
    case 3: fill(lane, input, width, 3); break;
    case 2: fill(lane, input, width, 2); break;
#endif
    default: fill(lane, input, width, 1); break;
    }
}

/*
 * The next word of a lane, by an addition whose sum no compiler foresees: it would make a product
 * of many, which is a call on processors without multiplication.
 */
HANJI_INLINE const uint64_t *next_word(const uint64_t *word, uint32_t width)
{
    word += width;
    __asm__("" : "+r"(word));
    return word;
}

/* The next block of a long output, or its rest, from a lane. */
static void give_block(hanji_long_hash *hash, const uint64_t *lane, uint32_t width,
                       uint32_t rate_words)
{
    const size_t left = (size_t)(hash->out_end - hash->out);
    const uint64_t *past = hash->out + (left < rate_words ? left : rate_words);
    for (; hash->out < past; lane = next_word(lane, width))
        *hash->out++ = *lane;
}

/*
 * One permutation of all lanes, in which every placed long hash absorbs or gives out a block if
 * there is one. From then on its state is in its lane.
 */
static void step(hanji_lanes *lanes)
{
    const uint32_t width = lanes->width, rate_words = lanes->rate_words;
    for (uint32_t r = 0; r < lanes->placed_count; r++) {
        hanji_long_hash *hash = placed(lanes, r);
        if (!ready(lanes, hash)) {
            take_out(lanes, r);
            continue;
        }
        const uint8_t *block = hash->next;
        uint64_t *lane = long_lane(lanes, r);
        if ((lanes->in_lanes >> r & 1) == 0) {
            for (uint32_t w = 0; w < HANJI_KECCAK_WORDS; w++, lane += width)
                *lane = hash->state[w];
            lanes->in_lanes = (uint16_t)(lanes->in_lanes | 1u << r);
            lane = long_lane(lanes, r);
        }
        if (hash->out != hash->out_end)
            continue;
        for (uint32_t w = 0; w < rate_words; w++, lane += width)
            *lane ^= load_le64(block + 8 * w);
        hash->next = block + 8 * rate_words;
    }
    lanes->permute(lanes->states);
    for (uint32_t r = 0; r < lanes->placed_count; r++)
        if (placed(lanes, r)->out != placed(lanes, r)->out_end)
            give_block(placed(lanes, r), long_lane(lanes, r), width, rate_words);
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

/* Words of `count` lanes, side by side, to as many parties of an octet. */
HANJI_INLINE void copy_lanes(uint64_t *octet, const uint64_t *lane, uint32_t words, uint32_t width,
                             const uint32_t count)
{
    for (; words > 0; words--, lane += width, octet += HANJI_AIMER_OCTET)
        memcpy(octet, lane, sizeof(uint64_t) * count);
}

/* Numbers of lanes are constants for the compiler, so a word of all of them is few moves. */
static void to_octet(uint64_t *octet, const uint64_t *lane, uint32_t words, uint32_t width,
                     uint32_t count)
{
    switch (count) {
#if HANJI_KECCAK_LANES_MAX > 1
    case 8: copy_lanes(octet, lane, words, width, 8); break;
    case 7: copy_lanes(octet, lane, words, width, 7); break;
    case 6: copy_lanes(octet, lane, words, width, 6); break;
    case 5: copy_lanes(octet, lane, words, width, 5); break;
    case 4: copy_lanes(octet, lane, words, width, 4); break;
    case 3: copy_lanes(octet, lane, words, width, 3); break;
    case 2: copy_lanes(octet, lane, words, width, 2); break;
#endif
    default: copy_lanes(octet, lane, words, width, 1); break;
    }
}

/* Words `from` to `to` of what the lanes give out. */
static void give_out(const hanji_lanes *lanes, uint32_t from, uint32_t to)
{
    const uint32_t byte_words = lanes->form->byte_words, width = lanes->width,
                   past = to < byte_words ? to : byte_words;
    const uint64_t *lane = lanes->states;
    for (uint32_t at = 0; at < lanes->used && from < byte_words; at++) {
        const uint64_t *word = lanes->states + at;
        uint8_t *bytes = lanes->bytes[at] + 8 * from;
        for (uint32_t w = from; w < past; w++, word = next_word(word, width), bytes += 8)
            store_le64(bytes, *word);
        if (at == 0)
            lane = word;
    }
    if (to <= byte_words)
        return;
    if (from < byte_words)
        from = byte_words;
    const size_t first = HANJI_AIMER_OCTET * (size_t)(from - byte_words);
    for (uint32_t at = 0, count; at < lanes->used; at += count) {
        count = 1;
        while (at + count < lanes->used && lanes->octet[at + count] == lanes->octet[at] + count)
            count++;
        to_octet(lanes->octet[at] + first, lane + at, to - from, width, count);
    }
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
        give_out(lanes, from, to);
    }
    lanes->used = 0;
}

/* All whole blocks of one hash that are there. */
static void absorb_rest(hanji_long_hash *hash, const hanji_lanes *lanes)
{
    const uint32_t rate_words = lanes->rate_words;
    for (; ready(lanes, hash); hash->next += 8 * rate_words) {
        const uint8_t *block = hash->next;
        uint64_t *state = hash->state;
        for (uint32_t w = 0; w < rate_words; w++)
            state[w] ^= load_le64(block + 8 * w);
        lanes->permute_single(state);
    }
}

/* How many placed long hashes have a block. */
static uint32_t ready_count(const hanji_lanes *lanes)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < lanes->placed_count; r++)
        count += (uint32_t)ready(lanes, placed(lanes, r));
    return count;
}

void hanji_lanes_drain(hanji_lanes *lanes)
{
    hanji_lanes_flush(lanes);
    place_long_hashes(lanes); /* what is in the other lanes does not matter */
    while (ready_count(lanes) > 1)
        step(lanes);
    take_all_out(lanes);
    for (uint32_t r = 0; r < LANES_LONG_HASHES; r++)
        if (lanes->long_hash[r] != NULL)
            absorb_rest(lanes->long_hash[r], lanes);
}

void hanji_lanes_give(const hanji_lanes *lanes, hanji_long_hash *hash, const uint64_t *state,
                      uint64_t *out, size_t words)
{
    memmove(hash->state, state, sizeof hash->state); /* it may be there already */
    hash->next = hash->end = NULL;
    hash->out = out;
    hash->out_end = out + words;
    give_block(hash, hash->state, 1, lanes->rate_words);
}

void hanji_lanes_want(hanji_lanes *lanes, hanji_long_hash *hash, const uint64_t *past)
{
    if (hash->out >= past)
        return;
    place_long_hashes(lanes);
    while (hash->out < past && ready_count(lanes) > 1)
        step(lanes);
    take_all_out(lanes);
    while (hash->out < past) {
        lanes->permute_single(hash->state);
        give_block(hash, hash->state, 1, lanes->rate_words);
    }
}

/* Here, away from its callers, so the linker can put another in its place. */
void hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason)
{
    (void)memory;
    (void)bytes;
    (void)reason;
}
