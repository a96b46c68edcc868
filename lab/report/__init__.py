# SPDX-License-Identifier: Apache-2.0
"""The five papers, NIST's benchmark and ours on one page: HTML with everything in it, for reading
without a network, in light and dark, and for printing.

`page` gathers what the checkout holds (papers/, results/*.json, the commit) and `render` makes the
text. Nothing is measured here. A result file that is missing, damaged or of another version does
not stop the page: its place says what is wrong, and so does the list of problems.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import __version__, charts, gates, papers, results, spec
from ..checkout import LabError
from ..papers import Cell, Chart, Series, like, rows
from ..papers.gpus import GPUS as MODELLED
from ..papers.gpus import LANES
from ..results import Entry
from ..spec.block import BlockCipher
from . import goals, public

HERE = Path(__file__).resolve().parent
KINDS = {
    "reviewed": (
        "measured by reviewers",
        "Of the authors' own code, measured by reviewers, not in this repository.",
    ),
    "published": (
        "published",
        (
            "What the paper prints, measured by its authors on their machine. Nothing of it was "
            "run here."
        ),
    ),
    "rtl": (
        "RTL",
        (
            "Cycles of a real core, simulated clock by clock from its register-transfer "
            "description: exact for that core."
        ),
    ),
    "count": (
        "counted",
        (
            "Executed instructions, counted exactly: under qemu, or of a GPU kernel by an "
            "emulator. Instructions are not time."
        ),
    ),
    "model": (
        "model",
        (
            "An estimate by a model of a processor's pipeline. It says what should happen, not "
            "what did."
        ),
    ),
    "host": (
        "host",
        (
            "Core cycles or seconds of the machine that made the results. Noisy where others "
            "work on it; compare within one run."
        ),
    ),
    "gpu": ("GPU", "Measured on a GPU, by its own clock of events."),
    "size": ("size", "Bytes of code, constants, memory and stack."),
}
# Lane operations of the ALU pipe per second, and bytes of memory per second, by NVIDIA's data
# sheets.
GPUS = {gpu.name: (gpu.multiprocessors * LANES * gpu.clock * 1e9, gpu.memory) for gpu in MODELLED}


@dataclass(frozen=True)
class Link:
    """The text of a cell, the place on the page that says where it comes from, and what a pointer
    over it says.
    """

    text: str
    anchor: str = ""
    title: str = ""
    stale: bool = False
    note: str = ""
    ratio: str = ""


@dataclass(frozen=True)
class Origin:
    """One way in which figures of a section were made: the command and everything that decides its
    outcome.
    """

    anchor: str
    command: str
    machines: list[str]
    kinds: list[str]
    date: str
    tools: list[str]
    flags: str
    sources: dict[str, str]
    stale: list[str]


@dataclass(frozen=True)
class Grid:
    """A table of a page."""

    title: str
    columns: list[str]
    rows: list[list[Link]]
    note: str = ""
    fits: bool = False  # on a phone, too: its style sheet sees to that

    @property
    def words(self) -> list[bool]:
        """For each column, whether it holds words and not figures."""
        columns = [
            [row[i].text for row in self.rows if i < len(row) and row[i].text]
            for i in range(len(self.columns))
        ]
        return [bool(texts) and not any(text[0].isdigit() for text in texts) for texts in columns]


@dataclass(frozen=True)
class Picture:
    """A drawn chart, wide, and narrow for a phone."""

    title: str
    svg: str
    narrow: str = ""


def picture(chart: Chart, prefix: str) -> Picture:
    """A chart drawn for every screen."""
    wide, narrow = charts.inline(chart, prefix), charts.inline(chart, f"{prefix}-n", narrow=True)
    return Picture(chart.title, wide, narrow)


@dataclass
class Section:
    """A paper, or this machine: what its part of the page shows."""

    anchor: str
    title: str
    about: str
    machine: str = ""
    grids: list[Grid] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)
    agreements: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    slower: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    short: list[str] = field(default_factory=list)
    absent: dict[str, int] = field(default_factory=dict)
    origins: list[Origin] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    problem: str = ""
    did: str = ""
    we_did: str = ""
    verdict: str = ""
    measured: str = ""
    like: Grid | None = None
    worse: list[str] = field(default_factory=list)

    @property
    def stale(self) -> list[str]:
        """Sources that have changed since, each once."""
        return sorted({path for origin in self.origins for path in origin.stale})


@dataclass(frozen=True)
class Page:
    """All that the template needs."""

    sections: list[Section]
    headline: Grid
    picture: Picture | None
    commit: str
    date: str
    version: str
    kinds: dict[str, tuple[str, str]]
    problems: list[str]


class Origins:
    """The origins of a section's results, each once; a result's cell links to its origin."""

    def __init__(self, prefix: str, root: Path) -> None:
        self.prefix, self.root = prefix, root
        self.found: dict[tuple[object, ...], Origin] = {}
        self.changed: dict[tuple[str, str], bool] = {}

    def stale(self, sources: dict[str, str]) -> list[str]:
        """Those of the sources that have changed; each file is read once."""
        for one in sources.items():
            if one not in self.changed:
                self.changed[one] = bool(results.stale(dict([one]), self.root))
        return [path for path, mark in sources.items() if self.changed[path, mark]]

    def link(self, text: str, *entries: Entry, ratio: str = "") -> Link:
        """A cell that knows where its figure comes from; with several results, the first."""
        if not entries:
            return Link(text)
        origin = self.of(entries[0])
        for entry in entries[1:]:
            self.of(entry)
        entry, given = entries[0], entries[0]["provenance"]
        title = (
            f"{entry['kernel']}, {entry['operation']}, on {entry['machine']} "
            f"({KINDS[entry['kind']][0]}): {given['command']}, {given['date']}"
        )
        return Link(
            text,
            origin.anchor,
            title,
            any(self.stale(one["provenance"]["sources"]) for one in entries),
            ratio=ratio,
        )

    def of(self, entry: Entry) -> Origin:
        """The origin of a result."""
        given = entry["provenance"]
        key = (
            given["command"],
            given["date"],
            tuple(given["tools"]),
            given["flags"],
            entry["kind"],
        )
        if key not in self.found:
            self.found[key] = Origin(
                f"{self.prefix}-origin-{len(self.found) + 1}",
                given["command"],
                [],
                [],
                given["date"],
                given["tools"],
                given["flags"],
                {},
                [],
            )
        origin = self.found[key]
        if entry["machine"] not in origin.machines:
            origin.machines.append(entry["machine"])
        if entry["kind"] not in origin.kinds:
            origin.kinds.append(entry["kind"])
        new = {path: mark for path, mark in given["sources"].items() if path not in origin.sources}
        origin.sources.update(new)
        origin.stale.extend(self.stale(new))
        return origin


def _plain(
    title: str, columns: Sequence[str], body: Iterable[Sequence[str]], origins: Origins
) -> Grid:
    return Grid(
        title,
        list(columns),
        [
            [
                origins.link(str(cell), *(cell.entries if isinstance(cell, Cell) else ()))
                for cell in row
            ]
            for row in body
        ],
    )


def _side_by_side(found: Sequence[rows.Pair], machine: str, origins: Origins) -> list[Grid]:
    """Every published row with ours: a table for each table of the paper."""
    grids = []
    for table in dict.fromkeys(pair.row["table"] for pair in found):
        here = [pair for pair in found if pair.row["table"] == table]
        labels = list(dict.fromkeys(answer.label for pair in here for answer in pair.answers))
        units: dict[str, set[str]] = {
            label: {
                answer.unit for pair in here for answer in pair.answers if answer.label == label
            }
            for label in labels
        }
        # said once, above the column
        single: dict[str, str] = {
            label: next(iter(found)) for label, found in units.items() if len(found) == 1
        }
        body = []
        for pair in here:
            row, answers = pair.row, {answer.label: answer for answer in pair.answers}
            cells = [Link(rows.name(row)), Link(f"{row['value']:,}"), Link(row["unit"])]
            for label in labels:
                cells.append(
                    _answer(answers.get(label), single.get(label, str(row["unit"])), origins)
                )
            body.append(cells)
        same = {pair.row["unit"] for pair in here}
        heads = [
            label if label not in single or {single[label]} == same else f"{label}: {single[label]}"
            for label in labels
        ]
        columns = ["published row", "published", "unit", *heads]
        name = f"table {table}" if isinstance(table, int) else f"its table of {table}"
        note = "Small: the published figure divided by ours." if labels else ""
        if any(not answer.alike and answer.entry for pair in here for answer in pair.answers):
            note += (
                " ≠ marks another quantity or another kind of machine: there the ratio does not "
                "compare speeds."
            )
        grids.append(Grid(f"Every row of {name} ({machine}), and ours", columns, body, note))
    return grids


def _like(found: Sequence[like.Like], origins: Origins) -> Grid | None:
    """Like for like: one row for each comparison."""
    if not found:
        return None
    body = []
    for one, both in zip(found, like.texts(found), strict=True):
        cells = [Link(one.what)]
        for side, text in zip((one.theirs, one.ours), both, strict=True):
            cells.append(
                origins.link(text, side.entry, ratio=side.note) if side.entry else Link(text)
            )
        body.append([*cells, Link(one.unit), Link(rows.ratio(one.ratio))])
    note = "The last column: how many times ours is better; below 1, theirs is."
    columns = ["what", "theirs", "ours", "unit", "like for like"]
    title = "Like for like: the best of each, of one kind, measured in one way"
    return Grid(title, columns, body, note, fits=True)


def summary(root: Path) -> Chart | None:
    """Every kind of like for like as one bar: the least of its ratios."""
    series: dict[Any, float] = {}
    for name in PAPERS:
        content = papers.load(name, root)
        groups: dict[str, list[float]] = {}
        for one in like.likes(content, _entries(name, root)):
            groups.setdefault(one.group, []).append(one.ratio)
        for group, ratios_ in groups.items():
            place = f"{NAMES[name][1]}: {content['groups'][group]}"
            series[place] = min(ratios_)
    if not series:
        return None
    return Chart(
        "like",
        "Like for like: how many times ours is better, at the least (1: level)",
        "bars",
        "comparison",
        "theirs / ours; 1 is level",
        [Series("ours", series)],
        {"level": 1.0},
    )


def _entries(name: str, root: Path) -> list[Entry]:
    """All results that a paper's rows can have; none where a file is missing or damaged."""
    try:
        return [*papers.own(name, root), *papers.also(name, root)]
    except LabError:
        return []


def _answer(answer: rows.Answer | None, unit: str, origins: Origins) -> Link:
    if answer is None:
        return Link("")
    if answer.bound and answer.figure is not None and answer.entry:
        return origins.link(f"≥ {rows.number(answer.figure)}", answer.entry, ratio=answer.absent)
    if answer.figure is None or answer.entry is None or answer.ratio is None:
        return Link(answer.absent, note="absent")
    own = "" if answer.unit == unit else f" {answer.unit}"
    return origins.link(
        f"{rows.number(answer.figure)}{own}",
        answer.entry,
        ratio=f"{rows.ratio(answer.ratio)}\u00d7{'' if answer.alike else ' ≠'}",
    )


def ratios(name: str, found: Sequence[rows.Pair]) -> Chart | None:
    """Published / ours for each row, as bars: only where both are the same quantity."""
    series: dict[str, dict[Any, float]] = {}
    order = []
    for pair in found:
        detail = f", {pair.row['messages']:,}" if "messages" in pair.row else ""
        order.append(f"{rows.subject(pair.row)}{pair.row['what']}{detail}")
        for answer in pair.answers:
            size = answer.entry is not None and answer.entry["kind"] == "size"
            if answer.alike and answer.ratio is not None and not size:
                series.setdefault(answer.label, {})[order[-1]] = answer.ratio
    if not series:
        return None
    made = [Series(label, points) for label, points in series.items()]
    return Chart(
        f"{name}-ratios",
        "How many times ours is below the published figure (longer is better)",
        "bars",
        "row",
        "published / ours",
        made,
        {"as published": 1.0},
        order=order,
    )


def paper_section(name: str, root: Path) -> Section:
    """One paper: its rows and ours, its tables, charts, statements and notes, and where all of it
    comes from.
    """
    content = papers.load(name, root)
    section = Section(
        name, TITLES.get(name, name), " ".join(content["citation"].split()), content["machine"]
    )
    section.notes = [" ".join(note.split()) for note in content.get("notes", ())]
    for agreed, sentence in [*rows.statements(content), *rows.orders(content)]:
        (section.agreements if agreed else section.contradictions).append(sentence)
    section.files = recorded(root, [papers.stored_path(name, root), *papers.files(name, root)])
    origins = Origins(name, root)
    entries: list[Entry] = []
    report = None
    try:
        entries = papers.own(name, root)
        try:
            entries += papers.also(name, root)
        except (
            LabError
        ) as error:  # of another part of the house: what this paper measured is there all the same
            section.problem = str(error)
        report = papers.of_stored(name, root, entries)
    except LabError as error:
        section.problem = str(error)
    found = rows.pairs(content, entries)
    alike = like.likes(content, entries)
    for key in ("did", "we_did", "measured"):
        setattr(section, key, " ".join(str(content.get(key, "")).split()))
    section.verdict, section.worse = like.verdict(content, alike), like.worse(alike)
    section.like = _like(alike, origins)
    section.grids += _side_by_side(found, content["machine"], origins)
    pictures = [ratios(name, found)]
    if report:
        section.grids += [
            _plain(table.title, table.columns, table.rows, origins) for table in report.tables
        ]
        section.findings = [
            sentence for sentence in report.findings if sentence not in section.contradictions
        ]
        pictures += report.charts
    if name == "speck-simon-simeck-ptx" and (bounds := gpu_bounds(entries, origins)):
        section.grids.append(bounds[0])
        pictures.append(bounds[1])
    section.pictures = [picture(chart, f"{name}-{chart.name}") for chart in pictures if chart]
    section.notes += [
        f"{one['kernel']} gives wrong results on {one['machine']}: {one['wrong']}."
        for one in entries
        if one.get("wrong")
    ]
    section.slower, section.above, section.absent = (
        rows.slower(found),
        rows.above(found),
        rows.absent(found),
    )
    section.origins = list(origins.found.values())
    return section


# Title and short name of each paper, in the order of the page.
NAMES = {
    "sparkle-armv8": ("SPARKLE on 64-bit ARMv8", "SPARKLE, ARMv8"),
    "speck-cham-rv32": ("SPECK and CHAM on 32-bit RISC-V", "SPECK and CHAM, RV32"),
    "speck-simon-simeck-ptx": ("SPECK, SIMON and SIMECK on NVIDIA GPUs", "PTX"),
    "aimer-armv8": ("AIMer on 64-bit ARMv8", "AIMer, ARMv8"),
    "rainbow-armv8": ("Rainbow on 64-bit ARMv8", "Rainbow, ARMv8"),
    "lwc-mcu": ("NIST's finalists on microcontrollers", "NIST, ATmega328P"),
}
PAPERS = tuple(NAMES)
TITLES = {name: title for name, (title, _) in NAMES.items()}


def _stored(root: Path, pattern: str, section: Section) -> list[Entry]:
    """The results of all files that match; what is wrong with one goes into the section."""
    found: list[Entry] = []
    for path in sorted((root / "results").glob(pattern)):
        try:
            found += results.read(path)
        except LabError as error:
            section.problem = f"{section.problem}\n{error}".strip()
    return found


def _call(entry: Entry) -> str:
    """What was called: kernel, operation, and how many messages at once."""
    messages = entry.get("messages", 1)
    return f"{entry['kernel']} {entry['operation']}" + (
        f", {messages} messages at once" if messages > 1 else ""
    )


def _by_size(
    entries: Sequence[Entry], figure: str, wanted: Sequence[str] = ()
) -> dict[str, dict[Any, float]]:
    """Per byte against the length of a message, for what has more than one; the bytes of counted
    calls are those of all messages.
    """
    found: dict[str, dict[Any, float]] = {}
    for entry in entries:
        if (
            entry["bytes"]
            and entry.get(figure) is not None
            and (not wanted or any(word in entry["kernel"] for word in wanted))
        ):
            messages = entry.get("messages", 1)
            value = entry[figure] / (entry["bytes"] if figure == "instructions" else 1)
            found.setdefault(_call(entry), {})[
                entry["bytes"] // messages if entry["kind"] == "count" else entry["bytes"]
            ] = value
    return {name: points for name, points in found.items() if len(points) > 1}


def host_section(root: Path) -> Section:
    """The library on the machine that made the results: one message by length, blocks, and many
    messages at once.
    """
    section = Section(
        "host",
        "The library on x86-64",
        (
            "Core cycles per byte of the C library on the machine that made the results, by tier "
            "of kernels and length of the message."
        ),
    )
    entries = [entry for entry in _stored(root, "host-*.json", section) if entry["kind"] == "host"]
    if not entries:
        section.problem = (
            section.problem or "no results/host-*.json; `hanji-lab measure host --save` makes it"
        )
        return section
    section.machine = ", ".join(dict.fromkeys(entry["machine"] for entry in entries))
    section.files = recorded(root, sorted((root / "results").glob("host-*.json")))
    origins = Origins("host", root)
    counted = [entry for entry in entries if entry["cycles_per_byte"] is not None]
    single = [entry for entry in counted if "messages" not in entry and not _is_block(entry)]
    blocks = [entry for entry in counted if "messages" not in entry and _is_block(entry)]
    messages = [entry for entry in blocks if entry["operation"] in MESSAGES]
    blocks = [entry for entry in blocks if entry["operation"] not in MESSAGES]
    fleets = [entry for entry in counted if "messages" in entry]
    curves = _by_size(single, "cycles_per_byte")
    if curves:
        title = "Cost by message size: core cycles per byte, one message after the other"
        chosen = {
            name: points for name, points in curves.items() if name.startswith(CURVES)
        } or curves
        series = [Series(name, points) for name, points in list(chosen.items())[:8]]
        chart = Chart(
            "size",
            title,
            "lines",
            "bytes of a message",
            "core cycles per byte",
            series,
            logarithmic=True,
        )
        section.pictures.append(picture(chart, "host-size"))
    if single:
        note = (
            "A tier that is not listed has no kernel of its own for one message, and takes that "
            "of the tier before."
        )
        columns = [
            (f"{size:,} bytes", size) for size in sorted({entry["bytes"] for entry in single})
        ]
        section.grids.append(
            _matrix(
                "One message, by its length",
                single,
                origins,
                _call,
                lambda entry: entry["bytes"],
                columns,
                note,
            )
        )
    section.grids.append(ascon_grid())
    if beside := [entry for entry in [*single, *fleets] if "ratio_to_portable" in entry]:
        section.grids.append(portable_grid(beside, origins))
    for size, name in ((1 << 14, "16 KiB"), (1 << 20, "1 MiB")):
        if here := [entry for entry in blocks if size - 48 < entry["bytes"] <= size]:
            ways = [(way, way) for way in dict.fromkeys(map(_way, here))]
            title = f"Whole blocks (encrypt) and counter mode, {name}: core cycles per byte"
            section.grids.append(
                _matrix(
                    title,
                    here,
                    origins,
                    lambda entry: str(entry["kernel"].split()[0]),
                    _way,
                    ways,
                    corner="cipher",
                )
            )
    if messages:
        section.grids.append(message_grid(messages, origins))
    if fleets:
        tiers = [(tier, tier) for tier in dict.fromkeys(map(_tier, fleets))]
        title = "Many messages in one call, each under its own key: core cycles per byte"
        section.grids.append(_matrix(title, fleets, origins, fleet_name, _tier, tiers))
    section.slower = [
        (
            f"{entry['kernel']}, {entry['operation']} of {entry['bytes']:,} bytes, takes "
            f"{entry['ratio_to_hanji']:.2f} of the time of ours."
        )
        for entry in entries
        if entry.get("ratio_to_hanji", 1) < 1
    ]
    for entry in entries:
        origins.of(entry)
    section.origins = list(origins.found.values())
    return section


def ascon_grid() -> Grid:
    """One message of Ascon in cycles of the call: ours and the public C, in one run on one core."""
    body = [
        [
            Link(f"{name} {program.name}"),
            *(Link(f"{program.cycles[size]:,}") for size in public.ASCON_SIZES),
        ]
        for name, programs in public.ASCON.items()
        for program in programs
    ]
    return Grid(
        "One message of Ascon: core cycles of the call, ours and the Ascon team's C",
        ["what", *(f"{size:,} bytes" for size in public.ASCON_SIZES)],
        body,
        public.ASCON_SOURCE,
    )


def portable_grid(entries: Sequence[Entry], origins: Origins) -> Grid:
    """The time of a message, alone or among many, over one alone in portable C, which ran in turns
    with it.
    """
    sizes = sorted({entry["bytes"] for entry in entries})
    rows: dict[str, dict[int, Entry]] = {}
    for entry in entries:
        rows.setdefault(_call(entry), {})[entry["bytes"]] = entry
    body = [
        [
            Link(what),
            *(
                origins.link(f"{here[size]['ratio_to_portable']:.2f}", here[size])
                if size in here
                else Link("")
                for size in sizes
            ),
        ]
        for what, here in rows.items()
    ]
    return Grid(
        "The time of a message over one alone in portable C, in turns of the same run",
        ["what", *(f"{size:,} bytes" for size in sizes)],
        body,
        "Portable C has words of 64 bits, and none of the instructions that a tier adds.",
    )


def message_grid(entries: Sequence[Entry], origins: Origins) -> Grid:
    """CTR, EAX and CMAC by the length of the message, the key schedule included and not; after each
    cipher the public programs that are in no package, with the figures that were published.
    """
    sizes = sorted({entry["bytes"] for entry in entries})
    cells: dict[tuple[str, str], dict[int, Entry]] = {}
    for entry in entries:
        cells.setdefault((entry["kernel"], entry["operation"]), {})[entry["bytes"]] = entry
    body = []
    for cipher in dict.fromkeys(kernel.split()[0] for kernel, _ in cells):
        for (kernel, operation), here in cells.items():
            if kernel.split()[0] == cipher:
                what = f"{kernel}, {MESSAGES[operation]}"
                figures = (
                    origins.link(f"{here[size]['cycles_per_byte']:.2f}", here[size])
                    if size in here
                    else Link("")
                    for size in sizes
                )
                body.append([Link(what), *figures])
        for program in public.CTR.get(cipher, ()):
            figures = (
                Link(f"{program.figures[size]:.2f}" if size in program.figures else "")
                for size in sizes
            )
            body.append([Link(f"{cipher} {program.name}, {MESSAGES[public.OPERATION]}"), *figures])
    return Grid(
        "A message of its own, not in place, by its length: CTR, or what is named",
        ["what", *(f"{size:,} bytes" for size in sizes)],
        body,
        public.SOURCE,
    )


def goals_section(root: Path) -> Section:
    """What this version set out to reach, and how far it is."""
    section = Section(
        "goals",
        "Goals",
        "What this version set out to reach: from the best public code, built and measured "
        "beside ours on such a machine, and from "
        "counted operations.",
    )
    origins = Origins("goals", root)
    found = goals.goals(root)
    body = []
    for goal in found:
        figure = (
            origins.link(rows.number(goal.figure), goal.entry)
            if goal.figure is not None and goal.entry
            else Link("not measured", note="absent")
        )
        bound = f"{'at most' if goal.at_most else 'at least'} {goal.bound:,g}"
        body.append(
            [
                Link(goal.what),
                Link(bound),
                figure,
                Link(goal.unit),
                Link(goal.verdict, note="absent" if goal.short else ""),
            ]
        )
    section.grids.append(
        Grid(
            "Every goal, and our figure",
            ["goal", "wanted", "ours", "unit", "verdict"],
            body,
            "Reached is what is within 0.4 % of its goal, too.",
        )
    )
    reached = sum(goal.figure is not None and not goal.short for goal in found)
    section.findings = [
        (
            f"{reached} of {len(found)} goals are reached, "
            f"{sum(bool(goal.short) for goal in found)} are missed."
        )
    ]
    section.short = [goal.sentence for goal in found if goal.short]
    section.origins = list(origins.found.values())
    return section


# operations of the host over messages of their own, and what a table calls them
MESSAGES = {
    "ctr, message": "key ready",
    "ctr, key and message": "key schedule included",
    "eax, message": "EAX, key ready",
    "eax, key and message": "EAX, key schedule included",
    "cmac, message": "CMAC, key ready",
    "cmac, key and message": "CMAC, key schedule included",
}
# lines of the chart of the host
CURVES = (
    "ascon-aead128 avx2",
    "ascon-hash256 avx2",
    "schwaemm256-128",
    "esch256",
    "schwaemm128-128 portable",
    "esch384",
)


def _is_block(entry: Entry) -> bool:
    """Whether it is a figure of a block cipher, ours or somebody else's, or of a whole cipher of
    OpenSSL's.
    """
    return "/" in entry["kernel"] or "OpenSSL" in entry["kernel"]


def _way(entry: Entry) -> str:
    return f"{entry['operation']}, {_tier(entry)}"


def _tier(entry: Entry) -> str:
    return str(entry["kernel"]).partition(" ")[2] or "only copied"


def fleet_name(entry: Entry) -> str:
    """What a fleet was: its algorithm, how many messages and of how many bytes."""
    size = (
        f"{entry['shortest']:,} to {entry['longest']:,}"
        if "longest" in entry
        else f"{entry['bytes']:,}"
    )
    mode = str(entry["operation"]).partition(", fleet")
    name = entry["kernel"].split()[0] + (f" {mode[0].upper()}" if mode[1] else "")
    return f"{name}, {entry['messages']:,} messages of {size} bytes"


def _matrix(
    title: str,
    entries: Sequence[Entry],
    origins: Origins,
    row: Callable[[Entry], str],
    column: Callable[[Entry], object],
    columns: Sequence[tuple[str, object]],
    note: str = "",
    corner: str = "what",
) -> Grid:
    """Cycles per byte as a table; a figure of somebody else's program has its ratio to ours beside
    it.
    """
    cells: dict[str, dict[object, Entry]] = {}
    for entry in entries:
        cells.setdefault(row(entry), {})[column(entry)] = entry

    def cell(entry: Entry | None) -> Link:
        if entry is None:
            return Link("")
        ratio = f"{entry['ratio_to_hanji']:.1f} times ours" if "ratio_to_hanji" in entry else ""
        return origins.link(f"{entry['cycles_per_byte']:.2f}", entry, ratio=ratio)

    body = [
        [Link(name), *(cell(here.get(key)) for _, key in columns)] for name, here in cells.items()
    ]
    return Grid(title, [corner, *(label for label, _ in columns)], body, note)


def calls_section(root: Path) -> Section:
    """Whole calls of the library on AArch64, by message size."""
    section = Section(
        "calls",
        "Whole calls on AArch64",
        (
            "Everything between a call of the library and its return, counted under qemu; cycles "
            "by the model of the Cortex-A72."
        ),
        "qemu, no ARM processor",
    )
    entries = _stored(root, "calls-aarch64.json", section)
    if not entries:
        section.problem = (
            section.problem
            or "results/calls-aarch64.json does not exist; `hanji-lab calls --save` makes it"
        )
        return section
    section.files = recorded(root, [root / "results/calls-aarch64.json"])
    origins = Origins("calls", root)
    counted = [entry for entry in entries if entry["kind"] == "count"]
    curves = _by_size(counted, "instructions", wanted=("portable", "neon", "sha3"))
    chosen = [
        Series(name, points)
        for name, points in curves.items()
        if "schwaemm" in name and ("portable" in name or " neon " in f"{name} ")
    ][:8]
    if chosen:
        title = "Cost by message size: SCHWAEMM256-128 on AArch64, executed instructions per byte"
        chart = Chart(
            "size",
            title,
            "lines",
            "bytes of a message",
            "instructions per byte",
            chosen,
            logarithmic=True,
        )
        section.pictures.append(picture(chart, "calls-size"))
    by_call: dict[str, dict[str, Entry]] = {}
    for entry in sorted(entries, key=lambda entry: str(entry["kind"])):
        algorithm, _, tier = entry["kernel"].partition(" ")
        many = (
            f"{entry['messages']} messages of {entry['bytes'] // entry['messages']} bytes"
            if entry["messages"] > 1
            else f"{entry['bytes']} bytes"
        )
        by_call.setdefault(f"{algorithm} {entry['operation']}, {many}", {})[
            tier if entry["kind"] == "count" else f"{tier}, A72 model, c/B"
        ] = entry
    columns = list(dict.fromkeys(column for here in by_call.values() for column in here))
    body = []
    for name, here in by_call.items():
        cells = []
        for column in columns:
            one = here.get(column)
            if one:
                value = (
                    one["instructions"] / one["bytes"]
                    if one["kind"] == "count"
                    else one["cycles_per_byte"]
                )
            cells.append(origins.link(f"{value:.2f}", one) if one else Link(""))
        body.append([Link(name), *cells])
    section.grids.append(Grid("Instructions per byte by tier of kernels", ["call", *columns], body))
    section.origins = list(origins.found.values())
    return section


def held_counts() -> list[Entry]:
    """The counts that lab/gates/gpu.json holds for counter mode, for each cipher those of its best
    kernel, as objects like results.
    """
    best: dict[str, tuple[float, str]] = {}
    for row, figures in gates.held("gpu").items():
        kernel, _, operation = row.partition(" ")
        if operation == "ctr" and (
            alu := next((count / 1000 for what, count in figures.items() if "ALU" in what), None)
        ):
            cipher = kernel.partition("_sm")[0]
            best[cipher] = min(best.get(cipher, (alu, kernel)), (alu, kernel))
    origin = {
        "sources": {},
        "tools": ["ptxas, an emulator of its output"],
        "flags": "-O3",
        "command": "hanji-lab gates gpu",
        "date": "held by tests",
    }
    made = []
    for cipher, (alu, kernel) in best.items():
        algorithm = spec.algorithm(cipher)
        assert isinstance(algorithm, BlockCipher)
        entry: Entry = {
            "kernel": kernel,
            "machine": "sass:sm_90",
            "kind": "count",
            "operation": "ctr",
            "bytes": algorithm.block_size,
        }
        made.append(entry | {"per_block": {"alu": alu}, "provenance": origin})
    return made


def moved(entry: Entry) -> int:
    """Bytes that a kernel moves to and from memory for a block: data both ways, and where each
    message has its own key, that and its counter.
    """
    size = int(entry["bytes"])
    if entry["operation"] == "ctr":
        return 2 * size
    blocks = entry["kernel"].endswith("_paper") or "_own_" in entry["kernel"]
    return 2 * size + 16 + (0 if blocks else size)


def gpu_bounds(entries: Sequence[Entry], origins: Origins) -> tuple[Grid, Chart] | None:
    """What the counted instructions of the PTX kernels let a GPU do at most, beside what was
    measured on one.
    """
    counted = [
        entry
        for entry in entries
        if entry["machine"] == "sass:sm_90" and entry.get("per_block", {}).get("alu")
    ]
    counted += held_counts()
    measured: dict[str, Entry] = {}
    for entry in entries:
        if entry["kind"] == "gpu" and entry.get("gb_per_s", 0) > measured.get(
            entry["kernel"], {}
        ).get("gb_per_s", 0):
            measured[entry["kernel"]] = entry
    series: dict[str, dict[Any, float]] = {f"bound, {gpu} (model)": {} for gpu in GPUS}
    body = []
    for entry in counted:
        size, alu = entry["bytes"], entry["per_block"]["alu"]
        cells = [Link(entry["kernel"]), origins.link(f"{alu:.1f}", entry)]
        for gpu, (lanes, memory) in GPUS.items():
            by_alu, by_memory = size * lanes / alu, memory * size / moved(entry)
            series[f"bound, {gpu} (model)"][entry["kernel"]] = min(by_alu, by_memory) / 1e9
            cells.append(
                origins.link(
                    (
                        f"{min(by_alu, by_memory) / 1e9:,.0f} "
                        f"({'ALU' if by_alu < by_memory else 'memory'})"
                    ),
                    entry,
                )
            )
        own = measured.get(entry["kernel"])
        if own:
            series.setdefault(f"measured, {own['machine']}", {})[entry["kernel"]] = own["gb_per_s"]
        cells.append(
            origins.link(f"{own['gb_per_s']:,.0f}", own)
            if own
            else Link("not measured: no GPU", note="absent")
        )
        body.append(cells)
    columns = [
        "kernel",
        "ALU instructions per block or message",
        *(f"bound, {gpu}, GB/s" for gpu in GPUS),
        "measured, GB/s",
    ]
    note = (
        "The bound is what binds first: the ALU pipe (counted instructions, published rate) or "
        "memory (bytes moved, published rate)."
    )
    made = [Series(label, points) for label, points in series.items()]
    chart = Chart(
        "bounds",
        "GPU bounds, by the ALU pipe or by memory, whichever binds (GB of data per second)",
        "bars",
        "kernel",
        "GB/s",
        made,
    )
    return Grid("GPU bounds, and what was measured", columns, body, note), chart


def headline(root: Path) -> Grid:
    """One line per paper: where it was measured, how many of its rows have an answer here, and how
    far ours goes like for like.
    """
    body = []
    for name in PAPERS:
        content, entries = papers.load(name, root), _entries(name, root)
        found = rows.pairs(content, entries)
        kinds = dict.fromkeys(
            KINDS[answer.entry["kind"]][0]
            for pair in found
            for answer in pair.answers
            if answer.entry and answer.entry["kind"] != "reviewed"
        )
        alike: dict[str, list[float]] = {}
        for one in like.likes(content, entries):
            alike.setdefault(one.group, []).append(one.ratio)
        spans = [
            f"{content['groups'][group]}: {like.span(ratios_)}" for group, ratios_ in alike.items()
        ]
        body.append(
            [
                Link(TITLES[name], name),
                Link(content["machine"]),
                Link(f"{rows.answered(found)} of {len(found)}"),
                Link(", ".join(kinds) or "nothing yet"),
                Link("; ".join(spans) or "no common unit"),
            ]
        )
    columns = ["paper", "published on", "rows with an answer", "ours is", "like for like"]
    return Grid("The five papers and NIST's benchmark", columns, body)


def recorded(root: Path, paths: Iterable[Path]) -> list[str]:
    """The results files that are there, each with the commit that holds them."""
    found = []
    for path in (path for path in paths if path.is_file()):
        name = path.relative_to(root).as_posix()
        said = _git(root, "log", "-1", "--format=%h of %cs", "--", name)
        changed = _git(root, "status", "--porcelain", "--", name)
        found.append(
            f"{name}: "
            + (
                f"commit {said}" + (", and changed since" if changed else "")
                if said
                else "in no commit yet"
            )
        )
    return found


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()


def commit(root: Path) -> str:
    """The commit of the checkout, with a mark when files differ from it; where there is no
    repository, that.
    """
    return _git(root, "describe", "--always", "--dirty", "--abbrev=12") or "not a git repository"


def page(root: Path) -> Page:
    """Everything that the page shows."""
    sections = [paper_section(name, root) for name in PAPERS]
    sections += [calls_section(root), host_section(root), goals_section(root)]
    problems = [f"{section.title}: {section.problem}" for section in sections if section.problem]
    when = datetime.fromtimestamp(
        int(os.environ.get("SOURCE_DATE_EPOCH", datetime.now(UTC).timestamp())), UTC
    )
    whole = summary(root)
    return Page(
        sections,
        headline(root),
        picture(whole, "like") if whole else None,
        commit(root),
        when.strftime("%Y-%m-%d %H:%M UTC"),
        __version__,
        KINDS,
        problems,
    )


def render(made: Page) -> str:
    """The page as HTML."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise LabError(
            "jinja2 is not installed; the report needs it: pip install './lab[report]'"
        ) from None
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["quoted"] = shlex.quote
    environment.filters["coded"] = _coded
    colours = {"light": charts.LIGHT, "dark": charts.DARK}
    return environment.get_template("page.html.j2").render(
        page=made, style=(HERE / "page.css").read_text(encoding="utf-8"), colours=colours
    )


def _coded(text: str) -> Any:
    """A sentence for HTML, with what stands between backticks as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def write(root: Path, folder: Path) -> tuple[Path, Page]:
    """Write index.html into a folder, whole or not at all; its path, and what it shows."""
    made = page(root)
    path = folder / "index.html"
    results.write_text(path, render(made))
    return path, made
