/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes of the operating system; in freestanding builds of the firmware's own source. */
#ifndef HANJI_FREESTANDING
#define _DEFAULT_SOURCE
#ifndef _WIN32
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <sys/random.h>
#endif
#endif

#include "hanji/common.h"
#include "support/level.h"

#ifdef HANJI_FREESTANDING

/* What a firmware without a source of entropy links. */
__attribute__((weak)) int hanji_entropy(uint8_t *out, size_t bytes)
{
    (void)out;
    (void)bytes;
    return HANJI_E_RANDOM;
}

/* Of a firmware without a watchdog or other tasks. */
__attribute__((weak)) void hanji_yield(void)
{
}

int hanji_random(uint8_t *out, size_t bytes)
{
    if (out == NULL && bytes != 0)
        return HANJI_E_ARGUMENT;
    if (bytes == 0 || hanji_entropy(out, bytes) == HANJI_OK)
        return HANJI_OK;
    hanji_wipe(out, bytes);
    return HANJI_E_RANDOM;
}

#else

/* Linux from 3.17, macOS from 10.12, the BSDs; and Windows. */
static int system_random(uint8_t *out, size_t bytes)
{
#ifdef _WIN32
    /* As bcrypt.h declares it, without the hundreds of names that windows.h brings. */
    __declspec(dllimport) long __stdcall BCryptGenRandom(void *algorithm, unsigned char *into,
                                                         unsigned long count, unsigned long flags);
    /* 2: BCRYPT_USE_SYSTEM_PREFERRED_RNG; every status but 0 is a failure */
    return BCryptGenRandom(NULL, out, (unsigned long)bytes, 2) == 0;
#else
    return getentropy(out, bytes) == 0;
#endif
}

int hanji_random(uint8_t *out, size_t bytes)
{
    if (out == NULL && bytes != 0)
        return HANJI_E_ARGUMENT;
    /* getentropy gives at most 256 bytes a call, all of them or none. */
    for (size_t done = 0; done < bytes;) {
        const size_t part = bytes - done < 256 ? bytes - done : 256;
        if (!system_random(out + done, part)) {
            hanji_wipe(out, bytes);
            return HANJI_E_RANDOM;
        }
        done += part;
    }
    return HANJI_OK;
}

#endif
