# SPDX-License-Identifier: Apache-2.0
"""The rules that rewrite sums, proved by bitwuzla: what words.py builds, as a circuit, equals the
sum that it stands for, for all inputs, once per width and place.

The code itself runs: each rule is applied to symbolic words on a graph that joins nothing by other
means, and the graph that comes out is handed to the solver beside the arithmetic of bit vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import bitwuzla

from .graph import HASHED, Bits, Graph, Join
from .words import (
    Difference,
    High,
    Sum,
    carry_out,
    chosen_sum,
    less,
    less_carry,
    not_,
    number_bits,
    plus_borrow,
    product,
    sub,
    without,
)

WIDTHS = (8, 16, 24, 32, 48, 64)
Term = Any
Meaning = Callable[["Solver", tuple[Term, ...]], Term]


@dataclass(frozen=True)
class Rule:
    """What a rule built, and what it must equal, over words of one width."""

    name: str
    graph: Graph
    width: int
    inputs: tuple[Bits, ...]
    built: Bits
    meaning: Meaning


class Solver:
    """Bit vectors and graphs in bitwuzla."""

    def __init__(self) -> None:
        self.terms = bitwuzla.TermManager()
        options = bitwuzla.Options()
        self.solver = bitwuzla.Bitwuzla(self.terms, options)
        self.kind = bitwuzla.Kind

    def vector(self, name: str, width: int) -> Term:
        """A bit vector that may be anything."""
        return self.terms.mk_const(self.terms.mk_bv_sort(width), name)

    def number(self, value: int, width: int) -> Term:
        """A bit vector with a value."""
        return self.terms.mk_bv_value(self.terms.mk_bv_sort(width), value)

    def do(self, kind: str, *terms: Term, index: tuple[int, ...] = ()) -> Term:
        """An operation, by its name in bitwuzla."""
        return self.terms.mk_term(getattr(self.kind, kind), list(terms), list(index))

    def shifted(self, term: Term, places: int, width: int) -> Term:
        """term << places."""
        return self.do("BV_SHL", term, self.number(places, width))

    def circuit(self, g: Graph, literals: Bits, known: dict[int, Term]) -> Term:
        """Literals of a graph as a bit vector; `known` has the inputs, bit vectors of width 1."""
        held = {0: self.number(0, 1), **known}
        for n in reversed(g.cone(x >> 1 for x in literals)[0]):
            kind, *children = g.node(n)
            for child in (x >> 1 for x in children):
                if child not in held:
                    held[child] = self.vector(f"free{child}", 1)
            pair = [self._literal(held, x) for x in children]
            held[n] = self.do("BV_XOR" if kind == "^" else "BV_AND", *pair)
        bits = [self._literal(held, x) for x in reversed(literals)]
        return bits[0] if len(bits) == 1 else self.do("BV_CONCAT", *bits)

    def _literal(self, held: dict[int, Term], literal: int) -> Term:
        term = held[literal >> 1]
        return self.do("BV_NOT", term) if literal & 1 else term

    def equal(self, a: Term, b: Term) -> bool:
        """Whether a == b for all inputs."""
        self.solver.push(1)
        self.solver.assert_formula(self.do("DISTINCT", a, b))
        answer = self.solver.check_sat()
        self.solver.pop(1)
        return bool(answer == bitwuzla.Result.UNSAT)


class Plain(Graph):
    """A graph that joins by hashing alone, so that no other proof can help a rule."""

    MODE = HASHED


def _sums(s: Solver, words: tuple[Term, ...], factors: tuple[int, ...], width: int) -> Term:
    total = s.number(0, width)
    for word, factor in zip(words, factors, strict=True):
        total = s.do("BV_ADD", total, s.do("BV_MUL", word, s.number(factor % (1 << width), width)))
    return total


def _weighted(factors: tuple[int, ...], width: int) -> Meaning:
    return lambda s, words: _sums(s, words, factors, width)


def _with_number(number: int, width: int) -> Meaning:
    """The sum of all words and a number."""
    return lambda s, words: s.do(
        "BV_ADD", s.do("BV_ADD", *words), s.number(number % (1 << width), width)
    )


def rules(width: int) -> Iterator[Rule]:
    """Every rule on words of one width, in every place that it can have."""
    for amount in sorted({1, 2, width // 2, width - 1}):
        g = Plain()
        x, y = g.word("x", width), g.word("y", width)
        up = ((0,) * amount + y)[:width]
        down = (y[width - amount :] + (0,) * width)[:width]

        def turned(s: Solver, v: tuple[Term, ...], n: int = amount, w: int = width) -> Term:
            high = s.shifted(v[1], n, w)
            low = s.do("BV_SHR", v[1], s.number(w - n, w))
            return s.do("BV_ADD", v[0], s.do("BV_OR", high, low))

        yield Rule(
            f"rotation by {amount} in a sum", g, width, (x, y), Sum(g, (x, up, down)).bits(), turned
        )
    g = Plain()
    x, y, z = (g.word(name, width) for name in "xyz")
    sums: tuple[tuple[tuple[Bits, ...], tuple[int, ...]], ...] = (
        ((x, y), (1, 1, 0)),
        ((x, x), (2, 0, 0)),
        ((x, y, x), (2, 1, 0)),
        ((x, y, z, y, x, y), (2, 3, 1)),
        ((x, x, x, x, z), (4, 0, 1)),
    )
    for parts, factors in sums:
        yield Rule(
            f"sum of {len(parts)} terms",
            g,
            width,
            (x, y, z),
            Sum(g, parts).bits(),
            _weighted(factors, width),
        )
    ones = (1 << width) - 1
    for numbers in ((1, 2), (ones, 1), (ones // 3, ones // 5, 7)):
        yield Rule(
            f"sum with {len(numbers)} numbers",
            g,
            width,
            (x, y),
            Sum(g, (x, *(number_bits(number, width) for number in numbers), y)).bits(),
            _with_number(sum(numbers), width),
        )
    five = number_bits(5, width)
    for parts, others in (
        ((x, y), (z, x)),
        ((y, x, z), (z, y, z)),
        ((x, five, y), (z, five, y, five)),
        ((x, five, y, z), (z, y, x)),
    ):
        chosen = chosen_sum(g, x[0], Sum(g, parts), Sum(g, others))
        assert chosen is not None

        def one_of(
            s: Solver,
            v: tuple[Term, ...],
            named: tuple[tuple[Bits, ...], ...] = (parts, others),
            known: tuple[Bits, ...] = (x, y, z),
            five: Bits = five,
        ) -> Term:
            words = dict(zip(known, v, strict=True)) | {five: s.number(5, len(five))}
            yes, no = (s.do("BV_ADD", *(words[part] for part in one)) for one in named)
            bit = s.do("BV_EXTRACT", v[0], index=(0, 0))
            return s.do("ITE", s.do("EQUAL", bit, s.number(1, 1)), yes, no)

        name = f"choice of sums of {len(parts)} terms"
        yield Rule(name, g, width, (x, y, z), chosen.bits(), one_of)
        for make in chosen.others:  # with the number of one in another term
            yield Rule(name, g, width, (x, y, z), Sum(g, make()).bits(), one_of)
    yield Rule(
        "difference",
        g,
        width,
        (x, y),
        sub(g, x, y),
        lambda s, v: s.do("BV_SUB", *v),
    )

    def spread(s: Solver, v: tuple[Term, ...], w: int = width) -> Term:
        bit = s.do("BV_AND", v[1], s.number(1, w))
        return s.do("BV_SUB", v[0], s.do("BV_MUL", bit, s.number((1 << w) - 1, w)))

    name = "difference of a word and a bit in all places"
    yield Rule(name, g, width, (x, y), sub(g, x, (y[0],) * width), spread)
    for i, term in enumerate((x, y)):

        def below(s: Solver, v: tuple[Term, ...], i: int = i) -> Term:
            smaller = s.do("BV_ULT", s.do("BV_ADD", *v), v[i])
            return s.do("ITE", smaller, s.number(1, 1), s.number(0, 1))

        bit = (less(g, Sum(g, (x, y)).bits(), term),)
        yield Rule(f"comparison of a sum and its term {i}", g, width, (x, y), bit, below)
    most = (1 << width) - 1
    for m, n in (
        (1, 2),
        (2, 1),
        (5, most),
        (most, 5),
        (most >> 1, most - 1),
        (most - 1, most >> 1),
    ):

        def nearer(s: Solver, v: tuple[Term, ...], m: int = m, n: int = n, w: int = width) -> Term:
            sums = [s.do("BV_ADD", v[0], s.number(k, w)) for k in (m, n)]
            return s.do("ITE", s.do("BV_ULT", *sums), s.number(1, 1), s.number(0, 1))

        one, other = (Sum(g, (x, number_bits(k, width))).bits() for k in (m, n))
        bit = (less(g, one, other),)
        yield Rule(f"comparison of sums with {m:#x} and {n:#x}", g, width, (x,), bit, nearer)
    for factor in (1, 3, 5, 0x55, (1 << width) - 1):
        yield Rule(
            f"product with {factor:#x}",
            g,
            width,
            (x,),
            product(g, x, factor),
            _weighted((factor,), width),
        )
    yield from _halves(g, x, y, z)
    for p in sorted({1, width // 2, width - 1}):
        rest = without((y, x), (0,) * p + x[p:])
        assert rest is not None

        def cut(s: Solver, v: tuple[Term, ...], n: int = p, w: int = width) -> Term:
            return s.do("BV_ADD", v[1], s.do("BV_AND", v[0], s.number((1 << n) - 1, w)))

        yield Rule(
            f"sum less the bits from {p} of a term", g, width, (x, y), Sum(g, rest).bits(), cut
        )
    for p in range(1, width):
        carry = (0,) * p + (carry_out(g, x[:p], y[:p]),) + (0,) * (width - p - 1)
        built = less_carry(g, Sum(g, (x, y)), carry)
        assert built is not None

        def lacking(s: Solver, v: tuple[Term, ...], n: int = p, w: int = width) -> Term:
            low = (1 << n) - 1
            parts = [s.do("BV_AND", term, s.number(low, w)) for term in v]
            own = s.do("BV_AND", s.do("BV_ADD", *parts), s.number(1 << n, w))
            return s.do("BV_SUB", s.do("BV_ADD", *v), own)

        yield Rule(f"sum less the carry into bit {p}", g, width, (x, y), built, lacking)
        borrow = carry_out(g, x[:p], not_(y[:p]), 1) ^ 1
        given = (0,) * p + (borrow,) + (0,) * (width - p - 1)
        built = plus_borrow(g, Difference(g, x, y), given)
        assert built is not None

        def more(s: Solver, v: tuple[Term, ...], n: int = p, w: int = width) -> Term:
            low = (1 << n) - 1
            parts = [s.do("BV_AND", term, s.number(low, w)) for term in v]
            own = s.do("BV_AND", s.do("BV_SUB", *parts), s.number(1 << n, w))
            return s.do("BV_ADD", s.do("BV_SUB", *v), own)

        yield Rule(f"difference plus the borrow from bit {p}", g, width, (x, y), built, more)


def _halves(g: Graph, x: Bits, y: Bits, z: Bits) -> Iterator[Rule]:
    """Sums of two and three words in two halves, and of one word in parts."""
    width, half = len(x), len(x) // 2
    none, place = (0,) * half, half // 2
    split = ((*x[:place], *none[place:]), (*none[:place], *x[place:half]))
    for name, low, high, factors in (
        ("two words", (x[:half], y[:half]), (y[half:], x[half:]), (1, 1, 0)),
        ("three words", (x[:half], y[:half], z[:half]), (x[half:], y[half:], z[half:]), (1, 1, 1)),
        ("a word in parts", (split[0], y[:half], split[1]), (x[half:], y[half:]), (1, 1, 0)),
        ("a word and the low half of another", (x[:half], y[:half]), (x[half:],), None),
        ("a word", (x[:half],), (x[half:],), (1, 0, 0)),
    ):
        built = Sum(g, low).bits() + High(g, low, high).bits()

        def meaning(
            s: Solver, v: tuple[Term, ...], f: tuple[int, ...] | None = factors, w: int = width
        ) -> Term:
            if f is not None:
                return _sums(s, v, f, w)
            return s.do("BV_ADD", v[0], s.do("BV_AND", v[1], s.number((1 << w // 2) - 1, w)))

        yield Rule(f"sum in halves of {name}", g, width, (x, y, z), built, meaning)


def proved(rule: Rule, built: Bits | None = None) -> bool:
    """Whether bitwuzla proves a rule; `built` puts something else in place of what it built."""
    solver = Solver()
    words = tuple(solver.vector(f"w{i}", rule.width) for i in range(len(rule.inputs)))
    known = {
        literal >> 1: solver.do("BV_EXTRACT", word, index=(i, i))
        for word, bits in zip(words, rule.inputs, strict=True)
        for i, literal in enumerate(bits)
    }
    made = solver.circuit(rule.graph, rule.built if built is None else built, known)
    return solver.equal(made, rule.meaning(solver, words))


def rechecked(g: Graph, join: Join, most: int = 4000) -> bool | None:
    """Whether bitwuzla, too, finds two joined literals equal; None where their cone is too large."""
    if len(g.cone({join.left >> 1, join.right >> 1}, most)[0]) >= most:
        return None
    solver = Solver()
    nodes, _ = g.below({join.left >> 1, join.right >> 1})
    inputs = {n: solver.vector(f"i{n}", 1) for n in nodes if g.is_input(n)}
    left, right = (solver.circuit(g, (x,), inputs) for x in (join.left, join.right))
    return solver.equal(left, right)
