/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on AVX2, one message: schwaemm_halves.h.
 * void hanji_CIPHER_avx2_seal_x1(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
 *     const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, const uint8_t *key)
 */
/* kernel:
     spec: [schwaemm256_128.seal, schwaemm192_192.seal, schwaemm128_128.seal, schwaemm256_256.seal]
     isa: avx2
     blocks: [1]
     args: { out: {buffer: out, bytes: bytes, access: w},
             tag: {buffer: tag, bytes: of the tag, access: w},
             in: {buffer: in, bytes: bytes, access: r}, bytes: {value: bytes},
             ad: {buffer: ad, bytes: ad_bytes, access: r}, ad_bytes: {value: ad_bytes},
             nonce: {buffer: nonce, bytes: of the nonce, access: r},
             key: {buffer: key, bytes: of the key, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, key
*/
/*
 * And opened; `tag` is written, the one that there should be.
 * void hanji_CIPHER_avx2_open_x1(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
 *     const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, const uint8_t *key)
 */
/* kernel:
     spec: [schwaemm256_128.open, schwaemm192_192.open, schwaemm128_128.open, schwaemm256_256.open]
     isa: avx2
     blocks: [1]
     args: { out: {buffer: out, bytes: bytes, access: w},
             tag: {buffer: tag, bytes: of the tag, access: w},
             in: {buffer: in, bytes: bytes, access: r}, bytes: {value: bytes},
             ad: {buffer: ad, bytes: ad_bytes, access: r}, ad_bytes: {value: ad_bytes},
             nonce: {buffer: nonce, bytes: of the nonce, access: r},
             key: {buffer: key, bytes: of the key, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, key
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#include "sparkle/schwaemm.h"
#include "sparkle/schwaemm_halves.h"

MESSAGE(hanji_schwaemm256_128_avx2_seal_x1, 0, 8, 4)
MESSAGE(hanji_schwaemm192_192_avx2_seal_x1, 0, 6, 6)
MESSAGE(hanji_schwaemm128_128_avx2_seal_x1, 0, 4, 4)
MESSAGE(hanji_schwaemm256_256_avx2_seal_x1, 0, 8, 8)
MESSAGE(hanji_schwaemm256_128_avx2_open_x1, 1, 8, 4)
MESSAGE(hanji_schwaemm192_192_avx2_open_x1, 1, 6, 6)
MESSAGE(hanji_schwaemm128_128_avx2_open_x1, 1, 4, 4)
MESSAGE(hanji_schwaemm256_256_avx2_open_x1, 1, 8, 8)

#endif
