# SPDX-License-Identifier: Apache-2.0
"""examples/telemetry: the scripts run as they stand, and count what was put in."""

from __future__ import annotations

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
