/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the Ascon room (NIST SP 800-232): the permutation with its kernels, and one
 * message as the calls and the fleets use it. A state is five 64-bit words S0 .. S4 in native byte
 * order; its bytes are the words in little-endian order.
 */
#ifndef HANJI_ASCON_ASCON_H
#define HANJI_ASCON_ASCON_H

#include "support/cpu.h"
#include "support/kernel.h"
#include "support/secret.h"

#define HANJI_ASCON_WORDS 5
#define HANJI_ASCON_ROUNDS_MAX 16
#define HANJI_ASCON_ROUNDS 12     /* of p[12]: beginning and end of the AEAD, and the hashes */
#define HANJI_ASCON_DATA_ROUNDS 8 /* of p[8]: between blocks of the AEAD */

#define HANJI_ASCON_RATE 16     /* bytes of a block of the AEAD: S0 and S1 */
#define HANJI_ASCON_HASH_RATE 8 /* bytes of a block of the hashes: S0 */

/* Initial value of Ascon-AEAD128 (appendix B); the domain bit after associated data. */
#define HANJI_ASCON_AEAD128_IV 0x00001000808c0001u
#define HANJI_ASCON_DOMAIN ((uint64_t)1 << 63)

/* States after the first p[12]: no input changes them (appendix B). */
extern const uint64_t hanji_ascon_hash256_start[HANJI_ASCON_WORDS];
extern const uint64_t hanji_ascon_xof128_start[HANJI_ASCON_WORDS];
extern const uint64_t hanji_ascon_cxof128_start[HANJI_ASCON_WORDS];

/* The last `rounds` of the 16 rounds, an even number from 2 to 12. */
typedef void hanji_ascon_permute_fn(uint64_t *state, uint32_t rounds);
/* Whole blocks into the state, p[8] after each (AEAD) or p[12] (hashes). */
typedef void hanji_ascon_absorb_fn(uint64_t *state, const uint8_t *in, size_t blocks);
/* Whole blocks of text, p[8] after each. */
typedef void hanji_ascon_crypt_fn(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks);

/* A message as a call gives it. */
struct hanji_ascon_aead_kernel;
typedef struct hanji_ascon_message {
    uint8_t *out;
    const uint8_t *in;
    size_t bytes;         /* of the text */
    uint8_t *tag;         /* that is made */
    const uint8_t *given; /* that is compared */
    size_t tag_bytes;
    const uint8_t *ad;
    size_t ad_bytes;
    const uint8_t *nonce;
    const void *key; /* bytes, or a context */
    size_t key_bytes;
#ifdef HANJI_X86
    const struct hanji_ascon_aead_kernel *kernel; /* asked for once in a call */
#endif
} hanji_ascon_message;

#ifdef HANJI_X86
/*
 * A whole message, for a kernel that keeps the state in registers from the key to the tag of 16
 * bytes: text and associated data are those of the message, the others are given. The tag is
 * written last.
 */
typedef void hanji_ascon_whole_fn(uint8_t *tag, const hanji_ascon_message *message,
                                  const uint8_t *nonce, const uint64_t *key);
/* The same from a state before its first block to `out_bytes` bytes, 1 or more. */
typedef void hanji_ascon_whole_hash_fn(uint8_t *out, size_t out_bytes, const uint8_t *in,
                                       size_t bytes, const uint64_t *start);
#endif

#ifdef HANJI_RV32
/*
 * The state after initialisation; and from the state behind the text and its padding to the one
 * whose last two words are the tag.
 */
typedef void hanji_ascon_start_fn(uint64_t *state, const uint64_t *nonce, const uint64_t *key);
typedef void hanji_ascon_finish_fn(uint64_t *state, const uint64_t *key);
#endif

/* The kernels for one state. The hashes have their own: firmware links no more than it uses. */
typedef struct hanji_ascon_aead_kernel {
    hanji_ascon_permute_fn *permute;
    hanji_ascon_absorb_fn *absorb;
    hanji_ascon_crypt_fn *seal, *open;
#ifdef HANJI_X86
    hanji_ascon_whole_fn *seal_whole, *open_whole; /* NULL: made of the others */
#endif
#ifdef HANJI_RV32
    hanji_ascon_start_fn *start; /* NULL: made of the permutation, as is `finish` */
    hanji_ascon_finish_fn *finish;
#endif
} hanji_ascon_aead_kernel;

typedef struct hanji_ascon_hash_kernel {
    hanji_ascon_permute_fn *permute;
    hanji_ascon_absorb_fn *absorb;
#ifdef HANJI_X86
    hanji_ascon_whole_hash_fn *whole; /* NULL: made of the others */
#endif
} hanji_ascon_hash_kernel;

extern const hanji_ascon_aead_kernel hanji_ascon_aead_portable_x1;
extern const hanji_ascon_hash_kernel hanji_ascon_hash_portable_x1;
#ifdef HANJI_X86
extern const hanji_ascon_aead_kernel hanji_ascon_aead_avx2_x1;
extern const hanji_ascon_hash_kernel hanji_ascon_hash_avx2_x1;
#endif
#ifdef HANJI_RV32
extern const hanji_ascon_aead_kernel hanji_ascon_aead_rv32_x1;
extern const hanji_ascon_hash_kernel hanji_ascon_hash_rv32_x1;
hanji_ascon_permute_fn hanji_ascon_p_rv32i_shared_x1;
hanji_ascon_start_fn hanji_ascon_aead128_rv32i_start_x1;
hanji_ascon_finish_fn hanji_ascon_aead128_rv32i_finish_x1;
/* texts aligned as words; at least one block */
hanji_ascon_absorb_fn hanji_ascon_aead128_rv32i_absorb_x1, hanji_ascon_hash256_rv32i_absorb_x1;
hanji_ascon_crypt_fn hanji_ascon_aead128_rv32i_seal_x1, hanji_ascon_aead128_rv32i_open_x1;
#ifdef __riscv_zbkb
hanji_ascon_permute_fn hanji_ascon_p_zbkb_x1;
hanji_ascon_start_fn hanji_ascon_aead128_zbkb_start_x1;
hanji_ascon_finish_fn hanji_ascon_aead128_zbkb_finish_x1;
hanji_ascon_absorb_fn hanji_ascon_aead128_zbkb_absorb_x1, hanji_ascon_hash256_zbkb_absorb_x1;
hanji_ascon_crypt_fn hanji_ascon_aead128_zbkb_seal_x1, hanji_ascon_aead128_zbkb_open_x1;
#endif
#endif
#ifdef HANJI_A64
hanji_ascon_permute_fn hanji_ascon_p_a64_x1;
/* at least one block */
hanji_ascon_absorb_fn hanji_ascon_aead128_a64_absorb_x1, hanji_ascon_hash256_a64_absorb_x1;
hanji_ascon_crypt_fn hanji_ascon_aead128_a64_seal_x1, hanji_ascon_aead128_a64_open_x1;
#endif
#ifdef HANJI_ARMV7M
hanji_ascon_permute_fn hanji_ascon_p_armv7m_x1;
/* at least one block */
hanji_ascon_absorb_fn hanji_ascon_aead128_armv7m_absorb_x1, hanji_ascon_hash256_armv7m_absorb_x1;
hanji_ascon_crypt_fn hanji_ascon_aead128_armv7m_seal_x1, hanji_ascon_aead128_armv7m_open_x1;
#endif
#ifdef HANJI_ARMV6M
hanji_ascon_permute_fn hanji_ascon_p_armv6m_x1;
/* at least one block */
hanji_ascon_absorb_fn hanji_ascon_aead128_armv6m_absorb_x1, hanji_ascon_hash256_armv6m_absorb_x1;
hanji_ascon_crypt_fn hanji_ascon_aead128_armv6m_seal_x1, hanji_ascon_aead128_armv6m_open_x1;
#endif
#ifdef HANJI_AVR
hanji_ascon_permute_fn hanji_ascon_p_avr_x1;
hanji_ascon_absorb_fn hanji_ascon_aead128_avr_absorb_x1, hanji_ascon_hash256_avr_absorb_x1;
hanji_ascon_crypt_fn hanji_ascon_aead128_avr_seal_x1, hanji_ascon_aead128_avr_open_x1;
#endif

/* Best first. */
extern const hanji_kernel hanji_ascon_aead_kernels[], hanji_ascon_hash_kernels[];

/* The kernels for one state, by the present selection. */
const hanji_ascon_aead_kernel *hanji_ascon_aead_single(void);
const hanji_ascon_hash_kernel *hanji_ascon_hash_single(void);
#ifdef HANJI_X86
/* The same, and hanji_selection() at once: NULL when selection fails. */
const hanji_ascon_aead_kernel *hanji_ascon_aead_selected(void);
const hanji_ascon_hash_kernel *hanji_ascon_hash_selected(void);
#endif

/*
 * Seal a message with a key of bytes. Sizes and pointers are already checked, and the kernel is
 * chosen.
 */
void hanji_ascon_aead128_seal(const hanji_ascon_message *m);
/* Open it: HANJI_OK, or HANJI_E_TAG and a zeroed output. */
int hanji_ascon_aead128_open(const hanji_ascon_message *m);

/*
 * Behind a call with a key of bytes. The frames of a kernel for whole messages and of what calls it
 * have up to 184 bytes together (gcc 12 and clang 14, from -O1 and -Os on), without the words below
 * the kernel's stack pointer, seven at most.
 */
HANJI_INLINE void hanji_ascon_wipe_behind(const hanji_ascon_message *m)
{
#ifdef HANJI_X86
    if (m->kernel != NULL && m->kernel->seal_whole != NULL) {
        hanji_wipe_stack_least();
        return;
    }
#else
    (void)m;
#endif
    hanji_wipe_stack_of_ascon();
}

#endif
