/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wireless M-Bus: the link layer with its CRCs and the extended link layer (EN 13757-4), the
 * authentication and the transport layer (EN 13757-7:2018), with the modes of the OMS profiles A
 * (5) and B (7) (OMS Specification, volume 2).
 */
#include "frames/reader.h"

enum {
    HEADER_BYTES = 10,   /* L, C and the address: the first block of format A */
    BLOCK_BYTES = 16,    /* further blocks of format A */
    FIRST_BYTES_B = 126, /* the first block of format B, if there is a second one */
    CRC_BYTES = 2,
    CI_ELL_SHORT = 0x8C,  /* CC ACC */
    CI_ELL_SEALED = 0x8D, /* CC ACC SN CRC */
    CI_ELL_LONG = 0x8E,   /* CC ACC receiver */
    CI_ELL_LONG_SEALED = 0x8F,
    CI_AFL = 0x90,
    CI_NO_HEADER = 0x78,
    HOP_BITS = 0x12, /* of CC: repeaters change them */
    FCL_MORE = 14,   /* bits of FCL */
    FCL_MCL = 13,
    FCL_ML = 12,
    FCL_MCR = 11,
    FCL_MAC = 10,
    FCL_KI = 9,
    CF_COUNTER = 13 /* bit of CF in mode 7: a counter follows */
};

uint16_t hanji_wmbus_crc(const uint8_t *data, size_t bytes)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= (uint32_t)data[i] << 8;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (0x3D65 & (0 - (crc >> 15 & 1)));
    }
    return (uint16_t)~crc;
}

static uint16_t load_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static uint16_t load_be16(const uint8_t *p)
{
    return (uint16_t)((uint16_t)p[0] << 8 | p[1]);
}

static int refuse_bare(hanji_wmbus_bare *out, int status, hanji_frames_field field, size_t at)
{
    memset(out, 0, sizeof *out);
    out->refusal.status = (int8_t)status;
    out->refusal.field = (uint8_t)field;
    out->refusal.at = (uint32_t)at;
    return status;
}

/* Bytes of a block, without its CRC, when `done` of `data_bytes` bytes are in earlier blocks. */
static size_t block_bytes(hanji_wmbus_format format, size_t done, size_t data_bytes)
{
    size_t most = data_bytes;
    if (format == HANJI_WMBUS_A)
        most = done == 0 ? HEADER_BYTES : BLOCK_BYTES;
    else if (format == HANJI_WMBUS_B && done == 0)
        most = FIRST_BYTES_B;
    return most < data_bytes - done ? most : data_bytes - done;
}

int hanji_wmbus_unframe(hanji_wmbus_bare *out, const uint8_t *frame, size_t bytes,
                        hanji_wmbus_format format)
{
    memset(out, 0, sizeof *out);
    if (format != HANJI_WMBUS_NO_CRC && format != HANJI_WMBUS_A && format != HANJI_WMBUS_B)
        return refuse_bare(out, HANJI_E_ARGUMENT, HANJI_FIELD_NONE, 0);
    if (bytes == 0)
        return refuse_bare(out, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, 0);
    const size_t counted = (size_t)frame[0] + 1, crc_bytes = format == HANJI_WMBUS_NO_CRC ? 0 : 2;
    size_t data_bytes = counted, whole = counted;
    if (format == HANJI_WMBUS_B) {
        const size_t crcs = counted > FIRST_BYTES_B + CRC_BYTES ? 2 * CRC_BYTES : CRC_BYTES;
        data_bytes = counted > crcs ? counted - crcs : 0;
        /* The CRC of a second block must be of something. */
        if (crcs > CRC_BYTES && data_bytes <= FIRST_BYTES_B)
            data_bytes = 0;
    }
    if (data_bytes < HEADER_BYTES)
        return refuse_bare(out, HANJI_FRAME_TRUNCATED, HANJI_FIELD_L, 0);
    if (format == HANJI_WMBUS_A)
        whole += CRC_BYTES * (1 + (counted - HEADER_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES);
    if (bytes < whole)
        return refuse_bare(out, HANJI_FRAME_TRUNCATED, HANJI_FIELD_FRAME, bytes);
    if (bytes > whole)
        return refuse_bare(out, HANJI_FRAME_OVERLONG, HANJI_FIELD_FRAME, whole);
    size_t at = 0;
    while (out->bytes < data_bytes) {
        const size_t block = block_bytes(format, out->bytes, data_bytes);
        const uint8_t *from = frame + at;
        if (crc_bytes > 0 && hanji_wmbus_crc(from, block) != load_be16(from + block))
            return refuse_bare(out, HANJI_FRAME_DAMAGED, HANJI_FIELD_CRC, at + block);
        memcpy(out->data + out->bytes, from, block);
        out->bytes += (uint32_t)block;
        at += block + crc_bytes;
    }
    return HANJI_OK;
}

const char *hanji_wmbus_mode_name(int mode)
{
    switch (mode) {
    case 0: return "no encryption";
    case 1: return "manufacturer's own";
    case 2: return "DES-CBC";
    case 3: return "DES-CBC with an initialization vector";
    case 4: return "AES-128-CBC with a constant initialization vector";
    case 5: return "AES-128-CBC";
    case 7: return "AES-128-CBC with keys for one message";
    case 8: return "AES-128-CTR with CMAC";
    case 9: return "AES-128-GCM";
    case 10: return "AES-128-CCM";
    case 13: return "TLS";
    case HANJI_WMBUS_ELL: return "AES-128-CTR in the extended link layer";
    default: return "reserved";
    }
}

/* 1: from the meter, 0: to it, -1: neither is known. */
static int direction(uint8_t c)
{
    switch (c) {
    case 0x00: /* ACK */
    case 0x08: /* RSP-UD */
    case 0x18:
    case 0x28:
    case 0x38:
    case 0x44: /* SND-NR */
    case 0x46: /* SND-IR */
    case 0x47: /* ACC-NR */
    case 0x48: /* ACC-DMD */ return 1;
    case 0x06: /* CNF-IR */
    case 0x40: /* SND-NKE */
    case 0x43: /* SND-UD2 */
    case 0x45: /* SND-UD3 */
    case 0x53: /* SND-UD */
    case 0x73:
    case 0x5A: /* REQ-UD1 */
    case 0x7A:
    case 0x5B: /* REQ-UD2 */
    case 0x7B: return 0;
    default: return -1;
    }
}

/* How many bytes of a transport header follow the CI before ACC; -1: none that is read. */
static int header_address(uint8_t ci)
{
    switch (ci) {
    case 0x5A:
    case 0x6E:
    case 0x74:
    case 0x7A:
    case 0x7B:
    case 0x8A: return 0;
    case 0x5B:
    case 0x6F:
    case 0x72:
    case 0x73:
    case 0x75:
    case 0x80:
    case 0x8B: return 8;
    default: return -1;
    }
}

/* Bytes of the MAC by the code AT in MCL; 0: not one that is read. */
static uint32_t mac_bytes(uint8_t mcl)
{
    static const uint8_t sizes[16] = {[3] = 2, [4] = 4, [5] = 8, [6] = 12, [7] = 16};
    return sizes[mcl & 15];
}

/* The extended link layer behind its CI. 1: it encrypts what follows, so nothing else is read. */
static int read_ell(hanji_wmbus_frame *out, frame_reader *reader, uint8_t ci, int way)
{
    const uint8_t cc = take_byte(reader, HANJI_FIELD_CC);
    (void)take_byte(reader, HANJI_FIELD_ACC);
    if (ci == CI_ELL_LONG || ci == CI_ELL_LONG_SEALED)
        (void)take(reader, 8, HANJI_FIELD_RECEIVER);
    if (ci == CI_ELL_SHORT || ci == CI_ELL_LONG)
        return 0;
    const hanji_frames_part sn = take(reader, 4, HANJI_FIELD_SN);
    if (reader->end - reader->at < CRC_BYTES + 1)
        refuse(reader, HANJI_FRAME_TRUNCATED, HANJI_FIELD_CRC, reader->at);
    if (!reader_good(reader))
        return 0;
    const unsigned method = reader->data[sn.at + 3] >> 5;
    if (method > 1)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_SN, sn.at);
    if (method == 1 && way < 0)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_C, 1);
    if (method == 0) {
        const hanji_frames_part crc = take(reader, CRC_BYTES, HANJI_FIELD_CRC);
        /* Low byte first, unlike those of the link layer. */
        if (hanji_wmbus_crc(reader->data + reader->at, reader->end - reader->at) !=
            load_le16(reader->data + crc.at))
            refuse(reader, HANJI_FRAME_DAMAGED, HANJI_FIELD_CRC, crc.at);
        return 0;
    }
    out->mode = HANJI_WMBUS_ELL;
    out->ci = ci;
    memcpy(out->iv, out->meter, 8);
    out->iv[8] = (uint8_t)(cc & ~HOP_BITS);
    memcpy(out->iv + 9, reader->data + sn.at, 4); /* frame and block number are 0 */
    out->sealed = take_rest(reader);
    return 1;
}

/* What else the transport layer needs of the authentication layer. */
typedef struct afl {
    hanji_frames_part key_information;
    uint32_t fcl_at;
    int fragment; /* -1: the message is whole */
} afl;

/* The authentication and fragmentation layer behind its CI. */
static void read_afl(hanji_wmbus_frame *out, frame_reader *reader, afl *layer)
{
    const uint32_t afll = take_byte(reader, HANJI_FIELD_AFLL), at = reader->at;
    const hanji_frames_part whole = take(reader, afll, HANJI_FIELD_AFL);
    frame_reader inner = *reader;
    inner.at = at;
    inner.end = at + whole.bytes;
    layer->fcl_at = at;
    const uint32_t fcl = take_le(&inner, 2, HANJI_FIELD_FCL);
    if ((fcl >> FCL_MORE & 1) != 0 || (fcl & 0xFF) != 0)
        layer->fragment = (int)(fcl & 0xFF);
    if ((fcl >> FCL_MCL & 1) != 0)
        out->mcl = take(&inner, 1, HANJI_FIELD_MCL);
    if ((fcl >> FCL_KI & 1) != 0)
        layer->key_information = take(&inner, 2, HANJI_FIELD_KI);
    if ((fcl >> FCL_MCR & 1) != 0)
        out->mcr = take(&inner, 4, HANJI_FIELD_MCR);
    if ((fcl >> FCL_MAC & 1) != 0) {
        const uint32_t bytes = out->mcl.bytes == 0 ? 0 : mac_bytes(inner.data[out->mcl.at]);
        if (out->mcl.bytes == 0)
            refuse(&inner, HANJI_FRAME_MALFORMED, HANJI_FIELD_FCL, at);
        if (bytes == 0)
            refuse(&inner, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_MCL, out->mcl.at);
        out->mac = take(&inner, bytes, HANJI_FIELD_MAC);
    }
    if ((fcl >> FCL_ML & 1) != 0)
        out->ml = take(&inner, 2, HANJI_FIELD_ML);
    if (inner.at < inner.end)
        refuse(&inner, HANJI_FRAME_OVERLONG, HANJI_FIELD_AFL, inner.at);
    reader->refusal = inner.refusal;
}

/* What mode 7 adds to the transport header. */
static void read_mode_7(hanji_wmbus_frame *out, frame_reader *reader, uint32_t cf, const afl *layer)
{
    const uint32_t cf_at = reader->at - 2, cfe_at = reader->at;
    const uint8_t cfe = take_byte(reader, HANJI_FIELD_CFE);
    hanji_frames_part counter = out->mcr;
    if ((cf >> CF_COUNTER & 1) != 0)
        counter = take(reader, 4, HANJI_FIELD_COUNTER);
    if ((cfe >> 6 & 1) != 0)
        (void)take_byte(reader, HANJI_FIELD_KEY_VERSION);
    out->kdf = cfe >> 4 & 3;
    if (out->kdf > 1)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_CFE, cfe_at);
    if (counter.bytes == 0)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_CF, cf_at);
    else
        memcpy(out->counter, reader->data + counter.at, 4);
    /* Whether the MAC covers KI, sources do not agree. */
    if (layer->key_information.bytes > 0)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_KI, layer->key_information.at);
}

/* The transport layer behind its CI. */
static void read_transport(hanji_wmbus_frame *out, frame_reader *reader, uint8_t ci, int way,
                           const afl *layer)
{
    const uint32_t ci_at = reader->at - 1;
    const int address = header_address(ci);
    if (ci == CI_NO_HEADER)
        refuse(reader, HANJI_FRAME_NOT_ENCRYPTED, HANJI_FIELD_CI, ci_at);
    if (address < 0)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_CI, ci_at);
    const hanji_frames_part named = take(reader, address > 0 ? 8 : 0, HANJI_FIELD_ADDRESS);
    out->acc = take_byte(reader, HANJI_FIELD_ACC);
    out->st = take_byte(reader, HANJI_FIELD_ST);
    const uint32_t cf_at = reader->at, cf = take_le(reader, 2, HANJI_FIELD_CF);
    if (!reader_good(reader))
        return;
    /* The meter is behind a radio adapter; its identification comes first here. */
    if (named.bytes > 0) {
        memcpy(out->meter, reader->data + named.at + 4, 2);
        memcpy(out->meter + 2, reader->data + named.at, 4);
        memcpy(out->meter + 6, reader->data + named.at + 6, 2);
    }
    out->identified = 1;
    out->ci = ci;
    out->mode = cf >> 8 & 31;
    if (way < 0)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_C, 1);
    if (out->mode == 0)
        refuse(reader, HANJI_FRAME_NOT_ENCRYPTED, HANJI_FIELD_CF, cf_at);
    else if (out->mode != 5 && out->mode != 7)
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_CF, cf_at);
    if (out->mode == 7) {
        read_mode_7(out, reader, cf, layer);
    } else {
        memcpy(out->iv, out->meter, 8);
        memset(out->iv + 8, out->acc, 8);
    }
    const uint32_t blocks = cf >> 4 & 15;
    if (blocks == 0)
        refuse(reader, HANJI_FRAME_NOT_ENCRYPTED, HANJI_FIELD_CF, cf_at);
    out->sealed = take(reader, 16 * blocks, HANJI_FIELD_CIPHERTEXT);
    out->clear = take_rest(reader);
    out->body.at = ci_at;
    out->body.bytes = reader->end - ci_at;
}

int hanji_wmbus_parse(hanji_wmbus_frame *out, const uint8_t *data, size_t bytes)
{
    memset(out, 0, sizeof *out);
    const int fits = bytes <= HANJI_WMBUS_BYTES_MAX;
    frame_reader reader = reader_of(data, fits ? (uint32_t)bytes : 0);
    if (!fits)
        refuse(&reader, HANJI_FRAME_OVERLONG, HANJI_FIELD_FRAME, HANJI_WMBUS_BYTES_MAX);
    (void)take_byte(&reader, HANJI_FIELD_L);
    out->c = take_byte(&reader, HANJI_FIELD_C);
    const hanji_frames_part link = take(&reader, 8, HANJI_FIELD_ADDRESS);
    const int way = direction(out->c);
    out->from_meter = way > 0;
    if (link.bytes > 0)
        memcpy(out->meter, data + link.at, 8);

    afl layer = {{0, 0}, 0, -1};
    int sealed = 0;
    uint8_t ci = take_byte(&reader, HANJI_FIELD_CI);
    if (ci >= CI_ELL_SHORT && ci <= CI_ELL_LONG_SEALED) {
        sealed = read_ell(out, &reader, ci, way);
        ci = sealed ? 0 : take_byte(&reader, HANJI_FIELD_CI);
    }
    if (ci == CI_AFL) {
        read_afl(out, &reader, &layer);
        if (layer.fragment == 0 || layer.fragment == 1) { /* the others have no transport header */
            frame_reader look = reader;
            ci = take_byte(&look, HANJI_FIELD_CI);
            read_transport(out, &look, ci, way, &layer);
        }
        if (layer.fragment >= 0)
            refuse(&reader, HANJI_FRAME_FRAGMENT, HANJI_FIELD_FCL, layer.fcl_at);
        ci = take_byte(&reader, HANJI_FIELD_CI);
    }
    if (!sealed && reader_good(&reader)) /* of a fragment, acc and others are read already */
        read_transport(out, &reader, ci, way, &layer);
    if (!reader_good(&reader)) {
        const hanji_wmbus_frame known = *out;
        memset(out, 0, sizeof *out);
        if (known.identified) {
            out->identified = 1;
            out->acc = known.acc;
            out->mode = known.mode;
            memcpy(out->meter, known.meter, 8);
        }
    }
    out->refusal = reader.refusal;
    return out->refusal.status;
}

void hanji_wmbus_kdf_block(uint8_t block[16], const hanji_wmbus_frame *frame, int mac)
{
    block[0] = (uint8_t)((frame->from_meter ? 0 : 0x10) + (mac ? 1 : 0));
    memcpy(block + 1, frame->counter, 4);
    memcpy(block + 5, frame->meter + 2, 4);
    memset(block + 9, 7, 7);
}
