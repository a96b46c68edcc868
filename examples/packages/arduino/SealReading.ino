// SPDX-License-Identifier: Apache-2.0
// Seals a reading every second and prints it as a line of hexadecimal digits. The counter behind
// the nonces survives a reset: storage.c keeps it in the EEPROM.
#include <hanji.h>

#include "readings.h"

static readings state;
static int status;

void setup()
{
    Serial.begin(9600);
    status = readings_start(&state, &board_storage);
}

void loop()
{
    static uint8_t frame[READINGS_FRAME_BYTES];
    static char text[READINGS_TEXT_BYTES];
    if (status == HANJI_OK)
        status = readings_seal(frame, (uint16_t)analogRead(A0), &state);
    if (status == HANJI_OK) {
        readings_text(text, frame);
        Serial.print("frame ");
        Serial.println(text);
    } else {
        Serial.print("stopped, nothing more is sent: error ");
        Serial.println(status);
    }
    delay(1000);
}
