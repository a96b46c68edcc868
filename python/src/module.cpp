// SPDX-License-Identifier: Apache-2.0
#include "core.hpp"

#include <algorithm>

namespace hanji
{

namespace
{

PyObject *new_exception(nb::module_ &module, const char *name, const char *qualified,
                        const char *doc, PyObject *base)
{
    PyObject *type = PyErr_NewExceptionWithDoc(qualified, doc, base, nullptr);
    if (!type)
        throw nb::python_error();
    module.attr(name) = nb::handle(type);
    return type;
}

nb::bytes to_bytes(nb::handle value, const char *what)
{
    if (PyBytes_CheckExact(value.ptr()))
        return nb::borrow<nb::bytes>(value);
    const Input in(value, what);
    NewBytes out(in.size());
    std::copy_n(in.data(), in.size(), out.data());
    return out.take();
}

void require_bytes(nb::handle value, const char *what)
{
    const Input in(value, what);
}

} // namespace
} // namespace hanji

// Only the PyInit function at the end is exported.
#undef NB_EXPORT
#define NB_EXPORT
NB_MODULE(core_of_nanobind, module)
{
    using namespace hanji;
    // Objects that daemon threads still use at exit are no leaks.
    nb::set_leak_warnings(false);
    module.doc() =
        "The compiled part of hanji; use hanji.aead, hanji.hashes, hanji.hazmat and hanji.fleet.";
    error_type = new_exception(module, "HanjiError", "hanji.HanjiError",
                               "Base of the errors that are hanji's own.", PyExc_Exception);
    invalid_tag_type = new_exception(
        module, "InvalidTag", "hanji.InvalidTag",
        "The tag does not match: the message was altered, or key, nonce or associated data differ.",
        error_type);
    limit_error_type = new_exception(
        module, "LimitError", "hanji.LimitError",
        "The data limit of this key would be exceeded; change the key, or raise the limit explicitly.",
        error_type);
    const nb::object bases =
        nb::make_tuple(nb::handle(PyExc_TypeError), nb::handle(PyExc_BufferError));
    layout_error_type =
        new_exception(module, "LayoutError", "hanji._core.LayoutError",
                      "The memory of an argument is not C-contiguous.", bases.ptr());
    module.def("to_bytes", &to_bytes, nb::arg("value").none(), nb::arg("what"),
               nb::sig("def to_bytes(value: hanji._typing.BytesLike, what: str) -> bytes"),
               "The bytes of a bytes-like argument called `what`; TypeError for everything else.");
    module.def("require_bytes", &require_bytes, nb::arg("value").none(), nb::arg("what"),
               nb::sig("def require_bytes(value: hanji._typing.BytesLike, what: str) -> None"),
               "TypeError unless an argument called `what` is bytes-like.");
    bind_info(module);
    bind_aead(module);
    bind_hashes(module);
    bind_hazmat(module);
    bind_fleet(module);
    bind_arrow(module);
    bind_sign(module);
    bind_telemetry(module);
    bind_table(module);
}

PyMODINIT_FUNC PyInit__core(void)
{
    return hanji::for_main_interpreter(&PyInit_core_of_nanobind);
}
