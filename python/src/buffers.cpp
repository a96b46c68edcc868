// SPDX-License-Identifier: Apache-2.0
// What the extension modules share: errors and buffers. Each module has a copy of it.
#include "core.hpp"

namespace hanji {

PyObject *error_type;
PyObject *invalid_tag_type;
PyObject *limit_error_type;

void raise_code(int code) {
    switch (code) {
    case HANJI_E_TAG:
        raise(invalid_tag_type, "the tag does not match: data, nonce, associated data or key are not those that it was made with");
    case HANJI_E_LIMIT:
        raise(limit_error_type, "%s", hanji_error_text(code));
    case HANJI_E_ARGUMENT:
    case HANJI_E_LENGTH:
        raise(PyExc_ValueError, "%s (%s)", hanji_error_text(code), hanji_error_name(code));
    case HANJI_E_UNSUPPORTED:
        raise(error_type, "%s; hanji.backends() lists the tiers, the environment variable HANJI_FORCE and hanji.force() choose one",
              hanji_error_text(code));
    default:
        raise(error_type, "%s (%s)", hanji_error_text(code), hanji_error_name(code));
    }
}

Input::Input(nb::handle object, const char *what) {
    if (!object.is_valid()) return;
    if (PyBytes_CheckExact(object.ptr())) { // immutable: no export needed
        held_ = nb::borrow(object);
        data_ = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(object.ptr()));
        size_ = static_cast<size_t>(PyBytes_GET_SIZE(object.ptr()));
        return;
    }
    if (!PyObject_CheckBuffer(object.ptr()))
        raise(PyExc_TypeError, "%s must be bytes-like (bytes, bytearray, memoryview, NumPy array), not %s", what, Py_TYPE(object.ptr())->tp_name);
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
        PyErr_Clear();
        raise(PyExc_BufferError, "%s is a %s that is not C-contiguous; pass a contiguous copy, for example bytes(...) or numpy.ascontiguousarray(...)",
              what, Py_TYPE(object.ptr())->tp_name);
    }
    exported_ = true;
    data_ = static_cast<const uint8_t *>(view_.buf);
    size_ = static_cast<size_t>(view_.len);
}

Output::Output(nb::handle object, const char *what) {
    if (!PyObject_CheckBuffer(object.ptr()))
        raise(PyExc_TypeError, "%s must be a writable bytes-like object (bytearray, memoryview, NumPy array), not %s", what,
              Py_TYPE(object.ptr())->tp_name);
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_WRITABLE) != 0) {
        PyErr_Clear();
        bool readonly = false;
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_FULL_RO) == 0) {
            readonly = view_.readonly != 0;
            PyBuffer_Release(&view_);
        } else {
            PyErr_Clear();
        }
        if (readonly)
            raise(PyExc_TypeError, "%s is a read-only %s; pass a writable buffer, for example a bytearray", what, Py_TYPE(object.ptr())->tp_name);
        raise(PyExc_BufferError, "%s is a %s that is not C-contiguous; pass a contiguous buffer, for example a bytearray", what,
              Py_TYPE(object.ptr())->tp_name);
    }
    exported_ = true;
    data_ = static_cast<uint8_t *>(view_.buf);
    size_ = static_cast<size_t>(view_.len);
}

void require_apart(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const char *what, bool in_place_allowed) {
    if (!overlap(out, out_bytes, in, in_bytes)) return;
    if (!in_place_allowed) raise(PyExc_ValueError, "the output overlaps %s; give it memory of its own", what);
    if (out != in) raise(PyExc_ValueError, "the output overlaps %s in part; give it memory of its own, or let both begin at the same byte", what);
}

nb::bytes random_bytes(size_t size) {
    NewBytes out(size);
    check(hanji_random(out.data(), size));
    return out.take();
}

} // namespace hanji
