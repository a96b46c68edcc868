# SPDX-License-Identifier: Apache-2.0
"""Write the SPARKLE kernels for AArch64.

src/sparkle/generated/sparkle{256,384,512}_{a64,neon_x4,neon_x4tbl,neon_x5,sha3_x4}.S.

Also schwaemm256_128_neon_x5.S beside them, where chunks go into states between permutations, and
sparkle{256,384,512}_neon.S in lab/research/generated: one state in vectors, which general registers
beat; the laboratory measures it.

    tools/sparkle_a64.py            write all files
    tools/sparkle_a64.py --check    compare them with what would be written; exit status 1 when one differs

A permutation is written down step by step as in the specification (Beierle et al., specification
v1.2, section 2.1), as operations on named registers and on temporaries. The scheduler then puts the
operations into an order that keeps the pipes of a small core busy and never needs more temporaries
than there are registers. It changes the order only: every operation reads what it read before. The
branch permutation at the end of a step costs nothing: the next step uses the registers in another
order.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from generated import complete, write_or_check

ROOM = "src/sparkle/generated"
RESEARCH = "lab/research/generated"  # measured beside the others, and not in the library
CONSTANTS = (
    0xB7E15162,
    0xBF715880,
    0x38B4DA56,
    0x324E7738,
    0xBB1185EB,
    0x4F7C7B57,
    0xCFBFA1C8,
    0xC2B3293D,
)
ROTATIONS = ((31, 24), (17, 17), (0, 31), (24, 16))


@dataclass(frozen=True)
class Size:
    """One width of the permutation: branches, and steps of the slim and the big version."""

    bits: int
    branches: int
    slim: int
    big: int

    @property
    def words(self) -> int:
        """Words of the state."""
        return 2 * self.branches


SIZES = (Size(256, 4, 7, 10), Size(384, 6, 7, 11), Size(512, 8, 8, 12))


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
    loaded: bool = False  # numbers of steps from memory
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


def schedule(
    code: Code, temporaries: Sequence[str], machine: Machine, tuning: Tuning = PLAIN
) -> list[str]:
    """The operations as text, in an order for an in-order core of this kind, longest path first.

    An operation waits for what it reads, for all readers of what it overwrites, for a unit and, if
    it begins a temporary, for a free register of `temporaries`.
    """
    ops = code.ops
    after: list[list[tuple[int, int]]] = [[] for _ in ops]
    before = [0] * len(ops)
    writer: dict[str, int] = {}
    readers: dict[str, list[int]] = {}
    users: dict[str, set[int]] = {}
    for i, op in enumerate(ops):
        edges: dict[int, int] = {}
        for register in op.sources:
            if register in writer:
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
        height[i] + tuning.noise * noise
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

    ready = [i for i, count in enumerate(before) if count == 0]
    earliest = [0] * len(ops)
    done: list[str] = []
    cycle = 0
    held: dict[str, int] = {}  # units and the cycle in which they are free again
    while len(done) < len(ops):
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
                if before[follower] == 0:
                    ready.append(follower)
        cycle += 1
        if cycle > 100 * len(ops):
            raise NoRegisters("too few temporaries: the schedule does not end")
    return done


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


# The steps


@dataclass
class Branches:
    """Which register holds x and y of each branch now."""

    x: list[str]
    y: list[str]

    def words(self) -> list[str]:
        """x0 y0 x1 y1 .."""
        return [register for pair in zip(self.x, self.y, strict=True) for register in pair]

    def permuted(self) -> Branches:
        """After a step: the right half, turned by a branch, becomes the left one; the left half
        becomes the right one.
        """
        half = len(self.x) // 2
        order = [*range(half + 1, 2 * half), half, *range(half)]
        return Branches([self.x[j] for j in order], [self.y[j] for j in order])


def branches(words: Sequence[str]) -> Branches:
    """The registers of a state in the order of its words."""
    return Branches(list(words[0::2]), list(words[1::2]))


# A step number that is no immediate of EOR, as a constant shifted right: 5 = c0 >> 29, 9 = c5 >>
# 27, 11 = c0 >> 28.
SHIFTED_STEP = {5: (0, 29), 9: (5, 27), 11: (0, 28)}


def scalar_number(code: Code, y: Sequence[str], constants: Sequence[str], number: int) -> None:
    """Add a step's constant and number to the first words y of the state."""
    put = code.put
    put("eor {d}, {0}, {1}", "I", y[0], y[0], constants[number % 8])
    if number in SHIFTED_STEP:
        which, shift = SHIFTED_STEP[number]
        put(
            f"eor {{d}}, {{0}}, {{1}}, lsr #{shift}",
            "M",
            y[1],
            y[1],
            constants[which],
            shifted=constants[which],
        )
    elif number == 10:
        put("eor {d}, {0}, #8", "I", y[1], y[1])
        put("eor {d}, {0}, #2", "I", y[1], y[1])
    elif number > 0:
        put(f"eor {{d}}, {{0}}, #{number}", "I", y[1], y[1])


def scalar_step(
    code: Code, state: Branches, constants: Sequence[str], following: int | None
) -> None:
    """A step in w registers: 15 instructions per ARX-box. Its number is in the state; that of the
    `following` step goes in.
    """
    put, x, y = code.put, state.x, state.y
    half = len(x) // 2
    for j in range(2 * half):
        for r, s in ROTATIONS:
            turned = y[j]
            if r:
                turned = code.temporary("w")
                put(f"ror {{d}}, {{0}}, #{r}", "R", turned, y[j])
            put("add {d}, {0}, {1}", "I", x[j], x[j], turned)
            put(f"eor {{d}}, {{0}}, {{1}}, ror #{s}", "M", y[j], y[j], x[j], shifted=x[j])
            put("eor {d}, {0}, {1}", "I", x[j], x[j], constants[j])
    sums = []
    for left in (x, y):
        total = code.temporary("w")
        put("eor {d}, {0}, {1}", "I", total, left[0], left[1])
        for j in range(2, half):
            put("eor {d}, {0}, {1}", "I", total, total, left[j])
        put("eor {d}, {0}, {0}, lsl #16", "M", total, total, shifted=total)
        sums.append(total)
    for j in range(half):
        for words in (y, x):
            put("eor {d}, {0}, {1}", "I", words[half + j], words[half + j], words[j])
    for j in range(half):
        for words, total in ((y, sums[0]), (x, sums[1])):
            put(
                "eor {d}, {0}, {1}, ror #16",
                "M",
                words[half + j],
                words[half + j],
                total,
                shifted=total,
            )
    if following is not None:
        scalar_number(code, state.permuted().y, constants, following)


@dataclass(frozen=True)
class Kit:
    """Vector registers with constants.

    c0 .. c7; half of every word, if no tuning packs the sums; the byte order of a rotation by 24,
    if there is one; 2, 2^15 and 2^8, if something is multiplied.
    """

    constants: Sequence[str] = ()
    half: str = ""
    shuffle: str = ""
    eor3: bool = False
    powers: str = ""
    # the general register that points to vectors with the numbers of steps, if they are loaded
    numbers: str = ""
    tuning: Tuning = PLAIN


POWERS = (31, 17, 24)  # the rotation r of each word of Kit.powers, which is 2^(32 - r)


def left_part(code: Code, target: str, source: str, r: int) -> None:
    """The part of a rotation right by r that moves left."""
    if r == 31:
        code.put("add {d}.4s, {0}.4s, {0}.4s", "V", target, source)
    else:
        code.put(f"shl {{d}}.4s, {{0}}.4s, #{32 - r}", "S", target, source)


def rotation(code: Code, source: str, r: int, kit: Kit) -> str:
    """A temporary with the source rotated right by r in every word."""
    target = code.temporary("v")
    if r == 16:
        code.put("rev32 {d}.8h, {0}.8h", "V", target, source)
    elif r == 24 and kit.shuffle:
        code.put("tbl {d}.16b, {{ {0}.16b }}, {1}.16b", "V", target, source, kit.shuffle)
    else:
        left_part(code, target, source, r)
        code.put(f"sri {{d}}.4s, {{0}}.4s, #{r}", "S", target, source, target)
    return target


def add_rotated(code: Code, x: str, y: str, r: int, kit: Kit) -> None:
    """x += y rotated right by r. The two parts of a rotation have no bit in common: they are added
    one after the other, which is ready sooner.
    """
    if r == 0 or (r == 24 and kit.shuffle):
        code.put("add {d}.4s, {0}.4s, {1}.4s", "V", x, x, rotation(code, y, r, kit) if r else y)
        return
    if r in kit.tuning.multiply:
        code.put(f"mla {{d}}.4s, {{0}}.4s, {{1}}.s[{POWERS.index(r)}]", "P", x, y, kit.powers, x)
        code.put(f"usra {{d}}.4s, {{0}}.4s, #{r}", "S", x, y, x)
        return
    left = code.temporary("v")
    left_part(code, left, y, r)
    code.put(f"usra {{d}}.4s, {{0}}.4s, #{r}", "S", x, y, x)
    code.put("add {d}.4s, {0}.4s, {1}.4s", "V", x, x, left)


def xor(code: Code, kit: Kit, target: str, first: str, *others: str) -> None:
    """target = first ^ others."""
    rest = list(others)
    while rest:
        if kit.eor3 and len(rest) > 1:
            code.put(
                "eor3 {d}.16b, {0}.16b, {1}.16b, {2}.16b",
                "V",
                target,
                first,
                rest.pop(0),
                rest.pop(0),
            )
        else:
            code.put("eor {d}.16b, {0}.16b, {1}.16b", "V", target, first, rest.pop(0))
        first = target


def vector_number(code: Code, y: Sequence[str], kit: Kit, number: int, *after: str) -> None:
    """Add a step's constant and number to the first words y of the state; the number is loaded when
    `after` is there, not earlier.
    """
    xor(code, kit, y[0], y[0], kit.constants[number % 8])
    if number > 0:
        step = code.temporary("v")
        if kit.tuning.loaded:
            code.put(f"ldr {{d}}, [{kit.numbers}, #{16 * number}]", "L", step, *after)
        else:
            code.put(f"movi {{d}}.4s, #{number}", "V", step, *after)
        xor(code, kit, y[1], y[1], step)


def vector_step(code: Code, state: Branches, kit: Kit, following: int | None) -> None:
    """A step in vectors that hold one word of four states each. Its number is in the state; that of
    the `following` step goes in.
    """
    x, y = state.x, state.y
    half = len(x) // 2
    for j in range(2 * half):
        for r, s in ROTATIONS[:3]:
            add_rotated(code, x[j], y[j], r, kit)
            xor(code, kit, y[j], y[j], rotation(code, x[j], s, kit))
            xor(code, kit, x[j], x[j], kit.constants[j])
        add_rotated(code, x[j], y[j], ROTATIONS[3][0], kit)
    before = [code.temporary("v"), code.temporary("v")] if kit.tuning.early else []
    for left, total in zip((x, y), before, strict=False):
        xor(code, kit, total, *left[:half])
    for j in range(2 * half):
        xor(code, kit, y[j], y[j], rotation(code, x[j], ROTATIONS[3][1], kit))
        xor(code, kit, x[j], x[j], kit.constants[j])
    if before:
        early_sums(code, state, kit, following, *before)
        return
    # l(t) = (high ^ low, low) rotated by 16: the rotated t, and the low half of t into the low
    # half.
    sums: list[str] = []
    totals = [code.temporary("v"), code.temporary("v")]
    for left, total in zip((x, y), totals, strict=True):
        xor(code, kit, total, *left[:half])
    first = totals[0]
    if kit.tuning.packed:
        low, high = (code.temporary("v") for _ in range(2))
        for target, which in ((low, 1), (high, 2)):
            code.put(f"trn{which} {{d}}.8h, {{0}}.8h, {{1}}.8h", "V", target, *totals)
        xor(code, kit, high, high, low)
        for which in (1, 2):
            sums.append(code.temporary("v"))
            code.put(f"trn{which} {{d}}.8h, {{0}}.8h, {{1}}.8h", "V", sums[-1], high, low)
        totals = []
    for total in totals:
        turned = rotation(code, total, 16, kit)
        if kit.eor3:
            code.put(
                "bcax {d}.16b, {0}.16b, {1}.16b, {2}.16b", "V", turned, turned, total, kit.half
            )
        else:
            code.put("and {d}.16b, {0}.16b, {1}.16b", "V", total, total, kit.half)
            xor(code, kit, turned, turned, total)
        sums.append(turned)
    following_y = state.permuted().y
    early = [] if following is None else following_y[: 1 if following == 0 else 2]
    for j in range(half):
        for words in (y, x):
            if not kit.eor3 or words[half + j] in early:
                xor(code, kit, words[half + j], words[half + j], words[j])
    if following is not None:
        vector_number(code, following_y, kit, following, first)
    for j in range(half):
        for words, total in ((y, sums[0]), (x, sums[1])):
            if not kit.eor3 or words[half + j] in early:
                xor(code, kit, words[half + j], words[half + j], total)
            else:
                xor(code, kit, words[half + j], words[half + j], words[j], total)


def early_sums(
    code: Code, state: Branches, kit: Kit, following: int | None, x_before: str, y_before: str
) -> None:
    """The linear layer from the sums of the left words before the last round, which adds that of x,
    rotated by 16, to that of y, and constants to x.

    l of a rotated t is t ^ t >> 16, and so is known 9 cycles earlier than l of the new sum. l of
    the constants goes in with those of the next step.
    """
    x, y = state.x, state.y
    half = len(x) // 2
    for j in range(half):
        for words in (y, x):
            xor(code, kit, words[half + j], words[half + j], words[j])
    sums = []
    for total in (x_before, y_before):
        turned, low = rotation(code, total, 16, kit), code.temporary("v")
        code.put("and {d}.16b, {0}.16b, {1}.16b", "V", low, total, kit.half)
        xor(code, kit, turned, turned, low)
        sums.append(turned)
    xor(code, kit, sums[1], sums[1], x_before)
    late = code.temporary("v")
    code.put("ushr {d}.4s, {0}.4s, #16", "S", late, x_before)
    for word in x[half:]:
        xor(code, kit, word, word, sums[1])
    for i, word in enumerate(state.permuted().y[:half]):
        table = numbers_with_sums(half)
        at = table.index(number_word(half, following, i))
        constant = code.temporary("v")
        code.put(f"ldr {{d}}, [{kit.numbers}, #{16 * at}]", "L", constant, x_before)
        xor(code, kit, word, word, constant)
    for word in y[half:]:
        xor(code, kit, word, word, sums[0])
    for word in x[half:]:
        xor(code, kit, word, word, late)


def number_word(half: int, following: int | None, i: int) -> int:
    """What early_sums adds to the new word y[i]: constant or number of the following step, and l of
    the constants of the left half.
    """
    total = 0
    for c in CONSTANTS[:half]:
        total ^= c
    high, low = total >> 16, total & 0xFFFF
    number = () if following is None else (CONSTANTS[following % 8], following)
    return ((high ^ low) | low << 16) ^ (number[i] if i < len(number) else 0)


def numbers_with_sums(half: int) -> list[int]:
    """All of them."""
    return sorted(
        {
            number_word(half, following, i)
            for following in (None, *range(1, 12))
            for i in range(half)
        }
    )


def moves(targets: Sequence[str], sources: Sequence[str], spare: str, move: str) -> Iterator[str]:
    """Instructions that bring the values of `sources` into `targets`, a permutation of the same
    registers.
    """
    pending = {t: s for t, s in zip(targets, sources, strict=True) if t != s}
    while pending:
        start = next(iter(pending))
        yield move.format(spare, start)
        at = start
        while pending[at] != start:
            yield move.format(at, pending[at])
            at, old = pending[at], at
            del pending[old]
        yield move.format(at, spare)
        del pending[at]


# Files


def w(number: int) -> str:
    """The 32-bit view of a general register."""
    return f"w{number}"


def general(count: int, first: int = 0) -> list[int]:
    """General registers for data, in the order in which they are given out: x18 belongs to the
    platform.
    """
    return [n for n in range(first, 31) if n != 18][:count]


def pairs(registers: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours; the number is even."""
    return list(zip(registers[0::2], registers[1::2], strict=True))


def saved(used: Sequence[int]) -> list[str]:
    """The callee-saved general registers among them, filled up to whole pairs."""
    kept = [n for n in range(19, 31) if n in used]
    if len(kept) % 2:
        kept.append(next(n for n in range(19, 31) if n not in kept))
    return [f"x{n}" for n in sorted(kept)]


def save(registers: Sequence[str]) -> list[str]:
    """Push pairs of 8-byte registers; none of no registers."""
    out = []
    for i, (a, b) in enumerate(pairs(registers)):
        out.append(
            f"stp {a}, {b}, [sp, #-{8 * len(registers)}]!"
            if i == 0
            else f"stp {a}, {b}, [sp, #{16 * i}]"
        )
    return out


def restore(registers: Sequence[str]) -> list[str]:
    """Pop them."""
    out = []
    for i, (a, b) in reversed(list(enumerate(pairs(registers)))):
        out.append(
            f"ldp {a}, {b}, [sp], #{8 * len(registers)}"
            if i == 0
            else f"ldp {a}, {b}, [sp, #{16 * i}]"
        )
    return out


def lines(*parts: str | Sequence[str]) -> list[str]:
    """Flatten; instructions are indented, labels and comments are not."""
    out = []
    for part in parts:
        for line in [part] if isinstance(part, str) else part:
            plain = line.endswith(":") or line.startswith((".", "//", "#", "/*")) or not line
            out.append(line if plain else f"    {line}")
    return out


FUNCTION = """\
.p2align 4
.global {name}
.hidden {name}
.type {name}, %function"""


def function(name: str, *body: str | Sequence[str]) -> list[str]:
    """A function with its symbol."""
    return lines(
        FUNCTION.format(name=name).splitlines(), f"{name}:", *body, f".size {name}, .-{name}", ""
    )


def header(
    name: str,
    size: Size,
    isa: str,
    blocks: int,
    arguments: str,
    args: str,
    what: str,
    stack: int,
    secrets: str,
    spec: str = "",
) -> list[str]:
    """The comment that hanji-lab reads."""
    return f"""\
// {what}
// void {name}({arguments});
/* kernel:
     spec: {spec or f"sparkle{size.bits}.permute"}
     isa: {isa}
     blocks: {blocks}
     args: {{ {args} }}
     aliasing: in place
     stack: {stack}
     secrets: {secrets}
*/""".splitlines()


def file(what: str, *parts: Sequence[str]) -> str:
    """A whole file."""
    top = f"""\
// SPDX-License-Identifier: Apache-2.0
// {what}
// Beierle et al., specification v1.2, section 2.1.
#include "support/cpu.h"

#ifdef HANJI_A64
"""
    body = "\n".join(line for part in parts for line in part)
    return f'{top}{body}\n#endif\n\n#if defined(__linux__)\n.section .note.GNU-stack, "", %progbits\n#endif\n'


def constant_table(label: str) -> list[str]:
    """c0 .. c7."""
    return lines(".p2align 4", f"{label}:", [".word " + ", ".join(f"0x{c:08x}" for c in CONSTANTS)])


AddNumber = Callable[[Code, Sequence[str], int], None]
AddStep = Callable[[Code, Branches, int | None], None]


class Steps:
    """Steps first .. last - 1 of one or more states side by side, in one piece of code; `places` is
    where the states are now.
    """

    def __init__(self, kinds: Sequence[tuple[Branches, AddNumber, AddStep]]) -> None:
        self.kinds = kinds
        self.places = [place for place, _, _ in kinds]

    def run(self, first: int, last: int, code: Code | None = None) -> Code:
        """The code of so many steps more, behind `code`."""
        code = code or Code()
        for i, (_, add_number, add_step) in enumerate(self.kinds):
            place = self.places[i]
            add_number(code, place.y, first)
            for number in range(first, last):
                add_step(code, place, number + 1 if number + 1 < last else None)
                place = place.permuted()
            self.places[i] = place
        return code


def general_steps(start: Branches, constants: Sequence[str]) -> tuple[Branches, AddNumber, AddStep]:
    """A state in general registers."""
    return (
        start,
        lambda code, y, number: scalar_number(code, y, constants, number),
        lambda code, state, following: scalar_step(code, state, constants, following),
    )


def vector_steps(start: Branches, kit: Kit) -> tuple[Branches, AddNumber, AddStep]:
    """Four states in vectors."""
    return (
        start,
        lambda code, y, number: vector_number(code, y, kit, number),
        lambda code, state, following: vector_step(code, state, kit, following),
    )


@dataclass(frozen=True)
class OneState:
    """The parts of a file whose kernel takes one state at a time."""

    isa: str
    about: str
    kept: Sequence[str]  # registers to save
    loads: Sequence[str]
    slim: Sequence[str]  # steps 0 .. slim - 1
    rest: Sequence[str]  # the others up to the big number
    # before any step, after the slim ones, after all
    stores: tuple[Sequence[str], Sequence[str], Sequence[str]]
    any_step: Sequence[str]  # one step, its number in w29
    extra: Sequence[str] = ()  # constants behind c0 .. c7


def one_state(size: Size, parts: OneState) -> str:
    """The whole file: the big and the slim number of steps run straight through, any other is a
    loop.
    """
    name = f"hanji_sparkle{size.bits}_{parts.isa}_x1"
    frame = ["x29", "x30", *(register for register in parts.kept if register not in ("x29", "x30"))]
    return file(
        parts.about,
        header(
            name, size, parts.isa, 1, "uint32_t *states, size_t groups, uint32_t steps",
            f"x0: {{buffer: states, bytes: {4 * size.words} * groups, access: rw}}, x1: {{value: groups}}, x2: {{value: steps}}",
            "Apply the permutation of `steps` steps to each state.", 8 * len(frame) + 48, "states",
        ),
        function(
            name,
            "// One state and the big number of steps, or the slim one: the flags say which, and no step changes them.",
            ["cmp x1, #1", f"ccmp w2, #{size.big}, #0, eq", "b.ne .Lnot_big"],
            ".Lone:",
            save(parts.kept),
            parts.loads,
            parts.slim,
            "b.ne .Lslim",
            parts.rest,
            parts.stores[2],
            restore(parts.kept),
            "ret",
            ".Lslim:",
            parts.stores[1],
            restore(parts.kept),
            "ret",
            ".Lnot_big:",
            ["cmp x1, #1", f"ccmp w2, #{size.slim}, #0, eq", "b.ne .Lmany", "cmp x1, #0", "b .Lone"],
            "// Several states, or any other number of steps: one after the other.",
            ".Lmany:",
            "cbz x1, .Lnone",
            save(["x29", "x30", "x19", "x20", "x21", "x22"]),
            ["mov x19, x0", "mov x20, x1", "mov w21, w2"],
            ".Lnext:",
            ["mov x0, x19", "mov x1, #1", "mov w2, w21"],
            [f"cmp w21, #{size.big}", f"ccmp w21, #{size.slim}, #4, ne", "b.ne .Lother", f"bl {name}", "b .Ldone"],
            ".Lother:",
            "bl .Lany",
            ".Ldone:",
            [f"add x19, x19, #{4 * size.words}", "subs x20, x20, #1", "b.ne .Lnext"],
            restore(["x29", "x30", "x19", "x20", "x21", "x22"]),
            ".Lnone:",
            "ret",
            "// One state, w2 steps, a step at a time; the registers go back to their places after each.",
            ".Lany:",
            save(frame),
            ["mov w30, w2", "mov w29, wzr"],
            parts.loads,
            ".Lstep:",
            ["cmp w29, w30", "b.eq .Lend"],
            parts.any_step,
            ["add w29, w29, #1", "b .Lstep"],
            ".Lend:",
            parts.stores[0],
            restore(frame),
            "ret",
            constant_table(".Lconstants"),
            lines(parts.extra),
        ),
    )  # fmt: skip


def a64(size: Size) -> str:
    """One state in general registers."""
    registers = general(1 + size.words + 8 + (4 if size.branches == 4 else 3))[1:]
    words = [w(n) for n in registers[: size.words]]
    constants = [w(n) for n in registers[size.words : size.words + 8]]
    temporaries = [w(n) for n in registers[size.words + 8 :]]
    table = temporaries[0].replace("w", "x")
    start = branches(words)
    steps = Steps([general_steps(start, constants)])
    slim = steps.run(0, size.slim)
    (middle,) = steps.places
    rest = steps.run(size.slim, size.big)
    (end,) = steps.places
    single = Code()
    scalar_step(single, start, constants, None)

    def stores(state: Branches) -> list[str]:
        return [f"stp {a}, {b}, [x0, #{8 * i}]" for i, (a, b) in enumerate(pairs(state.words()))]

    return one_state(
        size,
        OneState(
            isa="a64",
            about=f"SPARKLE{size.bits} in general registers: state and constants stay in w registers, ARX-boxes are interleaved.",
            kept=saved(registers),
            loads=[
                *(f"ldp {a}, {b}, [x0, #{8 * i}]" for i, (a, b) in enumerate(pairs(words))),
                f"adr {table}, .Lconstants",
                *(
                    f"ldp {a}, {b}, [{table}, #{8 * i}]"
                    for i, (a, b) in enumerate(pairs(constants))
                ),
            ],
            slim=schedule(slim, temporaries, SMALL),
            rest=schedule(rest, temporaries, SMALL),
            stores=(stores(start), stores(middle), stores(end)),
            any_step=[
                f"adr {table}, .Lconstants",
                f"and {temporaries[1]}, w29, #7",
                f"ldr {temporaries[1]}, [{table}, {temporaries[1]}, uxtw #2]",
                f"eor {start.y[0]}, {start.y[0]}, {temporaries[1]}",
                f"eor {start.y[1]}, {start.y[1]}, w29",
                *schedule(single, temporaries, SMALL),
                *moves(start.words(), start.permuted().words(), temporaries[0], "mov {0}, {1}"),
            ],
        ),
    )


def neon(size: Size) -> str:
    """One state in vectors, as in Shin et al., section 3.2.

    The words x of a half (384, 512) or of all branches (256) are in a vector, the words y in
    another. The linear layer adds up in general registers. The operations stay in the order of the
    paper.
    """
    half = size.branches // 2
    whole = size.branches == 4
    x, y = ["v0"] if whole else ["v0", "v2"], ["v1"] if whole else ["v1", "v3"]
    c = ["v4"] if whole else ["v4", "v5"]
    t = ["v16", "v17"][: len(x)]

    def number(first: str, load: Sequence[str]) -> list[str]:
        return [*load, f"eor {first}.16b, {first}.16b, v18.16b"]

    def boxes(x: Sequence[str], y: Sequence[str]) -> list[str]:
        out: list[str] = []

        def each(*texts: str) -> None:
            out.extend(
                text.format(x=x[i], y=y[i], c=c[i], t=t[i]) for text in texts for i in range(len(x))
            )

        for r, s in ROTATIONS:
            if r:
                each(
                    f"shl {{t}}.4s, {{y}}.4s, #{32 - r}",
                    f"sri {{t}}.4s, {{y}}.4s, #{r}",
                    "add {x}.4s, {x}.4s, {t}.4s",
                )
            else:
                each("add {x}.4s, {x}.4s, {y}.4s")
            if s == 16:
                each("rev32 {t}.8h, {x}.8h")
            else:
                each(f"shl {{t}}.4s, {{x}}.4s, #{32 - s}", f"sri {{t}}.4s, {{x}}.4s, #{s}")
            each("eor {y}.16b, {y}.16b, {t}.16b", "eor {x}.16b, {x}.16b, {c}.16b")
        return out

    def total(left: str, target: str) -> list[str]:
        out = [f"umov w{3 + j}, {left}.s[{j}]" for j in range(half)]
        out += [f"eor w3, w3, w{3 + j}" for j in range(1, half)]
        return [*out, "eor w3, w3, w3, lsl #16", "ror w3, w3, #16", f"dup {target}.4s, w3"]

    def step(x: Sequence[str], y: Sequence[str]) -> list[str]:
        """After it the halves have changed places: the left one is in the registers that come last."""
        out = [*boxes(x, y), *total(x[0], "v6"), *total(y[0], "v7")]
        if whole:
            for words, sum_ in ((x[0], "v7"), (y[0], "v6")):
                out += [
                    f"ext v16.16b, {words}.16b, {words}.16b, #8",
                    f"eor v16.16b, v16.16b, {words}.16b",
                    f"eor v16.16b, v16.16b, {sum_}.16b",
                    "rev64 v16.4s, v16.4s",
                    f"zip1 {words}.2d, v16.2d, {words}.2d",
                ]
            return out
        for (left, right), sum_ in ((x, "v7"), (y, "v6")):
            out += [
                f"eor {right}.16b, {right}.16b, {left}.16b",
                f"eor {right}.16b, {right}.16b, {sum_}.16b",
            ]
            out += [f"mov {right}.s[3], {right}.s[0]"] if half == 3 else []
            out += [f"ext {right}.16b, {right}.16b, {right}.16b, #4"]
        return out

    def steps(first: int, last: int) -> tuple[list[str], int]:
        out, turned = [], first % 2 and not whole
        for n in range(first, last):
            order = slice(None, None, -1) if turned else slice(None)
            out += number(y[order][0], [f"ldr q18, [x2, #{16 * n}]"])
            out += step(x[order], y[order])
            turned = not turned and not whole
        return out, turned

    def stores(turned: int) -> list[str]:
        if whole:
            return ["st2 { v0.4s, v1.4s }, [x0]"]
        a, b = ("v2", "v0") if turned else ("v0", "v2")
        a1, b1 = ("v3", "v1") if turned else ("v1", "v3")
        if half == 4:
            # ST2 takes neighbours, which pairs of x and y always are.
            return [
                f"st2 {{ {a}.4s, {a1}.4s }}, [x0]",
                "add x1, x0, #32",
                f"st2 {{ {b}.4s, {b1}.4s }}, [x1]",
            ]
        return [
            f"mov {a}.s[3], {b}.s[0]",
            f"mov {a1}.s[3], {b1}.s[0]",
            f"ext {b}.16b, {b}.16b, {b}.16b, #12",
            f"ext {b1}.16b, {b1}.16b, {b1}.16b, #12",
            f"mov {b}.s[0], {a}.s[2]",
            f"mov {b1}.s[0], {a1}.s[2]",
            "add x1, x0, #16",
            f"st2 {{ {b}.4s, {b1}.4s }}, [x1]",
            f"st2 {{ {a}.4s, {a1}.4s }}, [x0]",
        ]

    second = "#12" if half == 3 else "#16"
    load = ["ld2 { v0.4s, v1.4s }, [x0]", "adr x2, .Lconstants", "ldr q4, [x2]"]
    if not whole:
        load += [
            f"add x1, x0, #{32 if half == 4 else 16}",
            "ld2 { v2.4s, v3.4s }, [x1]",
            "add x1, x2, " + second,
            "ldr q5, [x1]",
        ]
    if half == 3:
        # The second pair begins two branches too early, so that nothing behind the state is read.
        load += [f"ext {r}.16b, {r}.16b, {r}.16b, #4" for r in ("v2", "v3")]
    load += ["adr x2, .Lnumbers"]
    slim, slim_turned = steps(0, size.slim)
    rest, rest_turned = steps(size.slim, size.big)
    numbers = [".p2align 4", ".Lnumbers:"]
    numbers += [f".word 0x{CONSTANTS[n % 8]:08x}, {n}, 0, 0" for n in range(size.big)]
    swap = []
    for a, b in () if whole else (("v0", "v2"), ("v1", "v3")):
        swap += [f"mov v16.16b, {a}.16b", f"mov {a}.16b, {b}.16b", f"mov {b}.16b, v16.16b"]
    any_number = [
        "adr x1, .Lconstants",
        "and w3, w29, #7",
        "ldr s18, [x1, w3, uxtw #2]",
        "mov v18.s[1], w29",
    ]
    return one_state(
        size,
        OneState(
            isa="neon",
            about=f"SPARKLE{size.bits} in vectors, one state, as in Shin et al. (SPARKLE on 64-bit ARMv8, JKIISC 33(3), 2023), section 3.2.",
            kept=[],
            loads=load,
            slim=slim,
            rest=rest,
            stores=(stores(0), stores(slim_turned), stores(rest_turned)),
            any_step=[*number("v1", any_number), *step(x, y), *swap],
            extra=numbers,
        ),
    )


def v(number: int) -> str:
    """A vector register."""
    return f"v{number}"


# d8 .. d15 belong to the caller, so they come last.
VECTORS = [*range(8), *range(16, 32), *range(8, 16)]


def saved_vectors(used: Sequence[int]) -> list[str]:
    """The callee-saved halves among them, in whole pairs."""
    kept = [n for n in range(8, 16) if n in used]
    if len(kept) % 2:
        kept.append(next(n for n in range(8, 16) if n not in kept))
    return [f"d{n}" for n in sorted(kept)]


def transposed(code: Code, four: Sequence[str], targets: Sequence[str] = ()) -> Sequence[str]:
    """The transpose of 4 x 4 words, in `targets` or in new temporaries."""
    a, b, c, d = four
    p, q, r, s = (code.temporary("v") for _ in range(4))
    for target, which, first, second in ((p, 1, a, b), (q, 2, a, b), (r, 1, c, d), (s, 2, c, d)):
        code.put(f"trn{which} {{d}}.4s, {{0}}.4s, {{1}}.4s", "V", target, first, second)
    out = targets or [code.temporary("v") for _ in range(4)]
    for target, which, first, second in zip(
        out, (1, 1, 2, 2), (p, q, p, q), (r, s, r, s), strict=True
    ):
        code.put(f"trn{which} {{d}}.2d, {{0}}.2d, {{1}}.2d", "V", target, first, second)
    return out


def q(register: str) -> str:
    """The 128-bit view for loads and stores."""
    return register.replace("v", "q")


def states_out(operation: str, registers: Sequence[str], words: int) -> list[str]:
    """Load or store four states of `words` words, four words of one state in each register.

    The registers are in the order of the words, state by state in each four.
    """
    out = []
    for state in range(4):
        row = [q(registers[4 * group + state]) for group in range(words // 4)]
        at = 4 * words * state
        for i in range(0, len(row) - 1, 2):
            out.append(
                f"{operation.replace('r', 'p')} {row[i]}, {row[i + 1]}, [x0, #{at + 16 * i}]"
            )
        if len(row) % 2:
            out.append(f"{operation} {row[-1]}, [x0, #{at + 16 * (len(row) - 1)}]")
    return out


@dataclass(frozen=True)
class Variant:
    """How a file with four states in vectors rotates and adds up."""

    isa: str
    suffix: str
    shuffle: bool
    eor3: bool
    what: str


SHIFTS = Variant("neon", "x4", False, False, "rotations by SHL and SRI")
TABLE = Variant("neon", "x4tbl", True, False, "rotations by 24 with TBL")
EOR3 = Variant("sha3", "x4", True, True, "rotations by 24 with TBL, sums with EOR3")


def vector_kit(
    size: Size, tuning: Tuning, numbers: str, variant: Variant = SHIFTS
) -> tuple[list[int], list[str], Kit, list[str]]:
    """Numbers of the vector registers in use, those for the words of the state, constants, and
    temporaries.
    """
    kinds = {"half": not tuning.packed, "shuffle": variant.shuffle, "powers": bool(tuning.multiply)}
    used = VECTORS[: size.words + 8 + sum(kinds.values()) + tuning.spare]
    names = [v(n) for n in used]
    rest = iter(names[size.words + 8 :])
    kit = Kit(
        names[size.words : size.words + 8],
        eor3=variant.eor3,
        numbers=numbers,
        tuning=tuning,
        **{kind: next(rest) for kind, there in kinds.items() if there},
    )
    return used, names[: size.words], kit, list(rest)


def quads(lines: Sequence[str]) -> list[str]:
    """Loads and stores with the 128-bit view of vector registers."""
    return [
        q(line) if line.startswith(("ldr v", "str v", "ldp v", "stp v")) else line for line in lines
    ]


def x4(size: Size, variant: Variant, tuning: Tuning) -> str:
    """Four states in the four words of vectors."""
    base = f"hanji_sparkle{size.bits}_{variant.isa}_{variant.suffix}"
    used, words, kit, temporaries = vector_kit(size, tuning, "x3", variant)
    kept = saved_vectors(used)
    start = branches(words)
    single = Code()
    vector_step(single, start, kit, None)

    def turn(code: Code, state: Branches) -> None:
        order = state.words()
        for group in range(0, size.words, 4):
            transposed(code, order[group : group + 4], order[group : group + 4])

    def ordered(code: Code) -> list[str]:
        return quads(schedule_or_plain(code, temporaries, A72, tuning))

    def turned(state: Branches) -> list[str]:
        code = Code()
        turn(code, state)
        return schedule(code, temporaries, A72)

    def stored(state: Branches) -> list[str]:
        return [*states_out("str", state.words(), size.words), f"add x0, x0, #{16 * size.words}"]

    steps, first = Steps([vector_steps(start, kit)]), Code()
    turn(first, start)
    slim, (middle,) = ordered(steps.run(0, size.slim, first)), steps.places
    last = steps.run(size.slim, size.big)
    (end,) = steps.places
    turn(last, end)
    rest = ordered(last)
    table = []
    if kit.shuffle:
        table += [".byte " + ", ".join(str(4 * (i // 4) + (i + 3) % 4) for i in range(16))]
    table += number_table(size, kit)
    load_constants = [
        "adr x3, .Lconstants",
        *(f"ld1r {{ {c}.4s }}, [x3], #4" for c in kit.constants),
    ]
    if kit.half:
        load_constants.append(
            f"movi {kit.half}.2d, #{'0xffff0000ffff0000' if variant.eor3 else '0x0000ffff0000ffff'}"
        )
    if kit.shuffle:
        load_constants.append(f"ldr {q(kit.shuffle)}, [x3]")
    load_constants += number_pointer(kit)
    stack = 8 * len(kept)
    return file(
        f"SPARKLE{size.bits}, four states at a time, a word of each in every vector; {variant.what}.",
        lines(
            ".arch armv8.2-a+sha3" if variant.eor3 else ".arch armv8-a",
            "",
        ),
        header(
            base, size, variant.isa, 4, "uint32_t *states, size_t groups, uint32_t steps",
            f"x0: {{buffer: states, bytes: {16 * size.words} * groups, access: rw}}, x1: {{value: groups}}, x2: {{value: steps}}",
            "Apply the permutation of `steps` steps to each state; a group is four states.", stack, "states",
        ),
        function(
            base,
            ["cbz x1, .Lnone"],
            save(kept),
            load_constants,
            [f"cmp w2, #{size.big}", f"ccmp w2, #{size.slim}, #4, ne", "b.ne .Lany"],
            ".Lgroup:",
            states_out("ldr", words, size.words),
            f"cmp w2, #{size.slim}",
            slim,
            "b.eq .Lslim",
            rest,
            stored(end),
            ["subs x1, x1, #1", "b.ne .Lgroup"],
            ".Lleave:",
            restore(kept),
            "ret",
            ".Lslim:",
            turned(middle),
            stored(middle),
            ["subs x1, x1, #1", "b.ne .Lgroup", "b .Lleave"],
            "// Any other number of steps, a step at a time; the registers go back to their places after each.",
            ".Lany:",
            states_out("ldr", words, size.words),
            turned(start),
            "mov w4, wzr",
            ".Lstep:",
            ["cmp w4, w2", "b.eq .Lend"],
            [
                "adr x3, .Lconstants",
                "and w5, w4, #7",
                "add x3, x3, w5, uxtw #2",
                f"ld1r {{ {temporaries[0]}.4s }}, [x3]",
                f"dup {temporaries[1]}.4s, w4",
                f"eor {start.y[0]}.16b, {start.y[0]}.16b, {temporaries[0]}.16b",
                f"eor {start.y[1]}.16b, {start.y[1]}.16b, {temporaries[1]}.16b",
            ],
            schedule(single, temporaries, A72),
            list(moves(start.words(), start.permuted().words(), temporaries[0], "mov {0}.16b, {1}.16b")),
            ["add w4, w4, #1", "b .Lstep"],
            ".Lend:",
            turned(start),
            stored(start),
            ["subs x1, x1, #1", "b.ne .Lany", "b .Lleave"],
            ".Lnone:",
            "ret",
            constant_table(".Lconstants"),
            lines(table),
        ),
    )  # fmt: skip


def number_table(size: Size, kit: Kit) -> list[str]:
    """What a kit loads of each number of a step."""
    if not (kit.tuning.loaded or kit.tuning.early):
        return []
    values = numbers_with_sums(size.branches // 2) if kit.tuning.early else range(size.big)
    return [
        ".p2align 4",
        ".Lnumbers:",
        *(f".word {', '.join([f'0x{value:x}'] * 4)}" for value in values),
    ]


def number_pointer(kit: Kit) -> list[str]:
    """The instruction that makes the pointer to them."""
    return [f"adr {kit.numbers}, .Lnumbers"] if kit.tuning.loaded or kit.tuning.early else []


def other_constants(kit: Kit, behind: str) -> list[str]:
    """Instructions for what a kit has besides c0 .. c7, and points `behind` them, but for TBL."""
    out = number_pointer(kit) + ([f"movi {kit.half}.2d, #0x0000ffff0000ffff"] if kit.half else [])
    return [*out, f"ldr {q(kit.powers)}, [{behind}]"] if kit.powers else out


def power_table(kit: Kit) -> list[str]:
    """The factors that a kit loads, behind c0 .. c7."""
    return (
        lines([".word " + ", ".join(str(1 << (32 - r)) for r in POWERS) + ", 0"])
        if kit.powers
        else []
    )


def x5(size: Size, tuning: Tuning) -> str:
    """Four states in vectors and one in general registers, at the same time."""
    name = f"hanji_sparkle{size.bits}_neon_x5_lanes"
    used, words, kit, spare = vector_kit(size, tuning, "x30")
    registers = general(2 + size.words + 8 + (4 if size.branches < 8 else 3))[2:]
    own = [w(n) for n in registers[: size.words]]
    own_constants = [w(n) for n in registers[size.words : size.words + 8]]
    own_spare = [w(n) for n in registers[size.words + 8 :]]
    own_address = "x30"
    kept, kept_vectors = (
        saved([*registers, 30] if size.branches == 8 or tuning.early else registers),
        saved_vectors(used),
    )
    start, own_start = branches(words), branches(own)

    temporaries = [*spare, *own_spare]
    steps = Steps([vector_steps(start, kit), general_steps(own_start, own_constants)])
    code = steps.run(0, size.slim)
    middle, own_middle = steps.places
    for i, (first, second) in enumerate(pairs(middle.words())):
        code.put(f"stp {{0}}, {{1}}, [x0, #{32 * i}]", "W", f"state {i}", first, second)
    base, at = "x0", 16 * size.words
    if at + 4 * size.words > 256:  # the reach of STP
        base = code.temporary("x")
        code.put(f"add {{d}}, x0, #{at}", "I", base)
        at = 0
        temporaries.append(own_address)
    for i, (first, second) in enumerate(pairs(own_middle.words())):
        code.put(
            f"stp {{0}}, {{1}}, [{{2}}, #{at + 8 * i}]", "W", f"own state {i}", first, second, base
        )
    slim = quads(schedule_or_plain(code, temporaries, A72, tuning))
    rest = quads(schedule_or_plain(steps.run(size.slim, size.big), temporaries, A72, tuning))
    end, own_end = steps.places

    def lanes(operation: str, state: Branches, own_state: Branches) -> list[str]:
        at = 16 * size.words
        return [
            *(
                f"{operation} {q(a)}, {q(b)}, [x0, #{32 * i}]"
                for i, (a, b) in enumerate(pairs(state.words()))
            ),
            f"add {own_table}, x0, #{at}",
            *(
                f"{operation} {a}, {b}, [{own_table}, #{8 * i}]"
                for i, (a, b) in enumerate(pairs(own_state.words()))
            ),
        ]

    own_table = own_spare[0].replace("w", "x")
    old, mask = spare[:2]
    own_old = own_spare[1]
    first_two, last_two = (register.replace("w", "x") for register in own_spare[1:3])
    return file(
        f"SPARKLE{size.bits}, five states at a time: four in vectors and one in general registers, whose units would be idle.",
        header(
            name, size, "neon", 5, "uint32_t *state, const uint32_t *big",
            f"x0: {{buffer: state, bytes: {20 * size.words}, access: rw}}, x1: {{buffer: big, bytes: 20, access: r}}",
            "Word w of states 0 .. 3 at 4 * w, the words of state 4 behind: slim steps, or big where the mask in `big` is all ones; no `big`: slim.",
            8 * (len(kept) + len(kept_vectors)), "state",
        ),
        function(
            name,
            save(kept),
            save(kept_vectors),
            f"adr {own_table}, .Lconstants",
            [f"ldp {a}, {b}, [{own_table}, #{8 * i}]" for i, (a, b) in enumerate(pairs(own_constants))],
            [f"ld1r {{ {c}.4s }}, [{own_table}], #4" for c in kit.constants],
            other_constants(kit, own_table),
            lanes("ldp", start, own_start),
            "// Slim steps, and their result to memory, where lanes with slim steps leave it.",
            slim,
            "cbz x1, .Lleave",
            rest,
            "// Most often the mask is all ones.",
            [f"ldp {first_two}, {last_two}, [x1]", f"ldrsw {own_table}, [x1, #16]"],
            [f"and {first_two}, {first_two}, {last_two}", f"and {own_table}, {own_table}, {first_two}", f"cmn {own_table}, #1"],
            ["b.ne .Lmixed", *lanes("stp", end, own_end), "b .Lleave"],
            ".Lmixed:",
            f"ldr {q(mask)}, [x1]",
            [
                line
                for i, word in enumerate(end.words())
                for line in (f"ldr {q(old)}, [x0, #{16 * i}]", f"bif {word}.16b, {old}.16b, {mask}.16b", f"str {q(word)}, [x0, #{16 * i}]")
            ],
            [f"ldr {own_old}, [x1, #16]", f"cmp {own_old}, #0"],
            [f"add {own_table}, x0, #{16 * size.words}"],
            [
                line
                for i, word in enumerate(own_end.words())
                for line in (
                    f"ldr {own_old}, [{own_table}, #{4 * i}]",
                    f"csel {word}, {word}, {own_old}, ne",
                    f"str {word}, [{own_table}, #{4 * i}]",
                )
            ],
            ".Lleave:",
            restore(kept_vectors),
            restore(kept),
            "ret",
            constant_table(".Lconstants"),
            power_table(kit),
            lines(number_table(size, kit)),
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class Lanes:
    """The two kinds of registers that hold words of messages: how they are xored and moved, and the
    letter of their temporaries.
    """

    kind: str
    pipe: str
    eor: str
    move: str


VECTOR_LANES = Lanes("v", "V", "eor {d}.16b, {0}.16b, {1}.16b", "mov {d}.16b, {0}.16b")
OWN_LANE = Lanes("w", "I", "eor {d}, {0}, {1}", "mov {d}, {0}")

# Byte offsets in hanji_lanes_run, which has room for 8 lanes.
RUN_IN, RUN_OUT, RUN_IN_STEP, RUN_OUT_STEP, RUN_OPENED, RUN_PLAIN, RUN_BYTES = (
    0,
    64,
    128,
    192,
    256,
    288,
    296,
)
RATE = 32
OWN_TABLE = 8 * 16  # where the constants of lane 4 lie, behind those of the vectors and the factors


def pointers(code: Code, offset: int, lane: int, *after: str) -> tuple[str, str]:
    """Pointers of this lane and the next from hanji_lanes_run, which is at x1; loaded when `after`
    is there, not earlier.
    """
    first, second = code.temporary("x"), code.temporary("x")
    code.put(f"ldp {{d}}, {{e}}, [x1, #{offset + 8 * lane}]", "L", first, *after, also=second)
    return first, second


def pointer(code: Code, offset: int, lane: int, *after: str) -> str:
    """That of one lane."""
    found = code.temporary("x")
    code.put(f"ldr {{d}}, [x1, #{offset + 8 * lane}]", "L", found, *after)
    return found


def put_in(
    code: Code,
    lanes: Lanes,
    old: Sequence[str],
    new: Sequence[str],
    chunk: Sequence[str],
    after: Sequence[str] = (),
) -> None:
    """FeistelSwap, chunk and rate-whitening of SCHWAEMM256-128.

    Words of the state go from the registers `old`, where seven steps have left them, to `new`, from
    which the next seven begin. Branch j is then in the register of new branch 4, 5, 3, 0, 1, 2: the
    order here writes none that is still read. Nothing of it is done before `after`, which saves
    registers.
    """
    put = code.put
    sums = [code.temporary(lanes.kind) for _ in range(4)]
    for i, total in enumerate(sums):
        put(lanes.eor, lanes.pipe, total, old[4 + i], old[8 + i], *chunk, *after)
    for pair in (0, 2):
        for i in (pair, pair + 1):
            put(lanes.eor, lanes.pipe, new[i], chunk[i], sums[i])
        for i in (pair, pair + 1):
            put(lanes.eor, lanes.pipe, sums[i], sums[i], old[i])
        for i in (pair, pair + 1):
            put(lanes.move, lanes.pipe, new[8 + i], old[8 + i])
    for i, total in enumerate(sums):
        put(lanes.eor, lanes.pipe, new[4 + i], chunk[4 + i], total)


def absorb_vectors(
    code: Code, old: Sequence[str], new: Sequence[str], offsets: Sequence[str]
) -> None:
    """A chunk of lanes 0 .. 3 from their messages into the states, and what comes out to where it
    goes. A piece is read before it is written.

    With `offsets`, those of both pieces from the pointers, no lane is opened.
    """
    put = code.put
    pieces: list[list[str]] = [[], []]
    where = offsets or ("#0", "#16")
    for pair in (0, 2):
        for at in pointers(code, RUN_IN, pair):
            for piece in range(2):
                pieces[piece].append(code.temporary("v"))
                put(f"ldr {{d}}, [{{0}}, {where[piece]}]", "L", pieces[piece][-1], at)
    mask = code.temporary("v")
    if not offsets:
        put(f"ldr {{d}}, [x1, #{RUN_OPENED}]", "L", mask)
    chunk = []
    ready: Sequence[str] = []
    for piece in range(2):
        words = transposed(code, pieces[piece])
        out = []
        for word, state in zip(words, old[4 * piece :], strict=False):
            out.append(code.temporary("v"))
            # piece 1 after piece 0: that needs fewer registers
            put(VECTOR_LANES.eor, "V", out[-1], word, state, *ready)
            if not offsets:
                put("bit {d}.16b, {0}.16b, {1}.16b", "V", word, out[-1], mask, word)
        chunk += words
        ready = transposed(code, out)
        for pair in (0, 2):
            for lane, at in enumerate(pointers(code, RUN_OUT, pair, *ready[pair : pair + 2]), pair):
                put(
                    f"str {{0}}, [{{1}}, {where[piece]}]",
                    "W",
                    f"message {lane} {piece}",
                    ready[lane],
                    at,
                )
    put_in(code, VECTOR_LANES, old, new, chunk)


def absorb_own(code: Code, old: Sequence[str], new: Sequence[str], offsets: Sequence[str]) -> None:
    """The same for lane 4, in general registers."""
    put = code.put
    mask = code.temporary("w")
    at = pointer(code, RUN_IN, 4)
    if offsets:
        put(f"add {{d}}, {{0}}, {offsets[0]}", "I", at, at)
    else:
        put(f"ldr {{d}}, [x1, #{RUN_OPENED + 16}]", "L", mask)
    chunk = [code.temporary("w") for _ in range(8)]
    for i in range(0, 8, 2):
        put(f"ldp {{d}}, {{e}}, [{{0}}, #{4 * i}]", "L", chunk[i], at, also=chunk[i + 1])
    to = pointer(code, RUN_OUT, 4, chunk[0])
    if offsets:
        put(f"add {{d}}, {{0}}, {offsets[0]}", "I", to, to)
    for i in range(0, 8, 2):
        out = [code.temporary("w") for _ in range(2)]
        for j in range(2):
            put(OWN_LANE.eor, "I", out[j], chunk[i + j], old[i + j])
        put(f"stp {{0}}, {{1}}, [{{2}}, #{4 * i}]", "W", f"message 4 {i}", *out, to)
        for j in range(2) if not offsets else ():
            put("and {d}, {0}, {1}", "I", out[j], old[i + j], mask)
            put(OWN_LANE.eor, "I", chunk[i + j], chunk[i + j], out[j])
    put_in(code, OWN_LANE, old, new, chunk, [f"message 4 {i}" for i in range(0, 8, 2)])


def schwaemm_x5(tuning: Tuning) -> str:
    """Whole chunks of five messages of SCHWAEMM256-128, state and rounds without a way through
    memory between them.
    """
    size = next(size for size in SIZES if size.bits == 384)
    name = "hanji_schwaemm256_128_neon_run_x5"
    words, (powers, half, *pool) = [v(n) for n in VECTORS[:12]], [v(n) for n in VECTORS[12:]]
    registers = [n for n in range(2, 31) if n != 18]
    own, rest = [w(n) for n in registers[:12]], registers[12:]
    kept, kept_vectors = [f"x{n}" for n in range(19, 31)], [f"d{n}" for n in range(8, 16)]
    start, own_start = branches(words), branches(own)
    end, own_end = start, own_start
    for _ in range(size.slim):
        end, own_end = end.permuted(), own_end.permuted()

    def round_(*offsets: str) -> list[str]:
        code = Code()
        absorb_vectors(code, end.words(), start.words(), offsets)
        absorb_own(code, own_end.words(), own_start.words(), offsets)
        # Constants take registers when the chunk has left them: each is loaded after the words of a
        # branch.
        constants, own_constants = (
            [code.temporary(kind) for _ in range(size.slim)] for kind in "vw"
        )
        for names, place, table, step in (
            (constants, start, 0, 16),
            (own_constants, own_start, OWN_TABLE, 4),
        ):
            for i in range(0, size.slim, 2):
                ready = [
                    register
                    for j in (i, i + 1)
                    if j < size.branches
                    for register in (place.x[j], place.y[j])
                ] or [place.y[-1]]
                if i + 1 < size.slim:
                    code.put(
                        f"ldp {{d}}, {{e}}, [x0, #{table + step * i}]",
                        "L",
                        names[i],
                        *ready,
                        also=names[i + 1],
                    )
                else:
                    code.put(f"ldr {{d}}, [x0, #{table + step * i}]", "L", names[i], *ready)
        kit = Kit(constants, half="" if tuning.packed else half, powers=powers, tuning=tuning)
        Steps([vector_steps(start, kit), general_steps(own_start, own_constants)]).run(
            0, size.slim, code
        )
        free = [n for n in rest if f"x{n}" not in offsets]
        own_pool = [*(w(n) for n in free[:-3]), *(f"x{n}" for n in free[-3:])]
        return quads(
            schedule_or_plain(
                code, [*([half] if tuning.packed else []), *pool, *own_pool], A72, tuning
            )
        )

    def state(operation: str) -> list[str]:
        return [
            *(
                f"{operation} {q(a)}, {q(b)}, [x0, #{32 * i}]"
                for i, (a, b) in enumerate(pairs(end.words()))
            ),
            *(
                f"{operation} {a}, {b}, [x0, #{192 + 8 * i}]"
                for i, (a, b) in enumerate(pairs(own_end.words()))
            ),
        ]

    prepare = [*state("ldp"), "adr x0, .Lconstants", f"ldr {q(powers)}, [x0, #{16 * size.slim}]"]
    if not tuning.packed:
        prepare.append(f"movi {half}.2d, #0x0000ffff0000ffff")
    a, b = pool[:2]
    advance = [
        line
        for pointers, step in ((RUN_IN, RUN_IN_STEP), (RUN_OUT, RUN_OUT_STEP))
        for i in range(0, 48, 16)
        for line in (
            f"ldr {q(a)}, [x1, #{pointers + i}]",
            f"ldr {q(b)}, [x1, #{step + i}]",
            f"add {a}.2d, {a}.2d, {b}.2d",
            f"str {q(a)}, [x1, #{pointers + i}]",
        )
    ]
    return file(
        "SCHWAEMM256-128 (section 2.3), whole chunks of five messages at a time: four in vectors and one in general registers.",
        header(
            name, size, "neon", 5, "uint32_t *state, hanji_lanes_run *run, size_t rounds",
            f"x0: {{buffer: state, bytes: {20 * size.words}, access: rw}}, x1: {{buffer: run, bytes: {RUN_BYTES}, access: rw}}, "
            "x2: {value: rounds}",
            "Rounds of whole chunks, straight from messages and back, at least one: sponge_lanes.h says what `run` is.",
            8 * (len(kept) + len(kept_vectors)) + 16, "state", "schwaemm256_128.absorb_words",
        ),
        function(
            name,
            save(kept),
            save(kept_vectors),
            "stp x0, x2, [sp, #-16]!",
            [f"ldr x3, [x1, #{RUN_PLAIN}]", "cbz x3, .Lgeneral"],
            "// Every lane moves on in the same way, and none is opened: pointers go to the end at once, offsets up to zero.",
            [f"lsl x3, x2, #{RATE.bit_length() - 1}", f"dup {a}.2d, x3"],
            [
                line
                for at in (*range(RUN_IN, RUN_IN + 48, 16), *range(RUN_OUT, RUN_OUT + 48, 16))
                for line in (f"ldr {q(b)}, [x1, #{at}]", f"add {b}.2d, {b}.2d, {a}.2d", f"str {q(b)}, [x1, #{at}]")
            ],
            ["neg x29, x3", "add x30, x29, #16"],
            prepare,
            ".Lplain:",
            round_("x29", "x30"),
            [f"adds x29, x29, #{RATE}", "add x30, x29, #16", "b.ne .Lplain", "b .Ldone"],
            ".Lgeneral:",
            prepare,
            ".Lround:",
            round_(),
            advance,
            ["ldr x30, [sp, #8]", "subs x30, x30, #1", "str x30, [sp, #8]", "b.ne .Lround"],
            ".Ldone:",
            "ldr x0, [sp], #16",
            state("stp"),
            restore(kept_vectors),
            restore(kept),
            "ret",
            lines(
                [".p2align 4", ".Lconstants:"],
                [f".word {', '.join([f'0x{c:08x}'] * 4)}" for c in CONSTANTS[: size.slim]],
                power_table(Kit(powers=powers)),
                [".word " + ", ".join(f"0x{c:08x}" for c in CONSTANTS[: size.slim])],
            ),
        ),
    )  # fmt: skip


TUNED = {
    "sparkle256_neon_x4": Tuning(spare=7),
    "sparkle256_neon_x4tbl": Tuning(spare=6),
    "sparkle256_sha3_x4": Tuning(spare=6),
    "sparkle256_neon_x5": Tuning(seed=495, noise=20, passes=2, spare=10, early=True),
    "sparkle384_neon_x4": Tuning(seed=105, noise=6, passes=2, spare=10, packed=True, loaded=True),
    "sparkle384_neon_x4tbl": Tuning(spare=6, packed=True),
    "sparkle384_sha3_x4": Tuning(spare=6),
    "sparkle384_neon_x5": Tuning(seed=4, noise=0.5, spare=7, packed=True, multiply=(17, 24)),
    "sparkle512_neon_x4": Tuning(seed=77, noise=2, passes=2, spare=7, packed=True, loaded=True),
    "sparkle512_neon_x4tbl": Tuning(spare=6, packed=True),
    "sparkle512_sha3_x4": Tuning(spare=6),
    "sparkle512_neon_x5": Tuning(
        seed=6, noise=3, passes=1, spare=7, packed=True, multiply=(31, 17, 24)
    ),
    "schwaemm256_128_neon_x5": Tuning(seed=200, noise=0.5, packed=True, multiply=(17, 24)),
}


def many_states(stem: str, tuning: Tuning) -> str:
    """The text of a file whose kernel takes many states, with other choices perhaps than those of
    TUNED.
    """
    if stem == "schwaemm256_128_neon_x5":
        return schwaemm_x5(tuning)
    size = next(size for size in SIZES if stem.startswith(f"sparkle{size.bits}_"))
    variant = next(
        (
            variant
            for variant in (SHIFTS, TABLE, EOR3)
            if stem.endswith(f"_{variant.isa}_{variant.suffix}")
        ),
        None,
    )
    return x4(size, variant, tuning) if variant else x5(size, tuning)


def files() -> dict[str, str]:
    """Path and text of every file."""
    out = {}
    for size in SIZES:
        out[f"{ROOM}/sparkle{size.bits}_a64.S"] = a64(size)
        out[f"{RESEARCH}/sparkle{size.bits}_neon.S"] = neon(size)
    out |= {f"{ROOM}/{stem}.S": many_states(stem, tuning) for stem, tuning in TUNED.items()}
    return complete(out, "sparkle_a64.py", "the steps of SPARKLE, put in order for small cores")


if __name__ == "__main__":
    sys.exit(write_or_check(files(), "sparkle_a64.py"))
