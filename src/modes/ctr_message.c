/* SPDX-License-Identifier: Apache-2.0 */
/* Counter mode over one message with a key of its own. */
#include "hanji/block.h"

#include "modes/modes.h"
#include "support/bytes.h"
#include "support/cpu.h"
#include "support/secret.h"

/* Where its arrays lie in cache lines is worth a tenth of a short message. */
#ifdef HANJI_FREESTANDING
#define IN_LINE
#else
#define IN_LINE __attribute__((aligned(64)))
#endif

/*
 * With round keys in memory, erased at the end. The stack below is erased behind the kernel, deeper
 * than the key schedule reaches.
 */
HANJI_NOINLINE int hanji_ctr_with_context(uint8_t *out, const uint8_t *in, size_t bytes,
                                          const uint8_t *iv, const uint8_t *key,
                                          const hanji_cipher *cipher, uint32_t features)
{
    hanji_any_block_ctx block IN_LINE;
    uint8_t counter[HANJI_BLOCK_BYTES_MAX], keystream[HANJI_BLOCK_BYTES_MAX];
    /* In the pieces of the kernels' loads. */
    if (cipher->block_bytes == 8)
        memcpy(counter, iv, 8);
    else if (cipher->block_bytes == 16)
        memcpy(counter, iv, 16);
    else
        memcpy(counter, iv, cipher->block_bytes);
#if HANJI_ROWS_IN_THREES && (defined(HANJI_X86) || defined(HANJI_A64))
    /* Chosen before the key schedule: beside it the rounds begin the sooner. */
    const hanji_kernel *row = hanji_cipher_short(cipher, bytes, features);
    if (row != NULL && (bytes > cipher->few_bytes || (features & cipher->few_unless) != 0)) {
        cipher->expand(block.round_keys, key);
        row->run.brief(out, in, bytes, counter, keystream, block.round_keys);
        hanji_wipe(block.round_keys, cipher->ctx_bytes - sizeof block.head);
        wipe_here(keystream, sizeof keystream);
        return HANJI_OK;
    }
#endif
    (void)features;
#ifdef HANJI_FREESTANDING
    const int rc = hanji_block_init(key, cipher->key_bytes, cipher, &block.head, sizeof block);
    if (rc != HANJI_OK)
        return rc;
#else
    hanji_block_rekey(key, cipher, &block.head);
#endif
    hanji_block_run_ctr(out, in, bytes, counter, keystream, &block.head);
    hanji_wipe(&block, cipher->ctx_bytes);
    wipe_here(keystream, sizeof keystream);
    return HANJI_OK;
}

/* Long and wrong calls. */
static HANJI_NOINLINE int any(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,
                              size_t iv_bytes, const uint8_t *key, size_t key_bytes,
                              const hanji_cipher *cipher)
{
    if (cipher == NULL || iv == NULL || key == NULL || !valid(out, bytes) || !valid(in, bytes) ||
        overlap_partly(out, bytes, in, bytes) || overlap(out, bytes, iv, iv_bytes) ||
        overlap(out, bytes, key, key_bytes))
        return HANJI_E_ARGUMENT;
    if (iv_bytes != cipher->block_bytes || key_bytes != cipher->key_bytes)
        return HANJI_E_LENGTH;
    const uint32_t features = hanji_features();
    if ((features & HANJI_CPU_REFUSED) != 0)
        return HANJI_E_UNSUPPORTED;
    if (hanji_blocks_begun(bytes, cipher->block_bytes) > hanji_cipher_limit(cipher))
        return HANJI_E_LIMIT;
    return bytes == 0 ? HANJI_OK : hanji_ctr_message(out, in, bytes, iv, key, cipher, features);
}

int hanji_ctr(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv, size_t iv_bytes,
              const uint8_t *key, size_t key_bytes, const hanji_cipher *cipher)
{
#if HANJI_ROWS_IN_THREES
    /* Short calls, none of them wrong or past a limit, by fewer instructions. */
    if (bytes - 1 < 512 && out != NULL && in != NULL && iv != NULL && key != NULL &&
        cipher != NULL && (iv_bytes == 8 || iv_bytes == 16) && iv_bytes == cipher->block_bytes &&
        key_bytes == cipher->key_bytes && (out == in || !overlap_few(out, bytes, in, bytes)) &&
        !overlap_few(out, bytes, iv, iv_bytes) && !overlap_few(out, bytes, key, key_bytes)) {
        const uint32_t features = hanji_features();
        if ((features & HANJI_CPU_REFUSED) == 0)
            return hanji_ctr_message(out, in, bytes, iv, key, cipher, features);
    }
#endif
    return any(out, in, bytes, iv, iv_bytes, key, key_bytes, cipher);
}
