/* SPDX-License-Identifier: Apache-2.0 */
#include "reference_ciphers.h"

#include "io.h"
#include "support/bytes.h"
#include "support/cipher.h"

/* AES: FIPS 197. The S-box is computed as section 5.1.1 defines it. */

static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b != 0; b >>= 1, a = (uint8_t)(a << 1 ^ (a >> 7) * 0x1b))
        product ^= (uint8_t)((b & 1) * a);
    return product;
}

static uint8_t s_box(uint8_t a)
{
    uint8_t inverse = 1;
    for (int i = 0; i < 254; i++) /* a^254, and 0 for 0 */
        inverse = times(inverse, a);
    uint8_t s = inverse;
    for (int i = 1; i < 5; i++)
        s ^= (uint8_t)(inverse << i | inverse >> (8 - i));
    return s ^ 0x63;
}

#define AES_ROUNDS 10
typedef struct {
    uint8_t box[256];
    uint8_t keys[(AES_ROUNDS + 1) * 16];
} aes_keys;

static void aes_expand(void *round_keys, const uint8_t *key)
{
    aes_keys *k = round_keys;
    for (int i = 0; i < 256; i++)
        k->box[i] = s_box((uint8_t)i);
    memcpy(k->keys, key, 16);
    uint8_t constant = 1;
    for (int i = 16; i < (AES_ROUNDS + 1) * 16; i += 4) {
        uint8_t t[4];
        memcpy(t, k->keys + i - 4, 4);
        if (i % 16 == 0) {
            const uint8_t first = t[0];
            for (int j = 0; j < 4; j++)
                t[j] = k->box[j < 3 ? t[j + 1] : first];
            t[0] ^= constant;
            constant = times(constant, 2);
        }
        for (int j = 0; j < 4; j++)
            k->keys[i + j] = k->keys[i + j - 16] ^ t[j];
    }
}

static void aes_block(uint8_t *out, const uint8_t *in, const void *keys)
{
    const aes_keys *k = keys;
    uint8_t s[16];
    xor_bytes(s, in, k->keys, 16);
    for (int round = 1; round <= AES_ROUNDS; round++) {
        uint8_t t[16];
        for (int i = 0; i < 16; i++) /* SubBytes and ShiftRows */
            t[i] = k->box[s[(i + 4 * (i % 4)) % 16]];
        for (int i = 0; i < 16; i++) {
            const uint8_t *column = t + i / 4 * 4;
            s[i] = round == AES_ROUNDS ? t[i]
                                       : times(column[i % 4], 2) ^ times(column[(i + 1) % 4], 3) ^
                                             column[(i + 2) % 4] ^ column[(i + 3) % 4];
        }
        xor_bytes(s, s, k->keys + 16 * round, 16);
    }
    memcpy(out, s, 16);
}

/* DES and TDEA: FIPS 46-3, SP 800-67. Bits are numbered from 1 at the left, as there. */

static uint64_t permute_bits(uint64_t v, int width, const uint8_t *table, int count)
{
    uint64_t out = 0;
    for (int i = 0; i < count; i++)
        out = out << 1 | (v >> (width - table[i]) & 1);
    return out;
}

static const uint8_t des_ip[64] = {58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
                                   62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
                                   57, 49, 41, 33, 25, 17, 9,  1, 59, 51, 43, 35, 27, 19, 11, 3,
                                   61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7};
static const uint8_t des_p[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                                  2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};
static const uint8_t des_pc1[56] = {57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18,
                                    10, 2,  59, 51, 43, 35, 27, 19, 11, 3,  60, 52, 44, 36,
                                    63, 55, 47, 39, 31, 23, 15, 7,  62, 54, 46, 38, 30, 22,
                                    14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};
static const uint8_t des_pc2[48] = {14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
                                    26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
                                    51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};
static const uint8_t des_s[8][64] = {
    {14, 4,  13, 1, 2,  15, 11, 8, 3, 10, 6, 12, 5,  9,  0,  7,  0,  15, 7,  4,  14, 2,
     13, 1,  10, 6, 12, 11, 9,  5, 3, 8,  4, 1,  14, 8,  13, 6,  2,  11, 15, 12, 9,  7,
     3,  10, 5,  0, 15, 12, 8,  2, 4, 9,  1, 7,  5,  11, 3,  14, 10, 0,  6,  13},
    {15, 1,  8,  14, 6,  11, 3,  4, 9,  7,  2, 13, 12, 0,  5,  10, 3,  13, 4,  7, 15, 2,
     8,  14, 12, 0,  1,  10, 6,  9, 11, 5,  0, 14, 7,  11, 10, 4,  13, 1,  5,  8, 12, 6,
     9,  3,  2,  15, 13, 8,  10, 1, 3,  15, 4, 2,  11, 6,  7,  12, 0,  5,  14, 9},
    {10, 0,  9,  14, 6, 3,  15, 5,  1,  13, 12, 7, 11, 4,  2,  8,  13, 7, 0,  9, 3, 4,
     6,  10, 2,  8,  5, 14, 12, 11, 15, 1,  13, 6, 4,  9,  8,  15, 3,  0, 11, 1, 2, 12,
     5,  10, 14, 7,  1, 10, 13, 0,  6,  9,  8,  7, 4,  15, 14, 3,  11, 5, 2,  12},
    {7, 13, 14, 3, 0, 6,  9, 10, 1,  2, 8,  5, 11, 12, 4,  15, 13, 8,  11, 5, 6, 15,
     0, 3,  4,  7, 2, 12, 1, 10, 14, 9, 10, 6, 9,  0,  12, 11, 7,  13, 15, 1, 3, 14,
     5, 2,  8,  4, 3, 15, 0, 6,  10, 1, 13, 8, 9,  4,  5,  11, 12, 7,  2,  14},
    {2,  12, 4, 1,  7,  10, 11, 6, 8, 5,  3, 15, 13, 0,  14, 9,  14, 11, 2,  12, 4,  7,
     13, 1,  5, 0,  15, 10, 3,  9, 8, 6,  4, 2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,
     6,  3,  0, 14, 11, 8,  12, 7, 1, 14, 2, 13, 6,  15, 0,  9,  10, 4,  5,  3},
    {12, 1,  10, 15, 9,  2,  6, 8,  0, 13, 3,  4,  14, 7,  5, 11, 10, 15, 4, 2, 7, 12,
     9,  5,  6,  1,  13, 14, 0, 11, 3, 8,  9,  14, 15, 5,  2, 8,  12, 3,  7, 0, 4, 10,
     1,  13, 11, 6,  4,  3,  2, 12, 9, 5,  15, 10, 11, 14, 1, 7,  6,  0,  8, 13},
    {4, 11, 2,  14, 15, 0,  8,  13, 3, 12, 9,  7, 5,  10, 6,  1,  13, 0,  11, 7,  4, 9,
     1, 10, 14, 3,  5,  12, 2,  15, 8, 6,  1,  4, 11, 13, 12, 3,  7,  14, 10, 15, 6, 8,
     0, 5,  9,  2,  6,  11, 13, 8,  1, 4,  10, 7, 9,  5,  0,  15, 14, 2,  3,  12},
    {13, 2, 8,  4, 6, 15, 11, 1,  10, 9,  3, 14, 5,  0,  12, 7,  1,  15, 13, 8, 10, 3,
     7,  4, 12, 5, 6, 11, 0,  14, 9,  2,  7, 11, 4,  1,  9,  12, 14, 2,  0,  6, 10, 13,
     15, 3, 5,  8, 2, 1,  14, 7,  4,  10, 8, 13, 15, 12, 9,  0,  3,  5,  6,  11}};

/*
 * The 48 round keys in the order in which encryption uses them: encrypt with key 1, decrypt with
 * key 2, encrypt with key 3.
 */
static void tdea_expand(void *round_keys, const uint8_t *key)
{
    uint64_t *k = round_keys;
    for (int part = 0; part < 3; part++) {
        uint64_t cd = permute_bits(load_be64(key + 8 * part), 64, des_pc1, 56);
        for (int round = 0; round < 16; round++) {
            const int shift = round == 0 || round == 1 || round == 8 || round == 15 ? 1 : 2;
            uint64_t c = cd >> 28, d = cd & 0xfffffff;
            c = (c << shift | c >> (28 - shift)) & 0xfffffff;
            d = (d << shift | d >> (28 - shift)) & 0xfffffff;
            cd = c << 28 | d;
            k[16 * part + (part == 1 ? 15 - round : round)] = permute_bits(cd, 56, des_pc2, 48);
        }
    }
}

static void tdea_block(uint8_t *out, const uint8_t *in, const void *keys)
{
    const uint64_t *k = keys;
    uint8_t inverse[64];
    for (int i = 0; i < 64; i++)
        inverse[des_ip[i] - 1] = (uint8_t)(i + 1);
    const uint64_t start = permute_bits(load_be64(in), 64, des_ip, 64);
    uint32_t left = (uint32_t)(start >> 32), right = (uint32_t)start;
    for (int i = 0; i < 48; i++) {
        uint64_t sum = 0;
        /* the six bits 4j .. 4j + 5 of the right half, cyclically, and the key's */
        for (int j = 0; j < 8; j++) {
            const int rotate = (27 - 4 * j + 32) % 32;
            const uint32_t expanded =
                (right >> rotate | (rotate != 0 ? right << (32 - rotate) : 0)) & 63;
            const uint32_t six = expanded ^ (uint32_t)(k[i] >> (42 - 6 * j) & 63);
            sum = sum << 4 | des_s[j][((six >> 4 & 2) | (six & 1)) * 16 + (six >> 1 & 15)];
        }
        const uint32_t f = (uint32_t)permute_bits(sum, 32, des_p, 32);
        const uint32_t next = left ^ f;
        left = right;
        right = next;
        /* each pass ends with the halves exchanged; the permutations between passes cancel */
        if (i % 16 == 15) {
            right = left;
            left = next;
        }
    }
    store_be64(out, permute_bits((uint64_t)left << 32 | right, 64, inverse, 64));
}

#define REFERENCE(id, size)                                                                        \
    static void id##_encrypt(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)     \
    {                                                                                              \
        for (; groups > 0; groups--, in += size, out += size)                                      \
            id##_block(out, in, keys);                                                             \
    }                                                                                              \
    static void id##_ctr(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,         \
                         const void *keys)                                                         \
    {                                                                                              \
        for (; groups > 0; groups--, in += size, out += size) {                                    \
            uint8_t stream[size];                                                                  \
            id##_block(stream, counter, keys);                                                     \
            xor_bytes(out, in, stream, size);                                                      \
            for (int i = size - 1; i >= 0 && ++counter[i] == 0; i--)                               \
                continue;                                                                          \
        }                                                                                          \
    }                                                                                              \
    static const hanji_kernel id##_kernels[] = {                                                   \
        {.name = #id "_encrypt",                                                                   \
         .operation = HANJI_ENCRYPT,                                                               \
         .group = 1,                                                                               \
         .align = 1,                                                                               \
         .run.blocks = id##_encrypt},                                                              \
        {.name = #id "_ctr", .operation = HANJI_CTR, .group = 1, .align = 1, .run.ctr = id##_ctr}, \
        {.name = NULL}};

REFERENCE(aes, 16)
REFERENCE(tdea, 8)

static const hanji_cipher ciphers[] = {
    {.name = "aes-128",
     .block_bytes = 16,
     .key_bytes = 16,
     .limit_log2 = 48,
     .ctx_bytes = sizeof(hanji_any_block_ctx),
     .expand = aes_expand,
     .kernels = aes_kernels},
    {.name = "tdea",
     .block_bytes = 8,
     .key_bytes = 24,
     .limit_log2 = 20,
     .ctx_bytes = sizeof(hanji_any_block_ctx),
     .expand = tdea_expand,
     .kernels = tdea_kernels},
};
_Static_assert(sizeof(aes_keys) <= sizeof(uint64_t[HANJI_SIMON128_256_ROUND_KEYS]),
               "the context must hold the AES key");
_Static_assert(48 <= HANJI_SIMON128_256_ROUND_KEYS, "the context must hold the TDEA key");

const hanji_cipher *reference_cipher_find(const char *name)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++)
        if (text_equal(ciphers[i].name, name))
            return &ciphers[i];
    return NULL;
}
