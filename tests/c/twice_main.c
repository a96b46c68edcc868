/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values read twice from memory that others write. The memory of a case is mapped without rights:
 * every access of the library ends in a signal handler, which allows one instruction and counts it.
 * After the k-th access the handler replaces the contents, as another process with the same memory
 * could; each case goes through all k, in both directions. So a value that is read twice is found
 * each time, and not when two threads happen to meet.
 *
 * For x86-64 Linux: the handler steps with the trap flag. The tier is that of HANJI_FORCE.
 */
#define _GNU_SOURCE
#include "aeads.h"
#include "check.h"
#include "hanji/telemetry.h"
#include "slhdsa_small.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define AREA 16384u /* bytes of the watched memory */
#define TRAP_FLAG 0x100

static uint8_t *watched, *behind; /* the same memory twice; `behind` is always there */
static uint8_t second_contents[AREA];
static size_t used; /* bytes of it */
static volatile sig_atomic_t accesses, change_at;
static volatile sig_atomic_t watching;

static void rights(int rights_now)
{
    if (mprotect(watched, AREA, rights_now) != 0)
        abort();
}

static void on_access(int number, siginfo_t *info, void *context)
{
    const uintptr_t at = (uintptr_t)info->si_addr;
    if (!watching || at < (uintptr_t)watched || at >= (uintptr_t)watched + AREA) {
        signal(number, SIG_DFL); /* a fault of the library: it comes again and ends the program */
        return;
    }
    rights(PROT_READ | PROT_WRITE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    accesses = accesses + 1;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (accesses == change_at)
        memcpy(behind, second_contents, used); /* and no more is watched: it would cost time */
    else if (watching)
        rights(PROT_NONE);
}

static int make_area(void)
{
    const int file = memfd_create("twice", 0);
    if (file < 0 || ftruncate(file, AREA) != 0)
        return -1;
    watched = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    behind = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};
    action.sa_sigaction = on_access;
    if (sigaction(SIGSEGV, &action, NULL) != 0)
        return -1;
    action.sa_sigaction = on_step;
    return sigaction(SIGTRAP, &action, NULL);
}

/* The contents are `now`, and after k accesses `later`. */
static void watch(const uint8_t *now, const uint8_t *later, size_t bytes, int k)
{
    used = bytes;
    memcpy(behind, now, bytes);
    memmove(second_contents, later, bytes);
    accesses = 0;
    change_at = k;
    watching = 1;
    rights(PROT_NONE);
}

/* How many accesses there were. */
static int leave(void)
{
    watching = 0;
    rights(PROT_READ | PROT_WRITE);
    return accesses;
}

/*
 * The accesses after which the contents change: none at first, which counts them, then all where
 * there are few, or about 25 of many. What is read once more is read so everywhere.
 */
#define EACH_PLACE                                       \
    for (int k = 0, accessed = 0, total = 0; k <= total; \
         total = k == 0 ? accessed : total, k += 1 + total / 25)

/* A control: a function that reads a byte twice and one that reads it once. */
static volatile uint8_t seen[2];

static void control_is_found(void)
{
    const uint8_t a = 1, b = 2;
    int found = 0, places = 0;
    EACH_PLACE
    {
        watch(&a, &b, 1, k);
        seen[0] = *(volatile uint8_t *)watched;
        seen[1] = *(volatile uint8_t *)watched;
        accessed = leave();
        found += seen[0] == 1 && seen[1] == 2;
        places++;
    }
    CHECK(places == 3 && found == 1); /* unchanged, and after either of two accesses */
    watch(&a, &b, 1, 1);
    seen[0] = *(volatile uint8_t *)watched;
    CHECK(leave() == 1 && seen[0] == 1 && behind[0] == 2);
}

#define MOST 260
static uint8_t plain[MOST * 40], sealed[MOST * 40], other[MOST * 40], out[MOST * 40];
static const size_t lengths[] = {7, 17, 65, 130};
#define LENGTHS (sizeof lengths / sizeof lengths[0])
static uint8_t key[32], nonce[32], tag[32];

/* Both directions: genuine, then changed; and changed, then genuine. */
#define BOTH_WAYS(...)                               \
    for (int way = 0; way < 2; way++) {              \
        const uint8_t *now = way ? other : sealed;   \
        const uint8_t *later = way ? sealed : other; \
        EACH_PLACE                                   \
        {                                            \
            __VA_ARGS__                              \
        }                                            \
    }

/* An opened message has the sealed plaintext, one that is refused has no bytes. */
#define RIGHT_OR_REFUSED(rc, n) \
    (((rc) == HANJI_OK && same(out, plain, n)) || ((rc) == HANJI_E_TAG && zeros(out, n)))

static int zeros(const uint8_t *p, size_t bytes)
{
    uint8_t any = 0;
    for (size_t i = 0; i < bytes; i++)
        any |= p[i];
    return any == 0;
}

static void aeads_open(void)
{
    for (int a = 0; a < AEADS; a++) {
        case_context = aeads[a].name;
        for (size_t l = 0; l < LENGTHS; l++) {
            const size_t n = lengths[l];
            CHECK(aeads[a].encrypt_detached(sealed, tag, plain, n, NULL, 0, nonce, key) ==
                  HANJI_OK);
            for (size_t i = 0; i < n; i++)
                other[i] = sealed[i] ^ 0xff;
            BOTH_WAYS({
                watch(now, later, n, k);
                const int rc = aeads[a].decrypt_detached(out, watched, n, tag, NULL, 0, nonce, key);
                accessed = leave();
                CHECK(RIGHT_OR_REFUSED(rc, n));
            })
        }
    }
}

static const hanji_cipher *const *eax_ciphers(size_t *count)
{
    static const hanji_cipher *ciphers[2];
    ciphers[0] = hanji_speck64_128();
    ciphers[1] = hanji_simon128_128();
    *count = 2;
    return ciphers;
}

static void eax_opens(void)
{
    size_t count;
    const hanji_cipher *const *ciphers = eax_ciphers(&count);
    for (size_t c = 0; c < count; c++) {
        case_context = hanji_cipher_name(ciphers[c]);
        const size_t b = hanji_cipher_block_bytes(ciphers[c]);
        static hanji_any_block_ctx block;
        hanji_eax_ctx eax;
        CHECK(hanji_block_init(key, 16, ciphers[c], &block.head, sizeof block) == HANJI_OK);
        CHECK(hanji_block_set_limit(UINT64_MAX, &block.head) == HANJI_OK);
        CHECK(hanji_eax_init(b, &block.head, &eax) == HANJI_OK);
        for (size_t l = 0; l < LENGTHS; l++) {
            const size_t n = lengths[l];
            CHECK(hanji_eax_encrypt_detached(sealed, tag, plain, n, NULL, 0, nonce, 12, &eax) ==
                  HANJI_OK);
            for (size_t i = 0; i < n; i++)
                other[i] = sealed[i] ^ 0xff;
            BOTH_WAYS({
                watch(now, later, n, k);
                const int rc =
                    hanji_eax_decrypt_detached(out, watched, n, tag, b, NULL, 0, nonce, 12, &eax);
                accessed = leave();
                CHECK(RIGHT_OR_REFUSED(rc, n));
            })
        }
    }
}

/* A window is not the whole: text and tag of many windows, changed between any two reads of it. */
static void eax_opens_long_messages(void)
{
    static uint8_t text[12000], made[12000], before[12000], after[12000];
    static hanji_any_block_ctx block;
    hanji_eax_ctx eax;
    CHECK(hanji_block_init(key, 16, hanji_speck64_128(), &block.head, sizeof block) == HANJI_OK);
    CHECK(hanji_block_set_limit(UINT64_MAX, &block.head) == HANJI_OK);
    CHECK(hanji_eax_init(8, &block.head, &eax) == HANJI_OK);
    pseudo_random(text, sizeof text, 5);
    CHECK(hanji_eax_encrypt_detached(before, tag, text, sizeof text, NULL, 0, nonce, 8, &eax) ==
          HANJI_OK);
    memcpy(after, before, sizeof after);
    for (size_t i = 0; i < sizeof after; i += 37)
        after[i] ^= 1;
    EACH_PLACE
    {
        watch(before, after, sizeof before, k);
        const int rc =
            hanji_eax_decrypt_detached(made, watched, sizeof text, tag, 8, NULL, 0, nonce, 8, &eax);
        accessed = leave();
        CHECK(rc == HANJI_OK ? same(made, text, sizeof text)
                             : rc == HANJI_E_TAG && zeros(made, sizeof made));
    }
}

/* Others write to the ciphertext while it is sealed: no tag is made of what they wrote. */
static void eax_seals(void)
{
    size_t count;
    const hanji_cipher *const *ciphers = eax_ciphers(&count);
    for (size_t c = 0; c < count; c++) {
        case_context = hanji_cipher_name(ciphers[c]);
        static hanji_any_block_ctx block;
        hanji_eax_ctx eax;
        const size_t b = hanji_cipher_block_bytes(ciphers[c]);
        CHECK(hanji_block_init(key, 16, ciphers[c], &block.head, sizeof block) == HANJI_OK);
        CHECK(hanji_block_set_limit(UINT64_MAX, &block.head) == HANJI_OK);
        CHECK(hanji_eax_init(b, &block.head, &eax) == HANJI_OK);
        for (size_t l = 0; l < LENGTHS; l++) {
            const size_t n = lengths[l];
            uint8_t right[32];
            CHECK(hanji_eax_encrypt_detached(sealed, right, plain, n, NULL, 0, nonce, 12, &eax) ==
                  HANJI_OK);
            for (size_t i = 0; i < n; i++)
                other[i] = sealed[i] ^ 0xff;
            for (int pieces = 0; pieces < 2; pieces++) {
                EACH_PLACE
                {
                    int rc;
                    watch(other, other, n, k);
                    if (pieces) {
                        rc = hanji_eax_begin(nonce, 12, &eax);
                        rc = rc == HANJI_OK ? hanji_eax_update(watched, plain, n, &eax) : rc;
                        rc = rc == HANJI_OK ? hanji_eax_final(tag, &eax) : rc;
                    } else {
                        rc = hanji_eax_encrypt_detached(watched, tag, plain, n, NULL, 0, nonce, 12,
                                                        &eax);
                    }
                    accessed = leave();
                    CHECK(rc == HANJI_OK && same(tag, right, b));
                }
            }
        }
    }
}

#define FLEET 33
static int64_t starts[FLEET + 1];
static int8_t status[FLEET];
static uint8_t keys[FLEET * 32], nonces[FLEET * 32], tags[FLEET * 32], right_tags[FLEET * 32];
static const hanji_cipher *fleet_cipher;

static int64_t eax_fleet_encrypt(const hanji_fleet *fleet)
{
    return hanji_eax_fleet_encrypt(fleet, fleet_cipher);
}

static int64_t eax_fleet_decrypt(const hanji_fleet *fleet)
{
    return hanji_eax_fleet_decrypt(fleet, fleet_cipher);
}

typedef int64_t fleet_fn(const hanji_fleet *fleet);

/* Fleets of few and of many messages, of one length and of several, opened and (EAX) sealed. */
static void one_fleet(size_t messages, size_t length, int ragged, size_t key_bytes,
                      size_t nonce_bytes, size_t tag_bytes, fleet_fn *seal, fleet_fn *open,
                      int also_seal)
{
    for (size_t i = 0; i < messages; i++)
        starts[i + 1] = starts[i] + (int64_t)(ragged ? (length + 5 * i) % 97 : length);
    const size_t n = (size_t)starts[messages];
    hanji_fleet fleet = {.messages = messages,
                         .offsets = starts,
                         .input = plain,
                         .output = sealed,
                         .keys = keys,
                         .key_stride = key_bytes,
                         .nonces = nonces,
                         .nonce_bytes = nonce_bytes,
                         .tags = tags,
                         .tag_bytes = tag_bytes,
                         .status = status};
    CHECK(seal(&fleet) == 0);
    for (size_t i = 0; i < n; i++)
        other[i] = sealed[i] ^ 0xff;
    fleet.input = watched;
    fleet.output = out;
    BOTH_WAYS({
        watch(now, later, n, k);
        const int64_t failed = open(&fleet);
        accessed = leave();
        CHECK(failed >= 0);
        for (size_t i = 0; i < messages; i++) {
            const size_t at = (size_t)starts[i], bytes = (size_t)starts[i + 1] - at;
            CHECK(status[i] == HANJI_OK ? same(out + at, plain + at, bytes)
                                        : status[i] == HANJI_E_TAG && zeros(out + at, bytes));
        }
    })
    if (!also_seal)
        return;
    fleet.input = plain;
    fleet.output = watched;
    memcpy(right_tags, tags, messages * tag_bytes);
    EACH_PLACE
    {
        watch(other, other, n, k);
        const int64_t failed = seal(&fleet);
        accessed = leave();
        CHECK(failed == 0 && same(tags, right_tags, messages * tag_bytes));
    }
}

static void fleets(void)
{
    static const size_t sizes[] = {5, 33};
    static const size_t texts[] = {40};
    static fleet_fn *const calls[5][2] = {
        {hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm256_128_fleet_decrypt},
        {hanji_schwaemm192_192_fleet_encrypt, hanji_schwaemm192_192_fleet_decrypt},
        {hanji_schwaemm128_128_fleet_encrypt, hanji_schwaemm128_128_fleet_decrypt},
        {hanji_schwaemm256_256_fleet_encrypt, hanji_schwaemm256_256_fleet_decrypt},
        {hanji_ascon_aead128_fleet_encrypt, hanji_ascon_aead128_fleet_decrypt},
    };
    size_t count;
    const hanji_cipher *const *ciphers = eax_ciphers(&count);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            for (int ragged = 0; ragged < 2; ragged++) {
                for (size_t a = 0; a < AEADS && !case_failed; a++) {
                    case_context = aeads[a].name;
                    one_fleet(sizes[s], texts[t], ragged, aeads[a].key_bytes, aeads[a].nonce_bytes,
                              aeads[a].tag_bytes, calls[a][0], calls[a][1], 0);
                }
                for (size_t c = 0; c < count && !case_failed; c++) {
                    fleet_cipher = ciphers[c];
                    case_context = hanji_cipher_name(fleet_cipher);
                    one_fleet(sizes[s], texts[t], ragged, 16, 8, 8, eax_fleet_encrypt,
                              eax_fleet_decrypt, 1);
                }
                if (case_failed)
                    return;
            }
}

/* Frames: two devices, whose master keys differ. */
#define FRAMES 30
static uint8_t masters[2 * 16], table_memory[1024], scratch[HANJI_TELEMETRY_SCRATCH_BYTES];
static hanji_master_keys table;
static uint32_t device[FRAMES], epoch[FRAMES], number[FRAMES];
static uint32_t got_device[FRAMES], got_epoch[FRAMES], got_number[FRAMES];
static int64_t frame_starts[FRAMES + 1], payload_starts[FRAMES + 1], got_starts[FRAMES + 1];
static int8_t frame_status[FRAMES];
static uint8_t payloads[FRAMES * 8], got_payloads[FRAMES * 64], frames[FRAMES * 64];

static int make_table(void)
{
    static const uint32_t devices[2] = {7, 8};
    pseudo_random(masters, sizeof masters, 11);
    return hanji_master_keys_init(&table, NULL, table_memory, sizeof table_memory, devices, masters,
                                  2, 16);
}

static int64_t seal_frames(const hanji_master_keys *with, size_t n, int algorithm)
{
    for (size_t i = 0; i <= n; i++)
        payload_starts[i] = 4 * (int64_t)i;
    const hanji_telemetry_sealing call = {.frames = n,
                                          .device = device,
                                          .epoch = epoch,
                                          .number = number,
                                          .payload_offsets = payload_starts,
                                          .payload = payloads,
                                          .keys = with,
                                          .direction = HANJI_FROM_DEVICE,
                                          .algorithm = algorithm,
                                          .output = frames,
                                          .output_bytes = sizeof frames,
                                          .offsets = frame_starts,
                                          .status = frame_status,
                                          .scratch = scratch};
    return hanji_telemetry_seal(&call);
}

static int64_t open_frames(const uint8_t *from, const int64_t *offsets, size_t n, size_t room)
{
    const hanji_telemetry_opening call = {.frames = n,
                                          .offsets = offsets,
                                          .input = from,
                                          .keys = &table,
                                          .direction = HANJI_FROM_DEVICE,
                                          .device = got_device,
                                          .epoch = got_epoch,
                                          .number = got_number,
                                          .payload = got_payloads,
                                          .payload_bytes = room,
                                          .payload_offsets = got_starts,
                                          .status = frame_status,
                                          .scratch = scratch};
    return hanji_telemetry_open(&call);
}

/*
 * Every byte of the headers changes meanwhile. Frames that were sealed under the key of device 7
 * for device 8 open as neither; genuine ones open as what was sealed, or not at all.
 */
static void frames_are_of_their_device(void)
{
    const size_t n = 3;
    CHECK(make_table() == HANJI_OK);
    for (int algorithm = 1; algorithm <= 3; algorithm++) {
        for (int forged = 0; forged < 2; forged++) {
            hanji_master_keys one;
            CHECK(hanji_master_keys_one(&one, masters, 16) == HANJI_OK);
            for (size_t i = 0; i < n; i++) {
                device[i] = forged ? 8 : 7;
                epoch[i] = 3;
                number[i] = (uint32_t)i;
            }
            pseudo_random(payloads, 4 * n, 3);
            CHECK(seal_frames(&one, n, algorithm) == 0);
            const size_t bytes = (size_t)frame_starts[n];
            memcpy(sealed, frames, bytes);
            for (size_t at = 0; at < 20;
                 at += at < 2 ? 1 : 4) { /* of the header, and of the payload */
                memcpy(other, frames, bytes);
                for (size_t i = 0; i < n; i++)
                    other[(size_t)frame_starts[i] + at] ^= at == 2 ? 7 ^ 8 : 1;
                BOTH_WAYS({
                    watch(now, later, bytes, k);
                    const int64_t failed = open_frames(watched, frame_starts, n, bytes);
                    accessed = leave();
                    CHECK(failed >= 0);
                    for (size_t i = 0; i < n; i++)
                        CHECK(frame_status[i] != HANJI_OK ||
                              (!forged && got_device[i] == 7 && got_epoch[i] == 3 &&
                               got_number[i] == i &&
                               same(got_payloads + got_starts[i], payloads + 4 * i, 4)));
                })
            }
        }
    }
}

/* Offsets that are sound when the call begins, and later not: no byte outside is touched. */
static void offsets_of_frames_change(void)
{
    static const int64_t bad[] = {-1, 0, (int64_t)1 << 40};
    static int64_t sound[FRAMES + 1], unsound[FRAMES + 1];
    CHECK(make_table() == HANJI_OK);
    for (size_t i = 0; i < FRAMES; i++) {
        device[i] = 7 + i % 2;
        epoch[i] = 1;
        number[i] = (uint32_t)i;
    }
    pseudo_random(payloads, sizeof payloads, 4);
    CHECK(seal_frames(&table, FRAMES, 3) == 0);
    memcpy(sound, frame_starts, sizeof sound);
    const size_t bytes = (size_t)frame_starts[FRAMES];
    for (size_t place = 0; place <= FRAMES;
         place += place == 0 || place == FRAMES - 1 ? 1 : FRAMES / 2 - 1)
        for (size_t v = 0; v < sizeof bad / sizeof bad[0]; v++) {
            memcpy(unsound, sound, sizeof sound);
            unsound[place] = bad[v];
            EACH_PLACE
            {
                watch((const uint8_t *)sound, (const uint8_t *)unsound, sizeof sound, k);
                memset(got_payloads, 0x5a, sizeof got_payloads);
                const int64_t failed =
                    open_frames(frames, (const int64_t *)(const void *)watched, FRAMES, bytes);
                accessed = leave();
                CHECK(failed >= 0 || failed == HANJI_E_ARGUMENT || failed == HANJI_E_LENGTH);
                CHECK(got_payloads[bytes] == 0x5a);
                for (size_t i = 0; failed >= 0 && i < FRAMES; i++)
                    CHECK(frame_status[i] != HANJI_OK || got_device[i] == device[i]);
            }
        }
}

/* Numbers of what is sealed change meanwhile: each frame is of one device, epoch and number. */
static void sealing_reads_once(void)
{
    const size_t n = 5;
    uint32_t *const columns[] = {device, epoch, number};
    CHECK(make_table() == HANJI_OK);
    pseudo_random(payloads, sizeof payloads, 4);
    for (int which = 0; which < 4; which++) {
        uint32_t a[FRAMES], b[FRAMES];
        for (size_t i = 0; i < n; i++) {
            device[i] = 7;
            epoch[i] = 1;
            number[i] = (uint32_t)i;
            a[i] = which < 3 ? columns[which][i] : 0;
            b[i] = which == 0 ? 8 : a[i] + 100;
        }
        for (size_t i = 0; i <= n; i++)
            payload_starts[i] = 4 * (int64_t)i;
        EACH_PLACE
        {
            hanji_telemetry_sealing call = {.frames = n,
                                            .device = device,
                                            .epoch = epoch,
                                            .number = number,
                                            .payload_offsets = payload_starts,
                                            .payload = payloads,
                                            .keys = &table,
                                            .direction = HANJI_FROM_DEVICE,
                                            .algorithm = 3,
                                            .output = frames,
                                            .output_bytes = sizeof frames,
                                            .offsets = frame_starts,
                                            .status = frame_status,
                                            .scratch = scratch};
            int64_t unsound[FRAMES + 1];
            memcpy(unsound, payload_starts, sizeof unsound);
            unsound[2] = (int64_t)1 << 40;
            const uint32_t *const there = (const uint32_t *)(const void *)watched;
            if (which == 0)
                call.device = there;
            else if (which == 1)
                call.epoch = there;
            else if (which == 2)
                call.number = there;
            else
                call.payload_offsets = (const int64_t *)(const void *)watched;
            if (which == 3)
                watch((const uint8_t *)payload_starts, (const uint8_t *)unsound,
                      (n + 1) * sizeof unsound[0], k);
            else
                watch((const uint8_t *)a, (const uint8_t *)b, 4 * n, k);
            const int64_t failed = hanji_telemetry_seal(&call);
            accessed = leave();
            CHECK(failed == 0 || (which == 3 && failed == HANJI_E_ARGUMENT));
            if (failed != 0)
                continue;
            CHECK(open_frames(frames, frame_starts, n, sizeof got_payloads) == 0);
            for (size_t i = 0; i < n; i++) {
                const uint32_t *const got[] = {got_device, got_epoch, got_number};
                if (which < 3)
                    CHECK(got[which][i] == a[i] || got[which][i] == b[i]);
            }
        }
    }
}

/*
 * More frames than a window has, so that others can change the offsets of the second window after
 * the first has been worked on. `many` is device, epoch and number at once.
 */
enum { MANY = 520, FIRST = 512, SHORT = 4 };
static uint32_t many[MANY], got_many[3][MANY];
static int64_t many_starts[MANY + 1], frames_starts[MANY + 1], made_starts[MANY + 1];
static int64_t unsound_starts[MANY + 1];
static uint8_t many_payloads[MANY * SHORT], many_frames[MANY * (SHORT + 32)];
static uint8_t made[sizeof many_frames];
static int8_t many_status[MANY];
static hanji_master_keys one_key;

static int64_t seal_many(const int64_t *offsets, int algorithm, uint8_t *to, int64_t *to_starts)
{
    const hanji_telemetry_sealing call = {.frames = MANY,
                                          .device = many,
                                          .epoch = many,
                                          .number = many,
                                          .payload_offsets = offsets,
                                          .payload = many_payloads,
                                          .keys = &one_key,
                                          .direction = HANJI_FROM_DEVICE,
                                          .algorithm = algorithm,
                                          .output = to,
                                          .output_bytes = sizeof many_frames,
                                          .offsets = to_starts,
                                          .status = many_status,
                                          .scratch = scratch};
    return hanji_telemetry_seal(&call);
}

static int64_t open_many(const int64_t *offsets)
{
    const hanji_telemetry_opening call = {.frames = MANY,
                                          .offsets = offsets,
                                          .input = many_frames,
                                          .keys = &one_key,
                                          .direction = HANJI_FROM_DEVICE,
                                          .device = got_many[0],
                                          .epoch = got_many[1],
                                          .number = got_many[2],
                                          .payload = made,
                                          .payload_bytes = sizeof made,
                                          .payload_offsets = made_starts,
                                          .status = many_status,
                                          .scratch = scratch};
    return hanji_telemetry_open(&call);
}

/*
 * Seal or open; an offset of the second window changes once all are checked. The call is refused
 * and its outputs hold nothing of the first window.
 */
static void refuse_second_window(int opening, int algorithm, uint32_t secrets)
{
    pseudo_random(masters, 16, secrets);
    pseudo_random(many_payloads, sizeof many_payloads, secrets + 1);
    CHECK(hanji_master_keys_one(&one_key, masters, 16) == HANJI_OK);
    for (size_t i = 0; i <= MANY; i++) {
        many_starts[i] = SHORT * (int64_t)i;
        if (i < MANY)
            many[i] = (uint32_t)i;
    }
    CHECK(seal_many(many_starts, algorithm, many_frames, frames_starts) == 0);
    const int64_t *const sound = opening ? frames_starts : many_starts;
    memcpy(unsound_starts, sound, sizeof unsound_starts);
    unsound_starts[FIRST + 3] = (int64_t)1 << 40;
    memset(made, 0x5a, sizeof made);
    memset(made_starts, 0x5a, sizeof made_starts);
    memset(scratch, 0x77, sizeof scratch);
    watch((const uint8_t *)sound, (const uint8_t *)unsound_starts, sizeof unsound_starts, MANY + 1);
    const int64_t *const offsets = (const int64_t *)(const void *)watched;
    const int64_t failed =
        opening ? open_many(offsets) : seal_many(offsets, algorithm, made, made_starts);
    (void)leave();
    CHECK(failed == HANJI_E_ARGUMENT);
    const size_t written = opening ? FIRST * SHORT : (size_t)frames_starts[FIRST];
    CHECK(zeros(made, written) && made[written] == 0x5a); /* the first window was worked on */
    CHECK(zeros((const uint8_t *)made_starts, sizeof made_starts));
    for (size_t i = 0; i < MANY; i++)
        CHECK(many_status[i] == HANJI_E_ARGUMENT);
}

/* Nothing of the scratch memory of a call that is refused half-way depends on keys or payloads. */
static void refused_frames_leave_no_secrets(void)
{
    static uint8_t before[sizeof scratch], frames_before[sizeof many_frames];
    for (int opening = 0; opening < 2; opening++)
        for (int algorithm = 1; algorithm <= 3; algorithm++) {
            refuse_second_window(opening, algorithm, 21);
            if (case_failed)
                return;
            memcpy(before, scratch, sizeof before);
            memcpy(frames_before, many_frames, sizeof frames_before);
            refuse_second_window(opening, algorithm, 31);
            CHECK(!same(frames_before, many_frames, sizeof frames_before)); /* other secrets */
            CHECK(same(before, scratch, sizeof before));
        }
}

/* Memory of SLH-DSA that others write: the message, then the signature. */
static uint8_t slh_made[SMALL_SIGNATURE_MAX], slh_now[SMALL_SIGNATURE_MAX],
    slh_later[SMALL_SIGNATURE_MAX];

static int slh_verify(const uint8_t *signature, const uint8_t *message, size_t bytes, int mode)
{
    return hanji_slhdsa_verify(signature, small_bytes, message, bytes, NULL, 0, mode, small_public,
                               small_public_bytes, &small_set);
}

/*
 * Signing reads the message twice in pure mode, and the readings must agree; once with a hash. What
 * is signed is what stood there once, whole, or in hashed mode what was read.
 */
static void slhdsa_signs_one_message(void)
{
    CHECK(take_small(1));
    for (int hashed = 0; hashed < 2; hashed++) {
        const int mode = hashed ? HANJI_SLHDSA_SHAKE256 : HANJI_SLHDSA_PURE;
        for (size_t l = 0; l < LENGTHS; l++) {
            const size_t n = 2 * lengths[l]; /* up to two blocks */
            size_t changed = 0, right = 0, places = 0;
            for (size_t i = 0; i < n; i++) {
                slh_now[i] = (uint8_t)i;
                slh_later[i] = (uint8_t)~i;
            }
            EACH_PLACE
            {
                watch(slh_now, slh_later, n, k);
                memset(slh_made, 0x5a, small_bytes);
                const int rc = hanji_slhdsa_sign(slh_made, watched, n, NULL, 0, mode, small_secret,
                                                 small_secret_bytes, &small_set, HANJI_SLHDSA_CHECK,
                                                 NULL, NULL);
                accessed = leave();
                places++;
                if (rc == HANJI_OK) {
                    const int one = slh_verify(slh_made, slh_now, n, mode) == HANJI_OK;
                    right += (size_t)one;
                    /* of a single reading half may be of the one and half of the other */
                    CHECK(one || hashed || slh_verify(slh_made, slh_later, n, mode) == HANJI_OK);
                } else {
                    CHECK(!hashed && rc == HANJI_E_CHANGED && zeros(slh_made, small_bytes));
                    changed++;
                }
            }
            /* right where nothing changed, or only after all was read */
            CHECK(right > 0 && (hashed || changed + right == places));
            CHECK(hashed ? changed == 0 : changed > 0);
        }
    }
}

/* A genuine message or signature that becomes another one before it is read is refused. */
static void slhdsa_verifies_what_it_read(void)
{
    uint8_t text[260];
    CHECK(take_small(0));
    pseudo_random(text, sizeof text, 8);
    for (int mode = 0; mode <= HANJI_SLHDSA_SHAKE256; mode += HANJI_SLHDSA_SHAKE256) {
        CHECK(hanji_slhdsa_sign(slh_now, text, sizeof text, NULL, 0, mode, small_secret,
                                small_secret_bytes, &small_set, 0, NULL, NULL) == HANJI_OK);
        for (size_t i = 0; i < small_bytes; i++)
            slh_later[i] = slh_now[i] ^ 0xff;
        for (int way = 0; way < 2; way++) {
            int total_of_all = 0;
            EACH_PLACE
            {
                watch(way ? slh_later : slh_now, way ? slh_now : slh_later, small_bytes, k);
                const int rc = slh_verify(watched, text, sizeof text, mode);
                accessed = leave();
                total_of_all = k == 0 ? accessed : total_of_all;
                const int right = !way && (k == 0 || k >= total_of_all);
                CHECK(rc == (right ? HANJI_OK : HANJI_E_TAG));
            }
        }
        for (size_t i = 0; i < sizeof text; i++)
            slh_later[i] = text[i] ^ 0xff;
        for (int way = 0; way < 2; way++) {
            int total_of_all = 0;
            EACH_PLACE
            {
                watch(way ? slh_later : text, way ? text : slh_later, sizeof text, k);
                const int rc = slh_verify(slh_now, watched, sizeof text, mode);
                accessed = leave();
                total_of_all = k == 0 ? accessed : total_of_all;
                const int right = !way && (k == 0 || k >= total_of_all);
                CHECK(rc == (right ? HANJI_OK : HANJI_E_TAG));
            }
        }
    }
}

static const test_case cases[] = {
    {"the control is found", control_is_found},
    {"aeads open", aeads_open},
    {"eax opens", eax_opens},
    {"eax opens long messages", eax_opens_long_messages},
    {"eax seals", eax_seals},
    {"fleets", fleets},
    {"frames are of their device", frames_are_of_their_device},
    {"offsets of frames change", offsets_of_frames_change},
    {"sealing reads once", sealing_reads_once},
    {"refused frames leave no secrets", refused_frames_leave_no_secrets},
    {"slh-dsa signs one message", slhdsa_signs_one_message},
    {"slh-dsa verifies what it read", slhdsa_verifies_what_it_read},
};

int main(void)
{
    if (make_area() != 0) {
        (void)io_print("no memory can be watched\n");
        return 2;
    }
    pseudo_random(plain, sizeof plain, 1);
    pseudo_random(key, sizeof key, 2);
    pseudo_random(nonce, sizeof nonce, 3);
    pseudo_random(keys, sizeof keys, 4);
    pseudo_random(nonces, sizeof nonces, 5);
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
