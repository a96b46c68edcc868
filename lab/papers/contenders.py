# SPDX-License-Identifier: Apache-2.0
"""Kernels beside the rows of a paper: what its file lists under `contenders` is measured on its `machines`, and ratios are taken.

A contender is a kernel (or a glob) and an operation. `beside` is the id of the published row that it answers to. The one with `design` is the
paper's own design as it is built here: others are divided by it on the same machine. With `best`, the fastest that matches counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import cycles
from ..checkout import LabError
from ..kernels import Kernel
from ..machines import Machine, ready
from ..results import Provenance, Result, sources
from . import Report, Table


@dataclass(frozen=True)
class Contender:
    """Something of ours that stands beside the rows of a paper."""

    subject: str
    label: str
    kernel: str
    operation: str
    beside: str | None = None
    design: bool = False
    best: bool = False


@dataclass(frozen=True)
class Line:
    """A contender on a machine: its figure per byte, and the ratios (ours to the other: below 1 is faster)."""

    contender: Contender
    machine: str
    kind: str
    figure: float
    results: tuple[Result, ...]
    to_published: float | None
    to_design: float | None


def published_results(paper: str, published: dict[str, Any], root: Path, command: str) -> list[Result]:
    """The rows of a paper as results of kind `published`: figures of others, on their machine."""
    provenance = Provenance(sources(root, [f"lab/papers/{paper}.yaml"]), [], "", command)
    return [
        Result(
            row["what"],
            published["machine"],
            "published",
            "encrypt",
            None,
            provenance,
            cache=None,
            cycles_per_byte=row["value"],
            more={"subject": row["subject"], "table": row["table"], "citation": published["citation"].strip()},
        )
        for row in published["rows"]
    ]


def per_byte(result: Result) -> float:
    """Cycles per byte, or instructions per byte where cycles are not counted."""
    count = result.instructions if result.cycles is None else result.cycles
    if count is None or not result.bytes:
        raise LabError(f"{result.kernel} on {result.machine} has neither cycles nor instructions")
    return count / result.bytes


def compare(published: dict[str, Any], root: Path, command: str) -> list[Line]:
    """One line for each contender and each machine that runs it, in the order of the file."""
    contenders = [Contender(**entry) for entry in published["contenders"]]
    rows = {row["id"]: row for row in published["rows"]}
    if unknown := [c.beside for c in contenders if c.beside is not None and c.beside not in rows]:
        raise LabError(f"a contender stands beside {unknown[0]!r}, which is no id of a published row")
    machines = ready(published["machines"])
    measured: dict[tuple[str, str, str], list[Result]] = {}
    known = cycles.known(root)
    chosen = {c: cycles.chosen(root, c.kernel, known) for c in contenders}
    figures = {(c, m.name): _measure(c, chosen[c], m, root, command, measured) for c in contenders for m in machines}
    lines = []
    for (contender, machine), results in figures.items():
        if not results:
            continue
        figure, kind = per_byte(results[0]), results[0].kind
        design = next((found for (c, m), found in figures.items() if c.design and (c.subject, m) == (contender.subject, machine)), [])
        to_design = round(figure / per_byte(design[0]), 4) if design else None
        to_published = round(figure / rows[contender.beside]["value"], 4) if contender.beside and results[0].cycles is not None else None
        more = {"subject": contender.subject, "label": contender.label, "ratio_to_published": to_published, "ratio_to_design": to_design}
        compared = tuple(replace(result, more=result.more | more) for result in results)
        lines.append(Line(contender, machine, kind, figure, compared, to_published, to_design))
    return lines


def _measure(
    contender: Contender, kernels: Sequence[Kernel], machine: Machine, root: Path, command: str, measured: dict[tuple[str, str, str], list[Result]]
) -> list[Result]:
    """The results of a contender on a machine, the warm one first; of several kernels those of the fastest."""
    found = []
    for kernel in kernels:
        if kernel.isa not in machine.isas or not (contender.operation == kernel.operation or contender.operation.startswith(f"{kernel.operation}-")):
            continue
        key = (kernel.name, kernel.operation, machine.name)
        if key not in measured:
            measured[key] = [result for case, _ in cycles.pairs([kernel], [machine], root) for result in machine.measure(case, command)]
        if results := [result for result in measured[key] if result.operation == contender.operation]:
            found.append(results)
    if len(found) > 1 and not contender.best:
        names = ", ".join(results[0].kernel for results in found)
        raise LabError(f"{contender.label}: {contender.kernel!r} matches {names}; one expected, or `best: true`")
    return min(found, key=lambda results: per_byte(results[0]), default=[])


def tables(published: dict[str, Any], lines: Sequence[Line]) -> list[Table]:
    """A table per subject: the published rows, then ours with a column per machine, in brackets the ratio to the paper's design."""
    machines = list(dict.fromkeys(line.machine for line in lines))
    made = []
    for subject in dict.fromkeys(row["subject"] for row in published["rows"]):
        rows = [
            [f"published: {row['what']} (table {row['table']})", f"{row['value']:.2f}", *("" for _ in machines)]
            for row in published["rows"]
            if row["subject"] == subject
        ]
        values = {row["id"]: row["value"] for row in published["rows"]}
        for contender in dict.fromkeys(line.contender for line in lines if line.contender.subject == subject):
            here = {line.machine: line for line in lines if line.contender == contender}
            beside = "" if contender.beside is None else f"{values[contender.beside]:.2f}"
            rows.append([contender.label, beside, *(_cell(here.get(machine)) for machine in machines)])
        unit = published["rows"][0]["unit"]
        made.append(Table(f"{subject}, {unit} (qemu: instructions per byte)", ["what", "published", *map(_short, machines)], rows))
    return made


def _short(machine: str) -> str:
    return machine.removeprefix("rtl:")


def _cell(line: Line | None) -> str:
    if line is None:
        return ""
    return f"{line.figure:.2f}" if line.to_design is None or line.contender.design else f"{line.figure:.2f} ({line.to_design:.2f})"


def plot(published: dict[str, Any], lines: Sequence[Line], path: Path) -> None:
    """Draw cycles per byte as bars, a group per machine and the published rows as dashed lines; SVG, PNG or PDF."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise LabError("matplotlib is not installed; plots need it: pip install 'hanji-lab[plot]'") from None
    subjects = list(dict.fromkeys(line.contender.subject for line in lines))
    drawing = Figure(figsize=(11, 4.5 * len(subjects)), layout="constrained")
    for place, subject in enumerate(subjects):
        axes = drawing.add_subplot(len(subjects), 1, place + 1)
        here = [line for line in lines if line.contender.subject == subject and line.kind != "count"]
        machines = list(dict.fromkeys(line.machine for line in here))
        labels = list(dict.fromkeys(line.contender.label for line in here))
        width = 0.8 / max(1, len(labels))
        for i, label in enumerate(labels):
            values = {line.machine: line.figure for line in here if line.contender.label == label}
            bars = [(j + (i - (len(labels) - 1) / 2) * width, values[machine]) for j, machine in enumerate(machines) if machine in values]
            axes.bar([at for at, _ in bars], [height for _, height in bars], width, label=label)
        for row in (row for row in published["rows"] if row["subject"] == subject):
            axes.axhline(row["value"], linestyle="--", linewidth=0.8, color="black")
            text = f"{row['what']}: {row['value']:g}"
            place_of_text = (1.005, row["value"])
            axes.annotate(text, place_of_text, xycoords=("axes fraction", "data"), ha="left", va="center", fontsize=8, annotation_clip=False)
        axes.set_yscale("log")
        axes.set_xticks(range(len(machines)), list(map(_short, machines)))
        axes.set_ylabel(published["rows"][0]["unit"])
        axes.set_title(f"{subject} (dashed: published, {published['machine']})")
        axes.legend(fontsize=8, ncols=3)
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date and no random names: the same figures make the same file.
    with matplotlib.rc_context({"svg.hashsalt": "hanji"}):
        drawing.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def findings(lines: Sequence[Line], machine: str) -> list[str]:
    """Sentences that say, for one machine, how far our best is from the paper's design."""
    return [
        f"{line.contender.subject} on {machine}: {line.contender.label} takes {line.figure:.2f} cycles per byte, "
        f"{1 / line.to_design:.2f} times as fast as the paper's design built here."
        for line in lines
        if line.machine == machine and line.contender.best and line.to_design
    ]


def report(paper: str, published: dict[str, Any], root: Path, command: str) -> Report:
    """The whole comparison of a paper whose file has contenders."""
    lines = compare(published, root, command)
    results = published_results(paper, published, root, command) + [result for line in lines for result in line.results]
    said = findings(lines, published["machines"][0])
    return Report(tables(published, lines), results, said, lambda path: plot(published, lines, path))
