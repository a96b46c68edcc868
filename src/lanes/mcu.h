/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernels for Armv6-M, Armv7-M and AVR of several rooms share: counter mode over a kernel
 * of one block of 64 bits, and rows of a kernel table.
 */
#ifndef HANJI_LANES_MCU_H
#define HANJI_LANES_MCU_H

#include "lanes/variants.h"
#include "support/bytes.h"
#include "support/secret.h"

/* The tier that this build has, its feature, and how its kernels of one block want their data. */
#if defined(HANJI_ARMV7M)
#define HANJI_MCU armv7m
#define HANJI_CPU_MCU HANJI_CPU_ARMV7M
#define HANJI_MCU_ALIGN 1
#elif defined(HANJI_ARMV6M)
#define HANJI_MCU armv6m
#define HANJI_CPU_MCU HANJI_CPU_ARMV6M
#define HANJI_MCU_ALIGN 4
#elif defined(HANJI_AVR)
#define HANJI_MCU avr
#define HANJI_CPU_MCU HANJI_CPU_AVR
#define HANJI_MCU_ALIGN 1
#endif

HANJI_INLINE void mcu_ctr(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                          const void *keys, hanji_blocks_fn *encrypt)
{
    uint32_t stream[2];
    uint8_t *block = (uint8_t *)stream;
    for (; groups > 0; groups--) {
        memcpy(block, counter, 8);
        encrypt(block, block, 1, keys);
        store_le32(out, load_le32(in) ^ load_le32(block));
        store_le32(out + 4, load_le32(in + 4) ^ load_le32(block + 4));
        counter_advance(counter, 8, 1);
        in += 8;
        out += 8;
    }
    hanji_wipe(stream, sizeof stream);
}

/* The rows of a cipher; decryption is the portable kernel's. */
#define HANJI_MCU_TIER_ROWS(cipher, tier)                      \
    {.name = #cipher "_" #tier "_x1",                          \
     .features = HANJI_CPU_MCU,                                \
     .operation = HANJI_ENCRYPT,                               \
     .group = 1,                                               \
     .align = HANJI_MCU_ALIGN,                                 \
     .run = {.blocks = hanji_##cipher##_##tier##_encrypt_x1}}, \
        {.name = #cipher "_" #tier "_x1",                      \
         .features = HANJI_CPU_MCU,                            \
         .operation = HANJI_CTR,                               \
         .group = 1,                                           \
         .align = 1,                                           \
         .run = {.ctr = hanji_##cipher##_##tier##_ctr_x1}},

#if defined(HANJI_ARMV7M)
#define HANJI_MCU_ROWS(cipher) HANJI_MCU_TIER_ROWS(cipher, armv7m)
#elif defined(HANJI_ARMV6M)
#define HANJI_MCU_ROWS(cipher) HANJI_MCU_TIER_ROWS(cipher, armv6m)
#elif defined(HANJI_AVR)
#define HANJI_MCU_ROWS(cipher) HANJI_MCU_TIER_ROWS(cipher, avr)
#else
#define HANJI_MCU_ROWS(cipher)
#endif

#endif
