/* SPDX-License-Identifier: Apache-2.0 */
/* CTR of a text in host memory under one key, in chunks. */
#include "gpu/work.h"

static int run_chunks(keyed *k, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                      int direct, pipeline *p)
{
    context *c = k->c;
    while (bytes > 0) {
        const size_t now = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
        slot *s;
        int rc = hanji_gpu_pipeline_next(p, &s);
        if (rc != HANJI_OK)
            return rc;
        if (s->host != NULL) /* not direct */
            hanji_gpu_copy_host(c, s->host, in, now);
        TRY(c->driver.to_device(s->device, direct ? in : s->host, now, s->stream),
            "data cannot be copied to the device");
        rc = hanji_gpu_run_all(k, CTR, s->device, s->device, now, counter, s->stream);
        if (rc != HANJI_OK)
            return rc;
        TRY(c->driver.to_host(direct ? out : s->host, s->device, now, s->stream),
            "data cannot be copied from the device");
        if (!direct) {
            s->deliveries[0].to = out;
            s->deliveries[0].at = 0;
            s->deliveries[0].bytes = now;
        }
        in += now;
        out += now;
        bytes -= now;
    }
    return hanji_gpu_pipeline_finish(p);
}

int hanji_gpu_run_ctr_host(keyed *k, uint8_t *out, const uint8_t *in, size_t bytes,
                           uint8_t *counter)
{
    pipeline p;
    const size_t chunk = bytes < CHUNK_BYTES ? (bytes + VECTOR - 1) / VECTOR * VECTOR : CHUNK_BYTES;
    const int direct =
        hanji_gpu_is_locked(k->c, out, bytes) && hanji_gpu_is_locked(k->c, in, bytes);
    int rc = hanji_gpu_pipeline_open(&p, k->c, chunk, (bytes + chunk - 1) / chunk, !direct);
    if (rc == HANJI_OK)
        rc = run_chunks(k, out, in, bytes, counter, direct, &p);
    hanji_gpu_pipeline_close(&p);
    return rc;
}
