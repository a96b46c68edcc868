# SPDX-License-Identifier: Apache-2.0
"""Machine code of Armv6-M, Armv7-M and Armv7E-M run on symbolic values, through SLEIGH's p-code.

What this adds to pcode.py:

- An address of code has bit 0 set where it is kept, and a jump to one without it is refused: the
  core has no other state.
- IT and what stands under it are one step. Conditions are decided here, on the flags where an
  instruction begins; SLEIGH never sees IT, and what it says of a short instruction that sets flags
  elsewhere holds but for the flags. A condition on data is refused, as a branch is.
- UADD16 keeps sums whole, and SEL is a choice: SLEIGH's are right, but take both apart.
- On Armv6-M every access is aligned. On Armv7-M loads and stores of several words are, others may
  lie anywhere (CCR.UNALIGN_TRP is zero, as after reset).
- Flags of addresses that nothing reads have no value instead of leaving the proof open.
- Instructions of coprocessors, floating point among them, leave the proof open.
- Low bits of addresses may be joined by OR, as one test of two alignments does: above them the
  result is a number of which nothing is known.

Constant time: branches, conditions and addresses, as everywhere, and the operands of UDIV, SDIV and
every multiplication: UMULL, SMULL, UMLAL and SMLAL of Cortex-M3 stop early, and small cores may
leave out the fast multiplier of the others. No kernel of ours multiplies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

from .graph import Bits, Graph
from .pcode import ISA, SCRATCH, Image, Machine, Node, OpenError, Operation, Region
from .values import Cond, Lin, RefusedError, Unreadable, Value, combined, made
from .words import folded

ARGUMENTS = ("r0", "r1", "r2", "r3")  # those behind are a4, a5 ..., on the stack
FLAGS = ("NG", "ZR", "CY", "OV")
SLOW = ("INT_DIV", "INT_SDIV", "INT_REM", "INT_SREM", "INT_MULT")
SPECIAL = {13, 15}  # sp and pc, which no arithmetic of Thumb may have
_ors = count()  # every OR of two addresses has a symbol of its own


def _mark(size: int) -> Operation:
    return ("IMARK", (("ram", 0, size),), None, "")


def _thumb(image: Image, word: int) -> list[Operation] | None:
    first, second = word & 0xFFFF, word >> 16

    def half(n: int, i: int) -> Node:
        return ("register", image.registers[f"r{n}"][1] + 2 * i, 2)

    if first & 0xFFF0 == 0xFA90 and second & 0xF0F0 == 0xF040:  # UADD16
        n, m, d = first & 15, second & 15, second >> 8 & 15
        if SPECIAL & {n, m, d}:
            return None
        work: list[Operation] = [_mark(4)]
        for i in (0, 1):
            total: Node = ("unique", 2 * i, 2)
            work.append(("INT_ADD", (half(n, i), half(m, i)), total, ""))
            for k in (1, 2):
                flag = image.registers[f"GE{2 * i + k}"]
                work.append(("INT_CARRY", (half(n, i), half(m, i)), flag, ""))
        return work + [("COPY", (("unique", 2 * i, 2),), half(d, i), "") for i in (0, 1)]
    if first & 0xFFF0 == 0xFAA0 and second & 0xF0F0 == 0xF080:  # SEL
        numbers = (first & 15, second & 15, second >> 8 & 15)
        if SPECIAL & set(numbers):
            return None
        a, b, c = (image.registers[f"r{k}"] for k in numbers)
        flags = [image.registers[f"GE{k}"] for k in range(1, 5)]
        return [_mark(4), ("CALLOTHER", (a, b, *flags), c, "select")]
    return None


def _isa(name: str, language: str, strict: bool) -> ISA:
    saved = tuple(f"r{i}" for i in range(4, 12))
    lost = ("r1", "r2", "r3", "r12", "lr", *FLAGS)
    held = (name, language, 32, saved, "lr", strict, SLOW, _thumb, 8, 4)
    general = (*(f"r{i}" for i in range(13)), "sp", "lr", *SCRATCH, "mult_addr")
    general += ("TB", "ISAModeSwitch", *(f"GE{i}" for i in range(1, 5)))
    return ISA(*held, passed=ARGUMENTS[:3], lost=lost, general=general, idle=("nop", "nop.w"))


CORTEX = "ARM:LE:32:Cortex"
ARMV6M = _isa("Armv6-M", CORTEX, True)
ARMV7M = _isa("Armv7-M", CORTEX, False)
ARMV7EM = _isa("Armv7E-M", CORTEX, False)
THUMB = {"armv6m": ARMV6M, "armv7m": ARMV7M, "armv7em": ARMV7EM}


def place_of(name: str) -> int:
    """The number of an argument, which a header calls r0 to r3, or a0, a1 and so on."""
    if name not in ARGUMENTS and not (name[0] == "a" and name[1:].isdecimal()):
        raise RefusedError(f"argument register {name!r} given, r0 to r3, a4, a5 ... expected")
    return int(name[1:])


class ThumbImage(Image):
    """A linked file of Thumb code."""

    def __init__(self, path: Path, isa: ISA) -> None:
        super().__init__(path, isa)
        self.symbols = {name: at & ~1 for name, at in self.symbols.items()}

    def machine(self, g: Graph, regions: Mapping[str, Region]) -> Machine:
        return ThumbMachine(g, self, regions)

    def code(self, pc: int) -> bytes | None:
        return self.fetched(pc, 4) or self.fetched(pc, 2)

    def half(self, pc: int) -> int:
        """The first half word of an instruction."""
        return int.from_bytes(self.fetched(pc, 2) or b"", "little")

    def length(self, pc: int) -> int:
        """The bytes of an instruction."""
        return 4 if self.half(pc) >> 11 in (0b11101, 0b11110, 0b11111) else 2

    def conditions(self, pc: int) -> list[int]:
        """What IT at an address asks for, one condition for each instruction; else nothing."""
        half = self.half(pc)
        mask = half & 15
        if half >> 8 != 0xBF or not mask:
            return []
        many = 4 - (mask & -mask).bit_length() + 1
        first = half >> 4 & 15
        return [first, *(first & 14 | mask >> (4 - i) & 1 for i in range(1, many))]


# The condition without its lowest bit, which inverts it.
CONDITIONS = {0: ("ZR",), 2: ("CY",), 4: ("NG",), 6: ("OV",), 8: ("CY", "ZR"), 10: ("NG", "OV")}
ALWAYS = 14


class ThumbMachine(Machine):
    """One run on a Cortex-M."""

    image: ThumbImage

    def called(self) -> None:
        super().called()
        self.set_register("lr", Lin(1, {"return": 1}))

    def argument(self, name: str, value: Value) -> None:
        place = place_of(name)
        if place < len(ARGUMENTS):
            super().argument(ARGUMENTS[place], value)
            return
        at = 4 * (place - len(ARGUMENTS))
        stack = self.regions["stack"]
        self.regions["stack"] = Region(
            stack.low, max(stack.high, at + 4), stack.access, stack.align
        )
        self.write("stack", at, value, 4)

    def _back(self) -> Value:
        back = super()._back()
        state = back & 1 if isinstance(back, int) else 0
        if isinstance(back, Lin) and all(f * self.alignment.get(s, 1) % 2 == 0 for s, f in back.t):
            state = back.c & 1
        if not state:
            raise RefusedError(f"the call of a function behind {self.pc:#x} leaves Thumb state")
        return self._behind(back, -1)

    # Steps

    def _step(self, pc: int) -> Value:
        self.alignment["return"] = 2
        conditions = self.image.conditions(pc)
        if not conditions:
            return self._one(pc)
        if self.isa is ARMV6M:
            raise OpenError(f"at {pc:#x} is IT, which {self.isa.name} does not have")
        self._counted(pc)
        at = pc + 2
        for i, condition in enumerate(conditions):
            behind = at + self.image.length(at)
            if self._holds(condition):
                following = self._one(at, True)
                if following != behind:
                    if i + 1 < len(conditions):
                        raise RefusedError(f"at {at:#x} is a jump that is not the last under IT")
                    return following
            at = behind
        return at

    def _one(self, pc: int, under: bool = False) -> Value:
        """One instruction; under IT short ones leave the flags alone."""
        half = self.image.half(pc)
        if self._unknown(pc, half):
            raise OpenError(f"at {pc:#x} is an instruction that {self.isa.name} does not have")
        several = half >> 9 == 0b1110100 or half >> 12 == 12 or half & 0xF600 == 0xB400
        self.strict = self.isa.strict or several
        kept = {}
        if under and self.image.length(pc) == 2 and not _compares(half):
            kept = {name: self._cells(self.image.registers[name]) for name in FLAGS}
        following = super()._step(pc)
        for name, cells in kept.items():
            space, at, _ = self.image.registers[name]
            self.spaces[space][at] = cells[0]
        return following

    def _unknown(self, pc: int, half: int) -> bool:
        """Whether an instruction is of another core, as far as SLEIGH knows it for this one."""
        if half & 0xFF00 == 0x4700 and half & 7:  # BXNS and BLXNS
            return True
        if half & 0xEC00 == 0xEC00:  # coprocessors: d8 to d15 are not looked at
            return True
        if self.isa is not ARMV6M:
            return False
        if half & 0xF500 == 0xB100:  # CBZ and CBNZ
            return True
        behind = self.image.half(pc + 2)  # long ones are BL and what programs leave to a system
        return self.image.length(pc) == 4 and (half >> 11 != 0b11110 or behind & 0xD000 != 0xD000)

    def _holds(self, condition: int) -> bool:
        if condition >= ALWAYS:
            return True
        inverted = bool(condition & 1)
        kind = condition & 14
        if kind == 12:  # greater, or not
            return (not self._flag("ZR") and self._flag("NG") == self._flag("OV")) != inverted
        flags = [self._flag(name) for name in CONDITIONS[kind]]
        if kind == 8:  # higher, or not
            return (flags[0] and not flags[1]) != inverted
        if kind == 10:
            return (flags[0] == flags[1]) != inverted
        return flags[0] != inverted

    def _flag(self, name: str) -> bool:
        return self._taken(self.register(name))

    # What SLEIGH leaves to its user

    def _user(self, name: str, inputs: Sequence[Node], out: Node | None) -> None:
        if name == "setISAMode":
            mode = self.register("ISAModeSwitch")
            if isinstance(mode, Cond):
                mode = int(mode.decide(self.bounds))
            if not isinstance(mode, int):
                raise RefusedError(f"the jump at {self.pc:#x} depends on data")
            if mode != 1:
                raise RefusedError(f"at {self.pc:#x} is a jump that leaves Thumb state")
            return
        if name == "select" and out is not None:
            a, b = (self.bits(self._input(node), 32) for node in inputs[:2])
            bits: Bits = ()
            for i, node in enumerate(inputs[2:]):
                flag = self.bits(self._input(node), 8)[0]
                at = slice(8 * i, 8 * i + 8)
                bits += tuple(self.g.choose(flag, x, y) for x, y in zip(a[at], b[at], strict=True))
            self.write(out[0], out[1], folded(bits), out[2])
            return
        super()._user(name, inputs, out)

    # Addresses

    def _alu(self, name: str, values: list[Value], widths: list[int], out: int) -> Value:
        if name in ("BOOL_AND", "BOOL_OR"):  # of a flag and a number
            for x, y in (values, values[::-1]):
                if isinstance(x, int):
                    return x & 1 if (x & 1) == (name == "BOOL_OR") else y
        for value in values:
            if isinstance(value, Unreadable):
                return value
        return super()._alu(name, values, widths, out)

    def _linear(self, name: str, values: list[Value], width: int, out: int) -> Value:
        x = values[0]
        y = values[1] if len(values) > 1 else 0
        if name == "INT_AND" and isinstance(x, Lin) and isinstance(y, int):
            step = (~y & (1 << width) - 1) + 1  # where y clears the bits below it
            if step & step - 1 == 0 and self._multiple(x) % step == 0:
                return combined(x, -(x.c % step), 1, width)
        if name == "INT_OR" and isinstance(x, Lin) and isinstance(y, Lin):
            step = min(self._multiple(x), self._multiple(y))
            symbol = f"or {next(_ors)}"
            self.alignment[symbol] = step
            return Lin((x.c | y.c) % step, {symbol: 1})
        try:
            found = super()._linear(name, values, width, out)
        except OpenError as problem:
            return Unreadable(str(problem).partition(": ")[2])
        if name == "INT_LEFT" and isinstance(found, Lin):
            whole = {s for s, f in found.t if f * self.alignment.get(s, 1) % (1 << width) == 0}
            return made(found.c, {s: f for s, f in found.t if s not in whole}, width)
        return found

    def _multiple(self, x: Lin) -> int:
        """A power of two of which what the symbols of an expression add is a multiple."""
        least = 1 << self.isa.width
        for symbol, factor in x.t:
            step = factor * self.alignment.get(symbol, 1)
            least = min(least, step & -step)
        return least


def _compares(half: int) -> bool:
    """Whether a short instruction sets flags, under IT, too: CMP, CMN and TST."""
    return half >> 11 == 5 or half >> 8 == 0x45 or half >> 6 in (0x108, 0x10A, 0x10B)
