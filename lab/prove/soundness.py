# SPDX-License-Identifier: Apache-2.0
"""The table of docs/proved.md: kernel by property, how each is known, and what that trusts."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from ..kernels import Kernel
from ..kernels import all_kernels as all_kernels
from .ascon_lanes import LOCKSTEP
from .avr import AVR
from .build import COMPILERS
from .contracts import ISAS, NoHarnessError
from .cuts import MESSAGES
from .fields import SIZES
from .launch import ALL
from .origin import Sources
from .report import Verdict, proofs_of, rules_of, shown_scope
from .rows import ROWS
from .sponges import ALONE, ENDS, KEYED, ROUND, UNIFORM
from .values import RefusedError
from .x86 import X86

BEGIN, END = "<!-- table -->", "<!-- end of table -->"
PAGE = "docs/proved.md"
STORED = "lab/prove/verdicts.json"
HERE = ("in place", "over base", "over factor")  # how tasks of fields name aliases
CHANGED = "the code has changed since it was proved: `tools/prove_all.py --stale` proves it again"
WAITING = "no proof was run since the kernel or the prover changed: `make prove-all` runs it"

Row = Mapping[str, object]
Key = tuple[str, str, str]


def has_tasks(kernel: Kernel) -> bool:
    """Whether the prover knows what to prove of a kernel; else its verdict is open, unasked."""
    try:
        list(proofs_of(kernel))
    except NoHarnessError:
        return False
    except RefusedError:
        return True
    return True


def stored(verdicts: Sequence[Verdict]) -> list[dict[str, object]]:
    """What the checkout holds of verdicts: nothing that changes from run to run, and nothing of
    kernels that the prover was not asked about.
    """
    rows = []
    for verdict in verdicts:
        in_c = verdict.source.endswith(".c")
        if verdict.why == WAITING and (in_c or ISAS.get(verdict.isa) is X86):
            continue  # hundreds of kernels of templates: those that were asked about have a row
        row = asdict(verdict)
        if not verdict.binary:
            del row["binary"]
        for key in ("seconds", "cached", "case", "nodes", "joins", "instructions"):
            del row[key]
        rows.append(row)
    return sorted(rows, key=key_of)


def key_of(row: Row) -> Key:
    """What a stored verdict is of: a file, a function, and gcc or clang where that matters."""
    made_by = str(row.get("binary", "")).partition(" ")[0]
    return str(row["source"]), str(row["function"]), made_by


def stale(root: Path, rows: Iterable[Row]) -> set[Key]:
    """The keys of stored verdicts on other code than the checkout has, or on code of which nothing
    is known; a row that waits for a proof says nothing of any code.
    """
    kernels = {(one.source, one.symbol): one for one in all_kernels(root)}
    sources = Sources(root)
    found = set()
    for row in rows:
        key = source, function, made_by = key_of(row)
        kernel = kernels.get((source, function))
        now = sources.digest(kernel, made_by or COMPILERS[0]) if kernel else ""
        if row["why"] != WAITING and not (now and row.get("source_sha256") == now):
            found.add(key)
    return found


def earlier(root: Path, rows: Iterable[Row]) -> set[Key]:
    """The keys of stored verdicts that other rules of the prover found than those of the checkout.

    What was proved still stands as it did, but the rules have changed since: such a verdict is
    counted apart.
    """
    kernels = {(one.source, one.symbol): one for one in all_kernels(root)}
    found = set()
    for row in rows:
        key = source, function, _ = key_of(row)
        kernel = kernels.get((source, function))
        if kernel and row["why"] != WAITING and row.get("rules_sha256") != rules_of(kernel):
            found.add(key)
    return found


def held(root: Path) -> list[dict[str, object]]:
    """The stored verdicts as they stand for the code of the checkout: stale ones are open."""
    rows = json.loads((root / STORED).read_text(encoding="utf-8"))
    return opened(rows, stale(root, rows))


def opened(rows: Sequence[Row], changed: Collection[Key]) -> list[dict[str, object]]:
    """The rows, of which these are open, as their code has changed."""
    said: dict[str, object] = {"verdict": "open", "why": CHANGED, "scope": {}}
    return [{**row, **(said if key_of(row) in changed else {})} for row in rows]


def write(root: Path, verdicts: Sequence[Verdict], changed: Collection[Key]) -> None:
    """Store the verdicts, each in a line, and write the table; `changed` are the stale ones."""
    rows = stored(verdicts)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (root / STORED).write_text(f"[\n{lines}\n]\n")
    page = root / PAGE
    text = with_table(page.read_text(encoding="utf-8"), opened(rows, changed))
    page.write_text(text, encoding="utf-8")


def with_table(text: str, rows: Sequence[Row]) -> str:
    """The page with the table of these rows, which are not stale."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{table(rows)}{END}{tail}"


def table(rows: Sequence[Row]) -> str:
    """Kernels with another verdict than open, a row each; then those that were tried in vain."""
    lines = [
        "| kernel | equal | groups | in place | memory, ABI, constant time | method |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    vain: dict[str, list[str]] = {}
    for row, compilers in _merged(rows):
        name = str(row["function"]).removeprefix("hanji_")
        if row["verdict"] == "open":
            shown = f"`{name}`" + (f" ({compilers})" if compilers else "")
            vain.setdefault(str(row["why"]), []).append(shown)
            continue
        scope = row["scope"]
        assert isinstance(scope, dict)
        proved = row["verdict"] == "proved"
        tasks = shown_scope(_verdict(row))
        spread = any(name.startswith("separate") for name in scope)
        lines.append(
            f"| `{name}` | {row['verdict']}{'' if spread else ': ' + tasks} | "
            f"{', '.join(sorted(set(scope.values())))} | "
            f"{_in_place(scope)} | {'proved' if proved else row['why']} | "
            f"{_method(scope, str(row['isa']), compilers, str(row['spec']))} |"
        )
    lines += ["", "Tried, and open:", ""]
    for why, names in sorted(vain.items()):
        said = f"- {', '.join(names)}: {why}"
        lines += textwrap.wrap(
            said, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    lines += [
        "",
        "All other kernels are open: the prover has no harness for their operation, and",
        "`hanji-lab prove` says which; or, for kernels in C and for AVX2 and AVX-512, it was not",
        "asked about them.",
    ]
    return "\n".join(lines) + "\n"


def _merged(
    rows: Sequence[Row],
) -> list[tuple[Row, str]]:
    """Rows, and the compilers of each: those of one function that say the same are one row."""
    found: dict[str, tuple[Row, list[str]]] = {}
    for row in rows:
        same = json.dumps([row[name] for name in ("source", "function", "verdict", "why", "scope")])
        found.setdefault(same, (row, []))[1].append(str(row.get("binary", "")))
    return [(row, " and ".join(filter(None, made_by))) for row, made_by in found.values()]


def _verdict(row: Row) -> Verdict:
    return Verdict(**row)  # type: ignore[arg-type]


def _in_place(scope: Mapping[str, str]) -> str:
    if SIZES in scope.values():
        places = sum(any(how in name for how in HERE) for name in scope)
        return f"in {places} of them" if places else "apart only"
    if all(name.startswith((ALONE, ENDS, ROUND, *KEYED.values())) for name in scope):
        return "apart only"
    if all(name.startswith((UNIFORM, MESSAGES)) for name in scope):
        return "proved, and apart"
    if all(name.startswith((LOCKSTEP, ROWS)) for name in scope):
        inside = any("in place" in name for name in scope)
        return "proved, and apart" if inside else "apart only"
    here = any(name.startswith("in place") for name in scope)
    if not any(name.startswith("separate") for name in scope):
        return "always"
    return "proved, and apart" if here else "apart only"


def _method(scope: Mapping[str, str], isa: str, compilers: str, spec: str) -> str:
    if ALL in scope.values():
        return "a thread for all, PTX"
    fronts = {X86.name: "x86", AVR.name: "rules for AVR"}
    front = fronts.get(ISAS[isa].name, "p-code") if isa in ISAS else "p-code"
    made = f"{front} of {compilers}" if compilers else front
    if SIZES in scope.values():
        return f"{'steps' if spec.endswith('.solve') else 'polynomials'}, {made}"
    how = "induction" if any("more" in n for n in scope.values()) else "one run"
    if how == "one run" and any(
        "bytes" in n or "flags" in n or "blocks" in n for n in scope.values()
    ):
        how = "all of them run"
    return f"{how}, {made}"
