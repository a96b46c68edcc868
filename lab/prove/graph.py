# SPDX-License-Identifier: Apache-2.0
"""A graph of XOR and AND over single bits that joins equal nodes while it is built.

A literal is an int: twice the number of a node, plus one when it is complemented. Literal 0 is
false and literal 1 is true. Every node carries its values in RUNS random runs. A new node whose
values are those of an older one is a candidate; the two are joined only after one of three proofs:
both are the same sum over GF(2); both have the same truth table over a common cut of at most 8
nodes; or a SAT solver refutes that they differ. What is not proved stays apart, so a join never
guesses, and two values are equal for all inputs when their literals are the same.

The nodes themselves, and all that is done for each of many million, are in core.cpp.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import pysolvers
from pysat.solvers import Solver

from .core import Core, set_budget_error

Bits = tuple[int, ...]
Method = Literal["sum", "table", "solver"]

RUNS = 512
RUN_BYTES = RUNS // 8
FURTHER = 2 * RUNS  # runs of what hangs on counters, where a solver would be asked
ONES = (1 << RUNS) - 1
CONES = (100, 400)  # nodes of a cone in a query: those beyond are left free
CONFLICTS, CONFLICTS_WHOLE = 2000, 50_000  # the latter where a query has all of its cone
FAMILIES = 4  # pairs to ask about that hang on one node directly, and share a solver for it
MOST_NODES = 6_100_000  # of some 190 bytes each, with what Python holds of them

STRANGE = 1 << 40  # above the literal of any node
PLAIN, BLIND, VEILED, HINT, HASHED = range(5)  # kinds of graphs, as core.cpp numbers them


class BudgetError(Exception):
    """The time or the memory of one proof is used up: no verdict can come of it."""


set_budget_error(BudgetError)


@dataclass(frozen=True)
class Join:
    """Two literals that were proved equal, and how."""

    method: Method
    left: int
    right: int


class Graph(Core):
    """See the module. `seconds` of processor time and `nodes` bound one proof."""

    MODE = PLAIN

    def __init__(self, seed: int = 1, seconds: float = 600.0, nodes: int = MOST_NODES) -> None:
        super().__init__(self.MODE)
        self.random = random.Random(seed)
        self.deadline = time.process_time() + seconds
        self.most = nodes
        self.names: dict[int, tuple[str, int]] = {}  # node -> input word and bit
        self.near = 0  # numbers that are added to counters: see `counter`
        self.sums: dict[tuple[Bits, ...], Bits] = {}  # of words, by their terms
        self.summed: dict[Bits, tuple[Bits, ...]] = {}  # the two terms of a sum
        self.known: dict[str, Bits] | None = None  # words by name, where runs share inputs
        self.plan: object = None  # what laps.py suggests for a kernel with its buffers apart
        self.model: dict[int, int] | None = (
            None  # input nodes that are one, where a query found a difference
        )

    # Of `Core`: `mixed` says that small cones have nodes that are older than what they hang on;
    # `asked` has the nodes of a cone in the queries of nodes that look alike; and `deep` says how
    # many nodes two functions of up to 14 inputs may have whose whole truth tables are compared.

    # Construction

    def input(self, word: str, bit: int, values: int) -> int:
        """A new input."""
        literal = self.new_input(values.to_bytes(RUN_BYTES, "little"))
        self.names[literal >> 1] = (word, bit)
        return literal

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
        bits = self.numbered(name, numbers, width)
        self.look_at_carries(bits)
        if self.known is not None:
            self.known[name] = bits
        return bits

    def numbered(self, name: str, numbers: Sequence[int], width: int) -> Bits:
        """A new word that has one of these numbers in each run."""
        return tuple(self.input(name, i, _column(numbers, i)) for i in range(width))

    def look_at_carries(self, bits: Bits) -> None:
        """Give a counter its further runs. In half of them its lowest byte has all values, beside
        the two greatest numbers of the other bits; in the others, sums of any number and up to a
        hundred end their carries at every place in turn, after a group or two.
        """
        width = len(bits)
        numbers = [-1 - i for i in range(FURTHER // 2)]
        for i in range(FURTHER // 2):
            high = 8 + i // 2 % max(1, width - 8)
            above = self.random.getrandbits(width) << high + 1
            numbers.append(above | (1 << high) - 1 - (i % 2 << 8) - (i // 128 & 3))
        numbers = [x % (1 << width) for x in numbers]
        for i, x in enumerate(bits):
            self.further(x, _column(numbers, i).to_bytes(FURTHER // 8, "little"))

    def value(self, literal: int) -> int:
        """The values of a literal in all runs, run 0 lowest."""
        return int.from_bytes(self.runs_of(literal), "little")

    def first(self, bits: Sequence[int]) -> int:
        """The number that bits have in run 0, the least significant first."""
        return int.from_bytes(self.first_run(bits), "little")

    # Joining

    @property
    def joins(self) -> list[Join]:
        """What was joined."""
        return [Join(cast(Method, how), x, y) for how, x, y in self.listed_joins()]

    def same(self, x: int, y: int, cones: Sequence[int] = CONES, whole: bool = False) -> bool:
        """Whether x == y is proved for all inputs; False says nothing, unless `model` is set.

        `cones` bounds the queries, none forbids them; with `whole` a cone that does not fit is not
        asked about.
        """
        self.model = None
        return self.equal(x, y, cones, whole)

    def refuted(self, x: int, y: int, cones: Sequence[int], whole: bool) -> bool:
        """Whether a solver refutes that two literals differ; core.cpp asks."""
        self.model = None
        for limit in cones:
            self.check()
            clauses, (p, q), nodes, complete = self.clauses((x, y), limit)
            if whole and not complete:
                return False
            with Solver(name="minisat22") as solver:
                raw = solver.solver.minisat
                for clause in (*clauses, [p, q], [-p, -q]):
                    pysolvers.minisat22_add_cl(raw, clause)
                solver.conf_budget(CONFLICTS_WHOLE if whole else CONFLICTS)
                answer = solver.solve_limited()
                if answer is False:
                    return True
                if answer is True and complete:
                    held = set(solver.get_model())
                    self.model = {
                        n: 1
                        for variable, n in enumerate(nodes, 1)
                        if variable in held and self.node(n)[0] == "i"
                    }
                    return False
        return False

    def same_in_turn(
        self, pairs: Iterable[tuple[int, int]], limit: int
    ) -> dict[tuple[int, int], bool]:
        """Of which pairs it is proved for all inputs that the two are equal. Those whose cones, of
        at most so many nodes, lie in one another have one solver, which uses what it has proved for
        those that follow. False says nothing.
        """
        found, asked = {}, []
        for x, y in pairs:
            known = max(x, y) < STRANGE and self.value(x) == self.value(y)
            found[x, y] = x == y or (known and self.same(x, y, ()))
            if known and not found[x, y]:
                asked.append((x, y))
        for family in self._families(asked, limit):
            self.check()
            flat = [x for pair in family for x in pair]
            clauses, ends, nodes, _ = self.clauses(flat, 2 * limit)
            with Solver(name="minisat22") as solver:
                raw = solver.solver.minisat
                for clause in clauses:
                    pysolvers.minisat22_add_cl(raw, clause)
                for i, pair in enumerate(family):
                    p, q, differ = ends[2 * i], ends[2 * i + 1], len(nodes) + 1 + i
                    for clause in ([-differ, p, q], [-differ, -p, -q]):
                        pysolvers.minisat22_add_cl(raw, clause)
                    solver.conf_budget(CONFLICTS)
                    if solver.solve_limited([differ]) is False:
                        found[pair] = True
                        self.solved(*pair)
                        for clause in ([-p, q], [p, -q]):
                            pysolvers.minisat22_add_cl(raw, clause)
        return found

    def _families(
        self, pairs: Iterable[tuple[int, int]], limit: int
    ) -> Iterator[list[tuple[int, int]]]:
        """Pairs that share nodes which few others have, as the carries of one sum, oldest first."""
        left = sorted(set(pairs))
        under: dict[int, list[tuple[int, int]]] = {}
        for pair in left:
            for n in {x >> 1 for root in pair for x in self.node(root >> 1)[1:]}:
                under.setdefault(n, []).append(pair)
        done: set[tuple[int, int]] = set()
        for pair in reversed(left):
            if pair in done:
                continue
            order, _ = self.cone_of([x >> 1 for x in pair], limit)
            rows = (row for n in order if len(row := under.get(n, [])) <= FAMILIES)
            family = ({pair}.union(*rows)) - done
            done |= family
            yield sorted(family)

    # Results

    def cone(self, roots: Iterable[int], limit: int | None = None) -> tuple[list[int], bool]:
        """Nodes above the inputs that the roots hang on, the newest first, and whether all are
        there.
        """
        return self.cone_of(roots, limit)

    def below(self, roots: Iterable[int], limit: int | None = None) -> tuple[set[int], bool]:
        """The roots and the nodes that they hang on, inputs included, and whether all are there."""
        found = set(roots)
        order, whole = self.cone_of(found, limit)
        for n in order:
            _, a, b = self.node(n)
            found |= {a >> 1, b >> 1}
        return found, whole

    def is_input(self, n: int) -> bool:
        """Whether a node is an input."""
        return self.node(n)[0] == "i"

    def difference(self, x: int, y: int) -> dict[int, int] | None:
        """Inputs for which x and y differ, or None: then they are equal, or nobody knows."""
        if apart := self.value(x) ^ self.value(y):
            run = (apart & -apart).bit_length() - 1
            return {n: self.value(2 * n) >> run & 1 for n in self.names}
        if self.same(x, y) or self.model is None:
            return None
        return {n: self.model.get(n, 0) for n in self.names}

    def substituted(
        self, literals: Sequence[int], places: Mapping[int, int], into: Graph | None = None
    ) -> Bits:
        """The literals with other literals in the places of inputs; what is not given stays. With
        `into` they are made in another graph, whose literals are given for all inputs.
        """
        return self.put(literals, places, into or self)

    def evaluate(self, inputs: Mapping[int, int], literals: Sequence[int], runs: int) -> list[int]:
        """The literals in `runs` runs at once, each a bit of the numbers in `inputs`."""
        size = -(-runs // RUNS) * RUN_BYTES
        given = {n: value.to_bytes(size, "little") for n, value in inputs.items()}
        ones = (1 << runs) - 1
        made = self.simulated(literals, given, 8 * size)
        return [int.from_bytes(values, "little") & ones for values in made]


def _column(numbers: Sequence[int], place: int) -> int:
    """A bit of all numbers, the first one lowest."""
    return sum((x >> place & 1) << i for i, x in enumerate(numbers))


class Blind(Graph):
    """A graph with bits of which nothing is known; what hangs on one is such a bit, too.

    Each is a literal of its own without a node. So a bit that the graph does know is the same
    whatever they are, and they take no room. Nobody can look into one; but of a sum of two bits it
    is known of which two, so that one of them comes out again when the other is added.
    """

    MODE = BLIND

    def difference(self, x: int, y: int) -> dict[int, int] | None:
        if x < STRANGE and y < STRANGE:
            return super().difference(x, y)
        return None


class Veiled(Blind):
    """A graph that looks at counter blocks from behind a veil.

    A node is pure when it hangs on counters alone. Where a pure node meets one that is not, an
    input takes its place, if it is a bit of a counter block (`aim`) or of a counter, or else the
    same function of such inputs. An input is named by its node, so it stands for one function of
    the counters, and its values in the runs are random. What is equal for all values of these
    inputs is so for those that counters have. What differs need not differ for any counter, so a
    difference says nothing. So blocks of one text, which look alike for their counters, do not look
    alike behind the veil, and those that are hidden (`hide`) are unknown there.

    Carries are long products of pure nodes, which compilers and specifications take in any order;
    here they have one form. A function of the 8 lowest bits of a counter is known by its truth
    table, so that equal ones are one literal. A product of pure nodes is the set of its factors:
    inputs, one such function for each counter, and other nodes, each of which may be replaced by
    what it is where all others are true, never by what it says itself.
    """

    MODE = VEILED

    def counter(self, name: str, width: int) -> Bits:
        bits = super().counter(name, width)
        self.counted(bits)
        self.lowest(bits)
        return bits

    def stranger(self, n: int) -> int:
        """A new input for a node; core.cpp asks for one."""
        return self.input(f"behind the veil {n}", 0, self.random.getrandbits(RUNS))
