# SPDX-License-Identifier: Apache-2.0
"""Sealed files that go through descriptors in pieces: short reads and writes, one processor and
several, buffers within their bound, and storing that begins while more is made.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hanji import _atomic, _pieces, files
from hanji.files import _stream
from hanji.keys import Key

CHUNK = 4096
RECORD = CHUNK + 32
KEYS = [Key(name, bytes(range(16))) for name in ("ascon-aead128", "schwaemm256-128")]


def text(size: int) -> bytes:
    return bytes(i * 7 % 251 for i in range(256))[:251] * (size // 251 + 1)


def views(sizes: list[int], data: bytes = b"") -> list[memoryview]:
    found = []
    for size in sizes:
        found.append(memoryview(bytearray(data[:size].ljust(size, b"\0"))))
        data = data[size:]
    return found


@pytest.mark.parametrize("sizes", [[1], [16, 4096, 16] * 50, [3] * 2500, [200_000, 1, 200_000]])
def test_pieces_through_a_pipe_that_takes_and_gives_little(sizes: list[int]) -> None:
    data = text(sum(sizes))[: sum(sizes)]
    read_end, write_end = os.pipe()
    back = views(sizes)

    def write() -> None:
        with os.fdopen(write_end, "wb", buffering=0) as out:
            _pieces.write_pieces(out.fileno(), views(sizes, data))

    writer = threading.Thread(target=write)
    writer.start()
    with os.fdopen(read_end, "rb", buffering=0) as source:
        assert _pieces.read_pieces(source.fileno(), [*back, *views([5])]) == len(data)
    writer.join()
    assert b"".join(back) == data


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.algorithm)
@pytest.mark.parametrize("processors", [1, 2])
@pytest.mark.parametrize(
    "size", [0, 1, CHUNK - 17, CHUNK - 1, CHUNK, CHUNK + 1, 256 * CHUNK, 600 * CHUNK + 5]
)
def test_files_are_those_of_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, processors: int, key: Key
) -> None:
    monkeypatch.setattr(_stream, "usable_processors", lambda: processors)
    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(32))
    plain, sealed, back = (tmp_path / name for name in ("plain", "sealed", "back"))
    plain.write_bytes(text(size)[:size])
    assert files.seal_file(plain, sealed, key=key, chunk_size=CHUNK) == size
    out = io.BytesIO()
    files.seal(io.BytesIO(plain.read_bytes()), out, key=key, chunk_size=CHUNK, threads=3)
    assert sealed.read_bytes() == out.getvalue()
    assert files.open_file(sealed, back, key=key) == size
    assert back.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("processors", [1, 2])
@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda good: good[:-1], files.TruncatedError),
        (lambda good: good[: 128 + RECORD], files.TruncatedError),
        (lambda good: good + b"\0", files.AppendedDataError),
        (lambda good: good + good[-40:], files.AppendedDataError),
        (lambda good: good[:-1] + bytes([good[-1] ^ 1]), files.AlteredChunkError),
        (lambda good: good[:-17] + bytes([good[-17] ^ 1]) + good[-16:], files.AlteredChunkError),
        (
            lambda good: good[: 128 + RECORD] + good[128 + 2 * RECORD :],
            files.ReorderedChunkError,
        ),
    ],
)
def test_faults_of_files_leave_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[bytes], bytes],
    error: type[Exception],
    processors: int,
) -> None:
    monkeypatch.setattr(_stream, "usable_processors", lambda: processors)
    sealed = tmp_path / "sealed"
    (tmp_path / "plain").write_bytes(text(300 * CHUNK)[: 300 * CHUNK - 20])
    files.seal_file(tmp_path / "plain", sealed, key=KEYS[0], chunk_size=CHUNK)
    sealed.write_bytes(change(sealed.read_bytes()))
    with pytest.raises(error):
        files.open_file(sealed, tmp_path / "back", key=KEYS[0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plain", "sealed"]


@pytest.mark.parametrize("processors", [1, 2, 8])
@pytest.mark.parametrize("log2", range(12, 21))
def test_buffers_take_16_mib_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log2: int, processors: int
) -> None:
    made: list[int] = []

    class Counted(_stream._Batch):
        def __init__(self, chunk_size: int, capacity: int) -> None:
            super().__init__(chunk_size, capacity)
            made.append(capacity * (chunk_size + 32))

    monkeypatch.setattr(_stream, "_Batch", Counted)
    monkeypatch.setattr(_stream, "usable_processors", lambda: processors)
    with (tmp_path / "plain").open("wb") as out:
        out.truncate(24 << 20)
    with (tmp_path / "plain").open("rb", buffering=0) as source, Path(os.devnull).open("wb") as out:
        files.seal(source, out, key=KEYS[0], chunk_size=1 << log2)
    assert sum(made) <= (16 << 20) * (1 + 32 / (1 << log2))


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="no posix_fadvise here")
def test_storing_begins_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(_atomic, "_STORED_AT_ONCE", 10_000)
    monkeypatch.setattr(
        _atomic.os, "posix_fadvise", lambda _, at, size, advice: told.append((at, size))
    )
    with files.AtomicOutput(tmp_path / "out") as output:
        for _ in range(5):
            output.write(bytes(3000))
            output.write_pieces([memoryview(bytes(2500)), memoryview(bytes(500))])
    assert told == [(0, 12_000), (12_000, 12_000)]
    assert (tmp_path / "out").read_bytes() == bytes(30_000)


def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb", buffering=0) as full:
        with pytest.raises(OSError, match="No space left"):
            _pieces.write_pieces(full.fileno(), views([5, 6]))
        with (
            pytest.raises(OSError, match="No space left") as caught,
            files.AtomicOutput(tmp_path / "out") as output,
        ):
            assert output._raw is not None
            os.dup2(full.fileno(), output._raw.fileno())
            output.write_pieces(views([5, 6]))
    assert caught.value.filename == str(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
