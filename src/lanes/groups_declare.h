/* SPDX-License-Identifier: Apache-2.0 */
/* From here on a list of groups declares the functions that it names. See lanes/variants.h. */
#undef HANJI_GROUP
#undef HANJI_KEY_STREAMS
#undef HANJI_WHOLE_MESSAGES
#undef HANJI_CHAINS_OF_LANES
#undef HANJI_MACS_OF_LANES
#undef HANJI_SHORT_TEXTS
#undef HANJI_TEXTS_AT_ONCE
#define HANJI_GROUP(cipher, tier, needs, size, least)          \
    hanji_blocks_fn hanji_##cipher##_##tier##_encrypt_x##size, \
        hanji_##cipher##_##tier##_decrypt_x##size;             \
    hanji_ctr_fn hanji_##cipher##_##tier##_ctr_x##size;
#define HANJI_KEY_STREAMS(cipher, tier, needs, lanes, least) \
    hanji_streams_fn hanji_##cipher##_##tier##_streams_x##lanes;
#define HANJI_WHOLE_MESSAGES(cipher, tier, needs, lanes, least)  \
    hanji_uniform_fn hanji_##cipher##_##tier##_uniform_x##lanes; \
    hanji_ragged_fn hanji_##cipher##_##tier##_ragged_x##lanes;
#define HANJI_CHAINS_OF_LANES(cipher, tier, needs, lanes, least) \
    hanji_chains_fn hanji_##cipher##_##tier##_chains_x##lanes;
#define HANJI_MACS_OF_LANES(cipher, tier, needs, messages) \
    hanji_macs_fn hanji_##cipher##_##tier##_macs_x##messages;
#define HANJI_SHORT_TEXTS(cipher, tier, needs, size) \
    hanji_short_fn hanji_##cipher##_##tier##_short_x##size;
#define HANJI_TEXTS_AT_ONCE(cipher, tier, needs, size, least) \
    hanji_once_fn hanji_##cipher##_##tier##_once_x##size;
