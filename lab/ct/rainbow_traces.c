/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rainbow for another processor, to be compared over secrets (traces.py): rainbow_traces
 * controls|library TURNS. In every turn the secrets are others; public are messages, sizes and the
 * number of draws. Kernels run alone, then key generation and signing. Of signing only such keys
 * are taken as need one draw of vinegars and one salt, so that the number of draws is the same. One
 * line of JSON for each check. Linked with --wrap=hanji_rainbow_regular, which counts the systems.
 */
#include "rainbow/matrix.h"

#include <hanji/rainbow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"

static unsigned systems, turn;

uint32_t __real_hanji_rainbow_regular(uint32_t regular);
uint32_t __wrap_hanji_rainbow_regular(uint32_t regular);
uint32_t __wrap_hanji_rainbow_regular(uint32_t regular)
{
    systems++;
    return __real_hanji_rainbow_regular(regular);
}

static uint64_t state;

static void fill(void *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        ((uint8_t *)out)[i] = (uint8_t)(state >> 56);
    }
}

static void *memory(size_t bytes)
{
    void *found = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (found == NULL)
        exit(3);
    memset(found, 0, bytes);
    return found;
}

static void said(const char *group, const char *subject, const char *secrets, const char *released)
{
    printf(
        "{\"group\": \"%s\", \"subject\": \"%s\", \"secrets\": \"%s\", \"released\": [%s], \"steered\": false, \"turn\": %u}\n",
        group, subject, secrets, released, turn + 1);
}

/* The paper's way to a row of the table, at an address that shows the constant. */
static void fetched_row(uint8_t constant)
{
    static volatile uint8_t table[16][16] = {{0}, {0, 1, 2, 3}}, sink;
    sink = table[constant & 15][1];
}

static void skipped_zero(uint8_t constant)
{
    static volatile int sink;
    if ((constant & 1) != 0)
        sink++;
}

static void masked_row(uint8_t constant)
{
    static volatile uint8_t sink;
    sink = (uint8_t)((3 & (uint8_t) - (constant & 1)) ^ (6 & (uint8_t) - (constant >> 1 & 1)));
}

static void controls(void)
{
    static const struct {
        const char *group, *subject;
        void (*run)(uint8_t constant);
    } all[] = {{"leak", "row fetched by a secret constant", fetched_row},
               {"leak", "product skipped for some constants", skipped_zero},
               {"quiet", "row made under masks", masked_row}};
    const volatile uint8_t constant = (uint8_t)(5 + turn);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const uint8_t now = constant;
        HANJI_LAB_BEGIN();
        all[i].run(now);
        HANJI_LAB_END();
        said(all[i].group, all[i].subject, "constant", "");
    }
}

#define COLUMNS 36
#define ROW_BYTES 1300

static void kernels_alone(uint32_t bits)
{
    static const size_t sizes[] = {16, 18, 48, 68, 512, 1296}, systems_of[] = {32, 36, 48, 64};
    static uint8_t elements[COLUMNS],
        multipliers[(COLUMNS + HANJI_MULTIPLIERS_BEYOND) * HANJI_MULTIPLIER_BYTES_MAX],
        in[ROW_BYTES * COLUMNS], out[ROW_BYTES];
    static uint8_t system[HANJI_SYSTEM_BYTES] __attribute__((aligned(HANJI_MATRIX_ALIGN)));
    const hanji_matrix_kernels *kernels = hanji_matrix_best(bits);
    char subject[80];
    fill(elements, sizeof elements);
    fill(in, sizeof in);
    elements[3] = 0;
    HANJI_LAB_BEGIN();
    kernels->prepare(multipliers, elements, COLUMNS);
    HANJI_LAB_END();
    snprintf(subject, sizeof subject, "%s prepare", kernels->name);
    said("rainbow kernel", subject, "constants", "");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        HANJI_LAB_BEGIN();
        kernels->accumulate(out, in, sizes[s], sizes[s], multipliers, COLUMNS);
        HANJI_LAB_END();
        snprintf(subject, sizeof subject, "%s accumulate %zu", kernels->name, sizes[s]);
        said("rainbow kernel", subject, "constants, columns", "");
    }
    for (size_t s = 0; s < sizeof systems_of / sizeof systems_of[0]; s++) {
        const size_t size = systems_of[s], stride = hanji_system_column(size);
        memset(system, 0, sizeof system);
        for (size_t c = 0; c <= size; c++) {
            fill(system + c * stride, size);
            for (size_t i = 0; i < size; i++)
                system[c * stride + i] &= (uint8_t)((1u << bits) - 1);
        }
        if (s % 2 == 1) /* a first pivot that needs help, in some turns */
            system[0] &= (uint8_t)(state >> 40 & 1 ? 0xff : 0);
        HANJI_LAB_BEGIN();
        (void)kernels->solve(system, size);
        HANJI_LAB_END();
        snprintf(subject, sizeof subject, "%s solve %zu", kernels->name, size);
        said("rainbow kernel", subject, "system", "");
    }
}

/* Key generation and signing of one set, after a run that makes what is made once in a process. */
static int whole_calls(size_t index, const char *keypair, const char *signing)
{
    static uint8_t *pk, *sk, *scratch;
    const hanji_rainbow_set *set = hanji_rainbow_set_at(index);
    const size_t bytes1 = hanji_rainbow_keypair_scratch_bytes(set),
                 bytes2 = hanji_rainbow_sign_scratch_bytes(set);
    const size_t bytes = bytes1 > bytes2 ? bytes1 : bytes2;
    uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES], signature[HANJI_RAINBOW_SIGNATURE_BYTES_MAX];
    static const uint8_t message[32] = {1, 2, 3};
    hanji_rainbow_signing_key key;
    int rc;
    if (pk == NULL) { /* once, for the largest: the same addresses in all turns */
        const hanji_rainbow_set *largest = hanji_rainbow_set_at(HANJI_RAINBOW_III_CLASSIC);
        pk = memory(largest->public_key_bytes);
        sk = memory(largest->secret_key_bytes);
        scratch = memory(hanji_rainbow_keypair_scratch_bytes(largest));
    }
    do {
        fill(seeds, sizeof seeds);
        rc = hanji_rainbow_keypair_from_seeds(pk, sk, seeds, scratch, bytes, set);
        rc |=
            hanji_rainbow_signing_key_init(NULL, 0, sk, set->secret_key_bytes, NULL, 0, set, &key);
        systems = 0;
        rc |= hanji_rainbow_sign(signature, message, sizeof message, scratch, bytes, &key);
    } while (rc == HANJI_OK && systems != 2);
    if (keypair != NULL) {
        HANJI_LAB_BEGIN();
        rc |= hanji_rainbow_keypair_from_seeds(pk, sk, seeds, scratch, bytes, set);
        HANJI_LAB_END();
        said("rainbow", keypair, "seed", "\"public key\"");
    }
    HANJI_LAB_BEGIN();
    rc |= hanji_rainbow_sign(signature, message, sizeof message, scratch, bytes, &key);
    HANJI_LAB_END();
    said("rainbow", signing, "secret key", "\"signature\", \"number of draws\"");
    return rc;
}

int main(int count, char **arguments)
{
    const unsigned turns = count == 3 ? (unsigned)atoi(arguments[2]) : 0;
    int rc = HANJI_OK;
    if (turns == 0 || hanji_selection() != HANJI_OK) {
        fputs("usage: rainbow_traces controls|library TURNS\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    for (turn = 0; turn < turns; turn++) {
        state = turn * 7919u + 1;
        if (strcmp(arguments[1], "controls") == 0) {
            controls();
            continue;
        }
        kernels_alone(4);
        kernels_alone(8);
        rc |= whole_calls(HANJI_RAINBOW_I_CLASSIC, "keypair rainbow-i-classic",
                          "sign rainbow-i-classic");
        rc |= whole_calls(HANJI_RAINBOW_III_CLASSIC, NULL, "sign rainbow-iii-classic");
    }
    return rc == HANJI_OK ? 0 : 1;
}
