/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one-way functions AIM (v1.0) and AIM2 (v2.1), and the simulation of their relations, which
 * share the multiplier key: x_s = t_s, x_{S+1} = A_1 t_1 + .. + A_S t_S + b, and x_k key = z_k.
 * Both are broken: anybody can forge signatures for them.
 */
#include "aimer/generation.h"

#define WORDS_MAX AIMER_WORDS_MAX

static void power_map(uint64_t *out, const uint64_t *in, const hanji_aimer_chain *chain,
                      const hanji_aimer_level *level, const hanji_aimer_algebra *algebra)
{
    uint64_t z[AIMER_STEPS_MAX + 1][WORDS_MAX];
    hanji_aimer_run_chain(z, in, chain, level, algebra);
    memcpy(out, z[chain->steps], 8 * level->words);
    hanji_wipe(z, sizeof z);
}

/* t_s of the key. AIM has no constants gamma. */
static void sboxes(uint64_t t[][WORDS_MAX], const uint64_t *key, const hanji_aimer_level *level,
                   const hanji_aimer_algebra *algebra)
{
    for (uint32_t s = 0; s < level->sboxes; s++) {
        uint64_t in[WORDS_MAX];
        for (uint32_t i = 0; i < level->words; i++)
            in[i] = key[i] ^ level->gamma[s][i];
        power_map(t[s], in, &level->chain[s], level, algebra);
        hanji_wipe(in, sizeof in);
    }
}

size_t hanji_aimer_matrices_aim2(const hanji_aimer_level *level, hanji_aimer_form form)
{
    (void)form;
    return 2u * level->sboxes + 1;
}

int hanji_aimer_expand_aim2(hanji_aimer_expanded *expanded, const uint64_t *key, uint64_t *work)
{
    const hanji_aimer_level *level = expanded->set->level;
    const uint32_t words = level->words;
    hanji_shake shake;
    uint64_t *matrix = expanded->matrices;
    hanji_aimer_affine_stream(&shake, expanded->iv, level);
    for (uint32_t s = 0; s < level->sboxes; s++, matrix += expanded->matrix_words)
        hanji_aimer_next_matrix(matrix, work, &shake, expanded);
    hanji_aimer_affine_constant(expanded->b[0], &shake, level);
    for (uint32_t k = 0; k <= level->sboxes; k++, matrix += expanded->matrix_words)
        hanji_aimer_frobenius(matrix, level->exponent[k],
                              k < level->sboxes ? level->gamma[k] : expanded->ct, words,
                              &expanded->algebra, work);
    if (key != NULL) {
        memcpy(expanded->key, key, 8 * words);
        memcpy(expanded->y[0], key, 8 * words);
        sboxes(expanded->t, key, level, &expanded->algebra);
    }
    return HANJI_OK;
}

/* L and U by columns, and one of them prepared. */
size_t hanji_aimer_one_way_words_aim2(const hanji_aimer_level *level)
{
    return (2 + AIMER_MATRIX_FACTOR) * hanji_aimer_matrix_words(level->words);
}

int hanji_aimer_one_way_aim2(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                             const hanji_aimer_level *level, const hanji_aimer_algebra *algebra,
                             uint64_t *work)
{
    const uint32_t words = level->words;
    const size_t size = hanji_aimer_matrix_words(words);
    uint64_t *lower = work, *upper = work + size, *prepared = work + 2 * size;
    uint64_t t[AIMER_SBOXES_MAX][WORDS_MAX] = {{0}}, b[WORDS_MAX] = {0},
             in[HANJI_AIMER_OCTET * WORDS_MAX] = {0}, sum[HANJI_AIMER_OCTET * WORDS_MAX] = {0};
    hanji_shake shake;
    sboxes(t, key, level, algebra);
    hanji_aimer_affine_stream(&shake, iv, level);
    for (uint32_t s = 0; s < level->sboxes; s++) {
        level->generation->version == 1 ? hanji_aimer_packed_triangles(lower, upper, &shake, level)
                                        : hanji_aimer_triangles(lower, upper, &shake, level);
        for (uint32_t i = 0; i < words; i++)
            in[8 * i] = t[s][i];
        algebra->prepare(prepared, upper, words);
        algebra->apply(in, 0, in, 0, 1, prepared, words, 0);
        algebra->prepare(prepared, lower, words);
        algebra->apply(sum, 0, in, 0, 1, prepared, words, 1);
    }
    hanji_aimer_affine_constant(b, &shake, level);
    for (uint32_t i = 0; i < words; i++)
        b[i] ^= sum[8 * i];
    power_map(b, b, &level->chain[level->sboxes], level, algebra);
    for (uint32_t i = 0; i < words; i++)
        ct[i] = b[i] ^ key[i];
    hanji_wipe(t, sizeof t);
    hanji_wipe(b, sizeof b);
    hanji_wipe(in, sizeof in);
    hanji_wipe(sum, sizeof sum);
    return HANJI_OK;
}

/*
 * x_{S+1} does not depend on the challenge, and neither does z: one call of each matrix serves all
 * repetitions.
 */
void hanji_aimer_evaluate_aim2(hanji_aimer_protocol *p, uint64_t *tape, uint32_t first,
                               uint32_t repetitions, uint32_t octet, uint32_t per)
{
    const hanji_aimer_algebra *algebra = &p->key->algebra;
    const uint32_t words = p->words, octets = repetitions == 1 ? per : from_octet(repetitions, per);
    const size_t element = 8 * words, relation = times(p->slab_octets, element),
                 stride = p->tape_words;
    const uint64_t *matrix = p->key->matrices;
    uint64_t *t = tape + element, *a = tape + in_octets(words, p->sboxes + 1), *c = a + element;
    uint64_t *out = p->x + times(relation, p->sboxes);
    hanji_aimer_term terms[HANJI_AIMER_TERMS_MAX];
    for (uint32_t s = 0; s < p->sboxes; s++, matrix += p->key->matrix_words)
        algebra->apply(out, element, t + in_octets(words, s), stride, octets, matrix, words,
                       s != 0);
    for (uint32_t r = 0; r < repetitions; r++) {
        const uint32_t from = from_octet(r, per);
        const uint64_t *epsilon = epsilon_of(p, first + r);
        uint64_t *mask = a + times(stride, from),
                 *lane = corrected_lane(p, out + in_octets(words, from), element, first + r, octet,
                                        per);
        if (lane != NULL)
            add_to_lane(lane, p->key->b[0], words);
        for (uint32_t k = 0; k <= p->sboxes; k++) {
            terms[k].in = k < p->sboxes ? t + in_octets(words, k) + times(stride, from)
                                        : out + in_octets(words, from);
            terms[k].stride = k < p->sboxes ? stride : element;
            terms[k].coefficient = epsilon + in_words(words, k);
        }
        algebra->products(mask, stride, mask, stride, terms, p->sboxes + 1, per, words);
    }
    uint64_t *z = p->x;
    for (uint32_t s = 0; s < p->sboxes; s++, matrix += p->key->matrix_words, z += relation)
        algebra->apply(z, element, p->generation->version == 1 ? tape : t + in_octets(words, s),
                       stride, octets, matrix, words, 0);
    algebra->apply(out, element, out, element, octets, matrix, words, 0);
    for (uint32_t r = 0; r < repetitions; r++) {
        const uint32_t from = from_octet(r, per);
        const uint64_t *epsilon = epsilon_of(p, first + r);
        uint64_t *v = c + times(stride, from);
        z = p->x + in_octets(words, from);
        for (uint32_t k = 0; k <= p->sboxes; k++, z += relation)
            terms[k] = (hanji_aimer_term){z, element, epsilon + in_words(words, k)};
        algebra->products(v, stride, v, stride, terms, p->sboxes + 1, per, words);
    }
}
