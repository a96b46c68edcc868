# SPDX-License-Identifier: Apache-2.0
"""The verdicts that the repository stores: on which code each is, and which kernels have none."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from ..kernels import Kernel
from ..kernels import all_kernels as all_kernels
from .build import COMPILERS, compiled_by
from .contracts import ISAS, NoHarnessError
from .origin import Sources
from .report import Verdict, proofs_of, rules_of
from .values import RefusedError
from .x86 import X86

STORED = "lab/prove/verdicts.json"
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


def compilers(kernel: Kernel) -> tuple[str, ...]:
    """Those whose machine code of a kernel is proved; assembly has no need of a second one."""
    in_c = kernel.source.endswith(".c") and ISAS.get(kernel.isa) is X86
    return COMPILERS if in_c else COMPILERS[:1]


def key(kernel: Kernel, compiler: str) -> Key:
    """The key of the verdict on a kernel as a compiler makes it."""
    return kernel.source, kernel.symbol, compiled_by(kernel, compiler)


def unproved(root: Path, held: Collection[Key]) -> list[tuple[Kernel, str]]:
    """The kernels that the prover has a harness for and that wait for a proof, each with the
    compiler whose code was not proved. `held` are the keys of the verdicts that there are.
    """
    return [
        (kernel, compiler)
        for kernel in filter(has_tasks, all_kernels(root))
        for compiler in compilers(kernel)
        if key(kernel, compiler) not in held
    ]


def write(root: Path, verdicts: Sequence[Verdict]) -> None:
    """Store the verdicts, each in a line."""
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in stored(verdicts))
    (root / STORED).write_text(f"[\n{lines}\n]\n")
