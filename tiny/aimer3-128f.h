/* SPDX-License-Identifier: Apache-2.0 */
#define HANJI_E_RANDOM (-5) /**< There are no random bytes. */
/** AIMer takes its random bytes from it when it is given no source; a weak one always fails. */
int hanji_entropy(uint8_t *out, size_t bytes);
/** Long calls of AIMer call it in between; a weak one of the library does nothing. */
void hanji_yield(void);

/** aimer3-128f, the one parameter set of this amalgam. */
typedef struct hanji_aimer hanji_aimer;
#define HANJI_AIMER3_128F_PUBLIC_KEY_BYTES 32
#define HANJI_AIMER3_128F_SECRET_KEY_BYTES 48
#define HANJI_AIMER3_128F_SIGNATURE_BYTES 6944
#define HANJI_AIMER_CONTEXT_BYTES_MAX 255
/** Scratch memory, of any alignment, for every call; the calls erase it. */
#define HANJI_AIMER3_128F_SCRATCH_BYTES 13376
/** The same with less: the matrices of a key are made again for every repetition. */
#define HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST 7232
/** Option of signing: verify the signature before it is given away. */
#define HANJI_AIMER_CHECK 1u
/** Option of signing: no random bytes, so that the same message has the same signature. */
#define HANJI_AIMER_DETERMINISTIC 2u

/** A source of random bytes: fill `out` and return HANJI_OK, or an error code. */
typedef int hanji_random_fn(uint8_t *out, size_t bytes, void *state);

/** The parameter set by its name, "aimer3-128f", else NULL. */
HANJI_API const hanji_aimer *hanji_aimer_by_name(const char *name);
/** The parameter set for 0, else NULL. */
HANJI_API const hanji_aimer *hanji_aimer_at(size_t index);
HANJI_API size_t hanji_aimer_public_key_bytes(const hanji_aimer *set);
HANJI_API size_t hanji_aimer_secret_key_bytes(const hanji_aimer *set);
HANJI_API size_t hanji_aimer_signature_bytes(const hanji_aimer *set);
HANJI_API size_t hanji_aimer_scratch_bytes(const hanji_aimer *set);
HANJI_API size_t hanji_aimer_scratch_bytes_small(const hanji_aimer *set);
HANJI_API size_t hanji_aimer_scratch_bytes_least(const hanji_aimer *set);

/**
 * Make a key pair. `random`, or hanji_entropy() for NULL, is asked for 16 bytes twice. On an error,
 * HANJI_E_RANDOM or that of `random`, both keys are zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_keypair(uint8_t *public_key, uint8_t *secret_key,
                                                   const hanji_aimer *set, hanji_random_fn *random,
                                                   void *random_state, void *scratch,
                                                   size_t scratch_bytes);
/**
 * Sign a message with a context string of at most 255 bytes. HANJI_E_LENGTH when a size is wrong,
 * HANJI_E_ARGUMENT when the key cannot sign, HANJI_E_TAG when its halves do not belong together. On
 * an error the signature is zeroed, but for overlapping buffers, which are not written.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                 const uint8_t *context, size_t context_bytes, const uint8_t *secret_key,
                 size_t secret_key_bytes, const hanji_aimer *set, unsigned options,
                 hanji_random_fn *random, void *random_state, void *scratch, size_t scratch_bytes);
/** Verify a signature: HANJI_OK, HANJI_E_TAG when it is wrong, HANJI_E_LENGTH for other sizes. */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_verify(const uint8_t *signature, size_t signature_bytes,
                                                  const uint8_t *message, size_t message_bytes,
                                                  const uint8_t *context, size_t context_bytes,
                                                  const uint8_t *public_key,
                                                  size_t public_key_bytes, const hanji_aimer *set,
                                                  void *scratch, size_t scratch_bytes);
