// SPDX-License-Identifier: Apache-2.0
// What the extension modules share: errors and buffers. Each module has a copy of it.
#include "core.hpp"

#include <cstring>
#include <string>

namespace hanji
{

PyObject *error_type;
PyObject *invalid_tag_type;
PyObject *limit_error_type;
PyObject *layout_error_type;

void raise_code(int code)
{
    switch (code) {
    case HANJI_E_TAG:
        raise(
            invalid_tag_type,
            "the tag does not match: data, nonce, associated data or key are not those that it was made with");
    case HANJI_E_LIMIT: raise(limit_error_type, "%s", hanji_error_text(code));
    case HANJI_E_ARGUMENT:
    case HANJI_E_LENGTH:
        raise(PyExc_ValueError, "%s (%s)", hanji_error_text(code), hanji_error_name(code));
    case HANJI_E_UNSUPPORTED:
        raise(
            error_type,
            "%s; hanji.backends() lists the tiers, the environment variable HANJI_FORCE and hanji.force() choose one",
            hanji_error_text(code));
    default: raise(error_type, "%s (%s)", hanji_error_text(code), hanji_error_name(code));
    }
}

namespace
{

constexpr const char *kinds = "bytes, bytearray, memoryview, uint8 array";

// Whether an object is a masked array of NumPy, or a memoryview of one: its buffer holds what the
// mask hides.
bool is_masked(PyObject *object)
{
    if (PyMemoryView_Check(object)) {
        PyObject *exporter = PyMemoryView_GET_BUFFER(object)->obj;
        return exporter && exporter != object && !PyMemoryView_Check(exporter) &&
               is_masked(exporter);
    }
    PyObject *bases = Py_TYPE(object)->tp_mro;
    if (!bases || PyByteArray_Check(object))
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        const char *name = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(bases, i))->tp_name;
        const char *last = std::strrchr(name, '.');
        if (std::strcmp(last ? last + 1 : name, "MaskedArray") == 0)
            return true;
    }
    return false;
}

// Items of one byte that are numbers or characters, in at least one dimension.
bool holds_bytes(const Py_buffer &view)
{
    if (view.itemsize != 1 || view.ndim == 0)
        return false;
    if (!view.format)
        return true;
    const char *format =
        view.format + (std::strchr("@=<>!", view.format[0]) && view.format[0] != '\0');
    return std::strchr("Bbc", format[0]) && format[0] != '\0' && format[1] == '\0';
}

// What a bytes-like argument must be, whether it is read or written; raises what is wrong and
// leaves no export behind.
void require_bytes_like(Py_buffer &view, nb::handle object, const char *what)
{
    const char *type = Py_TYPE(object.ptr())->tp_name;
    if (!holds_bytes(view)) {
        const std::string format = view.format ? view.format : "B";
        const Py_ssize_t bytes = view.itemsize;
        const int dimensions = view.ndim;
        release_buffer(view);
        if (dimensions == 0)
            raise(PyExc_TypeError,
                  "%s must be bytes-like (%s), not %s: a single number of format '%s'", what, kinds,
                  type, format.c_str());
        raise(
            PyExc_TypeError,
            "%s must be bytes-like (%s), not a %s with items of %zd bytes of format '%s'; give its bytes, for example array.view(numpy.uint8)",
            what, kinds, type, bytes, format.c_str());
    }
}

// What is read or written is `len` bytes from the first on, which are those of the items only where
// no item is left out; raises otherwise and leaves no export behind.
void require_contiguous(Py_buffer &view, nb::handle object, const char *what)
{
    if (PyBuffer_IsContiguous(&view, 'C'))
        return;
    release_buffer(view);
    raise(
        layout_error_type,
        "%s is a %s that is not C-contiguous; pass a contiguous copy, for example bytes(...) or numpy.ascontiguousarray(...)",
        what, Py_TYPE(object.ptr())->tp_name);
}

} // namespace

void refuse_masked(nb::handle object, const char *what)
{
    if (is_masked(object.ptr()))
        raise(
            PyExc_TypeError,
            "%s is a masked array; the bytes under its mask would be used: give array.filled(...) or array.data",
            what);
}

Input::Input(nb::handle object, const char *what)
{
    take(object, what, false);
}

Input::Input(nb::handle object, const char *what, AnyItems)
{
    take(object, what, true);
}

void Input::take(nb::handle object, const char *what, bool words)
{
    if (!object.is_valid())
        return;
    if (PyBytes_Check(object.ptr())) { // immutable: no export needed
        held_ = nb::borrow(object);
        data_ = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(object.ptr()));
        size_ = static_cast<size_t>(PyBytes_GET_SIZE(object.ptr()));
        return;
    }
    if (!PyObject_CheckBuffer(object.ptr()))
        raise(PyExc_TypeError, "%s must be bytes-like (%s), not %s", what, kinds,
              Py_TYPE(object.ptr())->tp_name);
    refuse_masked(object, what);
    if (guarded([&] { return PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FULL_RO); }) != 0) {
        PyErr_Clear();
        raise(PyExc_TypeError, "%s must be bytes-like (%s), and this %s gives out no bytes", what,
              kinds, Py_TYPE(object.ptr())->tp_name);
    }
    if (!words)
        require_bytes_like(view_, object, what);
    require_contiguous(view_, object, what);
    exported_ = true;
    data_ = static_cast<const uint8_t *>(view_.buf);
    size_ = static_cast<size_t>(view_.len);
}

Output::Output(nb::handle object, const char *what)
{
    take(object, what, false);
}

Output::Output(nb::handle object, const char *what, AnyItems)
{
    take(object, what, true);
}

void Output::take(nb::handle object, const char *what, bool words)
{
    if (!PyObject_CheckBuffer(object.ptr()) || PyBytes_Check(object.ptr())) {
        if (PyBytes_Check(object.ptr()))
            raise(PyExc_TypeError,
                  "%s is a read-only %s; pass a writable buffer, for example a bytearray", what,
                  Py_TYPE(object.ptr())->tp_name);
        raise(
            PyExc_TypeError,
            "%s must be a writable bytes-like object (bytearray, memoryview, uint8 array), not %s",
            what, Py_TYPE(object.ptr())->tp_name);
    }
    refuse_masked(object, what);
    if (guarded([&] { return PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FULL_RO); }) != 0) {
        PyErr_Clear();
        raise(PyExc_TypeError, "%s must be bytes-like (%s), and this %s gives out no bytes", what,
              kinds, Py_TYPE(object.ptr())->tp_name);
    }
    const bool readonly = view_.readonly != 0;
    if (readonly) {
        release_buffer(view_);
        raise(PyExc_TypeError,
              "%s is a read-only %s; pass a writable buffer, for example a bytearray", what,
              Py_TYPE(object.ptr())->tp_name);
    }
    if (!words)
        require_bytes_like(view_, object, what);
    require_contiguous(view_, object, what);
    exported_ = true;
    data_ = static_cast<uint8_t *>(view_.buf);
    size_ = static_cast<size_t>(view_.len);
}

void require_apart(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                   const char *what, bool in_place_allowed)
{
    if (!overlap(out, out_bytes, in, in_bytes))
        return;
    if (!in_place_allowed)
        raise(PyExc_ValueError, "the output overlaps %s; give it memory of its own", what);
    if (out != in)
        raise(
            PyExc_ValueError,
            "the output overlaps %s in part; give it memory of its own, or let both begin at the same byte",
            what);
}

nb::bytes random_bytes(size_t size)
{
    NewBytes out(size);
    check(hanji_random(out.data(), size));
    return out.take();
}

} // namespace hanji
