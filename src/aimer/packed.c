/* SPDX-License-Identifier: Apache-2.0 */
/* From the contract of the kernels over shares to kernels whose arguments fit in registers. */
#include "aimer/aimer_packed.h"

#include "support/bytes.h"
#include "support/cpu.h"

#ifdef HANJI_X86

void hanji_aimer_packed_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride, size_t octets, const void *matrix,
                              uint32_t words, int accumulate)
{
    hanji_aimer_avx512_apply(out, in, octets, matrix, SHAPE(words, accumulate != 0, out_stride, 0, in_stride, 0));
}

void hanji_aimer_packed_products(uint64_t *out, size_t out_stride, const uint64_t *base, size_t base_stride, const hanji_term *terms, uint32_t count,
                                 size_t octets, uint32_t words)
{
    static const uint64_t zero[HANJI_OCTET * AIMER_WORDS_MAX] = {0};
    if (base == NULL) {
        base = zero;
        base_stride = 0;
    }
    /* Terms that lie at one distance go together; there are seldom others. */
    for (uint32_t done = 0; done < count;) {
        const hanji_term *first = terms + done;
        const uintptr_t distance = count - done > 1 ? (uintptr_t)first[1].in - (uintptr_t)first->in : 0;
        uint32_t now = 1;
        while (done + now < count && first[now].stride == first->stride && distance < sizeof(uint64_t) * 4096 &&
               (uintptr_t)first[now].in - (uintptr_t)first[now - 1].in == distance &&
               first[now].coefficient == first->coefficient + (size_t)words * now)
            now++;
        hanji_aimer_avx512_products(out, base, first->in, first->coefficient, octets,
                                    SHAPE(words, now, out_stride, base_stride, first->stride, distance / sizeof(uint64_t) & 4095));
        base = out;
        base_stride = out_stride;
        done += now;
    }
}

#endif
