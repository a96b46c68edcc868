# SPDX-License-Identifier: Apache-2.0
"""The scheduler of the kernels for AArch64: operations on named registers, machines to put them in
order for, and the order itself. It changes the order only: every operation reads the values of before.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass
class Op:
    """One instruction. `pipe` says where it runs, `shifted` which source passes through the shifter
    first, `also` a second target.

    A name that begins with % is a temporary, %w or %v, which the scheduler replaces by a register
    of that kind.
    """

    text: str
    target: str
    sources: tuple[str, ...]
    pipe: str
    shifted: str = ""
    also: str = ""

    @property
    def targets(self) -> tuple[str, ...]:
        """What it writes."""
        return (self.target, self.also) if self.also else (self.target,)


@dataclass
class Code:
    """A list of operations that grows."""

    ops: list[Op] = field(default_factory=list)
    temporaries: int = 0

    def temporary(self, kind: str) -> str:
        """A new name for a register of this kind, w or v."""
        self.temporaries += 1
        return f"%{kind}{self.temporaries}"

    def put(
        self, text: str, pipe: str, target: str, *sources: str, shifted: str = "", also: str = ""
    ) -> None:
        """Append an operation; {d} and {e}, {0}, {1} .. stand for the registers."""
        self.ops.append(Op(text, target, sources, pipe, shifted, also))


# Machines to schedule for: latency of a result by the pipe that made it and by its reader,
# operations per cycle and pipe, operations per cycle.


@dataclass(frozen=True)
class Machine:
    """What the scheduler knows of a core."""

    width: int
    pipes: dict[str, tuple[str, ...]]  # of an operation: the units that can run it
    latency: Callable[[Op, Op, str], int]
    # cycles for which an operation holds its unit, where it is not one
    occupied: dict[str, int] = field(default_factory=dict)


def scalar_latency(producer: Op, consumer: Op, register: str) -> int:
    """Cortex-A55 and A72 in one.

    A55: rotations (R) neither give nor take forwarded results, shifted operands are needed a cycle
    earlier. A72: shifting takes a cycle (M).
    """
    if "R" in (producer.pipe, consumer.pipe):
        return 3
    return (2 if consumer.shifted == register else 1) + (producer.pipe == "M")


def hybrid_latency(producer: Op, consumer: Op, register: str) -> int:
    """Cortex-A72: vector operations take 3 cycles, USRA 4, products 6, general ones with a shifted
    operand 2, loads 5.
    """
    if producer.pipe == "L":
        return 5
    if producer.pipe == "P":
        return 6
    if producer.pipe in "VS":
        return 4 if producer.text.startswith("usra") else 3
    return 2 if producer.pipe == "M" else 1


@dataclass(frozen=True)
class Tuning:
    """Choices that change the speed and not the result; tools/sparkle_a64_search.py finds good ones
    for the model of the Cortex-A72.

    The longest path is not always the best that an in-order choice can take. `noise` is added to
    its length, up to so many cycles, from the random numbers of `seed`.
    """

    seed: int = 0
    noise: float = 0.0
    # times that the order is made from its end, and again from its beginning, with the cycles of
    # the other as ranks
    passes: int = 0
    spare: int = 0  # registers for temporaries
    packed: bool = False  # both sums of the linear layer as halves of the same words
    multiply: tuple[int, ...] = ()  # rotations of y whose left part is added by a multiplication
    # what the path of an operation in general registers counts beside vectors, with many more cycles
    pace: float = 1.0
    early: bool = False  # sums of the linear layer from before the last round of the boxes


class NoRegisters(Exception):
    """There are too few temporaries for the order that was chosen."""


PLAIN = Tuning()
SMALL = Machine(2, {"I": ("0", "1"), "M": ("0", "1"), "R": ("0", "1")}, scalar_latency)
A72 = Machine(
    3,
    {
        "V": ("f0", "f1"),
        "S": ("f1",),
        "P": ("f0",),
        "I": ("i0", "i1"),
        "R": ("i0", "i1"),
        "M": ("m",),
        "L": ("l",),
        "W": ("s",),
    },
    hybrid_latency,
    {"P": 2},
)


def _times(
    ops: Sequence[Op],
    machine: Machine,
    after: Sequence[Sequence[tuple[int, int]]],
    rank: Sequence[float],
) -> list[int]:
    """The cycle of each operation when those of high rank go first, with any number of registers.
    `after` may be the graph turned around.
    """
    before, earliest, at = [0] * len(ops), [0] * len(ops), [0] * len(ops)
    for followers in after:
        for j, _ in followers:
            before[j] += 1
    # heap of (earliest cycle, operation)
    waiting: list[tuple[int, int]] = [(0, i) for i, count in enumerate(before) if count == 0]
    ready: list[tuple[float, int]] = []  # heap of (-rank, operation)
    held: dict[str, int] = {}
    cycle = 0
    while waiting or ready:
        while waiting and waiting[0][0] <= cycle:
            i = heapq.heappop(waiting)[1]
            heapq.heappush(ready, (-rank[i], i))
        left, put_off = machine.width, []
        while ready and left:
            entry = heapq.heappop(ready)
            i = entry[1]
            unit = next((u for u in machine.pipes[ops[i].pipe] if held.get(u, 0) <= cycle), None)
            if unit is None:
                put_off.append(entry)
                continue
            held[unit] = cycle + machine.occupied.get(ops[i].pipe, 1)
            at[i] = cycle
            left -= 1
            for j, cycles in after[i]:
                earliest[j] = max(earliest[j], cycle + max(cycles, 1))
                before[j] -= 1
                if before[j] == 0:
                    heapq.heappush(waiting, (earliest[j], j))
        for entry in put_off:
            heapq.heappush(ready, entry)
        cycle += 1
    return at


def random_numbers(seed: int, count: int) -> list[float]:
    """Numbers from 0 up to 1 by SplitMix64 (Steele, Lea and Flood, 2014), the same everywhere."""
    out, state = [], seed
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) % (1 << 64)
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
        z = (z ^ z >> 27) * 0x94D049BB133111EB % (1 << 64)
        out.append(((z ^ z >> 31) >> 11) / (1 << 53))
    return out


@dataclass(frozen=True)
class Order:
    """Operations as text, and for each register how many cycles after the last of them its value is
    there.
    """

    lines: list[str]
    late: dict[str, int]


def schedule(
    code: Code, temporaries: Sequence[str], machine: Machine, tuning: Tuning = PLAIN
) -> list[str]:
    """The operations as text, in an order for an in-order core of this kind, longest path first."""
    return order(code, temporaries, machine, tuning).lines


def order(
    code: Code,
    temporaries: Sequence[str],
    machine: Machine,
    tuning: Tuning = PLAIN,
    shown: int | None = None,
    since: Mapping[str, int] | None = None,
) -> Order:
    """The first `shown` operations, or all, in an order for an in-order core of this kind, longest
    path first. The others only say what follows, as the next pass of a loop does. Registers have
    their values so many cycles `since` the beginning.

    An operation waits for what it reads, for all readers of what it overwrites, for a unit and, if
    it begins a temporary, for a free register of `temporaries`.
    """
    ops = code.ops
    shown = len(ops) if shown is None else shown
    since = since or {}
    after: list[list[tuple[int, int]]] = [[] for _ in ops]
    before = [0] * len(ops)
    first_cycle = [0] * len(ops)
    writer: dict[str, int] = {}
    readers: dict[str, list[int]] = {}
    users: dict[str, set[int]] = {}
    for i, op in enumerate(ops):
        edges: dict[int, int] = {}
        for register in op.sources:
            if register not in writer:
                first_cycle[i] = max(first_cycle[i], since.get(register, 0))
            else:
                made = writer[register]
                edges[made] = max(edges.get(made, 0), machine.latency(ops[made], op, register))
            readers.setdefault(register, []).append(i)
        for target in op.targets:
            for reader in readers.get(target, []):
                if reader != i:
                    edges.setdefault(reader, 0)
            if target in writer:
                edges.setdefault(writer[target], 1)
        for made, cycles in edges.items():
            after[made].append((i, cycles))
            before[i] += 1
        for target in op.targets:
            writer[target], readers[target] = i, []
        for register in {*op.targets, *op.sources}:
            if register.startswith("%"):
                users.setdefault(register, set()).add(i)
    reverse: list[list[tuple[int, int]]] = [[] for _ in ops]
    for i, followers in enumerate(after):
        for j, cycles in followers:
            reverse[j].append((i, cycles))
    height = [0] * len(ops)
    for i in reversed(range(len(ops))):
        height[i] = max((height[j] + max(cycles, 1) for j, cycles in after[i]), default=0)

    rank = [
        height[i] * (tuning.pace if ops[i].pipe in "IMR" else 1) + tuning.noise * noise
        for i, noise in enumerate(random_numbers(tuning.seed, len(ops)))
    ]
    for _ in range(tuning.passes):
        early = _times(ops, machine, after, rank)
        late = _times(ops, machine, reverse, [float(cycle) for cycle in early])
        rank = [float(cycle) for cycle in late]

    free, place = list(temporaries), dict[str, str]()

    def registers_for(op: Op) -> dict[str, str] | None:
        """Where its results can go: each to its own place or to a free register of the kind; None
        if there is none.
        """
        found: dict[str, str] = {}
        for target in op.targets:
            if target in place or not target.startswith("%"):
                found[target] = place.get(target, target)
            elif register := next(
                (
                    register
                    for register in free
                    if register[0] == target[1] and register not in found.values()
                ),
                "",
            ):
                found[target] = register
            else:
                return None
        return found

    ready = [i for i, count in enumerate(before[:shown]) if count == 0]
    earliest = first_cycle
    done: list[str] = []
    made_at: dict[str, int] = {}  # the cycle in which the value of a register is there
    cycle = 0
    held: dict[str, int] = {}  # units and the cycle in which they are free again
    while len(done) < shown:
        busy = {u for u, until in held.items() if until > cycle}
        for _ in range(machine.width):

            def unit(i: int, busy: set[str] = busy) -> str | None:
                return next((u for u in machine.pipes[ops[i].pipe] if u not in busy), None)

            can = [
                i for i in ready
                if earliest[i] <= cycle and unit(i) and registers_for(ops[i])
            ]  # fmt: skip
            if not can:
                break
            chosen = max(can, key=lambda i: (rank[i], -i))
            op = ops[chosen]
            ready.remove(chosen)
            taken = unit(chosen) or ""
            busy.add(taken)
            held[taken] = cycle + machine.occupied.get(op.pipe, 1)
            targets = registers_for(op) or {}
            for target, register in targets.items():
                if target.startswith("%") and target not in place:
                    place[target] = register
                    free.remove(register)
            for target in op.targets:
                made_at[target] = cycle + machine.latency(op, op, target)
            named = [place.get(register, register) for register in op.sources]
            done.append(op.text.format(*named, d=targets[op.target], e=targets.get(op.also, "")))
            # no set: its order is not the same in every run
            for register in dict.fromkeys((*op.targets, *op.sources)):
                if register in users:
                    users[register].discard(chosen)
                    if not users[register]:
                        free.append(place[register])
            for follower, cycles in after[chosen]:
                earliest[follower] = max(earliest[follower], cycle + cycles)
                before[follower] -= 1
                if before[follower] == 0 and follower < shown:
                    ready.append(follower)
        cycle += 1
        if cycle > 100 * len(ops):
            raise NoRegisters("too few temporaries: the schedule does not end")
    missing = {register: at - cycle for register, at in made_at.items() if at > cycle}
    return Order(done, missing)


def schedule_or_plain(
    code: Code, temporaries: Sequence[str], machine: Machine, tuning: Tuning
) -> list[str]:
    """The same; longest path first where the order of the tuning, found for other code, needs too
    many registers.
    """
    try:
        return schedule(code, temporaries, machine, tuning)
    except NoRegisters:
        return schedule(code, temporaries, machine)
