/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controls of the constant-time check. Those of group "leak" must be caught and those of group
 * "quiet" must not, at every optimisation level; otherwise the check has no meaning and its result
 * is withheld.
 */
#include "harness.h"

#include <hanji/common.h>
#include <string.h>

#include "sets.h"

/* of PRESENT, CHES 2007 */
static const uint8_t sbox[16] = {0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2};

static volatile uint8_t sink;

/* Not inlined, so that the compiler knows nothing of the secret. */
__attribute__((noinline)) static uint8_t table_lookup(const uint8_t *box, uint8_t secret_index)
{
    return box[secret_index & 15];
}

__attribute__((noinline)) static void branch(uint8_t secret_bit)
{
    if (secret_bit & 1)
        sink = 1;
    else
        sink += 3;
}

__attribute__((noinline)) static void below(uint8_t secret_byte)
{
    if (secret_byte < 9)
        sink = 1;
}

__attribute__((noinline)) static void value(uint8_t secret_byte)
{
    if (secret_byte == 128)
        sink = 1;
}

__attribute__((noinline)) static void library_compare(const uint8_t *a, const uint8_t *b,
                                                      size_t bytes)
{
    if (memcmp(a, b, bytes) == 0)
        sink = 1;
}

__attribute__((noinline)) static int early_exit_compare(const uint8_t *a, const uint8_t *b,
                                                        size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/* A byte of a key, by the comparison that is to hide where tags differ. */
__attribute__((noinline)) static uint8_t guessed(const uint8_t *byte)
{
    for (unsigned guess = 0; guess < 256; guess++) {
        const uint8_t candidate = (uint8_t)guess;
        if (hanji_equal(byte, &candidate, 1))
            return candidate;
    }
    return 0;
}

__attribute__((noinline)) static uint8_t masked_choice(uint8_t secret_bit, uint8_t a, uint8_t b)
{
    const uint8_t mask = (uint8_t) - (secret_bit & 1);
    return (uint8_t)((a & mask) | (b & (uint8_t)~mask));
}

void run_controls(void)
{
    const uint32_t turn = secret_turn();
    uint8_t key[16], known[16];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = known[i] = set_public((uint32_t)i);

    secret(key, sizeof key);
    begin("leak", "table lookup with a secret index", "key");
    sink = table_lookup(sbox, key[0]);
    end();
    begin("leak", "branch on a secret bit", "key");
    branch(key[1]);
    end();
    begin("leak", "comparison with a small number", "key");
    below(key[0]);
    end();
    begin("leak", "comparison with one value", "key");
    value(key[0]);
    end();
    begin("leak", "comparison with public data by memcmp", "key");
    library_compare(key, known, sizeof key);
    end();
    begin("leak", "comparison that stops at the first difference", "key");
    int same = early_exit_compare(key, known, sizeof key);
    end();
    begin("leak", "release of one byte does not release its neighbour", "key");
    released(key + 2, 1, "a control");
    branch(key[3]);
    end();
    begin("leak", "a byte of a key by guesses through hanji_equal", "key");
    sink = guessed(key + 5);
    end();
    begin("quiet", "choice by a mask", "key");
    sink = masked_choice(key[4], 1, 2);
    end();
    released(key, sizeof key, "the leaks are shown, the rest is without secrets");
    released(&same, sizeof same, "a control");
    begin("quiet", "the same leaks without a secret", "none");
    const uint8_t *open = turn > 0 ? known : key;
    sink = table_lookup(sbox, open[0]);
    branch(open[1]);
    below(open[0]);
    value(open[0]);
    library_compare(open, known, sizeof known);
    expect(early_exit_compare(open, known, sizeof known), "the controls compare wrongly");
    end();
    expect(same == (memcmp(key, known, sizeof key) == 0), "the controls compare wrongly");
}
