# SPDX-License-Identifier: Apache-2.0
"""Measured figures as JSON with their provenance: what results/*.json hold and what --json prints.

A file of results/ is an object with three lists. `sources` are pairs of path and fingerprint,
`provenance` says where figures come from, its sources as places in the first list, and `results`
are the figures, each with the place of its provenance in the second list. `write` takes results
apart and `read` puts them together: in the program, and where --json prints it, a result has its
whole provenance.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .checkout import LabError
from .fingerprints import changed, fingerprint

KINDS = ("rtl", "count", "model", "host", "gpu", "size", "published", "reviewed")
REQUIRED = frozenset(
    {"kernel", "machine", "kind", "operation", "bytes", "cycles_per_byte", "provenance"}
)
ORIGIN = frozenset({"sources", "tools", "flags", "command", "date"})

Entry = dict[str, Any]  # a result with its whole provenance: Result.to_json


@dataclass(frozen=True)
class Provenance:
    """Where a figure comes from: enough to make it again, and to see when it no longer holds."""

    sources: dict[str, str]  # path in the repository: fingerprint of what was measured
    tools: list[str]
    flags: str
    command: str
    date: str = field(default_factory=lambda: datetime.now(UTC).date().isoformat())

    def same_origin(self, other: Provenance) -> bool:
        """Whether both come from the same sources, by the same tools with the same flags."""
        return (self.sources, self.tools, self.flags) == (other.sources, other.tools, other.flags)

    def stale(self, root: Path) -> list[str]:
        """The sources whose contents differ from what was measured."""
        return stale(self.sources, root)


@dataclass(frozen=True)
class Result:
    """One figure; None where it does not exist. Sizes in bytes; cycles are of the core."""

    kernel: str
    machine: str
    kind: str
    operation: str
    bytes: int | None
    provenance: Provenance
    cache: str | None = "warm"  # warm or cold; None where the machine has none
    instructions: float | None = None
    cycles: float | None = None
    cycles_per_byte: float | None = None
    more: dict[str, Any] = field(default_factory=dict)  # what this kind of figure has beside cycles

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> Result:
        """The result that `to_json` wrote."""
        own = {
            name: entry[name]
            for name in cls.__dataclass_fields__
            if name in entry and name not in ("more", "provenance")
        }
        more = {
            name: value for name, value in entry.items() if name not in cls.__dataclass_fields__
        }
        return cls(**own, provenance=Provenance(**entry["provenance"]), more=more)

    def to_json(self) -> dict[str, Any]:
        """The result as an object: the fields of `more` beside the others."""
        flat = asdict(self)
        flat.pop("more")
        provenance = flat.pop("provenance")
        return flat | self.more | {"provenance": provenance}


def stale(recorded: dict[str, str], root: Path) -> list[str]:
    """Those of the recorded sources whose meaning is another one now, or which are gone."""
    return list(changed(recorded, root))


def sources(root: Path, patterns: Iterable[str]) -> dict[str, str]:
    """Path and fingerprint of every file that the patterns match; LabError when one matches
    nothing.
    """
    found: dict[str, str] = {}
    for pattern in patterns:
        paths = sorted(path for path in root.glob(pattern) if path.is_file())
        if not paths:
            raise LabError(f"no file of the checkout matches {pattern!r}")
        found |= {path.relative_to(root).as_posix(): fingerprint(path) for path in paths}
    return found


def tool_version(program: str) -> str:
    """The first line that a tool says about its version."""
    said = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False
    ).stdout
    return said.splitlines()[0] if said else program


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def text(entries: Iterable[Entry]) -> str:
    """A results file: each source once, each provenance once, and a line for each result."""
    sources: dict[tuple[str, str], int] = {}
    origins: dict[str, int] = {}
    rows = []
    for entry in entries:
        origin = entry["provenance"]
        numbers = [sources.setdefault(item, len(sources)) for item in origin["sources"].items()]
        number = origins.setdefault(json.dumps(origin | {"sources": numbers}), len(origins))
        rows.append(json.dumps(entry | {"provenance": number}))
    lists = {
        "sources": list(map(json.dumps, sources)),
        "provenance": list(origins),
        "results": rows,
    }
    parts = (f'"{name}": [\n' + ",\n".join(lines) + "\n]" for name, lines in lists.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(path: Path, results: Iterable[Result]) -> None:
    """Write the results, whole or not at all."""
    write_text(path, text(result.to_json() for result in results))


def _origins(content: dict[str, Any], place: str) -> list[dict[str, Any]]:
    """Each provenance of a results file, with its sources as path and fingerprint."""
    try:
        sources = [(str(path), str(mark)) for path, mark in content["sources"]]
        own = [dict(sources[n] for n in origin["sources"]) for origin in content["provenance"]]
        return [old | {"sources": new} for old, new in zip(content["provenance"], own, strict=True)]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise LabError(f"{place} has a provenance that cannot be read ({what})") from None


def read(path: Path, command: str = "hanji-lab measure --save") -> list[Entry]:
    """The results of a file, each with its provenance.

    LabError says what is wrong with the file, and that `command` makes it.
    """
    again = f"make it anew: {command}"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise LabError(f"{path} does not exist; `{command}` makes it") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise LabError(f"{path} is not JSON ({error}); {again}") from None
    if not isinstance(content, dict) or not isinstance(content.get("results"), list):
        lacking = " without a list of results" if isinstance(content, dict) else ""
        given = f"a {type(content).__name__}{lacking}"
        expected = "an object with sources, provenance and results expected"
        raise LabError(f"{path} is {given}, {expected}; {again}")
    try:
        origins = _origins(content, str(path))
    except LabError as error:
        raise LabError(f"{error}: another version of hanji-lab wrote it; {again}") from None
    entries = []
    for place, entry in enumerate(content["results"]):
        if not isinstance(entry, dict):
            raise LabError(
                f"{path}: result {place} is a {type(entry).__name__}, an object expected; {again}"
            )
        number = entry.get("provenance")
        origin = origins[number] if isinstance(number, int) and 0 <= number < len(origins) else {}
        missing = sorted(REQUIRED - set(entry)) + sorted(
            f"provenance.{key}" for key in ORIGIN - set(origin)
        )
        if missing:
            raise LabError(
                f"{path}: result {place} lacks {', '.join(missing)}: another version of "
                f"hanji-lab wrote it; {again}"
            )
        if entry["kind"] not in KINDS:
            raise LabError(
                f"{path}: result {place} is of kind {entry['kind']!r}, one of "
                f"{', '.join(KINDS)} expected; {again}"
            )
        entries.append(entry | {"provenance": dict(origin)})
    return entries
