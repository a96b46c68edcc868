/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts, keys and launches. Which kernel does which part of a call is decided here; what the
 * entries expect stands in gpu.h.
 */
#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"
#include "support/bytes.h"
#include "support/cipher.h"

#define CIPHERS_MOST 32
#define CIPHERS (sizeof rows / sizeof rows[0])
#define VECTOR 16u
#define STREAM_VECTORS 4u /* per thread */
#define STREAM_THREADS 256u
#define SLICED_THREADS 128u
#define WARP 32u
#define LAUNCH_BYTES \
    ((size_t)1 << 34) /* at most, so numbers of vectors and blocks fit 32 bits */
#define CHUNK_BYTES ((size_t)16 << 20) /* of host memory in a slot */
#define SLOTS 3u

/* What the device runs of a cipher. */
typedef struct row {
    const char *cipher; /* printed name */
    const char *entry;  /* in the names of its entries */
    const char *file;   /* the PTX with its kernels on words */
    uint8_t word_bits;  /* of the cipher */
    uint8_t words;      /* of 32 bits in a block */
    uint8_t sliced;     /* 1: kernels in bit slices, 2: all but decryption */
    uint8_t fleet;      /* 1: kernels for a key per message, 2: in bit slices too */
    uint16_t round_keys;
} row;

static const row rows[] = {
    {"speck-64/128", "speck64_128", "speck64_sm75", 32, 2, 0, 1, 27},
    {"speck-128/128", "speck128_128", "speck128_sm75", 64, 4, 0, 1, 32},
    {"speck-128/192", "speck128_192", "speck128_sm75", 64, 4, 0, 1, 33},
    {"speck-128/256", "speck128_256", "speck128_sm75", 64, 4, 0, 1, 34},
    {"simon-64/128", "simon64_128", "simon64_sm75", 32, 2, 1, 2, 44},
    {"simon-128/128", "simon128_128", "simon128_sm75", 64, 4, 1, 1, 68},
    {"simeck-64/128", "simeck64_128", "simeck64_sm75", 32, 2, 1, 2, 44},
    {"cham-64/128", "cham64_128", "cham64_sm75", 16, 2, 2, 1, 16},
    {"cham-128/128", "cham128_128", "cham128_sm75", 32, 4, 0, 1, 8},
    {"cham-128/256", "cham128_256", "cham128_sm75", 32, 4, 0, 1, 16},
};

_Static_assert(CIPHERS <= CIPHERS_MOST, "hanji_gpu has no room for so many modules");

enum { WORDS, SLICED, FLEET, FILES };
static const char *const endings[FILES] = {"", "_x32", "_fleet"};

/* What hides in hanji_gpu. */
typedef struct context {
    cu_driver driver;
    cu_handle primary;
    /* loaded when first needed; of ciphers that share a file, by the first of them */
    cu_handle modules[CIPHERS_MOST][FILES];
    cu_handle sponge; /* the module of SCHWAEMM */
    cu_device device;
    int ready;
    char reason[160];
} context;
_Static_assert(sizeof(context) <= sizeof(hanji_gpu), "hanji_gpu is too small");

/* What hides in hanji_gpu_key. */
typedef struct keyed {
    context *c;
    const row *row;
    const hanji_cipher *cipher;
    cu_pointer keys, masks;
    size_t key_bytes, mask_bytes;
    uint64_t used, limit;
} keyed;
_Static_assert(sizeof(keyed) <= sizeof(hanji_gpu_key), "hanji_gpu_key is too small");

static context *context_of(hanji_gpu *gpu)
{
    return (context *)(void *)gpu;
}

static keyed *key_of(hanji_gpu_key *key)
{
    return (keyed *)(void *)key;
}

static int failed(context *c, int code, const char *what, const char *detail)
{
    snprintf(c->reason, sizeof c->reason, "%s%s%s", what, detail == NULL ? "" : ": ",
             detail == NULL ? "" : detail);
    return code;
}

/* HANJI_OK, or HANJI_E_DEVICE with a reason. */
static int checked(context *c, cu_result result, const char *what)
{
    const char *name = NULL;
    if (result == 0)
        return HANJI_OK;
    if (c->driver.error_name(result, &name) != 0)
        name = "unknown error";
    return failed(c, HANJI_E_DEVICE, what, name);
}

#define TRY(call, what)                         \
    do {                                        \
        const int rc_ = checked(c, call, what); \
        if (rc_ != HANJI_OK)                    \
            return rc_;                         \
    } while (0)

static int enter(context *c)
{
    if (!c->ready)
        return failed(c, HANJI_E_DEVICE, "no device is open", NULL);
    return checked(c, c->driver.push(c->primary), "the device's context cannot be used");
}

static void leave(context *c)
{
    cu_handle popped;
    (void)c->driver.pop(&popped);
}

static int start_driver(context *c)
{
    if (c->driver.library != NULL)
        return HANJI_OK;
    const char *problem = hanji_cu_open(&c->driver);
    if (problem != NULL) {
        hanji_cu_close(&c->driver);
        return failed(c, HANJI_E_DEVICE, problem, NULL);
    }
    const int rc = checked(c, c->driver.init(0), "the NVIDIA driver does not start");
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
        checked(with, with->driver.device_count(&count), "the devices cannot be counted");
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
    if (capability < 75) {
        snprintf(c->reason, sizeof c->reason,
                 "device %d has compute capability %d.%d; the kernels need 7.5", device,
                 capability / 10, capability % 10);
        return HANJI_E_DEVICE;
    }
    TRY(c->driver.primary_retain(&c->primary, c->device), "the device's context cannot be made");
    c->ready = 1;
    return HANJI_OK;
}

void hanji_gpu_close(hanji_gpu *gpu)
{
    if (gpu == NULL)
        return;
    context *c = context_of(gpu);
    if (c->ready && enter(c) == HANJI_OK) {
        for (size_t i = 0; i < CIPHERS; i++)
            for (size_t f = 0; f < FILES; f++)
                if (c->modules[i][f] != NULL)
                    (void)c->driver.module_unload(c->modules[i][f]);
        if (c->sponge != NULL)
            (void)c->driver.module_unload(c->sponge);
        leave(c);
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

static const row *find(const hanji_cipher *cipher)
{
    for (size_t i = 0; cipher != NULL && i < CIPHERS; i++)
        if (strcmp(rows[i].cipher, cipher->name) == 0)
            return &rows[i];
    return NULL;
}

int hanji_gpu_has(const hanji_cipher *cipher, int fleet)
{
    const row *r = find(cipher);
    return r != NULL && (!fleet || r->fleet != 0);
}

/* Kernels */

/* Load a PTX file into `slot`, if that has not been done. The current context is the device's. */
static int load_image(context *c, cu_handle *slot, const char *file, const char *ending)
{
    if (*slot != NULL)
        return HANJI_OK;
    char name[48];
    snprintf(name, sizeof name, "%s%s", file, ending);
    const hanji_gpu_image *image = hanji_gpu_images;
    while (image->name != NULL && strcmp(image->name, name) != 0)
        image++;
    if (image->name == NULL)
        return failed(c, HANJI_E_UNSUPPORTED, "this build has no kernels in", name);
    return checked(c, c->driver.module_load(slot, image->text), "the driver refuses the kernels");
}

/* The module of a cipher's file. */
static int load(context *c, const row *r, int file, cu_handle *module)
{
    size_t first = (size_t)(r - rows);
    while (first > 0 && strcmp(rows[first - 1].file, r->file) == 0)
        first--;
    const int rc = load_image(c, &c->modules[first][file], r->file, endings[file]);
    *module = c->modules[first][file];
    return rc;
}

static int function(context *c, const row *r, int file, const char *ending, cu_handle *found)
{
    char name[80];
    cu_handle module;
    const int rc = load(c, r, file, &module);
    if (rc != HANJI_OK)
        return rc;
    snprintf(name, sizeof name, "hanji_%s_sm75_%s", r->entry, ending);
    return checked(c, c->driver.module_function(found, module, name), "a kernel is missing");
}

static int launch(context *c, cu_handle kernel, uint64_t threads, unsigned block, cu_handle stream,
                  void **parameters)
{
    const unsigned grid = (unsigned)((threads + block - 1) / block);
    return checked(c,
                   c->driver.launch(kernel, grid, 1, 1, block, 1, 1, 0, stream, parameters, NULL),
                   "a kernel does not start");
}

/*
 * Streams of one key. The counter of CTR: its last word as a number, and the others as words in
 * memory.
 */
typedef struct part {
    cu_pointer out, in;
    size_t bytes;
    uint32_t counter, fixed[3];
} part;

static const char *const operations[3] = {"encrypt", "decrypt", "ctr"};

/*
 * One launch, of the kernel whose name ends in `layout`; `count` is its fourth parameter where it
 * has one.
 */
static int run(keyed *k, int operation, int file, const char *layout, part *p, uint32_t count,
               uint64_t threads, unsigned block, cu_handle stream)
{
    char ending[24];
    cu_handle kernel;
    snprintf(ending, sizeof ending, "%s_%s", operations[operation], layout);
    const int rc = function(k->c, k->row, file, ending, &kernel);
    if (rc != HANJI_OK)
        return rc;
    void *parameters[8];
    size_t n = 0;
    parameters[n++] = &p->out;
    parameters[n++] = &p->in;
    parameters[n++] = file == SLICED ? &k->masks : &k->keys;
    if (file != SLICED)
        parameters[n++] = &count;
    if (operation == 2) {
        parameters[n++] = &p->counter;
        for (size_t w = 0; w + 1 < k->row->words; w++)
            parameters[n++] = &p->fixed[w];
    }
    return launch(k->c, kernel, threads, block, stream, parameters);
}

/* Go on after `bytes` bytes, whole blocks of them. */
static void advance(part *p, size_t bytes, size_t block_bytes)
{
    p->out += bytes;
    p->in += bytes;
    p->bytes -= bytes;
    p->counter += (uint32_t)(bytes / block_bytes);
}

/* A part whose counter does not overflow and whose numbers fit 32 bits. */
static int run_part(keyed *k, int operation, part p, cu_handle stream)
{
    const size_t block_bytes = 4u * k->row->words, thread_bytes = WARP * block_bytes,
                 warp_bytes = WARP * thread_bytes;
    const int sliced = k->row->sliced == 1 || (k->row->sliced == 2 && operation != 1);
    if (sliced && p.bytes >= warp_bytes) {
        size_t warps = p.bytes / warp_bytes;
        while (warps > 0) {
            const unsigned block =
                warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
            const size_t now = warps * WARP / block * block / WARP;
            const int rc =
                run(k, operation, SLICED, "x32", &p, 0, (uint64_t)now * WARP, block, stream);
            if (rc != HANJI_OK)
                return rc;
            advance(&p, now * warp_bytes, block_bytes);
            warps -= now;
        }
    }
    if (p.bytes >= VECTOR) {
        const size_t vectors = p.bytes / VECTOR;
        const char *layout = k->row->words == 2 ? "x8" : "x4";
        const int rc = run(k, operation, WORDS, layout, &p, (uint32_t)vectors,
                           (vectors + STREAM_VECTORS - 1) / STREAM_VECTORS, STREAM_THREADS, stream);
        if (rc != HANJI_OK)
            return rc;
        advance(&p, vectors * VECTOR, block_bytes);
    }
    if (p.bytes > 0)
        return run(k, operation, WORDS, "tail", &p, (uint32_t)p.bytes, 1, WARP, stream);
    return HANJI_OK;
}

/* Any number of bytes. `counter`: NULL, or the first counter block, which is advanced. */
static int run_all(keyed *k, int operation, cu_pointer out, cu_pointer in, size_t bytes,
                   uint8_t *counter, cu_handle stream)
{
    const size_t block_bytes = 4u * k->row->words;
    while (bytes > 0) {
        part p = {.out = out, .in = in, .bytes = bytes < LAUNCH_BYTES ? bytes : LAUNCH_BYTES};
        if (counter != NULL) {
            p.counter = load_be32(counter + block_bytes - 4);
            const uint64_t room = ((UINT64_C(1) << 32) - p.counter) * block_bytes;
            if (p.bytes > room)
                p.bytes = (size_t)room;
            for (size_t w = 0; w + 1 < k->row->words; w++)
                p.fixed[w] = load_le32(counter + 4 * w);
        }
        /*
         * A counter that overflows within a vector: both blocks are done by themselves, by kernels
         * that take any address.
         */
        if (in % VECTOR != 0)
            p.bytes = p.bytes < block_bytes ? p.bytes : block_bytes;
        else if (p.bytes < bytes && p.bytes % VECTOR != 0)
            p.bytes = p.bytes > VECTOR ? p.bytes - p.bytes % VECTOR : block_bytes;
        const int rc = run_part(k, operation, p, stream);
        if (rc != HANJI_OK)
            return rc;
        if (counter != NULL)
            counter_advance(counter, block_bytes, (p.bytes + block_bytes - 1) / block_bytes);
        out += p.bytes;
        in += p.bytes;
        bytes -= p.bytes;
    }
    return HANJI_OK;
}

static int aligned(context *c, cu_pointer out, cu_pointer in)
{
    if ((out | in) % VECTOR == 0)
        return HANJI_OK;
    return failed(c, HANJI_E_ARGUMENT, "addresses in device memory must be multiples of 16", NULL);
}

static int overlap_device(cu_pointer out, cu_pointer in, size_t bytes)
{
    return out != in && (out < in ? in - out : out - in) < bytes;
}

enum { SPONGE_KEY = 16, SPONGE_NONCE = 32, SPONGE_TAG = 16 };

/* Arrays in device memory. Of texts whose lengths only the device knows, one byte. */
typedef struct device_span {
    cu_pointer at;
    uint64_t bytes;
} device_span;

/*
 * Whether none of the first `written` arrays shares a byte with another one. The first is the
 * output; `in` is the place of the input, which may begin where the output does.
 */
static int apart_on_device(const device_span *spans, size_t count, size_t written, size_t in)
{
    for (size_t i = 0; i < written; i++)
        for (size_t other = i + 1; other < count; other++)
            if (spans[i].bytes != 0 && spans[other].bytes != 0 &&
                (spans[i].at - spans[other].at < spans[other].bytes ||
                 spans[other].at - spans[i].at < spans[i].bytes) &&
                !(i == 0 && other == in && spans[0].at == spans[in].at))
                return 0;
    return 1;
}

/*
 * Refuse a stream that is being captured: the launch would come again with the same counter
 * whenever the graph is launched.
 */
static int not_captured(context *c, cu_handle stream)
{
    int status = 0;
    TRY(c->driver.stream_capturing(stream, &status), "the stream cannot be used");
    if (status == 0)
        return HANJI_OK;
    return failed(
        c, HANJI_E_ARGUMENT,
        "the stream is being captured into a graph, which would use the same counters each time that it is launched",
        NULL);
}

/* Memory */

/* Zero and free device memory; what used it is done. */
static void discard(context *c, cu_pointer *memory, size_t bytes)
{
    if (*memory == 0)
        return;
    (void)c->driver.fill(*memory, 0, bytes, NULL);
    (void)c->driver.stream_synchronize(NULL);
    (void)c->driver.free(*memory);
    *memory = 0;
}

/* Wipe and free page-locked memory; what used it is done. */
static void discard_host(context *c, uint8_t **memory, size_t bytes)
{
    if (*memory == NULL)
        return;
    hanji_wipe(*memory, bytes);
    (void)c->driver.host_free(*memory);
    *memory = NULL;
}

static int host_alloc(context *c, uint8_t **memory, size_t bytes)
{
    void *got = NULL;
    const int rc = checked(c, c->driver.host_alloc(&got, bytes, 0), "no page-locked memory");
    *memory = rc == HANJI_OK ? got : NULL;
    return rc;
}

/*
 * Copy between host and device and wait for it. Through page-locked memory, because the driver's
 * own buffers for other memory cannot be wiped.
 */
static int carry(context *c, cu_pointer device, uint8_t *out, const uint8_t *in, size_t bytes,
                 cu_handle stream)
{
    const size_t piece = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
    uint8_t *locked = NULL;
    int rc = bytes == 0 ? HANJI_OK : host_alloc(c, &locked, piece);
    for (size_t done = 0; done < bytes && rc == HANJI_OK; done += piece) {
        const size_t now = bytes - done < piece ? bytes - done : piece;
        if (in != NULL) {
            memcpy(locked, in + done, now);
            rc = checked(c, c->driver.to_device(device + done, locked, now, stream),
                         "data cannot be copied to the device");
        } else {
            rc = checked(c, c->driver.to_host(locked, device + done, now, stream),
                         "data cannot be copied from the device");
        }
        const int finished =
            checked(c, c->driver.stream_synchronize(stream), "the work on the device failed");
        rc = rc == HANJI_OK ? finished : rc;
        if (rc == HANJI_OK && out != NULL)
            memcpy(out + done, locked, now);
    }
    discard_host(c, &locked, piece);
    if (rc != HANJI_OK && out != NULL)
        hanji_wipe(out, bytes);
    return rc;
}

int hanji_gpu_alloc(hanji_gpu_pointer *memory, size_t bytes, hanji_gpu *gpu)
{
    if (memory == NULL || gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    *memory = 0;
    int rc = bytes == 0 ? HANJI_OK : enter(c);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = checked(c, c->driver.alloc(memory, bytes), "no device memory");
    leave(c);
    return rc;
}

void hanji_gpu_free(hanji_gpu_pointer memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == 0 || enter(context_of(gpu)) != HANJI_OK)
        return;
    context *c = context_of(gpu);
    (void)c->driver.context_synchronize();
    discard(c, &memory, bytes);
    leave(c);
}

int hanji_gpu_device_of(hanji_gpu_pointer memory, hanji_gpu *gpu)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int number = 0, rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = checked(c, c->driver.pointer_attribute(&number, CU_POINTER_DEVICE, memory),
                 "the address is not one of device memory");
    leave(c);
    return rc == HANJI_OK ? number : rc;
}

int hanji_gpu_upload(hanji_gpu_pointer out, const uint8_t *in, size_t bytes, hanji_gpu *gpu,
                     void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == 0 || in == NULL)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = carry(c, out, NULL, in, bytes, stream);
    leave(c);
    return rc;
}

int hanji_gpu_download(uint8_t *out, hanji_gpu_pointer in, size_t bytes, hanji_gpu *gpu,
                       void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == NULL || in == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = enter(c);
    if (rc != HANJI_OK) {
        if (bytes > 0)
            hanji_wipe(out, bytes);
        return rc;
    }
    rc = carry(c, in, out, NULL, bytes, stream);
    leave(c);
    return rc;
}

int hanji_gpu_copy(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, hanji_gpu *gpu,
                   void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == 0 || in == 0)) || overlap_device(out, in, bytes))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    if (bytes > 0)
        rc = checked(c, c->driver.copy(out, in, bytes, stream),
                     "data cannot be copied on the device");
    leave(c);
    return rc;
}

int hanji_gpu_zero(hanji_gpu_pointer out, size_t bytes, hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL || (bytes > 0 && out == 0))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    if (bytes > 0)
        rc = checked(c, c->driver.fill(out, 0, bytes, stream), "device memory cannot be zeroed");
    leave(c);
    return rc;
}

int hanji_gpu_wait(hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = checked(c, c->driver.stream_synchronize(stream), "the work on the device failed");
    leave(c);
    return rc;
}

int hanji_gpu_follow(hanji_gpu *gpu, void *stream, void *other)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    cu_handle event = NULL;
    int rc = stream == other ? HANJI_OK : enter(c);
    if (rc != HANJI_OK || stream == other)
        return rc;
    rc = checked(c, c->driver.event_create(&event, CU_EVENT_NO_TIMING), "no event");
    if (rc == HANJI_OK) {
        rc = checked(c, c->driver.event_record(event, other), "the stream cannot be used");
        if (rc == HANJI_OK)
            rc = checked(c, c->driver.stream_wait(stream, event, 0), "the stream cannot be used");
        (void)c->driver.event_destroy(event);
    }
    leave(c);
    return rc;
}

int hanji_gpu_check_stream(hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = not_captured(c, stream);
    leave(c);
    return rc;
}

int hanji_gpu_host_alloc(uint8_t **memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    *memory = NULL;
    int rc = bytes == 0 ? HANJI_OK : enter(c);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = host_alloc(c, memory, bytes);
    if (rc == HANJI_OK)
        memset(*memory, 0, bytes);
    leave(c);
    return rc;
}

void hanji_gpu_host_free(uint8_t *memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == NULL || enter(context_of(gpu)) != HANJI_OK)
        return;
    (void)context_of(gpu)->driver.context_synchronize();
    discard_host(context_of(gpu), &memory, bytes);
    leave(context_of(gpu));
}

/* Keys */

int hanji_gpu_key_set_limit(uint64_t blocks, hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL)
        return HANJI_E_ARGUMENT;
    key_of(key)->limit = blocks;
    return HANJI_OK;
}

/*
 * Words for the kernels on words, and masks for those in slices, from round keys in the canonical
 * layout.
 */
static void lay_out(uint8_t *words, uint8_t *masks, const uint8_t *canonical, const row *r)
{
    const size_t bits = r->word_bits, step = bits / 8;
    for (size_t i = 0; i < r->round_keys; i++) {
        uint64_t k = 0;
        if (bits == 16) {
            uint16_t v;
            memcpy(&v, canonical + step * i, sizeof v);
            k = v;
        } else if (bits == 32) {
            uint32_t v;
            memcpy(&v, canonical + step * i, sizeof v);
            k = v;
        } else {
            memcpy(&k, canonical + step * i, sizeof k);
        }
        store_le32(words, (uint32_t)k);
        words += 4;
        if (bits == 64) {
            store_le32(words, (uint32_t)(k >> 32));
            words += 4;
        }
        for (size_t b = 0; masks != NULL && b < bits; b++, masks += 4)
            store_le32(masks, 0 - (uint32_t)(k >> b & 1));
    }
}

/* Put bytes on the device; the memory is the caller's, also on failure. */
static int place(context *c, cu_pointer *out, const uint8_t *bytes, size_t count)
{
    TRY(c->driver.alloc(out, count), "no device memory for the key");
    return carry(c, *out, NULL, bytes, count, NULL);
}

#define ROUND_KEY_BYTES_MAX \
    544 /* of SIMON-128/128 in 64-bit words; that of SPECK-128/256 is smaller */
#define MASK_BYTES_MAX (32 * ROUND_KEY_BYTES_MAX)

void hanji_gpu_key_close(hanji_gpu_key *key)
{
    if (key == NULL)
        return;
    keyed *k = key_of(key);
    if (k->c != NULL && enter(k->c) == HANJI_OK) {
        (void)k->c->driver.context_synchronize();
        discard(k->c, &k->keys, k->key_bytes);
        discard(k->c, &k->masks, k->mask_bytes);
        leave(k->c);
    }
    memset(key, 0, sizeof *key);
}

int hanji_gpu_key_open(hanji_gpu_key *key, const uint8_t *bytes, size_t key_bytes,
                       const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (key == NULL)
        return HANJI_E_ARGUMENT;
    memset(key, 0, sizeof *key);
    if (bytes == NULL || cipher == NULL || gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = find(cipher);
    if (r == NULL)
        return failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels for", cipher->name);
    if (key_bytes != cipher->key_bytes)
        return HANJI_E_LENGTH;
    int rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    uint64_t canonical[ROUND_KEY_BYTES_MAX / 8];
    uint8_t words[ROUND_KEY_BYTES_MAX], masks[MASK_BYTES_MAX];
    keyed *k = key_of(key);
    *k = (keyed){.c = c, .row = r, .cipher = cipher, .limit = UINT64_C(1) << cipher->limit_log2};
    k->key_bytes = (size_t)r->round_keys * (r->word_bits < 32 ? 4 : r->word_bits / 8u);
    k->mask_bytes = r->sliced ? (size_t)r->round_keys * r->word_bits * 4 : 0;
    cipher->expand(canonical, bytes);
    lay_out(words, r->sliced ? masks : NULL, (const uint8_t *)canonical, r);
    rc = place(c, &k->keys, words, k->key_bytes);
    if (rc == HANJI_OK && r->sliced)
        rc = place(c, &k->masks, masks, k->mask_bytes);
    hanji_wipe(canonical, sizeof canonical);
    hanji_wipe(words, sizeof words);
    hanji_wipe(masks, sizeof masks);
    leave(c);
    if (rc != HANJI_OK)
        hanji_gpu_key_close(key);
    return rc;
}

/* One key, device memory */

int hanji_gpu_blocks(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, int decrypt,
                     hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || (bytes > 0 && (out == 0 || in == 0)) ||
        overlap_device(out, in, bytes))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    if (bytes % (4u * k->row->words) != 0)
        return HANJI_E_LENGTH;
    int rc = aligned(k->c, out, in);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = enter(k->c);
    if (rc != HANJI_OK)
        return rc;
    rc = run_all(k, decrypt ? 1 : 0, out, in, bytes, NULL, stream);
    leave(k->c);
    return rc;
}

/* Reserve the blocks of so many bytes under the limit. */
static int reserve(keyed *k, size_t bytes)
{
    const uint64_t block_bytes = 4u * k->row->words,
                   blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    if (blocks > k->limit || k->used > k->limit - blocks)
        return failed(k->c, HANJI_E_LIMIT, "the data limit of the key would be exceeded", NULL);
    k->used += blocks;
    return HANJI_OK;
}

int hanji_gpu_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, uint8_t *counter,
                  hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL ||
        (bytes > 0 && (out == 0 || in == 0)) || overlap_device(out, in, bytes))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    int rc = aligned(k->c, out, in);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = enter(k->c);
    if (rc != HANJI_OK)
        return rc;
    rc = not_captured(k->c, stream);
    if (rc == HANJI_OK)
        rc = reserve(k, bytes);
    if (rc == HANJI_OK)
        rc = run_all(k, 2, out, in, bytes, counter, stream);
    leave(k->c);
    return rc;
}

/*
 * Host memory: slots take turns, each with a stream, a page-locked buffer and device memory. While
 * the host fills or empties one, the device works on the others.
 */

#define DELIVERIES 3

typedef struct slot {
    cu_handle stream;
    uint8_t *host;
    cu_pointer device;
    struct {
        uint8_t *to;
        size_t at, bytes;
    } deliveries
        [DELIVERIES]; /* what goes to the caller when the stream is done; `to` NULL: nothing */
} slot;

typedef struct pipeline {
    context *c;
    size_t bytes; /* in a slot */
    size_t turn;
    slot slots[SLOTS];
} pipeline;

/* Slots for `chunks` chunks. The pipeline must be closed, on failure too. */
static int pipeline_open(pipeline *p, context *c, size_t bytes, size_t chunks, int buffers)
{
    memset(p, 0, sizeof *p);
    p->c = c;
    p->bytes = bytes;
    for (size_t i = 0; i < SLOTS && i < chunks; i++) {
        slot *s = &p->slots[i];
        TRY(c->driver.stream_create(&s->stream, CU_STREAM_NON_BLOCKING), "no stream");
        const int rc = buffers ? host_alloc(c, &s->host, bytes) : HANJI_OK;
        if (rc != HANJI_OK)
            return rc;
        TRY(c->driver.alloc(&s->device, bytes), "no device memory");
    }
    return HANJI_OK;
}

/* Wait for the chunk in work and deliver it. */
static int slot_finish(context *c, slot *s)
{
    if (s->stream == NULL)
        return HANJI_OK;
    TRY(c->driver.stream_synchronize(s->stream), "the work on the device failed");
    for (size_t i = 0; i < DELIVERIES; i++)
        if (s->deliveries[i].to != NULL) {
            memcpy(s->deliveries[i].to, s->host + s->deliveries[i].at, s->deliveries[i].bytes);
            s->deliveries[i].to = NULL;
        }
    return HANJI_OK;
}

/* The slot for the next chunk, whose earlier one has been delivered. */
static int pipeline_next(pipeline *p, slot **next)
{
    *next = &p->slots[p->turn++ % SLOTS];
    return slot_finish(p->c, *next);
}

/* Deliver all that is in work, in the order in which it was begun. */
static int pipeline_finish(pipeline *p)
{
    int rc = HANJI_OK;
    for (size_t i = 0; i < SLOTS && rc == HANJI_OK; i++)
        rc = slot_finish(p->c, &p->slots[(p->turn + i) % SLOTS]);
    return rc;
}

static void pipeline_close(pipeline *p)
{
    for (size_t i = 0; i < SLOTS; i++) /* all of them before any memory goes */
        if (p->slots[i].stream != NULL)
            (void)p->c->driver.stream_synchronize(p->slots[i].stream);
    for (size_t i = 0; i < SLOTS; i++) {
        slot *s = &p->slots[i];
        discard(p->c, &s->device, p->bytes);
        discard_host(p->c, &s->host, p->bytes);
        if (s->stream != NULL)
            (void)p->c->driver.stream_destroy(s->stream);
    }
}

/*
 * Whether memory is page-locked from its first to its last byte, so the device may copy from
 * it and to it at any time.
 */
static int is_locked(context *c, const uint8_t *memory, size_t bytes)
{
    for (int end = 0; end < 2; end++) {
        unsigned type = 0;
        const cu_pointer at = (cu_pointer)(uintptr_t)(end ? memory + bytes - 1 : memory);
        if (c->driver.pointer_attribute(&type, CU_POINTER_TYPE, at) != 0 || type != CU_TYPE_HOST)
            return 0;
    }
    return 1;
}

/* One key, host memory */

static int ctr_host(keyed *k, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                    int direct, pipeline *p)
{
    context *c = k->c;
    while (bytes > 0) {
        const size_t now = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
        slot *s;
        int rc = pipeline_next(p, &s);
        if (rc != HANJI_OK)
            return rc;
        if (!direct)
            memcpy(s->host, in, now);
        TRY(c->driver.to_device(s->device, direct ? in : s->host, now, s->stream),
            "data cannot be copied to the device");
        rc = run_all(k, 2, s->device, s->device, now, counter, s->stream);
        if (rc != HANJI_OK)
            return rc;
        TRY(c->driver.to_host(direct ? out : s->host, s->device, now, s->stream),
            "data cannot be copied from the device");
        if (!direct) {
            s->deliveries[0].to = out;
            s->deliveries[0].bytes = now;
        }
        in += now;
        out += now;
        bytes -= now;
    }
    return pipeline_finish(p);
}

int hanji_gpu_ctr_host(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                       hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL || !valid(out, bytes) ||
        !valid(in, bytes) || overlap_partly(out, bytes, in, bytes) ||
        overlap(out, bytes, key, sizeof *key) || overlap(in, bytes, key, sizeof *key))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    const size_t block_bytes = 4u * k->row->words;
    if (overlap(out, bytes, counter, block_bytes) || overlap(in, bytes, counter, block_bytes))
        return HANJI_E_ARGUMENT;
    if (bytes == 0)
        return HANJI_OK;
    int rc = reserve(k, bytes);
    if (rc != HANJI_OK)
        return rc;
    rc = enter(k->c);
    if (rc == HANJI_OK) {
        pipeline p;
        const size_t chunk =
            bytes < CHUNK_BYTES ? (bytes + VECTOR - 1) / VECTOR * VECTOR : CHUNK_BYTES;
        const int direct = is_locked(k->c, out, bytes) && is_locked(k->c, in, bytes);
        rc = pipeline_open(&p, k->c, chunk, (bytes + chunk - 1) / chunk, !direct);
        if (rc == HANJI_OK)
            rc = ctr_host(k, out, in, bytes, counter, direct, &p);
        pipeline_close(&p);
        leave(k->c);
    }
    if (rc != HANJI_OK)
        hanji_wipe(out, bytes);
    return rc;
}

/* Fleets in device memory */

typedef struct arrays {
    cu_pointer out, in, keys, counters, offsets;
} fleet_arrays;

/* Queue the kernels for `messages` messages, less than 2^32. */
static int run_fleet(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                     size_t messages, cu_handle stream)
{
    cu_handle kernel;
    uint32_t count = (uint32_t)messages;
    int rc;
    if (a.offsets != 0) {
        rc = function(c, r, FLEET, "fleet_x1", &kernel);
        void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &a.offsets, &count};
        return rc != HANJI_OK ? rc
                              : launch(c, kernel, messages, STREAM_THREADS, stream, parameters);
    }
    size_t warps = r->fleet == 2 ? messages / 1024 : 0;
    while (warps > 0) {
        const unsigned block =
            warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
        const size_t now = warps * WARP / block * block / WARP, done = 1024 * now;
        void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters};
        rc = function(c, r, FLEET, "fleet_x32", &kernel);
        if (rc == HANJI_OK)
            rc = launch(c, kernel, (uint64_t)now * WARP, block, stream, parameters);
        if (rc != HANJI_OK)
            return rc;
        a.out += cipher->block_bytes * done;
        a.in += cipher->block_bytes * done;
        a.keys += cipher->key_bytes * done;
        a.counters += cipher->block_bytes * done;
        count -= (uint32_t)done;
        warps -= now;
    }
    if (count == 0)
        return HANJI_OK;
    rc = function(c, r, FLEET, "fleet_x2", &kernel);
    void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &count};
    return rc != HANJI_OK
               ? rc
               : launch(c, kernel, ((uint64_t)count + 1) / 2, STREAM_THREADS, stream, parameters);
}

int hanji_gpu_fleet_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, hanji_gpu_pointer keys,
                        hanji_gpu_pointer counters, hanji_gpu_pointer offsets, size_t messages,
                        const hanji_cipher *cipher, hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL || cipher == NULL || messages >= UINT32_MAX ||
        (messages > 0 && (out == 0 || in == 0 || keys == 0 || counters == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = find(cipher);
    if (r == NULL || r->fleet == 0)
        return failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels with a key per message for",
                      cipher->name);
    int rc = aligned(c, offsets == 0 ? keys | counters | out | in : keys | counters, offsets);
    if (rc != HANJI_OK || messages == 0)
        return rc;
    const uint64_t n = messages, text = offsets == 0 ? n * cipher->block_bytes : 1;
    const device_span spans[] = {{out, text},
                                 {in, text},
                                 {keys, n * cipher->key_bytes},
                                 {counters, n * cipher->block_bytes},
                                 {offsets, offsets == 0 ? 0 : 8 * (n + 1)}};
    if (!apart_on_device(spans, 5, 1, 1))
        return failed(c, HANJI_E_ARGUMENT,
                      "the output overlaps another array; it may only begin where the input does",
                      NULL);
    rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = not_captured(c, stream);
    if (rc == HANJI_OK)
        rc = run_fleet(c, r, cipher, (fleet_arrays){out, in, keys, counters, offsets}, messages,
                       stream);
    leave(c);
    return rc;
}

/* Queue the kernel that seals or opens n messages whose arrays lie in device memory. */
static int run_sponge(context *c, const hanji_gpu_sponge *arrays, int open, cu_handle stream)
{
    cu_handle kernel;
    hanji_gpu_sponge a = *arrays;
    uint32_t messages = (uint32_t)a.messages;
    int rc = load_image(c, &c->sponge, "schwaemm256_sm75", endings[FLEET]);
    if (rc == HANJI_OK)
        rc = checked(c,
                     c->driver.module_function(&kernel, c->sponge,
                                               open ? "hanji_schwaemm256_128_sm75_open_x1"
                                                    : "hanji_schwaemm256_128_sm75_seal_x1"),
                     "a kernel is missing");
    if (rc != HANJI_OK)
        return rc;
    void *parameters[] = {&a.out,     &a.in, &a.keys,       &a.nonces, &a.tags,
                          &a.offsets, &a.ad, &a.ad_offsets, &a.status, &messages};
    return launch(c, kernel, messages, SLICED_THREADS, stream, parameters);
}

int hanji_gpu_fleet_schwaemm256_128(const hanji_gpu_sponge *arrays, int open, hanji_gpu *gpu,
                                    void *stream)
{
    if (gpu == NULL || arrays == NULL || arrays->messages >= UINT32_MAX)
        return HANJI_E_ARGUMENT;
    if (arrays->messages == 0)
        return HANJI_OK;
    if (arrays->keys == 0 || arrays->nonces == 0 || arrays->tags == 0 || arrays->offsets == 0 ||
        arrays->ad_offsets == 0 || arrays->status == 0)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const uint64_t n = arrays->messages, end = 8 * (n + 1);
    const device_span status = {arrays->status, n}, tags = {arrays->tags, SPONGE_TAG * n};
    const device_span spans[] = {{arrays->out, arrays->out != 0},
                                 status,
                                 tags,
                                 {arrays->in, arrays->in != 0},
                                 {arrays->ad, arrays->ad != 0},
                                 {arrays->keys, SPONGE_KEY * n},
                                 {arrays->nonces, SPONGE_NONCE * n},
                                 {arrays->offsets, end},
                                 {arrays->ad_offsets, end}};
    if (!apart_on_device(spans, sizeof spans / sizeof spans[0], open ? 2 : 3, 3))
        return failed(
            c, HANJI_E_ARGUMENT,
            "an array that is written overlaps another; only the output may begin where the input does",
            NULL);
    int rc = aligned(c, arrays->keys | arrays->nonces | arrays->tags,
                     arrays->offsets | arrays->ad_offsets);
    if (rc == HANJI_OK)
        rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = not_captured(c, stream);
    if (rc == HANJI_OK)
        rc = run_sponge(c, arrays, open, stream);
    leave(c);
    return rc;
}

/*
 * Fleets in host memory, in chunks of whole messages. What goes to the device lies side by side in
 * a slot and is one copy; what comes back, from the data to the end, is another.
 */

/* One call: what is done to the fleet. */
typedef struct fleet_work {
    const hanji_fleet *fleet;
    const hanji_cipher *cipher; /* of CTR; NULL: SCHWAEMM */
    const row *row;
    int open; /* SCHWAEMM: open, not seal */
    /* CTR: all messages have one block, and all arrays are page-locked: no buffers of ours */
    int direct;
    size_t key_bytes;
    uint64_t limit; /* blocks of a message */
} fleet_work;

/* Where the arrays of a chunk lie in its slot. */
typedef struct places {
    size_t keys, nonces, offsets, ad, ad_offsets, tags, data, data_end, status, end;
} places;

static size_t padded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static size_t message_bytes(const int64_t *offsets, size_t first, size_t last)
{
    return offsets == NULL ? 0 : (size_t)(offsets[last] - offsets[first]);
}

static places lay_out_fleet(const fleet_work *w, size_t first, size_t last)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first, tags = w->cipher == NULL ? n * SPONGE_TAG : 0,
                 offsets = (n + 1) * sizeof(int64_t);
    places at = {.keys = 0};
    at.nonces = padded(n * w->key_bytes);
    at.offsets = at.nonces + padded(n * f->nonce_bytes);
    at.ad = at.offsets + padded(offsets);
    at.ad_offsets = at.ad + padded(message_bytes(f->ad_offsets, first, last));
    at.tags = at.ad_offsets + (w->cipher == NULL ? padded(offsets) : 0);
    at.data = at.tags + (w->open ? padded(tags) : 0);
    at.data_end = at.data + message_bytes(f->offsets, first, last);
    at.end = padded(at.data_end);
    if (w->cipher == NULL) {
        if (!w->open) {
            at.tags = at.end;
            at.end += padded(tags);
        }
        at.status = at.end;
        at.end += n;
    }
    at.end = padded(at.end + VECTOR);
    return at;
}

static int beyond_limit(const fleet_work *w, size_t message)
{
    if (w->cipher == NULL)
        return 0;
    const size_t bytes = message_bytes(w->fleet->offsets, message, message + 1),
                 block = w->cipher->block_bytes;
    return bytes / block + (bytes % block != 0) > w->limit;
}

/*
 * The end of the chunk that begins with message `first`, which is within the limit: as many as fit
 * a slot, and none that is beyond the limit.
 */
static size_t chunk_end(const fleet_work *w, size_t first)
{
    size_t low = first + 1, high = w->fleet->messages;
    while (low < high) { /* the largest end whose arrays fit */
        const size_t middle = low + (high - low + 1) / 2;
        if (lay_out_fleet(w, first, middle).end <= CHUNK_BYTES)
            low = middle;
        else
            high = middle - 1;
    }
    for (size_t i = first + 1; i < low; i++)
        if (beyond_limit(w, i))
            return i;
    return low;
}

/* The next chunk at or after `first` with something to do: 1, or 0 when there is none. */
static int next_chunk(const fleet_work *w, size_t *first, size_t *last)
{
    while (*first < w->fleet->messages && beyond_limit(w, *first))
        *first += 1;
    if (*first == w->fleet->messages)
        return 0;
    *last = chunk_end(w, *first);
    return 1;
}

static void copy_offsets(uint8_t *out, const int64_t *offsets, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++, out += sizeof(int64_t)) {
        const int64_t from_zero = offsets == NULL ? 0 : offsets[i] - offsets[first];
        memcpy(out, &from_zero, sizeof from_zero);
    }
}

/* Fill the page-locked buffer with what goes to the device. */
static void pack(uint8_t *host, const fleet_work *w, const places *at, size_t first, size_t last)
{
    const hanji_fleet *f = w->fleet;
    for (size_t i = first; i < last; i++)
        memcpy(host + at->keys + (i - first) * w->key_bytes, f->keys + i * f->key_stride,
               w->key_bytes);
    memcpy(host + at->nonces, f->nonces + first * f->nonce_bytes, (last - first) * f->nonce_bytes);
    copy_offsets(host + at->offsets, f->offsets, first, last);
    if (w->cipher == NULL)
        copy_offsets(host + at->ad_offsets, f->ad_offsets, first, last);
    const size_t data = message_bytes(f->offsets, first, last),
                 ad = message_bytes(f->ad_offsets, first, last);
    if (ad > 0)
        memcpy(host + at->ad, f->ad + (size_t)f->ad_offsets[first], ad);
    if (w->open)
        memcpy(host + at->tags, f->tags + first * SPONGE_TAG, (last - first) * SPONGE_TAG);
    if (data > 0)
        memcpy(host + at->data, f->input + (size_t)f->offsets[first], data);
}

/* Copy to the device what pack() would pack. */
static int send_direct(context *c, const fleet_work *w, const places *at, size_t first, size_t last,
                       slot *s)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first;
    const cu_pointer base = s->device;
    TRY(c->driver.to_device(base + at->keys, f->keys + first * w->key_bytes, n * w->key_bytes,
                            s->stream),
        "keys cannot be copied to the device");
    TRY(c->driver.to_device(base + at->nonces, f->nonces + first * f->nonce_bytes,
                            n * f->nonce_bytes, s->stream),
        "counters cannot be copied to the device");
    return checked(c,
                   c->driver.to_device(base + at->data, f->input + (size_t)f->offsets[first],
                                       at->data_end - at->data, s->stream),
                   "messages cannot be copied to the device");
}

/* Whether messages have one block each. */
static int are_single(const fleet_work *w, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        if (message_bytes(w->fleet->offsets, i, i + 1) != w->cipher->block_bytes)
            return 0;
    return 1;
}

static int can_be_direct(context *c, const fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages, data = message_bytes(f->offsets, 0, n);
    return w->cipher != NULL && f->key_stride == w->key_bytes && are_single(w, 0, n) &&
           is_locked(c, f->input + (size_t)f->offsets[0], data) &&
           is_locked(c, f->output + (size_t)f->offsets[0], data) &&
           is_locked(c, f->keys, n * w->key_bytes) && is_locked(c, f->nonces, n * f->nonce_bytes);
}

static int run_chunk(context *c, const fleet_work *w, const places *at, size_t first, size_t last,
                     slot *s)
{
    const size_t n = last - first;
    const cu_pointer base = s->device, data = base + at->data;
    if (w->cipher == NULL) {
        const hanji_gpu_sponge a = {.out = data,
                                    .in = data,
                                    .keys = base + at->keys,
                                    .nonces = base + at->nonces,
                                    .tags = base + at->tags,
                                    .offsets = base + at->offsets,
                                    .ad = base + at->ad,
                                    .ad_offsets = base + at->ad_offsets,
                                    .status = base + at->status,
                                    .messages = n};
        return run_sponge(c, &a, w->open, s->stream);
    }
    const int single = are_single(w, first, last);
    return run_fleet(c, w->row, w->cipher,
                     (fleet_arrays){data, data, base + at->keys, base + at->nonces,
                                    single ? 0 : base + at->offsets},
                     n, s->stream);
}

static void deliver(slot *s, size_t which, uint8_t *to, size_t at, size_t bytes)
{
    s->deliveries[which].to = bytes > 0 ? to : NULL;
    s->deliveries[which].at = at;
    s->deliveries[which].bytes = bytes;
}

static int run_chunks(context *c, const fleet_work *w, pipeline *p)
{
    const hanji_fleet *f = w->fleet;
    size_t first = 0, last;
    for (; next_chunk(w, &first, &last); first = last) {
        const places at = lay_out_fleet(w, first, last);
        slot *s;
        int rc = pipeline_next(p, &s);
        if (rc != HANJI_OK)
            return rc;
        if (w->direct) {
            rc = send_direct(c, w, &at, first, last, s);
        } else {
            pack(s->host, w, &at, first, last);
            rc = checked(c, c->driver.to_device(s->device, s->host, at.data_end, s->stream),
                         "messages cannot be copied to the device");
        }
        if (rc == HANJI_OK)
            rc = run_chunk(c, w, &at, first, last, s);
        if (rc != HANJI_OK)
            return rc;
        if (w->direct) {
            TRY(c->driver.to_host(f->output + (size_t)f->offsets[first], s->device + at.data,
                                  at.data_end - at.data, s->stream),
                "messages cannot be copied from the device");
            continue;
        }
        TRY(c->driver.to_host(s->host + at.data, s->device + at.data, at.end - at.data, s->stream),
            "messages cannot be copied from the device");
        const size_t data = at.data_end - at.data;
        deliver(s, 0, data > 0 ? f->output + (size_t)f->offsets[first] : NULL, at.data, data);
        if (w->cipher == NULL) {
            deliver(s, 1, w->open ? NULL : f->tags + first * SPONGE_TAG, at.tags,
                    (last - first) * SPONGE_TAG);
            deliver(s, 2, (uint8_t *)f->status + first, at.status, last - first);
        }
    }
    return pipeline_finish(p);
}

/*
 * The call as a whole; arguments are checked. The status of messages within the limit is HANJI_OK
 * or the device's.
 */
static int64_t host_fleet(context *c, fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages;
    size_t largest = 0, chunks = 0, first = 0, last;
    for (; next_chunk(w, &first, &last); first = last, chunks++) {
        const size_t bytes = lay_out_fleet(w, first, last).end;
        largest = bytes > largest ? bytes : largest;
    }
    memset(f->status, 0, n);
    int rc = enter(c);
    if (rc == HANJI_OK) {
        pipeline p;
        w->direct = can_be_direct(c, w);
        rc = pipeline_open(&p, c, largest, chunks, !w->direct);
        if (rc == HANJI_OK)
            rc = run_chunks(c, w, &p);
        pipeline_close(&p);
        leave(c);
    }
    if (rc != HANJI_OK) {
        if (f->offsets[n] > f->offsets[0])
            hanji_wipe(f->output + (size_t)f->offsets[0], message_bytes(f->offsets, 0, n));
        if (w->cipher == NULL && !w->open)
            hanji_wipe(f->tags, n * SPONGE_TAG);
        memset(f->status, rc, n);
        return rc;
    }
    int64_t failures = 0;
    for (size_t i = 0; i < n; i++) {
        if (beyond_limit(w, i)) {
            f->status[i] = HANJI_E_LIMIT;
            hanji_wipe(f->output + (size_t)f->offsets[i], message_bytes(f->offsets, i, i + 1));
        }
        failures += f->status[i] != HANJI_OK;
    }
    return failures;
}

/*
 * Arrays that are missing, or of which one that is written overlaps another; the rule is that of
 * fleet.h.
 */
static int wrong_arrays(const hanji_fleet *f, const hanji_fleet_shape *shape)
{
    const size_t n = f->messages;
    const int64_t *ad_offsets = shape->plain ? NULL : f->ad_offsets;
    if (n >= UINT32_MAX || f->status == NULL || f->keys == NULL || f->nonces == NULL ||
        hanji_fleet_check_offsets(f->offsets, n) != HANJI_OK ||
        (ad_offsets != NULL && hanji_fleet_check_offsets(ad_offsets, n) != HANJI_OK))
        return 1;
    return (message_bytes(f->offsets, 0, n) > 0 && (f->input == NULL || f->output == NULL)) ||
           (message_bytes(ad_offsets, 0, n) > 0 && f->ad == NULL) || !hanji_fleet_apart(f, shape);
}

int64_t hanji_gpu_ctr_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (gpu == NULL || fleet == NULL || cipher == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    hanji_fleet plain = *fleet; /* without associated data, which CTR has none of */
    plain.ad_offsets = NULL;
    fleet_work w = {
        .fleet = &plain, .cipher = cipher, .row = find(cipher), .key_bytes = cipher->key_bytes};
    if (w.row == NULL || w.row->fleet == 0)
        return failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels with a key per message for",
                      cipher->name);
    if (fleet->nonce_bytes != cipher->block_bytes ||
        (fleet->key_stride != 0 && fleet->key_stride < cipher->key_bytes))
        return failed(c, HANJI_E_LENGTH,
                      "counters have the size of a block, and keys the size of the cipher's", NULL);
    if (fleet->messages == 0)
        return 0;
    const hanji_fleet_shape shape = {
        .key_bytes = cipher->key_bytes, .nonce_bytes = cipher->block_bytes, .plain = 1};
    if (wrong_arrays(fleet, &shape))
        return HANJI_E_ARGUMENT;
    w.limit = fleet->limit != 0 ? fleet->limit : UINT64_C(1) << cipher->limit_log2;
    if (fleet->key_stride == 0) {
        uint64_t blocks = 0;
        for (size_t i = 0; i < fleet->messages; i++)
            blocks += (message_bytes(fleet->offsets, i, i + 1) + cipher->block_bytes - 1) /
                      cipher->block_bytes;
        if (blocks > w.limit)
            return failed(c, HANJI_E_LIMIT, "the data limit of the key would be exceeded", NULL);
    }
    return host_fleet(c, &w);
}

static int64_t sponge_fleet(const hanji_fleet *fleet, hanji_gpu *gpu, int open)
{
    if (gpu == NULL || fleet == NULL)
        return HANJI_E_ARGUMENT;
    const size_t n = fleet->messages;
    fleet_work w = {.fleet = fleet, .open = open, .key_bytes = SPONGE_KEY};
    if (fleet->nonce_bytes != SPONGE_NONCE || fleet->tag_bytes != SPONGE_TAG ||
        (fleet->key_stride != 0 && fleet->key_stride < SPONGE_KEY))
        return failed(context_of(gpu), HANJI_E_LENGTH,
                      "SCHWAEMM256-128 has keys of 16 bytes, nonces of 32 and tags of 16", NULL);
    if (n == 0)
        return 0;
    const hanji_fleet_shape shape = {.key_bytes = SPONGE_KEY,
                                     .nonce_bytes = SPONGE_NONCE,
                                     .tag_bytes = SPONGE_TAG,
                                     .open = open};
    if (fleet->tags == NULL || wrong_arrays(fleet, &shape))
        return HANJI_E_ARGUMENT;
    return host_fleet(context_of(gpu), &w);
}

int64_t hanji_gpu_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(fleet, gpu, 0);
}

int64_t hanji_gpu_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(fleet, gpu, 1);
}
