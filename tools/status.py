#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check docs/status.md for a release: every algorithm has a row, and nobody's last look is older
than 90 days.

    .venv/bin/python tools/status.py            exit status 1 when a look is due, or an algorithm is missing
    .venv/bin/python tools/status.py --today 2027-01-31

The tests check the rows but not their age, so that they do not fail with time.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs/status.md"
MOST_DAYS = 90
COLUMNS = [
    "algorithms",
    "security rests on",
    "newest cryptanalysis known to us",
    "published",
    "last look",
]


@dataclass(frozen=True)
class Row:
    """One row of a table: what it is about, and its dates."""

    algorithms: tuple[str, ...]
    rests_on: str
    newest: str
    published: str
    looked: str


def rows(text: str) -> list[Row]:
    """All rows of the tables of the page. ValueError for one that has not the columns."""
    found = []
    for line in text.splitlines():
        if not line.startswith("|") or re.fullmatch(r"[| -]+", line):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells == COLUMNS:
            continue
        if len(cells) != len(COLUMNS) or not all(cells):
            raise ValueError(
                f"a row has {len(cells)} cells, {sum(map(bool, cells))} of them filled; expected "
                f"are {', '.join(COLUMNS)}: {line[:80]}"
            )
        found.append(Row(tuple(re.findall(r"`([^`]+)`", cells[0])), *cells[1:]))
    return found


def problems(found: list[Row], algorithms: list[str]) -> list[str]:
    """Algorithms without a row or with two, rows about nothing, and dates that are none."""
    said = []
    count = Counter(name for row in found for name in row.algorithms)
    said += [f"{name}: has no row in {PAGE.name}" for name in algorithms if not count[name]]
    said += [
        f"{name}: has {times} rows in {PAGE.name}" for name, times in count.items() if times > 1
    ]
    said += [f"{name}: is no algorithm of hanji list" for name in count if name not in algorithms]
    for row in found:
        of = f"the row of {', '.join(row.algorithms[:2])}"
        if not re.fullmatch(r"[12]\d{3}(-(0[1-9]|1[0-2])(-\d\d)?)?", row.published):
            said.append(
                f"{of}: {row.published!r} is no date of publication, such as 2024, 2024-08 or "
                "2024-08-08"
            )
        try:
            datetime.date.fromisoformat(row.looked)
        except ValueError:
            said.append(f"{of}: {row.looked!r} is no day, such as 2026-11-22")
    return said


def due(found: list[Row], today: datetime.date) -> list[str]:
    """Rows whose last look is too old for a release, or lies in the future."""
    said = []
    for row in found:
        days = (today - datetime.date.fromisoformat(row.looked)).days
        if days > MOST_DAYS or days < 0:
            about = (
                f"{', '.join(row.algorithms[:2])}{' and others' if len(row.algorithms) > 2 else ''}"
            )
            said.append(
                f"{about}: the last look was on {row.looked}, {days} days ago; a release needs one "
                f"of the last {MOST_DAYS} days"
            )
    return said


def main() -> int:
    import hanji

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--today",
        type=datetime.date.fromisoformat,
        default=datetime.date.today(),
        metavar="YYYY-MM-DD",
    )
    today = parser.parse_args().today
    try:
        found = rows(PAGE.read_text(encoding="utf-8"))
        said = problems(found, [a.name for a in hanji.algorithms()])
    except ValueError as error:
        found, said = [], [str(error)]
    said = said or due(found, today)
    for sentence in said:
        print(f"status: {sentence}", file=sys.stderr)
    if not said:
        print(
            f"{PAGE.name}: {sum(len(row.algorithms) for row in found)} algorithms, every one "
            f"looked at in the last {MOST_DAYS} days"
        )
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
