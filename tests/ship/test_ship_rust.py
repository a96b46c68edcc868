# SPDX-License-Identifier: Apache-2.0
"""The Rust crate: its own tests, and the vectors of the repository through its traits."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import catalogue
import pytest
import vectors_io
from debian import need
from rust_tools import CRATE, ROOT, cargo, need_cargo

import hanji
from hanji import sign

ALL = ("--features", "all", "--quiet")


def words(*parts: bytes) -> str:
    return " ".join(part.hex() or "-" for part in parts)


def spread(tests: list[dict], most: int) -> list[dict]:
    """At most `most` of the tests, over the whole list."""
    return tests[:: max(1, len(tests) // most)]


def aead_lines(name: str) -> list[tuple[str, bytes]]:
    tests = spread(vectors_io.load(f"{name}_kat", result="valid"), 40)
    return [
        (f"{name} {words(t['key'], t['nonce'], t['aad'], t['pt'])}", t["ct"] + t["tag"])
        for t in tests
    ]


def hash_lines(name: str) -> list[tuple[str, bytes]]:
    lines = []
    for t in spread(vectors_io.load(f"{name}_kat", result="valid"), 40):
        inputs = [t["msg"]]
        if "xo" in name:
            inputs.insert(0, len(t["digest"]).to_bytes(2, "big"))
        if "custom" in t:
            inputs.append(t["custom"])
        lines.append((f"{name} {words(*inputs)}", t["digest"]))
    return lines


def block_lines(family: str) -> list[tuple[str, bytes]]:
    tests = vectors_io.load(family, mode="ECB", result="valid")
    tests = [t for t in tests if "original" not in t["variant"]]
    return [(f"{t['variant']} {words(t['key'], t['pt'])}", t["ct"]) for t in tests]


def stream_lines(name: str) -> list[tuple[str, bytes]]:
    tests = vectors_io.load(name.partition("-")[0], variant=name, mode="CTR", result="valid")
    tests = [t for t in tests if "iv" in t]
    return [(f"{name}-ctr {words(t['key'], t['iv'], t['pt'])}", t["ct"]) for t in spread(tests, 20)]


def mac_lines(name: str) -> list[tuple[str, bytes]]:
    tests = vectors_io.load("cmac", variant=name, result="valid")
    block = int(re.findall(r"\d+", name)[0]) // 8
    tests = [t for t in tests if len(t["tag"]) == block]
    return [(f"{name}-cmac {words(t['key'], t['msg'])}", t["tag"]) for t in tests]


def sources() -> list[tuple[str, list[tuple[str, bytes]]]]:
    found = [(name, aead_lines(name)) for name in catalogue.algorithms("aead")]
    found += [(name, hash_lines(name)) for name in catalogue.algorithms("hash", "xof")]
    found += [(name, block_lines(name)) for name in catalogue.families()]
    streams = ("speck-64/128", "simon-64/128", "simon-128/128", "simeck-64/128", "cham-128/256")
    found += [(f"{name}-ctr", stream_lines(name)) for name in streams]
    macs = ("speck-64/128", "speck-128/256", "simon-128/128", "cham-64/128")
    return found + [(f"{name}-cmac", mac_lines(name)) for name in macs]


def answers(lines: list[str]) -> list[bytes]:
    """What the crate's example program answers, one answer per line."""
    done = subprocess.run(
        [str(ROOT / "build/rust/debug/examples/answers")],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"examples/answers.rs failed: {done.stderr[-2000:]}"
    return [bytes.fromhex(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def built() -> None:
    need("gcc")
    need_cargo()
    cargo("build", "--examples", *ALL)


def test_the_crate_passes_its_tests_and_doctests(built: None) -> None:
    said = cargo("test", "--features", "all")
    passed = [int(count) for count in re.findall(r"test result: ok\. (\d+) passed", said)]
    assert sum(passed) >= 13, f"fewer tests than the crate has:\n{said}"


def test_the_crate_answers_the_vectors(built: None) -> None:
    groups = sources()
    for name, lines in groups:
        assert len(lines) >= 3, f"only {len(lines)} vectors of {name}"
    lines = [line for _, group in groups for line in group]
    for (line, expected), answer in zip(lines, answers([a for a, _ in lines]), strict=True):
        assert answer == expected, f"the crate answers {answer.hex()} to: {line[:200]}"


def test_ascon_accepts_what_wycheproof_calls_valid_and_nothing_else(built: None) -> None:
    tests = vectors_io.load("ascon-aead128_wycheproof")
    lines, expected = [], []
    for t in tests:
        valid = t["result"] == "valid"
        sealed = t["ct"] + t["tag"]
        lines.append(f"ascon-aead128-open {words(t['key'], t['nonce'], t['aad'], sealed)}")
        expected.append(b"\1" + t["pt"] if valid else b"\0")
        if valid:
            lines.append(f"ascon-aead128 {words(t['key'], t['nonce'], t['aad'], t['pt'])}")
            expected.append(sealed)
    assert len(tests) == 252 and len(lines) == 252 + 128
    for line, right, answer in zip(lines, expected, answers(lines), strict=True):
        assert answer == right, f"the crate answers {answer.hex()} to: {line}"


@pytest.mark.parametrize("scheme", [sign.AIMer3_128f, sign.SLHDSA_SHAKE_128f])
def test_it_verifies_what_python_signs_and_nothing_else(
    built: None, scheme: type[sign.PrivateKey]
) -> None:
    private = scheme.generate()
    signature = private.sign(b"firmware 7", context=b"update")
    damaged = signature[:-1] + bytes([signature[-1] ^ 1])
    key = private.public_key.raw
    asked = [
        (key, b"update", b"firmware 7", signature),
        (key, b"update", b"firmware 8", signature),
        (key, b"", b"firmware 7", signature),
        (key, b"update", b"firmware 7", damaged),
        (key, b"update", b"firmware 7", signature[:-1]),
    ]
    said = answers([f"{scheme.algorithm} {words(*row)}" for row in asked])
    assert said == [b"\1", b"\0", b"\0", b"\0", b"\0"]


@pytest.mark.parametrize("scheme", [sign.AIMer3_128f, sign.SLHDSA_SHAKE_128f])
def test_it_signs_as_python_does(built: None, scheme: type[sign.PrivateKey]) -> None:
    private = scheme.generate()
    pair = (private.raw, private.public_key.raw)
    for context in (b"", b"update"):
        line = f"{scheme.algorithm}-sign {words(*pair, context, b'firmware 7', b'')}"
        made = private.sign(b"firmware 7", context=context, deterministic=True)
        assert answers([line]) == [made]


def test_it_signs_and_verifies_hashes_as_python_does(built: None) -> None:
    private = sign.SLHDSA_SHAKE_128f.generate()
    pair, key = (private.raw, private.public_key.raw), private.public_key.raw
    message = b"firmware 7"
    for context in (b"", b"update"):
        signed = {
            name: private.sign(message, context=context, pre_hash=name, deterministic=True)
            for name in (None, *sign.PRE_HASHES)
        }
        asked, right = [], []
        for name in sign.PRE_HASHES:
            inputs = words(*pair, context, message, b"", name.encode())
            asked.append(f"{private.algorithm}-sign-hash {inputs}")
            right.append(signed[name])
            for other, signature in signed.items():
                for said, given in ((context, message), (context, b"other"), (b"x", message)):
                    inputs = words(key, said, given, signature, name.encode())
                    asked.append(f"{private.algorithm}-hash {inputs}")
                    right.append(bytes([other == name and (said, given) == (context, message)]))
        for name, signature in signed.items():  # nothing but pure mode verifies in pure mode
            asked.append(f"{private.algorithm} {words(key, context, message, signature)}")
            right.append(bytes([name is None]))
        assert answers(asked) == right


def slhdsa_tests(mode: str) -> list[dict]:
    """The vectors of SLH-DSA with a hash function that hanji has, or none, which is then b""."""
    hashes = {None: b"", "SHAKE-128": b"SHAKE128", "SHAKE-256": b"SHAKE256"}
    return [
        t | {"hash": hashes[t.get("preHash")]}
        for t in vectors_io.document("slhdsa/signatures")["tests"]
        if t["mode"] == mode and t["interface"] == "external" and t.get("preHash") in hashes
    ]


def slhdsa_line(test: dict, kind: str, *parts: bytes) -> str:
    """The question to the example program: of a hash, when there is one."""
    hashed = ("-hash", [test["hash"]]) if test["hash"] else ("", [])
    return f"{test['variant']}{kind}{hashed[0]} {words(*parts, *hashed[1])}"


def test_slhdsa_answers_the_verifications_of_nist(built: None) -> None:
    tests, fields = slhdsa_tests("VERIFY"), ("pk", "context", "msg", "signature")
    rows = [[base64.b64decode(t.get(field, "")) for field in fields] for t in tests]
    said = answers([slhdsa_line(t, "", *row) for t, row in zip(tests, rows, strict=True)])
    assert len({t["variant"] for t in tests}) == 6
    assert b"SHAKE128" in {t["hash"] for t in tests if t["result"] == "valid"}
    for t, answer in zip(tests, said, strict=True):
        assert answer == bytes([t["result"] == "valid"]), t["comment"]


def test_slhdsa_signs_the_vectors(built: None) -> None:
    """With the random bytes and contexts of the vectors, in pure mode and of hashes. Sets that sign
    fast suffice: the crate calls the same C for all of them.
    """
    tests = [t for t in slhdsa_tests("SIGN") if t["variant"].endswith("f")]
    lines = []
    for t in tests:
        fields = ("context", "msg", "randomness")
        secret, *rest = (base64.b64decode(t.get(field, "")) for field in ("sk", *fields))
        lines.append(slhdsa_line(t, "-sign", secret, secret[len(secret) // 2 :], *rest))
    ways = {(t["hash"], "randomness" in t) for t in tests}
    assert {(b"", False), (b"", True), (b"SHAKE128", False), (b"SHAKE256", True)} <= ways
    for t, answer in zip(tests, answers(lines), strict=True):
        if t["hash"] == b"SHAKE128" and "128" not in t["variant"]:
            assert answer == b"", "hanji refuses SHAKE128 there"
        else:
            assert hashlib.sha256(answer).hexdigest() == t["signatureSha256"], t["comment"]


def test_clippy_and_formatting_find_nothing(built: None) -> None:
    cargo("clippy", "--all-targets", *ALL, "--", "-D", "warnings")
    done = subprocess.run(["cargo", "fmt", "--check"], cwd=CRATE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_documentation_has_no_warnings(built: None) -> None:
    cargo("doc", "--no-deps", *ALL, RUSTDOCFLAGS="-D warnings", HANJI_WITHOUT_C="1")


FEATURES = tuple(
    name
    for name in tomllib.loads((CRATE / "Cargo.toml").read_text())["features"]
    if name not in ("default", "all")
)


def test_every_feature_stands_alone() -> None:
    need_cargo()
    for features in ("", *FEATURES, "speck,ctr", "esch,cmac"):
        cargo(
            "check",
            "--quiet",
            "--no-default-features",
            "--features",
            features,
            RUSTFLAGS="-D warnings",
            CARGO_TARGET_DIR=str(ROOT / "build/rust-features"),
            HANJI_WITHOUT_C="1",
        )


def test_it_says_the_version_of_the_library() -> None:
    crate = tomllib.loads((CRATE / "Cargo.toml").read_text())["package"]["version"]
    assert crate == hanji.__version__


@pytest.mark.slow
def test_the_embedded_example_links_into_a_c_program(tmp_path: Path) -> None:
    """Built for this machine, whose core library is here; its targets are not."""
    need("gcc")
    need_cargo()
    folder = CRATE / "examples/embedded"
    cargo("build", "--release", "--quiet", folder=folder)
    source = tmp_path / "main.c"
    source.write_text(
        "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
        "int seal_reading(uint8_t *, size_t, uint8_t *, const uint8_t *, const uint8_t *);\n"
        "int main(void) { uint8_t k[16], n[16], t[16], m[6]; memset(k, 7, 16); memset(n, 1, 16);\n"
        'memcpy(m, "23.5 C", 6); int rc = seal_reading(m, 6, t, n, k);\n'
        'for (int i = 0; i < 6; i++) printf("%02x", m[i]);\n'
        'for (int i = 0; i < 16; i++) printf("%02x", t[i]);\nreturn rc; }\n'
    )
    library = ROOT / "build/rust/release/libhanji_embedded_example.a"
    subprocess.run(["gcc", source, library, "-o", tmp_path / "main"], check=True)
    said = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout
    expected = hanji.aead.AsconAEAD128(b"\7" * 16).encrypt(b"\1" * 16, b"23.5 C", b"")
    assert bytes.fromhex(said) == expected


@pytest.mark.slow
def test_a_packaged_crate_builds_without_the_repository(tmp_path: Path) -> None:
    need("gcc")
    need_cargo()
    subprocess.run(["make", "rust-package", f"OUT={tmp_path / 'crate'}"], cwd=ROOT, check=True)
    assert (tmp_path / "crate/c/hanji.c").exists()
    shutil.rmtree(ROOT / "build/rust-packaged", ignore_errors=True)
    said = cargo(
        "test",
        "--features",
        "all",
        folder=tmp_path / "crate",
        CARGO_TARGET_DIR=str(ROOT / "build/rust-packaged"),
        PYTHON="/nonexistent",
    )
    assert "0 failed" in said
