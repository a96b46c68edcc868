/* SPDX-License-Identifier: Apache-2.0 */
/* The permutation as bytes in, bytes out, over many states. */
#include "ascon/ascon_rounds.h"
#include "hanji/hash.h"
#include "support/bytes.h"
#include "support/secret.h"

static HANJI_NOINLINE void permute_one(uint8_t *bytes, uint32_t rounds)
{
    uint64_t state[HANJI_ASCON_WORDS];
    for (uint32_t i = 0; i < HANJI_ASCON_WORDS; i++)
        state[i] = load_le64(bytes + 8 * i);
    /* kernels take even numbers up to 12 */
    for (; rounds % 2 != 0 || rounds > HANJI_ASCON_ROUNDS; rounds--)
        ascon_round(state, ascon_constant(HANJI_ASCON_ROUNDS_MAX - rounds));
    if (rounds > 0)
        hanji_ascon_hash_single()->permute(state, rounds);
    for (uint32_t i = 0; i < HANJI_ASCON_WORDS; i++)
        store_le64(bytes + 8 * i, state[i]);
    wipe_here(state, sizeof state);
}

int hanji_ascon_permute(uint8_t *state, size_t states, uint32_t rounds)
{
    if (rounds < 1 || rounds > HANJI_ASCON_ROUNDS_MAX)
        return HANJI_E_LENGTH;
    if (states > SIZE_MAX / HANJI_ASCON_STATE_BYTES)
        return HANJI_E_LENGTH;
    if (!valid(state, states))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    for (; states > 0; states--, state += HANJI_ASCON_STATE_BYTES)
        permute_one(state, rounds);
    hanji_wipe_stack_shallow();
    return HANJI_OK;
}
