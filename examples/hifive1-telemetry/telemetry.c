/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telemetry of a HiFive1 Rev B: one reading a second, sealed with Ascon-AEAD128 and with
 * SPECK-64/128 in EAX by turns, printed as a line of hexadecimal digits. open_telemetry.py opens
 * the lines on the host; docs/telemetry.md has the format of a frame.
 */
#include "board.h"

enum { HEADER = 16, READING = 12, TAG_MAX = 16, VERSION = 2, EAX = 2, ASCON = 3 };

#ifndef MESSAGES_PER_EPOCH
#define MESSAGES_PER_EPOCH \
    65536 /* each at most ten blocks under the EAX key, which is good for 2^20 */
#endif
_Static_assert(10ull * MESSAGES_PER_EPOCH <= 1ull << 20,
               "the EAX key would reach its data limit inside an epoch");
#ifndef DEVICE
#define DEVICE 7
#endif

/* A device has a master key of its own, from its maker; this one is for the tests. */
static const uint8_t master[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                   0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};

static epoch_state epochs;
static uint8_t ascon_key[HANJI_ASCON_AEAD128_KEY_BYTES];
static hanji_speck64_128_ctx speck;
static hanji_eax_ctx eax;

static int make_keys(void)
{
    uint8_t key[HANJI_SPECK64_128_KEY_BYTES];
    int rc = epoch_key(ascon_key, sizeof ascon_key, master, sizeof master, "ascon-aead128", DEVICE,
                       epochs.epoch);
    if (rc == HANJI_OK)
        rc = epoch_key(key, sizeof key, master, sizeof master, "speck-64/128-eax", DEVICE,
                       epochs.epoch);
    if (rc == HANJI_OK)
        rc = hanji_block_init(key, sizeof key, hanji_speck64_128(), &speck.head, sizeof speck);
    if (rc == HANJI_OK)
        rc = hanji_eax_init(HANJI_SPECK64_128_BLOCK_BYTES, &speck.head, &eax);
    hanji_wipe(key, sizeof key);
    return rc;
}

static void put(uint8_t *out, uint32_t n, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(n >> (8 * i));
}

/* A frame with one reading; its size, or an error of hanji. `out` may be longer than the frame. */
static int seal(uint8_t out[HEADER + READING + TAG_MAX], const uint8_t reading[READING],
                uint32_t number, int algorithm)
{
    uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES] = {0};
    out[0] = VERSION;
    out[1] = (uint8_t)algorithm;
    put(out + 2, DEVICE, 4);
    put(out + 6, epochs.epoch, 4);
    put(out + 10, number, 4);
    put(out + 14, READING, 2);
    put(nonce, number, 4);
    const int rc = algorithm == ASCON
                       ? hanji_ascon_aead128_encrypt(out + HEADER, reading, READING, out, HEADER,
                                                     nonce, ascon_key)
                       : hanji_eax_encrypt(out + HEADER, reading, READING, out, HEADER, nonce,
                                           HANJI_SPECK64_128_BLOCK_BYTES, &eax);
    return rc != HANJI_OK ? rc
                          : HEADER + READING +
                                (algorithm == ASCON ? HANJI_ASCON_AEAD128_TAG_BYTES
                                                    : HANJI_SPECK64_128_BLOCK_BYTES);
}

static void print_number(const char *before, uint32_t n, const char *after)
{
    static const uint32_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                      10000,      1000,      100,      10,      1};
    char text[11];
    int at = 0;
    for (int i = 0; i < 10; i++) {
        char digit = '0';
        for (; n >= powers[i]; n -= powers[i])
            digit++;
        if (at > 0 || digit != '0' || i == 9)
            text[at++] = digit;
    }
    text[at] = '\0';
    board_print(before);
    board_print(text);
    board_print(after);
}

static void print_frame(const uint8_t *frame, int bytes)
{
    static const char digits[] = "0123456789abcdef";
    char pair[3] = {0};
    board_print("frame ");
    for (int i = 0; i < bytes; i++) {
        pair[0] = digits[frame[i] >> 4];
        pair[1] = digits[frame[i] & 15];
        board_print(pair);
    }
    board_print("\n");
}

/*
 * What a sensor would give: twelve bytes, here the number of the reading, a temperature in
 * hundredths of a degree, and a voltage in millivolts.
 */
static void read_sensor(uint8_t reading[READING], uint32_t count)
{
    put(reading, count, 4);
    put(reading + 4, 2350 + (count & 31), 4);
    put(reading + 8, 3300 - (count & 7), 4);
}

static _Noreturn void stop(int rc)
{
    print_number("stopped: error -", (uint32_t)-rc, "\n");
    board_end(1);
}

int main(void)
{
    uint8_t reading[READING], frame[HEADER + READING + TAG_MAX];
    board_start();
    board_print("hanji telemetry " HANJI_VERSION "\n");
    int rc = epoch_start(&epochs, &board_storage, board_option("limit", MESSAGES_PER_EPOCH));
    if (rc == HANJI_OK)
        rc = make_keys();
    const uint32_t readings = board_option("readings", UINT32_MAX);
    for (uint32_t count = 0; rc == HANJI_OK && count < readings; count++) {
        uint32_t number;
        int fresh;
        rc = epoch_next(&number, &fresh, &epochs);
        if (rc == HANJI_OK && fresh)
            rc = make_keys();
        if (rc != HANJI_OK)
            break;
        read_sensor(reading, count);
        const int bytes = seal(frame, reading, number, (count & 1) == 0 ? ASCON : EAX);
        if (bytes < 0)
            rc = bytes;
        else
            print_frame(frame, bytes);
        board_wait();
    }
    hanji_block_wipe(&speck.head);
    hanji_eax_wipe(&eax);
    hanji_wipe(ascon_key, sizeof ascon_key);
    if (rc != HANJI_OK)
        stop(rc);
    print_number("stack used: ", board_stack_used(), " bytes\n");
    board_end(0);
}
