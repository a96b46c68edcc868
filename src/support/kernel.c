/* SPDX-License-Identifier: Apache-2.0 */
#include "support/kernel.h"

const hanji_kernel *hanji_kernel_next(const hanji_kernel *row, hanji_operation operation,
                                      size_t count, uint32_t features, uint32_t layout)
{
    for (; row->name != NULL; row++)
        if (row->operation == operation &&
            count >= (row->minimum != 0 ? row->minimum : row->group) &&
            (row->features & ~features) == 0 &&
            (row->layout <= layout || operation == HANJI_EXPAND))
            return row;
    return NULL;
}
