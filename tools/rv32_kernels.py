# SPDX-License-Identifier: Apache-2.0
"""Write the bit-sliced RV32I kernels of SPECK-32/64 and CHAM-64/128, or say which of them are not up to date (--check).

A state of 32 blocks is one register per bit of a block. The rounds are written down here as operations on values; then values get
registers and slots of the frame (Belady's rule: what is needed last goes to memory), and loads move away from their uses. What is around the rounds,
loads, transposes, counters and stores, is written by hand with macros.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Registers of the transposition (sixteen words, a mask and two temporary ones) and those beside them; KEYS points to the masks of the round keys.
WORDS = ("s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "a4", "a5", "a6", "a7")
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

    def inverse(self, a: int) -> int:
        return self._append("not", a)

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
        self, program: Program, entry: Mapping[int, Place], leave: Mapping[int, Place], first_free_slot: int, bias: float, spare: int
    ) -> None:
        self.program, self.leave, self.first_free_slot = program, leave, first_free_slot
        self.bias, self.spare = bias, spare
        self.lines: list[Instruction] = []
        self.register: dict[int, str] = {}
        self.slot: dict[int, int] = {}
        self.owner: dict[int, int] = {}
        self.slots = first_free_slot
        self.uses: dict[int, deque[int]] = defaultdict(deque)
        self.wanted = {place.register: value for value, place in leave.items() if place.register is not None}
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
            home = next(n for n in range(self.first_free_slot + self.end) if n not in self.owner and n not in reserved and n >= self._lowest())
        self.slot[value], self.owner[home] = home, value
        self.slots = max(self.slots, home + 1)
        self.lines.append(Instruction("sw", None, (self.register[value], "sp"), 4 * home, True))

    def _lowest(self) -> int:
        return self.first_free_slot

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
        target = self.leave[value].register if value in self.leave else None
        if target in self.free:
            self.free.remove(target)
            return str(target)
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
        final = {value: place.register for value, place in self.leave.items() if place.register is not None}
        waiting = [value for value, place in self.leave.items() if place.slot is not None and self.slot.get(value) != place.slot]
        while waiting:
            ready = [v for v in waiting if self.leave[v].slot not in self.owner or self.owner[self.leave[v].slot or 0] in self.register]
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


def hoist(lines: Sequence[Instruction], distance: int, most: int) -> list[Instruction]:
    """Move loads up, so that `distance` instructions lie between a load and the first that wants it."""
    out: list[Instruction] = []
    for index, line in enumerate(lines):
        out.append(line)
        if line.name != "lw":
            continue
        until = next((n for n in range(1, distance + 1) if index + n < len(lines) and line.target in lines[index + n].read), distance + 1)
        at, steps = len(out) - 1, 0
        while until <= distance and at > 0 and steps < most:
            before = out[at - 1]
            touches = line.target in (before.target, *before.read) or before.target in line.read
            if touches or (before.name == "sw" and before.slot == line.slot and before.offset == line.offset):
                break
            out[at - 1], out[at] = line, before
            at, steps = at - 1, steps + 1
            until += 1
    return out


Steps = list[tuple[int, int]]


def wave(starts: Sequence[int]) -> Steps:
    """(round, bit) in the order of their times: bit i of round r at time starts[r] + i."""
    return sorted(((r, i) for r in range(len(starts)) for i in range(16)), key=lambda step: (starts[step[0]] + step[1], step[0]))


def ordered(steps: Steps, ready: Callable[[int, int], bool]) -> Iterable[tuple[int, int]]:
    """The steps in their order, but none before what it needs."""
    waiting = list(steps)
    while waiting:
        at = next(n for n, step in enumerate(waiting) if ready(*step))
        yield waiting.pop(at)


class Adder:
    """Bit by bit over 16 bits: sum and carry from five operations, fewer at both ends."""

    def __init__(self, program: Program) -> None:
        self.program, self.carry = program, 0

    def add(self, bit: int, a: int, b: int) -> int:
        """The bit of a + b. With u = a ^ c and v = b ^ c, the carry is (u & v) ^ c."""
        p = self.program
        if bit == 0:
            self.carry = p.both(a, b)
            return p.xor(a, b)
        c = self.carry
        u = p.xor(a, c)
        if bit < 15:
            v = p.xor(b, c)
            total = p.xor(u, b)
            self.carry = p.xor(p.both(u, v), c)
            return total
        return p.xor(u, b)

    def subtract(self, bit: int, a: int, b: int) -> int:
        """The bit of a - b = ~(~a + b). The borrow is (u | v) ^ a."""
        p = self.program
        if bit == 0:
            self.carry = p.xor(p.either(a, b), a)
            return p.xor(a, b)
        c = self.carry
        u = p.xor(a, c)
        if bit < 15:
            v = p.xor(b, c)
            total = p.xor(u, b)
            self.carry = p.xor(p.either(u, v), a)
            return total
        return p.xor(u, b)


def speck_encrypt(p: Program, x: list[int], y: list[int], rounds: int, skew: int) -> tuple[list[int], list[int]]:
    """SPECK (Beaulieu et al., ePrint 2013/404, section 4): x = (ror7(x) + y) ^ k; y = rol2(y) ^ x. Masks of round r, bit i at KEYS + 4 (16 r + i)."""
    xs = {(0, i): value for i, value in enumerate(x)}
    ys = {(0, i): value for i, value in enumerate(y)}
    adders = [Adder(p) for _ in range(rounds)]
    done: set[tuple[int, int]] = set()

    def ready(r: int, i: int) -> bool:
        return (r, (i + 7) % 16) in xs and (r, i) in ys and (i == 0 or (r, i - 1) in done)

    late: list[tuple[int, int]] = []
    for r, i in ordered(wave([skew * r for r in range(rounds)]), ready):
        key = p.key(4 * (16 * r + i))
        xs[r + 1, i] = p.xor(adders[r].add(i, xs[r, (i + 7) % 16], ys[r, i]), key)
        done.add((r, i))
        late.append((r, i))
        for r2, i2 in [step for step in late if (step[0], (step[1] - 2) % 16) in ys]:
            ys[r2 + 1, i2] = p.xor(ys[r2, (i2 - 2) % 16], xs[r2 + 1, i2])
            late.remove((r2, i2))
    return [xs[rounds, i] for i in range(16)], [ys[rounds, i] for i in range(16)]


def speck_decrypt(p: Program, x: list[int], y: list[int], rounds: int, skew: int) -> tuple[list[int], list[int]]:
    """The inverse: y = ror2(y ^ x); x = rol7((x ^ k) - y). The last round of the block comes first, its masks at the highest address."""
    xs = {(0, i): value for i, value in enumerate(x)}
    ys = {(0, i): value for i, value in enumerate(y)}
    adders = [Adder(p) for _ in range(rounds)]
    done: set[tuple[int, int]] = set()

    def ready(r: int, i: int) -> bool:
        return all((r, (i + n) % 16) in xs for n in (0, 2)) and (r, (i + 2) % 16) in ys and (i == 0 or (r, i - 1) in done)

    for r, i in ordered(wave([skew * r for r in range(rounds)]), ready):
        key = p.key(4 * (16 * (rounds - 1 - r) + i))
        ys[r + 1, i] = p.xor(ys[r, (i + 2) % 16], xs[r, (i + 2) % 16])
        xs[r + 1, (i + 7) % 16] = adders[r].subtract(i, p.xor(xs[r, i], key), ys[r + 1, i])
        done.add((r, i))
    return [xs[rounds, i] for i in range(16)], [ys[rounds, i] for i in range(16)]


def cham_encrypt(p: Program, words: list[list[int]], rounds: int, first: int, masks: Mapping[int, int], short: int, long: int) -> list[list[int]]:
    """CHAM (Koo et al., ICISC 2017, section 3): word i mod 4 of round i becomes rol((word ^ i) + (rol(next) ^ k)).

    `first` is the number of the first round, as far as it is the same in every pass of the loop; `masks` holds the other bits of the number. `short` and `long` are
    the times by which odd rounds follow even ones and even ones odd.
    """
    state = {(w, i): words[w][i] for w in range(4) for i in range(16)}  # (round that last wrote it, or word; bit)
    starts = [(r + 1) // 2 * short + r // 2 * long for r in range(rounds)]
    adders = [Adder(p) for _ in range(rounds)]
    done: set[tuple[int, int]] = set()

    # Word w of round r is known as r + w - r % 4 ...: number it by the round that reads it first as its own.
    def ready(r: int, i: int) -> bool:
        return (r, i) in state and (r + 1, (i - (1 if r % 2 == 0 else 8)) % 16) in state and (i == 0 or (r, i - 1) in done)

    for r, i in ordered(wave(starts), ready):
        before, after = (1, 8) if r % 2 == 0 else (8, 1)
        own = state[r, i]
        if (first + r) >> i & 1 and i not in masks:
            own = p.inverse(own)
        if i in masks:
            own = p.xor(own, masks[i])
        key = p.key(4 * (16 * r + i))
        state[r + 4, (i + after) % 16] = adders[r].add(i, own, p.xor(state[r + 1, (i - before) % 16], key))
        done.add((r, i))
    return [[state[rounds + w, i] for i in range(16)] for w in range(4)]


def cham_decrypt(p: Program, words: list[list[int]], rounds: int, first: int, masks: Mapping[int, int], short: int, long: int) -> list[list[int]]:
    """The inverse of the rounds first + rounds - 1, ..., first: word = (ror(word) - (rol(next) ^ k)) ^ i."""
    # State n of a word counts backwards: (rounds + w) is what round w - 4 + rounds wrote.
    state = {(rounds + w, i): words[w][i] for w in range(4) for i in range(16)}
    times = {}
    time = 0
    for n, r in enumerate(reversed(range(rounds))):
        times[r] = time
        time += long if r % 2 == 0 else short
        del n
    adders = [Adder(p) for _ in range(rounds)]
    done: set[tuple[int, int]] = set()

    def ready(r: int, i: int) -> bool:
        before, after = (1, 8) if r % 2 == 0 else (8, 1)
        return (r + 4, (i + after) % 16) in state and (r + 1, (i - before) % 16) in state and (i == 0 or (r, i - 1) in done)

    steps = sorted(((r, i) for r in range(rounds) for i in range(16)), key=lambda step: (times[step[0]] + step[1], -step[0]))
    for r, i in ordered(steps, ready):
        before, after = (1, 8) if r % 2 == 0 else (8, 1)
        key = p.key(4 * (16 * r + i))
        other = p.xor(state[r + 1, (i - before) % 16], key)
        own = adders[r].subtract(i, state[r + 4, (i + after) % 16], other)
        if i in masks:
            own = p.xor(own, masks[i])
        elif (first + r) >> i & 1:
            own = p.inverse(own)
        state[r, i] = own
        done.add((r, i))
    return [[state[w, i] for i in range(16)] for w in range(4)]


def allocated(program, entry, leave, first_slot, bias, spare, distance=2, most=8):
    allocator = Allocator(program, entry, leave, first_slot, bias, spare)
    lines = allocator.run()
    return hoist(lines, distance, most), allocator.slots


# The text around the rounds.

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// {cipher} on RV32I, 32 blocks at a time, bit-sliced: a register holds one bit of all blocks, block n in bit n. Written by tools/rv32_kernels.py.
//
// The input is turned into slices by transposing squares of 16 by 16 bits; counter mode makes its counters as slices. A sum goes bit by bit: with
// u = a ^ c and v = b ^ c it is u ^ b, and the next carry (u & v) ^ c. Rotations only choose other registers. What has no register lies in the frame.
// Keys are in layout 2 of lanes/rv32.h: {pairs} bytes for other kernels, then one word per bit of a round key.
#if defined(__riscv) && __riscv_xlen == 32

"""

MACROS = """\
// Swap the bits of a under the mask t0 << n with those of b under t0.
.macro exchange a, b, n
    srli    t1, \\a, \\n
    xor     t1, t1, \\b
    and     t1, t1, t0
    xor     \\b, \\b, t1
    slli    t1, t1, \\n
    xor     \\a, \\a, t1
.endm

// The 16 bits at `at` of two blocks, and in the upper halves those of the blocks 16 further on. t2 is the input.
.macro gather a, b, at
    lhu     t0, \\at + {half}(t2)
    lhu     t1, \\at + {half_next}(t2)
    lhu     \\a, \\at(t2)
    lhu     \\b, \\at + {block}(t2)
    slli    t0, t0, 16
    slli    t1, t1, 16
    or      \\a, \\a, t0
    or      \\b, \\b, t1
.endm

// The way back. t2 is the output.
.macro scatter a, at
    sh      \\a, \\at(t2)
    srli    \\a, \\a, 16
    sh      \\a, \\at + {half}(t2)
.endm

// The same with the input, at a0, added.
.macro scatter_added a, at
    lhu     t0, \\at(a0)
    lhu     t1, \\at + {half}(a0)
    xor     t0, t0, \\a
    srli    \\a, \\a, 16
    xor     t1, t1, \\a
    sh      t0, \\at(t2)
    sh      t1, \\at + {half}(t2)
.endm

.macro enter
    addi    sp, sp, -{frame}
    sw      ra, {saved}(sp)
{saves}
.endm

.macro leave
    lw      ra, {saved}(sp)
{loads}
    addi    sp, sp, {frame}
    ret
.endm
"""

SAVED = ("ra", *(f"s{n}" for n in range(12)))


@dataclass(frozen=True)
class Frame:
    """Byte offsets in the frame: slots of the rounds, then what the function remembers, then the registers of the caller."""

    slots: int
    remembered: tuple[str, ...]

    def __getitem__(self, name: str) -> int:
        return 4 * (self.slots + self.remembered.index(name))

    @property
    def size(self) -> int:
        return -(-4 * (self.slots + len(self.remembered) + len(SAVED)) // 16) * 16

    @property
    def saved(self) -> int:
        return self.size - 4 * len(SAVED)


def listing(lines: Iterable[Instruction]) -> str:
    return "".join(line.text() + "\n" for line in lines)


def function(name: str, body: str) -> str:
    return (
        f'    .section .text.{name}, "ax", @progbits\n    .balign 4\n    .globl  {name}\n    .hidden {name}\n    .type   {name}, @function\n'
        f"{name}:\n{body}    .size   {name}, . - {name}\n\n"
    )


def local(name: str, body: str) -> str:
    return f'    .section .text.{name}, "ax", @progbits\n    .balign 4\n    .type   {name}, @function\n{name}:\n{body}    .size   {name}, . - {name}\n\n'


def transposition() -> str:
    text = ""
    for n, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        text += f"    li      t0, 0x{mask:08x}\n"
        text += "".join(f"    exchange {WORDS[i]}, {WORDS[i + n]}, {n}\n" for i in range(16) if not i & n)
    return text + "    ret\n"


@dataclass(frozen=True)
class Shape:
    """A cipher as the frame sees it: words of 16 bits in a block, and where the rounds begin and end with each bit: word -> bit -> place."""

    name: str
    cipher: str
    blocks: int
    block_bytes: int
    round_keys: int
    places: tuple[tuple[Place, ...], ...]
    last: int  # the word that lies in WORDS, so that it is loaded last and stored first

    @property
    def words(self) -> int:
        return len(self.places)


def load_words(shape: Shape, frame: Frame, word_at: Sequence[int]) -> str:
    """Read 32 blocks and leave every slice at its place."""
    text = f"    lw      t2, {frame['in']}(sp)\n"
    for word in [w for w in range(shape.words) if w != shape.last] + [shape.last]:
        for b in range(0, 16, 2):
            text += f"    gather  {WORDS[b]}, {WORDS[b + 1]}, {word_at[word] + shape.block_bytes * b}\n"
        text += f"    jal     {shape.name}_transpose\n"
        if word != shape.last:
            for bit, place in enumerate(shape.places[word]):
                if place.register is not None:
                    text += f"    mv      {place.register}, {WORDS[bit]}\n"
                else:
                    assert place.slot is not None
                    text += f"    sw      {WORDS[bit]}, {4 * place.slot}(sp)\n"
    return text


def store_words(shape: Shape, frame: Frame, word_at: Sequence[int], added: bool) -> str:
    """Write 32 blocks, xored to the input or not."""
    text = ""
    for word in [shape.last] + [w for w in range(shape.words) if w != shape.last]:
        if word != shape.last:
            for bit, place in enumerate(shape.places[word]):
                if place.register is not None:
                    text += f"    mv      {WORDS[bit]}, {place.register}\n"
                else:
                    assert place.slot is not None
                    text += f"    lw      {WORDS[bit]}, {4 * place.slot}(sp)\n"
        text += f"    jal     {shape.name}_transpose\n"
        if word == shape.last:
            text += f"    lw      t2, {frame['out']}(sp)\n"
            if added:
                text += f"    lw      a0, {frame['in']}(sp)\n"
        macro = "scatter_added" if added else "scatter"
        for b in range(16):
            text += f"    {macro} {WORDS[b]}, {word_at[word] + shape.block_bytes * b}\n"
    return text


def remember(frame: Frame, registers: Mapping[str, str]) -> str:
    return "".join(f"    sw      {register}, {frame[name]}(sp)\n" for name, register in registers.items())


def next_group(shape: Shape, frame: Frame, loop: str) -> str:
    """Advance the pointers by 32 blocks; t2 is still the output."""
    step = 32 * shape.block_bytes
    return (
        f"    lw      t1, {frame['in']}(sp)\n    lw      t0, {frame['groups']}(sp)\n    addi    t2, t2, {step}\n    addi    t1, t1, {step}\n    addi    t0, t0, -1\n"
        f"    sw      t2, {frame['out']}(sp)\n    sw      t1, {frame['in']}(sp)\n    sw      t0, {frame['groups']}(sp)\n"
        f"    beqz    t0, 2f\n    j       {loop}\n2:\n"
    )


LANES = (0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000)


def counters(shape: Shape, frame: Frame, word_at: Sequence[int]) -> str:
    """Slices of the block-sized big-endian counter plus 0, ..., 31, at the places of the words; then the counter advanced by 32.

    Bit n of the number lies in byte n / 8 from the end of the block: words hold their lower byte first.
    """
    bits = 16 * shape.words
    names = ("low", "high")[: bits // 32]
    text = ""
    for n in range(bits):
        word, bit = word_at.index(shape.block_bytes - 2 - n // 16 * 2), n % 16 ^ 8
        place = shape.places[word][bit]
        to = place.register or "a0"
        if n % 32 == 0:
            text += f"    lw      t0, {frame[names[n // 32]]}(sp)\n"
        text += f"    slli    t2, t0, {31 - n % 32}\n    srai    t2, t2, 31\n" if n % 32 != 31 else "    srai    t2, t0, 31\n"
        if n < 5:
            text += f"    li      ra, 0x{LANES[n]:08x}\n"
        if n == 0:
            text += f"    xor     {to}, t2, ra\n    and     t1, t2, ra\n"
        elif n < 5:
            text += f"    xor     a0, t2, ra\n    and     t2, t2, ra\n    and     ra, a0, t1\n    xor     {to}, a0, t1\n    or      t1, t2, ra\n"
        else:
            text += f"    xor     {to}, t2, t1\n" + ("    and     t1, t2, t1\n" if n < bits - 1 else "")
        if place.slot is not None:
            text += f"    sw      a0, {4 * place.slot}(sp)\n"
    text += f"    lw      t0, {frame['low']}(sp)\n    addi    t1, t0, 32\n    sw      t1, {frame['low']}(sp)\n"
    if len(names) == 2:
        text += f"    sltu    t0, t1, t0\n    lw      t1, {frame['high']}(sp)\n    add     t1, t1, t0\n    sw      t1, {frame['high']}(sp)\n"
    return text


def counter_bytes(shape: Shape, frame: Frame, store: bool) -> str:
    """The counter from memory of any alignment into the frame, or back."""
    text = f"    lw      t2, {frame['counter']}(sp)\n" if store else ""
    base = "t2" if store else "a3"
    for index, name in enumerate(("low", "high")[: shape.block_bytes // 4]):
        at = shape.block_bytes - 4 * (index + 1)
        if store:
            text += f"    lw      t0, {frame[name]}(sp)\n"
            for n in range(4):
                text += f"    sb      t0, {at + 3 - n}({base})\n" + ("    srli    t0, t0, 8\n" if n < 3 else "")
        else:
            text += f"    lbu     t0, {at}({base})\n"
            for n in range(1, 4):
                text += f"    lbu     t1, {at + n}({base})\n    slli    t0, t0, 8\n    or      t0, t0, t1\n"
            text += f"    sw      t0, {frame[name]}(sp)\n"
    return text


def header(shape: Shape, spec: str, operation: str, formula: str, frame: Frame, key_bytes: int) -> str:
    counted = operation == "ctr"
    more = "uint8_t *counter, " if counted else ""
    keys = "a4" if counted else "a3"
    counter = f"a3: {{buffer: counter, bytes: {shape.block_bytes}, access: rw}}, " if counted else ""
    secrets = "in, counter, keys" if counted else "in, keys"
    return f"""\
// {shape.cipher}, 32 blocks per group: {formula}
// void hanji_{spec}_rv32i_{operation}_x32(uint8_t *out, const uint8_t *in, size_t groups, {more}const void *keys);
/* kernel:
     spec: {spec}.{operation}
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: {{ a0: {{buffer: out, bytes: {32 * shape.block_bytes} * groups, access: w}}, a1: {{buffer: in, bytes: {32 * shape.block_bytes} * groups, access: r}},
             a2: {{value: groups}}, {counter}{keys}: {{buffer: keys, bytes: {key_bytes}, access: r}} }}
     aliasing: out == in allowed
     stack: {frame.size}
     secrets: {secrets}
*/
"""


def kernels(shape: Shape, spec: str, frame: Frame, word_at: Sequence[int], rounds: Mapping[str, str], before: Mapping[str, str]) -> str:
    """The file: `rounds` are subroutines by operation, `before` what sets a0 and the frame up for them."""
    key_bytes = 68 * shape.round_keys
    saves = "\n".join(f"    sw      {name}, {frame.saved + 4 * n}(sp)" for n, name in enumerate(SAVED) if n)
    half = 16 * shape.block_bytes
    text = HEAD.format(cipher=shape.cipher, pairs=4 * shape.round_keys)
    text += MACROS.format(
        half=half, half_next=half + shape.block_bytes, block=shape.block_bytes, frame=frame.size, saved=frame.saved, saves=saves, loads=saves.replace("sw ", "lw ")
    )
    text += "\n// Bit i of word j becomes bit j of word i, in both halves. Uses t0, t1; returns to ra.\n" + local(f"{shape.name}_transpose", transposition())
    for operation, body in rounds.items():
        text += f"// The rounds to {operation} on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.\n"
        text += local(f"{shape.name}_{operation}_rounds", body)
    arguments = {"out": "a0", "in": "a1", "groups": "a2"}
    for operation, formula in (("encrypt", "ciphertext = E_k(plaintext)."), ("decrypt", "plaintext = D_k(ciphertext)."), ("ctr", "out = in ^ E_k(counter + n).")):
        text += header(shape, spec, operation, formula, frame, key_bytes)
        counted = operation == "ctr"
        body = "    enter\n" + remember(frame, arguments | ({"counter": "a3", "keys": "a4"} if counted else {"keys": "a3"}))
        if counted:
            body += counter_bytes(shape, frame, store=False)
        body += "1:\n" + (counters(shape, frame, word_at) if counted else load_words(shape, frame, word_at))
        direction = "decrypt" if operation == "decrypt" else "encrypt"
        body += before[direction] + f"    jal     {shape.name}_{direction}_rounds\n"
        body += store_words(shape, frame, word_at, counted) + next_group(shape, frame, "1b")
        if counted:
            body += counter_bytes(shape, frame, store=True)
        body += "    leave\n"
        text += function(f"hanji_{spec}_rv32i_{operation}_x32", body)
    return text + "#endif\n"


def places_of(words: int, last: int, beside: Sequence[tuple[int, int]]) -> tuple[tuple[Place, ...], ...]:
    """Word `last` in WORDS, the bits `beside` of other words in BESIDE, all else in slots."""
    found = [[Place(register=WORDS[i]) if w == last else Place(slot=16 * w + i) for i in range(16)] for w in range(words)]
    for register, (w, i) in zip(BESIDE, beside, strict=True):
        found[w][i] = Place(register=register)
    return tuple(tuple(word) for word in found)


def speck32() -> str:
    places = places_of(2, 1, [(0, 7 + i) for i in range(7)])
    both: dict[str, list[Instruction]] = {}
    slots = 0
    for operation, make, skew in (("encrypt", speck_encrypt, 7), ("decrypt", speck_decrypt, 7)):
        p = Program()
        x, y = ([p.new() for _ in range(16)] for _ in range(2))
        entry = dict(zip([*x, *y], [*places[0], *places[1]], strict=True))
        x, y = make(p, x, y, 11, skew)
        leave = dict(zip([*x, *y], [*places[0], *places[1]], strict=True))
        both[operation], used = allocated(p, entry, leave, 16, 1.0, 1)
        slots = max(slots, used)
    frame = Frame(slots, ("out", "in", "groups", "keys", "counter", "low", "last", "back"))
    shape = Shape("speck32_rv32i_x32", "SPECK-32/64", 32, 4, 22, places, 1)
    rounds, before = {}, {}
    for operation, step, first, last in (("encrypt", 704, 88, 88 + 1408), ("decrypt", -704, 88 + 704, 88 - 704)):
        rounds[operation] = (
            f"    sw      ra, {frame['back']}(sp)\n1:\n" + listing(both[operation]) + f"    lw      ra, {frame['last']}(sp)\n    addi    a0, a0, {step}\n"
            f"    beq     a0, ra, 2f\n    j       1b\n2:\n    lw      ra, {frame['back']}(sp)\n    ret\n"
        )
        before[operation] = f"    lw      a0, {frame['keys']}(sp)\n    addi    t0, a0, {last}\n    addi    a0, a0, {first}\n    sw      t0, {frame['last']}(sp)\n"
    return kernels(shape, "speck32_64", frame, (2, 0), rounds, before)


def cham64() -> str:
    both: dict[str, list[Instruction]] = {}
    slots = 67
    places = places_of(4, 1, [(0, i) for i in range(7)])
    bits = (3, 4, 5, 6)
    for operation in ("encrypt", "decrypt"):
        p = Program()
        words = [[p.new() for _ in range(16)] for _ in range(4)]
        masks = {bit: p.new() for bit in bits}
        held = {value: Place(slot=64 + n) for n, value in enumerate(masks.values())}
        entry = {value: place for word, at in zip(words, places, strict=True) for value, place in zip(word, at, strict=True)} | held
        if operation == "encrypt":
            words = cham_encrypt(p, words, 8, 0, masks, 1, 6)
        else:
            words = cham_decrypt(p, words, 8, 0, masks, 0, 12)
        leave = {value: place for word, at in zip(words, places, strict=True) for value, place in zip(word, at, strict=True)} | held
        both[operation], used = allocated(p, entry, leave, 68, 1.5, 1)
        slots = max(slots, used)
    frame = Frame(slots, ("out", "in", "groups", "keys", "counter", "low", "high", "both_halves", "pass", "back"))
    shape = Shape("cham64_rv32i_x32", "CHAM-64/128", 32, 8, 16, places, 1)
    rounds, before = {}, {}
    set_masks = "".join(f"    slli    t1, t0, {31 - n}\n    srai    t1, t1, 31\n    sw      t1, {4 * (64 + n)}(sp)\n" for n in range(len(bits)))
    for operation, first, step, last in (("encrypt", 0, 1, 11), ("decrypt", 10, -1, -1)):
        rounds[operation] = (
            f"    li      t0, {first}\n    sw      ra, {frame['back']}(sp)\n1:\n    // Bits 3 to 6 of the number of the round are the number of the pass.\n"
            f"    sw      t0, {frame['pass']}(sp)\n{set_masks}" + listing(both[operation]) + f"    lw      t1, {frame['both_halves']}(sp)\n    lw      t0, {frame['pass']}(sp)\n"
            f"    sub     a0, t1, a0\n    li      t1, {last}\n    addi    t0, t0, {step}\n    beq     t0, t1, 2f\n    j       1b\n2:\n"
            f"    lw      ra, {frame['back']}(sp)\n    ret\n"
        )
        # The masks of eight rounds and those of the other eight take turns; both passes that begin and end are even.
        before[operation] = (
            f"    lw      a0, {frame['keys']}(sp)\n    addi    a0, a0, 64\n    addi    t0, a0, 512\n    add     t0, t0, a0\n    sw      t0, {frame['both_halves']}(sp)\n"
        )
    return kernels(shape, "cham64_128", frame, (0, 2, 4, 6), rounds, before)


FILES = {"src/speck/speck32_rv32i_x32.S": speck32, "src/cham/cham64_rv32i_x32.S": cham64}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is not up to date")
    check = parser.parse_args().check
    stale = [name for name, make in FILES.items() if not (ROOT / name).is_file() or (ROOT / name).read_text() != make()]
    for name in stale:
        if not check:
            (ROOT / name).write_text(FILES[name]())
    if check and stale:
        print(f"not up to date: {', '.join(stale)}; run .venv/bin/python tools/rv32_kernels.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
