// SPDX-License-Identifier: Apache-2.0
// What the library says about itself.
#include "sign.hpp"

namespace hanji
{
namespace
{

const char *kind_name(hanji_kind kind)
{
    switch (kind) {
    case HANJI_KIND_BLOCK: return "block";
    case HANJI_KIND_MODE: return "mode";
    case HANJI_KIND_PERMUTATION: return "permutation";
    case HANJI_KIND_AEAD: return "aead";
    case HANJI_KIND_HASH: return "hash";
    case HANJI_KIND_XOF: return "xof";
    case HANJI_KIND_SIGNATURE: return "signature";
    }
    return "unknown";
}

const char *advice_name(hanji_advice advice)
{
    switch (advice) {
    case HANJI_ADVICE_RECOMMENDED: return "recommended";
    case HANJI_ADVICE_OK: return "ok";
    case HANJI_ADVICE_LEGACY: return "legacy";
    case HANJI_ADVICE_RESEARCH: return "research";
    case HANJI_ADVICE_BROKEN: return "broken";
    }
    return "unknown";
}

nb::dict described(const char *name, hanji_kind kind, const char *status, const char *standard,
                   hanji_advice advice)
{
    nb::dict row;
    row["name"] = name;
    row["kind"] = kind_name(kind);
    row["status"] = status;
    row["standard"] = standard;
    row["advice"] = advice_name(advice);
    return row;
}

nb::list algorithms()
{
    nb::list rows;
    for (size_t i = 0; i < hanji_algorithm_count(); i++) {
        const hanji_algorithm *a = hanji_algorithm_at(i);
        nb::dict row = described(a->name, a->kind, a->status, a->standard, a->advice);
        row["key_size"] = a->key_bytes;
        row["nonce_size"] = a->nonce_bytes;
        row["tag_size"] = a->tag_bytes;
        row["block_size"] = a->block_bytes;
        row["digest_size"] = a->digest_bytes;
        row["limit_log2"] = a->limit_log2;
        rows.append(row);
    }
    // Signature schemes in libraries of their own, in the form of the others.
    for (const SignatureScheme *scheme : all_schemes())
        for (size_t i = 0; scheme->is_apart() && i < scheme->count(); i++) {
            const SignatureSet set = scheme->at(i);
            nb::dict row = described(set.name, HANJI_KIND_SIGNATURE, set.status, set.standard,
                                     set.broken ? HANJI_ADVICE_BROKEN : HANJI_ADVICE_OK);
            row["key_size"] = set.private_key_bytes;
            row["nonce_size"] = 0;
            row["tag_size"] = set.signature_bytes;
            row["block_size"] = set.public_key_bytes;
            row["digest_size"] = 0;
            row["limit_log2"] = 0;
            rows.append(row);
        }
    return rows;
}

nb::list tiers()
{
    nb::list rows;
    for (size_t i = 0; i < hanji_tier_count(); i++) {
        nb::dict row;
        row["name"] = hanji_tier_name(i);
        row["available"] = hanji_tier_state(i) != 0;
        row["selected"] = hanji_tier_state(i) == 2;
        rows.append(row);
    }
    return rows;
}

nb::list kernels()
{
    nb::list rows;
    for (size_t i = 0; i < hanji_kernel_count(); i++) {
        hanji_kernel_info info;
        check(hanji_kernel_at(&info, i));
        nb::dict row;
        row["name"] = info.name;
        row["tier"] = info.tier;
        row["operation"] = info.operation;
        row["algorithm"] = info.algorithm;
        row["group"] = info.group;
        row["minimum"] = info.minimum;
        row["usable"] = info.usable != 0;
        rows.append(row);
    }
    return rows;
}

int selftest_one(size_t index)
{
    MaybeNoGil released(SIZE_MAX);
    return hanji_selftest_one(index);
}

nb::dict selftest()
{
    check(hanji_selection());
    nb::dict passed;
    const auto enter = [&passed](const char *name, bool is_right) {
        if (!is_right)
            raise(error_type,
                  "the self-test of %s failed: this build or this machine computes it wrong, and "
                  "must not be used",
                  name);
        passed[name] = true;
    };
    for (size_t i = 0; i < hanji_algorithm_count(); i++)
        enter(hanji_algorithm_at(i)->name, selftest_one(i) == HANJI_OK);
    for (const SignatureScheme *scheme : all_schemes())
        for (size_t i = 0; scheme->is_apart() && i < scheme->count() && scheme->is_here(); i++)
            enter(scheme->name(i), scheme->is_right(i));
    return passed;
}

void force(nb::handle tier)
{
    const char *name = nullptr;
    if (!tier.is_none()) {
        name = PyUnicode_Check(tier.ptr()) ? PyUnicode_AsUTF8(tier.ptr()) : nullptr;
        if (!name) {
            PyErr_Clear();
            raise(PyExc_TypeError, "tier must be a str or None, not %s",
                  Py_TYPE(tier.ptr())->tp_name);
        }
    }
    if (hanji_force(name) != HANJI_OK)
        raise(
            error_type,
            "the tier is not in this build or does not run on this machine; hanji.backends() lists the tiers");
    for (const SignatureScheme *scheme : all_schemes())
        scheme->force(name);
}

} // namespace

void bind_info(nb::module_ &module)
{
    module.def("version", &hanji_version, nb::sig("def version() -> str"),
               "The version of the library.");
    module.def("algorithms", &algorithms,
               nb::sig("def algorithms() -> list[dict[str, typing.Any]]"), "See hanji.algorithms.");
    module.def("tiers", &tiers, nb::sig("def tiers() -> list[dict[str, typing.Any]]"),
               "See hanji.backends.");
    module.def("kernels", &kernels, nb::sig("def kernels() -> list[dict[str, typing.Any]]"),
               "See hanji.kernels.");
    module.def("selftest", &selftest, nb::sig("def selftest() -> dict[str, bool]"),
               "See hanji.selftest.");
    module.def("force", &force, nb::arg("tier").none(),
               nb::sig("def force(tier: str | None) -> None"), "See hanji.force.");
}

} // namespace hanji
