# SPDX-License-Identifier: Apache-2.0
"""Machine code of A64 and RV32 run on symbolic values, through the p-code of SLEIGH (pypcode); for
Cortex-M, thumb.py adds what differs.

A branch, an address and a jump must be public: a number, a linear expression or a condition on
those. One that depends on data is refused, so that a finished run shows that none does. So is an
access outside of the regions that the contract gives, with a wrong direction, below the stack
pointer, and on RV32 one that is not aligned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypcode

from .core import put, row, spans, whole
from .elf import Elf
from .graph import STRANGE, Bits, Graph
from .tables import carryless, entry_at, looked_up, spread
from .values import (
    LAZY,
    Ahead,
    Cond,
    Flag,
    Lin,
    RefusedError,
    Unreadable,
    Value,
    combined,
    fits,
    interval,
    parted_low,
    parts,
    scaled,
    signed,
)
from .words import (
    Difference,
    Sum,
    and_,
    carry_out,
    chosen_sum,
    folded,
    less,
    less_carry,
    not_,
    number_bits,
    or_,
    plus,
    plus_borrow,
    product,
    sub,
    xor,
)

Node = tuple[str, int, int]  # space, offset, size in bytes
WORDS = {int, tuple, *LAZY}  # types of what has bits
Factors = tuple[tuple[str, int], ...]  # of the symbols of an address
Operation = tuple[str, tuple[Node, ...], Node | None, str]  # opcode, inputs, output, user operation
Cell = tuple[Value, int, int]  # a byte: the value, which of its bytes, and how many it has

INSTRUCTIONS_MOST = 60_000
STACK = {"stack": 1}  # symbols of the stack pointer
# What an address in the file is written over: how far from where the prover links it the file lies.
# A run may use such an address, add to it and compare it with others of the file, and nothing else,
# so it does not hang on where the linker puts the file.
FILE = "file"
ELSEWHERE = 0x100000  # bytes
FILE_PLACE = ((FILE, 1),)
CONSTANTS = (2000,)  # nodes of a bit that may be the same for all inputs
ZEROS, ONES = (0,) * 8, (1,) * 8
GONE = Unreadable("a register that a call leaves undefined is read")


def in_file(address: Value) -> Value:
    """An address where the prover links the file; others stay what they are."""
    if isinstance(address, Lin) and address.t == FILE_PLACE:
        return address.c
    return address


class OpenError(Exception):
    """The prover has no rule for what the kernel does: no verdict."""


def nowhere(pc: int) -> str:
    """What is wrong with a jump to an address; the linker leaves zero for what it does not find."""
    if pc == 0:
        return "the kernel calls a function of another file, which is not linked with it"
    return f"the kernel jumps to {pc:#x}, where no executable section has an instruction"


@dataclass(frozen=True)
class Region:
    """Memory that a kernel may touch, from its symbol's address plus `low` to plus `high`."""

    low: int
    high: int
    access: str
    align: int


class Image:
    """A linked kernel file: its bytes, its symbols, and its instructions as p-code. `library` says
    where memcpy and memset are said to be.
    """

    library: Mapping[int, str] = {}
    alignments: Sequence[tuple[int, int, int]] = ()
    anywhere = True  # whether addresses in the file are symbols
    placed = 1  # of what number of bytes the linker moves the file by a multiple
    filled: Mapping[int, int] = {}  # by the linker: places in code, and kinds of relocations

    def __init__(self, path: Path, isa: ISA) -> None:
        data = path.read_bytes()
        self.isa = isa
        self.digest = hashlib.sha256(data).hexdigest()
        self.context = pypcode.Context(isa.language)
        self.registers: dict[str, Node] = {
            name: ("register", node.offset, node.size)
            for name, node in self.context.registers.items()
        }
        self._general = {
            byte
            for name, (_, at, size) in self.registers.items()
            if name in isa.general or name.lower().startswith("tmp")  # those are SLEIGH's own
            for byte in range(at, at + size)
        }
        file = Elf(data)
        self.read_from(file)
        self._translated: dict[int, list[Operation]] = {}
        self.names: dict[int, str] = {}

    def read_from(self, file: Elf) -> None:
        """Take what a run needs of a linked file."""
        self.sections, self.executable = file.loaded(), file.executable()
        self.symbols = file.places()
        self.alignments, self.filled = file.alignments(), file.filled()
        self.placed = min((align for _, _, align in self.alignments), default=1)

    def align_at(self, at: int) -> int:
        """What an address in the file is a multiple of wherever the linker puts its section."""
        for first, end, align in self.alignments:
            if first <= at < end:
                whole = align | (at - first)
                return whole & -whole
        return 1

    def machine(self, g: Graph, regions: Mapping[str, Region]) -> Machine:
        """A run of the file's code."""
        return Machine(g, self, regions)

    def bytes_at(self, at: int, size: int) -> bytes | None:
        """Constant bytes of the file, or None where it has none."""
        for base, data in self.sections:
            if base <= at and at + size <= base + len(data):
                return data[at - base : at - base + size]
        return None

    def fetched(self, at: int, size: int) -> bytes | None:
        """Bytes that the processor may execute; None where they are not all in one section of
        code that cannot be written.
        """
        if any(first <= at and at + size <= end for first, end in self.executable):
            return self.bytes_at(at, size)
        return None

    def patched(self, at: int, data: bytes) -> None:
        """Put other bytes into the file: a mutant."""
        for i, (base, old) in enumerate(self.sections):
            if base <= at < base + len(old):
                self.sections[i] = (base, old[: at - base] + data + old[at - base + len(data) :])
        self._translated.clear()
        self.names.clear()

    def code(self, pc: int) -> bytes | None:
        """The bytes of the instruction at an address, and maybe some behind it."""
        return self.fetched(pc, 4)

    def length(self, pc: int) -> int:
        """The bytes of an instruction."""
        return 4

    def mnemonic(self, pc: int) -> str:
        """What the disassembler calls the instruction."""
        if pc not in self.names:
            self.names[pc] = self._named(self.code(pc) or b"", pc)
        return self.names[pc]

    def _named(self, code: bytes, pc: int) -> str:
        found = self.context.disassemble(code, pc, max_instructions=1).instructions
        return str(found[0].mnem)

    def operations(self, pc: int) -> list[Operation]:
        """The p-code of the instruction at an address."""
        if pc not in self._translated:
            code = self.code(pc)
            if code is None:
                raise RefusedError(nowhere(pc))
            own = self.isa.own(self, int.from_bytes(code, "little"))
            lifted = own if own is not None else self._sleigh(code, pc)
            if own is None:
                self._modelled(pc, self._named(code, pc), lifted)
            self._of_functions(pc, lifted)
            self._translated[pc] = lifted
        return self._translated[pc]

    def _modelled(self, pc: int, name: str, operations: Sequence[Operation]) -> None:
        """OpenError where p-code leaves out what an instruction does."""
        omitted = len(operations) == 1 and name not in self.isa.idle
        if omitted or name.startswith(self.isa.simplified):
            raise OpenError(f"at {pc:#x}: no rule for {name}, which p-code does not model")

    def _of_functions(self, pc: int, operations: Sequence[Operation]) -> None:
        """RefusedError where an instruction touches a register that is not in `isa.general`: those
        are the system's, such as modes, masks of interrupts, thread pointers, counters of time.
        """
        for _, inputs, out, _ in operations:
            for space, at, size in (*inputs, *((out,) if out else ())):
                if space == "register" and not self._general.issuperset(range(at, at + size)):
                    name = next(
                        (
                            n
                            for n, (_, low, held) in self.registers.items()
                            if low <= at < low + held
                        ),
                        f"register {at:#x}",
                    )
                    raise RefusedError(
                        f"at {pc:#x} {self.mnemonic(pc)} uses {name}, which is not one of the"
                        " registers that a function may use"
                    )

    def _sleigh(self, code: bytes, pc: int) -> list[Operation]:
        """The p-code of an instruction; what is another number elsewhere is an address."""
        here, there = self._lifted(code, pc), self._lifted(code, pc + ELSEWHERE)
        found: list[Operation] = []
        for (name, inputs, out, user), (_, others, _, _) in zip(here, there, strict=True):
            made = tuple(
                (FILE, node[1], node[2]) if node[0] == "const" and node != other else node
                for node, other in zip(inputs, others, strict=True)
            )
            found.append((name, made, out, user))
        return found

    def _lifted(self, code: bytes, pc: int) -> list[Operation]:
        try:
            lifted = self.context.translate(code, pc, max_instructions=1).ops
        except (pypcode.BadDataError, pypcode.UnimplError) as problem:
            raise OpenError(f"at {pc:#x} is an instruction that SLEIGH does not lift") from problem
        found: list[Operation] = []
        for op in lifted:
            name = op.opcode.name
            inputs = list(op.inputs)
            user = ""
            if name == "CALLOTHER":
                user = str(inputs.pop(0).getUserDefinedOpName())
            out = op.output
            found.append(
                (
                    name,
                    tuple((v.space.name, v.offset, v.size) for v in inputs),
                    (out.space.name, out.offset, out.size) if out else None,
                    user,
                )
            )
        return found


class A64Image(Image):
    """A linked file for AArch64. `guard` is the address of the number of the stack protector; the
    table of addresses, .got, is constant once a library is loaded (full RELRO).
    """

    def __init__(self, path: Path, isa: ISA, guard: int) -> None:
        super().__init__(path, isa)
        self.guard = guard
        self.sections = Elf(path.read_bytes()).loaded(".got")

    def machine(self, g: Graph, regions: Mapping[str, Region]) -> Machine:
        return A64Machine(g, self, regions)


@dataclass(frozen=True)
class ISA:
    """An instruction set: SLEIGH's name for it, and what its calling convention keeps."""

    name: str
    language: str
    width: int
    saved: tuple[str, ...]  # registers that a function gives back as it got them
    link: str
    strict: bool  # accesses are aligned
    slow: tuple[str, ...]  # operations whose time may depend on operands
    own: Callable[[Image, int], list[Operation] | None]  # p-code where SLEIGH's is wrong or missing
    called: int = 16  # what the stack pointer is a multiple of where a function is called
    moved: int = 16  # and where an instruction uses the stack
    passed: tuple[str, ...] = ()  # what has the first three arguments of a function in C
    lost: tuple[str, ...] = ()  # what it need not give back, with parts of `saved` maybe
    # Bytes that an instruction accesses in one piece, for which its address must be aligned.
    together: Callable[[Image, int], int] | None = None
    general: tuple[str, ...] = ()  # all that a function may read and write; the rest is refused
    idle: tuple[str, ...] = ()  # instructions that do nothing, and so have no p-code
    simplified: tuple[str, ...] = ()  # how those begin of which p-code says too little

    def kept(self, source: str) -> tuple[str, ...]:
        """What a function of this file gives back: x18, which belongs to the platform, is the
        compiler's on Linux, while kernels in assembly leave it alone everywhere.
        """
        return tuple(name for name in self.saved if name != "x18" or not source.endswith(".c"))


# The flags, and what SLEIGH has besides.
_FLAG_BITS = ("NG", "ZR", "CY", "OV")
SCRATCH = (*_FLAG_BITS, "shift_carry", "pc")

# BSL, BIT and BIF: which of Vd, Vn and Vm is the mask, is taken where it is one, and elsewhere.
CHOICES = {0x2E601C00: (0, 1, 2), 0x2EA01C00: (2, 1, 0), 0x2EE01C00: (2, 0, 1)}


# MRS and MSR of NZCV, which SLEIGH takes for a register of its own.
NZCV_READ, NZCV_WRITE = 0xD53B4200, 0xD51B4200


def _nzcv(image: Image, word: int) -> list[Operation] | None:
    """The flags as bits 31 to 28 of a register."""
    if word & 31 == 31:
        return None
    held = image.registers[f"x{word & 31}"]
    made: list[Operation] = [("IMARK", (("ram", 0, 4),), None, "")]
    total: Node = ("unique", 0, 8)
    one: Node = ("unique", 8, 8)
    if word & 0xFFFFFFE0 == NZCV_READ:
        made.append(("COPY", (("const", 0, 8),), total, ""))
    for bit, name in zip(range(31, 27, -1), _FLAG_BITS, strict=True):
        flag = image.registers[name]
        if word & 0xFFFFFFE0 == NZCV_READ:
            made += [
                ("INT_ZEXT", (flag,), one, ""),
                ("INT_LEFT", (one, ("const", bit, 8)), one, ""),
                ("INT_OR", (total, one), total, ""),
            ]
        else:
            made += [
                ("INT_RIGHT", (held, ("const", bit, 8)), one, ""),
                ("INT_AND", (one, ("const", 1, 8)), one, ""),
                ("SUBPIECE", (one, ("const", 0, 4)), flag, ""),
            ]
    if word & 0xFFFFFFE0 == NZCV_READ:
        made.append(("COPY", (total,), held, ""))
    return made


def _a64(image: Image, word: int) -> list[Operation] | None:
    """EOR3 and BCAX, which SLEIGH of pypcode 3.3.3 lifts with OR where Arm says XOR, XAR and RAX1,
    which it has wrong, too; SHL of one element, of which it leaves the upper half of the register
    as it was; and BSL, BIT and BIF as a choice, which keeps sums whole.
    """
    if word & 0xFFFFFFE0 in (NZCV_READ, NZCV_WRITE):
        return _nzcv(image, word)
    if word & 0xBFE0FC00 in CHOICES:
        size = 16 if word >> 30 & 1 else 8
        named = [image.registers[f"q{word >> k & 31}"][1] for k in (0, 5, 16)]
        held: list[Node] = [("register", at, size) for at in named]
        mask, yes, no = (held[i] for i in CHOICES[word & 0xBFE0FC00])
        rest: Node = ("register", named[0] + size, 32 - size)
        return [
            ("IMARK", (("ram", 0, 4),), None, ""),
            ("CALLOTHER", (mask, yes, no), held[0], "choose"),
            ("COPY", (("const", 0, 32 - size),), rest, ""),
        ]
    if word & 0xFFC0FC00 == 0x5F405400:  # SHL of one element of 64 bits
        into, source = (image.registers[f"q{word >> k & 31}"][1] for k in (0, 5))
        by: Node = ("const", word >> 16 & 63, 8)
        return [
            ("IMARK", (("ram", 0, 4),), None, ""),
            ("INT_LEFT", (("register", source, 8), by), ("register", into, 8), ""),
            ("COPY", (("const", 0, 24),), ("register", into + 8, 24), ""),
        ]
    xar = word & 0xFFE00000 == 0xCE800000
    rax = word & 0xFFE0FC00 == 0xCE608C00
    if word & 0xFFC08000 != 0xCE000000 and not xar and not rax:
        return None
    d, n, a, m = (image.registers[f"q{word >> k & 31}"] for k in (0, 5, 10, 16))
    above: Node = ("register", d[1] + 16, 16)
    t: Node = ("unique", 0, 16)
    if xar:
        rotation = word >> 10 & 63
        work: list[Operation] = [("INT_XOR", (n, m), t, "")]
        for at in (0, 8):
            half: Node = ("unique", at, 8)
            low: Node = ("unique", 16, 8)
            high: Node = ("unique", 24, 8)
            work += [
                ("INT_RIGHT", (half, ("const", rotation, 8)), low, ""),
                ("INT_LEFT", (half, ("const", 64 - rotation, 8)), high, ""),
                ("INT_OR", (low, high), ("register", d[1] + at, 8), ""),
            ]
    elif rax:
        work = []
        for at in (0, 8):
            low, high, half = (("unique", 16 + 8 * i, 8) for i in range(3))
            to: Node = ("unique", at, 8)
            of: Node = ("register", m[1] + at, 8)
            work += [
                ("INT_LEFT", (of, ("const", 1, 8)), low, ""),
                ("INT_RIGHT", (of, ("const", 63, 8)), high, ""),
                ("INT_OR", (low, high), half, ""),
                ("INT_XOR", (half, ("register", n[1] + at, 8)), to, ""),
            ]
        work.append(("COPY", (t,), ("register", d[1], 16), ""))
    elif word & 0xFFE08000 == 0xCE000000:
        work = [
            ("INT_XOR", (n, m), t, ""),
            ("INT_XOR", (t, a), d, ""),
        ]
    else:
        work = [
            ("INT_NEGATE", (a,), t, ""),
            ("INT_AND", (t, m), t, ""),
            ("INT_XOR", (t, n), d, ""),
        ]
    mark: Operation = ("IMARK", (("ram", 0, 4),), None, "")
    return [mark, *work, ("COPY", (("const", 0, 16),), above, "")]


def _together(image: Image, pc: int) -> int:
    """Of exclusive and ordered accesses and of atomic ones all their bytes (Arm ARM, B2.5.2): those
    that are not aligned fault. All others may lie anywhere.
    """
    word = int.from_bytes(image.code(pc) or b"", "little")
    size = 1 << (word >> 30)
    if word & 0x3F000000 == 0x08000000:  # LDXR to CASP; bit 21 without bit 23 is of pairs
        pair = word >> 21 & 1 and not word >> 23 & 1  # LDXP, STXP and CASP
        return (8 << (word >> 30 & 1)) if pair else size
    if word & 0x3F200C00 == 0x38200000:  # LDADD to SWP, and LDAPR
        return size
    if word & 0x3F200C00 == 0x19000000:  # LDAPUR and STLUR
        return size
    return 1


# Instructions of Zbkb, which SLEIGH decodes but does not define: mask and bits of their words.
ZBKB = {
    "pack": (0xFE00707F, 0x08004033),
    "andn": (0xFE00707F, 0x40007033),
    "orn": (0xFE00707F, 0x40006033),
    "rori": (0xFE00707F, 0x60005013),
    "zip": (0xFFF0707F, 0x08F01013),
    "unzip": (0xFFF0707F, 0x08F05013),
}


def _rv32(image: Image, word: int) -> list[Operation] | None:
    name = next((n for n, (mask, bits) in ZBKB.items() if word & mask == bits), None)
    if name is None:
        return None
    zero = image.registers["zero"][1]
    a, b = (("register", zero + 4 * (word >> k & 31), 4) for k in (15, 20))
    d: Node = ("register", zero + 4 * (word >> 7 & 31), 4)
    t: Node = ("unique", 0, 4)
    u: Node = ("unique", 4, 4)
    mark: Operation = ("IMARK", (("ram", 0, 4),), None, "")
    if word >> 7 & 31 == 0:
        return [mark]
    if name in ("andn", "orn"):
        work: list[Operation] = [
            ("INT_NEGATE", (b,), t, ""),
            ("INT_AND" if name == "andn" else "INT_OR", (a, t), d, ""),
        ]
    elif name == "rori":
        by = word >> 20 & 31
        work = [
            ("INT_RIGHT", (a, ("const", by, 4)), t, ""),
            ("INT_LEFT", (a, ("const", -by & 31, 4)), u, ""),
            ("INT_OR", (t, u), d, ""),
        ]
    elif name == "pack":
        work = [("CALLOTHER", (a, b), d, name)]
    else:
        work = [("CALLOTHER", (a,), d, name)]
    return [mark, *work]


A64 = ISA(
    "A64",
    "AARCH64:LE:64:v8A",
    64,
    # x18 belongs to the platform: a kernel leaves it alone
    (*(f"x{i}" for i in range(18, 30)), *(f"d{i}" for i in range(8, 16))),
    "x30",
    False,
    ("INT_DIV", "INT_SDIV", "INT_REM", "INT_SREM"),
    _a64,
    passed=("x0", "x1", "x2"),
    lost=(
        *(f"x{i}" for i in range(1, 19)),
        *(f"q{i}" for i in range(32)),
        *("NG", "ZR", "CY", "OV"),
    ),
    together=_together,
    general=(
        *(*(f"x{i}" for i in range(31)), "sp", *SCRATCH),
        *(f"z{i}" for i in range(32)),  # with the halves of vectors that NEON sets to zero
    ),
    idle=("nop", "bti"),
    simplified=(  # authentication of pointers, and tags of memory
        *("pac", "aut", "xpac", "reta", "eret", "bra", "blra", "ldra"),
        *("irg", "gmi", "addg", "subg", "subp", "ldg", "stg", "stzg", "st2g", "stz2g"),
    ),
)
RV32 = ISA(
    "RV32",
    "RISCV:LE:32:default",
    32,
    (*(f"s{i}" for i in range(12)), "gp", "tp"),
    "ra",
    True,
    ("INT_DIV", "INT_SDIV", "INT_REM", "INT_SREM", "INT_MULT"),
    _rv32,
    passed=("a0", "a1", "a2"),
    lost=("ra", *(f"a{i}" for i in range(1, 8)), *(f"t{i}" for i in range(7))),
    general=(
        *("ra", "sp", "gp", "tp", "pc", *(f"a{i}" for i in range(8))),
        *(*(f"t{i}" for i in range(7)), *(f"s{i}" for i in range(12))),
    ),
)


# By instruction set the relocations of the low bits of an address, and where in an instruction the
# number of the register is to which they are added.
LOW_PARTS = {"A64": ((277, 278, 284, 285, 286, 299), 5), "RV32": ((24, 25), 15)}

OF = " of "  # behind the name of a buffer: a part of it


class Order:
    """Which bytes of a group a run writes before it reads them. Where it writes none, it does the
    same when the target is the source: its addresses and branches are those of any addresses of the
    two, and what it loads from the source is what was there.
    """

    def __init__(self, source: str, target: str) -> None:
        self.source, self.target = source, target
        self.written: set[tuple[str, int]] = set()
        self.late: set[tuple[str, int]] = set()  # read behind that, in any copy of the run

    @property
    def reads_first(self) -> bool:
        """Whether it has written none before."""
        return not self.late

    def copied(self) -> Order:
        """The same for a run that goes on by itself."""
        other = Order(self.source, self.target)
        other.written, other.late = set(self.written), self.late
        return other

    def see(self, name: str, at: int, size: int, what: str) -> None:
        """A load or a store, in a buffer or in a part of it that has a name of its own."""
        if what == "store" and (part := self._part(name, self.target)) is not None:
            self.written.update((part, i) for i in range(at, at + size))
        elif self.written and (part := self._part(name, self.source)) is not None:
            self.late |= self.written.intersection((part, i) for i in range(at, at + size))

    @staticmethod
    def _part(name: str, buffer: str) -> str | None:
        """Which part of a buffer is called so, None for other buffers."""
        rest = name.removeprefix(buffer)
        return rest if name == buffer or (rest.startswith(OF) and rest != name) else None


class Machine:
    """One run. What no register or byte of memory holds yet comes from `missing`."""

    def __init__(self, g: Graph, image: Image, regions: Mapping[str, Region]) -> None:
        self.g, self.image, self.isa = g, image, image.isa
        self.strict = image.isa.strict
        self.together = 1  # bytes that an instruction accesses in one piece, and so aligned
        self.regions = dict(regions)
        self.bounds: dict[str, tuple[int, int]] = {}
        self.alignment: dict[str, int] = {}
        self.pieces: dict[Factors, dict[int, tuple[str, int, str]]] = {}  # see `_in_piece`
        self.order: Order | None = None
        self.spaces: dict[str, dict[int, Cell]] = {"register": {}, "unique": {}}
        self.fresh: dict[int, Bits] = {}  # bytes of registers that nobody gave a value
        self.tag = "register"
        self.count = 0
        self.pc = 0
        self.deepest: int | None = None  # the lowest byte of the stack that an instruction touches
        self.lowest = 0  # byte of the stack that a run touches, or its pointer leaves to others
        self.stores: list[tuple[str, int, int]] = []
        self.writers: dict[tuple[str, int], int] = {}  # the last store to each byte
        self.executed: set[int] = set()

    # Storage

    def write(self, space: str, at: int, value: Value, size: int) -> None:
        """Put a value into `size` bytes."""
        put(self.spaces.setdefault(space, {}), at, value, size)

    def _missing(self, space: str, at: int) -> Bits:
        if space != "register":
            raise RefusedError(
                f"at {self.pc:#x} the kernel reads {space} {at:+d}, which nothing has written"
            )
        if at not in self.fresh:
            self.fresh[at] = self.g.word(f"{self.tag} {at:#x}", 8)
        return self.fresh[at]

    def read(self, space: str, at: int, size: int) -> Value:
        """What `size` bytes hold; a whole value stays what it is."""
        held = self.spaces.setdefault(space, {})
        value: Value | None = whole(held, at, size)
        if value is not None:
            return value
        out: Bits = ()
        for value, k, count, n in spans(self._row(space, at, size)):
            if isinstance(value, Lin):
                raise OpenError(f"at {self.pc:#x} a part of the address or count {value} is read")
            out += self.bits(value, 8 * n)[8 * k : 8 * (k + count)]
        return folded(out)

    def _row(self, space: str, at: int, size: int) -> list[Cell]:
        """The cells of some bytes; those that nobody gave a value get one."""
        held = self.spaces.setdefault(space, {})
        found = row(held, at, size)
        if found is None:
            for place in range(at, at + size):
                if place not in held:
                    held[place] = (self._missing(space, place), 0, 1)
            found = row(held, at, size)
            assert found is not None
        return found

    def bits(self, value: Value, width: int) -> Bits:
        """A value as data."""
        if type(value) is tuple and len(value) >= width:
            return value
        if isinstance(value, LAZY):
            value = value.bits()
        if isinstance(value, Cond):
            value = int(value.decide(self.bounds))
        if isinstance(value, int):
            return number_bits(value, width)
        if isinstance(value, Unreadable):
            raise OpenError(f"at {self.pc:#x}: {value.what}")
        if isinstance(value, Lin):
            raise OpenError(f"at {self.pc:#x} the address or count {value} is used as data")
        if isinstance(value, Ahead):
            raise OpenError(f"at {self.pc:#x} a counter that is ahead by {value.by} is read")
        return value + (0,) * (width - len(value)) if len(value) < width else value

    def register(self, name: str) -> Value:
        """What a register holds."""
        return self.read(*self.image.registers[name])

    def set_register(self, name: str, value: Value) -> None:
        """Give a register a value."""
        space, at, size = self.image.registers[name]
        self.write(space, at, value, size)

    def called(self) -> None:
        """Be in front of the first instruction of a call."""
        self.set_register(self.isa.link, Lin(0, {"return": 1}))
        self.set_register("sp", Lin(0, {"stack": 1}))

    def argument(self, name: str, value: Value) -> None:
        """Give an argument of a call its value."""
        self.set_register(name, value)

    # Memory

    def _place(self, address: Value, size: int, what: str) -> tuple[str, int]:
        at = f"the {what} at {self.pc:#x}"
        if isinstance(address, int):
            return "", address
        if not isinstance(address, Lin):
            raise RefusedError(f"{at}: its address depends on data")
        if address.t == FILE_PLACE:
            return "", address.c
        if address.t in self.pieces:
            return self._in_piece(address, size, what)
        c, t = parts(address)
        name = next((k for k, v in t.items() if k in self.regions and v == 1), None)
        if name is None or len(t) != 1:
            raise RefusedError(f"{at}: {address} is in no buffer")
        region = self.regions[name]
        if c < region.low or c + size > region.high:
            raise RefusedError(
                f"{at}: bytes {c} to {c + size - 1} of {name}, which has {region.low} to {region.high - 1}"
            )
        if what == "store" and "w" not in region.access:
            raise RefusedError(f"{at}: {name} may only be read")
        whole = max(size, self.together) if self.strict else self.together
        if region.align % whole or c % whole:
            raise RefusedError(f"{at}: {whole} bytes at {name} {c:+d} are not aligned")
        if name == "stack":
            self.deepest = c if self.deepest is None else min(self.deepest, c)
        if self.order is not None:
            self.order.see(name, c, size, what)
        if what == "store":
            self.writers.update(dict.fromkeys(((name, c + i) for i in range(size)), self.pc))
        return name, c

    def _in_piece(self, address: Lin, size: int, what: str) -> tuple[str, int]:
        """Places that are known byte by byte: for the symbols of an address with their factors, and
        for each number, the space that holds the byte, its place there, and who may access it.
        """
        held = self.pieces[address.t]
        name, place, _ = held.get(address.c, ("", 0, ""))
        needed = "w" if what == "store" else "r"
        for i in range(size):
            found = held.get(address.c + i, ("", 0, ""))
            if found[:2] != (name, place + i) or needed not in found[2]:
                raise RefusedError(
                    f"the {what} at {self.pc:#x}: {address} and {size - 1} bytes behind it are not "
                    "all in a buffer that allows it"
                )
        whole = max(size, self.together) if self.strict else self.together
        aligned = all(f * self.alignment.get(s, 1) % whole == 0 for s, f in address.t)
        if address.c % whole or not aligned:
            raise RefusedError(
                f"the {what} at {self.pc:#x}: {whole} bytes at {address} are not aligned"
            )
        return name, place

    def load(self, address: Value, size: int) -> Value:
        """What a load gives."""
        name, at = self._place(address, size, "load")
        if name:
            return self.read(name, at, size)
        data = self.image.bytes_at(at, size)
        if data is None:
            raise RefusedError(f"the load at {self.pc:#x} reads {at:#x}, where no constant is")
        whole = max(size, self.together) if self.strict else self.together
        if whole > 1 and self.image.align_at(at) % whole:
            raise RefusedError(f"the load at {self.pc:#x} from {at:#x} is not aligned")
        return int.from_bytes(data, "little")

    def store(self, address: Value, value: Value, size: int) -> None:
        """What a store does."""
        name, at = self._place(address, size, "store")
        if not name:
            raise RefusedError(f"the store at {self.pc:#x} writes to {at:#x}, a fixed address")
        self.stores.append((name, at, size))
        self.write(name, at, value, size)

    # Execution

    def _input(self, node: Node) -> Value:
        space, at, size = node
        if space == "const":
            return at & ((1 << 8 * size) - 1)
        if space == FILE:
            return Lin(at, {FILE: 1})
        if space == "ram":
            return self.load(at, size)
        return self.read(space, at, size)

    def step(self, pc: int) -> Value:
        """Run one instruction, or a function of the C library; the address of the next."""
        if self.elsewhere(pc):
            return in_file(self._library(self.image.library[pc]))
        self.deepest = None
        self.alignment[FILE] = self.image.placed
        before = self.register("sp")
        following = self._step(pc)
        moved = self.isa.moved
        after = self.register("sp")
        if self.deepest is not None:  # an access may move the stack pointer, before or behind it
            for sp in (before, after):
                if not isinstance(sp, Lin) or sp.factors != {"stack": 1} or sp.c % moved:
                    raise RefusedError(f"at {pc:#x} the stack pointer is no multiple of {moved}")
                if sp.c <= self.deepest:
                    break
            else:
                raise RefusedError(f"at {pc:#x} the kernel uses memory below the stack pointer")
        if after is not before:
            self._raised(before, after)
        self.lowered(after)
        return in_file(following)

    def lowered(self, sp: Value) -> None:
        """Note how deep the stack is; RefusedError where its pointer leaves what the kernel may
        use, though nothing is stored there: an interrupt would be.
        """
        ends = [] if self.deepest is None else [self.deepest]
        if isinstance(sp, Lin) and sp.factors == STACK:
            ends.append(sp.c)
            if "stack" in self.regions and sp.c < self.regions["stack"].low:
                raise RefusedError(
                    f"at {self.pc:#x} the stack pointer is {-sp.c} bytes down; the kernel may take "
                    f"{-self.regions['stack'].low}"
                )
        self.lowest = min([self.lowest, *ends])

    def _raised(self, before: Value, after: Value) -> None:
        """Where the stack pointer has gone up, what lies below it now is gone: an interrupt, or a
        signal, may write there before it goes down again.
        """
        ends = [sp.c for sp in (before, after) if isinstance(sp, Lin) and sp.factors == STACK]
        if len(ends) == 2 and ends[1] > ends[0]:
            self._gone_below(ends[1])

    def elsewhere(self, pc: int) -> bool:
        """Whether a function of the C library begins there."""
        return pc in self.image.library

    def _library(self, name: str) -> Value:
        """A call of memcpy or memset, as C and the calling convention define it: so many bytes are
        copied or set, and registers that a function need not give back are gone, as is what lies
        below the stack pointer.
        """
        target, source, size = (self.register(name) for name in self.isa.passed)
        back = self._back()
        if not isinstance(size, int) or not isinstance(target, Lin):
            raise OpenError(f"the call before {back}: {name} of {size} bytes at {target}")
        self.count += size
        self.deepest = None
        self._not_onto(name, target, source, size)
        if name == "memcpy":
            data = [self.load(self._behind(source, i), 1) for i in range(size)]
        else:
            data = [self.read(*self.image.registers[self.isa.passed[1]][:2], 1)] * size
        for i, byte in enumerate(data):
            self.store(self._behind(target, i), byte, 1)
        sp = self.register("sp")
        if isinstance(sp, Lin) and sp.factors == STACK:
            if self.deepest is not None and self.deepest < sp.c:
                raise RefusedError(
                    f"behind {self.pc:#x} {name} uses memory below the stack pointer"
                )
            self._gone_below(sp.c)
        kept = [self.image.registers[name] for name in self.isa.kept(".c")]
        inside = {at for _, low, bytes_ in kept for at in range(low, low + bytes_)}
        for name in self.isa.lost:
            _, low, bytes_ = self.image.registers[name]
            for at in range(low, low + bytes_):
                if at not in inside:
                    self.write("register", at, GONE, 1)
        return back

    def _not_onto(self, name: str, target: Lin, source: Value, size: int) -> None:
        """RefusedError where memcpy copies onto what it reads."""
        if name != "memcpy" or not isinstance(source, int | Lin):
            return
        gap = combined(target, source, -1, self.isa.width)
        if isinstance(gap, int) and abs(signed(gap, self.isa.width)) < size:
            raise RefusedError(f"behind {self.pc:#x} {size} bytes are copied onto themselves")

    def _back(self) -> Value:
        """Where a function that is called returns to."""
        return self.register(self.isa.link)

    def _behind(self, address: Value, offset: int) -> Value:
        if not isinstance(address, int | Lin):
            return address
        return combined(address, offset, 1, self.isa.width)

    def _gone_below(self, at: int) -> None:
        """What lies on the stack below a place has no value any more."""
        held = self.spaces.get("stack", {})
        for place in [place for place in held if place < at]:
            del held[place]

    def _counted(self, pc: int) -> None:
        """Begin an instruction."""
        self.pc = pc
        self.executed.add(pc)
        self.count += 1
        if self.count > INSTRUCTIONS_MOST:
            raise OpenError(f"more than {INSTRUCTIONS_MOST} instructions in one run")
        if self.count % 256 == 0:
            self.g.check()

    def _step(self, pc: int) -> Value:
        self.pc = pc
        operations = self.image.operations(pc)
        self.together = self.isa.together(self.image, pc) if self.isa.together else 1
        self.spaces["unique"] = {}
        self._counted(pc)
        if self.image.filled.get(pc) in LOW_PARTS.get(self.isa.name, ((), 0))[0]:
            self._low_part(pc)
        length, i = 0, 0
        while i < len(operations):
            name, inputs, out, user = operations[i]
            i += 1
            if out and out[0] not in ("register", "unique"):
                raise RefusedError(f"at {pc:#x} the kernel writes to {out[1]:#x}, a fixed address")
            if name == "IMARK":
                length += sum(size for _, _, size in inputs)
            elif name == "LOAD":
                assert out
                self.write(out[0], out[1], self.load(self._input(inputs[1]), out[2]), out[2])
            elif name == "STORE":
                self.store(self._input(inputs[1]), self._input(inputs[2]), inputs[2][2])
            elif name in ("BRANCH", "CALL", "CBRANCH"):
                if name == "CBRANCH" and not self._taken(self._input(inputs[1])):
                    continue
                space, target, size = inputs[0]
                if space != "const":
                    return target
                i += signed(target, 8 * size) - 1
            elif name in ("RETURN", "BRANCHIND", "CALLIND"):
                return self._input(inputs[0])
            elif name == "CALLOTHER":
                self._user(user, inputs, out)
            elif name == "COPY" and inputs[0][0] not in ("const", "ram", FILE):
                assert out
                self._copy(inputs[0], out)
            elif name == "INT_ZEXT":
                assert out
                self._extend(inputs[0], out)
            else:
                if out is None:
                    raise OpenError(f"at {pc:#x}: no rule for {name}")
                values = [self._input(node) for node in inputs]
                widths = [8 * node[2] for node in inputs]
                self.write(out[0], out[1], self._alu(name, values, widths, 8 * out[2]), out[2])
        return pc + length

    def _low_part(self, pc: int) -> None:
        """RefusedError where the low bits of an address are added to what is not its upper part:
        then they are a number that the linker chose.
        """
        _, shift = LOW_PARTS[self.isa.name]
        word = int.from_bytes(self.image.code(pc) or b"", "little")
        first, size = self.image.registers["x0" if self.isa is A64 else "zero"][1:]
        base = self.read("register", first + size * (word >> shift & 31), size)
        if not isinstance(base, Lin) or base.t != FILE_PLACE:
            raise RefusedError(f"at {pc:#x} the low bits of an address are used as a number")

    def _taken(self, value: Value) -> bool:
        if isinstance(value, Cond):
            return value.decide(self.bounds)
        if isinstance(value, int):
            return bool(value & 1)
        data = self.bits(value, 8)
        if data[0] > 1 and not (known := self._constant(data[0])):
            raise RefusedError(f"the branch at {self.pc:#x} depends on data")
        return bool(known[0] if data[0] > 1 else data[0])

    def _constant(self, literal: int) -> tuple[int, ...]:
        """The value of a bit that is the same for all inputs, as is proved here: compilers count
        by a counter block and the number where it ends. Nothing for others.
        """
        if literal >= STRANGE:
            return ()
        return next(((bit,) for bit in (0, 1) if self.g.same(literal, bit, CONSTANTS)), ())

    def _copy(self, source: Node, out: Node) -> None:
        """Byte by byte, so that values stay whole."""
        cells = self._row(*source)
        into = self.spaces.setdefault(out[0], {})
        for i, cell in enumerate(cells, out[1]):
            into[i] = cell

    def _extend(self, source: Node, out: Node) -> None:
        value, size = self._input(source), source[2]
        if isinstance(value, Lin):
            if not fits(value, 8 * size, self.bounds):
                raise OpenError(f"at {self.pc:#x}: {value} may have more than {8 * size} bits")
            self.write(out[0], out[1], value, out[2])
        elif isinstance(value, int):
            self.write(out[0], out[1], value, out[2])
        else:  # a lazy value stays whole in its part
            self.write(out[0], out[1], value, size)
            self.write(out[0], out[1] + size, 0, out[2] - size)

    def _user(self, name: str, inputs: Sequence[Node], out: Node | None) -> None:
        if name == "choose" and out is not None:
            self._choose(inputs, out)
            return
        rule = _USER.get(name)
        if rule is None or out is None:
            raise OpenError(f"at {self.pc:#x}: no rule for {name}")
        values = [self._input(node) for node in inputs]
        made = rule(self, values, [8 * node[2] for node in inputs])
        self.write(out[0], out[1], folded(made), out[2])

    def _cells(self, node: Node) -> list[Cell]:
        """The bytes of a register."""
        return self._row(*node)

    def _choose(self, inputs: Sequence[Node], out: Node) -> None:
        """The second operand in the bits where the first one is set, else the third."""
        which = self.bits(self._input(inputs[0]), 8 * out[2])
        a, b = (self._cells(node) for node in inputs[1:])
        into: list[tuple[Value, int, int]] = []
        while len(into) < out[2]:
            i = len(into)
            sums, bit = sums_at(a, b, i), which[8 * i]
            if sums and bit > 1 and set(which[8 * i : 8 * (i + a[i][2])]) == {bit}:
                total = chosen_sum(self.g, bit, *sums)
                if total is not None:
                    into += [(total, k, a[i][2]) for k in range(a[i][2])]
                    continue
            if (chosen := which[8 * i : 8 * i + 8]) in (ZEROS, ONES):
                into.append((a if chosen == ONES else b)[i])
                continue
            bits = []
            for value, k, size in (a[i], b[i]):
                if isinstance(value, Lin):
                    raise OpenError(
                        f"at {self.pc:#x} a part of the address or count {value} is read"
                    )
                bits.append(self.bits(value, 8 * size)[8 * k : 8 * k + 8])
            into.append((folded(tuple(map(self.g.choose, chosen, *bits))), 0, 1))
        for i, cell in enumerate(into):
            self.spaces[out[0]][out[1] + i] = cell

    def number(self, value: Value) -> int:
        """A value that must be a number here: an amount of a shift, an index."""
        if isinstance(value, int):
            return value
        raise OpenError(f"at {self.pc:#x} the amount of a shift or an index depends on data")

    def _alu(self, name: str, values: list[Value], widths: list[int], out: int) -> Value:
        width, kinds = widths[0], set(map(type, values))
        if kinds <= WORDS and kinds != {int} and name != "COPY" and name not in self.isa.slow:
            return self._data(name, values, widths, out)
        if any(isinstance(value, Unreadable) for value in values):
            raise OpenError(f"at {self.pc:#x}: a flag of an address or count is read")
        if any(isinstance(value, Ahead) for value in values):
            return self._ahead(name, values, widths, out)
        if name.startswith("BOOL") and any(isinstance(value, Cond) for value in values):
            return self._public_bool(name, values)
        values = [
            int(value.decide(self.bounds)) if isinstance(value, Cond) else value for value in values
        ]
        if name == "COPY":
            return values[0]
        if any(isinstance(value, Lin) for value in values):
            return self._linear(name, values, width, out)
        if all(isinstance(value, int) for value in values):
            return _numbers(name, [v for v in values if isinstance(v, int)], widths, out)
        if name in self.isa.slow:
            raise RefusedError(f"at {self.pc:#x}: the time of {name} depends on data")
        return self._data(name, values, widths, out)

    def _ahead(self, name: str, values: list[Value], widths: list[int], out: int) -> Value:
        """A counter that is ahead, and a number or count that is added or taken off."""
        x = values[0]
        y = values[1] if len(values) > 1 else 0
        if name == "INT_ADD" and isinstance(y, Ahead):
            x, y = y, x
        linear = isinstance(x, Ahead) and isinstance(y, int | Lin)
        if name not in ("INT_ADD", "INT_SUB") or not linear:
            raise OpenError(f"at {self.pc:#x}: no rule for {name} of a counter that is ahead")
        assert isinstance(x, Ahead)
        assert isinstance(y, int | Lin)
        by = combined(x.by, y, 1 if name == "INT_ADD" else -1, widths[0])
        return Ahead(x.base, by) if isinstance(by, Lin) else self._sum_of(x.base, by, widths, out)

    def _sum_of(self, base: Bits, by: int, widths: list[int], out: int) -> Value:
        return self._data("INT_ADD", [base, by], widths, out) if by else base

    def _public_bool(self, name: str, values: list[Value]) -> Value:
        if name == "BOOL_NEGATE":
            (value,) = values
            assert isinstance(value, Cond)
            return value.inverted()
        known = []
        for value in values:
            bit = int(value.decide(self.bounds)) if isinstance(value, Cond) else value
            if not isinstance(bit, int):
                raise OpenError(f"at {self.pc:#x}: a condition joins data and public values")
            known.append(bit & 1)
        p, q = known
        return {"BOOL_AND": p & q, "BOOL_OR": p | q, "BOOL_XOR": p ^ q}[name]

    def _linear(self, name: str, values: list[Value], width: int, out: int) -> Value:
        if not all(isinstance(value, int | Lin) for value in values):
            raise RefusedError(f"at {self.pc:#x} an address or count is mixed with data ({name})")
        x = values[0]
        y = values[1] if len(values) > 1 else 0
        assert isinstance(x, int | Lin)
        assert isinstance(y, int | Lin)
        ones = (1 << width) - 1
        if name in ("INT_ADD", "INT_SUB"):
            return combined(x, y, 1 if name == "INT_ADD" else -1, width)
        if name == "INT_2COMP":
            return combined(0, x, -1, width)
        if name == "INT_NEGATE":
            return combined(-1, x, -1, width)
        if name == "INT_LEFT" and isinstance(y, int) and y < width:
            return scaled(x, 1 << y, width)
        if name == "INT_MULT" and isinstance(y, int):
            return scaled(x, y, width)
        if name == "INT_MULT" and isinstance(x, int):
            return scaled(y, x, width)
        if name in ("INT_AND", "INT_RIGHT") and isinstance(x, Lin) and isinstance(y, int):
            parted = parted_low(x, y, name, width, self.bounds)
            if parted is not None:
                return parted
        if name in ("INT_OR", "INT_XOR") and 0 in (x, y):
            return x if y == 0 else y
        number, lin = (x, y) if isinstance(x, int) else (y, x)
        if name in ("INT_OR", "INT_XOR", "INT_AND") and isinstance(number, int):
            assert isinstance(lin, Lin)
            step = 1 << number.bit_length()  # where the symbols add multiples of it
            if all(f * self.alignment.get(s, 1) % step == 0 for s, f in lin.t):
                low = lin.c % step
                if name == "INT_AND":
                    return low & number
                both = low | number if name == "INT_OR" else low ^ number
                return combined(lin, both - low, 1, width)
        if name == "INT_AND" and ones in (x, y):
            return x if y == ones else y
        if name == "INT_AND" and isinstance(number, int):
            gone = ~number & ones  # bits that it clears, which are those of the number alone
            step = 1 << gone.bit_length()
            assert isinstance(lin, Lin)
            if lin.t == FILE_PLACE and self.alignment.get(FILE, 1) % step == 0:
                return combined(lin, -(lin.c & gone), 1, width)
        if name == "INT_AND" and isinstance(x, Lin) and isinstance(y, int):
            clear = (~y & ones) + 1  # a mask that clears low bits, which are zero
            whole = clear & (clear - 1) == 0 and x.c % clear == 0
            if whole and all(f * self.alignment.get(s, 1) % clear == 0 for s, f in x.t):
                return x
        if name in ("INT_EQUAL", "INT_NOTEQUAL"):
            return Cond("equal", x, y, width, name == "INT_NOTEQUAL")
        if name in ("INT_LESS", "INT_SLESS"):
            return Cond("less" if name == "INT_SLESS" else "below", x, y, width)
        if name in ("INT_LESSEQUAL", "INT_SLESSEQUAL"):
            return Cond("less" if name == "INT_SLESSEQUAL" else "below", y, x, width, True)
        if name in ("INT_SBORROW", "INT_SCARRY", "INT_CARRY"):
            return Unreadable(f"{name} of {x} and {y} is read")
        if name == "SUBPIECE" and y == 0 and fits(x, out, self.bounds):
            return x
        if name == "INT_SEXT":
            ends = interval(x, self.bounds)
            if ends and ends[0] >= -(1 << (width - 1)) and ends[1] < 1 << (width - 1):
                return x
        raise OpenError(f"at {self.pc:#x}: no rule for {name} of {x} and {y} ({width} bits)")

    def _data(self, name: str, values: list[Value], widths: list[int], out: int) -> Value:
        g, width = self.g, widths[0]
        x = values[0]
        y = values[1] if len(values) > 1 else 0
        if name == "INT_ADD" and isinstance(x, Sum) and isinstance(y, int):
            y = number_bits(y, width)
        elif name == "INT_ADD" and isinstance(x, int) and isinstance(y, Sum):
            x = number_bits(x, width)
        summed = isinstance(x, tuple | Sum) and isinstance(y, tuple | Sum)
        if name == "INT_ADD" and summed:
            assert isinstance(x, tuple | Sum)
            assert isinstance(y, tuple | Sum)
            return plus(g, x, y)
        if name == "INT_SUB" and isinstance(x, Sum) and isinstance(y, tuple):
            made = less_carry(g, x, y)
            if made is not None:
                return folded(made)
        if name == "INT_ADD":
            for p, q in ((x, y), (y, x)):
                if isinstance(p, Difference) and isinstance(q, tuple):
                    made = plus_borrow(g, p, q)
                    if made is not None:
                        return folded(made)
        p = self.bits(x, width)
        if name in ("INT_LEFT", "INT_RIGHT", "INT_SRIGHT"):
            n = self.number(y)
            if name == "INT_LEFT":
                return folded(((0,) * n + p)[:width])
            top = p[-1] if name == "INT_SRIGHT" else 0
            return folded((p[n:] + (top,) * width)[:width])
        if name == "INT_SEXT":
            return folded(p + p[-1:] * (out - width))
        if name == "INT_NEGATE":
            return not_(p)
        if name == "INT_2COMP":
            return folded(sub(g, number_bits(0, width), p))
        if name == "SUBPIECE":
            n = 8 * self.number(y)
            return folded((p[n : n + out] + (0,) * out)[:out])
        if name == "PIECE":
            return folded(self.bits(y, widths[1]) + p)
        if name == "BOOL_NEGATE":
            return folded((p[0] ^ 1, *p[1:]))
        if len(values) != 2:
            raise OpenError(f"at {self.pc:#x}: no rule for {name} of data")
        q = self.bits(y, widths[1])
        if name == "INT_ADD":
            return Sum(g, (p, q))
        if name == "INT_SUB":
            return Difference(g, p, q)
        if name in ("INT_XOR", "BOOL_XOR"):
            return folded(xor(g, p, q))
        if name in ("INT_AND", "BOOL_AND"):
            return folded(and_(g, p, q))
        if name in ("INT_OR", "BOOL_OR"):
            return folded(or_(g, p, q))
        if name == "INT_MULT" and isinstance(y, int):
            return folded(product(g, p, y))
        if name in _FLAGS:
            return Flag(lambda: (_FLAGS[name](g, p, q), *(0,) * (out - 1)))
        raise OpenError(f"at {self.pc:#x}: no rule for {name} of data")

    def lanes(self, value: Value, width: int, lane: int) -> list[Bits]:
        """A vector in lanes of `lane` bits."""
        data = self.bits(value, width)
        return [data[i : i + lane] for i in range(0, width, lane)]

    def forget_flags(self) -> None:
        """Say nothing of flags, where they are none of the registers."""

    def run(self, pc: int, until: Callable[[int], bool]) -> int | None:
        """Run until `until` says so before an instruction; None when the kernel has returned."""
        while not until(pc):
            following = self.step(pc)
            if isinstance(following, Lin) and following == Lin(0, {"return": 1}):
                return None
            if not isinstance(following, int):
                raise RefusedError(f"the jump at {self.pc:#x} depends on data or goes elsewhere")
            pc = following
        return pc


class A64Machine(Machine):
    """One run on AArch64, where the number of the stack protector is public, and unknown."""

    def load(self, address: Value, size: int) -> Value:
        if isinstance(self.image, A64Image) and (address, size) == (self.image.guard, 8):
            return Lin(0, {"canary": 1})
        return super().load(address, size)


def sums_at(a: Sequence[Cell], b: Sequence[Cell], i: int) -> tuple[Sum, Sum] | None:
    """The elements at a byte, where both are sums that nothing has read, of the same size."""
    size, found = a[i][2], []
    for cells in (a, b):
        value = cells[i][0]
        if not isinstance(value, Sum) or value.read:
            return None
        part = [cell[1:] for cell in cells[i : i + size] if cell[0] is value]
        if part != [(k, size) for k in range(size)]:
            return None
        found.append(value)
    return found[0], found[1]


def _equal(g: Graph, a: Bits, b: Bits) -> int:
    differs = 0
    for x, y in zip(a, b, strict=True):
        differs = g.or_(differs, g.xor(x, y))
    return differs ^ 1


def _flipped(a: Bits) -> Bits:
    return (*a[:-1], a[-1] ^ 1)


def _add_overflow(g: Graph, a: Bits, b: Bits) -> int:
    total = a[-1] ^ 0
    carry = carry_out(g, a[:-1], b[:-1])
    top = g.xor(g.xor(total, b[-1]), carry)
    return g.and_(g.xor(top, a[-1]), g.xor(top, b[-1]))


def _sub_overflow(g: Graph, a: Bits, b: Bits) -> int:
    borrow = carry_out(g, a[:-1], not_(b[:-1]), 1) ^ 1
    top = g.xor(g.xor(a[-1], b[-1]), borrow)
    return g.and_(g.xor(a[-1], b[-1]), g.xor(top, a[-1]))


_FLAGS: dict[str, Callable[[Graph, Bits, Bits], int]] = {
    "INT_EQUAL": _equal,
    "INT_NOTEQUAL": lambda g, a, b: _equal(g, a, b) ^ 1,
    "INT_LESS": less,
    "INT_LESSEQUAL": lambda g, a, b: less(g, b, a) ^ 1,
    "INT_SLESS": lambda g, a, b: less(g, _flipped(a), _flipped(b)),
    "INT_SLESSEQUAL": lambda g, a, b: less(g, _flipped(b), _flipped(a)) ^ 1,
    "INT_CARRY": lambda g, a, b: carry_out(g, a, b),
    "INT_SCARRY": _add_overflow,
    "INT_SBORROW": _sub_overflow,
}


def _numbers(name: str, values: Sequence[int], widths: Sequence[int], out: int) -> int:
    """An operation on numbers."""
    w = widths[0]
    x = values[0] & ((1 << w) - 1)
    y = values[1] & ((1 << widths[1]) - 1) if len(values) > 1 else 0
    sx, sy = signed(x, w), signed(y, widths[-1])
    half = 1 << (w - 1)
    rules: dict[str, Callable[[], int]] = {
        "INT_ADD": lambda: x + y,
        "INT_SUB": lambda: x - y,
        "INT_XOR": lambda: x ^ y,
        "INT_AND": lambda: x & y,
        "INT_OR": lambda: x | y,
        "INT_LEFT": lambda: x << y if y < w else 0,
        "INT_RIGHT": lambda: x >> y,
        "INT_SRIGHT": lambda: sx >> min(y, w - 1),
        "INT_SEXT": lambda: sx,
        "INT_NEGATE": lambda: ~x,
        "INT_2COMP": lambda: -x,
        "INT_MULT": lambda: x * y,
        "BOOL_NEGATE": lambda: x ^ 1,
        "BOOL_AND": lambda: x & y,
        "BOOL_OR": lambda: x | y,
        "BOOL_XOR": lambda: x ^ y,
        "INT_EQUAL": lambda: int(x == y),
        "INT_NOTEQUAL": lambda: int(x != y),
        "INT_LESS": lambda: int(x < y),
        "INT_LESSEQUAL": lambda: int(x <= y),
        "INT_SLESS": lambda: int(sx < sy),
        "INT_SLESSEQUAL": lambda: int(sx <= sy),
        "INT_CARRY": lambda: int(x + y >> w != 0),
        "INT_SCARRY": lambda: int(not -half <= sx + sy < half),
        "INT_SBORROW": lambda: int(not -half <= sx - sy < half),
        "SUBPIECE": lambda: x >> 8 * y,
        "PIECE": lambda: x << widths[1] | y,
        "POPCOUNT": lambda: x.bit_count(),
    }
    if name not in rules:
        raise OpenError(f"no rule for {name}")
    return rules[name]() & ((1 << out) - 1)


# What SLEIGH leaves to its user: operations on vectors, as Arm defines them. `v` are the inputs.

User = Callable[[Machine, list[Value], list[int]], Bits]


def _joined(lanes: Sequence[Bits]) -> Bits:
    return tuple(x for lane in lanes for x in lane)


def _shift_insert(right: bool) -> User:
    def rule(m: Machine, v: list[Value], widths: list[int]) -> Bits:
        n, w = m.number(v[2]), 8 * m.number(v[3])
        pairs = zip(m.lanes(v[0], widths[0], w), m.lanes(v[1], widths[1], w), strict=True)
        if right:
            return _joined([new[n:] + old[w - n :] for old, new in pairs])
        return _joined([old[:n] + new[: w - n] for old, new in pairs])

    return rule


def _reverse(size: int) -> User:
    def rule(m: Machine, v: list[Value], widths: list[int]) -> Bits:
        w = 8 * m.number(v[1])
        lanes = m.lanes(v[0], widths[0], w)
        k = size // w
        return _joined([x for i in range(0, len(lanes), k) for x in reversed(lanes[i : i + k])])

    return rule


def _extract(m: Machine, v: list[Value], widths: list[int]) -> Bits:
    lanes = m.lanes(v[0], widths[0], 8) + m.lanes(v[1], widths[1], 8)
    at = m.number(v[2])
    return _joined(lanes[at : at + widths[0] // 8])


def _table(m: Machine, v: list[Value], widths: list[int]) -> Bits:
    """TBL: what stays is none of its inputs, so an index past the tables gives zero."""
    tables = [x for t, w in zip(v[1:-1], widths[1:-1], strict=True) for x in m.lanes(t, w, 8)]
    if not isinstance(v[-1], int) and len(tables) == 16:
        return _looked_up(m.g, tables, m.lanes(v[-1], widths[-1], 8))
    if not isinstance(v[-1], int) and len(tables) in (32, 64):
        return _joined([_entry_at(m.g, tables, i) for i in m.lanes(v[-1], widths[-1], 8)])
    indices = m.number(v[-1])
    chosen = [indices >> 8 * j & 255 for j in range(widths[-1] // 8)]
    return _joined([tables[i] if i < len(tables) else (0,) * 8 for i in chosen])


def _entry_at(g: Graph, entries: Sequence[Bits], index: Bits) -> Bits:
    """A byte of two or four tables by an index that may hang on data; zero behind them."""
    low = len(entries).bit_length() - 1
    inside = 1
    for bit in index[low:]:
        inside = g.and_(inside, bit ^ 1)
    byte = entry_at(g, entries, index[:low]) if inside else (0,) * 8
    return tuple(g.and_(x, inside) for x in byte)


def _looked_up(g: Graph, table: Sequence[Bits], indices: Sequence[Bits]) -> Bits:
    """Bytes of one table by indices that hang on data; one above 15 gives zero."""
    made, out = spread(g, table), []
    for index in indices:
        inside = 1
        for bit in index[4:]:
            inside = g.and_(inside, bit ^ 1)
        byte = looked_up(g, made, index) if inside else (0,) * 8
        out.append(tuple(g.and_(x, inside) for x in byte))
    return _joined(out)


def _carryless(high: bool) -> User:
    """PMULL and PMULL2 of elements of 64 bits."""

    def rule(m: Machine, v: list[Value], widths: list[int]) -> Bits:
        if m.number(v[2]) != 8:
            raise OpenError(f"at {m.pc:#x}: no rule for a product of small polynomials")
        a, b = (
            m.bits(x, w)[64 * high : 64 * high + 64] for x, w in zip(v, widths[:2], strict=False)
        )
        return carryless(m.g, a, b)

    return rule


def _pack(m: Machine, v: list[Value], widths: list[int]) -> Bits:
    return m.bits(v[0], 32)[:16] + m.bits(v[1], 32)[:16]


def _zip(m: Machine, v: list[Value], widths: list[int]) -> Bits:
    word = m.bits(v[0], 32)
    return tuple(word[i // 2 + 16 * (i % 2)] for i in range(32))


def _unzip(m: Machine, v: list[Value], widths: list[int]) -> Bits:
    word = m.bits(v[0], 32)
    return word[::2] + word[1::2]


_USER: dict[str, User] = {
    "NEON_sri": _shift_insert(True),
    "NEON_sli": _shift_insert(False),
    "NEON_rev16": _reverse(16),
    "NEON_rev32": _reverse(32),
    "NEON_rev64": _reverse(64),
    "NEON_ext": _extract,
    "a64_TBL": _table,
    "NEON_pmull": _carryless(False),
    "NEON_pmull2": _carryless(True),
    "pack": _pack,
    "zip": _zip,
    "unzip": _unzip,
}


def image_of(path: Path, isa: ISA, cache: dict[tuple[Path, str], Any] | None = None) -> Image:
    """A linked file; with `cache` translated once."""
    if cache is None:
        return Image(path, isa)
    key = (path, isa.name)
    if key not in cache:
        cache[key] = Image(path, isa)
    found: Image = cache[key]
    return found
