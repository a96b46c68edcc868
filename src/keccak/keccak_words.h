/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of keccak_rounds.h as 64-bit words of C, for one state. */
#ifndef HANJI_KECCAK_WORDS_H
#define HANJI_KECCAK_WORDS_H

#define K uint64_t
#define K_LOAD(w) states[w]
#define K_STORE(w, v) states[w] = (v)
#define K_ROTL(a, n) ((a) << (n) | (a) >> (64 - (n)))
#define K_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define K_ROL1(a, b) ((a) ^ K_ROTL(b, 1))
#define K_XROL(a, b, n) K_ROTL((a) ^ (b), n)
#define K_CHI(a, b, c) ((a) ^ (~(b) & (c)))
#define K_IOTA(a, constant) ((a) ^ (constant))

#endif
