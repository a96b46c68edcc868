# SPDX-License-Identifier: Apache-2.0
"""Which comparisons of a secret come out differently in two of the sets of secrets whose traces are
compared (lab/ct/sets.h). The check of traces sees those and no others.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from debian import need

from hanji_lab import ct
from hanji_lab.checkout import find_checkout
from hanji_lab.ct.traces import MORE_TURNS, TURNS

PLACES = 32
PROGRAM = """
#include <stdio.h>
#include "sets.h"
int main(void)
{
    for (uint32_t set = 0; set <= MORE; set++)
        for (uint32_t place = 0; place < PLACES; place++)
            printf("%u\\n", (unsigned)(set == 0 ? set_public(place) : set_byte(set, place)));
    return 0;
}
"""
Sets = Sequence[bytes]


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The public data, followed by the secrets of sets 1, 2, ..."""
    need("gcc")
    folder = tmp_path_factory.mktemp("sets")
    (folder / "print.c").write_text(PROGRAM)
    sizes = [f"-DMORE={MORE_TURNS}", f"-DPLACES={PLACES}"]
    command = ["gcc", "-std=gnu11", *sizes, f"-I{ct.HERE}", "print.c", "-o", "print"]
    subprocess.run(command, cwd=folder, check=True)
    said = subprocess.run([folder / "print"], capture_output=True, text=True, check=True).stdout
    numbers = bytes(map(int, said.split()))
    return [numbers[at : at + PLACES] for at in range(0, len(numbers), PLACES)]


def earlier_sets() -> list[bytes]:
    """Four random sets: two pairs of complements. Once these were all that traces compared."""
    found = []
    for turn in range(1, 5):
        state, secret = (turn + 1) // 2 * 0x9E3779B9, bytearray()
        for _ in range(PLACES):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            secret.append(state >> 24 ^ (0xFF if turn % 2 else 0))
        found.append(bytes(secret))
    return found


def found(sets: Sets, leak: Callable[[bytes], object]) -> bool:
    """Whether a leak shows different things for two of the sets."""
    return len({leak(secret) for secret in sets}) > 1


def share(sets: Sets, leaks: Sequence[Callable[[bytes], object]]) -> float:
    return sum(found(sets, leak) for leak in leaks) / len(leaks)


def first_difference(one: bytes, two: bytes) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b), len(one))


THRESHOLDS = [lambda s, i=i, c=c: s[i] < c for i in range(PLACES) for c in range(1, 256)]
SIGNED = [
    lambda s, i=i, c=c: (s[i] ^ 0x80) < c + 128 for i in range(PLACES) for c in range(-127, 128)
]
VALUES = [lambda s, i=i, c=c: s[i] == c for i in range(PLACES) for c in range(256)]
SPECIAL = [lambda s, i=i, c=c: s[i] == c for i in range(PLACES) for c in (0, 0x7F, 0x80, 0xFF)]
BITS = [lambda s, i=i, b=b: s[i] >> b & 1 for i in range(PLACES) for b in range(8)]
ZEROS = [
    lambda s, size=size, order=order, at=at: int.from_bytes(s[at : at + size], order).bit_length()
    for size in (2, 4, 8, 16)
    for order in ("little", "big")
    for at in range(0, PLACES, size)
]
HALVES = [lambda s, n=n: s[:n] == s[n : 2 * n] for n in (1, 2, 4, 8, 16)]


def with_public(public: bytes) -> list[Callable[[bytes], object]]:
    """Comparisons of the first bytes of a secret with public data, which show only whether they are
    equal.
    """
    return [lambda s, n=n: s[:n] == public[:n] for n in (4, 8, 12, 16, 24, 32)]


def test_all_thresholds_signs_bits_and_leading_zeros_are_found(values: list[bytes]) -> None:
    sets = values[1 : TURNS + 1]
    for leaks in (THRESHOLDS, SIGNED, SPECIAL, BITS, ZEROS, HALVES):
        assert share(sets, leaks) == 1


def test_comparisons_with_public_data_are_found(values: list[bytes]) -> None:
    public, sets = values[0], values[1 : TURNS + 1]
    for other in (public, bytes(PLACES), b"\xff" * PLACES):
        assert share(sets, with_public(other)) == 1
    stops = {first_difference(secret, public) for secret in sets}
    assert {0, 7, 8, 16, PLACES} <= stops, "a comparison that ends early takes other ways"


def test_a_comparison_with_one_value_is_found_where_a_set_has_it(values: list[bytes]) -> None:
    """Sixteen sets have at most 16 of the 256 values of a byte, so traces miss most comparisons
    with one value. docs/constant-time.md names these shares.
    """
    shares = [round(share(values[1 : n + 1], VALUES), 3) for n in (TURNS, MORE_TURNS)]
    text = (find_checkout(Path(__file__)) / "docs/constant-time.md").read_text()
    few, many = (f"{100 * one:.1f} %" for one in shares)
    assert f"the 16 sets see {few} of all\n  comparisons" in text
    assert f"32 sets see {many}\n" in text


def test_control_four_random_sets_miss_most_of_them(values: list[bytes]) -> None:
    sets = earlier_sets()
    assert share(sets, THRESHOLDS) < 0.8
    assert share(sets, VALUES) < 0.02
    assert share(sets, with_public(values[0])) == share(sets, HALVES[2:]) == 0
