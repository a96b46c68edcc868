# SPDX-License-Identifier: Apache-2.0
"""SPARKLE for four and five states on AArch64: in vectors, and one in general registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sparkle_a64_one import Steps, general_steps, vector_steps
from sparkle_a64_schedule import (
    A72,
    PLAIN,
    Code,
    NoRegisters,
    Order,
    Tuning,
    order,
    schedule_or_plain,
)
from sparkle_a64_steps import (
    CONSTANTS,
    POWERS,
    Branches,
    Kit,
    Size,
    branches,
    numbers_with_sums,
    scalar_boxes,
    scalar_end,
    scalar_turn,
    vector_boxes,
    vector_end,
    vector_turn,
    xor,
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


def transposed(code: Code, four: Sequence[str]) -> None:
    """The transpose of 4 x 4 words in place, not earlier than all of them are there."""
    a, b, c, d = four
    p, q, r, s = (code.temporary("v") for _ in range(4))
    for target, which, first, second in ((p, 1, a, b), (q, 2, a, b), (r, 1, c, d), (s, 2, c, d)):
        code.put(f"trn{which} {{d}}.4s, {{0}}.4s, {{1}}.4s", "V", target, first, second, *four)
    for target, which, first, second in zip(
        four, (1, 1, 2, 2), (p, q, p, q), (r, s, r, s), strict=True
    ):
        code.put(f"trn{which} {{d}}.2d, {{0}}.2d, {{1}}.2d", "V", target, first, second)


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


def vector_kit(
    size: Size, tuning: Tuning, numbers: str, constants: int = 8
) -> tuple[list[int], list[str], Kit, list[str]]:
    """Numbers of the vector registers in use, those for the words of the state, constants, and
    temporaries.
    """
    kinds = {"half": not tuning.packed, "powers": bool(tuning.multiply)}
    before = size.words + constants
    used = VECTORS[: before + sum(kinds.values()) + tuning.spare]
    names = [v(n) for n in used]
    rest = iter(names[before:])
    kit = Kit(
        names[size.words : before],
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


@dataclass(frozen=True)
class Turns:
    """Steps of four states in vectors as a loop over two: orders of its pieces, cut between the
    boxes of a step and the rest of it, where the boxes of the right half are least urgent.
    """

    start: list[str]  # words into vectors, constant 0, the boxes of step 0
    odd: list[str]  # from the boxes of step 0, 2, 4 .. to those of the next
    even: list[str]  # from the boxes of step 1, 3, 5 .. to those of the next
    ends: tuple[list[str], list[str]]  # the rest of step 0, 2, 4 .. and of step 1, 3, 5 ..
    places: tuple[Branches, Branches]  # of the state after each


def turns(size: Size, kit: Kit, start: Branches, temporaries: Sequence[str]) -> Turns:
    """The pieces, each put in order with what comes before and after it."""
    other = start.swapped()

    def turn(code: Code, state: Branches) -> None:
        """Half a transpose holds temporaries: it begins when its words are there."""
        words = state.words()
        for group in range(0, size.words, 4):
            four = words[group : group + 4]
            transposed(code, four)

    def whole(code: Code, state: Branches) -> None:
        vector_turn(code, state, kit)
        vector_boxes(code, state.swapped(), kit)

    def piece(
        begin: Code, following: Branches | None, since: Mapping[str, int] | None = None
    ) -> Order:
        shown = len(begin.ops)
        if following:
            whole(begin, following)
        try:
            return order(begin, temporaries, A72, kit.tuning, shown, since)
        except NoRegisters:
            return order(begin, temporaries, A72, PLAIN, shown, since)

    def half(state: Branches, since: Mapping[str, int] | None) -> Order:
        code = Code()
        whole(code, state)
        return piece(code, state.swapped(), since)

    def end(state: Branches, since: Mapping[str, int]) -> tuple[list[str], Branches]:
        code = Code()
        place = vector_end(code, state, kit)
        turn(code, place)
        return piece(code, None, since).lines, place

    first = Code()
    turn(first, start)
    xor(first, kit, start.y[0], start.y[0], kit.constants[0])
    vector_boxes(first, start, kit)
    even = half(other, None)
    for _ in range(2):
        odd = half(start, even.late)
        even = half(other, odd.late)
    ends = [end(start, even.late), end(other, odd.late)]
    return Turns(
        piece(first, start).lines,
        odd.lines,
        even.lines,
        (ends[0][0], ends[1][0]),
        (ends[0][1], ends[1][1]),
    )


def word_line(words: Sequence[int]) -> list[str]:
    """Words in hexadecimal; nothing for none."""
    return [".word " + ", ".join(f"0x{word:08x}" for word in words)] if words else []


def number_entries(first: int, last: int) -> list[str]:
    """Constant and number of steps first .. last - 1, each in every word of a vector."""
    return [
        f".word {', '.join([f'0x{CONSTANTS[number % 8]:08x}'] * 4 + [str(number)] * 4)}"
        for number in range(first, last)
    ]


def x4(size: Size, tuning: Tuning) -> str:
    """Four states in the four words of vectors."""
    base = f"hanji_sparkle{size.bits}_neon_x4"
    used, words, kit, temporaries = vector_kit(size, tuning, "x3", size.branches)
    kept = saved_vectors(used)
    pieces = turns(size, kit, branches(words), temporaries)
    table = [f"// c and the number of steps 1 to {size.big - 1}.", *number_entries(1, size.big)]
    load_constants = [
        "adr x3, .Lconstants",
        *(f"ld1r {{ {c}.4s }}, [x3], #4" for c in kit.constants),
    ]
    if kit.half:
        load_constants.append(f"movi {kit.half}.2d, #0x0000ffff0000ffff")
    first = size.branches % 8  # constants that no box has stand before the others
    a, b = temporaries[:2]
    fill = [
        line
        for at in (0, 32)
        for line in (
            *([f"add w10, w6, #{8 - first}", "and w10, w10, #7"] if first else ["and w10, w6, #7"]),
            "ldr w10, [x5, w10, uxtw #2]",
            f"dup {a}.4s, w10",
            f"dup {b}.4s, w6",
            f"stp {q(a)}, {q(b)}, [sp, #{at}]",
            "add w6, w6, #1",
        )
    ]

    def tail(place: Branches) -> list[str]:
        return [
            *states_out("str", place.words(), size.words),
            f"add x0, x0, #{16 * size.words}",
            "subs x1, x1, #1",
            "b.ne .Lagain",
        ]

    return file(
        f"SPARKLE{size.bits}, four states at a time, a word of each in every vector; "
        "rotations by SHL and SRI.",
        lines(
            ".arch armv8-a",
            "",
        ),
        header(
            base, size, "neon", 4, "uint32_t *states, size_t groups, uint32_t steps",
            f"x0: {{buffer: states, bytes: {16 * size.words} * groups, access: rw}}, "
            "x1: {value: groups}, x2: {value: steps}",
            "Apply the permutation of `steps` steps to each state; a group is four states.",
            8 * len(kept) + 64, "states",
        ),
        function(
            base,
            ["cbz x1, .Lnone"],
            save(kept),
            load_constants,
            ["sub w7, w2, #1", f"cmp w7, #{size.big - 1}", "b.hi .Lany"],
            ".Lgroup:",
            states_out("ldr", words, size.words),
            "// Step 0, but for what follows its boxes.",
            quads(pieces.start),
            ["subs w4, w2, #1", "b.eq .Lodd_end"],
            (
                "// w4 steps are left, and the rest of this one. The flags hold to the end of "
                "the loop."
            ),
            ".Lloop:",
            "subs w4, w4, #2",
            quads(pieces.odd),
            "b.lo .Leven_end",
            quads(pieces.even),
            "b.hi .Lloop",
            ".Lodd_end:",
            "tbnz w7, #31, .Lmore",
            ".Lodd_last:",
            pieces.ends[0],
            tail(pieces.places[0]),
            ".Lleave:",
            restore(kept),
            ".Lnone:",
            "ret",
            ".Leven_end:",
            pieces.ends[1],
            tail(pieces.places[1]),
            restore(kept),
            "ret",
            ".Lagain:",
            "adr x3, .Lnumbers",
            ["tbz w7, #31, .Lgroup", "subs x9, x9, #1", "b.ne .Lanother"],
            ["add sp, sp, #64", "b .Lleave"],
            (
                f"// More than {size.big} steps: 9 from the table, then two at a time from one "
                "on the stack."
            ),
            ".Lany:",
            ["cbz w2, .Lleave", "sub sp, sp, #64", "mov x9, x1"],
            ["mov w8, w2", "mov w7, #-1", "mov w2, #9"],
            ".Lanother:",
            ["mov x1, #2", "mov w6, #9", "b .Lgroup"],
            ".Lmore:",
            ["subs w4, w8, w6", "b.eq .Lodd_last"],
            ["cmp w4, #2", "mov w10, #2", "csel w4, w4, w10, lo"],
            ["adr x5, .Ltable", "mov x3, sp"],
            fill,
            "b .Lloop",
            [".p2align 4"],
            ".Ltable:",
            word_line(CONSTANTS[size.branches :]),
            ".Lconstants:",
            word_line(CONSTANTS[: size.branches]),
            ".Lnumbers:",
            lines(table),
        ),
    )  # fmt: skip


def number_table(size: Size, kit: Kit) -> list[str]:
    """What a kit loads of each number of a step."""
    if not kit.tuning.early:
        return []
    return [
        ".p2align 4",
        ".Lnumbers:",
        *(
            f".word {', '.join([f'0x{value:x}'] * 4)}"
            for value in numbers_with_sums(size.branches // 2)
        ),
    ]


def number_pointer(kit: Kit) -> list[str]:
    """The instruction that makes the pointer to them."""
    return [f"adr {kit.numbers}, .Lnumbers"] if kit.tuning.early else []


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


FIVE_STATES = (
    "SPARKLE{}, five states at a time: four in vectors and one in general registers, "
    "whose units would be idle."
)
FIVE_LANES = (
    "Word w of states 0 .. 3 at 4 * w, the words of state 4 behind: slim steps, "
    "or big where the mask in `big` is all ones; no `big`: slim."
)


def x5_loop(size: Size, tuning: Tuning) -> str:
    """Four states in vectors and one in general registers, at the same time, as a loop over two
    steps.
    """
    name = f"hanji_sparkle{size.bits}_neon_x5_lanes"
    used, words, kit, spare = vector_kit(size, tuning, "x30", constants=size.branches)
    registers = [n for n in range(2, 30) if n != 18]
    own = [w(n) for n in registers[: size.words]]
    own_constants = [w(n) for n in registers[size.words : size.words + size.branches]]
    own_spare = [w(n) for n in registers[size.words + size.branches :]]
    kept, kept_vectors = [f"x{n}" for n in range(19, 31)], saved_vectors(used)
    temporaries = [*spare, *own_spare, "w0"]
    place, own_place = branches(words), branches(own)
    other, own_other = place.swapped(), own_place.swapped()

    def whole(code: Code, state: Branches, own_state: Branches) -> None:
        read = scalar_turn(code, own_state, kit.numbers)
        vector_turn(code, state, kit, read)
        vector_boxes(code, state.swapped(), kit)
        scalar_boxes(code, own_state.swapped(), own_constants)

    def piece(
        begin: Code,
        following: tuple[Branches, Branches] | None,
        since: Mapping[str, int] | None = None,
    ) -> Order:
        shown = len(begin.ops)
        if following:
            whole(begin, *following)
        try:
            return order(begin, temporaries, A72, tuning, shown, since)
        except NoRegisters:
            return order(begin, temporaries, A72, PLAIN, shown, since)

    def half(state: tuple[Branches, Branches], since: Mapping[str, int] | None = None) -> Order:
        code = Code()
        whole(code, *state)
        return piece(code, (state[0].swapped(), state[1].swapped()), since)

    places = (place, own_place), (other, own_other)
    first = Code()
    xor(first, kit, place.y[0], place.y[0], kit.constants[0])
    first.put("eor {d}, {0}, {1}", "I", own_place.y[0], own_place.y[0], own_constants[0])
    vector_boxes(first, place, kit)
    scalar_boxes(first, own_place, own_constants)
    even = half(places[1])
    for _ in range(2):
        odd = half(places[0], even.late)
        even = half(places[1], odd.late)

    address, a, b = (register.replace("w", "x") for register in own_spare[:3])

    def own_lane(operation: str, state: Branches) -> list[str]:
        base, at = "x0", 16 * size.words
        out = []
        if at + 4 * size.words > 256:  # the reach of LDP and STP
            base, at = address, 0
            out.append(f"add {address}, x0, #{16 * size.words}")
        for i, (one, two) in enumerate(pairs(state.words())):
            out.append(f"{operation} {one}, {two}, [{base}, #{at + 8 * i}]")
        return out

    def lanes(operation: str, state: Branches, own_state: Branches) -> list[str]:
        out = [
            f"{operation} {q(one)}, {q(two)}, [x0, #{32 * i}]"
            for i, (one, two) in enumerate(pairs(state.words()))
        ]
        return [*out, *own_lane(operation, own_state)]

    old, second_old, mask = spare[:3]
    leave = [".Lleave:", *restore(kept_vectors), *restore(kept), "ret"]

    def end(which: int) -> list[str]:
        """The rest of step 0, 2, 4 .. or 1, 3, 5 .., and its way to memory."""
        code = Code()
        state, own_state = (
            vector_end(code, places[which][0], kit),
            scalar_end(code, places[which][1]),
        )
        label = (".Lodd", ".Leven")[which]
        more, whole_ = size.slim % 2 != which, size.big % 2 != which
        last = (size.big - size.slim) % 2 != which
        assert more or whole_ or last
        late = (even, odd)[which].late
        out = [f"{label}_end:", *quads(piece(code, None, late).lines), "ldp x0, x1, [sp], #16"]
        if last:
            out += [
                f"cbnz x1, {label}_mixed",
                *([f"{label}_store:"] if more else []),
            ]
        if more or whole_:
            out += lanes("stp", state, own_state)
            out += ["cbnz x1, .Lrest", *leave] if more else ["b .Lleave"]
        if last:
            out += [f"{label}_mixed:"]
            out += (
                [f"adr {address}, .Lend", f"cmp x30, {address}", f"b.ne {label}_store"]
                if more
                else []
            )
            out += [f"ldr {q(mask)}, [x1]"]
            for i, (one, two) in enumerate(pairs(state.words())):
                out += [
                    f"ldp {q(old)}, {q(second_old)}, [x0, #{32 * i}]",
                    f"bif {one}.16b, {old}.16b, {mask}.16b",
                    f"bif {two}.16b, {second_old}.16b, {mask}.16b",
                    f"stp {q(one)}, {q(two)}, [x0, #{32 * i}]",
                ]
            out += [f"ldr {own_spare[1]}, [x1, #16]", f"tbz {own_spare[1]}, #31, .Lleave"]
            out += own_lane("stp", own_state)
            out += ["b .Lleave"]
        return out

    ends = {(n - 1) % 2 for n in (size.slim, size.big, size.big - size.slim)}
    close = ["b.hi .Lloop", *end(0)] if 0 in ends else ["b .Lloop"]
    return file(
        FIVE_STATES.format(size.bits),
        header(
            name, size, "neon", 5, "uint32_t *state, const uint32_t *big",
            f"x0: {{buffer: state, bytes: {20 * size.words}, access: rw}}, "
            "x1: {buffer: big, bytes: 20, access: r}",
            FIVE_LANES,
            8 * (len(kept) + len(kept_vectors)) + 16, "state",
        ),
        function(
            name,
            save(kept),
            save(kept_vectors),
            f"adr {address}, .Lconstants",
            [
                f"ldp {one}, {two}, [{address}, #{8 * i}]"
                for i, (one, two) in enumerate(pairs(own_constants))
            ],
            [f"ld1r {{ {c}.4s }}, [{address}], #4" for c in kit.constants],
            [f"movi {kit.half}.2d, #0x0000ffff0000ffff"] if kit.half else [],
            [f"ldr {q(kit.powers)}, [{address}]"] if kit.powers else [],
            "adr x30, .Lnumbers",
            "// With masks that are all ones no pointer is kept, and all steps are one piece. With",
            "// others the state after the slim steps goes to memory, and the rest begins there.",
            ["stp x0, x1, [sp, #-16]!", "cbz x1, .Lslim"],
            [f"ldp {a}, {b}, [x1]", f"ldrsw {address}, [x1, #16]"],
            [f"and {a}, {a}, {b}", f"and {address}, {address}, {a}", f"cmn {address}, #1"],
            ["b.ne .Lslim", f"mov w1, #{size.big - 1}", "str xzr, [sp, #8]", "b .Lload"],
            ".Lslim:",
            f"mov w1, #{size.slim - 1}",
            ".Lload:",
            lanes("ldp", place, own_place),
            ".Lstart:",
            quads(piece(first, places[0]).lines),
            (
                "// w1 steps are left, and the rest of this one. The flags hold to the end of "
                "the loop."
            ),
            ".Lloop:",
            "subs w1, w1, #2",
            quads(odd.lines),
            "b.lo .Leven_end",
            quads(even.lines),
            close,
            end(1),
            "// Constant and number of the first step of the rest; the start adds constant 0.",
            ".Lrest:",
            ["stp x0, x1, [sp, #-16]!", f"mov w1, #{size.big - size.slim - 1}"],
            lanes("ldp", place, own_place),
            f"ldp {own_spare[0]}, {own_spare[1]}, [x30, #12]",
            f"ldp {q(old)}, {q(mask)}, [x30], #32",
            [
                f"eor {place.y[0]}.16b, {place.y[0]}.16b, {kit.constants[0]}.16b",
                f"eor {place.y[0]}.16b, {place.y[0]}.16b, {old}.16b",
                f"eor {place.y[1]}.16b, {place.y[1]}.16b, {mask}.16b",
                f"eor {own_place.y[0]}, {own_place.y[0]}, {own_constants[0]}",
                f"eor {own_place.y[0]}, {own_place.y[0]}, {own_spare[0]}",
                f"eor {own_place.y[1]}, {own_place.y[1]}, {own_spare[1]}",
                "b .Lstart",
            ],
            [".p2align 4"],
            ".Lconstants:",
            word_line(CONSTANTS[: size.branches]),
            power_table(kit),
            [".p2align 4"] if (size.branches + 4 * bool(kit.powers)) % 4 else [],
            ".Lnumbers:",
            number_entries(1, size.big),
            ".Lend:",
        ),
    )  # fmt: skip


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
        FIVE_STATES.format(size.bits),
        header(
            name, size, "neon", 5, "uint32_t *state, const uint32_t *big",
            f"x0: {{buffer: state, bytes: {20 * size.words}, access: rw}}, "
            "x1: {buffer: big, bytes: 20, access: r}",
            FIVE_LANES,
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
