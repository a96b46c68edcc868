/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of master keys: open addressing over slots of whole half cache lines, each with room
 * for three devices. With master keys of 16 bytes a slot is a line, and 19 of 20 searches end in
 * the first.
 */
#include "support/secret.h"
#include "telemetry/telemetry.h"

/* A slot: the devices, how many of the places are taken, and the master keys. */
#define PLACES 3
#define TAKEN_AT ((size_t)4 * PLACES)
#define MASTERS_AT (TAKEN_AT + 4)
#define STRIDE_STEP 32

static size_t taken(const uint8_t *slot)
{
    return load_le32(slot + TAKEN_AT);
}

static int size_is_taken(size_t master_bytes)
{
    return master_bytes >= HANJI_MASTER_BYTES_MIN && master_bytes <= HANJI_MASTER_BYTES_MAX;
}

static size_t stride_of(size_t master_bytes)
{
    return (MASTERS_AT + PLACES * master_bytes + STRIDE_STEP - 1) / STRIDE_STEP * STRIDE_STEP;
}

/*
 * Slots: four of nine places are taken. 0: too many. Device numbers have 32 bits, and so has the
 * factor of the product in home().
 */
static size_t capacity_of(size_t devices)
{
    return devices > UINT32_MAX / 2 ? 0 : devices - devices / 4 + 1;
}

size_t hanji_master_keys_bytes(size_t devices, size_t master_bytes)
{
    const size_t capacity = capacity_of(devices);
    if (!size_is_taken(master_bytes) || capacity == 0 ||
        capacity > SIZE_MAX / stride_of(master_bytes))
        return 0;
    return capacity * stride_of(master_bytes);
}

/*
 * The first slot for a device. Two products with factors that are drawn for each table: frames may
 * name any device, and an attacker able to compute slots could choose numbers for the same slot, to
 * make each search go through all of them.
 */
static size_t home(const hanji_master_keys *keys, uint32_t device)
{
    uint64_t h = device * keys->factors[0];
    h = (h ^ h >> 32) * keys->factors[1];
    return (size_t)((h >> 32) * keys->capacity >> 32);
}

/* The slot behind slot `at`. */
static size_t next(const hanji_master_keys *keys, size_t at)
{
    return at + 1 < keys->capacity ? at + 1 : 0;
}

/*
 * The place of a device in a slot, PLACES when it is not there. Without branches, which no
 * processor could foresee. Places are taken in their order.
 */
static size_t place_of(const uint8_t *slot, uint32_t device)
{
    const size_t count = taken(slot);
    size_t place = PLACES;
    for (size_t i = 0; i < PLACES; i++)
        place -= (PLACES - i) * ((size_t)(load_le32(slot + 4 * i) == device) & (i < count));
    return place;
}

size_t hanji_master_keys_begin(const hanji_master_keys *keys, uint32_t device)
{
    if (keys->slots == NULL)
        return 0;
    const size_t at = home(keys, device);
    __builtin_prefetch(keys->slots + at * keys->stride);
    return at;
}

size_t hanji_master_keys_near(const hanji_master_keys *keys, uint32_t device, size_t at)
{
    if (keys->slots == NULL)
        return 0;
    const uint8_t *slot = keys->slots + at * keys->stride;
    const size_t place = place_of(slot, device),
                 on = (size_t)(place == PLACES) & (taken(slot) == PLACES);
    const size_t stands = (at & (on - 1)) | (next(keys, at) & (0 - on));
    /* The key, where its line is not that of the slot's begin, or the next slot. */
    __builtin_prefetch(keys->slots + stands * keys->stride +
                       (on == 0 && place < PLACES ? MASTERS_AT + place * keys->master_bytes : 0));
    return stands;
}

const uint8_t *hanji_master_keys_find(const hanji_master_keys *keys, uint32_t device, size_t at)
{
    if (keys->slots == NULL)
        return keys->one;
    for (;;) {
        const uint8_t *slot = keys->slots + at * keys->stride;
        const size_t place = place_of(slot, device);
        if (place < PLACES)
            return slot + MASTERS_AT + place * keys->master_bytes;
        if (taken(slot) < PLACES)
            return NULL;
        at = next(keys, at);
    }
}

/* Put a device into the table. 0 when it is there already. */
static int put(const hanji_master_keys *keys, uint32_t device, const uint8_t *master)
{
    size_t at = home(keys, device);
    for (;;) {
        uint8_t *slot = keys->slots + at * keys->stride;
        const size_t place = taken(slot);
        if (place_of(slot, device) < PLACES)
            return 0;
        if (place < PLACES) {
            store_le32(slot + 4 * place, device);
            store_le32(slot + TAKEN_AT, (uint32_t)place + 1);
            memcpy(slot + MASTERS_AT + place * keys->master_bytes, master, keys->master_bytes);
            return 1;
        }
        at = next(keys, at);
    }
}

int hanji_master_keys_init(hanji_master_keys *keys, size_t *duplicate, uint8_t *memory,
                           size_t memory_bytes, const uint32_t *devices, const uint8_t *masters,
                           size_t count, size_t master_bytes)
{
    if (keys == NULL)
        return HANJI_E_ARGUMENT;
    if (!size_is_taken(master_bytes))
        return HANJI_E_LENGTH;
    const size_t needed = hanji_master_keys_bytes(count, master_bytes);
    if (needed == 0 || memory == NULL || memory_bytes < needed || !valid(devices, count) ||
        !valid(masters, count))
        return HANJI_E_ARGUMENT;
    const hanji_buffer spans[] = {
        {keys, sizeof *keys},
        {memory, memory_bytes},
        {duplicate, duplicate == NULL ? 0 : sizeof *duplicate},
        {devices, count * sizeof *devices},
        {masters, count * master_bytes},
    };
    if (!hanji_apart(spans, 3, sizeof spans / sizeof spans[0]))
        return HANJI_E_ARGUMENT;

    hanji_master_keys built = {.slots = memory,
                               .capacity = capacity_of(count),
                               .stride = stride_of(master_bytes),
                               .master_bytes = master_bytes};
    const int rc = hanji_random((uint8_t *)built.factors, sizeof built.factors);
    if (rc != HANJI_OK)
        return rc;
    built.factors[0] |= 1;
    built.factors[1] |= 1;
    memset(memory, 0, needed);
    if (duplicate != NULL)
        *duplicate = count;
    for (size_t i = 0; i < count; i++) {
        const size_t ahead = i + 16;
        if (ahead < count)
            __builtin_prefetch(memory + home(&built, devices[ahead]) * built.stride, 1);
        if (!put(&built, devices[i], masters + i * master_bytes)) {
            hanji_wipe(memory, needed);
            hanji_wipe(&built, sizeof built);
            *keys = (hanji_master_keys){0};
            if (duplicate != NULL)
                *duplicate = i;
            return HANJI_E_ARGUMENT;
        }
    }
    *keys = built;
    hanji_wipe(&built, sizeof built); /* whoever knows the factors can choose slow devices */
    hanji_wipe_stack_shallow();
    return HANJI_OK;
}

int hanji_master_keys_one(hanji_master_keys *keys, const uint8_t *master, size_t master_bytes)
{
    if (keys == NULL || master == NULL)
        return HANJI_E_ARGUMENT;
    if (!size_is_taken(master_bytes))
        return HANJI_E_LENGTH;
    if (overlap(keys, sizeof *keys, master, master_bytes))
        return HANJI_E_ARGUMENT;
    *keys = (hanji_master_keys){.master_bytes = master_bytes};
    memcpy(keys->one, master, master_bytes);
    return HANJI_OK;
}

void hanji_master_keys_wipe(hanji_master_keys *keys)
{
    if (keys == NULL)
        return;
    if (keys->slots != NULL)
        hanji_wipe(keys->slots, keys->capacity * keys->stride);
    hanji_wipe(keys, sizeof *keys);
}
