/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes of the operating system; not in freestanding builds. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "hanji/common.h"

int hanji_random(uint8_t *out, size_t bytes)
{
    if (out == NULL && bytes != 0)
        return HANJI_E_ARGUMENT;
    /* getentropy gives at most 256 bytes a call, all of them or none. */
    for (size_t done = 0; done < bytes;) {
        const size_t part = bytes - done < 256 ? bytes - done : 256;
        if (getentropy(out + done, part) != 0) {
            hanji_wipe(out, bytes);
            return HANJI_E_RANDOM;
        }
        done += part;
    }
    return HANJI_OK;
}
