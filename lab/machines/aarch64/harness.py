# SPDX-License-Identifier: Apache-2.0
"""The measuring program on AArch64: made for one case, run under qemu-user with the plugin of
`trace`, its output read and judged.
"""

from __future__ import annotations

import re
import signal
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ... import trace
from ...cases import Buffer, Case, CaseError
from ...checkout import LabError, find_program, instruction_at, run
from ...kernels import isa_flags
from ..arena import Arena, arenas, compare, expected

HERE = Path(__file__).resolve().parent
TARGET = trace.AARCH64
FLAGS = "-O3 -ffunction-sections -fdata-sections"
SECONDS = 600  # after which a kernel does not end
CRASH = re.compile(r"lab crash: (\d+) ([0-9a-f]+) ([0-9a-f]+)")
KEPT = (*(f"x{i}" for i in range(18, 30)), *(f"d{i}" for i in range(8, 16)), "sp")


def _assembly(case: Case, laid_out: list[Arena]) -> str:
    """The calls and their arenas as assembly data."""
    lines = ["    .data", "    .balign 8", "    .globl lab_calls, lab_call_count, lab_function"]
    lines += [
        "lab_call_count:",
        f"    .quad {len(case.calls)}",
        "lab_function:",
        f"    .quad {case.symbol}",
        "lab_calls:",
    ]
    for i, call in enumerate(case.calls):
        words = ["0"] * 8
        for place, (register, argument) in enumerate(call.arguments.items()):
            number = re.fullmatch("[ax]([0-7])", register)
            if number is None and case.kernel.source.endswith((".S", ".s")):
                raise LabError(
                    f"{case.kernel.name}: argument register {register!r} given, x0 to x7 "
                    f"expected for {case.kernel.isa}"
                )
            value = (
                f"lab_arena_{i} + {laid_out[i].offsets[argument.name]}"
                if isinstance(argument, Buffer)
                else str(argument)
            )
            words[int(number[1]) if number else place] = value
        lines += [
            f"    .quad {', '.join(words)}",
            f"    .quad lab_arena_{i}, {len(laid_out[i].image)}",
        ]
    for i, memory in enumerate(laid_out):
        lines += ["    .balign 64", f"lab_arena_{i}:"]
        lines += [
            f"    .byte {', '.join(map(str, memory.image[at : at + 16]))}"
            for at in range(0, len(memory.image), 16)
        ]
    return "\n".join(lines) + '\n    .section .note.GNU-stack, "", %progbits\n'


def flags(case: Case) -> str:
    """The flags of the compiler that the files of a case get."""
    return " ".join([FLAGS, *isa_flags(case.root, case.kernel.isa), *case.flags])


def build(case: Case, directory: Path) -> Path:
    """Compile and link the measuring program of a case; the path of the program."""
    compiler = find_program(TARGET.compiler, TARGET.package, "an AArch64 machine")
    data, program = directory / "case.S", directory / "program"
    data.write_text(_assembly(case, arenas(case)))
    objects = []
    for i, file in enumerate(case.files):
        objects.append(directory / f"kernel{i}.o")
        run(
            [
                compiler,
                "-std=c11",
                *flags(case).split(),
                f"-I{case.root / 'include'}",
                f"-I{case.root / 'src'}",
                "-c",
                file,
                "-o",
                objects[-1],
            ]
        )
    own = [HERE / "harness.c", HERE / "call.S", data]
    run([compiler, "-O1", *TARGET.flags, "-Wl,--gc-sections", *own, *objects, "-o", program])
    return program


@dataclass(frozen=True)
class Figures:
    """What the measured call executed, without the branch that called it, and the stack that calls
    took, in bytes.
    """

    region: trace.Region
    stack: int


def measure(case: Case, machine: str, cpu: str, ordered: bool = False) -> Figures:
    """Run a case and judge it; CaseError when the kernel did something wrong. `ordered` gives the
    instructions as they ran, too.
    """
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
        program = build(case, Path(directory))
        try:
            regions, written = trace.watch(
                case.root,
                TARGET,
                program,
                cpu=cpu,
                trace=ordered,
                detail="order" if ordered else "yes",
                seconds=SECONDS,
            )
        except LabError as error:
            if found := CRASH.search(str(error)):
                raise _crash(case, machine, program, found) from None
            raise LabError(f"{case.kernel.name} on {machine}: {error}") from None
        if ordered:  # while the program is there to be disassembled
            regions[0].executed()
    if len(regions) != len(case.calls):
        raise LabError(
            f"{case.kernel.name} on {machine}: {len(regions)} calls were counted, "
            f"{len(case.calls)} expected"
        )
    stacks, at = [], 0
    for number, memory in enumerate(arenas(case)):
        spoiled, stack = struct.unpack_from("<II", written, at)
        image = written[at + 8 : at + 8 + len(memory.image)]
        at += 8 + len(memory.image)
        # A compiler for Linux may use x18 as it likes; assembly leaves it alone, because other
        # platforms reserve it.
        free = ("x18",) if case.kernel.source.endswith(".c") else case.kernel.allow
        lost = [
            register
            for bit, register in enumerate(KEPT)
            if spoiled >> bit & 1 and register not in free
        ]
        if lost:
            hint = "; Linux does not reserve x18: --allow x18" if lost == ["x18"] else ""
            raise CaseError(
                f"{case.kernel.name} on {machine}: does not keep {', '.join(lost)}{hint}"
            )
        compare(case, machine, number, image, expected(case.calls[number], memory, 1))
        stacks.append(stack)
    return Figures(regions[0].without("lab_call"), max(stacks))


def _crash(case: Case, machine: str, program: Path, found: re.Match[str]) -> CaseError:
    """What a crash was: the signal, and the instruction that it happened in."""
    number, at, touched = int(found[1]), int(found[2], 16), int(found[3], 16)
    what = instruction_at(f"{TARGET.prefix}objdump", program, at)
    where = f"`{what}`" if what else f"address 0x{at:x}, where no code is"
    memory = number in (signal.SIGSEGV, signal.SIGBUS)
    return CaseError(
        f"{case.kernel.name} on {machine}: ended with {signal.Signals(number).name} at {where}"
        + (f"; it touched address 0x{touched:x}" if memory else "")
    )
