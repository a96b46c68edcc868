/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readings of 16 bits, sealed with Ascon-AEAD128 in the frames of docs/telemetry.md of hanji. The
 * nonce is the number of the message in its epoch, and each epoch has its own key. The epoch is in
 * storage and grows there before its first use (epoch.h), so a reset repeats no nonce.
 */
#ifndef READINGS_H
#define READINGS_H

#include "epoch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    READINGS_HEADER_BYTES = 16,
    READINGS_FRAME_BYTES = READINGS_HEADER_BYTES + 2 + HANJI_ASCON_AEAD128_TAG_BYTES,
    READINGS_TEXT_BYTES = 2 * READINGS_FRAME_BYTES + 1
};

typedef struct readings {
    epoch_state epochs;
    uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]; /* of the present epoch */
    uint8_t has_key;
} readings;

/* The two slots of this board, in storage.c. */
extern const epoch_storage board_storage;

/*
 * Begin a new epoch: call it once after every reset. HANJI_OK, HANJI_E_LIMIT when all epochs are
 * used, EPOCH_E_STORAGE or EPOCH_E_DAMAGED. After an error nothing may be sent.
 */
HANJI_MUST_CHECK int readings_start(readings *state, const epoch_storage *storage);

/*
 * Seal a reading, in one task at a time. On an error the frame is all zeros, and so it is after every later call when the
 * counter cannot go on.
 */
HANJI_MUST_CHECK int readings_seal(uint8_t frame[READINGS_FRAME_BYTES], uint16_t reading,
                                   readings *state);

/* A frame as hexadecimal digits, with a zero at the end. */
void readings_text(char text[READINGS_TEXT_BYTES], const uint8_t frame[READINGS_FRAME_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
