/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parsers of other people's frames: whatever a frame holds, it gets a status, what is refused
 * leaves nothing but zeros and the place of the refusal, and the parts of all others lie side by
 * side and fill the frame. tests/c/test_c_frames.py compares the fields with the specification.
 */
#include "frames/frames.h"
#include "input.h"

/* The same call twice, over memory with other contents: an output that is not written shows. */
#define PARSE_TWICE(status, out, call)                 \
    do {                                               \
        memset((out), 0x5A, sizeof *(out));            \
        (status) = (call);                             \
        uint8_t first[sizeof *(out)];                  \
        memcpy(first, (out), sizeof first);            \
        memset((out), 0xA5, sizeof *(out));            \
        MUST((call) == (status));                      \
        MUST(memcmp(first, (out), sizeof first) == 0); \
    } while (0)

/* 1 when the frame is not refused; `out`, which begins with `refusal`, is zeroed up to there. */
static int opened(int status, const hanji_frames_refusal *refusal, void *out, size_t out_bytes,
                  size_t bytes)
{
    MUST(refusal->status == status);
    if (status == HANJI_OK) {
        MUST(refusal->field == HANJI_FIELD_NONE && refusal->at == 0);
        return 1;
    }
    switch (status) {
    case HANJI_FRAME_TRUNCATED: MUST(refusal->at <= bytes); break;
    case HANJI_FRAME_OVERLONG:
    case HANJI_FRAME_VERSION:
    case HANJI_FRAME_ALGORITHM:
    case HANJI_FRAME_UNSUPPORTED:
    case HANJI_FRAME_MALFORMED:
    case HANJI_FRAME_NOT_ENCRYPTED:
    case HANJI_FRAME_DAMAGED:
    case HANJI_FRAME_FRAGMENT:
    case HANJI_FRAME_FAMILY: MUST(refusal->at < bytes); break;
    default: MUST(status == HANJI_OK); /* no parser gives another one */
    }
    MUST(hanji_frames_field_name(refusal->field) != NULL);
    memset(out, 0, sizeof *refusal); /* it is first, so the rest must be zero as it is */
    MUST(is_zero(out, out_bytes));
    return 0;
}

#define OPENED(status, out, bytes) opened((status), &(out)->refusal, (out), sizeof *(out), (bytes))

/* Where a part ends that must begin at `at`, when it is there. */
static size_t behind(hanji_frames_part part, size_t at)
{
    MUST(part.bytes > 0 ? part.at == at : part.at == 0);
    return at + part.bytes;
}

static void lorawan(const uint8_t *frame, size_t bytes, fuzz_input *in)
{
    hanji_lorawan_data data;
    int status;
    PARSE_TWICE(status, &data, hanji_lorawan_parse(&data, frame, bytes));
    if (!OPENED(status, &data, bytes))
        return;
    const size_t port = behind(data.fopts, 8);
    MUST(data.port >= -1 && data.port <= 255 && (data.port >= 0 || data.payload.bytes == 0));
    MUST(behind(data.payload, port + (data.port >= 0)) == data.mic.at);
    MUST(behind(data.message, 0) == data.mic.at && behind(data.mic, data.mic.at) == bytes);
    MUST(data.fopts.bytes == 0 || data.port != 0);

    const hanji_lorawan_beside beside = {take_byte(in) - 1, (int16_t)(take_byte(in) - 1),
                                         (int16_t)(take_byte(in) - 1)};
    uint32_t numbers[2];
    take_into((uint8_t *)numbers, sizeof numbers, in);
    hanji_lorawan_protection protection;
    for (int version = HANJI_LORAWAN_1_0; version <= HANJI_LORAWAN_1_1; version++) {
        hanji_lorawan_protect(&protection, &data, (hanji_lorawan_version)version, numbers[0],
                              &beside);
        size_t covered = 0;
        for (size_t i = 0; i < 2; i++)
            if (protection.mic[i].key != HANJI_LORAWAN_NO_KEY) {
                MUST(protection.mic[i].at + protection.mic[i].bytes <= 4);
                MUST(protection.mic[i].block[15] == data.message.bytes);
                covered += protection.mic[i].bytes;
            }
        MUST(covered == 4 || (version == HANJI_LORAWAN_1_1 && covered == (data.up ? 2 : 0)));
        MUST((protection.payload_key != HANJI_LORAWAN_NO_KEY) == (data.port >= 0));
    }
    const uint8_t flags = take_byte(in);
    const hanji_lorawan_state state = {numbers[1], flags & 1, flags >> 1 & 1, flags >> 2 & 1,
                                       flags >> 3 & 1};
    uint32_t counters[2];
    uint8_t moves[2];
    const size_t count = hanji_lorawan_counters(counters, moves, &state, data.fcnt);
    MUST(count == 1 || (count == 2 && counters[0] != counters[1]));
    for (size_t i = 0; i < count; i++)
        MUST((counters[i] & 0xFFFF) == data.fcnt);
}

static void lorawan_joins(const uint8_t *frame, size_t bytes)
{
    hanji_lorawan_join_request request;
    hanji_lorawan_rejoin rejoin;
    hanji_lorawan_accept accept;
    hanji_lorawan_accepted accepted;
    int status;
    PARSE_TWICE(status, &request, hanji_lorawan_parse_join_request(&request, frame, bytes));
    if (OPENED(status, &request, bytes))
        MUST(behind(request.mic, behind(request.message, 0)) == bytes);
    PARSE_TWICE(status, &rejoin, hanji_lorawan_parse_rejoin(&rejoin, frame, bytes));
    if (OPENED(status, &rejoin, bytes))
        MUST(behind(rejoin.mic, behind(rejoin.message, 0)) == bytes);
    PARSE_TWICE(status, &accept, hanji_lorawan_parse_accept(&accept, frame, bytes));
    if (OPENED(status, &accept, bytes))
        MUST(behind(accept.sealed, 1) == bytes && accept.sealed.bytes % 16 == 0);
    PARSE_TWICE(status, &accepted, hanji_lorawan_parse_accepted(&accepted, frame, bytes));
    if (OPENED(status, &accepted, bytes))
        MUST(behind(accepted.mic, behind(accepted.cflist, 12)) == bytes);
}

static void meter(const uint8_t *data, size_t bytes)
{
    hanji_wmbus_frame frame;
    int status;
    PARSE_TWICE(status, &frame, hanji_wmbus_parse(&frame, data, bytes));
    if (status != HANJI_OK && frame.identified) {
        MUST(frame.identified == 1 && frame.mode < 32);
        frame.identified = frame.acc = 0;
        frame.mode = 0;
        memset(frame.meter, 0, sizeof frame.meter);
    }
    if (!OPENED(status, &frame, bytes))
        return;
    MUST(behind(frame.clear, frame.sealed.at + frame.sealed.bytes) == bytes);
    if (frame.mode == HANJI_WMBUS_ELL) {
        MUST(!frame.identified && frame.sealed.bytes > 2 && frame.body.bytes == 0);
        return;
    }
    MUST(frame.identified && (frame.mode == 5 || frame.mode == 7));
    MUST(frame.sealed.bytes >= 16 && frame.sealed.bytes % 16 == 0);
    MUST(data[frame.body.at] == frame.ci && frame.body.at + frame.body.bytes == bytes);
    MUST(frame.sealed.at > frame.body.at && frame.mac.at + frame.mac.bytes <= frame.body.at);
    MUST(frame.mac.bytes == 0 || frame.mcl.bytes == 1);
    uint8_t blocks[2][16];
    hanji_wmbus_kdf_block(blocks[0], &frame, 0);
    hanji_wmbus_kdf_block(blocks[1], &frame, 1);
    MUST(blocks[1][0] == blocks[0][0] + 1 && memcmp(blocks[0] + 1, blocks[1] + 1, 15) == 0);
}

static void link_layer(const uint8_t *frame, size_t bytes, hanji_wmbus_format format,
                       fuzz_input *in)
{
    hanji_wmbus_bare bare;
    int status;
    PARSE_TWICE(status, &bare, hanji_wmbus_unframe(&bare, frame, bytes, format));
    if (!OPENED(status, &bare, bytes))
        return;
    MUST(bare.bytes >= 10 && bare.bytes <= bytes && bare.data[0] == frame[0]);
    uint8_t *data = exactly(bare.data, bare.bytes), *wrong = exactly(frame, bytes);
    meter(data, bare.bytes);
    MUST(hanji_wmbus_unframe(&bare, frame, bytes - 1, format) == HANJI_FRAME_TRUNCATED);
    /* A CRC notices every wrong bit, and without CRCs it comes out. */
    const size_t at = take_byte(in) % bytes;
    wrong[at] ^= (uint8_t)(1 << take_byte(in) % 8);
    status = hanji_wmbus_unframe(&bare, wrong, bytes, format);
    if (at > 0 && format != HANJI_WMBUS_NO_CRC)
        MUST(status == HANJI_FRAME_DAMAGED && bare.refusal.at < bytes);
    if (at > 0 && format == HANJI_WMBUS_NO_CRC)
        MUST(status == HANJI_OK && memcmp(bare.data, wrong, bytes) == 0);
    free(data);
    free(wrong);
}

static void dlms(const uint8_t *frame, size_t bytes)
{
    hanji_dlms_apdu apdu;
    int status;
    PARSE_TWICE(status, &apdu, hanji_dlms_parse(&apdu, frame, bytes));
    if (!OPENED(status, &apdu, bytes))
        return;
    const size_t tag = bytes - apdu.tag.bytes;
    MUST(behind(apdu.tag, tag) == bytes && behind(apdu.text, tag - apdu.text.bytes) == tag);
    MUST(apdu.text.bytes + apdu.tag.bytes + 6 < bytes);
    MUST(apdu.tag.bytes == ((apdu.security & HANJI_DLMS_AUTHENTICATED) != 0 ? 12 : 0));
    MUST(apdu.title.bytes == 0 || apdu.title.bytes == 8);
    MUST(apdu.recipient.bytes == 0 || apdu.recipient.bytes == 8);
    MUST(apdu.key <= HANJI_DLMS_KNOWN && (apdu.key_bytes == 16 || apdu.key_bytes == 32));
    MUST((apdu.associated.bytes > 0) == (apdu.apdu_tag == 0xDD));
    const hanji_frames_part parts[] = {apdu.transaction_id, apdu.title, apdu.recipient,
                                       apdu.date_time, apdu.other_information};
    size_t end = 1; /* they follow each other */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].bytes > 0) {
            MUST(parts[i].at > end);
            end = parts[i].at + parts[i].bytes;
        }
    MUST(apdu.associated.bytes == 0 || end <= apdu.associated.at + apdu.associated.bytes);
    MUST(end <= bytes);
    uint8_t nonce[12];
    if (apdu.title.bytes > 0) {
        hanji_dlms_nonce(nonce, frame + apdu.title.at, &apdu);
        MUST(memcmp(nonce, frame + apdu.title.at, 8) == 0);
    }
    uint8_t *shorter = exactly(frame, bytes - 1);
    MUST(hanji_dlms_parse(&apdu, shorter, bytes - 1) == HANJI_FRAME_TRUNCATED);
    free(shorter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t family = take_byte(&in) % 7;
    fuzz_input more = in; /* what is not in the frame comes from its own bytes */
    const size_t bytes = in.left;
    uint8_t *frame = exactly(in.p, bytes);
    switch (family) {
    case 0: lorawan(frame, bytes, &more); break;
    case 1: lorawan_joins(frame, bytes); break;
    case 2: meter(frame, bytes); break;
    case 3: link_layer(frame, bytes, HANJI_WMBUS_NO_CRC, &more); break;
    case 4: link_layer(frame, bytes, HANJI_WMBUS_A, &more); break;
    case 5: link_layer(frame, bytes, HANJI_WMBUS_B, &more); break;
    default: dlms(frame, bytes); break;
    }
    free(frame);
    return 0;
}
