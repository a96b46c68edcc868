/* SPDX-License-Identifier: Apache-2.0 */
/* Overlaps among the buffers of a batch of signatures. */
#include "aimer/batch.h"

enum { SCRATCH, KEY, OTHERS };

int hanji_aimer_batch_inputs_apart(const hanji_aimer_item *items, size_t count,
                                   size_t signature_bytes, const hanji_buffer others[2])
{
    if (count > SIZE_MAX / sizeof *items)
        return HANJI_E_LENGTH;
    const hanji_buffer list = {items, count * sizeof *items};
    const hanji_buffer whole[] = {list, others[SCRATCH], others[KEY]};
    if (!hanji_apart(whole, 2, 3))
        return HANJI_E_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        const hanji_buffer buffers[] = {list,
                                        others[SCRATCH],
                                        {items[i].message, items[i].message_bytes},
                                        {items[i].context, items[i].context_bytes},
                                        {items[i].signature, signature_bytes}};
        for (size_t input = OTHERS; input < 5; input++)
            for (size_t written = 0; written < OTHERS; written++)
                if (overlap(buffers[written].at, buffers[written].bytes, buffers[input].at,
                            buffers[input].bytes))
                    return HANJI_E_ARGUMENT;
    }
    return HANJI_OK;
}

/* The statuses hold the numbers of the items, which are sorted by the addresses of signatures. */
static uintptr_t address(const hanji_aimer_item *items, size_t place)
{
    return (uintptr_t)items[items[place].status].signature;
}

static void sift(hanji_aimer_item *items, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && address(items, child) < address(items, child + 1))
            child++;
        if (address(items, root) >= address(items, child))
            return;
        const int moved = items[root].status;
        items[root].status = items[child].status;
        items[child].status = moved;
        root = child;
    }
}

static void sort(hanji_aimer_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i].status = (int)i;
    for (size_t root = count / 2; root-- > 0;)
        sift(items, root, count);
    for (size_t left = count; left-- > 1;) {
        const int largest = items[0].status;
        items[0].status = items[left].status;
        items[left].status = largest;
        sift(items, 0, left);
    }
}

/* Signatures that overlap no other: whether a buffer overlaps none of them. */
static int apart_from_signatures(const hanji_aimer_item *items, size_t count,
                                 size_t signature_bytes, const void *at, size_t bytes)
{
    size_t low = 0, high = count; /* the first signature behind the beginning of the buffer */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (address(items, middle) > (uintptr_t)at)
            high = middle;
        else
            low = middle + 1;
    }
    for (size_t near = low > 0 ? low - 1 : 0; near < count && near <= low; near++)
        if (address(items, near) != 0 &&
            overlap_at(address(items, near), signature_bytes, (uintptr_t)at, bytes))
            return 0;
    return 1;
}

static int signatures_apart(const hanji_aimer_item *items, size_t count, size_t signature_bytes,
                            const hanji_buffer *key)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (address(items, i) != 0 &&
            overlap_at(address(items, i), signature_bytes, address(items, i + 1), signature_bytes))
            return 0;
    for (size_t i = 0; i < count; i++)
        if (!apart_from_signatures(items, count, signature_bytes, items[i].message,
                                   items[i].message_bytes) ||
            !apart_from_signatures(items, count, signature_bytes, items[i].context,
                                   items[i].context_bytes))
            return 0;
    return apart_from_signatures(items, count, signature_bytes, key->at, key->bytes);
}

int hanji_aimer_batch_apart(hanji_aimer_item *items, size_t count, size_t signature_bytes,
                            const hanji_buffer others[2])
{
    if (count > (unsigned)-1 >> 1) /* the largest status, in which the number of an item stands */
        return HANJI_E_LENGTH;
    const int rc = hanji_aimer_batch_inputs_apart(items, count, signature_bytes, others);
    if (rc != HANJI_OK)
        return rc;
    sort(items, count);
    const int apart = signatures_apart(items, count, signature_bytes, &others[KEY]);
    for (size_t i = 0; i < count; i++)
        items[i].status = apart ? HANJI_OK : HANJI_E_ARGUMENT;
    return apart ? HANJI_OK : HANJI_E_ARGUMENT;
}
