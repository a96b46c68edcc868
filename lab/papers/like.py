# SPDX-License-Identifier: Apache-2.0
"""Like for like: what a paper's best is against ours of the same kind, measured the same way.

A paper's file lists pairs under `like`. Each has an `id`, perhaps a `group`, `what` it is, a `unit`
and two sides, `theirs` and `ours`. A side is a published row (`row`, and `times` to make its unit
ours), or a result: `select` and `figure`, `per` a key of it to divide by. With `bound: GPU` and
`moved` (bytes a message) it is the number of messages that this GPU can do in a second at most.
`verdict` is a sentence with the ratios in braces, by id or by group; `loses` names what ours does
worse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..checkout import LabError
from ..results import Entry
from . import gpus, rows


@dataclass(frozen=True)
class Side:
    """A figure of one side, and the result that it was made of, if it was."""

    figure: float
    entry: Entry | None
    note: str = ""


@dataclass(frozen=True)
class Like:
    """One comparison; `ratio` above 1: ours is better."""

    id: str
    group: str
    what: str
    unit: str
    theirs: Side
    ours: Side
    ratio: float


def _side(
    given: Mapping[str, Any], content: Mapping[str, Any], entries: Sequence[Entry]
) -> Side | None:
    if "row" in given:
        found = [row for row in content["rows"] if rows.matches(row, given["row"])]
        if len(found) != 1:
            raise LabError(f"{given['row']} picks {len(found)} rows, one expected")
        return Side(float(found[0]["value"]) * given.get("times", 1), None)
    entry = rows.picked(entries, given["select"])
    if entry is None:
        return None
    if "bound" in given:
        gpu = gpus.BY_NAME[given["bound"]]
        rate, binds = gpu.messages(entry["per_block"]["alu"], given["moved"])
        return Side(rate / 1e9, entry, f"{binds} binds")
    value = rows.figure_of(entry, given["figure"])
    if value is None:
        return None
    return Side(value / (entry[given["per"]] if "per" in given else 1), entry)


def likes(content: Mapping[str, Any], entries: Sequence[Entry]) -> list[Like]:
    """All comparisons of a paper whose two sides are there."""
    made = []
    for given in content.get("like", ()):
        theirs, ours = (_side(given[key], content, entries) for key in ("theirs", "ours"))
        if theirs and ours:
            more = "bound" in given["ours"]
            ratio = ours.figure / theirs.figure if more else theirs.figure / ours.figure
            made.append(
                Like(
                    given["id"],
                    given.get("group", given["id"]),
                    given["what"],
                    given["unit"],
                    theirs,
                    ours,
                    ratio,
                )
            )
    return made


def span(ratios: Sequence[float]) -> str:
    """Ratios as a reader wants them: one, or from the least to the greatest."""
    low, high = rows.ratio(min(ratios)), rows.ratio(max(ratios))
    return low if low == high else f"{low} to {high}"


def verdict(content: Mapping[str, Any], found: Sequence[Like]) -> str:
    """The one sentence on a paper; where a figure is missing, that."""
    values: dict[str, str] = {}
    for one in found:
        for name in (one.id, one.group):
            alike = [other.ratio for other in found if name in (other.id, other.group)]
            values[name] = span(alike)
    try:
        return " ".join(str(content.get("verdict", "")).split()).format_map(values)
    except KeyError as missing:
        return f"No verdict: the figure {missing} is not measured."


def texts(found: Sequence[Like]) -> list[tuple[str, str]]:
    """Both figures of each comparison, with three digits of the least; those of one unit have the
    same decimals.
    """
    made = []
    for one in found:
        alike = [other for other in found if other.unit == one.unit]
        least = min(min(other.theirs.figure, other.ours.figure) for other in alike)
        digits = next((n for n, power in enumerate((100, 10, 1, 0.1)) if least >= power), 4)
        made.append((f"{one.theirs.figure:,.{digits}f}", f"{one.ours.figure:,.{digits}f}"))
    return made


def worse(found: Sequence[Like]) -> list[str]:
    """The comparisons in which ours is behind."""
    return [
        f"{one.what}: theirs {theirs}, ours {ours} {one.unit}."
        for one, (theirs, ours) in zip(found, texts(found), strict=True)
        if one.ratio < 0.995
    ]
