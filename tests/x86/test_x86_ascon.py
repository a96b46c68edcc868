# SPDX-License-Identifier: Apache-2.0
"""The constants of the AVX-512 kernels of Ascon, computed again."""

from __future__ import annotations

import re
from pathlib import Path

from hanji_lab.spec.ascon import CONSTANTS, diffuse

HEADER = Path(__file__).resolve().parents[2] / "src/ascon/ascon_vector.h"


def pulled_back(text: str) -> dict[str, list[int]]:
    """The numbers of the AVX-512 half of the header, by the name of their macro."""
    half = text[: text.index("#else\n\ntypedef __m256i vec;")]
    found = re.findall(
        r"^#define (NEXT_P12|NEXT_P8|CONSTANTS)\b((?:.*\\\n)*.*)$", half, re.MULTILINE
    )
    return {
        name: [int(number, 16) for number in re.findall(r"0x[0-9a-f]+", body)]
        for name, body in found
    }


def through_the_linear_layer(words: list[int]) -> list[int]:
    """Each word as S2 leaves the linear layer."""
    return [diffuse([0, 0, word, 0, 0])[2] for word in words]


def test_constants_are_those_of_the_standard_pulled_back() -> None:
    found = pulled_back(HEADER.read_text())
    assert through_the_linear_layer(found["CONSTANTS"]) == list(CONSTANTS[5:])
    assert through_the_linear_layer(found["NEXT_P12"] + found["NEXT_P8"]) == [
        CONSTANTS[4],
        CONSTANTS[8],
    ]


def test_control_a_changed_constant_is_seen() -> None:
    found = pulled_back(HEADER.read_text().replace("0x376938bca3083feb", "0x376938bca3083fea"))
    assert through_the_linear_layer(found["CONSTANTS"]) != list(CONSTANTS[5:])
