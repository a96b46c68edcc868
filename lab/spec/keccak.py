# SPDX-License-Identifier: Apache-2.0
"""Keccak-f[1600] on 25 lanes of 64 bits (FIPS 202, section 3). SHAKE itself comes from hashlib."""

from __future__ import annotations

from collections.abc import Sequence

from .word import Word

ROUNDS = 24
MASK = (1 << 64) - 1


def _constants() -> list[int]:
    """The constants of iota: bit 2^j - 1 of round i is the output j + 7i of the shift register
    (section 3.2.5).
    """
    bits, register = [], 1
    for _ in range(7 * ROUNDS):
        bits.append(register & 1)
        register = (register << 1) ^ (0x171 if register & 0x80 else 0)
    return [sum(bits[7 * i + j] << ((1 << j) - 1) for j in range(7)) for i in range(ROUNDS)]


CONSTANTS = _constants()


def _offsets() -> dict[tuple[int, int], int]:
    """How far rho turns each lane (section 3.2.2)."""
    offsets, x, y = {(0, 0): 0}, 1, 0
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


OFFSETS = _offsets()


def _rotl(value: Word, count: int) -> Word:
    return (value << count | value >> (64 - count)) & MASK


class Keccak:
    """The permutation as kernels know it."""

    name = "keccak"

    def permute(self, state: bytes) -> bytes:
        """One state of 200 bytes; lane (x, y) is word 5y + x, little-endian."""
        lanes = [int.from_bytes(state[8 * i : 8 * i + 8], "little") for i in range(25)]
        return b"".join(lane.to_bytes(8, "little") for lane in self.permute_words(lanes))

    def permute_words(self, lanes: Sequence[Word]) -> list[Word]:
        """One state of 25 words."""
        a = list(lanes)
        for constant in CONSTANTS:
            parity = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
            theta = [parity[(x + 4) % 5] ^ _rotl(parity[(x + 1) % 5], 1) for x in range(5)]
            b = [0] * 25
            for y in range(5):
                for x in range(5):
                    b[5 * ((2 * x + 3 * y) % 5) + y] = _rotl(a[5 * y + x] ^ theta[x], OFFSETS[x, y])
            a = [
                b[i] ^ (~b[i - i % 5 + (i + 1) % 5] & MASK & b[i - i % 5 + (i + 2) % 5])
                for i in range(25)
            ]
            a[0] ^= constant
        return a


VARIANTS = {"keccak": Keccak()}
