/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of every kernel table, for listings. */
#include "aimer/aimer.h"
#include "ascon/ascon.h"
#include "ascon/fleet_kernels.h"
#include "catalog/catalog.h"
#include "keccak/keccak.h"
#include "modes/fleet_kernels.h"
#include "sparkle/fleet_kernels.h"
#include "sparkle/sparkle.h"
#include "support/cipher.h"
#include "support/cpu.h"

/* The tables beside those of the block ciphers. */
static const struct {
    const char *algorithm;
    const hanji_kernel *rows;
} other_tables[] = {
    {"ctr", hanji_ctr_fleet_kernels},
    {"eax", hanji_eax_fleet_kernels},
    {"cmac", hanji_cmac_fleet_kernels},
    {"ascon-p", hanji_ascon_hash_kernels},
    {"ascon-aead128", hanji_ascon_aead_kernels},
    {"ascon-aead128", hanji_ascon_aead128_fleet_kernels},
    {"ascon-hash256", hanji_ascon_hash256_fleet_kernels},
    {"ascon-xof128", hanji_ascon_xof128_fleet_kernels},
    {"ascon-cxof128", hanji_ascon_cxof128_fleet_kernels},
    {"schwaemm256-128", hanji_schwaemm256_128_fleet_kernels},
    {"schwaemm192-192", hanji_schwaemm192_192_fleet_kernels},
    {"schwaemm128-128", hanji_schwaemm128_128_fleet_kernels},
    {"schwaemm256-256", hanji_schwaemm256_256_fleet_kernels},
    {"esch256", hanji_esch256_fleet_kernels},
    {"esch384", hanji_esch384_fleet_kernels},
    {"xoesch256", hanji_xoesch256_fleet_kernels},
    {"xoesch384", hanji_xoesch384_fleet_kernels},
    {"keccak", hanji_keccak_kernels},
    {"aimer", hanji_aimer_kernels},
};
static const hanji_sparkle *const permutations[] = {&hanji_sparkle256, &hanji_sparkle384,
                                                    &hanji_sparkle512};

/* Table number `index`: block ciphers, permutations, the others; NULL past the last. */
static const hanji_kernel *table(size_t index, const char **algorithm)
{
    const size_t ciphers = hanji_cipher_count(),
                 sparkles = sizeof permutations / sizeof permutations[0];
    if (index < ciphers) {
        *algorithm = hanji_cipher_at(index)->name;
        return hanji_cipher_at(index)->kernels;
    }
    index -= ciphers;
    if (index < sparkles) {
        *algorithm = permutations[index]->name;
        return permutations[index]->kernels;
    }
    index -= sparkles;
    if (index < sizeof other_tables / sizeof other_tables[0]) {
        *algorithm = other_tables[index].algorithm;
        return other_tables[index].rows;
    }
    return NULL;
}

static const hanji_kernel *row_at(size_t index, const char **algorithm, size_t *count)
{
    const hanji_kernel *rows;
    *count = 0;
    for (size_t t = 0; (rows = table(t, algorithm)) != NULL; t++)
        for (; rows->name != NULL; rows++)
            if ((*count)++ == index)
                return rows;
    return NULL;
}

size_t hanji_kernel_count(void)
{
    const char *algorithm;
    size_t count;
    (void)row_at(SIZE_MAX, &algorithm, &count);
    return count;
}

int hanji_kernel_at(hanji_kernel_info *info, size_t index)
{
#define NAME(operation, name) [operation] = (name),
    static const char *const operations[HANJI_OPERATION_COUNT] = {HANJI_OPERATIONS(NAME)};
#undef NAME
    const char *algorithm = NULL;
    size_t count;
    const hanji_kernel *row = row_at(index, &algorithm, &count);
    if (info == NULL || row == NULL)
        return HANJI_E_ARGUMENT;
    info->name = row->name;
    info->tier = hanji_cpu_tier(row->features);
    info->operation = operations[row->operation];
    info->algorithm = algorithm;
    info->group = row->group;
    info->minimum = row->minimum != 0 ? row->minimum : row->group;
    info->usable = (row->features & ~hanji_cpu_features()) == 0;
    return HANJI_OK;
}
