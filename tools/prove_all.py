#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prove every kernel that can be proved, and write lab/prove/verdicts.json and SOUNDNESS.md.

    .venv/bin/python tools/prove_all.py [--kept] [NAME...]

With names (globs) only those are proved anew, and the other verdicts stay. Verdicts whose inputs
have not changed come from build/proofs; with --kept nothing else is proved, and stays open.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from hanji_lab.kernels import Kernel
from hanji_lab.prove import soundness
from hanji_lab.prove.contracts import Task
from hanji_lab.prove.pcode import Image
from hanji_lab.prove.report import Prover, Verdict

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


def main() -> int:
    options = sys.argv[1:]
    patterns = [name for name in options if name != "--kept"] or ["*"]
    path = ROOT / soundness.STORED
    held = json.loads(path.read_text()) if path.exists() else []
    before = {(row["source"], row["function"]): Verdict(**row) for row in held}
    prover = (Kept if "--kept" in options else Prover)(ROOT, kept=ROOT / "build/proofs/cache")
    verdicts = []
    for kernel in filter(soundness.has_tasks, soundness.all_kernels(ROOT)):
        old = before.get((kernel.source, kernel.symbol))
        name = kernel.symbol.removeprefix("hanji_")
        if not any(fnmatchcase(name, pattern) for pattern in patterns):
            verdicts += [old] if old else []
            continue
        verdicts.append(kept(prover, kernel))
        print(f"{name}: {verdicts[-1].verdict} {verdicts[-1].seconds} s", flush=True)
        soundness.write(ROOT, [*verdicts, *_rest(before, verdicts)])
    soundness.write(ROOT, verdicts)
    wrong = [one for one in verdicts if one.verdict in ("refused", "counterexample")]
    for one in wrong:
        print(f"{one.function}: {one.verdict}: {one.why}", file=sys.stderr)
    return bool(wrong)


def _rest(before: dict[tuple[str, str], Verdict], verdicts: list[Verdict]) -> list[Verdict]:
    done = {(one.source, one.function) for one in verdicts}
    return [one for key, one in before.items() if key not in done]


if __name__ == "__main__":
    sys.exit(main())
