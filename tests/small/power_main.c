/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The example of a package for firmware, on the host: every write and every erasure of its storage
 * is cut, alone and in pairs, and no nonce may come twice. With fewer cuts, memory that wears out,
 * and a counter at its end. Prints what it did; ends with 1 and a sentence when something is wrong.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "readings.h"

enum { READINGS = 3, FRAMES_MOST = 64 };

static uint8_t cells[MODEL_BYTES];
/* Bits that a cut has left between two levels, and that read differently each time. */
static uint8_t weak[MODEL_BYTES];
static int has_weak;
static long step, cut; /* the step that loses its power; -1: none */
static uint32_t seed;
static jmp_buf power;
static enum { SOUND, NO_ERASE, NO_PROGRAM, STUCK, NO_READ } fault;

static uint8_t noise(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint8_t)(seed >> 24);
}

/* Whether this step is the one that is cut. */
static int cut_here(void)
{
    return step++ == cut;
}

static _Noreturn void lose_power(void)
{
    longjmp(power, 1);
}

/* A byte on its way to another value: any of the bits that differ may still be as they were. */
static void half(size_t at, uint8_t to)
{
    const uint8_t some = noise(), differing = (uint8_t)(cells[at] ^ to);
    cells[at] = (uint8_t)(cells[at] ^ (differing & some));
    if (has_weak)
        weak[at] = differing & noise();
}

int model_erase(size_t at, size_t bytes, size_t page_bytes)
{
    if (at % page_bytes != 0 || bytes % page_bytes != 0 || at + bytes > sizeof cells ||
        fault == NO_ERASE)
        return -1;
    if (cut_here())
        lose_power();
    if (cut_here()) {
        for (size_t i = at; i < at + bytes; i++)
            half(i, 0xff);
        lose_power();
    }
    memset(cells + at, 0xff, bytes);
    memset(weak + at, 0, bytes);
    if (cut_here())
        lose_power();
    return 0;
}

int model_program(size_t at, const void *data, size_t bytes, size_t word_bytes)
{
    const uint8_t *in = data;
    if (at % word_bytes != 0 || bytes % word_bytes != 0 || at + bytes > sizeof cells ||
        fault == NO_PROGRAM)
        return -1;
    for (size_t word = 0; word < bytes; word += word_bytes) {
        if (cut_here()) {
            for (size_t i = word; i < word + word_bytes; i++)
                half(at + i, cells[at + i] & in[i]);
            lose_power();
        }
        for (size_t i = word; i < word + word_bytes; i++)
            cells[at + i] &= in[i];
        if (fault == STUCK)
            cells[at + word] |= 1;
        if (cut_here())
            lose_power();
    }
    return 0;
}

void model_replace(size_t at, uint8_t byte)
{
    if (at >= sizeof cells)
        abort();
    if (fault == NO_PROGRAM || fault == NO_ERASE)
        return;
    if (cut_here()) {
        cells[at] = noise(); /* erased and written in one step */
        if (has_weak)
            weak[at] = noise();
        lose_power();
    }
    cells[at] = fault == STUCK ? byte | 1 : byte;
    weak[at] = 0;
    if (cut_here())
        lose_power();
}

int model_read(void *out, size_t at, size_t bytes)
{
    if (at + bytes > sizeof cells || fault == NO_READ)
        return -1;
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)out)[i] = cells[at + i] ^ (weak[at + i] & noise());
    return 0;
}

static uint8_t sent[FRAMES_MOST][READINGS_FRAME_BYTES];
static size_t sent_count;
static unsigned long frames, boots, cuts;

static _Noreturn void wrong(const char *what)
{
    printf("%s: cut %ld, seed %lu, after %lu boots\n", what, cut, (unsigned long)seed, boots);
    exit(1);
}

static int all_zeros(const uint8_t *bytes, size_t count)
{
    while (count-- > 0)
        if (*bytes++ != 0)
            return 0;
    return 1;
}

/* A frame leaves the device: no other one may have its epoch and number. */
static void send(const uint8_t *frame)
{
    for (size_t i = 0; i < sent_count; i++)
        if (memcmp(sent[i] + 6, frame + 6, 8) == 0)
            wrong("a nonce comes twice");
    if (sent_count == FRAMES_MOST)
        abort();
    memcpy(sent[sent_count++], frame, READINGS_FRAME_BYTES);
    frames++;
}

/* From reset until three readings are sent, or the power is lost at a step: what it returned. */
static int boot(long at)
{
    uint8_t frame[READINGS_FRAME_BYTES];
    static readings state;
    memset(&state, 0xa5, sizeof state); /* RAM holds anything after a reset */
    step = 0;
    cut = at;
    boots++;
    if (setjmp(power) != 0) {
        cuts++;
        return 1;
    }
    int rc = readings_start(&state, &board_storage);
    for (uint16_t i = 0; rc == HANJI_OK && i < READINGS; i++) {
        rc = readings_seal(frame, i, &state);
        if (rc == HANJI_OK)
            send(frame);
        else if (!all_zeros(frame, sizeof frame))
            wrong("a frame stays after an error");
    }
    return rc;
}

static void new_device(void)
{
    memset(cells, 0xff, sizeof cells);
    memset(weak, 0, sizeof weak);
    sent_count = 0;
    fault = SOUND;
}

/* The device comes back after every loss of power, and goes on. */
static void come_back(void)
{
    for (int i = 0; i < 2; i++)
        if (boot(-1) != HANJI_OK)
            wrong("the device does not come back");
}

static void cut_everywhere(void)
{
    for (int before = 0; before < 3; before++) {
        new_device();
        for (int i = 0; i < before; i++)
            if (boot(-1) != HANJI_OK)
                wrong("a device does not start");
        if (boot(-1) != HANJI_OK)
            wrong("a device does not start");
        const long steps = step;
        if (steps < 2 * 3)
            wrong("there is nothing to cut");
        for (long first = 0; first < steps; first++)
            for (uint32_t s = 0; s < SEEDS; s++)
                for (long second = -1; second < steps; second++) {
                    new_device();
                    for (int i = 0; i < before; i++)
                        (void)boot(-1);
                    seed = s * 7919u + (uint32_t)first;
                    if (boot(first) != 1)
                        wrong("the power was not cut");
                    if (second >= 0)
                        (void)boot(second);
                    come_back();
                }
    }
}

/* Bits between two levels: whether the device goes on is luck, but no nonce may come twice. */
static void cut_with_weak_bits(void)
{
    has_weak = 1;
    for (uint32_t s = 0; s < 400; s++) {
        new_device();
        seed = s;
        for (int i = 0; i < 12; i++)
            (void)boot(s % 3 == 0 || i % 3 != 2 ? (long)(noise() % 64) : -1);
    }
    has_weak = 0;
}

/* Two records in the slots, as the device writes them. */
static void store(uint32_t first, uint32_t second)
{
    const uint32_t epochs[2] = {first, second};
    for (unsigned slot = 0; slot < 2; slot++) {
        uint8_t record[EPOCH_RECORD_BYTES] = "hepo";
        for (int i = 0; i < 4; i++)
            record[4 + i] = (uint8_t)(epochs[slot] >> (8 * i));
        if (hanji_xoesch256(record + 8, 8, record, 8) != HANJI_OK ||
            board_storage.write(slot, record) != 0)
            wrong("a record was not written");
    }
}

/* Everything after the last epoch is refused, for ever. */
static void counter_ends(void)
{
    new_device();
    cut = -1;
    store(EPOCH_LAST - 5, EPOCH_LAST - 4);
    int rc = HANJI_OK, last = 0;
    for (int i = 0; i < 6; i++) {
        rc = boot(-1);
        last += rc == HANJI_OK;
    }
    if (rc != HANJI_E_LIMIT || last != 1 || sent_count < READINGS)
        wrong("the last epochs are not used, or are not the last");
    for (size_t i = 0; i < sent_count; i++) {
        uint32_t epoch = 0;
        for (int k = 0; k < 4; k++)
            epoch |= (uint32_t)sent[i][6 + k] << (8 * k);
        if (epoch < EPOCH_LAST - 3 || epoch >= EPOCH_LAST)
            wrong("an epoch is not after those before");
    }
}

/* Memory that does not keep what is written: nothing is sent, at a start and in the middle. */
static void memory_wears_out(void)
{
    static readings state;
    uint8_t frame[READINGS_FRAME_BYTES];
    for (int kind = NO_ERASE; kind <= NO_READ; kind++)
        for (int before = 0; before < 3; before++) {
            new_device();
            for (int i = 0; i < before; i++)
                (void)boot(-1);
            const size_t count = sent_count;
            fault = kind;
            /* an AVR's EEPROM cannot fail to be read; it reads what was there */
            if (kind == NO_READ && EEPROM)
                continue;
            if (boot(-1) != EPOCH_E_STORAGE || sent_count != count)
                wrong("memory that is worn out is not noticed at the start");
            fault = SOUND;
            step = 0;
            cut = -1;
            if (readings_start(&state, &board_storage) != HANJI_OK)
                wrong("the device does not start");
            for (int i = 0; i < 2; i++) {
                if (readings_seal(frame, 1, &state) != HANJI_OK)
                    wrong("the device does not seal");
                send(frame);
            }
            fault = kind; /* the epoch has two messages: the next needs a write */
            if (readings_seal(frame, 1, &state) == HANJI_OK || !all_zeros(frame, sizeof frame))
                wrong("memory that is worn out is not noticed at the end of an epoch");
            fault = SOUND;
            if (readings_seal(frame, 1, &state) == HANJI_OK || !all_zeros(frame, sizeof frame))
                wrong("the device sends after it was told to stop");
        }
}

/* Both records gone, on a device that had them: which nonces were used is not known. */
static void memory_is_damaged(void)
{
    new_device();
    for (int i = 0; i < 3; i++)
        (void)boot(-1);
    memset(cells, 0x5a, sizeof cells);
    if (boot(-1) != EPOCH_E_DAMAGED)
        wrong("a damaged memory is taken for a new one");
}

int main(void)
{
    cut_everywhere();
    cut_with_weak_bits();
    counter_ends();
    memory_wears_out();
    memory_is_damaged();
    printf("right: %lu boots, %lu cuts, %lu frames\n", boots, cuts, frames);
    return 0;
}
