# SPDX-License-Identifier: Apache-2.0
"""What every paper's file can say beside its rows, and what follows from it by arithmetic.

`ours`: which result answers to which rows. `where` picks rows by their keys, `select` the result
(its values are filled in from the row:
{algorithm}), `figure` names the figure of it (a dot goes into an object), `per` a key of it to divide by, `times` a key of the row to multiply by,
`divide` a number. `unit` is the unit of what comes out; with `alike: true` it is the same quantity
as the published one, on the same kind of machine, and the ratio compares speeds. Otherwise it
compares different things, and says so. With `bound: GPU` and `moved` (bytes a message) the figure
is the least time in ms that this GPU needs for the row's messages: no ratio is taken, and the row
has no answer by that. `absent` is what stands where there is no such result.

`statements`: what the paper's text says of its own rows: `value`, and how it is made of the rows
that `from` and `to` pick: `times` (from / to) or `less` (per cent that `to` is below `from`).
`orders`: rows that one expects to grow in the order given. `notes`: what no figure shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from ..checkout import LabError
from ..results import Entry
from . import Cell, Table, gpus

Row = Mapping[str, Any]
# Processors that execute at most one instruction in a cycle.
SINGLE_ISSUE = ("qemu:cortex-m0", "qemu:cortex-m3", "qemu:cortex-m4")
STATE = ("table", "what", "value", "unit", "id")


@dataclass(frozen=True)
class Answer:
    """Our figure for a published row, or why there is none. The ratio is published / ours: above 1,
    ours is less. Labels of ours begin with "our", those of the paper's design as it is built here
    with "its".
    """

    label: str
    figure: float | None
    unit: str
    ratio: float | None
    alike: bool
    entry: Entry | None
    absent: str = ""
    bound: bool = False

    @property
    def own(self) -> bool:
        """Whether this is our implementation, and not the paper's design built here."""
        return self.label.startswith("our")

    @property
    def rebuilt(self) -> bool:
        """Whether this is the paper's design, built here."""
        return self.label.startswith("its ")


@dataclass(frozen=True)
class Pair:
    """A published row and our answers."""

    row: Row
    answers: tuple[Answer, ...]


def matches(row: Row, where: Mapping[str, Any]) -> bool:
    """Whether a row has these values."""
    return all(row.get(key) == value for key, value in where.items())


def pairs(content: Mapping[str, Any], entries: Sequence[Entry]) -> list[Pair]:
    """Every published row with all that answers to it, in the order of the file."""
    return [
        Pair(
            row,
            tuple(
                _answer(row, given, entries)
                for given in content.get("ours", ())
                if matches(row, given.get("where", {}))
            ),
        )
        for row in content["rows"]
    ]


def number(value: float) -> str:
    """Four significant digits, thousands apart, no powers of ten."""
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = f"{value:.4g}"
    return f"{value:.6f}".rstrip("0") if "e" in digits else digits


def ratio(value: float) -> str:
    """A ratio with as many digits as one reads."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def name(row: Row) -> str:
    """What a row is called, with what its paper's own name leaves out."""
    detail = (
        f" ({row['messages']:,} messages, {str(row['cipher']).upper()})"
        if "messages" in row
        else ""
    )
    operation = (
        f", {row['operation']}"
        if row.get("operation") and row["operation"] not in row["what"]
        else ""
    )
    return f"{subject(row)}{row['what']}{operation}{detail}"


def subject(row: Row) -> str:
    """The cipher of a row whose name leaves it out."""
    return f"{row['subject']}: " if "subject" in row else ""


def answered(found: Sequence[Pair]) -> int:
    """How many rows have an answer; a bound is none."""
    return sum(any(a.figure is not None and not a.bound for a in pair.answers) for pair in found)


def tables(
    content: Mapping[str, Any],
    found: Sequence[Pair],
    stale: Callable[[Entry], bool] = lambda entry: False,
) -> list[Table]:
    """Every published row with ours, a table for each table of the paper; in brackets published /
    ours, and a dagger at what is stale.
    """
    made = []
    for table in dict.fromkeys(pair.row["table"] for pair in found):
        here = [pair for pair in found if pair.row["table"] == table]
        labels = list(dict.fromkeys(answer.label for pair in here for answer in pair.answers))
        body = []
        for pair in here:
            answers = {answer.label: answer for answer in pair.answers}
            cells: list[str] = [name(pair.row), f"{pair.row['value']:,} {pair.row['unit']}"]
            body.append(
                [*cells, *(_text(answers.get(label), pair.row["unit"], stale) for label in labels)]
            )
        title = (
            "every row of "
            f"{f'table {table}' if isinstance(table, int) else f'its table of {table}'} "
            f"({content['machine']}), and ours"
        )
        made.append(
            Table(
                f"{title}; in brackets published / ours (≠: not the same quantity)",
                ["published row", "published", *labels],
                body,
            )
        )
    return made


def _text(answer: Answer | None, unit: str, stale: Callable[[Entry], bool]) -> str:
    if answer is None:
        return ""
    if answer.bound and answer.figure is not None and answer.entry:
        return Cell(f"{number(answer.figure)} at least ({answer.absent})", answer.entry)
    if answer.figure is None or answer.ratio is None or answer.entry is None:
        return answer.absent
    own = "" if answer.unit == unit else f" {answer.unit}"
    mark = "†" if stale(answer.entry) else ""
    return Cell(
        f"{number(answer.figure)}{mark}{own} ({ratio(answer.ratio)}{'' if answer.alike else ' ≠'})",
        answer.entry,
    )


def objects(published: Sequence[Entry], found: Sequence[Pair]) -> list[Entry]:
    """The published rows as objects, each with its answers under `ours`."""
    made = []
    for row, pair in zip(published, found, strict=True):
        ours = [
            {
                "label": a.label,
                "figure": a.figure,
                "unit": a.unit,
                "published_over_ours": a.ratio,
                "same_quantity": a.alike,
                "absent": a.absent,
            }
            | (
                {
                    "kernel": a.entry["kernel"],
                    "machine": a.entry["machine"],
                    "kind": a.entry["kind"],
                }
                if a.entry
                else {}
            )
            for a in pair.answers
        ]
        made.append(row | {"ours": ours})
    return made


def picked(
    entries: Sequence[Entry], select: Mapping[str, Any], row: Row | None = None
) -> Entry | None:
    """The first result with these values, warm where there is a choice; values of the row are
    filled in.
    """
    wanted = {
        key: value.format_map(row or {}) if isinstance(value, str) else value
        for key, value in select.items()
    }
    return next(
        (
            entry
            for entry in entries
            if entry["cache"] == wanted.get("cache", entry["cache"])
            and (entry["cache"] != "cold" or "cache" in wanted)
            and all(str(entry.get(key)) == str(value) for key, value in wanted.items())
        ),
        None,
    )


def figure_of(entry: Entry, name: str) -> float | None:
    """A figure of a result; a dot in its name goes into an object."""
    value: Any = entry
    for key in name.split("."):
        value = value[key]
    return None if value is None else float(value)


def _answer(row: Row, given: Mapping[str, Any], entries: Sequence[Entry]) -> Answer:
    found = picked(entries, given["select"], row)
    unit, alike = given.get("unit", row["unit"]), given.get("alike", False)
    if found is None:
        return Answer(
            given["label"], None, unit, None, alike, None, given.get("absent", "not measured")
        )
    if "bound" in given:
        alu = float(found["per_block"]["alu"])
        rate, binds = gpus.BY_NAME[given["bound"]].messages(alu, given["moved"])
        figure, label = row["messages"] / rate * 1e3, f"{given['label']}"
        return Answer(label, figure, unit, None, False, found, f"{binds} binds", bound=True)
    value = figure_of(found, given["figure"])
    if value is None:
        return Answer(
            given["label"], None, unit, None, alike, None, given.get("absent", "not measured")
        )
    figure = (
        float(value)
        / (found[given["per"]] if "per" in given else 1)
        / given.get("divide", 1)
        * (row[given["times"]] if "times" in given else 1)
    )
    return Answer(
        given["label"], figure, unit, row["value"] / figure if figure else None, alike, found
    )


def slower(found: Sequence[Pair]) -> list[str]:
    """Where our figure is above the published one although both are the same quantity."""
    return [
        f"{subject(pair.row)}{pair.row['what']}: {answer.label}: {answer.figure:.4g}"
        f" {answer.unit}, {1 / answer.ratio:.2f} times the published {pair.row['value']:g}."
        for pair in found
        for answer in pair.answers
        if answer.own and answer.alike and answer.ratio is not None and answer.ratio < 0.995
        if answer.entry and answer.entry["kind"] != "size"
    ]


def above(found: Sequence[Pair]) -> list[str]:
    """Where our count is above the published figure although it is another quantity: there ours may
    well be slower.
    """
    worst: dict[tuple[str, str, str, bool], list[tuple[float, str]]] = {}
    for pair in found:
        for answer in pair.answers:
            if (
                answer.own
                and not answer.alike
                and answer.ratio is not None
                and answer.ratio < 1
                and answer.entry
                and answer.entry["kind"] == "count"
            ):
                single = answer.entry["machine"] in SINGLE_ISSUE
                kind = (answer.label, answer.unit, str(pair.row["unit"]), single)
                worst.setdefault(kind, []).append((1 / answer.ratio, name(pair.row)))
    return [
        f"{label}: in {len(times)} row{'s' if len(times) > 1 else ''} more {unit} than the "
        f"published {theirs}, at most {max(times)[0]:.1f} times "
        f"({max(times)[1]}). "
        + (
            "An instruction takes a cycle at the least there, so ours is slower."
            if single
            else "A processor executes several instructions in a cycle, so this does not say which"
            " is faster."
        )
        for (label, unit, theirs, single), times in worst.items()
    ]


def absent(found: Sequence[Pair]) -> dict[str, int]:
    """Why figures of ours are not there, and how many for each reason."""
    reasons: dict[str, int] = {}
    for pair in found:
        for answer in pair.answers:
            if answer.absent and not answer.bound:
                reasons[f"{answer.label}: {answer.absent}"] = (
                    reasons.get(f"{answer.label}: {answer.absent}", 0) + 1
                )
    return reasons


def _digits(value: float) -> int:
    """How many decimals a number was printed with."""
    exponent = Decimal(str(value)).as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


def statements(content: Mapping[str, Any]) -> Iterator[tuple[bool, str]]:
    """Each statement of the text and what the rows say of it; True where they agree."""
    for given in content.get("statements", ()):
        digits = _digits(given["value"])
        word = {"times": " times", "less": " % less"}[given["how"]]
        agreed, made = True, []
        for before, after in _joined(content, given):
            value = (
                before["value"] / after["value"]
                if given["how"] == "times"
                else 100 * (1 - after["value"] / before["value"])
            )
            good = abs(value - given["value"]) <= 0.5 * 10.0**-digits + 1e-9
            cut = not good and 0 <= value - given["value"] < 10.0**-digits
            agreed &= good
            differing = [
                f"{key} {_shown(before[key])}"
                for key in before
                if key not in (*STATE, *given["from"]) and len(_joined(content, given)) > 1
            ]
            said = f"{value:.{digits + cut}f}{word}" + (": cut off, not rounded" if cut else "")
            made.append(said + (f" ({', '.join(differing)})" if differing else ""))
        at = f" ({given['at']})" if "at" in given else ""
        yield (
            agreed,
            (
                f"The text{at} gives {given['value']}{word} for {given['says']}. Its own rows "
                f"give {' and '.join(made)}."
            ),
        )


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _joined(content: Mapping[str, Any], given: Mapping[str, Any]) -> list[tuple[Row, Row]]:
    """Rows that `from` and `to` pick, two and two alike in all other keys."""
    rows = content["rows"]
    found = []
    for before in (row for row in rows if matches(row, given["from"])):
        rest = {
            key: value
            for key, value in before.items()
            if key not in (*STATE, *given["from"], *given["to"])
        }
        found += [(before, after) for after in rows if matches(after, given["to"] | rest)]
    if not found:
        raise LabError(f"the statement {given['says']!r} picks no rows")
    return found


def orders(content: Mapping[str, Any]) -> Iterator[tuple[bool, str]]:
    """Each expected order and whether the rows keep it."""
    for given in content.get("orders", ()):
        picked = []
        for where in given["rows"]:
            there = [row for row in content["rows"] if matches(row, where)]
            if len(there) != 1:
                raise LabError(
                    f"the order {given['says']!r}: {where} picks {len(there)} rows, one expected"
                )
            picked += there
        broken = [(low, high) for low, high in pairwise(picked) if low["value"] > high["value"]]
        for low, high in broken:
            table = f"table {low['table']}" if low["table"] == high["table"] else "the paper"
            yield (
                False,
                (
                    f"{given['says']}. But in {table}: {low['what']} {low['value']:g}, and "
                    f"{high['what']} {high['value']:g} {high['unit']}."
                ),
            )
        if not broken:
            yield True, f"{given['says']}. So it is in the paper."
