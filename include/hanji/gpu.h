/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file gpu.h
 * @brief Block ciphers on NVIDIA GPUs: much data under one key, or many messages with a key each.
 *
 * The functions are in a library of their own, libhanji-gpu, because it carries the kernels for all
 * ciphers, some 2 MB of PTX, and machine code where it was built with HANJI_GPU_CUBINS. It needs no
 * CUDA toolkit: hanji_gpu_open() opens the driver with dlopen. hanji.h does not include this
 * header.
 *
 * Ciphers: SPECK-64/128, SPECK-128/128, /192, /256, SIMON-64/128, SIMON-128/128, SIMECK-64/128,
 * CHAM-64/128, CHAM-128/128, /256, each with one key and in fleets. Ascon-AEAD128 and
 * SCHWAEMM256-128 in fleets. The bytes equal the bytes of the functions in block.h and fleet.h.
 *
 * Device pointers are numbers, as the driver gives them (CUdeviceptr), and must be multiples of 16.
 * A stream is a CUstream of the device's primary context; NULL is the default stream, and
 * CU_STREAM_PER_THREAD that of the calling thread. Streams and memory of another context are
 * refused. Functions on device memory return when the work is queued, unless they say otherwise;
 * functions on host memory return when the work is done. A context belongs to one thread at a time.
 * A context holds no secret. A key holds secrets, and closing it wipes them from device memory.
 */
#ifndef HANJI_GPU_H
#define HANJI_GPU_H

#include "hanji/block.h"
#include "hanji/fleet.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A device with the kernels loaded on it. Opaque; 5 KB. */
typedef struct hanji_gpu {
    uint64_t opaque[640]; /**< not for users */
} hanji_gpu;

/** One key of one cipher on a device. Opaque. */
typedef struct hanji_gpu_key {
    uint64_t opaque[32]; /**< not for users */
} hanji_gpu_key;

/** Properties of a device. */
typedef struct hanji_gpu_about {
    char name[128];      /**< as the driver says it */
    uint64_t memory;     /**< bytes of device memory */
    int capability;      /**< compute capability, 90 for 9.0; the kernels need 75 */
    int multiprocessors; /**< streaming multiprocessors */
} hanji_gpu_about;

/** An address in device memory: CUdeviceptr. */
typedef uint64_t hanji_gpu_pointer;

/**
 * Open a device, by its number from 0.
 * Returns HANJI_OK, or HANJI_E_DEVICE (no driver, no such device, too old: hanji_gpu_reason() says
 * which); close it in any case but HANJI_E_ARGUMENT.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_open(hanji_gpu *gpu, int device);
/**
 * Unload the kernels and release the device, after all work queued through this context.
 * All keys must be closed before. The driver stays loaded until the process ends.
 */
HANJI_API void hanji_gpu_close(hanji_gpu *gpu);
/** One sentence about the last failure in this context; never NULL. */
HANJI_API const char *hanji_gpu_reason(const hanji_gpu *gpu);
/**
 * How many devices there are. The context is open, or zeros: the driver is then opened for the
 * call. HANJI_E_DEVICE when there is no driver.
 */
HANJI_API int hanji_gpu_count(hanji_gpu *gpu);
/**
 * Describe a device by its number from 0, without opening it; the context as for hanji_gpu_count().
 * HANJI_E_DEVICE when the device does not exist.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_describe(hanji_gpu_about *about, int device,
                                                  hanji_gpu *gpu);

/*
 * Memory and order, for users without a CUDA toolkit.
 */

/**
 * Reserve device memory, a multiple of 256 as address; its content is undefined. Memory that was
 * given back before is used again: calls of an earlier size reserve nothing.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_alloc(hanji_gpu_pointer *memory, size_t bytes,
                                               hanji_gpu *gpu);
/**
 * Give device memory back; 0 is allowed. Returns at once, also while another thread captures a
 * stream: the memory is zeroed, and used again, after what this library queued in any stream, what
 * hanji_gpu_record_stream() named, and what is in the default stream now.
 */
HANJI_API void hanji_gpu_free(hanji_gpu_pointer memory, size_t bytes, hanji_gpu *gpu);
/**
 * The number of the device in whose memory an address lies, of any library in this process;
 * HANJI_E_DEVICE when the driver does not know it.
 */
HANJI_API int hanji_gpu_device_of(hanji_gpu_pointer memory, hanji_gpu *gpu);
/**
 * Copy to the device, in order with the stream, through page-locked memory, then wiped; returns
 * when it is done.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_upload(hanji_gpu_pointer out, const uint8_t *in,
                                                size_t bytes, hanji_gpu *gpu, void *stream);
/**
 * Copy from the device, in order with the stream, through page-locked memory, then wiped; returns
 * when it is done. On failure the output is zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_download(uint8_t *out, hanji_gpu_pointer in, size_t bytes,
                                                  hanji_gpu *gpu, void *stream);
/** Copy within the device; any alignment. */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_copy(hanji_gpu_pointer out, hanji_gpu_pointer in,
                                              size_t bytes, hanji_gpu *gpu, void *stream);
/** Zero device memory. */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_zero(hanji_gpu_pointer out, size_t bytes, hanji_gpu *gpu,
                                              void *stream);
/** Wait until all work of a stream is done, and report errors of it. */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_wait(hanji_gpu *gpu, void *stream);
/** Let a stream wait, on the device, for the work queued in another one now. */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_follow(hanji_gpu *gpu, void *stream, void *other);
/**
 * Let memory given back from now on wait for the work queued in a stream now: call it after
 * other libraries have queued work there on memory of this one. The stream may be gone by then.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_record_stream(hanji_gpu *gpu, void *stream);
/**
 * A stream of this context, as long as it is open: it waits for all work queued through
 * the context, and for nothing else. NULL when no device is open.
 */
HANJI_API void *hanji_gpu_own_stream(const hanji_gpu *gpu);
/**
 * HANJI_OK when the stream can take work of this library; HANJI_E_ARGUMENT while it is captured
 * into a CUDA graph (see hanji_gpu_ctr()).
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_check_stream(hanji_gpu *gpu, void *stream);
/**
 * Reserve page-locked host memory, zeroed: calls on host memory copy to and from it without a
 * detour.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_host_alloc(uint8_t **memory, size_t bytes, hanji_gpu *gpu);
/**
 * Give page-locked host memory back, as hanji_gpu_free(); NULL is allowed. It is wiped when nobody
 * uses it any more: at once, by a later call, or when the context is closed.
 */
HANJI_API void hanji_gpu_host_free(uint8_t *memory, size_t bytes, hanji_gpu *gpu);

/**
 * Somebody who does parts of a call at the same time: call part(work, i) for every i below `parts`,
 * in any order and in any threads, and return when all have returned. `helper` is what
 * hanji_gpu_set_helpers() was given.
 */
typedef void hanji_gpu_helpers(void *helper, size_t parts, void (*part)(void *work, size_t i),
                               void *work);
/**
 * Let calls on host memory copy and wipe with helpers from now on; NULL: the calling thread does it
 * alone. One thread copies some 10 GB/s, and a GPU takes 25 or 50 each way. The library starts no
 * threads.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_set_helpers(hanji_gpu *gpu, hanji_gpu_helpers *helpers,
                                                     void *helper);

/**
 * Whether a cipher has kernels for GPUs, 1 or 0; `fleet`: whether it has them for a key per
 * message.
 */
HANJI_API int hanji_gpu_has(const hanji_cipher *cipher, int fleet);

/**
 * Make the round keys and put them on the device. `key` has the size of the cipher's keys.
 * Returns HANJI_OK, HANJI_E_ARGUMENT, HANJI_E_LENGTH, HANJI_E_UNSUPPORTED for a cipher without
 * kernels, HANJI_E_DEVICE.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_key_open(hanji_gpu_key *key, const uint8_t *bytes,
                                                  size_t key_bytes, const hanji_cipher *cipher,
                                                  hanji_gpu *gpu);
/**
 * Give the key back: it is wiped from device memory after the work that uses it. Returns at once,
 * as hanji_gpu_free().
 */
HANJI_API void hanji_gpu_key_close(hanji_gpu_key *key);
/**
 * Let the key process up to `blocks` blocks in all; the default is the limit of the cipher
 * (docs/algorithms.md).
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_key_set_limit(uint64_t blocks, hanji_gpu_key *key);

/**
 * Encrypt or decrypt whole blocks in device memory (ECB: equal blocks show; for building other
 * things). In place (out == in) is allowed.
 * Returns HANJI_OK, HANJI_E_ARGUMENT, HANJI_E_LENGTH, HANJI_E_DEVICE. Raw blocks are not counted
 * against the limit. In a stream under capture, keep the key and the memory as long as the graph.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_blocks(hanji_gpu_pointer out, hanji_gpu_pointer in,
                                                size_t bytes, int decrypt, hanji_gpu_key *key,
                                                void *stream);
/**
 * CTR over any number of bytes in device memory: `counter` is the first counter block, as big as a
 * block, and is advanced past the blocks used, a begun one included. In place is allowed. The
 * counter must not come again under the key: a stream under capture into a CUDA graph is
 * refused, because a graph can be launched twice.
 * Returns HANJI_OK, HANJI_E_ARGUMENT, HANJI_E_LIMIT (nothing written), HANJI_E_DEVICE.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in,
                                             size_t bytes, uint8_t *counter, hanji_gpu_key *key,
                                             void *stream);
/**
 * The same over host memory, in chunks on three streams, copies overlapped with work: through
 * page-locked buffers, or without them where input and output are page-locked themselves. On
 * failure the output is zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_ctr_host(uint8_t *out, const uint8_t *in, size_t bytes,
                                                  uint8_t *counter, hanji_gpu_key *key);

/**
 * CTR of n messages in device memory, each with its own key: arrays as in fleet.h, all in device
 * memory (offsets are n + 1 numbers of 64 bits). `offsets` 0: all messages have `length` bytes and
 * lie side by side. `out` and `in` may have any alignment; messages of one block are fastest where
 * both are multiples of 16. The caller keeps the messages within the data limit of the cipher, and
 * the offsets within the arrays. `out` may begin where `in` does and overlaps nothing else; with
 * offsets, whose values only the device knows, the library sees where `out` begins and not where it
 * ends.
 * Returns HANJI_OK, HANJI_E_ARGUMENT, HANJI_E_UNSUPPORTED for a cipher without such kernels,
 * HANJI_E_DEVICE.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_gpu_fleet_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, hanji_gpu_pointer keys,
                    hanji_gpu_pointer counters, hanji_gpu_pointer offsets, size_t length,
                    size_t messages, const hanji_cipher *cipher, hanji_gpu *gpu, void *stream);

/**
 * The arrays of a fleet of Ascon-AEAD128 or SCHWAEMM256-128 in device memory, as in fleet.h; each
 * message has its own key. Any alignment for out, in and ad.
 */
typedef struct hanji_gpu_sponge {
    hanji_gpu_pointer out;    /**< ciphertexts; messages when opening */
    hanji_gpu_pointer in;     /**< messages; ciphertexts when opening */
    hanji_gpu_pointer keys;   /**< n keys of 16 bytes */
    hanji_gpu_pointer nonces; /**< n nonces of 16 bytes (Ascon) or 32 (SCHWAEMM) */
    /** n tags of 16 bytes: written when sealing, read when opening */
    hanji_gpu_pointer tags;
    /** n + 1 numbers of 64 bits; 0: all messages have `length` bytes and lie side by side */
    hanji_gpu_pointer offsets;
    hanji_gpu_pointer ad;         /**< associated data */
    hanji_gpu_pointer ad_offsets; /**< the same of them; 0: `ad_length` bytes each, or 0 for none */
    hanji_gpu_pointer status;     /**< n bytes: what became of each message */
    size_t messages;              /**< n */
    size_t length;                /**< bytes of each message, where there are no offsets */
    size_t ad_length;             /**< bytes of associated data of each, the same */
} hanji_gpu_sponge;

/**
 * SCHWAEMM256-128 over device memory: seal n messages (open 0) or open them (1). What does not
 * verify is zeroed and has HANJI_E_TAG in `status`. A stream under capture is refused, as
 * by hanji_gpu_ctr().
 * Returns HANJI_OK, HANJI_E_ARGUMENT, HANJI_E_DEVICE.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_fleet_schwaemm256_128(const hanji_gpu_sponge *arrays,
                                                               int open, hanji_gpu *gpu,
                                                               void *stream);
/**
 * Ascon-AEAD128 over device memory: the same as hanji_gpu_fleet_schwaemm256_128(), with nonces of
 * 16 bytes. The caller keeps messages under one key within the data limit of the standard.
 * Returns HANJI_OK, HANJI_E_ARGUMENT, HANJI_E_DEVICE.
 */
HANJI_API HANJI_MUST_CHECK int hanji_gpu_fleet_ascon_aead128(const hanji_gpu_sponge *arrays,
                                                             int open, hanji_gpu *gpu,
                                                             void *stream);
/**
 * The same as hanji_ctr_fleet() of fleet.h, over host memory, in chunks as hanji_gpu_ctr_host().
 * Keys, messages and what they became are wiped from device memory and page-locked memory. A
 * message beyond the limit never reaches the device. Messages of one block whose arrays are all
 * page-locked are copied without a detour.
 * Returns the number of failed messages (status says why; HANJI_E_LIMIT), or a negative code;
 * the output is then zeroed.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_gpu_ctr_fleet(const hanji_fleet *fleet,
                                                       const hanji_cipher *cipher, hanji_gpu *gpu);

/**
 * SCHWAEMM256-128: seal n messages, the same as hanji_schwaemm256_128_fleet_encrypt() of fleet.h,
 * over host memory, in chunks as hanji_gpu_ctr_host(). Returns 0, or a negative code; outputs and
 * tags are then zeroed. Keys, messages and what they became are wiped.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_gpu_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet,
                                                                           hanji_gpu *gpu);
/**
 * SCHWAEMM256-128: open n messages, the same as hanji_schwaemm256_128_fleet_decrypt() of fleet.h,
 * over host memory. Tags are compared on the device; what does not verify is zeroed there. Returns
 * the number of failed messages (status says which), or a negative code; outputs are then
 * zeroed.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_gpu_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet,
                                                                           hanji_gpu *gpu);
/**
 * Ascon-AEAD128: seal n messages, the same as hanji_ascon_aead128_fleet_encrypt() of fleet.h, over
 * host memory, in chunks as hanji_gpu_ctr_host(). Returns 0, or a negative code; outputs and tags
 * are then zeroed. Keys, messages and what they became are wiped.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_gpu_ascon_aead128_fleet_encrypt(const hanji_fleet *fleet,
                                                                         hanji_gpu *gpu);
/**
 * Ascon-AEAD128: open n messages, the same as hanji_ascon_aead128_fleet_decrypt() of fleet.h, over
 * host memory. Tags are compared on the device; what does not verify is zeroed there. Returns the
 * number of failed messages (status says which), or a negative code; outputs are then zeroed.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_gpu_ascon_aead128_fleet_decrypt(const hanji_fleet *fleet,
                                                                         hanji_gpu *gpu);

#ifdef __cplusplus
}
#endif
#endif
