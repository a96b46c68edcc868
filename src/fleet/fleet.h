/* SPDX-License-Identifier: Apache-2.0 */
/* From the arrays of a fleet call to groups of messages for kernels. */
#ifndef HANJI_FLEET_FLEET_H
#define HANJI_FLEET_FLEET_H

#include "hanji/fleet.h"
#include "support/bytes.h"
#include "support/kernel.h"

/* What an algorithm needs of the arrays. */
typedef struct hanji_fleet_shape {
    size_t key_bytes;     /* 0: no keys, no nonces, no output: hashing */
    size_t nonce_bytes;   /* the one size that it takes; 0: any from 1 */
    size_t tag_bytes;     /* the one size that it takes; 0: none, or any from 1 up to tag_bytes_max */
    size_t tag_bytes_max; /* 0: no tags */
} hanji_fleet_shape;

/* n + 1 offsets: HANJI_OK when they begin at 0 or later, never decrease, and fit a size. */
HANJI_INLINE int hanji_fleet_check_offsets(const int64_t *offsets, size_t n)
{
    if (offsets == NULL || offsets[0] < 0)
        return HANJI_E_ARGUMENT;
    for (size_t i = 0; i < n; i++)
        if (offsets[i + 1] < offsets[i])
            return HANJI_E_ARGUMENT;
    return (uint64_t)offsets[n] > SIZE_MAX ? HANJI_E_LENGTH : HANJI_OK;
}

/* Check the arrays; HANJI_OK or the code with which the call as a whole is refused. */
int hanji_fleet_check(const hanji_fleet *fleet, const hanji_fleet_shape *shape);

/* Split the messages into groups over the rows of `kernels`; returns how many messages failed. The arrays are already checked. */
int64_t hanji_fleet_run(const hanji_fleet *fleet, const hanji_fleet_job *job, const hanji_fleet_shape *shape, const hanji_kernel *kernels);

#endif
