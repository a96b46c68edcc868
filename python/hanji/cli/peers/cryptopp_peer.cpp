// SPDX-License-Identifier: Apache-2.0
// Crypto++ behind a few C functions, for comparison only: never linked into hanji. Bytes are in
// Crypto++'s own order, and CHAM has the round counts of 2017 (the specification, sections 1.1 and
// 5). Results: 0, -1 unknown cipher, -2 wrong length.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <cryptopp/cham.h>
#include <cryptopp/config.h>
#include <cryptopp/modes.h>
#include <cryptopp/simeck.h>
#include <cryptopp/simon.h>
#include <cryptopp/speck.h>

namespace
{

constexpr int ok = 0;
constexpr int unknown_cipher = -1;
constexpr int wrong_length = -2;

template <class Cipher> struct Tag {
    using type = Cipher;
};

// Calls f with the cipher's type; the key length is part of the name and is checked by f.
template <class F> int with_cipher(const std::string &name, std::size_t key_length, F f)
{
    const auto is = [&](const char *prefix, const char *key_bits, const char *suffix = "") {
        return name == std::string(prefix) + "/" + key_bits + suffix &&
               key_length == static_cast<std::size_t>(std::stoi(key_bits)) / 8;
    };
    if (is("speck-64", "96") || is("speck-64", "128"))
        return f(Tag<CryptoPP::SPECK64>());
    if (is("speck-128", "128") || is("speck-128", "192") || is("speck-128", "256"))
        return f(Tag<CryptoPP::SPECK128>());
    if (is("simon-64", "96") || is("simon-64", "128"))
        return f(Tag<CryptoPP::SIMON64>());
    if (is("simon-128", "128") || is("simon-128", "192") || is("simon-128", "256"))
        return f(Tag<CryptoPP::SIMON128>());
    if (is("simeck-32", "64"))
        return f(Tag<CryptoPP::SIMECK32>());
    if (is("simeck-64", "128"))
        return f(Tag<CryptoPP::SIMECK64>());
    if (is("cham-64", "128", "-original"))
        return f(Tag<CryptoPP::CHAM64>());
    if (is("cham-128", "128", "-original") || is("cham-128", "256", "-original"))
        return f(Tag<CryptoPP::CHAM128>());
    return unknown_cipher;
}

} // namespace

extern "C" {

int hanji_peer_version(void)
{
    return CRYPTOPP_VERSION;
}

int hanji_peer_ecb(const char *cipher, int decrypt, const std::uint8_t *key, std::size_t key_length,
                   const std::uint8_t *in, std::uint8_t *out, std::size_t length)
{
    return with_cipher(cipher, key_length, [&](auto tag) {
        using Cipher = typename decltype(tag)::type;
        if (length % Cipher::BLOCKSIZE != 0)
            return wrong_length;
        if (decrypt) {
            typename CryptoPP::ECB_Mode<Cipher>::Decryption mode(key, key_length);
            mode.ProcessData(out, in, length);
        } else {
            typename CryptoPP::ECB_Mode<Cipher>::Encryption mode(key, key_length);
            mode.ProcessData(out, in, length);
        }
        return ok;
    });
}

int hanji_peer_ctr(const char *cipher, const std::uint8_t *key, std::size_t key_length,
                   const std::uint8_t *iv, std::size_t iv_length, const std::uint8_t *in,
                   std::uint8_t *out, std::size_t length)
{
    return with_cipher(cipher, key_length, [&](auto tag) {
        using Cipher = typename decltype(tag)::type;
        if (iv_length != Cipher::BLOCKSIZE)
            return wrong_length;
        typename CryptoPP::CTR_Mode<Cipher>::Encryption mode(key, key_length, iv);
        mode.ProcessData(out, in, length);
        return ok;
    });
}

// Seconds for one message of `length` bytes in CTR mode: the best of `runs` runs of `repeats`
// messages each.
int hanji_peer_ctr_seconds(const char *cipher, const std::uint8_t *key, std::size_t key_length,
                           std::size_t length, unsigned runs, unsigned repeats, double *seconds)
{
    return with_cipher(cipher, key_length, [&](auto tag) {
        using Cipher = typename decltype(tag)::type;
        const std::uint8_t iv[Cipher::BLOCKSIZE] = {};
        typename CryptoPP::CTR_Mode<Cipher>::Encryption mode(key, key_length, iv);
        std::vector<std::uint8_t> data(length);
        double best = std::numeric_limits<double>::infinity();
        for (unsigned run = 0; run < runs; run++) {
            const auto begin = std::chrono::steady_clock::now();
            for (unsigned i = 0; i < repeats; i++)
                mode.ProcessData(data.data(), data.data(), length);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            best = std::min(best, taken.count() / repeats);
        }
        *seconds = best;
        return ok;
    });
}
}
