/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel tables of the SPARKLE room for many messages. */
#ifndef HANJI_SPARKLE_FLEET_KERNELS_H
#define HANJI_SPARKLE_FLEET_KERNELS_H

#include "support/kernel.h"

extern const hanji_kernel hanji_schwaemm256_128_fleet_kernels[],
    hanji_schwaemm192_192_fleet_kernels[], hanji_schwaemm128_128_fleet_kernels[],
    hanji_schwaemm256_256_fleet_kernels[], hanji_esch256_fleet_kernels[],
    hanji_esch384_fleet_kernels[], hanji_xoesch256_fleet_kernels[], hanji_xoesch384_fleet_kernels[];

#endif
