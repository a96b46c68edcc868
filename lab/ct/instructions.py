# SPDX-License-Identifier: Apache-2.0
"""Instructions whose time or whose trace in the caches depends on their operands, and whose
operands neither valgrind nor traces see: divisions, prefetches, cache-line flushes, `pext` and
`pdep`, floating point, and a few more (KINDS). This module searches machine code for them.

Every function with such an instruction is named in PUBLIC with the reason why the operands are
public. instructions.json records how many of them each function has, exactly, for each archive,
compiler and level; tools/ct_instructions.py writes that file. A compiler without a record may not
exceed the largest number that is recorded for the same function.

Kernels of the tiers that opcodes.py scans are left out: the scan follows the operands of a
prefetch, and refuses every other instruction of this list.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..checkout import LabError, find_program, run

HERE = Path(__file__).resolve().parent
RECORDS = HERE / "instructions.json"

# Kind -> what is wrong where its operands are secret.
KINDS = {
    "division": "its time depends on what is divided",
    "floating point": "its time depends on the numbers: denormal ones take longer",
    "x87": "its time depends on the numbers: denormal ones take longer",
    "prefetch": "it brings a cache line whose address is not checked",
    "cache line": "it flushes or clears a cache line whose address is not checked",
    "bit gathering": "its time depends on the mask on processors that do it in microcode",
    "masked store": "which bytes are written depends on a mask that is not checked",
    "carry rotation": "its time depends on the count on processors that do it in microcode",
    "unknown": "objdump does not know it, so nobody knows what it does",
}

_BLOCKS = "the number of blocks of a call, by those of a group"
# gcc takes a division by a constant for what is seldom
_THIRDS = "the length of a text, by 3, for blocks of 6 and 12 bytes"
_MEAN = "the bytes of all messages of a fleet, by their number"
_ROWS = "the vectors of a text, by those that go side by side"
_DEVICE = "the slot of a device's master key: the number of the device is public"
# Source file, function, kind -> why the operands are public. Copies that a compiler specialises,
# such as run.constprop.0, have the name of the function.
PUBLIC: Mapping[tuple[str, str, str], str] = {
    ("block", "run", "division"): _BLOCKS,
    ("eax", "hanji_eax_seal", "division"): _THIRDS,
    ("eax", "hanji_eax_open", "division"): _THIRDS,
    ("eax_fleet", "within_limit", "division"): _THIRDS,
    ("aead_fleet", "hanji_fleet_blocks", "division"): (
        "the lengths of messages and of associated data, by the bytes of a block"
    ),
    ("fleet", "hanji_fleet_uniform_groups", "division"): (
        "the number of messages of a fleet, by those of a group"
    ),
    ("cmac_fleet", "cmac_uniform", "division"): (
        "the messages that a buffer of tags has room for, by those of a group"
    ),
    ("ctr_fleet", "too_few", "division"): _MEAN,
    ("ctr_fleet", "ctr_more", "division"): _MEAN + "; the bytes of a block, by 3",
    ("esch_fleet", "run", "division"): _MEAN,
    ("esch_fleet", "run_any", "division"): _MEAN + "; that number, by the lanes",
    ("ctr_fleet", "ctr_lanes", "division"): (
        "the number of blocks of a message, by those of a group"
    ),
    ("congruence", "hanji_congruence", "division"): (
        "the columns that pass together, by the bytes of a coefficient vector"
    ),
    **{
        (f"speck{block}_avx2", f"hanji_speck{block}_{key}_avx2_once_x{blocks}", "division"): _ROWS
        for block, key, blocks in (
            (64, 128, 512),
            (128, 128, 256),
            (128, 192, 256),
            (128, 256, 256),
        )
    },
    ("trees", "hanji_aimer_commit", "prefetch"): "the memory of all parties, one after the other",
    ("keys", "hanji_master_keys_begin", "prefetch"): _DEVICE,
    ("keys", "hanji_master_keys_near", "prefetch"): _DEVICE,
    ("keys", "hanji_master_keys_init", "prefetch"): _DEVICE,
}


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(alternatives)})\\Z")


# Functions of the compiler's library, which processors without the instruction call.
_CALLS = {
    "division": _pattern(r"__(?:aeabi_)?\w{0,2}(?:div|mod)\w*"),
    "floating point": _pattern(
        r"__(?:add|sub|mul|neg|cmp|unord|eq|ne|lt|le|gt|ge|powi|fix\w*|float\w*|extend\w*|trunc\w*)"
        r"[hsdtx]f\w*"
    ),
}
# What moves numbers and computes nothing with them, though it has the suffix of floating point.
_MOVERS = (
    r"(?!v?(?:mov|unpck|shuf|perm|blend|and|or|xor|broadcast|insert|extract|compress|expand"
    r"|gather|scatter|maskmov|test|p)|set|cmov)"
)
_X86 = {
    "division": _pattern(r"i?div[bwlq]?"),
    "x87": _pattern(r"f(?!s\Z)\w+"),
    "prefetch": _pattern(r"prefetch\w*"),
    "cache line": _pattern(r"clflush\w*", "clwb", "cldemote", "clzero"),
    "bit gathering": _pattern(r"p(?:ext|dep)[lq]?"),
    "masked store": _pattern(r"v?maskmov(?:dqu|q)"),
    "carry rotation": _pattern(r"rc[lr][bwlq]?"),
    "unknown": _pattern(r"\(bad\)", r"\.\w+"),
    # last, because other names end like these
    "floating point": _pattern(_MOVERS + r"\w+[ps][sdh]", r"v?cvt\w+", r"vf\w+", r"pf\w+"),
}
_A64 = {
    "division": _pattern("[su]div", "[su]divr"),
    "floating point": _pattern(
        r"f(?!mov\Z)\w+", r"[su]cvtf", r"bf(?:dot|mmla|mlal\w?|cvt\w*|mla|mls|mul|add|sub)"
    ),
    "prefetch": _pattern(r"r?prf\w*"),
    "cache line": _pattern("dc", "ic", "sys"),
    "bit gathering": _pattern("bext", "bdep", "bgrp"),
    "unknown": _pattern(r"\.inst", "udf", "undefined"),
}
_RISCV = {
    "division": _pattern(r"(?:div|rem)u?w?"),
    "floating point": _pattern(r"f(?!mv\.|ence)\w+\.[\w.]+"),
    "prefetch": _pattern(r"prefetch\.\w"),
    "cache line": _pattern(r"cbo\.\w+"),
    "unknown": _pattern(r"\.\w+", "unimp"),
}
# A part of the name that objdump gives a format -> what to look for in it.
_FORMATS = {"x86-64": _X86, "aarch64": _A64, "riscv": _RISCV}

_MEMBER = re.compile(r"^(.+?)(?:\.c|\.S)?(?:\.o(?:bj)?)?:\s+file format (\S+)")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_INSTRUCTION = re.compile(
    r"^\s+[0-9a-f]+:\t"
    r"(?:(?:data16|addr32|[cdefgs]s|lock|repn?z?e?|notrack|bnd|rex\S*)\s+(?=[a-z]))*"
    r"(\S+)"
)
_CALLED = re.compile(r"^\s+[0-9a-f]+: R_\w+\s+(\w+)|\s<(\w+)>$")


@dataclass(frozen=True)
class Found:
    """One instruction of a kind, or a call of a function of the compiler's library that does it."""

    file: str
    function: str
    kind: str
    text: str

    @property
    def named(self) -> tuple[str, str, str]:
        """Its key in PUBLIC."""
        return self.file, self.function.partition(".")[0], self.kind


def _kind(name: str, patterns: Mapping[str, re.Pattern[str]]) -> str | None:
    return next((kind for kind, pattern in patterns.items() if pattern.match(name)), None)


def search(
    objects: Path,
    objdump: str = "objdump",
    package: str = "binutils",
    *,
    scanned: Sequence[str] = (),
) -> list[Found]:
    """The instructions of all kinds in an object file or in all of an archive, but for kernels of
    the tiers `scanned`.
    """
    program = find_program(objdump, package, "the search in machine code")
    found: list[Found] = []
    file = function = ""
    patterns: Mapping[str, re.Pattern[str]] = {}
    kinds: dict[str, str | None] = {}  # of the mnemonics that were met
    skipped = data = False
    for line in run([program, "-dr", "--no-show-raw-insn", objects]).splitlines():
        if member := _MEMBER.match(line):
            file = Path(member[1]).name
            patterns = _patterns(member[2])
            kinds.clear()
            skipped = any(f"_{tier}" in file for tier in scanned)
        elif skipped:
            continue
        elif named := _FUNCTION.match(line):
            function = named[1]
            data = "-0x" in function  # in front of the first symbol of a section
        elif not data:
            kind = None
            if instruction := _INSTRUCTION.match(line):
                mnemonic = instruction[1]
                if mnemonic not in kinds:
                    kinds[mnemonic] = _kind(mnemonic, patterns)
                kind = kinds[mnemonic]
            if kind is None and (called := _CALLED.search(line)):
                kind = _kind(called[1] or called[2], _CALLS)
            if kind is not None:
                found.append(Found(file, function, kind, " ".join(line.split())))
    if not patterns:
        raise LabError(f"{objects}: {objdump} names no object file in it")
    return found


def _patterns(name: str) -> Mapping[str, re.Pattern[str]]:
    for part, patterns in _FORMATS.items():
        if part in name:
            return patterns
    raise LabError(
        f"object files of format {name}: the search in machine code knows {', '.join(_FORMATS)}"
    )


def configuration(machine: str, family: str, compiler: str, level: str, archive: Path) -> str:
    """The name of the record of an archive, such as 'x86_64 gcc-12 -O2 libhanji.a'."""
    version = run([compiler, "-dumpversion"]).strip().partition(".")[0]
    return f"{machine} {family}-{version} {level} {archive.name}"


def counted(found: Iterable[Found]) -> dict[str, int]:
    """What a record holds: 'file function kind' -> how many."""
    return dict(sorted(Counter(f"{one.file} {one.function} {one.kind}" for one in found).items()))


@cache
def records() -> dict[str, dict[str, int]]:
    """Configuration -> its record."""
    loaded: dict[str, dict[str, int]] = json.loads(RECORDS.read_text(encoding="utf-8"))
    return loaded


def unnamed(found: Iterable[Found]) -> list[str]:
    """One sentence for each function and kind that PUBLIC does not name."""
    first: dict[tuple[str, str, str], Found] = {}
    for one in found:
        if one.named not in PUBLIC:
            first.setdefault((one.file, one.function, one.kind), one)
    return [
        f"{one.file}, {one.function}: {one.kind} `{one.text}`: {KINDS[one.kind]}; if its operands "
        "are public, say why in lab/ct/instructions.py"
        for one in first.values()
    ]


def problems(
    name: str,
    found: Sequence[Found],
    known: Mapping[str, Mapping[str, int]] | None = None,
) -> list[str]:
    """One sentence for each function that PUBLIC does not name, and for each whose number is not
    the one in the record of the configuration `name`.
    """
    known = records() if known is None else known
    sentences = unnamed(found)
    here = counted(one for one in found if one.named in PUBLIC)
    if name in known:
        for key in sorted(here.keys() | known[name].keys()):
            if (number := here.get(key, 0)) != (expected := known[name].get(key, 0)):
                sentences.append(
                    f"{key}: {number} in the machine code, {expected} recorded for {name}; look at "
                    "each, then run tools/ct_instructions.py"
                )
        return sentences
    most: Counter[tuple[str, ...]] = Counter()
    for record in known.values():
        for key, number in record.items():
            most[_base(key)] = max(most[_base(key)], number)
    for key, number in here.items():
        if number > most[_base(key)]:
            sentences.append(
                f"{key}: {number} in the machine code, at most {most[_base(key)]} recorded, and "
                f"nothing for {name}; look at each, then run tools/ct_instructions.py"
            )
    return sentences


def _base(key: str) -> tuple[str, ...]:
    file, function, kind = key.split(" ", 2)
    return file, function.partition(".")[0], kind


# The planted leaks (plants.h) that only this search finds: those of every target, and those of
# targets that have the instruction, by the macro of their compiler.
PLANTS = ("divisor", "dividend", "remainder", "denormal", "extended")
PLANTS_OF = {
    "__x86_64__": ("prefetch", "flush", "extract", "deposit"),
    "__aarch64__": ("prefetch", "flush"),
}


def plants_of(compile_: Sequence[str | Path]) -> tuple[str, ...]:
    """The kinds of plants that a compiler's target has and only this search finds."""
    macros = run([*compile_, "-dM", "-E", "-x", "c", os.devnull])
    return PLANTS + tuple(
        plant
        for macro, plants in PLANTS_OF.items()
        if f"#define {macro} 1\n" in macros
        for plant in plants
    )


def planted(
    compile_: Sequence[str | Path], prefix: str = "", package: str = "binutils"
) -> dict[str, list[Found]]:
    """Kind of plant -> what the search finds in its function of plants.c (all_KIND), compiled with
    the beginning of a command.
    """
    found: dict[str, list[Found]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
        objects = Path(directory, "plants.o")
        run([*compile_, "-c", HERE / "plants.c", "-o", objects])
        for one in search(objects, f"{prefix}objdump", package):
            if one.function.startswith("all_"):
                found[one.function.partition(".")[0].removeprefix("all_")].append(one)
    return dict(found)


def controls(
    compile_: Sequence[str | Path], prefix: str = "", package: str = "binutils"
) -> list[dict[str, Any]]:
    """The controls of the search: it finds each plant that the target has, and nothing in kernels
    without a plant.
    """
    found = planted(compile_, prefix, package)
    about = {"secrets": "key", "released": []}
    return [
        {"group": "leak", "subject": f"{kind} in machine code", "errors": len(found.get(kind, []))}
        | about
        for kind in plants_of(compile_)
    ] + [
        {
            "group": "quiet",
            "subject": "machine code of kernels without a plant",
            "errors": len(found.get("nothing", [])),
        }
        | about
    ]
