/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel tables of the Ascon room for many messages. */
#ifndef HANJI_ASCON_FLEET_KERNELS_H
#define HANJI_ASCON_FLEET_KERNELS_H

#include "support/kernel.h"

extern const hanji_kernel hanji_ascon_aead128_fleet_kernels[];
extern const hanji_kernel hanji_ascon_hash256_fleet_kernels[], hanji_ascon_xof128_fleet_kernels[],
    hanji_ascon_cxof128_fleet_kernels[];

#endif
