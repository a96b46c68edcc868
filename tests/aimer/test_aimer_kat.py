# SPDX-License-Identifier: Apache-2.0
"""AIMer reproduces the official known-answer files: the specification, and the C library on every
machine, in full and in little memory.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator

import kat
import pytest
from builds import environment, program

from hanji_lab import spec
from hanji_lab.spec.aimer import VARIANTS

STORED = {entry["set"]: entry for entry in kat.vectors()["sets"]}
QUICK = [name for name in VARIANTS if not name.endswith("param4")]
PIN = "153352a87e129ab666315041dbdda3804a0c1bbdcf7cc4a137da0b1668687e96"


def counts(name: str, number: int) -> list[kat.Count]:
    one = VARIANTS[name]
    return list(kat.counts(one.version, one.size, one.repetitions, number))


def ask(preset: str, requests: list[str], seconds: float = 600, **extra: str) -> list[str]:
    """The answers of tests/c/aimer_main.c."""
    done = subprocess.run(
        program(preset, "aimer"),
        input="\n".join(requests) + "\n",
        capture_output=True,
        text=True,
        env=environment(**extra),
    )
    assert done.returncode == 0, f"{preset}: status {done.returncode}: {done.stderr[-3000:]}"
    answers = done.stdout.splitlines()
    assert len(answers) == len(requests), (
        f"{preset}: {len(answers)} answers to {len(requests)} requests"
    )
    return answers


def sign(
    preset: str, name: str, which: list[kat.Count], memory: str = "full", **extra: str
) -> Iterator[tuple[kat.Count, bytes, bytes, bytes]]:
    answers = ask(
        preset,
        [f"sign {name} {memory} {c.random.hex()} {c.message.hex() or '-'}" for c in which],
        **extra,
    )
    for count, answer in zip(which, answers, strict=True):
        assert not answer.startswith("mismatch"), f"{preset} {name} count {count.number}: {answer}"
        public, secret, signature = map(bytes.fromhex, answer.split(" "))
        yield count, public, secret, signature


def compare(preset: str, name: str, number: int, memory: str = "full", **extra: str) -> None:
    """The first entries, each by itself."""
    for count, public, _, signature in sign(preset, name, counts(name, number), memory, **extra):
        stored = STORED[name]["counts"][count.number]
        where = f"{preset} {name} count {count.number} ({memory} memory {extra})"
        assert public.hex() == stored["pk"], f"{where}: public key"
        assert hashlib.sha256(signature).hexdigest() == stored["signature_sha256"], (
            f"{where}: signature"
        )


def digest(preset: str, name: str, number: int) -> str:
    hashed = hashlib.sha256()
    for piece in kat.text(STORED[name]["title"], sign(preset, name, counts(name, number))):
        hashed.update(piece.encode())
    return hashed.hexdigest()


def test_the_stored_vectors_are_whole() -> None:
    assert hashlib.sha256(kat.VECTORS.read_bytes()).hexdigest() == PIN
    assert list(STORED) == list(VARIANTS)
    assert all(len(entry["counts"]) == 10 for entry in STORED.values())


def test_the_generator_has_aes() -> None:
    # FIPS 197, appendix C.3.
    block = kat.Aes256(bytes(range(32))).encrypt(bytes.fromhex("00112233445566778899aabbccddeeff"))
    assert block.hex() == "8ea2b7ca516745bfeafc49904b496089"


@pytest.mark.parametrize(
    "name", ["aimer2-128f", "aimer2-256f", "aimer1-l1-param1", "aimer1-l1-param2"]
)
def test_the_specification_signs_as_published(name: str) -> None:
    one, (count,) = VARIANTS[name], counts(name, 1)
    given = iter([count.random[at : at + size] for at, size in offsets(one)])
    public, secret = one.keypair(lambda size: next(given))
    signature = one.sign(secret, count.message, lambda size: next(given))
    assert public.hex() == STORED[name]["counts"][0]["pk"]
    assert hashlib.sha256(signature).hexdigest() == STORED[name]["counts"][0]["signature_sha256"]
    assert one.verify(public, count.message, signature)
    assert not one.verify(public, count.message + b"x", signature)
    assert not one.verify(public, count.message, signature[:-1] + bytes([signature[-1] ^ 1]))


def offsets(one: spec.aimer.Aimer) -> Iterator[tuple[int, int]]:
    at = 0
    for size in kat.requests(one.version, one.size, one.repetitions):
        yield at, size
        at += size


@pytest.mark.parametrize("stored", kat.vectors()["intermediate"], ids=lambda entry: entry["set"])
def test_the_specification_has_the_published_values_on_the_way(stored: dict) -> None:
    one = VARIANTS[stored["set"]]
    iv, key = bytes.fromhex(stored["iv"]), bytes.fromhex(stored["key"])
    matrices, (b,) = one.affine(iv)
    for s, matrix in enumerate(matrices, start=1):
        hashed = hashlib.sha256(b"".join(map(one.encode, matrix))).hexdigest()
        assert hashed == stored[f"A_{s}_sha256"], f"matrix {s}"
    assert one.encode(b).hex() == stored["b"]
    assert [one.encode(t).hex() for t in one.sbox_outputs(int.from_bytes(key, "little"))] == [
        stored[f"t_{s + 1}"] for s in range(one.sboxes)
    ]
    assert one.one_way(key, iv).hex() == stored["ct"]
    salt = bytes.fromhex(stored["salt"])
    nodes = {1: bytes.fromhex(stored["root0"])}
    one.grow(salt, 0, nodes)
    leaves = [nodes[(1 << one.depth) + i] for i in range(one.parties)]
    assert hashlib.sha256(b"".join(leaves)).hexdigest() == stored["rep0_all_leaf_seeds_sha256"]
    assert (
        one.expand(salt, 0, 0, leaves[0], True)[2 * one.size :].hex() == stored["rep0_party0_tape"]
    )
    assert [
        one.encode(e).hex() for e in one.challenge(bytes.fromhex(stored["h1"]))[: one.sboxes + 1]
    ] == stored["epsilon_rep0"]
    assert one.hidden_parties(bytes.fromhex(stored["h2"])) == stored["hidden"]


@pytest.mark.parametrize("name", QUICK)
def test_ten_counts(name: str) -> None:
    assert digest("host-gcc", name, 10) == STORED[name]["first10_sha256"]


@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in QUICK])
def test_two_counts_of_the_largest(name: str) -> None:
    compare("host-gcc", name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_the_whole_file(name: str) -> None:
    assert digest("host-gcc", name, 100) == STORED[name]["rsp_sha256"]


@pytest.mark.parametrize("memory", ["batch", "small", "least"])
@pytest.mark.parametrize("name", VARIANTS)
def test_other_sizes_of_memory_give_the_same(name: str, memory: str) -> None:
    compare("host-gcc", name, 1, memory)


@pytest.mark.parametrize("preset", ["host-clang", "asan", "aarch64", "s390x"])
@pytest.mark.parametrize(
    "name", ["aimer2-128f", "aimer2-192f", "aimer2-256f", "aimer1-l1-param1", "aimer1-l1-param2"]
)
def test_other_machines_and_compilers(preset: str, name: str) -> None:
    for memory in ("batch", "full", "least"):
        compare(preset, name, 1, memory)


@pytest.mark.parametrize("preset", ["rv32i", "rv32imac"])
def test_firmware(preset: str) -> None:
    for name in ("aimer2-128f", "aimer1-l1-param2"):
        compare(preset, name, 1, "least")


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["host-clang", "asan", "aarch64", "s390x", "rv32i"])
@pytest.mark.parametrize("name", VARIANTS)
def test_other_machines_in_full(preset: str, name: str) -> None:
    compare(preset, name, 1, "least" if preset == "rv32i" else "full")


def tiers(preset: str) -> list[str]:
    """The tiers that this machine runs."""
    done = subprocess.run(
        program(preset, "tiers"), capture_output=True, text=True, env=environment(), check=True
    )
    states = (word.split("=") for word in done.stdout.split()[1:])
    return [name for name, state in states if state != "0"]


@pytest.mark.parametrize("name", QUICK)
def test_every_tier_of_this_machine(name: str) -> None:
    for tier in tiers("host-gcc"):
        compare("host-gcc", name, 1, "batch", HANJI_FORCE=tier)


# Cortex-A72 has NEON and PMULL and no FEAT_SHA3; max has all that qemu knows.
@pytest.mark.parametrize(
    ("cpu", "tier"), [("cortex-a72", "neon"), ("cortex-a72", "crypto"), ("max", "sha3")]
)
@pytest.mark.parametrize("name", ["aimer2-128f", "aimer2-192f", "aimer2-256f", "aimer1-l1-param2"])
def test_every_tier_of_aarch64(cpu: str, tier: str, name: str) -> None:
    compare("aarch64", name, 1, "batch", HANJI_FORCE=tier, QEMU_CPU=cpu)


def test_control_a_tier_that_the_machine_lacks_is_refused() -> None:
    (count,) = counts("aimer2-128f", 1)
    (answer,) = ask(
        "aarch64",
        [f"sign aimer2-128f full {count.random.hex()} {count.message.hex()}"],
        HANJI_FORCE="sha3",
        QEMU_CPU="cortex-a72",
    )
    assert answer == "mismatch: HANJI_E_UNSUPPORTED"
