# SPDX-License-Identifier: Apache-2.0
"""Rainbow gives the known-answer files of the NIST round-3 submission, byte for byte."""

from __future__ import annotations

import pytest
from rainbow_programs import SETS, ask, vectors

WHOLE = [
    pytest.param(name, 100, id=f"{name}-100", marks=() if "-i-" in name else pytest.mark.slow)
    for name in SETS
]
FIRST = [pytest.param(name, 10, id=f"{name}-10") for name in SETS if "-i-" not in name]


def records(
    name: str, first: int, count: int, preset: str = "host-gcc", tier: str = "portable"
) -> tuple[list[list[str]], str]:
    """(digest of the record, of the public key, of the secret key, signature) of each count, and
    the digest of the file.
    """
    *lines, whole = ask(preset, "kat", SETS.index(name), first, count, tier=tier).split("\n")[:-1]
    return [line.split() for line in lines], whole


@pytest.mark.parametrize(("name", "count"), WHOLE + FIRST)
def test_known_answer_file(name: str, count: int) -> None:
    found, whole = records(name, 0, count)
    expected = vectors("kat")["sets"][name]
    assert found[0][0] == expected["record0"]
    assert [row[1:] for row in found[:10]] == [
        [row["pk_sha256"], row["sk_sha256"], row["signature"]] for row in expected["records"]
    ]
    assert whole == expected[f"file{count}"]


@pytest.mark.parametrize("name", SETS)
def test_repeated_draws(name: str) -> None:
    for row in vectors("kat")["sets"][name]["retries"]:
        found, _ = records(name, row["count"], 1)
        assert found[0][1:] == [row["pk_sha256"], row["sk_sha256"], row["signature"]], (
            f"count {row['count']}"
        )


def test_control_another_count_is_seen() -> None:
    found, whole = records("rainbow-i-classic", 1, 1)
    expected = vectors("kat")["sets"]["rainbow-i-classic"]
    assert found[0][0] != expected["record0"] and whole != expected["file10"]
    assert found[0][3] != expected["records"][0]["signature"]
