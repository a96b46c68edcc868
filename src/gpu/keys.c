/* SPDX-License-Identifier: Apache-2.0 */
/* Keys on the device: their round keys as the kernels read them, and what they may still do. */
#include "gpu/work.h"

#include <string.h>

#include "support/bytes.h"

#define ROUND_KEY_BYTES_MAX \
    544 /* of SIMON-128/128 in 64-bit words; that of SPECK-128/256 is smaller */
#define MASK_BYTES_MAX (32 * ROUND_KEY_BYTES_MAX)

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
    return rc != HANJI_OK ? rc : hanji_gpu_upload_bytes(c, *out, bytes, count, c->streams[0]);
}

int hanji_gpu_make_key(keyed *k, const uint8_t *bytes)
{
    const row *const r = k->row;
    uint64_t canonical[ROUND_KEY_BYTES_MAX / 8];
    uint8_t words[ROUND_KEY_BYTES_MAX], masks[MASK_BYTES_MAX];
    k->key_bytes = (size_t)r->round_keys * (r->word_bits < 32 ? 4 : r->word_bits / 8u);
    k->mask_bytes = r->sliced ? (size_t)r->round_keys * r->word_bits * 4 : 0;
    k->cipher->expand(canonical, bytes);
    lay_out(words, r->sliced ? masks : NULL, (const uint8_t *)canonical, r);
    int rc = place(k->c, &k->keys, words, k->key_bytes);
    if (rc == HANJI_OK && r->sliced)
        rc = place(k->c, &k->masks, masks, k->mask_bytes);
    hanji_wipe(canonical, sizeof canonical);
    hanji_wipe(words, sizeof words);
    hanji_wipe(masks, sizeof masks);
    return rc;
}

void hanji_gpu_drop_key(keyed *k)
{
    hanji_gpu_discard_later(k->c, &k->keys, k->key_bytes, 0);
    hanji_gpu_discard_later(k->c, &k->masks, k->mask_bytes, 0);
}

int hanji_gpu_reserve(keyed *k, size_t bytes)
{
    const uint64_t block_bytes = 4u * k->row->words,
                   blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    if (blocks > k->limit || k->used > k->limit - blocks)
        return hanji_gpu_beyond_limit(k->c);
    k->used += blocks;
    return HANJI_OK;
}

int hanji_gpu_beyond_limit(context *c)
{
    return hanji_gpu_failed(c, HANJI_E_LIMIT, "the data limit of the key would be exceeded", NULL);
}
