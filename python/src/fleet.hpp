// SPDX-License-Identifier: Apache-2.0
// The arrays of a fleet call, from Python: hanji/fleet.py makes them; every size is checked again
// here, because the library trusts what it is given.
#pragma once

#include "core.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace hanji
{

inline void require(bool condition, const char *what)
{
    if (!condition)
        raise(PyExc_ValueError, "fleet: %s", what);
}

// n + 1 offsets into `bytes` bytes; Python has made them, nobody else can change them during the
// call.
inline const int64_t *checked_offsets(const Input &offsets, size_t messages, size_t bytes,
                                      const char *what)
{
    require(offsets.size() == (messages + 1) * sizeof(int64_t) &&
                reinterpret_cast<uintptr_t>(offsets.data()) % alignof(int64_t) == 0,
            what);
    const auto *o = reinterpret_cast<const int64_t *>(offsets.data());
    if (o[0] < 0)
        raise(PyExc_ValueError, "%s: the first is %lld; it must not be negative", what,
              static_cast<long long>(o[0]));
    // Two numbers that are not negative have a difference, whose sign says which is larger; where
    // any is, the second loop finds the first decrease.
    uint64_t below = 0;
    for (size_t i = 0; i < messages; i++)
        below |= static_cast<uint64_t>(o[i + 1]) |
                 (static_cast<uint64_t>(o[i + 1]) - static_cast<uint64_t>(o[i]));
    for (size_t i = 0; (below >> 63) != 0 && i < messages; i++)
        if (o[i + 1] < o[i])
            raise(PyExc_ValueError, "%s decrease at message %zu: %lld, then %lld", what, i,
                  static_cast<long long>(o[i]), static_cast<long long>(o[i + 1]));
    if (static_cast<uint64_t>(o[messages]) > bytes)
        raise(PyExc_ValueError, "%s end at %lld, but there are only %zu bytes", what,
              static_cast<long long>(o[messages]), bytes);
    return o;
}

// What an operation takes; sizes 0: by the cipher or the caller.
struct FleetShape {
    bool hashing, opening, stream;
    size_t key_bytes, nonce_bytes, tag_bytes;
    bool mac = false; // keys, but no nonces and no output
};

// What Python gives. Offsets may be a number instead: the bytes of every message.
struct FleetObjects {
    nb::handle offsets, data, out, ad_offsets, ad, keys, nonces, tags, status;
    bool one_key;
    size_t nonce_size, tag_size;
    uint64_t limit;
    nb::handle customization = {}; // for all messages; null: none
};

// The call as the library takes it. Holds the buffers for as long as it lives.
class FleetArguments
{
  public:
    FleetArguments(const FleetObjects &given, const FleetShape &shape, const hanji_cipher *cipher)
        : states_(given.status, "status"), in_(given.data, "data"),
          starts_(PyLong_Check(given.offsets.ptr()) ? nb::handle() : given.offsets, "offsets",
                  any_items),
          ad_(given.ad, "associated_data", none_is_empty),
          ad_starts_(given.ad_offsets.is_none() || PyLong_Check(given.ad_offsets.ptr())
                         ? nb::handle()
                         : given.ad_offsets,
                     "ad_offsets", any_items),
          keys_(given.keys, "keys", none_is_empty), nonces_(given.nonces, "nonces", none_is_empty),
          customization_(given.customization, "customization")
    {
        const size_t n = states_.size(),
                     key_bytes = cipher ? hanji_cipher_key_bytes(cipher) : shape.key_bytes;
        call.messages = n;
        if (PyLong_Check(given.offsets.ptr())) {
            row = nb::cast<size_t>(given.offsets);
            require(row == 0 || n <= in_.size() / row, "data are too short");
            bytes = n * row;
        } else {
            call.offsets = checked_offsets(starts_, n, in_.size(), "offsets");
            bytes = static_cast<size_t>(call.offsets[n]);
        }
        call.input = in_.data();
        call.status = reinterpret_cast<int8_t *>(states_.data());
        call.limit = given.limit;
        if (ad_starts_.size()) {
            call.ad_offsets = checked_offsets(ad_starts_, n, ad_.size(), "ad_offsets");
            call.ad = ad_.data();
        } else if (PyLong_Check(given.ad_offsets.ptr())) {
            ad_row = nb::cast<size_t>(given.ad_offsets);
            require(ad_row == 0 || n <= ad_.size() / ad_row, "associated data are too short");
            call.ad = ad_row ? ad_.data() : nullptr;
        }
        if (!shape.hashing) {
            require(key_bytes > 0 && keys_.size() == (given.one_key ? 1 : n) * key_bytes,
                    "keys have the wrong size");
            call.keys = keys_.data();
            call.key_stride = given.one_key ? 0 : key_bytes;
        }
        if (!shape.hashing && !shape.mac) {
            require(given.nonce_size > 0 &&
                        (shape.nonce_bytes == 0 || given.nonce_size == shape.nonce_bytes) &&
                        nonces_.size() / given.nonce_size == n &&
                        nonces_.size() % given.nonce_size == 0,
                    "nonces have the wrong size");
            require(!shape.stream || given.nonce_size == hanji_cipher_block_bytes(cipher),
                    "counter blocks have the wrong size");
            call.nonces = nonces_.data();
            call.nonce_bytes = given.nonce_size;
            take_output(given.out);
        }
        if (!shape.stream)
            take_tags(given, shape);
        require_all_apart(shape);
    }
    FleetArguments(const FleetArguments &) = delete;
    FleetArguments &operator=(const FleetArguments &) = delete;

    const Input &customization() const
    {
        return customization_;
    }

    hanji_fleet call{};
    size_t row = 0;    // bytes of every message, where there are no offsets
    size_t ad_row = 0; // the same of their associated data
    size_t bytes = 0;  // where the last message ends

  private:
    void take_output(nb::handle out)
    {
        out_.emplace(out, "out");
        require(out_->size() >= bytes, "out is too small");
        call.output = out_->data();
    }

    void take_tags(const FleetObjects &given, const FleetShape &shape)
    {
        const size_t size = given.tag_size, n = call.messages;
        require(size > 0 && (shape.tag_bytes == 0 || size == shape.tag_bytes),
                "tags have the wrong size");
        if (shape.opening) {
            tags_in_.emplace(given.tags, "tags");
            require(tags_in_->size() / size == n && tags_in_->size() % size == 0,
                    "tags have the wrong size");
            call.tags = const_cast<uint8_t *>(tags_in_->data()); // read only when opening
        } else {
            tags_out_.emplace(given.tags, "tags");
            require(tags_out_->size() / size == n && tags_out_->size() % size == 0,
                    "tags have the wrong size");
            call.tags = tags_out_->data();
        }
        call.tag_bytes = size;
    }

    // What is written shares no byte with anything else of the whole call; the library sees only
    // the part that a thread does. `out` may begin where the data do.
    void require_all_apart(const FleetShape &shape) const
    {
        struct Array {
            const char *name;
            const void *at;
            size_t bytes;
        };
        const size_t first = call.offsets ? static_cast<size_t>(call.offsets[0]) : 0;
        const Array out{"out", out_ ? call.output + first : nullptr, out_ ? bytes - first : 0},
            data{"data", in_.data() + first, bytes - first},
            tags{"tags", call.tags, call.tags ? call.messages * call.tag_bytes : 0},
            status{"status", call.status, call.messages},
            others[] = {
                {"associated_data", call.ad_offsets ? call.ad + call.ad_offsets[0] : call.ad,
                 call.ad_offsets
                     ? static_cast<size_t>(call.ad_offsets[call.messages] - call.ad_offsets[0])
                     : call.messages * ad_row},
                {"keys", keys_.data(), keys_.size()},
                {"nonces", nonces_.data(), nonces_.size()},
                {"customization", customization_.data(), customization_.size()},
                {"offsets", starts_.data(), starts_.size()},
                {"ad_offsets", ad_starts_.data(), ad_starts_.size()}};
        const auto apart = [](const Array &a, const Array &b) {
            if (overlap(a.at, a.bytes, b.at, b.bytes))
                raise(PyExc_ValueError, "%s overlaps %s; give it memory of its own", a.name,
                      b.name);
        };
        if (out.at != data.at && overlap(out.at, out.bytes, data.at, data.bytes))
            raise(
                PyExc_ValueError,
                "out overlaps data in part; give it memory of its own, or let both begin at the same byte");
        apart(out, tags);
        apart(out, status);
        apart(status, data);
        apart(status, tags);
        if (!shape.opening)
            apart(tags, data);
        for (const Array &other : others) {
            apart(out, other);
            apart(status, other);
            if (!shape.opening)
                apart(tags, other);
        }
    }

    const Output states_;
    const Input in_, starts_, ad_, ad_starts_, keys_, nonces_, customization_;
    std::optional<Output> out_, tags_out_;
    std::optional<Input> tags_in_;
};

// Messages first to last of a call; without offsets they have `row` bytes, and their associated
// data `ad_row`.
inline hanji_fleet fleet_range(const hanji_fleet &whole, size_t first, size_t last, size_t row = 0,
                               size_t ad_row = 0)
{
    hanji_fleet part = whole;
    part.messages = last - first;
    if (part.offsets) {
        part.offsets += first;
    } else {
        part.input += first * row;
        if (part.output)
            part.output += first * row;
    }
    if (part.ad_offsets)
        part.ad_offsets += first;
    else if (part.ad)
        part.ad += first * ad_row;
    if (part.keys)
        part.keys += first * part.key_stride;
    if (part.nonces)
        part.nonces += first * part.nonce_bytes;
    if (part.tags)
        part.tags += first * part.tag_bytes;
    part.status += first;
    return part;
}

// The same with offsets. Where the call has none its own are made in `made`, for messages of `row`
// bytes; what is there already is of the same call and stays.
inline hanji_fleet fleet_part(const hanji_fleet &whole, size_t first, size_t last, size_t row,
                              std::vector<int64_t> *made)
{
    hanji_fleet part = fleet_range(whole, first, last, row);
    if (!part.offsets) {
        for (size_t i = made->size(); i <= part.messages; i++)
            made->push_back(static_cast<int64_t>(i * row));
        part.offsets = made->data();
    }
    return part;
}

// The work in the first messages of a call, in bytes. A message costs about as much as 96 bytes
// before its first byte: key, nonce, tag.
inline uint64_t fleet_work(const hanji_fleet &fleet, size_t messages, size_t row = 0)
{
    uint64_t bytes =
        (fleet.offsets ? static_cast<uint64_t>(fleet.offsets[messages] - fleet.offsets[0])
                       : messages * row) +
        messages * 96;
    if (fleet.ad_offsets)
        bytes += static_cast<uint64_t>(fleet.ad_offsets[messages] - fleet.ad_offsets[0]);
    return bytes;
}

// The first message at which `range` of `ranges` parts of the work are done.
inline size_t fleet_boundary(const hanji_fleet &fleet, size_t range, size_t ranges, size_t row = 0)
{
    if (range == ranges)
        return fleet.messages;
    const uint64_t goal = fleet_work(fleet, fleet.messages, row) / ranges * range;
    size_t low = 0, high = fleet.messages;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fleet_work(fleet, middle, row) < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace hanji
