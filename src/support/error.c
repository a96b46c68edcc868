/* SPDX-License-Identifier: Apache-2.0 */
#include "hanji/common.h"
#include "hanji/slhdsa.h" /* HANJI_E_CHANGED */

const char *hanji_version(void)
{
    return HANJI_VERSION;
}

int32_t hanji_version_number(void)
{
    return HANJI_VERSION_NUMBER;
}

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
    {HANJI_OK, "HANJI_OK", "done"},
    {HANJI_E_ARGUMENT, "HANJI_E_ARGUMENT",
     "an argument is NULL, buffers overlap, offsets decrease, a context is not ready or of another cipher, or a call came out of order"},
    {HANJI_E_LENGTH, "HANJI_E_LENGTH",
     "a length is not one that this algorithm takes; look at its size functions"},
    {HANJI_E_TAG, "HANJI_E_TAG",
     "the tag does not match: the message was altered, or key, nonce or associated data differ"},
    {HANJI_E_LIMIT, "HANJI_E_LIMIT",
     "the data limit of this key would be exceeded; change the key, or raise the limit explicitly"},
    {HANJI_E_RANDOM, "HANJI_E_RANDOM", "the operating system gave no random bytes"},
    {HANJI_E_UNSUPPORTED, "HANJI_E_UNSUPPORTED",
     "the tier that HANJI_FORCE or hanji_force() asks for is not in this build, or this machine cannot run it"},
    {HANJI_E_DEVICE, "HANJI_E_DEVICE", "an accelerator or its driver failed"},
    {HANJI_E_CHANGED, "HANJI_E_CHANGED",
     "a message changed between its two readings; copy it to memory that nobody else writes"},
};

/* The place of a code in the table; codes are 0, -1, -2, ... in order. */
static size_t place(int code)
{
    const size_t n = sizeof errors / sizeof errors[0];
    return code <= 0 && code > -(int)n ? (size_t)-code : n;
}

const char *hanji_error_name(int code)
{
    const size_t i = place(code);
    return i < sizeof errors / sizeof errors[0] ? errors[i].name : "unknown";
}

const char *hanji_error_text(int code)
{
    const size_t i = place(code);
    return i < sizeof errors / sizeof errors[0] ? errors[i].text
                                                : "not an error code of this library";
}
