/* SPDX-License-Identifier: Apache-2.0 */
/* CHAM-64/128 (Roh et al., ICISC 2019: 88 rounds). */
typedef hanji_cham64_128_ctx cipher_ctx;

#ifdef __AVR__
static inline uint16_t cham_rol_1(uint16_t v)
{
    __asm__("lsl %A0\n rol %B0\n adc %A0, __zero_reg__" : "+r"(v));
    return v;
}

static inline uint16_t cham_rol_8(uint16_t v)
{
    return (uint16_t)(v << 8) | v >> 8;
}

/* The key is where the first eight round keys come. */
static NOINLINE void cipher_expand(cipher_ctx *ctx)
{
    uint16_t *keys = ctx->round_keys;
    for (uint8_t other = 9; keys != ctx->round_keys + 8; keys++, other ^= 14) {
        const uint16_t k = *keys, by_1 = cham_rol_1(k), t = k ^ by_1;
        *keys = t ^ cham_rol_8(k);
        keys[other] = t ^ cham_rol_8(cham_rol_1(cham_rol_1(by_1)));
    }
}

/* Two rounds in a loop; behind them the words have moved on by two. */
static @ONCE@ void cipher_block(uint32_t *out, const uint32_t *in, const cipher_ctx *ctx)
{
    typedef uint16_t __attribute__((may_alias)) word;
    const word *from = (const word *)in;
    word *to = (word *)out;
    uint16_t a = from[0], b = from[1], c = from[2], d = from[3], sum;
    uint8_t i;
    const uint16_t *keys = ctx->round_keys;
    __asm__ __volatile__("ldi %[i], 0\n"
                         "1: movw %A[sum], %A[b]\n"
                         "lsl %A[sum]\n"
                         "rol %B[sum]\n"
                         "adc %A[sum], __zero_reg__\n"
                         "ld __tmp_reg__, Z+\n"
                         "eor %A[sum], __tmp_reg__\n"
                         "ld __tmp_reg__, Z+\n"
                         "eor %B[sum], __tmp_reg__\n"
                         "eor %A[a], %[i]\n"
                         "add %A[sum], %A[a]\n"
                         "adc %B[sum], %B[a]\n"
                         "mov %A[a], %B[sum]\n"
                         "mov %B[a], %A[sum]\n"
                         "inc %[i]\n"
                         "ld %A[sum], Z+\n"
                         "ld %B[sum], Z+\n"
                         "eor %A[sum], %B[c]\n"
                         "eor %B[sum], %A[c]\n"
                         "eor %A[b], %[i]\n"
                         "add %A[b], %A[sum]\n"
                         "adc %B[b], %B[sum]\n"
                         "lsl %A[b]\n"
                         "rol %B[b]\n"
                         "adc %A[b], __zero_reg__\n"
                         "inc %[i]\n"
                         "movw %A[sum], %A[a]\n"
                         "movw %A[a], %A[c]\n"
                         "movw %A[c], %A[sum]\n"
                         "movw %A[sum], %A[b]\n"
                         "movw %A[b], %A[d]\n"
                         "movw %A[d], %A[sum]\n"
                         "mov %A[sum], %[i]\n"
                         "andi %A[sum], 15\n"
                         "brne 2f\n"
                         "sbiw %A[keys], 32\n"
                         "2: cpi %[i], 88\n"
                         "brne 1b"
                         : [i] "=&d"(i), [sum] "=&d"(sum), [a] "+r"(a), [b] "+r"(b),
                           [c] "+r"(c), [d] "+r"(d), [keys] "+z"(keys)
                         :
                         : "memory");
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
}
#else
/*
 * A word twice, side by side, from its 16 lower bits: shifted right, it is a word rotated right, in
 * its 16 lower bits.
 */
static inline uint32_t cham_twice(uint32_t v)
{
#ifdef __thumb2__
    __asm__("bfi %0, %0, #16, #16" : "+r"(v));
    return v;
#else
    return v << 16 | (uint16_t)v;
#endif
}

#ifdef __ARM_FEATURE_DSP
/* The upper halves of two words, side by side. */
static inline uint32_t cham_upper(uint32_t a, uint32_t b)
{
    uint32_t both;
    __asm__("pkhtb %0, %1, %2, asr #16" : "=r"(both) : "r"(a), "r"(b));
    return both;
}
#endif

/* The key is where the first eight round keys come. */
static NOINLINE void cipher_expand(cipher_ctx *ctx)
{
    uint16_t *keys = ctx->round_keys;
    __asm__("" : "+r"(keys)); /* not as what lies before them, and a constant in every use */
    for (unsigned j = 0; j < 16; j += 2) { /* in bytes */
        uint16_t *at = (uint16_t *)((uint8_t *)keys + j);
        const uint32_t k = cham_twice(*at), t = k ^ k >> 15;
        uint32_t first = t ^ k >> 8, second = t ^ k >> 5;
        __asm__("" : "+r"(first), "+r"(second)); /* no need to cut t */
        *at = (uint16_t)first;
        *(uint16_t *)((uint8_t *)keys + (j ^ 18)) = (uint16_t)second;
    }
}

#ifdef ARMV6M
/*
 * Two rounds in a loop; behind them the words have moved on by two. A carry takes the upper bit of
 * a word around to its lower end. Of a sum the 16 lower bits count.
 */
static @ONCE@ void cipher_block(uint32_t *out, const uint32_t *in, const cipher_ctx *ctx)
{
    uint32_t low = in[0], high = in[1], i, left, keys, other;
    const uint16_t *all = ctx->round_keys;
    __asm__ __volatile__(".syntax unified\n"
                         "movs %[i], #0\n"
                         "1: lsls %[keys], %[i], #28\n"
                         "lsrs %[keys], #27\n"
                         "ldr %[keys], [%[all], %[keys]]\n"
                         "lsrs %[left], %[low], #16\n"
                         "lsls %[other], %[low], #1\n"
                         "adcs %[left], %[left]\n"
                         "eors %[left], %[keys]\n"
                         "eors %[low], %[i]\n"
                         "adds %[left], %[low]\n"
                         "rev16 %[left], %[left]\n"
                         "uxth %[left], %[left]\n"
                         "adds %[i], #1\n"
                         "lsrs %[low], #16\n"
                         "eors %[low], %[i]\n"
                         "lsrs %[keys], #16\n"
                         "rev16 %[other], %[high]\n"
                         "eors %[keys], %[other]\n"
                         "adds %[keys], %[low]\n"
                         "lsls %[other], %[keys], #17\n"
                         "adcs %[keys], %[keys]\n"
                         "lsls %[keys], #16\n"
                         "movs %[low], %[high]\n"
                         "adds %[high], %[left], %[keys]\n"
                         "adds %[i], #1\n"
                         "cmp %[i], #88\n"
                         "bne 1b"
                         : [low] "+l"(low), [high] "+l"(high), [i] "=&l"(i), [left] "=&l"(left),
                           [keys] "=&l"(keys), [other] "=&l"(other)
                         : [all] "l"(all)
                         : "cc", "memory");
    out[0] = low;
    out[1] = high;
}
#else
static @ONCE@ void cipher_block(uint32_t *out, const uint32_t *in, const cipher_ctx *ctx)
{
    uint32_t low = in[0], high = in[1];
    unsigned by = 15; /* of the second word; then 8 of the sum, and the other way round */
    const uint16_t *keys = ctx->round_keys;
    __asm__("" : "+r"(keys));
    for (unsigned i = 0; i < 88; i++) {
#ifdef __ARM_FEATURE_DSP
        const uint32_t second = cham_upper(low, low);
        uint32_t sum = (second >> by ^ keys[i & 15]) + (low ^ i);
        by ^= 7;
        sum = cham_twice(sum);
        __asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(low) : "r"(second), "r"(high));
        high = cham_upper(sum >> by | sum << (32 - by), high);
#else
        uint32_t second = low >> 16;
        __asm__("" : "+r"(second));
        uint32_t sum = ((second | second << 16) >> by ^ keys[i & 15]) + (low ^ i);
        by ^= 7;
        sum = cham_twice(sum) >> by;
        low = second | high << 16;
        high = high >> 16 | sum << 16;
#endif
    }
    out[0] = low;
    out[1] = high;
}
#endif
#endif
