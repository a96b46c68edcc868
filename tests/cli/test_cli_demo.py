# SPDX-License-Identifier: Apache-2.0
"""The demonstration runs through, and stops when something is not as it should be."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import hanji as package

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo.py"

# Runs the demonstration with a fleet call that delivers one message wrongly.
SABOTAGED = """
import runpy, sys
from hanji import fleet
decrypt = fleet.decrypt
def wrong(*arguments, **options):
    opened = decrypt(*arguments, **options)
    opened.data[0] ^= 1
    return opened
fleet.decrypt = wrong
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HANJI_")
    }
    command = [sys.executable, *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_demonstration(tmp_path: Path) -> None:
    result = run(tmp_path, str(DEMO))
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"chunk \d+ was altered", result.stdout)
    assert "devices 7, 1234, 5678, 9999 are reported" in result.stdout
    out = tmp_path / "demo-out"
    assert (out / "telemetry.opened.csv").read_bytes() == (out / "telemetry.csv").read_bytes()
    assert not (out / "tampered.csv").exists()
    assert "telemetry.csv: OK\n" in result.stdout
    assert "changed.csv: FAILED" in result.stdout
    assert (out / "telemetry.csv.sig").stat().st_size == 7856  # SLH-DSA-SHAKE-128s
    assert json.loads((out / "fleet.json").read_text())["refused"] == [7, 1234, 5678, 9999]
    assert len(result.stdout.splitlines()) <= 40
    assert "BROKEN" not in result.stdout
    for name in ("ascon-aead128", "ascon-hash256", "speck-128/256", "sha256"):
        assert name in result.stdout
    for backend in package.backends():
        assert backend["name"] in result.stdout.splitlines()[0]
    # Its last line names programs that run as they stand, without an activated environment.
    last = result.stdout.splitlines()[-1]
    program = Path(sys.executable).with_name("hanji")
    assert f"`{program} list`" in last and f"`{program} --help`" in last, last


def test_a_program_under_the_current_folder_is_shown_as_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = runpy.run_path(str(DEMO))["shown"]
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / ".venv/bin/hanji") == ".venv/bin/hanji"
    assert shown(Path("/opt/some place/hanji")) == "'/opt/some place/hanji'"


def test_control_a_wrong_message_stops_the_demonstration(tmp_path: Path) -> None:
    result = run(tmp_path, "-c", SABOTAGED, str(DEMO))
    assert result.returncode == 1
    assert "This is wrong: an opened message differs from what was sealed" in result.stdout
