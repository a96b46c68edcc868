/* SPDX-License-Identifier: Apache-2.0 */
/* Keys on the device, and streams of one key in device memory. */
#include "gpu/room.h"

#include <string.h>

#include "support/bytes.h"

int hanji_gpu_key_set_limit(uint64_t blocks, hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL)
        return HANJI_E_ARGUMENT;
    key_of(key)->limit = blocks;
    return HANJI_OK;
}

/*
 * Words for the kernels on words, and masks for those in slices, from round keys in the canonical
 * layout.
 */
static void lay_out(uint8_t *words, uint8_t *masks, const uint8_t *canonical, const row *r)
{
    const size_t bits = r->word_bits, step = bits / 8;
    for (size_t i = 0; i < r->round_keys; i++) {
        uint64_t k = 0;
        if (bits == 16) {
            uint16_t v;
            memcpy(&v, canonical + step * i, sizeof v);
            k = v;
        } else if (bits == 32) {
            uint32_t v;
            memcpy(&v, canonical + step * i, sizeof v);
            k = v;
        } else {
            memcpy(&k, canonical + step * i, sizeof k);
        }
        store_le32(words, (uint32_t)k);
        words += 4;
        if (bits == 64) {
            store_le32(words, (uint32_t)(k >> 32));
            words += 4;
        }
        for (size_t b = 0; masks != NULL && b < bits; b++, masks += 4)
            store_le32(masks, 0 - (uint32_t)(k >> b & 1));
    }
}

/* Put bytes on the device; the memory is the caller's, also on failure. */
static int place(context *c, cu_pointer *out, const uint8_t *bytes, size_t count)
{
    int rc = hanji_gpu_take(c, out, count);
    if (rc == HANJI_OK)
        rc = hanji_gpu_stream(c, 0);
    return rc != HANJI_OK ? rc : hanji_gpu_carry(c, *out, NULL, bytes, count, c->streams[0]);
}

#define ROUND_KEY_BYTES_MAX \
    544 /* of SIMON-128/128 in 64-bit words; that of SPECK-128/256 is smaller */
#define MASK_BYTES_MAX (32 * ROUND_KEY_BYTES_MAX)

void hanji_gpu_key_close(hanji_gpu_key *key)
{
    if (key == NULL)
        return;
    keyed *k = key_of(key);
    if (k->c != NULL && hanji_gpu_enter(k->c) == HANJI_OK) {
        hanji_gpu_discard_later(k->c, &k->keys, k->key_bytes, 0);
        hanji_gpu_discard_later(k->c, &k->masks, k->mask_bytes, 0);
        hanji_gpu_leave(k->c);
    }
    memset(key, 0, sizeof *key);
}

int hanji_gpu_key_open(hanji_gpu_key *key, const uint8_t *bytes, size_t key_bytes,
                       const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (key == NULL)
        return HANJI_E_ARGUMENT;
    memset(key, 0, sizeof *key);
    if (bytes == NULL || cipher == NULL || gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = hanji_gpu_find(cipher);
    if (r == NULL)
        return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels for",
                                cipher->name);
    if (key_bytes != cipher->key_bytes)
        return HANJI_E_LENGTH;
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    uint64_t canonical[ROUND_KEY_BYTES_MAX / 8];
    uint8_t words[ROUND_KEY_BYTES_MAX], masks[MASK_BYTES_MAX];
    keyed *k = key_of(key);
    *k = (keyed){.c = c, .row = r, .cipher = cipher, .limit = UINT64_C(1) << cipher->limit_log2};
    k->key_bytes = (size_t)r->round_keys * (r->word_bits < 32 ? 4 : r->word_bits / 8u);
    k->mask_bytes = r->sliced ? (size_t)r->round_keys * r->word_bits * 4 : 0;
    cipher->expand(canonical, bytes);
    lay_out(words, r->sliced ? masks : NULL, (const uint8_t *)canonical, r);
    rc = place(c, &k->keys, words, k->key_bytes);
    if (rc == HANJI_OK && r->sliced)
        rc = place(c, &k->masks, masks, k->mask_bytes);
    hanji_wipe(canonical, sizeof canonical);
    hanji_wipe(words, sizeof words);
    hanji_wipe(masks, sizeof masks);
    hanji_gpu_leave(c);
    if (rc != HANJI_OK)
        hanji_gpu_key_close(key);
    return rc;
}

/* One key, device memory */

static int both_belong(context *c, cu_pointer out, cu_pointer in)
{
    const int rc = hanji_gpu_memory_belongs(c, out);
    return rc != HANJI_OK ? rc : hanji_gpu_memory_belongs(c, in);
}

int hanji_gpu_blocks(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, int decrypt,
                     hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || (bytes > 0 && (out == 0 || in == 0)) ||
        hanji_gpu_overlap(out, in, bytes))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    if (bytes % (4u * k->row->words) != 0)
        return HANJI_E_LENGTH;
    int rc = hanji_gpu_aligned(k->c, out, in);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = hanji_gpu_enter(k->c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_belongs(k->c, stream);
    if (rc == HANJI_OK)
        rc = both_belong(k->c, out, in);
    if (rc == HANJI_OK)
        rc = hanji_gpu_run_all(k, decrypt ? 1 : 0, out, in, bytes, NULL, stream);
    rc = hanji_gpu_noted(k->c, stream, rc);
    hanji_gpu_leave(k->c);
    return rc;
}

int hanji_gpu_reserve(keyed *k, size_t bytes)
{
    const uint64_t block_bytes = 4u * k->row->words,
                   blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    if (blocks > k->limit || k->used > k->limit - blocks)
        return hanji_gpu_failed(k->c, HANJI_E_LIMIT, "the data limit of the key would be exceeded",
                                NULL);
    k->used += blocks;
    return HANJI_OK;
}

int hanji_gpu_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, uint8_t *counter,
                  hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL ||
        (bytes > 0 && (out == 0 || in == 0)) || hanji_gpu_overlap(out, in, bytes))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    int rc = hanji_gpu_aligned(k->c, out, in);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = hanji_gpu_enter(k->c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_usable(k->c, stream);
    if (rc == HANJI_OK)
        rc = both_belong(k->c, out, in);
    if (rc == HANJI_OK)
        rc = hanji_gpu_reserve(k, bytes);
    if (rc == HANJI_OK)
        rc = hanji_gpu_run_all(k, 2, out, in, bytes, counter, stream);
    rc = hanji_gpu_noted(k->c, stream, rc);
    hanji_gpu_leave(k->c);
    return rc;
}
