/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that an interrupt breaks into at ever other places, and that the handler makes, too, with
 * buffers of its own: prints "right" and how often it did, or the name of the first call that gave
 * something else than without interrupts.
 */
#include "hanji.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { TEXT = 70 };
struct buffers {
    uint8_t key[16], nonce[32], text[TEXT], made[TEXT + 16];
    hanji_speck64_128_ctx block;
    hanji_ctr_ctx stream;
};

static int schwaemm(struct buffers *b)
{
    return hanji_schwaemm256_128_encrypt(b->made, b->text, TEXT, b->text, 20, b->nonce, b->key);
}

static int ascon(struct buffers *b)
{
    return hanji_ascon_aead128_encrypt(b->made, b->text, TEXT, b->text, 20, b->nonce, b->key);
}

static int esch(struct buffers *b)
{
    return hanji_esch256(b->made, b->text, TEXT);
}

static int ascon_hash(struct buffers *b)
{
    return hanji_ascon_hash256(b->made, b->text, TEXT);
}

static int ctr(struct buffers *b)
{
    return hanji_block_init(b->key, 16, hanji_speck64_128(), &b->block.head, sizeof b->block) |
           hanji_ctr_init(b->nonce, 8, &b->block.head, &b->stream) |
           hanji_ctr_update(b->made, b->text, TEXT, &b->stream);
}

typedef int job(struct buffers *b);
static struct buffers ours, its;
static uint8_t wanted[2][TEXT + 16];
static job *volatile running;
static volatile uint16_t interrupts;
static volatile uint8_t is_wrong;

static uint8_t differs(const uint8_t *a, const uint8_t *b)
{
    uint8_t found = 0;
    for (uint8_t i = 0; i < TEXT + 16; i++)
        found |= a[i] ^ b[i];
    return found;
}

ISR(TIMER1_COMPA_vect)
{
    static uint16_t later = 301;
    if (running(&its) != HANJI_OK || differs(its.made, wanted[1]))
        is_wrong = 1;
    interrupts++;
    later = later > 6000 ? later - 5557 : later + 1201; /* after so many cycles of the call again */
    OCR1A = TCNT1 + later;
    TIFR1 = 1 << OCF1A;
}

static void print(const char *line)
{
    for (; *line != 0; line++) {
        while ((UCSR0A & 1 << UDRE0) == 0) {
        }
        UDR0 = (uint8_t)*line;
    }
}

static void fill(struct buffers *b, uint8_t seed)
{
    for (uint8_t *at = b->key; at < b->made; at++)
        *at = seed = (uint8_t)(seed * 13 + 41);
}

static uint8_t is_right(job *one)
{
    running = one;
    fill(&ours, 1);
    fill(&its, 2);
    if (one(&ours) != HANJI_OK || one(&its) != HANJI_OK)
        return 0;
    for (uint8_t i = 0; i < TEXT + 16; i++) {
        wanted[0][i] = ours.made[i];
        wanted[1][i] = its.made[i];
    }
    for (uint8_t turn = 0; turn < 3; turn++) {
        OCR1A = TCNT1 + 97 + 211 * turn;
        TIFR1 = 1 << OCF1A;
        sei();
        const int rc = one(&ours);
        cli();
        if (rc != HANJI_OK || differs(ours.made, wanted[0]) || is_wrong)
            return 0;
    }
    return 1;
}

int main(void)
{
    UCSR0B = 1 << TXEN0;
    TCCR1B = 1;
    TIMSK1 = 1 << OCIE1A;
    if (!is_right(schwaemm))
        print("schwaemm256-128\n");
    else if (!is_right(ascon))
        print("ascon-aead128\n");
    else if (!is_right(esch))
        print("esch256\n");
    else if (!is_right(ascon_hash))
        print("ascon-hash256\n");
    else if (!is_right(ctr))
        print("speck-64/128-ctr\n");
    else
        print(interrupts > 100 ? "right\n" : "no interrupts\n");
    cli();
    sleep_enable();
    sleep_cpu();
    return 0;
}
