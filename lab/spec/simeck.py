# SPDX-License-Identifier: Apache-2.0
"""SIMECK: Yang, Zhu, Suder, Aagaard, Gong, "The Simeck Family of Lightweight Block Ciphers", CHES
2015 (ePrint 2015/612).

Block words (x, y); key words (k0, t0, t1, t2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .block import TwoBranchCipher
from .word import Word, mask, rol


def _sequence(degree: int, tap: int, length: int) -> list[int]:
    bits = [1] * degree
    while len(bits) < length:
        bits.append(bits[-degree] ^ bits[tap - degree])
    return bits


@dataclass(frozen=True)
class Simeck(TwoBranchCipher):
    """SIMECK with its LFSR: z[i + degree] = z[i] ^ z[i + tap], all ones at the start."""

    degree: int
    tap: int

    def f(self, x: Word) -> Word:
        """The nonlinear function."""
        return (x & rol(x, 5, self.width)) ^ rol(x, 1, self.width)

    def round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round."""
        return y ^ self.f(x) ^ key, x

    def inverse_round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round undone."""
        return y, x ^ self.f(y) ^ key

    def expand(self, key: Sequence[Word]) -> list[Word]:
        """T round keys: the round itself, run on (t0, k) with the constant as its key."""
        constant = mask(self.width) ^ 3
        k = list(key)
        for i, z in enumerate(_sequence(self.degree, self.tap, self.rounds - 4)):
            k.append(k[i] ^ self.f(k[i + 1]) ^ (constant ^ z))
        return k


# X^5 + X^2 + 1 for 32/64 and 48/96, X^6 + X + 1 for 64/128.
VARIANTS = {
    cipher.name: cipher
    for cipher in (
        Simeck("simeck-32/64", 16, 2, 4, 32, degree=5, tap=2),
        Simeck("simeck-48/96", 24, 2, 4, 36, degree=5, tap=2),
        Simeck("simeck-64/128", 32, 2, 4, 44, degree=6, tap=1),
    )
}
