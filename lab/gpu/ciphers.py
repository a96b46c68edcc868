# SPDX-License-Identifier: Apache-2.0
"""The rounds of the block ciphers in PTX: on words, several blocks per thread, and on bit slices,
32 blocks per thread.

A block is its 32-bit words in memory order. Round keys lie in memory in their canonical layout, but
those of CHAM-64 as 32-bit words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd

from .ptx import A, Array, B, C, Entry, Value, Words

# blocks, and a pointer to the round keys, become blocks
Rounds = Callable[[Entry, list[Words], Value], list[Words]]
# CTR: the numbers in the last words of the counters, their other words, a pointer to the round
# keys, and data become what the data are encrypted to
Stream = Callable[[Entry, Words, Words, Value, list[Words]], list[Words]]

AND_XOR = (A & B) ^ C
PARITY = A ^ B ^ C


def copied(e: Entry, value: Value) -> Value:
    """The value in a register that may be written again."""
    register = e.register()
    e.emit("mov.b32", register, value)
    return register


# block, words of the round key, number of the round
Round = Callable[[Entry, Words, Words, "Number"], Words]


@dataclass(frozen=True)
class Number:
    """The number of a round: a value, a multiple of the rounds per turn of the loop, and what is
    added in the turn, whose remainder by the `phases` of a cipher is `phase`.
    """

    register: Value
    added: Value
    phase: int


def rounds_on(
    e: Entry,
    blocks: Array,
    count: int,
    keys: Array,
    key_words: int,
    one: Round,
    begin: Value,
    stop: int,
    decrypt: bool = False,
    start: int = 0,
    phases: int = 1,
    period: int = 0,
) -> None:
    """
    The rounds from begin + `start` to begin + `stop` of so many blocks, a power of two, that lie
    one behind the other; ptxas unrolls the loop.

    `keys` are the round keys from `begin` on, and begin again after `period` rounds (0: never).
    """
    words = blocks.words // count
    with e.loop(count * (stop - start) // phases) as i:
        block = blocks.place(e.op("mul.lo.u32", e.op("and.b32", i, count - 1), words))
        turn = e.op("mul.lo.u32", e.op("shr.u32", i, count.bit_length() - 1), phases)
        added = e.sub(str(stop - phases), turn) if decrypt else e.add(turn, str(start))
        place = e.op("and.b32", added, period - 1) if period else added
        key = keys.place(e.op("mul.lo.u32", place, key_words))
        state = [blocks.get(block, w) for w in range(words)]
        for k in reversed(range(phases)) if decrypt else range(phases):
            number = Number(begin, e.add(added, str(k)) if k else added, k)
            state = one(
                e, state, [keys.get(key, key_words * k + w) for w in range(key_words)], number
            )
        for w, word in enumerate(state):
            blocks.put(block, word, w)


def array_of(e: Entry, blocks: Sequence[Words]) -> Array:
    """The words of blocks, one behind the other."""
    words = [word for block in blocks for word in block]
    array = e.array(len(words))
    for i, word in enumerate(words):
        array.put(i, word)
    return array


def blocks_of(array: Array, words: int) -> list[Words]:
    return [[array.get(i + w) for w in range(words)] for i in range(0, array.words, words)]


def looped(
    rounds: int,
    per_turn: int,
    key_words: int,
    key_period: int,
    decrypt: bool,
    one: Round,
    start: int = 0,
    before: int = 0,
    phases: int = 1,
    together: int = 0,
) -> Rounds:
    """
    The rounds from `start` on as a loop with `per_turn` of them in its body.

    A round key has `key_words` words; after `key_period` rounds they begin again (0: never). What
    is left of the rounds stands before the loop; these are the first ones, or in decryption the
    last. The round keys begin `before` words behind a multiple of 16 bytes. Rounds differ by the
    remainder of their number by `phases`. At most `together` rounds of a turn are one loop inside
    (0: all), where ptxas would not unroll a longer one.
    """
    left = (rounds - start) % per_turn
    assert start % per_turn == 0 and not (decrypt and start) and not (left and key_period)
    assert per_turn % phases == 0 and left % phases == 0
    turns = (rounds - start) // per_turn

    def run(e: Entry, blocks: list[Words], pointer: Value) -> list[Words]:
        state, count = array_of(e, blocks), len(blocks)
        turn_words = key_words * min(per_turn, key_period or rounds)
        period = min(per_turn, key_period)
        keys = e.array(turn_words)

        def fill(words: Words) -> None:
            for i, word in enumerate(words):
                keys.put(i, word)

        def some(begin: Value, stop: int) -> None:
            step = together or stop
            parts = [(at, min(at + step, stop)) for at in range(0, stop, step)]
            for first, end in reversed(parts) if decrypt else parts:
                rounds_on(
                    e,
                    state,
                    count,
                    keys,
                    key_words,
                    one,
                    begin,
                    end,
                    decrypt,
                    first,
                    phases,
                    period,
                )

        if left:
            place = key_words * (per_turn * turns if decrypt else start)
            at = e.wide("add.u64", pointer, 4 * place)
            fill(load_words(e, at, key_words * left, before + place))
            some("0", left)
        begin = per_turn * (turns - 1) if decrypt else start + left
        walking = copied_wide(e, pointer, 4 * key_words * (begin % (key_period or rounds)))
        once = turn_words == key_words * key_period
        if once:
            fill(load_words(e, pointer, turn_words))
        number = copied(e, str(begin))
        with e.loop(turns):
            if not once:
                place = gcd(before + key_words * begin, turn_words)
                fill(load_words(e, walking, turn_words, place))
            some(number, per_turn)
            e.emit("add.u32", number, number, -per_turn if decrypt else per_turn)
            if key_period > per_turn:
                # Two halves that take turns: CHAM's 16 round keys, eight at a time.
                assert key_period == 2 * per_turn
                other = e.op("and.b32", number, per_turn)
                e.emit("mad.wide.u32", walking, other, 4 * key_words, pointer)
            else:
                e.emit("add.s64", walking, walking, -4 * turn_words if decrypt else 4 * turn_words)
        return blocks_of(state, len(blocks[0]))

    return run


def copied_wide(e: Entry, pointer: Value, offset: int) -> Value:
    return e.wide("add.u64", pointer, offset)


def load_words(e: Entry, pointer: Value, count: int, place: int = 0) -> Words:
    """Words that all threads load: four or two at a time if they lie at multiples of 16 or 8 bytes.

    The first word is word `place` behind a multiple of 16 bytes.
    """
    if count % 4 == 0 and place % 4 == 0:
        return [w for i in range(0, count, 4) for w in e.load4(pointer, 4 * i, kind="ld.global.nc")]
    if count % 2 == 0 and place % 2 == 0:
        return [w for i in range(0, count, 2) for w in e.load2(pointer, 4 * i, kind="ld.global.nc")]
    return [e.load(pointer, 4 * i) for i in range(count)]


def load_all(e: Entry, pointer: Value, count: int) -> Words:
    """All words of an array that begins at a multiple of 16 bytes. The last ones are volatile:
    ptxas would load four at once, past the end.
    """
    whole = count // 4 * 4
    return load_words(e, pointer, whole) + [
        e.load(pointer, 4 * i, "ld.volatile.global") for i in range(whole, count)
    ]


def bit_of(e: Entry, bits: int, i: Value) -> Value:
    """Bit i of a word of 32 bits, and 0 from i = 32 up."""
    return e.op("and.b32", e.op("shr.u32", f"0x{bits:x}", i), 1)


def one_of(
    e: Entry, often: int, places: Sequence[int], r: Value, first: Words, second: Words
) -> Words:
    """The first words where r mod `often` is among `places`, otherwise the second: a loop has both
    ways, and when ptxas has unrolled it one is left.
    """
    bits = sum(1 << k for k in range(32) if k % often in places)
    rare = e.test("setp.ne.u32", bit_of(e, bits, r), 0)
    return [e.op("selp.b32", a, b, rare) for a, b in zip(first, second, strict=True)]


# SPECK


def speck64_add(e: Entry, x: Value, y: Value, r: Value, often: int = 7) -> Value:
    """(x >>> 8) + y: one instruction on the ALU (LEA.HI).

    One round in so many takes four turns of the FMA pipe instead, which has them to spare.
    """
    rare = e.add_fma(e.shr_fma(x, 8), e.op("mad.lo.u32", x, e.power(24), y))
    return one_of(e, often, (3,), r, [rare], [e.add(e.funnel_right(x, 8), y)])[0]


def speck64(rounds: int, per_turn: int, decrypt: bool, before: int = 0) -> Rounds:
    """SPECK with 32-bit words (Beaulieu et al., ePrint 2013/404, section 4): four instructions on
    the ALU per round when encrypting.
    """

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = block
        if decrypt:
            y = e.rotr(e.xor(x, y), 3)
            return [y, e.rotl(e.sub(e.xor(x, key[0]), y), 8)]
        x = e.xor(speck64_add(e, x, y, number.added, 4), key[0])
        return [e.xor(e.rotl(y, 3), x), x]

    return looped(rounds, per_turn, 1, 0, decrypt, one, before=before)


def speck64_last(e: Entry, y: Value, x: Value, key: Value, data: Words) -> Words:
    """The last round with two words of data added: the data cost one instruction more, not two."""
    value = e.add(e.funnel_right(x, 8), y)
    return [
        e.xor(e.rotl(y, 3), e.lop(value, key, data[0], PARITY)),
        e.lop(value, key, data[1], PARITY),
    ]


def speck64_ctr(rounds: int) -> Stream:
    """The first round's rotation is part of the byte order of the counter, and its y is the same
    for all blocks.
    """

    def run(
        e: Entry, numbers: Words, fixed: Words, pointer: Value, data: list[Words]
    ) -> list[Words]:
        first, last = e.load(pointer), e.load(pointer, 4 * (rounds - 1))
        turned = e.rotl(fixed[0], 3)
        state = []
        for number in numbers:
            x = e.xor(e.add_fma(e.bytes(number, [2, 1, 0, 3]), fixed[0]), first)
            state.append([e.xor(turned, x), x])
        state = speck64(rounds - 2, 5, False, 1)(e, state, e.wide("add.u64", pointer, 4))
        return [
            speck64_last(e, y, x, last, words) for (y, x), words in zip(state, data, strict=True)
        ]

    return run


def speck128_add_alu(e: Entry, x: Words, y: Words) -> Words:
    """(x >>> 8) + y of pairs, in three instructions on the ALU and one on the FMA pipe."""
    (x0, x1), (y0, y1) = x, y
    low, high = e.op("shf.r.wrap.b32", x0, x1, 8), e.op("shf.r.wrap.b32", x1, x0, 8)
    low = e.op("add.cc.u32", low, y0)
    return [low, e.op("madc.lo.u32", high, e.power(0), y1)]


def speck128_add(e: Entry, x: Words, y: Words, r: Value, ctr: bool = False) -> Words:
    """The same, but in every third round, or in CTR two of five, in two and four turns.

    The second way is 2^24 x1 + y, as 64 bits, plus x0 >> 8 in the low word and 2^24 x0 in the high
    one.
    """
    (x0, x1), (y0, y1) = x, y
    low, high = e.halves(e.wide("mul.wide.u32", x1, e.power(24)))
    low = e.op("add.cc.u32", low, y0)
    high = e.op("madc.lo.u32", y1, e.power(0), high)
    low = e.op("add.cc.u32", low, e.op("shr.u32", x0, 8))
    rare = [low, e.op("madc.lo.u32", x0, e.power(24), high)]
    often, places = (5, (1, 4)) if ctr else (3, (1,))
    return one_of(e, often, places, r, rare, speck128_add_alu(e, x, y))


def speck128_rotl3_xor(e: Entry, y: Words, other: Words) -> Words:
    low, high = y
    turned = e.op("shf.l.wrap.b32", high, low, 3), e.op("shf.l.wrap.b32", low, high, 3)
    return [e.xor(a, b) for a, b in zip(turned, other, strict=True)]


def speck128(rounds: int, per_turn: int, decrypt: bool, ctr: bool = False) -> Rounds:
    """SPECK with 64-bit words as pairs (low, high). The round keys of CTR begin with the second."""

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = block[:2], block[2:]
        if decrypt:
            y0, y1 = e.xor(x[0], y[0]), e.xor(x[1], y[1])
            y0, y1 = e.op("shf.r.wrap.b32", y0, y1, 3), e.op("shf.r.wrap.b32", y1, y0, 3)
            x0, x1 = e.xor(x[0], key[0]), e.xor(x[1], key[1])
            x0 = e.op("sub.cc.u32", x0, y0)
            x1 = e.op("subc.u32", x1, y1)
            return [y0, y1, e.bytes(x1, [3, 4, 5, 6], x0), e.bytes(x0, [3, 4, 5, 6], x1)]
        x = [
            e.xor(a, b) for a, b in zip(speck128_add(e, x, y, number.added, ctr), key, strict=True)
        ]
        return [*speck128_rotl3_xor(e, y, x), *x]

    together = 0 if decrypt else 5
    return looped(rounds, per_turn, 2, 0, decrypt, one, before=2 * ctr, together=together)


def speck128_last(e: Entry, y: Words, x: Words, key: Words, data: Words) -> Words:
    """The last round with four words of data added."""
    value = speck128_add_alu(e, x, y)
    return [
        *speck128_rotl3_xor(
            e, y, [e.lop(v, k, d, PARITY) for v, k, d in zip(value, key, data[:2], strict=True)]
        ),
        *(e.lop(v, k, d, PARITY) for v, k, d in zip(value, key, data[2:], strict=True)),
    ]


def speck128_ctr(rounds: int) -> Stream:
    """The counter is the high word of x, bytes reversed: the first round's rotation takes its bytes
    in their order.
    """

    def run(
        e: Entry, numbers: Words, fixed: Words, pointer: Value, data: list[Words]
    ) -> list[Words]:
        first, last = (e.load2(pointer, 8 * r, "ld.global.nc") for r in (0, rounds - 1))
        y, x0 = fixed[:2], fixed[2]
        state = []
        for number in numbers:
            low, high = e.bytes(x0, [1, 2, 3, 7], number), e.bytes(number, [2, 1, 0, 4], x0)
            low = e.op("add.cc.u32", low, y[0])
            high = e.op("madc.lo.u32", high, e.power(0), y[1])
            x = [e.xor(low, first[0]), e.xor(high, first[1])]
            state.append([*speck128_rotl3_xor(e, y, x), *x])
        state = speck128(rounds - 2, 10, False, True)(e, state, e.wide("add.u64", pointer, 8))
        return [
            speck128_last(e, block[:2], block[2:], last, words)
            for block, words in zip(state, data, strict=True)
        ]

    return run


# SIMON and SIMECK


def feistel64(family: str, rounds: int, per_turn: int, decrypt: bool) -> Rounds:
    """SIMON (ePrint 2013/404, section 3) and SIMECK (Yang et al., CHES 2015, section 2) with 32-bit
    words.
    """

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = reversed(block) if decrypt else block
        a, b, c = (1, 8, 2) if family == "simon" else (0, 5, 1)
        f = e.lop(e.rotl(x, a), e.rotl(x, b), e.rotl(x, c), AND_XOR)
        y = e.lop(f, y, key[0], PARITY)
        return [y, x] if decrypt else [x, y]

    return looped(rounds, per_turn, 1, 0, decrypt, one)


def simon128_round(e: Entry, x: Words, y: Words, key: Words) -> Words:
    """The new word of a round of SIMON with 64-bit words as pairs (low, high)."""

    def rotated(by: int) -> Words:
        low, high = x
        if by % 8 == 0:
            return [e.bytes(high, [3, 4, 5, 6], low), e.bytes(low, [3, 4, 5, 6], high)]
        return [e.op("shf.l.wrap.b32", high, low, by), e.op("shf.l.wrap.b32", low, high, by)]

    turned = [rotated(by) for by in (1, 8, 2)]
    return [
        e.lop(e.lop(turned[0][w], turned[1][w], turned[2][w], AND_XOR), y[w], key[w], PARITY)
        for w in range(2)
    ]


def simon128(rounds: int, per_turn: int, decrypt: bool) -> Rounds:
    """SIMON with 64-bit words as pairs (low, high)."""

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        y, x = (block[2:], block[:2]) if decrypt else (block[:2], block[2:])
        new = simon128_round(e, x, y, key)
        return [*new, *x] if decrypt else [*x, *new]

    return looped(rounds, per_turn, 2, 0, decrypt, one)


# CHAM


def with_number(e: Entry, word: Value, number: Number) -> Value:
    """word ^ number in one instruction: the added part has no bit in common with the rest."""
    return e.lop(word, number.register, number.added, PARITY)


def cham128_sum(
    e: Entry, r: int, x0: Value, x1: Value, key: Value, number: Value | None
) -> tuple[Value, int]:
    """The new word of a round before its rotation, and by how much it is rotated; `number` is x0
    with the number of the round added, if made.
    """
    first, second = (1, 8) if r % 2 == 0 else (8, 1)
    if number is None:
        number = e.xor(x0, str(r)) if r else x0
    return e.add(number, e.xor(e.rotl(x1, first), key)), second


def cham128_round(e: Entry, block: Words, key: Words, number: Number) -> Words:
    x0, x1, x2, x3 = block
    value, by = cham128_sum(e, number.phase, x0, x1, key[0], with_number(e, x0, number))
    return [x1, x2, x3, e.rotl(value, by)]


def cham128(
    rounds: int, key_words: int, decrypt: bool, start: int = 0, stop: int | None = None
) -> Rounds:
    """CHAM with 32-bit words (Roh et al., ICISC 2019, section 2); the rounds from `start` to
    `stop`.
    """

    def back(e: Entry, block: Words, key: Words, number: Number) -> Words:
        first, second = (1, 8) if number.phase == 0 else (8, 1)
        x1, x2, x3, last = block
        new = e.sub(e.rotr(last, second), e.xor(e.rotl(x1, first), key[0]))
        return [with_number(e, new, number), x1, x2, x3]

    per_turn = 16 if rounds % 16 == 0 else 8
    one = back if decrypt else cham128_round
    return looped(stop or rounds, per_turn, 1, 2 * key_words, decrypt, one, start, phases=2)


def cham128_ctr(rounds: int, key_words: int) -> Stream:
    """
    The first and the last turn of the loop stand by themselves.

    The first two rounds are the same for all blocks, for they do not reach the counter; the last
    three, whose words go into no round, rotate by multiplications, which add the data for nothing.
    """
    turn, period = 16 if rounds % 16 == 0 else 8, 2 * key_words

    def run(
        e: Entry, numbers: Words, fixed: Words, pointer: Value, data: list[Words]
    ) -> list[Words]:
        keys = load_all(e, pointer, min(turn, period))
        x0, x1, x2 = fixed
        common = []
        for r, pair in enumerate(((x0, x1), (x1, x2))):
            value, by = cham128_sum(e, r, *pair, keys[r], None)
            common.append(e.rotl(value, by))
        blocks = array_of(e, [[x2, e.swapped(number), *common] for number in numbers])
        words = array_of(e, [keys])
        rounds_on(
            e, blocks, len(numbers), words, 1, cham128_round, "0", turn, False, 2, 2, len(keys)
        )
        state = cham128(rounds, key_words, False, turn, rounds - turn)(
            e, blocks_of(blocks, 4), pointer
        )
        keys = load_all(
            e, e.wide("add.u64", pointer, 4 * ((rounds - turn) % period)), min(turn, period)
        )
        blocks, words = array_of(e, state), array_of(e, [keys])
        last, ends = str(rounds - turn), turn - 4
        rounds_on(
            e, blocks, len(numbers), words, 1, cham128_round, last, ends, False, 0, 2, len(keys)
        )
        state = blocks_of(blocks, 4)
        for r in range(rounds - 4, rounds):
            e.comment(f"round {r}")
            for i, block in enumerate(state):
                value, by = cham128_sum(e, r, block[0], block[1], keys[r % len(keys)], None)
                out = r - (rounds - 4)
                state[i] = [
                    *block[1:],
                    e.rotl(value, by) if out < 1 else e.xor(e.rotl(value, by), data[i][out]),
                ]
        return [
            [e.xor(block[0], words[0]), *block[1:]]
            for block, words in zip(state, data, strict=True)
        ]

    return run


def cham64_sum(e: Entry, r: int, number: Value, x1: Value, key: Value) -> Value:
    """The new word of a round of CHAM-64, where all words are twice in a register; `number` is x0
    with the number of the round added.
    """
    first, second = (1, 8) if r % 2 == 0 else (8, 1)
    value = e.add(number, e.xor(e.rotl(x1, first), key))
    if second == 8:
        return e.bytes(value, [1, 0, 1, 0])
    # The low half twice, rotated by one: 2^1 and 2^17 times it, and what leaves its top.
    return e.rotl(e.bytes(value, [0, 1, 0, 1]), 1)


def cham64(rounds: int, key_words: int, decrypt: bool) -> Rounds:
    """CHAM with 16-bit words, each in the low half of a register; what the high half holds does not
    matter.
    """

    def rotl16(e: Entry, x: Value, by: int) -> Value:
        twice = e.bytes(x, [1, 0, 1, 0] if by == 8 else [0, 1, 0, 1])
        return twice if by == 8 else e.op("shr.u32", twice, 16 - by)

    def one(e: Entry, block: Words, key: Words, number: Number) -> Words:
        first, second = (1, 8) if number.phase == 0 else (8, 1)
        if decrypt:
            x1, x2, x3, last = block
            return [
                with_number(
                    e,
                    e.sub(rotl16(e, last, 16 - second), e.xor(rotl16(e, x1, first), key[0])),
                    number,
                ),
                x1,
                x2,
                x3,
            ]
        x0, x1, x2, x3 = block
        value = e.add(with_number(e, x0, number), e.xor(rotl16(e, x1, first), key[0]))
        return [x1, x2, x3, rotl16(e, value, second)]

    def run(e: Entry, blocks: list[Words], pointer: Value) -> list[Words]:
        state = [[a, e.op("shr.u32", a, 16), b, e.op("shr.u32", b, 16)] for a, b in blocks]
        state = looped(rounds, 8, 1, 2 * key_words, decrypt, one, phases=2)(e, state, pointer)
        return [[e.bytes(a, [0, 1, 4, 5], b), e.bytes(c, [0, 1, 4, 5], d)] for a, b, c, d in state]

    return run


# Bit slices: 32 registers per 32-bit word, register i holding bit i of the word of 32 blocks. Round
# keys are masks, one word per bit.


STEPS = ((16, 0), (8, 0), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555))


def transpose(e: Entry, rows: Array, words: int, steps: Sequence[tuple[int, int]] = STEPS) -> None:
    """
    So many 32 x 32 bit matrices, one behind the other, with rows and columns exchanged.

    Each step exchanges blocks of `distance` bits. The ALU does a PRMT or LOP3 for each new row, the
    FMA pipe all shifts and the first step: with the upper halves a and b of the two rows, they
    become low + 2^16 high - 2^16 a and a + 2^16 b.
    """
    for distance, mask in steps:
        with e.loop(16 * words) as i:
            row = rows.place(e.add(i, e.op("and.b32", i, -distance)))
            low, high = rows.get(row), rows.get(row, distance)
            if distance == 16:
                a, b = e.shr_fma(low, 16), e.shr_fma(high, 16)
                both = e.op("mad.lo.u32", high, e.power(16), low)
                rows.put(row, e.op("mad.lo.u32", a, -65536, both))
                rows.put(row, e.op("mad.lo.u32", b, e.power(16), a), distance)
            elif distance == 8:
                rows.put(row, e.bytes(low, [0, 4, 2, 6], high))
                rows.put(row, e.bytes(low, [1, 5, 3, 7], high), distance)
            else:
                select = (A & C) | (B & ~C)
                up, down = e.op("shl.b32", high, distance), e.shr_fma(low, distance)
                rows.put(row, e.lop(low, up, f"0x{mask:08x}", select))
                rows.put(row, e.lop(down, high, f"0x{mask:08x}", select), distance)


def last_step(e: Entry, low: Value, high: Value, data: Sequence[Value]) -> Words:
    """The last step for two rows, with two words added: three LOP3, where the step and the
    additions would need four.
    """
    distance, mask = STEPS[-1]
    differing = e.lop(e.shr_fma(low, distance), high, f"0x{mask:08x}", (A ^ B) & C)
    return [
        e.lop(low, e.op("shl.b32", differing, distance), data[0], PARITY),
        e.lop(high, differing, data[1], PARITY),
    ]


def load_slices(
    e: Entry, slices: Array, words: int, source: Value, kind: str = "ld.global"
) -> None:
    """Slices of the 32 blocks of a thread, whose vectors lie 512 bytes apart."""
    per_vector = 4 // words
    with e.loop(8 * words) as j:
        vector = e.load4(e.wide("mad.wide.u32", j, 512, source), kind=kind)
        row = slices.place(e.op("mul.lo.u32", j, per_vector))
        for i, word in enumerate(vector):
            slices.put(row, word, 32 * (i % words) + i // words)
    transpose(e, slices, words)


def write_slices(e: Entry, slices: Array, words: int, target: Value, source: Value | None) -> None:
    """Make blocks of slices and store them, with the data at `source` added."""
    per_vector = 4 // words
    transpose(e, slices, words, STEPS if source is None else STEPS[:-1])
    with e.loop(16) as k:  # blocks 2k and 2k + 1
        row = slices.place(e.op("mul.lo.u32", k, 2))
        pairs = [[slices.get(row, 32 * w + b) for b in range(2)] for w in range(words)]
        if source is not None:
            at = e.wide("mad.wide.u32", k, 1024 // per_vector, source)
            data = [w for j in range(2 // per_vector) for w in e.load4(at, 512 * j)]
            pairs = [
                last_step(e, pair[0], pair[1], [data[w], data[words + w]])
                for w, pair in enumerate(pairs)
            ]
        flat = [pair[b] for b in range(2) for pair in pairs]
        at = e.wide("mad.wide.u32", k, 1024 // per_vector, target)
        for j in range(2 // per_vector):
            e.store4(at, flat[4 * j : 4 * j + 4], 512 * j)


def sliced_feistel(
    family: str, e: Entry, x: Array, y: Array, i: Value, mask: Value, bits: int
) -> None:
    """Bit i of a round of SIMON or SIMECK in slices, whose new word goes into y."""
    a, b, c = (1, 8, 2) if family == "simon" else (0, 5, 1)
    p, q, t = (x.get(x.turned(i, -by, bits)) for by in (a, b, c))
    place = y.place(i)
    y.put(place, e.lop(e.lop(p, q, t, AND_XOR), y.get(place), mask, PARITY))


def counter_block(e: Entry, number: Value, fixed: Words) -> Words:
    """The block of memory words whose big-endian number ends in `number`."""
    return [*fixed, e.swapped(number)]


@dataclass(frozen=True)
class Cipher:
    """A block cipher as the generator needs it; `round_key_words` counts 32-bit words of the
    canonical layout.
    """

    key: str  # the specification's identifier
    words: int  # 32-bit words of a block
    round_key_words: int
    encrypt: Rounds
    decrypt: Rounds
    special: Stream | None = None  # CTR, where it is not made of encryption

    def ctr(
        self, e: Entry, numbers: Words, fixed: Words, pointer: Value, data: list[Words]
    ) -> list[Words]:
        """What `Stream` says."""
        if self.special:
            return self.special(e, numbers, fixed, pointer, data)
        blocks = self.encrypt(e, [counter_block(e, number, fixed) for number in numbers], pointer)
        return [
            [e.xor(a, b) for a, b in zip(block, words, strict=True)]
            for block, words in zip(blocks, data, strict=True)
        ]


def _both(make: Callable[[bool], Rounds]) -> tuple[Rounds, Rounds]:
    return make(False), make(True)


# By file: src/gpu/generated/<family><block bits>_sm75.ptx.
FILES: dict[str, list[Cipher]] = {
    "speck64": [Cipher("speck64_128", 2, 27, *_both(lambda d: speck64(27, 9, d)), speck64_ctr(27))],
    "speck128": [
        Cipher("speck128_128", 4, 64, *_both(lambda d: speck128(32, 8, d)), speck128_ctr(32)),
        Cipher("speck128_192", 4, 66, *_both(lambda d: speck128(33, 8, d)), speck128_ctr(33)),
        Cipher("speck128_256", 4, 68, *_both(lambda d: speck128(34, 8, d)), speck128_ctr(34)),
    ],
    "simon64": [Cipher("simon64_128", 2, 44, *_both(lambda d: feistel64("simon", 44, 4, d)))],
    "simon128": [Cipher("simon128_128", 4, 136, *_both(lambda d: simon128(68, 4, d)))],
    "simeck64": [Cipher("simeck64_128", 2, 44, *_both(lambda d: feistel64("simeck", 44, 4, d)))],
    "cham64": [Cipher("cham64_128", 2, 16, *_both(lambda d: cham64(88, 8, d)))],
    "cham128": [
        Cipher("cham128_128", 4, 8, *_both(lambda d: cham128(112, 4, d)), cham128_ctr(112, 4)),
        Cipher("cham128_256", 4, 16, *_both(lambda d: cham128(120, 8, d)), cham128_ctr(120, 8)),
    ],
}
