# SPDX-License-Identifier: Apache-2.0
"""Folders of Parquet files with telemetry frames: opened and sealed file by file, so that a run
that ends in the middle is taken up again by the next. Used by ``hanji telemetry``; docs/scale.md
says what lies where. Who opens the files, this process or an engine: _telemetry_engines.py.

A file goes through two steps. Opening it makes two files in ``OUT/.pending``: what opened, with its
row, as an Arrow file, for it is read twice; and what did not, with the original bytes, as Parquet.
When all are there, replays are looked for among all of them, and each file is written as Parquet
under its final name, without replays. ``OUT/manifest.jsonl`` says how far each file is; a line
is added when a step is whole, after its files. Workers of an engine do not write to the manifest:
they leave the line as a file of its own, a record, in ``OUT/.pending``, for the run to take up.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import hashlib
import itertools
import json
import os
import secrets
import shutil
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hanji import HanjiError, _seal_state, _system, telemetry
from hanji import _telemetry_engines as engines
from hanji import _telemetry_pages as pages
from hanji._text import escaped

MANIFEST = "manifest.jsonl"
PENDING = ".pending"
_PLACES = telemetry.COLUMNS[:3]
# Columns whose values come again; of all others a dictionary costs time and saves nothing. Where
# many devices are in a file it costs time for them, too: _few_devices.
_DICTIONARY = ["device", "epoch", "status", "reason"]
_DELTA = {"number": "DELTA_BINARY_PACKED", "row": "DELTA_BINARY_PACKED"}  # small steps, as a rule
_STATISTICS = ["device", "epoch", "number", "row", "status", "reason"]  # of bytes they say nothing
COMPRESSIONS = ("zstd", "snappy", "none")
_FIRST = b'{"hanji": "telemetry '  # how a manifest begins
_TEMPORARY, _RECORD, _REJECTED = ".part", ".record", ".rejected"
_OWNER = "run"  # in the manifest and in rejected files: by which run they are
_REPLAYS = "hanji-replays-"  # how telemetry.Replays calls its folders
_STATES = ("begun", "opened", "done")
_OUR_ENDS = (_TEMPORARY, _RECORD, _REJECTED)  # of files in PENDING
_NAME_MOST = 255 - len(f"{_REJECTED}.01234567{_TEMPORARY}")  # bytes of the name of a file
_ROWS, _BYTES = 1 << 17, 48 << 20  # what is worked on at once: the rows, and their bytes
_ROWS_READ, _BYTES_READ = 1 << 10, 64 << 20  # what is read at once: so many of the longest frames
_GROUP = 512 << 20  # bytes of a row group, decoded, that Polars may read: it reads whole ones
_ROWS_KEPT = 1 << 14  # of a batch of an Arrow file
_ARROW = b"ARROW1"  # how such a file begins; Polars leaves Parquet


class InputError(HanjiError):
    """A file that cannot be read as a table of frames; the others go on."""


@dataclass
class Summary:
    """What a run found: rows by the name of their status, and files that could not be read."""

    rows: collections.Counter[str] = field(default_factory=collections.Counter)
    files: int = 0
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def read(self) -> int:
        """Frames of all files that were read."""
        return sum(self.rows.values())

    @property
    def opened(self) -> int:
        """Frames that opened and are no replays."""
        return self.rows["opened"]


class Run:
    """One output folder with its manifest, held by one process at a time."""

    def __init__(
        self,
        inputs: Sequence[Path],
        output: Path,
        about: dict[str, Any],
        mark: Callable[[Path], list[Any]] | None = None,
    ) -> None:
        self._mark = mark or identity
        self.inputs = {path.name: path for path in inputs}
        for path in inputs:
            other = self.inputs[path.name]
            if other != path:
                raise ValueError(
                    f"several inputs are called {path.name}: {path} and {other}; their outputs"
                    " would have one name: rename them, or give each folder its own output"
                )
        for name in self.inputs:
            ours = name in (MANIFEST, PENDING) or name.startswith(_REPLAYS)
            if ours or name.endswith(_OUR_ENDS):
                raise ValueError(
                    f"an input is called {name}, as files of the run itself are: rename it"
                )
        self._done = (
            "sealed it; number its frames anew, above those used, and give the file another name"
            if about["hanji"] == "telemetry seal"
            else "opened it; give another folder"
        )
        self.output, self.pending = output, output / PENDING
        self.lines: dict[str, dict[str, Any]] = {}  # the last line of each file, in their order
        self._manifest = self._take(about)
        _make_pending(self.pending)
        for path in self.pending.glob(f"*{_TEMPORARY}"):
            path.unlink()
        for folder in self.pending.glob(f"{_REPLAYS}*"):  # of a run that was killed
            shutil.rmtree(folder)
        self._remove_late()

    def __enter__(self) -> Run:
        return self

    def _remove_late(self) -> None:
        """Remove what workers of a run that was killed have made of files that were done since."""
        for name, line in self.lines.items():
            if line["state"] == "done":
                for end in ("", _REJECTED):
                    (self.pending / f"{name}{end}").unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._remove_late()
            for path in self.pending.glob(f"*{_TEMPORARY}"):  # of workers that were killed
                path.unlink(missing_ok=True)
            self.pending.rmdir()
        self._manifest.close()

    def _take(self, about: dict[str, Any]) -> Any:
        path = self.output / MANIFEST
        self.output.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
            raise FileExistsError(
                errno.EEXIST, "is a link or no file: give another folder", str(path)
            )
        if not path.exists() and any(self.output.iterdir()):
            raise FileExistsError(
                errno.EEXIST,
                f"holds files and no {MANIFEST}: give an empty folder, or that of an earlier run",
                str(self.output),
            )
        manifest = path.open("a+b")
        try:
            _system.lock(manifest.fileno())
        except (OSError, _system.LockedError):
            manifest.close()
            raise BlockingIOError(
                errno.EAGAIN, "another run works in it", str(self.output)
            ) from None
        manifest.seek(0)
        text = manifest.read()
        whole = text[: text.rfind(b"\n") + 1]  # a line that was being written does not count
        try:
            lines = [_line(line, place) for place, line in enumerate(whole.splitlines())]
            if not lines and text[: len(_FIRST)] != _FIRST[: len(text)]:
                raise ValueError("line 1 is not ours")
        except ValueError as error:
            manifest.close()
            raise ValueError(
                f"{path} is damaged ({error}), and nobody knows what is done: give another folder"
            ) from None
        self._manifest = manifest
        if not lines and any(other.name != MANIFEST for other in self.output.iterdir()):
            manifest.close()
            raise ValueError(
                f"{path} is empty, and other files are beside it: nobody knows what is done; give"
                " another folder"
            )
        if not lines:
            manifest.truncate(0)
            lines = [about | {_OWNER: secrets.token_hex(8)}]
            self.add(lines[0])
        self.owner = str(lines[0].pop(_OWNER, ""))
        if lines[0] != about:
            manifest.close()
            raise ValueError(
                f"{self.output} was begun with {lines[0]}, this run has {about}: give the same"
                " options, or another folder"
            )
        if whole:
            manifest.truncate(len(whole))  # now that it is ours
        for line in lines[1:]:
            self.lines[line["file"]] = line
        return manifest

    def refuse_outputs(self, masters: Any, rejected: Path | None = None) -> None:
        """Refuse a run that would write over what it reads, or over a file in `rejected` that is
        not of this run. Files in the output folder are of this run, or there is no manifest.
        """
        reads = [*self.inputs.values()]
        if isinstance(masters, str | os.PathLike):
            reads.append(Path(masters))
        marks = {}
        for path in reads:
            with contextlib.suppress(OSError):  # it is told when the file is read
                about = path.stat()
                marks[about.st_dev, about.st_ino] = path
        folders = [self.output] if rejected is None else [self.output, rejected]
        for name in self.inputs:
            if self.lines.get(name, {}).get("state") == "done":
                continue
            for target in (folder / name for folder in folders):
                try:
                    about = target.lstat()
                except FileNotFoundError:
                    continue
                source = marks.get((about.st_dev, about.st_ino))
                if source is not None:
                    raise ValueError(
                        f"{source} is an input, and {target} an output: they are the same file;"
                        " give another folder"
                    )
                if stat.S_ISDIR(about.st_mode):
                    raise IsADirectoryError(
                        errno.EISDIR,
                        f"is a folder, and the output of {self.inputs[name]} would have its name;"
                        " rename one of them",
                        str(target),
                    )
                if target.parent == rejected:
                    self.refuse_theirs(target)

    def refuse_theirs(self, target: Path) -> None:
        """Refuse to write over a file of rejected frames that is not of this run."""
        if not os.path.lexists(target):
            return
        owner = None
        with contextlib.suppress(OSError, ValueError):
            found = telemetry._parquet().read_schema(target).metadata or {}
            owner = found.get(_OWNER.encode())
        if owner != self.owner.encode():
            raise FileExistsError(
                errno.EEXIST,
                "exists already and is left as it is; give another folder",
                str(target),
            )

    def add(self, line: dict[str, Any]) -> None:
        """Add a line to the manifest; what it says is on the disk already."""
        self._manifest.write(json.dumps(line).encode() + b"\n")
        self._manifest.flush()
        os.fsync(self._manifest.fileno())
        if "file" in line:
            self.lines[line["file"]] = line

    def records(self) -> Iterator[dict[str, Any]]:
        """Take up the lines that workers have left, into the manifest."""
        for path in sorted(self.pending.glob(f"*{_RECORD}")):
            try:
                line = _line(path.read_bytes(), 1)
            except ValueError as error:
                raise ValueError(
                    f"{path} is damaged ({error}); remove it, and its file is opened anew"
                ) from None
            if line["file"] not in self.lines:
                self.add(line)
                yield line
            path.unlink()

    def state(self, name: str) -> str:
        """How far a file is: "", "begun", "opened" or "done". InputError when it is another now."""
        line = self.lines.get(name)
        if line is None:
            return ""
        if name in self.inputs and line["input"] != self._mark(self.inputs[name]):
            raise InputError(f"has changed since an earlier run {self._done}")
        return str(line["state"])


def _line(text: bytes, place: int) -> dict[str, Any]:
    """A line of the manifest, or a record; ValueError when it is none."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"line {place + 1} is not JSON") from None
    kinds: dict[str, type] = {"hanji": str}
    if place > 0:
        kinds = {"file": str, "state": str, "input": list, "rows": dict}
    for name, kind in kinds.items():
        if not isinstance(line, dict) or not isinstance(line.get(name), kind):
            raise ValueError(f"line {place + 1} has no {name}")
    if place > 0 and not _is_name(line["file"]):
        raise ValueError(f"line {place + 1} names no file of one folder")
    if place > 0 and line["state"] not in _STATES:
        raise ValueError(f"line {place + 1} has the state {line['state']!r}")
    if place > 0 and not all(_is_count(line["rows"], name) for name in line["rows"]):
        raise ValueError(f"line {place + 1} has rows that are no counts")
    found: dict[str, Any] = line
    return found


def _is_name(name: str) -> bool:
    return name not in ("", ".", "..", PENDING, MANIFEST) and not {"/", os.sep, "\0"} & {*name}


def _is_count(rows: dict[str, Any], name: str) -> bool:
    known = name == "sealed" or name in telemetry.STATUSES.values()
    return known and type(rows[name]) is int and rows[name] >= 0


def identity(path: Path) -> list[int]:
    """Size and time of a file: whether it is the one that an earlier run read. InputError for what
    is none: to open a pipe might take for ever.
    """
    try:
        str(path).encode()
        about = path.stat()
    except UnicodeEncodeError:  # pyarrow takes no such names
        raise InputError("its name is not UTF-8: rename it") from None
    except OSError as error:
        raise InputError(_sentence(error)) from error
    if not stat.S_ISREG(about.st_mode):
        raise InputError("is no regular file")
    return [about.st_size, about.st_mtime_ns]


def contents(path: Path) -> list[Any]:
    """The identity of a file with a digest: a file of other payloads may have the same size and the
    same time, and sealing it under the same numbers would use key and nonce twice.
    """
    found = identity(path)
    try:
        with path.open("rb") as file:
            return [*found, hashlib.file_digest(file, "sha256").hexdigest()]
    except OSError as error:
        raise InputError(_sentence(error)) from error


def _sentence(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror[:1].lower()}{error.strerror[1:]}".splitlines()[0]
    return next(iter(str(error).splitlines()), "") or type(error).__name__


@contextlib.contextmanager
def whole(path: Path, temporary: Path) -> Iterator[Path]:
    """A file that appears under its name whole; nothing stays when that fails. Two workers may make
    the same one at once, so each has a name of its own until then.
    """
    part = temporary / f"{path.name}.{secrets.token_hex(4)}{_TEMPORARY}"
    try:
        yield part
        _system.store(part)
        _system.rename(part, path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.strerror and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error  # a full disk
        raise


@contextlib.contextmanager
def published(
    path: Path, schema: Any, compression: str, temporary: Path, *, few_devices: bool = True
) -> Iterator[Any]:
    """A Parquet file that appears under its name whole, as a writer."""
    parquet = telemetry._parquet()
    options = {
        "compression": compression,
        "use_dictionary": [*_DICTIONARY] if few_devices else _DICTIONARY[1:],
        "column_encoding": {name: _DELTA[name] for name in schema.names if name in _DELTA},
        "write_statistics": [name for name in schema.names if name in _STATISTICS],
    }
    with (
        whole(path, temporary) as part,
        part.open("wb") as file,
        parquet.ParquetWriter(file, schema, **options) as writer,
    ):
        yield writer


@contextlib.contextmanager
def _kept(path: Path, schema: Any, temporary: Path) -> Iterator[Any]:
    """An Arrow file that appears under its name whole, as a writer: what waits is read twice and
    written once more, and to compress it would cost more than all of that.
    """
    import pyarrow

    with (
        whole(path, temporary) as part,
        part.open("wb") as file,
        pyarrow.ipc.new_file(file, schema) as writer,
    ):
        yield writer


def _waiting(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    """What opened, as tables of one chunk: from an Arrow file, or from Parquet, as Polars leaves it
    and as it is in the end. InputError when it cannot be read.
    """
    import pyarrow

    try:
        with path.open("rb") as file:
            arrow = file.read(len(_ARROW)) == _ARROW
    except OSError as error:
        raise InputError(_sentence(error)) from error
    if not arrow:
        yield from read(path, columns)
        return
    try:
        with pyarrow.OSFile(str(path)) as file:
            names = pyarrow.ipc.open_file(file).schema.names
            wanted = pyarrow.ipc.IpcReadOptions(
                included_fields=sorted(names.index(name) for name in columns), use_threads=False
            )
            reader = pyarrow.ipc.open_file(file, options=wanted)
            for place in range(reader.num_record_batches):
                batch = reader.get_batch(place)
                batch.validate(full=True)  # or damage would end the process
                yield pyarrow.Table.from_batches([batch]).select([*columns])
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(_sentence(error)) from error


def read(path: Path, columns: Sequence[str], *, combine: bool = True) -> Iterator[Any]:
    """A Parquet file as tables, of one chunk each where they are to be combined, in bounded memory;
    InputError when it cannot be read.

    A file of some kilobytes may hold gigabytes. So few rows are read at once, fewer where values
    may be longer than frames, and put together up to a number of bytes.
    """
    import pyarrow

    def together(batches: list[Any]) -> Any:
        table = pyarrow.Table.from_batches(batches)
        return table.combine_chunks() if combine else table

    try:
        with telemetry._parquet().ParquetFile(path, buffer_size=1 << 20, pre_buffer=False) as file:
            for name in columns:
                kind = telemetry._field(file.schema_arrow, name).type
                if pyarrow.types.is_nested(kind):
                    raise ValueError(f"column {name!r} has the Arrow type {kind}")
            most = pages.look(path, columns).rows(_ROWS_READ, _BYTES_READ)
            waiting: list[Any] = []
            rows = size = 0
            for batch in file.iter_batches(most, columns=[*columns], use_threads=False):
                if rows and (rows + batch.num_rows > _ROWS or size + batch.nbytes > _BYTES):
                    yield together(waiting)
                    waiting, rows, size = [], 0, 0
                waiting.append(batch)
                rows, size = rows + batch.num_rows, size + batch.nbytes
            if rows:
                yield together(waiting)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(_sentence(error)) from error


def _make_pending(folder: Path) -> None:
    """A folder for what waits; through a link readings would lie elsewhere, and files go there."""
    if folder.is_symlink():
        raise NotADirectoryError(
            errno.ENOTDIR, "is a link; remove it, or give another folder", str(folder)
        )
    _system.make_private_folder(folder)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[Path]:
    """Make a folder and hold it, for of two runs with one folder of rejected frames the second
    would write over those of the first; a folder in it for files that are not whole yet, because
    the output may be on another disk.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(_system.hold(folder))
        except _system.LockedError:
            raise BlockingIOError(
                errno.EAGAIN, "another run writes rejected frames into it", str(folder)
            ) from None
        waiting = folder / PENDING
        _make_pending(waiting)
        try:
            yield waiting
        finally:
            with contextlib.suppress(OSError):
                for path in waiting.glob(f"*{_TEMPORARY}"):  # of a run that was killed
                    path.unlink()
                waiting.rmdir()


class Rows:
    """Some of the rows of a file, a bit for each row."""

    def __init__(self, rows: int) -> None:
        self._bits = np.zeros(-(-rows // 8), np.uint8)
        self.count = 0

    def add(self, rows: Any) -> None:
        """Take rows that are not there yet."""
        place = rows.astype(np.int64)
        np.bitwise_or.at(self._bits, place >> 3, (1 << (place & 7)).astype(np.uint8))
        self.count += len(rows)

    def have(self, rows: Any) -> Any:
        """For each of some rows whether it is there."""
        place = rows.astype(np.int64)
        return (self._bits[place >> 3] >> (place & 7).astype(np.uint8) & 1).astype(bool)


class _Devices:
    """How many devices there are: their numbers, or of very many, which only forged frames have, a
    bit for every number that there can be.
    """

    _LISTED = 1 << 20

    def __init__(self) -> None:
        self._listed = np.empty(0, np.uint32)
        self._bits: Rows | None = None

    def add(self, numbers: Any) -> None:
        """Count numbers, which come once each here."""
        if self._bits is not None:
            self._bits.add(numbers[~self._bits.have(numbers)])
            return
        self._listed = np.union1d(self._listed, numbers)
        if len(self._listed) > self._LISTED:
            self._bits = Rows(1 << 32)
            self._bits.add(self._listed)

    @property
    def count(self) -> int:
        return len(self._listed) if self._bits is None else self._bits.count


def rows_of(path: Path) -> int:
    """How many rows a Parquet file has; 0 when there is none."""
    return int(telemetry._parquet().read_metadata(path).num_rows) if path.is_file() else 0


@dataclass(frozen=True)
class Task:
    """The opening of one file, wherever it is done: what an engine sends to its workers, without a
    key. Folders are those of all machines.
    """

    opener: telemetry.Opener
    pending: Path
    column: str
    compression: str
    engine: str = ""

    def paths(self, name: str) -> tuple[Path, Path]:
        """Where what opened goes, and what did not."""
        return self.pending / name, self.pending / f"{name}{_REJECTED}"

    def open(self, path: Path, progress: Callable[[int], None]) -> dict[str, Any]:
        """Open a file; its line of the manifest. InputError when it cannot be read."""
        told = 0

        def tell(rows: int) -> None:
            nonlocal told
            told += rows
            progress(rows)

        try:
            return self._open(path, tell)
        except engines.PolarsError:  # pyarrow reads what Polars does not, or says why it cannot
            progress(-told)
            return replace(self, engine="")._open(path, progress)

    def _open(self, path: Path, progress: Callable[[int], None]) -> dict[str, Any]:
        import pyarrow as pa

        before = identity(path)
        if len(os.fsencode(path.name)) > _NAME_MOST:
            raise InputError(f"its name has more than {_NAME_MOST} bytes: rename it")
        opened_at, rejected_at = self.paths(path.name)
        counts: collections.Counter[str] = collections.Counter()
        good, bad = self._schemas(path)
        lock = threading.Lock()  # Polars has several batches split at once
        with published(rejected_at, bad, self.compression, self.pending) as refused:

            def split(frames: Any, rows: Any) -> Any:
                """What opened of a batch; the others are written."""
                table = self.opener(frames)
                status = telemetry._values(table["status"])
                with lock:
                    keep(frames, table, status, rows)
                if status.any():
                    return pa.Table.from_batches(_opened(table, rows))
                return table.append_column("row", telemetry._array(rows)).select(good.names)

            def keep(frames: Any, table: Any, status: Any, rows: Any) -> None:
                failed = status != 0
                count = int(np.count_nonzero(failed))
                counts["opened"] += len(status) - count
                if count:
                    codes, which, number = np.unique(
                        status[failed], return_inverse=True, return_counts=True
                    )
                    names = [telemetry.STATUSES[int(code)] for code in codes]
                    for name, some in zip(names, number, strict=True):
                        counts[name] += int(some)
                    mask = telemetry._array(failed)
                    columns = {name: table[name].filter(mask) for name in (*_PLACES, "status")}
                    columns["row"] = telemetry._array(rows[failed])
                    columns["reason"] = _words(names, which)
                    frame = frames.column(self.column).filter(mask)
                    columns["frame"] = frame.cast(bad.field("frame").type)
                    refused.write_table(pa.table(columns).select(bad.names).cast(bad))
                progress(len(status))

            if self.engine == "polars":
                self._check_groups(path)
                with whole(opened_at, self.pending) as part:
                    engines.through_polars(path, self.column, split, good, part)
            else:
                with _kept(opened_at, good, self.pending) as writer:
                    row = 0
                    for table in read(path, [self.column], combine=False):
                        rows = np.arange(row, row + table.num_rows)
                        writer.write_table(split(table, rows), max_chunksize=_ROWS_KEPT)
                        row += table.num_rows
        reason = ""
        if identity(path) != before:
            reason = "was written while it was read; run again when it is whole"
        elif sum(counts.values()) != rows_of(path):
            reason = f"says that it has {rows_of(path)} rows, {sum(counts.values())} can be read"
        if reason:
            for made in (opened_at, rejected_at):
                made.unlink(missing_ok=True)
            raise InputError(reason)
        return {"file": path.name, "state": "opened", "input": before, "rows": dict(counts)}

    def leave(self, path: Path) -> str:
        """Open a file and leave its record for the run; "", or why it could not be read."""
        try:
            line = self.open(path, lambda rows: None)
        except InputError as error:
            return escaped(str(error))  # it may name a file by bytes that are no text
        with whole(self.pending / f"{path.name}{_RECORD}", self.pending) as part:
            part.write_text(json.dumps(line))
        return ""

    def _check_groups(self, path: Path) -> None:
        """PolarsError for a file with a row group that takes too much memory as a whole."""
        try:
            group = pages.look(path, [self.column]).group
        except (OSError, ValueError) as error:
            raise InputError(_sentence(error)) from error
        if group > _GROUP:
            raise engines.PolarsError(f"{path} has a row group of {group} bytes")

    def _schemas(self, path: Path) -> tuple[Any, Any]:
        """Of what opened and of what did not; from the file, whose footer is read."""
        import pyarrow as pa

        try:
            schema = telemetry._parquet().read_schema(path)
            kind = telemetry._payload_type(telemetry._field(schema, self.column).type)
        except (pa.ArrowException, OSError, ValueError, TypeError) as error:
            raise InputError(_sentence(error)) from error
        good = pa.schema([("device", pa.uint32()), ("epoch", pa.uint32()), ("number", pa.uint32())])
        bad = good.append(pa.field("row", pa.int64())).append(pa.field("status", pa.int8()))
        bad = bad.append(pa.field("reason", pa.string())).append(pa.field("frame", kind))
        good = good.append(pa.field("payload", kind)).append(pa.field("row", pa.int64()))
        return good, bad


def _words(names: Sequence[str], which: Any) -> Any:
    """An Arrow array of some words, by their places."""
    import pyarrow as pa

    ends = np.cumsum([0, *map(len, names)], dtype=np.int32)  # statuses are ASCII
    buffers = [None, pa.py_buffer(ends), pa.py_buffer("".join(names).encode())]
    words = pa.Array.from_buffers(pa.string(), len(names), buffers)
    return words.take(telemetry._array(which))


def _opened(table: Any, rows: Any) -> list[Any]:
    """What opened of a table that an opener made, with its rows, in batches."""
    import pyarrow as pa

    made, first = [], 0
    for batch in table.to_batches():
        kept = telemetry._values(batch.column("status")) == 0
        places = (telemetry._values(batch.column(name)) for name in _PLACES)
        columns = [telemetry._array(values[kept]) for values in places]
        columns.append(telemetry._only(batch.column("payload"), kept))
        columns.append(telemetry._array(rows[first : first + batch.num_rows][kept]))
        made.append(pa.RecordBatch.from_arrays(columns, [*_PLACES, "payload", "row"]))
        first += batch.num_rows
    return made


def _fresh(tables: Iterator[Any], again: Rows | None) -> Iterator[Any]:
    """Tables without replays, put together to what one group of rows of a file holds."""
    import pyarrow as pa

    waiting: list[Any] = []
    rows = size = 0
    for table in tables:
        if again:
            fresh = ~again.have(telemetry._values(table["row"]))
            if not fresh.all():
                table = table.filter(telemetry._array(fresh))
        if rows and (rows + table.num_rows > _ROWS or size + table.nbytes > _BYTES):
            yield pa.concat_tables(waiting)
            waiting, rows, size = [], 0, 0
        waiting.append(table)
        rows, size = rows + table.num_rows, size + table.nbytes
    if rows:
        yield pa.concat_tables(waiting)


def _few_devices(table: Any) -> bool:
    """Whether numbers of devices come again so often that a dictionary of them is small."""
    return bool(len(np.unique(telemetry._values(table["device"]))) * 4 <= table.num_rows)


@dataclass
class Opening:
    """``hanji telemetry open``: frames of files into readings and rejected frames."""

    masters: Any
    output: Path
    rejected: Path
    column: str = "frame"
    direction: Any = "from-device"
    threads: int | None = None
    compression: str = "zstd"
    progress: Callable[[int], None] = lambda rows: None
    engine: str = ""
    cluster: str | None = None

    def run(self, inputs: Sequence[Path]) -> Summary:
        """Do what earlier runs have left to do, and count everything."""
        if self.rejected.resolve() == self.output.resolve():
            raise ValueError(f"{self.rejected} is the output, too; give rejected frames a folder")
        waiting = (self.output / PENDING).resolve()
        if waiting in (self.rejected.resolve(), *self.rejected.resolve().parents):
            raise ValueError(
                f"{self.rejected} lies in {self.output / PENDING}, where the run keeps files of its"
                " own; give rejected frames another folder"
            )
        if self.compression not in COMPRESSIONS:
            raise ValueError(
                f"the compression is {self.compression!r}; there are {', '.join(COMPRESSIONS)}"
            )
        summary = Summary()
        about = {"hanji": "telemetry open", "version": 1, "column": self.column}
        about |= {"direction": self.direction, "rejected": str(self.rejected.resolve())}
        engine = engines.start(self.engine, self.cluster, self.threads)
        masters = self.masters
        if isinstance(masters, str | os.PathLike):  # workers have another current folder
            masters = str(Path(masters).resolve())
        self._opener = telemetry.Opener(
            masters,
            direction=self.direction,
            column=self.column,
            threads=1 if self.engine else self.threads,
        )
        with Run(inputs, self.output, about) as run, _held(self.rejected) as self._refusing:
            for line in run.records():
                self.progress(sum(line["rows"].values()))
            run.refuse_outputs(self.masters, self.rejected)
            wanted = []
            for name, path in run.inputs.items():
                try:
                    if run.state(name) == "":
                        wanted.append(path)
                except InputError as error:
                    summary.failed[str(path)] = str(error)
            if wanted:
                load_keys(self._opener, self.masters)
                with engine:
                    self._open_all(run, engine, wanted, summary)
            again = self._replays(run)
            for place, (name, line) in enumerate([*run.lines.items()]):
                if line["state"] == "opened":
                    try:
                        run.state(name)
                        self._publish(run, name, again.get(place))
                    except InputError as error:
                        summary.failed[str(run.inputs.get(name, name))] = str(error)
                        continue
                self._count(summary, run.lines[name])
        return summary

    def _paths(self, name: str) -> tuple[Path, Path]:
        return self._task().paths(name)

    def _task(self) -> Task:
        pending = (self.output / PENDING).resolve()
        return Task(self._opener, pending, self.column, self.compression, self.engine)

    def _open_all(
        self, run: Run, engine: engines.Engine, wanted: Sequence[Path], summary: Summary
    ) -> None:
        if isinstance(engine, engines.Workers):

            def advance() -> None:
                for line in run.records():
                    self.progress(sum(line["rows"].values()))

            failed = engine.run(self._task(), [path.resolve() for path in wanted], advance)
            advance()
            for path, reason in zip(wanted, failed, strict=True):
                if reason:
                    summary.failed[str(path)] = reason
                elif path.name not in run.lines:
                    raise HanjiError(
                        f"{self.engine} says that {path.name} is done, and there is no record of"
                        f" it in {run.pending}: all machines must see this folder under this name"
                    )
            return
        for path in wanted:
            try:
                self._open(run, path)
            except InputError as error:
                summary.failed[str(path)] = str(error)

    def _open(self, run: Run, path: Path) -> None:
        run.add(self._task().open(path, self.progress))

    def _replays(self, run: Run) -> dict[int, Rows]:
        """Rows of replays by the place of their file; files of earlier runs come first."""
        if all(line["state"] == "done" for line in run.lines.values()):
            return {}
        found: dict[int, Rows] = {}
        sizes = [sum(line["rows"].values()) for line in run.lines.values()]
        total = sum(sizes)
        partitions = max(1, min(256, total >> 21))  # files that are open at once
        with telemetry.Replays(run.pending, partitions) as state:
            for place, name in enumerate(run.lines):
                pending, final = self._paths(name)[0], self.output / name
                path = pending if pending.exists() else final
                try:
                    names = ["row", *telemetry.COLUMNS[:3]]
                    for table in _waiting(path, names):
                        columns = [telemetry._values(table[column]) for column in names]
                        if not len(columns[0]):
                            continue
                        if columns[0].min() < 0 or columns[0].max() >= sizes[place]:
                            raise InputError("it has rows that its input does not have")
                        state.add(place, *columns)
                except InputError as error:
                    raise HanjiError(
                        f"{path}, which an earlier run made, cannot be read: {error}; without it"
                        " replays of its frames would pass: open all files into another folder"
                    ) from error
            for files, rows in state.found():
                for place in np.unique(files).tolist():
                    found.setdefault(place, Rows(sizes[place])).add(rows[files == place])
        return found

    def _publish(self, run: Run, name: str, again: Rows | None) -> None:
        """Write what opened and is no replay, and what was rejected, under their final names."""
        line = run.lines[name]
        opened_at, rejected_at = self._paths(name)
        final, refused = self.output / name, self.rejected / name
        source = opened_at if opened_at.exists() else final
        counts = collections.Counter(line["rows"])
        try:
            bad = telemetry._parquet().read_schema(rejected_at)
        except (OSError, ValueError) as error:
            raise HanjiError(
                f"{rejected_at}, which an earlier run made, cannot be read: {_sentence(error)}; its"
                " frames are not counted: open all files into another folder"
            ) from error
        if again or sum(counts.values()) > counts["opened"]:
            run.refuse_theirs(refused)
            bad = bad.with_metadata({_OWNER: run.owner})
            with published(refused, bad, self.compression, self._refusing) as writer:
                for table in read(rejected_at, bad.names):
                    writer.write_table(table)
                if again:
                    if name not in run.inputs:
                        raise InputError("holds replays and is no input of this run; name it, too")
                    self._write_replays(writer, bad, run.inputs[name], again)
        if again or source == opened_at:
            self._write_fresh(run, source, final, bad, again)
        if again:
            counts["opened"] -= again.count
            counts["replayed"] += again.count
        written = rows_of(final), rows_of(refused) if sum(counts.values()) > counts["opened"] else 0
        if written[0] != counts["opened"] or sum(written) != sum(counts.values()):
            raise HanjiError(
                f"{name}: {sum(counts.values())} frames were read, and {written[0]} opened and"
                f" {written[1]} rejected ones written; the files are damaged, open them anew"
            )
        run.add({**line, "state": "done", "rows": {k: v for k, v in counts.items() if v}})
        for path in (opened_at, rejected_at):
            path.unlink(missing_ok=True)

    def _write_fresh(
        self, run: Run, source: Path, final: Path, bad: Any, again: Rows | None
    ) -> None:
        import pyarrow as pa

        good = pa.schema([*(bad.field(name) for name in _PLACES)])
        good = good.append(bad.field("frame").with_name("payload")).append(bad.field("row"))
        tables = _fresh(_waiting(source, good.names), again)
        first = next(tables, None)
        few = first is None or _few_devices(first)
        with published(final, good, self.compression, run.pending, few_devices=few) as writer:
            for table in itertools.chain([] if first is None else [first], tables):
                writer.write_table(table.cast(good))

    def _write_replays(self, writer: Any, schema: Any, path: Path, again: Rows) -> None:
        import pyarrow as pa

        row = 0
        for table in read(path, [self.column], combine=False):
            rows = np.arange(row, row + table.num_rows)
            replayed = again.have(rows)
            rows = rows[replayed]
            row += table.num_rows
            if not len(rows):
                continue
            kept = table.filter(telemetry._array(replayed)).combine_chunks()
            opened = self._opener(kept)
            columns = {name: opened[name] for name in telemetry.COLUMNS[:3]}
            columns["row"] = telemetry._array(rows)
            columns["status"] = telemetry._array(np.full(len(rows), telemetry.REPLAYED, np.int8))
            columns["reason"] = _words(["replayed"], np.zeros(len(rows), np.int64))
            columns["frame"] = kept.column(0).cast(schema.field("frame").type)
            writer.write_table(pa.table(columns, schema=schema))

    @staticmethod
    def _count(summary: Summary, line: dict[str, Any]) -> None:
        summary.files += 1
        summary.rows.update(line["rows"])


@dataclass
class Sealing:
    """``hanji telemetry seal``: payloads of files into frames."""

    masters: Any
    output: Path
    algorithm: str = "ascon-aead128"
    direction: Any = "to-device"
    compression: str = "zstd"
    progress: Callable[[int], None] = lambda rows: None
    state: Path | None = None  # of used numbers; None: next to the master keys

    def run(self, inputs: Sequence[Path]) -> Summary:
        """Seal what earlier runs have left. Nothing is sealed while a (device, epoch, number) comes
        twice among the inputs and those of earlier runs, or goes back behind what other runs have
        reserved: key and nonce would come twice.
        """

        summary = Summary()
        about = {"hanji": "telemetry seal", "version": 1, "algorithm": self.algorithm}
        if self.compression not in COMPRESSIONS:
            raise ValueError(
                f"the compression is {self.compression!r}; there are {', '.join(COMPRESSIONS)}"
            )
        sealer = telemetry.Sealer(self.masters, algorithm=self.algorithm, direction=self.direction)
        load_keys(sealer, self.masters)
        about |= {"direction": self.direction}
        state = _seal_state.place_for(self.masters, self.state)
        with Run(inputs, self.output, about, mark=contents) as run:
            missing = [name for name in run.lines if name not in run.inputs]
            if missing:
                raise ValueError(
                    f"an earlier run sealed {missing[0]}, which is no input now: name all inputs,"
                    " so that no device, epoch and number comes twice"
                )
            run.refuse_outputs(self.masters)
            checked, numbers = self._check(run, summary)
            _seal_state.reserve(state, f"{self.direction} {self.algorithm}", numbers)
            for name, path in run.inputs.items():
                if str(path) in summary.failed:
                    continue
                try:
                    if run.lines.get(name, {}).get("state") != "done":
                        self._seal(run, sealer, path, checked[name])
                except InputError as error:
                    summary.failed[str(path)] = str(error)
                    continue
                Opening._count(summary, run.lines[name])
        return summary

    def _seal(self, run: Run, sealer: telemetry.Sealer, path: Path, before: list[Any]) -> None:
        """Seal a file that is as it was when its numbers were compared with those of all others."""
        import pyarrow as pa

        counts = collections.Counter[str]()
        if identity(path) != before[:2]:
            raise InputError("has changed since its numbers were checked; run again")
        # Killed after this, a run seals the same file again, and no other under its keys and
        # nonces.
        run.add({"file": path.name, "state": "begun", "input": before, "rows": {}})
        schema = pa.schema([(column, pa.uint32()) for column in _PLACES])
        schema = schema.append(pa.field("frame", pa.large_binary()))
        schema = schema.append(pa.field("status", pa.int8()))
        final = self.output / path.name
        with published(final, schema, self.compression, run.pending) as writer:
            for table in read(path, [*_PLACES, "payload"]):
                places = [telemetry._numbers(table, column) for column in _PLACES]
                sealed = sealer(table)
                frames = sealed["frame"].cast(pa.large_binary())
                columns = [*map(telemetry._array, places), frames, sealed["status"]]
                writer.write_table(pa.table(columns, schema=schema))
                codes, number = np.unique(sealed["status"], return_counts=True)
                for code, count in zip(codes, number, strict=True):
                    word = telemetry.STATUSES[int(code)] if code else "sealed"
                    counts[word] += int(count)
                self.progress(table.num_rows)
            if contents(path) != before:  # nothing of it gets its name
                raise InputError("was written while it was read; number its frames anew")
        run.add({"file": path.name, "state": "done", "input": before, "rows": dict(counts)})

    @staticmethod
    def _check(
        run: Run, summary: Summary
    ) -> tuple[dict[str, list[Any]], dict[Path, _seal_state.Numbers]]:
        """Refuse a (device, epoch, number) that comes twice; name the files that cannot be sealed.
        Those that an earlier run sealed, or began to, must be as they were. What the files are,
        and the numbers in them.
        """
        found: dict[str, list[Any]] = {}
        numbers: dict[Path, _seal_state.Numbers] = {}
        with telemetry.Replays(run.pending, 64) as state:
            for place, (name, path) in enumerate(run.inputs.items()):
                row, begun = 0, name in run.lines
                try:
                    run.state(name)
                    found[name] = contents(path)
                    done = run.lines.get(name, {}).get("state") == "done"
                    here = _seal_state.Numbers(found[name][2], done)
                    for table in read(path, _PLACES if begun else [*_PLACES, "payload"]):
                        rows = np.arange(row, row + table.num_rows, dtype=np.uint64)
                        places = _sealable(table, row)
                        state.add(place, rows, *places)
                        here.add(*places)
                        row += table.num_rows
                    numbers[path] = here
                except InputError as error:
                    if begun:  # without it, numbers that come again would not be seen
                        raise InputError(f"{path}: {error}") from error
                    summary.failed[str(path)] = str(error)
            again = []
            for files, rows in state.found():
                first = np.lexsort((rows, files))[0]
                again.append((int(files[first]), int(rows[first])))
        if again:
            place, row = min(again)
            raise ValueError(
                f"{[*run.inputs.values()][place]}, row {row}: its device, epoch and number came"
                " before; under one key and nonce nothing is sealed twice. Number each frame anew;"
                " nothing was done"
            )
        return found, numbers


def _sealable(table: Any, row: int) -> list[Any]:
    """Devices, epochs and numbers of a table that begins with this row of its file; InputError for
    what cannot be sealed, with its row in the file.
    """
    try:
        places = [telemetry._numbers(table, column, first=row) for column in _PLACES]
        if "payload" in table.column_names:
            payload = table["payload"]
            telemetry._payload_type(payload.type, "column 'payload'")
            if payload.null_count:
                null = row + int(np.argmax(payload.is_null().to_numpy()))
                raise ValueError(f"column 'payload' is null in row {null}")
    except (ValueError, TypeError) as error:
        raise InputError(str(error)) from error
    return places


def load_keys(user: telemetry.Opener | telemetry.Sealer, masters: Any) -> None:
    """Read the master keys before anything is done, so that keys that are wrong are told once, and
    in one process.
    """
    try:
        user._keys.load()
    except FileNotFoundError:
        raise
    except (OSError, ValueError, TypeError, NotImplementedError) as error:
        what = masters if isinstance(masters, str | os.PathLike) else type(masters).__name__
        raise HanjiError(f"no master keys: {what}: {_sentence(error)}") from error


def inspect(path: Path, column: str) -> dict[str, Any]:
    """What the headers of a file say, without keys: nobody vouches for it."""
    kinds: collections.Counter[str] = collections.Counter()
    devices, frames, size = _Devices(), 0, 0
    names = {number: name for name, number in telemetry.ALGORITHMS.items()}
    identity(path)
    for table in read(path, [column]):
        try:
            data, offsets, nulls = telemetry._bytes_of(table.column(0).combine_chunks())
        except TypeError as error:
            raise InputError(str(error)) from error
        lengths = np.diff(offsets)
        starts = offsets[:-1][lengths >= telemetry.HEADER]
        frames, size = frames + table.num_rows, size + int(lengths.sum())
        kinds["null"] += 0 if nulls is None else int(nulls.sum())
        kinds["truncated"] += int((lengths < telemetry.HEADER).sum())
        if nulls is not None:
            kinds["truncated"] -= int(nulls.sum())
        pairs = data[starts].astype(np.int64) << 8 | data[starts + 1]
        for pair, count in zip(*np.unique(pairs, return_counts=True), strict=True):
            version, algorithm = divmod(int(pair), 256)
            known = names.get(algorithm, f"algorithm {algorithm}")
            kinds[f"version {version}, {known}"] += int(count)
        devices.add(telemetry._devices(data, offsets))
    about = {"file": str(path), "frames": frames, "bytes": size, "devices": devices.count}
    return about | {"kinds": {name: count for name, count in kinds.items() if count}}
