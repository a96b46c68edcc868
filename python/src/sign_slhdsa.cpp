// SPDX-License-Identifier: Apache-2.0
// SLH-DSA with SHAKE. A signature is verified before it is given away, always.
#include "sign.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace hanji
{
namespace
{

class Context : public Input
{
  public:
    explicit Context(nb::handle data) : Input(data, "context")
    {
        if (size() > HANJI_SLHDSA_CONTEXT_BYTES_MAX)
            raise(PyExc_ValueError, "a context has 0 to %d bytes; %zu were given",
                  HANJI_SLHDSA_CONTEXT_BYTES_MAX, size());
    }
};

// The mode of a purpose. Names that the standard does not have are not shown: one may be a key.
int mode_of(const Purpose &purpose, const hanji_slhdsa *set)
{
    if (purpose.pre_hash.is_none())
        return HANJI_SLHDSA_PURE;
    if (!PyUnicode_Check(purpose.pre_hash.ptr()))
        raise(PyExc_TypeError, "pre_hash must be None or a str such as 'SHAKE256', not %s",
              Py_TYPE(purpose.pre_hash.ptr())->tp_name);
    Py_ssize_t bytes;
    const char *name = PyUnicode_AsUTF8AndSize(purpose.pre_hash.ptr(), &bytes);
    if (!name)
        PyErr_Clear();
    if (!name || std::strlen(name) != static_cast<size_t>(bytes)) // a zero character in it
        name = "";
    const int mode = hanji_slhdsa_mode(name, set);
    if (mode >= 0)
        return mode;
    const char *set_name = hanji_slhdsa_name(set);
    if (std::strcmp(name, "SHAKE128") == 0)
        raise(PyExc_ValueError,
              "%s signs no hashes of SHAKE128, whose collisions cost 2^128 steps; take 'SHAKE256'",
              set_name);
    const char *offered =
        hanji_slhdsa_mode("SHAKE128", set) < 0 ? "'SHAKE256'" : "'SHAKE128' or 'SHAKE256'";
    // Those of FIPS 205, section 10.2.2, that are not offered.
    for (const char *other : {"SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/224",
                              "SHA-512/256", "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"})
        if (std::strcmp(name, other) == 0)
            raise(PyExc_ValueError,
                  "%s signs no hashes of %s here; take %s, or None to sign the "
                  "message itself",
                  set_name, other, offered);
    raise(PyExc_ValueError, "pre_hash must be %s for %s, or None to sign the message itself",
          offered, set_name);
}

unsigned options(const Making &making)
{
    return (making.is_checked ? HANJI_SLHDSA_CHECK : 0u) |
           (making.deterministic ? HANJI_SLHDSA_DETERMINISTIC : 0u);
}

Randomness randomness_of(const Making &making, const hanji_slhdsa *set)
{
    return {making, hanji_slhdsa_name(set), hanji_slhdsa_public_key_bytes(set) / 2};
}

// Tells Python how far a signature is, at most once for each percent, while the GIL is released.
class Progress
{
  public:
    explicit Progress(nb::handle call) : call_(call)
    {
        if (!call.is_none() && !PyCallable_Check(call.ptr()))
            raise(PyExc_TypeError, "progress must be None or a function of two numbers, not %s",
                  Py_TYPE(call.ptr())->tp_name);
    }
    int begin(hanji_slhdsa_message *message, MaybeNoGil *released)
    {
        released_ = released;
        return call_.is_none() ? HANJI_OK : hanji_slhdsa_message_progress(message, report, this);
    }
    // What the function raised ended the signature: raise it again.
    void check()
    {
        if (error_)
            throw nb::python_error(std::move(*error_));
    }

  private:
    // How many calls of progress this thread is in. Each signature takes about 22 KB of stack, of
    // which Python's own limit of 1000 calls knows nothing: the stack would end before it.
    class Depth
    {
      public:
        static constexpr int most = 8;
        Depth()
        {
            depth_++;
        }
        Depth(const Depth &) = delete;
        Depth &operator=(const Depth &) = delete;
        ~Depth()
        {
            depth_--;
        }
        static int here()
        {
            return depth_;
        }

      private:
        static inline thread_local int depth_ = 0;
    };

    static int report(uint64_t done, uint64_t total, void *state)
    {
        Progress &self = *static_cast<Progress *>(state);
        const uint64_t percent = done * 100 / total; // both are small
        if (percent == self.percent_)
            return HANJI_OK;
        self.percent_ = percent;
        self.released_->with_gil([&] {
            const Depth depth; // counts this call
            try {
                if (Depth::here() > Depth::most)
                    raise(PyExc_RecursionError,
                          "progress made a signature whose progress made another one, and so on, "
                          "%d times; a function that signs should do so without progress",
                          Depth::most);
                self.call_(done, total);
            } catch (nb::python_error &error) {
                self.error_ = std::make_unique<nb::python_error>(std::move(error));
            }
        });
        return self.error_ ? HANJI_E_LIMIT : HANJI_OK;
    }

    nb::handle call_;
    MaybeNoGil *released_ = nullptr;
    uint64_t percent_ = 0;
    std::unique_ptr<nb::python_error> error_;
};

void check_signed(int code)
{
    if (code == HANJI_E_CHANGED)
        raise(error_type, "the message changed between the two readings that signing needs; "
                          "sign a copy that nobody writes to");
    if (code == HANJI_E_TAG)
        raise(error_type, "the signature that was made is wrong, and was thrown away: this machine "
                          "computes wrong");
    check(code);
}

// A signature of another length is as wrong as one of other bytes.
bool verdict(int code)
{
    if (code == HANJI_E_TAG || code == HANJI_E_LENGTH)
        return false;
    check(code);
    return true;
}

SignatureSet about(const hanji_slhdsa *set)
{
    SignatureSet row = {};
    for (size_t i = 0; i < hanji_algorithm_count(); i++) {
        const hanji_algorithm *a = hanji_algorithm_at(i);
        if (std::strcmp(a->name, hanji_slhdsa_name(set)) == 0)
            row = {a->name, a->standard, a->status, a->advice == HANJI_ADVICE_BROKEN};
    }
    row.public_key_bytes = hanji_slhdsa_public_key_bytes(set);
    row.private_key_bytes = hanji_slhdsa_secret_key_bytes(set);
    row.signature_bytes = hanji_slhdsa_signature_bytes(set);
    row.private_key_form = "";
    return row;
}

// A key of either kind, constant after construction.
class Key final : public SignatureKey
{
  public:
    Key(const hanji_slhdsa *set, nb::handle raw, bool is_secret) : set_(set), secret_(is_secret)
    {
        const Input in(raw, is_secret ? "the private key" : "the public key");
        require_key_size(about(set), is_secret, in.size());
        bytes_ = in.size();
        std::memcpy(key_, in.data(), bytes_);
        if (!is_secret)
            return;
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = hanji_slhdsa_key_check(key_, bytes_, set_);
        }
        if (code == HANJI_OK)
            return;
        hanji_wipe(key_, sizeof key_); // whoever throws here has no destructor
        if (code == HANJI_E_TAG)
            raise(PyExc_ValueError,
                  "the private key of %s is damaged: its public half does not belong to it",
                  hanji_slhdsa_name(set_));
        raise_code(code);
    }
    Key(const Key &) = delete;
    Key &operator=(const Key &) = delete;
    ~Key() override
    {
        hanji_wipe(key_, sizeof key_);
    }

    nb::bytes sign(nb::handle data, const Purpose &purpose, const Making &making) override
    {
        const Input in(data, "message");
        const Context context(purpose.context);
        return sign_given(context.data(), context.size(), mode_of(purpose, set_), making,
                          [&](hanji_slhdsa_message *state) {
                              return hanji_slhdsa_message_update(in.data(), in.size(), state);
                          });
    }

    // `give` gives the message to a state, once for each reading.
    template <class Give>
    nb::bytes sign_given(const uint8_t *context, size_t context_bytes, int mode,
                         const Making &making, Give give) const
    {
        const Randomness random = randomness_of(making, set_);
        Progress progress(making.progress);
        require_secret();
        NewBytes out(hanji_slhdsa_signature_bytes(set_));
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            hanji_slhdsa_message state;
            code = hanji_slhdsa_sign_init(&state, context, context_bytes, mode, key_, bytes_, set_,
                                          options(making), random.function(), random.state());
            if (code == HANJI_OK)
                code = progress.begin(&state, &released);
            if (code == HANJI_OK)
                code = give(&state);
            if (code == HANJI_OK && mode == HANJI_SLHDSA_PURE)
                code = hanji_slhdsa_message_again(&state);
            if (code == HANJI_OK && mode == HANJI_SLHDSA_PURE)
                code = give(&state);
            if (code == HANJI_OK)
                code = hanji_slhdsa_message_sign(out.data(), &state);
            hanji_slhdsa_message_wipe(&state);
        }
        progress.check();
        check_signed(code);
        return out.take();
    }

    bool verify(nb::handle signature, nb::handle data, const Purpose &purpose) override
    {
        const Input sig(signature, "signature"), in(data, "message");
        const Context context(purpose.context);
        const int mode = mode_of(purpose, set_);
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = hanji_slhdsa_verify(sig.data(), sig.size(), in.data(), in.size(), context.data(),
                                       context.size(), mode, public_half(), public_bytes(), set_);
        }
        return verdict(code);
    }

    // As many signatures side by side as Keccak has lanes.
    nb::list verify_batch(nb::list given_signatures, nb::list given_messages,
                          const Purpose &purpose) override
    {
        const Context context(purpose.context);
        const int mode = mode_of(purpose, set_);
        const nb::tuple signatures(given_signatures), messages(given_messages);
        if (signatures.size() != messages.size())
            raise(PyExc_ValueError, "%zu signatures were given for %zu messages", signatures.size(),
                  messages.size());
        std::vector<std::unique_ptr<Input>> inputs;
        std::vector<hanji_slhdsa_item> items;
        for (size_t i = 0; i < messages.size(); i++) {
            inputs.push_back(std::make_unique<Input>(signatures[i], "signature"));
            const Input &signature = *inputs.back();
            inputs.push_back(std::make_unique<Input>(messages[i], "message"));
            const Input &message = *inputs.back();
            items.push_back({signature.data(), signature.size(), message.data(), message.size(),
                             context.data(), context.size(), public_half(), public_bytes(),
                             HANJI_E_TAG});
        }
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = hanji_slhdsa_verify_batch(items.data(), items.size(), mode, set_);
        }
        if (code != HANJI_E_TAG && code != HANJI_E_LENGTH)
            check(code);
        nb::list verdicts;
        for (const hanji_slhdsa_item &item : items)
            verdicts.append(verdict(item.status));
        return verdicts;
    }

    nb::bytes public_key() override
    {
        return nb::bytes(public_half(), public_bytes());
    }

    std::unique_ptr<SignatureMessage> message(const Purpose &purpose) override;
    int readings(nb::handle pre_hash) const override
    {
        return pre_hash.is_none() ? 2 : 1;
    }
    std::unique_ptr<SignatureMessage> stream(const Purpose &purpose, nb::handle signature,
                                             const Making &making) override;

    void require_secret() const
    {
        if (!secret_)
            raise(PyExc_TypeError, "a public key cannot sign");
    }
    const uint8_t *key() const
    {
        return key_;
    }
    size_t bytes() const
    {
        return bytes_;
    }
    const uint8_t *public_half() const
    {
        return key_ + bytes_ - public_bytes();
    }
    size_t public_bytes() const
    {
        return hanji_slhdsa_public_key_bytes(set_);
    }
    const hanji_slhdsa *set() const
    {
        return set_;
    }

  private:
    const hanji_slhdsa *set_;
    bool secret_;
    size_t bytes_ = 0;
    uint8_t key_[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX];
};

// A part of a message; what is used of it does not change any more.
class Part
{
  public:
    explicit Part(size_t room) : room_(room), memory_(new uint8_t[room])
    {
    }
    Part(const Part &) = delete;
    Part &operator=(const Part &) = delete;
    ~Part()
    {
        hanji_wipe(memory_.get(), used_);
    }
    // How many of the bytes had room.
    size_t append(const uint8_t *data, size_t bytes)
    {
        const size_t fit = bytes < room_ - used_ ? bytes : room_ - used_;
        std::memcpy(memory_.get() + used_, data, fit);
        used_ += fit;
        return fit;
    }
    const uint8_t *data() const
    {
        return memory_.get();
    }
    size_t used() const
    {
        return used_;
    }

  private:
    size_t room_, used_ = 0;
    Memory memory_;
};

// A message in pieces, for one key. Signing reads a message twice, and a signature begins with what
// verifying hashes before the message: so the message is kept.
class Message final : public SignatureMessage
{
  public:
    Message(Key &key, const Purpose &purpose) : key_(key), mode_(mode_of(purpose, key.set()))
    {
        const Context context(purpose.context);
        context_bytes_ = context.size();
        if (context_bytes_ != 0)
            std::memcpy(context_, context.data(), context_bytes_);
    }

    void update(nb::handle data) override
    {
        const Input in(data, "data");
        const int code = with_lock(lock_, in.size(), [&] {
            try {
                append(in.data(), in.size());
                return HANJI_OK;
            } catch (const std::bad_alloc &) {
                return HANJI_E_LIMIT; // none that the library gives here
            }
        });
        if (code != HANJI_OK) {
            PyErr_NoMemory();
            throw nb::python_error();
        }
    }

    nb::bytes sign(const Making &making) override
    {
        const auto parts = so_far();
        return key_.sign_given(context_, context_bytes_, mode_, making,
                               [&](hanji_slhdsa_message *state) { return give(parts, state); });
    }

    bool verify(nb::handle signature) override
    {
        const Input in(signature, "signature");
        const Key &key = key_;
        const auto parts = so_far();
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            hanji_slhdsa_message state;
            code =
                hanji_slhdsa_verify_init(&state, in.data(), in.size(), context_, context_bytes_,
                                         mode_, key.public_half(), key.public_bytes(), key.set());
            if (code == HANJI_OK)
                code = give(parts, &state);
            if (code == HANJI_OK)
                code = hanji_slhdsa_message_verify(in.data(), in.size(), &state);
            hanji_slhdsa_message_wipe(&state);
        }
        return verdict(code);
    }

  private:
    using Parts = std::vector<std::pair<std::shared_ptr<Part>, size_t>>;

    static constexpr size_t least_room = 4096, most_room = size_t{1} << 20;

    void append(const uint8_t *data, size_t bytes)
    {
        while (bytes > 0) {
            if (!parts_.empty()) {
                const size_t fit = parts_.back()->append(data, bytes);
                data += fit;
                bytes -= fit;
                total_ += fit;
            }
            if (bytes > 0) {
                size_t room = total_ < least_room ? least_room : total_;
                room = room < most_room ? room : most_room;
                parts_.push_back(std::make_shared<Part>(room));
            }
        }
    }

    // What came so far, which other threads may go on with.
    Parts so_far()
    {
        Parts parts;
        const int code = with_lock(lock_, SIZE_MAX, [&] {
            try {
                for (const auto &part : parts_)
                    parts.emplace_back(part, part->used());
                return HANJI_OK;
            } catch (const std::bad_alloc &) {
                return HANJI_E_LIMIT;
            }
        });
        if (code != HANJI_OK) {
            PyErr_NoMemory();
            throw nb::python_error();
        }
        return parts;
    }

    static int give(const Parts &parts, hanji_slhdsa_message *state)
    {
        for (const auto &[part, used] : parts) {
            const int code = hanji_slhdsa_message_update(part->data(), used, state);
            if (code != HANJI_OK)
                return code;
        }
        return HANJI_OK;
    }

    Key &key_; // kept alive by the object of Python
    int mode_;
    uint8_t context_[HANJI_SLHDSA_CONTEXT_BYTES_MAX];
    size_t context_bytes_ = 0, total_ = 0;
    std::vector<std::shared_ptr<Part>> parts_;
    Lock lock_;
};

// A message that is not kept: to be signed, in one reading or two, or to be verified.
class Stream final : public SignatureMessage
{
  public:
    Stream(Key &key, const Purpose &purpose, nb::handle signature, const Making &making) : key_(key)
    {
        const Context context(purpose.context);
        const int mode = mode_of(purpose, key_.set());
        int code;
        if (signature.is_none()) {
            const Randomness random = randomness_of(making, key_.set());
            key_.require_secret();
            code = hanji_slhdsa_sign_init(&state_, context.data(), context.size(), mode, key_.key(),
                                          key_.bytes(), key_.set(), options(making),
                                          random.function(), random.state());
        } else {
            const Input in(signature, "signature");
            code = hanji_slhdsa_verify_init(&state_, in.data(), in.size(), context.data(),
                                            context.size(), mode, key_.public_half(),
                                            key_.public_bytes(), key_.set());
        }
        check(code);
    }
    ~Stream() override
    {
        hanji_slhdsa_message_wipe(&state_);
    }

    void update(nb::handle data) override
    {
        const Input in(data, "data");
        require_order(with_lock(lock_, in.size(), [&] {
            return hanji_slhdsa_message_update(in.data(), in.size(), &state_);
        }));
    }

    void again() override
    {
        require_order(with_lock(lock_, 0, [&] { return hanji_slhdsa_message_again(&state_); }));
    }

    // But for progress, everything is as it was given to the constructor.
    nb::bytes sign(const Making &making) override
    {
        Progress progress(making.progress);
        NewBytes out(hanji_slhdsa_signature_bytes(key_.set()));
        lock_.require_usable();
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            std::lock_guard<Lock> held(lock_);
            code = progress.begin(&state_, &released);
            if (code == HANJI_OK)
                code = hanji_slhdsa_message_sign(out.data(), &state_);
        }
        progress.check();
        require_order(code);
        return out.take();
    }

    bool verify(nb::handle signature) override
    {
        const Input in(signature, "signature");
        const int code = with_lock(lock_, SIZE_MAX, [&] {
            return hanji_slhdsa_message_verify(in.data(), in.size(), &state_);
        });
        if (code == HANJI_E_ARGUMENT)
            require_order(code);
        return verdict(code);
    }

  private:
    static void require_order(int code)
    {
        if (code == HANJI_E_ARGUMENT)
            raise(PyExc_ValueError, "this message was signed or verified, or is read another "
                                    "number of times; make a new one");
        check_signed(code);
    }

    Key &key_; // kept alive by the object of Python
    hanji_slhdsa_message state_;
    Lock lock_;
};

std::unique_ptr<SignatureMessage> Key::stream(const Purpose &purpose, nb::handle signature,
                                              const Making &making)
{
    return std::make_unique<Stream>(*this, purpose, signature, making);
}

std::unique_ptr<SignatureMessage> Key::message(const Purpose &purpose)
{
    return std::make_unique<Message>(*this, purpose);
}

class SlhDsa final : public SignatureScheme
{
  public:
    size_t count() const override
    {
        return hanji_slhdsa_count();
    }
    const char *name(size_t index) const override
    {
        return hanji_slhdsa_name(hanji_slhdsa_at(index));
    }
    SignatureSet at(size_t index) const override
    {
        return about(hanji_slhdsa_at(index));
    }
    nb::bytes generate(size_t index) const override
    {
        const hanji_slhdsa *set = hanji_slhdsa_at(index);
        uint8_t public_key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX];
        NewBytes secret_key(hanji_slhdsa_secret_key_bytes(set));
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = hanji_slhdsa_keypair(public_key, secret_key.data(), set, nullptr, nullptr);
        }
        check(code);
        return secret_key.take();
    }
    std::unique_ptr<SignatureKey> key(size_t index, nb::handle raw, bool is_private) const override
    {
        return std::make_unique<Key>(hanji_slhdsa_at(index), raw, is_private);
    }
};

} // namespace

const SignatureScheme &slhdsa()
{
    static const SlhDsa instance;
    return instance;
}

} // namespace hanji
