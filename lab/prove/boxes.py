# SPDX-License-Identifier: Apache-2.0
"""The S-box of AES as a gate of its own, and the other layers of a round; and the inverse in the
field of AES as such a gate.

The eight bits of an S-box are nodes of which the joins know nothing but their values in the random
runs: for the prover the S-box is any function of a byte. Two S-boxes have the same bits when their
inputs have the same literals, and never else. So what is proved holds for every function, and for
that of lab/spec; a difference counts only where random runs show it, with the S-box as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..spec.aes import BOX
from ..spec.aimer import Field
from ..spec.word import REDUCTION
from .graph import CONES, RUN_BYTES, RUNS, Bits, Graph
from .pcode import OpenError
from .words import constant, number_bits, xor

Bytes = list[Bits]
DIGITS = bytes(range(48)) + b"\0\1"  # '0' and '1' as numbers
DIGITS += bytes(256 - len(DIGITS))
INVERSES = bytes(Field(8).power(x, 254) for x in range(256))
PLACES = [bytes(48 + (x >> i & 1) for x in range(256)) for i in range(8)]


class Gated(Graph):
    """A graph where what inverts an element of the field of AES is a gate."""

    full = False  # there is nothing to forget, as there is among polynomials

    def __init__(self, seed: int = 1, seconds: float = 600.0) -> None:
        super().__init__(seed, seconds)
        self.inverses: dict[Bits, Bits] = {}

    def inverse(self, byte: Bits) -> Bits:
        """1 / byte, and 0 for 0."""
        number = constant(byte)
        if number is not None:
            return number_bits(INVERSES[number], 8)
        if byte not in self.inverses:
            made = boxed_values([self.value(x) for x in byte], RUNS, INVERSES)
            literals = [self.gate(values.to_bytes(RUN_BYTES, "little")) for values in made]
            self.inverses[byte] = tuple(literals)
        return self.inverses[byte]


class Tabled(Gated):
    """A graph that compares whole truth tables of functions of few inputs, and asks no solver."""

    DEEP = 4000  # nodes of such a function, of which an inverse has most

    def __init__(self, seed: int = 1, seconds: float = 600.0) -> None:
        super().__init__(seed, seconds)
        self.deep = self.DEEP
        self.asked = ()


class Boxed(Gated):
    """A graph with S-boxes: see the module."""

    def __init__(self, seed: int = 1, seconds: float = 600.0) -> None:
        super().__init__(seed, seconds)
        self.boxes: dict[Bits, Bits] = {}
        self.proved: set[tuple[int, int]] = set()  # pairs of literals
        self.sources: dict[int, tuple[Bits, int]] = {}  # node -> the input of its box, and its bit

    def box(self, byte: Bits) -> Bits:
        """The S-box of a byte."""
        number = constant(byte)
        if number is not None:
            return number_bits(BOX[number], 8)
        if byte not in self.boxes:
            made = []
            for i, values in enumerate(boxed_values([self.value(x) for x in byte], RUNS)):
                literal = self.gate(values.to_bytes(RUN_BYTES, "little"))
                self.sources[literal >> 1] = (byte, i)
                made.append(literal)
            self.boxes[byte] = tuple(made)
        return self.boxes[byte]

    def same(self, x: int, y: int, cones: Sequence[int] = CONES, whole: bool = False) -> bool:
        if (x, y) not in self.proved and not super().same(x, y, cones, whole):
            return False
        self.proved.add((x, y))
        return True

    def difference(self, x: int, y: int) -> dict[int, int] | None:
        """Inputs for which two bits differ, None where they are proved to be equal; else nobody
        knows: what a solver finds holds for another function than the S-box.
        """
        if self.value(x) != self.value(y):
            return super().difference(x, y)
        if not self.same(x, y):
            raise OpenError("two bits are neither proved equal nor refuted")
        return None

    def substituted(
        self, literals: Sequence[int], places: Mapping[int, int], into: Graph | None = None
    ) -> Bits:
        raise NotImplementedError("an S-box is no function that can be put elsewhere")

    def evaluate(self, inputs: Mapping[int, int], literals: Sequence[int], runs: int) -> list[int]:
        ones = (1 << runs) - 1
        waiting, needed = [x >> 1 for x in literals], set()
        while waiting:
            n = waiting.pop()
            if n in needed:
                continue
            needed.add(n)
            if n in self.sources:
                waiting += [x >> 1 for x in self.sources[n][0]]
            elif self.node(n)[0] in "&^":
                waiting += [x >> 1 for x in self.node(n)[1:]]
        held = {0: 0}

        def value(literal: int) -> int:
            return held[literal >> 1] ^ (ones if literal & 1 else 0)

        boxes: dict[Bits, list[int]] = {}
        for n in sorted(needed):
            if n in self.sources:
                byte, i = self.sources[n]
                if byte not in boxes:
                    boxes[byte] = boxed_values([value(x) for x in byte], runs)
                held[n] = boxes[byte][i]
                continue
            kind, a, b = self.node(n)
            if kind in "&^":
                held[n] = value(a) & value(b) if kind == "&" else value(a) ^ value(b)
            elif n:
                held[n] = inputs.get(n, 0)
        return [value(x) for x in literals]


def boxed_values(values: Sequence[int], runs: int, table: bytes = BOX) -> list[int]:
    """The values of the eight bits of an S-box in all runs, from those of its input."""
    total = 0
    for i, one in enumerate(values):
        digits = format(one, f"0{runs}b").encode().translate(DIGITS)
        total |= int.from_bytes(digits, "big") << i
    made = total.to_bytes(runs, "big").translate(table)
    return [int(made.translate(places), 2) for places in PLACES]


def substituted(g: Graph, data: Sequence[Bits]) -> Bytes:
    """SubBytes."""
    if not isinstance(g, Boxed):
        raise OpenError("an S-box has no rule here")
    return [g.box(byte) for byte in data]


def shifted(data: Sequence[Bits]) -> Bytes:
    """ShiftRows of a block, whose byte r + 4 c stands in row r and column c."""
    return [data[(i + 4 * (i % 4)) % 16] for i in range(16)]


def doubled(g: Graph, byte: Bits) -> Bits:
    """A byte times x in the field of AES."""
    top = byte[7]
    return tuple(
        g.xor(x, top) if REDUCTION[8] >> i & 1 else x for i, x in enumerate((0, *byte[:7]))
    )


def mixed(g: Graph, data: Sequence[Bits]) -> Bytes:
    """MixColumns: 2 a + 3 b + c + d in every place, where a is what stood there and b what stood
    below.
    """
    out: Bytes = []
    for at in range(0, 16, 4):
        column = data[at : at + 4]
        total = xor(g, xor(g, column[0], column[1]), xor(g, column[2], column[3]))
        for i, byte in enumerate(column):
            pair = doubled(g, xor(g, byte, column[(i + 1) % 4]))
            out.append(xor(g, xor(g, byte, total), pair))
    return out


def round_of(g: Graph, block: Sequence[Bits], key: Sequence[Bits], last: bool) -> Bytes:
    """A round behind the first key."""
    made = shifted(substituted(g, block))
    made = made if last else mixed(g, made)
    return [xor(g, x, k) for x, k in zip(made, key, strict=True)]
