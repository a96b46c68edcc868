# SPDX-License-Identifier: Apache-2.0
"""qemu:hifive1: the SiFive E31 of the HiFive1 Rev B as qemu-system shows it, with one tick per
executed instruction: exact counts.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from ...cases import Case, CaseError, UnsupportedError
from ...checkout import find_program
from ...results import Result, tool_version
from .harness import COMPILER, FLAGS, PACKAGE, Figures, Target, build, judge, trapped

RUNNER, RUNNER_PACKAGE = "qemu-system-riscv32", "qemu-system-misc"
TIMEOUT = 600  # seconds after which a program is taken to hang


class Qemu:
    """A machine of qemu-system-riscv32 under -icount shift=0: mcycle then counts instructions."""

    name = "qemu:hifive1"
    kind = "count"
    isas = frozenset({"rv32i", "c"})
    about = "executed instructions, counted by qemu; its clock says nothing about time"
    target = Target(
        "hifive1.ld",
        "rv32i",
        ("LAB_CONSOLE=0x10013000", "LAB_COUNTER_CSR=mcycle", "LAB_TRAPS"),
    )

    def why_not(self) -> str | None:
        """What is missing."""
        for program, package in ((COMPILER, PACKAGE), (RUNNER, RUNNER_PACKAGE)):
            if shutil.which(program) is None:
                return f"{program} is not installed. On Debian: apt-get install {package}"
        return None

    def run(self, case: Case) -> Figures:
        """Build and run the program of a case, and judge it."""
        runner = find_program(RUNNER, RUNNER_PACKAGE, self.name)
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
            program = build(case, self.target, Path(directory))
            command = [
                runner,
                "-M",
                "sifive_e,revb=true",
                "-icount",
                "shift=0",
                "-display",
                "none",
                "-monitor",
                "none",
                "-serial",
                "stdio",
            ]
            command += ["-semihosting-config", "enable=on,target=native", "-kernel", str(program)]
            try:
                done = subprocess.run(
                    command,
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    timeout=TIMEOUT,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise CaseError(
                    f"{case.kernel.name} on {self.name}: no end after {TIMEOUT} s; an "
                    "endless loop, or an illegal instruction?"
                ) from None
            if error := trapped(case, self.name, done.stdout, program):
                raise error
            link_map = program.with_suffix(".map").read_text()
        if done.returncode:
            raise UnsupportedError(
                f"{case.kernel.name} on {self.name}: {RUNNER} ended with {done.returncode}: "
                f"{done.stderr.decode()[-500:]}"
            )
        return judge(case, self.name, done.stdout, link_map)

    def measure(self, case: Case, command: str) -> list[Result]:
        """Instructions of one call."""
        figures = self.run(case)
        flags = f"-march={self.target.march} {FLAGS} {' '.join(case.flags)}".rstrip()
        provenance = case.provenance([tool_version(RUNNER), tool_version(COMPILER)], flags, command)
        more = {"blocks": case.kernel.blocks, "stack": figures.stack, "code": figures.code}
        result = Result(
            case.kernel.name,
            self.name,
            self.kind,
            case.operation,
            case.bytes,
            provenance,
            cache=None,
            instructions=figures.warm,
            more=more,
        )
        return [result]
