# SPDX-License-Identifier: Apache-2.0
"""AIMer v2.1, which is broken, against Bouncy Castle: both directions, what is changed refused, and
a forgery accepted by both.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from test_bouncycastle import HERE, hexed, library  # noqa: F401, the fixture

from hanji import sign
from hanji_lab import forge
from hanji_lab.spec.aimer import VARIANTS

pytestmark = pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning")
SETS = [name for name in VARIANTS if name.startswith("aimer2-")]
MESSAGES = (b"", b"text", bytes(1000))


def ask(jar: Path, requests: list[str]) -> list[str]:
    """The answers of one run of a JVM."""
    done = subprocess.run(
        ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", jar, HERE / "AimerPeer.java"],
        input="".join(f"{line}\n" for line in requests), capture_output=True, text=True,
    )  # fmt: skip
    answers = done.stdout.split("\n")[:-1]
    assert done.returncode == 0 and len(answers) == len(requests), done.stderr[-3000:]
    return answers


def theirs(name: str) -> str:
    return name.replace("aimer2-", "aimer")


def changed(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def test_both_directions(library: Path) -> None:  # noqa: F811
    keys = {name: sign.scheme(name).generate() for name in SETS}
    cases = [(name, message) for name in SETS for message in MESSAGES]
    requests, expected = [], []
    for name, message in cases:
        signature, public = keys[name].sign(message), keys[name].public_key.raw.hex()
        for text, wrong, answer in (
            (message, signature, "right"),
            (message + b"x", signature, "wrong"),
            (message, changed(signature, 0), "wrong"),
            (message, changed(signature, len(signature) // 2), "wrong"),
            (message, changed(signature, len(signature) - 1), "wrong"),
        ):
            requests.append(f"verify {theirs(name)} {public} {hexed(text)} {wrong.hex()}")
            expected.append((name, len(message), answer))
    made = [
        f"sign {theirs(name)} {keys[name].raw.hex()} {hexed(message)}" for name, message in cases
    ]
    answers = ask(library, requests + made)
    assert [
        (name, size, said) for (name, size, _), said in zip(expected, answers, strict=False)
    ] == expected
    for (name, message), answer in zip(cases, answers[len(requests) :], strict=True):
        keys[name].public_key.verify(bytes.fromhex(answer), message)
        with pytest.raises(sign.InvalidSignature):
            keys[name].public_key.verify(bytes.fromhex(answer), message + b"x")


def test_a_forgery_is_accepted_by_both(library: Path) -> None:  # noqa: F811
    """Neither verifier is wrong: v2.1 is broken."""
    public = sign.AIMer2_128f.generate().public_key
    forged = forge.forge(VARIANTS["aimer2-128f"], public.raw, b"text")
    public.verify(forged, b"text")
    requests = [
        f"verify aimer128f {public.raw.hex()} {text.hex()} {forged.hex()}"
        for text in (b"text", b"texts")
    ]
    assert ask(library, requests) == ["right", "wrong"]
