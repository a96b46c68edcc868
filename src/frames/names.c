/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the fields for which frames are refused. */
#include "frames/frames.h"

static const char *const names[HANJI_FIELDS] = {
    [HANJI_FIELD_FRAME] = "frame",
    [HANJI_FIELD_MHDR] = "MHDR",
    [HANJI_FIELD_FOPTS] = "FOpts",
    [HANJI_FIELD_FPORT] = "FPort",
    [HANJI_FIELD_REJOIN_TYPE] = "rejoin type",
    [HANJI_FIELD_L] = "L",
    [HANJI_FIELD_C] = "C",
    [HANJI_FIELD_ADDRESS] = "address",
    [HANJI_FIELD_CRC] = "CRC",
    [HANJI_FIELD_CI] = "CI",
    [HANJI_FIELD_CC] = "CC",
    [HANJI_FIELD_ACC] = "ACC",
    [HANJI_FIELD_RECEIVER] = "receiver",
    [HANJI_FIELD_SN] = "SN",
    [HANJI_FIELD_AFLL] = "AFLL",
    [HANJI_FIELD_AFL] = "AFL",
    [HANJI_FIELD_FCL] = "FCL",
    [HANJI_FIELD_MCL] = "MCL",
    [HANJI_FIELD_KI] = "KI",
    [HANJI_FIELD_MCR] = "MCR",
    [HANJI_FIELD_MAC] = "MAC",
    [HANJI_FIELD_ML] = "ML",
    [HANJI_FIELD_ST] = "ST",
    [HANJI_FIELD_CF] = "CF",
    [HANJI_FIELD_CFE] = "CFE",
    [HANJI_FIELD_COUNTER] = "counter",
    [HANJI_FIELD_KEY_VERSION] = "key version",
    [HANJI_FIELD_CIPHERTEXT] = "ciphertext",
    [HANJI_FIELD_APDU_TAG] = "APDU tag",
    [HANJI_FIELD_LENGTH] = "length",
    [HANJI_FIELD_SYSTEM_TITLE] = "system title",
    [HANJI_FIELD_TRANSACTION_ID] = "transaction-id",
    [HANJI_FIELD_RECIPIENT_TITLE] = "recipient-system-title",
    [HANJI_FIELD_DATE_TIME] = "date-time",
    [HANJI_FIELD_OTHER_INFORMATION] = "other-information",
    [HANJI_FIELD_KEY_INFO] = "key-info",
    [HANJI_FIELD_KEY_ID] = "key-id",
    [HANJI_FIELD_KEY_PARAMETERS] = "key-parameters",
    [HANJI_FIELD_KEY_DATA] = "key-ciphered-data",
    [HANJI_FIELD_CONTENT] = "content",
    [HANJI_FIELD_SECURITY_CONTROL] = "security control",
    [HANJI_FIELD_INVOCATION_COUNTER] = "invocation counter",
    [HANJI_FIELD_TAG] = "authentication tag",
};

const char *hanji_frames_field_name(int field)
{
    return field > HANJI_FIELD_NONE && field < HANJI_FIELDS ? names[field] : NULL;
}
