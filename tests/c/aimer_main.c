/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers requests about AIMer, one per line; words separated by single blanks, byte strings in hex
 * ("-" is the empty one).
 *
 *   sign SET MEMORY RANDOM MESSAGE     public key, secret key and signature; MEMORY is batch, full,
 *                                      small, compact or least; RANDOM feeds key generation and
 *                                      signing
 *   flips SET STEP PUBLIC MESSAGE SIGNATURE   how many of the signatures with one bit flipped in every STEP-th byte are accepted
 *   keyflips SET STEP PUBLIC MESSAGE SIGNATURE   with how many public keys, changed so, it verifies
 *   verify SET PUBLIC MESSAGE SIGNATURE       the name of the result
 *   long SET KILOBYTES SECRET PUBLIC          sign and verify a long message in pieces: the name of the result, and the signature
 *   sizes SET                                 scratch for batches, scratch, small scratch, expanded key, least
 *   context SET OPTIONS CONTEXT RANDOM SECRET PUBLIC MESSAGE   the signature, in all ways the same, which no other context verifies
 *   keypair SET RANDOM                        public key, secret key, and how many random bytes are left
 *   secret SET SECRET                         the results of checking, of expanding, and of signing at full speed and in little memory
 *   bytes SET                                 size of a signature
 *   raw SET SECRET MESSAGE                    a deterministic signature that nobody verifies
 *   misuse SET                                "ok", or which call that must be refused is not
 *
 * The answer to `sign` is "mismatch: ..." when two ways through the calls that must agree do not.
 */
#include "hanji/sign.h"
#include "io.h"

#define LINE_BYTES (1u << 20)
/* Enough for every set at full speed on hosts; firmware signs in little memory. */
#ifdef HANJI_FREESTANDING
#define SCRATCH_BYTES (1u << 20)
#else
#define SCRATCH_BYTES (52u << 20)
#endif

static char line[LINE_BYTES];
static uint8_t scratch[SCRATCH_BYTES], key_memory[1u << 19];
static uint8_t public_key[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX],
    secret_key[HANJI_AIMER_SECRET_KEY_BYTES_MAX];
static uint8_t random_bytes[4096], message[1u << 17],
    signature[HANJI_AIMER_SIGNATURE_BYTES_MAX + 1], other[HANJI_AIMER_SIGNATURE_BYTES_MAX],
    combined[(1u << 17) + HANJI_AIMER_SIGNATURE_BYTES_MAX];

/* ---- text ---- */

static int nibble(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int text_begins(const char *text, const char *with)
{
    while (*with != '\0' && *text == *with)
        text++, with++;
    return *with == '\0';
}

/* The next word of the line, cut off; NULL at its end. */
static char *word(char **at)
{
    char *start = *at;
    if (*start == '\0')
        return NULL;
    while (**at != '\0' && **at != ' ')
        (*at)++;
    if (**at == ' ')
        *(*at)++ = '\0';
    return start;
}

/* Bytes of a word in hex; SIZE_MAX when it is not hex or too long. */
static size_t unhex(uint8_t *out, size_t room, const char *text)
{
    size_t n = 0;
    if (text == NULL)
        return SIZE_MAX;
    if (text_equal(text, "-"))
        return 0;
    for (; text[0] != '\0'; text += 2, n++) {
        const int high = nibble(text[0]), low = high < 0 ? -1 : nibble(text[1]);
        if (low < 0 || n == room)
            return SIZE_MAX;
        out[n] = (uint8_t)(high << 4 | low);
    }
    return n;
}

static size_t number(const char *text)
{
    size_t n = 0;
    while (text != NULL && *text >= '0' && *text <= '9')
        n = 10 * n + (size_t)(*text++ - '0');
    return n;
}

static void print_hex(const uint8_t *p, size_t n)
{
    char out[1024];
    size_t used = 0;
    for (; n > 0; n--, p++) {
        out[used++] = "0123456789abcdef"[*p >> 4];
        out[used++] = "0123456789abcdef"[*p & 15];
        if (used == sizeof out) {
            (void)io_write_all(out, used);
            used = 0;
        }
    }
    (void)io_write_all(out, used);
}

static void print_number(size_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    (void)io_write_all(digits + at, sizeof digits - at);
}

/* ---- requests ---- */

typedef struct supply {
    const uint8_t *next, *end;
} supply;

static int give(uint8_t *out, size_t bytes, void *state)
{
    supply *s = state;
    if ((size_t)(s->end - s->next) < bytes)
        return HANJI_E_RANDOM;
    for (size_t i = 0; i < bytes; i++)
        out[i] = *s->next++;
    return HANJI_OK;
}

static int same(const uint8_t *a, const uint8_t *b, size_t n)
{
    while (n > 0 && *a == *b)
        a++, b++, n--;
    return n == 0;
}

static int all_zero(const uint8_t *p, size_t n)
{
    uint8_t any = 0;
    while (n-- > 0)
        any |= *p++;
    return any == 0;
}

/* The same, and the bytes from `begin` again when all are used. */
typedef struct circle {
    supply now;
    const uint8_t *begin;
    size_t requests; /* that are answered */
} circle;

static int give_again(uint8_t *out, size_t bytes, void *state)
{
    circle *c = state;
    if (c->requests == 0)
        return HANJI_E_RANDOM;
    c->requests--;
    if (c->now.next == c->now.end)
        c->now.next = c->begin;
    return give(out, bytes, &c->now);
}

#define BATCH 4
static uint8_t batch_signatures[BATCH][HANJI_AIMER_SIGNATURE_BYTES_MAX];

/*
 * Signatures of a batch are those of its messages alone, whatever becomes of their neighbours. What
 * is wrong, or NULL.
 */
static const char *batches(const hanji_aimer *set, const hanji_aimer_key *key, supply from,
                           size_t message_bytes, uint8_t *memory, size_t memory_bytes)
{
    const size_t n = hanji_aimer_signature_bytes(set);
    hanji_aimer_item items[BATCH];
    circle c = {from, from.next, SIZE_MAX};
    for (int i = 0; i < BATCH; i++) {
        for (size_t k = 0; k < n; k++)
            batch_signatures[i][k] = 0xaa;
        items[i] = (hanji_aimer_item){batch_signatures[i], message, message_bytes, NULL, 0, 1};
    }
    items[1].message = NULL;
    items[1].message_bytes = 1;
    if (hanji_aimer_key_sign_batch(items, BATCH, key, 0, give_again, &c, memory, memory_bytes) !=
        HANJI_E_ARGUMENT)
        return "a batch with a message that is not there";
    for (int i = 0; i < BATCH; i++)
        if (items[i].status != (i == 1 ? HANJI_E_ARGUMENT : HANJI_OK) ||
            (i == 1 ? !all_zero(items[i].signature, n) : !same(items[i].signature, signature, n)))
            return "a signature of a batch";
    c.requests = 1;
    items[1].message = message;
    items[1].message_bytes = message_bytes;
    if (hanji_aimer_key_sign_batch(items, 2, key, 0, give_again, &c, memory, memory_bytes) !=
            HANJI_E_RANDOM ||
        items[1].status != HANJI_E_RANDOM || !all_zero(items[1].signature, n))
        return "a batch that runs out of random bytes";
    items[1].signature = batch_signatures[2];
    batch_signatures[3][n / 2] ^= 1;
    items[0].signature = signature;
    if (hanji_aimer_key_verify_batch(items, BATCH, key, memory, memory_bytes) != HANJI_E_TAG ||
        items[0].status != HANJI_OK || items[1].status != HANJI_OK || items[2].status != HANJI_OK ||
        items[3].status != HANJI_E_TAG)
        return "verifying a batch";
    if (hanji_aimer_key_sign_batch(NULL, 0, key, 0, give_again, &c, memory, memory_bytes) !=
            HANJI_OK ||
        hanji_aimer_key_verify_batch(NULL, 0, key, memory, memory_bytes) != HANJI_OK)
        return "a batch of nothing";
    return NULL;
}

/* What is wrong, or NULL. The bytes for signing begin at `from`. */
static const char *other_ways(const hanji_aimer *set, supply from, size_t message_bytes,
                              uint8_t *memory, size_t memory_bytes)
{
    const size_t sk = hanji_aimer_secret_key_bytes(set), pk = hanji_aimer_public_key_bytes(set),
                 n = hanji_aimer_signature_bytes(set);
    const size_t key_bytes = hanji_aimer_key_bytes(set), pieces = message_bytes / 3;
    hanji_aimer_key *key = (hanji_aimer_key *)(void *)(key_memory + 1); /* any alignment */
    hanji_aimer_message ctx;
    size_t opened;
    supply again = from;
    if (key_bytes + 1 > sizeof key_memory)
        return "the test program has too little memory for the key";
    if (hanji_aimer_key_secret(key, key_bytes, secret_key, sk, set, memory, memory_bytes) !=
        HANJI_OK)
        return "hanji_aimer_key_secret";
    if (hanji_aimer_message_init(&ctx, NULL, 0, key) != HANJI_OK ||
        hanji_aimer_message_update(message, pieces, &ctx) != HANJI_OK ||
        hanji_aimer_message_update(message + pieces, message_bytes - pieces, &ctx) != HANJI_OK ||
        hanji_aimer_message_sign(other, &ctx, key, 0, give, &again, memory, memory_bytes) !=
            HANJI_OK)
        return "a signature in pieces";
    if (!same(signature, other, n))
        return "a signature in pieces differs";
    if (hanji_aimer_message_update(message, 1, &ctx) != HANJI_E_ARGUMENT)
        return "a context that is used up takes a message";
    again.end = again.next = from.next;
    if (hanji_aimer_key_sign(other, message, message_bytes, NULL, 0, key, 0, give, &again, memory,
                             memory_bytes) != HANJI_E_RANDOM ||
        !all_zero(other, n))
        return "signing without random bytes";
    const char *wrong = batches(set, key, from, message_bytes, memory, memory_bytes);
    if (wrong != NULL)
        return wrong;
    if (hanji_aimer_key_public(key, key_bytes, public_key, pk, set, memory, memory_bytes) !=
        HANJI_OK)
        return "hanji_aimer_key_public";
    again = from;
    if (hanji_aimer_key_sign(other, message, message_bytes, NULL, 0, key, 0, give, &again, memory,
                             memory_bytes) != HANJI_E_ARGUMENT ||
        !all_zero(other, n))
        return "a public key signs";
    if (hanji_aimer_key_verify(signature, n, message, message_bytes, NULL, 0, key, memory,
                               memory_bytes) != HANJI_OK)
        return "verifying with an expanded key";
    again = from;
    if (hanji_aimer_sign_combined(combined, message, message_bytes, NULL, 0, secret_key, sk, set, 0,
                                  give, &again, memory, memory_bytes) != HANJI_OK ||
        !same(combined, message, message_bytes) || !same(combined + message_bytes, signature, n))
        return "the combined form";
    if (hanji_aimer_open_combined(&opened, combined, message_bytes + n, NULL, 0, public_key, pk,
                                  set, memory, memory_bytes) != HANJI_OK ||
        opened != message_bytes)
        return "opening the combined form";
    if (hanji_aimer_open_combined(&opened, combined, n - 1, NULL, 0, public_key, pk, set, memory,
                                  memory_bytes) != HANJI_E_LENGTH ||
        opened != 0)
        return "opening what is shorter than a signature";
    if (hanji_aimer_verify(signature, n + 1, message, message_bytes, NULL, 0, public_key, pk, set,
                           memory, memory_bytes) != HANJI_E_LENGTH ||
        hanji_aimer_verify(signature, n - 1, message, message_bytes, NULL, 0, public_key, pk, set,
                           memory, memory_bytes) != HANJI_E_LENGTH ||
        hanji_aimer_verify(signature, n, message, message_bytes, NULL, 0, public_key, pk - 1, set,
                           memory, memory_bytes) != HANJI_E_LENGTH)
        return "a wrong length";
    if (hanji_aimer_key_check(secret_key, sk, set, memory, memory_bytes) != HANJI_OK)
        return "checking a good key";
    secret_key[sk - 1] ^= 1;
    const int bad_key = hanji_aimer_key_check(secret_key, sk, set, memory, memory_bytes);
    secret_key[sk - 1] ^= 1;
    if (bad_key != HANJI_E_TAG)
        return "checking a key whose halves do not fit";
    if (pk % 8 == 1) {
        public_key[0] ^= 1;
        const int other_id = hanji_aimer_verify(signature, n, message, message_bytes, NULL, 0,
                                                public_key, pk, set, memory, memory_bytes);
        public_key[0] ^= 1;
        if (other_id != HANJI_E_ARGUMENT)
            return "the id of another set";
    }
    return NULL;
}

static void answer_sign(const hanji_aimer *set, const char *memory_name, size_t random_count,
                        size_t message_bytes)
{
    /* One byte off, since any alignment is allowed. */
    uint8_t *memory = scratch + 1;
    const size_t full = hanji_aimer_scratch_bytes(set),
                 small = hanji_aimer_scratch_bytes_small(set),
                 batch = hanji_aimer_scratch_bytes_batch(set);
    const size_t memory_bytes = text_equal(memory_name, "batch")   ? batch
                                : text_equal(memory_name, "full")  ? full
                                : text_equal(memory_name, "small") ? full - 1
                                : text_equal(memory_name, "compact")
                                    ? small
                                    : hanji_aimer_scratch_bytes_least(set);
    supply s = {random_bytes, random_bytes + random_count};
    if (memory_bytes + 1 > sizeof scratch) {
        (void)io_print("the test program has too little memory\n");
        return;
    }
    int rc = hanji_aimer_keypair(public_key, secret_key, set, give, &s, memory, memory_bytes);
    const supply from = s;
    if (rc == HANJI_OK)
        rc = hanji_aimer_sign(signature, message, message_bytes, NULL, 0, secret_key,
                              hanji_aimer_secret_key_bytes(set), set, 0, give, &s, memory,
                              memory_bytes);
    if (rc == HANJI_OK)
        rc = hanji_aimer_verify(signature, hanji_aimer_signature_bytes(set), message, message_bytes,
                                NULL, 0, public_key, hanji_aimer_public_key_bytes(set), set, memory,
                                memory_bytes);
    const char *wrong = rc != HANJI_OK    ? hanji_error_name(rc)
                        : s.next != s.end ? "not all random bytes were used"
                        : memory[memory_bytes] != 0
                            ? "a byte past the memory is written"
                            : other_ways(set, from, message_bytes, memory,
                                         memory_bytes < small ? small : memory_bytes);
    if (wrong != NULL) {
        (void)io_print("mismatch: ");
        (void)io_print(wrong);
        (void)io_print("\n");
        return;
    }
    print_hex(public_key, hanji_aimer_public_key_bytes(set));
    (void)io_print(" ");
    print_hex(secret_key, hanji_aimer_secret_key_bytes(set));
    (void)io_print(" ");
    print_hex(signature, hanji_aimer_signature_bytes(set));
    (void)io_print("\n");
}

/* Flip bits of `bytes` bytes: of the signature, or of the public key. */
static void answer_flips(const hanji_aimer *set, uint8_t *flipped, size_t bytes, size_t step,
                         size_t message_bytes)
{
    const size_t n = hanji_aimer_signature_bytes(set), pk = hanji_aimer_public_key_bytes(set),
                 memory = hanji_aimer_scratch_bytes(set);
    size_t accepted = 0;
    for (size_t i = 0; i < bytes; i += step) {
        flipped[i] ^= (uint8_t)(1u << i % 8);
        accepted += hanji_aimer_verify(signature, n, message, message_bytes, NULL, 0, public_key,
                                       pk, set, scratch, memory) != HANJI_E_TAG;
        flipped[i] ^= (uint8_t)(1u << i % 8);
    }
    print_number(accepted);
    (void)io_print("\n");
}

static int long_message(const hanji_aimer *set, size_t kilobytes)
{
    const size_t key_bytes = hanji_aimer_key_bytes(set), memory = hanji_aimer_scratch_bytes(set);
    hanji_aimer_key *key = (hanji_aimer_key *)(void *)key_memory;
    hanji_aimer_message ctx, twin;
    int rc = hanji_aimer_key_secret(key, key_bytes, secret_key, hanji_aimer_secret_key_bytes(set),
                                    set, scratch, memory);
    if (rc == HANJI_OK)
        rc = hanji_aimer_message_init(&ctx, NULL, 0, key);
    for (size_t i = 0; rc == HANJI_OK && i < kilobytes; i++) {
        message[i & 1023] ^= (uint8_t)i;
        rc = hanji_aimer_message_update(message, 1024, &ctx);
    }
    twin = ctx;
    supply s = {random_bytes, random_bytes + sizeof random_bytes};
    if (rc == HANJI_OK)
        rc = hanji_aimer_message_sign(signature, &ctx, key, 0, give, &s, scratch, memory);
    ctx = twin;
    if (rc == HANJI_OK)
        rc = hanji_aimer_message_verify(signature, hanji_aimer_signature_bytes(set), &ctx, key,
                                        scratch, memory);
    if (rc == HANJI_OK)
        rc = hanji_aimer_message_update(message, 1, &twin);
    if (rc == HANJI_OK && hanji_aimer_message_verify(signature, hanji_aimer_signature_bytes(set),
                                                     &twin, key, scratch, memory) != HANJI_E_TAG)
        rc = HANJI_E_ARGUMENT; /* one byte more must not verify */
    return rc;
}

/* Sign in one of several ways. */
static int sign_way(int way, const hanji_aimer *set, unsigned options, const uint8_t *context,
                    size_t context_bytes, size_t message_bytes, size_t sk, supply from)
{
    const size_t memory =
        way == 1 ? hanji_aimer_scratch_bytes_small(set) : hanji_aimer_scratch_bytes_batch(set);
    const size_t key_bytes = hanji_aimer_key_bytes(set);
    hanji_aimer_key *key = (hanji_aimer_key *)(void *)key_memory;
    hanji_aimer_message ctx;
    hanji_aimer_item item = {other, message, message_bytes, context, context_bytes, 0};
    for (size_t i = 0; i < hanji_aimer_signature_bytes(set); i++)
        other[i] = 0xaa;
    if (way < 2)
        return hanji_aimer_sign(other, message, message_bytes, context, context_bytes, secret_key,
                                sk, set, options, give, &from, scratch, memory);
    int rc = hanji_aimer_key_secret(key, key_bytes, secret_key, sk, set, scratch, memory);
    if (rc != HANJI_OK)
        return rc;
    if (way == 2)
        return hanji_aimer_key_sign(other, message, message_bytes, context, context_bytes, key,
                                    options, give, &from, scratch, memory);
    if (way == 3)
        return hanji_aimer_key_sign_batch(&item, 1, key, options, give, &from, scratch, memory);
    rc = hanji_aimer_message_init(&ctx, context, context_bytes, key);
    if (rc == HANJI_OK)
        rc = hanji_aimer_message_update(message, message_bytes, &ctx);
    return rc != HANJI_OK
               ? rc
               : hanji_aimer_message_sign(other, &ctx, key, options, give, &from, scratch, memory);
}

static const char *contexts(const hanji_aimer *set, unsigned options, uint8_t *context,
                            size_t context_bytes, size_t message_bytes, size_t sk, size_t pk,
                            supply from)
{
    const size_t n = hanji_aimer_signature_bytes(set), memory = hanji_aimer_scratch_bytes(set),
                 small = hanji_aimer_scratch_bytes_small(set);
    for (int way = 0; way < 5; way++) {
        const int rc = sign_way(way, set, options, context, context_bytes, message_bytes, sk, from);
        if (rc != HANJI_OK)
            return hanji_error_name(rc);
        if (way > 0 && !same(signature, other, n))
            return "two ways differ";
        for (size_t i = 0; i < n; i++)
            signature[i] = other[i];
    }
    if (hanji_aimer_verify(signature, n, message, message_bytes, context, context_bytes, public_key,
                           pk, set, scratch, memory) != HANJI_OK ||
        hanji_aimer_verify(signature, n, message, message_bytes, context, context_bytes, public_key,
                           pk, set, scratch, small) != HANJI_OK ||
        hanji_aimer_verify(signature, n, message, message_bytes, context, context_bytes, public_key,
                           pk, set, scratch, hanji_aimer_scratch_bytes_least(set)) != HANJI_OK)
        return "the context is refused";
    if (context_bytes > 0) {
        context[0] ^= 1;
        const int altered = hanji_aimer_verify(signature, n, message, message_bytes, context,
                                               context_bytes, public_key, pk, set, scratch, memory);
        context[0] ^= 1;
        const int shorter =
            hanji_aimer_verify(signature, n, message, message_bytes, context, context_bytes - 1,
                               public_key, pk, set, scratch, memory);
        if (altered != HANJI_E_TAG || shorter != HANJI_E_TAG)
            return "another context is accepted";
    }
    if (context_bytes < 255) {
        context[context_bytes] = 0;
        if (hanji_aimer_verify(signature, n, message, message_bytes, context, context_bytes + 1,
                               public_key, pk, set, scratch, memory) != HANJI_E_TAG)
            return "a longer context is accepted";
    }
    return NULL;
}

static void answer_secret(const hanji_aimer *set, size_t sk)
{
    const size_t memory = hanji_aimer_scratch_bytes(set), key_bytes = hanji_aimer_key_bytes(set);
    const size_t memories[3] = {memory, hanji_aimer_scratch_bytes_small(set),
                                hanji_aimer_scratch_bytes_least(set)};
    hanji_aimer_key *key = (hanji_aimer_key *)(void *)key_memory;
    supply from = {random_bytes, random_bytes + sizeof random_bytes};
    (void)io_print(hanji_error_name(hanji_aimer_key_check(secret_key, sk, set, scratch, memory)));
    (void)io_print(" ");
    (void)io_print(hanji_error_name(
        hanji_aimer_key_secret(key, key_bytes, secret_key, sk, set, scratch, memory)));
    for (int way = 0; way < 3; way++) {
        (void)io_print(" ");
        (void)io_print(
            hanji_error_name(hanji_aimer_sign(signature, message, 3, NULL, 0, secret_key, sk, set,
                                              0, give, &from, scratch, memories[way])));
        if (!all_zero(signature, hanji_aimer_signature_bytes(set)))
            (void)io_print("+signature");
    }
    (void)io_print("\n");
}

static int count_up(uint8_t *out, size_t bytes, void *state)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(++*(unsigned *)state * 37);
    return HANJI_OK;
}

/* Calls that must be refused, each with its result; the signature must then be zeros. */
#define REFUSED(call, code)                                  \
    do {                                                     \
        for (size_t i = 0; i < n; i++)                       \
            signature[i] = 0xaa;                             \
        if ((call) != (code))                                \
            return #call;                                    \
        if (!all_zero(signature, n) && signature[0] != 0xaa) \
            return "part of a signature of " #call;          \
    } while (0)

static const char *misuse(const hanji_aimer *set)
{
    static uint8_t second_memory[1u << 19];
    static const uint8_t context[256] = {1};
    const size_t n = hanji_aimer_signature_bytes(set), sk = hanji_aimer_secret_key_bytes(set),
                 pk = hanji_aimer_public_key_bytes(set);
    const size_t memory = hanji_aimer_scratch_bytes(set),
                 least = hanji_aimer_scratch_bytes_least(set),
                 key_bytes = hanji_aimer_key_bytes(set);
    hanji_aimer_key *key = (hanji_aimer_key *)(void *)key_memory,
                    *second = (hanji_aimer_key *)(void *)second_memory;
    hanji_aimer_message ctx;
    unsigned seed = 1;
    const int generation = text_begins(hanji_aimer_name(set), "aimer3")   ? 3
                           : text_begins(hanji_aimer_name(set), "aimer2") ? 2
                                                                          : 1;
    if (key_bytes > sizeof second_memory ||
        hanji_aimer_keypair(public_key, secret_key, set, count_up, &seed, scratch, memory) !=
            HANJI_OK ||
        hanji_aimer_key_public(second, key_bytes, public_key, pk, set, scratch, memory) !=
            HANJI_OK ||
        hanji_aimer_keypair(public_key, secret_key, set, count_up, &seed, scratch, memory) !=
            HANJI_OK ||
        hanji_aimer_key_secret(key, key_bytes, secret_key, sk, set, scratch, memory) != HANJI_OK)
        return "keys";
#define SIGN(context, context_bytes, options)                                                   \
    hanji_aimer_key_sign(signature, message, 3, context, context_bytes, key, options, count_up, \
                         &seed, scratch, memory)
    REFUSED(SIGN(context, 256, 0), generation == 3 ? HANJI_E_LENGTH : HANJI_E_ARGUMENT);
    REFUSED(SIGN(NULL, 1, 0), HANJI_E_ARGUMENT);
    REFUSED(SIGN(NULL, 0, 4), HANJI_E_ARGUMENT);
    if (generation < 3)
        REFUSED(SIGN(context, 1, 0), HANJI_E_ARGUMENT);
    if (generation < 2)
        REFUSED(SIGN(NULL, 0, HANJI_AIMER_DETERMINISTIC), HANJI_E_ARGUMENT);
    REFUSED(
        hanji_aimer_key_sign(signature, NULL, 3, NULL, 0, key, 0, count_up, &seed, scratch, memory),
        HANJI_E_ARGUMENT);
    REFUSED(hanji_aimer_key_sign(signature, message, 3, NULL, 0, NULL, 0, count_up, &seed, scratch,
                                 memory),
            HANJI_E_ARGUMENT);
    REFUSED(
        hanji_aimer_key_sign(NULL, message, 3, NULL, 0, key, 0, count_up, &seed, scratch, memory),
        HANJI_E_ARGUMENT);
    REFUSED(
        hanji_aimer_key_sign(signature, message, 3, NULL, 0, key, 0, count_up, &seed, NULL, memory),
        HANJI_E_ARGUMENT);
    REFUSED(
        hanji_aimer_key_sign(signature, message, 3, NULL, 0, key, 0, count_up, &seed, scratch, 100),
        HANJI_E_LENGTH);
    REFUSED(hanji_aimer_key_sign(signature, message, 3, NULL, 0, second, 0, count_up, &seed,
                                 scratch, memory),
            HANJI_E_ARGUMENT);
    REFUSED(hanji_aimer_sign(signature, message, 3, NULL, 0, secret_key, sk, set, 0, count_up,
                             &seed, scratch, least - 1),
            HANJI_E_LENGTH);
    REFUSED(hanji_aimer_sign(signature, message, 3, NULL, 0, secret_key, pk, set, 0, count_up,
                             &seed, scratch, memory),
            HANJI_E_LENGTH);
    REFUSED(hanji_aimer_sign(signature, message, 3, NULL, 0, NULL, sk, set, 0, count_up, &seed,
                             scratch, memory),
            HANJI_E_ARGUMENT);
    REFUSED(hanji_aimer_message_init(&ctx, context, 256, key),
            generation == 3 ? HANJI_E_LENGTH : HANJI_E_ARGUMENT);
    if (hanji_aimer_message_init(&ctx, NULL, 0, second) != HANJI_OK)
        return "hanji_aimer_message_init";
    REFUSED(hanji_aimer_message_sign(signature, &ctx, key, 0, count_up, &seed, scratch, memory),
            HANJI_E_ARGUMENT);
    if (SIGN(NULL, 0, HANJI_AIMER_CHECK) != HANJI_OK)
        return "signing with a check";
    REFUSED(hanji_aimer_key_verify(signature, n, message, 3, context, 256, key, scratch, memory),
            generation == 3 ? HANJI_E_LENGTH : HANJI_E_ARGUMENT);
    REFUSED(hanji_aimer_key_verify(signature, n, message, 3, NULL, 0, NULL, scratch, memory),
            HANJI_E_ARGUMENT);
    if (SIGN(NULL, 0, 0) != HANJI_OK)
        return "signing";
    /* The message began with another key, but the pieces and the signature are right. */
    if (hanji_aimer_message_init(&ctx, NULL, 0, second) != HANJI_OK ||
        hanji_aimer_message_update(message, 3, &ctx) != HANJI_OK ||
        hanji_aimer_message_verify(signature, n, &ctx, key, scratch, memory) != HANJI_E_ARGUMENT)
        return "a message of another key is verified";
    if (hanji_aimer_key_verify(signature, n, message, 3, NULL, 0, second, scratch, memory) !=
        HANJI_E_TAG)
        return "another key verifies";
    if (hanji_aimer_key_verify(signature, n, message, 3, NULL, 0, key, scratch, memory) != HANJI_OK)
        return "a secret key does not verify";
    if (generation > 1) {
        if (SIGN(NULL, 0, HANJI_AIMER_DETERMINISTIC | HANJI_AIMER_CHECK) != HANJI_OK)
            return "a deterministic signature";
        for (size_t i = 0; i < n; i++)
            other[i] = signature[i];
        if (SIGN(NULL, 0, HANJI_AIMER_DETERMINISTIC) != HANJI_OK || !same(signature, other, n))
            return "a deterministic signature differs";
        if (SIGN(NULL, 0, 0) != HANJI_OK || same(signature, other, n))
            return "a signature with random bytes is deterministic";
    }
    return NULL;
#undef SIGN
}

static void answer(char *at)
{
    const char *operation = word(&at), *name = word(&at);
    const hanji_aimer *set = hanji_aimer_by_name(name);
    size_t n;
    if (set == NULL || operation == NULL) {
        (void)io_print("no such set\n");
    } else if (text_equal(operation, "sizes")) {
        print_number(hanji_aimer_scratch_bytes_batch(set));
        (void)io_print(" ");
        print_number(hanji_aimer_scratch_bytes(set));
        (void)io_print(" ");
        print_number(hanji_aimer_scratch_bytes_small(set));
        (void)io_print(" ");
        print_number(hanji_aimer_key_bytes(set));
        (void)io_print(" ");
        print_number(hanji_aimer_scratch_bytes_least(set));
        (void)io_print("\n");
    } else if (text_equal(operation, "sign")) {
        const char *memory = word(&at);
        const size_t random_count = unhex(random_bytes, sizeof random_bytes, word(&at));
        n = unhex(message, sizeof message, word(&at));
        if (random_count == SIZE_MAX || n == SIZE_MAX)
            (void)io_print("hex expected\n");
        else
            answer_sign(set, memory, random_count, n);
    } else if (text_equal(operation, "context")) {
        static uint8_t context[256];
        const unsigned options = (unsigned)number(word(&at));
        const size_t context_bytes = unhex(context, 255, word(&at)),
                     random_count = unhex(random_bytes, sizeof random_bytes, word(&at));
        const size_t sk = unhex(secret_key, sizeof secret_key, word(&at)),
                     pk = unhex(public_key, sizeof public_key, word(&at));
        n = unhex(message, sizeof message, word(&at));
        const supply from = {random_bytes, random_bytes + random_count};
        if (context_bytes == SIZE_MAX || random_count == SIZE_MAX || sk == SIZE_MAX ||
            pk == SIZE_MAX || n == SIZE_MAX) {
            (void)io_print("hex expected\n");
            return;
        }
        const char *wrong = contexts(set, options, context, context_bytes, n, sk, pk, from);
        if (wrong != NULL)
            (void)io_print(wrong);
        else
            print_hex(signature, hanji_aimer_signature_bytes(set));
        (void)io_print("\n");
    } else if (text_equal(operation, "keypair")) {
        const size_t random_count = unhex(random_bytes, sizeof random_bytes, word(&at));
        supply from = {random_bytes, random_bytes + (random_count == SIZE_MAX ? 0 : random_count)};
        const int rc = hanji_aimer_keypair(public_key, secret_key, set, give, &from, scratch,
                                           hanji_aimer_scratch_bytes(set));
        if (rc != HANJI_OK) {
            (void)io_print(hanji_error_name(rc));
        } else {
            print_hex(public_key, hanji_aimer_public_key_bytes(set));
            (void)io_print(" ");
            print_hex(secret_key, hanji_aimer_secret_key_bytes(set));
            (void)io_print(" ");
            print_number((size_t)(from.end - from.next));
        }
        (void)io_print("\n");
    } else if (text_equal(operation, "secret")) {
        n = unhex(secret_key, sizeof secret_key, word(&at));
        if (n == SIZE_MAX)
            (void)io_print("hex expected\n");
        else
            answer_secret(set, n);
    } else if (text_equal(operation, "bytes")) {
        print_number(hanji_aimer_signature_bytes(set));
        (void)io_print("\n");
    } else if (text_equal(operation, "raw")) {
        const size_t sk = unhex(secret_key, sizeof secret_key, word(&at));
        n = unhex(message, sizeof message, word(&at));
        const int rc = sk == SIZE_MAX || n == SIZE_MAX
                           ? HANJI_E_ARGUMENT
                           : hanji_aimer_sign(signature, message, n, NULL, 0, secret_key, sk, set,
                                              HANJI_AIMER_DETERMINISTIC, NULL, NULL, scratch,
                                              hanji_aimer_scratch_bytes(set));
        if (rc == HANJI_OK)
            print_hex(signature, hanji_aimer_signature_bytes(set));
        else
            (void)io_print(hanji_error_name(rc));
        (void)io_print("\n");
    } else if (text_equal(operation, "misuse")) {
        const char *wrong = misuse(set);
        (void)io_print(wrong != NULL ? wrong : "ok");
        (void)io_print("\n");
    } else if (text_equal(operation, "long")) {
        const size_t kilobytes = number(word(&at));
        const size_t sk = unhex(secret_key, sizeof secret_key, word(&at)),
                     pk = unhex(public_key, sizeof public_key, word(&at));
        (void)io_print(sk == SIZE_MAX || pk == SIZE_MAX
                           ? "hex expected"
                           : hanji_error_name(long_message(set, kilobytes)));
        (void)io_print(" ");
        print_hex(signature, hanji_aimer_signature_bytes(set));
        (void)io_print("\n");
    } else {
        const int of_key = text_equal(operation, "keyflips"),
                  flips = of_key || text_equal(operation, "flips");
        const size_t step = flips ? number(word(&at)) : 1;
        const size_t pk = unhex(public_key, sizeof public_key, word(&at));
        n = unhex(message, sizeof message, word(&at));
        const size_t bytes = unhex(signature, sizeof signature, word(&at));
        if (pk == SIZE_MAX || n == SIZE_MAX || bytes == SIZE_MAX || step == 0) {
            (void)io_print("hex expected\n");
        } else if (of_key) {
            answer_flips(set, public_key, pk, step, n);
        } else if (flips) {
            answer_flips(set, signature, bytes, step, n);
        } else {
            (void)io_print(hanji_error_name(hanji_aimer_verify(signature, bytes, message, n, NULL,
                                                               0, public_key, pk, set, scratch,
                                                               hanji_aimer_scratch_bytes(set))));
            (void)io_print("\n");
        }
    }
}

int main(void)
{
    size_t used = 0;
    for (;;) {
        const long got = io_read(line + used, sizeof line - 1 - used);
        if (got <= 0)
            return used == 0 ? 0 : 1;
        used += (size_t)got;
        for (size_t end = 0; end < used;) {
            if (line[end] != '\n') {
                end++;
                continue;
            }
            line[end] = '\0';
            answer(line);
            used -= end + 1;
            for (size_t i = 0; i < used; i++)
                line[i] = line[end + 1 + i];
            end = 0;
        }
        if (used == sizeof line - 1)
            return 1;
    }
}
