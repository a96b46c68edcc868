/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of AIMer's calls that overlap: every buffer that a call writes is laid over every other
 * one, and the call must be refused with nothing changed; the same buffers side by side must not
 * be. Keys that are erased, or that could not be made, are refused by every call.
 */
#include "check.h"
#include "hanji/sign.h"

enum {
    SIGNATURE,
    SCRATCH,
    MESSAGE,
    CONTEXT,
    SECRET,
    PUBLIC,
    KEY,
    PIECES, /* a message in pieces */
    ITEMS,
    OPENED, /* the size of a message that was opened */
    BUFFERS
};
enum { ROOM = 1 << 16, ARENA = BUFFERS * ROOM, MESSAGE_BYTES = 40, CONTEXT_BYTES = 9 };

static uint64_t arena_words[ARENA / 8 + 8], before_words[ARENA / 8 + 8];
static uint8_t *arena, *const before = (uint8_t *)before_words;
static uint8_t *p[BUFFERS];
static size_t size[BUFFERS], least;
static const hanji_aimer *set;
static uint8_t signed_once[HANJI_AIMER_SIGNATURE_BYTES_MAX],
    public_once[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX], secret_once[HANJI_AIMER_SECRET_KEY_BYTES_MAX];

/* A call, the buffers that it is given, and those of them that it writes. */
typedef struct {
    const char *name;
    unsigned given, written;
    int (*run)(void);
} call;

static int count_up(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(37 * i + 1);
    return HANJI_OK;
}

static hanji_aimer_key *key(void)
{
    return (hanji_aimer_key *)(void *)p[KEY];
}

static hanji_aimer_message *pieces(void)
{
    return (hanji_aimer_message *)(void *)p[PIECES];
}

static hanji_aimer_item *items(void)
{
    return (hanji_aimer_item *)(void *)p[ITEMS];
}

static size_t *opened(void)
{
    return (size_t *)(void *)p[OPENED];
}

static int run_keypair(void)
{
    return hanji_aimer_keypair(p[PUBLIC], p[SECRET], set, count_up, NULL, p[SCRATCH], least);
}

static int run_sign(void)
{
    return hanji_aimer_sign(p[SIGNATURE], p[MESSAGE], MESSAGE_BYTES, p[CONTEXT], CONTEXT_BYTES,
                            p[SECRET], size[SECRET], set, 0, count_up, NULL, p[SCRATCH], least);
}

static int run_verify(void)
{
    return hanji_aimer_verify(p[SIGNATURE], size[SIGNATURE], p[MESSAGE], MESSAGE_BYTES, p[CONTEXT],
                              CONTEXT_BYTES, p[PUBLIC], size[PUBLIC], set, p[SCRATCH], least);
}

static int run_key_secret(void)
{
    return hanji_aimer_key_secret(key(), size[KEY], p[SECRET], size[SECRET], set, p[SCRATCH],
                                  least);
}

static int run_key_public(void)
{
    return hanji_aimer_key_public(key(), size[KEY], p[PUBLIC], size[PUBLIC], set, p[SCRATCH],
                                  least);
}

static int run_key_check(void)
{
    return hanji_aimer_key_check(p[SECRET], size[SECRET], set, p[SCRATCH], least);
}

static int run_key_sign(void)
{
    return hanji_aimer_key_sign(p[SIGNATURE], p[MESSAGE], MESSAGE_BYTES, p[CONTEXT], CONTEXT_BYTES,
                                key(), 0, count_up, NULL, p[SCRATCH], least);
}

static int run_key_verify(void)
{
    return hanji_aimer_key_verify(p[SIGNATURE], size[SIGNATURE], p[MESSAGE], MESSAGE_BYTES,
                                  p[CONTEXT], CONTEXT_BYTES, key(), p[SCRATCH], least);
}

static int run_message_init(void)
{
    return hanji_aimer_message_init(pieces(), p[CONTEXT], CONTEXT_BYTES, key());
}

static int run_message_update(void)
{
    return hanji_aimer_message_update(p[MESSAGE], MESSAGE_BYTES, pieces());
}

static int run_message_sign(void)
{
    return hanji_aimer_message_sign(p[SIGNATURE], pieces(), key(), 0, count_up, NULL, p[SCRATCH],
                                    least);
}

static int run_message_verify(void)
{
    return hanji_aimer_message_verify(p[SIGNATURE], size[SIGNATURE], pieces(), key(), p[SCRATCH],
                                      least);
}

/* The combined form is written where signatures are. */
static int run_sign_combined(void)
{
    return hanji_aimer_sign_combined(p[SIGNATURE], p[MESSAGE], MESSAGE_BYTES, p[CONTEXT],
                                     CONTEXT_BYTES, p[SECRET], size[SECRET], set, 0, count_up, NULL,
                                     p[SCRATCH], least);
}

static int run_open_combined(void)
{
    return hanji_aimer_open_combined(opened(), p[SIGNATURE], size[SIGNATURE], p[CONTEXT],
                                     CONTEXT_BYTES, p[PUBLIC], size[PUBLIC], set, p[SCRATCH],
                                     least);
}

static int run_sign_batch(void)
{
    return hanji_aimer_key_sign_batch(items(), 1, key(), 0, count_up, NULL, p[SCRATCH], least);
}

static int run_verify_batch(void)
{
    return hanji_aimer_key_verify_batch(items(), 1, key(), p[SCRATCH], least);
}

#define B(buffer) (1u << (buffer))

static const call calls[] = {
    {"keypair", B(PUBLIC) | B(SECRET) | B(SCRATCH), B(PUBLIC) | B(SECRET) | B(SCRATCH),
     run_keypair},
    {"sign", B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(SECRET) | B(SCRATCH),
     B(SIGNATURE) | B(SCRATCH), run_sign},
    {"verify", B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(PUBLIC) | B(SCRATCH), B(SCRATCH),
     run_verify},
    {"key_secret", B(KEY) | B(SECRET) | B(SCRATCH), B(KEY) | B(SCRATCH), run_key_secret},
    {"key_public", B(KEY) | B(PUBLIC) | B(SCRATCH), B(KEY) | B(SCRATCH), run_key_public},
    {"key_check", B(SECRET) | B(SCRATCH), B(SCRATCH), run_key_check},
    {"key_sign", B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(KEY) | B(SCRATCH),
     B(SIGNATURE) | B(SCRATCH), run_key_sign},
    {"key_verify", B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(KEY) | B(SCRATCH), B(SCRATCH),
     run_key_verify},
    {"message_init", B(PIECES) | B(CONTEXT) | B(KEY), B(PIECES), run_message_init},
    {"message_update", B(PIECES) | B(MESSAGE), B(PIECES), run_message_update},
    {"message_sign", B(SIGNATURE) | B(PIECES) | B(KEY) | B(SCRATCH),
     B(SIGNATURE) | B(PIECES) | B(SCRATCH), run_message_sign},
    {"message_verify", B(SIGNATURE) | B(PIECES) | B(KEY) | B(SCRATCH), B(PIECES) | B(SCRATCH),
     run_message_verify},
    {"sign_combined", B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(SECRET) | B(SCRATCH),
     B(SIGNATURE) | B(SCRATCH), run_sign_combined},
    {"open_combined", B(OPENED) | B(SIGNATURE) | B(CONTEXT) | B(PUBLIC) | B(SCRATCH),
     B(OPENED) | B(SCRATCH), run_open_combined},
    {"sign_batch", B(ITEMS) | B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(KEY) | B(SCRATCH),
     B(ITEMS) | B(SIGNATURE) | B(SCRATCH), run_sign_batch},
    {"verify_batch", B(ITEMS) | B(SIGNATURE) | B(MESSAGE) | B(CONTEXT) | B(KEY) | B(SCRATCH),
     B(ITEMS) | B(SCRATCH), run_verify_batch},
};

/* A structure stays where it is aligned: others are moved over it. */
static int fixed(int buffer)
{
    return buffer == KEY || buffer == PIECES || buffer == ITEMS || buffer == OPENED;
}

static int is(const call *c, int (*run)(void))
{
    return c->run == run;
}

/* Everything in a room of its own, and right. 0 when that fails. */
static int put(const call *c)
{
    const size_t combined =
        is(c, run_sign_combined) || is(c, run_open_combined) ? (size_t)MESSAGE_BYTES : (size_t)0;
    for (int i = 0; i < BUFFERS; i++)
        p[i] = arena + (size_t)i * ROOM + 256;
    size[SIGNATURE] = hanji_aimer_signature_bytes(set) + combined;
    size[SCRATCH] = least;
    size[MESSAGE] = MESSAGE_BYTES;
    size[CONTEXT] = CONTEXT_BYTES;
    size[SECRET] = hanji_aimer_secret_key_bytes(set);
    size[PUBLIC] = hanji_aimer_public_key_bytes(set);
    size[KEY] = hanji_aimer_key_bytes(set);
    size[PIECES] = sizeof(hanji_aimer_message);
    size[ITEMS] = sizeof(hanji_aimer_item);
    size[OPENED] = sizeof(size_t);
    pseudo_random(p[MESSAGE], MESSAGE_BYTES, 7);
    pseudo_random(p[CONTEXT], CONTEXT_BYTES, 8);
    copy_bytes(p[PUBLIC], public_once, size[PUBLIC]);
    copy_bytes(p[SECRET], secret_once, size[SECRET]);
    copy_bytes(p[SIGNATURE], p[MESSAGE], combined);
    copy_bytes(p[SIGNATURE] + combined, signed_once, size[SIGNATURE] - combined);
    if ((c->given & B(KEY)) != 0 && run_key_secret() != HANJI_OK)
        return 0;
    if (is(c, run_message_update) || is(c, run_message_sign) || is(c, run_message_verify))
        if (run_key_secret() != HANJI_OK || run_message_init() != HANJI_OK ||
            (!is(c, run_message_update) && run_message_update() != HANJI_OK))
            return 0;
    return 1;
}

static int refused_at(const call *c, int moved, int to, long distance)
{
    p[moved] = p[to] + distance;
    *items() = (hanji_aimer_item){p[SIGNATURE], p[MESSAGE],    MESSAGE_BYTES,
                                  p[CONTEXT],   CONTEXT_BYTES, HANJI_E_ARGUMENT};
    copy_bytes(before, arena, ARENA);
    const int rc = c->run();
    p[moved] = arena + (size_t)moved * ROOM + 256;
    return rc == HANJI_E_ARGUMENT && same(arena, before, ARENA);
}

static void check_call(const call *c)
{
    case_context = c->name;
    CHECK(put(c));
    for (int written = 0; written < BUFFERS; written++)
        for (int other = 0; other < BUFFERS; other++) {
            if (written == other || (c->written & B(written)) == 0 || (c->given & B(other)) == 0)
                continue;
            const int moved = fixed(written) ? other : written,
                      to = fixed(written) ? written : other;
            if (fixed(moved))
                continue;
            const long n = (long)size[moved], m = (long)size[to];
            const long inside[] = {1 - n, -n / 2, 0, m / 2, m - 1};
            for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
                if (is(c, run_sign_combined) && inside[i] == 0 &&
                    (written == MESSAGE || other == MESSAGE) &&
                    (written == SIGNATURE || other == SIGNATURE))
                    continue; /* in place */
                CHECK(refused_at(c, moved, to, inside[i]));
            }
        }
    *items() = (hanji_aimer_item){p[SIGNATURE], p[MESSAGE],    MESSAGE_BYTES,
                                  p[CONTEXT],   CONTEXT_BYTES, HANJI_E_ARGUMENT};
    CHECK(c->run() == HANJI_OK);
}

static void overlaps(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && !case_failed; i++)
        check_call(&calls[i]);
}

/* Messages of one batch whose signatures lie over one another or over other messages. */
static void batches(void)
{
    enum { MANY = 9 };
    static hanji_aimer_item batch[MANY];
    const size_t n = hanji_aimer_signature_bytes(set), step = n + 64;
    CHECK(put(&calls[0]) && run_key_secret() == HANJI_OK);
    uint8_t *room = p[SIGNATURE], *message = p[MESSAGE];
    CHECK((MANY / 2 + 1) * step < 2 * ROOM);
    /* 0: good; 1 to 6: signature i over another one or a message, wholly or by a byte */
    for (int kind = 0; kind <= 6; kind++)
        for (size_t i = 0; i < MANY; i++) {
            for (size_t j = 0; j < MANY; j++) /* neither sorted nor in one piece */
                batch[j] = (hanji_aimer_item){
                    j % 2 ? arena + (size_t)KEY * ROOM - (j + 2) / 2 * step : room + j / 2 * step,
                    message + j,
                    MESSAGE_BYTES,
                    NULL,
                    0,
                    99};
            uint8_t *other = batch[(i + 4) % MANY].signature;
            if (kind == 1)
                batch[i].signature = other;
            else if (kind == 2)
                batch[i].signature = other + n - 1;
            else if (kind == 3)
                batch[i].signature = other - n + 1;
            else if (kind == 4)
                batch[i].message = other + n - 1;
            else if (kind == 5)
                batch[i].message = other - MESSAGE_BYTES + 1;
            else if (kind == 6)
                batch[i].context = other + 5, batch[i].context_bytes = 1;
            if (kind == 0 && i > 0)
                break;
            copy_bytes(before, arena, ARENA);
            const int rc = hanji_aimer_key_sign_batch(batch, kind == 0 ? 3 : MANY, key(), 0,
                                                      count_up, NULL, p[SCRATCH], least);
            CHECK(rc == (kind == 0 ? HANJI_OK : HANJI_E_ARGUMENT));
            CHECK(kind == 0 || same(arena, before, ARENA));
            for (size_t j = 0; j < MANY && kind != 0; j++)
                CHECK(batch[j].status == HANJI_E_ARGUMENT);
        }
    /* one item without a signature fails alone */
    batch[0] = (hanji_aimer_item){NULL, message, MESSAGE_BYTES, NULL, 0, 99};
    batch[1] = (hanji_aimer_item){room, message, MESSAGE_BYTES, NULL, 0, 99};
    batch[2] = batch[0];
    CHECK(hanji_aimer_key_sign_batch(batch, 3, key(), 0, count_up, NULL, p[SCRATCH], least) ==
          HANJI_E_ARGUMENT);
    CHECK(batch[0].status == HANJI_E_ARGUMENT && batch[1].status == HANJI_OK &&
          batch[2].status == HANJI_E_ARGUMENT);
}

/* Every call that takes an expanded key refuses memory that holds none. */
static void refuse_key(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if ((calls[i].given & B(KEY)) != 0 && !is(&calls[i], run_key_secret) &&
            !is(&calls[i], run_key_public)) {
            case_context = calls[i].name;
            CHECK(calls[i].run() == HANJI_E_ARGUMENT);
        }
}

static void keys_that_are_none(void)
{
    CHECK(put(&calls[0]));
    *items() = (hanji_aimer_item){p[SIGNATURE], p[MESSAGE],    MESSAGE_BYTES,
                                  p[CONTEXT],   CONTEXT_BYTES, HANJI_E_ARGUMENT};
    CHECK(run_key_secret() == HANJI_OK && run_message_init() == HANJI_OK);
    CHECK(run_key_sign() == HANJI_OK);
    hanji_aimer_key_wipe(key(), size[KEY]);
    refuse_key();
    /* a key that could not be made is not the one that was there before */
    CHECK(run_key_secret() == HANJI_OK);
    size[SECRET]--;
    CHECK(run_key_secret() == HANJI_E_LENGTH);
    size[SECRET]++;
    refuse_key();
    CHECK(run_key_secret() == HANJI_OK);
    p[SECRET][0] ^= 1; /* its public half does not belong to it */
    CHECK(run_key_secret() == HANJI_E_TAG);
    refuse_key();
    p[SECRET][0] ^= 1;
    CHECK(run_key_public() == HANJI_OK);
    CHECK(run_key_verify() == HANJI_OK && run_key_sign() == HANJI_E_ARGUMENT);
    size[PUBLIC]--;
    CHECK(run_key_public() == HANJI_E_LENGTH);
    size[PUBLIC]++;
    refuse_key();
}

int main(void)
{
    static const test_case cases[] = {
        {"overlaps", overlaps}, {"batches", batches}, {"keys that are none", keys_that_are_none}};
    arena = (uint8_t *)arena_words + (-(uintptr_t)arena_words & 63);
    set = hanji_aimer_by_name("aimer3-128f");
    least = hanji_aimer_scratch_bytes_small(set);
    if (set == NULL || least > ROOM - 512 || hanji_aimer_key_bytes(set) > ROOM - 512)
        return 2;
    for (int i = 0; i < BUFFERS; i++)
        p[i] = arena + (size_t)i * ROOM + 256;
    size[SECRET] = hanji_aimer_secret_key_bytes(set);
    pseudo_random(p[MESSAGE], MESSAGE_BYTES, 7);
    pseudo_random(p[CONTEXT], CONTEXT_BYTES, 8);
    if (run_keypair() != HANJI_OK || run_sign() != HANJI_OK)
        return 2;
    copy_bytes(signed_once, p[SIGNATURE], hanji_aimer_signature_bytes(set));
    copy_bytes(public_once, p[PUBLIC], hanji_aimer_public_key_bytes(set));
    copy_bytes(secret_once, p[SECRET], hanji_aimer_secret_key_bytes(set));
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
