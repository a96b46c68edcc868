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
from hanji_lab.ct import instructions, plants
from hanji_lab.ct.opcodes import OpcodeScan
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
    "below",
    "value",
    "same",
    "early",
    "divisor",
    "dividend",
    "remainder",
    "denormal",
    "extended",
    "equal",
    "length",
    "sum",
}


def judge(
    method: str, found: dict[tuple[str, str], bool], kernels: int, machine: str = "x86_64"
) -> None:
    """Each kind in each kernel was found, but for what is on the list, and kernels without a plant
    were not.
    """
    kinds = [*plants.KINDS, *instructions.PLANTS_OF.get(f"__{machine}__", ())]
    assert len({kernel for _, kernel in found}) == kernels
    assert {kind for kind, _ in found} == {*kinds, "nothing"}
    assert len(found) == kernels * (len(kinds) + 1)
    assert [key for key, caught in found.items() if key[0] == "nothing" and caught] == []
    missed = {kind for (kind, _), caught in found.items() if kind != "nothing" and not caught}
    assert missed == set(plants.NOT_SEEN[method]), (
        f"{method} misses {missed}, and its list says {set(plants.NOT_SEEN[method])}"
    )


def test_lists_hold_nothing_that_decides_a_path_an_address_or_a_division() -> None:
    assert set(plants.KINDS) > NEVER_UNSEEN
    assert set(instructions.PLANTS) < NEVER_UNSEEN
    for method, unseen in plants.NOT_SEEN.items():
        assert set(unseen) <= set(plants.KINDS) - NEVER_UNSEEN, method
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
    judge("traces", plants.of_traces(Traces(ROOT, target)), 10, target.name)


@pytest.mark.parametrize("target", [trace.AARCH64, trace.RV32I], ids=lambda target: target.name)
def test_control_four_random_sets_of_secrets_miss_comparisons(target: trace.Target) -> None:
    """The chosen sets are what finds them: the four random sets alone do not."""
    need("qemu-user", target.package, "cmake", "gcc")
    found = plants.of_traces(Traces(ROOT, target, turns=4))
    missed = {kind for (kind, _), caught in found.items() if kind != "nothing" and not caught}
    assert missed == {"below", "value", "same", "early", *plants.NOT_SEEN["traces"]}


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
    need("clang-14" if family == "clang" else "gcc")
    assert len(plants.SCANNED) == 10
    found = plants.of_scan(
        OpcodeScan(ROOT, family), find_compiler(family), tmp_path, plants.SCANNED[:kernels]
    )
    judge("scan", found, kernels)
