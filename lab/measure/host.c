/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core cycles of the library's C calls on this machine, as a shared library for hanji_lab.measure.
 *
 * The time stamp counter ticks at a fixed rate, the core does not. So every round times a chain of
 * dependent additions, one cycle each, directly before the call, and counts the call in those; the
 * answer is the median over the rounds, of which those count in which the core was least disturbed
 * (chain.h). Data are in the cache and aligned to 64 bytes.
 */
#define _GNU_SOURCE
#include "chain.h"
#include "keccak/keccak.h"
#include "support/cpu.h"

#include <hanji/hanji.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "core cycles are measured on x86-64 and AArch64 only"
#endif

typedef int encrypt_call(uint8_t *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t,
                         const uint8_t *, const uint8_t *);
typedef int decrypt_call(uint8_t *, const uint8_t *, size_t, const uint8_t *, const uint8_t *,
                         size_t, const uint8_t *, const uint8_t *);
typedef int hash_call(uint8_t *, const uint8_t *, size_t);
typedef int xof_call(uint8_t *, size_t, const uint8_t *, size_t);
typedef int blocks_call(uint8_t *, const uint8_t *, size_t, const hanji_block_ctx *);

/* What is measured, found by its name once: a call of 16 bytes is as short as the search. */
typedef struct task {
    encrypt_call *encrypt;
    decrypt_call *decrypt;
    hash_call *hash;
    xof_call *xof;
    blocks_call *run;
    size_t bytes, blocks;
    uint8_t *data, *text, key[32], iv[32], out[64];
    /* every call is a message of its own, from data to text, or has a key of its own */
    int message, message_key;
    enum { OF_CTR, OF_EAX, OF_CMAC } mode; /* of a message */
    const hanji_cipher *cipher;
    hanji_any_block_ctx block;
    hanji_ctr_ctx ctr;
} task;

/* A message with CTR, EAX (a nonce of one block, no associated data) or CMAC. */
static int one_message(task *t, size_t block_bytes)
{
    hanji_eax_ctx eax;
    if (t->mode == OF_EAX)
        return hanji_eax_init(block_bytes, &t->block.head, &eax) == 0 &&
               hanji_eax_encrypt_detached(t->text, t->out, t->data, t->bytes, NULL, 0, t->iv,
                                          block_bytes, &eax) == 0;
    if (t->mode == OF_CMAC)
        return hanji_cmac(t->out, block_bytes, t->data, t->bytes, &t->block.head) == 0;
    return hanji_ctr_init(t->iv, block_bytes, &t->block.head, &t->ctr) == 0 &&
           hanji_ctr_update(t->text, t->data, t->bytes, &t->ctr) == 0;
}

/* The same, the key schedule included or not. */
static int keyed_message(task *t)
{
    const size_t key_bytes = hanji_cipher_key_bytes(t->cipher),
                 block_bytes = hanji_cipher_block_bytes(t->cipher);
    /* in one call, where the limit of a key lets it: 1 MiB is more than 2^14 blocks of 48 bits */
    if (t->message_key && t->mode == OF_CTR &&
        t->bytes / block_bytes < hanji_cipher_limit(t->cipher))
        return hanji_ctr(t->text, t->data, t->bytes, t->iv, block_bytes, t->key, key_bytes,
                         t->cipher) == 0;
    if (t->message_key &&
        hanji_block_init(t->key, key_bytes, t->cipher, &t->block.head, sizeof t->block) != 0)
        return 0;
    return hanji_block_set_limit(UINT64_MAX, &t->block.head) == 0 && one_message(t, block_bytes);
}

/*
 * One call; 0 when it fails. The tag of what is decrypted is wrong, so that the output is erased,
 * too.
 */
static int call(task *t)
{
    if (t->encrypt != NULL)
        return t->encrypt(t->data, t->out, t->data, t->bytes, NULL, 0, t->iv, t->key) == 0;
    if (t->decrypt != NULL)
        return t->decrypt(t->data, t->data, t->bytes, t->out, NULL, 0, t->iv, t->key) !=
               HANJI_E_ARGUMENT;
    if (t->hash != NULL)
        return t->hash(t->out, t->data, t->bytes) == 0;
    if (t->xof != NULL)
        return t->xof(t->out, 32, t->data, t->bytes) == 0;
    if (t->message)
        return keyed_message(t);
    if (t->run != NULL)
        return t->run(t->data, t->data, t->blocks, &t->block.head) == 0;
    return hanji_ctr_update(t->data, t->data, t->bytes, &t->ctr) == 0;
}

/* Find what is called `name`; 0 when nothing is. */
static int find(task *t, const char *name, const char *operation)
{
    static const struct {
        const char *name;
        encrypt_call *encrypt;
        decrypt_call *decrypt;
        hash_call *hash;
        xof_call *xof;
    } known[] = {
        {"ascon-aead128", hanji_ascon_aead128_encrypt_detached,
         hanji_ascon_aead128_decrypt_detached, NULL, NULL},
        {"ascon-hash256", NULL, NULL, hanji_ascon_hash256, NULL},
        {"ascon-xof128", NULL, NULL, NULL, hanji_ascon_xof128},
        {"schwaemm256-128", hanji_schwaemm256_128_encrypt_detached,
         hanji_schwaemm256_128_decrypt_detached, NULL, NULL},
        {"schwaemm192-192", hanji_schwaemm192_192_encrypt_detached,
         hanji_schwaemm192_192_decrypt_detached, NULL, NULL},
        {"schwaemm128-128", hanji_schwaemm128_128_encrypt_detached,
         hanji_schwaemm128_128_decrypt_detached, NULL, NULL},
        {"schwaemm256-256", hanji_schwaemm256_256_encrypt_detached,
         hanji_schwaemm256_256_decrypt_detached, NULL, NULL},
        {"esch256", NULL, NULL, hanji_esch256, NULL},
        {"esch384", NULL, NULL, hanji_esch384, NULL},
        {"xoesch256", NULL, NULL, NULL, hanji_xoesch256},
        {"xoesch384", NULL, NULL, NULL, hanji_xoesch384},
    };
    const int encrypts = strcmp(operation, "encrypt") == 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) {
            t->encrypt = encrypts ? known[i].encrypt : NULL;
            t->decrypt = encrypts ? NULL : known[i].decrypt;
            t->hash = known[i].hash;
            t->xof = known[i].xof;
            return 1;
        }
    const hanji_cipher *cipher = hanji_cipher_find(name);
    if (cipher == NULL ||
        hanji_block_init(t->key, hanji_cipher_key_bytes(cipher), cipher, &t->block.head,
                         sizeof t->block) != 0 ||
        hanji_block_set_limit(UINT64_MAX, &t->block.head) != 0 ||
        hanji_ctr_init(t->iv, hanji_cipher_block_bytes(cipher), &t->block.head, &t->ctr) != 0)
        return 0;
    t->blocks = t->bytes / hanji_cipher_block_bytes(cipher);
    t->cipher = cipher;
    t->message_key = strstr(operation, ", key and message") != NULL;
    t->message = t->message_key || strstr(operation, ", message") != NULL;
    t->mode = strncmp(operation, "eax,", 4) == 0    ? OF_EAX
              : strncmp(operation, "cmac,", 5) == 0 ? OF_CMAC
                                                    : OF_CTR;
    t->run = t->message || strcmp(operation, "ctr") == 0 ? NULL
             : encrypts                                  ? hanji_block_encrypt
                                                         : hanji_block_decrypt;
    return 1;
}

static int disturbed;

/* How many figures since the last call are mostly of a disturbed core. */
int disturbed_figures(void)
{
    const int figures = disturbed;
    disturbed = 0;
    return figures;
}

/*
 * Time `calls` calls of work(argument) against a chain of additions that comes directly before;
 * 0 when a call fails.
 */
static int time_sample(figure *f, double *least, int (*work)(void *), void *argument, int calls)
{
    int ok = 1;
    const double start = seconds_now(), unit = chain() / CHAIN, before = width_now(unit),
                 begin = seconds_now();
    for (int i = 0; i < calls; i++)
        ok &= work(argument);
    const double end = seconds_now(), each = (end - begin) / calls;
    figure_add(f, each / unit, before, width_now(unit), end - start);
    if (each < *least)
        *least = each;
    return ok;
}

/*
 * Median cycles and least seconds; as many calls a round as fill about 40 microseconds. 0 when
 * done, -1 when the work fails, -2 without memory.
 */
static int time_work(double *cycles, double *seconds, int (*work)(void *), void *argument,
                     int rounds)
{
    figure f;
    if (!figure_open(&f, rounds))
        return -2;
    int ok = work(argument), was_disturbed;
    const double begin = seconds_now();
    ok &= work(argument);
    const double once = seconds_now() - begin;
    const int calls = once > 4e-5 ? 1 : (int)(4e-5 / (once + 1e-8)) + 1;
    *seconds = 1e9;
    while (ok && figure_wants(&f))
        ok = time_sample(&f, seconds, work, argument, calls);
    if (!ok) {
        free(f.samples);
        return -1;
    }
    *cycles = figure_close(&f, &was_disturbed);
    disturbed += was_disturbed;
    return 0;
}

static int call_task(void *argument)
{
    return call(argument);
}

/* Keep to a tier of kernels; 0 when it is there. */
int force(const char *tier)
{
    return hanji_force(tier);
}

/*
 * Core cycles and seconds of one call over `bytes` bytes: 0, -1 when the task is not known, -2
 * without memory.
 */
int measure(double *cycles, double *seconds, const char *name, const char *operation, size_t bytes,
            int rounds)
{
    task t = {.bytes = bytes};
    const size_t room = bytes / 64 * 64 + 64;
    t.data = aligned_alloc(64, 2 * room);
    if (t.data == NULL)
        return -2;
    memset(t.data, 0, 2 * room);
    t.text = t.data + room;
    const int rc =
        find(&t, name, operation) ? time_work(cycles, seconds, call_task, &t, rounds) : -1;
    free(t.data);
    return rc;
}

typedef int64_t fleet_call(const hanji_fleet *);

static const hanji_cipher *fleet_cipher;

static int64_t ctr_fleet(const hanji_fleet *fleet)
{
    return hanji_ctr_fleet(fleet, fleet_cipher);
}

static int64_t eax_fleet(const hanji_fleet *fleet)
{
    return hanji_eax_fleet_encrypt(fleet, fleet_cipher);
}

static int64_t cmac_fleet(const hanji_fleet *fleet)
{
    return hanji_cmac_fleet(fleet, fleet_cipher);
}

/*
 * What any program does that walks over such arrays: every byte is read, data and status are
 * written. Messages have 64 bytes.
 */
static int64_t copy_fleet(const hanji_fleet *fleet)
{
    uint64_t read = 0, words[8];
    for (size_t i = 0; i < fleet->messages; i++) {
        const size_t at = (size_t)fleet->offsets[i], bytes = (size_t)fleet->offsets[i + 1] - at;
        memcpy(words, fleet->keys + i * fleet->key_stride, 16);
        memcpy(words + 2, fleet->nonces + i * fleet->nonce_bytes, 8);
        read += words[0] + words[1] + words[2];
        if (bytes != sizeof words)
            return HANJI_E_LENGTH;
        memcpy(words, fleet->input + at, sizeof words);
        words[0] ^= read & 1;
        memcpy(fleet->output + at, words, sizeof words);
        fleet->status[i] = HANJI_OK;
    }
    return 0;
}

typedef struct fleet_task {
    fleet_call *run;
    hanji_fleet fleet;
} fleet_task;

static int call_fleet(void *argument)
{
    const fleet_task *t = argument;
    return t->run(&t->fleet) == 0;
}

typedef struct fleet_kind {
    const char *name;
    fleet_call *run;
    size_t key, nonce, tag;
} fleet_kind;

/*
 * A fleet by its name, which for CTR is that of the cipher, and for EAX and CMAC "eax" or "cmac"
 * and that; 0 when nothing is called so.
 */
static int find_fleet(fleet_kind *kind, const char *name)
{
    static const fleet_kind known[] = {
        {"ascon-aead128", hanji_ascon_aead128_fleet_encrypt, 16, 16, 16},
        {"ascon-hash256", hanji_ascon_hash256_fleet, 0, 0, 32},
        {"schwaemm256-128", hanji_schwaemm256_128_fleet_encrypt, 16, 32, 16},
        {"schwaemm192-192", hanji_schwaemm192_192_fleet_encrypt, 24, 24, 24},
        {"schwaemm128-128", hanji_schwaemm128_128_fleet_encrypt, 16, 16, 16},
        {"schwaemm256-256", hanji_schwaemm256_256_fleet_encrypt, 32, 32, 32},
        {"esch256", hanji_esch256_fleet, 0, 0, 32},
        {"esch384", hanji_esch384_fleet, 0, 0, 48},
        {"copy", copy_fleet, 16, 8, 0},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(known[k].name, name) == 0) {
            *kind = known[k];
            return 1;
        }
    const int eax = strncmp(name, "eax ", 4) == 0, cmac = strncmp(name, "cmac ", 5) == 0;
    fleet_cipher = hanji_cipher_find(name + (eax ? 4 : cmac ? 5 : 0));
    if (fleet_cipher == NULL)
        return 0;
    const size_t n = hanji_cipher_block_bytes(fleet_cipher);
    *kind = (fleet_kind){name,
                         eax    ? eax_fleet
                         : cmac ? cmac_fleet
                                : ctr_fleet,
                         hanji_cipher_key_bytes(fleet_cipher), cmac ? 0 : n, eax || cmac ? n : 0};
    return 1;
}

/*
 * The same for sealing, enciphering or hashing `messages` messages in one call, each under its own
 * key. Their lengths are drawn from `least` to `most` bytes, always the same; `total` is their sum.
 */
int measure_fleet(double *cycles, double *seconds, size_t *total, const char *name, size_t messages,
                  size_t least, size_t most, int rounds)
{
    fleet_kind kind;
    if (!find_fleet(&kind, name))
        return -1;
    int rc = -2;
    uint64_t drawn = 0x9e3779b97f4a7c15;
    int64_t *offsets = calloc(messages + 1, sizeof *offsets);
    if (offsets == NULL)
        return rc;
    for (size_t i = 0; i < messages; i++) {
        drawn ^= drawn << 13;
        drawn ^= drawn >> 7;
        drawn ^= drawn << 17;
        offsets[i + 1] = offsets[i] + (int64_t)(least + (size_t)(drawn >> 32) % (most - least + 1));
    }
    const size_t bytes = *total = (size_t)offsets[messages];
    uint8_t *memory = calloc(bytes + messages * (kind.key + kind.nonce + kind.tag + 1), 1);
    if (memory != NULL) {
        uint8_t *keys = memory + bytes, *nonces = keys + messages * kind.key,
                *tags = nonces + messages * kind.nonce;
        fleet_task t = {kind.run,
                        {.messages = messages,
                         .offsets = offsets,
                         .input = memory,
                         .output = memory,
                         .keys = keys,
                         .key_stride = kind.key,
                         .nonces = nonces,
                         .nonce_bytes = kind.nonce,
                         .tags = tags,
                         .tag_bytes = kind.tag,
                         .status = (int8_t *)(tags + messages * kind.tag),
                         .limit = UINT64_MAX}};
        rc = time_work(cycles, seconds, call_fleet, &t, rounds);
    }
    free(offsets);
    free(memory);
    return rc;
}

/* ---- AIMer: a message of 32 bytes, random bytes from a counter ---- */

#define BATCH 16

typedef struct signer {
    const hanji_aimer *set;
    const char *operation;
    size_t public_bytes, secret_bytes, signature_bytes, scratch_bytes, key_bytes;
    hanji_aimer_key *key;
    hanji_aimer_item items[BATCH];
    uint8_t *signatures, *scratch, public_key[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX],
        secret_key[HANJI_AIMER_SECRET_KEY_BYTES_MAX], signature[HANJI_AIMER_SIGNATURE_BYTES_MAX],
        message[32];
} signer;

static int counted(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(7 * i + 3);
    return HANJI_OK;
}

static int call_aimer(void *argument)
{
    signer *s = argument;
    if (strcmp(s->operation, "keypair") == 0)
        return hanji_aimer_keypair(s->public_key, s->secret_key, s->set, counted, NULL, s->scratch,
                                   s->scratch_bytes) == HANJI_OK;
    if (strcmp(s->operation, "sign") == 0)
        return hanji_aimer_sign(s->signature, s->message, sizeof s->message, NULL, 0, s->secret_key,
                                s->secret_bytes, s->set, 0, counted, NULL, s->scratch,
                                s->scratch_bytes) == HANJI_OK;
    if (strcmp(s->operation, "verify") == 0)
        return hanji_aimer_verify(s->signature, s->signature_bytes, s->message, sizeof s->message,
                                  NULL, 0, s->public_key, s->public_bytes, s->set, s->scratch,
                                  s->scratch_bytes) == HANJI_OK;
    if (strcmp(s->operation, "sign-expanded") == 0)
        return hanji_aimer_key_sign(s->signature, s->message, sizeof s->message, NULL, 0, s->key, 0,
                                    counted, NULL, s->scratch, s->scratch_bytes) == HANJI_OK;
    if (strcmp(s->operation, "verify-expanded") == 0)
        return hanji_aimer_key_verify(s->signature, s->signature_bytes, s->message,
                                      sizeof s->message, NULL, 0, s->key, s->scratch,
                                      s->scratch_bytes) == HANJI_OK;
    if (strcmp(s->operation, "sign-batch") == 0)
        return hanji_aimer_key_sign_batch(s->items, BATCH, s->key, 0, counted, NULL, s->scratch,
                                          s->scratch_bytes) == HANJI_OK;
    if (strcmp(s->operation, "verify-batch") == 0)
        return hanji_aimer_key_verify_batch(s->items, BATCH, s->key, s->scratch,
                                            s->scratch_bytes) == HANJI_OK;
    return 0;
}

static void close_aimer(signer *s)
{
    free(s->signatures);
    free(s->scratch);
    free(s->key);
}

/* A key pair and a signature of it; 0, -1 when the set is not known, -2 without memory. */
static int open_aimer(signer *s, const char *name, const char *operation)
{
    *s = (signer){.set = hanji_aimer_by_name(name), .operation = operation};
    if (s->set == NULL)
        return -1;
    s->public_bytes = hanji_aimer_public_key_bytes(s->set);
    s->secret_bytes = hanji_aimer_secret_key_bytes(s->set);
    s->signature_bytes = hanji_aimer_signature_bytes(s->set);
    s->scratch_bytes = hanji_aimer_scratch_bytes_batch(s->set);
    s->key_bytes = hanji_aimer_key_bytes(s->set);
    s->scratch = aligned_alloc(64, s->scratch_bytes / 64 * 64 + 64);
    s->key = aligned_alloc(64, s->key_bytes / 64 * 64 + 64);
    s->signatures = calloc(BATCH, s->signature_bytes);
    int rc = s->scratch == NULL || s->key == NULL || s->signatures == NULL ? -2 : 0;
    for (size_t i = 0; rc == 0 && i < BATCH; i++)
        s->items[i] = (hanji_aimer_item){
            s->signatures + i * s->signature_bytes, s->message, sizeof s->message, NULL, 0, 0};
    if (rc == 0 && (hanji_aimer_keypair(s->public_key, s->secret_key, s->set, counted, NULL,
                                        s->scratch, s->scratch_bytes) != HANJI_OK ||
                    hanji_aimer_sign(s->signature, s->message, sizeof s->message, NULL, 0,
                                     s->secret_key, s->secret_bytes, s->set, 0, counted, NULL,
                                     s->scratch, s->scratch_bytes) != HANJI_OK ||
                    hanji_aimer_key_secret(s->key, s->key_bytes, s->secret_key, s->secret_bytes,
                                           s->set, s->scratch, s->scratch_bytes) != HANJI_OK ||
                    (strstr(operation, "-batch") != NULL &&
                     hanji_aimer_key_sign_batch(s->items, BATCH, s->key, 0, counted, NULL,
                                                s->scratch, s->scratch_bytes) != HANJI_OK)))
        rc = -1;
    if (rc != 0)
        close_aimer(s);
    return rc;
}

/*
 * Core cycles and seconds of keypair, sign or verify; of sign-expanded or verify-expanded, whose
 * key has been expanded before; or, for one message, of sign-batch or verify-batch over 16 of them.
 */
int measure_aimer(double *cycles, double *seconds, const char *name, const char *operation,
                  int rounds)
{
    signer s;
    int rc = open_aimer(&s, name, operation);
    if (rc == 0) {
        rc = time_work(cycles, seconds, call_aimer, &s, rounds);
        if (rc == 0 && strstr(operation, "-batch") != NULL) {
            *cycles /= BATCH;
            *seconds /= BATCH;
        }
        close_aimer(&s);
    }
    return rc;
}

/* ---- Keccak-f[1600] by each kernel ---- */

typedef struct permutation {
    const hanji_kernel *kernel;
    uint64_t states[HANJI_KECCAK_WORDS * HANJI_KECCAK_LANES_MAX];
} permutation;

static int call_permutation(void *argument)
{
    permutation *p = argument;
    p->kernel->run.keccak(p->states);
    return 1;
}

/*
 * Core cycles of one call of a kernel, which permutes as many states as its group; -1 when there is
 * none of that name, or not on this processor.
 */
int measure_keccak(double *cycles, double *seconds, const char *name, int rounds)
{
    permutation p = {hanji_keccak_kernels, {0}};
    while (p.kernel->name != NULL && strcmp(p.kernel->name, name) != 0)
        p.kernel++;
    if (p.kernel->name == NULL || (p.kernel->features & ~hanji_cpu_features()) != 0)
        return -1;
    return time_work(cycles, seconds, call_permutation, &p, rounds);
}

#ifdef __linux__

static volatile sig_atomic_t sampled, sample_room;
static uintptr_t *sample_at;

static void take_sample(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    const ucontext_t *machine = context;
    if (sampled < sample_room)
#if defined(__x86_64__)
        sample_at[sampled++] = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
#else
        sample_at[sampled++] = (uintptr_t)machine->uc_mcontext.pc;
#endif
}

/*
 * Where the program is every 100 microseconds, `room` times, while an operation repeats: 0, or what
 * went wrong.
 */
int profile_aimer(uintptr_t *samples, size_t room, const char *name, const char *operation)
{
    signer s;
    timer_t timer;
    struct sigaction action = {.sa_sigaction = take_sample, .sa_flags = SA_SIGINFO | SA_RESTART},
                     before;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    const struct itimerspec every = {{0, 100000}, {0, 100000}};
    int rc = open_aimer(&s, name, operation);
    if (rc != 0)
        return rc;
    sample_at = samples;
    sampled = 0;
    sample_room = (sig_atomic_t)room;
    rc = sigaction(SIGPROF, &action, &before) != 0 ||
                 timer_create(CLOCK_MONOTONIC, &event, &timer) != 0
             ? -3
             : 0;
    if (rc == 0) {
        rc = timer_settime(timer, 0, &every, NULL) != 0 ? -3 : 0;
        while (rc == 0 && sampled < sample_room)
            rc = call_aimer(&s) ? 0 : -1;
        timer_delete(timer);
        /* A signal that is still on its way must not end the program. */
        signal(SIGPROF, SIG_IGN);
    }
    close_aimer(&s);
    return rc;
}

#endif

/* The core's present cycles per second, median of `rounds` chains. */
double core_hertz(int rounds)
{
    double samples[101];
    if (rounds > 101)
        rounds = 101;
    for (int r = 0; r < rounds; r++)
        samples[r] = CHAIN / chain();
    qsort(samples, (size_t)rounds, sizeof *samples, compare);
    return samples[rounds / 2];
}
