/* SPDX-License-Identifier: Apache-2.0 */
/** The block cipher of this amalgam. */
typedef struct hanji_cipher hanji_cipher;
/**
 * The first member of the context: what the modes have used of the data limit. The counters have 32
 * bits: a limit above 2^32 - 1 blocks is that.
 */
typedef struct hanji_block_ctx {
    uint32_t mark;
    uint32_t blocks_limit;
    uint32_t blocks_left;
} hanji_block_ctx;
#define HANJI_@MACRO@_BLOCK_BYTES 8
#define HANJI_@MACRO@_KEY_BYTES 16
#define HANJI_@MACRO@_ROUND_KEYS @KEYS@
/** @NAME@ with its round keys. */
typedef struct hanji_@ID@_ctx {
    hanji_block_ctx head;
    @WORD@ round_keys[HANJI_@MACRO@_ROUND_KEYS@MORE@];
} hanji_@ID@_ctx;
/** @NAME@. */
HANJI_API const hanji_cipher *hanji_@ID@(void);
/** Expand a key of 16 bytes; it may lie in the memory of the context, which a failure zeroes. */
HANJI_API HANJI_MUST_CHECK int hanji_block_init(const uint8_t *key, size_t key_bytes,
                                                const hanji_cipher *cipher, hanji_block_ctx *ctx,
                                                size_t ctx_bytes);
/** Set the data limit of this key, in blocks over all messages; 2^20 unless set. */
HANJI_API HANJI_MUST_CHECK int hanji_block_set_limit(uint64_t blocks, hanji_block_ctx *ctx);
/** How many blocks the modes may still process under this key; 0 without a key. */
HANJI_API uint64_t hanji_block_remaining(const hanji_block_ctx *ctx);
/** Erase a context with its round keys. */
HANJI_API void hanji_block_wipe(hanji_block_ctx *ctx);
/** Key stream that is not used up. */
typedef struct hanji_block_stream {
    hanji_block_ctx *block;
    uint32_t counter[2];
    uint32_t keystream[2];
    uint8_t left; /* unused bytes at the end of keystream */
} hanji_block_stream;
