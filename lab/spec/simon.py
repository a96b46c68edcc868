# SPDX-License-Identifier: Apache-2.0
"""SIMON: Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers, "The SIMON and SPECK Families of
Lightweight Block Ciphers", ePrint 2013/404, section 3.

Block words (x, y); key words k[0] .. k[m-1].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .block import TwoBranchCipher
from .word import Word, mask, rol, ror


def _recurrence(start: str, taps: tuple[int, ...]) -> list[int]:
    bits = [int(bit) for bit in start]
    while len(bits) < 62:
        bits.append(sum(bits[len(bits) - 5 + tap] for tap in taps) % 2)
    return bits


def _sequences() -> list[list[int]]:
    """z0 .. z4, 62 bits each, from three recurrences of period 31 and the alternating sequence
    (section 3.2).
    """
    u = _recurrence("11111", (0, 1, 2, 4))
    v = _recurrence("10001", (0, 1, 2, 3))
    w = _recurrence("10000", (0, 2))
    return [u, v, *([bit ^ (i % 2) for i, bit in enumerate(base)] for base in (u, v, w))]


Z = _sequences()


@dataclass(frozen=True)
class Simon(TwoBranchCipher):
    """SIMON with the key schedule's constant sequence Z[z]."""

    z: int

    def f(self, x: Word) -> Word:
        """The nonlinear function."""
        w = self.width
        return (rol(x, 1, w) & rol(x, 8, w)) ^ rol(x, 2, w)

    def round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round."""
        return y ^ self.f(x) ^ key, x

    def inverse_round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round undone."""
        return y, x ^ self.f(y) ^ key

    def expand(self, key: Sequence[Word]) -> list[Word]:
        """T round keys (section 3.2)."""
        w, m = self.width, self.key_words
        constant = mask(w) ^ 3
        k = list(key)
        for i in range(m, self.rounds):
            t = ror(k[i - 1], 3, w)
            if m == 4:
                t = t ^ k[i - 3]
            t = t ^ ror(t, 1, w)
            k.append(k[i - m] ^ t ^ (constant ^ Z[self.z][(i - m) % 62]))
        return k


# (word bits, key words, rounds, sequence): table 3.1 of the paper.
VARIANTS = {
    cipher.name: cipher
    for cipher in (
        Simon(f"simon-{2 * w}/{m * w}", w, 2, m, rounds, z=z)
        for w, m, rounds, z in (
            (16, 4, 32, 0),
            (24, 3, 36, 0),
            (24, 4, 36, 1),
            (32, 3, 42, 2),
            (32, 4, 44, 3),
            (48, 2, 52, 2),
            (48, 3, 54, 3),
            (64, 2, 68, 2),
            (64, 3, 69, 3),
            (64, 4, 72, 4),
        )
    )
}
