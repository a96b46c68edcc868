/* SPDX-License-Identifier: Apache-2.0 */
/* The one-way functions AIM (v1.0) and AIM2 (v2.1), and keys expanded for signing and verifying. */
#include "aimer/aimer.h"
#include "support/bytes.h"
#include "support/cpu.h"

#define WORDS_MAX AIMER_WORDS_MAX

static const hanji_kernel *row(hanji_operation operation)
{
    return hanji_kernel_next(hanji_aimer_kernels, operation, SIZE_MAX, hanji_cpu_features(), HANJI_LAYOUT_CANONICAL);
}

void hanji_aimer_algebra_select(hanji_aimer_algebra *algebra)
{
    algebra->prepare = row(HANJI_PREPARE)->run.prepare;
    algebra->apply = row(HANJI_APPLY)->run.apply;
    algebra->products = row(HANJI_PRODUCTS)->run.products;
    algebra->power = row(HANJI_POWER)->run.power;
}

void hanji_aimer_power_map(uint64_t *out, const uint64_t *in, const hanji_aimer_chain *chain, const hanji_aimer_level *level,
                           const hanji_aimer_algebra *algebra)
{
    uint64_t z[AIMER_STEPS_MAX + 1][WORDS_MAX];
    const uint32_t words = level->words;
    memcpy(z[0], in, 8 * words);
    for (uint32_t k = 0; k < chain->steps; k++)
        algebra->power(z[k + 1], z[chain->step[k].base], chain->step[k].squarings, z[chain->step[k].factor], words);
    memcpy(out, z[chain->steps], 8 * words);
    hanji_wipe(z, sizeof z);
}

/* t_s of the key. */
static void sboxes(uint64_t t[][WORDS_MAX], const uint64_t *key, const hanji_aimer_level *level, const hanji_aimer_algebra *algebra)
{
    for (uint32_t s = 0; s < level->sboxes; s++) {
        uint64_t in[WORDS_MAX];
        for (uint32_t i = 0; i < level->words; i++)
            in[i] = key[i] ^ (level->version == 2 ? level->gamma[s][i] : 0);
        hanji_aimer_power_map(t[s], in, &level->in[s], level, algebra);
        hanji_wipe(in, sizeof in);
    }
}

/* Words of an n by n bit matrix. */
static size_t matrix_words(uint32_t words)
{
    return words == 2 ? 256 : words == 3 ? 576 : 1024;
}

static size_t prepared_words(uint32_t words)
{
    return matrix_words(words) * AIMER_MATRIX_FACTOR;
}

size_t hanji_aimer_expand_words(const hanji_aimer *set)
{
    /* The stream of one S-box, two matrices by columns, and one prepared. */
    return 3 * matrix_words(set->level->words) + prepared_words(set->level->words);
}

size_t hanji_aimer_expanded_words(const hanji_aimer *set)
{
    size_t all = (sizeof(hanji_aimer_expanded) + 7) / 8 + 7;
    for (uint32_t i = 0; i < 2u * set->level->sboxes + 1; i++)
        all += prepared_words(set->level->words);
    return all;
}

/* The columns of L_s and U_s out of the stream from iv. */
static void triangles(uint64_t *lower, uint64_t *upper, uint8_t *stream, hanji_shake *shake, const hanji_aimer_level *level)
{
    const uint32_t words = level->words, bytes = 8 * words;
    size_t half = 0;
    if (level->version == 1) {
        for (uint32_t r = 0; r < 64 * words; r++)
            half += (r + 7) / 8;
        hanji_shake_squeeze(stream, half, shake);
    } else {
        hanji_shake_squeeze(stream, 8 * matrix_words(words), shake);
    }
    for (uint32_t is_upper = 0; is_upper < 2; is_upper++) {
        const uint8_t *from = stream;
        uint64_t *octet = is_upper ? upper : lower, bit = 1;
        if (is_upper && level->version == 1)
            hanji_shake_squeeze(stream, half, shake);
        for (uint32_t r = 0; r < 64 * words; r++) {
            uint8_t unpacked[8 * WORDS_MAX];
            const uint8_t *column = from;
            if (level->version == 1) {
                /* v1.0 packs columns to whole bytes: of L those that hold bits above the diagonal, of U those that hold bits below it. */
                const uint32_t first = is_upper ? 0 : (r + 1) / 8, count = is_upper ? (r + 7) / 8 : bytes - first;
                memset(unpacked, 0, bytes);
                memcpy(unpacked + first, from, count);
                column = unpacked;
                from += count;
            } else {
                from += bytes;
            }
            const uint64_t below = bit - 1, keep = is_upper ? below : ~(below | bit);
            for (uint32_t i = 0; i < words; i++)
                octet[8 * i + r % 8] = i == r / 64                ? (load_le64(column + 8 * i) & keep) | bit
                                       : (i < r / 64) == is_upper ? load_le64(column + 8 * i)
                                                                  : 0;
            bit = bit << 1 | bit >> 63;
            if (r % 8 == 7)
                octet += 8 * words;
        }
    }
}

/* a * x */
static void times_x(uint64_t *a, uint32_t words)
{
    const uint64_t out = (uint64_t)0 - (a[words - 1] >> 63);
    for (uint32_t i = words - 1; i > 0; i--)
        a[i] = a[i] << 1 | a[i - 1] >> 63;
    a[0] = a[0] << 1 ^ (out & (words == 4 ? 0x425 : 0x87));
}

/* Prepare the matrix of v -> v^(2^e) + c v. All of it is public. */
static void frobenius(uint64_t *matrix, uint32_t e, const uint64_t *c, uint32_t words, const hanji_aimer_algebra *algebra, uint64_t *columns)
{
    uint64_t y[WORDS_MAX] = {2}, power[WORDS_MAX] = {1}, y8[WORDS_MAX], shifted[WORDS_MAX];
    const uint64_t one[WORDS_MAX] = {1};
    algebra->power(y, y, e, one, words);
    for (uint32_t k = 0; k < HANJI_OCTET; k++) {
        for (uint32_t i = 0; i < words; i++)
            columns[8 * i + k] = power[i];
        algebra->power(power, power, 0, y, words);
    }
    memcpy(y8, power, sizeof y8);
    uint64_t *octet = columns;
    for (uint32_t o = 1; o < 8 * words; o++, octet += 8 * words) {
        const hanji_term term = {octet, 0, y8};
        algebra->products(octet + 8 * words, 0, NULL, 0, &term, 1, 1, words);
    }
    memcpy(shifted, c, 8 * words);
    for (octet = columns; octet < columns + matrix_words(words); octet += 8 * words)
        for (uint32_t k = 0; k < HANJI_OCTET; k++) {
            for (uint32_t i = 0; i < words; i++)
                octet[8 * i + k] ^= shifted[i];
            times_x(shifted, words);
        }
    algebra->prepare(matrix, columns, words);
}

static void affine_stream(hanji_shake *shake, const uint64_t *iv, const hanji_aimer_level *level)
{
    uint8_t bytes[8 * WORDS_MAX];
    for (uint32_t i = 0; i < level->words; i++)
        store_le64(bytes + 8 * i, iv[i]);
    hanji_shake_init(shake, level->rate);
    hanji_shake_absorb(shake, bytes, 8 * level->words);
    hanji_shake_finish(shake);
}

static void affine_constant(uint64_t *b, hanji_shake *shake, const hanji_aimer_level *level)
{
    uint8_t bytes[8 * WORDS_MAX];
    hanji_shake_squeeze(bytes, 8 * level->words, shake);
    for (uint32_t i = 0; i < level->words; i++)
        b[i] = load_le64(bytes + 8 * i);
}

void hanji_aimer_expand(hanji_aimer_expanded *expanded, const hanji_aimer *set, const uint64_t *iv, const uint64_t *ct, const uint64_t *key,
                        uint64_t *work)
{
    const hanji_aimer_level *level = set->level;
    const uint32_t words = level->words;
    const uint64_t zero[WORDS_MAX] = {0};
    uint64_t *lower = work + matrix_words(words), *upper = lower + matrix_words(words), *prepared = upper + matrix_words(words);
    hanji_shake shake;
    memset(expanded, 0, sizeof *expanded);
    hanji_aimer_algebra_select(&expanded->algebra);
    const hanji_aimer_algebra *algebra = &expanded->algebra;
    expanded->set = set;
    expanded->matrix_words = prepared_words(words);
    /* Behind the structure, at the next multiple of 64 bytes. */
    uint8_t *after = (uint8_t *)(expanded + 1);
    expanded->matrices = (uint64_t *)(void *)(after + (-(uintptr_t)after & 63));
    memcpy(expanded->iv, iv, 8 * words);
    memcpy(expanded->ct, ct, 8 * words);
    affine_stream(&shake, iv, level);
    uint64_t *matrix = expanded->matrices;
    for (uint32_t s = 0; s < level->sboxes; s++, matrix += expanded->matrix_words) {
        triangles(lower, upper, (uint8_t *)work, &shake, level);
        algebra->prepare(prepared, lower, words);
        algebra->apply(work, 8 * words, upper, 8 * words, 8 * words, prepared, words, 0);
        algebra->prepare(matrix, work, words);
    }
    affine_constant(expanded->b, &shake, level);
    for (uint32_t s = 0; s < level->sboxes; s++, matrix += expanded->matrix_words)
        frobenius(matrix, level->in[s].exponent, level->version == 2 ? level->gamma[s] : zero, words, algebra, lower);
    frobenius(matrix, level->out.exponent, ct, words, algebra, lower);
    if (key == NULL)
        return;
    expanded->secret = 1;
    memcpy(expanded->key, key, 8 * words);
    sboxes(expanded->t, key, level, algebra);
    uint64_t in[HANJI_OCTET * WORDS_MAX] = {0}, sum[HANJI_OCTET * WORDS_MAX] = {0};
    matrix = expanded->matrices;
    for (uint32_t s = 0; s < level->sboxes; s++, matrix += expanded->matrix_words) {
        for (uint32_t i = 0; i < words; i++)
            in[8 * i] = expanded->t[s][i];
        algebra->apply(sum, 0, in, 0, 1, matrix, words, 1);
    }
    for (uint32_t i = 0; i < words; i++)
        expanded->x_star[i] = sum[8 * i] ^ expanded->b[i];
    hanji_wipe(in, sizeof in);
    hanji_wipe(sum, sizeof sum);
}

void hanji_aimer_one_way(uint64_t *ct, const uint64_t *key, const uint64_t *iv, const hanji_aimer *set, uint64_t *work)
{
    const hanji_aimer_level *level = set->level;
    const uint32_t words = level->words;
    uint64_t *lower = work + matrix_words(words), *upper = lower + matrix_words(words), *prepared = upper + matrix_words(words);
    uint64_t t[AIMER_SBOXES_MAX][WORDS_MAX] = {{0}}, b[WORDS_MAX] = {0}, in[HANJI_OCTET * WORDS_MAX] = {0}, sum[HANJI_OCTET * WORDS_MAX] = {0};
    hanji_aimer_algebra algebra;
    hanji_shake shake;
    hanji_aimer_algebra_select(&algebra);
    sboxes(t, key, level, &algebra);
    affine_stream(&shake, iv, level);
    for (uint32_t s = 0; s < level->sboxes; s++) {
        triangles(lower, upper, (uint8_t *)work, &shake, level);
        for (uint32_t i = 0; i < words; i++)
            in[8 * i] = t[s][i];
        algebra.prepare(prepared, upper, words);
        algebra.apply(in, 0, in, 0, 1, prepared, words, 0);
        algebra.prepare(prepared, lower, words);
        algebra.apply(sum, 0, in, 0, 1, prepared, words, 1);
    }
    affine_constant(b, &shake, level);
    for (uint32_t i = 0; i < words; i++)
        b[i] ^= sum[8 * i];
    hanji_aimer_power_map(b, b, &level->out, level, &algebra);
    for (uint32_t i = 0; i < words; i++)
        ct[i] = b[i] ^ key[i];
    hanji_wipe(t, sizeof t);
    hanji_wipe(b, sizeof b);
    hanji_wipe(in, sizeof in);
    hanji_wipe(sum, sizeof sum);
}
