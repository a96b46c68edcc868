# SPDX-License-Identifier: Apache-2.0
"""Published figures beside ours.

A paper is two files here: <id>.yaml with what was published, and a module of the same name (with _ for -) whose `report` measures and compares.
The data say where they stand: `citation`, `machine`, and `rows`, each with its `table`, `what` (how the paper calls it), `value` and `unit`;
further keys of a row (algorithm, design, ..) say to the module what it is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from ..checkout import LabError
from ..results import Result

HERE = Path(__file__).resolve().parent
REQUIRED = ("citation", "machine", "rows")
ROW = ("table", "what", "value", "unit")


@dataclass(frozen=True)
class Table:
    """One table of a report: published figures and ours, as text."""

    title: str
    columns: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Report:
    """A comparison: tables to read, the results behind them, sentences that say what follows, and a plot if there is one."""

    tables: list[Table]
    results: list[Result]
    findings: list[str] = field(default_factory=list)
    plot: Callable[[Path], None] | None = None  # writes the file that it is given


def names() -> list[str]:
    """The papers that are here, by id."""
    return sorted(path.stem for path in HERE.glob("*.yaml"))


def load(paper: str) -> dict[str, Any]:
    """What a paper published; LabError when there is no such paper or its file lacks something."""
    path = HERE / f"{paper}.yaml"
    if paper not in names():
        raise LabError(f"paper {paper!r} given, one of {', '.join(names())} expected")
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    for key in REQUIRED:
        if not isinstance(content, dict) or not content.get(key):
            raise LabError(f"{path}: {key} is missing")
    for number, row in enumerate(content["rows"], start=1):
        if missing := [key for key in ROW if key not in row]:
            raise LabError(f"{path}: row {number} lacks {', '.join(missing)}")
    return dict(content)


def report(paper: str, root: Path, command: str, machines: Sequence[str] = ()) -> Report:
    """Measure what a paper measured, and put both side by side; `command` goes into the provenance.

    `machines` are those to measure on, instead of those that the paper's file lists.
    """
    published = load(paper)
    if machines:
        if "machines" not in published:
            raise LabError(f"the comparison with {paper} has its own machines; measure it without --on")
        published["machines"] = list(machines)
    module = importlib.import_module(f".{paper.replace('-', '_')}", __package__)
    made: Report = module.report(published, root, command)
    return made
