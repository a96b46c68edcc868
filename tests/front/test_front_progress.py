# SPDX-License-Identifier: Apache-2.0
"""tools/progress.py: what it says while pip works, on a terminal and elsewhere."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import progress
import pytest
from debian import need_terminals

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
SAID = """\
Collecting numpy>=1.25 (from hanji==0.2.0)
  Installing build dependencies: started
  *** Configuring CMake...
  [3/412] Building C object hanji.o
  [ 12%] Building C object hanji.o
Installing collected packages: numpy, hanji
"""


@pytest.mark.parametrize(
    ("line", "stage"),
    [
        ("Collecting numpy>=1.25 (from hanji==0.2.0)", ("fetching packages", "numpy")),
        ("  Collecting scikit-build-core>=0.11", ("fetching packages", "scikit-build-core")),
        ("  *** Configuring CMake...", ("asking the compiler what it can do", "")),
        ("  [3/412] Building C object", ("compiling", "3 of 412 steps")),
        ("  [ 12%] Building C object", ("compiling", "12 %")),
        ("Installing collected packages: a", ("installing packages", "")),
        ("  Downloading numpy.whl (17 MB)", None),
        ("", None),
    ],
)
def test_lines_of_pip_have_stages(line: str, stage: tuple[str, str] | None) -> None:
    assert progress.stage(line) == stage


def script(text: str, status: int = 0) -> list[str]:
    """A command that says a text and ends with a status."""
    return [sys.executable, "-c", f"import sys; print({text!r}, end=''); sys.exit({status})"]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "tools/progress.py"), *command],
        capture_output=True,
        text=True,
    )


def test_elsewhere_than_on_a_terminal_a_stage_is_a_line() -> None:
    done = run(*script(SAID))
    assert done.returncode == 0 and done.stderr == ""
    assert [line[8:] for line in done.stdout.splitlines()] == [
        "fetching packages: numpy",
        "asking the compiler what it can do",
        "compiling: 3 of 412 steps",
        "installing packages",
    ]
    assert "\r" not in done.stdout


def test_a_stage_that_goes_on_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    out = io.StringIO()
    line = progress.Line(out)
    for seconds, far in ((0, "1"), (5, "2"), (progress.AGAIN, "3"), (75, "4")):
        now[0] = 100.0 + seconds
        line.say("compiling", far)
    told = ["0:00 compiling: 1", "0:20 compiling: 3", "1:15 compiling: 4"]
    assert [text.strip() for text in out.getvalue().splitlines()] == told


def test_on_a_terminal_one_line_is_written_over() -> None:
    need_terminals()
    ours, theirs = pty.openpty()
    try:
        command = [sys.executable, str(ROOT / "tools/progress.py"), *script(SAID)]
        done = subprocess.run(command, stdout=theirs)
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # the end, on Linux
            pass
    finally:
        os.close(ours)
    assert done.returncode == 0
    assert b"\n" not in said and b"compiling: 3 of 412 steps" in said
    assert said.endswith(b" \r"), "the last line is cleared"


def test_a_failure_gives_what_was_said_and_its_status() -> None:
    done = run(*script("".join(f"line {i}\n" for i in range(500)), 3))
    assert done.returncode == 3
    assert done.stderr.splitlines() == [f"line {i}" for i in range(500 - progress.KEPT, 500)]
    assert run("/no/such/program").returncode == 1
    assert run().returncode == 2


def test_warnings_of_pip_are_passed_on() -> None:
    done = run(*script("WARNING: the cache is off\nCollecting numpy\n"))
    assert done.returncode == 0 and done.stderr == "WARNING: the cache is off\n"
