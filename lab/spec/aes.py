# SPDX-License-Identifier: Apache-2.0
"""AES (FIPS 197) with keys of 16, 24 and 32 bytes, and key streams as Rainbow's generator uses them.

Many blocks are enciphered side by side. Byte r + 4 c of a block is in row r and column c of the
state (section 3.4), so a row of every block at once is the slice [r::4].
"""

from __future__ import annotations

from dataclasses import dataclass

from .word import REDUCTION, check_length


def _xor(a: bytes, b: bytes) -> bytes:
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def _double(a: int) -> int:
    """a * x in GF(2)[x]/(x^8 + x^4 + x^3 + x + 1): section 4.2.1."""
    return (a << 1) ^ (1 << 8 | REDUCTION[8] if a & 0x80 else 0)


def _substitution() -> bytes:
    """Inverse and affine map of every byte: section 5.1.1. 3 generates the field, and 0xf6 is its
    inverse.
    """
    table = bytearray(256)
    a = b = 1
    for _ in range(255):
        table[a] = b ^ 0x63
        for turn in range(1, 5):
            table[a] ^= (b << turn | b >> (8 - turn)) & 0xFF
        a ^= _double(a)  # times 3
        b ^= b << 1  # divided by 3
        b ^= b << 2
        b ^= b << 4
        b &= 0xFF
        b ^= 0x09 if b & 0x80 else 0
    table[0] = 0x63
    return bytes(table)


BOX = _substitution()
INVERSE_BOX = bytes(BOX.index(a) for a in range(256))
DOUBLED = bytes(_double(a) for a in range(256))


def _shift_rows(state: bytes, direction: int) -> bytearray:
    """Row r of each block moved left by r columns (section 5.1.2), or right with direction -1."""
    shifted = bytearray(len(state))
    for row in range(4):
        for column in range(4):
            taken = row + 4 * ((column + direction * row) % 4)
            shifted[row + 4 * column :: 16] = state[taken::16]
    return shifted


def _mix_columns(state: bytes) -> bytes:
    """Each column times (2 3 1 1 / 1 2 3 1 / 1 1 2 3 / 3 1 1 2): section 5.1.3."""
    rows = [state[row::4] for row in range(4)]
    total = _xor(_xor(rows[0], rows[1]), _xor(rows[2], rows[3]))
    mixed = bytearray(len(state))
    for row in range(4):
        pair = _xor(rows[row], rows[(row + 1) % 4])
        mixed[row::4] = _xor(_xor(rows[row], total), pair.translate(DOUBLED))
    return bytes(mixed)


def _unmix_columns(state: bytes) -> bytes:
    """The inverse of _mix_columns (section 5.3.3): the fourth power of its matrix is the identity."""
    return _mix_columns(_mix_columns(_mix_columns(state)))


@dataclass(frozen=True)
class Aes:
    """AES with keys of `key_size` bytes: 10, 12 or 14 rounds."""

    name: str
    key_size: int

    block_size = 16

    @property
    def rounds(self) -> int:
        """The number of rounds: section 5, table 3."""
        return 6 + self.key_size // 4

    def expand(self, key: bytes) -> bytes:
        """The round keys, 16 bytes for each round and 16 more: section 5.2."""
        check_length("key", key, self.key_size)
        size = self.key_size // 4
        words = [key[i : i + 4] for i in range(0, self.key_size, 4)]
        constant = 1
        for i in range(size, 4 * (self.rounds + 1)):
            word = words[-1]
            if i % size == 0:
                word = (word[1:] + word[:1]).translate(BOX)
                word = bytes([word[0] ^ constant]) + word[1:]
                constant = _double(constant)
            elif size > 6 and i % size == 4:
                word = word.translate(BOX)
            words.append(_xor(words[i - size], word))
        return b"".join(words)

    def encrypt(self, blocks: bytes, keys: bytes) -> bytes:
        """All blocks with the same round keys: section 5.1."""
        count = self._count(blocks, keys)
        state = _xor(blocks, keys[:16] * count)
        for number in range(1, self.rounds + 1):
            shifted = bytes(_shift_rows(state.translate(BOX), 1))
            mixed = _mix_columns(shifted) if number < self.rounds else shifted
            state = _xor(mixed, keys[16 * number : 16 * number + 16] * count)
        return state

    def decrypt(self, blocks: bytes, keys: bytes) -> bytes:
        """The inverse of encrypt, with the same round keys: section 5.3."""
        count = self._count(blocks, keys)
        state = blocks
        for number in range(self.rounds, 0, -1):
            state = _xor(state, keys[16 * number : 16 * number + 16] * count)
            unmixed = _unmix_columns(state) if number < self.rounds else state
            state = bytes(_shift_rows(unmixed, -1)).translate(INVERSE_BOX)
        return _xor(state, keys[:16] * count)

    def stream(self, size: int, counter: bytes, keys: bytes) -> bytes:
        """`size` bytes of key stream: the blocks from `counter` on, a number of 16 bytes,
        enciphered.
        """
        first = int.from_bytes(counter, "big")
        blocks = b"".join(
            ((first + i) % (1 << 128)).to_bytes(16, "big") for i in range((size + 15) // 16)
        )
        return self.encrypt(blocks, keys)[:size]

    def _count(self, blocks: bytes, keys: bytes) -> int:
        """How many blocks there are, after a check of both sizes."""
        check_length("round keys", keys, 16 * (self.rounds + 1))
        if len(blocks) % 16:
            raise ValueError(f"blocks: {len(blocks)} bytes given, a multiple of 16 expected")
        return len(blocks) // 16


VARIANTS = {f"aes{8 * size}": Aes(f"aes-{8 * size}", size) for size in (16, 24, 32)}
