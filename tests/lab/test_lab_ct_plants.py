# SPDX-License-Identifier: Apache-2.0
"""Leaks of all kinds, planted in ten real kernels for each method: each is found, or the list of
what the method does not see says so.
"""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from debian import need

from hanji_lab import ct, trace
from hanji_lab.checkout import find_checkout, find_compiler
from hanji_lab.ct import divisions, plants
from hanji_lab.ct.opcodes import OpcodeScan, rainbow_is_built
from hanji_lab.ct.traces import Traces

ROOT = find_checkout(Path(__file__))
NEVER_UNSEEN = {
    "branch",
    "end",
    "count",
    "choice",
    "load",
    "store",
    "call",
    "divisor",
    "dividend",
    "remainder",
    "equal",
    "length",
    "sum",
}


def judge(method: str, found: dict[tuple[str, str], bool], kernels: int) -> None:
    """Each kind in each kernel was found, but for what is on the list, and kernels without a plant
    were not.
    """
    assert len({kernel for _, kernel in found}) == kernels
    assert {kind for kind, _ in found} == {*plants.KINDS, "nothing"} and len(found) == kernels * (
        len(plants.KINDS) + 1
    )
    assert [key for key, caught in found.items() if key[0] == "nothing" and caught] == []
    missed = {kind for (kind, _), caught in found.items() if kind != "nothing" and not caught}
    assert missed == set(plants.NOT_SEEN[method]), (
        f"{method} misses {missed}, and its list says {set(plants.NOT_SEEN[method])}"
    )


def test_lists_hold_nothing_that_decides_a_path_an_address_or_a_division() -> None:
    assert len(plants.KINDS) >= 10 and set(plants.KINDS) > NEVER_UNSEEN
    for method, unseen in plants.NOT_SEEN.items():
        assert not set(unseen) & NEVER_UNSEEN, method
        assert all(len(reason.split()) > 5 for reason in unseen.values())


def test_valgrind_finds_them() -> None:
    need("valgrind", "cmake", "gcc")
    judge("valgrind", plants.of_valgrind(ct.Valgrind(ROOT, "gcc", 2)), 10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "level"), [("gcc", 1), ("gcc", 3), ("clang", 1), ("clang", 2), ("clang", 3)]
)
def test_valgrind_finds_them_in_what_other_compilers_make(family: str, level: int) -> None:
    need("valgrind", "cmake", "clang-14" if family == "clang" else "gcc")
    judge("valgrind", plants.of_valgrind(ct.Valgrind(ROOT, family, level)), 10)


@pytest.mark.parametrize("target", [trace.AARCH64, trace.RV32I], ids=lambda target: target.name)
def test_traces_find_them(target: trace.Target) -> None:
    need("qemu-user", target.package, "cmake", "gcc")
    judge("traces", plants.of_traces(Traces(ROOT, target)), 10)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="kernels of x86-64")
@pytest.mark.parametrize(
    ("family", "kernels"),
    [
        pytest.param("gcc", 3, id="gcc"),
        pytest.param("clang", 2, id="clang"),
        pytest.param("gcc", 10, id="gcc, all", marks=pytest.mark.slow),
        pytest.param("clang", 10, id="clang, all", marks=pytest.mark.slow),
    ],
)
def test_the_scan_finds_them(family: str, kernels: int, tmp_path: Path) -> None:
    need("libssl-dev", "clang-14" if family == "clang" else "gcc")
    assert rainbow_is_built()
    assert len(plants.SCANNED) == 10
    found = plants.of_scan(
        OpcodeScan(ROOT, family), find_compiler(family), tmp_path, plants.SCANNED[:kernels]
    )
    judge("scan", found, kernels)


def test_divisions_that_nobody_named_are_found(tmp_path: Path) -> None:
    need("gcc", "gcc-riscv64-unknown-elf", "gcc-aarch64-linux-gnu")
    (tmp_path / "block.c").write_text(
        "unsigned run(unsigned a, unsigned b) { return a / b; }\nunsigned other(unsigned a, "
        "unsigned b) { return a % b; }\n"
        "float third(float a, float b) { return a / b; }\nunsigned constant(unsigned a) { "
        "return a * 8; }\n"
    )
    for compiler, objdump, flags in (
        ("gcc", "objdump", ()),
        ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-objdump", ()),
        ("riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump", ("-march=rv32i", "-mabi=ilp32")),
        (
            "riscv64-unknown-elf-gcc",
            "riscv64-unknown-elf-objdump",
            ("-march=rv32im", "-mabi=ilp32"),
        ),
    ):
        plants.run(
            [compiler, "-O2", *flags, "-c", tmp_path / "block.c", "-o", tmp_path / "block.o"]
        )
        found = divisions.divisions(tmp_path / "block.o", objdump)
        # a call of __divsf3 has another time as well
        floats = {"third"} & {one.function for one in found}
        assert {one.function for one in found} == {"run", "other"} | floats, compiler
        assert {sentence.partition(":")[0] for sentence in divisions.problems(found)} == {
            "block, other"
        } | {f"block, {name}" for name in floats}
