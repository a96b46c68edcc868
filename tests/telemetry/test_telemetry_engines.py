# SPDX-License-Identifier: Apache-2.0
"""examples/telemetry: the scripts run as they stand, and count what was put in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hanji_lab.patience import timeout

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/telemetry"
FRAMES = 4000


def script(name: str, *words: object) -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=timeout(120),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frames") / "data"
    script("make_frames.py", folder, FRAMES, 300)
    return folder


def test_polars(data: Path) -> None:
    """1 % forged, 0.1 % of unknown devices; replays open, for an opener does not look for them."""
    shown = script("polars_open.py", data).splitlines()
    assert shown[0].startswith(f"{FRAMES} frames, ")
    assert shown[1:] == ["opened: 3956", "forged: 40", "unknown device: 4"]
    assert pq.read_metadata(data / "polars.parquet").num_rows == FRAMES
    assert script("polars_open.py", data, "pass").startswith(f"{FRAMES} frames, ")


def test_spark(data: Path) -> None:
    """Through pysail, which speaks Spark's protocol without Java; the keys do not travel."""
    for name in ("pysail", "pyspark"):
        pytest.importorskip(name, reason="pip install 'hanji[spark]' pysail")
    shown = script("spark_open.py", data).splitlines()
    assert shown == ["opened: 3956", "forged: 40", "unknown device: 4"]
    files = [*(data / "spark").glob("**/*.parquet")]
    assert sum(pq.read_metadata(path).num_rows for path in files) == FRAMES


def test_command(data: Path, tmp_path: Path) -> None:
    """The command finds the replays as well."""
    words = [
        "open",
        data / "in/0000.parquet",
        "-o",
        tmp_path / "out",
        "--rejected",
        tmp_path / "bad",
    ]
    words += ["--masters", data / "masters.parquet"]
    done = subprocess.run(
        [sys.executable, "-m", "hanji.cli", "telemetry", *words],
        capture_output=True,
        text=True,
        timeout=timeout(120),
    )
    assert "3,916 opened + 84 rejected = 4,000 read" in done.stdout, done.stdout + done.stderr


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
@pytest.mark.timeout(1200)
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
