/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers requests about SLH-DSA, one per line; words separated by single blanks, byte strings in
 * hex ("-" is the empty one). MODE is the number of hanji/slhdsa.h.
 *
 *   keypair SET SEEDS                         public key and secret key
 *   sign SET MODE OPTIONS CONTEXT RANDOM SECRET MESSAGE   the signature, in all ways the same
 *   verify SET MODE CONTEXT PUBLIC MESSAGE SIGNATURE      the name of the result, likewise; with
 *                                             the signature in pieces, too
 *   sign-encoded SET RANDOM SECRET MESSAGE    the signature of an encoded message (algorithm 19)
 *   verify-encoded SET PUBLIC MESSAGE SIGNATURE           likewise (algorithm 20)
 *   mode SET NAME                             the mode for the name of a hash function, "-" is none
 *
 * The answer is "mismatch: ..." when two ways through the calls that must agree do not.
 */
#include "io.h"
#include "slhdsa/slhdsa.h"

#define MESSAGE_BYTES (1u << 16)

static char line[1 << 18];
static uint8_t message[MESSAGE_BYTES], context[256], key[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX],
    random_bytes[HANJI_SLHDSA_SEEDS_BYTES_MAX], signature[HANJI_SLHDSA_SIGNATURE_BYTES_MAX + 1],
    other[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];
static size_t message_bytes, context_bytes, key_bytes, random_count, signature_bytes;

/* ---- text ---- */

static char *rest; /* of the line */

static char *next_word(void)
{
    char *start = rest;
    while (*rest != '\0' && *rest != ' ')
        rest++;
    if (*rest == ' ')
        *rest++ = '\0';
    return start;
}

static int nibble(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The next word as bytes; 0 when it is not hex or too long. */
static int next_bytes(uint8_t *out, size_t room, size_t *count)
{
    const char *text = next_word();
    size_t n = 0;
    if (!text_equal(text, "-"))
        for (; text[0] != '\0'; text += 2, n++) {
            const int high = nibble(text[0]), low = high < 0 ? -1 : nibble(text[1]);
            if (low < 0 || n == room)
                return 0;
            out[n] = (uint8_t)(high << 4 | low);
        }
    *count = n;
    return 1;
}

static int next_number(void)
{
    int n = 0;
    for (const char *text = next_word(); *text >= '0' && *text <= '9'; text++)
        n = 10 * n + (*text - '0');
    return n;
}

static void say_hex(const uint8_t *p, size_t n)
{
    char out[1024];
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        out[used++] = "0123456789abcdef"[p[i] >> 4];
        out[used++] = "0123456789abcdef"[p[i] & 15];
        if (used == sizeof out || i + 1 == n) {
            (void)io_write_all(out, used);
            used = 0;
        }
    }
}

static int differ(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= (uint8_t)(a[i] ^ b[i]);
    return any != 0;
}

/* ---- requests ---- */

static int give(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    if (bytes != random_count)
        return HANJI_E_RANDOM;
    for (size_t i = 0; i < bytes; i++)
        out[i] = random_bytes[i];
    return HANJI_OK;
}

static const char *keypair(const hanji_slhdsa *set)
{
    uint8_t public_key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX];
    if (!next_bytes(random_bytes, sizeof random_bytes, &random_count))
        return "unknown";
    int rc = hanji_slhdsa_keypair_from_seeds(public_key, key, random_bytes, random_count, set);
    if (rc != HANJI_OK)
        return hanji_error_name(rc);
    const size_t n = hanji_slhdsa_public_key_bytes(set);
    say_hex(public_key, n);
    (void)io_print(" ");
    say_hex(key, 2 * n);
    rc = hanji_slhdsa_keypair(other, other + n, set, give, NULL);
    if (rc != HANJI_OK || differ(other, public_key, n) || differ(other + n, key, 2 * n))
        return " mismatch: from a source of random bytes";
    return hanji_slhdsa_key_check(key, 2 * n, set) == HANJI_OK ? "" : " mismatch: key check";
}

/* Pieces of 0, 1, 2, .. bytes; in the second reading of other sizes. */
static int give_pieces(hanji_slhdsa_message *m, size_t longest)
{
    size_t piece = 0;
    for (size_t at = 0; at < message_bytes; at += piece) {
        piece = (piece + 1) % longest;
        if (piece > message_bytes - at)
            piece = message_bytes - at;
        const int rc = hanji_slhdsa_message_update(message + at, piece, m);
        if (rc != HANJI_OK)
            return rc;
    }
    return HANJI_OK;
}

static uint64_t told, told_of;

static int count_steps(uint64_t done, uint64_t total, void *state)
{
    if (state != &told || done <= told || done > total)
        return HANJI_E_ARGUMENT;
    told = done;
    told_of = total;
    return HANJI_OK;
}

static const char *sign(const hanji_slhdsa *set)
{
    hanji_slhdsa_message m;
    const int mode = next_number();
    const unsigned options = (unsigned)next_number();
    if (!next_bytes(context, sizeof context, &context_bytes) ||
        !next_bytes(random_bytes, sizeof random_bytes, &random_count) ||
        !next_bytes(key, sizeof key, &key_bytes) ||
        !next_bytes(message, sizeof message, &message_bytes))
        return "unknown";
    const int rc = hanji_slhdsa_sign(signature, message, message_bytes, context, context_bytes,
                                     mode, key, key_bytes, set, options, give, NULL);
    if (rc != HANJI_OK)
        return hanji_error_name(rc);
    signature_bytes = hanji_slhdsa_signature_bytes(set);
    told = 0;
    if (hanji_slhdsa_sign_init(&m, context, context_bytes, mode, key, key_bytes, set, options, give,
                               NULL) != HANJI_OK ||
        hanji_slhdsa_message_progress(&m, count_steps, &told) != HANJI_OK ||
        give_pieces(&m, 150) != HANJI_OK ||
        (mode == HANJI_SLHDSA_PURE &&
         (hanji_slhdsa_message_again(&m) != HANJI_OK || give_pieces(&m, 301) != HANJI_OK)) ||
        hanji_slhdsa_message_sign(other, &m) != HANJI_OK ||
        differ(other, signature, signature_bytes))
        return "mismatch: in pieces";
    if (told != told_of)
        return "mismatch: progress ends early";
    say_hex(signature, signature_bytes);
    return "";
}

/* Whether the signature is right, with all of it in pieces of so many bytes. */
static int streamed(const hanji_slhdsa *set, int mode, size_t piece)
{
    hanji_slhdsa_stream s;
    const size_t n = slh_n(set), start = signature_bytes < n ? signature_bytes : n;
    if (hanji_slhdsa_stream_init(&s, signature, start, context, context_bytes, mode, key, key_bytes,
                                 set) != HANJI_OK)
        return hanji_slhdsa_stream_end(&s) != HANJI_SLHDSA_INVALID;
    for (size_t at = 0, part; at < message_bytes; at += part) {
        part = piece < message_bytes - at ? piece : message_bytes - at;
        if (hanji_slhdsa_stream_message(message + at, part, &s) != HANJI_OK)
            return -1;
    }
    int wanted = HANJI_OK;
    for (size_t at = n, part; at < signature_bytes; at += part) {
        part = piece < signature_bytes - at ? piece : signature_bytes - at;
        if (wanted != HANJI_OK)
            wanted = HANJI_E_ARGUMENT; /* nothing goes on after an error */
        else if (at + part > hanji_slhdsa_signature_bytes(set))
            wanted = HANJI_E_LENGTH;
        if (hanji_slhdsa_stream_signature(signature + at, part, &s) != wanted)
            return -1;
    }
    const uint32_t verdict = hanji_slhdsa_stream_end(&s);
    if (verdict != HANJI_SLHDSA_VALID && verdict != HANJI_SLHDSA_INVALID)
        return -1;
    return verdict == HANJI_SLHDSA_VALID;
}

static const char *verify(const hanji_slhdsa *set)
{
    hanji_slhdsa_message m;
    const int mode = next_number();
    if (!next_bytes(context, sizeof context, &context_bytes) ||
        !next_bytes(key, sizeof key, &key_bytes) ||
        !next_bytes(message, sizeof message, &message_bytes) ||
        !next_bytes(signature, sizeof signature, &signature_bytes))
        return "unknown";
    const int rc = hanji_slhdsa_verify(signature, signature_bytes, message, message_bytes, context,
                                       context_bytes, mode, key, key_bytes, set);
    int pieces = hanji_slhdsa_verify_init(&m, signature, signature_bytes, context, context_bytes,
                                          mode, key, key_bytes, set);
    if (pieces == HANJI_OK)
        pieces = give_pieces(&m, 150);
    if (pieces == HANJI_OK)
        pieces = hanji_slhdsa_message_verify(signature, signature_bytes, &m);
    if (pieces != rc)
        return "mismatch: in pieces";
    hanji_slhdsa_item items[11];
    for (size_t i = 0; i < 11; i++)
        items[i] = (hanji_slhdsa_item){signature,     signature_bytes, message,
                                       message_bytes, context,         context_bytes,
                                       key,           key_bytes,       1};
    for (size_t count = 1; count <= 11; count += 5) {
        if (hanji_slhdsa_verify_batch(items, count, mode, set) != rc)
            return "mismatch: in a batch";
        for (size_t i = 0; i < count; i++)
            if (items[i].status != rc)
                return "mismatch: of an item in a batch";
    }
    const size_t n = slh_n(set), cuts[] = {sizeof signature, 1, n - 1, n, n + 1};
#ifdef HANJI_FREESTANDING
    const size_t ways = 2; /* machines of the tests that take their time */
#else
    const size_t ways = sizeof cuts / sizeof cuts[0];
#endif
    for (size_t i = 0; i < ways; i++)
        if (streamed(set, mode, cuts[i]) != (rc == HANJI_OK))
            return "mismatch: streamed";
    return hanji_error_name(rc);
}

/* R or digest: SHAKE256 of up to three parts. */
static void hash(uint8_t *out, size_t out_bytes, const uint8_t *a, size_t a_bytes, const uint8_t *b,
                 size_t b_bytes)
{
    hanji_shake shake;
    hanji_shake_init(&shake, HANJI_SHAKE256_RATE);
    hanji_shake_absorb(&shake, a, a_bytes);
    hanji_shake_absorb(&shake, b, b_bytes);
    hanji_shake_absorb(&shake, message, message_bytes);
    hanji_shake_finish(&shake);
    hanji_shake_squeeze(out, out_bytes, &shake);
}

static void words_of(uint64_t *words, const uint8_t *bytes, const hanji_slhdsa *set)
{
    for (uint32_t w = 0; w < set->words; w++)
        words[w] = load_le64(bytes + 8 * w);
}

static void place_of(hanji_slhdsa_place *place, const uint8_t *public_key, const hanji_slhdsa *set)
{
    uint8_t digest[SLH_DIGEST_MAX];
    hash(digest, slh_digest_bytes(set), signature, slh_n(set), public_key, 2 * slh_n(set));
    hanji_slhdsa_split(place, digest, set);
}

static const char *sign_encoded(const hanji_slhdsa *set)
{
    const size_t n = slh_n(set);
    hanji_slhdsa_key words;
    hanji_slhdsa_place place;
    if (!next_bytes(random_bytes, sizeof random_bytes, &random_count) ||
        !next_bytes(key, sizeof key, &key_bytes) ||
        !next_bytes(message, sizeof message, &message_bytes) || key_bytes != 4 * n)
        return "unknown";
    words_of(words.sk_seed, key, set);
    words_of(words.pk_seed, key + 2 * n, set);
    words_of(words.pk_root, key + 3 * n, set);
    hash(signature, n, key + n, n, random_count == 0 ? key + 2 * n : random_bytes, n);
    place_of(&place, key + 2 * n, set);
    for (int compare = 0; compare < 2; compare++)
        if (hanji_slhdsa_make(signature, &place, &words, set, compare, NULL) != HANJI_OK)
            return "mismatch: the second time";
    say_hex(signature, hanji_slhdsa_signature_bytes(set));
    return "";
}

static const char *verify_encoded(const hanji_slhdsa *set)
{
    const size_t n = slh_n(set);
    hanji_slhdsa_claim claim = {.signature = signature};
    if (!next_bytes(key, sizeof key, &key_bytes) ||
        !next_bytes(message, sizeof message, &message_bytes) ||
        !next_bytes(signature, sizeof signature, &signature_bytes))
        return "unknown";
    if (key_bytes != 2 * n || signature_bytes != hanji_slhdsa_signature_bytes(set))
        return hanji_error_name(HANJI_E_LENGTH);
    words_of(claim.pk_seed, key, set);
    words_of(claim.pk_root, key + n, set);
    place_of(&claim.place, key, set);
    return hanji_error_name(hanji_slhdsa_judge(&claim, 1, set) == 1 ? HANJI_OK : HANJI_E_TAG);
}

static const char *mode_of(const hanji_slhdsa *set)
{
    const char *name = next_word();
    const int mode = hanji_slhdsa_mode(text_equal(name, "-") ? NULL : name, set);
    return mode == HANJI_SLHDSA_PURE       ? "pure"
           : mode == HANJI_SLHDSA_SHAKE128 ? "11"
           : mode == HANJI_SLHDSA_SHAKE256 ? "12"
                                           : hanji_error_name(mode);
}

static const struct {
    const char *name;
    const char *(*run)(const hanji_slhdsa *set);
} requests[] = {
    {"keypair", keypair},
    {"sign", sign},
    {"verify", verify},
    {"sign-encoded", sign_encoded},
    {"verify-encoded", verify_encoded},
    {"mode", mode_of},
};

static void answer(void)
{
    rest = line;
    const char *name = next_word(), *said = "unknown";
    const hanji_slhdsa *set = hanji_slhdsa_by_name(next_word());
    for (size_t i = 0; set != NULL && i < sizeof requests / sizeof requests[0]; i++)
        if (text_equal(requests[i].name, name))
            said = requests[i].run(set);
    (void)io_print(said);
    (void)io_print("\n");
}

int main(void)
{
    static char buffer[1 << 16];
    size_t used = 0;
    for (;;) {
        const long got = io_read(buffer, sizeof buffer);
        if (got <= 0)
            return got == 0 && used == 0 ? 0 : 1;
        for (long i = 0; i < got; i++) {
            if (used == sizeof line)
                return 1; /* a line that is too long */
            line[used++] = buffer[i] == '\n' ? '\0' : buffer[i];
            if (buffer[i] == '\n') {
                answer();
                used = 0;
            }
        }
    }
}
