/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant-time checks of the whole library: every algorithm, mode and direction with its secrets
 * marked.
 *
 * Usage: harness controls | library | plants. One JSON object per check goes to standard output.
 * Runs under valgrind's memcheck; built with
 * HANJI_CT_TRACE it runs natively instead and writes down which functions each check reaches (the
 * library is then compiled with -finstrument-functions). Built with HANJI_CT_MARKS for another
 * processor it runs under qemu-user, which writes down where the program counter goes and what is
 * accessed: harness controls | library | sparkle | plants TURNS does that part so many times, each
 * time with other secrets. Linked with --wrap for hanji_equal, hanji_aimer_revealed and
 * hanji_slhdsa_revealed.
 *
 * Secret: keys, plaintexts, hashed messages, associated data, permutation states, and all that is
 * computed from them. Public: lengths, nonces, first counter blocks, and what `released` names.
 */
#include "harness.h"

#include <hanji/hanji.h>
#include <slhdsa/slhdsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sets.h"
#if defined(__x86_64__) && !defined(HANJI_CT_MARKS)
#include "sparkle/sponge_wide.h"
#endif

#ifdef HANJI_CT_MARKS
#include "mark.h"
#define VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes) ((void)(memory), (void)(bytes), 0)
#define VALGRIND_MAKE_MEM_DEFINED(memory, bytes) ((void)(memory), (void)(bytes), 0)
#define VALGRIND_PRINTF(...) 0
#define VALGRIND_COUNT_ERRORS 0u
#define RUNNING_ON_VALGRIND 1
#else
#include <valgrind/memcheck.h>
#define HANJI_LAB_BEGIN() (void)0
#define HANJI_LAB_END() (void)0
#endif

#ifdef HANJI_CT_TRACE
#define TRACE_MAX 4096
static void *traced[TRACE_MAX];
static size_t traced_count;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    for (size_t i = traced_count; i-- > 0;)
        if (traced[i] == function)
            return;
    if (traced_count == TRACE_MAX) {
        fputs("ct: more functions than the trace holds; raise TRACE_MAX\n", stderr);
        exit(3);
    }
    traced[traced_count++] = function;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}
#endif

#define REASONS_MAX 32
static const char *current, *reasons[REASONS_MAX];
static size_t reason_count;
static unsigned errors_before;

static uint32_t turn; /* 0: secrets are as the checks fill them */

uint32_t secret_turn(void)
{
    return turn;
}

static void hide(const void *memory, size_t bytes)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
}

/* The values of this turn's set (sets.h), made once for all checks because qemu is slow. */
#define DRAWS_MAX 32
#define SECRET_MAX 6400
static uint8_t values[SECRET_MAX + SET_UNIT * DRAWS_MAX];
static uint8_t open_values[SET_UNIT]; /* public data that secrets of some sets are equal to */
static uint32_t draws;                /* secrets that this check has drawn */

static void choose_set(void)
{
    for (uint32_t i = 0; turn > 0 && i < sizeof values; i++)
        values[i] = set_byte(turn, i);
    for (uint32_t i = 0; i < sizeof open_values; i++)
        open_values[i] = set_public(i);
}

void secret(void *memory, size_t bytes)
{
    if (turn > 0) {
        expect(bytes <= SECRET_MAX, "a secret is longer than SECRET_MAX");
        memcpy(memory, values + SET_UNIT * (draws++ % DRAWS_MAX), bytes);
    }
    hide(memory, bytes);
}

void released(const void *memory, size_t bytes, const char *reason)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
    for (size_t i = 0; i < reason_count; i++)
        if (reasons[i] == reason)
            return;
    if (reason_count == REASONS_MAX) {
        fputs("ct: more reasons than fit; raise REASONS_MAX\n", stderr);
        exit(3);
    }
    reasons[reason_count++] = reason;
}

static int steered;

void steers(const void *memory, size_t bytes, const char *reason)
{
    released(memory, bytes, reason);
    steered = 1;
}

static uint32_t entropy_seed; /* of getentropy() below; 0 where a check begins */

void begin(const char *group, const char *subject, const char *secrets)
{
    current = subject;
    printf("{\"group\":\"%s\",\"subject\":\"%s\",\"secrets\":\"%s\"", group, subject, secrets);
    (void)VALGRIND_PRINTF("check %s: %s", group, subject);
    reason_count = 0;
    steered = 0;
    entropy_seed = 0;
    draws = 0;
    errors_before = VALGRIND_COUNT_ERRORS;
#ifdef HANJI_CT_TRACE
    traced_count = 0;
#endif
    HANJI_LAB_BEGIN();
}

void end(void)
{
    HANJI_LAB_END();
    printf(",\"errors\":%u,\"released\":[", VALGRIND_COUNT_ERRORS - errors_before);
    for (size_t i = 0; i < reason_count; i++)
        printf("%s\"%s\"", i ? "," : "", reasons[i]);
    printf("],\"steered\":%s,\"turn\":%u", steered ? "true" : "false", (unsigned)turn);
#ifdef HANJI_CT_TRACE
    fputs(",\"functions\":[", stdout);
    for (size_t i = 0; i < traced_count; i++)
        printf("%s\"%p\"", i ? "," : "", traced[i]);
    fputs("]", stdout);
#endif
    puts("}");
    fflush(stdout);
}

void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "ct: %s: %s\n", current, what);
        exit(3);
    }
}

static void ok(int rc)
{
    expect(rc == HANJI_OK, hanji_error_name(rc));
}

/*
 * A tag check ends in a public verdict: everybody sees whether the message was accepted. Public is
 * the verdict of the calls of hanji_equal that lab/ct/verdicts.py names, and of no others: their
 * return addresses, with the reasons, come in the environment as ADDRESS=REASON;...
 */
int __real_hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes);
int __wrap_hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes);

#define VERDICTS_MAX 64
static struct {
    uintptr_t address;
    const char *reason;
} verdicts[VERDICTS_MAX];
static size_t verdict_count;

static void read_verdicts(void)
{
    char *at = getenv("HANJI_CT_VERDICTS");
    while (at != NULL && *at != 0) {
        char *reason, *rest = strchr(at, ';');
        if (verdict_count == VERDICTS_MAX) {
            fputs("ct: more calls of hanji_equal than fit; raise VERDICTS_MAX\n", stderr);
            exit(3);
        }
        if (rest != NULL)
            *rest++ = 0;
        verdicts[verdict_count].address = (uintptr_t)strtoull(at, &reason, 16);
        verdicts[verdict_count].reason = reason + 1;
        for (size_t i = 0; i < verdict_count; i++) /* one place for each reason */
            if (strcmp(verdicts[i].reason, reason + 1) == 0)
                verdicts[verdict_count].reason = verdicts[i].reason;
        verdict_count++;
        at = rest;
    }
}

int __wrap_hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    int verdict = __real_hanji_equal(a, b, bytes);
    for (size_t i = 0; i < verdict_count; i++)
        if (verdicts[i].address == (uintptr_t)__builtin_return_address(0))
            released(&verdict, sizeof verdict, verdicts[i].reason);
    return verdict;
}

/* Where the protocol of AIMer makes a value public, it says so, with the reason. */
void __real_hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason);
void __wrap_hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason);

void __wrap_hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason)
{
    steers(memory, bytes, reason);
}

/* Likewise SLH-DSA. */
void __wrap_hanji_slhdsa_revealed(const void *memory, size_t bytes, const char *reason);

void __wrap_hanji_slhdsa_revealed(const void *memory, size_t bytes, const char *reason)
{
    steers(memory, bytes, reason);
}

/* Reaches every group size of the kernel tables and leaves a part of a group. */
#define BLOCKS 398
#define TEXT ((BLOCKS + 1) * HANJI_BLOCK_BYTES_MAX + 3)
_Static_assert(TEXT <= SECRET_MAX, "SECRET_MAX is too small");
#define TAG_MAX 64

static uint8_t key[HANJI_BLOCK_KEY_BYTES_MAX], nonce[32], ad[70];
static uint8_t plaintext[TEXT], ciphertext[TEXT + TAG_MAX], opened[TEXT + TAG_MAX], tag[TAG_MAX];

static void fill(void *memory, size_t bytes, uint32_t seed)
{
    uint8_t *p = memory;
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = (uint8_t)(seed >> 24);
    }
}

#ifndef HANJI_FREESTANDING
/*
 * Takes the place of the C library's function, so that the library gets the same random bytes in
 * every turn of a check. Where the search in a device table begins depends on its random factors,
 * and traces of two turns may differ by secrets alone.
 */
int getentropy(void *out, size_t bytes);
int getentropy(void *out, size_t bytes)
{
    fill(out, bytes, entropy_seed++);
    return 0;
}
#endif

/*
 * Lift the mark where the harness itself overwrites or compares what the library has finished with.
 */
static void forget(const void *memory, size_t bytes)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
}

/* A fresh secret; where secrets vary, its set says what it is, else the seed. */
static void deal_secret(void *memory, size_t bytes, uint32_t seed)
{
    forget(memory, bytes);
    if (turn == 0)
        fill(memory, bytes, seed);
    secret(memory, bytes);
}

static void deal_public(uint8_t *memory, size_t bytes, uint32_t seed)
{
    if (turn == 0)
        fill(memory, bytes, seed);
    for (uint32_t i = 0; turn > 0 && i < bytes; i++)
        memory[i] = open_values[i % SET_UNIT];
}

/* Fresh inputs; key, plaintext and associated data are secret. */
static void deal(void)
{
    deal_secret(key, sizeof key, 1);
    deal_public(nonce, sizeof nonce, 2);
    deal_secret(ad, sizeof ad, 3);
    deal_secret(plaintext, sizeof plaintext, 4);
}

static void publish(const void *memory, size_t bytes)
{
    released(memory, bytes, "ciphertexts, tags and digests are sent and stored in the open");
}

/* The harness itself looks at results that stay secret afterwards. */
static void expect_equal(uint8_t *a, uint8_t *b, size_t bytes, const char *what)
{
    forget(a, bytes);
    forget(b, bytes);
    expect(memcmp(a, b, bytes) == 0, what);
    hide(a, bytes);
    hide(b, bytes);
}

/*
 * How many blocks reach every group of a cipher's kernels that may run, and leave a part of a
 * group. Where many sets of secrets are compared, a text has no more, because qemu is slow.
 */
static size_t blocks_of(const hanji_cipher *cipher)
{
    static struct {
        const hanji_cipher *cipher;
        size_t blocks;
    } known[64];
    static uint16_t least[BLOCKS]; /* by the size of a group: the fewest blocks that reach it */
    size_t at = 0, blocks = 1;
    if (turn == 0)
        return BLOCKS;
    while (known[at].cipher != NULL && known[at].cipher != cipher)
        at++;
    if (known[at].cipher == cipher)
        return known[at].blocks;
    expect(at + 1 < sizeof known / sizeof known[0], "there are more ciphers than expected");
    memset(least, 0, sizeof least);
    for (size_t i = 0; i < hanji_kernel_count(); i++) {
        hanji_kernel_info info;
        ok(hanji_kernel_at(&info, i));
        if (!info.usable || info.group == 1 ||
            strcmp(info.algorithm, hanji_cipher_name(cipher)) != 0 ||
            (strcmp(info.operation, "encrypt") != 0 && strcmp(info.operation, "decrypt") != 0 &&
             strcmp(info.operation, "ctr") != 0))
            continue;
        expect(info.group < BLOCKS && info.minimum < BLOCKS, "BLOCKS is too small");
        if (least[info.group] < info.group)
            least[info.group] = (uint16_t)info.group;
        if (least[info.group] < info.minimum)
            least[info.group] = (uint16_t)info.minimum;
    }
    for (size_t group = 2; group < BLOCKS; group++)
        blocks += least[group];
    expect(blocks <= BLOCKS, "BLOCKS is too small");
    known[at].cipher = cipher;
    known[at].blocks = blocks;
    return blocks;
}

static void check_block(const hanji_cipher *cipher)
{
    hanji_any_block_ctx ctx;
    const size_t blocks = blocks_of(cipher), bytes = blocks * hanji_cipher_block_bytes(cipher);
    begin("block", hanji_cipher_name(cipher), "key, plaintext");
    deal();
    ok(hanji_block_init(key, hanji_cipher_key_bytes(cipher), cipher, &ctx.head, sizeof ctx));
    ok(hanji_block_encrypt(ciphertext, plaintext, blocks, &ctx.head));
    /*
     * The ciphertext stays secret here: a block cipher is also used where both sides are, as in
     * CMAC.
     */
    ok(hanji_block_decrypt(opened, ciphertext, blocks, &ctx.head));
    expect_equal(opened, plaintext, bytes, "decryption does not invert encryption");
    hanji_block_wipe(&ctx.head);
    end();
}

static void check_ctr(const hanji_cipher *cipher)
{
    hanji_any_block_ctx ctx;
    hanji_ctr_ctx ctr;
    const size_t block = hanji_cipher_block_bytes(cipher),
                 bytes = (blocks_of(cipher) + 1) * block + 3;
    begin("ctr", hanji_cipher_name(cipher), "key, plaintext");
    deal();
    ok(hanji_block_init(key, hanji_cipher_key_bytes(cipher), cipher, &ctx.head, sizeof ctx));
    ok(hanji_block_set_limit(UINT64_MAX, &ctx.head));
    ok(hanji_ctr_init(nonce, block, &ctx.head, &ctr));
    ok(hanji_ctr_update(ciphertext, plaintext, 5, &ctr));
    ok(hanji_ctr_update(ciphertext + 5, plaintext + 5, bytes - 5, &ctr));
    hanji_ctr_wipe(&ctr);
    publish(ciphertext, bytes);
    ok(hanji_ctr_init(nonce, block, &ctx.head, &ctr));
    ok(hanji_ctr_update(opened, ciphertext, bytes, &ctr));
    expect_equal(opened, plaintext, bytes, "decryption does not invert encryption");
    hanji_ctr_wipe(&ctr);
    hanji_block_wipe(&ctx.head);
    end();
    /*
     * in one call: a block or less, two, up to four, more, through the context, and in all numbers
     * of vectors beside a key schedule, with others before them
     */
#ifdef __riscv /* no vectors */
    static const size_t sizes[] = {1, 2, 4, 7};
#else
    static const size_t sizes[] = {1, 2, 4, 7, 12, 31, 33, 50, 60, 130};
#endif
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t size = sizes[i] * block - 1;
        if (sizes[i] > hanji_cipher_limit(cipher))
            continue;
        begin("ctr message", hanji_cipher_name(cipher), "key, plaintext");
        deal();
        ok(hanji_ctr(ciphertext, plaintext, size, nonce, block, key, hanji_cipher_key_bytes(cipher),
                     cipher));
        publish(ciphertext, size);
        ok(hanji_ctr(opened, ciphertext, size, nonce, block, key, hanji_cipher_key_bytes(cipher),
                     cipher));
        expect_equal(opened, plaintext, size, "decryption does not invert encryption");
        end();
    }
}

static void check_cmac(const hanji_cipher *cipher)
{
    hanji_any_block_ctx ctx;
    hanji_cmac_ctx cmac;
    const size_t block = hanji_cipher_block_bytes(cipher);
    begin("cmac", hanji_cipher_name(cipher), "key, message");
    deal();
    ok(hanji_block_init(key, hanji_cipher_key_bytes(cipher), cipher, &ctx.head, sizeof ctx));
    ok(hanji_cmac_init(&ctx.head, &cmac));
    ok(hanji_cmac_update(plaintext, 3, &cmac));
    ok(hanji_cmac_update(plaintext + 3, 5 * block, &cmac));
    ok(hanji_cmac_final(tag, block, &cmac));
    publish(tag, block);
    ok(hanji_cmac_update(plaintext, 5 * block + 3, &cmac));
    ok(hanji_cmac_verify(tag, block, &cmac));
    tag[0] ^= 1;
    ok(hanji_cmac_update(plaintext, 5 * block + 3, &cmac));
    expect(hanji_cmac_verify(tag, block, &cmac) == HANJI_E_TAG, "a changed tag is accepted");
    ok(hanji_cmac(tag, block, plaintext, 4 * block, &ctx.head));
    hanji_cmac_wipe(&cmac);
    hanji_block_wipe(&ctx.head);
    end();
}

static void check_eax(const hanji_cipher *cipher)
{
    hanji_any_block_ctx ctx;
    hanji_eax_ctx eax;
    const size_t block = hanji_cipher_block_bytes(cipher), bytes = blocks_of(cipher) * block + 3;
    begin("eax", hanji_cipher_name(cipher), "key, plaintext, associated data");
    deal();
    ok(hanji_block_init(key, hanji_cipher_key_bytes(cipher), cipher, &ctx.head, sizeof ctx));
    ok(hanji_eax_init(block, &ctx.head, &eax));
    ok(hanji_eax_encrypt(ciphertext, plaintext, bytes, ad, sizeof ad, nonce, block, &eax));
    publish(ciphertext, bytes + block);
    ok(hanji_eax_decrypt(opened, ciphertext, bytes + block, ad, sizeof ad, nonce, block, &eax));
    expect_equal(opened, plaintext, bytes, "decryption does not invert encryption");
    ciphertext[1] ^= 4;
    expect(hanji_eax_decrypt(opened, ciphertext, bytes + block, ad, sizeof ad, nonce, block,
                             &eax) == HANJI_E_TAG,
           "a changed message is accepted");
    ok(hanji_eax_begin(nonce, block, &eax));
    ok(hanji_eax_update_ad(ad, 7, &eax));
    ok(hanji_eax_update(ciphertext, plaintext, 5, &eax));
    ok(hanji_eax_update(ciphertext + 5, plaintext + 5, bytes - 5, &eax));
    ok(hanji_eax_final(tag, &eax));
    publish(ciphertext, bytes);
    publish(tag, block);
    ok(hanji_eax_decrypt_detached(opened, ciphertext, bytes, tag, block, ad, 7, nonce, block,
                                  &eax));
    ok(hanji_eax_encrypt_detached(ciphertext, tag, plaintext, bytes, ad, 7, nonce, block, &eax));
    hanji_eax_wipe(&eax);
    hanji_block_wipe(&ctx.head);
    end();
}

/* One SCHWAEMM instance: around the rate, with and without associated data, whole and in pieces. */
#define CHECK_SCHWAEMM(id, name)                                                                 \
    static void check_##id(void)                                                                 \
    {                                                                                            \
        static const size_t sizes[] = {0, 1, 31, 32, 33, 200};                                   \
        const size_t tag_bytes = sizeof(uint8_t[HANJI_##name##_TAG_BYTES]);                      \
        hanji_schwaemm_ctx ctx;                                                                  \
        begin("schwaemm", #id, "key, plaintext, associated data");                               \
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {                            \
            const size_t bytes = sizes[i], ad_bytes = i % 2 ? sizeof ad : 0;                     \
            deal();                                                                              \
            ok(hanji_##id##_encrypt(ciphertext, plaintext, bytes, ad, ad_bytes, nonce, key));    \
            publish(ciphertext, bytes + tag_bytes);                                              \
            ok(hanji_##id##_decrypt(opened, ciphertext, bytes + tag_bytes, ad, ad_bytes, nonce,  \
                                    key));                                                       \
            expect_equal(opened, plaintext, bytes, "decryption does not invert encryption");     \
            ciphertext[bytes] ^= 1;                                                              \
            expect(hanji_##id##_decrypt(opened, ciphertext, bytes + tag_bytes, ad, ad_bytes,     \
                                        nonce, key) == HANJI_E_TAG,                              \
                   "a changed tag is accepted");                                                 \
        }                                                                                        \
        ok(hanji_##id##_init(nonce, key, &ctx));                                                 \
        ok(hanji_##id##_update_ad(ad, 40, &ctx));                                                \
        ok(hanji_##id##_update(ciphertext, plaintext, 5, &ctx));                                 \
        ok(hanji_##id##_update(ciphertext + 5, plaintext + 5, 95, &ctx));                        \
        ok(hanji_##id##_final(tag, &ctx));                                                       \
        publish(ciphertext, 100);                                                                \
        publish(tag, tag_bytes);                                                                 \
        ok(hanji_##id##_decrypt_detached(opened, ciphertext, 100, tag, ad, 40, nonce, key));     \
        expect_equal(opened, plaintext, 100, "decryption does not invert encryption in pieces"); \
        ok(hanji_##id##_encrypt_detached(ciphertext, tag, plaintext, 100, ad, 40, nonce, key));  \
        hanji_schwaemm_wipe(&ctx);                                                               \
        end();                                                                                   \
    }

CHECK_SCHWAEMM(schwaemm256_128, SCHWAEMM256_128)
CHECK_SCHWAEMM(schwaemm192_192, SCHWAEMM192_192)
CHECK_SCHWAEMM(schwaemm128_128, SCHWAEMM128_128)
CHECK_SCHWAEMM(schwaemm256_256, SCHWAEMM256_256)

/* Around the rate, whole and in pieces, and with a key that has a short tag and a mask. */
static void check_ascon_aead128(void)
{
    static const size_t sizes[] = {0, 1, 8, 15, 16, 17, 200};
    const size_t tag_bytes = HANJI_ASCON_AEAD128_TAG_BYTES;
    hanji_ascon_aead128_ctx ctx;
    hanji_ascon_aead128_key keyed;
    begin("ascon", "ascon-aead128", "key, plaintext, associated data");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t bytes = sizes[i], ad_bytes = i % 2 ? sizeof ad : 0;
        deal();
        ok(hanji_ascon_aead128_encrypt(ciphertext, plaintext, bytes, ad, ad_bytes, nonce, key));
        publish(ciphertext, bytes + tag_bytes);
        ok(hanji_ascon_aead128_decrypt(opened, ciphertext, bytes + tag_bytes, ad, ad_bytes, nonce,
                                       key));
        expect_equal(opened, plaintext, bytes, "decryption does not invert encryption");
        ciphertext[bytes] ^= 1;
        expect(hanji_ascon_aead128_decrypt(opened, ciphertext, bytes + tag_bytes, ad, ad_bytes,
                                           nonce, key) == HANJI_E_TAG,
               "a changed tag is accepted");
    }
    ok(hanji_ascon_aead128_init(nonce, key, &ctx));
    ok(hanji_ascon_aead128_update_ad(ad, 40, &ctx));
    ok(hanji_ascon_aead128_update(ciphertext, plaintext, 5, &ctx));
    ok(hanji_ascon_aead128_update(ciphertext + 5, plaintext + 5, 95, &ctx));
    ok(hanji_ascon_aead128_final(tag, &ctx));
    publish(ciphertext, 100);
    publish(tag, tag_bytes);
    ok(hanji_ascon_aead128_decrypt_detached(opened, ciphertext, 100, tag, ad, 40, nonce, key));
    expect_equal(opened, plaintext, 100, "decryption does not invert encryption in pieces");
    ok(hanji_ascon_aead128_encrypt_detached(ciphertext, tag, plaintext, 100, ad, 40, nonce, key));
    hanji_ascon_aead128_wipe(&ctx);
    key[31] = (uint8_t)~key[15]; /* a key with a mask whose halves are equal is refused */
    ok(hanji_ascon_aead128_key_init_short_tag(5, key, 32, &keyed));
    ok(hanji_ascon_aead128_key_encrypt(ciphertext, plaintext, 100, ad, 40, nonce, &keyed));
    publish(ciphertext, 105);
    ok(hanji_ascon_aead128_key_decrypt(opened, ciphertext, 105, ad, 40, nonce, &keyed));
    ok(hanji_ascon_aead128_key_init(9, key, 32, &keyed));
    ok(hanji_ascon_aead128_key_encrypt_detached(ciphertext, tag, plaintext, 100, ad, 40, nonce,
                                                &keyed));
    publish(ciphertext, 100);
    publish(tag, 9);
    ok(hanji_ascon_aead128_key_decrypt_detached(opened, ciphertext, 100, tag, 9, ad, 40, nonce,
                                                &keyed));
    ok(hanji_ascon_aead128_key_begin(nonce, &keyed, &ctx));
    ok(hanji_ascon_aead128_update(ciphertext, plaintext, 20, &ctx));
    ok(hanji_ascon_aead128_final(tag, &ctx));
    hanji_ascon_aead128_key_wipe(&keyed);
    end();
}

static void check_ascon_hashes(void)
{
    hanji_ascon_hash_ctx ctx;
    begin("ascon", "ascon-hash256", "message");
    deal();
    ok(hanji_ascon_hash256(tag, plaintext, 0));
    ok(hanji_ascon_hash256(tag, plaintext, 32));
    ok(hanji_ascon_hash256_init(&ctx));
    ok(hanji_ascon_hash256_update(plaintext, 5, &ctx));
    ok(hanji_ascon_hash256_update(plaintext + 5, 100, &ctx));
    ok(hanji_ascon_hash256_final(opened, &ctx));
    ok(hanji_ascon_hash256(tag, plaintext, 105));
    expect_equal(opened, tag, 32, "pieces and whole differ");
    end();
    begin("ascon", "ascon-xof128", "message");
    deal();
    ok(hanji_ascon_xof128_init(&ctx));
    ok(hanji_ascon_xof128_update(plaintext, 105, &ctx));
    ok(hanji_ascon_xof128_squeeze(opened, 7, &ctx));
    ok(hanji_ascon_xof128_squeeze(opened + 7, 50, &ctx));
    ok(hanji_ascon_xof128(tag, 57, plaintext, 105));
    expect_equal(opened, tag, 57, "pieces and whole differ");
    hanji_ascon_hash_wipe(&ctx);
    end();
    begin("ascon", "ascon-cxof128", "customization, message");
    deal();
    ok(hanji_ascon_cxof128_init(ad, 40, &ctx));
    ok(hanji_ascon_cxof128_update(plaintext, 105, &ctx));
    ok(hanji_ascon_cxof128_squeeze(opened, 57, &ctx));
    ok(hanji_ascon_cxof128(tag, 57, ad, 40, plaintext, 105));
    expect_equal(opened, tag, 57, "pieces and whole differ");
    hanji_ascon_hash_wipe(&ctx);
    end();
    begin("ascon", "ascon-p", "state");
    deal();
    for (uint32_t rounds = 1; rounds <= 16; rounds++)
        ok(hanji_ascon_permute(plaintext, 2, rounds));
    end();
}

#ifdef __riscv
/* A kernel of the tiny profile, which the library does not call. */
void hanji_ascon_p_rv32i_x1(uint64_t *state, uint32_t rounds);

static void check_ascon_of_tiny(void)
{
    uint64_t state[5];
    begin("ascon", "ascon-p of the tiny profile", "state");
    deal();
    memcpy(state, plaintext, sizeof state);
    hanji_ascon_p_rv32i_x1(state, 12);
    hanji_ascon_p_rv32i_x1(state, 8);
    ok(hanji_ascon_permute(plaintext, 1, 12));
    ok(hanji_ascon_permute(plaintext, 1, 8));
    expect_equal((uint8_t *)state, plaintext, sizeof state, "the profiles differ");
    end();
}
#endif

#define CHECK_ESCH(id, bytes)                                        \
    static void check_##id(void)                                     \
    {                                                                \
        hanji_esch_ctx ctx;                                          \
        begin("esch", #id, "message");                               \
        deal();                                                      \
        ok(hanji_##id(tag, plaintext, 0));                           \
        ok(hanji_##id(tag, plaintext, 32));                          \
        ok(hanji_##id##_init(&ctx));                                 \
        ok(hanji_##id##_update(plaintext, 5, &ctx));                 \
        ok(hanji_##id##_update(plaintext + 5, 100, &ctx));           \
        ok(hanji_##id##_final(opened, &ctx));                        \
        ok(hanji_##id(tag, plaintext, 105));                         \
        expect_equal(opened, tag, bytes, "pieces and whole differ"); \
        hanji_esch_wipe(&ctx);                                       \
        end();                                                       \
    }

#define CHECK_XOESCH(id)                                          \
    static void check_##id(void)                                  \
    {                                                             \
        hanji_esch_ctx ctx;                                       \
        begin("esch", #id, "message");                            \
        deal();                                                   \
        ok(hanji_##id##_init(&ctx));                              \
        ok(hanji_##id##_update(plaintext, 5, &ctx));              \
        ok(hanji_##id##_update(plaintext + 5, 100, &ctx));        \
        ok(hanji_##id##_squeeze(opened, 7, &ctx));                \
        ok(hanji_##id##_squeeze(opened + 7, 50, &ctx));           \
        ok(hanji_##id(tag, 57, plaintext, 105));                  \
        expect_equal(opened, tag, 57, "pieces and whole differ"); \
        hanji_esch_wipe(&ctx);                                    \
        end();                                                    \
    }

CHECK_ESCH(esch256, HANJI_ESCH256_DIGEST_BYTES)
CHECK_ESCH(esch384, HANJI_ESCH384_DIGEST_BYTES)
CHECK_XOESCH(xoesch256)
CHECK_XOESCH(xoesch384)

static void check_sparkle(void)
{
    static const struct {
        const char *name;
        uint32_t bits, slim, big;
    } widths[] = {{"sparkle256", 256, HANJI_SPARKLE256_STEPS_SLIM, HANJI_SPARKLE256_STEPS_BIG},
                  {"sparkle384", 384, HANJI_SPARKLE384_STEPS_SLIM, HANJI_SPARKLE384_STEPS_BIG},
                  {"sparkle512", 512, HANJI_SPARKLE512_STEPS_SLIM, HANJI_SPARKLE512_STEPS_BIG}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        begin("sparkle", widths[i].name, "state");
        deal();
        /* full groups of every kernel, and single states */
        ok(hanji_sparkle_permute(plaintext, 23, widths[i].bits, widths[i].slim));
        ok(hanji_sparkle_permute(plaintext, 1, widths[i].bits, widths[i].big));
        end();
    }
}

/* Five ragged messages, the third of which is altered before it is opened. */
#define MESSAGES 5
static const int64_t offsets[MESSAGES + 1] = {0, 0, 1, 34, 98, 300},
                                        ad_offsets[MESSAGES + 1] = {0, 3, 3, 40, 41, 70};
static uint8_t fleet_keys[MESSAGES * 32], fleet_nonces[MESSAGES * 32], fleet_tags[MESSAGES * 64];
static int8_t status[MESSAGES];

static hanji_fleet fleet_of(size_t key_bytes, size_t nonce_bytes, size_t tag_bytes, uint8_t *output,
                            const uint8_t *input)
{
    const hanji_fleet fleet = {.messages = MESSAGES,
                               .offsets = offsets,
                               .input = input,
                               .output = output,
                               .ad_offsets = ad_offsets,
                               .ad = ad,
                               .keys = fleet_keys,
                               .key_stride = key_bytes,
                               .nonces = fleet_nonces,
                               .nonce_bytes = nonce_bytes,
                               .tags = fleet_tags,
                               .tag_bytes = tag_bytes,
                               .status = status,
                               .limit = UINT64_MAX};
    return fleet;
}

static void deal_fleet(void)
{
    deal();
    deal_secret(fleet_keys, sizeof fleet_keys, 5);
    deal_public(fleet_nonces, sizeof fleet_nonces, 6);
}

/* After sealing: alter message 2, open all, and see that only it fails. */
static void alter(void)
{
    publish(ciphertext, (size_t)offsets[MESSAGES]);
    publish(fleet_tags, sizeof fleet_tags);
    ciphertext[offsets[2]] ^= 1;
}

static void expect_one_failed(int64_t failed)
{
    expect(failed == 1 && status[2] == HANJI_E_TAG && status[1] == HANJI_OK,
           "not exactly the altered message is refused");
    expect_equal(opened + offsets[3], plaintext + offsets[3],
                 (size_t)(offsets[MESSAGES] - offsets[3]), "a good message came back wrong");
}

static const char *with_keys(const char *name, int one_key)
{
    static char subject[64];
    snprintf(subject, sizeof subject, "%s, %s", name, one_key ? "one key" : "a key per message");
    return subject;
}

/* Two messages without associated data go the way of few. `cipher`: EAX over it, without functions. */
static void few_messages(hanji_fleet fleet, int64_t (*seal)(const hanji_fleet *),
                         int64_t (*open)(const hanji_fleet *), const hanji_cipher *cipher)
{
    fleet.messages = 2;
    fleet.offsets = offsets + 1;
    fleet.ad_offsets = NULL;
    fleet.input = plaintext;
    fleet.output = ciphertext;
    expect((cipher != NULL ? hanji_eax_fleet_encrypt(&fleet, cipher) : seal(&fleet)) == 0,
           "sealing of few failed");
    alter();
    fleet.input = ciphertext;
    fleet.output = opened;
    expect((cipher != NULL ? hanji_eax_fleet_decrypt(&fleet, cipher) : open(&fleet)) == 1 &&
               status[0] == HANJI_OK && status[1] == HANJI_E_TAG,
           "not exactly the altered message of few is refused");
}

static void fleet_sponge(const char *group, const char *name, size_t key_bytes, size_t nonce_bytes,
                         size_t tag_bytes, int64_t (*seal)(const hanji_fleet *),
                         int64_t (*open)(const hanji_fleet *))
{
    for (int one_key = 0; one_key < 2; one_key++) {
        begin(group, with_keys(name, one_key), "keys, plaintexts, associated data");
        deal_fleet();
        hanji_fleet fleet =
            fleet_of(one_key ? 0 : key_bytes, nonce_bytes, tag_bytes, ciphertext, plaintext);
        expect(seal(&fleet) == 0, "sealing failed");
        alter();
        fleet.input = ciphertext;
        fleet.output = opened;
        expect_one_failed(open(&fleet));
        deal_fleet();
        few_messages(fleet, seal, open, NULL);
        end();
    }
}

#if defined(__x86_64__) && !defined(HANJI_CT_MARKS)

/*
 * The engine of fleets whose kernels valgrind cannot run, with kernels that only move: a key stream
 * that is the state, and a tag that is the key.
 */
static void move_rows(const hanji_lanes_ragged *r, const uint32_t *state, size_t at, size_t bytes)
{
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        for (size_t i = 0; !r->quiet && i < bytes; i++)
            if ((r->mask[l] >> i & 1) != 0)
                r->out[l][at + i] = (uint8_t)(r->in[l][at + i] ^ state[l]);
}

static void move_begin(uint32_t *state, const hanji_lanes_ragged *r)
{
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        state[l] = (uint32_t)r->key[l][0] ^ r->nonce[l][0];
}

static void move_chunks(uint32_t *state, const hanji_lanes_ragged *r, size_t at, size_t chunks,
                        uint32_t active)
{
    (void)active;
    for (size_t c = 0; c < chunks; c++)
        move_rows(r, state, at + 32 * c, 32);
}

static void move_last(uint32_t *state, const hanji_lanes_ragged *r, uint32_t active)
{
    (void)active;
    move_rows(r, state, 0, 32);
}

static void move_end(uint32_t *state, const hanji_lanes_ragged *r)
{
    (void)state;
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        memcpy(r->out[l], r->key[l], 16);
}

static void move_alone(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    (void)job;
    *m->status = HANJI_OK;
}

static void move_block(uint32_t *state, const hanji_lanes_ragged *r, uint32_t active)
{
    (void)active;
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        if ((r->mask[l] & 1) != 0)
            state[l] ^= r->in[l][0];
}

static void move_pairs(uint32_t *state, const hanji_lanes_ragged *r, size_t at, size_t pairs,
                       uint32_t active)
{
    (void)at;
    (void)pairs;
    move_block(state, r, active);
}

static void move_digest(uint32_t *state, const hanji_lanes_ragged *r)
{
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        for (size_t i = 0; i < 16; i++)
            if ((r->mask[l] >> i & 1) != 0)
                r->out[l][i] = (uint8_t)state[l];
}

static void move_slim(uint32_t *state, const hanji_lanes_ragged *r)
{
    (void)r;
    state[0] ^= 1;
}

static void move_same_begin(uint32_t *state, const uint8_t *nonces, const uint8_t *keys,
                            size_t key_stride)
{
    state[0] = (uint32_t)nonces[0] ^ keys[key_stride];
}

static void move_same(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, size_t ahead,
                      uint32_t domain)
{
    (void)state;
    (void)ahead;
    (void)domain;
    if (out != NULL)
        memmove(out, in, HANJI_RAGGED_LANES * bytes);
}

static void move_same_end(uint8_t *tags, const uint32_t *state, const uint8_t *keys,
                          size_t key_stride)
{
    (void)state;
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        memcpy(tags + 16 * l, keys + l * key_stride, 16);
}

static void move_hash(uint32_t *state, uint8_t *out, size_t out_bytes, const uint8_t *in,
                      size_t bytes, uint32_t domain)
{
    (void)in;
    (void)bytes;
    (void)domain;
    memset(out, (int)state[0], HANJI_RAGGED_LANES * out_bytes);
}

static const hanji_lanes_ragged_fns move_ragged = {move_begin, move_chunks, move_chunks,
                                                   move_last,  move_last,   move_end};
static const hanji_lanes_ragged_hash move_ragged_hash = {move_pairs, move_block, move_block,
                                                         move_digest, move_slim};
static const hanji_lanes_uniform move_alike = {move_same_begin, move_same, move_same,
                                               move_same_end};

/*
 * Messages of descending lengths, or all of 10 bytes; the first of the former is so long that it
 * goes alone.
 */
static void wide(int alike)
{
    enum { WIDE = 20 };
    static uint8_t keys[WIDE * 32], nonces[WIDE * 32], tags[WIDE * 32];
    static int8_t states[WIDE];
    static sponge_wide engine;
    hanji_fleet_item items[WIDE];
    begin("fleet wide", alike ? "messages of one length" : "messages of unequal lengths",
          "keys, plaintexts, associated data");
    deal();
    deal_secret(keys, sizeof keys, 5);
    deal_public(nonces, sizeof nonces, 6);
    for (int opening = 0; opening < 2; opening++) {
        const hanji_fleet_job job = {
            .nonce_bytes = 32, .tag_bytes = 16, .open = opening, .end = plaintext + WIDE * 10};
        for (size_t i = 0; i < WIDE; i++)
            items[i] = (hanji_fleet_item){.out = ciphertext + 10 * i,
                                          .in = plaintext + 10 * i,
                                          .bytes = alike    ? 10
                                                   : i == 0 ? 700
                                                            : 40 - 2 * i,
                                          .ad = ad,
                                          .ad_bytes = alike ? 3 : i,
                                          .key = keys + 16 * i,
                                          .nonce = nonces + 32 * i,
                                          .tag = tags + 16 * i,
                                          .status = states + i};
        schwaemm_wide(&engine, items, WIDE, &job, &move_alike, &move_ragged, move_alone, 2, 32, 16,
                      16);
    }
    esch_wide(&engine, items, WIDE, &(hanji_fleet_job){.tag_bytes = 21}, move_hash,
              &move_ragged_hash, move_alone, 2, 0);
    end();
}

#endif

/* So many short messages of counter mode that lanes take them on every tier; RV32 has no lanes. */
static void many_messages(const hanji_cipher *cipher, int one_key)
{
#ifdef __riscv
    enum { MANY = 9 };
#else
    enum { MANY = 40 };
#endif
    static uint8_t keys[MANY * 32], nonces[MANY * 16];
    static int8_t each[MANY];
    static int64_t many_offsets[MANY + 1];
    begin("fleet ctr of many", with_keys(hanji_cipher_name(cipher), one_key), "keys, plaintexts");
    deal();
    deal_secret(keys, sizeof keys, 5);
    deal_public(nonces, sizeof nonces, 6);
    for (int64_t i = 0; i < MANY; i++)
        many_offsets[i + 1] = many_offsets[i] + 3 + i % 9;
    const size_t bytes = (size_t)many_offsets[MANY];
    hanji_fleet fleet = {.messages = MANY,
                         .offsets = many_offsets,
                         .input = plaintext,
                         .output = ciphertext,
                         .keys = keys,
                         .key_stride = one_key ? 0 : hanji_cipher_key_bytes(cipher),
                         .nonces = nonces,
                         .nonce_bytes = hanji_cipher_block_bytes(cipher),
                         .status = each,
                         .limit = UINT64_MAX};
    expect(hanji_ctr_fleet(&fleet, cipher) == 0, "encryption failed");
    publish(ciphertext, bytes);
    fleet.input = ciphertext;
    fleet.output = opened;
    expect(hanji_ctr_fleet(&fleet, cipher) == 0, "decryption failed");
    expect_equal(opened, plaintext, bytes, "decryption does not invert encryption");
    end();
}

static void fleet_modes(const hanji_cipher *cipher)
{
    const size_t block = hanji_cipher_block_bytes(cipher),
                 key_bytes = hanji_cipher_key_bytes(cipher);
    for (int one_key = 0; one_key < 2; one_key++) {
        begin("fleet ctr", with_keys(hanji_cipher_name(cipher), one_key), "keys, plaintexts");
        deal_fleet();
        hanji_fleet fleet = fleet_of(one_key ? 0 : key_bytes, block, 0, ciphertext, plaintext);
        fleet.ad_offsets = NULL;
        fleet.tags = NULL;
        expect(hanji_ctr_fleet(&fleet, cipher) == 0, "encryption failed");
        publish(ciphertext, (size_t)offsets[MESSAGES]);
        fleet.input = ciphertext;
        fleet.output = opened;
        expect(hanji_ctr_fleet(&fleet, cipher) == 0, "decryption failed");
        expect_equal(opened, plaintext, (size_t)offsets[MESSAGES],
                     "decryption does not invert encryption");
        end();
        many_messages(cipher, one_key);
        if (block != 8 && block != 16)
            continue;
        begin("fleet eax", with_keys(hanji_cipher_name(cipher), one_key),
              "keys, plaintexts, associated data");
        deal_fleet();
        fleet = fleet_of(one_key ? 0 : key_bytes, block, block, ciphertext, plaintext);
        expect(hanji_eax_fleet_encrypt(&fleet, cipher) == 0, "sealing failed");
        alter();
        fleet.input = ciphertext;
        fleet.output = opened;
        expect_one_failed(hanji_eax_fleet_decrypt(&fleet, cipher));
        deal_fleet();
        few_messages(fleet, NULL, NULL, cipher);
        end();
        begin("fleet cmac", with_keys(hanji_cipher_name(cipher), one_key), "keys, messages");
        deal_fleet();
        fleet = fleet_of(one_key ? 0 : key_bytes, 0, block, NULL, plaintext);
        fleet.nonces = NULL;
        expect(hanji_cmac_fleet(&fleet, cipher) == 0, "authentication failed");
        publish(fleet_tags, sizeof fleet_tags);
        expect(hanji_cmac_fleet_verify(&fleet, cipher) == 0, "verification failed");
        fleet_tags[2 * block] ^= 1;
        expect(hanji_cmac_fleet_verify(&fleet, cipher) == 1 && status[2] == HANJI_E_TAG &&
                   status[1] == HANJI_OK,
               "not exactly the altered tag is refused");
        end();
    }
}

static void fleet_hash(const char *group, const char *name, size_t digest_bytes,
                       int64_t (*hash)(const hanji_fleet *))
{
    begin(group, name, "messages");
    deal_fleet();
    hanji_fleet fleet = fleet_of(0, 0, digest_bytes, NULL, plaintext);
    fleet.keys = fleet.nonces = fleet.ad = NULL;
    fleet.ad_offsets = NULL;
    expect(hash(&fleet) == 0, "hashing failed");
    end();
}

/* The customization string is no secret: it names the use of the outputs. */
static int64_t cxof128_fleet(const hanji_fleet *fleet)
{
    static const uint8_t customization[] = "hanji-lab ct";
    return hanji_ascon_cxof128_fleet(fleet, customization, sizeof customization);
}

/* What handles secrets without being an algorithm. */
static void check_support(void)
{
    begin("support", "random bytes, comparison, wiping", "random bytes");
#ifdef HANJI_FREESTANDING /* has none */
    fill(key, sizeof key, 29);
#else
    ok(hanji_random(key, sizeof key));
#endif
    secret(key, sizeof key);
    uint8_t other[sizeof key];
    memcpy(other, key, sizeof key);
    const int equal = hanji_equal(key, other, sizeof key);
    released(&equal, sizeof equal, "the harness asks whether its own copies are equal");
    expect(equal == 1, "equal buffers differ");
    hanji_wipe(other, sizeof other);
    end();
}

/* Random bytes of a signer: all secret, v1.0 makes its salt of some. */
static int aimer_random(uint8_t *out, size_t bytes, void *state)
{
    uint32_t *seed = state;
    fill(out, bytes, (*seed)++);
    secret(out, bytes);
    return HANJI_OK;
}

/*
 * One set, at full speed and in little memory: key, random bytes and message are secret, and all
 * that comes of them until the protocol reveals it.
 */
__attribute__((unused)) static void check_aimer(const char *name)
{
    static uint8_t memory[4 << 20], key_memory[1 << 19],
        public_key[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX], secret_key[HANJI_AIMER_SECRET_KEY_BYTES_MAX],
        signature[HANJI_AIMER_SIGNATURE_BYTES_MAX];
    const hanji_aimer *set = hanji_aimer_by_name(name);
    const size_t sk = hanji_aimer_secret_key_bytes(set), pk = hanji_aimer_public_key_bytes(set),
                 bytes = hanji_aimer_signature_bytes(set);
    const size_t half = pk / 2, id = pk % 2;
    const uint8_t *context = (const uint8_t *)"context"; /* public; only v3 has one */
    const size_t context_bytes = strncmp(name, "aimer3", 6) == 0 ? 7 : 0;
    begin("aimer", name, "key, random bytes, message");
    for (int small = 0; small < 2; small++) {
        const size_t scratch =
            small ? hanji_aimer_scratch_bytes_small(set) : hanji_aimer_scratch_bytes(set);
        /* signing and verifying with a key in bytes take less */
        const size_t whole = small ? hanji_aimer_scratch_bytes_least(set) : scratch;
        uint32_t seed = 100;
        expect(scratch <= sizeof memory && hanji_aimer_key_bytes(set) <= sizeof key_memory,
               "the harness has too little memory");
        forget(memory, sizeof memory);
        forget(key_memory, sizeof key_memory);
        deal();
        ok(hanji_aimer_keypair(public_key, secret_key, set, aimer_random, &seed, memory, whole));
        released(public_key, pk, "public keys are published");
        released(secret_key + id + half, 2 * half,
                 "the last two parts of a secret key are the public key");
        released(secret_key, id, "the first byte of a secret key names the set");
        ok(hanji_aimer_sign(signature, plaintext, 200, context, context_bytes, secret_key, sk, set,
                            small ? 0 : HANJI_AIMER_CHECK, aimer_random, &seed, memory, whole));
        if (whole < scratch)
            ok(hanji_aimer_sign(signature, plaintext, 200, context, context_bytes, secret_key, sk,
                                set, 0, aimer_random, &seed, memory, scratch));
        released(signature, bytes, "signatures are published");
        ok(hanji_aimer_key_check(secret_key, sk, set, memory, scratch));
        hanji_aimer_key *key_area = (hanji_aimer_key *)(void *)key_memory;
        ok(hanji_aimer_key_secret(key_area, sizeof key_memory, secret_key, sk, set, memory,
                                  scratch));
        hanji_aimer_message pieces;
        ok(hanji_aimer_message_init(&pieces, context, context_bytes, key_area));
        ok(hanji_aimer_message_update(plaintext, 200, &pieces));
        ok(hanji_aimer_message_sign(signature, &pieces, key_area, 0, aimer_random, &seed, memory,
                                    scratch));
        static uint8_t second[HANJI_AIMER_SIGNATURE_BYTES_MAX];
        hanji_aimer_item items[2] = {{signature, plaintext, 200, context, context_bytes, 0},
                                     {second, plaintext, 100, context, context_bytes, 0}};
        expect(hanji_aimer_scratch_bytes_batch(set) <= sizeof memory,
               "the harness has too little memory");
        ok(hanji_aimer_key_sign_batch(items, 2, key_area, 0, aimer_random, &seed, memory,
                                      small ? scratch : sizeof memory));
        released(signature, bytes, "signatures are published");
        released(second, bytes, "signatures are published");
        released(plaintext, 200, "who verifies knows the message");
        ok(hanji_aimer_verify(signature, bytes, plaintext, 200, context, context_bytes, public_key,
                              pk, set, memory, whole));
        ok(hanji_aimer_key_verify_batch(items, 2, key_area, memory, scratch));
        hanji_aimer_key_wipe(key_area, sizeof key_memory);
    }
    end();
}

/*
 * One set of SLH-DSA with smaller trees, whose hashes are the same: seeds, random bytes and message
 * are secret, and all that comes of them until the signature reveals it.
 */
__attribute__((unused)) static void check_slhdsa(const char *name)
{
    static uint8_t public_key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX],
        secret_key[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX], signature[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];
    static const int modes[] = {HANJI_SLHDSA_PURE, HANJI_SLHDSA_SHAKE256};
    const uint8_t *context = (const uint8_t *)"context"; /* public */
    hanji_slhdsa set = *hanji_slhdsa_by_name(name);
    set.layers = 2;
    set.height = 3;
    set.fors_height = 3;
    const size_t sk = hanji_slhdsa_secret_key_bytes(&set), pk = hanji_slhdsa_public_key_bytes(&set),
                 bytes = hanji_slhdsa_signature_bytes(&set);
    uint32_t seed = 200;
    begin("slhdsa", name, "seeds, random bytes, message");
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        hanji_slhdsa_message pieces;
        deal();
        ok(hanji_slhdsa_keypair(public_key, secret_key, &set, aimer_random, &seed));
        released(public_key, pk, "public keys are published");
        released(secret_key + pk, pk, "the second half of a secret key is the public key");
        ok(hanji_slhdsa_key_check(secret_key, sk, &set));
        ok(hanji_slhdsa_sign(signature, plaintext, 300, context, 7, modes[m], secret_key, sk, &set,
                             HANJI_SLHDSA_CHECK, aimer_random, &seed));
        ok(hanji_slhdsa_sign_init(&pieces, context, 7, modes[m], secret_key, sk, &set,
                                  HANJI_SLHDSA_DETERMINISTIC, NULL, NULL));
        for (int reading = 0; reading < (m == 0 ? 2 : 1); reading++) {
            if (reading == 1)
                ok(hanji_slhdsa_message_again(&pieces));
            ok(hanji_slhdsa_message_update(plaintext, 300, &pieces));
        }
        ok(hanji_slhdsa_message_progress(&pieces, NULL, NULL));
        ok(hanji_slhdsa_message_sign(signature, &pieces));
        released(plaintext, 300, "who verifies knows the message");
        ok(hanji_slhdsa_verify(signature, bytes, plaintext, 300, context, 7, modes[m], public_key,
                               pk, &set));
        hanji_slhdsa_item items[2];
        for (size_t i = 0; i < 2; i++)
            items[i] = (hanji_slhdsa_item){signature, bytes,      plaintext, 300, context,
                                           7,         public_key, pk,        0};
        ok(hanji_slhdsa_verify_batch(items, 2, modes[m], &set));
        ok(hanji_slhdsa_verify_init(&pieces, signature, bytes, context, 7, modes[m], public_key, pk,
                                    &set));
        ok(hanji_slhdsa_message_update(plaintext, 300, &pieces));
        ok(hanji_slhdsa_message_verify(signature, bytes, &pieces));
        hanji_slhdsa_message_wipe(&pieces);
        hanji_slhdsa_stream stream;
        const size_t n = pk / 2;
        ok(hanji_slhdsa_stream_init(&stream, signature, n, context, 7, modes[m], public_key, pk,
                                    &set));
        ok(hanji_slhdsa_stream_message(plaintext, 300, &stream));
        ok(hanji_slhdsa_stream_signature(signature + n, bytes - n, &stream));
        ok(hanji_slhdsa_stream_end(&stream) == HANJI_SLHDSA_VALID ? HANJI_OK : HANJI_E_TAG);
    }
    end();
}

/* Not on RV32, which has no kernels for signatures and where it would take qemu minutes. */
static void check_signatures(void)
{
#if !defined(HANJI_CT_MARKS) || !defined(HANJI_FREESTANDING)
    check_aimer("aimer3-128f");
    check_aimer("aimer3-192f");
    check_aimer("aimer3-256f");
    check_aimer("aimer2-128f");
    check_aimer("aimer2-192f");
    check_aimer("aimer2-256f");
    check_aimer("aimer1-l1-param1");
    check_aimer("aimer1-l1-param2");
    check_slhdsa("slh-dsa-shake-128f");
    check_slhdsa("slh-dsa-shake-192f");
    check_slhdsa("slh-dsa-shake-256f");
#endif
}

/* Functions that see no secret, so that the list of files shows who reaches them. */
static void check_public(void)
{
    begin("public", "self-test, versions, errors, lists, selection", "none");
    const char *failed = NULL;
    ok(hanji_selftest(&failed));
    expect(hanji_selftest_one(0) == HANJI_OK, "the first algorithm answers wrong");
    expect(strcmp(hanji_version(), HANJI_VERSION) == 0 &&
               hanji_version_number() == HANJI_VERSION_NUMBER,
           "another version");
    expect(hanji_error_text(HANJI_E_TAG)[0] != 0, "an error without text");
    for (size_t i = 0; i < hanji_algorithm_count(); i++)
        expect(hanji_algorithm_at(i) != NULL, "an algorithm is missing");
    for (size_t i = 0; i < hanji_cipher_count(); i++)
        expect(hanji_cipher_find(hanji_cipher_name(hanji_cipher_at(i))) == hanji_cipher_at(i),
               "a cipher is not found by its name");
    for (size_t i = 0; i < hanji_kernel_count(); i++) {
        hanji_kernel_info info;
        ok(hanji_kernel_at(&info, i));
    }
    for (size_t i = 0; i < hanji_tier_count(); i++)
        expect(hanji_tier_name(i) != NULL && hanji_tier_state(i) >= 0, "a tier without a name");
    ok(hanji_force("portable"));
    ok(hanji_force(NULL));
    ok(hanji_selection());
    end();
}

#ifndef HANJI_FREESTANDING
/* Frames of three devices in each algorithm, the second of which is altered before it is opened. */
static void check_telemetry(void)
{
    enum { DEVICES = 3, FRAME = 40 + 32 };
    static const uint32_t devices[DEVICES] = {7, 1, 900}, places[DEVICES] = {1, 2, 3};
    static const int64_t payloads[DEVICES + 1] = {0, 40, 41, 80};
    static uint8_t masters[DEVICES * 16], memory[1024], frames[DEVICES * FRAME],
        scratch[HANJI_TELEMETRY_SCRATCH_BYTES];
    for (int algorithm = 1; algorithm <= 3; algorithm++) {
        hanji_master_keys keys;
        uint32_t device[DEVICES], epoch[DEVICES], number[DEVICES];
        int64_t at[DEVICES + 1], back[DEVICES + 1];
        begin("telemetry",
              algorithm == 1   ? "schwaemm256-128"
              : algorithm == 2 ? "speck-64/128-eax"
                               : "ascon-aead128",
              "master keys, payloads");
        deal();
        deal_secret(masters, sizeof masters, 8);
        ok(hanji_master_keys_init(&keys, NULL, memory, sizeof memory, devices, masters, DEVICES,
                                  16));
        const hanji_telemetry_sealing seal = {.frames = DEVICES,
                                              .device = devices,
                                              .epoch = places,
                                              .number = places,
                                              .payload_offsets = payloads,
                                              .payload = plaintext,
                                              .keys = &keys,
                                              .algorithm = algorithm,
                                              .output = frames,
                                              .output_bytes = sizeof frames,
                                              .offsets = at,
                                              .status = status,
                                              .scratch = scratch};
        expect(hanji_telemetry_seal(&seal) == 0, "sealing failed");
        publish(frames, sizeof frames);
        frames[at[1] + 16] ^= 1;
        const hanji_telemetry_opening open = {.frames = DEVICES,
                                              .offsets = at,
                                              .input = frames,
                                              .keys = &keys,
                                              .device = device,
                                              .epoch = epoch,
                                              .number = number,
                                              .payload = opened,
                                              .payload_bytes = (size_t)at[DEVICES],
                                              .payload_offsets = back,
                                              .status = status,
                                              .scratch = scratch};
        expect(hanji_telemetry_open(&open) == 1 && status[1] == HANJI_E_TAG,
               "not exactly the altered frame is refused");
        expect(back[DEVICES] == 79, "the payloads have another size");
        expect_equal(opened, plaintext, 40, "the first payload came back wrong");
        expect_equal(opened + 40, plaintext + 41, 39, "the last payload came back wrong");
        hanji_master_keys_wipe(&keys);
        ok(hanji_master_keys_one(&keys, masters, 16));
        hanji_master_keys_wipe(&keys);
        end();
    }
    expect(hanji_frame_status_name(HANJI_OK) != NULL, "a status without a name");
}
#endif

static void run_library(void)
{
    for (size_t i = 0; i < hanji_cipher_count(); i++) {
        const hanji_cipher *cipher = hanji_cipher_at(i);
        const size_t block = hanji_cipher_block_bytes(cipher);
        check_block(cipher);
        check_ctr(cipher);
        if (block == 8 || block == 16) {
            check_cmac(cipher);
            check_eax(cipher);
        }
        fleet_modes(cipher);
    }
    check_sparkle();
    check_ascon_aead128();
    check_ascon_hashes();
#ifdef __riscv
    check_ascon_of_tiny();
#endif
    check_schwaemm256_128();
    check_schwaemm192_192();
    check_schwaemm128_128();
    check_schwaemm256_256();
    check_esch256();
    check_esch384();
    check_xoesch256();
    check_xoesch384();
    fleet_sponge("fleet ascon", "ascon-aead128", 16, 16, 16, hanji_ascon_aead128_fleet_encrypt,
                 hanji_ascon_aead128_fleet_decrypt);
    fleet_hash("fleet ascon", "ascon-hash256", 32, hanji_ascon_hash256_fleet);
    fleet_hash("fleet ascon", "ascon-xof128", 57, hanji_ascon_xof128_fleet);
    fleet_hash("fleet ascon", "ascon-cxof128", 57, cxof128_fleet);
    fleet_sponge("fleet schwaemm", "schwaemm256_128", 16, 32, 16,
                 hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm256_128_fleet_decrypt);
    fleet_sponge("fleet schwaemm", "schwaemm192_192", 24, 24, 24,
                 hanji_schwaemm192_192_fleet_encrypt, hanji_schwaemm192_192_fleet_decrypt);
    fleet_sponge("fleet schwaemm", "schwaemm128_128", 16, 16, 16,
                 hanji_schwaemm128_128_fleet_encrypt, hanji_schwaemm128_128_fleet_decrypt);
    fleet_sponge("fleet schwaemm", "schwaemm256_256", 32, 32, 32,
                 hanji_schwaemm256_256_fleet_encrypt, hanji_schwaemm256_256_fleet_decrypt);
#if defined(__x86_64__) && !defined(HANJI_CT_MARKS)
    wide(0);
    wide(1);
#endif
    fleet_hash("fleet esch", "esch256", 32, hanji_esch256_fleet);
    fleet_hash("fleet esch", "esch384", 48, hanji_esch384_fleet);
    fleet_hash("fleet esch", "xoesch256", 57, hanji_xoesch256_fleet);
    fleet_hash("fleet esch", "xoesch384", 57, hanji_xoesch384_fleet);
    if (turn <= 1) /* traces of signatures are not compared; one turn shows which functions run */
        check_signatures();
#ifndef HANJI_FREESTANDING
    check_telemetry();
#endif
    check_support();
    check_public();
}

int main(int argc, char **argv)
{
#ifndef HANJI_CT_TRACE
    if (!RUNNING_ON_VALGRIND) {
        fputs("ct: not under valgrind, so that nothing would be found\n", stderr);
        return 2;
    }
#endif
    void (*part)(void) = NULL;
    if (argc > 1 && strcmp(argv[1], "controls") == 0)
        part = run_controls;
    else if (argc > 1 && strcmp(argv[1], "library") == 0)
        part = run_library;
    else if (argc > 1 && strcmp(argv[1], "sparkle") == 0)
        part = check_sparkle;
    else if (argc > 1 && strcmp(argv[1], "plants") == 0)
        part = run_plants;
    if (part == NULL) {
        fputs("usage: harness controls|library|sparkle|plants [TURNS]\n", stderr);
        return 2;
    }
    /* What only the first call does, fixing the selection, is part of no turn. */
    read_verdicts();
    current = "selection";
    ok(hanji_selection());
    const uint32_t first = argc > 2 ? 1 : 0, turns = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    for (turn = first; turn < first + turns; turn++) {
        choose_set();
        ok(hanji_force(getenv("HANJI_FORCE"))); /* check_public lifts it */
#if defined(HANJI_X86) && !defined(HANJI_FREESTANDING)
        /* Kernels that Zen 5 can run, but does better without. */
        __atomic_and_fetch(&hanji_cpu_selection, ~HANJI_CPU_TWO_CYCLES, __ATOMIC_RELAXED);
#endif
        part();
    }
    return 0;
}
