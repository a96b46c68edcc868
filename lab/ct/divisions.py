# SPDX-License-Identifier: Apache-2.0
"""Divisions in machine code: their time depends on what is divided, and neither valgrind nor traces
see what that is.

So every function with one is named here, with the reason why its numbers are public and how many it
may have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..checkout import find_program, run

_BLOCKS = "the number of blocks of a call, by those of a group"
# gcc takes a division by a constant for what is seldom
_THIRDS = "the length of a text, by 3, for blocks of 6 and 12 bytes"
_MEAN = "the bytes of all messages of a fleet, by their number"
# Source file, function -> divisions at most, as compilers and levels differ, and the reason.
PUBLIC_DIVISIONS = {
    ("block", "run"): (4, _BLOCKS),
    ("ctr", "hanji_ctr_update"): (3, _THIRDS),
    ("eax", "tag_calls"): (3, _THIRDS),
    ("eax", "hanji_eax_seal"): (3, _THIRDS),
    ("eax", "hanji_eax_open"): (3, _THIRDS),
    ("ctr_fleet", "within_limit"): (6, _THIRDS),
    ("eax_fleet", "within_limit"): (6, _THIRDS),
    ("cmac_fleet", "within_limit"): (6, _THIRDS),
    ("fleet", "hanji_fleet_uniform_groups"): (
        2,
        "the number of messages of a fleet, by those of a group",
    ),
    ("cmac_fleet", "cmac_uniform"): (
        1,
        "the messages that a buffer of tags has room for, by those of a group",
    ),
    ("ctr_fleet", "hanji_ctr_fleet"): (2, "the length of the first message, by 640"),
    ("ctr_fleet", "too_few"): (2, _MEAN),
    ("ctr_fleet", "ctr_more"): (3, _MEAN + "; the bytes of a block, by 3"),
    ("esch_fleet", "run"): (2, _MEAN),
    ("esch_fleet", "run_any"): (2, _MEAN + "; that number, by the lanes"),
    ("ctr_fleet", "ctr_lanes"): (
        12,
        "the number of blocks of a message, by those of a group",
    ),
    ("congruence", "hanji_congruence"): (
        2,
        "the columns that pass together, by the bytes of a coefficient vector",
    ),
}
_MEMBER = re.compile(r"^(\S+?)(?:\.c|\.S)?\.o(?:bj)?:\s+file format")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_DIVISION = re.compile(
    r"\t(?:i?div[bwlq]?|v?div[ps][sdh]|v?r?sqrt[ps][sdh]|[su]div|f(?:div|sqrt)(?:\.\w)?|vs?div\S*|(?:div|rem)u?w?)\s"
    r"|R_\w+\s+__(?:u|s)?(?:div|mod|divmod)\w*[234]\b|\t(?:call|callq|bl|jal|jalr|j)\s.*<\w*__(?:u|s)?(?:div|mod|divmod)\w*[234]>"
)


@dataclass(frozen=True)
class Division:
    """One instruction, or call of a function of the compiler's library, that divides."""

    file: str
    function: str
    text: str


def divisions(
    objects: Path,
    objdump: str = "objdump",
    package: str = "binutils",
    *,
    scanned: Sequence[str] = (),
) -> list[Division]:
    """The divisions in an object file or in all of an archive, but for kernels of tiers where the
    scan refuses any.
    """
    program = find_program(objdump, package, "the search for divisions")
    found, file, function = [], objects.stem, ""
    for line in run([program, "-dr", "--no-show-raw-insn", objects]).splitlines():
        if member := _MEMBER.match(line):
            file = Path(member[1]).name
        elif named := _FUNCTION.match(line):
            function = named[1]
        elif _DIVISION.search(line) and not any(f"_{tier}" in file for tier in scanned):
            found.append(Division(file, function, " ".join(line.split())))
    return found


def problems(found: list[Division]) -> list[str]:
    """One sentence for each function with more divisions than it may have."""
    sentences = []
    for file, function in dict.fromkeys((one.file, one.function) for one in found):
        here = [one.text for one in found if (one.file, one.function) == (file, function)]
        # Copies of a function that a compiler specializes: run.constprop.0, run.part.1
        most, _ = PUBLIC_DIVISIONS.get((file, function.split(".")[0]), (0, ""))
        if len(here) > most:
            sentences.append(
                f"{file}, {function}: {len(here)} divisions, at most {most} expected, and "
                f"their time depends on what is divided: {here[-1]}; "
                "if it is public, say why in lab/ct/divisions.py"
            )
    return sentences
