/* SPDX-License-Identifier: Apache-2.0 */
/* From here on a list of groups is the rows of a table of kernels. See lanes/variants.h. */
#undef HANJI_GROUP
#undef HANJI_KEY_STREAMS
#undef HANJI_WHOLE_MESSAGES
#undef HANJI_CHAINS_OF_LANES
#undef HANJI_MACS_OF_LANES
#undef HANJI_SHORT_TEXTS
#undef HANJI_TEXTS_AT_ONCE
#ifndef HANJI_GROUP_ROW
#define HANJI_GROUP_ROW(cipher, tier, needs, what, size, least, member, verb) \
    {.name = #cipher "_" #tier "_x" #size,                                    \
     .features = (needs),                                                     \
     .operation = what,                                                       \
     .group = size,                                                           \
     .align = 1,                                                              \
     .minimum = least,                                                        \
     .run = {.member = hanji_##cipher##_##tier##_##verb##_x##size}},
#define HANJI_LEAST_ENCRYPT(encrypt, decrypt, ctr) encrypt
#define HANJI_LEAST_DECRYPT(encrypt, decrypt, ctr) decrypt
#define HANJI_LEAST_CTR(encrypt, decrypt, ctr) ctr
#endif
#define HANJI_GROUP(cipher, tier, needs, size, least)                                            \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_ENCRYPT, size, HANJI_LEAST_ENCRYPT least, blocks, \
                    encrypt)                                                                     \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_DECRYPT, size, HANJI_LEAST_DECRYPT least, blocks, \
                    decrypt)                                                                     \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_CTR, size, HANJI_LEAST_CTR least, ctr, ctr)
#define HANJI_KEY_STREAMS(cipher, tier, needs, lanes, least)                               \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_STREAMS, lanes, HANJI_STREAMS_LEAST(least), \
                    streams, streams)
#define HANJI_WHOLE_MESSAGES(cipher, tier, needs, lanes, least)                                   \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_UNIFORM, lanes, 0, uniform, uniform)               \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_RAGGED, lanes, HANJI_STREAMS_LEAST(least), ragged, \
                    ragged)
#define HANJI_CHAINS_OF_LANES(cipher, tier, needs, lanes, least) \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_CHAINS, lanes, least, chains, chains)
#define HANJI_MACS_OF_LANES(cipher, tier, needs, messages) \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_MACS, messages, 0, macs, macs)
#define HANJI_SHORT_TEXTS(cipher, tier, needs, size) \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_SHORT, size, 1, brief, short)
#define HANJI_TEXTS_AT_ONCE(cipher, tier, needs, size, least) \
    HANJI_GROUP_ROW(cipher, tier, needs, HANJI_ONCE, size, least, once, once)
