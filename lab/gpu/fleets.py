# SPDX-License-Identifier: Apache-2.0
"""Kernels in which every message has its own key: the round keys are made in the thread, and never
stored.

`fleet` is CTR over messages of any length, a message per thread. The `paper` kernels are our build
of the design of Jang, Kim, Lim, Seo (Parallel Implementation of SPECK, SIMON and SIMECK by Using
NVIDIA CUDA PTX, 2021, section 3), to compare with: one thread per block of 64 bits, 1,024 threads
per CTA, rotations of two shifts and an OR. Unlike what was published they guard their bounds and
leave the keys alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..spec import algorithm, simon
from . import ciphers
from .ciphers import (
    AND_XOR,
    PARITY,
    Cipher,
    cham128_sum,
    copied,
    load_slices,
    transpose,
    write_slices,
)
from .ptx import Array, Entry, Value, Words

Z3 = 0xFC2CE51207A635DB  # of SIMON with four key words of 32 bits: ePrint 2013/404, section 3
SIMECK_SEQUENCE = 0x938BCA3083F  # of SIMECK-64: Yang et al., CHES 2015, section 2
THREADS = 256


@dataclass(frozen=True)
class Own:
    """A cipher whose round keys are made in registers, from the 32-bit words of the key as they lie
    in memory.
    """

    key_words: int
    # the words of all round keys, one behind the other
    expand: Callable[[Entry, Words], Array]
    # the counter block, the round keys and data become what the data are encrypted to
    ctr: Callable[[Entry, Words, Array, Words], Words]


def added(e: Entry, block: Words, data: Words) -> Words:
    return [e.xor(a, b) for a, b in zip(block, data, strict=True)]


def filled(e: Entry, words: Words, size: int) -> Array:
    """An array that begins with these words."""
    array = e.array(size)
    for i, word in enumerate(words):
        array.put(i, word)
    return array


def pair(array: Array, place: Value, behind: int = 0) -> Words:
    return [array.get(place, behind), array.get(place, behind + 1)]


# SPECK


def expand_speck64(e: Entry, key: Words) -> Array:
    """27 round keys of SPECK-64/128."""
    keys, ring = e.array(27), filled(e, key[1:], 4)
    k = copied(e, key[0])
    keys.put(0, k)
    with e.loop(26) as i:
        new = e.xor(ciphers.speck64_add(e, ring.get(ring.turned(i, 0, 4)), k, i), i)
        ring.put(ring.turned(i, 3, 4), new)
        e.emit("mov.b32", k, e.xor(e.rotl(k, 3), new))
        keys.put(keys.place(i), k, 1)
    return keys


def ctr_speck64(e: Entry, block: Words, keys: Array, data: Words) -> Words:
    y, x = (copied(e, word) for word in block)
    with e.loop(26) as r:
        e.emit("mov.b32", x, e.xor(ciphers.speck64_add(e, x, y, r), keys.get(keys.place(r))))
        e.emit("mov.b32", y, e.xor(e.rotl(y, 3), x))
    return ciphers.speck64_last(e, y, x, keys.get(26), data)


def moved(e: Entry, registers: Words, values: Words) -> None:
    for register, value in zip(registers, values, strict=True):
        e.emit("mov.b32", register, value)


def expand_speck128(rounds: int) -> Callable[[Entry, Words], Array]:
    def run(e: Entry, key: Words) -> Array:
        keys, ring = e.array(2 * rounds), filled(e, key[2:], 8)
        k = [copied(e, word) for word in key[:2]]
        for w in range(2):
            keys.put(w, k[w])
        with e.loop(rounds - 1) as i:
            double = e.op("mul.lo.u32", i, 2)
            new = ciphers.speck128_add(e, pair(ring, ring.turned(double, 0, 8)), k, i)
            new[0] = e.xor(new[0], i)
            place = ring.turned(double, len(key) - 2, 8)
            to = keys.place(double)
            moved(e, k, ciphers.speck128_rotl3_xor(e, k, new))
            for w in range(2):
                ring.put(place, new[w], w)
                keys.put(to, k[w], 2 + w)
        return keys

    return run


def ctr_speck128(rounds: int) -> Callable[[Entry, Words, Array, Words], Words]:
    def run(e: Entry, block: Words, keys: Array, data: Words) -> Words:
        y, x = ([copied(e, word) for word in half] for half in (block[:2], block[2:]))
        with e.loop(rounds - 1) as r:
            key = pair(keys, keys.place(e.op("mul.lo.u32", r, 2)))
            moved(e, x, added(e, ciphers.speck128_add(e, x, y, r), key))
            moved(e, y, ciphers.speck128_rotl3_xor(e, y, x))
        last = [keys.get(2 * rounds - 2 + w) for w in range(2)]
        return ciphers.speck128_last(e, y, x, last, data)

    return run


# SIMON and SIMECK


def with_constants(
    e: Entry, sequence: Sequence[int], keys: Array, words: int, make: Callable[[Value, Value], None]
) -> None:
    """Makes round keys, of so many words: `make` takes the place of the first word that it needs,
    and 0xfffffffc + the bit of the sequence. A loop takes at most 32 bits.
    """
    for begin in range(0, len(sequence), 32):
        part = sequence[begin : begin + 32]
        bits = sum(bit << i for i, bit in enumerate(part))
        with e.loop(len(part)) as i:
            at = e.add(i, str(begin)) if begin else i
            place = keys.place(e.op("mul.lo.u32", at, words) if words > 1 else at)
            make(place, e.op("or.b32", ciphers.bit_of(e, bits, i), "0xfffffffc"))


def expand_simon64(e: Entry, key: Words) -> Array:
    """44 round keys of SIMON-64/128."""
    keys = filled(e, key, 44)

    def make(place: Value, constant: Value) -> None:
        t = e.xor(e.rotr(keys.get(place, 3), 3), keys.get(place, 1))
        new = e.lop(keys.get(place), t, constant, PARITY)
        keys.put(place, e.xor(new, e.rotr(t, 1)), 4)

    with_constants(e, [Z3 >> i & 1 for i in range(40)], keys, 1, make)
    return keys


def expand_simeck64(e: Entry, key: Words) -> Array:
    """44 round keys of SIMECK-64/128."""
    keys = filled(e, key, 44)

    def make(place: Value, constant: Value) -> None:
        k = keys.get(place, 1)
        f = e.lop(k, e.rotl(k, 5), e.rotl(k, 1), AND_XOR)
        keys.put(place, e.lop(f, keys.get(place), constant, PARITY), 4)

    with_constants(e, [SIMECK_SEQUENCE >> i & 1 for i in range(40)], keys, 1, make)
    return keys


def ctr_feistel64(a: int, b: int, c: int) -> Callable[[Entry, Words, Array, Words], Words]:
    def run(e: Entry, block: Words, keys: Array, data: Words) -> Words:
        y, x = (copied(e, word) for word in block)
        with e.loop(44) as r:
            f = e.lop(e.rotl(x, a), e.rotl(x, b), e.rotl(x, c), AND_XOR)
            new = e.lop(f, y, keys.get(keys.place(r)), PARITY)
            moved(e, [y, x], [x, new])
        return added(e, [y, x], data)

    return run


def expand_simon128(e: Entry, key: Words) -> Array:
    """68 round keys of SIMON-128/128."""
    keys = filled(e, key, 136)

    def make(place: Value, constant: Value) -> None:
        (old0, old1), (low, high) = pair(keys, place), pair(keys, place, 2)
        by3 = [e.op("shf.r.wrap.b32", low, high, 3), e.op("shf.r.wrap.b32", high, low, 3)]
        by4 = [e.op("shf.r.wrap.b32", low, high, 4), e.op("shf.r.wrap.b32", high, low, 4)]
        keys.put(place, e.xor(e.lop(old0, by3[0], by4[0], PARITY), constant), 4)
        keys.put(place, e.lop(old1, by3[1], by4[1], ~PARITY), 5)

    with_constants(e, [simon.Z[2][i % 62] for i in range(66)], keys, 2, make)
    return keys


def ctr_simon128(e: Entry, block: Words, keys: Array, data: Words) -> Words:
    y, x = ([copied(e, word) for word in half] for half in (block[:2], block[2:]))
    with e.loop(68) as r:
        key = pair(keys, keys.place(e.op("mul.lo.u32", r, 2)))
        new = ciphers.simon128_round(e, x, y, key)
        moved(e, [*y, *x], [*x, *new])
    return added(e, [*y, *x], data)


# CHAM


def expand_cham128(key_words: int) -> Callable[[Entry, Words], Array]:
    """2 x key_words round keys of CHAM with 32-bit words."""

    def run(e: Entry, key: Words) -> Array:
        keys = e.array(2 * key_words)
        for j, k in enumerate(key):
            for place, by in ((j, 8), ((j + key_words) ^ 1, 11)):
                keys.put(place, e.lop(k, e.rotl(k, 1), e.rotl(k, by), PARITY))
        return keys

    return run


def ctr_cham128(rounds: int, key_words: int) -> Callable[[Entry, Words, Array, Words], Words]:
    def run(e: Entry, block: Words, keys: Array, data: Words) -> Words:
        block = [copied(e, word) for word in block]
        with e.loop(rounds // 2 - 2) as turn:
            r = e.op("mul.lo.u32", turn, 2)
            place = keys.turned(r, 0, 2 * key_words)
            now = block
            for k in range(2):
                number = e.xor(now[0], e.add(r, "1") if k else r)
                value, by = cham128_sum(e, k, now[0], now[1], keys.get(place, k), number)
                now = [*now[1:], e.rotl(value, by)]
            moved(e, block, now)
        for out, last in enumerate(range(rounds - 4, rounds)):
            key = keys.get(last % (2 * key_words))
            value, by = cham128_sum(e, last, block[0], block[1], key, None)
            block = [
                *block[1:],
                e.rotl(value, by) if out < 1 else e.xor(e.rotl(value, by), data[out]),
            ]
        return [e.xor(block[0], data[0]), *block[1:]]

    return run


def expand_cham64(e: Entry, key: Words) -> Array:
    """16 round keys of CHAM-64/128, each twice in a word: rotations of 16 bits are those of 32."""
    keys = e.array(16)
    for j in range(8):
        k = e.bytes(key[j // 2], [2, 3, 2, 3] if j % 2 else [0, 1, 0, 1])
        for place, by in ((j, 8), ((j + 8) ^ 1, 11)):
            keys.put(place, e.lop(k, e.rotl(k, 1), e.rotl(k, by), PARITY))
    return keys


def ctr_cham64(e: Entry, block: Words, keys: Array, data: Words) -> Words:
    x = [copied(e, e.bytes(word, half)) for word in block for half in ([0, 1, 0, 1], [2, 3, 2, 3])]
    with e.loop(44) as turn:
        r = e.op("mul.lo.u32", turn, 2)
        place = keys.turned(r, 0, 16)
        now = x
        for k in range(2):
            number = e.xor(now[0], e.add(r, "1") if k else r)
            now = [*now[1:], ciphers.cham64_sum(e, k, number, now[1], keys.get(place, k))]
        moved(e, x, now)
    return [e.xor(e.bytes(x[2 * w], [0, 1, 4, 5], x[2 * w + 1]), data[w]) for w in range(2)]


OWN: dict[str, Own] = {
    "speck64_128": Own(4, expand_speck64, ctr_speck64),
    "speck128_128": Own(4, expand_speck128(32), ctr_speck128(32)),
    "speck128_192": Own(6, expand_speck128(33), ctr_speck128(33)),
    "speck128_256": Own(8, expand_speck128(34), ctr_speck128(34)),
    "simon64_128": Own(4, expand_simon64, ctr_feistel64(1, 8, 2)),
    "simon128_128": Own(4, expand_simon128, ctr_simon128),
    "simeck64_128": Own(4, expand_simeck64, ctr_feistel64(0, 5, 1)),
    "cham64_128": Own(4, expand_cham64, ctr_cham64),
    "cham128_128": Own(4, expand_cham128(4), ctr_cham128(112, 4)),
    "cham128_256": Own(8, expand_cham128(8), ctr_cham128(120, 8)),
}
SLICED = ("simon64_128", "simeck64_128")  # those with a kernel in bit slices


def load_key(e: Entry, pointer: Value, words: int, when: Value | None = None) -> Words:
    """The words of a key at a multiple of 8 bytes, or of 16 if it has so many."""
    if words % 4 == 0:
        return [
            w for i in range(0, words, 4) for w in e.load4(pointer, 4 * i, when, "ld.global.nc")
        ]
    pairs = [[e.register(), e.register()] for _ in range(words // 2)]
    for i, pair in enumerate(pairs):
        e.emit(
            "ld.global.nc.v2.u32", "{" + ", ".join(pair) + "}", f"[{pointer}+{8 * i}]", when=when
        )
    return [w for pair in pairs for w in pair]


def vector(words: Sequence[Value]) -> str:
    return "{" + ", ".join(words) + "}"


def arguments(cipher: Cipher, whole: str) -> list[str]:
    return [
        f"out: {{buffer: out, bytes: {whole}, access: w}}",
        f"in: {{buffer: in, bytes: {whole}, access: r}}",
        f"keys: {{buffer: keys, bytes: {4 * OWN[cipher.key].key_words} * messages, access: r}}",
        f"counters: {{buffer: counters, bytes: {4 * cipher.words} * messages, access: r}}",
    ]


def fleet(cipher: Cipher) -> tuple[str, list[str], str]:
    """
    CTR of one message per thread: name, arguments of the header, and text.

    Round keys are made once and stay in registers. Whole blocks at multiples of their size move at
    once, everything else byte by byte.
    """
    own, words = OWN[cipher.key], cipher.words
    size = 4 * words
    parameters = [
        ("out", "u64"),
        ("in", "u64"),
        ("keys", "u64"),
        ("counters", "u64"),
        ("offsets", "u64"),
        ("messages", "u32"),
    ]
    e = Entry(f"hanji_{cipher.key}_sm75_fleet_x1", parameters, THREADS)
    message = e.thread()
    end = e.label()
    e.emit("bra", end, when=e.test("setp.ge.u32", message, e.parameter("messages")))
    keys = own.expand(
        e, load_key(e, e.at(e.pointer("keys"), message, 4 * own.key_words), own.key_words)
    )
    counters = e.at(e.pointer("counters"), message, size)
    # most significant first
    number = [copied(e, e.swapped(e.load(counters, 4 * w))) for w in range(words)]
    offsets = e.at(e.pointer("offsets"), message, 8)
    first, last = (e.wide("ld.global.nc.u64", f"[{offsets}+{at}]") for at in (0, 8))
    source, target = (
        e.wide("add.u64", e.pointer("in"), first),
        e.wide("add.u64", e.pointer("out"), first),
    )
    left = e.wide("sub.u64", last, first)
    skew = e.op("cvt.u32.u64", e.wide("or.b64", source, target))
    unaligned = e.test("setp.ne.u32", e.op("and.b32", skew, size - 1), 0)

    top, slow, ready, byte, after = (e.label() for _ in range(5))
    data = [e.register() for _ in range(words)]
    e.place(top)
    e.emit("bra", end, when=e.test("setp.eq.u64", left, 0))
    partial = e.test("setp.lt.u64", left, size)
    by_bytes = e.test("or.pred", unaligned, partial)
    for register in data:
        e.emit("mov.u32", register, 0)
    e.emit("bra", ready, when=by_bytes)
    e.emit(f"ld.global.v{words}.u32", vector(data), f"[{source}]")
    e.place(ready)
    result = own.ctr(e, [e.swapped(n) for n in number], keys, data)
    for w in reversed(range(words)):
        carry = "add" if w == words - 1 else "addc"
        e.emit(f"{carry}{'.cc' if w else ''}.u32", number[w], number[w], 0 if w < words - 1 else 1)
    e.emit("bra", slow, when=by_bytes)
    e.emit(f"st.global.v{words}.u32", f"[{target}]", vector(result))
    e.emit("add.u64", source, source, size)
    e.emit("add.u64", target, target, size)
    e.emit("sub.u64", left, left, size)
    e.emit("bra", top)

    e.place(slow)
    stream = [copied(e, word) for word in result]
    count = e.wide("min.u64", left, size)
    e.emit("sub.u64", left, left, count)
    e.place(byte)
    e.emit("bra", after, when=e.test("setp.eq.u64", count, 0))
    datum = e.op("ld.global.u8", f"[{source}]")
    e.emit("st.global.u8", f"[{target}]", e.xor(datum, stream[0]))
    for low, high in zip(stream, [*stream[1:], "0"], strict=True):
        e.emit("shf.r.wrap.b32", low, low, high, 8)
    for pointer in (source, target):
        e.emit("add.u64", pointer, pointer, 1)
    e.emit("sub.u64", count, count, 1)
    e.emit("bra", byte)
    e.place(after)
    e.emit("bra", top)
    e.place(end)
    args = [
        *arguments(cipher, "last offset"),
        "offsets: {buffer: offsets, bytes: 8 * messages + 8, access: r}",
        "messages: {value: messages}",
    ]
    return (
        (
            f"{algorithm(cipher.key).name}, CTR of many messages: one per thread, each with its "
            "own key."
        ),
        args,
        e.text(),
    )


SINGLES = 2  # messages per thread


def single(cipher: Cipher, ecb: bool = False) -> tuple[str, list[str], str]:
    """CTR of messages of one block each, which lie side by side: thread t of CTA c does the
    messages 512 c + t and 512 c + t + 256. With `ecb` the block itself is encrypted: no counters.
    """
    own, words = OWN[cipher.key], cipher.words
    parameters = [
        ("out", "u64"),
        ("in", "u64"),
        ("keys", "u64"),
        *([] if ecb else [("counters", "u64")]),
        ("messages", "u32"),
    ]
    what = "own" if ecb else "fleet"
    e = Entry(f"hanji_{cipher.key}_sm75_{what}_x{SINGLES}", parameters, THREADS)
    first = e.op(
        "mad.lo.u32", e.op("mov.u32", "%ctaid.x"), SINGLES * THREADS, e.op("mov.u32", "%tid.x")
    )
    messages = e.parameter("messages")
    left, begun = e.sub(messages, first), e.test("setp.lt.u32", first, messages)
    sizes = {"in": 4 * words, "out": 4 * words, "keys": 4 * own.key_words}
    sizes |= {} if ecb else {"counters": 4 * words}
    at = {name: e.at(e.pointer(name), first, size) for name, size in sizes.items()}
    for j in range(SINGLES):
        inside = e.test("setp.gt.and.u32", left, THREADS * j, begun) if j else begun
        where = {name: f"[{at[name]}+{THREADS * j * size}]" for name, size in sizes.items()}
        key = load_key(
            e,
            e.wide("add.u64", at["keys"], THREADS * j * sizes["keys"]) if j else at["keys"],
            own.key_words,
            inside,
        )
        block, data = ([e.register() for _ in range(words)] for _ in range(2))
        if ecb:  # encryption is a key stream over zeros
            e.emit(f"ld.global.v{words}.u32", vector(block), where["in"], when=inside)
            data = ["0"] * words
        else:
            e.emit(f"ld.global.nc.v{words}.u32", vector(block), where["counters"], when=inside)
            e.emit(f"ld.global.v{words}.u32", vector(data), where["in"], when=inside)
        e.emit(
            f"st.global.v{words}.u32",
            where["out"],
            vector(own.ctr(e, block, own.expand(e, key), data)),
            when=inside,
        )
    args = [*arguments(cipher, f"{4 * words} * messages"), "messages: {value: messages}"]
    return (
        f"{algorithm(cipher.key).name}, {_said(ecb)}: {SINGLES} per thread, each with its own key.",
        [arg for arg in args if not (ecb and arg.startswith("counters:"))],
        e.text(),
    )


def _said(ecb: bool) -> str:
    return "encryption of many blocks" if ecb else "CTR of many messages of one block"


def sliced(cipher: Cipher, ecb: bool = False) -> tuple[str, list[str], str]:
    """The same in bit slices, 32 messages per thread and 1,024 per warp: SIMON and SIMECK, whose
    schedules are renamings and LOP3 too.

    Messages lie in a warp as the blocks of the sliced streams do.
    """
    pointers = [("out", "u64"), ("in", "u64"), ("keys", "u64")]
    pointers += [] if ecb else [("counters", "u64")]
    e = Entry(f"hanji_{cipher.key}_sm75_{'own' if ecb else 'fleet'}_x32", pointers, 128)
    thread = e.thread()
    warp, lane = e.op("shr.u32", thread, 5), e.op("and.b32", thread, 31)
    first = e.op("mad.lo.u32", warp, 512, lane)  # vector of two messages
    source, target, counters = (
        e.at(e.pointer(name), first, 16) for name in ("in", "out", "in" if ecb else "counters")
    )
    key_base = e.at(e.pointer("keys"), first, 32)
    # One array for both: ptxas keeps 128 words of arrays in registers, and not 192. The blocks are
    # in registers while the keys are in the array.
    array = e.array(4 * 32)
    # in place: what is read is written, too
    load_slices(e, array, 2, counters, "ld.global" if ecb else "ld.global.nc")
    y, x = ([copied(e, array.get(32 * w + i)) for i in range(32)] for w in range(2))
    with e.loop(16) as j:
        row = array.place(e.op("mul.lo.u32", j, 2))
        at = e.wide("mad.wide.u32", j, 1024, key_base)
        for i in range(2):
            for w, word in enumerate(e.load4(at, 16 * i, kind="ld.global.nc")):
                array.put(row, word, 32 * w + i)
    transpose(e, array, 4)
    family = cipher.key.partition("64")[0]
    a, b, c = (1, 8, 2) if family == "simon" else (0, 5, 1)
    sequence = e.wide("mov.u64", f"0x{Z3 if family == 'simon' else SIMECK_SEQUENCE:x}")
    with e.loop(11, unroll=False):
        for r in range(4):
            k0, k1, k3 = (array.behind(32 * ((r + i) % 4)) for i in (0, 1, 3))
            for i in range(32):
                f = e.lop(x[i - a], x[i - b], x[i - c], AND_XOR)
                e.emit("lop3.b32", y[i], f, y[i], k0.get(i), f"0x{PARITY & 0xFF:02x}")
            x, y = y, x
            low, _ = e.halves(sequence)
            number = e.spread_fma(low, 0)
            e.emit("shr.u64", sequence, sequence, 1)
            # The next round key in place of the oldest. The constant 0xfffffffc inverts all bits
            # but two; the sequence's bit is bit 0.
            _next_key(e, family, k0, k1, k3, "0", number, 0)
            _next_key(e, family, k0, k1, k3, "1", "0", 0)
            with e.loop(30) as other:
                _next_key(e, family, k0, k1, k3, e.add(other, "2"), "0", 0xFF)
    for i in range(32):
        array.put(i, y[i])
        array.put(32 + i, x[i])
    write_slices(e, array, 2, target, None if ecb else source)
    args = [
        "out: {buffer: out, bytes: 256 * threads, access: w}",
        "in: {buffer: in, bytes: 256 * threads, access: r}",
        "keys: {buffer: keys, bytes: 512 * threads, access: r}",
        "counters: {buffer: counters, bytes: 256 * threads, access: r}",
    ]
    name, ways = algorithm(cipher.key).name, "32 per thread in bit slices"
    return (
        f"{name}, {_said(ecb)}: {ways}, each with its own key.",
        args[:-1] if ecb else args,
        e.text(),
    )


def _next_key(
    e: Entry, family: str, k0: Array, k1: Array, k3: Array, i: Value, number: Value, inverted: int
) -> None:
    """Bit i of the round key four rounds on, which goes into k0."""
    place, now = k0.place(i), k1.get(k1.place(i))
    if family == "simon":
        new = e.lop(k3.get(k3.turned(i, 3, 32)), now, k3.get(k3.turned(i, 4, 32)), PARITY)
        new = e.xor(new, number) if number != "0" else new
        other = k1.get(k1.turned(i, 1, 32))
    else:
        new = e.lop(now, k1.get(k1.turned(i, -5, 32)), k1.get(k1.turned(i, -1, 32)), AND_XOR)
        other = number
    k0.put(place, e.lop(new, k0.get(place), other, PARITY ^ inverted))


# The paper's design


def shifts(e: Entry, x: Value, left: int) -> Value:
    """A rotation as the paper's figures write it."""
    return e.op("or.b32", e.op("shl.b32", x, left), e.op("shr.b32", x, 32 - left))


def paper_speck64(e: Entry, key: Words, block: Words) -> Words:
    """Figures 5 and 6: the round keys go to an array and come back from it. ptxas unrolls the loops
    and keeps the array in registers.
    """
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
            # Figure 8: c ^ rk[i-4] ^ (rk[i-1] >>> 3) ^ rk[i-3] ^ (rk[i-1] >>> 4) ^ (rk[i-3] >>> 1),
            # and then the sequence's bit.
            k = e.xor(f"{keys[i - 4]}", "0xfffffffc")
            for word in (
                shifts(e, keys[i - 1], 29),
                keys[i - 3],
                shifts(e, keys[i - 1], 28),
                shifts(e, keys[i - 3], 31),
            ):
                k = e.xor(k, word)
            keys.append(e.xor(k, str(Z3 >> ((i - 4) % 62) & 1)))
        f = e.op("and.b32", shifts(e, x, 1), shifts(e, x, 8))
        y, x = x, e.xor(e.xor(e.xor(y, f), shifts(e, x, 2)), keys[i])
    return [y, x]


def paper_simeck64(e: Entry, key: Words, block: Words) -> Words:
    """Figures 9 and 10. The published code keeps k0 to k3 in the caller's keys, in global memory;
    here they are registers.
    """
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
    e = Entry(
        f"hanji_{stem}_ptx_paper",
        [("out", "u64"), ("in", "u64"), ("keys", "u64"), ("messages", "u32")],
        1024,
    )
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
    return (
        (
            f"{algorithm(cipher.key).name} as in the paper: one block per thread, each with its "
            "own key."
        ),
        args,
        e.text(),
    )
