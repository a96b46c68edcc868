/* SPDX-License-Identifier: Apache-2.0 */
/* Portable Keccak-f[1600], and the sponge of SHAKE. */
#include "keccak/keccak.h"

#include "keccak/keccak_rounds.h"
#include "keccak/keccak_words.h"
#include "support/bytes.h"

void hanji_keccak_portable_x1(uint64_t *states)
{
    K_PERMUTE;
}

void hanji_shake_init(hanji_shake *shake, uint32_t rate)
{
    memset(shake, 0, sizeof *shake);
    shake->rate = rate;
    shake->permute = hanji_keccak_single()->run.keccak;
}

static void absorb_block(hanji_shake *shake, const uint8_t *block)
{
    for (uint32_t i = 0; i < shake->rate / 8; i++)
        shake->state[i] ^= load_le64(block + 8 * i);
    shake->permute(shake->state);
}

void hanji_shake_absorb(hanji_shake *shake, const uint8_t *in, size_t bytes)
{
    if (bytes == 0)
        return;
    if (shake->held != 0) {
        const size_t room = shake->rate - shake->held, part = bytes < room ? bytes : room;
        memcpy(shake->pending + shake->held, in, part);
        shake->held += (uint32_t)part;
        in += part;
        bytes -= part;
        if (shake->held < shake->rate)
            return;
        absorb_block(shake, shake->pending);
        shake->held = 0;
    }
    for (; bytes >= shake->rate; bytes -= shake->rate, in += shake->rate)
        absorb_block(shake, in);
    memcpy(shake->pending, in, bytes);
    shake->held = (uint32_t)bytes;
}

void hanji_shake_finish(hanji_shake *shake)
{
    memset(shake->pending + shake->held, 0, shake->rate - shake->held);
    shake->pending[shake->held] = 0x1f;
    shake->pending[shake->rate - 1] |= 0x80;
    absorb_block(shake, shake->pending);
    shake->held = 0;
}

void hanji_shake_squeeze(uint8_t *out, size_t bytes, hanji_shake *shake)
{
    while (bytes > 0) {
        if (shake->held == shake->rate) {
            shake->permute(shake->state);
            shake->held = 0;
        }
        if ((shake->held & 7) == 0 && bytes >= 8) {
            const size_t left = shake->rate - shake->held,
                         part = (bytes < left ? bytes : left) & ~(size_t)7;
            const uint64_t *word = shake->state + (shake->held >> 3);
            for (size_t at = 0; at < part; at += 8)
                store_le64(out + at, *word++);
            out += part;
            bytes -= part;
            shake->held += (uint32_t)part;
            continue;
        }
        uint8_t word[8];
        store_le64(word, shake->state[shake->held >> 3]);
        *out++ = word[shake->held & 7];
        shake->held++;
        bytes--;
    }
}
