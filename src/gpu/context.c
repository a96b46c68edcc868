/* SPDX-License-Identifier: Apache-2.0 */
/* How a call enters the device, leaves it, and notes why it failed. */
#include "gpu/context.h"

#include <stdio.h>

int hanji_gpu_failed(context *c, int code, const char *what, const char *detail)
{
    snprintf(c->reason, sizeof c->reason, "%s%s%s", what, detail == NULL ? "" : ": ",
             detail == NULL ? "" : detail);
    return code;
}

int hanji_gpu_checked(context *c, cu_result result, const char *what)
{
    const char *name = NULL;
    if (result == 0)
        return HANJI_OK;
    if (c->driver.error_name(result, &name) != 0)
        name = "unknown error";
    return hanji_gpu_failed(c, HANJI_E_DEVICE, what, name);
}

int hanji_gpu_enter(context *c)
{
    cu_handle callers = NULL;
    cu_device device = 0;
    if (!c->ready)
        return hanji_gpu_failed(c, HANJI_E_DEVICE, "no device is open", NULL);
    c->foreign = c->driver.current(&callers) == 0 && callers != NULL && callers != c->primary &&
                 c->driver.current_device(&device) == 0 && device == c->device;
    TRY(c->driver.push(c->primary), "the device's context cannot be used");
    c->mode = CU_CAPTURE_RELAXED;
    const int rc = hanji_gpu_checked(c, c->driver.capture_mode(&c->mode),
                                     "the mode of capture cannot be changed");
    if (rc != HANJI_OK)
        (void)c->driver.pop(&callers);
    return rc;
}

void hanji_gpu_leave(context *c)
{
    cu_handle popped;
    (void)c->driver.capture_mode(&c->mode);
    (void)c->driver.pop(&popped);
}
