# SPDX-License-Identifier: Apache-2.0
"""Shin et al. on SPARKLE for ARMv8-A: their table 5 and figure 11 beside ours.

There is no such processor here. Instructions are counted exactly under qemu; cycles are estimates of models. The paper's nanoseconds become
cycles through the clock of its board.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..cases import Case, cases
from ..checkout import LabError
from ..cycles import permutations
from ..kernels import Kernel, scan
from ..machines import Machine, ready
from ..machines.aarch64 import pipeline
from ..machines.aarch64.machines import executed
from ..research import sparkle_armv8 as designs
from ..results import Provenance, Result, sources
from . import Report, Table

MACHINES = ("qemu:aarch64", "model:a72", "model:a72-mca", "model:a55", "model:n1", "model:v1")
WIDTHS = {256: 4, 384: 6, 512: 8}
BIG = "permute-big"
GENERATOR = "lab/research/sparkle_armv8.py"

# (what it is called in the report, the name of its kernel, the row of the paper that it is put beside)
ROWS = (
    ("C, one function for all widths", "sparkle{}_generic", "c"),
    ("C of the library", "sparkle{}_portable_x1", "c"),
    ("the paper's A64 design, as we build it", "sparkle{}_a64_paper", "a64"),
    ("A64", "sparkle{}_a64_x1", "a64"),
    ("the paper's NEON design, as we build it", "sparkle{}_neon_paper", "neon"),
    ("NEON, one state", "sparkle{}_neon_x1", "neon"),
    ("NEON, four states (shl, sri)", "sparkle{}_neon_x4", "a64"),
    ("NEON, four states (tbl)", "sparkle{}_neon_x4tbl", "a64"),
    ("NEON, four states, and one in A64", "sparkle{}_neon_x5_lanes", "a64"),
    ("NEON with EOR3, four states", "sparkle{}_sha3_x4", "a64"),
)


@dataclass(frozen=True)
class Row:
    """One implementation of one width: its results by machine, and how many states a call permutes."""

    what: str
    bits: int
    beside: str
    states: int
    found: dict[str, Result]

    @property
    def instructions(self) -> float:
        """Per state."""
        count = self.found["qemu:aarch64"].instructions
        assert count is not None
        return count / self.states

    def cycles(self, machine: str) -> float | None:
        """Per state, by a model."""
        result = self.found.get(machine)
        return result.cycles / self.states if result and result.cycles is not None else None


def _measured(kernel: Kernel, found: Sequence[Case], machines: Sequence[Machine], command: str) -> dict[str, Result]:
    case = next((case for case in found if case.operation == BIG), found[0])  # a kernel of lanes has one case, with big lanes and slim ones
    return {machine.name: machine.measure(case, command)[0] for machine in machines if kernel.isa in machine.isas}


def _generated(root: Path, result: Result) -> Result:
    """A result whose source is the generator, because the file that was measured exists no longer."""
    old = result.provenance
    return replace(result, provenance=Provenance(sources(root, [GENERATOR]), old.tools, old.flags, old.command, old.date))


def _rows(root: Path, machines: Sequence[Machine], command: str) -> Iterator[Row]:
    headed, errors = scan(root)
    if errors:
        raise LabError("\n".join(map(str, errors)))
    known = {kernel.name: kernel for kernel in [*headed, *permutations()]}
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
        for bits, branches in WIDTHS.items():
            for what, pattern, beside in ROWS:
                name = pattern.format(bits)
                if name.endswith("_paper"):
                    case = designs.case(root, Path(directory), beside, branches)
                    made = _measured(case.kernel, [case], machines, command)
                    yield Row(what, bits, beside, 1, {at: _generated(root, result) for at, result in made.items()})
                elif kernel := known.get(name):
                    yield Row(what, bits, beside, kernel.blocks, _measured(kernel, cases(root, kernel), machines, command))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _table5(rows: Sequence[Row], published: dict[tuple[int, str], float], gigahertz: float, bits: int) -> Table:
    """Table 5 for one width; per state."""
    columns = ["per state", "published ns", f"cycles at {gigahertz} GHz", "instructions", "A72", "A72 (llvm-mca)", "A55", "N1", "V1"]
    columns.append("published A64 / A72")
    lines = []
    for design in ("c", "a64", "neon"):
        nanoseconds = published[bits, design]
        name = {"c": "published: C", "a64": "published: A64", "neon": "published: NEON"}[design]
        lines.append([name, f"{nanoseconds:.1f}", f"{nanoseconds * gigahertz:.0f}", *[""] * 6, f"{published[bits, 'a64'] / nanoseconds:.2f}"])
    for row in rows:
        if row.bits == bits:
            own = row.cycles("model:a72")
            ratio = "" if own is None else f"{published[bits, 'a64'] * gigahertz / own:.2f}"
            lines.append([row.what, "", "", f"{row.instructions:.0f}", *(_number(row.cycles(machine)) for machine in MACHINES[1:]), ratio])
    title = f"SPARKLE{bits}, big: instructions are counted, cycles of A72, A55, N1 and V1 are models, none is measured"
    return Table(title, columns, lines)


@dataclass(frozen=True)
class Wide:
    """One design at one width: instructions, and cycles on the Cortex-A72 with loads and stores in the model."""

    design: str
    branches: int
    instructions: int
    cycles: float

    @property
    def per_byte_and_step(self) -> float:
        """Cycles for each byte of the state and step."""
        return self.cycles / (8 * self.branches * designs.STEPS[self.branches])


def _wide(root: Path, command: str) -> tuple[list[Wide], list[Result]]:
    """Both designs at all widths, for the claim that vectors pay beyond 512 bits."""
    found, results = [], []
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
        for branches in designs.STEPS:
            for design in designs.DESIGNS:
                case = designs.case(root, Path(directory), design, branches)
                region = executed(case)
                cycles = pipeline.QueueModel().cycles(pipeline.straight_line(region.executed(), memory=True))
                found.append(Wide(design, branches, region.instructions, cycles))
                tools = [f"{pipeline.MCA} {pipeline.MCA_VERSION}"]
                provenance = Provenance(sources(root, [GENERATOR]), tools, "", command)
                more = {"memory": True, "steps": designs.STEPS[branches]}
                results.append(
                    Result(
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
                )
    return found, results


def _wide_table(wide: Sequence[Wide]) -> Table:
    rows = []
    for branches, steps in designs.STEPS.items():
        a64, neon = (next(w for w in wide if w.branches == branches and w.design == design) for design in ("a64", "neon"))
        name = f"SPARKLE{64 * branches}" + ("" if branches <= 8 else ", research only")
        cells = [str(a64.instructions), str(neon.instructions), _number(a64.cycles), _number(neon.cycles)]
        rows.append([name, str(steps), *cells, f"{neon.cycles / a64.cycles:.2f}", f"{a64.per_byte_and_step:.2f}", f"{neon.per_byte_and_step:.2f}"])
    columns = ["permutation", "steps", "A64 instr.", "NEON instr.", "A64 A72", "NEON A72", "NEON / A64", "A64 c/(B step)", "NEON c/(B step)"]
    return Table("the paper's two designs, one state, beyond 512 bits: Cortex-A72 by the model, with loads and stores", columns, rows)


def _findings(rows: Sequence[Row], wide: Sequence[Wide], published: dict[tuple[int, str], float]) -> list[str]:
    said = []
    for design, name in (("a64", "A64"), ("neon", "NEON")):
        paper = published[512, design] / published[256, design]
        ours = [_growth(rows, f"the paper's {name} design, as we build it")]
        best = {"a64": "A64", "neon": "NEON, one state"}[design]
        ours.append(_growth(rows, best))
        parts = [f"{label} {value:.2f}" for label, value in zip(("its design as we build it", "our kernel"), ours, strict=True) if value]
        said.append(f"From 256 to 512 bits the published {name} slows down {paper:.2f} times; on the model of the Cortex-A72 {', '.join(parts)}.")
    by = {(one.design, one.branches): one.cycles for one in wide}
    faster = [64 * branches for branches in designs.STEPS if by["neon", branches] < by["a64", branches]]
    ratios = ", ".join(f"{64 * branches}: {by['neon', branches] / by['a64', branches]:.2f}" for branches in designs.STEPS)
    verdict = f"is the faster one at {', '.join(map(str, faster))} bits" if faster else "is slower at every width"
    said.append(f"For one state the NEON design {verdict} in the model (NEON / A64 by bits: {ratios}).")
    lanes = [row for row in rows if row.states > 1 and row.cycles("model:a72") is not None]
    for bits in WIDTHS:
        here = [row for row in lanes if row.bits == bits]
        one = next((row for row in rows if row.bits == bits and row.what == "A64"), None)
        if here and one:
            top = min(here, key=lambda row: row.cycles("model:a72") or 0)
            gain = (one.cycles("model:a72") or 0) / (top.cycles("model:a72") or 1)
            said.append(
                f"Many states of SPARKLE{bits}: {top.what} takes {top.cycles('model:a72'):.0f} cycles a state, {gain:.2f} times as fast as A64."
            )
    return said


def _growth(rows: Sequence[Row], what: str) -> float | None:
    found = {row.bits: row.cycles("model:a72") for row in rows if row.what == what}
    small, large = found.get(256), found.get(512)
    return large / small if small and large else None


def _plot(rows: Sequence[Row], wide: Sequence[Wide], published: dict[tuple[int, str], float], gigahertz: float, path: Path) -> None:
    """Figure 11 with ours: cycles of one state against the width of the state."""
    try:
        import matplotlib
    except ImportError:
        raise LabError("drawing needs matplotlib: pip install matplotlib") from None

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "hanji"  # the same file on every run
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    for design, colour in (("c", "tab:gray"), ("a64", "tab:blue"), ("neon", "tab:orange")):
        times = [published[bits, design] * gigahertz for bits in WIDTHS]
        axes.plot(list(WIDTHS), times, "o-", color=colour, label=f"published {design.upper() if design != 'neon' else 'NEON'} (measured)")
    for design, colour in (("a64", "tab:blue"), ("neon", "tab:orange")):
        points = [(64 * one.branches, one.cycles) for one in wide if one.design == design]
        axes.plot(*zip(*points, strict=True), "x--", color=colour, label=f"its {design.upper()} design, as we build it (model)")
    for what, colour in (("A64", "tab:green"), ("NEON, four states (shl, sri)", "tab:red"), ("NEON, four states, and one in A64", "tab:purple")):
        found = [(row.bits, row.cycles("model:a72")) for row in rows if row.what == what]
        if found:
            axes.plot(*zip(*found, strict=True), "s-", color=colour, label=f"ours: {what}, per state (model)")
    axes.set_xlabel("bits of the state; 768 and 1024 do not exist outside of this comparison")
    axes.set_ylabel("Cortex-A72 cycles per state, big permutation")
    axes.set_xticks([64 * branches for branches in designs.STEPS])
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _published(published: dict[str, Any], root: Path, command: str) -> list[Result]:
    """Table 5 as results, with the cycles that its times are at the clock of the board."""
    provenance = Provenance(sources(root, ["lab/papers/sparkle-armv8.yaml"]), [], "", command)
    found = []
    for row in published["rows"]:
        bits, cycles = int(row["algorithm"].removeprefix("sparkle")), row["value"] * published["gigahertz"]
        more = {"label": f"published: {row['what']}", "bits": bits, "states": 1, "nanoseconds": row["value"]}
        name, size = f"{row['algorithm']} {row['design']}", bits // 8
        found.append(
            Result(
                name, published["machine"], "published", BIG, size, provenance, cache=None, cycles=cycles, cycles_per_byte=cycles / size, more=more
            )
        )
    return found


def report(published: dict[str, Any], root: Path, command: str) -> Report:
    """Table 5, figure 11 and the claim about larger widths."""
    times = {(int(row["algorithm"].removeprefix("sparkle")), row["design"]): float(row["value"]) for row in published["rows"]}
    gigahertz = float(published["gigahertz"])
    rows = list(_rows(root, ready(MACHINES), command))
    wide, results = _wide(root, command)
    tables = [_table5(rows, times, gigahertz, bits) for bits in WIDTHS] + [_wide_table(wide)]
    labelled = [
        replace(result, more=result.more | {"label": row.what, "bits": row.bits, "states": row.states})
        for row in rows
        for result in row.found.values()
    ]
    all_results = _published(published, root, command) + labelled + results
    return Report(tables, all_results, _findings(rows, wide, times), lambda path: _plot(rows, wide, times, gigahertz, path))
