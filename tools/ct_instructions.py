#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write lab/ct/instructions.json: how many instructions of each kind of lab/ct/instructions.py the
functions of the library have, for each compiler and level.

With names only those records are written, and the others stay as they are. Every function has to be
named in PUBLIC of lab/ct/instructions.py first. Look at each instruction that is new before you
commit the file.

Example: .venv/bin/python tools/ct_instructions.py gcc-O2 aarch64
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from hanji_lab import trace
from hanji_lab.checkout import LabError
from hanji_lab.ct import LEVELS, Valgrind, instructions
from hanji_lab.ct.rainbow import RainbowCheck, RainbowTraces, is_built, traceable
from hanji_lab.ct.traces import Traces

ROOT = Path(__file__).resolve().parents[1]
HOST = tuple(f"{family}-O{level}" for family in ("gcc", "clang") for level in LEVELS)


def searches(name: str) -> Iterator[tuple[str, list[instructions.Found]]]:
    """The configurations of a compiler and level, or of a processor, with what is found in each."""
    if name in trace.TARGETS:
        target = trace.TARGETS[name]
        yield Traces(ROOT, target).search()
        if name == "aarch64" and traceable():
            check = RainbowTraces(ROOT, target)
            check.build()
            yield check.search()
        return
    family, level = name.split("-O")
    of_library = Valgrind(ROOT, family, int(level))
    yield of_library.search(of_library.build().with_name("libhanji.a"))
    if is_built():
        program = RainbowCheck(ROOT, family, int(level)).build()
        yield of_library.search(program.with_name("libhanji-rainbow.a"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    choices = (*HOST, *trace.TARGETS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(choices)}")
    names = parser.parse_args().names or choices
    if strange := sorted(set(names) - set(choices)):
        parser.error(f"{strange[0]} given, one of {', '.join(choices)} expected")
    records = dict(instructions.records())
    for name in names:
        try:
            for configuration, found in searches(name):
                if problems := instructions.unnamed(found):
                    sys.exit("\n".join(problems))
                records[configuration] = instructions.counted(found)
                print(f"{configuration}: {len(found)} instructions")
        except LabError as error:
            sys.exit(f"{name}: {error}")
    text = json.dumps(records, indent=1, sort_keys=True) + "\n"
    instructions.RECORDS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
