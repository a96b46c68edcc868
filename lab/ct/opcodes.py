# SPDX-License-Identifier: Apache-2.0
"""Scan of compiled vector kernels that valgrind cannot run: where data can go in their machine
code, on every way (taint.py).

Only instructions, calls and operands that are known are let through (x86.py); what is new has to be
entered there with what it reads and writes.

Kernels in C keep everything secret in vectors. There nothing may bring data into a general register
but a load, from where they can only go on into a vector or to memory. Kernels in assembly, and
functions that make round keys beside their rounds (SCHEDULES), may compute with data in general
registers. In all, data decide no jump, no address, no mask of a load or store and no time.

Public are arguments in general registers, constants of the object file, and what stands in a table
of addresses and lengths (TABLES).

Seen: every instruction that can be reached, of every function in the object file, whatever path is
taken. Not seen: other compilers and levels.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..checkout import FAST, build_library, fast_build, find_compiler, find_program, run
from ..checks import Report
from ..kernels import isa_flags
from . import x86
from .taint import Analysis

HERE = Path(__file__).resolve().parent
TIERS = ("avx512",)  # valgrind 3.19 stops at AVX-512
# Of kernels of these tiers alone: scanned with them.
HEADERS = (
    "lanes/folds.h", "lanes/macs.h", "lanes/messages.h", "simon/simon_folds.h", "sparkle/sponge_uniform.h", "sparkle/sponge_ragged.h",
)  # fmt: skip
# Functions whose second argument is a table of addresses and lengths, which are public; the engine
# makes it, and valgrind sees of what.
TABLES = re.compile(r"^\w+_ragged_\w+$")
# Functions with a key schedule in general registers.
SCHEDULES = re.compile(r"^\w+_once_x\d+(?:_(?:one|two|three|four|eight))?$")
CONTROL_FLAGS = ("-O2", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq")


@dataclass(frozen=True)
class OpcodeScan:
    """The scan of the kernels of TIERS as one compiler makes them."""

    root: Path
    family: str

    @property
    def name(self) -> str:
        """For example scan-gcc."""
        return f"scan-{self.family}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return (
            f"data that leave vector registers in the {', '.join(TIERS)} kernels that "
            f"{self.family} makes at -O3"
        )

    @property
    def sources(self) -> list[Path]:
        """The kernel files that this check covers."""
        return sorted(
            path for tier in TIERS for path in (self.root / "src").rglob(f"*_{tier}*.[cS]")
        )

    @property
    def kernel_flags(self) -> tuple[str, ...]:
        """What compiles a kernel file by hand, as cmake/kernels.cmake does it."""
        own = ("-mstackrealign",) if self.family == "clang" else ("-falign-loops=32",)
        return (
            *FAST.split(),
            "-fPIC",
            "-ffunction-sections",
            *own,
            *isa_flags(self.root, "avx512"),
        )

    def scan(
        self, objects: Path, *, strict: bool = True, only: Callable[[str], bool] = lambda name: True
    ) -> dict[str, list[str]]:
        """Function by function, what is wrong; `strict` is the rule for kernels in C.

        A function of the file alone is judged where it is called, and for itself if it is not.
        """
        objdump = find_program("objdump", "binutils", "the opcode scan")
        file = x86.parse(run([objdump, "-dtr", "-M", "intel", "--no-show-raw-insn", objects]))
        analysis = Analysis(
            file,
            strict=strict,
            tables=lambda name: bool(TABLES.match(name)),
            schedules=lambda name: bool(SCHEDULES.match(name)),
        )
        found = {
            name: analysis.problems(name)
            for name, function in file.functions.items()
            if function.exported and only(name)
        }
        return found | {
            name: analysis.problems(name) for name in analysis.unreached() if only(name)
        }

    def controls(self, directory: Path, compiler: str) -> dict[str, list[str]]:
        """The controls, and what is found in each."""
        object_file = directory / "controls.o"
        found: dict[str, list[str]] = {}
        for source, strict in (
            ("opcode_controls.c", True),
            ("opcode_controls_c.S", True),
            ("opcode_controls.S", False),
        ):
            run(
                [
                    compiler,
                    *(CONTROL_FLAGS if source.endswith(".c") else ()),
                    "-c",
                    HERE / source,
                    "-o",
                    object_file,
                ]
            )
            more = self.scan(object_file, strict=strict)
            if len([name for name in more if name.startswith("leak_")]) < 6 or not any(
                name.startswith("quiet_") for name in more
            ):
                return {}
            found |= more
        return found

    def run(self) -> Report:
        """The controls, then every kernel file."""
        compiler = find_compiler(self.family)
        with tempfile.TemporaryDirectory() as directory:
            controls = self.controls(Path(directory), compiler)
        problems = [
            (
                f"control {name!r} {'was taken for a leak' if found else 'was not caught'}: the "
                "scan means nothing here, and no result is given"
            )
            for name, found in controls.items()
            if bool(found) != name.startswith("leak_")
        ]
        about = {
            "checker": self.name,
            "secrets": "all data",
            "released": [],
        }
        entries = [
            {
                "kind": "control",
                **about,
                "group": "leak" if name.startswith("leak_") else "quiet",
                "subject": name,
                "errors": len(found),
            }
            for name, found in controls.items()
        ]
        if len([name for name in controls if name.startswith("leak_")]) < 6 or len(controls) < 10:
            problems.append(f"controls are missing: {', '.join(controls)}")
        if problems:
            return Report(self.name, entries, problems)
        archive = build_library(self.root, fast_build(self.family), compiler, FAST, "hanji_static")
        for source in self.sources:
            where = source.relative_to(self.root)
            functions = self.scan(
                archive.parent / "CMakeFiles/hanji_objects.dir" / f"{where}.o",
                strict=source.suffix != ".S",
            )
            if not functions:
                problems.append(f"{where}: no function was found in its object")
            for name, found in functions.items():
                entries.append(
                    {
                        "kind": "check",
                        **about,
                        "group": "opcodes",
                        "subject": name,
                        "source": str(where),
                        "errors": len(found),
                    }
                )
                problems += [f"{where}: {name}: {problem}" for problem in found]
        return Report(self.name, entries, problems)
