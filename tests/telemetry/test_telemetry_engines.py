# SPDX-License-Identifier: Apache-2.0
"""examples/telemetry: the scripts run as they stand, and count what was put in."""

from __future__ import annotations

import contextlib
import importlib
import json
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from debian import in_ci

from hanji import _telemetry_files as job

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/telemetry"
FRAMES = 4000


def script(name: str, *words: object) -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, words)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames of Ascon, whose keys are derived as those of the others are."""
    folder = tmp_path_factory.mktemp("frames") / "data"
    script("make_frames.py", folder, FRAMES, 300, "ascon-aead128")
    return folder


def test_polars(data: Path) -> None:
    """1 % forged, 0.1 % of unknown devices; replays open, for an opener does not look for them."""
    shown = script("polars_open.py", data).splitlines()
    assert shown[0].startswith(f"{FRAMES} frames, ")
    assert shown[1:] == ["opened: 3956", "forged: 40", "unknown device: 4"]
    assert pq.read_metadata(data / "polars.parquet").num_rows == FRAMES
    assert script("polars_open.py", data, "pass").startswith(f"{FRAMES} frames, ")


def need_pysail() -> None:
    """A server of Spark Connect and its client: CI has them, others may."""
    for name in ("pysail.spark", "pyspark.sql.connect"):
        if in_ci() and platform.machine() == "x86_64":
            importlib.import_module(name)
        pytest.importorskip(name, reason="pip install pyspark-client pysail")


def test_spark(data: Path) -> None:
    """Through pysail, which speaks Spark's protocol without Java; the keys do not travel."""
    need_pysail()
    shown = script("spark_open.py", data).splitlines()
    assert shown == ["opened: 3956", "forged: 40", "unknown device: 4"]
    files = [*(data / "spark").glob("**/*.parquet")]
    assert sum(pq.read_metadata(path).num_rows for path in files) == FRAMES


def open_by_command(data: Path, folder: Path, *words: str) -> None:
    command = [sys.executable, "-m", "hanji.cli", "telemetry", "open", data / "in/0000.parquet"]
    command += ["-o", folder / "out", "--rejected", folder / "bad"]
    command += ["--masters", data / "masters.parquet", *words]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert "3,916 opened + 84 rejected = 4,000 read" in done.stdout, done.stdout + done.stderr
    assert not done.stderr  # what libraries print


def test_command(data: Path, tmp_path: Path) -> None:
    """The command finds the replays as well."""
    open_by_command(data, tmp_path)


def test_pandas_stays_away(data: Path, tmp_path: Path) -> None:
    """pyarrow imports it for some calls where it is installed, which takes as long as to open some
    million frames."""
    (tmp_path / "pandas.py").write_text("raise SystemExit('pandas is imported')")
    script = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "from pathlib import Path; from hanji import _telemetry_files as job, telemetry\n"
        "data, out = Path(sys.argv[1]), Path(sys.argv[2])\n"
        "for engine in '', 'polars':\n"
        "    folders = out / f'out{engine}', out / f'bad{engine}'\n"
        "    run = job.Opening(str(data / 'masters.parquet'), *folders, engine=engine)\n"
        "    print(run.run([data / 'in/0000.parquet']).rows['replayed'])\n"
    )
    words = [sys.executable, "-c", script, tmp_path, data, tmp_path]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.stdout == "40\n40\n", done.stdout + done.stderr


# Workers that note in which process they have which table of keys, and one of which is killed in
# the middle of a file: itself, or the executor of Spark that has started it.
WORKERS = """
import os, signal, sys
from pathlib import Path
from hanji import _telemetry_files as job

class Noted(job.Task):
    def leave(self, given):
        path = given.path
        notes = self.pending.parent.parent / "notes"
        notes.mkdir(exist_ok=True)
        keys = self.opener._keys.table(None)
        with (notes / str(os.getpid())).open("a") as file:
            print(id(keys), path.name, file=file)
        if path.name == "2.parquet" and VICTIM:
            try:
                (notes / "killed").touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                (self.pending / "2.parquet.0.part").write_bytes(b"half")
                victim = os.getpid()
                if VICTIM == "executor":
                    for _ in range(2):  # the daemon that forks workers, and what has started it
                        status = Path(f"/proc/{victim}/stat").read_text()
                        victim = int(status.rsplit(")", 1)[1].split()[1])
                    assert b"CoarseGrainedExecutorBackend" in Path(
                        f"/proc/{victim}/cmdline"
                    ).read_bytes()
                os.kill(victim, signal.SIGKILL)
                signal.pause()
        return job_leave(self, given)

job_leave = job.Task.leave
job.Task = Noted
inputs = sorted(Path("in").glob("*.parquet"))
opening = job.Opening("data/masters.parquet", Path("out"), Path("bad"), engine=ENGINE)
opening.threads, opening.cluster = 2, CLUSTER
summary = opening.run(inputs)
print(sorted(summary.rows.items()), summary.failed)
"""


def engine_run(
    folder: Path, data: Path, engine: str, cluster: str | None, victim: str
) -> list[set[str]]:
    """Six files, one of them cut short, through an engine; for each worker process its tables."""
    whole = pq.read_table(data / "in/0000.parquet")
    (folder / "in").mkdir()
    (folder / "data").symlink_to(data)
    for place in range(5):
        part = whole.slice(place * FRAMES // 5, FRAMES // 5)
        pq.write_table(part, folder / f"in/{place}.parquet")
    (folder / "in/cut.parquet").write_bytes((folder / "in/0.parquet").read_bytes()[:-9])
    names = f"ENGINE, CLUSTER, VICTIM = {engine!r}, {cluster!r}, {victim!r}"
    done = subprocess.run(
        [sys.executable, "-c", names + WORKERS],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    counts = [("forged", 40), ("opened", 3916), ("replayed", 40), ("unknown device", 4)]
    assert str(counts) in done.stdout and "in/cut.parquet" in done.stdout, done.stdout
    written = [*(folder / "out").glob("*.parquet"), *(folder / "bad").glob("*.parquet")]
    places = [(path.name, row) for path in written for row in rows_in(path)]
    assert len(places) == len({*places}) == FRAMES, "a frame is lost, or is there twice"
    assert not [*(folder / "out").glob(".pending/*")]
    notes = [*(folder / "notes").iterdir()]
    assert (folder / "notes/killed" in notes) == bool(victim)
    lines = [path.read_text().splitlines() for path in notes if path.name != "killed"]
    started = [line.split()[1] for words in lines for line in words]
    assert {*started} == {path.name for path in (folder / "in").iterdir()}
    assert started.count("2.parquet") == (2 if victim else 1)
    return [{line.split()[0] for line in words} for words in lines]


def rows_in(path: Path) -> list[int]:
    rows: list[int] = pq.read_table(path, columns=["row"])["row"].to_pylist()
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["", "worker", "executor"])
def test_spark_itself(data: Path, tmp_path: Path, victim: str) -> None:
    """Two executors of Spark: keys are read once per process, and what dies is done again."""
    pyspark = pytest.importorskip("pyspark", reason="pip install pyspark pandas, and Java 17")
    if not (Path(pyspark.__file__).parent / "jars").is_dir():
        pytest.skip("pip install pyspark: this is pyspark-client, which has no Spark")
    tables = engine_run(tmp_path, data, "spark", "local-cluster[2,1,1024]", victim)
    assert len(tables) >= 2 and all(len(ones) == 1 for ones in tables)


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["", "worker"])
def test_ray_itself(data: Path, tmp_path: Path, victim: str) -> None:
    """A local Ray; it needs an idle machine to start."""
    pytest.importorskip("ray.data", reason="pip install 'ray[data]'")
    tables = engine_run(tmp_path, data, "ray", None, victim)
    assert all(len(ones) == 1 for ones in tables)


@pytest.mark.slow
def test_ray_example(data: Path) -> None:
    pytest.importorskip("ray.data", reason="pip install 'ray[data]'")
    shown = script("ray_open.py", data).splitlines()[-3:]  # Ray may warn before
    assert shown == ["opened: 3956", "forged: 40", "unknown device: 4"]


def test_command_through_pysail(data: Path, tmp_path: Path) -> None:
    """--engine spark with a server of Spark Connect."""
    need_pysail()
    server = __import__("pysail.spark").spark.SparkConnectServer()
    server.start(background=True)
    cluster = f"sc://127.0.0.1:{server.listening_address[1]}"
    open_by_command(data, tmp_path, "--engine", "spark", "--cluster", cluster)
    server.stop()


PEAK = """
import atexit, sys
from pathlib import Path
from hanji.cli.main import app
def said():
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("VmHWM")), file=sys.stderr)
atexit.register(said)
app()
"""


@pytest.mark.slow
def test_memory_is_bounded(tmp_path: Path) -> None:
    """A million devices: less than 1 GB, and eight files of a million frames take no more than
    four, with which the one partition of what might be replayed is full."""
    folder = tmp_path / "data"
    script("make_frames.py", folder, 8_000_000, 1_000_000)
    peaks = []
    for pattern, frames in (("000[0-3]", 4_000_000), ("*", 8_000_000)):
        words = ["telemetry", "open", folder / f"in/{pattern}.parquet", "--threads", 2, "--json"]
        words += ["-o", tmp_path / f"out{frames}", "--rejected", tmp_path / f"bad{frames}"]
        words += ["--masters", folder / "masters.parquet"]
        done = subprocess.run(
            [sys.executable, "-c", PEAK, *map(str, words)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["read"] == frames
        peaks.append(int(done.stderr) / 1e6)  # KiB: about GB
    print(f"\npeaks: {peaks[0]:.3f} and {peaks[1]:.3f} GB")
    assert max(peaks) < 1
    assert peaks[1] < peaks[0] + 0.05


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    found, waiting = set(), [pid]
    while waiting:
        for path in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                children = {int(word) for word in path.read_text().split()}
                waiting += children - found
                found |= children
    return found


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] not in "ZX"


def end_in_the_middle(folder: Path, data: Path, engine: str, number: int) -> None:
    """A run that gets a signal while workers have files open ends by it, soon, with all that it has
    started; the next one, of another engine, does what is missing. Workers may notice that their
    command was killed when they have finished a file: then it is done."""
    whole = pq.read_table(data / "in/0000.parquet")
    (folder / "in").mkdir()
    pq.write_table(whole.slice(0, FRAMES // 2), folder / "in/0.parquet")
    pq.write_table(pa.concat_tables([whole] * 1000), folder / "in/1.parquet")
    (folder / "in/2.parquet").hardlink_to(folder / "in/1.parquet")
    pq.write_table(whole.slice(FRAMES // 2), folder / "in/3.parquet")
    command = [sys.executable, "-m", "hanji.cli", "telemetry", "open", "in/*.parquet", "--json"]
    command += ["-o", "out", "--rejected", "bad", "--masters", str(data / "masters.parquet")]
    parts = folder / "out/.pending"
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(
            [*command, "--engine", engine, "--threads", "2"], cwd=folder, stdout=said, stderr=said
        )
        try:
            until = time.monotonic() + 3000
            while not [*parts.glob("[12].parquet.*.part")] and process.poll() is None:
                assert time.monotonic() < until, "no worker opens a file"
                time.sleep(0.05)
            assert process.poll() is None, (folder / "said").read_text()
            started = descendants(process.pid)
            process.send_signal(number)
            status = process.wait()
        finally:
            process.kill()
            process.wait()
    shown = (folder / "said").read_text()
    assert status == (-number if number == signal.SIGKILL else 128 + number), (status, shown)
    if number != signal.SIGKILL:
        assert "Traceback" not in shown, shown
    assert started
    until = time.monotonic() + 600
    while any(map(alive, started)):
        assert time.monotonic() < until, "what it has started lives on"
        time.sleep(0.1)
    finished = [place for place in (1, 2) if (parts / f"{place}.parquet{job._RECORD}").exists()]
    assert not finished or number == signal.SIGKILL
    for place in {1, 2} - {*finished}:
        (folder / f"in/{place}.parquet").unlink()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    about = json.loads(done.stdout)
    read = FRAMES * (1 + 1000 * len(finished))
    assert (about["opened"], about["rejected"], about["read"]) == (3916, read - 3916, read)
    results = [path for name in ("out", "bad") for path in (folder / name).glob("*.parquet")]
    assert sum(pq.read_metadata(path).num_rows for path in results) == read
    if not finished:
        places = [(path.name, row) for path in results for row in rows_in(path)]
        assert len(places) == len({*places}) == FRAMES, "a frame is lost, or is there twice"
    assert not parts.exists()


SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGKILL]


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_ray_ends_with_the_command(data: Path, tmp_path: Path, number: int) -> None:
    """Ray's own handler of SIGTERM ends a process with another status."""
    pytest.importorskip("ray.data", reason="pip install 'ray[data]'")
    end_in_the_middle(tmp_path, data, "ray", number)


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_spark_ends_with_the_command(data: Path, tmp_path: Path, number: int) -> None:
    pyspark = pytest.importorskip("pyspark", reason="pip install pyspark pandas, and Java 17")
    if not (Path(pyspark.__file__).parent / "jars").is_dir():
        pytest.skip("pip install pyspark: this is pyspark-client, which has no Spark")
    end_in_the_middle(tmp_path, data, "spark", number)
