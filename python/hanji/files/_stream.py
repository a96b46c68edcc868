# SPDX-License-Identifier: Apache-2.0
"""Sealing and opening streams: read, work in a few threads, write in order, in constant memory."""

from __future__ import annotations

import contextlib
import io
import itertools
import mmap
import os
import pathlib
import stat
import sys
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypedDict, Unpack

from hanji import _core
from hanji._atomic import AtomicOutput
from hanji._derive import Argon2Parameters, stretch
from hanji._pieces import read_pieces
from hanji._text import described, file_name, hiding
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
    SharedPassphrase,
    build_header,
    check_chunk_size,
    pack_frames,
    pack_nonces,
    parse_frame,
    parse_header,
    random_salt,
    read_header_bytes,
    sealing_key,
    stretch_salt,
    suite,
    unlock,
)
from hanji.keys import KEY_ID_SIZE, Key, Passphrase

if TYPE_CHECKING:
    from concurrent.futures import Future

Progress = Callable[[int], None]
Path = str | os.PathLike[str]

_LANES = 16  # messages side by side in the widest kernel
# of text; measured: with less, threads spend more on handing over than they gain
_BATCH_BYTES = 1 << 20
# of all batches together, unless chunks or threads are so large or many that batches need more
_BUFFER_BYTES = 16 << 20


class Writer(Protocol):
    """A binary file object open for writing. It may keep what `write` is given."""

    def write(self, data: memoryview, /) -> int | None: ...


class _Chunk(NamedTuple):
    """Place, text length and last flag of a chunk: what its frame says."""

    place: int
    length: int
    last: bool

    @property
    def record_size(self) -> int:
        return FRAME_SIZE + self.length + TAG_SIZE


def _pages(size: int) -> memoryview:
    """Memory that begins with a page, for the system copies to and from it faster."""
    if size < mmap.PAGESIZE:
        return memoryview(bytearray(size))
    try:
        if sys.platform == "win32":
            return memoryview(mmap.mmap(-1, size))
        return memoryview(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANON))
    except (OSError, OverflowError) as error:
        raise MemoryError(f"no {size:,} bytes for chunks of the file") from error


class _Batch:
    """Chunks that are worked on in one call: their texts side by side, which is how a call takes
    them, and their frames and tags beside. A record of the file is three pieces of these.
    """

    def __init__(self, chunk_size: int, capacity: int) -> None:
        self._chunk_size, self.capacity = chunk_size, capacity
        self.texts = _pages(capacity * chunk_size)
        self.frames = memoryview(bytearray(capacity * FRAME_SIZE))
        self.tags = memoryview(bytearray(capacity * TAG_SIZE))
        self._pieces: list[memoryview] = []
        self.chunks: list[_Chunk] = []
        # of the chunk after those that are left in `chunks`
        self.failure: SealedFileError | None = None
        self._used = 0  # bytes of texts that were ever filled

    def pieces_of(self, number: int) -> tuple[memoryview, memoryview, memoryview]:
        """Frame, text and tag of a record, of full length."""
        return (
            self.frames[number * FRAME_SIZE :][:FRAME_SIZE],
            self.texts[number * self._chunk_size :][: self._chunk_size],
            self.tags[number * TAG_SIZE :][:TAG_SIZE],
        )

    def pieces(self, count: int) -> list[memoryview]:
        """Those of the first ``count`` records; made once, and only where they are needed."""
        for number in range(len(self._pieces) // 3, count):
            self._pieces += self.pieces_of(number)
        return self._pieces[: 3 * count]

    @property
    def length(self) -> int:
        """Bytes of all texts; only the last chunk may be shorter than the others."""
        if not self.chunks:
            return 0
        return (len(self.chunks) - 1) * self._chunk_size + self.chunks[-1].length

    def filled(self, count: int) -> int:
        """Note that up to ``count`` bytes of texts are filled, which wipe() erases."""
        self._used = max(self._used, min(count, self.texts.nbytes))
        return count

    def records(self) -> list[memoryview]:
        """The pieces of all records; only the last chunk may be shorter than the others."""
        pieces = self.pieces(len(self.chunks))
        last = self.chunks[-1].length
        pieces[-2:-1] = [pieces[-2][:last]] if last else []
        return pieces

    def record(self, number: int, size: int) -> bytes:
        """The first ``size`` bytes of a record as they were read."""
        return b"".join(self.pieces_of(number))[:size]

    def settle(self) -> None:
        """Put the tag of a last chunk that is shorter than the others, and that was read as if it
        had full length, among the tags.
        """
        last, number = self.chunks[-1], len(self.chunks) - 1
        if last.length < self._chunk_size:
            tag = self.record(number, last.record_size)[-TAG_SIZE:]
            self.pieces_of(number)[2][:] = tag

    def wipe(self) -> None:
        self.texts[: self._used] = bytes(self._used)


@dataclass(frozen=True)
class _Sealer:
    """Seals and opens batches under the key of one file; the header is the associated data of every
    chunk.
    """

    key: bytes
    header: bytes
    algorithm: str
    # of texts and of associated data, by chunks and bytes of a batch
    _offsets: dict[tuple[int, int], tuple[array[int], array[int]]] = field(default_factory=dict)

    def _offsets_of(self, batch: _Batch) -> tuple[array[int], array[int]]:
        """Where texts and associated data begin. Only the last batch of a file has others than the
        first, so that few are kept.
        """
        count, length = len(batch.chunks), batch.length
        found = self._offsets.get((count, length))
        if found is None:
            sizes = (chunk.length for chunk in batch.chunks)
            headers = range(0, len(self.header) * (count + 1), len(self.header))
            found = array("q", itertools.accumulate(sizes, initial=0)), array("q", headers)
            self._offsets[count, length] = found
        return found

    def _run(self, operation: str, batch: _Batch) -> bytearray:
        count = len(batch.chunks)
        status = bytearray(count)
        offsets, ad_offsets = self._offsets_of(batch)
        nonce_size = suite(self.algorithm).nonce_size
        _core.fleet(
            self.algorithm,
            operation,
            cipher="",
            offsets=offsets,
            data=batch.texts,
            out=batch.texts,
            ad_offsets=ad_offsets,
            ad=self.header * count,
            keys=self.key,
            one_key=True,
            nonces=pack_nonces(batch.chunks, nonce_size),
            nonce_size=nonce_size,
            tags=batch.tags[: TAG_SIZE * count],
            tag_size=TAG_SIZE,
            status=status,
            limit=0,
            threads=1,
        )
        return status

    def seal(self, batch: _Batch) -> None:
        """The texts of a batch to records."""
        frames = pack_frames(batch.chunks)
        batch.frames[: len(frames)] = frames
        self._run("encrypt", batch)

    def open(self, batch: _Batch) -> None:
        """The records of a batch to texts; only the chunks before the first that does not verify
        are left.
        """
        batch.settle()
        status = self._run("decrypt", batch)
        if any(status):
            first = next(number for number, code in enumerate(status) if code)
            batch.failure = _altered(batch.chunks[first].place)
            del batch.chunks[first:]


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


def _require_file(what: str, given: object, method: str) -> None:
    if not hasattr(given, method):
        raise TypeError(
            f"the {what} is a {type(given).__name__}; it takes a binary file object (seal_file and "
            "open_file take paths)"
        )


def _no_data() -> BlockingIOError:
    return BlockingIOError(
        "the input is in non-blocking mode and has no data; give a blocking file object"
    )


def _fill(source: Reader, view: memoryview) -> int:
    """Read until the view is full or the input ends; the number of bytes read."""
    readinto = getattr(source, "readinto", None)
    direct = readinto is not None and _keeps_nothing(source)
    done = 0
    while done < view.nbytes:
        with _named(source):
            if direct:
                assert readinto is not None
                count = readinto(view[done:])
            elif readinto is not None:
                # Memory of its own: the view is used again, and what the source wrote later into a
                # view that it kept would be sealed.
                place = bytearray(view.nbytes - done)
                count = readinto(memoryview(place))
                if count:
                    read = _believed("the input gave", count, len(place))
                    view[done : done + read] = memoryview(place)[:read]
            else:
                piece = source.read(view.nbytes - done)
                count = None if piece is None else len(piece)
                if piece:
                    most = view.nbytes - done
                    view[done : done + _believed("the input gave", len(piece), most)] = piece
        if count is None:
            raise _no_data()
        if count == 0:
            break
        done += _believed("the input gave", count, view.nbytes - done)
    return done


def _keeps_nothing(file: Reader | Writer) -> bool:
    """Whether a file object surely keeps no view of the memory that it reads into or writes."""
    buffered = type(file) in (io.BufferedReader, io.BufferedWriter)
    return type(getattr(file, "raw", None) if buffered else file) in (io.FileIO, io.BytesIO)


def _believed(what: str, count: int, most: int) -> int:
    """What a file object says that it has read or written, if it can be."""
    if not 0 < count <= most:
        raise OSError(f"{what} {count} bytes of {most}, as it says; give another file object")
    return count


def _fill_pieces(source: Reader, batch: _Batch) -> int:
    """As _fill, one record after the other; files of the system take them in one call."""
    if type(source) is io.FileIO:
        with _named(source):
            try:
                return read_pieces(source.fileno(), batch.pieces(batch.capacity))
            except BlockingIOError:
                raise _no_data() from None
    done = 0
    for number in range(batch.capacity):
        for piece in batch.pieces_of(number):
            count = _fill(source, piece)
            done += count
            if count < piece.nbytes:
                return done
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
        done += _believed("the output took", count, data.nbytes - done)


def _write_pieces(destination: Writer, pieces: list[memoryview]) -> None:
    """As _write_all; hanji's own files take the pieces in one call. Other objects get a copy: they
    may keep it, and the memory of a batch is used again and wiped.
    """
    if isinstance(destination, AtomicOutput):
        destination.write_pieces(pieces)
    elif len(pieces) == 1 and _keeps_nothing(destination):
        _write_all(destination, pieces[0])
    else:
        _write_all(destination, memoryview(b"".join(pieces)))


def _reads_at_once(source: Reader) -> bool:
    """Whether no read of the source waits for another process, as one of a pipe may for ever."""
    return type(source) is io.FileIO and stat.S_ISREG(os.fstat(source.fileno()).st_mode)


class _Turns:
    """Threads that each read a batch, work on it and finish it: one reads and one finishes at a
    time, in the same order. The error that is raised is the first in that order, but for one of the
    work itself or of the caller.
    """

    def __init__(
        self,
        batches: Iterator[_Batch],
        work: Callable[[_Batch], None],
        finish: Callable[[_Batch], None],
    ) -> None:
        self._batches, self._work, self._finish = batches, work, finish
        self._reading = threading.Lock()
        state = threading.Lock()  # of what follows
        self._turn, self._news = threading.Condition(state), threading.Condition(state)
        self._taken = self._finished = self._running = 0
        self._ended = False  # there is no further batch, or none is wanted
        self._error: BaseException | None = None

    def run(self, threads: int, tell: Callable[[], None] | None) -> None:
        """`tell` is called in this thread when batches were finished."""
        from hanji._pool import Pool

        told, self._running = 0, threads
        with Pool(threads) as pool:
            try:
                for _ in range(threads):
                    pool.submit(self._take_all, tell is not None)
                running = True
                while running:
                    with self._news:
                        while self._running and (tell is None or self._finished == told):
                            self._news.wait()
                        running, finished = self._running > 0, self._finished
                    if tell is not None and finished > told:
                        told = finished
                        tell()
            except BaseException as error:
                self._end(error)
                raise
        if self._error is not None:
            raise self._error

    def _end(self, error: BaseException) -> None:
        with self._turn:
            self._ended = True
            if self._error is None:
                self._error = error
            self._turn.notify_all()

    def _wait(self, number: int) -> bool:
        """Until all batches before this one are finished; False where there was an error."""
        with self._turn:
            while self._finished != number and self._error is None:
                self._turn.wait()
            return self._error is None

    def _take_all(self, telling: bool) -> None:
        try:
            while self._take(telling):
                pass
        except BaseException as error:
            self._end(error)
        finally:
            with self._news:
                self._running -= 1
                self._news.notify()

    def _take(self, telling: bool) -> bool:
        """Take a batch through all steps; False if there is none."""
        with self._reading:
            if self._ended:
                return False
            number = self._taken
            try:
                batch = next(self._batches, None)
            except Exception as error:
                if self._wait(number):
                    self._end(error)
                return False
            if batch is None:
                self._ended = True
                return False
            self._taken += 1
        self._work(batch)
        if not self._wait(number):
            return False
        self._finish(batch)
        with self._turn:
            self._finished += 1
            self._turn.notify_all()
            if telling:
                self._news.notify()
        return True


class _Pipeline:
    """A set of batches that are read, worked on and written, in order.

    Where one processor is all there is, all is done by the caller's thread. Otherwise `threads`
    threads work beside each other, for the native code releases the interpreter lock.

    Between files of the system each of them takes a batch through all three steps (`_Turns`), for
    what it reads is near its processor then. Else the caller's thread writes, and reads, too,
    unless no read of the source can wait: such a source is read ahead by one more thread
    (`_run_beside`). Errors come in the order of the file: one of the reader is raised only after
    the chunks before it were worked on, so that the first fault in the file is the one reported.
    """

    def __init__(
        self, threads: int | None, chunk_size: int, source: Reader, destination: Writer
    ) -> None:
        processors = usable_processors()
        if threads is None:
            threads = min(processors, 8)
        if threads < 1:
            raise ValueError(f"threads is {described(threads)}; at least 1 is needed")
        self._threads = threads
        self._alone = threads == 1 and processors == 1
        self._ahead = _reads_at_once(source)
        self._each = threads > 1 and self._ahead and isinstance(destination, AtomicOutput)
        self._depth = threads + 2
        self.chunk_size = chunk_size
        # As many chunks as the widest kernel has lanes, or 1 MiB of smaller ones; of large ones
        # fewer, for the memory.
        most = max(_BATCH_BYTES, _BUFFER_BYTES // (self._depth + 2))
        self.capacity = max(1, min(most // chunk_size, max(_LANES, _BATCH_BYTES // chunk_size)))
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
        progress: Progress | None,
    ) -> int:
        """The number of bytes of texts; `progress` is called in the caller's thread with those that
        were written so far.
        """
        done, told = 0, -1

        def tell() -> None:  # more may be written than when it was called
            nonlocal told
            if progress is not None and done > told:
                told = done
                progress(told)

        def finish(batch: _Batch) -> None:
            nonlocal done
            write(batch)
            done += batch.length
            if not each:
                tell()
            if batch.failure is not None:
                raise batch.failure
            self.give(batch)

        try:
            first = next(batches, None)
            every = batches if first is None else itertools.chain([first], batches)
            alone = self._alone or (first is not None and first.chunks[-1].last)
            each = self._each and not alone
            if alone:
                for batch in every:
                    work(batch)
                    finish(batch)
            elif each:
                _Turns(every, work, finish).run(self._threads, tell if progress else None)
            else:
                self._run_beside(every, work, finish)
        finally:
            for batch in self._all:
                batch.wipe()
        return done

    def _run_beside(
        self,
        batches: Iterator[_Batch],
        work: Callable[[_Batch], None],
        finish: Callable[[_Batch], None],
    ) -> None:
        from hanji._pool import Pool  # a small file needs none

        pending: deque[tuple[Future[None], _Batch]] = deque()
        failure: SealedFileError | None = None

        def finish_oldest() -> None:
            future, batch = pending.popleft()
            future.result()
            finish(batch)

        with Pool(self._threads + self._ahead) as pool:

            def read() -> Callable[[], _Batch | None]:
                if self._ahead:
                    return pool.submit(next, batches, None).result
                return lambda: next(batches, None)

            try:
                following = read()
                while True:
                    try:
                        batch = following()
                    except SealedFileError as error:
                        failure = error
                        break
                    if batch is None:
                        break
                    following = read()
                    pending.append((pool.submit(work, batch), batch))
                    if len(pending) >= self._depth:
                        finish_oldest()
                while pending:
                    finish_oldest()
            finally:
                for future, _ in pending:
                    future.cancel()
        if failure is not None:
            raise failure


def seal(
    source: Reader,
    destination: Writer,
    *,
    key: Key | bytes | None = None,
    passphrase: str | SharedPassphrase | None = None,
    argon2: Argon2Parameters | None = None,
    algorithm: str | None = None,
    chunk_size: int = DEFAULT_CHUNK_SIZE,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Seal everything that ``source`` yields into ``destination``; the number of bytes read is
    returned.

    Give either ``key`` (a :class:`hanji.keys.Key` or 16 bytes) or ``passphrase``; a
    :class:`SharedPassphrase` is stretched once for many files. ``algorithm`` is
    "ascon-aead128" or "schwaemm256-128"; default: that of the key, and of hanji.keys where there is
    none. Both file objects are binary; the source may be a pipe of unknown length. Sizes:
    ``chunk_size`` is a power of two from 4 KiB to 16 MiB; buffers take 16 MiB at most, or
    ``threads`` + 4 times 1 MiB or one chunk where that is more. The result is 128 bytes and 32 per
    chunk longer than the input. ``progress`` is called with the number of bytes sealed so far, in
    the thread of the caller, whenever more of them are written.
    Errors: ValueError for unusable arguments, OSError from the file objects.
    Source: docs/format.md. Status: see :mod:`hanji.files`.
    """
    _require_file("source", source, "read")
    _require_file("destination", destination, "write")
    check_chunk_size(chunk_size)
    salt = random_salt()
    if (key is None) == (passphrase is None):
        raise ValueError("give either a key or a passphrase")
    if passphrase is not None:
        name = algorithm or DEFAULT_ALGORITHM
        suite(name)
        source_of_key = KeySource.PASSPHRASE
        if isinstance(passphrase, SharedPassphrase):
            if argon2 is not None:
                raise ValueError("a SharedPassphrase has Argon2id parameters; leave argon2 out")
            argon2, source_of_key = passphrase.argon2, KeySource.SHARED_PASSPHRASE
            salt = passphrase.salt + salt[len(passphrase.salt) :]
        argon2 = argon2 or Argon2Parameters()
        header = Header(source_of_key, chunk_size, bytes(KEY_ID_SIZE), salt, argon2, name)
        if isinstance(passphrase, SharedPassphrase):
            secret = passphrase._secret(stretch_salt(header), argon2)
        else:
            secret = stretch(passphrase, salt, argon2)
    else:
        assert key is not None
        given = sealing_key(key, algorithm)
        secret = given.material
        header = Header(KeySource.KEY, chunk_size, given.key_id, salt, algorithm=given.algorithm)
    raw, file_key = build_header(header, secret)
    pipeline = _Pipeline(threads, chunk_size, source, destination)

    def read() -> Iterator[_Batch]:
        # Whoever takes a batch may have given it back by the time that this goes on.
        batch = _read_plain(pipeline, source, 0)
        while not batch.chunks[-1].last:
            # Whether a full chunk is the last one shows only when the next read finds nothing.
            following = _read_plain(pipeline, source, batch.chunks[-1].place + 1)
            if not following.length:
                batch.chunks[-1] = batch.chunks[-1]._replace(last=True)
                pipeline.give(following)
                break
            yield batch
            batch = following
        yield batch

    def write(batch: _Batch) -> None:
        _write_pieces(destination, batch.records())

    _write_all(destination, memoryview(raw))
    return pipeline.run(read(), _Sealer(file_key, raw, header.algorithm).seal, write, progress)


def _full_chunks(index: int, count: int, chunk_size: int) -> list[_Chunk]:
    """Chunks before the last of a file."""
    return [_Chunk(place, chunk_size, False) for place in range(index, index + count)]


def _read_plain(pipeline: _Pipeline, source: Reader, index: int) -> _Batch:
    """The next batch; its final chunk is the last of the file if it is not full. The first chunk of
    a file may be empty.
    """
    batch = pipeline.take()
    full, rest = divmod(batch.filled(_fill(source, batch.texts)), pipeline.chunk_size)
    batch.chunks = _full_chunks(index, full, pipeline.chunk_size)
    if rest or not full:
        batch.chunks.append(_Chunk(index + full, rest, True))
    elif full < pipeline.capacity:
        batch.chunks[-1] = batch.chunks[-1]._replace(last=True)
    return batch


def open(
    source: Reader,
    destination: Writer,
    *,
    key: Key | bytes | None = None,
    passphrase: Passphrase | SharedPassphrase | None = None,
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
    _require_file("source", source, "read")
    _require_file("destination", destination, "write")
    raw = read_header_bytes(source)
    header = parse_header(raw)
    sealer = _Sealer(unlock(header, raw, key, passphrase), raw, header.algorithm)
    pipeline = _Pipeline(threads, header.chunk_size, source, destination)

    def read() -> Iterator[_Batch]:
        """Batches of whole and rightly placed chunks; a fault in the file is raised after the
        chunks before it.
        """
        index, last = 0, False
        while not last:
            batch = pipeline.take()
            got = batch.filled(_fill_pieces(source, batch))
            fault: SealedFileError | None = None
            at = 0
            batch.chunks = _expected(batch, index, got, header.chunk_size)
            if batch.chunks:
                at, index = got, index + len(batch.chunks)
            while at < got or not (at or last):
                try:
                    # Records are at their places: only a last one is shorter than the others.
                    number = len(batch.chunks)
                    chunk = _parse_record(batch, number, got - at, index, header.chunk_size)
                    if chunk.place != index:
                        raise _misplaced(chunk, index, _verifies(sealer, chunk, batch, number))
                    if chunk.last and (
                        at + chunk.record_size < got or _fill(source, memoryview(bytearray(1)))
                    ):
                        if not _verifies(sealer, chunk, batch, number):
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
        if batch.length:
            _write_pieces(destination, [batch.texts[: batch.length]])

    return pipeline.run(read(), sealer.open, write, progress)


def _expected(batch: _Batch, index: int, got: int, chunk_size: int) -> list[_Chunk]:
    """The chunks of a batch that is full of those that belong there, before the last of the file;
    none where there is anything else, which is looked at chunk by chunk.
    """
    chunks = _full_chunks(index, batch.capacity, chunk_size)
    if got < len(chunks) * chunks[0].record_size or pack_frames(chunks) != batch.frames:
        return []
    return chunks


def _altered(index: int) -> AlteredChunkError:
    return AlteredChunkError(f"chunk {index} was altered: it does not verify", index)


def _verifies(sealer: _Sealer, chunk: _Chunk, batch: _Batch, number: int) -> bool:
    """Whether one chunk of a batch is genuine, by itself."""
    record = batch.record(number, chunk.record_size)
    alone = _Batch(chunk.length, 1)
    alone.chunks = [chunk]
    for piece, part in zip(
        alone.pieces_of(0),
        (record[:FRAME_SIZE], record[FRAME_SIZE:-TAG_SIZE], record[-TAG_SIZE:]),
        strict=True,
    ):
        piece[:] = part
    alone.filled(chunk.length)
    sealer.open(alone)
    alone.wipe()
    return alone.failure is None


def _misplaced(chunk: _Chunk, expected: int, genuine: bool) -> SealedFileError:
    """Say why a chunk that claims another index stands here; only a chunk that verifies is
    believed.
    """
    if not genuine:
        return _altered(expected)
    if chunk.place < expected:
        return DuplicatedChunkError(
            f"chunk {chunk.place} was duplicated: it stands again where chunk {expected} belongs",
            expected,
        )
    return ReorderedChunkError(
        f"chunks were reordered or removed: chunk {chunk.place} stands where chunk {expected} "
        "belongs",
        expected,
    )


def _parse_record(batch: _Batch, number: int, left: int, expected: int, chunk_size: int) -> _Chunk:
    """Chunk `number` of a batch, of which `left` bytes are there; messages say `expected`."""
    if not left:
        where = f"it ends after chunk {expected - 1}" if expected else "it ends after its header"
        raise TruncatedError(f"the file is truncated: {where}, and the final chunk is missing")
    if left < FRAME_SIZE:
        raise TruncatedError(f"the file is truncated inside chunk {expected}")
    parsed = parse_frame(batch.pieces_of(number)[0], chunk_size)
    if parsed is None:
        raise AlteredChunkError(f"chunk {expected} was altered: its frame is not valid", expected)
    chunk = _Chunk(*parsed)
    if left < chunk.record_size:
        raise TruncatedError(f"the file is truncated inside chunk {expected}")
    return chunk


class SealOptions(TypedDict, total=False):
    """The keyword arguments of :func:`seal`."""

    key: Key | bytes | None
    passphrase: str | SharedPassphrase | None
    argon2: Argon2Parameters | None
    algorithm: str | None
    chunk_size: int
    threads: int | None
    progress: Progress | None


class OpenOptions(TypedDict, total=False):
    """The keyword arguments of :func:`open`."""

    key: Key | bytes | None
    passphrase: Passphrase | SharedPassphrase | None
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
    with hiding(source), io.FileIO(file_name(source)) as reader:
        refuse_same_file(reader, destination)
        with AtomicOutput(destination, overwrite=overwrite) as writer:
            yield reader, writer


def refuse_same_file(reader: io.FileIO, destination: Path) -> None:
    """ValueError when input and output are one file, under whatever names."""
    try:
        with hiding(destination):
            there = pathlib.Path(file_name(destination)).stat()
        same = os.path.samestat(os.fstat(reader.fileno()), there)
    except FileNotFoundError:
        return
    if same:
        raise ValueError("input and output are the same file; give another output")
