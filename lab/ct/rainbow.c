/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant-time check of Rainbow's key generation and signing under valgrind's memcheck: rainbow
 * controls | rainbow SET. Prints the number of errors. Seeds and secret keys are marked undefined.
 * Made public: the seed of the public key, the public key and the signature when they are done, and
 * whether a drawn linear system is regular (the number of draws is public). Linked with
 * --wrap=hanji_rainbow_regular.
 */
#include <hanji/rainbow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

uint32_t __wrap_hanji_rainbow_regular(uint32_t regular);
uint32_t __wrap_hanji_rainbow_regular(uint32_t regular)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(&regular, sizeof regular);
    return regular;
}

static void *memory(size_t bytes)
{
    void *found = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (found == NULL)
        exit(3);
    memset(found, 0, bytes);
    return found;
}

/* The paper's way to a row of the table, at an address that shows the constant. */
static void fetched_row(void)
{
    static const uint8_t table[16][16] = {{0}, {0, 1, 2, 3}};
    static uint8_t volatile sink __attribute__((unused));
    volatile uint8_t constant = 5;
    (void)VALGRIND_MAKE_MEM_UNDEFINED((const void *)&constant, 1);
    sink = table[constant & 15][1];
}

static volatile int public_value;

static void skipped_zero(void)
{
    volatile uint8_t constant = 5;
    (void)VALGRIND_MAKE_MEM_UNDEFINED((const void *)&constant, 1);
    if (constant != 0)
        public_value++;
}

static void masked_row(void)
{
    static uint8_t volatile sink __attribute__((unused));
    volatile uint8_t constant = 5;
    (void)VALGRIND_MAKE_MEM_UNDEFINED((const void *)&constant, 1);
    const uint8_t c = constant;
    sink = (uint8_t)((3 & (uint8_t) - (c & 1)) ^ (6 & (uint8_t) - (c >> 1 & 1)));
}

static int signing(const hanji_rainbow_set *set)
{
    uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES] = {9, 8, 7},
            signature[HANJI_RAINBOW_SIGNATURE_BYTES_MAX];
    const size_t bytes1 = hanji_rainbow_keypair_scratch_bytes(set),
                 bytes2 = hanji_rainbow_sign_scratch_bytes(set);
    const size_t area_bytes = hanji_rainbow_signing_area_bytes(set);
    uint8_t *pk = memory(set->public_key_bytes), *sk = memory(set->secret_key_bytes),
            *area = memory(area_bytes);
    uint8_t *scratch1 = memory(bytes1), *scratch2 = memory(bytes2);
    hanji_rainbow_signing_key key;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(seeds, 32);
    int rc = hanji_rainbow_keypair_from_seeds(pk, sk, seeds, scratch1, bytes1, set);
    if (set->variant == 2)
        (void)VALGRIND_MAKE_MEM_DEFINED(sk, 32);
    rc |= hanji_rainbow_signing_key_init(area, area_bytes, sk, set->secret_key_bytes, scratch2,
                                         bytes2, set, &key);
    for (uint8_t message = 0; message < 3; message++)
        rc |= hanji_rainbow_sign(signature, &message, 1, scratch2, bytes2, &key);
    (void)VALGRIND_MAKE_MEM_DEFINED(signature, sizeof signature);
    return rc;
}

int main(int count, char **arguments)
{
    if (!RUNNING_ON_VALGRIND) {
        fputs("ct: not under valgrind, so that nothing would be found\n", stderr);
        return 2;
    }
    if (count == 2 && strcmp(arguments[1], "controls") == 0) {
        void (*const all[])(void) = {fetched_row, skipped_zero, masked_row};
        for (size_t i = 0; i < 3; i++) {
            const unsigned before = VALGRIND_COUNT_ERRORS;
            all[i]();
            printf("%u\n", VALGRIND_COUNT_ERRORS - before);
        }
        return 0;
    }
    const hanji_rainbow_set *set =
        count == 2 ? hanji_rainbow_set_at((size_t)atoi(arguments[1])) : NULL;
    if (set == NULL || signing(set) != HANJI_OK)
        return 2;
    printf("%u\n", (unsigned)VALGRIND_COUNT_ERRORS);
    return 0;
}
