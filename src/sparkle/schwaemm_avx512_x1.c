/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on AVX-512, one message: schwaemm_halves.h.
 * void hanji_CIPHER_avx512_seal_x1(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
 *     const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, const uint8_t *key)
 */
/* kernel:
     like: schwaemm_avx2_x1 seal
     spec: [schwaemm256_128.seal, schwaemm192_192.seal, schwaemm128_128.seal, schwaemm256_256.seal]
     isa: avx512
*/
/*
 * And opened; `tag` is written, the one that there should be.
 * void hanji_CIPHER_avx512_open_x1(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
 *     const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, const uint8_t *key)
 */
/* kernel:
     like: schwaemm_avx2_x1 open
     spec: [schwaemm256_128.open, schwaemm192_192.open, schwaemm128_128.open, schwaemm256_256.open]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#include "sparkle/schwaemm.h"
#include "sparkle/schwaemm_halves.h"

MESSAGE(hanji_schwaemm256_128_avx512_seal_x1, 0, 8, 4)
MESSAGE(hanji_schwaemm192_192_avx512_seal_x1, 0, 6, 6)
MESSAGE(hanji_schwaemm128_128_avx512_seal_x1, 0, 4, 4)
MESSAGE(hanji_schwaemm256_256_avx512_seal_x1, 0, 8, 8)
MESSAGE(hanji_schwaemm256_128_avx512_open_x1, 1, 8, 4)
MESSAGE(hanji_schwaemm192_192_avx512_open_x1, 1, 6, 6)
MESSAGE(hanji_schwaemm128_128_avx512_open_x1, 1, 4, 4)
MESSAGE(hanji_schwaemm256_256_avx512_open_x1, 1, 8, 8)

#endif
