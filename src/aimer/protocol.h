/* SPDX-License-Identifier: Apache-2.0 */
/* Signing and verifying in memory of the caller. */
#ifndef HANJI_AIMER_PROTOCOL_H
#define HANJI_AIMER_PROTOCOL_H

#include "aimer/aimer.h"

/* Bytes of memory, at any alignment, that the protocol needs beside the expanded key. */
size_t hanji_aimer_protocol_bytes(const hanji_aimer *set, int small);
/*
 * Signing and verifying take the hash of the message as its calls left it. The signature has room;
 * `small` says how much memory there is. Signing has two parts, the second after the first
 * succeeded: between them the memory holds a hash that is still to be computed. At full speed the
 * first part of another signature computes it beside its own hashes when it is given this memory as
 * `other`, which may be NULL. Without `random` signatures are deterministic.
 */
int hanji_aimer_protocol_sign_begin(uint8_t *signature, hanji_shake *message,
                                    const hanji_aimer_expanded *key, hanji_random_fn *random,
                                    void *random_state, void *memory, int small, void *other);
void hanji_aimer_protocol_sign_end(uint8_t *signature, void *memory);
int hanji_aimer_protocol_verify(const uint8_t *signature, hanji_shake *message,
                                const hanji_aimer_expanded *key, void *memory, int small);
/*
 * Called where a value that depends on secrets becomes public, before anything is done that its
 * value may decide. It does nothing; the constant-time check has its own in its place.
 */
void hanji_aimer_revealed(const void *memory, size_t bytes, const char *reason);
/* Begin the hash of a message with its context string, which only v3 has. */
void hanji_aimer_protocol_message(hanji_shake *message, const uint8_t *context,
                                  size_t context_bytes, const hanji_aimer_expanded *key);

#endif
