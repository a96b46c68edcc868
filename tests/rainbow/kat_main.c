/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The known-answer files of the NIST round-3 submission, written again: kat SET FIRST COUNT
 * [--text].
 *
 * For counts FIRST up to FIRST + COUNT: a line "digest of the record's eight lines, public key,
 * secret key, signature", the first three as SHA-256; then a line with the SHA-256 of the whole
 * file that has these records. --text prints the file instead.
 */
#include "rainbow/rainbow.h"

#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 3300

static EVP_MD_CTX *file, *record;
static int text;

static void need(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "kat: %s\n", what);
        exit(1);
    }
}

static void *memory(size_t bytes)
{
    void *found = malloc(bytes == 0 ? 1 : bytes);
    need(found != NULL, "no memory");
    return found;
}

static void put(const char *characters, size_t count)
{
    if (text)
        fwrite(characters, 1, count, stdout);
    need(EVP_DigestUpdate(file, characters, count) == 1 &&
             EVP_DigestUpdate(record, characters, count) == 1,
         "digest");
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[200];
    va_list list;
    va_start(list, format);
    const int count = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    put(line, (size_t)count);
}

static void hex(const char *name, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789ABCDEF";
    char piece[4096];
    say("%s = ", name);
    for (size_t at = 0; at < count;) {
        size_t used = 0;
        for (; used < sizeof piece && at < count; at++) {
            piece[used++] = digits[bytes[at] >> 4];
            piece[used++] = digits[bytes[at] & 15];
        }
        put(piece, used);
    }
    say("\n");
}

static void show(const uint8_t *bytes, size_t count, const char *end)
{
    for (size_t i = 0; i < count && !text; i++)
        printf("%02x", bytes[i]);
    if (!text)
        printf("%s", end);
}

static void sha256(const uint8_t *bytes, size_t count)
{
    uint8_t digest[32];
    need(EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL) == 1, "digest");
    show(digest, 32, " ");
}

static void finish(EVP_MD_CTX *context, const char *end)
{
    uint8_t digest[32];
    need(EVP_DigestFinal_ex(context, digest, NULL) == 1, "digest");
    show(digest, 32, end);
}

int main(int count, char **arguments)
{
    static const char *const names[] = {"RAINBOW(16,36,32,32)", "RAINBOW(256,68,32,48)",
                                        "RAINBOW(256,96,36,64)"};
    static const char *const variants[] = {"classic", "circumzenithal", "compressed"};
    need(count == 4 || count == 5, "usage: kat SET FIRST COUNT [--text]");
    const size_t index = strtoul(arguments[1], NULL, 10), first = strtoul(arguments[2], NULL, 10),
                 wanted = strtoul(arguments[3], NULL, 10);
    const hanji_rainbow_set *set = hanji_rainbow_set_at(index);
    need(set != NULL, "no such set");
    text = count == 5;
    uint8_t *pk = memory(set->public_key_bytes), *sk = memory(set->secret_key_bytes);
    uint8_t *signed_message = memory(MESSAGE_MAX + set->signature_bytes);
    const size_t keypair_bytes = hanji_rainbow_keypair_scratch_bytes(set),
                 sign_bytes = hanji_rainbow_sign_scratch_bytes(set),
                 verify_bytes = hanji_rainbow_verify_scratch_bytes(set);
    uint8_t *scratch1 = memory(keypair_bytes), *scratch2 = memory(sign_bytes),
            *scratch3 = memory(verify_bytes);
    uint8_t entropy[48], seed[48], seeds[HANJI_RAINBOW_SEEDS_BYTES], message[MESSAGE_MAX];
    generator outer, inner;
    EVP_MD_CTX *hasher = EVP_MD_CTX_new();
    for (uint8_t i = 0; i < 48; i++)
        entropy[i] = i;
    need(hanji_rainbow_generator_init(&outer, entropy, 48, hasher, set->level) == HANJI_OK,
         "generator");
    file = EVP_MD_CTX_new();
    record = EVP_MD_CTX_new();
    need(file != NULL && record != NULL && EVP_DigestInit_ex(file, EVP_sha256(), NULL) == 1 &&
             EVP_DigestInit_ex(record, EVP_sha256(), NULL) == 1,
         "digest");
    say("# %s - %s\n\n", names[index / 3], variants[index % 3]);
    for (size_t i = 0; i < first + wanted; i++) {
        const size_t message_bytes = 33 * (i + 1);
        need(hanji_rainbow_generate(seed, 48, &outer) == HANJI_OK &&
                 hanji_rainbow_generate(message, message_bytes, &outer) == HANJI_OK,
             "generator");
        if (i < first)
            continue;
        need(hanji_rainbow_generator_init(&inner, seed, 48, hasher, set->level) == HANJI_OK,
             "generator");
        memset(seeds, 0, sizeof seeds);
        need(hanji_rainbow_generate(seeds, 32, &inner) == HANJI_OK, "generator");
        if (set->variant != CLASSIC)
            need(hanji_rainbow_generate(seeds + 32, 32, &inner) == HANJI_OK, "generator");
        hanji_rainbow_generator_wipe(&inner);
        need(hanji_rainbow_keypair_from_seeds(pk, sk, seeds, scratch1, keypair_bytes, set) ==
                 HANJI_OK,
             "keypair");
        hanji_rainbow_signing_key signing;
        hanji_rainbow_verifying_key verifying;
        uint8_t *signature = signed_message + message_bytes;
        memcpy(signed_message, message, message_bytes);
        need(hanji_rainbow_signing_key_init(NULL, 0, sk, set->secret_key_bytes, NULL, 0, set,
                                            &signing) == HANJI_OK,
             "signing key");
        need(hanji_rainbow_sign(signature, message, message_bytes, scratch2, sign_bytes,
                                &signing) == HANJI_OK,
             "sign");
        need(hanji_rainbow_verifying_key_init(NULL, 0, pk, set->public_key_bytes, NULL, 0, set,
                                              &verifying) == HANJI_OK,
             "verifying key");
        need(hanji_rainbow_verify(signature, set->signature_bytes, message, message_bytes, scratch3,
                                  verify_bytes, &verifying) == HANJI_OK,
             "verify");
        need(EVP_DigestInit_ex(record, EVP_sha256(), NULL) == 1, "digest");
        say("count = %zu\n", i);
        hex("seed", seed, 48);
        say("mlen = %zu\n", message_bytes);
        hex("msg", message, message_bytes);
        hex("pk", pk, set->public_key_bytes);
        hex("sk", sk, set->secret_key_bytes);
        say("smlen = %zu\n", message_bytes + set->signature_bytes);
        hex("sm", signed_message, message_bytes + set->signature_bytes);
        finish(record, " ");
        need(EVP_DigestInit_ex(record, EVP_sha256(), NULL) == 1, "digest");
        sha256(pk, set->public_key_bytes);
        sha256(sk, set->secret_key_bytes);
        show(signature, set->signature_bytes, "\n");
        say("\n");
    }
    finish(file, "\n");
    hanji_rainbow_generator_wipe(&outer);
    EVP_MD_CTX_free(file);
    EVP_MD_CTX_free(record);
    EVP_MD_CTX_free(hasher);
    free(pk);
    free(sk);
    free(signed_message);
    free(scratch1);
    free(scratch2);
    free(scratch3);
    return 0;
}
