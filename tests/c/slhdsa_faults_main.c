/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults while SLH-DSA signs. The program is linked with --wrap, so that the library gets its
 * kernels of Keccak from here: they count their calls and flip one bit after one of them. For each
 * of many calls a signature is made without and with HANJI_SLHDSA_CHECK (slhdsa_small.h). The
 * former shows that the attack exists: some signatures verify and are not the right one, so that a
 * one-time key has signed two values. The latter must never release one.
 */
#include "slhdsa_small.h"

const hanji_kernel *__real_hanji_keccak_widest(void);
const hanji_kernel *__real_hanji_keccak_single(void);
const hanji_kernel *__wrap_hanji_keccak_widest(void);
const hanji_kernel *__wrap_hanji_keccak_single(void);

static size_t permutations, fault_at; /* of all kernels; no fault at 0 */
static uint32_t fault_lane;

static void permute(uint64_t *states, const hanji_kernel *kernel)
{
    kernel->run.keccak(states);
    if (++permutations == fault_at)
        states[fault_lane % kernel->group] ^= 1; /* of the first word: every hash has it */
}

static void permute_widest(uint64_t *states)
{
    permute(states, __real_hanji_keccak_widest());
}

static void permute_single(uint64_t *states)
{
    permute(states, __real_hanji_keccak_single());
}

const hanji_kernel *__wrap_hanji_keccak_widest(void)
{
    static hanji_kernel kernel;
    kernel = *__real_hanji_keccak_widest();
    kernel.run.keccak = permute_widest;
    return &kernel;
}

const hanji_kernel *__wrap_hanji_keccak_single(void)
{
    static hanji_kernel kernel;
    kernel = *__real_hanji_keccak_single();
    kernel.run.keccak = permute_single;
    return &kernel;
}

static uint8_t right[SMALL_SIGNATURE_MAX], made[SMALL_SIGNATURE_MAX];
static const uint8_t text[] = "the message that is signed";

static int sign_with(uint8_t *signature, int mode, unsigned options, size_t at, uint32_t lane)
{
    permutations = 0;
    fault_at = at;
    fault_lane = lane;
    fill(signature, small_bytes, 0x5a);
    const int rc = hanji_slhdsa_sign(signature, text, sizeof text, NULL, 0, mode, small_secret,
                                     small_secret_bytes, &small_set,
                                     options | HANJI_SLHDSA_DETERMINISTIC, NULL, NULL);
    fault_at = 0;
    return rc;
}

static int verifies(const uint8_t *signature, int mode)
{
    return hanji_slhdsa_verify(signature, small_bytes, text, sizeof text, NULL, 0, mode,
                               small_public, small_public_bytes, &small_set) == HANJI_OK;
}

/* How many signatures were released that are not the right one, of `turns` faults. */
static size_t released(size_t *refused, int mode, unsigned options, size_t turns)
{
    size_t wrong = 0;
    *refused = 0;
    if (sign_with(right, mode, options, 0, 0) != HANJI_OK)
        return SIZE_MAX;
    const size_t all = permutations;
    for (size_t turn = 0; turn < turns; turn++) {
        const int rc = sign_with(made, mode, options, 1 + turn * all / turns, (uint32_t)turn);
        if (rc != HANJI_OK && !all_are(made, small_bytes, 0))
            return SIZE_MAX;
        *refused += rc != HANJI_OK;
        if (rc == HANJI_OK && !same(made, right, small_bytes)) {
            if (!verifies(made, mode))
                return SIZE_MAX; /* it was verified before it was released */
            wrong++;
        }
    }
    return wrong;
}

static void verification_alone_releases_wrong_signatures(void)
{
    size_t refused;
    CHECK(take_small(1));
    const size_t wrong = released(&refused, HANJI_SLHDSA_PURE, 0, 100);
    CHECK(wrong != SIZE_MAX && wrong > 10 && refused > 10);
}

static void the_check_releases_none(void)
{
    for (size_t set = 0; set < 6; set++)
        for (int hashed = 0; hashed < 2; hashed++) {
            size_t refused;
            CHECK(take_small(set));
            const int mode = hashed ? HANJI_SLHDSA_SHAKE256 : HANJI_SLHDSA_PURE;
            CHECK(released(&refused, mode, HANJI_SLHDSA_CHECK, 20) == 0);
            /* a fault is without effect in a lane that nobody reads, or after what counts */
            CHECK(refused > 10);
        }
}

/*
 * A fault in a leaf beside the one that signs, below the top layer: the path has it, the layer
 * above signs another root, and everything verifies.
 */
static void a_sibling_is_found(void)
{
    size_t found = 0;
    CHECK(take_small(0));
    CHECK(sign_with(right, HANJI_SLHDSA_PURE, 0, 0, 0) == HANJI_OK);
    const size_t all = permutations;
    const size_t top = small_bytes - slh_xmss_bytes(&small_set),
                 wots = slh_n(&small_set) * slh_chains(&small_set);
    for (size_t at = 1; at < all && found < 5; at += 1 + all / 100) {
        if (sign_with(made, HANJI_SLHDSA_PURE, 0, at, (uint32_t)at) != HANJI_OK)
            continue;
        /* the same FORS and WOTS+ signatures at the bottom, another path, another one above */
        const size_t bottom = top - slh_xmss_bytes(&small_set);
        if (same(made, right, bottom + wots) &&
            !same(made + bottom + wots, right + bottom + wots, top - bottom - wots) &&
            !same(made + top, right + top, wots)) {
            found++;
            CHECK(verifies(made, HANJI_SLHDSA_PURE));
            CHECK(sign_with(made, HANJI_SLHDSA_PURE, HANJI_SLHDSA_CHECK, at, (uint32_t)at) ==
                  HANJI_E_TAG);
            CHECK(all_are(made, small_bytes, 0));
        }
    }
    CHECK(found == 5);
}

static const test_case cases[] = {
    {"verification alone releases wrong signatures", verification_alone_releases_wrong_signatures},
    {"the check releases none", the_check_releases_none},
    {"a sibling is found", a_sibling_is_found},
};

int main(void)
{
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
