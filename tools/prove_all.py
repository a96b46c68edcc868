#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prove every kernel that can be proved, and write lab/prove/verdicts.json and the
tables of docs/proved*.md.

    .venv/bin/python tools/prove_all.py [--kept] [--gcc|--clang] [--all|--stale|--old|--waiting] [NAME...]

Without names: the kernels that have a stored verdict which is not open, and new ones in assembly
and PTX; with --all every kernel that the prover has a harness for. Two processes prove at a time,
and an hour and fifty-five minutes from the begin no further proof begins: with five minutes for a
task at most, all is done within two hours on two cores. What was left out is printed and keeps its
verdict; the next run has the others from build/proofs.

With names (globs) only those are proved anew, and the other verdicts stay. Verdicts whose inputs
have not changed come from build/proofs; with --kept nothing else is proved, and stays open. What a
compiler for x86-64 makes of C is proved for gcc and for clang, or for the one that is named.

A run with --all alone that leaves nothing out writes what proofs took into results/proofs.json, by
instruction set and compiler: the seconds of the run that found a verdict, where build/proofs had
it.

With --stale those verdicts are proved again whose code or specification has changed, unless the
code still makes the binary that was proved; with --old those that earlier rules of the prover
found, the quickest first as far as build/proofs knows; with --waiting the kernels that have no
verdict. Names choose among them.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

import tables

from hanji_lab import processor, results
from hanji_lab.kernels import Kernel
from hanji_lab.prove import soundness
from hanji_lab.prove.build import COMPILERS, compiled_by
from hanji_lab.prove.contracts import Task
from hanji_lab.prove.pcode import Image
from hanji_lab.prove.report import Prover, Verdict, trusted

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = {"--kept", "--gcc", "--clang", "--all", "--stale", "--old", "--waiting"}
JOBS, SECONDS = 2, 300.0  # processor time of a task: block ciphers have two, apart and in place
TIMES = ROOT / "results/proofs.json"
BEGIN_UNTIL = 2 * 3600 - SECONDS
WRITTEN_EACH = 30.0  # seconds


class NotKeptError(Exception):
    """There is no verdict in build/proofs."""


class Kept(Prover):
    """Takes verdicts from build/proofs alone."""

    def proved(self, found: Verdict, image: Image, listed: Sequence[Task]) -> Verdict:
        raise NotKeptError


def kept(prover: Prover, kernel: Kernel) -> Verdict:
    """The verdict on a kernel, or open where none is kept."""
    try:
        return prover.prove(kernel)
    except NotKeptError:
        facts = (kernel.name, kernel.symbol, kernel.spec, kernel.isa, kernel.source)
        return Verdict(*facts, "open", soundness.WAITING)


@lru_cache(maxsize=1)
def prover_of(only_kept: bool, source: str, compiler: str) -> Prover:
    """The prover for the kernels of one file, which it links once."""
    kind = Kept if only_kept else Prover
    return kind(ROOT, seconds=SECONDS, kept=ROOT / "build/proofs/cache", compiler=compiler)


def work(
    only_kept: bool, kernel: Kernel, compiler: str, until: float, held: Verdict | None
) -> Verdict | None:
    """The verdict on a kernel, in a process of its own; None where the time is up. `held` is a
    stale one.
    """
    if time.time() > until:
        return None
    prover = prover_of(only_kept, kernel.source, compiler)
    return (prover.confirmed(kernel, held) if held else None) or kept(prover, kernel)


def costs() -> dict[tuple[str, str], float]:
    """Seconds of the last proofs that build/proofs keeps, by function and compiler."""
    found = {}
    kept = (ROOT / "build/proofs/cache").glob("*.json")
    for path in sorted(kept, key=lambda path: path.stat().st_mtime):
        row = json.loads(path.read_text())
        _, function, made_by = soundness.key_of(row)
        found[function, made_by] = float(row["seconds"])
    return found


def chosen(
    options: Sequence[str],
    before: Mapping[soundness.Key, Verdict],
    changed: Collection[soundness.Key],
) -> list[tuple[Kernel, str]]:
    """The kernels that options ask for, and by which compiler. `before` are the stored verdicts,
    `changed` those of them that are stale.
    """
    patterns = [name for name in options if not name.startswith("--")]
    named = [name for name in COMPILERS if f"--{name}" in options] or COMPILERS
    old = soundness.earlier(ROOT, map(vars, before.values())) if "--old" in options else set()
    held = {key for key, one in before.items() if one.why != soundness.WAITING}
    unproved = soundness.unproved(ROOT, held) if "--waiting" in options else []
    new = {soundness.key(*one) for one in unproved}
    again = {"--stale": set(changed), "--old": old, "--waiting": new}
    sets = [again[option] for option in options if option in again]

    def asked(kernel: Kernel, compiler: str) -> bool:
        key = soundness.key(kernel, compiler)
        name = kernel.symbol.removeprefix("hanji_")
        matches = any(fnmatchcase(name, pattern) for pattern in patterns or ["*"])
        if sets:
            return matches and any(key in one for one in sets)
        if patterns or "--all" in options:
            return matches
        return before[key].verdict != "open" if key in before else not key[2]

    listed = [
        (kernel, compiler)
        for kernel in filter(soundness.has_tasks, soundness.all_kernels(ROOT))
        for compiler in soundness.compilers(kernel)
        if compiler in named and asked(kernel, compiler)
    ]
    listed.sort(key=lambda one: (one[1], one[0].source))  # so that each file is linked once
    if "--old" in options:
        known = costs()

        def about(one: tuple[Kernel, str]) -> float:
            """The time that a proof took, roughly: then those of a file stay together."""
            seconds = known.get((one[0].symbol, compiled_by(*one)), math.inf)
            return seconds if seconds == math.inf else math.ceil(math.log(max(1.0, seconds), 4))

        listed.sort(key=about)
    return listed


def times(verdicts: Collection[Verdict]) -> list[results.Result]:
    """What proofs took, in seconds of processor time, by instruction set and compiler."""
    sets: dict[tuple[str, str], list[Verdict]] = {}
    for one in verdicts:
        sets.setdefault((one.isa, one.binary.partition(" ")[0]), []).append(one)
    origin = results.Provenance(
        results.sources(ROOT, [str(path.relative_to(ROOT)) for path in trusted(ROOT / "lab")]),
        [processor.processor(), *sorted({one.binary for one in verdicts} - {""})],
        f"{JOBS} processes",
        "tools/prove_all.py --all",
    )
    found = []
    for (isa, compiler), held in sorted(sets.items()):
        longest = max(held, key=lambda one: one.seconds)
        more = {
            "proofs": len(held),
            "proved": sum(one.verdict == "proved" for one in held),
            "seconds": round(sum(one.seconds for one in held), 1),
            "longest": longest.function.removeprefix("hanji_"),
            "longest_seconds": longest.seconds,
        }
        name = f"{isa} {compiler}".strip()
        machine = processor.machine()
        found.append(
            results.Result(name, machine, "host", "prove", None, origin, cache=None, more=more)
        )
    return found


def main() -> int:
    options = sys.argv[1:]
    if {"-h", "--help"} & set(options):
        print((__doc__ or "").strip())
        return 0
    unknown = {option for option in options if option.startswith("-")} - OPTIONS
    if unknown:
        print(
            f"unknown options {', '.join(sorted(unknown))}; there are "
            f"{', '.join(sorted(OPTIONS))} (--help says more)",
            file=sys.stderr,
        )
        return 2
    symbols = [one.symbol.removeprefix("hanji_") for one in soundness.all_kernels(ROOT)]
    for pattern in (option for option in options if option not in OPTIONS):
        if not any(fnmatchcase(symbol, pattern) for symbol in symbols):
            print(f"no kernel is called {pattern!r}; a name or a glob expected", file=sys.stderr)
            return 2
    path = ROOT / soundness.STORED
    rows = json.loads(path.read_text()) if path.exists() else []
    before = {soundness.key_of(row): Verdict(**row) for row in rows}
    changed = soundness.stale(ROOT, rows)
    listed = chosen(options, before, changed)
    until = time.time() + BEGIN_UNTIL
    stale = {key: before[key] for key in changed if "--stale" in options}
    verdicts: list[Verdict] = []
    left_out: list[str] = []
    written = time.time()
    with ProcessPoolExecutor(JOBS) as pool:
        waiting = {
            pool.submit(
                work,
                "--kept" in options,
                kernel,
                compiler,
                until,
                stale.get(soundness.key(kernel, compiler)),
            ): (kernel, compiler)
            for kernel, compiler in listed
        }
        for done in as_completed(waiting):
            kernel, compiler = waiting[done]
            said = f"{kernel.symbol.removeprefix('hanji_')} {compiled_by(kernel, compiler)}".strip()
            found = done.result()
            if found is None:
                left_out.append(said)
                continue
            verdicts.append(found)
            print(f"{said}: {found.verdict} {found.seconds} s", flush=True)
            if time.time() > written + WRITTEN_EACH:
                soundness.write(ROOT, [*verdicts, *_rest(before, verdicts)])
                written = time.time()
    soundness.write(ROOT, [*verdicts, *_rest(before, verdicts)])
    tables.update(ROOT.glob("docs/proved*.md"))
    if options == ["--all"] and not left_out:
        results.write(TIMES, times(verdicts))
    if left_out:
        print(f"left out, as the time was up: {', '.join(sorted(left_out))}")
    wrong = [one for one in verdicts if one.verdict in ("refused", "counterexample")]
    for one in wrong:
        print(f"{one.function}: {one.verdict}: {one.why}", file=sys.stderr)
    return bool(wrong or left_out)


def _rest(before: Mapping[soundness.Key, Verdict], verdicts: list[Verdict]) -> list[Verdict]:
    done = {soundness.key_of(vars(one)) for one in verdicts}
    return [one for key, one in before.items() if key not in done]


if __name__ == "__main__":
    sys.exit(main())
