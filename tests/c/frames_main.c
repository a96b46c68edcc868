/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers what the parsers of src/frames make of frames; tests/c/test_c_frames.py compares the
 * answers with the executable specifications.
 *
 * A request is an operation (one letter), an option (one byte), the size of what follows (two
 * bytes, little-endian) and the frame. The answer is a line of "name=value". A line begins with
 * "dirty" when an output of a refused frame is not zero.
 */
#include "frames/frames.h"
#include "io.h"

/* Frames end where the memory ends, so that the address sanitizer sees the first byte beyond. */
static uint8_t room[65535];
static char line[4096];
static size_t used;

static void put_text(const char *text)
{
    const size_t bytes = text_length(text);
    if (bytes > sizeof line - used)
        __builtin_trap();
    for (size_t i = 0; i < bytes; i++)
        line[used++] = text[i];
}

static void put_name(const char *name)
{
    if (used > 0)
        put_text(" ");
    put_text(name);
    put_text("=");
}

static void put_unsigned(uint64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put_text(digits + at);
}

static void put_number(const char *name, int64_t value)
{
    put_name(name);
    if (value < 0)
        put_text("-");
    put_unsigned(value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_hex(const char *name, const uint8_t *bytes, size_t count)
{
    put_name(name);
    for (size_t i = 0; i < count; i++) {
        const char pair[3] = {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15],
                              '\0'};
        put_text(pair);
    }
}

static void put_eui(const char *name, uint64_t value)
{
    uint8_t printed[8];
    store_be64(printed, value);
    put_hex(name, printed, 8);
}

static void put_part(const char *name, hanji_frames_part part)
{
    put_name(name);
    put_unsigned(part.at);
    put_text("+");
    put_unsigned(part.bytes);
}

/* Refusals are compared, and so the rest of the output must be zero. 1: the frame is not refused. */
static int put_refusal(int status, hanji_frames_refusal *refusal, const void *out, size_t bytes)
{
    const hanji_frames_refusal was = *refusal;
    memset(refusal, 0, sizeof *refusal);
    uint8_t any = was.status == HANJI_OK && (was.at != 0 || was.field != 0);
    for (size_t i = 0; i < bytes && was.status != HANJI_OK; i++)
        any |= ((const uint8_t *)out)[i];
    if (any != 0 || was.status != status)
        put_text("dirty");
    put_number("status", status);
    if (status == HANJI_OK)
        return 1;
    const char *name = hanji_frames_field_name(was.field);
    put_name("field");
    put_text(name == NULL ? "?" : name);
    put_number("at", was.at);
    return 0;
}

#define PUT_REFUSAL(status, out) put_refusal(status, &(out).refusal, &(out), sizeof(out))
#define SPOIL(out) memset(&(out), 0xA5, sizeof(out))

static void lorawan_data(const uint8_t *frame, size_t bytes)
{
    hanji_lorawan_data out;
    SPOIL(out);
    if (!PUT_REFUSAL(hanji_lorawan_parse(&out, frame, bytes), out))
        return;
    put_number("mtype", out.mtype);
    put_number("up", out.up);
    put_number("ack", out.ack);
    put_number("fctrl", out.fctrl);
    put_number("dev_addr", out.dev_addr);
    put_number("fcnt", out.fcnt);
    put_number("port", out.port);
    put_part("fopts", out.fopts);
    put_part("payload", out.payload);
    put_part("message", out.message);
    put_part("mic", out.mic);
}

static void lorawan_join_request(const uint8_t *frame, size_t bytes)
{
    hanji_lorawan_join_request out;
    SPOIL(out);
    if (!PUT_REFUSAL(hanji_lorawan_parse_join_request(&out, frame, bytes), out))
        return;
    put_eui("join_eui", out.join_eui);
    put_eui("dev_eui", out.dev_eui);
    put_number("dev_nonce", out.dev_nonce);
    put_part("message", out.message);
    put_part("mic", out.mic);
}

static const char *lorawan_key(uint8_t key)
{
    static const char *const names[] = {"-",
                                        "nwk_s_key",
                                        "app_s_key",
                                        "f_nwk_s_int_key",
                                        "s_nwk_s_int_key",
                                        "nwk_s_enc_key",
                                        "js_int_key"};
    return key < sizeof names / sizeof *names ? names[key] : "?";
}

static void lorawan_rejoin(const uint8_t *frame, size_t bytes)
{
    hanji_lorawan_rejoin out;
    SPOIL(out);
    if (!PUT_REFUSAL(hanji_lorawan_parse_rejoin(&out, frame, bytes), out))
        return;
    put_number("type", out.type);
    put_name("key");
    put_text(lorawan_key(out.key));
    put_number("net_id", out.net_id);
    put_eui("join_eui", out.join_eui);
    put_eui("dev_eui", out.dev_eui);
    put_number("counter", out.counter);
    put_part("message", out.message);
    put_part("mic", out.mic);
}

static void lorawan_accept(const uint8_t *frame, size_t bytes)
{
    hanji_lorawan_accept out;
    SPOIL(out);
    if (PUT_REFUSAL(hanji_lorawan_parse_accept(&out, frame, bytes), out))
        put_part("sealed", out.sealed);
}

static void lorawan_accepted(const uint8_t *plain, size_t bytes)
{
    hanji_lorawan_accepted out;
    SPOIL(out);
    if (!PUT_REFUSAL(hanji_lorawan_parse_accepted(&out, plain, bytes), out))
        return;
    put_number("join_nonce", out.join_nonce);
    put_number("net_id", out.net_id);
    put_number("dev_addr", out.dev_addr);
    put_number("dl_settings", out.dl_settings);
    put_number("opt_neg", out.opt_neg);
    put_number("rx_delay", out.rx_delay);
    put_part("cflist", out.cflist);
    put_part("message", out.message);
    put_part("mic", out.mic);
}

/* The frame is behind version (option), counter (4 bytes), conf_fcnt (4), tx_dr and tx_ch (2). */
static void lorawan_protection(const uint8_t *request, size_t bytes, uint8_t version)
{
    hanji_lorawan_data data;
    hanji_lorawan_protection out;
    SPOIL(out);
    if (bytes < 12 || hanji_lorawan_parse(&data, request + 12, bytes - 12) != HANJI_OK)
        __builtin_trap();
    const hanji_lorawan_beside beside = {(int32_t)load_le32(request + 4),
                                         (int16_t)(request[8] | (uint16_t)request[9] << 8),
                                         (int16_t)(request[10] | (uint16_t)request[11] << 8)};
    hanji_lorawan_protect(&out, &data, (hanji_lorawan_version)version, load_le32(request), &beside);
    for (size_t i = 0; i < 2; i++) {
        put_name("mic");
        put_text(lorawan_key(out.mic[i].key));
        put_number("at", out.mic[i].at);
        put_number("bytes", out.mic[i].bytes);
        put_hex("block", out.mic[i].block, 16);
    }
    put_number("counter", out.counter);
    put_name("payload");
    put_text(lorawan_key(out.payload_key));
    put_hex("block", out.payload_block, 16);
    put_name("fopts");
    put_text(lorawan_key(out.fopts_key));
    put_hex("block", out.fopts_block, 16);
}

/* last (4 bytes), seen, window, allow_reset, fcnt16, fcnt (2 bytes) */
static void lorawan_counters(const uint8_t *request, size_t bytes)
{
    uint32_t counters[2];
    uint8_t moves[2];
    if (bytes != 10)
        __builtin_trap();
    const hanji_lorawan_state state = {load_le32(request), request[4], request[5], request[6],
                                       request[7]};
    const uint16_t fcnt = (uint16_t)(request[8] | (uint16_t)request[9] << 8);
    const size_t count = hanji_lorawan_counters(counters, moves, &state, fcnt);
    for (size_t i = 0; i < count; i++) {
        put_number("counter", counters[i]);
        put_number("moves", moves[i]);
    }
}

static void wmbus_bare(const uint8_t *data, size_t bytes)
{
    hanji_wmbus_frame out;
    SPOIL(out);
    const int status = hanji_wmbus_parse(&out, data, bytes);
    hanji_wmbus_frame rest = out;
    if (status != HANJI_OK && out.identified) {
        rest.identified = rest.acc = 0;
        rest.mode = 0;
        memset(rest.meter, 0, sizeof rest.meter);
    }
    const int good = PUT_REFUSAL(status, rest);
    if (out.identified || good) {
        put_number("identified", out.identified);
        put_hex("meter", out.meter, 8);
        put_number("mode", out.mode);
        put_number("acc", out.acc);
    }
    if (!good)
        return;
    put_number("c", out.c);
    put_number("from_meter", out.from_meter);
    put_number("ci", out.ci);
    put_number("st", out.st);
    put_number("kdf", out.kdf);
    put_hex("counter", out.counter, 4);
    put_hex("iv", out.iv, 16);
    put_part("sealed", out.sealed);
    put_part("clear", out.clear);
    put_part("mac", out.mac);
    put_part("mcl", out.mcl);
    put_part("mcr", out.mcr);
    put_part("ml", out.ml);
    put_part("body", out.body);
    for (int mac = 0; mac < 2 && out.mode == 7; mac++) {
        uint8_t block[16];
        hanji_wmbus_kdf_block(block, &out, mac);
        put_hex("kdf", block, 16);
    }
}

static void wmbus(const uint8_t *frame, size_t bytes, uint8_t format)
{
    hanji_wmbus_bare bare;
    SPOIL(bare);
    if (!PUT_REFUSAL(hanji_wmbus_unframe(&bare, frame, bytes, (hanji_wmbus_format)format), bare))
        return;
    put_hex("bare", bare.data, bare.bytes);
    /* Where the memory ends: see above. */
    uint8_t *data = room + sizeof room - bare.bytes;
    memcpy(data, bare.data, bare.bytes);
    wmbus_bare(data, bare.bytes);
}

static void dlms(const uint8_t *apdu, size_t bytes)
{
    static const char *const keys[] = {"global-unicast", "global-broadcast", "dedicated",
                                       "wrapped",        "agreed",           "known"};
    hanji_dlms_apdu out;
    SPOIL(out);
    if (!PUT_REFUSAL(hanji_dlms_parse(&out, apdu, bytes), out))
        return;
    put_number("tag", out.apdu_tag);
    put_number("security", out.security);
    put_number("counter", out.counter);
    put_name("key");
    put_text(out.key < sizeof keys / sizeof *keys ? keys[out.key] : "?");
    put_number("key_bytes", out.key_bytes);
    put_part("title", out.title);
    put_part("text", out.text);
    put_part("mac", out.tag);
    put_part("associated", out.associated);
    put_part("transaction_id", out.transaction_id);
    put_part("recipient", out.recipient);
    put_part("date_time", out.date_time);
    put_part("other_information", out.other_information);
    put_part("key_parameters", out.key_parameters);
    put_part("key_data", out.key_data);
    if (out.title.bytes > 0) {
        uint8_t nonce[12];
        hanji_dlms_nonce(nonce, apdu + out.title.at, &out);
        put_hex("nonce", nonce, 12);
    }
}

/* Sizes that no frame has: nothing behind the first two bytes is read. */
static void huge(void)
{
    static const uint8_t frame[2] = {0xC0, 0}, answer[1] = {0x20};
    hanji_lorawan_data data;
    hanji_lorawan_join_request request;
    hanji_lorawan_rejoin rejoin;
    hanji_lorawan_accept accept;
    hanji_lorawan_accepted accepted;
    hanji_wmbus_bare bare;
    hanji_wmbus_frame meter;
    put_number("data", hanji_lorawan_parse(&data, frame, SIZE_MAX));
    put_number("request", hanji_lorawan_parse_join_request(&request, frame + 1, SIZE_MAX));
    put_number("rejoin", hanji_lorawan_parse_rejoin(&rejoin, frame, SIZE_MAX));
    put_number("accept", hanji_lorawan_parse_accept(&accept, answer, SIZE_MAX));
    put_number("accepted", hanji_lorawan_parse_accepted(&accepted, frame, SIZE_MAX));
    for (int format = HANJI_WMBUS_NO_CRC; format <= HANJI_WMBUS_B + 1; format++)
        put_number("bare", hanji_wmbus_unframe(&bare, frame, SIZE_MAX, (hanji_wmbus_format)format));
    put_number("meter", hanji_wmbus_parse(&meter, frame, SIZE_MAX));
#if SIZE_MAX > UINT32_MAX
    hanji_dlms_apdu apdu;
    put_number("apdu", hanji_dlms_parse(&apdu, frame, (size_t)1 << 32));
    put_number("at", apdu.refusal.at);
#endif
}

static void names(void)
{
    for (int field = -1; field <= HANJI_FIELDS; field++) {
        const char *name = hanji_frames_field_name(field);
        put_text(name == NULL ? "-" : name);
        put_text("|");
    }
    for (int mode = 0; mode <= 32; mode++) {
        put_text(hanji_wmbus_mode_name(mode < 32 ? mode : HANJI_WMBUS_ELL));
        put_text("|");
    }
}

static int read_exactly(void *out, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const long n = io_read((uint8_t *)out + done, bytes - done);
        if (n <= 0)
            return 0;
        done += (size_t)n;
    }
    return 1;
}

int main(void)
{
    uint8_t head[4];
    while (read_exactly(head, sizeof head)) {
        const size_t bytes = head[2] + 256u * head[3];
        uint8_t *frame = room + sizeof room - bytes;
        if (!read_exactly(frame, bytes))
            return 1;
        used = 0;
        switch (head[0]) {
        case 'd': lorawan_data(frame, bytes); break;
        case 'j': lorawan_join_request(frame, bytes); break;
        case 'r': lorawan_rejoin(frame, bytes); break;
        case 'a': lorawan_accept(frame, bytes); break;
        case 'p': lorawan_accepted(frame, bytes); break;
        case 'k': lorawan_protection(frame, bytes, head[1]); break;
        case 'c': lorawan_counters(frame, bytes); break;
        case 'w': wmbus(frame, bytes, head[1]); break;
        case 'b': wmbus_bare(frame, bytes); break;
        case 'm': dlms(frame, bytes); break;
        case 'h': huge(); break;
        case 'n': names(); break;
        default: return 1;
        }
        put_text("\n");
        if (io_write_all(line, used) != 0)
            return 1;
    }
    return 0;
}
