# SPDX-License-Identifier: Apache-2.0
"""Kernels beside the rows of a paper: what its file lists under `contenders` is measured on its
`machines`, and ratios are taken.

A contender is a kernel (or a glob) and an operation. `beside` is the id of the published row that
it answers to. The one with `design` is the paper's own design as it is built here: others are
divided by it on the same machine. With `best`, the fastest that matches counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hanji_lab import cycles
from hanji_lab.checkout import LabError
from hanji_lab.kernels import Kernel
from hanji_lab.machines import Machine, ready
from hanji_lab.papers import Cell, Chart, Report, Series, Table
from hanji_lab.results import Entry, Result


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
    """A contender on a machine: its figure per byte, and its ratio to the paper's design there
    (below 1 is faster).
    """

    contender: Contender
    machine: str
    kind: str
    figure: float
    entry: Entry
    to_design: float | None


def per_byte(result: Result) -> float:
    """Cycles per byte, or instructions per byte where cycles are not counted."""
    count = result.instructions if result.cycles is None else result.cycles
    if count is None or not result.bytes:
        raise LabError(f"{result.kernel} on {result.machine} has neither cycles nor instructions")
    return count / result.bytes


def contenders(published: dict[str, Any]) -> list[Contender]:
    """What the paper's file lists; LabError when one stands beside a row that is not there."""
    found = [Contender(**entry) for entry in published["contenders"]]
    rows = {row["id"] for row in published["rows"]}
    if unknown := [c.beside for c in found if c.beside is not None and c.beside not in rows]:
        raise LabError(
            f"a contender stands beside {unknown[0]!r}, which is no id of a published row"
        )
    return found


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """The results of each contender on each machine that runs it, in the order of the file, with
    the ratios.
    """
    found = contenders(published)
    rows = {row["id"]: row for row in published["rows"]}
    machines = ready(published["machines"])
    measured: dict[tuple[str, str, str], list[Result]] = {}
    known = cycles.known(root)
    chosen = {c: cycles.chosen(root, c.kernel, known) for c in found}
    figures = {
        (c, m.name): _measure(c, chosen[c], m, root, command, measured)
        for c in found
        for m in machines
    }
    for (contender, machine), results in figures.items():
        if not results:
            continue
        figure = per_byte(results[0])
        design = next(
            (
                other
                for (c, m), other in figures.items()
                if c.design and (c.subject, m) == (contender.subject, machine)
            ),
            [],
        )
        to_design = round(figure / per_byte(design[0]), 4) if design else None
        to_published = (
            round(figure / rows[contender.beside]["value"], 4)
            if contender.beside and results[0].cycles is not None
            else None
        )
        more = {
            "subject": contender.subject,
            "label": contender.label,
            "ratio_to_published": to_published,
            "ratio_to_design": to_design,
        }
        yield from (replace(result, more=result.more | more) for result in results)


def lines(published: dict[str, Any], entries: Sequence[Entry]) -> list[Line]:
    """One line for each contender and each machine that has run it, with warm caches, in the order
    of the file.
    """
    made = []
    for contender in contenders(published):
        for entry in entries:
            named = entry.get("subject"), entry.get("label")
            if named == (contender.subject, contender.label) and entry["cache"] != "cold":
                figure = entry["instructions"] if entry["cycles"] is None else entry["cycles"]
                made.append(
                    Line(
                        contender,
                        entry["machine"],
                        entry["kind"],
                        figure / entry["bytes"],
                        entry,
                        entry["ratio_to_design"],
                    )
                )
    return made


def _measure(
    contender: Contender,
    kernels: Sequence[Kernel],
    machine: Machine,
    root: Path,
    command: str,
    measured: dict[tuple[str, str, str], list[Result]],
) -> list[Result]:
    """The results of a contender on a machine, the warm one first; of several kernels those of the
    fastest.
    """
    found = []
    for kernel in kernels:
        if kernel.isa not in machine.isas or not (
            contender.operation == kernel.operation
            or contender.operation.startswith(f"{kernel.operation}-")
        ):
            continue
        key = (kernel.name, kernel.operation, machine.name)
        if key not in measured:
            measured[key] = [
                result
                for case, _ in cycles.pairs([kernel], [machine], root)
                for result in machine.measure(case, command)
            ]
        if results := [
            result for result in measured[key] if result.operation == contender.operation
        ]:
            found.append(results)
    if len(found) > 1 and not contender.best:
        names = ", ".join(results[0].kernel for results in found)
        raise LabError(
            f"{contender.label}: {contender.kernel!r} matches {names}; one expected, or "
            "`best: true`"
        )
    return min(found, key=lambda results: per_byte(results[0]), default=[])


def tables(published: dict[str, Any], lines: Sequence[Line]) -> list[Table]:
    """A table per subject: the published rows, then ours with a column per machine, in brackets the
    ratio to the paper's design.
    """
    machines = list(dict.fromkeys(line.machine for line in lines))
    made = []
    for subject in dict.fromkeys(row["subject"] for row in published["rows"]):
        rows = [
            [
                f"published: {row['what']} (table {row['table']})",
                f"{row['value']:.2f}",
                *("" for _ in machines),
            ]
            for row in published["rows"]
            if row["subject"] == subject
        ]
        values = {row["id"]: row["value"] for row in published["rows"]}
        for contender in dict.fromkeys(
            line.contender for line in lines if line.contender.subject == subject
        ):
            here = {line.machine: line for line in lines if line.contender == contender}
            beside = "" if contender.beside is None else f"{values[contender.beside]:.2f}"
            rows.append(
                [contender.label, beside, *(_cell(here.get(machine)) for machine in machines)]
            )
        unit = published["rows"][0]["unit"]
        made.append(
            Table(
                f"{subject}, {unit} (qemu: instructions per byte)",
                ["what", "published", *map(_short, machines)],
                rows,
            )
        )
    return made


def _short(machine: str) -> str:
    return machine.removeprefix("rtl:")


def _cell(line: Line | None) -> str:
    if line is None:
        return ""
    ratio = "" if line.to_design is None or line.contender.design else f" ({line.to_design:.2f})"
    return Cell(f"{line.figure:.2f}{ratio}", line.entry)


def charts(published: dict[str, Any], lines: Sequence[Line]) -> list[Chart]:
    """Cycles per byte as bars, a chart per subject, a group per core, the published rows as level
    lines.
    """
    made = []
    for subject in dict.fromkeys(line.contender.subject for line in lines):
        here = [
            line for line in lines if line.contender.subject == subject and line.kind != "count"
        ]
        labels = dict.fromkeys(line.contender.label for line in here)
        series = [
            Series(
                label,
                {
                    _short(line.machine): line.figure
                    for line in here
                    if line.contender.label == label
                },
            )
            for label in labels
        ]
        levels = {
            f"published: {row['what']}": row["value"]
            for row in published["rows"]
            if row["subject"] == subject
        }
        name, unit = subject.split("/")[0].lower(), published["rows"][0]["unit"]
        title = f"{subject}: {unit} on each core (lines: published, {published['machine']})"
        made.append(Chart(name, title, "bars", "simulated core", unit, series, levels))
    return [chart for chart in made if chart.series]


def costs(published: dict[str, Any], entries: Sequence[Entry]) -> list[Table]:
    """What warm figures of whole groups leave out: the first call, with cold caches, and the making
    of masks, once for each key.
    """
    machine = published["machines"][0]
    body = []
    for contender in contenders(published):
        here = {
            entry["cache"]: entry
            for entry in entries
            if entry["machine"] == machine
            and (entry.get("subject"), entry.get("label")) == (contender.subject, contender.label)
        }
        if "warm" in here and "cold" in here:
            name = contender.subject.lower().replace("/", "_").replace("-", "", 1)
            masks = next(
                (
                    entry
                    for entry in entries
                    if entry["operation"] == "expand"
                    and entry["kernel"].startswith(name)
                    and (entry["machine"], entry["cache"]) == (machine, "warm")
                ),
                None,
            )
            sliced = "_x32" in here["warm"]["kernel"]
            warm, cold = here["warm"], here["cold"]
            first = "not measured" if sliced else ""
            if sliced and masks:
                first = Cell(f"{masks['cycles']:,}", masks)
            body.append(
                [
                    f"{contender.subject}: {contender.label}",
                    f"{warm['bytes']}",
                    Cell(f"{warm['cycles_per_byte']:.2f}", warm),
                    Cell(f"{cold['cycles_per_byte']:.2f}", cold),
                    first,
                ]
            )
    title = f"What is not in warm figures, on {machine}: the first call, and the masks of a key"
    columns = [
        "what",
        "bytes a call",
        "warm, cycles per byte",
        "cold, cycles per byte",
        "masks, cycles for each key",
    ]
    return [Table(title, columns, body)] if body else []


def findings(lines: Sequence[Line], machine: str) -> list[str]:
    """Sentences that say, for one machine, how far our best is from the paper's design."""
    return [
        f"{line.contender.subject} on {machine}: {line.contender.label} takes"
        f" {line.figure:.2f} cycles per byte, with warm caches and masks that are there."
        for line in lines
        if line.machine == machine and line.contender.best and line.to_design
    ]


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """The whole comparison of a paper whose file has contenders."""
    found = lines(published, entries)
    return Report(
        [*tables(published, found), *costs(published, entries)],
        list(entries),
        findings(found, published["machines"][0]),
        charts(published, found),
    )
