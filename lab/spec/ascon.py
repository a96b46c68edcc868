# SPDX-License-Identifier: Apache-2.0
"""Ascon: Sönmez Turan, McKay, Chang, Kang, Kelsey, "Ascon-Based Lightweight Cryptography Standards
for Constrained Devices", NIST SP 800-232, August 2025.

The state is five 64-bit words S0 .. S4, little-endian in bytes. This is not Ascon v1.2, whose words
are big-endian and whose padding, domain bit and initial values are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .modes import InvalidTag, xor
from .word import Word, check_length, complement, from_bytes, ror, to_bytes

WORDS = 5
STATE_SIZE = 8 * WORDS
ROUNDS_MAX = 16
# Section 3.2: the constants of 16 rounds; a permutation of fewer rounds takes the last ones.
CONSTANTS = (0x3C, 0x2D, 0x1E, 0x0F, *(0xF0 - 0x0F * i for i in range(12)))
# Section 3.4: the two rotations of each word.
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
DOMAIN = 1 << 63
TAG_SIZE = 16
TAG_SIZE_LEAST = 4
CUSTOMIZATION_MAX = 256  # bytes: 2048 bits


def substitute(x: Sequence[Word]) -> list[Word]:
    """The S-box in every bit column, x0 its most significant bit (section 3.3)."""
    x0, x1, x2, x3, x4 = x
    x0, x4, x2 = x0 ^ x4, x4 ^ x3, x2 ^ x1
    y = [x0, x1, x2, x3, x4]
    t0, t1, t2, t3, t4 = (
        y[i] ^ (complement(y[(i + 1) % WORDS], 64) & y[(i + 2) % WORDS]) for i in range(WORDS)
    )
    return [t0 ^ t4, t1 ^ t0, complement(t2, 64), t3 ^ t2, t4]


def diffuse(x: Sequence[Word]) -> list[Word]:
    """The linear layer (section 3.4)."""
    return [
        word ^ ror(word, r, 64) ^ ror(word, s, 64)
        for word, (r, s) in zip(x, ROTATIONS, strict=True)
    ]


@dataclass(frozen=True)
class Permutation:
    """Ascon-p; `slim` rounds between blocks of the AEAD, `big` everywhere else."""

    name: str
    slim: int
    big: int

    @property
    def state_size(self) -> int:
        """State length in bytes."""
        return STATE_SIZE

    def permute_words(self, state: Sequence[Word], rounds: int) -> list[Word]:
        """The last `rounds` of 16 rounds on five words."""
        if not 1 <= rounds <= ROUNDS_MAX:
            raise ValueError(f"{self.name}: {rounds} rounds given, 1 to {ROUNDS_MAX} expected")
        state = list(state)
        for constant in CONSTANTS[ROUNDS_MAX - rounds :]:
            state[2] = state[2] ^ constant
            state = diffuse(substitute(state))
        return state

    def permute(self, state: bytes, rounds: int) -> bytes:
        """The permutation on a state of bytes."""
        check_length(f"{self.name} state", state, STATE_SIZE)
        return to_bytes(self.permute_words(from_bytes(state, 64), rounds), 64)

    def permute_slim(self, state: bytes) -> bytes:
        """The permutation of eight rounds."""
        return self.permute(state, self.slim)

    def permute_big(self, state: bytes) -> bytes:
        """The permutation of twelve rounds."""
        return self.permute(state, self.big)


PERMUTATION = Permutation("ascon-p", 8, 12)


def padded(data: bytes, rate: int) -> list[bytes]:
    """The data in blocks of `rate` bytes after the padding: 01, then zeros; a full last block is
    followed by another.
    """
    data = data + b"\x01" + bytes(rate - 1 - len(data) % rate)
    return [data[at : at + rate] for at in range(0, len(data), rate)]


@dataclass(frozen=True)
class Aead:
    """Ascon-AEAD128 (section 4); lengths in bytes."""

    name: str
    initial: int
    rate: int = 16
    key_size: int = 16
    nonce_size: int = 16
    tag_size: int = TAG_SIZE
    permutation: Permutation = PERMUTATION

    def initial_words(self, nonce: Sequence[Word], key: Sequence[Word]) -> list[Word]:
        """The state after initialisation, from the words of nonce and key."""
        return self._permute_keyed([self.initial, *key, *nonce], key)

    def absorb_words(self, state: Sequence[Word], block: Sequence[Word]) -> list[Word]:
        """Take a block of two words into the state, and permute."""
        return self.permutation.permute_words(
            [state[0] ^ block[0], state[1] ^ block[1], *state[2:]], self.permutation.slim
        )

    def tag_words(self, state: Sequence[Word], key: Sequence[Word]) -> list[Word]:
        """The tag, when the last block of text and its padding are in the state."""
        return self._final_words(state, key)[3:]

    def _final_words(self, state: Sequence[Word], key: Sequence[Word]) -> list[Word]:
        state = [state[0], state[1], state[2] ^ key[0], state[3] ^ key[1], state[4]]
        return self._permute_keyed(state, key)

    def _permute_keyed(self, state: Sequence[Word], key: Sequence[Word]) -> list[Word]:
        state = self.permutation.permute_words(state, self.permutation.big)
        return [*state[:3], state[3] ^ key[0], state[4] ^ key[1]]

    def start(self, nonce: bytes, key: bytes) -> bytes:
        """The state after initialisation, of bytes."""
        return to_bytes(self.initial_words(from_bytes(nonce, 64), from_bytes(key, 64)), 64)

    def finish(self, state: bytes, key: bytes) -> bytes:
        """The state whose last words are the tag, from that behind the padded last block."""
        return to_bytes(self._final_words(from_bytes(state, 64), from_bytes(key, 64)), 64)

    def absorb_blocks(self, state: bytes, data: bytes) -> bytes:
        """Whole blocks of associated data, without padding."""
        words = from_bytes(state, 64)
        for at in range(0, len(data), self.rate):
            words = self.absorb_words(words, from_bytes(data[at : at + self.rate], 64))
        return to_bytes(words, 64)

    def seal_blocks(self, state: bytes, data: bytes) -> tuple[bytes, bytes]:
        """Whole blocks of text, without padding: the state behind them, and the ciphertext."""
        out = b""
        for at in range(0, len(data), self.rate):
            out += xor(data[at : at + self.rate], state[: self.rate])
            state = self.absorb_blocks(state, data[at : at + self.rate])
        return state, out

    def open_blocks(self, state: bytes, data: bytes) -> tuple[bytes, bytes]:
        """Whole blocks of ciphertext, without padding: the state behind them, and the text."""
        out = b""
        for at in range(0, len(data), self.rate):
            out += xor(data[at : at + self.rate], state[: self.rate])
            state = self.absorb_blocks(state, out[at : at + self.rate])
        return state, out

    def seal(
        self,
        nonce: bytes,
        associated_data: bytes,
        plaintext: bytes,
        key: bytes,
        tag_size: int = TAG_SIZE,
    ) -> bytes:
        """Ciphertext || tag; a key of 32 bytes is one with nonce masking (section 4.2.2)."""
        state, words = self._start(nonce, associated_data, key)
        full = len(plaintext) - len(plaintext) % self.rate
        state, ciphertext = self.seal_blocks(state, plaintext[:full])
        last = plaintext[full:]
        ciphertext += xor(last, state[: len(last)])
        state = xor(state, padded(last, self.rate)[0] + bytes(STATE_SIZE - self.rate))
        return ciphertext + self._tag(state, words, tag_size)

    def open(
        self,
        nonce: bytes,
        associated_data: bytes,
        sealed: bytes,
        key: bytes,
        tag_size: int = TAG_SIZE,
    ) -> bytes:
        """Plaintext of ciphertext || tag, or InvalidTag."""
        if len(sealed) < tag_size:
            raise InvalidTag(
                f"{self.name}: {len(sealed)} bytes are shorter than the tag of {tag_size} bytes"
            )
        ciphertext, tag = sealed[: len(sealed) - tag_size], sealed[len(sealed) - tag_size :]
        state, words = self._start(nonce, associated_data, key)
        full = len(ciphertext) - len(ciphertext) % self.rate
        state, plaintext = self.open_blocks(state, ciphertext[:full])
        plaintext += xor(ciphertext[full:], state[: len(ciphertext) - full])
        state = xor(state, padded(plaintext[full:], self.rate)[0] + bytes(STATE_SIZE - self.rate))
        if self._tag(state, words, tag_size) != tag:
            raise InvalidTag(f"{self.name}: the tag does not match")
        return plaintext

    def _start(self, nonce: bytes, associated_data: bytes, key: bytes) -> tuple[bytes, list[int]]:
        """The state before the text, and the words of the key."""
        check_length(f"{self.name} nonce", nonce, self.nonce_size)
        if len(key) == 2 * self.key_size:
            key, mask = key[: self.key_size], key[self.key_size :]
            if key == mask:
                raise ValueError(
                    f"{self.name}: the two halves of a key with nonce masking are equal"
                )
            nonce = xor(nonce, mask)
        check_length(f"{self.name} key", key, self.key_size)
        words = from_bytes(key, 64)
        state = self.initial_words(from_bytes(nonce, 64), words)
        for block in padded(associated_data, self.rate) if associated_data else []:
            state = self.absorb_words(state, from_bytes(block, 64))
        return to_bytes([*state[:4], state[4] ^ DOMAIN], 64), words

    def _tag(self, state: bytes, key: list[int], tag_size: int) -> bytes:
        if not TAG_SIZE_LEAST <= tag_size <= TAG_SIZE:
            raise ValueError(
                f"{self.name}: a tag of {tag_size} bytes given, {TAG_SIZE_LEAST} to "
                f"{TAG_SIZE} expected"
            )
        return to_bytes(self.tag_words(from_bytes(state, 64), key), 64)[:tag_size]


@dataclass(frozen=True)
class Hash:
    """Ascon-Hash256, -XOF128 and -CXOF128 (section 5); `digest_size` in bytes, 0 where the output
    is extendable.
    """

    name: str
    initial: int
    digest_size: int
    customized: bool = False
    rate: int = 8

    def absorb_words(self, state: Sequence[Word], block: Sequence[Word]) -> list[Word]:
        """Take a block of one word into the state, and permute."""
        return PERMUTATION.permute_words([state[0] ^ block[0], *state[1:]], PERMUTATION.big)

    def absorb_blocks(self, state: bytes, data: bytes) -> bytes:
        """Whole blocks of a message, without padding."""
        words = from_bytes(state, 64)
        for word in from_bytes(data, 64):
            words = self.absorb_words(words, [word])
        return to_bytes(words, 64)

    def digest(self, message: bytes, size: int | None = None, customization: bytes = b"") -> bytes:
        """Hash a message; `size` in bytes must be given for extendable output and is fixed for a
        hash.
        """
        size = self._checked_size(size)
        state = to_bytes(PERMUTATION.permute_words([self.initial, 0, 0, 0, 0], PERMUTATION.big), 64)
        if self.customized:
            if len(customization) > CUSTOMIZATION_MAX:
                raise ValueError(
                    f"{self.name}: customization of {len(customization)} bytes given, at "
                    f"most {CUSTOMIZATION_MAX} expected"
                )
            state = self.absorb_blocks(
                state,
                to_bytes([8 * len(customization)], 64) + b"".join(padded(customization, self.rate)),
            )
        elif customization:
            raise ValueError(f"{self.name} takes no customization")
        state = self.absorb_blocks(state, b"".join(padded(message, self.rate)))
        out = state[: self.rate]
        while len(out) < size:
            state = PERMUTATION.permute_big(state)
            out += state[: self.rate]
        return out[:size]

    def _checked_size(self, size: int | None) -> int:
        if self.digest_size:
            if size not in (None, self.digest_size):
                raise ValueError(
                    f"{self.name}: an output of {size} bytes asked for, the digest has "
                    f"{self.digest_size}"
                )
            return self.digest_size
        if size is None or size < 1:
            raise ValueError(f"{self.name}: give the output length in bytes, 1 or more")
        return size


def initial_value(algorithm: int, rounds: int, slim: int, tag_bits: int, rate: int) -> int:
    """The initial value of an algorithm, as a word (appendix B)."""
    return algorithm | rounds << 16 | slim << 20 | tag_bits << 24 | rate << 40


PERMUTATIONS = {PERMUTATION.name: PERMUTATION}
AEADS = {"ascon-aead128": Aead("ascon-aead128", initial_value(1, 12, 8, 128, 16))}
HASHES = {
    function.name: function
    for function in (
        Hash("ascon-hash256", initial_value(2, 12, 12, 256, 8), 32),
        Hash("ascon-xof128", initial_value(3, 12, 12, 0, 8), 0),
        Hash("ascon-cxof128", initial_value(4, 12, 12, 0, 8), 0, customized=True),
    )
}
VARIANTS = {**PERMUTATIONS, **AEADS, **HASHES}
