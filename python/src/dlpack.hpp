// SPDX-License-Identifier: Apache-2.0
// DLPack: the exchange of arrays between libraries, both ways. The structures are those of DLPack
// 1.0 (dmlc/dlpack, dlpack.h), of which the first kind is the older one.
#pragma once

#include "core.hpp"

namespace hanji
{

namespace dlpack
{

enum { CUDA = 2, CUDA_MANAGED = 13, UNSIGNED = 1, READ_ONLY = 1 };

struct Tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

struct Managed {
    Tensor tensor;
    void *context;
    void (*deleter)(Managed *);
};

struct ManagedVersioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(ManagedVersioned *);
    uint64_t flags;
    Tensor tensor;
};

} // namespace dlpack

// An array that another library has given out as a capsule; given back when this object goes.
class DLTensor
{
  public:
    explicit DLTensor(nb::capsule capsule)
    {
        PyObject *object = capsule.ptr();
        if (PyCapsule_IsValid(object, "dltensor_versioned")) {
            versioned_ = static_cast<dlpack::ManagedVersioned *>(
                PyCapsule_GetPointer(object, "dltensor_versioned"));
            PyCapsule_SetName(object, "used_dltensor_versioned");
            if (versioned_->major != 1) {
                const unsigned major = versioned_->major;
                release();
                raise(PyExc_BufferError,
                      "the array comes as DLPack version %u; version 1 is understood", major);
            }
            tensor = &versioned_->tensor;
            read_only = (versioned_->flags & dlpack::READ_ONLY) != 0;
        } else if (PyCapsule_IsValid(object, "dltensor")) {
            plain_ = static_cast<dlpack::Managed *>(PyCapsule_GetPointer(object, "dltensor"));
            PyCapsule_SetName(object, "used_dltensor");
            tensor = &plain_->tensor;
        } else {
            PyErr_Clear();
            raise(PyExc_BufferError,
                  "the capsule holds no DLPack array, or one that has been taken already");
        }
    }
    DLTensor(const DLTensor &) = delete;
    DLTensor &operator=(const DLTensor &) = delete;
    ~DLTensor()
    {
        release();
    }

    uint64_t pointer() const
    {
        return reinterpret_cast<uint64_t>(tensor->data) + tensor->byte_offset;
    }
    nb::tuple shape() const
    {
        return numbers(tensor->shape);
    }
    nb::object strides() const
    {
        if (!tensor->strides)
            return nb::none();
        return numbers(tensor->strides);
    }

    const dlpack::Tensor *tensor = nullptr;
    bool read_only = false;

  private:
    nb::tuple numbers(const int64_t *values) const
    {
        nb::list all;
        for (int32_t i = 0; i < tensor->ndim; i++)
            all.append(values[i]);
        return nb::tuple(all);
    }

    void release()
    {
        if (versioned_ && versioned_->deleter)
            versioned_->deleter(versioned_);
        if (plain_ && plain_->deleter)
            plain_->deleter(plain_);
        versioned_ = nullptr;
        plain_ = nullptr;
    }

    dlpack::ManagedVersioned *versioned_ = nullptr;
    dlpack::Managed *plain_ = nullptr;
};

// A capsule for an array of bytes in device memory, contiguous, which `owner` keeps alive.
nb::object dlpack_export(nb::object owner, uint64_t pointer, nb::sequence shape, int device,
                         bool versioned);

} // namespace hanji
