# SPDX-License-Identifier: Apache-2.0
"""Read the test vectors in tests/vectors; their origin and their fields are described in its README.md."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).resolve().parent / "vectors"
SUFFIX = ".json.gz"

HEX_FIELDS = (
    "key",
    "keyOut",
    "iv",
    "nonce",
    "aad",
    "pt",
    "ct",
    "tag",
    "msg",
    "digest",
    "in",
    "out",
    "custom",
    "roundKeys",
)


def names() -> list[str]:
    """Names of all vector files, without their suffix."""
    return sorted(path.name.removesuffix(SUFFIX) for path in DIRECTORY.glob("*" + SUFFIX))


@cache
def document(name: str) -> dict[str, Any]:
    """One file as it is stored: the head fields and `tests`, byte strings still in hex.

    The result is shared between callers: do not change it.
    """
    path = DIRECTORY / (name + SUFFIX)
    if not path.exists():
        raise FileNotFoundError(f"no vector file {name!r}; there are: {', '.join(names())}")
    return json.loads(gzip.decompress(path.read_bytes()))


def load(name: str, **equals: Any) -> list[dict[str, Any]]:
    """Tests of one file, byte strings decoded to `bytes`, in the order of tcId.

    Keyword arguments keep only the tests whose field has that value: load("speck", mode="CTR").
    A byte string stored as pattern and repetition (msgPattern, msgRepeat) is given whole, as `msg`;
    `source` is the text of the origin.
    """
    whole = document(name)
    tests = []
    for stored in whole["tests"]:
        if any(stored.get(field) != value for field, value in equals.items()):
            continue
        test = {
            field: bytes.fromhex(value) if field in HEX_FIELDS else value
            for field, value in stored.items()
        }
        for field in [name.removesuffix("Pattern") for name in test if name.endswith("Pattern")]:
            test[field] = bytes.fromhex(test.pop(f"{field}Pattern")) * test.pop(f"{field}Repeat")
        test["source"] = whole["sources"][stored["source"]]
        tests.append(test)
    return tests


def pack(content: dict[str, Any]) -> bytes:
    """The stored form of a document: one line per test, then gzip without time or file name.

    Equal contents give equal bytes on one zlib, so that a change shows in the digest file only when it is one.
    """
    head = {field: value for field, value in content.items() if field != "tests"}
    lines = ",\n".join(json.dumps(test, separators=(",", ":")) for test in content["tests"])
    text = json.dumps(head, separators=(",", ":"))[:-1] + ',"tests":[\n' + lines + "\n]}\n"
    return gzip.compress(text.encode("ascii"), 9, mtime=0)
