/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matrix kernels of the tier in use against plain arithmetic: matrix FIELD(16|256)
 * products|accumulate|solve|evaluate. "products" prints all products of the multiplier, one row per
 * constant, in hexadecimal; the others compare with products one by one, print what differs first,
 * and count cases.
 */
#include "rainbow/field.h"
#include "rainbow/matrix.h"

#include <stdio.h>
#include <stdlib.h>

static const hanji_matrix_kernels *kernels;
static unsigned bits;
static uint64_t state = 1;

static uint8_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(state >> 56);
}

static void fill(uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = next();
}

static uint8_t element(const uint8_t *vector, size_t i)
{
    return bits == 8 ? vector[i] : (uint8_t)(vector[i / 2] >> i % 2 * 4 & 15);
}

static uint8_t product(uint8_t data, uint8_t constant)
{
    if (bits == 8)
        return (uint8_t)gf256_multiply(data, constant);
    return (uint8_t)(gf16_multiply(data & 15, constant) | gf16_multiply(data >> 4, constant) << 4);
}

static int fail(const char *what, size_t a, size_t b, size_t c)
{
    printf("%s: %s differs at %zu %zu %zu\n", kernels->name, what, a, b, c);
    return 1;
}

#define BYTES_MAX 1300
#define COUNT_MAX 70

static int products_main(void)
{
    uint8_t in[256], out[256], packed[32];
    static uint8_t multipliers[(256 + HANJI_MULTIPLIERS_BEYOND) * HANJI_MULTIPLIER_BYTES_MAX];
    const size_t constants = (size_t)1 << bits;
    for (size_t i = 0; i < 256; i++)
        in[i] = (uint8_t)i;
    for (size_t c = 0; c < constants; c++) {
        packed[0] = (uint8_t)c;
        memset(out, 0, sizeof out);
        kernels->prepare(multipliers, packed, 1);
        kernels->accumulate(out, in, sizeof in, sizeof in, multipliers, 1);
        for (size_t i = 0; i < 256; i++)
            printf("%02x", out[i]);
        printf("\n");
    }
    return 0;
}

static int accumulate_main(void)
{
    static uint8_t in[(BYTES_MAX + 80) * COUNT_MAX], constants[COUNT_MAX],
        multipliers[(COUNT_MAX + HANJI_MULTIPLIERS_BEYOND) * HANJI_MULTIPLIER_BYTES_MAX];
    static const size_t sizes[] = {16,  18,  20,  24,  30,  32,  36,  40,  48,  50,  64,
                                   66,  68,  78,  80,  82,  96,  100, 128, 130, 192, 200,
                                   256, 260, 320, 384, 448, 512, 576, 700, 1296};
    size_t cases = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t count = 0; count <= COUNT_MAX; count += count < 20 ? 1 : 10)
            for (size_t gap = 0; gap < 2; gap++, cases++) {
                /*
                 * The buffers end where the kernel may read and write for the last time, so that a
                 * sanitizer sees more.
                 */
                const size_t bytes = sizes[s], stride = bytes + gap * (count + 3),
                             all = count == 0 ? 0 : (count - 1) * stride + bytes;
                uint8_t *data = in + sizeof in - all, *out = malloc(bytes),
                        *expected = malloc(bytes);
                if (out == NULL || expected == NULL)
                    return 3;
                fill(data, all);
                fill(constants, sizeof constants);
                fill(out, bytes);
                memcpy(expected, out, bytes);
                for (size_t j = 0; j < count; j++)
                    for (size_t i = 0; i < bytes; i++)
                        expected[i] ^= product(data[j * stride + i], element(constants, j));
                kernels->prepare(multipliers, constants, count);
                kernels->accumulate(out, data, stride, bytes, multipliers, count);
                const int same = memcmp(out, expected, bytes) == 0;
                free(out);
                free(expected);
                if (!same)
                    return fail("accumulate", bytes, count, stride);
            }
    printf("%zu cases\n", cases);
    return 0;
}

/*
 * Systems with known solutions: regular ones, of which some need every kind of help for their
 * pivots, and singular ones of every rank.
 */
static int solve_main(void)
{
    static const size_t sizes[] = {1, 2, 3, 8, 31, 32, 33, 36, 48, 63, 64};
    static uint8_t system[HANJI_SYSTEM_BYTES] __attribute__((aligned(HANJI_MATRIX_ALIGN))),
        matrix[64][64], x[64];
    size_t regular = 0, singular = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t trial = 0; trial < 60; trial++) {
            const size_t size = sizes[s], stride = hanji_system_column(size);
            const uint8_t mask = (uint8_t)((1u << bits) - 1), sparse = trial % 3 == 1 ? 3 : 0;
            for (size_t i = 0; i < size; i++) {
                x[i] = next() & mask;
                for (size_t j = 0; j < size; j++)
                    matrix[i][j] = sparse && next() % 4 < sparse ? 0 : next() & mask;
            }
            /* the matrix of a reversal: no pivot is where it is looked for first */
            if (trial % 3 == 2)
                for (size_t i = 0; i < size; i++)
                    for (size_t j = 0; j < size; j++)
                        matrix[i][j] = i + j == size - 1 ? (uint8_t)(next() % mask + 1)
                                       : i + j >= size   ? next() & mask
                                                         : 0;
            if (trial % 6 == 0) { /* one row is a multiple of another, or zero */
                const size_t row = next() % size, other = next() % size;
                const uint8_t factor = next() & mask;
                for (size_t j = 0; j < size; j++)
                    matrix[row][j] =
                        other == row ? 0 : (uint8_t)gf256_multiply(matrix[other][j], factor);
            }
            memset(system, 0, sizeof system);
            for (size_t i = 0; i < size; i++)
                for (size_t j = 0; j < size; j++) {
                    system[j * stride + i] = matrix[i][j];
                    system[size * stride + i] ^= (uint8_t)gf256_multiply(matrix[i][j], x[j]);
                }
            const uint32_t answer = kernels->solve(system, size);
            /* Whether it is regular, by plain elimination with a search for pivots. */
            size_t rank = 0;
            for (size_t k = 0; k < size; k++) {
                size_t pivot = rank;
                while (pivot < size && matrix[pivot][k] == 0)
                    pivot++;
                if (pivot == size)
                    continue;
                const uint8_t inverse = (uint8_t)gf256_invert(matrix[pivot][k]);
                for (size_t j = 0; j < size; j++) {
                    const uint8_t swap = matrix[rank][j];
                    matrix[rank][j] = (uint8_t)gf256_multiply(matrix[pivot][j], inverse);
                    if (pivot != rank)
                        matrix[pivot][j] = swap;
                }
                for (size_t i = rank + 1; i < size; i++) {
                    const uint8_t factor = matrix[i][k];
                    for (size_t j = 0; j < size; j++)
                        matrix[i][j] ^= (uint8_t)gf256_multiply(matrix[rank][j], factor);
                }
                rank++;
            }
            if (answer != (rank == size))
                return fail("rank", size, trial, rank);
            if (answer && memcmp(system + size * stride, x, size) != 0)
                return fail("solution", size, trial, rank);
            regular += answer;
            singular += !answer;
        }
    printf("%zu regular, %zu singular\n", regular, singular);
    return 0;
}

static int evaluate_main(void)
{
    /* Large counts are those of levels I, III and V, the most, and one more. */
    static const size_t sizes[] = {32, 80, 100, 36, 64}, large[] = {100, 148, 196, 256, 101};
    static uint8_t in[256 * 257 / 2 * 100], x[256], out[100], expected[100];
    static uint8_t scratch[HANJI_EVALUATE_SCRATCH] __attribute__((aligned(HANJI_MATRIX_ALIGN)));
    size_t cases = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t c = 0; c < 41; c++, cases++) {
            const size_t count = c < 40 ? c + 1 : large[s];
            /* The data end where the kernel may read for the last time. */
            const size_t bytes = sizes[s], all = count * (count + 1) / 2 * bytes;
            const uint8_t *const data = in + sizeof in - all, *at = data;
            fill(in + sizeof in - all, all);
            memset(x, 0, sizeof x);
            for (size_t i = 0; i < count; i++)
                x[i] = count % 5 == 0 && i % 3 == 0 ? 0 : next() & (uint8_t)((1u << bits) - 1);
            if (count % 7 == 3) /* one sum for all */
                memset(x, (1 << bits) - 1, count);
            memset(expected, 0, sizeof expected);
            for (size_t i = 0; i < count; i++)
                for (size_t j = i; j < count; j++, at += bytes) {
                    const uint8_t factor = (uint8_t)gf256_multiply(x[i], x[j]);
                    for (size_t b = 0; b < bytes; b++)
                        expected[b] ^= product(at[b], factor);
                }
            kernels->evaluate(out, data, bytes, x, count, scratch);
            if (memcmp(out, expected, bytes) != 0)
                return fail("evaluate", bytes, count, 0);
        }
    printf("%zu cases\n", cases);
    return 0;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } all[] = {{"products", products_main},
               {"accumulate", accumulate_main},
               {"solve", solve_main},
               {"evaluate", evaluate_main}};
    bits = count == 3 && strcmp(arguments[1], "16") == 0 ? 4 : 8;
    if (hanji_selection() != HANJI_OK)
        return 2;
    kernels = hanji_matrix_best(bits);
    for (size_t i = 0; count == 3 && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(arguments[2], all[i].name) == 0)
            return all[i].run();
    fprintf(stderr, "usage: matrix 16|256 products|accumulate|solve|evaluate\n");
    return 2;
}
