/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print what the first look at HANJI_FORCE has selected: the result code of a keyed operation, then
 * the state of each tier.
 */
#include "check.h"
#include "hanji/hanji.h"

int main(void)
{
    static const uint8_t bytes[16] = {0};
    hanji_speck64_128_ctx key;
    (void)io_print(
        hanji_error_name(hanji_block_init(bytes, 16, hanji_speck64_128(), &key.head, sizeof key)));
    for (size_t i = 0; i < hanji_tier_count(); i++) {
        (void)io_print(" ");
        (void)io_print(hanji_tier_name(i));
        (void)io_print("=");
        print_number((size_t)hanji_tier_state(i));
    }
    (void)io_print("\n");
    return 0;
}
