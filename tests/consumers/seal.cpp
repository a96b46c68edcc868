// SPDX-License-Identifier: Apache-2.0
// The headers from C++: declarations have C linkage, every header stands alone, a keyed cipher
// works.
#include <hanji/aead.h>
#include <hanji/block.h>
#include <hanji/common.h>
#include <hanji/fleet.h>
#include <hanji/hash.h>
#include <hanji/mac.h>

#include <array>
#include <cstdio>

int main()
{
    const std::array<uint8_t, HANJI_SPECK64_128_KEY_BYTES> key{};
    std::array<uint8_t, HANJI_SPECK64_128_BLOCK_BYTES> block{}, again{};
    hanji_speck64_128_ctx context;
    if (hanji_block_init(key.data(), key.size(), hanji_speck64_128(), &context.head,
                         sizeof context) != HANJI_OK)
        return 1;
    if (hanji_block_encrypt(again.data(), block.data(), 1, &context.head) != HANJI_OK ||
        again == block)
        return 2;
    if (hanji_block_decrypt(again.data(), again.data(), 1, &context.head) != HANJI_OK ||
        again != block)
        return 3;
    hanji_block_wipe(&context.head);
    std::printf("hanji %s\n", hanji_version());
}
