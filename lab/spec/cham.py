# SPDX-License-Identifier: Apache-2.0
"""CHAM: Koo, Roh, Kim, Jung, Lee, Kwon, "CHAM: A Family of Lightweight Block Ciphers for
Resource-Constrained Devices", ICISC 2017; with more rounds: Roh, Koo, Jung, Jeong, Lee, Kwon, Kim,
"Revised Version of Block Cipher CHAM", ICISC 2019.

Block words X[0] .. X[3]; key words K[0] .. K[m-1]. The revised cipher has the plain name; that of
2017 ends in "-original".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .block import BlockCipher
from .word import Word, add, rol, ror, sub


def _rotations(i: int) -> tuple[int, int]:
    """Rotation of the second word and of the sum in round i."""
    return (1, 8) if i % 2 == 0 else (8, 1)


@dataclass(frozen=True)
class Cham(BlockCipher):
    """CHAM with 2m round keys that the rounds take in turn."""

    def expand(self, key: Sequence[Word]) -> list[Word]:
        """2m round keys."""
        w, m = self.width, self.key_words
        round_keys: list[Word] = [None] * (2 * m)
        for j, k in enumerate(key):
            base = k ^ rol(k, 1, w)
            round_keys[j] = base ^ rol(k, 8, w)
            round_keys[(j + m) ^ 1] = base ^ rol(k, 11, w)
        return round_keys

    def round(self, state: Sequence[Word], i: int, key: Word) -> tuple[Word, ...]:
        """Round number i."""
        a, b = _rotations(i)
        x0, x1, x2, x3 = state
        return x1, x2, x3, rol(add(x0 ^ i, rol(x1, a, self.width) ^ key, self.width), b, self.width)

    def inverse_round(self, state: Sequence[Word], i: int, key: Word) -> tuple[Word, ...]:
        """Round number i undone."""
        a, b = _rotations(i)
        x1, x2, x3, new = state
        return (
            sub(ror(new, b, self.width), rol(x1, a, self.width) ^ key, self.width) ^ i,
            x1,
            x2,
            x3,
        )

    def encrypt_words(self, block: Sequence[Word], round_keys: Sequence[Word]) -> tuple[Word, ...]:
        state = tuple(block)
        for i in range(self.rounds):
            state = self.round(state, i, round_keys[i % len(round_keys)])
        return state

    def decrypt_words(self, block: Sequence[Word], round_keys: Sequence[Word]) -> tuple[Word, ...]:
        state = tuple(block)
        for i in reversed(range(self.rounds)):
            state = self.inverse_round(state, i, round_keys[i % len(round_keys)])
        return state

    def reorder(self, data: bytes) -> bytes:
        """Words keep their places here and have their bytes reversed, unlike in the two-branch
        ciphers.
        """
        size = self.width // 8
        return b"".join(data[at : at + size][::-1] for at in range(0, len(data), size))


# (word bits, key words, rounds of 2019, rounds of 2017)
VARIANTS = {
    cipher.name: cipher
    for w, m, revised, original in ((16, 8, 88, 80), (32, 4, 112, 80), (32, 8, 120, 96))
    for cipher in (
        Cham(f"cham-{4 * w}/{m * w}", w, 4, m, revised),
        Cham(f"cham-{4 * w}/{m * w}-original", w, 4, m, original),
    )
}
