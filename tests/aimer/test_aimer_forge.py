# SPDX-License-Identifier: Apache-2.0
"""AIMer v2.1 and v1.0 are broken: signatures forged from the public key alone, which a right
verifier accepts.

A verifier that refuses them is not repaired, it is wrong: whoever makes these tests fail has left
the specification.
"""

from __future__ import annotations

import hashlib
import secrets
import subprocess
import sys

import kat
import pytest
from test_aimer_kat import QUICK, STORED, ask

import hanji
from hanji_lab import forge
from hanji_lab.checkout import LabError
from hanji_lab.spec.aimer import VARIANTS, Aimer
from hanji_lab.spec.aimer3 import VARIANTS as NEWER

MESSAGE = b"I never signed this."


def public_key(name: str) -> bytes:
    """That of the first known answer, whose private key nothing here knows."""
    return bytes.fromhex(STORED[name]["counts"][0]["pk"])


def halves(one: Aimer, key: bytes) -> tuple[bytes, bytes]:
    return key[-2 * one.size : -one.size], key[-one.size :]


def test_the_sets_are_those_of_the_catalogue() -> None:
    """What is forged here is what the catalogue calls broken, and no other set of AIMer is."""
    broken = [a.name for a in hanji.algorithms() if a.name.startswith("aimer") and a.broken]
    assert sorted(broken) == sorted(VARIANTS)


def forged_and_accepted(name: str) -> None:
    one, public = VARIANTS[name], public_key(name)
    signature = forge.forge(one, public, MESSAGE)
    requests = [
        f"verify {name} {public.hex()} {text.hex()} {signature.hex()}"
        for text in (MESSAGE, MESSAGE + b"!")
    ]
    assert ask("host-gcc", requests) == ["HANJI_OK", "HANJI_E_TAG"]


@pytest.mark.parametrize("name", QUICK)
def test_a_forgery_from_the_public_key_is_accepted(name: str) -> None:
    forged_and_accepted(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in QUICK])
def test_a_forgery_of_the_largest_sets_is_accepted(name: str) -> None:
    forged_and_accepted(name)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_witness_satisfies_the_relations_and_is_no_key(name: str) -> None:
    one, public = VARIANTS[name], public_key(name)
    iv, ct = halves(one, public)
    found = forge.witness(one, public)
    assert all(one.holds(found, one.public(iv, ct)))
    assert one.one_way(one.encode(found[0]), iv) != ct
    assert found[1:] != one.sbox_outputs(found[0])


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer1-l1-param1"])
def test_control_another_witness_is_refused(name: str) -> None:
    """One bit of each element changed: a relation does not hold, and the signature is refused."""
    one, public = VARIANTS[name], public_key(name)
    iv, ct = halves(one, public)
    for place in range(one.sboxes + 1):
        other = forge.witness(one, public)
        other[place] ^= 1
        assert not all(one.holds(other, one.public(iv, ct)))
        signature = one.prove(
            other, iv, ct, one.digest_message(iv, ct, MESSAGE), secrets.token_bytes
        )
        assert not one.verify(public, MESSAGE, signature)
        assert ask(
            "host-gcc", [f"verify {name} {public.hex()} {MESSAGE.hex()} {signature.hex()}"]
        ) == ["HANJI_E_TAG"]


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer1-l1-param1"])
def test_a_key_is_a_witness_like_any_other(name: str) -> None:
    """prove() with the key makes the known answer: it is the signing procedure, not one for
    forgeries.
    """
    one = VARIANTS[name]
    (count,) = kat.counts(one.version, one.size, one.repetitions, 1)
    at = 0

    def random(size: int) -> bytes:
        nonlocal at
        at += size
        return count.random[at - size : at]

    public, secret = one.keypair(random)
    iv, ct = halves(one, public)
    key = int.from_bytes(secret[-3 * one.size : -2 * one.size], "little")
    witness = [key, *one.sbox_outputs(key)]
    assert all(one.holds(witness, one.public(iv, ct)))
    signature = one.prove(witness, iv, ct, one.digest_message(iv, ct, count.message), random)
    assert hashlib.sha256(signature).hexdigest() == STORED[name]["counts"][0]["signature_sha256"]


def test_linear_systems_are_solved() -> None:
    columns = [0b011, 0b110, 0b111]
    for wanted in range(8):
        vector = forge.solve(columns, wanted)
        total = 0
        for number, column in enumerate(columns):
            total ^= column * (vector >> number & 1)
        assert total == wanted
    with pytest.raises(ValueError, match="no solution"):
        forge.solve([0b011, 0b110, 0b101], 1)
    assert forge.solution([0b011, 0b110, 0b101], 0b101) in (0b100, 0b011)


def lesson(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hanji_lab.cli", "forge", *arguments], capture_output=True, text=True
    )


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer1-l1-param1"])
def test_the_lesson(name: str) -> None:
    done = lesson(name, "--message", "bought")
    assert done.returncode == 0, done.stderr
    for part in (
        name,
        "BROKEN",
        "3 of 3 relations hold",
        "b'bought'",
        "specification: accepted",
        "C library: accepted",
        "another message: refused",
    ):
        assert part in done.stdout, done.stdout


def test_the_lesson_says_what_it_cannot_forge(monkeypatch: pytest.MonkeyPatch) -> None:
    done = lesson("rainbow-i-cz")
    assert done.returncode == 1
    assert (
        "'rainbow-i-cz' is no set that can be forged here; these are: aimer2-128f, aimer2-128s"
        in done.stderr
    )
    done = lesson("aimer3-128f")
    assert done.returncode == 1
    assert "aimer3-128f cannot be forged so: no x = 0 satisfies its relations" in done.stderr
    with pytest.raises(ValueError, match="aimer3-128f cannot be forged so"):
        forge.forge(NEWER["aimer3-128f"], bytes(32), MESSAGE)
    with pytest.raises(
        LabError,
        match=(
            r"'rainbow-i-cz' is no set that can be forged here; these are: aimer2-128f, "
            r".*aimer1-l5-param4"
        ),
    ):
        list(forge.lesson("rainbow-i-cz", MESSAGE))
    monkeypatch.setattr(forge, "verdict", lambda *_: False)
    with pytest.raises(
        LabError, match="the C library does not say what it must: the forgery is refused"
    ):
        list(forge.lesson("aimer1-l1-param1", MESSAGE))
