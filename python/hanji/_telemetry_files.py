# SPDX-License-Identifier: Apache-2.0
"""Folders of Parquet files with telemetry frames: opened and sealed file by file, so that a run
that ends in the middle is taken up again by the next. Used by ``hanji telemetry``; docs/scale.md
says what lies where.

A file goes through two steps. Opening it makes two files in ``OUT/.pending``: what opened, with its
row, and what did not, with the original bytes. When all are there, replays are looked for among all
of them, and each file gets its final name. ``OUT/manifest.jsonl`` says how far each file is; a line
is added when a step is whole, after its files.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hanji import HanjiError, telemetry

MANIFEST = "manifest.jsonl"
PENDING = ".pending"
_TEMPORARY, _REJECTED = ".part", ".rejected"
_REPLAYS = "hanji-replays-"  # how telemetry.Replays calls its folders
_OUR_ENDS = (_TEMPORARY, _REJECTED)  # of files in PENDING
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

    def state(self, name: str) -> str:
        """How far a file is: "", "begun", "opened" or "done". InputError when it is another file now."""
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
def published(path: Path, schema: Any, compression: str, temporary: Path) -> Iterator[Any]:
    """A Parquet file that appears under its name whole; nothing stays when that fails."""
    part = temporary / (path.name + _TEMPORARY)
    parquet = telemetry._parquet()
    try:
        with part.open("wb") as file:
            with parquet.ParquetWriter(file, schema, compression=compression) as writer:
                yield writer
            file.flush()
            os.fsync(file.fileno())
        rename(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


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

    def run(self, inputs: Sequence[Path]) -> Summary:
        """Do what earlier runs have left to do, and count everything."""
        if self.rejected.resolve() == self.output.resolve():
            raise ValueError(f"{self.rejected} is the output, too; give rejected frames a folder")
        summary = Summary()
        about = {"hanji": "telemetry open", "version": 1, "column": self.column}
        about |= {"direction": self.direction, "rejected": str(self.rejected.resolve())}
        self._opener = telemetry.Opener(
            self.masters, direction=self.direction, column=self.column, threads=self.threads
        )
        self.rejected.mkdir(parents=True, exist_ok=True)
        with Run(inputs, self.output, about) as run:
            run.refuse_outputs(self.masters, self.rejected)
            for name, path in run.inputs.items():
                try:
                    if run.state(name) == "":
                        self._open(run, name, path)
                except InputError as error:
                    summary.failed[str(path)] = str(error)
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
        pending = self.output / PENDING
        return pending / name, pending / f"{name}{_REJECTED}"

    def _open(self, run: Run, name: str, path: Path) -> None:
        import pyarrow as pa

        before = identity(path)
        opened_at, rejected_at = self._paths(name)
        counts: collections.Counter[str] = collections.Counter()
        row, batches = 0, read(path, [self.column])
        first = next(batches, None)
        try:
            kind = pa.binary() if first is None else telemetry._payload_type(first.schema[0].type)
        except TypeError as error:
            raise InputError(str(error)) from error
        good = pa.schema([("device", pa.uint32()), ("epoch", pa.uint32()), ("number", pa.uint32())])
        bad = good.append(pa.field("row", pa.int64())).append(pa.field("status", pa.int8()))
        bad = bad.append(pa.field("reason", pa.string())).append(pa.field("frame", kind))
        good = good.append(pa.field("payload", kind)).append(pa.field("row", pa.int64()))
        with (
            published(opened_at, good, self.compression, run.pending) as writer,
            published(rejected_at, bad, self.compression, run.pending) as refused,
        ):
            while first is not None:
                table = self._opener(pa.Table.from_batches([first]))
                status = table["status"].to_numpy()
                rows = pa.array(np.arange(row, row + len(status)))
                table = table.append_column("row", rows)
                mask = pa.array(status == 0)
                writer.write_table(table.filter(mask).select(good.names))
                if (status != 0).any():
                    names = np.array([telemetry.STATUSES[code] for code in np.unique(status)])
                    reason = names[np.searchsorted(np.unique(status), status)]
                    table = table.append_column("reason", pa.array(reason.tolist(), pa.string()))
                    frames = pa.chunked_array([first.column(0)]).cast(kind)
                    table = table.append_column("frame", frames)
                    refused.write_table(table.filter(pa.array(status != 0)).select(bad.names))
                for code, count in zip(*np.unique(status, return_counts=True), strict=True):
                    counts[telemetry.STATUSES[int(code)]] += int(count)
                row += len(status)
                self.progress(len(status))
                first = next(batches, None)
        if identity(path) != before:
            raise InputError("was written while it was read; run again when it is whole")
        line = {"file": name, "state": "opened", "input": before, "rows": dict(counts)}
        run.add(line)

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
                    " key and nonce nothing is sealed twice. Number each frame anew; nothing was done"
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
