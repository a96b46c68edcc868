/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this room: the search for master keys. */
#ifndef HANJI_TELEMETRY_TELEMETRY_H
#define HANJI_TELEMETRY_TELEMETRY_H

#include "hanji/telemetry.h"
#include "support/apart.h"

/* The slot in which the search for a device begins; it comes into the cache. */
size_t hanji_master_keys_begin(const hanji_master_keys *keys, uint32_t device);

/*
 * Go on with the search for a device from slot `at`, to the next slot when it leads there. What is
 * looked at next comes into the cache.
 */
size_t hanji_master_keys_near(const hanji_master_keys *keys, uint32_t device, size_t at);

/* The master key of a device, or NULL; the search stands at slot `at`. */
const uint8_t *hanji_master_keys_find(const hanji_master_keys *keys, uint32_t device, size_t at);

#endif
