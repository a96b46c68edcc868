# SPDX-License-Identifier: Apache-2.0
"""One thread of a PTX kernel run on symbolic values (NVIDIA, Parallel Thread Execution ISA 7.0).

The numbers of the thread and of its CTA, sizes and addresses are linear expressions over symbols,
so that one run stands for all threads. A branch, a predicate of an instruction and an address must
be public; so must whatever a kernel compares. Memory is what the windows of the thread allow: bytes
at fixed distances from an address that depends on the thread.

A short jump forward may hang on public words that are data here, such as carries of a counter: both
ways are taken, and must agree where the jump is taken.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .graph import Bits, Graph
from .pcode import INSTRUCTIONS_MOST, OpenError
from .ptx_text import Reader, UnknownError, decoded
from .values import (
    LAZY,
    Cond,
    Lin,
    RefusedError,
    UndecidedError,
    Value,
    combined,
    fits,
    interval,
    made,
    parts,
    scaled,
    signed,
)
from .words import (
    High,
    Sum,
    and_,
    carry_out,
    folded,
    not_,
    number_bits,
    or_,
    product,
    ripple,
    sub,
    without,
    xor,
)

ADDRESS = re.compile(r"\[(%\w+)\s*(?:\+\s*(-?\d+))?\]")
SIZES = {"u8": 1, "u32": 4, "u64": 8, "b32": 4, "b64": 8, "s32": 4, "s64": 8}
# Places in arrays are computed, so that there are more instructions than in straight lines.
EXECUTED_MOST = 4 * INSTRUCTIONS_MOST
SKIPPED_MOST = 200  # instructions of a jump that is taken both ways
COARSEST = 16  # the greatest multiple that addresses are known to be


@dataclass(frozen=True)
class Instruction:
    """One instruction: its guard, its name in parts, its operands."""

    guard: str
    negated: bool
    name: tuple[str, ...]
    operands: tuple[str, ...]

    @property
    def width(self) -> int:
        """The bits of its type."""
        return 64 if self.name[-1] in ("u64", "s64", "b64") else 32


class Program:
    """An entry of a PTX file; OpenError where the module is not of the grammar of ptx_text.py."""

    def __init__(self, text: str, entry: str) -> None:
        try:
            module = Reader(text)
        except UnknownError as problem:
            raise OpenError(f"the PTX is not read: {problem}") from problem
        self.symbols: dict[str, int] = {}
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        found = module.entries.get(entry)
        if found is None:
            return
        self.symbols[entry] = 0
        self.digest = hashlib.sha256(found.text.encode()).hexdigest()
        self.parameters = found.parameters
        self.labels, self.local = found.labels, found.local
        self.widths, self.threads = found.registers, found.threads
        self.numbers = [one.line for one in found.statements]  # of the lines of the file
        self.lines = [
            Instruction(one.guard, one.negated, tuple(one.name.split(".")), one.operands)
            for one in found.statements
        ]

    def mnemonic(self, pc: int) -> str:
        """The name of an instruction."""
        return ".".join(self.lines[pc].name)

    def shown(self, pc: int) -> str:
        """An instruction and its line in the file."""
        one = self.lines[pc]
        guard = f"@{'!' * one.negated}{one.guard} " if one.guard else ""
        name = f"{guard}{self.mnemonic(pc)} {', '.join(one.operands)}".rstrip()
        return f"line {self.numbers[pc]} (`{name}`)"

    def width(self, register: str) -> int:
        """The bits of a register, or of a word of an array."""
        return self.widths.get(register, 32)


def program_of(path: Path, entry: str) -> Program:
    """An entry of a file."""
    try:
        text = decoded(path.read_bytes())
    except UnknownError as problem:
        raise OpenError(f"the PTX is not read: {problem}") from problem
    return Program(text, entry)


@dataclass(frozen=True)
class Window:
    """What a thread may touch of a buffer: bytes at `spans` behind the buffer's address and `base`,
    a sum of symbols times factors. `public` are numbers of 64 bits that lie there.
    """

    base: Mapping[str, int]
    spans: tuple[tuple[int, int], ...]
    access: str
    public: Mapping[int, Lin | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Test:
    """A comparison of words of data: whether they are equal."""

    bits: Bits  # all zero where they are
    negated: bool


@dataclass(frozen=True)
class Carry:
    """What an addition carries, or that a subtraction does not borrow; `a` and `b` are what was
    added.
    """

    bit: Callable[[], int]
    a: Value = 0
    b: Value = 0
    split: bool = False  # whether `a` and `b` say where it comes from
    minus: bool = False  # whether it is of a subtraction, whose borrow PTX keeps in the same flag


class Thread:
    """One run. `symbols` holds the bits of public symbols that the kernel computes with."""

    def __init__(
        self,
        g: Graph,
        program: Program,
        parameters: Mapping[str, Value],
        special: Mapping[str, Value],
        windows: Mapping[str, Window],
        bounds: Mapping[str, tuple[int, int]],
        alignment: Mapping[str, int],
        symbols: dict[str, Bits],
        public: set[int],
    ) -> None:
        self.g, self.program, self.windows = g, program, windows
        self.parameters, self.special = parameters, special
        self.bounds = dict(bounds)
        self.alignment = dict(alignment)
        self.symbols, self.public = symbols, public
        self.registers: dict[str, Value | Test] = {}
        self.memory: dict[str, dict[int, Bits]] = {name: {} for name in windows}
        self.written: dict[str, set[int]] = {name: set() for name in windows}
        self.fresh: set[str] = set()  # registers that this run has written
        self.used: set[str] = set()  # registers that it reads before it writes them
        self.carry: Carry | None = None
        self.executed: set[int] = set()
        self.count = 0
        self.pc = 0

    # Values

    def _at(self) -> str:
        return self.program.shown(self.pc)

    def refused(self, what: str) -> RefusedError:
        """The error for something that no kernel may do here."""
        return RefusedError(f"{self._at()}: {what}")

    def open(self, what: str) -> OpenError:
        """The error for something that the prover has no rule for."""
        return OpenError(f"{self._at()}: {what}")

    def get(self, operand: str, width: int) -> Value:
        """What an operand holds."""
        held = self._held(operand, width)
        if isinstance(held, Test):
            raise self.open("a predicate on data is used as a value")
        return held

    def _held(self, operand: str, width: int) -> Value | Test:
        if operand.startswith("%") and "." in operand:
            if operand not in self.special:
                raise self.open(f"{operand} has no value here")
            return self.special[operand]
        if operand.startswith("%"):
            if operand not in self.registers:  # nothing has given it a value
                self.used.add(operand)
                bits = self.program.width(operand)
                if bits == 1:
                    raise self.refused(f"{operand} has no value")
                self.registers[operand] = self.g.word(f"register {operand}", bits)
            elif operand not in self.fresh:
                self.used.add(operand)
            return self.registers[operand]
        if operand in self.program.local:
            return Lin(0, {operand: 1})
        try:
            return int(operand, 0) & ((1 << width) - 1)
        except ValueError:
            raise self.open(f"no rule for the operand {operand}") from None

    def put(self, operand: str, value: Value | Test) -> None:
        """Give a register a value."""
        self.fresh.add(operand)
        self.registers[operand] = folded(value) if isinstance(value, tuple) else value

    def data(self, value: Value, width: int) -> Bits:
        """A value as data."""
        if isinstance(value, LAZY):
            value = value.bits()
        if isinstance(value, int):
            return number_bits(value, width)
        if isinstance(value, Lin):
            found = self.terms(value, width)
            return Sum(self.g, found).bits() if found else number_bits(0, width)
        if not isinstance(value, tuple):
            raise self.open("no rule for such a value as data")
        if len(value) != width:
            raise self.open(f"a value of {len(value)} bits is used with {width}")
        return value

    def terms(self, value: Value, width: int) -> tuple[Bits, ...]:
        """A value as terms of a sum. Public symbols become the bits that stand for them."""
        if isinstance(value, Sum):
            return value.terms
        if isinstance(value, int):
            return (number_bits(value, width),) if value else ()
        if not isinstance(value, Lin):
            return (self.data(value, width),)
        c, t = parts(value)
        found = []
        for symbol, factor in t.items():
            low, high = self.bounds.get(symbol, (-1, 0))
            if symbol in self.windows or low < 0:
                raise self.refused(f"the address or size {value} is used as data")
            if symbol not in self.symbols:
                self.symbols[symbol] = self.g.word(f"the number {symbol}", high.bit_length())
                self.public.update(x >> 1 for x in self.symbols[symbol])
            word = (self.symbols[symbol] + (0,) * width)[:width]
            found.append(product(self.g, word, factor % (1 << width)))
        return (*found, number_bits(c, width)) if c else tuple(found)

    def number(self, operand: str) -> int:
        """An operand that must be a number: an amount of a shift, an order of bytes."""
        value = self.get(operand, 32)
        if not isinstance(value, int):
            raise self.open("the amount of a shift or an order of bytes is no constant")
        return value

    def decided(self, value: Value | Test) -> bool:
        """A predicate that must be public."""
        if isinstance(value, Cond):
            return value.decide(self.bounds)
        if isinstance(value, int):
            return bool(value)
        raise self.refused("a branch or a predicate depends on data")

    def divisor(self, value: Value) -> int:
        """The greatest power of two up to COARSEST that divides an expression."""
        c, t = parts(value) if isinstance(value, int | Lin) else (1, {})
        size = COARSEST
        while c % size or any(f * self.alignment.get(s, 1) % size for s, f in t.items()):
            size //= 2
        return size

    # Memory

    def place(self, operand: str, size: int, what: str) -> tuple[str, int]:
        """Buffer and place in the window of an access of so many bytes."""
        match = ADDRESS.fullmatch(operand)
        if match is None:
            raise self.open(f"no rule for the address {operand}")
        address = self.get(match[1], 64)
        if not isinstance(address, Lin):
            raise self.refused("an address depends on data")
        c, t = parts(combined(address, int(match[2] or 0), 1, 64))
        name = next((symbol for symbol, factor in t.items() if symbol in self.windows), None)
        if name is None or t.pop(name) != 1:
            raise self.refused(f"{address} is in no buffer")
        window = self.windows[name]
        if t != dict(window.base):
            raise self.refused(f"{address} is in no part of {name} that is this thread's")
        if not any(low <= c and c + size <= high for low, high in window.spans):
            raise self.refused(
                f"bytes {c} to {c + size - 1} of this thread's part of {name} are none of its own"
            )
        if self.divisor(combined(address, int(match[2] or 0), 1, 64)) % size:
            raise self.refused(f"{size} bytes at {address} are not aligned")
        if ("r" if what == "load" else "w") not in window.access:
            raise self.refused(f"a {what} of {name}, whose access is {window.access!r}")
        return name, c

    def _word(self, operand: str) -> str:
        """The word of a local array at an address: a register by the name of its place."""
        match = ADDRESS.fullmatch(operand)
        address = self.get(match[1], 32) if match else None
        if match is None or not isinstance(address, Lin):
            raise self.refused(f"an address of local memory depends on data: {operand}")
        c, t = parts(combined(address, int(match[2] or 0), 1, 32))
        name = next(iter(t), "")
        if t != {name: 1} or name not in self.program.local:
            raise self.refused(f"{address} is in no local array")
        if c % 4 or not 0 <= c <= self.program.local[name] - 4:
            raise self.refused(f"byte {c} of {name} is no word of it")
        return f"%{name}[{c}]"

    def _load(self, one: Instruction) -> None:
        if "param" in one.name:
            self.put(one.operands[0], self.parameters[one.operands[1].strip("[]")])
            return
        if one.name[1:] == ("local", "u32"):
            word = self._word(one.operands[1])
            if word not in self.registers:
                raise self.refused(f"a load of {word[1:]}, which has no value")
            self.put(one.operands[0], self.get(word, 32))
            return
        if "global" not in one.name:
            raise self.open("no rule for memory that is not global")
        size = SIZES[one.name[-1]]
        targets = [name.strip() for name in one.operands[0].strip("{}").split(",")]
        name, at = self.place(one.operands[1], size * len(targets), "load")
        if "nc" in one.name and "w" in self.windows[name].access:
            raise self.refused(f"a read-only load of {name}, which the launch writes")
        for i, target in enumerate(targets):
            place = at + size * i
            public = self.windows[name].public
            if place in public and size == 8:
                self.put(target, public[place])
                continue
            cells = self.memory[name]
            if any(place + k not in cells for k in range(size)):
                raise self.refused(f"a load of byte {place} of {name}, which has no value")
            bits = tuple(x for k in range(size) for x in cells[place + k])
            self.put(target, bits + (0,) * (24 if size == 1 else 0))

    def _store(self, one: Instruction) -> None:
        if one.name[1:] == ("local", "u32"):
            self.put(self._word(one.operands[0]), self.get(one.operands[1], 32))
            return
        if "global" not in one.name:
            raise self.open("no rule for memory that is not global")
        size = SIZES[one.name[-1]]
        sources = [name.strip() for name in one.operands[1].strip("{}").split(",")]
        name, at = self.place(one.operands[0], size * len(sources), "store")
        for i, source in enumerate(sources):
            width = max(32, 8 * size)
            bits = self.data(self.get(source, width), width)
            for k in range(size):
                place = at + size * i + k
                self.memory[name][place] = bits[8 * k : 8 * k + 8]
                self.written[name].add(place)

    # Execution

    def run(self, start: int = 0, until: Collection[int] = ()) -> bool:
        """Run from an instruction until the kernel returns, or arrives at one of `until`; then
        True.
        """
        self.fresh, self.used = set(), set()
        pc = start
        while True:
            if not 0 <= pc < len(self.program.lines):
                raise RefusedError("the kernel runs past its end")
            one = self.program.lines[pc]
            self.pc = pc
            self.executed.add(pc)
            self.count += 1
            if self.count > EXECUTED_MOST:
                raise OpenError(f"more than {EXECUTED_MOST} instructions in one run")
            if self.count % 64 == 0:
                self.g.check()
            try:
                following = self._step(pc, one)
            except (IndexError, KeyError, ValueError) as problem:
                raise self.open("its operands are not what it takes") from problem
            if following is None:
                return False
            pc = following
            if pc in until:
                self.pc = pc
                return True

    def _step(self, pc: int, one: Instruction) -> int | None:
        if one.guard:
            guard = self._held(one.guard, 1)
            if isinstance(guard, Test) and one.name[0] == "bra":
                return self._both(pc, one, guard)
            if self.decided(guard) == one.negated:
                return pc + 1
        if one.name[0] == "ret":
            return None
        if one.name[0] == "bra":
            if one.operands[0] not in self.program.labels:
                raise self.refused(f"a jump to {one.operands[0]}, which is not there")
            return self.program.labels[one.operands[0]]
        rule = RULES.get(one.name[0])
        if rule is None:
            raise self.open("no rule for this instruction")
        rule(self, one)
        return pc + 1

    def _both(self, pc: int, one: Instruction, test: Test) -> int:
        """A jump forward over instructions on registers, where words are zero: what they change is
        the same where the words are zero. They are run.
        """
        nodes, _ = self.g.below(x >> 1 for x in test.bits if x > 1)
        if any(self.g.is_input(n) and n not in self.public for n in nodes):
            raise self.refused("a branch depends on secret data")
        end = self.program.labels.get(one.operands[0], -1)
        if one.negated != test.negated or not pc < end <= pc + SKIPPED_MOST:
            raise self.open("a branch on public data is no short jump forward")
        before = dict(self.registers)
        for at in range(pc + 1, end):
            self.pc, inner = at, self.program.lines[at]
            if inner.guard or inner.name[0] not in RULES or inner.name[0] in ("ld", "st"):
                raise self.open("a jump that is taken both ways goes over more than registers")
            if at in self.program.labels.values():
                raise self.open("a jump that is taken both ways goes over a label")
            self.executed.add(at)
            self.count += 1
            RULES[inner.name[0]](self, inner)
        self.carry = None
        for name, new in list(self.registers.items()):
            old = before.get(name)
            if old is new:
                continue
            if old is None:  # without a value where the jump is taken: whoever reads it gets any
                del self.registers[name]
                continue
            if isinstance(old, Test | Cond) or isinstance(new, Test | Cond):
                raise self.open("a predicate changes in a jump that is taken both ways")
            width = self.program.width(name)
            pairs = zip(self.data(old, width), self.data(new, width), strict=True)
            if not all(self._agree(x, y, i, test.bits) for i, (x, y) in enumerate(pairs)):
                raise self.open(f"{name} is not proved the same where the branch is taken")
        return end

    def _agree(self, x: int, y: int, i: int, zero: Bits) -> bool:
        """Whether two bits are the same wherever all bits of `zero`, and so bit i, are zero."""
        g = self.g
        return x == y or (i < len(zero) and g.same(g.and_(g.xor(x, y), zero[i] ^ 1), 0, (100,)))

    # Instructions

    def _add(self, one: Instruction) -> None:
        width = one.width
        a, b = (self.get(name, width) for name in one.operands[1:3])
        if "cc" in one.name:
            self._chain(one, a, b, None)
        elif isinstance(a, int | Lin) and isinstance(b, int | Lin):
            self.put(one.operands[0], combined(a, b, 1, width))
        else:
            found = self.terms(a, width) + self.terms(b, width)
            self.put(one.operands[0], Sum(self.g, found))

    def _addc(self, one: Instruction) -> None:
        a, b = (self.get(name, one.width) for name in one.operands[1:3])
        self._chain(one, a, b, self._carried())

    def _carried(self, minus: bool = False) -> Carry:
        if self.carry is None:
            raise self.refused("there is no carry")
        if self.carry.minus != minus:
            raise self.open("a borrow is added, or a carry subtracted")
        return self.carry

    def _chain(self, one: Instruction, a: Value, b: Value, carry: Carry | None) -> None:
        """a + b with a carry in, or out, or both."""
        g, width = self.g, one.width
        if carry is None:
            total = Sum(g, self.terms(a, width) + self.terms(b, width) or (number_bits(0, width),))

            def out() -> int:
                return carry_out(g, self.data(a, width), self.data(b, width))

            self.put(one.operands[0], total)
            self.carry = Carry(out, a, b, True)
            return
        if "cc" not in one.name and carry.split:
            high = self._high(a, b, carry, width)
            if high is not None:
                self.put(one.operands[0], high)
                return
        p, q, bit = self.data(a, width), self.data(b, width), carry.bit()
        self.put(one.operands[0], ripple(g, p, q, bit))
        if "cc" in one.name:
            self.carry = Carry(lambda: carry_out(g, p, q, bit))

    def _high(self, a: Value, b: Value, carry: Carry, width: int) -> High | None:
        """a + b and the carry of two low halves, as one sum in two halves. A low half that is a sum
        itself carries more: that must be in a or b.
        """
        low = self.terms(carry.a, width) + self.terms(carry.b, width)
        sums = [value for value in (carry.a, carry.b) if isinstance(value, Sum)]
        if len(sums) > 1 or not low or isinstance(carry.a, Lin) or isinstance(carry.b, Lin):
            return None
        high: tuple[Bits, ...] = ()
        owed = sums[0].terms if sums and len(sums[0].terms) > 1 else None
        for value in (a, b):
            if isinstance(value, High) and value.low == owed:
                high += value.high
                owed = None
            else:
                high += self.terms(value, width)
        return High(self.g, low, high) if owed is None and high else None

    def _sub(self, one: Instruction) -> None:
        g, width = self.g, one.width
        a, b = (self.get(name, width) for name in one.operands[1:3])
        with_carry = one.name[0] == "subc"
        public = isinstance(a, int | Lin) and isinstance(b, int | Lin)
        if one.name[0] == "sub" and public and "cc" not in one.name:
            assert isinstance(a, int | Lin)
            assert isinstance(b, int | Lin)
            self.put(one.operands[0], combined(a, b, -1, width))
            return
        p, q = self.data(a, width), self.data(b, width)
        bit = self._carried(True).bit() if with_carry else 1
        self.put(one.operands[0], ripple(g, p, not_(q), bit) if with_carry else sub(g, p, q))
        if "cc" in one.name:
            self.carry = Carry(lambda: carry_out(g, p, not_(q), bit), minus=True)

    def _mad(self, one: Instruction) -> None:
        """a * b + c, where one of a and b is a number."""
        if one.name[1] == "wide":
            made_ = self._wide(one)
            self.put(one.operands[0], self._plus(made_, self.get(one.operands[3], 64), 64))
            return
        if one.name[1] != "lo":
            raise self.open("no rule for this instruction")
        width = one.width
        a, b, c = (self.get(name, width) for name in one.operands[1:4])
        if one.name[0] == "madc":
            self._chain(one, self._times(a, b, width), c, self._carried())
            return
        if "cc" in one.name:
            raise self.open("no rule for this instruction")
        taken = self._taken(a, b, c, width)
        self.put(one.operands[0], taken or self._plus(self._times(a, b, width), c, width))

    def _taken(self, a: Value, b: Value, c: Value, width: int) -> Value | None:
        """c - 2^k a, where a term of c has the bits of that."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int | Lin) or not isinstance(b, int):
            return None
        minus = -b % (1 << width)
        if minus & (minus - 1) or minus >> (width - 1) or not minus:
            return None
        gone = ((0,) * (minus.bit_length() - 1) + self.data(a, width))[:width]
        left = without(self.terms(c, width), gone)
        return Sum(self.g, left) if left else None

    def _plus(self, a: Value, b: Value, width: int) -> Value:
        if isinstance(a, int | Lin) and isinstance(b, int | Lin):
            return combined(a, b, 1, width)
        return Sum(self.g, self.terms(a, width) + self.terms(b, width))

    def _times(self, a: Value, b: Value, width: int) -> Value:
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int):
            if isinstance(a, int | Lin):
                return scaled(a, b, width)
            return a if b == 1 else folded(product(self.g, self.data(a, width), b))
        if isinstance(a, Lin) and isinstance(b, Lin):
            return self._lin_product(a, b, width)
        raise self.open("a product of data and data")

    def _lin_product(self, a: Lin, b: Lin, width: int) -> Value:
        """A product of two public symbols is a symbol."""
        (c, t), (d, u) = parts(a), parts(b)
        if c or d or len(t) != 1 or len(u) != 1:
            raise self.open(f"the product of {a} and {b}")
        (p, f), (q, e) = *t.items(), *u.items()
        name = " * ".join(sorted((p, q)))
        if min(self.bounds.get(symbol, (-1, 0))[0] for symbol in (p, q)) < 0:
            raise self.open(f"the product of {a} and {b}")
        self.bounds[name] = (
            self.bounds[p][0] * self.bounds[q][0],
            self.bounds[p][1] * self.bounds[q][1],
        )
        return made(0, {name: f * e}, width)

    def _wide(self, one: Instruction) -> Value:
        """The product of two words of 32 bits, 64 bits wide."""
        if one.name[-1] != "u32":
            raise self.open("no rule for this type")
        a, b = (self.get(name, 32) for name in one.operands[1:3])
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, Lin) and isinstance(b, int):
            if not fits(a, 32, self.bounds):
                raise self.open(f"{a} may have more than 32 bits")
            return scaled(a, b, 64)
        if isinstance(b, int):
            return folded(product(self.g, self.data(a, 32) + (0,) * 32, b))
        raise self.open("a product of data and data")

    def _mul(self, one: Instruction) -> None:
        if one.name[1] == "wide":
            self.put(one.operands[0], self._wide(one))
            return
        a, b = (self.get(name, one.width) for name in one.operands[1:3])
        if one.name[1] == "lo":
            self.put(one.operands[0], self._times(a, b, one.width))
            return
        if isinstance(a, int):
            a, b = b, a
        if not isinstance(b, int) or one.width != 32:
            raise self.open("a product of data and data")
        p = self.data(a, 32)
        if one.name[-1] == "s32":
            factor = signed(b, 32) % (1 << 64)
            self.put(one.operands[0], product(self.g, p + p[-1:] * 32, factor)[32:])
        else:
            self.put(one.operands[0], product(self.g, p + (0,) * 32, b)[32:])

    def _logic(self, one: Instruction) -> None:
        name, width = one.name[0], one.width
        if one.name[-1] == "pred":
            self._predicates(one)
            return
        a, b = (self.get(operand, width) for operand in one.operands[1:3])
        if isinstance(a, int) and isinstance(b, Lin):
            a, b = b, a
        if isinstance(a, Lin) and name == "and" and isinstance(b, int) and not b & (b + 1):
            self.put(one.operands[0], self._low(a, b))
        elif isinstance(a, Lin) and isinstance(b, Lin) and name == "or":
            symbol = f"({a} | {b})"
            self.alignment[symbol] = min(self.divisor(a), self.divisor(b))
            self.put(one.operands[0], Lin(0, {symbol: 1}))
        else:
            rule = {"xor": xor, "and": and_, "or": or_}[name]
            self.put(one.operands[0], rule(self.g, self.data(a, width), self.data(b, width)))

    def _low(self, value: Lin, mask: int) -> Value:
        """The low bits of a public number: without what is a multiple, if the rest is small; else
        a number that the bounds know by name.
        """
        c, t = parts(value)
        rest = {s: f for s, f in t.items() if f * self.alignment.get(s, 1) % (mask + 1)}
        left = made(c % (mask + 1), rest, 64)
        ends = interval(left, self.bounds)
        if ends is not None and ends[0] >= 0 and ends[1] <= mask:
            return left
        symbol = f"({left} & {mask})"
        if symbol not in self.bounds:
            raise self.open(f"the low bits of {value}")
        return Lin(0, {symbol: 1})

    def _predicates(self, one: Instruction) -> None:
        a, b = (self._held(name, 1) for name in one.operands[1:3])
        stop = one.name[0] == "or"
        if one.name[0] not in ("and", "or"):
            raise self.open("no rule for this instruction")
        self.put(one.operands[0], int(self._joined(stop, a, b)))

    def _joined(self, stop: bool, a: Value | Test, b: Value | Test) -> bool:
        """a and b, or with `stop` a or b; one that decides alone leaves the other unread."""
        for first, second in ((a, b), (b, a)):
            try:
                if self.decided(first) == stop:
                    return stop
                return self.decided(second)
            except UndecidedError:
                continue
        raise self.open("a predicate on public values goes both ways")

    def _setp(self, one: Instruction) -> None:
        width = one.width
        a, b = (self.get(name, width) for name in one.operands[1:3])
        how = one.name[1]
        if how not in ("eq", "ne", "lt", "le", "gt", "ge"):
            raise self.open("no rule for this comparison")
        if not (isinstance(a, int | Lin) and isinstance(b, int | Lin)):
            if how not in ("eq", "ne") or len(one.name) != 3:
                raise self.refused("a comparison of data")
            bits = xor(self.g, self.data(a, width), self.data(b, width))
            self.put(one.operands[0], Test(bits, how == "ne"))
            return
        if how in ("gt", "le"):
            a, b = b, a
        order = "less" if one.name[-1].startswith("s") else "below"
        found = (
            Cond("equal", a, b, width, how == "ne")
            if how in ("eq", "ne")
            else Cond("less" if order == "less" else "below", a, b, width, how in ("ge", "le"))
        )
        if len(one.name) == 4:
            if one.name[2] not in ("and", "or"):
                raise self.open("no rule for this comparison")
            other = self._held(one.operands[3], 1)
            self.put(one.operands[0], int(self._joined(one.name[2] == "or", other, found)))
        else:
            self.put(one.operands[0], found)

    def _selp(self, one: Instruction) -> None:
        a, b = (self.get(name, one.width) for name in one.operands[1:3])
        self.put(one.operands[0], a if self.decided(self._held(one.operands[3], 1)) else b)

    def _least(self, one: Instruction) -> None:
        """min and max."""
        a, b = (self.get(name, one.width) for name in one.operands[1:3])
        if not (isinstance(a, int | Lin) and isinstance(b, int | Lin)):
            raise self.refused("a comparison of data")
        order: Literal["less", "below"] = "less" if one.name[-1].startswith("s") else "below"
        below = Cond(order, a, b, one.width).decide(self.bounds)
        self.put(one.operands[0], a if below == (one.name[0] == "min") else b)

    def _not(self, one: Instruction) -> None:
        self.put(one.operands[0], not_(self.data(self.get(one.operands[1], one.width), one.width)))

    def _shift(self, one: Instruction) -> None:
        width = one.width
        n = min(self.number(one.operands[2]), width)  # as PTX takes longer shifts
        a = self.get(one.operands[1], width)
        if one.name[0] == "shl":
            if isinstance(a, int | Lin):
                self.put(one.operands[0], scaled(a, 1 << n, width))
            else:
                self.put(one.operands[0], ((0,) * n + self.data(a, width))[:width])
            return
        if isinstance(a, Lin):
            if one.name[1].startswith("s") and not fits(a, width - 1, self.bounds):
                raise self.open(f"{a}, which may be negative, is shifted to the right")
            self.put(one.operands[0], self._quotient(a, n, width))
            return
        p = self.data(a, width)
        top = p[-1] if one.name[1].startswith("s") else 0
        self.put(one.operands[0], (p[n:] + (top,) * width)[:width])

    def _quotient(self, value: Lin, n: int, width: int) -> Value:
        """A public number by 2^n: multiples of that, and a rest that is less."""
        c, t = parts(value)
        size = 1 << n
        rest = made(c % size, {s: f for s, f in t.items() if f % size}, 64)
        ends = interval(rest, self.bounds)
        if not fits(value, width, self.bounds) or ends is None or ends[0] < 0 or ends[1] >= size:
            raise self.open(f"{value} by {size}")
        whole = {s: f // size for s, f in t.items() if f % size == 0}
        return made(c // size, whole, width)

    def _funnel(self, one: Instruction) -> None:
        if one.name[2] != "wrap":
            raise self.open("no rule for this shift")
        low, high = (self.data(self.get(name, 32), 32) for name in one.operands[1:3])
        n, both = self.number(one.operands[3]) & 31, low + high
        self.put(one.operands[0], both[32 - n : 64 - n] if one.name[1] == "l" else both[n : n + 32])

    def _bytes(self, one: Instruction) -> None:
        if len(one.name) != 2:
            raise self.open("no rule for this order of bytes")
        low, high = (self.data(self.get(name, 32), 32) for name in one.operands[1:3])
        order, both = self.number(one.operands[3]), low + high
        found: Bits = ()
        for i in range(4):
            which = order >> 4 * i
            byte = both[8 * (which & 7) : 8 * (which & 7) + 8]
            found += byte[-1:] * 8 if which & 8 else byte
        self.put(one.operands[0], found)

    def _table(self, one: Instruction) -> None:
        table = self.number(one.operands[4]) & 255
        words = [self.data(self.get(name, 32), 32) for name in one.operands[1:4]]
        self.put(
            one.operands[0], tuple(looked_up(self.g, table, *x) for x in zip(*words, strict=True))
        )

    def _field(self, one: Instruction) -> None:
        p = self.data(self.get(one.operands[1], 32), 32)
        at, n = self.number(one.operands[2]) & 255, self.number(one.operands[3]) & 255
        sign = one.name[1] == "s32" and n > 0
        top = p[min(at + n - 1, 31)] if sign else 0
        self.put(one.operands[0], ((p + (top,) * 256)[at : at + n] + (top,) * 32)[:32])

    def _move(self, one: Instruction) -> None:
        target, source = one.operands[:2]
        if target.startswith("{"):
            low, high = (name.strip() for name in target.strip("{}").split(","))
            bits = self.data(self.get(source, 64), 64)
            self.put(low, bits[:32])
            self.put(high, bits[32:])
        elif source.startswith("{"):
            low, high = (name.strip() for name in source.strip("{}").split(","))
            self.put(target, self.data(self.get(low, 32), 32) + self.data(self.get(high, 32), 32))
        else:
            self.put(target, self.get(source, one.width))

    def _convert(self, one: Instruction) -> None:
        value = self.get(one.operands[1], 64 if one.name[-1].endswith("64") else 32)
        if one.name[1:] == ("u32", "u64"):
            if isinstance(value, int | Lin):
                self.put(one.operands[0], made(*parts(value), 32))
            else:
                self.put(one.operands[0], self.data(value, 64)[:32])
        elif one.name[1:] == ("u64", "u32"):
            if isinstance(value, int) or (isinstance(value, Lin) and fits(value, 32, self.bounds)):
                self.put(one.operands[0], value)
            else:
                self.put(one.operands[0], self.data(value, 32) + (0,) * 32)
        else:
            raise self.open("no rule for this conversion")

    def _same(self, one: Instruction) -> None:
        """cvta: addresses of global memory are generic addresses."""
        if one.name != ("cvta", "to", "global", "u64"):
            raise self.open("no rule for this memory")
        self.put(one.operands[0], self.get(one.operands[1], 64))


def looked_up(g: Graph, table: int, a: int, b: int, c: int) -> int:
    """A truth table of three bits, bit 4 a + 2 b + c of `table`."""
    found = _form(table)
    if found is not None:
        rule, flips, out = found
        return rule(g, a ^ flips[0], b ^ flips[1], c ^ flips[2]) ^ out
    total = 0
    for i in range(8):
        if table >> i & 1:
            first, second, third = a ^ 1 ^ (i >> 2 & 1), b ^ 1 ^ (i >> 1 & 1), c ^ 1 ^ (i & 1)
            total = g.or_(total, g.and_(g.and_(first, second), third))
    return total


Form = Callable[[Graph, int, int, int], int]
# Tables with few nodes, written as specifications have them.
FORMS: dict[int, Form] = {
    0x96: lambda g, a, b, c: g.xor(g.xor(a, b), c),
    0x3C: lambda g, a, b, c: g.xor(a, b),
    0x5A: lambda g, a, b, c: g.xor(a, c),
    0x66: lambda g, a, b, c: g.xor(b, c),
    0xC0: lambda g, a, b, c: g.and_(a, b),
    0xE8: lambda g, a, b, c: g.full_add(a, b, c)[1],
    0x78: lambda g, a, b, c: g.xor(a, g.and_(b, c)),
    0x6A: lambda g, a, b, c: g.xor(g.and_(a, b), c),
    0x28: lambda g, a, b, c: g.and_(g.xor(a, b), c),
    0xCA: lambda g, a, b, c: g.choose(a, b, c),
    0xD8: lambda g, a, b, c: g.choose(c, b, a),
    0xE4: lambda g, a, b, c: g.choose(c, a, b),
}
_found: dict[int, tuple[Form, tuple[int, int, int], int] | None] = {}


def _form(table: int) -> tuple[Form, tuple[int, int, int], int] | None:
    """A form of FORMS with inputs and output complemented, if one is this table."""
    if table not in _found:
        _found[table] = None
        for out, flips in itertools.product((255, 0), (7, 6, 5, 3, 4, 2, 1, 0)):
            wanted = sum((table >> (i ^ flips) & 1) << i for i in range(8)) ^ out
            if wanted in FORMS:  # the last one has the fewest complements
                places = (flips >> 2, flips >> 1 & 1, flips & 1)
                _found[table] = (FORMS[wanted], places, out & 1)
    return _found[table]


Rule = Callable[[Thread, Instruction], None]
RULES: dict[str, Rule] = {
    "ld": Thread._load,
    "st": Thread._store,
    "mov": Thread._move,
    "cvt": Thread._convert,
    "cvta": Thread._same,
    "add": Thread._add,
    "addc": Thread._addc,
    "sub": Thread._sub,
    "subc": Thread._sub,
    "mad": Thread._mad,
    "madc": Thread._mad,
    "mul": Thread._mul,
    "and": Thread._logic,
    "or": Thread._logic,
    "xor": Thread._logic,
    "not": Thread._not,
    "shl": Thread._shift,
    "shr": Thread._shift,
    "shf": Thread._funnel,
    "prmt": Thread._bytes,
    "lop3": Thread._table,
    "bfe": Thread._field,
    "setp": Thread._setp,
    "selp": Thread._selp,
    "min": Thread._least,
    "max": Thread._least,
}
