# SPDX-License-Identifier: Apache-2.0
"""Rainbow binds a signature to no public key: altered keys verify it, as often as SECURITY.md
says."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from hanji import sign

pytestmark = [
    pytest.mark.quick,
    pytest.mark.usefixtures("rainbow"),
    pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning"),
]
ROOT = Path(__file__).resolve().parents[2]


def elements(name: str, signature: bytes) -> list[int]:
    """The elements of the field in a signature, without its salt."""
    packed = signature[:-16]
    return (
        [half for byte in packed for half in (byte & 15, byte >> 4)]
        if "-i-" in name
        else list(packed)
    )


def unseen(values: list[int]) -> float:
    """The share of coefficients of products of two of the values that are 0."""
    whole, nonzero = len(values), sum(value != 0 for value in values)
    return 1 - nonzero * (nonzero + 1) / (whole * (whole + 1))


def accepted(name: str, keys: int, flips: int) -> tuple[float, float]:
    """Of public keys with one bit flipped, the share that still verify, and the share that is
    expected."""
    scheme, source = sign.scheme(name), random.Random(name)
    verified, expected = 0, 0.0
    for _ in range(keys):
        private = scheme(source.randbytes(64))
        public = private.public_key
        signature = private.sign(b"message")
        public.verify(signature, b"message")
        expected += unseen(elements(name, signature)) / keys
        for _ in range(flips):
            raw = bytearray(public.raw)
            raw[source.randrange(len(raw))] ^= 1 << source.randrange(8)
            try:
                type(public)(bytes(raw)).verify(signature, b"message")
                verified += 1
            except sign.InvalidSignature:
                pass
    return verified / (keys * flips), expected


@pytest.mark.parametrize(
    ("name", "keys", "flips"),
    [("rainbow-i-classic", 12, 120), ("rainbow-iii-classic", 2, 150)],
)
def test_altered_public_keys_verify(name: str, keys: int, flips: int) -> None:
    """A coefficient of the product of two elements of a signature is not seen where one is 0."""
    share, expected = accepted(name, keys, flips)
    deviation = (expected * (1 - expected) / (keys * flips)) ** 0.5
    assert abs(share - expected) <= 4 * deviation, f"{share:.3f} verify, {expected:.3f} expected"


def test_average_of_all_signatures() -> None:
    """What SECURITY.md says: an element is 0 once in 16 or in 256 times."""
    for size, count, share in ((16, 100, 0.120), (256, 148, 0.0078), (256, 196, 0.0078)):
        pairs, squares = count * (count - 1) / 2, count
        missed = pairs * (1 - (1 - 1 / size) ** 2) + squares / size
        assert missed / (pairs + squares) == pytest.approx(share, rel=0.01)


def test_security_page_says_so() -> None:
    text = " ".join((ROOT / "SECURITY.md").read_text().split())
    assert re.search(r"10 to 13 % of the level-I public keys with one flipped bit", text)
    assert "0.8 % at levels III and V" in text
