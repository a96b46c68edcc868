# SPDX-License-Identifier: Apache-2.0
"""docs/format.md says what the package does: its examples, and an independent reader made from its
text.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import format_reader
import pytest
import vectors_io
from format_reader import Refused, open_sealed, read_key
from hypothesis import given, settings
from hypothesis import strategies as st

from hanji import files, keys

pytestmark = pytest.mark.quick

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "format.md"
KEY = bytes(range(16))
CHEAP = files.Argon2Parameters(passes=1, memory_kib=64, lanes=1)


def block(name: str) -> str:
    """The text of the example that is fenced with this name in the document."""
    found = re.findall(
        rf"^```{name}\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert len(found) == 1, f"docs/format.md has {len(found)} examples named {name}"
    return str(found[0])


def dump(name: str) -> bytes:
    """The bytes of a hexadecimal example; its offsets are checked."""
    data = b""
    for line in block(name).splitlines():
        offset, text = line.split("  ")
        assert int(offset, 16) == len(data), f"{name}: offset {offset} stands at byte {len(data)}"
        data += bytes.fromhex(text)
    return data


def opened(data: bytes, **secret: object) -> bytes:
    out = io.BytesIO()
    files.open(io.BytesIO(data), out, **secret)  # type: ignore[arg-type]
    return out.getvalue()


def sealed(data: bytes, **options: object) -> bytes:
    out = io.BytesIO()
    files.seal(io.BytesIO(data), out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def test_example_sealed_with_a_key_opens() -> None:
    assert opened(dump("sealed-key"), key=KEY) == b"hanji\n"


def test_example_sealed_with_ascon_opens() -> None:
    assert opened(dump("sealed-ascon"), key=KEY) == b"hanji\n"
    assert opened(dump("sealed-ascon"), key=keys.Key("ascon-aead128", KEY)) == b"hanji\n"
    assert files.read_header(io.BytesIO(dump("sealed-ascon"))).algorithm == "ascon-aead128"
    with pytest.raises(
        files.WrongKeyError,
        match=r"you gave .*; that is for schwaemm256-128, and the file for ascon-aead128",
    ):
        opened(dump("sealed-ascon"), key=keys.Key("schwaemm256-128", KEY))


def test_example_sealed_with_a_passphrase_opens() -> None:
    assert opened(dump("sealed-passphrase"), passphrase="mulberry") == b""


def test_example_sealed_with_a_shared_passphrase_opens() -> None:
    """The values on the way are right, too."""
    example = dump("sealed-shared")
    assert opened(example, passphrase="mulberry") == b"hanji\n"
    salt = example[32:64]
    assert salt == bytes(range(0x60, 0x80))
    secret = format_reader.stretch("mulberry", salt[:16], 1, 64, 1)
    made = format_reader.expand("hanji sealed file v1", secret, salt, example[:32], n=48)
    assert made[16:] == example[64:96]
    text = DOCUMENT.read_text(encoding="utf-8").partition("```sealed-shared")[0]
    assert f"\n`{secret.hex()}`, and the file key\n`{made[:16].hex()}`." in text


def test_examples_are_what_sealing_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    from hanji.files import _stream

    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(range(0x20, 0x40)))
    assert sealed(b"hanji\n", key=KEY, algorithm="schwaemm256-128", chunk_size=4096) == dump(
        "sealed-key"
    )
    assert sealed(b"hanji\n", key=KEY, algorithm="ascon-aead128", chunk_size=4096) == dump(
        "sealed-ascon"
    )
    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(range(0x40, 0x60)))
    assert sealed(
        b"", passphrase="mulberry", argon2=CHEAP, algorithm="schwaemm256-128", chunk_size=65536
    ) == dump("sealed-passphrase")
    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(16) + bytes(range(0x70, 0x80)))
    shared = files.SharedPassphrase("mulberry", CHEAP)
    shared.salt = bytes(range(0x60, 0x70))
    options = {"algorithm": "ascon-aead128", "chunk_size": 4096}
    assert sealed(b"hanji\n", passphrase=shared, **options) == dump("sealed-shared")


def test_independent_reader_opens_the_examples() -> None:
    assert open_sealed(dump("sealed-key"), KEY) == b"hanji\n"
    assert open_sealed(dump("sealed-ascon"), KEY) == b"hanji\n"
    assert open_sealed(dump("sealed-passphrase"), "mulberry") == b""
    assert open_sealed(dump("sealed-shared"), "mulberry") == b"hanji\n"


def test_key_examples_are_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    key = keys.Key("schwaemm256-128", KEY, comment="worked example")
    assert keys.dumps(key) == block("key-plain")
    monkeypatch.setattr(keys, "random_bytes", lambda size: bytes(range(0x60, 0x60 + size)))
    assert keys.dumps(key, "mulberry", CHEAP) == block("key-protected")


@pytest.mark.parametrize(
    ("name", "passphrase"), [("key-plain", None), ("key-protected", "mulberry")]
)
def test_key_examples(name: str, passphrase: str | None) -> None:
    expected = keys.Key("schwaemm256-128", KEY, comment="worked example")
    assert keys.loads(block(name), passphrase) == expected
    assert read_key(block(name), passphrase or "") == (expected.algorithm, expected.material)


@pytest.mark.parametrize("algorithm", ["ascon-aead128", "schwaemm256-128"])
def test_independent_reader_opens_what_the_package_writes(algorithm: str) -> None:
    data = bytes(i * 7 & 0xFF for i in range(4096 + 100))
    assert open_sealed(sealed(data, key=keys.Key(algorithm, KEY), chunk_size=4096), KEY) == data
    assert open_sealed(sealed(data, key=KEY, algorithm=algorithm, chunk_size=4096), KEY) == data
    locked = sealed(b"one", passphrase="Ångström", argon2=CHEAP, algorithm=algorithm)
    assert open_sealed(locked, "A\u030angstro\u0308m") == b"one"
    assert locked[10] == {"schwaemm256-128": 1, "ascon-aead128": 2}[algorithm]


def test_algorithms_of_files_and_keys() -> None:
    with pytest.raises(
        ValueError,
        match="no files are sealed with 'esch256'; there are ascon-aead128, schwaemm256-128",
    ):
        sealed(b"", passphrase="x", argon2=CHEAP, algorithm="esch256")
    with pytest.raises(
        ValueError,
        match="the key is for schwaemm256-128, and the file is to be sealed with 'ascon-aead128'",
    ):
        sealed(b"", key=keys.Key("schwaemm256-128", KEY), algorithm="ascon-aead128")
    with pytest.raises(
        ValueError,
        match=(
            "secret key for speck-128/128; sealed files need a secret key for ascon-aead128 or "
            "schwaemm256-128"
        ),
    ):
        sealed(b"", key=keys.Key("speck-128/128", KEY))


def test_independent_reader_opens_keys_of_the_package() -> None:
    key = keys.generate("speck-128/256")
    assert read_key(keys.dumps(key)) == (key.algorithm, key.material)
    assert read_key(keys.dumps(key, "pass", CHEAP), "pass") == (key.algorithm, key.material)


REPORTS = {
    files.EmptyFileError: "empty",
    files.ForeignFileError: "foreign",
    files.UnsupportedVersionError: "version",
    files.DamagedHeaderError: "header",
    files.ParameterError: "parameter",
    files.WrongKeyError: "key",
    files.WrongPassphraseError: "passphrase",
    files.TruncatedError: "truncated",
    files.AlteredChunkError: "altered",
    files.DuplicatedChunkError: "duplicated",
    files.ReorderedChunkError: "reordered",
    files.AppendedDataError: "appended",
}


def report(data: bytes, **secret: object) -> str:
    with pytest.raises(tuple(REPORTS)) as caught:
        opened(data, **(secret or {"key": KEY}))
    return REPORTS[caught.type]


@pytest.mark.parametrize("shared", [False, True])
def test_vectors_of_shared_passphrases(shared: bool) -> None:
    """Both readers, and the package with an object that it uses for many files."""
    tests = vectors_io.document("sealed/shared")["tests"]
    assert sum("pt" in test for test in tests) == 11 and len(tests) == 49
    assert {test["report"] for test in tests if "report" in test} == {
        "passphrase", "header", "parameter", "version", "altered", "truncated", "appended",
    }  # fmt: skip
    kept: dict[str, files.SharedPassphrase] = {}
    for test in tests:
        data, words = bytes.fromhex(test["file"]), test["passphrase"]
        given = kept.setdefault(words, files.SharedPassphrase(words)) if shared else words
        if "pt" in test:
            assert opened(data, passphrase=given).hex() == test["pt"], test["comment"]
            assert open_sealed(data, words).hex() == test["pt"], test["comment"]
            continue
        assert report(data, passphrase=given) == test["report"], test["comment"]
        with pytest.raises(Refused) as caught:
            open_sealed(data, words)
        assert str(caught.value) == test["report"], test["comment"]


def test_control_vectors_refuse_a_reader_that_stretches_the_whole_salt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from hanji.files import _format

    test = vectors_io.document("sealed/shared")["tests"][0]
    data = bytes.fromhex(test["file"])
    assert opened(data, passphrase=test["passphrase"]).hex() == test["pt"]
    monkeypatch.setattr(_format, "stretch_salt", lambda header: header.salt)
    with pytest.raises(files.WrongPassphraseError):
        opened(data, passphrase=test["passphrase"])


def test_vectors_of_shared_passphrases_are_up_to_date() -> None:
    tool = DOCUMENT.parents[1] / "tools/sealed_vectors.py"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["sealed-key", "sealed-ascon"]),
    position=st.integers(0, 165),
    bit=st.integers(0, 7),
    cut=st.integers(0, 166),
    extra=st.binary(max_size=3),
)
def test_both_readers_refuse_damage_with_the_same_report(
    name: str, position: int, bit: int, cut: int, extra: bytes
) -> None:
    good = dump(name)
    for bad in (
        good[:position] + bytes([good[position] ^ 1 << bit]) + good[position + 1 :],
        good[:cut],
        good + extra,
    ):
        if bad != good:
            with pytest.raises(Refused) as caught:
                open_sealed(bad, KEY)
            assert report(bad) == str(caught.value)
