/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All bytes of a phase and their padding; a permutation behind every whole block. `out` is NULL for
 * what is absorbed only.
 */
static NOINLINE void ascon_phase(uint32_t *s, uint8_t *out, const uint8_t *in, size_t bytes,
                                 uint8_t rate, uint8_t constant, size_t seal)
{
    uint8_t *at = (uint8_t *)s;
    unsigned left = rate;
    for (; bytes > 0; bytes--) {
        const uint8_t given = *in++;
        uint8_t made = *at ^ given;
        if (out != NULL) {
            *out++ = made;
            if (!seal)
                made = given;
        }
        *at++ = made;
        if (--left == 0) {
            ascon_permute(s, constant);
            left = rate;
            at -= rate;
        }
    }
    *at ^= 1;
}
