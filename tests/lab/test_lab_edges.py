# SPDX-License-Identifier: Apache-2.0
"""Edge cases of authenticated encryption: the specification, and the C library as Python calls it.

tools/edge_vectors.py computes them; tests/vectors/README.md describes their fields.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import hanji
from hanji import aead, hazmat
from hanji_lab import spec
from hanji_lab.spec.modes import InvalidTag

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "tests/vectors/edges/aead.json.gz"
BYTES = ("key", "nonce", "aad", "pt", "ct", "tag")
NO_LIMIT = 2**64 - 1
CLASSES = {getattr(aead, name).name: getattr(aead, name) for name in aead.__all__}

Test = dict[str, Any]


@cache
def document() -> dict[str, Any]:
    """The file, byte strings decoded."""
    stored = json.loads(gzip.decompress(PATH.read_bytes()))
    for test in stored["tests"]:
        test.update({name: bytes.fromhex(test[name]) for name in BYTES})
    return stored


def cases(variant: str, mode: str) -> Iterator[Test]:
    return (t for t in document()["tests"] if (t["variant"], t["mode"]) == (variant, mode))


def by_the_library(test: Test) -> Callable[..., bytes]:
    """Make the object; the result seals, or opens when it is told to."""
    if test["mode"] == "EAX":
        cipher: Any = hazmat.eax(test["variant"], test["key"], test["tagSize"], NO_LIMIT)
    else:  # an AEAD with a class of its own
        cipher = CLASSES[test["variant"]](test["key"])

    def work(sealed: bytes | None) -> bytes:
        if sealed is None:
            return cipher.encrypt(test["nonce"], test["pt"], test["aad"])
        return cipher.decrypt(test["nonce"], sealed, test["aad"])

    return work


def by_the_specification(test: Test) -> Callable[..., bytes]:
    """The same for lab/spec."""
    algorithm = spec.ALGORITHMS[test["variant"]]
    seal, open_ = ("eax_seal", "eax_open") if test["mode"] == "EAX" else ("seal", "open")
    more = (test["tagSize"],) if test["mode"] == "EAX" else ()

    def work(sealed: bytes | None) -> bytes:
        name, data = (seal, test["pt"]) if sealed is None else (open_, sealed)
        return getattr(algorithm, name)(test["nonce"], test["aad"], data, test["key"], *more)

    return work


BY = {"library": by_the_library, "specification": by_the_specification}
REFUSALS = {"library": hanji.InvalidTag, "specification": InvalidTag}
KINDS = sorted({(test["variant"], test["mode"]) for test in document()["tests"]})


def check(test: Test, by: str) -> None:
    """One case: equal bytes both ways, a refusal of the tag, or a refusal of the sizes."""
    sealed = test["ct"] + test["tag"]
    if test["result"] == "valid":
        assert BY[by](test)(None) == sealed
        assert BY[by](test)(sealed) == test["pt"]
    elif test["result"] == "invalid":
        with pytest.raises(REFUSALS[by]):
            BY[by](test)(sealed)
    else:
        for data in (None, sealed):
            with pytest.raises(ValueError, match=r"\d|empty"):
                BY[by](test)(data)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize(("variant", "mode"), KINDS, ids="-".join)
def test_edges(variant: str, mode: str, by: str) -> None:
    ran: Counter[str] = Counter()
    for test in cases(variant, mode):
        if by == "specification" and "LibraryOnly" in test.get("flags", ()):
            continue
        try:
            check(test, by)
        except BaseException as error:
            raise AssertionError(
                f"{variant} {mode}, tcId {test['tcId']}: {test['comment']}",
            ) from error
        ran[test["result"]] += 1
    assert min(ran[result] for result in ("valid", "invalid", "refused")) >= 5, ran


def test_every_algorithm_has_its_edges() -> None:
    """The catalogue decides: all AEADs, and EAX over each cipher with blocks of 8 or 16 bytes."""
    listed = hanji.algorithms()
    aeads = {(a.name, "AEAD") for a in listed if a.kind == "aead"}
    over = {(a.name, "EAX") for a in listed if a.kind == "block" and a.block_size in (8, 16)}
    assert set(KINDS) == aeads | over and len(aeads) >= 4 and len(over) >= 10
    flags = {flag for test in document()["tests"] for flag in test.get("flags", ())}
    wanted = {"Empty", "TruncatedTag", "LongTag", "ModifiedTag", "ModifiedText", "ModifiedInput"}
    assert flags >= wanted | {
        "Border",
        "WrongNonceSize",
        "WrongKeySize",
        "WrongTagSize",
        "ShortTag",
    }


def test_borders_are_where_they_say() -> None:
    """The first counter block of EAX, the OMAC of the nonce, lies below 2^32, 2^64 and so on."""
    found = Counter()
    flagged = (t for t in document()["tests"] if "Border" in t.get("flags", ()))
    for test in (t for t in flagged if t["mode"] == "EAX"):
        cipher = spec.ALGORITHMS[test["variant"]]
        counter = int.from_bytes(cipher.cmac(bytes(cipher.block_size) + test["nonce"], test["key"]))
        before, border = map(
            int,
            test["comment"].removeprefix("the counter begins ").split(" below 2^"),
        )
        assert (counter + before) % 2**border == 0, test["comment"]
        found[border] += 1
    assert {32, 64, 96, 128} <= set(found)


def test_file_is_what_the_tool_writes() -> None:
    command = [sys.executable, ROOT / "tools/edge_vectors.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("by", BY)
def test_control_wrong_vectors_are_seen(by: str) -> None:
    test = next(t for t in cases("schwaemm256-128", "AEAD") if t["result"] == "valid" and t["ct"])
    wrong_tag = test | {"tag": bytes([test["tag"][0] ^ 1]) + test["tag"][1:]}
    for wrong in (wrong_tag, test | {"result": "invalid"}, test | {"result": "refused"}):
        with pytest.raises((AssertionError, InvalidTag, hanji.InvalidTag, pytest.fail.Exception)):
            check(wrong, by)
