# SPDX-License-Identifier: Apache-2.0
"""Machine code of x86-64 with AVX2 and AVX-512 run on symbolic values.

Capstone decodes; what an instruction does is said here, for the instructions of our kernels and no
others: one that has no rule leaves the proof open. The rules for branches, addresses and accesses
are those of pcode.py. Below the stack pointer 128 bytes may be used (System V). Where a function
aligns its stack pointer, what lies below is a region of its own, `frame`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

import capstone

from .core import constant, place, spans
from .elf import Elf
from .forms_x86 import forms
from .graph import Bits, Graph
from .pcode import (
    FILE,
    FILE_PLACE,
    GONE,
    ISA,
    Cell,
    Image,
    Machine,
    Node,
    OpenError,
    Region,
    _equal,
    _flipped,
    in_file,
    nowhere,
    sums_at,
)
from .tables import carryless, entry_at, looked_up, spread
from .values import (
    Cond,
    Flag,
    Lin,
    RefusedError,
    Unreadable,
    Value,
    combined,
    fits,
    made,
    scaled,
    signed,
)
from .words import (
    Sum,
    add,
    and_,
    carry_out,
    chosen_sum,
    folded,
    less,
    not_,
    number_bits,
    or_,
    sub,
    xor,
)

X86 = ISA(
    "X86",
    "x86-64",
    64,
    ("rbx", "rbp", "r12", "r13", "r14", "r15"),
    "return address",
    False,
    ("INT_DIV", "INT_SDIV", "INT_REM", "INT_SREM"),
    lambda image, word: None,
)
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
FRAME_MOST = 1 << 16  # bytes of stack: what a compiler takes is its own affair
RED_ZONE = 128
WIPES = {"hanji_wipe": 0x7D0000, "hanji_wipe_stack": 0x7C0000}  # where they are said to be
BYTES = {"memset": 0x7B0000, "memcpy": 0x7A0000, "__memcpy_chk": 0x790000}  # of the C library
ELSEWHERE = WIPES | BYTES
CANARY = 0x28  # where the thread's block, at fs, holds the number of the stack protector

NAMES = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16)))
MASKS, VECTORS, LINK = 0x200, 0x400, 0x1000


def _registers() -> dict[str, Node]:
    found: dict[str, Node] = {"return address": ("register", LINK, 8)}
    for i, name in enumerate(NAMES):
        if i < 8:
            halves = (f"e{name[1:]}", name[1:], f"{name[1:]}l" if i > 3 else f"{name[1]}l")
        else:
            halves = (f"{name}d", f"{name}w", f"{name}b")
        for size, part in zip((8, 4, 2, 1), (name, *halves), strict=True):
            found[part] = ("register", 8 * i, size)
        if i < 4:
            found[f"{name[1]}h"] = ("register", 8 * i + 1, 1)
    found["sp"] = found["rsp"]
    for i in range(32):
        for size, letter in ((16, "x"), (32, "y"), (64, "z")):
            found[f"{letter}mm{i}"] = ("register", VECTORS + 64 * i, size)
    for i in range(8):
        found[f"k{i}"] = ("register", MASKS + 8 * i, 8)
    return found


REGISTERS = _registers()
ZERO: Cell = (0, 0, 1)
UNSET: Cell = (Unreadable("a byte of the stack is read that nothing has written"), 0, 1)
CLEARED: list[Cell] = [(0, i % 8, 8) for i in range(64)]  # a vector of zeros
SIZES = {"byte": 1, "word": 2, "dword": 4, "qword": 8}
SIZES |= {"xmmword": 16, "ymmword": 32, "zmmword": 64}
MEMORY = re.compile(
    r"(?:(?P<size>\w+) ptr )?(?:(?P<segment>\w\w):)?\[(?P<sum>[^]]*)\](?:\{1to(?P<times>\d+)\})?$"
)


@dataclass(frozen=True)
class Operand:
    """A register (space, place, size), a number, or memory: registers with factors and a number."""

    register: Node | None = None
    number: int | None = None
    size: int = 0
    segment: str = ""
    terms: tuple[tuple[str, int], ...] = ()
    offset: int = 0
    times: int = 0  # how often one element is repeated
    near: bool = False  # whether the address is one of the file, relative to the instruction

    @property
    def memory(self) -> bool:
        """Whether the operand is in memory."""
        return self.register is None and self.number is None


@dataclass(frozen=True)
class Instruction:
    """One instruction: its name, its operands, the mask of its result, and its length."""

    name: str
    ops: tuple[Operand, ...]
    mask: str
    zero: bool
    length: int
    pc: int
    text: str
    evex: bool = False  # whether it has the encoding of AVX-512

    @property
    def following(self) -> int:
        """The address behind it."""
        return self.pc + self.length

    @cached_property
    def form(self) -> str:
        """Its name and the kinds of its operands: forms_x86.py."""
        kinds = [_kind_of(op) for op in self.ops]
        if self.mask and kinds:
            kinds[0] += "{k}{z}" if self.zero else "{k}"
        return f"{self.name}{'!' if self.evex else ''} {','.join(kinds)}".strip()


def _kind_of(op: Operand) -> str:
    if op.number is not None:
        return "i"
    if op.register is None:
        return f"m{op.size}b{op.times}" if op.times else f"m{op.size}"
    _, at, size = op.register
    if at >= VECTORS and at < LINK:
        return {16: "x", 32: "y", 64: "z"}[size]
    if at >= MASKS:
        return "k"
    return "h8" if at % 8 else f"r{8 * size}"


def _operand(text: str, name: str, following: int) -> Operand:
    if text in REGISTERS:
        node = REGISTERS[text]
        return Operand(register=node, size=node[2])
    if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text):
        return Operand(number=int(text, 0))
    found = MEMORY.match(text)
    if not found:
        raise OpenError(f"no rule for the operand {text} of {name}")
    terms, offset = [], 0
    for sign, part in re.findall(r"([+-]?) ?([\w*]+)", found["sum"]):
        factor = 1
        if "*" in part:
            part, _, times = part.partition("*")
            factor = int(times)
        if part == "rip":
            offset += following
        elif part in REGISTERS:
            if sign == "-" or REGISTERS[part][2] != 8:
                raise OpenError(f"no rule for the address {text}")
            terms.append((part, factor))
        else:
            offset += int(part, 0) * (-1 if sign == "-" else 1)
    size = SIZES[found["size"]] if found["size"] else 0
    times = int(found["times"] or 0)
    near = re.search(r"\brip\b", found["sum"]) is not None
    return Operand(None, None, size, found["segment"] or "", tuple(terms), offset, times, near)


class X86Image(Image):
    """A linked file for x86-64."""

    def machine(self, g: Graph, regions: Mapping[str, Region]) -> Machine:
        return X86Machine(g, self, regions)

    def __init__(self, path: Path, isa: ISA = X86) -> None:
        data = path.read_bytes()
        self.isa = isa
        self.digest = hashlib.sha256(data).hexdigest()
        self.decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.registers = REGISTERS
        file = Elf(data)
        self.read_from(file)
        # inductions over parts of messages join states as numbers; compilers branch on no address
        self.anywhere = not any(one.kind == 4 and one.name.endswith(".c") for one in file.symbols)
        self.tables = file.loaded(".data.rel.ro")
        self.elsewhere = {self.symbols[name]: name for name in ELSEWHERE if self.symbols.get(name)}
        self._translated = {}
        self.names = {}
        self._decoded: dict[int, Instruction] = {}

    def patched(self, at: int, data: bytes) -> None:
        super().patched(at, data)
        self._decoded.clear()

    def mnemonic(self, pc: int) -> str:
        return self.instruction(pc).name

    def length(self, pc: int) -> int:
        return self.instruction(pc).length

    def decodes(self, pc: int, one: Instruction) -> None:
        """Take another instruction for the one at an address: a mutant."""
        self._decoded[pc] = one

    def instruction(self, pc: int) -> Instruction:
        """The instruction at an address."""
        if pc not in self._decoded:
            code = next((code for n in range(15, 0, -1) if (code := self.fetched(pc, n))), None)
            if code is None:
                raise RefusedError(nowhere(pc))
            self._decoded[pc] = decoded(self.decoder, code, pc)
        return self._decoded[pc]


def decoded(decoder: capstone.Cs, code: bytes, pc: int) -> Instruction:
    """The first instruction of some bytes."""
    made = next(decoder.disasm_lite(code, pc, 1), None)
    if made is None:
        raise OpenError(f"at {pc:#x} is an instruction that Capstone does not decode")
    _, length, name, text = made
    said = f"{name} {text}".strip()
    prefix, _, rest = name.rpartition(" ")
    if rest == "nop":
        return Instruction("nop", (), "", False, length, pc, said)
    if (prefix, rest) == ("rep", "stosq"):
        rest = name
    elif prefix and (prefix, rest) != ("notrack", "jmp"):
        raise OpenError(f"at {pc:#x}: no rule for {said}")
    mask, zero = "", False
    if found := re.search(r" \{(k[1-7])\}( \{z\})?", text):
        mask, zero = found[1], bool(found[2])
        text = text[: found.start()] + text[found.end() :]
    parts = text.split(", ") if text else []
    ops = tuple(_operand(part, said, pc + length) for part in parts)
    return Instruction(rest, ops, mask, zero, length, pc, said, code[0] == 0x62)


class X86Machine(Machine):
    """One run. Flags are those of the last instruction that set them, and no part of a loop's
    invariant: a run that begins at a loop has none.
    """

    carry: Flags | None = None  # what CF comes of
    flags: Flags | None = None  # what ZF, SF, OF and PF come of
    frame_of: tuple[int, int] | None = None  # of what stack pointer the frame comes, and how

    def forget_flags(self) -> None:
        self.flags = self.carry = None

    # Storage

    def held(self, op: Operand, size: int) -> list[Cell]:
        """The bytes of an operand; a broadcast element is repeated."""
        if op.register is not None:
            return self._row(op.register[0], op.register[1], size)
        if op.number is not None:
            return [(op.number & ((1 << 8 * size) - 1), i, size) for i in range(size)]
        if op.times:
            return self.loaded(op, size // op.times) * op.times
        return self.loaded(op, size)

    def loaded(self, op: Operand, size: int) -> list[Cell]:
        """Bytes of memory."""
        if op.segment:
            if op.segment == "fs" and not op.terms and (op.offset, size) == (CANARY, 8):
                canary = Lin(0, {"canary": 1})
                return [(canary, i, 8) for i in range(8)]
            raise OpenError(f"at {self.pc:#x}: no rule for the segment {op.segment}")
        name, at = self._place(self.address(op), size, "load")
        if not name:
            data = self.image.bytes_at(at, size)
            if data is None:
                raise RefusedError(f"the load at {self.pc:#x} reads {at:#x}, where no constant is")
            return [(byte, 0, 1) for byte in data]
        return self._row(name, at, size)

    def stored(self, op: Operand, cells: Sequence[Cell]) -> None:
        """Put bytes into memory."""
        if op.segment:
            raise OpenError(f"at {self.pc:#x}: no rule for the segment {op.segment}")
        name, at = self._place(self.address(op), len(cells), "store")
        if not name:
            raise RefusedError(f"the store at {self.pc:#x} writes to {at:#x}, a fixed address")
        self.stores.append((name, at, len(cells)))
        place(self.spaces.setdefault(name, {}), at, cells)

    def address(self, op: Operand) -> Value:
        """The address that an operand in memory has."""
        total: Value = op.offset & ((1 << 64) - 1)
        if op.near and self.image.anywhere:
            total = Lin(op.offset, {FILE: 1})
        for name, factor in op.terms:
            value = self.register(name)
            if factor != 1:
                value = self._alu("INT_MULT", [value, factor], [64, 64], 64)
            total = self._alu("INT_ADD", [value, total], [64, 64], 64)
        return total

    def joined(self, cells: list[Cell]) -> Value:
        """Bytes as one value, which stays whole where they are all of it."""
        value, first, size = cells[0]
        if first == 0 and size == len(cells) and len(spans(cells)) == 1:
            return value
        return folded(self.flat(cells))

    def flat(self, cells: list[Cell]) -> Bits:
        """Bytes as bits."""
        return self.g.flat(cells, self.bits)

    def lanes_of(self, op: Operand, size: int, lane: int) -> list[list[Cell]]:
        """An operand of `size` bytes in lanes."""
        cells = self.held(op, size)
        return [cells[i : i + lane] for i in range(0, size, lane)]

    def scalar(self, op: Operand, size: int) -> Value:
        """A general register, memory or a number as one value."""
        return self.joined(self.held(op, size))

    def low_bits(self, op: Operand, mask: int, size: int) -> int | Lin | None:
        """The bits in a mask of the low bytes of an address or count, where they are a number."""
        if op.register is None or size == 8:
            return None
        cells = self.held(op, size)
        if not low_part(cells):
            return None
        found = self._alu("INT_AND", [cells[0][0], mask & ((1 << 8 * size) - 1)], [64, 64], 64)
        return found if isinstance(found, int) else None

    def put(self, op: Operand, value: Value, size: int) -> None:
        """Write a general register or memory; 32 bits clear the upper half of a register."""
        if op.register is None:
            self.stored(op, [(value, i, size) for i in range(size)])
            return
        space, at, _ = op.register
        if size == 4 and isinstance(value, int):
            self.write(space, at, value & 0xFFFFFFFF, 8)
            return
        if size == 4:
            self.write(space, at + 4, 0, 4)
        self.write(space, at, value, size)

    def put_low(self, op: Operand, cells: Sequence[Cell]) -> None:
        """Write the low bytes of a general or mask register and clear the others: what may be only
        a part of an address or count, which nothing may read but by its low bits.
        """
        assert op.register is not None
        space, at, _ = op.register
        place(self.spaces[space], at, [*cells, *[ZERO] * (8 - len(cells))])

    def result(self, one: Instruction, cells: list[Cell], lane: int) -> None:
        """Write a vector under the mask of the instruction; a register is cleared above it."""
        dest = one.ops[0]
        if one.mask:
            cells = self._masked(one, cells, lane)
            if dest.memory:
                return
        if dest.register is None:
            self.stored(dest, cells)
            return
        space, at, size = dest.register
        assert len(cells) <= size, one.text
        cells = cells + [ZERO] * (-len(cells) % 8)
        place(self.spaces[space], at, cells + CLEARED[len(cells) :])

    def _masked(self, one: Instruction, cells: list[Cell], lane: int) -> list[Cell]:
        mask = self.mask_of(one, len(cells) // lane)
        dest = one.ops[0]
        out: list[Cell] = []
        if dest.memory:
            if any(bit > 1 for bit in mask):
                raise OpenError(f"at {self.pc:#x} what is stored depends on a mask of data")
            for i, end in _kept(mask, lane, len(cells)):
                self.stored(_behind(dest, i, end - i), cells[i:end])
            return out
        for n, i in enumerate(range(0, len(cells), lane)):
            new, bit = cells[i : i + lane], mask[n]
            if bit == 1:
                out += new
                continue
            assert dest.register is not None
            space, at, _ = dest.register
            old: list[Cell] = [(0, k, lane) for k in range(lane)]
            if not one.zero:
                whole = Operand(register=(space, at + i, lane), size=lane)
                old = self.held(whole, lane)
            if bit == 0:
                out += old
                continue
            out += self.chosen(bit, new, old)
        return out

    def mask_of(self, one: Instruction, count: int) -> Bits:
        """The bits of an instruction's mask for so many elements: no others are read."""
        size = -(-count // 8)
        return self.flat(self.held(Operand(register=REGISTERS[one.mask], size=8), size))[:count]

    def chosen(self, bit: int, yes: list[Cell], no: list[Cell]) -> list[Cell]:
        """One element by a bit; of two sums that nothing has read it stays a sum."""
        sums = sums_at(yes, no, 0)
        value: Value | None = None
        if sums and yes[0][2] == len(yes):
            value = chosen_sum(self.g, bit, *sums)
        if value is None:
            a, b = self.flat(yes), self.flat(no)
            value = folded(tuple(self.g.choose(bit, x, y) for x, y in zip(a, b, strict=True)))
        return [(value, k, len(yes)) for k in range(len(yes))]

    def active(self, one: Instruction, op: Operand, size: int, lane: int) -> list[Cell]:
        """An operand, of memory only what the mask does not exclude: the rest is not read."""
        if not one.mask or not op.memory:
            return self.held(op, size)
        mask = self.mask_of(one, size // lane)
        out: list[Cell] = [ZERO] * size
        for i, end in _kept(mask, lane, size):
            out[i:end] = self.loaded(_behind(op, i, end - i), end - i)
        return out

    def vector(self, one: Instruction, values: Sequence[Value], lane: int) -> None:
        """Write a vector of lanes."""
        self.result(one, [(v, i, lane) for v in values for i in range(lane)], lane)

    def to_mask(self, one: Instruction, bits: Sequence[int]) -> None:
        """Write a mask register."""
        if one.mask:
            mask = self.mask_of(one, len(bits))
            bits = [self.g.and_(a, b) for a, b in zip(bits, mask, strict=True)]
        dest = one.ops[0].register
        assert dest is not None
        self.write(dest[0], dest[1], folded(tuple(bits) + (0,) * (64 - len(bits))), 8)

    def aligned(self, op: Operand, size: int) -> None:
        """RefusedError where an aligned access may be to an address that is not."""
        address = self.address(op)
        if isinstance(address, int):
            good = address % size == 0
        elif isinstance(address, Lin) and address.t == FILE_PLACE:
            good = self.image.align_at(address.c) % size == 0
        elif isinstance(address, Lin):
            good = address.c % size == 0 and all(
                f * self.alignment.get(s, 1) % size == 0 for s, f in address.t
            )
        else:
            good = False
        if not good:
            raise RefusedError(f"at {self.pc:#x}: {size} bytes at {address} are not aligned")

    # Execution

    def align_stack(self, value: Lin, mask: int) -> Value:
        """A stack pointer that is aligned to more than a call gives: below it is a new region. In
        that region a function that is called may align it again, to no more than the region is.
        """
        room = -mask
        if room & (room - 1):
            raise OpenError(f"at {self.pc:#x}: no rule for the alignment of {value} to {room}")
        if value.factors == {"frame": 1} and self.alignment["frame"] % room == 0:
            return Lin(value.c - value.c % room, {"frame": 1})
        if value.factors == {"stack": 1} and self.frame_of == (value.c, room):
            return Lin(0, {"frame": 1})  # a second call from the same place
        if value.factors == {"stack": 1} and room <= 16:  # a call gives as much
            return Lin(value.c - value.c % room, {"stack": 1})
        if value.factors != {"stack": 1} or room not in (32, 64) or value.c > 0:
            raise OpenError(f"at {self.pc:#x}: no rule for the alignment of {value} to {room}")
        if "frame" in self.regions:
            self._frame_gone(value.c)
        self.frame_of = (value.c, room)
        low = self.regions["stack"].low
        self.regions["stack"] = Region(value.c, self.regions["stack"].high, "rw", 16)
        self.regions["frame"] = Region(low, 0, "rw", room)
        self.alignment["frame"] = room
        self.bounds["frame"] = (
            1 - self.regions["frame"].low,
            (1 << 64) - 1,
        )  # no byte of it is at address 0
        return Lin(0, {"frame": 1})

    def _frame_gone(self, lowest: int) -> None:
        """A function that aligned its stack pointer has returned: what lay below the stack pointer
        is gone, and nobody may use an address of it.
        """
        gone = Unreadable("an address in the frame of a function that has returned is used")
        for cells in self.spaces.values():
            for at, (value, i, size) in cells.items():
                if isinstance(value, Lin) and "frame" in value.factors:
                    cells[at] = (gone, i, size)
        low = self.regions.pop("frame").low
        self.bounds.pop("frame", None)
        self.regions["stack"] = Region(low, self.regions["stack"].high, "rw", 16)
        self.spaces["frame"] = {}
        held = self.spaces.get("stack", {})
        self.spaces["stack"] = {at: cell for at, cell in held.items() if at >= lowest}

    def step(self, pc: int) -> Value:
        """Run one instruction; the address of the next."""
        self.touched: list[tuple[str, int]] = []
        self.alignment[FILE] = self.image.placed
        before = self.register("sp")
        following = self._step(pc)
        after = self.register("sp")
        for name, lowest in self.touched:
            self._within_stack(name, lowest, (before, after))
        held = [lowest for name, lowest in self.touched if name == "stack"]
        self.deepest = min(held, default=None)
        self.lowered(after)
        return in_file(following)

    def _within_stack(self, name: str, lowest: int, pointers: Sequence[Value]) -> None:
        for sp in pointers:
            if (
                not isinstance(sp, Lin)
                or len(sp.t) != 1
                or sp.t[0] not in (("stack", 1), ("frame", 1))
            ):
                raise RefusedError(f"at {self.pc:#x} the stack pointer is none any more")
            if sp.factors == {name: 1} and lowest >= sp.c - RED_ZONE:
                return
            if name == "stack" and sp.factors == {"frame": 1}:
                return  # the region ends where the frame begins
        raise RefusedError(f"at {self.pc:#x} the kernel uses memory below the stack pointer")

    def _place(self, address: Value, size: int, what: str) -> tuple[str, int]:
        if what == "store" and "frame" in self.regions and isinstance(address, Lin):
            sp = self.register("sp")
            below = address.factors == {"stack": 1} and address.c < self.regions["stack"].low
            if below and isinstance(sp, Lin) and sp.factors == {"stack": 1}:
                self._frame_gone(self.regions["stack"].low)  # its function has returned
                self.frame_of = None
        name, at = super()._place(address, size, what)
        if name in ("stack", "frame"):
            self.touched.append((name, at))
        return name, at

    def _step(self, pc: int) -> Value:
        self.pc = pc
        one = self.image.instruction(pc)  # type: ignore[attr-defined]
        self.executed.add(pc)
        self.count += 1
        if self.count > 60_000:
            raise OpenError("more than 60000 instructions in one run")
        if self.count % 256 == 0:
            self.g.check()
        rule = RULES.get(one.name)
        if rule is None or one.form not in forms():
            raise OpenError(f"at {pc:#x}: no rule for {one.text} (the form {one.form})")
        if one.mask and one.name not in MASKABLE:
            raise OpenError(f"at {pc:#x}: no rule for {one.text} under a mask")
        following = rule(self, one)
        return one.following if following is None else following

    def called_elsewhere(self, name: str) -> None:
        """A call of a function that the file does not have; the linker leaves 0 where it is none of
        `ELSEWHERE`. hanji_wipe puts zeros into memory, hanji_wipe_stack below the stack pointer,
        memset and memcpy do what C says; what a function need not give back is gone.
        """
        sp = self.register("sp")
        if name not in ELSEWHERE or not isinstance(sp, Lin) or sp.c % 16:
            raise OpenError(f"at {self.pc:#x} a function of another file is called")
        target = self.register("rdi")
        if name == "hanji_wipe":
            self._filled(self.register("rsi"), ZERO)
        elif name == "memset":
            self._filled(self.register("rdx"), self.held(_low("rsi"), 1)[0])
        elif name in BYTES:
            self._copied(self.register("rdx"), name)
        ((space, _),) = sp.t
        held = self.spaces.get(space, {})
        for at in [at for at in held if at < sp.c]:
            del held[at]
        self.forget_flags()
        kept = {REGISTERS[name] for name in (*X86.saved, "rsp")}
        whole = {
            node for node in REGISTERS.values() if node[2] == (64 if node[1] >= VECTORS else 8)
        }
        for _, at, size in whole - kept:
            for i in range(size):
                self.spaces["register"][at + i] = (GONE, 0, 1)
        if name in BYTES:
            self.set_register("rax", target)

    def _filled(self, size: Value, cell: Cell) -> None:
        """So many bytes from rdi on are the same."""
        if not isinstance(size, int) or size > FRAME_MOST:
            raise OpenError(f"at {self.pc:#x} {size} bytes are wiped or set")
        if size:
            self.stored(Operand(size=size, terms=(("rdi", 1),)), [cell] * size)

    def _copied(self, size: Value, name: str) -> None:
        """So many bytes from rsi on are copied to rdi, where they may not overlap; __memcpy_chk has
        the most that fit in rcx, and ends the program where these are fewer.
        """
        target, source = (self.register(register) for register in ("rdi", "rsi"))
        if not isinstance(size, int) or size > FRAME_MOST:
            raise OpenError(f"at {self.pc:#x} {size} bytes are copied")
        if name == "__memcpy_chk":
            most = self.register("rcx")
            if not isinstance(most, int) or most < size:
                raise RefusedError(f"at {self.pc:#x} {size} bytes are copied to {most}")
        if not size:
            return
        if not isinstance(target, int | Lin) or not isinstance(source, int | Lin):
            raise RefusedError(f"at {self.pc:#x} data are copied from or to an address of data")
        gap = combined(target, source, -1, 64)
        if isinstance(gap, int) and abs(signed(gap, 64)) < size:
            raise RefusedError(f"at {self.pc:#x} {size} bytes are copied onto themselves")
        self.stored(Operand(size=size, terms=(("rdi", 1),)), self._with_gaps(size))

    def _with_gaps(self, size: int) -> list[Cell]:
        """Bytes from rsi on. Where they are of the stack, some may have no value, and have none
        where they are copied to: a structure has gaps.
        """
        from_here = Operand(size=size, terms=(("rsi", 1),))
        space, at = self._place(self.address(from_here), size, "load")
        if space not in ("stack", "frame"):
            return self.loaded(from_here, size)
        held = self.spaces.get(space, {})
        return [held.get(place, UNSET) for place in range(at, at + size)]

    def below(self, a: Bits, b: Bits) -> int:
        """Whether an element of a vector is less than another one."""
        return less(self.g, a, b)

    def taken(self, condition: str) -> bool:
        """Whether a branch is taken; its condition must be public."""
        return self._taken(self.condition(condition))

    def condition(self, name: str) -> Value:
        """A condition: a number, a condition on public values, or a bit of data."""
        negated = name in NEGATED
        value = self._condition(NEGATED.get(name, name))
        return self._alu("BOOL_NEGATE", [value], [8], 8) if negated else value

    def _condition(self, name: str) -> Value:
        if name == "b":
            return _set(self.carry, self).below(self)
        if name == "be":
            if self.carry is self.flags:
                return _set(self.carry, self).below_or_equal(self)
            parts = [_set(self.carry, self).below(self), _set(self.flags, self).equal(self)]
            return self._alu("BOOL_OR", parts, [8, 8], 8)
        flags = _set(self.flags, self)
        rules = {"e": flags.equal, "s": flags.sign, "l": flags.less, "le": flags.less_or_equal}
        if name not in rules:
            raise OpenError(f"at {self.pc:#x}: no rule for the condition {name}")
        return rules[name](self)


def _low(name: str) -> Operand:
    """The low byte of a register."""
    space, at, _ = REGISTERS[name]
    return Operand(register=(space, at, 1), size=1)


def _kept(mask: Bits, lane: int, size: int) -> Iterator[tuple[int, int]]:
    """The bytes of elements that a mask does not exclude, neighbours together."""
    n, count = 0, size // lane
    while n < count:
        end = n
        while end < count and mask[end]:
            end += 1
        if end > n:
            yield n * lane, end * lane
        n = end + 1


def _behind(op: Operand, at: int, size: int) -> Operand:
    """A part of an operand in memory."""
    return replace(op, size=size, offset=op.offset + at, times=0)


NEGATED = {"ne": "e", "ae": "b", "a": "be", "ns": "s", "ge": "l", "g": "le"}


@dataclass(frozen=True)
class Flags:
    """What flags come of: a difference, a sum, or a result alone. `width` in bits."""

    kind: str  # sub, add, logic; kept: nothing may read them
    a: Value
    b: Value
    result: Value
    width: int

    def _of(self, m: X86Machine, name: str, a: Value, b: Value) -> Value:
        if self.kind == "kept":
            raise OpenError(f"at {m.pc:#x} a flag is read that is not defined")
        return m._alu(name, [a, b], [self.width, self.width], 8)

    def equal(self, m: X86Machine) -> Value:
        """ZF."""
        if self.kind == "sub":
            return self._of(m, "INT_EQUAL", self.a, self.b)
        return self._of(m, "INT_EQUAL", self.result, 0)

    def below(self, m: X86Machine) -> Value:
        """CF."""
        if self.kind == "logic":
            return 0
        return self._of(m, "INT_LESS" if self.kind == "sub" else "INT_CARRY", self.a, self.b)

    def below_or_equal(self, m: X86Machine) -> Value:
        """CF or ZF."""
        if self.kind == "sub":
            return self._of(m, "INT_LESSEQUAL", self.a, self.b)
        return m._alu("BOOL_OR", [self.below(m), self.equal(m)], [8, 8], 8)

    def sign(self, m: X86Machine) -> Value:
        """SF."""
        return self._of(m, "INT_SLESS", self.result, 0)

    def overflow(self, m: X86Machine) -> Value:
        """OF."""
        if self.kind == "logic":
            return 0
        if self.kind == "shift":
            raise OpenError(f"at {m.pc:#x} a flag is read that is not defined")
        name = "INT_SBORROW" if self.kind == "sub" else "INT_SCARRY"
        return self._of(m, name, self.a, self.b)

    def less(self, m: X86Machine) -> Value:
        """SF other than OF."""
        if self.kind == "sub":
            return self._of(m, "INT_SLESS", self.a, self.b)
        return m._alu("BOOL_XOR", [self.sign(m), self.overflow(m)], [8, 8], 8)

    def less_or_equal(self, m: X86Machine) -> Value:
        """That, or ZF."""
        if self.kind == "sub":
            return self._of(m, "INT_SLESSEQUAL", self.a, self.b)
        return m._alu("BOOL_OR", [self.less(m), self.equal(m)], [8, 8], 8)


KEPT = Flags("kept", 0, 0, 0, 64)


def _set(flags: Flags | None, m: X86Machine) -> Flags:
    if flags is None:
        raise OpenError(f"at {m.pc:#x} a flag is read that nothing has set")
    return flags


# Rules. Each takes the machine and the instruction; it gives the next address where it jumps.

Rule = Callable[[X86Machine, Instruction], "Value | None"]
RULES: dict[str, Rule] = {}
MASKABLE: set[str] = set()


def _rule(*names: str, mask: bool = False) -> Callable[[Rule], Rule]:
    def kept(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        if mask:
            MASKABLE.update(names)
        return rule

    return kept


def _same_register(one: Instruction) -> bool:
    return one.ops[0].register is not None and one.ops[0] == one.ops[1]


@_rule("nop", "endbr64", "cld", "prefetcht0", "prefetcht1", "prefetchnta")
def _nothing(m: X86Machine, one: Instruction) -> None:
    """CLD leaves the direction as it is at a call. Prefetches of any address are allowed, but none
    whose address depends on data.
    """
    if one.name.startswith("prefetch") and not isinstance(m.address(one.ops[0]), int | Lin):
        raise RefusedError(f"at {m.pc:#x} the address of a prefetch depends on data")


@_rule("rep stosq")
def _stores(m: X86Machine, one: Instruction) -> None:
    """The same eight bytes so many times, upwards: at a call the direction is clear."""
    count = m.register("rcx")
    if isinstance(count, Lin) or not isinstance(count, int) or count > FRAME_MOST:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text} of {count}")
    cells = m.held(Operand(register=REGISTERS["rax"], size=8), 8)
    for i in range(count):
        m.stored(_behind(Operand(size=8, terms=(("rdi", 1),)), 8 * i, 8), cells)
    to = m._alu("INT_ADD", [m.register("rdi"), 8 * count], [64, 64], 64)
    m.set_register("rdi", to)
    m.set_register("rcx", 0)


def _size(one: Instruction) -> int:
    return one.ops[0].size


@_rule("mov", "movabs")
def _mov(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    cells = m.held(one.ops[1], size)
    if one.ops[0].memory:
        m.stored(one.ops[0], cells)
    elif size == 8:
        assert one.ops[0].register is not None
        into = m.spaces["register"]
        for i, cell in enumerate(cells):
            into[one.ops[0].register[1] + i] = cell
    elif size == 4 and low_part(cells) and not fits(cells[0][0], 32, m.bounds):
        m.put_low(one.ops[0], cells)
    else:
        value = m.joined(cells)
        m.put(one.ops[0], value, size)


def low_part(cells: Sequence[Cell]) -> TypeGuard[Sequence[tuple[Lin, int, int]]]:
    """Whether these are the low bytes of an address or count of 64 bits."""
    value = cells[0][0]
    return isinstance(value, Lin) and all(
        cell[0] is value and cell[1:] == (i, 8) for i, cell in enumerate(cells)
    )


@_rule("movzx", "movsx", "movsxd")
def _extend(m: X86Machine, one: Instruction) -> None:
    size, source = _size(one), one.ops[1].size
    value = m.bits(m.scalar(one.ops[1], source), 8 * source)
    top = 0 if one.name == "movzx" else value[-1]
    m.put(one.ops[0], folded(value + (top,) * (8 * (size - source))), size)


@_rule("cdqe")
def _cdqe(m: X86Machine, one: Instruction) -> None:
    value = m.bits(m.register("eax"), 32)
    m.set_register("rax", folded(value + (value[-1],) * 32))


@_rule("lea")
def _lea(m: X86Machine, one: Instruction) -> None:
    value, size = m.address(one.ops[1]), _size(one)
    if size == 4 and isinstance(value, Lin):
        m.put_low(one.ops[0], [(value, i, 8) for i in range(8 if fits(value, 32, m.bounds) else 4)])
        return
    if size != 8:
        value = folded(m.bits(value, 64)[: 8 * size])
    m.put(one.ops[0], value, size)


def _arithmetic(m: X86Machine, one: Instruction, kind: str, keep: bool = True) -> None:
    size = _size(one)
    a: Value = 0
    b: Value = 0
    if kind == "add" or len(one.ops) == 1 or not _same_register(one):
        a = m.scalar(one.ops[0], size)
        b = m.scalar(one.ops[1], size) if len(one.ops) > 1 else 1
    name = {"sub": "INT_SUB", "add": "INT_ADD"}[kind]
    result = m._alu(name, [a, b], [8 * size, 8 * size], 8 * size)
    made = Flags(kind, a, b, result, 8 * size)
    m.flags = made
    if one.name not in ("inc", "dec"):
        m.carry = made
    if keep:
        m.put(one.ops[0], result, size)


@_rule("sbb")
def _borrowed(m: X86Machine, one: Instruction) -> None:
    """A register less another value and the carry; less itself, ones where the carry is set, which
    stays.
    """
    size = _size(one)
    width = 8 * size
    carry = m.condition("b")
    if isinstance(carry, Cond):
        carry = int(carry.decide(m.bounds))
    bit = carry if isinstance(carry, int) else m.bits(carry, 8)[0]
    if _same_register(one):
        m.flags = KEPT
        m.put(one.ops[0], folded((bit,) * width), size)
        return
    a, b = m.scalar(one.ops[0], size), m.scalar(one.ops[1], size)
    result = m._alu("INT_SUB", [a, b], [width, width], width)
    if bit:
        borrow = folded((bit, *(0,) * (width - 1)))
        result = m._alu("INT_SUB", [result, borrow], [width, width], width)
    m.flags = m.carry = KEPT
    m.put(one.ops[0], result, size)


_rule("add", "inc")(lambda m, one: _arithmetic(m, one, "add"))
_rule("sub", "dec")(lambda m, one: _arithmetic(m, one, "sub"))
_rule("cmp")(lambda m, one: _arithmetic(m, one, "sub", False))


@_rule("and", "or", "xor", "test")
def _logic(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    width = 8 * size
    if one.name == "xor" and _same_register(one):
        m.flags = m.carry = Flags("logic", 0, 0, 0, width)
        m.put(one.ops[0], 0, size)
        return
    if one.name in ("and", "test") and one.ops[1].number is not None:
        bits = m.low_bits(one.ops[0], one.ops[1].number, size)
        if bits is not None:
            m.flags = m.carry = Flags("logic", 0, 0, bits, width)
            if one.name == "and":
                m.put(one.ops[0], bits, size)
            return
    a, b = m.scalar(one.ops[0], size), m.scalar(one.ops[1], size)
    name = {"and": "INT_AND", "test": "INT_AND", "or": "INT_OR", "xor": "INT_XOR"}[one.name]
    if _same_register(one):
        result = a
    elif (
        one.name == "and"
        and one.ops[0].register == REGISTERS["rsp"]
        and isinstance(a, Lin)
        and isinstance(b, int)
    ):
        aligned = -(~b & ((1 << 64) - 1)) - 1
        lowest = (~b & ((1 << 64) - 1)) + 1
        known = (
            lowest & (lowest - 1) == 0
            and a.c % lowest == 0
            and all(f * m.alignment.get(s, 1) % lowest == 0 for s, f in a.t)
        )
        result = a if known else m.align_stack(a, aligned)
    else:
        result = m._alu(name, [a, b], [width, width], width)
    m.flags = m.carry = Flags("logic", 0, 0, result, width)
    if one.name != "test":
        m.put(one.ops[0], result, size)


@_rule("not", "neg")
def _complement(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    width = 8 * size
    a = m.scalar(one.ops[0], size)
    if one.name == "not":
        m.put(one.ops[0], m._alu("INT_NEGATE", [a], [width], width), size)
        return
    result = m._alu("INT_2COMP", [a], [width], width)
    m.flags = m.carry = Flags("sub", 0, a, result, width)
    m.put(one.ops[0], result, size)


@_rule("shl", "shr", "sar")
def _shift(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    width = 8 * size
    n = m.number(m.scalar(one.ops[1], 1)) if len(one.ops) > 1 else 1
    n &= 63 if size == 8 else 31
    a = m.scalar(one.ops[0], size)
    if n == 0:
        m.put(one.ops[0], a, size)
        return
    name = {"shl": "INT_LEFT", "shr": "INT_RIGHT", "sar": "INT_SRIGHT"}[one.name]
    if isinstance(a, Quotient) and name == "INT_RIGHT" and size == 8:
        m.flags = m.carry = KEPT
        m.put(one.ops[0], a.shifted(m, n), size)
        return
    result = m._alu(name, [a, n], [width, width], width)
    # of the flags ZF and SF are given, and CF of a number: others behind a shift are left open
    m.flags = Flags("shift", 0, 0, result, width)
    m.carry = KEPT
    if isinstance(a, int) and n <= width:
        last = a >> (width - n if one.name == "shl" else n - 1) & 1
        m.carry = Flags("sub", 0, last, 0, 8)  # which is whether 0 is below it
    m.put(one.ops[0], result, size)


@_rule("shlx", "shrx", "sarx")
def _shift_alone(m: X86Machine, one: Instruction) -> None:
    """Without flags, by a public number."""
    size = _size(one)
    n = m.number(m.scalar(one.ops[2], 1)) & (8 * size - 1)  # nothing else of it is read
    a = m.scalar(one.ops[1], size)
    name = {"shlx": "INT_LEFT", "shrx": "INT_RIGHT", "sarx": "INT_SRIGHT"}[one.name]
    m.put(one.ops[0], m._alu(name, [a, n], [8 * size] * 2, 8 * size) if n else a, size)


@_rule("rol", "ror", "rorx")
def _rotate(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    n = m.number(m.scalar(one.ops[-1], 1)) if len(one.ops) > 1 else 1
    source = one.ops[1] if one.name == "rorx" else one.ops[0]
    n &= 63 if size == 8 else 31
    if one.name != "rorx" and n:  # by its own width, too, a rotation sets CF
        m.carry = KEPT
        m.flags = KEPT
    n %= 8 * size
    bits = m.bits(m.scalar(source, size), 8 * size)
    if one.name == "rol":
        n = (8 * size - n) % (8 * size)
    m.put(one.ops[0], folded(bits[n:] + bits[:n]), size)


@_rule("shrd")
def _shift_double(m: X86Machine, one: Instruction) -> None:
    """The lower bits of two registers in a row, shifted by a public number."""
    size = _size(one)
    width = 8 * size
    n = m.number(m.scalar(one.ops[2], 1)) & (63 if size == 8 else 31)
    if not 0 < n < width:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    low, high = (m.bits(m.scalar(op, size), width) for op in one.ops[:2])
    m.flags = m.carry = KEPT
    m.put(one.ops[0], folded((low + high)[n : n + width]), size)


@_rule("bt")
def _bit(m: X86Machine, one: Instruction) -> None:
    """A bit of a register, at a public place, becomes the carry."""
    size = _size(one)
    if one.ops[0].memory:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    n = m.number(m.scalar(one.ops[1], size)) & (8 * size - 1)
    bit = folded((m.bits(m.scalar(one.ops[0], size), 8 * size)[n], *(0,) * 7))
    m.flags = KEPT
    m.carry = Flags("sub", 0, bit, 0, 8)  # which is whether 0 is below it


@_rule("andn")
def _andn(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    a = m.bits(m.scalar(one.ops[1], size), 8 * size)
    b = m.bits(m.scalar(one.ops[2], size), 8 * size)
    result = folded(and_(m.g, not_(a), b))
    m.flags = m.carry = Flags("logic", 0, 0, result, 8 * size)
    m.put(one.ops[0], result, size)


@_rule("imul")
def _imul(m: X86Machine, one: Instruction) -> None:
    if len(one.ops) < 2:
        _mul(m, one)
        return
    size = _size(one)
    width = 8 * size
    a, b = (m.scalar(op, size) for op in one.ops[-2:])
    if not isinstance(b, int):
        a, b = b, a
    m.put(one.ops[0], m._alu("INT_MULT", [a, b], [width, width], width), size)
    m.flags = m.carry = KEPT


class Quotient(Unreadable):
    """The upper half of a count times a number, which a shift makes a quotient."""

    __slots__ = ("count", "factor")

    def __init__(self, count: Lin, factor: int) -> None:
        super().__init__("the upper half of a product of a count is read")
        self.count, self.factor = count, factor

    def shifted(self, m: X86Machine, n: int) -> int | Lin:
        """The product shifted to the right by 64 + n bits, where that is the count divided by d: of
        d the factor is 2^(64 + n) / d, rounded up, by at most 2^n / d. Then the quotient is right
        for every number of 64 bits (Granlund and Montgomery, 1994).
        """
        size = 1 << (64 + n)
        d = -(-size // self.factor)
        x = self.count
        right = 0 <= self.factor * d - size <= 1 << n and fits(x, 64, m.bounds)
        if not right or any(f % d for _, f in x.t):
            raise OpenError(f"at {m.pc:#x}: no rule for this division of {x}")
        return made(x.c // d, {s: f // d for s, f in x.t}, 64)


@_rule("div")
def _div(m: X86Machine, one: Instruction) -> None:
    """Of public numbers alone: its time depends on the operands."""
    size = _size(one)
    low, high = (REGISTERS[name] for name in {8: ("rax", "rdx"), 4: ("eax", "edx")}.get(size, ""))
    values = [
        m.scalar(op, size)
        for op in (Operand(register=low, size=size), Operand(register=high, size=size), one.ops[0])
    ]
    if any(not isinstance(value, int | Lin) for value in values):
        raise RefusedError(f"at {m.pc:#x}: the time of a division depends on data")
    numbers = [value & ((1 << 8 * size) - 1) for value in values if isinstance(value, int)]
    if len(numbers) < 3 or not numbers[1] < numbers[2]:  # a quotient with more bits is a fault
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    quotient, rest = divmod(numbers[1] << 8 * size | numbers[0], numbers[2])
    m.put(Operand(register=low, size=size), quotient, size)
    m.put(Operand(register=high, size=size), rest, size)
    m.flags = m.carry = KEPT


@_rule("mul", "mulx")
def _mul(m: X86Machine, one: Instruction) -> None:
    """Both halves of a product of public numbers, or of a count and a number."""
    size, signs = _size(one), one.name == "imul"
    factor = "rdx" if one.name == "mulx" else "rax"
    low, high = (Operand(register=REGISTERS[name], size=8) for name in ("rax", "rdx"))
    if one.name == "mulx":
        high, low = one.ops[:2]
    a, b = m.scalar(Operand(register=REGISTERS[factor], size=8), 8), m.scalar(one.ops[-1], 8)
    if size != 8:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    if isinstance(a, int) and isinstance(b, int):
        total = signed(a, 64) * signed(b, 64) if signs else a * b
        m.put(low, total & ((1 << 64) - 1), 8)
        m.put(high, total >> 64 & ((1 << 64) - 1), 8)
    else:
        if isinstance(a, int):
            a, b = b, a
        if one.name != "mul" or not isinstance(a, Lin) or not isinstance(b, int):
            raise OpenError(f"at {m.pc:#x}: no rule for {one.text} of data")
        m.set_register("rax", scaled(a, b, 64))
        m.set_register("rdx", Quotient(a, b))
    if one.name != "mulx":
        m.flags = m.carry = KEPT


@_rule("bswap")
def _bswap(m: X86Machine, one: Instruction) -> None:
    size = _size(one)
    bits = m.bits(m.scalar(one.ops[0], size), 8 * size)
    m.put(
        one.ops[0],
        folded(tuple(x for i in reversed(range(size)) for x in bits[8 * i : 8 * i + 8])),
        size,
    )


@_rule("xchg")
def _xchg(m: X86Machine, one: Instruction) -> None:
    if one.ops[0].memory or one.ops[1].memory:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    size = _size(one)
    a, b = m.scalar(one.ops[0], size), m.scalar(one.ops[1], size)
    m.put(one.ops[0], b, size)
    m.put(one.ops[1], a, size)


RSP = Operand(register=REGISTERS["rsp"], size=8)


def _pushed(m: X86Machine, cells: Sequence[Cell]) -> None:
    sp = m.register("rsp")
    if not isinstance(sp, int | Lin):
        raise RefusedError(f"at {m.pc:#x} the stack pointer is none any more")
    m.set_register("rsp", combined(sp, 8, -1, 64))
    m.stored(Operand(size=8, terms=(("rsp", 1),)), cells)


def _popped(m: X86Machine) -> list[Cell]:
    cells = m.loaded(Operand(size=8, terms=(("rsp", 1),)), 8)
    sp = m.register("rsp")
    if not isinstance(sp, int | Lin):
        raise RefusedError(f"at {m.pc:#x} the stack pointer is none any more")
    m.set_register("rsp", combined(sp, 8, 1, 64))
    return cells


@_rule("push")
def _push(m: X86Machine, one: Instruction) -> None:
    if one.ops[0].number is None and one.ops[0].size != 8:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    _pushed(m, m.held(one.ops[0], 8))


@_rule("pop")
def _pop(m: X86Machine, one: Instruction) -> None:
    if one.ops[0].register is None or one.ops[0].size != 8:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    cells = _popped(m)
    for i, cell in enumerate(cells):
        m.spaces["register"][one.ops[0].register[1] + i] = cell


@_rule("leave")
def _leave(m: X86Machine, one: Instruction) -> None:
    m.set_register("rsp", m.register("rbp"))
    cells = _popped(m)
    for i, cell in enumerate(cells):
        m.spaces["register"][REGISTERS["rbp"][1] + i] = cell


@_rule("call")
def _call(m: X86Machine, one: Instruction) -> Value | None:
    target = in_file(m.scalar(one.ops[0], 8))
    if target == 0 or target in m.image.elsewhere:  # type: ignore[attr-defined]
        m.called_elsewhere(m.image.elsewhere.get(target, ""))  # type: ignore[attr-defined]
        return None
    back = Lin(one.following, {FILE: 1}) if m.image.anywhere else one.following
    _pushed(m, [(back, i, 8) for i in range(8)])
    return target


@_rule("ret")
def _ret(m: X86Machine, one: Instruction) -> Value:
    if one.ops:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    return m.joined(_popped(m))


@_rule("jmp")
def _jmp(m: X86Machine, one: Instruction) -> Value:
    return m.scalar(one.ops[0], 8)


def _conditional(name: str) -> None:
    def jump(m: X86Machine, one: Instruction) -> Value | None:
        return one.ops[0].number if m.taken(name) else None

    def chosen(m: X86Machine, one: Instruction) -> None:
        size = _size(one)
        old, new = m.scalar(one.ops[0], size), m.scalar(one.ops[1], size)
        which = m.condition(name)
        if not isinstance(which, tuple | Flag):
            m.put(one.ops[0], new if m._taken(which) else old, size)
            return
        bit = m.bits(which, 8)[0]
        a, b = m.bits(new, 8 * size), m.bits(old, 8 * size)
        made = tuple(m.g.choose(bit, x, y) for x, y in zip(a, b, strict=True))
        m.put(one.ops[0], folded(made), size)

    def given(m: X86Machine, one: Instruction) -> None:
        m.put(one.ops[0], m.condition(name), 1)

    RULES[f"j{name}"], RULES[f"cmov{name}"], RULES[f"set{name}"] = jump, chosen, given


for _name in ("e", "b", "be", "s", "l", "le", *NEGATED):
    _conditional(_name)


# Vectors

WORDS = {"b": 1, "w": 2, "d": 4, "q": 8}


def _move(lane: int, aligned: bool = False) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        dest, source = one.ops
        size = dest.size
        for op in (dest, source):
            if aligned and op.memory:
                m.aligned(op, size)
        m.result(one, m.active(one, source, size, lane), lane)

    return rule


for _name, _lane in (("8", 1), ("16", 2), ("32", 4), ("64", 8)):
    _rule(f"vmovdqu{_name}", mask=True)(_move(_lane))
for _name, _lane in (("32", 4), ("64", 8)):
    _rule(f"vmovdqa{_name}", mask=True)(_move(_lane, True))
_rule("vmovdqu", "vmovups", "vmovupd")(_move(8))
_rule("vmovdqa", "vmovaps", "vmovapd")(_move(8, True))


@_rule("vmovd", "vmovq", "vmovss", "vmovsd")
def _vmov_low(m: X86Machine, one: Instruction) -> None:
    """The lowest element, the others cleared; between vectors vmovss and vmovsd do otherwise."""
    if len(one.ops) != 2:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    size = {"vmovd": 4, "vmovss": 4}.get(one.name, 8)
    dest, source = one.ops
    cells = m.held(source, size)
    if dest.memory:
        m.stored(dest, cells)
    elif dest.register and dest.register[1] >= VECTORS:
        m.vector(one, [m.joined(cells)], size)
    else:
        m.put(dest, m.joined(cells), size)


@_rule("vmovlpd", "vmovlps", "vmovhpd", "vmovhps")
def _vmov_half(m: X86Machine, one: Instruction) -> None:
    if not one.ops[0].memory:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text}")
    source = one.ops[1]
    cells = m.held(source, 16)
    m.stored(one.ops[0], cells[:8] if "movl" in one.name else cells[8:])


@_rule("vzeroupper")
def _vzeroupper(m: X86Machine, one: Instruction) -> None:
    for i in range(16):
        for at in range(16, 64, 8):
            m.write("register", VECTORS + 64 * i + at, 0, 8)


def _bitwise(what: str, lane: int) -> Rule:
    """Bit by bit; ~ is an AND whose first operand is complemented."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        if one.ops[1] == one.ops[2] and what == "^":
            m.vector(one, [0] * (size // lane), lane)
            return
        x, y = (m.held(op, size) for op in one.ops[1:])
        m.result(one, m.g.bitwise(what, x, y, lane, m.bits), lane)

    return rule


def _and_not(g: Graph, a: Bits, b: Bits) -> Bits:
    return and_(g, not_(a), b)


def _equal_bits(g: Graph, a: Bits, b: Bits) -> Bits:
    return not_(xor(g, a, b))


for _name, _what in (("xor", "^"), ("and", "&"), ("or", "|"), ("andn", "~")):
    RULES[f"vp{_name}"] = RULES[f"v{_name}pd"] = _bitwise(_what, 8)
    RULES[f"v{_name}ps"] = _bitwise(_what, 4)
    for _letter in "dq":
        _rule(f"vp{_name}{_letter}", mask=True)(_bitwise(_what, WORDS[_letter]))


def _ternary(lane: int) -> Rule:
    """A function of three bits, by its table, as a sum of products of them."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        table = one.ops[3].number
        assert table is not None
        table &= 255
        products = [
            sum(table >> i & 1 for i in range(8) if i & of == i) & 1 for of in range(8)
        ]  # of bit 2, the destination, bit 1, the second and bit 0, the third operand
        if not any(products[1:]):
            m.vector(one, [(1 << 8 * lane) - 1 if products[0] else 0] * (size // lane), lane)
            return
        x, y, z = (m.held(op, size) for op in one.ops[:3])
        chosen = sum(bit << of for of, bit in enumerate(products))
        m.result(one, m.g.table(chosen, x, y, z, lane, m.bits), lane)

    return rule


_rule("vpternlogd", mask=True)(_ternary(4))
_rule("vpternlogq", mask=True)(_ternary(8))


def _each(lane: int, make: Callable[[X86Machine, Value, Value], Value]) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        a, b = (m.lanes_of(op, size, lane) for op in one.ops[1:])
        m.vector(
            one,
            [make(m, m.joined(x), m.joined(y)) for x, y in zip(a, b, strict=True)],
            lane,
        )

    return rule


def _added(width: int) -> Callable[[X86Machine, Value, Value], Value]:
    """A sum stays one when a number is added to it."""

    def make(m: X86Machine, a: Value, b: Value) -> Value:
        if isinstance(b, Sum):
            a, b = b, a
        if isinstance(a, Sum) and isinstance(b, int):
            return a.plus((number_bits(b, width),))
        return m._alu("INT_ADD", [a, b], [width, width], width)

    return make


def _of_alu(name: str, width: int) -> Callable[[X86Machine, Value, Value], Value]:
    return lambda m, a, b: m._alu(name, [a, b], [width, width], width)


def _saturated(width: int) -> Callable[[X86Machine, Value, Value], Value]:
    def make(m: X86Machine, a: Value, b: Value) -> Value:
        p, q = m.bits(a, width), m.bits(b, width)
        below = less(m.g, p, q)
        gap = m.bits(m._alu("INT_SUB", [folded(p), folded(q)], [width, width], width), width)
        return folded(tuple(m.g.and_(x, below ^ 1) for x in gap))

    return make


def _most_of(width: int) -> Callable[[X86Machine, Value, Value], Value]:
    """A sum, or the greatest number where that is less."""

    def make(m: X86Machine, a: Value, b: Value) -> Value:
        p, q = m.bits(a, width), m.bits(b, width)
        total = m.bits(m._alu("INT_ADD", [folded(p), folded(q)], [width, width], width), width)
        carry = carry_out(m.g, p, q)
        return folded(tuple(m.g.or_(x, carry) for x in total))

    return make


def _chosen(width: int, signed: bool, most: bool) -> Callable[[X86Machine, Value, Value], Value]:
    def make(m: X86Machine, a: Value, b: Value) -> Value:
        p, q = m.bits(a, width), m.bits(b, width)
        below = less(m.g, _flipped(p), _flipped(q)) if signed else less(m.g, p, q)
        which = below ^ 1 if most else below
        return folded(tuple(m.g.choose(which, x, y) for x, y in zip(p, q, strict=True)))

    return make


for _letter, _lane in WORDS.items():
    _rule(f"vpadd{_letter}", mask=True)(_each(_lane, _added(8 * _lane)))
    _rule(f"vpsub{_letter}", mask=True)(_each(_lane, _of_alu("INT_SUB", 8 * _lane)))
    for _most in (False, True):
        _name = f"vp{'max' if _most else 'min'}"
        _rule(f"{_name}u{_letter}", mask=True)(_each(_lane, _chosen(8 * _lane, False, _most)))
        _rule(f"{_name}s{_letter}", mask=True)(_each(_lane, _chosen(8 * _lane, True, _most)))
for _letter in "bw":
    _rule(f"vpsubus{_letter}", mask=True)(_each(WORDS[_letter], _saturated(8 * WORDS[_letter])))
    _rule(f"vpaddus{_letter}", mask=True)(_each(WORDS[_letter], _most_of(8 * WORDS[_letter])))


def _lane_shift(name: str, width: int, n: int) -> tuple[str, int]:
    """How the shifts of a name change a lane, as `Core.shifted` wants it, and by how many bits."""
    if name.startswith("vpro"):
        return "o", (n if name.startswith("vpror") else width - n) % width
    return {"vpsll": "<", "vpsrl": ">", "vpsra": "s"}[name[:5]], n


def _vector_shift(lane: int) -> Rule:
    """By one number for all lanes: an immediate, or the lowest 64 bits of a vector."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        by = one.ops[2]
        n = by.number if by.number is not None else m.number(m.scalar(by, 8))
        assert n is not None
        if by.number is not None:
            n &= 255
        shift = _lane_shift(one.name, 8 * lane, n)
        cells = m.held(one.ops[1], size)
        first = cells[0][0]
        if isinstance(first, Quotient) and shift[0] == ">" and lane == 8:
            if cells != [(first, i % 8, 8) for i in range(size)]:
                raise OpenError(f"at {m.pc:#x}: no rule for a vector of a quotient and others")
            m.vector(one, [first.shifted(m, n)] * (size // 8), 8)
            return
        m.result(one, m.g.shifted(*shift, cells, lane, m.bits), lane)

    return rule


def _variable_shift(lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        made: list[Cell] = []
        lanes = m.lanes_of(one.ops[1], size, lane)
        for cells, count in zip(lanes, m.lanes_of(one.ops[2], size, lane), strict=True):
            n = m.number(m.joined(count))
            if n is None:
                raise OpenError(f"at {m.pc:#x} a lane is shifted by data")
            made += m.g.shifted(*_lane_shift(one.name, 8 * lane, n), cells, lane, m.bits)
        m.result(one, made, lane)

    return rule


for _letter in "wdq":
    for _name in ("vpsll", "vpsrl", "vpsra"):
        _rule(f"{_name}{_letter}", mask=True)(_vector_shift(WORDS[_letter]))
        _rule(f"{_name}v{_letter}", mask=True)(_variable_shift(WORDS[_letter]))
for _letter in "dq":
    for _name in ("vprol", "vpror"):
        _rule(f"{_name}{_letter}", mask=True)(_vector_shift(WORDS[_letter]))
        _rule(f"{_name}v{_letter}", mask=True)(_variable_shift(WORDS[_letter]))


def _double_shift(lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size, width = one.ops[0].size, 8 * lane
        n = one.ops[3].number
        assert n is not None
        n &= width - 1
        a, b = (m.lanes_of(op, size, lane) for op in one.ops[1:3])
        made = []
        for x, y in zip(a, b, strict=True):
            p, q = m.flat(x), m.flat(y)
            if one.name.startswith("vpshld"):
                made.append(folded((q + p)[width - n : 2 * width - n]))
            else:
                made.append(folded((p + q)[n : n + width]))
        m.vector(one, made, lane)

    return rule


for _letter in "wdq":
    _rule(f"vpshld{_letter}", f"vpshrd{_letter}", mask=True)(_double_shift(WORDS[_letter]))


@_rule("vpslldq", "vpsrldq")
def _byte_shift(m: X86Machine, one: Instruction) -> None:
    n = one.ops[2].number
    assert n is not None
    n = min(n & 255, 16)
    zero: list[Cell] = [(0, 0, 1)] * 16
    out: list[Cell] = []
    for cells in m.lanes_of(one.ops[1], one.ops[0].size, 16):
        out += (zero[:n] + cells)[:16] if one.name == "vpslldq" else (cells[n:] + zero)[:16]
    m.result(one, out, 1)


# Comparisons

PREDICATE = re.compile(r"vpcmp(n?)(eq|gt|lt|le)(u?)([bwdq])")


def _compare(negated: bool, how: str, unsigned: bool, lane: int) -> Rule:
    def one_lane(m: X86Machine, a: Value, b: Value) -> int:
        p, q = m.bits(a, 8 * lane), m.bits(b, 8 * lane)
        if how == "eq":
            bit = _equal(m.g, p, q)
        else:
            if not unsigned:
                p, q = _flipped(p), _flipped(q)
            bit = m.below(p, q) if how == "lt" else m.below(q, p)
            if how == "le":
                bit ^= 1
        return bit ^ 1 if negated else bit

    def rule(m: X86Machine, one: Instruction) -> None:
        dest = one.ops[0].register
        assert dest is not None
        masked = dest[1] < VECTORS
        size = one.ops[1].size
        a, b = (m.lanes_of(op, size, lane) for op in one.ops[1:3])
        bits = [one_lane(m, m.joined(x), m.joined(y)) for x, y in zip(a, b, strict=True)]
        if masked:
            m.to_mask(one, bits)
        else:
            m.vector(one, [folded((bit,) * (8 * lane)) for bit in bits], lane)

    return rule


for _letter, _lane in WORDS.items():
    for _how in ("eq", "gt", "lt", "le"):
        for _negated in ("", "n"):
            for _unsigned in ("", "u"):
                if _how == "gt" and (_negated or _unsigned):
                    continue
                _rule(f"vpcmp{_negated}{_how}{_unsigned}{_letter}", mask=True)(
                    _compare(bool(_negated), _how, bool(_unsigned), _lane)
                )


def _test(lane: int, wanted: bool) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[1].size
        a, b = (m.lanes_of(op, size, lane) for op in one.ops[1:])
        bits = []
        for x, y in zip(a, b, strict=True):
            none = _equal(m.g, and_(m.g, m.flat(x), m.flat(y)), (0,) * (8 * lane))
            bits.append(none ^ 1 if wanted else none)
        m.to_mask(one, bits)

    return rule


for _letter, _lane in WORDS.items():
    _rule(f"vptestm{_letter}", mask=True)(_test(_lane, True))
    _rule(f"vptestnm{_letter}", mask=True)(_test(_lane, False))


def _from_mask(lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        bits = m.flat(m.held(one.ops[1], 8))
        count = one.ops[0].size // lane
        m.vector(one, [folded((bit,) * (8 * lane)) for bit in bits[:count]], lane)

    return rule


def _signs(lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        source = one.ops[1]
        m.to_mask(one, [m.flat(x)[-1] for x in m.lanes_of(source, source.size, lane)])

    return rule


def _blend(lane: int) -> Rule:
    """The third operand where the mask is one, else the second, or zero."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        a, b = (m.lanes_of(op, size, lane) for op in one.ops[1:])
        mask = m.mask_of(one, len(a)) if one.mask else (1,) * len(a)
        cells: list[Cell] = []
        for bit, x, y in zip(mask, a, b, strict=True):
            old: list[Cell] = [(0, i, lane) for i in range(lane)] if one.zero else x
            if bit < 2:
                cells += y if bit else old
                continue
            cells += m.chosen(bit, y, old)
        m.result(_unmasked(one), cells, lane)

    return rule


def _unmasked(one: Instruction) -> Instruction:
    return Instruction(one.name, one.ops, "", False, one.length, one.pc, one.text)


for _letter, _lane in WORDS.items():
    RULES[f"vpmovm2{_letter}"] = _from_mask(_lane)
    RULES[f"vpmov{_letter}2m"] = _signs(_lane)
    _rule(f"vpblendm{_letter}", mask=True)(_blend(_lane))


@_rule("vpblendvb", "vblendvps", "vblendvpd")
def _blend_by_signs(m: X86Machine, one: Instruction) -> None:
    size, lane = one.ops[0].size, {"s": 4, "d": 8}.get(one.name[-1], 1)
    a, b, mask = (m.held(op, size) for op in one.ops[1:])
    cells: list[Cell] = []
    bits = [m.flat([mask[i // lane * lane + lane - 1]])[7] for i in range(size)]
    for i, (x, y, bit) in enumerate(zip(a, b, bits, strict=True)):
        if len(cells) > i:
            continue
        whole = sums_at(a, b, i)
        if whole and bit > 1 and set(bits[i : i + x[2]]) == {bit}:
            total = chosen_sum(m.g, bit, whole[1], whole[0])
            if total is not None:
                cells += [(total, k, x[2]) for k in range(x[2])]
                continue
        if bit < 2:
            cells.append(y if bit else x)
            continue
        p, q = m.flat([y]), m.flat([x])
        value = folded(tuple(m.g.choose(bit, c, d) for c, d in zip(p, q, strict=True)))
        cells.append((value, 0, 1))
    m.result(one, cells, 1)


BLENDED = {"vpblendw": 2, "vpblendd": 4, "vblendps": 4, "vblendpd": 8}


@_rule(*BLENDED)
def _blend_by_number(m: X86Machine, one: Instruction) -> None:
    size, lane = one.ops[0].size, BLENDED[one.name]
    which = one.ops[3].number
    assert which is not None
    a, b = (m.lanes_of(op, size, lane) for op in one.ops[1:3])
    cells: list[Cell] = []
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        cells += y if which >> i % 8 & 1 else x
    m.result(one, cells, lane)


# Masks

MASK_SIZES = {"b": 1, "w": 2, "d": 4, "q": 8}


def _mask_move(size: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        dest, source = one.ops
        cells = m.held(source, size)
        if dest.register and len(spans(cells)) > 1 and any(type(x[0]) is Lin for x in cells):
            m.put_low(dest, cells)
            return
        value = m.joined(cells)
        if dest.memory:
            m.stored(dest, [(value, i, size) for i in range(size)])
        elif dest.register and MASKS <= dest.register[1] < VECTORS:
            m.to_mask(one, m.bits(value, 8 * size)[: 8 * size])
        else:
            if size < 4:
                value = folded(m.bits(value, 8 * size) + (0,) * (32 - 8 * size))
            m.put(dest, value, max(size, 4))

    return rule


def _mask_logic(make: Callable[[Graph, Bits, Bits], Bits], size: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        if one.ops[1] == one.ops[2] and make is xor:
            m.to_mask(one, (0,) * (8 * size))
            return
        a, b = (m.flat(m.held(op, size)) for op in one.ops[1:])
        m.to_mask(one, make(m.g, a, b))

    return rule


def _mask_not(size: int) -> Rule:
    return lambda m, one: m.to_mask(one, not_(m.flat(m.held(one.ops[1], size))))


for _letter, _lane in MASK_SIZES.items():
    RULES[f"kmov{_letter}"] = _mask_move(_lane)
    RULES[f"knot{_letter}"] = _mask_not(_lane)
    for _name, _make in (
        *(("xor", xor), ("and", and_), ("or", or_), ("andn", _and_not)),
        ("xnor", _equal_bits),
    ):
        RULES[f"k{_name}{_letter}"] = _mask_logic(_make, _lane)


# Places


def _in_lanes(pick: Callable[[list[list[Cell]], int], list[Cell]], lane: int, of: int = 2) -> Rule:
    """Every 128 bits of the result come of the same 128 bits of the operands and the number."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        number = one.ops[-1].number or 0
        sources = [m.held(op, size) for op in one.ops[1 : 1 + of]]
        out: list[Cell] = []
        for at in range(0, size, 16):
            out += pick([cells[at : at + 16] for cells in sources], number)
        m.result(one, out, lane)

    return rule


def _unpacked(lane: int, high: bool) -> Callable[[list[list[Cell]], int], list[Cell]]:
    def pick(sources: list[list[Cell]], number: int) -> list[Cell]:
        out: list[Cell] = []
        for at in range(8 * high, 8 * high + 8, lane):
            for cells in sources:
                out += cells[at : at + lane]
        return out

    return pick


for _letters, _lane in (("bw", 1), ("wd", 2), ("dq", 4), ("qdq", 8)):
    _rule(f"vpunpckl{_letters}", mask=True)(_in_lanes(_unpacked(_lane, False), _lane))
    _rule(f"vpunpckh{_letters}", mask=True)(_in_lanes(_unpacked(_lane, True), _lane))
for _letters, _lane in (("ps", 4), ("pd", 8)):
    _rule(f"vunpckl{_letters}", mask=True)(_in_lanes(_unpacked(_lane, False), _lane))
    _rule(f"vunpckh{_letters}", mask=True)(_in_lanes(_unpacked(_lane, True), _lane))


def _shuffled(sources: list[list[Cell]], number: int) -> list[Cell]:
    (cells,) = sources
    return [x for i in range(4) for at in (4 * (number >> 2 * i & 3),) for x in cells[at : at + 4]]


def _shuffled_pair(sources: list[list[Cell]], number: int) -> list[Cell]:
    a, b = sources
    out: list[Cell] = []
    for i, cells in enumerate((a, a, b, b)):
        at = 4 * (number >> 2 * i & 3)
        out += cells[at : at + 4]
    return out


def _aligned_right(sources: list[list[Cell]], number: int) -> list[Cell]:
    high, low = sources
    n = min(number & 255, 32)
    return ([*low, *high, *([ZERO] * 32)])[n : n + 16]


def _shuffled_words(high: bool) -> Callable[[list[list[Cell]], int], list[Cell]]:
    def pick(sources: list[list[Cell]], number: int) -> list[Cell]:
        (cells,) = sources
        first = 8 * high
        out: list[Cell] = []
        for i in range(4):
            at = first + 2 * (number >> 2 * i & 3)
            out += cells[at : at + 2]
        return cells[:8] + out if high else out + cells[8:]

    return pick


_rule("vpshuflw", mask=True)(_in_lanes(_shuffled_words(False), 2, 1))
_rule("vpshufhw", mask=True)(_in_lanes(_shuffled_words(True), 2, 1))
_rule("vpshufd", mask=True)(_in_lanes(_shuffled, 4, 1))


@_rule("vpermilps", mask=True)
def _vpermilps(m: X86Machine, one: Instruction) -> None:
    if one.ops[2].number is None:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text} with places in a register")
    _in_lanes(_shuffled, 4, 1)(m, one)


_rule("vshufps", mask=True)(_in_lanes(_shuffled_pair, 4))
_rule("vpalignr", mask=True)(_in_lanes(_aligned_right, 1))


@_rule("vshufpd", mask=True)
def _vshufpd(m: X86Machine, one: Instruction) -> None:
    size, number = one.ops[0].size, one.ops[3].number
    assert number is not None
    a, b = (m.held(op, size) for op in one.ops[1:3])
    out: list[Cell] = []
    for i in range(size // 8):
        cells = b if i % 2 else a
        at = 16 * (i // 2) + 8 * (number >> i & 1)
        out += cells[at : at + 8]
    m.result(one, out, 8)


@_rule("vpshufb", mask=True)
def _vpshufb(m: X86Machine, one: Instruction) -> None:
    """Bytes by places; those that hang on data choose by a sum of products."""
    size = one.ops[0].size
    cells = m.held(one.ops[1], size)
    made: dict[int, list[Bits]] = {}
    out: list[Cell] = []
    for i, cell in enumerate(m.held(one.ops[2], size)):
        place = m.joined([cell])
        if isinstance(place, int):
            out.append(ZERO if place & 128 else cells[i & ~15 | place & 15])
            continue
        index, lane = m.bits(place, 8), i & ~15
        if lane not in made:
            made[lane] = spread(m.g, [m.flat([x]) for x in cells[lane : lane + 16]])
        byte = looked_up(m.g, made[lane], index)
        out.append((folded(tuple(m.g.and_(x, index[7] ^ 1) for x in byte)), 0, 1))
    m.result(one, out, 1)


def _permuted(lane: int) -> Rule:
    """Elements of a vector by places: those are the second operand, or an immediate."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        number = one.ops[2].number
        if number is not None:
            source = m.held(one.ops[1], size)
            places = [i & ~3 | number >> 2 * (i % 4) & 3 for i in range(size // lane)]
        else:
            source = m.held(one.ops[2], size)
            held = [m.joined(x) for x in m.lanes_of(one.ops[1], size, lane)]
            if lane == 1 and any(isinstance(x, tuple) for x in held):
                _permute_by_data(m, one, source, held)
                return
            places = [m.number(x) for x in held]
        out: list[Cell] = []
        for i in places:
            at = i % (size // lane) * lane
            out += source[at : at + lane]
        m.result(one, out, lane)

    return rule


def _permute_by_data(
    m: X86Machine, one: Instruction, source: list[Cell], places: Sequence[Value]
) -> None:
    """Bytes of a whole vector by places that hang on data."""
    entries = [m.flat([cell]) for cell in source]
    width = len(entries).bit_length() - 1
    made: dict[Bits, Value] = {}
    out: list[Value] = []
    for at in places:
        index = m.bits(at, 8)[:width]
        if index not in made:
            made[index] = folded(entry_at(m.g, entries, index))
        out.append(made[index])
    m.vector(one, out, 1)


def _permuted_two(lane: int, tables_first: bool) -> Rule:
    """Of two vectors: vpermt2 has its places in the second operand, vpermi2 in the first."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        low = one.ops[0] if tables_first else one.ops[1]
        by = one.ops[1] if tables_first else one.ops[0]
        source = m.held(low, size) + m.held(one.ops[2], size)
        out: list[Cell] = []
        for x in m.lanes_of(by, size, lane):
            at = m.number(m.joined(x)) % (2 * size // lane) * lane
            out += source[at : at + lane]
        m.result(one, out, lane)

    return rule


for _letter, _lane in WORDS.items():
    _rule(f"vperm{_letter}", mask=True)(_permuted(_lane))
    _rule(f"vpermt2{_letter}", mask=True)(_permuted_two(_lane, True))
    _rule(f"vpermi2{_letter}", mask=True)(_permuted_two(_lane, False))
for _letter, _lane in (("s", 4), ("d", 8)):
    _rule(f"vpermp{_letter}", mask=True)(_permuted(_lane))
    _rule(f"vpermt2p{_letter}", mask=True)(_permuted_two(_lane, True))
    _rule(f"vpermi2p{_letter}", mask=True)(_permuted_two(_lane, False))


def _expanded(lane: int) -> Rule:
    """Elements in their order to the places of a mask, which must be a number as far as it has
    elements.
    """

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size
        if not one.mask or one.ops[0].memory or one.ops[1].memory:
            raise OpenError(f"at {m.pc:#x}: no rule for {one.text} with these operands")
        mask = m.number(folded(m.mask_of(one, size // lane)))
        rest = iter(m.lanes_of(one.ops[1], size, lane))
        cells: list[Cell] = []
        for i, old in enumerate(m.lanes_of(one.ops[0], size, lane)):
            if mask >> i & 1:
                cells += next(rest)
            else:
                cells += [ZERO] * lane if one.zero else old
        m.result(_unmasked(one), cells, lane)

    return rule


@_rule("vpcompressb", mask=True)
def _compressed(m: X86Machine, one: Instruction) -> None:
    """The first byte that a mask of data takes, or zero; of others there is no rule."""
    size, g = one.ops[0].size, m.g
    if not one.mask or not one.zero or one.ops[0].memory:
        raise OpenError(f"at {m.pc:#x}: no rule for {one.text} with these operands")
    mask, source = m.mask_of(one, size), m.held(one.ops[1], size)
    if constant(mask) is not None:
        taken = [cell for bit, cell in zip(mask, source, strict=True) if bit]
        m.result(_unmasked(one), taken + [ZERO] * (size - len(taken)), 1)
        return
    found: Bits = (0,) * 8
    none, seen = 1, set[int]()  # of those up to here
    for bit, cell in zip(mask, source, strict=True):
        if bit in seen:
            continue  # where this one is taken, an earlier one is, too
        seen.add(bit)
        first = g.and_(bit, none)
        found = tuple(
            g.xor(x, g.and_(first, y)) for x, y in zip(found, m.flat([cell]), strict=True)
        )
        none = g.and_(none, bit ^ 1)
    other = Unreadable("a byte behind the first one of a vector that data compress is read")
    cells: list[Cell] = [(folded(found), 0, 1), *[(other, 0, 1)] * (size - 1)]
    m.result(_unmasked(one), cells, 1)


_rule("vpexpandd", mask=True)(_expanded(4))
_rule("vpexpandq", mask=True)(_expanded(8))


def _widened(lane: int, wide: int) -> Rule:
    """Elements with zeros above them."""

    def rule(m: X86Machine, one: Instruction) -> None:
        size = one.ops[0].size // wide * lane
        cells: list[Cell] = []
        for x in m.lanes_of(one.ops[1], size, lane):
            cells += [*x, *[ZERO] * (wide - lane)]
        m.result(one, cells, wide)

    return rule


def _narrowed(lane: int, narrow: int) -> Rule:
    """The low parts of elements."""

    def rule(m: X86Machine, one: Instruction) -> None:
        cells: list[Cell] = []
        for x in m.lanes_of(one.ops[1], one.ops[1].size, lane):
            cells += x[:narrow]
        m.result(one, cells, narrow)

    return rule


for _small, _wide in ("bw", "bd", "bq", "wd", "wq", "dq"):
    RULES[f"vpmovzx{_small}{_wide}"] = _widened(WORDS[_small], WORDS[_wide])
    RULES[f"vpmov{_wide}{_small}"] = _narrowed(WORDS[_wide], WORDS[_small])


@_rule("vperm2i128", "vperm2f128")
def _vperm2i128(m: X86Machine, one: Instruction) -> None:
    number = one.ops[3].number
    assert number is not None
    source = m.held(one.ops[1], 32) + m.held(one.ops[2], 32)
    out: list[Cell] = []
    for i in (0, 4):
        at = 16 * (number >> i & 3)
        out += [ZERO] * 16 if number >> i & 8 else source[at : at + 16]
    m.result(one, out, 8)


def _inserted(part: int, lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size, number = one.ops[0].size, one.ops[3].number
        assert number is not None
        cells = m.held(one.ops[1], size)
        at = number % (size // part) * part
        cells[at : at + part] = m.held(one.ops[2], part)
        m.result(one, cells, lane)

    return rule


def _extracted(part: int, lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size, number = one.ops[1].size, one.ops[2].number
        assert number is not None
        at = number % (size // part) * part
        m.result(one, m.held(one.ops[1], size)[at : at + part], lane)

    return rule


for _kind in "if":
    RULES[f"vinsert{_kind}128"] = _inserted(16, 8)
    RULES[f"vextract{_kind}128"] = _extracted(16, 8)
    for _parts, _part, _lane in (
        ("32x4", 16, 4),
        ("64x2", 16, 8),
        ("32x8", 32, 4),
        ("64x4", 32, 8),
    ):
        _rule(f"vinsert{_kind}{_parts}", mask=True)(_inserted(_part, _lane))
        _rule(f"vextract{_kind}{_parts}", mask=True)(_extracted(_part, _lane))


def _shuffled_quarters(lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        size, number = one.ops[0].size, one.ops[3].number
        assert number is not None
        a, b = (m.held(op, size) for op in one.ops[1:3])
        count = size // 16
        bits = 2 if count == 4 else 1
        out: list[Cell] = []
        for i in range(count):
            at = 16 * (number >> bits * i & (count - 1))
            out += (a if i < count // 2 else b)[at : at + 16]
        m.result(one, out, lane)

    return rule


for _kind in "if":
    _rule(f"vshuf{_kind}32x4", mask=True)(_shuffled_quarters(4))
    _rule(f"vshuf{_kind}64x2", mask=True)(_shuffled_quarters(8))


def _broadcast(part: int, lane: int) -> Rule:
    def rule(m: X86Machine, one: Instruction) -> None:
        cells = m.held(one.ops[1], part)
        if one.ops[1].register and one.ops[1].register[1] < MASKS:
            value = m.joined(cells)
            cells = [(value, i, part) for i in range(part)]
        m.result(one, cells * (one.ops[0].size // part), lane)

    return rule


for _letter, _lane in WORDS.items():
    _rule(f"vpbroadcast{_letter}", mask=True)(_broadcast(_lane, _lane))
_rule("vbroadcastss", mask=True)(_broadcast(4, 4))
_rule("vbroadcastsd", mask=True)(_broadcast(8, 8))
for _kind in "if":
    _rule(f"vbroadcast{_kind}128")(_broadcast(16, 8))
    _rule(f"vbroadcast{_kind}32x4", mask=True)(_broadcast(16, 4))
    _rule(f"vbroadcast{_kind}64x2", mask=True)(_broadcast(16, 8))
    _rule(f"vbroadcast{_kind}64x4", mask=True)(_broadcast(32, 8))


@_rule("vmovddup", mask=True)
def _doubled(m: X86Machine, one: Instruction) -> None:
    """The lower half of every 128 bits twice; of memory 64 bits where there are 128."""
    size = one.ops[0].size
    cells = m.held(one.ops[1], 8 if size == 16 else size)
    m.result(one, [x for i in range(0, size, 16) for x in 2 * cells[i : i + 8]], 8)


@_rule("vpinsrb", "vpinsrw", "vpinsrd", "vpinsrq")
def _insert_element(m: X86Machine, one: Instruction) -> None:
    lane, number = WORDS[one.name[-1]], one.ops[3].number
    assert number is not None
    cells = m.held(one.ops[1], 16)
    at = number % (16 // lane) * lane
    cells[at : at + lane] = m.held(one.ops[2], lane)
    m.result(one, cells, lane)


@_rule("vpextrb", "vpextrw", "vpextrd", "vpextrq")
def _extract_element(m: X86Machine, one: Instruction) -> None:
    """An element of a vector; in a register zeros are above it."""
    lane, number = WORDS[one.name[-1]], one.ops[2].number
    assert number is not None
    at = number % (16 // lane) * lane
    cells = m.held(one.ops[1], 16)[at : at + lane]
    if one.ops[0].memory:
        m.stored(one.ops[0], cells)
    else:
        cells += [(0, 0, 1)] * (4 - lane)
        m.put(one.ops[0], m.joined(cells), max(lane, 4))


@_rule("vpmovmskb")
def _sign_bits(m: X86Machine, one: Instruction) -> None:
    """The highest bit of every byte, in a general register."""
    source = one.ops[1]
    assert source.register is not None
    bits = [m.flat([cell])[7] for cell in m.held(source, source.size)]
    m.put(one.ops[0], folded((*bits, *(0,) * (32 - len(bits)))), 4)


@_rule("vpsadbw")
def _byte_sums(m: X86Machine, one: Instruction) -> None:
    """The sum of what the eight bytes of each lane differ by."""
    size, g = one.ops[0].size, m.g
    made: list[Value] = []
    for a, b in zip(*(m.lanes_of(op, size, 8) for op in one.ops[1:]), strict=True):
        parts = [_gap(g, m.flat([x]), m.flat([y])) for x, y in zip(a, b, strict=True)]
        pairs = ((x, y) for i, x in enumerate(parts) for y in parts[:i])
        total: Bits = (0,) * 11
        if any(g.and_(p, q) for x, y in pairs for p, q in zip(x, y, strict=True)):
            for part in parts:
                total = add(g, total, (*part, 0, 0, 0))
        else:  # no two of them have a bit in common, so there is no carry
            total = parts[0]
            for part in parts[1:]:
                total = xor(g, total, part)
        made.append(folded((*total, *(0,) * (64 - len(total)))))
    m.vector(one, made, 8)


def _gap(g: Graph, a: Bits, b: Bits) -> Bits:
    """What two numbers differ by."""
    if not any(a) or not any(b):
        return b if any(b) else a
    below = less(g, a, b)
    return tuple(g.choose(below, x, y) for x, y in zip(sub(g, b, a), sub(g, a, b), strict=True))


@_rule("vgf2p8affineqb", mask=True)
def _affine(m: X86Machine, one: Instruction) -> None:
    """Each byte times a matrix of the third operand: bit i is the parity of it and row 7 - i."""
    size, number = one.ops[0].size, one.ops[3].number
    assert number is not None
    g = m.g
    data, matrices = (m.lanes_of(op, size, 8) for op in one.ops[1:3])
    made: list[Value] = []
    for cells, rows in zip(data, matrices, strict=True):
        matrix = m.flat(rows)
        for cell in cells:
            byte = m.flat([cell])
            bits = []
            for i in range(8):
                row = matrix[8 * (7 - i) : 8 * (8 - i)]
                bits.append(g.dot(zip(byte, row, strict=True)) ^ (number >> i & 1))
            made.append(folded(tuple(bits)))
    m.vector(one, made, 1)


@_rule("vpclmulqdq")
def _carryless(m: X86Machine, one: Instruction) -> None:
    """Of every 128 bits one half of each operand, by bits 0 and 4 of the number."""
    number = one.ops[3].number
    assert number is not None
    a, b = (m.lanes_of(op, one.ops[0].size, 8) for op in one.ops[1:3])
    made: list[Value] = []
    for i in range(0, len(a), 2):
        p, q = m.flat(a[i + (number & 1)]), m.flat(b[i + (number >> 4 & 1)])
        made.append(folded(carryless(m.g, p, q)))
    m.vector(one, made, 16)


AES_TAIL = 0x1B  # x^8 = x^4 + x^3 + x + 1


@_rule("vgf2p8mulb", mask=True)
def _field_multiply(m: X86Machine, one: Instruction) -> None:
    """Bytes as elements of the field of AES."""
    g, size = m.g, one.ops[0].size
    made: list[Value] = []
    for x, y in zip(*(m.held(op, size) for op in one.ops[1:3]), strict=True):
        wide = list(carryless(g, m.flat([x]), m.flat([y])))
        for k in range(14, 7, -1):
            for i in range(8):
                if AES_TAIL >> i & 1:
                    wide[k - 8 + i] = g.xor(wide[k - 8 + i], wide[k])
        made.append(folded(tuple(wide[:8])))
    m.vector(one, made, 1)


# Instructions of SSE: those of AVX that keep what lies above 128 bits. Where AVX has a source more,
# that is the target; an operand in memory is aligned.
ALIGNED = ("pshufd", "pshuflw")  # with an operand in memory, beside those of DOUBLED
MOVES = ("movdqa", "movdqu", "movaps", "movups", "movq", "movd", "pmovmskb", *ALIGNED)
DOUBLED = (
    *("pxor", "pand", "por", "pandn", "pshufb", "paddb", "psubb", "pcmpeqb", "psrlw", "psllw"),
    *("punpcklbw", "punpckhbw", "punpcklwd", "punpckhwd", "punpckldq", "punpckhdq"),
    *("punpcklqdq", "punpckhqdq", "xorps", "psadbw", "paddusb", "pminub", "pcmpeqd"),
)


def _legacy(name: str) -> Rule:
    rule = RULES[f"v{name}"]

    def made(m: X86Machine, one: Instruction) -> None:
        ops = one.ops
        if name in DOUBLED:
            ops = (ops[0], *ops)
        source = ops[-1] if ops[-1].number is None else ops[-2]
        if source.memory and name in (*DOUBLED, *ALIGNED):
            m.aligned(source, 16)
        dest = ops[0].register
        above: list[Cell] = []
        if dest is not None and dest[1] >= VECTORS:
            above = m.held(Operand(register=(dest[0], dest[1], 64), size=64), 64)[16:]
        rule(m, replace(one, name=f"v{name}", ops=ops))
        if dest is not None:
            into = m.spaces[dest[0]]
            for i, cell in enumerate(above):
                into[dest[1] + 16 + i] = cell

    return made


for _name in (*MOVES, *DOUBLED):
    RULES[_name] = _legacy(_name)
