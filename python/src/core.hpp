// SPDX-License-Identifier: Apache-2.0
// What every file of the extension modules shares: errors, buffers, the GIL and locks.
//
// Threads: objects that change (hashes, CTR, CMAC, EAX) hold a mutex; the others are constant after
// construction. A mutex is held only around calls of the C library, never around a call of Python,
// so that it cannot deadlock with the GIL or with a finaliser. Fork: the module has no state of its
// own; an object that another thread is using at the moment of a fork is unusable in the child.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "hanji/hanji.h"
#include "runtime.hpp"

namespace hanji
{

namespace nb = nanobind;

// Exception types; created when _core is imported, and taken from there by other modules.
extern PyObject *error_type;
extern PyObject *invalid_tag_type;
extern PyObject *limit_error_type;
extern PyObject *layout_error_type; // a TypeError and a BufferError

// Set a Python exception from a printf-like format (PyErr_Format) and throw it.
template <class... Arguments>
[[noreturn]] void raise(PyObject *type, const char *format, Arguments... arguments)
{
    PyErr_Format(type, format, arguments...);
    throw nb::python_error();
}

// Raise what an error code of the library means. Callers that know more about lengths and limits
// say it themselves before.
[[noreturn]] void raise_code(int code);
inline void check(int code)
{
    if (code != HANJI_OK)
        raise_code(code);
}

// Length errors say what was given and what is taken.
inline void require_size(const char *what, size_t given, const char *algorithm, size_t expected)
{
    if (given != expected)
        raise(PyExc_ValueError, "%s is %zu bytes; %s takes %zu", what, given, algorithm, expected);
}

// PyBuffer_Release(), which may call Python.
inline void release_buffer(Py_buffer &view)
{
    guarded([&] {
        PyBuffer_Release(&view);
        return 0;
    });
}

struct NoneIsEmpty {
};
inline constexpr NoneIsEmpty none_is_empty;
struct AnyItems {
};
inline constexpr AnyItems any_items;

// TypeError for a masked array of NumPy, or a memoryview of one.
void refuse_masked(nb::handle object, const char *what);

// A bytes-like argument, held and exported for as long as this object lives: it cannot go, and a
// bytearray cannot be resized, while the GIL is released, whatever other threads do to the list
// that it came from. Made and destroyed with the GIL held. Bytes-like is an argument of
// bytes(memoryview(x)) whose items are single bytes: words have another order on another machine,
// an int or a str is not bytes, and a mask would be lost.
class Input
{
  public:
    Input(nb::handle object, const char *what);
    Input(nb::handle object, const char *what, AnyItems); // words that this package has made
    Input(nb::handle object, const char *what, NoneIsEmpty)
        : Input(object.is_none() ? nb::handle() : object, what)
    {
    }
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;
    ~Input()
    {
        if (exported_)
            release_buffer(view_);
    }
    const uint8_t *data() const
    {
        return data_;
    }
    size_t size() const
    {
        return size_;
    }

  private:
    void take(nb::handle object, const char *what, bool words);

    const uint8_t *data_ = nullptr;
    size_t size_ = 0;
    bool exported_ = false;
    nb::object held_; // of what is not exported
    Py_buffer view_;
};

// A writable bytes-like argument.
class Output
{
  public:
    Output(nb::handle object, const char *what);
    Output(nb::handle object, const char *what, AnyItems); // words that this package has made
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    ~Output()
    {
        if (exported_)
            release_buffer(view_);
    }
    uint8_t *data() const
    {
        return data_;
    }
    size_t size() const
    {
        return size_;
    }

  private:
    void take(nb::handle object, const char *what, bool words);

    uint8_t *data_ = nullptr;
    size_t size_ = 0;
    bool exported_ = false;
    Py_buffer view_;
};

// A new bytes object that is filled before anybody else sees it.
class NewBytes
{
  public:
    explicit NewBytes(size_t size)
    {
        if (size > static_cast<size_t>(PY_SSIZE_T_MAX)) {
            PyErr_NoMemory();
            throw nb::python_error();
        }
        object_ = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
        if (!object_.is_valid())
            throw nb::python_error();
    }
    uint8_t *data() const
    {
        return reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(object_.ptr()));
    }
    size_t size() const
    {
        return static_cast<size_t>(PyBytes_GET_SIZE(object_.ptr()));
    }
    nb::bytes take()
    {
        return nb::borrow<nb::bytes>(object_);
    }

  private:
    nb::object object_;
};

// Whether two ranges share a byte; empty ones share none.
inline bool overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const auto at = reinterpret_cast<uintptr_t>(a), other = reinterpret_cast<uintptr_t>(b);
    return a_bytes != 0 && b_bytes != 0 && (at - other < b_bytes || other - at < a_bytes);
}

// Refuse an output that overlaps an input, unless both begin at the same byte and that is allowed
// (in place).
void require_apart(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                   const char *what, bool in_place_allowed);

// From this many bytes of work on, other Python threads run meanwhile.
constexpr size_t gil_bytes = 2048;

// Releases the GIL for its lifetime when there is enough work.
class MaybeNoGil
{
  public:
    explicit MaybeNoGil(size_t work) : state_(work >= gil_bytes ? PyEval_SaveThread() : nullptr)
    {
    }
    MaybeNoGil(const MaybeNoGil &) = delete;
    MaybeNoGil &operator=(const MaybeNoGil &) = delete;
    ~MaybeNoGil()
    {
        if (state_)
            take_gil(state_);
    }
    // Run `body`, which must not throw, with the GIL, and release it again.
    template <class Body> void with_gil(Body body)
    {
        if (!state_) {
            body();
            return;
        }
        take_gil(state_);
        state_ = nullptr;
        body();
        state_ = PyEval_SaveThread();
    }

  private:
    PyThreadState *state_;
};

// Run `body` under `lock`. The GIL is released for much work, and whenever another thread holds the
// lock: that thread may need the GIL.
template <class Body> int with_lock(Lock &lock, size_t work, Body body)
{
    lock.require_usable();
    if (work < gil_bytes && lock.try_lock()) {
        std::lock_guard<Lock> held(lock, std::adopt_lock);
        return body();
    }
    MaybeNoGil released(SIZE_MAX);
    std::lock_guard<Lock> held(lock);
    return body();
}

// Bytes from the operating system.
nb::bytes random_bytes(size_t size);

void bind_aead(nb::module_ &module);
void bind_hashes(nb::module_ &module);
void bind_hazmat(nb::module_ &module);
void bind_fleet(nb::module_ &module);
void bind_sign(nb::module_ &module);
void bind_telemetry(nb::module_ &module);
void bind_table(nb::module_ &module);
void bind_arrow(nb::module_ &module);
void bind_info(nb::module_ &module);

} // namespace hanji
