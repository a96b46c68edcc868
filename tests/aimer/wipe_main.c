/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What AIMer leaves on the stack and in the scratch memory. Input: the lines "SET MEMORY",
 * "secret-key HEX", "public-key HEX", "random HEX", "message HEX", then "secret NAME HEX" for all
 * that must not be found. MEMORY is full or least; the random bytes feed key generation and
 * signing. Jobs that leave a secret in either place are the controls.
 */
#include "hanji/sign.h"
#include "left_behind.h"

enum { RANDOM_MAX = 4096, SECRET_MAX = 1 << 16, LINE_MAX_BYTES = 1 << 18 };

static char line[LINE_MAX_BYTES], names[SECRETS_MAX][64];
static uint8_t hidden[SECRETS_MAX][SECRET_MAX];
static uint8_t random_bytes[RANDOM_MAX], message[RANDOM_MAX],
    signature[HANJI_AIMER_SIGNATURE_BYTES_MAX];
static uint8_t public_key[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX],
    secret_key[HANJI_AIMER_SECRET_KEY_BYTES_MAX];
static uint8_t made_public[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX],
    made_secret[HANJI_AIMER_SECRET_KEY_BYTES_MAX];
static uint8_t scratch[32 << 20], key_memory[1 << 19];
static const hanji_aimer *set;
static int total, broken;
static size_t scratch_bytes, whole_bytes; /* whole: for a call with a key as bytes */
static size_t random_count, message_bytes, next_random, public_bytes, secret_bytes;

static int give(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    if (random_count - next_random < bytes)
        return HANJI_E_RANDOM;
    copy_bytes(out, random_bytes + next_random, bytes);
    next_random += bytes;
    return HANJI_OK;
}

static hanji_aimer_key *key(void)
{
    return (hanji_aimer_key *)(void *)key_memory;
}

/* Jobs: only these run on the searched stack. They hold no secret in locals of their own. */

static void *job_leave_on_stack(void *unused)
{
    uint8_t left_behind[16];
    copy_bytes(left_behind, hidden[0], sizeof left_behind);
    __asm__ __volatile__("" : : "r"(left_behind) : "memory"); /* it is needed, and in memory */
    return unused;
}

static void *job_leave_in_scratch(void *unused)
{
    copy_bytes(scratch + 1001, hidden[0], 16);
    return unused;
}

static void *job_keypair(void *unused)
{
    must(hanji_aimer_keypair(made_public, made_secret, set, give, NULL, scratch, whole_bytes));
    return unused;
}

static void *job_check(void *unused)
{
    must(hanji_aimer_key_check(secret_key, secret_bytes, set, scratch, scratch_bytes));
    return unused;
}

static void *job_expand(void *unused)
{
    must(hanji_aimer_key_secret(key(), sizeof key_memory, secret_key, secret_bytes, set, scratch,
                                scratch_bytes));
    return unused;
}

static void *job_sign(void *unused)
{
    must(hanji_aimer_sign(signature, message, message_bytes, NULL, 0, secret_key, secret_bytes, set,
                          0, give, NULL, scratch, whole_bytes));
    return unused;
}

/* What a signer has verified of its own signature, and what a verifier leaves of the message. */
static void *job_sign_check(void *unused)
{
    must(hanji_aimer_sign(signature, message, message_bytes, NULL, 0, secret_key, secret_bytes, set,
                          HANJI_AIMER_CHECK, give, NULL, scratch, whole_bytes));
    return unused;
}

static void *job_verify(void *unused)
{
    must(hanji_aimer_verify(signature, hanji_aimer_signature_bytes(set), message, message_bytes,
                            NULL, 0, public_key, public_bytes, set, scratch, whole_bytes));
    return unused;
}

static void *job_key_sign(void *unused)
{
    must(hanji_aimer_key_sign(signature, message, message_bytes, NULL, 0, key(), 0, give, NULL,
                              scratch, scratch_bytes));
    return unused;
}

static hanji_aimer_message ctx;

static void *job_pieces(void *unused)
{
    must(hanji_aimer_message_init(&ctx, NULL, 0, key()));
    must(hanji_aimer_message_update(message, message_bytes, &ctx));
    must(hanji_aimer_message_sign(signature, &ctx, key(), 0, give, NULL, scratch, scratch_bytes));
    return unused;
}

static uint8_t second[HANJI_AIMER_SIGNATURE_BYTES_MAX];

/*
 * Every message of a batch takes the same random bytes, whose place is that of the batch's begin.
 */
static size_t batch_random;

static int give_same(uint8_t *out, size_t bytes, void *state)
{
    if (next_random == random_count)
        next_random = batch_random;
    return give(out, bytes, state);
}

static void *job_batch(void *unused)
{
    hanji_aimer_item items[2] = {{signature, message, message_bytes, NULL, 0, 0},
                                 {second, message, message_bytes, NULL, 0, 0}};
    batch_random = next_random;
    must(hanji_aimer_key_sign_batch(items, 2, key(), 0, give_same, NULL, scratch, scratch_bytes));
    return unused;
}

/* The random source fails in the middle. */
static void *job_sign_refused(void *unused)
{
    if (hanji_aimer_key_sign(signature, message, message_bytes, NULL, 0, key(), 0, give, NULL,
                             scratch, scratch_bytes) != HANJI_E_RANDOM)
        failure = 1;
    return unused;
}

/* Run a job from a place in the random bytes, and search both memories. */
static int found_by(const char *name, void *(*job)(void *), size_t from)
{
    fill(scratch, sizeof scratch, 0);
    next_random = from;
    const int found = found_after(name, job);
    return found < 0 ? found : found + found_in(name, "scratch memory", scratch, scratch_bytes);
}

static void check(const char *name, void *(*job)(void *), size_t from)
{
    const int found = found_by(name, job, from);
    if (found < 0)
        broken = 1;
    else
        total += found;
}

static size_t unhex(uint8_t *out, size_t room, const char *text)
{
    size_t n = 0;
    for (unsigned byte; n < room && sscanf(text, "%2x", &byte) == 1; text += 2)
        out[n++] = (uint8_t)byte;
    return n;
}

static int read_request(void)
{
    char name[64], memory[16];
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%63s %15s", name, memory) != 2 ||
        (set = hanji_aimer_by_name(name)) == NULL)
        return 0;
    scratch_bytes = text_equal(memory, "batch")  ? hanji_aimer_scratch_bytes_batch(set)
                    : text_equal(memory, "full") ? hanji_aimer_scratch_bytes(set)
                                                 : hanji_aimer_scratch_bytes_small(set);
    whole_bytes =
        text_equal(memory, "least") ? hanji_aimer_scratch_bytes_least(set) : scratch_bytes;
    while (fgets(line, sizeof line, stdin) != NULL) {
        int at = 0;
        if (sscanf(line, "secret-key %n", &at) == 0 && at > 0) {
            secret_bytes = unhex(secret_key, sizeof secret_key, line + at);
        } else if (sscanf(line, "public-key %n", &at) == 0 && at > 0) {
            public_bytes = unhex(public_key, sizeof public_key, line + at);
        } else if (sscanf(line, "random %n", &at) == 0 && at > 0) {
            random_count = unhex(random_bytes, sizeof random_bytes, line + at);
        } else if (sscanf(line, "message %n", &at) == 0 && at > 0) {
            message_bytes = unhex(message, sizeof message, line + at);
        } else if (secret_count < SECRETS_MAX &&
                   sscanf(line, "secret %63s %n", names[secret_count], &at) == 1 && at > 0) {
            const size_t s = secret_count;
            secret(names[s], hidden[s], unhex(hidden[s], sizeof hidden[s], line + at));
        } else {
            return 0;
        }
    }
    return secret_bytes == hanji_aimer_secret_key_bytes(set) &&
           public_bytes == hanji_aimer_public_key_bytes(set) && secret_count > 0 &&
           scratch_bytes <= sizeof scratch;
}

int main(void)
{
    if (!read_request()) {
        printf("not a request\n");
        return 2;
    }
    if (found_by("control", job_leave_on_stack, 0) != 1 ||
        found_by("control", job_leave_in_scratch, 0) != 1 ||
        found_by("nothing", job_nothing, 0) != 0) {
        printf("the search does not work\n");
        return 2;
    }
    /* key generation takes the random bytes before, of the size of iv and key */
    const size_t signing = public_bytes & ~(size_t)7;
    check("keypair", job_keypair, 0);
    check("key check", job_check, 0);
    check("expand", job_expand, 0);
    check("sign", job_sign, signing);
    check("sign and check", job_sign_check, signing);
    check("verify", job_verify, 0);
    check("sign with an expanded key", job_key_sign, signing);
    check("sign in pieces", job_pieces, signing);
    check("sign in a batch", job_batch, signing);
    check("sign, refused", job_sign_refused, random_count - 8);
    if (!same(made_secret, secret_key, secret_bytes)) {
        printf("another key was made\n");
        broken = 1;
    }
    printf("%d secrets found\n", total);
    return broken || total > 0;
}
