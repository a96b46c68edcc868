/* SPDX-License-Identifier: Apache-2.0 */
/** @SET@ (FIPS 205): verification in pieces, in pure mode. */
typedef struct hanji_slhdsa hanji_slhdsa;
#define HANJI_SLHDSA_@MACRO@_PUBLIC_KEY_BYTES (2 * @N@)
#define HANJI_SLHDSA_@MACRO@_SIGNATURE_BYTES @SIGNATURE@
#define HANJI_SLHDSA_CONTEXT_BYTES_MAX 255
/** Mode: the message itself is signed (FIPS 205, section 10.2.1). */
#define HANJI_SLHDSA_PURE 0

/** A signature that is being verified. */
typedef struct hanji_slhdsa_stream {
    uint32_t words[(456 + 6 * @N@) / 4]; /**< not for users */
} hanji_slhdsa_stream;
/** The signature is right. It and HANJI_SLHDSA_INVALID differ in all bits, against faults. */
#define HANJI_SLHDSA_VALID 0x6a09e667u
/** The signature is wrong, or is not there as a whole. */
#define HANJI_SLHDSA_INVALID 0x95f61998u

/** A pause, before each @N@ bytes of the signature: the firmware may define it, for a watchdog. */
void hanji_yield(void);
/** The parameter set by its name, "@SET@", else NULL. */
HANJI_API const hanji_slhdsa *hanji_slhdsa_by_name(const char *name);
/**
 * Begin to verify a signature in pieces: first its start of @N@ bytes, then the message, then its
 * rest. HANJI_E_ARGUMENT for another mode than HANJI_SLHDSA_PURE, a missing buffer, and one that
 * overlaps the context; HANJI_E_LENGTH for a wrong size, and for more than 255 bytes that say what
 * the message is for. Every error of every call erases the context.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_stream_init(hanji_slhdsa_stream *ctx, const uint8_t *signature_start,
                         size_t start_bytes, const uint8_t *context, size_t context_bytes, int mode,
                         const uint8_t *public_key, size_t public_key_bytes,
                         const hanji_slhdsa *set);
/** The next piece of the message; HANJI_E_ARGUMENT once the rest of the signature has begun. */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_stream_message(const uint8_t *message, size_t message_bytes, hanji_slhdsa_stream *ctx);
/** The next piece of the rest of the signature; HANJI_E_LENGTH for more than a signature has. */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_stream_signature(const uint8_t *part, size_t part_bytes,
                                                             hanji_slhdsa_stream *ctx);
/** The verdict, HANJI_SLHDSA_VALID or HANJI_SLHDSA_INVALID. The context is then erased. */
HANJI_API HANJI_MUST_CHECK uint32_t hanji_slhdsa_stream_end(hanji_slhdsa_stream *ctx);
