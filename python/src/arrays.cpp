// SPDX-License-Identifier: Apache-2.0
#include "arrays.hpp"

#include <cstring>

namespace hanji
{

nb::object new_array(nb::handle empty, nb::handle type, size_t rows, size_t columns)
{
    PyObject *made = guarded([&] {
        return PyObject_CallFunction(empty.ptr(), "((nn)O)", static_cast<Py_ssize_t>(rows),
                                     static_cast<Py_ssize_t>(columns), type.ptr());
    });
    if (!made)
        throw nb::python_error();
    return nb::steal(made);
}

nb::object new_array(nb::handle empty, nb::handle type, size_t rows)
{
    PyObject *made = guarded([&] {
        return PyObject_CallFunction(empty.ptr(), "(nO)", static_cast<Py_ssize_t>(rows),
                                     type.ptr());
    });
    if (!made)
        throw nb::python_error();
    return nb::steal(made);
}

namespace
{

[[noreturn]] void raise_wrong_items(nb::handle array, const char *what, const Items &items)
{
    const nb::object type = array.attr("dtype"), shape = array.attr("shape");
    raise(PyExc_TypeError, "%s is %S of shape %S; it takes a %s array of one dimension", what,
          type.ptr(), shape.ptr(), items.name);
}

bool has_items(const Py_buffer &view, const Items &items)
{
    if (!view.format || static_cast<size_t>(view.itemsize) != items.bytes)
        return false;
    const char *format = view.format + (view.format[0] == '@' || view.format[0] == '=');
    return format[0] != '\0' && format[1] == '\0' && std::strchr(items.codes, format[0]);
}

} // namespace

FlatArray::FlatArray(const NumPy &numpy, nb::handle array, const char *what, const Items &items)
{
    if (!PyMemoryView_Check(array.ptr())) // what is named below as no array
        refuse_masked(array, what);
    const int is_array =
        guarded([&] { return PyObject_IsInstance(array.ptr(), numpy.array.ptr()); });
    if (is_array < 0)
        throw nb::python_error();
    if (is_array == 0) {
        const nb::object name = array.type().attr("__name__");
        raise(PyExc_TypeError, "%s is a %S; it takes a %s array of one dimension", what, name.ptr(),
              items.name);
    }
    if (guarded([&] { return PyObject_GetBuffer(array.ptr(), &view_, PyBUF_FULL_RO); }) != 0) {
        PyErr_Clear(); // of dates, for example
        raise_wrong_items(array, what, items);
    }
    if (view_.ndim != 1 || !has_items(view_, items)) {
        release_buffer(view_);
        raise_wrong_items(array, what, items);
    }
    if (!PyBuffer_IsContiguous(&view_, 'C')) {
        release_buffer(view_);
        raise(PyExc_TypeError, "%s has steps; give numpy.ascontiguousarray(...)", what);
    }
}

} // namespace hanji
