// SPDX-License-Identifier: Apache-2.0
// Rainbow, whose functions are in a library of their own next to this module, loaded on first use.
// It needs OpenSSL's libcrypto, and only builds with HANJI_RAINBOW=ON have it. The parameter sets
// are data that this module has itself (src/rainbow/sets.c). Messages are hashed by hashlib, in
// pieces if need be.
#include "sign.hpp"

#include <atomic>
#include <cstring>
#include <fstream>
#include <string>

#include "hanji/rainbow.h"
#include "loader.hpp"

namespace hanji
{
namespace
{

#ifdef _WIN32
constexpr const char *file_name = "_librainbow.dll", *separators = "/\\";
#else
constexpr const char *file_name = "_librainbow.so", *separators = "/";
#endif

// The functions of the library that keys use, by their names there.
struct Library {
    decltype(&hanji_rainbow_set_at) set_at;
    decltype(&hanji_rainbow_keypair_scratch_bytes) keypair_scratch_bytes;
    decltype(&hanji_rainbow_sign_scratch_bytes) sign_scratch_bytes;
    decltype(&hanji_rainbow_verify_scratch_bytes) verify_scratch_bytes;
    decltype(&hanji_rainbow_signing_area_bytes) signing_area_bytes;
    decltype(&hanji_rainbow_verifying_area_bytes) verifying_area_bytes;
    decltype(&hanji_rainbow_keypair_from_seeds) keypair_from_seeds;
    decltype(&hanji_rainbow_signing_key_init) signing_key_init;
    decltype(&hanji_rainbow_verifying_key_init) verifying_key_init;
    decltype(&hanji_rainbow_sign_digest) sign_digest;
    decltype(&hanji_rainbow_verify_digest) verify_digest;
    decltype(&hanji_force) force;
    decltype(&hanji_error_text) error_text;
};

std::atomic<const Library *> loaded;
Lock loading; // held around calls of the loader and of the library only

// A function of the library; false, and loader_error() says why, when it has none of that name.
template <class Function> bool take(void *library, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(symbol_of(library, name));
    return function != nullptr;
}

// Load the library from a path; an error as text, empty when it is loaded.
std::string load(const char *path)
{
    loading.require_usable();
    std::lock_guard<Lock> held(loading);
    if (loaded.load())
        return {};
    static Library functions;
    void *library = open_library(path);
    if (!library ||
        !(take(library, "hanji_rainbow_set_at", functions.set_at) &&
          take(library, "hanji_rainbow_keypair_scratch_bytes", functions.keypair_scratch_bytes) &&
          take(library, "hanji_rainbow_sign_scratch_bytes", functions.sign_scratch_bytes) &&
          take(library, "hanji_rainbow_verify_scratch_bytes", functions.verify_scratch_bytes) &&
          take(library, "hanji_rainbow_signing_area_bytes", functions.signing_area_bytes) &&
          take(library, "hanji_rainbow_verifying_area_bytes", functions.verifying_area_bytes) &&
          take(library, "hanji_rainbow_keypair_from_seeds", functions.keypair_from_seeds) &&
          take(library, "hanji_rainbow_signing_key_init", functions.signing_key_init) &&
          take(library, "hanji_rainbow_verifying_key_init", functions.verifying_key_init) &&
          take(library, "hanji_rainbow_sign_digest", functions.sign_digest) &&
          take(library, "hanji_rainbow_verify_digest", functions.verify_digest) &&
          take(library, "hanji_force", functions.force) &&
          take(library, "hanji_error_text", functions.error_text)))
        return loader_error();
#ifdef HANJI_LIBCRYPTO_AT_RUN_TIME
    // The library opens libcrypto itself; here the loader says why it cannot.
    if (!open_library("libcrypto.so.3"))
        return loader_error();
#endif
    // Its kernels are capped like those of this module.
    const char *tier = nullptr;
    for (size_t i = 0; i < hanji_tier_count(); i++)
        if (hanji_tier_state(i) == 2)
            tier = hanji_tier_name(i);
    if (functions.force(tier) != HANJI_OK)
        return std::string("it has no tier ") + (tier ? tier : "of its own");
    loaded.store(&functions);
    return {};
}

// The library next to this module; HanjiError when it is not there or cannot be loaded.
const Library &library()
{
    if (!loaded.load()) {
        const nb::object here = nb::module_::import_("hanji._core").attr("__file__");
        std::string path = nb::borrow<nb::str>(here).c_str();
        path = path.substr(0, path.find_last_of(separators) + 1) + file_name;
        const std::string error = load(path.c_str());
        if (!error.empty() && !std::ifstream(path))
            raise(error_type, "hanji was built without Rainbow, which is broken; for study, build "
                              "it with `make -C papers/rainbow-armv8 python` in a checkout of "
                              "hanji (needs OpenSSL 3; Debian: apt-get install libssl-dev)");
        if (!error.empty())
            raise(error_type,
                  "the library of Rainbow cannot be loaded: %s (it needs OpenSSL 3; Debian: "
                  "apt-get install libssl3)",
                  error.c_str());
    }
    return *loaded.load();
}

void check_library(int code)
{
    if (code != HANJI_OK)
        raise(error_type, "Rainbow: %s", library().error_text(code));
}

// Memory that is overwritten when it goes.
class Wiped
{
  public:
    Wiped() = default;
    explicit Wiped(size_t bytes) : bytes_(bytes), memory_(new uint8_t[bytes == 0 ? 1 : bytes])
    {
    }
    Wiped(Wiped &&) = default;
    Wiped &operator=(Wiped &&) = default;
    ~Wiped()
    {
        if (memory_)
            hanji_wipe(memory_.get(), bytes_);
    }
    uint8_t *data() const
    {
        return memory_.get();
    }
    size_t size() const
    {
        return bytes_;
    }

  private:
    size_t bytes_ = 0;
    Memory memory_;
};

// The hash of a message in pieces, by hashlib, whose calls may take the GIL and lock its object.
class MessageHash
{
  public:
    explicit MessageHash(const hanji_rainbow_set &set)
    {
        const std::string name = "sha" + std::to_string(8 * set.digest_bytes);
        const nb::object hashlib = checked([] { return PyImport_ImportModule("hashlib"); }),
                         make = hashlib.attr("new");
        const nb::str given(name.c_str());
        hash_ = checked([&] { return PyObject_CallOneArg(make.ptr(), given.ptr()); });
    }

    void update(nb::handle data, const char *what)
    {
        const Input in(data, what);
        if (in.size() == 0)
            return;
        // hashlib reads the pointer only
        char *bytes = const_cast<char *>(reinterpret_cast<const char *>(in.data()));
        const nb::object view = nb::steal(
            PyMemoryView_FromMemory(bytes, static_cast<Py_ssize_t>(in.size()), PyBUF_READ));
        if (!view.is_valid())
            throw nb::python_error();
        const nb::object method = hash_.attr("update");
        use([&] { return PyObject_CallOneArg(method.ptr(), view.ptr()); });
    }

    nb::object digest()
    {
        const nb::object method = hash_.attr("digest");
        return use([&] { return PyObject_CallNoArgs(method.ptr()); });
    }

  private:
    template <class Call> static nb::object checked(Call call)
    {
        nb::object result = nb::steal(guarded(call));
        if (!result.is_valid())
            throw nb::python_error();
        return result;
    }

    template <class Call> nb::object use(Call call)
    {
        uses_.begin();
        PyObject *result = guarded(call);
        uses_.end();
        return checked([&] { return result; });
    }

    nb::object hash_;
    UseCount uses_;
};

// Rainbow has no contexts: bytes, and none of them. Nor has it pre-hash modes.
void require_no_context(const hanji_rainbow_set &set, const Purpose &purpose)
{
    const Input in(purpose.context, "context");
    require_no_pre_hash(set.name, purpose.pre_hash);
    if (in.size() != 0)
        raise(PyExc_ValueError, "%s takes no context string; AIMer v3 does", set.name);
}

SignatureSet about(const hanji_rainbow_set &set)
{
    SignatureSet row = {set.name, set.standard, set.status, set.broken != 0};
    row.public_key_bytes = set.public_key_bytes;
    row.private_key_bytes = HANJI_RAINBOW_SEEDS_BYTES;
    row.private_key_form = "seeds";
    row.signature_bytes = set.signature_bytes;
    return row;
}

// A public key, or the two seeds of a key pair, expanded on first use.
class Key final : public SignatureKey
{
  public:
    Key(size_t index, nb::handle raw, bool is_private)
        : index_(index), set_(*hanji_rainbow_set_at(index)), private_(is_private)
    {
        const Input in(raw, is_private ? "the private key" : "the public key");
        require_key_size(about(set_), is_private, in.size());
        raw_ = Wiped(in.size());
        std::memcpy(raw_.data(), in.data(), in.size());
    }

    nb::bytes sign(nb::handle data, const Purpose &purpose, const Making &making) override
    {
        require_no_context(set_, purpose);
        MessageHash hash(set_);
        hash.update(data, "message");
        return sign_hash(hash, making);
    }

    bool verify(nb::handle signature, nb::handle data, const Purpose &purpose) override
    {
        const Input in(signature, "signature");
        require_no_context(set_, purpose);
        MessageHash hash(set_);
        hash.update(data, "message");
        return verify_hash(in, hash);
    }

    nb::bytes public_key() override
    {
        if (!private_)
            return nb::bytes(raw_.data(), raw_.size());
        expand();
        return nb::bytes(public_.get(), set_.public_key_bytes);
    }

    std::unique_ptr<SignatureMessage> message(const Purpose &purpose) override;

    // Signatures are always deterministic.
    nb::bytes sign_hash(MessageHash &hash, const Making &making)
    {
        if (!making.randomness.is_none())
            raise(PyExc_ValueError, "%s takes no randomness: its signatures are deterministic",
                  set_.name);
        if (!private_)
            raise(PyExc_TypeError, "a public key cannot sign; use the private key");
        const nb::object digest = hash.digest();
        const Input in(digest, "digest");
        const Library &of = expand();
        const hanji_rainbow_set *set = of.set_at(index_);
        NewBytes out(set_.signature_bytes);
        const Wiped scratch(of.sign_scratch_bytes(set));
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = of.sign_digest(out.data(), in.data(), scratch.data(), scratch.size(), &signing_);
        }
        check_library(code);
        if (making.is_checked) {
            const nb::bytes raw = public_key();
            Key check(index_, raw, false);
            const Input made(out.take(), "signature");
            if (!check.verify_digest(made, in))
                raise(error_type, "the signature that was made does not verify, and was thrown "
                                  "away: this machine computes wrong");
        }
        return out.take();
    }

    bool verify_hash(const Input &signature, MessageHash &hash)
    {
        if (private_)
            raise(PyExc_TypeError, "a private key does not verify; use its public_key");
        const nb::object digest = hash.digest();
        const Input in(digest, "digest");
        return verify_digest(signature, in);
    }

    const hanji_rainbow_set &set() const
    {
        return set_;
    }

  private:
    bool verify_digest(const Input &signature, const Input &digest)
    {
        if (signature.size() != set_.signature_bytes)
            return false;
        const Library &of = expand();
        const Wiped scratch(of.verify_scratch_bytes(of.set_at(index_)));
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = of.verify_digest(signature.data(), signature.size(), digest.data(),
                                    scratch.data(), scratch.size(), &verifying_);
        }
        if (code != HANJI_E_TAG)
            check_library(code);
        return code == HANJI_OK;
    }

    // The library, with this key ready in it.
    const Library &expand()
    {
        const Library &of = library();
        const hanji_rainbow_set *set = of.set_at(index_);
        int code = HANJI_OK;
        lock_.require_usable();
        {
            MaybeNoGil released(SIZE_MAX);
            std::lock_guard<Lock> held(lock_);
            if (!ready_)
                code = private_ ? expand_private(of, set) : expand_public(of, set);
            ready_ = code == HANJI_OK;
        }
        check_library(code);
        return of;
    }

    int expand_private(const Library &of, const hanji_rainbow_set *set)
    {
        Wiped key(set_.secret_key_bytes), area(of.signing_area_bytes(set));
        Memory public_key(new uint8_t[set_.public_key_bytes]);
        {
            const Wiped scratch(of.keypair_scratch_bytes(set));
            const int code = of.keypair_from_seeds(public_key.get(), key.data(), raw_.data(),
                                                   scratch.data(), scratch.size(), set);
            if (code != HANJI_OK)
                return code;
        }
        const Wiped scratch(of.sign_scratch_bytes(set));
        const int code = of.signing_key_init(area.data(), area.size(), key.data(), key.size(),
                                             scratch.data(), scratch.size(), set, &signing_);
        key_ = std::move(key);
        area_ = std::move(area);
        public_ = std::move(public_key);
        return code;
    }

    int expand_public(const Library &of, const hanji_rainbow_set *set)
    {
        Wiped area(of.verifying_area_bytes(set));
        const Wiped scratch(of.verify_scratch_bytes(set));
        const int code = of.verifying_key_init(area.data(), area.size(), raw_.data(), raw_.size(),
                                               scratch.data(), scratch.size(), set, &verifying_);
        area_ = std::move(area);
        return code;
    }

    size_t index_;
    const hanji_rainbow_set &set_;
    bool private_;
    Wiped raw_, key_, area_;
    Memory public_;
    hanji_rainbow_signing_key signing_ = {};
    hanji_rainbow_verifying_key verifying_ = {};
    bool ready_ = false;
    Lock lock_;
};

class Message final : public SignatureMessage
{
  public:
    Message(Key &key, const Purpose &purpose) : key_(key), hash_(key.set())
    {
        require_no_context(key.set(), purpose);
    }
    void update(nb::handle data) override
    {
        hash_.update(data, "data");
    }
    nb::bytes sign(const Making &making) override
    {
        return key_.sign_hash(hash_, making);
    }
    bool verify(nb::handle signature) override
    {
        const Input in(signature, "signature");
        return key_.verify_hash(in, hash_);
    }

  private:
    Key &key_; // kept alive by the object of Python
    MessageHash hash_;
};

std::unique_ptr<SignatureMessage> Key::message(const Purpose &purpose)
{
    return std::make_unique<Message>(*this, purpose);
}

// SHA-256 of the signatures of "hanji" under the seeds 0, 1, .. 63, by the parts of a set's name:
// compressed keys sign as circumzenithal ones do.
struct Answer {
    const char *level;
    bool is_classic;
    const char *sha256;
};
constexpr Answer answers[] = {
    {"-i-", true, "b3a0381cd16446c642bfe2a19529b7fe9c4870970c1d251e2cc1c7522791602a"},
    {"-i-", false, "98c24772222329d9eaa1e5098609a5ed6489857e29f360bdca153ba078552c7f"},
    {"-iii-", true, "6df6ea0ac653bf07e2c03a34577dd55667c3e6add904a21efea948a4c23cb831"},
    {"-iii-", false, "dc69eb0e043059e376dc9e259ada8f512cc69357d65a40d6e58cbffc52ff7c2e"},
    {"-v-", true, "4f654790d3b63325b18c237fb425d5f2737733fcfa03bf97310187b5b7e5acee"},
    {"-v-", false, "c981d5803e3471eb7427d3d2dd4ebe854854649c8284a91c524a6d4bfc705684"},
};

class Rainbow final : public SignatureScheme
{
  public:
    size_t count() const override
    {
        return hanji_rainbow_set_count();
    }
    const char *name(size_t index) const override
    {
        return hanji_rainbow_set_at(index)->name;
    }
    SignatureSet at(size_t index) const override
    {
        return about(*hanji_rainbow_set_at(index));
    }
    nb::bytes generate(size_t) const override
    {
        return random_bytes(HANJI_RAINBOW_SEEDS_BYTES);
    }
    std::unique_ptr<SignatureKey> key(size_t index, nb::handle raw, bool is_private) const override
    {
        return std::make_unique<Key>(index, raw, is_private);
    }
    bool is_apart() const override
    {
        return true;
    }
    bool is_here() const override
    {
        try {
            library();
        } catch (nb::python_error &error) {
            if (!error.matches(error_type))
                throw;
            return false;
        }
        return true;
    }
    bool is_right(size_t index) const override
    {
        uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES];
        for (size_t i = 0; i < sizeof seeds; i++)
            seeds[i] = static_cast<uint8_t>(i);
        const hanji_rainbow_set &set = *hanji_rainbow_set_at(index);
        const nb::bytes message("hanji"), no_context("");
        const nb::object none = nb::none();
        const Purpose purpose = {no_context, none};
        Key key(index, nb::bytes(seeds, sizeof seeds), true);
        const nb::bytes signature = key.sign(message, purpose, {false, true, none, none});
        const nb::object hash = nb::module_::import_("hashlib").attr("sha256")(signature);
        const std::string digest = nb::cast<nb::str>(hash.attr("hexdigest")()).c_str();
        const bool is_classic = std::strstr(set.name, "-classic") != nullptr;
        bool known = false;
        for (const Answer &answer : answers)
            known = known || (std::strstr(set.name, answer.level) &&
                              answer.is_classic == is_classic && digest == answer.sha256);
        return known && Key(index, key.public_key(), false).verify(signature, message, purpose);
    }
    void force(const char *tier) const override
    {
        const Library *of = loaded.load();
        if (of && of->force(tier) != HANJI_OK)
            raise(error_type, "Rainbow has no tier %s", tier ? tier : "(none)");
    }
};

} // namespace

const SignatureScheme &rainbow()
{
    static const Rainbow instance;
    return instance;
}

} // namespace hanji
