# SPDX-License-Identifier: Apache-2.0
"""Layouts of round keys that kernels take, as executable specifications: (cipher, round keys as
words) -> words of one width, and those as bytes in memory.

A kernel's header names its layout, by default canonical. Words are little-endian. The round keys
may be symbolic words, as those of lab/spec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .spec.block import BlockCipher
from .spec.word import Word, to_bytes

Layout = Callable[[BlockCipher, Sequence[int]], bytes]
WordLayout = Callable[[BlockCipher, Sequence[Word]], tuple[list[Word], int]]

CONTAINERS = (8, 16, 32, 64)  # bits of the integers of C that hold a word


def container(width: int) -> int:
    """The bits of the integer that holds a word in memory: 24 bits lie in 32, 48 bits in 64."""
    return next(bits for bits in CONTAINERS if bits >= width)


def canonical(cipher: BlockCipher, round_keys: Sequence[Word]) -> tuple[list[Word], int]:
    """The round keys as words, first round first: what every context of the library holds."""
    return list(round_keys), container(cipher.width)


def pairs(cipher: BlockCipher, round_keys: Sequence[Word]) -> tuple[list[Word], int]:
    """Each 16-bit round key in both halves of a 32-bit word: two blocks side by side."""
    return [key | key << 16 for key in round_keys], 32


def slices(cipher: BlockCipher, round_keys: Sequence[Word]) -> tuple[list[Word], int]:
    """Each bit of each round key as a 32-bit mask, all zeros or all ones, lowest bit first: 32
    bit-sliced blocks.
    """
    return [-(key >> bit & 1) & 0xFFFFFFFF for key in round_keys for bit in range(cipher.width)], 32


def pairs_slices(cipher: BlockCipher, round_keys: Sequence[Word]) -> tuple[list[Word], int]:
    """Pairs, then slices: the second layout of the RV32 kernels of the library (src/lanes/rv32.h)."""
    return pairs(cipher, round_keys)[0] + slices(cipher, round_keys)[0], 32


def pairs_numbered(cipher: BlockCipher, round_keys: Sequence[Word]) -> tuple[list[Word], int]:
    """Pairs for CHAM-64/128, whose keys carry the lowest bit of the numbers of rounds
    (src/cham/cham64_rv32i.c).
    """
    return pairs(cipher, [key ^ (0x8000 if r % 2 else 2) for r, key in enumerate(round_keys)])


def pairs_slices_numbered(
    cipher: BlockCipher, round_keys: Sequence[Word]
) -> tuple[list[Word], int]:
    """Those, then slices for CHAM-64/128, whose masks carry the three lowest bits of the numbers of
    rounds.
    """
    masked = []
    for r, key in enumerate(round_keys):
        before, after = (1, 8) if r % 2 == 0 else (8, 1)
        of_next, of_sum = (r + 1) % 8 << before, (r + 4) % 8
        masked.append(key ^ of_next ^ of_sum >> after ^ (of_sum << 16 - after & 0xFFFF))
    return pairs_numbered(cipher, round_keys)[0] + slices(cipher, masked)[0], 32


WORDS: dict[str, WordLayout] = {
    "canonical": canonical,
    "pairs": pairs,
    "slices": slices,
    "pairs_numbered": pairs_numbered,
    "pairs_slices": pairs_slices,
    "pairs_slices_numbered": pairs_slices_numbered,
}


def _in_bytes(layout: WordLayout) -> Layout:
    def laid_out(cipher: BlockCipher, round_keys: Sequence[int]) -> bytes:
        return to_bytes(*layout(cipher, round_keys))

    return laid_out


LAYOUTS: dict[str, Layout] = {name: _in_bytes(layout) for name, layout in WORDS.items()}
