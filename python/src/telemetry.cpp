// SPDX-License-Identifier: Apache-2.0
// Columns of telemetry frames: one call checks what hanji.telemetry is given, one opens or seals it
// and makes the results.
#include "arrays.hpp"
#include "arrow.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace hanji
{
namespace
{

// Memory of a table of master keys, where each look-up goes to another page; wiped before it is
// given back.
class TableMemory : public AlignedMemory
{
  public:
    using AlignedMemory::AlignedMemory;
    ~TableMemory()
    {
        hanji_wipe(data(), size());
    }
};

void require_items(const char *what, size_t bytes, size_t count, size_t item)
{
    if (count > SIZE_MAX / item || bytes != count * item)
        raise(PyExc_ValueError, "%s is %zu bytes; %zu frames take %zu bytes each", what, bytes,
              count, item);
}

// Whether the offsets of `count` byte strings begin at 0 or later and never decrease.
bool never_decrease(const int64_t *at, size_t count)
{
    // Two numbers that are not negative have a difference, whose sign says which is larger.
    uint64_t wrong = static_cast<uint64_t>(at[0]);
    for (size_t i = 0; i < count; i++)
        wrong |= static_cast<uint64_t>(at[i + 1]) |
                 (static_cast<uint64_t>(at[i + 1]) - static_cast<uint64_t>(at[i]));
    return (wrong >> 63) == 0;
}

// ValueError unless the offsets, of which `rising` says what never_decrease() found, end in the data
// and never decrease.
void require_sound(const int64_t *at, size_t count, size_t data_bytes, bool rising)
{
    if (!rising) {
        size_t place = 0;
        if (at[0] >= 0)
            for (place = 1; at[place] >= at[place - 1]; place++)
                ;
        raise(PyExc_ValueError,
              "offsets decrease, or are negative, at place %zu (%lld, in row %zu); numbers from 0 "
              "to %zu that never decrease expected",
              place, static_cast<long long>(at[place]), place > 0 ? place - 1 : 0, data_bytes);
    }
    if (static_cast<uint64_t>(at[count]) > data_bytes)
        raise(PyExc_ValueError, "offsets end at %lld, but the data have %zu bytes",
              static_cast<long long>(at[count]), data_bytes);
}

// The same of offsets that nobody else can change.
void require_sound(const int64_t *at, size_t count, size_t data_bytes)
{
    bool rising;
    {
        MaybeNoGil released(count);
        rising = never_decrease(at, count);
    }
    require_sound(at, count, data_bytes, rising);
}

// Copy count + 1 offsets of 4 or 8 bytes from memory that others may write to, and check the copy.
void copy_offsets(int64_t *ours, const uint8_t *given, size_t width, size_t count,
                  size_t data_bytes)
{
    bool rising;
    {
        MaybeNoGil released(count);
        if (width == sizeof *ours) {
            std::memcpy(ours, given, (count + 1) * width);
        } else {
            for (size_t i = 0; i <= count; i++) {
                int32_t offset;
                std::memcpy(&offset, given + i * sizeof offset, sizeof offset);
                ours[i] = offset;
            }
        }
        __asm__ __volatile__("" : : "r"(ours) : "memory"); // what is checked is read from the copy
        rising = never_decrease(ours, count);
    }
    require_sound(ours, count, data_bytes, rising);
}

// Copying takes a sixteenth of the time of cryptography.
size_t copying(size_t bytes)
{
    return bytes / 16;
}

// `count` words at `given`. The library reads whole words, and an array of the caller may begin
// between two of them, as numpy.frombuffer() makes it; what it holds is then moved to `moved`.
const uint32_t *whole_words(const uint8_t *given, size_t count, std::vector<uint32_t> &moved)
{
    if (reinterpret_cast<uintptr_t>(given) % alignof(uint32_t) == 0 || count == 0)
        return reinterpret_cast<const uint32_t *>(given);
    moved.resize(count);
    MaybeNoGil released(copying(count * sizeof(uint32_t)));
    std::memcpy(moved.data(), given, count * sizeof(uint32_t));
    return moved.data();
}

// n + 1 offsets of a NumPy array: a copy that is checked.
nb::object checked_offsets(const nb::tuple &numpy, nb::handle offsets, size_t data_bytes)
{
    const NumPy types(numpy);
    const FlatArray given(types, offsets, "offsets", int64_items);
    const size_t count = given.size() / sizeof(int64_t);
    if (count == 0)
        raise(PyExc_ValueError, "offsets are empty; n byte strings have n + 1, and none has one");
    const NewArray<int64_t> ours(types.empty, types.int64, count);
    copy_offsets(ours.data(), given.data(), sizeof(int64_t), count - 1, data_bytes);
    return ours.object();
}

// Byte strings side by side: number i is data[offsets[i]:offsets[i + 1]]. The offsets are a copy that
// is checked and that nobody else can change; the data are the caller's.
class ByteStrings
{
  public:
    // NumPy arrays; `what` names that of the data.
    ByteStrings(const nb::tuple &numpy, const char *what, nb::handle data, nb::handle offsets)
    {
        const NumPy types(numpy);
        array_.emplace(types, data, what, uint8_items);
        const FlatArray given(types, offsets, "offsets", int64_items);
        if (given.size() == 0)
            raise(PyExc_ValueError, "offsets are empty; n frames have n + 1, and none has one");
        data_ = array_->data();
        data_bytes_ = array_->size();
        take_offsets(given.data(), sizeof(int64_t), given.size() / sizeof(int64_t) - 1);
    }

    // The buffers of an Arrow array of `count` byte strings, of which `first` come before. Offsets
    // have `width` bytes (4 or 8); None: each byte string has `width` bytes.
    ByteStrings(nb::handle data, nb::handle offsets, size_t width, size_t first, size_t count)
    {
        if (!data.is_none()) {
            buffer_.emplace(data, "the data of an Arrow array", any_items);
            data_ = buffer_->data();
            data_bytes_ = buffer_->size();
        }
        if (offsets.is_none()) {
            make_offsets(width, first, count);
            return;
        }
        require_width(width);
        const Input given(offsets, "the offsets of an Arrow array", any_items);
        const size_t there = given.size() / width;
        if (first >= there || count >= there - first)
            raise(PyExc_ValueError,
                  "an Arrow array of %zu byte strings from number %zu on has only %zu offsets; one "
                  "more than byte strings expected",
                  count, first, there);
        take_offsets(given.data() + first * width, width, count);
    }

    size_t count() const
    {
        return count_;
    }
    const int64_t *offsets() const
    {
        return offsets_.get();
    }
    const uint8_t *data() const
    {
        return data_;
    }
    // Of all byte strings together.
    size_t bytes() const
    {
        return static_cast<size_t>(offsets_[count_] - offsets_[0]);
    }

    // The device number in each whole header.
    nb::object devices(const nb::tuple &numpy) const
    {
        const NumPy types(numpy);
        const auto has_header = [this](size_t i) {
            return offsets_[i + 1] - offsets_[i] >= HANJI_FRAME_HEADER_BYTES;
        };
        size_t headers = 0, next = 0;
        {
            MaybeNoGil released(count_);
            for (size_t i = 0; i < count_; i++)
                headers += has_header(i);
        }
        const NewArray<uint32_t> devices(types.empty, types.uint32, headers);
        {
            MaybeNoGil released(count_);
            for (size_t i = 0; i < count_; i++)
                if (has_header(i)) {
                    const uint8_t *p = data_ + offsets_[i] + 2;
                    devices.data()[next++] = p[0] | static_cast<uint32_t>(p[1]) << 8 |
                                             static_cast<uint32_t>(p[2]) << 16 |
                                             static_cast<uint32_t>(p[3]) << 24;
                }
        }
        return devices.object();
    }

    // Copies of the bytes and of the offsets, the first of which is 0 then.
    nb::tuple copies(const nb::tuple &numpy) const
    {
        const NumPy types(numpy);
        const NewArray<uint8_t> data(types.empty, types.uint8, bytes());
        const NewArray<int64_t> offsets(types.empty, types.int64, count_ + 1);
        {
            MaybeNoGil released(count_ + copying(bytes()));
            if (bytes() > 0)
                std::memcpy(data.data(), data_ + offsets_[0], bytes());
            for (size_t i = 0; i <= count_; i++)
                offsets.data()[i] = offsets_[i] - offsets_[0];
        }
        return nb::make_tuple(data.object(), offsets.object());
    }

  private:
    static void require_width(size_t width)
    {
        if (width != sizeof(int32_t) && width != sizeof(int64_t))
            raise(PyExc_ValueError, "offsets of %zu bytes; 4 or 8 expected", width);
    }

    void make_offsets(size_t width, size_t first, size_t count)
    {
        constexpr uint64_t most = INT64_MAX;
        const uint64_t begin = first;
        if (count >= most || begin > most - count || (width != 0 && begin + count > most / width))
            raise(PyExc_ValueError,
                  "%zu byte strings of %zu bytes from number %zu on are more than an array holds",
                  count, width, first);
        count_ = count;
        offsets_.reset(new int64_t[count + 1]);
        for (size_t i = 0; i <= count; i++)
            offsets_[i] = static_cast<int64_t>((begin + i) * width);
        require_sound(offsets_.get(), count, data_bytes_);
    }

    void take_offsets(const uint8_t *given, size_t width, size_t count)
    {
        count_ = count;
        offsets_.reset(new int64_t[count + 1]);
        copy_offsets(offsets_.get(), given, width, count, data_bytes_);
    }

    std::optional<FlatArray> array_;
    std::optional<Input> buffer_;
    const uint8_t *data_ = nullptr;
    size_t data_bytes_ = 0, count_ = 0;
    std::unique_ptr<int64_t[]> offsets_;
};

// Device, epoch and number of the frames to be sealed.
class Places
{
  public:
    Places(const nb::tuple &numpy, nb::handle device, nb::handle epoch, nb::handle number)
        : Places(NumPy(numpy), device, epoch, number)
    {
    }

    const uint32_t *device() const
    {
        return device_.words();
    }
    const uint32_t *epoch() const
    {
        return epoch_.words();
    }
    const uint32_t *number() const
    {
        return number_.words();
    }
    void require_frames(size_t n) const
    {
        require_items("device", device_.array.size(), n, 4);
        require_items("epoch", epoch_.array.size(), n, 4);
        require_items("number", number_.array.size(), n, 4);
    }
    // Two rows with the same device, epoch and number: of the least such numbers the first two rows.
    // None where there are none.
    nb::object repeated() const
    {
        const size_t n = device_.array.size() / sizeof(uint32_t);
        require_frames(n);
        if (is_rising(n))
            return nb::none();
        uint64_t factors[2];
        check(hanji_random(reinterpret_cast<uint8_t *>(factors), sizeof factors));
        std::vector<Row> rows;
        size_t at = 0;
        {
            MaybeNoGil released(n);
            if (!have_equal_hashes(n, factors[0] | 1, factors[1] | 1))
                at = n;
            else
                rows = sorted(n);
            while (at + 1 < rows.size() && rows[at].place != rows[at + 1].place)
                at++;
        }
        if (at + 1 >= rows.size())
            return nb::none();
        return nb::make_tuple(rows[at].row, rows[at + 1].row);
    }
    // The arrays that were given.
    nb::tuple arrays() const
    {
        return nb::make_tuple(device_.array.object(), epoch_.array.object(),
                              number_.array.object());
    }

  private:
    class Words
    {
      public:
        Words(const NumPy &numpy, nb::handle given, const char *what)
            : array(numpy, given, what, uint32_items),
              words_(whole_words(array.data(), array.size() / sizeof(uint32_t), moved_))
        {
        }
        const uint32_t *words() const
        {
            return words_;
        }
        const FlatArray array;

      private:
        std::vector<uint32_t> moved_;
        const uint32_t *words_;
    };

    Places(const NumPy &numpy, nb::handle device, nb::handle epoch, nb::handle number)
        : device_(numpy, device, "device"), epoch_(numpy, epoch, "epoch"),
          number_(numpy, number, "number")
    {
    }

    using Place = std::pair<uint64_t, uint32_t>; // device and epoch, number
    struct Row {
        Place place;
        size_t row;
    };

    Place place(size_t i) const
    {
        return {static_cast<uint64_t>(device()[i]) << 32 | epoch()[i], number()[i]};
    }

    // Whether each place is above the one before, as where one device sends, so that none repeats.
    bool is_rising(size_t n) const
    {
        for (size_t i = 1; i < n; i++)
            if (place(i) <= place(i - 1))
                return false;
        return true;
    }

    // Whether two places have the same hash, as those that repeat have: a hash costs a tenth of a
    // comparison sort. The factors are odd, and random so that nobody can choose numbers whose
    // search takes long.
    bool have_equal_hashes(size_t n, uint64_t factor, uint64_t other) const
    {
        int bits = 1;
        while (n >> (bits - 1) != 0)
            bits++;
        std::vector<uint32_t> slots(size_t{1} << bits); // more than half of them stay empty
        for (size_t i = 0; i < n; i++) {
            const Place here = place(i);
            uint64_t hash = here.first * factor + here.second * other;
            hash = (hash ^ hash >> 32) * factor;
            size_t at = static_cast<size_t>(hash >> (64 - bits)); // and its low half in the slot
            const uint32_t half = std::max<uint32_t>(1, static_cast<uint32_t>(hash)); // 0: empty
            for (; slots[at] != 0; at = (at + 1) % slots.size())
                if (slots[at] == half)
                    return true;
            slots[at] = half;
        }
        return false;
    }

    std::vector<Row> sorted(size_t n) const
    {
        std::vector<Row> rows(n);
        for (size_t i = 0; i < n; i++)
            rows[i] = {place(i), i};
        std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
            return std::make_pair(a.place, a.row) < std::make_pair(b.place, b.row);
        });
        return rows;
    }

    const Words device_, epoch_, number_;
};

// A column of byte strings that a call writes, in the memory of a record batch: room for them, for
// their offsets of 64 bits, for a status of each, and for validity bits.
class StringRoom
{
  public:
    StringRoom(Parts &parts, size_t n, size_t bytes)
        : n_(n), offsets_at_(parts.add(n + 1, sizeof(int64_t))), status_at_(parts.add(n, 1)),
          validity_at_(parts.add(n / 8 + 1, 1)), bytes_at_(parts.add(bytes, 1))
    {
    }
    int64_t *offsets(const ArrowColumns &batch) const
    {
        return reinterpret_cast<int64_t *>(batch.memory.data() + offsets_at_);
    }
    int8_t *status(const ArrowColumns &batch) const
    {
        return reinterpret_cast<int8_t *>(batch.memory.data() + status_at_);
    }
    uint8_t *bytes(const ArrowColumns &batch) const
    {
        return batch.memory.data() + bytes_at_;
    }

    // Add the columns of byte strings, null where the status is not 0, and of the status. Offsets of
    // 32 bits take the place of those of 64 unless the type is large_binary (`wide`).
    void finish(ArrowColumns &batch, const char *name, bool wide) const
    {
        int64_t *starts = offsets(batch);
        const int8_t *codes = status(batch);
        uint8_t *validity = batch.memory.data() + validity_at_;
        if (!wide && starts[n_] > INT32_MAX)
            raise(PyExc_ValueError,
                  "more than 2 GiB in one batch of type binary; use large_binary");
        size_t nulls;
        {
            MaybeNoGil released(n_);
            nulls = n_ - static_cast<size_t>(std::count(codes, codes + n_, int8_t{HANJI_OK}));
            if (nulls > 0)
                mark_valid(validity, codes);
            if (!wide)
                narrow(starts);
        }
        batch.add_strings(name, wide ? "Z" : "z", starts, bytes(batch),
                          nulls > 0 ? validity : nullptr, nulls);
        batch.add("status", "c", codes);
    }

  private:
    void mark_valid(uint8_t *validity, const int8_t *codes) const
    {
        std::memset(validity, 0, n_ / 8 + 1);
        for (size_t i = 0; i < n_; i++)
            validity[i / 8] |= static_cast<uint8_t>((codes[i] == HANJI_OK) << i % 8);
    }

    // Each offset is written where all that stood there are read already.
    void narrow(int64_t *starts) const
    {
        auto *bytes = reinterpret_cast<uint8_t *>(starts);
        for (size_t i = 0; i <= n_; i++) {
            const auto offset = static_cast<int32_t>(starts[i]);
            std::memcpy(bytes + i * sizeof offset, &offset, sizeof offset);
        }
    }

    size_t n_, offsets_at_, status_at_, validity_at_, bytes_at_;
};

// Where the results of opening go.
struct OpenedPlaces {
    uint32_t *device, *epoch, *number;
    uint8_t *payload;
    int64_t *payload_offsets;
    int8_t *status;
};

// The record batch of an opener.
class OpenedBatch
{
  public:
    OpenedBatch(size_t n, size_t payload_bytes)
        : device_at_(parts_.add(n, 4)), epoch_at_(parts_.add(n, 4)), number_at_(parts_.add(n, 4)),
          strings_(parts_, n, payload_bytes),
          batch_(std::make_unique<ArrowColumns>(parts_.bytes(), n))
    {
    }
    OpenedPlaces places() const
    {
        const auto words = [this](size_t at) {
            return reinterpret_cast<uint32_t *>(batch_->memory.data() + at);
        };
        return {words(device_at_),       words(epoch_at_),          words(number_at_),
                strings_.bytes(*batch_), strings_.offsets(*batch_), strings_.status(*batch_)};
    }
    // `nulls`: None, or an array of truths, which frames are null and not frames.
    ArrowBatch *finish(nb::handle nulls, bool wide)
    {
        const OpenedPlaces made = places();
        if (!nulls.is_none()) {
            const Input truths(nulls, "nulls", any_items);
            require_items("nulls", truths.size(), batch_->rows, 1);
            for (size_t i = 0; i < batch_->rows; i++)
                if (truths.data()[i])
                    made.status[i] = HANJI_FRAME_NULL;
        }
        batch_->add("device", "I", made.device);
        batch_->add("epoch", "I", made.epoch);
        batch_->add("number", "I", made.number);
        strings_.finish(*batch_, "payload", wide);
        return new ArrowBatch(std::move(batch_));
    }

  private:
    Parts parts_;
    size_t device_at_, epoch_at_, number_at_;
    StringRoom strings_;
    std::unique_ptr<ArrowColumns> batch_;
};

// The record batch of a sealer.
class SealedBatch
{
  public:
    SealedBatch(size_t n, size_t frame_bytes)
        : strings_(parts_, n, frame_bytes),
          batch_(std::make_unique<ArrowColumns>(parts_.bytes(), n))
    {
    }
    uint8_t *frames() const
    {
        return strings_.bytes(*batch_);
    }
    int64_t *offsets() const
    {
        return strings_.offsets(*batch_);
    }
    int8_t *status() const
    {
        return strings_.status(*batch_);
    }
    ArrowBatch *finish(bool wide)
    {
        strings_.finish(*batch_, "frame", wide);
        return new ArrowBatch(std::move(batch_));
    }

  private:
    Parts parts_;
    StringRoom strings_;
    std::unique_ptr<ArrowColumns> batch_;
};

// Copy an array of `count` results of `item` bytes each; ValueError for one of another length.
void copy_array(void *to, nb::handle from, const char *what, size_t count, size_t item)
{
    const Input given(from, what, any_items);
    require_items(what, given.size(), count, item);
    MaybeNoGil released(copying(given.size()));
    if (given.size() > 0)
        std::memcpy(to, given.data(), given.size());
}

size_t item_count(nb::handle array, const char *what, size_t item)
{
    const Input given(array, what, any_items);
    return given.size() / item;
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
        std::vector<uint32_t> moved;
        const uint32_t *words = whole_words(numbers.data(), count, moved);
        const size_t bytes = hanji_master_keys_bytes(count, master_size);
        if (bytes == 0)
            throw std::bad_alloc();
        memory_ = std::make_unique<TableMemory>(bytes);
        size_t duplicate = count;
        int rc;
        {
            MaybeNoGil released(key_bytes.size());
            rc = hanji_master_keys_init(&keys_, &duplicate, memory_->data(), bytes, words,
                                        key_bytes.data(), count, master_size);
        }
        if (rc == HANJI_E_ARGUMENT && duplicate < count) {
            raise(PyExc_ValueError,
                  "device %u comes twice in the table of master keys, the second time in row %zu "
                  "(the first row is 0); give each device one key",
                  static_cast<unsigned>(words[duplicate]), duplicate);
        }
        check(rc);
    }
    MasterKeys(const MasterKeys &) = delete;
    MasterKeys &operator=(const MasterKeys &) = delete;
    ~MasterKeys()
    {
        hanji_wipe(&keys_, sizeof keys_);
    }

    // The arrays of hanji.telemetry.Opened.
    nb::tuple open(const nb::tuple &numpy, const ByteStrings &frames, bool to_device) const
    {
        const NumPy types(numpy);
        const size_t n = frames.count();
        const NewArray<uint32_t> device(types.empty, types.uint32, n),
            epoch(types.empty, types.uint32, n), number(types.empty, types.uint32, n);
        const NewArray<uint8_t> payload(types.empty, types.uint8, frames.bytes());
        const NewArray<int64_t> offsets(types.empty, types.int64, n + 1);
        const NewArray<int8_t> status(types.empty, types.int8, n);
        open_into(frames, to_device,
                  {device.data(), epoch.data(), number.data(), payload.data(), offsets.data(),
                   status.data()});
        return nb::make_tuple(device.object(), epoch.object(), number.object(),
                              payload.first(static_cast<size_t>(offsets.data()[n])),
                              offsets.object(), status.object());
    }

    // The record batch of an opener.
    ArrowBatch *open_batch(const ByteStrings &frames, bool to_device, nb::handle nulls,
                           bool wide) const
    {
        OpenedBatch batch(frames.count(), frames.bytes());
        open_into(frames, to_device, batch.places());
        return batch.finish(nulls, wide);
    }

    // The arrays of hanji.telemetry.Frames.
    nb::tuple seal(const nb::tuple &numpy, int algorithm, const Places &places,
                   const ByteStrings &payloads, bool to_device) const
    {
        const NumPy types(numpy);
        const size_t n = payloads.count();
        const NewArray<uint8_t> data(types.empty, types.uint8, frame_bytes(payloads));
        const NewArray<int64_t> offsets(types.empty, types.int64, n + 1);
        const NewArray<int8_t> status(types.empty, types.int8, n);
        seal_into(algorithm, places, payloads, to_device, data.data(), offsets.data(),
                  status.data());
        return nb::make_tuple(data.first(static_cast<size_t>(offsets.data()[n])), offsets.object(),
                              status.object());
    }

    // The record batch of a sealer.
    ArrowBatch *seal_batch(int algorithm, const Places &places, const ByteStrings &payloads,
                           bool to_device, bool wide) const
    {
        SealedBatch batch(payloads.count(), frame_bytes(payloads));
        seal_into(algorithm, places, payloads, to_device, batch.frames(), batch.offsets(),
                  batch.status());
        return batch.finish(wide);
    }

  private:
    static std::unique_ptr<uint8_t[]> new_scratch()
    {
        return std::unique_ptr<uint8_t[]>(new uint8_t[HANJI_TELEMETRY_SCRATCH_BYTES]);
    }

    // Room for all frames: each is its payload with a header and a tag.
    static size_t frame_bytes(const ByteStrings &payloads)
    {
        constexpr size_t overhead = 32;
        if (payloads.count() > (SIZE_MAX / 2 - payloads.bytes()) / overhead)
            throw std::bad_alloc();
        return payloads.bytes() + overhead * payloads.count();
    }

    void open_into(const ByteStrings &frames, bool to_device, const OpenedPlaces &made) const
    {
        if (frames.count() == 0) {
            made.payload_offsets[0] = 0;
            return;
        }
        const auto scratch = new_scratch();
        int64_t failed;
        {
            MaybeNoGil released(frames.bytes());
            const hanji_telemetry_opening call = {
                frames.count(),
                frames.offsets(),
                frames.data(),
                &keys_,
                to_device ? HANJI_TO_DEVICE : HANJI_FROM_DEVICE,
                made.device,
                made.epoch,
                made.number,
                made.payload,
                frames.bytes(),
                made.payload_offsets,
                made.status,
                scratch.get(),
            };
            failed = hanji_telemetry_open(&call);
        }
        if (failed < 0)
            check(static_cast<int>(failed));
    }

    void seal_into(int algorithm, const Places &places, const ByteStrings &payloads, bool to_device,
                   uint8_t *frames, int64_t *offsets, int8_t *status) const
    {
        const size_t n = payloads.count();
        if (n == 0) { // and devices, epochs and numbers that belong to no payload
            offsets[0] = 0;
            return;
        }
        places.require_frames(n);
        const auto scratch = new_scratch();
        int64_t failed;
        {
            MaybeNoGil released(frame_bytes(payloads));
            const hanji_telemetry_sealing call = {
                n,
                places.device(),
                places.epoch(),
                places.number(),
                payloads.offsets(),
                payloads.data(),
                &keys_,
                to_device ? HANJI_TO_DEVICE : HANJI_FROM_DEVICE,
                algorithm,
                frames,
                frame_bytes(payloads),
                offsets,
                status,
                scratch.get(),
            };
            failed = hanji_telemetry_seal(&call);
        }
        if (failed < 0)
            check(static_cast<int>(failed));
    }

    std::unique_ptr<TableMemory> memory_;
    hanji_master_keys keys_{};
};

// The record batches of an opener and of a sealer from arrays such as MasterKeys makes.
ArrowBatch *opened_batch(nb::handle device, nb::handle epoch, nb::handle number, nb::handle payload,
                         nb::handle offsets, nb::handle status, nb::handle nulls, bool wide)
{
    const size_t n = item_count(status, "status", 1), bytes = item_count(payload, "payload", 1);
    OpenedBatch batch(n, bytes);
    const OpenedPlaces made = batch.places();
    copy_array(made.device, device, "device", n, sizeof *made.device);
    copy_array(made.epoch, epoch, "epoch", n, sizeof *made.epoch);
    copy_array(made.number, number, "number", n, sizeof *made.number);
    copy_array(made.payload, payload, "payload", bytes, 1);
    copy_array(made.payload_offsets, offsets, "offsets", n + 1, sizeof *made.payload_offsets);
    require_sound(made.payload_offsets, n, bytes);
    copy_array(made.status, status, "status", n, sizeof *made.status);
    return batch.finish(nulls, wide);
}

ArrowBatch *sealed_batch(nb::handle frames, nb::handle offsets, nb::handle status, bool wide)
{
    const size_t n = item_count(status, "status", 1), bytes = item_count(frames, "frames", 1);
    SealedBatch batch(n, bytes);
    copy_array(batch.frames(), frames, "frames", bytes, 1);
    copy_array(batch.offsets(), offsets, "offsets", n + 1, sizeof *batch.offsets());
    require_sound(batch.offsets(), n, bytes);
    copy_array(batch.status(), status, "status", n, sizeof *batch.status());
    return batch.finish(wide);
}

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
    nb::class_<ByteStrings>(module, "ByteStrings",
                            "Byte strings side by side, with offsets that are checked and copied.")
        .def(nb::init<const nb::tuple &, const char *, nb::handle, nb::handle>(), nb::arg("numpy"),
             nb::arg("what"), nb::arg("data").none(), nb::arg("offsets").none(),
             nb::sig("def __init__(self, numpy: tuple[typing.Any, ...], what: str, data: object, "
                     "offsets: object) -> None"),
             "Of NumPy arrays: byte string i is data[offsets[i]:offsets[i + 1]].")
        .def(nb::init<nb::handle, nb::handle, size_t, size_t, size_t>(), nb::arg("data").none(),
             nb::arg("offsets").none(), nb::arg("width"), nb::arg("first"), nb::arg("count"),
             nb::sig("def __init__(self, data: hanji._typing.BytesLike | None, "
                     "offsets: hanji._typing.BytesLike | None, width: int, first: int, "
                     "count: int) -> None"),
             "Of the buffers of an Arrow array: offsets of `width` bytes, or none, and byte "
             "strings of `width` bytes.")
        .def("__len__", &ByteStrings::count)
        .def("devices", &ByteStrings::devices, nb::arg("numpy"),
             nb::sig("def devices(self, numpy: tuple[typing.Any, ...]) -> typing.Any"),
             "The device number in each whole header of a frame.")
        .def("copies", &ByteStrings::copies, nb::arg("numpy"),
             nb::sig("def copies(self, numpy: tuple[typing.Any, ...]) -> "
                     "tuple[typing.Any, typing.Any]"),
             "Copies of the bytes and of the offsets, the first of which is 0 then.");
    module.def("checked_offsets", &checked_offsets, nb::arg("numpy"), nb::arg("offsets").none(),
               nb::arg("size"),
               nb::sig("def checked_offsets(numpy: tuple[typing.Any, ...], offsets: object, "
                       "size: int) -> typing.Any"),
               "A checked copy of n + 1 offsets of byte strings in `size` bytes.");
    nb::class_<Places>(module, "Places", "Device, epoch and number of frames to be sealed.")
        .def(nb::init<const nb::tuple &, nb::handle, nb::handle, nb::handle>(), nb::arg("numpy"),
             nb::arg("device").none(), nb::arg("epoch").none(), nb::arg("number").none(),
             nb::sig("def __init__(self, numpy: tuple[typing.Any, ...], device: object, "
                     "epoch: object, number: object) -> None"))
        .def("repeated", &Places::repeated, nb::sig("def repeated(self) -> tuple[int, int] | None"),
             "Two rows with the same device, epoch and number: of the least such numbers the "
             "first two rows.")
        .def("arrays", &Places::arrays, nb::sig("def arrays(self) -> tuple[typing.Any, ...]"),
             "The arrays that were given.")
        .def("require_frames", &Places::require_frames, nb::arg("n"),
             "ValueError unless each array has one number for each of n frames.");
    nb::class_<MasterKeys>(module, "MasterKeys",
                           "The master keys of devices as the library takes them; see "
                           "hanji.telemetry. Wiped when it goes.")
        .def(nb::init<nb::handle, nb::handle, size_t>(), nb::arg("devices").none(),
             nb::arg("masters").none(), nb::arg("master_size"),
             nb::sig("def __init__(self, devices: hanji._typing.BytesLike | None, "
                     "masters: hanji._typing.BytesLike, master_size: int) -> None"))
        .def("open", &MasterKeys::open, nb::arg("numpy"), nb::arg("frames"), nb::arg("to_device"),
             nb::sig("def open(self, numpy: tuple[typing.Any, ...], frames: ByteStrings, "
                     "to_device: bool) -> tuple[typing.Any, ...]"),
             "hanji_telemetry_open: device, epoch, number, payload, its offsets and status.")
        .def("open_batch", &MasterKeys::open_batch, nb::arg("frames"), nb::arg("to_device"),
             nb::arg("nulls").none(), nb::arg("wide"),
             nb::sig("def open_batch(self, frames: ByteStrings, to_device: bool, "
                     "nulls: hanji._typing.BytesLike | None, wide: bool) -> ArrowBatch"),
             "The same as a record batch, with payloads of type large_binary (wide) or binary; "
             "`nulls` says which frames were null.")
        .def("seal", &MasterKeys::seal, nb::arg("numpy"), nb::arg("algorithm"), nb::arg("places"),
             nb::arg("payloads"), nb::arg("to_device"),
             nb::sig("def seal(self, numpy: tuple[typing.Any, ...], algorithm: int, "
                     "places: Places, payloads: ByteStrings, to_device: bool) -> "
                     "tuple[typing.Any, ...]"),
             "hanji_telemetry_seal: frames, their offsets and status.")
        .def("seal_batch", &MasterKeys::seal_batch, nb::arg("algorithm"), nb::arg("places"),
             nb::arg("payloads"), nb::arg("to_device"), nb::arg("wide"),
             nb::sig("def seal_batch(self, algorithm: int, places: Places, payloads: ByteStrings, "
                     "to_device: bool, wide: bool) -> ArrowBatch"),
             "The same as a record batch, with frames of type large_binary (wide) or binary.");
    module.def("opened_batch", &opened_batch, nb::arg("device"), nb::arg("epoch"),
               nb::arg("number"), nb::arg("payload"), nb::arg("offsets"), nb::arg("status"),
               nb::arg("nulls").none(), nb::arg("wide"),
               nb::sig("def opened_batch(device: hanji._typing.BytesLike, "
                       "epoch: hanji._typing.BytesLike, number: hanji._typing.BytesLike, "
                       "payload: hanji._typing.BytesLike, offsets: hanji._typing.BytesLike, "
                       "status: hanji._typing.BytesLike, nulls: hanji._typing.BytesLike | None, "
                       "wide: bool) -> ArrowBatch"),
               "What MasterKeys.open_batch() makes, from copies of what MasterKeys.open() makes.");
    module.def("sealed_batch", &sealed_batch, nb::arg("frames"), nb::arg("offsets"),
               nb::arg("status"), nb::arg("wide"),
               nb::sig("def sealed_batch(frames: hanji._typing.BytesLike, "
                       "offsets: hanji._typing.BytesLike, status: hanji._typing.BytesLike, "
                       "wide: bool) -> ArrowBatch"),
               "What MasterKeys.seal_batch() makes, from copies of what MasterKeys.seal() makes.");
    module.def("frame_statuses", &frame_statuses, nb::sig("def frame_statuses() -> dict[int, str]"),
               "The name of every status of a frame.");
}

} // namespace hanji
