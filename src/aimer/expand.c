/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys expanded for signing and verifying: matrices and constants from iv, power maps; what the
 * one-way functions share.
 */
#include "aimer/generation.h"
#include "support/cpu.h"

#define WORDS_MAX AIMER_WORDS_MAX

static const hanji_kernel *row(hanji_operation operation)
{
    return hanji_kernel_next(hanji_aimer_kernels, operation, SIZE_MAX, hanji_cpu_features(),
                             HANJI_LAYOUT_CANONICAL);
}

void hanji_aimer_algebra_select(hanji_aimer_algebra *algebra)
{
    algebra->prepare = row(HANJI_PREPARE)->run.prepare;
    algebra->apply = row(HANJI_APPLY)->run.apply;
    algebra->products = row(HANJI_PRODUCTS)->run.products;
    algebra->power = row(HANJI_POWER)->run.power;
}

void hanji_aimer_run_chain(uint64_t z[][WORDS_MAX], const uint64_t *in,
                           const hanji_aimer_chain *chain, const hanji_aimer_level *level,
                           const hanji_aimer_algebra *algebra)
{
    memcpy(z[0], in, 8 * level->words);
    for (uint32_t k = 0; k < chain->steps; k++)
        algebra->power(z[k + 1], z[chain->step[k].base], chain->step[k].squarings,
                       z[chain->step[k].factor], level->words);
}

size_t hanji_aimer_matrix_words(uint32_t words)
{
    return words == 2 ? 256 : words == 3 ? 576 : 1024;
}

static size_t prepared_words(uint32_t words, hanji_aimer_form form)
{
    return hanji_aimer_matrix_words(words) * (form == AIMER_KEY_FULL ? AIMER_MATRIX_FACTOR : 1);
}

size_t hanji_aimer_expand_words(const hanji_aimer *set, hanji_aimer_form form)
{
    /*
     * L and U by columns, and L prepared; U lies where A will be, and L is prepared in its place,
     * for a compact key.
     */
    const size_t matrix = hanji_aimer_matrix_words(set->level->words);
    switch (form) {
    case AIMER_KEY_STREAMED: return 0;
    case AIMER_KEY_COMPACT: return matrix;
    default: return 2 * matrix + prepared_words(set->level->words, AIMER_KEY_FULL);
    }
}

size_t hanji_aimer_expanded_words(const hanji_aimer *set, hanji_aimer_form form)
{
    size_t all = (sizeof(hanji_aimer_expanded) + 7) / 8 + 7;
    for (size_t i = set->level->generation->matrices(set->level, form); i > 0; i--)
        all += prepared_words(set->level->words, form);
    return all;
}

/*
 * The next bit of a word. Shifts by one place: processors without wide shifts would need a library
 * for others.
 */
HANJI_INLINE uint64_t next_bit(uint64_t bit)
{
    return bit << 1 | bit >> 63;
}

/*
 * Column r of L or U, whose diagonal is at `bit`, into octets of columns, from the chunk with bits
 * on both sides of the diagonal.
 */
static void put_column(uint64_t *columns, uint32_t r, uint64_t bit, const uint64_t *chunk,
                       uint32_t is_upper, uint32_t words)
{
    const uint64_t below = bit - 1, keep = is_upper ? below : ~(below | bit);
    uint64_t *octet = columns + in_octets(words, r / 8) + r % 8;
    for (uint32_t i = 0; i < words; i++)
        octet[8 * i] = i == r / 64                ? (chunk[i] & keep) | bit
                       : (i < r / 64) == is_upper ? chunk[i]
                                                  : 0;
}

/* Eight columns at a time: only the words on the diagonal are split. */
HANJI_INLINE void triangles(uint64_t *lower, uint64_t *upper, hanji_shake *shake,
                            const uint32_t words)
{
    uint8_t chunks[HANJI_AIMER_OCTET * 8 * WORDS_MAX];
    uint64_t bit = 1;
    for (uint32_t octet = 0; octet < 8 * words; octet++, lower += 8 * words, upper += 8 * words) {
        const uint8_t *chunk = chunks;
        hanji_shake_squeeze(chunks, HANJI_AIMER_OCTET * 8 * words, shake);
        for (uint32_t k = 0; k < HANJI_AIMER_OCTET; k++, bit = next_bit(bit))
            for (uint32_t i = 0; i < words; i++, chunk += 8) {
                const uint64_t word = load_le64(chunk), below = bit - 1;
                lower[8 * i + k] = i > octet / 8    ? word
                                   : i == octet / 8 ? (word & ~below) | bit
                                                    : 0;
                upper[8 * i + k] = i < octet / 8 ? word : i == octet / 8 ? (word & below) | bit : 0;
            }
    }
}

void hanji_aimer_triangles(uint64_t *lower, uint64_t *upper, hanji_shake *shake,
                           const hanji_aimer_level *level)
{
    switch (level->words) {
    case 2: triangles(lower, upper, shake, 2); break;
    case 3: triangles(lower, upper, shake, 3); break;
    default: triangles(lower, upper, shake, 4); break;
    }
}

/*
 * v1.0 packs columns to whole bytes: of L those that hold bits above the diagonal, of U those that
 * hold bits below it, and has all of L before U.
 */
void hanji_aimer_packed_triangles(uint64_t *lower, uint64_t *upper, hanji_shake *shake,
                                  const hanji_aimer_level *level)
{
    const uint32_t words = level->words, bytes = 8 * words;
    uint64_t bit = 1;
    for (uint32_t is_upper = 0; is_upper < 2; is_upper++)
        for (uint32_t r = 0; r < 64 * words; r++, bit = next_bit(bit)) {
            const uint32_t first = is_upper ? 0 : (r + 1) / 8,
                           count = is_upper ? (r + 7) / 8 : bytes - first;
            uint8_t unpacked[8 * WORDS_MAX] = {0};
            uint64_t chunk[WORDS_MAX];
            hanji_shake_squeeze(unpacked + first, count, shake);
            load_words(chunk, unpacked, words);
            put_column(is_upper ? upper : lower, r, bit, chunk, is_upper, words);
        }
}

void hanji_aimer_next_matrix(uint64_t *matrix, uint64_t *work, hanji_shake *shake,
                             const hanji_aimer_expanded *expanded)
{
    hanji_aimer_pause();
    const hanji_aimer_level *level = expanded->set->level;
    const hanji_aimer_algebra *algebra = &expanded->algebra;
    const uint32_t words = level->words;
    const size_t element = 8 * words, size = hanji_aimer_matrix_words(words);
    const int compact = expanded->form == AIMER_KEY_COMPACT;
    uint64_t *lower = work, *upper = compact ? matrix : work + size,
             *prepared = compact ? work : work + 2 * size;
    if (level->generation->version == 1)
        hanji_aimer_packed_triangles(lower, upper, shake, level);
    else
        hanji_aimer_triangles(lower, upper, shake, level);
    algebra->prepare(prepared, lower, words);
    algebra->apply(upper, element, upper, element, element, prepared, words, 0);
    algebra->prepare(matrix, upper, words);
}

/* a * x */
static void times_x(uint64_t *a, uint32_t words)
{
    const uint64_t out = (uint64_t)0 - (a[words - 1] >> 63);
    for (uint32_t i = words - 1; i > 0; i--)
        a[i] = a[i] << 1 | a[i - 1] >> 63;
    a[0] = a[0] << 1 ^ (out & (words == 4 ? 0x425 : 0x87));
}

void hanji_aimer_frobenius(uint64_t *matrix, uint32_t e, const uint64_t *c, uint32_t words,
                           const hanji_aimer_algebra *algebra, uint64_t *work)
{
    uint64_t y[WORDS_MAX] = {2}, power[WORDS_MAX] = {1}, shifted[WORDS_MAX];
    const uint64_t one[WORDS_MAX] = {1};
    const size_t element = 8 * words, size = hanji_aimer_matrix_words(words);
    algebra->power(y, y, e, one, words);
    for (uint32_t k = 0; k < HANJI_AIMER_OCTET; k++) {
        for (uint32_t i = 0; i < words; i++)
            work[8 * i + k] = power[i];
        algebra->power(power, power, 0, y, words);
    }
    /* All that is there, times the next power of y, is as many columns more. */
    for (size_t octets = 1, at = element; at < size; octets <<= 1, at <<= 1) {
        const size_t left = 8 * words - octets;
        const hanji_aimer_term term = {work, element, power};
        algebra->products(work + at, element, NULL, 0, &term, 1, octets < left ? octets : left,
                          words);
        algebra->power(power, power, 1, one, words);
    }
    memcpy(shifted, c, 8 * words);
    for (uint64_t *octet = work; octet < work + size; octet += 8 * words)
        for (uint32_t k = 0; k < HANJI_AIMER_OCTET; k++) {
            for (uint32_t i = 0; i < words; i++)
                octet[8 * i + k] ^= shifted[i];
            times_x(shifted, words);
        }
    algebra->prepare(matrix, work, words);
}

void hanji_aimer_affine_stream(hanji_shake *shake, const uint64_t *iv,
                               const hanji_aimer_level *level)
{
    uint8_t bytes[8 * WORDS_MAX];
    store_words(bytes, iv, level->words);
    hanji_shake_init(shake, level->rate);
    hanji_shake_absorb(shake, bytes, 8 * level->words);
    hanji_shake_finish(shake);
}

void hanji_aimer_affine_constant(uint64_t *b, hanji_shake *shake, const hanji_aimer_level *level)
{
    uint8_t bytes[8 * WORDS_MAX];
    hanji_shake_squeeze(bytes, 8 * level->words, shake);
    load_words(b, bytes, level->words);
}

void hanji_aimer_add_product(uint64_t *sum, const uint64_t *in, const uint64_t *matrix,
                             const hanji_aimer_expanded *expanded)
{
    const uint32_t words = expanded->set->level->words;
    uint64_t octet[HANJI_AIMER_OCTET * WORDS_MAX] = {0};
    for (uint32_t i = 0; i < words; i++)
        octet[8 * i] = in[i];
    expanded->algebra.apply(octet, 0, octet, 0, 1, matrix, words, 0);
    for (uint32_t i = 0; i < words; i++)
        sum[i] ^= octet[8 * i];
    hanji_wipe(octet, sizeof octet);
}

int hanji_aimer_expand(hanji_aimer_expanded *expanded, const hanji_aimer *set, const uint64_t *iv,
                       const uint64_t *ct, const uint64_t *key, hanji_aimer_form form,
                       uint64_t *work)
{
    const uint32_t words = set->level->words;
    memset(expanded, 0, sizeof *expanded);
    hanji_aimer_algebra_select(&expanded->algebra);
    if (form != AIMER_KEY_FULL) {
        expanded->algebra.prepare = hanji_aimer_portable_prepare;
        expanded->algebra.apply = hanji_aimer_portable_apply;
    }
    expanded->set = set;
    expanded->form = form;
    expanded->matrix_words = prepared_words(words, form);
    /* Behind the structure, at the next multiple of 64 bytes. */
    uint8_t *after = (uint8_t *)(expanded + 1);
    expanded->matrices = (uint64_t *)(void *)(after + (-(uintptr_t)after & 63));
    memcpy(expanded->iv, iv, 8 * words);
    memcpy(expanded->ct, ct, 8 * words);
    const int rc = set->level->generation->expand(expanded, key, work);
    if (rc == HANJI_OK)
        expanded->secret = key != NULL;
    return rc;
}

size_t hanji_aimer_one_way_words(const hanji_aimer *set)
{
    return set->level->generation->one_way_words(set->level);
}

int hanji_aimer_one_way(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                        const hanji_aimer *set, uint64_t *work)
{
    hanji_aimer_algebra algebra;
    hanji_aimer_algebra_select(&algebra);
    return set->level->generation->one_way(ct, key, iv, set->level, &algebra, work);
}
