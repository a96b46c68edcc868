# SPDX-License-Identifier: Apache-2.0
"""SPARKLE for one state on AArch64: in general registers, and in vectors for the laboratory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sparkle_a64_schedule import SMALL, Code, schedule
from sparkle_a64_steps import (
    CONSTANTS,
    ROTATIONS,
    Branches,
    Kit,
    Size,
    branches,
    moves,
    scalar_number,
    scalar_step,
    vector_number,
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
            (
                f"x0: {{buffer: states, bytes: {4 * size.words} * groups, access: rw}}, x1: "
                f"{{value: groups}}, x2: {{value: steps}}"
            ),
            "Apply the permutation of `steps` steps to each state.", 8 * len(frame) + 48, "states",
        ),
        function(
            name,
            (
                "// One state and the big number of steps, or the slim one: the flags say which, "
                "and no step changes them."
            ),
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
            (
                "// One state, w2 steps, a step at a time; the registers go back to their places "
                "after each."
            ),
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
            about=(
                f"SPARKLE{size.bits} in general registers: state and constants stay in w "
                "registers, ARX-boxes are interleaved."
            ),
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
            about=(
                f"SPARKLE{size.bits} in vectors, one state, as in Shin et al. (SPARKLE on 64-bit "
                "ARMv8, JKIISC 33(3), 2023), section 3.2."
            ),
            kept=[],
            loads=load,
            slim=slim,
            rest=rest,
            stores=(stores(0), stores(slim_turned), stores(rest_turned)),
            any_step=[*number("v1", any_number), *step(x, y), *swap],
            extra=numbers,
        ),
    )
