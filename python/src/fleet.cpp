// SPDX-License-Identifier: Apache-2.0
// Many messages per call. The work is split over threads that end with the call, so that no thread
// exists when a process forks between calls.
#include "fleet.hpp"
#include "arrays.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace hanji
{
namespace
{

// Which function of the library serves an algorithm and an operation; the second kind works over a
// block cipher, the third under a customization string.
struct Operation {
    std::string_view algorithm, operation;
    int64_t (*run)(const hanji_fleet *);
    int64_t (*run_over)(const hanji_fleet *, const hanji_cipher *);
    size_t key_bytes, nonce_bytes, tag_bytes; // 0: by the cipher or the caller
    int64_t (*run_customized)(const hanji_fleet *, const uint8_t *, size_t) = nullptr;
};

const Operation operations[] = {
    {"ascon-aead128", "encrypt", hanji_ascon_aead128_fleet_encrypt, nullptr, 16, 16, 16},
    {"ascon-aead128", "decrypt", hanji_ascon_aead128_fleet_decrypt, nullptr, 16, 16, 16},
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
    {"cmac", "cmac", nullptr, hanji_cmac_fleet, 0, 0, 0},
    {"cmac", "cmac_verify", nullptr, hanji_cmac_fleet_verify, 0, 0, 0},
    {"ascon-hash256", "hash", hanji_ascon_hash256_fleet, nullptr, 0, 0,
     HANJI_ASCON_HASH256_DIGEST_BYTES},
    {"ascon-xof128", "hash", hanji_ascon_xof128_fleet, nullptr, 0, 0, 0},
    {"ascon-cxof128", "hash", nullptr, nullptr, 0, 0, 0, hanji_ascon_cxof128_fleet},
    {"esch256", "hash", hanji_esch256_fleet, nullptr, 0, 0, HANJI_ESCH256_DIGEST_BYTES},
    {"esch384", "hash", hanji_esch384_fleet, nullptr, 0, 0, HANJI_ESCH384_DIGEST_BYTES},
    {"xoesch256", "hash", hanji_xoesch256_fleet, nullptr, 0, 0, 0},
    {"xoesch384", "hash", hanji_xoesch384_fleet, nullptr, 0, 0, 0},
};

const Operation &find(std::string_view algorithm, std::string_view operation)
{
    for (const Operation &row : operations)
        if (row.algorithm == algorithm && row.operation == operation)
            return row;
    raise(PyExc_ValueError, "no fleet operation of this name");
}

// Splits a call into ranges of about equal work and runs them on up to `threads` threads, the
// caller's among them.
class Split
{
  public:
    // Less than this per thread is not worth starting one (some 20 microseconds).
    static constexpr uint64_t bytes_per_thread = 128 << 10;
    Split(const hanji_fleet &fleet, size_t row, const Operation &operation,
          const hanji_cipher *cipher, const Input &customization, size_t threads)
        : fleet_(fleet), row_(row), operation_(operation), cipher_(cipher),
          customization_(customization)
    {
        const size_t n = fleet.messages;
        const uint64_t total = fleet_work(fleet, n, row);
        threads_ = static_cast<size_t>(std::min<uint64_t>({threads, n, total / bytes_per_thread}));
        const size_t parts = threads_ > 1 ? std::min(n, threads_ * parts_per_thread) : 1;
        for (size_t part = 0; part < parts;
             part += std::max<size_t>(1, (parts - part) / (2 * std::max<size_t>(1, threads_)))) {
            const size_t bound = fleet_boundary(fleet, part, parts, row);
            bounds_.push_back(n < parts * group ? bound : bound / group * group);
        }
        bounds_.push_back(n);
    }

    // Failed messages, or the first negative code.
    int64_t run()
    {
        std::vector<std::thread> helpers;
        try {
            for (size_t i = 1; i < threads_; i++)
                helpers.emplace_back([this] { take_ranges(); });
        } catch (
            const std::system_error &) { // no more threads to be had: those that run do the work
        }
        take_ranges();
        for (std::thread &helper : helpers)
            helper.join();
        return refused_ < 0 ? refused_.load() : failed_.load();
    }

  private:
    // Ranges are taken in turn: first half of a thread's share, then ever less, down to one part,
    // so that at the end no thread waits long for another.
    static constexpr size_t parts_per_thread = 64;
    // Where there are many messages, ranges end with a whole group of them
    // (HANJI_GROUP_MESSAGES_MAX of the library).
    static constexpr size_t group = 128;
    // Offsets that are made here stay in the first cache; each thread makes them once.
    static constexpr size_t rows_per_call = 32 * group;
    int64_t run_part(const hanji_fleet &part) const
    {
        if (operation_.run_customized)
            return operation_.run_customized(&part, customization_.data(), customization_.size());
        return operation_.run ? operation_.run(&part) : operation_.run_over(&part, cipher_);
    }
    void take_ranges()
    {
        std::vector<int64_t> offsets;
        for (size_t range; (range = next_++) + 1 < bounds_.size();) {
            size_t first = bounds_[range];
            const size_t end = bounds_[range + 1];
            if (first == end && fleet_.messages > 0)
                continue;
            do {
                const size_t last = fleet_.offsets ? end : std::min(end, first + rows_per_call);
                const hanji_fleet part = fleet_part(fleet_, first, last, row_, &offsets);
                const int64_t result = run_part(part);
                if (result < 0)
                    refused_ = result;
                else
                    failed_ += result;
                first = last;
            } while (first < end);
        }
    }

    const hanji_fleet &fleet_;
    const size_t row_;
    const Operation &operation_;
    const hanji_cipher *cipher_;
    const Input &customization_;
    size_t threads_;
    std::vector<size_t> bounds_;
    std::atomic<size_t> next_{0};
    std::atomic<int64_t> failed_{0}, refused_{0};
};

// The library's function for a call, and what its arguments are checked by.
struct Resolved {
    Resolved(const char *algorithm, const char *operation, const char *cipher_name)
        : row(find(algorithm, operation)),
          cipher(row.run_over ? hanji_cipher_find(cipher_name) : nullptr),
          shape{
              row.operation == "hash", row.operation == "decrypt" || row.operation == "cmac_verify",
              row.operation == "ctr",  row.key_bytes,
              row.nonce_bytes,         row.tag_bytes,
              row.algorithm == "cmac"}
    {
        if (row.run_over && !cipher)
            raise(PyExc_ValueError, "no block cipher of this library has this name");
    }

    // Failed messages, or the first negative code. Where there is enough work, other Python threads
    // run meanwhile.
    int64_t run(const FleetArguments &arguments, size_t threads) const
    {
        const hanji_fleet &call = arguments.call;
        MaybeNoGil released(fleet_work(call, call.messages, arguments.row));
        return Split(arguments.call, arguments.row, row, cipher, arguments.customization(), threads)
            .run();
    }

    const Operation &row;
    const hanji_cipher *cipher;
    const FleetShape shape;
};

int64_t fleet(const char *algorithm, const char *operation, const char *cipher_name,
              nb::handle offsets, nb::handle data, nb::handle out, nb::handle ad_offsets,
              nb::handle ad, nb::handle keys, bool one_key, nb::handle nonces, size_t nonce_size,
              nb::handle tags, size_t tag_size, nb::handle status, uint64_t limit, size_t threads,
              nb::handle customization)
{
    const Resolved resolved(algorithm, operation, cipher_name);
    const FleetObjects given{offsets, data,   out,     ad_offsets, ad,       keys,  nonces,
                             tags,    status, one_key, nonce_size, tag_size, limit, customization};
    const FleetArguments arguments(given, resolved.shape, resolved.cipher);
    require(!PyLong_Check(ad_offsets.ptr()), "offsets of associated data are missing");
    require(resolved.row.run_customized || arguments.customization().size() == 0,
            "this algorithm takes no customization string");

    const int64_t failed = resolved.run(arguments, threads);
    if (failed < 0)
        check(static_cast<int>(failed));
    return failed;
}

// The shape of an array of `type` itself (not of a subclass, such as a masked array) that is
// C-contiguous and has items of type uint8. Not valid for every other object.
class PlainArray
{
  public:
    PlainArray(nb::handle object, nb::handle type)
    {
        Py_buffer view;
        if (reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())) != type.ptr())
            return;
        if (guarded([&] {
                return PyObject_GetBuffer(object.ptr(), &view, PyBUF_ND | PyBUF_FORMAT);
            }) != 0) {
            PyErr_Clear(); // not C-contiguous
            return;
        }
        if (view.itemsize == 1 && view.format && std::strcmp(view.format, "B") == 0 &&
            (view.ndim == 1 || view.ndim == 2)) {
            rows_ = static_cast<size_t>(view.ndim == 2 ? view.shape[0] : 1);
            columns_ = static_cast<size_t>(view.shape[view.ndim - 1]);
            dimensions_ = view.ndim;
        }
        release_buffer(view);
    }
    size_t rows() const
    {
        return rows_;
    }
    size_t columns() const
    {
        return columns_;
    }
    bool is_row(size_t columns) const
    {
        return dimensions_ == 1 && columns_ == columns;
    }
    bool is(size_t rows, size_t columns) const
    {
        return is_table() && rows_ == rows && columns_ == columns;
    }
    bool is_table() const
    {
        return dimensions_ == 2;
    }

  private:
    int dimensions_ = 0;
    size_t rows_ = 0, columns_ = 0;
};

nb::object new_bytearray(size_t size)
{
    PyObject *made = PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (!made)
        throw nb::python_error();
    return nb::steal(made);
}

// A fleet call with little work, whose arguments are plain arrays of the right shapes and far below
// the data limit. Returns the output, the tags and the status, as far as the caller needs them, or
// None for every other call: hanji/fleet.py then says what is wrong, or does it in general.
nb::object small_fleet(nb::tuple numpy, const char *algorithm, const char *operation,
                       const char *cipher_name, size_t nonce_size, size_t tag_size, uint64_t limit,
                       nb::handle keys, nb::handle nonces, nb::handle data, nb::handle tags)
{
    constexpr size_t most_messages = 1024, most_bytes = 2048; // of one message, or one tag
    const Resolved resolved(algorithm, operation, cipher_name);
    const FleetShape &shape = resolved.shape;
    const NumPy found(numpy);
    const nb::handle empty = found.empty, array = found.array;
    const PlainArray messages(data, array);
    const size_t n = messages.rows(), bytes = messages.columns();
    if (!messages.is_table() || n == 0 || n > most_messages || bytes > most_bytes ||
        tag_size > most_bytes || n * (bytes + 96) >= 2 * Split::bytes_per_thread)
        return nb::none();

    bool one_key = false;
    if (!shape.hashing) {
        const PlainArray given(keys, array);
        const size_t key_bytes =
            resolved.cipher ? hanji_cipher_key_bytes(resolved.cipher) : shape.key_bytes;
        one_key = given.is_row(key_bytes);
        if (!one_key && !given.is(n, key_bytes))
            return nb::none();
    }
    if (!shape.hashing && !shape.mac) {
        const PlainArray given(nonces, array);
        const size_t given_bytes = given.columns();
        if (!given.is(n, given_bytes) || given_bytes == 0 || given_bytes > most_bytes ||
            (nonce_size != 0 && given_bytes != nonce_size))
            return nb::none();
        nonce_size = given_bytes;
    }
    if (shape.opening && !PlainArray(tags, array).is(n, tag_size))
        return nb::none();
    if (resolved.cipher) {
        // No mode encrypts more blocks than this for all messages together.
        const size_t block = hanji_cipher_block_bytes(resolved.cipher);
        if (n * (2 * (bytes / block + 1) + nonce_size / block + 1 + 4) + 1 > limit)
            return nb::none();
    }

    const nb::handle none(Py_None);
    const bool has_output = !shape.hashing && !shape.mac, has_tags = !shape.stream;
    const nb::object out = has_output ? new_array(empty, found.uint8, n, bytes) : nb::none(),
                     new_tags = has_tags && !shape.opening
                                    ? new_array(empty, found.uint8, n, tag_size)
                                    : nb::none(),
                     status = shape.opening ? new_array(empty, found.int8, n) : new_bytearray(n),
                     row_bytes = nb::int_(bytes), no_customization = nb::bytes("", 0);
    const FleetObjects given{row_bytes,
                             data,
                             out,
                             none,
                             none,
                             shape.hashing ? none : keys,
                             has_output ? nonces : none,
                             shape.opening ? tags : nb::handle(new_tags),
                             status,
                             one_key,
                             nonce_size,
                             tag_size,
                             0,
                             no_customization};
    const FleetArguments arguments(given, shape, resolved.cipher);
    std::memset(arguments.call.status, 0, n);
    const int64_t failed = resolved.run(arguments, 1);
    if (failed < 0 || (failed != 0 && !shape.opening))
        return nb::none();
    return nb::make_tuple(out, new_tags, status);
}

} // namespace

void bind_fleet(nb::module_ &module)
{
    module.def(
        "fleet", &fleet, nb::arg("algorithm"), nb::arg("operation"), nb::arg("cipher"),
        nb::arg("offsets").none(), nb::arg("data").none(), nb::arg("out").none(),
        nb::arg("ad_offsets").none(), nb::arg("ad").none(), nb::arg("keys").none(),
        nb::arg("one_key"), nb::arg("nonces").none(), nb::arg("nonce_size"), nb::arg("tags").none(),
        nb::arg("tag_size"), nb::arg("status").none(), nb::arg("limit"), nb::arg("threads"),
        nb::arg("customization").none() = nb::bytes("", 0),
        nb::sig("def fleet(algorithm: str, operation: str, cipher: str, offsets: "
                "hanji._typing.BytesLike | int, data: hanji._typing.BytesLike, out: "
                "hanji._typing.BytesLike | None, ad_offsets: hanji._typing.BytesLike | None, "
                "ad: hanji._typing.BytesLike | None, keys: hanji._typing.BytesLike | None, "
                "one_key: bool, nonces: hanji._typing.BytesLike | None, nonce_size: int, "
                "tags: hanji._typing.BytesLike | None, tag_size: int, status: "
                "hanji._typing.BytesLike, limit: int, threads: int, customization: "
                "hanji._typing.BytesLike = b'') -> int"),
        "One fleet call; see hanji.fleet. `offsets` may be the bytes of every message instead.");
    module.def(
        "small_fleet", &small_fleet, nb::arg("numpy"), nb::arg("algorithm"), nb::arg("operation"),
        nb::arg("cipher"), nb::arg("nonce_size"), nb::arg("tag_size"), nb::arg("limit"),
        nb::arg("keys").none(), nb::arg("nonces").none(), nb::arg("data").none(),
        nb::arg("tags").none(),
        nb::sig("def small_fleet(numpy: tuple[typing.Any, ...], algorithm: str, operation: str, "
                "cipher: str, nonce_size: int, tag_size: int, limit: int, keys: object, "
                "nonces: object, data: object, tags: object) -> "
                "tuple[typing.Any, typing.Any, typing.Any] | None"),
        "A fleet call of few short messages in plain arrays, with its results in new arrays; None "
        "where a call is of another kind. See hanji.fleet.");
}

} // namespace hanji
