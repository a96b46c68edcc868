# SPDX-License-Identifier: Apache-2.0
"""Words of a stated width, and their byte strings.

The specifications compute with these functions and the operators ^ & | alone and never look at a
value. So a word may be a Python int, a NumPy array of unsigned integers (many blocks at once), or a
symbolic term: any object whose operators + - ^ & | ~ << >> accept another such object or an int,
where shift amounts are ints and >> fills with zeros. Every result is cut to its width here, which
changes nothing for a term that is exactly that wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Word = Any

# By its degree: the low coefficients of the polynomial modulo which field elements are multiplied,
# the first irreducible one with the fewest terms. AES takes degree 8 (FIPS 197, section 4.2), CMAC
# 64 and 128 (SP 800-38B, section 5.3), AIMer 128, 192 and 256.
REDUCTION = {8: 0x1B, 64: 0x1B, 128: 0x87, 192: 0x87, 256: 0x425}


def mask(width: int) -> int:
    """The word of `width` bits that are all one."""
    return (1 << width) - 1


def add(a: Word, b: Word, width: int) -> Word:
    """a + b modulo 2^width."""
    return (a + b) & mask(width)


def sub(a: Word, b: Word, width: int) -> Word:
    """a - b modulo 2^width."""
    return (a - b) & mask(width)


def complement(a: Word, width: int) -> Word:
    """Every bit of a flipped."""
    return ~a & mask(width)


def rol(a: Word, amount: int, width: int) -> Word:
    """a rotated to the left by `amount` bits."""
    amount %= width
    if amount == 0:
        return a
    return ((a << amount) | (a >> (width - amount))) & mask(width)


def ror(a: Word, amount: int, width: int) -> Word:
    """a rotated to the right by `amount` bits."""
    return rol(a, -amount, width)


def from_bytes(data: bytes, width: int) -> list[int]:
    """The little-endian words of a byte string; 24- and 48-bit words take 3 and 6 bytes, without
    padding.
    """
    size = width // 8
    if len(data) % size:
        raise ValueError(f"{len(data)} bytes are not whole words of {size} bytes")
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def to_bytes(words: Sequence[int], width: int) -> bytes:
    """The inverse of `from_bytes`."""
    return b"".join(int(word).to_bytes(width // 8, "little") for word in words)


def check_length(what: str, data: bytes, size: int) -> None:
    """Refuse a byte string of another length than `size`."""
    if len(data) != size:
        raise ValueError(f"{what}: {len(data)} bytes given, {size} expected")
