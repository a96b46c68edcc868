# SPDX-License-Identifier: Apache-2.0
"""Kernels are for algorithms that the catalogue does not warn against, and for what a paper that
the project reproduces treats on the same processor.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

import hanji
from hanji_lab import kernels, spec

ROOT = Path(__file__).resolve().parents[2]
WARNINGS = ("legacy", "research", "broken")
# What the catalogue warns against and a paper treats: the algorithm, the instruction sets, and the
# paper.
PAPERS = {
    "speck32_64": (("rv32i", "zbkb"), "SPECK32 and CHAM64 on 32-bit RISC-V"),
    "simeck64_128": (("sm75",), "SPECK, SIMON and SIMECK in CUDA PTX"),
}


def without_reason(
    found: Collection[tuple[str, str, str]], advice: Mapping[str, str]
) -> dict[tuple[str, str], list[str]]:
    """Algorithm and instruction set -> kernels that should not be there. A kernel is the name of
    its algorithm in the specifications, its instruction set, and its name.
    """
    wrong: dict[tuple[str, str], list[str]] = {}
    for algorithm, isa, name in found:
        allowed, _ = PAPERS.get(algorithm, ((), ""))
        if isa != "portable" and advice.get(algorithm) in WARNINGS and isa not in allowed:
            wrong.setdefault((algorithm, isa), []).append(name)
    return wrong


def _advice() -> dict[str, str]:
    known = {one.name: one.advice for one in hanji.algorithms() if one.kind != "signature"}
    return {spec.identifier(name): advice for name, advice in known.items()}


@pytest.fixture(scope="module")
def found() -> set[tuple[str, str, str]]:
    listed, errors = kernels.inventory(ROOT)
    assert errors == []
    return {(one.spec.partition(".")[0], one.isa, one.name) for one in listed}


def test_no_kernel_serves_an_algorithm_that_the_catalogue_warns_against(
    found: set[tuple[str, str, str]],
) -> None:
    wrong = without_reason(found, _advice())
    assert not wrong, "\n".join(
        f"{algorithm} ({_advice()[algorithm]}) has {len(names)} kernels for {isa}, such as "
        f"{names[0]}: portable C is enough, unless a paper treats it there (PAPERS)"
        for (algorithm, isa), names in sorted(wrong.items())
    )


def test_what_the_papers_treat_has_kernels(found: set[tuple[str, str, str]]) -> None:
    """Every entry of PAPERS is needed: the catalogue warns, and there are kernels."""
    advice = _advice()
    for algorithm, (isas, _) in PAPERS.items():
        assert advice[algorithm] in WARNINGS, f"the catalogue does not warn against {algorithm}"
        for isa in isas:
            assert any(one[:2] == (algorithm, isa) for one in found), f"{algorithm} on {isa}"


def test_every_algorithm_that_the_catalogue_warns_against_has_portable_c(
    found: set[tuple[str, str, str]],
) -> None:
    portable = {algorithm for algorithm, isa, _ in found if isa == "portable"}
    advice = _advice()
    warned = {name for name, word in advice.items() if word in WARNINGS}
    assert len(warned) > 15 and warned <= portable


@pytest.mark.parametrize(
    ("kernel", "wrong"),
    [
        (("speck48_96", "avx2", "speck48_96_avx2_encrypt_x8"), True),
        (("speck32_64", "neon", "speck32_64_neon_ctr_x8"), True),
        (("speck32_64", "rv32i", "speck32_64_rv32i_ctr_x2"), False),
        (("speck48_96", "portable", "speck48_96_portable_x1"), False),
        (("speck64_128", "avx2", "speck64_128_avx2_encrypt_x8"), False),
        (("keccak", "avx2", "keccak_avx2_x1"), False),  # within signatures, not in the catalogue
    ],
)
def test_control_a_kernel_without_a_reason_is_seen(
    kernel: tuple[str, str, str], wrong: bool
) -> None:
    assert without_reason([kernel], _advice()) == ({kernel[:2]: [kernel[2]]} if wrong else {})
