/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every Ascon kernel of AArch64 against portable C: all numbers of rounds, numbers of blocks, texts
 * of any alignment up to the edge of a page without access, in place and apart, lanes that take no
 * part. And their manners: the registers of the caller are as they were.
 */
#include "../c/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ascon/ascon_lanes.h"
#include "support/cpu.h"

#define KEPT 21 /* what a call must keep, and abi_corrupt can spoil */
enum { LANES_MAX = HANJI_ASCON_LANES_MAX, BLOCKS_MAX = 9, TEXT_MAX = 16 * BLOCKS_MAX };

extern uint32_t abi_call(void *function, const uint64_t arguments[4]);
extern void abi_corrupt(uint64_t which);

static uint8_t *page_end;

static int mannered(void *function, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t arguments[4] = {a, b, c, d};
    return abi_call(function, arguments) == 0;
}

#define FUNCTION(f) ((void *)(uintptr_t)(f))
#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

/* What a kernel does with a block. */
typedef enum { ABSORB, SEAL, OPEN, HASH } use;
static const char *const names[] = {"absorb", "seal", "open", "hash"};

static size_t rate(use u)
{
    return u == HASH ? HANJI_ASCON_HASH_RATE : HANJI_ASCON_RATE;
}

static void portable(use u, uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const hanji_ascon_aead_kernel *aead = &hanji_ascon_aead_portable_x1;
    if (u == HASH)
        hanji_ascon_hash_portable_x1.absorb(state, in, blocks);
    else if (u == ABSORB)
        aead->absorb(state, in, blocks);
    else
        (u == SEAL ? aead->seal : aead->open)(state, out, in, blocks);
}

/* One state */

static void rounds_of_one(void)
{
    for (uint32_t rounds = 1; rounds <= HANJI_ASCON_ROUNDS; rounds++) {
        uint64_t expected[HANJI_ASCON_WORDS], *at = (uint64_t *)(void *)page_end - 5;
        pseudo_random((uint8_t *)at, sizeof expected, rounds);
        memcpy(expected, at, sizeof expected);
        hanji_ascon_aead_portable_x1.permute(expected, rounds);
        CHECK(mannered(FUNCTION(hanji_ascon_p_a64_x1), ADDRESS(at), rounds, 0, 0));
        CHECK(memcmp(at, expected, sizeof expected) == 0);
    }
}

static void blocks_of_one(use u, size_t blocks, size_t odd, int in_place)
{
    static void *const functions[] = {
        FUNCTION(hanji_ascon_aead128_a64_absorb_x1), FUNCTION(hanji_ascon_aead128_a64_seal_x1),
        FUNCTION(hanji_ascon_aead128_a64_open_x1), FUNCTION(hanji_ascon_hash256_a64_absorb_x1)};
    const int crypts = u == SEAL || u == OPEN;
    const size_t bytes = blocks * rate(u);
    uint64_t state[HANJI_ASCON_WORDS], expected[HANJI_ASCON_WORDS];
    uint8_t text[TEXT_MAX], made[TEXT_MAX];
    uint8_t *in = page_end - bytes - odd, *out = in_place ? in : page_end - 1024 - odd;
    case_context = names[u];
    pseudo_random((uint8_t *)state, sizeof state, (uint32_t)blocks);
    pseudo_random(text, bytes, (uint32_t)(100 * blocks + odd));
    memcpy(expected, state, sizeof state);
    portable(u, expected, made, text, blocks);
    memset(page_end - 2048, 0xaa, 2048);
    memcpy(in, text, bytes);
    if (crypts)
        CHECK(mannered(functions[u], ADDRESS(state), ADDRESS(out), ADDRESS(in), blocks));
    else
        CHECK(mannered(functions[u], ADDRESS(state), ADDRESS(in), blocks, 0));
    CHECK(memcmp(state, expected, sizeof state) == 0);
    CHECK(memcmp(in, in_place && crypts ? made : text, bytes) == 0);
    CHECK(!crypts || memcmp(out, made, bytes) == 0);
    for (uint8_t *p = page_end - 2048; p < page_end; p++)
        CHECK(*p == 0xaa || (p >= in && p < in + bytes) || (crypts && p >= out && p < out + bytes));
}

static void one_state(void)
{
    rounds_of_one();
    for (int u = ABSORB; u <= HASH && !case_failed; u++)
        for (size_t blocks = 1; blocks <= BLOCKS_MAX && !case_failed; blocks++)
            for (size_t odd = 0; odd < 16 && !case_failed; odd += 1 + odd / 4)
                for (int in_place = 0; in_place < 2 && !case_failed; in_place++)
                    blocks_of_one((use)u, blocks, odd, in_place);
}

/* Lanes */

typedef struct lanes_kernel {
    const char *name;
    size_t lanes;
    uint32_t needs;
    hanji_ascon_permute_fn *permute;
    hanji_ascon_lanes_fn *raw[4]; /* assembly, by use */
    const hanji_ascon_aead_lanes *aead;
    const hanji_ascon_hash_lanes *hash;
} lanes_kernel;

static const lanes_kernel kernels[] = {
    {"ascon_neon_x5",
     5,
     HANJI_CPU_NEON,
     hanji_ascon_p_neon_x5,
     {hanji_ascon_aead128_neon_absorb_x5, hanji_ascon_aead128_neon_seal_x5,
      hanji_ascon_aead128_neon_open_x5, hanji_ascon_hash256_neon_absorb_x5},
     &hanji_ascon_aead_neon_x5,
     &hanji_ascon_hash_neon_x5},
    {"ascon_sha3_x5",
     5,
     HANJI_CPU_SHA3,
     hanji_ascon_p_sha3_x5,
     {hanji_ascon_aead128_sha3_absorb_x5, hanji_ascon_aead128_sha3_seal_x5,
      hanji_ascon_aead128_sha3_open_x5, hanji_ascon_hash256_sha3_absorb_x5},
     &hanji_ascon_aead_sha3_x5,
     &hanji_ascon_hash_sha3_x5},
};

/* The states of all lanes, one after the other, and back; keys behind them are not touched. */
static void from_lanes(uint64_t one[][HANJI_ASCON_WORDS], const uint64_t *state, size_t lanes)
{
    for (size_t l = 0; l < lanes; l++)
        for (size_t w = 0; w < HANJI_ASCON_WORDS; w++)
            one[l][w] = state[w * lanes + l];
}

static void rounds_of_lanes(const lanes_kernel *k)
{
    for (uint32_t rounds = 1; rounds <= HANJI_ASCON_ROUNDS; rounds++) {
        uint64_t expected[LANES_MAX][HANJI_ASCON_WORDS], made[LANES_MAX][HANJI_ASCON_WORDS];
        const size_t words = k->lanes * HANJI_ASCON_WORDS;
        uint64_t *at = (uint64_t *)(void *)page_end - words;
        pseudo_random((uint8_t *)at, 8 * words, rounds);
        from_lanes(expected, at, k->lanes);
        for (size_t l = 0; l < k->lanes; l++)
            hanji_ascon_aead_portable_x1.permute(expected[l], rounds);
        CHECK(mannered(FUNCTION(k->permute), ADDRESS(at), rounds, 0, 0));
        from_lanes(made, at, k->lanes);
        CHECK(memcmp(made, expected, 8 * words) == 0);
    }
}

static hanji_ascon_lanes_fn *by_use(const lanes_kernel *k, use u)
{
    return u == ABSORB ? k->aead->absorb
           : u == SEAL ? k->aead->seal
           : u == OPEN ? k->aead->open
                       : k->hash->absorb;
}

/*
 * The texts lie one behind the other up to the page without access, each `odd` bytes behind the one
 * before; lanes whose bit in `active` is not set read and write, but keep their states.
 */
static void blocks_of_lanes(const lanes_kernel *k, use u, size_t blocks, size_t odd, int in_place,
                            uint32_t active)
{
    const int crypts = u == SEAL || u == OPEN;
    const size_t bytes = blocks * rate(u), step = bytes + odd;
    uint64_t state[HANJI_ASCON_LANES_WORDS * LANES_MAX];
    uint64_t expected[LANES_MAX][HANJI_ASCON_WORDS], left[LANES_MAX][HANJI_ASCON_WORDS];
    static uint8_t text[LANES_MAX][TEXT_MAX], made[LANES_MAX][TEXT_MAX];
    hanji_ascon_ragged r;
    memset(&r, 0, sizeof r);
    memset(page_end - 4096, 0xaa, 4096);
    pseudo_random((uint8_t *)state, sizeof state, (uint32_t)blocks);
    from_lanes(expected, state, k->lanes);
    for (size_t l = 0; l < k->lanes; l++) {
        uint8_t *in = page_end - bytes - (k->lanes - 1 - l) * step;
        r.in[l] = in;
        r.out[l] = in_place ? in : in - 2048 - odd;
        r.active[l] = (active >> l & 1) != 0 ? UINT64_MAX : 0;
        pseudo_random(text[l], bytes, (uint32_t)(1000 * l + blocks));
        memcpy(in, text[l], bytes);
        uint64_t other[HANJI_ASCON_WORDS];
        memcpy(other, expected[l], sizeof other);
        portable(u, r.active[l] != 0 ? expected[l] : other, made[l], text[l], blocks);
    }
    if (active == (1u << k->lanes) - 1)
        CHECK(mannered(FUNCTION(k->raw[u]), ADDRESS(state), ADDRESS(&r), blocks, 0));
    else
        by_use(k, u)(state, &r, blocks);
    from_lanes(left, state, k->lanes);
    CHECK(memcmp(left, expected, k->lanes * sizeof left[0]) == 0);
    for (size_t l = 0; l < k->lanes; l++) {
        CHECK(memcmp(r.in[l], in_place && crypts ? made[l] : text[l], bytes) == 0);
        CHECK(!crypts || memcmp(r.out[l], made[l], bytes) == 0);
    }
    for (uint8_t *p = page_end - 4096; p < page_end; p++) {
        int known = *p == 0xaa;
        for (size_t l = 0; l < k->lanes && !known; l++)
            known = (p >= r.in[l] && p < r.in[l] + bytes) ||
                    (crypts && p >= r.out[l] && p < r.out[l] + bytes);
        CHECK(known);
    }
}

/* Beginning and end of the AEAD, as the specification has them for one state. */
static void ends_of_lanes(const lanes_kernel *k)
{
    uint64_t state[HANJI_ASCON_LANES_WORDS * LANES_MAX];
    uint8_t keys[LANES_MAX][17], nonces[LANES_MAX][17], tags[LANES_MAX][17];
    hanji_ascon_ragged r;
    memset(&r, 0, sizeof r);
    pseudo_random(keys[0], sizeof keys, 7);
    pseudo_random(nonces[0], sizeof nonces, 8);
    memset(tags, 0xaa, sizeof tags);
    for (size_t l = 0; l < k->lanes; l++) {
        r.key[l] = keys[l];
        r.nonce[l] = nonces[l];
        r.out[l] = tags[l];
    }
    k->aead->begin(state, &r);
    k->aead->end(state, &r);
    for (size_t l = 0; l < k->lanes; l++) {
        uint64_t one[HANJI_ASCON_WORDS] = {HANJI_ASCON_AEAD128_IV}, key[2];
        memcpy(key, keys[l], 16);
        memcpy(one + 1, keys[l], 16);
        memcpy(one + 3, nonces[l], 16);
        hanji_ascon_aead_portable_x1.permute(one, HANJI_ASCON_ROUNDS);
        one[3] ^= key[0];
        one[4] ^= key[1];
        one[2] ^= key[0];
        one[3] ^= key[1];
        hanji_ascon_aead_portable_x1.permute(one, HANJI_ASCON_ROUNDS);
        one[3] ^= key[0];
        one[4] ^= key[1];
        CHECK(memcmp(tags[l], one + 3, 16) == 0 && tags[l][16] == 0xaa);
    }
}

static void lanes(void)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const lanes_kernel *k = &kernels[i];
        const uint32_t all = (1u << k->lanes) - 1;
        if ((k->needs & ~hanji_cpu_features()) != 0)
            continue;
        (void)io_print(k->name);
        (void)io_print("\n");
        case_context = k->name;
        rounds_of_lanes(k);
        ends_of_lanes(k);
        for (int u = ABSORB; u <= HASH && !case_failed; u++) {
            for (size_t blocks = 1; blocks <= BLOCKS_MAX && !case_failed; blocks++)
                for (size_t odd = 0; odd < 16 && !case_failed; odd += 1 + odd / 4)
                    for (int in_place = 0; in_place < 2 && !case_failed; in_place++)
                        blocks_of_lanes(k, (use)u, blocks, odd, in_place, all);
            for (uint32_t active = 0; active < all && !case_failed; active++)
                blocks_of_lanes(k, (use)u, 1 + active % 3, 1, (int)(active & 1), active);
        }
    }
}

/* Every register that a kernel must keep, spoilt: each must be seen. */
static void control(void)
{
    for (uint64_t which = 0; which < KEPT; which++) {
        const uint64_t arguments[4] = {which, 0, 0, 0};
        CHECK(abi_call(FUNCTION(abi_corrupt), arguments) == 1u << which);
    }
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (8192 + page - 1) / page * page;
    uint8_t *p =
        mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + bytes, page, PROT_NONE) != 0)
        return 3;
    page_end = p + bytes;
    const test_case cases[] = {{"control", control}, {"one state", one_state}, {"lanes", lanes}};
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
