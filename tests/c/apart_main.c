/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of fleets against a comparison of every two arrays: random fleets of few messages,
 * whose arrays lie anywhere in little memory. hanji_fleet_check() takes those and no others in
 * which nothing that is written shares a byte; hanji_fleet_is_sound(), which may refuse any, takes
 * none that it does not take.
 */
#include "check.h"
#include "fleet/fleet.h"

enum { ARENA = 512, ROUNDS = 400000, ARRAYS = 8 };

static _Alignas(16) uint8_t arena[ARENA];
static uint64_t seed = 7;

static size_t below(size_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % n;
}

typedef struct array {
    const void *at;
    size_t bytes;
    int written;
} array;

static int share(array a, array b)
{
    const uintptr_t x = (uintptr_t)a.at, y = (uintptr_t)b.at;
    return a.bytes > 0 && b.bytes > 0 && x < y + b.bytes && y < x + a.bytes;
}

/* `arrays` begins with output and input: these may be one. */
static int all_apart(const array *arrays)
{
    for (size_t i = 0; i < ARRAYS; i++)
        for (size_t j = 0; j < ARRAYS; j++)
            if (i != j && arrays[i].written && share(arrays[i], arrays[j]) &&
                !(i == 0 && j == 1 && arrays[0].at == arrays[1].at))
                return 0;
    return 1;
}

static void random_fleets(void)
{
    static int64_t own_offsets[4];
    static hanji_fleet own_fleet;
    size_t sound = 0, apart = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = 1 + below(3), room = 200 + below(ARENA - 212);
        const int mac = below(4) == 0, hash = !mac && below(4) == 0,
                  tagged = mac || hash || below(3) > 0, open = !hash && below(2) == 0;
        hanji_fleet_shape shape = {.key_bytes = hash ? 0 : 4 + below(3),
                                   .nonce_bytes = mac || hash || below(2) ? 0 : 3,
                                   .plain = mac || hash || !tagged,
                                   .mac = mac,
                                   .open = open};
        if (tagged && below(2))
            shape.tag_bytes = 2;
        else if (tagged)
            shape.tag_bytes_max = 4;
        int64_t *offsets = below(4) ? own_offsets : (int64_t *)(void *)(arena + 8 * below(40));
        hanji_fleet *fleet = below(4) ? &own_fleet : (hanji_fleet *)(void *)(arena + 16 * below(8));
        const array numbers = {offsets, (n + 1) * sizeof *offsets, 0},
                    itself = {fleet, sizeof *fleet, 0};
        if (share(numbers, itself))
            continue;
        int64_t at = (int64_t)below(3);
        for (size_t i = 0; i <= n; i++, at += (int64_t)below(9))
            offsets[i] = at;
        *fleet = (hanji_fleet){.messages = n,
                               .offsets = offsets,
                               .input = arena + below(room),
                               .output = arena + below(room),
                               .keys = arena + below(room),
                               .key_stride = below(3) ? shape.key_bytes + below(3) : 0,
                               .nonces = arena + below(room),
                               .nonce_bytes = shape.nonce_bytes ? shape.nonce_bytes : 1 + below(3),
                               .tags = arena + below(room),
                               .tag_bytes = shape.tag_bytes ? shape.tag_bytes : 1 + below(4),
                               .status = (int8_t *)(arena + below(room))};
        if (below(4) == 0)
            fleet->output = arena + (fleet->input - arena);
        const size_t bytes = (size_t)(offsets[n] - offsets[0]);
        const array arrays[ARRAYS] = {
            {fleet->output + offsets[0], mac || hash ? 0 : bytes, 1},
            {fleet->input + offsets[0], bytes, 0},
            {fleet->status, n, 1},
            {fleet->tags, tagged ? n * fleet->tag_bytes : 0, !open},
            {fleet->keys, hash ? 0 : (n - 1) * fleet->key_stride + shape.key_bytes, 0},
            {fleet->nonces, mac || hash ? 0 : n * fleet->nonce_bytes, 0},
            numbers,
            itself};
        const int wanted = all_apart(arrays);
        CHECK((hanji_fleet_check(fleet, &shape) == HANJI_OK) == wanted);
        if (hanji_fleet_is_sound(fleet, &shape, n, 0)) {
            CHECK(wanted);
            sound++;
        }
        apart += (size_t)wanted;
    }
    /* Both happen often, and nearly all that are apart are surely so. */
    CHECK(apart > ROUNDS / 4 && apart < ROUNDS);
    CHECK(sound > apart / 10 * 9);
}

int main(void)
{
    static const test_case cases[] = {{"random fleets", random_fleets}};
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
