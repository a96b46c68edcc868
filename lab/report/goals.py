# SPDX-License-Identifier: Apache-2.0
"""What this version set out to reach (goals.yaml), and how far it is: every goal with the figure
that answers to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import papers, results
from ..checkout import LabError
from ..papers import rows
from ..results import Entry

FILE = Path(__file__).with_name("goals.yaml")


@dataclass(frozen=True)
class Goal:
    """One goal: a bound, on which side of it one wants to be, and our figure with its result; None
    where it is not measured.
    """

    what: str
    bound: float
    at_most: bool
    unit: str
    figure: float | None
    entry: Entry | None

    @property
    def short(self) -> float:
        """By which part of the bound it is missed; 0 when it is reached or not measured. The third
        digit of a figure is noise.
        """
        if self.figure is None:
            return 0.0
        missed = self.figure / self.bound - 1 if self.at_most else 1 - self.figure / self.bound
        return missed if missed > 0.004 else 0.0

    @property
    def verdict(self) -> str:
        """In words."""
        return (
            "not measured"
            if self.figure is None
            else f"short by {100 * self.short:.0f} %"
            if self.short >= 0.01
            else ("short by less than 1 %" if self.short else "reached")
        )

    @property
    def sentence(self) -> str:
        """What is said of a goal that is missed."""
        side = "at most" if self.at_most else "at least"
        return (
            f"{self.what}: {rows.number(self.figure or 0)} {self.unit}, {side} {self.bound:g} "
            f"wanted ({self.verdict})."
        )


def _picked(entries: Sequence[Entry], select: dict[str, Any]) -> Entry | None:
    return next(
        (
            e
            for e in entries
            if e["cache"] != "cold"
            and all(str(e.get(key)) == str(value) for key, value in select.items())
        ),
        None,
    )


def goals(root: Path) -> list[Goal]:
    """All goals with what results/ holds now; a file that is missing or damaged leaves its goals
    unmeasured.
    """
    stored: dict[str, list[Entry]] = {}
    made = []
    for given in papers.data(FILE)["goals"]:
        if given["files"] not in stored:
            stored[given["files"]] = []
            pattern = f"{given['files']}.json"
            for path in sorted(root.glob(pattern if "/" in pattern else f"results/{pattern}")):
                try:
                    stored[given["files"]] += results.read(path)
                except LabError:
                    continue  # the section of these figures says what is wrong
        entry = _picked(stored[given["files"]], given["select"])
        value = None if entry is None else entry.get(given["figure"])
        figure = None
        if entry is not None and value is not None:
            figure = (
                float(value)
                / given.get("divide", 1)
                / (entry[given["per"]] if "per" in given else 1)
            )
            if "above" in given:
                base = _picked(stored[given["files"]], given["above"])
                figure = figure - base[given["figure"]] if base else None
        bound = given.get("most", given.get("least"))
        made.append(
            Goal(
                given["what"],
                float(bound),
                "most" in given,
                given["unit"],
                figure,
                entry if figure is not None else None,
            )
        )
    return made
