# SPDX-License-Identifier: Apache-2.0
"""The machines: what runs a program, how it is compiled, and what its counter means."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...cases import Case, CaseError, UnsupportedError
from ...checkout import find_program
from ...results import Result, tool_version
from .harness import Figures, Target, build, judge

TIMEOUT = 600  # seconds after which a program is taken to hang
ARM = ("arm-none-eabi-gcc", "gcc-arm-none-eabi")
AVR = ("avr-gcc", "gcc-avr")


@dataclass(frozen=True)
class Board:
    """A microcontroller, whose program sends what happened to the standard output of `runner`."""

    name: str
    kind: str
    isas: frozenset[str]
    about: str
    target: Target
    runner: str
    package: str
    options: tuple[str, ...]

    def why_not(self) -> str | None:
        """What is missing."""
        for program, package in (
            (self.target.compiler, self.target.package),
            (self.runner, self.package),
        ):
            if shutil.which(program) is None:
                return f"{program} is not installed. On Debian: apt-get install {package}"
        if self.target.header and not Path(self.target.header).exists():
            return "avr-libc is not installed. On Debian: apt-get install avr-libc"
        return None

    def run(self, case: Case) -> Figures:
        """Build and run the program of a case, and judge it."""
        runner = find_program(self.runner, self.package, self.name)
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
            program = build(case, self.target, Path(directory))
            done = execute([runner, *self.options, str(program)], case, self.name)
            link_map = program.with_suffix(".map").read_text()
        if done.returncode:
            raise UnsupportedError(
                f"{case.kernel.name} on {self.name}: {self.runner} ended with {done.returncode}, "
                f"after a fault or an illegal instruction: {done.stderr.decode()[-500:]}"
            )
        return judge(case, self, done.stdout + done.stderr, link_map)

    def measure(self, case: Case, command: str) -> list[Result]:
        """Instructions, or cycles, of one call."""
        figures = self.run(case)
        tools = [tool_version(self.target.compiler), version(self)]
        flags = f"{' '.join(self.target.flags)} {' '.join(case.flags)}".rstrip()
        more = {"blocks": case.kernel.blocks, "stack": figures.stack, "code": figures.code}
        exact = self.kind == "model"
        return [
            Result(
                case.kernel.name,
                self.name,
                self.kind,
                case.operation,
                case.bytes,
                case.provenance(tools, flags, command),
                cache=None,
                instructions=None if exact else figures.count,
                cycles=figures.count if exact else None,
                cycles_per_byte=figures.count / case.bytes if exact else None,
                more=more,
            )
        ]


def execute(command: Sequence[str], case: Case, name: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program; CaseError when it does not end."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CaseError(
            f"{case.kernel.name} on {name}: no end after {TIMEOUT} s; an endless loop, or a crash?"
        ) from None


def version(board: Board) -> str:
    """simavr does not say its own; the package manager does."""
    if board.runner != "simavr":
        return tool_version(board.runner)
    done = subprocess.run(
        ["dpkg-query", "-W", "simavr"], capture_output=True, text=True, check=False
    )
    return " ".join(done.stdout.split()) or "simavr"


# Board of qemu: processor, instruction sets of its kernels, where flash and RAM are, instructions
# in a tick of the timer.
CORTEX = {
    "m0": ("microbit", "armv6m", 0, 0x20000000, 62.5),
    "m3": ("mps2-an385", "armv7m", 0, 0x20000000, 40),
    "m4": ("mps2-an386", "armv7m armv7em", 0, 0x20000000, 40),
    "m7": ("mps2-an500", "armv7m armv7em", 0, 0x20000000, 40),
    "m33": ("mps2-an505", "armv7m armv7em", 0x10000000, 0x38000000, 50),
}
SEMIHOSTING = ("-semihosting-config", "enable=on,target=native")


def boards() -> list[Board]:
    """All of them."""
    found = []
    for core, (machine, isas, rom, ram, tick) in CORTEX.items():
        target = Target(
            *ARM,
            (f"-mcpu=cortex-{core}", "-mthumb", "-O3", "-ffreestanding"),
            tick,
            link=(f"-Wl,--defsym=lab_rom={rom},--defsym=lab_ram={ram}",),
        )
        options = ("-M", machine, "-icount", "shift=0", "-display", "none", "-monitor", "none")
        found.append(
            Board(
                f"qemu:cortex-{core}",
                "count",
                frozenset({*isas.split(), "c"}),
                "executed instructions, counted by qemu; its clock says nothing about time",
                target,
                "qemu-system-arm",
                "qemu-system-arm",
                (*options, "-serial", "none", *SEMIHOSTING, "-kernel"),
            )
        )
    target = Target(
        *AVR,
        ("-mmcu=atmega328p", "-O3", "-ffreestanding"),
        1,
        header="/usr/lib/avr/include/avr/pgmspace.h",
    )
    found.append(
        Board(
            "simavr:atmega328p",
            "model",
            frozenset({"avr", "c"}),
            "model of an ATmega328P: cycles, every instruction at its documented time",
            target,
            "simavr",
            "simavr",
            ("-m", "atmega328p", "-f", "16000000"),
        )
    )
    return found
