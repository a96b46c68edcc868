# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA of the C library: NIST's tests and ours on every machine, strict verification, misuse of
every call, and faults while signing.

tests/vectors/README.md describes slhdsa/signatures.json.gz; tests/c/slhdsa_main.c answers.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import subprocess
from functools import cache
from typing import Any

import pytest
import vectors_io
from builds import environment, program
from test_c_programs import PRESETS, outcome

BYTES = ("sk", "pk", "msg", "context", "randomness", "signature")
MODES = {None: 0, "SHAKE-128": 11, "SHAKE-256": 12}
TIERS = {"x86_64": ("portable", "avx2", "avx512"), "aarch64": ("portable", "neon", "sha3")}
HERE = TIERS.get(platform.machine(), ("portable",))
DETERMINISTIC, CHECK = 2, 1

Test = dict[str, Any]


@cache
def vectors() -> list[Test]:
    """All tests, byte strings decoded; do not change the result."""
    stored = vectors_io.document("slhdsa/signatures")["tests"]
    decoded = ({f: base64.b64decode(v) if f in BYTES else v for f, v in t.items()} for t in stored)
    return [{"context": b"", "randomness": b"", "preHash": None} | test for test in decoded]


def word(value: bytes) -> str:
    return value.hex() or "-"


def encoded_pre_hash(test: Test) -> bytes:
    """M' for a hash function that the library does not offer (algorithm 23)."""
    names = "SHA2-256 SHA2-384 SHA2-512 SHA2-224 SHA2-512/224 SHA2-512/256 SHA3-224 SHA3-256 "
    order = (names + "SHA3-384 SHA3-512 SHAKE-128 SHAKE-256").split()
    name = test["preHash"]
    called = name.lower().replace("sha2-", "sha").replace("-", "_").replace("/", "_")
    function: Any = hashlib.new(called, test["msg"])
    sizes = {"SHAKE-128": 32, "SHAKE-256": 64}
    digest = function.digest(sizes[name]) if name in sizes else function.digest()
    oid = bytes.fromhex("06096086480165030402") + bytes([order.index(name) + 1])
    return bytes([1, len(test["context"])]) + test["context"] + oid + digest


def request(test: Test, options: int = 0) -> str:
    """The line that asks for the result of a test."""
    variant, mode = test["variant"], test["mode"]
    if mode == "KEYGEN":
        return f"keypair {variant} {word(test['sk'][: len(test['sk']) // 4 * 3])}"
    weak = test["preHash"] == "SHAKE-128" and "128" not in variant
    outside = test["interface"] == "internal" or test["preHash"] not in MODES or weak
    message = test["msg"] if test["interface"] == "internal" or not outside else None
    text = word(encoded_pre_hash(test) if message is None else message)
    if mode == "VERIFY":
        rest = f"{word(test['pk'])} {text} {word(test['signature'])}"
        how = "verify-encoded" if outside else "verify"
        place = "" if outside else f"{MODES[test['preHash']]} {word(test['context'])} "
        return f"{how} {variant} {place}{rest}"
    if outside:
        return f"sign-encoded {variant} {word(test['randomness'])} {word(test['sk'])} {text}"
    options |= 0 if test["randomness"] else DETERMINISTIC
    return (
        f"sign {variant} {MODES[test['preHash']]} {options} {word(test['context'])} "
        f"{word(test['randomness'])} {word(test['sk'])} {text}"
    )


def ask(preset: str, requests: list[str], **extra: str) -> list[str]:
    done = subprocess.run(
        program(preset, "slhdsa"),
        input="\n".join(requests) + "\n",
        capture_output=True,
        text=True,
        env=environment(**extra),
    )
    assert done.returncode == 0, f"{preset}: status {done.returncode}: {done.stderr[-3000:]}"
    answers = done.stdout.splitlines()
    assert len(answers) == len(requests), f"{len(answers)} answers to {len(requests)} requests"
    return answers


def is_right(test: Test, answer: str) -> bool:
    if test["mode"] == "KEYGEN":
        public = test["sk"][len(test["sk"]) // 2 :]
        return answer == f"{public.hex()} {test['sk'].hex()}"
    if test["mode"] == "VERIFY":
        if test["result"] == "valid":
            return answer == "HANJI_OK"
        return answer in ("HANJI_E_TAG", "HANJI_E_LENGTH")
    try:
        return hashlib.sha256(bytes.fromhex(answer)).hexdigest() == test["signatureSha256"]
    except ValueError:
        return False


def compare(preset: str, tests: list[Test], options: int = 0, **extra: str) -> None:
    assert tests
    answers = ask(preset, [request(test, options) for test in tests], **extra)
    wrong = [
        f"{test['variant']} {test['mode']} {test['comment']}: {answer[:60]}"
        for test, answer in zip(tests, answers, strict=True)
        if not is_right(test, answer)
    ]
    assert not wrong, f"{preset} {extra}:\n" + "\n".join(wrong)


def chosen(*modes: str, sets: str = "sf") -> list[Test]:
    return [t for t in vectors() if t["mode"] in modes and t["variant"][-1] in sets]


def first_of_each(*modes: str, sets: str = "sf") -> list[Test]:
    """One test of each kind for each set."""
    found: dict[tuple[str, ...], Test] = {}
    for test in chosen(*modes, sets=sets):
        found.setdefault((test["variant"], test["mode"]), test)
    return list(found.values())


@pytest.mark.parametrize("tier", HERE)
def test_answers(tier: str) -> None:
    """Everything with the widest kernels; with others all but signing by the slow sets."""
    tests = chosen("KEYGEN", "VERIFY", "SIGN", sets="f") + chosen("VERIFY", sets="s")
    if tier == HERE[-1]:
        tests += chosen("KEYGEN", "SIGN", sets="s")
    compare("host-gcc", tests, HANJI_FORCE=tier)


@pytest.mark.slow
@pytest.mark.parametrize("tier", HERE)
def test_answers_of_slow_sets(tier: str) -> None:
    compare("host-gcc", chosen("KEYGEN", "SIGN", sets="s"), HANJI_FORCE=tier)


def test_check_gives_the_same_signatures() -> None:
    compare("host-gcc", first_of_each("SIGN", sets="f"), options=CHECK)


@pytest.mark.parametrize("preset", PRESETS)
def test_answers_elsewhere(preset: str) -> None:
    """One verification of each set, and one key pair and signature of the fastest one."""
    fast = [t for t in first_of_each("KEYGEN", "SIGN") if t["variant"].endswith("128f")]
    compare(preset, first_of_each("VERIFY") + fast)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_all_answers_elsewhere(preset: str) -> None:
    compare(preset, chosen("KEYGEN", "VERIFY", "SIGN", sets="f") + chosen("VERIFY", sets="s"))


@pytest.mark.parametrize("cpu", ["max", "cortex-a72"])
def test_answers_on_aarch64(cpu: str) -> None:
    """FEAT_SHA3 and NEON: two states at once."""
    compare("aarch64", first_of_each("KEYGEN", "VERIFY", "SIGN", sets="f")[:4], QEMU_CPU=cpu)


def test_modes_have_names() -> None:
    small, large = "mode slh-dsa-shake-128s", "mode slh-dsa-shake-256f"
    others = ["SHA2-256", "SHA3-512", "SHAKE-256", "shake256", "SHAKE256x"]
    lines = [f"{small} -", f"{small} SHAKE128", f"{small} SHAKE256", f"{large} SHAKE128"]
    answers = ask("host-gcc", [*lines, *(f"{large} {name}" for name in others)])
    assert answers == ["pure", "11", "12"] + ["HANJI_E_ARGUMENT"] * (1 + len(others))


@pytest.mark.parametrize("preset", PRESETS)
def test_calls(preset: str) -> None:
    """Strict verification, misuse, messages that change: with smaller trees."""
    assert outcome(program(preset, "slhdsa_calls")) == (0, [])


@pytest.mark.parametrize("tier", HERE)
def test_calls_on_every_tier(tier: str) -> None:
    assert outcome(program("host-gcc", "slhdsa_calls"), HANJI_FORCE=tier) == (0, [])


@pytest.mark.parametrize(
    "tier", [HERE[-1], *(pytest.param(t, marks=pytest.mark.slow) for t in HERE)]
)
def test_no_fault_is_released(tier: str) -> None:
    """A bit that flips in a kernel: without the check some signatures verify all the same."""
    assert outcome(program("host-gcc", "slhdsa_faults"), HANJI_FORCE=tier) == (0, [])
