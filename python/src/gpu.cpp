// SPDX-License-Identifier: Apache-2.0
// The extension module hanji._gpu: libhanji-gpu for hanji/gpu.py and hanji/_accelerate.py, which
// check what users give.
//
// Threads: a device has a lock, held during calls of the C library and never while the GIL is
// awaited. Fork: a child cannot use the parent's devices; it is told so.
#include "fleet.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "dlpack.hpp"
#include "gpu/gpu.h"
#include "hanji/gpu.h"

namespace hanji
{
namespace
{

// Exception types of this module, derived from HanjiError.
PyObject *device_error_type;
PyObject *unsupported_type;

[[noreturn]] void raise_gpu(int code, const std::string &reason)
{
    switch (code) {
    case HANJI_E_DEVICE: raise(device_error_type, "%s", reason.c_str());
    case HANJI_E_UNSUPPORTED: raise(unsupported_type, "%s", reason.c_str());
    case HANJI_E_LIMIT: raise(limit_error_type, "%s", reason.c_str());
    case HANJI_E_ARGUMENT: raise(PyExc_ValueError, "%s", reason.c_str());
    default: raise_code(code);
    }
}

int count()
{
    hanji_gpu gpu{};
    int code;
    {
        MaybeNoGil released(SIZE_MAX);
        code = hanji_gpu_count(&gpu);
    }
    if (code < 0)
        raise_gpu(code, hanji_gpu_reason(&gpu));
    return code;
}

nb::dict describe(int device)
{
    hanji_gpu gpu{};
    hanji_gpu_about about;
    int code;
    {
        MaybeNoGil released(SIZE_MAX);
        code = hanji_gpu_describe(&about, device, &gpu);
    }
    if (code != HANJI_OK)
        raise_gpu(code, hanji_gpu_reason(&gpu));
    nb::dict row;
    row["name"] = about.name;
    row["memory"] = about.memory;
    row["capability"] = about.capability;
    row["multiprocessors"] = about.multiprocessors;
    return row;
}

bool has(const char *cipher, bool fleet)
{
    return hanji_gpu_has(hanji_cipher_find(cipher), fleet) == 1;
}

nb::dict images()
{
    nb::dict all;
    for (const hanji_gpu_image *image = hanji_gpu_images; image->name; image++)
        all[image->name] = image->text;
    return all;
}

nb::list cubins()
{
    nb::list all;
    for (const hanji_gpu_cubin *one = hanji_gpu_cubins; one->name; one++)
        all.append(nb::make_tuple(one->name, one->capability));
    return all;
}

void *stream_of(uint64_t handle)
{
    return reinterpret_cast<void *>(handle);
}

// An AEAD whose fleets devices seal and open; keys and tags have 16 bytes.
struct FleetAead {
    const char *name;
    size_t nonce_size;
    int number; // in the library
    int (*device)(const hanji_gpu_sponge *, int open, hanji_gpu *, void *stream);
};

constexpr FleetAead fleet_aeads[] = {
    {"ascon-aead128", 16, HANJI_GPU_ASCON_AEAD128, hanji_gpu_fleet_ascon_aead128},
    {"schwaemm256-128", 32, HANJI_GPU_SCHWAEMM256_128, hanji_gpu_fleet_schwaemm256_128},
};

// Threads that copy for one call on host memory; they begin when there is enough to copy, and end
// with the call, so that no thread exists when a process forks between calls.
class Helpers
{
  public:
    explicit Helpers(size_t threads) : most_(threads > 1 ? threads - 1 : 0)
    {
    }
    Helpers(const Helpers &) = delete;
    Helpers &operator=(const Helpers &) = delete;
    ~Helpers()
    {
        over_ = true;
        next_turn();
        for (std::thread &thread : threads_)
            thread.join();
    }

    // As hanji_gpu_helpers.
    static void run(void *self, size_t parts, void (*part)(void *, size_t), void *work)
    {
        static_cast<Helpers *>(self)->all(parts, part, work);
    }

  private:
    // Less than this, some 256 KiB, is not worth starting a thread.
    static constexpr size_t parts_per_thread = 4;
    // Chunks follow each other closely: a helper looks so often for the next before it sleeps.
    static constexpr size_t looks = 1000;

    void all(size_t parts, void (*part)(void *, size_t), void *work)
    {
        part_ = part;
        work_ = work;
        parts_ = parts;
        next_ = 0;
        open_ = true;
        next_turn();
        start(parts / parts_per_thread);
        take();
        // Who comes from now on has nothing to do; who came before is waited for.
        open_ = false;
        while (working_ > 0)
            std::this_thread::yield();
    }

    // New helpers begin with the present turn, while others are started.
    void start(size_t wanted)
    {
        try {
            while (threads_.size() < std::min(wanted, most_))
                threads_.emplace_back([this, before = turn_ - 1] { help(before); });
        } catch (const std::exception &) { // no more threads to be had
            most_ = threads_.size();
        }
    }

    void next_turn()
    {
        turn_++;
        if (asleep_ > 0) {
            std::lock_guard<std::mutex> held(lock_); // nobody is between its look and its sleep
            begun_.notify_all();
        }
    }

    void take()
    {
        for (size_t i; (i = next_++) < parts_;)
            part_(work_, i);
    }

    void help(uint64_t seen)
    {
        while (!over_) {
            for (size_t i = 0; turn_ == seen && i < looks; i++)
                std::this_thread::yield();
            if (turn_ == seen) {
                std::unique_lock<std::mutex> held(lock_);
                asleep_++;
                begun_.wait(held, [&] { return turn_ != seen; });
                asleep_--;
            }
            seen = turn_;
            working_++; // before the look at what is open
            if (open_)
                take();
            working_--;
        }
    }

    size_t most_;
    std::vector<std::thread> threads_;
    std::mutex lock_;
    std::condition_variable begun_;
    std::atomic<uint64_t> turn_{0};
    std::atomic<bool> over_{false}, open_{false};
    void (*part_)(void *, size_t) = nullptr;
    void *work_ = nullptr;
    size_t parts_ = 0;
    std::atomic<size_t> next_{0}, working_{0}, asleep_{0};
};

// Run a call on host memory with up to so many threads; the device is locked.
template <class Call> int64_t with_helpers(hanji_gpu *gpu, size_t threads, Call call)
{
    Helpers helpers(threads);
    (void)!hanji_gpu_set_helpers(gpu, &Helpers::run, &helpers);
    const int64_t result = call();
    (void)!hanji_gpu_set_helpers(gpu, nullptr, nullptr);
    return result;
}

const FleetAead &fleet_aead_of(const char *name)
{
    for (const FleetAead &aead : fleet_aeads)
        if (std::string_view(name) == aead.name)
            return aead;
    raise(unsupported_type, "there are no GPU kernels for %s", name);
}

nb::list fleet_aead_names()
{
    nb::list names;
    for (const FleetAead &aead : fleet_aeads)
        names.append(aead.name);
    return names;
}

// A device that is open.
class Device
{
  public:
    explicit Device(int number) : index(number), process_(getpid())
    {
        int code;
        std::string reason;
        {
            MaybeNoGil released(SIZE_MAX);
            code = hanji_gpu_open(&gpu, number);
            if (code != HANJI_OK) {
                reason = hanji_gpu_reason(&gpu);
                hanji_gpu_close(&gpu);
            }
        }
        if (code != HANJI_OK)
            raise_gpu(code, reason);
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    ~Device()
    {
        if (process_ == getpid())
            hanji_gpu_close(&gpu);
    }

    bool ours() const
    {
        return process_ == getpid();
    }

    // Run `body`, alone on this device and without the GIL; raises what it answers below 0.
    template <class Body> int64_t run(Body body)
    {
        if (!ours())
            raise(
                device_error_type,
                "this process was forked after cuda:%d was opened, and cannot use it; start processes with the method spawn",
                index);
        int64_t code;
        std::string reason;
        {
            MaybeNoGil released(SIZE_MAX);
            std::lock_guard<std::mutex> held(lock);
            code = body(&gpu);
            if (code < 0)
                reason = hanji_gpu_reason(&gpu);
        }
        if (code < 0)
            raise_gpu(static_cast<int>(code), reason);
        return code;
    }

    void upload(uint64_t out, nb::handle data, uint64_t stream)
    {
        const Input in(data, "data");
        run([&](hanji_gpu *g) {
            return hanji_gpu_upload(out, in.data(), in.size(), g, stream_of(stream));
        });
    }
    nb::bytes download(uint64_t in, size_t size, uint64_t stream)
    {
        NewBytes out(size);
        run([&](hanji_gpu *g) {
            return hanji_gpu_download(out.data(), in, size, g, stream_of(stream));
        });
        return out.take();
    }
    void download_into(nb::handle buf, uint64_t in, uint64_t stream)
    {
        const Output out(buf, "buf");
        run([&](hanji_gpu *g) {
            return hanji_gpu_download(out.data(), in, out.size(), g, stream_of(stream));
        });
    }
    void copy(uint64_t out, uint64_t in, size_t size, uint64_t stream)
    {
        run([&](hanji_gpu *g) { return hanji_gpu_copy(out, in, size, g, stream_of(stream)); });
    }
    void zero(uint64_t out, size_t size, uint64_t stream)
    {
        run([&](hanji_gpu *g) { return hanji_gpu_zero(out, size, g, stream_of(stream)); });
    }
    void wait(uint64_t stream)
    {
        run([&](hanji_gpu *g) { return hanji_gpu_wait(g, stream_of(stream)); });
    }
    void follow(uint64_t stream, uint64_t other)
    {
        run([&](hanji_gpu *g) { return hanji_gpu_follow(g, stream_of(stream), stream_of(other)); });
    }
    void record_stream(uint64_t stream)
    {
        run([&](hanji_gpu *g) { return hanji_gpu_record_stream(g, stream_of(stream)); });
    }
    uint64_t own_stream() const
    {
        return reinterpret_cast<uint64_t>(hanji_gpu_own_stream(&gpu));
    }
    int64_t device_of(uint64_t pointer)
    {
        return run([&](hanji_gpu *g) { return hanji_gpu_device_of(pointer, g); });
    }
    void check_stream(uint64_t stream)
    {
        run([&](hanji_gpu *g) { return hanji_gpu_check_stream(g, stream_of(stream)); });
    }
    void fleet_ctr(const char *name, uint64_t out, uint64_t in, uint64_t keys, uint64_t counters,
                   uint64_t offsets, size_t length, size_t messages, uint64_t stream)
    {
        const hanji_cipher *cipher = hanji_cipher_find(name);
        run([&](hanji_gpu *g) {
            return hanji_gpu_fleet_ctr(out, in, keys, counters, offsets, length, messages, cipher,
                                       g, stream_of(stream));
        });
    }
    void fleet_aead(const char *algorithm, bool open, uint64_t out, uint64_t in, uint64_t keys,
                    uint64_t nonces, uint64_t tags, uint64_t offsets, uint64_t ad,
                    uint64_t ad_offsets, uint64_t status, size_t messages, size_t length,
                    size_t ad_length, uint64_t stream)
    {
        const FleetAead &aead = fleet_aead_of(algorithm);
        const hanji_gpu_sponge arrays{out, in,         keys,   nonces,   tags,   offsets,
                                      ad,  ad_offsets, status, messages, length, ad_length};
        run([&](hanji_gpu *g) { return aead.device(&arrays, open, g, stream_of(stream)); });
    }

    hanji_gpu gpu{};
    std::mutex lock;
    const int index;

  private:
    const pid_t process_;
};

// Device memory; wiped and freed with this object.
class Memory
{
  public:
    Memory(nb::object device, size_t bytes)
        : owner_(std::move(device)), device_(nb::cast<Device *>(owner_)), size(bytes)
    {
        device_->run([&](hanji_gpu *g) { return hanji_gpu_alloc(&pointer, size, g); });
    }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory()
    {
        if (!pointer || !device_->ours())
            return;
        std::lock_guard<std::mutex> held(device_->lock);
        hanji_gpu_free(pointer, size, &device_->gpu);
    }

  private:
    nb::object owner_;
    Device *device_;

  public:
    const size_t size;
    uint64_t pointer = 0;
};

// Page-locked host memory with the buffer protocol; wiped and freed with this object.
class Pinned
{
  public:
    Pinned(nb::object device, size_t bytes)
        : size(bytes), owner_(std::move(device)), device_(nb::cast<Device *>(owner_))
    {
        device_->run([&](hanji_gpu *g) { return hanji_gpu_host_alloc(&data, size, g); });
    }
    Pinned(const Pinned &) = delete;
    Pinned &operator=(const Pinned &) = delete;
    ~Pinned()
    {
        if (!data || !device_->ours())
            return;
        std::lock_guard<std::mutex> held(device_->lock);
        hanji_gpu_host_free(data, size, &device_->gpu);
    }

    static int buffer(PyObject *self, Py_buffer *view, int flags) noexcept
    {
        static uint8_t empty;
        const Pinned *pinned = nb::inst_ptr<Pinned>(self);
        return PyBuffer_FillInfo(view, self, pinned->data ? pinned->data : &empty,
                                 static_cast<Py_ssize_t>(pinned->size), 0, flags);
    }

    const size_t size;
    uint8_t *data = nullptr;

  private:
    nb::object owner_;
    Device *device_;
};

PyType_Slot pinned_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(&Pinned::buffer)},
                              {0, nullptr}};

// Run `work(i)` for every i below n, each in a thread, the last in the caller's.
template <class Work> void in_threads(size_t n, Work work)
{
    std::vector<std::thread> helpers;
    size_t started = 0;
    try {
        for (; started + 1 < n; started++)
            helpers.emplace_back(work, started);
    } catch (const std::system_error &) { // no more threads to be had: the caller does the rest
    }
    for (size_t i = started; i < n; i++)
        work(i);
    for (std::thread &helper : helpers)
        helper.join();
}

// The first failure of several threads.
class Failure
{
  public:
    void set(int64_t code, const hanji_gpu *gpu)
    {
        std::lock_guard<std::mutex> held(lock_);
        if (code_ == 0) {
            code_ = code;
            reason_ = hanji_gpu_reason(gpu);
        }
    }
    bool any() const
    {
        return code_ != 0;
    }
    void check() const
    {
        if (code_ != 0)
            raise_gpu(static_cast<int>(code_), reason_);
    }

  private:
    std::mutex lock_;
    int64_t code_ = 0;
    std::string reason_;
};

// Of devices that the caller holds: other threads may change the list that they came in.
std::vector<Device *> pointers(const nb::tuple &devices)
{
    std::vector<Device *> all;
    for (nb::handle device : devices)
        all.push_back(nb::cast<Device *>(device));
    if (all.empty())
        raise(PyExc_ValueError, "no device was given");
    for (Device *device : all)
        device->run([](hanji_gpu *) { return HANJI_OK; }); // of this process
    return all;
}

// A CTR stream over one or several devices; Python serialises its calls. The stream is dead after a
// failure: parts of it may have been used.
class CTR
{
  public:
    CTR(nb::sequence devices, const char *name, nb::handle key, nb::handle iv, uint64_t limit,
        size_t threads)
        : owners_(devices), devices_(pointers(owners_)), cipher_(hanji_cipher_find(name)),
          limit_(limit), threads_(threads)
    {
        if (!cipher_)
            raise(PyExc_ValueError, "no block cipher of this library has this name");
        const Input secret(key, "key"), first(iv, "iv");
        require_size("key", secret.size(), name, hanji_cipher_key_bytes(cipher_));
        require_size("iv", first.size(), name, block_bytes());
        std::copy_n(first.data(), first.size(), counter_);
        check(hanji_block_init(secret.data(), secret.size(), cipher_, &cpu_.head, sizeof cpu_));
        (void)!hanji_block_set_limit(UINT64_MAX, &cpu_.head); // this object counts
        keys_.resize(devices_.size());
        try {
            for (size_t i = 0; i < devices_.size(); i++)
                devices_[i]->run([&](hanji_gpu *g) {
                    const int rc =
                        hanji_gpu_key_open(&keys_[i], secret.data(), secret.size(), cipher_, g);
                    return rc == HANJI_OK ? hanji_gpu_key_set_limit(UINT64_MAX, &keys_[i]) : rc;
                });
        } catch (...) {
            close();
            throw;
        }
    }
    CTR(const CTR &) = delete;
    CTR &operator=(const CTR &) = delete;
    ~CTR()
    {
        close();
    }

    size_t block_bytes() const
    {
        return hanji_cipher_block_bytes(cipher_);
    }
    uint64_t remaining() const
    {
        return limit_ - spent_;
    }
    nb::bytes counter() const
    {
        return nb::bytes(reinterpret_cast<const char *>(counter_), block_bytes());
    }
    size_t used() const
    {
        return used_;
    }
    void kill()
    {
        dead_ = true;
    }

    // Host memory.
    nb::bytes update(nb::handle data)
    {
        const Input in(data, "data");
        NewBytes out(in.size());
        host(out.data(), in.data(), in.size());
        return out.take();
    }
    void update_into(nb::handle data, nb::handle buf)
    {
        const Input in(data, "data");
        const Output to(buf, "buf");
        if (to.size() < in.size())
            raise(PyExc_ValueError, "buf has %zu bytes; %zu are needed, as many as data has",
                  to.size(), in.size());
        require_apart(to.data(), in.size(), in.data(), in.size(), "data", true);
        host(to.data(), in.data(), in.size());
    }

    // Device memory of the device number `which` of this object.
    void device(size_t which, uint64_t out, uint64_t in, size_t size, uint64_t stream)
    {
        require(which < devices_.size(), "no such device");
        devices_[which]->run(
            [&](hanji_gpu *g) { return hanji_gpu_check_stream(g, stream_of(stream)); });
        begin(size);
        Failure failure;
        {
            MaybeNoGil released(SIZE_MAX);
            std::lock_guard<std::mutex> held(devices_[which]->lock);
            hanji_gpu *g = &devices_[which]->gpu;
            uint8_t position[16];
            std::copy_n(counter_, 16, position);
            const int rc =
                used_ == 0 && (out | in) % 16 == 0
                    ? hanji_gpu_ctr(out, in, size, position, &keys_[which], stream_of(stream))
                    : staged(g, &keys_[which], out, in, size, position, stream_of(stream));
            if (rc != HANJI_OK)
                failure.set(rc, g);
        }
        end(size, failure);
    }

    // What the processor makes of `data`, `skip` bytes after the place that counter and used say.
    nb::bytes expected(nb::handle counter, size_t used, uint64_t skip, nb::handle data) const
    {
        const Input first(counter, "counter"), in(data, "data");
        require_size("counter", first.size(), hanji_cipher_name(cipher_), block_bytes());
        NewBytes out(in.size());
        uint8_t position[16] = {0};
        std::copy_n(first.data(), first.size(), position);
        {
            MaybeNoGil released(in.size());
            advance(position, (used + skip) / block_bytes());
            on_processor(out.data(), in.data(), in.size(), position,
                         static_cast<size_t>((used + skip) % block_bytes()));
        }
        return out.take();
    }

  private:
    static constexpr size_t stage_bytes = 64 << 20;

    void close()
    {
        for (size_t i = 0; i < keys_.size(); i++)
            if (devices_[i]->ours()) {
                std::lock_guard<std::mutex> held(devices_[i]->lock);
                hanji_gpu_key_close(&keys_[i]);
            }
        hanji_wipe(&cpu_, sizeof cpu_);
    }

    // Blocks that `size` bytes more begin.
    uint64_t new_blocks(uint64_t size) const
    {
        return (used_ + size + block_bytes() - 1) / block_bytes() - (used_ > 0);
    }

    void host(uint8_t *out, const uint8_t *in, size_t size)
    {
        begin(size);
        const size_t head = used_ == 0 ? 0 : std::min(size, block_bytes() - used_),
                     rest = size - head;
        Failure failure;
        {
            MaybeNoGil released(SIZE_MAX);
            if (head > 0)
                on_processor(out, in, head, counter_, used_);
            uint8_t start[16];
            std::copy_n(counter_, 16, start);
            if (used_ > 0)
                advance(start, 1);
            if (rest > 0)
                split(out + head, in + head, rest, start, failure);
            if (failure.any())
                hanji_wipe(out, size);
        }
        end(size, failure);
    }

    // Refuse before anything is written or launched.
    void begin(size_t size) const
    {
        if (dead_)
            raise(
                device_error_type,
                "a call of this stream failed, and some of its counters may have been used; make a new stream with a new iv");
        if (size > 0 && new_blocks(size) > remaining())
            raise(
                limit_error_type,
                "this call needs more blocks than %s has left under this key (%llu of %llu): change the key; limit= (blocks) raises the limit "
                "if you accept the weaker bound",
                hanji_cipher_name(cipher_), static_cast<unsigned long long>(remaining()),
                static_cast<unsigned long long>(limit_));
    }

    void end(size_t size, const Failure &failure)
    {
        if (failure.any()) {
            dead_ = true;
            failure.check();
        }
        if (size == 0)
            return;
        spent_ += new_blocks(size);
        advance(counter_, (used_ + size) / block_bytes());
        used_ = (used_ + size) % block_bytes();
    }

    // counter + blocks, the whole block being one big-endian number.
    void advance(uint8_t *counter, uint64_t blocks) const
    {
        for (size_t i = block_bytes(); i-- > 0 && blocks > 0; blocks >>= 8) {
            const uint64_t sum = counter[i] + (blocks & 0xff);
            counter[i] = static_cast<uint8_t>(sum);
            blocks += sum >> 8 << 8;
        }
    }

    void on_processor(uint8_t *out, const uint8_t *in, size_t size, const uint8_t *counter,
                      size_t skip) const
    {
        hanji_any_block_ctx key = cpu_; // its count of blocks is not ours
        hanji_ctr_ctx stream;
        uint8_t skipped[16] = {0};
        (void)!hanji_ctr_init(counter, block_bytes(), &key.head, &stream);
        (void)!hanji_ctr_update(skipped, skipped, skip, &stream);
        (void)!hanji_ctr_update(out, in, size, &stream);
        hanji_ctr_wipe(&stream);
        hanji_wipe(&key, sizeof key);
        hanji_wipe(skipped, sizeof skipped);
    }

    // Each device does a range of counters.
    void split(uint8_t *out, const uint8_t *in, size_t size, const uint8_t *start, Failure &failure)
    {
        const size_t n = devices_.size(), each = (size / n + 15) / 16 * 16;
        in_threads(n, [&](size_t i) {
            const size_t first = std::min(size, i * each),
                         last = i + 1 == n ? size : std::min(size, first + each);
            if (first == last)
                return;
            uint8_t counter[16];
            std::copy_n(start, 16, counter);
            advance(counter, first / block_bytes());
            Device &device = *devices_[i];
            std::lock_guard<std::mutex> held(device.lock);
            const int64_t rc = with_helpers(&device.gpu, threads_ / n, [&] {
                return hanji_gpu_ctr_host(out + first, in + first, last - first, counter,
                                          &keys_[i]);
            });
            if (rc != HANJI_OK)
                failure.set(rc, &device.gpu);
        });
    }

    // Through memory of ours: for addresses that the kernels do not take, and for places within a
    // block. Waits until it is done.
    int staged(hanji_gpu *g, hanji_gpu_key *key, uint64_t out, uint64_t in, size_t size,
               uint8_t *position, void *stream) const
    {
        hanji_gpu_pointer stage = 0;
        const size_t bytes = std::min(size + 32, stage_bytes);
        size_t lead = used_;
        int rc = size == 0 ? HANJI_OK : hanji_gpu_alloc(&stage, bytes, g);
        if (rc == HANJI_OK && size > 0)
            rc = hanji_gpu_zero(stage, 16, g, stream);
        for (size_t done = 0, now; done < size && rc == HANJI_OK; done += now, lead = 0) {
            now = std::min(size - done, (bytes - 16) / 16 * 16 - lead);
            rc = hanji_gpu_copy(stage + lead, in + done, now, g, stream);
            if (rc == HANJI_OK)
                rc = hanji_gpu_ctr(stage, stage, lead + now, position, key, stream);
            if (rc == HANJI_OK)
                rc = hanji_gpu_copy(out + done, stage + lead, now, g, stream);
        }
        if (stage) {
            const int waited = hanji_gpu_wait(g, stream);
            rc = rc == HANJI_OK ? waited : rc;
            hanji_gpu_free(stage, bytes, g);
        }
        return rc;
    }

    const nb::tuple owners_;
    std::vector<Device *> devices_;
    std::vector<hanji_gpu_key> keys_;
    const hanji_cipher *cipher_;
    hanji_any_block_ctx cpu_;
    uint8_t counter_[16] = {0};
    size_t used_ = 0;
    const uint64_t limit_;
    const size_t threads_;
    uint64_t spent_ = 0;
    bool dead_ = false;
};

// A fleet in host memory, each device doing a range of messages.
int64_t fleet(nb::sequence given_devices, const char *algorithm, const char *operation,
              const char *cipher_name, nb::handle offsets, nb::handle data, nb::handle out,
              nb::handle ad_offsets, nb::handle ad, nb::handle keys, bool one_key,
              nb::handle nonces, size_t nonce_size, nb::handle tags, size_t tag_size,
              nb::handle status, uint64_t limit, size_t threads)
{
    const bool stream = std::string_view(algorithm) == "ctr",
               opening = std::string_view(operation) == "decrypt";
    const hanji_cipher *cipher = stream ? hanji_cipher_find(cipher_name) : nullptr;
    if (stream && !cipher)
        raise(unsupported_type, "there are no GPU kernels for %s", algorithm);
    const FleetAead *aead = stream ? nullptr : &fleet_aead_of(algorithm);
    const FleetShape shape = stream ? FleetShape{false, false, true, 0, 0, 0}
                                    : FleetShape{false, opening, false, 16, aead->nonce_size, 16};
    const FleetObjects given{offsets, data,   out,     ad_offsets, ad,       keys, nonces,
                             tags,    status, one_key, nonce_size, tag_size, limit};
    const FleetArguments arguments(given, shape, cipher);
    const nb::tuple owners(given_devices);
    const std::vector<Device *> devices = pointers(owners);
    const hanji_fleet &call = arguments.call;

    std::atomic<int64_t> failed{0};
    Failure failure;
    {
        MaybeNoGil released(SIZE_MAX);
        in_threads(devices.size(), [&](size_t i) {
            const size_t first = fleet_boundary(call, i, devices.size(), arguments.row),
                         last = fleet_boundary(call, i + 1, devices.size(), arguments.row);
            const hanji_fleet part =
                fleet_range(call, first, last, arguments.row, arguments.ad_row);
            if (part.messages == 0)
                return;
            const hanji_gpu_call one{&part, arguments.row, arguments.ad_row, 1};
            hanji_gpu *g = &devices[i]->gpu;
            std::lock_guard<std::mutex> held(devices[i]->lock);
            const int64_t result = with_helpers(g, threads / devices.size(), [&] {
                return stream ? hanji_gpu_run_ctr(&one, cipher, g)
                              : hanji_gpu_run_aead(&one, aead->number, opening, g);
            });
            if (result < 0)
                failure.set(result, g);
            else
                failed += result;
        });
        if (failure.any()) { // what the other devices have done goes too
            const size_t begin = call.offsets ? static_cast<size_t>(call.offsets[0]) : 0,
                         end = arguments.bytes;
            if (end > begin)
                hanji_wipe(call.output + begin, end - begin);
            if (!stream && !opening)
                hanji_wipe(call.tags, call.messages * call.tag_bytes);
        }
    }
    failure.check();
    return failed;
}

PyObject *new_exception(nb::module_ &module, const char *name, const char *qualified,
                        const char *doc)
{
    PyObject *type = PyErr_NewExceptionWithDoc(qualified, doc, error_type, nullptr);
    if (!type)
        throw nb::python_error();
    module.attr(name) = nb::handle(type);
    return type;
}

} // namespace
} // namespace hanji

// Only the PyInit function at the end is exported.
#undef NB_EXPORT
#define NB_EXPORT
NB_MODULE(gpu_of_nanobind, module)
{
    using namespace hanji;
    nb::set_leak_warnings(false); // as in module.cpp
    module.doc() = "The compiled part of hanji.gpu.";
    nb::module_ core = nb::module_::import_("hanji._core");
    error_type = core.attr("HanjiError").inc_ref().ptr();
    invalid_tag_type = core.attr("InvalidTag").inc_ref().ptr();
    limit_error_type = core.attr("LimitError").inc_ref().ptr();
    layout_error_type = core.attr("LayoutError").inc_ref().ptr();
    device_error_type =
        new_exception(module, "DeviceError", "hanji.gpu.DeviceError",
                      "There is no GPU that can be used, or its driver reports an error.");
    unsupported_type = new_exception(module, "UnsupportedError", "hanji.gpu.UnsupportedError",
                                     "There are no kernels for GPUs for this algorithm.");
    module.def("count", &count, nb::sig("def count() -> int"),
               "How many devices the driver has. DeviceError without a driver.");
    module.def("describe", &describe, nb::arg("device"),
               nb::sig("def describe(device: int) -> dict[str, typing.Any]"),
               "A device by its number.");
    module.def("has", &has, nb::arg("cipher"), nb::arg("fleet"),
               nb::sig("def has(cipher: str, fleet: bool) -> bool"),
               "Whether there are kernels for a cipher, or with `fleet` for a key per message.");
    module.def("fleet_aeads", &fleet_aead_names, nb::sig("def fleet_aeads() -> list[str]"),
               "The AEADs with kernels for fleets, each message with its own key.");
    module.def("images", &images, nb::sig("def images() -> dict[str, str]"),
               "The PTX of the kernels, by file.");
    module.def("cubins", &cubins, nb::sig("def cubins() -> list[tuple[str, int]]"),
               "The machine code of the kernels: file and compute capability (90 for 9.0).");

    nb::class_<Device>(module, "Device", nb::is_final(), nb::sig("@typing.final\nclass Device()"),
                       "A device that is open; see hanji.gpu.")
        .def(nb::init<int>(), nb::arg("index"))
        .def_ro("index", &Device::index)
        .def("upload", &Device::upload, nb::arg("out"), nb::arg("data").none(), nb::arg("stream"),
             nb::sig(
                 "def upload(self, out: int, data: hanji._typing.BytesLike, stream: int) -> None"))
        .def("download", &Device::download, nb::arg("pointer"), nb::arg("size"), nb::arg("stream"),
             nb::sig("def download(self, pointer: int, size: int, stream: int) -> bytes"))
        .def(
            "download_into", &Device::download_into, nb::arg("buf").none(), nb::arg("pointer"),
            nb::arg("stream"),
            nb::sig(
                "def download_into(self, buf: hanji._typing.BytesLike, pointer: int, stream: int) -> None"))
        .def("copy", &Device::copy, nb::arg("out"), nb::arg("pointer"), nb::arg("size"),
             nb::arg("stream"))
        .def("zero", &Device::zero, nb::arg("out"), nb::arg("size"), nb::arg("stream"))
        .def("wait", &Device::wait, nb::arg("stream"))
        .def("follow", &Device::follow, nb::arg("stream"), nb::arg("other"))
        .def("record_stream", &Device::record_stream, nb::arg("stream"))
        .def_prop_ro("own_stream", &Device::own_stream)
        .def("device_of", &Device::device_of, nb::arg("pointer"))
        .def("check_stream", &Device::check_stream, nb::arg("stream"))
        .def("fleet_ctr", &Device::fleet_ctr, nb::arg("cipher"), nb::arg("out"), nb::arg("data"),
             nb::arg("keys"), nb::arg("counters"), nb::arg("offsets"), nb::arg("length"),
             nb::arg("messages"), nb::arg("stream"))
        .def("fleet_aead", &Device::fleet_aead, nb::arg("algorithm"), nb::arg("open"),
             nb::arg("out"), nb::arg("data"), nb::arg("keys"), nb::arg("nonces"), nb::arg("tags"),
             nb::arg("offsets"), nb::arg("ad"), nb::arg("ad_offsets"), nb::arg("status"),
             nb::arg("messages"), nb::arg("length"), nb::arg("ad_length"), nb::arg("stream"));

    nb::class_<Memory>(module, "Memory", nb::is_final(), nb::sig("@typing.final\nclass Memory()"),
                       "Device memory, wiped and freed with the object.")
        .def(nb::init<nb::object, size_t>(), nb::arg("device"), nb::arg("size"),
             nb::sig("def __init__(self, device: Device, size: int) -> None"))
        .def_ro("pointer", &Memory::pointer)
        .def_ro("size", &Memory::size);

    nb::class_<Pinned>(module, "Pinned", nb::is_final(), nb::type_slots(pinned_slots),
                       nb::sig("@typing.final\nclass Pinned()"),
                       "Page-locked host memory, a buffer; wiped and freed with the object.")
        .def(nb::init<nb::object, size_t>(), nb::arg("device"), nb::arg("size"),
             nb::sig("def __init__(self, device: Device, size: int) -> None"))
        .def_ro("size", &Pinned::size);

    nb::class_<CTR>(module, "CTR", nb::is_final(), nb::sig("@typing.final\nclass CTR()"),
                    "A stream in counter mode on devices; see hanji.gpu.CTR.")
        .def(
            nb::init<nb::sequence, const char *, nb::handle, nb::handle, uint64_t, size_t>(),
            nb::arg("devices"), nb::arg("name"), nb::arg("key").none(), nb::arg("iv").none(),
            nb::arg("limit"), nb::arg("threads"),
            nb::sig(
                "def __init__(self, devices: collections.abc.Sequence[Device], name: str, key: hanji._typing.BytesLike, "
                "iv: hanji._typing.BytesLike, limit: int, threads: int) -> None"))
        .def_prop_ro("remaining", &CTR::remaining)
        .def_prop_ro("counter", &CTR::counter, nb::sig("def counter(self) -> bytes"))
        .def_prop_ro("used", &CTR::used)
        .def("kill", &CTR::kill)
        .def("update", &CTR::update, nb::arg("data").none(),
             nb::sig("def update(self, data: hanji._typing.BytesLike) -> bytes"))
        .def(
            "update_into", &CTR::update_into, nb::arg("data").none(), nb::arg("buf").none(),
            nb::sig(
                "def update_into(self, data: hanji._typing.BytesLike, buf: hanji._typing.BytesLike) -> None"))
        .def("device", &CTR::device, nb::arg("which"), nb::arg("out"), nb::arg("data"),
             nb::arg("size"), nb::arg("stream"))
        .def(
            "expected", &CTR::expected, nb::arg("counter").none(), nb::arg("used"), nb::arg("skip"),
            nb::arg("data").none(),
            nb::sig(
                "def expected(self, counter: hanji._typing.BytesLike, used: int, skip: int, data: hanji._typing.BytesLike) -> bytes"));

    nb::class_<DLTensor>(module, "DLTensor", nb::is_final(),
                         nb::sig("@typing.final\nclass DLTensor()"),
                         "An array from a DLPack capsule.")
        .def(nb::init<nb::capsule>(), nb::arg("capsule"),
             nb::sig("def __init__(self, capsule: typing.Any) -> None"))
        .def_prop_ro("pointer", &DLTensor::pointer)
        .def_prop_ro("shape", &DLTensor::shape, nb::sig("def shape(self) -> tuple[int, ...]"))
        .def_prop_ro("strides", &DLTensor::strides,
                     nb::sig("def strides(self) -> tuple[int, ...] | None"))
        .def_prop_ro("device_type", [](const DLTensor &self) { return self.tensor->device_type; })
        .def_prop_ro("device_id", [](const DLTensor &self) { return self.tensor->device_id; })
        .def_prop_ro(
            "dtype",
            [](const DLTensor &self) {
                return nb::make_tuple(self.tensor->code, self.tensor->bits, self.tensor->lanes);
            },
            nb::sig("def dtype(self) -> tuple[int, int, int]"))
        .def_ro("read_only", &DLTensor::read_only);

    module.def(
        "dlpack_export", &dlpack_export, nb::arg("owner"), nb::arg("pointer"), nb::arg("shape"),
        nb::arg("device"), nb::arg("versioned"),
        nb::sig(
            "def dlpack_export(owner: object, pointer: int, shape: collections.abc.Sequence[int], device: int, versioned: bool) -> typing.Any"),
        "A DLPack capsule for bytes in device memory that owner keeps alive.");
    module.def(
        "fleet", &fleet, nb::arg("devices"), nb::arg("algorithm"), nb::arg("operation"),
        nb::arg("cipher"), nb::arg("offsets"), nb::arg("data").none(), nb::arg("out").none(),
        nb::arg("ad_offsets").none(), nb::arg("ad").none(), nb::arg("keys").none(),
        nb::arg("one_key"), nb::arg("nonces").none(), nb::arg("nonce_size"), nb::arg("tags").none(),
        nb::arg("tag_size"), nb::arg("status"), nb::arg("limit"), nb::arg("threads"),
        nb::sig(
            "def fleet(devices: collections.abc.Sequence[Device], algorithm: str, operation: str, cipher: str, offsets: hanji._typing.BytesLike | int, "
            "data: hanji._typing.BytesLike, out: hanji._typing.BytesLike | None, ad_offsets: hanji._typing.BytesLike | int | None, "
            "ad: hanji._typing.BytesLike | None, keys: hanji._typing.BytesLike | None, one_key: bool, "
            "nonces: hanji._typing.BytesLike | None, nonce_size: int, tags: hanji._typing.BytesLike | None, tag_size: int, "
            "status: hanji._typing.BytesLike, limit: int, threads: int) -> int"),
        "One fleet call over host memory; see hanji.fleet. `offsets` and `ad_offsets` may be the bytes of every message instead.");
}

PyMODINIT_FUNC PyInit__gpu(void)
{
    return hanji::for_main_interpreter(&PyInit_gpu_of_nanobind);
}
