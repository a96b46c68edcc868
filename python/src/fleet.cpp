// SPDX-License-Identifier: Apache-2.0
// Many messages per call. hanji/fleet.py makes the arrays; this file checks every size again, because the library trusts what it is given,
// and splits the work over threads that end with the call, so that no thread exists when a process forks between calls.
#include "core.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace hanji {
namespace {

// Which function of the library serves an algorithm and an operation; the second kind works over a block cipher.
struct Operation {
    std::string_view algorithm, operation;
    int64_t (*run)(const hanji_fleet *);
    int64_t (*run_over)(const hanji_fleet *, const hanji_cipher *);
    size_t key_bytes, nonce_bytes, tag_bytes; // 0: by the cipher or the caller
};

const Operation operations[] = {
    {"schwaemm256-128", "encrypt", hanji_schwaemm256_128_fleet_encrypt, nullptr, 16, 32, 16},
    {"schwaemm256-128", "decrypt", hanji_schwaemm256_128_fleet_decrypt, nullptr, 16, 32, 16},
    {"schwaemm192-192", "encrypt", hanji_schwaemm192_192_fleet_encrypt, nullptr, 24, 24, 24},
    {"schwaemm192-192", "decrypt", hanji_schwaemm192_192_fleet_decrypt, nullptr, 24, 24, 24},
    {"schwaemm128-128", "encrypt", hanji_schwaemm128_128_fleet_encrypt, nullptr, 16, 16, 16},
    {"schwaemm128-128", "decrypt", hanji_schwaemm128_128_fleet_decrypt, nullptr, 16, 16, 16},
    {"schwaemm256-256", "encrypt", hanji_schwaemm256_256_fleet_encrypt, nullptr, 32, 32, 32},
    {"schwaemm256-256", "decrypt", hanji_schwaemm256_256_fleet_decrypt, nullptr, 32, 32, 32},
    {"eax", "encrypt", nullptr, hanji_eax_fleet_encrypt, 0, 0, 0},
    {"eax", "decrypt", nullptr, hanji_eax_fleet_decrypt, 0, 0, 0},
    {"ctr", "ctr", nullptr, hanji_ctr_fleet, 0, 0, 0},
    {"esch256", "hash", hanji_esch256_fleet, nullptr, 0, 0, HANJI_ESCH256_DIGEST_BYTES},
    {"esch384", "hash", hanji_esch384_fleet, nullptr, 0, 0, HANJI_ESCH384_DIGEST_BYTES},
    {"xoesch256", "hash", hanji_xoesch256_fleet, nullptr, 0, 0, 0},
    {"xoesch384", "hash", hanji_xoesch384_fleet, nullptr, 0, 0, 0},
};

const Operation &find(std::string_view algorithm, std::string_view operation) {
    for (const Operation &row : operations)
        if (row.algorithm == algorithm && row.operation == operation) return row;
    raise(PyExc_ValueError, "no fleet operation of this name");
}

void require(bool condition, const char *what) {
    if (!condition) raise(PyExc_ValueError, "fleet: %s", what);
}

// n + 1 offsets into `bytes` bytes; Python has made them, nobody else can change them during the call.
const int64_t *checked_offsets(const Input &offsets, size_t messages, size_t bytes, const char *what) {
    require(offsets.size() == (messages + 1) * sizeof(int64_t) && reinterpret_cast<uintptr_t>(offsets.data()) % alignof(int64_t) == 0, what);
    const auto *o = reinterpret_cast<const int64_t *>(offsets.data());
    if (o[0] < 0) raise(PyExc_ValueError, "%s: the first is %lld; it must not be negative", what, static_cast<long long>(o[0]));
    for (size_t i = 0; i < messages; i++)
        if (o[i + 1] < o[i])
            raise(PyExc_ValueError, "%s decrease at message %zu: %lld, then %lld", what, i, static_cast<long long>(o[i]), static_cast<long long>(o[i + 1]));
    if (static_cast<uint64_t>(o[messages]) > bytes)
        raise(PyExc_ValueError, "%s end at %lld, but there are only %zu bytes", what, static_cast<long long>(o[messages]), bytes);
    return o;
}

// Splits a call into ranges of about equal work and runs them on up to `threads` threads, the caller's among them.
class Split {
  public:
    Split(const hanji_fleet &fleet, const Operation &operation, const hanji_cipher *cipher, size_t threads)
        : fleet_(fleet), operation_(operation), cipher_(cipher) {
        const size_t n = fleet.messages;
        const uint64_t total = work(n);
        threads_ = static_cast<size_t>(std::min<uint64_t>({threads, n, total / bytes_per_thread}));
        const size_t ranges = threads_ > 1 ? std::min(n, threads_ * ranges_per_thread) : 1;
        for (size_t range = 0; range <= ranges; range++) bounds_.push_back(boundary(range, ranges, total));
    }

    // Failed messages, or the first negative code.
    int64_t run() {
        std::vector<std::thread> helpers;
        try {
            for (size_t i = 1; i < threads_; i++) helpers.emplace_back([this] { take_ranges(); });
        } catch (const std::system_error &) { // no more threads to be had: those that run do the work
        }
        take_ranges();
        for (std::thread &helper : helpers) helper.join();
        return refused_ < 0 ? refused_.load() : failed_.load();
    }

  private:
    // Less than this per thread is not worth starting one (some 20 microseconds).
    static constexpr uint64_t bytes_per_thread = 128 << 10;
    static constexpr size_t ranges_per_thread = 8;
    // A message costs about as much as this many bytes before its first byte: key, nonce, tag.
    static constexpr uint64_t bytes_per_message = 96;

    uint64_t work(size_t messages) const {
        uint64_t bytes = static_cast<uint64_t>(fleet_.offsets[messages] - fleet_.offsets[0]) + messages * bytes_per_message;
        if (fleet_.ad_offsets) bytes += static_cast<uint64_t>(fleet_.ad_offsets[messages] - fleet_.ad_offsets[0]);
        return bytes;
    }

    // The first message at which `range` of `ranges` parts of the work are done.
    size_t boundary(size_t range, size_t ranges, uint64_t total) const {
        if (range == ranges) return fleet_.messages;
        const uint64_t goal = total / ranges * range;
        size_t low = 0, high = fleet_.messages;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (work(middle) < goal) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    void take_ranges() {
        for (size_t range; (range = next_++) + 1 < bounds_.size();) {
            const size_t first = bounds_[range];
            hanji_fleet part = fleet_;
            part.messages = bounds_[range + 1] - first;
            if (part.messages == 0 && fleet_.messages > 0) continue;
            part.offsets += first;
            if (part.ad_offsets) part.ad_offsets += first;
            if (part.keys) part.keys += first * part.key_stride;
            if (part.nonces) part.nonces += first * part.nonce_bytes;
            if (part.tags) part.tags += first * part.tag_bytes;
            part.status += first;
            const int64_t result = operation_.run ? operation_.run(&part) : operation_.run_over(&part, cipher_);
            if (result < 0) refused_ = result;
            else failed_ += result;
        }
    }

    const hanji_fleet &fleet_;
    const Operation &operation_;
    const hanji_cipher *cipher_;
    size_t threads_;
    std::vector<size_t> bounds_;
    std::atomic<size_t> next_{0};
    std::atomic<int64_t> failed_{0}, refused_{0};
};

int64_t fleet(const char *algorithm, const char *operation, const char *cipher_name, nb::handle offsets, nb::handle data, nb::handle out,
              nb::handle ad_offsets, nb::handle ad, nb::handle keys, bool one_key, nb::handle nonces, size_t nonce_size, nb::handle tags,
              size_t tag_size, nb::handle status, uint64_t limit, size_t threads) {
    const Operation &row = find(algorithm, operation);
    const hanji_cipher *cipher = row.run_over ? hanji_cipher_find(cipher_name) : nullptr;
    if (row.run_over && !cipher) raise(PyExc_ValueError, "%s is not a block cipher of this library", cipher_name);
    const bool hashing = row.operation == "hash", opening = row.operation == "decrypt", stream = row.operation == "ctr";
    const size_t key_bytes = cipher ? hanji_cipher_key_bytes(cipher) : row.key_bytes;

    const Output states(status, "status");
    const size_t n = states.size();
    const Input in(data, "data"), starts(offsets, "offsets"), ad_in(ad, "associated_data", none_is_empty),
        ad_starts(ad_offsets, "ad_offsets", none_is_empty), k(keys, "keys", none_is_empty), iv(nonces, "nonces", none_is_empty);

    hanji_fleet call{};
    call.messages = n;
    call.offsets = checked_offsets(starts, n, in.size(), "offsets");
    call.input = in.data();
    call.status = reinterpret_cast<int8_t *>(states.data());
    call.limit = limit;
    if (ad_starts.size()) {
        call.ad_offsets = checked_offsets(ad_starts, n, ad_in.size(), "ad_offsets");
        call.ad = ad_in.data();
    }
    const size_t out_bytes = static_cast<size_t>(call.offsets[n]);
    if (!hashing) {
        require(key_bytes > 0 && k.size() == (one_key ? 1 : n) * key_bytes, "keys have the wrong size");
        require(nonce_size > 0 && (row.nonce_bytes == 0 || nonce_size == row.nonce_bytes) && iv.size() / nonce_size == n && iv.size() % nonce_size == 0,
                "nonces have the wrong size");
        require(!stream || nonce_size == hanji_cipher_block_bytes(cipher), "counter blocks have the wrong size");
        call.keys = k.data();
        call.key_stride = one_key ? 0 : key_bytes;
        call.nonces = iv.data();
        call.nonce_bytes = nonce_size;
    }

    std::optional<Output> out_buffer, tags_out;
    std::optional<Input> tags_in;
    if (!hashing) {
        out_buffer.emplace(out, "out");
        require(out_buffer->size() >= out_bytes, "out is too small");
        call.output = out_buffer->data();
        require_apart(call.output, out_bytes, in.data(), in.size(), "data", true);
        require_apart(call.output, out_bytes, ad_in.data(), ad_in.size(), "associated_data", false);
        require_apart(call.output, out_bytes, k.data(), k.size(), "keys", false);
        require_apart(call.output, out_bytes, iv.data(), iv.size(), "nonces", false);
    }
    if (!stream) {
        require(tag_size > 0 && (row.tag_bytes == 0 || tag_size == row.tag_bytes), "tags have the wrong size");
        if (opening) {
            tags_in.emplace(tags, "tags");
            require(tags_in->size() / tag_size == n && tags_in->size() % tag_size == 0, "tags have the wrong size");
            call.tags = const_cast<uint8_t *>(tags_in->data()); // read only when opening
            require_apart(call.output, out_bytes, tags_in->data(), tags_in->size(), "tags", false);
        } else {
            tags_out.emplace(tags, "tags");
            require(tags_out->size() / tag_size == n && tags_out->size() % tag_size == 0, "tags have the wrong size");
            call.tags = tags_out->data();
        }
        call.tag_bytes = tag_size;
    }

    int64_t failed;
    {
        MaybeNoGil released(SIZE_MAX);
        failed = Split(call, row, cipher, threads).run();
    }
    if (failed < 0) check(static_cast<int>(failed));
    return failed;
}

} // namespace

void bind_fleet(nb::module_ &module) {
    module.def("fleet", &fleet, nb::arg("algorithm"), nb::arg("operation"), nb::arg("cipher"), nb::arg("offsets"), nb::arg("data"), nb::arg("out").none(),
               nb::arg("ad_offsets").none(), nb::arg("ad").none(), nb::arg("keys").none(), nb::arg("one_key"), nb::arg("nonces").none(), nb::arg("nonce_size"), nb::arg("tags").none(),
               nb::arg("tag_size"), nb::arg("status"), nb::arg("limit"), nb::arg("threads"),
               nb::sig("def fleet(algorithm: str, operation: str, cipher: str, offsets: hanji._typing.BytesLike, data: hanji._typing.BytesLike, "
                       "out: hanji._typing.BytesLike | None, ad_offsets: hanji._typing.BytesLike | None, ad: hanji._typing.BytesLike | None, "
                       "keys: hanji._typing.BytesLike | None, one_key: bool, nonces: hanji._typing.BytesLike | None, nonce_size: int, "
                       "tags: hanji._typing.BytesLike | None, tag_size: int, status: hanji._typing.BytesLike, limit: int, threads: int) -> int"),
               "One fleet call; see hanji.fleet.");
}

} // namespace hanji
