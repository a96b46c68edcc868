/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of frames: a window of them at a time goes through header, master key, derivation and
 * AEAD, so that intermediate values stay in the cache of the core.
 */
#include "hanji/aead.h"
#include "hanji/fleet.h"
#include "hanji/hash.h"
#include "hanji/telemetry.h"
#include "sparkle/fleet_kernels.h"
#include "support/secret.h"
#include "telemetry/telemetry.h"

#define WINDOW 512      /* frames */
#define SEARCH_AHEAD 24 /* frames from one part of a search to the next: see search_step */
#define HEADER HANJI_FRAME_HEADER_BYTES
#define TAG_MAX 16
#define NONCE_MAX 32
#define KEY 16
#define VERSION 2
#define TEXT (176 << 10) /* payload bytes of a window: two of the largest, 352 per frame */

/*
 * The input of XOESCH256 for a key (docs/telemetry.md, Epoch keys): four fields, each after its
 * length in eight bytes: name of the derivation, master key, label, epoch and device. The first
 * two blocks are the same for all keys of a table, and are absorbed once in a call; a row is what
 * follows, from the last byte of the master key's length on.
 */
static const char derivation[] = "hanji epoch key 2";
#define DERIVATION (sizeof derivation - 1)
#define PLACE 12
#define LABEL_MAX 24
#define COMMON 32 /* bytes of the two blocks */
#define MASTER_AT (8 + DERIVATION + 8 - COMMON)
#define ROW_MAX (MASTER_AT + HANJI_MASTER_BYTES_MAX + 8 + LABEL_MAX + 8 + PLACE)
_Static_assert(MASTER_AT == 1, "two blocks end before the last byte of the master key's length");

typedef struct frame_algorithm {
    const char *labels[2]; /* by direction */
    uint8_t nonce_bytes, tag_bytes;
    int64_t (*seal)(const hanji_fleet *fleet);
    int64_t (*open)(const hanji_fleet *fleet);
} frame_algorithm;

static int64_t speck_seal(const hanji_fleet *fleet)
{
    return hanji_eax_fleet_encrypt(fleet, hanji_speck64_128());
}

static int64_t speck_open(const hanji_fleet *fleet)
{
    return hanji_eax_fleet_decrypt(fleet, hanji_speck64_128());
}

#define ALGORITHMS 3
static const frame_algorithm algorithms[ALGORITHMS] = {
    {{"schwaemm256-128", "command schwaemm256-128"},
     HANJI_SCHWAEMM256_128_NONCE_BYTES,
     HANJI_SCHWAEMM256_128_TAG_BYTES,
     hanji_schwaemm256_128_fleet_encrypt,
     hanji_schwaemm256_128_fleet_decrypt},
    {{"speck-64/128-eax", "command speck-64/128-eax"}, 8, 8, speck_seal, speck_open},
    {{"ascon-aead128", "command ascon-aead128"},
     HANJI_ASCON_AEAD128_NONCE_BYTES,
     HANJI_ASCON_AEAD128_TAG_BYTES,
     hanji_ascon_aead128_fleet_encrypt,
     hanji_ascon_aead128_fleet_decrypt},
};

/* Intermediate values, in the caller's scratch memory. */
typedef struct window {
    size_t frames;
    int sealing;
    hanji_direction direction;
    const hanji_master_keys *keys;
    size_t last;                   /* where the last frame or payload ends, when the call begins */
    int changed;                   /* somebody has changed the offsets since */
    size_t most_frames, most_text; /* of any window of the call so far: what wipe_secrets() wipes */
    uint32_t start[HANJI_XOESCH256_STATE_BYTES / 4]; /* after the blocks that all keys share */
    /* of every frame, in their order */
    const uint8_t *in[WINDOW]; /* the frame, or when sealing the payload */
    const uint8_t *master[WINDOW];
    /*
     * The next window, whose master keys are searched for while this one is worked on. What the
     * search reads of the caller's memory is kept, and not read again: others may write there.
     */
    const int64_t *next_offsets;
    const uint8_t *next_input;    /* the frames, when opening */
    const uint32_t *next_devices; /* when sealing */
    size_t next_frames, steps;
    size_t next_at;          /* where the first frame or payload begins */
    size_t next_end[WINDOW]; /* and where each ends */
    uint8_t next_header[WINDOW * HEADER];
    const uint8_t *next_master[WINDOW];
    size_t next_slot[WINDOW]; /* where the search stands */
    uint32_t next_device[WINDOW];
    uint8_t header[WINDOW * HEADER]; /* when opening */
    uint32_t device[WINDOW], epoch[WINDOW], number[WINDOW];
    uint32_t text_bytes[WINDOW], text_at[WINDOW]; /* the place in `text` */
    uint16_t place[WINDOW];                       /* among those of its algorithm */
    uint8_t algorithm[WINDOW];                    /* 0: nothing is left to do */
    int8_t status[WINDOW];
    /* of the frames of one algorithm, side by side */
    uint16_t frame[WINDOW], row[WINDOW]; /* the frame, and its row of the derivation */
    int64_t offsets[WINDOW + 1], ad_offsets[WINDOW + 1];
    int8_t result[WINDOW];
    uint8_t nonce[WINDOW * NONCE_MAX], ad[WINDOW * HEADER];
    /* What depends on secrets: see wipe_secrets(). */
    uint8_t tag[WINDOW * TAG_MAX];
    uint8_t key[WINDOW * KEY];
    uint8_t rows[WINDOW * ROW_MAX];
    uint8_t text[TEXT]; /* in place; texts of one algorithm follow each other */
} window;

_Static_assert(sizeof(window) + 63 <= HANJI_TELEMETRY_SCRATCH_BYTES, "scratch memory is too small");
_Static_assert(TEXT >= HANJI_FRAME_PAYLOAD_BYTES_MAX, "the largest payload fits a window");

const char *hanji_frame_status_name(int status)
{
    switch (status) {
    case HANJI_OK: return "opened";
    case HANJI_E_TAG: return "forged";
    case HANJI_E_LENGTH: return "too long";
    case HANJI_E_LIMIT: return "over the limit";
    case HANJI_FRAME_TRUNCATED: return "truncated";
    case HANJI_FRAME_OVERLONG: return "overlong";
    case HANJI_FRAME_VERSION: return "unknown version";
    case HANJI_FRAME_ALGORITHM: return "unknown algorithm";
    case HANJI_FRAME_DEVICE: return "unknown device";
    case HANJI_FRAME_REPLAYED: return "replayed";
    case HANJI_FRAME_NULL: return "null";
    default: return NULL;
    }
}

/*
 * Values in the caller's memory are read by these two, each once: compilers may read memory again
 * where the program does not say otherwise.
 */
static uint32_t number_once(const uint32_t *p)
{
    return *(const volatile uint32_t *)p;
}

static uint64_t offset_once(const int64_t *p)
{
    return (uint64_t) * (const volatile int64_t *)p;
}

/* A header, likewise: everything else reads the copy. */
static void header_once(uint8_t *copy, const uint8_t *header)
{
    memcpy(copy, header, HEADER);
    __asm__ __volatile__("" : : "r"(copy), "r"(header) : "memory");
}

/* Where the next window's frame or payload i begins, when the search is behind the one before. */
static size_t next_begin(const window *w, size_t i)
{
    return i == 0 ? w->next_at : w->next_end[i - 1];
}

/* Read where frame or payload i of the next window ends. */
static size_t read_end(window *w, size_t i)
{
    const size_t at = next_begin(w, i);
    uint64_t end = offset_once(w->next_offsets + i + 1);
    if (end < at || end > w->last) {
        w->changed = 1;
        end = at;
    }
    return w->next_end[i] = (size_t)end;
}

/*
 * One step of the searches for the master keys of the next window. Each has three parts, with so
 * many steps between them that memory has answered meanwhile: the first slot comes into the cache;
 * then the line behind it, where the search leaves its line; then the key is found.
 */
static void search_step(window *w)
{
    const hanji_master_keys *keys = w->keys;
    const size_t i = w->steps++;
    if (i < w->next_frames) {
        uint32_t device = 0; /* of a truncated frame: what is found is not used */
        const size_t at = next_begin(w, i), end = read_end(w, i);
        if (w->sealing) {
            device = number_once(w->next_devices + i);
        } else if (end - at >= HEADER) {
            uint8_t *header = w->next_header + HEADER * i;
            header_once(header, w->next_input + at);
            device = load_le32(header + 2);
        }
        w->next_device[i] = device;
        w->next_slot[i] = hanji_master_keys_begin(keys, device);
    }
    const size_t second = i - SEARCH_AHEAD, third = i - 2 * SEARCH_AHEAD;
    if (second < w->next_frames)
        w->next_slot[second] =
            hanji_master_keys_near(keys, w->next_device[second], w->next_slot[second]);
    if (third < w->next_frames)
        w->next_master[third] =
            hanji_master_keys_find(keys, w->next_device[third], w->next_slot[third]);
}

/* Search for all master keys of the next window that are not found yet. */
static void search_rest(window *w)
{
    while (w->steps < w->next_frames + 2 * SEARCH_AHEAD)
        search_step(w);
}

/*
 * Set up the next window, of `left` frames: the first begins at `at`, and offsets and devices begin
 * with it.
 */
static void expect(window *w, size_t left, size_t at, const int64_t *offsets, const uint8_t *input,
                   const uint32_t *devices)
{
    w->next_frames = left < WINDOW ? left : WINDOW;
    w->steps = 0;
    w->next_at = at;
    w->next_offsets = offsets;
    w->next_input = input;
    w->next_devices = devices;
}

/* Frames of a window without a master key are left alone. */
static void leave_strangers(window *w)
{
    for (size_t i = 0; i < w->frames; i++)
        if (w->algorithm[i] != 0 && w->master[i] == NULL) {
            w->status[i] = HANJI_FRAME_DEVICE;
            w->algorithm[i] = 0;
        }
}

static size_t put_length(uint8_t *out, size_t bytes)
{
    store_le64(out, bytes);
    return 8;
}

/* The state of XOESCH256 after the blocks that the inputs of all keys begin with. */
static int begin_rows(window *w)
{
    uint8_t common[COMMON + 1] = {0};
    hanji_esch_ctx ctx;
    const size_t at = put_length(common, DERIVATION);
    memcpy(common + at, derivation, DERIVATION);
    common[at + DERIVATION] = (uint8_t)w->keys->master_bytes; /* its other seven bytes are 0 */
    int rc = hanji_xoesch256_init(&ctx);
    if (rc == HANJI_OK) /* a block is absorbed when a byte behind it is there */
        rc = hanji_xoesch256_update(common, sizeof common, &ctx);
    memcpy(w->start, ctx.state, sizeof w->start);
    return rc;
}

/*
 * The epoch keys of `count` frames of one algorithm, whose places are in w->frame. Neighbours of
 * one device and epoch share a row.
 */
static int64_t derive(window *w, size_t count, const char *label)
{
    uint8_t start[ROW_MAX] = {0};
    const size_t master_bytes = w->keys->master_bytes;
    size_t label_bytes = 0, at = MASTER_AT + master_bytes;
    for (; label[label_bytes] != '\0'; label_bytes++)
        start[at + 8 + label_bytes] = (uint8_t)label[label_bytes];
    at += put_length(start + at, label_bytes) + label_bytes;
    at += put_length(start + at, PLACE);
    const size_t row_bytes = at + PLACE;

    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t f = w->frame[i], before = i > 0 ? w->frame[i - 1] : 0;
        if (i == 0 || w->device[f] != w->device[before] || w->epoch[f] != w->epoch[before]) {
            uint8_t *row = w->rows + rows * row_bytes;
            memcpy(row, start, row_bytes);
            if (master_bytes == HANJI_MASTER_BYTES_MIN)
                memcpy(row + MASTER_AT, w->master[f], HANJI_MASTER_BYTES_MIN);
            else
                memcpy(row + MASTER_AT, w->master[f], master_bytes);
            store_le32(row + at, w->epoch[f]);
            store_le32(row + at + 8, w->device[f]);
            w->offsets[rows] = (int64_t)(rows * row_bytes);
            rows++;
        }
        w->row[i] = (uint16_t)(rows - 1);
        if (i % 2 == 0)
            search_step(w);
    }
    w->offsets[rows] = (int64_t)(rows * row_bytes);
    const hanji_fleet hashing = {.messages = rows,
                                 .offsets = w->offsets,
                                 .input = w->rows,
                                 .tags = w->key,
                                 .tag_bytes = KEY,
                                 .status = w->result};
    const int64_t failed = hanji_xoesch256_fleet_from(&hashing, w->start);
    if (failed != 0)
        return failed < 0 ? failed : HANJI_E_ARGUMENT;
    /* From the last on: a row is never behind its frame, so that no key is lost. */
    for (size_t i = rows < count ? count : 0; i-- > 0;)
        memmove(w->key + KEY * i, w->key + (size_t)KEY * w->row[i], KEY);
    return 0;
}

static void put_header(uint8_t *header, const window *w, size_t f)
{
    header[0] = VERSION;
    header[1] = w->algorithm[f];
    store_le32(header + 2, w->device[f]);
    store_le32(header + 6, w->epoch[f]);
    store_le32(header + 10, w->number[f]);
    header[14] = (uint8_t)w->text_bytes[f];
    header[15] = (uint8_t)(w->text_bytes[f] >> 8);
}

/* Bring together the inputs of the AEAD, for frames of one algorithm; `text`: bytes before. */
static size_t gather(window *w, size_t count, size_t text, const frame_algorithm *a)
{
    const size_t nonce_bytes = a->nonce_bytes, tag_bytes = a->tag_bytes;
    memset(w->nonce, 0, count * nonce_bytes);
    for (size_t i = 0; i < count; i++) {
        const size_t f = w->frame[i], bytes = w->text_bytes[f];
        const uint8_t *in = w->in[f];
        if (w->sealing) {
            put_header(w->ad + HEADER * i, w, f);
        } else {
            memcpy(w->ad + HEADER * i, w->header + HEADER * f, HEADER);
            in += HEADER;
            memcpy(w->tag + tag_bytes * i, in + bytes, tag_bytes);
        }
        if (bytes > 0)
            memcpy(w->text + text, in, bytes);
        store_le32(w->nonce + nonce_bytes * i, w->number[f]);
        w->offsets[i] = (int64_t)text;
        w->ad_offsets[i] = (int64_t)(HEADER * i);
        w->text_at[f] = (uint32_t)text;
        w->place[f] = (uint16_t)i;
        text += bytes;
        if (i % 2 != 0)
            search_step(w);
    }
    w->offsets[count] = (int64_t)text;
    w->ad_offsets[count] = (int64_t)(HEADER * count);
    if (w->most_text < text)
        w->most_text = text;
    return text;
}

/* All unfinished frames of a window. A negative code: the library refuses. */
static int64_t run(window *w)
{
    size_t text = 0;
    if (w->most_frames < w->frames)
        w->most_frames = w->frames;
    leave_strangers(w);
    for (unsigned which = 1; which <= ALGORITHMS; which++) {
        const frame_algorithm *a = &algorithms[which - 1];
        size_t count = 0;
        for (size_t i = 0; i < w->frames; i++)
            if (w->algorithm[i] == which)
                w->frame[count++] = (uint16_t)i;
        if (count == 0)
            continue;
        int64_t failed = derive(w, count, a->labels[w->direction]);
        if (failed < 0)
            return failed;
        text = gather(w, count, text, a);
        const hanji_fleet fleet = {.messages = count,
                                   .offsets = w->offsets,
                                   .input = w->text,
                                   .output = w->text,
                                   .ad_offsets = w->ad_offsets,
                                   .ad = w->ad,
                                   .keys = w->key,
                                   .key_stride = KEY,
                                   .nonces = w->nonce,
                                   .nonce_bytes = a->nonce_bytes,
                                   .tags = w->tag,
                                   .tag_bytes = a->tag_bytes,
                                   .status = w->result};
        failed = w->sealing ? a->seal(&fleet) : a->open(&fleet);
        if (failed < 0)
            return failed;
        for (size_t i = 0; i < count; i++)
            w->status[w->frame[i]] = w->result[i];
    }
    return 0;
}

/*
 * Take frame f of a window over from the search, and read its header; its status is final unless it
 * has an algorithm.
 */
static void parse(window *w, size_t f, const uint8_t *in, size_t bytes)
{
    const uint8_t *header = w->header + HEADER * f;
    w->in[f] = in;
    w->algorithm[f] = 0;
    w->device[f] = w->epoch[f] = w->number[f] = w->text_bytes[f] = 0;
    w->status[f] = HANJI_FRAME_TRUNCATED;
    if (bytes < HEADER)
        return;
    memcpy(w->header + HEADER * f, w->next_header + HEADER * f, HEADER);
    const uint8_t algorithm = header[1];
    w->device[f] = load_le32(header + 2);
    w->epoch[f] = load_le32(header + 6);
    w->number[f] = load_le32(header + 10);
    if (header[0] != VERSION) {
        w->status[f] = HANJI_FRAME_VERSION;
        return;
    }
    if (algorithm < 1 || algorithm > ALGORITHMS) {
        w->status[f] = HANJI_FRAME_ALGORITHM;
        return;
    }
    const size_t text = header[14] | (size_t)header[15] << 8,
                 whole = HEADER + text + algorithms[algorithm - 1].tag_bytes;
    if (bytes != whole) {
        w->status[f] = bytes < whole ? HANJI_FRAME_TRUNCATED : HANJI_FRAME_OVERLONG;
        return;
    }
    w->text_bytes[f] = (uint32_t)text;
    w->algorithm[f] = algorithm;
    w->master[f] = w->next_master[f];
}

/*
 * Wipe what depends on secrets (tags, epoch keys, master keys in the rows of the derivation, texts)
 * as far as the call has written it: for one frame, wiping the whole window would take four times
 * as long as the rest of the call. Everything else in a window is public, or an address.
 */
static void wipe_secrets(window *w)
{
    hanji_wipe(w->tag, TAG_MAX * w->most_frames);
    hanji_wipe(w->key, KEY * w->most_frames);
    hanji_wipe(w->rows, (size_t)ROW_MAX * w->most_frames);
    hanji_wipe(w->text, w->most_text);
}

/* The caller's scratch memory as a window; 64 bytes are the line of a cache. */
static window *window_in(uint8_t *scratch)
{
    return (window *)(void *)(scratch + (64 - (uintptr_t)scratch % 64) % 64);
}

/* Where the texts of a call begin and end. */
typedef struct extent {
    size_t first, last;
} extent;

/*
 * n + 1 offsets: HANJI_OK when they begin at 0 or later, never decrease, and fit a size. Each is
 * read once; the search for keys reads them once more, and stays within this extent.
 */
static int check_offsets(const int64_t *offsets, size_t n, extent *texts)
{
    if (offsets == NULL)
        return HANJI_E_ARGUMENT;
    const uint64_t first = offset_once(offsets);
    uint64_t last = first;
    if (first > INT64_MAX)
        return HANJI_E_ARGUMENT;
    for (size_t i = 1; i <= n; i++) {
        const uint64_t end = offset_once(offsets + i);
        if (end < last || end > INT64_MAX)
            return HANJI_E_ARGUMENT;
        last = end;
    }
    if (last > SIZE_MAX / 2)
        return HANJI_E_LENGTH;
    *texts = (extent){(size_t)first, (size_t)last};
    return HANJI_OK;
}

static int check_keys(const hanji_master_keys *keys, hanji_direction direction)
{
    if (keys == NULL || keys->master_bytes < HANJI_MASTER_BYTES_MIN ||
        keys->master_bytes > HANJI_MASTER_BYTES_MAX ||
        (direction != HANJI_FROM_DEVICE && direction != HANJI_TO_DEVICE))
        return HANJI_E_ARGUMENT;
    return HANJI_OK;
}

static size_t table_bytes(const hanji_master_keys *keys)
{
    return keys->slots == NULL ? 0 : keys->capacity * keys->stride;
}

static int check_opening(const hanji_telemetry_opening *call, extent *texts)
{
    if (call == NULL)
        return HANJI_E_ARGUMENT;
    const size_t n = call->frames;
    int rc = check_keys(call->keys, call->direction);
    if (rc == HANJI_OK)
        rc = hanji_selection();
    if (rc != HANJI_OK || n == 0)
        return rc;
    if (n > SIZE_MAX / 16 || call->device == NULL || call->epoch == NULL || call->number == NULL ||
        call->payload_offsets == NULL || call->status == NULL || call->scratch == NULL)
        return HANJI_E_ARGUMENT;
    rc = check_offsets(call->offsets, n, texts);
    if (rc != HANJI_OK)
        return rc;
    const size_t first = texts->first, bytes = texts->last - first;
    if (!valid(call->input, bytes) || !valid(call->payload, bytes))
        return HANJI_E_ARGUMENT;
    if (call->payload_bytes < bytes)
        return HANJI_E_LENGTH;
    const hanji_buffer spans[] = {
        {call->device, 4 * n},
        {call->epoch, 4 * n},
        {call->number, 4 * n},
        {call->payload, call->payload_bytes},
        {call->payload_offsets, 8 * (n + 1)},
        {call->status, n},
        {call->scratch, HANJI_TELEMETRY_SCRATCH_BYTES},
        {bytes == 0 ? NULL : call->input + first, bytes},
        {call->offsets, 8 * (n + 1)},
        {call->keys, sizeof *call->keys},
        {call->keys->slots, table_bytes(call->keys)},
        {call, sizeof *call},
    };
    return hanji_apart(spans, 7, sizeof spans / sizeof spans[0]) ? HANJI_OK : HANJI_E_ARGUMENT;
}

int64_t hanji_telemetry_open(const hanji_telemetry_opening *call)
{
    extent texts = {0, 0};
    const int rc = check_opening(call, &texts);
    if (rc != HANJI_OK || call->frames == 0)
        return rc;
    const size_t n = call->frames;
    window *w = window_in(call->scratch);
    w->sealing = 0;
    w->direction = call->direction;
    w->keys = call->keys;
    w->last = texts.last;
    w->changed = 0;
    w->most_frames = w->most_text = 0;
    size_t out = 0, at = texts.first;
    int64_t failed = 0, refused = begin_rows(w);
    expect(w, n, at, call->offsets, call->input, NULL);
    call->payload_offsets[0] = 0;
    for (size_t first = 0; first < n && refused == 0; first += w->frames) {
        size_t text = 0;
        search_rest(w);
        w->frames = 0;
        while (w->frames < WINDOW && first + w->frames < n) {
            const size_t end = w->next_end[w->frames], bytes = end - at;
            parse(w, w->frames, bytes > 0 ? call->input + at : w->ad, bytes);
            if (text + w->text_bytes[w->frames] > TEXT)
                break; /* it begins the next window */
            text += w->text_bytes[w->frames++];
            at = end;
        }
        memcpy(call->device + first, w->device, 4 * w->frames);
        memcpy(call->epoch + first, w->epoch, 4 * w->frames);
        memcpy(call->number + first, w->number, 4 * w->frames);
        const size_t after = first + w->frames;
        if (w->changed) {
            refused = HANJI_E_ARGUMENT;
            break;
        }
        expect(w, n - after, at, call->offsets + after, call->input, NULL);
        refused = run(w);
        if (refused < 0)
            break;
        memcpy(call->status + first, w->status, w->frames);
        for (size_t f = 0; f < w->frames; f++) {
            const size_t bytes = w->status[f] == HANJI_OK ? w->text_bytes[f] : 0;
            if (bytes > 0)
                memcpy(call->payload + out, w->text + w->text_at[f], bytes);
            out += bytes;
            failed += w->status[f] != HANJI_OK;
            call->payload_offsets[first + f + 1] = (int64_t)out;
        }
    }
    wipe_secrets(w);
    if (refused < 0) { /* nothing half done is left */
        hanji_wipe(call->payload, out);
        memset(call->payload_offsets, 0, 8 * (n + 1));
        memset(call->status, HANJI_E_ARGUMENT, n);
        return refused;
    }
    return failed;
}

static int check_sealing(const hanji_telemetry_sealing *call, extent *texts)
{
    if (call == NULL || call->algorithm < 1 || call->algorithm > ALGORITHMS)
        return HANJI_E_ARGUMENT;
    const size_t n = call->frames;
    int rc = check_keys(call->keys, call->direction);
    if (rc == HANJI_OK)
        rc = hanji_selection();
    if (rc != HANJI_OK || n == 0)
        return rc;
    if (n > SIZE_MAX / 64 || call->device == NULL || call->epoch == NULL || call->number == NULL ||
        call->offsets == NULL || call->status == NULL || call->output == NULL ||
        call->scratch == NULL)
        return HANJI_E_ARGUMENT;
    rc = check_offsets(call->payload_offsets, n, texts);
    if (rc != HANJI_OK)
        return rc;
    const size_t first = texts->first, bytes = texts->last - first;
    if (!valid(call->payload, bytes))
        return HANJI_E_ARGUMENT;
    if (call->output_bytes < bytes || call->output_bytes - bytes < (HEADER + TAG_MAX) * n)
        return HANJI_E_LENGTH;
    const hanji_buffer spans[] = {
        {call->output, call->output_bytes},
        {call->offsets, 8 * (n + 1)},
        {call->status, n},
        {call->scratch, HANJI_TELEMETRY_SCRATCH_BYTES},
        {call->device, 4 * n},
        {call->epoch, 4 * n},
        {call->number, 4 * n},
        {bytes == 0 ? NULL : call->payload + first, bytes},
        {call->payload_offsets, 8 * (n + 1)},
        {call->keys, sizeof *call->keys},
        {call->keys->slots, table_bytes(call->keys)},
        {call, sizeof *call},
    };
    return hanji_apart(spans, 4, sizeof spans / sizeof spans[0]) ? HANJI_OK : HANJI_E_ARGUMENT;
}

int64_t hanji_telemetry_seal(const hanji_telemetry_sealing *call)
{
    extent texts = {0, 0};
    const int rc = check_sealing(call, &texts);
    if (rc != HANJI_OK || call->frames == 0)
        return rc;
    const size_t n = call->frames, tag_bytes = algorithms[call->algorithm - 1].tag_bytes;
    window *w = window_in(call->scratch);
    w->sealing = 1;
    w->direction = call->direction;
    w->keys = call->keys;
    w->last = texts.last;
    w->changed = 0;
    w->most_frames = w->most_text = 0;
    size_t out = 0, at = texts.first;
    int64_t failed = 0, refused = begin_rows(w);
    expect(w, n, at, call->payload_offsets, NULL, call->device);
    call->offsets[0] = 0;
    for (size_t first = 0; first < n && refused == 0; first += w->frames) {
        size_t text = 0, f = 0;
        search_rest(w);
        for (; f < WINDOW && first + f < n; f++) {
            const size_t i = first + f, end = w->next_end[f], bytes = end - at;
            const int fits = bytes <= HANJI_FRAME_PAYLOAD_BYTES_MAX;
            if (fits && text + bytes > TEXT)
                break; /* it begins the next window */
            w->in[f] = bytes > 0 ? call->payload + at : w->ad;
            w->device[f] = w->next_device[f];
            w->epoch[f] = number_once(call->epoch + i);
            w->number[f] = number_once(call->number + i);
            w->text_bytes[f] = fits ? (uint32_t)bytes : 0;
            w->algorithm[f] = fits ? (uint8_t)call->algorithm : 0;
            w->status[f] = HANJI_E_LENGTH;
            text += w->text_bytes[f];
            w->master[f] = w->next_master[f];
            at = end;
        }
        w->frames = f;
        const size_t after = first + f;
        if (w->changed) {
            refused = HANJI_E_ARGUMENT;
            break;
        }
        expect(w, n - after, at, call->payload_offsets + after, NULL, call->device + after);
        refused = run(w);
        if (refused < 0)
            break;
        memcpy(call->status + first, w->status, w->frames);
        for (f = 0; f < w->frames; f++) {
            if (w->status[f] == HANJI_OK) {
                const size_t bytes = w->text_bytes[f], place = w->place[f];
                uint8_t *frame = call->output + out;
                memcpy(frame, w->ad + HEADER * place, HEADER);
                memcpy(frame + HEADER, w->text + w->text_at[f], bytes);
                memcpy(frame + HEADER + bytes, w->tag + tag_bytes * place, tag_bytes);
                out += HEADER + bytes + tag_bytes;
            } else {
                failed++;
            }
            call->offsets[first + f + 1] = (int64_t)out;
        }
    }
    wipe_secrets(w);
    if (refused < 0) { /* nothing half done is left */
        hanji_wipe(call->output, out);
        memset(call->offsets, 0, 8 * (n + 1));
        memset(call->status, HANJI_E_ARGUMENT, n);
        return refused;
    }
    return failed;
}
