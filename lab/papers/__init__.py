# SPDX-License-Identifier: Apache-2.0
"""Published figures beside ours.

A paper is a folder of the checkout, papers/ID. Its `paper.yaml` says what was published:
`citation`, `machine`, and `rows`, each with its `table`, `what` (how the paper calls it), `value`
and `unit`; further keys of a row (algorithm, design, ..) say what it is. `ours` says which figures
of ours answer to which rows, `statements` what the paper's text says about its own figures, and
`notes` what a reader must know and no figure shows (rows.py).

Its `compare.py` has two functions. `measure` runs what the paper ran and gives results; `compare`
makes tables, charts and sentences of the published rows and of results, however old they are: from
`results/measured.json` in the folder of the paper, or just measured.

This package is the part that all papers share. Nothing else in the repository reads papers/.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from .. import results
from ..checkout import LabError
from ..kernels import LOADER
from ..results import Entry, Result

REQUIRED = ("citation", "machine", "rows")
ROW = ("table", "what", "value", "unit")


class Cell(str):
    """The text of a figure, and the results that it was made of."""

    entries: tuple[Entry, ...]

    def __new__(cls, text: object, *entries: Entry) -> Cell:
        made = super().__new__(cls, text)
        made.entries = entries
        return made


@dataclass(frozen=True)
class Table:
    """One table of a report: published figures and ours, as text; a text that is a Cell knows its
    results.
    """

    title: str
    columns: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Series:
    """Points of one colour: the places on the axis that it has, and their heights. A published
    series is somebody else's measurement.
    """

    label: str
    points: dict[Any, float]
    published: bool = False
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """What to draw: `bars` (a group for each place, in `order` if there is one) or `lines` (places
    are numbers), and level lines across it.
    """

    name: str
    title: str
    kind: str
    horizontal: str
    vertical: str
    series: list[Series]
    levels: dict[str, float] = field(default_factory=dict)
    logarithmic: bool = False
    order: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """A comparison: tables to read, sentences that say what follows, charts, and the results that
    it was made of.
    """

    tables: list[Table]
    entries: list[Entry]
    findings: list[str] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)


def folder(paper: str, root: Path) -> Path:
    """The folder of a paper in a checkout."""
    return root / "papers" / paper


def names(root: Path) -> list[str]:
    """The papers of a checkout, by id."""
    return sorted(path.parent.name for path in root.glob("papers/*/paper.yaml"))


@lru_cache(maxsize=16)
def _parsed(text: str) -> Any:
    """YAML as objects."""
    return yaml.load(text, Loader=LOADER)


def data(path: Path) -> Any:
    """What a YAML file holds, of which the caller may change his copy."""
    return deepcopy(_parsed(path.read_text(encoding="utf-8")))


def load(paper: str, root: Path) -> dict[str, Any]:
    """What a paper published; LabError when there is no such paper or its file lacks something."""
    if paper not in (known := names(root)):
        raise LabError(f"paper {paper!r} given, one of {', '.join(known)} expected")
    path = folder(paper, root) / "paper.yaml"
    content = data(path)
    for key in REQUIRED:
        if not isinstance(content, dict) or not content.get(key):
            raise LabError(f"{path}: {key} is missing")
    for number, row in enumerate(content["rows"], start=1):
        if missing := [key for key in ROW if key not in row]:
            raise LabError(f"{path}: row {number} lacks {', '.join(missing)}")
    return dict(content)


def stored_path(paper: str, root: Path) -> Path:
    """Where the results of a paper are kept in a checkout."""
    return folder(paper, root) / "results/measured.json"


def published_entries(paper: str, root: Path) -> list[Entry]:
    """The rows of a paper as objects of kind `published`: figures of others, on their machine."""
    content = load(paper, root)
    origin = {
        "sources": results.sources(root, [f"papers/{paper}/paper.yaml"]),
        "tools": [],
        "flags": "",
        "command": "",
        "date": "",
    }
    return [
        {
            "kernel": row["what"],
            "machine": content["machine"],
            "kind": "published",
            "operation": row.get("operation", ""),
        }
        | {key: value for key, value in row.items() if key not in ("what", "operation")}
        | {"paper": paper, "provenance": origin}
        for row in content["rows"]
    ]


@cache
def module(path: Path) -> Any:
    """A Python file in the folder of a paper as a module; it is loaded once. These folders are no
    packages: their names have hyphens, and each has its own compare.py.
    """
    name = re.sub(r"\W", "_", f"hanji_paper_{path.with_suffix('').as_posix()}")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise LabError(f"{path} does not exist; every paper has a compare.py")
    made = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def comparison(paper: str, root: Path) -> Any:
    """The module with `measure` and `compare` of a paper."""
    return module(folder(paper, root) / "compare.py")


def measure(paper: str, root: Path, command: str, machines: Sequence[str] = ()) -> Iterator[Result]:
    """Measure what a paper measured; `command` goes into the provenance. `machines` are those to
    measure on, instead of those of the paper's file.
    """
    published = load(paper, root)
    if machines:
        if "machines" not in published:
            raise LabError(
                f"the comparison with {paper} has its own machines; measure it without --on"
            )
        published["machines"] = list(machines)
    yield from comparison(paper, root).measure(published, root, command)


def compare(paper: str, root: Path, entries: Iterable[Entry]) -> Report:
    """Put the published rows of a paper beside results, new or old."""
    listed = [entry for entry in entries if entry["kind"] not in ("published", "reviewed")]
    made: Report = comparison(paper, root).compare(load(paper, root), listed)
    return made


def files(paper: str, root: Path) -> list[Path]:
    """The results files that a paper's file names under `also` as globs, those that are there: of
    the laboratory (results/) and of the paper itself.
    """
    places = root / "results", stored_path(paper, root).parent
    return [
        path
        for pattern in load(paper, root).get("also", ())
        for place in places
        for path in sorted(place.glob(f"{pattern}.json"))
    ]


def also(paper: str, root: Path) -> list[Entry]:
    """The results of the other files (`files`), and what reviewers measured of the authors' code."""
    found = [entry for path in files(paper, root) for entry in results.read(path)]
    return [*found, *reviewed(paper, root)]


def reviewed(paper: str, root: Path) -> list[Entry]:
    """What reviewers measured of the authors' code (authors.py)."""
    from . import authors

    return authors.reviewed(load(paper, root), paper, root)


def measure_authors(paper: str, folder: Path, root: Path, command: str) -> Iterator[Result]:
    """The authors' own code in a folder, measured (authors.py)."""
    from . import authors

    yield from authors.measure(load(paper, root), paper, folder, root, command)


def own(paper: str, root: Path) -> list[Entry]:
    """The results that the checkout holds of a paper; LabError that says what is wrong with them."""
    return results.read(stored_path(paper, root), f"hanji-lab paper {paper} --save")


def stored(paper: str, root: Path) -> Report:
    """The comparison with the results that the checkout holds; LabError that says what is wrong
    with them.
    """
    load(paper, root)
    return of_stored(paper, root, [*own(paper, root), *also(paper, root)])


def of_stored(paper: str, root: Path, entries: Sequence[Entry]) -> Report:
    """The comparison with these results, which came from files; LabError when one lacks something."""
    try:
        if all(entry["kind"] == "reviewed" for entry in entries):
            raise KeyError("any result")
        return compare(paper, root, entries)
    except (KeyError, TypeError, ZeroDivisionError, StopIteration) as error:
        path, what = stored_path(paper, root), f"{type(error).__name__}: {error}"
        raise LabError(
            f"{path} lacks what the comparison needs ({what}); make it anew: hanji-lab paper "
            f"{paper} --again --save"
        ) from None


def stale(entries: Iterable[Entry], root: Path) -> list[str]:
    """The sources of results that have changed since, each once."""
    # many results have the same sources: each is read once
    sources = {pair for entry in entries for pair in entry["provenance"]["sources"].items()}
    return sorted({path for pair in sources for path in results.stale(dict([pair]), root)})


def report(paper: str, root: Path, command: str, machines: Sequence[str] = ()) -> Report:
    """Measure what a paper measured, and put both side by side."""
    return compare(
        paper,
        root,
        [
            *(result.to_json() for result in measure(paper, root, command, machines)),
            *also(paper, root),
        ],
    )
