# SPDX-License-Identifier: Apache-2.0
"""Layouts of round keys that kernels take, as executable specifications: (cipher, round keys as
words) -> bytes in memory.

A kernel's header names its layout, by default canonical. Words are little-endian.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .spec.block import BlockCipher
from .spec.word import to_bytes

Layout = Callable[[BlockCipher, Sequence[int]], bytes]


def canonical(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
    """The round keys as words, first round first: what every context of the library holds."""
    return to_bytes(list(round_keys), cipher.width)


def pairs(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
    """Each 16-bit round key in both halves of a 32-bit word: two blocks side by side."""
    return to_bytes([key | key << 16 for key in round_keys], 32)


def slices(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
    """Each bit of each round key as a 32-bit mask, all zeros or all ones, lowest bit first: 32
    bit-sliced blocks.
    """
    return to_bytes(
        [-(key >> bit & 1) & 0xFFFFFFFF for key in round_keys for bit in range(cipher.width)], 32
    )


def pairs_slices(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
    """Pairs, then slices: the second layout of the RV32 kernels of the library (src/lanes/rv32.h)."""
    return pairs(cipher, round_keys) + slices(cipher, round_keys)


def pairs_numbered(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
    """Pairs for CHAM-64/128, whose keys carry the lowest bit of the numbers of rounds
    (src/cham/cham64_rv32i.c).
    """
    return pairs(cipher, [key ^ (0x8000 if r % 2 else 2) for r, key in enumerate(round_keys)])


def pairs_slices_numbered(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
    """Those, then slices for CHAM-64/128, whose masks carry the three lowest bits of the numbers of
    rounds.
    """
    masked = []
    for r, key in enumerate(round_keys):
        before, after = (1, 8) if r % 2 == 0 else (8, 1)
        of_next, of_sum = (r + 1) % 8 << before, (r + 4) % 8
        masked.append(key ^ of_next ^ of_sum >> after ^ (of_sum << 16 - after & 0xFFFF))
    return pairs_numbered(cipher, round_keys) + slices(cipher, masked)


LAYOUTS: dict[str, Layout] = {
    "canonical": canonical,
    "pairs": pairs,
    "slices": slices,
    "pairs_numbered": pairs_numbered,
    "pairs_slices": pairs_slices,
    "pairs_slices_numbered": pairs_slices_numbered,
}
