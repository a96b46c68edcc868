# SPDX-License-Identifier: Apache-2.0
"""The quick set has tests of every file, and is as quick as it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import quick

from hanji_lab.patience import timeout

ROOT = Path(__file__).resolve().parents[2]
A, B = "tests/test_a.py", "tests/test_b.py"
MOST = 360


def times(functions: dict[str, tuple[float, int, tuple[str, ...]]], **shared: float) -> quick.Times:
    return quick.Times(functions, shared)


def test_every_file_is_represented_however_dear() -> None:
    """Of a dear function with many parameters the first test stands for its file; then whole
    functions, cheapest first."""
    stored = times(
        {
            f"{A}::dear": (1000.0, 100, ()),
            f"{B}::mid": (5.0, 1, ()),
            f"{B}::cheap": (0.1, 9, ()),
            f"{B}::more": (20.0, 1, ()),
        }
    )
    choice = quick.choose(stored.functions, stored, budget=16.0)
    assert choice.first == {f"{A}::dear"}
    assert choice.whole == {f"{B}::cheap", f"{B}::mid"}
    assert 15.1 <= choice.seconds <= 16.0


def test_shared_work_is_paid_once() -> None:
    """A build that one test of a file cannot do without makes others that need it cheap."""
    needs = ("build",)
    stored = times(
        {
            f"{A}::alone": (0.1, 1, needs),
            f"{B}::light": (3.0, 1, ()),
            f"{B}::also": (0.2, 1, needs),
        },
        build=10.0,
    )
    choice = quick.choose(stored.functions, stored, budget=12.0)
    assert choice.whole == {f"{A}::alone", f"{B}::also"} and not choice.first
    assert quick.choose([f"{B}::light", f"{B}::also"], stored, budget=5.0).whole == {f"{B}::light"}
    assert stored.total(stored.functions) == pytest.approx(13.3)
    assert stored.total([f"{A}::alone"] * 3) == pytest.approx(10.1), "once, for all its parameters"


def test_files_without_a_stored_time_are_represented_and_named() -> None:
    stored = times({f"{B}::known": (0.1, 1, ())})
    choice = quick.choose([f"{A}::new", f"{A}::newer", f"{B}::known"], stored, budget=2.0)
    assert choice.first == {f"{A}::new"} and choice.unknown == {A}
    assert choice.whole == {f"{B}::known"}


def test_parameters_that_were_not_measured_are_not_taken() -> None:
    """They may need builds of which nothing is known."""
    stored = times({f"{A}::cheap": (0.1, 1, ()), f"{A}::other": (0.2, 2, ())})
    choice = quick.choose([f"{A}::cheap"] * 2 + [f"{A}::other"] * 2, stored, budget=5.0)
    assert choice.whole == {f"{A}::other"} and choice.first == {f"{A}::cheap"}


def test_stored_times_are_read_as_written(tmp_path: Path) -> None:
    stored = times(
        {f"{A}::one": (0.25, 3, ("build x", "tests::y")), f"{B}::Class::two": (1.0, 1, ())},
        **{"build x": 2.5, "tests::y": 1.0},
    )
    stored.write(tmp_path / "times.json")
    assert quick.Times.read(tmp_path / "times.json") == stored
    assert quick.Times.read(tmp_path / "absent.json") == quick.Times()


def collected(*options: str) -> tuple[set[str], str]:
    """Files of the tests that pytest would run, and what it says."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        *options,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout(120))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return {
        line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line
    }, done.stdout


def test_quick_set_of_this_suite() -> None:
    chosen, said = collected("--quick")
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")}
    assert chosen == files, f"no test of {sorted(files - chosen)} is in the quick set"
    assert "minutes of processor time by tests/times.json" in said
    stored = quick.Times.read()
    all_of_them = [key for key, row in stored.functions.items() for _ in range(row[1])]
    spent = quick.choose(all_of_them, stored).seconds
    # Of 6 minutes on 2 cores, tests that wait and tests on one core take their share.
    assert spent <= MOST, f"the quick set takes {spent:.0f} s of processor time, {MOST} at most"


def test_control_quick_and_slow_together_are_refused() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "--quick",
        "--slow",
        "tests/front",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout(120))
    assert done.returncode == 4 and "give one of them" in done.stderr
