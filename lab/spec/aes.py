# SPDX-License-Identifier: Apache-2.0
"""AES-256 (FIPS 197) and its key streams, as the generator of Rainbow uses them; many blocks are
enciphered side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

from .word import REDUCTION


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
DOUBLED = bytes(_double(a) for a in range(256))


@dataclass(frozen=True)
class Aes256:
    """AES with keys of 32 bytes: 14 rounds."""

    name: str = "aes256"

    def expand(self, key: bytes) -> bytes:
        """The 15 round keys: section 5.2."""
        words = [key[i : i + 4] for i in range(0, 32, 4)]
        constant = 1
        for i in range(8, 60):
            word = words[-1]
            if i % 8 == 0:
                word = (word[1:] + word[:1]).translate(BOX)
                word = bytes([word[0] ^ constant]) + word[1:]
                constant = _double(constant)
            elif i % 8 == 4:
                word = word.translate(BOX)
            words.append(_xor(words[i - 8], word))
        return b"".join(words)

    def encrypt(self, blocks: bytes, keys: bytes) -> bytes:
        """All blocks with the same round keys: section 5.1. Byte r + 4 c of a block stands in row r
        and column c of the state.
        """
        count = len(blocks) // 16
        state = _xor(blocks, keys[:16] * count)
        for number in range(1, 15):
            boxed = state.translate(BOX)
            shifted = bytearray(len(state))
            for row in range(4):
                for column in range(4):
                    shifted[row + 4 * column :: 16] = boxed[row + 4 * ((column + row) % 4) :: 16]
            if number < 14:
                rows = [bytes(shifted[row::4]) for row in range(4)]
                total = _xor(_xor(rows[0], rows[1]), _xor(rows[2], rows[3]))
                for row in range(4):
                    pair = _xor(rows[row], rows[(row + 1) % 4])
                    shifted[row::4] = _xor(_xor(rows[row], total), pair.translate(DOUBLED))
            state = _xor(bytes(shifted), keys[16 * number : 16 * number + 16] * count)
        return state

    def stream(self, size: int, counter: bytes, keys: bytes) -> bytes:
        """`size` bytes of key stream: the blocks from `counter` on, a number of 16 bytes,
        enciphered.
        """
        first = int.from_bytes(counter, "big")
        blocks = b"".join(
            ((first + i) % (1 << 128)).to_bytes(16, "big") for i in range((size + 15) // 16)
        )
        return self.encrypt(blocks, keys)[:size]


VARIANTS = {"aes256": Aes256()}
