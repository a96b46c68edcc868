# SPDX-License-Identifier: Apache-2.0
"""Random mutations of sealed files and key files: only the announced errors, and never a byte that was not sealed."""

from __future__ import annotations

import io
import random
import time

import pytest

import hanji
from hanji import files, keys
from hanji.aead import Schwaemm256_128
from hanji.files import _stream
from hanji.hashes import Esch256

KEY = keys.Key("schwaemm256-128", bytes(range(16)))
CHEAP = files.Argon2Parameters(passes=1, memory_kib=64, lanes=1)
CHUNK = 4096
TEXT = bytes(i * 5 % 256 for i in range(2 * CHUNK + 50))


def sealed() -> bytes:
    out = io.BytesIO()
    files.seal(io.BytesIO(TEXT), out, key=KEY, chunk_size=CHUNK)
    return out.getvalue()


def mutate(data: bytes, source: random.Random) -> bytes:
    """One to three of: a bit flipped, bytes replaced, a stretch removed, doubled or moved.

    Half of the time the header's checksum is made right again, so that the checks behind it are reached.
    """
    changed = bytearray(data)
    for _ in range(source.randint(1, 3)):
        at = source.randrange(len(changed) + 1) if source.random() < 0.5 else source.choice([0, 8, 11, 12, 24, 64, 96, 128, 140, len(changed)])
        size = source.choice([1, 1, 2, 8, 16, 128, CHUNK + 32])
        kind = source.randrange(5)
        if kind == 0 and at < len(changed):
            changed[at] ^= 1 << source.randrange(8)
        elif kind == 1:
            changed[at : at + size] = source.randbytes(size)
        elif kind == 2:
            del changed[at : at + size]
        elif kind == 3:
            changed[at:at] = changed[at : at + size]
        else:
            piece = changed[at : at + size]
            del changed[at : at + size]
            place = source.randrange(len(changed) + 1)
            changed[place:place] = piece
    if len(changed) >= 128 and source.random() < 0.5:
        changed[96:128] = Esch256(bytes(changed[:96])).digest()
    return bytes(changed)


def fuzz_open(seconds: float, seed: int) -> int:
    """Open mutated files for some seconds; how many there were. AssertionError when one shows what was not sealed."""
    source = random.Random(seed)
    good = sealed()
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        bad = mutate(good, source)
        out = io.BytesIO()
        try:
            files.open(io.BytesIO(bad), out, key=KEY, passphrase="p", threads=1)
        except (files.SealedFileError, files.ParameterError, files.WrongPassphraseError):
            assert TEXT.startswith(out.getvalue()), f"seed {seed}, input {count}: false text was released"
        else:
            assert bad == good, f"seed {seed}, input {count}: an altered file was opened"
        count += 1
    return count


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_mutated_sealed_files(seconds: int) -> None:
    assert fuzz_open(seconds, seed=seconds) > 100 * seconds


def test_control_a_reader_that_skips_the_tag_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless:
        """SCHWAEMM that delivers whatever comes out."""

        def __init__(self, key: bytes) -> None:
            self._cipher = Schwaemm256_128(key)

        def encrypt_into(self, *arguments: object) -> int:
            return self._cipher.encrypt_into(*arguments)  # type: ignore[arg-type]

        def decrypt_into(self, nonce: bytes, data: memoryview, associated_data: bytes, buf: memoryview) -> int:
            # Good enough for a careless reader: the first block of text comes out right.
            buf[:] = self._cipher.encrypt(nonce, bytes(data[:-16]), associated_data)[:-16]
            return len(buf)

    monkeypatch.setattr(_stream, "Schwaemm256_128", Careless)
    with pytest.raises(AssertionError, match=r"false text was released|an altered file was opened"):
        fuzz_open(3, seed=1)


@pytest.mark.parametrize("passphrase", [None, "p"])
def test_mutated_key_files(passphrase: str | None) -> None:
    source = random.Random(7)
    good = keys.dumps(KEY, passphrase, CHEAP)
    pieces = [*good.splitlines(keepends=True), "\r\n", " ", "=", "-----BEGIN HANJI SECRET KEY-----\n"]
    for count in range(3000):
        lines = good.splitlines(keepends=True)
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(lines))
            lines[place] = source.choice(["", lines[place][:-2], lines[place] * 2, source.choice(pieces), lines[place].swapcase()])
        try:
            key = keys.loads("".join(lines), "p")
        except hanji.HanjiError:
            continue
        assert key == KEY, f"input {count}: a key was read that was never written"
