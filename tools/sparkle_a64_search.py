# SPDX-License-Identifier: Apache-2.0
"""Search for the order of instructions in TUNED of tools/sparkle_a64.py: that which takes the
fewest cycles by the model of the Cortex-A72.

    tools/sparkle_a64_search.py                     what each file takes now, and the bounds that no order can beat
    tools/sparkle_a64_search.py NAME .. --seeds 20  tries seeds 1 .. 20 for each, and prints the best as a line for TUNED

The same seeds give the same orders everywhere. A try takes about 0.2 s. Needs the laboratory and
llvm-mca.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from sparkle_a64 import TUNED, many_states
from sparkle_a64_schedule import NoRegisters, Tuning

from hanji_lab.machines.aarch64.pipeline import Operation, QueueModel, parts, straight_line

REPEATS = 4
_table: dict[str, Operation] = {}


def hot(text: str) -> list[str]:
    """The instructions of a file that a call with one group and the big number of steps executes."""
    if ".Lloop:" in text:
        return looped(text)
    _, _, body = text.partition("%function")
    return instructions(re.split(r"\.Lmixed:|\.Lleave:|\bret\b", body)[0])


def instructions(text: str) -> list[str]:
    """The instructions of a piece of a file."""
    return [line.strip() for line in text.splitlines() if line.startswith("    ") and line.strip()]


def looped(text: str) -> list[str]:
    """Those of a file with a loop over two steps: what is before it, its passes, and the end."""
    head, _, rest = text.partition("%function")[2].partition(".Lloop:")
    left = max(int(n) for n in re.findall(r"(?:mov w1|cmp w7), #(\d+)", head))
    both = re.split(r"b\.hi \.Lloop|b \.Lloop", rest)[0]
    odd, _, _ = both.partition("b.lo")
    end = ".Leven_end:" if left % 2 else ".Lodd_end:"
    last = re.split(r"\bret\b|b \.Lleave|\.Lleave:|_mixed:", rest.partition(f"\n{end}")[2])[0]
    return [
        *instructions(head),
        *instructions(both) * (left // 2),
        *instructions(odd) * (left % 2),
        *instructions(last),
    ]


def operations(code: Sequence[str]) -> list[Operation]:
    """What the model knows of each line. Registers do not change what a line costs: one of each
    kind is looked up.
    """
    kinds = {
        line: re.sub(r"\b([wxvqds])\d+\b", r"\1", re.sub(r"#-?\w+", "#", line)) for line in code
    }
    new = {kind: line for line, kind in kinds.items() if kind not in _table}
    if new:
        _table.update(zip(new, QueueModel().whole(list(new.values())), strict=True))
    found = []
    for line in code:
        writes, reads = QueueModel.dependences(line)
        whole = replace(_table[kinds[line]], writes=writes, reads=reads)
        found.extend(parts(line, whole))
    return found


def cycles(text: str) -> float:
    """Cycles of a file's hot code."""
    return QueueModel().simulate(operations(straight_line(hot(text))), REPEATS) / REPEATS


def bounds(text: str) -> dict[str, float]:
    """Cycles that the code needs at least, for each resource."""
    model, code = QueueModel(), operations(straight_line(hot(text)))

    def used(*pipes: str) -> int:
        return sum(pipe in pipes for op in code for pipe in op.pipes)

    return {
        "front end": len(code) / model.width,
        "vectors": used("vector", "first vector", "second vector") / 2,
        "first vector": used("first vector"),
        "second vector": used("second vector"),
        "integers": used("integer") / 2,
        "shifts": used("shift"),
    }


NOISES, PASSES = (0, 0.5, 1, 2, 3, 4, 6, 8, 12, 20), (0, 1, 2)


def orders(name: str, start: Tuning, seeds: int) -> Tuning:
    """The best order for the choices of `start`: all noises and passes with the seeds from 1 on."""
    best, least = start, cycles(many_states(name, start))
    for seed, noise, passes in product(range(1, seeds + 1), NOISES, PASSES):
        chosen = replace(start, seed=seed, noise=noise, passes=passes)
        try:
            taken = cycles(many_states(name, chosen))
        except NoRegisters:
            continue
        if taken < least:
            best, least = chosen, taken
            print(f"    {least:.2f} {best}", flush=True)
    return best


def main() -> None:
    """Print or search."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[*TUNED, []], metavar="NAME")
    parser.add_argument("--seeds", type=int, default=0)
    given = parser.parse_args()
    for name in given.names or TUNED:
        best = orders(name, TUNED[name], given.seeds)
        text = many_states(name, best)
        least = {what: round(value, 1) for what, value in bounds(text).items()}
        print(f'    "{name}": {best},  # {cycles(text):.2f} cycles; at least {least}', flush=True)


if __name__ == "__main__":
    main()
