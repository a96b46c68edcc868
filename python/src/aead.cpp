// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128 and SCHWAEMM. Objects hold the key only, and Ascon-AEAD128 counts its blocks
// atomically, so threads share them freely.
#include "core.hpp"

#include <atomic>
#include <cstring>
#include <string>

namespace hanji
{
namespace
{

using Function = int (*)(uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t,
                         const uint8_t *, const uint8_t *);

struct Schwaemm256_128 {
    static constexpr const char *name = "Schwaemm256_128", *canonical = "schwaemm256-128";
    static constexpr const char *doc =
        "SCHWAEMM256-128: authenticated encryption with associated data; the one to take when nothing speaks for another.\n\n"
        "Key 16 bytes, nonce 32, tag 16; 120 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever; nonces from\n"
        "generate_nonce() may be taken at random without fear of repetition. The key is copied, and erased with the object. Objects do not\n"
        "change: threads and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM256_128_KEY_BYTES,
                            nonce_bytes = HANJI_SCHWAEMM256_128_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM256_128_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm256_128_encrypt,
                              decrypt = hanji_schwaemm256_128_decrypt;
};

struct Schwaemm192_192 {
    static constexpr const char *name = "Schwaemm192_192", *canonical = "schwaemm192-192";
    static constexpr const char *doc =
        "SCHWAEMM192-192: authenticated encryption with associated data and a longer key.\n\n"
        "Key 24 bytes, nonce 24, tag 24; 184 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever. The key is\n"
        "copied, and erased with the object. Objects do not change: threads and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM192_192_KEY_BYTES,
                            nonce_bytes = HANJI_SCHWAEMM192_192_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM192_192_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm192_192_encrypt,
                              decrypt = hanji_schwaemm192_192_decrypt;
};

struct Schwaemm128_128 {
    static constexpr const char *name = "Schwaemm128_128", *canonical = "schwaemm128-128";
    static constexpr const char *doc =
        "SCHWAEMM128-128: authenticated encryption with associated data and the smallest state, for the smallest devices.\n\n"
        "Key 16 bytes, nonce 16, tag 16; 120 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever; with 16 bytes\n"
        "a counter is better than chance for very many messages. The key is copied, and erased with the object. Objects do not change: threads\n"
        "and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM128_128_KEY_BYTES,
                            nonce_bytes = HANJI_SCHWAEMM128_128_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM128_128_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm128_128_encrypt,
                              decrypt = hanji_schwaemm128_128_decrypt;
};

struct Schwaemm256_256 {
    static constexpr const char *name = "Schwaemm256_256", *canonical = "schwaemm256-256";
    static constexpr const char *doc =
        "SCHWAEMM256-256: authenticated encryption with associated data and the longest key.\n\n"
        "Key 32 bytes, nonce 32, tag 32; 248 bits of security, at most 2^133 bytes per key. A nonce is used once per key, ever. The key is\n"
        "copied, and erased with the object. Objects do not change: threads and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM256_256_KEY_BYTES,
                            nonce_bytes = HANJI_SCHWAEMM256_256_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM256_256_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm256_256_encrypt,
                              decrypt = hanji_schwaemm256_256_decrypt;
};

// A key of SCHWAEMM: its tags have one length.
template <class Instance> class Fixed : public Instance
{
  public:
    explicit Fixed(nb::handle key)
    {
        Input given(key, "key");
        require_size("key", given.size(), Instance::name, Instance::key_bytes);
        std::memcpy(key_, given.data(), sizeof key_);
    }
    Fixed(const Fixed &) = delete;
    Fixed &operator=(const Fixed &) = delete;
    ~Fixed()
    {
        hanji_wipe(key_, sizeof key_);
    }

    static size_t tag_length()
    {
        return Instance::tag_bytes;
    }
    int seal(uint8_t *out, const Input &in, const Input &ad, const Input &nonce) const
    {
        return Instance::encrypt(out, in.data(), in.size(), ad.data(), ad.size(), nonce.data(),
                                 key_);
    }
    int open(uint8_t *out, const Input &in, const Input &ad, const Input &nonce) const
    {
        return Instance::decrypt(out, in.data(), in.size(), ad.data(), ad.size(), nonce.data(),
                                 key_);
    }

  private:
    uint8_t key_[Instance::key_bytes];
};

struct Ascon {
    static constexpr const char *name = "AsconAEAD128", *module = "hanji.aead";
    static constexpr const char *doc =
        "Ascon-AEAD128: the NIST standard for authenticated encryption with associated data on "
        "small devices.\n\n"
        "Key 16 bytes, nonce 16, tag 16; 128 bits of security, at most 2^54 bytes per key, which "
        "an object counts (LimitError past them). A nonce\n"
        "is used once per key, ever. The key is copied, and erased with the object. Threads and "
        "forked processes may share an object. Does not\n"
        "commit to its key. It is not Ascon v1.2, with which it does not interoperate.\n\n"
        "Options belong to the key, and both sides agree on them. tag_length: 8 to 16 bytes; a "
        "forgery succeeds with probability\n"
        "2^-(8 * tag_length). nonce_masking: the key has 32 bytes, and its second half is xored "
        "into every nonce; strength then does not fall with\n"
        "the number of keys in use.\n\n"
        "Source: NIST SP 800-232, August 2025, section 4.\n"
        "Status: NIST standard; no known attack on the full algorithm; nonce-respecting.";
    static constexpr size_t shortest = HANJI_ASCON_AEAD128_TAG_BYTES_LEAST,
                            longest = HANJI_ASCON_AEAD128_TAG_BYTES;
    static constexpr auto init = hanji_ascon_aead128_key_init;
    static constexpr const char *other = "hanji.hazmat.AsconAEAD128ShortTag takes 4 to 7";
};

struct AsconShortTag {
    static constexpr const char *name = "AsconAEAD128ShortTag", *module = "hanji.hazmat";
    static constexpr const char *doc =
        "Ascon-AEAD128 with tags of 4 to 7 bytes, hazardous: SP 800-232 allows tags below 64 bits "
        "only after a risk analysis.\n\n"
        "A forgery succeeds with probability 2^-(8 * tag_length), and a key should be changed "
        "after one message that did not open. Everything else\n"
        "is as in hanji.aead.AsconAEAD128.\n\n"
        "Source: NIST SP 800-232, August 2025, section 4.2.1.\n"
        "Status: NIST standard, under the conditions above.";
    static constexpr size_t shortest = HANJI_ASCON_AEAD128_SHORT_TAG_BYTES_LEAST,
                            longest = HANJI_ASCON_AEAD128_TAG_BYTES_LEAST - 1;
    static constexpr auto init = hanji_ascon_aead128_key_init_short_tag;
    static constexpr const char *other = "hanji.aead.AsconAEAD128 takes 8 to 16";
};

// A key of Ascon-AEAD128 with its options. The blocks are taken from the limit before a call, so
// that threads together keep to it.
template <class Kind> class AsconKey : public Kind
{
  public:
    static constexpr const char *canonical = "ascon-aead128";
    static constexpr size_t key_bytes = HANJI_ASCON_AEAD128_KEY_BYTES,
                            nonce_bytes = HANJI_ASCON_AEAD128_NONCE_BYTES;

    AsconKey(nb::handle key, size_t tag_length, bool nonce_masking)
    {
        if (tag_length < Kind::shortest || tag_length > Kind::longest)
            raise(PyExc_ValueError,
                  "tag_length is %zu; %s takes %zu to %zu "
                  "(%s)",
                  tag_length, Kind::name, Kind::shortest, Kind::longest, Kind::other);
        Input given(key, "key");
        require_size("key", given.size(), Kind::name, (nonce_masking ? 2 : 1) * key_bytes);
        if (nonce_masking && hanji_equal(given.data(), given.data() + key_bytes, key_bytes))
            raise(PyExc_ValueError, "the halves of key are equal; with nonce masking they are "
                                    "independent: take generate_key(nonce_masking=True)");
        check(Kind::init(tag_length, given.data(), given.size(), &key_));
    }
    AsconKey(const AsconKey &) = delete;
    AsconKey &operator=(const AsconKey &) = delete;
    ~AsconKey()
    {
        hanji_ascon_aead128_key_wipe(&key_);
    }

    size_t tag_length() const
    {
        return key_.tag_bytes;
    }
    int seal(uint8_t *out, const Input &in, const Input &ad, const Input &nonce) const
    {
        return counted(in.size(), ad.size(), [&](hanji_ascon_aead128_key *key) {
            return hanji_ascon_aead128_key_encrypt(out, in.data(), in.size(), ad.data(), ad.size(),
                                                   nonce.data(), key);
        });
    }
    int open(uint8_t *out, const Input &in, const Input &ad, const Input &nonce) const
    {
        return counted(in.size() - key_.tag_bytes, ad.size(), [&](hanji_ascon_aead128_key *key) {
            return hanji_ascon_aead128_key_decrypt(out, in.data(), in.size(), ad.data(), ad.size(),
                                                   nonce.data(), key);
        });
    }

  private:
    template <class Call> int counted(size_t bytes, size_t ad_bytes, Call call) const
    {
        const uint64_t blocks =
            2 + uint64_t{bytes / 16} + (ad_bytes > 0 ? 1 + uint64_t{ad_bytes / 16} : 0);
        uint64_t before = blocks_.load();
        do {
            if (before > HANJI_ASCON_AEAD128_LIMIT_BLOCKS - blocks)
                return HANJI_E_LIMIT;
        } while (!blocks_.compare_exchange_weak(before, before + blocks));
        hanji_ascon_aead128_key key = key_;
        const int code = call(&key);
        hanji_ascon_aead128_key_wipe(&key);
        return code;
    }

    hanji_ascon_aead128_key key_{};
    mutable std::atomic<uint64_t> blocks_{0};
};

// The methods of all of them, over a key with name, sizes, seal and open.
template <class Key> class Aead : public Key
{
  public:
    using Key::Key;

    nb::bytes encrypt(nb::handle nonce, nb::handle data, nb::handle associated_data) const
    {
        const Input n(nonce, "nonce"), in(data, "data"),
            ad(associated_data, "associated_data", none_is_empty);
        NewBytes out(sealed_bytes(in.size()));
        seal_checked(out.data(), n, in, ad);
        return out.take();
    }

    nb::bytes decrypt(nb::handle nonce, nb::handle data, nb::handle associated_data) const
    {
        const Input n(nonce, "nonce"), in(data, "data"),
            ad(associated_data, "associated_data", none_is_empty);
        NewBytes out(opened_bytes(in.size()));
        open_checked(out.data(), n, in, ad);
        return out.take();
    }

    size_t encrypt_into(nb::handle nonce, nb::handle data, nb::handle associated_data,
                        nb::handle buf) const
    {
        const Input n(nonce, "nonce"), in(data, "data"),
            ad(associated_data, "associated_data", none_is_empty);
        const Output out(buf, "buf");
        const size_t bytes = sealed_bytes(in.size());
        require_room(out, bytes, n, in, ad);
        seal_checked(out.data(), n, in, ad);
        return bytes;
    }

    size_t decrypt_into(nb::handle nonce, nb::handle data, nb::handle associated_data,
                        nb::handle buf) const
    {
        const Input n(nonce, "nonce"), in(data, "data"),
            ad(associated_data, "associated_data", none_is_empty);
        const Output out(buf, "buf");
        const size_t bytes = opened_bytes(in.size());
        require_room(out, bytes, n, in, ad);
        open_checked(out.data(), n, in, ad);
        return bytes;
    }

  private:
    size_t sealed_bytes(size_t bytes) const
    {
        return bytes + Key::tag_length();
    } // bytes <= PY_SSIZE_T_MAX: no overflow

    // The length of a received message is not the programmer's mistake: too short is as good as
    // forged.
    size_t opened_bytes(size_t bytes) const
    {
        const size_t tag = Key::tag_length();
        if (bytes < tag)
            raise(invalid_tag_type,
                  "data is %zu bytes, shorter than the %zu-byte "
                  "tag that ends every %s "
                  "message",
                  bytes, tag, Key::name);
        return bytes - tag;
    }

    static void require_room(const Output &out, size_t bytes, const Input &nonce, const Input &in,
                             const Input &ad)
    {
        if (out.size() < bytes)
            raise(PyExc_ValueError, "buf has %zu bytes; the result takes %zu", out.size(), bytes);
        require_apart(out.data(), bytes, in.data(), in.size(), "data", true);
        require_apart(out.data(), bytes, ad.data(), ad.size(), "associated_data", false);
        require_apart(out.data(), bytes, nonce.data(), nonce.size(), "nonce", false);
    }

    void seal_checked(uint8_t *out, const Input &nonce, const Input &in, const Input &ad) const
    {
        require_size("nonce", nonce.size(), Key::name, Key::nonce_bytes);
        int code;
        {
            MaybeNoGil released(in.size() + ad.size());
            code = Key::seal(out, in, ad, nonce);
        }
        check(code);
    }

    void open_checked(uint8_t *out, const Input &nonce, const Input &in, const Input &ad) const
    {
        require_size("nonce", nonce.size(), Key::name, Key::nonce_bytes);
        int code;
        {
            MaybeNoGil released(in.size() + ad.size());
            code = Key::open(out, in, ad, nonce);
        }
        check(code);
    }
};

template <class Key> nb::class_<Aead<Key>> bind_common(nb::module_ &module, const char *home)
{
    using Class = Aead<Key>;
    const std::string signature = std::string("@typing.final\nclass ") + Key::name + "()";
    nb::class_<Class> type(module, Key::name, nb::is_final(), nb::sig(signature.c_str()), Key::doc);
    type.attr("name") = Key::canonical;
    type.attr("key_size") = Key::key_bytes;
    type.attr("nonce_size") = Key::nonce_bytes;
    type.def_static(
            "generate_nonce", [] { return random_bytes(Key::nonce_bytes); },
            nb::sig("def "
                    "generate_nonce() -> bytes"),
            "A new random nonce from the operating system: nonce_size bytes. HanjiError when the system gives none.")
        .def(
            "encrypt", &Class::encrypt, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data") = nb::none(),
            nb::sig(
                "def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                "associated_data: hanji._typing.BytesLike | None = None) -> bytes"),
            "Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce must be new under this key.")
        .def(
            "decrypt", &Class::decrypt, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data") = nb::none(),
            nb::sig(
                "def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                "associated_data: hanji._typing.BytesLike | None = None) -> bytes"),
            "Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.")
        .def(
            "encrypt_into", &Class::encrypt_into, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data").none(), nb::arg("buf").none(),
            nb::sig(
                "def encrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                "associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int"),
            "Seal into the first len(data) + tag_size bytes of buf and return that number. buf may begin at the same byte as data.")
        .def(
            "decrypt_into", &Class::decrypt_into, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data").none(), nb::arg("buf").none(),
            nb::sig(
                "def decrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                "associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int"),
            "Open into the first len(data) - tag_size bytes of buf and return that number. buf may begin at the same byte as data.\n\n"
            "InvalidTag when anything does not match: those bytes of buf are then zero (in place, the ciphertext is lost).")
        .def_prop_ro(
            "tag_length", [](const Class &self) { return self.tag_length(); },
            nb::sig("def tag_length(self) -> int"), "Bytes of the tags of this key.")
        .def(
            "__repr__",
            [home](const Class &) {
                return nb::str("<") + nb::str(home) + nb::str(".") + nb::str(Key::name) +
                       nb::str(">");
            },
            nb::sig("def __repr__(self) -> str"))
        .def(
            "__reduce__",
            [](const Class &) -> nb::object {
                raise(
                    PyExc_TypeError,
                    "%s holds a key and is not pickled or copied; send the key by a way that you trust and make a new object",
                    Key::name);
            },
            nb::sig("def __reduce__(self) -> typing.NoReturn"));
    return type;
}

template <class Instance> void bind(nb::module_ &module)
{
    using Class = Aead<Fixed<Instance>>;
    auto type = bind_common<Fixed<Instance>>(module, "hanji.aead");
    type.attr("tag_size") = Instance::tag_bytes;
    type.def(nb::init<nb::handle>(), nb::arg("key").none(),
             nb::sig("def __init__(self, key: "
                     "hanji._typing.BytesLike) -> None"),
             "Take a key of key_size bytes; ValueError for another size.")
        .def_static(
            "generate_key", [] { return random_bytes(Instance::key_bytes); },
            nb::sig("def generate_key() -> bytes"),
            "A new random key from the operating system: key_size bytes. HanjiError when "
            "the system gives none.");
}

template <class Kind> nb::class_<Aead<AsconKey<Kind>>> bind_ascon(nb::module_ &module)
{
    using Class = Aead<AsconKey<Kind>>;
    auto type = bind_common<AsconKey<Kind>>(module, Kind::module);
    type.def_static(
        "generate_key",
        [](bool nonce_masking) { return random_bytes((nonce_masking ? 2 : 1) * Class::key_bytes); },
        nb::arg("nonce_masking") = false,
        nb::sig("def generate_key(nonce_masking: "
                "bool = False) -> bytes"),
        "A new random key from the operating system: 16 bytes, with nonce_masking 32. "
        "HanjiError when the system gives none.");
    return type;
}

} // namespace

void bind_aead(nb::module_ &module)
{
    auto ascon = bind_ascon<Ascon>(module);
    ascon.attr("tag_size") = HANJI_ASCON_AEAD128_TAG_BYTES;
    ascon.def(nb::init<nb::handle, size_t, bool>(), nb::arg("key").none(),
              nb::arg("tag_length") = HANJI_ASCON_AEAD128_TAG_BYTES,
              nb::arg("nonce_masking") = false,
              nb::sig("def __init__(self, key: hanji._typing.BytesLike, tag_length: int = 16, "
                      "nonce_masking: bool = False) -> None"),
              "Take a key of 16 bytes, with nonce_masking of 32; ValueError for another size, and "
              "for tag_length outside of 8 to 16.");
    auto brief = bind_ascon<AsconShortTag>(module);
    brief.def(nb::init<nb::handle, size_t, bool>(), nb::arg("key").none(), nb::arg("tag_length"),
              nb::arg("nonce_masking") = false,
              nb::sig("def __init__(self, key: hanji._typing.BytesLike, tag_length: int, "
                      "nonce_masking: bool = False) -> None"),
              "Take a key of 16 bytes, with nonce_masking of 32; ValueError for another size, and "
              "for tag_length outside of 4 to 7.");
    bind<Schwaemm256_128>(module);
    bind<Schwaemm192_192>(module);
    bind<Schwaemm128_128>(module);
    bind<Schwaemm256_256>(module);
}

} // namespace hanji
