# SPDX-License-Identifier: Apache-2.0
"""Kernels in which every message has its own key: the round keys are made in the thread, and never stored.

`fleet` is CTR over messages of any length, a message per thread. The `paper` kernels are our build of the design of Jang, Kim, Lim, Seo
(Parallel Implementation of SPECK, SIMON and SIMECK by Using NVIDIA CUDA PTX, 2021, section 3), to compare with: one thread per block of 64
bits, 1,024 threads per CTA, rotations of two shifts and an OR. Unlike what was published they guard their bounds and leave the keys alone.
"""

from __future__ import annotations

from collections.abc import Callable

from ..spec import algorithm
from .ciphers import AND_XOR, PARITY, Cipher, copied, rotl_xor, sliced_feistel, transpose, write_slices
from .ptx import Entry, Value, Words

Z3 = 0xFC2CE51207A635DB  # of SIMON with four key words of 32 bits: ePrint 2013/404, section 3
SIMECK_SEQUENCE = 0x938BCA3083F  # of SIMECK-64: Yang et al., CHES 2015, section 2


def expand_speck64(e: Entry, key: Words) -> Words:
    """27 round keys of SPECK-64/128 from the four words of the key, in registers."""
    k, *ls = key
    keys = [k]
    for i in range(26):
        new = e.add(e.funnel_right(ls[i], 8), k)
        if i:
            new = e.xor(new, str(i))
        ls.append(new)
        k = rotl_xor(e, k, 3, new)
        keys.append(k)
    return keys


def expand_simon64(e: Entry, key: Words) -> Words:
    """44 round keys of SIMON-64/128."""
    keys = list(key)
    for i in range(40):
        t = e.xor(e.rotr(keys[-1], 3), keys[-3])
        constant = 0xFFFFFFFC ^ (Z3 >> (i % 62) & 1)
        keys.append(e.xor(e.lop(keys[-4], t, f"0x{constant:08x}", PARITY), e.rotr(t, 1)))
    return keys


def expand_simeck64(e: Entry, key: Words) -> Words:
    """44 round keys of SIMECK-64/128."""
    keys, words = [], list(key)
    for i in range(44):
        keys.append(words[0])
        if i < 40:
            f = e.lop(words[1], e.rotl(words[1], 5), e.rotl(words[1], 1), AND_XOR)
            words.append(e.lop(f, words[0], f"0x{0xFFFFFFFC | (SIMECK_SEQUENCE >> i & 1):08x}", PARITY))
        words.pop(0)
    return keys


def encrypt_speck64(e: Entry, block: Words, keys: Words) -> Words:
    y, x = block
    for k in keys:
        x = e.xor(e.add(e.funnel_right(x, 8), y), k)
        y = rotl_xor(e, y, 3, x)
    return [y, x]


def encrypt_feistel64(a: int, b: int, c: int) -> Callable[[Entry, Words, Words], Words]:
    def run(e: Entry, block: Words, keys: Words) -> Words:
        y, x = block
        for k in keys:
            f = e.lop(e.rotl(x, a), e.rotl(x, b), e.rotl(x, c), AND_XOR)
            y, x = x, e.lop(f, y, k, PARITY)
        return [y, x]

    return run


FAMILIES: dict[str, tuple[Callable[[Entry, Words], Words], Callable[[Entry, Words, Words], Words]]] = {
    "speck64": (expand_speck64, encrypt_speck64),
    "simon64": (expand_simon64, encrypt_feistel64(1, 8, 2)),
    "simeck64": (expand_simeck64, encrypt_feistel64(0, 5, 1)),
}


def fleet(stem: str, cipher: Cipher) -> tuple[str, list[str], str]:
    """
    CTR of one message per thread: name, arguments of the header, and text.

    Round keys are made once and stay in registers. Whole blocks at even addresses move eight bytes at a time, everything else byte by byte.
    """
    expand, encrypt = FAMILIES[stem]
    name = f"hanji_{cipher.key}_sm75_fleet_x1"
    parameters = [("out", "u64"), ("in", "u64"), ("keys", "u64"), ("counters", "u64"), ("offsets", "u64"), ("messages", "u32")]
    e = Entry(name, parameters, 256)
    message = e.thread()
    end = e.label()
    e.emit("bra", end, when=e.test("setp.ge.u32", message, e.parameter("messages")))
    keys = expand(e, e.load4(e.at(e.pointer("keys"), message, 16), kind="ld.global.nc"))
    counters = e.at(e.pointer("counters"), message, 8)
    high, low = (e.register() for _ in range(2))
    for register, offset in ((high, 0), (low, 4)):
        e.emit("mov.b32", register, e.swapped(e.load(counters, offset)))
    offsets = e.at(e.pointer("offsets"), message, 8)
    first, last = (e.wide("ld.global.nc.u64", f"[{offsets}+{at}]") for at in (0, 8))
    source, target = e.wide("add.u64", e.pointer("in"), first), e.wide("add.u64", e.pointer("out"), first)
    left = e.wide("sub.u64", last, first)
    skew = e.op("cvt.u32.u64", e.wide("or.b64", source, target))
    unaligned = e.test("setp.ne.u32", e.op("and.b32", skew, 7), 0)

    top, slow, byte, after = e.label(), e.label(), e.label(), e.label()
    e.place(top)
    e.emit("bra", end, when=e.test("setp.eq.u64", left, 0))
    y, x = encrypt(e, [e.swapped(high), e.swapped(low)], keys)
    e.emit("add.cc.u32", low, low, 1)
    e.emit("addc.u32", high, high, 0)
    partial = e.test("setp.lt.u64", left, 8)
    e.emit("bra", slow, when=e.test("or.pred", unaligned, partial))
    y0, x0 = e.register(), e.register()
    e.emit("ld.global.v2.u32", f"{{{y0}, {x0}}}", f"[{source}]")
    e.emit("st.global.v2.u32", f"[{target}]", f"{{{e.xor(y, y0)}, {e.xor(x, x0)}}}")
    e.emit("add.u64", source, source, 8)
    e.emit("add.u64", target, target, 8)
    e.emit("sub.u64", left, left, 8)
    e.emit("bra", top)

    e.place(slow)
    stream = e.joined(y, x)
    count = e.wide("min.u64", left, 8)
    e.emit("sub.u64", left, left, count)
    e.place(byte)
    e.emit("bra", after, when=e.test("setp.eq.u64", count, 0))
    datum = e.op("ld.global.u8", f"[{source}]")
    e.emit("st.global.u8", f"[{target}]", e.xor(datum, e.op("cvt.u32.u64", stream)))
    e.emit("shr.u64", stream, stream, 8)
    for pointer in (source, target):
        e.emit("add.u64", pointer, pointer, 1)
    e.emit("sub.u64", count, count, 1)
    e.emit("bra", byte)
    e.place(after)
    e.emit("bra", top)
    e.place(end)
    args = [
        "out: {buffer: out, bytes: last offset, access: w}",
        "in: {buffer: in, bytes: last offset, access: r}",
        "keys: {buffer: keys, bytes: 16 * messages, access: r}",
        "counters: {buffer: counters, bytes: 8 * messages, access: r}",
        "offsets: {buffer: offsets, bytes: 8 * messages + 8, access: r}",
        "messages: {value: messages}",
    ]
    return f"{algorithm(cipher.key).name}, CTR of many messages: one per thread, each with its own key.", args, e.text()


SINGLES = 2  # messages per thread


def single(stem: str, cipher: Cipher) -> tuple[str, list[str], str]:
    """CTR of messages of one block each, which lie side by side: thread t of T does the messages t and t + T."""
    expand, encrypt = FAMILIES[stem]
    parameters = [("out", "u64"), ("in", "u64"), ("keys", "u64"), ("counters", "u64"), ("messages", "u32")]
    e = Entry(f"hanji_{cipher.key}_sm75_fleet_x{SINGLES}", parameters, 256)
    thread, threads, messages = e.thread(), e.threads_of_grid(), e.parameter("messages")
    source, target, key_base, counters = (e.pointer(name) for name in ("in", "out", "keys", "counters"))
    for j in range(SINGLES):
        message = e.op("mad.lo.u32", threads, j, thread) if j else thread
        inside = e.test("setp.lt.u32", message, messages)
        key = e.load4(e.at(key_base, message, 16), when=inside, kind="ld.global.nc")
        block, data = ([e.register(), e.register()] for _ in range(2))
        e.emit("ld.global.nc.v2.u32", "{" + ", ".join(block) + "}", f"[{e.at(counters, message, 8)}]", when=inside)
        e.emit("ld.global.v2.u32", "{" + ", ".join(data) + "}", f"[{e.at(source, message, 8)}]", when=inside)
        result = [e.xor(a, b) for a, b in zip(encrypt(e, block, expand(e, key)), data, strict=True)]
        e.emit("st.global.v2.u32", f"[{e.at(target, message, 8)}]", "{" + ", ".join(result) + "}", when=inside)
    args = [
        "out: {buffer: out, bytes: 8 * messages, access: w}",
        "in: {buffer: in, bytes: 8 * messages, access: r}",
        "keys: {buffer: keys, bytes: 16 * messages, access: r}",
        "counters: {buffer: counters, bytes: 8 * messages, access: r}",
        "messages: {value: messages}",
    ]
    return f"{algorithm(cipher.key).name}, CTR of many messages of one block: {SINGLES} per thread, each with its own key.", args, e.text()


def sliced(stem: str, cipher: Cipher) -> tuple[str, list[str], str]:
    """
    The same in bit slices, 32 messages per thread and 1,024 per warp: SIMON and SIMECK, whose schedules are renamings and LOP3 too.

    Messages lie in a warp as the blocks of the sliced streams do.
    """
    e = Entry(f"hanji_{cipher.key}_sm75_fleet_x32", [("out", "u64"), ("in", "u64"), ("keys", "u64"), ("counters", "u64")], 128)
    thread = e.thread()
    warp, lane = e.op("shr.u32", thread, 5), e.op("and.b32", thread, 31)
    first = e.op("mad.lo.u32", warp, 512, lane)  # vector of two messages
    source, target, counters = (e.at(e.pointer(name), first, 16) for name in ("in", "out", "counters"))
    key_base = e.at(e.pointer("keys"), first, 32)
    loaded = [e.load4(key_base, 1024 * (m // 2) + 16 * (m % 2), kind="ld.global.nc") for m in range(32)]
    keys = [[copied(e, s) for s in transpose(e, [k[w] for k in loaded])] for w in range(4)]
    blocks = [e.load4(counters, 512 * j, kind="ld.global.nc") for j in range(16)]
    y, x = ([copied(e, s) for s in transpose(e, [v[w + 2 * b] for v in blocks for b in range(2)])] for w in range(2))
    family = stem.rstrip("0123456789")
    sequence = e.wide("mov.u64", f"0x{Z3 if family == 'simon' else SIMECK_SEQUENCE:x}")
    with e.loop(11, unroll=False):
        for r in range(4):
            k0, k1, k3 = keys[r], keys[(r + 1) % 4], keys[(r + 3) % 4]
            for register, value in zip(y, sliced_feistel(family, e, x, y, k0), strict=True):
                e.emit("mov.b32", register, value)
            x, y = y, x
            low, _ = e.halves(sequence)
            number = e.spread_fma(low, 0)
            e.emit("shr.u64", sequence, sequence, 1)
            # The next round key in place of the oldest. The constant 0xfffffffc inverts all bits but two; the sequence's bit is bit 0.
            for i in range(32):
                inverted = 0xFF if i >= 2 else 0
                if family == "simon":
                    t = e.lop(k3[(i + 3) % 32], k1[i], k3[(i + 4) % 32], PARITY)
                    t = e.xor(t, number) if i == 0 else t
                    e.emit("lop3.b32", k0[i], t, k0[i], k1[(i + 1) % 32], f"0x{(PARITY ^ inverted) & 0xFF:02x}")
                else:
                    t = e.lop(k1[i], k1[(i - 5) % 32], k1[(i - 1) % 32], AND_XOR)
                    e.emit("lop3.b32", k0[i], t, k0[i], number if i == 0 else "0", f"0x{(PARITY ^ inverted) & 0xFF:02x}")
    write_slices(e, [y, x], target, source)
    args = [
        "out: {buffer: out, bytes: 256 * threads, access: w}",
        "in: {buffer: in, bytes: 256 * threads, access: r}",
        "keys: {buffer: keys, bytes: 512 * threads, access: r}",
        "counters: {buffer: counters, bytes: 256 * threads, access: r}",
    ]
    return f"{algorithm(cipher.key).name}, CTR of many messages of one block: 32 per thread in bit slices, each with its own key.", args, e.text()


# The paper's design


def shifts(e: Entry, x: Value, left: int) -> Value:
    """A rotation as the paper's figures write it."""
    return e.op("or.b32", e.op("shl.b32", x, left), e.op("shr.b32", x, 32 - left))


def paper_speck64(e: Entry, key: Words, block: Words) -> Words:
    """Figures 5 and 6: the round keys go to an array and come back from it. ptxas unrolls the loops and keeps the array in registers."""
    e.lines.append("    .local .align 4 .b8 rk[108];")
    base = e.op("mov.u32", "rk")
    a, b, c, d = (copied(e, word) for word in key)
    number, place = copied(e, "0"), copied(e, base)
    with e.loop(9):
        for other in (b, c, d):
            e.emit("st.local.u32", f"[{place}]", a)
            e.emit("add.u32", place, place, 4)
            e.emit("mov.b32", other, e.xor(e.add(shifts(e, other, 24), a), number))
            e.emit("mov.b32", a, e.xor(shifts(e, a, 3), other))
            e.emit("add.u32", number, number, 1)
    y, x = (copied(e, word) for word in block)
    place = copied(e, base)
    with e.loop(27):
        k = e.op("ld.local.u32", f"[{place}]")
        e.emit("add.u32", place, place, 4)
        e.emit("mov.b32", x, e.xor(e.add(shifts(e, x, 24), y), k))
        e.emit("mov.b32", y, e.xor(shifts(e, y, 3), x))
    return [y, x]


def paper_simon64(e: Entry, key: Words, block: Words) -> Words:
    """Figures 7 and 8: both halves of two rounds in turn, no moves."""
    keys = list(key)
    y, x = block
    for i in range(44):
        if i >= 4:
            # Figure 8: c ^ rk[i-4] ^ (rk[i-1] >>> 3) ^ rk[i-3] ^ (rk[i-1] >>> 4) ^ (rk[i-3] >>> 1), and then the sequence's bit.
            k = e.xor(f"{keys[i - 4]}", "0xfffffffc")
            for word in (shifts(e, keys[i - 1], 29), keys[i - 3], shifts(e, keys[i - 1], 28), shifts(e, keys[i - 3], 31)):
                k = e.xor(k, word)
            keys.append(e.xor(k, str(Z3 >> ((i - 4) % 62) & 1)))
        f = e.op("and.b32", shifts(e, x, 1), shifts(e, x, 8))
        y, x = x, e.xor(e.xor(e.xor(y, f), shifts(e, x, 2)), keys[i])
    return [y, x]


def paper_simeck64(e: Entry, key: Words, block: Words) -> Words:
    """Figures 9 and 10. The published code keeps k0 to k3 in the caller's keys, in global memory; here they are registers."""
    y, x = block
    k0, k1, k2, k3 = key
    for i in range(44):
        f = e.xor(e.op("and.b32", x, shifts(e, x, 5)), shifts(e, x, 1))
        y, x = x, e.xor(e.xor(f, y), k0)
        f = e.xor(e.op("and.b32", k1, shifts(e, k1, 5)), shifts(e, k1, 1))
        new = e.xor(e.xor(f, k0), f"0x{0xFFFFFFFC | (SIMECK_SEQUENCE >> i & 1):08x}")
        k0, k1, k2, k3 = k1, k2, k3, new
    return [y, x]


PAPER = {"speck64": paper_speck64, "simon64": paper_simon64, "simeck64": paper_simeck64}


def paper(stem: str, cipher: Cipher) -> tuple[str, list[str], str]:
    """One block per thread with its own key."""
    e = Entry(f"hanji_{stem}_ptx_paper", [("out", "u64"), ("in", "u64"), ("keys", "u64"), ("messages", "u32")], 1024)
    message = e.thread()
    end = e.label()
    e.emit("bra", end, when=e.test("setp.ge.u32", message, e.parameter("messages")))
    key = e.at(e.pointer("keys"), message, 16)
    words = [e.load(key, 4 * i, "ld.global") for i in range(4)]
    source = e.at(e.pointer("in"), message, 8)
    block = [e.load(source, 4 * i, "ld.global") for i in range(2)]
    result = PAPER[stem](e, words, block)
    target = e.at(e.pointer("out"), message, 8)
    for i, word in enumerate(result):
        e.emit("st.global.u32", f"[{target}+{4 * i}]", word)
    e.place(end)
    args = [
        "out: {buffer: out, bytes: 8 * messages, access: w}",
        "in: {buffer: in, bytes: 8 * messages, access: r}",
        "keys: {buffer: keys, bytes: 16 * messages, access: r}",
        "messages: {value: messages}",
    ]
    return f"{algorithm(cipher.key).name} as in the paper: one block per thread, each with its own key.", args, e.text()
