# SPDX-License-Identifier: Apache-2.0
"""The executable specification of AIMer v3 makes the known answers, values on the way, and what
known answers lack.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import kat
import pytest

from hanji_lab.spec.aimer3 import VARIANTS, Aimer3, ZeroInputError

STORED = {entry["set"]: entry for entry in kat.vectors3()["sets"]}
EXTRA = kat.vectors3()["extra"]
FAST = [name for name in VARIANTS if name.endswith("f")]


def given(data: bytes) -> Callable[[int], bytes]:
    """A source of random bytes that gives these, and fails when they are used up."""
    at = 0

    def random(size: int) -> bytes:
        nonlocal at
        at += size
        assert at <= len(data), "more random bytes are asked for than there are"
        return data[at - size : at]

    return random


def number(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_sizes() -> None:
    sizes = {name: one.signature_size for name, one in VARIANTS.items()}
    assert sizes == dict(zip(STORED, (6944, 4704, 15408, 10320, 31360, 20224), strict=True))
    assert [(one.public_key_size, one.secret_key_size) for one in VARIANTS.values()] == [
        (32, 48)
    ] * 2 + [(48, 72)] * 2 + [(64, 96)] * 2


@dataclass(frozen=True)
class Traced(Aimer3):
    """A set that keeps what it hashes, by the first byte of what is hashed and in order."""

    hashed: list[tuple[bytes, bytes]] = field(default_factory=list)

    def xof(self, data: bytes, size: int) -> bytes:
        result = super().xof(data, size)
        self.hashed.append((data, result))
        return result


def test_the_first_count_of_every_set() -> None:
    for name, one in VARIANTS.items():
        (count,) = kat.counts(3, one.size, one.repetitions, 1)
        random = given(count.random)
        public, secret = one.keypair(random)
        stored = STORED[name]["counts"][0]
        assert public.hex() == stored["pk"], name
        if name not in FAST:
            continue
        signature = one.sign(secret, count.message, random)
        assert sha256(signature) == stored["signature_sha256"], name
        assert one.verify(public, count.message, signature)
        assert not one.verify(public, count.message + b"x", signature)
        assert not one.verify(public, count.message, signature, b"x")
        assert not one.verify(public, count.message, signature[:-1] + bytes([signature[-1] ^ 1]))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in FAST])
def test_the_first_count_of_the_sets_with_small_signatures(name: str) -> None:
    one = VARIANTS[name]
    (count,) = kat.counts(3, one.size, one.repetitions, 1)
    random = given(count.random)
    public, secret = one.keypair(random)
    signature = one.sign(secret, count.message, random)
    assert sha256(signature) == STORED[name]["counts"][0]["signature_sha256"]
    assert one.verify(public, count.message, signature)


@pytest.mark.parametrize("stored", kat.vectors3()["intermediate"], ids=lambda entry: entry["set"])
def test_values_on_the_way(stored: dict) -> None:
    plain = VARIANTS[stored["set"]]
    one = Traced(
        plain.name, plain.version, plain.n, plain.id, plain.repetitions, plain.parties, plain.depth
    )
    b = one.size
    key, iv, ct, message = (bytes.fromhex(stored[name]) for name in ("key", "iv", "ct", "message"))
    public = one.public(iv, ct)
    matrices, vectors, _ = public
    for j, matrix in enumerate(matrices, start=1):
        columns = list(map(one.encode, matrix))
        assert sha256(b"".join(columns)) == stored[f"A_{j}_sha256"], f"matrix {j}"
        assert [columns[at].hex() for at in (0, 1, -1)] == [
            stored[f"A_{j}_column{at}"] for at in ("0", "1", "_last")
        ]
    assert [one.encode(element).hex() for element in vectors] == stored["b"]
    secret = int.from_bytes(key, "little")
    t, found = one.evaluate(secret, public)
    assert [one.encode(element).hex() for element in t] == stored["t"]
    assert [one.encode(element).hex() for element in one.inputs(secret, t, public)] == stored["x"]
    assert one.encode(found ^ secret).hex() == stored["y_out"]
    assert one.encode(found) == ct
    one.hashed.clear()
    signature = one.sign(key + iv + ct, message, given(bytes.fromhex(stored["rnd"])))
    inputs = [data for data, _ in one.hashed]
    results = dict(one.hashed)
    for label in ("mu", "salt"):
        assert bytes.fromhex(stored[f"{label}_input"]) in inputs, label
        assert results[bytes.fromhex(stored[f"{label}_input"])].hex().startswith(stored[label]), (
            label
        )
    for label in (
        "rep0_tree_root",
        "rep0_tree_node_1_1",
        "rep0_party0_commit",
        "last_rep_last_party_commit",
    ):
        assert bytes.fromhex(stored[f"{label}_xof_input"]) in inputs, label
    tape = results[bytes.fromhex(stored["rep0_party0_commit_xof_input"])]
    assert tape[2 * b :].hex() == stored["rep0_party0_tape"]
    assert tape[: 2 * b].hex() == stored["rep0_commitment"][0]
    h1_input, h2_input = (
        next(data for data in inputs if len(data) == stored[f"h{i}_input_len"] and data[0] == i)
        for i in (1, 2)
    )
    assert h1_input.hex().startswith(stored["h1_input_first_96"])
    assert sha256(h1_input) == stored["h1_input_sha256"]
    assert results[h1_input].hex() == stored["h1"]
    assert h2_input.hex().startswith(stored["h2_input_first_160"])
    assert sha256(h2_input) == stored["h2_input_sha256"]
    assert results[h2_input].hex() == stored["h2"]
    epsilon = [one.encode(element) for element in one.challenge(bytes.fromhex(stored["h1"]))]
    assert sha256(b"".join(epsilon)) == stored["epsilon_all_sha256"]
    assert [element.hex() for element in epsilon[: one.masks]] == stored["epsilon_rep0"]
    assert one.hidden_parties(bytes.fromhex(stored["h2"])) == stored["hidden"]
    assert sha256(signature) == stored["signature_sha256"]
    first = signature[5 * b : 5 * b + one.row_size]
    assert first.hex() == stored["signature_rep0"]
    delta = stored["corrections_first"]
    assert (
        first[(one.depth + 2) * b : -one.masks * b].hex()
        == delta["dkey"] + "".join(delta["dt"]) + delta["dc"]
    )


@pytest.mark.parametrize("n", [128, 192, 256])
def test_what_known_answers_lack(n: int) -> None:
    """The one-way function, S-boxes, keys with a zero input, and key generation that meets them."""
    one, extra = VARIANTS[f"aimer3-{n}f"], EXTRA[f"n{n}"]
    for exponent, outputs in extra["sbox"]["y"].items():
        for x, y in zip(extra["sbox"]["x"], outputs, strict=True):
            assert one.sbox(number(x), int(exponent)) == number(y), f"S-box {exponent} of {x}"
    with pytest.raises(ZeroInputError):
        one.sbox(0, one.exponents[0])
    way = extra["one_way"]
    key, iv = bytes.fromhex(way["key"]), bytes.fromhex(way["iv"])
    assert one.one_way(key, iv).hex() == way["ct"]
    zero = extra["zero_input"]
    for s, text in enumerate(zero["key_with_x_s_zero"]):
        bad, at = bytes.fromhex(text), bytes.fromhex(zero["iv"])
        assert one.inputs(number(text), [0] * one.sboxes, one.public(at, bytes(one.size)))[s] == 0
        with pytest.raises(ZeroInputError):
            one.one_way(bad, at)
        with pytest.raises(ZeroInputError):
            one.sign(bad + at + bytes(one.size), b"", given(b""))
    drawn = bytes.fromhex(extra["retry"]["random_bytes"])
    assert [part.hex() for part in one.keypair(given(drawn))] == [
        extra["retry"]["pk"],
        extra["retry"]["sk"],
    ]
    with pytest.raises(AssertionError, match="more random bytes"):
        one.keypair(given(drawn[: -2 * one.size]))


@pytest.mark.parametrize("name", FAST[:1])
def test_contexts(name: str) -> None:
    one, stored = VARIANTS[name], EXTRA[name]
    public, secret, message = (bytes.fromhex(stored[part]) for part in ("pk", "sk", "message"))
    for row in stored["signatures"]:
        context = bytes.fromhex(row["context"])
        signature = one.sign(secret, message, given(bytes.fromhex(row["rnd"])), context)
        assert sha256(signature) == row["signature_sha256"], row["context"]
        assert signature.hex().startswith(row["signature_first_32"])
    assert len(context) == 255
    assert one.verify(public, message, signature, context)
    assert not one.verify(public, message, signature, context[:-1])
    assert not one.verify(public, message, signature, context + b"x")
    with pytest.raises(ValueError, match="a context has at most 255 bytes; 256 were given"):
        one.sign(secret, message, given(bytes(one.size)), context + b"x")
