// SPDX-License-Identifier: Apache-2.0
// SPECK, SIMON and SIMECK with 64-bit blocks and 128-bit keys in plain CUDA C, as a user of the
// toolkit would write them: one thread per block with its own key, the key schedule into an array,
// then the rounds. They stand for "GPU (C)" of table 3 of Jang, Kim, Lim, Seo (2021), to compare
// with; no product uses them. Made into generated/plain_sm90.cubin and plain_sm75.ptx by
// tools/gpu_plain.py.

typedef unsigned int u32;
typedef unsigned long long u64;

#define ROTL(x, r) (((x) << (r)) | ((x) >> (32 - (r))))
#define ROTR(x, r) (((x) >> (r)) | ((x) << (32 - (r))))

// out, in: 2 words per message; keys: 4 words per message.
#define KERNEL(name)                                   \
    extern "C" __global__ void __launch_bounds__(1024) \
        name(u32 *out, const u32 *in, const u32 *keys, u32 messages)
#define MESSAGE()                                        \
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= messages)                                   \
        return;                                          \
    const u32 *key = keys + 4 * (u64)i;                  \
    u32 y = in[2 * (u64)i], x = in[2 * (u64)i + 1]
#define DELIVER()        \
    out[2 * (u64)i] = y; \
    out[2 * (u64)i + 1] = x

KERNEL(hanji_speck64_c)
{
    MESSAGE();
    u32 rk[27], k = key[0], l[3] = {key[1], key[2], key[3]};
    for (int r = 0; r < 27; r++) {
        rk[r] = k;
        const u32 next = (ROTR(l[r % 3], 8) + k) ^ r;
        k = ROTL(k, 3) ^ next;
        l[r % 3] = next;
    }
    for (int r = 0; r < 27; r++) {
        x = (ROTR(x, 8) + y) ^ rk[r];
        y = ROTL(y, 3) ^ x;
    }
    DELIVER();
}

KERNEL(hanji_simon64_c)
{
    MESSAGE();
    const u64 z3 = 0xfc2ce51207a635dbULL;
    u32 rk[44] = {key[0], key[1], key[2], key[3]};
    for (int r = 4; r < 44; r++) {
        u32 t = ROTR(rk[r - 1], 3) ^ rk[r - 3];
        t ^= ROTR(t, 1);
        rk[r] = rk[r - 4] ^ t ^ 0xfffffffcu ^ (u32)(z3 >> ((r - 4) % 62) & 1);
    }
    for (int r = 0; r < 44; r++) {
        const u32 t = x;
        x = y ^ (ROTL(x, 1) & ROTL(x, 8)) ^ ROTL(x, 2) ^ rk[r];
        y = t;
    }
    DELIVER();
}

KERNEL(hanji_simeck64_c)
{
    MESSAGE();
    u64 sequence = 0x938bca3083fULL;
    u32 rk[44], k[4] = {key[0], key[1], key[2], key[3]};
    for (int r = 0; r < 44; r++) {
        rk[r] = k[0];
        const u32 next =
            k[0] ^ (k[1] & ROTL(k[1], 5)) ^ ROTL(k[1], 1) ^ 0xfffffffcu ^ (u32)(sequence & 1);
        sequence >>= 1;
        k[0] = k[1];
        k[1] = k[2];
        k[2] = k[3];
        k[3] = next;
    }
    for (int r = 0; r < 44; r++) {
        const u32 t = x;
        x = y ^ (x & ROTL(x, 5)) ^ ROTL(x, 1) ^ rk[r];
        y = t;
    }
    DELIVER();
}
