/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon for one message in general registers with BMI1 and BMI2: and-not, and rotations into
 * another register. No vectors: the name is that of the tier whose processors have these
 * instructions.
 * const hanji_ascon_aead_kernel hanji_ascon_aead_avx2_x1;
 * const hanji_ascon_hash_kernel hanji_ascon_hash_avx2_x1
 */
/* kernel:
     spec: [ascon_p.permute, ascon_aead128.absorb_blocks, ascon_aead128.seal_blocks,
            ascon_aead128.open_blocks, ascon_hash256.absorb_blocks]
     isa: avx2
     blocks: [1]
     args: { state: {buffer: state, bytes: 40, access: rw},
             out: {buffer: out, bytes: 16 * blocks, access: w},
             in: {buffer: in, bytes: 16 * blocks, access: r}, blocks: {value: blocks} }
     aliasing: out == in allowed
     stack: compiler
     secrets: state, in
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define ASCON_AND_NOT
#include "ascon/ascon_parts.h"
#include "ascon/ascon_rounds.h"

static void permute_state(uint64_t *state, uint32_t rounds)
{
    ascon_permute(state, rounds);
}

static void absorb_blocks(uint64_t *state, const uint8_t *in, size_t blocks)
{
    ascon_absorb(state, in, blocks);
}

static void seal_blocks(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ascon_seal(state, out, in, blocks);
}

static void open_blocks(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ascon_open(state, out, in, blocks);
}

/*
 * A message from its key to its tag, the state in registers all the way. The key stays in the
 * caller's memory: with its words in variables gcc 12 finds registers with which long texts take
 * 4 % longer.
 */
HANJI_INLINE void ascon_whole(uint8_t *tag, const hanji_ascon_message *m, const uint8_t *nonce,
                              const uint64_t *key, int open)
{
    const uint8_t *in = m->in, *ad = m->ad;
    uint8_t *out = m->out;
    uint64_t s[HANJI_ASCON_WORDS] = {HANJI_ASCON_AEAD128_IV, key[0], key[1], load_le64(nonce),
                                     load_le64(nonce + 8)};
    ascon_rounds(s, ASCON_P12);
    s[3] ^= key[0];
    s[4] ^= key[1];
    if (m->ad_bytes > 0)
        for (size_t left = m->ad_bytes, last = 0; last == 0;) {
            if (left >= HANJI_ASCON_RATE) {
                s[0] = ascon_settled(s[0] ^ load_le64(ad));
                s[1] = ascon_settled(s[1] ^ load_le64(ad + 8));
                ad += HANJI_ASCON_RATE;
                left -= HANJI_ASCON_RATE;
            } else {
                crypt_last(s, NULL, ad, left, 0);
                last = 1;
            }
            ascon_rounds(s, ASCON_P8);
        }
    s[4] ^= HANJI_ASCON_DOMAIN;
    size_t left = m->bytes;
    for (; left >= HANJI_ASCON_RATE; left -= HANJI_ASCON_RATE) {
        const uint64_t d0 = load_le64(in), d1 = load_le64(in + 8);
        const uint64_t e0 = ascon_settled(s[0] ^ d0), e1 = ascon_settled(s[1] ^ d1);
        store_le64(out, e0);
        store_le64(out + 8, e1);
        s[0] = open ? d0 : e0;
        s[1] = open ? d1 : e1;
        in += HANJI_ASCON_RATE;
        out += HANJI_ASCON_RATE;
        ascon_rounds(s, ASCON_P8);
    }
    if (left == 0) /* `out` and `in` may be NULL */
        s[0] ^= 1;
    else
        crypt_last(s, out, in, left, open);
    s[2] ^= key[0];
    s[3] ^= key[1];
    ascon_rounds(s, ASCON_P12);
    store_le64(tag, s[3] ^ key[0]);
    store_le64(tag + 8, s[4] ^ key[1]);
}

static void absorb_words(uint64_t *state, const uint8_t *in, size_t blocks)
{
    ascon_hash_absorb(state, in, blocks);
}

static void seal_whole(uint8_t *tag, const hanji_ascon_message *message, const uint8_t *nonce,
                       const uint64_t *key)
{
    ascon_whole(tag, message, nonce, key, 0);
}

static void open_whole(uint8_t *tag, const hanji_ascon_message *message, const uint8_t *nonce,
                       const uint64_t *key)
{
    ascon_whole(tag, message, nonce, key, 1);
}

/* A hash from its first block to its last byte, in the same way. */
static void hash_whole(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t bytes,
                       const uint64_t *start)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, start);
    for (; bytes >= HANJI_ASCON_HASH_RATE; bytes -= HANJI_ASCON_HASH_RATE) {
        s[0] ^= load_le64(in);
        in += HANJI_ASCON_HASH_RATE;
        ascon_rounds(s, ASCON_P12);
    }
    s[0] ^= byte_at(1, bytes);
    if (bytes > 0) /* `in` may be NULL */
        s[0] ^= load_part(in, bytes);
    for (;;) {
        ascon_rounds(s, ASCON_P12);
        if (out_bytes < HANJI_ASCON_HASH_RATE)
            break;
        store_le64(out, s[0]);
        out += HANJI_ASCON_HASH_RATE;
        out_bytes -= HANJI_ASCON_HASH_RATE;
        if (out_bytes == 0)
            return;
    }
    store_part(out, s[0], out_bytes);
}

const hanji_ascon_aead_kernel hanji_ascon_aead_avx2_x1 = {permute_state, absorb_blocks, seal_blocks,
                                                          open_blocks,   seal_whole,    open_whole};
const hanji_ascon_hash_kernel hanji_ascon_hash_avx2_x1 = {permute_state, absorb_words, hash_whole};

#endif
