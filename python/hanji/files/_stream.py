# SPDX-License-Identifier: Apache-2.0
"""Sealing and opening streams: read, work in a few threads, write in order, in constant memory."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypedDict, Unpack

from hanji import InvalidTag
from hanji._derive import Argon2Parameters, stretch
from hanji.aead import Schwaemm256_128
from hanji.files._atomic import AtomicOutput
from hanji.files._errors import (
    AlteredChunkError,
    AppendedDataError,
    DuplicatedChunkError,
    ReorderedChunkError,
    SealedFileError,
    TruncatedError,
)
from hanji.files._format import (
    DEFAULT_CHUNK_SIZE,
    FRAME_SIZE,
    TAG_SIZE,
    Header,
    KeySource,
    Reader,
    build_header,
    check_chunk_size,
    key_material,
    nonce,
    pack_frame,
    parse_frame,
    parse_header,
    random_salt,
    read_header_bytes,
    unlock,
)
from hanji.keys import KEY_ID_SIZE, Key, Passphrase

Progress = Callable[[int], None]
Path = str | os.PathLike[str]


class Writer(Protocol):
    """A binary file object open for writing."""

    def write(self, data: memoryview, /) -> int | None: ...


@dataclass
class _Chunk:
    """One chunk on its way: a buffer of frame, text and tag that is worked on in place."""

    buffer: bytearray
    index: int = 0
    length: int = 0
    last: bool = False

    @property
    def frame(self) -> memoryview:
        return memoryview(self.buffer)[:FRAME_SIZE]

    @property
    def text(self) -> memoryview:
        return memoryview(self.buffer)[FRAME_SIZE : FRAME_SIZE + self.length]

    @property
    def sealed(self) -> memoryview:
        return memoryview(self.buffer)[FRAME_SIZE : FRAME_SIZE + self.length + TAG_SIZE]

    @property
    def record(self) -> memoryview:
        return memoryview(self.buffer)[: FRAME_SIZE + self.length + TAG_SIZE]


@contextlib.contextmanager
def _named(stream: object) -> Iterator[None]:
    """Give an OSError the name of the file that it is about, where the stream has one."""
    try:
        yield
    except OSError as error:
        name = getattr(stream, "name", None)
        if error.filename is None and isinstance(name, str | bytes):
            error.filename = name
        raise


def _fill(source: Reader, view: memoryview) -> int:
    """Read until the view is full or the input ends; the number of bytes read."""
    readinto = getattr(source, "readinto", None)
    done = 0
    while done < view.nbytes:
        with _named(source):
            if readinto is not None:
                count = readinto(view[done:])
            else:
                piece = source.read(view.nbytes - done)
                count = None if piece is None else len(piece)
                view[done : done + (count or 0)] = piece or b""
        if count is None:
            raise BlockingIOError("the input is in non-blocking mode and has no data; give a blocking file object")
        if count == 0:
            break
        done += count
    return done


def _write_all(destination: Writer, data: memoryview) -> None:
    done = 0
    while done < data.nbytes:
        with _named(destination):
            count = destination.write(data[done:])
        if count is None:
            raise BlockingIOError("the output is in non-blocking mode and takes no data; give a blocking file object")
        done += count


class _Pipeline:
    """A fixed set of buffers that go reader -> worker thread -> writer, in order.

    The reader and the writer are the caller's thread; the native code releases the interpreter lock, so that the
    workers run beside them and beside each other. An error of the reader is raised only after the chunks before it
    were worked on, so that the first fault in the file is the one reported.
    """

    def __init__(self, threads: int | None, chunk_size: int) -> None:
        if threads is None:
            threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
            threads = min(threads, 8)
        if threads < 1:
            raise ValueError(f"threads is {threads}; at least 1 is needed")
        self._threads = threads
        self._depth = threads + 2
        self._record_size = FRAME_SIZE + chunk_size + TAG_SIZE
        self._buffers: list[bytearray] = []
        self._free: list[_Chunk] = []

    def take(self) -> _Chunk:
        """A chunk with a buffer of its own; buffers are made when first needed, so that small files stay cheap."""
        if not self._free:
            self._buffers.append(bytearray(self._record_size))
            return _Chunk(self._buffers[-1])
        return self._free.pop()

    def give(self, chunk: _Chunk) -> None:
        self._free.append(chunk)

    def run(self, chunks: Iterator[_Chunk], work: Callable[[_Chunk], None], write: Callable[[_Chunk], None]) -> None:
        pending: deque[tuple[Future[None], _Chunk]] = deque()
        failure: SealedFileError | None = None

        def finish_oldest() -> None:
            future, chunk = pending.popleft()
            future.result()
            write(chunk)
            self.give(chunk)

        try:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="hanji") as pool:
                try:
                    while True:
                        try:
                            chunk = next(chunks)
                        except StopIteration:
                            break
                        except SealedFileError as error:
                            failure = error
                            break
                        pending.append((pool.submit(work, chunk), chunk))
                        if len(pending) >= self._depth:
                            finish_oldest()
                    while pending:
                        finish_oldest()
                finally:
                    for future, _ in pending:
                        future.cancel()
        finally:
            for buffer in self._buffers:
                buffer[:] = bytes(len(buffer))
        if failure is not None:
            raise failure


def seal(
    source: Reader,
    destination: Writer,
    *,
    key: Key | bytes | None = None,
    passphrase: str | None = None,
    argon2: Argon2Parameters | None = None,
    chunk_size: int = DEFAULT_CHUNK_SIZE,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Seal everything that ``source`` yields into ``destination``; the number of bytes read is returned.

    Give either ``key`` (a :class:`hanji.keys.Key` or 16 bytes) or ``passphrase``. Both file objects are binary; the
    source may be a pipe of unknown length. Sizes: ``chunk_size`` is a power of two from 4 KiB to 16 MiB; memory is
    about ``threads`` + 4 chunks. The result is 128 bytes and 32 per chunk longer than the input. ``progress`` is
    called with the number of bytes sealed so far.
    Errors: ValueError for unusable arguments, OSError from the file objects.
    Source: docs/format.md. Status: see :mod:`hanji.files`.
    """
    check_chunk_size(chunk_size)
    salt = random_salt()
    if (key is None) == (passphrase is None):
        raise ValueError("give either a key or a passphrase")
    if passphrase is not None:
        argon2 = argon2 or Argon2Parameters()
        header = Header(KeySource.PASSPHRASE, chunk_size, bytes(KEY_ID_SIZE), salt, argon2)
        secret = stretch(passphrase, salt, argon2)
    else:
        assert key is not None
        secret, key_id = key_material(key)
        header = Header(KeySource.KEY, chunk_size, key_id, salt)
    raw, file_key = build_header(header, secret)
    cipher = Schwaemm256_128(file_key)
    pipeline = _Pipeline(threads, chunk_size)
    done = 0

    def read() -> Iterator[_Chunk]:
        chunk = _read_plain(pipeline, source, 0, chunk_size)
        while not chunk.last:
            # Whether a full chunk is the last one shows only when the next read finds nothing.
            following = _read_plain(pipeline, source, chunk.index + 1, chunk_size)
            if following.length == 0:
                chunk.last = True
                pipeline.give(following)
            yield chunk
            if chunk.last:
                return
            chunk = following
        yield chunk

    def work(chunk: _Chunk) -> None:
        frame = pack_frame(chunk.index, chunk.length, chunk.last)
        chunk.frame[:] = frame
        cipher.encrypt_into(nonce(frame), chunk.text, raw, chunk.sealed)

    def write(chunk: _Chunk) -> None:
        nonlocal done
        _write_all(destination, chunk.record)
        done += chunk.length
        if progress is not None:
            progress(done)

    _write_all(destination, memoryview(raw))
    pipeline.run(read(), work, write)
    return done


def _read_plain(pipeline: _Pipeline, source: Reader, index: int, chunk_size: int) -> _Chunk:
    chunk = pipeline.take()
    chunk.index, chunk.length = index, chunk_size
    chunk.length = _fill(source, chunk.text)
    chunk.last = chunk.length < chunk_size
    return chunk


def open(
    source: Reader,
    destination: Writer,
    *,
    key: Key | bytes | None = None,
    passphrase: Passphrase | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Open a sealed file into ``destination``; the number of bytes written is returned.

    Each chunk is written after its own verification and after all chunks before it; when this raises, what was
    written is a genuine beginning of the file and not the whole of it. :func:`open_file` removes such a beginning.
    ``passphrase`` may be a function; it is called only when the file needs one. Sizes: memory is about ``threads`` +
    3 chunks of the size that the file states (at most 16 MiB each).
    Errors: a subclass of SealedFileError that says what is wrong with the file; ParameterError, WrongPassphraseError;
    ValueError for a key of another algorithm; OSError.
    Source: docs/format.md. Status: see :mod:`hanji.files`.
    """
    raw = read_header_bytes(source)
    header = parse_header(raw)
    cipher = Schwaemm256_128(unlock(header, raw, key, passphrase))
    pipeline = _Pipeline(threads, header.chunk_size)
    done = 0

    def work(chunk: _Chunk) -> None:
        try:
            cipher.decrypt_into(nonce(bytes(chunk.frame)), chunk.sealed, raw, chunk.text)
        except InvalidTag:
            raise _altered(chunk.index) from None

    def read() -> Iterator[_Chunk]:
        index = 0
        while True:
            chunk = _read_sealed(pipeline, source, index, header.chunk_size)
            if chunk.index != index:
                raise _misplaced(chunk, index, work)
            if chunk.last and _fill(source, memoryview(bytearray(1))):
                work(chunk)
                raise AppendedDataError(f"data was appended: the file goes on after its final chunk, number {index}")
            yield chunk
            if chunk.last:
                return
            index += 1

    def write(chunk: _Chunk) -> None:
        nonlocal done
        _write_all(destination, chunk.text)
        done += chunk.length
        if progress is not None:
            progress(done)

    pipeline.run(read(), work, write)
    return done


def _altered(index: int) -> AlteredChunkError:
    return AlteredChunkError(f"chunk {index} was altered: it does not verify", index)


def _misplaced(chunk: _Chunk, expected: int, work: Callable[[_Chunk], None]) -> SealedFileError:
    """Say why a chunk that claims another index stands here; only a chunk that verifies is believed."""
    try:
        work(chunk)
    except AlteredChunkError:
        return _altered(expected)
    if chunk.index < expected:
        return DuplicatedChunkError(f"chunk {chunk.index} was duplicated: it stands again where chunk {expected} belongs", expected)
    return ReorderedChunkError(f"chunks were reordered or removed: chunk {chunk.index} stands where chunk {expected} belongs", expected)


def _read_sealed(pipeline: _Pipeline, source: Reader, expected: int, chunk_size: int) -> _Chunk:
    chunk = pipeline.take()
    got = _fill(source, chunk.frame)
    if got == 0:
        where = f"it ends after chunk {expected - 1}" if expected else "it ends after its header"
        raise TruncatedError(f"the file is truncated: {where}, and the final chunk is missing")
    if got < FRAME_SIZE:
        raise TruncatedError(f"the file is truncated inside chunk {expected}")
    parsed = parse_frame(chunk.frame, chunk_size)
    if parsed is None:
        raise AlteredChunkError(f"chunk {expected} was altered: its frame is not valid", expected)
    chunk.index, chunk.length, chunk.last = parsed
    if _fill(source, chunk.sealed) < chunk.length + TAG_SIZE:
        raise TruncatedError(f"the file is truncated inside chunk {expected}")
    return chunk


class SealOptions(TypedDict, total=False):
    """The keyword arguments of :func:`seal`."""

    key: Key | bytes | None
    passphrase: str | None
    argon2: Argon2Parameters | None
    chunk_size: int
    threads: int | None
    progress: Progress | None


class OpenOptions(TypedDict, total=False):
    """The keyword arguments of :func:`open`."""

    key: Key | bytes | None
    passphrase: Passphrase | None
    threads: int | None
    progress: Progress | None


def seal_file(source: Path, destination: Path, *, overwrite: bool = False, **options: Unpack[SealOptions]) -> int:
    """Seal the file at one path into a file at another, which appears whole or not at all.

    ``options`` are the keyword arguments of :func:`seal`. Errors: those of :func:`seal`; FileExistsError unless
    ``overwrite``; ValueError when both are one file.
    """
    with _files(source, destination, overwrite) as (reader, writer):
        return seal(reader, writer, **options)


def open_file(source: Path, destination: Path, *, overwrite: bool = False, **options: Unpack[OpenOptions]) -> int:
    """Open the sealed file at one path into a file at another, which appears only when everything has verified.

    ``options`` are the keyword arguments of :func:`open`. Errors: those of :func:`open`; FileExistsError unless
    ``overwrite``; ValueError when both are one file.
    """
    with _files(source, destination, overwrite) as (reader, writer):
        return open(reader, writer, **options)


@contextlib.contextmanager
def _files(source: Path, destination: Path, overwrite: bool) -> Iterator[tuple[io.FileIO, AtomicOutput]]:
    with io.FileIO(os.fspath(source)) as reader:
        refuse_same_file(reader, destination)
        with AtomicOutput(destination, overwrite=overwrite) as writer:
            yield reader, writer


def refuse_same_file(reader: io.FileIO, destination: Path) -> None:
    """ValueError when input and output are one file, under whatever names."""
    try:
        same = os.path.samestat(os.fstat(reader.fileno()), pathlib.Path(destination).stat())
    except FileNotFoundError:
        return
    if same:
        raise ValueError(f"input and output are the same file, {os.fspath(destination)}; give another output")
