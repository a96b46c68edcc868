# SPDX-License-Identifier: Apache-2.0
"""Sealing and opening streams: read, work in a few threads, write in order, in constant memory."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import pathlib
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol, TypedDict, Unpack

from hanji import _core
from hanji._atomic import AtomicOutput
from hanji._derive import Argon2Parameters, stretch
from hanji._threads import usable_processors
from hanji.files._errors import (
    AlteredChunkError,
    AppendedDataError,
    DuplicatedChunkError,
    ReorderedChunkError,
    SealedFileError,
    TruncatedError,
)
from hanji.files._format import (
    DEFAULT_ALGORITHM,
    DEFAULT_CHUNK_SIZE,
    FRAME_SIZE,
    TAG_SIZE,
    Header,
    KeySource,
    Reader,
    build_header,
    check_chunk_size,
    nonce,
    pack_frame,
    parse_frame,
    parse_header,
    random_salt,
    read_header_bytes,
    sealing_key,
    suite,
    unlock,
)
from hanji.keys import KEY_ID_SIZE, Key, Passphrase

Progress = Callable[[int], None]
Path = str | os.PathLike[str]

_LANES = 16  # messages side by side in the widest kernel
# of text; measured: with less, threads spend more on handing over than they gain
_BATCH_BYTES = 1 << 20
_BATCH_BYTES_MAX = 4 << 20


class Writer(Protocol):
    """A binary file object open for writing."""

    def write(self, data: memoryview, /) -> int | None: ...


@dataclass(frozen=True)
class _Chunk:
    """Place, text length and last flag of a chunk: what its frame says."""

    index: int
    length: int
    last: bool

    @property
    def frame(self) -> bytes:
        return pack_frame(self.index, self.length, self.last)

    @property
    def record_size(self) -> int:
        return FRAME_SIZE + self.length + TAG_SIZE


class _Batch:
    """Chunks that are worked on in one call: their texts side by side, and the records of the file
    that they are or become.
    """

    def __init__(self, chunk_size: int, capacity: int) -> None:
        self._texts = bytearray(capacity * chunk_size)
        self._records = bytearray(capacity * (FRAME_SIZE + chunk_size + TAG_SIZE))
        self.chunks: list[_Chunk] = []
        # of the chunk after those that are left in `chunks`
        self.failure: SealedFileError | None = None

    @property
    def texts(self) -> memoryview:
        return memoryview(self._texts)

    @property
    def records(self) -> memoryview:
        return memoryview(self._records)

    @property
    def length(self) -> int:
        return sum(chunk.length for chunk in self.chunks)

    def places(self) -> Iterator[tuple[_Chunk, int, memoryview]]:
        """Each chunk with where its text begins and its record."""
        text = record = 0
        for chunk in self.chunks:
            yield chunk, text, self.records[record : record + chunk.record_size]
            text += chunk.length
            record += chunk.record_size

    def wipe(self) -> None:
        for buffer in (self._texts, self._records):
            buffer[:] = bytes(len(buffer))


@dataclass(frozen=True)
class _Sealer:
    """Seals and opens batches under the key of one file; the header is the associated data of every
    chunk.
    """

    key: bytes
    header: bytes
    algorithm: str

    def _run(self, operation: str, batch: _Batch, tags: bytearray) -> bytearray:
        count = len(batch.chunks)
        status = bytearray(count)
        _core.fleet(
            self.algorithm,
            operation,
            cipher="",
            offsets=array(
                "q", itertools.accumulate((chunk.length for chunk in batch.chunks), initial=0)
            ),
            data=batch.texts,
            out=batch.texts,
            ad_offsets=array("q", range(0, len(self.header) * (count + 1), len(self.header))),
            ad=self.header * count,
            keys=self.key,
            one_key=True,
            nonces=b"".join(nonce(chunk.frame, self.algorithm) for chunk in batch.chunks),
            nonce_size=suite(self.algorithm).nonce_size,
            tags=tags,
            tag_size=TAG_SIZE,
            status=status,
            limit=0,
            threads=1,
        )
        return status

    def seal(self, batch: _Batch) -> None:
        """The texts of a batch to records."""
        tags = bytearray(TAG_SIZE * len(batch.chunks))
        self._run("encrypt", batch, tags)
        for number, (chunk, text, record) in enumerate(batch.places()):
            record[:FRAME_SIZE] = chunk.frame
            record[FRAME_SIZE:-TAG_SIZE] = batch.texts[text : text + chunk.length]
            record[-TAG_SIZE:] = tags[TAG_SIZE * number : TAG_SIZE * (number + 1)]

    def open(self, batch: _Batch) -> None:
        """The records of a batch to texts; only the chunks before the first that does not verify
        are left.
        """
        tags = bytearray()
        for chunk, text, record in batch.places():
            batch.texts[text : text + chunk.length] = record[FRAME_SIZE:-TAG_SIZE]
            tags += record[-TAG_SIZE:]
        status = self._run("decrypt", batch, tags)
        for number, chunk in enumerate(batch.chunks):
            if status[number] != 0:
                del batch.chunks[number:]
                batch.failure = _altered(chunk.index)
                break


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
            raise BlockingIOError(
                "the input is in non-blocking mode and has no data; give a blocking file object"
            )
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
            raise BlockingIOError(
                "the output is in non-blocking mode and takes no data; give a blocking file object"
            )
        done += count


class _Pipeline:
    """A fixed set of batches that go reader -> worker thread -> writer, in order.

    The reader and the writer are the caller's thread; the native code releases the interpreter
    lock, so that the workers run beside them and beside each other. An error of the reader is
    raised only after the chunks before it were worked on, so that the first fault in the file is
    the one reported.
    """

    def __init__(self, threads: int | None, chunk_size: int) -> None:
        if threads is None:
            threads = min(usable_processors(), 8)
        if threads < 1:
            raise ValueError(f"threads is {threads}; at least 1 is needed")
        self._threads = threads
        self._depth = threads + 2
        self.chunk_size = chunk_size
        # As many chunks as the widest kernel has lanes, or 1 MiB of smaller ones; of large ones
        # fewer, for the memory.
        self.capacity = max(
            1, min(_BATCH_BYTES_MAX // chunk_size, max(_LANES, _BATCH_BYTES // chunk_size))
        )
        self._all: list[_Batch] = []
        self._free: list[_Batch] = []

    def take(self) -> _Batch:
        """An empty batch; they are made when first needed, so that small files stay cheap."""
        if not self._free:
            self._all.append(_Batch(self.chunk_size, self.capacity))
            return self._all[-1]
        return self._free.pop()

    def give(self, batch: _Batch) -> None:
        batch.chunks, batch.failure = [], None
        self._free.append(batch)

    def run(
        self,
        batches: Iterator[_Batch],
        work: Callable[[_Batch], None],
        write: Callable[[_Batch], None],
    ) -> None:
        pending: deque[tuple[Future[None], _Batch]] = deque()
        failure: SealedFileError | None = None

        def finish_oldest() -> None:
            future, batch = pending.popleft()
            future.result()
            write(batch)
            if batch.failure is not None:
                raise batch.failure
            self.give(batch)

        try:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="hanji") as pool:
                try:
                    while True:
                        try:
                            batch = next(batches)
                        except StopIteration:
                            break
                        except SealedFileError as error:
                            failure = error
                            break
                        pending.append((pool.submit(work, batch), batch))
                        if len(pending) >= self._depth:
                            finish_oldest()
                    while pending:
                        finish_oldest()
                finally:
                    for future, _ in pending:
                        future.cancel()
        finally:
            for batch in self._all:
                batch.wipe()
        if failure is not None:
            raise failure


def seal(
    source: Reader,
    destination: Writer,
    *,
    key: Key | bytes | None = None,
    passphrase: str | None = None,
    argon2: Argon2Parameters | None = None,
    algorithm: str | None = None,
    chunk_size: int = DEFAULT_CHUNK_SIZE,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Seal everything that ``source`` yields into ``destination``; the number of bytes read is
    returned.

    Give either ``key`` (a :class:`hanji.keys.Key` or 16 bytes) or ``passphrase``. ``algorithm`` is
    "ascon-aead128" or "schwaemm256-128"; default: that of the key, and of hanji.keys where there is
    none. Both file objects are binary; the source may be a pipe of unknown length. Sizes:
    ``chunk_size`` is a power of two from 4 KiB to 16 MiB; memory is ``threads`` + 3 times 2 MiB,
    with chunks of more than 64 KiB 8 MiB or two chunks. The result is 128 bytes and 32 per chunk
    longer than the input. ``progress`` is called with the number of bytes sealed so far, for every
    batch of chunks.
    Errors: ValueError for unusable arguments, OSError from the file objects.
    Source: docs/format.md. Status: see :mod:`hanji.files`.
    """
    check_chunk_size(chunk_size)
    salt = random_salt()
    if (key is None) == (passphrase is None):
        raise ValueError("give either a key or a passphrase")
    if passphrase is not None:
        argon2 = argon2 or Argon2Parameters()
        name = algorithm or DEFAULT_ALGORITHM
        suite(name)
        header = Header(KeySource.PASSPHRASE, chunk_size, bytes(KEY_ID_SIZE), salt, argon2, name)
        secret = stretch(passphrase, salt, argon2)
    else:
        assert key is not None
        given = sealing_key(key, algorithm)
        secret = given.material
        header = Header(KeySource.KEY, chunk_size, given.key_id, salt, algorithm=given.algorithm)
    raw, file_key = build_header(header, secret)
    pipeline = _Pipeline(threads, chunk_size)
    done = 0

    def read() -> Iterator[_Batch]:
        batch = _read_plain(pipeline, source, 0)
        while not batch.chunks[-1].last:
            # Whether a full chunk is the last one shows only when the next read finds nothing.
            following = _read_plain(pipeline, source, batch.chunks[-1].index + 1)
            if not following.length:
                batch.chunks[-1] = replace(batch.chunks[-1], last=True)
                pipeline.give(following)
            yield batch
            if batch.chunks[-1].last:
                return
            batch = following
        yield batch

    def write(batch: _Batch) -> None:
        nonlocal done
        _write_all(destination, batch.records[: sum(chunk.record_size for chunk in batch.chunks)])
        done += batch.length
        if progress is not None:
            progress(done)

    _write_all(destination, memoryview(raw))
    pipeline.run(read(), _Sealer(file_key, raw, header.algorithm).seal, write)
    return done


def _read_plain(pipeline: _Pipeline, source: Reader, index: int) -> _Batch:
    """The next batch; its final chunk is the last of the file if it is not full. The first chunk of
    a file may be empty.
    """
    batch = pipeline.take()
    full, rest = divmod(_fill(source, batch.texts), pipeline.chunk_size)
    batch.chunks = [_Chunk(index + i, pipeline.chunk_size, False) for i in range(full)]
    if rest or not full:
        batch.chunks.append(_Chunk(index + full, rest, True))
    elif full < pipeline.capacity:
        batch.chunks[-1] = replace(batch.chunks[-1], last=True)
    return batch


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

    Each chunk is written after its own verification and after all chunks before it; when this
    raises, what was written is a genuine beginning of the file and not the whole of it.
    :func:`open_file` removes such a beginning. ``passphrase`` may be a function; it is called only
    when the file needs one. Sizes: memory as for :func:`seal`, by the chunk size that the file
    states (at most 16 MiB).
    Errors: a subclass of SealedFileError that says what is wrong with the file; ParameterError, WrongPassphraseError;
    ValueError for a key of another algorithm; OSError.
    Source: docs/format.md. Status: see :mod:`hanji.files`.
    """
    raw = read_header_bytes(source)
    header = parse_header(raw)
    sealer = _Sealer(unlock(header, raw, key, passphrase), raw, header.algorithm)
    pipeline = _Pipeline(threads, header.chunk_size)
    done = 0

    def read() -> Iterator[_Batch]:
        """Batches of whole and rightly placed chunks; a fault in the file is raised after the
        chunks before it.
        """
        index, last = 0, False
        while not last:
            batch = pipeline.take()
            got = _fill(source, batch.records)
            fault: SealedFileError | None = None
            at = 0
            while at < got or not (at or last):
                try:
                    chunk = _parse_record(batch.records[at:got], index, header.chunk_size)
                    if chunk.index != index:
                        raise _misplaced(chunk, index, _verifies(sealer, chunk, batch.records[at:]))
                    if chunk.last and (
                        at + chunk.record_size < got or _fill(source, memoryview(bytearray(1)))
                    ):
                        if not _verifies(sealer, chunk, batch.records[at:]):
                            raise _altered(index)
                        raise AppendedDataError(
                            "data was appended: the file goes on after its final chunk, number "
                            f"{index}"
                        )
                except SealedFileError as error:
                    fault = error
                    break
                batch.chunks.append(chunk)
                last = chunk.last
                at += chunk.record_size
                index += 1
            if batch.chunks:
                yield batch
            if fault is not None:
                raise fault

    def write(batch: _Batch) -> None:
        nonlocal done
        _write_all(destination, batch.texts[: batch.length])
        done += batch.length
        if progress is not None:
            progress(done)

    pipeline.run(read(), sealer.open, write)
    return done


def _altered(index: int) -> AlteredChunkError:
    return AlteredChunkError(f"chunk {index} was altered: it does not verify", index)


def _verifies(sealer: _Sealer, chunk: _Chunk, record: memoryview) -> bool:
    """Whether one chunk is genuine, by itself."""
    alone = _Batch(chunk.length, 1)
    alone.chunks = [chunk]
    alone.records[: chunk.record_size] = record[: chunk.record_size]
    sealer.open(alone)
    alone.wipe()
    return alone.failure is None


def _misplaced(chunk: _Chunk, expected: int, genuine: bool) -> SealedFileError:
    """Say why a chunk that claims another index stands here; only a chunk that verifies is
    believed.
    """
    if not genuine:
        return _altered(expected)
    if chunk.index < expected:
        return DuplicatedChunkError(
            f"chunk {chunk.index} was duplicated: it stands again where chunk {expected} belongs",
            expected,
        )
    return ReorderedChunkError(
        f"chunks were reordered or removed: chunk {chunk.index} stands where chunk {expected} "
        "belongs",
        expected,
    )


def _parse_record(rest: memoryview, expected: int, chunk_size: int) -> _Chunk:
    """The chunk at the beginning of what is left; `expected` is for the messages."""
    if not rest:
        where = f"it ends after chunk {expected - 1}" if expected else "it ends after its header"
        raise TruncatedError(f"the file is truncated: {where}, and the final chunk is missing")
    if len(rest) < FRAME_SIZE:
        raise TruncatedError(f"the file is truncated inside chunk {expected}")
    parsed = parse_frame(rest[:FRAME_SIZE], chunk_size)
    if parsed is None:
        raise AlteredChunkError(f"chunk {expected} was altered: its frame is not valid", expected)
    chunk = _Chunk(*parsed)
    if len(rest) < chunk.record_size:
        raise TruncatedError(f"the file is truncated inside chunk {expected}")
    return chunk


class SealOptions(TypedDict, total=False):
    """The keyword arguments of :func:`seal`."""

    key: Key | bytes | None
    passphrase: str | None
    argon2: Argon2Parameters | None
    algorithm: str | None
    chunk_size: int
    threads: int | None
    progress: Progress | None


class OpenOptions(TypedDict, total=False):
    """The keyword arguments of :func:`open`."""

    key: Key | bytes | None
    passphrase: Passphrase | None
    threads: int | None
    progress: Progress | None


def seal_file(
    source: Path, destination: Path, *, overwrite: bool = False, **options: Unpack[SealOptions]
) -> int:
    """Seal the file at one path into a file at another, which appears whole or not at all.

    ``options`` are the keyword arguments of :func:`seal`. Errors: those of :func:`seal`;
    FileExistsError unless ``overwrite``; ValueError when both are one file.
    """
    with _files(source, destination, overwrite) as (reader, writer):
        return seal(reader, writer, **options)


def open_file(
    source: Path, destination: Path, *, overwrite: bool = False, **options: Unpack[OpenOptions]
) -> int:
    """Open the sealed file at one path into a file at another, which appears only when everything
    has verified.

    ``options`` are the keyword arguments of :func:`open`. Errors: those of :func:`open`;
    FileExistsError unless ``overwrite``; ValueError when both are one file.
    """
    with _files(source, destination, overwrite) as (reader, writer):
        return open(reader, writer, **options)


@contextlib.contextmanager
def _files(
    source: Path, destination: Path, overwrite: bool
) -> Iterator[tuple[io.FileIO, AtomicOutput]]:
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
        raise ValueError(
            f"input and output are the same file, {os.fspath(destination)}; give another output"
        )
