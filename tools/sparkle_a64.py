# SPDX-License-Identifier: Apache-2.0
"""Write the SPARKLE kernels for AArch64: src/sparkle/sparkle{256,384,512}_{a64,neon_x4,neon_x4tbl,neon_x5,sha3_x4}.S.

    tools/sparkle_a64.py            write all files
    tools/sparkle_a64.py --check    compare them with what would be written; exit status 1 when one differs

A permutation is written down step by step as in the specification (Beierle et al., specification v1.2, section 2.1), as
operations on named registers and on temporaries. The scheduler then puts the operations into an order that keeps the
pipes of a small core busy and never needs more temporaries than there are registers. It changes the order only: every
operation reads what it read before. The branch permutation at the end of a step costs nothing: the next step uses the
registers in another order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOM = Path(__file__).resolve().parent.parent / "src/sparkle"
CONSTANTS = (0xB7E15162, 0xBF715880, 0x38B4DA56, 0x324E7738, 0xBB1185EB, 0x4F7C7B57, 0xCFBFA1C8, 0xC2B3293D)
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
    """One instruction. `pipe` says where it runs, `shifted` which source passes through the shifter first.

    A name that begins with % is a temporary, %w or %v, which the scheduler replaces by a register of that kind.
    """

    text: str
    target: str
    sources: tuple[str, ...]
    pipe: str
    shifted: str = ""


@dataclass
class Code:
    """A list of operations that grows."""

    ops: list[Op] = field(default_factory=list)
    temporaries: int = 0
    marks: tuple[str, ...] = ()

    def temporary(self, kind: str) -> str:
        """A new name for a register of this kind, w or v."""
        self.temporaries += 1
        return f"%{kind}{self.temporaries}"

    def put(self, text: str, pipe: str, target: str, *sources: str, shifted: str = "") -> None:
        """Append an operation; {d}, {0}, {1} .. stand for the registers."""
        self.ops.append(Op(text, target, sources, pipe, shifted))


# Machines to schedule for: latency of a result by the pipe that made it and by its reader, operations per cycle and pipe, operations per cycle.


@dataclass(frozen=True)
class Machine:
    """What the scheduler knows of a core."""

    width: int
    pipes: dict[str, tuple[str, ...]]  # of an operation: the units that can run it
    latency: Callable[[Op, Op, str], int]


def scalar_latency(producer: Op, consumer: Op, register: str) -> int:
    """Cortex-A55: rotations (R) neither give nor take forwarded results, shifted operands are needed a cycle earlier."""
    if "R" in (producer.pipe, consumer.pipe):
        return 3
    return 2 if consumer.shifted == register else 1


def hybrid_latency(producer: Op, consumer: Op, register: str) -> int:
    """Cortex-A72: vector operations take 3 cycles, operations with a shifted operand 2."""
    if producer.pipe in "VS":
        return 3
    return 2 if producer.pipe == "M" else 1


SMALL = Machine(2, {"I": ("0", "1"), "M": ("0", "1"), "R": ("0", "1")}, scalar_latency)
A72 = Machine(
    3, {"V": ("f0", "f1"), "S": ("f1",), "I": ("i0", "i1"), "R": ("i0", "i1"), "M": ("m",)}, hybrid_latency
)


def schedule(code: Code, temporaries: Sequence[str], machine: Machine) -> list[str]:
    """The operations as text, in an order for an in-order core of this kind, longest path first.

    An operation waits for what it reads, for all readers of what it overwrites, for a unit and, if it begins a
    temporary, for a free register of `temporaries`.
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
        for reader in readers.get(op.target, []):
            if reader != i:
                edges.setdefault(reader, 0)
        if op.target in writer:
            edges.setdefault(writer[op.target], 1)
        for made, cycles in edges.items():
            after[made].append((i, cycles))
            before[i] += 1
        writer[op.target], readers[op.target] = i, []
        for register in {op.target, *op.sources}:
            if register.startswith("%"):
                users.setdefault(register, set()).add(i)
    height = [0] * len(ops)
    for i in reversed(range(len(ops))):
        height[i] = max((height[j] + max(cycles, 1) for j, cycles in after[i]), default=0)

    free, place = list(temporaries), dict[str, str]()

    def register_for(op: Op) -> str | None:
        """Where its result can go: its own place, or a free register of the kind."""
        if not op.target.startswith("%"):
            return op.target
        return place.get(op.target) or next((register for register in free if register[0] == op.target[1]), None)

    ready = [i for i, count in enumerate(before) if count == 0]
    earliest = [0] * len(ops)
    done: list[str] = []
    cycle = 0
    while len(done) < len(ops):
        busy: set[str] = set()
        for _ in range(machine.width):

            def unit(i: int, busy: set[str] = busy) -> str | None:
                return next((u for u in machine.pipes[ops[i].pipe] if u not in busy), None)

            can = [
                i for i in ready
                if earliest[i] <= cycle and unit(i) and register_for(ops[i])
            ]  # fmt: skip
            if not can:
                break
            chosen = max(can, key=lambda i: (height[i], -i))
            op = ops[chosen]
            ready.remove(chosen)
            busy.add(unit(chosen) or "")
            if op.target.startswith("%") and op.target not in place:
                place[op.target] = register_for(op) or ""
                free.remove(place[op.target])
            named = [place.get(register, register) for register in op.sources]
            done.append(op.text.format(*named, d=place.get(op.target, op.target)))
            for register in {op.target, *op.sources}:
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
            raise SystemExit("too few temporaries: the schedule does not end")
    return done


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
        """After a step: the right half, turned by a branch, becomes the left one; the left half becomes the right one."""
        half = len(self.x) // 2
        order = [*range(half + 1, 2 * half), half, *range(half)]
        return Branches([self.x[j] for j in order], [self.y[j] for j in order])


def branches(words: Sequence[str]) -> Branches:
    """The registers of a state in the order of its words."""
    return Branches(list(words[0::2]), list(words[1::2]))


# A step number that is no immediate of EOR, as a constant shifted right: 5 = c0 >> 29, 9 = c5 >> 27, 11 = c0 >> 28.
SHIFTED_STEP = {5: (0, 29), 9: (5, 27), 11: (0, 28)}


def scalar_step(code: Code, state: Branches, constants: Sequence[str], number: int | None) -> None:
    """A step in w registers: 15 instructions per ARX-box. Without a number the caller has added it already."""
    put, x, y = code.put, state.x, state.y
    half = len(x) // 2
    if number is not None:
        if number in SHIFTED_STEP:
            which, shift = SHIFTED_STEP[number]
            put("eor {d}, {0}, {1}, lsr #%d" % shift, "M", y[1], y[1], constants[which], shifted=constants[which])
        elif number == 10:
            put("eor {d}, {0}, #8", "I", y[1], y[1])
            put("eor {d}, {0}, #2", "I", y[1], y[1])
        elif number > 0:
            put("eor {d}, {0}, #%d" % number, "I", y[1], y[1])
        put("eor {d}, {0}, {1}", "I", y[0], y[0], constants[number % 8])
    for j in range(2 * half):
        for r, s in ROTATIONS:
            turned = y[j]
            if r:
                turned = code.temporary("w")
                put("ror {d}, {0}, #%d" % r, "R", turned, y[j])
            put("add {d}, {0}, {1}", "I", x[j], x[j], turned)
            put("eor {d}, {0}, {1}, ror #%d" % s, "M", y[j], y[j], x[j], shifted=x[j])
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
            put("eor {d}, {0}, {1}, ror #16", "M", words[half + j], words[half + j], total, shifted=total)


def vector_rotation(code: Code, target: str, source: str, r: int, shuffle: str) -> None:
    """target = source rotated right by r in every word; `shuffle` holds the byte order of a rotation by 24, or is empty."""
    if r == 16:
        code.put("rev32 {d}.8h, {0}.8h", "V", target, source)
    elif r == 24 and shuffle:
        code.put("tbl {d}.16b, {{ {0}.16b }}, {1}.16b", "V", target, source, shuffle)
    else:
        code.put("shl {d}.4s, {0}.4s, #%d" % (32 - r), "S", target, source)
        code.put("sri {d}.4s, {0}.4s, #%d" % r, "S", target, source, target)


def vector_step(code: Code, state: Branches, constants: Sequence[str], number: int | None, shuffle: str, eor3: bool) -> None:
    """A step in vectors that hold one word of four states each."""
    put, x, y = code.put, state.x, state.y
    half = len(x) // 2

    def xor(target: str, *sources: str) -> None:
        first, *rest = sources
        while rest:
            if eor3 and len(rest) > 1:
                put("eor3 {d}.16b, {0}.16b, {1}.16b, {2}.16b", "V", target, first, rest.pop(0), rest.pop(0))
            else:
                put("eor {d}.16b, {0}.16b, {1}.16b", "V", target, first, rest.pop(0))
            first = target

    if number is not None:
        if number > 0:
            step = code.temporary("v")
            # It reads nothing, but must not take its register before the sums of the step before are there.
            put("movi {d}.4s, #%d" % number, "V", step, *code.marks)
            xor(y[1], y[1], step)
        xor(y[0], y[0], constants[number % 8])
    for j in range(2 * half):
        for r, s in ROTATIONS:
            turned = y[j]
            if r:
                turned = code.temporary("v")
                vector_rotation(code, turned, y[j], r, shuffle)
            put("add {d}.4s, {0}.4s, {1}.4s", "V", x[j], x[j], turned)
            turned = code.temporary("v")
            vector_rotation(code, turned, x[j], s, shuffle)
            xor(y[j], y[j], turned)
            xor(x[j], x[j], constants[j])
    sums = []
    for left in (x, y):
        total, low = code.temporary("v"), code.temporary("v")
        xor(total, *left[:half])
        put("shl {d}.4s, {0}.4s, #16", "S", low, total)
        xor(total, total, low)
        put("rev32 {d}.8h, {0}.8h", "V", total, total)
        sums.append(total)
        code.marks = (low,)
    for j in range(half):
        for words, total in ((y, sums[0]), (x, sums[1])):
            if eor3:
                xor(words[half + j], words[half + j], words[j], total)
            else:
                xor(words[half + j], words[half + j], words[j])
                xor(words[half + j], words[half + j], total)


def moves(targets: Sequence[str], sources: Sequence[str], spare: str, move: str) -> Iterator[str]:
    """Instructions that bring the values of `sources` into `targets`, a permutation of the same registers."""
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
    """General registers for data, in the order in which they are given out: x18 belongs to the platform."""
    return [n for n in range(first, 31) if n != 18][:count]


def pairs(registers: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours; an odd last one is paired with itself never: the caller gives an even number."""
    return list(zip(registers[0::2], registers[1::2], strict=True))


def saved(used: Sequence[int]) -> list[str]:
    """The callee-saved general registers among them, filled up to whole pairs."""
    kept = [n for n in range(19, 31) if n in used]
    if len(kept) % 2:
        kept.append(next(n for n in range(19, 31) if n not in kept))
    return [f"x{n}" for n in sorted(kept)]


def save(registers: Sequence[str]) -> list[str]:
    """Push pairs of 8-byte registers."""
    out = []
    for i, (a, b) in enumerate(pairs(registers)):
        out.append(f"stp {a}, {b}, [sp, #-{8 * len(registers)}]!" if i == 0 else f"stp {a}, {b}, [sp, #{16 * i}]")
    return out


def restore(registers: Sequence[str]) -> list[str]:
    """Pop them."""
    out = []
    for i, (a, b) in reversed(list(enumerate(pairs(registers)))):
        out.append(f"ldp {a}, {b}, [sp], #{8 * len(registers)}" if i == 0 else f"ldp {a}, {b}, [sp, #{16 * i}]")
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
    return lines(FUNCTION.format(name=name).splitlines(), f"{name}:", *body, f".size {name}, .-{name}", "")


def header(name: str, size: Size, isa: str, blocks: int, arguments: str, args: str, what: str, stack: int, secrets: str) -> list[str]:
    """The comment that hanji-lab reads."""
    return f"""\
// {what}
// void {name}({arguments});
/* kernel:
     spec: sparkle{size.bits}.permute
     isa: {isa}
     blocks: {blocks}
     args: {{ {args} }}
     aliasing: none
     stack: {stack}
     secrets: {secrets}
*/""".splitlines()


def file(what: str, *parts: Sequence[str]) -> str:
    """A whole file."""
    top = f"""\
// SPDX-License-Identifier: Apache-2.0
// {what}
// Beierle et al., specification v1.2, section 2.1. Generated by tools/sparkle_a64.py, which orders the instructions; do not edit.
#include "support/cpu.h"

#ifdef HANJI_A64
"""
    body = "\n".join(line for part in parts for line in part)
    return f"{top}{body}\n#endif\n\n#if defined(__linux__)\n.section .note.GNU-stack, \"\", %progbits\n#endif\n"


def constant_table(label: str) -> list[str]:
    """c0 .. c7."""
    return lines(".p2align 4", f"{label}:", [".word " + ", ".join(f"0x{c:08x}" for c in CONSTANTS)])


def steps(add: Callable[[Code, Branches, int], None], state: Branches, first: int, last: int) -> tuple[Code, Branches]:
    """Steps first .. last - 1, and where the state is afterwards."""
    code = Code()
    for number in range(first, last):
        add(code, state, number)
        state = state.permuted()
    return code, state


def a64(size: Size) -> str:
    """One state in general registers."""
    name = f"hanji_sparkle{size.bits}_a64_x1"
    spare = 4 if size.branches == 4 else 3
    registers = general(1 + size.words + 8 + spare)[1:]
    words = [w(n) for n in registers[: size.words]]
    constants = [w(n) for n in registers[size.words : size.words + 8]]
    temporaries = [w(n) for n in registers[size.words + 8 :]]
    kept = saved(registers)
    table = temporaries[0].replace("w", "x")
    start = branches(words)

    def step(code: Code, state: Branches, number: int) -> None:
        scalar_step(code, state, constants, number)

    def stores(state: Branches) -> list[str]:
        return [f"stp {a}, {b}, [x0, #{8 * i}]" for i, (a, b) in enumerate(pairs(state.words()))]

    slim, middle = steps(step, start, 0, size.slim)
    rest, end = steps(step, middle, size.slim, size.big)
    loads = lines(
        [f"ldp {a}, {b}, [x0, #{8 * i}]" for i, (a, b) in enumerate(pairs(words))],
        f"adr {table}, .Lconstants",
        [f"ldp {a}, {b}, [{table}, #{8 * i}]" for i, (a, b) in enumerate(pairs(constants))],
    )
    single = Code()
    scalar_step(single, start, constants, None)
    # The loop for other numbers of steps keeps step number and count in registers of constants that a step does not use, or on the stack.
    number, count = "w29", "w30"
    frame = ["x29", "x30", *kept] if "x29" not in kept else kept
    return file(
        f"SPARKLE{size.bits} in general registers: state and constants stay in w registers, ARX-boxes are interleaved.",
        header(
            name, size, "a64", 1, "uint32_t *states, size_t groups, uint32_t steps",
            f"x0: {{buffer: states, bytes: {4 * size.words} * groups, access: rw}}, x1: {{value: groups}}, x2: {{value: steps}}",
            "Apply the permutation of `steps` steps to each state.", 8 * len(frame) + 48, "states",
        ),
        function(
            name,
            "// One state and the big number of steps, or the slim one, run straight through; the flags say which.",
            ["cmp x1, #1", f"ccmp w2, #{size.big}, #0, eq", "b.ne .Lnot_big"],
            ".Lone:",
            save(kept),
            loads,
            schedule(slim, temporaries, SMALL),
            "b.ne .Lslim",
            schedule(rest, temporaries, SMALL),
            stores(end),
            restore(kept),
            "ret",
            ".Lslim:",
            stores(middle),
            restore(kept),
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
            [f"mov {count}, w2", f"mov {number}, wzr"],
            loads,
            ".Lstep:",
            [f"cmp {number}, {count}", "b.eq .Lend"],
            [
                f"adr {table}, .Lconstants",
                f"and {temporaries[1]}, {number}, #7",
                f"ldr {temporaries[1]}, [{table}, {temporaries[1]}, uxtw #2]",
                f"eor {start.y[0]}, {start.y[0]}, {temporaries[1]}",
                f"eor {start.y[1]}, {start.y[1]}, {number}",
            ],
            schedule(single, temporaries, SMALL),
            list(moves(start.words(), start.permuted().words(), temporaries[0], "mov {0}, {1}")),
            [f"add {number}, {number}, #1", "b .Lstep"],
            ".Lend:",
            stores(start),
            restore(frame),
            "ret",
            constant_table(".Lconstants"),
        ),
    )  # fmt: skip


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


def transpose(four: Sequence[str], spare: Sequence[str]) -> list[str]:
    """Four words of four states to four states of one word, in place, and back: a transpose of 4 x 4 words."""
    a, b, c, d = four
    p, q, r, s = spare
    return [
        f"trn1 {p}.4s, {a}.4s, {b}.4s",
        f"trn2 {q}.4s, {a}.4s, {b}.4s",
        f"trn1 {r}.4s, {c}.4s, {d}.4s",
        f"trn2 {s}.4s, {c}.4s, {d}.4s",
        f"trn1 {a}.2d, {p}.2d, {r}.2d",
        f"trn1 {b}.2d, {q}.2d, {s}.2d",
        f"trn2 {c}.2d, {p}.2d, {r}.2d",
        f"trn2 {d}.2d, {q}.2d, {s}.2d",
    ]


def q(register: str) -> str:
    """The 128-bit view for loads and stores."""
    return register.replace("v", "q")


def states_out(operation: str, registers: Sequence[str], words: int) -> list[str]:
    """Load or store four states of `words` words, four words of one state in each register; the registers are in the order of the words, state by state in each four."""
    out = []
    for state in range(4):
        row = [q(registers[4 * group + state]) for group in range(words // 4)]
        at = 4 * words * state
        for i in range(0, len(row) - 1, 2):
            out.append(f"{operation.replace('r', 'p')} {row[i]}, {row[i + 1]}, [x0, #{at + 16 * i}]")
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


def x4(size: Size, variant: Variant) -> str:
    """Four states in the four words of vectors."""
    base = f"hanji_sparkle{size.bits}_{variant.isa}_{variant.suffix}"
    spare = 8 if size.branches == 4 else 4 + variant.shuffle
    used = VECTORS[: size.words + 8 + variant.shuffle + spare]
    words = [v(n) for n in used[: size.words]]
    constants = [v(n) for n in used[size.words : size.words + 8]]
    shuffle = v(used[size.words + 8]) if variant.shuffle else ""
    temporaries = [v(n) for n in used[size.words + 8 + variant.shuffle :]]
    kept = saved_vectors(used)
    start = branches(words)

    def step(code: Code, state: Branches, number: int) -> None:
        vector_step(code, state, constants, number, shuffle, variant.eor3)

    slim, middle = steps(step, start, 0, size.slim)
    rest, end = steps(step, middle, size.slim, size.big)
    single = Code()
    vector_step(single, start, constants, None, shuffle, variant.eor3)

    def turn(state: Branches) -> list[str]:
        order = state.words()
        return [line for group in range(0, size.words, 4) for line in transpose(order[group : group + 4], temporaries[:4])]

    def lanes(operation: str, state: Branches) -> list[str]:
        return [f"{operation} {q(a)}, {q(b)}, [x0, #{32 * i}]" for i, (a, b) in enumerate(pairs(state.words()))]

    def finish(state: Branches) -> list[str]:
        return [*turn(state), *states_out("str", state.words(), size.words), f"add x0, x0, #{16 * size.words}"]

    load_constants = ["adr x3, .Lconstants", *(f"ld1r {{ {c}.4s }}, [x3], #4" for c in constants)]
    if shuffle:
        load_constants.append(f"ldr {q(shuffle)}, [x3]")
    old, mask = temporaries[:2]
    table = lines([".byte " + ", ".join(str(4 * (i // 4) + (i + 3) % 4) for i in range(16))]) if shuffle else []
    stack = 8 * len(kept)
    return file(
        f"SPARKLE{size.bits}, four states at a time, a word of each in every vector; {variant.what}.",
        lines(
            ".arch armv8.2-a+sha3" if variant.eor3 else ".arch armv8-a",
            "",
            "// Steps 0 .. slim - 1 of the state in its registers.",
            ".p2align 4",
            ".Lslim_steps:",
            schedule(slim, temporaries, A72),
            "ret",
            "",
            "// The steps up to the big number, after those.",
            ".p2align 4",
            ".Lmore_steps:",
            schedule(rest, temporaries, A72),
            "ret",
            "",
        ),
        header(
            base, size, variant.isa, 4, "uint32_t *states, size_t groups, uint32_t steps",
            f"x0: {{buffer: states, bytes: {16 * size.words} * groups, access: rw}}, x1: {{value: groups}}, x2: {{value: steps}}",
            "Apply the permutation of `steps` steps to each state; a group is four states.", stack, "states",
        ),
        function(
            base,
            ["cbz x1, .Lnone", "mov x9, x30"],
            save(kept),
            load_constants,
            [f"cmp w2, #{size.big}", f"ccmp w2, #{size.slim}, #4, ne", "b.ne .Lany"],
            ".Lgroup:",
            states_out("ldr", words, size.words),
            turn(start),
            ["bl .Lslim_steps", f"cmp w2, #{size.slim}", "b.eq .Lslim", "bl .Lmore_steps"],
            finish(end),
            ["subs x1, x1, #1", "b.ne .Lgroup"],
            ".Lleave:",
            restore(kept),
            "ret x9",
            ".Lslim:",
            finish(middle),
            ["subs x1, x1, #1", "b.ne .Lgroup", "b .Lleave"],
            "// Any other number of steps, a step at a time; the registers go back to their places after each.",
            ".Lany:",
            states_out("ldr", words, size.words),
            turn(start),
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
            finish(start),
            ["subs x1, x1, #1", "b.ne .Lany", "b .Lleave"],
            ".Lnone:",
            "ret",
            constant_table(".Lconstants"),
            table,
        ),
        header(
            f"{base}_lanes", size, variant.isa, 4, "uint32_t *state, const uint32_t *big",
            f"x0: {{buffer: state, bytes: {16 * size.words}, access: rw}}, x1: {{buffer: big, bytes: 16, access: r}}",
            "Word w of the four states at 4 * w: slim steps, or big ones where the mask in `big` is all ones; without `big` slim for all.",
            stack, "state",
        ),
        function(
            f"{base}_lanes",
            "mov x9, x30",
            save(kept),
            load_constants,
            lanes("ldp", start),
            ["bl .Lslim_steps"],
            lanes("stp", middle),
            ["cbz x1, .Llanes_leave", "bl .Lmore_steps", f"ldr {q(mask)}, [x1]"],
            [
                line
                for i, word in enumerate(end.words())
                for line in (f"ldr {q(old)}, [x0, #{16 * i}]", f"bif {word}.16b, {old}.16b, {mask}.16b", f"str {q(word)}, [x0, #{16 * i}]")
            ],
            ".Llanes_leave:",
            restore(kept),
            "ret x9",
        ),
    )  # fmt: skip


def x5(size: Size) -> str:
    """Four states in vectors and one in general registers, at the same time."""
    name = f"hanji_sparkle{size.bits}_neon_x5_lanes"
    used = VECTORS[: size.words + 8 + (8 if size.branches == 4 else 4)]
    words = [v(n) for n in used[: size.words]]
    constants = [v(n) for n in used[size.words : size.words + 8]]
    spare = [v(n) for n in used[size.words + 8 :]]
    registers = general(2 + size.words + 8 + (4 if size.branches < 8 else 3))[2:]
    own = [w(n) for n in registers[: size.words]]
    own_constants = [w(n) for n in registers[size.words : size.words + 8]]
    own_spare = [w(n) for n in registers[size.words + 8 :]]
    kept, kept_vectors = saved(registers), saved_vectors(used)
    start, own_start = branches(words), branches(own)

    def both(first: int, last: int, state: Branches, own_state: Branches) -> tuple[list[str], Branches, Branches]:
        code = Code()
        for number in range(first, last):
            vector_step(code, state, constants, number, "", False)
            scalar_step(code, own_state, own_constants, number)
            state, own_state = state.permuted(), own_state.permuted()
        return schedule(code, [*spare, *own_spare], A72), state, own_state

    slim, middle, own_middle = both(0, size.slim, start, own_start)
    rest, end, own_end = both(size.slim, size.big, middle, own_middle)

    def lanes(operation: str, state: Branches, own_state: Branches) -> list[str]:
        at = 16 * size.words
        return [
            *(f"{operation} {q(a)}, {q(b)}, [x0, #{32 * i}]" for i, (a, b) in enumerate(pairs(state.words()))),
            f"add {own_table}, x0, #{at}",
            *(f"{operation} {a}, {b}, [{own_table}, #{8 * i}]" for i, (a, b) in enumerate(pairs(own_state.words()))),
        ]

    own_table = own_spare[0].replace("w", "x")
    old, mask = spare[:2]
    own_old = own_spare[1]
    return file(
        f"SPARKLE{size.bits}, five states at a time: four in vectors and one in general registers, whose units would be idle.",
        header(
            name, size, "neon", 5, "uint32_t *state, const uint32_t *big",
            f"x0: {{buffer: state, bytes: {20 * size.words}, access: rw}}, x1: {{buffer: big, bytes: 20, access: r}}",
            "Word w of states 0 .. 3 at 4 * w and the words of state 4 behind them: slim steps, or big ones where the mask in `big` is all ones; without `big` slim for all.",
            8 * (len(kept) + len(kept_vectors)), "state",
        ),
        function(
            name,
            save(kept),
            save(kept_vectors),
            f"adr {own_table}, .Lconstants",
            [f"ldp {a}, {b}, [{own_table}, #{8 * i}]" for i, (a, b) in enumerate(pairs(own_constants))],
            [f"ld1r {{ {c}.4s }}, [{own_table}], #4" for c in constants],
            lanes("ldp", start, own_start),
            slim,
            lanes("stp", middle, own_middle),
            "cbz x1, .Lleave",
            rest,
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
        ),
    )  # fmt: skip


def files() -> dict[str, str]:
    """Name and text of every file."""
    out = {}
    for size in SIZES:
        out[f"sparkle{size.bits}_a64.S"] = a64(size)
        for variant in (SHIFTS, TABLE, EOR3):
            out[f"sparkle{size.bits}_{variant.isa}_{variant.suffix}.S"] = x4(size, variant)
        out[f"sparkle{size.bits}_neon_x5.S"] = x5(size)
    return out


def main() -> int:
    """Write or check."""
    differ = 0
    for name, text in files().items():
        path = ROOM / name
        if sys.argv[1:] == ["--check"]:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                print(f"{path} is not what tools/sparkle_a64.py writes: run it")
                differ = 1
        else:
            path.write_text(text, encoding="utf-8")
    return differ


if __name__ == "__main__":
    sys.exit(main())
