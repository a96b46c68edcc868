/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key streams of AES-256 in counter mode with VAES: 16 blocks in four vectors at a time. libcrypto
 * of OpenSSL 3.0 enciphers one block per instruction, a quarter of that, and keying a context of it
 * costs more than a short stream.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#include "rainbow/stream.h"

#include <immintrin.h>

#define ROUNDS 14

/*
 * FIPS 197, section 5.2. The last word is replaced by SubWord of itself, rotated or not: AESENCLAST
 * makes it of four equal columns, which ShiftRows leaves as they are.
 */
HANJI_INLINE __m128i next_key(__m128i before, __m128i last, const int rotated, __m128i constant)
{
    const __m128i word =
        _mm_shuffle_epi8(last, rotated ? _mm_set1_epi32(0x0c0f0e0d) : _mm_set1_epi32(0x0f0e0d0c));
    before = _mm_xor_si128(before, _mm_slli_si128(before, 4));
    before = _mm_xor_si128(before, _mm_slli_si128(before, 8));
    return _mm_xor_si128(before, _mm_aesenclast_si128(word, constant));
}

// void hanji_aes256_avx512_expand(void *keys, const uint8_t *key)
/* kernel:
     spec: aes256.expand
     isa: avx512
     blocks: 1
     args: { keys: {buffer: keys, bytes: 240, access: w}, key: {buffer: key, bytes: 32, access: r} }
     aliasing: none
     stack: compiler
     secrets: keys, key
*/
void hanji_aes256_avx512_expand(void *keys, const uint8_t *key)
{
    uint8_t *out = keys;
    __m128i even = _mm_loadu_si128((const void *)key),
            odd = _mm_loadu_si128((const void *)(key + 16));
    _mm_storeu_si128((void *)out, even);
    _mm_storeu_si128((void *)(out + 16), odd);
    for (int i = 0; i < 7; i++) {
        even = next_key(even, odd, 1, _mm_set1_epi32(1 << i));
        _mm_storeu_si128((void *)(out + 32 + 32 * i), even);
        if (i == 6)
            break;
        odd = next_key(odd, even, 0, _mm_setzero_si128());
        _mm_storeu_si128((void *)(out + 48 + 32 * i), odd);
    }
}

/* The 128-bit numbers of each lane, whose upper half in `more` is zero, added. */
HANJI_INLINE __m512i add_numbers(__m512i number, __m512i more)
{
    const __m512i sum = _mm512_add_epi64(number, more);
    const __m512i carry = _mm512_maskz_set1_epi64(_mm512_cmplt_epu64_mask(sum, more), 1);
    return _mm512_add_epi64(sum, _mm512_bslli_epi128(carry, 8));
}

/* The lowest `bytes` bits, 64 at most. */
HANJI_INLINE uint64_t first_bytes(size_t bytes)
{
    return bytes >= 64 ? UINT64_MAX : ((uint64_t)1 << bytes) - 1;
}

// void hanji_aes256_avx512_stream(uint8_t *out, size_t bytes, uint8_t *counter, const void *keys)
/* kernel:
     spec: aes256.stream
     isa: avx512
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: w}, bytes: {value: bytes}, counter: {buffer: counter, bytes: 16, access: rw},
             keys: {buffer: keys, bytes: 240, access: r} }
     aliasing: none
     stack: compiler
     secrets: out, counter, keys
*/
void hanji_aes256_avx512_stream(uint8_t *out, size_t bytes, uint8_t *counter, const void *keys)
{
    const uint8_t *round_keys = keys;
    const __m512i turned =
        _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m512i four = _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4),
                  sixteen = _mm512_set_epi64(0, 16, 0, 16, 0, 16, 0, 16);
    const size_t blocks = (bytes + 15) / 16;
    const __m512i start =
        _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)counter)), turned);
    __m512i key[ROUNDS + 1], n0 = add_numbers(start, _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0)),
                             n1 = add_numbers(n0, four), n2 = add_numbers(n1, four),
                             n3 = add_numbers(n2, four);
#pragma GCC unroll 15
    for (size_t r = 0; r <= ROUNDS; r++)
        key[r] = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(round_keys + 16 * r)));
    _mm_storeu_si128(
        (void *)counter,
        _mm512_castsi512_si128(_mm512_shuffle_epi8(
            add_numbers(start, _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, (int64_t)blocks)), turned)));
    while (bytes > 0) {
        __m512i s0 = _mm512_xor_si512(_mm512_shuffle_epi8(n0, turned), key[0]),
                s1 = _mm512_xor_si512(_mm512_shuffle_epi8(n1, turned), key[0]),
                s2 = _mm512_xor_si512(_mm512_shuffle_epi8(n2, turned), key[0]),
                s3 = _mm512_xor_si512(_mm512_shuffle_epi8(n3, turned), key[0]);
#pragma GCC unroll 13
        for (size_t r = 1; r < ROUNDS; r++) {
            s0 = _mm512_aesenc_epi128(s0, key[r]);
            s1 = _mm512_aesenc_epi128(s1, key[r]);
            s2 = _mm512_aesenc_epi128(s2, key[r]);
            s3 = _mm512_aesenc_epi128(s3, key[r]);
        }
        s0 = _mm512_aesenclast_epi128(s0, key[ROUNDS]);
        s1 = _mm512_aesenclast_epi128(s1, key[ROUNDS]);
        s2 = _mm512_aesenclast_epi128(s2, key[ROUNDS]);
        s3 = _mm512_aesenclast_epi128(s3, key[ROUNDS]);
        if (bytes < 256) {
            _mm512_mask_storeu_epi8(out, first_bytes(bytes), s0);
            _mm512_mask_storeu_epi8(out + 64, bytes > 64 ? first_bytes(bytes - 64) : 0, s1);
            _mm512_mask_storeu_epi8(out + 128, bytes > 128 ? first_bytes(bytes - 128) : 0, s2);
            _mm512_mask_storeu_epi8(out + 192, bytes > 192 ? first_bytes(bytes - 192) : 0, s3);
            return;
        }
        _mm512_storeu_si512(out, s0);
        _mm512_storeu_si512(out + 64, s1);
        _mm512_storeu_si512(out + 128, s2);
        _mm512_storeu_si512(out + 192, s3);
        n0 = add_numbers(n0, sixteen);
        n1 = add_numbers(n1, sixteen);
        n2 = add_numbers(n2, sixteen);
        n3 = add_numbers(n3, sixteen);
        out += 256;
        bytes -= 256;
    }
}

#endif
