/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that `hanji-lab sweep` measures: sweep.h in terms of the public functions of the
 * library.
 *
 * Builds with another public interface need a file of their own, sweep_calls_NAME.c. The sweep
 * takes the first file that compiles with the headers of a build, beginning with this one.
 */
#include "sweep.h"

#include <hanji/hanji.h>
#include <string.h>

/* Padding in front of the code of the library, which is linked behind this file. */
__asm__(".pushsection .text\n.skip " SWEEP_PAD ", 0xcc\n.popsection");

size_t sweep_planted = SIZE_MAX;
unsigned long sweep_made;

typedef struct task {
    int (*call)(struct task *); /* 0 if it failed */
    sweep_point at;
    const hanji_cipher *cipher;
    const struct aead *aead;
    const struct hash *hash;
    size_t block_bytes, key_bytes;
    hanji_any_block_ctx block;
    hanji_ctr_ctx ctr;
    hanji_eax_ctx eax;
    hanji_ascon_aead128_key ascon;
    hanji_fleet fleet;
    int64_t (*run)(const hanji_fleet *);
    int64_t (*run_over)(const hanji_fleet *, const hanji_cipher *);
} task;

typedef int encrypt_call(uint8_t *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t,
                         const uint8_t *, const uint8_t *);
typedef int decrypt_call(uint8_t *, const uint8_t *, size_t, const uint8_t *, const uint8_t *,
                         size_t, const uint8_t *, const uint8_t *);
typedef int64_t fleet_call(const hanji_fleet *);

static const struct aead {
    const char *name;
    encrypt_call *encrypt;
    decrypt_call *decrypt;
    fleet_call *fleet_encrypt, *fleet_decrypt;
    size_t key_bytes, nonce_bytes, tag_bytes;
} aeads[] = {
    {"ascon-aead128", hanji_ascon_aead128_encrypt_detached, hanji_ascon_aead128_decrypt_detached,
     hanji_ascon_aead128_fleet_encrypt, hanji_ascon_aead128_fleet_decrypt, 16, 16, 16},
    {"schwaemm256-128", hanji_schwaemm256_128_encrypt_detached,
     hanji_schwaemm256_128_decrypt_detached, hanji_schwaemm256_128_fleet_encrypt,
     hanji_schwaemm256_128_fleet_decrypt, 16, 32, 16},
    {"schwaemm192-192", hanji_schwaemm192_192_encrypt_detached,
     hanji_schwaemm192_192_decrypt_detached, hanji_schwaemm192_192_fleet_encrypt,
     hanji_schwaemm192_192_fleet_decrypt, 24, 24, 24},
    {"schwaemm128-128", hanji_schwaemm128_128_encrypt_detached,
     hanji_schwaemm128_128_decrypt_detached, hanji_schwaemm128_128_fleet_encrypt,
     hanji_schwaemm128_128_fleet_decrypt, 16, 16, 16},
    {"schwaemm256-256", hanji_schwaemm256_256_encrypt_detached,
     hanji_schwaemm256_256_decrypt_detached, hanji_schwaemm256_256_fleet_encrypt,
     hanji_schwaemm256_256_fleet_decrypt, 32, 32, 32},
};

static const struct hash {
    const char *name;
    int (*hash)(uint8_t *, const uint8_t *, size_t);
    int (*xof)(uint8_t *, size_t, const uint8_t *, size_t);
    fleet_call *fleet;
    size_t digest_bytes;
} hashes[] = {
    {"ascon-hash256", hanji_ascon_hash256, NULL, hanji_ascon_hash256_fleet, 32},
    {"ascon-xof128", NULL, hanji_ascon_xof128, hanji_ascon_xof128_fleet, 32},
    {"esch256", hanji_esch256, NULL, hanji_esch256_fleet, 32},
    {"esch384", hanji_esch384, NULL, hanji_esch384_fleet, 48},
};

/* ---- one message ---- */

/* Set the key and lift its data limit: a sweep encrypts more blocks than a user may. */
static int set_key(task *t)
{
    return hanji_block_init(t->at.keys, t->key_bytes, t->cipher, &t->block.head, sizeof t->block) ==
               0 &&
           hanji_block_set_limit(UINT64_MAX, &t->block.head) == 0;
}

static int ctr(task *t)
{
    return hanji_ctr_init(t->at.nonces, t->block_bytes, &t->block.head, &t->ctr) == 0 &&
           hanji_ctr_update(t->at.out, t->at.in, t->at.bytes, &t->ctr) == 0;
}

static int ctr_with_key(task *t)
{
    return hanji_ctr(t->at.out, t->at.in, t->at.bytes, t->at.nonces, t->block_bytes, t->at.keys,
                     t->key_bytes, t->cipher) == 0;
}

static int cmac(task *t)
{
    return hanji_cmac(t->at.tags, t->block_bytes, t->at.in, t->at.bytes, &t->block.head) == 0;
}

static int cmac_with_key(task *t)
{
    return set_key(t) && cmac(t);
}

static int eax(task *t)
{
    return hanji_eax_encrypt_detached(t->at.out, t->at.tags, t->at.in, t->at.bytes, NULL, 0,
                                      t->at.nonces, t->block_bytes, &t->eax) == 0;
}

static int eax_key(task *t)
{
    return set_key(t) && hanji_eax_init(t->block_bytes, &t->block.head, &t->eax) == 0;
}

static int eax_with_key(task *t)
{
    return eax_key(t) && eax(t);
}

static int encrypt(task *t)
{
    return t->aead->encrypt(t->at.out, t->at.tags, t->at.in, t->at.bytes, NULL, 0, t->at.nonces,
                            t->at.keys) == 0;
}

static int decrypt(task *t)
{
    return t->aead->decrypt(t->at.in, t->at.out, t->at.bytes, t->at.tags, NULL, 0, t->at.nonces,
                            t->at.keys) == 0;
}

static int encrypt_with_ascon_key(task *t)
{
    return hanji_ascon_aead128_key_encrypt_detached(t->at.out, t->at.tags, t->at.in, t->at.bytes,
                                                    NULL, 0, t->at.nonces, &t->ascon) == 0;
}

static int hash(task *t)
{
    return t->hash->hash != NULL
               ? t->hash->hash(t->at.tags, t->at.in, t->at.bytes) == 0
               : t->hash->xof(t->at.tags, t->hash->digest_bytes, t->at.in, t->at.bytes) == 0;
}

/* ---- fleets ---- */

static int fleet(task *t)
{
    return (t->run != NULL ? t->run(&t->fleet) : t->run_over(&t->fleet, t->cipher)) == 0;
}

static void set_fleet(task *t, size_t key_stride, size_t nonce_bytes, size_t tag_bytes)
{
    t->call = fleet;
    t->fleet = (hanji_fleet){.messages = t->at.messages,
                             .offsets = t->at.offsets,
                             .input = t->at.in,
                             .output = t->at.out,
                             .keys = t->at.keys,
                             .key_stride = key_stride,
                             .nonces = t->at.nonces,
                             .nonce_bytes = nonce_bytes,
                             .tags = t->at.tags,
                             .tag_bytes = tag_bytes,
                             .status = t->at.status,
                             .limit = UINT64_MAX};
}

/* ---- the table ---- */

static int open_cipher(task *t, const char *operation)
{
    static const struct {
        const char *operation;
        int (*prepare)(task *), (*call)(task *);
    } single[] = {
        {"ctr", set_key, ctr},   {"ctr, key in the call", NULL, ctr_with_key},
        {"cmac", set_key, cmac}, {"cmac, key in the call", NULL, cmac_with_key},
        {"eax", eax_key, eax},   {"eax, key in the call", NULL, eax_with_key},
    };
    static const struct {
        const char *operation;
        int64_t (*run)(const hanji_fleet *, const hanji_cipher *);
        int one_key, nonce, tag;
    } many[] = {
        {"fleet ctr", hanji_ctr_fleet, 0, 1, 0},
        {"fleet ctr, one key", hanji_ctr_fleet, 1, 1, 0},
        {"fleet cmac", hanji_cmac_fleet, 0, 0, 1},
        {"fleet eax", hanji_eax_fleet_encrypt, 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (strcmp(single[i].operation, operation) == 0) {
            t->call = single[i].call;
            return single[i].prepare == NULL || single[i].prepare(t) ? SWEEP_READY : SWEEP_FAILED;
        }
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
        if (strcmp(many[i].operation, operation) == 0) {
            t->run_over = many[i].run;
            set_fleet(t, many[i].one_key ? 0 : t->key_bytes, many[i].nonce ? t->block_bytes : 0,
                      many[i].tag ? t->block_bytes : 0);
            return SWEEP_READY;
        }
    return SWEEP_UNKNOWN;
}

static int open_aead(task *t, const char *operation)
{
    if (strcmp(operation, "encrypt") == 0) {
        t->call = encrypt;
    } else if (strcmp(operation, "decrypt") == 0) {
        t->call = decrypt;
        return encrypt(t) ? SWEEP_READY : SWEEP_FAILED;
    } else if (strcmp(operation, "encrypt, key kept") == 0 &&
               strcmp(t->aead->name, "ascon-aead128") == 0) {
        t->call = encrypt_with_ascon_key;
        return hanji_ascon_aead128_key_init(16, t->at.keys, 16, &t->ascon) == 0 ? SWEEP_READY
                                                                                : SWEEP_FAILED;
    } else if (strcmp(operation, "fleet encrypt") == 0) {
        t->run = t->aead->fleet_encrypt;
        set_fleet(t, t->aead->key_bytes, t->aead->nonce_bytes, t->aead->tag_bytes);
    } else if (strcmp(operation, "fleet decrypt") == 0) {
        t->run = t->aead->fleet_encrypt;
        set_fleet(t, t->aead->key_bytes, t->aead->nonce_bytes, t->aead->tag_bytes);
        if (!fleet(t))
            return SWEEP_FAILED;
        t->run = t->aead->fleet_decrypt;
        t->fleet.input = t->at.out;
        t->fleet.output = t->at.in;
    } else {
        return SWEEP_UNKNOWN;
    }
    return SWEEP_READY;
}

int sweep_force(const char *tier)
{
    return hanji_force(tier);
}

size_t sweep_task_bytes(void)
{
    return sizeof(task);
}

int sweep_open(void *memory, const sweep_point *point)
{
    task *t = memory;
    memset(t, 0, sizeof *t);
    t->at = *point;
    for (size_t i = 0; i < sizeof aeads / sizeof aeads[0]; i++)
        if (strcmp(aeads[i].name, point->algorithm) == 0) {
            t->aead = &aeads[i];
            return open_aead(t, point->operation);
        }
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++)
        if (strcmp(hashes[i].name, point->algorithm) == 0) {
            t->hash = &hashes[i];
            t->call = hash;
            if (strcmp(point->operation, "hash") == 0)
                return SWEEP_READY;
            t->run = hashes[i].fleet;
            set_fleet(t, 0, 0, hashes[i].digest_bytes);
            return strcmp(point->operation, "fleet hash") == 0 ? SWEEP_READY : SWEEP_UNKNOWN;
        }
    t->cipher = hanji_cipher_find(point->algorithm);
    if (t->cipher == NULL)
        return SWEEP_UNKNOWN;
    t->block_bytes = hanji_cipher_block_bytes(t->cipher);
    t->key_bytes = hanji_cipher_key_bytes(t->cipher);
    return open_cipher(t, point->operation);
}

int sweep_run(void *memory, unsigned long calls)
{
    task *t = memory;
    int ok = 1;
    if (t->at.bytes == sweep_planted)
        calls += calls / 10;
    sweep_made += calls;
    for (unsigned long i = 0; i < calls; i++)
        ok &= t->call(t);
    return ok;
}
