/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one-way function AIM3 (v3), and the simulation of its relations: x_s = A_s key + b_s, x_{S+1}
 * = A_{S+1} t_1 + ..
 * + A_{2S} t_S + b_{S+1}, and x_k y_k = x_k^(2^e_k) + 1 with y_s = t_s, y_{S+1} = key + ct. No x_k
 * of a solution is zero, so x_k fixes y_k: every solution is a key.
 */
#include "aimer/generation.h"
#include "aimer/protocol.h"

#define WORDS_MAX AIMER_WORDS_MAX

/* Relation k: x^(2^e - 1) + x^-1, both out of one chain. Zero gives zero. */
static void sbox(uint64_t *out, const uint64_t *x, uint32_t k, const hanji_aimer_level *level,
                 const hanji_aimer_algebra *algebra)
{
    const uint64_t one[WORDS_MAX] = {1};
    const uint32_t last = level->chain[0].steps;
    uint64_t z[AIMER_STEPS_MAX + 1][WORDS_MAX];
    hanji_aimer_run_chain(z, x, &level->chain[0], level, algebra);
    algebra->power(z[last], z[last], 1, one, level->words);
    for (uint32_t i = 0; i < level->words; i++)
        out[i] = z[last][i] ^ z[level->tap[k]][i];
    hanji_wipe(z, sizeof z);
}

/* 1 for zero, else 0, without a branch. */
static uint32_t is_zero(const uint64_t *x, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= x[i];
    return (uint32_t)(1 ^ (any | (0 - any)) >> 63);
}

size_t hanji_aimer_matrices_aim3(const hanji_aimer_level *level, hanji_aimer_form form)
{
    return form == AIMER_KEY_STREAMED  ? 1
           : form == AIMER_KEY_COMPACT ? 2u * level->sboxes
                                       : 3u * level->sboxes + 1;
}

/* out += L (U in), or U in, from the chunks of one matrix: every column is added under a mask. */
HANJI_INLINE void add_triangle(uint64_t *out, const uint64_t *in, const uint64_t *chunks,
                               const uint32_t is_upper, const uint32_t words)
{
    uint64_t sum[WORDS_MAX];
    for (uint32_t i = 0; i < words; i++)
        sum[i] = in[i]; /* the diagonal */
    for (uint32_t w = 0; w < words; w++) {
        uint64_t bits = in[w], bit = 1;
        for (uint32_t r = 0; r < 64; r++, chunks += words, bits >>= 1, bit <<= 1) {
            const uint64_t mask = hanji_aimer_mask(bits & 1), below = bit - 1;
            const uint64_t inside = chunks[w] & (is_upper ? below : ~(below | bit));
            sum[w] ^= inside & mask;
            for (uint32_t i = is_upper ? 0 : w + 1; i < (is_upper ? w : words); i++)
                sum[i] ^= chunks[i] & mask;
        }
    }
    for (uint32_t i = 0; i < words; i++)
        out[i] ^= sum[i];
    hanji_wipe(sum, sizeof sum);
}

static void next_chunks(uint64_t *chunks, hanji_shake *shake, const hanji_aimer_level *level)
{
    const size_t size = hanji_aimer_matrix_words(level->words);
    uint8_t *bytes = (uint8_t *)chunks;
    hanji_aimer_pause();
    hanji_shake_squeeze(bytes, 8 * size, shake);
    for (size_t i = 0; i < size; i++, bytes += 8)
        chunks[i] = load_le64(bytes);
}

/* sum += A in, A = L U, for the matrix of these chunks. */
static void add_image(uint64_t *sum, const uint64_t *in, const uint64_t *chunks, uint32_t words)
{
    uint64_t half[WORDS_MAX] = {0};
    switch (words) {
    case 2:
        add_triangle(half, in, chunks, 1, 2);
        add_triangle(sum, half, chunks, 0, 2);
        break;
    case 3:
        add_triangle(half, in, chunks, 1, 3);
        add_triangle(sum, half, chunks, 0, 3);
        break;
    default:
        add_triangle(half, in, chunks, 1, 4);
        add_triangle(sum, half, chunks, 0, 4);
        break;
    }
    hanji_wipe(half, sizeof half);
}

/*
 * b_k of a key, and of a secret one x_k and t_s, with one matrix in memory: the constants come
 * behind all matrices, and t_s, which the second half of them is for, wants them first.
 */
static void stream_key(hanji_aimer_expanded *expanded, uint64_t x[][WORDS_MAX], const uint64_t *key)
{
    const hanji_aimer_level *level = expanded->set->level;
    const uint32_t words = level->words, out = level->sboxes;
    uint64_t *chunks = expanded->matrices;
    hanji_shake shake;
    hanji_aimer_affine_stream(&shake, expanded->iv, level);
    for (uint32_t j = 0; j < 2 * out; j++) {
        next_chunks(chunks, &shake, level);
        if (key != NULL && j < out)
            add_image(x[j], key, chunks, words);
    }
    for (uint32_t k = 0; k <= out; k++) {
        hanji_aimer_affine_constant(expanded->b[k], &shake, level);
        for (uint32_t i = 0; i < words; i++)
            x[k][i] ^= expanded->b[k][i];
    }
    if (key == NULL)
        return;
    hanji_aimer_affine_stream(&shake, expanded->iv, level);
    for (uint32_t j = 0; j < 2 * out; j++) {
        next_chunks(chunks, &shake, level);
        if (j < out) {
            sbox(expanded->t[j], x[j], j, level, &expanded->algebra);
            continue;
        }
        add_image(x[out], expanded->t[j - out], chunks, words);
    }
}

/* The same from matrices that stay. */
static void expand_key(hanji_aimer_expanded *expanded, uint64_t x[][WORDS_MAX], const uint64_t *key,
                       uint64_t *work)
{
    const hanji_aimer_level *level = expanded->set->level;
    const hanji_aimer_algebra *algebra = &expanded->algebra;
    const uint32_t words = level->words, out = level->sboxes;
    const uint64_t zero[WORDS_MAX] = {0};
    hanji_shake shake;
    uint64_t *matrix = expanded->matrices;
    hanji_aimer_affine_stream(&shake, expanded->iv, level);
    for (uint32_t j = 0; j < 2 * out; j++, matrix += expanded->matrix_words)
        hanji_aimer_next_matrix(matrix, work, &shake, expanded);
    for (uint32_t k = 0; k <= out; k++)
        hanji_aimer_affine_constant(expanded->b[k], &shake, level);
    for (uint32_t k = 0; k <= out && expanded->form == AIMER_KEY_FULL;
         k++, matrix += expanded->matrix_words)
        hanji_aimer_frobenius(matrix, level->exponent[k], zero, words, algebra, work);
    if (key == NULL)
        return;
    memcpy(x, expanded->b, sizeof expanded->b);
    matrix = expanded->matrices;
    for (uint32_t s = 0; s < out; s++, matrix += expanded->matrix_words)
        hanji_aimer_add_product(x[s], key, matrix, expanded);
    for (uint32_t s = 0; s < out; s++, matrix += expanded->matrix_words) {
        sbox(expanded->t[s], x[s], s, level, algebra);
        hanji_aimer_add_product(x[out], expanded->t[s], matrix, expanded);
    }
}

int hanji_aimer_expand_aim3(hanji_aimer_expanded *expanded, const uint64_t *key, uint64_t *work)
{
    const hanji_aimer_level *level = expanded->set->level;
    const uint32_t words = level->words, out = level->sboxes;
    uint64_t x[AIMER_RELATIONS_MAX][WORDS_MAX] = {{0}};
    uint32_t zeros = 0;
    if (expanded->form == AIMER_KEY_STREAMED)
        stream_key(expanded, x, key);
    else
        expand_key(expanded, x, key, work);
    if (key == NULL)
        return HANJI_OK;
    sbox(expanded->y[out], x[out], out, level, &expanded->algebra);
    for (uint32_t k = 0; k <= out; k++)
        zeros |= is_zero(x[k], words);
    memcpy(expanded->key, key, 8 * words);
    uint64_t other = 0;
    for (uint32_t i = 0; i < words; i++) {
        other |= expanded->y[out][i] ^ key[i] ^ expanded->ct[i];
        for (uint32_t s = 0; s < out; s++)
            expanded->y[s][i] = expanded->t[s][i];
    }
    uint32_t wrong = zeros | (1 ^ is_zero(&other, 1)) << 1;
    hanji_wipe(x, sizeof x);
    hanji_aimer_revealed(&wrong, sizeof wrong, "whether a key is one that can sign");
    return (wrong & 1) != 0 ? HANJI_E_ARGUMENT : wrong != 0 ? HANJI_E_TAG : HANJI_OK;
}

size_t hanji_aimer_one_way_words_aim3(const hanji_aimer_level *level)
{
    return times(hanji_aimer_matrix_words(level->words), level->sboxes);
}

/*
 * The constants b come behind all matrices, so those behind the S-boxes wait in memory for
 * them.
 */
int hanji_aimer_one_way_aim3(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                             const hanji_aimer_level *level, const hanji_aimer_algebra *algebra,
                             uint64_t *work)
{
    const uint32_t words = level->words, out = level->sboxes;
    uint64_t x[AIMER_RELATIONS_MAX][WORDS_MAX] = {{0}}, image[WORDS_MAX] = {0};
    hanji_shake shake;
    uint32_t zeros = 0;
    hanji_aimer_affine_stream(&shake, iv, level);
    for (uint32_t s = 0; s < out; s++) {
        next_chunks(work, &shake, level);
        add_image(x[s], key, work, words);
    }
    uint64_t *chunks = work;
    for (uint32_t s = 0; s < out; s++, chunks += hanji_aimer_matrix_words(words))
        next_chunks(chunks, &shake, level);
    for (uint32_t k = 0; k <= out; k++) {
        uint64_t b[WORDS_MAX];
        hanji_aimer_affine_constant(b, &shake, level);
        for (uint32_t i = 0; i < words; i++)
            x[k][i] ^= b[i];
    }
    chunks = work;
    for (uint32_t s = 0; s < out; s++, chunks += hanji_aimer_matrix_words(words)) {
        sbox(image, x[s], s, level, algebra);
        add_image(x[out], image, chunks, words);
    }
    sbox(image, x[out], out, level, algebra);
    for (uint32_t k = 0; k <= out; k++)
        zeros |= is_zero(x[k], words);
    for (uint32_t i = 0; i < words; i++)
        ct[i] = image[i] ^ key[i];
    hanji_wipe(x, sizeof x);
    hanji_wipe(image, sizeof image);
    hanji_aimer_revealed(&zeros, sizeof zeros, "whether key and iv are drawn again");
    return zeros != 0 ? HANJI_E_ARGUMENT : HANJI_OK;
}

/* x_k without its constant, for every party of a slab, in p->x. */
static void images(hanji_aimer_protocol *p, const uint64_t *tape, uint32_t octets)
{
    const hanji_aimer_expanded *key = p->key;
    const uint32_t words = p->words, out = p->sboxes, streamed = key->form == AIMER_KEY_STREAMED;
    const size_t element = 8 * words, relation = times(p->slab_octets, element);
    uint64_t *matrix = key->matrices, *x = p->x;
    const uint64_t *in = tape;
    hanji_shake shake;
    if (streamed)
        hanji_aimer_affine_stream(&shake, key->iv, p->level);
    for (uint32_t j = 0; j < 2 * out; j++) {
        if (j >= out)
            in += element; /* t_1 and so on */
        if (streamed) {
            uint8_t *chunks = (uint8_t *)matrix;
            hanji_shake_squeeze(chunks, 8 * key->matrix_words, &shake);
            hanji_aimer_apply_chunks(x, element, in, p->tape_words, octets, chunks, words, j > out);
        } else {
            key->algebra.apply(x, element, in, p->tape_words, octets, matrix, words, j > out);
            matrix += key->matrix_words;
        }
        if (j < out)
            x += relation;
    }
}

/*
 * x does not depend on the challenge: one call of each matrix serves all repetitions. The squarings
 * of z are one more matrix, or, unless a key is full, themselves. Each constant is added to one
 * party: b_k, ct and the 1.
 */
void hanji_aimer_evaluate_aim3(hanji_aimer_protocol *p, uint64_t *tape, uint32_t first,
                               uint32_t repetitions, uint32_t octet, uint32_t per)
{
    const hanji_aimer_algebra *algebra = &p->key->algebra;
    const uint32_t words = p->words, out = p->sboxes,
                   octets = repetitions == 1 ? per : from_octet(repetitions, per);
    const size_t element = 8 * words, relation = times(p->slab_octets, element),
                 stride = p->tape_words;
    const int full = p->key->form == AIMER_KEY_FULL;
    /* behind the A_j */
    const uint64_t *matrix = p->key->matrices + (full ? times(p->key->matrix_words, 2 * out) : 0);
    uint64_t *x, *a = tape + in_octets(words, out + 1), *c = a + in_octets(words, out + 1);
    hanji_aimer_term terms[HANJI_AIMER_TERMS_MAX];
    images(p, tape, octets);
    for (uint32_t r = 0; r < repetitions; r++) {
        const uint32_t from = from_octet(r, per);
        const uint64_t *epsilon = epsilon_of(p, first + r);
        uint64_t *key = tape + times(stride, from), *mask = a + times(stride, from),
                 *lane = corrected_lane(p, key, stride, first + r, octet, per);
        x = p->x + in_octets(words, from);
        if (lane != NULL)
            add_to_lane(lane, p->key->ct, words);
        for (uint32_t k = 0; k <= out; k++, x += relation, mask += element) {
            lane = corrected_lane(p, x, element, first + r, octet, per);
            if (lane != NULL)
                add_to_lane(lane, p->key->b[k], words);
            terms[0] = (hanji_aimer_term){x, element, epsilon + in_words(words, k)};
            algebra->products(mask, stride, mask, stride, terms, 1, per, words);
        }
    }
    x = p->x;
    for (uint32_t k = 0; k <= out; k++, x += relation)
        if (full) {
            algebra->apply(x, element, x, element, octets, matrix, words, 0);
            matrix += p->key->matrix_words;
        } else {
            hanji_aimer_square(x, octets, p->level->exponent[k], words);
        }
    for (uint32_t r = 0; r < repetitions; r++) {
        const uint32_t from = from_octet(r, per);
        const uint64_t *epsilon = epsilon_of(p, first + r);
        uint64_t *v = c + times(stride, from),
                 *lane = corrected_lane(p, v, stride, first + r, octet, per);
        x = p->x + in_octets(words, from);
        for (uint32_t k = 0; k <= out; k++, x += relation, epsilon += words) {
            terms[k] = (hanji_aimer_term){x, element, epsilon};
            if (lane != NULL)
                add_to_lane(lane, epsilon, words);
        }
        algebra->products(v, stride, v, stride, terms, out + 1, per, words);
    }
}
