# SPDX-License-Identifier: Apache-2.0
"""What the documents show of the stored verdicts: every kernel on the page of its instruction set,
with the exact statement that was proved, or the reason why there is none.

Nothing here decides a verdict. `tools/tables.py` writes the text into docs/proved*.md.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import soundness
from .ascon_lanes import LOCKSTEP
from .contracts import EACH
from .cuts import MESSAGES
from .fields import SIZES
from .fleets import LANES
from .launch import ALL
from .report import Verdict, shown_scope
from .rows import ROWS
from .soundness import Row
from .sponges import ALONE, ENDS, KEYED, ROUND, UNIFORM

SETS = {  # what the documents call instruction sets, in their order
    "avx2": "AVX2",
    "avx512": "AVX-512",
    "a64": "A64",
    "neon": "NEON",
    "sha3": "NEON with SHA3",
    "pmull": "NEON with PMULL",
    "rv32i": "RV32I",
    "zbkb": "RV32I with Zbkb",
    "armv6m": "Armv6-M",
    "armv7m": "Armv7-M",
    "armv7em": "Armv7E-M",
    "avr": "AVR",
    "sm75": "PTX",
}
PAGES = {  # page of docs/, without its ending -> the instruction sets whose kernels it lists
    "proved-avx2": ("avx2",),
    "proved-avx512": ("avx512",),
    "proved-aarch64": ("a64", "neon", "sha3", "pmull"),
    "proved-firmware": ("rv32i", "zbkb", "armv6m", "armv7m", "armv7em", "avr"),
    "proved-ptx": ("sm75",),
}
FAMILIES = {  # how names of functions begin -> the family of algorithms
    "ascon": "Ascon",
    "schwaemm": "SPARKLE",
    "esch": "SPARKLE",
    "sparkle": "SPARKLE",
    "speck": "SPECK",
    "simon": "SIMON",
    "simeck": "Simeck",
    "cham": "CHAM",
    "keccak": "Keccak",
    "aimer": "AIMer",
    "gf": "Rainbow",
}
LANGUAGES = {".S": "assembly", ".c": "C", ".ptx": "PTX"}
HEADS = ["kernel, and its cases", "groups", "in place", "method", "written in"]
HERE = ("in place", "over base", "over factor")  # how tasks of fields name aliases


@dataclass(frozen=True)
class Line:
    """A function of a kernel with one verdict, and the compilers whose code has this verdict."""

    function: str
    isa: str
    source: str
    verdict: str
    why: str
    compilers: tuple[str, ...]
    row: Row | None = None  # None where no proof was run

    @property
    def family(self) -> str:
        """The family of algorithms that the kernel belongs to."""
        prefix = re.match("[a-z]+", self.function)
        name = prefix[0] if prefix else self.function
        return FAMILIES.get(name, name)

    @property
    def language(self) -> str:
        """What the kernel is written in."""
        return LANGUAGES[Path(self.source).suffix]


def lines(root: Path, rows: Sequence[Row]) -> list[Line]:
    """All kernels of the library with their verdicts; `rows` are the stored ones, the stale opened.

    Compilers whose code has the same verdict, for the same sizes, share a line.
    """
    found: dict[str, list[Row]] = {}
    for row in rows:
        same = json.dumps([row[name] for name in ("source", "function", "verdict", "why", "scope")])
        found.setdefault(same, []).append(row)
    listed = [
        Line(
            str(row["function"]).removeprefix("hanji_"),
            str(row["isa"]),
            str(row["source"]),
            str(row["verdict"]),
            str(row["why"]),
            tuple(sorted(filter(None, (str(one.get("binary", "")) for one in group)))),
            row,
        )
        for group in found.values()
        for row in group[:1]
    ]
    waiting: dict[tuple[str, str, str], list[str]] = {}
    for kernel, compiler in soundness.unproved(root, {soundness.key_of(row) for row in rows}):
        made_by = soundness.key(kernel, compiler)[2]
        waiting.setdefault((kernel.symbol, kernel.isa, kernel.source), []).append(made_by)
    listed += [
        Line(
            symbol.removeprefix("hanji_"),
            isa,
            source,
            "open",
            soundness.WAITING,
            tuple(sorted(filter(None, made_by))),
        )
        for (symbol, isa, source), made_by in waiting.items()
    ]
    return sorted(listed, key=lambda one: (one.function, one.compilers))


def table(heads: Sequence[str], cells: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    shown = [heads, ["---"] * len(heads), *cells]
    return "".join("| " + " | ".join(map(str, one)) + " |\n" for one in shown)


def page(listed: Sequence[Line], isas: Sequence[str]) -> str:
    """The kernels of these instruction sets: a table for each set and family; then those that are
    not proved, by reason.
    """
    here = [one for one in listed if one.isa in isas]
    usual = _usual(here)
    parts = [_compilers(usual)]
    for isa in isas:
        families = sorted(
            {one.family for one in here if one.isa == isa and _proved(one)}, key=str.lower
        )
        for family in families:
            proved = [
                one for one in here if (one.isa, one.family) == (isa, family) and _proved(one)
            ]
            grid = [HEADS, *(_cells(one, usual) for one in proved)]
            if {row[-1] for row in grid[1:]} == {one.language for one in here}:
                grid = [row[:-1] for row in grid]  # all kernels of the page say the same
            heads, *cells = grid
            parts.append(f"## {family} on {SETS[isa]}\n\n{table(heads, cells)}")
    parts.append(_not_proved(here, usual))
    return "\n".join(filter(None, parts))


def by_family(listed: Sequence[Line]) -> str:
    """How many functions of kernels are proved, of how many, by instruction set and family. A
    function counts as proved when the code of every compiler that is asked about is.
    """
    total: dict[tuple[str, str], set[tuple[str, str]]] = {}
    missing: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for one in listed:
        place, function = (one.isa, one.family), (one.source, one.function)
        total.setdefault(place, set()).add(function)
        if not _proved(one):
            missing.setdefault(place, set()).add(function)
    families = sorted({family for _, family in total}, key=str.lower)
    cells = []
    for name, isas in PAGES.items():
        for isa in isas:
            counts = [
                f"{len(total[isa, family] - missing.get((isa, family), set()))}/"
                f"{len(total[isa, family])}"
                if (isa, family) in total
                else ""
                for family in families
            ]
            cells.append([f"[{SETS[isa]}]({name}.md)", *counts])
    return table(["instructions", *families], cells)


def not_proved(listed: Sequence[Line]) -> str:
    """How many functions have no proof, by verdict and reason, and on which instruction sets."""
    reasons: dict[str, Counter[str]] = {}
    for isa in SETS:
        for one in listed:
            if one.isa == isa and not _proved(one):
                reasons.setdefault(_reason(one), Counter())[isa] += 1
    if not reasons:
        return "No kernel is without a proof.\n"
    pages = {isa: name for name, isas in PAGES.items() for isa in isas}
    cells = [
        [
            reason,
            ", ".join(
                f"{count} on [{SETS[isa]}]({pages[isa]}.md#not-proved)"
                for isa, count in counts.items()
            ),
        ]
        for reason, counts in sorted(reasons.items())
    ]
    return table(["reason", "functions"], cells)


def _proved(one: Line) -> bool:
    return one.verdict == "proved"


def _reason(one: Line) -> str:
    return one.why if one.verdict == "open" else f"**{one.verdict}**: {one.why}"


def _usual(here: Sequence[Line]) -> dict[str, tuple[str, ...]]:
    """The compilers that most kernels in C of each instruction set are proved for."""
    found: dict[str, Counter[tuple[str, ...]]] = {}
    for one in here:
        if one.compilers and one.row is not None:
            found.setdefault(one.isa, Counter())[one.compilers] += 1
    return {isa: found[isa].most_common(1)[0][0] for isa in SETS if isa in found}


def _compilers(usual: Mapping[str, tuple[str, ...]]) -> str:
    """Which compilers a row in C is about, where it does not say."""
    sets: dict[str, list[str]] = {}
    for isa, compilers in usual.items():
        sets.setdefault(" and ".join(compilers), []).append(SETS[isa])
    said = "; ".join(f"{', '.join(names)}: {compilers}" for compilers, names in sets.items())
    return f"Compilers of the kernels in C, where a row names no others: {said}.\n" if said else ""


def _cells(one: Line, usual: Mapping[str, tuple[str, ...]]) -> list[str]:
    assert one.row is not None
    scope = one.row["scope"]
    assert isinstance(scope, dict)
    cases = "" if any(name.startswith("separate") for name in scope) else _cases(one)
    alone = one.compilers and one.compilers != usual[one.isa]
    written = f"{one.language}, {' and '.join(one.compilers)} alone" if alone else one.language
    return [
        f'<a id="{one.function}"></a>`{one.function}`{cases and "<br>"}{cases}',
        ", ".join(sorted(set(scope.values()))),
        _in_place(scope),
        _method(scope, str(one.row["spec"])),
        written,
    ]


def _not_proved(here: Sequence[Line], usual: Mapping[str, tuple[str, ...]]) -> str:
    """The functions without a proof, by reason."""
    reasons: dict[str, list[str]] = {}
    for one in here:
        if not _proved(one):
            alone = one.row is not None and one.compilers != usual.get(one.isa, ())
            made_by = f" ({' and '.join(one.compilers)})" if alone and one.compilers else ""
            reasons.setdefault(_reason(one), []).append(f"`{one.function}`{made_by}")
    if not reasons:
        return "## Not proved\n\nEvery kernel on this page is proved.\n"
    said = [
        f"{reason[:1].upper()}{reason[1:]}:\n\n{', '.join(names)}.\n"
        for reason, names in sorted(reasons.items())
    ]
    return "## Not proved\n\n" + "\n".join(said)


def _cases(one: Line) -> str:
    """What was proved case by case; what all cases have in common is said once."""
    verdict = Verdict(**one.row)  # type: ignore[arg-type]
    for mark in (EACH, LANES):
        if all(mark in name for name in verdict.scope):
            names = sorted({name.partition(mark)[0] for name in verdict.scope})
            parts = [re.split("[:,] ", name, maxsplit=1) for name in names]
            if len(names) > 1 and all(len(part) == 2 and part[0] == parts[0][0] for part in parts):
                names = [f"{parts[0][0]}: {parts[0][1]}", *(part[1] for part in parts[1:])]
            apart = "states one by one" if mark == EACH else "lanes apart"
            return f"{'; '.join(names)} ({apart})"
    return shown_scope(verdict)


def _in_place(scope: Mapping[str, str]) -> str:
    """Whether the output may be one of the inputs."""
    if SIZES in scope.values():
        places = sum(any(how in name for how in HERE) for name in scope)
        return f"in {places} of them" if places else "no"
    if all(name.startswith((ALONE, ENDS, ROUND, *KEYED.values())) for name in scope):
        return "no"
    if all(name.startswith((UNIFORM, MESSAGES)) for name in scope):
        return "yes"
    if all(name.startswith((LOCKSTEP, ROWS)) for name in scope):
        return "yes" if any("in place" in name for name in scope) else "no"
    here = any(name.startswith("in place") for name in scope)
    if not any(name.startswith("separate") for name in scope):
        return "always"
    return "yes" if here else "no"


def _method(scope: Mapping[str, str], spec: str) -> str:
    if ALL in scope.values():
        return "one thread"
    if SIZES in scope.values():
        return "steps" if spec.endswith(".solve") else "polynomials"
    if any("more" in name for name in scope.values()):
        return "induction"
    many = any("bytes" in name or "flags" in name or "blocks" in name for name in scope.values())
    return "each size" if many else "one run"
