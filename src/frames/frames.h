/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsers of other people's frames: LoRaWAN, wireless M-Bus, DLMS/COSEM. A parser needs no key. It
 * takes the bytes of one frame and says where header, ciphertext and tag lie, which device and
 * counter the frame names, and which key and nonce open it. Nothing that it gives is authentic
 * before the tag is verified.
 *
 * Every function is total: it takes any bytes, reads none outside of the frame, allocates nothing
 * and does not recurse. A parser returns HANJI_OK, or the status that the frame gets. Then all of
 * its output is zero but `refusal`, which says why and where, and what a comment names. Frames are
 * public, so time and addresses depend on them. The one exception is hanji_wmbus_crc(), which also
 * runs over plaintext.
 *
 * The executable specification is lab/spec/frames/__init__.py and its neighbours.
 */
#ifndef HANJI_FRAMES_FRAMES_H
#define HANJI_FRAMES_FRAMES_H

#include "hanji/telemetry.h"
#include "support/bytes.h"

/* Statuses beside those of hanji/telemetry.h. */
#define HANJI_FRAME_UNSUPPORTED (-23)   /* legal, but not a form that is read */
#define HANJI_FRAME_MALFORMED (-24)     /* contradicts itself */
#define HANJI_FRAME_NOT_ENCRYPTED (-25) /* for a device with a key this is a downgrade */
#define HANJI_FRAME_DAMAGED (-27)       /* a CRC of the link layer is wrong */
#define HANJI_FRAME_FRAGMENT (-28)      /* a part of a longer message */
#define HANJI_FRAME_FAMILY (-29)        /* of another family, or of another type than asked for */

/* What a frame was refused for. hanji_frames_field_name() has the words for messages. */
typedef enum hanji_frames_field {
    HANJI_FIELD_NONE,
    HANJI_FIELD_FRAME, /* the whole frame: its length */
    /* LoRaWAN */
    HANJI_FIELD_MHDR,
    HANJI_FIELD_FOPTS,
    HANJI_FIELD_FPORT,
    HANJI_FIELD_REJOIN_TYPE,
    /* wireless M-Bus */
    HANJI_FIELD_L,
    HANJI_FIELD_C,
    HANJI_FIELD_ADDRESS,
    HANJI_FIELD_CRC,
    HANJI_FIELD_CI,
    HANJI_FIELD_CC,
    HANJI_FIELD_ACC,
    HANJI_FIELD_RECEIVER,
    HANJI_FIELD_SN,
    HANJI_FIELD_AFLL,
    HANJI_FIELD_AFL,
    HANJI_FIELD_FCL,
    HANJI_FIELD_MCL,
    HANJI_FIELD_KI,
    HANJI_FIELD_MCR,
    HANJI_FIELD_MAC,
    HANJI_FIELD_ML,
    HANJI_FIELD_ST,
    HANJI_FIELD_CF,
    HANJI_FIELD_CFE,
    HANJI_FIELD_COUNTER,
    HANJI_FIELD_KEY_VERSION,
    HANJI_FIELD_CIPHERTEXT,
    /* DLMS/COSEM */
    HANJI_FIELD_APDU_TAG,
    HANJI_FIELD_LENGTH,
    HANJI_FIELD_SYSTEM_TITLE,
    HANJI_FIELD_TRANSACTION_ID,
    HANJI_FIELD_RECIPIENT_TITLE,
    HANJI_FIELD_DATE_TIME,
    HANJI_FIELD_OTHER_INFORMATION,
    HANJI_FIELD_KEY_INFO,
    HANJI_FIELD_KEY_ID,
    HANJI_FIELD_KEY_PARAMETERS,
    HANJI_FIELD_KEY_DATA,
    HANJI_FIELD_CONTENT,
    HANJI_FIELD_SECURITY_CONTROL,
    HANJI_FIELD_INVOCATION_COUNTER,
    HANJI_FIELD_TAG,
    HANJI_FIELDS
} hanji_frames_field;

/* The name of a field in its standard, "FOpts" for example; NULL for a number that is none. */
const char *hanji_frames_field_name(int field);

/*
 * Why and where a frame is refused. A truncated frame ends before the field that would begin at
 * `at`; of an overlong one, byte `at` is the first that is too many; else the field begins there.
 */
typedef struct hanji_frames_refusal {
    int8_t status; /* HANJI_OK when it is not refused */
    uint8_t field; /* a hanji_frames_field */
    uint32_t at;
} hanji_frames_refusal;

/* Where some bytes of a frame lie; {0, 0} when there are none. */
typedef struct hanji_frames_part {
    uint32_t at, bytes;
} hanji_frames_part;

/*
 * LoRaWAN 1.0 and 1.1. All fields are little-endian. Numbers of EUIs are as people print them: the
 * most significant byte first.
 */

#define HANJI_LORAWAN_BYTES_MAX 255

typedef enum hanji_lorawan_version { HANJI_LORAWAN_1_0, HANJI_LORAWAN_1_1 } hanji_lorawan_version;

/* The keys of a session, and those of the join. */
typedef enum hanji_lorawan_key {
    HANJI_LORAWAN_NO_KEY,
    HANJI_LORAWAN_NWK_S_KEY, /* 1.0 */
    HANJI_LORAWAN_APP_S_KEY,
    HANJI_LORAWAN_F_NWK_S_INT_KEY, /* the others: 1.1 */
    HANJI_LORAWAN_S_NWK_S_INT_KEY,
    HANJI_LORAWAN_NWK_S_ENC_KEY,
    HANJI_LORAWAN_JS_INT_KEY
} hanji_lorawan_key;

/* Each session counts these apart: 1.1 has a second downlink counter, for applications. */
typedef enum hanji_lorawan_counter {
    HANJI_LORAWAN_UP,
    HANJI_LORAWAN_N_DOWN, /* FCntDown of 1.0, NFCntDown of 1.1 */
    HANJI_LORAWAN_A_DOWN
} hanji_lorawan_counter;

/* A data frame. */
typedef struct hanji_lorawan_data {
    hanji_frames_refusal refusal;
    uint8_t mtype; /* 2 to 5 */
    uint8_t up;    /* 1: from the device */
    uint8_t ack;   /* 1: it acknowledges a confirmed frame, whose counter the MIC of 1.1 covers */
    uint8_t fctrl;
    uint32_t dev_addr; /* several sessions may have it */
    uint16_t fcnt;     /* the low half of the counter */
    int16_t port;      /* -1: none, and no payload */
    hanji_frames_part fopts, payload;
    hanji_frames_part message, mic; /* what the MIC covers, and the MIC: the whole frame */
} hanji_lorawan_data;

int hanji_lorawan_parse(hanji_lorawan_data *out, const uint8_t *frame, size_t bytes);

/* A join request. The key of its MIC is the AppKey (1.0) or the NwkKey (1.1). */
typedef struct hanji_lorawan_join_request {
    hanji_frames_refusal refusal;
    uint16_t dev_nonce;
    uint64_t join_eui, dev_eui;
    hanji_frames_part message, mic;
} hanji_lorawan_join_request;

int hanji_lorawan_parse_join_request(hanji_lorawan_join_request *out, const uint8_t *frame,
                                     size_t bytes);

/* A rejoin request (1.1). */
typedef struct hanji_lorawan_rejoin {
    hanji_frames_refusal refusal;
    uint8_t type;      /* 0 to 2 */
    uint8_t key;       /* of the MIC: SNwkSIntKey, for type 1 JSIntKey */
    uint16_t counter;  /* RJcount0, for type 1 RJcount1 */
    uint32_t net_id;   /* types 0 and 2 */
    uint64_t join_eui; /* type 1 */
    uint64_t dev_eui;
    hanji_frames_part message, mic;
} hanji_lorawan_rejoin;

int hanji_lorawan_parse_rejoin(hanji_lorawan_rejoin *out, const uint8_t *frame, size_t bytes);

/*
 * A join accept as received: nothing but its ciphertext, of 16 or 32 bytes. The network deciphers,
 * so the reader applies the forward direction of AES to each block.
 */
typedef struct hanji_lorawan_accept {
    hanji_frames_refusal refusal;
    hanji_frames_part sealed;
} hanji_lorawan_accept;

int hanji_lorawan_parse_accept(hanji_lorawan_accept *out, const uint8_t *frame, size_t bytes);

/* The plaintext of a join accept, without MHDR. Parts are offsets in the plaintext. */
typedef struct hanji_lorawan_accepted {
    hanji_frames_refusal refusal;
    uint8_t dl_settings, rx_delay;
    uint8_t opt_neg; /* 1.1: the MIC is under JSIntKey and begins with fields of the request */
    uint32_t join_nonce, net_id, dev_addr;
    hanji_frames_part cflist;
    hanji_frames_part message, mic; /* what the MIC covers behind MHDR, and the MIC */
} hanji_lorawan_accepted;

int hanji_lorawan_parse_accepted(hanji_lorawan_accepted *out, const uint8_t *plain, size_t bytes);

/* What the MIC of 1.1 covers and the frame does not say; -1 for what is unknown. */
typedef struct hanji_lorawan_beside {
    int32_t conf_fcnt; /* low half of the counter of the frame that is acknowledged */
    int16_t tx_dr, tx_ch;
} hanji_lorawan_beside;

/*
 * How a data frame is protected when its counter is `fcnt`. The MIC is `bytes` bytes of CMAC of
 * block and message under the key, for each of two parts that follow each other. A part with
 * HANJI_LORAWAN_NO_KEY is absent, or unknown, because a value of hanji_lorawan_beside is: then the
 * other part of an uplink of 1.1 can be checked alone, and a downlink cannot be checked at all.
 */
typedef struct hanji_lorawan_protection {
    struct {
        uint8_t key, at, bytes; /* `at`: its place in the MIC */
        uint8_t block[16];
    } mic[2];
    uint8_t counter;           /* a hanji_lorawan_counter */
    uint8_t payload_key;       /* HANJI_LORAWAN_NO_KEY without a port */
    uint8_t payload_block[16]; /* first block of CTR, which counts in its last byte */
    uint8_t fopts_key;         /* HANJI_LORAWAN_NO_KEY: they are in the clear (1.0), or absent */
    uint8_t fopts_block[16];
} hanji_lorawan_protection;

void hanji_lorawan_protect(hanji_lorawan_protection *out, const hanji_lorawan_data *frame,
                           hanji_lorawan_version version, uint32_t fcnt,
                           const hanji_lorawan_beside *beside);

/* What decides about counters, for one session and one of its counters. */
typedef struct hanji_lorawan_state {
    uint32_t last;       /* the largest accepted counter */
    uint8_t seen;        /* 0: none was accepted, and `last` is not read */
    uint8_t window;      /* 1: counters less than 64 below `last` are accepted, too */
    uint8_t allow_reset; /* 1: also try whether the device counts from 0 again */
    uint8_t fcnt16;      /* 1: the device counts with 16 bits */
} hanji_lorawan_state;

/*
 * The counters that a frame with the low half `fcnt` may have: one or two, in the order in which to
 * try them. At most two, because each try lets one forged frame in 2^32 pass. moves[i] is 0 when a
 * frame with counter i must not change the state.
 */
size_t hanji_lorawan_counters(uint32_t counters[2], uint8_t moves[2],
                              const hanji_lorawan_state *state, uint16_t fcnt);

/*
 * Wireless M-Bus: EN 13757-4 and -7. Fields are little-endian.
 */

#define HANJI_WMBUS_BYTES_MAX 256

/* Which CRCs a frame has. Receivers mostly remove them. */
typedef enum hanji_wmbus_format {
    HANJI_WMBUS_NO_CRC,
    HANJI_WMBUS_A, /* L does not count the CRCs */
    HANJI_WMBUS_B  /* L counts them */
} hanji_wmbus_format;

/* CRC-16/EN-13757, in time that depends on `bytes` alone. */
uint16_t hanji_wmbus_crc(const uint8_t *data, size_t bytes);

/* A frame without its CRCs. L, its first byte, is as received. */
typedef struct hanji_wmbus_bare {
    hanji_frames_refusal refusal; /* offsets in the frame as received */
    uint32_t bytes;
    uint8_t data[HANJI_WMBUS_BYTES_MAX];
} hanji_wmbus_bare;

/* Check the length and the CRCs of a frame. HANJI_E_ARGUMENT for a format that is none. */
int hanji_wmbus_unframe(hanji_wmbus_bare *out, const uint8_t *frame, size_t bytes,
                        hanji_wmbus_format format);

#define HANJI_WMBUS_ELL 0x100 /* as a mode: encryption is in the extended link layer */

/* The name of a mode of the configuration field, for messages about those that are not read. */
const char *hanji_wmbus_mode_name(int mode);

/* A frame up to its ciphertext. */
typedef struct hanji_wmbus_frame {
    hanji_frames_refusal refusal;
    /*
     * 1: the transport header could be read. Then meter, mode and acc stay when the frame is
     * refused; a first fragment has them, too.
     */
    uint8_t identified;
    uint8_t acc;
    uint16_t mode;    /* 5, 7 or HANJI_WMBUS_ELL */
    uint8_t meter[8]; /* manufacturer, identification, version, type: the order of the link layer */
    uint8_t c;
    uint8_t from_meter; /* 0: to the meter; 7 has other keys there */
    uint8_t ci;         /* of the transport layer, or of the ELL when the ELL encrypts */
    uint8_t st;
    uint8_t kdf;        /* mode 7: 0 the key itself, 1 a key for the message by KDF-A */
    uint8_t counter[4]; /* mode 7, as on the air: it enters KDF-A */
    uint8_t iv[16];     /* of CBC, or for the ELL the first block of CTR */
    hanji_frames_part sealed, clear; /* ciphertext; bytes behind it in the clear */
    hanji_frames_part mac;           /* in the authentication layer */
    /* The MAC covers mcl, mcr and ml, if they are there, and body, in this order. */
    hanji_frames_part mcl, mcr, ml, body;
} hanji_wmbus_frame;

/* Parse a frame without CRCs, as hanji_wmbus_unframe() gives it; L is not read again. */
int hanji_wmbus_parse(hanji_wmbus_frame *out, const uint8_t *data, size_t bytes);

/*
 * The input of CMAC that gives the key of one message in mode 7 (KDF-A): the key that encrypts, or
 * with `mac` the key of the MAC.
 */
void hanji_wmbus_kdf_block(uint8_t block[16], const hanji_wmbus_frame *frame, int mac);

/*
 * DLMS/COSEM: IEC 62056-5-3. Fields are big-endian.
 */

#define HANJI_DLMS_TITLE_BYTES 8
#define HANJI_DLMS_TAG_BYTES 12

/* The security control byte. Its low four bits are the suite. */
#define HANJI_DLMS_AUTHENTICATED 0x10
#define HANJI_DLMS_ENCRYPTED 0x20
#define HANJI_DLMS_BROADCAST 0x40
#define HANJI_DLMS_COMPRESSED 0x80

/* Which key encrypts. */
typedef enum hanji_dlms_key {
    HANJI_DLMS_GLOBAL_UNICAST,
    HANJI_DLMS_GLOBAL_BROADCAST,
    HANJI_DLMS_DEDICATED, /* of the association: a session key */
    HANJI_DLMS_WRAPPED,   /* in key_data, wrapped under the master key */
    HANJI_DLMS_AGREED,    /* from a key agreement, by key_parameters and key_data */
    HANJI_DLMS_KNOWN      /* general-ciphering that does not say: agreed upon before */
} hanji_dlms_key;

typedef struct hanji_dlms_apdu {
    hanji_frames_refusal refusal;
    uint8_t apdu_tag;
    uint8_t security;        /* the security control byte */
    uint8_t key;             /* a hanji_dlms_key */
    uint8_t key_bytes;       /* 16, in suite 2 32: of the encryption and authentication key */
    uint32_t counter;        /* the invocation counter */
    hanji_frames_part title; /* of the sender; absent: that of the association */
    hanji_frames_part text;  /* ciphertext, or text in the clear */
    hanji_frames_part tag;   /* absent: nothing is authentic */
    /*
     * Associated data are the security control byte, the authentication key, `associated` and, in
     * the clear, `text`. `associated` is of general-ciphering alone: its fields from transaction-id
     * to other-information, with their lengths.
     */
    hanji_frames_part associated;
    /* general-ciphering */
    hanji_frames_part transaction_id, recipient, date_time, other_information;
    hanji_frames_part key_parameters, key_data;
} hanji_dlms_apdu;

int hanji_dlms_parse(hanji_dlms_apdu *out, const uint8_t *apdu, size_t bytes);

/* The nonce of AES-GCM: the sender's system title and the invocation counter. */
void hanji_dlms_nonce(uint8_t nonce[12], const uint8_t title[HANJI_DLMS_TITLE_BYTES],
                      const hanji_dlms_apdu *apdu);

#endif
