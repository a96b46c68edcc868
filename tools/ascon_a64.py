# SPDX-License-Identifier: Apache-2.0
"""Write the Ascon kernels for AArch64 that take many messages.

src/ascon/generated/ascon_{neon,sha3}_x5.S.

    tools/ascon_a64.py            write all files
    tools/ascon_a64.py --check    compare them; exit status 1 when one differs

Two states are in the lanes of vectors, three in general registers, whose units would be idle:
vectors of NEON alone are slower than general registers alone on every core that we have a model of.
A round of all states is one piece of code, which the scheduler of the SPARKLE kernels puts in
order, and a loop: p[8] and p[12] begin at different places of a table of constants.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from generated import complete, write_or_check
from sparkle_a64_schedule import A72, Code, Machine, Op, schedule
from sparkle_a64_text import function, lines, pairs, restore, save

ROOM = "src/ascon/generated"
WORDS = 5
CONSTANTS = [0xF0 - 0x0F * i for i in range(12)]
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))

# Registers: constant and place in the table of constants, states, temporaries. x18 belongs to the
# platform, d8 to d15 to the caller.
CONSTANT, TABLE = "x28", "x29"
GENERAL = [f"x{n}" for n in range(12)]
GENERAL_STATES = [
    ["x12", "x13", "x14", "x15", "x16"],
    ["x17", "x19", "x20", "x21", "x22"],
    ["x23", "x24", "x25", "x26", "x27"],
]
VECTOR_CONSTANT, ZERO = "v31", "v30"
VECTOR_STATE = [f"v{n}" for n in range(5)]
VECTORS = [*(f"v{n}" for n in (5, 6, 7)), *(f"v{n}" for n in range(16, 30))]
KEPT = ["x29", "x30", *(f"x{n}" for n in range(19, 29))]
LANES = 2 + len(GENERAL_STATES)

# Where src/ascon/ascon_lanes.h has the addresses of texts (HANJI_ASCON_LANES_MAX is 8).
IN, OUT = 128, 192


def wide_latency(producer: Op, consumer: Op, register: str) -> int:
    """A core with FEAT_SHA3: vector operations take 2 cycles, loads 5."""
    if producer.pipe == "L":
        return 5
    return 1 if producer.pipe == "I" else 2


WIDE = Machine(
    6,
    {
        "V": ("f0", "f1", "f2", "f3"),
        "S": ("f0", "f1", "f2", "f3"),
        "I": ("i0", "i1", "i2", "i3"),
        "M": ("i0", "i1"),
    },
    wide_latency,
)


@dataclass(frozen=True)
class Kit:
    """How a file computes."""

    isa: str
    machine: Machine

    @property
    def sha3(self) -> bool:
        """Whether there are EOR3, BCAX and XAR."""
        return self.isa == "sha3"

    @property
    def name(self) -> str:
        """The end of the names of its functions."""
        return f"{self.isa}_x{LANES}"


KITS = (Kit("neon", A72), Kit("sha3", WIDE))


# Rounds. The SHA-3 instructions have no or-not: S2 stays complemented between rounds, and so are
# the constants (the linear layer of a complement is the complement of the linear layer).


# Words go back to their registers, and chains of operations stay in one: a state in general
# registers needs four temporaries in any order of its operations, and 12 are there for three.


def general_round(code: Code, x: Sequence[str], complemented: bool) -> None:
    """A round in general registers: 26 instructions."""

    def do(operation: str, a: str, b: str, target: str = "") -> str:
        target = target or code.temporary("x")
        code.put(f"{operation} {{d}}, {{0}}, {{1}}", "I", target, a, b)
        return target

    x0, x1, x2, x3, x4 = x
    do("eor", x2, CONSTANT, x2)
    t0, t1, t2 = do("eor", x1, x2), do("eor", x0, x4), do("eor", x3, x4)
    do("bic" if complemented else "orn", *((x4, x3) if complemented else (x3, x4)), x4)
    do("eor", x4, t0, x4)
    y3 = do("orr", x0, t2)
    do("eor", y3, t0, y3)
    do("eor", x2, t1, x2)
    do("orr", x2, x1, x2)
    do("eor", x2, t2, x2)
    do("eor", x3, x1, x3)
    do("orr", x3, t0, x3)
    do("eor", x3, t1, x3)
    do("bic", x1, t1, x1)
    do("eor", x1, t2, x1)
    y = [x2, x3, x4, y3, x1]
    for i in (0, 2, 4, 1, 3):
        r, s = ROTATIONS[i]
        code.put(f"eor {{d}}, {{0}}, {{0}}, ror #{r}", "M", x[i], y[i], shifted=y[i])
        code.put(f"eor {{d}}, {{0}}, {{1}}, ror #{s}", "M", x[i], x[i], y[i], shifted=y[i])


def neon_round(code: Code, x: Sequence[str]) -> None:
    """A round of two states with SHL and SRI for rotations: 46 instructions."""

    def do(operation: str, a: str, b: str, target: str = "") -> str:
        target = target or code.temporary("v")
        code.put(f"{operation} {{d}}.16b, {{0}}.16b, {{1}}.16b", "V", target, a, b)
        return target

    def rotate(target: str, value: str, r: int) -> None:
        code.put(f"shl {{d}}.2d, {{0}}.2d, #{64 - r}", "S", target, value)
        code.put(f"sri {{d}}.2d, {{1}}.2d, #{r}", "S", target, target, value)

    x0, x1, x2, x3, x4 = x
    do("eor", x2, VECTOR_CONSTANT, x2)
    t0, t1, t2 = do("eor", x1, x2), do("eor", x0, x4), do("eor", x3, x4)
    y0, y1, y2, y3, y4 = (
        do("eor", x2, t1),
        do("eor", x3, x1),
        do("orn", x3, x4),
        do("orr", x0, t2),
        do("bic", x1, t1),
    )
    do("orr", y0, x1, y0)
    do("orr", y1, t0, y1)
    ends = ((y0, t2), (y1, t1), (y2, t0), (y3, t0), (y4, t2))
    for word, (y, other), (r, s) in zip(x, ends, ROTATIONS, strict=True):
        do("eor", y, other, y)
        turned = code.temporary("v")
        rotate(word, y, r)
        rotate(turned, y, s)
        do("eor", y, turned, y)
        do("eor", word, y, word)


# Words of the S-box that BCAX makes. On Neoverse V1, N2 and V2 one of the vector units alone runs
# the SHA-3 instructions: BIC and EOR make two words, which costs two instructions and, by the
# models, saves 9 % of the cycles of a round.
BCAX = (1, 2, 3)


def sha3_round(code: Code, x: Sequence[str]) -> None:
    """A round of two states with the SHA-3 instructions, S2 complemented: 28 instructions."""

    def do(text: str, target: str, *sources: str) -> str:
        code.put(text, "V", target, *sources)
        return target

    xor = "eor {d}.16b, {0}.16b, {1}.16b"
    xor3 = "eor3 {d}.16b, {0}.16b, {1}.16b, {2}.16b"
    do(xor3, x[2], x[2], x[1], VECTOR_CONSTANT)
    do(xor, x[0], x[0], x[4])
    do(xor, x[4], x[4], x[3])
    # y = x ^ (the word after the next one & ~ the next one)
    y = [code.temporary("v") for _ in range(WORDS)]
    for i in range(WORDS):
        after, two = x[(i + 1) % WORDS], x[(i + 2) % WORDS]
        if i in BCAX:
            do("bcax {d}.16b, {0}.16b, {1}.16b, {2}.16b", y[i], x[i], two, after)
        else:
            do("bic {d}.16b, {0}.16b, {1}.16b", y[i], two, after)
            do(xor, y[i], y[i], x[i])
    # Three words are sums of two; XAR adds them up before it rotates.
    for i, other in ((1, y[0]), (0, y[4]), (3, y[2]), (2, ""), (4, "")):
        turned = code.temporary("v")
        for target, rotation in zip((x[i], turned), ROTATIONS[i], strict=True):
            do(f"xar {{d}}.2d, {{0}}.2d, {{1}}.2d, #{rotation}", target, y[i], other or ZERO)
        if other:
            do(xor, y[i], y[i], other)
        do(xor3, x[i], y[i], x[i], turned)


def q(register: str) -> str:
    """The 128-bit view of a vector."""
    return register.replace("v", "q")


def round_of(kit: Kit) -> list[str]:
    """A round of all states, and the constant of the next one behind its last use."""
    code = Code()
    (sha3_round if kit.sha3 else neon_round)(code, VECTOR_STATE)
    for x in GENERAL_STATES:
        general_round(code, x, kit.sha3)
    out = schedule(code, [*VECTORS, *GENERAL], kit.machine)
    last = max(i for i, line in enumerate(out) if VECTOR_CONSTANT in line or CONSTANT in line)
    return [*out[: last + 1], *NEXT_CONSTANT, *out[last + 1 :]]


# The constant at TABLE, for vectors and for general registers, and to the next one.
NEXT_CONSTANT = [f"ldr {q(VECTOR_CONSTANT)}, [{TABLE}], #16", f"ldr {CONSTANT}, [{TABLE}, #-16]"]


# Functions

ROUNDS = "hanji_ascon_rounds"


def states(operation: str) -> list[str]:
    """Load or store all states at x0; word w of a lane is behind word w of the lane before. x0 is
    where the next row is then.
    """
    out = []
    for word in range(WORDS):
        a, b, c = (x[word] for x in GENERAL_STATES)
        out += [
            f"{operation}r {q(VECTOR_STATE[word])}, [x0], #16",
            f"{operation}p {a}, {b}, [x0], #16",
            f"{operation}r {c}, [x0], #8",
        ]
    return out


def complement(kit: Kit) -> list[str]:
    """S2 of all states, where it is complemented between rounds."""
    if not kit.sha3:
        return []
    v2 = VECTOR_STATE[2]
    return [f"not {v2}.16b, {v2}.16b", *(f"mvn {x[2]}, {x[2]}" for x in GENERAL_STATES)]


def zero(kit: Kit) -> list[str]:
    """What XAR takes for a rotation alone."""
    return [f"movi {ZERO}.2d, #0"] if kit.sha3 else []


def permute(rounds: int) -> list[str]:
    """The last so many rounds of all states."""
    return [f"adr {TABLE}, .Lp_{'twelve' if rounds == 12 else 'eight'}", "bl .Lrounds"]


def vectors(use: str, at: int) -> list[str]:
    """A block of both lanes in vectors; their addresses are at `at` of the frame."""
    s0, s1 = VECTOR_STATE[:2]
    if use == "hash":
        return [
            f"ldr x0, [sp, #{at}]",
            f"ldr x2, [sp, #{at + 16}]",
            "ldr d18, [x0], #8",
            "ld1 { v18.d }[1], [x2], #8",
            f"eor {s0}.16b, {s0}.16b, v18.16b",
            f"str x0, [sp, #{at}]",
            f"str x2, [sp, #{at + 16}]",
        ]
    many = "p x0, x1" if use != "absorb" else "r x0"
    others = "p x2, x3" if use != "absorb" else "r x2"
    out = [
        f"ld{many}, [sp, #{at}]",
        f"ld{others}, [sp, #{at + 16}]",
        "ldr q18, [x0], #16",
        "ldr q19, [x2], #16",
    ]

    def rows(a: str, b: str, c: str, d: str) -> list[str]:
        return [f"zip1 {a}.2d, {c}.2d, {d}.2d", f"zip2 {b}.2d, {c}.2d, {d}.2d"]

    def add(a: str, b: str) -> str:
        return f"eor {a}.16b, {a}.16b, {b}.16b"

    if use == "open":
        out += [*rows("v20", "v21", s0, s1), *rows(s0, s1, "v18", "v19")]
        out += [add("v20", "v18"), add("v21", "v19")]
    else:
        out += [*rows("v20", "v21", "v18", "v19"), add(s0, "v20"), add(s1, "v21")]
        out += rows("v20", "v21", s0, s1) if use == "seal" else []
    out += ["str q20, [x1], #16", "str q21, [x3], #16"] if use != "absorb" else []
    return [*out, f"st{many}, [sp, #{at}]", f"st{others}, [sp, #{at + 16}]"]


def general(x: Sequence[str], use: str, at: int) -> list[str]:
    """The same for a lane in general registers."""
    s0, s1 = x[:2]
    if use == "hash":
        return [
            f"ldr x0, [sp, #{at}]",
            "ldr x2, [x0], #8",
            f"eor {s0}, {s0}, x2",
            f"str x0, [sp, #{at}]",
        ]
    addresses = "p x0, x1" if use != "absorb" else "r x0"
    out = [f"ld{addresses}, [sp, #{at}]", "ldp x2, x3, [x0], #16"]
    if use == "open":
        out += [f"eor x4, {s0}, x2", f"eor x5, {s1}, x3", "stp x4, x5, [x1], #16"]
        out += [f"mov {s0}, x2", f"mov {s1}, x3"]
    else:
        out += [f"eor {s0}, {s0}, x2", f"eor {s1}, {s1}, x3"]
        out += [f"stp {s0}, {s1}, [x1], #16"] if use == "seal" else []
    return [*out, f"st{addresses}, [sp, #{at}]"]


@dataclass(frozen=True)
class Kernel:
    """What the comment of a function says that hanji-lab reads."""

    name: str
    spec: str
    what: str
    parameters: str
    args: str
    stack: int

    def header(self, kit: Kit) -> list[str]:
        """The comment."""
        return f"""\
// {self.what}
// void {self.name}({self.parameters});
/* kernel:
     spec: {self.spec}
     isa: {kit.isa}
     blocks: {LANES}
     layout: lanes
     args: {{ {self.args} }}
     aliasing: in place
     stack: {self.stack}
     secrets: state
*/""".splitlines()


STATE = f"x0: {{buffer: state, bytes: {8 * WORDS * LANES}, access: rw}}"


def permutation(kit: Kit) -> list[str]:
    """The kernel that permutes."""
    frame = [*KEPT, "x0", "x1"]
    kernel = Kernel(
        f"hanji_ascon_p_{kit.name}",
        "ascon_p.permute",
        f"The last `steps` of the 16 rounds, 1 to 12, of {LANES} states.",
        "uint64_t *state, uint32_t steps",
        f"{STATE}, x1: {{value: steps}}",
        8 * len(frame),
    )
    return [
        *kernel.header(kit),
        *function(
            kernel.name,
            save(frame),
            [f"adr {TABLE}, .Lp_end", "mov w1, w1", f"sub {TABLE}, {TABLE}, x1, lsl #4"],
            states("ld"),
            complement(kit),
            zero(kit),
            f"bl {ROUNDS}_{kit.name}",
            f"ldr x0, [sp, #{8 * len(KEPT)}]",
            complement(kit),
            states("st"),
            restore(frame),
            "ret",
        ),
    ]


def blocks(kit: Kit, algorithm: str, use: str) -> list[str]:
    """A kernel that takes whole blocks of each lane. Its frame: registers of the caller, the
    addresses of input and output of each lane, the state's address and blocks to do.
    """
    texts = 8 * len(KEPT)
    rest = texts + 16 * LANES
    whole = rest + 16
    verb = "absorb" if use == "hash" else use
    kernel = Kernel(
        f"hanji_{algorithm}_{kit.isa}_{verb}_x{LANES}",
        f"{algorithm}.absorb_words",
        f"{verb.capitalize()} whole blocks of each lane, at least one.",
        "uint64_t *state, const hanji_ascon_ragged *ragged, size_t blocks",
        f"{STATE},\n"
        f"             x1: {{buffer: ragged, bytes: addresses of {LANES} texts, access: r}},"
        " x2: {value: blocks}",
        whole,
    )
    addresses = []
    for lane in range(LANES):
        at = texts + 16 * lane
        addresses.append(f"ldr x3, [x1, #{IN + 8 * lane}]")
        if use in ("seal", "open"):
            addresses += [f"ldr x4, [x1, #{OUT + 8 * lane}]", f"stp x3, x4, [sp, #{at}]"]
        else:
            addresses.append(f"str x3, [sp, #{at}]")
    data = vectors(use, texts)
    for i, x in enumerate(GENERAL_STATES):
        data += general(x, use, texts + 32 + 16 * i)
    return [
        *kernel.header(kit),
        *function(
            kernel.name,
            f"sub sp, sp, #{whole}",
            [f"stp {a}, {b}, [sp, #{16 * i}]" for i, (a, b) in enumerate(pairs(KEPT))],
            f"stp x0, x2, [sp, #{rest}]",
            addresses,
            states("ld"),
            complement(kit),
            zero(kit),
            f".L{use}:",
            data,
            [
                f"adr {TABLE}, .Lp_{'twelve' if use == 'hash' else 'eight'}",
                f"bl {ROUNDS}_{kit.name}",
            ],
            [f"ldr x0, [sp, #{rest + 8}]", "sub x0, x0, #1", f"str x0, [sp, #{rest + 8}]"],
            f"cbnz x0, .L{use}",
            f"ldr x0, [sp, #{rest}]",
            complement(kit),
            states("st"),
            [f"ldp {a}, {b}, [sp, #{16 * i}]" for i, (a, b) in enumerate(pairs(KEPT))],
            f"add sp, sp, #{whole}",
            "ret",
        ),
    ]


def rounds(kit: Kit) -> list[str]:
    """The rounds from TABLE to the end of the table, and the table."""
    mask = (1 << 64) - 1 if kit.sha3 else 0
    table = [f".quad {', '.join([f'0x{c ^ mask:x}'] * 2)}" for c in CONSTANTS]
    return lines(
        "// The rounds from a place in the table on, of all states in their registers.",
        ".p2align 4",
        f".global {ROUNDS}_{kit.name}",
        f".hidden {ROUNDS}_{kit.name}",
        f".type {ROUNDS}_{kit.name}, %function",
        f"{ROUNDS}_{kit.name}:",
        NEXT_CONSTANT,
        ".p2align 4",
        ".Lround:",
        round_of(kit),
        f"cbnz {CONSTANT}, .Lround",
        "ret",
        f".size {ROUNDS}_{kit.name}, .-{ROUNDS}_{kit.name}",
        "",
        ".p2align 4",
        ".Lp_twelve:",
        table[:4],
        ".Lp_eight:",
        table[4:],
        ".Lp_end:",
        ".quad 0, 0",
        "",
    )


def file(kit: Kit) -> str:
    """The whole file."""
    how = "XAR, BCAX and EOR3" if kit.sha3 else "SHL and SRI"
    top = f"""\
// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232) for {LANES} states: two in vectors with {how},
// the others in general registers.
#include "support/cpu.h"

#ifdef HANJI_A64
.arch {"armv8.2-a+sha3" if kit.sha3 else "armv8-a"}

"""
    parts = [
        rounds(kit),
        permutation(kit),
        *(blocks(kit, "ascon_aead128", use) for use in ("absorb", "seal", "open")),
        blocks(kit, "ascon_hash256", "hash"),
    ]
    body = "\n".join(line for part in parts for line in part)
    end = '#if defined(__linux__)\n.section .note.GNU-stack, "", %progbits\n#endif\n'
    return f"{top}{body}\n#endif\n\n{end}"


def files() -> dict[str, str]:
    """Path and text of every file."""
    out = {f"{ROOM}/ascon_{kit.name}.S": file(kit) for kit in KITS}
    return complete(out, "ascon_a64.py", "the rounds of Ascon, put in order for small cores")


if __name__ == "__main__":
    sys.exit(write_or_check(files, "ascon_a64.py", __doc__))
