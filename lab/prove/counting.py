# SPDX-License-Identifier: Apache-2.0
"""The end of a kernel in CTR mode that counts its counter on in a loop of its own, behind the loop
over groups (`count_groups` in lanes/slices.h).

With n groups the loop at hand goes round n times, and each round makes a counter C into C + B,
where B blocks are a group. At its head a state is T(C, r): r rounds are left, bytes are functions
of C, counts are linear in r, all else stays.

1. From the end of the last group a run arrives at T(C0, n), where C0 is the counter of the call.
2. T(C, r) with r >= 2 does a round and arrives at T(C + B, r - 1), for any C.
3. So does T(C0, n) at T(C0 + (n - 1) * B, 1), and that counter is the one of the last group: from
   there a run returns as a function must.

What is only said of low bits of the counter that no group changes may be written over C0 as well as
over the counter of the last group: they are the same. States are suggested by a run with many
groups; they need no trust, as steps 1 to 3 are checked on them.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from .graph import STRANGE, Bits
from .induct import CARRIED_MOST, DONE, Loop, Place, _byte, same_cell
from .pcode import Cell, Machine, OpenError
from .values import Lin, UndecidedError, combined, signed

MANY = 8  # groups done, in the run that suggests states
WEAKENED_MOST = 8
REST = "rest"  # rounds left
TAG = "at the end"


@dataclass
class Counted:
    """T(C, r): bytes that stay; counts k * r + c as (c, k, byte, size); functions of the counter of
    the call.
    """

    keep: dict[Place, Cell] = field(default_factory=dict)
    counts: dict[Place, tuple[int, int, int, int]] = field(default_factory=dict)
    varied: dict[Place, Bits] = field(default_factory=dict)

    def drop(self, keys: list[Place]) -> None:
        """Say nothing of these."""
        for part in (self.keep, self.counts, self.varied):
            for key in keys:
                part.pop(key, None)


def end(loop: Loop) -> None:
    """The last group of a call, and the return."""
    m, counter, want = loop.state(0, TAG)
    try:
        if m.run(loop.head, lambda pc: False) is not None:
            raise OpenError("the kernel does not return")
    except UndecidedError as undecided:
        if counter is None:
            raise
        try:
            m = Counting(loop, m.pc).run()
        except OpenError as problem:
            raise OpenError(f"{undecided}, and {problem}") from problem
    loop.ended(m, counter, want)


def _unknown(cell: Cell) -> bool:
    """Whether a byte is data of which the graph knows nothing: each run has bits of its own."""
    return isinstance(cell[0], tuple) and min(cell[0]) >= STRANGE


class Counting:
    """The end of a call whose counter is counted on in a loop, at whose end the branch at `pc`
    depends on the number of groups.
    """

    def __init__(self, loop: Loop, pc: int) -> None:
        self.loop, self.call = loop, loop.call
        iv = self.call.lifted.counter
        assert iv is not None
        self.first = iv
        pairs = enumerate(zip(iv, self.call.behind(iv, 1), strict=True))
        self.low = next((i for i, (x, y) in pairs if x != y), len(iv))
        far, counter, _ = loop.state(0, TAG)
        assert counter is not None
        self.counter = counter
        far.bounds[DONE] = (MANY, self.call.most - 1)
        head = far.run(loop.head, lambda at: far.pc == pc and at < pc)
        if head is None:
            raise OpenError("the end of the kernel has no loop that the prover understands")
        self.head = head
        self.base, _, _ = loop.state(0, TAG)
        if self.base.run(loop.head, lambda at: at == head) is None:
            raise OpenError("the kernel returns before it has counted its counter on")
        self.state = self._state(far)

    def _state(self, far: Machine) -> Counted:
        """What the run to the second time at the head suggests."""
        found, width = Counted(), self.call.isa.width
        for space, cells in self.base.spaces.items():
            if space == "unique":
                continue
            for at, old in cells.items():
                new = far.spaces.get(space, {}).get(at)
                if new is None:
                    continue
                if same_cell(old, new) or (_unknown(old) and _unknown(new)):
                    found.keep[space, at] = old
                    continue
                value, i, size = old
                if isinstance(value, Lin) and isinstance(new[0], Lin):
                    k = value.factors.get(DONE, 0)
                    moved = combined(new[0], value, -1, width)
                    down = isinstance(moved, int) and signed(moved, width) == -k
                    if down and value.factors == {DONE: k} and new[1:] == (i, size):
                        found.counts[space, at] = (value.c - k, k, i, size)
                elif bits := self._of_first(old):
                    found.varied[space, at] = bits
        if not found.counts:
            raise OpenError("the end of the kernel has a loop without a count")
        return found

    def _of_first(self, cell: Cell) -> Bits | None:
        """The bits of a byte that is a function of the counter of the call."""
        bits, g = _byte(self.base, cell), self.call.g
        if bits is None or any(x >= STRANGE for x in bits):
            return None
        pairs = zip(self.counter[: self.low], self.first[: self.low], strict=True)
        found = tuple(g.substituted(bits, {x >> 1: y for x, y in pairs}))
        nodes, whole = g.below((x >> 1 for x in found), CARRIED_MOST)
        alone = set(filter(g.is_input, nodes)) <= {x >> 1 for x in self.first}
        return found if whole and alone else None

    def _machine(self, counter: Bits, rest: int | None) -> Machine:
        """At the head, with so many rounds left, with None two or more."""
        m = copy(self.base)
        m.regions, m.bounds = dict(self.base.regions), dict(self.base.bounds)
        m.bounds[REST] = (2, self.call.most)  # those of all groups
        m.stores, m.executed, m.count, m.deepest = [], set(), 0, None
        m.forget_flags()
        m.spaces = {space: {} for space in self.base.spaces}
        for (space, at), cell in self.state.keep.items():
            m.spaces[space][at] = cell
        values: dict[object, int | Lin] = {}
        for (space, at), (c, k, i, size) in self.state.counts.items():
            value = values.setdefault((c, k, size), self.call.count(c, k, REST, rest))
            m.spaces[space][at] = (value, i, size)
        for (space, at), bits in self.call.over(self.state.varied, counter).items():
            m.spaces[space][at] = (bits, 0, 1)
        return m

    def _round(self) -> list[Place]:
        """What does not hold behind a round."""
        call = self.call
        now = self.loop.counter_of("in a round")
        m = self._machine(now, None)
        first = m.step(self.head)
        if not isinstance(first, int) or m.run(first, lambda pc: pc == self.head) is None:
            raise OpenError("the loop that counts the counter on ends although rounds are left")
        wrong = []

        def held(key: Place) -> Cell | None:
            return m.spaces.get(key[0], {}).get(key[1])

        for key, cell in self.state.keep.items():
            if (there := held(key)) is None or not same_cell(there, cell):
                wrong.append(key)
        for key, (c, k, i, size) in self.state.counts.items():
            there = held(key)
            if there is None or not same_cell(
                there, (self.call.count(c, k, REST, None, 1), i, size)
            ):
                wrong.append(key)
        found: dict[Place, list[tuple[int, int]]] = {}
        for key, after in call.over(self.state.varied, call.behind(now, 1)).items():
            there = held(key)
            bits = _byte(m, there) if there else None
            if bits:
                found[key] = list(zip(bits, after, strict=True))
            else:
                wrong.append(key)
        wrong += self.loop.unequal(found)
        if not wrong:
            call._ran(m)
        return wrong

    def run(self) -> Machine:
        """On to the return of the kernel, over the counter of the last group."""
        for _ in range(WEAKENED_MOST):
            wrong = self._round()
            if not wrong:
                self.call._ran(self.base)
                m = self._machine(self.counter, 1)
                if m.run(self.head, lambda pc: False) is not None:
                    raise OpenError("the kernel does not return")
                return m
            self.state.drop(wrong)
            if not self.state.counts:
                break
        raise OpenError("no invariant of the loop that counts the counter on holds")
