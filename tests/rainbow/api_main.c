/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of libhanji-rainbow: api SET. Expanded and plain keys agree, batches say which
 * signature is wrong, what is altered, short, long or foreign is refused, wrong arguments are
 * named, and outputs are zeroed. Scratch has exactly the bytes that the library asks for, at every
 * alignment.
 */
#include <hanji/rainbow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

#define CHECK(condition)                                          \
    do {                                                          \
        if (!(condition)) {                                       \
            printf("FAILED line %d: %s\n", __LINE__, #condition); \
            failures++;                                           \
        }                                                         \
    } while (0)

static uint8_t *memory(size_t bytes)
{
    uint8_t *found = malloc(bytes == 0 ? 1 : bytes);
    if (found == NULL)
        exit(3);
    return found;
}

static int all(const uint8_t *bytes, size_t count, uint8_t value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return 0;
    return 1;
}

int main(int count, char **arguments)
{
    const size_t index = count == 2 ? (size_t)atoi(arguments[1]) : SIZE_MAX;
    const hanji_rainbow_set *set = hanji_rainbow_set_at(index),
                            *other = hanji_rainbow_set_at((index + 3) % 9);
    CHECK(hanji_rainbow_set_count() == 9 && hanji_rainbow_set_at(9) == NULL);
    if (set == NULL || other == NULL)
        return 2;
    const size_t pk_bytes = set->public_key_bytes, sk_bytes = set->secret_key_bytes,
                 bytes = set->signature_bytes;
    const size_t keypair_bytes = hanji_rainbow_keypair_scratch_bytes(set),
                 sign_bytes = hanji_rainbow_sign_scratch_bytes(set),
                 verify_bytes = hanji_rainbow_verify_scratch_bytes(set);
    const size_t signing_area = hanji_rainbow_signing_area_bytes(set),
                 verifying_area = hanji_rainbow_verifying_area_bytes(set);
    uint8_t *pk = memory(pk_bytes), *sk = memory(sk_bytes), *pk2 = memory(pk_bytes),
            *sk2 = memory(sk_bytes);
    uint8_t *area1 = memory(signing_area), *area2 = memory(verifying_area);
    uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES], message[100],
        *signature = memory(bytes), *again = memory(bytes), *batch = memory(3 * bytes);
    uint8_t *keypair_scratch = memory(keypair_bytes), *sign_scratch = memory(sign_bytes),
            *verify_scratch = memory(verify_bytes);
    for (size_t i = 0; i < sizeof seeds; i++)
        seeds[i] = (uint8_t)(i * 7 + index);
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i * 3);

    /* Keys. */
    CHECK(hanji_rainbow_keypair_from_seeds(pk, sk, seeds, keypair_scratch, keypair_bytes, set) ==
          HANJI_OK);
    CHECK(all(keypair_scratch, keypair_bytes, 0));
    CHECK(hanji_rainbow_keypair_from_seeds(pk2, sk2, seeds, keypair_scratch, keypair_bytes, set) ==
          HANJI_OK);
    CHECK(memcmp(pk, pk2, pk_bytes) == 0 && memcmp(sk, sk2, sk_bytes) == 0);
    CHECK(hanji_rainbow_keypair(pk2, sk2, keypair_scratch, keypair_bytes, set) == HANJI_OK);
    CHECK(memcmp(pk, pk2, pk_bytes) != 0);
    memset(pk2, 1, pk_bytes);
    memset(sk2, 1, sk_bytes);
    CHECK(hanji_rainbow_keypair(pk2, sk2, keypair_scratch, keypair_bytes - 1, set) ==
          HANJI_E_LENGTH);
    CHECK(all(pk2, pk_bytes, 0) && all(sk2, sk_bytes, 0));
    memset(pk2, 1, pk_bytes);
    memset(sk2, 1, sk_bytes);
    CHECK(hanji_rainbow_keypair_from_seeds(pk2, sk2, seeds, keypair_scratch, keypair_bytes - 1,
                                           set) == HANJI_E_LENGTH);
    CHECK(all(pk2, pk_bytes, 0) && all(sk2, sk_bytes, 0));
    CHECK(hanji_rainbow_keypair_scratch_bytes(NULL) == 0 &&
          hanji_rainbow_sign_scratch_bytes(NULL) == 0 &&
          hanji_rainbow_verify_scratch_bytes(NULL) == 0 &&
          hanji_rainbow_signing_area_bytes(NULL) == 0 &&
          hanji_rainbow_verifying_area_bytes(NULL) == 0);
    CHECK(hanji_rainbow_keypair(pk2, NULL, keypair_scratch, keypair_bytes, set) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_rainbow_keypair_from_seeds(pk2, sk2, NULL, keypair_scratch, keypair_bytes, set) ==
          HANJI_E_ARGUMENT);

    /* Contexts. */
    hanji_rainbow_signing_key signing, signing2;
    hanji_rainbow_verifying_key verifying, verifying2;
    CHECK(hanji_rainbow_signing_key_init(NULL, 0, sk, sk_bytes, NULL, 0, set, &signing) ==
          HANJI_OK);
    CHECK(hanji_rainbow_signing_key_init(area1, signing_area, sk, sk_bytes, sign_scratch,
                                         sign_bytes, set, &signing2) == HANJI_OK);
    CHECK(hanji_rainbow_verifying_key_init(NULL, 0, pk, pk_bytes, NULL, 0, set, &verifying) ==
          HANJI_OK);
    CHECK(hanji_rainbow_verifying_key_init(area2, verifying_area, pk, pk_bytes, verify_scratch,
                                           verify_bytes, set, &verifying2) == HANJI_OK);
    CHECK(signing2.expanded && verifying2.expanded);
    CHECK((signing_area != 0) == (set->variant == 2) &&
          (verifying_area != 0) == (set->variant != 0));
    CHECK(hanji_rainbow_signing_key_init(NULL, 0, sk, sk_bytes - 1, NULL, 0, set, &signing2) ==
          HANJI_E_LENGTH);
    CHECK(hanji_rainbow_signing_key_init(NULL, 0, sk, sk_bytes + 1, NULL, 0, set, &signing2) ==
          HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verifying_key_init(NULL, 0, pk, pk_bytes - 1, NULL, 0, set, &verifying2) ==
          HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verifying_key_init(NULL, 0, pk, pk_bytes, NULL, 0, other, &verifying2) ==
          HANJI_E_LENGTH);
    if (signing_area != 0)
        CHECK(hanji_rainbow_signing_key_init(area1, signing_area - 1, sk, sk_bytes, sign_scratch,
                                             sign_bytes, set, &signing2) == HANJI_E_LENGTH);
    if (verifying_area != 0)
        CHECK(hanji_rainbow_verifying_key_init(area2, verifying_area - 1, pk, pk_bytes,
                                               verify_scratch, verify_bytes, set,
                                               &verifying2) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_signing_key_init(area1, signing_area, sk, sk_bytes, sign_scratch,
                                         sign_bytes, set, &signing2) == HANJI_OK);
    CHECK(hanji_rainbow_verifying_key_init(area2, verifying_area, pk, pk_bytes, verify_scratch,
                                           verify_bytes, set, &verifying2) == HANJI_OK);
    /* A key that is refused leaves none behind: neither the one before it nor itself. */
    hanji_rainbow_signing_key refused_signing = signing2;
    hanji_rainbow_verifying_key refused_verifying = verifying2;
    CHECK(hanji_rainbow_signing_key_init(NULL, 0, sk, sk_bytes - 1, NULL, 0, set,
                                         &refused_signing) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_sign(signature, message, 1, sign_scratch, sign_bytes, &refused_signing) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_rainbow_verifying_key_init(NULL, 0, pk, pk_bytes - 1, NULL, 0, set,
                                           &refused_verifying) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verify(signature, bytes, message, 1, verify_scratch, verify_bytes,
                               &refused_verifying) == HANJI_E_ARGUMENT);
    if (signing_area > 0) {
        CHECK(hanji_rainbow_signing_key_init(area1, signing_area, sk, sk_bytes, sign_scratch,
                                             sign_bytes - 1, set,
                                             &refused_signing) == HANJI_E_LENGTH);
        CHECK(hanji_rainbow_sign(signature, message, 1, sign_scratch, sign_bytes,
                                 &refused_signing) == HANJI_E_ARGUMENT);
    }

    /* Contexts that never were given a key, or one of the other kind, whatever lies there. */
    for (size_t i = 0; i < 4; i++) {
        static const uint8_t values[] = {0, 1, 0xaa, 0xff};
        memset(&refused_signing, values[i], sizeof refused_signing);
        memset(&refused_verifying, values[i], sizeof refused_verifying);
        if (i == 0) {
            memcpy(&refused_signing, &verifying, sizeof refused_signing);
            memcpy(&refused_verifying, &signing, sizeof refused_verifying);
        }
        CHECK(hanji_rainbow_sign(signature, message, 1, sign_scratch, sign_bytes,
                                 &refused_signing) == HANJI_E_ARGUMENT);
        CHECK(hanji_rainbow_sign_digest(signature, message, sign_scratch, sign_bytes,
                                        &refused_signing) == HANJI_E_ARGUMENT);
        CHECK(hanji_rainbow_verify(signature, bytes, message, 1, verify_scratch, verify_bytes,
                                   &refused_verifying) == HANJI_E_ARGUMENT);
        CHECK(hanji_rainbow_verify_digest(signature, bytes, message, verify_scratch, verify_bytes,
                                          &refused_verifying) == HANJI_E_ARGUMENT);
        CHECK(hanji_rainbow_verify_batch(NULL, NULL, NULL, (const uint64_t[]){0}, 0, verify_scratch,
                                         verify_bytes, &refused_verifying) == HANJI_E_ARGUMENT);
    }

    /* Both ways to sign, both ways to verify. */
    for (size_t length = 0; length <= sizeof message; length += 50) {
        CHECK(hanji_rainbow_sign(signature, length == 0 ? NULL : message, length, sign_scratch,
                                 sign_bytes, &signing) == HANJI_OK);
        CHECK(hanji_rainbow_sign(again, message, length, sign_scratch, sign_bytes, &signing2) ==
              HANJI_OK);
        CHECK(memcmp(signature, again, bytes) == 0);
        CHECK(hanji_rainbow_verify(signature, bytes, message, length, verify_scratch, verify_bytes,
                                   &verifying) == HANJI_OK);
        CHECK(hanji_rainbow_verify(signature, bytes, message, length, verify_scratch, verify_bytes,
                                   &verifying2) == HANJI_OK);
    }
    /* Any alignment of the scratch. */
    uint8_t *shifted = memory(sign_bytes + 64);
    for (size_t shift = 0; shift < 64; shift += 7) {
        CHECK(hanji_rainbow_sign(again, message, sizeof message, shifted + shift, sign_bytes,
                                 &signing2) == HANJI_OK);
        CHECK(memcmp(signature, again, bytes) == 0);
    }
    free(shifted);

    /* Refused: every byte of the signature, the message, lengths, another key. */
    for (size_t i = 0; i < bytes; i++) {
        memcpy(again, signature, bytes);
        again[i] ^= (uint8_t)(1u << i % 8);
        CHECK(hanji_rainbow_verify(again, bytes, message, sizeof message, verify_scratch,
                                   verify_bytes, &verifying2) == HANJI_E_TAG);
    }
    CHECK(hanji_rainbow_verify(again, bytes, message, sizeof message, verify_scratch, verify_bytes,
                               &verifying) == HANJI_E_TAG);
    CHECK(hanji_rainbow_verify(signature, bytes, message, sizeof message - 1, verify_scratch,
                               verify_bytes, &verifying) == HANJI_E_TAG);
    CHECK(hanji_rainbow_verify(signature, bytes - 1, message, sizeof message, verify_scratch,
                               verify_bytes, &verifying) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verify(signature, bytes + 1, message, sizeof message, verify_scratch,
                               verify_bytes, &verifying) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verify(signature, bytes, message, sizeof message, verify_scratch,
                               verify_bytes - 1, &verifying) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verify(NULL, bytes, message, sizeof message, verify_scratch, verify_bytes,
                               &verifying) == HANJI_E_ARGUMENT);
    CHECK(hanji_rainbow_verify(signature, bytes, NULL, 1, verify_scratch, verify_bytes,
                               &verifying) == HANJI_E_ARGUMENT);
    CHECK(hanji_rainbow_verify_digest(signature, bytes, NULL, verify_scratch, verify_bytes,
                                      &verifying) == HANJI_E_ARGUMENT);
    seeds[0] ^= 1;
    CHECK(hanji_rainbow_keypair_from_seeds(pk2, sk2, seeds, keypair_scratch, keypair_bytes, set) ==
          HANJI_OK);
    hanji_rainbow_verifying_key foreign;
    CHECK(hanji_rainbow_verifying_key_init(NULL, 0, pk2, pk_bytes, NULL, 0, set, &foreign) ==
          HANJI_OK);
    CHECK(hanji_rainbow_verify(signature, bytes, message, sizeof message, verify_scratch,
                               verify_bytes, &foreign) == HANJI_E_TAG);

    /* Signing fails with zeros. */
    memset(again, 1, bytes);
    CHECK(hanji_rainbow_sign(again, message, sizeof message, sign_scratch, sign_bytes - 1,
                             &signing) == HANJI_E_LENGTH);
    CHECK(all(again, bytes, 0));
    CHECK(hanji_rainbow_sign(NULL, message, sizeof message, sign_scratch, sign_bytes, &signing) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_rainbow_sign(again, NULL, 1, sign_scratch, sign_bytes, &signing) ==
          HANJI_E_ARGUMENT);

    /* A batch. */
    const uint64_t offsets[] = {0, 10, 10, 100}, falling[] = {0, 10, 9, 100};
    int8_t status[3];
    for (size_t i = 0; i < 3; i++)
        CHECK(hanji_rainbow_sign(batch + i * bytes, message + offsets[i],
                                 (size_t)(offsets[i + 1] - offsets[i]), sign_scratch, sign_bytes,
                                 &signing2) == HANJI_OK);
    CHECK(hanji_rainbow_verify_batch(status, batch, message, offsets, 3, verify_scratch,
                                     verify_bytes, &verifying2) == HANJI_OK);
    CHECK(status[0] == HANJI_OK && status[1] == HANJI_OK && status[2] == HANJI_OK);
    batch[bytes + 3] ^= 16;
    CHECK(hanji_rainbow_verify_batch(status, batch, message, offsets, 3, verify_scratch,
                                     verify_bytes, &verifying2) == HANJI_E_TAG);
    CHECK(status[0] == HANJI_OK && status[1] == HANJI_E_TAG && status[2] == HANJI_OK);
    CHECK(hanji_rainbow_verify_batch(status, batch, message, falling, 3, verify_scratch,
                                     verify_bytes, &verifying2) == HANJI_E_LENGTH);
    const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / bytes + 1};
    for (size_t i = 0; i < 3; i++) /* told before anything is read */
        CHECK(hanji_rainbow_verify_batch(status, batch, message, offsets, too_many[i],
                                         verify_scratch, verify_bytes,
                                         &verifying2) == HANJI_E_LENGTH);
    CHECK(hanji_rainbow_verify_batch(NULL, NULL, NULL, offsets, 0, verify_scratch, verify_bytes,
                                     &verifying2) == HANJI_OK);

    /* Nothing that is written overlaps anything else. */
    const int refused = HANJI_E_ARGUMENT;
    uint8_t *const last = sign_scratch + sign_bytes - 1, *const end = verify_scratch + verify_bytes;
    CHECK(hanji_rainbow_keypair(pk2, pk2 + 1, keypair_scratch, keypair_bytes, set) == refused);
    CHECK(hanji_rainbow_keypair(pk2, sk2, pk2 + pk_bytes - 1, keypair_bytes, set) == refused);
    CHECK(hanji_rainbow_keypair_from_seeds(pk2, sk2, sk2 + sk_bytes - 1, keypair_scratch,
                                           keypair_bytes, set) == refused);
    CHECK(hanji_rainbow_keypair_from_seeds(pk2, sk2, keypair_scratch + 5, keypair_scratch,
                                           keypair_bytes, set) == refused);
    CHECK(hanji_rainbow_signing_key_init(sk + sk_bytes - 1, signing_area + 1, sk, sk_bytes,
                                         sign_scratch, sign_bytes, set,
                                         &refused_signing) == refused);
    CHECK(hanji_rainbow_verifying_key_init(pk + pk_bytes - 1, verifying_area + 1, pk, pk_bytes,
                                           verify_scratch, verify_bytes, set,
                                           &refused_verifying) == refused);
    memcpy(again, message, 20);
    CHECK(hanji_rainbow_sign(again, again + 19, 1, sign_scratch, sign_bytes, &signing2) == refused);
    CHECK(memcmp(again, message, 20) == 0);
    CHECK(hanji_rainbow_sign(again, last, 1, sign_scratch, sign_bytes, &signing2) == refused);
    CHECK(hanji_rainbow_sign(last, message, 1, sign_scratch, sign_bytes, &signing2) == refused);
    CHECK(hanji_rainbow_sign(sk + 1, message, 1, sign_scratch, sign_bytes, &signing) == refused);
    CHECK(hanji_rainbow_sign((uint8_t *)&signing, message, 1, sign_scratch, sign_bytes, &signing) ==
          refused);
    CHECK(hanji_rainbow_sign_digest(again, again, sign_scratch, sign_bytes, &signing2) == refused);
    CHECK(hanji_rainbow_sign(again, message, 1, sk, sk_bytes, &signing) == refused);
    if (signing_area != 0)
        CHECK(hanji_rainbow_sign(area1 + signing_area - 1, message, 1, sign_scratch, sign_bytes,
                                 &signing2) == refused);
    CHECK(hanji_rainbow_verify(end - 1, bytes, message, 1, verify_scratch, verify_bytes,
                               &verifying2) == refused);
    CHECK(hanji_rainbow_verify(signature, bytes, verify_scratch, 1, verify_scratch, verify_bytes,
                               &verifying2) == refused);
    CHECK(hanji_rainbow_verify_digest(signature, bytes, end - 1, verify_scratch, verify_bytes,
                                      &verifying2) == refused);
    CHECK(hanji_rainbow_verify(signature, bytes, message, 1, pk + 1, verify_bytes, &verifying) ==
          refused);
    CHECK(hanji_rainbow_verify_batch((int8_t *)batch + 3 * bytes - 1, batch, message, offsets, 3,
                                     verify_scratch, verify_bytes, &verifying2) == refused);
    CHECK(hanji_rainbow_verify_batch((int8_t *)end - 1, batch, message, offsets, 3, verify_scratch,
                                     verify_bytes, &verifying2) == refused);
    CHECK(hanji_rainbow_verify_batch(status, verify_scratch, message, offsets, 3, verify_scratch,
                                     verify_bytes, &verifying2) == refused);

    /* Kernels. */
    hanji_kernel_info info;
    size_t usable = 0;
    for (size_t i = 0; i < hanji_rainbow_kernel_count(); i++) {
        CHECK(hanji_rainbow_kernel_at(&info, i) == HANJI_OK);
        usable += (size_t)info.usable;
    }
    CHECK(usable >= 8 &&
          hanji_rainbow_kernel_at(&info, hanji_rainbow_kernel_count()) == HANJI_E_ARGUMENT);

    free(pk);
    free(sk);
    free(pk2);
    free(sk2);
    free(area1);
    free(area2);
    free(signature);
    free(again);
    free(batch);
    free(keypair_scratch);
    free(sign_scratch);
    free(verify_scratch);
    return failures != 0;
}
