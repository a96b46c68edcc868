# SPDX-License-Identifier: Apache-2.0
"""A small writer of PTX (NVIDIA, Parallel Thread Execution ISA): values are names of virtual
registers, methods append instructions.

What goes where: LOP3, SHF, PRMT, IADD3 and LEA run on the ALU pipe, IMAD on the FMA pipe, both at
once; IMAD.WIDE and IMAD.HI take twice the time of IMAD. The methods that end in `_fma` compute by
multiplication what the ALU would do, so that the pipes share the work. Where ptxas would see
through a multiplication and shift instead, the factor is one that it cannot know (`power`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

# the oldest that has all instructions; drivers read old PTX, but refuse PTX newer than themselves
VERSION, TARGET = "7.0", "sm_75"

# Truth tables of LOP3 are written as expressions of these three.
A, B, C = 0xF0, 0xCC, 0xAA

Value = str
Words = list[Value]


@dataclass(frozen=True)
class Array:
    """32-bit words that loops reach by an index, in local memory as PTX has it.

    ptxas unrolls a loop of few instructions whose number of turns it knows. Then it knows every
    index, and the words are registers: the tests hold kernels to 0 bytes of local memory.
    """

    entry: Entry
    base: Value
    words: int

    def place(self, index: Value) -> Value:
        """Where a word lies."""
        return self.entry.op("mad.lo.u32", index, 4, self.base)

    def behind(self, words: int | Value) -> Array:
        """The words behind so many."""
        if isinstance(words, int):
            base = self.entry.add(self.base, str(4 * words))
            return Array(self.entry, base, self.words - words)
        return Array(self.entry, self.place(words), 0)

    def turned(self, index: Value, by: int, count: int) -> Value:
        """Where word (index + by) mod count lies; count is a power of two."""
        moved = self.entry.op("add.u32", index, by % count)
        return self.place(self.entry.op("and.b32", moved, count - 1))

    def get(self, at: Value | int, behind: int = 0) -> Value:
        """The word at a number, or so many words behind a place."""
        place = self.base if isinstance(at, int) else at
        offset = 4 * (at if isinstance(at, int) else behind)
        return self.entry.op("ld.local.u32", f"[{place}+{offset}]")

    def put(self, at: Value | int, value: Value, behind: int = 0) -> None:
        """Give the word at a number, or so many words behind a place, a value."""
        place = self.base if isinstance(at, int) else at
        offset = 4 * (at if isinstance(at, int) else behind)
        self.entry.emit("st.local.u32", f"[{place}+{offset}]", value)


class Entry:
    """One kernel function: its parameters, and its instructions in order."""

    def __init__(self, name: str, parameters: Sequence[tuple[str, str]], threads: int) -> None:
        self.name, self.parameters, self.threads = name, list(parameters), threads
        self.lines: list[str] = []
        self._first: list[str] = []  # what stands before all other lines
        self._powers: dict[int, Value] = {}
        self._arrays: list[str] = []
        self._counts = {"r": 0, "d": 0, "p": 0, "b": 0}
        self._labels = 0

    def _new(self, kind: str) -> Value:
        self._counts[kind] += 1
        return f"%{kind}{self._counts[kind]}"

    def register(self) -> Value:
        """A 32-bit register that is written more than once."""
        return self._new("r")

    def array(self, words: int) -> Array:
        """Words that loops reach by an index, without values."""
        name = f"array{len(self._arrays)}"
        self._arrays.append(f"    .local .align 4 .b8 {name}[{4 * words}];")
        return Array(self, self.op("mov.u32", name), words)

    def emit(self, instruction: str, *operands: object, when: Value | None = None) -> None:
        guard = f"@{when} " if when else ""
        self.lines.append(
            f"    {guard}{instruction} {', '.join(map(str, operands))};"
            if operands
            else f"    {guard}{instruction};"
        )

    def comment(self, text: str) -> None:
        self.lines.append(f"    // {text}")

    def op(self, instruction: str, *operands: object) -> Value:
        """A 32-bit result in a register of its own."""
        result = self._new("r")
        self.emit(instruction, result, *operands)
        return result

    def wide(self, instruction: str, *operands: object) -> Value:
        """A 64-bit result."""
        result = self._new("d")
        self.emit(instruction, result, *operands)
        return result

    def test(self, instruction: str, *operands: object) -> Value:
        """A predicate."""
        result = self._new("p")
        self.emit(instruction, result, *operands)
        return result

    def label(self) -> str:
        self._labels += 1
        return f"L{self._labels}"

    def place(self, label: str) -> None:
        self.lines.append(f"{label}:")

    @contextmanager
    def loop(self, times: int, unroll: bool = True) -> Iterator[Value]:
        """Repeat what is written inside; yields the counter 0, 1, .. ptxas may unroll it, if it is
        not told otherwise.
        """
        if times == 1:
            yield self.op("mov.u32", 0)
            return
        counter, top = self.op("mov.u32", 0), self.label()
        if not unroll:
            self.emit('.pragma "nounroll"')
        self.place(top)
        yield counter
        self.emit("add.u32", counter, counter, 1)
        self.emit("bra", top, when=self.test("setp.lt.u32", counter, times))

    # parameters and threads

    def parameter(self, name: str) -> Value:
        kind = dict(self.parameters)[name]
        return (self.wide if kind == "u64" else self.op)(f"ld.param.{kind}", f"[{name}]")

    def pointer(self, name: str) -> Value:
        return self.wide("cvta.to.global.u64", self.parameter(name))

    def thread(self) -> Value:
        """The number of this thread in the grid."""
        return self.op(
            "mad.lo.u32",
            self.op("mov.u32", "%ctaid.x"),
            self.op("mov.u32", "%ntid.x"),
            self.op("mov.u32", "%tid.x"),
        )

    def threads_of_grid(self) -> Value:
        return self.op("mul.lo.u32", self.op("mov.u32", "%nctaid.x"), self.op("mov.u32", "%ntid.x"))

    def at(self, pointer: Value, index: Value, size: int) -> Value:
        return self.wide("mad.wide.u32", index, size, pointer)

    # memory

    def load4(
        self, pointer: Value, offset: int = 0, when: Value | None = None, kind: str = "ld.global"
    ) -> Words:
        words = [self._new("r") for _ in range(4)]
        self.emit(
            f"{kind}.v4.u32", "{" + ", ".join(words) + "}", f"[{pointer}+{offset}]", when=when
        )
        return words

    def load2(self, pointer: Value, offset: int = 0, kind: str = "ld.global") -> Words:
        words = [self._new("r") for _ in range(2)]
        self.emit(f"{kind}.v2.u32", "{" + ", ".join(words) + "}", f"[{pointer}+{offset}]")
        return words

    def store4(
        self, pointer: Value, words: Sequence[Value], offset: int = 0, when: Value | None = None
    ) -> None:
        self.emit(
            "st.global.v4.u32", f"[{pointer}+{offset}]", "{" + ", ".join(words) + "}", when=when
        )

    def load(self, pointer: Value, offset: int = 0, kind: str = "ld.global.nc") -> Value:
        return self.op(f"{kind}.u32", f"[{pointer}+{offset}]")

    # words

    def lop(self, a: Value, b: Value, c: Value, table: int) -> Value:
        return self.op("lop3.b32", a, b, c, f"0x{table & 0xFF:02x}")

    def xor(self, a: Value, b: Value) -> Value:
        return self.op("xor.b32", a, b)

    def add(self, a: Value, b: Value) -> Value:
        return self.op("add.u32", a, b)

    def sub(self, a: Value, b: Value) -> Value:
        return self.op("sub.u32", a, b)

    def rotl(self, x: Value, by: int) -> Value:
        """Whole bytes by a permutation of bytes, the rest by a funnel shift."""
        by %= 32
        if by == 0:
            return x
        if by % 8 == 0:
            return self.bytes(x, [(i - by // 8) % 4 for i in range(4)])
        return self.op("shf.l.wrap.b32", x, x, by)

    def rotr(self, x: Value, by: int) -> Value:
        return self.rotl(x, 32 - by)

    def funnel_right(self, x: Value, by: int) -> Value:
        """The rotation as a shift, which ptxas fuses with an addition that follows (LEA.HI)."""
        return self.op("shf.r.wrap.b32", x, x, by)

    def bytes(self, x: Value, order: Sequence[int], y: Value | None = None) -> Value:
        """The bytes of x (0 to 3) and y (4 to 7) in this order, least significant first."""
        selector = sum(byte << (4 * i) for i, byte in enumerate(order))
        return self.op("prmt.b32", x, y or x, f"0x{selector:04x}")

    def swapped(self, x: Value) -> Value:
        return self.bytes(x, [3, 2, 1, 0])

    def halves(self, d: Value) -> tuple[Value, Value]:
        """The low and the high word of 64 bits."""
        low, high = self._new("r"), self._new("r")
        self.emit("mov.b64", f"{{{low}, {high}}}", d)
        return low, high

    def joined(self, low: Value, high: Value) -> Value:
        d = self._new("d")
        self.emit("mov.b64", d, f"{{{low}, {high}}}")
        return d

    def power(self, k: int) -> Value:
        """2^k in a register, as ptxas cannot know: %nctaid.y is 1, because our grids have one
        dimension.
        """
        if k not in self._powers:
            value = self._powers[k] = self._new("r")
            if k:
                self._first.append(f"    shl.b32 {value}, {self.power(0)}, {k};")
            else:
                self._first.insert(0, f"    mov.u32 {value}, %nctaid.y;")
        return self._powers[k]

    def add_fma(self, a: Value, b: Value) -> Value:
        return self.op("mad.lo.u32", a, self.power(0), b)

    def shr_fma(self, x: Value, by: int) -> Value:
        return self.op("mul.hi.u32", x, 1 << (32 - by))

    def spread_fma(self, x: Value, i: int) -> Value:
        """Bit i of x in all positions."""
        return self.op("mul.hi.s32", self.op("shl.b32", x, 31 - i) if i < 31 else x, 2)

    def text(self) -> str:
        parameters = ",\n".join(f"    .param .{kind} {name}" for name, kind in self.parameters)
        names = {"r": "b32", "d": "b64", "p": "pred", "b": "b16"}
        registers = [f"    .reg .{names[k]} %{k}<{n + 1}>;" for k, n in self._counts.items() if n]
        return "\n".join(
            [
                f".visible .entry {self.name}(",
                parameters,
                ")",
                f".maxntid {self.threads}, 1, 1",
                "{",
                *registers,
                *self._arrays,
                *self._first,
                *self.lines,
                "    ret;",
                "}",
                "",
            ]
        )
