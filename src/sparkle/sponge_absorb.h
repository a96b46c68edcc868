/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a chunk goes into the states of SCHWAEMM and ESCH (Beierle et al., specification v1.2,
 * sections 2.2 and 2.3), for every lane in its own way. Included with ABSORB_WORD as a vector of
 * words, one of each lane, and as a word, of a lane outside of vectors; ABSORB(name) makes the
 * names. Sizes are in words and constants where this is inlined.
 */
HANJI_INLINE ABSORB_WORD ABSORB(choose)(ABSORB_WORD mask, ABSORB_WORD yes, ABSORB_WORD no)
{
    return (mask & yes) | (~mask & no);
}

/*
 * SCHWAEMM: the chunk d becomes what comes out. `keep` and `pad`, if not NULL: see
 * hanji_lanes_control. `fresh_state`, if not NULL: of lanes where a message begins.
 */
HANJI_INLINE void ABSORB(schwaemm)(ABSORB_WORD *s, ABSORB_WORD *d, const ABSORB_WORD *keep,
                                   const ABSORB_WORD *pad, ABSORB_WORD opened, ABSORB_WORD domain,
                                   ABSORB_WORD fresh, const ABSORB_WORD *fresh_state, uint32_t rate,
                                   uint32_t capacity)
{
    const uint32_t words = rate + capacity, half = rate / 2;
    ABSORB_WORD in[8];
    UNROLL
    for (uint32_t w = 0; w < rate; w++) {
        const ABSORB_WORD out = d[w] ^ s[w];
        in[w] = ABSORB(choose)(opened, keep != NULL ? (out & keep[w]) ^ pad[w] : out, d[w]);
        d[w] = out;
    }
    /*
     * L = FeistelSwap(L) ^ D ^ W(R), the domain being in R already; or the beginning of a message.
     */
    s[words - 1] ^= domain;
    UNROLL
    for (uint32_t i = 0; i < half; i++) {
        const ABSORB_WORD left = s[i], right = s[half + i];
        s[i] = right ^ in[i] ^ s[rate + i];
        s[half + i] = right ^ left ^ in[half + i] ^ s[rate + (rate > capacity ? i : half + i)];
    }
    if (fresh_state == NULL)
        return;
    UNROLL
    for (uint32_t w = 0; w < words; w++)
        s[w] = ABSORB(choose)(fresh, fresh_state[w], s[w]);
}

/* l(v) of the linear layer. */
HANJI_INLINE ABSORB_WORD ABSORB(ell)(ABSORB_WORD v)
{
    v ^= v << 16;
    return v << 16 | v >> 16;
}

/* ESCH: inject the chunk d of four words into the left half. */
HANJI_INLINE void ABSORB(esch)(ABSORB_WORD *s, const ABSORB_WORD *d, ABSORB_WORD domain,
                               ABSORB_WORD fresh, uint32_t branches)
{
    const uint32_t half = branches / 2;
    const ABSORB_WORD tx = ABSORB(ell)(d[0] ^ d[2]), ty = ABSORB(ell)(d[1] ^ d[3]);
    UNROLL
    for (uint32_t w = 0; w < 2 * branches; w++)
        s[w] &= ~fresh;
    UNROLL
    for (uint32_t j = 0; j < half; j++) {
        s[2 * j] ^= j < 2 ? d[2 * j] ^ ty : ty;
        s[2 * j + 1] ^= j < 2 ? d[2 * j + 1] ^ tx : tx;
    }
    s[2 * half - 1] ^= domain;
}
