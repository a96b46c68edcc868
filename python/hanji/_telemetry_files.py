# SPDX-License-Identifier: Apache-2.0
"""Folders of Parquet files with telemetry frames: opened and sealed file by file, so that a run
that ends in the middle is taken up again by the next. Used by ``hanji telemetry``; docs/scale.md
says what lies where. Who opens the files, this process or an engine: _telemetry_engines.py.

A file goes through two steps. Opening it makes two files in ``OUT/.pending``: what opened, with its
row, and what did not, with the original bytes. When all are there, replays are looked for among all
of them, and each file gets its final name. ``OUT/manifest.jsonl`` says how far each file is; a line
is added when a step is whole, after its files. Workers of an engine do not write to the manifest:
they leave the line as a file of its own, a record, in ``OUT/.pending``, for the run to take up.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import fcntl
import json
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hanji import HanjiError, telemetry
from hanji import _telemetry_engines as engines

MANIFEST = "manifest.jsonl"
PENDING = ".pending"
_TEMPORARY, _RECORD, _REJECTED = ".part", ".record", ".rejected"
_REPLAYS = "hanji-replays-"  # how telemetry.Replays calls its folders
_OUR_ENDS = (_TEMPORARY, _RECORD, _REJECTED)  # of files in PENDING
_ROWS, _ROWS_OF_LARGE, _LARGE = 1 << 17, 1 << 13, 512  # rows at once, by the bytes of a frame


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

    def __init__(self, inputs: Sequence[Path], output: Path, about: dict[str, Any]) -> None:
        self.inputs = {path.name: path for path in inputs}
        if len(self.inputs) < len(inputs):
            names = collections.Counter(path.name for path in inputs)
            twice = next(name for name, count in names.items() if count > 1)
            raise ValueError(
                f"several inputs are called {twice}; their outputs would have one name: rename"
                " them, or give each folder its own output"
            )
        for name in self.inputs:
            if name == MANIFEST or name.endswith(_OUR_ENDS) or name.startswith(_REPLAYS):
                raise ValueError(
                    f"an input is called {name}, as files of the run itself are: rename it"
                )
        self._done = (
            "sealed it; number its frames anew, and give another folder"
            if about["hanji"] == "telemetry seal"
            else "opened it; give another folder"
        )
        self.output, self.pending = output, output / PENDING
        self.lines: dict[str, dict[str, Any]] = {}  # the last line of each file, in their order
        self._manifest = self._take(about)
        self.pending.mkdir(mode=0o700, exist_ok=True)
        for path in self.pending.glob(f"*{_TEMPORARY}"):
            path.unlink()
        for folder in self.pending.glob(f"{_REPLAYS}*"):  # of a run that was killed
            shutil.rmtree(folder)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            for path in self.pending.glob(f"*{_TEMPORARY}"):  # of workers that were killed
                path.unlink(missing_ok=True)
            self.pending.rmdir()
        self._manifest.close()

    def _take(self, about: dict[str, Any]) -> Any:
        path = self.output / MANIFEST
        self.output.mkdir(parents=True, exist_ok=True)
        if not path.exists() and any(self.output.iterdir()):
            raise FileExistsError(
                errno.EEXIST,
                f"holds files and no {MANIFEST}: give an empty folder, or that of an earlier run",
                str(self.output),
            )
        manifest = path.open("a+b")
        try:
            fcntl.flock(manifest, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            manifest.close()
            raise BlockingIOError(
                errno.EAGAIN, "another run works in it", str(self.output)
            ) from None
        manifest.seek(0)
        text = manifest.read()
        whole = text[: text.rfind(b"\n") + 1]  # a line that was being written does not count
        if len(whole) < len(text):
            manifest.truncate(len(whole))
        lines = [json.loads(line) for line in whole.splitlines()]
        self._manifest = manifest
        if not lines:
            self.add(about)
        elif lines[0] != about:
            manifest.close()
            raise ValueError(
                f"{self.output} was begun with {lines[0]}, this run has {about}: give the same"
                " options, or another folder"
            )
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
                if target.parent == rejected and name not in self.lines:
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
            line = json.loads(path.read_bytes())
            if line["file"] not in self.lines:
                self.add(line)
                yield line
            path.unlink()

    def state(self, name: str) -> str:
        """How far a file is: "", "begun", "opened" or "done". InputError when it is another now."""
        line = self.lines.get(name)
        if line is None:
            return ""
        if name in self.inputs and line["input"] != identity(self.inputs[name]):
            raise InputError(f"has changed since an earlier run {self._done}")
        return str(line["state"])


def identity(path: Path) -> list[int]:
    """Size and time of a file: whether it is the one that an earlier run read."""
    about = path.stat()
    return [about.st_size, about.st_mtime_ns]


@contextlib.contextmanager
def whole(path: Path, temporary: Path) -> Iterator[Path]:
    """A file that appears under its name whole; nothing stays when that fails. Two workers may make
    the same one at once, so each has a name of its own until then.
    """
    part = temporary / f"{path.name}.{secrets.token_hex(4)}{_TEMPORARY}"
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        rename(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def published(path: Path, schema: Any, compression: str, temporary: Path) -> Iterator[Any]:
    """A Parquet file that appears under its name whole, as a writer."""
    parquet = telemetry._parquet()
    with (
        whole(path, temporary) as part,
        part.open("wb") as file,
        parquet.ParquetWriter(file, schema, compression=compression) as writer,
    ):
        yield writer


def rename(old: Path, new: Path) -> None:
    """Give a file its final name, so that the name is on the disk, too."""
    old.replace(new)
    for folder in {old.parent, new.parent}:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    """The batches of a Parquet file, in bounded memory; InputError when it cannot be read."""
    import pyarrow

    try:
        with telemetry._parquet().ParquetFile(path, buffer_size=1 << 20, pre_buffer=False) as file:
            for name in columns:
                telemetry._field(file.schema_arrow, name)
            groups = [file.metadata.row_group(place) for place in range(file.num_row_groups)]
            size = sum(group.total_byte_size for group in groups)
            large = size > _LARGE * file.metadata.num_rows
            rows = _ROWS_OF_LARGE if large else _ROWS
            yield from file.iter_batches(rows, columns=[*columns], use_threads=False)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        text = str(error).splitlines() or [type(error).__name__]
        raise InputError(text[0]) from error


def rows_of(path: Path) -> int:
    """How many rows a Parquet file has; 0 when there is none."""
    return int(telemetry._parquet().read_metadata(path).num_rows) if path.exists() else 0


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
        import pyarrow as pa

        before = identity(path)
        opened_at, rejected_at = self.paths(path.name)
        counts: collections.Counter[str] = collections.Counter()
        good, bad = self._schemas(path)
        lock = threading.Lock()  # Polars has several batches split at once
        with published(rejected_at, bad, self.compression, self.pending) as refused:

            def split(frames: Any, rows: Any) -> Any:
                """What opened of a batch; the others are written."""
                table = self.opener(frames).append_column("row", rows)
                status = table["status"].to_numpy()
                codes, number = np.unique(status, return_counts=True)
                with lock:
                    keep(frames, table, status, codes, number)
                return table.filter(pa.array(status == 0)).select(good.names)

            def keep(frames: Any, table: Any, status: Any, codes: Any, number: Any) -> None:
                if codes.any():
                    names = np.array([telemetry.STATUSES[int(code)] for code in codes])
                    reason = names[np.searchsorted(codes, status)]
                    again = table.append_column("reason", pa.array(reason.tolist(), pa.string()))
                    column = frames.column(self.column).cast(bad.field("frame").type)
                    again = again.append_column("frame", column)
                    refused.write_table(again.filter(pa.array(status != 0)).select(bad.names))
                for code, count in zip(codes, number, strict=True):
                    counts[telemetry.STATUSES[int(code)]] += int(count)
                progress(len(status))

            if self.engine == "polars":
                with whole(opened_at, self.pending) as part:
                    try:
                        engines.through_polars(
                            path, self.column, split, good, part, self.compression
                        )
                    except HanjiError:
                        for _ in read(path, [self.column]):  # tells it when it is the file
                            pass
                        raise
            else:
                with published(opened_at, good, self.compression, self.pending) as writer:
                    row = 0
                    for batch in read(path, [self.column]):
                        rows = pa.array(np.arange(row, row + batch.num_rows))
                        writer.write_table(split(pa.Table.from_batches([batch]), rows))
                        row += batch.num_rows
        if identity(path) != before:
            raise InputError("was written while it was read; run again when it is whole")
        if sum(counts.values()) != rows_of(path):
            raise HanjiError(
                f"{path} has {rows_of(path)} rows and {sum(counts.values())} of them were read"
            )
        return {"file": path.name, "state": "opened", "input": before, "rows": dict(counts)}

    def leave(self, path: Path) -> str:
        """Open a file and leave its record for the run; "", or why it could not be read."""
        try:
            line = self.open(path, lambda rows: None)
        except InputError as error:
            return str(error)
        with whole(self.pending / f"{path.name}{_RECORD}", self.pending) as part:
            part.write_text(json.dumps(line))
        return ""

    def _schemas(self, path: Path) -> tuple[Any, Any]:
        """Of what opened and of what did not; from the file, whose footer is read."""
        import pyarrow as pa

        try:
            schema = telemetry._parquet().read_schema(path)
            kind = telemetry._payload_type(telemetry._field(schema, self.column).type)
        except (pa.ArrowException, OSError, ValueError, TypeError) as error:
            text = str(error).splitlines() or [type(error).__name__]
            raise InputError(text[0]) from error
        good = pa.schema([("device", pa.uint32()), ("epoch", pa.uint32()), ("number", pa.uint32())])
        bad = good.append(pa.field("row", pa.int64())).append(pa.field("status", pa.int8()))
        bad = bad.append(pa.field("reason", pa.string())).append(pa.field("frame", kind))
        good = good.append(pa.field("payload", kind)).append(pa.field("row", pa.int64()))
        return good, bad


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
        self.rejected.mkdir(parents=True, exist_ok=True)
        with Run(inputs, self.output, about) as run, engine:
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
            self._open_all(run, engine, wanted, summary)
            again = self._replays(run)
            for place, (name, line) in enumerate([*run.lines.items()]):
                if line["state"] == "opened":
                    try:
                        run.state(name)
                        self._publish(run, name, again.get(place, np.empty(0, np.uint64)))
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

    def _replays(self, run: Run) -> dict[int, Any]:
        """Rows of replays by the place of their file; files of earlier runs come first."""
        if all(line["state"] == "done" for line in run.lines.values()):
            return {}
        found: dict[int, list[Any]] = collections.defaultdict(list)
        total = sum(sum(line["rows"].values()) for line in run.lines.values())
        partitions = max(1, min(256, total >> 21))  # files that are open at once
        with telemetry.Replays(run.pending, partitions) as state:
            for place, name in enumerate(run.lines):
                pending, final = self._paths(name)[0], self.output / name
                path = pending if pending.exists() else final
                try:
                    for batch in read(path, ["row", *telemetry.COLUMNS[:3]]):
                        columns = (batch.column(at).to_numpy() for at in range(4))
                        state.add(place, *columns)
                except InputError as error:
                    raise HanjiError(
                        f"{path}, which an earlier run made, cannot be read: {error}; without it"
                        " replays of its frames would pass: open all files into another folder"
                    ) from error
            for files, rows in state.found():
                for place in np.unique(files):
                    found[int(place)].append(rows[files == place])
        return {place: np.sort(np.concatenate(rows)) for place, rows in found.items()}

    def _publish(self, run: Run, name: str, again: Any) -> None:
        """Take the replays out of what opened, and give both files their names."""
        import pyarrow as pa

        line = run.lines[name]
        opened_at, rejected_at = self._paths(name)
        final, refused = self.output / name, self.rejected / name
        source = opened_at if opened_at.exists() else final
        counts = collections.Counter(line["rows"])
        bad = telemetry._parquet().read_schema(rejected_at)
        if len(again) + sum(counts.values()) - counts["opened"] > 0:
            with published(refused, bad, self.compression, run.pending) as writer:
                for batch in read(rejected_at, bad.names):
                    writer.write_batch(batch)
                if len(again):
                    if name not in run.inputs:
                        raise InputError("holds replays and is no input of this run; name it, too")
                    self._write_replays(writer, bad, run.inputs[name], again)
        if len(again):
            good = telemetry._parquet().read_schema(source)
            with published(final, good, self.compression, run.pending) as writer:
                for batch in read(source, good.names):
                    rows = batch.column(good.get_field_index("row")).to_numpy()
                    fresh = ~np.isin(rows, again.astype(np.int64))
                    writer.write_batch(batch.filter(pa.array(fresh)))
            counts["opened"] -= len(again)
            counts["replayed"] += len(again)
        elif source == opened_at:
            rename(opened_at, final)
        written = rows_of(final), rows_of(refused) if sum(counts.values()) > counts["opened"] else 0
        if written[0] != counts["opened"] or sum(written) != sum(counts.values()):
            raise HanjiError(
                f"{name}: {sum(counts.values())} frames were read, and {written[0]} opened and"
                f" {written[1]} rejected ones written; the files are damaged, open them anew"
            )
        run.add({**line, "state": "done", "rows": {k: v for k, v in counts.items() if v}})
        for path in (opened_at, rejected_at):
            path.unlink(missing_ok=True)

    def _write_replays(self, writer: Any, schema: Any, path: Path, again: Any) -> None:
        import pyarrow as pa

        row = 0
        for batch in read(path, [self.column]):
            rows = again[(again >= row) & (again < row + batch.num_rows)].astype(np.int64)
            row += batch.num_rows
            if not len(rows):
                continue
            kept = batch.take(pa.array(rows - (row - batch.num_rows)))
            opened = self._opener(pa.Table.from_batches([kept]))
            columns = {name: opened[name] for name in telemetry.COLUMNS[:3]}
            columns["row"] = pa.array(rows)
            columns["status"] = pa.array(np.full(len(rows), telemetry.REPLAYED, np.int8))
            columns["reason"] = pa.array(["replayed"] * len(rows), pa.string())
            columns["frame"] = pa.chunked_array([kept.column(0)]).cast(schema.field("frame").type)
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

    def run(self, inputs: Sequence[Path]) -> Summary:
        """Seal what earlier runs have left. Nothing is sealed while a (device, epoch, number) comes
        twice among the inputs and those of earlier runs: key and nonce would.
        """
        import pyarrow as pa

        summary = Summary()
        about = {"hanji": "telemetry seal", "version": 1, "algorithm": self.algorithm}
        sealer = telemetry.Sealer(self.masters, algorithm=self.algorithm, direction=self.direction)
        names = list(telemetry.COLUMNS[:3])
        with Run(inputs, self.output, about | {"direction": self.direction}) as run:
            missing = [name for name in run.lines if name not in run.inputs]
            if missing:
                raise ValueError(
                    f"an earlier run sealed {missing[0]}, which is no input now: name all inputs,"
                    " so that no device, epoch and number comes twice"
                )
            run.refuse_outputs(self.masters)
            self._refuse_repeated(run, names)
            for name, path in run.inputs.items():
                if run.state(name) != "done":
                    before, counts = identity(path), collections.Counter[str]()
                    # Killed after this, a run seals the same file again, and no other under its
                    # keys and nonces.
                    run.add({"file": name, "state": "begun", "input": before, "rows": {}})
                    schema = pa.schema([(column, pa.uint32()) for column in names])
                    schema = schema.append(pa.field("frame", pa.large_binary()))
                    schema = schema.append(pa.field("status", pa.int8()))
                    final = self.output / name
                    with published(final, schema, self.compression, run.pending) as writer:
                        for batch in read(path, [*names, "payload"]):
                            places = [telemetry._numbers(batch, column) for column in names]
                            sealed = sealer(pa.Table.from_batches([batch]))
                            frames = sealed["frame"].cast(pa.large_binary())
                            columns = [*map(pa.array, places), frames, sealed["status"]]
                            writer.write_table(pa.table(columns, schema=schema))
                            codes, number = np.unique(sealed["status"], return_counts=True)
                            for code, count in zip(codes, number, strict=True):
                                word = telemetry.STATUSES[int(code)] if code else "sealed"
                                counts[word] += int(count)
                            self.progress(batch.num_rows)
                    if identity(path) != before:
                        final.unlink()
                        raise InputError(f"{path} was written while it was read")
                    line = {"file": name, "state": "done", "input": before, "rows": dict(counts)}
                    run.add(line)
                Opening._count(summary, run.lines[name])
        return summary

    @staticmethod
    def _refuse_repeated(run: Run, names: Sequence[str]) -> None:
        with telemetry.Replays(run.pending, 64) as state:
            for place, path in enumerate(run.inputs.values()):
                row = 0
                for batch in read(path, names):
                    rows = np.arange(row, row + batch.num_rows, dtype=np.uint64)
                    state.add(place, rows, *(telemetry._numbers(batch, name) for name in names))
                    row += batch.num_rows
            for files, rows in state.found():
                path = [*run.inputs.values()][int(files[0])]
                raise ValueError(
                    f"{path}, row {rows[0]}: its device, epoch and number came before; under one"
                    " key and nonce nothing is sealed twice. Number each frame anew; nothing was"
                    " done"
                )


def inspect(path: Path, column: str) -> dict[str, Any]:
    """What the headers of a file say, without keys: nobody vouches for it."""
    kinds: collections.Counter[str] = collections.Counter()
    devices, frames, size = np.empty(0, np.uint32), 0, 0
    names = {number: name for name, number in telemetry.ALGORITHMS.items()}
    for batch in read(path, [column]):
        data, offsets, _ = telemetry._bytes_of(batch.column(0))
        lengths = np.diff(offsets)
        starts = offsets[:-1][lengths >= telemetry.HEADER]
        frames, size = frames + batch.num_rows, size + int(lengths.sum())
        kinds["truncated"] += batch.num_rows - len(starts)
        pairs = data[starts].astype(np.int64) << 8 | data[starts + 1]
        for pair, count in zip(*np.unique(pairs, return_counts=True), strict=True):
            version, algorithm = divmod(int(pair), 256)
            known = names.get(algorithm, f"algorithm {algorithm}")
            kinds[f"version {version}, {known}"] += int(count)
        devices = np.union1d(devices, telemetry._devices(data, offsets))
    about = {"file": str(path), "frames": frames, "bytes": size, "devices": len(devices)}
    return about | {"kinds": {name: count for name, count in kinds.items() if count}}
