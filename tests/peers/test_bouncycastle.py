# SPDX-License-Identifier: Apache-2.0
"""Ascon, SCHWAEMM and ESCH against Bouncy Castle on random keys and messages, all of them in one
run of a JVM.

Maven fetches Bouncy Castle once into its own repository; its digest is pinned here.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from debian import in_ci, need

from hanji import aead, hashes

HERE = Path(__file__).resolve().parent
VERSION = "1.86"
ARTIFACT = f"org.bouncycastle:bcprov-jdk18on:{VERSION}"
SHA256 = "2af190b300cbb0b35e248ccf5f4a06b6072030aeb3da7a98ec73abe5b4cb371f"
GET = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
MESSAGES = 1000
EDGES = HERE.parent / "vectors/edges/aead.json.gz"

AEADS = {
    "ASCON_AEAD128": aead.AsconAEAD128,
    "SCHWAEMM128_128": aead.Schwaemm128_128,
    "SCHWAEMM192_192": aead.Schwaemm192_192,
    "SCHWAEMM256_128": aead.Schwaemm256_128,
    "SCHWAEMM256_256": aead.Schwaemm256_256,
}
OUTPUT = 70  # bytes of an extendable output, as in Peer.java
CUSTOMIZATION = b"hanji peer"
HASHES: dict[str, Callable[[bytes], str]] = {
    "ASCON_HASH256": lambda text: hashes.AsconHash256(text).hexdigest(),
    "ASCON_XOF128": lambda text: hashes.AsconXOF128(text).hexdigest(OUTPUT),
    "ASCON_CXOF128": lambda text: hashes.AsconCXOF128(text, CUSTOMIZATION).hexdigest(OUTPUT),
    "ESCH256": lambda text: hashes.Esch256(text).hexdigest(),
    "ESCH384": lambda text: hashes.Esch384(text).hexdigest(),
}


@cache
def fetch(folder: Path) -> str | None:
    """Copy Bouncy Castle into a folder; what went wrong, or None."""
    done = subprocess.run(
        ["mvn", "-B", "-q", GET, f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}", "-Dmdep.useBaseVersion=true"],
        capture_output=True, text=True, cwd=folder,
    )  # fmt: skip
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip()[-600:]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pinned archive; without a network the tests are skipped, but in CI they fail."""
    need("maven", "default-jdk-headless")
    folder = tmp_path_factory.mktemp("bouncycastle")
    if failure := fetch(folder):
        message = f"Maven did not bring {ARTIFACT}: {failure}"
        if in_ci():
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    jar = folder / f"bcprov-jdk18on-{VERSION}.jar"
    found = hashlib.sha256(jar.read_bytes()).hexdigest()
    assert found == SHA256, f"{jar.name} has the SHA-256 {found}, not {SHA256}"
    return jar


@dataclass(frozen=True)
class Case:
    key: bytes
    nonce: bytes
    ad: bytes
    text: bytes


def hexed(data: bytes) -> str:
    return data.hex() or "-"


def cases(name: str) -> list[Case]:
    """The same in every run. Lengths around the rate and of some blocks, and nothing at all."""
    source = random.Random(name)

    def some() -> bytes:
        return source.randbytes(
            source.choice(
                (0, source.randrange(1, 70), source.randrange(1, 70), source.randrange(70, 700)),
            )
        )

    cls = AEADS[name]
    return [
        Case(source.randbytes(cls.key_size), source.randbytes(cls.nonce_size), some(), some())
        for _ in range(MESSAGES)
    ]


def texts(name: str) -> list[bytes]:
    source = random.Random(name)
    return [
        source.randbytes(source.choice((i % 200, source.randrange(1500)))) for i in range(MESSAGES)
    ]


def edges(name: str) -> list[tuple[str, str]]:
    """Edge cases of tests/vectors/edges as lines, with the answers: text, or a refusal."""
    stored = json.loads(gzip.decompress(EDGES.read_bytes()))["tests"]
    variant, found = name.lower().replace("_", "-"), []
    for test in stored:
        if test["variant"] == variant and test["result"] != "refused":
            key, nonce, aad, text = (test[field] or "-" for field in ("key", "nonce", "aad", "pt"))
            sealed = test["ct"] + test["tag"] or "-"
            valid = test["result"] == "valid"
            found.append(
                (f"open {name} {key} {nonce} {aad} {sealed}", text if valid else "refused")
            )
            if valid:
                found.append((f"seal {name} {key} {nonce} {aad} {text}", sealed))
    return found


def requests() -> list[str]:
    """Every line that the JVM is asked: seal and open all cases, open each with one bit of the tag
    flipped, hash all texts."""
    lines = []
    for name, cls in AEADS.items():
        for i, case in enumerate(cases(name)):
            sealed = cls(case.key).encrypt(case.nonce, case.text, case.ad)
            flipped = bytearray(sealed)
            flipped[-1 - i % cls.tag_size] ^= 1 << i % 8
            start = f"{name} {case.key.hex()} {case.nonce.hex()} {hexed(case.ad)}"
            lines += [
                f"seal {start} {hexed(case.text)}",
                f"open {start} {sealed.hex()}",
                f"open {start} {flipped.hex()}",
            ]
        lines += [line for line, _ in edges(name)]
    return lines + [f"hash {name} {hexed(text)}" for name in HASHES for text in texts(name)]


@pytest.fixture(scope="module")
def answers(library: Path) -> dict[str, str]:
    lines = requests()
    done = subprocess.run(
        ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", library, HERE / "Peer.java"],
        input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
    )  # fmt: skip
    said = done.stdout.split("\n")[:-1]
    assert done.returncode == 0 and len(said) == len(lines), done.stderr[-3000:]
    return dict(zip(lines, said, strict=True))


@pytest.mark.parametrize("name", AEADS)
def test_messages(name: str, answers: dict[str, str]) -> None:
    cls = AEADS[name]
    for i, case in enumerate(cases(name)):
        sealed = cls(case.key).encrypt(case.nonce, case.text, case.ad)
        start = f"{name} {case.key.hex()} {case.nonce.hex()} {hexed(case.ad)}"
        what = f"{name} case {i}: {len(case.text)} bytes, {len(case.ad)} of associated data"
        theirs = answers[f"seal {start} {hexed(case.text)}"]
        assert theirs == sealed.hex(), what
        assert answers[f"open {start} {sealed.hex()}"] == hexed(case.text), what
        assert cls(case.key).decrypt(case.nonce, bytes.fromhex(theirs), case.ad) == case.text, what


@pytest.mark.parametrize("name", AEADS)
def test_edges(name: str, answers: dict[str, str]) -> None:
    found = edges(name)
    wrong = [(line, answers[line], right) for line, right in found if answers[line] != right]
    assert len(found) > 100 and not wrong, wrong[:3]


@pytest.mark.parametrize("name", AEADS)
def test_control_they_refuse_what_is_not_ours(name: str, answers: dict[str, str]) -> None:
    """One bit of each tag is flipped: Bouncy Castle does compare, and the answers above mean
    something."""
    known = {line for line, _ in edges(name)}
    opened = [
        said
        for line, said in answers.items()
        if line.startswith(f"open {name} ") and line not in known
    ]
    assert opened.count("refused") == MESSAGES and len(opened) == 2 * MESSAGES


@pytest.mark.parametrize("name", HASHES)
def test_digests(name: str, answers: dict[str, str]) -> None:
    for i, text in enumerate(texts(name)):
        assert answers[f"hash {name} {hexed(text)}"] == HASHES[name](text), (
            f"{name} case {i}: {len(text)} bytes"
        )
    assert len({answers[f"hash {name} {hexed(text)}"] for text in texts(name)}) == len(
        set(texts(name)),
    )
