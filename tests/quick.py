# SPDX-License-Identifier: Apache-2.0
"""The quick set: the cheapest tests of every test file, then the cheapest of all.

tests/times.json has processor seconds of every test function (all its parameters together) and of
shared work, such as builds and fixtures of modules. A run of the CI set with --store-times writes
it. Equal times give equal choices.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

TIMES = Path(__file__).with_name("times.json")
# Processor time of the quick set: with builds on 2 cores and the rest on one it ends in 6 minutes,
# with room for making .venv.
SECONDS = 240.0
UNKNOWN = 1.0  # taken for a test without a stored time


@dataclass
class Times:
    """Stored processor times."""

    functions: dict[str, tuple[float, int, tuple[str, ...]]] = field(
        default_factory=dict,
    )  # seconds of all parameters, how many, shared work
    shared: dict[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path = TIMES) -> Times:
        """The stored times; none where there is no file."""
        if not path.exists():
            return cls()
        stored = json.loads(path.read_text())
        functions = {
            f"{file}::{name}": (row[0], row[1], tuple(row[2:]))
            for file, rows in stored["functions"].items()
            for name, row in rows.items()
        }
        return cls(functions, stored["shared"])

    def write(self, path: Path = TIMES) -> None:
        """Store them, by file; a line for each function."""
        files: dict[str, dict[str, list[object]]] = {}
        for key, (seconds, count, needs) in sorted(self.functions.items()):
            file, _, name = key.partition("::")
            files.setdefault(file, {})[name] = [round(seconds, 2), count, *sorted(needs)]
        tables = []
        for file, named in files.items():
            rows = [f"      {json.dumps(name)}: {json.dumps(row)}" for name, row in named.items()]
            tables.append(f"    {json.dumps(file)}: {{\n" + ",\n".join(rows) + "\n    }")
        shared = [
            f"    {json.dumps(name)}: {round(s, 2)}" for name, s in sorted(self.shared.items())
        ]
        lists = {"shared": shared, "functions": tables}
        parts = [f'  "{name}": {{\n' + ",\n".join(rows) + "\n  }" for name, rows in lists.items()]
        path.write_text("{\n" + ",\n".join(parts) + "\n}\n")

    def total(self, functions: Iterable[str]) -> float:
        """Processor seconds of these functions with all their parameters, shared work once."""
        mine = [self.functions.get(key, (UNKNOWN, 1, ())) for key in set(functions)]
        needs = {need for row in mine for need in row[2]}
        return sum(row[0] for row in mine) + sum(self.shared.get(need, 0.0) for need in needs)


@dataclass
class Choice:
    """What the quick set runs."""

    whole: set[str] = field(default_factory=set)  # functions with all their parameters
    first: set[str] = field(
        default_factory=set,
    )  # functions of which the first parameters stand for their file
    seconds: float = 0.0  # of processor time, by the stored times
    unknown: set[str] = field(default_factory=set)  # files without any stored time


def choose(functions: Iterable[str], times: Times, budget: float = SECONDS) -> Choice:
    """Of every file the cheapest function, or its first test where that is cheaper; then whole
    functions, cheapest first."""
    counts = Counter(iter(functions))
    choice, paid = Choice(), set()
    files: dict[str, list[str]] = {}
    for key in sorted(counts):
        files.setdefault(key.partition("::")[0], []).append(key)

    def row(key: str) -> tuple[float, int, tuple[str, ...]]:
        return times.functions.get(key, (UNKNOWN, 1, ()))

    def shared(key: str) -> float:
        return sum(times.shared.get(need, 0.0) for need in row(key)[2] if need not in paid)

    def one(key: str) -> float:
        return row(key)[0] / max(row(key)[1], 1) + shared(key)

    def whole(key: str) -> float:
        paid_for = row(key)[0] / max(row(key)[1], 1) if key in choice.first else 0.0
        return row(key)[0] - paid_for + shared(key)

    def take(key: str, cost: Callable[[str], float], where: set[str]) -> None:
        choice.seconds += cost(key)
        paid.update(row(key)[2])
        where.add(key)

    for file, keys in files.items():
        known = [key for key in keys if key in times.functions]
        if not known:
            choice.unknown.add(file)
        take(min(known or keys, key=lambda key: (one(key), key)), one, choice.first)
    # Where only some parameters were measured, nobody knows what the others need.
    rest = {key for key in counts if key in times.functions and row(key)[1] >= counts[key]}
    while rest:
        key = min(rest, key=lambda key: (whole(key), key))
        if choice.seconds + whole(key) > budget:
            break
        rest.remove(key)
        take(key, whole, choice.whole)
    choice.first -= choice.whole
    return choice
