# SPDX-License-Identifier: Apache-2.0
"""GF(16) and GF(256) as Rainbow builds them, with the linear algebra that its kernels do (round-3
specification, section 2): towers x^2 = x + 1, y^2 = y + x, z^2 = z + 8, elements as small numbers
with x = 2, y = 4, z = 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


def tower_multiply(a: int, b: int, bits: int) -> int:
    """The product of two elements of `bits` bits: schoolbook in the highest extension."""
    if bits == 1:
        return a & b
    half = bits // 2
    low = (1 << half) - 1
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    a0b0, a1b1 = tower_multiply(a0, b0, half), tower_multiply(a1, b1, half)
    cross = tower_multiply(a0, b1, half) ^ tower_multiply(a1, b0, half)
    # the square of the extension's generator is itself plus 1, 2 or 8
    constant = {1: 1, 2: 2, 4: 8}[half]
    return (cross ^ a1b1) << half | a0b0 ^ tower_multiply(a1b1, constant, half)


@dataclass(frozen=True)
class Field:
    """A field of 2^bits elements; vectors of it are packed into bytes, the low nibble first."""

    name: str
    bits: int

    @cached_property
    def table(self) -> list[bytes]:
        """Row c: the products c * x of all elements x."""
        size = 1 << self.bits
        return [bytes(tower_multiply(c, x, self.bits) for x in range(size)) for c in range(size)]

    def multiply(self, a: int, b: int) -> int:
        """a * b."""
        return self.table[a][b]

    def invert(self, a: int) -> int:
        """1 / a, and 0 for 0."""
        return self.table[a].index(1) if a else 0

    def unpack(self, vector: bytes) -> bytes:
        """One element per byte."""
        return (
            vector
            if self.bits == 8
            else bytes(nibble for byte in vector for nibble in (byte & 15, byte >> 4))
        )

    def pack(self, elements: bytes) -> bytes:
        """The other way."""
        if self.bits == 8:
            return elements
        return bytes(
            low | high << 4 for low, high in zip(elements[::2], elements[1::2], strict=True)
        )

    def prepare(self, elements: bytes, count: int) -> list[bytes]:
        """What a multiplier stands for: all products by each of the first `count` packed constants."""
        return [self.table[c] for c in self.unpack(elements)[:count]]

    def accumulate(self, out: bytes, columns: Sequence[bytes], constants: bytes) -> bytes:
        """out + sum of constants[j] * columns[j], packed vectors and one constant per byte."""
        total = bytearray(self.unpack(out))
        for column, constant in zip(columns, constants, strict=True):
            row = self.table[constant]
            for i, element in enumerate(self.unpack(column)):
                total[i] ^= row[element]
        return self.pack(bytes(total))

    def solve(self, columns: Sequence[bytes], right: bytes) -> bytes | None:
        """The x with sum of x[j] * columns[j] = right, one element per byte; None when there is not
        exactly one. Row by row, pivots are searched.
        """
        size = len(columns)
        rows = [[*(column[i] for column in columns), right[i]] for i in range(size)]
        for k in range(size):
            pivot = next((i for i in range(k, size) if rows[i][k]), None)
            if pivot is None:
                return None
            rows[k], rows[pivot] = rows[pivot], rows[k]
            inverse = self.invert(rows[k][k])
            rows[k] = [self.multiply(inverse, entry) for entry in rows[k]]
            for i in range(size):
                if i != k and rows[i][k]:
                    factor = rows[i][k]
                    rows[i] = [
                        entry ^ self.multiply(factor, other)
                        for entry, other in zip(rows[i], rows[k], strict=True)
                    ]
        return bytes(row[size] for row in rows)

    def evaluate(self, coefficients: Sequence[bytes], x: bytes) -> bytes:
        """The sum over i <= j of x[i] x[j] * coefficients, whose packed vectors come in the order
        (0, 0), (0, 1), ..; `x`: one element per byte.
        """
        pairs = [self.multiply(x[i], x[j]) for i in range(len(x)) for j in range(i, len(x))]
        return self.accumulate(bytes(len(coefficients[0])), coefficients, bytes(pairs))

    def form(
        self, out: bytes, coefficients: Sequence[bytes], x: bytes, y: bytes, step: int
    ) -> bytes:
        """out + the sum over i and step * i <= j of x[i] y[j] * coefficients, which come with i
        outside; `x`, `y`: one element per byte.
        """
        pairs = [self.multiply(x[i], y[j]) for i in range(len(x)) for j in range(step * i, len(y))]
        return self.accumulate(out, coefficients, bytes(pairs))


FIELDS = {field.name: field for field in (Field("gf16", 4), Field("gf256", 8))}
