/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of hanji/gpu.h on devices: counting, describing, opening, closing. */
#include <stdio.h>
#include <string.h>

#include "gpu/memory.h"

static int start_driver(context *c)
{
    if (c->driver.library != NULL)
        return HANJI_OK;
    const char *problem = hanji_cu_open(&c->driver);
    if (problem != NULL) {
        hanji_cu_close(&c->driver);
        return hanji_gpu_failed(c, HANJI_E_DEVICE, problem, NULL);
    }
    const int rc = hanji_gpu_checked(c, c->driver.init(0), "the NVIDIA driver does not start");
    if (rc != HANJI_OK)
        hanji_cu_close(&c->driver);
    return rc;
}

/*
 * The driver of an open context; else one opened in `own` for the call. NULL: it cannot be had, and
 * the context has the reason.
 */
static context *borrow(context *c, context *own)
{
    if (c->ready)
        return c;
    memset(own, 0, sizeof *own);
    if (start_driver(own) == HANJI_OK)
        return own;
    memcpy(c->reason, own->reason, sizeof c->reason);
    return NULL;
}

/* The end of a call that began with borrow(): the reason is all that stays. */
static void give_back(context *c, context *borrowed)
{
    if (borrowed == c)
        return;
    memcpy(c->reason, borrowed->reason, sizeof c->reason);
    hanji_cu_close(&borrowed->driver);
}

int hanji_gpu_count(hanji_gpu *gpu)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context own, *c = context_of(gpu), *with = borrow(c, &own);
    if (with == NULL)
        return HANJI_E_DEVICE;
    int count = 0;
    const int rc =
        hanji_gpu_checked(with, with->driver.device_count(&count), "the devices cannot be counted");
    give_back(c, with);
    return rc == HANJI_OK ? count : rc;
}

/* The driver's number of a device, and its compute capability, 90 for 9.0. */
static int look_up(context *c, int device, cu_device *found, int *capability)
{
    int count = 0, major = 0, minor = 0;
    TRY(c->driver.device_count(&count), "the devices cannot be counted");
    if (device < 0 || device >= count) {
        snprintf(c->reason, sizeof c->reason,
                 "device %d was asked for; there are %d, numbered from 0", device, count);
        return HANJI_E_DEVICE;
    }
    TRY(c->driver.device_get(found, device), "the device cannot be opened");
    TRY(c->driver.device_attribute(&major, CU_CAPABILITY_MAJOR, *found),
        "the device does not say what it is");
    TRY(c->driver.device_attribute(&minor, CU_CAPABILITY_MINOR, *found),
        "the device does not say what it is");
    *capability = 10 * major + minor;
    return HANJI_OK;
}

static int describe(hanji_gpu_about *about, int device, context *c)
{
    cu_device found = 0;
    size_t memory = 0;
    const int rc = look_up(c, device, &found, &about->capability);
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.device_name(about->name, (int)sizeof about->name, found),
        "the device does not say its name");
    TRY(c->driver.device_attribute(&about->multiprocessors, CU_MULTIPROCESSORS, found),
        "the device does not say what it is");
    TRY(c->driver.device_memory(&memory, found), "the device does not say its memory");
    about->memory = memory;
    return HANJI_OK;
}

int hanji_gpu_describe(hanji_gpu_about *about, int device, hanji_gpu *gpu)
{
    if (gpu == NULL || about == NULL)
        return HANJI_E_ARGUMENT;
    memset(about, 0, sizeof *about);
    context own, *c = context_of(gpu), *with = borrow(c, &own);
    if (with == NULL)
        return HANJI_E_DEVICE;
    const int rc = describe(about, device, with);
    give_back(c, with);
    return rc;
}

int hanji_gpu_open(hanji_gpu *gpu, int device)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    memset(gpu, 0, sizeof *gpu);
    context *c = context_of(gpu);
    int rc = start_driver(c), capability = 0;
    if (rc == HANJI_OK)
        rc = look_up(c, device, &c->device, &capability);
    if (rc != HANJI_OK)
        return rc;
    c->number = device;
    c->capability = capability;
    if (capability < 75) {
        snprintf(c->reason, sizeof c->reason,
                 "device %d has compute capability %d.%d; the kernels need 7.5", device,
                 capability / 10, capability % 10);
        return HANJI_E_DEVICE;
    }
    TRY(c->driver.device_attribute(&c->multiprocessors, CU_MULTIPROCESSORS, c->device),
        "the device does not say what it is");
    TRY(c->driver.primary_retain(&c->primary, c->device), "the device's context cannot be made");
    c->ready = 1;
    rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_open_streams(c);
    hanji_gpu_leave(c);
    return rc;
}

void hanji_gpu_close(hanji_gpu *gpu)
{
    if (gpu == NULL)
        return;
    context *c = context_of(gpu);
    if (c->ready && hanji_gpu_enter(c) == HANJI_OK) {
        hanji_gpu_forget_equal(c);
        hanji_gpu_release(c); /* after all streams that used anything of ours */
        hanji_gpu_unload(c);
        hanji_gpu_close_streams(c);
        hanji_gpu_leave(c);
    }
    if (c->ready)
        (void)c->driver.primary_release(c->device);
    hanji_cu_close(&c->driver);
    memset(gpu, 0, sizeof *gpu);
}

const char *hanji_gpu_reason(const hanji_gpu *gpu)
{
    if (gpu == NULL)
        return "no context was given";
    const context *c = (const context *)(const void *)gpu;
    return c->reason[0] == '\0' ? "nothing failed" : c->reason;
}

int hanji_gpu_set_helpers(hanji_gpu *gpu, hanji_gpu_helpers *helpers, void *helper)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context_of(gpu)->helpers = helpers;
    context_of(gpu)->helper = helper;
    return HANJI_OK;
}
