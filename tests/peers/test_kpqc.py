# SPDX-License-Identifier: Apache-2.0
"""AIMer v3 against the designers' program, which the package kpqc of PyPI carries: both directions,
and forgeries refused by both.

pip fetches its source once, pinned with its digest, and compiles it in a folder of build/: nothing
of the environment changes.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from debian import in_ci, need

from hanji import sign

HERE = Path(__file__).resolve().parent
PINNED = HERE / "kpqc.txt"
FOLDER = HERE.parents[1] / "build/peers/kpqc-0.2.1"
SETS = [name for name in sign.schemes() if name.startswith("aimer3-")]
CONTEXTS = (b"", b"a", bytes(255))


@cache
def fetch() -> str | None:
    """Compile it where it is not there yet; what went wrong, or None."""
    if (FOLDER / "done").exists():
        return None
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "--no-binary",
        "kpqc",
        "--upgrade",
    ]
    done = subprocess.run(
        [*command, "--target", FOLDER, "-r", PINNED],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return (done.stdout + done.stderr).strip()[-600:]
    (FOLDER / "done").touch()
    return None


@pytest.fixture(scope="module")
def kpqc() -> ModuleType:
    """Its module for AIMer; without a network the tests are skipped, but in CI they fail."""
    need("gcc")
    if failure := fetch():
        message = f"pip did not bring {PINNED.read_text().splitlines()[-1].split()[0]}: {failure}"
        if in_ci():
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    sys.path.append(str(FOLDER))
    try:
        return importlib.import_module("kpqc.aimer")
    finally:
        sys.path.remove(str(FOLDER))


def changed(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize("name", SETS)
def test_both_directions(kpqc: ModuleType, name: str) -> None:
    """Keys and signatures of either side with contexts; what is changed is refused by both."""
    theirs, scheme = getattr(kpqc, name.replace("aimer3-", "aimer")), sign.scheme(name)
    pair, private = theirs.generate_key_pair(), scheme.generate()
    assert scheme(pair.secret_key).public_key.raw == pair.public_key
    for number, context in enumerate(CONTEXTS):
        message = bytes([number]) * (number * 999)
        for secret, public in (
            (pair.secret_key, pair.public_key),
            (private.raw, private.public_key.raw),
        ):
            ours = scheme.PublicKey(public)
            for signature in (
                theirs.sign(message, secret, context=context),
                scheme(secret).sign(message, context=context),
            ):
                assert theirs.verify(message, signature, public, context=context)
                ours.verify(signature, message, context=context)
    other = b"x" + context[1:]
    for wrong, text, said in (
        (changed(signature, 0), message, context),
        (changed(signature, len(signature) // 2), message, context),
        (changed(signature, len(signature) - 1), message, context),
        (signature, message + b"x", context),
        (signature, message, other),
    ):
        assert not theirs.verify(text, wrong, public, context=said)
        with pytest.raises(sign.InvalidSignature):
            ours.verify(wrong, text, context=said)


def test_forgeries_are_refused(kpqc: ModuleType) -> None:
    """What forges v2.1, all t_s zero and key from the last relation, is refused by both."""
    from hanji_lab.spec.aimer3 import VARIANTS

    one, scheme = VARIANTS["aimer3-128f"], sign.scheme("aimer3-128f")
    public_key = scheme.generate().public_key
    iv, ct = public_key.raw[:16], public_key.raw[16:]
    public = one.public(iv, ct)
    zeros = [0] * one.sboxes
    key = public[2] ^ one.sbox(one.inputs(0, zeros, public)[-1], one.exponents[-1])
    assert one.holds([key, *zeros], public)[-1]
    forged = one.prove([key, *zeros], iv, ct, one.digest_message(iv, ct, b"text"), bytes)
    assert len(forged) == scheme.signature_size
    assert not kpqc.aimer128f.verify(b"text", forged, public_key.raw)
    with pytest.raises(sign.InvalidSignature):
        public_key.verify(forged, b"text")
