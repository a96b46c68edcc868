# SPDX-License-Identifier: Apache-2.0
"""SCHWAEMM: the authenticated encryption of the SPARKLE submission (NIST LWC final round, version
1.2, section 2.3).

The state is L || R, the outer part L of `rate` bytes and the inner part R of `capacity` bytes. The
nonce is as long as L, key and tag are as long as R.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .modes import InvalidTag, xor
from .sparkle import VARIANTS as SPARKLE
from .sparkle import Sparkle
from .word import Word, check_length, from_bytes, to_bytes


@dataclass(frozen=True)
class Schwaemm:
    """One instance; lengths in bytes."""

    name: str
    permutation: Sparkle
    rate: int
    capacity: int

    @property
    def key_size(self) -> int:
        """Key length in bytes."""
        return self.capacity

    @property
    def nonce_size(self) -> int:
        """Nonce length in bytes."""
        return self.rate

    @property
    def tag_size(self) -> int:
        """Tag length in bytes."""
        return self.capacity

    def initial_words(self, nonce: Sequence[Word], key: Sequence[Word]) -> list[Word]:
        """The state after initialisation, from the words of nonce and key."""
        return self.permutation.permute_words([*nonce, *key], self.permutation.big)

    def absorb_words(
        self, state: Sequence[Word], chunk: Sequence[Word], domain: int | None
    ) -> list[Word]:
        """Take one padded chunk of `rate` bytes, as words, into the state; `domain` marks the last
        chunk of a phase.

        The outer part becomes rho1(L, chunk) ^ W(R), where the domain has already changed R.
        """
        words = self.rate // 4
        left, right = list(state[:words]), list(state[words:])
        if domain is not None:
            right[-1] = right[-1] ^ (domain << 24)
        half = words // 2
        swapped = left[half:] + [left[half + i] ^ left[i] for i in range(half)]
        whitening = right * (words // len(right))
        left = [swapped[i] ^ chunk[i] ^ whitening[i] for i in range(words)]
        steps = self.permutation.slim if domain is None else self.permutation.big
        return self.permutation.permute_words(left + right, steps)

    def absorb_blocks(self, state: bytes, data: bytes) -> bytes:
        """Whole chunks that are not the last ones of a phase."""
        words = from_bytes(state, 32)
        for at in range(0, len(data), self.rate):
            words = self.absorb_words(words, from_bytes(data[at : at + self.rate], 32), None)
        return to_bytes(words, 32)

    def tag_words(self, state: Sequence[Word], key: Sequence[Word]) -> list[Word]:
        """The tag R ^ K at the end."""
        return [a ^ b for a, b in zip(state[self.rate // 4 :], key, strict=True)]

    def seal(self, nonce: bytes, associated_data: bytes, plaintext: bytes, key: bytes) -> bytes:
        """Ciphertext || tag."""
        state = self._start(nonce, associated_data, key)
        ciphertext = bytearray()
        for chunk, domain in self._chunks(plaintext, 2):
            ciphertext += xor(chunk, self._outer(state))
            state = self._absorb(state, chunk, domain)
        return bytes(ciphertext) + to_bytes(self.tag_words(state, from_bytes(key, 32)), 32)

    def open(self, nonce: bytes, associated_data: bytes, sealed: bytes, key: bytes) -> bytes:
        """Plaintext of ciphertext || tag, or InvalidTag."""
        if len(sealed) < self.tag_size:
            raise InvalidTag(
                f"{self.name}: {len(sealed)} bytes are shorter than the tag of "
                f"{self.tag_size} bytes"
            )
        ciphertext, tag = sealed[: -self.tag_size], sealed[-self.tag_size :]
        state = self._start(nonce, associated_data, key)
        plaintext = bytearray()
        for chunk, domain in self._chunks(ciphertext, 2):
            chunk = xor(chunk, self._outer(state))
            plaintext += chunk
            state = self._absorb(state, chunk, domain)
        if to_bytes(self.tag_words(state, from_bytes(key, 32)), 32) != tag:
            raise InvalidTag(f"{self.name}: the tag does not match")
        return bytes(plaintext)

    def _start(self, nonce: bytes, associated_data: bytes, key: bytes) -> list[int]:
        check_length(f"{self.name} nonce", nonce, self.nonce_size)
        check_length(f"{self.name} key", key, self.key_size)
        state = self.initial_words(from_bytes(nonce, 32), from_bytes(key, 32))
        for chunk, domain in self._chunks(associated_data, 0):
            state = self._absorb(state, chunk, domain)
        return state

    def _chunks(self, data: bytes, phase: int) -> list[tuple[bytes, int | None]]:
        """Chunks of the rate and the last one's domain: 0 for associated data, 2 for the message, 1
        more if full.
        """
        cut = [data[at : at + self.rate] for at in range(0, len(data), self.rate)]
        last = (1 << self.capacity // 8) ^ phase
        return [
            (chunk, None if i + 1 < len(cut) else last ^ int(len(chunk) == self.rate))
            for i, chunk in enumerate(cut)
        ]

    def _outer(self, state: Sequence[int]) -> bytes:
        return to_bytes(state[: self.rate // 4], 32)

    def _absorb(self, state: Sequence[int], chunk: bytes, domain: int | None) -> list[int]:
        padded = (
            chunk
            if len(chunk) == self.rate
            else chunk + b"\x80" + bytes(self.rate - 1 - len(chunk))
        )
        return self.absorb_words(state, from_bytes(padded, 32), domain)


VARIANTS = {
    aead.name: aead
    for aead in (
        Schwaemm("schwaemm256-128", SPARKLE["sparkle384"], 32, 16),
        Schwaemm("schwaemm192-192", SPARKLE["sparkle384"], 24, 24),
        Schwaemm("schwaemm128-128", SPARKLE["sparkle256"], 16, 16),
        Schwaemm("schwaemm256-256", SPARKLE["sparkle512"], 32, 32),
    )
}
