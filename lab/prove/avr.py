# SPDX-License-Identifier: Apache-2.0
"""Machine code of AVR (ATmega with 16 bits of PC) run on symbolic values.

The rules are ours: pointers and counts lie in pairs of byte registers, whose halves p-code would
take apart, and SLEIGH's ADC takes V from the new carry. An instruction without a rule leaves the
proof open. What is special:

- A byte of an address or count is a half of its expression. SUBI and SBCI, CPI and CPC, ADD and ADC
  with numbers work on both halves: the carry between them names the expression that it is of. Two
  halves are one expression again where they differ by a multiple of 256 in the lower one.
- Sums of bytes with carries are one sum of words that nothing has read, until something reads it:
  so x + y + y and its top bit is x + rotl(y, 1), as elsewhere.
- Flags are C, Z, N and T. Nothing reads H, V and S, and there are no branches on them.
- The stack pointer is the address below the last byte. The return address lies on the stack, its
  high byte first, in words of two bytes. PUSH, POP, RCALL, CALL and RET use the stack at the
  pointer, and compilers move it by OUT; nothing below it is accessed. Interrupts would write there:
  while its halves are not those of one address, they must be off, but for the one instruction
  behind that which lets them come.
- SREG in a register is a copy of C, Z, N, T and I alone. At its end a function has interrupts on or
  off as they were when it was called: CLI needs a copy of SREG that is written back.
- LPM reads constants at numbers, which lie in flash; a data address that is a number is refused, as
  kernels use no I/O registers and no variables of their own. RAMPX, RAMPY and RAMPZ do not exist.
- A function gives back r2 to r17, r28 and r29 and leaves zero in r1, where it finds zero.

Constant time: branches, skips and addresses; all else takes the same number of cycles for all
operands on these cores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .elf import Elf
from .graph import Bits, Graph
from .pcode import (
    FILE,
    FILE_PLACE,
    GONE,
    ISA,
    STACK,
    Cell,
    Image,
    Machine,
    OpenError,
    Operation,
    Region,
    _equal,
    in_file,
    nowhere,
)
from .values import LAZY, Cond, Flag, Lin, RefusedError, Unreadable, Value, combined
from .words import Sum, and_, carry_out, folded, not_, number_bits, or_, ripple, xor

PLACES = ("r24", "r22", "r20", "r18", "r16")  # of arguments of two bytes each
ARGUMENTS = PLACES[:4]
SP, C, Z, N, T, ON = 32, 34, 35, 36, 37, 38
FLAGS = {"C": C, "Z": Z, "N": N, "T": T, "I": ON}
STATUS = {C: 0, Z: 1, N: 2, T: 6, ON: 7}  # bits of SREG that the rules have
SREG = 0x3F
PORTS = {0x3D: SP, 0x3E: SP + 1}
BITS = {0: C, 1: Z, 2: N, 6: T}  # of SREG
NAMED = {0: ("brcs", "brcc"), 1: ("breq", "brne"), 2: ("brmi", "brpl"), 6: ("brts", "brtc")}
POINTERS = {"X": 26, "Y": 28, "Z": 30}
OF_TABLES = (9, 10)  # relocations LO8_LDI_NEG and HI8_LDI_NEG
WIDTH = 16

# Patterns of words: d, r, k, q, b, s are bits of operands.
PATTERNS = {
    "nop": "0000000000000000",
    "cli": "1001010011111000",
    "in": "10110qqdddddqqqq",
    "out": "10111qqdddddqqqq",
    "movw": "00000001ddddrrrr",
    "cpc": "000001rdddddrrrr",
    "sbc": "000010rdddddrrrr",
    "add": "000011rdddddrrrr",
    "cpse": "000100rdddddrrrr",
    "cp": "000101rdddddrrrr",
    "sub": "000110rdddddrrrr",
    "adc": "000111rdddddrrrr",
    "and": "001000rdddddrrrr",
    "eor": "001001rdddddrrrr",
    "or": "001010rdddddrrrr",
    "mov": "001011rdddddrrrr",
    "cpi": "0011kkkkddddkkkk",
    "sbci": "0100kkkkddddkkkk",
    "subi": "0101kkkkddddkkkk",
    "ori": "0110kkkkddddkkkk",
    "andi": "0111kkkkddddkkkk",
    "ldd Z": "10q0qq0ddddd0qqq",
    "ldd Y": "10q0qq0ddddd1qqq",
    "std Z": "10q0qq1ddddd0qqq",
    "std Y": "10q0qq1ddddd1qqq",
    "ld Z+": "1001000ddddd0001",
    "ld -Z": "1001000ddddd0010",
    "lpm": "1001000ddddd0100",
    "lpm Z+": "1001000ddddd0101",
    "ld Y+": "1001000ddddd1001",
    "ld -Y": "1001000ddddd1010",
    "ld X": "1001000ddddd1100",
    "ld X+": "1001000ddddd1101",
    "ld -X": "1001000ddddd1110",
    "pop": "1001000ddddd1111",
    "st Z+": "1001001ddddd0001",
    "st -Z": "1001001ddddd0010",
    "st Y+": "1001001ddddd1001",
    "st -Y": "1001001ddddd1010",
    "st X": "1001001ddddd1100",
    "st X+": "1001001ddddd1101",
    "st -X": "1001001ddddd1110",
    "push": "1001001ddddd1111",
    "com": "1001010ddddd0000",
    "neg": "1001010ddddd0001",
    "swap": "1001010ddddd0010",
    "inc": "1001010ddddd0011",
    "asr": "1001010ddddd0101",
    "lsr": "1001010ddddd0110",
    "ror": "1001010ddddd0111",
    "dec": "1001010ddddd1010",
    "ret": "1001010100001000",
    "adiw": "10010110kkddkkkk",
    "sbiw": "10010111kkddkkkk",
    "rjmp": "1100kkkkkkkkkkkk",
    "rcall": "1101kkkkkkkkkkkk",
    "ldi": "1110kkkkddddkkkk",
    "brbs": "111100kkkkkkksss",
    "brbc": "111101kkkkkkksss",
    "bld": "1111100ddddd0bbb",
    "bst": "1111101ddddd0bbb",
    "sbrc": "1111110ddddd0bbb",
    "sbrs": "1111111ddddd0bbb",
}
LONG = ("1001010kkkkk11xk", "100100xddddd0000")  # CALL and JMP, LDS and STS: two words
FAR = {0x940E: "call", 0x940C: "jmp"}
JUMPS = ("rjmp", "rcall", "jmp", "call", "brbs", "brbc", "ret", "cpse", "sbrc", "sbrs")


@dataclass(frozen=True)
class Instruction:
    """A decoded word: its name, its operands by letter."""

    name: str
    d: int = 0
    r: int = 0
    k: int = 0
    b: int = 0

    @property
    def mnemonic(self) -> str:
        """What it is called, with the flag of a branch and the kind of an access."""
        if self.name in ("brbs", "brbc"):
            return NAMED.get(self.b, (self.name,) * 2)[self.name == "brbc"]
        return self.name.lower()


def _compiled() -> list[tuple[str, int, int, dict[str, list[int]]]]:
    made = []
    for name, pattern in PATTERNS.items():
        mask = int("".join("1" if c in "01" else "0" for c in pattern), 2)
        value = int("".join(c if c in "01" else "0" for c in pattern), 2)
        fields: dict[str, list[int]] = {}
        for i, c in enumerate(pattern):
            if c not in "01":
                fields.setdefault(c, []).append(15 - i)
        made.append((name, mask, value, fields))
    return sorted(made, key=lambda one: -one[1].bit_count())


TABLE = _compiled()


def decoded(word: int) -> Instruction | None:
    """The instruction of a word, or None; a long one has its second word above the first."""
    if far := FAR.get(word & 0xFE0E):
        return Instruction(far, k=(word >> 3 & 0x3E | word & 1) << 16 | word >> 16)
    for name, mask, value, fields in TABLE:
        if word & mask != value:
            continue
        f = {}
        for letter, places in fields.items():
            number = 0
            for place in places:
                number = number << 1 | word >> place & 1
            f[letter] = number
        d, r, k = f.get("d", 0), f.get("r", 0), f.get("k", f.get("q", 0))
        if name == "movw":
            d, r = 2 * d, 2 * r
        elif name in ("adiw", "sbiw"):
            d = 24 + 2 * d
        elif name in ("cpi", "sbci", "subi", "ori", "andi", "ldi"):
            d += 16
        elif name in ("rjmp", "rcall", "brbs", "brbc"):
            size = len(fields["k"])
            k = (k ^ 1 << size - 1) - (1 << size - 1)
        return Instruction(name, d, r, k, f.get("b", f.get("s", 0)))
    return None


AVR = ISA(
    "AVR",
    "",
    WIDTH,
    (*(f"r{i}" for i in range(2, 18)), "r28", "r29"),
    "return address",
    False,
    (),
    lambda image, word: None,
    1,
    1,
)


class AvrImage(Image):
    """A linked file for AVR."""

    def __init__(self, path: Path, isa: ISA = AVR) -> None:
        data = path.read_bytes()
        self.isa = isa
        self.digest = hashlib.sha256(data).hexdigest()
        self.registers = {f"r{i}": ("register", i, 1) for i in range(32)}
        self.registers |= {"sp": ("register", SP, 2)}
        self.registers |= {name: ("register", at, 1) for name, at in FLAGS.items()}
        file = Elf(data)
        self.read_from(file)
        self._translated = {}
        self.names = {}

    def machine(self, g: Graph, regions: Mapping[str, Region]) -> Machine:
        return AvrMachine(g, self, regions)

    def code(self, pc: int) -> bytes | None:
        return self.fetched(pc, 2)

    def word(self, pc: int) -> int:
        """The word at an address."""
        code = self.code(pc)
        if code is None or pc % 2:
            raise RefusedError(nowhere(pc))
        return int.from_bytes(code, "little")

    def length(self, pc: int) -> int:
        word = f"{self.word(pc):016b}"
        long = any(
            all(p not in "01" or p == w for p, w in zip(pattern, word, strict=True))
            for pattern in LONG
        )
        return 4 if long else 2

    def _decoded(self, pc: int) -> Instruction | None:
        word = self.word(pc)
        if word & 0xFE0E in FAR:
            word |= self.word(pc + 2) << 16
        return decoded(word)

    def instruction(self, pc: int) -> Instruction:
        """The instruction at an address."""
        made = self._decoded(pc)
        if made is None:
            raise OpenError(f"at {pc:#x} is an instruction that has no rule")
        return made

    def mnemonic(self, pc: int) -> str:
        return self.instruction(pc).mnemonic

    def shown(self, pc: int) -> str:
        """The instruction at an address as text."""
        one = self._decoded(pc)
        return f"{one.mnemonic} r{one.d},r{one.r},{one.k},{one.b}" if one else "none"

    def operations(self, pc: int) -> list[Operation]:
        """Where an instruction may go, as p-code says it."""
        one = self.instruction(pc)
        if one.name in ("rjmp", "rcall", "brbs", "brbc"):
            name = {"rjmp": "BRANCH", "rcall": "CALL"}.get(one.name, "CBRANCH")
            return [(name, (("ram", pc + 2 + 2 * one.k, 2),), None, "")]
        if one.name in FAR.values():
            name = "CALL" if one.name == "call" else "BRANCH"
            return [(name, (("ram", 2 * one.k, 2),), None, "")]
        if one.name in ("cpse", "sbrc", "sbrs"):
            following = pc + 2 + self.length(pc + 2)
            return [("CBRANCH", (("ram", following, 2),), None, "")]
        return [("RETURN", (), None, "")] if one.name == "ret" else []


class Interrupts(Unreadable):
    """The flag I as it was where the function was called; a copy of SREG brings it back."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("whether interrupts are on is read")


AT_CALL = Interrupts()


class Status(Unreadable):
    """A copy of SREG: the flags that it had."""

    __slots__ = ("cells",)

    def __init__(self, cells: Mapping[int, Cell]) -> None:
        super().__init__("a copy of SREG is read")
        self.cells = cells


class Half(Unreadable):
    """A flag behind the lower half of an expression: of lin + sign * low, in the lower byte."""

    __slots__ = ("lin", "low", "sign")

    def __init__(self, lin: Lin, low: int | Lin, sign: int) -> None:
        super().__init__(f"a flag of the lower half of {lin} is read")
        self.lin, self.low, self.sign = lin, low, sign


class Chain:
    """A sum of bytes with carries, the lowest first, that grows until something reads it, or adds
    one of its bytes: so no sum hangs on itself.
    """

    def __init__(self, g: Graph, carry: int) -> None:
        self.g, self.carry = g, carry
        self.closed = False
        self.pairs: list[tuple[Value, Value]] = []
        self.read: Bits | None = None

    def add(self, a: Value, b: Value) -> tuple[Byte, Carry]:
        """The next byte, and the carry out of it."""
        self.pairs.append((a, b))
        return Byte(self, len(self.pairs) - 1), Carry(self, len(self.pairs))

    def terms(self) -> list[Bits]:
        """The words of the sum."""
        found = []
        for side in (0, 1):
            held = [pair[side] for pair in self.pairs]
            first = held[0]
            chain = first.chain if isinstance(first, Byte) else None
            whole = chain is not None and chain.read is None and len(chain.pairs) == len(held)
            if whole and all(
                isinstance(x, Byte) and (x.chain, x.i) == (chain, i) for i, x in enumerate(held)
            ):
                assert chain is not None
                found += chain.terms()
            else:
                found.append(tuple(bit for x in held for bit in byte_bits(x)))
        if self.carry:
            found.append((self.carry, *(0,) * (8 * len(self.pairs) - 1)))
        return found

    def byte(self, i: int) -> Bits:
        """A byte of the sum."""
        if self.read is None:
            self.closed = True
            self.read = Sum(self.g, self.terms()).bits()
        return self.read[8 * i : 8 * i + 8]

    def carry_of(self, n: int) -> int:
        """The carry out of the first bytes."""
        a, b = (
            tuple(bit for pair in self.pairs[:n] for bit in byte_bits(pair[side]))
            for side in (0, 1)
        )
        return carry_out(self.g, a, b, self.carry)


class Byte(Flag):
    """A byte of a sum."""

    __slots__ = ("chain", "i")

    def __init__(self, chain: Chain, i: int) -> None:
        super().__init__(lambda: chain.byte(i))
        self.chain, self.i = chain, i


class Carry(Flag):
    """The carry of the first bytes of a sum."""

    __slots__ = ("chain", "n")

    def __init__(self, chain: Chain, n: int) -> None:
        super().__init__(lambda: (chain.carry_of(n), *(0,) * 7))
        self.chain, self.n = chain, n


def byte_bits(value: Value) -> Bits:
    """A byte of data."""
    if isinstance(value, LAZY):
        value = value.bits()
    if isinstance(value, int):
        return number_bits(value, 8)
    assert isinstance(value, tuple)
    return value


class AvrMachine(Machine):
    """One run on an AVR."""

    image: AvrImage
    torn = False  # whether the stack pointer is no address
    shaded = False  # whether an instruction has run behind which no interrupt comes

    def called(self) -> None:
        stack = self.regions["stack"]
        self.regions["stack"] = Region(stack.low - 1, 1, stack.access, 1)
        self.write("register", SP, Lin(-2, {"stack": 1}), 2)
        back = Lin(0, {"return": 1})
        self.spaces.setdefault("stack", {}).update({-1: (back, 1, 2), 0: (back, 0, 2)})
        self.set_register("r1", 0)
        self.put(ON, AT_CALL)

    def argument(self, name: str, value: Value) -> None:
        if name[0] == "a" and name[1:] in "01234":
            name = PLACES[int(name[1:])]
        if name not in PLACES:
            expected = f"{', '.join(PLACES)} expected"
            raise RefusedError(f"argument register {name!r} given, one of {expected}")
        self.write("register", int(name[1:]), value, 2)

    # Bytes and pairs

    def cell(self, at: int) -> Cell:
        """What a byte register or a flag holds."""
        return self._cells(("register", at, 1))[0]

    def value(self, cell: Cell) -> Value:
        """A byte that is none of an address or count."""
        held, i, size = cell
        if isinstance(held, int):
            return held >> 8 * i & 255
        if isinstance(held, Lin):
            raise OpenError(f"at {self.pc:#x} a half of the address or count {held} is used alone")
        return held if size == 1 else self.bits(held, 8 * size)[8 * i : 8 * i + 8]

    def put(self, at: int, value: Value) -> None:
        """Give a byte register or a flag a value."""
        self.spaces["register"][at] = (value, 0, 1)

    def pair(self, at: int) -> int | Lin | None:
        """The number, address or count of two registers; None where they hold data."""
        low, high = self.cell(at), self.cell(at + 1)
        if isinstance(low[0], int) and isinstance(high[0], int):
            return low[0] >> 8 * low[1] & 255 | (high[0] >> 8 * high[1] & 255) << 8
        if isinstance(low[0], Lin) and isinstance(high[0], Lin):
            gap = combined(high[0], low[0], -1, WIDTH)
            if (low[1:], high[1:]) == ((0, 2), (1, 2)) and isinstance(gap, int) and gap % 256 == 0:
                return high[0]
        if isinstance(low[0], Lin) or isinstance(high[0], Lin):
            raise OpenError(f"at {self.pc:#x}: r{at} and r{at + 1} are no halves of one address")
        return None

    def address(self, at: int) -> int | Lin:
        """The address in a pair."""
        found = self.pair(at)
        if found is None:
            raise RefusedError(f"the access at {self.pc:#x}: its address depends on data")
        return found

    def _byte_at(self, address: int | Lin, what: str) -> tuple[str, int]:
        name, at = self._place(address, 1, what)
        if not name:
            raise RefusedError(f"the {what} at {self.pc:#x} is at {at:#x}, a fixed address")
        return name, at

    def fetch(self, address: int | Lin) -> Cell:
        """The byte at a data address."""
        name, at = self._byte_at(address, "load")
        return self._cells((name, at, 1))[0] if name in self.spaces else self._missing_in(name, at)

    def _missing_in(self, name: str, at: int) -> Cell:
        return (self._missing(name, at), 0, 1)

    def keep(self, address: int | Lin, cell: Cell) -> None:
        """Store a byte."""
        name, at = self._byte_at(address, "store")
        self.stores.append((name, at, 1))
        self.spaces.setdefault(name, {})[at] = cell

    # Steps

    def _interrupts(self) -> Cell:
        """The flag I. A proof that begins at a loop says nothing of it: `run` has seen to it that
        it is as at the call where a loop begins.
        """
        return self.spaces["register"].get(ON, (AT_CALL, 0, 1))

    def run(self, pc: int, until: Callable[[int], bool]) -> int | None:
        end = super().run(pc, until)
        self._given_back("where a loop begins or the function ends")
        return end

    def _given_back(self, where: str) -> None:
        if not isinstance(self._interrupts()[0], Interrupts):
            raise RefusedError(
                f"behind {self.pc:#x}, {where}, interrupts are not on or off as at the call"
            )

    def step(self, pc: int) -> Value:
        if self.elsewhere(pc):
            return self._library(self.image.library[pc])
        self._counted(pc)
        one = self.image.instruction(pc)
        kind = self.image.filled.get(pc)
        if kind in OF_TABLES and not self._of_table(pc, kind):
            raise RefusedError(f"at {pc:#x} a byte of an address in the file is used as a number")
        self.deepest = None
        if self.torn and not self.shaded and self._interrupts()[0] != 0:
            raise RefusedError(f"at {pc:#x} an interrupt may find half a stack pointer")
        if self.torn and one.name not in ("in", "out"):
            raise OpenError(f"at {pc:#x} the stack pointer is no address")
        top = None if self.torn else self.read("register", SP, 2)
        following = self._done(one, pc)
        if kind == OF_TABLES[1]:
            self._in_table()
        if top is not None and not self.torn:
            self._raised(top, self.read("register", SP, 2))
        self.shaded = one.name == "out" and one.k == SREG
        if self.deepest is not None:
            sp = self.read("register", SP, 2)
            if not all(isinstance(x, Lin) and x.factors == {"stack": 1} for x in (top, sp)):
                raise RefusedError(f"at {pc:#x} the stack pointer is no address of the stack")
            assert isinstance(top, Lin)
            assert isinstance(sp, Lin)
            if self.deepest <= min(top.c, sp.c):
                raise RefusedError(f"at {pc:#x} the kernel uses memory below the stack pointer")
        if not self.torn:
            sp = self.read("register", SP, 2)
            self.lowered(combined(sp, 1, 1, WIDTH) if isinstance(sp, Lin) else sp)
        return following

    def _of_table(self, pc: int, kind: int) -> bool:
        """Whether a byte that the linker fills in is one of both that make Z an address: SUBI of
        r30 and behind it SBCI of r31.
        """
        first = pc if kind == OF_TABLES[0] else pc - 2
        words = [self.image.word(at) & 0xF0F0 for at in (first, first + 2)]
        kinds = tuple(self.image.filled.get(at) for at in (first, first + 2))
        return words == [0x50E0, 0x40F0] and kinds == OF_TABLES

    def _in_table(self) -> None:
        """Z is an address in the file, of which neither a byte nor a flag may be read."""
        at = self.pair(30)
        if not isinstance(at, int):
            raise RefusedError(f"at {self.pc:#x} a place in a table depends on data")
        self.write("register", 30, Lin(at, {FILE: 1}), 2)
        for flag in FLAGS.values():
            if flag not in (T, ON):
                self.put(flag, Unreadable("a flag of an address in the file is read"))

    def _done(self, one: Instruction, pc: int) -> Value:
        following: Value = pc + 2
        name = one.name
        kind = name[:3].rstrip()
        if name in JUMPS:
            return self._jump(one, pc)
        if name == "push":
            self._push(self.cell(one.d))
        elif name == "pop":
            self.spaces["register"][one.d] = self._pop()
        elif kind in ("ld", "st", "ldd", "std"):
            self._access(one)
        elif name in ("lpm", "lpm Z+"):
            pointer = self.address(30)
            at = in_file(pointer)
            data = self.image.bytes_at(at, 1) if isinstance(at, int) else None
            if not isinstance(at, int) or data is None:
                raise RefusedError(f"the load at {pc:#x} reads {at} in flash, where no constant is")
            if name != "lpm":
                if one.d in (30, 31):
                    raise OpenError(f"at {pc:#x} a pointer moves that is the operand, too")
                self.write("register", 30, combined(pointer, 1, 1, WIDTH), 2)
            self.put(one.d, data[0])
        elif name == "mov":
            self.spaces["register"][one.d] = self.cell(one.r)
        elif name == "movw":
            cells = [self.cell(one.r + i) for i in (0, 1)]
            self.spaces["register"].update({one.d + i: cell for i, cell in enumerate(cells)})
        elif name == "ldi":
            self.put(one.d, one.k)
        elif name == "cli":
            self.put(ON, 0)
        elif name in ("in", "out"):
            self._port(one)
        elif name in ("adiw", "sbiw"):
            self._word(one)
        elif name == "bst":
            self.put(T, self._bit(self.cell(one.d), one.b))
        elif name == "bld":
            t = self.bits(self.value(self.cell(T)), 8)[0]
            old = self.bits(self.value(self.cell(one.d)), 8)
            self.put(one.d, folded((*old[: one.b], t, *old[one.b + 1 :])))
        elif name != "nop":
            self._arithmetic(one)
        return following

    def _gone_below(self, at: int) -> None:
        super()._gone_below(at + 1)  # the pointer is the address below the last byte

    def _port(self, one: Instruction) -> None:
        """IN and OUT of the stack pointer and SREG."""
        registers = self.spaces["register"]
        if one.k in PORTS and one.name == "in":
            registers[one.d] = self.cell(PORTS[one.k])
        elif one.k in PORTS:
            old = None if self.torn else self.pair(SP)
            registers[PORTS[one.k]] = self.cell(one.d)
            self._moved(old)
        elif one.k != SREG:
            raise RefusedError(f"at {self.pc:#x} the kernel uses the I/O register {one.k:#x}")
        elif one.name == "in":
            flags = {at: self.cell(at) for at in STATUS if at != ON}
            self.put(one.d, Status(flags | {ON: self._interrupts()}))
        else:
            value = self.cell(one.d)[0]
            if isinstance(value, Status):
                registers.update(value.cells)
                return
            for at, bit in STATUS.items():
                self.put(at, self._bit(self.cell(one.d), bit))

    def _moved(self, old: int | Lin | None) -> None:
        """The stack pointer has another half: below the higher one of the old place and the new one
        an interrupt may have written, which PUSH alone writes over.
        """
        low, high = self.cell(SP), self.cell(SP + 1)
        self.torn = low[0] != high[0] or (low[1:], high[1:]) != ((0, 2), (1, 2))
        if isinstance(low[0], int) and isinstance(high[0], int):
            self.torn = False
        for place in (old, None if self.torn else self.pair(SP)):
            if isinstance(place, Lin) and place.factors == {"stack": 1}:
                self._gone_below(place.c)

    def _bit(self, cell: Cell, b: int) -> Value:
        """A bit of a byte, as a flag."""
        value = self.value(cell)
        if isinstance(value, int):
            return value >> b & 1
        return folded((self.bits(value, 8)[b], *(0,) * 7))

    def _push(self, cell: Cell) -> None:
        sp = self.read("register", SP, 2)
        if not isinstance(sp, int | Lin):
            raise RefusedError(f"at {self.pc:#x} the stack pointer is no address of the stack")
        self.write("register", SP, combined(sp, -1, 1, WIDTH), 2)
        self.keep(sp, cell)

    def _pop(self) -> Cell:
        sp = self.read("register", SP, 2)
        if not isinstance(sp, int | Lin):
            raise RefusedError(f"at {self.pc:#x} the stack pointer is no address of the stack")
        sp = combined(sp, 1, 1, WIDTH)
        self.write("register", SP, sp, 2)
        return self.fetch(sp)

    def _jump(self, one: Instruction, pc: int) -> Value:
        name, following = one.name, pc + 2
        if name == "rjmp":
            return following + 2 * one.k
        if name == "jmp":
            return 2 * one.k
        if name in ("rcall", "call"):
            back = following if name == "rcall" else pc + 4
            place = Lin(back // 2, {FILE: 1})
            for i in (0, 1):
                self._push((place, i, 2))
            return following + 2 * one.k if name == "rcall" else 2 * one.k
        if name == "ret":
            high, low = self._pop(), self._pop()
            if isinstance(high[0], int) and isinstance(low[0], int):
                parts = (self.value(high), self.value(low))
                return 2 * sum(x << 8 * i for i, x in enumerate(parts[::-1]) if isinstance(x, int))
            to = high[0]
            whole = (high[1:], low[1:]) == ((1, 2), (0, 2)) and to == low[0]
            if whole and isinstance(to, Lin) and to.t == FILE_PLACE:
                return 2 * to.c
            home = Lin(0, {"return": 1})
            if (high, low) != ((home, 1, 2), (home, 0, 2)):
                raise RefusedError(f"the return at {pc:#x} is not to where the call was")
            if self.value(self.cell(1)) != 0:
                raise RefusedError(f"at {pc:#x} r1 is not given back as zero")
            if self.pair(SP) != Lin(0, STACK):
                raise RefusedError(f"at {pc:#x} the stack pointer is not given back")
            return home
        if name in ("brbs", "brbc"):
            if one.b not in BITS:
                raise OpenError(f"at {pc:#x}: no rule for a branch on H, V, S or I")
            taken = self._taken(self.cell(BITS[one.b])[0])
            return following + 2 * one.k if taken == (name == "brbs") else following
        if name == "cpse":
            a, b = (self.value(self.cell(i)) for i in (one.d, one.r))
            if not isinstance(a, int) or not isinstance(b, int):
                raise RefusedError(f"the skip at {pc:#x} depends on data")
            skips = a == b
        else:
            bit = self._bit(self.cell(one.d), one.b)
            if not isinstance(bit, int):
                raise RefusedError(f"the skip at {pc:#x} depends on data")
            skips = bool(bit) == (name == "sbrs")
        return following + self.image.length(following) if skips else following

    def _access(self, one: Instruction) -> None:
        kind, _, where = one.name.partition(" ")
        register = POINTERS[where.strip("+-")]
        at = self.address(register)
        if where[0] == "-":
            at = combined(at, -1, 1, WIDTH)
        moved = combined(at, 1, 1, WIDTH) if where[-1] == "+" else at
        if where[0] == "-" or where[-1] == "+":
            if one.d in (register, register + 1):
                raise OpenError(f"at {self.pc:#x} a pointer moves that is the operand, too")
            self.write("register", register, moved, 2)
        place = combined(at, one.k, 1, WIDTH)
        if kind in ("ld", "ldd"):
            self.spaces["register"][one.d] = self.fetch(place)
        else:
            self.keep(place, self.cell(one.d))

    # Arithmetic

    def _flags(self, result: Value) -> None:
        """Z and N of a byte."""
        if isinstance(result, int):
            self.put(Z, int(result == 0))
            self.put(N, result >> 7)
            return
        g = self.g
        self.put(Z, Flag(lambda: (_equal(g, byte_bits(result), (0,) * 8), *(0,) * 7)))
        self.put(N, Flag(lambda: (byte_bits(result)[7], *(0,) * 7)))

    def _word(self, one: Instruction) -> None:
        """ADIW and SBIW."""
        held, sign = self.pair(one.d), 1 if one.name == "adiw" else -1
        if held is None:
            raise OpenError(f"at {self.pc:#x}: no rule for {one.name} of data")
        made = combined(held, one.k, sign, WIDTH)
        self.write("register", one.d, made, 2)
        if isinstance(held, int):
            assert isinstance(made, int)
            self.put(C, int(held + one.k > 0xFFFF if sign > 0 else held < one.k))
            self.put(Z, int(made == 0))
            self.put(N, made >> 15)
            return
        none = Unreadable(f"a flag of {made} is read")
        self.put(C, Cond("below", held, one.k, WIDTH) if sign < 0 else none)
        self.put(Z, Cond("equal", made, 0, WIDTH))
        self.put(N, none)

    def _arithmetic(self, one: Instruction) -> None:
        name, first = one.name, self.cell(one.d)
        if name in ("add", "adc", "sub", "sbc", "subi", "sbci", "cp", "cpc", "cpi"):
            second: Cell = (one.k, 0, 1) if name[-1] == "i" else self.cell(one.r)
            carried = name in ("adc", "sbc", "sbci", "cpc")
            sign = 1 if name in ("add", "adc") else -1
            made = self._added(first, second, carried, sign)
            if name[:2] != "cp":
                self.spaces["register"][one.d] = made
            return
        if name == "or" and self._empty(first, self.cell(one.r)):
            self.put(one.d, Unreadable("the halves of an address or count are read as one"))
            return
        if name == "eor" and one.d == one.r:
            self.put(one.d, 0)
            self._flags(0)
            return
        a = self.value(first)
        x = self.bits(a, 8)
        if name in ("and", "or", "eor", "andi", "ori"):
            b = self.bits(one.k if name[-1] == "i" else self.value(self.cell(one.r)), 8)
            rule = {"a": and_, "o": or_, "e": xor}[name[0]]
            made_bits = rule(self.g, x, b)
        elif name == "com":
            made_bits = not_(x)
            self.put(C, 1)
        elif name == "neg":
            made_bits = ripple(self.g, not_(x), (0,) * 8, 1)
            self.put(C, folded((_equal(self.g, x, (0,) * 8) ^ 1, *(0,) * 7)))
        elif name == "swap":
            self.put(one.d, folded(x[4:] + x[:4]))
            return
        elif name in ("inc", "dec"):
            made_bits = ripple(self.g, x, number_bits(1 if name == "inc" else 255, 8))
        elif name in ("lsr", "ror", "asr"):
            into = {"lsr": 0, "asr": x[7]}.get(name)
            if into is None:
                into = self.bits(self.value(self.cell(C)), 8)[0]
            made_bits = (*x[1:], into)
            self.put(C, folded((x[0], *(0,) * 7)))
        else:
            raise OpenError(f"at {self.pc:#x}: no rule for {name}")
        self.put(one.d, folded(made_bits))
        self._flags(folded(made_bits))

    def _empty(self, first: Cell, second: Cell) -> bool:
        """Whether OR is of both halves of an address or count: then Z says whether it is zero."""
        low, high = sorted((first, second), key=lambda cell: cell[1])
        if not isinstance(low[0], Lin) or low[0] != high[0]:
            return False
        if (low[1:], high[1:]) != ((0, 2), (1, 2)):
            return False
        self.put(Z, Cond("equal", low[0], 0, WIDTH))
        self.put(N, Unreadable(f"a flag of {low[0]} is read"))
        return True

    def _added(self, first: Cell, second: Cell, carried: bool, sign: int) -> Cell:
        """first + second, or first - second, with the carry; sets C, Z and N."""
        before = self.cell(Z)[0]
        flag = self.cell(C)[0] if carried else 0
        if isinstance(first[0], Lin) or isinstance(second[0], Lin):
            return self._halves(first, second, carried, sign)
        if isinstance(flag, Cond):
            flag = int(flag.decide(self.bounds))
        a, b = self.value(first), self.value(second)
        result: Value
        if isinstance(a, int) and isinstance(b, int) and isinstance(flag, int):
            total = a + sign * (b + (flag & 1))
            result = total & 255
            self.put(C, int(not 0 <= total < 256))
        elif sign > 0:
            result = self._chained(a, b, flag)
        else:
            x, y = self.bits(a, 8), not_(self.bits(b, 8))
            borrow = self.bits(flag, 8)[0]
            result = folded(ripple(self.g, x, y, borrow ^ 1))
            self.put(C, folded((carry_out(self.g, x, y, borrow ^ 1) ^ 1, *(0,) * 7)))
        self._flags(result)
        if carried and sign < 0:  # Z stays clear where it was
            self._both(before)
        return (result, 0, 1)

    def _both(self, before: Value) -> None:
        """Z of this byte and of those below it."""
        now = self.cell(Z)[0]
        if isinstance(before, Cond):
            before = Unreadable("a flag of an address or count is read")
        if isinstance(before, Unreadable):
            self.put(Z, 0 if now == 0 else before)
            return
        if isinstance(before, int) and isinstance(now, int):
            self.put(Z, before & now)
            return
        g = self.g

        def both() -> Bits:
            return (g.and_(byte_bits(before)[0], byte_bits(now)[0]), *(0,) * 7)

        self.put(Z, Flag(both))

    def _chained(self, a: Value, b: Value, flag: Value) -> Value:
        """A byte of a sum of data, and C."""
        for x in (a, b):
            if isinstance(x, Byte):
                x.chain.closed = True
        if isinstance(flag, Carry) and len(flag.chain.pairs) == flag.n and not flag.chain.closed:
            byte, carry = flag.chain.add(a, b)
            self.put(C, carry)
            return byte
        into = self.bits(flag, 8)[0]
        for p, q in ((a, b), (b, a)):  # a carry into the lowest bit, which is zero
            if p == 0:
                bits = self.bits(q, 8)
                if bits[0] == 0 or into == 0:
                    self.put(C, 0)
                    return folded((into or bits[0], *bits[1:]))
        if a is b or (isinstance(a, tuple) and a == b):  # a shift to the left
            bits = self.bits(a, 8)
            self.put(C, folded((bits[7], *(0,) * 7)))
            return folded((into, *bits[:7]))
        byte, carry = Chain(self.g, into).add(a, b)
        self.put(C, carry)
        return byte

    def _halves(self, first: Cell, second: Cell, carried: bool, sign: int) -> Cell:
        """A half of an address or count, and a number."""
        if sign > 0 and isinstance(second[0], Lin) and not isinstance(first[0], Lin):
            first, second = second, first
        lin, i, size = first
        other: int | Lin | None = second[0] if isinstance(second[0], Lin) else None
        number = 0 if other is not None else self.value(second)
        same = other is None or second[1:] == first[1:]
        if not isinstance(lin, Lin) or not isinstance(number, int) or size != 2 or not same:
            raise RefusedError(f"at {self.pc:#x} an address or count is mixed with data")
        flag = self.cell(C)[0]
        if i == 0 and not carried:
            low = number if other is None else other
            made = combined(lin, low, sign, WIDTH)
            half = Half(lin, low, sign)
            self.put(C, half)
            self.put(Z, half)
            self.put(N, Unreadable(f"a flag of {made} is read"))
            return (made, 0, 2)
        if i == 1 and carried and isinstance(flag, Half) and flag.sign == sign:
            whole = self._whole(flag.low, number, other)
            gap = combined(lin, flag.lin, -1, WIDTH)
            if isinstance(gap, int) and gap % 256 == 0 and whole is not None:
                made = combined(lin, whole, sign, WIDTH)
                none = Unreadable(f"a flag of {made} is read")
                both = self.cell(Z)[0] is flag
                self.put(C, Cond("below", lin, whole, WIDTH) if sign < 0 else none)
                self.put(Z, Cond("equal", lin, whole, WIDTH) if sign < 0 and both else none)
                self.put(N, none)
                return (made, 1, 2)
        raise OpenError(f"at {self.pc:#x}: no rule for a half of the address or count {lin}")

    def _whole(self, low: int | Lin, number: int, other: int | Lin | None) -> int | Lin | None:
        """The second operand of halves: a number, or the expression that has this upper half."""
        if other is None:
            return low + 256 * number if isinstance(low, int) else None
        gap = combined(other, low, -1, WIDTH) if isinstance(low, Lin) else None
        return other if isinstance(gap, int) and gap % 256 == 0 else None

    # Functions of the C library

    def _library(self, name: str) -> Value:
        target, size = self.pair(24), self.pair(20)
        source = self.pair(22) if name == "memcpy" else 0  # of an int the lower byte counts
        if self.value(self.cell(1)) != 0:
            raise RefusedError(f"behind {self.pc:#x} r1 is not zero where {name} is called")
        if not isinstance(size, int) or not isinstance(target, Lin) or source is None:
            raise OpenError(f"behind {self.pc:#x}: {name} of {size} bytes at {target}")
        self.count += size
        self._not_onto(name, target, source, size)
        self.deepest = None
        places = [combined(source, i, 1, WIDTH) for i in range(size)]
        data = [self.cell(22)] * size if name == "memset" else [self.fetch(at) for at in places]
        for i, byte in enumerate(data):
            self.keep(combined(target, i, 1, WIDTH), byte)
        sp = self.pair(SP)
        if not isinstance(sp, Lin) or (self.deepest is not None and self.deepest <= sp.c):
            raise RefusedError(f"behind {self.pc:#x} {name} uses memory below the stack pointer")
        for at in (0, *range(18, 24), 26, 27, 30, 31, C, Z, N, T):
            self.put(at, GONE)
        back = self._jump(Instruction("ret"), self.pc)
        self._gone_below(sp.c + 2)
        return back
