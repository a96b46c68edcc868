# SPDX-License-Identifier: Apache-2.0
"""Constant time: no secret decides a branch or an address.

The harness (harness.c) marks secrets as undefined memory and runs every algorithm, mode and
direction under valgrind's memcheck, which reports each conditional jump and each address that
depends on undefined bits. What is released on the way is named there with its reason.

The harness runs once for each tier of kernels that valgrind can run; the others are scanned
(opcodes.py).

Seen: the machine code that one compiler makes at one level, on the paths that the harness takes.
Instructions whose own time depends on their operands are searched for (instructions.py). Not seen:
products, other compilers, power and emission.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..checkout import (
    LabError,
    any_compiler,
    build_library,
    exclusive,
    find_compiler,
    find_program,
    run,
)
from ..checks import Report
from ..kernels import own_tiers
from . import instructions, verdicts
from .opcodes import HEADERS, OpcodeScan
from .opcodes import TIERS as SCANNED

HERE = Path(__file__).resolve().parent
SOURCES = ("harness.c", "controls.c", "plants.c")
# What the harness takes the place of: where the library says that something becomes public.
WRAPPED = "-Wl,--wrap=hanji_equal,--wrap=hanji_aimer_revealed,--wrap=hanji_slhdsa_revealed"
LEVELS = (1, 2, 3)
DEBUG = "-gdwarf-4"  # valgrind 3.19, of Debian 12, cannot read the DWARF 5 of clang 14

KINDS = {
    "UninitCondition": "a branch depends on a secret",
    "UninitValue": "an address depends on a secret",
    "SyscallParam": "a secret goes to the operating system",
}

PUBLIC = "public"  # the group of the harness that has no secrets

ERRORS_FOUND = 99  # exit status of valgrind then; the harness uses 0, 2 and 3


@dataclass(frozen=True)
class Leak:
    """One place where memcheck found a secret, and the first check that came there."""

    kind: str
    check: str
    where: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        via = " < ".join(self.path)
        return (
            f"{self.where}: {KINDS.get(self.kind, self.kind)} (first in check {self.check}; {via})"
        )


@dataclass(frozen=True)
class Valgrind:
    """The constant-time check with one compiler at one optimisation level."""

    root: Path
    family: str
    level: int
    sources: tuple[Path, ...] = field(default=tuple(HERE / source for source in SOURCES))

    @property
    def name(self) -> str:
        """For example ct-gcc-O2."""
        return f"ct-{self.family}-O{self.level}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return f"branches and addresses in the code that {self.family} makes at -O{self.level}"

    @property
    def flags(self) -> str:
        """Of the compiler, for library and harness."""
        return f"-O{self.level} {DEBUG}"

    def build(self) -> Path:
        """The harness, linked with the library of this checkout at this level."""
        return build_harness(
            self.root,
            self.name,
            find_compiler(self.family),
            self.flags,
            self.sources,
        )

    def compile_(self) -> list[str | Path]:
        """The beginning of a command that compiles a file of this folder like the library."""
        include = [f"-I{self.root / 'include'}", f"-I{HERE}"]
        return [find_compiler(self.family), "-std=gnu11", *self.flags.split(), *include]

    def search(self, archive: Path) -> tuple[str, list[instructions.Found]]:
        """The name of the record of an archive of this compiler and level, and what the search in
        its machine code finds.
        """
        name = instructions.configuration(
            platform.machine(), self.family, find_compiler(self.family), f"-O{self.level}", archive
        )
        return name, instructions.search(archive, scanned=SCANNED)

    def memcheck(
        self, harness: Path, part: str, tier: str = "portable"
    ) -> tuple[list[dict[str, Any]], list[Leak]]:
        """Run one part of the harness ("controls" or "library") with a tier: its checks, and where
        it found errors.
        """
        valgrind = find_program("valgrind", "valgrind", "the constant-time check")
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("HANJI_", "VALGRIND_"))
        }
        environment |= {
            "HANJI_FORCE": tier,
            "HANJI_CT_VERDICTS": verdicts.given(self.root, harness),
        }
        with tempfile.TemporaryDirectory() as directory:
            xml = Path(directory, "memcheck.xml")
            command = [
                valgrind,
                "--tool=memcheck",
                "--leak-check=no",
                "--error-limit=no",
                f"--error-exitcode={ERRORS_FOUND}",
            ]
            command += ["--xml=yes", f"--xml-file={xml}", str(harness), part]
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode not in (0, ERRORS_FOUND):
                raise LabError(
                    f"{self.name}: the harness stopped with status {done.returncode}: "
                    f"{done.stderr.strip()[-2000:]}"
                )
            leaks = _leaks(xml, self.root)
        checks = [json.loads(line) for line in done.stdout.splitlines()]
        counted = sum(check["errors"] for check in checks)
        if (counted > 0) != (done.returncode == ERRORS_FOUND) or (counted > 0) != bool(leaks):
            raise LabError(
                f"{self.name}: valgrind ended with status {done.returncode} and {len(leaks)} "
                "reports, "
                f"but {counted} errors lie inside checks: {'; '.join(map(str, leaks))}"
            )
        return checks, leaks

    def run(self) -> Report:
        """Controls first; then the library, whose result counts only when every control behaved."""
        find_program("valgrind", "valgrind", "the constant-time check")  # before minutes of builds
        harness = self.build()
        about = {
            "checker": self.name,
            "compiler": compiler_version(self.family),
            "level": self.level,
        }
        controls, _ = self.memcheck(harness, "controls")
        controls += instructions.controls(self.compile_())
        problems = control_problems(controls)
        objects = [{"kind": "control", **about, **check} for check in controls]
        if problems:
            return Report(self.name, objects, problems)
        problems = instructions.problems(*self.search(harness.with_name("libhanji.a")))
        for tier in checked_tiers(self.root):
            checks, leaks = self.memcheck(harness, "library", tier)
            objects += [{"kind": "check", **about, "tier": tier, **check} for check in checks]
            objects += [
                {
                    "kind": "leak",
                    **about,
                    "tier": tier,
                    "leak": leak.kind,
                    "check": leak.check,
                    "where": leak.where,
                    "path": list(leak.path),
                }
                for leak in leaks
            ]
            problems += [f"{leak} [{tier}]" for leak in leaks]
        return Report(self.name, objects, problems)


def idle() -> list[str]:
    """Options of CMake for a library whose kernels of the scanned tiers are not to run: they need
    no optimisation.
    """
    return [f"-DHANJI_SLOW_ISAS={';'.join(SCANNED)}"]


def checked_tiers(root: Path) -> list[str]:
    """The tiers that this machine and valgrind can run, as far as libhanji has kernels in them."""
    return [tier for tier in own_tiers(root) if tier not in SCANNED]


def control_problems(controls: list[dict[str, Any]]) -> list[str]:
    """Leaks that were not caught, and quiet code that was called a leak."""
    problems = []
    for group in ("leak", "quiet"):
        if not any(check["group"] == group for check in controls):
            problems.append(f"no control of group {group!r} ran")
    for check in controls:
        caught = check["errors"] > 0
        if caught != (check["group"] == "leak"):
            found = "was not caught" if check["group"] == "leak" else "was taken for a leak"
            problems.append(
                f"control {check['subject']!r} {found}: the check means nothing here, and no "
                "result is given"
            )
    return problems


def compiler_version(family: str) -> str:
    """The first line of what the compiler says about itself."""
    return run([find_compiler(family), "--version"]).splitlines()[0]


def build_harness(
    root: Path,
    name: str,
    compiler: str,
    flags: str,
    sources: tuple[Path, ...],
    own_flags: tuple[str, ...] = (),
) -> Path:
    """Compile the harness with `flags` and `own_flags` and link it with the static library compiled
    with `flags`.
    """
    library = build_library(root, name, compiler, flags, "hanji_static", options=idle())
    harness = library.parent / "harness"
    header = "valgrind/memcheck.h"
    if subprocess.run(
        [compiler, "-E", "-x", "c", "-"],
        input=f"#include <{header}>\n",
        capture_output=True,
        text=True,
    ).returncode:
        raise LabError(
            f"{header} is not installed; the constant-time check needs it. On Debian: "
            "apt-get install valgrind"
        )
    # Of the harness itself nothing is traced, but what it includes of src/ is.
    own_flags += (
        (f"-finstrument-functions-exclude-file-list={HERE}",)
        if "-finstrument-functions" in flags
        else ()
    )
    include = (f"-I{root / 'include'}", f"-I{root / 'src'}", f"-I{HERE}")
    compile_: list[str | Path] = [
        compiler,
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        *flags.split(),
        *own_flags,
        *include,
    ]
    link: list[str | Path] = ["-no-pie", WRAPPED]
    link += ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive"]
    with exclusive(harness.parent):
        run([*compile_, *sources, *link, "-o", harness])
    return harness


def _leaks(xml: Path, root: Path) -> list[Leak]:
    leaks, check = [], "none"
    for element in ElementTree.parse(xml).getroot():
        if element.tag == "clientmsg":
            check = (element.findtext("text") or "").removeprefix("check ").strip()
        elif element.tag == "error":
            frames = [
                (frame.findtext("fn") or "?", _place(frame, root))
                for frame in element.iterfind("stack[1]/frame")
            ]
            where = next((place for _, place in frames if place), "unknown place")
            path = tuple(function for function, _ in frames if function != "main")
            leaks.append(Leak(element.findtext("kind") or "?", check, where, path))
    return leaks


def _place(frame: ElementTree.Element, root: Path) -> str:
    directory, name, line = (frame.findtext(tag) for tag in ("dir", "file", "line"))
    if not name or not directory:
        return ""
    path = Path(directory, name).resolve()
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    return f"{shown}:{line}"


@dataclass(frozen=True)
class FileCoverage:
    """How the checks reach one file of src/."""

    source: str
    functions: int
    unreached: tuple[str, ...]
    checks: tuple[str, ...]
    note: str

    @property
    def bare(self) -> bool:
        """Whether it has functions and no check reaches one."""
        return self.functions > 0 and len(self.unreached) == self.functions


class Coverage:
    """Which check reaches which function of which source file.

    Measured, not declared: the library is built without optimisation and with
    -finstrument-functions, and the harness writes down the functions that each check enters.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def files(self) -> list[FileCoverage]:
        """One entry per C and assembly file under src/."""
        harness = build_harness(
            self.root,
            "ct-trace",
            any_compiler(),
            f"-O0 {DEBUG} -finstrument-functions",
            tuple(HERE / source for source in SOURCES),
            ("-DHANJI_CT_TRACE",),
        )
        lines = []
        for tier in checked_tiers(self.root):
            lines += run(
                [harness, "library"], environment={**os.environ, "HANJI_FORCE": tier}
            ).splitlines()
        scanned = {
            *OpcodeScan(self.root, "gcc").sources,
            *(self.root / "src" / header for header in HEADERS),
        }
        groups: dict[int, set[str]] = defaultdict(set)
        for check in map(json.loads, lines):
            for address in check["functions"]:
                groups[int(address, 16)].add(check["group"])
        symbols = [
            line.split()
            for line in run(
                [find_program("nm", "binutils", "coverage"), "--defined-only", harness]
            ).splitlines()
        ]
        addresses = sorted({int(parts[0], 16) for parts in symbols if parts[1] in "tT"})
        inside: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for address, (function, source) in zip(
            addresses, self._places(harness, addresses), strict=True
        ):
            inside[source].append((address, function))
        sources = sorted((self.root / "src").rglob("*.[chS]"))
        return [
            self._entry(path, inside[str(path.relative_to(self.root))], groups, path in scanned)
            for path in sources
        ]

    def _places(self, harness: Path, addresses: list[int]) -> list[tuple[str, str]]:
        """Name and source file, relative to the checkout, of each function."""
        program = find_program("addr2line", "binutils", "coverage")
        said = run(
            [program, "-f", "-e", harness, *(hex(address) for address in addresses)]
        ).splitlines()
        places = []
        for function, line in zip(said[::2], said[1::2], strict=True):
            path = Path(line.rsplit(":", 1)[0]).resolve()
            places.append(
                (
                    function,
                    str(path.relative_to(self.root)) if path.is_relative_to(self.root) else "",
                )
            )
        return places

    def _entry(
        self,
        path: Path,
        functions: list[tuple[int, str]],
        groups: dict[int, set[str]],
        scanned: bool,
    ) -> FileCoverage:
        if scanned:
            note = "every function is scanned; valgrind cannot run it"
            return FileCoverage(
                str(path.relative_to(self.root)), len(functions), (), ("opcodes",), note
            )
        checks = sorted(
            set().union(*(groups[address] for address, _ in functions if address in groups))
            - {PUBLIC}
        )
        sees_no_secret = any(address in groups for address, _ in functions) and not checks
        unreached = sorted(function for address, function in functions if address not in groups)
        if not functions:
            note = (
                "declarations and macros only"
                if path.suffix == ".h"
                else "no function of it is in this build"
            )
        elif sees_no_secret:
            note = "sees no secret"
        elif not checks:
            note = "NO CHECK REACHES IT"
        else:
            note = ""
        return FileCoverage(
            str(path.relative_to(self.root)), len(functions), tuple(unreached), tuple(checks), note
        )
