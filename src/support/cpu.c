/* SPDX-License-Identifier: Apache-2.0 */
/* Detection, capping and the one global variable of the library: the selection. */
#include "support/cpu.h"

#include "hanji/common.h"

#ifndef HANJI_FREESTANDING
#include <stdatomic.h>
#include <stdlib.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The tiers of this build, each better than the one before: a cap at a tier allows it and all before it. */
static const struct {
    const char *name;
    uint32_t features;
} tiers[] = {
    {"portable", HANJI_CPU_PORTABLE},
#ifdef HANJI_TEST_TIERS
    {"test-any", HANJI_CPU_TEST_ANY},
    {"test-none", HANJI_CPU_TEST_NONE},
#endif
};

/* What processor and operating system support, all tiers together. */
static uint32_t detect(void)
{
    uint32_t features = HANJI_CPU_PORTABLE;
#ifdef HANJI_TEST_TIERS
    features |= HANJI_CPU_TEST_ANY;
#endif
    return features;
}

/* The features that a cap at `tier` leaves, or HANJI_CPU_REFUSED. */
static uint32_t capped(const char *tier)
{
    const uint32_t detected = detect();
    uint32_t allowed = 0;
    for (size_t i = 0; i < COUNT(tiers); i++) {
        size_t at = 0;
        while (tiers[i].name[at] != '\0' && tiers[i].name[at] == tier[at])
            at++;
        allowed |= tiers[i].features & detected;
        if (tiers[i].name[at] == tier[at])
            return (tiers[i].features & ~detected) == 0 ? allowed : HANJI_CPU_REFUSED;
    }
    return HANJI_CPU_REFUSED;
}

#ifdef HANJI_FREESTANDING

/* Known when the library is built; only hanji_force() changes it. UINT32_MAX: no cap. */
static uint32_t cap = UINT32_MAX;

uint32_t hanji_cpu_features(void)
{
    return detect() & cap;
}

static void select_features(uint32_t features)
{
    cap = features;
}

#else

/* Bit 30: the selection has been made. Made twice by two threads it is the same value, so a relaxed store suffices. */
#define SELECTED 0x40000000u
static _Atomic uint32_t selection;

static void select_features(uint32_t features)
{
    atomic_store_explicit(&selection, features | SELECTED, memory_order_relaxed);
}

uint32_t hanji_cpu_features(void)
{
    uint32_t now = atomic_load_explicit(&selection, memory_order_relaxed);
    if ((now & SELECTED) == 0) {
        const char *tier = getenv("HANJI_FORCE");
        const uint32_t first = (tier != NULL && tier[0] != '\0' ? capped(tier) : detect()) | SELECTED;
        /* A hanji_force() that came in between stays. */
        if (atomic_compare_exchange_strong_explicit(&selection, &now, first, memory_order_relaxed, memory_order_relaxed))
            now = first;
    }
    return now & ~SELECTED;
}

#endif

const char *hanji_cpu_tier(uint32_t features)
{
    size_t i = 0;
    for (size_t t = 0; t < COUNT(tiers); t++)
        if (tiers[t].features == features)
            i = t;
    return tiers[i].name;
}

int hanji_force(const char *tier)
{
    const uint32_t features = tier == NULL ? detect() : capped(tier);
    if ((features & HANJI_CPU_REFUSED) != 0)
        return HANJI_E_UNSUPPORTED;
    select_features(features);
    return HANJI_OK;
}

int hanji_selection(void)
{
    return (hanji_cpu_features() & HANJI_CPU_REFUSED) != 0 ? HANJI_E_UNSUPPORTED : HANJI_OK;
}

size_t hanji_tier_count(void)
{
    return COUNT(tiers);
}

const char *hanji_tier_name(size_t index)
{
    return index < COUNT(tiers) ? tiers[index].name : NULL;
}

int hanji_tier_state(size_t index)
{
    if (index >= COUNT(tiers) || (tiers[index].features & ~detect()) != 0)
        return 0;
    return (tiers[index].features & ~hanji_cpu_features()) == 0 ? 2 : 1;
}
