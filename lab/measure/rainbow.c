/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rainbow's calls, measured: rainbow SET OPERATION ROUNDS, with OPERATION keypair, sign, verify,
 * sign-expanded or verify-expanded (the key has then been expanded before), over a message of 32
 * bytes. Prints the median of core cycles, counted against a chain of dependent additions before
 * each call as in host.c, and whether most samples are of a core that somebody else shared.
 * Compiled with HANJI_LAB_MARKS it makes the call once, after one for warming up, between the marks that
 * lab/trace counts.
 */
#include "chain.h"

#include <hanji/rainbow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HANJI_LAB_MARKS
#include "mark.h"
#endif

#define ROUNDS_MAX 1001

static void *memory(size_t bytes)
{
    void *found = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (found == NULL)
        exit(3);
    memset(found, 0, bytes);
    return found;
}

int main(int count, char **arguments)
{
    uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES] = {1, 2, 3},
            signature[HANJI_RAINBOW_SIGNATURE_BYTES_MAX], message[32] = {4, 5, 6};
    const hanji_rainbow_set *set =
        count == 4 ? hanji_rainbow_set_at((size_t)atoi(arguments[1])) : NULL;
    const int rounds = count == 4 ? atoi(arguments[3]) : 0;
    if (set == NULL || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(
            stderr,
            "usage: rainbow SET(0..8) keypair|sign|verify|sign-expanded|verify-expanded ROUNDS(1..%d)\n",
            ROUNDS_MAX);
        return 2;
    }
    const char *operation = arguments[2];
    const int expanded = strstr(operation, "-expanded") != NULL;
    size_t bytes = hanji_rainbow_keypair_scratch_bytes(set),
           other = hanji_rainbow_sign_scratch_bytes(set);
    bytes = other > bytes ? other : bytes;
    other = hanji_rainbow_verify_scratch_bytes(set);
    bytes = other > bytes ? other : bytes;
    uint8_t *scratch = memory(bytes), *pk = memory(set->public_key_bytes),
            *sk = memory(set->secret_key_bytes);
    const size_t area1 = hanji_rainbow_signing_area_bytes(set),
                 area2 = hanji_rainbow_verifying_area_bytes(set);
    hanji_rainbow_signing_key signing;
    hanji_rainbow_verifying_key verifying;
    int rc = hanji_rainbow_keypair_from_seeds(pk, sk, seeds, scratch, bytes, set);
    rc |= hanji_rainbow_signing_key_init(expanded ? memory(area1) : NULL, area1, sk,
                                         set->secret_key_bytes, scratch, bytes, set, &signing);
    rc |= hanji_rainbow_verifying_key_init(expanded ? memory(area2) : NULL, area2, pk,
                                           set->public_key_bytes, scratch, bytes, set, &verifying);
    rc |= hanji_rainbow_sign(signature, message, sizeof message, scratch, bytes, &signing);
    figure f;
    if (!figure_open(&f, rounds))
        return 3;
    while (rc == HANJI_OK && figure_wants(&f)) {
        const double start = seconds_now(), step = chain() / CHAIN, before = width_now(step),
                     begin = seconds_now();
#ifdef HANJI_LAB_MARKS
        if (f.count == rounds - 1)
            HANJI_LAB_BEGIN();
#endif
        if (strcmp(operation, "keypair") == 0)
            rc = hanji_rainbow_keypair_from_seeds(pk, sk, seeds, scratch, bytes, set);
        else if (strncmp(operation, "sign", 4) == 0)
            rc = hanji_rainbow_sign(signature, message, sizeof message, scratch, bytes, &signing);
        else
            rc = hanji_rainbow_verify(signature, set->signature_bytes, message, sizeof message,
                                      scratch, bytes, &verifying);
#ifdef HANJI_LAB_MARKS
        if (f.count == rounds - 1)
            HANJI_LAB_END();
#endif
        const double end = seconds_now();
        figure_add(&f, (end - begin) / step, before, width_now(step), end - start);
    }
    if (rc != HANJI_OK) {
        fprintf(stderr, "rainbow: %s of %s failed: %s\n", operation, set->name,
                hanji_error_name(rc));
        return 1;
    }
    int disturbed;
    const double cycles = figure_close(&f, &disturbed);
    printf("%.0f %d\n", cycles, disturbed);
    return 0;
}
