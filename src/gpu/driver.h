/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the CUDA driver's interface that we use, by our own declarations: no header of the
 * toolkit is needed. Names and numbers are those of NVIDIA's driver API reference.
 */
#ifndef HANJI_GPU_DRIVER_H
#define HANJI_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int cu_result; /* 0 is success */
typedef int cu_device;
typedef void *cu_handle; /* contexts, modules, functions, streams */
typedef uint64_t cu_pointer;

enum {
    CU_MULTIPROCESSORS = 16,
    CU_CAPABILITY_MAJOR = 75,
    CU_CAPABILITY_MINOR = 76,
    CU_STREAM_NON_BLOCKING = 1,
    CU_STREAM_PER_THREAD = 2, /* the default stream of a thread; 0 and 1: that of all threads */
    CU_EVENT_NO_TIMING = 2,
    CU_POINTER_CONTEXT = 1,
    CU_POINTER_TYPE = 2,
    CU_POINTER_DEVICE = 9,
    CU_POINTER_RANGE_START = 11,
    CU_POINTER_RANGE_BYTES = 12,
    CU_TYPE_HOST = 1,
    CU_CAPTURE_RELAXED = 2
};

/* One row per function: member, symbol, parameters. */
#define CU_FUNCTIONS(F)                                                                            \
    F(init, "cuInit", (unsigned flags))                                                            \
    F(error_name, "cuGetErrorName", (cu_result error, const char **name))                          \
    F(device_count, "cuDeviceGetCount", (int *count))                                              \
    F(device_get, "cuDeviceGet", (cu_device * device, int ordinal))                                \
    F(device_name, "cuDeviceGetName", (char *name, int size, cu_device device))                    \
    F(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device device))     \
    F(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, cu_device device))                    \
    F(primary_retain, "cuDevicePrimaryCtxRetain", (cu_handle * context, cu_device device))         \
    F(primary_release, "cuDevicePrimaryCtxRelease_v2", (cu_device device))                         \
    F(push, "cuCtxPushCurrent_v2", (cu_handle context))                                            \
    F(pop, "cuCtxPopCurrent_v2", (cu_handle * context))                                            \
    F(current, "cuCtxGetCurrent", (cu_handle * context))                                           \
    F(current_device, "cuCtxGetDevice", (cu_device * device))                                      \
    F(capture_mode, "cuThreadExchangeStreamCaptureMode", (int *mode))                              \
    F(module_load, "cuModuleLoadData", (cu_handle * module, const void *image))                    \
    F(module_unload, "cuModuleUnload", (cu_handle module))                                         \
    F(module_function, "cuModuleGetFunction",                                                      \
      (cu_handle * function, cu_handle module, const char *name))                                  \
    F(alloc, "cuMemAlloc_v2", (cu_pointer * pointer, size_t bytes))                                \
    F(free, "cuMemFree_v2", (cu_pointer pointer))                                                  \
    F(host_alloc, "cuMemHostAlloc", (void **pointer, size_t bytes, unsigned flags))                \
    F(host_free, "cuMemFreeHost", (void *pointer))                                                 \
    F(to_device, "cuMemcpyHtoDAsync_v2",                                                           \
      (cu_pointer out, const void *in, size_t bytes, cu_handle stream))                            \
    F(to_host, "cuMemcpyDtoHAsync_v2", (void *out, cu_pointer in, size_t bytes, cu_handle stream)) \
    F(copy, "cuMemcpyDtoDAsync_v2",                                                                \
      (cu_pointer out, cu_pointer in, size_t bytes, cu_handle stream))                             \
    F(pointer_attribute, "cuPointerGetAttribute",                                                  \
      (void *value, int attribute, cu_pointer pointer))                                            \
    F(pointer_attributes, "cuPointerGetAttributes",                                                \
      (unsigned count, int *attributes, void **values, cu_pointer pointer))                        \
    F(fill, "cuMemsetD8Async",                                                                     \
      (cu_pointer out, unsigned char value, size_t bytes, cu_handle stream))                       \
    F(stream_create, "cuStreamCreate", (cu_handle * stream, unsigned flags))                       \
    F(stream_destroy, "cuStreamDestroy_v2", (cu_handle stream))                                    \
    F(stream_synchronize, "cuStreamSynchronize", (cu_handle stream))                               \
    F(stream_context, "cuStreamGetCtx", (cu_handle stream, cu_handle * context))                   \
    F(stream_wait, "cuStreamWaitEvent", (cu_handle stream, cu_handle event, unsigned flags))       \
    F(event_create, "cuEventCreate", (cu_handle * event, unsigned flags))                          \
    F(event_destroy, "cuEventDestroy_v2", (cu_handle event))                                       \
    F(event_query, "cuEventQuery", (cu_handle event))                                              \
    F(event_record, "cuEventRecord", (cu_handle event, cu_handle stream))                          \
    F(stream_capturing, "cuStreamIsCapturing", (cu_handle stream, int *status))                    \
    F(launch, "cuLaunchKernel",                                                                    \
      (cu_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,    \
       unsigned block_y, unsigned block_z, unsigned shared, cu_handle stream, void **parameters,   \
       void **extra))

#define CU_MEMBER(member, symbol, parameters) cu_result(*member) parameters;
typedef struct cu_driver {
    void *library;
    CU_FUNCTIONS(CU_MEMBER)
} cu_driver;
#undef CU_MEMBER

/*
 * Open libcuda.so.1 and find all functions: NULL, or a sentence about what is missing. The driver
 * stays loaded until the process ends: it has threads of its own, which unloading would break.
 */
const char *hanji_cu_open(cu_driver *driver);
void hanji_cu_close(cu_driver *driver);

#endif
