# SPDX-License-Identifier: Apache-2.0
"""Constant time on microcontrollers: the same figures for different secrets.

Every kernel of a processor, and whole messages of an amalgam at -Os, run with several random
secrets. On an ATmega328P each must take the same cycles, on a Cortex-M the same number of executed
instructions.

Seen: every branch that a secret decides, as long as its two ways do not cost the same. Not seen:
addresses that depend on a secret. They take no time on an ATmega328P, which has no cache; on a
Cortex-M `hanji-lab ct --on rv32i` sees those of the same C code, and of kernels nothing does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..cases import Case, cases, measurable
from ..checkout import LabError
from ..checks import Report
from ..kernels import Kernel, scan
from ..machines.mcu.boards import Board
from ..measure import messages

TURNS = 4
BOARDS = ("simavr:atmega328p", "qemu:cortex-m0", "qemu:cortex-m3", "qemu:cortex-m4")
# The control: before this kernel a bit of its input decides a branch.
CONTROL = "speck64_128_{isa}_encrypt_x1"
ARM_LEAK = """
    .thumb_func
    .type KERNEL, %function
KERNEL:
    push {r4}
    ldrb r4, [r1]
    lsrs r4, r4, #1
    bcc 1f
    nop
1:
    pop {r4}
    push {r0, r1}
    ldr r0, =before_the_leak
    str r0, [sp, #4]
    pop {r0, pc}
    .ltorg
"""
AVR_LEAK = """
KERNEL:
    movw r30, r22
    ld r0, Z
    sbrc r0, 0
    rjmp 1f
1:
    jmp before_the_leak
"""
LEAKING = """\
#define KERNEL before_the_leak
#include "FILE"
#undef KERNEL
    .text
    .global KERNEL
"""


@dataclass(frozen=True)
class Microcontroller:
    """The check of one board; `only` are the names of its kernels, all if there are none."""

    root: Path
    board: Board
    turns: int = TURNS
    only: tuple[str, ...] = ()
    whole: bool = True  # messages, too

    @property
    def name(self) -> str:
        """For example count-cortex-m4."""
        return f"count-{self.board.name.partition(':')[2]}"

    @property
    def unit(self) -> str:
        """What is counted."""
        return "cycles" if self.board.kind == "model" else "executed instructions"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return (
            f"{self.unit} of the kernels and of whole messages on {self.board.name}, compared over "
            f"{self.turns} sets of secrets; addresses are not seen"
        )

    def kernels(self) -> list[Kernel]:
        """Those of the board's instruction set."""
        found, errors = scan(self.root)
        if errors:
            raise LabError("\n".join(map(str, errors)))
        mine = [kernel for kernel in found if kernel.isa in self.board.isas and measurable(kernel)]
        return [kernel for kernel in mine if not self.only or kernel.name in self.only]

    def figures(self, kernel: Kernel, files: Sequence[Path] = ()) -> Iterator[tuple[str, set[int]]]:
        """For each operation of a kernel the figures that it has with different secrets; `files`
        are compiled instead of its own.
        """
        found: dict[str, set[int]] = {}
        for seed in range(1, self.turns + 1):
            for case in cases(self.root, kernel, checks=0, seed=seed):
                taken: Case = replace(case, files=tuple(files)) if files else case
                found.setdefault(case.operation, set()).add(self.board.run(taken).count)
        yield from found.items()

    def control(self) -> set[int]:
        """The figures of a kernel with a leak."""
        name = CONTROL.format(isa=messages.isa_of(self.board))
        (kernel,) = (one for one in replace(self, only=()).kernels() if one.name == name)
        source = self.root / kernel.source
        leak = LEAKING + (AVR_LEAK if kernel.isa == "avr" else ARM_LEAK)
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
            leaking = Path(directory, source.name)
            text = leak.replace("FILE", str(source)).replace("KERNEL", kernel.symbol)
            leaking.write_text(text, encoding="utf-8")
            wide = replace(self, turns=2 * TURNS)
            ((_, found),) = wide.figures(kernel, [leaking])
        return found

    def run(self) -> Report:
        """The control, then every kernel and every message."""
        about = {"checker": self.name, "secrets": "keys, texts, states", "released": []}
        leak = self.control()
        objects: list[dict[str, Any]] = [
            {
                "kind": "control",
                "group": "branch",
                "subject": CONTROL.format(isa="*"),
                "errors": len(leak) - 1,
            }
            | about
        ]
        if len(leak) == 1:
            return Report(self.name, objects, ["the control, a branch on a secret, is not seen"])
        problems = []

        def judge(group: str, subject: str, found: set[int]) -> None:
            check = {"kind": "check", "group": group, "subject": subject, "errors": len(found) - 1}
            objects.append(check | about)
            if len(found) > 1:
                figures = " or ".join(f"{count:,}" for count in sorted(found))
                problems.append(f"{subject} takes {figures} {self.unit}, as the secrets are")

        for kernel in self.kernels():
            for operation, found in self.figures(kernel):
                judge("kernel", f"{kernel.name} {operation}", found)
        if self.whole:
            for call, found in self.messages().items():
                judge("message", call, found)
        return Report(self.name, objects, problems)

    def messages(self) -> dict[str, set[int]]:
        """The figures of whole calls, by call."""
        found: dict[str, set[int]] = {}
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
            folder = Path(directory)
            messages.amalgam(self.root, self.board, folder)
            for seed in range(1, self.turns + 1):
                options = [f"-DLAB_SEED={seed}"]
                for call, count in messages.run_all(self.root, self.board, folder, options).items():
                    found.setdefault(call, set()).add(count)
        return found
