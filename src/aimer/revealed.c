/* SPDX-License-Identifier: Apache-2.0 */
#include "aimer/protocol.h"

void hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason)
{
    (void)memory;
    (void)bytes;
    (void)reason;
}
