// SPDX-License-Identifier: Apache-2.0
// AIMer.
#include "sign.hpp"

#include <cstring>
#include <deque>

namespace hanji
{
namespace
{

// A context string of a length that some set takes, for a message that is signed itself.
class Context : public Input
{
  public:
    Context(const Purpose &purpose, const hanji_aimer *set) : Input(purpose.context, "context")
    {
        require_no_pre_hash(hanji_aimer_name(set), purpose.pre_hash);
        if (size() > HANJI_AIMER_CONTEXT_BYTES_MAX)
            raise(PyExc_ValueError, "a context has 0 to %d bytes; %zu were given",
                  HANJI_AIMER_CONTEXT_BYTES_MAX, size());
    }
};

// What the library says of options and of contexts, whose length is right, as an exception; other
// codes are the caller's.
void check_use(int code, const hanji_aimer *set, bool has_context, bool deterministic)
{
    if (code != HANJI_E_ARGUMENT)
        return;
    if (has_context)
        raise(PyExc_ValueError, "%s takes no context string; AIMer v3 does", hanji_aimer_name(set));
    if (deterministic)
        raise(PyExc_ValueError,
              "%s cannot sign deterministically: without random bytes signatures give away the key",
              hanji_aimer_name(set));
}

unsigned options(const Making &making)
{
    return (making.is_checked ? HANJI_AIMER_CHECK : 0u) |
           (making.deterministic ? HANJI_AIMER_DETERMINISTIC : 0u);
}

// v1.0 is asked for a salt, too, and gives the key away when its random bytes come again.
Randomness randomness_of(const Making &making, const hanji_aimer *set)
{
    const size_t public_bytes = hanji_aimer_public_key_bytes(set);
    if (public_bytes % 2 == 1 && !making.randomness.is_none())
        raise(PyExc_ValueError,
              "%s takes no randomness: with the same bytes for two messages signatures give away "
              "the key",
              hanji_aimer_name(set));
    return {making, hanji_aimer_name(set), public_bytes / 2};
}

// The code of a signing call; a signature that does not verify was not given away.
void check_signed(int code, const hanji_aimer *set, bool has_context, bool deterministic)
{
    check_use(code, set, has_context, deterministic);
    if (code == HANJI_E_TAG)
        raise(
            error_type,
            "the signature that was made does not verify, and was thrown away: this machine computes wrong");
    check(code);
}

SignatureSet about(const hanji_aimer *set)
{
    SignatureSet row = {};
    for (size_t i = 0; i < hanji_algorithm_count(); i++) {
        const hanji_algorithm *a = hanji_algorithm_at(i);
        if (std::strcmp(a->name, hanji_aimer_name(set)) == 0)
            row = {a->name, a->standard, a->status, a->advice == HANJI_ADVICE_BROKEN};
    }
    row.public_key_bytes = hanji_aimer_public_key_bytes(set);
    row.private_key_bytes = hanji_aimer_secret_key_bytes(set);
    row.signature_bytes = hanji_aimer_signature_bytes(set);
    row.private_key_form = "";
    row.memory = hanji_aimer_scratch_bytes(set);
    row.small_memory = hanji_aimer_scratch_bytes_small(set);
    row.least_memory = hanji_aimer_scratch_bytes_least(set);
    row.batch_memory = hanji_aimer_scratch_bytes_batch(set);
    return row;
}

// An expanded key: constant after construction. Scratch memory that a call no longer needs waits
// for the next.
class Key final : public SignatureKey
{
  public:
    Key(const hanji_aimer *set, nb::handle raw, bool is_secret) : set_(set), secret_(is_secret)
    {
        const Input in(raw, is_secret ? "the private key" : "the public key");
        require_key_size(about(set), is_secret, in.size());
        // v1.0 has an id byte before both keys; the private half follows it.
        const size_t size = hanji_aimer_public_key_bytes(set_), id = size % 2;
        public_.assign(in.data(), in.data() + id);
        public_.insert(public_.end(), in.data() + in.size() - (size - id), in.data() + in.size());
        bytes_ = hanji_aimer_key_bytes(set_);
        scratch_bytes_ =
            is_secret ? hanji_aimer_scratch_bytes_batch(set_) : hanji_aimer_scratch_bytes(set_);
        memory_ = allocate(bytes_);
        Memory scratch = take();
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = is_secret ? hanji_aimer_key_check(in.data(), in.size(), set_, scratch.get(),
                                                     scratch_bytes_)
                             : HANJI_OK;
            if (code == HANJI_OK)
                code = is_secret ? hanji_aimer_key_secret(get(), bytes_, in.data(), in.size(), set_,
                                                          scratch.get(), scratch_bytes_)
                                 : hanji_aimer_key_public(get(), bytes_, in.data(), in.size(), set_,
                                                          scratch.get(), scratch_bytes_);
        }
        give(std::move(scratch));
        if (code == HANJI_E_TAG)
            raise(PyExc_ValueError,
                  "the private key of %s is damaged: its public half does not belong to it",
                  hanji_aimer_name(set_));
        if (code == HANJI_E_ARGUMENT && id == 1)
            raise(PyExc_ValueError,
                  "the key is for another parameter set than %s: its first byte says so",
                  hanji_aimer_name(set_));
        if (code == HANJI_E_ARGUMENT)
            raise(
                PyExc_ValueError,
                "the private key is none of %s: an S-box would have the input zero, and no signature would verify",
                hanji_aimer_name(set_));
        check(code);
    }
    Key(const Key &) = delete;
    Key &operator=(const Key &) = delete;
    ~Key() override
    {
        if (secret_ && memory_)
            hanji_wipe(memory_.get(), bytes_);
    }

    nb::bytes sign(nb::handle data, const Purpose &purpose, const Making &making) override
    {
        const Input in(data, "message");
        const Context context(purpose, set_);
        const Randomness random = randomness_of(making, set_);
        require_secret();
        NewBytes out(hanji_aimer_signature_bytes(set_));
        const int code = run([&](uint8_t *scratch) {
            return hanji_aimer_key_sign(out.data(), in.data(), in.size(), context.data(),
                                        context.size(), get(), options(making), random.function(),
                                        random.state(), scratch, scratch_bytes_);
        });
        check_signed(code, set_, context.size() > 0, making.deterministic);
        return out.take();
    }

    bool verify(nb::handle signature, nb::handle data, const Purpose &purpose) override
    {
        const Input sig(signature, "signature"), in(data, "message");
        const Context context(purpose, set_);
        const int code = run([&](uint8_t *scratch) {
            return hanji_aimer_key_verify(sig.data(), sig.size(), in.data(), in.size(),
                                          context.data(), context.size(), get(), scratch,
                                          scratch_bytes_);
        });
        check_use(code, set_, context.size() > 0, false);
        return verdict(code);
    }

    // Many messages in one call: other Python threads run until all are signed.
    nb::list sign_batch(nb::list given, const Purpose &purpose, const Making &making) override
    {
        const Context context(purpose, set_);
        require_secret();
        const nb::tuple messages(given); // other threads may change the list meanwhile
        std::deque<Input> inputs;
        std::deque<NewBytes> out;
        std::vector<hanji_aimer_item> items;
        for (nb::handle message : messages) {
            inputs.emplace_back(message, "message");
            out.emplace_back(hanji_aimer_signature_bytes(set_));
            items.push_back({out.back().data(), inputs.back().data(), inputs.back().size(),
                             context.data(), context.size(), HANJI_OK});
        }
        const int code = run([&](uint8_t *scratch) {
            return hanji_aimer_key_sign_batch(items.data(), items.size(), get(), options(making),
                                              nullptr, nullptr, scratch, scratch_bytes_);
        });
        check_signed(code, set_, context.size() > 0, making.deterministic);
        nb::list signatures;
        for (NewBytes &signature : out)
            signatures.append(signature.take());
        return signatures;
    }

    nb::list verify_batch(nb::list given_signatures, nb::list given_messages,
                          const Purpose &purpose) override
    {
        const Context context(purpose, set_);
        const nb::tuple signatures(given_signatures), messages(given_messages);
        if (signatures.size() != messages.size())
            raise(PyExc_ValueError, "%zu signatures were given for %zu messages", signatures.size(),
                  messages.size());
        std::deque<Input> inputs;
        std::vector<hanji_aimer_item> items;
        std::vector<bool> right_size;
        for (size_t i = 0; i < messages.size(); i++) {
            const Input &signature = inputs.emplace_back(signatures[i], "signature"),
                        &message = inputs.emplace_back(messages[i], "message");
            right_size.push_back(signature.size() == hanji_aimer_signature_bytes(set_));
            // The batch reads it only.
            if (right_size.back())
                items.push_back({const_cast<uint8_t *>(signature.data()), message.data(),
                                 message.size(), context.data(), context.size(), HANJI_OK});
        }
        const int code = run([&](uint8_t *scratch) {
            return hanji_aimer_key_verify_batch(items.data(), items.size(), get(), scratch,
                                                scratch_bytes_);
        });
        check_use(code, set_, context.size() > 0, false);
        if (code != HANJI_E_TAG)
            check(code);
        nb::list verdicts;
        size_t next = 0;
        for (const bool known : right_size)
            verdicts.append(known && verdict(items[next++].status));
        return verdicts;
    }

    nb::bytes public_key() override
    {
        return nb::bytes(public_.data(), public_.size());
    }

    std::unique_ptr<SignatureMessage> message(const Purpose &purpose) override;

    void require_secret() const
    {
        if (!secret_)
            raise(PyExc_TypeError, "a public key cannot sign");
    }

    // A signature of another length is as wrong as one of other bytes.
    static bool verdict(int code)
    {
        if (code == HANJI_E_TAG || code == HANJI_E_LENGTH)
            return false;
        check(code);
        return true;
    }

    template <class Body> int run(Body body)
    {
        Memory scratch = take();
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = body(scratch.get());
        }
        give(std::move(scratch));
        return code;
    }

    hanji_aimer_key *get() const
    {
        return reinterpret_cast<hanji_aimer_key *>(memory_.get());
    }
    const hanji_aimer *set() const
    {
        return set_;
    }
    size_t scratch_bytes() const
    {
        return scratch_bytes_;
    }

  private:
    Memory take()
    {
        lock_.require_usable();
        {
            std::lock_guard<Lock> held(lock_);
            if (!spare_.empty()) {
                Memory scratch = std::move(spare_.back());
                spare_.pop_back();
                return scratch;
            }
        }
        return allocate(scratch_bytes_);
    }
    void give(Memory scratch)
    {
        std::lock_guard<Lock> held(lock_);
        spare_.push_back(std::move(scratch));
    }

    const hanji_aimer *set_;
    bool secret_;
    size_t bytes_ = 0, scratch_bytes_ = 0;
    Memory memory_;
    std::vector<uint8_t> public_;
    std::vector<Memory> spare_; // as many as calls ran at the same time
    Lock lock_;
};

// A message in pieces, for one key.
class Message final : public SignatureMessage
{
  public:
    Message(Key &key, const Purpose &purpose) : key_(key)
    {
        const Context context(purpose, key.set());
        const int code =
            hanji_aimer_message_init(&ctx_, context.data(), context.size(), key_.get());
        check_use(code, key_.set(), context.size() > 0, false);
        check(code);
    }

    void update(nb::handle data) override
    {
        const Input in(data, "data");
        const int code = with_lock(lock_, in.size(), [&] {
            return hanji_aimer_message_update(in.data(), in.size(), &ctx_);
        });
        if (code == HANJI_E_ARGUMENT)
            raise(PyExc_ValueError, "this message has been signed or verified; make a new one");
        check(code);
    }

    nb::bytes sign(const Making &making) override
    {
        Key &key = key_;
        const Randomness random = randomness_of(making, key.set());
        key.require_secret();
        NewBytes out(hanji_aimer_signature_bytes(key.set()));
        hanji_aimer_message last = fork();
        const int code = key.run([&](uint8_t *scratch) {
            return hanji_aimer_message_sign(out.data(), &last, key.get(), options(making),
                                            random.function(), random.state(), scratch,
                                            key.scratch_bytes());
        });
        check_signed(code, key.set(), false, making.deterministic);
        return out.take();
    }

    bool verify(nb::handle signature) override
    {
        const Input in(signature, "signature");
        Key &key = key_;
        hanji_aimer_message last = fork();
        return Key::verdict(key.run([&](uint8_t *scratch) {
            return hanji_aimer_message_verify(in.data(), in.size(), &last, key.get(), scratch,
                                              key.scratch_bytes());
        }));
    }

  private:
    // Signing ends a message; what came so far may still be signed and go on.
    hanji_aimer_message fork()
    {
        lock_.require_usable();
        MaybeNoGil released(SIZE_MAX);
        std::lock_guard<Lock> held(lock_);
        return ctx_;
    }

    Key &key_; // kept alive by the object of Python
    hanji_aimer_message ctx_;
    Lock lock_;
};

std::unique_ptr<SignatureMessage> Key::message(const Purpose &purpose)
{
    return std::make_unique<Message>(*this, purpose);
}

class Aimer final : public SignatureScheme
{
  public:
    size_t count() const override
    {
        return hanji_aimer_count();
    }
    const char *name(size_t index) const override
    {
        return hanji_aimer_name(hanji_aimer_at(index));
    }
    SignatureSet at(size_t index) const override
    {
        return about(hanji_aimer_at(index));
    }
    nb::bytes generate(size_t index) const override
    {
        const hanji_aimer *set = hanji_aimer_at(index);
        uint8_t public_key[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX];
        NewBytes secret_key(hanji_aimer_secret_key_bytes(set));
        Memory scratch = allocate(HANJI_AIMER_KEYPAIR_SCRATCH_BYTES_MAX);
        int code;
        {
            MaybeNoGil released(SIZE_MAX);
            code = hanji_aimer_keypair(public_key, secret_key.data(), set, nullptr, nullptr,
                                       scratch.get(), HANJI_AIMER_KEYPAIR_SCRATCH_BYTES_MAX);
            hanji_wipe(scratch.get(), HANJI_AIMER_KEYPAIR_SCRATCH_BYTES_MAX);
        }
        check(code);
        return secret_key.take();
    }
    std::unique_ptr<SignatureKey> key(size_t index, nb::handle raw, bool is_private) const override
    {
        return std::make_unique<Key>(hanji_aimer_at(index), raw, is_private);
    }
};

} // namespace

const SignatureScheme &aimer()
{
    static const Aimer instance;
    return instance;
}

} // namespace hanji
