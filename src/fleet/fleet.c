/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet.h"

#include "support/arith.h"
#include "support/bytes.h"
#include "support/cpu.h"

int hanji_fleet_check(const hanji_fleet *fleet, const hanji_fleet_shape *shape)
{
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    /* Sizes first, so that an empty fleet with impossible sizes is refused too. */
    const size_t n = fleet->messages;
    if (shape->key_bytes != 0) {
        if (fleet->key_stride != 0 && fleet->key_stride < shape->key_bytes)
            return HANJI_E_LENGTH;
        if (shape->nonce_bytes != 0 ? fleet->nonce_bytes != shape->nonce_bytes : fleet->nonce_bytes < 1)
            return HANJI_E_LENGTH;
    }
    if (shape->tag_bytes != 0 ? fleet->tag_bytes != shape->tag_bytes
                              : shape->tag_bytes_max != 0 && (fleet->tag_bytes < 1 || fleet->tag_bytes > shape->tag_bytes_max))
        return HANJI_E_LENGTH;
    const int selected = hanji_selection();
    if (selected != HANJI_OK || n == 0)
        return selected;
    if (n == SIZE_MAX || fleet->status == NULL)
        return HANJI_E_ARGUMENT;
    int rc = hanji_fleet_check_offsets(fleet->offsets, n);
    if (rc != HANJI_OK)
        return rc;
    const size_t first = (size_t)fleet->offsets[0], end = (size_t)fleet->offsets[n];
    if (end > first && fleet->input == NULL)
        return HANJI_E_ARGUMENT;
    const int has_tags = shape->tag_bytes != 0 || shape->tag_bytes_max != 0;
    const size_t tags_bytes = has_tags ? hanji_times(n, fleet->tag_bytes) : 0;
    if (has_tags && (fleet->tags == NULL || tags_bytes == SIZE_MAX))
        return HANJI_E_ARGUMENT;
    if (shape->key_bytes == 0)
        return HANJI_OK;
    if (fleet->keys == NULL || fleet->nonces == NULL || hanji_times(n, fleet->nonce_bytes) == SIZE_MAX)
        return HANJI_E_ARGUMENT;
    if (end > first && (fleet->output == NULL || overlap_partly(fleet->output, end, fleet->input, end) ||
                        (has_tags && overlap(fleet->tags, tags_bytes, fleet->output + first, end - first))))
        return HANJI_E_ARGUMENT;
    if (fleet->ad_offsets != NULL) {
        rc = hanji_fleet_check_offsets(fleet->ad_offsets, n);
        if (rc == HANJI_OK && fleet->ad == NULL && fleet->ad_offsets[n] > fleet->ad_offsets[0])
            rc = HANJI_E_ARGUMENT;
    }
    return rc;
}

int64_t hanji_fleet_run(const hanji_fleet *fleet, const hanji_fleet_job *job, const hanji_fleet_shape *shape, const hanji_kernel *kernels)
{
    hanji_fleet_item items[HANJI_GROUP_MESSAGES_MAX];
    const uint32_t features = hanji_cpu_features();
    const size_t tag_step = shape->tag_bytes != 0 || shape->tag_bytes_max != 0 ? fleet->tag_bytes : 0;
    const uint8_t *key = fleet->keys, *nonce = fleet->nonces;
    uint8_t *tag = fleet->tags;
    int64_t failed = 0;
    for (size_t i = 0; i < fleet->messages;) {
        const hanji_kernel *row = hanji_kernel_next(kernels, HANJI_FLEET, fleet->messages - i, features, HANJI_LAYOUT_CANONICAL);
        const size_t left = fleet->messages - i, count = left < row->group ? left : row->group;
        for (size_t g = 0; g < count; g++) {
            const size_t at = (size_t)fleet->offsets[i + g];
            hanji_fleet_item *item = &items[g];
            *item = (hanji_fleet_item){.bytes = (size_t)fleet->offsets[i + g + 1] - at};
            if (item->bytes > 0) {
                item->in = fleet->input + at;
                item->out = shape->key_bytes != 0 ? fleet->output + at : NULL;
            }
            if (shape->key_bytes != 0) {
                if (fleet->ad_offsets != NULL && fleet->ad_offsets[i + g + 1] > fleet->ad_offsets[i + g]) {
                    item->ad = fleet->ad + (size_t)fleet->ad_offsets[i + g];
                    item->ad_bytes = (size_t)(fleet->ad_offsets[i + g + 1] - fleet->ad_offsets[i + g]);
                }
                item->key = key;
                item->nonce = nonce;
                key += fleet->key_stride;
                nonce += fleet->nonce_bytes;
            }
            if (tag_step != 0) {
                item->tag = tag;
                tag += tag_step;
            }
            item->status = fleet->status + i + g;
        }
        row->run.fleet(items, count, job);
        for (size_t g = 0; g < count; g++)
            failed += *items[g].status != HANJI_OK;
        i += count;
    }
    return failed;
}
