# SPDX-License-Identifier: Apache-2.0
"""The measuring program on a microcontroller: made for one case and run, its output judged.

The arena of every call comes back in hexadecimal digits and must be what the specification says.
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
from typing import Any

from ...cases import Case, CaseError
from ...checkout import LabError, find_program, run
from ..arena import Arena, arenas, compare, expected
from ..rv32.harness import includes, linked_sections

HERE = Path(__file__).resolve().parent
# Without a C library a loop must not become a call of memcpy.
FLAGS = (
    "-std=gnu11",
    "-fno-tree-loop-distribute-patterns",
    "-ffunction-sections",
    "-fdata-sections",
)
REPEATED = 160  # as in harness.c
# Cycles of the interrupt in avr.S; simavr leaves out the four that a processor takes to respond.
OVERFLOW = 31
KEPT_ARM = (*(f"r{i}" for i in range(4, 12)), "sp")
KEPT_AVR = (
    *(f"r{i}" for i in range(2, 9)),
    "",
    *(f"r{i}" for i in range(9, 16)),
    "",
    *("r28", "r29", "r16", "r17", "r1, which must be zero", "sp"),
)


@dataclass(frozen=True)
class Target:
    """How programs for a machine are compiled; `tick`: instructions in a tick of the counter."""

    compiler: str
    package: str
    flags: tuple[str, ...]
    tick: float
    link: tuple[str, ...] = ()
    header: str = ""

    @property
    def avr(self) -> bool:
        """Whether it is an AVR."""
        return self.compiler.startswith("avr")


@dataclass(frozen=True)
class Figures:
    """What the counter said about the first call, without what the call itself takes; in bytes the
    stack, and the code and constants of the kernel.
    """

    count: int
    stack: int
    code: int
    constants: int


# Where avr-gcc passes parameters of two bytes, and the bytes of those that are longer.
AVR_PLACES = ("r24", "r22", "r20", "r18", "r16")


def _avr_words(case: Case, arguments: dict[str, str]) -> str:
    """The argument registers r16 to r25, two bytes each; a value fills those behind it with 0."""
    words = dict.fromkeys((16, 18, 20, 22, 24), "0")
    for place, text in arguments.items():
        by_number = re.fullmatch("a?([0-4])", place)
        register = AVR_PLACES[int(by_number[1])] if by_number else place
        if register not in AVR_PLACES:
            raise LabError(
                f"{case.kernel.name}: argument register {place!r} given, one of "
                f"{', '.join(AVR_PLACES)} expected for {case.kernel.isa}"
            )
        words[int(register[1:])] = text
    return ", ".join(words.values())


def _arm_words(case: Case, arguments: dict[str, str]) -> str:
    words = ["0"] * 8
    for place, text in arguments.items():
        if not re.fullmatch(r"r[0-3]|a?[0-5]", place):
            raise LabError(
                f"{case.kernel.name}: argument register {place!r} given, r0 to r3 expected for "
                f"{case.kernel.isa}"
            )
        words[int(place[-1])] = text
    return ", ".join(words)


def _assembly(case: Case, laid_out: list[Arena], avr: bool) -> str:
    """The calls and their arenas as assembly data."""
    size = max(len(memory.image) for memory in laid_out)
    lines = [
        "    .global lab_function, lab_calls, lab_call_count",
        "    .global lab_images, lab_image_bytes, lab_arena",
        '    .section .bss, "aw", @nobits' if avr else "    .bss",
        "    .balign 64",
        f"lab_arena: .zero {size}",
        "    .data" if avr else "    .section .rodata",
        "    .balign 4",
        f"lab_function: {'.short pm(' if avr else '.word ('}{case.symbol})",
        f"lab_call_count: .byte {len(laid_out)}",
        "    .balign 4",
        f"lab_image_bytes: .short {', '.join(str(len(memory.image)) for memory in laid_out)}",
        "    .balign 4",
        "lab_calls:",
    ]
    for call, memory in zip(case.calls, laid_out, strict=True):
        arguments = {
            register: str(argument)
            if isinstance(argument, int)
            else f"lab_arena + {memory.offsets[argument.name]}"
            for register, argument in call.arguments.items()
        }
        lines.append(
            f"    .short {_avr_words(case, arguments)}"
            if avr
            else f"    .word {_arm_words(case, arguments)}"
        )
    lines += ['    .section .progmem.data, "a"' if avr else "    .section .rodata", "lab_images:"]
    for memory in laid_out:
        lines += [
            f"    .byte {', '.join(map(str, memory.image[at : at + 16]))}"
            for at in range(0, len(memory.image), 16)
        ]
    return "\n".join(lines) + "\n"


@cache
def _objects() -> tempfile.TemporaryDirectory[str]:
    """Where this process keeps what it has compiled."""
    return tempfile.TemporaryDirectory(prefix="hanji-lab-objects-")


def _compiled(compiler: str, file: Path, options: Sequence[str]) -> Path:
    """The object of a source file, compiled once for each text and each set of options."""
    key = hashlib.sha256(repr((compiler, str(file), options)).encode() + file.read_bytes())
    ending = "-kernel.o" if file.parent != HERE else ".o"
    made = Path(_objects().name, key.hexdigest()[:32] + ending)
    if not made.exists():
        run([compiler, *options, "-c", file, "-o", made])
    return made


def build(case: Case, target: Target, directory: Path) -> Path:
    """Compile and link the measuring program of a case; the path of the program."""
    find_program(target.compiler, target.package, "a microcontroller")
    data, program = directory / "case.S", directory / "program.elf"
    data.write_text(_assembly(case, arenas(case), target.avr))
    flags = [*target.flags, *FLAGS]
    kernel = [*flags, *includes(case), *case.flags]
    objects = [_compiled(target.compiler, file, kernel) for file in case.files]
    own = [*flags, f"-DLAB_OVERFLOW={OVERFLOW}"]
    names = ("avr.S", "harness.c") if target.avr else ("cortexm.S", "harness.c")
    objects += [_compiled(target.compiler, HERE / name, own) for name in names]
    link = [f"-Wl,--gc-sections,-Map={program.with_suffix('.map')}", *target.link]
    if not target.avr:
        link += ["-nostdlib", "-nostartfiles", f"-T{HERE / 'cortexm.ld'}"]
    run([target.compiler, *flags, *link, data, *objects, "-lgcc", "-o", program])
    return program


def judge(case: Case, board: Any, output: bytes, link_map: str) -> Figures:
    """Read what the program sent; CaseError when the kernel did something wrong, LabError when the
    program did not end well.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", output.decode(errors="replace"))
    digits = bytes.fromhex(
        "".join(
            line
            for line in map(str.strip, re.split(r"[\r\n]|\.\n", text))
            if re.fullmatch(r"(?:[0-9a-f]{2})+\.?", line)
        ).replace(".", "")
    )
    laid_out = arenas(case)
    size = sum(8 + len(memory.image) for memory in laid_out) + 12
    if len(digits) != size:
        raise LabError(
            f"{case.kernel.name} on {board.name}: the program sent {len(digits)} bytes, {size} "
            f"expected; did the kernel crash or jump away? {text[-300:]!r}"
        )
    at, stack = 0, 0
    for number, memory in enumerate(laid_out):
        spoiled, used = struct.unpack_from("<II", digits, at)
        image = digits[at + 8 : at + 8 + len(memory.image)]
        at += 8 + len(memory.image)
        # The address that an AVR returns to is not the kernel's.
        stack = max(stack, used - 2 if board.target.avr else used)
        names = KEPT_AVR if board.target.avr else KEPT_ARM
        lost = [name for bit, name in enumerate(names) if spoiled >> bit & 1]
        if lost:
            raise CaseError(f"{case.kernel.name} on {board.name}: does not keep {', '.join(lost)}")
        compare(case, board.name, number, image, expected(case.calls[number], memory, 1))
    few, more, measured = struct.unpack_from("<III", digits, at)
    repeated = 1 if board.target.avr else REPEATED
    kept = linked_sections(link_map, r"-kernel\.o")
    return Figures(
        round((measured - (2 * few - more)) * board.target.tick / repeated),
        stack,
        kept["text"],
        kept["rodata"] + kept["data"],
    )
