# SPDX-License-Identifier: Apache-2.0
"""Makes the PTX kernels of src/gpu, and those of the paper's design; tools/gpu_kernels.py writes
them.

Contracts of the entries, kept by src/gpu:

- Round keys of words (streams and tails) are 32-bit words, those of 64-bit words low half first;
  CHAM-64 has one key per word.
- Streams (`encrypt`, `decrypt`, `ctr` with x<blocks>): CTAs of 256 threads; thread t of CTA c does
  the 16-byte vectors 1024 c + t + 256 j, j from 0 to 3, below `vectors`.
- Slices (`.._x32`): whole warps, a warp does 256 x words vectors side by side; round keys are
  masks, `32 * i + bit` being 0 or 0xffffffff.
- Tails (`.._tail`): one thread, the 1 to 15 bytes, or half vector, after the last whole vector.
- Fleets: thread i does message i. Papers: thread i does block i.
- CTR: `counter` is the low word of the first block's counter, `fixed0 ..` are the other words as
  they lie in memory. The low word does not overflow within a launch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..spec import algorithm
from . import ascon, ciphers, fleets, ptx_path, sponge
from .ciphers import PARITY, Cipher
from .ptx import TARGET, VERSION, A, Array, B, C, Entry, Value, Words

THREADS = 256
STREAM_VECTORS = {2: 4, 4: 4}  # 16-byte vectors per thread, by the words of a block
SLICED_THREADS = 128
CHAM_TURN = 11  # rounds of CHAM in slices that one loop computes

HEAD = """// SPDX-License-Identifier: Apache-2.0
// {title}
// {note}
.version {version}
.target {target}
.address_size 64
"""

NOTE_STREAM = "What goes where in memory and in the grid: src/gpu/gpu.h."


def header(title: str, specification: str, blocks: int, args: Sequence[str], secrets: str) -> str:
    lines = ",\n             ".join(args)
    return (
        f"\n// {title}\n/* kernel:\n     spec: {specification}\n     isa: sm75\n     blocks: "
        f"{blocks}\n     args: {{ {lines} }}\n"
        f"     aliasing: out == in allowed\n     stack: 0\n     secrets: {secrets}\n*/\n"
    )


def counter_parameters(words: int) -> list[tuple[str, str]]:
    return [("counter", "u32"), *((f"fixed{i}", "u32") for i in range(words - 1))]


def counter_args(words: int) -> list[str]:
    return [
        "counter: {value: low word}",
        *(f"fixed{i}: {{value: word {i}}}" for i in range(words - 1)),
    ]


def stream(cipher: Cipher, operation: str) -> str:
    """The kernel for whole vectors of 16 bytes on words."""
    per_vector = 4 // cipher.words
    count = STREAM_VECTORS[cipher.words]
    blocks = count * per_vector
    ctr = operation == "ctr"
    name = f"hanji_{cipher.key}_sm75_{operation}_x{blocks}"
    parameters = [
        ("out", "u64"),
        ("in", "u64"),
        ("keys", "u64"),
        ("vectors", "u32"),
        *(counter_parameters(cipher.words) if ctr else []),
    ]
    e = Entry(name, parameters, THREADS)
    first = e.op(
        "mad.lo.u32", e.op("mov.u32", "%ctaid.x"), THREADS * count, e.op("mov.u32", "%tid.x")
    )
    left = e.sub(e.parameter("vectors"), first)
    inside = [e.test("setp.gt.s32", left, THREADS * j) for j in range(count)]
    source, target = (
        e.wide("mad.wide.u32", first, e.power(4), e.pointer(name)) for name in ("in", "out")
    )
    data = [e.load4(source, 16 * THREADS * j, when=inside[j]) for j in range(count)]
    given = [words[w : w + cipher.words] for words in data for w in range(0, 4, cipher.words)]
    if ctr:
        counter, fixed = (
            e.parameter("counter"),
            [e.parameter(f"fixed{i}") for i in range(cipher.words - 1)],
        )
        base = e.op("mad.lo.u32", first, e.power(per_vector // 2), counter)
        added = [per_vector * THREADS * j + b for j in range(count) for b in range(per_vector)]
        numbers = [e.op("mad.lo.u32", e.power(0), n, base) if n else base for n in added]
        result = cipher.ctr(e, numbers, fixed, e.pointer("keys"), given)
    else:
        result = (cipher.decrypt if operation == "decrypt" else cipher.encrypt)(
            e, given, e.pointer("keys")
        )
    flat = [word for block in result for word in block]
    for j in range(count):
        e.store4(target, flat[4 * j : 4 * j + 4], 16 * THREADS * j, when=inside[j])
    return (
        header(
            f"{algorithm(cipher.key).name}, {operation}: {blocks} blocks per thread.",
            f"{cipher.key}.{operation}",
            blocks,
            [
                "out: {buffer: out, bytes: 16 * vectors, access: w}",
                "in: {buffer: in, bytes: 16 * vectors, access: r}",
                f"keys: {{buffer: rk, bytes: {4 * cipher.round_key_words}, access: r}}",
                "vectors: {value: vectors}",
                *(counter_args(cipher.words) if ctr else []),
            ],
            "in, rk",
        )
        + e.text()
    )


def tail(cipher: Cipher, operation: str) -> str:
    """The kernel for the bytes after the last whole vector, in one thread, byte by byte."""
    ctr = operation == "ctr"
    parameters = [
        ("out", "u64"),
        ("in", "u64"),
        ("keys", "u64"),
        ("bytes", "u32"),
        *(counter_parameters(cipher.words) if ctr else []),
    ]
    e = Entry(f"hanji_{cipher.key}_sm75_{operation}_tail", parameters, 32)
    first = e.test("setp.eq.u32", e.thread(), 0)
    size = e.op("selp.u32", e.parameter("bytes"), 0, first)
    source, target = e.pointer("in"), e.pointer("out")
    words = e.array(4)

    def there(w: Value) -> list[Value]:
        """Which bytes of word w are there; the sixteenth byte of all never is."""
        left = e.sub(size, e.op("shl.b32", w, 2))
        return [e.test("setp.gt.s32", left, k) for k in range(4)]

    with e.loop(4) as w:
        at, word = e.at(source, w, 4), e.op("mov.u32", 0)
        for k, inside in enumerate(there(w)):
            byte = e.op("mov.u32", 0)
            e.emit("ld.global.u8", byte, f"[{at}+{k}]", when=inside)
            word = e.op("mad.lo.u32", byte, 1 << 8 * k, word)
        words.put(words.place(w), word)
    data = [words.get(i) for i in range(4)]
    if ctr:
        counter, fixed = (
            e.parameter("counter"),
            [e.parameter(f"fixed{i}") for i in range(cipher.words - 1)],
        )
        state = [
            ciphers.counter_block(e, e.add(counter, str(b)) if b else counter, fixed)
            for b in range(4 // cipher.words)
        ]
    else:
        state = [data[w : w + cipher.words] for w in range(0, 4, cipher.words)]
    rounds = cipher.decrypt if operation == "decrypt" else cipher.encrypt
    flat = [word for block in rounds(e, state, e.pointer("keys")) for word in block]
    for i, value in enumerate(flat):
        words.put(i, e.xor(value, data[i]) if ctr else value)
    with e.loop(4) as w:
        at, word = e.at(target, w, 4), words.get(words.place(w))
        for k, inside in enumerate(there(w)):
            byte = e.op("shr.u32", word, 8 * k) if k else word
            e.emit("st.global.u8", f"[{at}+{k}]", byte, when=inside)
    return (
        header(
            f"{algorithm(cipher.key).name}, {operation}: the 1 to 15 bytes after the last vector"
            + ("." if ctr else ", a whole block of them at most."),
            f"{cipher.key}.{operation}",
            4 // cipher.words,
            [
                "out: {buffer: out, bytes: bytes, access: w}",
                "in: {buffer: in, bytes: bytes, access: r}",
                f"keys: {{buffer: rk, bytes: {4 * cipher.round_key_words}, access: r}}",
                "bytes: {value: bytes}",
                *(counter_args(cipher.words) if ctr else []),
            ],
            "in, rk",
        )
        + e.text()
    )


# Slices: 32 blocks per thread. With blocks of 64 bits, vector j of a thread holds its blocks 2j and
# 2j + 1; with 128 bits, block j.


def counter_slices(e: Entry, base: Value, words: int) -> Words:
    """
    The slices of the numbers of this thread's blocks, where `base` is that of its first block.

    With blocks of two words, 2j and 2j + 1 have the numbers base + 64 j and base + 64 j + 1, so
    only bit 0 and bits 6 to 9 of what is added vary; with four words, block j has the number base +
    32 j: bits 5 to 9. The carry out of bit 9 is rarely there; then, and only then, it ripples on.
    """
    low, *high = 0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000
    varying = {0 if words == 2 else 5: low} | dict(enumerate(high, 6))
    bits = [e.register() for _ in range(32)]
    for i in range(32):
        e.emit("mov.b32", bits[i], e.spread_fma(base, i))
    carry: Value | None = None
    for i in range(min(varying), 10):
        added = f"0x{varying[i]:08x}" if i in varying else None
        old = bits[i]
        if added and carry:
            new_carry = e.lop(old, added, carry, (A & B) | (A & C) | (B & C))
            e.emit("lop3.b32", bits[i], old, added, carry, f"0x{PARITY:02x}")
        elif added:
            new_carry = e.op("and.b32", old, added)
            e.emit("xor.b32", bits[i], old, added)
        else:
            assert carry is not None
            new_carry = e.op("and.b32", old, carry)
            e.emit("xor.b32", bits[i], old, carry)
        carry = new_carry
    done = e.label()
    assert carry is not None
    e.emit("bra", done, when=e.test("setp.eq.u32", carry, 0))
    for i in range(10, 32):
        following = e.op("and.b32", bits[i], carry)
        e.emit("xor.b32", bits[i], bits[i], carry)
        carry = following
    e.place(done)
    return bits


# Bit i of a big-endian number is bit i ^ 24 of the word in memory.
MEMORY_BIT = 24


def sliced(
    cipher: Cipher, operation: str, body: Callable[[Entry, Array, Value], None], masks: int
) -> str:
    ctr, words = operation == "ctr", cipher.words
    vectors, per_vector = 8 * words, 4 // words
    e = Entry(
        f"hanji_{cipher.key}_sm75_{operation}_x32",
        [
            ("out", "u64"),
            ("in", "u64"),
            ("masks", "u64"),
            *(counter_parameters(words) if ctr else []),
        ],
        SLICED_THREADS,
    )
    thread = e.thread()
    warp, lane = e.op("shr.u32", thread, 5), e.op("and.b32", thread, 31)
    first = e.op("mad.lo.u32", warp, 32 * vectors, lane)
    source, target = e.at(e.pointer("in"), first, 16), e.at(e.pointer("out"), first, 16)
    slices = e.array(32 * words if cipher.key != "cham64_128" else 128)
    if ctr:
        numbers = counter_slices(
            e, e.op("mad.lo.u32", first, per_vector, e.parameter("counter")), words
        )
        for i, slice_ in enumerate(numbers):
            slices.put(32 * (words - 1) + (i ^ MEMORY_BIT), slice_)
        fixed = [e.parameter(f"fixed{w}") for w in range(words - 1)]
        with e.loop(32) as bit:
            row = slices.place(bit)
            for w, word in enumerate(fixed):
                slices.put(row, e.op("bfe.s32", word, bit, 1), 32 * w)
    else:
        ciphers.load_slices(e, slices, words, source)
    body(e, slices, e.pointer("masks"))
    ciphers.write_slices(e, slices, words, target, source if ctr else None)
    return (
        header(
            f"{algorithm(cipher.key).name}, {operation}: 32 blocks per thread in bit slices.",
            f"{cipher.key}.{operation}",
            32,
            [
                f"out: {{buffer: out, bytes: {128 * words} * threads, access: w}}",
                f"in: {{buffer: in, bytes: {128 * words} * threads, access: r}}",
                f"masks: {{buffer: rk, bytes: {masks}, access: r}}",
                *(counter_args(words) if ctr else []),
            ],
            "in, rk",
        )
        + e.text()
    )


def load_masks(e: Entry, pointer: Value, four: Value) -> Words:
    """Four masks of a round. Relaxed, so that they are not all loaded before the first round, where
    no registers are left for them, and yet come from the first cache: volatile loads do not.
    """
    return e.load4(e.wide("mad.wide.u32", four, 16, pointer), kind="ld.relaxed.cta.global")


def sliced_feistel(
    family: str, words: int, rounds: int, decrypt: bool
) -> Callable[[Entry, Array, Value], None]:
    def body(e: Entry, slices: Array, pointer: Value) -> None:
        bits = 16 * words
        fours = bits // 4
        pointer = e.wide("add.u64", pointer, 4 * bits * (rounds - 2) if decrypt else 0)
        # Two rounds in a turn of the loop, so that the halves are back in their places. Decryption
        # begins with the half that encryption changed last, and the later round key.
        with e.loop(rounds // 2):
            with e.loop(2 * fours) as number:
                four = e.xor(number, str(fours)) if decrypt else number
                second = e.op("and.b32", four, fours)
                y = slices.behind(e.op("mul.lo.u32", second, 4))
                x = slices.behind(e.op("mul.lo.u32", e.xor(second, str(fours)), 4))
                masks = load_masks(e, pointer, four)
                first = e.op("mul.lo.u32", e.op("and.b32", four, fours - 1), 4)
                for j, mask in enumerate(masks):
                    i = e.add(first, str(j)) if j else first
                    ciphers.sliced_feistel(family, e, x, y, i, mask, bits)
            e.emit("add.s64", pointer, pointer, -8 * bits if decrypt else 8 * bits)

    return body


def sliced_cham(rounds: int, key_words: int) -> Callable[[Entry, Array, Value], None]:
    """CHAM-64 in slices. The addition ripples through them; the round number inverts bits."""

    def four_bits(e: Entry, slices: Array, pointer: Value, number: Value, carry: Value) -> None:
        r, four = e.op("shr.u32", number, 2), e.op("and.b32", number, 3)
        words = []
        for behind in (0, 1, 4):
            word = e.op("and.b32", e.add(r, str(behind)), 7)
            words.append(slices.behind(e.op("mul.lo.u32", word, 16)))
        x0, x1, new = words
        odd = e.op("and.b32", r, 1)
        by_first = e.op("mad.lo.u32", odd, -7, 15)  # -1, or in odd rounds -8
        by_second = e.op("mad.lo.u32", odd, -7, 8)  # 8, or 1
        e.emit("selp.b32", carry, carry, 0, e.test("setp.ne.u32", four, 0))
        masks = load_masks(e, pointer, e.op("and.b32", number, 8 * key_words - 1))
        first = e.op("mul.lo.u32", four, 4)
        for j, mask in enumerate(masks):
            i = e.add(first, str(j))
            u = e.xor(x1.get(x1.turned(e.add(i, by_first), 0, 16)), mask)
            x, place = x0.get(x0.place(i)), new.turned(e.add(i, by_second), 0, 16)
            one = e.test("setp.ne.u32", e.op("and.b32", e.op("shr.u32", r, i), 1), 0)
            # Both ways, of which one is left when ptxas has unrolled the loop.
            sums = [e.lop(x, u, carry, a ^ B ^ C) for a in (~A, A)]
            carries = [e.lop(x, u, carry, (a & B) | (a & C) | (B & C)) for a in (~A, A)]
            new.put(place, e.op("selp.b32", *sums, one))
            e.emit("selp.b32", carry, *carries, one)

    def body(e: Entry, slices: Array, pointer: Value) -> None:
        # Of eight words in a ring round r reads words r and r + 1, and writes word r + 4. ptxas
        # unrolls loops of 11 rounds, not of 22.
        carry = ciphers.copied(e, "0")
        for begin in range(0, rounds, CHAM_TURN):
            with e.loop(4 * CHAM_TURN) as turn:
                four_bits(e, slices, pointer, e.add(turn, str(4 * begin)), carry)

    return body


SLICED: dict[str, dict[str, Callable[[Entry, Array, Value], None]]] = {
    f"{family}{32 * words}": {
        o: sliced_feistel(family, words, rounds, o == "decrypt")
        for o in ("encrypt", "decrypt", "ctr")
    }
    for family, words, rounds in (("simon", 2, 44), ("simon", 4, 68), ("simeck", 2, 44))
} | {"cham64": {o: sliced_cham(88, 8) for o in ("encrypt", "ctr")}}


def files() -> dict[str, str]:
    """Every file, by its path in a checkout, with its text."""
    made: dict[str, str] = {}
    for stem, variants in ciphers.FILES.items():
        family = stem.rstrip("0123456789")
        title = f"{family.upper()} with {stem[len(family) :]}-bit blocks on NVIDIA GPUs"
        head = {"version": VERSION, "target": TARGET, "note": NOTE_STREAM}
        made[ptx_path(f"{stem}_sm75")] = HEAD.format(title=title + ", on words.", **head) + "".join(
            make(cipher, operation)
            for cipher in variants
            for make in (stream, tail)
            for operation in ("encrypt", "decrypt", "ctr")
        )
        path = ptx_path(f"{stem}_sm75_fleet")
        made[path] = HEAD.format(title=f"{title}, fleet.", **head)
        for cipher in variants:
            many = {fleets.single: fleets.SINGLES, fleets.fleet: 1} | (
                {fleets.sliced: 32} if cipher.key in fleets.SLICED else {}
            )
            for make_one, blocks in many.items():
                what, args, text = make_one(cipher)
                made[path] += header(what, f"{cipher.key}.ctr", blocks, args, "in, keys") + text
        if stem in fleets.PAPER:
            what, args, text = fleets.paper(stem, variants[0])
            path = ptx_path(f"{stem}_sm75_paper")
            made[path] = (
                HEAD.format(title=f"{title}, paper.", **head)
                + header(what, f"{variants[0].key}.encrypt", 1, args, "in, keys")
                + text
            )
            path, cipher = ptx_path(f"{stem}_sm75_own"), variants[0]
            made[path] = HEAD.format(title=f"{title}, blocks with keys of their own.", **head)
            for make_own, blocks in ((fleets.single, fleets.SINGLES), (fleets.sliced, 32)):
                if blocks < 32 or cipher.key in fleets.SLICED:
                    what, args, text = make_own(cipher, True)
                    made[path] += header(what, f"{cipher.key}.encrypt", blocks, args, "in, keys")
                    made[path] += text
        if stem in SLICED:
            cipher = variants[0]
            masks = 4 * (16 if stem == "cham64" else 32) * cipher.round_key_words
            made[ptx_path(f"{stem}_sm75_x32")] = HEAD.format(
                title=title + ", in bit slices.", **head
            ) + "".join(
                sliced(cipher, operation, body, masks) for operation, body in SLICED[stem].items()
            )
    made |= {
        ptx_path(f"{stem}_sm75_fleet"): sponges(title, key, nonce, make)
        for stem, title, key, nonce, make in SPONGES
    }
    return made


# file, title, key of the specification, bytes of a nonce, and what writes an entry
SPONGES = (
    ("schwaemm256", "SCHWAEMM256-128", "schwaemm256_128", 32, sponge.schwaemm256_128),
    ("ascon", "Ascon-AEAD128", "ascon_aead128", 16, ascon.ascon_aead128),
)


def sponges(title: str, key: str, nonce: int, make: Callable[[bool], str]) -> str:
    """The file of an AEAD whose fleets have a message per thread."""
    return HEAD.format(
        title=f"{title} on NVIDIA GPUs, a message per thread.",
        version=VERSION,
        target=TARGET,
        note=NOTE_STREAM,
    ) + "".join(
        header(
            f"{title}: {'open' if opening else 'seal'} many messages, one per thread, "
            "each with its own key.",
            f"{key}.{'open' if opening else 'seal'}",
            1,
            [
                "out: {buffer: out, bytes: last offset, access: w}",
                "in: {buffer: in, bytes: last offset, access: r}",
                "keys: {buffer: keys, bytes: 16 * messages, access: r}",
                f"nonces: {{buffer: nonces, bytes: {nonce} * messages, access: r}}",
                f"tags: {{buffer: tags, bytes: 16 * messages, access: {'r' if opening else 'w'}}}",
                "offsets: {buffer: offsets, bytes: 8 * messages + 8, access: r}",
                "ad: {buffer: ad, bytes: last offset of ad_offsets, access: r}",
                "ad_offsets: {buffer: ad_offsets, bytes: 8 * messages + 8, access: r}",
                "status: {buffer: status, bytes: messages, access: w}",
                "messages: {value: messages}",
            ],
            "in, keys",
        )
        + make(opening)
        for opening in (False, True)
    )
