# SPDX-License-Identifier: Apache-2.0
"""Bad input of ``hanji telemetry``: a clear message with file and row, and the rest goes on."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hanji import HanjiError, telemetry
from hanji import _telemetry_files as job

ROWS = 600
ENGINES = ("", "polars")


def make(folder: Path, files: int = 2) -> list[bytes]:
    """Files of frames that open, and the master keys; the frames of the first file."""
    masters = pa.table({"device": range(9), "master": [bytes([i] * 16) for i in range(9)]})
    pq.write_table(masters, folder / "masters.parquet")
    (folder / "masters.parquet").chmod(0o600)  # or the command warns
    (folder / "in").mkdir()
    sealer = telemetry.Sealer(masters, direction="from-device")
    first: list[bytes] = []
    for place in range(files):
        numbers = range(place * ROWS, (place + 1) * ROWS)
        table = pa.table(
            {
                "device": [number % 9 for number in numbers],
                "epoch": [1] * ROWS,
                "number": numbers,
                "payload": [b"x" * (number % 40) for number in numbers],
            }
        )
        frames = sealer(table).select(["frame"])
        pq.write_table(frames, folder / f"in/{place}.parquet", row_group_size=200)
        first = first or frames["frame"].to_pylist()
    return first


def opening(folder: Path, engine: str = "", masters: str = "masters.parquet") -> job.Summary:
    inputs = sorted((folder / "in").glob("*"))
    run = job.Opening(str(folder / masters), folder / "out", folder / "bad", engine=engine)
    return run.run(inputs)


def command(folder: Path, *words: str) -> list[str]:
    line = [sys.executable, "-m", "hanji.cli", "telemetry", "open", "in/*", "-o", "out", "--json"]
    return [*line, "--masters", "masters.parquet", "--rejected", "bad", *words]


def all_rows(folder: Path) -> int:
    """Rows of all outputs."""
    paths = [*(folder / "out").glob("*.parquet"), *(folder / "bad").glob("*.parquet")]
    return sum(job.rows_of(path) for path in paths)


def with_rows(data: bytes, rows: int) -> bytes:
    """A Parquet file whose footer says another number of rows than its row groups."""
    size = struct.unpack("<I", data[-8:-4])[0]
    footer = data[-8 - size : -8]

    def varint(number: int) -> bytes:
        return bytes([0x16, 2 * number & 0x7F | 0x80, 2 * number >> 7])  # field 3, a number

    assert varint(ROWS) in footer
    return data[: -8 - size] + footer.replace(varint(ROWS), varint(rows), 1) + data[-8:]


@pytest.mark.parametrize(
    "engine",
    [
        *ENGINES,
        pytest.param("spark", marks=pytest.mark.slow),
        pytest.param("ray", marks=pytest.mark.slow),
    ],
)
def test_what_is_no_file_of_frames_is_named(tmp_path: Path, engine: str) -> None:
    """A link to nothing ended the whole run, a pipe held it for ever, and so on; and through every
    engine the same files are named, for the same reasons.
    """
    for module in {"spark": ("pyspark.sql", "pysail.spark"), "ray": ("ray.data",)}.get(engine, ()):
        pytest.importorskip(module)
    make(tmp_path)
    folder = tmp_path / "in"
    whole = (folder / "0.parquet").read_bytes()
    (folder / "link.parquet").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.parquet")
    (folder / "zeros.parquet").symlink_to("/dev/zero")
    (folder / ("n" * 240)).write_bytes(whole)
    (folder / "more.parquet").write_bytes(with_rows(whole, ROWS + 1))
    (folder / "less.parquet").write_bytes(with_rows(whole, ROWS - 1))
    (folder / os.fsdecode(b"bytes\xff.parquet")).write_bytes(b"PAR1")
    several = pa.table([pa.array([b"a"])] * 2, names=["frame", "frame"])
    pq.write_table(several, folder / "several.parquet")
    summary = opening(tmp_path, engine)
    said = {Path(path).name: reason for path, reason in summary.failed.items()}
    assert said.pop("link.parquet") == "no such file or directory"
    assert said.pop("pipe.parquet") == said.pop("zeros.parquet") == "is no regular file"
    for name, rows in (("more.parquet", ROWS + 1), ("less.parquet", ROWS - 1)):
        reason = said.pop(name)
        assert f"says that it has {rows} rows" in reason or "row" in reason, reason
    assert "(or several)" in said.pop("several.parquet")
    assert "its name is not UTF-8" in said.pop(os.fsdecode(b"bytes\xff.parquet")) and not said
    # a long name is a name as others; its frames come once more
    assert dict(summary.rows) == {"opened": 2 * ROWS, "replayed": ROWS}
    assert job.rows_of(tmp_path / "bad" / ("n" * 240)) == ROWS


def test_what_polars_does_not_read_is_read(tmp_path: Path) -> None:
    """Two columns of one name beside the frames ended the whole run."""
    frames = make(tmp_path, files=1)
    odd = {
        "names": pa.table([pa.array(frames[:9]), *[pa.array(range(9))] * 2], ["frame", "a", "a"]),
        "wide": pa.table({"frame": frames[9:18], "n": pa.array([1] * 9, pa.decimal256(60))}),
    }  # fmt: skip
    (tmp_path / "in/0.parquet").unlink()
    for name, table in odd.items():
        pq.write_table(table, tmp_path / f"in/{name}.parquet")
    summary = opening(tmp_path, "polars")
    assert not summary.failed and dict(summary.rows) == {"opened": 18}
    assert all_rows(tmp_path) == 18


@pytest.mark.parametrize("full", [False, True])
def test_files_that_shrink_while_polars_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    """Its error is an OSError as that of a full disk, and ended the run for all other files."""
    make(tmp_path)
    sink = polars.LazyFrame.sink_parquet

    def fails(frames: polars.LazyFrame, part: Path, **options: Any) -> None:
        if full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if part.name.startswith("0."):
            os.truncate(tmp_path / "in/0.parquet", 100)
            raise OSError("failed to fill whole buffer")
        sink(frames, part, **options)

    monkeypatch.setattr(polars.LazyFrame, "sink_parquet", fails)
    if full:
        with pytest.raises(OSError, match="No space left"):
            opening(tmp_path, "polars")
        return
    summary = opening(tmp_path, "polars")
    assert [*summary.failed] == [str(tmp_path / "in/0.parquet")] and summary.rows["opened"] == ROWS


GOOD = {"device": [1, 2], "master": [b"k" * 16, b"l" * 16]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"device": [1, 1]}, "device 1 comes twice .* row 1"),
        ({"device": [1, None]}, "null in row 1"),
        ({"device": ["1", "2"]}, "has the type string; it takes integers"),
        ({"master": ["00" * 16, "11" * 16]}, "column 'master' .* has the Arrow type string"),
        ({"master": [5, 6]}, "column 'master' .* has the Arrow type int64"),
        ({"master": [b"k" * 16, b"l"]}, "row 1 of .* has 1 bytes"),
        ({"device": None}, "has no column 'device'; a table of master keys has the columns device"),
    ],
)
def test_master_keys_that_are_wrong_end_the_run_at_once(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """Keys in hexadecimal digits were taken for keys; columns of other types showed a traceback."""
    make(tmp_path, files=1)
    columns = {name: values for name, values in (GOOD | change).items() if values is not None}
    pq.write_table(pa.table(columns), tmp_path / "masters.parquet")
    with pytest.raises(HanjiError, match=rf"^no master keys: .*{message}") as caught:
        opening(tmp_path)
    assert str(caught.value).count("masters.parquet") == 1
    assert not (tmp_path / "out").exists() and not (tmp_path / "bad").exists()


def test_master_keys_that_are_no_file(tmp_path: Path) -> None:
    make(tmp_path, files=1)
    (tmp_path / "other").write_bytes(b"PAR1")
    with pytest.raises(HanjiError, match=r"^no master keys: .*other: "):
        opening(tmp_path, masters="other")
    with pytest.raises(OSError, match=r"is no regular file, so there are no master keys: '.*in'"):
        opening(tmp_path, masters="in")
    os.mkfifo(tmp_path / "pipe")  # to open it waited for ever, and no signal ended that
    with pytest.raises(OSError, match=r"is no regular file, so there are no master keys: '.*pipe'"):
        opening(tmp_path, masters="pipe")
    with pytest.raises(FileNotFoundError):
        opening(tmp_path, masters="nowhere")
    assert not (tmp_path / "out").exists() and not (tmp_path / "bad").exists()


def test_functions_for_master_keys(tmp_path: Path) -> None:
    """Devices that nobody knows said that keys have 16 bytes, and later keys had others."""
    make(tmp_path)
    frames = pq.read_table(tmp_path / "in/0.parquet")
    opener = telemetry.Opener(lambda devices: None)
    with pytest.raises(TypeError, match="gave a NoneType for 9 devices; give a list"):
        opener(frames)
    opener = telemetry.Opener(lambda devices: (b"k" * 16 for _ in devices))
    with pytest.raises(TypeError, match="gave a generator for 9 devices"):
        opener(frames)
    opener = telemetry.Opener(lambda devices: [b""] * len(devices))
    with pytest.raises(ValueError, match="0 bytes; they have 16 to 64"):
        opener(frames)
    masters = pa.table({"device": range(9), "master": [bytes([i] * 32) for i in range(9)]})
    columns = {"device": range(9), "epoch": [1] * 9, "number": range(9), "payload": [b"a"] * 9}
    sealed = telemetry.Sealer(masters, direction="from-device")(pa.table(columns))
    known = dict(zip(range(1, 9), masters["master"].to_pylist()[1:], strict=True))
    opener = telemetry.Opener(lambda devices: [known.get(device) for device in devices.tolist()])
    assert opener(sealed.slice(0, 1))["status"].to_pylist() == [-20]
    assert opener(sealed)["status"].to_pylist() == [-20] + [0] * 8

    calls = []

    def fails_once(devices: Any) -> list[bytes]:
        calls.append(devices)
        if len(calls) == 1:
            raise TimeoutError("the service is away")
        return [bytes([device] * 16) for device in devices.tolist()]

    opener = telemetry.Opener(fails_once, threads=1)
    with pytest.raises(TimeoutError, match="away"):
        opener(frames)
    assert set(opener(frames)["status"].to_pylist()) == {0}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (b"garbage\n", "line 4 is not JSON"),
        (b"\xff\xfe\n", "line 4 is not JSON"),
        (b"[]\n", "line 4 has no file"),
        (b'{"file": "a", "state": "done"}\n', "line 4 has no input"),
        (b'{"file": "../a", "state": "opened", "input": [1, 1], "rows": {}}\n', "line 4 names no"),
        (b'{"file": "", "state": "done", "input": [1, 1], "rows": {}}\n', "line 4 names no"),
        (b'{"file": "..", "state": "done", "input": [1, 1], "rows": {}}\n', "line 4 names no"),
        (b'{"file": "\\u0000", "state": "done", "input": [], "rows": {}}\n', "line 4 names no"),
        (b"[" * 100_000 + b"\n", "line 4 is not JSON"),
        (b'{"file": "a", "state": "?", "input": [], "rows": {}}\n', "line 4 has the state"),
        (
            b'{"file": "a", "state": "done", "input": [], "rows": {"opened": "1"}}\n',
            "line 4 has rows that are no counts",
        ),
        (
            b'{"file": "a", "state": "done", "input": [], "rows": {"opened": -1}}\n',
            "line 4 has rows that are no counts",
        ),
        (
            b'{"file": "a", "state": "done", "input": [], "rows": {"mine": 1}}\n',
            "line 4 has rows that are no counts",
        ),
    ],
)
def test_manifests_that_are_damaged(tmp_path: Path, damage: bytes, message: str) -> None:
    make(tmp_path)
    opening(tmp_path)
    manifest = tmp_path / "out" / job.MANIFEST
    lines = manifest.read_bytes().splitlines(keepends=True)
    manifest.write_bytes(b"".join(lines[:3]) + damage)
    with pytest.raises(ValueError, match=rf"manifest.jsonl is damaged \({message}"):
        opening(tmp_path)
    manifest.write_bytes(damage)
    with pytest.raises(ValueError, match=r"manifest.jsonl is damaged"):
        opening(tmp_path)


def test_manifests_that_are_cut(tmp_path: Path) -> None:
    """Nothing of a manifest: outputs that might be of others were written over. Without its last
    lines the files of these are opened anew, and nothing is lost or doubled.
    """
    make(tmp_path)
    opening(tmp_path)
    manifest = tmp_path / "out" / job.MANIFEST
    lines = manifest.read_bytes().splitlines(keepends=True)
    for kept in (b"", lines[0][:-5]):
        manifest.write_bytes(kept)
        with pytest.raises(ValueError, match=r"manifest.jsonl is empty, and other files are"):
            opening(tmp_path)
    for path in (tmp_path / "out").glob("*.parquet"):
        path.unlink()
    manifest.write_bytes(lines[0])
    assert opening(tmp_path).rows == {"opened": 2 * ROWS} and all_rows(tmp_path) == 2 * ROWS


def test_manifests_of_others_are_left_as_they_are(tmp_path: Path) -> None:
    """What stood behind the last line of a file of this name was cut off, and links were followed,
    before anything said that the file is of somebody else.
    """
    make(tmp_path)
    (tmp_path / "out").mkdir()
    manifest = tmp_path / "out" / job.MANIFEST
    for theirs in (b"all they have", b'{"mine": 1}\n{"mine": 2}', b'{"hanji": "other"}\nmore'):
        manifest.write_bytes(theirs)
        with pytest.raises(ValueError, match=r"is damaged|was begun with"):
            opening(tmp_path)
        assert manifest.read_bytes() == theirs
    manifest.unlink()
    (tmp_path / "other").write_bytes(b"")
    manifest.symlink_to(tmp_path / "other")
    with pytest.raises(FileExistsError, match="is a link or no file"):
        opening(tmp_path)
    manifest.unlink()
    os.mkfifo(manifest)
    with pytest.raises(FileExistsError, match="is a link or no file"):
        opening(tmp_path)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [job.MANIFEST]
    assert (tmp_path / "other").read_bytes() == b""
    manifest.unlink()
    manifest.write_bytes(b'{"hanji": "teleme')  # of a run that was killed at once
    assert opening(tmp_path).rows == {"opened": 2 * ROWS}


def test_links_where_outputs_go(tmp_path: Path) -> None:
    """A link in the place of an output is replaced, its end stays; what waits follows no link."""
    frames = make(tmp_path)
    pq.write_table(pa.table({"frame": [*frames, b"bad"]}), tmp_path / "in/0.parquet")
    (tmp_path / "private").mkdir()
    (tmp_path / "private/keep.part").write_bytes(b"theirs")
    (tmp_path / "private/0").write_bytes(b"theirs")
    for folder in ("out", "bad"):
        opening(tmp_path)
        (tmp_path / folder / job.PENDING).symlink_to(tmp_path / "private")
        with pytest.raises(NotADirectoryError, match="is a link; remove it"):
            opening(tmp_path)
        (tmp_path / folder / job.PENDING).unlink()
        shutil.rmtree(tmp_path / "out")
        shutil.rmtree(tmp_path / "bad")
    first = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "bad")
    first.run([tmp_path / "in/1.parquet"])
    (tmp_path / "out/0.parquet").symlink_to(tmp_path / "private/0")
    assert opening(tmp_path).rows == {"opened": 2 * ROWS, "truncated": 1}
    assert not (tmp_path / "out/0.parquet").is_symlink() and all_rows(tmp_path) == 2 * ROWS + 1
    assert {path.read_bytes() for path in (tmp_path / "private").iterdir()} == {b"theirs"}


def test_a_folder_where_an_output_goes_is_told_at_once(tmp_path: Path) -> None:
    """It ended the run when all was opened and only the name was missing."""
    make(tmp_path)
    (tmp_path / "in/0.parquet").rename(tmp_path / "in/bad")
    run = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "out/bad")
    with pytest.raises(ValueError, match=r"the output of .*/in/bad would be .*is for other files"):
        run.run(sorted((tmp_path / "in").glob("*")))
    assert not [*(tmp_path / "out").glob("*.parquet")]
    run.run([tmp_path / "in/1.parquet"])
    (tmp_path / "out/new").mkdir()
    (tmp_path / "in/bad").rename(tmp_path / "in/new")
    with pytest.raises(IsADirectoryError, match=r"is a folder, and the output of .*/in/new"):
        run.run([tmp_path / "in/1.parquet", tmp_path / "in/new"])
    below = job.Input(tmp_path / "in/new", "1.parquet/new")
    with pytest.raises(NotADirectoryError, match=r"lies below a file, and the output of .*/in/new"):
        run.run([below])
    with pytest.raises(ValueError, match=r"would lie in a folder 1.parquet, and the output of"):
        run.run([tmp_path / "in/1.parquet", below])


def test_one_file_under_several_names(tmp_path: Path) -> None:
    """Links, copies, a new name between two runs: each frame opens once, and is a replay then."""
    frames = make(tmp_path)
    (tmp_path / "in/link.parquet").symlink_to("0.parquet")
    (tmp_path / "in/loop.parquet").symlink_to("loop.parquet")
    (tmp_path / "in/hard.parquet").hardlink_to(tmp_path / "in/1.parquet")
    summary = opening(tmp_path)
    assert summary.rows == {"opened": 2 * ROWS, "replayed": 2 * ROWS}
    assert [*summary.failed.values()] == ["too many levels of symbolic links"]
    (tmp_path / "in/0.parquet").rename(tmp_path / "in/new.parquet")
    (tmp_path / "in/link.parquet").unlink()
    assert opening(tmp_path).rows == {"opened": 2 * ROWS, "replayed": 3 * ROWS}
    assert all_rows(tmp_path) == 5 * ROWS
    again = pq.read_table(tmp_path / "bad/new.parquet")
    assert again["frame"].to_pylist() == frames


def test_numbers_and_times_at_their_ends(tmp_path: Path) -> None:
    """Devices, epochs and numbers of 0 and 2**32 - 1, each twice; files from before 1970."""
    ends = (0, 2**32 - 1)
    masters = pa.table({"device": pa.array(ends, pa.uint32()), "master": [b"a" * 16, b"b" * 16]})
    pq.write_table(masters, tmp_path / "masters.parquet")
    places = [(device, epoch, number) for device in ends for epoch in ends for number in ends]
    columns = dict(zip(telemetry.COLUMNS, map(list, zip(*places, strict=True)), strict=False))
    table = pa.table(columns | {"payload": [str(place).encode() for place in places]})
    frames = telemetry.Sealer(masters, direction="from-device")(table)["frame"].to_pylist()
    (tmp_path / "in").mkdir()
    for place, some in enumerate((frames, frames[::-1])):
        pq.write_table(pa.table({"frame": some}), tmp_path / f"in/{place}.parquet")
        os.utime(tmp_path / f"in/{place}.parquet", ns=(0, -(10**18) if place else 4 * 10**18))
    assert opening(tmp_path).rows == {"opened": 8, "replayed": 8}
    made = pq.read_table(tmp_path / "out/0.parquet")
    assert [*zip(*(made[name].to_pylist() for name in columns), strict=True)] == places
    assert made["payload"].to_pylist() == table["payload"].to_pylist()
    assert pq.read_table(tmp_path / "bad/1.parquet")["frame"].to_pylist() == frames[::-1]
    assert opening(tmp_path).rows == {"opened": 8, "replayed": 8}


def test_a_disk_that_is_full_within_the_search_for_replays(tmp_path: Path) -> None:
    """The file of the search is named, goes away, and the next run goes on."""
    make(tmp_path, files=9)
    most = 20 * 9 * ROWS  # bytes; the search takes 24 a frame, and a file of one input less

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    options: dict[str, Any] = {"cwd": tmp_path, "capture_output": True, "text": True}
    line = command(tmp_path)
    done = subprocess.run(line, preexec_fn=limit, **options)
    assert done.returncode == 3 and "Traceback" not in done.stderr
    assert ".pending/hanji-replays-" in done.stderr, done.stderr
    assert "file too large" in done.stderr.lower(), done.stderr
    assert not [*(tmp_path / "out/.pending").glob("hanji-*")] and all_rows(tmp_path) == 0
    done = subprocess.run(line, **options)
    assert json.loads(done.stdout)["opened"] == 9 * ROWS == all_rows(tmp_path), done.stderr


@pytest.mark.parametrize("damage", ["cut", "offsets", "parquet"])
def test_readings_that_wait_and_are_damaged(tmp_path: Path, damage: str) -> None:
    """They lie in an Arrow file: what is wrong in it is told, and does not end the process. One in
    Parquet, as Polars leaves it, is as good.
    """
    make(tmp_path)
    task = job.Opening(str(tmp_path / "masters.parquet"), tmp_path / "out", tmp_path / "bad")
    stopped = RuntimeError("before the search for replays")

    def stop(*_: Any) -> Any:
        raise stopped

    task._replays = stop  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match=str(stopped)):
        task.run(sorted((tmp_path / "in").glob("*")))
    waiting = tmp_path / "out/.pending" / job.waiting_name("0.parquet")
    with pa.OSFile(str(waiting)) as file:
        table = pa.ipc.open_file(file).read_all()
    if damage == "parquet":
        pq.write_table(table, waiting)
        assert opening(tmp_path).rows == {"opened": 2 * ROWS}
        return
    if damage == "cut":
        waiting.write_bytes(waiting.read_bytes()[:-40])
    else:
        column = table["payload"].chunk(0)
        kind = np.int32 if pa.types.is_binary(column.type) else np.int64
        starts = np.frombuffer(column.buffers()[1], kind, len(column) + 1).copy()
        old = starts.tobytes()
        starts[5] = 1 << 30
        whole = waiting.read_bytes()
        assert whole.count(old) == 1
        waiting.write_bytes(whole.replace(old, starts.tobytes()))
    summary = opening(tmp_path)
    assert [*summary.failed] == [str(tmp_path / "in/0.parquet")], summary
    assert summary.rows == {"opened": ROWS}
    assert opening(tmp_path).rows == {"opened": 2 * ROWS}


def test_outputs_of_an_earlier_run_that_were_changed(tmp_path: Path) -> None:
    """Rows that no input has are told, and are no traceback."""
    make(tmp_path)
    opening(tmp_path)
    for row in (-1, ROWS):
        table = pq.read_table(tmp_path / "out/0.parquet")
        table = table.set_column(4, "row", pa.array([row] * table.num_rows))
        pq.write_table(table, tmp_path / "out/0.parquet")
        pq.write_table(pa.table({"frame": [b"new"]}), tmp_path / "in/new.parquet")
        with pytest.raises(HanjiError, match=r"0.parquet, which an earlier run made, .*rows that"):
            opening(tmp_path)


def test_rejected_frames_may_lie_within_the_output(tmp_path: Path) -> None:
    """The folder was made first, and the output folder was then not empty."""
    make(tmp_path)
    inputs = sorted((tmp_path / "in").glob("*"))
    run = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "out/bad")
    for _ in range(2):
        assert dict(run.run(inputs).rows) == {"opened": 2 * ROWS}


def test_records_that_are_damaged(tmp_path: Path) -> None:
    """They say what a killed run has opened already: without them it is opened again."""
    make(tmp_path)
    stopped = job.Opening(str(tmp_path / "masters.parquet"), tmp_path / "out", tmp_path / "bad")
    stopped._publish_all = lambda *_: None  # type: ignore[method-assign]
    stopped.run(sorted((tmp_path / "in").glob("*")))
    records = sorted((tmp_path / "out" / job.PENDING).glob(f"*{job._RECORD}"))
    assert len(records) == 2
    about = json.loads(records[1].read_text())
    for text in ("{", "[]", json.dumps(about | {"rows": {"opened": ROWS - 1}})):
        records[0].write_text(text)
        if text == "{":
            (tmp_path / "out" / job.PENDING / "stray").write_bytes(b"")
    assert opening(tmp_path).rows == {"opened": 2 * ROWS} and all_rows(tmp_path) == 2 * ROWS
    assert not (tmp_path / "out" / job.PENDING).exists()


def test_reasons_travel_as_text(tmp_path: Path) -> None:
    """Engines carry the reason of a worker as UTF-8, which a name may not be."""
    make(tmp_path, files=1)
    path = tmp_path / "in" / os.fsdecode(b"bytes\xff.parquet")
    path.write_bytes(b"PAR1")
    (tmp_path / "pending").mkdir()
    opener = telemetry.Opener(tmp_path / "masters.parquet")
    task = job.Task(opener, tmp_path / "pending", "frame", "zstd")
    assert task.leave(job.Input(path, path.name)).encode()
    nowhere = job.Input(path.with_name("nowhere"), "nowhere")
    assert task.leave(nowhere) == "no such file or directory"


@pytest.mark.parametrize("engine", ["", pytest.param("polars", marks=pytest.mark.slow)])
def test_a_full_disk_is_told_and_the_run_goes_on_later(tmp_path: Path, engine: str) -> None:
    """No file may be larger than some bytes: it is as if the disk were full."""
    make(tmp_path)
    random = np.random.default_rng(1).integers(0, 256, (20000, 96), np.uint8)
    for place in (2, 3):
        frames = pa.table({"frame": [row.tobytes() for row in random]})
        pq.write_table(frames, tmp_path / f"in/{place}.parquet")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))

    line = command(tmp_path, "--engine", engine)
    options: dict[str, Any] = {"cwd": tmp_path, "capture_output": True, "text": True}
    done = subprocess.run(line, preexec_fn=limit, **options)
    assert done.returncode == 3 and "Traceback" not in done.stderr
    assert "file too large" in done.stderr.lower() and ".pending/2" in done.stderr, done.stderr
    assert not [*(tmp_path / "out").glob("[23].parquet")]
    done = subprocess.run(line, **options)
    about = json.loads(done.stdout)
    assert about["read"] == 2 * ROWS + 40000 == all_rows(tmp_path), done.stderr


def test_sealing_names_file_and_row(tmp_path: Path) -> None:
    """What cannot be sealed was named without its file, and nothing else was sealed."""
    make(tmp_path, files=1)
    good = {"device": [1, 2], "epoch": [1, 1], "number": [0, 0], "payload": [b"a", b"b"]}
    bad = {
        "null": ({"number": pa.array([0, None])}, "column 'number' is null in row 1"),
        "nothing": ({"payload": pa.array([b"a", None])}, "column 'payload' is null in row 1"),
        "text": ({"payload": pa.array(["a", "b"])}, "column 'payload' has the Arrow type string"),
        "float": ({"epoch": pa.array([1.0, 1.0])}, "column 'epoch' has the type double"),
        "below": ({"epoch": pa.array([1, -1])}, "column 'epoch' is -1 in row 1"),
    }
    (tmp_path / "commands").mkdir()
    pq.write_table(pa.table(good), tmp_path / "commands/good.parquet")
    (tmp_path / "commands/cut.parquet").write_bytes(b"PAR1")
    (tmp_path / "commands/link.parquet").symlink_to("nowhere")
    for name, (change, _) in bad.items():
        pq.write_table(pa.table(good | change), tmp_path / f"commands/{name}.parquet")
    many = pa.table({name: values * 3000 for name, values in good.items()})
    many = many.set_column(2, "number", pa.array([*range(5999), None]))
    pq.write_table(many, tmp_path / "commands/many.parquet")
    sealing = job.Sealing(str(tmp_path / "masters.parquet"), tmp_path / "sealed")
    summary = sealing.run(sorted((tmp_path / "commands").iterdir()))
    assert dict(summary.rows) == {"sealed": 2} and summary.files == 1
    said = {Path(path).stem: reason for path, reason in summary.failed.items()}
    assert {*said} == {*bad, "cut", "link", "many"}
    for name, (_, reason) in bad.items():
        assert said[name].startswith(reason), said[name]
    assert said["many"] == "column 'number' is null in row 5999"
    assert [path.name for path in (tmp_path / "sealed").glob("*.parquet")] == ["good.parquet"]
    (tmp_path / "commands/good.parquet").write_bytes(b"PAR1")
    with pytest.raises(job.InputError, match=r"good.parquet: has changed since"):
        sealing.run(sorted((tmp_path / "commands").iterdir()))


def test_inspect_names_what_it_cannot_read(tmp_path: Path) -> None:
    make(tmp_path)
    pq.write_table(pa.table({"frame": ["text"]}), tmp_path / "in/text.parquet")
    os.mkfifo(tmp_path / "in/pipe.parquet")
    pq.write_table(pa.table({"frame": [None, b"", b"x" * 20]}), tmp_path / "in/null.parquet")
    reasons = {"text": "the column of bytes has the Arrow type string", "pipe": "is no regular"}
    for name, reason in reasons.items():
        with pytest.raises(job.InputError, match=reason):
            job.inspect(tmp_path / f"in/{name}.parquet", "frame")
    kinds = job.inspect(tmp_path / "in/null.parquet", "frame")["kinds"]
    assert kinds.pop("null") == kinds.pop("truncated") == 1 and sum(kinds.values()) == 1


def test_devices_are_counted_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forged frames may have any of 2**32 numbers: from a million on each takes a bit."""
    headers = [bytes([2, 1]) + (row * 2654435761 % 2**32).to_bytes(4, "little") for row in range(9)]
    frames = [header + bytes(10) for header in headers for _ in range(2)]
    pq.write_table(pa.table({"frame": frames}), tmp_path / "a.parquet")
    for listed in (1 << 20, 4, 0):
        monkeypatch.setattr(job._Devices, "_LISTED", listed)
        monkeypatch.setattr(job, "_ROWS", 5)
        monkeypatch.setattr(job, "_ROWS_READ", 3)
        assert job.inspect(tmp_path / "a.parquet", "frame")["devices"] == 9


def test_options_that_are_wrong_leave_nothing(tmp_path: Path) -> None:
    make(tmp_path, files=1)
    wrong = {"compression": ("lzma", "lzma"), "direction": ("up", "it takes 'from-device'")}
    for name, (value, message) in (wrong | {"engine": ("dask", "dask")}).items():
        given: dict[str, Any] = {name: value}
        run = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "bad", **given)
        with pytest.raises(ValueError, match=message):
            run.run([tmp_path / "in/0.parquet"])
        assert not (tmp_path / "out").exists() and not (tmp_path / "bad").exists(), given
    sealing = job.Sealing(tmp_path / "masters.parquet", tmp_path / "out", compression="lzma")
    with pytest.raises(ValueError, match="the compression is 'lzma'"):
        sealing.run([])


@pytest.mark.parametrize(
    ("engine", "number"),
    [
        ("", signal.SIGTERM),
        pytest.param("", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("polars", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("polars", signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_runs_that_are_told_to_end_do(tmp_path: Path, engine: str, number: int) -> None:
    """Within the file that is being opened, with no part of a file left; the next run goes on."""
    make(tmp_path)
    large = pa.concat_tables([pq.read_table(tmp_path / "in/0.parquet")] * 2000)
    pq.write_table(large, tmp_path / "in/large.parquet")
    line = command(tmp_path, "--engine", engine)
    process = subprocess.Popen(line, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    parts = tmp_path / "out" / job.PENDING
    until = time.monotonic() + 600
    while not [*parts.glob("large.parquet*.part")] and time.monotonic() < until:
        if process.poll() is not None:
            break
        time.sleep(0.01)
    process.send_signal(number)
    _, said = process.communicate()
    assert process.returncode == 128 + number and b"Traceback" not in said, said
    assert not [*parts.glob("*.part")]
    (tmp_path / "in/large.parquet").unlink()
    done = subprocess.run(line, cwd=tmp_path, capture_output=True)
    assert json.loads(done.stdout)["read"] == 2 * ROWS == all_rows(tmp_path)
