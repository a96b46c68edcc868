/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LoRaWAN 1.0 and 1.1. Sections are those of the LoRaWAN 1.1 Specification (LoRa Alliance, 11
 * October 2017); FOpts are encrypted as the change request "FCntDwn usage in FOpts encryption"
 * (November 2020) says.
 */
#include "frames/frames.h"

enum {
    JOIN_REQUEST = 0, /* MType: section 4.2.1 */
    JOIN_ACCEPT = 1,
    UNCONFIRMED_UP = 2,
    CONFIRMED_UP = 4,
    CONFIRMED_DOWN = 5,
    REJOIN_REQUEST = 6,
    MAJOR = 3, /* bits of MHDR */
    ACK = 0x20,
    FOPTS_BYTES = 15, /* bits of FCtrl */
    NEGOTIATED = 0x80,
    HEADER_BYTES = 8, /* MHDR, DevAddr, FCtrl, FCnt */
    MIC_BYTES = 4,
    WINDOW = 64
};

static uint16_t load_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static uint32_t load_le24(const uint8_t *p)
{
    return load_le16(p) | (uint32_t)p[2] << 16;
}

static hanji_frames_part part(size_t at, size_t bytes)
{
    const hanji_frames_part there = {(uint32_t)at, (uint32_t)bytes}, none = {0, 0};
    return bytes > 0 ? there : none;
}

static int refused(hanji_frames_refusal *refusal, int status, hanji_frames_field field, size_t at)
{
    refusal->status = (int8_t)status;
    refusal->field = (uint8_t)field;
    refusal->at = (uint32_t)at;
    return status;
}

int hanji_lorawan_parse(hanji_lorawan_data *out, const uint8_t *frame, size_t bytes)
{
    memset(out, 0, sizeof *out);
    if (bytes < HEADER_BYTES + MIC_BYTES)
        return refused(&out->refusal, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, bytes);
    if (bytes > HANJI_LORAWAN_BYTES_MAX)
        return refused(&out->refusal, HANJI_FRAME_OVERLONG, HANJI_FIELD_FRAME,
                       HANJI_LORAWAN_BYTES_MAX);
    const uint8_t mtype = (uint8_t)(frame[0] >> 5), fctrl = frame[5];
    if (mtype < UNCONFIRMED_UP || mtype > CONFIRMED_DOWN)
        return refused(&out->refusal, HANJI_FRAME_FAMILY, HANJI_FIELD_MHDR, 0);
    if ((frame[0] & MAJOR) != 0)
        return refused(&out->refusal, HANJI_FRAME_VERSION, HANJI_FIELD_MHDR, 0);
    const size_t fopts = fctrl & FOPTS_BYTES, port = HEADER_BYTES + fopts, mic = bytes - MIC_BYTES;
    if (port > mic)
        return refused(&out->refusal, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FOPTS, HEADER_BYTES);
    /* MAC commands in two places: section 4.3.1.6. */
    if (port < mic && fopts > 0 && frame[port] == 0)
        return refused(&out->refusal, HANJI_FRAME_MALFORMED, HANJI_FIELD_FPORT, port);
    out->mtype = mtype;
    out->up = mtype == UNCONFIRMED_UP || mtype == CONFIRMED_UP;
    out->ack = (fctrl & ACK) != 0;
    out->fctrl = fctrl;
    out->dev_addr = load_le32(frame + 1);
    out->fcnt = load_le16(frame + 6);
    out->port = -1;
    out->fopts = part(HEADER_BYTES, fopts);
    if (port < mic) {
        out->port = frame[port];
        out->payload = part(port + 1, mic - port - 1);
    }
    out->message = part(0, mic);
    out->mic = part(mic, MIC_BYTES);
    return HANJI_OK;
}

static int check_mhdr(hanji_frames_refusal *refusal, uint8_t mhdr, uint8_t mtype)
{
    if (mhdr >> 5 != mtype)
        return refused(refusal, HANJI_FRAME_FAMILY, HANJI_FIELD_MHDR, 0);
    if ((mhdr & MAJOR) != 0)
        return refused(refusal, HANJI_FRAME_VERSION, HANJI_FIELD_MHDR, 0);
    return HANJI_OK;
}

/* Refuse what is not `expected` bytes long. */
static int check_size(hanji_frames_refusal *refusal, size_t bytes, size_t expected)
{
    if (bytes > expected)
        return refused(refusal, HANJI_FRAME_OVERLONG, HANJI_FIELD_FRAME, expected);
    if (bytes < expected)
        return refused(refusal, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, bytes);
    return HANJI_OK;
}

int hanji_lorawan_parse_join_request(hanji_lorawan_join_request *out, const uint8_t *frame,
                                     size_t bytes)
{
    memset(out, 0, sizeof *out);
    if (bytes == 0)
        return refused(&out->refusal, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, 0);
    int status = check_mhdr(&out->refusal, frame[0], JOIN_REQUEST);
    if (status == HANJI_OK)
        status = check_size(&out->refusal, bytes, 23);
    if (status != HANJI_OK)
        return status;
    out->join_eui = load_le64(frame + 1);
    out->dev_eui = load_le64(frame + 9);
    out->dev_nonce = load_le16(frame + 17);
    out->message = part(0, 19);
    out->mic = part(19, MIC_BYTES);
    return HANJI_OK;
}

int hanji_lorawan_parse_rejoin(hanji_lorawan_rejoin *out, const uint8_t *frame, size_t bytes)
{
    memset(out, 0, sizeof *out);
    if (bytes < 2)
        return refused(&out->refusal, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, bytes);
    const uint8_t type = frame[1];
    const size_t identity = type == 1 ? 8 : 3; /* JoinEUI, or NetID */
    const size_t size = 2 + identity + 8 + 2 + MIC_BYTES;
    int status = check_mhdr(&out->refusal, frame[0], REJOIN_REQUEST);
    if (status == HANJI_OK && type > 2)
        status = refused(&out->refusal, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_REJOIN_TYPE, 1);
    if (status == HANJI_OK)
        status = check_size(&out->refusal, bytes, size);
    if (status != HANJI_OK)
        return status;
    out->type = type;
    if (type == 1) {
        out->key = HANJI_LORAWAN_JS_INT_KEY;
        out->join_eui = load_le64(frame + 2);
    } else {
        out->key = HANJI_LORAWAN_S_NWK_S_INT_KEY;
        out->net_id = load_le24(frame + 2);
    }
    out->dev_eui = load_le64(frame + 2 + identity);
    out->counter = load_le16(frame + 10 + identity);
    out->message = part(0, size - MIC_BYTES);
    out->mic = part(size - MIC_BYTES, MIC_BYTES);
    return HANJI_OK;
}

int hanji_lorawan_parse_accept(hanji_lorawan_accept *out, const uint8_t *frame, size_t bytes)
{
    memset(out, 0, sizeof *out);
    if (bytes == 0)
        return refused(&out->refusal, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, 0);
    int status = check_mhdr(&out->refusal, frame[0], JOIN_ACCEPT);
    if (status == HANJI_OK && bytes != 17)
        status = check_size(&out->refusal, bytes, 33);
    if (status == HANJI_OK)
        out->sealed = part(1, bytes - 1);
    return status;
}

int hanji_lorawan_parse_accepted(hanji_lorawan_accepted *out, const uint8_t *plain, size_t bytes)
{
    memset(out, 0, sizeof *out);
    if (bytes != 16 && check_size(&out->refusal, bytes, 32) != HANJI_OK)
        return out->refusal.status;
    out->join_nonce = load_le24(plain);
    out->net_id = load_le24(plain + 3);
    out->dev_addr = load_le32(plain + 6);
    out->dl_settings = plain[10];
    out->opt_neg = (plain[10] & NEGOTIATED) != 0;
    out->rx_delay = plain[11];
    out->cflist = part(12, bytes - 12 - MIC_BYTES);
    out->message = part(0, bytes - MIC_BYTES);
    out->mic = part(bytes - MIC_BYTES, MIC_BYTES);
    return HANJI_OK;
}

/* B0, B1 (section 4.4) and A (sections 4.3.1.6 and 4.3.3) have one layout. */
static void put_block(uint8_t block[16], uint8_t first, const hanji_lorawan_data *frame,
                      uint32_t fcnt, uint8_t last)
{
    memset(block, 0, 16);
    block[0] = first;
    block[5] = !frame->up;
    store_le32(block + 6, frame->dev_addr);
    store_le32(block + 10, fcnt);
    block[15] = last;
}

/* The MIC of 1.1, from that of 1.0: section 4.4. */
static void protect_1_1(hanji_lorawan_protection *out, const hanji_lorawan_data *frame,
                        const hanji_lorawan_beside *beside)
{
    const int32_t acknowledged = frame->ack ? beside->conf_fcnt : 0;
    if (frame->up) {
        out->mic[1] = out->mic[0];
        out->mic[1].key = HANJI_LORAWAN_F_NWK_S_INT_KEY;
        out->mic[1].at = out->mic[1].bytes = out->mic[0].bytes = MIC_BYTES / 2;
    }
    if (acknowledged < 0 || (frame->up && (beside->tx_dr < 0 || beside->tx_ch < 0))) {
        memset(&out->mic[0], 0, sizeof out->mic[0]);
        return;
    }
    out->mic[0].key = HANJI_LORAWAN_S_NWK_S_INT_KEY;
    out->mic[0].block[1] = (uint8_t)acknowledged;
    out->mic[0].block[2] = (uint8_t)((uint32_t)acknowledged >> 8);
    out->mic[0].block[3] = frame->up ? (uint8_t)beside->tx_dr : 0;
    out->mic[0].block[4] = frame->up ? (uint8_t)beside->tx_ch : 0;
}

void hanji_lorawan_protect(hanji_lorawan_protection *out, const hanji_lorawan_data *frame,
                           hanji_lorawan_version version, uint32_t fcnt,
                           const hanji_lorawan_beside *beside)
{
    const int newer = version == HANJI_LORAWAN_1_1;
    const uint8_t network = newer ? HANJI_LORAWAN_NWK_S_ENC_KEY : HANJI_LORAWAN_NWK_S_KEY;
    memset(out, 0, sizeof *out);
    out->counter = frame->up                  ? HANJI_LORAWAN_UP
                   : newer && frame->port > 0 ? HANJI_LORAWAN_A_DOWN
                                              : HANJI_LORAWAN_N_DOWN;
    out->mic[0].key = HANJI_LORAWAN_NWK_S_KEY;
    out->mic[0].bytes = MIC_BYTES;
    put_block(out->mic[0].block, 0x49, frame, fcnt, (uint8_t)frame->message.bytes);
    if (newer)
        protect_1_1(out, frame, beside);
    if (frame->port >= 0) { /* port 0 belongs to the network: section 4.3.3 */
        out->payload_key = frame->port > 0 ? HANJI_LORAWAN_APP_S_KEY : network;
        put_block(out->payload_block, 1, frame, fcnt, 1);
    }
    if (newer && frame->fopts.bytes > 0) {
        out->fopts_key = network;
        put_block(out->fopts_block, 1, frame, fcnt, 1);
        out->fopts_block[4] = out->counter == HANJI_LORAWAN_A_DOWN ? 2 : 1;
    }
}

size_t hanji_lorawan_counters(uint32_t counters[2], uint8_t moves[2],
                              const hanji_lorawan_state *state, uint16_t fcnt)
{
    counters[0] = fcnt;
    counters[1] = 0;
    moves[0] = 1;
    moves[1] = 0;
    if (state->fcnt16 || !state->seen)
        return 1;
    /* The first counter from `last` on with this low half: section 4.3.1.5. */
    counters[0] = state->last + (uint16_t)(fcnt - (uint16_t)state->last);
    const uint32_t older = counters[0] - 0x10000;
    if (state->window && older <= state->last && state->last - older < WINDOW) {
        counters[1] = older;
        moves[1] = 1;
        return 2;
    }
    if (state->allow_reset && counters[0] != fcnt) {
        counters[1] = fcnt;
        return 2;
    }
    return 1;
}
