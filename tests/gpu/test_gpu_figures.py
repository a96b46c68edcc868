# SPDX-License-Identifier: Apache-2.0
"""Counted instructions of the PTX kernels: none may get worse, and the paper's table stands beside
them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanji_lab import gates, papers
from hanji_lab.gpu import counts, ptx_path

ROOT = Path(__file__).resolve().parents[2]

# ALU instructions per block that the kernels are to reach (CTR; fleets per message), counters,
# addresses and guards included. Rotations count: multiplications instead are no faster on an H200.
GOALS = {
    "speck64_128_sm75_ctr_x8": 105,
    "speck128_128_sm75_ctr_x4": 280,
    "simon64_128_sm75_ctr_x32": 107,
    "simeck64_128_sm75_ctr_x32": 107,
    "cham64_128_sm75_ctr_x32": 155,
    "cham128_128_sm75_ctr_x4": 445,
    "speck64_128_sm75_fleet_x2": 208,
    "simon64_128_sm75_fleet_x32": 230,
    "simeck64_128_sm75_fleet_x32": 230,
    # 85 % of 5.6 thousand million messages of 64 bytes a second, which 2,972 instructions allow
    "ascon_aead128_sm75_seal_x1": 2972 / 0.85,
}


@pytest.fixture(scope="module")
def figures() -> gates.Figures:
    return gates.measure(ROOT, "gpu")


def test_no_kernel_executes_more_than_what_is_held(figures: gates.Figures) -> None:
    assert gates.problems("gpu", gates.held("gpu"), figures) == []


def test_control_a_kernel_that_got_worse_is_named(figures: gates.Figures) -> None:
    row = "speck64_128_sm75_ctr_x8 ctr"
    before = json.loads(json.dumps(figures))
    (what,) = before[row]
    before[row][what] -= 1
    assert gates.problems("gpu", before, figures) == [
        f"{row}: {what} was {before[row][what]}, is {figures[row][what]}"
    ]


@pytest.mark.parametrize("kernel", sorted(GOALS))
def test_the_pipe_that_limits_is_as_little_used_as_it_can_be(
    kernel: str, figures: gates.Figures
) -> None:
    (count,) = next(values for row, values in figures.items() if row.split()[0] == kernel).values()
    assert count <= 1000 * GOALS[kernel]


def test_every_kernel_is_counted(figures: gates.Figures) -> None:
    names = {launch.name for launch in counts.launches()}
    entries = {
        line.split("hanji_")[1].rstrip("(")
        for stem in ("any", "any_own")  # of the library, and of the paper
        for path in (ROOT / ptx_path(stem)).parent.glob("*.ptx")
        for line in path.read_text().splitlines()
        if line.startswith(".visible .entry")
    }
    # Tails are one thread's work; opening does what sealing does.
    assert (
        {name for name in entries if not name.endswith(("_tail", "_open_x1"))}
        == names
        == {row.split()[0] for row in figures}
    )


def test_the_paper_has_all_its_rows() -> None:
    published = papers.load("speck-simon-simeck-ptx", ROOT)
    assert len(published["rows"]) == 18
    report = papers.report("speck-simon-simeck-ptx", ROOT, "test")
    machines = [f"gpu:{path.stem[4:]}" for path in sorted((ROOT / "results").glob("gpu-*.json"))]
    assert "gpu:h200" in machines
    assert [len(table.rows) for table in report.tables] == [6, 6 * len(machines), 16, 18]
    assert [row[0] for row in report.tables[1].rows] == [
        name for name in machines for _ in range(6)
    ]
    assert any(
        (
            "gives 20 % less for the time of SPECK on the GPU, PTX against C. Its own rows give "
            "33 % less"
        )
        in sentence
        for sentence in report.findings
    )
