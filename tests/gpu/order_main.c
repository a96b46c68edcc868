/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order and memory of src/gpu, with the driver that is not one: what waits for what, what is used
 * again, and whose streams are refused. test_gpu_order.py runs it; a line for each part.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu/driver.h"
#include "hanji/gpu.h"
#include "hanji/hanji.h"

enum { BYTES = 1000, PAGE = 4096 };

static hanji_gpu gpu;
static cu_driver user;
static uint8_t text[BYTES], wanted[BYTES], got[BYTES];
static const uint8_t secret[16] = {7};
static int (*create)(cu_handle *, unsigned, cu_device);
static int (*begin_capture)(cu_handle, int);
static int (*end_capture)(cu_handle, cu_handle *);
static int (*register_memory)(void *, size_t, unsigned);

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("%s: %s\n", what, hanji_gpu_reason(&gpu));
    exit(1);
}

static void find(void *out, const char *name)
{
    void *found = dlsym(user.library, name);
    check(found != NULL, name);
    memcpy(out, &found, sizeof found);
}

static const hanji_cipher *cipher(void)
{
    return hanji_cipher_find("speck-64/128");
}

static void prepare(void)
{
    hanji_speck64_128_ctx key;
    hanji_ctr_ctx ctr;
    uint8_t counter[8] = {0};
    for (size_t i = 0; i < BYTES; i++)
        text[i] = (uint8_t)(i * 31 + 5);
    check(hanji_block_init(secret, 16, cipher(), &key.head, sizeof key) == HANJI_OK &&
              hanji_ctr_init(counter, 8, &key.head, &ctr) == HANJI_OK &&
              hanji_ctr_update(wanted, text, BYTES, &ctr) == HANJI_OK,
          "the processor");
    check(hanji_gpu_open(&gpu, 0) == HANJI_OK, "open");
    check(hanji_cu_open(&user) == NULL, "the driver");
    find(&create, "cuCtxCreate_v2");
    find(&begin_capture, "cuStreamBeginCapture_v2");
    find(&end_capture, "cuStreamEndCapture");
    find(&register_memory, "cuMemHostRegister_v2");
}

static cu_handle enter(void)
{
    cu_device device;
    cu_handle context = NULL;
    check(user.device_get(&device, 0) == 0 && user.primary_retain(&context, device) == 0 &&
              user.push(context) == 0,
          "the context of the user");
    return context;
}

static void leave(void)
{
    cu_handle popped;
    cu_device device;
    check(user.pop(&popped) == 0 && user.device_get(&device, 0) == 0 &&
              user.primary_release(device) == 0,
          "the end of the context of the user");
}

static const uint8_t *memory_of(hanji_gpu_pointer pointer)
{
    return (const uint8_t *)(uintptr_t)pointer; /* that driver's memory can be read */
}

/* Keys and memory are given back while the work that uses them is queued. */
static void free_early(void)
{
    hanji_gpu_key key;
    hanji_gpu_pointer in = 0, out = 0;
    cu_handle stream;
    uint8_t counter[8] = {0};
    enter();
    check(user.stream_create(&stream, CU_STREAM_NON_BLOCKING) == 0, "a stream");
    check(hanji_gpu_key_open(&key, secret, 16, cipher(), &gpu) == HANJI_OK &&
              hanji_gpu_alloc(&in, BYTES, &gpu) == HANJI_OK &&
              hanji_gpu_alloc(&out, BYTES, &gpu) == HANJI_OK &&
              hanji_gpu_upload(in, text, BYTES, &gpu, stream) == HANJI_OK &&
              hanji_gpu_zero(out, BYTES, &gpu, stream) == HANJI_OK &&
              hanji_gpu_wait(&gpu, stream) == HANJI_OK,
          "memory");
    check(hanji_gpu_ctr(out, in, BYTES, counter, &key, stream) == HANJI_OK, "ctr");
    hanji_gpu_key_close(&key);
    hanji_gpu_free(in, BYTES, &gpu);
    check(memory_of(out)[0] == 0 && memory_of(in)[1] == text[1], "nothing has been waited for");
    check(hanji_gpu_download(got, out, BYTES, &gpu, stream) == HANJI_OK &&
              memcmp(got, wanted, BYTES) == 0,
          "the key and the text were there until the end");
    /* what another library queued, and named; its stream is gone before the memory */
    check(user.fill(out, 9, BYTES, stream) == 0 &&
              hanji_gpu_record_stream(&gpu, stream) == HANJI_OK,
          "work of another library");
    hanji_gpu_free(out, BYTES, &gpu);
    check(memory_of(out)[0] == wanted[0], "the work of another library is not done");
    user.stream_destroy(stream);
    leave();
}

/* A thread may reserve, free, wait and compute while somebody captures a stream. */
static void during_capture(unsigned flags)
{
    hanji_gpu_key key;
    hanji_gpu_pointer memory = 0, other = 0;
    cu_handle stream, graph;
    uint8_t counter[8] = {0}, *locked = NULL;
    enter();
    check(hanji_gpu_key_open(&key, secret, 16, cipher(), &gpu) == HANJI_OK &&
              hanji_gpu_alloc(&memory, 5000, &gpu) == HANJI_OK &&
              hanji_gpu_host_alloc(&locked, 5000, &gpu) == HANJI_OK,
          "before a capture");
    check(user.stream_create(&stream, flags) == 0 && begin_capture(stream, 0) == 0, "a capture");
    check(hanji_gpu_ctr(memory, memory, 64, counter, &key, stream) == HANJI_E_ARGUMENT,
          "a stream that is captured");
    check(hanji_gpu_ctr_host(got, text, BYTES, counter, &key) == HANJI_OK &&
              memcmp(got, wanted, BYTES) == 0,
          "host memory during a capture");
    check(hanji_gpu_alloc(&other, 70000, &gpu) == HANJI_OK, "memory during a capture");
    hanji_gpu_free(other, 70000, &gpu);
    hanji_gpu_free(memory, 5000, &gpu);
    hanji_gpu_host_free(locked, 5000, &gpu);
    hanji_gpu_key_close(&key);
    check(end_capture(stream, &graph) == 0, "the capture is broken");
    user.stream_destroy(stream);
    leave();
}

/* More pieces than the pool has places are given back while the default stream is captured. */
static void many_during_capture(void)
{
    enum { MANY = 70 };
    hanji_gpu_pointer memory[MANY];
    cu_handle stream = NULL, graph;
    enter();
    for (int i = 0; i < MANY; i++) {
        memory[i] = 0;
        check(hanji_gpu_alloc(&memory[i], BYTES, &gpu) == HANJI_OK &&
                  hanji_gpu_upload(memory[i], text, BYTES, &gpu, NULL) == HANJI_OK,
              "many pieces");
    }
    check(user.stream_create(&stream, 0) == 0 && begin_capture(stream, 0) == 0, "a capture");
    for (int i = 0; i < MANY; i++)
        hanji_gpu_free(memory[i], BYTES, &gpu);
    check(end_capture(stream, &graph) == 0, "the capture is broken");
    user.stream_destroy(stream);
    leave();
}

/* The control: what these calls must not do breaks a capture. */
static void broken_capture(void)
{
    cu_handle stream, graph;
    cu_pointer memory;
    enter();
    check(user.stream_create(&stream, 0) == 0, "a stream");
    check(begin_capture(stream, 0) == 0 && user.alloc(&memory, 16) != 0 &&
              end_capture(stream, &graph) != 0,
          "reserving in this thread breaks a capture");
    check(user.alloc(&memory, 16) == 0 && begin_capture(stream, 0) == 0, "a capture");
    (void)user.fill(memory, 0, 16, NULL);
    check(end_capture(stream, &graph) != 0, "the default stream breaks a capture");
    check(user.stream_synchronize(NULL) == 0 && user.free(memory) == 0, "memory of the user");
    user.stream_destroy(stream);
    leave();
}

static void refused(int rc, const char *what)
{
    check(rc == HANJI_E_ARGUMENT && strstr(hanji_gpu_reason(&gpu), "primary") != NULL, what);
}

/* A context that is not the primary one: its streams, its memory, and its default stream. */
static void foreign(void)
{
    hanji_gpu_key key;
    hanji_gpu_pointer ours = 0;
    cu_handle context = NULL, popped, stream = NULL, good = NULL;
    cu_pointer theirs = 0;
    cu_device device;
    uint8_t counter[8] = {0};
    check(hanji_gpu_key_open(&key, secret, 16, cipher(), &gpu) == HANJI_OK &&
              hanji_gpu_alloc(&ours, 64, &gpu) == HANJI_OK,
          "memory");
    enter();
    check(user.stream_create(&good, 0) == 0, "a stream");
    check(user.device_get(&device, 0) == 0 && create(&context, 0, device) == 0 &&
              user.stream_create(&stream, 0) == 0 && user.alloc(&theirs, 64) == 0,
          "another context");
    refused(hanji_gpu_ctr(ours, ours, 64, counter, &key, stream), "a stream of it");
    refused(hanji_gpu_blocks(ours, ours, 64, 0, &key, stream), "a stream of it, blocks");
    refused(hanji_gpu_ctr(ours, theirs, 64, counter, &key, good), "memory of it");
    refused(hanji_gpu_ctr(ours, ours, 64, counter, &key, NULL), "its default stream");
    refused(hanji_gpu_check_stream(&gpu, stream), "a stream of it, checked");
    refused(hanji_gpu_follow(&gpu, good, stream), "a stream of it, followed");
    check(hanji_gpu_ctr(ours, ours, 64, counter, &key, good) == HANJI_OK, "a good stream");
    check(hanji_gpu_ctr_host(got, text, BYTES, counter, &key) == HANJI_OK, "host memory");
    check(user.fill(theirs, 0, 64, stream) == 0 && user.stream_synchronize(stream) == 0 &&
              user.free(theirs) == 0 && user.stream_destroy(stream) == 0 &&
              user.pop(&popped) == 0 && user.stream_destroy(good) == 0,
          "the end of it");
    leave();
    check(hanji_gpu_ctr(ours, ours, 64, counter, &key, NULL) == HANJI_OK, "the default stream");
    hanji_gpu_key_close(&key);
    hanji_gpu_free(ours, 64, &gpu);
}

/* Three calls alike: the log shows what the last two reserve. */
static void again(void)
{
    hanji_gpu_key key;
    uint8_t counter[8] = {0};
    for (int turn = 0; turn < 3; turn++) {
        hanji_gpu_pointer memory = 0;
        fprintf(stderr, "turn %d\n", turn);
        check(hanji_gpu_key_open(&key, secret, 16, hanji_cipher_find("simon-64/128"), &gpu) ==
                      HANJI_OK &&
                  hanji_gpu_ctr_host(got, text, BYTES, counter, &key) == HANJI_OK &&
                  hanji_gpu_alloc(&memory, BYTES, &gpu) == HANJI_OK &&
                  hanji_gpu_upload(memory, text, BYTES, &gpu, NULL) == HANJI_OK,
              "a call");
        hanji_gpu_free(memory, BYTES, &gpu);
        hanji_gpu_key_close(&key);
    }
    fprintf(stderr, "end\n");
}

/* Memory that is page-locked at both ends and not between: it needs a buffer. */
static void locked_ends(void)
{
    hanji_gpu_key key;
    uint8_t counter[8] = {0};
    uint8_t *pages =
        mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(pages != MAP_FAILED, "pages");
    enter();
    check(register_memory(pages, PAGE, 0) == 0 && register_memory(pages + 2 * PAGE, PAGE, 0) == 0,
          "pages");
    memcpy(pages + PAGE, text, BYTES);
    check(hanji_gpu_key_open(&key, secret, 16, cipher(), &gpu) == HANJI_OK, "key");
    check(hanji_gpu_ctr_host(pages, pages, 3 * PAGE, counter, &key) == HANJI_OK, "both ends");
    hanji_gpu_key_close(&key);
    leave();
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    prepare();
    if (argc > 1 && strcmp(argv[1], "many") == 0) {
        many_during_capture();
        hanji_gpu_close(&gpu);
        puts("many pieces are wiped");
        return 0;
    }
    free_early();
    puts("memory waits for its last use");
    during_capture(0);
    during_capture(CU_STREAM_NON_BLOCKING);
    puts("captures go on");
    broken_capture();
    puts("captures can be broken");
    foreign();
    puts("other contexts are refused");
    again();
    locked_ends();
    puts("all of the memory is looked at");
    hanji_gpu_close(&gpu);
    hanji_cu_close(&user);
    check(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) != NULL, "the driver was unloaded");
    puts("the driver stays");
    return 0;
}
