# SPDX-License-Identifier: Apache-2.0
"""Bits as polynomials over GF(2), for the data flow of field kernels: no joins, no solver.

Inputs come in groups: an element, a row of a matrix, a share. A bit is its polynomial, and every
monomial of it takes at most one bit of each group, so that what is a product of two elements is
bilinear by how it is written down. A polynomial over GF(2) without squares is unique: two bits are
equal for all inputs when their polynomials are the same, and for a bit that is not as wanted a
least monomial of the difference is an input where it differs. A product of two bits of one group is
refused as open: this module has no rule for it.

A polynomial is a tuple of parts, sorted: the groups of the monomials, and the set of them as the
bits of a number. The bits of the first group stand apart farthest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from .core import constant
from .graph import Bits, BudgetError, Graph

if TYPE_CHECKING:
    from .core import Cell, Cells, MakeBits

Groups = tuple[int, ...]
Polynomial = tuple[tuple[Groups, int], ...]

HELD_MOST = 700 << 20  # bytes of polynomials
SWEPT = 250 << 20  # bytes that make `full` true at first


class DegreeError(BudgetError):
    """A product of two bits of one group."""


def places(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _cells(word: Bits, size: int) -> list[Cell]:
    """The bytes of a lane; a number where all bits are constant."""
    number = constant(word)
    return [(word if number is None else number, i, size) for i in range(size)]


class Forms(Graph):
    """See the module. `sweep` forgets polynomials that nothing holds any more."""

    def __init__(self, seed: int = 1, seconds: float = 600.0) -> None:
        super().__init__(seed, seconds)
        self.sizes: list[int] = []  # of groups
        self.members: list[list[int]] = []  # group -> its nodes
        self.parts: list[Polynomial | None] = [()]
        self.ids: dict[Polynomial, int] = {(): 0}
        self.held, self.limit = 0, SWEPT
        self.inputs: set[int] = set()

    # Construction

    @property
    def size(self) -> int:
        return len(self.parts)

    def group(self, name: str, size: int) -> Bits:
        """A new group of inputs. Groups of few bits that are set come first."""
        number = len(self.sizes)
        self.sizes.append(size)
        self.members.append([])
        return tuple(self._input(name, i, number) for i in range(size))

    def word(self, name: str, width: int) -> Bits:
        return self.group(name, width)

    def counter(self, name: str, width: int) -> Bits:
        return self.group(name, width)

    def input(self, word: str, bit: int, values: int) -> int:
        return self.group(f"{word} {bit}", 1)[0]

    def _input(self, name: str, bit: int, group: int) -> int:
        literal = self._of((((group,), 1 << bit),))
        self.names[literal >> 1] = (name, bit)
        self.members[group].append(literal >> 1)
        self.inputs.add(literal >> 1)
        return literal

    def form(self, groups: Groups, monomials: int) -> int:
        """The literal of some monomials of groups, which ascend."""
        return self._of(((groups, monomials),) if monomials else ())

    def number_of(self, bits: Bits) -> int:
        """The number of the group that these inputs are."""
        ((groups, _),) = self.polynomial(bits[0])
        return groups[0]

    def _of(self, polynomial: Polynomial) -> int:
        """The literal of a polynomial."""
        known = self.ids.get(polynomial)
        if known is None:
            known = self.ids[polynomial] = len(self.parts)
            self.parts.append(polynomial)
            if known % 1024 == 0:
                self.check()
            self.held += 200 + sum(monomials.bit_length() // 7 for _, monomials in polynomial)
            if self.held > HELD_MOST:
                raise BudgetError(f"the polynomials have more than {HELD_MOST >> 20} MB")
        return 2 * known

    def polynomial(self, literal: int) -> Polynomial:
        """The polynomial of a literal, without its constant."""
        found = self.parts[literal >> 1]
        if found is None:
            raise BudgetError("a polynomial is read that was forgotten")
        return found

    def value(self, literal: int) -> int:
        raise NotImplementedError("a polynomial has no random runs")

    def xor(self, a: int, b: int) -> int:
        flip = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a == b:
            return flip
        if not a or not b:
            return a ^ b ^ flip
        return self._of(_sum(self.polynomial(a), self.polynomial(b))) ^ flip

    def and_(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a == 0:
            return 0
        if a in (1, b):
            return b
        if a ^ b == 1:
            return 0
        return self.dot([(a, b)])

    def dot(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Products of linear forms in one group each are collected by rows of the first group."""
        flip = 0
        rows: dict[Groups, dict[int, int]] = {}
        rest: dict[Groups, int] = {}
        for a, b in pairs:
            if a in (0, 1) or b in (0, 1):
                product = b if a == 1 else a if b == 1 else 0
                flip ^= product & 1
                _add(rest, self.polynomial(product))
                continue
            p, q = self.polynomial(a), self.polynomial(b)
            flip ^= a & b & 1
            if a & 1:
                _add(rest, q)
            if b & 1:
                _add(rest, p)
            for left, x in p:
                for right, y in q:
                    if left > right:
                        first, major, second, minor = right, y, left, x
                    else:
                        first, major, second, minor = left, x, right, y
                    if not set(first).isdisjoint(second):
                        raise DegreeError("a product of two bits of one group")
                    if len(first) > 1 or first[0] > second[0]:
                        merged, monomials = self._merged(first, major, second, minor)
                        rest[merged] = rest.get(merged, 0) ^ monomials
                        continue
                    into = rows.setdefault(first + second, {})
                    for place in places(major):
                        into[place] = into.get(place, 0) ^ minor
        for groups, found in rows.items():
            rest[groups] = rest.get(groups, 0) ^ self._stacked(groups, found)
        return self._of(tuple(sorted((k, v) for k, v in rest.items() if v))) ^ flip

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def choose(self, which: int, a: int, b: int) -> int:
        return self.xor(b, self.and_(which, self.xor(a, b)))

    def full_add(self, a: int, b: int, carry: int) -> tuple[int, int]:
        half = self.xor(a, b)
        return self.xor(half, carry), self.or_(self.and_(a, b), self.and_(carry, half))

    def xors(self, a: Bits, b: Bits) -> Bits:
        return tuple(map(self.xor, a, b))

    def ands(self, a: Bits, b: Bits) -> Bits:
        return tuple(map(self.and_, a, b))

    def ors(self, a: Bits, b: Bits) -> Bits:
        return tuple(map(self.or_, a, b))

    def bitwise(self, what: str, x: Cells, y: Cells, lane: int, bits: MakeBits) -> list[Cell]:
        made: list[Cell] = []
        for i in range(0, len(x), lane):
            a, b = (self.flat(cells[i : i + lane], bits) for cells in (x, y))
            if what == "~":
                a = tuple(bit ^ 1 for bit in a)
            joined = {"^": self.xors, "|": self.ors}.get(what, self.ands)
            made += _cells(joined(a, b), lane)
        return made

    def table(
        self, products: int, x: Cells, y: Cells, z: Cells, lane: int, bits: MakeBits
    ) -> list[Cell]:
        made: list[Cell] = []
        for i in range(0, len(x), lane):
            parts = [self.flat(cells[i : i + lane], bits) for cells in (z, y, x)]
            total: Bits = (products & 1,) * (8 * lane)
            for of in range(1, 8):
                if products >> of & 1:
                    factors = [part for k, part in enumerate(parts) if of >> k & 1]
                    total = self.xors(total, reduce(self.ands, factors))
            made += _cells(total, lane)
        return made

    def chosen(self, which: int, a: Bits, b: Bits) -> Bits:
        return tuple(self.choose(which, x, y) for x, y in zip(a, b, strict=True))

    def ripple(self, a: Bits, b: Bits, carry: int) -> Bits:
        out = []
        for x, y in zip(a, b, strict=True):
            bit, carry = self.full_add(x, y, carry)
            out.append(bit)
        return tuple(out)

    def carry_out(self, a: Bits, b: Bits, carry: int) -> int:
        for x, y in zip(a, b, strict=True):
            _, carry = self.full_add(x, y, carry)
        return carry

    def holds_sum(self, a: Bits, b: Bits) -> bool:
        return False  # a sum is no polynomial that is worth a search

    def _stacked(self, groups: Groups, rows: Mapping[int, int]) -> int:
        size = self._size(groups[1:])
        if size % 8 or len(rows) < 4:
            total = 0
            for place, minor in rows.items():
                total ^= minor << place * size
            return total
        step = size // 8
        made = b"".join(rows.get(i, 0).to_bytes(step, "little") for i in range(max(rows) + 1))
        return int.from_bytes(made, "little")

    def _size(self, groups: Groups) -> int:
        total = 1
        for group in groups:
            total *= self.sizes[group]
        return total

    def _merged(self, left: Groups, x: int, right: Groups, y: int) -> tuple[Groups, int]:
        """A product whose groups do not stand one behind the other, monomial by monomial."""
        groups = tuple(sorted(left + right))
        total = 0
        for i in places(x):
            for j in places(y):
                bits = dict(self._split(left, i)) | dict(self._split(right, j))
                place = 0
                for group in groups:
                    place = place * self.sizes[group] + bits[group]
                total ^= 1 << place
        return groups, total

    def _split(self, groups: Groups, place: int) -> Iterator[tuple[int, int]]:
        """The bit of each group in a monomial."""
        for group in reversed(groups):
            place, bit = divmod(place, self.sizes[group])
            yield group, bit

    # Equality

    def same(self, x: int, y: int, cones: Sequence[int] = (), whole: bool = False) -> bool:
        return x == y

    def difference(self, x: int, y: int) -> dict[int, int] | None:
        """All zeros where the constants differ, else a monomial that contains no other."""
        if x == y:
            return None
        if (x ^ y) & 1:
            return {}
        apart = _sum(self.polynomial(x), self.polynomial(y))
        groups, monomials = min(apart, key=lambda part: len(part[0]))
        place = next(places(monomials))
        return {self.members[g][bit]: 1 for g, bit in self._split(groups, place)}

    def evaluate(self, inputs: Mapping[int, int], literals: Sequence[int], runs: int) -> list[int]:
        ones = (1 << runs) - 1
        set_bits = [
            {i: inputs[n] for i, n in enumerate(nodes) if inputs.get(n)} for nodes in self.members
        ]
        out = []
        for literal in literals:
            total = ones if literal & 1 else 0
            for groups, monomials in self.polynomial(literal):
                for place, value in self._products(groups, set_bits, ones):
                    if monomials >> place & 1:
                        total ^= value
            out.append(total)
        return out

    def _products(
        self, groups: Groups, held: Sequence[Mapping[int, int]], ones: int
    ) -> Iterator[tuple[int, int]]:
        """The monomials of some groups that are one in some run, and in which."""
        if not groups:
            yield 0, ones
            return
        for place, value in self._products(groups[:-1], held, ones):
            for bit, own in held[groups[-1]].items():
                if value & own:
                    yield place * self.sizes[groups[-1]] + bit, value & own

    # Memory

    @property
    def full(self) -> bool:
        """Whether it is time to sweep."""
        return self.held > self.limit

    def sweep(self, live: Iterable[int]) -> None:
        """Forget every polynomial but those of inputs and of the literals that are still held."""
        kept = {x >> 1 for x in live} | self.inputs | {0}
        self.held = 0
        for n, polynomial in enumerate(self.parts):
            if polynomial is None:
                continue
            if n in kept:
                self.held += 200 + sum(m.bit_length() // 7 for _, m in polynomial)
                continue
            del self.ids[polynomial]
            self.parts[n] = None
        self.sums.clear()
        self.limit = max(SWEPT, self.held + SWEPT // 2)


def _sum(p: Polynomial, q: Polynomial) -> Polynomial:
    if len(p) == len(q) == 1 and p[0][0] == q[0][0]:
        monomials = p[0][1] ^ q[0][1]
        return ((p[0][0], monomials),) if monomials else ()
    total = dict(p)
    _add(total, q)
    return tuple(sorted((k, v) for k, v in total.items() if v))


def _add(total: dict[Groups, int], polynomial: Polynomial) -> None:
    for groups, monomials in polynomial:
        total[groups] = total.get(groups, 0) ^ monomials
