/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the RV32 kernels of several rooms share: round keys of 16 bits in the two layouts that pairs
 * of blocks and bit slices want, counter mode over a kernel of few blocks, and rows of a kernel
 * table. Their data pointers are aligned to words: some of these processors trap on any other
 * access.
 */
#ifndef HANJI_LANES_RV32_H
#define HANJI_LANES_RV32_H

#include "lanes/variants.h"
#include "support/bytes.h"
#include "support/secret.h"

/*
 * Layouts of the key area, in words of 32 bits; the second begins with the first. PAIRS: one word
 * per round key, with the key in both halves. SLICES: PAIRS; then sixteen words per round key, the
 * lowest bit first, each all ones where that bit of the key is 1. A room may xor constants to these
 * keys.
 */
#define HANJI_RV32_PAIRS 1u
#define HANJI_RV32_SLICES 2u

HANJI_INLINE void rv32_expand_pairs(uint32_t *area, const uint16_t *round_keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        area[i] = round_keys[i] | (uint32_t)round_keys[i] << 16;
}

HANJI_INLINE void rv32_expand_masks(uint32_t *masks, const uint16_t *round_keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int b = 0; b < 16; b++)
            *masks++ = 0u - (round_keys[i] >> b & 1u);
}

HANJI_INLINE uint32_t rv32_load(const uint8_t *p)
{
    return load_le32((const uint8_t *)__builtin_assume_aligned(p, 4));
}

HANJI_INLINE void rv32_store(uint8_t *p, uint32_t v)
{
    store_le32((uint8_t *)__builtin_assume_aligned(p, 4), v);
}

/*
 * Counter mode over groups of `blocks` blocks of one or two words, which `encrypt` turns into key
 * stream in place.
 */
HANJI_INLINE void rv32_ctr(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                           const void *keys, hanji_blocks_fn *encrypt, size_t blocks,
                           size_t block_bytes)
{
    uint32_t stream[4];
    uint32_t high = block_bytes == 8 ? load_be32(counter) : 0,
             low = load_be32(counter + (block_bytes - 4));
    for (; groups > 0; groups--) {
        uint32_t *to = stream;
        for (size_t i = 0; i < blocks; i++) {
            if (block_bytes == 8)
                store_be32((uint8_t *)to++, high);
            store_be32((uint8_t *)to++, low);
            low++;
            /* Without a branch: the counter is secret in EAX. */
            high += ((low | (0u - low)) >> 31) ^ 1u;
        }
        encrypt((uint8_t *)stream, (const uint8_t *)stream, 1, keys);
        for (size_t i = 0; i < blocks * block_bytes; i += 4)
            rv32_store(out + i, rv32_load(in + i) ^ stream[i / 4]);
        in += blocks * block_bytes;
        out += blocks * block_bytes;
    }
    if (block_bytes == 8)
        store_be32(counter, high);
    store_be32(counter + (block_bytes - 4), low);
    hanji_wipe(stream, sizeof stream);
}

/*
 * Rows: a kernel over groups, with the smallest count that pays (0: whole groups); and an
 * expansion.
 */
#define HANJI_RV32_ROW(id, what, size, least, keys, kind, function)                      \
    {                                                                                    \
        .name = (id), .features = HANJI_CPU_RV32I, .operation = (what), .group = (size), \
        .align = 4, .layout = (keys), .minimum = (least), .run = {                       \
            .kind = (function)                                                           \
        }                                                                                \
    }
#define HANJI_RV32_EXPAND_ROW(id, keys, bytes, function)                                        \
    {                                                                                           \
        .name = (id), .features = HANJI_CPU_RV32I, .operation = HANJI_EXPAND, .layout = (keys), \
        .area_bytes = (bytes), .run = {                                                         \
            .expand = (function)                                                                \
        }                                                                                       \
    }

#endif
