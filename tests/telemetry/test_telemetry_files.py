# SPDX-License-Identifier: Apache-2.0
"""``hanji telemetry``: files in, files out; bad files, replays, runs that are killed."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from debian import need_terminals

from hanji import HanjiError, keys, telemetry
from hanji import _telemetry_engines as engines
from hanji import _telemetry_files as job
from hanji import files as sealed_files
from hanji.cli import telemetry as cli

DEVICES = 50
TERMINAL = {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
ENGINES = ("", "polars")


def hanji(folder: Path, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "hanji.cli", "telemetry", *words],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def open_all(folder: Path, *more: str, status: int = 0) -> dict[str, Any]:
    words = ("in/*.parquet", "-o", "out", "--masters", "masters.parquet", "--rejected", "bad")
    limit = ("--max-rejected", "100%")
    done = hanji(folder, "open", *words, "--json", *limit, *more, status=status)
    assert "Traceback" not in done.stderr
    return dict(json.loads(done.stdout), stderr=done.stderr)


def make(folder: Path, files: int = 3, rows: int = 2000) -> dict[str, int]:
    """Files of frames, some forged, replayed, of nobody, cut or null; the counts of all."""
    random = np.random.default_rng(3)
    keys = [bytes(random.integers(0, 256, 16, np.uint8)) for _ in range(DEVICES)]
    masters = pa.table({"device": pa.array(range(DEVICES), pa.uint32()), "master": keys})
    pq.write_table(masters, folder / "masters.parquet")
    (folder / "masters.parquet").chmod(0o600)  # or the command warns
    (folder / "in").mkdir()
    sealer = telemetry.Sealer(masters, direction="from-device", algorithm="ascon-aead128")
    table = pa.table(
        {
            "device": pa.array(random.integers(0, DEVICES, files * rows), pa.uint32()),
            "epoch": pa.array(random.integers(1, 9, files * rows), pa.uint32()),
            "number": pa.array(range(files * rows), pa.uint32()),
            "payload": [bytes([row % 256]) * (row % 60) for row in range(files * rows)],
        }
    )
    frames: list[bytes | None] = sealer(table)["frame"].to_pylist()
    bad = random.permutation(np.arange(files * rows // 2, files * rows))[:200].tolist()
    for kind, row in enumerate(bad):
        whole = frames[row]
        assert whole is not None
        if kind % 5 == 0:
            frames[row] = whole[:-1] + bytes([whole[-1] ^ 1])
        elif kind % 5 == 1:
            frames[row] = frames[kind]  # one of the first rows, sent again
        elif kind % 5 == 2:
            frames[row] = whole[:2] + (9999).to_bytes(4, "little") + whole[6:]
        elif kind % 5 == 3:
            frames[row] = whole[:-3]
        else:
            frames[row] = None
    for place in range(files):
        part = pa.table({"frame": frames[place * rows : (place + 1) * rows]})
        if place == 0:  # a column that is called as one of the output
            part = part.append_column("row", pa.array(range(7, 7 + rows)))
        pq.write_table(part, folder / f"in/{place}.parquet", row_group_size=700)
    counts = {"forged": 40, "replayed": 40, "unknown device": 40, "truncated": 40, "null": 40}
    return {"opened": files * rows - 200, **counts}


def given(path: Path) -> job.Input:
    return job.Input(path, path.name)


def everything(folder: Path) -> tuple[list[Any], list[Any]]:
    """What the outputs hold, in an order of their own, and the frames of the inputs."""
    found: list[Any] = []
    for path in sorted((folder / "out").glob("*.parquet")):
        for row in pq.read_table(path).to_pylist():
            found.append((path.name, row["row"], row["device"], row["number"], row["payload"]))
    for path in sorted((folder / "bad").glob("*.parquet")):
        for row in pq.read_table(path).to_pylist():
            found.append((path.name, row["row"], row["reason"], row["status"], row["frame"]))
    return sorted(found, key=lambda row: row[:2]), []


@pytest.mark.parametrize("engine", ENGINES)
def test_opens_folders(tmp_path: Path, engine: str) -> None:
    counts = make(tmp_path)
    about = open_all(tmp_path, "--threads", "2", "--engine", engine)
    assert about["reasons"] == counts and about["files"] == 3
    assert about["opened"] + about["rejected"] == about["read"] == 6000
    found, _ = everything(tmp_path)
    assert [row[:2] for row in found] == [
        (f"{place}.parquet", row) for place in range(3) for row in range(2000)
    ], "a row is lost, or is there twice"
    for name, row, *rest in found:
        whole = int(name[0]) * 2000 + row
        if len(rest) == 3 and isinstance(rest[2], bytes | None) and isinstance(rest[0], int):
            assert rest[1:] == [whole, bytes([whole % 256]) * (whole % 60)]
        else:
            source = pq.read_table(tmp_path / "in" / name)["frame"][row].as_py()
            assert rest[2] == source and telemetry.STATUSES[rest[1]] == rest[0]
    assert not [*(tmp_path / "out").glob(f"{job.PENDING}/*")]
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.parquet")}
    assert open_all(tmp_path)["reasons"] == counts
    assert before == {path: path.stat().st_mtime_ns for path in before}, "done twice"


@pytest.mark.parametrize("engine", ENGINES)
def test_files_are_what_tables_give(tmp_path: Path, engine: str, monkeypatch: Any) -> None:
    """Row by row as an opener opens whole tables, and with replays as a dictionary finds them; in
    small pieces, so that each file takes many."""
    make(tmp_path)
    monkeypatch.setattr(job, "_ROWS", 500)
    monkeypatch.setattr(job, "_ROWS_READ", 90)
    monkeypatch.setattr(job, "_ROWS_KEPT", 70)
    monkeypatch.setattr(telemetry, "_GROUP", 128)
    inputs = sorted((tmp_path / "in").glob("*"))
    masters = str(tmp_path / "masters.parquet")
    job.Opening(masters, tmp_path / "out", tmp_path / "bad", engine=engine, threads=2).run(inputs)
    seen, opener = set(), telemetry.Opener(masters)
    for path in inputs:
        frames = pq.read_table(path, columns=["frame"]).combine_chunks()
        good, bad = [], []
        for row, (one, frame) in enumerate(
            zip(opener(frames).to_pylist(), frames["frame"].to_pylist(), strict=True)
        ):
            place = tuple(one[name] for name in telemetry.COLUMNS[:3])
            status = one["status"] or (telemetry.REPLAYED if place in seen else 0)
            if status:
                bad.append((*place, row, status, telemetry.STATUSES[status], frame))
            else:
                seen.add(place)
                good.append((*place, one["payload"], row))
        names = [*telemetry.COLUMNS[:3], "row", "status", "reason", "frame"]
        for folder, rows, columns in (
            ("out", good, [*telemetry.COLUMNS[:4], "row"]),
            ("bad", bad, names),
        ):
            if not rows:
                continue
            made = pq.read_table(tmp_path / folder / path.name)
            assert made.column_names == columns
            found = [tuple(row.values()) for row in made.to_pylist()]
            order = (lambda row: row[3]) if folder == "bad" else (lambda row: row[4])
            assert sorted(found, key=order) == rows
            assert folder == "bad" or found == rows  # replays come after what did not open


def test_frames_of_unknown_devices_are_told_once(tmp_path: Path) -> None:
    make(tmp_path, files=1)
    others = pa.table({"device": pa.array([DEVICES + 7], pa.uint32()), "master": [bytes(16)]})
    pq.write_table(others, tmp_path / "masters.parquet")
    words = ("in/*.parquet", "-o", "out", "--masters", "masters.parquet", "--rejected", "bad")
    done = hanji(tmp_path, "open", *words, status=1)
    assert "have no key in masters.parquet: is it the right file?" in done.stderr
    assert "unknown device" in done.stdout and "have no master key" not in done.stdout


def test_table_and_limit(tmp_path: Path) -> None:
    make(tmp_path)
    words = ("in/*.parquet", "-o", "out", "--masters", "masters.parquet", "--rejected", "bad")
    done = hanji(tmp_path, "open", *words, "--max-rejected", "1%", status=1)
    assert "5,800 opened + 200 rejected = 6,000 read, 3 files" in done.stdout
    # 40 are forged and 40 cut; replays, nulls and frames of unknown devices do not count
    assert "80 of 5,880 frames in the files of this run are forged or mal" in done.stderr
    assert "\n40 frames are of devices that have no master key\n" in done.stdout
    hanji(tmp_path, "open", *words, "--max-rejected", "1.4%")
    hanji(tmp_path, "open", *words)
    done = hanji(tmp_path, "open", *words, "--max-rejected", "79", status=1)
    assert "80 of 5,880 frames in all files are forged or malformed; the limit is 79" in done.stderr
    hanji(tmp_path, "open", *words, "--max-rejected", "80")
    for wrong in ("x", "101%", "-1"):
        assert "no limit" in hanji(
            tmp_path, "open", *words, "--max-rejected", wrong, status=2
        ).stderr.replace("\n", " ")


def test_new_files_are_added(tmp_path: Path) -> None:
    """A second run opens what is new; frames of earlier files that come again are replays."""
    make(tmp_path, files=1)
    first = open_all(tmp_path)
    again = pq.read_table(tmp_path / "in/0.parquet").slice(5, 7)
    pq.write_table(again, tmp_path / "in/+new.parquet")  # sorts before the other
    second = open_all(tmp_path)
    assert second["reasons"]["opened"] == first["reasons"]["opened"]
    assert second["reasons"]["replayed"] == first["reasons"].get("replayed", 0) + 7
    assert second["files"] == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_bad_files_are_named_and_the_rest_goes_on(tmp_path: Path, engine: str) -> None:
    counts = make(tmp_path)
    data = (tmp_path / "in/0.parquet").read_bytes()
    (tmp_path / "in/corrupt.parquet").write_bytes(data[:400] + bytes(2000) + data[2400:])
    (tmp_path / "in/cut.parquet").write_bytes(data[:-9])
    (tmp_path / "in/empty.parquet").write_bytes(b"")
    pq.write_table(pa.table({"f": [b""]}), tmp_path / "in/lacks.parquet")
    pq.write_table(pa.table({"frame": ["text"]}), tmp_path / "in/text.parquet")
    pq.write_table(pa.table({"frame": pa.array([], pa.binary())}), tmp_path / "in/none.parquet")
    about = open_all(tmp_path, "--engine", engine, status=3)
    assert about["reasons"] == counts and about["files"] == 4 and about["inputs"] == 9
    assert {Path(path).stem for path in about["failed"]} == {
        "corrupt",
        "cut",
        "empty",
        "lacks",
        "text",
    }
    assert "no column 'frame'" in about["failed"]["in/lacks.parquet"]
    assert "Arrow type string" in about["failed"]["in/text.parquet"]
    assert "5 files were not read" in about["stderr"]
    assert not [*(tmp_path / "out").glob(f"{job.PENDING}/*")]


def test_refuses_what_would_mix_runs(tmp_path: Path) -> None:
    make(tmp_path, files=1, rows=500)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/something").write_text("")
    words = ("in/*.parquet", "-o", "out", "--masters", "masters.parquet", "--rejected", "bad")
    assert "give an empty folder" in hanji(tmp_path, "open", *words, status=3).stderr
    (tmp_path / "out/something").unlink()
    open_all(tmp_path)
    done = hanji(tmp_path, "open", *words, "--direction", "to-device", status=2)
    assert "this run has --direction to-device" in done.stderr
    (tmp_path / "other").mkdir()
    (tmp_path / "other/0.parquet").write_bytes((tmp_path / "in/0.parquet").read_bytes())
    done = hanji(tmp_path, "open", "other/0.parquet", *words, status=2)
    assert "several inputs are called 0.parquet" in done.stderr
    pq.write_table(pa.table({"frame": [b"other"]}), tmp_path / "in/0.parquet")
    assert "has changed since" in open_all(tmp_path, status=3)["stderr"]
    assert "no file has this name" in hanji(tmp_path, "inspect", "nothing*", status=3).stderr


def test_what_is_wrong_in_the_command_is_said_before_masters_are_unlocked(tmp_path: Path) -> None:
    make(tmp_path, files=1, rows=100)
    key = keys.Key("ascon-aead128", bytes(16))
    sealed_files.seal_file(tmp_path / "masters.parquet", tmp_path / "sealed", key=key)
    (tmp_path / "file").write_text("precious")
    opening = ["open", "in/*.parquet", "-o", "out", "--rejected", "bad"]
    sealing = ["seal", "in/*.parquet", "-o", "out"]
    masters = ["--masters", "sealed", "--masters-key", "gone.key"]
    for line, wrong, status, said in (
        (opening, [], 3, "gone.key: no such file"),  # the control: else it is the key
        (opening, ["-o", "file"], 3, "file: is not a folder; give the name of a folder to fill"),
        (opening, ["--rejected", "file"], 3, "file: is not a folder"),
        (sealing, ["-o", "file"], 3, "file: is not a folder"),
        (["open", "no*", *opening[2:]], [], 3, "no*: no file has this name or fits this pattern"),
        (opening, ["--compression", "lzma"], 2, "'lzma' is not one of 'zstd', 'snappy', 'none'"),
        (opening, ["--direction", "up"], 2, "'up' is not one of 'from-device', 'to-device'"),
    ):
        assert said in hanji(tmp_path, *line, *masters, *wrong, status=status).stderr
    assert (tmp_path / "file").read_text() == "precious"
    assert not (tmp_path / "out").exists()
    compression = next(one for one in cli.open_.params if one.name == "compression")
    assert tuple(compression.type.choices) == job.COMPRESSIONS


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def refuse(folder: Path, error: type[Exception], words: str, run: Any, inputs: Any) -> None:
    """A run ends with this error, and all files but its manifest are as they were."""
    before = contents(folder)
    with pytest.raises(error, match=words):
        run.run([folder / name for name in inputs])
    after = contents(folder)
    assert {name: after[name] for name in after if not name.endswith(job.MANIFEST)} == {
        name: before[name] for name in before if not name.endswith(job.MANIFEST)
    }


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Rejected frames took the place of the frames themselves, where both folders were one."""
    make(tmp_path, files=1, rows=500)
    masters = str(tmp_path / "masters.parquet")

    def opening(output: str, rejected: str, keys: str = masters) -> job.Opening:
        return job.Opening(keys, tmp_path / output, tmp_path / rejected)

    refuse(tmp_path, ValueError, "same file", opening("out", "in"), ["in/0.parquet"])
    (tmp_path / "soft").symlink_to("in")
    refuse(tmp_path, ValueError, "same file", opening("out2", "soft"), ["in/0.parquet"])
    for name in ("hard", "theirs", "keys"):
        (tmp_path / name).mkdir()
    (tmp_path / "hard/0.parquet").hardlink_to(tmp_path / "in/0.parquet")
    refuse(tmp_path, ValueError, "same file", opening("out3", "hard"), ["in/0.parquet"])
    (tmp_path / "theirs/0.parquet").write_bytes(b"of another run")
    refuse(tmp_path, FileExistsError, "already exists", opening("out4", "theirs"), ["in/0.parquet"])
    (tmp_path / "masters.parquet").rename(tmp_path / "keys/0.parquet")
    masters = str(tmp_path / "keys/0.parquet")
    refuse(tmp_path, ValueError, "same file", opening("out5", "keys", masters), ["in/0.parquet"])
    # In the folder of an earlier run: an input that lies there, or the keys.
    job.Opening(masters, tmp_path / "out6", tmp_path / "bad").run([tmp_path / "in/0.parquet"])
    (tmp_path / "in/0.parquet").rename(tmp_path / "out6/1.parquet")
    run = opening("out6", "bad", masters)
    refuse(tmp_path, ValueError, "same file", run, ["out6/1.parquet"])
    sealed = job.Sealing(masters, tmp_path / "sealed")
    table = pa.table({"device": [1], "epoch": [1], "number": [0], "payload": [b"a"]})
    pq.write_table(table, tmp_path / "in/2.parquet")
    sealed.run([tmp_path / "in/2.parquet"])
    pq.write_table(table.set_column(2, "number", [[1]]), tmp_path / "sealed/3.parquet")
    refuse(tmp_path, ValueError, "same file", sealed, ["in/2.parquet", "sealed/3.parquet"])


def test_rejected_frames_of_another_run_are_kept(tmp_path: Path) -> None:
    """A run that was taken up again wrote over what another one had put into the folder since."""
    make(tmp_path, files=2, rows=600)
    masters = str(tmp_path / "masters.parquet")
    inputs = sorted((tmp_path / "in").glob("*.parquet"))

    def opening(output: str) -> job.Opening:
        return job.Opening(masters, tmp_path / output, tmp_path / "bad")

    first = opening("first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first, "_publish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            first.run(inputs)
    opening("second").run(inputs)
    theirs = contents(tmp_path / "bad")
    assert "1.parquet" in theirs
    with pytest.raises(FileExistsError, match="already exists; give another folder"):
        first.run(inputs)
    assert contents(tmp_path / "bad") == theirs
    (tmp_path / "bad").rename(tmp_path / "theirs")
    summary = first.run(inputs)
    assert summary.read == 1200
    rows = [pq.read_table(tmp_path / name / "1.parquet") for name in ("bad", "theirs")]
    assert rows[0] == rows[1] and rows[0].num_rows > 0
    # What this run itself has put there before it was killed is its own.
    manifest = tmp_path / "first" / job.MANIFEST
    lines = manifest.read_bytes().splitlines(keepends=True)
    assert json.loads(lines[-1])["state"] == "done"


def test_rejected_frames_are_those_of_one_run_at_a_time(tmp_path: Path) -> None:
    make(tmp_path, files=1, rows=500)
    masters, inputs = tmp_path / "masters.parquet", [tmp_path / "in/0.parquet"]
    with (
        job._held(tmp_path / "bad"),
        pytest.raises(BlockingIOError, match="another run writes rejected frames into it"),
    ):
        job.Opening(masters, tmp_path / "out", tmp_path / "bad").run(inputs)
    run = job.Opening(masters, tmp_path / "out", tmp_path / "out" / job.PENDING / "bad")
    with pytest.raises(ValueError, match="where the run keeps files of its own"):
        run.run(inputs)
    assert job.Opening(masters, tmp_path / "out", tmp_path / "bad").run(inputs).read == 500


def test_rejected_frames_may_lie_on_another_disk(tmp_path: Path) -> None:
    """A file cannot be renamed from one disk to another."""
    shared = Path("/dev/shm")
    if not shared.is_dir() or shared.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("needs /dev/shm, as a file system of its own")
    counts = make(tmp_path, files=2, rows=600)
    with tempfile.TemporaryDirectory(dir=shared) as other:
        bad = Path(other) / "bad"
        run = job.Opening(str(tmp_path / "masters.parquet"), tmp_path / "out", bad)
        summary = run.run(sorted((tmp_path / "in").glob("*.parquet")))
        assert dict(summary.rows) == counts
        assert sum(job.rows_of(path) for path in bad.iterdir()) == 200


def test_what_late_workers_leave_is_removed(tmp_path: Path) -> None:
    """A worker that outlives its run may finish a file that the next run has done."""
    make(tmp_path, files=1, rows=500)
    opening = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "bad")
    inputs = [tmp_path / "in/0.parquet"]
    opening.run(inputs)
    before = contents(tmp_path)
    pending = tmp_path / "out" / job.PENDING
    pending.mkdir()
    task = opening._task()
    assert task.leave(given(inputs[0])) == "" and len([*pending.iterdir()]) == 3
    assert opening.run(inputs).read == 500
    assert contents(tmp_path) == before


def test_payloads_that_change_while_they_are_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was replaced after its numbers were compared was sealed with other numbers, and
    perhaps under key and nonce of another file; the other files are sealed."""
    make(tmp_path, files=1, rows=500)
    columns = {"device": [1], "epoch": [1], "number": [0], "payload": [b"a"]}
    for place in range(3):
        table = pa.table(columns | {"number": [place]})
        pq.write_table(table, tmp_path / f"{place}.parquet")
    inputs = [tmp_path / f"{place}.parquet" for place in range(3)]
    sealing = job.Sealing(str(tmp_path / "masters.parquet"), tmp_path / "sealed")
    check = job.Sealing._check

    def replaced(*given: Any) -> Any:
        done = check(*given)
        pq.write_table(pa.table(columns | {"payload": [b"another"]}), inputs[1])
        return done

    monkeypatch.setattr(job.Sealing, "_check", staticmethod(replaced))
    summary = sealing.run(inputs)
    assert summary.rows["sealed"] == 2
    assert summary.failed == {
        str(inputs[1]): "has changed since its numbers were checked; run again"
    }
    assert {path.name for path in (tmp_path / "sealed").glob("*.parquet")} == {
        "0.parquet",
        "2.parquet",
    }
    monkeypatch.setattr(job.Sealing, "_check", staticmethod(check))
    with pytest.raises(ValueError, match=r"1.parquet, row 0: its device, epoch and number came"):
        sealing.run(inputs)
    pq.write_table(pa.table(columns | {"number": [1]}), inputs[1])
    inner = telemetry.Sealer.__call__

    def written(self: telemetry.Sealer, table: Any) -> Any:
        os.utime(inputs[1], ns=(1, 1))
        return inner(self, table)

    monkeypatch.setattr(telemetry.Sealer, "__call__", written)
    assert "was written while it was read" in sealing.run(inputs).failed[str(inputs[1])]
    assert not (tmp_path / "sealed/1.parquet").exists()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("compression", job.COMPRESSIONS)
def test_compressions(tmp_path: Path, compression: str, engine: str) -> None:
    """Inputs of all that Parquet has, outputs of those that are offered."""
    make(tmp_path, files=1, rows=500)
    table = pq.read_table(tmp_path / "in/0.parquet")
    (tmp_path / "in/0.parquet").unlink()
    for place, kind in enumerate(("none", "snappy", "zstd", "gzip", "lz4", "brotli")):
        part = table.slice(80 * place, 80)
        pq.write_table(part, tmp_path / f"in/{kind}.parquet", compression=kind)
    run = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "bad")
    run.compression, run.engine = compression, engine
    summary = run.run(sorted((tmp_path / "in").iterdir()))
    assert summary.read == 480 and not summary.failed
    wanted = "UNCOMPRESSED" if compression == "none" else compression.upper()
    paths = [*(tmp_path / "out").glob("*.parquet"), *(tmp_path / "bad").glob("*.parquet")]
    groups = [pq.read_metadata(path).row_group(0) for path in paths if job.rows_of(path)]
    found = {group.column(at).compression for group in groups for at in range(group.num_columns)}
    assert len(groups) >= 6 and found == {wanted}


def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    """Frames, frames per second and time left; nothing of it where standard error is a file."""
    make(tmp_path, files=2, rows=600)
    command = [sys.executable, "-m", "hanji.cli", "telemetry", "open", "in/*.parquet", "-o", "out"]
    command += ["--masters", "masters.parquet", "--rejected", "bad"]
    need_terminals()
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, env=os.environ | TERMINAL
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while got := os.read(ours, 4096):
                shown += got
        os.close(ours)
        assert process.wait() == 0
    assert re.search(rb"1,200 frames, [\d,]+/s.*\d:\d\d:\d\d", shown), shown
    assert hanji(tmp_path, *command[4:]).stderr == ""


@pytest.mark.parametrize("name", [job.MANIFEST, job.PENDING, f"a/{job.PENDING}/b", "a//b", ""])
def test_inputs_are_not_called_as_files_of_the_run(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="as files of the run itself are: rename it"):
        job.Run([job.Input(tmp_path / "x", name)], tmp_path / "out", {"hanji": "test"})
    assert not (tmp_path / "out").exists()


def test_readings_that_wait_are_private(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with job.Run([], tmp_path / "out", {"hanji": "test"}) as run:
            assert run.pending.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(old)


def test_payloads_of_the_same_size_and_time_are_told_apart(tmp_path: Path) -> None:
    """A killed sealing was taken up with a file of other payloads whose time had been set back: the
    same keys and nonces sealed both."""
    masters = pa.table({"device": [1], "master": [b"m" * 16]})
    source = tmp_path / "0.parquet"

    def put(payload: bytes) -> None:
        columns = {name: pa.array([1], pa.uint32()) for name in telemetry.COLUMNS[:3]}
        pq.write_table(pa.table({**columns, "payload": [payload]}), source)
        os.utime(source, (5, 5))

    def seal() -> list[bytes]:
        job.Sealing(masters, tmp_path / "out", state=tmp_path / "state").run([source])
        made: list[bytes] = pq.read_table(tmp_path / "out/0.parquet")["frame"].to_pylist()
        return made

    put(b"open the door")
    frames = seal()
    manifest = tmp_path / "out" / job.MANIFEST
    lines = manifest.read_text().splitlines(keepends=True)
    assert [json.loads(line).get("state") for line in lines] == [None, "begun", "done"]
    for kept in (2, 3):
        manifest.write_text("".join(lines[:kept]))
        size = source.stat().st_size
        put(b"shut the door")
        assert source.stat().st_size == size
        with pytest.raises(HanjiError, match="has changed since an earlier run sealed it"):
            seal()
        put(b"open the door")
        assert seal() == frames


def test_a_killed_sealing_seals_no_other_payload(tmp_path: Path) -> None:
    """Killed when its file has its name and no line: the input may not change before it goes on."""
    make(tmp_path, files=1, rows=500)
    table = pa.table({"device": [1], "epoch": [1], "number": [0], "payload": [b"open"]})
    pq.write_table(table, tmp_path / "a.parquet")
    sealing = job.Sealing(str(tmp_path / "masters.parquet"), tmp_path / "sealed")
    sealing.run([tmp_path / "a.parquet"])
    manifest = tmp_path / "sealed" / job.MANIFEST
    lines = manifest.read_bytes().splitlines(keepends=True)
    manifest.write_bytes(b"".join(lines[:-1]))  # as a process that was killed has left it
    before = pq.read_table(tmp_path / "sealed/a.parquet")
    assert sealing.run([tmp_path / "a.parquet"]).rows["sealed"] == 1
    assert pq.read_table(tmp_path / "sealed/a.parquet") == before
    manifest.write_bytes(b"".join(lines[:-1]))
    pq.write_table(table.set_column(3, "payload", [[b"shut!"]]), tmp_path / "a.parquet")
    with pytest.raises(job.InputError, match="number its frames anew"):
        sealing.run([tmp_path / "a.parquet"])
    assert pq.read_table(tmp_path / "sealed/a.parquet") == before


@pytest.mark.parametrize("step", ["open", "_replays", "_publish", "rename", "add"])
def test_a_run_that_dies_anywhere_is_taken_up(tmp_path: Path, step: str) -> None:
    """Killed before and after every step of every file: the outputs are those of one whole run."""
    counts = make(tmp_path, files=2, rows=600)
    (tmp_path / "whole").mkdir()
    for name in ("in", "masters.parquet"):
        (tmp_path / "whole" / name).symlink_to(tmp_path / name)
    open_all(tmp_path / "whole")
    killer = f"""
import os, sys
from hanji import _telemetry_files as job
owners = {{"rename": job._system, "add": job.Run, "open": job.Task}}
owner = owners.get({step!r}, job.Opening)
inner, left = getattr(owner, {step!r}), int(sys.argv[1])
def outer(*given):
    global left
    if left == 0:
        os.kill(os.getpid(), 9)
    left -= 1
    done = inner(*given)
    if left == 0:
        os.kill(os.getpid(), 9)
    left -= 1
    return done
setattr(owner, {step!r}, outer)
from pathlib import Path
job.Opening("masters.parquet", Path("out"), Path("bad")).run(sorted(Path("in").glob("*.parquet")))
"""
    killed = 0
    for left in range(0, 30, 1 if step in ("_publish", "open", "_replays") else 3):
        done = subprocess.run([sys.executable, "-c", killer, str(left)], cwd=tmp_path)
        killed += done.returncode == -signal.SIGKILL
        if done.returncode == 0:
            break
    assert killed > 0
    about = open_all(tmp_path)
    assert about["reasons"] == counts
    assert everything(tmp_path) == everything(tmp_path / "whole")
    assert not [*(tmp_path / "out").glob(f"{job.PENDING}/*")]


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_time_is_taken_up(tmp_path: Path) -> None:
    counts = make(tmp_path, files=6, rows=20000)
    random = np.random.default_rng()
    words = ("in/*.parquet", "-o", "out", "--masters", "masters.parquet", "--rejected", "bad")
    for _ in range(20):
        process = subprocess.Popen(
            [sys.executable, "-m", "hanji.cli", "telemetry", "open", *words], cwd=tmp_path
        )
        time.sleep(float(random.uniform(0.3, 3)))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert open_all(tmp_path)["reasons"] == counts
    assert len(everything(tmp_path)[0]) == 120000


def test_one_run_at_a_time(tmp_path: Path) -> None:
    make(tmp_path, files=1, rows=500)
    about = {"hanji": "test"}
    with (
        job.Run([], tmp_path / "out", about),
        pytest.raises(BlockingIOError, match="another run works in it"),
    ):
        job.Run([], tmp_path / "out", about)


def test_seals_and_inspects(tmp_path: Path) -> None:
    make(tmp_path, files=1, rows=500)
    commands = pa.table(
        {"device": [1, 2, 1], "epoch": [1, 1, 1], "number": [0, 0, 1], "payload": [b"a", b"", b"c"]}
    )
    (tmp_path / "commands").mkdir()
    pq.write_table(commands, tmp_path / "commands/a.parquet")
    seal = ("seal", "commands/*.parquet", "-o", "sealed", "--masters", "masters.parquet")
    assert "3 sealed + 0 rejected = 3 read" in hanji(tmp_path, *seal).stdout
    before = (tmp_path / "sealed/a.parquet").read_bytes()
    hanji(tmp_path, *seal)
    assert (tmp_path / "sealed/a.parquet").read_bytes() == before
    shown = hanji(tmp_path, "inspect", "sealed/a.parquet").stdout
    assert "3 frames, 98 bytes, 2 devices: 3 version 2, ascon-aead128" in shown
    with (tmp_path / "sealed/a.parquet").open("ab") as itself:
        command = [sys.executable, "-m", "hanji.cli", "telemetry", "inspect", "sealed/a.parquet"]
        done = subprocess.run(command, cwd=tmp_path, stdout=itself, stderr=subprocess.PIPE)
    assert done.returncode == 3 and b"a.parquet: is standard output, too" in done.stderr
    assert (tmp_path / "sealed/a.parquet").read_bytes() == before
    # the master keys, which a line of text at their end would destroy
    masters = (tmp_path / "masters.parquet").read_bytes()
    into = ("sealed/a.parquet", "-o", "opened", "--masters", "masters.parquet", "--rejected", "bad")
    for words in (seal, ("open", *into)):
        with (tmp_path / "masters.parquet").open("ab") as itself:
            command = [sys.executable, "-m", "hanji.cli", "telemetry", *words]
            done = subprocess.run(command, cwd=tmp_path, stdout=itself, stderr=subprocess.PIPE)
        assert done.returncode == 3
        assert b"masters.parquet: is standard output, too" in done.stderr
        assert (tmp_path / "masters.parquet").read_bytes() == masters
    odd = tmp_path / "sealed/a\x1b[2J\n\u202e.parquet"
    odd.write_bytes(before)
    shown = hanji(tmp_path, "inspect", str(odd)).stdout
    assert shown.startswith(f"{tmp_path}/sealed/a\\x1b[2J\\x0a\\u202e.parquet: 3 frames")
    assert json.loads(hanji(tmp_path, "inspect", "--json", str(odd)).stdout)[0]["file"] == str(odd)
    opened = telemetry.Opener(tmp_path / "masters.parquet", direction="to-device")(
        pq.read_table(tmp_path / "sealed/a.parquet")
    )
    assert opened["payload"].to_pylist() == [b"a", b"", b"c"]
    pq.write_table(commands.slice(1, 1), tmp_path / "commands/b.parquet")
    done = hanji(tmp_path, *seal, status=1)
    assert "b.parquet, row 0: its device, epoch and number came before" in done.stderr
    pq.write_table(
        commands.slice(1, 1).set_column(0, "device", pa.array([7777])),
        tmp_path / "commands/b.parquet",
    )
    assert "1 payloads were not sealed" in hanji(tmp_path, *seal, status=1).stderr


def test_engines_that_are_absent_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in (("polars", "polars"), ("spark", "pyspark"), ("ray", "ray")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=rf"--engine {name} needs {module}: pip install"):
            engines.start(name, None, None)
    with pytest.raises(ValueError, match="there are polars, spark, ray"):
        engines.start("dask", None, None)
    with pytest.raises(ValueError, match="for the engines spark and ray"):
        engines.start("polars", "sc://here", None)


def test_engines_leave_handlers_of_signals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray and Spark install their own, which end the command with another status."""

    def ours(*_: object) -> None:
        pass

    def start(*_: object) -> engines.Engine:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return engines.Engine()

    monkeypatch.setattr(engines, "_start", start)
    before = signal.signal(signal.SIGTERM, ours)
    try:
        engines.start("ray", None, None)
        assert signal.getsignal(signal.SIGTERM) is ours
    finally:
        signal.signal(signal.SIGTERM, before)


class Fake(engines.Workers):
    """Workers as Spark and Ray have them, in this process: tasks travel, and some are lost."""

    lost = 0

    def _submit(self, task: job.Task, inputs: list[job.Input]) -> dict[int, str]:
        answers = {}
        for place, one in enumerate(inputs):
            answers[place] = pickle.loads(pickle.dumps(task)).leave(one)
            pickle.loads(pickle.dumps(task)).leave(one)  # twice, as after a lost answer
            self.lost -= 1
            if self.lost == 0:
                raise RuntimeError("the cluster is gone")
        return answers


def test_what_workers_have_done_stays_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of workers outlive the run that sent them; bad files are named as without workers."""
    counts = make(tmp_path)
    (tmp_path / "in/cut.parquet").write_bytes((tmp_path / "in/0.parquet").read_bytes()[:-9])
    fake = Fake()
    monkeypatch.setattr(engines, "start", lambda *given: fake)
    monkeypatch.chdir(tmp_path)
    opening = job.Opening("masters.parquet", Path("out"), Path("bad"), engine="ray")
    inputs = sorted(Path("in").glob("*.parquet"))
    fake.lost = 2
    with pytest.raises(HanjiError, match="the cluster is gone; what is done stays done"):
        opening.run(inputs)
    assert (tmp_path / "out" / job.MANIFEST).read_bytes() == b""
    records = sorted((tmp_path / "out" / job.PENDING).glob(f"*{job._RECORD}"))
    names = [json.loads(path.read_text())["file"] for path in records]
    assert names == ["0.parquet", "1.parquet"]
    sent: list[job.Input] = []
    monkeypatch.setattr(Fake, "lost", 0)
    inner = Fake._submit
    monkeypatch.setattr(
        Fake, "_submit", lambda self, task, given: sent.extend(given) or inner(self, task, given)
    )
    summary = opening.run(inputs)
    assert [one.name for one in sent] == ["2.parquet", "cut.parquet"]
    assert dict(summary.rows) == counts and [*summary.failed] == ["in/cut.parquet"]
    assert len(everything(tmp_path)[0]) == 6000
    assert not [*(tmp_path / "out").glob(f"{job.PENDING}/*")]


def test_a_worker_that_sees_another_folder_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Elsewhere(Fake):
        def _submit(self, task: job.Task, inputs: list[job.Input]) -> dict[int, str]:
            return dict.fromkeys(range(len(inputs)), "")

    make(tmp_path, files=1, rows=500)
    monkeypatch.setattr(engines, "start", lambda *given: Elsewhere())
    masters = str(tmp_path / "masters.parquet")
    opening = job.Opening(masters, tmp_path / "out", tmp_path / "bad", engine="ray")
    with pytest.raises(HanjiError, match="no record of it"):
        opening.run([tmp_path / "in/0.parquet"])
