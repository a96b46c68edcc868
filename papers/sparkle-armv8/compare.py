# SPDX-License-Identifier: Apache-2.0
"""Shin et al. on SPARKLE for ARMv8-A: their table 5 and figure 11 beside ours.

There is no such processor here. Instructions are counted exactly under qemu; cycles are estimates
of models. The paper's nanoseconds become cycles through the clock of its board.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hanji_lab.cases import Case, cases
from hanji_lab.checkout import LabError
from hanji_lab.cycles import of_papers, permutations
from hanji_lab.kernels import Kernel, scan
from hanji_lab.machines import Machine, ready
from hanji_lab.machines.aarch64 import pipeline
from hanji_lab.machines.aarch64.machines import executed
from hanji_lab.papers import Cell, Chart, Report, Series, Table, module
from hanji_lab.results import Entry, Provenance, Result, sources

MACHINES = ("qemu:aarch64", "model:a72", "model:a72-mca", "model:a55", "model:n1", "model:v1")
WIDTHS = {256: 4, 384: 6, 512: 8}
BIG = "permute-big"
GENERATOR = "papers/sparkle-armv8/kernels/sparkle_armv8.py"
designs = module(Path(__file__).parent / "kernels/sparkle_armv8.py")

# (what it is called in the report, the name of its kernel, the row of the paper that it is put
# beside)
ROWS = (
    ("C, one function for all widths", "sparkle{}_generic", "c"),
    ("C of the library", "sparkle{}_portable_x1", "c"),
    ("the paper's A64 design, as we build it", "sparkle{}_a64_paper", "a64"),
    ("A64", "sparkle{}_a64_x1", "a64"),
    ("the paper's NEON design, as we build it", "sparkle{}_neon_paper", "neon"),
    ("NEON, one state", "sparkle{}_neon_x1", "neon"),
    ("NEON, four states (shl, sri)", "sparkle{}_neon_x4", "a64"),
    ("NEON, four states, and one in A64", "sparkle{}_neon_x5_lanes", "a64"),
)


@dataclass(frozen=True)
class Row:
    """One implementation of one width: its results by machine, and how many states a call permutes."""

    what: str
    bits: int
    states: int
    found: dict[str, Entry]

    @property
    def instructions(self) -> float:
        """Per state."""
        return float(self.found["qemu:aarch64"]["instructions"]) / self.states

    def cycles(self, machine: str) -> float | None:
        """Per state, by a model."""
        entry = self.found.get(machine)
        return entry["cycles"] / self.states if entry and entry["cycles"] is not None else None

    def cell(self, machine: str) -> str:
        """Cycles per state as text that knows its result."""
        cycles = self.cycles(machine)
        return "" if cycles is None else Cell(f"{cycles:.0f}", self.found[machine])


def _measured(
    kernel: Kernel, found: Sequence[Case], machines: Sequence[Machine], command: str
) -> list[Result]:
    # a kernel of lanes has one case, with big lanes and slim ones
    case = next((case for case in found if case.operation == BIG), found[0])
    return [machine.measure(case, command)[0] for machine in machines if kernel.isa in machine.isas]


def _generated(root: Path, result: Result) -> Result:
    """A result whose source is the generator, because the file that was measured exists no longer."""
    old = result.provenance
    return replace(
        result,
        provenance=Provenance(
            sources(root, [GENERATOR]), old.tools, old.flags, old.command, old.date
        ),
    )


def _kernels(root: Path, machines: Sequence[Machine], command: str) -> Iterator[Result]:
    """Every implementation of every width on every machine that runs it."""
    headed, errors = scan(root)
    if errors:
        raise LabError("\n".join(map(str, errors)))
    known = {kernel.name: kernel for kernel in [*headed, *of_papers(root), *permutations()]}
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
        for bits, branches in WIDTHS.items():
            for what, pattern, beside in ROWS:
                name = pattern.format(bits)
                if name.endswith("_paper"):
                    case = designs.case(root, Path(directory), beside, branches)
                    states, made = (
                        1,
                        [
                            _generated(root, result)
                            for result in _measured(case.kernel, [case], machines, command)
                        ],
                    )
                elif kernel := known.get(name):
                    states, made = (
                        kernel.blocks,
                        _measured(kernel, cases(root, kernel), machines, command),
                    )
                else:
                    continue
                yield from (
                    replace(
                        result, more=result.more | {"label": what, "bits": bits, "states": states}
                    )
                    for result in made
                )


def _rows(entries: Sequence[Entry]) -> list[Row]:
    found: dict[tuple[int, str, int], dict[str, Entry]] = {}
    for entry in entries:
        if "label" in entry:
            found.setdefault((entry["bits"], entry["label"], entry["states"]), {})[
                entry["machine"]
            ] = entry
    return [
        Row(what, bits, states, by_machine) for (bits, what, states), by_machine in found.items()
    ]


def _table5(
    rows: Sequence[Row], published: dict[tuple[int, str], float], gigahertz: float, bits: int
) -> Table:
    """Table 5 for one width; per state."""
    columns = [
        "per state",
        "published ns",
        f"cycles at {gigahertz} GHz",
        "instructions",
        "A72",
        "A72 (llvm-mca)",
        "A55",
        "N1",
        "V1",
    ]
    columns.append("published A64 / A72")
    lines = []
    for design in ("c", "a64", "neon"):
        nanoseconds = published[bits, design]
        name = {"c": "published: C", "a64": "published: A64", "neon": "published: NEON"}[design]
        lines.append(
            [
                name,
                f"{nanoseconds:.1f}",
                f"{nanoseconds * gigahertz:.0f}",
                *[""] * 6,
                f"{published[bits, 'a64'] / nanoseconds:.2f}",
            ]
        )
    for row in rows:
        if row.bits == bits:
            own = row.cycles("model:a72")
            ratio = "" if own is None else f"{published[bits, 'a64'] * gigahertz / own:.2f}"
            count = Cell(f"{row.instructions:.0f}", row.found["qemu:aarch64"])
            lines.append(
                [row.what, "", "", count, *(row.cell(machine) for machine in MACHINES[1:]), ratio]
            )
    title = (
        f"SPARKLE{bits}, big: instructions are counted, cycles of A72, A55, N1 and V1 are "
        "models, none is measured"
    )
    return Table(title, columns, lines)


@dataclass(frozen=True)
class Wide:
    """One design at one width: instructions, and cycles on the Cortex-A72 with loads and stores in
    the model.
    """

    design: str
    branches: int
    entry: Entry

    @property
    def cycles(self) -> float:
        """Of one state."""
        return float(self.entry["cycles"])

    @property
    def per_byte_and_step(self) -> float:
        """Cycles for each byte of the state and step."""
        return float(self.cycles / (8 * self.branches * designs.STEPS[self.branches]))


def _designs(root: Path, command: str) -> Iterator[Result]:
    """Both designs at all widths, for the claim that vectors pay beyond 512 bits."""
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
        for branches in designs.STEPS:
            for design in designs.DESIGNS:
                case = designs.case(root, Path(directory), design, branches)
                region = executed(case)
                cycles = pipeline.QueueModel().cycles(
                    pipeline.straight_line(region.executed(), memory=True)
                )
                tools = [f"{pipeline.MCA} {pipeline.MCA_VERSION}"]
                provenance = Provenance(sources(root, [GENERATOR]), tools, "", command)
                more = {
                    "memory": True,
                    "steps": designs.STEPS[branches],
                    "design": design,
                    "branches": branches,
                }
                yield Result(
                    case.kernel.name,
                    "model:a72",
                    "model",
                    f"{BIG}, with loads and stores",
                    case.bytes,
                    provenance,
                    cache=None,
                    instructions=region.instructions,
                    cycles=cycles,
                    cycles_per_byte=cycles / case.bytes,
                    more=more,
                )


def _wide(entries: Sequence[Entry]) -> list[Wide]:
    return [
        Wide(entry["design"], entry["branches"], entry) for entry in entries if entry.get("memory")
    ]


def _wide_table(wide: Sequence[Wide]) -> Table:
    rows = []
    for branches in dict.fromkeys(w.branches for w in wide):
        a64, neon = (
            next(w for w in wide if w.branches == branches and w.design == design)
            for design in ("a64", "neon")
        )
        name = f"SPARKLE{64 * branches}" + ("" if branches <= 8 else ", research only")
        cells: list[str] = [Cell(f"{w.entry['instructions']}", w.entry) for w in (a64, neon)]
        cells += [Cell(f"{w.cycles:.0f}", w.entry) for w in (a64, neon)]
        ratio = f"{neon.cycles / a64.cycles:.2f}"
        rows.append(
            [
                name,
                str(a64.entry["steps"]),
                *cells,
                ratio,
                f"{a64.per_byte_and_step:.2f}",
                f"{neon.per_byte_and_step:.2f}",
            ]
        )
    columns = [
        "permutation",
        "steps",
        "A64 instr.",
        "NEON instr.",
        "A64 A72",
        "NEON A72",
        "NEON / A64",
        "A64 c/(B step)",
        "NEON c/(B step)",
    ]
    return Table(
        (
            "the paper's two designs, one state, beyond 512 bits: Cortex-A72 by the model, with "
            "loads and stores"
        ),
        columns,
        rows,
    )


def _findings(
    rows: Sequence[Row], wide: Sequence[Wide], published: dict[tuple[int, str], float]
) -> list[str]:
    said = []
    for design, name in (("a64", "A64"), ("neon", "NEON")):
        paper = published[512, design] / published[256, design]
        ours = [_growth(rows, f"the paper's {name} design, as we build it")]
        best = {"a64": "A64", "neon": "NEON, one state"}[design]
        ours.append(_growth(rows, best))
        parts = [
            f"{label} {value:.2f}"
            for label, value in zip(("its design as we build it", "our kernel"), ours, strict=True)
            if value
        ]
        said.append(
            f"From 256 to 512 bits the published {name} slows down {paper:.2f} times; on the "
            f"model of the Cortex-A72 {', '.join(parts)}."
        )
    by = {(one.design, one.branches): one.cycles for one in wide}
    widths = sorted({one.branches for one in wide})
    faster = [64 * branches for branches in widths if by["neon", branches] < by["a64", branches]]
    ratios = ", ".join(
        f"{64 * branches}: {by['neon', branches] / by['a64', branches]:.2f}" for branches in widths
    )
    verdict = (
        f"is the faster one at {', '.join(map(str, faster))} bits"
        if faster
        else "is slower at every width"
    )
    said.append(
        f"For one state the NEON design {verdict} in the model (NEON / A64 by bits: {ratios})."
    )
    lanes = [row for row in rows if row.states > 1 and row.cycles("model:a72") is not None]
    for bits in WIDTHS:
        here = [row for row in lanes if row.bits == bits]
        one = next((row for row in rows if row.bits == bits and row.what == "A64"), None)
        if here and one:
            top = min(here, key=lambda row: row.cycles("model:a72") or 0)
            gain = (one.cycles("model:a72") or 0) / (top.cycles("model:a72") or 1)
            said.append(
                f"Many states of SPARKLE{bits}: {top.what} takes "
                f"{top.cycles('model:a72'):.0f} cycles a state, {gain:.2f} times as fast as "
                "A64."
            )
    return said


def _growth(rows: Sequence[Row], what: str) -> float | None:
    found = {row.bits: row.cycles("model:a72") for row in rows if row.what == what}
    small, large = found.get(256), found.get(512)
    return large / small if small and large else None


def _figure_11(
    rows: Sequence[Row],
    wide: Sequence[Wide],
    published: dict[tuple[int, str], float],
    gigahertz: float,
) -> Chart:
    """Figure 11 with ours: cycles of one state against the width of the state."""
    series = []
    for design, name in (("c", "C"), ("a64", "A64"), ("neon", "NEON")):
        series.append(
            Series(
                f"published {name} (measured)",
                {bits: published[bits, design] * gigahertz for bits in WIDTHS},
                published=True,
            )
        )
    for design, name in (("a64", "A64"), ("neon", "NEON")):
        points = {64 * one.branches: one.cycles for one in wide if one.design == design}
        series.append(Series(f"its {name} design, as we build it (model)", points, dashed=True))
    for what in ("A64", "NEON, four states (shl, sri)", "NEON, four states, and one in A64"):
        found = {
            row.bits: cycles
            for row in rows
            if row.what == what and (cycles := row.cycles("model:a72")) is not None
        }
        series.append(Series(f"ours: {what}, per state (model)", found))
    return Chart(
        "figure-11",
        "Figure 11 of the paper, with ours in it: Cortex-A72 cycles against the width of the state",
        "lines",
        "bits of the state; 768 and 1024 do not exist outside of this comparison",
        "Cortex-A72 cycles per state, big permutation",
        [one for one in series if one.points],
    )


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """All implementations of table 5 and of ours, and both designs of the paper beyond 512 bits."""
    yield from _kernels(root, ready(MACHINES), command)
    yield from _designs(root, command)


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """Table 5, figure 11 and the claim about larger widths."""
    times = {
        (int(row["algorithm"].removeprefix("sparkle")), row["design"]): float(row["value"])
        for row in published["rows"]
    }
    gigahertz = float(published["gigahertz"])
    rows, wide = _rows(entries), _wide(entries)
    tables = [_table5(rows, times, gigahertz, bits) for bits in WIDTHS] + [_wide_table(wide)]
    return Report(
        tables,
        list(entries),
        _findings(rows, wide, times),
        [_figure_11(rows, wide, times, gigahertz)],
    )
