# SPDX-License-Identifier: Apache-2.0
"""The AArch64 machines: right kernels are counted exactly, wrong ones are caught, and the model of
the Cortex-A72 gives the published times.
"""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji_lab import machines, papers
from hanji_lab.cases import CaseError
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.machines.aarch64 import pipeline
from hanji_lab.machines.aarch64.machines import MODELS, Counter

ROOT = find_checkout(Path(__file__))
sparkle_armv8 = papers.module(papers.folder("sparkle-armv8", ROOT) / "kernels/sparkle_armv8.py")
BRANCHES = tuple(sparkle_armv8.STEPS)


@pytest.fixture(autouse=True)
def tools():
    need("qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "gcc")


def count(case):
    (result,) = Counter().measure(case, "a test")
    return result


@pytest.mark.parametrize("branches", BRANCHES)
@pytest.mark.parametrize("design", sparkle_armv8.DESIGNS)
def test_generated_designs_equal_the_specification(tmp_path, design, branches):
    case = sparkle_armv8.case(ROOT, tmp_path, design, branches)
    result = count(case)
    steps = sparkle_armv8.STEPS[branches]
    assert result.instructions == sum(result.more["mnemonics"].values())
    assert result.more["mnemonics"]["add"] == 4 * steps * (
        branches if design == "a64" else {4: 1, 6: 2, 8: 2, 12: 4, 16: 4}[branches]
    )


def damaged(tmp_path, old, new, branches=4):
    case = sparkle_armv8.case(ROOT, tmp_path, "a64", branches)
    text = case.files[0].read_text()
    assert old in text
    case.files[0].write_text(text.replace(old, new, 1))
    return case


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("ror #24", "ror #23", "byte 0 of state"),
        ("    ret", "    mov x19, #1\n    ret", "does not keep x19"),
        ("    ret", "    mov x29, #1\n    ret", "does not keep x29"),
        ("    ret", "    mov x18, #1\n    ret", "does not keep x18"),
        ("    ret", "    movi v8.2d, #0\n    ret", "does not keep d8"),
        ("    ret", "    movi v15.2d, #0\n    ret", "does not keep d15"),
        ("    ret", "    sub sp, sp, #16\n    ret", "does not keep sp"),
        ("    ret", "    strb wzr, [x0, #32]\n    ret", "0 bytes past the end of state"),
        ("    ret", "    strb wzr, [x0, #-1]\n    ret", "1 bytes before state"),
    ],
)
def test_wrong_kernels_have_no_figures(tmp_path, old, new, problem):
    with pytest.raises(CaseError, match=problem):
        count(damaged(tmp_path, old, new))


def test_upper_halves_of_saved_vectors_may_change(tmp_path):
    # AAPCS64, section 6.1.2: only the lower 64 bits of v8 to v15 are kept.
    kept = damaged(tmp_path, "    ret", "    mov v8.d[1], xzr\n    ret")
    assert (
        count(kept).instructions
        == count(sparkle_armv8.case(ROOT, tmp_path, "a64", 4)).instructions + 1
    )


def test_stack_is_measured(tmp_path):
    assert count(sparkle_armv8.case(ROOT, tmp_path, "a64", 4)).more["stack"] == 96
    assert count(sparkle_armv8.case(ROOT, tmp_path, "neon", 4)).more["stack"] == 0


def published(design, branches):
    """Cycles that the paper's nanoseconds are."""
    paper = papers.load("sparkle-armv8", ROOT)
    (row,) = (
        row
        for row in paper["rows"]
        if row["design"] == design and row["algorithm"] == f"sparkle{64 * branches}"
    )
    return row["value"] * paper["gigahertz"]


@pytest.mark.parametrize("branches", [4, 6, 8])
@pytest.mark.parametrize(("design", "tolerance"), [("a64", 0.02), ("neon", 0.05)])
def test_the_model_of_the_cortex_a72_gives_the_published_times(
    tmp_path, design, branches, tolerance
):
    need("llvm-19")
    model = next(model for model in MODELS if model.name == "model:a72")
    (result,) = model.measure(sparkle_armv8.case(ROOT, tmp_path, design, branches), "a test")
    assert result.cycles == pytest.approx(published(design, branches), rel=tolerance)


def test_report_puts_published_figures_beside_ours(monkeypatch, tmp_path):
    need("llvm-19")
    report_module = papers.comparison("sparkle-armv8", ROOT)
    monkeypatch.setattr(report_module, "WIDTHS", {256: 4})
    one_of_each_kind = [report_module.ROWS[number] for number in (1, 2, 6)]  # C, its design, lanes
    monkeypatch.setattr(report_module, "ROWS", one_of_each_kind)
    monkeypatch.setattr(report_module.designs, "STEPS", {4: 10, 8: 12, 16: 16})
    monkeypatch.setattr(report_module, "MACHINES", ("qemu:aarch64", "model:a72"))
    monkeypatch.setattr(report_module, "_growth", lambda rows, what: None)
    made = papers.report("sparkle-armv8", ROOT, "a test")
    table, wide = made.tables
    assert table.rows[1][:3] == ["published: A64", "232.7", "349"]
    assert {"C of the library", "the paper's A64 design, as we build it"} <= {
        row[0] for row in table.rows
    }
    assert "model" in table.title and {entry["kind"] for entry in made.entries} == {
        "count",
        "model",
    }
    assert table.rows[3][3].entries[0]["machine"] == "qemu:aarch64"  # a figure knows its result
    ratios = {row[0]: float(row[6]) for row in wide.rows}
    assert ratios["SPARKLE256"] > ratios["SPARKLE512"] > ratios["SPARKLE1024, research only"]
    assert papers.stale(made.entries, ROOT) == []


def test_the_model_depends_on_the_order_of_instructions(tmp_path):
    need("llvm-19")
    dependent = ["add x1, x1, x2"] * 60
    independent = [f"add x{3 + i % 6}, x1, x2" for i in range(60)]
    shifted = [f"add x{3 + i % 6}, x1, x2, lsl #7" for i in range(60)]
    model = pipeline.QueueModel()
    assert model.cycles(dependent) == pytest.approx(60, abs=2)
    assert model.cycles(independent) == pytest.approx(30, abs=2)  # two pipes
    assert model.cycles(shifted) == pytest.approx(60, abs=2)  # one pipe
    # Ten instructions that wait for a chain, then ten that do not: in a window of 128 they run
    # beside it, behind a full queue they cannot.
    chain = ["eor w1, w1, w1, ror #1"] * 10 + ["eor w2, w2, w3, ror #1"] * 10
    assert dataclasses.replace(model, entries=64).cycles(chain) < model.cycles(chain)
    assert model.cycles(["udiv x1, x2, x3"]) > 4  # its parts are more than the queue has places
    with pytest.raises(LabError, match=r"refuses this code \(-3\)"):
        dataclasses.replace(model, entries=65).cycles(chain)


def test_lanes_from_general_registers_are_transferred_side_by_side():
    """Only the merge waits for the other lanes; LLVM's tables have both in one: 8 cycles each."""
    need("llvm-19")
    model = pipeline.QueueModel()
    lanes = [f"mov v0.s[{i % 4}], w{i % 8}" for i in range(40)]
    assert model.cycles(lanes) == pytest.approx(3 * 40, abs=8)
    assert model.cycles(["dup v0.4s, w1"] * 40) == pytest.approx(40, abs=8)  # one transfer a cycle
    around = ["mov v0.s[0], w1", "fmov w1, s0"]  # there and back: 8 and 5
    assert model.cycles(around * 20) == pytest.approx(20 * 13, abs=8)
    kept = [*lanes[:2], "mov v1.s[1], v0.s[1]"]  # from a vector: one part
    found = [pipeline.parts(*one) for one in zip(kept, model.whole(kept), strict=True)]
    assert [len(one) for one in found] == [2, 2, 1]


def test_straight_lines_have_no_branches_and_no_memory():
    executed = [
        "stp x29, x30, [sp, #-16]!",
        "mov x29, sp",
        "adrp x0, 400000 <main>",
        "ldr w1, [x0]",
        "add w1, w1, #1",
        "b.ne 40 <f+0x4>",
        "ret",
    ]
    assert pipeline.straight_line(executed) == ["add w1, w1, #1"]
    assert pipeline.straight_line(executed, memory=True) == ["ldr w1, [x0]", "add w1, w1, #1"]
    assert pipeline.straight_line(
        ["add sp, sp, #16", "cbz x0, 40 <f>", "eor v0.16b, v1.16b, v2.16b"]
    ) == ["eor v0.16b, v1.16b, v2.16b"]


def test_machines_are_listed():
    found = {machine.name: machine for machine in machines.machines()}
    assert {"qemu:aarch64", "model:a72", "model:a55", "model:n1", "model:v1"} <= set(found)
    assert all("model" in found[name].about for name in found if found[name].kind == "model")
    assert not [name for name in found if "apple" in name]


def test_command_measures_portable_permutations():
    need("llvm-19")
    command = [
        sys.executable,
        "-m",
        "hanji_lab.cli",
        "cycles",
        "sparkle256_portable*",
        "--on",
        "qemu:aarch64",
        "--on",
        "model:a55",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found = {(entry["machine"], entry["operation"]): entry for entry in json.loads(done.stdout)}
    assert (
        found["qemu:aarch64", "permute-big"]["instructions"]
        > found["qemu:aarch64", "permute-slim"]["instructions"]
    )
    assert (
        found["model:a55", "permute-big"]["kind"] == "model"
        and found["model:a55", "permute-big"]["cycles"] > 0
    )
