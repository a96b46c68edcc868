#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Edge cases of authenticated encryption, computed by the executable specifications.

    .venv/bin/python tools/edge_vectors.py            write tests/vectors/edges/aead.json.gz
    .venv/bin/python tools/edge_vectors.py --check    exit status 1 when it would be another

Every AEAD of lab/spec, and EAX over every block cipher that it takes. tests/vectors/README.md
describes the fields.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import vectors_io  # noqa: E402

from hanji_lab import spec  # noqa: E402
from hanji_lab.spec.block import BlockCipher  # noqa: E402
from hanji_lab.spec.modes import double, xor  # noqa: E402

PATH = ROOT / "tests/vectors/edges/aead.json.gz"
WORDS = (
    0x00000000,
    0x00000001,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
)  # where a sum of 32 bits carries, or does not
Row = dict[str, Any]


class Maker:
    """The cases of one algorithm. `unit` is the length at which something changes: the rate, or the
    block."""

    def __init__(
        self,
        variant: str,
        mode: str,
        unit: int,
        key_size: int,
        nonce_size: int,
        tag_size: int,
    ) -> None:
        self.variant, self.mode, self.unit = variant, mode, unit
        self.key_size, self.nonce_size, self.tag_size = key_size, nonce_size, tag_size
        self.random = random.Random(f"{mode} {variant}")

    def seal(self, row: Row) -> bytes:
        algorithm = spec.ALGORITHMS[self.variant]
        inputs = (row["nonce"], row["aad"], row["pt"], row["key"])
        return bytes(
            algorithm.eax_seal(*inputs, row["tagSize"])
            if self.mode == "EAX"
            else algorithm.seal(*inputs)
        )

    def draw(self, aad: int, text: int, **given: Any) -> Row:
        """Random inputs of these lengths, but those that are given."""
        drawn = {
            name: self.random.randbytes(size)
            for name, size in (
                ("key", self.key_size),
                ("nonce", self.nonce_size),
                ("aad", aad),
                ("pt", text),
            )
        }
        return drawn | {"tagSize": self.tag_size} | given

    def valid(self, row: Row, comment: str, *flags: str) -> Row:
        sealed, size = self.seal(row), row["tagSize"]
        return self.case(row, sealed[:-size], sealed[-size:], "valid", comment, *flags)

    def case(self, row: Row, ct: bytes, tag: bytes, result: str, comment: str, *flags: str) -> Row:
        about = {
            "variant": self.variant,
            "mode": self.mode,
            "result": result,
            "source": 0,
            "comment": comment,
            "flags": list(flags),
        }
        return (
            about
            | {name: row[name] for name in ("key", "nonce", "aad", "pt", "tagSize")}
            | {"ct": ct, "tag": tag}
        )

    def cases(self) -> Iterator[Row]:
        yield from self.lengths()
        yield from self.patterns()
        yield from self.borders()
        yield from self.forgeries()
        yield from self.tags()
        yield from self.sizes()

    def lengths(self) -> Iterator[Row]:
        around = (0, 1, self.unit - 1, self.unit, self.unit + 1, 2 * self.unit, 2 * self.unit + 1)
        for aad, text in (
            [(0, n) for n in around]
            + [(n, 0) for n in around[1:]]
            + [(n, n) for n in around[1:]]
            + [(2 * self.unit, self.unit - 1)]
        ):
            flags = ["Empty"] if aad == text == 0 else []
            yield self.valid(
                self.draw(aad, text),
                f"{aad} bytes of associated data, {text} of text",
                *flags,
            )

    def patterns(self) -> Iterator[Row]:
        for byte in (0x00, 0xFF, 0x80, 0x01):
            fill = {
                name: bytes([byte]) * size
                for name, size in (
                    ("key", self.key_size),
                    ("nonce", self.nonce_size),
                    ("aad", 9),
                    ("pt", 33),
                )
            }
            yield self.valid(self.draw(0, 0) | fill, f"all bytes {byte:#04x}")

    def borders(self) -> Iterator[Row]:
        raise NotImplementedError

    def forgeries(self) -> Iterator[Row]:
        """What somebody without the key may try; everything has the sizes that it must have."""
        row = self.draw(self.unit + 3, 2 * self.unit + 5)
        sealed = self.seal(row)
        ct, tag = sealed[: -self.tag_size], sealed[-self.tag_size :]
        other = self.seal(self.draw(3, 4))[-self.tag_size :]
        for bit in sorted(
            {0, 7, 8, 31, 32, 63, 64, 8 * self.tag_size - 1} & set(range(8 * self.tag_size)),
        ):
            yield self.case(
                row,
                ct,
                flipped(tag, bit),
                "invalid",
                f"bit {bit} of the tag flipped",
                "ModifiedTag",
            )
        for comment, wrong in (
            ("all bits of the tag flipped", xor(tag, b"\xff" * len(tag))), ("a tag of zeros", bytes(len(tag))),
            ("a tag of ones", b"\xff" * len(tag)), ("the tag of another message", other), ("the bytes of the tag reversed", tag[::-1]),
            ("the first byte of the tag is right", tag[:1] + xor(tag[1:], b"\xff" * len(tag))),
            ("all bytes of the tag but the last are right", flipped(tag, 8 * len(tag) - 1)),
        ):  # fmt: skip
            yield self.case(row, ct, wrong, "invalid", comment, "ModifiedTag")
        for bit in (0, 8 * self.unit - 1, 8 * self.unit, 8 * len(ct) - 1):
            yield self.case(
                row,
                flipped(ct, bit),
                tag,
                "invalid",
                f"bit {bit} of the ciphertext flipped",
                "ModifiedText",
            )
        for name, value in (
            ("aad", flipped(row["aad"], 0)), ("aad", flipped(row["aad"], 8 * len(row["aad"]) - 1)), ("aad", row["aad"][:-1]), ("aad", b""),
            ("aad", row["aad"] + b"\0"), ("nonce", flipped(row["nonce"], 0)), ("nonce", flipped(row["nonce"], 8 * len(row["nonce"]) - 1)),
            ("key", flipped(row["key"], 0)), ("key", flipped(row["key"], 8 * len(row["key"]) - 1)),
        ):  # fmt: skip
            yield self.case(
                row | {name: value},
                ct,
                tag,
                "invalid",
                f"another {name}, of {len(value)} bytes",
                "ModifiedInput",
            )
        yield self.case(
            row | {"aad": row["aad"] + ct[:1]},
            ct[1:],
            tag,
            "invalid",
            "a byte moved from the text to the associated data",
            "ModifiedInput",
        )
        yield self.case(
            row,
            ct + b"\0",
            tag,
            "invalid",
            "a byte put between ciphertext and tag",
            "ModifiedText",
        )
        yield self.case(
            row,
            ct[: self.unit],
            tag,
            "invalid",
            "a ciphertext cut at a whole block",
            "ModifiedText",
        )
        empty = self.draw(0, 0)
        genuine = self.seal(empty)
        for bit in (0, 8 * self.tag_size - 1):
            yield self.case(
                empty,
                b"",
                flipped(genuine, bit),
                "invalid",
                f"nothing at all, bit {bit} of the tag flipped",
                "ModifiedTag",
                "Empty",
            )

    def tags(self) -> Iterator[Row]:
        """Tags that are shorter or longer than agreed."""
        for text in (0, self.tag_size + 3):
            row = self.draw(5, text)
            sealed = self.seal(row)
            ct, tag = sealed[: len(sealed) - self.tag_size], sealed[len(sealed) - self.tag_size :]
            for size in range(self.tag_size):
                yield self.case(
                    row,
                    ct,
                    tag[:size],
                    "invalid",
                    f"{size} bytes of a tag of {self.tag_size}, {text} bytes of text",
                    "TruncatedTag",
                )
            yield self.case(
                row,
                ct,
                tag + b"\0",
                "invalid",
                f"a tag and one byte, {text} bytes of text",
                "LongTag",
            )

    def sizes(self) -> Iterator[Row]:
        row = self.draw(5, 6)
        for size in sorted({0, 1, self.key_size - 1, self.key_size + 1, 2 * self.key_size}):
            yield self.case(
                row | {"key": bytes(size)},
                bytes(6),
                bytes(self.tag_size),
                "refused",
                f"a key of {size} bytes",
                "WrongKeySize",
            )


class AeadMaker(Maker):
    """An AEAD with one length of nonce and tag, whose state begins as nonce and key."""

    def borders(self) -> Iterator[Row]:
        """Key and nonce for which the words of the first permutation's result are borders of 32
        bits."""
        permutation = getattr(spec.ALGORITHMS[self.variant], "permutation", None)
        if not isinstance(permutation, spec.sparkle.Sparkle):
            return
        for word in WORDS:
            start = permutation.inverse(
                word.to_bytes(4, "little") * (permutation.state_size // 4),
                permutation.big,
            )
            row = self.draw(
                0,
                self.unit + 1,
                nonce=start[: self.nonce_size],
                key=start[self.nonce_size :],
            )
            yield self.valid(
                row,
                f"every word of the state after initialisation is {word:#010x}",
                "Border",
            )

    def sizes(self) -> Iterator[Row]:
        yield from super().sizes()
        row = self.draw(5, 6)
        for size in sorted({0, 1, self.nonce_size - 1, self.nonce_size + 1, 2 * self.nonce_size}):
            yield self.case(
                row | {"nonce": bytes(size)},
                bytes(6),
                bytes(self.tag_size),
                "refused",
                f"a nonce of {size} bytes",
                "WrongNonceSize",
            )


class EaxMaker(Maker):
    """EAX over a block cipher: nonces of any length but none, tags of 1 byte to a block."""

    def nonce_for(self, counter: bytes, key: bytes) -> bytes:
        """The nonce of one block whose OMAC, the first counter block, is `counter`: E(E(0) ^ nonce
        ^ 2 E(0)) turned round."""
        cipher: BlockCipher = spec.ALGORITHMS[self.variant]
        zero = cipher.encrypt(bytes(self.unit), key)
        return xor(xor(cipher.decrypt(counter, key), zero), double(zero))

    def borders(self) -> Iterator[Row]:
        bits = 8 * self.unit
        below = self.random.getrandbits(bits)
        for border in sorted({32, 64, 96, bits} & set(range(bits + 1))):
            for before in (1, 2):
                first = ((below >> border << border) | (2**border - before)) % 2**bits
                row = self.draw(3, 3 * self.unit + 1)
                row["nonce"] = self.nonce_for(first.to_bytes(self.unit, "big"), row["key"])
                yield self.valid(row, f"the counter begins {before} below 2^{border}", "Border")

    def tags(self) -> Iterator[Row]:
        yield from super().tags()
        for size in range(1, self.tag_size):
            yield self.valid(
                self.draw(3, 7, tagSize=size),
                f"tags of {size} bytes are agreed",
                "ShortTag",
            )

    def sizes(self) -> Iterator[Row]:
        yield from super().sizes()
        for size in (1, self.unit - 1, self.unit + 1, 2 * self.unit, 300):
            yield self.valid(
                self.draw(5, 6, nonce=self.random.randbytes(size)),
                f"a nonce of {size} bytes",
                "NonceSize",
            )
        row = self.draw(5, 6)
        yield self.case(
            row | {"nonce": b""},
            bytes(6),
            bytes(self.tag_size),
            "refused",
            "no nonce",
            "WrongNonceSize",
            "LibraryOnly",
        )
        for size in (0, self.unit + 1):
            yield self.case(
                row | {"tagSize": size},
                bytes(6),
                bytes(size),
                "refused",
                f"tags of {size} bytes",
                "WrongTagSize",
            )


def flipped(data: bytes, bit: int) -> bytes:
    """The data with one bit the other way."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def makers() -> Iterator[Maker]:
    for name, algorithm in spec.ALGORITHMS.items():
        if isinstance(algorithm, BlockCipher):
            if algorithm.block_size in (8, 16):
                yield EaxMaker(
                    name,
                    "EAX",
                    algorithm.block_size,
                    algorithm.key_size,
                    algorithm.block_size,
                    algorithm.block_size,
                )
        elif hasattr(algorithm, "seal"):
            yield AeadMaker(
                name,
                "AEAD",
                algorithm.rate,
                algorithm.key_size,
                algorithm.nonce_size,
                algorithm.tag_size,
            )


def content() -> dict[str, Any]:
    """The file as `vectors_io` packs it."""
    rows = [row for maker in makers() for row in maker.cases()]
    tests = [
        {"tcId": i + 1}
        | {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}
        for i, row in enumerate(rows)
    ]
    for test in tests:
        if not test["flags"]:
            del test["flags"]
    source = (
        "computed by lab/spec (tools/edge_vectors.py); C, and for Ascon and SCHWAEMM Bouncy "
        "Castle, agree"
    )
    return {
        "schema": "hanji-vectors-1",
        "name": "edges/aead",
        "byteOrder": "library",
        "count": len(tests),
        "sources": [source],
        "tests": tests,
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
            f"{'up to date' if same else 'not what tools/edge_vectors.py writes: run it'}",
        )
        return not same
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_bytes(packed)
    print(f"{PATH.relative_to(ROOT)}: {content()['count']} tests, {len(packed)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
