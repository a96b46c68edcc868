# SPDX-License-Identifier: Apache-2.0
"""The measuring program on RV32: made for one case, run by a machine, its console read and judged.

The arena of every call comes back over the console, and must be what the specification says.
"""

from __future__ import annotations

import hashlib
import re
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...cases import Case, CaseError
from ...checkout import LabError, find_program, instruction_at, run
from ..arena import Arena, arenas, compare, expected

HERE = Path(__file__).resolve().parent
COMPILER = "riscv64-unknown-elf-gcc"
PACKAGE = "gcc-riscv64-unknown-elf"
OBJDUMP = COMPILER.replace("gcc", "objdump")
# Without a C library a loop must not become a call of memcpy; without jump tables every instruction
# is found by its branches (rewrite.py).
FLAGS = (
    "-mabi=ilp32 -O3 -ffreestanding -fno-tree-loop-distribute-patterns -fno-jump-tables "
    "-msmall-data-limit=0 -mno-relax -fno-pic "
    "-ffunction-sections -fdata-sections"
)
WARM_CALLS = 3  # as in harness.c
TRAP = bytes.fromhex("ff4c414254524150")  # as in harness.c
# Causes of traps (The RISC-V Instruction Set Manual, volume II, table of mcause).
CAUSES = {
    0: "a jump to an address that is not aligned",
    1: "a jump to where no code is",
    2: "an illegal instruction",
    3: "ebreak",
    4: "a load from an address that is not aligned",
    5: "a load from where no memory is",
    6: "a store to an address that is not aligned",
    7: "a store to where no memory is",
    8: "ecall",
    11: "ecall",
}
KEPT = (*(f"s{i}" for i in range(12)), "sp", "gp", "tp")


@dataclass(frozen=True)
class Target:
    """How a machine lays out a program, and the flags that say where its console and its counter
    are.
    """

    script: str
    march: str
    defines: tuple[str, ...]


def _assembly(case: Case, laid_out: list[Arena]) -> str:
    """The calls and their arenas as assembly data."""
    lines = [
        "    .section .rodata",
        "    .balign 4",
        "    .globl lab_calls, lab_call_count, lab_function",
    ]
    lines += [
        "lab_call_count:",
        f"    .word {len(case.calls)}",
        "lab_function:",
        f"    .word {case.symbol}",
        "lab_calls:",
    ]
    for i, call in enumerate(case.calls):
        words = ["0"] * 8
        for register, argument in call.arguments.items():
            if not re.fullmatch("a?[0-7]", register):
                raise LabError(
                    f"{case.kernel.name}: argument register {register!r} given, a0 to a7 "
                    f"expected for {case.kernel.isa}"
                )
            words[int(register[-1])] = (
                str(argument)
                if isinstance(argument, int)
                else f"lab_arena_{i} + {laid_out[i].offsets[argument.name]}"
            )
        lines += [
            f"    .word {', '.join(words)}",
            f"    .word lab_arena_{i}, {len(laid_out[i].image)}",
        ]
    lines += ["    .data"]
    for i, memory in enumerate(laid_out):
        lines += ["    .balign 64", f"lab_arena_{i}:"]
        lines += [
            f"    .byte {', '.join(map(str, memory.image[at : at + 16]))}"
            for at in range(0, len(memory.image), 16)
        ]
    return "\n".join(lines) + "\n"


def includes(case: Case) -> list[str]:
    """Where the library's sources and headers are found."""
    return [f"-I{case.root / 'include'}", f"-I{case.root / 'src'}", "-DHANJI_FREESTANDING"]


@cache
def _objects() -> tempfile.TemporaryDirectory[str]:
    """Where this process keeps what it has compiled: the same kernel runs on many machines."""
    return tempfile.TemporaryDirectory(prefix="hanji-lab-objects-")


def _compiled(file: Path, options: Sequence[str]) -> Path:
    """The object of a source file, compiled once for each text and each set of options."""
    key = hashlib.sha256(repr((str(file), options)).encode() + file.read_bytes()).hexdigest()
    made = Path(_objects().name, f"{key[:32]}-kernel.o" if file.parent != HERE else f"{key[:32]}.o")
    if not made.exists():
        run([COMPILER, *options, "-c", file, "-o", made])
    return made


def build(case: Case, target: Target, directory: Path) -> Path:
    """Compile and link the measuring program of a case; the path of the program."""
    find_program(COMPILER, PACKAGE, "an RV32 machine")
    data, program = directory / "case.S", directory / "program.elf"
    data.write_text(_assembly(case, arenas(case)))
    kernel_options = [f"-march={target.march}", *FLAGS.split(), *includes(case), *case.flags]
    objects = [_compiled(file, kernel_options) for file in case.files]
    options = [
        f"-march={target.march}_zicsr",
        *FLAGS.split(),
        "-O1",
        *(f"-D{define}" for define in target.defines),
    ]
    objects += [_compiled(HERE / name, options) for name in ("start.S", "harness.c")]
    link = [
        "-nostdlib",
        "-nostartfiles",
        f"-Wl,--gc-sections,-Map={program.with_suffix('.map')}",
        f"-T{HERE / target.script}",
    ]
    run([COMPILER, *options, *link, data, *objects, "-lgcc", "-o", program])
    return program


@dataclass(frozen=True)
class Figures:
    """What the counter of a machine said about the measured call, without what the call itself
    takes; in bytes the stack, and the code and constants of the kernel.
    """

    cold: int
    warm: int
    stack: int | None
    code: int = 0
    constants: int = 0


def linked_sections(link_map: str, of: str) -> dict[str, int]:
    """Bytes that a linker map says are kept of files that match `of`, by kind of section: text,
    rodata, data, bss.
    """
    kept = dict.fromkeys(("text", "rodata", "data", "bss"), 0)
    memory_map = link_map.partition("Linker script and memory map")[2]
    # " .text.name  0xaddress  0xsize  path/libhanji.a(object)", with a line break after long names.
    pattern = rf"^ \.(s?)(text|rodata|data|bss)\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+\S*{of}"
    for found in re.finditer(pattern, memory_map, re.MULTILINE):
        kept[found[2]] += int(found[3], 16)
    if kept["text"] == 0:
        raise LabError(f"the linker map names no code of {of}; has its format changed?")
    return kept


def trapped(case: Case, machine: str, console: bytes, program: Path) -> CaseError | None:
    """What a program said of a trap, if it ran into one."""
    if console[-20:-12] != TRAP:
        return None
    cause, at, touched = struct.unpack("<III", console[-12:])
    what = instruction_at(OBJDUMP, program, at)
    where = f"`{what}`" if what else f"address 0x{at:x}, where no code is"
    return CaseError(
        f"{case.kernel.name} on {machine}: trapped at {where}:"
        f" {CAUSES.get(cause, f'cause {cause}')}, address 0x{touched:x}"
    )


def judge(case: Case, machine: str, console: bytes, link_map: str) -> Figures:
    """Read what the program sent; CaseError when the kernel did something wrong, LabError when the
    program did not end well.
    """
    laid_out = arenas(case)
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        if at > len(console):
            raise LabError(
                f"{case.kernel.name} on {machine}: the program ended after {len(console)} "
                "bytes; did the kernel crash or jump away?"
            )
        return console[at - size : at]

    def record(number: int, calls: int) -> tuple[int, int]:
        count, spoiled, stack = struct.unpack("<III", take(12))
        image = take(len(laid_out[number].image))
        allow = case.kernel.allow
        lost = [r for bit, r in enumerate(KEPT) if spoiled >> bit & 1 and r not in allow]
        if lost:
            raise CaseError(f"{case.kernel.name} on {machine}: does not keep {', '.join(lost)}")
        compare(case, machine, number, image, expected(case.calls[number], laid_out[number], calls))
        return count, stack

    (empty,) = struct.unpack("<I", take(4))
    cold, _ = record(0, 1)
    warm, _ = record(0, 1 + WARM_CALLS)
    stacks = [record(number, 1)[1] for number in range(1, len(case.calls))]
    kept = linked_sections(link_map, r"-kernel\.o")
    return Figures(
        cold - empty,
        warm - empty,
        max(stacks) if stacks else None,
        kept["text"],
        kept["rodata"] + kept["data"],
    )
