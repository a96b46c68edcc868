# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128 for many messages in PTX, a message per thread (NIST SP 800-232, sections 3 and 4).

A word of 64 bits is two registers, the low half first. A round has 22 LOP3 for the S-box, and for
each word four funnel shifts and two LOP3. Multiplications would rotate on the FMA pipe, but on an
H200 a multiplication with a product of 64 bits costs as much as the instruction that it saves.
"""

from __future__ import annotations

from collections.abc import Sequence

from .ciphers import PARITY, copied
from .ptx import Entry, Value, Words
from .sponge import PARAMETERS, bounds, conclude, cut, load_bytes, load_chunk, store_bytes

IV = 0x00001000808C0001
RATE = 4  # registers
PADDING = 0x01
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
FIRST_P12, FIRST_P8 = 0, 4  # numbers of rounds
ALL_ROUNDS = 12
TURN = 4  # rounds that ptxas unrolls

INIT, AD, AD_DONE, TEXT, LAST = range(5)  # what the permutation before was for


def constant(number: int) -> int:
    """The constant of a round of p[12]."""
    return (15 - number) << 4 | number


def pulled_back(word: int) -> int:
    """What becomes `word` in the linear layer of S2: a polynomial over GF(2) modulo x^64 + 1 with
    three terms, whose 64th power is 1.
    """
    for _ in range(63):
        word ^= _rotated(word, ROTATIONS[2][0]) ^ _rotated(word, ROTATIONS[2][1])
    return word


def _rotated(word: int, by: int) -> int:
    return (word >> by | word << 64 - by) & (1 << 64) - 1


def one_of(e: Entry, words: Sequence[int], number: Value) -> Words:
    """The word of a number, in halves: a loop has all of them; one is left when ptxas has unrolled
    it.
    """
    halves = []
    for half in range(2):
        parts = [f"0x{word >> 32 * half & 0xFFFFFFFF:08x}" for word in words]
        value = parts[-1]
        for i, part in enumerate(parts[:-1]):
            value = e.op("selp.b32", part, value, e.test("setp.eq.u32", number, i))
        halves.append(value)
    return halves


def diffused(e: Entry, y: Words, word: int) -> Words:
    """y ^ (y >>> a) ^ (y >>> b)."""
    low, high = y
    turned: list[Words] = []
    for by in ROTATIONS[word]:
        # of a rotation by 32 and more the halves change places first
        first, second = (high, low) if by >= 32 else (low, high)
        turned.append(
            [
                e.op("shf.r.wrap.b32", *halves, by % 32)
                for halves in ((first, second), (second, first))
            ]
        )
    return [e.lop(x, a, b, PARITY) for x, a, b in zip(y, *turned, strict=True)]


def ascon_round(e: Entry, state: Words, following: Words) -> None:
    """One round in place. S2 has its constant already, and gets the next one, pulled back."""
    boxes: list[Words] = [[], [], [], [], []]
    for half, added in enumerate(following):
        x0, x1, x2, x3, x4 = state[half::2]
        made = (
            e.xor(e.lop(x1, x4, x3, 0x9A), e.lop(x1, x0, x2, 0x06)),
            e.lop(e.lop(x1, x2, x3, 0x7E), x4, x0, PARITY),
            e.lop(e.lop(x4, x3, x2, 0x65), x1, added, PARITY),
            e.lop(e.lop(x0, x3, x4, 0xF6), x1, x2, PARITY),
            e.xor(x3, e.lop(x1, x0, x4, 0x3A)),
        )
        for box, value in zip(boxes, made, strict=True):
            box.append(value)
    for word, box in enumerate(boxes):
        for half, value in enumerate(diffused(e, box, word)):
            e.emit("mov.b32", state[2 * word + half], value)


def add(e: Entry, state: Words, at: int, key: Words) -> None:
    """Add four words to the state from its word `at` on."""
    for register, word in zip(state[at : at + 4], key, strict=True):
        e.emit("xor.b32", register, register, word)


def ascon_aead128(opening: bool) -> str:
    """
    Seal or open: every thread takes its message through the sponge.

    Threads in different phases share the code of the permutation: p[12] goes on with p[8]. Behind a
    permutation S2 has the constant that p[8] begins with.

    Opening writes what it decrypts, compares the tag in full, writes the status, and overwrites
    with zeros what does not verify.
    """
    e = Entry(f"hanji_ascon_aead128_sm75_{'open' if opening else 'seal'}_x1", PARAMETERS, 128)
    message = e.thread()
    end, p12, p8, more_ad, begin_text, text, slow = (e.label() for _ in range(7))
    nothing, padded, finish = (e.label() for _ in range(3))
    e.emit("bra", end, when=e.test("setp.ge.u32", message, e.parameter("messages")))
    key = e.load4(e.at(e.pointer("keys"), message, 16), kind="ld.global.nc")
    nonce = e.load4(e.at(e.pointer("nonces"), message, 16), kind="ld.global.nc")
    iv = [f"0x{IV & 0xFFFFFFFF:08x}", f"0x{IV >> 32:08x}"]
    state = [copied(e, w) for w in (*iv, *key, *nonce)]
    e.emit("xor.b32", state[4], state[4], constant(FIRST_P12))
    begin, last = bounds(e, "offsets", message)
    ad_first, ad_last = bounds(e, "ad_offsets", message)
    source, target = (e.wide("add.u64", e.pointer(name), begin) for name in ("in", "out"))
    message_left = e.wide("sub.u64", last, begin)
    left = e.wide("sub.u64", last, begin)
    ad = e.wide("add.u64", e.pointer("ad"), ad_first)
    ad_left = e.wide("sub.u64", ad_last, ad_first)
    skew = e.op("cvt.u32.u64", e.wide("or.b64", source, target))
    unaligned = e.test("setp.ne.u32", e.op("and.b32", skew, 15), 0)
    phase = copied(e, str(INIT))

    for first_round in range(0, ALL_ROUNDS, TURN):
        e.place({FIRST_P12: p12, FIRST_P8: p8}.get(first_round, e.label()))
        numbers = [first_round + i + 1 for i in range(TURN)]
        added = [pulled_back(constant(n if n < ALL_ROUNDS else FIRST_P8)) for n in numbers]
        with e.loop(TURN) as i:
            ascon_round(e, state, one_of(e, added, i))
    # no equalities, of which ptxas would make a table of addresses
    for above, label in ((TEXT, finish), (AD_DONE, text), (AD, begin_text), (INIT, more_ad)):
        e.emit("bra", label, when=e.test("setp.gt.u32", phase, above))
    add(e, state, 6, key)
    e.emit("bra", begin_text, when=e.test("setp.eq.u64", ad_left, 0))

    e.place(more_ad)
    count = e.op("cvt.u32.u64", e.wide("min.u64", ad_left, 4 * RATE))
    data = [e.register() for _ in range(RATE)]
    load_chunk(e, data, ad, count)
    add(e, state, 0, cut(e, data, count, PADDING))
    used = e.wide("cvt.u64.u32", count)
    e.emit("add.u64", ad, ad, used)
    e.emit("sub.u64", ad_left, ad_left, used)
    e.emit("selp.u32", phase, AD, AD_DONE, e.test("setp.eq.u32", count, 4 * RATE))
    e.emit("bra", p8)

    e.place(begin_text)
    e.emit("xor.b32", state[9], state[9], "0x80000000")
    e.emit("mov.u32", phase, TEXT)
    e.place(text)
    partial = e.test("setp.lt.u64", left, 4 * RATE)
    e.emit("bra", slow, when=e.test("or.pred", unaligned, partial))
    block = e.load4(source)
    made = [e.xor(s, d) for s, d in zip(state, block, strict=False)]
    e.store4(target, made)
    for register, word in zip(state, block if opening else made, strict=False):
        e.emit("mov.b32", register, word)
    for pointer in (source, target):
        e.emit("add.u64", pointer, pointer, 4 * RATE)
    e.emit("sub.u64", left, left, 4 * RATE)
    e.emit("bra", p8)

    e.place(slow)
    e.emit("bra", nothing, when=e.test("setp.eq.u64", left, 0))
    count = e.op("cvt.u32.u64", e.wide("min.u64", left, 4 * RATE))
    data = [e.register() for _ in range(RATE)]
    load_bytes(e, data, source, count)
    made = [e.xor(s, d) for s, d in zip(state, data, strict=False)]
    store_bytes(e, target, made, count)
    add(e, state, 0, cut(e, made if opening else data, count, PADDING))
    used = e.wide("cvt.u64.u32", count)
    for pointer in (source, target):
        e.emit("add.u64", pointer, pointer, used)
    e.emit("sub.u64", left, left, used)
    e.emit("bra", p8, when=e.test("setp.eq.u32", count, 4 * RATE))
    e.emit("bra", padded)
    e.place(nothing)
    e.emit("xor.b32", state[0], state[0], PADDING)
    e.place(padded)
    # the constant that p[12] begins with, in place of that of p[8]
    change = constant(FIRST_P8) ^ constant(FIRST_P12)
    e.emit("lop3.b32", state[4], state[4], key[0], change, f"0x{PARITY:02x}")
    for register, word in zip(state[5:8], key[1:], strict=True):
        e.emit("xor.b32", register, register, word)
    e.emit("mov.u32", phase, LAST)
    e.emit("bra", p12)

    e.place(finish)
    tag = [e.xor(s, k) for s, k in zip(state[6:], key, strict=True)]
    conclude(e, opening, message, tag, begin, message_left)
    e.place(end)
    return e.text()
