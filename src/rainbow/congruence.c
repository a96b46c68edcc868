/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products by matrices from the left run over long rows with one constant each; sym(U) T is
 * therefore computed as T' sym(U), column by column of T. U and U' are laid out as squares, and the
 * halves that are zero are left out piece by piece.
 */
#include "rainbow/congruence.h"

#include "support/bytes.h"

#define PIECE_BYTES \
    512 /* of a row that all columns of T pass over together, so its rows stay in the cache */

typedef struct work {
    uint8_t *upper, *lower; /* U and U', rows of rows * bytes */
    /* T' U' + C', then T' sym(U) + C': rows of rows * bytes, one per column of T */
    uint8_t *product;
    uint8_t *turned;      /* U T + C: rows of columns * bytes */
    uint8_t *line;        /* columns * bytes */
    uint8_t *multipliers; /* of T, column by column */
} work;

static size_t multiplier_row(size_t rows)
{
    return (rows + HANJI_MULTIPLIERS_BEYOND) * HANJI_MULTIPLIER_BYTES_MAX;
}

static size_t aligned(size_t bytes)
{
    return (bytes + HANJI_MATRIX_ALIGN - 1) / HANJI_MATRIX_ALIGN * HANJI_MATRIX_ALIGN;
}

size_t hanji_congruence_scratch(size_t rows, size_t columns, size_t bytes)
{
    return 2 * aligned(rows * rows * bytes) + 2 * aligned(columns * rows * bytes) +
           aligned(columns * bytes) + aligned(columns * multiplier_row(rows));
}

static void place(work *w, uint8_t *at, size_t rows, size_t columns, size_t bytes)
{
    w->upper = at;
    w->lower = w->upper + aligned(rows * rows * bytes);
    w->product = w->lower + aligned(rows * rows * bytes);
    w->turned = w->product + aligned(columns * rows * bytes);
    w->line = w->turned + aligned(columns * rows * bytes);
    w->multipliers = w->line + aligned(columns * bytes);
}

/* Lay out U and U'. */
static void square(const work *w, const congruence *job)
{
    const size_t rows = job->first + job->second, bytes = job->bytes;
    const uint8_t *u11 = job->u11, *u12 = job->u12, *u22 = job->u22;
    memset(w->upper, 0, rows * rows * bytes);
    memset(w->lower, 0, rows * rows * bytes);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = i; j < rows; j++) {
            const uint8_t **from = i >= job->first ? &u22 : j >= job->first ? &u12 : &u11;
            if (*from == NULL)
                continue;
            memcpy(w->upper + (i * rows + j) * bytes, *from, bytes);
            memcpy(w->lower + (j * rows + i) * bytes, *from, bytes);
            *from += bytes;
        }
}

/* (rows x columns) vectors become (columns x rows). */
static void turn(uint8_t *out, const uint8_t *in, size_t rows, size_t columns, size_t bytes)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            memcpy(out + (j * rows + i) * bytes, in + (i * columns + j) * bytes, bytes);
}

void hanji_congruence(const congruence *job, uint8_t *scratch)
{
    const hanji_matrix_kernels *kernels = job->kernels;
    const size_t rows = job->first + job->second, columns = job->columns, bytes = job->bytes,
                 row_bytes = rows * bytes;
    const size_t size = kernels->multiplier_bytes, step = multiplier_row(rows);
    /* rows of U that are not zero */
    const size_t active = job->u22 == NULL ? job->first : rows;
    /* rows of U T + C that are not zero */
    const size_t live = job->c2 == NULL ? active : rows;
    const size_t piece = bytes >= PIECE_BYTES ? 1 : PIECE_BYTES / bytes; /* entries */
    work w;
    place(&w, scratch, rows, columns, bytes);
    square(&w, job);

    for (size_t c = 0; c < columns; c++) {
        uint8_t *multipliers = w.multipliers + c * step;
        kernels->prepare(multipliers, job->t1 + c * (job->first * kernels->bits / 8), job->first);
        if (job->second != 0)
            kernels->prepare(multipliers + job->first * size,
                             job->t2 + c * (job->second * kernels->bits / 8), job->second);
        for (size_t i = 0; i < rows; i++) {
            const uint8_t *from = i < job->first ? job->c1 : job->c2;
            uint8_t *to = w.product + c * row_bytes + i * bytes;
            if (from == NULL)
                memset(to, 0, bytes);
            else
                memcpy(to, from + ((i < job->first ? i : i - job->first) * columns + c) * bytes,
                       bytes);
        }
    }

    for (size_t i = 0; i < active; i += piece) {
        const size_t now = active - i < piece ? active - i : piece;
        for (size_t c = 0; c < columns; c++)
            kernels->accumulate(w.product + c * row_bytes + i * bytes,
                                w.lower + i * row_bytes + i * bytes, row_bytes, now * bytes,
                                w.multipliers + c * step + i * size, rows - i);
    }
    turn(w.turned, w.product, columns, rows, bytes);

    if (job->x1 != NULL) {
        for (size_t i = 0; i < rows; i += piece) {
            const size_t now = rows - i < piece ? rows - i : piece,
                         count = i + now < active ? i + now : active;
            for (size_t c = 0; c < columns; c++)
                kernels->accumulate(w.product + c * row_bytes + i * bytes, w.upper + i * bytes,
                                    row_bytes, now * bytes, w.multipliers + c * step, count);
        }
        for (size_t i = 0; i < rows; i++)
            for (size_t c = 0; c < columns; c++) {
                uint8_t *to = i < job->first ? job->x1 + (i * columns + c) * bytes
                                             : job->x2 + ((i - job->first) * columns + c) * bytes;
                memcpy(to, w.product + c * row_bytes + i * bytes, bytes);
            }
    }

    for (size_t c = 0; job->y != NULL && c < columns; c++) {
        memset(w.line, 0, columns * bytes);
        kernels->accumulate(w.line, w.turned, columns * bytes, columns * bytes,
                            w.multipliers + c * step, live);
        for (size_t d = 0; d < columns; d++) {
            const size_t low = c < d ? c : d, high = c < d ? d : c;
            uint8_t *to = job->y + (low * (2 * columns - low + 1) / 2 + high - low) * bytes;
            xor_bytes(to, to, w.line + d * bytes, bytes);
        }
    }
}
