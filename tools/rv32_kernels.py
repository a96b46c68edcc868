# SPDX-License-Identifier: Apache-2.0
"""Write the bit-sliced RV32I kernels of SPECK-32/64 and CHAM-64/128, or say which of them are not
up to date (--check).

A state of 32 blocks is one register per bit of a block. The rounds are written down here as
operations on values, which get registers and slots of the frame from rv32_allocation.py. Loads,
transposes, counters and stores around the rounds are written by hand with macros.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from generated import complete, write_or_check
from rv32_allocation import (
    BESIDE,
    WORDS,
    Instruction,
    Place,
    Program,
    allocated,
)

Steps = list[tuple[int, int]]


def wave(starts: Sequence[int]) -> Steps:
    """(round, bit) in the order of their times: bit i of round r at time starts[r] + i."""
    return sorted(
        ((r, i) for r in range(len(starts)) for i in range(16)),
        key=lambda step: (starts[step[0]] + step[1], step[0]),
    )


def ordered(steps: Steps, ready: Callable[[int, int], bool]) -> Iterable[tuple[int, int]]:
    """The steps in their order, but none before what it needs."""
    waiting = list(steps)
    while waiting:
        at = next(n for n, step in enumerate(waiting) if ready(*step))
        yield waiting.pop(at)


class Adder:
    """Bit by bit over 16 bits: sum and carry from five operations, fewer at both ends. With u = a ^
    c and v = b ^ c the carry is (u & v) ^ c.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.carry = program, 0

    def add(self, bit: int, a: int, b: int, inverted: bool = False) -> int:
        """The bit of a + b; with `inverted` b comes inverted and so does the sum, and the carry (u
        & ~v) ^ c is (u | v) ^ b.
        """
        p = self.program
        if bit == 0:
            self.carry = p.xor(p.either(a, b), b) if inverted else p.both(a, b)
            return p.xor(a, b)
        c = self.carry
        u = p.xor(a, c)
        if bit < 15:
            v = p.xor(b, c)
            total = p.xor(u, b)
            self.carry = p.xor(p.either(u, v), b) if inverted else p.xor(p.both(u, v), c)
            return total
        return p.xor(u, b)

    def subtract(self, bit: int, a: int, b: int, inverted: bool = False) -> int:
        """The bit of a - b = ~(~a + b), where the borrow is (u | v) ^ a; with `inverted` a and b
        come inverted, and it is (u | v) ^ b.
        """
        p = self.program
        if bit == 0:
            self.carry = p.xor(p.either(a, b), b if inverted else a)
            return p.xor(a, b)
        c = self.carry
        u = p.xor(a, c)
        if bit < 15:
            v = p.xor(b, c)
            total = p.xor(u, b)
            self.carry = p.xor(p.either(u, v), b if inverted else a)
            return total
        return p.xor(u, b)


def speck_encrypt(
    p: Program, x: list[int], y: list[int], rounds: int, skew: int
) -> tuple[list[int], list[int]]:
    """SPECK (Beaulieu et al., ePrint 2013/404, section 4): x = (ror7(x) + y) ^ k; y = rol2(y) ^ x.
    Masks of round r, bit i at KEYS + 4 (16 r + i).
    """
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


def speck_decrypt(
    p: Program, x: list[int], y: list[int], rounds: int, skew: int
) -> tuple[list[int], list[int]]:
    """The inverse: y = ror2(y ^ x); x = rol7((x ^ k) - y). The last round of the block comes first,
    its masks at the highest address.
    """
    xs = {(0, i): value for i, value in enumerate(x)}
    ys = {(0, i): value for i, value in enumerate(y)}
    adders = [Adder(p) for _ in range(rounds)]
    done: set[tuple[int, int]] = set()

    def ready(r: int, i: int) -> bool:
        return (
            all((r, (i + n) % 16) in xs for n in (0, 2))
            and (r, (i + 2) % 16) in ys
            and (i == 0 or (r, i - 1) in done)
        )

    for r, i in ordered(wave([skew * r for r in range(rounds)]), ready):
        key = p.key(4 * (16 * (rounds - 1 - r) + i))
        ys[r + 1, i] = p.xor(ys[r, (i + 2) % 16], xs[r, (i + 2) % 16])
        xs[r + 1, (i + 7) % 16] = adders[r].subtract(i, p.xor(xs[r, i], key), ys[r + 1, i])
        done.add((r, i))
    return [xs[rounds, i] for i in range(16)], [ys[rounds, i] for i in range(16)]


def cham_rotations(r: int) -> tuple[int, int]:
    """Rotations to the left of round r: of the next word before the addition, of the sum after it."""
    return (1, 8) if r % 2 == 0 else (8, 1)


def cham_inverted(r: int, i: int) -> bool:
    """Whether bit i of the sum of round r is stored inverted: its word carries the lower bits of
    the number of the round that reads it as its own.
    """
    return bool((r + 4) % CHAM_BODY >> (i + cham_rotations(r)[1]) % 16 & 1)


CHAM_BODY = 8


def cham_encrypt(
    p: Program, words: list[list[int]], masks: Mapping[int, int], short: int, long: int
) -> list[list[int]]:
    """Eight rounds of CHAM (Koo et al., ICISC 2017, section 3): word i mod 4 of round i becomes
    rol((word ^ i) + (rol(next) ^ k)).

    The three lowest bits of i are the same in every pass of the loop. They cost nothing: the word
    of round i is kept xored with them, and the masks of the keys (cham64_rv32i.c) take that off
    where the word is the next one, and put it on the sum. `masks` holds the other bits of i.
    `short` and `long` are the times by which odd rounds follow even ones and even ones odd.
    """
    # by the round that reads the word as its own
    state = {(w, i): words[w][i] for w in range(4) for i in range(16)}
    starts = [(r + 1) // 2 * short + r // 2 * long for r in range(CHAM_BODY)]
    adders = [Adder(p) for _ in range(CHAM_BODY)]
    done: set[tuple[int, int]] = set()

    def ready(r: int, i: int) -> bool:
        return (
            (r, i) in state
            and (r + 1, (i - cham_rotations(r)[0]) % 16) in state
            and (i == 0 or (r, i - 1) in done)
        )

    for r, i in ordered(wave(starts), ready):
        before, after = cham_rotations(r)
        own = p.xor(state[r, i], masks[i]) if i in masks else state[r, i]
        other = p.xor(state[r + 1, (i - before) % 16], p.key(4 * (16 * r + i)))
        state[r + 4, (i + after) % 16] = adders[r].add(i, own, other, cham_inverted(r, i))
        done.add((r, i))
    return [[state[CHAM_BODY + w, i] for i in range(16)] for w in range(4)]


def cham_decrypt(
    p: Program, words: list[list[int]], masks: Mapping[int, int], short: int, long: int
) -> list[list[int]]:
    """The inverse of eight rounds, the last first: word = (ror(word) - (rol(next) ^ k)) ^ i."""
    state = {(CHAM_BODY + w, i): words[w][i] for w in range(4) for i in range(16)}
    starts = [(n + 1) // 2 * short + n // 2 * long for n in range(CHAM_BODY)]
    adders = [Adder(p) for _ in range(CHAM_BODY)]
    done: set[tuple[int, int]] = set()

    def ready(n: int, i: int) -> bool:
        r = CHAM_BODY - 1 - n
        before, after = cham_rotations(r)
        return (
            (r + 4, (i + after) % 16) in state
            and (r + 1, (i - before) % 16) in state
            and (i == 0 or (n, i - 1) in done)
        )

    for n, i in ordered(wave(starts), ready):
        r = CHAM_BODY - 1 - n
        before, after = cham_rotations(r)
        other = p.xor(state[r + 1, (i - before) % 16], p.key(4 * (16 * r + i)))
        own = adders[n].subtract(i, state[r + 4, (i + after) % 16], other, cham_inverted(r, i))
        state[r, i] = p.xor(own, masks[i]) if i in masks else own
        done.add((n, i))
    return [[state[w, i] for i in range(16)] for w in range(4)]


# The text around the rounds.

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// {cipher} on RV32I, 32 blocks at a time, bit-sliced: a register holds one bit of all blocks, block n in bit n.
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
    """Byte offsets in the frame: slots of the rounds, then what the function remembers, then the
    registers of the caller.
    """

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


def asm(*lines: str) -> str:
    """Instructions, labels and comments, in columns."""
    text = ""
    for line in lines:
        name, _, operands = line.partition(" ")
        text += (
            f"{line}\n"
            if line.endswith(":")
            else f"    {line}\n"
            if line.startswith("//")
            else f"    {name:7} {operands}".rstrip() + "\n"
        )
    return text


def listing(lines: Iterable[Instruction]) -> str:
    return "".join(line.text() + "\n" for line in lines)


def function(name: str, body: str) -> str:
    return (
        f'    .section .text.{name}, "ax", @progbits\n    .balign 4\n    .globl  {name}\n    '
        f".hidden {name}\n    .type   {name}, @function\n"
        f"{name}:\n{body}    .size   {name}, . - {name}\n\n"
    )


def local(name: str, body: str) -> str:
    return (
        f'    .section .text.{name}, "ax", @progbits\n    .balign 4\n    .type   {name}, '
        f"@function\n{name}:\n{body}    .size   {name}, . - {name}\n\n"
    )


def transposition() -> str:
    text = ""
    for n, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        text += asm(
            f"li t0, 0x{mask:08x}",
            *(f"exchange {WORDS[i]}, {WORDS[i + n]}, {n}" for i in range(16) if not i & n),
        )
    return text + asm("ret")


@dataclass(frozen=True)
class Shape:
    """A cipher as the frame sees it: words of 16 bits in a block, and where the rounds begin and
    end with each bit: word -> bit -> place.
    """

    name: str
    cipher: str
    blocks: int
    block_bytes: int
    round_keys: int
    places: tuple[tuple[Place, ...], ...]
    last: int  # the word that lies in WORDS, so that it is loaded last and stored first
    layout: str = "pairs_slices"  # in lab/layouts.py
    small: bool = False  # loads and stores of a word are subroutines, too
    # (word, bit) of the slices that are inverted at their places
    inverted: frozenset[tuple[int, int]] = frozenset()

    @property
    def words(self) -> int:
        return len(self.places)


def inversions(shape: Shape, word: int) -> str:
    return asm(
        *(f"not {WORDS[bit]}, {WORDS[bit]}" for bit in range(16) if (word, bit) in shape.inverted)
    )


def load_words(shape: Shape, frame: Frame, word_at: Sequence[int]) -> str:
    """Read 32 blocks and leave every slice at its place."""
    text = "" if shape.small else asm(f"lw t2, {frame['in']}(sp)")
    for word in [w for w in range(shape.words) if w != shape.last] + [shape.last]:
        if shape.small:
            text += asm(
                f"lw t2, {frame['in']}(sp)",
                f"addi t2, t2, {word_at[word]}",
                f"jal {shape.name}_gather",
            )
        for b in range(0, 0 if shape.small else 16, 2):
            text += asm(
                f"gather {WORDS[b]}, {WORDS[b + 1]}, {word_at[word] + shape.block_bytes * b}"
            )
        text += asm(f"jal {shape.name}_transpose") + inversions(shape, word)
        if word == shape.last:
            continue
        for bit, place in enumerate(shape.places[word]):
            if place.slot is not None:
                text += asm(f"sw {WORDS[bit]}, {4 * place.slot}(sp)")
            else:
                text += asm(f"mv {place.register}, {WORDS[bit]}")
    return text


def store_words(shape: Shape, frame: Frame, word_at: Sequence[int], added: bool) -> str:
    """Write 32 blocks, xored to the input or not."""
    text = ""
    for word in [shape.last] + [w for w in range(shape.words) if w != shape.last]:
        for bit, place in enumerate(shape.places[word] if word != shape.last else ()):
            if place.slot is not None:
                text += asm(f"lw {WORDS[bit]}, {4 * place.slot}(sp)")
            else:
                text += asm(f"mv {WORDS[bit]}, {place.register}")
        text += inversions(shape, word) + asm(f"jal {shape.name}_transpose")
        if word == shape.last or shape.small:
            text += asm(
                f"lw t2, {frame['out']}(sp)", *([f"lw a0, {frame['in']}(sp)"] if added else [])
            )
        macro = "scatter_added" if added else "scatter"
        if shape.small:
            text += asm(
                f"addi t2, t2, {word_at[word]}",
                *([f"addi a0, a0, {word_at[word]}"] if added else []),
                f"jal {shape.name}_{macro}",
            )
        for b in range(0 if shape.small else 16):
            text += asm(f"{macro} {WORDS[b]}, {word_at[word] + shape.block_bytes * b}")
    return text


def remember(frame: Frame, registers: Mapping[str, str]) -> str:
    return asm(*(f"sw {register}, {frame[name]}(sp)" for name, register in registers.items()))


def next_group(shape: Shape, frame: Frame) -> str:
    """Advance the pointers by 32 blocks, and do the next 32 if there are any; t2 is still the
    output, but in a small kernel.
    """
    step = 32 * shape.block_bytes
    return asm(
        *([f"lw t2, {frame['out']}(sp)"] if shape.small else []),
        f"lw t1, {frame['in']}(sp)",
        f"lw t0, {frame['groups']}(sp)",
        f"addi t2, t2, {step}",
        f"addi t1, t1, {step}",
        "addi t0, t0, -1",
        f"sw t2, {frame['out']}(sp)",
        f"sw t1, {frame['in']}(sp)",
        f"sw t0, {frame['groups']}(sp)",
        "beqz t0, 2f",
        "j 1b",
        "2:",
    )


LANES = (0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000)


def counters(shape: Shape, frame: Frame, word_at: Sequence[int]) -> str:
    """Slices of the block-sized big-endian counter plus 0, ..., 31, at the places of the words;
    then the counter advanced by 32.

    Bit n of the number lies in byte n / 8 from the end of the block: words hold their lower byte
    first. t0 is the number, t1 the carry, t2 bit n in all blocks, ra the same bit of 0, ..., 31.
    """
    bits = 16 * shape.words
    names = ("low", "high")[: bits // 32]
    text = ""
    for n in range(bits):
        word, bit = word_at.index(shape.block_bytes - 2 - n // 16 * 2), n % 16 ^ 8
        place = shape.places[word][bit]
        to = place.register or "a0"
        if n % 32 == 0:
            text += asm(f"lw t0, {frame[names[n // 32]]}(sp)")
        text += (
            asm(f"slli t2, t0, {31 - n % 32}", "srai t2, t2, 31")
            if n % 32 != 31
            else asm("srai t2, t0, 31")
        )
        if n < 5:
            text += asm(f"li ra, 0x{LANES[n]:08x}")
        if n == 0:
            text += asm(f"xor {to}, t2, ra", "and t1, t2, ra")
        elif n < 5:
            text += asm(
                "xor a0, t2, ra",
                "and t2, t2, ra",
                "and ra, a0, t1",
                f"xor {to}, a0, t1",
                "or t1, t2, ra",
            )
        else:
            text += asm(f"xor {to}, t2, t1", *(["and t1, t2, t1"] if n < bits - 1 else []))
        if (word, bit) in shape.inverted:
            text += asm(f"not {to}, {to}")
        if place.slot is not None:
            text += asm(f"sw a0, {4 * place.slot}(sp)")
    text += asm(f"lw t0, {frame['low']}(sp)", "addi t1, t0, 32", f"sw t1, {frame['low']}(sp)")
    if len(names) == 2:
        text += asm(
            "sltu t0, t1, t0",
            f"lw t1, {frame['high']}(sp)",
            "add t1, t1, t0",
            f"sw t1, {frame['high']}(sp)",
        )
    return text


def counter_bytes(shape: Shape, frame: Frame, store: bool) -> str:
    """The counter from memory of any alignment into the frame, or back."""
    text = asm(f"lw t2, {frame['counter']}(sp)") if store else ""
    for index, name in enumerate(("low", "high")[: shape.block_bytes // 4]):
        at = shape.block_bytes - 4 * (index + 1)
        if store:
            text += asm(f"lw t0, {frame[name]}(sp)")
            for n in (3, 2, 1, 0):
                text += asm(f"sb t0, {at + n}(t2)", *(["srli t0, t0, 8"] if n > 0 else []))
        else:
            text += asm(f"lbu t0, {at}(a3)")
            for n in range(1, 4):
                text += asm(f"lbu t1, {at + n}(a3)", "slli t0, t0, 8", "or t0, t0, t1")
            text += asm(f"sw t0, {frame[name]}(sp)")
    return text


def header(
    shape: Shape, spec: str, operation: str, formula: str, frame: Frame, key_bytes: int
) -> str:
    counted = operation == "ctr"
    more = "uint8_t *counter, " if counted else ""
    keys = "a4" if counted else "a3"
    counter = (
        f"a3: {{buffer: counter, bytes: {shape.block_bytes}, access: rw}}, " if counted else ""
    )
    data = f"{32 * shape.block_bytes} * groups"
    lanes = "x32_small" if shape.small else "x32"
    secrets = "in, counter, keys" if counted else "in, keys"
    return f"""\
// {shape.cipher}, 32 blocks per group: {formula}
// void hanji_{spec}_rv32i_{operation}_{lanes}(uint8_t *out, const uint8_t *in, size_t groups, {more}const void *keys);
/* kernel:
     spec: {spec}.{operation}
     isa: rv32i
     blocks: 32
     align: 4
     layout: {shape.layout}
     args: {{ a0: {{buffer: out, bytes: {data}, access: w}}, a1: {{buffer: in, bytes: {data}, access: r}},
             a2: {{value: groups}}, {counter}{keys}: {{buffer: keys, bytes: {key_bytes}, access: r}} }}
     aliasing: out == in allowed
     stack: {frame.size}
     secrets: {secrets}
*/
"""


def kernels(
    shapes: Mapping[str, Shape],
    spec: str,
    frame: Frame,
    word_at: Sequence[int],
    rounds: Mapping[str, str],
    before: Mapping[str, str],
) -> str:
    """The file. By direction, encrypt and decrypt: where slices lie, the rounds as a subroutine,
    and what sets a0 and the frame up for it.
    """
    shape = shapes["encrypt"]
    key_bytes = 68 * shape.round_keys
    saves = "\n".join(
        f"    sw      {name}, {frame.saved + 4 * n}(sp)" for n, name in enumerate(SAVED) if n
    )
    half = 16 * shape.block_bytes
    text = HEAD.format(cipher=shape.cipher, pairs=4 * shape.round_keys)
    text += MACROS.format(
        half=half,
        half_next=half + shape.block_bytes,
        block=shape.block_bytes,
        frame=frame.size,
        saved=frame.saved,
        saves=saves,
        loads=saves.replace("sw ", "lw "),
    )
    text += (
        "\n// Bit i of word j becomes bit j of word i, in both halves. Uses t0, t1; returns "
        "to ra.\n"
    ) + local(f"{shape.name}_transpose", transposition())
    if shape.small:
        words = range(0, 16, 2), range(16)
        loads = asm(
            *(f"gather {WORDS[b]}, {WORDS[b + 1]}, {shape.block_bytes * b}" for b in words[0]),
            "ret",
        )
        text += "// The word of every block that t2 points to in the first.\n" + local(
            f"{shape.name}_gather", loads
        )
        for macro in ("scatter", "scatter_added"):
            text += local(
                f"{shape.name}_{macro}",
                asm(*(f"{macro} {WORDS[b]}, {shape.block_bytes * b}" for b in words[1]), "ret"),
            )
    for operation, body in rounds.items():
        text += (
            f"// The rounds to {operation} on slices at their places; a0 points to the masks of "
            "the first. Uses all registers but sp, gp, tp.\n"
        )
        text += local(f"{shape.name}_{operation}_rounds", body)
    arguments = {"out": "a0", "in": "a1", "groups": "a2"}
    for operation, formula in (
        ("encrypt", "ciphertext = E_k(plaintext)."),
        ("decrypt", "plaintext = D_k(ciphertext)."),
        ("ctr", "out = in ^ E_k(counter + n)."),
    ):
        text += header(shape, spec, operation, formula, frame, key_bytes)
        counted, direction = operation == "ctr", "decrypt" if operation == "decrypt" else "encrypt"
        shape = shapes[direction]
        body = "    enter\n" + remember(
            frame, arguments | ({"counter": "a3", "keys": "a4"} if counted else {"keys": "a3"})
        )
        if counted:
            body += counter_bytes(shape, frame, store=False)
        body += "1:\n" + (
            counters(shape, frame, word_at) if counted else load_words(shape, frame, word_at)
        )
        body += before[direction] + f"    jal     {shape.name}_{direction}_rounds\n"
        body += store_words(shape, frame, word_at, counted) + next_group(shape, frame)
        if counted:
            body += counter_bytes(shape, frame, store=True)
        body += "    leave\n"
        text += function(
            f"hanji_{spec}_rv32i_{operation}_" + ("x32_small" if shape.small else "x32"), body
        )
    return text + "#endif\n"


@dataclass(frozen=True)
class Choice:
    """How the rounds of one direction are ordered and allocated; found by trying, for the fewest
    instructions that wait for no load.
    """

    last: int  # the word in WORDS
    beside: tuple[int, int]  # word and first bit of what lies in BESIDE
    times: tuple[int, ...]
    bias: float
    spare: int

    def places(self, words: int) -> tuple[tuple[Place, ...], ...]:
        word, first = self.beside
        found = [
            [
                Place(register=WORDS[i]) if w == self.last else Place(slot=16 * w + i)
                for i in range(16)
            ]
            for w in range(words)
        ]
        for n, register in enumerate(BESIDE):
            found[word][(first + n) % 16] = Place(register=register)
        return tuple(tuple(bits) for bits in found)


def joined(words: Sequence[Sequence[int]], places: Sequence[Sequence[Place]]) -> dict[int, Place]:
    return {
        value: place
        for bits, at in zip(words, places, strict=True)
        for value, place in zip(bits, at, strict=True)
    }


SPECK = {"encrypt": Choice(1, (0, 7), (7,), 1.0, 1), "decrypt": Choice(1, (0, 0), (7,), 1.0, 1)}
SPECK_SMALL = SPECK
CHAM = {"encrypt": Choice(1, (0, 0), (1, 7), 1.5, 2), "decrypt": Choice(3, (0, 9), (0, 12), 1.0, 2)}


def speck_rounds(direction: str, choice: Choice, rounds: int) -> tuple[list[Instruction], int]:
    """The body of the loop, and how many slots it takes."""
    p, places = Program(), choice.places(2)
    words = [[p.new() for _ in range(16)] for _ in range(2)]
    entry = joined(words, places)
    after = (speck_encrypt if direction == "encrypt" else speck_decrypt)(
        p, words[0], words[1], rounds, choice.times[0]
    )
    return allocated(p, entry, joined(after, places), choice.bias, choice.spare)


def speck32(small: bool = False) -> str:
    body, choices, name = (
        (2, SPECK_SMALL, "speck32_rv32i_x32_small") if small else (11, SPECK, "speck32_rv32i_x32")
    )
    made = {
        direction: speck_rounds(direction, choice, body) for direction, choice in choices.items()
    }
    frame = Frame(
        max(slots for _, slots in made.values()),
        ("out", "in", "groups", "keys", "counter", "low", "last", "back"),
    )
    shapes = {
        direction: Shape(name, "SPECK-32/64", 32, 4, 22, choice.places(2), choice.last, small=small)
        for direction, choice in choices.items()
    }
    rounds, before = {}, {}
    masks = 88  # where they begin
    for direction, first, step in (("encrypt", 0, body), ("decrypt", 22 - body, -body)):
        last = 22 if step > 0 else -body
        rounds[direction] = asm(f"sw ra, {frame['back']}(sp)", "1:") + listing(made[direction][0])
        rounds[direction] += asm(
            f"lw ra, {frame['last']}(sp)",
            f"addi a0, a0, {64 * step}",
            "beq a0, ra, 2f",
            "j 1b",
            "2:",
            f"lw ra, {frame['back']}(sp)",
            "ret",
        )
        before[direction] = asm(
            f"lw a0, {frame['keys']}(sp)",
            f"addi t0, a0, {masks + 64 * last}",
            f"addi a0, a0, {masks + 64 * first}",
            f"sw t0, {frame['last']}(sp)",
        )
    return kernels(shapes, "speck32_64", frame, (2, 0), rounds, before)


CHAM_MASKS = {bit: Place(slot=64 + n) for n, bit in enumerate((3, 4, 5, 6))}


def cham_rounds(direction: str, choice: Choice) -> tuple[list[Instruction], int]:
    """Eight rounds, and how many slots they take."""
    p, places = Program(), choice.places(4)
    words = [[p.new() for _ in range(16)] for _ in range(4)]
    masks = {bit: p.new() for bit in CHAM_MASKS}
    held = {masks[bit]: place for bit, place in CHAM_MASKS.items()}
    entry = joined(words, places) | held
    after = (cham_encrypt if direction == "encrypt" else cham_decrypt)(
        p, words, masks, choice.times[0], choice.times[1]
    )
    return allocated(p, entry, joined(after, places) | held, choice.bias, choice.spare)


def cham64() -> str:
    made = {direction: cham_rounds(direction, choice) for direction, choice in CHAM.items()}
    frame = Frame(
        max(slots for _, slots in made.values()),
        ("out", "in", "groups", "keys", "counter", "low", "high", "both_halves", "pass", "back"),
    )
    inverted = frozenset((w, bit) for w in range(4) for bit in range(3) if w >> bit & 1)
    shapes = {
        direction: Shape(
            "cham64_rv32i_x32",
            "CHAM-64/128",
            32,
            8,
            16,
            choice.places(4),
            choice.last,
            "pairs_slices_numbered",
            inverted=inverted,
        )
        for direction, choice in CHAM.items()
    }
    rounds, before = {}, {}
    bits = [
        line
        for n in range(len(CHAM_MASKS))
        for line in (f"slli t1, t0, {31 - n}", "srai t1, t1, 31", f"sw t1, {4 * (64 + n)}(sp)")
    ]
    for direction, first, step, last in (("encrypt", 0, 1, 11), ("decrypt", 10, -1, -1)):
        rounds[direction] = asm(
            f"li t0, {first}",
            f"sw ra, {frame['back']}(sp)",
            "1:",
            "// Bits 3 to 6 of the number of a round are the number of the pass.",
        )
        rounds[direction] += asm(f"sw t0, {frame['pass']}(sp)", *bits) + listing(made[direction][0])
        rounds[direction] += asm(
            f"lw t1, {frame['both_halves']}(sp)",
            f"lw t0, {frame['pass']}(sp)",
            f"li t2, {last}",
            "sub a0, t1, a0",
            f"addi t0, t0, {step}",
        )
        rounds[direction] += asm(
            "beq t0, t2, 2f", "j 1b", "2:", f"lw ra, {frame['back']}(sp)", "ret"
        )
        # The masks of eight rounds and those of the other eight take turns; the first and the last
        # pass have even numbers.
        before[direction] = asm(
            f"lw a0, {frame['keys']}(sp)",
            "addi a0, a0, 64",
            "addi t0, a0, 512",
            "add t0, t0, a0",
            f"sw t0, {frame['both_halves']}(sp)",
        )
    return kernels(shapes, "cham64_128", frame, (0, 2, 4, 6), rounds, before)


FILES: dict[str, Callable[[], str]] = {
    "src/speck/generated/speck32_rv32i_x32.S": speck32,
    "src/speck/generated/speck32_rv32i_x32_small.S": lambda: speck32(small=True),
    "src/cham/generated/cham64_rv32i_x32.S": cham64,
}


def files() -> dict[str, str]:
    """Path and text of every file."""
    return complete(
        {path: make() for path, make in FILES.items()},
        "rv32_kernels.py",
        "the rounds as operations on values",
    )


if __name__ == "__main__":
    sys.exit(write_or_check(files, "rv32_kernels.py", __doc__))
