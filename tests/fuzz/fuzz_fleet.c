/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleet calls with offsets, strides and sizes from the input: refused, or every message equals its
 * single call; the buffers are exactly as large as said.
 */
#include "hanji/hanji.h"
#include "input.h"

enum { MESSAGES_MAX = 9 };

/* Mostly small steps up, sometimes anything. */
static void take_offsets(int64_t *offsets, size_t n, fuzz_input *in)
{
    offsets[0] = take_byte(in) % 8;
    for (size_t i = 1; i <= n; i++) {
        const uint8_t step = take_byte(in);
        /* the step before may have been to the end of the range */
        offsets[i] = (int64_t)((uint64_t)offsets[i - 1] + step % 64);
        if (step == 0xff)
            take_into((uint8_t *)&offsets[i], sizeof offsets[i], in);
    }
}

/* Offsets are in order and their end is small enough to have such a buffer here. */
static int sound(const int64_t *offsets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (offsets[i + 1] < offsets[i])
            return 0;
    return offsets[0] >= 0 && offsets[n] < 4096;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const unsigned which = take_byte(&in) % 3;
    const size_t n = take_byte(&in) % (MESSAGES_MAX + 1);
    const hanji_cipher *cipher = which == 0   ? NULL
                                 : which == 1 ? hanji_speck64_128()
                                              : hanji_cham128_128();
    const size_t stride = take_byte(&in) % 40, nonce_bytes = take_byte(&in) % 40,
                 tag_bytes = take_byte(&in) % 20;
    const int with_ad = take_byte(&in) & 1;
    int64_t offsets[MESSAGES_MAX + 1], ad_offsets[MESSAGES_MAX + 1];
    int8_t status[MESSAGES_MAX];
    take_offsets(offsets, n, &in);
    take_offsets(ad_offsets, n, &in);
    /* Unsound offsets must be refused before anything is read: give them buffers of no size. */
    const size_t end = sound(offsets, n) ? (size_t)offsets[n] : 0,
                 ad_end = sound(ad_offsets, n) ? (size_t)ad_offsets[n] : 0;
    uint8_t *input = exactly(NULL, end), *output = exactly(NULL, end), *ad = exactly(NULL, ad_end),
            *tags = exactly(NULL, n * tag_bytes);
    uint8_t *keys = exactly(NULL, stride == 0 || n == 0 ? 16 : (n - 1) * stride + 16),
            *nonces = exactly(NULL, n * nonce_bytes);
    take_into(input, end, &in);
    take_into(ad, ad_end, &in);
    take_into(keys, stride == 0 || n == 0 ? 16 : (n - 1) * stride + 16, &in);
    take_into(nonces, n * nonce_bytes, &in);
    memset(output, 0xaa, end);
    if ((end == 0 && !sound(offsets, n)) || (with_ad && !sound(ad_offsets, n))) {
        hanji_fleet wrong = {.messages = n,
                             .offsets = offsets,
                             .input = input,
                             .output = output,
                             .ad_offsets = with_ad ? ad_offsets : NULL,
                             .ad = ad,
                             .keys = keys,
                             .key_stride = stride,
                             .nonces = nonces,
                             .nonce_bytes = nonce_bytes,
                             .tags = tags,
                             .tag_bytes = tag_bytes,
                             .status = status};
        /*
         * In order but too large for a buffer of ours: such a call would be the caller's lie about
         * memory, so it is not made.
         */
        int ordered = offsets[0] >= 0 && (!with_ad || ad_offsets[0] >= 0);
        for (size_t i = 0; i < n; i++)
            ordered &=
                offsets[i + 1] >= offsets[i] && (!with_ad || ad_offsets[i + 1] >= ad_offsets[i]);
        if (!ordered && n > 0)
            MUST((cipher == NULL ? hanji_schwaemm256_128_fleet_encrypt(&wrong)
                                 : hanji_eax_fleet_encrypt(&wrong, cipher)) < 0);
        goto done;
    }
    hanji_fleet fleet = {.messages = n,
                         .offsets = offsets,
                         .input = input,
                         .output = output,
                         .ad_offsets = with_ad ? ad_offsets : NULL,
                         .ad = ad,
                         .keys = keys,
                         .key_stride = stride,
                         .nonces = nonces,
                         .nonce_bytes = nonce_bytes,
                         .tags = tags,
                         .tag_bytes = tag_bytes,
                         .status = status,
                         .limit = UINT64_MAX};
    const int64_t failed = cipher == NULL ? hanji_schwaemm256_128_fleet_encrypt(&fleet)
                                          : hanji_eax_fleet_encrypt(&fleet, cipher);
    if (failed < 0)
        goto done;
    MUST(failed == 0);
    fleet.input = output;
    if (n > 0 && tag_bytes > 0)
        tags[0] ^= 1;
    const int64_t refused = cipher == NULL ? hanji_schwaemm256_128_fleet_decrypt(&fleet)
                                           : hanji_eax_fleet_decrypt(&fleet, cipher);
    MUST(refused == (n > 0));
    for (size_t i = 0; i < n; i++) {
        const size_t at = (size_t)offsets[i], bytes = (size_t)(offsets[i + 1] - offsets[i]);
        MUST(status[i] == (i == 0 ? HANJI_E_TAG : HANJI_OK));
        MUST(i == 0 ? is_zero(output + at, bytes)
                    : bytes == 0 || memcmp(output + at, input + at, bytes) == 0);
    }
done:
    free(input);
    free(output);
    free(ad);
    free(tags);
    free(keys);
    free(nonces);
    return 0;
}
