# SPDX-License-Identifier: Apache-2.0
"""Public values of a run: addresses and counts as linear expressions, and conditions on them.

What a run holds is a number, bits of data, a lazy sum of data, or one of these. A branch and an
address may depend on numbers and on these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from .graph import Bits
from .words import Difference, High, Sum


class RefusedError(Exception):
    """The kernel does what a kernel may not do, or what the prover has no rule for."""


class UndecidedError(RefusedError):
    """A condition on public values is true for some of them and false for others."""


class Lin:
    """c + sum of factor * symbol, modulo 2^width. A symbol is the address of a buffer, or a count."""

    __slots__ = ("c", "t")

    def __init__(self, c: int, t: Mapping[str, int]) -> None:
        self.c, self.t = c, tuple(sorted((k, v) for k, v in t.items() if v))

    def __repr__(self) -> str:
        return " + ".join([k if v == 1 else f"{v} * {k}" for k, v in self.t] + [str(self.c)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lin) and (self.c, self.t) == (other.c, other.t)

    def __hash__(self) -> int:
        return hash((self.c, self.t))

    @property
    def factors(self) -> dict[str, int]:
        """Symbol -> factor."""
        return dict(self.t)


def signed(number: int, width: int) -> int:
    """The number of `width` bits in two's complement."""
    number &= (1 << width) - 1
    return number - (1 << width) if number >> (width - 1) else number


def parts(value: int | Lin) -> tuple[int, dict[str, int]]:
    """Constant and factors."""
    return (value.c, value.factors) if isinstance(value, Lin) else (value, {})


def made(c: int, factors: Mapping[str, int], width: int) -> int | Lin:
    """The expression modulo 2^width: a number where no symbol is left."""
    left = {k: signed(v, width) for k, v in factors.items() if signed(v, width)}
    return Lin(signed(c, width), left) if left else c & ((1 << width) - 1)


def combined(a: int | Lin, b: int | Lin, sign: int, width: int) -> int | Lin:
    """a + sign * b."""
    (c, t), (d, u) = parts(a), parts(b)
    for k, v in u.items():
        t[k] = t.get(k, 0) + sign * v
    return made(c + sign * d, t, width)


def scaled(a: int | Lin, factor: int, width: int) -> int | Lin:
    """factor * a."""
    c, t = parts(a)
    return made(c * factor, {k: v * factor for k, v in t.items()}, width)


# Symbol, or expression as it is shown -> least and greatest number that it can be.
Bounds = Mapping[str, tuple[int, int]]


def interval(value: int | Lin, bounds: Bounds) -> tuple[int, int] | None:
    """Least and greatest integer that the expression has before it is taken modulo 2^width."""
    if isinstance(value, Lin) and (known := bounds.get(str(value))):
        return known
    c, t = parts(value)
    low = high = c
    for symbol, factor in t.items():
        if symbol not in bounds:
            return None
        ends = sorted((factor * bounds[symbol][0], factor * bounds[symbol][1]))
        low, high = low + ends[0], high + ends[1]
    return low, high


def fits(value: int | Lin, width: int, bounds: Bounds) -> bool:
    """Whether the expression, as it stands, is a number of `width` bits without a sign."""
    ends = interval(value, bounds)
    return ends is not None and ends[0] >= 0 and ends[1] >> width == 0


def parted_low(x: Lin, y: int, name: str, width: int, bounds: Bounds) -> int | Lin | None:
    """x & y, or x >> y, where the low bits are a number, or a count that fits into them: of a count
    that is so many bytes behind whole blocks. None for other masks and shifts.
    """
    if name == "INT_AND" and y == 0:
        return 0
    low = y if name == "INT_RIGHT" else (y & -y).bit_length() - 1  # bits that go, or clear ones
    alone = name == "INT_AND" and y & (y + 1) == 0
    if alone:
        low = y.bit_length()
    elif name == "INT_AND" and y != (1 << width) - (1 << low):
        return None
    if low >= width:
        return None
    size = 1 << low
    rest = made(x.c, {s: f for s, f in x.t if f % size}, width)  # what is behind whole blocks
    ends = interval(rest if isinstance(rest, Lin) else signed(rest, width), bounds)
    if ends is None or ends[0] >> low != ends[1] >> low:
        return None
    blocks = combined(x, rest, -1, width)
    under = ends[0] >> low
    if alone:
        return combined(rest, under << low, -1, width)
    if name == "INT_AND":
        return combined(blocks, under << low, 1, width)
    if not fits(x, width, bounds):
        return None
    _, factors = parts(blocks)
    return made(under, {s: f >> low for s, f in factors.items()}, width)


class Ahead:
    """A word of data plus an expression, modulo 2^width: a counter some groups ahead of another
    one. It is data again where no symbol is left, and cannot be read before.
    """

    __slots__ = ("base", "by")

    def __init__(self, base: Bits, by: Lin) -> None:
        self.base, self.by = base, by

    def __repr__(self) -> str:
        return f"data and {self.by}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ahead) and (self.base, self.by) == (other.base, other.by)

    def __hash__(self) -> int:
        return hash((self.base, self.by))


class Cond:
    """A fact on public values, decided when a branch needs it."""

    __slots__ = ("a", "b", "negated", "op", "width")

    def __init__(
        self,
        op: Literal["equal", "below", "less"],
        a: int | Lin,
        b: int | Lin,
        width: int,
        negated: bool = False,
    ) -> None:
        self.op, self.a, self.b, self.width, self.negated = op, a, b, width, negated

    def inverted(self) -> Cond:
        """The opposite fact."""
        return Cond(self.op, self.a, self.b, self.width, not self.negated)

    def __repr__(self) -> str:
        return f"{'not ' if self.negated else ''}{self.a} {self.op} {self.b} ({self.width} bits)"

    def decide(self, bounds: Bounds) -> bool:
        """True or False, where it is the same for all values in the bounds; else UndecidedError."""
        found = self._equal(bounds) if self.op == "equal" else self._ordered(bounds)
        if found is None:
            raise UndecidedError(f"a branch on {self} goes both ways")
        return found != self.negated

    def _equal(self, bounds: Bounds) -> bool | None:
        gap = combined(self.a, self.b, -1, self.width)
        if isinstance(gap, int):
            return gap == 0
        ends = interval(gap, bounds)
        if ends is None:
            return None
        low, high = ends
        modulus = 1 << self.width
        if low == high:
            return low % modulus == 0
        apart = (low > 0 and high < modulus) or (-modulus < low and high < 0)
        return False if apart else None

    def _ordered(self, bounds: Bounds) -> bool | None:
        """a < b, unsigned if below: only where neither wraps for some values and not for others."""
        least, most = 0, (1 << self.width) - 1
        a, b = self.a, self.b
        if self.op == "less":
            least, most = -(1 << (self.width - 1)), (1 << (self.width - 1)) - 1
            a = a if isinstance(a, Lin) else signed(a, self.width)
            b = b if isinstance(b, Lin) else signed(b, self.width)
        p, q = interval(a, bounds), interval(b, bounds)
        if p is None or q is None:
            return None
        (c, t), (d, u) = parts(a), parts(b)
        if self.op == "below":  # a negative number stands for one that is 2^width more
            up = [1 + most if -most <= ends[0] and ends[1] < 0 else 0 for ends in (p, q)]
            c, d = c + up[0], d + up[1]
            p, q = ((low + by, high + by) for (low, high), by in zip((p, q), up, strict=True))
        if min(p[0], q[0]) < least or max(p[1], q[1]) > most:
            return None
        for symbol, factor in u.items():
            t[symbol] = t.get(symbol, 0) - factor
        ends = interval(Lin(c - d, t), bounds)
        assert ends is not None
        return True if ends[1] < 0 else False if ends[0] >= 0 else None


class Flag:
    """A comparison of data, computed only if something reads it: lifters compute flags that nothing
    reads.
    """

    __slots__ = ("_bits", "_make")

    def __init__(self, make: Callable[[], Bits]) -> None:
        self._make = make
        self._bits: Bits | None = None

    def bits(self) -> Bits:
        """The flag, a byte wide or wider."""
        if self._bits is None:
            self._bits = self._make()
        return self._bits


class Unreadable:
    """A value that the prover has no expression for: whoever reads it is refused."""

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what


Lazy = Sum | Difference | High | Flag
Value = int | Bits | Lin | Ahead | Cond | Lazy | Unreadable
LAZY = (Sum, Difference, High, Flag)
