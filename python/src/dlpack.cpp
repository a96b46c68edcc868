// SPDX-License-Identifier: Apache-2.0
#include "dlpack.hpp"

#include <memory>
#include <vector>

namespace hanji
{
namespace
{

// What belongs to a capsule that we give out. `Structure` is one of the two kinds.
template <class Structure> struct Given {
    Structure structure{};
    PyObject *owner = nullptr;
    std::vector<int64_t> shape, strides;

    static void destroy(Structure *structure)
    {
        auto *given = static_cast<Given *>(structure->context);
        // The consumer may be any thread, and may be late: while the interpreter shuts down, only
        // the thread that does so gets the GIL.
        if (Py_IsInitialized() && (!is_shutting_down() || PyGILState_Check())) {
            const PyGILState_STATE state = guarded([] { return PyGILState_Ensure(); });
            guarded([&] {
                Py_DECREF(given->owner);
                return 0;
            });
            PyGILState_Release(state);
        }
        delete given;
    }
};

template <class Structure>
nb::object make(const char *name, nb::object owner, uint64_t pointer, nb::sequence shape,
                int device, PyCapsule_Destructor unused)
{
    auto given = std::make_unique<Given<Structure>>();
    int64_t step = 1;
    for (nb::handle size : shape)
        given->shape.push_back(nb::cast<int64_t>(size));
    given->strides.resize(given->shape.size());
    for (size_t i = given->shape.size(); i-- > 0;) {
        given->strides[i] = step;
        step *= given->shape[i];
    }
    Structure &made = given->structure;
    made.tensor = {reinterpret_cast<void *>(pointer),
                   dlpack::CUDA,
                   device,
                   static_cast<int32_t>(given->shape.size()),
                   dlpack::UNSIGNED,
                   8,
                   1,
                   given->shape.data(),
                   given->strides.data(),
                   0};
    made.context = given.get();
    made.deleter = &Given<Structure>::destroy;
    PyObject *capsule = PyCapsule_New(&made, name, unused);
    if (!capsule)
        throw nb::python_error();
    given->owner = owner.release().ptr();
    given.release(); // the capsule's now
    return nb::steal(capsule);
}

// The end of a capsule that nobody has taken.
template <class Structure> void drop(PyObject *capsule, const char *name)
{
    if (!PyCapsule_IsValid(capsule, name))
        return;
    auto *structure = static_cast<Structure *>(PyCapsule_GetPointer(capsule, name));
    structure->deleter(structure);
}

} // namespace

nb::object dlpack_export(nb::object owner, uint64_t pointer, nb::sequence shape, int device,
                         bool versioned)
{
    if (!versioned)
        return make<dlpack::Managed>(
            "dltensor", std::move(owner), pointer, shape, device,
            [](PyObject *capsule) { drop<dlpack::Managed>(capsule, "dltensor"); });
    nb::object capsule = make<dlpack::ManagedVersioned>(
        "dltensor_versioned", std::move(owner), pointer, shape, device,
        [](PyObject *object) { drop<dlpack::ManagedVersioned>(object, "dltensor_versioned"); });
    auto *made = static_cast<dlpack::ManagedVersioned *>(
        PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
    made->major = 1;
    made->minor = 0;
    return capsule;
}

} // namespace hanji
