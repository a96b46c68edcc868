// SPDX-License-Identifier: Apache-2.0
// Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128, ESCH and XOESCH.
#include "core.hpp"

#include <string>

namespace hanji
{
namespace
{

struct AsconContext {
    using Context = hanji_ascon_hash_ctx;
    static constexpr auto wipe = hanji_ascon_hash_wipe;
    static constexpr size_t rate_bytes = 8;
};

struct EschContext {
    using Context = hanji_esch_ctx;
    static constexpr auto wipe = hanji_esch_wipe;
    static constexpr size_t rate_bytes = 16;
};

struct AsconHash256 : AsconContext {
    static constexpr const char *name = "AsconHash256", *canonical = "ascon-hash256";
    static constexpr const char *doc =
        "Ascon-Hash256: a hash function with 32-byte digests, the NIST standard for small "
        "devices; shaped like those of hashlib.\n\n"
        "128 bits of security against collisions and preimages. Threads may share an object: each "
        "call is whole. Not for passwords, and not\n"
        "approved inside HMAC.\n\n"
        "Source: NIST SP 800-232, August 2025, section 5.1.\n"
        "Status: NIST standard; no known attack on the full algorithm.";
    static constexpr size_t digest_bytes = HANJI_ASCON_HASH256_DIGEST_BYTES;
    static constexpr auto init = hanji_ascon_hash256_init;
    static constexpr auto update = hanji_ascon_hash256_update;
    static constexpr auto final = hanji_ascon_hash256_final;
};

struct AsconXOF128 : AsconContext {
    static constexpr const char *name = "AsconXOF128", *canonical = "ascon-xof128";
    static constexpr const char *doc =
        "Ascon-XOF128: as many bytes of output as wanted, from a message given in pieces; shaped "
        "like hashlib.shake_128.\n\n"
        "128 bits of security with 32 bytes of output or more. digest(n) is the first n bytes of "
        "the output; read(n) is the next n\n"
        "bytes, and ends the message. Threads may share an object: each call is whole. Not for "
        "passwords.\n\n"
        "Source: NIST SP 800-232, August 2025, section 5.2.\n"
        "Status: NIST standard; no known attack on the full algorithm.";
    static constexpr auto init = hanji_ascon_xof128_init;
    static constexpr auto update = hanji_ascon_xof128_update;
    static constexpr auto squeeze = hanji_ascon_xof128_squeeze;
};

struct AsconCXOF128 : AsconContext {
    static constexpr const char *name = "AsconCXOF128", *canonical = "ascon-cxof128";
    static constexpr const char *doc =
        "Ascon-CXOF128: Ascon-XOF128 with a customization string, which says what the output is "
        "for.\n\n"
        "Outputs for different strings, 0 to 256 bytes, have nothing in common. Otherwise as "
        "AsconXOF128, from which it also differs when the\n"
        "string is empty.\n\n"
        "Source: NIST SP 800-232, August 2025, section 5.3.\n"
        "Status: NIST standard; no known attack on the full algorithm.";
    static constexpr auto update = hanji_ascon_cxof128_update;
    static constexpr auto squeeze = hanji_ascon_cxof128_squeeze;
};

struct Esch256 : EschContext {
    static constexpr const char *name = "Esch256", *canonical = "esch256";
    static constexpr const char *doc =
        "ESCH256: a hash function with 32-byte digests, shaped like those of hashlib.\n\n"
        "128 bits of security against collisions and preimages. Threads may share an object: each call is whole. Not for passwords.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.\n"
        "Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.";
    static constexpr size_t digest_bytes = HANJI_ESCH256_DIGEST_BYTES;
    static constexpr auto init = hanji_esch256_init;
    static constexpr auto update = hanji_esch256_update;
    static constexpr auto final = hanji_esch256_final;
};

struct Esch384 : EschContext {
    static constexpr const char *name = "Esch384", *canonical = "esch384";
    static constexpr const char *doc =
        "ESCH384: a hash function with 48-byte digests, shaped like those of hashlib.\n\n"
        "192 bits of security against collisions and preimages. Threads may share an object: each call is whole. Not for passwords.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.\n"
        "Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.";
    static constexpr size_t digest_bytes = HANJI_ESCH384_DIGEST_BYTES;
    static constexpr auto init = hanji_esch384_init;
    static constexpr auto update = hanji_esch384_update;
    static constexpr auto final = hanji_esch384_final;
};

struct XOEsch256 : EschContext {
    static constexpr const char *name = "XOEsch256", *canonical = "xoesch256";
    static constexpr const char *doc =
        "XOESCH256: as many bytes of output as wanted, from a message given in pieces; shaped like hashlib.shake_128.\n\n"
        "128 bits of security with 32 bytes of output or more. digest(n) is the first n bytes of the output; read(n) is the next n bytes, and ends the\n"
        "message. Threads may share an object: each call is whole. Not for passwords.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.\n"
        "Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.";
    static constexpr auto init = hanji_xoesch256_init;
    static constexpr auto update = hanji_xoesch256_update;
    static constexpr auto squeeze = hanji_xoesch256_squeeze;
};

struct XOEsch384 : EschContext {
    static constexpr const char *name = "XOEsch384", *canonical = "xoesch384";
    static constexpr const char *doc =
        "XOESCH384: as many bytes of output as wanted, from a message given in pieces; shaped like hashlib.shake_256.\n\n"
        "192 bits of security with 48 bytes of output or more. digest(n) is the first n bytes of the output; read(n) is the next n bytes, and ends the\n"
        "message. Threads may share an object: each call is whole. Not for passwords.\n\n"
        "Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.\n"
        "Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.";
    static constexpr auto init = hanji_xoesch384_init;
    static constexpr auto update = hanji_xoesch384_update;
    static constexpr auto squeeze = hanji_xoesch384_squeeze;
};

nb::str to_hex(const nb::bytes &digest)
{
    static const char digits[] = "0123456789abcdef";
    const auto *data = static_cast<const uint8_t *>(digest.data());
    const size_t bytes = digest.size();
    nb::object text = nb::steal(PyUnicode_New(static_cast<Py_ssize_t>(2 * bytes), 127));
    if (!text.is_valid())
        throw nb::python_error();
    Py_UCS1 *out = PyUnicode_1BYTE_DATA(text.ptr());
    for (size_t i = 0; i < bytes; i++) {
        out[2 * i] = static_cast<Py_UCS1>(digits[data[i] >> 4]);
        out[2 * i + 1] = static_cast<Py_UCS1>(digits[data[i] & 15]);
    }
    return nb::borrow<nb::str>(text);
}

size_t output_size(nb::handle length)
{
    if (!PyLong_Check(length.ptr()))
        raise(PyExc_TypeError, "length must be an int, not %s", Py_TYPE(length.ptr())->tp_name);
    const Py_ssize_t value = PyLong_AsSsize_t(length.ptr());
    if (value == -1 && PyErr_Occurred())
        throw nb::python_error();
    if (value < 0)
        raise(PyExc_ValueError, "length is %zd; it must not be negative", value);
    return static_cast<size_t>(value);
}

// A message so far. A copy of a context of the library is a fork of the computation: digests are
// taken from forks, so that the message can go on, and an extendable-output function reads from one
// that is made at the first read.
template <class Function> class Message
{
  public:
    explicit Message(nb::handle data)
    {
        check(Function::init(&state_.message));
        update(data);
    }
    Message(nb::handle data, nb::handle customization)
    {
        const Input custom(customization, "customization");
        if (custom.size() > HANJI_ASCON_CXOF128_CUSTOMIZATION_BYTES_MAX)
            raise(PyExc_ValueError,
                  "customization is %zu bytes; %s takes 0 to "
                  "%d",
                  custom.size(), Function::name, HANJI_ASCON_CXOF128_CUSTOMIZATION_BYTES_MAX);
        check(hanji_ascon_cxof128_init(custom.data(), custom.size(), &state_.message));
        update(data);
    }
    Message(const Message &other) : state_(other.snapshot())
    {
    }
    Message &operator=(const Message &) = delete;

    void update(nb::handle data)
    {
        const Input in(data, "data");
        const int code = with_lock(lock_, in.size(), [&] {
            return state_.reading ? reading_code
                                  : Function::update(in.data(), in.size(), &state_.message);
        });
        if (code == reading_code)
            raise(
                PyExc_ValueError,
                "output has been read, so the message is complete; make a copy() before the first read() to go on from there");
        check(code);
    }

    nb::bytes digest() const
    {
        NewBytes out(Function::digest_bytes);
        State fork = snapshot();
        check(Function::final(out.data(), &fork.message));
        return out.take();
    }

    nb::bytes digest_of_length(nb::handle length) const
    {
        const size_t bytes = output_size(length);
        NewBytes out(bytes);
        State fork = snapshot();
        int code;
        {
            MaybeNoGil released(bytes);
            code = Function::squeeze(out.data(), bytes, &fork.message);
        }
        check(code);
        return out.take();
    }

    nb::bytes read(nb::handle length)
    {
        const size_t bytes = output_size(length);
        NewBytes out(bytes);
        check(with_lock(lock_, bytes, [&] {
            if (!state_.reading)
                state_.reader = state_.message;
            state_.reading = true;
            return Function::squeeze(out.data(), bytes, &state_.reader);
        }));
        return out.take();
    }

  private:
    struct State {
        typename Function::Context message{};
        typename Function::Context reader{};
        bool reading = false;
        ~State()
        {
            Function::wipe(&message);
            Function::wipe(&reader);
        }
    };
    static constexpr int reading_code = 1; // not a code of the library

    State snapshot() const
    {
        State fork;
        check(with_lock(lock_, 0, [&] {
            fork = state_;
            return HANJI_OK;
        }));
        return fork;
    }

    mutable Lock lock_;
    State state_;
};

template <class Function> nb::class_<Message<Function>> bind_common(nb::module_ &module)
{
    using Class = Message<Function>;
    const std::string signature = std::string("@typing.final\nclass ") + Function::name + "()";
    nb::class_<Class> type(module, Function::name, nb::is_final(), nb::sig(signature.c_str()),
                           Function::doc);
    type.attr("name") = Function::canonical;
    type.attr("block_size") = Function::rate_bytes;
    type.def("update", &Class::update, nb::arg("data").none(),
             nb::sig("def update(self, data: "
                     "hanji._typing.BytesLike) -> None"),
             "Append data to the message.")
        .def(
            "copy", [](const Class &self) { return new Class(self); },
            nb::rv_policy::take_ownership, nb::sig("def copy(self) -> typing.Self"),
            "A copy that goes on independently from here.")
        .def(
            "__repr__",
            [](const Class &) {
                return nb::str("<hanji.hashes.") + nb::str(Function::name) + nb::str(">");
            },
            nb::sig("def __repr__(self) -> str"))
        .def(
            "__reduce__",
            [](const Class &) -> nb::object {
                raise(
                    PyExc_TypeError,
                    "%s objects are not pickled; use copy() within a process, or hash where the data is",
                    Function::name);
            },
            nb::sig("def __reduce__(self) -> typing.NoReturn"));
    return type;
}

template <class Function> void bind_hash(nb::module_ &module)
{
    using Class = Message<Function>;
    auto type = bind_common<Function>(module);
    type.attr("digest_size") = Function::digest_bytes;
    type.def(nb::init<nb::handle>(), nb::arg("data").none() = nb::bytes("", 0),
             nb::sig("def "
                     "__init__(self, data: hanji._typing.BytesLike = b'') -> None"),
             "Begin a message, with its first piece if there is one.");
    type.def("digest", &Class::digest, nb::sig("def digest(self) -> bytes"),
             "The digest of the message so far: digest_size bytes. The message may go on.")
        .def(
            "hexdigest", [](const Class &self) { return to_hex(self.digest()); },
            nb::sig("def hexdigest(self) -> str"),
            "digest() as text: two hexadecimal digits per byte.");
}

template <class Function> nb::class_<Message<Function>> bind_output(nb::module_ &module)
{
    using Class = Message<Function>;
    auto type = bind_common<Function>(module);
    type.attr("digest_size") = 0; // any length, as hashlib says it
    type.def(
            "digest", &Class::digest_of_length, nb::arg("length").none(),
            nb::sig("def digest(self, length: int) -> bytes"),
            "The first length bytes of the output for the message so far. Does not disturb read().")
        .def(
            "hexdigest",
            [](const Class &self, nb::handle length) {
                return to_hex(self.digest_of_length(length));
            },
            nb::arg("length").none(), nb::sig("def hexdigest(self, length: int) -> str"),
            "digest(length) as text: two hexadecimal digits per byte.")
        .def(
            "read", &Class::read, nb::arg("length").none(),
            nb::sig("def read(self, length: int) -> bytes"),
            "The next length bytes of the output. The message is complete from here on: update() is then a ValueError.");
    return type;
}

template <class Function> void bind_xof(nb::module_ &module)
{
    auto type = bind_output<Function>(module);
    type.def(nb::init<nb::handle>(), nb::arg("data").none() = nb::bytes("", 0),
             nb::sig("def "
                     "__init__(self, data: hanji._typing.BytesLike = b'') -> None"),
             "Begin a message, with its first piece if there is one.");
}

template <class Function> void bind_customized(nb::module_ &module)
{
    auto type = bind_output<Function>(module);
    type.def(nb::init<nb::handle, nb::handle>(), nb::arg("data").none() = nb::bytes("", 0),
             nb::arg("customization").none() = nb::bytes("", 0),
             nb::sig("def __init__(self, data: hanji._typing.BytesLike = b'', customization: "
                     "hanji._typing.BytesLike = b'') -> None"),
             "Begin a message, with its first piece if there is one, under a customization string "
             "of 0 to 256 bytes; ValueError for a longer one.");
}

} // namespace

void bind_hashes(nb::module_ &module)
{
    bind_hash<AsconHash256>(module);
    bind_xof<AsconXOF128>(module);
    bind_customized<AsconCXOF128>(module);
    bind_hash<Esch256>(module);
    bind_hash<Esch384>(module);
    bind_xof<XOEsch256>(module);
    bind_xof<XOEsch384>(module);
}

} // namespace hanji
