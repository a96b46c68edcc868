# SPDX-License-Identifier: Apache-2.0
"""No secret decides a branch or an address in Rainbow's key generation and signing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from debian import need

from hanji_lab import spec
from hanji_lab.checkout import find_checkout
from hanji_lab.ct.rainbow import SETS, RainbowCheck, RainbowTraces
from hanji_lab.trace import AARCH64

ROOT = find_checkout(Path(__file__))
CASES = [
    pytest.param("gcc", 2),
    pytest.param("clang", 2, marks=pytest.mark.slow),
    pytest.param("gcc", 3, marks=pytest.mark.slow),
]


def test_sets_reach_every_field_and_way_to_sign() -> None:
    """Both fields, and a secret key that is stored as well as one that is made from its seeds."""
    checked = [spec.ALGORITHMS[name] for name in SETS.values()]
    assert {found.field.name for found in checked} == {"gf16", "gf256"}
    assert {found.variant for found in checked} >= {"classic", "compressed"}


@pytest.mark.parametrize(("family", "level"), CASES)
def test_no_secret_decides_a_branch_or_an_address(family: str, level: int) -> None:
    need("valgrind", "libssl-dev", "clang-14" if family == "clang" else "gcc")
    report = RainbowCheck(ROOT, family, level).run()
    assert report.problems == []
    assert {entry["subject"] for entry in report.objects if entry["kind"] == "check"} == set(
        SETS.values()
    )


@pytest.mark.parametrize("tiers", [("neon",), pytest.param(("portable",), marks=pytest.mark.slow)])
def test_the_same_path_and_addresses_for_other_secrets_on_aarch64(tiers: tuple[str, ...]) -> None:
    need("gcc-aarch64-linux-gnu", "qemu-user", "libssl-dev:arm64")
    report = RainbowTraces(ROOT, AARCH64, turns=2, tiers=tiers).run()
    assert report.problems == []
    seen = {entry["subject"] for entry in report.objects if entry["kind"] == "check"}
    assert {
        "keypair rainbow-i-classic",
        "sign rainbow-i-classic",
        "sign rainbow-iii-classic",
        f"gf256_{tiers[0]} solve 48",
    } <= seen
    assert {entry["group"] for entry in report.objects if entry["kind"] == "control"} == {
        "leak",
        "quiet",
    }


def test_a_damaged_kernel_is_caught() -> None:
    """Were the answer of a linear system not made public where it is, the branch on it would be a
    leak: the check sees it.
    """
    need("valgrind", "libssl-dev", "gcc")
    check = RainbowCheck(ROOT, "gcc", 2)
    program = check.build()
    unwrapped = program.with_name("unwrapped")
    archive = next(program.parent.glob("libhanji-rainbow.a"))
    sources = ROOT / "lab/ct/rainbow.c"
    subprocess.run(
        [
            "gcc",
            "-std=gnu11",
            "-O2",
            "-I",
            ROOT / "include",
            sources,
            archive,
            archive.with_name("libhanji.a"),
            "-lcrypto",
            "-o",
            unwrapped,
        ],
        check=True,
    )
    assert check.memcheck(unwrapped, "0") != [0]
