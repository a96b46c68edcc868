/* SPDX-License-Identifier: Apache-2.0 */
/* What each generation hashes: messages, seeds, the beginnings of the two texts. */
#include "aimer/generation.h"

/* ---- v1.0 ---- */

/* The message is hashed at the head of the first text. */
static void message1(hanji_shake *message, const uint8_t *context, size_t context_bytes,
                     const hanji_aimer_expanded *key)
{
    const uint8_t one = 1;
    (void)context;
    (void)context_bytes;
    hanji_shake_init(message, key->set->level->rate);
    hanji_shake_absorb(message, &one, 1);
}

static void digest1(hanji_aimer_protocol *p, hanji_shake *message)
{
    (void)p;
    (void)message;
}

/* Salt and root seeds come from the random generator. */
static int roots1(hanji_aimer_protocol *p, hanji_random_fn *random, void *random_state)
{
    int rc = random(p->head, 2 * p->bytes, random_state);
    uint8_t *root = p->roots;
    for (uint32_t e = 0; rc == HANJI_OK && e < p->repetitions; e++, root += p->bytes)
        rc = random(root, p->bytes, random_state);
    return rc;
}

static void forms1(hanji_aimer_protocol *p)
{
    const size_t b = p->bytes;
    hanji_aimer_make_form(&p->node_form, p, 3, 1 + b, 1, 3 * b + 1, 3 * b + 5);
    hanji_aimer_make_form(&p->leaf_form, p, 4, 1, 2 * b + 5, 2 * b + 1, 3 * b + 5);
}

static void begin1_1(hanji_aimer_protocol *p, const hanji_shake *message)
{
    uint8_t public_key[2 * AIMER_BYTES_MAX];
    store_words(public_key, p->key->iv, p->words);
    store_words(public_key + p->bytes, p->key->ct, p->words);
    memcpy(&p->shake1, message, sizeof *message);
    hanji_shake_absorb(&p->shake1, public_key, 2 * p->bytes);
    hanji_shake_absorb(&p->shake1, p->head, 2 * p->bytes);
}

static void begin2_1(hanji_aimer_protocol *p)
{
    const uint8_t two = 2;
    hanji_shake_init(&p->shake2, p->level->rate);
    hanji_shake_absorb(&p->shake2, &two, 1);
    hanji_shake_absorb(&p->shake2, p->head, 4 * p->bytes); /* salt and h1 */
}

/* ---- v2.1, and what v3 has of it ---- */

static void message_of_key(hanji_shake *message, const hanji_aimer_expanded *key)
{
    const uint32_t words = key->set->level->words;
    uint8_t head[1 + 2 * AIMER_BYTES_MAX];
    hanji_shake_init(message, key->set->level->rate);
    head[0] = key->set->id;
    store_words(head + 1, key->iv, words);
    store_words(head + 1 + 8 * words, key->ct, words);
    hanji_shake_absorb(message, head, 1 + 16 * words);
}

static void message2(hanji_shake *message, const uint8_t *context, size_t context_bytes,
                     const hanji_aimer_expanded *key)
{
    (void)context;
    (void)context_bytes;
    message_of_key(message, key);
}

static void digest2(hanji_aimer_protocol *p, hanji_shake *message)
{
    hanji_shake_finish(message);
    hanji_shake_squeeze(p->mu, 2 * p->bytes, message);
}

/* Salt and root seeds come from key, message and some randomness. */
static int roots2(hanji_aimer_protocol *p, hanji_random_fn *random, void *random_state)
{
    hanji_shake shake;
    uint8_t input[1 + 4 * AIMER_BYTES_MAX] = {3};
    store_words(input + 1, p->key->key, p->words);
    memcpy(input + 1 + p->bytes, p->mu, 2 * p->bytes);
    const int rc =
        random == NULL ? HANJI_OK : random(input + 1 + 3 * p->bytes, p->bytes, random_state);
    if (rc == HANJI_OK) {
        hanji_shake_init(&shake, p->level->rate);
        hanji_shake_absorb(&shake, input, 1 + 4 * p->bytes);
        hanji_shake_finish(&shake);
        hanji_shake_squeeze(p->head, p->bytes, &shake);
        hanji_shake_squeeze(p->roots, elements(p, p->repetitions), &shake);
        hanji_wipe(&shake, sizeof shake);
    }
    hanji_wipe(input, sizeof input);
    return rc;
}

static void forms2(hanji_aimer_protocol *p)
{
    const size_t b = p->bytes;
    hanji_aimer_make_form(&p->node_form, p, 4, 1, b + 3, b + 1, 2 * b + 3);
    hanji_aimer_make_form(&p->leaf_form, p, 5, 1, b + 3, b + 1, 2 * b + 3);
}

static void begin1_2(hanji_aimer_protocol *p, const hanji_shake *message)
{
    const uint8_t one = 1;
    (void)message;
    hanji_shake_init(&p->shake1, p->level->rate);
    hanji_shake_absorb(&p->shake1, &one, 1);
    hanji_shake_absorb(&p->shake1, p->mu, 2 * p->bytes);
    hanji_shake_absorb(&p->shake1, p->head, p->bytes);
}

static void begin2_2(hanji_aimer_protocol *p)
{
    const uint8_t two = 2;
    hanji_shake_init(&p->shake2, p->level->rate);
    hanji_shake_absorb(&p->shake2, &two, 1);
    hanji_shake_absorb(&p->shake2, p->head + p->bytes, 2 * p->bytes); /* h1 */
    hanji_shake_absorb(&p->shake2, p->head, p->bytes);                /* the salt */
}

/* ---- v3 ---- */

static void message3(hanji_shake *message, const uint8_t *context, size_t context_bytes,
                     const hanji_aimer_expanded *key)
{
    const uint8_t length = (uint8_t)context_bytes;
    message_of_key(message, key);
    hanji_shake_absorb(message, &length, 1);
    hanji_shake_absorb(message, context, context_bytes);
}

const hanji_aimer_generation hanji_aimer_generation1 = {
    .version = 1,
    .broken = 1,
    .salt = 2,
    .interleaved = 1,
    .node_back = 1,
    .index_shift = 16,
    .expand = hanji_aimer_expand_aim2,
    .one_way = hanji_aimer_one_way_aim2,
    .one_way_words = hanji_aimer_one_way_words_aim2,
    .matrices = hanji_aimer_matrices_aim2,
    .message = message1,
    .digest = digest1,
    .roots = roots1,
    .forms = forms1,
    .begin1 = begin1_1,
    .begin2 = begin2_1,
    .evaluate = hanji_aimer_evaluate_aim2,
};

const hanji_aimer_generation hanji_aimer_generation2 = {
    .version = 2,
    .broken = 1,
    .salt = 1,
    .corrected_last = 1,
    .index_shift = 8,
    .expand = hanji_aimer_expand_aim2,
    .one_way = hanji_aimer_one_way_aim2,
    .one_way_words = hanji_aimer_one_way_words_aim2,
    .matrices = hanji_aimer_matrices_aim2,
    .message = message2,
    .digest = digest2,
    .roots = roots2,
    .forms = forms2,
    .begin1 = begin1_2,
    .begin2 = begin2_2,
    .evaluate = hanji_aimer_evaluate_aim2,
};

const hanji_aimer_generation hanji_aimer_generation3 = {
    .version = 3,
    .salt = 1,
    .corrected_last = 1,
    .index_shift = 8,
    .expand = hanji_aimer_expand_aim3,
    .one_way = hanji_aimer_one_way_aim3,
    .one_way_words = hanji_aimer_one_way_words_aim3,
    .matrices = hanji_aimer_matrices_aim3,
    .message = message3,
    .digest = digest2,
    .roots = roots2,
    .forms = forms2,
    .begin1 = begin1_2,
    .begin2 = begin2_2,
    .evaluate = hanji_aimer_evaluate_aim3,
};
