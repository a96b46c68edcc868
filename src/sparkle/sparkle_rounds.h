/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of SPARKLE (Beierle et al., specification v1.2, section 2.1) on words of 32 bits: a
 * W(word) is a word in portable C and a vector of words, one of each state, in the kernels of
 * processors with vectors. Whoever includes this has included the words before, and says in
 * UNROLL how loops over branches unroll.
 */
/* The constants of the ARX-boxes and of the steps (section 2.1.1). */
#undef SPARKLE_CONSTANTS
#define SPARKLE_CONSTANTS                                                                   \
    {                                                                                       \
        0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738, 0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, \
            0xc2b3293d                                                                      \
    }

/* The ARX-box: four rounds with rotations (31, 24), (17, 17), (0, 31), (24, 16). */
#define ALZETTE_ROUND(x, y, r, s, c)       \
    (x) += (r) == 0 ? (y) : W(rotr)(y, r); \
    (y) ^= W(rotr)(x, s);                  \
    (x) ^= (c)

/* l(v) of the linear layer: the halves (high, low) of v become (low, high xor low). */
HANJI_INLINE W(word) W(ell)(W(word) v)
{
    v ^= v << 16;
    return W(rotl)(v, 16);
}

/*
 * Steps first .. last - 1. `branches` is a constant where this is inlined, so the loops over
 * branches unroll and the state lives in registers. The linear layer swaps the halves and rotates
 * the left one by a branch.
 */
HANJI_INLINE void W(sparkle_steps)(W(word) *x, W(word) *y, uint32_t first, uint32_t last,
                                   uint32_t branches)
{
    static const uint32_t constants[8] = SPARKLE_CONSTANTS;
    const uint32_t half = branches / 2;
    for (uint32_t s = first; s < last; s++) {
        y[0] ^= W(splat)(constants[s & 7]);
        y[1] ^= W(splat)(s);
        UNROLL
        for (uint32_t j = 0; j < branches; j++) {
            const W(word) c = W(splat)(constants[j]);
            ALZETTE_ROUND(x[j], y[j], 31, 24, c);
            ALZETTE_ROUND(x[j], y[j], 17, 17, c);
            ALZETTE_ROUND(x[j], y[j], 0, 31, c);
            ALZETTE_ROUND(x[j], y[j], 24, 16, c);
        }
        W(word) tx = x[0], ty = y[0];
        UNROLL
        for (uint32_t j = 1; j < half; j++) {
            tx ^= x[j];
            ty ^= y[j];
        }
        tx = W(ell)(tx);
        ty = W(ell)(ty);
        const W(word) u0 = x[half] ^ x[0] ^ ty, v0 = y[half] ^ y[0] ^ tx;
        UNROLL
        for (uint32_t j = 0; j + 1 < half; j++) {
            const W(word) u = x[half + j + 1] ^ x[j + 1] ^ ty, v = y[half + j + 1] ^ y[j + 1] ^ tx;
            x[half + j] = x[j];
            y[half + j] = y[j];
            x[j] = u;
            y[j] = v;
        }
        x[branches - 1] = x[half - 1];
        y[branches - 1] = y[half - 1];
        x[half - 1] = u0;
        y[half - 1] = v0;
    }
}

/*
 * The same steps, when rotations are as cheap as other operations and what takes time is one
 * operation after the other. A box rotates nothing but y, which stays rotated: y ^= x >>> s is done
 * as (y <<< s) ^= x, and that rotation is beside the addition to x. Between steps y is kept as y
 * <<< 16, in which l() has no rotation. The constant and the number of a step are added where the
 * step before makes y, and the two parts of l() where branches are xored.
 */
#define ALL_BRANCHES(before_addition, before_xor) \
    UNROLL                                        \
    for (uint32_t j = 0; j < branches; j++)       \
        y[j] = W(rotr)(y[j], before_addition);    \
    UNROLL                                        \
    for (uint32_t j = 0; j < branches; j++)       \
        x[j] += y[j];                             \
    UNROLL                                        \
    for (uint32_t j = 0; j < branches; j++)       \
        y[j] = W(rotr)(y[j], before_xor);         \
    UNROLL                                        \
    for (uint32_t j = 0; j < branches; j++) {     \
        y[j] ^= x[j];                             \
        x[j] ^= W(splat)(constants[j]);           \
    }
HANJI_INLINE void W(sparkle_steps_turned)(W(word) *x, W(word) *y, uint32_t first, uint32_t last,
                                          uint32_t branches)
{
    static const uint32_t constants[8] = SPARKLE_CONSTANTS;
    static const uint32_t turned[8] = {0x5162b7e1, 0x5880bf71, 0xda5638b4, 0x7738324e,
                                       /* by 16 bits */
                                       0x85ebbb11, 0x7b574f7c, 0xa1c8cfbf, 0x293dc2b3};
    const uint32_t half = branches / 2;
    UNROLL
    for (uint32_t j = 0; j < branches; j++)
        y[j] = W(rotr)(y[j], 16);
    y[0] ^= W(splat)(turned[first & 7]);
    y[1] ^= W(splat)(first << 16);
    for (uint32_t s = first; s < last; s++) {
        ALL_BRANCHES(15, 9)
        ALL_BRANCHES(9, 30)
        ALL_BRANCHES(17, 1)
        ALL_BRANCHES(23, 24)
        W(word) tx = x[0], ty = y[0];
        UNROLL
        for (uint32_t j = 1; j < half; j++) {
            tx ^= x[j];
            ty ^= y[j];
        }
        const W(word) ux = tx << 16, uy = ty >> 16;
        W(word) u[4], v[4];
        UNROLL
        for (uint32_t j = 0; j < half; j++) {
            u[j] = x[half + j] ^ x[j];
            v[j] = y[half + j] ^ y[j];
        }
        v[1] ^= W(splat)(turned[(s + 1) & 7]);
        v[half == 2 ? 0 : 2] ^= W(splat)((s + 1) << 16);
        UNROLL
        for (uint32_t j = 0; j < half; j++) {
            x[half + j] = x[j];
            y[half + j] = y[j];
        }
        UNROLL
        for (uint32_t j = 0; j < half; j++) {
            x[j] = u[j + 1 < half ? j + 1 : 0] ^ ty ^ uy;
            y[j] = v[j + 1 < half ? j + 1 : 0] ^ tx ^ ux;
        }
    }
    y[0] ^= W(splat)(turned[last & 7]); /* of the step that does not come */
    y[1] ^= W(splat)(last << 16);
    UNROLL
    for (uint32_t j = 0; j < branches; j++)
        y[j] = W(rotr)(y[j], 16);
}
#undef ALL_BRANCHES
