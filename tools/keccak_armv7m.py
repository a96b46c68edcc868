# SPDX-License-Identifier: Apache-2.0
"""Write the kernel of Keccak-f[1600] for Armv7-M: src/keccak/generated/keccak_armv7m_x1.S.

    tools/keccak_armv7m.py            write the file
    tools/keccak_armv7m.py --check    compare it with what would be written; status 1 if it differs

Lanes are bit-interleaved (Bertoni et al., "Keccak implementation overview", section 2.1): the even
bits of a lane are one word, the odd bits another, so that a rotation of a lane is a rotation of two
words. The kernel interleaves the state when it begins and undoes that at its end.

Rotating the second operand of an instruction costs nothing, so no instruction is needed for rho. A
word is stored rotated by some number of bits, its turn, and each instruction rotates its second
operand to the turn of the first. This lazy rotation is due to Becker and Kannwischer (ePrint
2022/1243, on AArch64) and was brought to Armv7-M by Huang et al. (TCHES 2024, issue 2). If turns
change from round to round, several rounds have to be unrolled, or explicit rotations added.

This kernel is a loop of a single round without explicit rotations, because chi leaves a choice: the
word b[x] ^ (b[x + 2] & ~b[x + 1]) takes the turn of either b[x] or b[x + 2], whichever is the first
operand of the last instruction. `turns` makes this choice for every word so that its turn is the
same after each round: it follows the choices from lane (0, 0), which rho does not rotate, until
every word has its turn.

A round has two phases. The first pops the rows of the state from the stack, adds theta, and stores
each word at the place that pi gives it, in the caller's memory. The second loads rows from there,
does chi and iota, sums the columns for the next theta, and pushes the rows.
"""

from __future__ import annotations

import sys

from generated import complete, write_or_check

from hanji_lab.spec.keccak import CONSTANTS, OFFSETS

NAME = "keccak_armv7m_x1"
Word = tuple[int, int, int]  # x, y, and which bits of the lane: 0 the even ones, 1 the odd ones

ROW = ("r0", "r1", "r2", "r3", "r4")
MEMORY = "r5"
SUMS = ("r6", "r7", "r8", "r9", "r10")  # of the columns of one half
FREE = ("r11", "r12", "lr")
HALF = 25  # words
# The turn of lane (0, 0). The constants of iota have bit 0 in the even bits, and bits 0, 1, 3, 7,
# 15 and 31 in the odd ones; with this turn they leave bit 0 free, and one word holds both.
ROOTS = (0, 2)


def moved(word: Word) -> tuple[Word, int]:
    """Where rho and pi bring a word, and how far they rotate it to the left."""
    x, y, half = word
    offset = OFFSETS[x, y]
    turned = (offset + half) // 2  # an odd bit 2i + 1 becomes bit 2i + 1 + offset
    return (y, (2 * x + 3 * y) % 5, (half + offset) % 2), turned


SOURCE = {moved(w)[0]: w for x in range(5) for y in range(5) for h in (0, 1) for w in [(x, y, h)]}


def turns() -> tuple[dict[Word, int], dict[Word, bool]]:
    """How far every word of the state is rotated to the left between rounds; and whether chi
    gives it the turn of b[x + 2], not that of b[x].
    """
    found = {(0, 0, half): ROOTS[half] for half in (0, 1)}
    other = dict.fromkeys(found, False)
    while len(found) < 2 * HALF:
        before = len(found)
        for word in SOURCE:
            x, y, half = word
            for step in (0, 2):
                source = SOURCE[(x + step) % 5, y, half]
                if word not in found and source in found:
                    found[word] = (found[source] - moved(source)[1]) % 32
                    other[word] = step == 2
        assert len(found) > before
    return found, other


TURNS, OTHER = turns()


def before_chi(word: Word) -> int:
    """The turn of a word that rho and pi have moved."""
    source = SOURCE[word]
    return (TURNS[source] - moved(source)[1]) % 32


def operation(name: str, out: str, first: str, turn: int, second: str, other: int) -> str:
    """One instruction on words of two turns; what comes out has the first one."""
    rotated = (other - turn) % 32
    return f"{name} {out}, {first}, {second}" + (f", ror #{rotated}" if rotated else "")


def theta() -> list[str]:
    """What is added to columns: d[x] = c[x - 1] ^ rotl(c[x + 1], 1), where the even bits of the
    rotated lane are the odd ones rotated by one, and the odd bits the even ones. Each of the ten
    takes the place of a sum that is not needed any more, and comes to another column.
    """
    even, odd = ROW, SUMS
    code = []
    x, out = 0, FREE[0]
    for _ in range(5):
        a, b, after = (x - 1) % 5, (x + 1) % 5, (x + 2) % 5
        code.append(operation("eor", out, even[a], TURNS[a, 0, 0], odd[b], TURNS[b, 0, 1] - 1))
        D[x, 0] = (out, TURNS[a, 0, 0])
        c = (after + 1) % 5
        code.append(operation("eor", odd[b], odd[b], TURNS[b, 0, 1], even[c], TURNS[c, 0, 0]))
        D[after, 1] = (odd[b], TURNS[b, 0, 1])
        x, out = (x + 4) % 5, even[c]
    return code


D: dict[tuple[int, int], tuple[str, int]] = {}  # by column and half: register and turn
BITS = ("even", "odd")


def rows_moved(half: int) -> list[str]:
    """Theta, rho and pi of one half, whose rows are popped in the reverse of their order."""
    code = []
    for y in reversed(range(5)):
        code.append(
            f"pop {{{ROW[0]}-{ROW[4]}}}             // theta, rho, pi: row {y}, {BITS[half]} bits"
        )
        for x in range(5):
            register, turn = D[x, half]
            code.append(operation("eor", ROW[x], ROW[x], TURNS[x, y, half], register, turn))
        for x in range(5):
            to = moved((x, y, half))[0]
            code.append(f"str {ROW[x]}, [{MEMORY}, #{4 * (HALF * to[2] + 5 * to[1] + to[0])}]")
    return code


def chi(y: int, half: int) -> list[str]:
    """One row. The first of a half is where the sums of columns begin."""
    turn = [before_chi((x, y, half)) for x in range(5)]

    def product(out: str, x: int) -> str:
        """b[x + 2] & ~b[x + 1]"""
        a, b = (x + 2) % 5, (x + 1) % 5
        return operation("bic", out, ROW[a], turn[a], ROW[b], turn[b])

    def whole(out: str, x: int, free: str) -> str:
        a = (x + 2) % 5
        if OTHER[x, y, half]:
            return operation("eor", out, free, turn[a], ROW[x], turn[x])
        return operation("eor", out, ROW[x], turn[x], free, turn[a])

    code = [f"ldm {MEMORY}!, {{{ROW[0]}-{ROW[4]}}}        // chi: row {y}, {BITS[half]} bits"]
    if y == 0:
        for x in range(5):
            code += [product(FREE[0], x), whole(SUMS[x], x, FREE[0])]
        return code
    a, b, c = FREE
    code += [product(a, 4), product(b, 3)]
    for x in range(3):
        code += [product(c, x), whole(ROW[x], x, c)]
    code += [whole(ROW[3], 3, b), whole(ROW[4], 4, a), f"push {{{ROW[0]}-{ROW[4]}}}"]
    for x in range(5):
        turn_of = TURNS[x, 0, half], TURNS[x, y, half]
        code.append(operation("eor", SUMS[x], SUMS[x], turn_of[0], ROW[x], turn_of[1]))
    return code


def halves(lane: int) -> list[int]:
    """The even bits of a lane, and the odd ones."""
    return [sum((lane >> (2 * i + half) & 1) << i for i in range(32)) for half in (0, 1)]


def constant(lane: int) -> int:
    """A constant of iota: bit 31 is bit 0 of the even bits, below it are the odd bits without bit
    0 of their turn, which is never set.
    """
    even, odd = halves(lane)
    turned = (odd << ROOTS[1] | odd >> (32 - ROOTS[1])) & 0xFFFFFFFF
    assert even < 2
    assert ROOTS[0] == turned & 1 == 0
    return even << 31 | turned >> 1


def exchanged(bits: int, mask: int) -> list[str]:
    """Exchange bits of the lane's two words: those of r0 outside of the mask, those of r1 in it."""
    low = f"and r2, r2, #{mask:#x}" if bits < 16 else "uxth r2, r2"
    return [
        f"eor r2, r1, r0, lsr #{bits}",
        low,
        "eor r1, r1, r2",
        f"eor r0, r0, r2, lsl #{bits}",
    ]


EXCHANGES = ((16, 0xFFFF), (8, 0xFF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555))
COLUMNS = tuple(reversed(range(5)))  # in the order in which they are interleaved


def interleaved() -> list[str]:
    """The state comes to the stack column by column, every word with its turn; so do the sums of
    the columns, those of odd bits by way of memory of the caller that is read already.
    """
    return [
        "sub sp, sp, #220",
        "mov r5, r0",
        "adr.w r3, .Lturns",
        "add r4, sp, #216          // the place of a lane's even bits",
        "add.w r6, r5, #32         // the lane",
        "add.w r9, r5, #40         // the sum of odd bits",
        "movs r7, #5",
        ".Lcolumn:",
        "mov.w r10, #0",
        "mov.w r11, #0",
        "mov.w r8, #5",
        ".Llane:",
        "ldrd r0, r1, [r6], #40",
        *(line for bits, mask in EXCHANGES for line in exchanged(bits, mask)),
        "eor r10, r10, r0",
        "eor r11, r11, r1",
        *("ldrb r2, [r3], #1", "ror r0, r0, r2", "ldrb r2, [r3], #1", "ror r1, r1, r2"),
        "str r1, [r4, #-120]",
        "str r0, [r4], #-20",
        "subs.w r8, r8, #1",
        "bne .Llane",
        *("ldrb r2, [r3], #1", "ror r10, r10, r2", "ldrb r2, [r3], #1", "ror r11, r11, r2"),
        "str r10, [r4], #96",
        "str r11, [r9, #-4]!",
        "sub r6, r6, #208",
        "subs r7, r7, #1",
        "bne .Lcolumn",
        "ldm r9, {r6-r10}",
    ]


def deinterleaved() -> list[str]:
    return [
        "adr.w r3, .Lturns",
        "add r4, sp, #216",
        "add.w r6, r5, #32",
        "movs r7, #5",
        ".Lcolumn_back:",
        "mov.w r8, #5",
        ".Llane_back:",
        "ldr r1, [r4, #-120]",
        "ldr r0, [r4], #-20",
        *("ldrb r2, [r3], #1", "rsb r2, r2, #32", "ror r0, r0, r2"),
        *("ldrb r2, [r3], #1", "rsb r2, r2, #32", "ror r1, r1, r2"),
        *(line for bits, mask in reversed(EXCHANGES) for line in exchanged(bits, mask)),
        "strd r0, r1, [r6], #40",
        "subs.w r8, r8, #1",
        "bne .Llane_back",
        "add r4, r4, #96",
        "adds r3, #2               // without those of the sums",
        "sub r6, r6, #208",
        "subs r7, r7, #1",
        "bne .Lcolumn_back",
    ]


def rounds() -> list[str]:
    """24 rounds. Between them the rows of the state are on the stack, the last odd one at sp, and
    so are the sums of even bits, at sp + 100; those of odd bits are in their registers.
    """
    code = [
        ".Lround:",
        "add r0, sp, #100",
        "ldm r0, {r0-r4}           // sums of columns, even bits",
        *theta(),
        "add r4, sp, #100",
        "stm r4, {r0-r3, r11}",
        *rows_moved(1),
        "pop {r6-r10}",
    ]
    for place, x in enumerate((1, 2, 3, 4, 0)):
        assert D[x, 0][0] == ("r0", "r1", "r2", "r3", "r11")[place]
        D[x, 0] = (SUMS[place], D[x, 0][1])
    code += rows_moved(0)
    code += [*chi(0, 0), "ldr r11, [sp]", "ldr r11, [r11]", "eor r6, r6, r11, lsr #31"]
    code += ["push {r6-r10}", *(line for y in range(1, 5) for line in chi(y, 0)), "push {r6-r10}"]
    code += [*chi(0, 1), "ldr r11, [sp, #120]", "ldr r12, [r11], #4", "str r11, [sp, #120]"]
    code += ["eor r6, r6, r12, lsl #1", "push {r6-r10}"]
    code += [line for y in range(1, 5) for line in chi(y, 1)]
    return [
        *code,
        f"subs {MEMORY}, #200",
        "ldr r0, [sp, #220]",
        "ldr r0, [r0]              // behind the last constant is a zero",
        "cmp r0, #0",
        "bne.w .Lround",
    ]


def text() -> str:
    """The file."""
    bytes_of = [
        -TURNS[x, y, half] % 32
        for x in COLUMNS
        for y in (0, 1, 2, 3, 4, 0)  # the sums have the turn of the first row
        for half in (0, 1)
    ]
    words = [f"{constant(lane):#010x}" for lane in CONSTANTS] + ["0"]
    code = [
        "push {r4-r11, lr}",
        "adr.w r1, .Lconstants",
        "push {r1}                 // the constant of the next round",
        *interleaved(),
        *rounds(),
        *deinterleaved(),
        "add sp, sp, #224",
        "pop {r4-r11, pc}",
    ]
    lines = [line if line.startswith(".L") else f"    {line}" for line in code]
    tables = [f"    .word {', '.join(words[i : i + 5])}" for i in range(0, 25, 5)]
    turned = [f"    .byte {', '.join(map(str, bytes_of[i : i + 12]))}" for i in range(0, 60, 12)]
    return "\n".join(
        [*HEAD.splitlines(), *lines, *MIDDLE.splitlines(), *tables, *TURNED, *turned, *END, ""]
    )


HEAD = f"""\
// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202, section 3) on Armv7-M, bit-interleaved. Words are kept rotated: no
// instruction is there for rho. tools/keccak_armv7m.py says how.
// void hanji_{NAME}(uint64_t *states);
/* kernel:
     spec: keccak.permute
     isa: armv7m
     blocks: 1
     args: {{ r0: {{buffer: states, bytes: 200, access: rw}} }}
     aliasing: in place
     stack: 260
     secrets: states
*/
    .syntax unified
    .thumb
    .section .text.hanji_{NAME}, "ax", %progbits
    .balign 4
    .global hanji_{NAME}
    .type hanji_{NAME}, %function
hanji_{NAME}:"""

MIDDLE = """\
    .balign 4
// Iota: bit 31 for the even bits; below it the odd bits, rotated, without bit 0.
.Lconstants:"""
TURNED = [
    "// Turns of words to the right, even and odd bits of five lanes and of the sum of a column.",
    ".Lturns:",
]
END = [f"    .size hanji_{NAME}, . - hanji_{NAME}"]


def files() -> dict[str, str]:
    """What the repository holds, by its path."""
    texts = {f"src/keccak/generated/{NAME}.S": text()}
    return complete(texts, "keccak_armv7m.py", "the steps of Keccak")


if __name__ == "__main__":
    sys.exit(write_or_check(files, "keccak_armv7m.py", __doc__))
