/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers requests about the library, one per line: tests on every machine drive this one program.
 *
 * A request is an operation, an algorithm and its arguments, byte strings in hex ("-" is the empty
 * one), separated by single blanks. The answer is hex ("-"), the name of an error code, or
 * "mismatch: ..." when two ways through the API that must agree (one call, pieces, in place,
 * detached tag) do not.
 */
#include "aeads.h"
#include "hanji/hanji.h"
#include "io.h"
#include "reference_ciphers.h"

#define LINE_BYTES (3u << 20)
#define ARENA_BYTES (8u << 20)

static char line[LINE_BYTES];
static uint8_t arena[ARENA_BYTES];
static size_t arena_used;
static const char *mismatch; /* what went wrong in this request beside the result code */

typedef struct {
    uint8_t *p;
    size_t n;
} bytes;

/* Odd addresses half of the time, since public pointers may have any alignment. */
static uint8_t *take(size_t n)
{
    static uint32_t turn;
    turn = turn * 5 + 1;
    arena_used += turn >> 8 & 7;
    if (n > ARENA_BYTES - arena_used) {
        mismatch = "the request is larger than the arena of the test program";
        arena_used = 0;
        return arena;
    }
    uint8_t *p = arena + arena_used;
    arena_used += n;
    return p;
}

static bytes filled(size_t n, uint8_t value)
{
    const bytes b = {take(n), n};
    for (size_t i = 0; i < n; i++)
        b.p[i] = value;
    return b;
}

static bytes copy(bytes from)
{
    const bytes b = {take(from.n), from.n};
    for (size_t i = 0; i < from.n; i++)
        b.p[i] = from.p[i];
    return b;
}

static void expect(int condition, const char *what)
{
    if (!condition && mismatch == NULL)
        mismatch = what;
}

static void expect_equal(bytes a, bytes b, const char *what)
{
    int same = a.n == b.n;
    for (size_t i = 0; same && i < a.n; i++)
        same = a.p[i] == b.p[i];
    expect(same, what);
}

static void expect_zero(bytes a, const char *what)
{
    uint8_t any = 0;
    for (size_t i = 0; i < a.n; i++)
        any |= a.p[i];
    expect(any == 0, what);
}

static int nibble(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bytes hex(const char *text)
{
    if (text_equal(text, "-"))
        return (bytes){NULL, 0};
    const size_t n = text_length(text) / 2;
    const bytes b = {take(n), n};
    for (size_t i = 0; i < n; i++) {
        const int high = nibble(text[2 * i]), low = nibble(text[2 * i + 1]);
        expect(high >= 0 && low >= 0, "the request holds something that is not hex");
        b.p[i] = (uint8_t)(high << 4 | low);
    }
    return b;
}

static size_t number(const char *text)
{
    size_t v = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        v = v * 10 + (size_t)(*text - '0');
    return v;
}

static void answer(bytes b)
{
    if (b.n == 0) {
        (void)io_print("-\n");
        return;
    }
    /* The request line has been read: its memory carries the answer. */
    size_t at = 0;
    for (size_t i = 0; i < b.n; i++) {
        if (at + 3 > LINE_BYTES) {
            (void)io_write_all(line, at);
            at = 0;
        }
        line[at++] = "0123456789abcdef"[b.p[i] >> 4];
        line[at++] = "0123456789abcdef"[b.p[i] & 15];
    }
    line[at++] = '\n';
    (void)io_write_all(line, at);
}

/* Lengths of the pieces of a message, in turn. */
static size_t piece(size_t turn, size_t left)
{
    static const uint16_t sizes[] = {1, 15, 0, 16, 33, 7, 64, 3, 127, 300, 5, 1024, 31, 4096};
    const size_t size = sizes[turn % (sizeof sizes / sizeof sizes[0])];
    return size < left ? size : left;
}

/* Block ciphers and their modes */

static hanji_any_block_ctx key_ctx;

static const hanji_cipher *find_cipher(const char *name)
{
    const hanji_cipher *cipher = hanji_cipher_find(name);
    return cipher != NULL ? cipher : reference_cipher_find(name);
}

static int open_key(const char *name, bytes key)
{
    const hanji_cipher *cipher = find_cipher(name);
    if (cipher == NULL)
        return HANJI_E_UNSUPPORTED;
    const int rc = hanji_block_init(key.p, key.n, cipher, &key_ctx.head, sizeof key_ctx);
    return rc != HANJI_OK ? rc : hanji_block_set_limit(UINT64_MAX, &key_ctx.head);
}

static int whole_blocks(bytes *out, const char **a, int decrypt)
{
    int (*const run)(uint8_t *, const uint8_t *, size_t, const hanji_block_ctx *) =
        decrypt ? hanji_block_decrypt : hanji_block_encrypt;
    const bytes data = hex(a[2]);
    int rc = open_key(a[0], hex(a[1]));
    if (rc != HANJI_OK)
        return rc;
    const size_t block = hanji_cipher_block_bytes(key_ctx.head.cipher);
    size_t blocks = 0;
    while (blocks * block < data.n)
        blocks++;
    *out = filled(data.n, 0xaa);
    rc = run(out->p, data.p, blocks, &key_ctx.head);
    const bytes in_place = copy(data);
    expect(run(in_place.p, in_place.p, blocks, &key_ctx.head) == rc, "in place: result code");
    expect_equal(*out, in_place, "in place");
    const bytes single = filled(data.n, 0xaa);
    for (size_t i = 0; i < blocks; i++)
        expect(run(single.p + i * block, data.p + i * block, 1, &key_ctx.head) == rc,
               "block by block: result code");
    expect_equal(*out, single, "block by block");
    return rc;
}

static int op_encrypt(bytes *out, const char **a)
{
    return whole_blocks(out, a, 0);
}

static int op_decrypt(bytes *out, const char **a)
{
    return whole_blocks(out, a, 1);
}

static int op_iterate(bytes *out, const char **a)
{
    int rc = open_key(a[0], hex(a[1]));
    *out = hex(a[2]);
    for (size_t i = number(a[3]); rc == HANJI_OK && i > 0; i--)
        rc = hanji_block_encrypt(out->p, out->p, 1, &key_ctx.head);
    return rc;
}

/* Each output is mixed into the key; the answer is the last output and the last key. */
static int op_rekey(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), block = hex(a[2]);
    int rc = HANJI_OK;
    for (size_t i = number(a[3]); rc == HANJI_OK && i > 0; i--) {
        rc = open_key(a[0], key);
        if (rc == HANJI_OK)
            rc = hanji_block_encrypt(block.p, block.p, 1, &key_ctx.head);
        for (size_t j = 0, k = 0; j < key.n; j++, k = k + 1 < block.n ? k + 1 : 0)
            key.p[j] ^= block.p[k];
    }
    *out = filled(block.n + key.n, 0);
    for (size_t j = 0; j < out->n; j++)
        out->p[j] = j < block.n ? block.p[j] : key.p[j - block.n];
    return rc;
}

static int op_ctr(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), iv = hex(a[2]), data = hex(a[3]);
    hanji_ctr_ctx ctr;
    int rc = open_key(a[0], key);
    if (rc == HANJI_OK)
        rc = hanji_ctr_init(iv.p, iv.n, &key_ctx.head, &ctr);
    if (rc != HANJI_OK)
        return rc;
    *out = filled(data.n, 0xaa);
    rc = hanji_ctr_update(out->p, data.p, data.n, &ctr);
    const bytes pieces = copy(data);
    expect(hanji_ctr_init(iv.p, iv.n, &key_ctx.head, &ctr) == HANJI_OK, "second init");
    for (size_t at = 0, turn = 0; at < data.n; turn++) {
        const size_t n = piece(turn, data.n - at);
        expect(hanji_ctr_update(pieces.p + at, pieces.p + at, n, &ctr) == HANJI_OK,
               "in pieces, in place: result code");
        at += n;
    }
    expect_equal(*out, pieces, "in pieces, in place");
    hanji_ctr_wipe(&ctr);
    return rc;
}

static int start_cmac(hanji_cmac_ctx *cmac, const char **a, bytes message)
{
    int rc = open_key(a[0], hex(a[1]));
    if (rc == HANJI_OK)
        rc = hanji_cmac_init(&key_ctx.head, cmac);
    for (size_t at = 0, turn = 0; rc == HANJI_OK && at < message.n; turn++) {
        const size_t n = piece(turn, message.n - at);
        rc = hanji_cmac_update(message.p + at, n, cmac);
        at += n;
    }
    return rc;
}

static int op_cmac(bytes *out, const char **a)
{
    const bytes message = hex(a[2]);
    *out = filled(number(a[3]), 0xaa);
    hanji_cmac_ctx cmac;
    int rc = start_cmac(&cmac, a, message);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_cmac_final(out->p, out->n, &cmac);
    const bytes once = filled(out->n, 0xaa), again = filled(out->n, 0xaa);
    expect(hanji_cmac(once.p, once.n, message.p, message.n, &key_ctx.head) == rc,
           "in one call: result code");
    expect_equal(*out, once, "in one call");
    if (rc == HANJI_OK) {
        expect(hanji_cmac_update(message.p, message.n, &cmac) == HANJI_OK,
               "next message under the same key: update");
        expect(hanji_cmac_final(again.p, again.n, &cmac) == HANJI_OK,
               "next message under the same key: final");
        expect_equal(*out, again, "next message under the same key");
    }
    hanji_cmac_wipe(&cmac);
    return rc;
}

static int op_cmac_verify(bytes *out, const char **a)
{
    const bytes message = hex(a[2]), tag = hex(a[3]);
    hanji_cmac_ctx cmac;
    *out = (bytes){NULL, 0};
    int rc = start_cmac(&cmac, a, message);
    if (rc == HANJI_OK)
        rc = hanji_cmac_verify(tag.p, tag.n, &cmac);
    return rc;
}

static int start_eax(hanji_eax_ctx *eax, const char **a, bytes key, size_t tag_bytes)
{
    const int rc = open_key(a[0], key);
    return rc != HANJI_OK ? rc : hanji_eax_init(tag_bytes, &key_ctx.head, eax);
}

/* eax-seal NAME KEY NONCE AD PLAINTEXT TAG-BYTES */
static int op_eax_seal(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), nonce = hex(a[2]), ad = hex(a[3]), plain = hex(a[4]);
    const size_t tag_bytes = number(a[5]);
    hanji_eax_ctx eax;
    int rc = start_eax(&eax, a, key, tag_bytes);
    if (rc != HANJI_OK)
        return rc;
    *out = filled(plain.n + tag_bytes, 0xaa);
    rc = hanji_eax_encrypt(out->p, plain.p, plain.n, ad.p, ad.n, nonce.p, nonce.n, &eax);
    if (rc != HANJI_OK)
        return rc;
    const bytes detached = filled(plain.n + tag_bytes, 0xaa);
    for (size_t i = 0; i < plain.n; i++)
        detached.p[i] = plain.p[i];
    expect(hanji_eax_encrypt_detached(detached.p, detached.p + plain.n, detached.p, plain.n, ad.p,
                                      ad.n, nonce.p, nonce.n, &eax) == HANJI_OK,
           "detached, in place: result code");
    expect_equal(*out, detached, "detached, in place");
    const bytes pieces = filled(plain.n + tag_bytes, 0xaa);
    expect(hanji_eax_begin(nonce.p, nonce.n, &eax) == HANJI_OK, "begin");
    for (size_t at = 0, turn = 1; at < ad.n; turn++) {
        const size_t n = piece(turn, ad.n - at);
        expect(hanji_eax_update_ad(ad.p + at, n, &eax) == HANJI_OK, "associated data in pieces");
        at += n;
    }
    for (size_t at = 0, turn = 0; at < plain.n; turn++) {
        const size_t n = piece(turn, plain.n - at);
        expect(hanji_eax_update(pieces.p + at, plain.p + at, n, &eax) == HANJI_OK,
               "in pieces: result code");
        at += n;
    }
    expect(hanji_eax_final(pieces.p + plain.n, &eax) == HANJI_OK, "final");
    expect_equal(*out, pieces, "in pieces");
    hanji_eax_wipe(&eax);
    return rc;
}

/* eax-open NAME KEY NONCE AD CIPHERTEXT TAG TAG-BYTES: TAG-BYTES is what both sides agreed */
static int op_eax_open(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), nonce = hex(a[2]), ad = hex(a[3]), cipher = hex(a[4]),
                tag = hex(a[5]);
    const size_t tag_bytes = number(a[6]);
    hanji_eax_ctx eax;
    int rc = start_eax(&eax, a, key, tag_bytes);
    if (rc != HANJI_OK)
        return rc;
    *out = filled(cipher.n, 0xaa);
    rc = hanji_eax_decrypt_detached(out->p, cipher.p, cipher.n, tag.p, tag.n, ad.p, ad.n, nonce.p,
                                    nonce.n, &eax);
    if (rc == HANJI_E_TAG)
        expect_zero(*out, "a refused message is not zeroed");
    if (tag.n == tag_bytes) {
        const bytes whole = filled(cipher.n + tag.n, 0);
        for (size_t i = 0; i < whole.n; i++)
            whole.p[i] = i < cipher.n ? cipher.p[i] : tag.p[i - cipher.n];
        expect(hanji_eax_decrypt(whole.p, whole.p, whole.n, ad.p, ad.n, nonce.p, nonce.n, &eax) ==
                   rc,
               "in one string, in place: result code");
        if (rc == HANJI_OK || rc == HANJI_E_TAG)
            expect_equal(*out, (bytes){whole.p, cipher.n}, "in one string, in place");
    }
    hanji_eax_wipe(&eax);
    return rc;
}

/* Ascon-AEAD128 and SCHWAEMM */

/*
 * The instance of that name if key and nonce have its sizes (the functions take no lengths), else
 * -1.
 */
static int find_aead(const char *name, bytes key, bytes nonce)
{
    for (int i = 0; i < AEADS; i++)
        if (text_equal(aeads[i].name, name))
            return key.n == aeads[i].key_bytes && nonce.n == aeads[i].nonce_bytes ? i : -1;
    return -1;
}

/* aead-seal NAME KEY NONCE AD PLAINTEXT */
static int op_aead_seal(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), nonce = hex(a[2]), ad = hex(a[3]), plain = hex(a[4]);
    const int i = find_aead(a[0], key, nonce);
    if (i < 0)
        return HANJI_E_LENGTH;
    const size_t tag_bytes = aeads[i].tag_bytes;
    *out = filled(plain.n + tag_bytes, 0xaa);
    const int rc = aeads[i].encrypt(out->p, plain.p, plain.n, ad.p, ad.n, nonce.p, key.p);
    const bytes detached = filled(plain.n + tag_bytes, 0xaa);
    for (size_t j = 0; j < plain.n; j++)
        detached.p[j] = plain.p[j];
    expect(aeads[i].encrypt_detached(detached.p, detached.p + plain.n, detached.p, plain.n, ad.p,
                                     ad.n, nonce.p, key.p) == rc,
           "detached, in place: result code");
    if (rc != HANJI_OK)
        return rc;
    expect_equal(*out, detached, "detached, in place");
    aead_ctx ctx;
    const bytes pieces = filled(plain.n + tag_bytes, 0xaa);
    expect(aeads[i].init(nonce.p, key.p, &ctx) == rc, "init");
    for (size_t at = 0, turn = 1; at < ad.n; turn++) {
        const size_t n = piece(turn, ad.n - at);
        expect(aeads[i].update_ad(ad.p + at, n, &ctx) == rc, "associated data in pieces");
        at += n;
    }
    for (size_t at = 0, turn = 0; at < plain.n; turn++) {
        const size_t n = piece(turn, plain.n - at);
        expect(aeads[i].update(pieces.p + at, plain.p + at, n, &ctx) == rc,
               "in pieces: result code");
        at += n;
    }
    expect(aeads[i].final(pieces.p + plain.n, &ctx) == rc, "final");
    expect_equal(*out, pieces, "in pieces");
    expect(is_erased(&ctx, i), "final does not erase the context");
    return rc;
}

/* aead-open NAME KEY NONCE AD CIPHERTEXT TAG */
static int op_aead_open(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), nonce = hex(a[2]), ad = hex(a[3]), cipher = hex(a[4]),
                tag = hex(a[5]);
    const int i = find_aead(a[0], key, nonce);
    if (i < 0)
        return HANJI_E_LENGTH;
    const size_t tag_bytes = aeads[i].tag_bytes;
    const bytes whole = filled(cipher.n + tag.n, 0);
    for (size_t j = 0; j < whole.n; j++)
        whole.p[j] = j < cipher.n ? cipher.p[j] : tag.p[j - cipher.n];
    *out = filled(whole.n >= tag_bytes ? whole.n - tag_bytes : 0, 0xaa);
    const int rc = aeads[i].decrypt(out->p, whole.p, whole.n, ad.p, ad.n, nonce.p, key.p);
    if (rc == HANJI_E_TAG)
        expect_zero(*out, "a refused message is not zeroed");
    if (tag.n == tag_bytes) {
        const bytes in_place = copy(cipher);
        expect(aeads[i].decrypt_detached(in_place.p, in_place.p, in_place.n, tag.p, ad.p, ad.n,
                                         nonce.p, key.p) == rc,
               "detached, in place: result code");
        expect_equal(*out, in_place, "detached, in place");
    }
    return rc;
}

/*
 * ascon-seal TAG-BYTES KEY NONCE AD PLAINTEXT: with a key context; short tags by the hazardous call
 */
static int ascon_key(size_t tag_bytes, bytes key, hanji_ascon_aead128_key *ctx)
{
    return tag_bytes < HANJI_ASCON_AEAD128_TAG_BYTES_LEAST
               ? hanji_ascon_aead128_key_init_short_tag(tag_bytes, key.p, key.n, ctx)
               : hanji_ascon_aead128_key_init(tag_bytes, key.p, key.n, ctx);
}

static int op_ascon_seal(bytes *out, const char **a)
{
    const size_t tag_bytes = number(a[0]);
    const bytes key = hex(a[1]), nonce = hex(a[2]), ad = hex(a[3]), plain = hex(a[4]);
    hanji_ascon_aead128_key ctx;
    int rc = nonce.n != HANJI_ASCON_AEAD128_NONCE_BYTES ? HANJI_E_LENGTH
                                                        : ascon_key(tag_bytes, key, &ctx);
    if (rc != HANJI_OK)
        return rc;
    *out = filled(plain.n + tag_bytes, 0xaa);
    rc = hanji_ascon_aead128_key_encrypt(out->p, plain.p, plain.n, ad.p, ad.n, nonce.p, &ctx);
    const uint64_t blocks = ctx.blocks;
    const bytes detached = filled(plain.n + tag_bytes, 0xaa);
    for (size_t j = 0; j < plain.n; j++)
        detached.p[j] = plain.p[j];
    expect(hanji_ascon_aead128_key_encrypt_detached(detached.p, detached.p + plain.n, detached.p,
                                                    plain.n, ad.p, ad.n, nonce.p, &ctx) == rc,
           "detached, in place: result code");
    expect_equal(*out, detached, "detached, in place");
    expect(ctx.blocks == 2 * blocks, "detached: blocks");
    hanji_ascon_aead128_ctx message;
    const bytes pieces = filled(plain.n + tag_bytes, 0xaa);
    expect(hanji_ascon_aead128_key_begin(nonce.p, &ctx, &message) == rc, "begin");
    for (size_t at = 0, turn = 1; at < ad.n; turn++) {
        const size_t n = piece(turn, ad.n - at);
        expect(hanji_ascon_aead128_update_ad(ad.p + at, n, &message) == rc,
               "associated data in pieces");
        at += n;
    }
    for (size_t at = 0, turn = 0; at < plain.n; turn++) {
        const size_t n = piece(turn, plain.n - at);
        expect(hanji_ascon_aead128_update(pieces.p + at, plain.p + at, n, &message) == rc,
               "in pieces: result code");
        at += n;
    }
    expect(hanji_ascon_aead128_final(pieces.p + plain.n, &message) == rc, "final");
    expect_equal(*out, pieces, "in pieces");
    expect(ctx.blocks == 3 * blocks, "in pieces: blocks");
    hanji_ascon_aead128_key_wipe(&ctx);
    return rc;
}

/* ascon-open TAG-BYTES KEY NONCE AD CIPHERTEXT TAG */
static int op_ascon_open(bytes *out, const char **a)
{
    const bytes key = hex(a[1]), nonce = hex(a[2]), ad = hex(a[3]), cipher = hex(a[4]),
                tag = hex(a[5]);
    hanji_ascon_aead128_key ctx;
    int rc = nonce.n != HANJI_ASCON_AEAD128_NONCE_BYTES ? HANJI_E_LENGTH
                                                        : ascon_key(number(a[0]), key, &ctx);
    if (rc != HANJI_OK)
        return rc;
    const bytes whole = filled(cipher.n + tag.n, 0);
    for (size_t j = 0; j < whole.n; j++)
        whole.p[j] = j < cipher.n ? cipher.p[j] : tag.p[j - cipher.n];
    *out = filled(cipher.n, 0xaa);
    rc = hanji_ascon_aead128_key_decrypt_detached(out->p, cipher.p, cipher.n, tag.p, tag.n, ad.p,
                                                  ad.n, nonce.p, &ctx);
    if (rc == HANJI_E_TAG)
        expect_zero(*out, "a refused message is not zeroed");
    const int again =
        hanji_ascon_aead128_key_decrypt(whole.p, whole.p, whole.n, ad.p, ad.n, nonce.p, &ctx);
    expect(tag.n != ctx.tag_bytes || again == rc, "in place: result code");
    if (tag.n == ctx.tag_bytes)
        expect_equal(*out, (bytes){whole.p, cipher.n}, "in place");
    hanji_ascon_aead128_key_wipe(&ctx);
    return rc;
}

/* Hashes and permutations */

static int ascon_update(const uint8_t *message, size_t n, hanji_ascon_hash_ctx *ctx, int function)
{
    return function == 0   ? hanji_ascon_hash256_update(message, n, ctx)
           : function == 1 ? hanji_ascon_xof128_update(message, n, ctx)
                           : hanji_ascon_cxof128_update(message, n, ctx);
}

/* Ascon-Hash256, -XOF128 and -CXOF128 are functions 0, 1 and 2. */
static int ascon_hash(bytes *out, bytes custom, bytes message, size_t times, int function)
{
    hanji_ascon_hash_ctx ctx;
    int rc = function == 0   ? hanji_ascon_hash256_init(&ctx)
             : function == 1 ? hanji_ascon_xof128_init(&ctx)
                             : hanji_ascon_cxof128_init(custom.p, custom.n, &ctx);
    for (size_t i = 1; rc == HANJI_OK && i < times; i++)
        rc = ascon_update(message.p, message.n, &ctx, function);
    for (size_t at = 0, turn = 0; rc == HANJI_OK && at < message.n; turn++) {
        const size_t n = piece(turn, message.n - at);
        rc = ascon_update(message.p + at, n, &ctx, function);
        at += n;
    }
    if (rc == HANJI_OK && function == 0)
        rc = hanji_ascon_hash256_final(out->p, &ctx);
    for (size_t at = 0, turn = 0; rc == HANJI_OK && function > 0 && at < out->n; turn++) {
        const size_t n = piece(turn, out->n - at);
        rc = function == 1 ? hanji_ascon_xof128_squeeze(out->p + at, n, &ctx)
                           : hanji_ascon_cxof128_squeeze(out->p + at, n, &ctx);
        at += n;
    }
    expect(ascon_update(message.p, message.n, &ctx, function) == HANJI_E_ARGUMENT,
           "a message goes on after output was taken");
    if (times == 1) {
        const bytes whole = filled(out->n, 0xaa);
        const int once =
            function == 0 ? hanji_ascon_hash256(whole.p, message.p, message.n)
            : function == 1
                ? hanji_ascon_xof128(whole.p, whole.n, message.p, message.n)
                : hanji_ascon_cxof128(whole.p, whole.n, custom.p, custom.n, message.p, message.n);
        expect(once == rc, "in one call: result code");
        expect_equal(*out, whole, "in one call");
    }
    hanji_ascon_hash_wipe(&ctx);
    expect_zero((bytes){(uint8_t *)&ctx, sizeof ctx}, "the context is not erased");
    return rc;
}

/* cxof NAME CUSTOMIZATION MESSAGE TIMES OUTPUT-BYTES */
static int op_cxof(bytes *out, const char **a)
{
    const bytes custom = hex(a[1]), message = hex(a[2]);
    *out = filled(number(a[4]), 0xaa);
    return ascon_hash(out, custom, message, number(a[3]), 2);
}

static int update_repeatedly(int (*update)(const uint8_t *, size_t, hanji_esch_ctx *),
                             bytes message, size_t times, hanji_esch_ctx *ctx)
{
    int rc = HANJI_OK;
    for (; rc == HANJI_OK && times > 1; times--)
        rc = update(message.p, message.n, ctx);
    for (size_t at = 0, turn = 0; rc == HANJI_OK && at < message.n; turn++) {
        const size_t n = piece(turn, message.n - at);
        rc = update(message.p + at, n, ctx);
        at += n;
    }
    return rc;
}

static int fixed_hash(bytes *out, bytes message, size_t times,
                      int (*once)(uint8_t *, const uint8_t *, size_t),
                      int (*init)(hanji_esch_ctx *),
                      int (*update)(const uint8_t *, size_t, hanji_esch_ctx *),
                      int (*final)(uint8_t *, hanji_esch_ctx *))
{
    hanji_esch_ctx ctx;
    int rc = init(&ctx);
    if (rc == HANJI_OK)
        rc = update_repeatedly(update, message, times, &ctx);
    if (rc == HANJI_OK)
        rc = final(out->p, &ctx);
    expect_zero((bytes){(uint8_t *)&ctx, sizeof ctx}, "final does not erase the context");
    if (times == 1) {
        const bytes digest = filled(out->n, 0xaa);
        expect(once(digest.p, message.p, message.n) == rc, "in one call: result code");
        expect_equal(*out, digest, "in one call");
    }
    return rc;
}

static int extendable(bytes *out, bytes message, size_t times,
                      int (*once)(uint8_t *, size_t, const uint8_t *, size_t),
                      int (*init)(hanji_esch_ctx *),
                      int (*update)(const uint8_t *, size_t, hanji_esch_ctx *),
                      int (*squeeze)(uint8_t *, size_t, hanji_esch_ctx *))
{
    hanji_esch_ctx ctx;
    int rc = init(&ctx);
    if (rc == HANJI_OK)
        rc = update_repeatedly(update, message, times, &ctx);
    for (size_t at = 0, turn = 0; rc == HANJI_OK && at < out->n; turn++) {
        const size_t n = piece(turn, out->n - at);
        rc = squeeze(out->p + at, n, &ctx);
        at += n;
    }
    expect(update(message.p, message.n, &ctx) == HANJI_E_ARGUMENT || out->n == 0,
           "a message goes on after output was taken");
    if (times == 1) {
        const bytes whole = filled(out->n, 0xaa);
        expect(once(whole.p, whole.n, message.p, message.n) == rc, "in one call: result code");
        expect_equal(*out, whole, "in one call");
    }
    hanji_esch_wipe(&ctx);
    return rc;
}

/* hash NAME MESSAGE TIMES OUTPUT-BYTES */
static int op_hash(bytes *out, const char **a)
{
    const bytes message = hex(a[1]);
    const size_t times = number(a[2]);
    *out = filled(number(a[3]), 0xaa);
    if (text_equal(a[0], "ascon-hash256") && out->n == HANJI_ASCON_HASH256_DIGEST_BYTES)
        return ascon_hash(out, (bytes){NULL, 0}, message, times, 0);
    if (text_equal(a[0], "ascon-xof128"))
        return ascon_hash(out, (bytes){NULL, 0}, message, times, 1);
    if (text_equal(a[0], "esch256") && out->n == HANJI_ESCH256_DIGEST_BYTES)
        return fixed_hash(out, message, times, hanji_esch256, hanji_esch256_init,
                          hanji_esch256_update, hanji_esch256_final);
    if (text_equal(a[0], "esch384") && out->n == HANJI_ESCH384_DIGEST_BYTES)
        return fixed_hash(out, message, times, hanji_esch384, hanji_esch384_init,
                          hanji_esch384_update, hanji_esch384_final);
    if (text_equal(a[0], "xoesch256"))
        return extendable(out, message, times, hanji_xoesch256, hanji_xoesch256_init,
                          hanji_xoesch256_update, hanji_xoesch256_squeeze);
    if (text_equal(a[0], "xoesch384"))
        return extendable(out, message, times, hanji_xoesch384, hanji_xoesch384_init,
                          hanji_xoesch384_update, hanji_xoesch384_squeeze);
    return HANJI_E_UNSUPPORTED;
}

static int permute_states(const char *name, uint8_t *states, size_t count, uint32_t bits,
                          uint32_t steps)
{
    return text_equal(name, "ascon-p") ? hanji_ascon_permute(states, count, steps)
                                       : hanji_sparkle_permute(states, count, bits, steps);
}

/* permute NAME STATE STEPS; several states at once must do the same to each. */
static int op_permute(bytes *out, const char **a)
{
    const bytes state = hex(a[1]);
    const uint32_t bits = (uint32_t)(state.n * 8), steps = (uint32_t)number(a[2]);
    *out = copy(state);
    const int rc = permute_states(a[0], out->p, 1, bits, steps);
    const bytes three = filled(3 * state.n, 0);
    for (size_t i = 0; i < state.n; i++)
        three.p[i] = three.p[state.n + i] = three.p[2 * state.n + i] = state.p[i];
    expect(permute_states(a[0], three.p, 3, bits, steps) == rc, "three states: result code");
    for (size_t i = 0; i < 3; i++)
        expect_equal(*out, (bytes){three.p + i * state.n, state.n}, "three states");
    return rc;
}

/*
 * selftest NAME: of the whole library; the answer of a failure is E_TAG and the algorithm's name.
 */
static int op_selftest(bytes *out, const char **a)
{
    (void)a;
    const char *failed = NULL;
    const int rc = hanji_selftest(&failed);
    *out = (bytes){NULL, 0};
    if (rc != HANJI_OK)
        mismatch = failed != NULL ? failed : "no algorithm is named";
    return rc;
}

static const struct {
    const char *name;
    int arguments;
    int (*run)(bytes *out, const char **arguments);
} operations[] = {
    {"encrypt", 3, op_encrypt},
    {"decrypt", 3, op_decrypt},
    {"iterate", 4, op_iterate},
    {"rekey", 4, op_rekey},
    {"ctr", 4, op_ctr},
    {"cmac", 4, op_cmac},
    {"cmac-verify", 4, op_cmac_verify},
    {"eax-seal", 6, op_eax_seal},
    {"eax-open", 7, op_eax_open},
    {"aead-seal", 5, op_aead_seal},
    {"aead-open", 6, op_aead_open},
    {"hash", 4, op_hash},
    {"permute", 3, op_permute},
    {"selftest", 1, op_selftest},
    {"ascon-seal", 5, op_ascon_seal},
    {"ascon-open", 6, op_ascon_open},
    {"cxof", 5, op_cxof},
};

static void serve(void)
{
    char *words[8];
    int count = 0;
    char *at = line;
    while (count < 8) {
        words[count++] = at;
        while (*at != '\0' && *at != ' ')
            at++;
        if (*at == '\0')
            break;
        *at++ = '\0';
    }
    arena_used = 0;
    mismatch = NULL;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (text_equal(operations[i].name, words[0]) && operations[i].arguments == count - 1) {
            const char *arguments[8];
            for (int j = 1; j < count; j++)
                arguments[j - 1] = words[j];
            bytes out = {NULL, 0};
            const int rc = operations[i].run(&out, arguments);
            if (mismatch != NULL) {
                (void)io_print("mismatch: ");
                (void)io_print(mismatch);
                (void)io_print("\n");
            } else if (rc != HANJI_OK) {
                (void)io_print(hanji_error_name(rc));
                (void)io_print("\n");
            } else {
                answer(out);
            }
            return;
        }
    (void)io_print("mismatch: no such request\n");
}

int main(void)
{
    static char buffer[1 << 16];
    size_t used = 0;
    for (;;) {
        const long n = io_read(buffer, sizeof buffer);
        if (n <= 0)
            return n == 0 && used == 0 ? 0 : 1;
        for (long i = 0; i < n; i++) {
            if (buffer[i] == '\n') {
                line[used] = '\0';
                serve();
                used = 0;
            } else if (used + 1 < LINE_BYTES) {
                line[used++] = buffer[i];
            } else {
                return 1;
            }
        }
    }
}
