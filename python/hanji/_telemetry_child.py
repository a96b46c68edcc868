# SPDX-License-Identifier: Apache-2.0
"""The reader process: it decodes Parquet files that a stranger may have written, so that a file
that crashes pyarrow, hangs it, or fills the memory ends this process and not the run.

Started by :mod:`hanji._telemetry_reader` as a script in an interpreter of its own. It imports
nothing of hanji, receives paths and column names, and never a key. Requests are lines of JSON on
standard input; answers are frames on standard output: a kind, a length, and that many bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import stat
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

#: In front of every answer: its kind and the number of bytes that follow.
HEADER = struct.Struct("<cQ")
#: Kinds of answers: the process is ready; what the footer says (JSON); a record batch as an Arrow
#: IPC message; the file ends; it cannot be read (a sentence); memory does not suffice.
READY, FOOTER, BATCH, END, FAILED, MEMORY = b"H", b"F", b"B", b"E", b"X", b"M"

TEXT = 1 << 16  # bytes of the longest sentence or JSON text
_ENOUGH = 1 << 20  # bytes of a batch that is worth a message of its own
VALUE = 100 << 20  # bytes of the longest row that is sent; frames have at most 64 KiB
_NAMES = 20  # columns that a message lists
_WATCH = 0.02  # seconds between two looks at the memory, where the system has no limit for it


class Reader:
    """Answers requests, with an allowance of processor time for each answer."""

    def __init__(self, stream: BinaryIO, seconds: int) -> None:
        self._stream, self._seconds = stream, seconds

    def send(self, kind: bytes, body: Any = b"") -> None:
        """Write an answer and grant the time for the next one."""
        view = memoryview(body).cast("B")
        for part in (memoryview(HEADER.pack(kind, len(view))), view):
            while len(part):
                part = part[self._stream.write(part) :]
        self.grant_time()

    def grant_time(self) -> None:
        """Let the kernel end this process after so many more seconds of processor time. Windows
        has no such limit.
        """
        if sys.platform != "win32":
            import resource

            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            until = int(time.process_time()) + 1 + self._seconds
            if hard != resource.RLIM_INFINITY:
                until = min(until, hard)
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_CPU, (until, hard))

    def answer(self, request: dict[str, Any]) -> None:
        """Read a file as the request says."""
        try:
            self._read(**request)
        except Exception as error:
            text = _sentence(error)
            if isinstance(error, MemoryError) or (isinstance(error, OSError) and "memory" in text):
                self.send(MEMORY)
                os._exit(0)  # rather than go on with a heap in pieces
            self.send(FAILED, text.encode("utf-8", "backslashreplace")[:TEXT])

    def _read(
        self,
        path: str,
        columns: Sequence[str],
        metadata: str | None,
        batches: bool,
        skip: int,
        step: int,
        size: int,
    ) -> None:
        """Send what the footer says, and where `batches` are wanted the columns from row `skip` on.
        At most `step` rows are decoded at once. A batch has at most `step` rows and, unless one row
        has more, about `size` bytes.
        """
        import pyarrow
        import pyarrow.parquet

        if not stat.S_ISREG(Path(path).stat().st_mode):  # to open a pipe might take for ever
            raise ValueError("is no regular file")
        with (
            pyarrow.OSFile(path) as source,
            pyarrow.parquet.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False) as file,
        ):
            schema, about = file.schema_arrow, file.metadata
            # Without rows a file has no frames, whatever its columns are: pandas gives a column
            # without a value the type null, and an empty table may have no columns.
            groups = range(about.num_row_groups)
            empty = not about.num_rows and not sum(about.row_group(i).num_rows for i in groups)
            kinds = [pyarrow.null() if empty else _kind(schema, name) for name in columns]
            note = (schema.metadata or {}).get((metadata or "").encode(), b"")
            footer = {
                "rows": about.num_rows,
                "kinds": [str(kind) for kind in kinds],
                "metadata": note.decode("utf-8", "replace"),
            }
            self.send(FOOTER, json.dumps(footer).encode())
            if batches and not empty:
                for batch in _batches(file, columns, kinds, skip, step, size):
                    self.send(BATCH, batch.serialize())
            self.send(END)


def _kind(schema: Any, name: str) -> Any:
    """The type in which a column is sent; ValueError where it is missing or of no use."""
    import pyarrow as pa

    places = schema.get_all_field_indices(name)
    if len(places) != 1:
        names = schema.names[:_NAMES] + ["..."] * (len(schema.names) > _NAMES)
        raise ValueError(f"the table has no column {name!r} (or several); it has {names}")
    kind = schema.field(places[0]).type
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    if pa.types.is_binary_view(kind):
        kind = pa.large_binary()
    if pa.types.is_string_view(kind):
        kind = pa.large_string()
    if str(kind) not in PLAIN and not pa.types.is_fixed_size_binary(kind):
        raise ValueError(f"column {name!r} has the Arrow type {kind}")
    return kind


#: The types of columns that are sent, besides binary of a fixed size.
PLAIN = (
    *("null", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("halffloat", "float", "double", "binary", "large_binary", "string", "large_string"),
)


def _batches(
    file: Any, columns: Sequence[str], kinds: Sequence[Any], skip: int, step: int, size: int
) -> Iterator[Any]:
    """The columns as batches; small ones, as of row groups of some rows, are put together."""
    import pyarrow as pa

    about, group = file.metadata, 0
    while group < about.num_row_groups and skip >= about.row_group(group).num_rows:
        skip -= about.row_group(group).num_rows
        group += 1
    groups = [*range(group, about.num_row_groups)]
    if not groups:  # pyarrow 18 does not read none
        return
    schema = pa.schema([*zip(columns, kinds, strict=True)])
    waiting: list[Any] = []
    held = filled = 0

    def together() -> Any:
        if len(waiting) == 1:
            return waiting[0]
        return pa.Table.from_batches(waiting, schema).combine_chunks().to_batches()[0]

    least = max(1, min(step, size // _row_bytes(about, columns)))
    for batch in file.iter_batches(least, row_groups=groups, columns=[*columns], use_threads=False):
        if skip:
            batch, skip = batch.slice(skip), max(0, skip - batch.num_rows)
        for piece in _pieces(batch.select([*columns]), size):
            plain = _plain(piece, schema)
            if plain.nbytes > VALUE:
                raise ValueError(
                    f"a row has {plain.nbytes} bytes; rows have at most {VALUE}, and frames 65,567"
                )
            rows, more = plain.num_rows, plain.nbytes
            if waiting and (held + rows > step or filled >= _ENOUGH or more >= _ENOUGH):
                yield together()
                waiting, held, filled = [], 0, 0
            waiting.append(plain)
            held, filled = held + rows, filled + more
    if waiting:
        yield together()


def _row_bytes(about: Any, columns: Sequence[str]) -> int:
    """About how many bytes a row has, as the footer says, which may lie: where values turn out to
    be longer and memory does not suffice, the file is read again with fewer rows at once.
    """
    leaves = [about.schema.column(place).path for place in range(about.num_columns)]
    wanted = [place for place, leaf in enumerate(leaves) if leaf in columns]
    total = 1
    for group in map(about.row_group, range(min(about.num_row_groups, _NAMES))):
        size = sum(group.column(place).total_uncompressed_size for place in wanted)
        total = max(total, size // max(group.num_rows, 1))
    return total


def _pieces(batch: Any, size: int) -> Iterator[Any]:
    """A batch in pieces that have about `size` bytes when they are decoded, or one row."""
    if batch.num_rows > 1 and _decoded_bytes(batch) > size:
        half = batch.num_rows // 2
        yield from _pieces(batch.slice(0, half), size)
        yield from _pieces(batch.slice(half), size)
    elif batch.num_rows:
        yield batch


def _decoded_bytes(batch: Any) -> int:
    """Bytes of a batch whose dictionaries and runs are written out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    total = batch.nbytes
    for column in batch.columns:
        if pa.types.is_run_end_encoded(column.type):
            longest = pc.max(_lengths(column.values)).as_py() or 0
            total += longest * len(column)
        elif pa.types.is_dictionary(column.type):
            total += pc.sum(_lengths(column.dictionary).take(column.indices)).as_py() or 0
    return int(total)


def _lengths(values: Any) -> Any:
    """The bytes of every value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        return pc.binary_length(values).cast(pa.int64())
    except pa.ArrowNotImplementedError:  # numbers
        return pa.array([8] * len(values), pa.int64())


def _plain(batch: Any, schema: Any) -> Any:
    """A batch with columns in the types in which they are sent."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = []
    for column, field in zip(batch.columns, schema, strict=True):
        if pa.types.is_run_end_encoded(column.type):
            column = pc.run_end_decode(column)
        columns.append(column if column.type == field.type else column.cast(field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _sentence(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror[:1].lower()}{error.strerror[1:]}".splitlines()[0]
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def limit_memory(most: int) -> None:
    """Allow this process `most` more bytes than it has now. Linux counts the address space, of
    which libraries reserve more than they use, hence what is reserved now does not count. Elsewhere
    a thread looks at the resident memory many times a second. Windows has neither.
    """
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # files of crashes would fill the disk
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        now = pages * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or now + most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (now + most, now + most))
    except (OSError, ValueError, IndexError):
        threading.Thread(target=_watch, args=(most,), daemon=True).start()


def _watch(most: int) -> None:
    """End this process when it holds `most` more bytes than now."""
    if sys.platform == "win32":
        return
    import resource

    def held() -> int:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10  # bytes there, KiB elsewhere

    before = held()
    while held() < before + most:
        time.sleep(_WATCH)
    os._exit(NO_MEMORY)


NO_MEMORY = 86  # exit status of a process that has used up its memory


def _requests(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream. A thread waits for them, so that this process ends at once when the
    stream does, even in the middle of a file: then the process that asks is gone.
    """
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in stream:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield lines.get()


def _take_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Input and output for the protocol alone: whatever libraries print goes nowhere."""
    ours = [os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return ours[0], ours[1]  # type: ignore[return-value]


def main() -> None:
    """Serve requests until the input ends. The first line says where modules are found, and the
    limits.
    """
    for name in ("SIGINT", "SIGHUP"):  # the process that asks decides; the end of input follows
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    requests, answers = _take_standard_streams()
    lines = _requests(requests)
    about = json.loads(next(lines))
    reader = Reader(answers, about["seconds"])
    try:
        sys.path += about["path"]
        import pyarrow.compute
        import pyarrow.parquet

        pyarrow.set_cpu_count(1)
        limit_memory(about["memory"])
    except BaseException as error:
        reader.send(FAILED, _sentence(error).encode("utf-8", "backslashreplace")[:TEXT])
        return
    reader.send(READY)
    for line in lines:
        reader.grant_time()
        reader.answer(json.loads(line))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
    os._exit(0)
