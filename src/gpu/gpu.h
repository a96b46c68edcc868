/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The room of the GPU: which kernels a cipher has, and the contract of their entries (written by
 * lab/gpu/generate.py).
 *
 * All pointers are to device memory and multiples of 16. Grids have one dimension, which the
 * kernels count on. A block of the cipher is `words` 32-bit words.
 *
 * - hanji_<cipher>_sm75_{encrypt,decrypt,ctr}_x<n>(out, in, keys, uint32 vectors): vectors of 16
 *   bytes; CTAs of 256 threads; thread t of CTA c does the vectors 1024 c + t + 256 j, j from 0 to
 *   3: n blocks.
 * - hanji_<cipher>_sm75_{..}_tail(out, in, keys, uint32 bytes): the 1 to 15 bytes after the last
 *   vector; one thread does them.
 * - hanji_<cipher>_sm75_{..}_x32(out, in, masks): 32 blocks per thread in bit slices; whole warps,
 *   which do 4096 * words bytes each; 128 threads at most.
 * - In CTR these have (words) parameters more: uint32 counter, the number in the last word of the
 *   first counter block, and the other words as they lie in memory. The counter must not overflow
 *   32 bits within a launch.
 * - hanji_<cipher>_sm75_fleet_x1(out, in, keys, counters, offsets, uint32 messages): CTR, a thread
 *   per message.
 * - hanji_<cipher>_sm75_fleet_x2(out, in, keys, counters, uint32 messages): CTR of messages of one block; CTAs of 256 threads;
 *   thread t of CTA c does the messages 512 c + t and 512 c + t + 256.
 * - hanji_<cipher>_sm75_fleet_x32(out, in, keys, counters): the same in bit slices; whole warps,
 *   1024 messages each.
 * - hanji_{schwaemm256_128,ascon_aead128}_sm75_{seal,open}_x1(out, in, keys, nonces, tags, offsets,
 *   ad, ad_offsets, status, uint32 messages): a thread per message; opening zeroes what does not
 *   verify, and its status is HANJI_E_TAG.
 *
 * Round keys: `keys` are 32-bit words, those of 64-bit words low half first, of 16-bit words one
 * per 32 bits. `masks` are the bits of the round keys, least significant first, as words of all
 * zeros or all ones.
 */
#ifndef HANJI_GPU_GPU_H
#define HANJI_GPU_GPU_H

#include "gpu/driver.h"
#include "hanji/gpu.h"

/* The PTX files, as the build embeds them; each ends with a zero. */
typedef struct hanji_gpu_image {
    const char *name;
    const char *text;
} hanji_gpu_image;
extern const hanji_gpu_image hanji_gpu_images[];

/*
 * The same as machine code, where the build was given any (tools/gpu_cubins.py): `capability` is 90
 * for 9.0, and it runs on devices of the same first digit and no smaller second one.
 */
typedef struct hanji_gpu_cubin {
    const char *name; /* as in hanji_gpu_images; NULL ends the table */
    int capability;
    const uint8_t *code;
} hanji_gpu_cubin;
extern const hanji_gpu_cubin hanji_gpu_cubins[];

/*
 * Fleets in host memory as hanji_gpu_ctr_fleet() and its like take them. `checked`: the caller has
 * seen to it that offsets are right and arrays apart. Then messages may have no offsets (NULL):
 * they have `length` bytes and lie side by side; so may associated data, of `ad_length` bytes.
 */
typedef struct hanji_gpu_call {
    const hanji_fleet *fleet;
    size_t length, ad_length;
    int checked;
} hanji_gpu_call;

enum { HANJI_GPU_SCHWAEMM256_128, HANJI_GPU_ASCON_AEAD128, HANJI_GPU_AEADS };

#ifdef __cplusplus
extern "C" {
#endif
int64_t hanji_gpu_run_ctr(const hanji_gpu_call *call, const hanji_cipher *cipher, hanji_gpu *gpu);
int64_t hanji_gpu_run_aead(const hanji_gpu_call *call, int aead, int open, hanji_gpu *gpu);
#ifdef __cplusplus
}
#endif

#endif
