// SPDX-License-Identifier: Apache-2.0
#include "core.hpp"

namespace hanji {

namespace {

PyObject *new_exception(nb::module_ &module, const char *name, const char *qualified, const char *doc, PyObject *base) {
    PyObject *type = PyErr_NewExceptionWithDoc(qualified, doc, base, nullptr);
    if (!type) throw nb::python_error();
    module.attr(name) = nb::handle(type);
    return type;
}

} // namespace
} // namespace hanji

NB_MODULE(_core, module) {
    using namespace hanji;
    module.doc() = "The compiled part of hanji; use hanji.aead, hanji.hashes, hanji.hazmat and hanji.fleet.";
    error_type = new_exception(module, "HanjiError", "hanji.HanjiError", "Base of the errors that are hanji's own.", PyExc_Exception);
    invalid_tag_type = new_exception(module, "InvalidTag", "hanji.InvalidTag",
                                     "The tag does not match: the message was altered, or key, nonce or associated data differ.", error_type);
    limit_error_type = new_exception(module, "LimitError", "hanji.LimitError",
                                     "The data limit of this key would be exceeded; change the key, or raise the limit explicitly.", error_type);
    bind_info(module);
    bind_aead(module);
    bind_hashes(module);
    bind_hazmat(module);
    bind_fleet(module);
    bind_sign(module);
}
