/* SPDX-License-Identifier: Apache-2.0 */
/* Whole messages of EAX, as the one-shot calls and the fleet use it. */
#ifndef HANJI_MODES_EAX_H
#define HANJI_MODES_EAX_H

#include "hanji/aead.h"
#include "support/kernel.h"

/*
 * A whole message of EAX, whose arrays are of one call: what is written lies apart from everything
 * but the text that it is made of.
 */
typedef struct hanji_eax_arrays {
    uint8_t *out;
    size_t out_bytes;
    const uint8_t *in;
    size_t in_bytes;
    const uint8_t *ad;
    size_t ad_bytes;
    const uint8_t *nonce;
    size_t nonce_bytes;
} hanji_eax_arrays;

#if HANJI_GROUP_MESSAGES_MAX > 1
/* A key for messages with tags of `tag_bytes`: one cipher call. */
void hanji_eax_bind(size_t tag_bytes, hanji_block_ctx *key, hanji_eax_ctx *ctx);
#endif
/* Such a message; they count, and return HANJI_E_LIMIT before they write anything. */
int hanji_eax_seal(uint8_t *tag, size_t bytes, const hanji_eax_arrays *a, hanji_eax_ctx *ctx);
int hanji_eax_open(uint8_t *out, const uint8_t *tag, size_t bytes, const hanji_eax_arrays *a,
                   hanji_eax_ctx *ctx);

#endif
