/* SPDX-License-Identifier: Apache-2.0 */
/* The model without cuts: memory that lasts as long as the program. */
#include "model.h"

#include <string.h>

static uint8_t cells[MODEL_BYTES];
static int made;

static void make(void)
{
    if (!made)
        memset(cells, 0xff, sizeof cells);
    made = 1;
}

int model_read(void *out, size_t at, size_t bytes)
{
    make();
    memcpy(out, cells + at, bytes);
    return 0;
}

int model_erase(size_t at, size_t bytes, size_t page_bytes)
{
    make();
    if (at % page_bytes != 0 || bytes % page_bytes != 0)
        return -1;
    memset(cells + at, 0xff, bytes);
    return 0;
}

int model_program(size_t at, const void *data, size_t bytes, size_t word_bytes)
{
    make();
    if (at % word_bytes != 0 || bytes % word_bytes != 0)
        return -1;
    for (size_t i = 0; i < bytes; i++)
        cells[at + i] &= ((const uint8_t *)data)[i];
    return 0;
}

void model_replace(size_t at, uint8_t byte)
{
    make();
    cells[at] = byte;
}
