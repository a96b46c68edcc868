/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the harnesses for Frama-C Eva share. A buffer ends where its array ends, or begins where it
 * begins, so that an access behind or before it is an alarm. Lengths are numbers in every call;
 * bytes are anything. The driver defines NAME(function), the sizes, FIRST, LAST and AT_START.
 */
#include <hanji/hanji.h>

#include <__fc_builtin.h>

#define TEXT_MOST 70
#define AD_MOST 37
#define ROOM 512

static uint8_t in_room[ROOM], ad_room[ROOM], key_room[ROOM], nonce_room[ROOM], out_room[ROOM],
    tag_room[ROOM];

/* So many bytes at one end of an array; all of it may hold anything. */
#define BUFFER(room, bytes)                              \
    (Frama_C_make_unknown((char *)(room), sizeof(room)), \
     AT_START ? (room) : (room) + sizeof(room) - (bytes))
