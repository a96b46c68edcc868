# SPDX-License-Identifier: Apache-2.0
"""docs/status.md has a row for every algorithm, with dates; the check for releases finds what is
missing or too old.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path

import pytest

import hanji

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import status  # noqa: E402

NAMES = [a.name for a in hanji.algorithms()]
TEXT = status.PAGE.read_text(encoding="utf-8")


def test_every_algorithm_has_a_row_with_dates() -> None:
    assert status.problems(status.rows(TEXT), NAMES) == []


def test_what_is_broken_says_so() -> None:
    broken = {a.name for a in hanji.algorithms() if a.broken}
    said = {
        name for row in status.rows(TEXT) if "**broken**" in row.rests_on for name in row.algorithms
    }
    assert said == broken


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("`simon-32/64`, ", "", "simon-32/64: has no row"),
        ("`ctr`", "`ctr`, `cmac`", "cmac: has 2 rows"),
        ("`ctr`", "`ctr`, `ofb`", "ofb: is no algorithm of hanji list"),
        ("| 2024-08-08 |", "| August 2024 |", "'August 2024' is no date of publication"),
        ("| 2018-04 | 2026-11-22 |", "| 2018-04 | 2026-13-22 |", "'2026-13-22' is no day"),
    ],
)
def test_control_what_is_wrong_is_found(old: str, new: str, message: str) -> None:
    assert TEXT.count(old) >= 1
    said = status.problems(status.rows(TEXT.replace(old, new, 1)), NAMES)
    assert len(said) >= 1
    assert message in said[0]


def test_control_a_row_with_an_empty_cell_is_found() -> None:
    with pytest.raises(ValueError, match="a row has 5 cells, 4 of them filled"):
        status.rows(TEXT.replace("| 2018-04 |", "| |", 1))


def test_looks_of_more_than_90_days_ago_are_due() -> None:
    found = status.rows(TEXT)
    looked = max(datetime.date.fromisoformat(row.looked) for row in found)
    oldest = min(datetime.date.fromisoformat(row.looked) for row in found)
    day = datetime.timedelta(days=1)
    assert status.due([row for row in found if row.looked == str(looked)], looked + 90 * day) == []
    assert len(status.due(found, looked + 91 * day)) == len(found)
    assert any("-1 days ago" in said for said in status.due(found, oldest - day))
    for today, code in ((looked + 91 * day, 1), (oldest - day, 1)):
        done = subprocess.run(
            [sys.executable, ROOT / "tools/status.py", "--today", str(today)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == code
        assert "a release needs one of the last 90 days" in done.stderr
    if (looked - oldest).days <= 90:
        done = subprocess.run(
            [sys.executable, ROOT / "tools/status.py", "--today", str(looked)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert f"{len(NAMES)} algorithms" in done.stdout


def test_a_release_is_refused_before_anything_is_made() -> None:
    """`make release` goes through `make status`."""
    done = subprocess.run(
        ["make", "--dry-run", "release"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert 0 <= done.stdout.find("tools/status.py") < done.stdout.find("tools/release.py")
