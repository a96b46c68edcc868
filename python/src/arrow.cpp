// SPDX-License-Identifier: Apache-2.0
// The producer's side of the Arrow C data interface
// (arrow.apache.org/docs/format/CDataInterface.html and CDataInterface/PyCapsuleInterface.html).
// Consumers release what they take in any thread and without the GIL, so nothing here that they
// call touches Python.
#include "arrow.hpp"

#include <atomic>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

// The layouts, which are an ABI.
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    ArrowSchema **children, *dictionary;
    void (*release)(ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    ArrowArray **children, *dictionary;
    void (*release)(ArrowArray *);
    void *private_data;
};

namespace hanji
{

AlignedMemory::AlignedMemory(size_t bytes) : bytes_(bytes)
{
    constexpr size_t huge = 2 << 20, line = 64;
    alignment_ = bytes >= huge ? huge : line;
    if (bytes > SIZE_MAX - alignment_)
        throw std::bad_alloc();
    data_ = static_cast<uint8_t *>(::operator new(bytes, std::align_val_t(alignment_)));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment_ == huge) // advice: without it the memory is slower, and no less right
        (void)madvise(data_, bytes, MADV_HUGEPAGE);
#endif
}

AlignedMemory::~AlignedMemory()
{
    ::operator delete(data_, std::align_val_t(alignment_));
}

namespace
{

constexpr int64_t nullable = 2; // ARROW_FLAG_NULLABLE

// An array or a schema and its children. A consumer may move a child out (its release is null then)
// and release it later than its parent, so the memory ends with the last of them.
template <class Node> struct Exported {
    std::shared_ptr<const ArrowColumns> batch;
    std::atomic<size_t> users;
    Node nodes[ArrowColumns::most];
    Node *pointers[ArrowColumns::most];
    const void *no_validity;
};

template <class Node> void let_go(Exported<Node> *exported)
{
    if (exported->users.fetch_sub(1) == 1)
        delete exported;
}

template <class Node> void release(Node *node)
{
    auto *exported = static_cast<Exported<Node> *>(node->private_data);
    for (int64_t i = 0; i < node->n_children; i++)
        if (node->children[i]->release)
            node->children[i]->release(node->children[i]);
    node->release = nullptr;
    let_go(exported);
}

void describe(ArrowSchema *node, const ArrowColumn &column)
{
    node->format = column.format;
    node->name = column.name;
    node->flags = nullable;
}

void describe(ArrowSchema *node, Exported<ArrowSchema> *)
{
    node->format = "+s";
    node->name = "";
}

void fill(ArrowArray *node, size_t rows, size_t nulls, const void *const *buffers, size_t count)
{
    node->length = static_cast<int64_t>(rows);
    node->null_count = static_cast<int64_t>(nulls);
    node->n_buffers = static_cast<int64_t>(count);
    node->buffers = const_cast<const void **>(buffers); // consumers only read them
}

void describe(ArrowArray *node, const ArrowColumn &column)
{
    fill(node, column.rows, column.nulls, column.buffers, column.count);
}

void describe(ArrowArray *node, Exported<ArrowArray> *exported)
{
    fill(node, exported->batch->rows, 0, &exported->no_validity, 1);
}

template <class Node> void export_to(Node *node, const std::shared_ptr<const ArrowColumns> &batch)
{
    const size_t columns = batch->columns;
    auto *exported = new Exported<Node>{batch, {columns + 1}, {}, {}, nullptr};
    for (size_t i = 0; i < columns; i++) {
        Node *child = exported->pointers[i] = &exported->nodes[i];
        describe(child, batch->column[i]);
        child->release = release<Node>;
        child->private_data = exported;
    }
    describe(node, exported);
    node->n_children = static_cast<int64_t>(columns);
    node->children = exported->pointers;
    node->release = release<Node>;
    node->private_data = exported;
}

template <class Node> void end_capsule(PyObject *capsule)
{
    auto *node = static_cast<Node *>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
    if (node && node->release)
        node->release(node);
    delete node;
}

template <class Node>
nb::object in_capsule(const char *name, const std::shared_ptr<const ArrowColumns> &batch)
{
    auto node = std::make_unique<Node>();
    PyObject *capsule = PyCapsule_New(node.get(), name, end_capsule<Node>);
    if (!capsule)
        throw nb::python_error();
    Node *held = node.release(); // by the capsule from here on
    const nb::object made = nb::steal(capsule);
    export_to(held, batch);
    return made;
}

} // namespace

nb::tuple ArrowBatch::export_to_c() const
{
    const nb::object schema = in_capsule<ArrowSchema>("arrow_schema", columns_),
                     array = in_capsule<ArrowArray>("arrow_array", columns_);
    return nb::make_tuple(schema, array);
}

void bind_arrow(nb::module_ &module)
{
    nb::class_<ArrowBatch>(module, "ArrowBatch",
                           "A record batch that pyarrow.record_batch() takes over without a copy.")
        .def(
            "__arrow_c_array__",
            [](const ArrowBatch &self, nb::handle) { return self.export_to_c(); },
            nb::arg("requested_schema").none() = nb::none(),
            nb::sig("def __arrow_c_array__(self, requested_schema: object = None) -> "
                    "tuple[typing.Any, typing.Any]"),
            "Capsules of the schema and of the array. Its own schema, whatever is requested.");
}

} // namespace hanji
