# SPDX-License-Identifier: Apache-2.0
"""Constant time on processors that are not this one: equal traces for different secrets.

The harness does every check several times with other secrets, under qemu-user with the plugin of
`trace`. A check passes when the program counter went the same way and the same addresses were read
and written, in the same order, each time. Checks in which published values decide the path
(harness.h, steers) are not compared: valgrind, which knows what is secret, checks them.

Seen: every instruction that runs, assembly and compiler output alike, with every tier of the
processor. Instructions whose own time depends on their operands are searched for (instructions.py).
Not seen: what all the tried secrets have in common, and products.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from .. import trace
from ..checkout import LabError, exclusive, find_program, run
from ..checks import Report
from ..kernels import split_name
from . import PUBLIC, SOURCES, WRAPPED, FileCoverage, control_problems, instructions

HERE = Path(__file__).resolve().parent
TURNS = 16  # the sets of sets.h: four random ones and all that are chosen
MORE_TURNS = 32  # 16 random ones more
FLAGS = "-O3 -DNDEBUG"
ISAS = {
    "aarch64": ("a64", "neon", "pmull", "sha3"),
    "rv32i": ("rv32i",),
    "rv32i-small": ("rv32i",),
    "rv32i-zbkb": ("zbkb",),
}  # whose kernel files only this check sees
TIERS = {
    "aarch64": ("portable", "neon", "crypto", "sha3"),
    "rv32i": ("portable", "rv32i"),
    "rv32i-small": ("rv32i",),
    "rv32i-zbkb": ("rv32i",),
}


@dataclass(frozen=True)
class Traces:
    """The check of the library as the target's gcc makes it, with every tier of kernels."""

    root: Path
    target: trace.Target
    turns: int = TURNS
    tiers: tuple[str, ...] = ()
    cpu: str | None = None
    part: str = "library"  # of the harness

    @property
    def name(self) -> str:
        """For example trace-aarch64."""
        return f"trace-{self.target.name}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return (
            f"paths and addresses of the {self.target.name} library at {FLAGS.split()[0]} under "
            f"qemu, compared over {self.turns} sets of secrets"
        )

    def compile_(self) -> list[str | Path]:
        """The beginning of a command that compiles a file of this folder for the target."""
        return [
            find_program(self.target.compiler, self.target.package, "the constant-time check"),
            "-std=gnu11",
            *FLAGS.split(),
            *self.target.flags,
            "-DHANJI_CT_MARKS",
            f"-I{self.root / 'include'}",
            f"-I{self.root / 'src'}",
            f"-I{HERE}",
            f"-I{trace.HERE}",
        ]

    @property
    def archive(self) -> Path:
        """The library whose machine code is searched; `build` makes it."""
        return trace.library(self.root, self.target, FLAGS)

    def search(self) -> tuple[str, list[instructions.Found]]:
        """The name of the library's record, and what the search in its machine code finds."""
        archive, level = self.archive, FLAGS.split()[0]
        compiler = self.target.compiler
        name = instructions.configuration(self.target.name, "gcc", compiler, level, archive)
        objdump = f"{self.target.prefix}objdump"
        return name, instructions.search(archive, objdump, self.target.package)

    def build(self) -> Path:
        """The harness for the target, linked with the whole library."""
        library = trace.library(self.root, self.target, FLAGS)
        harness = library.with_name("harness")
        link: list[str | Path] = [
            WRAPPED,
            "-Wl,--whole-archive",
            library,
            "-Wl,--no-whole-archive",
        ]
        with exclusive(harness.parent):
            run(
                [
                    *self.compile_(),
                    *(HERE / source for source in SOURCES),
                    *link,
                    *self.target.ending(),
                    "-o",
                    harness,
                ]
            )
        return harness

    def turn(
        self, harness: Path, part: str, tier: str, turns: int, *, traced: bool, detail: str
    ) -> list[tuple[dict[str, Any], list[trace.Region]]]:
        """Run a part of the harness; for each check its description and what ran, turn by turn."""
        environment = {"HANJI_FORCE": tier}
        arguments = [part, str(turns)]
        regions, said = trace.watch(
            self.root,
            self.target,
            harness,
            arguments=arguments,
            trace=traced,
            detail=detail,
            cpu=self.cpu,
            environment=environment,
        )
        described = [json.loads(line) for line in said.decode().splitlines()]
        if len(regions) != len(described) or not described:
            raise LabError(
                f"{self.name}: {len(regions)} regions and {len(described)} checks in {turns} "
                f"turns of {part!r} [{tier}]"
            )
        return _by_check(described, regions, turns)

    def check(self, harness: Path, part: str, tier: str) -> tuple[list[dict[str, Any]], list[str]]:
        """The checks of a part with their differences, and a sentence for each that differs."""
        checks, problems = [], []
        differing = []
        for i, (described, regions) in enumerate(
            self.turn(harness, part, tier, self.turns, traced=True, detail="no")
        ):
            compared = [] if described["steered"] else regions[1:]
            differences = sum(
                (one.path, one.addresses) != (regions[0].path, regions[0].addresses)
                for one in compared
            )
            checks.append(
                described
                | {
                    "errors": differences,
                    "instructions": regions[0].instructions,
                    "compared": not described["steered"],
                }
            )
            if differences:
                differing.append(i)
        if differing and part == self.part:
            detailed = self.turn(harness, part, tier, self.turns, traced=True, detail="yes")
            for i in differing:
                described, regions = detailed[i]
                problems.append(
                    f"{_first_difference(regions)} (check {described['group']}: "
                    f"{described['subject']}) [{tier}]"
                )
        return checks, problems

    def run(self) -> Report:
        """The controls, then the library with every tier."""
        harness = self.build()
        about = {"checker": self.name, "compiler": self.target.compiler, "level": FLAGS.split()[0]}
        controls, _ = self.check(harness, "controls", "portable")
        controls += instructions.controls(self.compile_(), self.target.prefix, self.target.package)
        objects = [{"kind": "control", **about, **check} for check in controls]
        problems = control_problems(controls)
        if problems:
            return Report(self.name, objects, problems)
        problems = instructions.problems(*self.search())
        for tier in self.tiers or TIERS[self.target.name]:
            checks, found = self.check(harness, self.part, tier)
            objects += [{"kind": "check", **about, "tier": tier, **check} for check in checks]
            problems += found
        return Report(self.name, objects, problems)

    @cached_property
    def reached(self) -> dict[str, set[str]]:
        """Function -> groups of checks in which it runs, with one of the tiers."""
        harness = self.build()
        groups: dict[str, set[str]] = defaultdict(set)
        for tier in self.tiers or TIERS[self.target.name]:
            for described, (region,) in self.turn(
                harness, self.part, tier, 1, traced=False, detail="yes"
            ):
                for function in region.by_function():
                    groups[function].add(described["group"])
        return groups

    def files(self) -> list[FileCoverage]:
        """The kernel files of the target: their functions, and the checks that run them."""
        nm = find_program(f"{self.target.prefix}nm", self.target.package, "coverage")
        library = trace.library(self.root, self.target, FLAGS)
        inside: dict[str, set[str]] = defaultdict(set)
        for line in run([nm, "-A", "--defined-only", library]).splitlines():
            place, _, symbol = line.rpartition(":")
            fields = symbol.split()
            if len(fields) == 3 and fields[1] in "tT" and not fields[2].startswith(("$", ".")):
                inside[place.rpartition(":")[2].removesuffix("bj").removesuffix(".o")].add(
                    fields[2]
                )
        found = []
        for path in sorted((self.root / "src").rglob("*.[cS]")):
            if split_name(path, list(ISAS[self.target.name])) and inside[path.name]:
                functions = inside[path.name]
                unreached = tuple(sorted(functions - self.reached.keys()))
                checks = set().union(
                    *(self.reached.get(function, set()) for function in functions)
                ) - {PUBLIC}
                note = f"traced on {self.target.name}" if checks else "NO CHECK REACHES IT"
                found.append(
                    FileCoverage(
                        str(path.relative_to(self.root)),
                        len(functions),
                        unreached,
                        tuple(sorted(checks)),
                        note,
                    )
                )
        return found


def _by_check(
    described: list[dict[str, Any]], regions: list[trace.Region], turns: int
) -> list[tuple[dict[str, Any], list[trace.Region]]]:
    """The checks of the first turn, each with its regions of all turns; those that are not compared
    ran in the first turn alone.
    """
    found: dict[tuple[str, str, int], tuple[dict[str, Any], list[trace.Region]]] = {}
    seen: Counter[tuple[int, str, str]] = Counter()  # a subject may have several checks
    for check, region in zip(described, regions, strict=True):
        group, subject, turn = check["group"], check["subject"], check["turn"]
        key = (group, subject, seen[turn, group, subject])
        seen[turn, group, subject] += 1
        if turn == 1:
            found[key] = (check, [region])
        elif key in found:
            found[key][1].append(region)
        else:
            raise LabError(f"check {group}: {subject} ran in turn {turn} and not in turn 1")
    for (group, subject, _), (check, ran) in found.items():
        if len(ran) != turns and not check["steered"]:
            raise LabError(f"check {group}: {subject} ran in {len(ran)} of {turns} turns")
    return list(found.values())


def with_traces(files: list[FileCoverage], checkers: list[Traces]) -> list[FileCoverage]:
    """The coverage of this processor, with that of the kernel files of other processors where
    traces see them.
    """
    traced: dict[str, FileCoverage] = {}
    for file in (file for checker in checkers for file in checker.files()):
        before = traced.get(file.source, file)
        unreached = tuple(function for function in file.unreached if function in before.unreached)
        note = before.note if file.bare else file.note
        traced[file.source] = replace(
            file,
            unreached=unreached,
            checks=tuple(sorted({*before.checks, *file.checks})),
            note=note,
        )
    return [traced.get(file.source, file) for file in files]


def _first_difference(regions: list[trace.Region]) -> str:
    """Where two traces of the same check differ, by the instructions that ran another number of
    times or accessed something else.
    """
    first = {site.pc: (site.times, site.addresses) for site in regions[0].sites}
    for other in regions[1:]:
        second = {site.pc: (site.times, site.addresses) for site in other.sites}
        places = sorted(
            pc for pc in first.keys() | second.keys() if first.get(pc) != second.get(pc)
        )
        if places:
            texts = {site.pc: site.text for region in (regions[0], other) for site in region.sites}
            symbols = regions[0].symbols
            name = symbols.name(places[0]) if symbols else hex(places[0])
            one, two = (counts.get(places[0], (0, ""))[0] for counts in (first, second))
            how = f"runs {one} or {two} times" if one != two else "accesses other addresses"
            return f"{name}: `{texts[places[0]]}` {how}, as the secrets are"
    return (
        "the same instructions run as often on the same addresses, but in another order, as the "
        "secrets are"
    )
