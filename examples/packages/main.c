/* SPDX-License-Identifier: Apache-2.0 */
/* Seals three readings and prints them as lines of hexadecimal digits. */
#include <stdio.h>

#include "readings.h"

static int seal_readings(void)
{
    static readings state;
    static uint8_t frame[READINGS_FRAME_BYTES];
    static char text[READINGS_TEXT_BYTES];
    int rc = readings_start(&state, &board_storage);
    for (uint16_t i = 0; rc == HANJI_OK && i < 3; i++) {
        rc = readings_seal(frame, (uint16_t)(2150 + i), &state);
        if (rc == HANJI_OK) {
            readings_text(text, frame);
            printf("frame %s\n", text);
        }
    }
    hanji_wipe(&state, sizeof state);
    if (rc != HANJI_OK)
        printf("stopped: error %d, nothing more is sent\n", rc);
    return rc != HANJI_OK;
}

#ifdef ESP_PLATFORM
void app_main(void);
void app_main(void)
{
    (void)seal_readings();
}
#else
int main(void)
{
    return seal_readings();
}
#endif
