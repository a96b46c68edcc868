/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealing, hashing and counting in pieces of arbitrary sizes gives what one call gives, also when
 * calls in a forbidden order come in between.
 */
#include "../c/aeads.h"
#include "input.h"

enum { MAX = 700 };

static size_t piece(fuzz_input *sizes, size_t left)
{
    const size_t size = take_byte(sizes);
    return sizes->left == 0 || size > left ? left : size;
}

static void seal_in_pieces(unsigned i, const uint8_t *message, size_t n, fuzz_input sizes,
                           const uint8_t *key)
{
    static uint8_t once[MAX + 32], pieces[MAX + 32];
    const size_t tag_bytes = aeads[i].tag_bytes, ad_bytes = n / 3;
    aead_ctx ctx;
    MUST(aeads[i].encrypt(once, message, n, message, ad_bytes, key + 32, key) == HANJI_OK);
    MUST(aeads[i].init(key + 32, key, &ctx) == HANJI_OK);
    for (size_t at = 0; at < ad_bytes;) {
        const size_t part = piece(&sizes, ad_bytes - at);
        MUST(aeads[i].update_ad(message + at, part, &ctx) == HANJI_OK);
        at += part;
    }
    for (size_t at = 0; at < n;) {
        const size_t part = piece(&sizes, n - at);
        MUST(aeads[i].update(pieces + at, message + at, part, &ctx) == HANJI_OK);
        at += part;
        if (part > 0)
            MUST(aeads[i].update_ad(message, 1, &ctx) == HANJI_E_ARGUMENT);
        if (i < AEADS - 1)
            MUST(aeads[(i + 1) & 3].update(pieces, message, 1, &ctx) == HANJI_E_ARGUMENT);
    }
    MUST(aeads[i].final(pieces + n, &ctx) == HANJI_OK);
    MUST(memcmp(once, pieces, n + tag_bytes) == 0);
}

static void hash_in_pieces(const uint8_t *message, size_t n, fuzz_input sizes)
{
    static uint8_t once[MAX], pieces[MAX];
    hanji_esch_ctx ctx;
    MUST(hanji_xoesch384(once, n, message, n) == HANJI_OK);
    MUST(hanji_xoesch384_init(&ctx) == HANJI_OK);
    for (size_t at = 0; at < n;) {
        const size_t part = piece(&sizes, n - at);
        MUST(hanji_xoesch384_update(message + at, part, &ctx) == HANJI_OK);
        at += part;
    }
    for (size_t at = 0; at < n;) {
        const size_t part = piece(&sizes, n - at);
        MUST(hanji_xoesch384_squeeze(pieces + at, part, &ctx) == HANJI_OK);
        at += part;
        MUST(hanji_xoesch384_update(message, 1, &ctx) == HANJI_E_ARGUMENT ||
             (part == 0 && at == 0));
        if (part == 0)
            break; /* the message may have grown by that byte */
    }
}

static void customized_in_pieces(const uint8_t *message, size_t n, fuzz_input sizes)
{
    static uint8_t once[MAX + 1], pieces[MAX + 1];
    const size_t custom = n % 300;
    hanji_ascon_hash_ctx ctx;
    if (custom > HANJI_ASCON_CXOF128_CUSTOMIZATION_BYTES_MAX) {
        MUST(hanji_ascon_cxof128_init(message, custom, &ctx) == HANJI_E_LENGTH);
        return;
    }
    MUST(hanji_ascon_cxof128(once, n + 1, message, custom, message, n) == HANJI_OK);
    MUST(hanji_ascon_cxof128_init(message, custom, &ctx) == HANJI_OK);
    for (size_t at = 0; at < n;) {
        const size_t part = piece(&sizes, n - at);
        MUST(hanji_ascon_cxof128_update(message + at, part, &ctx) == HANJI_OK);
        at += part;
    }
    for (size_t at = 0; at < n + 1;) {
        const size_t part = piece(&sizes, n + 1 - at);
        MUST(hanji_ascon_cxof128_squeeze(pieces + at, part, &ctx) == HANJI_OK);
        at += part;
        MUST(hanji_ascon_cxof128_update(message, 0, &ctx) == HANJI_E_ARGUMENT);
    }
    MUST(memcmp(once, pieces, n + 1) == 0);
}

static void count_in_pieces(const hanji_cipher *cipher, const uint8_t *message, size_t n,
                            fuzz_input sizes, const uint8_t *bytes)
{
    static uint8_t once[MAX], pieces[MAX];
    const size_t block = hanji_cipher_block_bytes(cipher);
    hanji_any_block_ctx key;
    hanji_ctr_ctx ctr;
    MUST(hanji_block_init(bytes, hanji_cipher_key_bytes(cipher), cipher, &key.head, sizeof key) ==
         HANJI_OK);
    MUST(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
    MUST(hanji_ctr_init(bytes + 32, block, &key.head, &ctr) == HANJI_OK);
    MUST(hanji_ctr_update(once, message, n, &ctr) == HANJI_OK);
    const uint64_t cost = UINT64_MAX - hanji_block_remaining(&key.head);
    MUST(cost == (n + block - 1) / block);
    MUST(hanji_ctr_init(bytes + 32, block, &key.head, &ctr) == HANJI_OK);
    for (size_t at = 0; at < n;) {
        const size_t part = piece(&sizes, n - at);
        MUST(hanji_ctr_update(pieces + at, message + at, part, &ctr) == HANJI_OK);
        at += part;
    }
    MUST(memcmp(once, pieces, n) == 0);
    MUST(UINT64_MAX - hanji_block_remaining(&key.head) == 2 * cost); /* pieces cost no more */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    uint8_t key[64];
    const unsigned which = take_byte(&in);
    take_into(key, sizeof key, &in);
    const size_t n = in.left < MAX ? in.left : MAX;
    uint8_t *message = exactly(in.p, n);
    const fuzz_input sizes = {message, n}; /* the message also says how it is cut */
    seal_in_pieces(which % AEADS, message, n, sizes, key);
    hash_in_pieces(message, n, sizes);
    customized_in_pieces(message, n, sizes);
    count_in_pieces(hanji_cipher_at(which % hanji_cipher_count()), message, n, sizes, key);
    free(message);
    return 0;
}
