/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel tables of the modes for many messages. */
#ifndef HANJI_MODES_FLEET_KERNELS_H
#define HANJI_MODES_FLEET_KERNELS_H

#include "support/kernel.h"

extern const hanji_kernel hanji_ctr_fleet_kernels[], hanji_eax_fleet_kernels[],
    hanji_cmac_fleet_kernels[];

#endif
