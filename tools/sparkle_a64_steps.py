# SPDX-License-Identifier: Apache-2.0
"""The steps of SPARKLE as operations, in general registers and in vectors (Beierle et al.,
specification v1.2, section 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sparkle_a64_schedule import PLAIN, Code, Tuning

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

    def swapped(self) -> Branches:
        """After a step that has turned the right half already."""
        half = len(self.x) // 2
        return Branches(
            [*self.x[half:], *self.x[:half]],
            [*self.y[half:], *self.y[:half]],
        )


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


def scalar_boxes(code: Code, state: Branches, constants: Sequence[str]) -> None:
    """The ARX-boxes of a step in w registers: 15 instructions each."""
    put, x, y = code.put, state.x, state.y
    for j in range(len(x)):
        for r, s in ROTATIONS:
            turned = y[j]
            if r:
                turned = code.temporary("w")
                put(f"ror {{d}}, {{0}}, #{r}", "R", turned, y[j])
            put("add {d}, {0}, {1}", "I", x[j], x[j], turned)
            put(f"eor {{d}}, {{0}}, {{1}}, ror #{s}", "M", y[j], y[j], x[j], shifted=x[j])
            put("eor {d}, {0}, {1}", "I", x[j], x[j], constants[j])


def scalar_sum(code: Code, left: Sequence[str], *after: str) -> str:
    """l of the sum of words, rotated by 16 the other way; not earlier than `after`."""
    total = code.temporary("w")
    code.put("eor {d}, {0}, {1}", "I", total, left[0], left[1], *after)
    for word in left[2:]:
        code.put("eor {d}, {0}, {1}", "I", total, total, word)
    code.put("eor {d}, {0}, {0}, lsl #16", "M", total, total, shifted=total)
    return total


def scalar_add_sum(code: Code, target: str, source: str, total: str) -> None:
    """target = source ^ l of a sum."""
    code.put("eor {d}, {0}, {1}, ror #16", "M", target, source, total, shifted=total)


def scalar_step(
    code: Code, state: Branches, constants: Sequence[str], following: int | None
) -> None:
    """A step in w registers. Its number is in the state; that of the `following` step goes in."""
    put, x, y = code.put, state.x, state.y
    half = len(x) // 2
    scalar_boxes(code, state, constants)
    sums = [scalar_sum(code, left[:half]) for left in (x, y)]
    for j in range(half):
        for words in (y, x):
            put("eor {d}, {0}, {1}", "I", words[half + j], words[half + j], words[j])
    for j in range(half):
        for words, total in ((y, sums[0]), (x, sums[1])):
            scalar_add_sum(code, words[half + j], words[half + j], total)
    if following is not None:
        scalar_number(code, state.permuted().y, constants, following)


def scalar_entry(code: Code, table: str) -> list[str]:
    """Constant and number of a step from a table for vectors: neighbours in its middle."""
    entry = [code.temporary("w"), code.temporary("w")]
    code.put(f"ldp {{d}}, {{e}}, [{table}, #12]", "L", entry[0], table, also=entry[1])
    return entry


def scalar_turn(code: Code, state: Branches, table: str) -> str:
    """The rest of a step behind its boxes, for a loop, as vector_turn does it. The words y come
    first and the words x after them, which saves registers. What shows that the table was read.
    """
    half = len(state.x) // 2
    number = scalar_entry(code, table)
    done: list[str] = []
    for words, summed, added in ((state.y, state.x, number), (state.x, state.y, [])):
        total = scalar_sum(code, summed[:half], *done)
        left, right, held = words[:half], words[half:], code.temporary("w")
        code.put("eor {d}, {0}, {1}", "I", held, right[1], left[1], *done)
        if added:
            code.put("eor {d}, {0}, {1}", "I", held, held, added[0])
        for i in range(1, half):
            j = (i + 1) % half
            code.put("eor {d}, {0}, {1}", "I", right[j], right[j], left[j])
            if added[i : i + 1]:
                code.put("eor {d}, {0}, {1}", "I", right[j], right[j], added[i])
            scalar_add_sum(code, right[i], right[j], total)
        scalar_add_sum(code, right[0], held, total)
        done = right
    return number[1]


def scalar_end(code: Code, state: Branches) -> Branches:
    """The rest of the last step behind its boxes."""
    half = len(state.x) // 2
    sums = [scalar_sum(code, left[:half]) for left in (state.x, state.y)]
    for words, total in ((state.y, sums[0]), (state.x, sums[1])):
        for j in range(half):
            word = words[half + j]
            code.put("eor {d}, {0}, {1}", "I", word, word, words[j])
            scalar_add_sum(code, word, word, total)
    return state.permuted()


@dataclass(frozen=True)
class Kit:
    """Vector registers with constants.

    c0 .. c7; half of every word, if no tuning packs the sums; 2, 2^15 and 2^8, if something is
    multiplied.
    """

    constants: Sequence[str] = ()
    half: str = ""
    powers: str = ""
    # the general register that points to vectors with constants and numbers of steps, in a loop
    numbers: str = ""
    tuning: Tuning = PLAIN


POWERS = (31, 17, 24)  # the rotation r of each word of Kit.powers, which is 2^(32 - r)


def left_part(code: Code, target: str, source: str, r: int) -> None:
    """The part of a rotation right by r that moves left."""
    if r == 31:
        code.put("add {d}.4s, {0}.4s, {0}.4s", "V", target, source)
    else:
        code.put(f"shl {{d}}.4s, {{0}}.4s, #{32 - r}", "S", target, source)


def rotation(code: Code, source: str, r: int) -> str:
    """A temporary with the source rotated right by r in every word."""
    target = code.temporary("v")
    if r == 16:
        code.put("rev32 {d}.8h, {0}.8h", "V", target, source)
    else:
        left_part(code, target, source, r)
        code.put(f"sri {{d}}.4s, {{0}}.4s, #{r}", "S", target, source, target)
    return target


def add_rotated(code: Code, x: str, y: str, r: int, kit: Kit) -> None:
    """x += y rotated right by r. The two parts of a rotation have no bit in common: they are added
    one after the other, which is ready sooner.
    """
    if r == 0:
        code.put("add {d}.4s, {0}.4s, {1}.4s", "V", x, x, y)
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
        code.put("eor {d}.16b, {0}.16b, {1}.16b", "V", target, first, rest.pop(0))
        first = target


def vector_number(code: Code, y: Sequence[str], kit: Kit, number: int, *after: str) -> None:
    """Add a step's constant and number to the first words y of the state; the number takes a
    register when `after` is there, not earlier.
    """
    xor(code, kit, y[0], y[0], kit.constants[number % 8])
    if number > 0:
        step = code.temporary("v")
        code.put(f"movi {{d}}.4s, #{number}", "V", step, *after)
        xor(code, kit, y[1], y[1], step)


def vector_step(code: Code, state: Branches, kit: Kit, following: int | None) -> None:
    """A step in vectors that hold one word of four states each. Its number is in the state; that of
    the `following` step goes in.
    """
    x, y = state.x, state.y
    half = len(x) // 2
    if kit.tuning.early:
        before = [code.temporary("v"), code.temporary("v")]
        vector_boxes(code, state, kit, before)
        early_sums(code, state, kit, following, *before)
        return
    vector_boxes(code, state, kit)
    first, sums = vector_sums(code, state, kit)
    following_y = state.permuted().y
    for j in range(half):
        for words in (y, x):
            xor(code, kit, words[half + j], words[half + j], words[j])
    if following is not None:
        vector_number(code, following_y, kit, following, first)
    for j in range(half):
        for words, total in ((y, sums[0]), (x, sums[1])):
            xor(code, kit, words[half + j], words[half + j], total)


def vector_boxes(code: Code, state: Branches, kit: Kit, before: Sequence[str] = ()) -> None:
    """The ARX-boxes of a step. The sums of the left words x and y from before the last round go to
    `before`.
    """
    x, y = state.x, state.y
    half = len(x) // 2
    for j in range(2 * half):
        for r, s in ROTATIONS[:3]:
            add_rotated(code, x[j], y[j], r, kit)
            xor(code, kit, y[j], y[j], rotation(code, x[j], s))
            xor(code, kit, x[j], x[j], kit.constants[j])
        add_rotated(code, x[j], y[j], ROTATIONS[3][0], kit)
    for left, total in zip((x, y), before, strict=False):
        xor(code, kit, total, *left[:half])
    for j in range(2 * half):
        xor(code, kit, y[j], y[j], rotation(code, x[j], ROTATIONS[3][1]))
        xor(code, kit, x[j], x[j], kit.constants[j])


def vector_sums(code: Code, state: Branches, kit: Kit) -> tuple[str, list[str]]:
    """The sum of the left words x, and l of both sums.

    l(t) = (high ^ low, low) rotated by 16: the rotated t, and the low half of t into the low half.
    """
    half = len(state.x) // 2
    sums: list[str] = []
    totals = [code.temporary("v"), code.temporary("v")]
    for left, total in zip((state.x, state.y), totals, strict=True):
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
        return first, sums
    for total in totals:
        turned = rotation(code, total, 16)
        code.put("and {d}.16b, {0}.16b, {1}.16b", "V", total, total, kit.half)
        xor(code, kit, turned, turned, total)
        sums.append(turned)
    return first, sums


def vector_turn(code: Code, state: Branches, kit: Kit, *after: str) -> None:
    """The rest of a step behind its boxes, for a loop: constant and number of the following step
    come from the table at kit.numbers, and every word of the new left half goes into the register
    of the right word with the same number, so that two steps bring all words back.

    The turn of the right half costs nothing: the last xor of a word writes where the word before it
    was. The first of them waits in a temporary. The table moves on when `after` is there.
    """
    x, y = state.x, state.y
    half = len(x) // 2
    first, sums = vector_sums(code, state, kit)
    number = [code.temporary("v"), code.temporary("v")]
    code.put(
        f"ldp {{d}}, {{e}}, [{kit.numbers}], #32",
        "L",
        number[0],
        kit.numbers,
        first,
        *after,
        also=number[1],
    )
    for words, total, added in ((y, sums[0], number), (x, sums[1], [])):
        left, right, held = words[:half], words[half:], code.temporary("v")
        xor(code, kit, held, right[1], left[1], *added[:1])
        for i in range(1, half):
            j = (i + 1) % half
            xor(code, kit, right[j], right[j], left[j], *added[i : i + 1])
            xor(code, kit, right[i], right[j], total)
        xor(code, kit, right[0], held, total)


def vector_end(code: Code, state: Branches, kit: Kit) -> Branches:
    """The rest of the last step behind its boxes."""
    half = len(state.x) // 2
    _, sums = vector_sums(code, state, kit)
    for words, total in ((state.y, sums[0]), (state.x, sums[1])):
        for j in range(half):
            xor(code, kit, words[half + j], words[half + j], words[j], total)
    return state.permuted()


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
        turned, low = rotation(code, total, 16), code.temporary("v")
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
