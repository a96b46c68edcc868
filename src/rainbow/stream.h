/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for key streams of AES-256 in counter mode. Where there is none, libcrypto makes them
 * (stream.c).
 */
#ifndef HANJI_RAINBOW_STREAM_H
#define HANJI_RAINBOW_STREAM_H

#include "support/bytes.h"
#include "support/cpu.h"

#define HANJI_AES256_KEYS_BYTES 240

/* The 15 round keys of a key of 32 bytes. */
typedef void hanji_aes256_expand_fn(void *keys, const uint8_t *key);
/*
 * Key stream from the block `counter`, 16 bytes with the highest first, which then is the first
 * block not used.
 */
typedef void hanji_aes256_stream_fn(uint8_t *out, size_t bytes, uint8_t *counter, const void *keys);

typedef struct hanji_aes256_kernels {
    const char *name, *tier;
    uint32_t features;
    hanji_aes256_expand_fn *expand;
    hanji_aes256_stream_fn *stream;
} hanji_aes256_kernels;

/* The best kernels that may be used now; NULL when libcrypto must do it. */
const hanji_aes256_kernels *hanji_aes256_best(void);

#ifdef HANJI_X86
hanji_aes256_expand_fn hanji_aes256_avx512_expand;
hanji_aes256_stream_fn hanji_aes256_avx512_stream;
#endif

#endif
