/* SPDX-License-Identifier: Apache-2.0 */
/*
 * src/gpu against the library on the processor: same bytes for every cipher, size and counter; with
 * a driver of any kind. Commands: sweep, fleet, sponge, equal, helpers, chunks, scenario, limits,
 * once, open. Prints what differs and ends with status 1, or prints "ok".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/driver.h"
#include "gpu/launch.h"
#include "hanji/gpu.h"
#include "hanji/hanji.h"

#define LARGEST (SLICED_MIN * 300)
#define MESSAGES_MAX (SLICED_FLEET_MIN * 300 + 850)

static hanji_gpu gpu;
static cu_driver user; /* for memory that is the user's */
static uint64_t state = 88172645463325252u;
static uint8_t data[LARGEST], wanted[LARGEST], got[LARGEST];

static uint64_t chance(void) /* xorshift64, Marsaglia 2003 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void fill(uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)chance();
}

static void fail(const char *what, const hanji_cipher *cipher, size_t bytes, int rc)
{
    printf("%s: %s, %zu bytes: %s, %s\n", what, cipher == NULL ? "-" : hanji_cipher_name(cipher),
           bytes, hanji_error_name(rc), hanji_gpu_reason(&gpu));
    exit(1);
}

static void must(int rc, const char *what)
{
    if (rc != HANJI_OK)
        fail(what, NULL, 0, rc);
}

/* One call on device memory, queued on the default stream and waited for. */
static int on_device(int operation, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                     hanji_gpu_key *key, int in_place)
{
    cu_handle current, popped;
    cu_device device;
    cu_pointer from = 0, to = 0;
    const size_t size = bytes + 16;
    if (user.device_get(&device, 0) != 0 || user.primary_retain(&current, device) != 0 ||
        user.push(current) != 0 || user.alloc(&from, size) != 0 || user.alloc(&to, size) != 0 ||
        user.to_device(from, in, bytes, NULL) != 0 || user.stream_synchronize(NULL) != 0)
        fail("user memory", NULL, bytes, HANJI_E_DEVICE);
    const cu_pointer target = in_place ? from : to;
    const int rc = operation == 2 ? hanji_gpu_ctr(target, from, bytes, counter, key, NULL)
                                  : hanji_gpu_blocks(target, from, bytes, operation, key, NULL);
    if (user.to_host(out, target, bytes, NULL) != 0 || user.stream_synchronize(NULL) != 0)
        fail("user memory", NULL, bytes, HANJI_E_DEVICE);
    user.fill(from, 0, size, NULL);
    user.fill(to, 0, size, NULL);
    user.stream_synchronize(NULL);
    user.free(from);
    user.free(to);
    user.pop(&popped);
    user.primary_release(device);
    return rc;
}

static const size_t sizes[] = {0,     1,     7,     8,     9,     15,     16,    17,   24,
                               31,    32,    40,    100,   1024,  4000,   8191,  8192, 8200,
                               16384, 16400, 33000, 65536, 65544, 131072, 149993};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
/* Added to what slices begin with: parts of a warp of them, and of a vector. */
static const size_t beyond[] = {0, 8208, 24591};
enum { BEYOND = sizeof beyond / sizeof beyond[0] };

static int sweep(const char *only)
{
    size_t ciphers = 0;
    hanji_gpu_about about;
    must(hanji_gpu_describe(&about, 0, &gpu), "about the device");
    const size_t slices = SLICED_MIN * (size_t)about.multiprocessors;
    if (slices + 32768 > LARGEST)
        fail("the device is too large for this test", NULL, slices, HANJI_OK);
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        const hanji_cipher *cipher = hanji_cipher_at(c);
        if (!hanji_gpu_has(cipher, 0) ||
            (only != NULL && strcmp(only, hanji_cipher_name(cipher)) != 0))
            continue;
        ciphers++;
        const size_t block = hanji_cipher_block_bytes(cipher),
                     key_bytes = hanji_cipher_key_bytes(cipher);
        uint8_t secret[32];
        hanji_gpu_key key;
        union {
            hanji_block_ctx head;
            uint8_t room[8192];
        } cpu;
        for (size_t i = 0; i < SIZES + BEYOND; i++)
            for (int variant = 0; variant < 6; variant++) {
                const size_t bytes = i < SIZES ? sizes[i] : slices + beyond[i - SIZES];
                fill(secret, key_bytes);
                fill(data, bytes);
                must(hanji_gpu_key_open(&key, secret, key_bytes, cipher, &gpu), "key");
                must(hanji_block_init(secret, key_bytes, cipher, &cpu.head, sizeof cpu),
                     "key of the processor");
                must(hanji_gpu_key_set_limit(UINT64_MAX, &key), "limit");
                if (variant < 2) { /* blocks, both ways */
                    if (bytes % block == 0) {
                        const int rc =
                            variant == 0
                                ? hanji_block_encrypt(wanted, data, bytes / block, &cpu.head)
                                : hanji_block_decrypt(wanted, data, bytes / block, &cpu.head);
                        must(rc, "blocks of the processor");
                        must(on_device(variant, got, data, bytes, NULL, &key, (int)(i & 1)),
                             "blocks");
                        if (memcmp(got, wanted, bytes) != 0)
                            fail(variant == 0 ? "encrypt" : "decrypt", cipher, bytes, HANJI_OK);
                    } else if (on_device(variant, got, data, bytes, NULL, &key, 0) !=
                               HANJI_E_LENGTH) {
                        fail("a part of a block was not refused", cipher, bytes, HANJI_OK);
                    }
                } else { /* CTR: any counter, one whose last word overflows at an even or odd block, the largest */
                    uint8_t iv[16], counter[16];
                    hanji_ctr_ctx ctr;
                    fill(iv, block);
                    if (variant == 3 || variant == 4) {
                        memset(iv + block - 4, 0xff, 4);
                        iv[block - 1] = (uint8_t)(variant == 3 ? 0xfc : 0xfb);
                        iv[block - 2] = (uint8_t)(bytes > 10000 ? 0xf9 : 0xff);
                    } else if (variant == 5) {
                        memset(iv, 0xff, block);
                    }
                    memcpy(counter, iv, block);
                    must(hanji_block_set_limit(UINT64_MAX, &cpu.head), "limit of the processor");
                    must(hanji_ctr_init(iv, block, &cpu.head, &ctr), "ctr");
                    must(hanji_ctr_update(wanted, data, bytes, &ctr), "ctr");
                    const int rc =
                        i % 2 ? hanji_gpu_ctr_host(got, data, bytes, counter, &key)
                              : on_device(2, got, data, bytes, counter, &key, (int)(i & 2));
                    must(rc, "CTR");
                    if (memcmp(got, wanted, bytes) != 0)
                        fail("CTR", cipher, bytes, HANJI_OK);
                    uint64_t blocks = (bytes + block - 1) / block;
                    for (size_t b = block; b-- > 0; blocks >>= 8) { /* iv + blocks */
                        blocks += iv[b];
                        if (counter[b] != (uint8_t)blocks)
                            fail("the counter afterwards", cipher, bytes, HANJI_OK);
                    }
                }
                hanji_gpu_key_close(&key);
            }
    }
    return ciphers > 0 ? 0 : 1;
}

static int fleet(void)
{
    static uint8_t keys[MESSAGES_MAX * 40], counters[MESSAGES_MAX * 16];
    static int64_t offsets[MESSAGES_MAX + 1];
    static int8_t status[MESSAGES_MAX];
    hanji_gpu_about about;
    must(hanji_gpu_describe(&about, 0, &gpu), "about the device");
    const size_t many = SLICED_FLEET_MIN * (size_t)about.multiprocessors + 850;
    if (many > MESSAGES_MAX)
        fail("the device is too large for this test", NULL, many, HANJI_OK);
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        const hanji_cipher *cipher = hanji_cipher_at(c);
        if (!hanji_gpu_has(cipher, 1))
            continue;
        const size_t block = hanji_cipher_block_bytes(cipher),
                     key_bytes = hanji_cipher_key_bytes(cipher);
        for (int shape = 0; shape < 5; shape++) {
            const size_t n = shape == 0   ? 0
                             : shape == 1 ? 1
                             : shape == 2 ? 333
                             : shape == 3 ? many /* of a block: in slices where there are any */
                                          : 2100,
                         stride = shape == 2 ? key_bytes + 8 : key_bytes;
            offsets[0] = shape == 2 ? 5 : 0;
            for (size_t i = 0; i < n; i++)
                offsets[i + 1] =
                    offsets[i] + (shape == 3 ? (int64_t)block : (int64_t)(chance() % 60));
            fill(keys, sizeof keys);
            fill(counters, sizeof counters);
            fill(data, LARGEST);
            hanji_fleet f = {.messages = n,
                             .offsets = offsets,
                             .input = data,
                             .output = wanted,
                             .keys = keys,
                             .key_stride = stride,
                             .nonces = counters,
                             .nonce_bytes = block,
                             .status = status,
                             .limit = shape == 4 ? 40 / block : 0};
            memset(wanted, 0, LARGEST);
            memset(got, 0, LARGEST);
            const int64_t expected = hanji_ctr_fleet(&f, cipher);
            static int8_t expected_status[MESSAGES_MAX];
            memcpy(expected_status, status, n);
            memset(status, 99, sizeof status);
            f.output = got;
            const int64_t result = hanji_gpu_ctr_fleet(&f, cipher, &gpu);
            if (result != expected || memcmp(got, wanted, LARGEST) != 0 ||
                memcmp(status, expected_status, n) != 0)
                fail("fleet", cipher, (size_t)shape, (int)result);
        }
    }
    return 0;
}

typedef int64_t processor_fn(const hanji_fleet *fleet);
typedef int64_t device_fn(const hanji_fleet *fleet, hanji_gpu *gpu);

/* The AEADs with fleets on the device. */
static const struct aead {
    size_t nonce_bytes;
    processor_fn *seal, *open;
    device_fn *device_seal, *device_open;
    int (*device)(const hanji_gpu_sponge *arrays, int open, hanji_gpu *gpu, void *stream);
} aeads[] = {
    {32, hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm256_128_fleet_decrypt,
     hanji_gpu_schwaemm256_128_fleet_encrypt, hanji_gpu_schwaemm256_128_fleet_decrypt,
     hanji_gpu_fleet_schwaemm256_128},
    {16, hanji_ascon_aead128_fleet_encrypt, hanji_ascon_aead128_fleet_decrypt,
     hanji_gpu_ascon_aead128_fleet_encrypt, hanji_gpu_ascon_aead128_fleet_decrypt,
     hanji_gpu_fleet_ascon_aead128},
};
#define AEADS (sizeof aeads / sizeof aeads[0])

static void sponge_of(const struct aead *a)
{
    enum { MESSAGES = 700 };
    static uint8_t keys[MESSAGES * 20], nonces[MESSAGES * 32], tags[MESSAGES * 16],
        more_tags[MESSAGES * 16], ad[MESSAGES * 50];
    static int64_t offsets[MESSAGES + 1], ad_offsets[MESSAGES + 1];
    static int8_t status[MESSAGES], expected_status[MESSAGES];
    for (int shape = 0; shape < 6; shape++) {
        const size_t n = shape == 0 ? 0 : shape == 1 ? 1 : MESSAGES;
        offsets[0] = shape == 2 ? 3 : 0;
        ad_offsets[0] = shape == 2 ? 7 : 0;
        for (size_t i = 0; i < n; i++) {
            offsets[i + 1] = offsets[i] + (shape == 3 ? 0 : (int64_t)(chance() % 100));
            ad_offsets[i + 1] = ad_offsets[i] + (int64_t)(chance() % 49);
        }
        fill(keys, sizeof keys);
        fill(nonces, sizeof nonces);
        fill(ad, sizeof ad);
        fill(data, LARGEST);
        hanji_fleet f = {.messages = n,
                         .offsets = offsets,
                         .input = data,
                         .output = wanted,
                         .ad_offsets = shape == 4 ? NULL : ad_offsets,
                         .ad = ad,
                         .keys = keys,
                         .key_stride = shape == 5   ? 0
                                       : shape == 2 ? 20
                                                    : 16,
                         .nonces = nonces,
                         .nonce_bytes = a->nonce_bytes,
                         .tags = tags,
                         .tag_bytes = 16,
                         .status = status};
        memset(wanted, 0, LARGEST);
        memset(got, 0, LARGEST);
        const int64_t expected = a->seal(&f);
        f.output = got;
        f.tags = more_tags;
        memset(status, 99, sizeof status);
        int64_t result = a->device_seal(&f, &gpu);
        if (result != expected || memcmp(got, wanted, LARGEST) != 0 ||
            memcmp(tags, more_tags, 16 * n) != 0 || (n > 0 && status[n - 1] != 0))
            fail("sealing a fleet", NULL, (size_t)shape, (int)result);
        for (size_t i = 0; i < n; i += 9)
            tags[16 * i + i % 16] ^= 1;
        f.input = wanted; /* the ciphertexts */
        f.tags = tags;
        static uint8_t opened[LARGEST], more[LARGEST];
        memset(opened, 0, LARGEST);
        memset(more, 0, LARGEST);
        f.output = opened;
        const int64_t bad = a->open(&f);
        memcpy(expected_status, status, n);
        f.output = more;
        memset(status, 99, sizeof status);
        result = a->device_open(&f, &gpu);
        if (result != bad || memcmp(opened, more, LARGEST) != 0 ||
            memcmp(status, expected_status, n) != 0)
            fail("opening a fleet", NULL, (size_t)shape, (int)result);
        f.nonce_bytes = 48 - a->nonce_bytes; /* of the other */
        if (n > 0 && a->device_open(&f, &gpu) != HANJI_E_LENGTH)
            fail("nonces of another size", NULL, (size_t)shape, 0);
    }
}

/* Of the keys of these AEADs only Ascon's have a limit that is counted. */
static int sponge_limits(void)
{
    static const int64_t offsets[] = {0, 16, 33}; /* 3 and 3 blocks */
    uint8_t keys[32] = {1}, nonces[32] = {2}, tags[32];
    int8_t status[2];
    hanji_fleet f = {.messages = 2,
                     .offsets = offsets,
                     .input = data,
                     .output = got,
                     .keys = keys,
                     .nonces = nonces,
                     .nonce_bytes = 16,
                     .tags = tags,
                     .tag_bytes = 16,
                     .status = status,
                     .limit = 5};
    if (hanji_gpu_ascon_aead128_fleet_encrypt(&f, &gpu) != HANJI_E_LIMIT ||
        hanji_ascon_aead128_fleet_encrypt(&f) != HANJI_E_LIMIT)
        fail("blocks past the limit of one key", NULL, 5, 0);
    f.limit = 6;
    if (hanji_gpu_ascon_aead128_fleet_encrypt(&f, &gpu) != 0)
        fail("blocks within the limit of one key", NULL, 6, 0);
    f.limit = 5;
    f.key_stride = 16;
    if (hanji_gpu_ascon_aead128_fleet_encrypt(&f, &gpu) != 0)
        fail("a key for each message", NULL, 5, 0);
    return 0;
}

static int sponge(void)
{
    for (size_t i = 0; i < AEADS; i++)
        sponge_of(&aeads[i]);
    return sponge_limits();
}

static cu_pointer to_device(const uint8_t *bytes, size_t count)
{
    hanji_gpu_pointer memory = 0;
    must(hanji_gpu_alloc(&memory, count + VECTOR, &gpu), "memory");
    must(hanji_gpu_upload(memory, bytes, count, &gpu, NULL), "upload");
    return memory;
}

/*
 * Messages of one length in device memory, without offsets: more than a launch takes, at addresses
 * that are not aligned; and what the processor makes of them at both ends and where launches meet.
 */
static int equal(void)
{
    enum { LENGTH = 3, AD = 1, LOOKS = 64 };
    const size_t n = EQUAL_MAX + 2 * LOOKS;
    const hanji_cipher *cipher = hanji_cipher_find("speck-64/128");
    static int64_t offsets[LOOKS + 1], ad_offsets[LOOKS + 1];
    uint8_t *text = malloc(n * LENGTH), *keys = malloc(n * 16), *nonces = malloc(n * 32),
            *made = malloc(n * LENGTH), *tags = malloc(n * 16);
    int8_t status[LOOKS];
    if (text == NULL || keys == NULL || nonces == NULL || made == NULL || tags == NULL)
        return 2;
    fill(text, n * LENGTH);
    fill(keys, n * 16);
    fill(nonces, n * 32);
    for (int64_t i = 0; i <= LOOKS; i++) {
        offsets[i] = LENGTH * i;
        ad_offsets[i] = AD * i;
    }
    const cu_pointer in = to_device(text, n * LENGTH), key = to_device(keys, n * 16),
                     nonce = to_device(nonces, n * 32), out = to_device(text, n * LENGTH),
                     tag = to_device(keys, n * 16), results = to_device(text, n);
    for (size_t kind = 0; kind <= AEADS; kind++) {
        const struct aead *const a = kind == 0 ? NULL : &aeads[kind - 1];
        const hanji_gpu_sponge arrays = {.out = out + 1,
                                         .in = in,
                                         .keys = key,
                                         .nonces = nonce,
                                         .tags = tag,
                                         .ad = key,
                                         .status = results,
                                         .messages = n,
                                         .length = LENGTH,
                                         .ad_length = AD};
        must(a == NULL
                 ? hanji_gpu_fleet_ctr(out + 1, in, key, nonce, 0, LENGTH, n, cipher, &gpu, NULL)
                 : a->device(&arrays, 0, &gpu, NULL),
             "messages of one length");
        must(hanji_gpu_download(made, out + 1, n * LENGTH, &gpu, NULL), "download");
        must(hanji_gpu_download(tags, tag, n * 16, &gpu, NULL), "download");
        const size_t places[] = {0, EQUAL_MAX - LOOKS / 2, n - LOOKS};
        for (size_t i = 0; i < 3; i++) {
            uint8_t wanted_tags[16 * LOOKS];
            const size_t at = places[i], nonce_bytes = a == NULL ? 8 : a->nonce_bytes;
            const hanji_fleet f = {.messages = LOOKS,
                                   .offsets = offsets,
                                   .input = text + LENGTH * at,
                                   .output = wanted,
                                   .ad_offsets = a == NULL ? NULL : ad_offsets,
                                   .ad = keys + AD * at,
                                   .keys = keys + 16 * at,
                                   .key_stride = 16,
                                   .nonces = nonces + nonce_bytes * at,
                                   .nonce_bytes = nonce_bytes,
                                   .tags = wanted_tags,
                                   .tag_bytes = 16,
                                   .status = status};
            if ((a == NULL ? hanji_ctr_fleet(&f, cipher) : a->seal(&f)) != 0 ||
                memcmp(made + LENGTH * at, wanted, LENGTH * LOOKS) != 0 ||
                (a != NULL && memcmp(tags + 16 * at, wanted_tags, sizeof wanted_tags) != 0))
                fail("messages of one length", kind == 0 ? cipher : NULL, at, HANJI_OK);
        }
    }
    if (hanji_gpu_fleet_ctr(out, in, key, nonce, 0, SIZE_MAX / 2, n, cipher, &gpu, NULL) !=
        HANJI_E_ARGUMENT)
        fail("a length that fits no memory", cipher, n, HANJI_OK);
    hanji_gpu_free(in, n * LENGTH + VECTOR, &gpu);
    hanji_gpu_free(out, n * LENGTH + VECTOR, &gpu);
    hanji_gpu_free(key, n * 16 + VECTOR, &gpu);
    hanji_gpu_free(tag, n * 16 + VECTOR, &gpu);
    hanji_gpu_free(nonce, n * 32 + VECTOR, &gpu);
    hanji_gpu_free(results, n + VECTOR, &gpu);
    free(text);
    free(keys);
    free(nonces);
    free(made);
    free(tags);
    return 0;
}

/* A helper that begins at the end, and counts. */
static void backwards(void *helper, size_t parts, void (*part)(void *work, size_t i), void *work)
{
    *(size_t *)helper += parts;
    while (parts-- > 0)
        part(work, parts);
}

/*
 * More than the slots hold at once: one key, from memory of any kind and from page-locked memory; a
 * fleet in chunks, with messages beyond the limit among the others, and one key for all.
 */
static int chunks(int helped)
{
    enum { MESSAGES = 50 };
    const size_t bytes = ((size_t)66 << 20) + 13, each = (bytes - 13) / MESSAGES;
    uint8_t secret[16] = {7}, iv[8] = {3}, counter[8] = {3}, *in = malloc(bytes),
            *out = malloc(bytes), *expected = malloc(bytes), *locked = NULL;
    const hanji_cipher *cipher = hanji_speck64_128();
    hanji_speck64_128_ctx cpu;
    hanji_ctr_ctx ctr;
    hanji_gpu_key key;
    if (in == NULL || out == NULL || expected == NULL)
        return 2;
    size_t parts = 0;
    must(hanji_gpu_set_helpers(&gpu, helped ? backwards : NULL, &parts), "helpers");
    fill(in, bytes);
    must(hanji_block_init(secret, 16, cipher, &cpu.head, sizeof cpu), "key of the processor");
    must(hanji_block_set_limit(UINT64_MAX, &cpu.head), "limit of the processor");
    must(hanji_ctr_init(iv, 8, &cpu.head, &ctr), "ctr");
    must(hanji_ctr_update(expected, in, bytes, &ctr), "ctr");
    must(hanji_gpu_key_open(&key, secret, 16, cipher, &gpu), "key");
    must(hanji_gpu_key_set_limit(UINT64_MAX, &key), "limit");
    must(hanji_gpu_ctr_host(out, in, bytes, counter, &key), "CTR in chunks");
    if (memcmp(out, expected, bytes) != 0)
        fail("CTR in chunks", cipher, bytes, HANJI_OK);
    must(hanji_gpu_host_alloc(&locked, bytes, &gpu), "page-locked memory");
    memcpy(locked, in, bytes);
    memcpy(counter, iv, 8);
    must(hanji_gpu_ctr_host(locked, locked, bytes, counter, &key), "CTR in page-locked memory");
    if (memcmp(locked, expected, bytes) != 0)
        fail("CTR in page-locked memory", cipher, bytes, HANJI_OK);
    hanji_gpu_host_free(locked, bytes, &gpu);
    hanji_gpu_key_close(&key);

    static int64_t offsets[MESSAGES + 1];
    static uint8_t keys[16 * MESSAGES], nonces[8 * MESSAGES];
    static int8_t status[MESSAGES], wanted_status[MESSAGES];
    fill(keys, sizeof keys);
    fill(nonces, sizeof nonces);
    for (size_t i = 0; i < MESSAGES; i++) /* every fifth is twice as long, and beyond the limit */
        offsets[i + 1] = offsets[i] + (int64_t)(i % 5 == 4 ? each + each / 2 : each - each / 8);
    for (int one_key = 0; one_key < 2; one_key++) {
        hanji_fleet f = {.messages = MESSAGES,
                         .offsets = offsets,
                         .input = in,
                         .output = expected,
                         .keys = keys,
                         .key_stride = one_key ? 0 : 16,
                         .nonces = nonces,
                         .nonce_bytes = 8,
                         .status = status,
                         .limit = one_key ? UINT64_MAX : each / 8};
        const int64_t failures = hanji_ctr_fleet(&f, cipher);
        memcpy(wanted_status, status, MESSAGES);
        memset(status, 99, MESSAGES);
        f.output = out;
        const int64_t result = hanji_gpu_ctr_fleet(&f, cipher, &gpu);
        if (failures != (one_key ? 0 : MESSAGES / 5) || result != failures ||
            memcmp(status, wanted_status, MESSAGES) != 0 ||
            memcmp(out, expected, (size_t)offsets[MESSAGES]) != 0)
            fail("a fleet in chunks", cipher, (size_t)one_key, (int)result);
        f.limit = 1000;
        memset(out, 0x5a, 100);
        if (one_key && (hanji_gpu_ctr_fleet(&f, cipher, &gpu) != HANJI_E_LIMIT || out[0] != 0x5a))
            fail("a fleet beyond the limit of its key", cipher, 0, HANJI_OK);
    }
    free(in);
    free(out);
    free(expected);
    must(hanji_gpu_set_helpers(&gpu, NULL, NULL), "no helpers");
    if ((parts > 4 * bytes / PART_BYTES) != helped)
        fail("what helpers do", NULL, parts, HANJI_OK);
    return 0;
}

/*
 * What a user does, for errors at any of its calls: each function gives HANJI_OK or HANJI_E_DEVICE,
 * and host output is right or zero.
 */
static int scenario(void)
{
    static const size_t bytes = 105543;
    uint8_t secret[16] = {1}, counter[8] = {0}, iv[8] = {0};
    const hanji_cipher *cipher = hanji_cipher_find("simon-64/128");
    hanji_gpu_key key;
    hanji_simon64_128_ctx cpu;
    hanji_ctr_ctx ctr;
    hanji_gpu_about about;
    fill(data, bytes);
    must(hanji_block_init(secret, 16, cipher, &cpu.head, sizeof cpu), "key");
    must(hanji_ctr_init(iv, 8, &cpu.head, &ctr), "ctr");
    must(hanji_ctr_update(wanted, data, bytes, &ctr), "ctr");
    int rc = hanji_gpu_open(&gpu, 0), first_error = rc;
    if (rc == HANJI_OK) {
        rc = hanji_gpu_describe(&about, 0, &gpu);
        first_error = first_error ? first_error : rc;
        rc = hanji_gpu_key_open(&key, secret, 16, cipher, &gpu);
        first_error = first_error ? first_error : rc;
        if (rc == HANJI_OK) {
            memset(got, 0xa5, bytes);
            rc = hanji_gpu_ctr_host(got, data, bytes, counter, &key);
            first_error = first_error ? first_error : rc;
            for (size_t i = 0; i < bytes; i++)
                if (got[i] != (rc == HANJI_OK ? wanted[i] : 0))
                    fail("output after a failure", cipher, i, rc);
            hanji_gpu_key_close(&key);
        }
        int64_t offsets[3] = {0, 8, 30};
        uint8_t keys[32] = {0}, nonces[16] = {0};
        int8_t status[2] = {99, 99};
        hanji_fleet f = {.messages = 2,
                         .offsets = offsets,
                         .input = data,
                         .output = got,
                         .keys = keys,
                         .key_stride = 16,
                         .nonces = nonces,
                         .nonce_bytes = 8,
                         .status = status};
        memset(got, 0xa5, 30);
        const int64_t failures = hanji_gpu_ctr_fleet(&f, cipher, &gpu);
        first_error = first_error ? first_error : (int)failures;
        for (size_t i = 0; i < 30 && failures < 0; i++)
            if (got[i] != 0 || status[0] != failures)
                fail("a fleet's output after a failure", cipher, i, (int)failures);
        uint8_t long_nonces[64] = {0}, tags[32];
        f.nonces = long_nonces;
        f.nonce_bytes = 32;
        f.tags = tags;
        f.tag_bytes = 16;
        memset(got, 0xa5, 30);
        memset(tags, 0xa5, sizeof tags);
        const int64_t unsealed = hanji_gpu_schwaemm256_128_fleet_encrypt(&f, &gpu);
        first_error = first_error ? first_error : (int)unsealed;
        for (size_t i = 0; i < 30 && unsealed < 0; i++)
            if (got[i] != 0 || tags[i] != 0 || status[1] != unsealed)
                fail("a sealed fleet's output after a failure", cipher, i, (int)unsealed);
    }
    if (first_error != HANJI_OK &&
        (first_error != HANJI_E_DEVICE || strcmp(hanji_gpu_reason(&gpu), "nothing failed") == 0))
        fail("an error of another kind", cipher, 0, first_error);
    printf("%s: %s\n", hanji_error_name(first_error), hanji_gpu_reason(&gpu));
    hanji_gpu_close(&gpu);
    return 0;
}

static int limits(void)
{
    uint8_t secret[16] = {0}, counter[8] = {0};
    const hanji_cipher *cipher = hanji_cipher_find("speck-64/128");
    hanji_gpu_key key;
    must(hanji_gpu_key_open(&key, secret, 16, cipher, &gpu), "key");
    must(hanji_gpu_key_set_limit(10, &key), "limit");
    must(hanji_gpu_ctr_host(got, data, 41, counter, &key), "6 blocks of 10");
    memset(got, 0x77, 100);
    int rc = hanji_gpu_ctr_host(got, data, 40, counter, &key);
    if (rc != HANJI_E_LIMIT || got[0] != 0x77 || counter[7] != 6)
        fail("5 blocks more", cipher, 40, rc);
    must(hanji_gpu_ctr_host(got, data, 32, counter, &key), "4 blocks more");
    rc = hanji_gpu_ctr(17 * 16 + 8, 17 * 16, 8, counter, &key, NULL);
    if (rc != HANJI_E_ARGUMENT)
        fail("an address that is not aligned", cipher, 8, rc);
    hanji_gpu_key_close(&key);
    /* messages of one length, all of them beyond the limit or none */
    static const int64_t offsets[] = {0, 32, 64, 96};
    const uint8_t keys[48] = {1}, nonces[24] = {2};
    int8_t status[3];
    for (uint64_t blocks = 3; blocks <= 4; blocks++) {
        const hanji_fleet f = {.messages = 3,
                               .offsets = offsets,
                               .input = data,
                               .output = got,
                               .keys = keys,
                               .key_stride = 16,
                               .nonces = nonces,
                               .nonce_bytes = 8,
                               .status = status,
                               .limit = blocks};
        memset(got, 0x77, 97);
        const int64_t failed = hanji_gpu_ctr_fleet(&f, cipher, &gpu);
        size_t left = 0;
        for (size_t i = 0; i < 96; i++)
            left += got[i] != 0;
        if (failed != (blocks == 3 ? 3 : 0) || (left == 0) != (blocks == 3) || got[96] != 0x77 ||
            status[2] != (blocks == 3 ? HANJI_E_LIMIT : HANJI_OK))
            fail("messages of one length at the limit", cipher, (size_t)blocks, (int)failed);
    }
    if (hanji_gpu_key_open(&key, secret, 8, cipher, &gpu) != HANJI_E_LENGTH ||
        hanji_gpu_key_open(&key, secret, 8, hanji_speck32_64(), &gpu) != HANJI_E_UNSUPPORTED)
        fail("keys that do not fit", cipher, 8, HANJI_OK);
    return 0;
}

/* Every array that a fleet writes, laid over every other one: refused, and nothing is written. */
static int overlaps(void)
{
    enum { N = 4, EACH = 32, ROOM = 512, ARRAYS = 8 };
    enum { OUT, STATUS, TAGS, IN, AD, KEYS, NONCES, OFFSETS };
    static uint64_t words[ARRAYS * ROOM / 8], before[ARRAYS * ROOM / 8];
    uint8_t *const memory = (uint8_t *)words;
    const hanji_cipher *cipher = hanji_cipher_find("speck-64/128");
    for (size_t kind = 0; kind <= 2 * AEADS; kind++) { /* CTR, sealing and opening of AEADs */
        const struct aead *const a = kind == 0 ? NULL : &aeads[(kind - 1) / 2];
        const int sealing = kind % 2 == 1;
        for (size_t w = 0; w < (sealing ? IN : TAGS); w++)
            for (size_t o = 0; o < ARRAYS; o++)
                for (int shift = -4; shift <= 8; shift += 4) {
                    const size_t nonce = a == NULL ? 8 : a->nonce_bytes;
                    const size_t bytes[ARRAYS] = {N * EACH,
                                                  N,
                                                  kind == 0 ? 0 : N * 16,
                                                  N * EACH,
                                                  kind == 0 ? 0 : N * 3,
                                                  N * 16,
                                                  N * nonce,
                                                  (N + 1) * 8};
                    uint8_t *at[ARRAYS];
                    for (size_t i = 0; i < ARRAYS; i++)
                        at[i] = memory + i * ROOM + 64;
                    fill(memory, sizeof words);
                    for (int64_t i = 0; i <= N; i++)
                        ((int64_t *)(void *)at[OFFSETS])[i] = EACH * i;
                    const int64_t ad_offsets[] = {0, 3, 6, 9, 12};
                    at[w] = at[o] + shift; /* w == o: nothing is moved far enough to matter */
                    const hanji_fleet f = {.messages = N,
                                           .offsets = (const int64_t *)(const void *)at[OFFSETS],
                                           .input = at[IN],
                                           .output = at[OUT],
                                           .ad_offsets = kind == 0 ? NULL : ad_offsets,
                                           .ad = at[AD],
                                           .keys = at[KEYS],
                                           .key_stride = 16,
                                           .nonces = at[NONCES],
                                           .nonce_bytes = nonce,
                                           .tags = at[TAGS],
                                           .tag_bytes = 16,
                                           .status = (int8_t *)at[STATUS]};
                    const int apart = w == o || bytes[o] == 0 || shift + (int)bytes[w] <= 0 ||
                                      shift >= (int)bytes[o];
                    const int accepted = apart || (w == OUT && o == IN && shift == 0);
                    memcpy(before, words, sizeof words);
                    const int64_t rc = a == NULL ? hanji_gpu_ctr_fleet(&f, cipher, &gpu)
                                       : sealing ? a->device_seal(&f, &gpu)
                                                 : a->device_open(&f, &gpu);
                    if ((rc == HANJI_E_ARGUMENT) == accepted ||
                        (!accepted && memcmp(before, words, sizeof words) != 0))
                        fail("arrays that overlap", kind == 0 ? cipher : NULL, 100 * w + o,
                             (int)rc);
                }
    }
    /* Device memory, whose addresses are all that is looked at before a refusal. */
    const hanji_gpu_pointer base = 1 << 20, far = 1 << 16;
    for (size_t i = 0; i < 3; i++) {
        hanji_gpu_pointer at[] = {base + far, base + 2 * far, base + 3 * far};
        at[i] = base;
        if (hanji_gpu_fleet_ctr(base, base + 4 * far, at[0], at[1], at[2], 0, N, cipher, &gpu,
                                NULL) != HANJI_E_ARGUMENT)
            fail("an output that begins in another array of the device", cipher, i, HANJI_OK);
    }
    if (hanji_gpu_fleet_ctr(base, base + 16, base + far, base + 2 * far, 0, EACH, N, cipher, &gpu,
                            NULL) != HANJI_E_ARGUMENT)
        fail("an output that overlaps its input on the device", cipher, 0, HANJI_OK);
    for (size_t i = 0; i < 6; i++) {
        hanji_gpu_pointer at[9];
        for (size_t a = 0; a < 9; a++)
            at[a] = base + a * far;
        static const size_t places[] = {2, 3, 5, 6, 7, 8};
        at[4] = at[places[i]]; /* the tags, which sealing writes */
        const hanji_gpu_sponge arrays = {.out = at[0],
                                         .in = at[1],
                                         .keys = at[2],
                                         .nonces = at[3],
                                         .tags = at[4],
                                         .offsets = at[5],
                                         .ad = at[6],
                                         .ad_offsets = at[7],
                                         .status = at[8],
                                         .messages = N};
        for (size_t a = 0; a < AEADS; a++)
            if (aeads[a].device(&arrays, 0, &gpu, NULL) != HANJI_E_ARGUMENT)
                fail("tags in another array of the device", NULL, i, HANJI_OK);
    }
    uint8_t secret[16] = {0}, text[64] = {0};
    hanji_gpu_key key;
    must(hanji_gpu_key_open(&key, secret, 16, cipher, &gpu), "key");
    for (size_t i = 0; i + 8 <= sizeof text; i += 7)
        if (hanji_gpu_ctr_host(text, text, sizeof text, text + i, &key) != HANJI_E_ARGUMENT)
            fail("a counter in the output", cipher, i, HANJI_OK);
    hanji_gpu_key_close(&key);
    return 0;
}

/* One CTR call on the default stream; prints its code and reason. */
static int once(void)
{
    uint8_t secret[16] = {0}, counter[8] = {0};
    hanji_gpu_key key;
    must(hanji_gpu_key_open(&key, secret, 16, hanji_cipher_find("speck-64/128"), &gpu), "key");
    const int rc = on_device(2, got, data, 64, counter, &key, 0);
    printf("%s: %s\n", hanji_error_name(rc), hanji_gpu_reason(&gpu));
    hanji_gpu_key_close(&key);
    return 0;
}

/* A caller who does not wait. */
static int hasty(void)
{
    cu_handle current, popped, stream;
    cu_device device;
    cu_pointer memory;
    void *locked;
    if (user.device_get(&device, 0) != 0 || user.primary_retain(&current, device) != 0 ||
        user.push(current) != 0 || user.alloc(&memory, 16) != 0 ||
        user.stream_create(&stream, CU_STREAM_NON_BLOCKING) != 0 ||
        user.host_alloc(&locked, 16, 0) != 0)
        return 2;
    memset(locked, 1, 16);
    user.fill(memory, 0, 16, stream);
    user.to_host(locked, memory, 16, stream);
    printf("%s; ", *(char *)locked == 1 ? "nothing has arrived" : "it has arrived");
    user.stream_synchronize(stream);
    puts(*(char *)locked == 0 ? "now it has" : "nothing has arrived");
    user.host_free(locked);
    user.stream_destroy(stream);
    user.free(memory);
    user.pop(&popped);
    user.primary_release(device);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "scenario") == 0)
        return scenario();
    if (strcmp(argv[1], "open") == 0) {
        memset(&gpu, 0, sizeof gpu);
        const int count = hanji_gpu_count(&gpu);
        printf("%d devices; ", count);
        const int rc = hanji_gpu_open(&gpu, argc > 2 ? atoi(argv[2]) : 0);
        printf("%s: %s\n", hanji_error_name(rc), hanji_gpu_reason(&gpu));
        hanji_gpu_close(&gpu);
        return 0;
    }
    must(hanji_gpu_open(&gpu, 0), "open");
    if (hanji_cu_open(&user) != NULL)
        return 2;
    int result = 2;
    if (strcmp(argv[1], "sweep") == 0)
        result = sweep(argc > 2 ? argv[2] : NULL);
    else if (strcmp(argv[1], "fleet") == 0)
        result = fleet();
    else if (strcmp(argv[1], "sponge") == 0)
        result = sponge();
    else if (strcmp(argv[1], "equal") == 0)
        result = equal();
    else if (strcmp(argv[1], "chunks") == 0)
        result = chunks(0);
    else if (strcmp(argv[1], "helpers") == 0)
        result = chunks(1);
    else if (strcmp(argv[1], "limits") == 0)
        result = limits();
    else if (strcmp(argv[1], "overlaps") == 0)
        result = overlaps();
    else if (strcmp(argv[1], "hasty") == 0)
        result = hasty();
    else if (strcmp(argv[1], "once") == 0)
        result = once();
    hanji_gpu_close(&gpu);
    hanji_cu_close(&user);
    if (result == 0 && strcmp(argv[1], "once") != 0 && strcmp(argv[1], "hasty") != 0)
        puts("ok");
    return result;
}
