# SPDX-License-Identifier: Apache-2.0
"""What signing leaves behind: stack and scratch memory are searched for keys, seeds, shares and
randomness that the specification computes.
"""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache

import kat
import pytest
from builds import environment, program
from test_aimer3 import STORED as STORED3
from test_aimer3 import counts as counts3
from test_aimer3 import sign as sign3
from test_aimer_kat import STORED, sign, tiers

from hanji_lab.spec.aimer import VARIANTS, apply

SEARCHED = (
    *("aimer3-128f", "aimer3-192f", "aimer3-256f"),
    *("aimer2-128f", "aimer2-192f", "aimer2-256s", "aimer1-l1-param2", "aimer1-l5-param1"),
)


@cache
def request(name: str, memory: str) -> str:
    """The first known answer, and everything in it that its signature does not reveal."""
    one = VARIANTS[name]
    b = one.size
    ((count, public, secret, signature),) = sign(
        "host-gcc",
        name,
        list(kat.counts(one.version, b, one.repetitions, 1)),
    )
    assert hashlib.sha256(signature).hexdigest() == STORED[name]["counts"][0]["signature_sha256"]
    key_bytes, iv, ct = secret[-3 * b : -2 * b], secret[-2 * b : -b], secret[-b:]
    key = int.from_bytes(key_bytes, "little")
    t = one.sbox_outputs(key)
    matrices, (x_star,) = one.affine(iv)
    for matrix, element in zip(matrices, t, strict=True):
        x_star ^= apply(matrix, element)
    random = count.random[2 * b :]
    salt, rest = signature[: one.salt_size], signature[one.salt_size :]
    if one.version == 2:
        stream = one.xof(
            b"\x03" + key_bytes + one.digest_message(iv, ct, count.message) + random,
            b * (1 + one.repetitions),
        )
        seeds = random
    else:
        stream, seeds = random[b:], b""  # the salt, of two elements, comes first
    roots = [stream[i : i + b] for i in range(b, len(stream), b)]
    assert len(roots) == one.repetitions
    nodes, shares, sums = b"".join(roots), b"", b""
    for e, hidden in enumerate(one.hidden_parties(rest[2 * b : 4 * b])):
        row = rest[4 * b + e * one.row_size : 4 * b + (e + 1) * one.row_size]
        number, seed = 1, roots[e]
        for level in reversed(range(one.depth)):
            both = one.expand(salt, e, number, seed, False)
            number = 2 * number + (hidden >> level & 1)
            seed = both[b:] if number % 2 else both[:b]
            nodes += seed
        leaf = one.expand(salt, e, hidden, seed, True)
        assert leaf[: 2 * b] == row[one.depth * b : (one.depth + 2) * b], (
            "the commitment of the hidden party"
        )
        shares += leaf[2 * b :]
        delta = one.elements(row[(one.depth + 2) * b : -b])
        sums += b"".join(
            one.encode(d ^ element) for d, element in zip(delta, [key, *t], strict=False)
        )
    secrets = {
        "key": key_bytes,
        "sboxes": b"".join(map(one.encode, t)),
        "x": one.encode(x_star),
        "seeds": seeds + nodes,
        "shares": shares,
        "sums": sums,
        "message": count.message,
    }
    return lines(name, memory, count, secret, public, secrets)


def lines(
    name: str,
    memory: str,
    count: kat.Count,
    secret: bytes,
    public: bytes,
    secrets: dict[str, bytes],
) -> str:
    given = [
        f"{name} {memory}",
        f"secret-key {secret.hex()}",
        f"public-key {public.hex()}",
        f"random {count.random.hex()}",
    ]
    given.append(f"message {count.message.hex()}")
    return (
        "\n".join(given + [f"secret {what} {data.hex()}" for what, data in secrets.items()]) + "\n"
    )


@cache
def request3(name: str, memory: str) -> str:
    """The same of v3: seeds and shares by hashing alone, and the values of the one-way function
    from the stored ones.
    """
    (stored,) = (entry for entry in kat.vectors3()["intermediate"] if entry["set"] == name)
    ((count, public, secret, signature),) = sign3("host-gcc", name, counts3(name, 1))
    assert hashlib.sha256(signature).hexdigest() == STORED3[name]["counts"][0]["signature_sha256"]
    b, depth, sboxes = len(secret) // 3, 4, len(stored["t"])
    repetitions = {16: 33, 24: 49, 32: 65}[b]

    def xof(data: bytes, size: int) -> bytes:
        return (hashlib.shake_128 if b == 16 else hashlib.shake_256)(data).digest(size)

    key, salt, rest = secret[:b], signature[:b], signature[5 * b :]
    rnd = count.random[2 * b :]
    stream = xof(b"\x03" + key + bytes.fromhex(stored["mu"]) + rnd, b * (1 + repetitions))
    assert stream[:b] == salt
    hidden_parties = [byte % 16 for byte in xof(signature[3 * b : 5 * b], repetitions)]
    row_size = (depth + 2 * sboxes + 5) * b
    nodes, shares, sums = stream[b:], b"", b""
    truth = key + b"".join(map(bytes.fromhex, stored["t"]))
    for e, hidden in enumerate(hidden_parties):
        row = rest[e * row_size : (e + 1) * row_size]
        number, seed = 1, stream[(e + 1) * b : (e + 2) * b]
        for level in reversed(range(depth)):
            both = xof(b"\x04" + salt + bytes([e, number]) + seed, 2 * b)
            number = 2 * number + (hidden >> level & 1)
            seed = both[b:] if number % 2 else both[:b]
            nodes += seed
        leaf = xof(b"\x05" + salt + bytes([e, hidden]) + seed, 2 * b + (2 * sboxes + 3) * b)
        assert leaf[: 2 * b] == row[depth * b : (depth + 2) * b], (
            "the commitment of the hidden party"
        )
        shares += leaf[2 * b :]
        delta = row[(depth + 2) * b : (depth + 3 + sboxes) * b]
        sums += bytes(d ^ element for d, element in zip(delta, truth, strict=True))
    secrets = {
        "key": key,
        "sboxes": b"".join(map(bytes.fromhex, [*stored["t"], stored["y_out"]])),
        "x": b"".join(map(bytes.fromhex, stored["x"])),
        "seeds": rnd + nodes,
        "shares": shares,
        "sums": sums,
        "message": count.message,
    }
    return lines(name, memory, count, secret, public, secrets)


def search(preset: str, name: str, memory: str, **extra: str) -> None:
    done = subprocess.run(
        program(preset, "aimer_wipe"),
        input=(request3 if name in STORED3 else request)(name, memory),
        capture_output=True,
        text=True,
        env=environment(**extra),
    )
    found = done.stdout.splitlines()
    where = f"{preset} {name} {memory} {extra}"
    assert [line.partition(":")[0] for line in found[:2]] == ["FOUND control"] * 2, (
        f"{where}: {done.stdout} {done.stderr}"
    )
    assert "of the stack" in found[0] and "of the scratch memory" in found[1]
    assert done.returncode == 0 and found[2:] == ["0 secrets found"], f"{where}:\n" + "\n".join(
        found[2:],
    )


@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
@pytest.mark.parametrize(
    "name",
    [
        "aimer3-128f",
        "aimer3-192f",
        "aimer3-256f",
        "aimer2-128f",
        "aimer2-192f",
        "aimer2-256s",
        "aimer1-l1-param2",
        "aimer1-l5-param1",
    ],
)
def test_secrets_are_wiped(preset: str, name: str) -> None:
    for memory in ("batch", "least"):
        for tier in tiers(preset):
            search(preset, name, memory, HANJI_FORCE=tier)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "tier"),
    [("cortex-a72", "portable"), ("cortex-a72", "crypto"), ("max", "sha3")],
)
def test_secrets_are_wiped_on_aarch64(cpu: str, tier: str) -> None:
    search("aarch64", "aimer3-128f", "full", HANJI_FORCE=tier, QEMU_CPU=cpu)
