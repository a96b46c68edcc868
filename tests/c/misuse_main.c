/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the interface promises to refuse. Arrays of a call that overlap: every array that is written
 * is laid over every other one, by one byte, by all and in between, and must be refused with
 * nothing changed; side by side they must not be. Contexts whose key has become one of another
 * cipher. What a refused message counts.
 */
#include "aeads.h"
#include "check.h"

enum { ARRAYS = 12, ROOM = 448, ARENA = ARRAYS * ROOM };

/* One array of a call, in the middle of a room of its own. */
typedef struct {
    size_t bytes;
    int written;
    int fixed;  /* aligned: others are moved over it */
    int within; /* 1 + the array at whose first byte this one may begin, too; 0: none */
} array;

static uint64_t arena_words[ARENA / 8], before_words[ARENA / 8];
static uint8_t *const arena = (uint8_t *)arena_words, *const before = (uint8_t *)before_words;
static uint8_t *p[ARRAYS];
static size_t size[ARRAYS];

/* A call: what it needs made ready, and the call itself; the latter is given the arrays at p. */
typedef struct {
    const char *name;
    array arrays[ARRAYS];
    void (*prepare)(void);
    int (*run)(void);
} call;

static void put_arrays(const call *c)
{
    pseudo_random(arena, ARENA, 5);
    for (size_t i = 0; i < ARRAYS; i++) {
        p[i] = arena + i * ROOM + ROOM / 2 - 64;
        size[i] = c->arrays[i].bytes;
    }
    if (c->prepare != NULL)
        c->prepare();
}

/*
 * Move array `moved` to `distance` bytes after the beginning of array `to`, and call. 1 when it was
 * refused and nothing changed, 0 when it was not refused, -1 for a refusal that wrote.
 */
static int refused_at(const call *c, size_t moved, size_t to, long distance)
{
    put_arrays(c);
    p[moved] = p[to] + distance;
    copy_bytes(before, arena, ARENA);
    const int rc = c->run();
    if (rc != HANJI_E_ARGUMENT)
        return 0;
    return same(arena, before, ARENA) ? 1 : -1;
}

static void check_pair(const call *c, size_t written, size_t other)
{
    const array *arrays = c->arrays;
    const size_t moved = arrays[written].fixed ? other : written,
                 to = arrays[written].fixed ? written : other;
    if (arrays[moved].fixed)
        return; /* two structures: they have a case of their own */
    const long n = (long)arrays[moved].bytes, m = (long)arrays[to].bytes;
    const long inside[] = {1 - n, -n / 2, -1, 0, 1, m / 2, m - 1},
               outside[] = {-n, m, -n - 7, m + 9};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        const long d = inside[i];
        if (d <= -n || d >= m)
            continue;
        const int in_place = d == 0 && (arrays[written].within == (int)other + 1 ||
                                        arrays[other].within == (int)written + 1);
        CHECK(refused_at(c, moved, to, d) == (in_place ? 0 : 1));
    }
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        CHECK(refused_at(c, moved, to, outside[i]) == 0);
}

static void check_call(const call *c)
{
    case_context = c->name;
    put_arrays(c);
    CHECK(c->run() != HANJI_E_ARGUMENT); /* control: as they lie, they are accepted */
    for (size_t w = 0; w < ARRAYS; w++)
        for (size_t o = 0; o < ARRAYS; o++)
            if (w != o && c->arrays[w].written && c->arrays[w].bytes != 0 &&
                c->arrays[o].bytes != 0) {
                check_pair(c, w, o);
                if (case_failed)
                    return;
            }
    /* Empty arrays overlap nothing, wherever they are. */
    for (size_t o = 1; o < ARRAYS; o++)
        if (c->arrays[o].bytes == 0 && c->arrays[0].bytes > 1)
            CHECK(refused_at(c, o, 0, 1) == 0);
}

static void check_calls(const call *calls, size_t count)
{
    for (size_t i = 0; i < count && !case_failed; i++)
        check_call(&calls[i]);
}
#define CHECK_CALLS(calls) check_calls(calls, sizeof(calls) / sizeof((calls)[0]))

/* The AEADs */

enum { OUT, IN, AD, NONCE, KEY, TAG, CTX };
static size_t which;
#define SCHWAEMM_CTX ((aead_ctx *)(void *)p[CTX])

static int schwaemm_encrypt(void)
{
    return aeads[which].encrypt(p[OUT], p[IN], size[IN], p[AD], size[AD], p[NONCE], p[KEY]);
}

static int schwaemm_decrypt(void)
{
    return aeads[which].decrypt(p[OUT], p[IN], size[IN], p[AD], size[AD], p[NONCE], p[KEY]);
}

static int schwaemm_encrypt_detached(void)
{
    return aeads[which].encrypt_detached(p[OUT], p[TAG], p[IN], size[IN], p[AD], size[AD], p[NONCE],
                                         p[KEY]);
}

static int schwaemm_decrypt_detached(void)
{
    return aeads[which].decrypt_detached(p[OUT], p[IN], size[IN], p[TAG], p[AD], size[AD], p[NONCE],
                                         p[KEY]);
}

static int schwaemm_init(void)
{
    return aeads[which].init(p[NONCE], p[KEY], SCHWAEMM_CTX);
}

static void schwaemm_begin(void)
{
    static const uint8_t zeros[32];
    if (aeads[which].init(zeros, zeros, SCHWAEMM_CTX) != HANJI_OK)
        case_failed = 1;
}

static int schwaemm_update_ad(void)
{
    return aeads[which].update_ad(p[AD], size[AD], SCHWAEMM_CTX);
}

static int schwaemm_update(void)
{
    return aeads[which].update(p[OUT], p[IN], size[IN], SCHWAEMM_CTX);
}

static int schwaemm_final(void)
{
    return aeads[which].final(p[TAG], SCHWAEMM_CTX);
}

static void schwaemm_overlaps(void)
{
    for (which = 0; which < AEADS; which++) {
        const size_t k = aeads[which].key_bytes, n = aeads[which].nonce_bytes, t = k, m = 40;
        const array out = {m, 1, 0, IN + 1}, in = {m, 0, 0, 0}, ad = {19, 0, 0, 0},
                    nonce = {n, 0, 0, 0}, key = {k, 0, 0, 0};
        const array context = {aeads[which].ctx_bytes, 1, 1, 0};
        const call calls[] = {
            {"encrypt", {{m + t, 1, 0, IN + 1}, in, ad, nonce, key}, NULL, schwaemm_encrypt},
            {"encrypt nothing",
             {{t, 1, 0, IN + 1}, {0, 0, 0, 0}, ad, nonce, key},
             NULL,
             schwaemm_encrypt},
            {"encrypt without ad",
             {{m + t, 1, 0, IN + 1}, in, {0, 0, 0, 0}, nonce, key},
             NULL,
             schwaemm_encrypt},
            {"decrypt", {out, {m + t, 0, 0, 0}, ad, nonce, key}, NULL, schwaemm_decrypt},
            {"encrypt detached",
             {out, in, ad, nonce, key, {t, 1, 0, 0}},
             NULL,
             schwaemm_encrypt_detached},
            {"decrypt detached",
             {out, in, ad, nonce, key, {t, 0, 0, 0}},
             NULL,
             schwaemm_decrypt_detached},
            {"init", {[NONCE] = nonce, [KEY] = key, [CTX] = context}, NULL, schwaemm_init},
            {"update ad", {[AD] = ad, [CTX] = context}, schwaemm_begin, schwaemm_update_ad},
            {"update", {[OUT] = out, [IN] = in, [CTX] = context}, schwaemm_begin, schwaemm_update},
            {"final", {[TAG] = {t, 1, 0, 0}, [CTX] = context}, schwaemm_begin, schwaemm_final},
        };
        CHECK_CALLS(calls);
    }
}

/* Ascon: keys with options, which are written too, and hashes with a customization string. */

enum { A_KEY = CTX + 1, A_CUSTOM = AD };
#define ASCON_KEYED ((hanji_ascon_aead128_key *)(void *)p[A_KEY])
#define ASCON_CTX ((hanji_ascon_aead128_ctx *)(void *)p[CTX])
#define ASCON_HASH ((hanji_ascon_hash_ctx *)(void *)p[CTX])

static void ascon_keyed(void)
{
    static const uint8_t bytes[16] = {1};
    if (hanji_ascon_aead128_key_init(12, bytes, sizeof bytes, ASCON_KEYED) != HANJI_OK)
        case_failed = 1;
}

static void ascon_begun(void)
{
    static const uint8_t zeros[16];
    ascon_keyed();
    if (hanji_ascon_aead128_key_begin(zeros, ASCON_KEYED, ASCON_CTX) != HANJI_OK)
        case_failed = 1;
}

static int ascon_key_init(void)
{
    return hanji_ascon_aead128_key_init(12, p[KEY], size[KEY], ASCON_KEYED);
}

static int ascon_key_init_short_tag(void)
{
    return hanji_ascon_aead128_key_init_short_tag(4, p[KEY], size[KEY], ASCON_KEYED);
}

static int ascon_encrypt(void)
{
    return hanji_ascon_aead128_key_encrypt(p[OUT], p[IN], size[IN], p[AD], size[AD], p[NONCE],
                                           ASCON_KEYED);
}

static int ascon_decrypt(void)
{
    return hanji_ascon_aead128_key_decrypt(p[OUT], p[IN], size[IN], p[AD], size[AD], p[NONCE],
                                           ASCON_KEYED);
}

static int ascon_encrypt_detached(void)
{
    return hanji_ascon_aead128_key_encrypt_detached(p[OUT], p[TAG], p[IN], size[IN], p[AD],
                                                    size[AD], p[NONCE], ASCON_KEYED);
}

static int ascon_decrypt_detached(void)
{
    return hanji_ascon_aead128_key_decrypt_detached(p[OUT], p[IN], size[IN], p[TAG], size[TAG],
                                                    p[AD], size[AD], p[NONCE], ASCON_KEYED);
}

static int ascon_begin(void)
{
    return hanji_ascon_aead128_key_begin(p[NONCE], ASCON_KEYED, ASCON_CTX);
}

static int ascon_update_ad(void)
{
    return hanji_ascon_aead128_update_ad(p[AD], size[AD], ASCON_CTX);
}

static int ascon_update(void)
{
    return hanji_ascon_aead128_update(p[OUT], p[IN], size[IN], ASCON_CTX);
}

static int ascon_final(void)
{
    return hanji_ascon_aead128_final(p[TAG], ASCON_CTX);
}

static void ascon_hash_begun(void)
{
    if (hanji_ascon_cxof128_init(NULL, 0, ASCON_HASH) != HANJI_OK)
        case_failed = 1;
}

static void ascon_hash256_begun(void)
{
    if (hanji_ascon_hash256_init(ASCON_HASH) != HANJI_OK)
        case_failed = 1;
}

static void ascon_xof_begun(void)
{
    if (hanji_ascon_xof128_init(ASCON_HASH) != HANJI_OK)
        case_failed = 1;
}

static int ascon_hash256_update(void)
{
    return hanji_ascon_hash256_update(p[IN], size[IN], ASCON_HASH);
}

static int ascon_xof_update(void)
{
    return hanji_ascon_xof128_update(p[IN], size[IN], ASCON_HASH);
}

static int ascon_xof_squeeze(void)
{
    return hanji_ascon_xof128_squeeze(p[OUT], size[OUT], ASCON_HASH);
}

static int ascon_hash256(void)
{
    return hanji_ascon_hash256(p[OUT], p[IN], size[IN]);
}

static int ascon_hash256_final(void)
{
    return hanji_ascon_hash256_final(p[OUT], ASCON_HASH);
}

static int ascon_xof(void)
{
    return hanji_ascon_xof128(p[OUT], size[OUT], p[IN], size[IN]);
}

static int ascon_cxof(void)
{
    return hanji_ascon_cxof128(p[OUT], size[OUT], p[A_CUSTOM], size[A_CUSTOM], p[IN], size[IN]);
}

static int ascon_cxof_init(void)
{
    return hanji_ascon_cxof128_init(p[A_CUSTOM], size[A_CUSTOM], ASCON_HASH);
}

static int ascon_cxof_update(void)
{
    return hanji_ascon_cxof128_update(p[IN], size[IN], ASCON_HASH);
}

static int ascon_cxof_squeeze(void)
{
    return hanji_ascon_cxof128_squeeze(p[OUT], size[OUT], ASCON_HASH);
}

static void ascon_overlaps(void)
{
    const size_t t = 12, m = 40;
    const array out = {m, 1, 0, IN + 1}, in = {m, 0, 0, 0}, ad = {19, 0, 0, 0},
                nonce = {16, 0, 0, 0};
    const array keyed = {sizeof(hanji_ascon_aead128_key), 1, 1, 0}, tag = {t, 1, 0, 0},
                given = {t, 0, 0, 0};
    const array context = {sizeof(hanji_ascon_aead128_ctx), 1, 1, 0},
                hash = {sizeof(hanji_ascon_hash_ctx), 1, 1, 0};
    const array digest = {32, 1, 0, IN + 1}, custom = {23, 0, 0, 0};
    const call calls[] = {
        {"ascon key init", {[KEY] = {32, 0, 0, 0}, [A_KEY] = keyed}, NULL, ascon_key_init},
        {"ascon key init short tag",
         {[KEY] = {32, 0, 0, 0}, [A_KEY] = keyed},
         NULL,
         ascon_key_init_short_tag},
        {"ascon encrypt",
         {{m + t, 1, 0, IN + 1}, in, ad, nonce, [A_KEY] = keyed},
         ascon_keyed,
         ascon_encrypt},
        {"ascon decrypt",
         {out, {m + t, 0, 0, 0}, ad, nonce, [A_KEY] = keyed},
         ascon_keyed,
         ascon_decrypt},
        {"ascon encrypt detached",
         {out, in, ad, nonce, [TAG] = tag, [A_KEY] = keyed},
         ascon_keyed,
         ascon_encrypt_detached},
        {"ascon decrypt detached",
         {out, in, ad, nonce, [TAG] = given, [A_KEY] = keyed},
         ascon_keyed,
         ascon_decrypt_detached},
        {"ascon begin",
         {[NONCE] = nonce, [CTX] = context, [A_KEY] = keyed},
         ascon_keyed,
         ascon_begin},
        {"ascon update ad",
         {[AD] = ad, [CTX] = context, [A_KEY] = keyed},
         ascon_begun,
         ascon_update_ad},
        {"ascon update",
         {[OUT] = out, [IN] = in, [CTX] = context, [A_KEY] = keyed},
         ascon_begun,
         ascon_update},
        {"ascon final", {[TAG] = tag, [CTX] = context, [A_KEY] = keyed}, ascon_begun, ascon_final},
        {"ascon-hash256", {digest, in}, NULL, ascon_hash256},
        {"ascon-hash256 update",
         {[IN] = in, [CTX] = hash},
         ascon_hash256_begun,
         ascon_hash256_update},
        {"ascon-xof128 update", {[IN] = in, [CTX] = hash}, ascon_xof_begun, ascon_xof_update},
        {"ascon-xof128 squeeze",
         {[OUT] = digest, [CTX] = hash},
         ascon_xof_begun,
         ascon_xof_squeeze},
        {"ascon-hash256 final",
         {[OUT] = digest, [CTX] = hash},
         ascon_hash256_begun,
         ascon_hash256_final},
        {"ascon-xof128", {digest, in}, NULL, ascon_xof},
        {"ascon-cxof128", {digest, in, [A_CUSTOM] = custom}, NULL, ascon_cxof},
        {"ascon-cxof128 init", {[A_CUSTOM] = custom, [CTX] = hash}, NULL, ascon_cxof_init},
        {"ascon-cxof128 update", {[IN] = in, [CTX] = hash}, ascon_hash_begun, ascon_cxof_update},
        {"ascon-cxof128 squeeze",
         {[OUT] = digest, [CTX] = hash},
         ascon_hash_begun,
         ascon_cxof_squeeze},
    };
    CHECK_CALLS(calls);
}

/* Modes: the contexts of mode and key, and the data of a call. */

enum { BLOCK = KEY };
static const hanji_cipher *cipher;
#define KEYED ((hanji_block_ctx *)(void *)p[BLOCK])
#define CTR ((hanji_ctr_ctx *)(void *)p[CTX])
#define CMAC ((hanji_cmac_ctx *)(void *)p[CTX])
#define EAX ((hanji_eax_ctx *)(void *)p[CTX])

static void must(int rc)
{
    if (rc != HANJI_OK)
        report_failure("what a case needs cannot be prepared", __LINE__);
}

static void open_key(const hanji_cipher *chosen, hanji_block_ctx *ctx)
{
    static const uint8_t bytes[HANJI_BLOCK_KEY_BYTES_MAX] = {1, 2, 3};
    must(hanji_block_init(bytes, hanji_cipher_key_bytes(chosen), chosen, ctx,
                          hanji_cipher_ctx_bytes(chosen)));
    must(hanji_block_set_limit(UINT64_MAX, ctx));
}

static void keyed(void)
{
    open_key(cipher, KEYED);
}

static void ctr_begun(void)
{
    static const uint8_t zeros[16];
    keyed();
    must(hanji_ctr_init(zeros, hanji_cipher_block_bytes(cipher), KEYED, CTR));
}

static void cmac_begun(void)
{
    keyed();
    must(hanji_cmac_init(KEYED, CMAC));
}

static void eax_bound(void)
{
    keyed();
    must(hanji_eax_init(hanji_cipher_block_bytes(cipher), KEYED, EAX));
}

static void eax_begun(void)
{
    eax_bound();
    must(hanji_eax_begin((const uint8_t *)"nonce", 5, EAX));
}

static int block_encrypt(void)
{
    return hanji_block_encrypt(p[OUT], p[IN], size[IN] / hanji_cipher_block_bytes(cipher), KEYED);
}

static int block_decrypt(void)
{
    return hanji_block_decrypt(p[OUT], p[IN], size[IN] / hanji_cipher_block_bytes(cipher), KEYED);
}

static int ctr_init(void)
{
    return hanji_ctr_init(p[NONCE], size[NONCE], KEYED, CTR);
}

static int ctr_update(void)
{
    return hanji_ctr_update(p[OUT], p[IN], size[IN], CTR);
}

static int ctr_message(void)
{
    return hanji_ctr(p[OUT], p[IN], size[IN], p[NONCE], size[NONCE], p[KEY], size[KEY], cipher);
}

static int cmac_update(void)
{
    return hanji_cmac_update(p[IN], size[IN], CMAC);
}

static int cmac_final(void)
{
    return hanji_cmac_final(p[TAG], size[TAG], CMAC);
}

static int cmac_verify(void)
{
    return hanji_cmac_verify(p[TAG], size[TAG], CMAC);
}

static int cmac_whole(void)
{
    return hanji_cmac(p[TAG], size[TAG], p[IN], size[IN], KEYED);
}

static int eax_encrypt(void)
{
    return hanji_eax_encrypt(p[OUT], p[IN], size[IN], p[AD], size[AD], p[NONCE], size[NONCE], EAX);
}

static int eax_decrypt(void)
{
    return hanji_eax_decrypt(p[OUT], p[IN], size[IN], p[AD], size[AD], p[NONCE], size[NONCE], EAX);
}

static int eax_encrypt_detached(void)
{
    return hanji_eax_encrypt_detached(p[OUT], p[TAG], p[IN], size[IN], p[AD], size[AD], p[NONCE],
                                      size[NONCE], EAX);
}

static int eax_decrypt_detached(void)
{
    return hanji_eax_decrypt_detached(p[OUT], p[IN], size[IN], p[TAG], size[TAG], p[AD], size[AD],
                                      p[NONCE], size[NONCE], EAX);
}

static int eax_begin(void)
{
    return hanji_eax_begin(p[NONCE], size[NONCE], EAX);
}

static int eax_update_ad(void)
{
    return hanji_eax_update_ad(p[AD], size[AD], EAX);
}

static int eax_update(void)
{
    return hanji_eax_update(p[OUT], p[IN], size[IN], EAX);
}

static int eax_final(void)
{
    return hanji_eax_final(p[TAG], EAX);
}

static void mode_overlaps(void)
{
    const hanji_cipher *const some[] = {hanji_speck64_128(), hanji_cham128_128()};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        cipher = some[i];
        const size_t t = hanji_cipher_block_bytes(cipher), m = 48;
        const array out = {m, 1, 0, IN + 1}, in = {m, 0, 0, 0}, ad = {19, 0, 0, 0},
                    nonce = {t, 0, 0, 0}, tag = {t, 1, 0, 0};
        const array key = {hanji_cipher_ctx_bytes(cipher), 1, 1, 0},
                    ctr = {sizeof(hanji_ctr_ctx), 1, 1, 0},
                    cmac = {sizeof(hanji_cmac_ctx), 1, 1, 0},
                    eax = {sizeof(hanji_eax_ctx), 1, 1, 0};
        const array sealed = {m + t, 0, 0, 0}, both = {m + t, 1, 0, IN + 1}, given = {t, 0, 0, 0},
                    read_key = {key.bytes, 0, 1, 0};
        const array bytes = {hanji_cipher_key_bytes(cipher), 0, 0, 0};
        const call calls[] = {
            {"block encrypt", {[OUT] = out, [IN] = in, [BLOCK] = read_key}, keyed, block_encrypt},
            {"block decrypt", {[OUT] = out, [IN] = in, [BLOCK] = read_key}, keyed, block_decrypt},
            {"ctr init", {[NONCE] = nonce, [BLOCK] = read_key, [CTX] = ctr}, keyed, ctr_init},
            {"ctr update",
             {[OUT] = out, [IN] = in, [BLOCK] = key, [CTX] = ctr},
             ctr_begun,
             ctr_update},
            {"ctr", {out, in, [NONCE] = nonce, [KEY] = bytes}, NULL, ctr_message},
            {"cmac update", {[IN] = in, [BLOCK] = key, [CTX] = cmac}, cmac_begun, cmac_update},
            {"cmac final", {[TAG] = tag, [BLOCK] = key, [CTX] = cmac}, cmac_begun, cmac_final},
            {"cmac verify", {[TAG] = given, [BLOCK] = key, [CTX] = cmac}, cmac_begun, cmac_verify},
            {"cmac", {[TAG] = tag, [IN] = in, [BLOCK] = key}, keyed, cmac_whole},
            {"eax encrypt",
             {both, in, ad, nonce, [BLOCK] = key, [CTX] = eax},
             eax_bound,
             eax_encrypt},
            {"eax decrypt",
             {out, sealed, ad, nonce, [BLOCK] = key, [CTX] = eax},
             eax_bound,
             eax_decrypt},
            {"eax encrypt detached",
             {out, in, ad, nonce, [BLOCK] = key, [TAG] = tag, [CTX] = eax},
             eax_bound,
             eax_encrypt_detached},
            {"eax decrypt detached",
             {out, in, ad, nonce, [BLOCK] = key, [TAG] = given, [CTX] = eax},
             eax_bound,
             eax_decrypt_detached},
            {"eax begin", {[NONCE] = nonce, [BLOCK] = key, [CTX] = eax}, eax_bound, eax_begin},
            {"eax update ad", {[AD] = ad, [BLOCK] = key, [CTX] = eax}, eax_begun, eax_update_ad},
            {"eax update",
             {[OUT] = out, [IN] = in, [BLOCK] = key, [CTX] = eax},
             eax_begun,
             eax_update},
            {"eax final", {[TAG] = tag, [BLOCK] = key, [CTX] = eax}, eax_begun, eax_final},
        };
        CHECK_CALLS(calls);
    }
    /* A mode's context inside its key's is refused, and the key stays. */
    static hanji_speck128_256_ctx key, copy;
    open_key(hanji_speck128_256(), &key.head);
    copy_bytes(&copy, &key, sizeof key);
    static const uint8_t iv[16];
    for (size_t at = 0; at < sizeof key; at += 8) {
        void *inside = (uint8_t *)&key + at;
        CHECK(hanji_ctr_init(iv, 16, &key.head, inside) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac_init(&key.head, inside) == HANJI_E_ARGUMENT);
        CHECK(hanji_eax_init(16, &key.head, inside) == HANJI_E_ARGUMENT);
        CHECK(same((uint8_t *)&key, (uint8_t *)&copy, sizeof key));
    }
}

/* ESCH */

static int which_hash;
#define ESCH_CTX ((hanji_esch_ctx *)(void *)p[CTX])

static void hash_begun(void)
{
    must(which_hash == 0   ? hanji_esch256_init(ESCH_CTX)
         : which_hash == 1 ? hanji_esch384_init(ESCH_CTX)
         : which_hash == 2 ? hanji_xoesch256_init(ESCH_CTX)
                           : hanji_xoesch384_init(ESCH_CTX));
}

static int hash_whole(void)
{
    return which_hash == 0   ? hanji_esch256(p[OUT], p[IN], size[IN])
           : which_hash == 1 ? hanji_esch384(p[OUT], p[IN], size[IN])
           : which_hash == 2 ? hanji_xoesch256(p[OUT], size[OUT], p[IN], size[IN])
                             : hanji_xoesch384(p[OUT], size[OUT], p[IN], size[IN]);
}

static int hash_update(void)
{
    return which_hash == 0   ? hanji_esch256_update(p[IN], size[IN], ESCH_CTX)
           : which_hash == 1 ? hanji_esch384_update(p[IN], size[IN], ESCH_CTX)
           : which_hash == 2 ? hanji_xoesch256_update(p[IN], size[IN], ESCH_CTX)
                             : hanji_xoesch384_update(p[IN], size[IN], ESCH_CTX);
}

static int hash_finish(void)
{
    return which_hash == 0   ? hanji_esch256_final(p[OUT], ESCH_CTX)
           : which_hash == 1 ? hanji_esch384_final(p[OUT], ESCH_CTX)
           : which_hash == 2 ? hanji_xoesch256_squeeze(p[OUT], size[OUT], ESCH_CTX)
                             : hanji_xoesch384_squeeze(p[OUT], size[OUT], ESCH_CTX);
}

static void hash_overlaps(void)
{
    static const size_t digests[] = {32, 48, 29, 70};
    for (which_hash = 0; which_hash < 4; which_hash++) {
        const array out = {digests[which_hash], 1, 0, IN + 1}, in = {50, 0, 0, 0},
                    ctx = {sizeof(hanji_esch_ctx), 1, 1, 0};
        const call calls[] = {
            {"hash", {out, in}, NULL, hash_whole},
            {"hash update", {[IN] = in, [CTX] = ctx}, hash_begun, hash_update},
            {"hash final", {[OUT] = out, [CTX] = ctx}, hash_begun, hash_finish},
        };
        CHECK_CALLS(calls);
    }
}

/* Fleets */

enum { F_OUT, F_IN, F_AD, F_KEYS, F_NONCES, F_TAGS, F_STATUS, F_OFFSETS, F_AD_OFFSETS, F_CALL };
enum { MESSAGES = 3, FIRST = 4, AD_FIRST = 2 };
static int64_t (*fleet_alone)(const hanji_fleet *);
static int64_t (*fleet_over)(const hanji_fleet *, const hanji_cipher *);
static size_t messages, stride, nonce_bytes, tag_bytes;
static const uint8_t lengths[MESSAGES] = {21, 0, 33}, ad_lengths[MESSAGES] = {0, 11, 8};

static size_t total(const uint8_t *bytes)
{
    size_t sum = 0;
    for (size_t i = 0; i < messages; i++)
        sum += bytes[i];
    return sum;
}

static void fleet_prepared(void)
{
    int64_t *offsets = (int64_t *)(void *)p[F_OFFSETS],
            *ad_offsets = (int64_t *)(void *)p[F_AD_OFFSETS];
    offsets[0] = FIRST;
    ad_offsets[0] = AD_FIRST;
    for (size_t i = 0; i < messages; i++) {
        offsets[i + 1] = offsets[i] + lengths[i];
        ad_offsets[i + 1] = ad_offsets[i] + ad_lengths[i];
    }
}

/* The structure lies in the arena, too. */
static int fleet_run(void)
{
    hanji_fleet *f = (hanji_fleet *)(void *)p[F_CALL];
    *f = (hanji_fleet){.messages = messages,
                       .offsets = (const int64_t *)(const void *)p[F_OFFSETS],
                       .input = p[F_IN] - FIRST,
                       .output = size[F_OUT] != 0 ? p[F_OUT] - FIRST : NULL,
                       .ad_offsets = size[F_AD_OFFSETS] != 0
                                         ? (const int64_t *)(const void *)p[F_AD_OFFSETS]
                                         : NULL,
                       .ad = size[F_AD_OFFSETS] != 0 ? p[F_AD] - AD_FIRST : NULL,
                       .keys = p[F_KEYS],
                       .key_stride = stride,
                       .nonces = p[F_NONCES],
                       .nonce_bytes = nonce_bytes,
                       .tags = p[F_TAGS],
                       .tag_bytes = tag_bytes,
                       .status = (int8_t *)p[F_STATUS],
                       .limit = UINT64_MAX};
    copy_bytes(before + (p[F_CALL] - arena), f, sizeof *f);
    const int64_t rc = fleet_alone != NULL ? fleet_alone(f) : fleet_over(f, cipher);
    return rc < 0 ? (int)rc : HANJI_OK;
}

/* `key` 0: a hash function; `nonce` 0: no output, either; `tag` 0: none. */
static void check_fleet(const char *name, size_t key, size_t nonce, size_t tag, int opening)
{
    for (messages = 1; messages <= MESSAGES; messages += 2)
        for (size_t step = 0; step < 3; step++) {
            if (key == 0 && step > 0)
                break;
            const int with_ad = nonce != 0 && tag != 0 && step != 1;
            stride = step == 0 ? 0 : step == 1 ? key : key + 5;
            nonce_bytes = nonce;
            tag_bytes = tag;
            const call c = {name,
                            {[F_OUT] = {nonce != 0 ? total(lengths) : 0, 1, 0, F_IN + 1},
                             [F_IN] = {total(lengths), 0, 0, 0},
                             [F_AD] = {with_ad ? total(ad_lengths) : 0, 0, 0, 0},
                             [F_KEYS] = {key == 0 ? 0 : (messages - 1) * stride + key, 0, 0, 0},
                             [F_NONCES] = {nonce * messages, 0, 0, 0},
                             [F_TAGS] = {tag * messages, !opening, 0, 0},
                             [F_STATUS] = {messages, 1, 0, 0},
                             [F_OFFSETS] = {8 * (messages + 1), 0, 1, 0},
                             [F_AD_OFFSETS] = {with_ad ? 8 * (messages + 1) : 0, 0, 1, 0},
                             [F_CALL] = {sizeof(hanji_fleet), 0, 1, 0}},
                            fleet_prepared,
                            fleet_run};
            check_call(&c);
            if (case_failed)
                return;
        }
}

static void schwaemm_fleet_overlaps(void)
{
    static int64_t (*const calls[AEADS][2])(const hanji_fleet *) = {
        {hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm256_128_fleet_decrypt},
        {hanji_schwaemm192_192_fleet_encrypt, hanji_schwaemm192_192_fleet_decrypt},
        {hanji_schwaemm128_128_fleet_encrypt, hanji_schwaemm128_128_fleet_decrypt},
        {hanji_schwaemm256_256_fleet_encrypt, hanji_schwaemm256_256_fleet_decrypt},
        {hanji_ascon_aead128_fleet_encrypt, hanji_ascon_aead128_fleet_decrypt},
    };
    for (which = 0; which < AEADS; which++)
        for (int open = 0; open < 2; open++) {
            const size_t k = aeads[which].key_bytes;
            fleet_alone = calls[which][open];
            check_fleet(open ? "schwaemm fleet decrypt" : "schwaemm fleet encrypt", k,
                        aeads[which].nonce_bytes, k, open);
        }
}

static void mode_fleet_overlaps(void)
{
    const hanji_cipher *const some[] = {hanji_speck64_128(), hanji_simon128_256(),
                                        hanji_speck48_72()};
    fleet_alone = NULL;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        cipher = some[i];
        const size_t k = hanji_cipher_key_bytes(cipher), b = hanji_cipher_block_bytes(cipher);
        fleet_over = hanji_ctr_fleet;
        check_fleet("ctr fleet", k, b, 0, 0);
        if (b == 6)
            continue;
        fleet_over = hanji_eax_fleet_encrypt;
        check_fleet("eax fleet encrypt", k, 11, b - 1, 0);
        fleet_over = hanji_eax_fleet_decrypt;
        check_fleet("eax fleet decrypt", k, 11, b - 1, 1);
        fleet_over = hanji_cmac_fleet;
        check_fleet("cmac fleet", k, 0, b - 1, 0);
        fleet_over = hanji_cmac_fleet_verify;
        check_fleet("cmac fleet verify", k, 0, b - 1, 1);
    }
}

/* The customization string is where other calls have keys of 16 bytes. */
static int64_t cxof128_fleet(const hanji_fleet *fleet)
{
    const size_t bytes = (fleet->messages - 1) * fleet->key_stride + 16;
    return hanji_ascon_cxof128_fleet(fleet, fleet->keys, bytes);
}

static void hash_fleet_overlaps(void)
{
    static int64_t (*const calls[])(const hanji_fleet *) = {
        hanji_esch256_fleet,   hanji_esch384_fleet,       hanji_xoesch256_fleet,
        hanji_xoesch384_fleet, hanji_ascon_hash256_fleet, hanji_ascon_xof128_fleet};
    static const size_t digests[] = {32, 48, 7, 50, 32, 11};
    for (size_t i = 0; i < 6; i++) {
        fleet_alone = calls[i];
        check_fleet("hash fleet", 0, 0, digests[i], 0);
    }
    fleet_alone = cxof128_fleet;
    check_fleet("cxof fleet", 16, 0, 23, 0);
}

/* keys = output: message 1 was sealed under bytes of ciphertext 0. */
static void keys_in_the_output(void)
{
    static uint8_t texts[64], nonces[64], tags[32], output[64];
    static const int64_t offsets[] = {0, 32, 64};
    static int8_t status[2];
    hanji_fleet f = {.messages = 2,
                     .offsets = offsets,
                     .input = texts,
                     .output = output,
                     .keys = output,
                     .key_stride = 16,
                     .nonces = nonces,
                     .nonce_bytes = 32,
                     .tags = tags,
                     .tag_bytes = 16,
                     .status = status};
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&f) == HANJI_E_ARGUMENT);
    CHECK(all_are(output, sizeof output, 0) && all_are(tags, sizeof tags, 0));
    f.keys = texts;
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&f) == 0);
}

/* Numbers with which an end of an array would not fit a pointer or a size. */
static void impossible_sizes(void)
{
    static uint8_t bytes[256], out[256];
    static const int64_t offsets[] = {0, 8};
    static int8_t status[1];
    const hanji_fleet good = {.messages = 1,
                              .offsets = offsets,
                              .input = bytes,
                              .output = out,
                              .keys = bytes,
                              .key_stride = 16,
                              .nonces = bytes,
                              .nonce_bytes = 32,
                              .tags = out + 64,
                              .tag_bytes = 16,
                              .status = status};
    hanji_fleet f = good;
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&f) == 0);
    f.messages = SIZE_MAX;
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&f) == HANJI_E_ARGUMENT);
    f.messages = SIZE_MAX / 8;
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&f) == HANJI_E_ARGUMENT);
    f = good;
    f.tag_bytes = SIZE_MAX;
    CHECK(hanji_xoesch256_fleet(&f) == HANJI_E_ARGUMENT);
    f.tag_bytes = SIZE_MAX - 1;
    CHECK(hanji_xoesch256_fleet(&f) == HANJI_E_ARGUMENT);
    f = good;
    f.nonce_bytes = SIZE_MAX;
    f.tag_bytes = 8;
    CHECK(hanji_eax_fleet_encrypt(&f, hanji_speck64_128()) == HANJI_E_ARGUMENT);
    static const int64_t far[] = {4096, 4104};
    f = good;
    f.offsets = far;
    f.input = f.output = (uint8_t *)(UINTPTR_MAX - 64);
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&f) == HANJI_E_ARGUMENT);
    CHECK(hanji_schwaemm256_128_encrypt(out, bytes, SIZE_MAX - 16, NULL, 0, bytes, bytes) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_schwaemm256_128_encrypt(out, bytes, SIZE_MAX - 15, NULL, 0, bytes, bytes) ==
          HANJI_E_LENGTH);
}

/* Arrays of associated data where the algorithm has none: nobody looks at them. */
static void unused_arrays_are_not_read(void)
{
    static uint8_t bytes[256], out[256];
    static const int64_t offsets[] = {0, 8, 20}, wild[] = {40, -3, 7};
    static int8_t status[2];
    hanji_fleet f = {.messages = 2,
                     .offsets = offsets,
                     .input = bytes,
                     .output = out,
                     .ad_offsets = wild,
                     .keys = bytes,
                     .key_stride = 16,
                     .nonces = bytes,
                     .nonce_bytes = 8,
                     .tags = out + 64,
                     .tag_bytes = 32,
                     .status = status};
    CHECK(hanji_ctr_fleet(&f, hanji_speck64_128()) == 0);
    CHECK(hanji_esch256_fleet(&f) == 0);
    f.tag_bytes = 8;
    hanji_fleet mac = f;
    mac.nonces = NULL;
    mac.nonce_bytes = 0;
    mac.output = NULL;
    CHECK(hanji_cmac_fleet(&mac, hanji_speck64_128()) == 0);
    CHECK(hanji_eax_fleet_encrypt(&f, hanji_speck64_128()) == HANJI_E_ARGUMENT);
}

/* Contexts */

/*
 * A key of one cipher becomes one of another, or none, under every mode; the mode writes nothing
 * and says so.
 */
static void contexts_remember_their_cipher(void)
{
    static hanji_any_block_ctx key;
    static uint8_t in[64], out[64];
    static const hanji_ctr_ctx no_ctr;
    static const hanji_cmac_ctx no_cmac;
    static const hanji_eax_ctx no_eax;
    for (size_t from = 0; from < hanji_cipher_count(); from++)
        for (size_t to = 0; to <= hanji_cipher_count(); to++) {
            /* NULL: the key is wiped */
            const hanji_cipher *first = hanji_cipher_at(from), *second = hanji_cipher_at(to);
            const size_t b = hanji_cipher_block_bytes(first);
            const int modes = b == 8 || b == 16,
                      expected = first == second ? HANJI_OK : HANJI_E_ARGUMENT;
            hanji_ctr_ctx ctr, copy;
            hanji_cmac_ctx cmac = no_cmac;
            hanji_eax_ctx eax = no_eax, begun = no_eax;
            case_context = hanji_cipher_name(first);
            open_key(first, &key.head);
            must(hanji_ctr_init(in, b, &key.head, &ctr));
            must(hanji_ctr_update(out, in, 1, &ctr));
            if (modes) {
                must(hanji_cmac_init(&key.head, &cmac));
                must(hanji_cmac_update(in, b + 1, &cmac));
                must(hanji_eax_init(b, &key.head, &eax));
                begun = eax;
                must(hanji_eax_begin(in, 3, &begun));
                must(hanji_eax_update(out, in, 1, &begun));
            }
            copy = ctr;
            if (second != NULL)
                open_key(second, &key.head);
            else
                hanji_block_wipe(&key.head);
            const uint64_t room = hanji_block_remaining(&key.head);
            fill(out, sizeof out, 0xaa);
            CHECK(hanji_ctr_update(out, in, 20, &ctr) == expected);
            CHECK(hanji_ctr_update(out + 32, in, 20, &copy) == expected);
            if (modes) {
                CHECK(hanji_cmac_update(in, 1, &cmac) == expected);
                CHECK(hanji_cmac_verify(in, b, &cmac) ==
                      (expected == HANJI_OK ? HANJI_E_TAG : expected));
                CHECK(hanji_cmac_final(out, b, &cmac) == expected);
                CHECK(hanji_eax_update(out, in, 5, &begun) == expected);
                CHECK(hanji_eax_update_ad(in, 5, &begun) == HANJI_E_ARGUMENT);
                CHECK(hanji_eax_final(out, &begun) == expected);
                CHECK(hanji_eax_encrypt(out, in, 5, NULL, 0, in, 3, &eax) == expected);
                CHECK(hanji_eax_encrypt_detached(out, out + 8, in, 5, NULL, 0, in, 3, &eax) ==
                      expected);
                CHECK(hanji_eax_decrypt(out, in, b + 5, NULL, 0, in, 3, &eax) ==
                      (expected == HANJI_OK ? HANJI_E_TAG : expected));
                CHECK(hanji_eax_begin(in, 3, &eax) == expected);
            }
            if (expected != HANJI_OK) {
                CHECK(all_are(out, sizeof out, 0xaa));
                CHECK(hanji_block_remaining(&key.head) == room);
            }
        }
    /* Never begun: zeros, and what was in memory before. */
    hanji_ctr_ctx ctr = no_ctr;
    hanji_cmac_ctx cmac = no_cmac;
    hanji_eax_ctx eax = no_eax;
    for (int value = 0; value < 4; value++) {
        static const uint8_t values[] = {0, 0x01, 0xaa, 0xff};
        fill(&ctr, value == 0 ? 0 : sizeof ctr, values[value]);
        fill(&cmac, value == 0 ? 0 : sizeof cmac, values[value]);
        fill(&eax, value == 0 ? 0 : sizeof eax, values[value]);
        fill(&key, sizeof key, values[value]);
        CHECK(hanji_ctr_update(out, in, 1, &ctr) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac_update(in, 1, &cmac) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac_final(out, 8, &cmac) == HANJI_E_ARGUMENT);
        CHECK(hanji_eax_begin(in, 3, &eax) == HANJI_E_ARGUMENT);
        CHECK(hanji_eax_encrypt(out, in, 5, NULL, 0, in, 3, &eax) == HANJI_E_ARGUMENT);
        CHECK(hanji_block_encrypt(out, in, 1, &key.head) == HANJI_E_ARGUMENT);
        CHECK(hanji_block_decrypt(out, in, 1, &key.head) == HANJI_E_ARGUMENT);
        CHECK(hanji_block_set_limit(1, &key.head) == HANJI_E_ARGUMENT);
        CHECK(hanji_block_remaining(&key.head) == 0);
        CHECK(hanji_cmac(out, 8, in, 1, &key.head) == HANJI_E_ARGUMENT);
    }
    CHECK(hanji_block_remaining(NULL) == 0);
    CHECK(hanji_cipher_name(NULL) == NULL && hanji_cipher_block_bytes(NULL) == 0 &&
          hanji_cipher_key_bytes(NULL) == 0 && hanji_cipher_ctx_bytes(NULL) == 0 &&
          hanji_cipher_limit(NULL) == 0);
}

/* Limits */

/* What a call takes of the limit. */
#define COST(call, expected)                                                                      \
    (must(hanji_block_set_limit(UINT64_MAX, &key.head)), left = hanji_block_remaining(&key.head), \
     rc = (call), rc == (expected) ? left - hanji_block_remaining(&key.head) : UINT64_MAX)

static void refused_messages_count_what_was_computed(void)
{
    static hanji_any_block_ctx key;
    static uint8_t text[200], sealed[256], out[256];
    const hanji_cipher *const some[] = {hanji_speck64_128(), hanji_simon128_128()};
    for (size_t i = 0; i < 2; i++) {
        const size_t b = hanji_cipher_block_bytes(some[i]);
        hanji_eax_ctx eax;
        uint64_t left;
        int rc;
        case_context = hanji_cipher_name(some[i]);
        open_key(some[i], &key.head);
        must(hanji_eax_init(b, &key.head, &eax));
        for (size_t n = 0; n <= 70; n += 7) {
            const uint64_t blocks = (n + b - 1) / b, ad = (20 + b - 1) / b,
                           nonce = (12 + b - 1) / b, all = 3 + nonce + ad + 2 * blocks;
            CHECK(COST(hanji_eax_encrypt(sealed, text, n, text, 20, text, 12, &eax), HANJI_OK) ==
                  all);
            CHECK(COST(hanji_eax_decrypt(out, sealed, n + b, text, 20, text, 12, &eax), HANJI_OK) ==
                  all);
            sealed[n] ^= 1;
            CHECK(COST(hanji_eax_decrypt(out, sealed, n + b, text, 20, text, 12, &eax),
                       HANJI_E_TAG) == all);
            CHECK(COST(hanji_eax_decrypt_detached(out, sealed, n, sealed + n, b, text, 20, text, 12,
                                                  &eax),
                       HANJI_E_TAG) == all);
            /* Without room for the whole message nothing is computed or counted. */
            must(hanji_block_set_limit(UINT64_MAX - hanji_block_remaining(&key.head) + all - 1,
                                       &key.head));
            CHECK(hanji_block_remaining(&key.head) == all - 1);
            CHECK(hanji_eax_decrypt(out, sealed, n + b, text, 20, text, 12, &eax) == HANJI_E_LIMIT);
            CHECK(hanji_block_remaining(&key.head) == all - 1);
            sealed[n] ^= 1;
            /* Refused for another reason. */
            CHECK(COST(hanji_eax_decrypt(out, sealed, b - 1, text, 20, text, 12, &eax),
                       HANJI_E_LENGTH) == 0);
            CHECK(COST(hanji_eax_decrypt_detached(out, sealed, n, sealed + n, b - 1, text, 20, text,
                                                  12, &eax),
                       HANJI_E_LENGTH) == 0);
            CHECK(COST(hanji_eax_encrypt(sealed, text, n, text, 20, text, 0, &eax),
                       HANJI_E_LENGTH) == 0);
            CHECK(COST(hanji_eax_init(b + 1, &key.head, &(hanji_eax_ctx){0}), HANJI_E_LENGTH) == 0);
            const uint64_t tag = n == 0 ? 2 : 1 + blocks;
            CHECK(COST(hanji_cmac(out, b, text, n, &key.head), HANJI_OK) == tag);
            CHECK(COST(hanji_cmac(out, b + 1, text, n, &key.head), HANJI_E_LENGTH) == 0);
            CHECK(COST(hanji_cmac(out, 0, text, n, &key.head), HANJI_E_LENGTH) == 0);
            CHECK(COST(hanji_cmac(NULL, b, text, n, &key.head), HANJI_E_ARGUMENT) == 0);
            CHECK(COST(hanji_cmac(out, b, NULL, n + 1, &key.head), HANJI_E_ARGUMENT) == 0);
            must(hanji_block_set_limit(UINT64_MAX - hanji_block_remaining(&key.head) + tag - 1,
                                       &key.head));
            CHECK(hanji_cmac(out, b, text, n, &key.head) == HANJI_E_LIMIT);
            CHECK(hanji_block_remaining(&key.head) == tag - 1);
            must(hanji_block_set_limit(UINT64_MAX, &key.head));
        }
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"schwaemm overlaps", schwaemm_overlaps},
        {"overlaps of Ascon", ascon_overlaps},
        {"mode overlaps", mode_overlaps},
        {"hash overlaps", hash_overlaps},
        {"schwaemm fleet overlaps", schwaemm_fleet_overlaps},
        {"mode fleet overlaps", mode_fleet_overlaps},
        {"hash fleet overlaps", hash_fleet_overlaps},
        {"keys in the output", keys_in_the_output},
        {"impossible sizes", impossible_sizes},
        {"unused arrays are not read", unused_arrays_are_not_read},
        {"contexts remember their cipher", contexts_remember_their_cipher},
        {"refused messages count what was computed", refused_messages_count_what_was_computed},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
