/* SPDX-License-Identifier: Apache-2.0 */
#include "epoch.h"

/*
 * A record is "hepo", the epoch, and eight bytes of XOESCH256 over both, which tell a record from
 * what a loss of power left.
 */
static const uint8_t mark[4] = {'h', 'e', 'p', 'o'};

static void put32(uint8_t *out, uint32_t n)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(n >> (8 * i));
}

static int make_record(uint8_t record[EPOCH_RECORD_BYTES], uint32_t epoch)
{
    for (int i = 0; i < 4; i++)
        record[i] = mark[i];
    put32(record + 4, epoch);
    return hanji_xoesch256(record + 8, 8, record, 8);
}

/*
 * The epoch in a slot; 0, which no slot holds, when it holds none. `*erased` is 1 when it was never
 * written.
 */
static int read_slot(uint32_t *epoch, int *erased, unsigned slot, const epoch_storage *storage)
{
    uint8_t found[EPOCH_RECORD_BYTES], right[EPOCH_RECORD_BYTES];
    *epoch = 0;
    *erased = 1;
    if (storage->read(slot, found) != 0)
        return EPOCH_E_STORAGE;
    for (int i = 0; i < EPOCH_RECORD_BYTES; i++)
        *erased &= found[i] == 0xff;
    const uint32_t number =
        found[4] | (uint32_t)found[5] << 8 | (uint32_t)found[6] << 16 | (uint32_t)found[7] << 24;
    const int rc = make_record(right, number);
    if (rc == HANJI_OK && hanji_equal(found, right, sizeof right))
        *epoch = number;
    return rc;
}

/*
 * Store the epoch after the present one in the other slot, read it back, and only then let it be
 * used.
 */
static int advance(epoch_state *state)
{
    uint8_t record[EPOCH_RECORD_BYTES];
    uint32_t stored;
    int erased;
    const unsigned slot = 1 - state->slot;
    const uint32_t next = state->epoch + 1;
    state->used = state->limit;
    if (state->epoch >= EPOCH_LAST - 1)
        return HANJI_E_LIMIT;
    int rc = make_record(record, next);
    if (rc == HANJI_OK && state->storage->write(slot, record) != 0)
        rc = EPOCH_E_STORAGE;
    if (rc == HANJI_OK)
        rc = read_slot(&stored, &erased, slot, state->storage);
    if (rc == HANJI_OK && stored != next)
        rc = EPOCH_E_STORAGE;
    if (rc != HANJI_OK)
        return rc;
    state->epoch = next;
    state->slot = slot;
    state->used = 0;
    return HANJI_OK;
}

int epoch_start(epoch_state *state, const epoch_storage *storage, uint32_t messages_per_epoch)
{
    uint32_t epoch[2];
    int erased[2];
    state->storage = storage;
    state->limit = state->used = messages_per_epoch;
    state->epoch = EPOCH_LAST;
    state->slot = 0;
    if (messages_per_epoch == 0)
        return HANJI_E_ARGUMENT;
    for (unsigned slot = 0; slot < 2; slot++) {
        const int rc = read_slot(&epoch[slot], &erased[slot], slot, storage);
        if (rc != HANJI_OK)
            return rc;
    }
    /*
     * The first epoch goes to slot 1. If its writing was cut, slot 0 is still as new; afterwards
     * there is always a slot that is not being written.
     */
    if (epoch[0] == 0 && epoch[1] == 0 && !erased[0])
        return EPOCH_E_DAMAGED;
    state->slot = epoch[1] > epoch[0];
    state->epoch = epoch[state->slot];
    return advance(state);
}

int epoch_next(uint32_t *number, int *fresh, epoch_state *state)
{
    *fresh = 0;
    if (state->used == state->limit) {
        const int rc = advance(state);
        if (rc != HANJI_OK) {
            state->epoch = EPOCH_LAST;
            return rc;
        }
        *fresh = 1;
    }
    *number = state->used++;
    return HANJI_OK;
}

/* A field of the derivation, after its length in eight bytes. */
static int absorb(const uint8_t *field, size_t bytes, hanji_esch_ctx *xof)
{
    uint8_t length[8] = {0};
    put32(length, (uint32_t)bytes);
    const int rc = hanji_xoesch256_update(length, sizeof length, xof);
    return rc == HANJI_OK ? hanji_xoesch256_update(field, bytes, xof) : rc;
}

int epoch_key(uint8_t *key, size_t key_bytes, const uint8_t *master, size_t master_bytes,
              const char *label, uint32_t device, uint32_t epoch)
{
    static const char name[] = "hanji epoch key 2";
    uint8_t place[12] = {0}; /* the epoch in eight bytes, the device in four */
    hanji_esch_ctx xof;
    size_t label_bytes = 0;
    while (label[label_bytes] != '\0')
        label_bytes++;
    put32(place, epoch);
    put32(place + 8, device);
    int rc = hanji_xoesch256_init(&xof);
    if (rc == HANJI_OK &&
        (master_bytes < EPOCH_MASTER_BYTES_MIN || master_bytes > EPOCH_MASTER_BYTES_MAX))
        rc = HANJI_E_LENGTH;
    if (rc == HANJI_OK)
        rc = absorb((const uint8_t *)name, sizeof name - 1, &xof);
    if (rc == HANJI_OK)
        rc = absorb(master, master_bytes, &xof);
    if (rc == HANJI_OK)
        rc = absorb((const uint8_t *)label, label_bytes, &xof);
    if (rc == HANJI_OK)
        rc = absorb(place, sizeof place, &xof);
    if (rc == HANJI_OK)
        rc = hanji_xoesch256_squeeze(key, key_bytes, &xof);
    if (rc != HANJI_OK && key_bytes > 0)
        hanji_wipe(key, key_bytes);
    hanji_esch_wipe(&xof);
    return rc;
}
