/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs of tests/consumers/residue/main.c: the calls of a streamed verification, with a message that
 * may be secret. Key and signature are public and the same in all runs. After the calls that read
 * the message nothing of it is on the stack, and after the last call nothing of what it selected.
 */
#define SET "slh-dsa-shake-128f"
#define N 16
#define UNUSED __attribute__((unused)) /* by the control */

static hanji_slhdsa_stream stream;

static void begin_pure(void)
{
    must(hanji_slhdsa_stream_init(&stream, ad, N, NULL, 0, HANJI_SLHDSA_PURE, nonce, 2 * N,
                                  hanji_slhdsa_by_name(SET)));
}

#ifndef ONLY_PURE
static UNUSED void begin_shake(void)
{
    must(hanji_slhdsa_stream_init(&stream, ad, N, NULL, 0, HANJI_SLHDSA_SHAKE256, nonce, 2 * N,
                                  hanji_slhdsa_by_name(SET)));
}

#endif

/* More than one block of Keccak. */
static void read_message(void)
{
    for (int i = 0; i < 3; i++)
        must(hanji_slhdsa_stream_message(text, TEXT, &stream));
}

static void end_message(void)
{
    must(hanji_slhdsa_stream_signature(ad, 0, &stream));
}

static void with_pure_message(void)
{
    begin_pure();
    read_message();
}

#ifndef ONLY_PURE
static UNUSED void with_shake_message(void)
{
    begin_shake();
    read_message();
}
#endif

/* The first FORS tree, and the beginning of the second. */
static UNUSED void verify(void)
{
    end_message();
    for (int i = 0; i < 9; i++)
        must(hanji_slhdsa_stream_signature(ad, N, &stream));
    if (hanji_slhdsa_stream_end(&stream) != HANJI_SLHDSA_INVALID)
        failed = 1;
}

#ifdef CONTROL_READS /* what the message selects stays while the signature comes */
static void verify_on(void)
{
    end_message();
    for (int i = 0; i < 9; i++)
        must(hanji_slhdsa_stream_signature(ad, N, &stream));
}
#define JOBS check("control", with_pure_message, verify_on);
#elif defined(ONLY_PURE) /* the tiny profile has no other mode */
#define JOBS                                                 \
    check("message", begin_pure, read_message);              \
    check("end of message", with_pure_message, end_message); \
    check("end", with_pure_message, verify);
#else
#define JOBS                                                 \
    check("message", begin_pure, read_message);              \
    check("message to hash", begin_shake, read_message);     \
    check("end of message", with_pure_message, end_message); \
    check("end of hash", with_shake_message, end_message);   \
    check("end", with_pure_message, verify);
#endif
