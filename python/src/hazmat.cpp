// SPDX-License-Identifier: Apache-2.0
// Block ciphers by name, and CTR, CMAC and EAX over them; the bare SPARKLE permutations.
#include "core.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace hanji
{
namespace
{

const hanji_cipher *cipher_named(const char *name)
{
    const hanji_cipher *cipher = hanji_cipher_find(name);
    if (!cipher)
        raise(PyExc_ValueError, "no block cipher of this library has this name; "
                                "hanji.algorithms() lists them");
    return cipher;
}

// A cipher with its round keys. CMAC copies share one, so that the data limit covers all of them.
struct Key {
    Key(const char *name, nb::handle key, nb::handle limit) : cipher(cipher_named(name))
    {
        const Input given(key, "key");
        require_size("key", given.size(), name, hanji_cipher_key_bytes(cipher));
        const uint64_t most = limit.is_none() ? hanji_cipher_limit(cipher) : blocks(limit);
        // From here on nothing may throw but what leaves an erased context: a destructor does not
        // run for a half-made object.
        check(hanji_block_init(given.data(), given.size(), cipher, &context.head, sizeof context));
        (void)!hanji_block_set_limit(most, &context.head); // the context is good
    }
    Key(const Key &) = delete;
    Key &operator=(const Key &) = delete;
    ~Key()
    {
        hanji_wipe(&context, sizeof context);
    }

    const char *name() const
    {
        return hanji_cipher_name(cipher);
    }
    size_t block_bytes() const
    {
        return hanji_cipher_block_bytes(cipher);
    }
    size_t key_bytes() const
    {
        return hanji_cipher_key_bytes(cipher);
    }

    uint64_t remaining() const
    {
        uint64_t blocks_left = 0;
        check(with_lock(lock, 0, [&] {
            blocks_left = hanji_block_remaining(&context.head);
            return HANJI_OK;
        }));
        return blocks_left;
    }

    // Raise what a mode answered; lengths were checked before.
    void check_mode(int code) const
    {
        if (code != HANJI_E_LIMIT)
            return check(code);
        raise(
            limit_error_type,
            "this call needs more blocks than %s has left under this key (%llu of %llu): change the key; limit= (blocks) raises the limit "
            "if you accept the weaker bound%s",
            name(), static_cast<unsigned long long>(remaining()),
            static_cast<unsigned long long>(context.head.blocks_limit),
            block_bytes() < 8 ? "; a stream also ends when its counter has had every value" : "");
    }

    static uint64_t blocks(nb::handle limit)
    {
        if (!PyLong_Check(limit.ptr()))
            raise(PyExc_TypeError, "limit must be an int (blocks) or None, not %s",
                  Py_TYPE(limit.ptr())->tp_name);
        const unsigned long long value = PyLong_AsUnsignedLongLong(limit.ptr());
        if (value == ~0ULL && PyErr_Occurred()) {
            PyErr_Clear();
            raise(PyExc_ValueError,
                  "limit must be 0 to 2**64 - 1 blocks, of which the last means no limit");
        }
        return value;
    }

    const hanji_cipher *cipher;
    hanji_any_block_ctx context;
    mutable Lock lock;
};

size_t tag_size_or(nb::handle tag_size, size_t block_bytes)
{
    if (tag_size.is_none())
        return block_bytes;
    if (!PyLong_Check(tag_size.ptr()))
        raise(PyExc_TypeError, "tag_size must be an int (bytes) or None, not %s",
              Py_TYPE(tag_size.ptr())->tp_name);
    const Py_ssize_t value = PyLong_AsSsize_t(tag_size.ptr());
    if (value == -1 && PyErr_Occurred())
        PyErr_Clear();
    if (value < 1 || value > static_cast<Py_ssize_t>(block_bytes))
        raise(PyExc_ValueError, "tag_size must be 1 to %zu bytes", block_bytes);
    return static_cast<size_t>(value);
}

void require_mode_block(const char *mode, const Key &key)
{
    if (key.block_bytes() != 8 && key.block_bytes() != 16)
        raise(PyExc_ValueError, "%s is defined for blocks of 8 and 16 bytes; %s has %zu", mode,
              key.name(), key.block_bytes());
}

class Block
{
  public:
    Block(const char *name, nb::handle key) : key(name, key, nb::none())
    {
    }

    template <auto Function> nb::bytes run(nb::handle blocks) const
    {
        const Input in(blocks, "blocks");
        const size_t block_bytes = key.block_bytes();
        if (in.size() % block_bytes)
            raise(PyExc_ValueError, "blocks is %zu bytes; %s takes a multiple of %zu", in.size(),
                  key.name(), block_bytes);
        NewBytes out(in.size());
        int code;
        {
            MaybeNoGil released(in.size());
            code = Function(out.data(), in.data(), in.size() / block_bytes, &key.context.head);
        }
        check(code);
        return out.take();
    }

    const Key key;
};

class CTR
{
  public:
    CTR(const char *name, nb::handle key_bytes, nb::handle iv, nb::handle limit)
        : key(name, key_bytes, limit)
    {
        const Input first(iv, "iv");
        require_size("iv", first.size(), key.name(), key.block_bytes());
        check(hanji_ctr_init(first.data(), first.size(), &key.context.head, &stream_));
    }
    ~CTR()
    {
        hanji_ctr_wipe(&stream_);
    }

    nb::bytes update(nb::handle data)
    {
        const Input in(data, "data");
        NewBytes out(in.size());
        run(out.data(), in);
        return out.take();
    }

    size_t update_into(nb::handle data, nb::handle buf)
    {
        const Input in(data, "data");
        const Output out(buf, "buf");
        if (out.size() < in.size())
            raise(PyExc_ValueError, "buf has %zu bytes; the result takes %zu", out.size(),
                  in.size());
        require_apart(out.data(), in.size(), in.data(), in.size(), "data", true);
        run(out.data(), in);
        return in.size();
    }

    Key key;

  private:
    void run(uint8_t *out, const Input &in)
    {
        key.check_mode(with_lock(key.lock, in.size(), [&] {
            return hanji_ctr_update(out, in.data(), in.size(), &stream_);
        }));
    }

    hanji_ctr_ctx stream_{};
};

class CMAC
{
  public:
    CMAC(const char *name, nb::handle key_bytes, nb::handle limit)
        : key(std::make_shared<Key>(name, key_bytes, limit))
    {
        require_mode_block("CMAC", *key);
        key->check_mode(hanji_cmac_init(&key->context.head, &message_));
    }
    CMAC(const CMAC &) = delete;
    CMAC &operator=(const CMAC &) = delete;
    ~CMAC()
    {
        hanji_cmac_wipe(&message_);
    }

    CMAC *copy() const
    {
        std::unique_ptr<CMAC> fork(new CMAC(key));
        check(with_lock(key->lock, 0, [&] {
            fork->message_ = message_;
            return HANJI_OK;
        }));
        return fork.release();
    }

    void update(nb::handle data)
    {
        const Input in(data, "data");
        key->check_mode(with_lock(key->lock, in.size(), [&] {
            return hanji_cmac_update(in.data(), in.size(), &message_);
        }));
    }

    nb::bytes digest(nb::handle tag_size) const
    {
        NewBytes out(tag_size_or(tag_size, key->block_bytes()));
        key->check_mode(finish(
            [&](hanji_cmac_ctx *fork) { return hanji_cmac_final(out.data(), out.size(), fork); }));
        return out.take();
    }

    void verify(nb::handle tag, nb::handle tag_size) const
    {
        const Input given(tag, "tag");
        const size_t expected = tag_size_or(tag_size, key->block_bytes());
        if (given.size() != expected)
            raise(invalid_tag_type, "tag is %zu bytes; %zu were agreed", given.size(), expected);
        key->check_mode(finish([&](hanji_cmac_ctx *fork) {
            return hanji_cmac_verify(given.data(), given.size(), fork);
        }));
    }

    const std::shared_ptr<Key> key;

  private:
    explicit CMAC(std::shared_ptr<Key> shared) : key(std::move(shared))
    {
    }

    // Finish a copy of the message, so that the message may go on. The last cipher call counts.
    template <class Finish> int finish(Finish finish_fork) const
    {
        return with_lock(key->lock, 0, [&] {
            hanji_cmac_ctx fork = message_;
            const int code = finish_fork(&fork);
            hanji_cmac_wipe(&fork);
            return code;
        });
    }

    hanji_cmac_ctx message_{};
};

class EAX
{
  public:
    EAX(const char *name, nb::handle key_bytes, nb::handle tag_size, nb::handle limit)
        : key(name, key_bytes, limit)
    {
        require_mode_block("EAX", key);
        tag_bytes = tag_size_or(tag_size, key.block_bytes());
        key.check_mode(hanji_eax_init(tag_bytes, &key.context.head, &context_));
    }
    ~EAX()
    {
        hanji_eax_wipe(&context_);
    }

    nb::bytes encrypt(nb::handle nonce, nb::handle data, nb::handle associated_data)
    {
        const Input n(nonce, "nonce"), in(data, "data"),
            ad(associated_data, "associated_data", none_is_empty);
        require_nonce(n);
        NewBytes out(in.size() + tag_bytes);
        key.check_mode(with_lock(key.lock, n.size() + in.size() + ad.size(), [&] {
            return hanji_eax_encrypt(out.data(), in.data(), in.size(), ad.data(), ad.size(),
                                     n.data(), n.size(), &context_);
        }));
        return out.take();
    }

    nb::bytes decrypt(nb::handle nonce, nb::handle data, nb::handle associated_data)
    {
        const Input n(nonce, "nonce"), in(data, "data"),
            ad(associated_data, "associated_data", none_is_empty);
        require_nonce(n);
        if (in.size() < tag_bytes)
            raise(invalid_tag_type,
                  "data is %zu bytes, shorter than the %zu-byte tag that ends every message",
                  in.size(), tag_bytes);
        NewBytes out(in.size() - tag_bytes);
        key.check_mode(with_lock(key.lock, n.size() + in.size() + ad.size(), [&] {
            return hanji_eax_decrypt(out.data(), in.data(), in.size(), ad.data(), ad.size(),
                                     n.data(), n.size(), &context_);
        }));
        return out.take();
    }

    Key key;
    size_t tag_bytes;

  private:
    static void require_nonce(const Input &nonce)
    {
        if (nonce.size() == 0)
            raise(PyExc_ValueError, "nonce is empty; EAX takes one byte or more");
    }

    hanji_eax_ctx context_{};
};

nb::bytes sparkle(unsigned bits, nb::handle state, unsigned steps)
{
    const Input in(state, "state");
    if (in.size() == 0 || in.size() % (bits / 8))
        raise(PyExc_ValueError,
              "state is %zu bytes; SPARKLE%u takes %u, or a multiple for several states", in.size(),
              bits, bits / 8);
    NewBytes out(in.size());
    int code;
    {
        MaybeNoGil released(in.size());
        std::copy_n(in.data(), in.size(), out.data());
        code = hanji_sparkle_permute(out.data(), in.size() / (bits / 8), bits, steps);
    }
    check(code);
    return out.take();
}

nb::bytes ascon(nb::handle state, unsigned rounds)
{
    const Input in(state, "state");
    if (in.size() == 0 || in.size() % HANJI_ASCON_STATE_BYTES)
        raise(PyExc_ValueError,
              "state is %zu bytes; Ascon-p takes 40, or a multiple for several "
              "states",
              in.size());
    if (rounds < 1 || rounds > 16)
        raise(PyExc_ValueError,
              "rounds is %u; Ascon-p takes 1 to "
              "16",
              rounds);
    NewBytes out(in.size());
    int code;
    {
        MaybeNoGil released(in.size());
        std::copy_n(in.data(), in.size(), out.data());
        code = hanji_ascon_permute(out.data(), in.size() / HANJI_ASCON_STATE_BYTES, rounds);
    }
    check(code);
    return out.take();
}

template <class Class> nb::object refuse_pickling(const Class &)
{
    raise(
        PyExc_TypeError,
        "this object holds a key and is not pickled or copied; send the key by a way that you trust and make a new object");
}

const Key &key_of(const Block &object)
{
    return object.key;
}
const Key &key_of(const CTR &object)
{
    return object.key;
}
// One message with a key of its own: no round keys are kept.
nb::bytes ctr_message(const char *name, nb::handle key, nb::handle iv, nb::handle data)
{
    const hanji_cipher *cipher = cipher_named(name);
    const Input key_given(key, "key"), first(iv, "iv"), text(data, "data");
    require_size("key", key_given.size(), name, hanji_cipher_key_bytes(cipher));
    require_size("iv", first.size(), name, hanji_cipher_block_bytes(cipher));
    NewBytes out(text.size());
    int code;
    {
        MaybeNoGil released(text.size());
        code = hanji_ctr(out.data(), text.data(), text.size(), first.data(), first.size(),
                         key_given.data(), key_given.size(), cipher);
    }
    if (code == HANJI_E_LIMIT)
        raise(limit_error_type,
              "data is %zu bytes; %s takes at most %llu blocks of %zu bytes under one key",
              text.size(), name, static_cast<unsigned long long>(hanji_cipher_limit(cipher)),
              hanji_cipher_block_bytes(cipher));
    check(code);
    return out.take();
}

const Key &key_of(const CMAC &object)
{
    return *object.key;
}
const Key &key_of(const EAX &object)
{
    return object.key;
}

template <class Class> void bind_key_properties(nb::class_<Class> &type, const char *function)
{
    type.def_prop_ro(
            "name", [](const Class &self) { return key_of(self).name(); },
            nb::sig("def name(self) -> str"), "Name of the block cipher.")
        .def_prop_ro(
            "block_size", [](const Class &self) { return key_of(self).block_bytes(); },
            "Bytes per block.")
        .def_prop_ro(
            "key_size", [](const Class &self) { return key_of(self).key_bytes(); },
            "Bytes of the key.")
        .def(
            "__repr__",
            [function](const Class &self) {
                return nb::str("<hanji.hazmat.") + nb::str(function) + nb::str("(\"") +
                       nb::str(key_of(self).name()) + nb::str("\", ...)>");
            },
            nb::sig("def __repr__(self) -> str"))
        .def("__reduce__", &refuse_pickling<Class>,
             nb::sig("def __reduce__(self) -> typing.NoReturn"));
}

template <class Class> void bind_remaining(nb::class_<Class> &type)
{
    type.def_prop_ro(
        "remaining", [](const Class &self) { return key_of(self).remaining(); },
        "Blocks that the limit still allows under this key.");
}

} // namespace

void bind_hazmat(nb::module_ &module)
{
    auto block =
        nb::class_<Block>(module, "Block", nb::is_final(), nb::sig("@typing.final\nclass Block()"),
                          "A block cipher with a key; made by hanji.hazmat.block.");
    block
        .def(nb::init<const char *, nb::handle>(), nb::arg("name"), nb::arg("key").none(),
             nb::sig("def __init__(self, name: str, key: hanji._typing.BytesLike) -> None"))
        .def(
            "encrypt", &Block::run<hanji_block_encrypt>, nb::arg("blocks").none(),
            nb::sig("def encrypt(self, blocks: hanji._typing.BytesLike) -> bytes"),
            "Encrypt whole blocks, each on its own; ValueError when blocks is not a multiple of block_size.")
        .def(
            "decrypt", &Block::run<hanji_block_decrypt>, nb::arg("blocks").none(),
            nb::sig("def decrypt(self, blocks: hanji._typing.BytesLike) -> bytes"),
            "Decrypt whole blocks, each on its own; ValueError when blocks is not a multiple of block_size.");
    bind_key_properties(block, "block");

    auto ctr = nb::class_<CTR>(module, "CTR", nb::is_final(), nb::sig("@typing.final\nclass CTR()"),
                               "A stream in counter mode; made by hanji.hazmat.ctr.");
    ctr.def(
           nb::init<const char *, nb::handle, nb::handle, nb::handle>(), nb::arg("name"),
           nb::arg("key").none(), nb::arg("iv").none(), nb::arg("limit") = nb::none(),
           nb::sig(
               "def __init__(self, name: str, key: hanji._typing.BytesLike, iv: hanji._typing.BytesLike, limit: int | None = None) -> None"))
        .def(
            "update", &CTR::update, nb::arg("data").none(),
            nb::sig("def update(self, data: hanji._typing.BytesLike) -> bytes"),
            "Encrypt or decrypt the next bytes of the stream. LimitError past the limit: the stream is then as before.")
        .def(
            "update_into", &CTR::update_into, nb::arg("data").none(), nb::arg("buf").none(),
            nb::sig(
                "def update_into(self, data: hanji._typing.BytesLike, buf: hanji._typing.BytesLike) -> int"),
            "update() into the first len(data) bytes of buf; returns that number. buf may begin at the same byte as data.");
    bind_key_properties(ctr, "ctr");
    bind_remaining(ctr);
    module.def("ctr_message", &ctr_message, nb::arg("name"), nb::arg("key").none(),
               nb::arg("iv").none(), nb::arg("data").none(),
               nb::sig("def ctr_message(name: str, key: hanji._typing.BytesLike, iv: "
                       "hanji._typing.BytesLike, data: hanji._typing.BytesLike) -> bytes"),
               "One message in counter mode; see hanji.hazmat.ctr_message.");

    auto cmac =
        nb::class_<CMAC>(module, "CMAC", nb::is_final(), nb::sig("@typing.final\nclass CMAC()"),
                         "A message whose CMAC is computed; made by hanji.hazmat.cmac.");
    cmac.def(
            nb::init<const char *, nb::handle, nb::handle>(), nb::arg("name"),
            nb::arg("key").none(), nb::arg("limit") = nb::none(),
            nb::sig(
                "def __init__(self, name: str, key: hanji._typing.BytesLike, limit: int | None = None) -> None"))
        .def(
            "update", &CMAC::update, nb::arg("data").none(),
            nb::sig("def update(self, data: hanji._typing.BytesLike) -> None"),
            "Append data to the message. LimitError past the limit: the message is then as before.")
        .def(
            "digest", &CMAC::digest, nb::arg("tag_size") = nb::none(),
            nb::sig("def digest(self, tag_size: int | None = None) -> bytes"),
            "The tag of the message so far: tag_size bytes, by default a whole block. The message may go on.")
        .def(
            "verify", &CMAC::verify, nb::arg("tag").none(), nb::arg("tag_size") = nb::none(),
            nb::sig(
                "def verify(self, tag: hanji._typing.BytesLike, tag_size: int | None = None) -> None"),
            "Compare with a received tag in constant time; InvalidTag when it differs or has not tag_size bytes (by default a whole block).")
        .def(
            "copy", &CMAC::copy, nb::rv_policy::take_ownership,
            nb::sig("def copy(self) -> typing.Self"),
            "A copy that goes on independently. It shares the key, and the data limit counts for both together.");
    bind_key_properties(cmac, "cmac");
    bind_remaining(cmac);

    auto eax = nb::class_<EAX>(module, "EAX", nb::is_final(), nb::sig("@typing.final\nclass EAX()"),
                               "EAX with a key; made by hanji.hazmat.eax.");
    eax.def(
           nb::init<const char *, nb::handle, nb::handle, nb::handle>(), nb::arg("name"),
           nb::arg("key").none(), nb::arg("tag_size") = nb::none(), nb::arg("limit") = nb::none(),
           nb::sig(
               "def __init__(self, name: str, key: hanji._typing.BytesLike, tag_size: int | None = None, limit: int | None = None) -> None"))
        .def(
            "encrypt", &EAX::encrypt, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data") = nb::none(),
            nb::sig(
                "def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                "associated_data: hanji._typing.BytesLike | None = None) -> bytes"),
            "Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce (one byte or more) must be new under this key.")
        .def(
            "decrypt", &EAX::decrypt, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data") = nb::none(),
            nb::sig(
                "def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                "associated_data: hanji._typing.BytesLike | None = None) -> bytes"),
            "Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.")
        .def_ro("tag_size", &EAX::tag_bytes, "Bytes of the tag.")
        .def_ro("tag_length", &EAX::tag_bytes, "Bytes of the tag, as in hanji.aead.");
    bind_key_properties(eax, "eax");
    bind_remaining(eax);

    module.def(
        "sparkle", &sparkle, nb::arg("bits"), nb::arg("state").none(), nb::arg("steps"),
        nb::sig("def sparkle(bits: int, state: hanji._typing.BytesLike, steps: int) -> bytes"),
        "SPARKLE on states; see hanji.hazmat.sparkle.");
    module.def("ascon", &ascon, nb::arg("state").none(), nb::arg("rounds"),
               nb::sig("def ascon(state: "
                       "hanji._typing.BytesLike, rounds: int) -> bytes"),
               "Ascon-p on states; see hanji.hazmat.ascon.");
}

} // namespace hanji
