/* SPDX-License-Identifier: Apache-2.0 */
#include "readings.h"

#ifndef READINGS_DEVICE
#define READINGS_DEVICE 7
#endif
/* An epoch costs one write to storage, and so does every start. */
#ifndef READINGS_PER_EPOCH
#define READINGS_PER_EPOCH 65536
#endif

/*
 * For tests only, since everybody knows it. Give every device a master key of its own, and keep it
 * where nobody can read it out.
 */
static const uint8_t master[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                   0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};

static void put(uint8_t *out, uint32_t n, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(n >> (8 * i));
}

int readings_start(readings *state, const epoch_storage *storage)
{
    state->has_key = 0;
    return epoch_start(&state->epochs, storage, READINGS_PER_EPOCH);
}

int readings_seal(uint8_t frame[READINGS_FRAME_BYTES], uint16_t reading, readings *state)
{
    enum { VERSION = 2, ASCON_AEAD128 = 3 };
    uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES] = {0}, text[2];
    uint32_t number;
    int fresh;
    for (int i = 0; i < READINGS_FRAME_BYTES; i++)
        frame[i] = 0;
    int rc = epoch_next(&number, &fresh, &state->epochs);
    if (rc != HANJI_OK)
        return rc;
    if (fresh || !state->has_key) {
        rc = epoch_key(state->key, sizeof state->key, master, sizeof master, "ascon-aead128",
                       READINGS_DEVICE, state->epochs.epoch);
        state->has_key = rc == HANJI_OK;
        if (rc != HANJI_OK)
            return rc;
    }
    put(text, reading, 2);
    put(nonce, number, 4);
    put(frame, VERSION, 1);
    put(frame + 1, ASCON_AEAD128, 1);
    put(frame + 2, READINGS_DEVICE, 4);
    put(frame + 6, state->epochs.epoch, 4);
    put(frame + 10, number, 4);
    put(frame + 14, sizeof text, 2);
    rc = hanji_ascon_aead128_encrypt(frame + READINGS_HEADER_BYTES, text, sizeof text, frame,
                                     READINGS_HEADER_BYTES, nonce, state->key);
    for (int i = 0; rc != HANJI_OK && i < READINGS_FRAME_BYTES; i++)
        frame[i] = 0;
    return rc;
}

void readings_text(char text[READINGS_TEXT_BYTES], const uint8_t frame[READINGS_FRAME_BYTES])
{
    for (int i = 0; i < 2 * READINGS_FRAME_BYTES; i++) {
        const int digit = i % 2 == 0 ? frame[i / 2] >> 4 : frame[i / 2] & 15;
        text[i] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    text[2 * READINGS_FRAME_BYTES] = '\0';
}
