/* SPDX-License-Identifier: Apache-2.0 */
/* SPARKLE384 (Beierle et al., specification v1.2, section 2.1), in sparkle384_@ISA@.S. */
KERNEL void hanji_sparkle384_@ISA@_x1(uint32_t *states, size_t groups, uint32_t steps);
enum { SLIM = 7, BIG = 11 };

__attribute__((unused)) static inline uint32_t ror(uint32_t v, int by)
{
    return v >> by | v << (32 - by);
}

static NOINLINE void sparkle384(uint32_t *s, uint8_t steps)
{
    hanji_sparkle384_@ISA@_x1(s, 1, steps);
}
