#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sealed files of runs that stretch a passphrase once, computed by the executable specifications.

    .venv/bin/python tools/sealed_vectors.py          write tests/vectors/sealed/shared.json.gz
    .venv/bin/python tools/sealed_vectors.py --check  exit status 1 when it would be another

The files follow docs/format.md, with key source 3 and the two sources that it can be mistaken for.
tests/vectors/README.md describes the fields.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/cli")]

import vectors_io  # noqa: E402
from format_reader import AEADS, HASH, expand, stretch  # noqa: E402

PATH = ROOT / "tests/vectors/sealed/shared.json.gz"
PASSPHRASE = "mulberry"
CHUNK = 4096
MAGIC = bytes.fromhex("89 68 61 6e 6a 69 0d 0a")
RUN, OTHER_RUN = bytes(range(0x60, 0x70)), bytes(range(0x80, 0x90))
SALT, OTHER_SALT = RUN + bytes(range(0x70, 0x80)), RUN + bytes(range(0xA0, 0xB0))


def file_of(
    text: bytes,
    *,
    passphrase: str = PASSPHRASE,
    algorithm: int = 2,
    source: int = 3,
    salt: bytes = SALT,
    cost: tuple[int, int, int] = (1, 64, 1),
) -> bytes:
    """A sealed file; `cost` is passes, KiB and lanes."""
    t, m, p = cost
    fields = MAGIC + (1).to_bytes(2, "little") + bytes([algorithm, source])
    fields += bytes([CHUNK.bit_length() - 1, t, p, 0]) + m.to_bytes(4, "little") + bytes(4 + 8)
    secret = stretch(passphrase, salt[:16] if source == 3 else salt, t, m, p)
    made = expand("hanji sealed file v1", secret, salt, fields, n=48)
    header = with_checksum(fields + salt + made[16:])
    aead, out = AEADS[algorithm], header
    pieces = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)] or [b""]
    for index, piece in enumerate(pieces):
        frame = index.to_bytes(8, "little") + len(piece).to_bytes(4, "little")
        frame += bytes([index == len(pieces) - 1, 0, 0, 0])
        nonce = frame + bytes(aead.nonce_size - len(frame))
        out += frame + aead.seal(nonce, header, piece, made[:16])
    return out


def with_checksum(file: bytes) -> bytes:
    """The file with the checksum that its header should have."""
    return file[:96] + HASH.digest(file[:96]) + file[128:]


def changed(file: bytes, at: int, *values: int) -> bytes:
    """Other bytes from `at` on, under a checksum that is right."""
    return with_checksum(file[:at] + bytes(values) + file[at + len(values) :])


def right() -> Iterator[tuple[str, str, bytes, bytes]]:
    """(comment, passphrase, text, file) of files that open."""
    long = bytes(i * 7 & 0xFF for i in range(CHUNK + 5))
    for algorithm in (1, 2):
        name = AEADS[algorithm].name
        for text in (b"", b"hanji\n", long):
            made = file_of(text, algorithm=algorithm)
            yield f"{name}, {len(text)} bytes", PASSPHRASE, text, made
        made = file_of(b"hanji\n", algorithm=algorithm, salt=OTHER_SALT)
        yield f"{name}, another file of the run", PASSPHRASE, b"hanji\n", made
    made = file_of(b"hanji\n", salt=OTHER_RUN + SALT[16:], cost=(2, 32, 3))
    yield "another run with another cost", PASSPHRASE, b"hanji\n", made
    made = file_of(b"hanji\n", passphrase="\u00c5ngstr\u00f6m")
    yield "a passphrase in normalization form D", "A\u030angstro\u0308m", b"hanji\n", made
    made = file_of(b"hanji\n", source=2)
    yield "a passphrase that is stretched for this file", PASSPHRASE, b"hanji\n", made


def wrong() -> Iterator[tuple[str, str, bytes, str]]:
    """(comment, passphrase, file, report) of files that do not open."""
    good, other = file_of(b"hanji\n"), file_of(b"hanji\n", salt=OTHER_SALT)
    own = file_of(b"hanji\n", source=2)
    yield "another passphrase", "Mulberry", good, "passphrase"
    for comment, file in (
        ("salt: first byte of the run", changed(good, 32, SALT[0] ^ 1)),
        ("salt: last byte of the run", changed(good, 47, SALT[15] ^ 0x80)),
        ("salt: first byte of the file", changed(good, 48, SALT[16] ^ 1)),
        ("salt: last byte of the file", changed(good, 63, SALT[31] ^ 0x80)),
        ("salt: the halves exchanged", changed(good, 32, *SALT[16:], *SALT[:16])),
        ("salt of another file of the run", changed(good, 32, *OTHER_SALT)),
        ("commitment of another file of the run", changed(good, 64, *other[64:96])),
        ("source 3 made 2", changed(good, 11, 2)),
        ("source 2 made 3", changed(own, 11, 3)),
        ("more passes than it was sealed with", changed(good, 13, 2)),
        ("more memory than it was sealed with", changed(good, 16, 65)),
        ("another algorithm", changed(good, 10, 1)),
    ):
        yield comment, PASSPHRASE, file, "passphrase"
    for comment, file in (
        ("salt without a new checksum", good[:40] + b"!" + good[41:]),
        ("source 0", changed(good, 11, 0)),
        ("source 4", changed(good, 11, 4)),
        ("source 255", changed(good, 11, 255)),
        ("source 3 made 1", changed(good, 11, 1)),
        ("a key id", changed(good, 24, 1)),
        ("byte 15", changed(good, 15, 1)),
        ("byte 23", changed(good, 23, 1)),
    ):
        yield comment, PASSPHRASE, file, "header"
    for comment, file in (
        ("0 passes", changed(good, 13, 0)),
        ("17 passes", changed(good, 13, 17)),
        ("0 lanes", changed(good, 14, 0)),
        ("17 lanes", changed(good, 14, 17, 0, 0, 1)),
        ("7 KiB for a lane", changed(good, 16, 7)),
        ("64 KiB for 9 lanes", changed(good, 14, 9)),
        ("1 GiB and 1 KiB", changed(good, 16, 1, 0, 16)),
        ("chunks of 2 KiB", changed(good, 12, 11)),
        ("chunks of 32 MiB", changed(good, 12, 25)),
    ):
        yield comment, PASSPHRASE, file, "parameter"
    yield "format version 2", PASSPHRASE, changed(good, 8, 2), "version"
    yield "algorithm 3", PASSPHRASE, changed(good, 10, 3), "version"
    yield "header of another file of the run", PASSPHRASE, other[:128] + good[128:], "altered"
    yield "a tag", PASSPHRASE, good[:-1] + bytes([good[-1] ^ 1]), "altered"
    yield "one byte less", PASSPHRASE, good[:-1], "truncated"
    yield "the header alone", PASSPHRASE, good[:128], "truncated"
    yield "one byte more", PASSPHRASE, good + b"\0", "appended"
    yield "another file of the run after it", PASSPHRASE, good + other, "appended"


def content() -> dict[str, Any]:
    """The document as it is stored."""
    rows: list[dict[str, Any]] = [
        {"comment": comment, "passphrase": words, "file": file.hex(), "pt": text.hex()}
        for comment, words, text, file in right()
    ]
    rows += [
        {"comment": comment, "passphrase": words, "file": file.hex(), "report": report}
        for comment, words, file, report in wrong()
    ]
    return {
        "schema": "hanji-vectors-1",
        "name": "sealed/shared",
        "count": len(rows),
        "sources": ["computed by lab/spec and argon2-cffi after docs/format.md"],
        "tests": [{"tcId": number, "source": 0, **row} for number, row in enumerate(rows, 1)],
    }


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--check", action="store_true", help="write nothing")
    packed = vectors_io.pack(content())
    if options.parse_args().check:
        same = PATH.exists() and gzip.decompress(PATH.read_bytes()) == gzip.decompress(packed)
        print(
            f"{PATH.relative_to(ROOT)}: "
            f"{'up to date' if same else 'not what tools/sealed_vectors.py writes: run it'}",
        )
        return not same
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_bytes(packed)
    print(f"{PATH.relative_to(ROOT)}: {content()['count']} tests, {len(packed)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
