# SPDX-License-Identifier: Apache-2.0
"""SPARKLE for four and five states on AArch64, in vectors and with one state in general registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sparkle_a64_one import Steps, general_steps, vector_steps
from sparkle_a64_schedule import A72, Code, Tuning, schedule, schedule_or_plain
from sparkle_a64_steps import (
    POWERS,
    Branches,
    Kit,
    Size,
    branches,
    moves,
    numbers_with_sums,
    vector_step,
)
from sparkle_a64_text import (
    constant_table,
    file,
    function,
    general,
    header,
    lines,
    pairs,
    restore,
    save,
    saved,
    w,
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
