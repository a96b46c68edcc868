# SPDX-License-Identifier: Apache-2.0
"""What every block cipher of the specifications offers, at the level of words and of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import modes, word
from .word import Word


@dataclass(frozen=True)
class BlockCipher:
    """One variant of a block cipher.

    Words are `width` bits, in the order in which the paper numbers them (each family's module says
    which); a block is `block_words` words, a key `key_words` words. Bytes are in library order:
    little-endian words. Families bring expand, encrypt_words, decrypt_words and the order of words
    in a byte string.
    """

    name: str
    width: int
    block_words: int
    key_words: int
    rounds: int

    @property
    def block_size(self) -> int:
        """Block length in bytes."""
        return self.block_words * self.width // 8

    @property
    def key_size(self) -> int:
        """Key length in bytes."""
        return self.key_words * self.width // 8

    def expand(self, key: Sequence[Word]) -> list[Word]:
        """Key words to round keys."""
        raise NotImplementedError

    def encrypt_words(self, block: Sequence[Word], round_keys: Sequence[Word]) -> tuple[Word, ...]:
        """Encrypt one block of words."""
        raise NotImplementedError

    def decrypt_words(self, block: Sequence[Word], round_keys: Sequence[Word]) -> tuple[Word, ...]:
        """Decrypt one block of words: the inverse of encrypt_words."""
        raise NotImplementedError

    def block_to_words(self, block: bytes) -> tuple[int, ...]:
        """Words of a block in library order."""
        return tuple(word.from_bytes(block, self.width))

    def words_to_block(self, words: Sequence[int]) -> bytes:
        """A block in library order from its words."""
        return word.to_bytes(words, self.width)

    def key_to_words(self, key: bytes) -> list[int]:
        """Words of a key in library order, index 0 first."""
        word.check_length(f"{self.name} key", key, self.key_size)
        return word.from_bytes(key, self.width)

    def reorder(self, data: bytes) -> bytes:
        """One block or one key from library order to the order in which the paper prints it, or
        back.
        """
        raise NotImplementedError

    def round_keys(self, key: bytes) -> list[int]:
        """Round keys of a key given as bytes."""
        return self.expand(self.key_to_words(key))

    def encrypt(self, blocks: bytes, key: bytes) -> bytes:
        """Encrypt whole blocks, each on its own (ECB)."""
        round_keys = self.round_keys(key)
        return b"".join(
            self.words_to_block(self.encrypt_words(self.block_to_words(block), round_keys))
            for block in self._split(blocks)
        )

    def decrypt(self, blocks: bytes, key: bytes) -> bytes:
        """Decrypt whole blocks, each on its own (ECB)."""
        round_keys = self.round_keys(key)
        return b"".join(
            self.words_to_block(self.decrypt_words(self.block_to_words(block), round_keys))
            for block in self._split(blocks)
        )

    def ctr(self, data: bytes, key: bytes, iv: bytes) -> bytes:
        """Encrypt or decrypt in counter mode: `modes.ctr`."""
        return modes.ctr(self._under(key), self.block_size, iv, data)

    def short(self, data: bytes, key: bytes, iv: bytes) -> bytes:
        """`ctr` over few bytes, of which the last block may be a part."""
        return self.ctr(data, key, iv)

    def once(self, data: bytes, key: bytes, iv: bytes) -> bytes:
        """`short` of one text, with its key."""
        return self.short(data, key, iv)

    def streams(self, keys: Sequence[bytes], counters: Sequence[bytes], size: int) -> list[bytes]:
        """The first `size` bytes of key stream from each counter block under its own key:
        `modes.ctr` of zeros.
        """
        return [
            self.ctr(bytes(size), key, counter) for key, counter in zip(keys, counters, strict=True)
        ]

    def uniform(
        self, messages: Sequence[bytes], keys: Sequence[bytes], counters: Sequence[bytes]
    ) -> list[bytes]:
        """Each message encrypted or decrypted under its own key from its own counter block:
        `modes.ctr`.
        """
        return [
            self.ctr(message, key, counter)
            for message, key, counter in zip(messages, keys, counters, strict=True)
        ]

    def ragged(
        self, messages: Sequence[bytes], keys: Sequence[bytes], counters: Sequence[bytes]
    ) -> list[bytes]:
        """`messages`, of lengths that differ."""
        return self.uniform(messages, keys, counters)

    def chains(self, messages: Sequence[bytes], keys: Sequence[bytes]) -> list[bytes]:
        """The CBC-MAC of each message, whole blocks, under its own key: what is left of its chain
        before the last block of CMAC.
        """
        found = []
        for message, key in zip(messages, keys, strict=True):
            mac = bytes(self.block_size)
            for block in self._split(message):
                mac = self.encrypt(bytes(a ^ b for a, b in zip(mac, block, strict=True)), key)
            found.append(mac)
        return found

    def macs(self, messages: Sequence[bytes], keys: Sequence[bytes]) -> list[bytes]:
        """The CMAC of each message, of one length, under its own key: `modes.cmac`."""
        return [self.cmac(message, key) for message, key in zip(messages, keys, strict=True)]

    def cmac(self, message: bytes, key: bytes, tag_size: int | None = None) -> bytes:
        """Authenticate a message: `modes.cmac`; 64- and 128-bit blocks only."""
        return modes.cmac(self._under(key), self.block_size, message, tag_size)

    def eax_seal(
        self,
        nonce: bytes,
        associated_data: bytes,
        plaintext: bytes,
        key: bytes,
        tag_size: int | None = None,
    ) -> bytes:
        """Encrypt and authenticate: `modes.eax_seal`; 64- and 128-bit blocks only."""
        return modes.eax_seal(
            self._under(key), self.block_size, nonce, associated_data, plaintext, tag_size
        )

    def eax_open(
        self,
        nonce: bytes,
        associated_data: bytes,
        sealed: bytes,
        key: bytes,
        tag_size: int | None = None,
    ) -> bytes:
        """Verify and decrypt: `modes.eax_open`; 64- and 128-bit blocks only."""
        return modes.eax_open(
            self._under(key), self.block_size, nonce, associated_data, sealed, tag_size
        )

    def _under(self, key: bytes) -> modes.BlockFunction:
        round_keys = self.round_keys(key)
        return lambda block: self.words_to_block(
            self.encrypt_words(self.block_to_words(block), round_keys)
        )

    def _split(self, data: bytes) -> list[bytes]:
        if len(data) % self.block_size:
            raise ValueError(
                f"{self.name}: {len(data)} bytes given, a multiple of the block length "
                f"{self.block_size} expected"
            )
        return [data[at : at + self.block_size] for at in range(0, len(data), self.block_size)]


@dataclass(frozen=True)
class TwoBranchCipher(BlockCipher):
    """A cipher on two words (x, y), x the branch that enters the nonlinear part first: SPECK,
    SIMON, SIMECK.

    In library order y comes first and key word 0 comes first; papers print x first and key word 0
    last, big-endian. So one order is the other reversed as a whole. Families bring expand, round
    and inverse_round.
    """

    def round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round."""
        raise NotImplementedError

    def inverse_round(self, x: Word, y: Word, key: Word) -> tuple[Word, Word]:
        """One round undone."""
        raise NotImplementedError

    def encrypt_words(self, block: Sequence[Word], round_keys: Sequence[Word]) -> tuple[Word, ...]:
        x, y = block
        for key in round_keys:
            x, y = self.round(x, y, key)
        return x, y

    def decrypt_words(self, block: Sequence[Word], round_keys: Sequence[Word]) -> tuple[Word, ...]:
        x, y = block
        for key in reversed(round_keys):
            x, y = self.inverse_round(x, y, key)
        return x, y

    def block_to_words(self, block: bytes) -> tuple[int, ...]:
        y, x = word.from_bytes(block, self.width)
        return x, y

    def words_to_block(self, words: Sequence[int]) -> bytes:
        x, y = words
        return word.to_bytes((y, x), self.width)

    def reorder(self, data: bytes) -> bytes:
        return data[::-1]
