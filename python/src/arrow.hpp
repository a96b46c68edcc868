// SPDX-License-Identifier: Apache-2.0
// Record batches for Arrow: memory of ours in the Arrow C data interface, which pyarrow and others
// take over without a copy.
#pragma once

#include "core.hpp"

#include <memory>

namespace hanji
{

// Memory with an alignment that suits vectors, and from 2 MiB on huge pages.
class AlignedMemory
{
  public:
    explicit AlignedMemory(size_t bytes);
    AlignedMemory(const AlignedMemory &) = delete;
    AlignedMemory &operator=(const AlignedMemory &) = delete;
    ~AlignedMemory();
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

// A column of a record batch. The format is one of the C data interface: "I" for uint32, "c" for
// int8, "z" for binary and "Z" for large_binary. The buffers are the validity bits (null: no value
// is null), for byte strings the offsets, and the values.
struct ArrowColumn {
    const char *name, *format;
    const void *buffers[3];
    size_t count; // of the buffers
    size_t rows, nulls;
};

// A record batch and its memory, which live until the last consumer has released its part. Nothing
// is changed once the batch is exported.
struct ArrowColumns {
    static constexpr size_t most = 5;
    ArrowColumns(size_t bytes, size_t count) : memory(bytes), rows(count)
    {
    }
    void add(const char *name, const char *format, const void *values)
    {
        column[columns++] = {name, format, {nullptr, values, nullptr}, 2, rows, 0};
    }
    void add_strings(const char *name, const char *format, const void *offsets, const void *values,
                     const void *validity, size_t nulls)
    {
        column[columns++] = {name, format, {validity, offsets, values}, 3, rows, nulls};
    }

    AlignedMemory memory;
    const size_t rows;
    size_t columns = 0;
    ArrowColumn column[most];
};

// What Python sees of a record batch: an object with __arrow_c_array__.
class ArrowBatch
{
  public:
    explicit ArrowBatch(std::unique_ptr<ArrowColumns> columns) : columns_(std::move(columns))
    {
    }
    nb::tuple export_to_c() const;

  private:
    std::shared_ptr<const ArrowColumns> columns_;
};

// Makes room for parts of one memory, each at a multiple of 64 bytes.
class Parts
{
  public:
    // The place of the next part.
    size_t add(size_t count, size_t item)
    {
        if (count > (SIZE_MAX - bytes_ - 64) / item)
            throw std::bad_alloc();
        const size_t at = bytes_;
        bytes_ += (count * item + 63) / 64 * 64;
        return at;
    }
    size_t bytes() const
    {
        return bytes_;
    }

  private:
    size_t bytes_ = 0;
};

} // namespace hanji
