# SPDX-License-Identifier: Apache-2.0
"""Registers and slots of the frame for the values of a straight-line program of RV32I, and loads
moved away from their uses: the allocator of tools/rv32_kernels.py.

A value that is needed last goes to memory first (Belady's rule).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

# Registers of the transposition (sixteen words, a mask and two temporary ones) and those beside
# them; KEYS points to the masks of the round keys.
WORDS = (
    "s0",
    "s1",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s7",
    "s8",
    "s9",
    "s10",
    "s11",
    "a4",
    "a5",
    "a6",
    "a7",
)
BESIDE = ("t3", "t4", "t5", "t6", "a1", "a2", "a3")
TEMPORARY = ("ra", "t0", "t1", "t2")
KEYS = "a0"
POOL = (*TEMPORARY, *BESIDE, *WORDS)


@dataclass(frozen=True)
class Place:
    """Where a value lies: in a register, or in a slot of the frame."""

    register: str | None = None
    slot: int | None = None


@dataclass(frozen=True)
class Operation:
    """A value and what it comes from: other values, or a word in memory."""

    name: str
    value: int
    sources: tuple[int, ...] = ()
    immediate: int = 0


@dataclass
class Program:
    """Operations in the order in which they will run."""

    operations: list[Operation] = field(default_factory=list)
    values: int = 0

    def new(self) -> int:
        self.values += 1
        return self.values

    def _append(self, name: str, *sources: int, immediate: int = 0) -> int:
        self.operations.append(Operation(name, self.new(), sources, immediate))
        return self.values

    def xor(self, a: int, b: int) -> int:
        return self._append("xor", a, b)

    def both(self, a: int, b: int) -> int:
        return self._append("and", a, b)

    def either(self, a: int, b: int) -> int:
        return self._append("or", a, b)

    def key(self, offset: int) -> int:
        return self._append("key", immediate=offset)


@dataclass(frozen=True)
class Instruction:
    """One line: written and read registers, and the slot that it touches."""

    name: str
    target: str | None = None
    read: tuple[str, ...] = ()
    offset: int = 0
    slot: bool = False

    def text(self) -> str:
        if self.name == "lw":
            return f"    lw      {self.target}, {self.offset}({self.read[0]})"
        if self.name == "sw":
            return f"    sw      {self.read[0]}, {self.offset}({self.read[1]})"
        return f"    {self.name:7} " + ", ".join([str(self.target), *self.read])


class Allocator:
    """Gives values registers and slots; `lines` is what came out."""

    def __init__(
        self,
        program: Program,
        entry: Mapping[int, Place],
        leave: Mapping[int, Place],
        bias: float,
        spare: int,
    ) -> None:
        self.program, self.leave, self.bias, self.spare = program, leave, bias, spare
        self.lines: list[Instruction] = []
        self.register: dict[int, str] = {}
        self.slot: dict[int, int] = {}
        self.owner: dict[int, int] = {}
        self.slots = 1 + max(place.slot for place in leave.values() if place.slot is not None)
        self.uses: dict[int, deque[int]] = defaultdict(deque)
        self.wanted = {
            place.register: value for value, place in leave.items() if place.register is not None
        }
        for at, operation in enumerate(program.operations):
            for source in operation.sources:
                if not self.uses[source] or self.uses[source][-1] != at:
                    self.uses[source].append(at)
        self.end = len(program.operations)
        for value in leave:
            self.uses[value].append(self.end)
        for value, place in entry.items():
            if place.register is not None:
                self.register[value] = place.register
            if place.slot is not None:
                self.slot[value], self.owner[place.slot] = place.slot, value
        taken = set(self.register.values())
        self.free = deque(name for name in POOL if name not in taken)

    def _load(self, value: int, register: str) -> None:
        self.lines.append(Instruction("lw", register, ("sp",), 4 * self.slot[value], True))

    def _store(self, value: int) -> None:
        """To the slot that it shall leave in, if that is free; else to any that nobody leaves in."""
        home = self.leave[value].slot if value in self.leave else None
        if home is None or home in self.owner:
            reserved = {place.slot for place in self.leave.values()}
            home = next(n for n in count() if n not in self.owner and n not in reserved)
        self.slot[value], self.owner[home] = home, value
        self.slots = max(self.slots, home + 1)
        self.lines.append(Instruction("sw", None, (self.register[value], "sp"), 4 * home, True))

    def _evict(self, keep: Iterable[int], now: int) -> None:
        def cost(value: int) -> float:
            distance = self.uses[value][0] - now
            return distance * (self.bias if value in self.slot else 1.0)

        kept = set(keep)
        value = max((v for v in self.register if v not in kept), key=cost)
        if value not in self.slot:
            self._store(value)
        self.free.append(self.register.pop(value))

    def _forget(self, value: int) -> None:
        if value in self.register:
            self.free.append(self.register.pop(value))
        if value in self.slot:
            del self.owner[self.slot.pop(value)]

    def _take(self, value: int | None, keep: Iterable[int], now: int, spare: int) -> str:
        while len(self.free) <= spare:
            self._evict(keep, now)
        target = self.leave[value].register if value is not None and value in self.leave else None
        if target is not None and target in self.free:
            self.free.remove(target)
            return target
        # One that no value leaves in soon, if there is one.
        for name in self.free:
            if name not in self.wanted:
                self.free.remove(name)
                return name
        return self.free.popleft()

    def run(self) -> list[Instruction]:
        for at, operation in enumerate(self.program.operations):
            for source in operation.sources:
                if source not in self.register:
                    register = self._take(None, operation.sources, at, self.spare)
                    self._load(source, register)
                    self.register[source] = register
            read = tuple(self.register[source] for source in operation.sources)
            for source in set(operation.sources):
                self.uses[source].popleft()
                if not self.uses[source]:
                    self._forget(source)
            if not self.uses[operation.value]:
                raise AssertionError(f"nobody reads value {operation.value}")
            target = self._take(operation.value, (), at, max(self.spare - 1, 0))
            self.register[operation.value] = target
            if operation.name == "key":
                self.lines.append(Instruction("lw", target, (KEYS,), operation.immediate))
            else:
                self.lines.append(Instruction(operation.name, target, read))
        self._settle()
        return self.lines

    def _settle(self) -> None:
        """Bring everything to the place where it leaves."""
        final = {
            value: place.register
            for value, place in self.leave.items()
            if place.register is not None
        }
        waiting = [
            value
            for value, place in self.leave.items()
            if place.slot is not None and self.slot.get(value) != place.slot
        ]
        while waiting:
            ready = [
                v
                for v in waiting
                if self.leave[v].slot not in self.owner
                or self.owner[self.leave[v].slot or 0] in self.register
            ]
            value = ready[0] if ready else waiting[0]
            home = self.leave[value].slot
            assert home is not None
            other = self.owner.get(home)
            if other is not None and other not in self.register:
                self._fetch(other, waiting)
            if value not in self.register:
                self._fetch(value, waiting)
            if other is not None:
                del self.slot[other]
            if value in self.slot:
                del self.owner[self.slot.pop(value)]
            self.slot[value], self.owner[home] = home, value
            self.lines.append(Instruction("sw", None, (self.register[value], "sp"), 4 * home, True))
            waiting.remove(value)
            if value not in final:
                self.free.append(self.register.pop(value))
        for value in [v for v in self.register if v not in final]:
            self.free.append(self.register.pop(value))
        moving = {value: name for value, name in final.items() if self.register.get(value) != name}
        while moving:
            held = {name: value for value, name in self.register.items()}
            for value, name in moving.items():
                if name not in held:
                    if value in self.register:
                        self.lines.append(Instruction("mv", name, (self.register[value],)))
                        self.free.append(self.register[value])
                    else:
                        self._load(value, name)
                    self.register[value] = name
                    if name in self.free:
                        self.free.remove(name)
                    del moving[value]
                    break
            else:
                # A cycle: one of them steps aside.
                value = next(v for v in moving if v in self.register)
                aside = next(name for name in self.free if name not in final.values())
                self.lines.append(Instruction("mv", aside, (self.register[value],)))
                self.free.append(self.register[value])
                self.free.remove(aside)
                self.register[value] = aside

    def _fetch(self, value: int, keep: Iterable[int]) -> None:
        if not self.free:
            self._evict(keep, self.end)
        register = self.free.popleft()
        self._load(value, register)
        self.register[value] = register


def independent(a: Instruction, b: Instruction) -> bool:
    """May these two neighbours change places?"""
    if a.target is not None and a.target in (b.target, *b.read):
        return False
    if b.target is not None and b.target in a.read:
        return False
    return not ("sw" in (a.name, b.name) and a.slot and b.slot and a.offset == b.offset)


def spread(lines: Sequence[Instruction], distance: int, most: int) -> list[Instruction]:
    """Put `distance` instructions between a load and the first that wants it, where that is
    possible: first move loads up, then others forward.
    """
    out: list[Instruction] = []
    for index, line in enumerate(lines):
        out.append(line)
        if line.name != "lw":
            continue
        near = next(
            (
                n
                for n in range(1, distance + 1)
                if index + n < len(lines) and line.target in lines[index + n].read
            ),
            distance + 1,
        )
        at = len(out) - 1
        for _ in range(min(distance + 1 - near, most)):
            if at == 0 or not independent(out[at - 1], line):
                break
            out[at - 1], out[at] = line, out[at - 1]
            at -= 1
    for index, line in enumerate(out):
        for gap in range(1, distance + 1):
            if (
                line.name != "lw"
                or index + gap >= len(out)
                or line.target not in out[index + gap].read
            ):
                continue
            for other in range(index + gap + 1, min(index + gap + 1 + most, len(out))):
                if all(
                    independent(out[between], out[other]) for between in range(index + gap, other)
                ):
                    out.insert(index + gap, out.pop(other))
                    break
    return out


def waits(lines: Sequence[Instruction], distance: int) -> int:
    """How often an instruction wants a load that is nearer."""
    return sum(
        line.name == "lw"
        and any(line.target in later.read for later in lines[n + 1 : n + 1 + distance])
        for n, line in enumerate(lines)
    )


def allocated(
    program: Program,
    entry: Mapping[int, Place],
    leave: Mapping[int, Place],
    bias: float,
    spare: int,
    distance: int = 2,
    most: int = 12,
) -> tuple[list[Instruction], int]:
    """The instructions of a program, and the slots of its frame."""
    allocator = Allocator(program, entry, leave, bias, spare)
    return spread(allocator.run(), distance, most), allocator.slots
