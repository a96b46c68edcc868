/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleets whose arrays lie in device memory: messages of one length get offsets that the context
 * keeps, as many in a launch as there are offsets.
 */
#include "gpu/work.h"

/* So many messages in a launch: those without offsets take what the context keeps. */
static size_t in_a_launch(size_t messages, int equal)
{
    return equal && messages > EQUAL_MAX ? EQUAL_MAX : messages;
}

int hanji_gpu_ctr_on_device(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                            size_t length, cu_handle stream)
{
    const int equal = a.offsets == 0;
    if (equal && length == cipher->block_bytes && (a.out | a.in) % VECTOR == 0)
        return hanji_gpu_run_fleet(c, r, cipher, a, stream);
    int rc = HANJI_OK;
    if (equal)
        rc = hanji_gpu_equal_offsets(c, &a.offsets, length, in_a_launch(a.messages, 1));
    while (a.messages > 0 && rc == HANJI_OK) {
        fleet_arrays now = a;
        now.messages = in_a_launch(a.messages, equal);
        rc = hanji_gpu_run_fleet(c, r, cipher, now, stream);
        hanji_gpu_skip(&a, now.messages, length, cipher);
    }
    return rc;
}

int hanji_gpu_sponge_on_device(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                               cu_handle stream)
{
    hanji_gpu_sponge a = *arrays;
    const size_t n = a.messages;
    const int equal = a.offsets == 0, ad_equal = a.ad_offsets == 0;
    int rc = HANJI_OK;
    if (equal)
        rc = hanji_gpu_equal_offsets(c, &a.offsets, a.length, in_a_launch(n, 1));
    if (ad_equal && rc == HANJI_OK)
        rc = hanji_gpu_equal_offsets(c, &a.ad_offsets, a.ad_length, in_a_launch(n, 1));
    for (size_t done = 0; done < n && rc == HANJI_OK; done += a.messages) {
        a.messages = in_a_launch(n - done, equal || ad_equal);
        rc = hanji_gpu_run_sponge(c, aead, &a, open, stream);
        a.keys += SPONGE_KEY * a.messages;
        a.nonces += hanji_gpu_sponges[aead].nonce_bytes * a.messages;
        a.tags += SPONGE_TAG * a.messages;
        a.status += a.messages;
        if (equal) {
            a.out += a.length * a.messages;
            a.in += a.length * a.messages;
        } else {
            a.offsets += 8 * a.messages;
        }
        if (ad_equal)
            a.ad += a.ad_length * a.messages;
        else
            a.ad_offsets += 8 * a.messages;
    }
    return rc;
}
