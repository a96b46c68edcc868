# SPDX-License-Identifier: Apache-2.0
"""Folders of Parquet files with telemetry frames: opened and sealed file by file, so that a run
that ends in the middle is taken up again by the next. Used by ``hanji telemetry``; docs/scale.md
says what lies where. Who opens the files, this process or an engine: _telemetry_engines.py.

A file goes through two steps. Opening it makes three files in ``OUT/.pending``: what opened, with
its row, as an Arrow file, for it is read twice; what did not, with the original bytes, as Parquet;
and a record, which is written last and says what the other two hold. When all are there, replays
are looked for among all of them, and each file is written as Parquet under its final name, without
replays. Then ``OUT/manifest.jsonl`` gets a line, so it names finished files only: an attempt that
finishes no file leaves no options behind that a later run would have to repeat.
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
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hanji import HanjiError, _arrow, _seal_state, _system, telemetry
from hanji import _telemetry_engines as engines
from hanji import _telemetry_reader as reader
from hanji._telemetry_reader import InputError as InputError
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
_VERSION = 2  # of the manifest
_STATES = ("begun", "opened", "done")
# Frames that other master keys may open.
_SHUT = tuple(
    code for code, word in telemetry.STATUSES.items() if word in ("forged", "unknown device")
)
_OPTIONS = {"column": "--column", "direction": "--direction", "algorithm": "--algorithm"}
_ROWS, _BYTES = 1 << 17, 48 << 20  # what is worked on at once: the rows, and their bytes
_ROWS_READ = reader.STEP  # rows that the reader process decodes at once, at most
_ROWS_KEPT = 1 << 14  # of a batch of an Arrow file
_SAMPLE = 1000  # frames, or keys, that are looked at for the cause why none opened
_ARROW = b"ARROW1"  # how such a file begins; Polars leaves Parquet


class WaitingError(InputError):
    """What was opened of a file cannot be read any more."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"what was opened of it is damaged ({reason}); run again")
        self.name = name


@dataclass(frozen=True)
class Input:
    """A file to read, and the name of its outputs: a path below their folder, with slashes.
    ``published`` is an output of an earlier run whose rows stay as they are.
    """

    path: Path
    name: str
    published: Path | None = None


@dataclass
class Summary:
    """What the outputs hold after a run, and what the run did. ``rows`` counts frames by status in
    all files that are done, ``fresh`` those of the files that this run has done. ``inputs`` is the
    sum of ``files``, the inputs that are done, and ``failed``, which says why the others are not;
    ``earlier`` counts files of earlier runs that are not among them; ``lost`` says which of those
    have no whole outputs any more, and nothing of these is counted.
    """

    rows: collections.Counter[str] = field(default_factory=collections.Counter)
    fresh: collections.Counter[str] = field(default_factory=collections.Counter)
    inputs: int = 0
    files: int = 0
    earlier: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    again: collections.Counter[str] = field(default_factory=collections.Counter)

    @property
    def read(self) -> int:
        """Frames of all files that were read."""
        return sum(self.rows.values())

    @property
    def opened(self) -> int:
        """Frames that opened and are no replays."""
        return self.rows["opened"]


class Run:
    """One output folder with its manifest, held by one process at a time. ``about`` says what the
    run does ("hanji") and with which options; each line of the manifest carries those that its
    file was made with.
    """

    def __init__(
        self,
        inputs: Sequence[Path | Input],
        output: Path,
        about: dict[str, Any],
        mark: Callable[[Path], list[Any]] | None = None,
    ) -> None:
        self._mark = mark or identity
        self.inputs = _by_name(inputs)
        self._kind = str(about["hanji"])
        self.options = {name: value for name, value in about.items() if name in _OPTIONS}
        self._done = (
            "sealed it; number its frames anew, above those used, and give the file another name"
            if self._kind == "telemetry seal"
            else "opened it; give the new file another name, or use another output folder"
        )
        self.output, self.pending = output, output / PENDING
        self.lines: dict[str, dict[str, Any]] = {}  # the last line of each file, in their order
        self.remnants: set[Path] = set()  # damaged files of rejected frames that may be replaced
        self._begun = False
        self._manifest = self._take()
        _make_pending(self.pending)
        for path in self.pending.glob(f"*{_TEMPORARY}"):
            path.unlink()
        for folder in self.pending.glob(f"{_REPLAYS}*"):  # of a run that was killed
            shutil.rmtree(folder)
        self._remove_late()

    def __enter__(self) -> Run:
        return self

    def _remove_late(self) -> None:
        """Remove what workers of a run that was killed have made of files that were done since, and
        files without the record that is written after them.
        """
        for name in self.lines:
            (self.pending / f"{waiting_name(name)}{_RECORD}").unlink(missing_ok=True)
        for path in self.pending.iterdir():
            stem = path.name.removesuffix(_REJECTED)
            ours = path.name.endswith(_RECORD) or path.name.startswith(_REPLAYS)
            if not ours and not (self.pending / f"{stem}{_RECORD}").exists():
                path.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._remove_late()
            self.pending.rmdir()
        self._manifest.close()

    def _take(self) -> Any:
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
        try:
            self._read(path, manifest)
        except BaseException:
            manifest.close()
            raise
        return manifest

    def _read(self, path: Path, manifest: Any) -> None:
        """Read the lines of the manifest, and compare what they were made with."""
        manifest.seek(0)
        text = manifest.read()
        whole = text[: text.rfind(b"\n") + 1]  # a line that was being written does not count
        damaged = "so finished files cannot be told from unfinished ones; use a new output folder"
        try:
            lines = [_line(line, 0) for line in whole.splitlines()[:1]]
            if lines and (lines[0]["hanji"], lines[0].get("version")) == (self._kind, _VERSION):
                lines += [
                    _line(line, place) for place, line in enumerate(whole.splitlines()) if place
                ]
            if not lines and text[: len(_FIRST)] != _FIRST[: len(text)]:
                raise ValueError("line 1 is not ours")
        except ValueError as error:
            raise ValueError(f"{path} is damaged ({error}), {damaged}") from None
        if not lines:
            if any(self._holds_files(other) for other in self.output.iterdir()):
                raise ValueError(f"{path} is empty, and other files are beside it, {damaged}")
            self.owner = secrets.token_hex(8)
            manifest.truncate(0)
            return
        first = lines[0]
        if first["hanji"] != self._kind:
            raise ValueError(
                f"{self.output} was begun with 'hanji {first['hanji']}'; use another output folder"
            )
        if first.get("version") != _VERSION or not isinstance(first.get(_OWNER), str):
            raise ValueError(
                f"{path} has format {first.get('version')}, which this version of hanji does not"
                f" continue (it writes format {_VERSION}); use a new output folder"
            )
        self.owner = first[_OWNER]
        for line in lines[1:]:
            self.lines[line["file"]] = line
        for line in self.lines.values():
            if not self.is_ours(line) and self._pins(line):
                self._refuse_options(line)
        manifest.truncate(len(whole))  # now that it is ours
        self._begun = True

    @staticmethod
    def _holds_files(path: Path) -> bool:
        """Whether a path beside an empty manifest is, or holds, a file that a run does not make
        before it finishes a file.
        """
        if path.name in (MANIFEST, PENDING):
            return False
        if path.is_symlink() or not path.is_dir():
            return True
        return any(PENDING not in other.parts and not other.is_dir() for other in path.rglob("*"))

    def is_ours(self, line: dict[str, Any]) -> bool:
        """Whether a line was made with the options of this run."""
        return bool(line["options"] == self.options)

    def _pins(self, line: dict[str, Any]) -> bool:
        """Whether later runs must have the options of this line: something came of them."""
        return self._kind == "telemetry seal" or line["rows"].get("opened", 0) > 0

    def _refuse_options(self, line: dict[str, Any]) -> None:
        for name, value in self.options.items():
            before = line["options"].get(name)
            if before != value:
                option = _OPTIONS[name]
                raise ValueError(
                    f"{self.output} was filled with {option} {before}, and this run has {option}"
                    f" {value}; give {option} {before}, or use another output folder"
                )

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
                if stat.S_ISREG(about.st_mode):
                    marks[about.st_dev, about.st_ino] = path
        folders = [self.output] if rejected is None else [self.output, rejected]
        for name, path in self.inputs.items():
            if self.lines.get(name, {}).get("state") == "done" or path.is_dir():
                continue  # a folder is no input, which is told when it is to be read
            for target in (folder / name for folder in folders):
                try:
                    about = target.lstat()
                except FileNotFoundError:
                    continue
                except NotADirectoryError:
                    raise NotADirectoryError(
                        errno.ENOTDIR,
                        f"lies below a file, and the output of {self.inputs[name]} would have this"
                        " name; move that file, or use another output folder",
                        str(target),
                    ) from None
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
                if target.parent == rejected or (rejected and rejected in target.parents):
                    self.refuse_theirs(target)

    def refuse_theirs(self, target: Path) -> None:
        """Refuse to write over a file of rejected frames that is not of this run."""
        if os.path.lexists(target) and target not in self.remnants and not self.has_made(target):
            raise FileExistsError(
                errno.EEXIST,
                "already exists; give another folder",
                str(target),
            )

    def has_made(self, path: Path) -> bool:
        """Whether a Parquet file is an output of this folder."""
        with contextlib.suppress(InputError):
            return reader.footer(path, metadata=_OWNER).metadata == self.owner
        return False

    def find_remnant(self, path: Path) -> None:
        """Take a file for what is left of an output of this folder, although no owner can be read
        in it any more. The manifest says that it was made under this name.
        """
        try:
            if stat.S_ISREG(path.lstat().st_mode):
                reader.footer(path)
        except InputError:
            self.remnants.add(path)
        except OSError:
            pass

    def begin(self) -> None:
        """Write the first line of the manifest, before a file gets its final name."""
        if not self._begun:
            self._write({"hanji": self._kind, "version": _VERSION, _OWNER: self.owner})
            self._begun = True

    def add(self, line: dict[str, Any]) -> None:
        """Add a line to the manifest; what it says is on the disk already."""
        self.begin()
        line = {**line, "options": self.options}
        self._write(line)
        self.lines[line["file"]] = line

    def _write(self, line: dict[str, Any]) -> None:
        self._manifest.write(json.dumps(line).encode() + b"\n")
        self._manifest.flush()
        os.fsync(self._manifest.fileno())

    def same_input(self, line: dict[str, Any]) -> list[Any] | None:
        """What an input is now, as in a line of the manifest; None when it is not the one that the
        line is about. Equal size and time say that it is, or, where only the time has changed, an
        equal digest: a copy or `touch` changes the time alone.
        """
        path, before = self.inputs[line["file"]], line["input"]
        found = self._mark(path)
        if found == before[: len(found)]:
            return [*before]
        if found[0] != before[0]:
            return None
        now = contents(path)
        return now if now[2] == before[2] else None

    def state(self, name: str) -> str:
        """How far a file is: "", "begun" or "done". InputError when it is another one now."""
        line = self.lines.get(name)
        if line is None:
            return ""
        if name in self.inputs:
            now = self.same_input(line)
            if now is None:
                raise InputError(f"has changed since an earlier run {self._done}")
            if now != line["input"]:
                self._write({**line, "input": now})  # so that the next run need not read it whole
                self.lines[name] = {**line, "input": now}
        return str(line["state"])


def _by_name(inputs: Sequence[Path | Input]) -> dict[str, Path]:
    """Inputs by the names of their outputs, in the order in which their frames count."""
    given = [Input(one, one.name) if isinstance(one, Path) else one for one in inputs]
    found: dict[str, Path] = {}
    for one in sorted(given, key=lambda one: one.name):
        other = found.setdefault(one.name, one.path)
        if other != one.path:
            raise ValueError(
                f"several inputs are called {one.name}: {other} and {one.path}; their outputs would"
                " have one name: name them by one pattern in quotes, such as 'FOLDER/*/*.parquet',"
                " which keeps the folders below FOLDER apart, or use an output folder for each"
            )
        if ".." in one.name.split("/"):
            raise ValueError(
                f"the pattern for {one.path} has .. behind its first wildcard, and its output would"
                f" be called {one.name}: give a pattern without it"
            )
        if not _is_name(one.name):
            raise ValueError(
                f"an input is called {one.name}, as files of the run itself are: rename it"
            )
    for name in found:
        for parent in Path(name).parents:
            if parent.as_posix() in found and not found[parent.as_posix()].is_dir():
                raise ValueError(
                    f"the outputs of {found[name]} would lie in a folder {parent.as_posix()}, and"
                    f" the output of {found[parent.as_posix()]} is called so: use an output folder"
                    " for each"
                )
    return found


def waiting_name(name: str) -> str:
    """What an input is called in PENDING, which has no folders: two names never give the same."""
    return f"{name.rpartition('/')[2][:40]}.{hashlib.sha256(os.fsencode(name)).hexdigest()[:32]}"


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
        raise ValueError(f"line {place + 1} names no file below the folder")
    if place > 0 and line["state"] not in _STATES:
        raise ValueError(f"line {place + 1} has the state {line['state']!r}")
    if place > 0 and not all(_is_count(line["rows"], name) for name in line["rows"]):
        raise ValueError(f"line {place + 1} has rows that are no counts")
    if place > 0 and not isinstance(line.setdefault("options", {}), dict):
        raise ValueError(f"line {place + 1} has options that are no object")
    found: dict[str, Any] = line
    return found


def _is_name(name: str) -> bool:
    """Whether it is a path below a folder, and none that a run uses itself."""
    parts = name.split("/")
    strange = "\0" in name or (os.sep != "/" and os.sep in name)
    return not strange and not {"", ".", "..", PENDING} & {*parts} and parts[0] != MANIFEST


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
    if stat.S_ISDIR(about.st_mode):
        raise InputError("is a folder; name its files by a pattern in quotes: 'FOLDER/*.parquet'")
    if not stat.S_ISREG(about.st_mode):
        raise InputError("is no regular file")
    return [about.st_size, about.st_mtime_ns]


def contents(path: Path) -> list[Any]:
    """The identity of a file with a digest. Before sealing it is always computed: a file of other
    payloads may have the same size and time, and to seal it under the same numbers would use key
    and nonce twice.
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
    part = temporary / f"{path.name[:40]}.{secrets.token_hex(8)}{_TEMPORARY}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
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
    parquet = _arrow.parquet()
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


def read(path: Path, columns: Sequence[str]) -> Generator[Any, None, None]:
    """Columns of a Parquet file as tables, in bounded memory, through the reader process;
    InputError when it cannot be read.
    """
    with contextlib.closing(
        reader.read(path, columns, rows=_ROWS, size=_BYTES, step=_ROWS_READ)
    ) as tables:
        for table in tables:
            for name in columns:
                table = telemetry.plain_column(table, name)
            yield table


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
    return reader.footer(path).rows if path.is_file() else 0


@dataclass(frozen=True)
class Task:
    """The opening of one file, wherever it is done: what an engine sends to its workers, without a
    key. Folders are those of all machines.
    """

    opener: telemetry.Opener
    pending: Path
    column: str
    compression: str
    options: dict[str, Any] = field(default_factory=dict)
    engine: str = ""

    def paths(self, name: str) -> tuple[Path, Path, Path]:
        """Where what opened goes, what did not, and the record."""
        place = self.pending / waiting_name(name)
        return place, Path(f"{place}{_REJECTED}"), Path(f"{place}{_RECORD}")

    def open(self, given: Input, progress: Callable[[int], None]) -> dict[str, Any]:
        """Open a file and leave its record. InputError when it cannot be read."""
        told = 0

        def tell(rows: int) -> None:
            nonlocal told
            told += rows
            progress(rows)

        try:
            line = self._open(given, tell)
        except engines.PolarsError:  # pyarrow reads what Polars does not, or says why it cannot
            progress(-told)
            line = replace(self, engine="")._open(given, progress)
        with whole(self.paths(given.name)[2], self.pending) as part:
            part.write_text(json.dumps(line))
        return line

    def _open(self, given: Input, progress: Callable[[int], None]) -> dict[str, Any]:
        import pyarrow as pa

        path = given.path
        before = contents(path)
        opened_at, rejected_at, record_at = self.paths(given.name)
        record_at.unlink(missing_ok=True)  # it would vouch for the files that are made now
        counts: collections.Counter[str] = collections.Counter()
        kind = str(self._kind(path))
        good, bad = _schemas(kind)
        kept = _published_rows(given.published, path)
        counts["opened"] = kept.count if kept else 0
        keys = KeyMark(self.opener)
        lock = threading.Lock()  # Polars has several batches split at once
        with published(rejected_at, bad, self.compression, self.pending) as refused:

            def split(frames: Any, rows: Any) -> Any:
                """What opened of a batch; the others are written."""
                read = len(rows)
                if kept:
                    left = ~kept.have(rows)
                    frames, rows = frames.filter(_arrow.array(left)), rows[left]
                table = self.opener(frames)
                status = _arrow.values(table["status"])
                with lock:
                    keep(frames, table, status, rows)
                    progress(read)
                if status.any():
                    return pa.Table.from_batches(_opened(table, rows))
                return table.append_column("row", _arrow.array(rows)).select(good.names)

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
                    mask = _arrow.array(failed)
                    columns = {name: table[name].filter(mask) for name in (*_PLACES, "status")}
                    columns["row"] = _arrow.array(rows[failed])
                    columns["reason"] = _words(names, which)
                    keys.add(columns)
                    frame = frames.column(self.column).filter(mask)
                    columns["frame"] = frame.cast(bad.field("frame").type)
                    refused.write_table(pa.table(columns).select(bad.names).cast(bad))

            if self.engine == "polars":
                with whole(opened_at, self.pending) as part:
                    tables = read(path, [self.column])
                    engines.through_polars(tables, self.column, split, good, part)
            else:
                with _kept(opened_at, good, self.pending) as writer:
                    row = 0
                    for table in read(path, [self.column]):
                        rows = np.arange(row, row + table.num_rows)
                        writer.write_table(split(table, rows), max_chunksize=_ROWS_KEPT)
                        row += table.num_rows
        reason = ""
        if identity(path) != before[:2]:
            reason = "was written while it was read; run again when it is whole"
        elif sum(counts.values()) != rows_of(path):
            reason = f"says that it has {rows_of(path)} rows, {sum(counts.values())} can be read"
        if reason:
            for made in (opened_at, rejected_at):
                made.unlink(missing_ok=True)
            raise InputError(reason)
        line: dict[str, Any] = {"file": given.name, "state": "opened", "input": before}
        line |= {"rows": dict(counts)}
        line |= {"kind": kind, "keys": keys.value, "published": kept.count if kept else 0}
        return line | {"options": self.options}

    def leave(self, given: Input) -> str:
        """Open a file and leave its record for the run; "", or why it could not be read."""
        try:
            self.open(given, lambda rows: None)
        except InputError as error:
            return escaped(str(error))  # it may name a file by bytes that are no text
        return ""

    def _kind(self, path: Path) -> Any:
        """The Arrow type of the payloads; from the footer of the file."""
        try:
            found = reader.footer(path, [self.column]).schema.field(0).type
            return telemetry._payload_type(found, f"column {self.column!r}")
        except TypeError as error:
            raise InputError(_sentence(error)) from error


def _schemas(kind: str) -> tuple[Any, Any]:
    """Of what opened and of what did not, where payloads and frames have this Arrow type."""
    import pyarrow as pa

    places = pa.schema([(name, pa.uint32()) for name in _PLACES])
    bytes_of = pa.binary() if kind == "binary" else pa.large_binary()
    good = places.append(pa.field("payload", bytes_of)).append(pa.field("row", pa.int64()))
    bad = places.append(pa.field("row", pa.int64())).append(pa.field("status", pa.int8()))
    return good, bad.append(pa.field("reason", pa.string())).append(pa.field("frame", bytes_of))


def _is_hex(key: bytes) -> bool:
    """Whether a key consists of hexadecimal digits, as no random key does."""
    return not set(key) - set(b"0123456789abcdefABCDEF")


class KeyMark:
    """Tells whether the master keys of frames that stayed shut have changed since: a digest, under
    a random value, of what these keys make for each such frame, in the order of the frames.

    Of each key it takes the tag of an empty message with the device and epoch of the frame, and a
    number of its own. The tags stay in this process, and the digest of them, which the manifest
    keeps, tells nobody anything about a key. Devices without a key have no tag; so a key that comes
    later changes the digest, and keys of other devices do not.
    """

    _NUMBER = 0xFFFF_FFFF

    def __init__(self, opener: telemetry.Opener, before: str = "") -> None:
        self._sealer = telemetry.Sealer(bytes(16), direction="from-device", threads=1)
        self._sealer._keys = opener._keys
        self._random = before.partition(":")[0] or secrets.token_hex(16)
        self._digest = hashlib.sha256(self._random.encode())
        self._frames = 0

    def add(self, columns: Mapping[str, Any]) -> None:
        """Take frames that did not open, with the columns device, epoch and status."""
        status = _arrow.values(columns["status"])
        shut = np.isin(status, _SHUT)
        count = int(np.count_nonzero(shut))
        if not count:
            return
        device = np.ascontiguousarray(_arrow.values(columns["device"])[shut], np.uint32)
        epoch = np.ascontiguousarray(_arrow.values(columns["epoch"])[shut], np.uint32)
        number = np.full(count, self._NUMBER, np.uint32)
        nothing = np.empty(0, np.uint8), np.zeros(count + 1, np.int64)
        made = self._sealer.flat(device, epoch, number, *nothing)
        size = telemetry.HEADER + 16
        marks = np.zeros((count, size + 9), np.uint8)
        marks[:, :4] = device.view(np.uint8).reshape(-1, 4)
        marks[:, 4:8] = epoch.view(np.uint8).reshape(-1, 4)
        marks[:, 8] = made.status == 0
        marks[made.status == 0, 9:] = made.data.reshape(-1, size)
        self._digest.update(marks.tobytes())
        self._frames += count

    @property
    def value(self) -> str:
        """The random value and the digest; "" when all frames opened, or are shut for other
        reasons.
        """
        return f"{self._random}:{self._digest.hexdigest()}" if self._frames else ""


def _published_rows(published: Path | None, path: Path) -> Rows | None:
    """The rows of an output of an earlier run, which stay opened whatever the keys are now; None
    when it cannot be read, or is of another file.
    """
    if published is None:
        return None
    try:
        total = rows_of(path)
        found = Rows(total)
        last = -1
        for table in read(published, ["row"]):
            rows = _arrow.values(table["row"]).astype(np.int64)
            if rows[0] <= last or rows[-1] >= total or (np.diff(rows) <= 0).any():
                return None
            found.add(rows)
            last = int(rows[-1])
    except (InputError, ValueError):
        return None
    return found if found.count else None


def _words(names: Sequence[str], which: Any) -> Any:
    """An Arrow array of some words, by their places."""
    import pyarrow as pa

    ends = np.cumsum([0, *map(len, names)], dtype=np.int32)  # statuses are ASCII
    buffers = [None, pa.py_buffer(ends), pa.py_buffer("".join(names).encode())]
    words = pa.Array.from_buffers(pa.string(), len(names), buffers)
    return words.take(_arrow.array(which))


def _rejected(rows: Mapping[str, int]) -> int:
    """How many frames of a file were rejected."""
    return sum(rows.values()) - rows.get("opened", 0)


def _opened(table: Any, rows: Any) -> list[Any]:
    """What opened of a table that an opener made, with its rows, in batches."""
    import pyarrow as pa

    made, first = [], 0
    for batch in table.to_batches():
        kept = _arrow.values(batch.column("status")) == 0
        places = (_arrow.values(batch.column(name)) for name in _PLACES)
        columns = [_arrow.array(values[kept]) for values in places]
        columns.append(telemetry._only(batch.column("payload"), kept))
        columns.append(_arrow.array(rows[first : first + batch.num_rows][kept]))
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
            fresh = ~again.have(_arrow.values(table["row"]))
            if not fresh.all():
                table = table.filter(_arrow.array(fresh))
        if rows and (rows + table.num_rows > _ROWS or size + table.nbytes > _BYTES):
            yield pa.concat_tables(waiting)
            waiting, rows, size = [], 0, 0
        waiting.append(table)
        rows, size = rows + table.num_rows, size + table.nbytes
    if rows:
        yield pa.concat_tables(waiting)


def _merged(first: Iterator[Any], second: Iterator[Any]) -> Iterator[Any]:
    """Two streams of tables, each in the order of its rows, as one in this order."""
    import pyarrow as pa

    streams = [first, second]
    waiting = [next(stream, None) for stream in streams]
    while any(table is not None for table in waiting):
        for place, table in enumerate(waiting):
            while table is not None and not table.num_rows:
                table = next(streams[place], None)
            waiting[place] = table
        there = [table for table in waiting if table is not None]
        if len(there) < 2:
            yield from there
            waiting = [
                None if table is None else next(stream, None)
                for table, stream in zip(waiting, streams, strict=True)
            ]
            continue
        end = min(int(_arrow.values(table["row"])[-1]) for table in there)
        parts = []
        for place, table in enumerate(there):
            cut = int(np.searchsorted(_arrow.values(table["row"]), end, side="right"))
            parts.append(table.slice(0, cut))
            waiting[place] = table.slice(cut)
        joined = pa.concat_tables(parts)
        order = np.argsort(_arrow.values(joined["row"]), kind="stable")
        yield joined.take(_arrow.array(order))


def _few_devices(table: Any) -> bool:
    """Whether numbers of devices come again so often that a dictionary of them is small."""
    return bool(len(np.unique(_arrow.values(table["device"]))) * 4 <= table.num_rows)


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

    def run(self, inputs: Sequence[Path | Input]) -> Summary:
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
        about = {"hanji": "telemetry open", "column": self.column, "direction": self.direction}
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
        load_keys(self._opener, self.masters)  # before any folder is made
        with Run(inputs, self.output, about) as run, _held(self.rejected) as self._refusing:
            self._refuse_rejected(run)
            run.refuse_outputs(self.masters, self.rejected)
            summary.inputs = len(run.inputs)
            opened = self._records(run)
            wanted = self._plan(run, opened, summary)
            if wanted:
                with engine:
                    self._open_all(run, engine, wanted, opened, summary)
            self._publish_all(run, opened, summary)
            for name, line in run.lines.items():
                if name in self._lost:
                    continue
                summary.rows.update(line["rows"])
                done = name in run.inputs and str(run.inputs[name]) not in summary.failed
                summary.files += done
                summary.earlier += not done
        return summary

    def hint(self) -> str:
        """The likely cause why no frame opened, after a run. The frames themselves are tried."""
        from_device = self.direction == "from-device"
        other = telemetry.Opener(
            bytes(16), direction="to-device" if from_device else "from-device", column="frame"
        )
        other._keys = self._opener._keys
        found: collections.Counter[int] = collections.Counter()
        for path in sorted(self.rejected.rglob("*"))[:64]:
            with contextlib.suppress(InputError, OSError, ValueError, TypeError):
                table = next(read(path, ["frame", "status"]), None)
                if table is None:
                    continue
                table = table.slice(0, _SAMPLE)
                found.update(_arrow.values(table["status"]).tolist())
                if 0 in _arrow.values(other(table)["status"]):
                    return (
                        "they open in the other direction: give --direction"
                        f" {'to-device' if from_device else 'from-device'}"
                    )
        for status in (telemetry.NULL, telemetry.REPLAYED):
            del found[status]
        word = telemetry.STATUSES[found.most_common(1)[0][0]] if found else "forged"
        if word == "unknown device":
            return f"their devices have no key in {self.masters}: is it the right file?"
        if word != "forged":
            return (
                f"column {self.column!r} holds something else than frames of version 2 ({word}):"
                " choose the column with --column"
            )
        return self._hint_of_keys()

    def _hint_of_keys(self) -> str:
        keys: list[bytes] = []
        if isinstance(self.masters, str | os.PathLike):
            # Not through the reader process, which never gets a key.
            with (
                contextlib.suppress(OSError, ValueError),
                _arrow.parquet().ParquetFile(self.masters) as file,
            ):
                batch = next(file.iter_batches(_SAMPLE, columns=["master"]), None)
                keys = [] if batch is None else batch.column(0).to_pylist()
        sizes = {len(key) for key in keys}
        about = f", which have {sizes.pop()} bytes" if len(sizes) == 1 else ""
        if keys and all(_is_hex(key) for key in keys):
            return (
                f"the keys in {self.masters}{about}, are hexadecimal digits: decode these, with"
                " bytes.fromhex or in Polars with .str.decode('hex')"
            )
        return (
            f"the tags match neither direction of the keys in {self.masters}{about}: is it the key"
            " table of these devices, and do the devices have keys of this size?"
        )

    def _refuse_rejected(self, run: Run) -> None:
        """Refuse another folder of rejected frames than that of earlier runs, unless it has their
        files: then it, or the output folder, was moved. Paths are kept relative to the output, so
        that both can be moved together.
        """
        here = self._relative(self.rejected)
        for line in run.lines.values():
            before = line.get("rejected", here)
            if before == here or not _rejected(line["rows"]):
                continue
            if not run.has_made(self.rejected / line["file"]):
                raise ValueError(
                    f"{self.output} was filled with --rejected {before} (relative to it), and this"
                    f" run has --rejected {here}; give the folder of the earlier runs, or use"
                    " another output folder"
                )
            break
        for folder, inner in ((self.output, self.rejected), (self.rejected, self.output)):
            below = self._relative(inner, folder)
            for name in run.inputs:
                if name == below or name.startswith(f"{below}/"):
                    raise ValueError(
                        f"the output of {run.inputs[name]} would be {folder / name}, and {inner} is"
                        " for other files; give rejected frames another folder"
                    )

    def _relative(self, path: Path, start: Path | None = None) -> str:
        """A folder as seen from the output folder; as it is where there is no such path."""
        with contextlib.suppress(ValueError):  # another drive of Windows
            seen = os.path.relpath(path.resolve(), (start or self.output).resolve())
            return Path(seen).as_posix()
        return path.resolve().as_posix()

    def _task(self) -> Task:
        pending = (self.output / PENDING).resolve()
        options = {"column": self.column, "direction": self.direction}
        return Task(self._opener, pending, self.column, self.compression, options, self.engine)

    def _records(self, run: Run) -> dict[str, dict[str, Any]]:
        """What earlier runs have opened and not finished, by name: the files that this run would
        open as they did. Nobody has seen the others, and they are opened again.
        """
        found = {}
        task = self._task()
        for path in sorted(run.pending.glob(f"*{_RECORD}")):
            line: dict[str, Any] = {}
            with contextlib.suppress(OSError, ValueError, InputError, TypeError):
                line = _line(path.read_bytes(), 1)
                name = line["file"]
                if name not in run.inputs:
                    continue  # it waits for a run that has its input
                opened_at, rejected_at, record_at = task.paths(name)
                if (
                    record_at.name == path.name
                    and name not in run.lines
                    and run.is_ours(line)
                    and run.same_input(line)
                    and opened_at.exists()
                    and not self._has_other_keys(line, rejected_at)
                ):
                    found[name] = line
                    self.progress(sum(line["rows"].values()))
                    continue
            path.unlink()
        return found

    def _plan(self, run: Run, waiting: dict[str, Any], summary: Summary) -> list[Input]:
        """The inputs to open: new ones, and those whose outputs are missing, or have frames that
        other keys or options may open now.
        """
        wanted: list[Input] = []
        here = self._relative(self.rejected)
        self._lost: set[str] = set()  # whose outputs are not whole
        for name, path in run.inputs.items():
            try:
                if run.state(name) == "":
                    if name not in waiting:
                        wanted.append(Input(path, name))
                    continue
                reason = self._why_again(run, name)
                if reason:
                    self._lost |= {name} if reason == "outputs" else set()
                    line = run.lines[name]
                    if _rejected(line["rows"]) and line.get("rejected") == here:
                        run.find_remnant(self.rejected / name)
                    run.refuse_theirs(self.rejected / name)
                    summary.again[reason] += 1
                    final = self.output / name
                    kept = final.resolve() if run.has_made(final) else None
                    wanted.append(Input(path, name, None if reason == "options" else kept))
            except InputError as error:
                summary.failed[str(path)] = str(error)
        for name in run.lines:
            if name not in run.inputs and self._is_lost(run, name):
                self._lost.add(name)
                summary.lost[str(self.output / name)] = (
                    "it, or its file of rejected frames, is missing or damaged, and its input is"
                    " not among those of this run; name that input, too, to open it again"
                )
        if summary.lost and (wanted or waiting):
            raise HanjiError(
                f"{next(iter(summary.lost))}, which an earlier run made, or its file of rejected"
                " frames is missing or damaged; without it replays of its frames would pass: name"
                " its input, too, to open it again, or bring the file back"
            )
        return wanted

    def _is_lost(self, run: Run, name: str) -> bool:
        """Whether an output of a file is missing, or has another number of rows than it had."""
        rows = run.lines[name]["rows"]
        wanted = rows.get("opened", 0), _rejected(rows)
        try:
            final = self.output / name
            refused = rows_of(self.rejected / name) if wanted[1] else 0
            return not final.is_file() or (rows_of(final), refused) != wanted
        except InputError:
            return True

    def _why_again(self, run: Run, name: str) -> str:
        """Why a file that is done is to be opened again; "" when it is not."""
        line = run.lines[name]
        if not run.is_ours(line):  # nothing opened, or the run would not have begun
            return "options"
        if self._is_lost(run, name):
            return "outputs"
        try:
            return "keys" if self._has_other_keys(line, self.rejected / name) else ""
        except InputError:
            return "outputs"

    def _has_other_keys(self, line: dict[str, Any], rejected: Path) -> bool:
        """Whether the devices of forged or unknown frames have other master keys than when these
        were opened.
        """
        if not any(line["rows"].get(telemetry.STATUSES[code]) for code in _SHUT):
            return False
        now = KeyMark(self._opener, str(line.get("keys", "")))
        for table in read(rejected, ["device", "epoch", "status"]):
            now.add({name: table[name] for name in table.column_names})
        return now.value != line.get("keys")

    def _open_all(
        self,
        run: Run,
        engine: engines.Engine,
        wanted: Sequence[Input],
        waiting: dict[str, Any],
        summary: Summary,
    ) -> None:
        task = self._task()
        if not isinstance(engine, engines.Workers):
            for one in wanted:
                try:
                    waiting[one.name] = task.open(one, self.progress)
                except InputError as error:
                    summary.failed[str(one.path)] = str(error)
            return
        left = {one.name: task.paths(one.name)[2] for one in wanted}

        def advance() -> None:
            for name, record in [*left.items()]:
                if record.exists():
                    waiting[name] = _line(record.read_bytes(), 1)
                    del left[name]
                    self.progress(sum(waiting[name]["rows"].values()))

        for record in left.values():
            record.unlink(missing_ok=True)
        sent = [replace(one, path=one.path.resolve()) for one in wanted]
        failed = engine.run(task, sent, advance)
        advance()
        for one, reason in zip(wanted, failed, strict=True):
            if reason:
                summary.failed[str(one.path)] = reason
                waiting.pop(one.name, None)
            elif one.name not in waiting:
                raise HanjiError(
                    f"{self.engine} says that {one.name} is done, and there is no record of"
                    f" it in {run.pending}: all machines must see this folder under this name"
                )

    def _publish_all(self, run: Run, waiting: dict[str, Any], summary: Summary) -> None:
        """Give all files that were opened their final names, without replays. Where one of them
        cannot be finished, replays of its frames are looked for once more among the others, or the
        frames would be in no output.
        """
        left = []
        for name in sorted(waiting):
            try:
                self._compare(run, waiting[name])
                left.append(name)
            except InputError as error:
                summary.failed[str(run.inputs[name])] = str(error)
        while left:
            try:
                again = self._replays(run, {name: waiting[name] for name in left})
            except WaitingError as error:
                self._give_up(run, error.name, error, summary)
                left.remove(error.name)
                continue
            for place, name in enumerate(left):
                try:
                    self._compare(run, waiting[name])
                    self._publish(run, waiting[name], again.get(name))
                    summary.fresh.update(run.lines[name]["rows"])
                    self._lost.discard(name)
                except InputError as error:
                    self._give_up(run, name, error, summary)
                    left = left[place + 1 :]
                    break
            else:
                break

    def _give_up(self, run: Run, name: str, error: InputError, summary: Summary) -> None:
        """Forget what was opened of an input, so that the next run opens it again."""
        summary.failed[str(run.inputs[name])] = str(error)
        for path in self._task().paths(name)[::-1]:
            path.unlink(missing_ok=True)

    @staticmethod
    def _compare(run: Run, line: dict[str, Any]) -> None:
        if run.same_input(line) is None:
            raise InputError("was written after it was read; run again when it is whole")

    def _replays(self, run: Run, waiting: dict[str, Any]) -> dict[str, Rows]:
        """Rows of replays in files that wait for their names. The first frame of its device, epoch
        and number is the one that an earlier run has published; or else that of the first file by
        name, and in it the first row: whichever worker opened which file first.
        """
        made = [name for name in run.lines if run.lines[name]["rows"].get("opened")]
        made = [name for name in made if name not in waiting or waiting[name]["published"]]
        sources = [(self.output / name, run.lines[name]) for name in made]
        sources += [(self._task().paths(name)[0], waiting[name]) for name in sorted(waiting)]
        names = [*made, *sorted(waiting)]
        found: dict[str, Rows] = {}
        sizes = [sum(line["rows"].values()) for _, line in sources]
        partitions = max(1, min(256, sum(sizes) >> 21))  # files that are open at once
        with telemetry.Replays(run.pending, partitions) as state:
            for place, (path, _) in enumerate(sources):
                try:
                    columns_of = ["row", *telemetry.COLUMNS[:3]]
                    for table in _waiting(path, columns_of):
                        columns = [_arrow.values(table[column]) for column in columns_of]
                        if not len(columns[0]):
                            continue
                        if columns[0].min() < 0 or columns[0].max() >= sizes[place]:
                            raise InputError("it has rows that its input does not have")
                        state.add(place, *columns)
                except InputError as error:
                    if place >= len(made):
                        raise WaitingError(names[place], str(error)) from error
                    raise HanjiError(
                        f"{path}, which an earlier run made, cannot be read: {error}; without it"
                        " replays of its frames would pass: remove it, name its input, too, and run"
                        " again"
                    ) from error
            for files, rows in state.found():
                for place in np.unique(files).tolist():
                    if place >= len(made):
                        one = found.setdefault(names[place], Rows(sizes[place]))
                        one.add(rows[files == place])
        return found

    def _publish(self, run: Run, line: dict[str, Any], again: Rows | None) -> None:
        """Write what opened and is no replay, and what was rejected, under their final names."""
        name = line["file"]
        opened_at, rejected_at, record_at = self._task().paths(name)
        final, refused = self.output / name, self.rejected / name
        counts = collections.Counter(line["rows"])
        good, bad = _schemas(line["kind"])
        run.begin()
        if again or _rejected(counts):
            run.refuse_theirs(refused)
            bad = bad.with_metadata({_OWNER: run.owner})
            with published(refused, bad, self.compression, self._refusing) as writer:
                for table in read(rejected_at, bad.names):
                    writer.write_table(table)
                if again:
                    self._write_replays(writer, bad, run.inputs[name], again)
        elif run.has_made(refused):  # all frames of it have opened since
            refused.unlink()
        self._write_fresh(run, line, final, good, again)
        if again:
            counts["opened"] -= again.count
            counts["replayed"] += again.count
        written = rows_of(final), rows_of(refused) if _rejected(counts) else 0
        if written != (counts["opened"], _rejected(counts)):
            raise HanjiError(
                f"{name}: {sum(counts.values())} frames were read, and {written[0]} opened and"
                f" {written[1]} rejected ones written; the files are damaged: remove {opened_at},"
                f" {final} and {refused}, and run again"
            )
        done = {"file": name, "state": "done", "input": line["input"]}
        done |= {"rows": {word: count for word, count in counts.items() if count}}
        run.add(done | {"keys": line["keys"], "rejected": self._relative(self.rejected)})
        for path in (record_at, opened_at, rejected_at):
            path.unlink(missing_ok=True)

    def _write_fresh(
        self, run: Run, line: dict[str, Any], final: Path, good: Any, again: Rows | None
    ) -> None:
        good = good.with_metadata({_OWNER: run.owner})
        tables = _waiting(self._task().paths(line["file"])[0], good.names)
        if line["published"]:
            old = (table.cast(good) for table in read(final, good.names))
            tables = _merged(old, (table.cast(good) for table in tables))
        tables = _fresh(tables, again)
        first = next(tables, None)
        few = first is None or _few_devices(first)
        with published(final, good, self.compression, run.pending, few_devices=few) as writer:
            for table in itertools.chain([] if first is None else [first], tables):
                writer.write_table(table.cast(good))

    def _write_replays(self, writer: Any, schema: Any, path: Path, again: Rows) -> None:
        import pyarrow as pa

        row = 0
        for table in read(path, [self.column]):
            rows = np.arange(row, row + table.num_rows)
            replayed = again.have(rows)
            rows = rows[replayed]
            row += table.num_rows
            if not len(rows):
                continue
            kept = table.filter(_arrow.array(replayed)).combine_chunks()
            opened = self._opener(kept)
            columns = {name: opened[name] for name in telemetry.COLUMNS[:3]}
            columns["row"] = _arrow.array(rows)
            columns["status"] = _arrow.array(np.full(len(rows), telemetry.REPLAYED, np.int8))
            columns["reason"] = _words(["replayed"], np.zeros(len(rows), np.int64))
            columns["frame"] = kept.column(0).cast(schema.field("frame").type)
            writer.write_table(pa.table(columns, schema=schema))


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

    def run(self, inputs: Sequence[Path | Input]) -> Summary:
        """Seal what earlier runs have left. Nothing is sealed while a (device, epoch, number) comes
        twice among the inputs and those of earlier runs, or goes back behind what other runs have
        reserved: key and nonce would come twice.
        """

        summary = Summary()
        about = {"hanji": "telemetry seal", "algorithm": self.algorithm}
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
            summary.inputs = len(run.inputs)
            checked, numbers = self._check(run, summary)
            _seal_state.reserve(state, f"{self.direction} {self.algorithm}", numbers)
            for name, path in run.inputs.items():
                if str(path) in summary.failed:
                    continue
                try:
                    if run.lines.get(name, {}).get("state") != "done":
                        self._seal(run, sealer, Input(path, name), checked[name])
                except InputError as error:
                    summary.failed[str(path)] = str(error)
                    continue
                summary.files += 1
                summary.rows.update(run.lines[name]["rows"])
        return summary

    def _seal(self, run: Run, sealer: telemetry.Sealer, given: Input, before: list[Any]) -> None:
        """Seal a file that is as it was when its numbers were compared with those of all others."""
        import pyarrow as pa

        counts = collections.Counter[str]()
        path = given.path
        if identity(path) != before[:2]:
            raise InputError("has changed since its numbers were checked; run again")
        # Killed after this, a run seals the same file again, and no other under its keys and
        # nonces.
        run.add({"file": given.name, "state": "begun", "input": before, "rows": {}})
        schema = pa.schema([(column, pa.uint32()) for column in _PLACES])
        schema = schema.append(pa.field("frame", pa.large_binary()))
        schema = schema.append(pa.field("status", pa.int8()))
        final = self.output / given.name
        with published(final, schema, self.compression, run.pending) as writer:
            for table in read(path, [*_PLACES, "payload"]):
                places = [_arrow.numbers(table, column) for column in _PLACES]
                sealed = sealer(table)
                frames = sealed["frame"].cast(pa.large_binary())
                columns = [*map(_arrow.array, places), frames, sealed["status"]]
                writer.write_table(pa.table(columns, schema=schema))
                codes, number = np.unique(sealed["status"], return_counts=True)
                for code, count in zip(codes, number, strict=True):
                    word = telemetry.STATUSES[int(code)] if code else "sealed"
                    counts[word] += int(count)
                self.progress(table.num_rows)
            if contents(path) != before:  # nothing of it gets its name
                raise InputError("was written while it was read; number its frames anew")
        run.add({"file": given.name, "state": "done", "input": before, "rows": dict(counts)})

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
            raise _seal_state.UsedNumberError(
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
        places = [_arrow.numbers(table, column, first=row) for column in _PLACES]
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
        reason = _sentence(error)
        if isinstance(masters, str | os.PathLike) and _is_text(Path(masters)):
            reason = (
                "is text, such as CSV; key tables are Parquet files with binary keys. If its keys"
                " are hexadecimal digits, convert it with Polars: pl.read_csv(FILE, schema_overrides="
                "{'master': pl.String}).with_columns(pl.col('master').str.decode('hex'))"
                ".write_parquet('masters.parquet')"
            )
        what = masters if isinstance(masters, str | os.PathLike) else type(masters).__name__
        if isinstance(error, OSError) and error.errno:  # it cannot be read; others are damaged
            raise OSError(
                error.errno, f"{reason}, so there are no master keys", str(what)
            ) from error
        if str(Path(what).resolve()) not in reason:  # not every reason names the file
            reason = f"{what}: {reason}"
        raise HanjiError(f"no master keys: {reason}") from error


def _is_text(path: Path) -> bool:
    """Whether a file is text and no Parquet file."""
    if not path.is_file():  # to open a pipe might take for ever
        return False
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError:
        return False
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):  # UTF-16
        start = start[2:].replace(b"\0", b"")
    control = {*range(32)} - set(b"\t\n\v\f\r\x1a")
    return bool(start) and start[:4] not in (b"PAR1", b"PARE") and not control & {*start}


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
