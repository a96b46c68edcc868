# SPDX-License-Identifier: Apache-2.0
"""AIMer v3 in C: known answers on every machine and tier, contexts, keys that are none, misuse, and
faults while signing.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import kat
import pytest
from builds import ROOT, environment, run
from test_aimer_kat import ask, tiers
from test_c_selftest import Damage, damaged_library

STORED = {entry["set"]: entry for entry in kat.vectors3()["sets"]}
EXTRA = kat.vectors3()["extra"]
FAST = [name for name in STORED if name.endswith("f")]
PIN = "8cf8a1542bdf3c6320719d113f074e043a5049f796f03961f0f504b25bc0132a"
MEMORIES = ("batch", "full", "small", "compact", "least")
CHECK, DETERMINISTIC = 1, 2


def size(name: str) -> int:
    """Bytes of a field element."""
    return int(name[7:10]) // 8


def counts(name: str, number: int) -> list[kat.Count]:
    return list(kat.counts(3, size(name), 0, number))


def sign(
    preset: str, name: str, which: list[kat.Count], memory: str = "full", **extra: str
) -> Iterator[tuple[kat.Count, bytes, bytes, bytes]]:
    answers = ask(
        preset, [f"sign {name} {memory} {c.random.hex()} {c.message.hex()}" for c in which], **extra
    )
    for count, answer in zip(which, answers, strict=True):
        assert not answer.startswith("mismatch"), f"{preset} {name} count {count.number}: {answer}"
        public, secret, signature = map(bytes.fromhex, answer.split(" "))
        yield count, public, secret, signature


def compare(preset: str, name: str, memory: str, **extra: str) -> None:
    """The first entry."""
    for count, public, _, signature in sign(preset, name, counts(name, 1), memory, **extra):
        stored = STORED[name]["counts"][count.number]
        where = f"{preset} {name} ({memory} memory {extra})"
        assert public.hex() == stored["pk"], f"{where}: public key"
        assert hashlib.sha256(signature).hexdigest() == stored["signature_sha256"], (
            f"{where}: signature"
        )


def digest(name: str, number: int) -> str:
    hashed = hashlib.sha256()
    for piece in kat.text(STORED[name]["title"], sign("host-gcc", name, counts(name, number))):
        hashed.update(piece.encode())
    return hashed.hexdigest()


def test_the_stored_vectors_are_whole() -> None:
    assert hashlib.sha256(kat.VECTORS3.read_bytes()).hexdigest() == PIN
    assert list(STORED) == [f"aimer3-{n}{kind}" for n in (128, 192, 256) for kind in "fs"]
    assert all(len(entry["counts"]) == 10 for entry in STORED.values())


@pytest.mark.parametrize("name", FAST)
def test_ten_counts(name: str) -> None:
    assert digest(name, 10) == STORED[name]["first10_sha256"]


@pytest.mark.parametrize("name", [name for name in STORED if name not in FAST])
def test_two_counts_of_small_signatures(name: str) -> None:
    for count, public, _, signature in sign("host-gcc", name, counts(name, 2)):
        stored = STORED[name]["counts"][count.number]
        assert public.hex() == stored["pk"]
        assert hashlib.sha256(signature).hexdigest() == stored["signature_sha256"]


@pytest.mark.slow
@pytest.mark.parametrize("name", STORED)
def test_the_whole_file(name: str) -> None:
    assert digest(name, 100) == STORED[name]["rsp_sha256"]


@pytest.mark.parametrize("name", STORED)
def test_every_tier_and_memory_of_this_machine(name: str) -> None:
    *lower, best = tiers("host-gcc")
    for memory in MEMORIES:
        compare("host-gcc", name, memory, HANJI_FORCE=best)
    for tier in lower:
        for memory in ("batch", "least") if name in FAST else ("batch",):
            compare("host-gcc", name, memory, HANJI_FORCE=tier)


@pytest.mark.parametrize("preset", ["host-clang", "asan", "aarch64", "s390x"])
@pytest.mark.parametrize("name", FAST)
def test_other_machines_and_compilers(preset: str, name: str) -> None:
    for memory in ("batch", "least"):
        compare(preset, name, memory)


@pytest.mark.parametrize("preset", ["rv32i", "rv32imac"])
def test_firmware(preset: str) -> None:
    compare(preset, "aimer3-128f", "least")


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["host-clang", "asan", "aarch64", "s390x", "rv32i"])
@pytest.mark.parametrize("name", STORED)
def test_other_machines_in_full(preset: str, name: str) -> None:
    compare(preset, name, "least" if preset == "rv32i" else "full")


# Cortex-A72 has NEON and PMULL and no FEAT_SHA3; max has all that qemu knows.
@pytest.mark.parametrize(
    ("cpu", "tier"), [("cortex-a72", "neon"), ("cortex-a72", "crypto"), ("max", "sha3")]
)
@pytest.mark.parametrize("name", FAST)
def test_every_tier_of_aarch64(cpu: str, tier: str, name: str) -> None:
    compare("aarch64", name, "batch", HANJI_FORCE=tier, QEMU_CPU=cpu)


# ---- contexts ----


@pytest.mark.parametrize("name", STORED)
def test_contexts(name: str) -> None:
    """Signatures with contexts of 0, 1, 5 and 255 bytes; five ways of signing give the same, and
    other contexts do not verify.
    """
    stored = EXTRA[name]
    assert {len(s["context"]) // 2 for s in stored["signatures"]} == {0, 1, 5, 255}
    requests, expected = [], []
    for one in stored["signatures"]:
        deterministic = not int(one["rnd"], 16)
        for options in (
            DETERMINISTIC if deterministic else 0,
            (DETERMINISTIC if deterministic else 0) | CHECK,
        ):
            random = "-" if deterministic else one["rnd"]
            context = one["context"] or "-"
            requests.append(
                f"context {name} {options} {context} {random} {stored['sk']} {stored['pk']} "
                f"{stored['message']}"
            )
            expected.append(one)
    for one, answer in zip(expected, ask("host-gcc", requests), strict=True):
        assert answer.startswith(one["signature_first_32"]), (
            f"context {one['context'] or '-'}: {answer[:200]}"
        )
        assert hashlib.sha256(bytes.fromhex(answer)).hexdigest() == one["signature_sha256"]


# ---- keys ----


@pytest.mark.parametrize("name", STORED)
def test_keys_with_a_zero_input_are_refused(name: str) -> None:
    zero = EXTRA[f"n{8 * size(name)}"]["zero_input"]
    one = EXTRA[f"n{8 * size(name)}"]["one_way"]
    assert len(zero["key_with_x_s_zero"]) == 3 if name.startswith("aimer3-256") else 2
    for key in zero["key_with_x_s_zero"]:
        (answer,) = ask("host-gcc", [f"secret {name} {key}{zero['iv']}{one['ct']}"])
        assert answer == " ".join(["HANJI_E_ARGUMENT"] * 5), answer
    right = f"{one['key']}{one['iv']}{one['ct']}"
    wrong = f"{right[:-2]}{int(right[-2:], 16) ^ 1:02x}"
    good, bad = ask("host-gcc", [f"secret {name} {right}", f"secret {name} {wrong}"])
    assert good == "HANJI_OK HANJI_OK" + 3 * " HANJI_OK+signature"
    assert bad == " ".join(["HANJI_E_TAG"] * 5)


@pytest.mark.parametrize("name", STORED)
def test_key_generation_draws_again(name: str) -> None:
    retry = EXTRA[f"n{8 * size(name)}"]["retry"]
    drawn = (
        2 * size(name) * (len(EXTRA[f"n{8 * size(name)}"]["zero_input"]["key_with_x_s_zero"]) + 1)
    )
    assert len(retry["random_bytes"]) == 2 * drawn
    good, short, endless = ask(
        "host-gcc",
        [
            f"keypair {name} {retry['random_bytes']}0123",
            f"keypair {name} {retry['random_bytes'][:-2]}",
            f"keypair {name} {retry['random_bytes'][: 4 * size(name)] * 60}",
        ],
    )
    assert good == f"{retry['pk']} {retry['sk']} 2"
    assert short == "HANJI_E_RANDOM"
    assert endless == "HANJI_E_RANDOM"


# ---- every byte counts ----

SOME = 37  # bytes between those that are changed: prime, so that all bits have their turn


def flips(name: str, step: int, key_step: int) -> None:
    """The signature verifies; with a byte of it, or of the public key, changed it does not."""
    ((count, public, _, signature),) = sign("host-gcc", name, counts(name, 1))
    rest = f"{public.hex()} {count.message.hex()} {signature.hex()}"
    another = f"{public.hex()} {bytes(len(count.message)).hex()} {signature.hex()}"
    requests = [
        f"verify {name} {rest}",
        f"flips {name} {step} {rest}",
        f"keyflips {name} {key_step} {rest}",
        f"verify {name} {another}",
    ]
    assert ask("host-gcc", requests, 6000) == ["HANJI_OK", "0", "0", "HANJI_E_TAG"]


@pytest.mark.parametrize("name", STORED)
def test_some_bytes_flipped_are_refused(name: str) -> None:
    length = int(ask("host-gcc", [f"bytes {name}"])[0])
    flips(name, length // SOME - 1 | 1, 1 if name in FAST else 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", STORED)
def test_every_byte_flipped_is_refused(name: str) -> None:
    flips(name, 1, 1)


def test_control_keys_that_are_not_refused_so_are_counted() -> None:
    """A key of v1.0 with another first byte is HANJI_E_ARGUMENT, which is no wrong signature."""
    one = "aimer1-l1-param1"
    (count,) = kat.counts(1, 16, 33, 1)
    (answer,) = ask("host-gcc", [f"sign {one} full {count.random.hex()} {count.message.hex()}"])
    public, _, signature = answer.split(" ")
    rest = f"{public} {count.message.hex()} {signature}"
    assert ask("host-gcc", [f"keyflips {one} 1 {rest}"]) == ["1"]


# ---- misuse ----


@pytest.mark.parametrize(
    "name", [*FAST, "aimer2-128f", "aimer2-192f", "aimer1-l1-param1", "aimer1-l1-param2"]
)
def test_misuse_is_refused(name: str) -> None:
    assert ask("host-gcc", [f"misuse {name}"]) == ["ok"]
    assert ask("asan", [f"misuse {name}"]) == ["ok"]


def test_generations_do_not_verify_each_other() -> None:
    """The same key bytes and message, and a signature cut or extended to the other generation's
    length.
    """
    for n in (128, 192, 256):
        for one, two in ((f"aimer3-{n}f", f"aimer2-{n}f"), (f"aimer2-{n}f", f"aimer3-{n}f")):
            version = 3 if one.startswith("aimer3") else 2
            (count,) = kat.counts(version, n // 8, 0, 1)
            (answer,) = ask(
                "host-gcc", [f"sign {one} full {count.random.hex()} {count.message.hex()}"]
            )
            public, _, signature = answer.split(" ")
            length = 2 * int(ask("host-gcc", [f"bytes {two}"])[0])
            fitted = signature[:length].ljust(length, "0")
            requests = [
                f"verify {two} {public} {count.message.hex()} {text}"
                for text in (signature, fitted)
            ]
            assert ask("host-gcc", requests) == ["HANJI_E_LENGTH", "HANJI_E_TAG"], f"{one} as {two}"


# ---- memory ----


def test_little_memory_of_firmware() -> None:
    """The goals for scratch memory, an expanded key included, beside the signature, with matrices
    that stay and with matrices that are made again; and the header says what it is.
    """
    goals = {
        "aimer3-128f": (16_384, 10_240),
        "aimer3-192f": (32_768, 16_384),
        "aimer3-256f": (71_680, 24_640),
    }
    header = " ".join((ROOT / "include/hanji/sign.h").read_text().replace(" * ", " ").split())
    for name, goal in goals.items():
        (answer,) = ask("rv32i", [f"sizes {name}"])
        numbers = [int(word) for word in answer.split(" ")]
        small, least = numbers[2], numbers[4]
        assert small <= goal[0] and least <= goal[1], f"{name}: {answer}"
        said = f"{name.removeprefix('aimer3-')} {small:,} and {least:,}"
        assert said in header, said


# ---- faults while signing ----


def faulty(damage: Damage, folder: Path, *requests: str) -> list[str]:
    """What the test program answers with a library that has been damaged so."""
    folder.mkdir()
    library = damaged_library(damage, folder, "-Wno-error")
    program = folder / "requests"
    sources = [ROOT / "tests/c/aimer_main.c"]
    run(
        [
            "gcc",
            "-O1",
            "-I",
            ROOT / "src",
            "-I",
            ROOT / "include",
            "-I",
            ROOT / "tests/c",
            *sources,
            library,
            "-o",
            program,
        ]
    )
    done = subprocess.run(
        [program],
        input="\n".join(requests) + "\n",
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_faulty_signature_is_not_given_away(tmp_path: Path) -> None:
    """With HANJI_AIMER_CHECK; the control without it gives the faulty signature away."""
    name, stored = "aimer3-128f", EXTRA["aimer3-128f"]
    damage = Damage(
        "aimer/protocol.c",
        r"memcpy\(signature, p->head, row_at\(p, 0\)\);",
        r"\g<0> signature[9] ^= 4;",
        name,
    )
    rest = f"- {'00' * 16} {stored['sk']} {stored['pk']} {stored['message']}"
    unchecked, checked = faulty(
        damage, tmp_path / "fault", f"context {name} 0 {rest}", f"context {name} {CHECK} {rest}"
    )
    assert checked == "HANJI_E_TAG"
    assert unchecked == "the context is refused"


def path_entries(signature: bytes) -> Iterator[bytes]:
    """The seeds that a signature of aimer3-128f opens: 33 repetitions, four entries each."""
    for repetition in range(33):
        for entry in range(4):
            yield signature[80 + 208 * repetition + 16 * entry :][:16]


def test_a_fault_in_an_index_reveals_no_seed_on_the_hidden_path(tmp_path: Path) -> None:
    """The path loop copies the hidden path itself, which is no more; the control, where it was not
    erased, reveals it.
    """
    stored = EXTRA["aimer3-128f"]
    request = f"raw aimer3-128f {stored['sk']} {stored['message']}"
    index = r"hidden_again >> k \^ 1;"
    fault = Damage("aimer/trees.c", index, "hidden_again >> k;", "aimer3-128f")
    erasing = r"hanji_wipe\(node\(p, repetition, number\), p->bytes\);"
    both = Damage(
        "aimer/trees.c",
        rf"(?s){erasing}(.*){index}",
        r"(void)0;\g<1>hidden_again >> k;",
        "aimer3-128f",
    )
    (right,) = ask("host-gcc", [request])
    (revealing,) = faulty(both, tmp_path / "control", request)
    (safe,) = faulty(fault, tmp_path / "fault", request)
    entries = [list(path_entries(bytes.fromhex(answer))) for answer in (right, revealing, safe)]
    assert not set(entries[0]) & set(entries[1]), (
        "the control reveals other nodes than a right signature"
    )
    assert bytes(16) not in entries[1]
    assert entries[2] == [bytes(16)] * len(entries[2]), "a seed on the hidden path is revealed"
