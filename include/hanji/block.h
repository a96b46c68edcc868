/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file block.h
 * @brief Block ciphers (SPECK, SIMON, SIMECK, CHAM) over arrays of blocks, and counter mode.
 *
 * A function names a cipher and returns its descriptor: hanji_speck64_128() and so on. So a program
 * carries only the ciphers that it names. Every cipher has its own context type; the first member,
 * `head`, is the argument of the functions:
 *
 *     hanji_speck64_128_ctx key;
 *     int rc = hanji_block_init(key_bytes, 16, hanji_speck64_128(), &key.head, sizeof key);
 *
 * Byte order: the library order. SPECK, SIMON and SIMECK blocks are LE(y) || LE(x), keys LE(k0) ||
 * LE(k1) || ...; CHAM blocks are LE(X0) || LE(X1) || LE(X2) || LE(X3), keys LE(K0) || LE(K1) and so
 * on. Papers print words, most significant byte first and, except for CHAM, in the opposite order:
 * reverse printed SPECK, SIMON and SIMECK strings as a whole; in printed CHAM strings reverse each
 * word in place.
 *
 * Status: none of these ciphers is approved by NIST; `hanji list` and docs/algorithms.md name the
 * known attacks and the use of each cipher.
 */
#ifndef HANJI_BLOCK_H
#define HANJI_BLOCK_H

#include "hanji/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The descriptor of a block cipher; constant, never freed. */
typedef struct hanji_cipher hanji_cipher;

/**
 * Extra room in the contexts of SPECK-32/64 and CHAM-64/128 for kernels whose round keys have
 * another layout than the canonical one: for RV32, 88 and 64 bytes for those of few blocks, 1496
 * and 1088 for the bit-sliced ones, too. Fixed when the library is built; a program must be
 * compiled with the same value.
 */
#ifndef HANJI_KEY_AREA_BYTES
#define HANJI_KEY_AREA_BYTES 0
#endif
/** @cond */
#if HANJI_KEY_AREA_BYTES
#define HANJI_KEY_AREA uint64_t area[(HANJI_KEY_AREA_BYTES + 7) / 8];
#else
#define HANJI_KEY_AREA
#endif
/** @endcond */

/** The first member of every block cipher context. */
typedef struct hanji_block_ctx {
    const hanji_cipher *cipher;
    uint64_t blocks_used; /* by the modes, over all messages under this key */
    uint64_t blocks_limit;
    uint32_t layout; /* contents of the key area; 0: none */
    uint32_t mark;   /* marks a context with a key */
} hanji_block_ctx;

/** The largest block of any cipher. */
#define HANJI_BLOCK_BYTES_MAX 16
/** The largest key of any cipher. */
#define HANJI_BLOCK_KEY_BYTES_MAX 32

/* SPECK: Beaulieu et al., ePrint 2013/404, section 4. */

#define HANJI_SPECK32_64_BLOCK_BYTES 4
#define HANJI_SPECK32_64_KEY_BYTES 8
#define HANJI_SPECK32_64_ROUND_KEYS 22
/** SPECK-32/64 with its round keys. */
typedef struct hanji_speck32_64_ctx {
    hanji_block_ctx head;
    uint16_t round_keys[HANJI_SPECK32_64_ROUND_KEYS];
    HANJI_KEY_AREA
} hanji_speck32_64_ctx;
/** SPECK-32/64. */
HANJI_API const hanji_cipher *hanji_speck32_64(void);

#define HANJI_SPECK48_72_BLOCK_BYTES 6
#define HANJI_SPECK48_72_KEY_BYTES 9
#define HANJI_SPECK48_72_ROUND_KEYS 22
/** SPECK-48/72 with its round keys. */
typedef struct hanji_speck48_72_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SPECK48_72_ROUND_KEYS];
} hanji_speck48_72_ctx;
/** SPECK-48/72. */
HANJI_API const hanji_cipher *hanji_speck48_72(void);

#define HANJI_SPECK48_96_BLOCK_BYTES 6
#define HANJI_SPECK48_96_KEY_BYTES 12
#define HANJI_SPECK48_96_ROUND_KEYS 23
/** SPECK-48/96 with its round keys. */
typedef struct hanji_speck48_96_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SPECK48_96_ROUND_KEYS];
} hanji_speck48_96_ctx;
/** SPECK-48/96. */
HANJI_API const hanji_cipher *hanji_speck48_96(void);

#define HANJI_SPECK64_96_BLOCK_BYTES 8
#define HANJI_SPECK64_96_KEY_BYTES 12
#define HANJI_SPECK64_96_ROUND_KEYS 26
/** SPECK-64/96 with its round keys. */
typedef struct hanji_speck64_96_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SPECK64_96_ROUND_KEYS];
} hanji_speck64_96_ctx;
/** SPECK-64/96. */
HANJI_API const hanji_cipher *hanji_speck64_96(void);

#define HANJI_SPECK64_128_BLOCK_BYTES 8
#define HANJI_SPECK64_128_KEY_BYTES 16
#define HANJI_SPECK64_128_ROUND_KEYS 27
/** SPECK-64/128 with its round keys. */
typedef struct hanji_speck64_128_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SPECK64_128_ROUND_KEYS];
} hanji_speck64_128_ctx;
/** SPECK-64/128. */
HANJI_API const hanji_cipher *hanji_speck64_128(void);

#define HANJI_SPECK96_96_BLOCK_BYTES 12
#define HANJI_SPECK96_96_KEY_BYTES 12
#define HANJI_SPECK96_96_ROUND_KEYS 28
/** SPECK-96/96 with its round keys. */
typedef struct hanji_speck96_96_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SPECK96_96_ROUND_KEYS];
} hanji_speck96_96_ctx;
/** SPECK-96/96. */
HANJI_API const hanji_cipher *hanji_speck96_96(void);

#define HANJI_SPECK96_144_BLOCK_BYTES 12
#define HANJI_SPECK96_144_KEY_BYTES 18
#define HANJI_SPECK96_144_ROUND_KEYS 29
/** SPECK-96/144 with its round keys. */
typedef struct hanji_speck96_144_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SPECK96_144_ROUND_KEYS];
} hanji_speck96_144_ctx;
/** SPECK-96/144. */
HANJI_API const hanji_cipher *hanji_speck96_144(void);

#define HANJI_SPECK128_128_BLOCK_BYTES 16
#define HANJI_SPECK128_128_KEY_BYTES 16
#define HANJI_SPECK128_128_ROUND_KEYS 32
/** SPECK-128/128 with its round keys. */
typedef struct hanji_speck128_128_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SPECK128_128_ROUND_KEYS];
} hanji_speck128_128_ctx;
/** SPECK-128/128. */
HANJI_API const hanji_cipher *hanji_speck128_128(void);

#define HANJI_SPECK128_192_BLOCK_BYTES 16
#define HANJI_SPECK128_192_KEY_BYTES 24
#define HANJI_SPECK128_192_ROUND_KEYS 33
/** SPECK-128/192 with its round keys. */
typedef struct hanji_speck128_192_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SPECK128_192_ROUND_KEYS];
} hanji_speck128_192_ctx;
/** SPECK-128/192. */
HANJI_API const hanji_cipher *hanji_speck128_192(void);

#define HANJI_SPECK128_256_BLOCK_BYTES 16
#define HANJI_SPECK128_256_KEY_BYTES 32
#define HANJI_SPECK128_256_ROUND_KEYS 34
/** SPECK-128/256 with its round keys. */
typedef struct hanji_speck128_256_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SPECK128_256_ROUND_KEYS];
} hanji_speck128_256_ctx;
/** SPECK-128/256. */
HANJI_API const hanji_cipher *hanji_speck128_256(void);

/* SIMON: Beaulieu et al., ePrint 2013/404, section 3. */

#define HANJI_SIMON32_64_BLOCK_BYTES 4
#define HANJI_SIMON32_64_KEY_BYTES 8
#define HANJI_SIMON32_64_ROUND_KEYS 32
/** SIMON-32/64 with its round keys. */
typedef struct hanji_simon32_64_ctx {
    hanji_block_ctx head;
    uint16_t round_keys[HANJI_SIMON32_64_ROUND_KEYS];
} hanji_simon32_64_ctx;
/** SIMON-32/64. */
HANJI_API const hanji_cipher *hanji_simon32_64(void);

#define HANJI_SIMON48_72_BLOCK_BYTES 6
#define HANJI_SIMON48_72_KEY_BYTES 9
#define HANJI_SIMON48_72_ROUND_KEYS 36
/** SIMON-48/72 with its round keys. */
typedef struct hanji_simon48_72_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SIMON48_72_ROUND_KEYS];
} hanji_simon48_72_ctx;
/** SIMON-48/72. */
HANJI_API const hanji_cipher *hanji_simon48_72(void);

#define HANJI_SIMON48_96_BLOCK_BYTES 6
#define HANJI_SIMON48_96_KEY_BYTES 12
#define HANJI_SIMON48_96_ROUND_KEYS 36
/** SIMON-48/96 with its round keys. */
typedef struct hanji_simon48_96_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SIMON48_96_ROUND_KEYS];
} hanji_simon48_96_ctx;
/** SIMON-48/96. */
HANJI_API const hanji_cipher *hanji_simon48_96(void);

#define HANJI_SIMON64_96_BLOCK_BYTES 8
#define HANJI_SIMON64_96_KEY_BYTES 12
#define HANJI_SIMON64_96_ROUND_KEYS 42
/** SIMON-64/96 with its round keys. */
typedef struct hanji_simon64_96_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SIMON64_96_ROUND_KEYS];
} hanji_simon64_96_ctx;
/** SIMON-64/96. */
HANJI_API const hanji_cipher *hanji_simon64_96(void);

#define HANJI_SIMON64_128_BLOCK_BYTES 8
#define HANJI_SIMON64_128_KEY_BYTES 16
#define HANJI_SIMON64_128_ROUND_KEYS 44
/** SIMON-64/128 with its round keys. */
typedef struct hanji_simon64_128_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SIMON64_128_ROUND_KEYS];
} hanji_simon64_128_ctx;
/** SIMON-64/128. */
HANJI_API const hanji_cipher *hanji_simon64_128(void);

#define HANJI_SIMON96_96_BLOCK_BYTES 12
#define HANJI_SIMON96_96_KEY_BYTES 12
#define HANJI_SIMON96_96_ROUND_KEYS 52
/** SIMON-96/96 with its round keys. */
typedef struct hanji_simon96_96_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SIMON96_96_ROUND_KEYS];
} hanji_simon96_96_ctx;
/** SIMON-96/96. */
HANJI_API const hanji_cipher *hanji_simon96_96(void);

#define HANJI_SIMON96_144_BLOCK_BYTES 12
#define HANJI_SIMON96_144_KEY_BYTES 18
#define HANJI_SIMON96_144_ROUND_KEYS 54
/** SIMON-96/144 with its round keys. */
typedef struct hanji_simon96_144_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SIMON96_144_ROUND_KEYS];
} hanji_simon96_144_ctx;
/** SIMON-96/144. */
HANJI_API const hanji_cipher *hanji_simon96_144(void);

#define HANJI_SIMON128_128_BLOCK_BYTES 16
#define HANJI_SIMON128_128_KEY_BYTES 16
#define HANJI_SIMON128_128_ROUND_KEYS 68
/** SIMON-128/128 with its round keys. */
typedef struct hanji_simon128_128_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SIMON128_128_ROUND_KEYS];
} hanji_simon128_128_ctx;
/** SIMON-128/128. */
HANJI_API const hanji_cipher *hanji_simon128_128(void);

#define HANJI_SIMON128_192_BLOCK_BYTES 16
#define HANJI_SIMON128_192_KEY_BYTES 24
#define HANJI_SIMON128_192_ROUND_KEYS 69
/** SIMON-128/192 with its round keys. */
typedef struct hanji_simon128_192_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SIMON128_192_ROUND_KEYS];
} hanji_simon128_192_ctx;
/** SIMON-128/192. */
HANJI_API const hanji_cipher *hanji_simon128_192(void);

#define HANJI_SIMON128_256_BLOCK_BYTES 16
#define HANJI_SIMON128_256_KEY_BYTES 32
#define HANJI_SIMON128_256_ROUND_KEYS 72
/** SIMON-128/256 with its round keys. */
typedef struct hanji_simon128_256_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SIMON128_256_ROUND_KEYS];
} hanji_simon128_256_ctx;
/** SIMON-128/256. */
HANJI_API const hanji_cipher *hanji_simon128_256(void);

/* SIMECK: Yang et al., CHES 2015, section 2. */

#define HANJI_SIMECK32_64_BLOCK_BYTES 4
#define HANJI_SIMECK32_64_KEY_BYTES 8
#define HANJI_SIMECK32_64_ROUND_KEYS 32
/** SIMECK-32/64 with its round keys. */
typedef struct hanji_simeck32_64_ctx {
    hanji_block_ctx head;
    uint16_t round_keys[HANJI_SIMECK32_64_ROUND_KEYS];
} hanji_simeck32_64_ctx;
/** SIMECK-32/64. */
HANJI_API const hanji_cipher *hanji_simeck32_64(void);

#define HANJI_SIMECK48_96_BLOCK_BYTES 6
#define HANJI_SIMECK48_96_KEY_BYTES 12
#define HANJI_SIMECK48_96_ROUND_KEYS 36
/** SIMECK-48/96 with its round keys. */
typedef struct hanji_simeck48_96_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SIMECK48_96_ROUND_KEYS];
} hanji_simeck48_96_ctx;
/** SIMECK-48/96. */
HANJI_API const hanji_cipher *hanji_simeck48_96(void);

#define HANJI_SIMECK64_128_BLOCK_BYTES 8
#define HANJI_SIMECK64_128_KEY_BYTES 16
#define HANJI_SIMECK64_128_ROUND_KEYS 44
/** SIMECK-64/128 with its round keys. */
typedef struct hanji_simeck64_128_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_SIMECK64_128_ROUND_KEYS];
} hanji_simeck64_128_ctx;
/** SIMECK-64/128. */
HANJI_API const hanji_cipher *hanji_simeck64_128(void);

/* CHAM: Roh et al., ICISC 2019 (revised round counts). */

#define HANJI_CHAM64_128_BLOCK_BYTES 8
#define HANJI_CHAM64_128_KEY_BYTES 16
#define HANJI_CHAM64_128_ROUND_KEYS 16
/** CHAM-64/128 with its round keys. */
typedef struct hanji_cham64_128_ctx {
    hanji_block_ctx head;
    uint16_t round_keys[HANJI_CHAM64_128_ROUND_KEYS];
    HANJI_KEY_AREA
} hanji_cham64_128_ctx;
/** CHAM-64/128, 88 rounds. */
HANJI_API const hanji_cipher *hanji_cham64_128(void);
/**
 * CHAM-64/128 with the 80 rounds of 2017 (Koo et al., ICISC 2017): to read old data only. Same
 * context type.
 */
HANJI_API const hanji_cipher *hanji_cham64_128_original(void);

#define HANJI_CHAM128_128_BLOCK_BYTES 16
#define HANJI_CHAM128_128_KEY_BYTES 16
#define HANJI_CHAM128_128_ROUND_KEYS 8
/** CHAM-128/128 with its round keys. */
typedef struct hanji_cham128_128_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_CHAM128_128_ROUND_KEYS];
} hanji_cham128_128_ctx;
/** CHAM-128/128, 112 rounds. */
HANJI_API const hanji_cipher *hanji_cham128_128(void);
/**
 * CHAM-128/128 with the 80 rounds of 2017 (Koo et al., ICISC 2017): to read old data only. Same
 * context type.
 */
HANJI_API const hanji_cipher *hanji_cham128_128_original(void);

#define HANJI_CHAM128_256_BLOCK_BYTES 16
#define HANJI_CHAM128_256_KEY_BYTES 32
#define HANJI_CHAM128_256_ROUND_KEYS 16
/** CHAM-128/256 with its round keys. */
typedef struct hanji_cham128_256_ctx {
    hanji_block_ctx head;
    uint32_t round_keys[HANJI_CHAM128_256_ROUND_KEYS];
} hanji_cham128_256_ctx;
/** CHAM-128/256, 120 rounds. */
HANJI_API const hanji_cipher *hanji_cham128_256(void);
/**
 * CHAM-128/256 with the 96 rounds of 2017 (Koo et al., ICISC 2017): to read old data only. Same
 * context type.
 */
HANJI_API const hanji_cipher *hanji_cham128_256_original(void);

/** A context that holds any cipher of the library, for programs that choose at run time. */
typedef struct hanji_any_block_ctx {
    hanji_block_ctx head;
    uint64_t round_keys[HANJI_SIMON128_256_ROUND_KEYS];
    HANJI_KEY_AREA
} hanji_any_block_ctx;

/**
 * Find a cipher by its canonical name, for example "speck-64/128" or "cham-64/128-original"; NULL
 * when there is none.
 */
HANJI_API const hanji_cipher *hanji_cipher_find(const char *name);
/** How many ciphers the library has. */
HANJI_API size_t hanji_cipher_count(void);
/** A cipher by its place in the list, or NULL past the end. */
HANJI_API const hanji_cipher *hanji_cipher_at(size_t index);
/** The canonical name. This and the next functions give NULL or 0 for a cipher NULL. */
HANJI_API const char *hanji_cipher_name(const hanji_cipher *cipher);
/** Block size in bytes: 4, 6, 8, 12 or 16. */
HANJI_API size_t hanji_cipher_block_bytes(const hanji_cipher *cipher);
/** Key size in bytes. */
HANJI_API size_t hanji_cipher_key_bytes(const hanji_cipher *cipher);
/** Size in bytes of the context that hanji_block_init needs for this cipher. */
HANJI_API size_t hanji_cipher_ctx_bytes(const hanji_cipher *cipher);
/**
 * The default data limit per key, in blocks, that the modes keep: 2^6, 2^14, 2^20, 2^38 or 2^48 by
 * block size.
 */
HANJI_API uint64_t hanji_cipher_limit(const hanji_cipher *cipher);

/**
 * Expand a key.
 *
 * @param key        the key, in library byte order; it may lie in the memory of the context
 * @param key_bytes  its size; anything but hanji_cipher_key_bytes(cipher) is HANJI_E_LENGTH
 * @param cipher     the cipher, for example hanji_speck64_128()
 * @param ctx        the head of a context; zeroed on failure when it is large enough
 * @param ctx_bytes  size of the whole context; too small is HANJI_E_LENGTH
 */
HANJI_API HANJI_MUST_CHECK int hanji_block_init(const uint8_t *key, size_t key_bytes,
                                                const hanji_cipher *cipher, hanji_block_ctx *ctx,
                                                size_t ctx_bytes);
/**
 * Encrypt `blocks` independent blocks (the bare permutation, "ECB"; not a way to encrypt data: see
 * hanji_ctr_* and hanji_eax_*).
 *
 * In place allowed. Does not count against the data limit, so that the context is constant and may
 * be shared between threads.
 */
HANJI_API HANJI_MUST_CHECK int hanji_block_encrypt(uint8_t *out, const uint8_t *in, size_t blocks,
                                                   const hanji_block_ctx *ctx);
/** Decrypt `blocks` independent blocks. In place allowed. */
HANJI_API HANJI_MUST_CHECK int hanji_block_decrypt(uint8_t *out, const uint8_t *in, size_t blocks,
                                                   const hanji_block_ctx *ctx);
/**
 * Set the data limit of this key for the modes, in blocks over all messages. Raising it is the
 * caller's explicit decision; UINT64_MAX means none. Contexts cannot count across processes or
 * copies: a key used in several places needs a limit divided between them.
 */
HANJI_API HANJI_MUST_CHECK int hanji_block_set_limit(uint64_t blocks, hanji_block_ctx *ctx);
/** How many blocks the modes may still process under this key; 0 without a key. */
HANJI_API uint64_t hanji_block_remaining(const hanji_block_ctx *ctx);
/** Erase a context with its round keys. */
HANJI_API void hanji_block_wipe(hanji_block_ctx *ctx);

/**
 * Counter mode (NIST SP 800-38A, section 6.5) over any cipher: a stream that continues at any byte.
 *
 * The counter is the whole block as one big-endian integer and wraps as specified. Each counter
 * block begun counts against the limit of the key; a counter block is never used twice
 * within a context (HANJI_E_LIMIT when the counter has run through all values). The caller supplies
 * first counter blocks whose ranges do not overlap under one key. No integrity: use EAX or SCHWAEMM
 * unless something else protects the data.
 */
typedef struct hanji_ctr_ctx {
    hanji_block_ctx *block;
    /* that of the key when the stream began: another one under it is refused */
    const hanji_cipher *cipher;
    uint64_t counters_left; /* before the counter would repeat */
    uint8_t counter[HANJI_BLOCK_BYTES_MAX];
    uint8_t keystream[HANJI_BLOCK_BYTES_MAX];
    uint32_t keystream_left; /* unused bytes at the end of keystream */
    uint32_t ready;
} hanji_ctr_ctx;

/**
 * Begin a stream. `iv` is the first counter block, `iv_bytes` must be the block size (else
 * HANJI_E_LENGTH). `block` is borrowed: it must outlive the stream and is written to (it counts),
 * so one thread at a time.
 *
 * The stream remembers the cipher. When hanji_block_init() has put another cipher into `block`, or
 * hanji_block_wipe() has erased it, every further call is HANJI_E_ARGUMENT. A new key of the same
 * cipher is not noticed: the stream goes on from its counter under the new key, after the rest of a
 * block that was made under the old one. No memory is read or written that should not be, but such
 * a stream is of no use: begin a new one after re-keying.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ctr_init(const uint8_t *iv, size_t iv_bytes,
                                              hanji_block_ctx *block, hanji_ctr_ctx *ctx);
/**
 * Encrypt or decrypt the next `bytes` bytes; in place allowed. HANJI_E_LIMIT when the limit would
 * be passed: nothing is written then and the stream is as before.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ctr_update(uint8_t *out, const uint8_t *in, size_t bytes,
                                                hanji_ctr_ctx *ctx);
/** Erase the stream (not the key). */
HANJI_API void hanji_ctr_wipe(hanji_ctr_ctx *ctx);
/**
 * Encrypt or decrypt one whole message under a key of its own: the same bytes as hanji_block_init,
 * hanji_ctr_init and hanji_ctr_update, in one call, without a context; round keys are erased.
 * The fastest way where every message has another key; for many of them at once take
 * hanji_ctr_fleet(). In place allowed. No integrity.
 *
 * @param out        `bytes` bytes; may be `in`, and overlaps nothing else
 * @param in         the text
 * @param bytes      its size; more blocks than hanji_cipher_limit(cipher) are HANJI_E_LIMIT, and
 *                   nothing is written. Nobody counts over several calls: this limit is for a key
 *                   of one message
 * @param iv         the first counter block
 * @param iv_bytes   the block size of the cipher, else HANJI_E_LENGTH
 * @param key        the key, in library byte order
 * @param key_bytes  the key size of the cipher, else HANJI_E_LENGTH
 * @param cipher     the cipher, for example hanji_speck64_128()
 */
HANJI_API HANJI_MUST_CHECK int hanji_ctr(uint8_t *out, const uint8_t *in, size_t bytes,
                                         const uint8_t *iv, size_t iv_bytes, const uint8_t *key,
                                         size_t key_bytes, const hanji_cipher *cipher);

#ifdef __cplusplus
}
#endif
#endif
