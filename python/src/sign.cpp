// SPDX-License-Identifier: Apache-2.0
// Signatures: every scheme in one shape. The classes that users see are in hanji/sign.py, over
// these.
#include "sign.hpp"

#include <cstring>

namespace hanji
{

std::array<const SignatureScheme *, 3> all_schemes()
{
    return {&slhdsa(), &aimer(), &rainbow()};
}

Memory allocate(size_t bytes)
{
    try {
        return Memory(new uint8_t[bytes]);
    } catch (const std::bad_alloc &) {
        PyErr_NoMemory();
        throw nb::python_error();
    }
}

void require_key_size(const SignatureSet &set, bool is_private, size_t given)
{
    const size_t expected = is_private ? set.private_key_bytes : set.public_key_bytes;
    if (given != expected)
        raise(PyExc_ValueError, "a %s key of %s has %zu bytes; %zu were given",
              is_private ? "private" : "public", set.name, expected, given);
}

void SignatureMessage::again()
{
    raise(PyExc_ValueError, "this message is read once");
}

void require_no_pre_hash(const char *scheme, nb::handle pre_hash)
{
    if (!pre_hash.is_none())
        raise(PyExc_ValueError, "%s takes no pre_hash; SLH-DSA does", scheme);
}

Randomness::Randomness(const Making &making, const char *scheme, size_t bytes)
{
    if (making.randomness.is_none())
        return;
    given_ = std::make_unique<Input>(making.randomness, "randomness");
    if (making.deterministic)
        raise(PyExc_ValueError, "randomness was given for a deterministic signature, which takes "
                                "none; leave out one of the two");
    require_size("randomness", given_->size(), scheme, bytes);
}

int Randomness::copy(uint8_t *out, size_t bytes, void *state)
{
    const Input &given = *static_cast<const Input *>(state);
    if (bytes != given.size()) // the library asks once for all bytes
        return HANJI_E_RANDOM;
    std::memcpy(out, given.data(), bytes);
    return HANJI_OK;
}

int SignatureKey::readings(nb::handle) const
{
    return 1;
}

std::unique_ptr<SignatureMessage> SignatureKey::stream(const Purpose &purpose, nb::handle,
                                                       const Making &)
{
    return message(purpose);
}

nb::list SignatureKey::sign_batch(nb::list given, const Purpose &purpose, const Making &making)
{
    const nb::tuple messages(given); // other threads may change the list meanwhile
    nb::list signatures;
    for (nb::handle message : messages)
        signatures.append(sign(message, purpose, making));
    return signatures;
}

nb::list SignatureKey::verify_batch(nb::list given_signatures, nb::list given_messages,
                                    const Purpose &purpose)
{
    const nb::tuple signatures(given_signatures), messages(given_messages);
    if (signatures.size() != messages.size())
        raise(PyExc_ValueError, "%zu signatures were given for %zu messages", signatures.size(),
              messages.size());
    nb::list verdicts;
    for (size_t i = 0; i < messages.size(); i++)
        verdicts.append(verify(signatures[i], messages[i], purpose));
    return verdicts;
}

namespace
{

struct Place {
    const SignatureScheme *scheme;
    size_t index;
};

Place find(nb::handle name)
{
    const char *text = PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8(name.ptr()) : nullptr;
    if (!text) {
        PyErr_Clear();
        raise(PyExc_TypeError, "the parameter set must be a str, not %s",
              Py_TYPE(name.ptr())->tp_name);
    }
    for (const SignatureScheme *scheme : all_schemes())
        for (size_t i = 0; i < scheme->count(); i++)
            if (std::strcmp(scheme->name(i), text) == 0)
                return {scheme, i};
    raise(PyExc_ValueError,
          "no signature scheme has this name; hanji.sign.schemes() lists all of them");
}

nb::list sets()
{
    nb::list rows;
    for (const SignatureScheme *scheme : all_schemes())
        for (size_t i = 0; i < scheme->count(); i++) {
            const SignatureSet set = scheme->at(i);
            nb::dict row;
            row["name"] = set.name;
            row["standard"] = set.standard;
            row["status"] = set.status;
            row["broken"] = set.broken;
            row["public_key_size"] = set.public_key_bytes;
            row["private_key_size"] = set.private_key_bytes;
            row["private_key_form"] = set.private_key_form;
            row["signature_size"] = set.signature_bytes;
            row["memory"] = set.memory;
            row["small_memory"] = set.small_memory;
            row["least_memory"] = set.least_memory;
            row["batch_memory"] = set.batch_memory;
            rows.append(row);
        }
    return rows;
}

nb::bytes generate(nb::handle name)
{
    const Place place = find(name);
    return place.scheme->generate(place.index);
}

nb::object key(nb::handle name, nb::handle raw, bool is_private)
{
    const Place place = find(name);
    return nb::cast(place.scheme->key(place.index, raw, is_private).release(),
                    nb::rv_policy::take_ownership);
}

} // namespace

void bind_sign(nb::module_ &module)
{
    module.def("signature_sets", &sets,
               nb::sig("def signature_sets() -> list[dict[str, typing.Any]]"),
               "The parameter sets of all signature schemes: name, standard, status, broken, and "
               "sizes in bytes.");
    module.def("signature_generate", &generate, nb::arg("name").none(),
               nb::sig("def signature_generate(name: str) -> bytes"), "A new private key.");
    nb::class_<SignatureMessage>(
        module, "SignatureMessage",
        "A message in pieces, for one key: what SignatureKey.message makes.")
        .def("update", &SignatureMessage::update, nb::arg("data").none(),
             nb::sig("def update(self, data: hanji._typing.BytesLike) -> None"), "The next piece.")
        .def("again", &SignatureMessage::again, nb::sig("def again(self) -> None"),
             "The first of two readings is over.")
        .def(
            "sign",
            [](SignatureMessage &self, bool is_checked, bool deterministic, nb::handle randomness,
               nb::handle progress) {
                return self.sign({is_checked, deterministic, randomness, progress});
            },
            nb::arg("check"), nb::arg("deterministic"), nb::arg("randomness") = nb::none(),
            nb::arg("progress") = nb::none(),
            nb::sig("def sign(self, check: bool, deterministic: bool, randomness: "
                    "hanji._typing.BytesLike | None = None, progress: "
                    "collections.abc.Callable[[int, int], object] | None = None) -> bytes"),
            "The signature of what came so far.")
        .def("verify", &SignatureMessage::verify, nb::arg("signature").none(),
             nb::sig("def verify(self, signature: hanji._typing.BytesLike) -> bool"),
             "Whether the signature is that of what came so far.");
    nb::class_<SignatureKey>(module, "SignatureKey",
                             "An expanded key of a signature scheme: what signature_key makes.")
        .def(
            "sign",
            [](SignatureKey &self, nb::handle message, nb::handle context, bool is_checked,
               bool deterministic, nb::handle pre_hash, nb::handle randomness,
               nb::handle progress) {
                return self.sign(message, {context, pre_hash},
                                 {is_checked, deterministic, randomness, progress});
            },
            nb::arg("message").none(), nb::arg("context").none(), nb::arg("check"),
            nb::arg("deterministic"), nb::arg("pre_hash") = nb::none(),
            nb::arg("randomness") = nb::none(), nb::arg("progress") = nb::none(),
            nb::sig("def sign(self, message: hanji._typing.BytesLike, context: "
                    "hanji._typing.BytesLike, check: bool, deterministic: bool, pre_hash: str | "
                    "None = None, randomness: hanji._typing.BytesLike | None = None, progress: "
                    "collections.abc.Callable[[int, int], object] | None = None) -> bytes"),
            "The signature of a message.")
        .def(
            "verify",
            [](SignatureKey &self, nb::handle signature, nb::handle message, nb::handle context,
               nb::handle pre_hash) {
                return self.verify(signature, message, {context, pre_hash});
            },
            nb::arg("signature").none(), nb::arg("message").none(), nb::arg("context").none(),
            nb::arg("pre_hash") = nb::none(),
            nb::sig("def verify(self, signature: hanji._typing.BytesLike, message: "
                    "hanji._typing.BytesLike, context: hanji._typing.BytesLike, pre_hash: str | "
                    "None = None) -> bool"),
            "Whether the signature is right.")
        .def(
            "sign_batch",
            [](SignatureKey &self, nb::list messages, nb::handle context, bool is_checked,
               bool deterministic, nb::handle pre_hash) {
                return self.sign_batch(messages, {context, pre_hash},
                                       {is_checked, deterministic, nb::none(), nb::none()});
            },
            nb::arg("messages"), nb::arg("context").none(), nb::arg("check"),
            nb::arg("deterministic"), nb::arg("pre_hash") = nb::none(),
            nb::sig("def sign_batch(self, messages: list[hanji._typing.BytesLike], context: "
                    "hanji._typing.BytesLike, check: bool, deterministic: bool, pre_hash: str | "
                    "None = None) -> list[bytes]"),
            "The signatures of many messages with one context.")
        .def(
            "verify_batch",
            [](SignatureKey &self, nb::list signatures, nb::list messages, nb::handle context,
               nb::handle pre_hash) {
                return self.verify_batch(signatures, messages, {context, pre_hash});
            },
            nb::arg("signatures"), nb::arg("messages"), nb::arg("context").none(),
            nb::arg("pre_hash") = nb::none(),
            nb::sig("def verify_batch(self, signatures: list[hanji._typing.BytesLike], messages: "
                    "list[hanji._typing.BytesLike], context: hanji._typing.BytesLike, pre_hash: "
                    "str | None = None) -> list[bool]"),
            "Whether each signature is right, all with one context.")
        .def("public_key", &SignatureKey::public_key, nb::sig("def public_key(self) -> bytes"),
             "The public key that belongs to a private one.")
        .def(
            "message",
            [](SignatureKey &self, nb::handle context, nb::handle pre_hash) {
                return nb::cast(self.message({context, pre_hash}).release(),
                                nb::rv_policy::take_ownership);
            },
            nb::arg("context").none(), nb::arg("pre_hash") = nb::none(), nb::keep_alive<0, 1>(),
            nb::sig("def message(self, context: hanji._typing.BytesLike, pre_hash: str | None = "
                    "None) -> SignatureMessage"),
            "A message in pieces, for this key.")
        .def("readings", &SignatureKey::readings, nb::arg("pre_hash") = nb::none(),
             nb::sig("def readings(self, pre_hash: str | None = None) -> int"),
             "How often signing reads a message.")
        .def(
            "stream",
            [](SignatureKey &self, nb::handle context, nb::handle signature, bool is_checked,
               bool deterministic, nb::handle pre_hash, nb::handle randomness) {
                return nb::cast(self.stream({context, pre_hash}, signature,
                                            {is_checked, deterministic, randomness, nb::none()})
                                    .release(),
                                nb::rv_policy::take_ownership);
            },
            nb::arg("context").none(), nb::arg("signature").none(), nb::arg("check"),
            nb::arg("deterministic"), nb::arg("pre_hash") = nb::none(),
            nb::arg("randomness") = nb::none(), nb::keep_alive<0, 1>(),
            nb::sig("def stream(self, context: hanji._typing.BytesLike, signature: "
                    "hanji._typing.BytesLike | None, check: bool, deterministic: bool, pre_hash: "
                    "str | None = None, randomness: hanji._typing.BytesLike | None = None) -> "
                    "SignatureMessage"),
            "A message in pieces that is not kept: to be signed, or with a signature verified.");
    module.def("signature_key", &key, nb::arg("name").none(), nb::arg("raw").none(),
               nb::arg("private"),
               nb::sig("def signature_key(name: str, raw: hanji._typing.BytesLike, private: bool) "
                       "-> SignatureKey"),
               "The key that some bytes are.");
}

} // namespace hanji
