/* SPDX-License-Identifier: Apache-2.0 */
#define HANJI_TINY 1
#if defined(__GNUC__) || defined(__clang__)
#define HANJI_API __attribute__((visibility("default")))
#define HANJI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HANJI_API
#define HANJI_MUST_CHECK
#endif

#define HANJI_OK 0 /**< Done. */
/** NULL, an overlap, a context that is not ready. */
#define HANJI_E_ARGUMENT (-1)
#define HANJI_E_LENGTH (-2) /**< A length is not one that the algorithm takes. */
/** The tag does not match: message, key, nonce or associated data differ. */
#define HANJI_E_TAG (-3)
#define HANJI_E_LIMIT (-4) /**< The data limit of this key would be exceeded. */

/** Overwrite `bytes` bytes with zeros in a way that the compiler may not remove. */
HANJI_API void hanji_wipe(void *memory, size_t bytes);
/** Compare two buffers in time that depends on `bytes` only; 1 when equal, else 0. */
HANJI_API HANJI_MUST_CHECK int hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes);
