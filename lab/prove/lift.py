# SPDX-License-Identifier: Apache-2.0
"""What a kernel must do to one group, as bits: the functions of lab/spec run on symbolic words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..layouts import WORDS
from ..spec import modes
from ..spec.ascon import Permutation
from ..spec.block import BlockCipher, TwoBranchCipher
from ..spec.keccak import Keccak
from ..spec.sparkle import Sparkle
from .graph import Bits, Blind, Graph, Veiled
from .words import Word, bits_of, number_bits

Bytes = list[Bits]

NEAR = 8  # lowest bits of a counter block


def to_bytes(words: Sequence[object], width: int) -> Bytes:
    """Words as little-endian bytes."""
    return [
        bits[8 * i : 8 * i + 8]
        for word in words
        for bits in (bits_of(word, width),)
        for i in range(width // 8)
    ]


def from_bytes(g: Graph, data: Bytes, width: int) -> list[Word]:
    """Little-endian words."""
    n = width // 8
    return [Word(g, [x for byte in data[i : i + n] for x in byte]) for i in range(0, len(data), n)]


@dataclass
class Lifted:
    """What a kernel does to one group.

    `source` is the buffer that it reads and `target` the one that it writes, `size` bytes of each
    per group. `fixed` holds the contents of buffers that all groups share. `compute` makes the
    output bytes of a group from its input bytes and the number of its counter block; `advanced` is
    that number behind so many groups.
    """

    source: str
    target: str
    size: int
    compute: Callable[[Bytes, Bits | None], Bytes]
    fixed: dict[str, Bytes] = field(default_factory=dict)
    counter: Bits | None = None
    advanced: Callable[[Bits, int], Bits] | None = None
    numbered: Callable[[Bits, int], Bits] | None = None  # the same behind so many blocks
    others: frozenset[int] = frozenset()  # bytes that what is wanted does not hang on


def big_endian(number: Bits) -> Bytes:
    """A number as a counter block."""
    return [number[i : i + 8] for i in reversed(range(0, len(number), 8))]


def crypted(
    g: Graph, cipher: BlockCipher, keys: Sequence[Word], block: Bytes, forward: bool
) -> Bytes:
    """One block under round keys."""
    swapped = isinstance(cipher, TwoBranchCipher)
    words: Sequence[Word] = from_bytes(g, block, cipher.width)
    call = cipher.encrypt_words if forward else cipher.decrypt_words
    made = call(words[::-1] if swapped else words, keys)
    return to_bytes(made[::-1] if swapped else made, cipher.width)


def round_key_count(cipher: BlockCipher) -> int:
    """How many round keys a cipher has."""
    return len(cipher.round_keys(bytes(cipher.key_size)))


def blocks(
    g: Graph,
    cipher: BlockCipher,
    operation: str,
    count: int,
    keys_name: str,
    layout: str,
    only: range | None = None,
) -> Lifted:
    """A group of `count` blocks under any round keys, and so under any key. With `only` nothing is
    wanted of the other blocks where these are unknown.
    """
    width = cipher.width
    keys = [Word(g, g.word(f"round key {i}", width)) for i in range(round_key_count(cipher))]
    laid_out, wide = WORDS[layout](cipher, keys)
    fixed = {keys_name: to_bytes(laid_out, wide)}

    size = cipher.block_size
    others = frozenset(
        at for at in range(count * size) if only is not None and at // size not in only
    )
    blind = isinstance(g, Blind)

    def each(data: Bytes, counter: Bits | None) -> Bytes:
        out: Bytes = []
        for at in range(0, len(data), size):
            if blind and at in others:
                out += [()] * size
            else:
                block = data[at : at + size]
                out += crypted(g, cipher, keys, block, operation == "encrypt")
        return out

    if operation != "ctr":
        return Lifted("in", "out", count * size, each, fixed, others=others)

    def numbered(first: Bits, i: int) -> Bits:
        number = bits_of(modes.numbered(Word(g, first), i, size), 8 * size)
        g.aim(number)
        return number

    def stream(data: Bytes, counter: Bits | None) -> Bytes:
        assert counter is not None
        numbers = [numbered(counter, i) for i in range(count)]
        if isinstance(g, Veiled) and only is not None:
            g.hide(_apart(numbers, only))
        out: Bytes = []
        for i, number in enumerate(numbers):
            if blind and i * size in others:
                out += [()] * size
                continue
            block = data[i * size : (i + 1) * size]
            key_stream = crypted(g, cipher, keys, big_endian(number), True)
            out += [tuple(map(g.xor, a, b)) for a, b in zip(block, key_stream, strict=True)]
        return out

    g.near = count
    first = g.counter("counter", 8 * size)
    fixed["counter"] = big_endian(first)
    advanced = lambda c, n: numbered(c, n * count)  # noqa: E731
    return Lifted("in", "out", count * size, stream, fixed, first, advanced, numbered)


def _apart(numbers: Sequence[Bits], only: range) -> set[int]:
    """Nodes of counter blocks that none of some has, but for the lowest bits, which many have."""
    high = [{x >> 1 for x in number[NEAR:] if x > 1} for number in numbers]
    wanted = set().union(*(high[i] for i in only))
    return set().union(*high) - wanted - {x >> 1 for number in numbers for x in number[:NEAR]}


def permutations(
    g: Graph, found: Sparkle | Permutation, buffer: str, states: int, steps: int
) -> Lifted:
    """States one after the other, the same number of steps for each."""
    width = 32 if isinstance(found, Sparkle) else 64
    size = found.state_size

    def each(data: Bytes, counter: Bits | None) -> Bytes:
        return [
            byte
            for at in range(0, len(data), size)
            for byte in to_bytes(
                found.permute_words(from_bytes(g, data[at : at + size], width), steps), width
            )
        ]

    return Lifted(buffer, buffer, states * size, each)


def word_lanes(g: Graph, found: Permutation, buffer: str, states: int, steps: int) -> Lifted:
    """States of 64-bit words: word w of all states side by side, then word w + 1."""
    count = found.state_size // 8

    def each(data: Bytes, counter: Bits | None) -> Bytes:
        words = from_bytes(g, data, 64)
        columns = [found.permute_words(words[lane::states], steps) for lane in range(states)]
        return to_bytes([columns[lane][w] for w in range(count) for lane in range(states)], 64)

    return Lifted(buffer, buffer, states * found.state_size, each)


def keccak(g: Graph, found: Keccak, buffer: str, states: int) -> Lifted:
    """States of Keccak: lane i of all states side by side, then lane i + 1."""

    def each(data: Bytes, counter: Bits | None) -> Bytes:
        words = from_bytes(g, data, 64)
        columns = [found.permute_words(words[at::states]) for at in range(states)]
        return to_bytes([columns[at][i] for i in range(25) for at in range(states)], 64)

    return Lifted(buffer, buffer, 200 * states, each)


def lanes(g: Graph, found: Sparkle, buffer: str, states: int, masks: int | None) -> Lifted:
    """States in lanes, four side by side and the others behind them: the big number of steps where
    the lane's bit in `masks` is set, the slim one elsewhere or without masks.
    """
    words = 2 * found.branches

    def place(lane: int, word: int) -> int:
        return 16 * word + 4 * lane if lane < 4 else 4 * words * lane + 4 * word

    def each(data: Bytes, counter: Bits | None) -> Bytes:
        out = list(data)
        for lane in range(states):
            state = [
                Word(g, [x for byte in data[at : at + 4] for x in byte])
                for at in (place(lane, word) for word in range(words))
            ]
            steps = found.big if masks is not None and masks >> lane & 1 else found.slim
            for word, value in enumerate(found.permute_words(state, steps)):
                at = place(lane, word)
                out[at : at + 4] = to_bytes([value], 32)
        return out

    fixed = {}
    if masks is not None:
        fixed["big"] = [
            number_bits(255 * (masks >> lane & 1), 8) for lane in range(states) for _ in range(4)
        ]
    return Lifted(buffer, buffer, 4 * words * states, each, fixed)
