/* SPDX-License-Identifier: Apache-2.0 */
/* A hash of 32 bytes or more: a message at once, and in two pieces. */
#include "harness.h"

int main(void)
{
    //@ loop unroll 71;
    for (size_t bytes = FIRST; bytes <= LAST; bytes++) {
        const uint8_t *text = BUFFER(in_room, bytes);
        uint8_t *out = BUFFER(out_room, DIGEST);
        int rc = NAMED(out, text, bytes);
        CONTEXT ctx;
        if (NAME(init)(&ctx) != HANJI_OK)
            continue; /* no context */
        rc |= NAME(update)(text, bytes / 3, &ctx);
        rc |= NAME(update)(text + bytes / 3, bytes - bytes / 3, &ctx);
        rc |= NAME(final)(out, &ctx);
        (void)rc;
    }
    Frama_C_show_each_end();
    return 0;
}
