# SPDX-License-Identifier: Apache-2.0
"""Any number of groups of a kernel in CTR mode whose loop over groups does them in laps: an inner
loop does at most L groups, which begin within 256 blocks, and an outer loop comes round.

The induction stands at the head of the inner loop. A state there is one of two kinds: F(k), where k
groups of the lap are done, L - k are left in it and m >= 1 groups follow behind the lap; and S(k),
where k groups are done, r >= 1 are left in the lap, k + r <= L, and none follows.

1. Entry: a call with n > L groups arrives at F(0), one with n = 1 to L at S(0) with r = n, having
   stored nothing into the buffers of groups.
2. F(k) with k < L - 1 does its group and arrives at F(k + 1), for any m.
3. F(L - 1) does its group and arrives at F(0) where m > L, and at S(0) with r = m where m <= L.
4. S(k) with r >= 2 does its group and arrives at S(k + 1) with r - 1 left.
5. S(k) with r = 1 does its group, writes the counter and returns as a function must.

What a state holds is written over the counter with which the lap began; pointers lie around the
group at hand, which is at a symbol of its own; counts are linear in m and in r. What the numbers of
groups of the last lap differ in, but for counts, is data that only its end needs, the counter
behind the call: in S(k) it is any data, and step 5 puts in what step 1 and 3 have found there for
k + 1 groups.

The rounds of all k are the same graph. The counter of a lap is a word of its own for each k: its
lower bits are those of D - k * B, where B blocks are a group, and its upper ones are unknown. Eight
lower bits are enough unless the kernel adds numbers within a word so that carries leave the byte:
then it is half of the bits. That stands for all counters: D is the counter of the group at hand,
whatever it is. So the counter block of the kernel for block i, which is proved to be that of the
lap + k * B + i, is that of D + i; the graph takes the bits of the latter for those of the former
(`stand_in`). What is equal only because of that is not always found: where step 3 does not find
that the next lap begins as it must, it looks again with a counter of which nothing is said.

The states are suggested by runs on a graph in which round keys and texts are unknown bits. They
need no trust: steps 1 to 5 are checked on them, and what does not hold is taken out of the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from . import counting
from .graph import HINT, ONES, STRANGE, Bits, Blind, Veiled
from .pcode import Cell, Machine, OpenError, Region
from .values import Lin, RefusedError, UndecidedError, Value, made, parts, signed
from .words import number_bits, sub

if TYPE_CHECKING:
    from .induct import Call

LAP_BLOCKS = 256  # of a lap at most: a byte of their numbers
LOW = 8  # bits that these numbers have
WEAKENED_MOST = 8
CARRIED_MOST = 6000  # nodes of a byte that is a function of the counter
ONE = "of the group"
NOW = " now"
STACKS = ("stack", "frame")
MIXED = int("9e3779b97f4a7c15f39cc0605cedc835" * 4, 16)  # odd, and without a pattern in its bits
Place = tuple[str, int]


class Hint(Blind):
    """A graph for suggestions, where nothing is to be proved and an unknown bit has values by its
    number.
    """

    MODE = HINT

    def counter(self, name: str, width: int) -> Bits:
        bits = super().counter(name, width)
        self.counted(bits)
        return bits

    def value(self, literal: int) -> int:
        if literal < STRANGE:
            return super().value(literal)
        return (literal >> 1) * MIXED & ONES ^ (ONES if literal & 1 else 0)


@dataclass(frozen=True)
class Held:
    """What a byte of a register or of memory holds: a number or an expression, which of its bytes,
    and how many it has; or bits over the counter, or unknown ones.
    """

    value: int | Lin | None
    at: int = 0
    size: int = 1
    bits: Bits = ()
    slope: int = 0  # what is added for each group of the last lap

    @property
    def unknown(self) -> bool:
        """Whether it is a round key or text."""
        return any(x >= STRANGE for x in self.bits)


Shot = dict[Place, Held]


@dataclass
class Plan:
    """What the runs suggest: the head, the groups of a lap, and the states by k. `last` has for
    each number of groups in the last lap what S(0) holds then.
    """

    hints: Call
    head: int
    lap: int = 0
    full: list[Shot] = field(default_factory=list)
    short: list[Shot] = field(default_factory=list)
    last: dict[int, Shot] = field(default_factory=dict)
    data: set[Place] = field(default_factory=set)  # what S(k) holds is any data


def suggested(call: Call) -> Plan | None:
    """A plan for a kernel that works in laps of two groups or more, None for others."""
    most = LAP_BLOCKS // call.task.kernel.blocks
    if most < 2 or not call.lifted.counter:
        return None
    g = Hint()
    g.deadline = call.g.deadline
    hints = type(call)(g, call.image, call.task)
    for name, word in hints.saved.items():
        hints.saved[name] = tuple(g.unknown() for _ in word)
    fixed = hints.lifted.fixed
    for name, data in fixed.items():
        if name != "counter":
            fixed[name] = [tuple(g.unknown() if x > 1 else x for x in byte) for byte in data]
    try:
        head = _head(hints, most)
        plan = Plan(hints, head)
        return plan if _rounds(plan, most) and _last(plan) else None
    except (OpenError, RefusedError, UndecidedError, KeyError):
        return None


def _entry(hints: Call, groups: int | Lin, there: int) -> Machine:
    """A call on unknown texts."""
    g = hints.g
    assert isinstance(g, Hint)
    m = hints.entry(groups, there)
    for at in range(there * hints.lifted.size):
        m.write(hints.source, at, tuple(g.unknown() for _ in range(8)), 1)
    if isinstance(groups, Lin):
        m.bounds["more"] = (4 * LAP_BLOCKS, hints.most - 1)
    return m


def _start(call: Call) -> int:
    return call.image.symbols[call.task.kernel.symbol]


def _head(hints: Call, most: int) -> int:
    """Where the kernel jumps back to first with a group done."""
    m = _entry(hints, Lin(1, {"more": 1}), most)
    size = hints.lifted.size

    def done(pc: int) -> bool:
        if not m.count or pc > m.pc:
            return False
        written = {i for name, at, n in m.stores if name == hints.target for i in range(at, at + n)}
        return written >= set(range(size))

    head = m.run(_start(hints), done)
    if head is None:
        raise OpenError("the kernel has no loop over groups that the prover understands")
    return head


def _again(m: Machine, head: int) -> None:
    """On to the next time at the head."""
    m.count = 0
    first = m.step(head)
    if not isinstance(first, int):
        raise OpenError("the head of the loop is a jump that the prover does not follow")
    if m.run(first, lambda pc: pc == head) is None:
        raise OpenError("the loop ends although groups are left")


def _rounds(plan: Plan, most: int) -> bool:
    """All times at the head in a lap, and the first one of the next lap."""
    m = _entry(plan.hints, Lin(1, {"more": 1}), 2 * most)
    if m.run(_start(plan.hints), lambda pc: pc == plan.head) is None:
        return False
    plan.hints.reached = {name: m.regions[name] for name in STACKS if name in m.regions}
    shots = [_shot(plan.hints, m)]
    while len(shots) <= most:
        _again(m, plan.head)
        shots.append(_shot(plan.hints, m))
        lap = len(shots) - 1
        if any(
            isinstance(old.value, Lin)
            and isinstance(new := shots[-1].get(key, old).value, Lin)
            and (k := old.value.factors.get("more"))
            and old.value.t == new.t
            and old.value.c - new.c == k * lap
            for key, old in shots[0].items()
        ):
            break
    else:
        return False
    if lap < 2:
        return False
    plan.lap, first, after = lap, shots[0], shots[-1]
    plan.full = shots[:-1]
    call, size = plan.hints, plan.hints.lifted.size
    assert call.lifted.counter is not None
    later = call.behind(call.lifted.counter, lap)
    over: dict[Place, tuple[Bits, Bits]] = {}  # bytes of the counter, with what they become
    for key, old in list(first.items()):
        then = after.get(key)
        if then is None or (then.value is None) != (old.value is None):
            good = False
        elif old.value is not None:
            moved = _moved(call, old.value, lap * size, -lap)
            good = moved == then.value and (old.at, old.size) == (then.at, then.size)
        elif old.unknown:
            good = old.bits == then.bits
        elif good := not then.unknown:
            over[key] = old.bits, then.bits
        if not good:
            del first[key]
    for key in over.keys() - call.alike(over, call.lifted.counter, later):
        del first[key]
    for shot in plan.full[1:]:
        for key, held in list(shot.items()):
            if held.unknown and (key not in first or first[key].bits != held.bits):
                del shot[key]
    return True


def _moved(call: Call, value: int | Lin, by: int, more: int) -> int | Lin:
    """Pointers to groups some bytes on, and counts with other numbers left."""
    if isinstance(value, int):
        return value  # of a vector, too, which is wider than an address
    c, t = parts(value)
    c += by * sum(t.get(name, 0) for name in {call.source, call.target}) + more * t.get("more", 0)
    return made(c, t, call.isa.width)


def _last(plan: Plan) -> bool:
    """What a last lap of so many groups begins with, and how one of L groups goes on."""
    calls = plan.hints
    for groups in range(1, plan.lap + 1):
        m = _entry(calls, groups, groups)
        if m.run(_start(calls), lambda pc: pc == plan.head) is None:
            return False
        plan.last[groups] = _shot(calls, m)
    shots = [plan.last[plan.lap]]
    for _ in range(1, plan.lap):
        _again(m, plan.head)
        shots.append(_shot(calls, m))
    zero: Shot = {}
    for key, old in plan.last[1].items():
        all_of = [shot[key] for shot in plan.last.values() if key in shot]
        if len(all_of) < plan.lap:
            continue
        if all(one == old for one in all_of):
            zero[key] = old
        elif old.value is not None:
            if slope := _slope(calls, all_of):
                c, t = parts(old.value)
                value = made(c - slope, t, calls.isa.width)
                zero[key] = Held(value, old.at, old.size, (), slope)
        elif not any(one.value is not None or one.unknown for one in all_of):
            plan.data.add(key)
            zero[key] = old
    plan.short = [zero]
    for shot in shots[1:]:
        now: Shot = {}
        for key, held in shot.items():
            if held == shots[0].get(key):
                if key in zero:
                    now[key] = zero[key]
            elif held.value is not None:
                slope = zero[key].slope if key in zero else 0
                value = held.value
                if slope:
                    c, t = parts(value)
                    value = made(c - slope * plan.lap, t, calls.isa.width)
                now[key] = Held(value, held.at, held.size, (), slope)
            elif not held.unknown and key not in plan.data:
                now[key] = held
        plan.short.append(now)
    return True


def _slope(call: Call, all_of: list[Held]) -> int | None:
    """By how much a number or an expression grows with each group, if it does so evenly."""
    width, first = call.isa.width, all_of[0]
    c, t = parts(first.value if first.value is not None else 0)
    slope: int | None = None
    for i, one in enumerate(all_of):
        if one.value is None or (one.at, one.size) != (first.at, first.size):
            return None
        d, u = parts(one.value)
        if u != t:
            return None
        if i == 1:
            slope = signed(d - c, width)
        if slope is not None and signed(c + slope * i - d, width):
            return None
    return slope


def _shot(call: Call, m: Machine) -> Shot:
    """What the machine holds and a state can say."""
    found: Shot = {}
    g = call.g
    assert isinstance(g, Hint)
    for space, cells in m.spaces.items():
        if space in ("unique", call.source, call.target):
            continue
        for at, (value, i, size) in cells.items():
            if isinstance(value, int | Lin):
                found[space, at] = Held(value, i, size)
                continue
            try:
                bits = m.bits(value, 8 * size)[8 * i : 8 * i + 8]
            except (OpenError, UndecidedError):
                continue
            strange = any(x >= STRANGE for x in bits)
            if all(x >= STRANGE or x < 2 for x in bits) if strange else g.pure(bits):
                found[space, at] = Held(None, bits=bits)
    return found


def any_number(call: Call) -> None:
    """A call with two groups or more, by induction over groups or over laps of them."""
    try:
        loop = call.loop()
    except (OpenError, RefusedError) as problem:
        if not proved(call):
            _entered_elsewhere(call, problem)
        return
    try:
        loop.step()
        counting.end(loop)
    except (OpenError, RefusedError) as problem:
        _entered_elsewhere(call, problem)


def _entered_elsewhere(call: Call, problem: Exception) -> None:
    """The induction over a loop that a jump enters in its midst; the problem, where there is none
    that holds.
    """
    try:
        loop = call.loop(joins=True)
        loop.step()
        counting.end(loop)
    except (OpenError, RefusedError):
        raise problem from None


def proved(call: Call) -> bool:
    """Whether the kernel works in laps; then its calls with any number of groups are proved."""
    g, in_place = call.g, call.task.in_place
    if in_place and isinstance(g.plan, Plan):
        try:
            _by(call, _in_place(call, g.plan))
            return True
        except (OpenError, RefusedError):
            pass  # that of buffers apart does not do
    plan = suggested(call)
    if plan is None:
        return False
    if not in_place:
        g.plan = plan
    _by(call, plan)
    return True


def _by(call: Call, plan: Plan) -> None:
    """Prove what a plan suggests."""
    try:
        Laps(call, plan).prove()
    except OpenError:
        Laps(call, plan, len(call.lifted.counter or ()) // 2).prove()


def _in_place(call: Call, plan: Plan) -> Plan:
    """The plan where the target is the source."""
    there, here = call.lifted.target, call.source

    def moved(held: Held) -> Held:
        if not isinstance(held.value, Lin):
            return held
        factors = held.value.factors
        if by := factors.pop(there, 0):
            factors[here] = factors.get(here, 0) + by
        return replace(held, value=made(held.value.c, factors, call.isa.width))

    def shots(listed: list[Shot]) -> list[Shot]:
        return [{key: moved(held) for key, held in shot.items()} for shot in listed]

    last = dict(zip(plan.last, shots(list(plan.last.values())), strict=True))
    return replace(plan, full=shots(plan.full), short=shots(plan.short), last=last)


class Laps:
    """The steps of the induction over a plan."""

    def __init__(self, call: Call, plan: Plan, low: int = LOW) -> None:
        copies = [[dict(shot) for shot in shots] for shots in (plan.full, plan.short)]
        plan = replace(plan, full=copies[0], short=copies[1])
        self.call, self.plan, self.lap, self.low = call, plan, plan.lap, low
        self.head, self.done = plan.head, 0
        self.kept: dict[Place, Cell] = {}  # round keys in registers, and what else stays
        self.counters: dict[int, Bits] = {}
        self.any_data: dict[Place, Bits] = {}
        self.equal: dict[tuple[int, int], bool] = {}
        assert call.lifted.counter is not None
        assert call.lifted.numbered is not None
        self.first, self.numbered = call.lifted.counter, call.lifted.numbered
        self.blocks = call.task.kernel.blocks

    def prove(self) -> None:
        """All steps."""
        self.entries()
        for _ in range(WEAKENED_MOST):
            for k in range(self.lap - 1):
                self.step(k)
            if not self.turns():
                break
        else:
            raise OpenError("no invariant of the loop holds from lap to lap")
        for k in range(self.lap):
            if k + 1 < self.lap:
                self.short_step(k)
            self.end(k)

    # Counters

    def counter(self, k: int) -> Bits:
        """That of a lap whose group k is at hand: see the module."""
        if k == 0:
            return self.first
        if k not in self.counters:
            g, size = self.call.g, len(self.first)
            since = g.rows
            low = sub(g, self.first[: self.low], number_bits(k * self.blocks, self.low))
            high = g.counter(f"of a lap with {k} groups done", size)[self.low :]
            made_by = low + high
            pairs = [
                pair
                for i in range(self.blocks)
                for pair in list(
                    zip(
                        self.numbered(made_by, k * self.blocks + i),
                        self.numbered(self.first, i),
                        strict=True,
                    )
                )[self.low :]
            ]
            if any(x >> 1 <= high[0] >> 1 for x, y in pairs if x != y):
                raise OpenError("the counter of a lap is none of its own")
            g.stand_in(since, pairs)
            self.counters[k] = made_by
        return self.counters[k]

    def over(self, shot: Mapping[Place, Held], counter: Bits) -> dict[Place, Bits]:
        """The bytes of a state that are functions of the counter, for another counter."""
        held = {key: one.bits for key, one in shot.items() if one.value is None and not one.unknown}
        return self.plan.hints.over(held, counter, self.call.g)

    # States

    def cells(
        self, shot: Mapping[Place, Held], k: int, counter: Bits, left: int | Lin, suffix: str = NOW
    ) -> Iterator[tuple[Place, Cell]]:
        """What a state holds with so many groups left: behind the lap, or in the last one."""
        bits = self.over(shot, counter)
        values: dict[object, Value] = {}
        for key, held in shot.items():
            if held.value is not None:
                known = (held.value, held.slope)
                if known not in values:
                    values[known] = self.value(held, k, left, suffix)
                yield key, (values[known], held.at, held.size)
            elif held.unknown:
                if key in self.kept:
                    yield key, self.kept[key]
            else:
                yield key, (bits[key], 0, 1)

    def value(self, held: Held, k: int, left: int | Lin, suffix: str) -> int | Lin:
        """A number or an expression of a state."""
        call = self.call
        assert held.value is not None
        if isinstance(held.value, int) and not held.slope:
            return held.value
        c, t = parts(held.value)
        windows = {call.source, call.target}
        more = t.pop("more", 0)
        made_of = {name + suffix if name in windows else name: f for name, f in t.items()}
        if suffix:
            c -= k * call.lifted.size * sum(t.get(name, 0) for name in windows)
        c += more * (self.lap - 1) + held.slope * k
        factor = more + held.slope
        d, u = parts(left)
        c += factor * d
        for name, f in u.items():
            made_of[name] = made_of.get(name, 0) + factor * f
        return made(c, made_of, call.isa.width)

    def machine(
        self, shot: Mapping[Place, Held], k: int, counter: Bits, left: int | Lin, least: int
    ) -> Machine:
        """Any state with k groups of a lap done; `left` as in `cells`, at least so many."""
        call, self.done = self.call, k
        call.reached = self.regions
        m = call._machine(1, NOW, {}, f"with {k} groups of a lap done")
        m.bounds["left"] = (least, call.most - 1)
        for (space, at), cell in self.cells(shot, k, counter, left):
            m.spaces.setdefault(space, {})[at] = cell
        return m

    def short(self, k: int) -> dict[Place, Held]:
        """S(k) without what is any data."""
        return {key: one for key, one in self.plan.short[k].items() if key not in self.plan.data}

    def put_data(self, m: Machine, k: int) -> None:
        """Any data where the last laps have different ones."""
        for key in self.plan.data:
            if key in self.plan.short[k]:
                if key not in self.any_data:
                    self.any_data[key] = self.call.g.word(f"behind the call {key}", 8)
                    if isinstance(self.call.g, Veiled):
                        self.call.g.counted(self.any_data[key])
                m.spaces.setdefault(key[0], {})[key[1]] = (self.any_data[key], 0, 1)

    def wrong(self, m: Machine, cells: Iterator[tuple[Place, Cell]]) -> list[Place]:
        """The places that do not hold what they should."""
        out = []
        for key, (value, i, size) in cells:
            held = m.spaces.get(key[0], {}).get(key[1])
            if held is None:
                out.append(key)
                continue
            if isinstance(value, int | Lin):
                good = held[1:] == (i, size) and type(held[0]) is type(value) and held[0] == value
            else:
                try:
                    a = m.bits(value, 8 * size)[8 * i : 8 * i + 8]
                    b = m.bits(held[0], 8 * held[2])[8 * held[1] : 8 * held[1] + 8]
                    good = all(map(self._same, a, b))
                except (OpenError, UndecidedError):
                    good = False
            if not good:
                out.append(key)
        return out

    def _same(self, x: int, y: int) -> bool:
        if x != y and (x, y) not in self.equal:
            self.equal[x, y] = self.call.g.same(x, y, (CARRIED_MOST,))
        return x == y or self.equal[x, y]

    def data_wrong(self, m: Machine, k: int) -> list[Place]:
        """What was any data and is another one now."""
        return [
            key
            for key in self.plan.data
            if key in self.plan.short[k]
            and (
                (held := m.spaces.get(key[0], {}).get(key[1])) is None
                or isinstance(held[0], Lin)
                or m.bits(held[0], 8 * held[2])[8 * held[1] : 8 * held[1] + 8]
                != self.any_data.get(key)
            )
        ]

    # Steps

    def entries(self) -> None:
        """From a call to F(0) and to S(0)."""
        call, plan = self.call, self.plan
        count = Lin(1, {"more": 1})
        m = call.entry(count, 1)
        m.bounds["more"] = (self.lap, call.most - 1)
        call.data(m, ONE, 0, "")
        self._arrive(m)
        self.regions: dict[str, Region] = {
            name: m.regions[name] for name in STACKS if name in m.regions
        }
        for key, held in plan.full[0].items():
            cell = m.spaces.get(key[0], {}).get(key[1])
            if held.unknown and cell is not None and self._apart(cell[0]):
                self.kept[key] = cell
        left = Lin(1 - self.lap, {"more": 1})
        self._drop(plan.full[0], self.wrong(m, self.cells(plan.full[0], 0, self.first, left, "")))
        for groups in range(1, self.lap + 1):
            m = call.entry(groups)
            for i in range(groups):
                call.data(m, ONE if i == 0 else f"{ONE} {i}", i * call.lifted.size, "")
            self._arrive(m)
            if {name: m.regions[name] for name in STACKS if name in m.regions} != self.regions:
                raise OpenError("calls with other numbers of groups have another stack")
            self._drop(plan.short[0], self._short_wrong(m, groups, self.first, ""))

    def _apart(self, value: Value) -> bool:
        """Whether a value hangs neither on the counter nor on the text of the group."""
        if not isinstance(value, tuple):
            return isinstance(value, int | Lin)
        g = self.call.g
        nodes, _ = g.below(x >> 1 for x in value)
        if g.behind_the_veil(nodes):
            return False
        text = [x for byte in self.call.groups[ONE] for x in byte]
        return nodes.isdisjoint(x >> 1 for x in (*self.first, *text))

    def _short_wrong(self, m: Machine, groups: int, counter: Bits, suffix: str) -> list[Place]:
        """What S(0) says of a lap with so many groups and does not hold."""
        plan = self.plan
        wrong = self.wrong(m, self.cells(self.short(0), 0, counter, groups, suffix))
        data = {key: plan.last[groups][key] for key in plan.data if key in plan.short[0]}
        return wrong + self.wrong(m, self.cells(data, 0, counter, groups, suffix))

    def _arrive(self, m: Machine) -> None:
        """Run to the head."""
        if m.run(_start(self.call), lambda pc: pc == self.head) is None:
            raise OpenError("the kernel returns although groups are left")
        if any(name in (self.call.source, self.call.target) for name, _, _ in m.stores):
            raise OpenError("the kernel writes to the groups before the loop")
        self.call._ran(m)

    def _drop(self, shot: Shot, wrong: list[Place]) -> None:
        for key in wrong:
            del shot[key]

    def _group(self, m: Machine) -> None:
        """Do the group at hand, and check it."""
        want = self.call.group(m, ONE, 0, NOW, self.first)
        _again(m, self.head)
        self._check(m, want)

    def _check(self, m: Machine, want: list[Bits]) -> None:
        self.call.check_bytes(m, self.call.target + NOW, 0, want, self._say)
        self.call._ran(m)

    def _say(self, what: str, model: Mapping[int, int]) -> OpenError:
        return OpenError(f"with {self.done} groups of a lap done {what}")

    def step(self, k: int) -> None:
        """From F(k) to F(k + 1)."""
        counter, plan = self.counter(k), self.plan
        left = Lin(0, {"left": 1})
        m = self.machine(plan.full[k], k, counter, left, 1)
        self._group(m)
        after = plan.full[k + 1]
        self._drop(after, self.wrong(m, self._next(self.cells(after, k + 1, counter, left))))

    def turns(self) -> bool:
        """From F(L - 1) to F(0) or S(0); whether F(0) said too much."""
        call, plan, counter = self.call, self.plan, self.counter(self.lap - 1)
        for groups in (None, *range(1, self.lap + 1)):
            wrong = self._turned(counter, groups, True)
            if wrong:  # where bits of D and of the counter meet, neither need be seen through
                if -1 not in self.counters:
                    self.counters[-1] = call.g.counter("at the end of a lap", len(self.first))
                again = set(self._turned(self.counters[-1], groups, False))
                wrong = [key for key in wrong if key in again]
            self._drop((plan.full if groups is None else plan.short)[0], wrong)
            if groups is None and wrong:
                return True
        return False

    def _turned(self, counter: Bits, groups: int | None, whole: bool) -> list[Place]:
        """What F(0) or S(0) says too much behind a lap and so many groups left; with `whole` the
        group is checked, too.
        """
        plan, k = self.plan, self.lap - 1
        later = self.numbered(counter, self.lap * self.blocks)
        left = Lin(0, {"left": 1}) if groups is None else groups
        m = self.machine(plan.full[k], k, counter, left, self.lap + 1)
        if whole:
            self._group(m)
        else:
            self.call.data(m, ONE, 0, NOW)
            _again(m, self.head)
        if groups is None:
            behind = Lin(-self.lap, {"left": 1})
            return self.wrong(m, self._next(self.cells(plan.full[0], 0, later, behind)))
        wrong = self.wrong(m, self._next(self.cells(self.short(0), 0, later, groups)))
        data = {key: plan.last[groups][key] for key in plan.data if key in plan.short[0]}
        return wrong + self.wrong(m, self._next(self.cells(data, 0, later, groups)))

    def _next(self, cells: Iterator[tuple[Place, Cell]]) -> Iterator[tuple[Place, Cell]]:
        """What a state holds about the group behind the one at hand."""
        call = self.call
        windows = {call.source + NOW, call.target + NOW}
        for key, (value, i, size) in cells:
            if isinstance(value, Lin):
                by = call.lifted.size * sum(value.factors.get(name, 0) for name in windows)
                yield key, (made(value.c + by, value.factors, call.isa.width), i, size)
            else:
                yield key, (value, i, size)

    def short_step(self, k: int) -> None:
        """From S(k) with r >= 2 to S(k + 1) with r - 1."""
        counter, plan = self.counter(k), self.plan
        m = self.machine(self.short(k), k, counter, Lin(0, {"left": 1}), 2)
        m.bounds["left"] = (2, self.lap - k)
        self.put_data(m, k)
        self._group(m)
        after = self.short(k + 1)
        wrong = self.wrong(m, self._next(self.cells(after, k + 1, counter, Lin(-1, {"left": 1}))))
        self._drop(plan.short[k + 1], wrong + self.data_wrong(m, k + 1))

    def end(self, k: int) -> None:
        """From S(k) with r = 1 to the return."""
        call, counter, plan = self.call, self.counter(k), self.plan
        m = self.machine(self.short(k), k, counter, 1, 1)
        self.put_data(m, k)
        want = call.group(m, ONE, 0, NOW, self.first)
        if m.run(self.head, lambda pc: False) is not None:
            raise OpenError("the kernel does not return")
        self._check(m, want)
        call.check_return(m)
        known = self.over(
            {key: plan.last[k + 1][key] for key in self.any_data if key in plan.short[k]}, counter
        )
        places = {
            x >> 1: y
            for key, bits in known.items()
            for x, y in zip(self.any_data[key], bits, strict=True)
        }
        held = m.spaces.get("counter", {})
        size = len(self.first) // 8
        if not all(at in held for at in range(size)):
            raise OpenError("the counter has bytes without a value")
        found = [x for at in range(size) for x in m.bits(m.read("counter", at, 1), 8)]
        after = call.g.substituted(found, places)
        wanted = self.numbered(counter, (k + 1) * self.blocks)
        for i in range(size):
            byte = wanted[8 * (size - 1 - i) : 8 * (size - i)]
            for bit, (x, y) in enumerate(zip(after[8 * i : 8 * i + 8], byte, strict=True)):
                if not self._same(x, y):
                    raise OpenError(f"at the end bit {bit} of byte {i} of counter differs")
