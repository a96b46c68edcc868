/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All bytes of a phase and their padding; a permutation behind every whole block, which goes by
 * words that may have any address. `out` is NULL for what is absorbed only.
 */
static NOINLINE void ascon_phase(uint32_t *s, uint8_t *out, const uint8_t *in, size_t bytes,
                                 uint8_t rate, uint8_t rounds, size_t seal)
{
    uint8_t *at = (uint8_t *)s;
    for (; bytes >= rate; bytes -= rate) {
        uint32_t *w = s;
        do {
            uint32_t given, made;
            memcpy(&given, in, 4);
            in += 4;
            made = *w ^ given;
            if (out != NULL) {
                memcpy(out, &made, 4);
                out += 4;
                if (!seal)
                    made = given;
            }
            *w++ = made;
        } while ((uint8_t *)w != at + rate);
        ascon_permute(s, rounds);
    }
    for (; bytes > 0; bytes--) {
        const uint8_t given = *in++;
        uint8_t made = *at ^ given;
        if (out != NULL) {
            *out++ = made;
            if (!seal)
                made = given;
        }
        *at++ = made;
    }
    *at ^= 1;
}
