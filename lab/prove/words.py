# SPDX-License-Identifier: Apache-2.0
"""Words over the graph: tuples of literals, the least significant first, and lazy sums.

What rewrites a sum stands here and nowhere else: `Sum.bits`, `High.bits`, `sub`, `less`,
`less_carry`, `plus_borrow`, `without` and `chosen_sum`. rules.py has each of them proved by
bitwuzla, for every width in use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from typing import Any

from .core import constant as constant  # the number that bits are, where all are constant
from .core import number_bits as number_bits  # the low bits of a number
from .graph import STRANGE, Bits, Graph


def folded(bits: Bits) -> int | Bits:
    """The number where every bit is constant, else the bits."""
    number = constant(bits)
    return bits if number is None else number


def xor(g: Graph, a: Bits, b: Bits) -> Bits:
    """Bit by bit."""
    return g.xors(a, b)


def and_(g: Graph, a: Bits, b: Bits) -> Bits:
    """Bit by bit."""
    return g.ands(a, b)


def or_(g: Graph, a: Bits, b: Bits) -> Bits:
    """Bit by bit."""
    return g.ors(a, b)


def not_(a: Bits) -> Bits:
    """Every bit complemented."""
    return tuple(x ^ 1 for x in a)


def ripple(g: Graph, a: Bits, b: Bits, carry: int = 0) -> Bits:
    """a + b + carry modulo 2^len(a)."""
    return g.ripple(a, b, carry)


def carry_out(g: Graph, a: Bits, b: Bits, carry: int = 0) -> int:
    """The carry of a + b + carry out of the last bit."""
    return g.carry_out(a, b, carry)


def sub(g: Graph, a: Bits, b: Bits) -> Bits:
    """a - b modulo 2^len(a). All ones or zero is -1 or 0: then a bit is added."""
    if len(set(b)) == 1:
        return ripple(g, a, (0,) * len(a), b[0])
    return ripple(g, a, not_(b), 1)


def less(g: Graph, a: Bits, b: Bits) -> int:
    """Whether a < b. A sum is less than one of its two terms where it carries; of the sums of a
    word and two numbers the one with the greater number is less where it alone carries.
    """
    x, y = g.summed.get(a, (a, a))
    if a != x and b in (x, y):
        return carry_out(g, x, y)
    first, second = _word_and_number(g, a), _word_and_number(g, b)
    if first and second and first[0] == second[0] and first[1] != second[1]:
        swapped = first[1] < second[1]
        (word, great), (_, small) = (second, first) if swapped else (first, second)
        over, both = (carry_out(g, word, number_bits(n, len(a))) for n in (great, small))
        return g.and_(over, both ^ 1) ^ swapped
    return carry_out(g, a, not_(b), 1) ^ 1


def _word_and_number(g: Graph, a: Bits) -> tuple[Bits, int] | None:
    """A sum of a word and a number, as these; None of others."""
    terms = g.summed.get(a, ())
    for word, number in (terms, terms[::-1]) if terms else ():
        n = constant(number)
        if n is not None:
            return word, n
    return None


MakeTerms = Callable[[], Sequence[Bits]]


class Sum:
    """A sum of words that nothing has read yet.

    Equal terms are doubled, constants added and terms without a common bit joined first, and the
    others have a fixed order; so x + (y << 1) + (y >> 31) and x + rotl(y, 1) become the same nodes.
    Of three terms or more those two come first whose sum the graph seems to have; where it has none
    of `terms`, they are looked for in `others`, which make terms of the same sum.
    """

    __slots__ = ("_bits", "g", "others", "terms")

    def __init__(self, g: Graph, terms: Sequence[Bits], others: Sequence[MakeTerms] = ()) -> None:
        self.g, self.terms, self.others = g, tuple(terms), tuple(others)
        self._bits: Bits | None = None

    def plus(self, more: Sequence[Bits]) -> Sum:
        """The sum of this one and of more terms."""

        def longer(make: MakeTerms) -> MakeTerms:
            return lambda: [*make(), *more]

        return Sum(self.g, (*self.terms, *more), [longer(make) for make in self.others])

    def bits(self) -> Bits:
        """The sum modulo 2^width."""
        if self._bits is None:
            self._bits = self.g.sums.get(self.terms)
        if self._bits is None:
            left = self.joined()
            second = self._first(left) if len(left) > 2 else 0
            for make in self.others if second is None else ():
                other = Sum(self.g, make()).joined()
                second = self._first(other) if len(other) > 2 else None
                if second is not None:
                    left = other
                    break
            total = left.pop(second or 0)
            for term in left:
                total = ripple(self.g, total, term)
            self._bits = total
            if total[-1] < STRANGE:  # of unknown words there are many, which do not come again
                self.g.sums[self.terms] = total
                if len(self.terms) == 2:
                    self.g.summed[total] = self.terms
        return self._bits

    def _first(self, left: list[Bits]) -> int | None:
        """Put a term in front, and say which other one makes a sum with it that is no new one; None
        where all are new.
        """
        for i in range(len(left)):
            for j in range(i):
                if self.g.holds_sum(left[i], left[j]):
                    left.insert(0, left.pop(j))
                    return i
        return None

    @property
    def read(self) -> bool:
        """Whether its bits were asked for."""
        return self._bits is not None

    def joined(self) -> list[Bits]:
        """The terms, as few as they can be made without adding."""
        left = sorted(self.terms)
        number, rest = _with_number(self)
        if len(left) - len(rest) > 1:
            left = sorted([number_bits(number, len(left[0])), *rest])
        while self._joined_once(left):
            left.sort()
        return left

    @staticmethod
    def _joined_once(left: list[Bits]) -> bool:
        for i in range(len(left)):
            for j in range(i + 1, len(left)):
                if left[i] == left[j]:
                    doubled = (0, *left[j][:-1])
                elif not any(map(mul, left[i], left[j])):  # one of two bits is 0, everywhere
                    doubled = tuple(x | y for x, y in zip(left[i], left[j], strict=True))
                else:
                    continue
                left[i] = doubled
                del left[j]
                return True
        return False


class High:
    """The high half of a sum of words of which both halves are sums: the sum of `high`, and what the
    sum of `low`, which has the same width, carries.
    """

    __slots__ = ("_bits", "g", "high", "low")

    def __init__(self, g: Graph, low: Sequence[Bits], high: Sequence[Bits]) -> None:
        self.g, self.low, self.high = g, tuple(low), tuple(high)
        self._bits: Bits | None = None

    def bits(self) -> Bits:
        """The high half modulo 2^width."""
        if self._bits is None:
            g, low, high = self.g, Sum(self.g, self.low).joined(), Sum(self.g, self.high).joined()
            none = (0,) * len(high[0])
            if len(low) == 2 and len(high) < 3:
                carry = carry_out(g, low[0], low[1])
                self._bits = ripple(g, high[0], high[1] if len(high) == 2 else none, carry)
            else:
                halves = [term + none for term in low] + [none + term for term in high]
                self._bits = Sum(g, halves).bits()[len(none) :]
        return self._bits


class Difference:
    """a - b that nothing has read yet."""

    __slots__ = ("_bits", "a", "b", "g")

    def __init__(self, g: Graph, a: Bits, b: Bits) -> None:
        self.g, self.a, self.b = g, a, b
        self._bits: Bits | None = None

    def bits(self) -> Bits:
        """The difference modulo 2^width."""
        if self._bits is None:
            self._bits = sub(self.g, self.a, self.b)
        return self._bits


def terms(value: Bits | Sum) -> tuple[Bits, ...]:
    """What a sum adds up, so that a sum of sums is one sum."""
    return value.terms if isinstance(value, Sum) else (value,)


def plus(g: Graph, a: Bits | Sum, b: Bits | Sum) -> Sum:
    """a + b as a sum that nothing has read yet."""
    if isinstance(a, Sum):
        return a.plus(terms(b))
    return b.plus((a,)) if isinstance(b, Sum) else Sum(g, (a, b))


def add(g: Graph, a: Bits, b: Bits) -> Bits:
    """a + b modulo 2^len(a)."""
    return Sum(g, (a, b)).bits()


def chosen_sum(g: Graph, which: int, a: Sum, b: Sum) -> Sum | None:
    """a where `which` is true, else b, as a sum of choices: of the terms those are taken together
    that have the same values most often. Of the numbers that of b is a term of its own, and what a
    has more goes into a term of a, or, in `others`, into another one. None where the sums have
    different numbers of terms otherwise.
    """
    (more, left), (number, right) = _with_number(a), _with_number(b)
    width = len(a.terms[0])
    if len(left) != len(right) or not left:
        return None
    options = [left]
    if gap := (more - number) % (1 << width):
        own = number_bits(gap, width)
        options = [[*left[:i], ripple(g, x, own), *left[i + 1 :]] for i, x in enumerate(left)]
    last = [number_bits(number, width)] if number else []

    def of(pairs: Sequence[tuple[Bits, Bits]]) -> MakeTerms:
        return lambda: [*(g.chosen(which, x, y) for x, y in pairs), *last]

    found = sorted((_paired(g, terms, right) for terms in options), key=lambda one: one[0])
    first, *others = (of(pairs) for _, pairs in found)
    return Sum(g, first(), others)


def _with_number(total: Sum) -> tuple[int, list[Bits]]:
    """The constant terms of a sum as one number, and the others."""
    known = sum(number for term in total.terms if (number := constant(term)) is not None)
    rest = [term for term in total.terms if constant(term) is None]
    return known % (1 << len(total.terms[0])), rest


def _paired(
    g: Graph, left: Sequence[Bits], right: Sequence[Bits]
) -> tuple[int, list[tuple[Bits, Bits]]]:
    """Pairs of terms, and in how many runs and bits they differ."""
    others, pairs, total = list(right), [], 0
    for x in left:
        apart = [
            sum((g.value(p) ^ g.value(q)).bit_count() for p, q in zip(x, y, strict=True))
            for y in others
        ]
        total += min(apart)
        pairs.append((x, others.pop(apart.index(min(apart)))))
    return total, pairs


def _only(bits: Bits) -> int | None:
    """The place of the only bit that may be one."""
    places = [i for i, literal in enumerate(bits) if literal]
    return places[0] if len(places) == 1 else None


def less_carry(g: Graph, total: Sum, taken: Bits) -> Bits | None:
    """total - taken, where total is a + b and `taken` is the carry into bit p and nothing else: then
    the words above bit p are added on their own.
    """
    p = _only(taken)
    if not p or len(total.terms) != 2:
        return None
    a, b = total.terms
    if carry_out(g, a[:p], b[:p]) != taken[p]:
        return None
    return total.bits()[:p] + add(g, a[p:], b[p:])


def plus_borrow(g: Graph, difference: Difference, given: Bits) -> Bits | None:
    """difference + given, where difference is a - b and `given` is the borrow from bit p and nothing
    else: then the words above bit p are subtracted on their own.
    """
    p = _only(given)
    if not p:
        return None
    a, b = difference.a, difference.b
    if carry_out(g, a[:p], not_(b[:p]), 1) != given[p] ^ 1:
        return None
    return difference.bits()[:p] + sub(g, a[p:], b[p:])


def without(parts: Sequence[Bits], taken: Bits) -> tuple[Bits, ...] | None:
    """The terms of a sum less `taken`, where one of them has all of its bits in their places."""
    for i, term in enumerate(parts):
        if all(q in (0, p) for p, q in zip(term, taken, strict=True)):
            rest = tuple(0 if q else p for p, q in zip(term, taken, strict=True))
            return (*parts[:i], rest, *parts[i + 1 :])
    return None


def product(g: Graph, a: Bits, factor: int) -> Bits:
    """a * factor modulo 2^len(a)."""
    width = len(a)
    parts = [
        ((0,) * i + a)[:width] for i in range(min(width, factor.bit_length())) if factor >> i & 1
    ]
    return Sum(g, parts).bits() if parts else (0,) * width


WIDE = 160  # bits of a difference before a specification masks it: more than any word has


class Word:
    """A word of the executable specifications, as wide as needed, with the operators that they use
    (lab/spec/word.py).
    """

    __slots__ = ("g", "v")

    def __init__(self, g: Graph, bits: Sequence[int]) -> None:
        self.g, self.v = g, tuple(bits)

    def _pair(self, other: Word | int) -> tuple[Bits, Bits]:
        if isinstance(other, Word):
            b = other.v
        elif other < 0:
            raise ValueError(f"{other} given to a symbolic word, a number from 0 expected")
        else:
            b = number_bits(other, max(other.bit_length(), 1))
        n = max(len(self.v), len(b))
        return self.v + (0,) * (n - len(self.v)), b + (0,) * (n - len(b))

    def _new(self, bits: Sequence[int]) -> Word:
        return Word(self.g, bits)

    def __xor__(self, other: Word | int) -> Word:
        return self._new(xor(self.g, *self._pair(other)))

    def __and__(self, other: Word | int) -> Word:
        bits = and_(self.g, *self._pair(other))
        size = len(bits)
        while size > 1 and bits[size - 1] == 0:  # a mask cuts
            size -= 1
        return self._new(bits[:size])

    def __or__(self, other: Word | int) -> Word:
        return self._new(or_(self.g, *self._pair(other)))

    def __add__(self, other: Word | int) -> Word:
        a, b = self._pair(other)
        return self._new(add(self.g, (*a, 0), (*b, 0)))

    def __sub__(self, other: Word | int) -> Word:
        a, b = self._pair(other)
        pad = (0,) * (WIDE - len(a))
        return self._new(sub(self.g, a + pad, b + pad))

    def __neg__(self) -> Word:
        return Word(self.g, (0,)) - self

    def __invert__(self) -> Word:
        return self._new(not_(self.v + (0,) * (WIDE - len(self.v))))

    def __lshift__(self, n: int) -> Word:
        return self._new((0,) * n + self.v)

    def __rshift__(self, n: int) -> Word:
        return self._new(self.v[n:] or (0,))

    __rxor__, __rand__, __ror__, __radd__ = __xor__, __and__, __or__, __add__

    def bits(self, width: int) -> Bits:
        """The word, which is not wider than `width`."""
        if any(self.v[width:]):
            raise ValueError(f"a word of {len(self.v)} bits given, at most {width} expected")
        return self.v[:width] + (0,) * (width - len(self.v))


def bits_of(word: Any, width: int) -> Bits:
    """The bits of a word of a specification, symbolic or a number."""
    return word.bits(width) if isinstance(word, Word) else number_bits(word, width)
