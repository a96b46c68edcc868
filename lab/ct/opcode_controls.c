/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controls of the opcode scan: functions named leak_... must be caught, functions named quiet_...
 * must not.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

void leak_gather(uint32_t *out, const uint32_t *box, const uint32_t *secret)
{
    _mm512_storeu_si512(
        out, _mm512_i32gather_epi32(
                 _mm512_and_epi32(_mm512_loadu_si512(secret), _mm512_set1_epi32(15)), box, 4));
}

int leak_branch_on_comparison(uint32_t *out, const uint32_t *secret)
{
    if (_mm512_cmpeq_epi32_mask(_mm512_loadu_si512(secret), _mm512_setzero_si512()) != 0)
        out[0] = 1;
    return 0;
}

void leak_branch_on_word(uint32_t *out, const uint32_t *secret)
{
    if ((secret[3] & 1) != 0)
        out[0] += 5;
}

void leak_index_by_word(uint8_t *out, const uint8_t *box, const uint32_t *secret)
{
    out[0] = box[secret[1] & 15];
}

void leak_index_by_lane(uint8_t *out, const uint8_t *box, const uint32_t *secret)
{
    out[0] = box[_mm512_reduce_add_epi32(_mm512_loadu_si512(secret)) & 15];
}

void quiet_xor(uint8_t *out, const uint8_t *in, size_t groups, const uint32_t *keys)
{
    for (; groups > 0; groups--, in += 64, out += 64) {
        __m512i v = _mm512_loadu_si512(in);
        for (int i = 0; i < 27; i++)
            v = _mm512_rol_epi32(_mm512_xor_si512(v, _mm512_set1_epi32((int)keys[i])), 3);
        _mm512_storeu_si512(out, v);
    }
}

void quiet_short_words(uint8_t *out, const uint8_t *in, size_t groups, const uint16_t *keys)
{
    for (; groups > 0; groups--, in += 64, out += 64) {
        __m512i v = _mm512_loadu_si512(in);
        for (int i = 0; i < 22; i++)
            v = _mm512_xor_si512(_mm512_slli_epi16(v, 3),
                                 _mm512_add_epi16(v, _mm512_set1_epi16((short)keys[i])));
        _mm512_storeu_si512(out, v);
    }
}

void quiet_mask(uint32_t *out, const uint32_t *secret)
{
    const __m512i v = _mm512_loadu_si512(secret);
    _mm512_storeu_si512(
        out, _mm512_mask_sub_epi32(v, _mm512_testn_epi32_mask(v, v), v, _mm512_set1_epi32(1)));
}

/* What a comparison in vectors finds, outside of them. */
void leak_mask_in_a_branch(uint32_t *out, const uint32_t *secret)
{
    const __m512i v = _mm512_loadu_si512(secret);
    if (_mm512_test_epi64_mask(v, v) != 0)
        out[0] = 7;
}

void leak_mask_in_an_address(uint32_t *out, const uint32_t *secret)
{
    const __m512i v = _mm512_loadu_si512(secret);
    out[_mm512_test_epi64_mask(v, v)] = 7;
}
