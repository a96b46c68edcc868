# SPDX-License-Identifier: Apache-2.0
"""Sealed files that go through descriptors in pieces: short reads and writes, one processor and
several, buffers within their bound, and storing that begins while more is made.
"""

from __future__ import annotations

import errno
import io
import itertools
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hanji import _atomic, _pieces, files
from hanji.files import _stream
from hanji.keys import Key

pytestmark = pytest.mark.quick

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
    most = (16 << 20) * (1 + 32 / (1 << log2))
    assert sum(made) <= most
    made.clear()
    files.seal_file(tmp_path / "plain", tmp_path / "out", key=KEYS[0], chunk_size=1 << log2)
    assert sum(made) <= most
    made.clear()
    files.open_file(tmp_path / "out", tmp_path / "back", key=KEYS[0])
    assert sum(made) <= most


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


class Slow:
    """Work on batches that takes a while, longest for the first of every few."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = itertools.count()
        for name in ("seal", "open"):
            monkeypatch.setattr(_stream._Sealer, name, self.late(getattr(_stream._Sealer, name)))
        monkeypatch.setattr(_stream, "_BATCH_BYTES", 4 * CHUNK)
        monkeypatch.setattr(_stream, "_LANES", 4)
        monkeypatch.setattr(_stream, "_BUFFER_BYTES", 0)

    def late(self, work: Callable[..., None]) -> Callable[..., None]:
        def later(sealer: object, batch: object) -> None:
            time.sleep((0.01, 0.002, 0)[next(self.calls) % 3])
            work(sealer, batch)

        return later


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(monkeypatch)


SIZE = 50 * 4 * CHUNK + 77


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain"
    path.write_bytes(text(SIZE)[:SIZE])
    return path


def left(plain: Path) -> list[str]:
    return sorted(path.name for path in plain.parent.iterdir())


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_batches_of_several_threads_stay_in_order(
    plain: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(_stream, "random_salt", lambda: bytes(32))
    sealed, back = plain.with_name("sealed"), plain.with_name("back")
    options = {"key": KEYS[0], "chunk_size": CHUNK}
    files.seal_file(plain, sealed, threads=threads, **options)  # type: ignore[arg-type]
    out = io.BytesIO()
    files.seal(io.BytesIO(plain.read_bytes()), out, threads=1, **options)  # type: ignore[arg-type]
    assert sealed.read_bytes() == out.getvalue()
    assert files.open_file(sealed, back, key=KEYS[0], threads=threads) == SIZE
    assert back.read_bytes() == plain.read_bytes()


@pytest.mark.usefixtures("slow")
def test_progress_is_told_in_the_thread_of_the_caller(plain: Path) -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int) -> None:
        told.append((threading.get_ident(), done))

    sealed = plain.with_name("sealed")
    files.seal_file(plain, sealed, key=KEYS[0], chunk_size=CHUNK, threads=3, progress=progress)
    assert {thread for thread, _ in told} == {threading.get_ident()}
    counts = [done for _, done in told]
    assert counts == sorted(set(counts)) and len(counts) > 5 and counts[-1] == SIZE


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_end_by_the_caller_leaves_no_file_and_no_thread(
    plain: Path, error: type[BaseException]
) -> None:
    def progress(done: int) -> None:
        if done > SIZE // 3:
            raise error

    before = threading.active_count()
    with pytest.raises(error):
        files.seal_file(
            plain, plain.with_name("sealed"), key=KEYS[0], chunk_size=CHUNK, threads=3,
            progress=progress,
        )  # fmt: skip
    assert left(plain) == ["plain"]
    assert threading.active_count() == before


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("name", ["_fill", "_write_pieces", "pack_frames"])
def test_errors_of_a_step_leave_no_file_and_no_thread(
    plain: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Reading, writing and work, in the tenth batch."""
    calls, step = itertools.count(), getattr(_stream, name)

    def fails(*arguments: object) -> object:
        if next(calls) == 10:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return step(*arguments)

    monkeypatch.setattr(_stream, name, fails)
    before = threading.active_count()
    with pytest.raises(OSError, match="Input/output error"):
        files.seal_file(plain, plain.with_name("sealed"), key=KEYS[0], chunk_size=CHUNK, threads=3)
    assert left(plain) == ["plain"]
    assert threading.active_count() == before


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("first", [0, 4, 8, 9, 13])
@pytest.mark.parametrize("second", [16, 21, None])
def test_the_first_fault_of_a_file_is_the_one_that_is_told(
    plain: Path, first: int, second: int | None
) -> None:
    """Whatever thread finds one first, and where the second is one that shows before any work."""
    sealed = plain.with_name("sealed")
    files.seal_file(plain, sealed, key=KEYS[0], chunk_size=CHUNK)
    data = bytearray(sealed.read_bytes())
    data[128 + first * RECORD + 50] ^= 1
    if second is None:
        del data[128 + 20 * RECORD + 7 :]
    else:
        data[128 + second * RECORD + 3] ^= 1  # of the frame
    sealed.write_bytes(data)
    with pytest.raises(files.AlteredChunkError) as caught:
        files.open_file(sealed, plain.with_name("back"), key=KEYS[0], threads=3)
    assert caught.value.chunk == first
    assert left(plain) == ["plain", "sealed"]
