# SPDX-License-Identifier: Apache-2.0
"""Runs assembled kernels without a GPU: an emulator of the integer subset of SASS, the machine code
of NVIDIA GPUs.

It takes what `cuobjdump -sass` prints, so what is checked is what a driver's assembler makes of our
PTX. All threads run side by side in NumPy arrays. Where threads part, those at the lowest address
go first, which brings them together again. Every access to memory must lie in a buffer that the
caller gave, and writes only in one that may be written. An instruction or modifier that is not
known is an error.
"""

from __future__ import annotations

import collections
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checkout import LabError

U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
Bits = NDArray[np.bool_]

# Where the parameters of a kernel begin in constant bank 0, by architecture.
PARAMETERS = {75: 0x160, 80: 0x160, 86: 0x160, 89: 0x160, 90: 0x210, 100: 0x380}

LOCAL = 4096  # bytes of local memory that the emulator gives each thread

# Which pipe an instruction keeps busy (NVIDIA's tuning guides; IMAD shares the pipe of the
# multipliers).
ALU = frozenset(
    (
        "BMSK",
        "IADD3",
        "IMNMX",
        "ISETP",
        "LEA",
        "LOP3",
        "P2R",
        "PLOP3",
        "PRMT",
        "R2P",
        "SEL",
        "SGXT",
        "SHF",
        "VIADD",
        "VIADDMNMX",
        "VIMNMX",
    )
)
FMA = frozenset(["IMAD"])
MEMORY = frozenset(("LDG", "STG", "LDL", "STL", "LDS", "STS"))


class EmulationError(LabError):
    """The kernel did what it must not, or something that the emulator does not know."""


@dataclass
class Buffer:
    """Memory that a kernel may read, and write if `writable`."""

    data: NDArray[np.uint8]
    writable: bool = False
    address: int = 0


@dataclass(frozen=True)
class Instruction:
    address: int
    guard: str  # "", or a predicate such as "!P0"
    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[str, ...]
    text: str

    @property
    def pipe(self) -> str:
        """alu, fma, memory, uniform or other."""
        if self.opcode in ALU:
            return "alu"
        if self.opcode in FMA:
            return "fma"
        if self.opcode in MEMORY:
            return "memory"
        return "uniform" if self.opcode.startswith("U") else "other"


LINE = re.compile(r"\s+/\*([0-9a-f]{4,6})\*/\s+(?:@(!?U?P\w+)\s+)?([^;]+?)\s*;")


def parse(listing: str) -> dict[str, list[Instruction]]:
    """The functions in what `cuobjdump -sass` prints."""
    functions: dict[str, list[Instruction]] = {}
    current: list[Instruction] | None = None
    for line in listing.splitlines():
        if found := re.search(r"Function : (\S+)", line):
            current = functions[found[1]] = []
        elif (found := LINE.match(line)) and current is not None:
            word, _, rest = found[3].partition(" ")
            opcode, *modifiers = word.split(".")
            operands = (
                tuple(
                    part.strip().replace(".reuse", "") for part in re.split(r",(?![^\[]*\])", rest)
                )
                if rest
                else ()
            )
            current.append(
                Instruction(
                    int(found[1], 16), found[2] or "", opcode, tuple(modifiers), operands, found[3]
                )
            )
    if not functions:
        raise EmulationError("the listing holds no function")
    return functions


@dataclass
class Outcome:
    """What a run executed: thread instructions by opcode with modifiers, and by pipe."""

    opcodes: collections.Counter[str] = field(default_factory=collections.Counter)
    pipes: collections.Counter[str] = field(default_factory=collections.Counter)


class Memory:
    """The buffers of a launch, each at addresses of its own with a gap around it."""

    def __init__(self, buffers: Mapping[str, Buffer]) -> None:
        at = 0x7F0000000000
        self.buffers = dict(buffers)
        for buffer in self.buffers.values():
            buffer.address = at
            at += (len(buffer.data) + 0xFFFF) // 0x10000 * 0x10000 + 0x10000

    def _find(
        self, addresses: U64, size: int, write: bool, what: Instruction
    ) -> Iterator[tuple[NDArray[np.intp], Buffer, NDArray[np.int64]]]:
        """Which of the addresses lie in which buffer, and where in it."""
        found = 0
        for name, buffer in self.buffers.items():
            offsets = (addresses - np.uint64(buffer.address)).astype(np.int64)
            chosen = np.flatnonzero((offsets >= 0) & (offsets < 0x10000 + len(buffer.data)))
            if not len(chosen):
                continue
            offsets = offsets[chosen]
            if (offsets + size > len(buffer.data)).any():
                raise EmulationError(
                    f"{what.text}: byte {int(offsets.max())} of {name!r} is accessed, which "
                    f"has {len(buffer.data)}"
                )
            if (offsets % size).any():
                raise EmulationError(
                    f"{what.text}: an access of {size} bytes at byte "
                    f"{int(offsets[offsets % size != 0][0])} of {name!r} is not aligned"
                )
            if write and not buffer.writable:
                raise EmulationError(f"{what.text}: {name!r} is written, but may only be read")
            found += len(chosen)
            yield chosen, buffer, offsets
        if found != len(addresses):
            raise EmulationError(
                f"{what.text}: an address lies in no buffer, the lowest is "
                f"{int(addresses.min()):#x}"
            )

    def load(self, addresses: U64, size: int, what: Instruction) -> NDArray[np.uint8]:
        values = np.zeros((len(addresses), size), np.uint8)
        for chosen, buffer, offsets in self._find(addresses, size, False, what):
            values[chosen] = buffer.data[offsets[:, None] + np.arange(size)]
        return values

    def store(self, addresses: U64, values: NDArray[np.uint8], what: Instruction) -> None:
        size = values.shape[1]
        for chosen, buffer, offsets in self._find(addresses, size, True, what):
            buffer.data[offsets[:, None] + np.arange(size)] = values[chosen]


class Machine:
    """The threads of one launch."""

    def __init__(self, memory: Memory, constants: bytes, blocks: int, threads: int) -> None:
        self.memory, self.constants = memory, constants
        self.count = blocks * threads
        self.registers = np.zeros((256, self.count), np.uint32)
        self.uniform = np.zeros((64, self.count), np.uint32)
        self.predicates = {
            f"{kind}{i}": np.zeros(self.count, np.bool_) for kind in ("P", "UP") for i in range(7)
        }
        numbers = np.arange(self.count, dtype=np.uint32)
        self.special = {
            "SR_TID.X": numbers % threads,
            "SR_CTAID.X": numbers // threads,
            "SRZ": numbers * 0,
        }
        self.local = np.zeros((self.count, LOCAL), np.uint8)
        self.at: Any = slice(None)  # the threads that execute now
        self.active = self.count

    # operands

    def bank(self, name: str) -> tuple[NDArray[np.uint32], int]:
        if found := re.fullmatch(r"UR(\d+)", name):
            return self.uniform, int(found[1])
        if found := re.fullmatch(r"R(\d+)", name):
            return self.registers, int(found[1])
        raise EmulationError(f"{name!r} is not a register")

    def constant(self, text: str, size: int = 4) -> int:
        found = re.fullmatch(r"c\[0x0\]\[(?:RZ|(0x[0-9a-f]+))\]", text)
        offset = int(found[1] or "0", 16) if found else -1
        if not found or offset + size > len(self.constants):
            raise EmulationError(f"{text}: not a constant that was given")
        return int.from_bytes(self.constants[offset : offset + size], "little")

    def read(self, text: str) -> U64:
        """The 32-bit value of an operand, in 64 bits; a negated one is 2^32 minus it, so that sums
        carry as those of the hardware do.
        """
        if text.startswith("-") and not text.startswith("-0x"):
            return np.uint64(1 << 32) - self.read(text[1:])
        if text.startswith("~"):
            return self.read(text[1:]) ^ np.uint64(0xFFFFFFFF)
        if text in ("RZ", "URZ", "SRZ"):
            return np.zeros(self.active, np.uint64)
        if text.startswith("c["):
            return np.full(self.active, self.constant(text), np.uint64)
        if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text):
            return np.full(self.active, int(text, 0) & 0xFFFFFFFF, np.uint64)
        bank, number = self.bank(text)
        values: U64 = bank[number, self.at].astype(np.uint64)
        return values

    def read_wide(self, text: str) -> U64:
        if text in ("RZ", "URZ"):
            return np.zeros(self.active, np.uint64)
        if text.startswith("c["):
            return np.full(self.active, self.constant(text, 8), np.uint64)
        bank, number = self.bank(text)
        values: U64 = bank[number, self.at].astype(np.uint64) | bank[number + 1, self.at].astype(
            np.uint64
        ) << np.uint64(32)
        return values

    def write(self, text: str, value: U64, offset: int = 0) -> None:
        if text not in ("RZ", "URZ"):
            bank, number = self.bank(text)
            bank[number + offset, self.at] = (value & np.uint64(0xFFFFFFFF)).astype(np.uint32)

    def write_wide(self, text: str, value: U64) -> None:
        self.write(text, value)
        self.write(text, value >> np.uint64(32), 1)

    def test(self, text: str) -> Bits:
        name = text.lstrip("!")
        value = (
            np.ones(self.active, np.bool_)
            if name in ("PT", "UPT")
            else self.predicates[name][self.at]
        )
        return ~value if text.startswith("!") else value

    def set(self, name: str, value: Bits) -> None:
        if name not in ("PT", "UPT"):
            self.predicates[name][self.at] = value

    def address(self, text: str) -> U64:
        inner = re.fullmatch(r"(?:desc\[\w+\])?\[(.*)\]", text)
        if not inner:
            raise EmulationError(f"{text!r} is not an address")
        total = np.zeros(self.active, np.uint64)
        for part in re.findall(r"[+-]?[^+-]+", inner[1]):
            name = part.lstrip("+")
            if name.endswith(".U32"):
                total += self.read(name.removesuffix(".U32"))
            elif name.startswith(("R", "UR")) and name not in ("RZ", "URZ"):
                total += self.read_wide(name.removesuffix(".64"))
            elif name not in ("RZ", "URZ"):
                total += np.uint64(int(name, 16) & 0xFFFFFFFFFFFFFFFF)
        return total


def signed(value: U64) -> NDArray[np.int64]:
    return (value & np.uint64(0xFFFFFFFF)).astype(np.uint32).astype(np.int32).astype(np.int64)


def _lop3(m: Machine, i: Instruction) -> None:
    predicate = i.operands[0] if re.fullmatch(r"U?P[T\d]", i.operands[0]) else None
    o = i.operands[1:] if predicate else i.operands
    a, b, c, table = m.read(o[1]), m.read(o[2]), m.read(o[3]), int(o[4], 16)
    ones = np.uint64(0xFFFFFFFF)
    value = np.zeros(m.active, np.uint64)
    for row in range(8):
        if table >> row & 1:
            value |= (
                (a if row & 4 else a ^ ones)
                & (b if row & 2 else b ^ ones)
                & (c if row & 1 else c ^ ones)
            )
    m.write(o[0], value)
    if predicate:
        if o[5] != "!PT":
            raise EmulationError(f"{i.text}: only the test of the result alone is known")
        m.set(predicate, value & ones != 0)


def _iadd3(m: Machine, i: Instruction) -> None:
    result, *rest = i.operands
    carries = []
    while re.fullmatch(r"U?P[T\d]", rest[0]):
        carries.append(rest.pop(0))
    total = m.read(rest[0]) + m.read(rest[1]) + m.read(rest[2])
    if "X" in i.modifiers:
        for predicate in rest[3:]:
            total = total + m.test(predicate).astype(np.uint64)
    elif len(rest) > 3:
        raise EmulationError(f"{i.text}: a carry into an addition without .X")
    for number, predicate in enumerate(carries):
        m.set(predicate, (total >> np.uint64(32)) > number)
    m.write(result, total)


def _imad(m: Machine, i: Instruction) -> None:
    o = i.operands
    if "WIDE" in i.modifiers:
        a, b = m.read(o[1]), m.read(o[2])
        product = a * b if "U32" in i.modifiers else (signed(a) * signed(b)).astype(np.uint64)
        m.write_wide(o[0], product + m.read_wide(o[3]))
    elif "HI" in i.modifiers:
        if o[3] not in ("RZ", "URZ"):
            raise EmulationError(f"{i.text}: only the form without an addend is known")
        a, b = m.read(o[1]), m.read(o[2])
        m.write(
            o[0],
            (a * b if "U32" in i.modifiers else (signed(a) * signed(b)).astype(np.uint64))
            >> np.uint64(32),
        )
    else:
        total = (m.read(o[1]) & np.uint64(0xFFFFFFFF)) * (
            m.read(o[2]) & np.uint64(0xFFFFFFFF)
        ) + m.read(o[3])
        if "X" in i.modifiers:
            total = total + m.test(o[4]).astype(np.uint64)
        m.write(o[0], total)


def _shf(m: Machine, i: Instruction) -> None:
    low, by, high = m.read(i.operands[1]), m.read(i.operands[2]), m.read(i.operands[3])
    by = by & np.uint64(31) if "W" in i.modifiers else np.minimum(by, np.uint64(63))
    both = (high << np.uint64(32)) | low
    left, top = "L" in i.modifiers, "HI" in i.modifiers
    if "S32" in i.modifiers and not left and top:
        m.write(
            i.operands[0],
            (signed(high) >> np.minimum(by, np.uint64(31)).astype(np.int64)).astype(np.uint64),
        )
        return
    if left:
        m.write(i.operands[0], (both << by) >> np.uint64(32) if top else low << by)
    else:
        m.write(i.operands[0], high >> by if top else both >> by)


def _prmt(m: Machine, i: Instruction) -> None:
    if i.modifiers:
        raise EmulationError(f"{i.text}: modes of PRMT are not known")
    both = m.read(i.operands[3]) << np.uint64(32) | m.read(i.operands[1])
    selector = m.read(i.operands[2])
    value = np.zeros(m.active, np.uint64)
    for k in range(4):
        nibble = selector >> np.uint64(4 * k) & np.uint64(15)
        byte = both >> (nibble & np.uint64(7)) * np.uint64(8) & np.uint64(0xFF)
        byte = np.where(nibble > 7, np.where(byte > 0x7F, np.uint64(0xFF), np.uint64(0)), byte)
        value |= byte << np.uint64(8 * k)
    m.write(i.operands[0], value)


def _lea(m: Machine, i: Instruction) -> None:
    result, *rest = i.operands
    carry = rest.pop(0) if re.fullmatch(r"U?P[T\d]", rest[0]) else None
    if "HI" in i.modifiers:
        by = np.uint64(int(rest[3], 16))
        value = (
            (m.read(rest[2]) << np.uint64(32) | m.read(rest[0])) << by >> np.uint64(32)
        ) + m.read(rest[1])
        extra = rest[4:]
    else:
        by = np.uint64(int(rest[2], 16))
        value = (m.read(rest[0]) << by & np.uint64(0xFFFFFFFF)) + m.read(rest[1])
        extra = rest[3:]
    if "X" in i.modifiers:
        value = value + m.test(extra[-1]).astype(np.uint64)
    if carry:
        m.set(carry, value >> np.uint64(32) > 0)
    m.write(result, value)


COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal, "EQ": np.equal, "NE": np.not_equal,
}  # fmt: skip


def _isetp(m: Machine, i: Instruction) -> None:
    comparison, *others = i.modifiers
    o = i.operands
    value = m.read if "U32" in others else (lambda text: signed(m.read(text)))
    a, b = value(o[2]), value(o[3])
    result = COMPARE[comparison](a, b)
    if "EX" in others:  # the high words; the last operand is what the low words gave
        others.remove("EX")
        low = m.test(o[5])
        strict = COMPARE[
            comparison.replace("E", "T") if comparison in ("LE", "GE") else comparison
        ](a, b)
        result = (
            (a != b) | low
            if comparison == "NE"
            else (result if comparison == "EQ" else strict) & (a != b) | (a == b) & low
        )
    other = m.test(o[4])
    combine = {"AND": np.logical_and, "OR": np.logical_or, "XOR": np.logical_xor}[others[-1]]
    m.set(o[0], combine(result, other))
    m.set(o[1], combine(~result, other))


def _sgxt(m: Machine, i: Instruction) -> None:
    width = int(i.operands[2], 16)
    value = m.read(i.operands[1]) & np.uint64((1 << width) - 1)
    if "U32" not in i.modifiers:
        value = np.where(
            value >> np.uint64(width - 1) > 0,
            value | np.uint64(0xFFFFFFFF ^ ((1 << width) - 1)),
            value,
        )
    m.write(i.operands[0], value)


def _plop3(m: Machine, i: Instruction) -> None:
    inputs = [m.test(text) for text in i.operands[2:5]]
    row = inputs[0] * 4 + inputs[1] * 2 + inputs[2] * 1
    values = [(int(table, 16) >> row & 1).astype(np.bool_) for table in i.operands[5:7]]
    for name, value in zip(i.operands[:2], values, strict=True):
        m.set(name, value)


def _size(i: Instruction) -> int:
    for name, size in (("U8", 1), ("U16", 2), ("64", 8), ("128", 16)):
        if name in i.modifiers:
            return size
    return 4


def _ldg(m: Machine, i: Instruction) -> None:
    values = m.memory.load(m.address(i.operands[1]), _size(i), i)
    if values.shape[1] < 4:
        values = np.pad(values, ((0, 0), (0, 4 - values.shape[1])))
    words = np.ascontiguousarray(values).view("<u4")
    for k in range(words.shape[1]):
        m.write(i.operands[0], words[:, k].astype(np.uint64), k)


def _values(m: Machine, i: Instruction) -> NDArray[np.uint8]:
    """What a store instruction stores, in bytes."""
    size = _size(i)
    columns = []
    for k in range(max(1, size // 4)):
        if i.operands[1] == "RZ":
            columns.append(np.zeros(m.active, np.uint32))
        else:
            bank, number = m.bank(i.operands[1])
            columns.append(bank[number + k, m.at])
    return np.stack(columns, axis=1).astype("<u4").view(np.uint8)[:, :size]


def _stg(m: Machine, i: Instruction) -> None:
    m.memory.store(m.address(i.operands[0]), _values(m, i), i)


def _local(m: Machine, address: str, i: Instruction) -> NDArray[np.int64]:
    inner = re.fullmatch(r"\[(R\d+)?\+?(-?0x[0-9a-f]+)?\]", address)
    if not inner:
        raise EmulationError(f"{i.text}: this address of local memory is not known")
    offsets = signed(m.read(inner[1] or "RZ") + np.uint64(int(inner[2] or "0", 16) & 0xFFFFFFFF))
    if (offsets < 0).any() or (offsets + _size(i) > LOCAL).any():
        raise EmulationError(
            f"{i.text}: local memory is accessed at byte {int(offsets.max())}; a thread has {LOCAL}"
        )
    return offsets[:, None] + np.arange(_size(i))


def _ldl(m: Machine, i: Instruction) -> None:
    places = _local(m, i.operands[1], i)
    words = np.ascontiguousarray(m.local[np.arange(m.count)[m.at][:, None], places]).view("<u4")
    for k in range(words.shape[1]):
        m.write(i.operands[0], words[:, k].astype(np.uint64), k)


def _stl(m: Machine, i: Instruction) -> None:
    places = _local(m, i.operands[0], i)
    m.local[np.arange(m.count)[m.at][:, None], places] = _values(m, i)


def _ldc(m: Machine, i: Instruction) -> None:
    for k in range(max(1, _size(i) // 4)):
        found = re.fullmatch(r"c\[0x0\]\[(?:RZ|(0x[0-9a-f]+))\]", i.operands[1])
        if not found:
            raise EmulationError(f"{i.text}: constants at computed addresses are not known")
        value = m.constant(f"c[0x0][{int(found[1] or '0', 16) + 4 * k:#x}]")
        m.write(i.operands[0], np.full(m.active, value, np.uint64), k)


def _s2r(m: Machine, i: Instruction) -> None:
    if i.operands[1] not in m.special:
        raise EmulationError(f"{i.text}: this special register is not known")
    value = m.special[i.operands[1]][m.at].astype(np.uint64)
    m.write(i.operands[0], value)
    if i.opcode == "CS2R" and "32" not in i.modifiers:
        m.write(i.operands[0], np.zeros(m.active, np.uint64), 1)


def _p2r(m: Machine, i: Instruction) -> None:
    if i.operands[1] != "PR":
        raise EmulationError(f"{i.text}: only PR is known")
    bits = np.zeros(m.active, np.uint64)
    for k in range(7):
        bits |= m.test(f"P{k}").astype(np.uint64) << np.uint64(k)
    mask = m.read(i.operands[3])
    m.write(i.operands[0], (m.read(i.operands[2]) & ~mask) | (bits & mask))


def _r2p(m: Machine, i: Instruction) -> None:
    value, mask = m.read(i.operands[1]), int(i.operands[2], 16)
    for k in range(7):
        if mask >> k & 1:
            m.set(f"P{k}", value >> np.uint64(k) & np.uint64(1) > 0)


def _move(m: Machine, i: Instruction) -> None:
    m.write(i.operands[0], m.read(i.operands[1]))


def _viadd(m: Machine, i: Instruction) -> None:
    m.write(i.operands[0], m.read(i.operands[1]) + m.read(i.operands[2]))


def _imnmx(m: Machine, i: Instruction) -> None:
    *terms, other, smallest = i.operands[1:]  # two terms in VIADDMNMX
    while terms[0] == "PT":  # results that nobody wants
        terms.pop(0)
    a, b = np.zeros(m.active, np.uint64), m.read(other)
    for term in terms:
        a = a + m.read(term) & np.uint64(0xFFFFFFFF)
    smaller = a < b if "U32" in i.modifiers else signed(a) < signed(b)
    m.write(i.operands[0], np.where(smaller == m.test(smallest), a, b))


def _select(m: Machine, i: Instruction) -> None:
    m.write(
        i.operands[0], np.where(m.test(i.operands[3]), m.read(i.operands[1]), m.read(i.operands[2]))
    )


def _nothing(m: Machine, i: Instruction) -> None:
    pass


EXECUTE: dict[str, Callable[[Machine, Instruction], None]] = {
    "LOP3": _lop3, "IADD3": _iadd3, "IMAD": _imad, "SHF": _shf, "PRMT": _prmt, "LEA": _lea, "ISETP": _isetp, "PLOP3": _plop3,
    "SGXT": _sgxt, "SEL": _select, "R2UR": _move, "IMNMX": _imnmx, "VIMNMX": _imnmx, "VIADDMNMX": _imnmx,
    "LDG": _ldg, "STG": _stg, "LDL": _ldl, "STL": _stl, "LDC": _ldc, "S2R": _s2r, "S2UR": _s2r, "CS2R": _s2r, "P2R": _p2r, "R2P": _r2p, "MOV": _move,
    "VIADD": _viadd, "NOP": _nothing, "BSSY": _nothing, "BSYNC": _nothing, "BMOV": _nothing, "BREAK": _nothing, "WARPSYNC": _nothing,
}  # fmt: skip
EXECUTE |= {
    f"U{name}": EXECUTE[name]
    for name in (
        "IMNMX",
        "LOP3",
        "IADD3",
        "IMAD",
        "SHF",
        "PRMT",
        "LEA",
        "ISETP",
        "PLOP3",
        "SGXT",
        "SEL",
        "MOV",
    )
}
EXECUTE |= {"ULDC": _ldc, "LDCU": _ldc}

Parameter = Buffer | int | tuple[int, int]  # a buffer's address, a 32-bit value, or (value, bytes)


def constantbank(
    architecture: int, blocks: int, threads: int, parameters: Sequence[Parameter]
) -> bytes:
    """Constant bank 0 as the driver fills it: the sizes of the grid, then the parameters."""
    bank = bytearray(PARAMETERS[architecture])
    threads_at, blocks_at, stack_at = (
        (0x360, 0x370, 0x37C) if architecture >= 100 else (0, 0xC, 0x28)
    )
    struct.pack_into("<3I", bank, threads_at, threads, 1, 1)
    struct.pack_into("<3I", bank, blocks_at, blocks, 1, 1)
    struct.pack_into("<I", bank, stack_at, LOCAL)  # where the stack of a thread begins
    for parameter in parameters:
        value, size = (
            (parameter.address, 8)
            if isinstance(parameter, Buffer)
            else parameter
            if isinstance(parameter, tuple)
            else (parameter, 4)
        )
        bank += bytes(-len(bank) % size) + value.to_bytes(size, "little")
    return bytes(bank) + bytes(16)


def run(
    function: Sequence[Instruction],
    architecture: int,
    buffers: Mapping[str, Buffer],
    parameters: Callable[[Mapping[str, Buffer]], Sequence[Parameter]],
    blocks: int,
    threads: int,
    steps: int = 4_000_000,
) -> Outcome:
    """Launch `blocks` x `threads` threads of a function; `parameters` names the buffers, which have
    addresses by then.
    """
    memory = Memory(buffers)
    machine = Machine(
        memory,
        constantbank(architecture, blocks, threads, parameters(memory.buffers)),
        blocks,
        threads,
    )
    index = {instruction.address: n for n, instruction in enumerate(function)}
    place = np.zeros(machine.count, np.int64)
    running = machine.count
    outcome = Outcome()
    gone = len(function)
    for _ in range(steps):
        if not running:
            return outcome
        number = int(place.min())
        instruction = function[number]
        chosen = place == number
        if instruction.guard:
            machine.at, machine.active = np.flatnonzero(chosen), int(chosen.sum())
            passing = machine.test(instruction.guard)
            place[machine.at[~passing]] = number + 1
            chosen[machine.at[~passing]] = False
        active = int(chosen.sum())
        if not active:
            continue
        machine.at, machine.active = (
            (slice(None), machine.count)
            if active == machine.count
            else (np.flatnonzero(chosen), active)
        )
        name = ".".join((instruction.opcode, *instruction.modifiers))
        outcome.opcodes[name] += active
        outcome.pipes[instruction.pipe] += active
        if instruction.opcode == "EXIT":
            place[machine.at] = gone
            running -= active
        elif (
            instruction.opcode == "BRA" or name == "CALL.REL.NOINC"
        ):  # ptxas leaves loops by calls that never return
            *conditions, target = instruction.operands
            taken = np.logical_and.reduce(
                [np.ones(active, np.bool_), *map(machine.test, conditions)]
            )
            place[machine.at] = np.where(taken, index[int(target.strip("`()"), 16)], number + 1)
        else:
            if instruction.opcode not in EXECUTE:
                raise EmulationError(f"{instruction.text}: this instruction is not known")
            EXECUTE[instruction.opcode](machine, instruction)
            place[machine.at] = number + 1
    raise EmulationError(f"the kernel did not end within {steps} steps")
