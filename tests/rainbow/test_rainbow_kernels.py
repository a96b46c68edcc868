# SPDX-License-Identifier: Apache-2.0
"""Every matrix kernel of Rainbow on every tier: against the executable specification, and against
plain arithmetic in C.
"""

from __future__ import annotations

import hashlib
import re

import pytest
from rainbow_programs import SETS, ask, vectors
from test_rainbow_kat import records

from hanji_lab.spec.field import FIELDS

PLACES = [
    ("host-gcc", "portable"),
    ("host-clang", "portable"),
    ("asan", "portable"),
    ("aarch64", "portable"),
    ("aarch64", "neon"),
]

# SHA-256 of all products a * b, a outside
DIGESTS = {
    "gf16": "163ec642da9498b8d513c886368ef4e3945919692984d4d1041ad8938cd8cabb",
    "gf256": "6c5a2b2766c7f36f30c73a6dc193f68966a4480e1f87f13dc1aaea70d44b24f1",
}


def test_specification_has_the_published_products() -> None:
    for name, field in FIELDS.items():
        assert hashlib.sha256(b"".join(field.table)).hexdigest() == DIGESTS[name]
    gf256 = FIELDS["gf256"]
    assert [
        gf256.multiply(*pair)
        for pair in ((0x10, 0x10), (0x53, 0xCA), (0xFF, 0xFF), (0x80, 0x02), (0x9D, 0x37))
    ] == [
        0x18,
        0x0D,
        0x9C,
        0xC0,
        0x4D,
    ]
    assert (
        all(gf256.multiply(a, gf256.invert(a)) == 1 for a in range(1, 256)) and gf256.invert(0) == 0
    )


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(("preset", "tier"), PLACES)
def test_every_product(preset: str, tier: str, field: str) -> None:
    """All 65,536 products of GF(256), and all of pairs in GF(16)."""
    found = [
        bytes.fromhex(line)
        for line in ask(preset, "matrix", field[2:], "products", tier=tier).split()
    ]
    spec = FIELDS[field]
    expected = [
        spec.accumulate(bytes(256), [bytes(range(256))], bytes([c])) for c in range(1 << spec.bits)
    ]
    assert found == expected


@pytest.mark.parametrize("what", ["accumulate", "solve", "evaluate"])
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(("preset", "tier"), PLACES)
def test_kernels_equal_plain_arithmetic(preset: str, tier: str, field: str, what: str) -> None:
    said = ask(preset, "matrix", field[2:], what, tier=tier)
    assert re.fullmatch(
        {
            "solve": r"\d{3} regular, \d{2,} singular\n",
            "evaluate": r"205 cases\n",
        }.get(what, r"\d{4} cases\n"),
        said,
    ), said


@pytest.mark.parametrize(
    ("preset", "tier"), [place for place in PLACES if place != ("host-gcc", "portable")]
)
@pytest.mark.parametrize("name", SETS)
def test_first_answer_on_every_tier(preset: str, tier: str, name: str) -> None:
    if (
        preset in ("asan", "aarch64")
        and "-i-" not in name
        and name not in ("rainbow-iii-classic", "rainbow-v-classic", "rainbow-iii-compressed")
    ):
        pytest.skip("the quick sets stand for this one on emulated and instrumented machines")
    assert records(name, 0, 1, preset, tier)[0][0][0] == vectors("kat")["sets"][name]["record0"]


@pytest.mark.parametrize(
    ("preset", "tier"), [place for place in PLACES if place != ("aarch64", "portable")]
)
@pytest.mark.parametrize("index", range(len(SETS)), ids=SETS)
def test_interface(preset: str, tier: str, index: int) -> None:
    if preset in ("asan", "aarch64") and index not in (0, 1, 2, 5):
        pytest.skip("the quick sets stand for this one on emulated and instrumented machines")
    assert ask(preset, "api", index, tier=tier) == ""


def test_control_a_wrong_expectation_is_seen() -> None:
    """Sums with one constant changed differ from those of the kernel."""
    found = [bytes.fromhex(line) for line in ask("host-gcc", "matrix", "256", "products").split()]
    assert found[3] != FIELDS["gf256"].accumulate(bytes(256), [bytes(range(256))], b"\x02")
