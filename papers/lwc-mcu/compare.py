# SPDX-License-Identifier: Apache-2.0
"""NIST's benchmark of the finalists of lightweight cryptography on microcontrollers, beside ours.

On an ATmega328P both are cycles: theirs of the board, ours in simavr. On the Cortex-M theirs are
cycles and ours executed instructions, which are different things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hanji_lab.measure import messages
from hanji_lab.papers import Cell, Report, Table
from hanji_lab.results import Entry, Result


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """Our calls on a processor of each board."""
    yield from messages.measure(root, published["machines"], command)


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """What each call of ours takes on every processor."""
    found = {(e["kernel"], e["operation"], e["bytes"], e["machine"]): e for e in entries}
    machines = [name for name in published["machines"] if any(key[3] == name for key in found)]
    body: list[list[str]] = []
    for kernel, operation, size in dict.fromkeys(key[:3] for key in found):
        cells = []
        for name in machines:
            entry = found[kernel, operation, size, name]
            count = entry["cycles"] if entry["cycles"] is not None else entry["instructions"]
            cells.append(Cell(f"{count:,}", entry))
        body.append([f"{kernel}, {operation}, {size} bytes", *cells])
    units = [
        f"{name}, {'cycles' if found_cycles(entries, name) else 'instructions'}"
        for name in machines
    ]
    title = "Whole calls of ours, without associated data"
    return Report([Table(title, ["call", *units], body)], list(entries))


def found_cycles(entries: Sequence[Entry], machine: str) -> bool:
    """Whether the figures of a machine are cycles."""
    return any(e["machine"] == machine and e["cycles"] is not None for e in entries)
