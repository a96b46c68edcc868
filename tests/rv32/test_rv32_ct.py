# SPDX-License-Identifier: Apache-2.0
"""Different secrets leave the same traces on RV32I, in assembly and in compiled C, and leaks that
are planted do not.
"""

import re
import shutil
from pathlib import Path

import pytest
from debian import need

from hanji_lab import trace
from hanji_lab.checkout import find_checkout
from hanji_lab.ct import FileCoverage, control_problems
from hanji_lab.ct.traces import MORE_TURNS, Traces, with_traces
from hanji_lab.kernels import split_name

ROOT = find_checkout(Path(__file__))
TARGETS = (trace.RV32I, trace.RV32I_SMALL, trace.RV32I_ZBKB)


@pytest.fixture(autouse=True)
def tools():
    need("qemu-user", "gcc-riscv64-unknown-elf", "picolibc-riscv64-unknown-elf", "cmake", "gcc")


def test_traces_do_not_depend_on_secrets():
    checkers = [Traces(ROOT, target, tiers=("rv32i",)) for target in TARGETS]
    for checker in checkers:
        report = checker.run()
        assert report.problems == []
        groups = {entry["group"] for entry in report.objects if entry["kind"] == "check"}
        assert {"block", "ctr", "eax", "schwaemm", "esch", "fleet schwaemm"} <= groups
    kernels = [
        path for path in (ROOT / "src").rglob("*.[cS]") if split_name(path, ["rv32i", "zbkb"])
    ]
    here = [FileCoverage(str(path.relative_to(ROOT)), 0, (), (), "") for path in kernels]
    found = with_traces(here, checkers)
    assert [file.source for file in found if file.bare or not file.checks] == []


@pytest.mark.slow
def test_traces_of_more_secrets_with_every_tier():
    for target in TARGETS:
        assert Traces(ROOT, target, turns=MORE_TURNS).run().problems == []


def test_controls_are_caught():
    checker = Traces(ROOT, trace.RV32I)
    controls, _ = checker.check(checker.build(), "controls", "portable")
    assert control_problems(controls) == []
    assert {entry["group"] for entry in controls} == {"leak", "quiet"}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checkout whose library may be spoilt."""
    root = tmp_path_factory.mktemp("spoilt")
    for part in ("CMakeLists.txt", "include", "src", "cmake"):
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, root / part)
    return root


LEAKS = {
    # an assembly kernel that branches on a bit of the state, and one that uses it as an address
    "branch": "    andi t0, a4, 1\n    beqz t0, 7f\n    nop\n7:\n\\1",
    "address": "    andi t0, a4, 28\n    sub t0, sp, t0\n    lw t0, 0(t0)\n\\1",
}


@pytest.mark.parametrize("kind", LEAKS)
def test_leaks_planted_in_assembly_are_caught_and_named(copy, kind):
    source = "src/sparkle/sparkle256_rv32i.S"
    text = (ROOT / source).read_text()
    spoilt, times = re.subn(r"(    saved lw\n)", LEAKS[kind], text, count=1)
    assert times == 1, "the place to spoil has gone"
    (copy / source).write_text(spoilt)
    report = Traces(copy, trace.RV32I, tiers=("rv32i",), part="sparkle").run()
    (copy / source).write_text(text)
    assert report.problems and all(
        "hanji_sparkle256_rv32i_x1" in problem for problem in report.problems
    ), report.problems[:4]
    wrong = {
        entry["subject"] for entry in report.objects if entry["kind"] == "check" and entry["errors"]
    }
    assert wrong == {"sparkle256"}
