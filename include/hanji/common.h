/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file common.h
 * @brief Error codes, version, selection of kernels, the list of algorithms and the self-test.
 *
 * Conventions of every function of the library:
 * - arguments come in the order outputs, inputs each with its length, context last; sizes are in
 *   bytes unless the name says otherwise;
 * - a function that can fail returns HANJI_OK (0) or a negative code; on failure it writes nothing,
 *   or zeros where its description says so;
 * - (NULL, 0) is a valid empty buffer; pointers may have any alignment;
 * - an output (text, tag, digest, status, context) overlaps no other output and no input, not even
 *   in part; else HANJI_E_ARGUMENT, and nothing is written. One exception: in place, a text and its
 *   result (plaintext and ciphertext, blocks, a message and its digest) may begin at the same byte;
 * - nothing allocates memory; contexts are plain structures of fixed size that the caller owns.
 *   Their members are visible so that a caller can place them on the stack; do not use the members.
 */
#ifndef HANJI_COMMON_H
#define HANJI_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** First part of the version; also that of the shared library's name. */
#define HANJI_VERSION_MAJOR 0
#define HANJI_VERSION_MINOR 2 /**< Second part of the version. */
#define HANJI_VERSION_PATCH 0 /**< Third part of the version. */
/** The version as text. */
#define HANJI_VERSION "0.2.0"
/** The version as a number: major * 1000000 + minor * 1000 + patch. */
#define HANJI_VERSION_NUMBER                                                        \
    (INT32_C(1000000) * HANJI_VERSION_MAJOR + INT32_C(1000) * HANJI_VERSION_MINOR + \
     HANJI_VERSION_PATCH)

/** @cond */
#if defined(__GNUC__) || defined(__clang__)
#define HANJI_API __attribute__((visibility("default")))
#define HANJI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HANJI_API
#define HANJI_MUST_CHECK
#endif
/** @endcond */

#define HANJI_OK 0 /**< Done. */
/** NULL, an overlap, a context not ready or of another cipher, or a wrong order of calls */
#define HANJI_E_ARGUMENT (-1)
#define HANJI_E_LENGTH (-2) /**< A length is not one that the algorithm takes. */
/** The tag does not match: message, key, nonce or associated data differ. */
#define HANJI_E_TAG (-3)
/** The data limit of this key would be exceeded; see the set_limit functions. */
#define HANJI_E_LIMIT (-4)
#define HANJI_E_RANDOM (-5) /**< The source of random bytes gave none. */
/** The tier asked for is not in this build or does not run on this machine. */
#define HANJI_E_UNSUPPORTED (-6)
#define HANJI_E_DEVICE (-7) /**< An accelerator or its driver failed. */

/** The version of the running library, as text; compare with HANJI_VERSION. */
HANJI_API const char *hanji_version(void);
/** The version of the running library, as a number; compare with HANJI_VERSION_NUMBER. */
HANJI_API int32_t hanji_version_number(void);
/** The name of an error code, for example "HANJI_E_TAG"; "unknown" for any other number. */
HANJI_API const char *hanji_error_name(int code);
/** One sentence for an error code: the cause and the remedy. */
HANJI_API const char *hanji_error_text(int code);

/** Overwrite `bytes` bytes with zeros in a way that the compiler may not remove. */
HANJI_API void hanji_wipe(void *memory, size_t bytes);
/** Compare two buffers in time that depends on `bytes` only; 1 when equal, else 0. */
HANJI_API HANJI_MUST_CHECK int hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes);

/**
 * Fill `out` with random bytes from the operating system; in freestanding builds from
 * hanji_entropy(). HANJI_E_RANDOM when the source refuses; `out` is then zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_random(uint8_t *out, size_t bytes);
/**
 * The source of random bytes of a firmware: only freestanding builds call it, and the firmware
 * defines it. Fill `out` with `bytes` bytes fit for keys and return HANJI_OK, or return
 * HANJI_E_RANDOM. A freestanding libhanji has a weak definition and always gets
 * HANJI_E_RANDOM from it. Do not call it: call hanji_random(), because it zeroes the buffer after a
 * failure.
 */
int hanji_entropy(uint8_t *out, size_t bytes);
/**
 * A pause in a long call of a firmware: freestanding builds call it in every key pair, signature
 * and verification of AIMer and SLH-DSA, dozens to thousands of times, and the firmware may define
 * it: feed a watchdog, let another task run. It must not use the memory of the call. A freestanding
 * libhanji has a weak definition that does nothing.
 */
void hanji_yield(void);

/**
 * Cap the kernels at a tier: "portable", or a tier of this build. NULL removes the cap.
 *
 * Host builds read the environment variable HANJI_FORCE at first use; a call of this function
 * replaces it. Freestanding builds have only
 * this call. Contexts keyed before the call stay valid. HANJI_E_UNSUPPORTED when the tier is not
 * in this build or does not run here;
 * the selection is then unchanged. In freestanding builds call it before other threads or
 * interrupts use the library.
 */
HANJI_API HANJI_MUST_CHECK int hanji_force(const char *tier);
/**
 * HANJI_OK, or HANJI_E_UNSUPPORTED when HANJI_FORCE names a tier that is not there (every keyed
 * operation then fails the same way).
 */
HANJI_API HANJI_MUST_CHECK int hanji_selection(void);
/** How many tiers this build has; tier 0 is "portable". */
HANJI_API size_t hanji_tier_count(void);
/** The name of a tier, or NULL past the end. */
HANJI_API const char *hanji_tier_name(size_t index);
/**
 * 2 when kernels of the tier are in use, 1 when this machine could run them but a cap forbids it, 0
 * when it cannot.
 */
HANJI_API int hanji_tier_state(size_t index);

/**
 * The CPU features that kernels may use now, as bits: for libraries that are built together with
 * this one, such as libhanji-rainbow, so that one selection governs all. What the bits mean may
 * change with every version.
 */
HANJI_API uint32_t hanji_cpu_features(void);

/** The kind of an algorithm. */
typedef enum hanji_kind {
    HANJI_KIND_BLOCK = 1,       /**< block cipher */
    HANJI_KIND_MODE = 2,        /**< mode of operation over a block cipher */
    HANJI_KIND_PERMUTATION = 3, /**< unkeyed permutation */
    HANJI_KIND_AEAD = 4,        /**< authenticated encryption with associated data */
    HANJI_KIND_HASH = 5,        /**< hash function */
    HANJI_KIND_XOF = 6,         /**< extendable-output function */
    /** signature scheme; key: the secret key, block: the public key, tag: the signature */
    HANJI_KIND_SIGNATURE = 7
} hanji_kind;

/** The status of an algorithm in one word. The last three warn against it. */
typedef enum hanji_advice {
    HANJI_ADVICE_RECOMMENDED = 1, /**< the choice for new designs */
    HANJI_ADVICE_OK = 2,          /**< sound within its limits, but not the first choice */
    HANJI_ADVICE_LEGACY = 3,      /**< only for devices and data that use it already */
    HANJI_ADVICE_RESEARCH = 4,    /**< attacks come close to the full algorithm: for study only */
    HANJI_ADVICE_BROKEN = 5       /**< it protects nothing any more: for study only */
} hanji_advice;

/** One algorithm of the library; sizes in bytes, 0 where a size has no meaning or is free. */
typedef struct hanji_algorithm {
    const char *name;     /**< for example "speck-64/128" */
    const char *standard; /**< where it is specified */
    const char *status;   /**< one line: known attacks and intended use */
    hanji_kind kind;      /**< its kind */
    uint16_t key_bytes;   /**< key; the secret one of a signature scheme */
    /**
     * block, or rate of a hash or AEAD, or state of a permutation, or public key of a signature
     * scheme
     */
    uint16_t block_bytes;
    uint16_t nonce_bytes;  /**< nonce */
    uint16_t tag_bytes;    /**< tag, or signature */
    uint16_t digest_bytes; /**< digest */
    /** data limit per key: 2^limit_log2 blocks (block ciphers) or bytes (AEAD, hash) */
    uint16_t limit_log2;
    hanji_advice advice; /**< `status` in one word */
} hanji_algorithm;

/** How many algorithms the library has. */
HANJI_API size_t hanji_algorithm_count(void);
/** One algorithm, or NULL past the end. */
HANJI_API const hanji_algorithm *hanji_algorithm_at(size_t index);

/** One row of a kernel table, for listings. */
typedef struct hanji_kernel_info {
    const char *name; /**< for example "speck64_128_portable_x32" */
    const char *tier; /**< the tier that it belongs to */
    const char *
        operation; /**< "encrypt", "decrypt", "ctr", "permute", "expand", "fleet", "streams", "messages", "ragged", "prepare", "apply", "products", "power", "absorb" */
    const char *algorithm; /**< the algorithm that it serves */
    uint32_t group;        /**< blocks, states or messages per group */
    uint32_t minimum;      /**< calls with fewer are left to later rows */
    int usable;            /**< 1 when the present selection may use it */
} hanji_kernel_info;

/** How many rows the kernel tables have together. */
HANJI_API size_t hanji_kernel_count(void);
/** Describe row `index`; HANJI_E_ARGUMENT past the end. */
HANJI_API HANJI_MUST_CHECK int hanji_kernel_at(hanji_kernel_info *info, size_t index);

/**
 * Run a known-answer test of every algorithm, in both directions, with the kernels in use.
 * HANJI_OK, or HANJI_E_TAG and, when `failed` is not NULL, the name of the first algorithm that
 * answers wrong.
 */
HANJI_API HANJI_MUST_CHECK int hanji_selftest(const char **failed);
/**
 * Run the known-answer tests of one algorithm by its place in the list; HANJI_E_TAG when it answers
 * wrong.
 */
HANJI_API HANJI_MUST_CHECK int hanji_selftest_one(size_t index);

#ifdef __cplusplus
}
#endif
#endif
