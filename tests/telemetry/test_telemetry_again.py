# SPDX-License-Identifier: Apache-2.0
"""Runs of ``hanji telemetry open`` into a folder that earlier runs have filled: other keys, lost
outputs, other options, new files; which frame is the first; and what the status of a run says.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from hanji import HanjiError, telemetry
from hanji import _telemetry_engines as engines
from hanji import _telemetry_files as job

KEYS = {device: bytes([device + 1]) * 16 for device in range(9)}
WRONG = b"\xff" * 16
ROWS = 30


def put_keys(folder: Path, keys: dict[int, bytes]) -> None:
    table = pa.table({"device": pa.array(keys, pa.uint32()), "master": [*keys.values()]})
    pq.write_table(table, folder / "masters.parquet")
    (folder / "masters.parquet").chmod(0o600)  # or the command warns


def sealed(places: list[tuple[int, int, int]], direction: Any = "from-device") -> list[bytes]:
    """Frames of (device, epoch, number)."""
    masters = pa.table({"device": pa.array(KEYS, pa.uint32()), "master": [*KEYS.values()]})
    once = sorted({*places})
    columns = dict(zip(telemetry.COLUMNS, map(list, zip(*once, strict=True)), strict=False))
    table = pa.table(columns | {"payload": [str(place).encode() for place in once]})
    frames = telemetry.Sealer(masters, direction=direction)(table)["frame"].to_pylist()
    by_place = dict(zip(once, frames, strict=True))
    return [by_place[place] for place in places]


def put(path: Path, frames: list[bytes | None]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"frame": pa.array(frames, pa.binary())}), path)


def make(folder: Path) -> None:
    """Three files of three devices each."""
    put_keys(folder, KEYS)
    for place in range(3):
        places = [(3 * place + row % 3, 1, row) for row in range(ROWS)]
        put(folder / f"in/{place}.parquet", [*sealed(places)])


def opening(folder: Path, **options: Any) -> job.Opening:
    return job.Opening(folder / "masters.parquet", folder / "out", folder / "bad", **options)


def run(folder: Path, **options: Any) -> job.Summary:
    return opening(folder, **options).run(sorted((folder / "in").glob("*")))


def tables(folder: Path) -> dict[str, Any]:
    """What the outputs hold, as tables in the order of their rows."""
    found = {}
    for name in ("out", "bad"):
        for path in sorted((folder / name).rglob("*.parquet")):
            table = pq.read_table(path).sort_by("row").to_pylist()
            if name == "out":
                assert table == pq.read_table(path).to_pylist(), "rows are out of order"
            found[str(path.relative_to(folder))] = table
    return found


def command(folder: Path, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "hanji.cli", "telemetry", *words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def command_open(folder: Path, *words: str, status: int = 0) -> dict[str, Any]:
    places = ("-o", "out", "--masters", "masters.parquet", "--rejected", "bad", "--json")
    words = words if words and not words[0].startswith("-") else ("in/*.parquet", *words)
    done = command(folder, "open", *words, *places, status=status)
    about = dict(json.loads(done.stdout), said=done.stderr)
    assert about["opened"] + about["rejected"] == about["read"] == sum(about["reasons"].values())
    assert about["files"] + len(about["failed"]) == about["inputs"] or about["earlier"]
    return about


# Other keys.


@pytest.mark.parametrize("engine", ["", "polars"])
def test_files_open_again_when_keys_of_their_devices_have_changed(
    tmp_path: Path, engine: str
) -> None:
    """A rerun with the right keys repeated the numbers of the wrong ones."""
    make(tmp_path)
    wrong = KEYS | dict.fromkeys((3, 4, 5), WRONG)
    del wrong[7]
    put_keys(tmp_path, wrong)
    first = run(tmp_path, engine=engine)
    assert first.rows == {"opened": 5 * ROWS // 3, "forged": ROWS, "unknown device": ROWS // 3}
    manifest = (tmp_path / "out" / job.MANIFEST).read_bytes()
    # the table grows daily, and other devices have other keys: nothing is opened again
    put_keys(tmp_path, wrong | {100: WRONG, 0: WRONG})
    again = run(tmp_path, engine=engine)
    assert again.rows == first.rows and not again.again
    assert (tmp_path / "out" / job.MANIFEST).read_bytes() == manifest
    put_keys(tmp_path, wrong | {7: KEYS[7]})
    again = run(tmp_path, engine=engine)
    assert again.again == {"keys": 1} and again.rows == {"opened": 2 * ROWS, "forged": ROWS}
    put_keys(tmp_path, KEYS | {100: WRONG})
    again = run(tmp_path, engine=engine)
    assert again.again == {"keys": 1} and again.rows == {"opened": 3 * ROWS}
    assert not [*(tmp_path / "bad").iterdir()]
    assert not run(tmp_path).again
    (tmp_path / "whole").mkdir()
    for name in ("in", "masters.parquet"):
        (tmp_path / "whole" / name).symlink_to(tmp_path / name)
    run(tmp_path / "whole")
    assert tables(tmp_path / "whole") == tables(tmp_path)


def test_the_manifest_tells_nothing_about_keys(tmp_path: Path) -> None:
    """Equal keys and frames have other digests in each file and each folder."""
    put_keys(tmp_path, {0: WRONG})
    for name in ("a", "b"):
        put(tmp_path / f"in/{name}", [*sealed([(0, 1, 1)])])
    run(tmp_path)
    lines = (tmp_path / "out" / job.MANIFEST).read_text().splitlines()[1:]
    found = [json.loads(line)["keys"].split(":") for line in lines]
    assert len(found) == 2 and len({word for words in found for word in words}) == 4
    mark = job.KeyMark(telemetry.Opener(WRONG), ":".join(found[0]))
    columns = {name: pa.array([value]) for name, value in (("device", 0), ("epoch", 1))}
    mark.add(columns | {"status": pa.array([-3], pa.int8())})
    assert mark.value == ":".join(found[0]), "the control"
    mark = job.KeyMark(telemetry.Opener(KEYS[0]), ":".join(found[0]))
    mark.add(columns | {"status": pa.array([-3], pa.int8())})
    assert mark.value != ":".join(found[0])


def rotate(folder: Path) -> None:
    """A file whose even rows opened under keys that have been replaced since, and whose odd rows
    open now, but for one that nobody sealed.
    """
    frames: list[Any] = sealed([(row % 2, 1, row) for row in range(ROWS)])
    frames[9] = frames[9][:-1] + bytes([frames[9][-1] ^ 1])
    put(folder / "in/a.parquet", frames)
    put_keys(folder, {0: KEYS[0], 1: WRONG})
    assert run(folder).rows == {"opened": ROWS // 2, "forged": ROWS // 2}
    put_keys(folder, {0: WRONG, 1: KEYS[1]})


def check_rotated(folder: Path, summary: job.Summary) -> None:
    assert summary.rows == {"opened": ROWS - 1, "forged": 1}, summary
    found = tables(folder)
    rows = [row["row"] for row in found["out/a.parquet"]]
    assert rows == [row for row in range(ROWS) if row != 9]
    for row in found["out/a.parquet"]:
        assert row["payload"] == str((row["row"] % 2, 1, row["row"])).encode()
    assert [row["row"] for row in found["bad/a.parquet"]] == [9]


def test_what_opened_stays_when_its_key_is_replaced(tmp_path: Path) -> None:
    rotate(tmp_path)
    summary = run(tmp_path)
    assert summary.again == {"keys": 1}
    check_rotated(tmp_path, summary)
    assert not run(tmp_path).again


KILLER = """
import os, sys
from pathlib import Path
from hanji import _telemetry_files as job
step, left = sys.argv[1], int(sys.argv[2])
owners = {"rename": job._system, "_write": job.Run, "unlink": Path}
owner = owners.get(step, job.Opening)
inner = getattr(owner, step)
def outer(*given, **more):
    global left
    if left == 0:
        os.kill(os.getpid(), 9)
    left -= 1
    done = inner(*given, **more)
    if left == 0:
        os.kill(os.getpid(), 9)
    left -= 1
    return done
setattr(owner, step, outer)
inputs = sorted(Path("in").glob("*"))
job.Opening("masters.parquet", Path("out"), Path("bad")).run(inputs)
"""


def kill_at(folder: Path, step: str, left: int) -> bool:
    done = subprocess.run([sys.executable, "-c", KILLER, step, str(left)], cwd=folder)
    assert done.returncode in (0, -signal.SIGKILL)
    return done.returncode != 0


@pytest.mark.parametrize(
    "step", ["rename", "_write", pytest.param("unlink", marks=pytest.mark.slow)]
)
def test_opening_again_is_killed_anywhere(tmp_path: Path, step: str) -> None:
    """Whatever has its name by then: rows that opened under old keys are in no other place."""
    (tmp_path / "before").mkdir()
    rotate(tmp_path / "before")
    killed = 0
    for left in range(40):
        folder = tmp_path / str(left)
        shutil.copytree(tmp_path / "before", folder, copy_function=shutil.copy2)
        dead = kill_at(folder, step, left)
        check_rotated(folder, run(folder))
        assert not (folder / "out" / job.PENDING).exists()
        killed += dead
        if not dead:
            break
    assert killed > 1 and not dead


# Outputs that are lost.


def test_outputs_that_are_missing_or_damaged_are_made_again(tmp_path: Path) -> None:
    """They were reported as done."""
    make(tmp_path)
    frames: list[Any] = sealed([(3, 1, row) for row in range(ROWS)])
    put(tmp_path / "in/1.parquet", [*frames, b"bad", *frames[:2]])
    first = run(tmp_path)
    assert first.rows == {"opened": 3 * ROWS, "truncated": 1, "replayed": 2}
    whole = tables(tmp_path)
    (tmp_path / "out/0.parquet").unlink()
    again = run(tmp_path)
    assert again.again == {"outputs": 1} and again.rows == first.rows
    assert tables(tmp_path) == whole
    (tmp_path / "bad/1.parquet").unlink()
    os.truncate(tmp_path / "out/2.parquet", 100)
    again = run(tmp_path)
    assert again.again == {"outputs": 2} and again.rows == first.rows
    assert tables(tmp_path) == whole
    table = pq.read_table(tmp_path / "out/1.parquet")
    pq.write_table(table.slice(3), tmp_path / "out/1.parquet")
    assert run(tmp_path).again == {"outputs": 1} and tables(tmp_path) == whole
    pq.write_table(pq.read_table(tmp_path / "bad/1.parquet").slice(1), tmp_path / "bad/1.parquet")
    assert run(tmp_path).again == {"outputs": 1} and tables(tmp_path) == whole
    assert not run(tmp_path).again
    shutil.rmtree(tmp_path / "bad")
    assert run(tmp_path).again == {"outputs": 1} and tables(tmp_path) == whole
    (tmp_path / "out/2.parquet").unlink()
    whole_input = (tmp_path / "in/2.parquet").read_bytes()
    (tmp_path / "in/2.parquet").unlink()
    summary = run(tmp_path)
    assert len(summary.lost) == 1 and summary.rows["opened"] == 2 * ROWS
    (tmp_path / "in/2.parquet").write_bytes(whole_input)  # the time differs, the contents do not
    assert run(tmp_path).again == {"outputs": 1} and tables(tmp_path) == whole


def test_a_damaged_file_of_rejected_frames_is_written_again(tmp_path: Path) -> None:
    """Nobody can read in it any more whose it was; the manifest says that this run made it."""
    make(tmp_path)
    put(tmp_path / "in/0.parquet", [*sealed([(0, 1, row) for row in range(ROWS)]), b"short"])
    put(tmp_path / "in/1.parquet", [*sealed([(3, 1, row) for row in range(ROWS)])])
    first, wanted = run(tmp_path), tables(tmp_path)
    refused = tmp_path / "bad/0.parquet"
    whole = refused.read_bytes()
    for damage in (b"", whole[:100], whole[:-4] + b"PARX"):
        refused.write_bytes(damage)
        again = run(tmp_path)
        assert again.again == {"outputs": 1} and again.rows == first.rows and not again.failed
        assert tables(tmp_path) == wanted
    # The file of somebody else stays, whole or not.
    refused.unlink()
    put(refused, [b"theirs"] * 3)
    with pytest.raises(FileExistsError, match="already exists"):
        run(tmp_path)
    other = tmp_path / "bad/1.parquet"
    refused.unlink()
    other.write_bytes(b"not ours")
    (tmp_path / "out/1.parquet").unlink()
    with pytest.raises(FileExistsError, match="already exists"):
        run(tmp_path)
    assert other.read_bytes() == b"not ours"


def test_a_lost_output_whose_input_is_not_named(tmp_path: Path) -> None:
    make(tmp_path)
    run(tmp_path)
    (tmp_path / "out/0.parquet").unlink()
    inputs = [tmp_path / "in/1.parquet"]
    summary = opening(tmp_path).run(inputs)
    assert not summary.failed and (summary.inputs, summary.files, summary.earlier) == (1, 1, 1)
    (reason,) = summary.lost.values()
    assert "its input is not among those of this run" in reason
    assert summary.rows == {"opened": 2 * ROWS}, "what is lost is counted"
    put(tmp_path / "in/new.parquet", [*sealed([(0, 1, 0)])])
    inputs.append(tmp_path / "in/new.parquet")
    with pytest.raises(HanjiError, match=r"0.parquet, which an earlier run made, .*is missing or"):
        opening(tmp_path).run(inputs)
    assert run(tmp_path).rows == {"opened": 3 * ROWS, "replayed": 1}


# The first frame.


class Shuffled(engines.Workers):
    """Workers that finish in another order, and may be gone before the end."""

    def __init__(self, order: Any, lost: int = -1) -> None:
        self.order, self.lost = order, lost

    def _submit(self, task: job.Task, inputs: list[job.Input]) -> dict[int, str]:
        answers = {}
        for done, place in enumerate(self.order(range(len(inputs)))):
            if done == self.lost:
                raise RuntimeError("the cluster is gone")
            answers[place] = pickle.loads(pickle.dumps(task)).leave(inputs[place])
        return answers


def with_replays(folder: Path) -> None:
    """Files that share frames with all others."""
    put_keys(folder, KEYS)
    chance = np.random.default_rng(5)
    for name in "abcdef":
        rows = chance.integers(0, 60, ROWS).tolist()
        put(folder / f"in/{name}.parquet", [*sealed([(row % 9, 1, row) for row in rows])])


def test_replays_do_not_depend_on_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which file kept a frame depended on which worker was first."""
    with_replays(tmp_path)
    run(tmp_path)
    wanted = tables(tmp_path)
    assert any("bad" in name for name in wanted)
    seen = set()
    for name in sorted(name for name in wanted if name.startswith("out")):
        for row in wanted[name]:  # of all files by name, and their rows, the first has it
            place = row["device"], row["epoch"], row["number"]
            assert place not in seen
            seen.add(place)
    for lost in (None, -1, 2):
        for folder in ("out", "bad"):
            shutil.rmtree(tmp_path / folder)
        if lost is None:
            run(tmp_path, engine="polars")
            assert tables(tmp_path) == wanted
            continue
        workers = Shuffled(reversed, lost)
        monkeypatch.setattr(engines, "start", lambda *_, workers=workers: workers)
        if lost >= 0:
            with pytest.raises(HanjiError, match="the cluster is gone"):
                run(tmp_path, engine="ray")
            workers.order, workers.lost = iter, -1  # the rest, in the order of the files
        run(tmp_path, engine="ray")
        assert tables(tmp_path) == wanted, lost
    inputs = sorted((tmp_path / "in").glob("*"), reverse=True)
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(tmp_path / "bad")
    monkeypatch.undo()
    opening(tmp_path).run(inputs)
    assert tables(tmp_path) == wanted, "the order of the arguments counts"


def test_replays_do_not_depend_on_kills(tmp_path: Path) -> None:
    with_replays(tmp_path)
    run(tmp_path)
    wanted = tables(tmp_path)
    for folder in ("out", "bad"):
        shutil.rmtree(tmp_path / folder)
    killed = sum(kill_at(tmp_path, step, 5) for step in ("rename", "_publish", "_write", "_write"))
    assert killed > 2
    run(tmp_path)
    assert tables(tmp_path) == wanted


def test_spark_gives_the_same_files(tmp_path: Path) -> None:
    """Through pysail, in the same process as a user has it; it prints nothing of its own."""
    for name in ("pysail.spark", "pyspark.sql.connect"):
        pytest.importorskip(name, reason="pip install 'hanji[spark]' pysail")
        importlib.import_module(name)
    with_replays(tmp_path)
    run(tmp_path)
    wanted = tables(tmp_path)
    for folder in ("out", "bad"):
        shutil.rmtree(tmp_path / folder)
    about = command_open(tmp_path, "--engine", "spark", "--max-rejected", "0")
    assert about["said"] == "" and tables(tmp_path) == wanted


def test_what_is_published_wins(tmp_path: Path) -> None:
    """A file that comes later and is called so that it sorts before."""
    put_keys(tmp_path, KEYS)
    put(tmp_path / "in/b.parquet", [*sealed([(1, 1, 1), (2, 1, 1)])])
    run(tmp_path)
    put(tmp_path / "in/a.parquet", [*sealed([(2, 1, 1), (3, 1, 1)])])
    put(tmp_path / "in/c.parquet", [*sealed([(3, 1, 1), (4, 1, 1)])])
    assert run(tmp_path).rows == {"opened": 4, "replayed": 2}
    found = tables(tmp_path)
    assert [len(found[f"out/{name}.parquet"]) for name in "abc"] == [1, 2, 1]


def test_a_file_that_cannot_be_finished_does_not_count_as_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its frames would be in no output: those of other files were replays of them."""
    put_keys(tmp_path, KEYS)
    for name in "abc":
        put(tmp_path / f"in/{name}.parquet", [*sealed([(1, 1, 1)])])
    search = job.Opening._replays

    def changed(*given: Any) -> Any:
        done = search(*given)
        if (tmp_path / "in/a.parquet").stat().st_size < 10_000:
            put(tmp_path / "in/a.parquet", [os.urandom(100) for _ in range(200)])
        return done

    monkeypatch.setattr(job.Opening, "_replays", changed)
    summary = run(tmp_path)
    assert summary.rows == {"opened": 1, "replayed": 1}
    assert "was written after it was read" in summary.failed[str(tmp_path / "in/a.parquet")]
    assert (tables(tmp_path)["out/b.parquet"], tables(tmp_path)["out/c.parquet"]) != ([], [])


# Options and places.


def test_attempts_that_fail_pin_nothing(tmp_path: Path) -> None:
    make(tmp_path)
    summary = run(tmp_path, column="wrong")
    assert len(summary.failed) == 3 and not (tmp_path / "out" / job.MANIFEST).read_bytes()
    # A run with the wrong direction finishes its files, and none of their frames has opened.
    summary = run(tmp_path, direction="to-device")
    assert summary.rows == {"forged": 3 * ROWS}
    summary = run(tmp_path)
    assert summary.again == {"options": 3} and summary.rows == {"opened": 3 * ROWS}
    for option, value in (("direction", "to-device"), ("column", "other")):
        with pytest.raises(
            ValueError, match=rf"with --{option} .*and this run has --{option} {value}"
        ):
            run(tmp_path, **{option: value})
    put(tmp_path / "in/new.parquet", [b"bad"])
    run(tmp_path)
    other = job.Opening(tmp_path / "masters.parquet", tmp_path / "out", tmp_path / "elsewhere")
    with pytest.raises(
        ValueError, match=r"with --rejected \.\./bad .*has --rejected \.\./elsewhere"
    ):
        other.run(sorted((tmp_path / "in").glob("*")))


def test_killed_attempts_pin_nothing(tmp_path: Path) -> None:
    """Also not when files were opened already, under options that the next run does not have."""
    make(tmp_path)
    stopped = opening(tmp_path, direction="to-device")
    stopped._publish_all = lambda *_: None  # type: ignore[method-assign]
    stopped.run(sorted((tmp_path / "in").glob("*")))
    assert len([*(tmp_path / "out" / job.PENDING).iterdir()]) == 9
    assert run(tmp_path).rows == {"opened": 3 * ROWS}
    # nor keys
    shutil.rmtree(tmp_path / "out")
    put_keys(tmp_path, KEYS | {0: WRONG})
    stopped = opening(tmp_path)
    stopped._publish_all = lambda *_: None  # type: ignore[method-assign]
    stopped.run(sorted((tmp_path / "in").glob("*")))
    put_keys(tmp_path, KEYS)
    summary = run(tmp_path)
    assert summary.rows == {"opened": 3 * ROWS} and not summary.again


def test_folders_that_were_moved(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    make(tmp_path / "a")
    put(tmp_path / "a/in/bad.parquet", [b"bad"])
    first = run(tmp_path / "a")
    before = tables(tmp_path / "a")
    (tmp_path / "a").rename(tmp_path / "b")
    assert run(tmp_path / "b").rows == first.rows
    (tmp_path / "b/out").rename(tmp_path / "far")  # one of them alone
    inputs = sorted((tmp_path / "b/in").glob("*"))
    moved = job.Opening(tmp_path / "b/masters.parquet", tmp_path / "far", tmp_path / "b/bad")
    summary = moved.run(inputs)
    assert summary.rows == first.rows and not summary.again
    (tmp_path / "far").rename(tmp_path / "b/out")
    assert tables(tmp_path / "b") == before


@pytest.mark.parametrize("engine", ["", "polars"])
def test_inputs_that_were_touched_or_replaced(tmp_path: Path, engine: str) -> None:
    make(tmp_path)
    first = run(tmp_path, engine=engine)
    path = tmp_path / "in/0.parquet"
    os.utime(path, ns=(5, 5))
    summary = run(tmp_path, engine=engine)
    assert summary.rows == first.rows and not summary.failed and not summary.again
    size = (tmp_path / "out" / job.MANIFEST).stat().st_size
    run(tmp_path)
    assert (tmp_path / "out" / job.MANIFEST).stat().st_size == size, "it is compared each time"
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    copy.replace(path)
    assert not run(tmp_path).failed
    data = bytearray(path.read_bytes())
    data[100] ^= 1  # another file of equal size
    path.write_bytes(data)
    summary = run(tmp_path)
    assert "has changed since an earlier run opened it" in summary.failed[str(path)]
    assert (summary.inputs, summary.files, summary.earlier) == (3, 2, 1)
    assert summary.rows == first.rows, "its outputs are there as before"


def test_manifests_of_earlier_formats_are_named(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "out").mkdir()
    old = {"hanji": "telemetry open", "version": 1, "column": "frame", "run": "0" * 16}
    line = {"file": "0.parquet", "state": "done", "input": [1, 1], "rows": {}}
    text = f"{json.dumps(old)}\n{json.dumps(line)}\n"
    (tmp_path / "out" / job.MANIFEST).write_text(text)
    with pytest.raises(ValueError, match=r"manifest.jsonl has format 1, .*use a new output folder"):
        run(tmp_path)
    assert (tmp_path / "out" / job.MANIFEST).read_text() == text
    sealing = job.Sealing(tmp_path / "masters.parquet", tmp_path / "out")
    with pytest.raises(ValueError, match="was begun with 'hanji telemetry open'"):
        sealing.run([])


# What the status says.


def test_wrong_keys_are_a_failure(tmp_path: Path) -> None:
    """All frames were forged, and the status was 0."""
    make(tmp_path)
    put_keys(tmp_path, dict.fromkeys(KEYS, WRONG))
    for _ in range(2):  # a rerun says so, too
        about = command_open(tmp_path, "--max-rejected", "100%", status=1)
        assert "no frame opened" in about["said"] and "match neither direction" in about["said"]
        assert about["reasons"] == {"forged": 3 * ROWS}
    assert len([*(tmp_path / "bad").iterdir()]) == 3
    put_keys(tmp_path, {100: WRONG})
    assert "have no key in masters.parquet" in command_open(tmp_path, status=1)["said"]
    text = {device: key.hex().encode() for device, key in KEYS.items()}
    put_keys(tmp_path, text)
    about = command_open(tmp_path, status=1)
    assert "which have 32 bytes, are hexadecimal digits: decode" in about["said"]
    assert "3 files were opened again: the master keys" in about["said"]
    put_keys(tmp_path, KEYS)
    assert command_open(tmp_path)["reasons"] == {"opened": 3 * ROWS}


def test_the_wrong_direction_is_named(tmp_path: Path) -> None:
    make(tmp_path)
    about = command_open(tmp_path, "--direction", "to-device", status=1)
    assert "they open in the other direction: give --direction from-device" in about["said"]
    about = command_open(tmp_path)
    assert "3 files were opened again: nothing opened under the earlier" in about["said"]
    put(tmp_path / "in/3.parquet", [b"no frame at all, but bytes"] * 4)
    about = command_open(tmp_path, status=1)  # all others are good, and do not hide it
    assert "no frame opened in the files of this run" in about["said"]
    assert command_open(tmp_path)["said"] == ""  # 4 of 94


def test_limits_count_forged_and_malformed_frames(tmp_path: Path) -> None:
    put_keys(tmp_path, KEYS)
    frames: list[Any] = sealed([(1, 1, row) for row in range(100)])
    forged = [frame[:-1] + bytes([frame[-1] ^ 1]) for frame in frames[:11]]
    unknown = [frame[:2] + b"\x77" + frame[3:] for frame in frames]
    for count, status in ((10, 0), (11, 0), (12, 1)):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        shutil.rmtree(tmp_path / "bad", ignore_errors=True)
        some = [*forged[: count - 1], b"short", *frames, *frames, None, None, *unknown]
        put(tmp_path / "in/a.parquet", some)
        about = command_open(tmp_path, status=status)
        assert about["opened"] == 100 and about["reasons"]["replayed"] == 100
        assert about["reasons"]["unknown device"] == 100
    assert "12 of 112 frames in the files of this run are forged or malf" in about["said"]


def test_three_beats_one(tmp_path: Path) -> None:
    make(tmp_path)
    put(tmp_path / "in/a.parquet", [b"bad"] * 100)
    (tmp_path / "in/b.parquet").write_bytes(b"")
    about = command_open(tmp_path, status=3)
    assert "forged or malformed" in about["said"] and "1 file was not read" in about["said"]
    command(tmp_path, "open", "in/*.parquet", "--max-rejected", "many", status=2)


# Which inputs.


def test_partitions_keep_their_folders(tmp_path: Path) -> None:
    """Files of one name in several folders could not be opened in one run."""
    put_keys(tmp_path, KEYS)
    for day in range(3):
        for hour in range(2):
            name = f"in/day={day}/hour={hour}/part-0.parquet"
            put(tmp_path / name, [*sealed([(day, 1, hour)]), b"bad"])
    (tmp_path / "in/day=0/hour=9/part-0.parquet").mkdir(parents=True)
    pattern = "in/day=*/hour=*/*.parquet"
    about = command_open(tmp_path, pattern, "--max-rejected", "6", status=3)
    assert [*about["failed"]] == ["in/day=0/hour=9/part-0.parquet"]
    assert "is a folder" in about["said"]
    assert (about["inputs"], about["files"], about["opened"]) == (7, 6, 6)
    places = {f"day={day}/hour={hour}/part-0.parquet" for day in range(3) for hour in range(2)}
    for folder in ("out", "bad"):
        found = (tmp_path / folder).rglob("*.parquet")
        assert {str(path.relative_to(tmp_path / folder)) for path in found} == places
    # the same files by another pattern with the same fixed part, from another folder
    (tmp_path / "in/day=0/hour=9/part-0.parquet").rmdir()
    (tmp_path / "in/day=0/hour=9").rmdir()
    about = command_open(tmp_path, f"{tmp_path}/in/**", "--max-rejected", "6")
    assert about["files"] == 6 and about["opened"] == 6 and not about["failed"]
    assert not (tmp_path / "out" / job.PENDING).exists()
    done = command(
        tmp_path, "open", *(f"in/day={day}/hour=0/part-0.parquet" for day in range(2)), "-o", "x",
        "--masters", "masters.parquet", "--rejected", "y", status=2,
    )  # fmt: skip
    assert "several inputs are called part-0.parquet" in done.stderr
    assert "by one pattern in quotes" in done.stderr
    shutil.rmtree(tmp_path / "out/day=1")
    about = command_open(tmp_path, pattern, "--max-rejected", "6")
    assert about["opened_again"] == {"outputs": 2} and about["opened"] == 6


def test_patterns_find_no_outputs(tmp_path: Path) -> None:
    """Outputs may be in the folder of the inputs: rejected frames came back as inputs."""
    put_keys(tmp_path, KEYS)
    put(tmp_path / "in/a/0.parquet", [*sealed([(1, 1, row) for row in range(20)]), b"bad"])
    places = ("-o", "in/out", "--rejected", "in/bad", "--masters", "masters.parquet", "--json")
    for pattern in ("in/**", "in/**/*.parquet", "in/*/*.parquet"):
        about = json.loads(command(tmp_path, "open", pattern, *places).stdout)
        assert (about["inputs"], about["read"], about["failed"]) == (1, 21, {}), pattern
    (tmp_path / "in/circle").symlink_to("circle")
    about = json.loads(command(tmp_path, "open", "in/*", "in/*/*", *places, status=3).stdout)
    assert {*about["failed"]} == {"in/a", "in/circle"} and about["files"] == 1
    command(tmp_path, "open", "in/out/*/*", *places, status=3)


@pytest.mark.parametrize("engine", ["", "polars"])
def test_columns_of_all_kinds(tmp_path: Path, engine: str) -> None:
    """Frames in a dictionary; columns without a value, which pandas gives a type of its own; and
    files without rows, whatever their columns are.
    """
    put_keys(tmp_path, KEYS)
    frames = pa.array([*sealed([(1, 1, row) for row in range(5)]), None], pa.binary())
    (tmp_path / "in").mkdir()
    columns = {
        "dictionary": frames.dictionary_encode(),
        "large": frames.cast(pa.large_binary()).dictionary_encode(),
        "null": pa.nulls(4),
        "none": pa.nulls(0),
        "text": pa.array([], pa.string()),
        "nested": pa.array([], pa.list_(pa.int8())),
    }
    for name, column in columns.items():
        pq.write_table(pa.table({"frame": column}), tmp_path / f"in/{name}")
    pq.write_table(pa.table({"other": pa.nulls(0)}), tmp_path / "in/other")
    pq.write_table(pa.table({}), tmp_path / "in/nothing")
    summary = run(tmp_path, engine=engine)
    assert not summary.failed and summary.files == 8
    assert summary.rows == {"opened": 5, "replayed": 5, "null": 6}
    for name in columns:
        for row in pq.read_table(tmp_path / "bad" / name).to_pylist() if name == "large" else ():
            assert row["frame"] == frames[row["row"]].as_py()


def test_openers_take_encoded_columns() -> None:
    frames = pa.array([*sealed([(1, 1, row) for row in range(5)]), None], pa.binary())
    opener = telemetry.Opener(KEYS[1])
    wanted = opener(frames).to_pylist()
    assert [row["status"] for row in wanted] == [0] * 5 + [telemetry.NULL]
    for column in (frames.dictionary_encode(), pc.run_end_encode(frames)):
        chunked = pa.chunked_array([column.slice(0, 2), column.slice(2)])
        for given in (column, chunked, pa.table({"frame": chunked})):
            assert opener(given).to_pylist() == wanted
        batch = pa.RecordBatch.from_arrays([column], ["frame"])
        assert pa.Table.from_batches([opener(batch)]).to_pylist() == wanted
    assert opener(pa.nulls(3))["status"].to_pylist() == [telemetry.NULL] * 3
    wrong = pa.DictionaryArray.from_arrays(pa.array([7], pa.int8()), frames, safe=False)
    with pytest.raises(ValueError, match=r"[Ii]nd"):
        opener(wrong)


def test_keys_as_text_say_how_to_convert(tmp_path: Path) -> None:
    make(tmp_path)
    lines = [f"{device},{key.hex()}" for device, key in KEYS.items()]
    for start in ("", "\ufeff"):
        (tmp_path / "masters.parquet").write_text(f"{start}device,master\n" + "\n".join(lines))
        with pytest.raises(HanjiError, match=r"is text, such as CSV; .*str.decode\('hex'\)"):
            run(tmp_path)
    table = pa.table({"device": [*KEYS], "master": [key.hex() for key in KEYS.values()]})
    pq.write_table(table, tmp_path / "masters.parquet")
    with pytest.raises(HanjiError, match=r"decode these with bytes.fromhex") as found:
        run(tmp_path)
    assert not any(key.hex() in str(found.value) for key in KEYS.values())
    polars = pytest.importorskip("polars")
    (tmp_path / "keys.csv").write_text("device,master\n" + "\n".join(lines))
    told = polars.read_csv(
        tmp_path / "keys.csv", schema_overrides={"master": polars.String}
    ).with_columns(polars.col("master").str.decode("hex"))
    told.write_parquet(tmp_path / "masters.parquet")  # as the sentence says
    assert run(tmp_path).rows == {"opened": 3 * ROWS}


def test_inspect_says_what_is_missing(tmp_path: Path) -> None:
    make(tmp_path)
    script = (
        "import sys; sys.modules[sys.argv.pop(1)] = None\nfrom hanji.cli.main import app; app()\n"
    )
    for name in ("pyarrow", "numpy"):
        line = [sys.executable, "-c", script, name, "telemetry", "inspect", "in/0.parquet"]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
        assert "needs numpy and pyarrow: pip install numpy pyarrow\n" in done.stderr
        assert done.stderr.count("\n") == 1 and done.returncode
    (tmp_path / "in/3.parquet").write_bytes(b"")
    done = command(tmp_path, "inspect", "--json", "in/*", status=3)
    found = json.loads(done.stdout)
    assert [one.get("frames") for one in found] == [ROWS] * 3 + [None]
    assert all(sum(one["kinds"].values()) == one["frames"] for one in found[:3])
    assert "failed" in found[3]


@pytest.mark.parametrize("most", [200, 280])
def test_inspect_with_little_memory(tmp_path: Path, most: int) -> None:
    """pyarrow could not be loaded, and an exception without words was all that was said."""
    resource = pytest.importorskip("resource")
    make(tmp_path)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most << 20, most << 20))

    line = [sys.executable, "-m", "hanji.cli", "telemetry", "inspect", "in/0.parquet"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit)
    if done.returncode:  # how much it takes depends on the machine
        last = done.stderr.splitlines()[-1]
        assert last.startswith("hanji: ") and "memory" in last, done.stderr
        assert "Traceback" not in done.stderr


def test_read_only_inputs_and_folders_that_are_held(tmp_path: Path) -> None:
    """Read-only inputs, and a folder that another run holds."""
    make(tmp_path)
    (tmp_path / "in").chmod(0o500)
    with contextlib.ExitStack() as stack:
        stack.callback((tmp_path / "in").chmod, 0o700)
        assert run(tmp_path).rows == {"opened": 3 * ROWS}
        with (
            job.Run([], tmp_path / "out", {"hanji": "telemetry open"}),
            pytest.raises(BlockingIOError, match="another run works in it"),
        ):
            run(tmp_path)


def random_keys(chance: random.Random) -> dict[int, bytes]:
    """Some devices have their key, some another one, some none."""
    kinds = {device: chance.random() for device in KEYS}
    found = {device: KEYS[device] for device, kind in kinds.items() if kind < 0.6}
    return found | {device: WRONG for device, kind in kinds.items() if kind > 0.8}


def random_step(folder: Path, chance: random.Random, made: dict[str, Any]) -> None:
    """A new input, other keys, a lost output, a touched input; then a run, which may be killed."""
    if chance.random() < 0.35 or not made:
        count = chance.randrange(1, 25)
        places = [(chance.randrange(9), 1, chance.randrange(40)) for _ in range(count)]
        frames: list[Any] = [*sealed(places)]
        for place in range(count):
            if chance.random() < 0.1:
                frames[place] = frames[place][:-1] + bytes([frames[place][-1] ^ 1])
        name = f"{chance.choice('abcdef')}{len(made)}.parquet"
        put(folder / "in" / name, frames)
        made[name] = places, frames
    if chance.random() < 0.7:
        put_keys(folder, random_keys(chance) or KEYS)
    outputs = [*folder.glob("out/*.parquet"), *folder.glob("bad/*.parquet")]
    if outputs and chance.random() < 0.3:
        chance.choice(outputs).unlink()
    if chance.random() < 0.3:
        os.utime(folder / "in" / chance.choice([*made]))
    if chance.random() < 0.6:
        step = chance.choice(["rename", "_write", "_publish", "unlink"])
        kill_at(folder, step, chance.randrange(25))
    else:
        assert not run(folder, engine=chance.choice(["", "polars"])).failed


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(5))
def test_whatever_happened_before(tmp_path: Path, seed: int) -> None:
    """After any history, a run with the right keys leaves every row in one output, and every frame
    that somebody sealed in one place."""
    chance = random.Random(seed)
    made: dict[str, Any] = {}
    put_keys(tmp_path, KEYS)
    for _ in range(14):
        random_step(tmp_path, chance, made)
    put_keys(tmp_path, KEYS)
    summary = run(tmp_path)
    assert not summary.failed and not summary.lost
    found, wanted, seen = tables(tmp_path), set(), set()
    for name, (places, frames) in made.items():
        good, bad = found[f"out/{name}"], found.get(f"bad/{name}", [])
        rows = [row["row"] for row in good + bad]
        assert sorted(rows) == [*range(len(frames))], "a row is lost, or is there twice"
        whole = zip(places, frames, sealed(places), strict=True)
        wanted |= {place for place, frame, other in whole if frame == other}
        for row in good:
            place = row["device"], row["epoch"], row["number"]
            assert place == places[row["row"]] and row["payload"] == str(place).encode()
            assert place not in seen
            seen.add(place)
        assert all(row["frame"] == frames[row["row"]] for row in bad)
    assert seen == wanted
    assert not run(tmp_path).again and tables(tmp_path) == found
