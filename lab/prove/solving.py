# SPDX-License-Identifier: Apache-2.0
"""Kernels that solve systems of linear equations over GF(16) and GF(256) (Rainbow): one call for
each size, for all systems.

A specification eliminates; so does a kernel, but it chooses its pivots in a way of its own. So a
proof has two halves. What a kernel does in step k of its elimination is written down here
(`Steps`), on bits, as what one step makes of any state: columns behind k, and whether a pivot was
found in every step before. That the machine code does this and no less is proved, step by step, for
all states. That these steps solve the system needs no machine, but an argument, in the class; a
test compares their steps with lab/spec on random numbers, regular and not.

Where step k ends, bits of the machine are replaced: those that the state has by new inputs, those
that are constant or come from the caller stay, and every other one is anything. So the proof of a
step holds for all states, and its graph is a new one. When the right side, which every kernel
takes last, is in memory as the step has it, the step ends in front of the first instruction that
ran before the one which stored that: there the next step begins.

Within a step inputs stand in for what is needed again and again (`stand_in`): they take all values
that it can have, so what is equal for all of them is equal for those.

- Whether a row helps.
- The pivot, the factor of each row, and each column's entry in the row of the pivot: elements.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import xor as xor_
from typing import Any

from ..kernels import Kernel
from ..spec.field import FIELDS
from ..spec.field import Field as TowerField
from .fields import SIZES, FieldCall, FieldTask, Setup, cells_of, checked
from .graph import RUNS, Bits, Graph
from .induct import Counterexample, Evidence, MismatchError
from .pcode import A64, Cell, Image, Machine, OpenError
from .tables import entry_at
from .values import LAZY, Ahead, Cond, Lin, RefusedError, Unreadable
from .words import folded, number_bits, xor

Bytes = list[Bits]
SYSTEM_MAX = 64  # HANJI_SYSTEM_MAX
SYSTEM_BYTES = (SYSTEM_MAX + 2) * SYSTEM_MAX  # HANJI_SYSTEM_BYTES
SOLVED = {"gf16": (1, 2, 5, 31, 32, 33), "gf256": (1, 2, 5, 32, 36, 48, 64)}
COUNTED = 10_000  # instructions at a time
HELPER = 6  # bits of a row's number
TRIES, TRIES_MOST = 4, 120  # runs on numbers of a kernel that is not proved: fewer of many rows


def column_bytes(size: int) -> int:
    """hanji_system_column."""
    return 32 if size <= 32 else 64


# Elements


def product(g: Graph, spec: TowerField, constant: Bits, element: Bits) -> Bits:
    """A product, as a sum of the constant's products by 1, 2, 4 .. ."""
    out: Bits = (0,) * spec.bits
    for bit, rows in zip(element, _times(spec), strict=True):
        if bit:
            times = [_sum_of(g, [constant[k] for k in row]) for row in rows]
            out = tuple(g.xor(x, g.and_(bit, y)) for x, y in zip(out, times, strict=True))
    return out


@cache
def _times(spec: TowerField) -> list[list[list[int]]]:
    """For the products of a constant by 1, 2, 4 .., and their bits, which bits of it are added."""
    each = range(spec.bits)
    return [
        [[k for k in each if spec.multiply(1 << k, 1 << i) >> t & 1] for t in each] for i in each
    ]


def _sum_of(g: Graph, bits: Sequence[int]) -> int:
    return reduce(g.xor, bits, 0)


def any_of(g: Graph, bits: Sequence[int]) -> int:
    """Whether one of the bits is true."""
    return reduce(g.or_, bits, 0)


# Steps


@dataclass
class State:
    """What is left of the system: columns k and behind, each with `rows` elements; and whether a
    pivot was found in each step before.
    """

    columns: dict[int, Bytes]
    regular: int = 1

    def bits(self) -> Iterator[int]:
        """All that a state has, in order."""
        for column in sorted(self.columns):
            for element in self.columns[column]:
                yield from element
        yield self.regular

    def put(self, literals: Mapping[int, int]) -> State:
        """The state with other literals in the places of some."""

        def put(bits: Iterable[int]) -> Bits:
            return tuple(literals.get(x, x) for x in bits)

        columns = {c: [put(x) for x in column] for c, column in self.columns.items()}
        (regular,) = put((self.regular,))
        return State(columns, regular)


class Steps:
    """The elimination where the first row below k whose entry is not zero helps a row k whose entry
    is: it is added to that.

    Step k adds one row to row k, which can be undone; then p, its entry in column k, is not zero if
    any entry from row k on is. Row k becomes 1 / p times itself, and f_i times the old row k is
    added to each other row i, where f_i is its entry in column k over p. All of that can be undone,
    so the system has the same solutions as before. Column k becomes the k-th unit vector, and the
    unit vectors of the steps before stay what they are, as their entries in row k, and in the row
    that helps, are zero. Behind the last step the right side is the solution. Where no entry from
    row k on is other than zero, column k hangs on those before, the system has no single solution,
    and what is in memory need not be anything.

    The row that helps is an index, which no row has if none helps, and every kernel asks the pivot
    whether there is one.
    """

    def __init__(self, spec: TowerField, size: int) -> None:
        self.spec, self.size = spec, size
        self.bits = spec.bits  # of an element of the system
        self.rows = column_bytes(size)
        self.inverses = [spec.invert(x) for x in range(1 << spec.bits)]

    def begun(self, g: Graph) -> tuple[list[Bytes], State]:
        """Any system, by columns, and the state in front of step 0."""
        columns = [self.padded(self.column(g, c, 0)) for c in range(self.size + 1)]
        return columns, State(dict(enumerate(columns)))

    def padded(self, column: Bytes) -> Bytes:
        """A column with the zeros behind it."""
        return column + [(0,) * len(column[0])] * (self.rows - self.size)

    def unknown(self, g: Graph, k: int) -> State:
        """Any state in front of step k."""
        columns = {c: self.padded(self.column(g, c, k)) for c in range(k, self.size + 1)}
        return State(columns, g.word("regular", 1)[0])

    def column(self, g: Graph, c: int, k: int) -> Bytes:
        """Any elements in front of step k. In half of the random runs rows below k are zero up to a
        row, which is another one in each, in the column that has the pivot; in a quarter row k is.
        """
        bits, draw = self.bits, g.random
        names = [f"column {c} row {i}" for i in range(self.size)]
        if c != k:
            return [g.word(name, bits) for name in names]
        elements = [
            [draw.randrange(1 << bits) if draw.random() < 0.8 else 0 for _ in range(RUNS)]
            for _ in names
        ]
        least = k + 1
        for run in range(RUNS // 2):
            first = least + run // 2 % (self.size + 1 - least)
            for i in {*range(least, min(first + 1, self.size)), k}:
                zero = i < first if i >= least else run % 2
                elements[i][run] = 0 if zero else 1 + draw.randrange((1 << bits) - 1)
        return [
            g.numbered(name, numbers, bits) for name, numbers in zip(names, elements, strict=True)
        ]

    def step(self, g: Graph, state: State, k: int) -> State:
        """What step k makes of a state, over inputs that stand in."""
        pivots = state.columns[k]
        pivot, helps = self.helpers(g, pivots, k)
        one = number_bits(1, self.bits)
        entries = [one if i == k else x for i, x in enumerate(pivots)]
        factors = self.factors(g, entries, pivot)
        since = g.rows
        behind = {c: x for c, x in state.columns.items() if c > k}
        rows = {
            f"entry {c}": xor(g, column[k], self.selected(g, column, helps))
            for c, column in behind.items()
        }
        rows = stood_in(g, since, rows)
        zero: Bits = (0,) * self.bits
        columns = {
            c: [
                xor(
                    g,
                    zero if i == k else x,
                    product(g, self.spec, rows[f"entry {c}"], factors[i]),
                )
                for i, x in enumerate(column)
            ]
            for c, column in behind.items()
        }
        return State(columns, g.and_(state.regular, any_of(g, pivot)))

    def factors(self, g: Graph, entries: Bytes, pivot: Bits) -> Bytes:
        """Each entry over the pivot."""
        since = g.rows
        inverse = entry_at(g, [number_bits(x, self.bits) for x in self.inverses], pivot)
        if self.bits == 8:
            inverse = stood_in(g, since, {"inverse": inverse})["inverse"]
            since = g.rows
        made = {
            f"factor {i}": product(g, self.spec, inverse, entry) for i, entry in enumerate(entries)
        }
        made |= stood_in(g, since, {x: y for x, y in made.items() if y != inverse})
        return list(made.values())

    def helpers(self, g: Graph, pivots: Bytes, k: int) -> tuple[Bits, Bits]:
        """The pivot, and the row that helps. The pivot is the entry in row k until one below takes
        its place while it is zero.
        """
        pivot = pivots[k]
        number: Bits = (0,) * 8
        helped = 0
        for i in range(k + 1, self.size):
            since, name = g.rows, f"up to row {i}"
            taken = g.and_(any_of(g, pivot) ^ 1, any_of(g, pivots[i]))
            (take,) = stood_in(g, since, {f"taken {name}": (taken,)})[f"taken {name}"]
            since = g.rows
            pivot = xor(g, pivot, tuple(g.and_(x, take) for x in pivots[i]))
            pivot = stood_in(g, since, {f"pivot {name}": pivot}, True)[f"pivot {name}"]
            number = tuple(g.or_(x, take) if i >> bit & 1 else x for bit, x in enumerate(number))
            helped = g.or_(helped, take)
        return pivot, tuple(g.or_(x, helped ^ 1) for x in number)

    def selected(self, g: Graph, column: Bytes, helps: Bits) -> Bits:
        """The element in the row that helps; zero where none does."""
        low = self.rows.bit_length() - 1
        inside = reduce(g.and_, (x ^ 1 for x in helps[low:]))
        found = entry_at(g, column, helps[:low])
        return tuple(g.and_(x, inside) for x in found)

    def solution(self, g: Graph, state: State) -> tuple[Bytes, int]:
        """The right side and the answer behind the last step."""
        return state.columns[self.size], state.regular


def element(g: Graph, name: str, bits: int) -> Bits:
    """An input that is zero in every other random run, roughly."""
    draw = g.random
    numbers = [draw.randrange(1 << bits) if draw.random() < 0.5 else 0 for _ in range(RUNS)]
    return g.numbered(name, numbers, bits)


def stood_in(
    g: Graph, since: int, elements: Mapping[str, Bits], zeros: bool = False
) -> dict[str, Bits]:
    """Inputs for bits that hang on others; the rest stays. With `zeros` elements are zero often."""
    own: dict[int, int] = {}  # of literals without their complements
    out = {}
    for name, bits in elements.items():
        made = []
        given = element(g, name, len(bits)) if zeros else ()
        for i, x in enumerate(bits):
            if x > 1 and g.node(x >> 1)[0] in "&^":
                if x & ~1 not in own:
                    own[x & ~1] = given[i] if given else g.word(f"{name} bit {i}", 1)[0]
                x = own[x & ~1] ^ x & 1
            made.append(x)
        out[name] = tuple(made)
    pairs = list(own.items())
    g.stand_in(since, pairs)
    return out


# Calls


class Tabled(Graph):
    """A graph that compares whole truth tables of functions of few inputs, and asks no solver."""

    DEEP = 4000  # nodes of such a function, of which an inverse has most

    def __init__(self, seed: int = 1, seconds: float = 600.0) -> None:
        super().__init__(seed, seconds)
        self.deep = self.DEEP
        self.asked = ()


class NotProvedError(Exception):
    """A bit is not as a step has it, as far as the graph can tell."""


@dataclass(frozen=True)
class SolveTask(FieldTask):
    """One proof: a kernel with systems of one size."""

    size: int = 0
    steps: Steps | None = None


class SolveCall(FieldCall):
    """Runs the elimination, with a new graph for each step."""

    def __init__(self, g: Tabled, image: Image, task: SolveTask) -> None:
        if image.isa is not A64:
            raise OpenError("systems are proved on AArch64 alone")
        graph: Any = g
        self.g = graph
        self.image, self.task = image, task  # type: ignore[assignment]
        self.isa = image.isa
        self.evidence = Evidence()
        self.names = self.isa.kept(task.kernel.source)
        self.saved = {name: self._saved_word(name) for name in self.names}
        assert task.steps is not None
        self.steps, self.size = task.steps, task.size
        self.stride = column_bytes(self.size)
        self.methods: dict[str, int] = {}
        self.nodes = 0

    def prove(self) -> str:
        """One run; where it is not proved, runs on numbers say whether it is wrong."""
        try:
            self._proved()
        except NotProvedError as problem:
            for seed in range(max(TRIES, TRIES_MOST // self.size)):
                self._numbers(seed)
            raise OpenError(str(problem)) from problem
        self._count()
        return SIZES

    def _proved(self) -> None:
        g: Any = self.g
        columns, state = self.steps.begun(g)
        cells: Bytes = [(*x, *(0,) * (8 - len(x))) for column in columns for x in column]
        cells += [g.word(f"behind {i}", 8) for i in range(SYSTEM_BYTES - len(cells))]
        m = self._entered(self._setup(cells))
        self.state = self.steps.step(g, state, 0)
        self.k = 0
        last = self.size * self.stride + self.size - 1
        seen: object = m.spaces["system"].get(last)
        written, before, end = 0, 0, -1  # times, instructions
        order: dict[int, int] = {}  # of instructions, by when they ran first

        def until(pc: int) -> bool:
            nonlocal seen, written, before, end
            now = order.setdefault(pc, len(order))
            self._counted(m)
            if end >= 0 and now < end:
                self._cut(m)
                seen, written, end = m.spaces["system"].get(last), 0, -1
            elif self.k < self.size - 1 and end < 0:
                held = m.spaces["system"].get(last)
                if held is not seen:
                    seen, written = held, written + 1
                if written > 0 and held is not None and self._stored(m):
                    end = before
                elif written > 1:
                    raise self._wrong(m, self.size)
            before = now
            return False

        m.run(self.image.symbols[self.task.kernel.symbol], until)
        self._ran(m)
        if self.k != self.size - 1:
            raise self._wrong(m, self.size)
        self._returned(m)
        self.check_return(m)

    def right_on_numbers(self, seed: int) -> bool:
        """Whether a run on a random system does as lab/spec says."""
        try:
            self._numbers(seed)
        except MismatchError:
            return False
        return True

    def _numbers(self, seed: int) -> None:
        """One run on a random system; MismatchError where it is not as the specification has it."""
        source, spec, size = random.Random(seed), FIELDS[f"gf{1 << self.steps.bits}"], self.size
        zeros = source.choice((0.0, 0.5, 0.9))  # how many elements are none

        def element() -> int:
            return source.randrange(1 << spec.bits) if source.random() >= zeros else 0

        columns = [[element() for _ in range(size)] for _ in range(size + 1)]
        if source.random() < 0.5:  # the last column hangs on the others
            factors = [element() for _ in range(size - 1)]
            columns[size - 1] = [
                reduce(xor_, (spec.multiply(f, columns[c][i]) for c, f in enumerate(factors)), 0)
                for i in range(size)
            ]
        wanted = spec.solve([bytes(column) for column in columns[:-1]], bytes(columns[-1]))
        held = b"".join(bytes(column).ljust(self.stride, b"\0") for column in columns)
        held = held.ljust(SYSTEM_BYTES, b"\0")
        m = self._entered(self._setup([number_bits(x, 8) for x in held]))
        m.run(self.image.symbols[self.task.kernel.symbol], lambda pc: self._counted(m))
        at = self.stride * size
        right = bytes(m.number(m.read("system", at + i, 1)) for i in range(size))
        answer = m.number(m.read(*self.image.registers["x0"][:2], 4))
        if answer != (wanted is not None) or (wanted is not None and right != wanted):
            said = f"a system of {size} is solved otherwise than the specification says"
            raise MismatchError(said, self._system_case(held, wanted, answer, right))

    def _system_case(
        self, held: bytes, wanted: bytes | None, answer: int, right: bytes
    ) -> Counterexample:
        """The system, and the answer and the solution."""
        return Counterexample(
            1,
            {"system": held.hex()},
            {"answer": str(int(wanted is not None)), "solution": (wanted or b"").hex()},
            {"answer": str(answer), "solution": right.hex() if answer else ""},
        )

    def _setup(self, cells: Bytes) -> Setup:
        return Setup(
            {"system": cells_of(cells)},
            {"system": "rw"},
            [("system", "system"), ("size", self.size)],
            {},
        )

    def _bytes(self, m: Machine, c: int) -> Bytes:
        """A column, as far as it has elements."""
        return [m.bits(m.read("system", self.stride * c + i, 1), 8) for i in range(self.size)]

    def _wanted(self, c: int) -> Bytes:
        above: Bits = (0,) * (8 - self.steps.spec.bits)
        return [(*x, *above) for x in self.state.columns[c][: self.size]]

    def _stored(self, m: Machine) -> bool:
        """Whether the right side is that behind the step."""
        return self._bytes(m, self.size) == self._wanted(self.size)

    def _wrong(self, m: Machine, c: int) -> Exception:
        """What to say of a column that is not as the step has it."""
        for i, (x, y) in enumerate(zip(self._bytes(m, c), self._wanted(c), strict=True)):
            for bit, (got, want) in enumerate(zip(x, y, strict=True)):
                if got != want:
                    return NotProvedError(
                        f"step {self.k} of {self.size}: bit {bit} of row {i} of column {c} is not "
                        "proved"
                    )
        return NotProvedError(f"step {self.k} of {self.size} has no end")

    def _cut(self, m: Machine) -> None:
        """Go on behind a step in a new graph, from any state."""
        for c in range(self.k + 1, self.size + 1):
            if self._bytes(m, c) != self._wanted(c):
                raise self._wrong(m, c)
        self._count()
        old: Any = self.g
        g: Any = Tabled(seconds=max(0.0, old.deadline - time.process_time()))
        self.g = g
        self.k += 1
        now = self.steps.unknown(g, self.k)
        pairs = list(zip(self.state.bits(), now.bits(), strict=True))
        now = now.put({y: x for x, y in pairs if x < 2})  # what is constant stays so
        places = {x: y for x, y in pairs if x > 1}
        saved = {name: self._saved_word(name) for name in self.names}
        for name, bits in saved.items():
            places.update(zip(self.saved[name], bits, strict=True))
        self.saved = saved
        moved(m, g, places)
        self.state = self.steps.step(g, now, self.k)

    def _counted(self, m: Machine) -> bool:
        """Count instructions: a system of 64 takes a million, which the time bounds."""
        if m.count > COUNTED:
            self.evidence.instructions += m.count
            m.count = 0
        return False

    def _returned(self, m: Machine) -> None:
        """The solution and the answer."""
        right, answer = self.steps.solution(self.g, self.state)
        above: Bits = (0,) * (8 - self.steps.spec.bits)
        wanted = [(*x, *above) for x in right[: self.size]]
        for i, (x, y) in enumerate(zip(self._bytes(m, self.size), wanted, strict=True)):
            self._same(x, y, f"of element {i} of the solution")
        held = m.read(*self.image.registers["x0"][:2], 4)
        if isinstance(held, Lin | Cond | Unreadable):
            raise RefusedError(f"the answer is {held}")
        self._same(m.bits(held, 32)[:32], (answer, *(0,) * 31), "of the answer")

    def _same(self, got: Bits, wanted: Bits, what: str) -> None:
        for bit, (x, y) in enumerate(zip(got, wanted, strict=True)):
            if x != y:
                raise NotProvedError(f"bit {bit} {what} is not proved")

    def _count(self) -> None:
        """Keep what a graph has joined."""
        for how, number in self.g.methods().items():
            self.methods[how] = self.methods.get(how, 0) + number
        self.nodes = max(self.nodes, self.g.size)


def moved(m: Machine, g: Graph, places: Mapping[int, int]) -> None:
    """Put a run into another graph: literals become those that are given, constants stay, and all
    else is anything.
    """
    held = {0: 0} | {x & ~1: y ^ x & 1 for x, y in places.items()}
    made: dict[int, Bits | int] = {}

    def literal(x: int) -> int:
        if x & ~1 not in held:
            held[x & ~1] = g.word(f"anything {len(held)}", 1)[0]
        return held[x & ~1] ^ x & 1

    def cell(old: Cell) -> Cell:
        value, i, size = old
        if isinstance(value, LAZY):
            value = m.bits(value, 8 * size)
        if isinstance(value, Ahead):
            raise OpenError(f"{value} is no part of a state")
        if not isinstance(value, tuple):
            return old  # public
        if id(value) not in made:
            made[id(value)] = folded(tuple(literal(x) for x in value))
            kept.append(value)
        return made[id(value)], i, size

    kept: list[Bits] = []  # so that no other one has its id
    for space in m.spaces.values():
        for at, old in space.items():
            space[at] = cell(old)
    m.fresh = {}
    m.forget_flags()
    m.g = g


# Which kernels


def solve_tasks(kernel: Kernel) -> Iterator[SolveTask]:
    """Every proof of a kernel that solves systems, and none of other kernels."""
    field, _, operation = kernel.spec.partition(".")
    if field not in FIELDS or operation != "solve" or kernel.isa != "neon":
        return
    checked(kernel)

    def nothing(g: object) -> Setup:
        raise AssertionError("a system is no task of polynomials")

    for size in SOLVED[field]:
        steps = Steps(FIELDS[field], size)
        name = f"{size} equation{'s' * (size > 1)}"
        yield SolveTask(kernel, name, nothing, size=size, steps=steps)
