/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aimer3-128f (AIMer v3.0): one repetition after the other, and one body of a repetition for
 * signing, which runs it in three passes, and for verifying. Elements of GF(2^128) have four words.
 */
#ifdef __AVR__
#error "aimer3-128f is not for AVR"
#endif
WIPE_BELOW(aimer_wipe_below, AIMER_DEPTH)
enum {
    AIMER_RATE = 168,
    AIMER_REPETITIONS = 33,
    AIMER_PARTIES = 16,
    AIMER_ELEMENT = 16,
    AIMER_MATRIX = 128 * 4, /* words */
    AIMER_HEAD = 5,         /* elements of a signature: salt, h1, h2; then its rows */
    AIMER_ROW = 13,         /* path, commitment, corrections of key, t and c, alphas */
    AIMER_CORRECTED = AIMER_PARTIES - 1,
};
typedef uint32_t aimer_element[4];
typedef struct aimer_shake {
    uint32_t state[50];
    uint32_t at;
} aimer_shake;
/* A party's share of key, t_1 and t_2, the masks, which become alphas, and c, which becomes v. */
typedef struct aimer_tape {
    aimer_element witness[3], alpha[3], c;
} aimer_tape;
typedef struct aimer_row {
    aimer_element path[4], commitment[2], correction[4], alpha[3];
} aimer_row;
/* The scratch memory. */
typedef struct aimer {
    aimer_shake stream, text[2], epsilons, hash;
    aimer_element iv, ct, b[3], witness[3], mu[2], salt, h1[2], h2[2], element;
    aimer_element node[2 * AIMER_PARTIES], root[AIMER_REPETITIONS], x[AIMER_PARTIES][3];
    aimer_tape tape[AIMER_PARTIES];
    aimer_row row;
    uint8_t hidden[AIMER_REPETITIONS], again[AIMER_REPETITIONS];
    uint8_t kept; /* 3 when all four matrices are, else 0 */
    uint32_t matrix[AIMER_MATRIX];
} aimer;
typedef char aimer_fits[sizeof(aimer) + 7 <= HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST ? 1 : -1];
typedef char aimer_fits_kept[sizeof(aimer) + 3 * sizeof(uint32_t[AIMER_MATRIX]) + 7 <=
                                     HANJI_AIMER3_128F_SCRATCH_BYTES
                                 ? 1
                                 : -1];
struct hanji_aimer {
    char name[12];
};
static const hanji_aimer aimer_set = {"aimer3-128f"};

/* ---- SHAKE128 ---- */

/* On 32-bit halves, the low one first, but for rho and pi, which are straight. */
static NOINLINE void aimer_keccak(uint32_t *s)
{
    uint32_t bits = 1;
    for (uint32_t round = 0; round < 24; round++) {
        uint32_t c[14];
        for (uint32_t i = 0; i < 10; i++)
            c[i + 2] = s[i] ^ s[i + 10] ^ s[i + 20] ^ s[i + 30] ^ s[i + 40];
        memcpy(c, c + 10, sizeof(uint64_t));
        memcpy(c + 12, c + 2, sizeof(uint64_t));
        for (uint32_t i = 0; i < 10; i += 2) {
            const uint32_t d0 = c[i] ^ (c[i + 4] << 1 | c[i + 5] >> 31),
                           d1 = c[i + 1] ^ (c[i + 5] << 1 | c[i + 4] >> 31);
            for (uint32_t j = i; j < 50; j += 10) {
                s[j] ^= d0;
                s[j + 1] ^= d1;
            }
        }
        uint32_t low = s[2], high = s[3];
#define AIMER_MOVE(to, a, b, by)                                                           \
    {                                                                                      \
        const uint32_t l = a << (by) | b >> (32 - (by)), h = b << (by) | a >> (32 - (by)); \
        low = s[2 * (to)];                                                                 \
        high = s[2 * (to) + 1];                                                            \
        s[2 * (to)] = l;                                                                   \
        s[2 * (to) + 1] = h;                                                               \
    }
        AIMER_MOVE(10, low, high, 1);
        AIMER_MOVE(7, low, high, 3);
        AIMER_MOVE(11, low, high, 6);
        AIMER_MOVE(17, low, high, 10);
        AIMER_MOVE(18, low, high, 15);
        AIMER_MOVE(3, low, high, 21);
        AIMER_MOVE(5, low, high, 28);
        AIMER_MOVE(16, high, low, 4);
        AIMER_MOVE(8, high, low, 13);
        AIMER_MOVE(21, high, low, 23);
        AIMER_MOVE(24, low, high, 2);
        AIMER_MOVE(4, low, high, 14);
        AIMER_MOVE(15, low, high, 27);
        AIMER_MOVE(23, high, low, 9);
        AIMER_MOVE(19, high, low, 24);
        AIMER_MOVE(13, low, high, 8);
        AIMER_MOVE(12, low, high, 25);
        AIMER_MOVE(2, high, low, 11);
        AIMER_MOVE(20, high, low, 30);
        AIMER_MOVE(14, low, high, 18);
        AIMER_MOVE(22, high, low, 7);
        AIMER_MOVE(9, high, low, 29);
        AIMER_MOVE(6, low, high, 20);
        AIMER_MOVE(1, high, low, 12);
#undef AIMER_MOVE
        for (uint32_t i = 0, *row = s; i < 10; row += (i++ & 1) != 0 ? 9 : 1) {
            const uint32_t a = row[0], b = row[2], d = row[6], e = row[8];
            row[0] ^= ~b & row[4];
            row[2] ^= ~row[4] & d;
            row[4] ^= ~d & e;
            row[6] ^= ~e & a;
            row[8] ^= ~a & b;
        }
        /* Of the constant only the bits 2^j - 1 may be set, by the bits of a shift register. */
        for (uint32_t j = 1; j < 128; j <<= 1) {
            bits = bits << 1 ^ (bits >> 7) * 0x171;
            ((uint8_t *)s)[(j - 1) >> 3] ^= (uint8_t)((bits >> 1 & 1) << ((j - 1) & 7));
        }
    }
}

/* Bytes into the state, or out of it. */
static NOINLINE void aimer_hash(aimer_shake *shake, void *out, const void *in, size_t bytes)
{
    uint8_t *to = (uint8_t *)out;
    const uint8_t *from = (const uint8_t *)in;
    for (; bytes > 0; bytes--) {
        uint8_t *at = (uint8_t *)shake->state + shake->at;
        if (from != NULL)
            *at ^= *from++;
        else
            *to++ = *at;
        if (++shake->at == AIMER_RATE) {
            shake->at = 0;
            aimer_keccak(shake->state);
        }
    }
}

static NOINLINE void aimer_absorb(aimer_shake *shake, const void *in, size_t bytes)
{
    aimer_hash(shake, NULL, in, bytes);
}

static NOINLINE void aimer_squeeze(void *out, size_t bytes, aimer_shake *shake)
{
    aimer_hash(shake, out, NULL, bytes);
}

static NOINLINE void aimer_finish(aimer_shake *shake)
{
    uint8_t *at = (uint8_t *)shake->state;
    at[shake->at] ^= 0x1f;
    at[AIMER_RATE - 1] ^= 0x80;
    shake->at = 0;
    aimer_keccak(shake->state);
}

/* A hash that begins with a byte. */
static NOINLINE void aimer_begin(aimer_shake *shake, uint8_t first)
{
    hanji_wipe(shake, sizeof *shake);
    aimer_absorb(shake, &first, 1);
}

/* What is made of a seed of public bytes. */
static NOINLINE void aimer_expand(aimer_shake *shake, const void *seed, size_t bytes)
{
    hanji_wipe(shake, sizeof *shake);
    aimer_absorb(shake, seed, bytes);
    aimer_finish(shake);
}

/* ---- GF(2^128), modulo x^128 + x^7 + x^2 + x + 1 ---- */

/* All bits for 1, none for 0; the compiler does not see which, and makes no branch. */
static inline uint32_t aimer_mask(uint32_t bit)
{
    uint32_t mask = 0 - (bit & 1);
    __asm__("" : "+r"(mask));
    return mask;
}

static NOINLINE void aimer_add(uint32_t *out, const uint32_t *in, uint32_t words)
{
    do {
        *out++ ^= *in++;
    } while (--words != 0);
}

/* out += a b */
static NOINLINE void aimer_product(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    aimer_element z = {0, 0, 0, 0};
    for (uint32_t r = 128; r-- > 0;) {
        const uint32_t top = aimer_mask(z[3] >> 31), bit = aimer_mask(a[r / 32] >> (r & 31));
        z[3] = (z[3] << 1 | z[2] >> 31) ^ (b[3] & bit);
        z[2] = (z[2] << 1 | z[1] >> 31) ^ (b[2] & bit);
        z[1] = (z[1] << 1 | z[0] >> 31) ^ (b[1] & bit);
        z[0] = z[0] << 1 ^ (top & 0x87) ^ (b[0] & bit);
    }
    aimer_add(out, z, 4);
}

static inline uint32_t aimer_spread(uint32_t x)
{
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

/* x^(2^times) */
static NOINLINE void aimer_square(uint32_t *x, uint32_t times)
{
    do {
        uint32_t w[8];
        for (uint32_t i = 0; i < 4; i++) {
            w[2 * i] = aimer_spread(x[i] & 0xffff);
            w[2 * i + 1] = aimer_spread(x[i] >> 16);
        }
        for (uint32_t *at = w + 4; at-- != w;) {
            const uint32_t high = at[4];
            at[0] ^= high ^ high << 1 ^ high << 2 ^ high << 7;
            at[1] ^= high >> 31 ^ high >> 30 ^ high >> 25;
        }
        memcpy(x, w, sizeof(aimer_element));
    } while (--times != 0);
}

/* e of the relations x y = x^(2^e) + 1: 3, 7, 11. */
static inline uint32_t aimer_exponent(uint32_t k)
{
    return 4 * k + 3;
}

/* out += x^(2^e - 1) + x^-1; zero gives zero. Returns whether x is not zero. */
static NOINLINE uint32_t aimer_sbox(uint32_t *out, const uint32_t *x, uint32_t e)
{
    aimer_element z;
    memcpy(z, x, sizeof z);
    for (uint32_t k = 1;; k++) {
        if (k == e)
            aimer_add(out, z, 4);
        aimer_square(z, 1);
        if (k == 127)
            break;
        aimer_element product = {0, 0, 0, 0};
        aimer_product(product, z, x);
        memcpy(z, product, sizeof z);
    }
    aimer_add(out, z, 4);
    const uint32_t any = x[0] | x[1] | x[2] | x[3];
    return (any | (0 - any)) >> 31;
}

/* ---- AIM3 ---- */

/* The columns of one word of the diagonal, from the last one on. */
static inline __attribute__((always_inline)) void
aimer_columns(uint32_t *w, const uint32_t *in, const uint32_t *matrix, const uint32_t word)
{
    const uint32_t *column = matrix + 128 * word + 128, bits = in[word];
    uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    for (uint32_t at = 32; at-- > 0;) {
        const uint32_t below = ((uint32_t)1 << at) - 1;
        const uint32_t upper = aimer_mask(bits >> at);
        const uint32_t lower = aimer_mask((word == 0   ? w0
                                           : word == 1 ? w1
                                           : word == 2 ? w2
                                                       : w3) >>
                                          at);
        const uint32_t both = (upper & below) | (lower & ~below << 1);
        column -= 4;
        w0 ^= column[0] & (word == 0 ? both : upper);
        w1 ^= column[1] & (word == 1 ? both : word < 1 ? lower : upper);
        w2 ^= column[2] & (word == 2 ? both : word < 2 ? lower : upper);
        w3 ^= column[3] & (word == 3 ? both : lower);
    }
    w[0] = w0;
    w[1] = w1;
    w[2] = w2;
    w[3] = w3;
}

/*
 * out += L U in. Chunk r of a matrix has column r of U below its bit r, and of L above. From the
 * last one on, bits up to r of w are what columns give of U in, and bits above r what they give of
 * L times it: bit r of U in is whole when L wants it, and both diagonals are ones.
 */
static NOINLINE void aimer_apply(uint32_t *out, const uint32_t *in, const uint32_t *matrix)
{
    aimer_element w = {in[0], in[1], in[2], in[3]};
    aimer_columns(w, in, matrix, 3);
    aimer_columns(w, in, matrix, 2);
    aimer_columns(w, in, matrix, 1);
    aimer_columns(w, in, matrix, 0);
    aimer_add(out, w, 4);
}

/* A_1 to A_4 and b, from iv; the matrices stay when there is room. */
static NOINLINE void aimer_matrices(aimer *s)
{
    aimer_expand(&s->stream, s->iv, sizeof s->iv);
    for (uint32_t j = 0; j < 4; j++)
        aimer_squeeze(s->matrix + AIMER_MATRIX * (j & s->kept), sizeof s->matrix, &s->stream);
    aimer_squeeze(s->b, sizeof s->b, &s->stream);
}

/* x without b for some parties: by A_1 and A_2, or by A_3 and A_4, which come behind them. */
static NOINLINE void aimer_images(aimer *s, uint32_t first, uint32_t past, uint32_t party,
                                  uint32_t parties)
{
    if (first == 0 && s->kept == 0)
        aimer_expand(&s->stream, s->iv, sizeof s->iv);
    for (uint32_t j = first; j < past; j++) {
        if (s->kept == 0)
            aimer_squeeze(s->matrix, sizeof s->matrix, &s->stream);
        for (uint32_t p = party; p < parties; p++)
            aimer_apply(s->x[p][j < 2 ? j : 2], s->tape[p].witness[j < 2 ? 0 : j - 1],
                        s->matrix + AIMER_MATRIX * (j & s->kept));
    }
}

/*
 * t_1, t_2 and ct, in s->element, of the key in s->witness. Returns whether it is one: no input of
 * an S-box is zero.
 */
static NOINLINE uint32_t aimer_evaluate(aimer *s)
{
    aimer_tape *tape = s->tape;
    hanji_wipe(tape, sizeof *tape);
    memcpy(s->x, s->b, sizeof s->b);
    memcpy(tape->witness, s->witness, sizeof(aimer_element));
    memcpy(s->element, s->witness, sizeof s->element);
    uint32_t right = 1;
    for (uint32_t k = 0; k < 3; k++) {
        if (k == 0)
            aimer_images(s, 0, 2, 0, 1);
        if (k == 2)
            aimer_images(s, 2, 4, 0, 1);
        right &=
            aimer_sbox(k == 2 ? s->element : tape->witness[k + 1], s->x[0][k], aimer_exponent(k));
    }
    memcpy(s->witness, tape->witness, sizeof s->witness);
    return right;
}

/* ---- one repetition ---- */

/* out += the elements of all parties that begin at `at` in the first one's tape. */
static NOINLINE void aimer_sum(uint32_t *out, const uint32_t *at, uint32_t elements)
{
    for (uint32_t p = 0; p < AIMER_PARTIES; p++, at += sizeof(aimer_tape) / 4)
        aimer_add(out, at, 4 * elements);
}

/*
 * The y of relation k of a witness: t_1, t_2, key, to which one party, or who has them all, adds
 * ct.
 */
static inline const uint32_t *aimer_y(aimer_element *witness, uint32_t k)
{
    return witness[k == 2 ? 0 : k + 1];
}

enum { AIMER_COMMIT, AIMER_VERIFY, AIMER_SIMULATE, AIMER_OPEN };

/*
 * From the nodes that are known of a tree: commitments and corrections into the first text, and
 * what the parties say into the second. The row has what is opened of the hidden party, or gets it.
 */
static void aimer_repetition(aimer *s, uint32_t e, uint32_t unknown, uint32_t what)
{
    aimer_row *row = &s->row;
    const uint32_t hidden = s->hidden[e];
    hanji_yield();
    for (uint32_t n = 1; n < 2 * AIMER_PARTIES; n++) {
        const uint32_t is_leaf = n / AIMER_PARTIES, party = n & (AIMER_PARTIES - 1);
        aimer_element made[2],
            *commitment = is_leaf != 0 && party == hidden ? row->commitment : made;
        if ((unknown >> n & 1) == 0) {
            const uint8_t number[2] = {(uint8_t)e, (uint8_t)party};
            aimer_begin(&s->hash, (uint8_t)(4 + is_leaf));
            aimer_absorb(&s->hash, s->salt, sizeof s->salt);
            aimer_absorb(&s->hash, number, sizeof number);
            aimer_absorb(&s->hash, s->node[n], sizeof s->node[n]);
            aimer_finish(&s->hash);
            aimer_squeeze(is_leaf != 0 ? commitment : s->node + 2 * n, sizeof made, &s->hash);
            if (is_leaf != 0)
                aimer_squeeze(s->tape + party, sizeof s->tape[0], &s->hash);
        }
        if (is_leaf != 0 && what <= AIMER_VERIFY)
            aimer_absorb(s->text, commitment, sizeof made);
    }
    aimer_tape *last = s->tape + AIMER_CORRECTED;
    if (what != AIMER_VERIFY) {
        aimer_tape sums;
        hanji_wipe(&sums, sizeof sums);
        aimer_sum(sums.witness[0], s->tape->witness[0], 7);
        for (uint32_t k = 0; k < 3; k++)
            aimer_product(sums.c, sums.alpha[k], aimer_y(s->witness, k));
        aimer_product(sums.c, sums.alpha[2], s->ct);
        aimer_add(sums.witness[0], s->witness[0], 12);
        memcpy(row->correction, sums.witness, sizeof sums.witness);
        memcpy(row->correction[3], sums.c, sizeof sums.c);
    }
    aimer_absorb(s->text, row->correction, sizeof row->correction);
    aimer_add(last->witness[0], row->correction[0], 12);
    aimer_add(last->c, row->correction[3], 4);
    if (what == AIMER_COMMIT)
        return;

    aimer_element epsilon[3], alpha[3], v;
    aimer_squeeze(epsilon, sizeof epsilon, &s->epsilons);
    hanji_wipe(s->x, sizeof s->x);
    const uint32_t first = what == AIMER_OPEN ? hidden : 0,
                   past = what == AIMER_OPEN ? hidden + 1 : (uint32_t)AIMER_PARTIES;
    aimer_images(s, 0, 4, first, past);
    aimer_add(s->x[AIMER_CORRECTED][0], s->b[0], 12);
    aimer_add(last->witness[0], s->ct, 4);
    for (uint32_t p = first; p < past; p++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t *x = s->x[p][k];
            aimer_product(s->tape[p].alpha[k], epsilon[k], x);
            aimer_square(x, aimer_exponent(k));
            x[0] ^= p == AIMER_CORRECTED;
            aimer_product(s->tape[p].c, epsilon[k], x);
        }
    aimer_tape *own = s->tape + hidden;
    if (what == AIMER_VERIFY)
        memcpy(own->alpha, row->alpha, sizeof own->alpha);
    else
        memcpy(row->alpha, own->alpha, sizeof own->alpha);
    if (what == AIMER_OPEN)
        return;
    /* The sums of all alphas are open to everybody. */
    hanji_wipe(alpha, sizeof alpha);
    aimer_sum(alpha[0], s->tape->alpha[0], 3);
    for (uint32_t p = 0; p < AIMER_PARTIES; p++) {
        for (uint32_t k = 0; k < 3; k++)
            aimer_product(s->tape[p].c, alpha[k], aimer_y(s->tape[p].witness, k));
        aimer_absorb(s->text + 1, s->tape[p].alpha, sizeof alpha);
    }
    if (what == AIMER_VERIFY) { /* the sum of all v is zero */
        hanji_wipe(own->c, sizeof own->c);
        hanji_wipe(v, sizeof v);
        aimer_sum(v, s->tape->c, 1);
        memcpy(own->c, v, sizeof v);
    }
    for (uint32_t p = 0; p < AIMER_PARTIES; p++)
        aimer_absorb(s->text + 1, s->tape[p].c, sizeof v);
}

/* ---- signing and verifying ---- */

/* What is hashed of a message, and the matrices; the memory is empty but for `kept`. */
static NOINLINE void aimer_start(aimer *s, const uint8_t *public_key, const uint8_t *message,
                                 size_t message_bytes, const uint8_t *context, size_t context_bytes)
{
    const uint8_t length = (uint8_t)context_bytes;
    memcpy(s->iv, public_key, sizeof s->iv);
    memcpy(s->ct, public_key + AIMER_ELEMENT, sizeof s->ct);
    aimer_begin(&s->hash, 0);
    aimer_absorb(&s->hash, public_key, HANJI_AIMER3_128F_PUBLIC_KEY_BYTES);
    aimer_absorb(&s->hash, &length, 1);
    aimer_absorb(&s->hash, context, context_bytes);
    aimer_absorb(&s->hash, message, message_bytes);
    aimer_finish(&s->hash);
    aimer_squeeze(s->mu, sizeof s->mu, &s->hash);
    aimer_matrices(s);
}

/* Begin text 1, of mu, or text 2, of h1. */
static NOINLINE void aimer_text(aimer *s, uint8_t number)
{
    aimer_shake *text = s->text + number - 1;
    aimer_begin(text, number);
    aimer_absorb(text, number == 1 ? s->mu : s->h1, sizeof s->mu);
    aimer_absorb(text, s->salt, sizeof s->salt);
}

static NOINLINE void aimer_challenge(aimer *s)
{
    aimer_expand(&s->epsilons, s->h1, sizeof s->h1);
}

static NOINLINE void aimer_parties(uint8_t *hidden, aimer *s)
{
    aimer_expand(&s->hash, s->h2, sizeof s->h2);
    aimer_squeeze(hidden, AIMER_REPETITIONS, &s->hash);
    for (uint32_t e = 0; e < AIMER_REPETITIONS; e++)
        hidden[e] &= AIMER_PARTIES - 1;
}

/* The end of a text. */
static NOINLINE void aimer_digest(void *out, aimer_shake *text)
{
    aimer_finish(text);
    aimer_squeeze(out, sizeof(aimer_element[2]), text);
}

static int aimer_random(uint8_t *out, hanji_random_fn *random, void *random_state)
{
    if (random != NULL)
        return random(out, AIMER_ELEMENT, random_state);
    return hanji_entropy(out, AIMER_ELEMENT) == HANJI_OK ? HANJI_OK : HANJI_E_RANDOM;
}

static NOINLINE int aimer_sign(aimer *s, uint8_t *signature, const uint8_t *secret_key,
                               unsigned options, hanji_random_fn *random, void *random_state)
{
    memcpy(s->witness, secret_key, sizeof(aimer_element));
    if (aimer_evaluate(s) == 0)
        return HANJI_E_ARGUMENT;
    if (!hanji_equal((const uint8_t *)s->element, (const uint8_t *)s->ct, sizeof s->ct))
        return HANJI_E_TAG;
    uint8_t *own = (uint8_t *)s->element;
    hanji_wipe(own, AIMER_ELEMENT);
    if ((options & HANJI_AIMER_DETERMINISTIC) == 0) {
        const int rc = aimer_random(own, random, random_state);
        if (rc != HANJI_OK)
            return rc;
    }
    aimer_begin(&s->hash, 3);
    aimer_absorb(&s->hash, secret_key, AIMER_ELEMENT);
    aimer_absorb(&s->hash, s->mu, sizeof s->mu);
    aimer_absorb(&s->hash, own, AIMER_ELEMENT);
    aimer_finish(&s->hash);
    aimer_squeeze(s->salt, sizeof s->salt, &s->hash);
    aimer_squeeze(s->root, sizeof s->root, &s->hash);
    for (uint32_t pass = 0; pass < 3; pass++) {
        uint8_t *at = signature + AIMER_HEAD * AIMER_ELEMENT;
        if (pass < 2)
            aimer_text(s, (uint8_t)(pass + 1));
        if (pass > 0)
            aimer_challenge(s);
        for (uint32_t e = 0; e < AIMER_REPETITIONS; e++) {
            memcpy(s->node[1], s->root[e], sizeof s->root[e]);
            aimer_repetition(s, e, 0,
                             pass == 0   ? AIMER_COMMIT
                             : pass == 1 ? AIMER_SIMULATE
                                         : AIMER_OPEN);
            if (pass < 2)
                continue;
            /*
             * The hidden leaf and all above it are erased first: no single fault behind this, which
             * has the number from elsewhere, can reveal one of them.
             */
            for (uint32_t n = AIMER_PARTIES + s->hidden[e]; n > 0; n >>= 1)
                hanji_wipe(s->node[n], sizeof s->node[n]);
            hanji_wipe(s->root[e], sizeof s->root[e]);
            uint32_t n = AIMER_PARTIES + s->again[e];
            for (uint32_t k = 0; k < 4; k++, n >>= 1)
                memcpy(s->row.path[k], s->node[n ^ 1], sizeof s->node[n]);
            memcpy(at, &s->row, sizeof s->row);
            at += sizeof s->row;
        }
        if (pass == 0)
            aimer_digest(s->h1, s->text);
        if (pass == 1) {
            aimer_digest(s->h2, s->text + 1);
            aimer_parties(s->hidden, s);
            aimer_parties(s->again, s);
        }
    }
    memcpy(signature, s->salt, AIMER_HEAD * AIMER_ELEMENT);
    return HANJI_OK;
}

/* Every byte of a signature is read once. */
static NOINLINE int aimer_verify(aimer *s, const uint8_t *signature)
{
    memcpy(s->salt, signature, AIMER_HEAD * AIMER_ELEMENT);
    signature += AIMER_HEAD * AIMER_ELEMENT;
    aimer_text(s, 1);
    aimer_text(s, 2);
    aimer_challenge(s);
    aimer_parties(s->hidden, s);
    for (uint32_t e = 0; e < AIMER_REPETITIONS; e++, signature += sizeof s->row) {
        uint32_t unknown = 2, n = AIMER_PARTIES + s->hidden[e];
        memcpy(&s->row, signature, sizeof s->row);
        for (uint32_t k = 0; k < 4; k++, n >>= 1) {
            unknown |= (uint32_t)1 << n;
            memcpy(s->node[n ^ 1], s->row.path[k], sizeof s->row.path[k]);
        }
        aimer_repetition(s, e, unknown, AIMER_VERIFY);
    }
    aimer_element again[4];
    aimer_digest(again, s->text);
    aimer_digest(again + 2, s->text + 1);
    return hanji_equal((const uint8_t *)again, (const uint8_t *)s->h1, sizeof again) ? HANJI_OK
                                                                                     : HANJI_E_TAG;
}

/* ---- the calls ---- */

__attribute__((weak)) int hanji_entropy(uint8_t *out, size_t bytes)
{
    (void)out;
    (void)bytes;
    return HANJI_E_RANDOM;
}

__attribute__((weak)) void hanji_yield(void)
{
}

const hanji_aimer *hanji_aimer_at(size_t index)
{
    return index == 0 ? &aimer_set : NULL;
}

const hanji_aimer *hanji_aimer_by_name(const char *name)
{
    uint32_t at = 0;
    while (name != NULL && name[at] == aimer_set.name[at])
        if (++at == sizeof aimer_set.name)
            return &aimer_set;
    return NULL;
}

size_t hanji_aimer_public_key_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : HANJI_AIMER3_128F_PUBLIC_KEY_BYTES;
}

size_t hanji_aimer_secret_key_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : HANJI_AIMER3_128F_SECRET_KEY_BYTES;
}

size_t hanji_aimer_signature_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : HANJI_AIMER3_128F_SIGNATURE_BYTES;
}

size_t hanji_aimer_scratch_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : HANJI_AIMER3_128F_SCRATCH_BYTES;
}

size_t hanji_aimer_scratch_bytes_small(const hanji_aimer *set)
{
    return hanji_aimer_scratch_bytes(set);
}

size_t hanji_aimer_scratch_bytes_least(const hanji_aimer *set)
{
    return set == NULL ? 0 : HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST;
}

/* a and b share a byte. A difference of addresses that wraps around is larger than a buffer. */
static NOINLINE int aimer_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return wrong(a, a_bytes, b, b == NULL ? 0 : b_bytes);
}

/* The scratch memory, empty; of what is left it keeps matrices. */
static NOINLINE aimer *aimer_memory(void *scratch, size_t scratch_bytes)
{
    uint8_t *at = (uint8_t *)scratch + (-(uintptr_t)scratch & 7);
    aimer *s = (aimer *)(void *)at;
    hanji_wipe(s, sizeof *s);
    s->kept = scratch_bytes >= HANJI_AIMER3_128F_SCRATCH_BYTES ? 3 : 0;
    return s;
}

static NOINLINE void aimer_erase(void *scratch, size_t scratch_bytes)
{
    hanji_wipe(scratch, scratch_bytes < HANJI_AIMER3_128F_SCRATCH_BYTES
                            ? HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST
                            : HANJI_AIMER3_128F_SCRATCH_BYTES);
}

static int aimer_scratch(const void *scratch, size_t scratch_bytes)
{
    return scratch == NULL                                         ? HANJI_E_ARGUMENT
           : scratch_bytes < HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST ? HANJI_E_LENGTH
                                                                   : HANJI_OK;
}

/* What is wrong with the buffers that are read. */
static NOINLINE int aimer_inputs(const uint8_t *message, size_t message_bytes,
                                 const uint8_t *context, size_t context_bytes, const uint8_t *key,
                                 size_t key_bytes, size_t wanted, const void *scratch,
                                 size_t scratch_bytes)
{
    const int rc = aimer_scratch(scratch, scratch_bytes);
    if (rc != HANJI_OK)
        return rc;
    if (key == NULL)
        return HANJI_E_ARGUMENT;
    if (key_bytes != wanted)
        return HANJI_E_LENGTH;
    if ((message == NULL && message_bytes != 0) || (context == NULL && context_bytes != 0))
        return HANJI_E_ARGUMENT;
    return context_bytes > HANJI_AIMER_CONTEXT_BYTES_MAX ? HANJI_E_LENGTH : HANJI_OK;
}

/* Memory that is written shares a byte with what is read. */
static NOINLINE int aimer_over(const void *at, size_t bytes, const uint8_t *message,
                               size_t message_bytes, const uint8_t *context, size_t context_bytes,
                               const uint8_t *key, size_t key_bytes)
{
    return aimer_overlap(at, bytes, message, message_bytes) |
           aimer_overlap(at, bytes, context, context_bytes) |
           aimer_overlap(at, bytes, key, key_bytes);
}

static NOINLINE int aimer_pair(aimer *s, uint8_t *public_key, uint8_t *secret_key,
                               hanji_random_fn *random, void *random_state)
{
    int rc = HANJI_OK;
    /* With honest random bytes a second pair is never needed; with others there may be no end. */
    for (uint32_t draws = 100; draws > 0; draws--) {
        rc = aimer_random((uint8_t *)s->witness, random, random_state);
        if (rc == HANJI_OK)
            rc = aimer_random((uint8_t *)s->iv, random, random_state);
        if (rc != HANJI_OK)
            break;
        aimer_matrices(s);
        hanji_yield();
        if (aimer_evaluate(s) != 0)
            break;
        rc = HANJI_E_RANDOM;
    }
    hanji_wipe(public_key, HANJI_AIMER3_128F_PUBLIC_KEY_BYTES);
    hanji_wipe(secret_key, HANJI_AIMER3_128F_SECRET_KEY_BYTES);
    if (rc == HANJI_OK) {
        memcpy(public_key, s->iv, AIMER_ELEMENT);
        memcpy(public_key + AIMER_ELEMENT, s->element, AIMER_ELEMENT);
        memcpy(secret_key, s->witness, AIMER_ELEMENT);
        memcpy(secret_key + AIMER_ELEMENT, public_key, HANJI_AIMER3_128F_PUBLIC_KEY_BYTES);
    }
    return rc;
}

int hanji_aimer_keypair(uint8_t *public_key, uint8_t *secret_key, const hanji_aimer *set,
                        hanji_random_fn *random, void *random_state, void *scratch,
                        size_t scratch_bytes)
{
    if (public_key == NULL || secret_key == NULL || set == NULL ||
        aimer_over(scratch, scratch_bytes, public_key, HANJI_AIMER3_128F_PUBLIC_KEY_BYTES,
                   secret_key, HANJI_AIMER3_128F_SECRET_KEY_BYTES, NULL, 0) ||
        aimer_overlap(public_key, HANJI_AIMER3_128F_PUBLIC_KEY_BYTES, secret_key,
                      HANJI_AIMER3_128F_SECRET_KEY_BYTES))
        return HANJI_E_ARGUMENT;
    int rc = aimer_scratch(scratch, scratch_bytes);
    if (rc != HANJI_OK)
        return rc;
    rc = aimer_pair(aimer_memory(scratch, scratch_bytes), public_key, secret_key, random,
                    random_state);
    aimer_erase(scratch, scratch_bytes);
    aimer_wipe_below();
    return rc;
}

int hanji_aimer_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                     const uint8_t *context, size_t context_bytes, const uint8_t *secret_key,
                     size_t secret_key_bytes, const hanji_aimer *set, unsigned options,
                     hanji_random_fn *random, void *random_state, void *scratch,
                     size_t scratch_bytes)
{
    if (signature == NULL || set == NULL ||
        aimer_over(signature, HANJI_AIMER3_128F_SIGNATURE_BYTES, message, message_bytes, context,
                   context_bytes, secret_key, secret_key_bytes) ||
        aimer_over(scratch, scratch_bytes, message, message_bytes, context, context_bytes,
                   secret_key, secret_key_bytes) ||
        aimer_overlap(scratch, scratch_bytes, signature, HANJI_AIMER3_128F_SIGNATURE_BYTES))
        return HANJI_E_ARGUMENT;
    int rc =
        aimer_inputs(message, message_bytes, context, context_bytes, secret_key, secret_key_bytes,
                     HANJI_AIMER3_128F_SECRET_KEY_BYTES, scratch, scratch_bytes);
    if (rc == HANJI_OK && (options & ~(HANJI_AIMER_CHECK | HANJI_AIMER_DETERMINISTIC)) != 0)
        rc = HANJI_E_ARGUMENT;
    if (rc == HANJI_OK) {
        for (uint32_t verify = 0; rc == HANJI_OK && verify <= (options & HANJI_AIMER_CHECK);
             verify++) {
            aimer *s = aimer_memory(scratch, scratch_bytes);
            aimer_start(s, secret_key + AIMER_ELEMENT, message, message_bytes, context,
                        context_bytes);
            rc = verify != 0 ? aimer_verify(s, signature)
                             : aimer_sign(s, signature, secret_key, options, random, random_state);
        }
        aimer_erase(scratch, scratch_bytes);
        aimer_wipe_below();
    }
    if (rc != HANJI_OK)
        hanji_wipe(signature, HANJI_AIMER3_128F_SIGNATURE_BYTES);
    return rc;
}

int hanji_aimer_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                       size_t message_bytes, const uint8_t *context, size_t context_bytes,
                       const uint8_t *public_key, size_t public_key_bytes, const hanji_aimer *set,
                       void *scratch, size_t scratch_bytes)
{
    if (set == NULL || (signature == NULL && signature_bytes != 0) ||
        aimer_over(scratch, scratch_bytes, message, message_bytes, context, context_bytes,
                   public_key, public_key_bytes) ||
        aimer_overlap(scratch, scratch_bytes, signature, signature_bytes))
        return HANJI_E_ARGUMENT;
    if (signature_bytes != HANJI_AIMER3_128F_SIGNATURE_BYTES)
        return HANJI_E_LENGTH;
    int rc =
        aimer_inputs(message, message_bytes, context, context_bytes, public_key, public_key_bytes,
                     HANJI_AIMER3_128F_PUBLIC_KEY_BYTES, scratch, scratch_bytes);
    if (rc != HANJI_OK)
        return rc;
    aimer *s = aimer_memory(scratch, scratch_bytes);
    aimer_start(s, public_key, message, message_bytes, context, context_bytes);
    rc = aimer_verify(s, signature);
    aimer_erase(scratch, scratch_bytes);
    aimer_wipe_below();
    return rc;
}
