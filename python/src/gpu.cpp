// SPDX-License-Identifier: Apache-2.0
// The extension module hanji._gpu: libhanji-gpu for hanji/gpu.py.
#include "core.hpp"

#include <cstring>

#include "gpu/gpu.h"
#include "hanji/gpu.h"

namespace hanji {
namespace {

// Exception types of this module, derived from HanjiError.
PyObject *device_error_type;
PyObject *unsupported_type;

[[noreturn]] void raise_gpu(int code, const hanji_gpu *gpu) {
    const char *reason = hanji_gpu_reason(gpu);
    switch (code) {
    case HANJI_E_DEVICE: raise(device_error_type, "%s", reason);
    case HANJI_E_UNSUPPORTED: raise(unsupported_type, "%s", reason);
    case HANJI_E_LIMIT: raise(limit_error_type, "%s", reason);
    default:
        if (std::strcmp(reason, "nothing failed") != 0) raise(PyExc_ValueError, "%s", reason);
        raise_code(code);
    }
}

int count() {
    hanji_gpu gpu{};
    int code;
    {
        MaybeNoGil released(SIZE_MAX);
        code = hanji_gpu_count(&gpu);
    }
    if (code < 0) raise_gpu(code, &gpu);
    return code;
}

nb::dict describe(int device) {
    hanji_gpu gpu{};
    hanji_gpu_about about;
    int code;
    {
        MaybeNoGil released(SIZE_MAX);
        code = hanji_gpu_describe(&about, device, &gpu);
    }
    if (code != HANJI_OK) raise_gpu(code, &gpu);
    nb::dict row;
    row["name"] = about.name;
    row["memory"] = about.memory;
    row["capability"] = about.capability;
    row["multiprocessors"] = about.multiprocessors;
    return row;
}

bool has(const char *cipher, bool fleet) { return hanji_gpu_has(hanji_cipher_find(cipher), fleet) == 1; }

nb::dict images() {
    nb::dict all;
    for (const hanji_gpu_image *image = hanji_gpu_images; image->name; image++) all[image->name] = image->text;
    return all;
}

PyObject *new_exception(nb::module_ &module, const char *name, const char *qualified, const char *doc) {
    PyObject *type = PyErr_NewExceptionWithDoc(qualified, doc, error_type, nullptr);
    if (!type) throw nb::python_error();
    module.attr(name) = nb::handle(type);
    return type;
}

} // namespace
} // namespace hanji

NB_MODULE(_gpu, module) {
    using namespace hanji;
    module.doc() = "The compiled part of hanji.gpu.";
    nb::module_ core = nb::module_::import_("hanji._core");
    error_type = core.attr("HanjiError").inc_ref().ptr();
    invalid_tag_type = core.attr("InvalidTag").inc_ref().ptr();
    limit_error_type = core.attr("LimitError").inc_ref().ptr();
    device_error_type = new_exception(module, "DeviceError", "hanji.gpu.DeviceError", "There is no GPU that can be used, or its driver reports an error.");
    unsupported_type = new_exception(module, "UnsupportedError", "hanji.gpu.UnsupportedError", "There are no kernels for GPUs for this algorithm.");
    module.def("count", &count, nb::sig("def count() -> int"), "How many devices the driver has. DeviceError without a driver.");
    module.def("describe", &describe, nb::arg("device"), nb::sig("def describe(device: int) -> dict[str, typing.Any]"), "A device by its number.");
    module.def("has", &has, nb::arg("cipher"), nb::arg("fleet"), nb::sig("def has(cipher: str, fleet: bool) -> bool"),
               "Whether there are kernels for a cipher, or with `fleet` for a key per message.");
    module.def("images", &images, nb::sig("def images() -> dict[str, str]"), "The PTX of the kernels, by file.");
}
