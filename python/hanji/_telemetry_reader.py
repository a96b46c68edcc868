# SPDX-License-Identifier: Apache-2.0
"""Parquet files that a stranger may have written, decoded by a process of their own.

A file can crash pyarrow, make it loop, or decompress to any number of gigabytes. Therefore each
process that reads files starts one reader process (:mod:`hanji._telemetry_child`), keeps it for all
its files, and starts another when it dies. The reader process has limits of memory and time and
never receives a key. It sends record batches as Arrow IPC messages. Since a hostile file may have
taken it over, nothing that it sends is trusted: sizes are bounded before memory is taken, types
come from a list, the schema is made here, and every batch passes pyarrow's full validation.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanji import HanjiError, _arrow
from hanji import _telemetry_child as child
from hanji._text import escaped

MEMORY = 1 << 30  # bytes that the reader process may take for a file
PROCESSOR_SECONDS = 20  # of processor time for one answer
SECONDS = 300  # until an answer is there, on whatever storage: then the reader process is ended
STEP = 1 << 14  # rows to decode at once, when the footer says that they are short
ROWS, BYTES = 1 << 17, 48 << 20  # about what a table holds
# Decoded, a file may have 4 GiB and 256 times its size, where a row counts as 16 bytes and those of
# its columns. Frames do not compress; a file that holds more is made to keep readers busy.
EXPANDED, RATIO, ROW = 4 << 30, 256, 16
_ANSWER = 1 << 12  # bytes that a batch counts at least: each costs time

_FEWER = 256  # by how much fewer rows are decoded at once after memory did not suffice
_REASON = 500  # characters of a sentence of the reader process that are shown
_METADATA = 1 << 20  # bytes of an answer beside the values
_PIPE = 1 << 20  # bytes that wait in the pipe, where the system can set it
# What the interpreter and the libraries need to start; no word of the user's own, as a passphrase.
_ENVIRONMENT = (
    *("PATH", "SYSTEMROOT", "WINDIR", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "TZ"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
)


class InputError(HanjiError):
    """A file that cannot be read as a table of frames; the others go on."""


class _BrokenError(Exception):
    """The reader process is gone, or says what it should not."""


class _NoMemoryError(Exception):
    """Memory did not suffice for so many rows at once."""


@dataclass(frozen=True)
class Footer:
    """What a file says about itself."""

    rows: int
    schema: Any  # of the columns that were asked for
    metadata: str  # under the name that was asked for; "" when there is none


def footer(path: Path, columns: Sequence[str] = (), metadata: str = "") -> Footer:
    """What the footer of a file says. InputError when it cannot be read, or lacks a column."""
    try:
        (about,) = _answers(path, columns, metadata=metadata, batches=False)
    except _NoMemoryError:
        raise InputError(
            f"reading its footer takes more than {MEMORY >> 20:,} MiB of memory"
        ) from None
    assert isinstance(about, Footer)
    return about


def read(
    path: Path,
    columns: Sequence[str],
    *,
    rows: int = ROWS,
    size: int = BYTES,
    step: int = STEP,
) -> Generator[Any, None, None]:
    """Columns of a file as tables with at most `rows` rows and about `size` bytes; at most `step`
    rows are decoded at once. Dictionaries and runs are written out. InputError when the file cannot
    be read.
    """
    table_of = _arrow.arrow().Table.from_batches
    waiting: list[Any] = []
    done = held = filled = 0
    step = min(step, rows)
    while True:
        try:
            for batch in _answers(path, columns, skip=done, size=size, step=step):
                if isinstance(batch, Footer):
                    continue
                more = batch.nbytes
                if waiting and (held + batch.num_rows > rows or filled + more > size):
                    yield table_of(waiting)
                    waiting, held, filled = [], 0, 0
                waiting.append(batch)
                held, filled = held + batch.num_rows, filled + more
                done += batch.num_rows
            if waiting:
                yield table_of(waiting)
            return
        except _NoMemoryError:
            if step == 1:
                raise InputError(
                    f"reading it takes more than {MEMORY >> 20:,} MiB of memory, even row by row"
                ) from None
            step = max(1, step // _FEWER)


def _answers(
    path: Path,
    columns: Sequence[str],
    *,
    metadata: str = "",
    batches: bool = True,
    skip: int = 0,
    size: int = BYTES,
    step: int = STEP,
) -> Iterator[Any]:
    """The footer of a file, and its batches."""
    try:
        most = EXPANDED + RATIO * path.stat().st_size
    except OSError as error:
        raise InputError(_sentence(error)) from error
    request = {
        "path": os.path.abspath(path),  # noqa: PTH100 - no links are to be followed here
        "columns": [*columns],
        "metadata": metadata,
        "batches": batches,
        "skip": skip,
        "step": step,
        "size": size,
    }
    for first in (True, False):
        with _taken() as process:
            about = None
            try:
                process.ask(request)
                about = _footer(process.expect(child.FOOTER), columns)
                yield about
                seen = skip * ROW  # of a file that is read once more, with fewer rows at once
                while True:
                    kind, body = process.next()
                    if kind == child.END:
                        break
                    if kind != child.BATCH or not batches:
                        raise _BrokenError("sent an answer that was not asked for")
                    batch = _batch(body, about.schema, step)
                    seen += max(batch.num_rows * ROW + batch.nbytes, _ANSWER)
                    if seen > most:
                        raise InputError(
                            f"decoded, it has more than {most >> 20:,} MiB, which no file of its"
                            " size with frames has"
                        )
                    yield batch
                process.free = True
                return
            except _BrokenError as error:
                reason = process.end() or str(error)
                if process.has_no_memory:
                    raise _NoMemoryError from error
                if first and process.used and process.left and about is None:
                    continue  # it ended while it waited, and this file is not the cause
                raise InputError(f"the process that reads it {reason}") from error


def _footer(body: Any, columns: Sequence[str]) -> Footer:
    """A footer as the reader process tells it."""
    import pyarrow as pa

    try:
        about = json.loads(bytes(body))
        rows, kinds, metadata = about["rows"], about["kinds"], about["metadata"]
        good = type(rows) is int and type(metadata) is str and len(kinds) == len(columns)
        found = [_type(kind) for kind in kinds]
    except (ValueError, TypeError, KeyError, RecursionError):
        good = False
    if not good:
        raise _BrokenError("sent a footer that is none")
    return Footer(rows, pa.schema([*zip(columns, found, strict=True)]), metadata)


def _type(name: str) -> Any:
    """The Arrow type of this name; only plain types have one here."""
    import pyarrow as pa

    sized = re.fullmatch(r"fixed_size_binary\[([0-9]{1,9})\]", name)
    if sized:
        return pa.binary(int(sized[1]))
    if name not in child.PLAIN:
        raise ValueError(name)
    names = {"bool": "bool_", "halffloat": "float16", "float": "float32", "double": "float64"}
    return getattr(pa, names.get(name, name))()


def _batch(body: Any, schema: Any, rows: int) -> Any:
    """A record batch from an IPC message, validated. InputError for damaged values, _BrokenError
    for what the reader process does not send unless it has been taken over.
    """
    import pyarrow as pa

    try:
        message = pa.ipc.read_message(body)
        if message.type != "record batch" or _is_compressed(message.metadata):
            raise _BrokenError("sent a message that is no plain batch")
        batch = pa.ipc.read_record_batch(message, schema)
        batch.validate(full=True)
    except MemoryError:
        raise
    except (pa.ArrowException, EOFError, OSError, ValueError) as error:
        raise InputError(f"its values are damaged: {_sentence(error)}") from error
    if not 0 < batch.num_rows <= rows:
        raise _BrokenError("sent a batch of a wrong size")
    return batch


def _is_compressed(metadata: Any) -> bool:
    """Whether a message says that its buffers are compressed: pyarrow would decompress them to
    whatever size they claim, and has no option against that. The place of this field in the
    FlatBuffers tables Message and RecordBatch: Arrow's format/Message.fbs.
    """
    data = memoryview(metadata)

    def number(kind: str, at: int) -> int:
        return int(struct.unpack_from(kind, data, at)[0])

    def place(table: int, field: int) -> int:
        entries = table - number("<i", table)
        at = entries + 4 + 2 * field
        return number("<H", at) if 2 * field + 4 < number("<H", entries) else 0

    try:
        root = number("<I", 0)
        header = root + place(root, 2)
        return place(header + number("<I", header), 3) != 0
    except struct.error:
        raise _BrokenError("sent a message that is damaged") from None


def _sentence(error: BaseException) -> str:
    """An error in one line."""
    return escaped(child._sentence(error), _REASON)


class _Process:
    """A reader process and its pipes; used by one thread at a time."""

    def __init__(self) -> None:
        self.free = False  # whether it waits for a request
        self.used = False  # whether it has waited since it read a file
        self.has_no_memory = self.left = False  # why it has ended; left: by no fault of a file
        self._waits = self._late = False
        self._asked = 0  # answers that were waited for
        self._over = threading.Event()
        self._process = _start()
        assert self._process.stdin and self._process.stdout
        self._requests, self._answers = self._process.stdin, self._process.stdout
        threading.Thread(target=self._watch, args=(SECONDS,), daemon=True).start()
        about = {"path": _module_path(), "memory": MEMORY, "seconds": PROCESSOR_SECONDS}
        try:
            self.ask(about)
            self.expect(child.READY)
        except (_BrokenError, _NoMemoryError, InputError) as error:
            reason = str(error) if isinstance(error, InputError) else f"it {self.end() or error}"
            self.free = False
            self.close()
            raise HanjiError(
                f"the process that reads Parquet files does not start: {reason}"
            ) from None
        except BaseException:
            self.close()
            raise
        self.free = True

    def ask(self, request: dict[str, Any]) -> None:
        """Send a request."""
        self.free = False
        line = memoryview(json.dumps(request).encode() + b"\n")
        try:
            while len(line):
                line = line[self._requests.write(line) :]
        except OSError:
            raise _BrokenError("ended") from None

    def expect(self, wanted: bytes) -> Any:
        """The body of the next answer, which is of this kind."""
        kind, body = self.next()
        if kind != wanted:
            raise _BrokenError("sent an answer that was not asked for")
        return body

    def next(self) -> tuple[bytes, Any]:
        """The next answer. InputError with the reason of one that says that the file cannot be
        read; then this process is free again.
        """
        import pyarrow

        self._asked += 1
        self._waits = True
        try:
            kind, length = child.HEADER.unpack(self._bytes(bytearray(child.HEADER.size)))
            most = {child.BATCH: child.VALUE + _METADATA, child.FOOTER: _METADATA}
            if length > most.get(kind, child.TEXT):
                raise _BrokenError("sent an answer that is too long")
            body = self._bytes(pyarrow.allocate_buffer(length))
        finally:
            self._waits = False
        if kind == child.MEMORY:
            raise _NoMemoryError
        if kind == child.FAILED:
            self.free = True
            text = bytes(body).decode("utf-8", "replace")
            raise InputError(escaped(text, _REASON) or "cannot be read")
        return kind, body

    def _bytes(self, room: Any) -> Any:
        """Fill a buffer from the pipe."""
        view = memoryview(room).cast("B") if len(memoryview(room)) else memoryview(b"")
        while len(view):
            count = self._answers.readinto(view)  # type: ignore[attr-defined]
            if not count:
                raise _BrokenError("ended")
            view = view[count:]
        return room

    def _watch(self, seconds: int) -> None:
        """End the process when an answer takes too long. Seconds are counted one by one, because
        while this process is stopped, as by Ctrl-Z, none counts.
        """
        waited = before = 0
        while not self._over.wait(1):
            waited = waited + 1 if self._waits and self._asked == before else 0
            before = self._asked
            if waited >= seconds:
                self._late = True
                self._process.kill()
                return

    def lives(self) -> bool:
        """Whether the process is there; somebody may have ended it while it waited."""
        return self._process.poll() is None

    def end(self) -> str:
        """Why the process ended, behind 'the process'; "" when it had not."""
        self._requests.close()
        try:
            code = self._process.wait(2)
        except subprocess.TimeoutExpired:
            return ""
        self.has_no_memory = code == child.NO_MEMORY
        outside = [-getattr(signal, name, 0) for name in ("SIGKILL", "SIGTERM")]
        self.left = code in (0, *outside) and not self._late
        if self._late:
            return f"gave no answer for {SECONDS} seconds and was killed"
        if code >= 0:
            return f"ended with the status {code}" if code else ""
        if hasattr(signal, "SIGXCPU") and -code == signal.SIGXCPU:
            return f"took more than {PROCESSOR_SECONDS} seconds of processor time for one batch"
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        if -code in (signal.SIGABRT, signal.SIGSEGV, *_FAULTS):
            return f"crashed ({name}), so the file is probably damaged"
        return f"was killed from outside ({name}), perhaps because memory ran out"

    def close(self) -> None:
        """End the process, whatever it does."""
        self._over.set()
        with contextlib.suppress(OSError):
            self._requests.close()
        if not self.free:
            self._process.kill()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._answers.close()

    def forget(self) -> None:
        """Close the pipes in a process that was forked from the one that uses them."""
        for file in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                file.close()
        self._process.returncode = 0  # it is no child of this process, which has not to wait for it


_FAULTS = [
    getattr(signal, name) for name in ("SIGBUS", "SIGILL", "SIGFPE") if hasattr(signal, name)
]


def _start() -> subprocess.Popen[bytes]:
    """A reader process: a fresh interpreter without the user's start-up files, which sees the
    modules that this process sees, and no more of the environment than it needs.
    """
    from multiprocessing import spawn  # knows the interpreter of programs that embed Python

    interpreter = spawn.get_executable()
    script = Path(child.__file__)
    if not interpreter or getattr(sys, "frozen", False) or not script.is_file():
        raise HanjiError(
            "reading Parquet files takes a Python interpreter to start and hanji's files on disk,"
            " and this program has them not; run hanji from an installed Python"
        )
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    if "PYTHONHOME" in os.environ and not sys.flags.ignore_environment:
        kept["PYTHONHOME"] = os.environ["PYTHONHOME"]
    # Address space is the measure of the memory limit, and the other allocators of Arrow reserve
    # much more of it than they use.
    kept["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    kept["OPENBLAS_NUM_THREADS"] = kept["OMP_NUM_THREADS"] = "1"
    try:
        process = subprocess.Popen(
            [interpreter, "-s", "-S", "-P", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=kept,
            bufsize=0,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise HanjiError(
            f"the process that reads Parquet files does not start: {os.fsdecode(interpreter)}:"
            f" {_sentence(error)}"
        ) from error
    if sys.platform == "linux":
        import fcntl

        assert process.stdout
        with contextlib.suppress(OSError):
            fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _PIPE)
    return process


def _module_path() -> list[str]:
    """Where the reader process finds pyarrow: where this one does, but never in the current
    folder.
    """
    import pyarrow

    found = [str(path) for path in sys.path if Path(path).is_absolute()]
    return [*found, str(Path(pyarrow.__file__).resolve().parents[1])]


_lock = threading.Lock()
_idle: list[_Process] = []
_all: set[_Process] = set()
started = 0  # how many reader processes this process has started


@contextlib.contextmanager
def _taken() -> Iterator[_Process]:
    """A reader process for one file, the one that has read the last if it is well."""
    global started
    _arrow.parquet()  # says what to install
    with _lock:
        process = _idle.pop() if _idle else None
    if process is not None and not process.lives():
        with _lock:
            _all.discard(process)
        process.close()
        process = None
    if process is None:
        process = _Process()
        with _lock:
            started += 1
            _all.add(process)
    try:
        yield process
    finally:
        with _lock:
            kept = process.free and not _idle
            if kept:
                process.used = True
                _idle.append(process)
            else:
                _all.discard(process)
        if not kept:
            process.close()


@atexit.register
def close() -> None:
    """End all reader processes of this process."""
    with _lock:
        ours = [*_all]
        _idle.clear()
        _all.clear()
    for process in ours:
        process.close()


def _forget() -> None:
    """After a fork: the reader processes are those of the other process."""
    global _lock
    _lock = threading.Lock()
    for process in _all:
        process.forget()
    _idle.clear()
    _all.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
