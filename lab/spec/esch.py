# SPDX-License-Identifier: Apache-2.0
"""ESCH and XOESCH: the hash functions and the extendable-output functions of the SPARKLE submission
(NIST LWC final round, version 1.2, section 2.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .sparkle import VARIANTS as SPARKLE
from .sparkle import Sparkle, fold
from .word import Word, from_bytes, to_bytes

RATE = 16


@dataclass(frozen=True)
class Esch:
    """One function; `digest_size` is its length in bytes, 0 for an extendable-output function."""

    name: str
    permutation: Sparkle
    digest_size: int
    domain_short: int
    domain_full: int

    def absorb_words(
        self, state: Sequence[Word], block: Sequence[Word], domain: int | None
    ) -> list[Word]:
        """Take one padded block of four words (p0, q0, p1, q1) into the state; `domain` marks the
        last block.

        The words pass through a Feistel layer that reaches the whole left half of the state, also
        the branches that get no words.
        """
        h = self.permutation.branches // 2
        tx, ty = fold(block[0::2]), fold(block[1::2])
        state = list(state)
        for j in range(h):
            state[2 * j] = state[2 * j] ^ ty
            state[2 * j + 1] = state[2 * j + 1] ^ tx
        for i in range(RATE // 4):
            state[i] = state[i] ^ block[i]
        if domain is None:
            return self.permutation.permute_words(state, self.permutation.slim)
        state[2 * h - 1] = state[2 * h - 1] ^ (domain << 24)
        return self.permutation.permute_words(state, self.permutation.big)

    def digest(self, message: bytes, size: int | None = None) -> bytes:
        """Hash a message; `size` in bytes must be given for an extendable-output function and is
        fixed for a hash.
        """
        size = self._checked_size(size)
        whole = max(1, -(-len(message) // RATE)) * RATE - RATE
        state = self.absorb_blocks(bytes(self.permutation.state_size), message[:whole])
        last, domain = message[whole:], self.domain_full
        if len(last) < RATE:
            last, domain = last + b"\x80" + bytes(RATE - 1 - len(last)), self.domain_short
        return self.end(state, last, domain, -(-size // RATE))[1][:size]

    def absorb_blocks(self, state: bytes, data: bytes) -> bytes:
        """Whole blocks of a message that are not its last one."""
        words = from_bytes(state, 32)
        for at in range(0, len(data), RATE):
            words = self.absorb_words(words, from_bytes(data[at : at + RATE], 32), None)
        return to_bytes(words, 32)

    def end(self, state: bytes, last: bytes, domain: int, blocks: int) -> tuple[bytes, bytes]:
        """The last block, padded, with its domain, and so many blocks of output: the state of the
        last of them, and the output.
        """
        words, out = self.absorb_words(from_bytes(state, 32), from_bytes(last, 32), domain), b""
        for at in range(blocks):
            if at:
                words = self.permutation.permute_words(words, self.permutation.slim)
            out += to_bytes(words[: RATE // 4], 32)
        return to_bytes(words, 32), out

    def _checked_size(self, size: int | None) -> int:
        if self.digest_size:
            if size not in (None, self.digest_size):
                raise ValueError(
                    f"{self.name}: an output of {size} bytes asked for, the digest has "
                    f"{self.digest_size}"
                )
            return self.digest_size
        if size is None or size < 0:
            raise ValueError(f"{self.name}: give the output length in bytes, 0 or more")
        return size


VARIANTS = {
    function.name: function
    for function in (
        Esch("esch256", SPARKLE["sparkle384"], 32, 1, 2),
        Esch("esch384", SPARKLE["sparkle512"], 48, 1, 2),
        Esch("xoesch256", SPARKLE["sparkle384"], 0, 5, 6),
        Esch("xoesch384", SPARKLE["sparkle512"], 0, 5, 6),
    )
}
