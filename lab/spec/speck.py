# SPDX-License-Identifier: Apache-2.0
"""SPECK: Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers, "The SIMON and SPECK Families of
Lightweight Block Ciphers", ePrint 2013/404, section 4.

Block words (x, y); key words (k[0], l[0], .., l[m-2]).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .block import TwoBranchCipher
from .word import Word, add, rol, ror, sub


@dataclass(frozen=True)
class Speck(TwoBranchCipher):
    """SPECK with the rotation amounts alpha and beta."""

    alpha: int
    beta: int

    def round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round."""
        x = add(ror(x, self.alpha, self.width), y, self.width) ^ key
        y = rol(y, self.beta, self.width) ^ x
        return x, y

    def inverse_round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round undone."""
        y = ror(y ^ x, self.beta, self.width)
        x = rol(sub(x ^ key, y, self.width), self.alpha, self.width)
        return x, y

    def expand(self, key: Sequence[Word]) -> list[Word]:
        """T round keys: the round itself, run on (l[i], k[i]) with the number i as its key (section
        4.2).
        """
        k, *ls = key
        round_keys = [k]
        for i in range(self.rounds - 1):
            new, k = self.round(ls[i], k, i)
            ls.append(new)
            round_keys.append(k)
        return round_keys


# (word bits, key words, rounds): table 4.1 of the paper. The rotations are 8 and 3, but 7 and 2 for
# 16-bit words.
VARIANTS = {
    cipher.name: cipher
    for cipher in (
        Speck(
            f"speck-{2 * w}/{m * w}",
            w,
            2,
            m,
            rounds,
            alpha=7 if w == 16 else 8,
            beta=2 if w == 16 else 3,
        )
        for w, m, rounds in (
            (16, 4, 22),
            (24, 3, 22),
            (24, 4, 23),
            (32, 3, 26),
            (32, 4, 27),
            (48, 2, 28),
            (48, 3, 29),
            (64, 2, 32),
            (64, 3, 33),
            (64, 4, 34),
        )
    )
}
