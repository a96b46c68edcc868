# SPDX-License-Identifier: Apache-2.0
"""What AIMer must refuse: flipped bytes, wrong lengths, keys of other sets, other messages; and
messages of no and of many bytes.
"""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass
from functools import cache

import kat
import pytest
from builds import environment, program
from test_aimer_kat import ask

from hanji_lab.spec.aimer import VARIANTS, Aimer

LARGEST = [name for name in VARIANTS if name.endswith("param4")]
WHOLE = ["aimer2-128f", "aimer1-l1-param1"]  # every byte is flipped
# between the flipped bytes of the largest sets, and under qemu: prime, so that all bits and all
# places in a row have their turn
STEP = 509
FLIPS = 48  # at least, of the sets between


@dataclass(frozen=True)
class Signed:
    public: str
    secret: str
    signature: str
    message: str

    @property
    def size(self) -> int:
        return len(self.signature) // 2


@cache
def signed(name: str, message: bytes | None = None) -> Signed:
    """Signed by the C library with the random bytes of the first known answer, whose message is the
    one if none is given.
    """
    one = VARIANTS[name]
    (count,) = kat.counts(one.version, one.size, one.repetitions, 1)
    text = (count.message if message is None else message).hex() or "-"
    (answer,) = ask("host-gcc", [f"sign {name} full {count.random.hex()} {text}"])
    assert not answer.startswith("mismatch"), f"{name}: {answer}"
    return Signed(*answer.split(" "), message=text)


def flips(name: str, step: int, preset: str = "host-gcc") -> None:
    """The signature verifies, and not one of those with a byte flipped does."""
    s = signed(name)
    where = f"{s.public} {s.message} {s.signature}"
    answers = ask(
        preset, [f"verify {name} {where}", f"flips {name} {step} {where}", f"verify {name} {where}"]
    )
    assert answers == ["HANJI_OK", "0", "HANJI_OK"], f"{preset} {name}: {answers}"


@pytest.mark.parametrize("name", WHOLE)
def test_every_byte_flipped_is_refused(name: str) -> None:
    flips(name, 1)


@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in WHOLE])
def test_some_bytes_flipped_are_refused(name: str) -> None:
    flips(name, STEP if name in LARGEST else VARIANTS[name].signature_size // FLIPS - 1 | 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in WHOLE])
def test_every_byte_flipped_of_the_other_sets(name: str) -> None:
    flips(name, 7 if name in LARGEST else 1)


@pytest.mark.parametrize("preset", ["asan", "aarch64", "s390x"])
def test_flips_are_refused_by_other_machines(preset: str) -> None:
    flips("aimer2-128f", STEP, preset)


def test_control_flips_that_are_accepted_are_counted() -> None:
    """A key that does not fit gives errors, which are no refusals of the signature."""
    s = signed("aimer2-128f")
    answers = ask(
        "host-gcc", [f"flips aimer1-l1-param1 {STEP} {s.public} {s.message} {s.signature}"]
    )
    size = VARIANTS["aimer1-l1-param1"].signature_size
    # the key's first byte is not the id: HANJI_E_ARGUMENT every time
    assert answers == [str(-(-size // STEP))]


@pytest.mark.parametrize("name", VARIANTS)
def test_truncations_and_additions_are_refused(name: str) -> None:
    s = signed(name)
    cut = [
        s.signature[: 2 * n] or "-"
        for n in (0, 1, VARIANTS[name].salt_size, s.size // 2, s.size - 1)
    ]
    answers = ask(
        "host-gcc",
        [
            f"verify {name} {s.public} {s.message} {other}"
            for other in (*cut, s.signature + "00", s.signature)
        ],
    )
    assert answers == ["HANJI_E_LENGTH"] * (len(cut) + 1) + ["HANJI_OK"]


@pytest.mark.parametrize(
    "name",
    [
        "aimer2-128f",
        "aimer2-192s",
        "aimer2-256f",
        "aimer1-l1-param1",
        "aimer1-l1-param2",
        "aimer1-l5-param3",
    ],
)
def test_wrong_sets_are_refused(name: str) -> None:
    """As it is, a signature has another length; brought to the right one, with a key brought to the
    right one, it is no signature.
    """
    s, one = signed(name), VARIANTS[name]
    public = s.public[2:] if one.version == 1 else s.public
    for other, two in VARIANTS.items():
        if other == name or other in LARGEST:
            continue
        fitted = f"{two.id:02x}" * (two.version == 1) + public[: 4 * two.size].ljust(
            4 * two.size, "0"
        )
        signature = s.signature[: 2 * two.signature_size].ljust(2 * two.signature_size, "0")
        answers = ask(
            "host-gcc",
            [
                f"verify {other} {key} {s.message} {text}"
                for key, text in ((s.public, s.signature), (fitted, signature))
            ],
        )
        first = (
            {"HANJI_E_TAG", "HANJI_E_ARGUMENT"}
            if one.signature_size == two.signature_size
            else {"HANJI_E_LENGTH", "HANJI_E_ARGUMENT"}
        )
        if one.public_key_size != two.public_key_size:
            first = {"HANJI_E_LENGTH"}
        assert answers[0] in first, f"{name} as {other}: {answers[0]}"
        assert answers[1] == "HANJI_E_TAG", f"{name} fitted to {other}: {answers[1]}"


@pytest.mark.parametrize("name", VARIANTS)
def test_a_message_of_no_bytes(name: str) -> None:
    empty = signed(name, b"")
    requests = [
        f"verify {name} {empty.public} {message} {empty.signature}"
        for message in ("-", "00", signed(name).message)
    ]
    assert ask("host-gcc", requests) == ["HANJI_OK", "HANJI_E_TAG", "HANJI_E_TAG"]
    if VARIANTS[name].parties == 16 and VARIANTS[name].n == 128:
        assert VARIANTS[name].verify(
            bytes.fromhex(empty.public), b"", bytes.fromhex(empty.signature)
        )


@dataclass(frozen=True)
class OfADigest(Aimer):
    """A set of v2.1 whose messages are given as the digest that signing begins with."""

    def digest_message(self, iv: bytes, ct: bytes, message: bytes) -> bytes:
        return message


def long_message(name: str, kilobytes: int) -> None:
    """Signed and verified in pieces by the C library, which refuses one byte more; the signature
    verifies by the specification.
    """
    s, one = signed(name), VARIANTS[name]
    (answer,) = ask("host-gcc", [f"long {name} {kilobytes} {s.secret} {s.public}"])
    result, signature = answer.split(" ")
    assert result == "HANJI_OK"
    hashed = (hashlib.shake_128 if one.n == 128 else hashlib.shake_256)(
        b"\x00" + bytes.fromhex(s.public)
    )
    piece = bytearray(1024)
    for i in range(kilobytes):
        piece[i % 1024] ^= i % 256
        hashed.update(piece)
    twin = OfADigest(one.name, one.version, one.n, one.id, one.repetitions, one.parties, one.depth)
    digest = hashed.digest(2 * one.size)
    assert twin.verify(bytes.fromhex(s.public), digest, bytes.fromhex(signature))
    assert not twin.verify(bytes.fromhex(s.public), digest[::-1], bytes.fromhex(signature))


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer2-192f"])
def test_a_long_message_in_pieces(name: str) -> None:
    long_message(name, 16 << 10)


@pytest.mark.slow
def test_a_message_of_a_gigabyte_in_pieces() -> None:
    long_message("aimer2-128f", 1 << 20)


@pytest.mark.parametrize("preset", ["host-gcc", "asan", "rv32imac"])
def test_overlaps_and_keys_that_are_none(preset: str) -> None:
    """No call writes a byte of what it reads, and none takes an erased key."""
    done = subprocess.run(
        program(preset, "aimer_misuse"),
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.stdout.splitlines()[-1:] == ["all cases passed"], done.stdout + done.stderr[-4000:]
    assert done.returncode == 0
