// SPDX-License-Identifier: Apache-2.0
// Splits and joins the byte strings of a column, for hanji.table. Each offset is read once and
// checked before it is used, so that no argument can make these functions read or write elsewhere.
#include "core.hpp"

#include <cstring>

namespace hanji
{
namespace
{

// int64 numbers of this machine's byte order, at any alignment.
class Numbers
{
  public:
    Numbers(const Input &given, const char *what) : data_(given.data())
    {
        if (given.size() % sizeof(int64_t) != 0)
            raise(PyExc_ValueError, "%s is %zu bytes; a multiple of 8 (int64) expected", what,
                  given.size());
        count_ = given.size() / sizeof(int64_t);
    }
    size_t size() const
    {
        return count_;
    }
    int64_t operator[](size_t place) const
    {
        int64_t number;
        std::memcpy(&number, data_ + place * sizeof number, sizeof number);
        return number;
    }

  private:
    const uint8_t *data_;
    size_t count_;
};

// n + 1 offsets of n byte strings in `data`.
class Rows
{
  public:
    Rows(const Input &data, const Input &offsets) : data_(data), at_(offsets, "offsets")
    {
        if (at_.size() == 0)
            raise(PyExc_ValueError, "offsets are empty; n + 1 numbers for n rows expected");
    }
    size_t size() const
    {
        return at_.size() - 1;
    }
    // The bytes of a row. False if its offsets decrease or point outside of the data.
    bool find(size_t row, const uint8_t **bytes, size_t *length) const
    {
        const int64_t first = at_[row], last = at_[row + 1];
        if (first < 0 || last < first || static_cast<uint64_t>(last) > data_.size())
            return false;
        *bytes = data_.data() + first;
        *length = static_cast<size_t>(last - first);
        return true;
    }

  private:
    const Input &data_;
    const Numbers at_;
};

// The unused part of an output.
class Room
{
  public:
    explicit Room(const Output &out) : at_(out.data()), left_(out.size())
    {
    }
    // Copy bytes to the output. False if they do not fit. The input may overlap the output.
    bool add(const uint8_t *bytes, size_t count)
    {
        if (count > left_)
            return false;
        if (count == 16) // the size of most keys, nonces and tags
            std::memmove(at_, bytes, 16);
        else if (count != 0)
            std::memmove(at_, bytes, count);
        at_ += count;
        left_ -= count;
        return true;
    }
    bool full() const
    {
        return left_ == 0;
    }

  private:
    uint8_t *at_;
    size_t left_;
};

// Writes n + 1 offsets.
class Starts
{
  public:
    Starts(const Output &out, size_t rows) : at_(out.data())
    {
        if (out.size() % sizeof(int64_t) != 0 || out.size() / sizeof(int64_t) != rows + 1)
            raise(PyExc_ValueError, "starts is %zu bytes; %zu rows take 8 * %zu", out.size(), rows,
                  rows + 1);
        add(0);
    }
    void add(size_t bytes)
    {
        end_ += static_cast<int64_t>(bytes);
        std::memcpy(at_, &end_, sizeof end_);
        at_ += sizeof end_;
    }

  private:
    uint8_t *at_;
    int64_t end_ = 0;
};

enum class Fault { none, row, offsets, room };

[[noreturn]] void refuse(Fault fault, size_t place, size_t rows)
{
    if (fault == Fault::row)
        raise(PyExc_ValueError, "entry %zu of use is not the number of one of %zu rows", place,
              rows);
    if (fault == Fault::offsets)
        raise(PyExc_ValueError,
              "row %zu: its offsets decrease, point outside of the data, or hold fewer bytes than "
              "the tail",
              place);
    raise(PyExc_ValueError, "the outputs do not have the size that the rows take");
}

void split_rows(nb::handle data, nb::handle offsets, nb::handle use, size_t tail, nb::handle heads,
                nb::handle starts, nb::handle tails)
{
    const Input bytes(data, "data"), given_offsets(offsets, "offsets"),
        chosen(use, "use", none_is_empty);
    const Output head_bytes(heads, "heads"), places(starts, "starts"), tail_bytes(tails, "tails");
    const Rows rows(bytes, given_offsets);
    const Numbers indexes(chosen, "use");
    const bool all = use.is_none();
    const size_t count = all ? rows.size() : indexes.size();
    Starts written(places, count);
    Room head_room(head_bytes), tail_room(tail_bytes);
    Fault fault = Fault::none;
    size_t i = 0, row = 0;
    {
        MaybeNoGil released(bytes.size());
        for (; i < count; i++) {
            const int64_t index = all ? static_cast<int64_t>(i) : indexes[i];
            if (index < 0 || static_cast<uint64_t>(index) >= rows.size()) {
                fault = Fault::row;
                break;
            }
            row = static_cast<size_t>(index);
            const uint8_t *text;
            size_t length;
            if (!rows.find(row, &text, &length) || length < tail) {
                fault = Fault::offsets;
                break;
            }
            const size_t head = length - tail;
            if (!head_room.add(text, head) || !tail_room.add(text + head, tail)) {
                fault = Fault::room;
                break;
            }
            written.add(head);
        }
        if (fault == Fault::none && !(head_room.full() && tail_room.full()))
            fault = Fault::room;
    }
    if (fault != Fault::none)
        refuse(fault, fault == Fault::row ? i : row, rows.size());
}

void join_rows(nb::handle data, nb::handle offsets, nb::handle tails, size_t tail, nb::handle out,
               nb::handle starts)
{
    const Input bytes(data, "data"), given_offsets(offsets, "offsets"), tail_bytes(tails, "tails");
    const Output made(out, "out"), places(starts, "starts");
    const Rows rows(bytes, given_offsets);
    const size_t count = rows.size();
    if (tail != 0 ? tail_bytes.size() % tail != 0 || tail_bytes.size() / tail != count
                  : tail_bytes.size() != 0)
        raise(PyExc_ValueError, "tails is %zu bytes; %zu rows take %zu each", tail_bytes.size(),
              count, tail);
    Starts written(places, count);
    Room room(made);
    Fault fault = Fault::none;
    size_t row = 0;
    {
        MaybeNoGil released(bytes.size());
        for (; row < count; row++) {
            const uint8_t *text;
            size_t length;
            if (!rows.find(row, &text, &length)) {
                fault = Fault::offsets;
                break;
            }
            if (!room.add(text, length) || !room.add(tail_bytes.data() + row * tail, tail)) {
                fault = Fault::room;
                break;
            }
            written.add(length + tail);
        }
        if (fault == Fault::none && !room.full())
            fault = Fault::room;
    }
    if (fault != Fault::none)
        refuse(fault, row, count);
}

} // namespace

void bind_table(nb::module_ &module)
{
    module.def("split_rows", &split_rows, nb::arg("data").none(), nb::arg("offsets").none(),
               nb::arg("use").none(), nb::arg("tail"), nb::arg("heads").none(),
               nb::arg("starts").none(), nb::arg("tails").none(),
               nb::sig("def split_rows(data: hanji._typing.BytesLike, "
                       "offsets: hanji._typing.BytesLike, use: hanji._typing.BytesLike | None, "
                       "tail: int, heads: hanji._typing.BytesLike, "
                       "starts: hanji._typing.BytesLike, tails: hanji._typing.BytesLike) -> None"),
               "Split n byte strings, or those with the row numbers `use`: copy the last `tail` "
               "bytes of each to `tails` and the bytes before them to `heads`, and write the "
               "offsets of the heads to `starts`. Offsets and row numbers are bytes of int64.");
    module.def("join_rows", &join_rows, nb::arg("data").none(), nb::arg("offsets").none(),
               nb::arg("tails").none(), nb::arg("tail"), nb::arg("out").none(),
               nb::arg("starts").none(),
               nb::sig("def join_rows(data: hanji._typing.BytesLike, "
                       "offsets: hanji._typing.BytesLike, tails: hanji._typing.BytesLike, "
                       "tail: int, out: hanji._typing.BytesLike, "
                       "starts: hanji._typing.BytesLike) -> None"),
               "Copy n byte strings to `out`, each followed by its `tail` bytes of `tails`, and "
               "write their offsets to `starts`. Offsets are bytes of int64.");
}

} // namespace hanji
