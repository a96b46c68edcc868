# SPDX-License-Identifier: Apache-2.0
"""AES-256 and its key streams: one call for each number of bytes, for all keys and counters, on a
graph with S-boxes (boxes.py).

What is wanted is written down here on bits; a test compares it with lab/spec on random keys and
counters. Its layers are S-boxes and sums over GF(2), so that an error in one shows in nearly all
inputs.

The counters. Let x be the first one, with halves l and h of 64 bits, and C(k) the carry out of
l + k, for numbers k of blocks. Block k has the counter h + C(k), l + k. Kernels add numbers c to
halves, one behind the other, and the carries between; `Counting` knows that

- (l + k) + c is l + (k + c), modulo 2^64;
- [l + (k + c) < c], unsigned, is the carry out of (l + k modulo 2^64) + c. As k + c < 2^64 and no
  carry is more than 1, it is C(k + c) - C(k), which is their sum over GF(2), too;
- (h + C(k)) + that carry is h + C(k + c).

So counters that are right have the same bits as those that are wanted, without a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..kernels import Kernel
from .boxes import Boxed, Bytes, round_of, substituted
from .fields import SIZES, FieldCall, FieldTask, Setup, cells_of
from .graph import Bits
from .induct import Evidence
from .lift import big_endian
from .pcode import Image, Machine, OpenError, Region
from .values import RefusedError, Value
from .words import add, constant, number_bits, xor
from .x86 import X86, X86Machine

KEY, BLOCK, ROUNDS = 32, 16, 14
KEYS = BLOCK * (ROUNDS + 1)
# Numbers of bytes, in tasks that share a graph. A part of the loop is 256 bytes, a vector 64.
GROUPS: dict[str, Sequence[int]] = {
    "none": (0,),
    "up to 64 bytes": range(1, 65),
    "65 to 128 bytes": range(65, 129),
    "129 to 256 bytes": range(129, 257),
    "257 to 512 bytes": (*range(257, 289), 300, 384, 511, 512),
    "more": (513, 700, 1024, 1025),
}


HALF = 64  # bits of half a counter


class Counting(X86Machine):
    """A run that knows halves of counters, and sums of these and numbers: see the module."""

    first: Bits = ()

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.low: dict[Bits, int] = {}  # l + k -> k
        self.high: dict[Bits, int] = {}  # h + C(k) -> k
        self.carries: dict[tuple[int, int], int] = {}  # C(k + c) - C(k), and k -> k + c

    def numbered(self, k: int) -> Bits:
        """The counter of a block."""
        assert isinstance(self.g, Boxed)
        bits = numbered(self.g, self.first, k)
        self.low[bits[:HALF]] = self.high[bits[HALF:]] = k
        return bits

    def _carry(self, k: int) -> int:
        return self.g.xor(self.numbered(k)[HALF], self.first[HALF])

    def below(self, a: Bits, b: Bits) -> int:
        k, c = self.low.get(a), constant(b)
        if k is None or c is None or c > k:
            return super().below(a, b)
        bit = self.g.xor(self._carry(k - c), self._carry(k))
        self.carries[bit, k - c] = k
        return bit

    def _data(self, name: str, values: list[Value], widths: list[int], out: int) -> Value:
        if name == "INT_ADD" and out == HALF:
            for a, b in (values, reversed(values)):
                made = self._sum(a, b)
                if made is not None:
                    return made
        return super()._data(name, values, widths, out)

    def _sum(self, a: Value, b: Value) -> Value | None:
        """Half of a counter and a number, or a carry; None of other terms."""
        if not isinstance(a, tuple) or not isinstance(b, int | tuple):
            return None
        term = number_bits(b, HALF) if isinstance(b, int) else b
        c = constant(term)
        if a in self.low and c is not None and self.low[a] + c < 1 << HALF:
            return self.numbered(self.low[a] + c)[:HALF]
        if a not in self.high:
            return None
        if c == 0:
            return a
        behind = self.carries.get((term[0], self.high[a]))
        if behind is None or any(term[1:]):
            return None
        return self.numbered(behind)[HALF:]


@dataclass(frozen=True)
class AesTask(FieldTask):
    """One proof: calls on a graph with S-boxes, one after the other."""

    builds: tuple[Callable[[Boxed], Setup], ...] = ()


class AesCall(FieldCall):
    """Runs the calls of a task."""

    def __init__(self, g: Boxed, image: Image, task: AesTask) -> None:
        if image.isa is not X86:
            raise OpenError("AES is proved on x86-64 alone")
        graph: Any = g
        self.g = graph
        self.image, self.task = image, task  # type: ignore[assignment]
        self.isa = image.isa
        self.evidence = Evidence()
        g.known = {}
        self.saved = {name: self._saved_word(name) for name in self.isa.saved}

    def _started(self, regions: Mapping[str, Region]) -> Machine:
        known = self.g.known or {}
        m = Counting(self.g, self.image, regions)
        if "counter" in known:
            m.first = known["counter"]
            m.numbered(0)
        return m

    def prove(self) -> str:
        task: Any = self.task
        for build in task.builds:
            self._once(build(self.g))
        return SIZES


def expanded(g: Boxed, key: Bytes) -> Bytes:
    """The round keys: FIPS 197, section 5.2."""
    words = [key[at : at + 4] for at in range(0, KEY, 4)]
    constant = 1
    for i in range(8, 4 * (ROUNDS + 1)):
        word = words[-1]
        if i % 8 == 0:
            word = substituted(g, word[1:] + word[:1])
            word = [xor(g, word[0], number_bits(constant, 8)), *word[1:]]
            constant *= 2
        elif i % 8 == 4:
            word = substituted(g, word)
        words.append([xor(g, x, y) for x, y in zip(words[i - 8], word, strict=True)])
    return [byte for word in words for byte in word]


def encrypted(g: Boxed, block: Bytes, keys: Bytes) -> Bytes:
    """A block under round keys: section 5.1."""
    state = [xor(g, x, k) for x, k in zip(block, keys[:BLOCK], strict=True)]
    for number in range(1, ROUNDS + 1):
        key = keys[BLOCK * number : BLOCK * (number + 1)]
        state = round_of(g, state, key, number == ROUNDS)
    return state


def numbered(g: Boxed, first: Bits, i: int) -> Bits:
    """The counter of a block."""
    return add(g, first, number_bits(i, 8 * BLOCK)) if i else first


def streamed(g: Boxed, first: Bits, keys: Bytes, size: int) -> Bytes:
    """So many bytes of key stream."""
    out: Bytes = []
    for i in range(-(-size // BLOCK)):
        out += encrypted(g, big_endian(numbered(g, first, i)), keys)
    return out[:size]


def _unknown(g: Boxed, name: str, size: int) -> Bytes:
    return [g.word(f"{name} {i}", 8) for i in range(size)]


def expand(g: Boxed) -> Setup:
    """A call that expands any key."""
    key = _unknown(g, "key", KEY)
    return Setup(
        {"keys": cells_of([(0,) * 8] * KEYS), "key": cells_of(key)},
        {"keys": "w", "key": "r"},
        [("keys", "keys"), ("key", "key")],
        {"keys": dict(enumerate(expanded(g, key)))},
    )


def stream(size: int) -> Callable[[Boxed], Setup]:
    """A call for so many bytes with any counter and any round keys."""

    def build(g: Boxed) -> Setup:
        assert g.known is not None
        if "counter" not in g.known:
            g.known["counter"] = g.counter("counter", 8 * BLOCK)
        first, keys = g.known["counter"], _unknown(g, "round key", KEYS)
        following = big_endian(numbered(g, first, -(-size // BLOCK)))
        return Setup(
            {
                "out": cells_of([(0,) * 8] * size),
                "counter": cells_of(big_endian(first)),
                "keys": cells_of(keys),
            },
            {"out": "w", "counter": "rw", "keys": "r"},
            [("out", "out"), ("bytes", size), ("counter", "counter"), ("keys", "keys")],
            {
                "out": dict(enumerate(streamed(g, first, keys, size))),
                "counter": dict(enumerate(following)),
            },
        )

    return build


# Arguments and their bytes, by operation.
HEADERS = {
    "expand": {"keys": str(KEYS), "key": str(KEY)},
    "stream": {"out": "bytes", "bytes": "", "counter": str(BLOCK), "keys": str(KEYS)},
}


def aes_tasks(kernel: Kernel) -> Iterator[AesTask]:
    """Every proof that a kernel of AES-256 needs, and none of other kernels."""
    if kernel.spec.partition(".")[0] != "aes256":
        return
    wanted = HEADERS.get(kernel.operation)
    if wanted is None:
        raise RefusedError(f"AES-256 has no operation {kernel.operation}")
    given = {name: str(what.get("bytes", "")) for name, what in (kernel.args or {}).items()}
    if list(given.items()) != list(wanted.items()):
        raise RefusedError(f"the header has {given}, {wanted} expected")

    def nothing(g: object) -> Setup:
        raise AssertionError("a task of AES has a build for each call")

    if kernel.operation == "expand":
        yield AesTask(kernel, "one key", nothing, builds=(expand,))
        return
    for name, sizes in GROUPS.items():
        yield AesTask(kernel, name, nothing, builds=tuple(stream(size) for size in sizes))
