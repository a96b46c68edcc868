# SPDX-License-Identifier: Apache-2.0
"""The rounds of the block ciphers in PTX: on words, several blocks per thread, and on bit slices, 32 blocks per thread.

A block is its 32-bit words in memory order. Round keys lie in memory in their canonical layout, but those of CHAM-64 as 32-bit words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .ptx import A, B, C, Entry, Value, Words

Rounds = Callable[[Entry, list[Words], Value], list[Words]]  # blocks, and a pointer to the round keys, become blocks

OR_XOR = (A | B) ^ C  # merges the halves of a multiplication and adds a word
AND_XOR = (A & B) ^ C
PARITY = A ^ B ^ C


def rotl_xor(e: Entry, x: Value, by: int, other: Value) -> Value:
    """(x <<< by) ^ other with one instruction on the ALU: the rotation is a multiplication."""
    low, high = e.shifted_fma(x, by)
    return e.lop(low, high, other, OR_XOR)


def copied(e: Entry, value: Value) -> Value:
    """The value in a register that may be written again."""
    register = e.register()
    e.emit("mov.b32", register, value)
    return register


Round = Callable[[Entry, Words, Words, "Number"], Words]  # block, words of the round key, number of the round


@dataclass(frozen=True)
class Number:
    """The number of a round: a register, a multiple of the rounds per turn of the loop, and what is added in the turn."""

    register: Value
    added: int


def looped(rounds: int, per_turn: int, key_words: int, key_period: int, decrypt: bool, one: Round) -> Rounds:
    """
    All rounds as a loop with `per_turn` of them in its body.

    The body ends with every register written anew, so it may copy them back in any order: two rounds at least for a Feistel network, four for
    CHAM. A round key has `key_words` words; after `key_period` rounds they begin again (0: never).
    """
    assert rounds % per_turn == 0

    def run(e: Entry, blocks: list[Words], pointer: Value) -> list[Words]:
        blocks = [[copied(e, word) for word in block] for block in blocks]
        turns, turn_words = rounds // per_turn, key_words * min(per_turn, key_period or rounds)
        keys: Words = []
        walking = copied_wide(e, pointer, 4 * key_words * ((rounds - per_turn) % (key_period or rounds)) if decrypt else 0)
        if turn_words == key_words * key_period:
            keys = load_words(e, pointer, turn_words)
        number = copied(e, str(rounds - per_turn if decrypt else 0))
        with e.loop(turns):
            if not keys:
                keys = load_words(e, walking, turn_words)
            state = [list(block) for block in blocks]
            for r in reversed(range(per_turn)) if decrypt else range(per_turn):
                e.comment(f"round {r} of the turn")
                place = key_words * (r % (key_period or rounds))
                key = keys[place : place + key_words]
                state = [one(e, block, key, Number(number, r)) for block in state]
            for block, new in zip(blocks, state, strict=True):
                for register, value in zip(block, new, strict=True):
                    e.emit("mov.b32", register, value)
            e.emit("add.u32", number, number, -per_turn if decrypt else per_turn)
            if key_period > per_turn:
                # Two halves that take turns: CHAM's 16 round keys, eight at a time.
                assert key_period == 2 * per_turn
                other = e.op("and.b32", number, per_turn)
                e.emit("mad.wide.u32", walking, other, 4 * key_words, pointer)
            else:
                e.emit("add.s64", walking, walking, -4 * turn_words if decrypt else 4 * turn_words)
        return blocks

    return run


def copied_wide(e: Entry, pointer: Value, offset: int) -> Value:
    return e.wide("add.u64", pointer, offset)


def load_words(e: Entry, pointer: Value, count: int) -> Words:
    """Words that all threads load: four at a time if they always lie at multiples of 16 bytes."""
    if count % 4 == 0:
        return [w for i in range(0, count, 4) for w in e.load4(pointer, 4 * i, kind="ld.global.nc")]
    return [e.load(pointer, 4 * i) for i in range(count)]


# SPECK


def speck64(rounds: int, per_turn: int, decrypt: bool) -> Rounds:
    """SPECK with 32-bit words (Beaulieu et al., ePrint 2013/404, section 4): three instructions on the ALU per round when encrypting."""

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = block
        if decrypt:
            y = e.rotr(e.xor(x, y), 3)
            return [y, e.rotl(e.sub(e.xor(x, key[0]), y), 8)]
        x = e.xor(e.add(e.funnel_right(x, 8), y), key[0])
        return [rotl_xor(e, y, 3, x), x]

    return looped(rounds, per_turn, 1, 0, decrypt, one)


def speck128(rounds: int, per_turn: int, decrypt: bool) -> Rounds:
    """SPECK with 64-bit words as pairs (low, high)."""

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y0, y1, x0, x1 = block
        if decrypt:
            y0, y1 = e.xor(x0, y0), e.xor(x1, y1)
            y0, y1 = e.op("shf.r.wrap.b32", y0, y1, 3), e.op("shf.r.wrap.b32", y1, y0, 3)
            x0, x1 = e.xor(x0, key[0]), e.xor(x1, key[1])
            x0 = e.op("sub.cc.u32", x0, y0)
            x1 = e.op("subc.u32", x1, y1)
            return [y0, y1, e.bytes(x1, [3, 4, 5, 6], x0), e.bytes(x0, [3, 4, 5, 6], x1)]
        r0, r1 = e.op("shf.r.wrap.b32", x0, x1, 8), e.op("shf.r.wrap.b32", x1, x0, 8)
        x0 = e.op("add.cc.u32", r0, y0)
        x1 = e.op("addc.u32", r1, y1)
        x0, x1 = e.xor(x0, key[0]), e.xor(x1, key[1])
        (l0, h0), (l1, h1) = e.shifted_fma(y0, 3), e.shifted_fma(y1, 3)
        return [e.lop(l0, h1, x0, OR_XOR), e.lop(l1, h0, x1, OR_XOR), x0, x1]

    return looped(rounds, per_turn, 2, 0, decrypt, one)


# SIMON and SIMECK


def feistel64(family: str, rounds: int, per_turn: int, decrypt: bool) -> Rounds:
    """SIMON (ePrint 2013/404, section 3) and SIMECK (Yang et al., CHES 2015, section 2) with 32-bit words."""

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = reversed(block) if decrypt else block
        a, b, c = (1, 8, 2) if family == "simon" else (0, 5, 1)
        f = e.lop(e.rotl(x, a), e.rotl(x, b), e.rotl(x, c), AND_XOR)
        y = e.lop(f, y, key[0], PARITY)
        return [y, x] if decrypt else [x, y]

    return looped(rounds, per_turn, 1, 0, decrypt, one)


def simon128(rounds: int, per_turn: int, decrypt: bool) -> Rounds:
    """SIMON with 64-bit words as pairs (low, high)."""

    def rotated(e: Entry, low: Value, high: Value, by: int) -> Words:
        if by % 8 == 0:
            return [e.bytes(high, [3, 4, 5, 6], low), e.bytes(low, [3, 4, 5, 6], high)]
        return [e.op("shf.l.wrap.b32", high, low, by), e.op("shf.l.wrap.b32", low, high, by)]

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = (block[2:], block[:2]) if decrypt else (block[:2], block[2:])
        turned = [rotated(e, x[0], x[1], by) for by in (1, 8, 2)]
        new = [e.lop(e.lop(turned[0][w], turned[1][w], turned[2][w], AND_XOR), y[w], key[w], PARITY) for w in range(2)]
        return [*new, *x] if decrypt else [*x, *new]

    return looped(rounds, per_turn, 2, 0, decrypt, one)


# CHAM


def with_number(e: Entry, word: Value, number: Number) -> Value:
    """word ^ number in one instruction: the added part has no bit in common with the rest."""
    return e.lop(word, number.register, str(number.added), PARITY)


def cham128(rounds: int, key_words: int, decrypt: bool) -> Rounds:
    """CHAM with 32-bit words (Roh et al., ICISC 2019, section 2)."""

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        first, second = (1, 8) if number.added % 2 == 0 else (8, 1)
        if decrypt:
            x1, x2, x3, last = block
            return [with_number(e, e.sub(e.rotr(last, second), rotl_xor(e, x1, first, key[0])), number), x1, x2, x3]
        x0, x1, x2, x3 = block
        value = e.add(with_number(e, x0, number), rotl_xor(e, x1, first, key[0]))
        return [x1, x2, x3, e.rotl(value, second)]

    return looped(rounds, 16 if rounds % 16 == 0 else 8, 1, 2 * key_words, decrypt, one)


def cham64(rounds: int, key_words: int, decrypt: bool) -> Rounds:
    """CHAM with 16-bit words, each in the low half of a register; what the high half holds does not matter."""

    def rotl16(e: Entry, x: Value, by: int) -> Value:
        twice = e.bytes(x, [1, 0, 1, 0] if by == 8 else [0, 1, 0, 1])
        return twice if by == 8 else e.op("shr.u32", twice, 16 - by)

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        first, second = (1, 8) if number.added % 2 == 0 else (8, 1)
        if decrypt:
            x1, x2, x3, last = block
            return [with_number(e, e.sub(rotl16(e, last, 16 - second), e.xor(rotl16(e, x1, first), key[0])), number), x1, x2, x3]
        x0, x1, x2, x3 = block
        value = e.add(with_number(e, x0, number), e.xor(rotl16(e, x1, first), key[0]))
        return [x1, x2, x3, rotl16(e, value, second)]

    def run(e: Entry, blocks: list[Words], pointer: Value) -> list[Words]:
        state = [[a, e.op("shr.u32", a, 16), b, e.op("shr.u32", b, 16)] for a, b in blocks]
        state = looped(rounds, 8, 1, 2 * key_words, decrypt, one)(e, state, pointer)
        return [[e.bytes(a, [0, 1, 4, 5], b), e.bytes(c, [0, 1, 4, 5], d)] for a, b, c, d in state]

    return run


# Bit slices: 32 registers per 32-bit word, register i holding bit i of the word of 32 blocks. Round keys are masks, one word per bit.


def transpose(e: Entry, rows: Sequence[Value]) -> Words:
    """The 32 x 32 bit matrix with rows and columns exchanged."""
    rows = list(rows)
    for distance, mask in ((16, 0), (8, 0), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        for k in range(32):
            if k & distance:
                continue
            low, high = rows[k], rows[k + distance]
            if distance == 16:
                rows[k], rows[k + 16] = e.bytes(low, [0, 1, 4, 5], high), e.bytes(low, [2, 3, 6, 7], high)
            elif distance == 8:
                rows[k], rows[k + 8] = e.bytes(low, [0, 4, 2, 6], high), e.bytes(low, [1, 5, 3, 7], high)
            else:
                select = (A & C) | (B & ~C)
                up, down = e.op("shl.b32", high, distance), e.op("shr.u32", low, distance)
                rows[k], rows[k + distance] = e.lop(low, up, f"0x{mask:08x}", select), e.lop(down, high, f"0x{mask:08x}", select)
    return rows


def sliced_feistel(family: str, e: Entry, x: Words, y: Words, masks: Words) -> Words:
    """The new word of a round of SIMON or SIMECK in slices; rotations are renamings."""
    a, b, c = (1, 8, 2) if family == "simon" else (0, 5, 1)
    n = len(x)
    return [e.lop(e.lop(x[(i - a) % n], x[(i - b) % n], x[(i - c) % n], AND_XOR), y[i], masks[i], PARITY) for i in range(n)]


def sliced_cham64_round(e: Entry, state: list[Words], r: int, masks: Words) -> list[Words]:
    """A round of CHAM-64 in slices: state[w] are the 16 bits of word w. The addition ripples through them; the round number inverts bits."""
    first, second = (1, 8) if r % 2 == 0 else (8, 1)
    x0, x1 = state[0], state[1]
    total: Words = []
    carry: Value | None = None
    for i in range(16):
        u = e.xor(x1[(i - first) % 16], masks[i])
        a = A ^ (0xFF if r >> i & 1 else 0)
        if carry is None:
            total.append(e.lop(x0[i], u, u, a ^ B))
            carry = e.lop(x0[i], u, u, a & B)
        else:
            total.append(e.lop(x0[i], u, carry, a ^ B ^ C))
            if i < 15:
                carry = e.lop(x0[i], u, carry, (a & B) | (a & C) | (B & C))
    return [state[1], state[2], state[3], [total[(i - second) % 16] for i in range(16)]]


@dataclass(frozen=True)
class Cipher:
    """A block cipher as the generator needs it; `round_key_words` counts 32-bit words of the canonical layout."""

    key: str  # the specification's identifier
    words: int  # 32-bit words of a block
    round_key_words: int
    encrypt: Rounds
    decrypt: Rounds


def _both(make: Callable[[bool], Rounds]) -> tuple[Rounds, Rounds]:
    return make(False), make(True)


# By file: src/gpu/<family><block bits>_sm75.ptx.
FILES: dict[str, list[Cipher]] = {
    "speck64": [Cipher("speck64_128", 2, 27, *_both(lambda d: speck64(27, 27, d)))],
    "speck128": [
        Cipher("speck128_128", 4, 64, *_both(lambda d: speck128(32, 16, d))),
        Cipher("speck128_192", 4, 66, *_both(lambda d: speck128(33, 11, d))),
        Cipher("speck128_256", 4, 68, *_both(lambda d: speck128(34, 17, d))),
    ],
    "simon64": [Cipher("simon64_128", 2, 44, *_both(lambda d: feistel64("simon", 44, 4, d)))],
    "simon128": [Cipher("simon128_128", 4, 136, *_both(lambda d: simon128(68, 4, d)))],
    "simeck64": [Cipher("simeck64_128", 2, 44, *_both(lambda d: feistel64("simeck", 44, 4, d)))],
    "cham64": [Cipher("cham64_128", 2, 16, *_both(lambda d: cham64(88, 8, d)))],
    "cham128": [
        Cipher("cham128_128", 4, 8, *_both(lambda d: cham128(112, 4, d))),
        Cipher("cham128_256", 4, 16, *_both(lambda d: cham128(120, 8, d))),
    ],
}
