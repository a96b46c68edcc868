/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this room: the search for master keys. */
#ifndef HANJI_TELEMETRY_TELEMETRY_H
#define HANJI_TELEMETRY_TELEMETRY_H

#include "hanji/telemetry.h"
#include "support/apart.h"

/* The first slot of the search for a device. */
size_t hanji_master_keys_home(const hanji_master_keys *keys, uint32_t device);

/* The master key of a device, or NULL. */
const uint8_t *hanji_master_keys_find(const hanji_master_keys *keys, uint32_t device);

#endif
