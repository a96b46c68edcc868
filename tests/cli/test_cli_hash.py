# SPDX-License-Identifier: Apache-2.0
"""`hanji hash`, which prints and checks digests as sha256sum does."""

from __future__ import annotations

import os
import shutil
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_process import Hanji, assert_failed
from hypothesis import given
from hypothesis import strategies as st

from hanji import hashes
from hanji.cli import sums
from hanji.cli.sums import line, parse_line

pytestmark = pytest.mark.quick

ODD_NAMES = [
    "plain",
    "two words",
    "back\\slash",
    "line\nbreak",
    "return\r",
    "*star",
    "\\\\n",
    "ünï",
    "-dash",
]
file_names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), min_size=1)


@pytest.mark.parametrize(
    ("algorithm", "digest"),
    [
        ("ascon-hash256", lambda data: hashes.AsconHash256(data).digest()),
        ("ascon-xof128", lambda data: hashes.AsconXOF128(data).digest(32)),
        ("ascon-cxof128", lambda data: hashes.AsconCXOF128(data).digest(32)),
        ("esch256", lambda data: hashes.Esch256(data).digest()),
        ("esch384", lambda data: hashes.Esch384(data).digest()),
        ("xoesch256", lambda data: hashes.XOEsch256(data).digest(32)),
        ("xoesch384", lambda data: hashes.XOEsch384(data).digest(48)),
    ],
)
def test_digests(
    hanji: Hanji, tmp_path: Path, algorithm: str, digest: Callable[[bytes], bytes]
) -> None:
    data = bytes(range(256)) * 3000
    (tmp_path / "a").write_bytes(data)
    expected = digest(data)
    assert len(expected) >= 32
    assert hanji("hash", "-a", algorithm, "a").stdout == f"{expected.hex()}  a\n".encode()
    assert hanji("hash", "-a", algorithm, stdin=data).stdout == f"{expected.hex()}  -\n".encode()


def test_default_is_ascon_hash256(hanji: Hanji) -> None:
    assert (
        hanji("hash", stdin=b"").stdout == f"{hashes.AsconHash256(b'').hexdigest()}  -\n".encode()
    )


def test_length_of_extendable_output(hanji: Hanji) -> None:
    expected = hashes.XOEsch256(b"x").hexdigest(100)
    assert (
        hanji("hash", "-a", "xoesch256", "--length", 100, stdin=b"x").stdout
        == f"{expected}  -\n".encode()
    )
    assert_failed(
        hanji("hash", "--length", 100, stdin=b"x"), "ascon-hash256 digests have one length", 2
    )
    assert_failed(hanji("hash", "-a", "xoesch256", "--length", 0, stdin=b"x"), "--length", 2)


def test_check_round_trip_with_odd_names(hanji: Hanji, tmp_path: Path) -> None:
    for name in ODD_NAMES:
        (tmp_path / name).write_text(name)
    os.close(os.open(os.fsencode(tmp_path) + b"/not\xfftext", os.O_CREAT))
    arguments = [os.fsdecode(name) for name in [*ODD_NAMES, b"not\xfftext"]]
    listing = hanji("hash", "--", *arguments).stdout
    (tmp_path / "sums").write_bytes(listing)
    result = hanji("hash", "-c", "sums")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(b": OK\n") == len(arguments)
    (tmp_path / "line\nbreak").write_text("other")
    assert b"line\\nbreak: FAILED\n" in hanji("hash", "-c", "sums").stdout


@pytest.mark.skipif(
    shutil.which("sha256sum") is None,
    reason="sha256sum (Debian package coreutils) is not installed",
)
def test_layout_is_that_of_sha256sum(hanji: Hanji, tmp_path: Path) -> None:
    # older coreutils do not escape the carriage return
    plain = [name for name in ODD_NAMES if "\r" not in name]
    for name in plain:
        (tmp_path / name).write_text(name)
    theirs = subprocess.run(
        ["sha256sum", "--", *plain], cwd=tmp_path, capture_output=True, check=True
    ).stdout
    ours = hanji("hash", "--", *plain).stdout
    assert [row.lstrip(b"\\")[64:] for row in ours.splitlines()] == [
        row.lstrip(b"\\")[64:] for row in theirs.splitlines()
    ]
    assert [row[:1] == b"\\" for row in ours.splitlines()] == [
        row[:1] == b"\\" for row in theirs.splitlines()
    ]


@given(name=file_names, digest=st.binary(min_size=1, max_size=64))
def test_parsing_a_line_inverts_writing_it(name: str, digest: bytes) -> None:
    written = os.fsencode(line(digest, name))
    assert written.count(b"\n") == 1
    assert parse_line(written.removesuffix(b"\n")) == (digest, name)


@pytest.mark.parametrize(
    "raw", [b"", b"00", b"zz  a", b"00 ", b"000  a", b"00  ", b"\\00  bad\\escape", b"\\00  end\\"]
)
def test_malformed_lines(raw: bytes) -> None:
    assert parse_line(raw) is None


def test_check_reports_as_sha256sum_does(hanji: Hanji, tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text(name)
    listing = hanji("hash", "a", "b", "c").stdout
    (tmp_path / "sums").write_bytes(b"# a comment\n\n" + listing + b"this is no digest\n")
    (tmp_path / "b").write_text("changed")
    (tmp_path / "c").unlink()
    result = hanji("hash", "-c", "sums")
    assert result.stdout == b"a: OK\nb: FAILED\nc: FAILED open or read\n"
    for message in (
        "c: no such file or directory",
        "WARNING: 1 line is improperly formatted",
        "WARNING: 1 listed file could not be read",
        "WARNING: 1 computed digest did NOT match",
    ):
        assert_failed(result, message, 3)
    assert hanji("hash", "-c", "--quiet", "sums").stdout == b"b: FAILED\nc: FAILED open or read\n"
    silent = hanji("hash", "-c", "--status", "sums")
    assert (silent.returncode, silent.stdout) == (3, b"")


def test_ignore_missing(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    listing = hanji("hash", "a").stdout
    (tmp_path / "sums").write_bytes(listing + listing.replace(b"  a", b"  gone"))
    assert hanji("hash", "-c", "sums").returncode == 3
    assert hanji("hash", "-c", "--ignore-missing", "sums").returncode == 0
    (tmp_path / "a").unlink()
    assert_failed(hanji("hash", "-c", "--ignore-missing", "sums"), "sums: no file was verified")


def test_strict(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "sums").write_bytes(hanji("hash", "a").stdout + b"nonsense\n")
    assert hanji("hash", "-c", "sums").returncode == 0
    assert hanji("hash", "-c", "--strict", "sums").returncode == 1


def test_lists_without_a_digest(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "sums").write_bytes(b"nothing\n")
    assert_failed(
        hanji("hash", "-c", "sums"), "sums: no properly formatted ascon-hash256 line found"
    )
    assert_failed(hanji("hash", "-c", "missing"), "missing: no such file", 3)


def test_check_accepts_what_other_systems_write(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    digest = hashes.AsconHash256(b"a").hexdigest()
    (tmp_path / "sums").write_text(f"{digest.upper()} *a\r\n")
    assert hanji("hash", "-c", "sums").stdout == b"a: OK\n"


def test_other_files_are_hashed_when_one_cannot_be_read(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a").write_text("a")
    result = hanji("hash", "missing", "folder", "a")
    assert_failed(result, "missing: no such file", 3)
    assert_failed(result, "folder: is a directory", 3)
    assert result.stdout.endswith(b"  a\n")


def test_check_options_need_check(hanji: Hanji) -> None:
    assert_failed(hanji("hash", "--quiet", "a"), "go with --check", 2)


def test_lists_of_strangers_fit_the_memory(tmp_path: Path) -> None:
    """`hanji hash -c /dev/zero` took all memory of the machine."""
    good = line(bytes(32), "name").encode()
    path = tmp_path / "list"
    with path.open("wb") as file:
        file.write(good)
        file.seek(64 << 20)  # a line of zeros
        file.write(b"\n" + good + b"# a remark\n\n" + good.replace(b"\n", b"\r\n") + good[:-1])
    tracemalloc.start()
    found = [parse_line(raw) for raw in sums._read_lines(str(path))]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    expected = (bytes(32), "name")
    assert found == [expected, None, expected, expected, expected]
    assert peak < 16 << 20


@pytest.mark.parametrize("size", [1, 100, sums._BUFFER - 1, sums._BUFFER, sums._BUFFER + 1])
def test_lines_are_whole_wherever_a_list_is_cut(
    tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"".join(line(bytes([i] * 32), "n" * i).encode() for i in range(1, 60))
    (tmp_path / "list").write_bytes(text)
    monkeypatch.setattr(sums, "_BUFFER", min(size, 300))
    assert [*sums._read_lines(str(tmp_path / "list"))] == text.splitlines()
    longest = line(bytes(sums.MAX_LENGTH), "\\" * 4096).encode().removesuffix(b"\n")
    assert parse_line(longest) == (bytes(sums.MAX_LENGTH), "\\" * 4096)
    assert parse_line(longest + b"n") is None


def test_odd_names_in_a_list_do_not_end_it(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    whole = line(hashes.AsconHash256(b"x").digest(), "a").encode()
    digest = whole[:64]
    (tmp_path / "list").write_bytes(
        digest + b"  a\0b\n" + digest + b"  " + b"n" * 5000 + b"\n" + whole
    )
    done = hanji("hash", "-c", "list")
    assert done.returncode == 3
    assert done.stdout.endswith(b"\na: OK\n")
    assert b"1 line is improperly formatted" in done.stderr
    done = hanji("hash", "-c", "-", stdin=digest + b"  -\n" + whole)
    assert done.returncode == 3
    assert done.stdout == b"-: FAILED open or read\na: OK\n"
    assert b"-: is the list itself" in done.stderr
