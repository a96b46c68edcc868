# SPDX-License-Identifier: Apache-2.0
"""docs/format.md says what the package does: its examples, and an independent reader made from its text."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from format_reader import Refused, open_sealed, read_key
from hypothesis import given, settings
from hypothesis import strategies as st

from hanji import files, keys

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "format.md"
KEY = bytes(range(16))
CHEAP = files.Argon2Parameters(passes=1, memory_kib=64, lanes=1)


def block(name: str) -> str:
    """The text of the example that is fenced with this name in the document."""
    found = re.findall(rf"^```{name}\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
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


def test_example_sealed_with_a_passphrase_opens() -> None:
    assert opened(dump("sealed-passphrase"), passphrase="mulberry") == b""


def test_examples_are_what_sealing_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    from hanji.files import _stream

    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(range(0x20, 0x40)))
    assert sealed(b"hanji\n", key=KEY, chunk_size=4096) == dump("sealed-key")
    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(range(0x40, 0x60)))
    assert sealed(b"", passphrase="mulberry", argon2=CHEAP, chunk_size=65536) == dump("sealed-passphrase")


def test_independent_reader_opens_the_examples() -> None:
    assert open_sealed(dump("sealed-key"), KEY) == b"hanji\n"
    assert open_sealed(dump("sealed-passphrase"), "mulberry") == b""


def test_key_examples_are_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    key = keys.Key("schwaemm256-128", KEY, comment="worked example")
    assert keys.dumps(key) == block("key-plain")
    monkeypatch.setattr(keys.secrets, "token_bytes", lambda size: bytes(range(0x60, 0x60 + size)))
    assert keys.dumps(key, "mulberry", CHEAP) == block("key-protected")


@pytest.mark.parametrize(("name", "passphrase"), [("key-plain", None), ("key-protected", "mulberry")])
def test_key_examples(name: str, passphrase: str | None) -> None:
    expected = keys.Key("schwaemm256-128", KEY, comment="worked example")
    assert keys.loads(block(name), passphrase) == expected
    assert read_key(block(name), passphrase or "") == (expected.algorithm, expected.material)


def test_independent_reader_opens_what_the_package_writes() -> None:
    data = bytes(i * 7 & 0xFF for i in range(4096 + 100))
    assert open_sealed(sealed(data, key=KEY, chunk_size=4096), KEY) == data
    assert open_sealed(sealed(b"one", passphrase="Ångström", argon2=CHEAP), "A\u030angstro\u0308m") == b"one"
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
    files.TruncatedError: "truncated",
    files.AlteredChunkError: "altered",
    files.DuplicatedChunkError: "duplicated",
    files.ReorderedChunkError: "reordered",
    files.AppendedDataError: "appended",
}


def report(data: bytes) -> str:
    with pytest.raises(tuple(REPORTS)) as caught:
        opened(data, key=KEY)
    return REPORTS[caught.type]


@settings(max_examples=40, deadline=None)
@given(position=st.integers(0, 165), bit=st.integers(0, 7), cut=st.integers(0, 166), extra=st.binary(max_size=3))
def test_both_readers_refuse_damage_with_the_same_report(position: int, bit: int, cut: int, extra: bytes) -> None:
    good = dump("sealed-key")
    for bad in (
        good[:position] + bytes([good[position] ^ 1 << bit]) + good[position + 1 :],
        good[:cut],
        good + extra,
    ):
        if bad != good:
            with pytest.raises(Refused) as caught:
                open_sealed(bad, KEY)
            assert report(bad) == str(caught.value)
