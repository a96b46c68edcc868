# SPDX-License-Identifier: Apache-2.0
"""The rules for AVR against simavr, as lifter.py does it with unicorn, which has no AVR.

One program runs all instructions on random states: it loads registers, flags and the stack pointer,
does the instruction, and writes down what they are behind it, with a page of memory and whether the
instruction went on or jumped. Jumps and branches get the offset that skips one word, long ones the
place behind it. Flags are C, Z, N, T and I, which the rules have.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..checkout import find_program, run
from .avr import (
    FAR,
    FLAGS,
    NAMED,
    PATTERNS,
    POINTERS,
    PORTS,
    SREG,
    STATUS,
    AvrImage,
    AvrMachine,
    Status,
    decoded,
)
from .graph import Graph
from .lifter import Finding
from .pcode import Cell, OpenError, in_file
from .values import Lin, RefusedError, Value

DATA, PAGE = 0x240, 0x80
POINTED = (0x240, 0x248)  # where pointers begin, so that they and 63 bytes are in the page
STACKED = (0x298, 0x2B8)
BITS = {name: STATUS[at] for name, at in FLAGS.items()}  # of SREG
TARGET = "atmega328p"
MOST = 240  # tests in one program
SECONDS = 600  # after which the simulator is taken to hang

HEAD = """
    .section .text
    .global _start
_start:
    clr r1
    ldi r16, 0
    sts 0xc5, r16
    ldi r16, 0
    sts 0xc4, r16
    ldi r16, 0x02
    sts 0xc0, r16
    ldi r16, 0x08
    sts 0xc1, r16
    ldi r16, 0x06
    sts 0xc2, r16
    ldi r16, lo8(tests)
    sts 0x310, r16
    ldi r16, hi8(tests)
    sts 0x311, r16
next:
    ldi r16, 0xff
    out 0x3d, r16
    ldi r16, 0x08
    out 0x3e, r16
    lds r30, 0x310
    lds r31, 0x311
    lpm r24, Z+
    lpm r25, Z+
    sts 0x310, r30
    sts 0x311, r31
    movw r30, r24
    ijmp
ended:
    ldi r16, 1
    sts 0x53, r16
    cli
    sleep
// Registers but for Z from the flash at Z, behind the page of memory.
setup:
    ldi r26, lo8(0x240)
    ldi r27, hi8(0x240)
    ldi r24, 0x80
    movw r22, r30
    ldi r30, lo8(page)
    ldi r31, hi8(page)
1:
    lpm r0, Z+
    st X+, r0
    dec r24
    brne 1b
    movw r30, r22
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    lpm r\\i, Z+
    .endr
    .irp i, 25, 26, 27, 28, 29
    lpm r\\i, Z+
    .endr
    ret
dump: // r16 is the marker, r16 and SREG are at 0x300 and 0x301
    sts 0x302, r16
    lds r16, 0x300
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    sts 0x2c0 + \\i, r\\i
    .endr
    .irp i, 25, 26, 27, 28, 29, 30, 31
    sts 0x2c0 + \\i, r\\i
    .endr
    lds r16, 0x301
    sts 0x2e0, r16
    lds r16, 0x302
    sts 0x2e1, r16
    in r16, 0x3d
    sts 0x2e2, r16
    in r16, 0x3e
    sts 0x2e3, r16
    ldi r16, 0xff
    out 0x3d, r16
    ldi r16, 0x08
    out 0x3e, r16
    ldi r30, lo8(0x240)
    ldi r31, hi8(0x240)
    ldi r19, 0
2:
    ldi r17, '<'
    call put
    ldi r18, 41
3:
    ld r16, Z+
    mov r17, r16
    swap r17
    call nibble
    mov r17, r16
    call nibble
    dec r18
    brne 3b
    ldi r17, '>'
    call put
    ldi r17, 10
    call put
    inc r19
    cpi r19, 4
    brne 2b
    jmp next
nibble:
    andi r17, 15
    subi r17, -65
put:
    lds r20, 0xc0
    sbrs r20, 5
    rjmp put
    sts 0xc6, r17
    ret
"""
LINES = 4  # of a test: 41 bytes each


@dataclass(frozen=True)
class Test:
    """An instruction on a state."""

    word: int
    name: str
    registers: bytes
    flags: dict[str, int]
    sp: int


class FlatAvr(AvrMachine):
    """A machine whose addresses are numbers, over one page of memory."""

    memory: bytearray

    def value(self, cell: Cell) -> Value:
        """A byte, of a return address, too."""
        return super().value((in_file(cell[0]), *cell[1:]))

    def concrete(self, value: Value) -> int:
        """The byte that a value has in run 0."""
        if isinstance(value, int):
            return value & 255
        if isinstance(value, Status):
            cells = value.cells.items()
            return sum(self.concrete(self.value(cell)) << STATUS[at] for at, cell in cells)
        return self.g.first(self.bits(value, 8))

    def address(self, at: int) -> int | Lin:
        return sum(self.concrete(self.value(self.cell(at + i))) << 8 * i for i in (0, 1))

    def _flat(self, address: int | Lin) -> int:
        if not isinstance(address, int) or not DATA <= address < DATA + PAGE:
            raise OpenError(f"{address} is no address of the test")
        return address - DATA

    def fetch(self, address: int | Lin) -> Cell:
        return (self.memory[self._flat(address)], 0, 1)

    def keep(self, address: int | Lin, cell: Cell) -> None:
        self.memory[self._flat(address)] = self.concrete(self.value(cell))


def _word_of(word: int) -> int:
    """An instruction whose offset skips one word."""
    one = decoded(word)
    if one is not None and one.name in ("rjmp", "rcall"):
        return word & 0xF000 | 1
    if one is not None and one.name in ("brbs", "brbc"):
        return word & ~(0x7F << 3) | 1 << 3
    return word


class AvrJudge:
    """Compares instructions of AVR with what simavr makes of them."""

    machine: type[FlatAvr] = FlatAvr

    def __init__(self, directory: Path, rounds: int = 4, seed: int = 1) -> None:
        self.directory, self.rounds = directory, rounds
        self.random = random.Random(seed)
        self.page = self.random.randbytes(PAGE)

    def judge(self, words: Mapping[int, str]) -> list[Finding]:
        """What the rules and simavr do not agree on."""
        tests = [
            self._test(_word_of(word), name) for word, name in words.items()
            for _ in range(self.rounds)
        ]  # fmt: skip
        found = []
        for at in range(0, len(tests), MOST):
            found += self._judged(tests[at : at + MOST])
        return found

    def _test(self, word: int, name: str) -> Test:
        draw = self.random
        registers = bytearray(draw.randbytes(32))
        for i in range(32):
            if draw.random() < 0.2:
                registers[i] = draw.choice((0, 1, 127, 128, 255))
        one = decoded(word)
        if one is not None and one.d != one.r and draw.random() < 0.3:  # equal operands, too
            registers[one.d] = registers[one.r]
        flags = {flag: draw.randrange(2) for flag in BITS}
        if one is not None and one.name in ("subi", "sbci", "cpi") and draw.random() < 0.3:
            registers[one.d] = one.k + flags["C"] * (one.name == "sbci") & 255  # zero comes out
        for register in (26, 28, 30):
            low, high = (0x100, 0x200) if name.startswith("lpm") else POINTED
            # one further, for what moves back before it accesses
            registers[register : register + 2] = (draw.randrange(low, high) + 1).to_bytes(
                2, "little"
            )
        return Test(word, name, bytes(registers), flags, draw.randrange(*STACKED))

    def _judged(self, tests: Sequence[Test]) -> list[Finding]:
        image, rows = self._run(tests)
        found = []
        for i, (test, row) in enumerate(zip(tests, rows, strict=True)):
            for symbolic in (False, True):
                said = self._wrong(image, i, test, row, symbolic)
                if said:
                    found.append(Finding(test.name, test.word, said))
                    break
        return found

    def _memory(self, image: AvrImage, i: int, test: Test) -> bytearray:
        """The page before the instruction: a return finds its address."""
        memory = bytearray(self.page)
        target = image.symbols[f"taken_{i}"] // 2
        memory[test.sp + 1 - DATA : test.sp + 3 - DATA] = target.to_bytes(2, "big")
        return memory

    def _run(self, tests: Sequence[Test]) -> tuple[AvrImage, list[bytes]]:
        """The program of the tests, and what simavr writes down for each."""
        text = [HEAD]
        for i, test in enumerate(tests):
            sreg = sum(test.flags[flag] << bit for flag, bit in BITS.items())
            text.append(
                f"test_{i}:\n"
                f"    ldi r30, lo8(state_{i})\n    ldi r31, hi8(state_{i})\n    call setup\n"
                f"    ldi r30, hi8(pm(taken_{i}))\n    sts {test.sp + 1}, r30\n"
                f"    ldi r30, lo8(pm(taken_{i}))\n    sts {test.sp + 2}, r30\n"
                f"    ldi r30, {test.sp & 255}\n    out 0x3d, r30\n"
                f"    ldi r30, {test.sp >> 8}\n    out 0x3e, r30\n"
                f"    ldi r30, {sreg}\n    out 0x3f, r30\n"
                f"    ldi r30, {test.registers[30]}\n    ldi r31, {test.registers[31]}\n"
                f"at_{i}:\n    .word {test.word & 0xFFFF:#x}\n"
                f"{f'    .word pm(taken_{i})' if test.word & 0xFE0E in FAR else ''}\n"
                f"behind_{i}:\n    rjmp fell_{i}\n"
                f"taken_{i}:\n{_noted(1)}fell_{i}:\n{_noted(0)}"
            )
        text.append("tests:\n" + "".join(f"    .word pm(test_{i})\n" for i in range(len(tests))))
        text.append("    .word pm(ended)\n")
        text.append(f"page:\n    .byte {', '.join(map(str, self.page))}\n")
        for i, test in enumerate(tests):
            text.append(f"state_{i}:\n    .byte {', '.join(map(str, test.registers[:30]))}\n")
        source, program = self.directory / "judge.S", self.directory / "judge.elf"
        source.write_text("".join(text))
        find_program("avr-gcc", "gcc-avr", "the judge")
        simavr = find_program("simavr", "simavr", "the judge")
        run(["avr-gcc", f"-mmcu={TARGET}", "-nostartfiles", "-nostdlib", source, "-o", program])
        done = subprocess.run(
            [simavr, "-m", TARGET, "-f", "16000000", program],
            capture_output=True, text=True, check=False, timeout=SECONDS, errors="replace",
        )  # fmt: skip
        lines = re.findall(r"<([A-P]{82})>", done.stdout + done.stderr)
        if len(lines) != LINES * len(tests):
            raise OpenError(f"simavr wrote {len(lines)} lines, {LINES * len(tests)} expected")
        rows = [
            bytes.fromhex("".join(f"{ord(c) - 65:x}" for c in "".join(lines[at : at + LINES])))
            for at in range(0, len(lines), LINES)
        ]
        return AvrImage(program), rows

    def _wrong(self, image: AvrImage, i: int, test: Test, row: bytes, symbolic: bool) -> str | None:
        """What differs."""
        g = Graph()
        m = self.machine(g, image, {})
        m.memory = self._memory(image, i, test)

        def held(name: str, value: int, width: int) -> Value:
            if not symbolic:
                return value
            return tuple(
                g.input(name, k, self.random.getrandbits(60) << 1 | value >> k & 1)
                for k in range(width)
            )

        for k, value in enumerate(test.registers):
            m.put(k, held(f"r{k}", value, 8))
        for flag, value in test.flags.items():
            bit = held(flag, value, 1)
            m.put(FLAGS[flag], (*bit, *(0,) * 7) if isinstance(bit, tuple) else bit)
        m.set_register("sp", test.sp)
        try:
            following = m.step(image.symbols[f"at_{i}"])
        except (RefusedError, OpenError) as problem:
            return None if symbolic else str(problem)
        kind = "symbolic" if symbolic else "on numbers"
        for k in range(32):
            if m.concrete(m.value(m.cell(k))) != row[PAGE + k]:
                return f"r{k} differs, {kind}"
        for flag, bit in BITS.items():
            if m.concrete(m.value(m.cell(FLAGS[flag]))) & 1 != row[PAGE + 32] >> bit & 1:
                return f"{flag} differs, {kind}"
        place = "taken" if row[PAGE + 33] else "behind"
        if following != image.symbols[f"{place}_{i}"]:
            return f"the next address differs, {kind}"
        sp = sum(m.concrete(m.value(m.cell(at))) << 8 * i for i, at in enumerate(PORTS.values()))
        if sp != int.from_bytes(row[PAGE + 34 : PAGE + 36], "little"):
            return f"the stack pointer differs, {kind}"
        if bytes(m.memory) != row[:PAGE]:
            return f"memory differs, {kind}"
        return None


def _noted(marker: int) -> str:
    return (
        "    sts 0x300, r16\n    in r16, 0x3f\n    sts 0x301, r16\n"
        f"    ldi r16, {marker}\n    jmp dump\n"
    )


def drawn(source: random.Random, of_each: int) -> dict[int, str]:
    """Some words of every instruction that has a rule, with any operands that make sense."""
    found: dict[int, str] = {}
    for name, pattern in PATTERNS.items():
        done = 0
        while done < of_each:
            word = int("".join(c if c in "01" else source.choice("01") for c in pattern), 2)
            one = decoded(word)
            moves = name[-1] == "+" or " -" in name
            if one is None or one.name != name or (moves and one.d >= POINTERS["X"]):
                continue
            if name in ("brbs", "brbc") and one.b not in NAMED:
                continue
            if name in ("in", "out") and one.k not in (*PORTS, SREG):
                continue
            found[word] = one.mnemonic
            done += 1
    return found | FAR
