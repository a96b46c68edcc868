/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of frames from the input: whatever they hold, every frame gets a status, only sealed ones
 * open, and no byte outside of the buffers, which are exactly as large as said, is touched.
 */
#include "hanji/hanji.h"
#include "input.h"

enum { FRAMES_MAX = 12, DEVICES = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t scratch[HANJI_TELEMETRY_SCRATCH_BYTES];
    fuzz_input in = {data, size};
    const uint32_t devices[DEVICES] = {0, 1, 7, 0x01010101, 0xffffffff};
    uint8_t masters[DEVICES * 16];
    take_into(masters, sizeof masters, &in);
    const size_t table_bytes = hanji_master_keys_bytes(DEVICES, 16);
    uint8_t *table = exactly(NULL, table_bytes);
    hanji_master_keys keys;
    MUST(hanji_master_keys_init(&keys, NULL, table, table_bytes, devices, masters, DEVICES, 16) ==
         HANJI_OK);

    /* Some frames are sealed, and perhaps altered; the others are the input's. */
    const size_t n = take_byte(&in) % (FRAMES_MAX + 1);
    uint8_t *frames = exactly(NULL, FRAMES_MAX * 400);
    int64_t offsets[FRAMES_MAX + 1] = {0};
    int sealed[FRAMES_MAX] = {0};
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t kind = take_byte(&in);
        size_t bytes = take_byte(&in);
        uint8_t *frame = frames + end;
        if (kind % 4 == 0) {
            take_into(frame, bytes, &in);
        } else {
            const uint32_t device = devices[kind / 4 % DEVICES], epoch = kind, number = (uint32_t)i;
            const int64_t text[2] = {0, (int64_t)bytes};
            int64_t made[2];
            int8_t status;
            uint8_t *payload = exactly(NULL, bytes);
            take_into(payload, bytes, &in);
            const hanji_telemetry_sealing call = {.frames = 1,
                                                  .device = &device,
                                                  .epoch = &epoch,
                                                  .number = &number,
                                                  .payload_offsets = text,
                                                  .payload = payload,
                                                  .keys = &keys,
                                                  .algorithm = kind % 4,
                                                  .output = frame,
                                                  .output_bytes = bytes + 32,
                                                  .offsets = made,
                                                  .status = &status,
                                                  .scratch = scratch};
            MUST(hanji_telemetry_seal(&call) == 0);
            free(payload);
            bytes = (size_t)made[1];
            const uint8_t flip = take_byte(&in);
            if (flip != 0)
                frame[take_byte(&in) % bytes] ^= flip;
            sealed[i] = flip == 0;
        }
        end += bytes;
        offsets[i + 1] = (int64_t)end;
    }
    uint8_t *column = exactly(frames, end), *payload = exactly(NULL, end);
    uint32_t device[FRAMES_MAX], epoch[FRAMES_MAX], number[FRAMES_MAX];
    int64_t payload_offsets[FRAMES_MAX + 1];
    int8_t status[FRAMES_MAX];
    const hanji_telemetry_opening call = {.frames = n,
                                          .offsets = offsets,
                                          .input = column,
                                          .keys = &keys,
                                          .device = device,
                                          .epoch = epoch,
                                          .number = number,
                                          .payload = payload,
                                          .payload_bytes = end,
                                          .payload_offsets = payload_offsets,
                                          .status = status,
                                          .scratch = scratch};
    const int64_t failed = hanji_telemetry_open(&call);
    int64_t wrong = 0;
    MUST(failed >= 0);
    for (size_t i = 0; i < n; i++) {
        MUST(hanji_frame_status_name(status[i]) != NULL);
        MUST((status[i] == HANJI_OK) == sealed[i]);
        MUST(status[i] == HANJI_OK || payload_offsets[i + 1] == payload_offsets[i]);
        wrong += status[i] != HANJI_OK;
    }
    MUST(failed == wrong);
    free(column);
    free(payload);
    free(frames);
    free(table);
    return 0;
}
