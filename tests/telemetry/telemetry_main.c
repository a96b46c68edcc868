/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of frames against frames that are made one by one from the functions for single
 * messages: statuses, payloads, both directions, windows, tables of master keys, refusals.
 */
#include "check.h"

#include <hanji/hanji.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 1300, DEVICES = 97, ROOM = 600000 };

static uint8_t input[ROOM], payload[ROOM], plain[ROOM], output[ROOM];
static uint8_t scratch[HANJI_TELEMETRY_SCRATCH_BYTES + 3];
static int64_t offsets[FRAMES + 1], payload_offsets[FRAMES + 1], plain_offsets[FRAMES + 1],
    output_offsets[FRAMES + 1];
static uint32_t device[FRAMES], epoch[FRAMES], number[FRAMES], got_device[FRAMES],
    got_epoch[FRAMES], got_number[FRAMES];
static int8_t status[FRAMES], expected[FRAMES];
static uint32_t table_devices[DEVICES];
static uint8_t masters[DEVICES * HANJI_MASTER_BYTES_MAX], memory[DEVICES * 176 + 224];
static hanji_master_keys keys;
static size_t master_bytes;

static const struct {
    const char *label, *command;
    size_t nonce_bytes, tag_bytes;
} kinds[4] = {{"", "", 0, 0},
              {"schwaemm256-128", "command schwaemm256-128", 32, 16},
              {"speck-64/128-eax", "command speck-64/128-eax", 8, 8},
              {"ascon-aead128", "command ascon-aead128", 16, 16}};

static void put(uint8_t *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

static int absorb(const void *field, size_t bytes, hanji_esch_ctx *xof)
{
    uint8_t length[8];
    put(length, bytes, 8);
    const int rc = hanji_xoesch256_update(length, 8, xof);
    return rc != HANJI_OK ? rc : hanji_xoesch256_update(field, bytes, xof);
}

/* As docs/telemetry.md says it, in pieces. */
static int epoch_key(uint8_t key[16], const uint8_t *master, const char *label, uint32_t e,
                     uint32_t d)
{
    uint8_t place[12];
    hanji_esch_ctx xof;
    put(place, e, 8);
    put(place + 8, d, 4);
    int rc = hanji_xoesch256_init(&xof);
    if (rc == HANJI_OK)
        rc = absorb("hanji epoch key 2", 17, &xof);
    if (rc == HANJI_OK)
        rc = absorb(master, master_bytes, &xof);
    if (rc == HANJI_OK)
        rc = absorb(label, strlen(label), &xof);
    if (rc == HANJI_OK)
        rc = absorb(place, 12, &xof);
    return rc != HANJI_OK ? rc : hanji_xoesch256_squeeze(key, 16, &xof);
}

/* One frame, sealed alone; returns its size, 0 when something failed. */
static size_t seal_one(uint8_t *frame, unsigned algorithm, const uint8_t *master, size_t f,
                       const uint8_t *text, size_t bytes, int command)
{
    uint8_t key[16], nonce[32] = {0};
    int8_t done;
    const int64_t at[2] = {0, (int64_t)bytes}, header[2] = {0, 16};
    const size_t tag_bytes = kinds[algorithm].tag_bytes;
    frame[0] = 2;
    frame[1] = (uint8_t)algorithm;
    put(frame + 2, device[f], 4);
    put(frame + 6, epoch[f], 4);
    put(frame + 10, number[f], 4);
    put(frame + 14, bytes, 2);
    put(nonce, number[f], 4);
    if (epoch_key(key, master, command ? kinds[algorithm].command : kinds[algorithm].label,
                  epoch[f], device[f]) != HANJI_OK)
        return 0;
    const hanji_fleet one = {.messages = 1,
                             .offsets = at,
                             .input = text,
                             .output = frame + 16,
                             .ad_offsets = header,
                             .ad = frame,
                             .keys = key,
                             .key_stride = 16,
                             .nonces = nonce,
                             .nonce_bytes = kinds[algorithm].nonce_bytes,
                             .tags = frame + 16 + bytes,
                             .tag_bytes = tag_bytes,
                             .status = &done};
    const int64_t failed = algorithm == 1   ? hanji_schwaemm256_128_fleet_encrypt(&one)
                           : algorithm == 2 ? hanji_eax_fleet_encrypt(&one, hanji_speck64_128())
                                            : hanji_ascon_aead128_fleet_encrypt(&one);
    return failed == 0 ? 16 + bytes + tag_bytes : 0;
}

static int make_table(size_t bytes)
{
    master_bytes = bytes;
    for (size_t i = 0; i < DEVICES; i++)
        table_devices[i] = (uint32_t)(i % 2 ? i * 3 : 0xffffffffu - i * 0x10000u);
    pseudo_random(masters, sizeof masters, 77);
    return hanji_master_keys_init(&keys, NULL, memory, sizeof memory, table_devices, masters,
                                  DEVICES, bytes) == HANJI_OK;
}

/*
 * n frames with payloads of 0 to `longest` bytes; `damage`: some are altered, cut or of nobody.
 * `algorithm` 0: all of them, mixed.
 */
static int make_frames(size_t n, unsigned algorithm, size_t longest, int damage, int command)
{
    uint8_t random[8];
    size_t in = 5, out = 0;
    plain_offsets[0] = 0;
    pseudo_random(plain, sizeof plain, 9);
    memset(input, 0x5a, sizeof input);
    for (size_t i = 0; i < n; i++) {
        pseudo_random(random, sizeof random, (uint32_t)(1000 + i));
        const size_t d = random[0] % DEVICES;
        const unsigned kind = algorithm != 0 ? algorithm : 1 + random[1] % 3u;
        size_t bytes = (random[2] | (size_t)random[3] << 8) % (longest + 1);
        if (damage && random[7] % 16 == 0)
            bytes = 0;
        device[i] = table_devices[d];
        epoch[i] = random[4] % 5;
        number[i] = (uint32_t)i;
        if (random[5] % 4 == 0 && i > 0 &&
            expected[i - 1] == HANJI_OK) { /* neighbours of one epoch share a key */
            device[i] = device[i - 1];
            epoch[i] = epoch[i - 1];
        }
        const uint8_t *master = NULL;
        for (size_t k = 0; k < DEVICES; k++)
            if (table_devices[k] == device[i])
                master = masters + k * master_bytes;
        uint8_t *frame = input + in;
        size_t whole =
            master == NULL ? 0 : seal_one(frame, kind, master, i, plain + out, bytes, command);
        if (whole == 0)
            return 0;
        expected[i] = HANJI_OK;
        switch (damage ? random[6] % 16 : 15) {
        case 0: /* any bit but those that the header is judged by */
            frame[6 + random[4] % 8] ^= 1;
            expected[i] = HANJI_E_TAG;
            break;
        case 1:
            frame[whole - 1] ^= 0x80;
            expected[i] = HANJI_E_TAG;
            break;
        case 2:
            whole = random[4] % whole;
            expected[i] = HANJI_FRAME_TRUNCATED;
            break;
        case 3:
            frame[whole++] = 0;
            expected[i] = HANJI_FRAME_OVERLONG;
            break;
        case 4:
            frame[0] = 1;
            expected[i] = HANJI_FRAME_VERSION;
            break;
        case 5:
            frame[1] = random[4] % 2 ? 0 : 4;
            expected[i] = HANJI_FRAME_ALGORITHM;
            break;
        case 6:
            put(frame + 2, 0x12345678u, 4);
            expected[i] = HANJI_FRAME_DEVICE;
            break;
        default: break;
        }
        const int header = whole >= 16;
        device[i] = header ? frame[2] | (uint32_t)frame[3] << 8 | (uint32_t)frame[4] << 16 |
                                 (uint32_t)frame[5] << 24
                           : 0;
        epoch[i] = header ? frame[6] | (uint32_t)frame[7] << 8 | (uint32_t)frame[8] << 16 |
                                (uint32_t)frame[9] << 24
                          : 0;
        number[i] = header ? frame[10] | (uint32_t)frame[11] << 8 | (uint32_t)frame[12] << 16 |
                                 (uint32_t)frame[13] << 24
                           : 0;
        offsets[i] = (int64_t)in;
        in += whole;
        if (expected[i] == HANJI_OK)
            out += bytes;
        plain_offsets[i + 1] = (int64_t)out;
        if (in + longest + 64 > ROOM || out + longest > ROOM)
            return 0;
    }
    offsets[n] = (int64_t)in;
    if (n == 0)
        offsets[0] = 5;
    return 1;
}

static hanji_telemetry_opening opening_of(size_t n)
{
    fill(payload, sizeof payload, 0xaa);
    fill(status, sizeof status, 0x55);
    const hanji_telemetry_opening call = {.frames = n,
                                          .offsets = offsets,
                                          .input = input,
                                          .keys = &keys,
                                          .device = got_device,
                                          .epoch = got_epoch,
                                          .number = got_number,
                                          .payload = payload,
                                          .payload_bytes = (size_t)(offsets[n] - offsets[0]),
                                          .payload_offsets = payload_offsets,
                                          .status = status,
                                          .scratch = scratch + 1};
    return call;
}

static void check_opened(size_t n, hanji_direction direction)
{
    hanji_telemetry_opening call = opening_of(n);
    call.direction = direction;
    int64_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += expected[i] != HANJI_OK;
    fill(scratch, sizeof scratch, 0x77);
    CHECK(hanji_telemetry_open(&call) == wrong);
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        CHECK(status[i] == expected[i]);
        CHECK(got_device[i] == device[i] && got_epoch[i] == epoch[i] && got_number[i] == number[i]);
        CHECK(payload_offsets[i + 1] == plain_offsets[i + 1]);
    }
    CHECK(payload_offsets[0] == 0);
    CHECK(memcmp(payload, plain, (size_t)plain_offsets[n]) == 0);
    CHECK(all_are(payload + plain_offsets[n], sizeof payload - (size_t)plain_offsets[n], 0xaa));
    CHECK(scratch[0] == 0x77 && scratch[sizeof scratch - 1] == 0x77);
}

static void opens_what_single_calls_seal(void)
{
    static const size_t counts[] = {0, 1, 2, 7, 16, 33, 511, 512, 513, FRAMES};
    static const size_t sizes[] = {16, 24, 25, 57, 64};
    static const char *const names[] = {"mixed", "schwaemm", "speck", "ascon"};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (unsigned algorithm = 0; algorithm <= 3; algorithm++)
            for (int damage = 0; damage < 2; damage++) {
                const hanji_direction direction = c % 2 ? HANJI_TO_DEVICE : HANJI_FROM_DEVICE;
                case_context = names[algorithm];
                CHECK(make_table(sizes[c % 5]));
                CHECK(make_frames(counts[c], algorithm, 100, damage, (int)direction));
                check_opened(counts[c], direction);
                if (case_failed)
                    return;
            }
}

static void opens_windows_of_large_payloads(void)
{
    CHECK(make_table(16));
    CHECK(make_frames(8, 0, 65535, 0, 0));
    check_opened(8, HANJI_FROM_DEVICE);
    CHECK(make_frames(100, 3, 5000, 1, 0));
    check_opened(100, HANJI_FROM_DEVICE);
}

static void directions_have_keys_of_their_own(void)
{
    CHECK(make_table(16));
    CHECK(make_frames(20, 0, 30, 0, 0));
    hanji_telemetry_opening call = opening_of(20);
    call.direction = HANJI_TO_DEVICE;
    CHECK(hanji_telemetry_open(&call) == 20);
    for (size_t i = 0; i < 20; i++)
        CHECK(status[i] == HANJI_E_TAG && payload_offsets[i + 1] == 0);
    CHECK(all_are(payload, sizeof payload, 0xaa));
}

/* Seal n frames of `plain` into `output`. */
static hanji_telemetry_sealing sealing_of(size_t n, unsigned algorithm)
{
    const hanji_telemetry_sealing call = {.frames = n,
                                          .device = device,
                                          .epoch = epoch,
                                          .number = number,
                                          .payload_offsets = plain_offsets,
                                          .payload = plain,
                                          .keys = &keys,
                                          .algorithm = (int)algorithm,
                                          .output = output,
                                          .output_bytes = sizeof output,
                                          .offsets = output_offsets,
                                          .status = status,
                                          .scratch = scratch};
    return call;
}

static void seals_what_single_calls_seal(void)
{
    for (unsigned algorithm = 1; algorithm <= 3; algorithm++)
        for (int command = 0; command < 2; command++) {
            CHECK(make_table(16));
            CHECK(make_frames(FRAMES, algorithm, 90, 0, command));
            device[3] = 5000; /* of nobody */
            hanji_telemetry_sealing call = sealing_of(FRAMES, algorithm);
            call.direction = command ? HANJI_TO_DEVICE : HANJI_FROM_DEVICE;
            fill(output, sizeof output, 0xaa);
            CHECK(hanji_telemetry_seal(&call) == 1);
            CHECK(output_offsets[0] == 0);
            for (size_t i = 0; i < FRAMES; i++) {
                const int64_t bytes = output_offsets[i + 1] - output_offsets[i];
                CHECK(status[i] == (i == 3 ? HANJI_FRAME_DEVICE : HANJI_OK));
                CHECK(bytes == (i == 3 ? 0 : offsets[i + 1] - offsets[i]));
                CHECK(memcmp(output + output_offsets[i], input + offsets[i], (size_t)bytes) == 0);
            }
            const size_t end = (size_t)output_offsets[FRAMES];
            CHECK(all_are(output + end, sizeof output - end, 0xaa));
        }
}

/*
 * Seal and open n frames with one of two sets of secrets; the scratch memory of both calls is in
 * `after` then. Everything else is the same for both sets, also all addresses.
 */
static int left_in_scratch(uint8_t *after, size_t n, unsigned algorithm, size_t longest,
                           size_t key_bytes, uint32_t secrets)
{
    pseudo_random(masters, sizeof masters, secrets);
    pseudo_random(plain, sizeof plain, secrets + 1);
    if (hanji_master_keys_one(&keys, masters, key_bytes) != HANJI_OK)
        return 0;
    plain_offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        device[i] = (uint32_t)i / 3;
        epoch[i] = number[i] = (uint32_t)i;
        plain_offsets[i + 1] = plain_offsets[i] + (int64_t)((i * 7919 + longest) % (longest + 1));
    }
    const hanji_telemetry_sealing sealing = sealing_of(n, algorithm);
    fill(scratch, sizeof scratch, 0x77);
    if (hanji_telemetry_seal(&sealing) != 0)
        return 0;
    memcpy(after, scratch, sizeof scratch);
    memcpy(input, output, sizeof input);
    memcpy(offsets, output_offsets, sizeof offsets);
    input[offsets[n] - 1] ^= 1; /* the last frame is forged */
    hanji_telemetry_opening opening = opening_of(n);
    fill(scratch, sizeof scratch, 0x77);
    if (hanji_telemetry_open(&opening) != 1)
        return 0;
    memcpy(after + sizeof scratch, scratch, sizeof scratch);
    return 1;
}

static void scratch_does_not_depend_on_secrets(void)
{
    static uint8_t one[2 * sizeof scratch], other[2 * sizeof scratch];
    static const struct {
        size_t n, longest, key_bytes;
    } shapes[] = {{1, 0, 16},   {1, 65535, 16}, {2, 33, 64},    {9, 60000, 25},
                  {64, 32, 16}, {511, 40, 16},  {512, 100, 64}, {FRAMES, 200, 57}};
    for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++)
        for (unsigned algorithm = 1; algorithm <= 3; algorithm++) {
            const size_t n = shapes[c].n, longest = shapes[c].longest, k = shapes[c].key_bytes;
            case_context = "scratch memory";
            CHECK(left_in_scratch(one, n, algorithm, longest, k, 5));
            CHECK(left_in_scratch(other, n, algorithm, longest, k, 5));
            CHECK(memcmp(one, other, sizeof one) == 0); /* the same secrets: the same bytes */
            uint8_t tag[8];
            copy_bytes(tag, input + offsets[n] - sizeof tag, sizeof tag);
            CHECK(left_in_scratch(other, n, algorithm, longest, k, 8));
            /* A control: the secrets are others. */
            CHECK(!same(tag, input + offsets[n] - sizeof tag, sizeof tag));
            CHECK(memcmp(one, other, sizeof one) == 0);
            CHECK(!all_are(one, sizeof scratch, 0x77) &&
                  !all_are(one + sizeof scratch, sizeof scratch, 0x77));
        }
}

static void too_long_payloads_are_not_sealed(void)
{
    const int64_t sizes[] = {0, 3, 3 + 65536, 3 + 65536 + 65535};
    hanji_telemetry_sealing call = sealing_of(3, HANJI_FRAME_ASCON_AEAD128);
    call.payload_offsets = sizes;
    CHECK(make_table(16));
    device[0] = device[1] = device[2] = table_devices[0];
    epoch[0] = epoch[1] = epoch[2] = 1;
    for (uint32_t i = 0; i < 3; i++)
        number[i] = i;
    CHECK(hanji_telemetry_seal(&call) == 1);
    CHECK(status[0] == HANJI_OK && status[1] == HANJI_E_LENGTH && status[2] == HANJI_OK);
    CHECK(output_offsets[1] == 35 && output_offsets[2] == 35 &&
          output_offsets[3] == 35 + 65535 + 32);
}

static void tables_hold_each_device_once(void)
{
    static uint8_t room[64 * 4000];
    static uint32_t many[2000];
    size_t duplicate = 1;
    hanji_master_keys found;
    master_bytes = 16;
    for (size_t i = 0; i < 2000; i++)
        many[i] = (uint32_t)(i * 2654435761u);
    for (size_t n = 0; n <= 2000; n = n < 5 ? n + 1 : n * 7) {
        const size_t bytes = hanji_master_keys_bytes(n, 16);
        CHECK(bytes > 0 && bytes <= sizeof room);
        CHECK(hanji_master_keys_init(&found, &duplicate, room, bytes - 1, many, plain, n, 16) ==
              HANJI_E_ARGUMENT);
        fill(room, sizeof room, 0xaa);
        CHECK(hanji_master_keys_init(&found, &duplicate, room, bytes, many, plain, n, 16) ==
              HANJI_OK);
        CHECK(duplicate == n && all_are(room + bytes, sizeof room - bytes, 0xaa));
        /* The keys are found: a frame of each device opens, one of another device does not. */
        for (size_t i = 0; i < n; i += 1 + n / 9) {
            device[0] = device[1] = many[i];
            epoch[0] = epoch[1] = 3;
            number[0] = number[1] = 4;
            const size_t whole = seal_one(input, 1, plain + 16 * i, 0, plain, 20, 0);
            CHECK(whole == 52);
            copy_bytes(input + whole, input, whole);
            put(input + whole + 2, many[i] + 1, 4);
            offsets[0] = 0;
            offsets[1] = (int64_t)whole;
            offsets[2] = (int64_t)(2 * whole);
            hanji_telemetry_opening call = opening_of(2);
            call.keys = &found;
            CHECK(hanji_telemetry_open(&call) == 1);
            CHECK(status[0] == HANJI_OK && status[1] == HANJI_FRAME_DEVICE);
        }
        hanji_master_keys_wipe(&found);
        CHECK(all_are(room, bytes, 0) && all_are(&found, sizeof found, 0));
    }
    /* Nobody can tell the slots: the same devices lie elsewhere in another table. */
    const size_t half = sizeof room / 2;
    CHECK(hanji_master_keys_bytes(1000, 16) <= half);
    CHECK(hanji_master_keys_init(&found, NULL, room, half, many, plain, 1000, 16) == HANJI_OK);
    CHECK(hanji_master_keys_init(&found, NULL, room + half, half, many, plain, 1000, 16) ==
          HANJI_OK);
    CHECK(!same(room, room + half, hanji_master_keys_bytes(1000, 16)));
    many[1234] = many[17];
    fill(room, sizeof room, 0xaa);
    CHECK(hanji_master_keys_init(&found, &duplicate, room, sizeof room, many, plain, 2000, 16) ==
          HANJI_E_ARGUMENT);
    CHECK(duplicate == 1234 && all_are(room, hanji_master_keys_bytes(2000, 16), 0));
    CHECK(hanji_master_keys_bytes(1, 15) == 0 && hanji_master_keys_bytes(1, 65) == 0);
    CHECK(hanji_master_keys_bytes(SIZE_MAX / 4, 16) == 0);
    CHECK(hanji_master_keys_init(&found, NULL, room, sizeof room, many, plain, 1, 15) ==
          HANJI_E_LENGTH);
    CHECK(hanji_master_keys_init(&found, NULL, room, sizeof room, many, room + 9, 1, 16) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_master_keys_init(&found, NULL, room, sizeof room, NULL, plain, 1, 16) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_master_keys_init(NULL, NULL, room, sizeof room, many, plain, 1, 16) ==
          HANJI_E_ARGUMENT);
}

static void one_key_opens_all_devices(void)
{
    CHECK(make_table(32));
    for (size_t i = 0; i < DEVICES; i++)
        copy_bytes(masters + 32 * i, masters, 32);
    CHECK(make_frames(300, 0, 40, 0, 0));
    CHECK(hanji_master_keys_one(&keys, masters, 32) == HANJI_OK);
    check_opened(300, HANJI_FROM_DEVICE);
    CHECK(hanji_master_keys_one(&keys, masters, 15) == HANJI_E_LENGTH);
    CHECK(hanji_master_keys_one(&keys, NULL, 16) == HANJI_E_ARGUMENT);
    CHECK(hanji_master_keys_one(NULL, masters, 16) == HANJI_E_ARGUMENT);
    CHECK(hanji_master_keys_one(&keys, keys.one, 16) == HANJI_E_ARGUMENT);
    hanji_master_keys_wipe(&keys);
    hanji_telemetry_opening call = opening_of(1);
    CHECK(hanji_telemetry_open(&call) == HANJI_E_ARGUMENT); /* a table that is not ready */
}

#define REFUSED(member, value, code)                                   \
    do {                                                               \
        call = good;                                                   \
        call.member = value;                                           \
        fill(payload, sizeof payload, 0xaa);                           \
        fill(output, sizeof output, 0xaa);                             \
        fill(status, sizeof status, 0x55);                             \
        CHECK(RUN(&call) == (code));                                   \
        CHECK(all_are(payload, sizeof payload, 0xaa));                 \
        CHECK(all_are(output, sizeof output, 0xaa));                   \
        CHECK((uint8_t *)call.status == payload || status[0] == 0x55); \
    } while (0)

static void refused_calls_write_nothing(void)
{
    static const int64_t decreasing[] = {0, 60, 50}, negative[] = {-1, 60, 90};
    CHECK(make_table(16));
    CHECK(make_frames(2, 1, 30, 0, 0));
    const hanji_telemetry_opening good = opening_of(2);
    hanji_telemetry_opening call = good;
#define RUN hanji_telemetry_open
    CHECK(RUN(&call) == 0);
    CHECK(RUN(NULL) == HANJI_E_ARGUMENT);
    REFUSED(offsets, NULL, HANJI_E_ARGUMENT);
    REFUSED(offsets, decreasing, HANJI_E_ARGUMENT);
    REFUSED(offsets, negative, HANJI_E_ARGUMENT);
    REFUSED(input, NULL, HANJI_E_ARGUMENT);
    REFUSED(keys, NULL, HANJI_E_ARGUMENT);
    REFUSED(direction, (hanji_direction)2, HANJI_E_ARGUMENT);
    REFUSED(device, NULL, HANJI_E_ARGUMENT);
    REFUSED(epoch, NULL, HANJI_E_ARGUMENT);
    REFUSED(number, NULL, HANJI_E_ARGUMENT);
    REFUSED(payload, NULL, HANJI_E_ARGUMENT);
    REFUSED(payload_bytes, good.payload_bytes - 1, HANJI_E_LENGTH);
    REFUSED(payload_offsets, NULL, HANJI_E_ARGUMENT);
    REFUSED(scratch, NULL, HANJI_E_ARGUMENT);
    REFUSED(frames, SIZE_MAX / 2, HANJI_E_ARGUMENT);
    /* Pairs of arrays that overlap, one of them written. */
    REFUSED(epoch, got_device, HANJI_E_ARGUMENT);
    REFUSED(number, got_epoch + 1, HANJI_E_ARGUMENT);
    REFUSED(device, (uint32_t *)(void *)(memory + 8), HANJI_E_ARGUMENT);
    REFUSED(device, (uint32_t *)(void *)&keys, HANJI_E_ARGUMENT);
    REFUSED(device, (uint32_t *)(void *)&call, HANJI_E_ARGUMENT);
    REFUSED(device, (uint32_t *)(void *)offsets, HANJI_E_ARGUMENT);
    REFUSED(payload, input + 5, HANJI_E_ARGUMENT);
    REFUSED(payload, input + 6, HANJI_E_ARGUMENT);
    REFUSED(payload, scratch + 9, HANJI_E_ARGUMENT);
    REFUSED(payload, (uint8_t *)UINTPTR_MAX - 5, HANJI_E_ARGUMENT);
    REFUSED(payload_offsets, offsets, HANJI_E_ARGUMENT);
    REFUSED(payload_offsets, (int64_t *)(void *)payload, HANJI_E_ARGUMENT);
    REFUSED(status, (int8_t *)payload, HANJI_E_ARGUMENT);
    REFUSED(scratch, input, HANJI_E_ARGUMENT);
    REFUSED(scratch, (uint8_t *)got_number, HANJI_E_ARGUMENT);
    call = good;
    call.status = NULL;
    CHECK(RUN(&call) == HANJI_E_ARGUMENT);
#undef RUN
}

static void refused_seals_write_nothing(void)
{
    static const int64_t decreasing[] = {0, 60, 50}, negative[] = {-1, 60, 90};
    CHECK(make_table(16));
    CHECK(make_frames(2, 1, 30, 0, 0));
    hanji_telemetry_sealing good = sealing_of(2, HANJI_FRAME_SCHWAEMM256_128);
    good.output_bytes = (size_t)plain_offsets[2] + 64;
    hanji_telemetry_sealing call = good;
#define RUN hanji_telemetry_seal
    CHECK(RUN(&call) == 0);
    CHECK(RUN(NULL) == HANJI_E_ARGUMENT);
    REFUSED(algorithm, 0, HANJI_E_ARGUMENT);
    REFUSED(algorithm, 4, HANJI_E_ARGUMENT);
    REFUSED(direction, (hanji_direction)-1, HANJI_E_ARGUMENT);
    REFUSED(device, NULL, HANJI_E_ARGUMENT);
    REFUSED(epoch, NULL, HANJI_E_ARGUMENT);
    REFUSED(number, NULL, HANJI_E_ARGUMENT);
    REFUSED(payload_offsets, NULL, HANJI_E_ARGUMENT);
    REFUSED(payload_offsets, decreasing, HANJI_E_ARGUMENT);
    REFUSED(payload_offsets, negative, HANJI_E_ARGUMENT);
    REFUSED(payload, NULL, HANJI_E_ARGUMENT);
    REFUSED(keys, NULL, HANJI_E_ARGUMENT);
    REFUSED(output, NULL, HANJI_E_ARGUMENT);
    REFUSED(output_bytes, good.output_bytes - 1, HANJI_E_LENGTH);
    REFUSED(offsets, NULL, HANJI_E_ARGUMENT);
    REFUSED(scratch, NULL, HANJI_E_ARGUMENT);
    REFUSED(frames, SIZE_MAX / 2, HANJI_E_ARGUMENT);
    REFUSED(output, plain, HANJI_E_ARGUMENT);
    REFUSED(output, (uint8_t *)device, HANJI_E_ARGUMENT);
    REFUSED(output, (uint8_t *)&keys, HANJI_E_ARGUMENT);
    REFUSED(output, scratch, HANJI_E_ARGUMENT);
    REFUSED(offsets, plain_offsets, HANJI_E_ARGUMENT);
    REFUSED(offsets, (int64_t *)(void *)output, HANJI_E_ARGUMENT);
    REFUSED(scratch, memory, HANJI_E_ARGUMENT);
    REFUSED(status, (int8_t *)number, HANJI_E_ARGUMENT);
#undef RUN
}

static void statuses_have_names(void)
{
    CHECK(strcmp(hanji_frame_status_name(HANJI_E_TAG), "forged") == 0);
    for (int i = HANJI_FRAME_NULL; i <= HANJI_FRAME_TRUNCATED; i++)
        CHECK(hanji_frame_status_name(i) != NULL);
    CHECK(hanji_frame_status_name(HANJI_FRAME_NULL - 1) == NULL && !hanji_frame_status_name(1));
}

int main(void)
{
    static const test_case cases[] = {
        {"opens what single calls seal", opens_what_single_calls_seal},
        {"opens windows of large payloads", opens_windows_of_large_payloads},
        {"directions have keys of their own", directions_have_keys_of_their_own},
        {"seals what single calls seal", seals_what_single_calls_seal},
        {"scratch does not depend on secrets", scratch_does_not_depend_on_secrets},
        {"too long payloads are not sealed", too_long_payloads_are_not_sealed},
        {"tables hold each device once", tables_hold_each_device_once},
        {"one key opens all devices", one_key_opens_all_devices},
        {"refused calls write nothing", refused_calls_write_nothing},
        {"refused seals write nothing", refused_seals_write_nothing},
        {"statuses have names", statuses_have_names},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
