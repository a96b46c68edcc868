/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver without a GPU, for the tests of src/gpu. Device memory is host memory with gaps; a launch does what the entry's contract in src/gpu/gpu.h says,
 * with the portable kernels of the library. It checks what the caller must keep to, writes every call to standard error when FAKE_CUDA_LOG is set, and lets
 * call number FAKE_CUDA_FAIL return an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/driver.h"
#include "hanji/hanji.h"
#include "support/bytes.h"
#include "support/cipher.h"

#define EXPORT __attribute__((visibility("default")))
enum { INVALID = 1, OUT_OF_MEMORY = 2, NOT_FOUND = 500, LAUNCH_FAILED = 719 };

static int calls, depth, allocations, streams, modules, retained, host_allocations;

#define ENTER(...)                                      \
    do {                                                \
        calls++;                                        \
        if (getenv("FAKE_CUDA_LOG") != NULL) {          \
            fprintf(stderr, "%d %s ", calls, __func__); \
            fprintf(stderr, __VA_ARGS__);               \
            fprintf(stderr, "\n");                      \
        }                                               \
        const char *fail_ = getenv("FAKE_CUDA_FAIL");   \
        if (fail_ != NULL && atoi(fail_) == calls)      \
            return LAUNCH_FAILED;                       \
    } while (0)

static void wrong(const char *what)
{
    fprintf(stderr, "fake driver: %s\n", what);
    abort();
}

/* Device memory: blocks with their sizes; freed blocks must have been zeroed. */
#define BLOCKS 64
static struct {
    uint8_t *memory;
    size_t bytes;
} device_memory[BLOCKS];

static uint8_t *inside(cu_pointer pointer, size_t bytes)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        const cu_pointer start = (cu_pointer)(uintptr_t)device_memory[i].memory;
        if (device_memory[i].memory != NULL && pointer >= start && pointer - start <= device_memory[i].bytes &&
            bytes <= device_memory[i].bytes - (size_t)(pointer - start))
            return device_memory[i].memory + (pointer - start);
    }
    if (bytes > 0)
        wrong("an address outside of device memory");
    return NULL;
}

static void in_context(void)
{
    if (depth < 1)
        wrong("a call without a current context");
}

EXPORT cu_result cuInit(unsigned flags)
{
    ENTER("%u", flags);
    return getenv("FAKE_CUDA_BROKEN") != NULL ? 999 : 0;
}

EXPORT cu_result cuGetErrorName(cu_result error, const char **name)
{
    *name = error == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_OF_SOME_KIND";
    return 0;
}

EXPORT cu_result cuDeviceGetCount(int *count)
{
    ENTER(" ");
    *count = getenv("FAKE_CUDA_DEVICES") != NULL ? atoi(getenv("FAKE_CUDA_DEVICES")) : 1;
    return 0;
}

EXPORT cu_result cuDeviceGet(cu_device *device, int ordinal)
{
    ENTER("%d", ordinal);
    *device = 100 + ordinal;
    return 0;
}

EXPORT cu_result cuDeviceGetName(char *name, int size, cu_device device)
{
    ENTER("%d", device);
    snprintf(name, (size_t)size, "Fake GPU %d", device - 100);
    return 0;
}

EXPORT cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    ENTER("%d %d", attribute, device);
    const char *old = getenv("FAKE_CUDA_OLD");
    *value = attribute == CU_CAPABILITY_MAJOR ? (old != NULL ? 6 : 9) : attribute == CU_CAPABILITY_MINOR ? 0 : 7;
    return 0;
}

static int context_mark;

EXPORT cu_result cuDevicePrimaryCtxRetain(cu_handle *context, cu_device device)
{
    ENTER("%d", device);
    retained++;
    *context = &context_mark;
    return 0;
}

/* With the last one all must have been given back. */
EXPORT cu_result cuDevicePrimaryCtxRelease_v2(cu_device device)
{
    retained--;
    if (retained == 0 && (depth != 0 || allocations != 0 || streams != 0 || modules != 0 || host_allocations != 0))
        fprintf(stderr, "fake driver: left: %d contexts, %d allocations, %d streams, %d modules, %d page-locked\n", depth, allocations, streams,
                modules, host_allocations);
    ENTER("%d", device);
    return 0;
}

EXPORT cu_result cuCtxPushCurrent_v2(cu_handle context)
{
    ENTER(" ");
    if (context != &context_mark)
        wrong("not a context");
    depth++;
    return 0;
}

EXPORT cu_result cuCtxPopCurrent_v2(cu_handle *context)
{
    in_context();
    depth--;
    *context = &context_mark;
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuCtxSynchronize(void)
{
    in_context();
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuModuleLoadData(cu_handle *module, const void *image)
{
    in_context();
    ENTER("%.30s", (const char *)image);
    if (strncmp(image, ".version 7.0", 12) != 0 && strstr(image, ".version 7.0") == NULL)
        wrong("not PTX");
    modules++;
    *module = (void *)(uintptr_t)image;
    return 0;
}

EXPORT cu_result cuModuleUnload(cu_handle module)
{
    in_context();
    modules--;
    ENTER("%d", module != NULL);
    return 0;
}

static char entries[256][80];
static int entry_count;

EXPORT cu_result cuModuleGetFunction(cu_handle *function, cu_handle module, const char *name)
{
    in_context();
    ENTER("%s", name);
    char needle[100];
    snprintf(needle, sizeof needle, ".entry %s(", name);
    if (strstr(module, needle) == NULL)
        return NOT_FOUND;
    for (int i = 0; i < entry_count; i++)
        if (strcmp(entries[i], name) == 0) {
            *function = entries[i];
            return 0;
        }
    snprintf(entries[entry_count], sizeof entries[0], "%s", name);
    *function = entries[entry_count++];
    return 0;
}

EXPORT cu_result cuMemAlloc_v2(cu_pointer *pointer, size_t bytes)
{
    in_context();
    ENTER("%zu", bytes);
    for (size_t i = 0; i < BLOCKS; i++)
        if (device_memory[i].memory == NULL) {
            if (posix_memalign((void **)&device_memory[i].memory, 256, bytes) != 0)
                return OUT_OF_MEMORY;
            memset(device_memory[i].memory, 0xee, bytes);
            device_memory[i].bytes = bytes;
            *pointer = (cu_pointer)(uintptr_t)device_memory[i].memory;
            allocations++;
            return 0;
        }
    return OUT_OF_MEMORY;
}

EXPORT cu_result cuMemFree_v2(cu_pointer pointer)
{
    in_context();
    for (size_t i = 0; i < BLOCKS; i++)
        if (device_memory[i].memory != NULL && (cu_pointer)(uintptr_t)device_memory[i].memory == pointer) {
            size_t left = 0;
            for (size_t b = 0; b < device_memory[i].bytes; b++)
                left += device_memory[i].memory[b] != 0;
            if (left > 0 && getenv("FAKE_CUDA_USER_MEMORY") == NULL)
                fprintf(stderr, "fake driver: %zu bytes of device memory were freed without having been wiped\n", left);
            free(device_memory[i].memory);
            device_memory[i].memory = NULL;
            allocations--;
            ENTER(" ");
            return 0;
        }
    wrong("freeing what was not allocated");
    return INVALID;
}

EXPORT cu_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    in_context();
    ENTER("%zu %u", bytes, flags);
    *pointer = malloc(bytes + 64);
    memcpy(*pointer, &bytes, sizeof bytes);
    *pointer = (char *)*pointer + 64;
    host_allocations++;
    return 0;
}

EXPORT cu_result cuMemFreeHost(void *pointer)
{
    in_context();
    size_t bytes;
    char *start = (char *)pointer - 64;
    memcpy(&bytes, start, sizeof bytes);
    for (size_t i = 0; i < bytes; i++)
        if (((char *)pointer)[i] != 0) {
            fprintf(stderr, "fake driver: page-locked memory was freed without having been wiped\n");
            break;
        }
    free(start);
    host_allocations--;
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuMemcpyHtoDAsync_v2(cu_pointer out, const void *in, size_t bytes, cu_handle stream)
{
    in_context();
    ENTER("%zu stream %d", bytes, stream != NULL);
    if (bytes > 0)
        memcpy(inside(out, bytes), in, bytes);
    return 0;
}

EXPORT cu_result cuMemcpyDtoHAsync_v2(void *out, cu_pointer in, size_t bytes, cu_handle stream)
{
    in_context();
    ENTER("%zu stream %d", bytes, stream != NULL);
    if (bytes > 0)
        memcpy(out, inside(in, bytes), bytes);
    return 0;
}

EXPORT cu_result cuMemsetD8Async(cu_pointer out, unsigned char value, size_t bytes, cu_handle stream)
{
    in_context();
    memset(inside(out, bytes), value, bytes);
    ENTER("%zu stream %d", bytes, stream != NULL);
    return 0;
}

EXPORT cu_result cuStreamCreate(cu_handle *stream, unsigned flags)
{
    in_context();
    ENTER("%u", flags);
    *stream = malloc(1);
    streams++;
    return 0;
}

EXPORT cu_result cuStreamDestroy_v2(cu_handle stream)
{
    in_context();
    free(stream);
    streams--;
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuStreamSynchronize(cu_handle stream)
{
    in_context();
    ENTER("stream %d", stream != NULL);
    return 0;
}

EXPORT cu_result cuStreamIsCapturing(cu_handle stream, int *status)
{
    in_context();
    ENTER("stream %d", stream != NULL);
    *status = getenv("FAKE_CUDA_CAPTURE") != NULL;
    return 0;
}

/* What the entries do */

static const hanji_cipher *cipher_of(const char *entry, const char **rest)
{
    for (size_t i = 0; i < hanji_cipher_count(); i++) {
        const hanji_cipher *cipher = hanji_cipher_at(i);
        char key[40];
        size_t n = 0;
        for (const char *p = cipher->name; *p != '\0'; p++)
            if (*p == '/' || (*p == '-' && n > 0 && p[1] >= '0' && p[1] <= '9')) {
                if (*p == '/')
                    key[n++] = '_';
            } else {
                key[n++] = *p;
            }
        if (strncmp(entry, "hanji_", 6) == 0 && strncmp(entry + 6, key, n) == 0 && strncmp(entry + 6 + n, "_sm75_", 6) == 0) {
            *rest = entry + 6 + n + 6;
            return cipher;
        }
    }
    wrong("no cipher of this entry");
    return NULL;
}

/* Round keys in the canonical layout again. */
static void canonical(uint8_t *out, const uint8_t *words, size_t count, size_t width, int masks)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t k = 0;
        if (masks)
            for (size_t b = 0; b < width; b++, words += 4)
                k |= (uint64_t)(load_le32(words) & 1) << b;
        else {
            k = load_le32(words);
            words += 4;
            if (width == 64) {
                k |= (uint64_t)load_le32(words) << 32;
                words += 4;
            }
        }
        if (width == 16) {
            const uint16_t v = (uint16_t)k;
            memcpy(out + 2 * i, &v, 2);
        } else if (width == 32) {
            const uint32_t v = (uint32_t)k;
            memcpy(out + 4 * i, &v, 4);
        } else {
            memcpy(out + 8 * i, &k, 8);
        }
    }
}

/* The portable row for one block. */
static const hanji_kernel *portable(const hanji_cipher *cipher, hanji_operation operation)
{
    for (const hanji_kernel *row = cipher->kernels; row->name != NULL; row++)
        if (row->operation == operation && row->features == 0 && row->group == 1)
            return row;
    wrong("no portable kernel");
    return NULL;
}

static struct {
    const char *name;
    size_t count, width;
} shapes[] = {{"speck-64/128", 27, 32},  {"speck-128/128", 32, 64}, {"speck-128/192", 33, 64}, {"speck-128/256", 34, 64}, {"simon-64/128", 44, 32},
              {"simon-128/128", 68, 64}, {"simeck-64/128", 44, 32}, {"cham-64/128", 16, 16},   {"cham-128/128", 8, 32},   {"cham-128/256", 16, 32}};

static void one_key(const hanji_cipher *cipher, const char *rest, uint64_t threads, unsigned block, void **p)
{
    size_t shape = 0;
    while (strcmp(shapes[shape].name, cipher->name) != 0)
        shape++;
    const size_t words = cipher->block_bytes / 4, width = shapes[shape].width, count = shapes[shape].count;
    const hanji_operation operation = rest[0] == 'e' ? HANJI_ENCRYPT : rest[0] == 'd' ? HANJI_DECRYPT : HANJI_CTR;
    const char *layout = strchr(rest, '_') + 1;
    const int sliced = strcmp(layout, "x32") == 0, tail = strcmp(layout, "tail") == 0;
    const cu_pointer out = *(cu_pointer *)p[0], in = *(cu_pointer *)p[1], keys = *(cu_pointer *)p[2];
    const uint32_t number = sliced ? 0 : *(uint32_t *)p[3];
    void **extra = p + (sliced ? 3 : 4);
    size_t bytes;
    if (sliced) {
        if (threads % 32 != 0 || block > 128)
            wrong("slices need whole warps, in blocks of 128 at most");
        bytes = (size_t)threads * 32 * cipher->block_bytes;
    } else if (tail) {
        if (number < 1 || number > 15)
            wrong("a tail has 1 to 15 bytes");
        bytes = number;
    } else {
        if (number == 0 || threads * 4 < number || block > 256)
            wrong("too few threads for the vectors");
        bytes = 16 * (size_t)number;
    }
    if (!tail && ((out | in) % 16 != 0))
        wrong("an address that is not a multiple of 16");
    uint8_t round_keys[544];
    canonical(round_keys, inside(keys, sliced ? 4 * count * width : count * (width < 32 ? 4 : width / 8)), count, width, sliced);
    uint8_t *to = inside(out, bytes);
    const uint8_t *from = inside(in, bytes);
    if (operation != HANJI_CTR) {
        portable(cipher, operation)->run.blocks(to, from, bytes / cipher->block_bytes, round_keys);
        return;
    }
    uint8_t counter[16];
    const uint32_t first = *(uint32_t *)extra[0];
    if ((uint64_t)first + (bytes + cipher->block_bytes - 1) / cipher->block_bytes > UINT64_C(1) << 32)
        wrong("the counter overflows within a launch");
    for (size_t w = 0; w + 1 < words; w++)
        store_le32(counter + 4 * w, *(uint32_t *)extra[1 + w]);
    store_be32(counter + 4 * (words - 1), first);
    uint8_t last_in[16] = {0}, last[16];
    const size_t whole = bytes / cipher->block_bytes;
    portable(cipher, HANJI_CTR)->run.ctr(to, from, whole, counter, round_keys);
    if (bytes % cipher->block_bytes != 0) {
        memcpy(last_in, from + whole * cipher->block_bytes, bytes % cipher->block_bytes);
        portable(cipher, HANJI_CTR)->run.ctr(last, last_in, 1, counter, round_keys);
        memcpy(to + whole * cipher->block_bytes, last, bytes % cipher->block_bytes);
    }
}

static void own_keys(const hanji_cipher *cipher, const char *layout, uint64_t threads, unsigned block, void **p)
{
    const cu_pointer out = *(cu_pointer *)p[0], in = *(cu_pointer *)p[1], keys = *(cu_pointer *)p[2], counters = *(cu_pointer *)p[3];
    size_t n;
    if (strcmp(layout, "x32") == 0) {
        if (threads % 32 != 0 || block > 128)
            wrong("slices need whole warps, in blocks of 128 at most");
        n = (size_t)threads * 32;
    } else if (strcmp(layout, "x2") == 0) {
        n = *(uint32_t *)p[4];
        if (2 * threads < n)
            wrong("too few threads for the messages");
    } else {
        n = *(uint32_t *)p[5];
        if (threads < n)
            wrong("too few threads for the messages");
    }
    const int64_t *offsets = strcmp(layout, "x1") == 0 ? (const int64_t *)(const void *)inside(*(cu_pointer *)p[4], 8 * (n + 1)) : NULL;
    for (size_t i = 0; i < n; i++) {
        uint64_t round_keys[68];
        const size_t at = offsets != NULL ? (size_t)offsets[i] : 8 * i, bytes = offsets != NULL ? (size_t)(offsets[i + 1] - offsets[i]) : 8;
        uint8_t counter[8], block_in[8], block_out[8];
        memcpy(counter, inside(counters + 8 * i, 8), 8);
        cipher->expand(round_keys, inside(keys + 16 * i, 16));
        for (size_t done = 0; done < bytes; done += 8) {
            const size_t part = bytes - done < 8 ? bytes - done : 8;
            memcpy(block_in, inside(in + at + done, part), part);
            portable(cipher, HANJI_CTR)->run.ctr(block_out, block_in, 1, counter, round_keys);
            memcpy(inside(out + at + done, part), block_out, part);
        }
    }
}

/* Through the library on the processor, whose arrays are laid out alike. */
static void sponge(int open, uint64_t threads, void **p)
{
    const uint32_t n = *(uint32_t *)p[9];
    cu_pointer at[9];
    for (size_t i = 0; i < 9; i++)
        at[i] = *(cu_pointer *)p[i];
    if (threads < n)
        wrong("too few threads for the messages");
    hanji_fleet f = {.messages = n, .key_stride = 16, .nonce_bytes = 32, .tag_bytes = 16};
    f.offsets = (const int64_t *)(const void *)inside(at[5], 8 * ((size_t)n + 1));
    f.ad_offsets = (const int64_t *)(const void *)inside(at[7], 8 * ((size_t)n + 1));
    f.keys = inside(at[2], 16 * (size_t)n);
    f.nonces = inside(at[3], 32 * (size_t)n);
    f.tags = inside(at[4], 16 * (size_t)n);
    f.status = (int8_t *)inside(at[8], n);
    const size_t first = (size_t)f.offsets[0], ad_first = (size_t)f.ad_offsets[0];
    uint8_t *out = inside(at[0] + first, (size_t)f.offsets[n] - first);
    const uint8_t *in = inside(at[1] + first, (size_t)f.offsets[n] - first), *ad = inside(at[6] + ad_first, (size_t)f.ad_offsets[n] - ad_first);
    f.output = out == NULL ? NULL : out - first;
    f.input = in == NULL ? NULL : in - first;
    f.ad = ad == NULL ? NULL : ad - ad_first;
    if ((open ? hanji_schwaemm256_128_fleet_decrypt(&f) : hanji_schwaemm256_128_fleet_encrypt(&f)) < 0)
        wrong("the arrays of a fleet are refused");
}

EXPORT cu_result cuLaunchKernel(cu_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z, unsigned shared, cu_handle stream, void **parameters, void **extra)
{
    in_context();
    ENTER("%s %u x %u stream %d", (const char *)function, grid_x, block_x, stream != NULL);
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x == 0 || block_y != 1 || block_z != 1 || shared != 0 || extra != NULL)
        wrong("a grid of another shape");
    const char *rest;
    if (strncmp(function, "hanji_schwaemm256_128_sm75_", 27) == 0) {
        sponge(strcmp((const char *)function + 27, "open_x1") == 0, (uint64_t)grid_x * block_x, parameters);
        return 0;
    }
    const hanji_cipher *cipher = cipher_of(function, &rest);
    if (strncmp(rest, "fleet_", 6) == 0)
        own_keys(cipher, rest + 6, (uint64_t)grid_x * block_x, block_x, parameters);
    else
        one_key(cipher, rest, (uint64_t)grid_x * block_x, block_x, parameters);
    return 0;
}
