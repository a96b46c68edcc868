/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sets of secrets whose traces are compared. Sets 1 to 4 are random, sets 5 to 16 are chosen,
 * and from 17 on all are random again. A chosen set makes comparisons of one kind come out as they
 * do in hardly any random set: with a constant, with public data, of two halves, of a sign, or a
 * comparison that stops at the first difference.
 *
 * A value depends on its place alone. The secret that a check draws as its number d begins at place
 * SET_UNIT * d, so that every secret is aligned in the same way and random ones differ.
 */
#ifndef HANJI_LAB_CT_SETS_H
#define HANJI_LAB_CT_SETS_H

#include <stddef.h>
#include <stdint.h>

#define SET_UNIT 32 /* bytes after which the public pattern repeats: the longest key and nonce */

static inline uint8_t set_mixed(uint32_t x)
{
    x = (x + 1) * 0x9E3779B1u; /* two constants of xxHash32 */
    x = (x ^ x >> 15) * 0x85EBCA77u;
    return (uint8_t)(x >> 24);
}

/* The public data with which secrets may be compared: no byte is 0 or 255. */
static inline uint8_t set_public(uint32_t place)
{
    return (uint8_t)(1 + set_mixed(place % SET_UNIT) % 254u);
}

static inline uint8_t set_byte(uint32_t set, uint32_t place)
{
    const uint8_t open = set_public(place);
    const uint8_t random = set_mixed(place + (set + 1) / 2 * 0x9E3779u);
    const uint32_t in_word = place % 8, step = 8 * (place % SET_UNIT) + place / SET_UNIT;
    switch (set) {
    case 5: return 0;
    case 6: return 0xff;
    case 7: return open;                                 /* like public data, and one another */
    case 8: return in_word == 7 ? open ^ 0xff : open;    /* the same up to byte 7 */
    case 9: return place % 16 >= 8 ? open ^ 0xff : open; /* up to byte 8 */
    case 10: return place % 32 >= 16 ? random : open;    /* up to byte 16 */
    case 11: return in_word == 0 ? 1 : 0;                /* one bit, the lowest of a word */
    case 12: return in_word == 7 ? 0x80 : 0;             /* one bit, the sign of a word */
    case 13: return 0x80;                                /* the sign of every byte */
    case 14: return 0x7f;                                /* all but the sign of every byte */
    case 15: return (uint8_t)step;                       /* ascending */
    case 16: return (uint8_t)~step;                      /* descending */
    default: return set % 2 ? random : (uint8_t)~random; /* pairs in which no bit is the same */
    }
}

#endif
