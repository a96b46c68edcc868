/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keccak-f[1600] (FIPS 202, section 3) over 32-bit halves, the low one first. Every step is a loop;
 * on an AVR lanes are rotated by bytes first.
 */
typedef uint32_t keccak_half;
static const uint8_t keccak_pi[24] IN_FLASH = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                               15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

#ifdef __AVR__
#define KECCAK_PI(i) pgm_read_byte(keccak_pi + (i))

/* to = rotl(from, by) */
static inline void keccak_rotate(uint8_t *to, const uint8_t *from, uint8_t by)
{
    uint8_t i, at = by >> 3;
    for (i = 0; i < 8; i++)
        to[at++ & 7] = from[i];
    for (by &= 7; by > 0; by--) {
        uint8_t carry = to[7] >> 7;
        for (i = 0; i < 8; i++) {
            const uint8_t next = to[i] >> 7;
            to[i] = (uint8_t)(to[i] << 1 | carry);
            carry = next;
        }
    }
}

static inline void keccak_move(keccak_half *s)
{
    keccak_half lane[2], next[2];
    uint8_t by = 0;
    memcpy(lane, s + 2, 8);
    for (uint8_t i = 0; i < 24; i++) {
        keccak_half *to = s + 2 * KECCAK_PI(i);
        by = (uint8_t)(by + i + 1) & 63;
        memcpy(next, to, 8);
        keccak_rotate((uint8_t *)to, (const uint8_t *)lane, by);
        memcpy(lane, next, 8);
    }
}
#else
static inline void keccak_move(keccak_half *s)
{
    keccak_half low = s[2], high = s[3];
    uint32_t by = 0; /* of 64; no lane but the first is rotated by a multiple of 32 */
    for (uint32_t i = 0; i < 24; i++) {
        keccak_half *to = s + 2 * keccak_pi[i];
        const keccak_half l = to[0], h = to[1];
        by += i + 1;
        if ((by & 32) != 0) {
            const keccak_half swapped = low;
            low = high;
            high = swapped;
        }
        to[0] = low << (by & 31) | high >> (32 - (by & 31));
        to[1] = high << (by & 31) | low >> (32 - (by & 31));
        low = l;
        high = h;
    }
}
#endif

static NOINLINE void keccak_permute(keccak_half *s)
{
    uint16_t bits = 1;
    for (uint8_t round = 0; round < 24; round++) {
        keccak_half c[14];
        uint8_t i, j;
        for (i = 0; i < 10; i++)
            c[i + 2] = s[i] ^ s[i + 10] ^ s[i + 20] ^ s[i + 30] ^ s[i + 40];
        memcpy(c, c + 10, 8);
        memcpy(c + 12, c + 2, 8);
        for (i = 0; i < 10; i = (uint8_t)(i + 2)) {
            const keccak_half d0 = c[i] ^ (c[i + 4] << 1 | c[i + 5] >> 31),
                              d1 = c[i + 1] ^ (c[i + 5] << 1 | c[i + 4] >> 31);
            for (j = i; j < 50; j = (uint8_t)(j + 10)) {
                s[j] ^= d0;
                s[j + 1] ^= d1;
            }
        }
        keccak_move(s);
        keccak_half *row = s;
        for (i = 0; i < 10; row += (i++ & 1) != 0 ? 9 : 1) {
            const keccak_half a = row[0], b = row[2], d = row[6], e = row[8];
            row[0] ^= ~b & row[4];
            row[2] ^= ~row[4] & d;
            row[4] ^= ~d & e;
            row[6] ^= ~e & a;
            row[8] ^= ~a & b;
        }
        /* Of the constant only the bits 2^j - 1 may be set, by the bits of a shift register. */
        for (j = 1; j < 128; j = (uint8_t)(j << 1)) {
            bits = (uint16_t)(bits << 1);
            if ((bits & 0x100) != 0)
                bits ^= 0x171;
            if ((bits >> 1 & 1) != 0) {
                uint8_t *at = (uint8_t *)s + ((j - 1) >> 3);
                *at = (uint8_t)(*at ^ 1 << ((j - 1) & 7));
            }
        }
    }
}
