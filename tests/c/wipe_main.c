/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library leaves on the stack. Every algorithm runs on a thread whose stack is memory of
 * ours; afterwards that memory is searched for any eight neighbouring bytes of the key, the round
 * keys, the subkeys, the plaintext, the key stream and the states. A job that leaves its key there
 * is the control. Short texts run again with another key and the plaintext that it makes the same
 * ciphertext of, so that all that differs on the stack is secret: words of key streams, and round
 * keys in every lane, are found there, too.
 */
#include "aeads.h"
#include "left_behind.h"

enum { DATA = 5000, FEW = 48 }; /* the largest group of blocks is of 4096 bytes */

static uint8_t key[64], plain[DATA], sealed[DATA + 64], opened[DATA], nonce[32 * 40], stream[DATA],
    copy_of_context[2048];
static uint8_t states[8][64];
static hanji_any_block_ctx block;
static const hanji_cipher *cipher;
static size_t amount = DATA; /* bytes of the message that a job works on */
static int which;            /* SCHWAEMM instance */

/* Jobs: only these run on the searched stack. They hold no secret in locals of their own. */

static void *job_control(void *unused)
{
    uint8_t left_behind[16];
    copy_bytes(left_behind, key, sizeof left_behind);
    __asm__ __volatile__("" : : "r"(left_behind) : "memory"); /* it is needed, and in memory */
    return unused;
}

static void *job_control_in_words(void *unused)
{
    uint8_t left_behind[64];
    for (size_t i = 0; i < sizeof left_behind; i++) /* no two neighbours of the text */
        left_behind[i] = plain[2 * i];
    __asm__ __volatile__("" : : "r"(left_behind) : "memory");
    return unused;
}

static void *job_expand(void *unused)
{
    must(hanji_block_init(key, hanji_cipher_key_bytes(cipher), cipher, &block.head, sizeof block));
    return unused;
}

static void *job_encrypt(void *unused)
{
    must(
        hanji_block_encrypt(sealed, plain, amount / hanji_cipher_block_bytes(cipher), &block.head));
    return unused;
}

static void *job_decrypt(void *unused)
{
    must(hanji_block_decrypt(opened, sealed, amount / hanji_cipher_block_bytes(cipher),
                             &block.head));
    return unused;
}

static hanji_ctr_ctx ctr;
static hanji_cmac_ctx cmac;
static hanji_eax_ctx eax;
static hanji_esch_ctx esch;
static aead_ctx pieces;

static void *job_ctr(void *unused)
{
    must(hanji_ctr_init(nonce, hanji_cipher_block_bytes(cipher), &block.head, &ctr));
    must(hanji_ctr_update(sealed, plain, 7, &ctr));
    must(hanji_ctr_update(sealed + 7, plain + 7, amount - 7, &ctr));
    return unused;
}

/* Of one message: with a key that is in no context. */
static uint8_t message_key[HANJI_BLOCK_KEY_BYTES_MAX], other_message_key[HANJI_BLOCK_KEY_BYTES_MAX];

static void *job_ctr_message(void *unused)
{
    must(hanji_ctr(sealed, plain, amount, nonce, hanji_cipher_block_bytes(cipher), message_key,
                   hanji_cipher_key_bytes(cipher), cipher));
    return unused;
}

static void *job_cmac(void *unused)
{
    must(hanji_cmac_init(&block.head, &cmac));
    must(hanji_cmac_update(plain, amount, &cmac));
    must(hanji_cmac_final(sealed, 8, &cmac));
    return unused;
}

static void *job_eax_seal(void *unused)
{
    must(hanji_eax_init(8, &block.head, &eax));
    must(hanji_eax_encrypt(sealed, plain, amount, plain, 40, nonce, 12, &eax));
    return unused;
}

static void *job_eax_open(void *unused)
{
    must(hanji_eax_decrypt(opened, sealed, amount + 8, plain, 40, nonce, 12, &eax));
    return unused;
}

static void *job_seal(void *unused)
{
    must(aeads[which].encrypt(sealed, plain, amount, NULL, 0, nonce, key));
    return unused;
}

static void *job_seal_pieces(void *unused)
{
    must(aeads[which].init(nonce, key, &pieces));
    must(aeads[which].update(sealed, plain, 45, &pieces));
    must(aeads[which].update(sealed + 45, plain + 45, amount - 45, &pieces));
    must(aeads[which].final(sealed + amount, &pieces));
    return unused;
}

static void *job_open(void *unused)
{
    must(
        aeads[which].decrypt(opened, sealed, amount + aeads[which].tag_bytes, NULL, 0, nonce, key));
    return unused;
}

/* A refused message: the plaintext must not be left anywhere either. */
static void *job_open_refused(void *unused)
{
    if (aeads[which].decrypt(opened, sealed, amount + aeads[which].tag_bytes, NULL, 0, nonce,
                             key) != HANJI_E_TAG)
        failure = 1;
    return unused;
}

static int64_t offsets[3] = {0, 700, DATA};
static int8_t status[2];
enum { MANY_MESSAGES = 40 }; /* more than the lanes of any kernel */
static int64_t many_offsets[MANY_MESSAGES + 1];
static int8_t many_status[MANY_MESSAGES];
static hanji_fleet fleet;

static hanji_ascon_aead128_key ascon_key;

static void *job_key(void *unused)
{
    must(hanji_ascon_aead128_key_init(12, key, 32, &ascon_key));
    must(hanji_ascon_aead128_key_encrypt(sealed, plain, amount, plain, 40, nonce, &ascon_key));
    must(
        hanji_ascon_aead128_key_decrypt(opened, sealed, amount + 12, plain, 40, nonce, &ascon_key));
    hanji_ascon_aead128_key_wipe(&ascon_key);
    return unused;
}

static hanji_ascon_hash_ctx ascon_hash;

static void *job_ascon_hash(void *unused)
{
    must(hanji_ascon_hash256(sealed, plain, amount));
    must(hanji_ascon_xof128(sealed, 100, plain, amount));
    must(hanji_ascon_cxof128(sealed, 100, plain, 99, plain, amount));
    return unused;
}

static void *job_ascon_hash_pieces(void *unused)
{
    must(hanji_ascon_cxof128_init(plain, 99, &ascon_hash));
    must(hanji_ascon_cxof128_update(plain, 45, &ascon_hash));
    must(hanji_ascon_cxof128_update(plain + 45, amount - 45, &ascon_hash));
    must(hanji_ascon_cxof128_squeeze(sealed, 99, &ascon_hash));
    return unused;
}

static void *job_ascon_fleet_hash(void *unused)
{
    failure |= hanji_ascon_hash256_fleet(&fleet) != 0;
    failure |= hanji_ascon_cxof128_fleet(&fleet, plain, 99) != 0;
    return unused;
}

static void *job_ascon_permute(void *unused)
{
    copy_bytes(opened, plain, HANJI_ASCON_STATE_BYTES);
    must(hanji_ascon_permute(opened, 1, 12));
    return unused;
}

static void *job_hash(void *unused)
{
    must(which == 0 ? hanji_esch256(sealed, plain, amount) : hanji_esch384(sealed, plain, amount));
    return unused;
}

static void *job_hash_pieces(void *unused)
{
    must(which == 0 ? hanji_xoesch256_init(&esch) : hanji_xoesch384_init(&esch));
    must(which == 0 ? hanji_xoesch256_update(plain, amount, &esch)
                    : hanji_xoesch384_update(plain, amount, &esch));
    must(which == 0 ? hanji_xoesch256_squeeze(sealed, 100, &esch)
                    : hanji_xoesch384_squeeze(sealed, 100, &esch));
    return unused;
}

static void *job_permute(void *unused)
{
    const uint32_t bits = (uint32_t)which;
    copy_bytes(opened, plain, bits / 8);
    must(hanji_sparkle_permute(opened, 1, bits, 7));
    return unused;
}

static void *job_fleet_ctr(void *unused)
{
    failure |= hanji_ctr_fleet(&fleet, cipher) != 0;
    return unused;
}

static void *job_fleet_seal(void *unused)
{
    failure |= (which == 0 ? hanji_schwaemm256_128_fleet_encrypt(&fleet)
                           : hanji_ascon_aead128_fleet_encrypt(&fleet)) != 0;
    return unused;
}

static void *job_fleet_hash(void *unused)
{
    failure |= (which == 0 ? hanji_esch256_fleet(&fleet) : hanji_xoesch384_fleet(&fleet)) != 0;
    return unused;
}

static int total, broken;

/* Another key, and the text that it makes the same ciphertext of. */
static hanji_any_block_ctx other_block;
static uint8_t other_plain[DATA];

static void make_other_secrets(void)
{
    const size_t size = hanji_cipher_block_bytes(cipher);
    must(hanji_block_init(nonce + 100, hanji_cipher_key_bytes(cipher), cipher, &other_block.head,
                          sizeof other_block));
    must(hanji_block_set_limit(UINT64_MAX, &other_block.head));
    copy_bytes(other_plain, plain, DATA);
    copy_bytes(message_key, key, sizeof message_key);
    copy_bytes(other_message_key, nonce + 100, sizeof message_key);
    must(hanji_ctr_init(nonce, size, &other_block.head, &ctr));
    must(hanji_ctr_update(other_plain, other_plain, DATA, &ctr));
    must(hanji_ctr_init(nonce, size, &block.head, &ctr));
    must(hanji_ctr_update(other_plain, other_plain, DATA, &ctr));
}

static void change_secrets(void)
{
    static hanji_any_block_ctx kept;
    static uint8_t text[DATA];
    copy_bytes((uint8_t *)&kept, (const uint8_t *)&block, sizeof block);
    copy_bytes((uint8_t *)&block, (const uint8_t *)&other_block, sizeof block);
    copy_bytes((uint8_t *)&other_block, (const uint8_t *)&kept, sizeof block);
    copy_bytes(text, plain, DATA);
    copy_bytes(plain, other_plain, DATA);
    copy_bytes(other_plain, text, DATA);
    copy_bytes(text, message_key, sizeof message_key);
    copy_bytes(message_key, other_message_key, sizeof message_key);
    copy_bytes(other_message_key, text, sizeof message_key);
}

static void check_depends(const char *name, void *(*job)(void *))
{
    other_block.head.blocks_used = block.head.blocks_used; /* not a secret, and on the stack */
    const int found = differs_after(name, job, change_secrets);
    if (found < 0)
        broken = 1;
    else
        total += found;
}

static void check_job(const char *name, void *(*job)(void *))
{
    const int found = found_after(name, job);
    if (found < 0)
        broken = 1;
    else
        total += found;
}

static void check_cipher(void)
{
    const char *name = hanji_cipher_name(cipher);
    char label[80];
    const size_t size = hanji_cipher_block_bytes(cipher), context = hanji_cipher_ctx_bytes(cipher);
    secret_count = 0;
    secret("key", key, hanji_cipher_key_bytes(cipher));
    secret("plaintext", plain, DATA);
    must(hanji_block_init(key, hanji_cipher_key_bytes(cipher), cipher, &block.head, sizeof block));
    copy_bytes(copy_of_context, &block, context);
    secret("round keys", copy_of_context + sizeof block.head, context - sizeof block.head);
    (void)snprintf(label, sizeof label, "%s expand", name);
    check_job(label, job_expand);
    must(hanji_block_set_limit(UINT64_MAX, &block.head));
    (void)snprintf(label, sizeof label, "%s encrypt", name);
    check_job(label, job_encrypt);
    (void)snprintf(label, sizeof label, "%s decrypt", name);
    check_job(label, job_decrypt);
    must(hanji_ctr_init(nonce, size, &block.head, &ctr));
    fill(stream, amount, 0);
    must(hanji_ctr_update(stream, stream, amount, &ctr));
    secret("key stream", stream, amount);
    (void)snprintf(label, sizeof label, "%s ctr", name);
    check_job(label, job_ctr);
    /* one block, two, one vector in part, several: what is erased is as deep as their frames */
    make_other_secrets();
    static const size_t few_bytes[] = {16, 22, 23, 24, 120, 250, 300, 1000, 2300};
    for (size_t i = 0; i < sizeof few_bytes / sizeof few_bytes[0]; i++) {
        amount = few_bytes[i];
        (void)snprintf(label, sizeof label, "%s ctr of %zu bytes", name, amount);
        check_job(label, job_ctr);
        check_depends(label, job_ctr);
        if (amount / size < hanji_cipher_limit(cipher)) {
            (void)snprintf(label, sizeof label, "%s ctr of %zu bytes in one call", name, amount);
            check_job(label, job_ctr_message);
            check_depends(label, job_ctr_message);
        }
        (void)snprintf(label, sizeof label, "%s encrypt of %zu bytes", name, amount);
        check_job(label, job_encrypt);
        (void)snprintf(label, sizeof label, "%s decrypt of %zu bytes", name, amount);
        check_job(label, job_decrypt);
        check_depends(label, job_decrypt);
    }
    amount = DATA;
    fleet = (hanji_fleet){.messages = 2,
                          .offsets = offsets,
                          .input = plain,
                          .output = sealed,
                          .keys = key,
                          .nonces = nonce,
                          .nonce_bytes = size,
                          .status = status,
                          .limit = UINT64_MAX};
    (void)snprintf(label, sizeof label, "%s fleet ctr", name);
    check_job(label, job_fleet_ctr);
    fleet.key_stride = hanji_cipher_key_bytes(cipher);
    (void)snprintf(label, sizeof label, "%s fleet ctr, a key per message", name);
    check_job(label, job_fleet_ctr);
    if (size != 8 && size != 16)
        return;
    must(hanji_cmac_init(&block.head, &cmac));
    copy_bytes(states[0], cmac.k1, size);
    copy_bytes(states[1], cmac.k2, size);
    secret("k1", states[0], size);
    secret("k2", states[1], size);
    (void)snprintf(label, sizeof label, "%s cmac", name);
    check_job(label, job_cmac);
    /* its key stream starts from a counter of its own */
    must(hanji_eax_init(8, &block.head, &eax));
    fill(stream, amount, 0);
    must(hanji_eax_encrypt(sealed, plain, amount, plain, 40, nonce, 12, &eax));
    for (size_t i = 0; i < amount; i++)
        stream[i] = plain[i] ^ sealed[i];
    (void)snprintf(label, sizeof label, "%s eax seal", name);
    check_job(label, job_eax_seal);
    (void)snprintf(label, sizeof label, "%s eax open", name);
    check_job(label, job_eax_open);
}

static void check_aead(void)
{
    static const struct {
        uint32_t bits, steps;
    } permutations[] = {{384, 11}, {384, 11}, {256, 10}, {512, 12}};
    char label[80];
    const size_t k = aeads[which].key_bytes, n = aeads[which].nonce_bytes,
                 t = aeads[which].tag_bytes;
    secret_count = 0;
    secret("key", key, k);
    secret("plaintext", plain, DATA);
    copy_bytes(states[0], nonce, n);
    copy_bytes(states[0] + n, key, k);
    if (which < 4) {
        must(hanji_sparkle_permute(states[0], 1, permutations[which].bits,
                                   permutations[which].steps));
        secret("state after initialisation", states[0], n + k);
    } else {
        static const uint8_t iv[8] = {1, 0, 0x8c, 0x80, 0, 0x10, 0, 0};
        copy_bytes(states[0], iv, 8);
        copy_bytes(states[0] + 8, key, 16);
        copy_bytes(states[0] + 24, nonce, 16);
        must(hanji_ascon_permute(states[0], 1, 12));
        secret("inner part of the state after initialisation", states[0] + 16, 8);
    }
    must(aeads[which].encrypt(sealed, plain, amount, NULL, 0, nonce, key));
    for (size_t i = 0; i < t; i++)
        states[1][i] = sealed[amount + i] ^ key[i];
    secret("last state", states[1], t);
    for (size_t i = 0; i < amount; i++)
        stream[i] = plain[i] ^ sealed[i];
    secret("key stream", stream, amount);
    (void)snprintf(label, sizeof label, "%s seal", aeads[which].name);
    check_job(label, job_seal);
    (void)snprintf(label, sizeof label, "%s seal in pieces", aeads[which].name);
    check_job(label, job_seal_pieces);
    (void)snprintf(label, sizeof label, "%s open", aeads[which].name);
    check_job(label, job_open);
    sealed[amount] ^= 1;
    (void)snprintf(label, sizeof label, "%s open, refused", aeads[which].name);
    check_job(label, job_open_refused);
    if (which == 0 || which == AEADS - 1) {
        fleet = (hanji_fleet){.messages = 2,
                              .offsets = offsets,
                              .input = plain,
                              .output = sealed,
                              .keys = key,
                              .nonces = nonce,
                              .nonce_bytes = n,
                              .tags = opened,
                              .tag_bytes = t,
                              .status = status};
        secret_count = 2; /* the states of the two shorter messages are others */
        (void)snprintf(label, sizeof label, "%s fleet seal", aeads[which].name);
        check_job(label, job_fleet_seal);
        /*
         * Enough messages for every lane of the vector kernels, and for lanes that take a second
         * one.
         */
        fleet.messages = MANY_MESSAGES;
        fleet.offsets = many_offsets;
        fleet.status = many_status;
        for (int64_t m = 0; m <= MANY_MESSAGES; m++)
            many_offsets[m] = m * (DATA / MANY_MESSAGES);
        (void)snprintf(label, sizeof label, "%s fleet seal, many messages", aeads[which].name);
        check_job(label, job_fleet_seal);
    }
}

int main(void)
{
    pseudo_random(key, sizeof key, 1);
    pseudo_random(plain, sizeof plain, 2);
    pseudo_random(nonce, sizeof nonce, 3);

    secret("key", key, 16);
    if (found_after("control", job_control) != 1 || found_after("nothing", job_nothing) != 0 ||
        differs_after("control of other secrets", job_control_in_words, change_secrets) != 1 ||
        differs_after("nothing", job_nothing, change_secrets) != 0) {
        printf("the search does not work\n");
        return 2;
    }
    for (int few = 0; few < 2; few++) {
        amount = few ? FEW : DATA;
        for (size_t i = 0; (cipher = hanji_cipher_at(i)) != NULL; i++)
            check_cipher();
        for (which = 0; which < AEADS; which++)
            check_aead();
    }
    amount = DATA;
    for (which = 0; which < 2; which++) {
        secret_count = 0;
        secret("message", plain, DATA);
        check_job(which == 0 ? "esch256" : "esch384", job_hash);
        fleet = (hanji_fleet){.messages = MANY_MESSAGES,
                              .offsets = many_offsets,
                              .input = plain,
                              .tags = opened,
                              .tag_bytes = 32,
                              .status = many_status};
        check_job(which == 0 ? "esch256 fleet" : "xoesch384 fleet", job_fleet_hash);
        job_hash_pieces(NULL);
        copy_bytes(states[0], esch.state, which == 0 ? 48 : 64);
        secret("hidden part of the state", states[0] + 16, which == 0 ? 32 : 48);
        check_job(which == 0 ? "xoesch256" : "xoesch384", job_hash_pieces);
    }
    secret_count = 0;
    secret("key and mask", key, 32);
    secret("plaintext", plain, DATA);
    check_job("ascon-aead128 with a key context", job_key);
    secret_count = 0;
    secret("message", plain, DATA);
    check_job("ascon hashes", job_ascon_hash);
    fleet = (hanji_fleet){.messages = MANY_MESSAGES,
                          .offsets = many_offsets,
                          .input = plain,
                          .tags = opened,
                          .tag_bytes = 32,
                          .status = many_status};
    check_job("ascon-hash256 fleet", job_ascon_fleet_hash);
    job_ascon_hash_pieces(NULL);
    for (size_t i = 0; i < 4; i++)
        copy_bytes(states[0] + 8 * i, &ascon_hash.state[1 + i], 8);
    secret("hidden part of the state", states[0], 32);
    check_job("ascon-cxof128 in pieces", job_ascon_hash_pieces);
    secret_count = 0;
    secret("state", plain, HANJI_ASCON_STATE_BYTES);
    copy_bytes(states[0], plain, HANJI_ASCON_STATE_BYTES);
    must(hanji_ascon_permute(states[0], 1, 12));
    secret("permuted state", states[0], HANJI_ASCON_STATE_BYTES);
    check_job("ascon-p", job_ascon_permute);
    for (which = 256; which <= 512; which += 128) {
        secret_count = 0;
        secret("state", plain, (size_t)which / 8);
        copy_bytes(states[0], plain, (size_t)which / 8);
        must(hanji_sparkle_permute(states[0], 1, (uint32_t)which, 7));
        secret("permuted state", states[0], (size_t)which / 8);
        check_job(which == 256   ? "sparkle256"
                  : which == 384 ? "sparkle384"
                                 : "sparkle512",
                  job_permute);
    }
    printf("%d secrets found\n", total);
    return broken || total > 0;
}
