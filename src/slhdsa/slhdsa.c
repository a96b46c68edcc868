/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of SLH-DSA: keys, and messages that are signed or verified, whole or in pieces. */
#include "slhdsa/slhdsa.h"
#include "support/apart.h"
#include "support/secret.h"

/* Bytes of a message that are copied at once, where several hashes take them. */
#ifdef HANJI_FREESTANDING
#define PIECE HANJI_SHAKE256_RATE
#else
#define PIECE (8 * HANJI_SHAKE256_RATE)
#endif

/*
 * What a call below keeps on the stack, with the functions that it calls and their kernels: 24 KiB
 * of signing or 36 KiB of verifying where there are eight lanes.
 */
#ifdef HANJI_FREESTANDING
#define DEEP 8192
#else
#define DEEP 40960
#endif

static HANJI_NOINLINE void wipe_deep_stack(void)
{
    uint8_t below[DEEP];
    hanji_wipe(below, sizeof below);
}

#define PRE_HASH_MAX 64u
#define OID_BYTES 11u

typedef enum message_phase {
    SIGNING_FIRST = 1, /* pure mode: the first reading, for R */
    SIGNING_SECOND,    /* the second one, for the digest */
    SIGNING_ONCE,      /* the other modes: the only reading */
    VERIFYING,
    VERIFYING_ONCE
} message_phase;

#define READY 0x534c48446d7367ull /* no other memory than a message's begins so */

typedef struct message {
    uint64_t ready;
    const hanji_slhdsa *set;
    hanji_slhdsa_progress_fn *progress;
    void *progress_state;
    int mode;
    unsigned options;
    message_phase phase;
    uint32_t context_bytes;
    /*
     * What reads the message: R, which both readings make; the digest; and with HANJI_SLHDSA_CHECK
     * the digest once more. In the other modes only the first hash reads it, and with that option
     * the last one.
     */
    hanji_shake r_hash, digest_hash, check_hash;
    uint8_t key[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX]; /* the secret or the public one */
    uint8_t randomness[SLH_BYTES_MAX], r[SLH_BYTES_MAX];
    uint8_t context[HANJI_SLHDSA_CONTEXT_BYTES_MAX];
} message;

_Static_assert(sizeof(message) <= sizeof(hanji_slhdsa_message),
               "a message has room in the memory of the caller");

static message *opened(hanji_slhdsa_message *ctx)
{
    message *m = (message *)(void *)ctx;
    return m != NULL && m->ready == READY ? m : NULL;
}

static int system_random(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    return hanji_random(out, bytes);
}

static int draw(uint8_t *out, size_t bytes, hanji_random_fn *random, void *random_state)
{
    const int rc = (random != NULL ? random : system_random)(out, bytes, random_state);
    if (rc != HANJI_OK)
        hanji_wipe(out, bytes);
    return rc;
}

static void words_of(uint64_t *words, const uint8_t *bytes, const hanji_slhdsa *set)
{
    for (uint32_t w = 0; w < set->words; w++)
        words[w] = load_le64(bytes + 8 * w);
}

static void key_words(hanji_slhdsa_key *key, const uint8_t *secret_key, const hanji_slhdsa *set)
{
    const uint32_t n = slh_n(set);
    memset(key, 0, sizeof *key);
    words_of(key->sk_seed, secret_key, set);
    words_of(key->pk_seed, secret_key + 2 * n, set);
    words_of(key->pk_root, secret_key + 3 * n, set);
}

/* ---- keys ---- */

/* The secret key has all but its last part, the root. */
static HANJI_NOINLINE void finish_key(uint8_t *root_bytes, const uint8_t *secret_key,
                                      const hanji_slhdsa *set)
{
    hanji_slhdsa_key key;
    uint64_t root[SLH_WORDS_MAX];
    key_words(&key, secret_key, set);
    hanji_slhdsa_root(root, &key, set);
    for (uint32_t w = 0; w < set->words; w++)
        store_le64(root_bytes + 8 * w, root[w]);
    hanji_wipe(&key, sizeof key);
}

/* Both keys are written, from the seeds that the secret key begins with. */
static HANJI_NOINLINE void make_keys(uint8_t *public_key, uint8_t *secret_key,
                                     const hanji_slhdsa *set)
{
    const uint32_t n = slh_n(set);
    memset(secret_key + 3 * n, 0, n);
    finish_key(public_key + n, secret_key, set);
    memcpy(secret_key + 3 * n, public_key + n, n);
    memcpy(public_key, secret_key + 2 * n, n);
}

static int refuse_keys(uint8_t *public_key, uint8_t *secret_key, const hanji_slhdsa *set, int rc)
{
    memset(public_key, 0, hanji_slhdsa_public_key_bytes(set));
    hanji_wipe(secret_key, hanji_slhdsa_secret_key_bytes(set));
    return rc;
}

int hanji_slhdsa_keypair(uint8_t *public_key, uint8_t *secret_key, const hanji_slhdsa *set,
                         hanji_random_fn *random, void *random_state)
{
    if (public_key == NULL || secret_key == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{public_key, hanji_slhdsa_public_key_bytes(set)},
                                    {secret_key, hanji_slhdsa_secret_key_bytes(set)}};
    if (!hanji_apart(buffers, 2, 2))
        return HANJI_E_ARGUMENT;
    int rc = hanji_selection();
    if (rc == HANJI_OK)
        rc = draw(secret_key, hanji_slhdsa_seeds_bytes(set), random, random_state);
    if (rc != HANJI_OK)
        return refuse_keys(public_key, secret_key, set, rc);
    make_keys(public_key, secret_key, set);
    wipe_deep_stack();
    return HANJI_OK;
}

int hanji_slhdsa_keypair_from_seeds(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seeds,
                                    size_t seeds_bytes, const hanji_slhdsa *set)
{
    if (public_key == NULL || secret_key == NULL || set == NULL || !valid(seeds, seeds_bytes))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{public_key, hanji_slhdsa_public_key_bytes(set)},
                                    {secret_key, hanji_slhdsa_secret_key_bytes(set)},
                                    {seeds, seeds_bytes}};
    if (!hanji_apart(buffers, 2, 3))
        return HANJI_E_ARGUMENT;
    int rc = hanji_selection();
    if (rc == HANJI_OK && seeds_bytes != hanji_slhdsa_seeds_bytes(set))
        rc = HANJI_E_LENGTH;
    if (rc != HANJI_OK)
        return refuse_keys(public_key, secret_key, set, rc);
    memcpy(secret_key, seeds, seeds_bytes);
    make_keys(public_key, secret_key, set);
    wipe_deep_stack();
    return HANJI_OK;
}

static HANJI_NOINLINE int check_key(const uint8_t *secret_key, const hanji_slhdsa *set)
{
    uint8_t copy[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX], root[SLH_BYTES_MAX];
    const uint32_t n = slh_n(set);
    memcpy(copy, secret_key, 4 * n);
    finish_key(root, copy, set);
    return hanji_equal(root, copy + 3 * n, n) ? HANJI_OK : HANJI_E_TAG;
}

int hanji_slhdsa_key_check(const uint8_t *secret_key, size_t secret_key_bytes,
                           const hanji_slhdsa *set)
{
    if (set == NULL || !valid(secret_key, secret_key_bytes))
        return HANJI_E_ARGUMENT;
    int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    if (secret_key_bytes != hanji_slhdsa_secret_key_bytes(set))
        return HANJI_E_LENGTH;
    rc = check_key(secret_key, set);
    wipe_deep_stack();
    return rc;
}

/* ---- hashing a message ---- */

static uint32_t pre_hash_rate(int mode)
{
    return mode == HANJI_SLHDSA_SHAKE128 ? HANJI_SHAKE128_RATE : HANJI_SHAKE256_RATE;
}

/* What stands before the message in both modes (algorithms 22 and 23). */
static void absorb_context(hanji_shake *hash, const message *m)
{
    const uint8_t head[2] = {m->mode != HANJI_SLHDSA_PURE, (uint8_t)m->context_bytes};
    hanji_shake_absorb(hash, head, sizeof head);
    hanji_shake_absorb(hash, m->context, m->context_bytes);
}

/* PRF_msg (section 11.2), to the begin of the message. */
static void begin_r(hanji_shake *hash, const message *m)
{
    const uint32_t n = slh_n(m->set);
    hanji_shake_init(hash, HANJI_SHAKE256_RATE);
    hanji_shake_absorb(hash, m->key + n, n);
    hanji_shake_absorb(hash, m->randomness, n);
    absorb_context(hash, m);
}

/* H_msg, likewise; `public_key` is the key itself or the second half of the secret one. */
static void begin_digest(hanji_shake *hash, const message *m, const uint8_t *public_key)
{
    const uint32_t n = slh_n(m->set);
    hanji_shake_init(hash, HANJI_SHAKE256_RATE);
    hanji_shake_absorb(hash, m->r, n);
    hanji_shake_absorb(hash, public_key, 2 * n);
    absorb_context(hash, m);
}

static void end_hash(uint8_t *out, size_t bytes, hanji_shake *hash)
{
    hanji_shake_finish(hash);
    hanji_shake_squeeze(out, bytes, hash);
}

/* R is known: everybody will. */
static void end_r(message *m)
{
    end_hash(m->r, slh_n(m->set), &m->r_hash);
    hanji_slhdsa_revealed(m->r, slh_n(m->set), "R is part of the signature");
}

/* The hashed message as it is signed: its object identifier and its hash (section 10.2.2). */
static void absorb_pre_hash(hanji_shake *hash, const message *m, const uint8_t *pre_hash)
{
    const uint8_t oid[OID_BYTES] = {
        0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, (uint8_t)m->mode};
    hanji_shake_absorb(hash, oid, sizeof oid);
    hanji_shake_absorb(hash, pre_hash, m->mode == HANJI_SLHDSA_SHAKE128 ? 32 : 64);
}

static HANJI_NOINLINE void update(message *m, const uint8_t *data, size_t bytes)
{
    const int check = (m->options & HANJI_SLHDSA_CHECK) != 0;
    if (m->phase == VERIFYING) {
        hanji_shake_absorb(&m->digest_hash, data, bytes);
    } else if (m->phase == SIGNING_SECOND || (m->phase == SIGNING_ONCE && check)) {
        /* All hashes see the same bytes, whoever writes to the memory meanwhile. */
        uint8_t piece[PIECE];
        for (size_t part; bytes > 0; data += part, bytes -= part) {
            part = bytes < PIECE ? bytes : PIECE;
            memcpy(piece, data, part);
            hanji_shake_absorb(&m->r_hash, piece, part);
            if (m->phase == SIGNING_SECOND)
                hanji_shake_absorb(&m->digest_hash, piece, part);
            if (check)
                hanji_shake_absorb(&m->check_hash, piece, part);
        }
        hanji_wipe(piece, sizeof piece);
    } else {
        hanji_shake_absorb(&m->r_hash, data, bytes);
    }
}

static HANJI_NOINLINE void again(message *m)
{
    end_r(m);
    begin_r(&m->r_hash, m);
    begin_digest(&m->digest_hash, m, m->key + 2 * slh_n(m->set));
    m->check_hash = m->digest_hash;
    m->phase = SIGNING_SECOND;
}

/*
 * R and digest from both readings in pure mode. R depends on every bit of the message and on a
 * secret key, so that it is the digest of a reading, too: another message gives another R, but for
 * one case in 2^(8n) that nobody can search for.
 */
static int end_pure(uint8_t *digest, message *m)
{
    uint8_t second[SLH_DIGEST_MAX];
    const uint32_t n = slh_n(m->set), bytes = slh_digest_bytes(m->set);
    end_hash(second, n, &m->r_hash);
    hanji_slhdsa_revealed(second, n, "R is part of the signature");
    if (!hanji_equal(second, m->r, n))
        return HANJI_E_CHANGED;
    end_hash(digest, bytes, &m->digest_hash);
    if ((m->options & HANJI_SLHDSA_CHECK) == 0)
        return HANJI_OK;
    end_hash(second, bytes, &m->check_hash);
    return hanji_equal(second, digest, bytes) ? HANJI_OK : HANJI_E_TAG;
}

/* R and digest from the hash of the message; with the check, each twice. */
static int end_pre_hash(uint8_t *digest, message *m)
{
    uint8_t pre_hash[PRE_HASH_MAX], second[PRE_HASH_MAX];
    const uint32_t bytes = slh_digest_bytes(m->set);
    const int check = (m->options & HANJI_SLHDSA_CHECK) != 0;
    end_hash(pre_hash, sizeof pre_hash, &m->r_hash);
    if (check) {
        end_hash(second, sizeof second, &m->check_hash);
        if (!hanji_equal(pre_hash, second, sizeof pre_hash))
            return HANJI_E_TAG;
    }
    begin_r(&m->r_hash, m);
    absorb_pre_hash(&m->r_hash, m, pre_hash);
    end_r(m);
    for (int turn = 0; turn <= check; turn++) {
        begin_digest(&m->digest_hash, m, m->key + 2 * slh_n(m->set));
        absorb_pre_hash(&m->digest_hash, m, pre_hash);
        end_hash(turn == 0 ? digest : second, bytes, &m->digest_hash);
    }
    return !check || hanji_equal(second, digest, bytes) ? HANJI_OK : HANJI_E_TAG;
}

/* ---- signing ---- */

/* Verify what was just made, from the digest on: a fault may have hit what it was split into. */
static int judge_own(const uint8_t *signature, const message *m, const hanji_slhdsa_key *key,
                     const uint8_t *digest)
{
    hanji_slhdsa_claim claim = {.signature = signature};
    hanji_slhdsa_split(&claim.place, digest, m->set);
    memcpy(claim.pk_seed, key->pk_seed, sizeof claim.pk_seed);
    memcpy(claim.pk_root, key->pk_root, sizeof claim.pk_root);
    hanji_slhdsa_revealed(signature, hanji_slhdsa_signature_bytes(m->set),
                          "a whole signature is public");
    return hanji_equal(signature, m->r, slh_n(m->set)) && hanji_slhdsa_judge(&claim, 1, m->set) == 1
               ? HANJI_OK
               : HANJI_E_TAG;
}

static int sign(uint8_t *signature, message *m)
{
    uint8_t digest[SLH_DIGEST_MAX];
    hanji_slhdsa_key key;
    hanji_slhdsa_place place;
    const int check = (m->options & HANJI_SLHDSA_CHECK) != 0;
    hanji_slhdsa_steps steps = {m->progress, m->progress_state, 0,
                                hanji_slhdsa_make_steps(m->set) * (check ? 2 : 1)};
    int rc = m->phase == SIGNING_ONCE ? end_pre_hash(digest, m) : end_pure(digest, m);
    if (rc != HANJI_OK)
        return rc;
    hanji_slhdsa_revealed(digest, sizeof digest,
                          "the digest follows from R, the message and the public key");
    hanji_slhdsa_split(&place, digest, m->set);
    key_words(&key, m->key, m->set);
    memcpy(signature, m->r, slh_n(m->set));
    rc = hanji_slhdsa_make(signature, &place, &key, m->set, 0, &steps);
    if (rc == HANJI_OK && check)
        rc = hanji_slhdsa_make(signature, &place, &key, m->set, 1, &steps);
    if (rc == HANJI_OK)
        rc = judge_own(signature, m, &key, digest);
    hanji_wipe(&key, sizeof key);
    return rc;
}

/* Sign what was read; the message is erased, and so is the signature unless it is whole. */
static HANJI_NOINLINE int end_signing(uint8_t *signature, message *m)
{
    const hanji_slhdsa *set = m->set;
    const int rc = m->phase == SIGNING_SECOND || m->phase == SIGNING_ONCE ? sign(signature, m)
                                                                          : HANJI_E_ARGUMENT;
    hanji_wipe(m, sizeof *m);
    if (rc != HANJI_OK)
        hanji_wipe(signature, hanji_slhdsa_signature_bytes(set));
    return rc;
}

/* The buffers are apart, and the message is zero. */
static HANJI_NOINLINE int begin_signing(message *m, const uint8_t *context, size_t context_bytes,
                                        int mode, const uint8_t *secret_key,
                                        size_t secret_key_bytes, const hanji_slhdsa *set,
                                        unsigned options, hanji_random_fn *random,
                                        void *random_state)
{
    const uint32_t n = slh_n(set);
    int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    if (!hanji_slhdsa_offers(set, mode) ||
        (options & ~(HANJI_SLHDSA_CHECK | HANJI_SLHDSA_DETERMINISTIC)) != 0)
        return HANJI_E_ARGUMENT;
    if (secret_key_bytes != 4 * n || context_bytes > HANJI_SLHDSA_CONTEXT_BYTES_MAX)
        return HANJI_E_LENGTH;
    m->set = set;
    m->mode = mode;
    m->options = options;
    m->context_bytes = (uint32_t)context_bytes;
    memcpy(m->key, secret_key, secret_key_bytes);
    if (context_bytes != 0)
        memcpy(m->context, context, context_bytes);
    if ((options & HANJI_SLHDSA_DETERMINISTIC) != 0)
        memcpy(m->randomness, m->key + 2 * n, n);
    else
        rc = draw(m->randomness, n, random, random_state);
    if (rc != HANJI_OK) {
        hanji_wipe(m, sizeof *m);
        return rc;
    }
    if (mode == HANJI_SLHDSA_PURE) {
        begin_r(&m->r_hash, m);
        m->phase = SIGNING_FIRST;
    } else {
        hanji_shake_init(&m->r_hash, pre_hash_rate(mode));
        m->check_hash = m->r_hash;
        m->phase = SIGNING_ONCE;
    }
    m->ready = READY;
    return HANJI_OK;
}

int hanji_slhdsa_sign_init(hanji_slhdsa_message *ctx, const uint8_t *context, size_t context_bytes,
                           int mode, const uint8_t *secret_key, size_t secret_key_bytes,
                           const hanji_slhdsa *set, unsigned options, hanji_random_fn *random,
                           void *random_state)
{
    if (ctx == NULL || set == NULL || !valid(context, context_bytes) ||
        !valid(secret_key, secret_key_bytes))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {
        {ctx, sizeof *ctx}, {context, context_bytes}, {secret_key, secret_key_bytes}};
    if (!hanji_apart(buffers, 1, 3))
        return HANJI_E_ARGUMENT;
    memset(ctx, 0, sizeof *ctx);
    const int rc = begin_signing((message *)(void *)ctx, context, context_bytes, mode, secret_key,
                                 secret_key_bytes, set, options, random, random_state);
    hanji_wipe_stack();
    return rc;
}

int hanji_slhdsa_message_update(const uint8_t *data, size_t bytes, hanji_slhdsa_message *ctx)
{
    message *m = opened(ctx);
    if (m == NULL || !valid(data, bytes) || overlap(ctx, sizeof *ctx, data, bytes))
        return HANJI_E_ARGUMENT;
    update(m, data, bytes);
    hanji_wipe_stack();
    return HANJI_OK;
}

int hanji_slhdsa_message_again(hanji_slhdsa_message *ctx)
{
    message *m = opened(ctx);
    if (m == NULL || m->phase != SIGNING_FIRST)
        return HANJI_E_ARGUMENT;
    again(m);
    hanji_wipe_stack();
    return HANJI_OK;
}

int hanji_slhdsa_message_progress(hanji_slhdsa_message *ctx, hanji_slhdsa_progress_fn *progress,
                                  void *progress_state)
{
    message *m = opened(ctx);
    if (m == NULL || m->phase == VERIFYING || m->phase == VERIFYING_ONCE)
        return HANJI_E_ARGUMENT;
    m->progress = progress;
    m->progress_state = progress_state;
    return HANJI_OK;
}

int hanji_slhdsa_message_sign(uint8_t *signature, hanji_slhdsa_message *ctx)
{
    message *m = opened(ctx);
    if (m == NULL || signature == NULL || m->phase == VERIFYING || m->phase == VERIFYING_ONCE)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{signature, hanji_slhdsa_signature_bytes(m->set)},
                                    {ctx, sizeof *ctx}};
    if (!hanji_apart(buffers, 2, 2))
        return HANJI_E_ARGUMENT;
    const int rc = end_signing(signature, m);
    wipe_deep_stack();
    return rc;
}

static HANJI_NOINLINE int sign_whole(uint8_t *signature, const uint8_t *data, size_t bytes,
                                     const uint8_t *context, size_t context_bytes, int mode,
                                     const uint8_t *secret_key, size_t secret_key_bytes,
                                     const hanji_slhdsa *set, unsigned options,
                                     hanji_random_fn *random, void *random_state)
{
    message m;
    memset(&m, 0, sizeof m);
    const int rc = begin_signing(&m, context, context_bytes, mode, secret_key, secret_key_bytes,
                                 set, options, random, random_state);
    if (rc != HANJI_OK) {
        memset(signature, 0, hanji_slhdsa_signature_bytes(set));
        return rc;
    }
    update(&m, data, bytes);
    if (mode == HANJI_SLHDSA_PURE) {
        again(&m);
        update(&m, data, bytes);
    }
    return end_signing(signature, &m);
}

int hanji_slhdsa_sign(uint8_t *signature, const uint8_t *data, size_t bytes, const uint8_t *context,
                      size_t context_bytes, int mode, const uint8_t *secret_key,
                      size_t secret_key_bytes, const hanji_slhdsa *set, unsigned options,
                      hanji_random_fn *random, void *random_state)
{
    if (signature == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{signature, hanji_slhdsa_signature_bytes(set)},
                                    {data, bytes},
                                    {context, context_bytes},
                                    {secret_key, secret_key_bytes}};
    if (!hanji_apart(buffers, 1, 4))
        return HANJI_E_ARGUMENT;
    if (!valid(data, bytes) || !valid(context, context_bytes) ||
        !valid(secret_key, secret_key_bytes)) {
        memset(signature, 0, hanji_slhdsa_signature_bytes(set));
        return HANJI_E_ARGUMENT;
    }
    const int rc = sign_whole(signature, data, bytes, context, context_bytes, mode, secret_key,
                              secret_key_bytes, set, options, random, random_state);
    wipe_deep_stack();
    return rc;
}

/* ---- verifying ---- */

/* The buffers are apart, and the message is zero. */
static int begin_verifying(message *m, const uint8_t *signature, size_t signature_bytes,
                           const uint8_t *context, size_t context_bytes, int mode,
                           const uint8_t *public_key, size_t public_key_bytes,
                           const hanji_slhdsa *set)
{
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    if (!hanji_slhdsa_offers(set, mode) || !valid(signature, signature_bytes) ||
        !valid(context, context_bytes) || !valid(public_key, public_key_bytes))
        return HANJI_E_ARGUMENT;
    if (signature_bytes != hanji_slhdsa_signature_bytes(set) ||
        public_key_bytes != hanji_slhdsa_public_key_bytes(set) ||
        context_bytes > HANJI_SLHDSA_CONTEXT_BYTES_MAX)
        return HANJI_E_LENGTH;
    m->set = set;
    m->mode = mode;
    m->context_bytes = (uint32_t)context_bytes;
    memcpy(m->key, public_key, public_key_bytes);
    memcpy(m->r, signature, slh_n(set));
    if (context_bytes != 0)
        memcpy(m->context, context, context_bytes);
    if (mode == HANJI_SLHDSA_PURE) {
        begin_digest(&m->digest_hash, m, m->key);
        m->phase = VERIFYING;
    } else {
        hanji_shake_init(&m->r_hash, pre_hash_rate(mode));
        m->phase = VERIFYING_ONCE;
    }
    m->ready = READY;
    return HANJI_OK;
}

/* What there is to verify once the message is read. */
static HANJI_NOINLINE void claim_of(hanji_slhdsa_claim *claim, const uint8_t *signature, message *m)
{
    uint8_t digest[SLH_DIGEST_MAX], pre_hash[PRE_HASH_MAX];
    if (m->phase == VERIFYING_ONCE) {
        end_hash(pre_hash, sizeof pre_hash, &m->r_hash);
        begin_digest(&m->digest_hash, m, m->key);
        absorb_pre_hash(&m->digest_hash, m, pre_hash);
    }
    end_hash(digest, slh_digest_bytes(m->set), &m->digest_hash);
    memset(claim, 0, sizeof *claim);
    claim->signature = signature;
    words_of(claim->pk_seed, m->key, m->set);
    words_of(claim->pk_root, m->key + slh_n(m->set), m->set);
    hanji_slhdsa_split(&claim->place, digest, m->set);
}

/* Verify once the message is read. */
static HANJI_NOINLINE int verify_read(const uint8_t *signature, message *m)
{
    hanji_slhdsa_claim claim;
    claim_of(&claim, signature, m);
    return hanji_slhdsa_judge(&claim, 1, m->set) == 1 ? HANJI_OK : HANJI_E_TAG;
}

int hanji_slhdsa_verify_init(hanji_slhdsa_message *ctx, const uint8_t *signature,
                             size_t signature_bytes, const uint8_t *context, size_t context_bytes,
                             int mode, const uint8_t *public_key, size_t public_key_bytes,
                             const hanji_slhdsa *set)
{
    if (ctx == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{ctx, sizeof *ctx},
                                    {signature, signature_bytes},
                                    {context, context_bytes},
                                    {public_key, public_key_bytes}};
    if (!hanji_apart(buffers, 1, 4))
        return HANJI_E_ARGUMENT;
    memset(ctx, 0, sizeof *ctx);
    return begin_verifying((message *)(void *)ctx, signature, signature_bytes, context,
                           context_bytes, mode, public_key, public_key_bytes, set);
}

int hanji_slhdsa_message_verify(const uint8_t *signature, size_t signature_bytes,
                                hanji_slhdsa_message *ctx)
{
    message *m = opened(ctx);
    if (m == NULL || (m->phase != VERIFYING && m->phase != VERIFYING_ONCE) ||
        !valid(signature, signature_bytes) || overlap(ctx, sizeof *ctx, signature, signature_bytes))
        return HANJI_E_ARGUMENT;
    int rc = HANJI_E_LENGTH;
    if (signature_bytes == hanji_slhdsa_signature_bytes(m->set))
        rc = hanji_equal(signature, m->r, slh_n(m->set)) ? verify_read(signature, m) : HANJI_E_TAG;
    hanji_wipe(ctx, sizeof *ctx);
    wipe_deep_stack(); /* the message may be secret */
    return rc;
}

/* The claim of a whole message. */
static HANJI_NOINLINE int claim_whole(hanji_slhdsa_claim *claim, const hanji_slhdsa_item *item,
                                      int mode, const hanji_slhdsa *set)
{
    message m;
    memset(&m, 0, sizeof m);
    int rc = valid(item->message, item->message_bytes) ? HANJI_OK : HANJI_E_ARGUMENT;
    if (rc == HANJI_OK)
        rc = begin_verifying(&m, item->signature, item->signature_bytes, item->context,
                             item->context_bytes, mode, item->public_key, item->public_key_bytes,
                             set);
    if (rc == HANJI_OK) {
        update(&m, item->message, item->message_bytes);
        claim_of(claim, item->signature, &m);
    }
    hanji_wipe(&m, sizeof m);
    return rc;
}

static HANJI_NOINLINE int verify_whole(const hanji_slhdsa_item *item, int mode,
                                       const hanji_slhdsa *set)
{
    hanji_slhdsa_claim claim;
    const int rc = claim_whole(&claim, item, mode, set);
    if (rc != HANJI_OK)
        return rc;
    return hanji_slhdsa_judge(&claim, 1, set) == 1 ? HANJI_OK : HANJI_E_TAG;
}

int hanji_slhdsa_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *data,
                        size_t bytes, const uint8_t *context, size_t context_bytes, int mode,
                        const uint8_t *public_key, size_t public_key_bytes, const hanji_slhdsa *set)
{
    if (set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_slhdsa_item item = {signature,  signature_bytes,  data,
                                    bytes,      context,          context_bytes,
                                    public_key, public_key_bytes, 0};
    const int rc = verify_whole(&item, mode, set);
    wipe_deep_stack();
    return rc;
}

static HANJI_NOINLINE void verify_items(hanji_slhdsa_item *items, size_t count, int mode,
                                        const hanji_slhdsa *set)
{
    hanji_slhdsa_claim claims[SLH_LANES_MAX];
    hanji_slhdsa_item *whose[SLH_LANES_MAX] = {NULL};
    const uint32_t width = hanji_keccak_widest()->group;
    uint32_t held = 0;
    for (size_t i = 0; i <= count; i++) {
        if (held == width || (i == count && held > 0)) {
            const uint32_t right = hanji_slhdsa_judge(claims, held, set);
            for (uint32_t c = 0; c < held; c++)
                whose[c]->status = right >> c & 1 ? HANJI_OK : HANJI_E_TAG;
            held = 0;
        }
        if (i == count)
            break;
        const int rc = claim_whole(&claims[held], &items[i], mode, set);
        items[i].status = rc == HANJI_OK ? HANJI_E_TAG : rc; /* until it is found to be right */
        if (rc == HANJI_OK)
            whose[held++] = &items[i];
    }
}

int hanji_slhdsa_verify_batch(hanji_slhdsa_item *items, size_t count, int mode,
                              const hanji_slhdsa *set)
{
    if (set == NULL || !valid(items, count) || count > SIZE_MAX / sizeof *items)
        return HANJI_E_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        const hanji_buffer buffers[] = {{items, count * sizeof *items},
                                        {items[i].signature, items[i].signature_bytes},
                                        {items[i].message, items[i].message_bytes},
                                        {items[i].context, items[i].context_bytes},
                                        {items[i].public_key, items[i].public_key_bytes}};
        if (!hanji_apart(buffers, 1, 5))
            return HANJI_E_ARGUMENT;
    }
    verify_items(items, count, mode, set);
    int first = HANJI_OK;
    for (size_t i = 0; i < count && first == HANJI_OK; i++)
        first = items[i].status;
    wipe_deep_stack();
    return first;
}

void hanji_slhdsa_message_wipe(hanji_slhdsa_message *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}

size_t hanji_slhdsa_message_bytes(void)
{
    return sizeof(hanji_slhdsa_message);
}
