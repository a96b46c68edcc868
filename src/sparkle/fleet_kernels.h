/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel tables of the SPARKLE room for many messages. */
#ifndef HANJI_SPARKLE_FLEET_KERNELS_H
#define HANJI_SPARKLE_FLEET_KERNELS_H

#include "hanji/fleet.h"
#include "support/kernel.h"

extern const hanji_kernel hanji_schwaemm256_128_fleet_kernels[],
    hanji_schwaemm192_192_fleet_kernels[], hanji_schwaemm128_128_fleet_kernels[],
    hanji_schwaemm256_256_fleet_kernels[], hanji_esch256_fleet_kernels[],
    hanji_esch384_fleet_kernels[], hanji_xoesch256_fleet_kernels[], hanji_xoesch384_fleet_kernels[];

#define HANJI_XOESCH256_STATE_BYTES 48

/*
 * hanji_xoesch256_fleet() for messages that begin alike: `start` is the state, 12 words, after the
 * whole blocks that all of them have in common. Each message has at least one byte behind them.
 */
int64_t hanji_xoesch256_fleet_from(const hanji_fleet *fleet, const uint32_t *start);

#endif
