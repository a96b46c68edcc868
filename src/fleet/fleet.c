/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a fleet's arrays, and its messages in groups, by length, to the kernels. */
#include "fleet/fleet.h"

#include "support/arith.h"
#include "support/bytes.h"
#include "support/cpu.h"
#include "support/secret.h"

int hanji_fleet_check(const hanji_fleet *fleet, const hanji_fleet_shape *shape)
{
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    /* Sizes first, so an empty fleet with impossible sizes is refused too. */
    const size_t n = fleet->messages;
    if (shape->key_bytes != 0) {
        if (fleet->key_stride != 0 && fleet->key_stride < shape->key_bytes)
            return HANJI_E_LENGTH;
        if (!shape->mac && (shape->nonce_bytes != 0 ? fleet->nonce_bytes != shape->nonce_bytes
                                                    : fleet->nonce_bytes < 1))
            return HANJI_E_LENGTH;
    }
    if (shape->tag_bytes != 0
            ? fleet->tag_bytes != shape->tag_bytes
            : shape->tag_bytes_max != 0 &&
                  (fleet->tag_bytes < 1 || fleet->tag_bytes > shape->tag_bytes_max))
        return HANJI_E_LENGTH;
    const int selected = hanji_selection();
    if (selected != HANJI_OK || n == 0)
        return selected;
    if (n > SIZE_MAX / sizeof *fleet->offsets - 1 || fleet->status == NULL)
        return HANJI_E_ARGUMENT;
    int rc = hanji_fleet_check_offsets(fleet->offsets, n);
    if (rc != HANJI_OK)
        return rc;
    const int texts = fleet->offsets[n] > fleet->offsets[0], hashing = shape->key_bytes == 0;
    if (texts && fleet->input == NULL)
        return HANJI_E_ARGUMENT;
    if ((shape->tag_bytes != 0 || shape->tag_bytes_max != 0) && fleet->tags == NULL)
        return HANJI_E_ARGUMENT;
    if (!hashing && fleet->keys == NULL)
        return HANJI_E_ARGUMENT;
    if (!hashing && !shape->mac && (fleet->nonces == NULL || (texts && fleet->output == NULL)))
        return HANJI_E_ARGUMENT;
    if (!hashing && !shape->plain && fleet->ad_offsets != NULL) {
        rc = hanji_fleet_check_offsets(fleet->ad_offsets, n);
        if (rc == HANJI_OK && fleet->ad == NULL && fleet->ad_offsets[n] > fleet->ad_offsets[0])
            rc = HANJI_E_ARGUMENT;
        if (rc != HANJI_OK)
            return rc;
    }
    return hanji_fleet_apart(fleet, shape) ? HANJI_OK : HANJI_E_ARGUMENT;
}

#if HANJI_GROUP_MESSAGES_MAX > 1

/*
 * Messages are taken by length, the longest first, so those which share vectors end at nearly
 * the same time, and the last to be done are short. So many of a fleet at once: with fewer the
 * lengths of neighbours differ more, with more their places in memory. Lengths count up to one part
 * in 32, those of one class stay in their order.
 */
#define WINDOW 1024
#define CLASS_LOG2 5
#define CLASSES ((20 + 1) << CLASS_LOG2) /* the last is that of 32 MiB and more */

static size_t length_class(uint64_t bytes)
{
    unsigned log2 = 0;
    while (bytes >> log2 > (2u << CLASS_LOG2) - 1)
        log2++;
    const size_t class = ((size_t)log2 << CLASS_LOG2) + (size_t)(bytes >> log2);
    return class < CLASSES ? class : CLASSES - 1;
}

/*
 * Message number i of a fleet: the bytes of it and of its associated data, where the algorithm has
 * any.
 */
HANJI_INLINE uint64_t length(const hanji_fleet *fleet, size_t i, int ad)
{
    uint64_t bytes = (uint64_t)(fleet->offsets[i + 1] - fleet->offsets[i]);
    if (ad)
        bytes += (uint64_t)(fleet->ad_offsets[i + 1] - fleet->ad_offsets[i]);
    return bytes;
}

/*
 * The order of `count` messages from `first` on, at most WINDOW; 0 when all are of one length and
 * stay as they are.
 */
static int order_by_length(uint16_t *order, const hanji_fleet *fleet, size_t first, size_t count,
                           int ad)
{
    uint16_t class[WINDOW], place[CLASSES];
    uint64_t differ = 0;
    const uint64_t bytes = length(fleet, first, ad);
    for (size_t i = 1; i < count; i++)
        differ |= length(fleet, first + i, ad) ^ bytes;
    if (differ == 0)
        return 0;
    memset(place, 0, sizeof place);
    for (size_t i = 0; i < count; i++) {
        class[i] = (uint16_t)length_class(length(fleet, first + i, ad));
        place[class[i]]++;
    }
    uint16_t before = 0;
    for (size_t c = CLASSES; c-- > 0;) {
        const uint16_t here = place[c];
        place[c] = before;
        before = (uint16_t)(before + here);
    }
    for (size_t i = 0; i < count; i++)
        order[place[class[i]]++] = (uint16_t)i;
    return 1;
}

#else
#define WINDOW 1
#define order_by_length(order, fleet, first, count, ad) ((void)(order), (void)(ad), 0)
#endif

#if HANJI_GROUP_MESSAGES_MAX > 1
int64_t hanji_fleet_run_singly(const hanji_fleet *fleet, const hanji_fleet_job *job,
                               const hanji_fleet_shape *shape, hanji_fleet_fn *single)
{
    const int64_t failed = hanji_fleet_each(fleet, job, shape, single);
    if (!shape->plain) /* CTR erases its own */
        hanji_wipe_stack_shallow();
    return failed;
}
#endif

#if HANJI_GROUP_MESSAGES_MAX > 1
size_t hanji_fleet_uniform_groups(const hanji_fleet *fleet, size_t first, size_t group)
{
    const int64_t *offsets = fleet->offsets + first;
    const size_t left = fleet->messages - first;
    const int64_t bytes = offsets[1] - offsets[0];
    size_t count = 1;
    while (count < left && offsets[count + 1] - offsets[count] == bytes)
        count++;
    return count < group ? 0 : hanji_quotient(count, group);
}

/* Messages from `first` to before `end`, as a fleet. */
static hanji_fleet part_of(const hanji_fleet *fleet, size_t first, size_t end)
{
    hanji_fleet part = *fleet;
    part.messages = end - first;
    part.offsets += first;
    part.status += first;
    if (part.keys != NULL)
        part.keys += first * fleet->key_stride;
    if (part.nonces != NULL)
        part.nonces += first * fleet->nonce_bytes;
    if (part.tags != NULL)
        part.tags += first * fleet->tag_bytes;
    if (part.ad_offsets != NULL)
        part.ad_offsets += first;
    return part;
}

int64_t hanji_fleet_run_uniform(const hanji_fleet *fleet, const hanji_fleet_job *job,
                                const hanji_fleet_shape *shape, const hanji_kernel *row,
                                hanji_fleet_uniform_fn *uniform, hanji_fleet_ragged_fn *ragged)
{
    int64_t failed = 0;
    /* messages before `begin` are done, those before `i` are not in a run */
    size_t begin = 0, i = row != NULL ? 0 : fleet->messages;
    const size_t least = row == NULL ? 0 : row->minimum != 0 ? row->minimum : row->group;
    while (begin < fleet->messages) {
        const size_t left = fleet->messages - i,
                     done = row != NULL && left >= least ? uniform(fleet, i, job, row, &failed) : 0;
        if (left > 0 && done == 0) {
            /*
             * A run beginning in these is found a little late, but lengths without equals are
             * not looked at one by one.
             */
            i = left < row->group ? fleet->messages : i + row->group;
            continue;
        }
        if (i > begin) {
            const hanji_fleet part = part_of(fleet, begin, i);
            failed += ragged(&part, job, shape);
        }
        i += done;
        begin = i;
    }
    return failed;
}
#endif

HANJI_INLINE int64_t run_groups(const hanji_fleet *fleet, const hanji_fleet_job *job,
                                const hanji_fleet_shape *shape, const hanji_kernel *kernels)
{
    hanji_fleet_item items[HANJI_GROUP_MESSAGES_MAX];
    uint16_t order[WINDOW];
    const uint32_t features = hanji_cpu_features();
    const size_t tag_step = hanji_fleet_tag_step(fleet, shape);
    const int ad = hanji_fleet_has_ad(fleet, shape);
    int64_t failed = 0;
    for (size_t first = 0; first < fleet->messages;) {
        const size_t left = fleet->messages - first;
        const hanji_kernel *row =
            hanji_kernel_next(kernels, HANJI_FLEET, left, features, HANJI_LAYOUT_CANONICAL);
        const size_t most = row->group > 1 ? WINDOW : 1, window = left < most ? left : most;
        const int ordered = window > 1 && order_by_length(order, fleet, first, window, ad);
        for (size_t done = 0; done < window;) {
            const size_t count = window - done < row->group ? window - done : row->group;
            for (size_t g = 0; g < count; g++)
                hanji_fleet_describe(&items[g], fleet,
                                     first + (ordered ? order[done + g] : done + g), shape,
                                     tag_step, ad);
            row->run.fleet(items, count, job);
            for (size_t g = 0; g < count; g++)
                failed += *items[g].status != HANJI_OK;
            done += count;
        }
        first += window;
    }
    if (!shape->plain) /* CTR erases what it leaves: its kernels lie deeper than this reaches */
        hanji_wipe_stack_of_fleet(); /* where kernels for one message had their frames */
    return failed;
}

int64_t hanji_fleet_run(const hanji_fleet *fleet, const hanji_fleet_job *job,
                        const hanji_fleet_shape *shape, const hanji_kernel *kernels)
{
#if HANJI_GROUP_MESSAGES_MAX > 1
    const hanji_kernel *row = hanji_kernel_next(kernels, HANJI_FLEET, fleet->messages,
                                                hanji_cpu_features(), HANJI_LAYOUT_CANONICAL);
    if (row == NULL) /* there is no message */
        return 0;
    if (row->group == 1) /* too few for all others */
        return hanji_fleet_run_singly(fleet, job, shape, row->run.fleet);
#endif
    return run_groups(fleet, job, shape, kernels);
}
