# SPDX-License-Identifier: Apache-2.0
"""AEADs for many messages in PTX, a message per thread: what they share, and SCHWAEMM256-128
(Beierle et al., Schwaemm and Esch, v1.2, sections 2.1 and 2.3).
"""

from __future__ import annotations

from .ciphers import PARITY, copied
from .ptx import Entry, Value, Words

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
SLIM, BIG = 7, 11
RATE, CAPACITY = 8, 4  # words
DOMAIN = 4  # 1 << capacity in 64-bit branches
BAD_TAG = -3  # HANJI_E_TAG


def alzette(e: Entry, x: Value, y: Value, c: int) -> tuple[Value, Value]:
    """The ARX-box with rotations (31, 24), (17, 17), (0, 31), (24, 16)."""
    for r, s in ((31, 24), (17, 17), (0, 31), (24, 16)):
        x = e.add(x, e.rotl(y, 32 - r) if r else y)
        y = e.xor(y, e.rotl(x, 32 - s))
        x = e.xor(x, f"0x{c:08x}")
    return x, y


def ell(e: Entry, v: Value) -> Value:
    return e.rotl(e.xor(v, e.op("shl.b32", v, 16)), 16)


def sparkle384(e: Entry, state: Words, steps: Value) -> None:
    """`steps` steps on the 12 registers of the state, in place."""
    step, top = copied(e, "0"), e.label()
    e.place(top)
    # The constant of the step: c[step mod 8], chosen without memory.
    low = e.op("and.b32", step, 7)
    constant: Value = f"0x{CONSTANTS[7]:08x}"
    for i in range(7):
        constant = e.op(
            "selp.u32", f"0x{CONSTANTS[i]:08x}", constant, e.test("setp.eq.u32", low, i)
        )
    xs, ys = state[0::2], state[1::2]
    y = [e.xor(ys[0], constant), e.xor(ys[1], step), *ys[2:]]
    boxes = [alzette(e, xs[j], y[j], CONSTANTS[j]) for j in range(6)]
    tx, ty = (e.lop(boxes[0][w], boxes[1][w], boxes[2][w], PARITY) for w in range(2))
    tx, ty = ell(e, tx), ell(e, ty)
    right = [
        (
            e.lop(boxes[3 + j][0], boxes[j][0], ty, PARITY),
            e.lop(boxes[3 + j][1], boxes[j][1], tx, PARITY),
        )
        for j in range(3)
    ]
    new = [right[1], right[2], right[0], *boxes[:3]]
    for j, (a, b) in enumerate(new):
        e.emit("mov.b32", state[2 * j], a)
        e.emit("mov.b32", state[2 * j + 1], b)
    e.emit("add.u32", step, step, 1)
    e.emit("bra", top, when=e.test("setp.lt.u32", step, steps))


def load_chunk(e: Entry, words: Words, pointer: Value, count: Value) -> None:
    """`count` bytes at any address into the words, four or eight; zeros after them."""
    slow, done = e.label(), e.label()
    whole = e.test("setp.eq.u32", count, 4 * len(words))
    skew = e.op("and.b32", e.op("cvt.u32.u64", pointer), 15)
    fast = e.test("and.pred", whole, e.test("setp.eq.u32", skew, 0))
    e.emit("bra", slow, when=f"!{fast}")
    for w in range(0, len(words), 4):
        e.emit(
            "ld.global.v4.u32",
            "{" + ", ".join(words[w : w + 4]) + "}",
            f"[{pointer}+{4 * w}]",
        )
    e.emit("bra", done)
    e.place(slow)
    load_bytes(e, words, pointer, count)
    e.place(done)


def load_bytes(e: Entry, words: Words, pointer: Value, count: Value) -> None:
    """The same byte by byte."""
    for w in range(len(words)):
        e.emit("mov.u32", words[w], 0)
        for i in range(4):
            byte = e.op("mov.u32", 0)
            e.emit(
                "ld.global.u8",
                byte,
                f"[{pointer}+{4 * w + i}]",
                when=e.test("setp.gt.u32", count, 4 * w + i),
            )
            e.emit("mad.lo.u32", words[w], byte, 1 << (8 * i), words[w])


def store_chunk(e: Entry, pointer: Value, words: Words, count: Value) -> None:
    slow, done = e.label(), e.label()
    whole = e.test("setp.eq.u32", count, 4 * len(words))
    skew = e.op("and.b32", e.op("cvt.u32.u64", pointer), 15)
    fast = e.test("and.pred", whole, e.test("setp.eq.u32", skew, 0))
    e.emit("bra", slow, when=f"!{fast}")
    for w in range(0, len(words), 4):
        e.store4(pointer, words[w : w + 4], 4 * w)
    e.emit("bra", done)
    e.place(slow)
    store_bytes(e, pointer, words, count)
    e.place(done)


def store_bytes(e: Entry, pointer: Value, words: Words, count: Value) -> None:
    """The same byte by byte."""
    for w, word in enumerate(words):
        for i in range(4):
            byte = e.op("shr.u32", word, 8 * i) if i else word
            e.emit(
                "st.global.u8",
                f"[{pointer}+{4 * w + i}]",
                byte,
                when=e.test("setp.gt.u32", count, 4 * w + i),
            )


def cut(e: Entry, words: Words, count: Value, padding: int = 0x80) -> Words:
    """The first `count` bytes of the words, then the byte of padding, then zeros; all of them when
    there are so many.
    """
    last = e.op("shr.u32", count, 2)
    result = []
    for w, word in enumerate(words):
        # Bits of this word that are kept: between 0 and 32. shl gives 0 for shifts of 32 and more.
        kept = e.op("max.s32", e.op("sub.s32", count, 4 * w), 0)
        shift = e.op("shl.b32", e.op("min.u32", kept, 4), 3)
        mask = e.op("sub.u32", e.op("shl.b32", "1", shift), 1)
        pad = e.op(
            "selp.u32",
            e.op("shl.b32", f"0x{padding:02x}", shift),
            0,
            e.test("setp.eq.u32", last, w),
        )
        result.append(e.lop(word, mask, pad, (0xF0 & 0xCC) | 0xAA))
    return result


PARAMETERS = [
    ("out", "u64"), ("in", "u64"), ("keys", "u64"), ("nonces", "u64"), ("tags", "u64"), ("offsets", "u64"), ("ad", "u64"), ("ad_offsets", "u64"),
    ("status", "u64"), ("messages", "u32"),
]  # fmt: skip


def bounds(e: Entry, name: str, message: Value) -> tuple[Value, Value]:
    """Where a message begins and ends."""
    at = e.at(e.pointer(name), message, 8)
    return e.wide("ld.global.nc.u64", f"[{at}]"), e.wide("ld.global.nc.u64", f"[{at}+8]")


def conclude(
    e: Entry, opening: bool, message: Value, tag: Words, first: Value, left: Value
) -> None:
    """Write the tag, or compare it and zero the `left` bytes of output from byte `first` on that do
    not verify; and the status.
    """
    end = e.label()
    tag_at = e.at(e.pointer("tags"), message, 16)
    status = e.wide("add.u64", e.pointer("status"), e.wide("cvt.u64.u32", message))
    if not opening:
        e.store4(tag_at, tag)
        e.emit("st.global.u8", f"[{status}]", e.op("mov.u32", 0))
        return
    given = e.load4(tag_at)
    difference = [e.xor(a, b) for a, b in zip(tag, given, strict=True)]
    wrong = e.op(
        "or.b32",
        e.op("or.b32", difference[0], difference[1]),
        e.op("or.b32", difference[2], difference[3]),
    )
    bad = e.test("setp.ne.u32", wrong, 0)
    e.emit("st.global.u8", f"[{status}]", e.op("selp.u32", BAD_TAG & 0xFF, 0, bad))
    e.emit("bra", end, when=f"!{bad}")
    zero, top = e.op("mov.u32", 0), e.label()
    target = e.wide("add.u64", e.pointer("out"), first)
    e.place(top)
    e.emit("bra", end, when=e.test("setp.eq.u64", left, 0))
    e.emit("st.global.u8", f"[{target}]", zero)
    e.emit("add.u64", target, target, 1)
    e.emit("sub.u64", left, left, 1)
    e.emit("bra", top)
    e.place(end)


def schwaemm256_128(opening: bool) -> str:
    """
    Seal or open: every thread takes its message through the sponge.

    One chunk is done in a turn of one loop, so that threads in different phases share the
    permutation.

    Opening writes what it decrypts, compares the tag in full, writes the status, and overwrites
    with zeros what does not verify.
    """
    e = Entry(f"hanji_schwaemm256_128_sm75_{'open' if opening else 'seal'}_x1", PARAMETERS, 128)
    message = e.thread()
    end, turn, chunk_label, finish = (e.label() for _ in range(4))
    e.emit("bra", end, when=e.test("setp.ge.u32", message, e.parameter("messages")))

    key = e.load4(e.at(e.pointer("keys"), message, 16), kind="ld.global.nc")
    nonce_at = e.at(e.pointer("nonces"), message, 32)
    nonce = [w for half in range(2) for w in e.load4(nonce_at, 16 * half, kind="ld.global.nc")]
    state = [copied(e, w) for w in (*nonce, *key)]
    first, last = bounds(e, "offsets", message)
    ad_first, ad_last = bounds(e, "ad_offsets", message)
    source, target = (
        e.wide("add.u64", e.pointer("in"), first),
        e.wide("add.u64", e.pointer("out"), first),
    )
    pointer = e.wide("add.u64", e.pointer("ad"), ad_first)
    left = e.wide("sub.u64", ad_last, ad_first)
    message_left = e.wide("sub.u64", last, first)
    # phase: 0 associated data, 2 message, as in the domain byte
    phase, steps = copied(e, "0"), copied(e, str(BIG))

    e.place(turn)
    sparkle384(e, state, steps)
    e.emit("bra", chunk_label, when=e.test("setp.ne.u64", left, 0))
    e.emit("bra", finish, when=e.test("setp.ne.u32", phase, 0))
    e.emit("mov.u32", phase, 2)
    e.emit("mov.u64", pointer, source)
    e.emit("mov.u64", left, message_left)
    e.emit("bra", finish, when=e.test("setp.eq.u64", left, 0))

    e.place(chunk_label)
    count = e.op("cvt.u32.u64", e.wide("min.u64", left, 4 * RATE))
    final = e.test("setp.le.u64", left, 4 * RATE)
    whole = e.test("setp.eq.u32", count, 4 * RATE)
    data = [e.register() for _ in range(RATE)]
    load_chunk(e, data, pointer, count)
    absorbed = [e.register() for _ in range(RATE)]
    no_output = e.label()
    for register, word in zip(absorbed, data, strict=True):
        e.emit("mov.b32", register, word)
    e.emit("bra", no_output, when=e.test("setp.eq.u32", phase, 0))
    out = [e.xor(d, s) for d, s in zip(data, state[:RATE], strict=True)]
    store_chunk(e, target, out, count)
    e.emit("add.u64", target, target, 4 * RATE)
    if opening:
        for register, word in zip(absorbed, out, strict=True):
            e.emit("mov.b32", register, word)
    e.place(no_output)
    padded = cut(e, absorbed, count)
    kind = e.op(
        "selp.u32",
        e.op("shl.b32", e.lop(phase, str(DOMAIN), e.op("selp.u32", 1, 0, whole), PARITY), 24),
        0,
        final,
    )
    e.emit("xor.b32", state[RATE + CAPACITY - 1], state[RATE + CAPACITY - 1], kind)
    new = []
    for i in range(RATE // 2):
        low, high, inner = state[i], state[RATE // 2 + i], state[RATE + i]
        new.append(
            (
                e.lop(high, padded[i], inner, PARITY),
                e.xor(e.lop(high, low, padded[RATE // 2 + i], PARITY), inner),
            )
        )
    for i, (a, b) in enumerate(new):
        e.emit("mov.b32", state[i], a)
        e.emit("mov.b32", state[RATE // 2 + i], b)
    used = e.wide("cvt.u64.u32", count)
    e.emit("sub.u64", left, left, used)
    e.emit("add.u64", pointer, pointer, used)
    e.emit("selp.u32", steps, BIG, SLIM, final)
    e.emit("bra", turn)

    e.place(finish)
    tag = [e.xor(s, k) for s, k in zip(state[RATE:], key, strict=True)]
    conclude(e, opening, message, tag, first, message_left)
    e.place(end)
    return e.text()
