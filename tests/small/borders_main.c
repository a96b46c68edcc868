/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Empty and missing buffers, tags of every size, and data limits where they end, with a sanitizer:
 * prints each call that answers something else than it must, and "end".
 */
#include "hanji.h"
#include <stdio.h>

static unsigned line;

static void must(int found, int wanted)
{
    line++;
    if (found != wanted)
        printf("call %u: %d, not %d\n", line, found, wanted);
}

static void must_remain(uint64_t wanted, const hanji_block_ctx *block)
{
    line++;
    if (hanji_block_remaining(block) != wanted)
        printf("call %u: other blocks remain\n", line);
}

int main(void)
{
    static const uint8_t key[16] = {1}, nonce[32] = {2}, text[64] = {3};
    static uint8_t out[64];
    hanji_speck64_128_ctx speck;
    hanji_block_ctx *block = &speck.head;
    hanji_ctr_ctx ctr;
    hanji_eax_ctx eax;

    must(hanji_ascon_aead128_encrypt(out, NULL, 0, NULL, 0, nonce, key), HANJI_OK);
    must(hanji_ascon_aead128_decrypt(NULL, out, 16, NULL, 0, nonce, key), HANJI_OK);
    must(hanji_schwaemm256_128_encrypt(NULL, NULL, 0, NULL, 0, nonce, key), HANJI_E_ARGUMENT);
    must(hanji_schwaemm256_128_encrypt(out, NULL, 0, NULL, 0, nonce, key), HANJI_OK);
    must(hanji_schwaemm256_128_decrypt(NULL, out, 16, NULL, 0, nonce, key), HANJI_OK);
    must(hanji_esch256(out, NULL, 0), HANJI_OK);
    must(hanji_ascon_hash256(out, NULL, 0), HANJI_OK);

    must(hanji_block_init(key, 16, hanji_speck64_128(), block, sizeof speck), HANJI_OK);
    must(hanji_block_set_limit(UINT64_C(1) << 32, block), HANJI_OK); /* which is one less */
    must_remain(UINT32_MAX, block);
    must(hanji_ctr_init(nonce, 8, block, &ctr), HANJI_OK);
    must(hanji_ctr_update(NULL, NULL, 0, &ctr), HANJI_OK);
    must(hanji_ctr_update(out, text, 9, &ctr), HANJI_OK);
    must_remain(UINT32_MAX - 2, block);
    must(hanji_block_set_limit(2, block), HANJI_OK);
    must_remain(0, block);
    must(hanji_ctr_update(out, text, 7, &ctr), HANJI_OK); /* what is left of a block */
    must(hanji_ctr_update(out, text, 1, &ctr), HANJI_E_LIMIT);
    must(hanji_block_set_limit(3, block), HANJI_OK);
    must(hanji_ctr_update(out, text, 9, &ctr), HANJI_E_LIMIT);
    must(hanji_ctr_update(out, text, 8, &ctr), HANJI_OK);
    must(hanji_ctr_update(out, text, 1, &ctr), HANJI_E_LIMIT);

    must(hanji_block_set_limit(UINT32_MAX, block), HANJI_OK);
    for (size_t bytes = 1; bytes <= 8; bytes++) {
        must(hanji_eax_init(bytes, block, &eax), HANJI_OK);
        must(hanji_eax_encrypt(out, NULL, 0, NULL, 0, nonce, 1, &eax), HANJI_OK);
        must(hanji_eax_decrypt(NULL, out, bytes, NULL, 0, nonce, 1, &eax), HANJI_OK);
        must(hanji_eax_decrypt(NULL, out, bytes - 1, NULL, 0, nonce, 1, &eax), HANJI_E_LENGTH);
        out[bytes - 1] ^= 0x80;
        must(hanji_eax_decrypt(NULL, out, bytes, NULL, 0, nonce, 1, &eax), HANJI_E_TAG);
        must(hanji_eax_encrypt(out, text, SIZE_MAX, NULL, 0, nonce, 1, &eax), HANJI_E_LENGTH);
    }
    must(hanji_eax_init(0, block, &eax), HANJI_E_LENGTH);
    must(hanji_eax_init(9, block, &eax), HANJI_E_LENGTH);
    must(hanji_eax_init(257, block, &eax), HANJI_E_LENGTH);
    must(hanji_eax_init(8, block, &eax), HANJI_OK);
    hanji_ctr_wipe(&ctr);
    must(hanji_ctr_update(out, text, 1, &ctr), HANJI_E_ARGUMENT);
    hanji_block_wipe(block);
    must(hanji_eax_encrypt(out, text, 1, NULL, 0, nonce, 1, &eax), HANJI_E_ARGUMENT);
    hanji_ctr_wipe(NULL);
    hanji_eax_wipe(NULL);
    hanji_block_wipe(NULL);
    puts("end");
    return 0;
}
