/* SPDX-License-Identifier: Apache-2.0 */
/* What tests/consumers/residue/main.c runs of an amalgam of the tiny profile. */
#ifdef HANJI_ASCON_AEAD128_KEY_BYTES
static void ascon_seal(void)
{
    must(hanji_ascon_aead128_encrypt(sealed, text, TEXT, ad, AD, nonce, key));
}
static void ascon_open(void)
{
    must(hanji_ascon_aead128_decrypt(opened, sealed, TEXT + 16, ad, AD, nonce, key));
}
static void ascon_refuse(void)
{
    if (hanji_ascon_aead128_decrypt(opened, sealed, TEXT + 16, ad, AD - 1, nonce, key) !=
        HANJI_E_TAG)
        failed = 1;
}
static void ascon_digest(void)
{
    must(hanji_ascon_hash256(tag, text, TEXT));
}
#define ASCON_JOBS                                       \
    check("encrypt", NULL, ascon_seal);                  \
    check("decrypt", ascon_seal, ascon_open);            \
    check("decrypt, refused", ascon_seal, ascon_refuse); \
    check("hash", NULL, ascon_digest);
#else
#define ASCON_JOBS
#endif

#ifdef HANJI_SCHWAEMM256_128_KEY_BYTES
static void schwaemm_seal(void)
{
    must(hanji_schwaemm256_128_encrypt(sealed, text, TEXT, ad, AD, nonce, key));
}
static void schwaemm_open(void)
{
    must(hanji_schwaemm256_128_decrypt(opened, sealed, TEXT + 16, ad, AD, nonce, key));
}
static void schwaemm_refuse(void)
{
    if (hanji_schwaemm256_128_decrypt(opened, sealed, TEXT + 16, ad, AD - 1, nonce, key) !=
        HANJI_E_TAG)
        failed = 1;
}
#define SCHWAEMM_JOBS                               \
    check("encrypt", NULL, schwaemm_seal);          \
    check("decrypt", schwaemm_seal, schwaemm_open); \
    check("decrypt, refused", schwaemm_seal, schwaemm_refuse);
#else
#define SCHWAEMM_JOBS
#endif

#ifdef HANJI_ESCH256_DIGEST_BYTES
static void esch_whole(void)
{
    must(hanji_esch256(tag, text, TEXT));
}
#define ESCH_JOBS check("hash", NULL, esch_whole);
#else
#define ESCH_JOBS
#endif

#if defined(HANJI_SPECK64_128_KEY_BYTES) || defined(HANJI_CHAM64_128_KEY_BYTES)
#ifdef HANJI_SPECK64_128_KEY_BYTES
#define CIPHER hanji_speck64_128()
#else
#define CIPHER hanji_cham64_128()
#endif
static void expand(void)
{
    must(hanji_block_init(key, 16, CIPHER, HEAD, sizeof block));
}
#define BLOCK_JOBS check("expand", NULL, expand);
#else
#define BLOCK_JOBS
#endif

#ifdef TINY_CTR
static hanji_ctr_ctx ctr;
static void ctr_begin(void)
{
    must(hanji_ctr_init(nonce, 8, HEAD, &ctr));
}
static void with_ctr(void)
{
    expand();
    ctr_begin();
}
static void ctr_first(void)
{
    must(hanji_ctr_update(sealed, text, 7, &ctr));
}
static void with_ctr_first(void)
{
    with_ctr();
    ctr_first();
}
static void ctr_rest(void)
{
    must(hanji_ctr_update(sealed + 7, text + 7, TEXT - 7, &ctr));
}
#define CTR_JOBS                              \
    check("ctr init", expand, ctr_begin);     \
    check("ctr update", with_ctr, ctr_first); \
    check("ctr update again", with_ctr_first, ctr_rest);
#else
#define CTR_JOBS
#endif

#ifdef TINY_EAX
static hanji_eax_ctx eax;
static void eax_bind(void)
{
    must(hanji_eax_init(8, HEAD, &eax));
}
static void with_eax(void)
{
    expand();
    eax_bind();
}
static void eax_seal(void)
{
    must(hanji_eax_encrypt(sealed, text, TEXT, ad, AD, nonce, 12, &eax));
}
static void with_eax_sealed(void)
{
    with_eax();
    eax_seal();
}
static void eax_open(void)
{
    must(hanji_eax_decrypt(opened, sealed, TEXT + 8, ad, AD, nonce, 12, &eax));
}
static void eax_refuse(void)
{
    if (hanji_eax_decrypt(opened, sealed, TEXT + 8, ad, AD, nonce, 11, &eax) != HANJI_E_TAG)
        failed = 1;
}
#define EAX_JOBS                                     \
    check("eax init", expand, eax_bind);             \
    check("eax encrypt", with_eax, eax_seal);        \
    check("eax decrypt", with_eax_sealed, eax_open); \
    check("eax decrypt, refused", with_eax_sealed, eax_refuse);
#else
#define EAX_JOBS
#endif

#ifdef HANJI_AIMER3_128F_SIGNATURE_BYTES
static uint8_t secret_key[HANJI_AIMER3_128F_SECRET_KEY_BYTES],
    public_key[HANJI_AIMER3_128F_PUBLIC_KEY_BYTES], signature[HANJI_AIMER3_128F_SIGNATURE_BYTES];
static uint64_t scratch[HANJI_AIMER3_128F_SCRATCH_BYTES / 8];
static int fill_key(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    copy(out, key, bytes);
    return HANJI_OK;
}
static void aimer_pair(void)
{
    must(hanji_aimer_keypair(public_key, secret_key, hanji_aimer_at(0), fill_key, NULL, scratch,
                             sizeof scratch));
}
static void aimer_make(void)
{
    must(hanji_aimer_sign(signature, text, TEXT, ad, AD, secret_key, sizeof secret_key,
                          hanji_aimer_at(0), 0, fill_key, NULL, scratch, sizeof scratch));
}
/* The context is another one. */
static void aimer_refuse(void)
{
    if (hanji_aimer_verify(signature, sizeof signature, text, TEXT, ad, AD - 1, public_key,
                           sizeof public_key, hanji_aimer_at(0), scratch,
                           sizeof scratch) != HANJI_E_TAG)
        failed = 1;
}
#define AIMER_JOBS                         \
    check("keypair", NULL, aimer_pair);    \
    check("sign", aimer_pair, aimer_make); \
    check("verify, refused", NULL, aimer_refuse);
#else
#define AIMER_JOBS
#endif

#define JOBS AIMER_JOBS ASCON_JOBS SCHWAEMM_JOBS ESCH_JOBS BLOCK_JOBS CTR_JOBS EAX_JOBS
