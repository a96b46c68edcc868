#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prove every kernel that can be proved, and write lab/prove/verdicts.json and SOUNDNESS.md.

    .venv/bin/python tools/prove_all.py [--kept] [--gcc|--clang] [NAME...]

With names (globs) only those are proved anew, and the other verdicts stay. Verdicts whose inputs
have not changed come from build/proofs; with --kept nothing else is proved, and stays open. What a
compiler for x86-64 makes of C is proved for gcc and for clang, or for the one that is named.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from hanji_lab.kernels import Kernel
from hanji_lab.prove import soundness
from hanji_lab.prove.build import COMPILERS, compiled_by
from hanji_lab.prove.contracts import ISAS, Task
from hanji_lab.prove.pcode import Image
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.x86 import X86

ROOT = Path(__file__).resolve().parents[1]


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


def compilers(kernel: Kernel) -> tuple[str, ...]:
    """Those whose machine code of a kernel is proved; assembly has no need of a second one."""
    in_c = kernel.source.endswith(".c") and ISAS.get(kernel.isa) is X86
    return COMPILERS if in_c else COMPILERS[:1]


def main() -> int:
    options = sys.argv[1:]
    patterns = [name for name in options if not name.startswith("--")] or ["*"]
    named = [name for name in COMPILERS if f"--{name}" in options] or COMPILERS
    path = ROOT / soundness.STORED
    held = json.loads(path.read_text()) if path.exists() else []
    before = {soundness.key_of(row): Verdict(**row) for row in held}
    kind = Kept if "--kept" in options else Prover
    provers = {
        name: kind(ROOT, kept=ROOT / "build/proofs/cache", compiler=name) for name in COMPILERS
    }
    verdicts: list[Verdict] = []
    listed = [
        (kernel, compiler)
        for kernel in filter(soundness.has_tasks, soundness.all_kernels(ROOT))
        for compiler in compilers(kernel)
    ]
    for kernel, compiler in listed:
        made_by = compiled_by(kernel, compiler)
        old = before.get((kernel.source, kernel.symbol, made_by))
        name = kernel.symbol.removeprefix("hanji_")
        asked = any(fnmatchcase(name, pattern) for pattern in patterns)
        if not asked or compiler not in named:
            verdicts += [old] if old else []
            continue
        verdicts.append(kept(provers[compiler], kernel))
        print(f"{name} {made_by}: {verdicts[-1].verdict} {verdicts[-1].seconds} s", flush=True)
        soundness.write(ROOT, [*verdicts, *_rest(before, verdicts)])
    soundness.write(ROOT, verdicts)
    wrong = [one for one in verdicts if one.verdict in ("refused", "counterexample")]
    for one in wrong:
        print(f"{one.function}: {one.verdict}: {one.why}", file=sys.stderr)
    return bool(wrong)


def _rest(before: dict[tuple[str, str, str], Verdict], verdicts: list[Verdict]) -> list[Verdict]:
    done = {soundness.key_of(vars(one)) for one in verdicts}
    return [one for key, one in before.items() if key not in done]


if __name__ == "__main__":
    sys.exit(main())
