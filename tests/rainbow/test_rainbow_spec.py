# SPDX-License-Identifier: Apache-2.0
"""The executable specification of Rainbow gives the known answers, and every published intermediate
value.
"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from rainbow_programs import SETS, vectors

from hanji_lab.spec import algorithm
from hanji_lab.spec.rainbow import CENTRAL, GROUPS, Generator


def test_cipher_is_aes() -> None:
    """FIPS 197, appendix C.3."""
    aes = algorithm("aes256")
    found = aes.encrypt(
        bytes.fromhex("00112233445566778899aabbccddeeff"), aes.expand(bytes(range(32)))
    )
    assert found.hex() == "8ea2b7ca516745bfeafc49904b496089"


def case(count: int) -> tuple[bytes, Generator]:
    """Message and generator of one count of a known-answer file."""
    outer = Generator(bytes(range(48)))
    for number in range(count + 1):
        seed, message = outer.draw(48), outer.draw(33 * (number + 1))
    return message, Generator(seed)


def answers(name: str, count: int) -> tuple[Any, bytes, bytes, bytes, bytes]:
    """(specification, public key, secret key, message, signature) of one count."""
    specified = algorithm(name)
    message, random = case(count)
    seeds = random.draw(32) + (b"" if specified.variant == "classic" else random.draw(32))
    public, secret = specified.keypair(seeds)
    return specified, public, secret, message, specified.sign(secret, message)


@pytest.mark.parametrize("name", SETS)
def test_first_known_answer(name: str) -> None:
    specified, public, secret, message, signature = answers(name, 0)
    row = vectors("kat")["sets"][name]["records"][0]
    assert [hashlib.sha256(key).hexdigest() for key in (public, secret)] == [
        row["pk_sha256"],
        row["sk_sha256"],
    ]
    assert signature.hex() == row["signature"]
    assert specified.verify(public, message, signature)
    assert not specified.verify(public, message + b"x", signature)
    assert not specified.verify(public, message, signature[:-1])
    assert not specified.verify(public, message, bytes([signature[0] ^ 1]) + signature[1:])


@pytest.mark.parametrize("name", [name for name in SETS if "-i-" in name])
def test_repeated_draws(name: str) -> None:
    """Those of level I that draw more than once: the most salts, and vinegars again."""
    rows = vectors("kat")["sets"][name]["retries"]
    assert rows
    for row in rows[:3]:
        *_, signature = answers(name, row["count"])
        assert signature.hex() == row["signature"], f"count {row['count']}"


def test_every_intermediate_value() -> None:
    known = vectors("intermediate")
    used: set[str] = set()

    def same(key: str, found: bytes, expected: Any) -> None:
        """A value given whole, or by its size, its digest, and its ends."""
        used.add(key)
        if isinstance(expected, str):
            expected = {"sha256" if key.endswith("_sha256") else "whole": expected}
        for kind, value in expected.items():
            if kind == "bytes":
                assert len(found) == value, key
            elif kind == "sha256":
                assert hashlib.sha256(found).hexdigest() == value, key
            elif kind == "whole" or kind.startswith(("first", "last")):
                text = found.hex()
                assert (
                    text
                    if kind == "whole"
                    else text[: len(value)]
                    if kind.startswith("first")
                    else text[-len(value) :]
                ) == value, key
            else:
                raise AssertionError(f"{key}: {kind} is not known")

    specified, public, secret, message, signature = answers("rainbow-i-classic", 0)
    outer = Generator(bytes(range(48)))
    same("kat_seed", outer.draw(48), known["kat_seed"])
    same("message", message, known["message"])
    same("sk_seed", secret[:32], known["sk_seed"])
    generator = specified.generator(secret[:32])
    same(
        "seed48",
        secret[:32] + hashlib.sha256(secret[:32]).digest()[:16],
        known["key_generator"]["seed48"],
    )
    same("key_after_init", generator.key, known["key_generator"]["key_after_init"])
    same(
        "counter_after_init",
        generator.counter.to_bytes(16, "big"),
        known["key_generator"]["counter_after_init"],
    )
    made = specified.maps(secret[:32], b"")
    for name in ("S1", "T1", "T4", "T3", "T2"):
        found = b"".join(map(specified.field.pack, made[name]))
        key = name if name in known["secret_blocks"] else f"{name} (not stored)"
        same(key, found, known["secret_blocks"][key])
    for layer in (1, 2):
        for name in CENTRAL[layer]:
            same(
                f"F{layer}.{name}",
                specified.serial(made["F"][layer][name], layer, name),
                known["secret_blocks"][f"F{layer}.{name}"],
            )
        for kind in "QP":
            for name in GROUPS:
                key = f"{kind}{layer}.{name}"
                same(
                    key,
                    specified.serial(made[kind][layer][name], layer, name),
                    known["public_blocks"][key],
                )
    same("pk", public, known["pk"])
    same("sk", secret, known["sk"])

    seen = specified.signing(secret, message)
    m1 = [specified.field.unpack(column) for column in seen["M1"]]
    units = [bytes(int(i == j) for i in range(specified.o1)) for j in range(specified.o1)]
    inverse = [specified.field.solve(m1, unit) for unit in units]
    joined = {name: b"".join(seen[name]) for name in ("M1", "N", "R", "M2")}
    values = seen | {
        "M1_columns": joined["M1"],
        "M1_inverse_columns": b"".join(map(specified.field.pack, inverse)),
        "N_columns_sha256": joined["N"],
        "R_columns_sha256": joined["R"],
        "M2_columns_sha256": joined["M2"],
    }
    for key, expected in known["signing"].items():
        if isinstance(expected, int):
            used.add(key)
            assert values[key] == expected, key
        else:
            same(key, values[key], expected)
    same(
        "public_map_of_s",
        specified.public_map(public, signature[:-16]),
        known["verification"]["public_map_of_s"],
    )
    assert known["smlen"] == len(message) + len(signature)

    listed = {key for key in known if not isinstance(known[key], dict)} - {
        "set",
        "count",
        "algorithm",
        "note",
        "smlen",
    }
    listed |= {"pk", "sk"}.union(
        *(
            known[part]
            for part in (
                "key_generator",
                "secret_blocks",
                "public_blocks",
                "signing",
                "verification",
            )
        )
    )
    assert used == listed


def test_control_a_wrong_block_is_seen() -> None:
    """One coefficient changed in the public key, and the signature is none."""
    specified, public, _, message, signature = answers("rainbow-i-classic", 0)
    for place in (0, 32 * 50, len(public) - 1):
        spoilt = public[:place] + bytes([public[place] ^ 1]) + public[place + 1 :]
        x = specified.field.unpack(signature[:-16])
        factor = next(
            x[i] * x[j]
            for n, (i, j) in enumerate((i, j) for i in range(100) for j in range(i, 100))
            if n == place // 32
        )
        assert specified.verify(spoilt, message, signature) == (factor == 0)
