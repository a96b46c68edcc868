// SPDX-License-Identifier: Apache-2.0
// SCHWAEMM. Objects hold the key only and never change, so threads share them freely.
#include "core.hpp"

#include <cstring>
#include <string>

namespace hanji {
namespace {

using Function = int (*)(uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, const uint8_t *);

struct Schwaemm256_128 {
    static constexpr const char *name = "Schwaemm256_128", *canonical = "schwaemm256-128";
    static constexpr const char *doc =
        "SCHWAEMM256-128: authenticated encryption with associated data; the one to take when nothing speaks for another.\n\n"
        "Key 16 bytes, nonce 32, tag 16; 120 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever; nonces from\n"
        "generate_nonce() may be taken at random without fear of repetition. The key is copied, and erased with the object. Objects do not\n"
        "change: threads and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM256_128_KEY_BYTES, nonce_bytes = HANJI_SCHWAEMM256_128_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM256_128_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm256_128_encrypt, decrypt = hanji_schwaemm256_128_decrypt;
};

struct Schwaemm192_192 {
    static constexpr const char *name = "Schwaemm192_192", *canonical = "schwaemm192-192";
    static constexpr const char *doc =
        "SCHWAEMM192-192: authenticated encryption with associated data and a longer key.\n\n"
        "Key 24 bytes, nonce 24, tag 24; 184 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever. The key is\n"
        "copied, and erased with the object. Objects do not change: threads and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM192_192_KEY_BYTES, nonce_bytes = HANJI_SCHWAEMM192_192_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM192_192_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm192_192_encrypt, decrypt = hanji_schwaemm192_192_decrypt;
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
    static constexpr size_t key_bytes = HANJI_SCHWAEMM128_128_KEY_BYTES, nonce_bytes = HANJI_SCHWAEMM128_128_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM128_128_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm128_128_encrypt, decrypt = hanji_schwaemm128_128_decrypt;
};

struct Schwaemm256_256 {
    static constexpr const char *name = "Schwaemm256_256", *canonical = "schwaemm256-256";
    static constexpr const char *doc =
        "SCHWAEMM256-256: authenticated encryption with associated data and the longest key.\n\n"
        "Key 32 bytes, nonce 32, tag 32; 248 bits of security, at most 2^133 bytes per key. A nonce is used once per key, ever. The key is\n"
        "copied, and erased with the object. Objects do not change: threads and forked processes may share them. Does not commit to its key.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.\n"
        "Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.";
    static constexpr size_t key_bytes = HANJI_SCHWAEMM256_256_KEY_BYTES, nonce_bytes = HANJI_SCHWAEMM256_256_NONCE_BYTES,
                            tag_bytes = HANJI_SCHWAEMM256_256_TAG_BYTES;
    static constexpr Function encrypt = hanji_schwaemm256_256_encrypt, decrypt = hanji_schwaemm256_256_decrypt;
};

template <class Instance> class Aead {
  public:
    explicit Aead(nb::handle key) {
        Input given(key, "key");
        require_size("key", given.size(), Instance::name, Instance::key_bytes);
        std::memcpy(key_, given.data(), sizeof key_);
    }
    Aead(const Aead &) = delete;
    Aead &operator=(const Aead &) = delete;
    ~Aead() { hanji_wipe(key_, sizeof key_); }

    nb::bytes encrypt(nb::handle nonce, nb::handle data, nb::handle associated_data) const {
        const Input n(nonce, "nonce"), in(data, "data"), ad(associated_data, "associated_data", none_is_empty);
        NewBytes out(sealed_bytes(in.size()));
        seal(out.data(), n, in, ad);
        return out.take();
    }

    nb::bytes decrypt(nb::handle nonce, nb::handle data, nb::handle associated_data) const {
        const Input n(nonce, "nonce"), in(data, "data"), ad(associated_data, "associated_data", none_is_empty);
        NewBytes out(opened_bytes(in.size()));
        open(out.data(), n, in, ad);
        return out.take();
    }

    size_t encrypt_into(nb::handle nonce, nb::handle data, nb::handle associated_data, nb::handle buf) const {
        const Input n(nonce, "nonce"), in(data, "data"), ad(associated_data, "associated_data", none_is_empty);
        const Output out(buf, "buf");
        const size_t bytes = sealed_bytes(in.size());
        require_room(out, bytes, n, in, ad);
        seal(out.data(), n, in, ad);
        return bytes;
    }

    size_t decrypt_into(nb::handle nonce, nb::handle data, nb::handle associated_data, nb::handle buf) const {
        const Input n(nonce, "nonce"), in(data, "data"), ad(associated_data, "associated_data", none_is_empty);
        const Output out(buf, "buf");
        const size_t bytes = opened_bytes(in.size());
        require_room(out, bytes, n, in, ad);
        open(out.data(), n, in, ad);
        return bytes;
    }

  private:
    static size_t sealed_bytes(size_t bytes) { return bytes + Instance::tag_bytes; } // bytes <= PY_SSIZE_T_MAX: no overflow

    // The length of a received message is not the programmer's mistake: too short is as good as forged.
    static size_t opened_bytes(size_t bytes) {
        if (bytes < Instance::tag_bytes)
            raise(invalid_tag_type, "data is %zu bytes, shorter than the %zu-byte tag that ends every %s message", bytes, Instance::tag_bytes,
                  Instance::name);
        return bytes - Instance::tag_bytes;
    }

    static void require_room(const Output &out, size_t bytes, const Input &nonce, const Input &in, const Input &ad) {
        if (out.size() < bytes) raise(PyExc_ValueError, "buf has %zu bytes; the result takes %zu", out.size(), bytes);
        require_apart(out.data(), bytes, in.data(), in.size(), "data", true);
        require_apart(out.data(), bytes, ad.data(), ad.size(), "associated_data", false);
        require_apart(out.data(), bytes, nonce.data(), nonce.size(), "nonce", false);
    }

    void seal(uint8_t *out, const Input &nonce, const Input &in, const Input &ad) const {
        require_size("nonce", nonce.size(), Instance::name, Instance::nonce_bytes);
        int code;
        {
            MaybeNoGil released(in.size() + ad.size());
            code = Instance::encrypt(out, in.data(), in.size(), ad.data(), ad.size(), nonce.data(), key_);
        }
        check(code);
    }

    void open(uint8_t *out, const Input &nonce, const Input &in, const Input &ad) const {
        require_size("nonce", nonce.size(), Instance::name, Instance::nonce_bytes);
        int code;
        {
            MaybeNoGil released(in.size() + ad.size());
            code = Instance::decrypt(out, in.data(), in.size(), ad.data(), ad.size(), nonce.data(), key_);
        }
        check(code);
    }

    uint8_t key_[Instance::key_bytes];
};

template <class Instance> void bind(nb::module_ &module) {
    using Class = Aead<Instance>;
    const std::string signature = std::string("@typing.final\nclass ") + Instance::name + "()";
    nb::class_<Class> type(module, Instance::name, nb::is_final(), nb::sig(signature.c_str()), Instance::doc);
    type.attr("name") = Instance::canonical;
    type.attr("key_size") = Instance::key_bytes;
    type.attr("nonce_size") = Instance::nonce_bytes;
    type.attr("tag_size") = Instance::tag_bytes;
    type.def(nb::init<nb::handle>(), nb::arg("key"), nb::sig("def __init__(self, key: hanji._typing.BytesLike) -> None"),
             "Take a key of key_size bytes; ValueError for another size.")
        .def_static("generate_key", [] { return random_bytes(Instance::key_bytes); }, nb::sig("def generate_key() -> bytes"),
                    "A new random key from the operating system: key_size bytes. HanjiError when the system gives none.")
        .def_static("generate_nonce", [] { return random_bytes(Instance::nonce_bytes); }, nb::sig("def generate_nonce() -> bytes"),
                    "A new random nonce from the operating system: nonce_size bytes. HanjiError when the system gives none.")
        .def("encrypt", &Class::encrypt, nb::arg("nonce"), nb::arg("data"), nb::arg("associated_data") = nb::none(),
             nb::sig("def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                     "associated_data: hanji._typing.BytesLike | None = None) -> bytes"),
             "Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce must be new under this key.")
        .def("decrypt", &Class::decrypt, nb::arg("nonce"), nb::arg("data"), nb::arg("associated_data") = nb::none(),
             nb::sig("def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                     "associated_data: hanji._typing.BytesLike | None = None) -> bytes"),
             "Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.")
        .def("encrypt_into", &Class::encrypt_into, nb::arg("nonce"), nb::arg("data"), nb::arg("associated_data").none(), nb::arg("buf"),
             nb::sig("def encrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                     "associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int"),
             "Seal into the first len(data) + tag_size bytes of buf and return that number. buf may begin at the same byte as data.")
        .def("decrypt_into", &Class::decrypt_into, nb::arg("nonce"), nb::arg("data"), nb::arg("associated_data").none(), nb::arg("buf"),
             nb::sig("def decrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                     "associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int"),
             "Open into the first len(data) - tag_size bytes of buf and return that number. buf may begin at the same byte as data.\n\n"
             "InvalidTag when anything does not match: those bytes of buf are then zero (in place, the ciphertext is lost).")
        .def("__repr__", [](const Class &) { return nb::str("<hanji.aead.") + nb::str(Instance::name) + nb::str(">"); },
             nb::sig("def __repr__(self) -> str"))
        .def("__reduce__", [](const Class &) -> nb::object {
                 raise(PyExc_TypeError, "%s holds a key and is not pickled or copied; send the key by a way that you trust and make a new object",
                       Instance::name);
             }, nb::sig("def __reduce__(self) -> typing.NoReturn"));
}

} // namespace

void bind_aead(nb::module_ &module) {
    bind<Schwaemm256_128>(module);
    bind<Schwaemm192_192>(module);
    bind<Schwaemm128_128>(module);
    bind<Schwaemm256_256>(module);
}

} // namespace hanji
