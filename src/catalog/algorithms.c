/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of algorithms: sizes, where each is specified, and its status in one line. Figures of
 * cryptanalysis: Leurent, Pernot, Schrottenloher, ASIACRYPT 2021 (SIMON, SIMECK); Qin, Chen, Wang,
 * ePrint 2016/066 (SIMECK); Roh, Electronics 13(16), 2024 (CHAM); Hong, Chang, JKIISC 33(6), 2023
 * (SPARKLE).
 */
#include "catalog/catalog.h"

/* Every entry: name and standard, status, numbers. */
/* clang-format off */
static const hanji_algorithm algorithms[] = {
    {"speck-32/64", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "toy block size, data limit 256 bytes per key; 64-bit key, legacy only; no attack on the "
     "full cipher; best attacks reach about 70-75 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 8, 4, 0, 0, 0, 6, HANJI_ADVICE_LEGACY},
    {"speck-48/72", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "toy block size, data limit 96 KiB per key; 72-bit key, legacy only; no attack on the full "
     "cipher; best attacks reach about 70-75 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 9, 6, 0, 0, 0, 14, HANJI_ADVICE_LEGACY},
    {"speck-48/96", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "toy block size, data limit 96 KiB per key; 96-bit key, legacy only; no attack on the full "
     "cipher; best attacks reach about 70-75 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 6, 0, 0, 0, 14, HANJI_ADVICE_LEGACY},
    {"speck-64/96", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "64-bit block, data limit 8 MiB per key; 96-bit key, legacy only; no attack on the full "
     "cipher; best attacks reach about 70-75 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 8, 0, 0, 0, 20, HANJI_ADVICE_LEGACY},
    {"speck-64/128", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "64-bit block, data limit 8 MiB per key; no attack on the full cipher; best attacks reach "
     "about 70-75 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 8, 0, 0, 0, 20, HANJI_ADVICE_OK},
    {"speck-96/96", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "96-bit key, legacy only; no attack on the full cipher; best attacks reach about 70-75 % of "
     "the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 12, 0, 0, 0, 38, HANJI_ADVICE_LEGACY},
    {"speck-96/144", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "96-bit block, legacy only: CTR alone, no CMAC or EAX; no attack on the full cipher; best "
     "attacks reach about 70-75 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 18, 12, 0, 0, 0, 38, HANJI_ADVICE_LEGACY},
    {"speck-128/128", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "no attack on the full cipher; best attacks reach about 70-75 % of the rounds; not "
     "NIST-approved",
     HANJI_KIND_BLOCK, 16, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"speck-128/192", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "no attack on the full cipher; best attacks reach about 70-75 % of the rounds; not "
     "NIST-approved",
     HANJI_KIND_BLOCK, 24, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"speck-128/256", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-22 (SPECK)",
     "no attack on the full cipher; best attacks reach about 70-75 % of the rounds; not "
     "NIST-approved",
     HANJI_KIND_BLOCK, 32, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"simon-32/64", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "toy block size, data limit 256 bytes per key; 64-bit key, legacy only; no attack on the "
     "full cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 8, 4, 0, 0, 0, 6, HANJI_ADVICE_LEGACY},
    {"simon-48/72", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "toy block size, data limit 96 KiB per key; 72-bit key, legacy only; no attack on the full "
     "cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 9, 6, 0, 0, 0, 14, HANJI_ADVICE_LEGACY},
    {"simon-48/96", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "toy block size, data limit 96 KiB per key; 96-bit key, legacy only; no attack on the full "
     "cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 6, 0, 0, 0, 14, HANJI_ADVICE_LEGACY},
    {"simon-64/96", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "64-bit block, data limit 8 MiB per key; 96-bit key, legacy only; no attack on the full "
     "cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 8, 0, 0, 0, 20, HANJI_ADVICE_LEGACY},
    {"simon-64/128", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "64-bit block, data limit 8 MiB per key; no attack on the full cipher; best attacks reach "
     "65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 8, 0, 0, 0, 20, HANJI_ADVICE_OK},
    {"simon-96/96", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "96-bit key, legacy only; no attack on the full cipher; best attacks reach 65-83 % of the "
     "rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 12, 0, 0, 0, 38, HANJI_ADVICE_LEGACY},
    {"simon-96/144", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "96-bit block, legacy only: CTR alone, no CMAC or EAX; no attack on the full cipher; best "
     "attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 18, 12, 0, 0, 0, 38, HANJI_ADVICE_LEGACY},
    {"simon-128/128", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "no attack on the full cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"simon-128/192", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "no attack on the full cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 24, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"simon-128/256", "Beaulieu et al., ePrint 2013/404; ISO/IEC 29167-21 (SIMON)",
     "no attack on the full cipher; best attacks reach 65-83 % of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 32, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"simeck-32/64", "Yang et al., CHES 2015; no standard",
     "attacks reach at least 23 of 32 rounds: research only; toy block size, data limit 256 bytes "
     "per key; 64-bit key, legacy only; not NIST-approved",
     HANJI_KIND_BLOCK, 8, 4, 0, 0, 0, 6, HANJI_ADVICE_RESEARCH},
    {"simeck-48/96", "Yang et al., CHES 2015; no standard",
     "attacks reach at least 30 of 36 rounds: research only; toy block size, data limit 96 KiB "
     "per key; 96-bit key, legacy only; not NIST-approved",
     HANJI_KIND_BLOCK, 12, 6, 0, 0, 0, 14, HANJI_ADVICE_RESEARCH},
    {"simeck-64/128", "Yang et al., CHES 2015; no standard",
     "attacks reach 42 of 44 rounds: interoperability and research only, not for new designs; "
     "64-bit block, data limit 8 MiB per key; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 8, 0, 0, 0, 20, HANJI_ADVICE_RESEARCH},
    {"cham-64/128", "Roh et al., ICISC 2019 (revised CHAM); no standard",
     "64-bit block, data limit 8 MiB per key; no attack on the full cipher; distinguishers reach "
     "about half of the rounds; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 8, 0, 0, 0, 20, HANJI_ADVICE_OK},
    {"cham-128/128", "Roh et al., ICISC 2019 (revised CHAM); no standard",
     "no attack on the full cipher; distinguishers reach about half of the rounds; not "
     "NIST-approved",
     HANJI_KIND_BLOCK, 16, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"cham-128/256", "Roh et al., ICISC 2019 (revised CHAM); no standard",
     "no attack on the full cipher; distinguishers reach about half of the rounds; not "
     "NIST-approved",
     HANJI_KIND_BLOCK, 32, 16, 0, 0, 0, 48, HANJI_ADVICE_OK},
    {"cham-64/128-original", "Koo et al., ICISC 2017 (original CHAM); superseded",
     "fewer rounds than its designers now ask for: to read old data only; 64-bit block, data "
     "limit 8 MiB per key; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 8, 0, 0, 0, 20, HANJI_ADVICE_LEGACY},
    {"cham-128/128-original", "Koo et al., ICISC 2017 (original CHAM); superseded",
     "fewer rounds than its designers now ask for: to read old data only; not NIST-approved",
     HANJI_KIND_BLOCK, 16, 16, 0, 0, 0, 48, HANJI_ADVICE_LEGACY},
    {"cham-128/256-original", "Koo et al., ICISC 2017 (original CHAM); superseded",
     "fewer rounds than its designers now ask for: to read old data only; not NIST-approved",
     HANJI_KIND_BLOCK, 32, 16, 0, 0, 0, 48, HANJI_ADVICE_LEGACY},
    {"ctr", "NIST SP 800-38A, section 6.5; ISO/IEC 10116",
     "no integrity; a counter block used twice under one key reveals data; over any block cipher",
     HANJI_KIND_MODE, 0, 0, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"cmac", "NIST SP 800-38B; ISO/IEC 9797-1",
     "sound up to the birthday bound of the block size; over 64- and 128-bit blocks",
     HANJI_KIND_MODE, 0, 0, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"eax", "Bellare, Rogaway, Wagner, FSE 2004; ISO/IEC 19772",
     "proved secure up to the birthday bound of the block size; nonces must not repeat; over 64- "
     "and 128-bit blocks",
     HANJI_KIND_MODE, 0, 0, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"ascon-p", "NIST SP 800-232 (August 2025), section 3",
     "bare permutation, for building and research",
     HANJI_KIND_PERMUTATION, 0, 40, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"sparkle256", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "bare permutation, for building and research",
     HANJI_KIND_PERMUTATION, 0, 32, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"sparkle384", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "bare permutation, for building and research: attacks with full control of the state reach 6 "
     "steps (slim has 7)",
     HANJI_KIND_PERMUTATION, 0, 48, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"sparkle512", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "bare permutation, for building and research: attacks with full control of the state reach 7 "
     "steps (slim has 8)",
     HANJI_KIND_PERMUTATION, 0, 64, 0, 0, 0, 0, HANJI_ADVICE_OK},
    {"ascon-aead128", "NIST SP 800-232 (August 2025), section 4",
     "NIST standard SP 800-232 (August 2025); no known attack; 128-bit security; nonces must not "
     "repeat; does not commit to its key",
     HANJI_KIND_AEAD, 16, 16, 16, 16, 0, 54, HANJI_ADVICE_RECOMMENDED},
    {"schwaemm256-128",
     "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 120-bit security; nonces must not repeat; does not commit to its key",
     HANJI_KIND_AEAD, 16, 32, 32, 16, 0, 68, HANJI_ADVICE_OK},
    {"schwaemm192-192",
     "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 184-bit security; nonces must not repeat; does not commit to its key",
     HANJI_KIND_AEAD, 24, 24, 24, 24, 0, 68, HANJI_ADVICE_OK},
    {"schwaemm128-128",
     "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 120-bit security; nonces must not repeat; does not commit to its key",
     HANJI_KIND_AEAD, 16, 16, 16, 16, 0, 68, HANJI_ADVICE_OK},
    {"schwaemm256-256",
     "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 248-bit security; nonces must not repeat; does not commit to its key",
     HANJI_KIND_AEAD, 32, 32, 32, 32, 0, 133, HANJI_ADVICE_OK},
    {"ascon-hash256", "NIST SP 800-232 (August 2025), section 5",
     "NIST standard SP 800-232 (August 2025); no known attack; 128-bit security; not for "
     "passwords",
     HANJI_KIND_HASH, 0, 8, 0, 0, 32, 0, HANJI_ADVICE_RECOMMENDED},
    {"esch256", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 128-bit security; not for passwords",
     HANJI_KIND_HASH, 0, 16, 0, 0, 32, 132, HANJI_ADVICE_OK},
    {"esch384", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 192-bit security; not for passwords",
     HANJI_KIND_HASH, 0, 16, 0, 0, 48, 196, HANJI_ADVICE_OK},
    {"ascon-xof128", "NIST SP 800-232 (August 2025), section 5",
     "NIST standard SP 800-232 (August 2025); no known attack; 128-bit security; outputs of one "
     "message are prefixes of each other",
     HANJI_KIND_XOF, 0, 8, 0, 0, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"ascon-cxof128", "NIST SP 800-232 (August 2025), section 5",
     "NIST standard SP 800-232 (August 2025); no known attack; 128-bit security; outputs of one "
     "message are prefixes of each other",
     HANJI_KIND_XOF, 0, 8, 0, 0, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"xoesch256", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 128-bit security; outputs of one message are prefixes of each other",
     HANJI_KIND_XOF, 0, 16, 0, 0, 0, 132, HANJI_ADVICE_OK},
    {"xoesch384", "Beierle et al., NIST LWC finalist (2021), not selected; specification v1.2",
     "no known attack; 192-bit security; outputs of one message are prefixes of each other",
     HANJI_KIND_XOF, 0, 16, 0, 0, 0, 196, HANJI_ADVICE_OK},
#ifndef HANJI_FREESTANDING
    /* Signatures; firmware that has none does not link them. */
    {"slh-dsa-shake-128s", "NIST FIPS 205 (August 2024), SLH-DSA",
     "NIST standard FIPS 205 (August 2024); recommended; no known attack; security rests on "
     "SHAKE256 alone; category 1",
     HANJI_KIND_SIGNATURE, 64, 32, 0, 7856, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"slh-dsa-shake-128f", "NIST FIPS 205 (August 2024), SLH-DSA",
     "NIST standard FIPS 205 (August 2024); recommended; no known attack; security rests on "
     "SHAKE256 alone; category 1",
     HANJI_KIND_SIGNATURE, 64, 32, 0, 17088, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"slh-dsa-shake-192s", "NIST FIPS 205 (August 2024), SLH-DSA",
     "NIST standard FIPS 205 (August 2024); recommended; no known attack; security rests on "
     "SHAKE256 alone; category 3",
     HANJI_KIND_SIGNATURE, 96, 48, 0, 16224, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"slh-dsa-shake-192f", "NIST FIPS 205 (August 2024), SLH-DSA",
     "NIST standard FIPS 205 (August 2024); recommended; no known attack; security rests on "
     "SHAKE256 alone; category 3",
     HANJI_KIND_SIGNATURE, 96, 48, 0, 35664, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"slh-dsa-shake-256s", "NIST FIPS 205 (August 2024), SLH-DSA",
     "NIST standard FIPS 205 (August 2024); recommended; no known attack; security rests on "
     "SHAKE256 alone; category 5",
     HANJI_KIND_SIGNATURE, 128, 64, 0, 29792, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"slh-dsa-shake-256f", "NIST FIPS 205 (August 2024), SLH-DSA",
     "NIST standard FIPS 205 (August 2024); recommended; no known attack; security rests on "
     "SHAKE256 alone; category 5",
     HANJI_KIND_SIGNATURE, 128, 64, 0, 49856, 0, 0, HANJI_ADVICE_RECOMMENDED},
    {"aimer3-128f", "AIMer v3.0 (AIM3, August 2026), Korean post-quantum competition (KpqC)",
     "no known attack, but young: AIM3 is of August 2026 and its two predecessors are broken; "
     "claimed level 1; not a NIST standard",
     HANJI_KIND_SIGNATURE, 48, 32, 0, 6944, 0, 0, HANJI_ADVICE_OK},
    {"aimer3-128s", "AIMer v3.0 (AIM3, August 2026), Korean post-quantum competition (KpqC)",
     "no known attack, but young: AIM3 is of August 2026 and its two predecessors are broken; "
     "claimed level 1; not a NIST standard",
     HANJI_KIND_SIGNATURE, 48, 32, 0, 4704, 0, 0, HANJI_ADVICE_OK},
    {"aimer3-192f", "AIMer v3.0 (AIM3, August 2026), Korean post-quantum competition (KpqC)",
     "no known attack, but young: AIM3 is of August 2026 and its two predecessors are broken; "
     "claimed level 3; not a NIST standard",
     HANJI_KIND_SIGNATURE, 72, 48, 0, 15408, 0, 0, HANJI_ADVICE_OK},
    {"aimer3-192s", "AIMer v3.0 (AIM3, August 2026), Korean post-quantum competition (KpqC)",
     "no known attack, but young: AIM3 is of August 2026 and its two predecessors are broken; "
     "claimed level 3; not a NIST standard",
     HANJI_KIND_SIGNATURE, 72, 48, 0, 10320, 0, 0, HANJI_ADVICE_OK},
    {"aimer3-256f", "AIMer v3.0 (AIM3, August 2026), Korean post-quantum competition (KpqC)",
     "no known attack, but young: AIM3 is of August 2026 and its two predecessors are broken; "
     "claimed level 5; not a NIST standard",
     HANJI_KIND_SIGNATURE, 96, 64, 0, 31360, 0, 0, HANJI_ADVICE_OK},
    {"aimer3-256s", "AIMer v3.0 (AIM3, August 2026), Korean post-quantum competition (KpqC)",
     "no known attack, but young: AIM3 is of August 2026 and its two predecessors are broken; "
     "claimed level 5; not a NIST standard",
     HANJI_KIND_SIGNATURE, 96, 64, 0, 20224, 0, 0, HANJI_ADVICE_OK},
    {"aimer2-128f", "AIMer v2.1, Korean post-quantum competition (KpqC), round 2",
     "BROKEN: forgeable from the public key alone (ePrint 2026/2235); key recovery is published, "
     "too (EUROCRYPT 2026, Magic Pot; ePrint 2025/2272); for study and comparison only, never to "
     "protect anything",
     HANJI_KIND_SIGNATURE, 48, 32, 0, 5888, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer2-128s", "AIMer v2.1, Korean post-quantum competition (KpqC), round 2",
     "BROKEN: forgeable from the public key alone (ePrint 2026/2235); key recovery is published, "
     "too (EUROCRYPT 2026, Magic Pot; ePrint 2025/2272); for study and comparison only, never to "
     "protect anything",
     HANJI_KIND_SIGNATURE, 48, 32, 0, 4160, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer2-192f", "AIMer v2.1, Korean post-quantum competition (KpqC), round 2",
     "BROKEN: forgeable from the public key alone (ePrint 2026/2235); key recovery is published, "
     "too (EUROCRYPT 2026, Magic Pot; ePrint 2025/2272); for study and comparison only, never to "
     "protect anything",
     HANJI_KIND_SIGNATURE, 72, 48, 0, 13056, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer2-192s", "AIMer v2.1, Korean post-quantum competition (KpqC), round 2",
     "BROKEN: forgeable from the public key alone (ePrint 2026/2235); key recovery is published, "
     "too (EUROCRYPT 2026, Magic Pot; ePrint 2025/2272); for study and comparison only, never to "
     "protect anything",
     HANJI_KIND_SIGNATURE, 72, 48, 0, 9120, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer2-256f", "AIMer v2.1, Korean post-quantum competition (KpqC), round 2",
     "BROKEN: forgeable from the public key alone (ePrint 2026/2235); key recovery is published, "
     "too (EUROCRYPT 2026, Magic Pot; ePrint 2025/2272); for study and comparison only, never to "
     "protect anything",
     HANJI_KIND_SIGNATURE, 96, 64, 0, 25120, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer2-256s", "AIMer v2.1, Korean post-quantum competition (KpqC), round 2",
     "BROKEN: forgeable from the public key alone (ePrint 2026/2235); key recovery is published, "
     "too (EUROCRYPT 2026, Magic Pot; ePrint 2025/2272); for study and comparison only, never to "
     "protect anything",
     HANJI_KIND_SIGNATURE, 96, 64, 0, 17056, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l1-param1", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 49, 33, 0, 5904, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l1-param2", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 49, 33, 0, 4880, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l1-param3", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 49, 33, 0, 4176, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l1-param4", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 49, 33, 0, 3840, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l3-param1", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 73, 49, 0, 13080, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l3-param2", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 73, 49, 0, 10440, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l3-param3", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 73, 49, 0, 9144, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l3-param4", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 73, 49, 0, 8352, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l5-param1", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 97, 65, 0, 25152, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l5-param2", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 97, 65, 0, 19904, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l5-param3", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 97, 65, 0, 17088, 0, 0, HANJI_ADVICE_BROKEN},
    {"aimer1-l5-param4", "AIMer v1.0, NIST additional signatures, round 1 (2023)",
     "BROKEN: forgeable from the public key alone (docs/signatures.md); attacks cost its one-way "
     "function up to 15 bits (ePrint 2023/1133, 2023/1397), too; for study and comparison only, "
     "never to protect anything",
     HANJI_KIND_SIGNATURE, 97, 65, 0, 15392, 0, 0, HANJI_ADVICE_BROKEN},
#endif
};
/* clang-format on */

size_t hanji_algorithm_count(void)
{
    return sizeof algorithms / sizeof algorithms[0];
}

const hanji_algorithm *hanji_algorithm_at(size_t index)
{
    return index < hanji_algorithm_count() ? &algorithms[index] : NULL;
}

int hanji_selftest_one(size_t index)
{
    if (index >= hanji_algorithm_count())
        return HANJI_E_ARGUMENT;
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    const hanji_algorithm *a = &algorithms[index];
    int right = 0;
    switch (a->kind) {
    case HANJI_KIND_BLOCK: right = hanji_test_block(a->name); break;
    case HANJI_KIND_MODE: right = hanji_test_mode(a->name); break;
    case HANJI_KIND_PERMUTATION: right = hanji_test_permutation(a->name); break;
    case HANJI_KIND_AEAD: right = hanji_test_aead(a->name); break;
    case HANJI_KIND_HASH:
    case HANJI_KIND_XOF: right = hanji_test_hash(a->name); break;
    case HANJI_KIND_SIGNATURE: right = hanji_test_signature(a->name); break;
    }
    return right ? HANJI_OK : HANJI_E_TAG;
}

int hanji_selftest(const char **failed)
{
    for (size_t i = 0; i < hanji_algorithm_count(); i++) {
        const int rc = hanji_selftest_one(i);
        if (rc != HANJI_OK) {
            if (failed != NULL)
                *failed = algorithms[i].name;
            return rc;
        }
    }
    if (failed != NULL)
        *failed = NULL;
    return HANJI_OK;
}
