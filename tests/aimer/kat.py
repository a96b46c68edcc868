# SPDX-License-Identifier: Apache-2.0
"""The known-answer files of AIMer: NIST's deterministic generator, the requests and the file
format.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[1] / "vectors/aimer/kat.json.gz"
VECTORS3 = VECTORS.parents[1] / "aimer3/kat.json.gz"


@cache
def vectors() -> dict[str, Any]:
    """The stored digests of v2.1 and v1.0; do not change the result."""
    return json.loads(gzip.decompress(VECTORS.read_bytes()))


@cache
def vectors3() -> dict[str, Any]:
    """Those of v3, values on the way, and what known-answer files lack; do not change the result."""
    return json.loads(gzip.decompress(VECTORS3.read_bytes()))


def _sbox() -> bytes:
    """The S-box of AES (FIPS 197, section 5.1.1)."""
    table, p, q = bytearray(256), 1, 1
    while True:
        p ^= (p << 1) ^ (0x11B if p & 0x80 else 0)
        q ^= q << 1
        q ^= q << 2
        q ^= q << 4
        q &= 0xFF
        q ^= 0x09 if q & 0x80 else 0
        turned = q | q << 8
        table[p] = (q ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4) & 0xFF ^ 0x63
        if p == 1:
            table[0] = 0x63
            return bytes(table)


SBOX = _sbox()


def _times2(value: int) -> int:
    return value << 1 ^ (0x11B if value & 0x80 else 0)


def _t_tables() -> list[list[int]]:
    """SubBytes and MixColumns of a byte in each of the four places, as big-endian columns."""
    column = [_times2(s) << 24 | s << 16 | s << 8 | _times2(s) ^ s for s in SBOX]
    return [[(c >> 8 * k | c << 32 - 8 * k) & 0xFFFFFFFF for c in column] for k in range(4)]


T = _t_tables()


class Aes256:
    """One direction of AES-256, for the generator."""

    def __init__(self, key: bytes) -> None:
        words = [int.from_bytes(key[4 * i : 4 * i + 4], "big") for i in range(8)]
        constant = 1
        for i in range(8, 60):
            last = words[-1]
            if i % 8 == 0:
                last = self._sub((last << 8 | last >> 24) & 0xFFFFFFFF) ^ constant << 24
                constant = _times2(constant)
            elif i % 8 == 4:
                last = self._sub(last)
            words.append(words[-8] ^ last)
        self.words = words

    @staticmethod
    def _sub(word: int) -> int:
        return int.from_bytes(bytes(SBOX[b] for b in word.to_bytes(4, "big")), "big")

    def encrypt(self, block: bytes) -> bytes:
        w, t0, t1, t2, t3 = self.words, *T
        s = [int.from_bytes(block[4 * i : 4 * i + 4], "big") ^ w[i] for i in range(4)]
        for r in range(4, 56, 4):
            s = [
                t0[s[i] >> 24]
                ^ t1[s[(i + 1) % 4] >> 16 & 255]
                ^ t2[s[(i + 2) % 4] >> 8 & 255]
                ^ t3[s[(i + 3) % 4] & 255]
                ^ w[r + i]
                for i in range(4)
            ]
        last = (
            SBOX[s[i] >> 24] << 24
            | SBOX[s[(i + 1) % 4] >> 16 & 255] << 16
            | SBOX[s[(i + 2) % 4] >> 8 & 255] << 8
            | SBOX[s[(i + 3) % 4] & 255]
            for i in range(4)
        )
        return b"".join((word ^ w[56 + i]).to_bytes(4, "big") for i, word in enumerate(last))


class Generator:
    """CTR_DRBG with AES-256 without derivation function (NIST SP 800-90A, section 10.2.1)."""

    def __init__(self, seed: bytes) -> None:
        self.aes, self.counter = Aes256(bytes(32)), 0
        self._update(seed)

    def _blocks(self, count: int) -> bytes:
        out = b""
        for _ in range(count):
            self.counter = (self.counter + 1) % (1 << 128)
            out += self.aes.encrypt(self.counter.to_bytes(16, "big"))
        return out

    def _update(self, provided: bytes) -> None:
        new = bytes(a ^ b for a, b in zip(self._blocks(3), provided, strict=True))
        self.aes, self.counter = Aes256(new[:32]), int.from_bytes(new[32:], "big")

    def request(self, size: int) -> bytes:
        """As many bytes; where requests end matters."""
        out = self._blocks(-(-size // 16))[:size]
        self._update(bytes(48))
        return out


@dataclass(frozen=True)
class Count:
    """One entry: its seed and message, and the random bytes of key generation and signing, in
    order.
    """

    number: int
    seed: bytes
    message: bytes
    random: bytes


@cache
def entries(counts: int) -> list[tuple[bytes, bytes]]:
    """(seed, message) of the first counts; the seeds and messages of all sets are the same."""
    generator = Generator(bytes(range(48)))
    return [(generator.request(48), generator.request(33 * (count + 1))) for count in range(counts)]


def requests(version: int, size: int, repetitions: int) -> list[int]:
    """The sizes that key generation and signing ask for, in order."""
    return [size, size, 2 * size, *[size] * repetitions] if version == 1 else [size, size, size]


def counts(version: int, size: int, repetitions: int, number: int) -> Iterator[Count]:
    """The first entries of a set's file."""
    for count, (seed, message) in enumerate(entries(number)):
        generator = Generator(seed)
        random = b"".join(generator.request(part) for part in requests(version, size, repetitions))
        yield Count(count, seed, message, random)


def text(title: str, answers: Iterator[tuple[Count, bytes, bytes, bytes]]) -> Iterator[str]:
    """The file, piece by piece, from (count, public key, secret key, signature)."""
    yield f"# {title}\n\n"
    for count, public, secret, signature in answers:
        signed = count.message + signature
        yield (
            f"count = {count.number}\nseed = {count.seed.hex().upper()}\nmlen = "
            f"{len(count.message)}\nmsg = {count.message.hex().upper()}\n"
            f"pk = {public.hex().upper()}\nsk = {secret.hex().upper()}\nsmlen = "
            f"{len(signed)}\nsm = {signed.hex().upper()}\n\n"
        )
