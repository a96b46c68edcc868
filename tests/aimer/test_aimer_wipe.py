# SPDX-License-Identifier: Apache-2.0
"""What signing leaves behind: stack and scratch memory are searched for keys, seeds, shares and randomness that the specification computes."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache

import kat
import pytest
from builds import environment, program
from test_aimer_kat import STORED, sign, tiers

from hanji_lab.patience import timeout
from hanji_lab.spec.aimer import VARIANTS, apply


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
        assert leaf[: 2 * b] == row[one.depth * b : (one.depth + 2) * b], "the commitment of the hidden party"
        shares += leaf[2 * b :]
        delta = one.elements(row[(one.depth + 2) * b : -b])
        sums += b"".join(one.encode(d ^ element) for d, element in zip(delta, [key, *t], strict=False))
    secrets = {
        "key": key_bytes,
        "sboxes": b"".join(map(one.encode, t)),
        "x": one.encode(x_star),
        "seeds": seeds + nodes,
        "shares": shares,
        "sums": sums,
    }
    lines = [
        f"{name} {memory}",
        f"secret-key {secret.hex()}",
        f"public-key {public.hex()}",
        f"random {count.random.hex()}",
    ]
    lines.append(f"message {count.message.hex()}")
    return "\n".join(lines + [f"secret {what} {data.hex()}" for what, data in secrets.items()]) + "\n"


def search(preset: str, name: str, memory: str, **extra: str) -> None:
    done = subprocess.run(
        program(preset, "aimer_wipe"),
        input=request(name, memory),
        capture_output=True,
        text=True,
        env=environment(**extra),
        timeout=timeout(600),
    )
    found = done.stdout.splitlines()
    where = f"{preset} {name} {memory} {extra}"
    assert [line.partition(":")[0] for line in found[:2]] == ["FOUND control"] * 2, f"{where}: {done.stdout} {done.stderr}"
    assert "of the stack" in found[0] and "of the scratch memory" in found[1]
    assert done.returncode == 0 and found[2:] == ["0 secrets found"], f"{where}:\n" + "\n".join(
        found[2:],
    )


@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
@pytest.mark.parametrize(
    "name",
    ["aimer2-128f", "aimer2-192f", "aimer2-256s", "aimer1-l1-param2", "aimer1-l5-param1"],
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
    search("aarch64", "aimer2-128f", "full", HANJI_FORCE=tier, QEMU_CPU=cpu)
