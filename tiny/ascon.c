/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-p (NIST SP 800-232, section 3) over 32-bit halves, the low one first: the S-box in a loop
 * over the halves, and one phase of a message for the AEAD and for the hash.
 */
static inline __attribute__((always_inline)) uint32_t ascon_half(uint32_t low, uint32_t high,
                                                                 int by)
{
    return by < 32 ? low >> (by & 31) | high << (32 - (by & 31))
                   : high >> (by & 31) | low << (32 - (by & 31));
}

static inline __attribute__((always_inline)) void ascon_diffuse(uint32_t *x, int a, int b)
{
    const uint32_t low = x[0], high = x[1];
    x[0] = low ^ ascon_half(low, high, a) ^ ascon_half(low, high, b);
    x[1] = high ^ ascon_half(high, low, a) ^ ascon_half(high, low, b);
}

/* From the round with this constant on: 0xf0 for p[12], 0xb4 for p[8]. */
static NOINLINE void ascon_permute(uint32_t *s, uint32_t constant)
{
    do {
        s[4] ^= constant;
        uint32_t *x = s;
        do {
            const uint32_t x0 = x[0], x1 = x[2], x2 = x[4], x3 = x[6], x4 = x[8];
            const uint32_t t0 = x1 ^ x2, t1 = x0 ^ x4, t2 = x3 ^ x4;
            x[4] = (x3 | ~x4) ^ t0;
            x[6] = (x0 | t2) ^ t0;
            x[8] = (x1 & ~t1) ^ t2;
            x[0] = ((x2 ^ t1) | x1) ^ t2;
            x[2] = ((x3 ^ x1) | t0) ^ t1;
        } while (++x != s + 2);
        ascon_diffuse(s, 19, 28);
        ascon_diffuse(s + 2, 61, 39);
        ascon_diffuse(s + 4, 1, 6);
        ascon_diffuse(s + 6, 10, 17);
        ascon_diffuse(s + 8, 7, 41);
        constant -= 15;
    } while (constant != 0x3c);
}

enum { ASCON_P12 = 0xf0, ASCON_P8 = 0xb4 };
