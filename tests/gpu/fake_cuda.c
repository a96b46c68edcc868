/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver without a GPU, for the tests of src/gpu and of hanji.gpu. Device memory is host
 * memory; a launch does what the entry's contract in src/gpu/gpu.h says, with the portable kernels
 * of the library. It checks what the caller must keep to, writes every call to standard error when
 * FAKE_CUDA_LOG is set, and lets call number FAKE_CUDA_FAIL return an error.
 *
 * Work in a stream is done as late as a driver may do it: when somebody waits for it. So a caller
 * who does not wait, or does not let one stream wait for another, gets wrong bytes. Copies from and
 * to memory that is not page-locked read it at once, and are done when the call returns, as in the
 * real one. The default stream goes in order with blocking streams; the default stream of a thread
 * is one of these.
 *
 * FAKE_CUDA_DEVICES=n: so many devices, at most 8. FAKE_CUDA_OLD, _BROKEN, _CAPTURE: devices are
 * too old, the driver does not start, streams are being captured. FAKE_CUDA_WRONG=n: launch number
 * n of this process flips a bit of its output. FAKE_CUDA_USER_MEMORY: others use the device, too:
 * memory may be freed without having been wiped, and be left when we go. FAKE_CUDA_SLOW: nothing
 * has been done when cuEventQuery asks; else what it asks for is done then. FAKE_CUDA_CUBINS:
 * machine code for sm_90 can be loaded. FAKE_CUDA_NO_COMPILER: PTX cannot.
 *
 * While a stream is captured (cuStreamBeginCapture_v2), calls that the real driver forbids break
 * the capture, which then cannot be ended: reserving, freeing and waiting in a thread whose mode is
 * not relaxed, using the default stream where the captured one is ordered with it, and waiting for
 * an event of the captured stream.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/driver.h"
#include "hanji/hanji.h"
#include "support/bytes.h"
#include "support/cipher.h"

#define EXPORT __attribute__((visibility("default")))
enum {
    INVALID = 1,
    OUT_OF_MEMORY = 2,
    NOT_READY = 600,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_IMPLICIT = 906,
    NO_DEVICE = 100,
    NO_BINARY = 209,
    NO_COMPILER = 221,
    NOT_FOUND = 500,
    LAUNCH_FAILED = 719,
    DEVICES = 8,
    CONTEXTS = 2 * DEVICES /* the primary ones, and one more of each device */
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int calls, allocations, streams, modules, retained, host_allocations, events, launches;
static int contexts[CONTEXTS];             /* the address is the handle */
static _Thread_local int stack[16], depth; /* of current contexts */

static void unlock(const int *held)
{
    (void)held;
    pthread_mutex_unlock(&lock);
}

#define LOCKED __attribute__((cleanup(unlock), unused)) int held_ = pthread_mutex_lock(&lock)

/*
 * Every function begins with this: one thread at a time, a line of the log, and the error that was
 * asked for.
 */
#define ENTER(...)                                      \
    LOCKED;                                             \
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

/* For tests in one process: calls are numbered from 1 again, and how many there were. */
EXPORT int fake_cuda_restart(void)
{
    LOCKED;
    const int before = calls;
    calls = launches = 0;
    return before;
}

/* What has not been given back: allocations, streams, modules, page-locked memory, events. */
EXPORT int fake_cuda_left(void)
{
    LOCKED;
    return allocations + streams + modules + host_allocations + events;
}

EXPORT int fake_cuda_modules(void)
{
    LOCKED;
    return modules;
}

/*
 * Device memory and page-locked memory: blocks with their sizes. Freed blocks must have been
 * zeroed.
 */
#define BLOCKS 256
typedef struct reserved {
    uint8_t *memory;
    size_t bytes;
    int context, registered; /* registered: memory of the user, that was locked later */
} reserved;
static reserved device_memory[BLOCKS], host_memory[BLOCKS];

static reserved *find_block(reserved *blocks, const void *pointer, size_t bytes)
{
    const uintptr_t at = (uintptr_t)pointer;
    for (size_t i = 0; i < BLOCKS; i++) {
        const uintptr_t start = (uintptr_t)blocks[i].memory;
        if (blocks[i].memory != NULL && at >= start && at - start <= blocks[i].bytes &&
            bytes <= blocks[i].bytes - (at - start))
            return &blocks[i];
    }
    return NULL;
}

static int current(void)
{
    if (depth < 1)
        wrong("a call without a current context");
    return stack[depth - 1];
}

static int working_context; /* of the work that is being done */

static uint8_t *inside(cu_pointer pointer, size_t bytes)
{
    const reserved *found = find_block(device_memory, (void *)(uintptr_t)pointer, bytes);
    if (found != NULL && found->context != working_context && bytes > 0)
        wrong("an address of another device");
    if (found == NULL && bytes > 0)
        wrong("an address outside of device memory");
    return found == NULL ? NULL : (uint8_t *)(uintptr_t)pointer;
}

static int reserve_block(reserved *blocks, size_t bytes, reserved **out)
{
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].memory == NULL) {
            if (posix_memalign((void **)&blocks[i].memory, 256, bytes) != 0)
                return OUT_OF_MEMORY;
            memset(blocks[i].memory, 0xee, bytes);
            blocks[i].bytes = bytes;
            blocks[i].context = current();
            blocks[i].registered = 0;
            *out = &blocks[i];
            return 0;
        }
    return OUT_OF_MEMORY;
}

static size_t not_zero(const reserved *b)
{
    size_t left = 0;
    for (size_t i = 0; i < b->bytes; i++)
        left += b->memory[i] != 0;
    return left;
}

/* Streams: lists of work that has not been done. */

enum work_kind { TO_DEVICE, TO_HOST, COPY, FILL, LAUNCH, RECORD, WAIT };
typedef struct work {
    struct work *next;
    enum work_kind kind;
    int context;
    uint8_t *host;
    cu_pointer out, in;
    size_t bytes;
    uint8_t *snapshot; /* of host memory that is not page-locked */
    unsigned value, grid, block;
    const char *entry;
    uint64_t parameters[16];
    struct stream *where; /* what a WAIT waits for, */
    uint64_t until;       /* up to this number */
    uint64_t number;
} work;

typedef struct stream {
    work *first, *last;
    int context, blocking, listed;
    struct stream *next;
} stream;

typedef struct event {
    stream *where;
    uint64_t number; /* of the last record; 0: none */
} event;

static stream default_streams[CONTEXTS];
static _Thread_local stream *thread_streams[CONTEXTS]; /* default streams of this thread */
static _Thread_local int capture_mode;                 /* 0 global, 2 relaxed */
static stream *captured;                               /* the stream that is, and whether a call */
static int capture_broken;                             /* has broken it */
static stream *all_streams;
static uint64_t numbers;

static int blocks_default(void)
{
    return captured != NULL && captured->blocking && captured->context == current();
}

static stream *stream_of(cu_handle handle)
{
    if ((uintptr_t)handle == CU_STREAM_PER_THREAD) {
        stream **own = &thread_streams[current()];
        if (*own == NULL) {
            *own = calloc(1, sizeof **own);
            if (*own == NULL)
                wrong("no memory");
            (*own)->context = current();
            (*own)->blocking = 1;
            (*own)->next = all_streams;
            all_streams = *own;
        }
        return *own;
    }
    if ((uintptr_t)handle <= 1) { /* the default stream, by both names */
        stream *s = &default_streams[current()];
        s->context = current();
        s->blocking = 1;
        capture_broken |= blocks_default();
        return s;
    }
    stream *s = handle;
    if (s->context != current())
        wrong("a stream of another context");
    return s;
}

static void do_work(const work *w);

/* Do the work of a stream, up to number `until` or all of it (0). */
static void drain(stream *s, uint64_t until)
{
    while (s->first != NULL && (until == 0 || s->first->number <= until)) {
        work *w = s->first;
        s->first = w->next;
        if (s->first == NULL)
            s->last = NULL;
        do_work(w);
        free(w->snapshot);
        free(w);
    }
}

static void drain_context(int context)
{
    drain(&default_streams[context], 0);
    for (stream *s = all_streams; s != NULL; s = s->next)
        if (s->context == context)
            drain(s, 0);
}

static void queue(cu_handle handle, work w)
{
    stream *s = stream_of(handle);
    if (s == captured) { /* part of the graph; nothing is done */
        free(w.snapshot);
        return;
    }
    if (s == &default_streams[s->context]) {
        for (stream *other = all_streams; other != NULL; other = other->next)
            if (other->context == s->context && other->blocking)
                drain(other, 0);
    } else if (s->blocking) {
        drain(&default_streams[s->context], 0);
    }
    work *entry = malloc(sizeof *entry);
    if (entry == NULL)
        wrong("no memory");
    *entry = w;
    entry->next = NULL;
    entry->context = s->context;
    entry->number = ++numbers;
    if (s->last != NULL)
        s->last->next = entry;
    else
        s->first = entry;
    s->last = entry;
}

/* For tests: do all work, and count the bytes that are not zero in all memory. */
EXPORT int fake_cuda_dirty(void)
{
    LOCKED;
    size_t found = 0;
    for (int context = 0; context < CONTEXTS; context++)
        drain_context(context);
    for (size_t i = 0; i < BLOCKS; i++) {
        found += device_memory[i].memory == NULL ? 0 : not_zero(&device_memory[i]);
        found += host_memory[i].memory == NULL ? 0 : not_zero(&host_memory[i]);
    }
    return (int)found;
}

static int uses(const work *w, const reserved *b)
{
    const uintptr_t start = (uintptr_t)b->memory, end = start + b->bytes;
    const uintptr_t at[3] = {(uintptr_t)w->host, (uintptr_t)w->out, (uintptr_t)w->in};
    for (size_t i = 0; i < 3; i++)
        if (at[i] >= start && at[i] < end)
            return 1;
    for (size_t i = 0; i < 16 && w->kind == LAUNCH; i++)
        if (w->parameters[i] >= start && w->parameters[i] < end)
            return 1;
    return 0;
}

/* Memory that is freed must not be in use by work that is not done. */
static void require_unused(const reserved *b)
{
    for (size_t d = 0; d < CONTEXTS; d++)
        for (const work *w = default_streams[d].first; w != NULL; w = w->next)
            if (uses(w, b))
                wrong("memory is freed that queued work uses");
    for (const stream *s = all_streams; s != NULL; s = s->next)
        for (const work *w = s->first; w != NULL; w = w->next)
            if (uses(w, b))
                wrong("memory is freed that queued work uses");
}

/* What the real driver does not allow while a stream is captured. */
#define UNSAFE                                       \
    do {                                             \
        if (captured != NULL && capture_mode != 2) { \
            capture_broken = 1;                      \
            return CAPTURE_UNSUPPORTED;              \
        }                                            \
    } while (0)

/* Devices and contexts */

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
    if (ordinal < 0 || ordinal >= DEVICES)
        return NO_DEVICE;
    *device = 100 + ordinal;
    return 0;
}

EXPORT cu_result cuDeviceGetName(char *name, int size, cu_device device)
{
    ENTER("%d", device);
    snprintf(name, (size_t)size, "Fake GPU %d", device - 100);
    return 0;
}

EXPORT cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device device)
{
    ENTER("%d", device);
    *bytes = (size_t)8 << 30;
    return 0;
}

EXPORT cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    ENTER("%d %d", attribute, device);
    const char *old = getenv("FAKE_CUDA_OLD");
    *value = attribute == CU_CAPABILITY_MAJOR   ? (old != NULL ? 6 : 9)
             : attribute == CU_CAPABILITY_MINOR ? 0
                                                : 1; /* multiprocessor */
    return 0;
}

EXPORT cu_result cuDevicePrimaryCtxRetain(cu_handle *context, cu_device device)
{
    ENTER("%d", device);
    retained++;
    *context = &contexts[device - 100];
    return 0;
}

/* With the last one all must have been given back. */
EXPORT cu_result cuDevicePrimaryCtxRelease_v2(cu_device device)
{
    {
        LOCKED;
        retained--;
        if (retained == 0 && getenv("FAKE_CUDA_USER_MEMORY") == NULL &&
            (depth != 0 || fake_cuda_left() != 0))
            fprintf(
                stderr,
                "fake driver: left: %d contexts, %d allocations, %d streams, %d modules, %d page-locked, %d events\n",
                depth, allocations, streams, modules, host_allocations, events);
    }
    ENTER("%d", device);
    return 0;
}

EXPORT cu_result cuCtxPushCurrent_v2(cu_handle context)
{
    ENTER(" ");
    const int number = (int)((int *)context - contexts);
    if (number < 0 || number >= CONTEXTS || depth == 16)
        wrong("not a context");
    stack[depth++] = number;
    return 0;
}

EXPORT cu_result cuCtxPopCurrent_v2(cu_handle *context)
{
    *context = &contexts[current()];
    depth--;
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuCtxGetCurrent(cu_handle *context)
{
    ENTER(" ");
    *context = depth > 0 ? &contexts[current()] : NULL;
    return 0;
}

EXPORT cu_result cuCtxGetDevice(cu_device *device)
{
    ENTER(" ");
    *device = 100 + current() % DEVICES;
    return 0;
}

/* A context of the user beside the primary one. */
EXPORT cu_result cuCtxCreate_v2(cu_handle *context, unsigned flags, cu_device device)
{
    ENTER("%u %d", flags, device);
    *context = &contexts[DEVICES + device - 100];
    stack[depth++] = DEVICES + device - 100;
    return 0;
}

EXPORT cu_result cuThreadExchangeStreamCaptureMode(int *mode)
{
    const int before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    ENTER("%d", capture_mode);
    return 0;
}

EXPORT cu_result cuCtxSynchronize(void)
{
    {
        LOCKED;
        UNSAFE;
        drain_context(current());
    }
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuModuleLoadData(cu_handle *module, const void *image)
{
    const int code = memcmp(image, "\177ELF", 4) == 0;
    ENTER("%.30s", code ? "machine code" : (const char *)image);
    UNSAFE;
    (void)current();
    if (code) {
        if (getenv("FAKE_CUDA_CUBINS") == NULL)
            return NO_BINARY;
        modules++;
        *module = (void *)(uintptr_t)image;
        return 0;
    }
    if (getenv("FAKE_CUDA_NO_COMPILER") != NULL)
        return NO_COMPILER;
    if (strncmp(image, ".version 7.0", 12) != 0 && strstr(image, ".version 7.0") == NULL)
        wrong("not PTX");
    modules++;
    *module = (void *)(uintptr_t)image;
    return 0;
}

EXPORT cu_result cuModuleUnload(cu_handle module)
{
    {
        LOCKED;
        UNSAFE;
        drain_context(current());
        modules--;
    }
    ENTER("%d", module != NULL);
    return 0;
}

/*
 * The sizes of an entry's parameters from machine code: its section .nv.info.NAME holds a record
 * for each (4 bytes: format, attribute 0x17, length 12; then index, ordinal and offset, and the
 * size above bit 18).
 */
static size_t parameters_of_code(const uint8_t *image, const char *name, uint8_t *sizes)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)image;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(image + head->e_shoff);
    const char *names = (const char *)image + sections[head->e_shstrndx].sh_offset;
    size_t count = 0;
    for (size_t i = 0; i < head->e_shnum; i++) {
        const char *section = names + sections[i].sh_name;
        if (strncmp(section, ".nv.info.", 9) != 0 || strcmp(section + 9, name) != 0)
            continue;
        const uint8_t *at = image + sections[i].sh_offset, *end = at + sections[i].sh_size;
        while (at + 4 <= end) {
            const size_t bytes = at[0] == 4 ? (size_t)(at[2] | at[3] << 8) : 0;
            if (at[0] == 4 && at[1] == 0x17 && bytes == 12) {
                const size_t ordinal = (size_t)(at[8] | at[9] << 8);
                if (ordinal >= 16)
                    wrong("too many parameters");
                sizes[ordinal] = (uint8_t)(load_le32(at + 12) >> 18);
                count = ordinal + 1 > count ? ordinal + 1 : count;
            }
            at += 4 + bytes;
        }
    }
    return count;
}

/* The types of an entry's parameters, 8 or 4 bytes each, as its PTX declares them. */
typedef struct function {
    cu_handle module;
    char name[80];
    uint8_t sizes[16];
    size_t count;
} function;
static function functions[256];
static int function_count;

EXPORT cu_result cuModuleGetFunction(cu_handle *found, cu_handle module, const char *name)
{
    ENTER("%s", name);
    (void)current();
    for (int i = 0; i < function_count; i++)
        if (functions[i].module == module && strcmp(functions[i].name, name) == 0) {
            *found = &functions[i];
            return 0;
        }
    if (memcmp(module, "\177ELF", 4) == 0) {
        function *f = &functions[function_count];
        f->module = module;
        snprintf(f->name, sizeof f->name, "%s", name);
        f->count = parameters_of_code(module, name, f->sizes);
        if (f->count == 0)
            return NOT_FOUND;
        function_count++;
        *found = f;
        return 0;
    }
    char needle[100];
    snprintf(needle, sizeof needle, ".entry %s(", name);
    const char *place = strstr(module, needle);
    if (place == NULL)
        return NOT_FOUND;
    function *f = &functions[function_count++];
    f->module = module;
    snprintf(f->name, sizeof f->name, "%s", name);
    const char *end = strchr(place, ')');
    while ((place = strstr(place, ".param .u")) != NULL && place < end && f->count < 16) {
        place += strlen(".param .u");
        f->sizes[f->count++] = (uint8_t)(atoi(place) / 8);
    }
    *found = f;
    return 0;
}

/* Memory */

EXPORT cu_result cuMemAlloc_v2(cu_pointer *pointer, size_t bytes)
{
    ENTER("%zu", bytes);
    UNSAFE;
    reserved *b;
    const int rc = bytes == 0 ? INVALID : reserve_block(device_memory, bytes, &b);
    if (rc != 0)
        return rc;
    *pointer = (cu_pointer)(uintptr_t)b->memory;
    allocations++;
    return 0;
}

EXPORT cu_result cuMemFree_v2(cu_pointer pointer)
{
    {
        LOCKED;
        UNSAFE;
        (void)current();
        reserved *b = find_block(device_memory, (void *)(uintptr_t)pointer, 0);
        if (b == NULL || (cu_pointer)(uintptr_t)b->memory != pointer)
            wrong("freeing what was not allocated");
        require_unused(b);
        const size_t left = not_zero(b);
        if (left > 0 && getenv("FAKE_CUDA_USER_MEMORY") == NULL)
            fprintf(
                stderr,
                "fake driver: %zu bytes of device memory were freed without having been wiped\n",
                left);
        free(b->memory);
        b->memory = NULL;
        allocations--;
    }
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    ENTER("%zu %u", bytes, flags);
    UNSAFE;
    reserved *b;
    const int rc = reserve_block(host_memory, bytes, &b);
    if (rc != 0)
        return rc;
    *pointer = b->memory;
    host_allocations++;
    return 0;
}

/* Memory of the user, locked by the user. */
EXPORT cu_result cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags)
{
    ENTER("%zu %u", bytes, flags);
    for (size_t i = 0; i < BLOCKS; i++)
        if (host_memory[i].memory == NULL) {
            host_memory[i] = (reserved){pointer, bytes, current(), 1};
            return 0;
        }
    return OUT_OF_MEMORY;
}

EXPORT cu_result cuMemHostUnregister(void *pointer)
{
    ENTER(" ");
    reserved *b = find_block(host_memory, pointer, 0);
    if (b == NULL || b->memory != pointer || !b->registered)
        return INVALID;
    b->memory = NULL;
    return 0;
}

/* Whether memory is locked in part: the device copies neither from it nor to it. */
static int partly_locked(const void *pointer, size_t bytes)
{
    const uintptr_t start = (uintptr_t)pointer, end = start + bytes;
    if (find_block(host_memory, pointer, bytes) != NULL)
        return 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        const uintptr_t at = (uintptr_t)host_memory[i].memory;
        if (at != 0 && at < end && start < at + host_memory[i].bytes)
            return 1;
    }
    return 0;
}

EXPORT cu_result cuMemFreeHost(void *pointer)
{
    {
        LOCKED;
        UNSAFE;
        (void)current();
        reserved *b = find_block(host_memory, pointer, 0);
        if (b == NULL || b->memory != pointer)
            wrong("freeing page-locked memory that was not allocated");
        require_unused(b);
        if (not_zero(b) > 0)
            fprintf(stderr,
                    "fake driver: page-locked memory was freed without having been wiped\n");
        free(b->memory);
        b->memory = NULL;
        host_allocations--;
    }
    ENTER(" ");
    return 0;
}

static cu_result attribute_of(void *value, int attribute, cu_pointer pointer)
{
    const void *at = (const void *)(uintptr_t)pointer;
    if (attribute == CU_POINTER_DEVICE) {
        const reserved *b = find_block(device_memory, at, 1);
        const int device = b == NULL ? 0 : b->context % DEVICES;
        if (b != NULL)
            memcpy(value, &device, sizeof device);
        return b != NULL ? 0 : INVALID;
    }
    if (attribute == CU_POINTER_CONTEXT || attribute == CU_POINTER_RANGE_START ||
        attribute == CU_POINTER_RANGE_BYTES) {
        const reserved *b = find_block(device_memory, at, 1);
        b = b == NULL ? find_block(host_memory, at, 1) : b;
        if (b == NULL)
            return INVALID;
        if (attribute == CU_POINTER_CONTEXT)
            *(cu_handle *)value = &contexts[b->context];
        else if (attribute == CU_POINTER_RANGE_START)
            *(cu_pointer *)value = (cu_pointer)(uintptr_t)b->memory;
        else
            *(size_t *)value = b->bytes;
        return 0;
    }
    if (attribute != CU_POINTER_TYPE)
        return INVALID;
    const unsigned type = find_block(host_memory, at, 1) != NULL     ? CU_TYPE_HOST
                          : find_block(device_memory, at, 1) != NULL ? 2u
                                                                     : 0u;
    if (type == 0)
        return INVALID;
    memcpy(value, &type, sizeof type);
    return 0;
}

EXPORT cu_result cuPointerGetAttribute(void *value, int attribute, cu_pointer pointer)
{
    ENTER("%d", attribute);
    (void)current();
    return attribute_of(value, attribute, pointer);
}

/* What is not known is 0, and no error. */
EXPORT cu_result cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                                        cu_pointer pointer)
{
    ENTER("%u", count);
    (void)current();
    for (unsigned i = 0; i < count; i++)
        if (attribute_of(values[i], attributes[i], pointer) != 0)
            memset(values[i], 0,
                   attributes[i] == CU_POINTER_TYPE || attributes[i] == CU_POINTER_DEVICE
                       ? sizeof(int)
                       : sizeof(void *));
    return 0;
}

EXPORT cu_result cuMemcpyHtoDAsync_v2(cu_pointer out, const void *in, size_t bytes,
                                      cu_handle handle)
{
    ENTER("%zu stream %d", bytes, handle != NULL);
    if (partly_locked(in, bytes))
        return INVALID;
    work w = {.kind = TO_DEVICE, .out = out, .host = (uint8_t *)(uintptr_t)in, .bytes = bytes};
    if (find_block(host_memory, in, bytes) == NULL) {
        w.host = w.snapshot = malloc(bytes + 1);
        if (w.snapshot == NULL)
            wrong("no memory");
        memcpy(w.snapshot, in, bytes);
    }
    queue(handle, w);
    return 0;
}

EXPORT cu_result cuMemcpyDtoHAsync_v2(void *out, cu_pointer in, size_t bytes, cu_handle handle)
{
    ENTER("%zu stream %d", bytes, handle != NULL);
    if (partly_locked(out, bytes))
        return INVALID;
    queue(handle, (work){.kind = TO_HOST, .host = out, .in = in, .bytes = bytes});
    if (find_block(host_memory, out, bytes) == NULL)
        drain(stream_of(handle), 0);
    return 0;
}

EXPORT cu_result cuMemcpyDtoDAsync_v2(cu_pointer out, cu_pointer in, size_t bytes, cu_handle handle)
{
    ENTER("%zu stream %d", bytes, handle != NULL);
    queue(handle, (work){.kind = COPY, .out = out, .in = in, .bytes = bytes});
    return 0;
}

EXPORT cu_result cuMemsetD8Async(cu_pointer out, unsigned char value, size_t bytes,
                                 cu_handle handle)
{
    {
        LOCKED;
        queue(handle, (work){.kind = FILL, .out = out, .value = value, .bytes = bytes});
    }
    ENTER("%zu stream %d", bytes, handle != NULL);
    return 0;
}

EXPORT cu_result cuStreamCreate(cu_handle *handle, unsigned flags)
{
    ENTER("%u", flags);
    stream *s = calloc(1, sizeof *s);
    if (s == NULL)
        return OUT_OF_MEMORY;
    s->context = current();
    s->blocking = !(flags & CU_STREAM_NON_BLOCKING);
    s->next = all_streams;
    all_streams = s;
    *handle = s;
    streams++;
    return 0;
}

EXPORT cu_result cuStreamDestroy_v2(cu_handle handle)
{
    {
        LOCKED;
        UNSAFE;
        stream *s = stream_of(handle);
        drain(s, 0);
        stream **link = &all_streams;
        while (*link != s)
            link = &(*link)->next;
        *link = s->next;
        free(s);
        streams--;
    }
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuStreamSynchronize(cu_handle handle)
{
    {
        LOCKED; /* an error is one of the work, which has ended */
        UNSAFE;
        drain(stream_of(handle), 0);
    }
    ENTER("stream %d", handle != NULL);
    return 0;
}

EXPORT cu_result cuStreamIsCapturing(cu_handle handle, int *status)
{
    ENTER("stream %d", handle != NULL);
    if ((uintptr_t)handle <= 1 && blocks_default())
        return CAPTURE_IMPLICIT;
    *status = stream_of(handle) == captured || getenv("FAKE_CUDA_CAPTURE") != NULL;
    return 0;
}

EXPORT cu_result cuStreamBeginCapture_v2(cu_handle handle, int mode)
{
    ENTER("%d", mode);
    if (captured != NULL || (uintptr_t)handle <= 2 || mode != 0)
        wrong("one capture at a time, of a stream of the user, in mode global");
    captured = stream_of(handle);
    capture_broken = 0;
    return 0;
}

EXPORT cu_result cuStreamEndCapture(cu_handle handle, cu_handle *graph)
{
    ENTER(" ");
    if (stream_of(handle) != captured)
        return INVALID;
    captured = NULL;
    *graph = NULL;
    return capture_broken ? CAPTURE_INVALIDATED : 0;
}

EXPORT cu_result cuStreamGetCtx(cu_handle handle, cu_handle *context)
{
    ENTER("stream %d", handle != NULL);
    (void)current();
    *context =
        (uintptr_t)handle <= 2 ? &contexts[current()] : &contexts[((stream *)handle)->context];
    return 0;
}

EXPORT cu_result cuEventCreate(cu_handle *handle, unsigned flags)
{
    ENTER("%u", flags);
    (void)current();
    *handle = calloc(1, sizeof(event));
    events++;
    return *handle == NULL ? OUT_OF_MEMORY : 0;
}

EXPORT cu_result cuEventDestroy_v2(cu_handle handle)
{
    {
        LOCKED;
        free(handle);
        events--;
    }
    ENTER(" ");
    return 0;
}

EXPORT cu_result cuEventRecord(cu_handle handle, cu_handle in)
{
    ENTER("stream %d", in != NULL);
    event *e = handle;
    queue(in, (work){.kind = RECORD});
    e->where = stream_of(in);
    e->number = numbers;
    return 0;
}

/* Do what a stream had up to a number; of a stream that is gone, all has been done. */
static void reach(stream *where, uint64_t until)
{
    if (until == 0)
        return;
    for (size_t i = 0; i < CONTEXTS; i++)
        if (where == &default_streams[i])
            drain(where, until);
    for (const stream *s = all_streams; s != NULL; s = s->next)
        if (s == where) {
            drain(where, until);
            return;
        }
}

EXPORT cu_result cuEventQuery(cu_handle handle)
{
    ENTER(" ");
    UNSAFE;
    const event *e = handle;
    if (getenv("FAKE_CUDA_SLOW") != NULL) {
        if (e->where == NULL || e->where->first == NULL || e->where->first->number > e->number)
            return 0;
        return NOT_READY;
    }
    reach(e->where, e->number);
    return 0;
}

/* A time that means nothing: a microsecond for each piece of work. */
EXPORT cu_result cuEventElapsedTime(float *milliseconds, cu_handle from, cu_handle to)
{
    ENTER(" ");
    *milliseconds = (float)(((event *)to)->number - ((event *)from)->number) / 1000;
    return 0;
}

EXPORT cu_result cuStreamWaitEvent(cu_handle handle, cu_handle awaited, unsigned flags)
{
    ENTER("stream %d %u", handle != NULL, flags);
    const event *e = awaited; /* as it is now: it may be recorded again, or destroyed */
    capture_broken |= captured != NULL && e->where == captured;
    queue(handle, (work){.kind = WAIT, .where = e->where, .until = e->number});
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
        if (strncmp(entry, "hanji_", 6) == 0 && strncmp(entry + 6, key, n) == 0 &&
            strncmp(entry + 6 + n, "_sm75_", 6) == 0) {
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
} shapes[] = {{"speck-64/128", 27, 32},  {"speck-128/128", 32, 64}, {"speck-128/192", 33, 64},
              {"speck-128/256", 34, 64}, {"simon-64/128", 44, 32},  {"simon-128/128", 68, 64},
              {"simeck-64/128", 44, 32}, {"cham-64/128", 16, 16},   {"cham-128/128", 8, 32},
              {"cham-128/256", 16, 32}};

static void one_key(const hanji_cipher *cipher, const char *rest, uint64_t threads, unsigned block,
                    void **p)
{
    size_t shape = 0;
    while (strcmp(shapes[shape].name, cipher->name) != 0)
        shape++;
    const size_t words = cipher->block_bytes / 4, width = shapes[shape].width,
                 count = shapes[shape].count;
    const hanji_operation operation = rest[0] == 'e'   ? HANJI_ENCRYPT
                                      : rest[0] == 'd' ? HANJI_DECRYPT
                                                       : HANJI_CTR;
    const char *layout = strchr(rest, '_') + 1;
    const int sliced = strcmp(layout, "x32") == 0, tail = strcmp(layout, "tail") == 0;
    const cu_pointer out = *(cu_pointer *)p[0], in = *(cu_pointer *)p[1],
                     keys = *(cu_pointer *)p[2];
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
    canonical(round_keys,
              inside(keys, sliced ? 4 * count * width : count * (width < 32 ? 4 : width / 8)),
              count, width, sliced);
    uint8_t *to = inside(out, bytes);
    const uint8_t *from = inside(in, bytes);
    if (operation != HANJI_CTR) {
        portable(cipher, operation)->run.blocks(to, from, bytes / cipher->block_bytes, round_keys);
        return;
    }
    uint8_t counter[16];
    const uint32_t first = *(uint32_t *)extra[0];
    if ((uint64_t)first + (bytes + cipher->block_bytes - 1) / cipher->block_bytes > UINT64_C(1)
                                                                                        << 32)
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

static void own_keys(const hanji_cipher *cipher, const char *layout, uint64_t threads,
                     unsigned block, void **p)
{
    const cu_pointer out = *(cu_pointer *)p[0], in = *(cu_pointer *)p[1],
                     keys = *(cu_pointer *)p[2], counters = *(cu_pointer *)p[3];
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
    const int64_t *offsets =
        strcmp(layout, "x1") == 0
            ? (const int64_t *)(const void *)inside(*(cu_pointer *)p[4], 8 * (n + 1))
            : NULL;
    const size_t size = cipher->block_bytes, key_size = cipher->key_bytes;
    for (size_t i = 0; i < n; i++) {
        uint64_t round_keys[68];
        const size_t at = offsets != NULL ? (size_t)offsets[i] : size * i,
                     bytes = offsets != NULL ? (size_t)(offsets[i + 1] - offsets[i]) : size;
        uint8_t counter[16], block_in[16], block_out[16];
        memcpy(counter, inside(counters + size * i, size), size);
        cipher->expand(round_keys, inside(keys + key_size * i, key_size));
        for (size_t done = 0; done < bytes; done += size) {
            const size_t part = bytes - done < size ? bytes - done : size;
            memcpy(block_in, inside(in + at + done, part), part);
            portable(cipher, HANJI_CTR)->run.ctr(block_out, block_in, 1, counter, round_keys);
            memcpy(inside(out + at + done, part), block_out, part);
        }
    }
}

/* The kernels to compare with, and ours of the same: one block each, encrypted with its own key. */
static void one_block_each(const char *entry, uint64_t threads, void **p)
{
    const hanji_cipher *cipher = strstr(entry, "speck") != NULL   ? hanji_speck64_128()
                                 : strstr(entry, "simon") != NULL ? hanji_simon64_128()
                                                                  : hanji_simeck64_128();
    const int sliced = strstr(entry, "_own_x32") != NULL;
    const size_t n = sliced ? (size_t)threads * 32 : *(uint32_t *)p[3];
    if (sliced ? threads % 32 != 0 : (strstr(entry, "_own_x2") != NULL ? 2 : 1) * threads < n)
        wrong("too few threads for the messages");
    for (size_t i = 0; i < n; i++) {
        uint64_t round_keys[44];
        uint8_t block[8];
        cipher->expand(round_keys, inside(*(cu_pointer *)p[2] + 16 * i, 16));
        portable(cipher, HANJI_ENCRYPT)
            ->run.blocks(block, inside(*(cu_pointer *)p[1] + 8 * i, 8), 1, round_keys);
        memcpy(inside(*(cu_pointer *)p[0] + 8 * i, 8), block, 8);
    }
}

/* An AEAD: the beginning of the names of its entries, and what does it on the processor. */
typedef struct aead {
    const char *entry;
    size_t nonce_bytes;
    int64_t (*seal)(const hanji_fleet *fleet), (*open)(const hanji_fleet *fleet);
} aead;

static const aead aeads[] = {
    {"hanji_schwaemm256_128_sm75_", 32, hanji_schwaemm256_128_fleet_encrypt,
     hanji_schwaemm256_128_fleet_decrypt},
    {"hanji_ascon_aead128_sm75_", 16, hanji_ascon_aead128_fleet_encrypt,
     hanji_ascon_aead128_fleet_decrypt},
};

/* Through the library on the processor, whose arrays are laid out alike. */
static void sponge(const aead *a, int open, uint64_t threads, void **p)
{
    const uint32_t n = *(uint32_t *)p[9];
    cu_pointer at[9];
    for (size_t i = 0; i < 9; i++)
        at[i] = *(cu_pointer *)p[i];
    if (threads < n)
        wrong("too few threads for the messages");
    hanji_fleet f = {.messages = n, .key_stride = 16, .tag_bytes = 16};
    f.nonce_bytes = a->nonce_bytes;
    f.offsets = (const int64_t *)(const void *)inside(at[5], 8 * ((size_t)n + 1));
    f.ad_offsets = (const int64_t *)(const void *)inside(at[7], 8 * ((size_t)n + 1));
    f.keys = inside(at[2], 16 * (size_t)n);
    f.nonces = inside(at[3], a->nonce_bytes * (size_t)n);
    f.tags = inside(at[4], 16 * (size_t)n);
    f.status = (int8_t *)inside(at[8], n);
    const size_t first = (size_t)f.offsets[0], ad_first = (size_t)f.ad_offsets[0];
    uint8_t *out = inside(at[0] + first, (size_t)f.offsets[n] - first);
    const uint8_t *in = inside(at[1] + first, (size_t)f.offsets[n] - first),
                  *ad = inside(at[6] + ad_first, (size_t)f.ad_offsets[n] - ad_first);
    f.output = out == NULL ? NULL : out - first;
    f.input = in == NULL ? NULL : in - first;
    f.ad = ad == NULL ? NULL : ad - ad_first;
    if ((open ? a->open : a->seal)(&f) < 0)
        wrong("the arrays of a fleet are refused");
}

/* One parameter, by its place, as the entries above read them. */
static void run_entry(const work *w)
{
    void *parameters[16];
    for (size_t i = 0; i < 16; i++)
        parameters[i] = (void *)(uintptr_t)&w->parameters[i];
    const uint64_t threads = (uint64_t)w->grid * w->block;
    const char *rest;
    if (strstr(w->entry, "_ptx_paper") != NULL || strstr(w->entry, "_sm75_own_x") != NULL ||
        strcmp(w->entry + strlen(w->entry) - 2, "_c") == 0) {
        one_block_each(w->entry, threads, parameters);
        return;
    }
    if (strcmp(w->entry, "hanji_clock") == 0) {
        const uint64_t ticks = *(uint32_t *)parameters[1];
        memcpy(inside(*(cu_pointer *)parameters[0], 8), &ticks, 8);
        return;
    }
    for (size_t i = 0; i < sizeof aeads / sizeof aeads[0]; i++) {
        const size_t begin = strlen(aeads[i].entry);
        if (strncmp(w->entry, aeads[i].entry, begin) == 0) {
            sponge(&aeads[i], strcmp(w->entry + begin, "open_x1") == 0, threads, parameters);
            return;
        }
    }
    const hanji_cipher *cipher = cipher_of(w->entry, &rest);
    if (strncmp(rest, "fleet_", 6) == 0)
        own_keys(cipher, rest + 6, threads, w->block, parameters);
    else
        one_key(cipher, rest, threads, w->block, parameters);
}

static void do_work(const work *w)
{
    const int before = working_context;
    working_context = w->context;
    if (w->kind == TO_DEVICE && w->bytes > 0)
        memcpy(inside(w->out, w->bytes), w->host, w->bytes);
    else if (w->kind == TO_HOST && w->bytes > 0)
        memcpy(w->host, inside(w->in, w->bytes), w->bytes);
    else if (w->kind == COPY && w->bytes > 0)
        memcpy(inside(w->out, w->bytes), inside(w->in, w->bytes), w->bytes);
    else if (w->kind == FILL)
        memset(inside(w->out, w->bytes), (int)w->value, w->bytes);
    else if (w->kind == LAUNCH)
        run_entry(w);
    else if (w->kind == WAIT)
        reach(w->where, w->until);
    if (w->kind == LAUNCH && w->value)
        *inside(w->parameters[0], 1) ^= 1;
    working_context = before;
}

EXPORT cu_result cuLaunchKernel(cu_handle launched, unsigned grid_x, unsigned grid_y,
                                unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z, unsigned shared, cu_handle handle,
                                void **parameters, void **extra)
{
    const function *f = launched;
    ENTER("%s %u x %u stream %d", f->name, grid_x, block_x, handle != NULL);
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x == 0 || block_y != 1 || block_z != 1 ||
        shared != 0 || extra != NULL)
        wrong("a grid of another shape");
    launches++;
    const char *flipped = getenv("FAKE_CUDA_WRONG");
    work w = {.kind = LAUNCH,
              .entry = f->name,
              .grid = grid_x,
              .block = block_x,
              .value = flipped != NULL && atoi(flipped) == launches};
    for (size_t i = 0; i < f->count; i++)
        memcpy(&w.parameters[i], parameters[i], f->sizes[i]);
    queue(handle, w);
    return 0;
}
