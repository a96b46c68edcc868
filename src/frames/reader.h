/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes fields off a frame, one behind the other. After the first refusal every further field is
 * absent and reads as 0, so that a parser may go on without asking and give the refusal at its end.
 */
#ifndef HANJI_FRAMES_READER_H
#define HANJI_FRAMES_READER_H

#include "frames/frames.h"

typedef struct frame_reader {
    const uint8_t *data;
    uint32_t at, end;
    hanji_frames_refusal refusal;
} frame_reader;

HANJI_INLINE frame_reader reader_of(const uint8_t *data, uint32_t bytes)
{
    const frame_reader reader = {data, 0, bytes, {HANJI_OK, HANJI_FIELD_NONE, 0}};
    return reader;
}

HANJI_INLINE int reader_good(const frame_reader *reader)
{
    return reader->refusal.status == HANJI_OK;
}

/* The first refusal stays. */
HANJI_INLINE void refuse(frame_reader *reader, int status, hanji_frames_field field, uint32_t at)
{
    if (reader_good(reader)) {
        reader->refusal.status = (int8_t)status;
        reader->refusal.field = (uint8_t)field;
        reader->refusal.at = at;
    }
}

/* The next `bytes` bytes; fewer than that are a truncated frame. */
HANJI_INLINE hanji_frames_part take(frame_reader *reader, uint32_t bytes, hanji_frames_field field)
{
    hanji_frames_part part = {0, 0};
    if (bytes > reader->end - reader->at)
        refuse(reader, HANJI_FRAME_TRUNCATED, field, reader->at);
    if (reader_good(reader) && bytes > 0) {
        part.at = reader->at;
        part.bytes = bytes;
        reader->at += bytes;
    }
    return part;
}

HANJI_INLINE hanji_frames_part take_rest(frame_reader *reader)
{
    return take(reader, reader->end - reader->at, HANJI_FIELD_NONE);
}

HANJI_INLINE uint8_t take_byte(frame_reader *reader, hanji_frames_field field)
{
    const hanji_frames_part part = take(reader, 1, field);
    return part.bytes == 0 ? 0 : reader->data[part.at];
}

/* A number of at most four bytes. */
HANJI_INLINE uint32_t take_le(frame_reader *reader, uint32_t bytes, hanji_frames_field field)
{
    const hanji_frames_part part = take(reader, bytes, field);
    uint32_t value = 0;
    for (uint32_t i = part.bytes; i-- > 0;)
        value = value << 8 | reader->data[part.at + i];
    return value;
}

HANJI_INLINE uint32_t take_be(frame_reader *reader, uint32_t bytes, hanji_frames_field field)
{
    const hanji_frames_part part = take(reader, bytes, field);
    uint32_t value = 0;
    for (uint32_t i = 0; i < part.bytes; i++)
        value = value << 8 | reader->data[part.at + i];
    return value;
}

#endif
