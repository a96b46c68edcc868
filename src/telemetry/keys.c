/* SPDX-License-Identifier: Apache-2.0 */
/* The table of master keys: open addressing, one slot of whole half cache lines per device. */
#include "support/secret.h"
#include "telemetry/telemetry.h"

/* A slot: the device, 1 where the slot is taken, and the master key. */
#define MASTER_AT 8
#define STRIDE_STEP 32

static int taken(const uint8_t *slot)
{
    return load_le32(slot + 4) != 0;
}

static int size_is_taken(size_t master_bytes)
{
    return master_bytes >= HANJI_MASTER_BYTES_MIN && master_bytes <= HANJI_MASTER_BYTES_MAX;
}

static size_t stride_of(size_t master_bytes)
{
    return (MASTER_AT + master_bytes + STRIDE_STEP - 1) / STRIDE_STEP * STRIDE_STEP;
}

/*
 * Two of three slots are taken at most. 0: too many. Device numbers have 32 bits, and so has the
 * factor of the product in hanji_master_keys_home().
 */
static size_t capacity_of(size_t devices)
{
    return devices > UINT32_MAX / 2 ? 0 : devices + devices / 2 + 1;
}

size_t hanji_master_keys_bytes(size_t devices, size_t master_bytes)
{
    const size_t capacity = capacity_of(devices);
    if (!size_is_taken(master_bytes) || capacity > SIZE_MAX / stride_of(master_bytes))
        return 0;
    return capacity * stride_of(master_bytes);
}

/*
 * The finalizer of MurmurHash3, a permutation: devices with consecutive numbers, or with equal low
 * bits, are spread over the table.
 */
size_t hanji_master_keys_home(const hanji_master_keys *keys, uint32_t device)
{
    uint32_t h = device;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return (size_t)((uint64_t)h * keys->capacity >> 32);
}

/* The slot of the device, or the free one at the end of the search. */
static uint8_t *slot_of(const hanji_master_keys *keys, uint32_t device)
{
    size_t at = hanji_master_keys_home(keys, device);
    for (;;) {
        uint8_t *slot = keys->slots + at * keys->stride;
        if (!taken(slot) || load_le32(slot) == device)
            return slot;
        at = at + 1 < keys->capacity ? at + 1 : 0;
    }
}

const uint8_t *hanji_master_keys_find(const hanji_master_keys *keys, uint32_t device)
{
    if (keys->slots == NULL)
        return keys->one;
    const uint8_t *slot = slot_of(keys, device);
    return taken(slot) ? slot + MASTER_AT : NULL;
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

    const hanji_master_keys built = {.slots = memory,
                                     .capacity = capacity_of(count),
                                     .stride = stride_of(master_bytes),
                                     .master_bytes = master_bytes};
    memset(memory, 0, needed);
    if (duplicate != NULL)
        *duplicate = count;
    for (size_t i = 0; i < count; i++) {
        const size_t ahead = i + 16;
        if (ahead < count)
            __builtin_prefetch(
                memory + hanji_master_keys_home(&built, devices[ahead]) * built.stride, 1);
        uint8_t *slot = slot_of(&built, devices[i]);
        if (taken(slot)) {
            hanji_wipe(memory, needed);
            *keys = (hanji_master_keys){0};
            if (duplicate != NULL)
                *duplicate = i;
            return HANJI_E_ARGUMENT;
        }
        store_le32(slot, devices[i]);
        store_le32(slot + 4, 1);
        memcpy(slot + MASTER_AT, masters + i * master_bytes, master_bytes);
    }
    *keys = built;
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
