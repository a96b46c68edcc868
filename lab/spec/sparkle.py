# SPDX-License-Identifier: Apache-2.0
"""SPARKLE: Beierle, Biryukov, Cardoso dos Santos, Großschädl, Moradi, Perrin, Rezaei Shahmirzadi,
Udovenko, Velichkov, Wang, "Schwaemm and Esch: Lightweight Authenticated Encryption and Hashing
using the Sparkle Permutation Family", NIST LWC final round, version 1.2, section 2.1.

State words x0 y0 x1 y1 .., 32 bits each, little-endian in bytes; branch j is (xj, yj).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .word import Word, add, check_length, from_bytes, rol, ror, sub, to_bytes

CONSTANTS = (
    0xB7E15162,
    0xBF715880,
    0x38B4DA56,
    0x324E7738,
    0xBB1185EB,
    0x4F7C7B57,
    0xCFBFA1C8,
    0xC2B3293D,
)

ALZETTE_ROTATIONS = ((31, 24), (17, 17), (0, 31), (24, 16))


def alzette(x: Word, y: Word, constant: int) -> tuple[Word, Word]:
    """The 64-bit ARX box A_c."""
    for r, s in ALZETTE_ROTATIONS:
        x = add(x, ror(y, r, 32), 32)
        y = y ^ ror(x, s, 32)
        x = x ^ constant
    return x, y


def inverse_alzette(x: Word, y: Word, constant: int) -> tuple[Word, Word]:
    """A_c undone."""
    for r, s in reversed(ALZETTE_ROTATIONS):
        x = x ^ constant
        y = y ^ ror(x, s, 32)
        x = sub(x, ror(y, r, 32), 32)
    return x, y


def ell(v: Word) -> Word:
    """The linear map l: (high, low) halves to (low, high ^ low)."""
    return rol(v ^ ((v << 16) & 0xFFFFFFFF), 16, 32)


def fold(words: Sequence[Word]) -> Word:
    """l of the xor of all words."""
    total, *rest = words
    for value in rest:
        total = total ^ value
    return ell(total)


@dataclass(frozen=True)
class Sparkle:
    """One width of the permutation: `branches` pairs of words, `slim` and `big` numbers of steps."""

    name: str
    branches: int
    slim: int
    big: int

    @property
    def state_size(self) -> int:
        """State length in bytes."""
        return 8 * self.branches

    def step(self, state: Sequence[Word], number: int) -> list[Word]:
        """Step number `number`: round constant, Alzette on every branch, linear layer."""
        h = self.branches // 2
        x, y = list(state[0::2]), list(state[1::2])
        y[0] = y[0] ^ CONSTANTS[number % 8]
        y[1] = y[1] ^ number
        for j in range(self.branches):
            x[j], y[j] = alzette(x[j], y[j], CONSTANTS[j % 8])
        tx, ty = fold(x[:h]), fold(y[:h])
        u = [x[h + j] ^ x[j] ^ ty for j in range(h)]
        v = [y[h + j] ^ y[j] ^ tx for j in range(h)]
        x = u[1:] + u[:1] + x[:h]
        y = v[1:] + v[:1] + y[:h]
        return [value for branch in zip(x, y, strict=True) for value in branch]

    def inverse_step(self, state: Sequence[Word], number: int) -> list[Word]:
        """Step number `number` undone."""
        h = self.branches // 2
        x, y = list(state[0::2]), list(state[1::2])
        u, v = x[h - 1 : h] + x[: h - 1], y[h - 1 : h] + y[: h - 1]
        left_x, left_y = x[h:], y[h:]
        tx, ty = fold(left_x), fold(left_y)
        x = left_x + [u[j] ^ left_x[j] ^ ty for j in range(h)]
        y = left_y + [v[j] ^ left_y[j] ^ tx for j in range(h)]
        for j in range(self.branches):
            x[j], y[j] = inverse_alzette(x[j], y[j], CONSTANTS[j % 8])
        y[0] = y[0] ^ CONSTANTS[number % 8]
        y[1] = y[1] ^ number
        return [value for branch in zip(x, y, strict=True) for value in branch]

    def permute_words(self, state: Sequence[Word], steps: int) -> list[Word]:
        """Steps 0 .. steps-1 on 2 * branches words."""
        state = list(state)
        for number in range(steps):
            state = self.step(state, number)
        return state

    def inverse_words(self, state: Sequence[Word], steps: int) -> list[Word]:
        """The inverse of permute_words."""
        state = list(state)
        for number in reversed(range(steps)):
            state = self.inverse_step(state, number)
        return state

    def permute(self, state: bytes, steps: int) -> bytes:
        """The permutation of `steps` steps on a state of bytes."""
        check_length(f"{self.name} state", state, self.state_size)
        return to_bytes(self.permute_words(from_bytes(state, 32), steps), 32)

    def permute_slim(self, state: bytes) -> bytes:
        """The permutation with the small number of steps."""
        return self.permute(state, self.slim)

    def permute_big(self, state: bytes) -> bytes:
        """The permutation with the large number of steps."""
        return self.permute(state, self.big)

    def inverse(self, state: bytes, steps: int) -> bytes:
        """The inverse of permute."""
        check_length(f"{self.name} state", state, self.state_size)
        return to_bytes(self.inverse_words(from_bytes(state, 32), steps), 32)


VARIANTS = {
    permutation.name: permutation
    for permutation in (
        Sparkle("sparkle256", 4, 7, 10),
        Sparkle("sparkle384", 6, 7, 11),
        Sparkle("sparkle512", 8, 8, 12),
    )
}
