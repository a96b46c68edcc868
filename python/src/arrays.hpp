// SPDX-License-Identifier: Apache-2.0
// NumPy arrays: those that callers give, and new ones for results.
#pragma once

#include "core.hpp"

namespace hanji
{

// What hanji/_numpy.py gives of NumPy, which this module does not import itself.
struct NumPy {
    explicit NumPy(const nb::tuple &given)
    {
        if (given.size() != 6)
            raise(PyExc_ValueError, "numpy has %zu entries; 6 expected", given.size());
        empty = given[0];
        array = given[1];
        uint8 = given[2];
        int8 = given[3];
        uint32 = given[4];
        int64 = given[5];
    }

    nb::handle empty, array;               // numpy.empty, numpy.ndarray
    nb::handle uint8, int8, uint32, int64; // dtypes
};

// numpy.empty((rows, columns), type), or numpy.empty(rows, type).
nb::object new_array(nb::handle empty, nb::handle type, size_t rows, size_t columns);
nb::object new_array(nb::handle empty, nb::handle type, size_t rows);

// A new array of one dimension that is filled before anybody else sees it.
template <class Item> class NewArray
{
  public:
    NewArray(nb::handle empty, nb::handle type, size_t count)
        : object_(new_array(empty, type, count))
    {
        const Output bytes(object_, "a new array", any_items);
        if (bytes.size() != count * sizeof(Item))
            raise(PyExc_ValueError, "a new array has %zu bytes; %zu expected", bytes.size(),
                  count * sizeof(Item));
        data_ = reinterpret_cast<Item *>(bytes.data());
    }
    Item *data() const
    {
        return data_;
    }
    const nb::object &object() const
    {
        return object_;
    }
    nb::object first(size_t count) const;

  private:
    nb::object object_;
    Item *data_; // lives as long as the array, which nobody else has and can resize
};

template <class Item> nb::object NewArray<Item>::first(size_t count) const
{
    PyObject *part = guarded(
        [&] { return PySequence_GetSlice(object_.ptr(), 0, static_cast<Py_ssize_t>(count)); });
    if (!part)
        throw nb::python_error();
    return nb::steal(part);
}

// The items of an array, as messages name them, and the codes that the buffer protocol has for them
// on this machine or another.
struct Items {
    const char *name;
    size_t bytes;
    const char *codes;
};
inline constexpr Items uint8_items{"uint8", 1, "B"}, uint32_items{"uint32", 4, "IL"},
    int64_items{"int64", 8, "lq"};

// A C-contiguous NumPy array of one dimension, held and exported for as long as this object lives.
// TypeError for everything else: items of another type and the same size would be taken for other
// numbers. Made and destroyed with the GIL held.
class FlatArray
{
  public:
    FlatArray(const NumPy &numpy, nb::handle array, const char *what, const Items &items);
    FlatArray(const FlatArray &) = delete;
    FlatArray &operator=(const FlatArray &) = delete;
    ~FlatArray()
    {
        release_buffer(view_);
    }
    const uint8_t *data() const
    {
        return static_cast<const uint8_t *>(view_.buf);
    }
    // In bytes.
    size_t size() const
    {
        return static_cast<size_t>(view_.len);
    }
    nb::handle object() const
    {
        return view_.obj;
    }

  private:
    Py_buffer view_;
};

} // namespace hanji
