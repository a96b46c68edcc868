// SPDX-License-Identifier: Apache-2.0
// Columns of telemetry frames. The arrays come from hanji.telemetry, which has checked their types;
// the sizes are checked here, because the library believes them.
#include "core.hpp"

#include <cstring>
#include <limits>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace hanji
{
namespace
{

// Memory of a table of master keys: huge pages where the system has them, because each look-up goes
// to another page; wiped before it is given back.
class TableMemory
{
  public:
    explicit TableMemory(size_t bytes) : bytes_(bytes)
    {
        constexpr size_t huge = 2 << 20, line = 64;
        alignment_ = bytes >= huge ? huge : line;
        if (bytes > SIZE_MAX - alignment_)
            throw std::bad_alloc();
        data_ = static_cast<uint8_t *>(::operator new(bytes, std::align_val_t(alignment_)));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (alignment_ == huge) // advice: without it the table is slower, and no less right
            (void)madvise(data_, bytes, MADV_HUGEPAGE);
#endif
    }
    TableMemory(const TableMemory &) = delete;
    TableMemory &operator=(const TableMemory &) = delete;
    ~TableMemory()
    {
        hanji_wipe(data_, bytes_);
        ::operator delete(data_, std::align_val_t(alignment_));
    }
    uint8_t *data() const
    {
        return data_;
    }
    size_t size() const
    {
        return bytes_;
    }

  private:
    size_t bytes_, alignment_;
    uint8_t *data_;
};

void require_items(const char *what, size_t bytes, size_t count, size_t item)
{
    if (count > SIZE_MAX / item || bytes != count * item)
        raise(PyExc_ValueError, "%s is %zu bytes; %zu frames take %zu bytes each", what, bytes,
              count, item);
}

// Offsets of Arrow: n + 1 numbers of 64 bits that lie in the data. Returns n.
size_t require_offsets(const char *what, const Input &offsets, size_t data_bytes)
{
    const size_t count = offsets.size() / sizeof(int64_t);
    if (count == 0 || offsets.size() % sizeof(int64_t) != 0)
        raise(PyExc_ValueError, "%s must be n + 1 int64 for n frames, not %zu bytes", what,
              offsets.size());
    int64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t at;
        std::memcpy(&at, offsets.data() + i * sizeof at, sizeof at);
        if (at < before)
            raise(PyExc_ValueError, "%s decrease, or are negative, at place %zu", what, i);
        before = at;
    }
    if (static_cast<uint64_t>(before) > data_bytes)
        raise(PyExc_ValueError, "%s end at %lld, but the data have %zu bytes", what,
              static_cast<long long>(before), data_bytes);
    return count - 1;
}

class MasterKeys
{
  public:
    MasterKeys(nb::handle devices, nb::handle masters, size_t master_size)
    {
        const Input key_bytes(masters, "masters");
        if (master_size < HANJI_MASTER_BYTES_MIN || master_size > HANJI_MASTER_BYTES_MAX)
            raise(PyExc_ValueError, "master keys are %zu bytes; they have %d to %d", master_size,
                  HANJI_MASTER_BYTES_MIN, HANJI_MASTER_BYTES_MAX);
        if (devices.is_none()) {
            require_size("the master key", key_bytes.size(), "this table", master_size);
            check(hanji_master_keys_one(&keys_, key_bytes.data(), master_size));
            return;
        }
        const Input numbers(devices, "devices", any_items);
        const size_t count = numbers.size() / sizeof(uint32_t);
        require_items("devices", numbers.size(), count, sizeof(uint32_t));
        require_items("masters", key_bytes.size(), count, master_size);
        const size_t bytes = hanji_master_keys_bytes(count, master_size);
        if (bytes == 0)
            throw std::bad_alloc();
        memory_ = std::make_unique<TableMemory>(bytes);
        size_t duplicate = count;
        int rc;
        {
            MaybeNoGil released(key_bytes.size());
            rc = hanji_master_keys_init(&keys_, &duplicate, memory_->data(), bytes,
                                        reinterpret_cast<const uint32_t *>(numbers.data()),
                                        key_bytes.data(), count, master_size);
        }
        if (rc == HANJI_E_ARGUMENT && duplicate < count) {
            uint32_t device;
            std::memcpy(&device, numbers.data() + duplicate * sizeof device, sizeof device);
            raise(PyExc_ValueError,
                  "device %u comes twice in the table of master keys, the second time in row %zu "
                  "(the first row is 0); give each device one key",
                  static_cast<unsigned>(device), duplicate);
        }
        check(rc);
    }
    MasterKeys(const MasterKeys &) = delete;
    MasterKeys &operator=(const MasterKeys &) = delete;
    ~MasterKeys()
    {
        hanji_wipe(&keys_, sizeof keys_);
    }

    int64_t open(nb::handle offsets, nb::handle data, nb::handle device, nb::handle epoch,
                 nb::handle number, nb::handle payload, nb::handle payload_offsets,
                 nb::handle status, bool to_device) const
    {
        const Input starts(offsets, "offsets", any_items), frames(data, "data");
        const Output devices(device, "device"), epochs(epoch, "epoch"), numbers(number, "number"),
            payloads(payload, "payload"), payload_starts(payload_offsets, "payload_offsets"),
            results(status, "status");
        const size_t n = require_offsets("offsets", starts, frames.size());
        require_items("device", devices.size(), n, 4);
        require_items("epoch", epochs.size(), n, 4);
        require_items("number", numbers.size(), n, 4);
        require_items("payload_offsets", payload_starts.size(), n + 1, 8);
        require_items("status", results.size(), n, 1);
        const std::unique_ptr<uint8_t[]> scratch(new uint8_t[HANJI_TELEMETRY_SCRATCH_BYTES]);
        int64_t failed;
        {
            MaybeNoGil released(frames.size());
            const hanji_telemetry_opening call = {
                n,
                reinterpret_cast<const int64_t *>(starts.data()),
                frames.data(),
                &keys_,
                to_device ? HANJI_TO_DEVICE : HANJI_FROM_DEVICE,
                reinterpret_cast<uint32_t *>(devices.data()),
                reinterpret_cast<uint32_t *>(epochs.data()),
                reinterpret_cast<uint32_t *>(numbers.data()),
                payloads.data(),
                payloads.size(),
                reinterpret_cast<int64_t *>(payload_starts.data()),
                reinterpret_cast<int8_t *>(results.data()),
                scratch.get(),
            };
            failed = hanji_telemetry_open(&call);
        }
        if (failed < 0)
            check(static_cast<int>(failed));
        return failed;
    }

    int64_t seal(int algorithm, nb::handle device, nb::handle epoch, nb::handle number,
                 nb::handle payload_offsets, nb::handle payload, nb::handle out, nb::handle offsets,
                 nb::handle status, bool to_device) const
    {
        const Input devices(device, "device", any_items), epochs(epoch, "epoch", any_items),
            numbers(number, "number", any_items),
            payload_starts(payload_offsets, "payload_offsets", any_items),
            payloads(payload, "payload");
        const Output frames(out, "out"), starts(offsets, "offsets"), results(status, "status");
        const size_t n = require_offsets("payload_offsets", payload_starts, payloads.size());
        require_items("device", devices.size(), n, 4);
        require_items("epoch", epochs.size(), n, 4);
        require_items("number", numbers.size(), n, 4);
        require_items("offsets", starts.size(), n + 1, 8);
        require_items("status", results.size(), n, 1);
        const std::unique_ptr<uint8_t[]> scratch(new uint8_t[HANJI_TELEMETRY_SCRATCH_BYTES]);
        int64_t failed;
        {
            MaybeNoGil released(frames.size());
            const hanji_telemetry_sealing call = {
                n,
                reinterpret_cast<const uint32_t *>(devices.data()),
                reinterpret_cast<const uint32_t *>(epochs.data()),
                reinterpret_cast<const uint32_t *>(numbers.data()),
                reinterpret_cast<const int64_t *>(payload_starts.data()),
                payloads.data(),
                &keys_,
                to_device ? HANJI_TO_DEVICE : HANJI_FROM_DEVICE,
                algorithm,
                frames.data(),
                frames.size(),
                reinterpret_cast<int64_t *>(starts.data()),
                reinterpret_cast<int8_t *>(results.data()),
                scratch.get(),
            };
            failed = hanji_telemetry_seal(&call);
        }
        if (failed < 0)
            check(static_cast<int>(failed));
        return failed;
    }

  private:
    std::unique_ptr<TableMemory> memory_;
    hanji_master_keys keys_{};
};

nb::dict frame_statuses()
{
    nb::dict names;
    for (int status = std::numeric_limits<int8_t>::min(); status <= 0; status++)
        if (const char *name = hanji_frame_status_name(status))
            names[nb::int_(status)] = nb::str(name);
    return names;
}

} // namespace

void bind_telemetry(nb::module_ &module)
{
    nb::class_<MasterKeys>(module, "MasterKeys",
                           "The master keys of devices as the library takes them; see "
                           "hanji.telemetry. Wiped when it goes.")
        .def(nb::init<nb::handle, nb::handle, size_t>(), nb::arg("devices").none(),
             nb::arg("masters").none(), nb::arg("master_size"),
             nb::sig("def __init__(self, devices: hanji._typing.BytesLike | None, "
                     "masters: hanji._typing.BytesLike, master_size: int) -> None"))
        .def("open", &MasterKeys::open, nb::arg("offsets").none(), nb::arg("data").none(),
             nb::arg("device").none(), nb::arg("epoch").none(), nb::arg("number").none(),
             nb::arg("payload").none(), nb::arg("payload_offsets").none(), nb::arg("status").none(),
             nb::arg("to_device"),
             nb::sig("def open(self, offsets: hanji._typing.BytesLike, "
                     "data: hanji._typing.BytesLike, device: hanji._typing.BytesLike, "
                     "epoch: hanji._typing.BytesLike, number: hanji._typing.BytesLike, "
                     "payload: hanji._typing.BytesLike, payload_offsets: hanji._typing.BytesLike, "
                     "status: hanji._typing.BytesLike, to_device: bool) -> int"),
             "hanji_telemetry_open: the number of frames that did not open.")
        .def("seal", &MasterKeys::seal, nb::arg("algorithm"), nb::arg("device").none(),
             nb::arg("epoch").none(), nb::arg("number").none(), nb::arg("payload_offsets").none(),
             nb::arg("payload").none(), nb::arg("out").none(), nb::arg("offsets").none(),
             nb::arg("status").none(), nb::arg("to_device"),
             nb::sig("def seal(self, algorithm: int, device: hanji._typing.BytesLike, "
                     "epoch: hanji._typing.BytesLike, number: hanji._typing.BytesLike, "
                     "payload_offsets: hanji._typing.BytesLike, payload: hanji._typing.BytesLike, "
                     "out: hanji._typing.BytesLike, offsets: hanji._typing.BytesLike, "
                     "status: hanji._typing.BytesLike, to_device: bool) -> int"),
             "hanji_telemetry_seal: the number of frames that were not sealed.");
    module.def("frame_statuses", &frame_statuses, nb::sig("def frame_statuses() -> dict[int, str]"),
               "The name of every status of a frame.");
}

} // namespace hanji
