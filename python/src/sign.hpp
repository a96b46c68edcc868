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

// A message in pieces, for one key, which lives as long. Bytes-like arguments are checked here.
class SignatureMessage
{
  public:
    virtual ~SignatureMessage() = default;
    virtual void update(nb::handle data) = 0;
    // The first reading of a message that is read twice is over: only of what stream() gives.
    virtual void again();
    virtual nb::bytes sign(bool is_checked, bool deterministic) = 0;
    virtual bool verify(nb::handle signature) = 0;
};

// A key that signs or verifies whole messages; may be used by many threads.
class SignatureKey
{
  public:
    virtual ~SignatureKey() = default;
    virtual nb::bytes sign(nb::handle message, nb::handle context, bool is_checked,
                           bool deterministic) = 0;
    virtual bool verify(nb::handle signature, nb::handle message, nb::handle context) = 0;
    // The public key that belongs to a private one.
    virtual nb::bytes public_key() = 0;
    virtual std::unique_ptr<SignatureMessage> message(nb::handle context) = 0;
    // How often signing reads a message; and a message that is not kept: to be signed, with these
    // options, when the signature is None, else to be verified.
    virtual int readings() const
    {
        return 1;
    }
    virtual std::unique_ptr<SignatureMessage> stream(nb::handle context, nb::handle signature,
                                                     bool is_checked, bool deterministic);
    // One after the other; a scheme that has a faster way gives its own.
    virtual nb::list sign_batch(nb::list messages, nb::handle context, bool is_checked,
                                bool deterministic);
    virtual nb::list verify_batch(nb::list signatures, nb::list messages, nb::handle context);
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
