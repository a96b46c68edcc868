/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DLMS/COSEM: ciphered APDUs of IEC 62056-5-3 and DLMS UA 1000-2 (Green Book), section 9.2.7, in
 * A-XDR (IEC 61334-6).
 */
#include "frames/reader.h"

enum {
    GENERAL_GLO = 0xDB,
    GENERAL_DED = 0xDC,
    GENERAL = 0xDD,
    SUITE = 15,         /* bits of the security control byte */
    UNREAD = 0xFF,      /* of an APDU tag: not a hanji_dlms_key */
    KEY_IDENTIFIED = 0, /* choices of key-info */
    KEY_WRAPPED = 1,
    KEY_AGREED = 2
};

/* Which kind of key a tag has; general-ciphering says later. */
static uint8_t key_of(uint8_t tag)
{
    switch (tag) {
    case 0x21: /* glo-initiateRequest */
    case 0x25: /* glo-readRequest */
    case 0x26: /* glo-writeRequest */
    case 0x28: /* glo-initiateResponse */
    case 0x2C: /* glo-readResponse */
    case 0x2D: /* glo-writeResponse */
    case 0x2E: /* glo-confirmedServiceError */
    case 0x36: /* glo-unconfirmedWriteRequest */
    case 0x38: /* glo-informationReportRequest */
    case 0xC8: /* glo-get-request */
    case 0xC9: /* glo-set-request */
    case 0xCA: /* glo-event-notification-request */
    case 0xCB: /* glo-action-request */
    case 0xCC: /* glo-get-response */
    case 0xCD: /* glo-set-response */
    case 0xCF: /* glo-action-response */
    case GENERAL_GLO: return HANJI_DLMS_GLOBAL_UNICAST;
    case 0x41: /* the same with a dedicated key */
    case 0x45:
    case 0x46:
    case 0x48:
    case 0x4C:
    case 0x4D:
    case 0x4E:
    case 0x56:
    case 0x58:
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3:
    case 0xD4:
    case 0xD5:
    case 0xD7:
    case GENERAL_DED: return HANJI_DLMS_DEDICATED;
    case GENERAL: return HANJI_DLMS_KNOWN;
    default: return UNREAD;
    }
}

/*
 * A length: one byte below 0x80, or 0x81 to 0x84 and that many less 0x80 bytes. Some meters send
 * longer forms than needed.
 */
static uint32_t take_length(frame_reader *reader)
{
    const uint32_t at = reader->at;
    const uint8_t first = take_byte(reader, HANJI_FIELD_LENGTH);
    if (first < 0x80)
        return first;
    if (first == 0x80 || first > 0x84) {
        refuse(reader, HANJI_FRAME_MALFORMED, HANJI_FIELD_LENGTH, at);
        return 0;
    }
    return take_be(reader, (uint32_t)first - 0x80, HANJI_FIELD_LENGTH);
}

static hanji_frames_part take_string(frame_reader *reader, hanji_frames_field field)
{
    const uint32_t bytes = take_length(reader);
    return take(reader, bytes, field);
}

/* A system title, which may be empty. */
static hanji_frames_part take_title(frame_reader *reader, hanji_frames_field field)
{
    const uint32_t at = reader->at;
    const hanji_frames_part title = take_string(reader, field);
    if (title.bytes != 0 && title.bytes != HANJI_DLMS_TITLE_BYTES)
        refuse(reader, HANJI_FRAME_MALFORMED, field, at);
    return title;
}

/* Key-info of general-ciphering, which is optional. */
static void read_key_info(hanji_dlms_apdu *out, frame_reader *reader)
{
    const uint32_t at = reader->at;
    const uint8_t present = take_byte(reader, HANJI_FIELD_KEY_INFO);
    if (present > 1)
        refuse(reader, HANJI_FRAME_MALFORMED, HANJI_FIELD_KEY_INFO, at);
    if (present == 0)
        return;
    const uint8_t choice = take_byte(reader, HANJI_FIELD_KEY_INFO);
    if (choice == KEY_AGREED) {
        out->key = HANJI_DLMS_AGREED;
        out->key_parameters = take_string(reader, HANJI_FIELD_KEY_PARAMETERS);
        out->key_data = take_string(reader, HANJI_FIELD_KEY_DATA);
        return;
    }
    if (choice != KEY_IDENTIFIED && choice != KEY_WRAPPED)
        refuse(reader, HANJI_FRAME_MALFORMED, HANJI_FIELD_KEY_INFO, at + 1);
    const uint32_t id_at = reader->at;
    const uint8_t id = take_byte(reader, HANJI_FIELD_KEY_ID);
    /* A wrapped key is under the master key alone. */
    if (id > (choice == KEY_IDENTIFIED ? 1 : 0))
        refuse(reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_KEY_ID, id_at);
    if (choice == KEY_IDENTIFIED) {
        out->key = id == 0 ? HANJI_DLMS_GLOBAL_UNICAST : HANJI_DLMS_GLOBAL_BROADCAST;
    } else {
        out->key = HANJI_DLMS_WRAPPED;
        out->key_data = take_string(reader, HANJI_FIELD_KEY_DATA);
    }
}

/* The fields of general-ciphering before the content. */
static void read_general(hanji_dlms_apdu *out, frame_reader *reader)
{
    const uint32_t at = reader->at;
    out->transaction_id = take_string(reader, HANJI_FIELD_TRANSACTION_ID);
    out->title = take_title(reader, HANJI_FIELD_SYSTEM_TITLE);
    out->recipient = take_title(reader, HANJI_FIELD_RECIPIENT_TITLE);
    out->date_time = take_string(reader, HANJI_FIELD_DATE_TIME);
    out->other_information = take_string(reader, HANJI_FIELD_OTHER_INFORMATION);
    out->associated.at = at;
    out->associated.bytes = reader->at - at;
    read_key_info(out, reader);
}

/* The system title of general-glo- and -ded-ciphering: one byte of length, and 0 or 8 bytes. */
static void read_title(hanji_dlms_apdu *out, frame_reader *reader)
{
    const uint32_t at = reader->at;
    const uint8_t bytes = take_byte(reader, HANJI_FIELD_SYSTEM_TITLE);
    if ((bytes != 0 && bytes != HANJI_DLMS_TITLE_BYTES) || bytes > reader->end - reader->at)
        refuse(reader, HANJI_FRAME_MALFORMED, HANJI_FIELD_SYSTEM_TITLE, at);
    out->title = take(reader, bytes, HANJI_FIELD_SYSTEM_TITLE);
}

/* Security control, invocation counter, text and tag, which fill the rest of the APDU. */
static void read_content(hanji_dlms_apdu *out, frame_reader *reader)
{
    const uint32_t bytes = take_length(reader), left = reader->end - reader->at;
    if (bytes > left)
        refuse(reader, HANJI_FRAME_TRUNCATED, HANJI_FIELD_CONTENT, reader->at);
    if (bytes < left)
        refuse(reader, HANJI_FRAME_OVERLONG, HANJI_FIELD_CONTENT, reader->at + bytes);
    const uint32_t at = reader->at;
    out->security = take_byte(reader, HANJI_FIELD_SECURITY_CONTROL);
    out->counter = take_be(reader, 4, HANJI_FIELD_INVOCATION_COUNTER);
    const uint8_t suite = out->security & SUITE;
    if (suite > 2)
        refuse(reader, HANJI_FRAME_ALGORITHM, HANJI_FIELD_SECURITY_CONTROL, at);
    if ((out->security & (HANJI_DLMS_AUTHENTICATED | HANJI_DLMS_ENCRYPTED)) == 0)
        refuse(reader, HANJI_FRAME_NOT_ENCRYPTED, HANJI_FIELD_SECURITY_CONTROL, at);
    const uint32_t tag = (out->security & HANJI_DLMS_AUTHENTICATED) != 0 ? HANJI_DLMS_TAG_BYTES : 0;
    if (reader->end - reader->at < tag)
        refuse(reader, HANJI_FRAME_TRUNCATED, HANJI_FIELD_TAG, reader->at);
    if (!reader_good(reader))
        return;
    out->text = take(reader, reader->end - reader->at - tag, HANJI_FIELD_CONTENT);
    out->tag = take(reader, tag, HANJI_FIELD_TAG);
    out->key_bytes = suite == 2 ? 32 : 16;
}

int hanji_dlms_parse(hanji_dlms_apdu *out, const uint8_t *apdu, size_t bytes)
{
    memset(out, 0, sizeof *out);
    frame_reader reader = reader_of(apdu, (uint32_t)bytes);
    if (reader.end != bytes)
        refuse(&reader, HANJI_FRAME_OVERLONG, HANJI_FIELD_FRAME, UINT32_MAX);
    out->apdu_tag = take_byte(&reader, HANJI_FIELD_APDU_TAG);
    out->key = key_of(out->apdu_tag);
    if (out->key == UNREAD)
        refuse(&reader, HANJI_FRAME_UNSUPPORTED, HANJI_FIELD_APDU_TAG, 0);
    else if (out->key == HANJI_DLMS_KNOWN)
        read_general(out, &reader);
    else if (out->apdu_tag == GENERAL_GLO || out->apdu_tag == GENERAL_DED)
        read_title(out, &reader);
    read_content(out, &reader);
    if (out->key == HANJI_DLMS_GLOBAL_UNICAST && out->apdu_tag != GENERAL &&
        (out->security & HANJI_DLMS_BROADCAST) != 0)
        out->key = HANJI_DLMS_GLOBAL_BROADCAST;
    if (!reader_good(&reader))
        memset(out, 0, sizeof *out);
    out->refusal = reader.refusal;
    return out->refusal.status;
}

void hanji_dlms_nonce(uint8_t nonce[12], const uint8_t title[HANJI_DLMS_TITLE_BYTES],
                      const hanji_dlms_apdu *apdu)
{
    memcpy(nonce, title, HANJI_DLMS_TITLE_BYTES);
    store_be32(nonce + HANJI_DLMS_TITLE_BYTES, apdu->counter);
}
