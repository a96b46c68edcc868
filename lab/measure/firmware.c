/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware that seals telemetry: what it links is what a device carries, and its calls on a painted
 * stack tell how deep they reach. Defined when compiled: WITH_ASCON, WITH_SCHWAEMM, WITH_CTR,
 * WITH_AIMER (the memory that its sets need, and the stack of a signature). Prints "name number"
 * lines through Linux system calls, so that qemu-user can run it.
 */
#include "bare.h"
#include "hanji/hanji.h"

enum { PAINTED = 16384, MESSAGE = 100 };
#define PAINT 0x5a5a5a5au

/* A line: name, what is written right after it, and a number. */
static void print_as(const char *name, const char *after, uint32_t n)
{
    static char line[64];
    char digits[10];
    size_t at = 0, count = 0;
    while (*name != '\0')
        line[at++] = *name++;
    while (*after != '\0')
        line[at++] = *after++;
    line[at++] = ' ';
    do { /* decimal without a division: the largest multiple of ten below */
        uint32_t quotient = 0, rest = n;
        for (uint32_t step = 10u << 24, one = 1u << 24; one > 0; step >>= 1, one >>= 1)
            if (rest >= step) {
                rest -= step;
                quotient += one;
            }
        digits[count++] = (char)('0' + rest);
        n = quotient;
    } while (n > 0);
    while (count > 0)
        line[at++] = digits[--count];
    line[at++] = '\n';
    register long a0 __asm__("a0") = 1;
    register const char *a1 __asm__("a1") = line;
    register long a2 __asm__("a2") = (long)at;
    register long a7 __asm__("a7") = 64; /* write */
    __asm__ __volatile__("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
}

static void print(const char *name, uint32_t n)
{
    print_as(name, "", n);
}

static uint8_t message[MESSAGE], sealed[MESSAGE + 16], key[16], nonce[32];
static int result;

/* How many bytes below this function's frame a call has touched. */
__attribute__((noinline)) static uint32_t stack_of(void (*call)(void))
{
    uint32_t *here;
    __asm__ __volatile__("mv %0, sp" : "=r"(here));
    for (volatile uint32_t *p = here - PAINTED / 4; p < here; p++)
        *p = PAINT;
    call();
    volatile uint32_t *p = here - PAINTED / 4;
    while (p < here && *p == PAINT)
        p++;
    return (uint32_t)((uintptr_t)here - (uintptr_t)p);
}

static void nothing(void)
{
}

#ifdef WITH_ASCON
static void seal_ascon(void)
{
    result |= hanji_ascon_aead128_encrypt(sealed, message, MESSAGE, key, sizeof key, nonce, key);
}

static void open_ascon(void)
{
    result |=
        hanji_ascon_aead128_decrypt(message, sealed, sizeof sealed, key, sizeof key, nonce, key);
}
#endif

#ifdef WITH_SCHWAEMM
static void seal(void)
{
    result |= hanji_schwaemm256_128_encrypt(sealed, message, MESSAGE, key, sizeof key, nonce, key);
}

static void open_sealed(void)
{
    result |=
        hanji_schwaemm256_128_decrypt(message, sealed, sizeof sealed, key, sizeof key, nonce, key);
}
#endif

#ifdef WITH_CTR
static hanji_speck64_128_ctx cipher;
static hanji_ctr_ctx stream;

static void expand(void)
{
    result |= hanji_block_init(key, sizeof key, hanji_speck64_128(), &cipher.head, sizeof cipher);
}

static void count(void)
{
    result |= hanji_ctr_init(nonce, 8, &cipher.head, &stream);
    result |= hanji_ctr_update(message, message, MESSAGE, &stream);
}
#endif

#ifdef WITH_AIMER
static uint8_t scratch[1 << 19], secret_key[HANJI_AIMER3_128F_SECRET_KEY_BYTES],
    public_key[HANJI_AIMER3_128F_PUBLIC_KEY_BYTES], signature[HANJI_AIMER3_128F_SIGNATURE_BYTES];

static int counted(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)i;
    return HANJI_OK;
}

static void sign(void)
{
    result |= hanji_aimer_sign(signature, message, MESSAGE, NULL, 0, secret_key, sizeof secret_key,
                               hanji_aimer_by_name("aimer3-128f"), 0, counted, NULL, scratch,
                               sizeof scratch);
}

static void verify(void)
{
    result |= hanji_aimer_verify(signature, sizeof signature, message, MESSAGE, NULL, 0, public_key,
                                 sizeof public_key, hanji_aimer_by_name("aimer3-128f"), scratch,
                                 sizeof scratch);
}
#endif

int main(void)
{
    print("stack-nothing", stack_of(nothing));
#ifdef WITH_AIMER
    for (size_t i = 0; i < hanji_aimer_count(); i++) {
        const hanji_aimer *set = hanji_aimer_at(i);
        const size_t small = hanji_aimer_scratch_bytes_small(set);
        const size_t least = hanji_aimer_scratch_bytes_least(set);
        print(hanji_aimer_name(set), (uint32_t)small);
        if (least < small)
            print_as(hanji_aimer_name(set), "-least", (uint32_t)least);
    }
    result |= hanji_aimer_keypair(public_key, secret_key, hanji_aimer_by_name("aimer3-128f"),
                                  counted, NULL, scratch, sizeof scratch);
    print("stack-sign", stack_of(sign));
    print("stack-verify", stack_of(verify));
#endif
#ifdef WITH_ASCON
    print("stack-ascon-encrypt", stack_of(seal_ascon));
    print("stack-ascon-decrypt", stack_of(open_ascon));
#endif
#ifdef WITH_SCHWAEMM
    print("stack-encrypt", stack_of(seal));
    print("stack-decrypt", stack_of(open_sealed));
#endif
#ifdef WITH_CTR
    print("stack-expand", stack_of(expand));
    print("stack-ctr", stack_of(count));
    print("context-key", sizeof cipher);
    print("context-ctr", sizeof stream);
#endif
    return result == HANJI_OK ? 0 : 1;
}
