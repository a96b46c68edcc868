/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts, keys and launches. Which kernel does which part of a call is decided here; what the entries expect stands in gpu.h. */
#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"
#include "support/bytes.h"
#include "support/cipher.h"

#define CIPHERS 10
#define VECTOR 16u
#define STREAM_VECTORS 4u /* per thread */
#define STREAM_THREADS 256u
#define SLICED_THREADS 128u
#define WARP 32u
#define LAUNCH_BYTES ((size_t)1 << 34) /* at most, so that numbers of vectors and blocks fit 32 bits */
#define CHUNK_BYTES ((size_t)16 << 20) /* of host memory, per direction */

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

static const row rows[CIPHERS] = {
    {"speck-64/128", "speck64_128", "speck64_sm75", 32, 2, 0, 1, 27},    {"speck-128/128", "speck128_128", "speck128_sm75", 64, 4, 0, 0, 32},
    {"speck-128/192", "speck128_192", "speck128_sm75", 64, 4, 0, 0, 33}, {"speck-128/256", "speck128_256", "speck128_sm75", 64, 4, 0, 0, 34},
    {"simon-64/128", "simon64_128", "simon64_sm75", 32, 2, 1, 2, 44},    {"simon-128/128", "simon128_128", "simon128_sm75", 64, 4, 1, 0, 68},
    {"simeck-64/128", "simeck64_128", "simeck64_sm75", 32, 2, 1, 2, 44}, {"cham-64/128", "cham64_128", "cham64_sm75", 16, 2, 2, 0, 16},
    {"cham-128/128", "cham128_128", "cham128_sm75", 32, 4, 0, 0, 8},     {"cham-128/256", "cham128_256", "cham128_sm75", 32, 4, 0, 0, 16},
};

enum { WORDS, SLICED, FLEET, FILES };
static const char *const endings[FILES] = {"", "_x32", "_fleet"};

/* What hides in hanji_gpu. */
typedef struct context {
    cu_driver driver;
    cu_handle primary;
    cu_handle modules[CIPHERS][FILES]; /* loaded when first needed; of ciphers that share a file, by the first of them */
    cu_handle sponge;                  /* the module of SCHWAEMM */
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
    snprintf(c->reason, sizeof c->reason, "%s%s%s", what, detail == NULL ? "" : ": ", detail == NULL ? "" : detail);
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

int hanji_gpu_count(hanji_gpu *gpu)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    context own;
    if (!c->ready) { /* not open: look, and leave nothing behind but the reason */
        memset(&own, 0, sizeof own);
        int count = start_driver(&own);
        if (count == HANJI_OK) {
            int rc = checked(&own, own.driver.device_count(&count), "the devices cannot be counted");
            count = rc == HANJI_OK ? count : rc;
            hanji_cu_close(&own.driver);
        }
        memcpy(c->reason, own.reason, sizeof c->reason);
        return count;
    }
    int count = 0;
    TRY(c->driver.device_count(&count), "the devices cannot be counted");
    return count;
}

int hanji_gpu_open(hanji_gpu *gpu, int device)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    memset(gpu, 0, sizeof *gpu);
    context *c = context_of(gpu);
    int rc = start_driver(c), count = 0, major = 0, minor = 0;
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.device_count(&count), "the devices cannot be counted");
    if (device < 0 || device >= count) {
        snprintf(c->reason, sizeof c->reason, "device %d was asked for; there are %d, numbered from 0", device, count);
        return HANJI_E_DEVICE;
    }
    TRY(c->driver.device_get(&c->device, device), "the device cannot be opened");
    TRY(c->driver.device_attribute(&major, CU_CAPABILITY_MAJOR, c->device), "the device does not say what it is");
    TRY(c->driver.device_attribute(&minor, CU_CAPABILITY_MINOR, c->device), "the device does not say what it is");
    if (10 * major + minor < 75) {
        snprintf(c->reason, sizeof c->reason, "device %d has compute capability %d.%d; the kernels need 7.5", device, major, minor);
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

int hanji_gpu_describe(char *name, size_t name_bytes, int *capability, int *multiprocessors, hanji_gpu *gpu)
{
    if (gpu == NULL || name == NULL || name_bytes == 0 || name_bytes > 4096 || capability == NULL || multiprocessors == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int major = 0, minor = 0;
    if (!c->ready)
        return failed(c, HANJI_E_DEVICE, "no device is open", NULL);
    TRY(c->driver.device_name(name, (int)name_bytes, c->device), "the device does not say its name");
    TRY(c->driver.device_attribute(&major, CU_CAPABILITY_MAJOR, c->device), "the device does not say what it is");
    TRY(c->driver.device_attribute(&minor, CU_CAPABILITY_MINOR, c->device), "the device does not say what it is");
    TRY(c->driver.device_attribute(multiprocessors, CU_MULTIPROCESSORS, c->device), "the device does not say what it is");
    *capability = 10 * major + minor;
    return HANJI_OK;
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

static int launch(context *c, cu_handle kernel, uint64_t threads, unsigned block, cu_handle stream, void **parameters)
{
    const unsigned grid = (unsigned)((threads + block - 1) / block);
    return checked(c, c->driver.launch(kernel, grid, 1, 1, block, 1, 1, 0, stream, parameters, NULL), "a kernel does not start");
}

/* Streams of one key. The counter of CTR: its last word as a number, and the others as words in memory. */
typedef struct part {
    cu_pointer out, in;
    size_t bytes;
    uint32_t counter, fixed[3];
} part;

static const char *const operations[3] = {"encrypt", "decrypt", "ctr"};

/* One launch, of the kernel whose name ends in `layout`; `count` is its fourth parameter where it has one. */
static int run(keyed *k, int operation, int file, const char *layout, part *p, uint32_t count, uint64_t threads, unsigned block, cu_handle stream)
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
    const size_t block_bytes = 4u * k->row->words, thread_bytes = WARP * block_bytes, warp_bytes = WARP * thread_bytes;
    const int sliced = k->row->sliced == 1 || (k->row->sliced == 2 && operation != 1);
    if (sliced && p.bytes >= warp_bytes) {
        size_t warps = p.bytes / warp_bytes;
        while (warps > 0) {
            const unsigned block = warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
            const size_t now = warps * WARP / block * block / WARP;
            const int rc = run(k, operation, SLICED, "x32", &p, 0, (uint64_t)now * WARP, block, stream);
            if (rc != HANJI_OK)
                return rc;
            advance(&p, now * warp_bytes, block_bytes);
            warps -= now;
        }
    }
    if (p.bytes >= VECTOR) {
        const size_t vectors = p.bytes / VECTOR;
        const char *layout = k->row->words == 2 ? "x8" : "x4";
        const int rc =
            run(k, operation, WORDS, layout, &p, (uint32_t)vectors, (vectors + STREAM_VECTORS - 1) / STREAM_VECTORS, STREAM_THREADS, stream);
        if (rc != HANJI_OK)
            return rc;
        advance(&p, vectors * VECTOR, block_bytes);
    }
    if (p.bytes > 0)
        return run(k, operation, WORDS, "tail", &p, (uint32_t)p.bytes, 1, WARP, stream);
    return HANJI_OK;
}

/* Any number of bytes. `counter`: NULL, or the first counter block, which is advanced. */
static int run_all(keyed *k, int operation, cu_pointer out, cu_pointer in, size_t bytes, uint8_t *counter, cu_handle stream)
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
        /* A counter that overflows within a vector: both blocks are done by themselves, by kernels that take any address. */
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

/* Refuse a stream that is being captured: the launch would come again with the same counter whenever the graph is launched. */
static int not_captured(context *c, cu_handle stream)
{
    int status = 0;
    TRY(c->driver.stream_capturing(stream, &status), "the stream cannot be used");
    if (status == 0)
        return HANJI_OK;
    return failed(c, HANJI_E_ARGUMENT, "the stream is being captured into a graph, which would use the same counters each time that it is launched",
                  NULL);
}

/* Keys */

int hanji_gpu_key_set_limit(uint64_t blocks, hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL)
        return HANJI_E_ARGUMENT;
    key_of(key)->limit = blocks;
    return HANJI_OK;
}

/* Words for the kernels on words, and masks for those in slices, from round keys in the canonical layout. */
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
    TRY(c->driver.to_device(*out, bytes, count, NULL), "the key cannot be copied to the device");
    return checked(c, c->driver.stream_synchronize(NULL), "the key cannot be copied to the device");
}

/* Zero and free device memory. */
static void discard(context *c, cu_pointer *memory, size_t bytes)
{
    if (*memory == 0)
        return;
    (void)c->driver.fill(*memory, 0, bytes, NULL);
    (void)c->driver.stream_synchronize(NULL);
    (void)c->driver.free(*memory);
    *memory = 0;
}

#define ROUND_KEY_BYTES_MAX 544 /* of SIMON-128/128 in 64-bit words; that of SPECK-128/256 is smaller */
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

int hanji_gpu_key_open(hanji_gpu_key *key, const uint8_t *bytes, size_t key_bytes, const hanji_cipher *cipher, hanji_gpu *gpu)
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

int hanji_gpu_blocks(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, int decrypt, hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || (bytes > 0 && (out == 0 || in == 0)) || overlap_device(out, in, bytes))
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
    const uint64_t block_bytes = 4u * k->row->words, blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    if (blocks > k->limit || k->used > k->limit - blocks)
        return failed(k->c, HANJI_E_LIMIT, "the data limit of the key would be exceeded", NULL);
    k->used += blocks;
    return HANJI_OK;
}

int hanji_gpu_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, uint8_t *counter, hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL || (bytes > 0 && (out == 0 || in == 0)) || overlap_device(out, in, bytes))
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

/* One key, host memory: two slots take turns, each with a stream, a page-locked buffer and device memory. */

typedef struct slot {
    cu_handle stream;
    void *host;
    cu_pointer device;
    uint8_t *out; /* where the chunk in work goes; NULL: none */
    size_t bytes;
} slot;

static int slot_open(context *c, slot *s, size_t bytes)
{
    TRY(c->driver.stream_create(&s->stream, CU_STREAM_NON_BLOCKING), "no stream");
    TRY(c->driver.host_alloc(&s->host, bytes, 0), "no page-locked memory");
    return checked(c, c->driver.alloc(&s->device, bytes), "no device memory");
}

/* Wait for the chunk in work and deliver it. */
static int slot_finish(context *c, slot *s)
{
    if (s->out == NULL)
        return HANJI_OK;
    TRY(c->driver.stream_synchronize(s->stream), "the work on the device failed");
    memcpy(s->out, s->host, s->bytes);
    s->out = NULL;
    return HANJI_OK;
}

static void slot_close(context *c, slot *s, size_t bytes)
{
    if (s->stream != NULL)
        (void)c->driver.stream_synchronize(s->stream);
    discard(c, &s->device, bytes);
    if (s->host != NULL) {
        hanji_wipe(s->host, bytes);
        (void)c->driver.host_free(s->host);
    }
    if (s->stream != NULL)
        (void)c->driver.stream_destroy(s->stream);
}

static int stream_host(keyed *k, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter, slot *slots, size_t chunk)
{
    context *c = k->c;
    int rc = HANJI_OK;
    for (size_t i = 0; i < 2 && rc == HANJI_OK; i++)
        rc = slot_open(c, &slots[i], chunk);
    for (size_t turn = 0; bytes > 0 && rc == HANJI_OK; turn++) {
        slot *s = &slots[turn % 2];
        const size_t now = bytes < chunk ? bytes : chunk;
        rc = slot_finish(c, s);
        if (rc != HANJI_OK)
            break;
        memcpy(s->host, in, now);
        rc = checked(c, c->driver.to_device(s->device, s->host, now, s->stream), "data cannot be copied to the device");
        if (rc == HANJI_OK)
            rc = run_all(k, 2, s->device, s->device, now, counter, s->stream);
        if (rc == HANJI_OK)
            rc = checked(c, c->driver.to_host(s->host, s->device, now, s->stream), "data cannot be copied from the device");
        s->out = out;
        s->bytes = now;
        in += now;
        out += now;
        bytes -= now;
    }
    for (size_t i = 0; i < 2; i++) {
        const int last = slot_finish(c, &slots[i]);
        rc = rc == HANJI_OK ? last : rc;
    }
    return rc;
}

int hanji_gpu_ctr_host(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter, hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL || !valid(out, bytes) || !valid(in, bytes) || overlap_partly(out, bytes, in, bytes))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    if (bytes == 0)
        return HANJI_OK;
    int rc = reserve(k, bytes);
    if (rc != HANJI_OK)
        return rc;
    rc = enter(k->c);
    if (rc == HANJI_OK) {
        slot slots[2] = {{0}};
        const size_t chunk = bytes < CHUNK_BYTES ? (bytes + VECTOR - 1) / VECTOR * VECTOR : CHUNK_BYTES;
        rc = stream_host(k, out, in, bytes, counter, slots, chunk);
        for (size_t i = 0; i < 2; i++)
            slot_close(k->c, &slots[i], chunk);
        leave(k->c);
    }
    if (rc != HANJI_OK)
        hanji_wipe(out, bytes);
    return rc;
}

/* Fleets */

typedef struct arrays {
    cu_pointer out, in, keys, counters, offsets;
} arrays;

/* Queue the kernels for `messages` messages, less than 2^32. */
static int run_fleet(context *c, const row *r, arrays a, size_t messages, cu_handle stream)
{
    cu_handle kernel;
    uint32_t count = (uint32_t)messages;
    int rc;
    if (a.offsets != 0) {
        rc = function(c, r, FLEET, "fleet_x1", &kernel);
        void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &a.offsets, &count};
        return rc != HANJI_OK ? rc : launch(c, kernel, messages, STREAM_THREADS, stream, parameters);
    }
    size_t warps = r->fleet == 2 ? messages / 1024 : 0;
    while (warps > 0) {
        const unsigned block = warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
        const size_t now = warps * WARP / block * block / WARP;
        void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters};
        rc = function(c, r, FLEET, "fleet_x32", &kernel);
        if (rc == HANJI_OK)
            rc = launch(c, kernel, (uint64_t)now * WARP, block, stream, parameters);
        if (rc != HANJI_OK)
            return rc;
        const size_t done = 1024 * now;
        a.out += 8 * done;
        a.in += 8 * done;
        a.keys += 16 * done;
        a.counters += 8 * done;
        count -= (uint32_t)done;
        warps -= now;
    }
    if (count == 0)
        return HANJI_OK;
    rc = function(c, r, FLEET, "fleet_x2", &kernel);
    void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &count};
    return rc != HANJI_OK ? rc : launch(c, kernel, ((uint64_t)count + 1) / 2, STREAM_THREADS, stream, parameters);
}

int hanji_gpu_fleet_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, hanji_gpu_pointer keys, hanji_gpu_pointer counters, hanji_gpu_pointer offsets,
                        size_t messages, const hanji_cipher *cipher, hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL || cipher == NULL || messages >= UINT32_MAX || (messages > 0 && (out == 0 || in == 0 || keys == 0 || counters == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = find(cipher);
    if (r == NULL || r->fleet == 0)
        return failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels with a key per message for", cipher->name);
    int rc = aligned(c, out | keys | counters, in | offsets);
    if (rc != HANJI_OK || messages == 0)
        return rc;
    rc = enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = not_captured(c, stream);
    if (rc == HANJI_OK)
        rc = run_fleet(c, r, (arrays){out, in, keys, counters, offsets}, messages, stream);
    leave(c);
    return rc;
}

/* The device memory of a fleet: what it holds and how large it is. The data come first, then what belongs to each message. */
typedef struct stage {
    cu_pointer memory;
    size_t bytes;
} stage;

static size_t padded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* The keys of all messages side by side. */
static int copy_keys(context *c, cu_pointer to, const hanji_fleet *fleet, size_t key_bytes)
{
    if (fleet->key_stride == key_bytes)
        return checked(c, c->driver.to_device(to, fleet->keys, fleet->messages * key_bytes, NULL), "keys cannot be copied to the device");
    for (size_t i = 0; i < fleet->messages; i++)
        TRY(c->driver.to_device(to + i * key_bytes, fleet->keys + i * fleet->key_stride, key_bytes, NULL), "keys cannot be copied to the device");
    return HANJI_OK;
}

static int fleet_on_device(context *c, const row *r, const hanji_fleet *fleet, size_t key_bytes, int single, stage *s)
{
    const size_t n = fleet->messages, first = (size_t)fleet->offsets[0], data = (size_t)fleet->offsets[n] - first;
    const size_t keys_at = padded(data), counters_at = keys_at + padded(n * key_bytes), offsets_at = counters_at + padded(n * fleet->nonce_bytes);
    s->bytes = offsets_at + (n + 1) * sizeof(int64_t);
    TRY(c->driver.alloc(&s->memory, s->bytes), "no device memory for the messages");
    const cu_pointer base = s->memory;
    TRY(c->driver.to_device(base, fleet->input + first, data, NULL), "messages cannot be copied to the device");
    int rc = copy_keys(c, base + keys_at, fleet, key_bytes);
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.to_device(base + counters_at, fleet->nonces, n * fleet->nonce_bytes, NULL), "counters cannot be copied to the device");
    if (!single)
        TRY(c->driver.to_device(base + offsets_at, fleet->offsets, (n + 1) * sizeof(int64_t), NULL), "offsets cannot be copied to the device");
    /* Offsets count from the beginning of the caller's buffer. */
    const cu_pointer start = single ? base : base - first;
    rc = run_fleet(c, r, (arrays){start, start, base + keys_at, base + counters_at, single ? 0 : base + offsets_at}, n, NULL);
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.to_host(fleet->output + first, base, data, NULL), "messages cannot be copied from the device");
    return checked(c, c->driver.stream_synchronize(NULL), "the work on the device failed");
}

int64_t hanji_gpu_ctr_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (gpu == NULL || fleet == NULL || cipher == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = find(cipher);
    const size_t n = fleet->messages;
    if (r == NULL || r->fleet == 0)
        return failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels with a key per message for", cipher->name);
    if (fleet->nonce_bytes != cipher->block_bytes || fleet->key_stride < cipher->key_bytes)
        return failed(c, HANJI_E_LENGTH, "counters must have the size of a block, and keys be one per message", NULL);
    if (n == 0)
        return 0;
    if (n >= UINT32_MAX || fleet->status == NULL || fleet->keys == NULL || fleet->nonces == NULL)
        return HANJI_E_ARGUMENT;
    int rc = hanji_fleet_check_offsets(fleet->offsets, n);
    if (rc != HANJI_OK)
        return rc;
    const size_t first = (size_t)fleet->offsets[0], end = (size_t)fleet->offsets[n];
    if (end > first && (fleet->input == NULL || fleet->output == NULL || overlap_partly(fleet->output, end, fleet->input, end)))
        return HANJI_E_ARGUMENT;
    const uint64_t limit = fleet->limit != 0 ? fleet->limit : UINT64_C(1) << cipher->limit_log2;
    int single = 1;
    for (size_t i = 0; i < n && single; i++)
        single = fleet->offsets[i + 1] - fleet->offsets[i] == cipher->block_bytes;
    if (end > first) {
        stage s = {0};
        rc = enter(c);
        if (rc == HANJI_OK) {
            rc = fleet_on_device(c, r, fleet, cipher->key_bytes, single, &s);
            discard(c, &s.memory, s.bytes);
            leave(c);
        }
        if (rc != HANJI_OK) {
            hanji_wipe(fleet->output + first, end - first);
            memset(fleet->status, rc, n);
            return rc;
        }
    }
    int64_t failures = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bytes = (uint64_t)(fleet->offsets[i + 1] - fleet->offsets[i]),
                       blocks = (bytes + cipher->block_bytes - 1) / cipher->block_bytes;
        fleet->status[i] = blocks > limit ? HANJI_E_LIMIT : HANJI_OK;
        if (blocks > limit) {
            hanji_wipe(fleet->output + (size_t)fleet->offsets[i], (size_t)bytes);
            failures++;
        }
    }
    return failures;
}

/* SCHWAEMM256-128 */

enum { SPONGE_KEY = 16, SPONGE_NONCE = 32, SPONGE_TAG = 16 };

/* Where the arrays of a fleet lie in its device memory. */
typedef struct sponge_stage {
    stage s;
    cu_pointer data, keys, nonces, tags, offsets, ad, ad_offsets, status;
} sponge_stage;

/* Reserve room for an array; addresses are relative until there is memory. */
static cu_pointer reserve_room(stage *s, size_t bytes)
{
    const cu_pointer at = s->bytes;
    s->bytes += padded(bytes);
    return at;
}

/* Queue the kernel that seals or opens n messages whose arrays lie in device memory. */
static int run_sponge(context *c, int open, sponge_stage *d, cu_pointer data, cu_pointer ad, uint32_t messages)
{
    cu_handle kernel;
    int rc = load_image(c, &c->sponge, "schwaemm256_sm75", endings[FLEET]);
    if (rc == HANJI_OK)
        rc = checked(
            c, c->driver.module_function(&kernel, c->sponge, open ? "hanji_schwaemm256_128_sm75_open_x1" : "hanji_schwaemm256_128_sm75_seal_x1"),
            "a kernel is missing");
    if (rc != HANJI_OK)
        return rc;
    void *parameters[] = {&data, &data, &d->keys, &d->nonces, &d->tags, &d->offsets, &ad, &d->ad_offsets, &d->status, &messages};
    return launch(c, kernel, messages, SLICED_THREADS, NULL, parameters);
}

static int sponge_on_device(context *c, const hanji_fleet *fleet, int open, sponge_stage *d)
{
    const size_t n = fleet->messages, first = (size_t)fleet->offsets[0], data = (size_t)fleet->offsets[n] - first;
    const size_t ad_first = fleet->ad_offsets == NULL ? 0 : (size_t)fleet->ad_offsets[0];
    const size_t ad = fleet->ad_offsets == NULL ? 0 : (size_t)fleet->ad_offsets[n] - ad_first, offsets = (n + 1) * sizeof(int64_t);
    d->data = reserve_room(&d->s, data);
    d->keys = reserve_room(&d->s, n * SPONGE_KEY);
    d->nonces = reserve_room(&d->s, n * SPONGE_NONCE);
    d->tags = reserve_room(&d->s, n * SPONGE_TAG);
    d->offsets = reserve_room(&d->s, offsets);
    d->ad = reserve_room(&d->s, ad);
    d->ad_offsets = reserve_room(&d->s, offsets);
    d->status = reserve_room(&d->s, n);
    TRY(c->driver.alloc(&d->s.memory, d->s.bytes), "no device memory for the messages");
    cu_pointer *const places[] = {&d->data, &d->keys, &d->nonces, &d->tags, &d->offsets, &d->ad, &d->ad_offsets, &d->status};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        *places[i] += d->s.memory;
    if (data > 0)
        TRY(c->driver.to_device(d->data, fleet->input + first, data, NULL), "messages cannot be copied to the device");
    const int rc = copy_keys(c, d->keys, fleet, SPONGE_KEY);
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.to_device(d->nonces, fleet->nonces, n * SPONGE_NONCE, NULL), "nonces cannot be copied to the device");
    TRY(c->driver.to_device(d->offsets, fleet->offsets, offsets, NULL), "offsets cannot be copied to the device");
    if (ad > 0)
        TRY(c->driver.to_device(d->ad, fleet->ad + ad_first, ad, NULL), "associated data cannot be copied to the device");
    if (fleet->ad_offsets != NULL)
        TRY(c->driver.to_device(d->ad_offsets, fleet->ad_offsets, offsets, NULL), "offsets cannot be copied to the device");
    else
        TRY(c->driver.fill(d->ad_offsets, 0, offsets, NULL), "offsets cannot be made on the device");
    if (open)
        TRY(c->driver.to_device(d->tags, fleet->tags, n * SPONGE_TAG, NULL), "tags cannot be copied to the device");
    /* Offsets count from the beginning of the caller's buffers. */
    const int launched = run_sponge(c, open, d, d->data - first, d->ad - ad_first, (uint32_t)n);
    if (launched != HANJI_OK)
        return launched;
    if (data > 0)
        TRY(c->driver.to_host(fleet->output + first, d->data, data, NULL), "messages cannot be copied from the device");
    if (!open)
        TRY(c->driver.to_host(fleet->tags, d->tags, n * SPONGE_TAG, NULL), "tags cannot be copied from the device");
    TRY(c->driver.to_host(fleet->status, d->status, n, NULL), "results cannot be copied from the device");
    return checked(c, c->driver.stream_synchronize(NULL), "the work on the device failed");
}

static int64_t sponge_fleet(const hanji_fleet *fleet, hanji_gpu *gpu, int open)
{
    if (gpu == NULL || fleet == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const size_t n = fleet->messages;
    if (fleet->nonce_bytes != SPONGE_NONCE || fleet->tag_bytes != SPONGE_TAG || (fleet->key_stride != 0 && fleet->key_stride < SPONGE_KEY))
        return failed(c, HANJI_E_LENGTH, "SCHWAEMM256-128 has keys of 16 bytes, nonces of 32 and tags of 16", NULL);
    if (n == 0)
        return 0;
    if (n >= UINT32_MAX || fleet->status == NULL || fleet->keys == NULL || fleet->nonces == NULL || fleet->tags == NULL)
        return HANJI_E_ARGUMENT;
    int rc = hanji_fleet_check_offsets(fleet->offsets, n);
    if (rc == HANJI_OK && fleet->ad_offsets != NULL)
        rc = hanji_fleet_check_offsets(fleet->ad_offsets, n);
    if (rc != HANJI_OK)
        return rc;
    const size_t first = (size_t)fleet->offsets[0], end = (size_t)fleet->offsets[n];
    if ((end > first && (fleet->input == NULL || fleet->output == NULL || overlap_partly(fleet->output, end, fleet->input, end) ||
                         overlap(fleet->tags, n * SPONGE_TAG, fleet->output + first, end - first))) ||
        (fleet->ad_offsets != NULL && fleet->ad_offsets[n] > fleet->ad_offsets[0] && fleet->ad == NULL))
        return HANJI_E_ARGUMENT;
    sponge_stage d = {0};
    rc = enter(c);
    if (rc == HANJI_OK) {
        rc = sponge_on_device(c, fleet, open, &d);
        discard(c, &d.s.memory, d.s.bytes);
        leave(c);
    }
    if (rc != HANJI_OK) {
        if (end > first)
            hanji_wipe(fleet->output + first, end - first);
        if (!open)
            hanji_wipe(fleet->tags, n * SPONGE_TAG);
        memset(fleet->status, rc, n);
        return rc;
    }
    int64_t failures = 0;
    for (size_t i = 0; i < n; i++)
        failures += fleet->status[i] != HANJI_OK;
    return failures;
}

int64_t hanji_gpu_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(fleet, gpu, 0);
}

int64_t hanji_gpu_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(fleet, gpu, 1);
}
