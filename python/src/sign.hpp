// SPDX-License-Identifier: Apache-2.0
// What a scheme of signatures brings to Python. A scheme is a file sign_<scheme>.cpp with its
// classes of keys and messages, and a row in all_schemes() of sign.cpp; names, sizes and status of its
// parameter sets come from its catalogue in C.
#pragma once

#include "core.hpp"

#include <array>
#include <memory>
#include <vector>

namespace hanji
{

using Memory = std::unique_ptr<uint8_t[]>;

// Uninitialised memory: what a call needs is large, and its pages cost more than small signatures
// do, so that keys keep it.
Memory allocate(size_t bytes);

// One parameter set, as the catalogue of its scheme has it; sizes in bytes.
struct SignatureSet {
    const char *name, *standard, *status;
    bool broken;
    size_t public_key_bytes, private_key_bytes, signature_bytes;
    const char *private_key_form; // "seeds", when it is not the whole key; else ""
    // Of a signature at full speed, of the least, and of a batch; 0 when they say nothing.
    size_t memory, small_memory, least_memory, batch_memory;
};

// What whoever verifies must give as whoever signed did. Schemes check both themselves.
struct Purpose {
    nb::handle context;  // bytes-like
    nb::handle pre_hash; // the name of the hash function whose hash is signed, or None
};

// How a signature is made.
struct Making {
    bool is_checked, deterministic;
    nb::handle randomness; // bytes-like, in place of random bytes of the system; or None
    nb::handle progress; // called with steps done and all steps, by schemes that are slow; or None
};

// Of schemes that sign no hash: ValueError for any name of one.
void require_no_pre_hash(const char *scheme, nb::handle pre_hash);

// The random bytes of a call: those that were given, or a null pointer, which means the system's.
class Randomness
{
  public:
    // ValueError for another size, and beside `deterministic`, which asks for none.
    Randomness(const Making &making, const char *scheme, size_t bytes);
    hanji_random_fn *function() const
    {
        return given_ ? copy : nullptr;
    }
    void *state() const
    {
        return given_.get();
    }

  private:
    static int copy(uint8_t *out, size_t bytes, void *state);

    std::unique_ptr<Input> given_;
};

// A message in pieces, for one key, which lives as long. Bytes-like arguments are checked here.
class SignatureMessage
{
  public:
    virtual ~SignatureMessage() = default;
    virtual void update(nb::handle data) = 0;
    // The first reading of a message that is read twice is over: only of what stream() gives.
    virtual void again();
    virtual nb::bytes sign(const Making &making) = 0;
    virtual bool verify(nb::handle signature) = 0;
};

// A key that signs or verifies whole messages; may be used by many threads.
class SignatureKey
{
  public:
    virtual ~SignatureKey() = default;
    virtual nb::bytes sign(nb::handle message, const Purpose &purpose, const Making &making) = 0;
    virtual bool verify(nb::handle signature, nb::handle message, const Purpose &purpose) = 0;
    // The public key that belongs to a private one.
    virtual nb::bytes public_key() = 0;
    virtual std::unique_ptr<SignatureMessage> message(const Purpose &purpose) = 0;
    // How often signing reads a message; and a message that is not kept: to be signed, as `making`
    // says, when the signature is None, else to be verified.
    virtual int readings(nb::handle pre_hash) const;
    virtual std::unique_ptr<SignatureMessage> stream(const Purpose &purpose, nb::handle signature,
                                                     const Making &making);
    // One after the other; a scheme that has a faster way gives its own. There is no randomness,
    // because every message needs its own, and no progress.
    virtual nb::list sign_batch(nb::list messages, const Purpose &purpose, const Making &making);
    virtual nb::list verify_batch(nb::list signatures, nb::list messages, const Purpose &purpose);
};

class SignatureScheme
{
  public:
    virtual size_t count() const = 0;
    virtual const char *name(size_t index) const = 0;
    virtual SignatureSet at(size_t index) const = 0;
    // A new private key of a set, and the key that some bytes are.
    virtual nb::bytes generate(size_t index) const = 0;
    virtual std::unique_ptr<SignatureKey> key(size_t index, nb::handle raw,
                                              bool is_private) const = 0;
    // Of schemes in libraries of their own: whether they can be used here, the known-answer test of
    // a set, and the cap of hanji_force() (NULL removes it).
    virtual bool is_apart() const
    {
        return false;
    }
    virtual bool is_here() const
    {
        return true;
    }
    virtual bool is_right(size_t) const
    {
        return true;
    }
    virtual void force(const char *) const
    {
    }

  protected:
    ~SignatureScheme() = default;
};

// All schemes, in the order in which their sets are listed.
std::array<const SignatureScheme *, 3> all_schemes();
const SignatureScheme &slhdsa();
const SignatureScheme &aimer();
const SignatureScheme &rainbow();

// "a private key of X has 48 bytes; 47 were given", when the size is not the set's.
void require_key_size(const SignatureSet &set, bool is_private, size_t given);

} // namespace hanji
