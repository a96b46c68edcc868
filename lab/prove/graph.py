# SPDX-License-Identifier: Apache-2.0
"""A graph of XOR and AND over single bits that joins equal nodes while it is built.

A literal is an int: twice the number of a node, plus one when it is complemented. Literal 0 is
false and literal 1 is true. Every node carries its values in RUNS random runs. A new node whose
values are those of an older one is a candidate; the two are joined only after one of three proofs:
both are the same sum over GF(2); both have the same truth table over a common cut of at most CUT
nodes; or a SAT solver refutes that they differ. What is not proved stays apart, so a join never
guesses, and two values are equal for all inputs when their literals are the same.
"""

from __future__ import annotations

import heapq
import random
import time
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pysat.solvers import Solver

Bits = tuple[int, ...]
Method = Literal["sum", "table", "solver"]

RUNS = 512
ONES = (1 << RUNS) - 1
CUT = 8
SUM_STEPS = 400
OPENED = 64  # nodes of a cone that the search for a cut opens
TARGETS = 24  # of them that a new node is compared with: counters that differ by one look alike
RARE = 24  # nodes that are (almost) constant in all runs look alike by chance
SMALL = 700  # nodes of a cone that counters may have
TWIN = 6000  # and those that meet a key
CONES = (100, 400)  # nodes of a cone in a query: those beyond are left free
CONFLICTS, CONFLICTS_WHOLE = 2000, 50_000  # the latter where a query has all of its cone
MOST_NODES = 1_400_000  # about a gigabyte

FALSE, TRUE = 0, 1


def _key(values: int) -> int:
    """What nodes share whose values, or their complements, are the same: run 0 is false."""
    return values ^ ONES if values & 1 else values


class BudgetError(Exception):
    """The time or the memory of one proof is used up: no verdict can come of it."""


@dataclass(frozen=True)
class Join:
    """Two literals that were proved equal, and how."""

    method: Method
    left: int
    right: int


class Graph:
    """See the module. `seconds` of processor time and `nodes` bound one proof."""

    def __init__(self, seed: int = 1, seconds: float = 600.0, nodes: int = MOST_NODES) -> None:
        self.random = random.Random(seed)
        self.deadline = time.process_time() + seconds
        self.most = nodes
        self.kind: list[str] = ["0"]  # 0, i(nput), & or ^
        self.left: list[int] = [0]
        self.right: list[int] = [0]
        self.values: list[int] = [0]
        self.names: dict[int, tuple[str, int]] = {}  # node -> input word and bit
        self.table: dict[tuple[str, int, int], int] = {}
        self.alike: dict[int, list[int]] = {0: [0]}
        self.near = 0  # numbers that are added to counters: see `counter`
        self.mixed = False  # whether small cones have nodes that are older than what they hang on
        self.asked: Sequence[int] = ()  # nodes of a cone in the queries of nodes that look alike
        self.targets: set[int] = set()  # nodes that deserve a small query while the graph grows
        self.carries: set[int] = set()  # others that deserve one
        self.wanted: dict[int, list[int]] = {}  # both by their values
        self.given: dict[int, int] = {}  # node -> the literal that stands for it: `stand_in`
        self.joins: list[Join] = []
        self.sums: dict[tuple[Bits, ...], Bits] = {}  # of words, by their terms
        self.summed: dict[Bits, tuple[Bits, ...]] = {}  # the two terms of a sum
        self.known: dict[str, Bits] | None = None  # words by name, where runs share inputs
        self.model: dict[int, int] | None = (
            None  # input nodes that are one, where a query found a difference
        )

    # Construction

    def check(self) -> None:
        """BudgetError when the proof has used up its time or memory."""
        if time.process_time() > self.deadline:
            raise BudgetError("the time of the proof is used up")
        if len(self.kind) > self.most:
            raise BudgetError(f"the graph has more than {self.most} nodes")

    def _node(self, kind: str, a: int, b: int, values: int) -> int:
        self.kind.append(kind)
        self.left.append(a)
        self.right.append(b)
        self.values.append(values)
        n = len(self.kind) - 1
        if n % 1024 == 0:
            self.check()
        return n

    def input(self, word: str, bit: int, values: int) -> int:
        """A new input."""
        n = self._node("i", 0, 0, values)
        self.names[n] = (word, bit)
        self.alike.setdefault(_key(values), []).append(2 * n | (values & 1))
        return 2 * n

    def word(self, name: str, width: int) -> Bits:
        """A new word of inputs. A quarter of the runs is mostly ones or mostly zeros."""
        if self.known is not None and name in self.known:
            return self.known[name]
        bits = []
        quarter = RUNS // 8
        draw = self.random.getrandbits
        for i in range(width):
            few = draw(quarter) & draw(quarter) & draw(quarter)
            many = few ^ ((1 << quarter) - 1)
            values = draw(6 * quarter) | few << 6 * quarter | many << 7 * quarter
            bits.append(self.input(name, i, values))
        if self.known is not None:
            self.known[name] = tuple(bits)
        return tuple(bits)

    def counter(self, name: str, width: int) -> Bits:
        """A new word that numbers are added to. A quarter of its runs has ones up to each place in
        turn, and a quarter a small number behind zeros up to there, so that carries end everywhere.
        A quarter is so near its end that the numbers up to `near` differ from each other in all
        bits in some run, or has a row of ones anywhere.
        """
        if self.known is not None and name in self.known:
            return self.known[name]
        numbers, turn = [], self.random.randrange(width)
        for run in range(RUNS):
            number = self.random.getrandbits(width)
            high = 1 + (run // 4 + turn) % width
            if run % 4 == 1:
                number = number & 0xFF | -1 << (8 if run % 8 == 1 else 0)
                number &= (1 << high) - 1 | self.random.getrandbits(width) << high + 1
            elif run % 4 == 2:
                number = number & 0xFF | number >> 8 << max(8, high)
            elif run % 4 == 3 and self.near:
                number = -1 - run // 4 % self.near
            elif run % 4 == 3:
                low, high = sorted(self.random.randrange(width + 1) for _ in range(2))
                number |= (1 << high) - (1 << low)
            number &= (1 << width) - 1
            numbers.append(number)
        bits = tuple(
            self.input(name, i, sum((x >> i & 1) << run for run, x in enumerate(numbers)))
            for i in range(width)
        )
        if self.known is not None:
            self.known[name] = bits
        return bits

    def value(self, literal: int) -> int:
        """The values of a literal in all runs, run 0 lowest."""
        return self.values[literal >> 1] ^ (ONES if literal & 1 else 0)

    def xor(self, a: int, b: int) -> int:
        """a ^ b."""
        flip = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a == b:
            return flip
        if a > b:
            a, b = b, a
        if a == 0:
            return b ^ flip
        key = ("^", a, b)
        known = self.table.get(key)
        if known is None:
            known = self._without(a, b)
            if known is None:
                known = self._joined("^", a, b, self.values[a >> 1] ^ self.values[b >> 1])
            self.table[key] = known
        return known ^ flip

    def _without(self, a: int, b: int) -> int | None:
        """What is left of the sum b where a is one of its two terms, or the other way round."""
        for x, n in ((a, b >> 1), (b, a >> 1)):
            if self.kind[n] == "^":
                if self.left[n] == x:
                    return self.stands_for(self.right[n])
                if self.right[n] == x:
                    return self.stands_for(self.left[n])
        return None

    def stands_for(self, literal: int) -> int:
        """The literal that is used for one: itself unless another stands in for it."""
        return self.given.get(literal >> 1, literal & ~1) ^ (literal & 1)

    def and_(self, a: int, b: int) -> int:
        """a & b."""
        if a > b:
            a, b = b, a
        if a == 0:
            return 0
        if a in (1, b):
            return b
        if a ^ b == 1:
            return 0
        key = ("&", a, b)
        known = self.table.get(key)
        if known is None:
            known = self._joined("&", a, b, self.value(a) & self.value(b))
            self.table[key] = known
        return known

    def or_(self, a: int, b: int) -> int:
        """a | b."""
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def choose(self, which: int, a: int, b: int) -> int:
        """a where `which` is true, else b."""
        return self.xor(b, self.and_(which, self.xor(a, b)))

    def dot(self, pairs: Iterable[tuple[int, int]]) -> int:
        """The sum over GF(2) of products of two."""
        total = 0
        for a, b in pairs:
            total = self.xor(total, self.and_(a, b))
        return total

    def full_add(self, a: int, b: int, carry: int) -> tuple[int, int]:
        """Sum and carry of three bits."""
        half = self.xor(a, b)
        return self.xor(half, carry), self.or_(self.and_(a, b), self.and_(carry, half))

    def seen(self, values: int) -> bool:
        """Whether some node has these values in all runs, or their complement."""
        return _key(values) in self.alike

    def aim(self, bits: Iterable[int], into: set[int] | None = None) -> None:
        """Make targets of nodes, or carries."""
        into = self.targets if into is None else into
        for n in {x >> 1 for x in bits if 1 < x < STRANGE} - into:
            into.add(n)
            values = self.values[n]
            self.wanted.setdefault(_key(values), []).append(2 * n | (values & 1))

    # Joining

    def stand_in(self, since: int, pairs: Iterable[tuple[int, int]]) -> None:
        """Use the second literal of each pair where the first would be used: the caller knows that
        they are equal. Of the first ones all has been made since the table had so many rows.
        """
        own = {x >> 1: y ^ (x & 1) for x, y in pairs if x != y}
        assert all(self.kind[n] in "&^" for n in own), "an input cannot be replaced"
        self.given.update(own)
        for _, key in zip(range(len(self.table) - since), reversed(self.table), strict=False):
            held = self.table[key]
            if held >> 1 in own:
                self.table[key] = own[held >> 1] ^ (held & 1)

    def _joined(self, kind: str, a: int, b: int, values: int) -> int:
        n = self._node(kind, a, b, values)
        key, phase = (values ^ ONES, 1) if values & 1 else (values, 0)
        known = self.alike.get(key)
        if known is None:
            self.alike[key] = [2 * n | phase]
            return 2 * n
        rare = not RARE <= key.bit_count() <= RUNS - RARE
        first = 1 if rare else 3
        others = known[:first]
        if key in self.wanted:
            others += [x for x in self.wanted[key] if x not in others][:TARGETS]
        for other in others:
            if self.unlike(n, other >> 1):
                continue
            small = other >> 1 in self.targets or other >> 1 in self.carries
            cones = (SMALL,) if small else () if rare else self.asked
            if self.same(2 * n | phase, other, cones, whole=small):
                return self.stands_for(other) ^ phase
        known.append(2 * n | phase)
        return 2 * n

    def unlike(self, n: int, m: int) -> bool:
        """Whether two nodes that are equal in all runs are not worth a comparison."""
        return False

    def same(self, x: int, y: int, cones: Sequence[int] = CONES, whole: bool = False) -> bool:
        """Whether x == y is proved for all inputs; False says nothing, unless `model` is set.

        `cones` bounds the queries, none forbids them; with `whole` a cone that does not fit is not
        asked about.
        """
        self.model = None
        if x == y:
            return True
        method: Method | None = None
        if self._same_sum(x, y):
            method = "sum"
        elif self._same_table(x, y) or (self.mixed and self._same_below(x, y)):
            method = "table"
        elif self._refuted(x, y, cones, whole):
            method = "solver"
        if method is None:
            return False
        self.joins.append(Join(method, x, y))
        return True

    def _same_sum(self, x: int, y: int) -> bool:
        left = {x >> 1, y >> 1} if x >> 1 != y >> 1 else set()
        flip = (x ^ y) & 1
        for _ in range(SUM_STEPS):
            left.discard(0)
            if not left:
                return not flip
            n = max(left)
            if self.kind[n] != "^":
                return False  # an older node does not contain n, so nothing takes it away
            a, b = self.left[n], self.right[n]
            left ^= {n}
            left ^= {a >> 1}
            left ^= {b >> 1}
            flip ^= (a ^ b) & 1
        return False

    def _same_table(self, x: int, y: int) -> bool:
        """Open the newest nodes of both cones until they hang on few nodes, and compare there."""
        front, tests = {x >> 1, y >> 1}, 0
        opened: list[int] = []
        while len(opened) < OPENED:
            n = max(front)
            if self.kind[n] in "i0":
                break
            front.discard(n)
            opened.append(n)
            front.add(self.left[n] >> 1)
            front.add(self.right[n] >> 1)
            if (
                len(front) <= CUT
                and len(opened) >= 3
                and (
                    len(front) <= 4
                    or len(opened) % 4 == 0
                    or all(self.kind[m] in "i0" for m in front)
                )
            ):
                tests += 1
                if self._tables_agree(x, y, front, opened):
                    return True
                if tests > 10:
                    break
            if len(front) > 3 * CUT:
                break
        return False

    def _same_below(self, x: int, y: int) -> bool:
        """Open both cones down to nodes that they have in common, whatever their age, and compare
        there.
        """
        roots = {x >> 1, y >> 1}
        shared = set.intersection(*map(self._nearest, roots)) - roots
        front: set[int] = set()
        opened: set[int] = set()
        waiting = list(roots)
        while waiting:
            n = waiting.pop()
            if n in shared or self.kind[n] in "i0":
                front.add(n)
            elif n not in opened:
                opened.add(n)
                waiting += [self.left[n] >> 1, self.right[n] >> 1]
            if len(opened) > OPENED or len(front) > CUT:
                return False
        return self._tables_agree(x, y, front, sorted(opened, reverse=True))

    def _nearest(self, n: int) -> set[int]:
        """The nodes of a cone that are nearest to its root."""
        found, last = {n}, {n}
        while last and len(found) < OPENED:
            last = {
                child >> 1
                for m in last
                if self.kind[m] not in "i0"
                for child in (self.left[m], self.right[m])
            } - found
            found |= last
        return found

    def _tables_agree(self, x: int, y: int, front: set[int], opened: Sequence[int]) -> bool:
        leaves = [m for m in front if m]
        rows = 1 << len(leaves)
        ones = (1 << rows) - 1
        table = {0: 0}
        for i, m in enumerate(leaves):
            table[m] = ones // ((1 << (1 << i)) + 1) << (1 << i) & ones
        for n in reversed(opened):  # the oldest first: opened are the newest first
            a, b = self.left[n], self.right[n]
            p = table[a >> 1] ^ (ones if a & 1 else 0)
            q = table[b >> 1] ^ (ones if b & 1 else 0)
            table[n] = p ^ q if self.kind[n] == "^" else p & q
        return table[x >> 1] ^ table[y >> 1] ^ (ones if (x ^ y) & 1 else 0) == 0

    def cone(self, roots: Iterable[int], limit: int | None = None) -> tuple[list[int], bool]:
        """Nodes above the inputs that the roots hang on, the newest first, and whether all are
        there.
        """
        heap = [-n for n in set(roots)]
        seen = set(heap)
        order: list[int] = []
        heapq.heapify(heap)
        while heap and (limit is None or len(order) < limit):
            n = -heapq.heappop(heap)
            if self.kind[n] in "i0":
                continue
            order.append(n)
            for child in (-(self.left[n] >> 1), -(self.right[n] >> 1)):
                if child not in seen:
                    seen.add(child)
                    heapq.heappush(heap, child)
        return order, all(self.kind[-n] in "i0" for n in heap)

    def _refuted(self, x: int, y: int, cones: Sequence[int], whole: bool) -> bool:
        for limit in cones:
            self.check()
            order, complete = self.cone({x >> 1, y >> 1}, limit)
            if whole and not complete:
                return False
            names: dict[int, int] = {}  # few variables: a solver has room for all up to the largest

            def named(literal: int, names: dict[int, int] = names) -> int:
                variable = names.setdefault(literal >> 1, len(names) + 1)
                return -variable if literal & 1 else variable

            with Solver(name="minisat22") as solver:
                for clause in self.clauses(order, named):
                    solver.add_clause(clause)
                p, q = named(x), named(y)
                solver.add_clause([p, q])
                solver.add_clause([-p, -q])
                solver.conf_budget(CONFLICTS_WHOLE if whole else CONFLICTS)
                answer = solver.solve_limited()
                if answer is False:
                    return True
                if answer is True and complete:
                    held = set(solver.get_model())
                    self.model = {
                        n: 1 for n, v in names.items() if v in held and self.kind[n] == "i"
                    }
                    return False
        return False

    def clauses(
        self, order: Iterable[int], named: Callable[[int], int] | None = None
    ) -> Iterable[list[int]]:
        """The nodes of a cone in conjunctive normal form; `named` numbers variables, else node n is
        variable n + 1.
        """
        said = named or _signed
        yield [-said(0)]
        for n in order:
            out, a, b = said(2 * n), said(self.left[n]), said(self.right[n])
            if self.kind[n] == "&":
                yield from ([-out, a], [-out, b], [out, -a, -b])
            else:
                yield from ([-out, a, b], [-out, -a, -b], [out, -a, b], [out, a, -b])

    # Results

    def difference(self, x: int, y: int) -> dict[int, int] | None:
        """Inputs for which x and y differ, or None: then they are equal, or nobody knows."""
        if apart := self.value(x) ^ self.value(y):
            run = (apart & -apart).bit_length() - 1
            return {n: self.values[n] >> run & 1 for n in self.names}
        if self.same(x, y) or self.model is None:
            return None
        return {n: self.model.get(n, 0) for n in self.names}

    def substituted(
        self, literals: Sequence[int], places: Mapping[int, int], into: Graph | None = None
    ) -> list[int]:
        """The literals with other literals in the places of inputs; what is not given stays. With
        `into` they are made in another graph, whose literals are given for all inputs.
        """
        made, held = into or self, dict(places)
        if into is not None:
            held[0] = 0
        order, _ = self.cone(x >> 1 for x in literals)
        for n in reversed(order):
            a, b = self.left[n], self.right[n]
            if into is not None and not (a >> 1 in held and b >> 1 in held):
                raise KeyError("an input has no literal in the other graph")
            p = held.get(a >> 1, a & ~1) ^ (a & 1)
            q = held.get(b >> 1, b & ~1) ^ (b & 1)
            held[n] = made.xor(p, q) if self.kind[n] == "^" else made.and_(p, q)
        if into is not None and not all(x >> 1 in held for x in literals):
            raise KeyError("an input has no literal in the other graph")
        return [held.get(x >> 1, x & ~1) ^ (x & 1) for x in literals]

    def evaluate(self, inputs: Mapping[int, int], literals: Sequence[int], runs: int) -> list[int]:
        """The literals in `runs` runs at once, each a bit of the numbers in `inputs`."""
        ones = (1 << runs) - 1
        held = {0: 0}
        order, _ = self.cone(x >> 1 for x in literals)
        for n in reversed(order):
            for child in (self.left[n] >> 1, self.right[n] >> 1):
                if child not in held:
                    held[child] = inputs.get(child, 0)
            a, b = self.left[n], self.right[n]
            p = held[a >> 1] ^ (ones if a & 1 else 0)
            q = held[b >> 1] ^ (ones if b & 1 else 0)
            held[n] = p ^ q if self.kind[n] == "^" else p & q
        return [held.get(x >> 1, inputs.get(x >> 1, 0)) ^ (ones if x & 1 else 0) for x in literals]


STRANGE = 1 << 40  # above the literal of any node


class Blind(Graph):
    """A graph with bits of which nothing is known; what hangs on one is such a bit, too.

    Each is a literal of its own without a node. So a bit that the graph does know is the same
    whatever they are, and they take no room. Nobody can look into one; but of a sum of two bits it
    is known of which two, so that one of them comes out again when the other is added.
    """

    def __init__(self, seed: int = 1, seconds: float = 600.0, nodes: int = MOST_NODES) -> None:
        super().__init__(seed, seconds, nodes)
        self.strange = STRANGE
        self.halves = (array("q", [0]), array("q", [0]))  # of unknown bits that are a sum, or 0

    def unknowns(self, count: int) -> Bits:
        """So many bits that may be anything."""
        first = self.strange + 2
        self.strange += 2 * count
        for half in self.halves:
            half.frombytes(bytes(8 * count))
        return tuple(range(first, first + 2 * count, 2))

    def lost(self, a: Bits, b: Bits) -> bool:
        """Whether one of two words is unknown in every bit, so that what both make may be taken for
        unknown, too.
        """
        return min(a, default=0) >= STRANGE or min(b, default=0) >= STRANGE

    def unknown(self) -> int:
        """A bit that may be anything."""
        return self._sum_of(0, 0)

    def _sum_of(self, a: int, b: int) -> int:
        self.halves[0].append(a)
        self.halves[1].append(b)
        self.strange += 2
        return self.strange

    def xor(self, a: int, b: int) -> int:
        if a < STRANGE > b:
            return Graph.xor(self, a, b)  # called many million times: super() takes longer
        flip = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a == b or not a or not b:
            return a ^ b ^ flip
        for x, y in ((a, b), (b, a)):
            if x > STRANGE:
                at = (x - STRANGE) >> 1
                left, right = self.halves[0][at], self.halves[1][at]
                if y in (left, right):
                    return left ^ right ^ y ^ flip
        return self._sum_of(a, b) ^ flip

    def and_(self, a: int, b: int) -> int:
        if a < STRANGE > b:
            return Graph.and_(self, a, b)
        if 0 in (a, b) or a ^ b == 1:
            return 0
        return a if b in (a, 1) else b if a == 1 else self.unknown()

    def same(self, x: int, y: int, cones: Sequence[int] = CONES, whole: bool = False) -> bool:
        if x < STRANGE and y < STRANGE:
            return super().same(x, y, cones, whole)
        self.model = None
        return x == y

    def difference(self, x: int, y: int) -> dict[int, int] | None:
        if x < STRANGE and y < STRANGE:
            return super().difference(x, y)
        return None


LOWEST = 8  # bits of a counter
LOW_ONES = (1 << (1 << LOWEST)) - 1


class Veiled(Blind):
    """A graph that looks at counter blocks from behind a veil.

    A node is pure when it hangs on counters alone. Where a pure node meets one that is not, an
    input takes its place, if it is a bit of a counter block (`targets`) or of a counter, or else
    the same function of such inputs. An input is named by its node, so it stands for one function
    of the counters, and its values in the runs are random. What is equal for all values of these
    inputs is so for those that counters have. What differs need not differ for any counter, so a
    difference says nothing. So blocks of one text, which look alike for their counters, do not look
    alike behind the veil, and those of `away` are unknown there.

    Carries are long products of pure nodes, which compilers and specifications take in any order;
    here they have one form. A function of the LOWEST bits of a counter is known by its truth table,
    so that equal ones are one literal. A product of pure nodes is the set of its factors: inputs,
    one such function for each counter, and other nodes, each of which may be replaced by what it is
    where all others are true, never by what it says itself.
    """

    def __init__(self, seed: int = 1, seconds: float = 600.0, nodes: int = MOST_NODES) -> None:
        super().__init__(seed, seconds, nodes)
        self.pure = bytearray(1)
        self.veils: dict[int, int] = {}  # pure node -> the literal that stands for it
        self.veiled: set[int] = set()  # the inputs among these
        self.away: set[int] = set()  # nodes of counter blocks of which nothing is wanted
        self.factors: dict[int, Bits] = {}  # pure product -> the literals that it is made of
        self.products: dict[Bits, int] = {}  # and back
        # node -> which counter's lowest bits it hangs on, and its truth table over them
        self.low: dict[int, tuple[int, int]] = {}
        self.by_table: dict[tuple[int, int], int] = {}  # the literal of a table that is 0 for 0
        self.pairs: dict[tuple[int, int], int] = {}  # products by what they were made of
        self.sets: dict[int, tuple[frozenset[int], frozenset[int]]] = {}  # factors; their opposites
        self.making: Bits = ()  # factors of the product that is being made
        self.partial = False  # whether more are to come

    def _node(self, kind: str, a: int, b: int, values: int) -> int:
        self.pure.append(kind != "i" and self.pure[a >> 1] & self.pure[b >> 1])
        return super()._node(kind, a, b, values)

    def stand_in(self, since: int, pairs: Iterable[tuple[int, int]]) -> None:
        super().stand_in(since, pairs)
        self.pairs.clear()

    def counter(self, name: str, width: int) -> Bits:
        bits = super().counter(name, width)
        self.counted(bits)
        which = bits[0] >> 1
        if which not in self.low:
            self.by_table[which, 0] = FALSE
            for i, x in enumerate(bits[:LOWEST]):
                table = LOW_ONES // ((1 << (1 << i)) + 1) << (1 << i)
                self.low[x >> 1] = which, table
                self.by_table[which, table] = x
        return bits

    def counted(self, bits: Bits) -> None:
        """Take inputs for counters."""
        for x in bits:
            self.pure[x >> 1] = 1

    def veil(self, literal: int) -> int:
        """What stands for a literal where it meets another that hangs on more than counters."""
        if literal < 2 or literal >= STRANGE or not self.pure[literal >> 1]:
            return literal
        held, waiting, twins = self.veils, [literal >> 1], dict[int, int | None]()
        while waiting:
            n = waiting[-1]
            if n in held:
                waiting.pop()
                continue
            if self.kind[n] == "i" or n in self.targets:
                held[n] = self._stand_in(n)
                continue
            if n not in twins:
                twins[n] = self._twin(n)
            if (twin := twins[n]) is not None:
                if twin >> 1 in held:
                    held[n] = held[twin >> 1] ^ (twin & 1)
                else:
                    waiting.append(twin >> 1)
                continue
            a, b = self.left[n], self.right[n]
            before = [m for m in (a >> 1, b >> 1) if m not in held]
            if before:
                waiting += before
                continue
            x, y = held[a >> 1] ^ (a & 1), held[b >> 1] ^ (b & 1)
            held[n] = super().xor(x, y) if self.kind[n] == "^" else super().and_(x, y)
        return held[literal >> 1] ^ (literal & 1)

    def _twin(self, n: int) -> int | None:
        """The bit of a counter block that a node equals, which took too much to find before."""
        values = self.values[n]
        for x in self.alike.get(_key(values), ()):
            if x >> 1 in self.targets and self.same(2 * n | (values & 1), x, (TWIN,), whole=True):
                return self.stands_for(x) ^ (values & 1)
        return None

    def _stand_in(self, n: int) -> int:
        if n in self.away:
            return self.unknown()
        made = self.input(f"behind the veil {n}", 0, self.random.getrandbits(RUNS))
        self.veiled.add(made >> 1)
        return made

    def xor(self, a: int, b: int) -> int:
        if a < STRANGE > b:
            if a < 2 or b < 2 or self.pure[a >> 1] == self.pure[b >> 1]:
                return Graph.xor(self, a, b)
            a, b = self.veil(a), self.veil(b)
        return Blind.xor(self, a, b)

    def and_(self, a: int, b: int) -> int:
        if a < STRANGE > b:
            if a < 2 or b < 2:
                return Graph.and_(self, a, b)
            if self.pure[a >> 1] == self.pure[b >> 1]:
                return self._product(a, b) if self.pure[a >> 1] else Graph.and_(self, a, b)
            a, b = self.veil(a), self.veil(b)
        return Blind.and_(self, a, b)

    # Carries

    def _joined(self, kind: str, a: int, b: int, values: int) -> int:
        """Functions of the lowest bits of a counter are told apart by their truth tables."""
        left, right = self.low.get(a >> 1), self.low.get(b >> 1)
        if left is None or right is None or left[0] != right[0]:
            return super()._joined(kind, a, b, values)
        which, p = left
        p, q = p ^ (LOW_ONES if a & 1 else 0), right[1] ^ (LOW_ONES if b & 1 else 0)
        table = p ^ q if kind == "^" else p & q
        n = self._node(kind, a, b, values)
        self.low[n] = which, table
        phase = table & 1
        key = which, table ^ (LOW_ONES if phase else 0)
        known = self.by_table.setdefault(key, 2 * n | phase)
        if known >> 1 != n:
            self.joins.append(Join("table", 2 * n | phase, known))
        else:
            self.alike.setdefault(_key(values), []).append(2 * n | (values & 1))
        return self.stands_for(known) ^ phase

    def unlike(self, n: int, m: int) -> bool:
        """Products, or sums with the same term, whose factors are different inputs, or different
        functions of the lowest bits of counters.
        """
        if self.partial:
            return True  # one of the products on the way to the one that is wanted
        if self.kind[n] != self.kind[m]:
            return False
        if self.kind[n] == "&":
            p, q = self.making, self.factors.get(2 * m, ())
        else:
            a, b, c, d = self.left[n], self.right[n], self.left[m], self.right[m]
            if a in (c, d):
                x, y = b, c ^ d ^ a
            elif b in (c, d):
                x, y = a, c ^ d ^ b
            else:
                return False
            p, q = self.factors.get(x, (x,)), self.factors.get(y, (y,))
        return all(x >> 1 in self.names or x >> 1 in self.low for x in {*p} ^ {*q})

    def _product(self, a: int, b: int) -> int:
        """a & b of pure nodes: carries are long products, so all products of the same literals are
        one node, whatever their order; those of the lowest bits are one factor.
        """
        low = self.low
        if a >> 1 in low and b >> 1 in low and low[a >> 1][0] == low[b >> 1][0]:
            return Graph.and_(self, a, b)
        made = self.pairs.get((a, b))
        if made is None:
            made = self.pairs[a, b] = self._made_of(self._factors(a, b))
        return self.stands_for(made)

    def _factors(self, a: int, b: int) -> Bits:
        """The factors of a product: inputs, other nodes, and what hangs on the lowest bits alone;
        (0,) where they cannot all be true.
        """
        low, names = self.low, self.names
        found = {*self._split(a), *self._split(b)}
        again = True
        while again:
            found, again = set(map(self.stands_for, found)), False
            plain = [x for x in found if x >> 1 in names or x >> 1 in low or x >> 1 in self.targets]
            for x in found.difference(plain):
                found.discard(x)  # nothing is a reason for itself
                given = self._given_others(x, found)
                found.update(given)
                if given != (x,):
                    again = True
                    break
        if 0 in found or not found.isdisjoint([x ^ 1 for x in found]):
            return (0,)
        lowest: dict[int, int] = {}
        for x in sorted(x for x in found if x >> 1 in low):
            which = low[x >> 1][0]
            lowest[which] = Graph.and_(self, lowest.get(which, TRUE), x)
        if FALSE in lowest.values():
            return (0,)
        inputs = sorted(x for x in found if x >> 1 in names and x >> 1 not in low)
        others = sorted(x for x in found if x >> 1 not in names and x >> 1 not in low)
        return (*inputs, *(x for x in lowest.values() if x != TRUE), *others)

    def _given_others(self, x: int, factors: set[int]) -> Bits:
        """What a factor is where the others are true: a sum with one of them is its other term, and
        where a product is not true, what is left of it is not. As factors.
        """
        n = x >> 1
        if self.kind[n] == "^":
            a, b = self.left[n], self.right[n]
            for p, q in ((a, b), (b, a)):
                if (value := self._known(p, factors)) is not None:
                    return self._split(q ^ (x & 1) ^ value)
        elif x & 1:
            inner = self.factors.get(x ^ 1) or (self.left[n], self.right[n])
            if any(p ^ 1 in factors for p in inner):
                return ()
            left = [p for p in inner if p not in factors]
            if len(left) < 2:
                return self._split(left[0] ^ 1 if left else 0)
        return (x,)

    def _split(self, x: int) -> Bits:
        """The factors of a product; a bit of a counter block stays whole."""
        return (x,) if x >> 1 in self.targets else self.factors.get(x, (x,))

    def _known(self, x: int, factors: set[int]) -> int | None:
        """What a literal is where all of some are true, if that is seen at once."""
        if x in factors or x ^ 1 in factors:
            return int(x in factors)
        for y in (x, x ^ 1):
            if y in self.factors:
                if y not in self.sets:
                    inner = self.factors[y]
                    self.sets[y] = frozenset(inner), frozenset(p ^ 1 for p in inner)
                true, false = self.sets[y]
                if true <= factors:
                    return int(x == y)
                if not false.isdisjoint(factors):
                    return int(x != y)
        return None

    def _made_of(self, factors: Bits) -> int:
        """The product of literals, of which it takes the lowest first."""
        if len(factors) < 2:
            return factors[0] if factors else 1
        made = self.products.get(factors)
        if made is None:
            known = len(factors) - 1
            while known > 1 and factors[:known] not in self.products:
                known -= 1
            made = self.products[factors[:known]] if known > 1 else factors[0]
            for i in range(max(known, 1), len(factors)):
                self.making, self.partial = factors[: i + 1], i + 1 < len(factors)
                made = Graph.and_(self, made, factors[i])
                self.making, self.partial = (), False
                if i + 1 >= LOWEST and factors[i] >> 1 in self.names and self.values[made >> 1]:
                    self.aim((made,), self.carries)
                self.products[factors[: i + 1]] = made
                if made > 1:
                    self.factors.setdefault(made, factors[: i + 1])
        return made


def _signed(literal: int) -> int:
    variable = (literal >> 1) + 1
    return -variable if literal & 1 else variable
