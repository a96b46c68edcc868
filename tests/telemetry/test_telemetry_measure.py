# SPDX-License-Identifier: Apache-2.0
"""`hanji-lab measure telemetry`: what its results hold, and that wrong counts are no figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanji_lab.checkout import LabError
from hanji_lab.measure import telemetry

ROOT = Path(__file__).resolve().parents[2]


def test_columns_are_measured() -> None:
    """The program runs with tables of every size; its figures are no test."""
    for result in telemetry.columns(ROOT, "gcc", "a command", (1, 1000), 2000, 1):
        assert result.kernel == "hanji_telemetry_open" and result.more["frames"] == 2000
        assert all(result.more.values()) and "src/telemetry/keys.c" in result.provenance.sources


def test_lakes_are_measured() -> None:
    lake = telemetry.lake
    made = [*lake(ROOT, "gcc", "a command", frames=4000, devices=300, turns=1, engines=("",))]
    ways = [(result.kernel, result.operation) for result in made]
    assert ways == [
        ("Polars", "pass"),
        ("Polars", "open"),
        ("hanji telemetry open", "open"),
    ]
    for result in made:
        assert result.more["nanoseconds"] > 0 and result.more["seconds"] > 0, result
        assert result.more["frames"] == 4000 and result.more["devices"] == 300
        assert "examples/telemetry/polars_open.py" in result.provenance.sources
    copied, opened = made[0].more, made[1].more
    added = opened["nanoseconds"] - copied["nanoseconds"]
    assert opened["added_nanoseconds"] == pytest.approx(added, abs=0.2)
    assert made[2].more["peak_memory_bytes"] > 10 << 20


def test_wrong_counts_are_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    right = {"opened": 1_958_000, "forged": 20_000, "replayed": 20_000, "unknown device": 2_000}
    about = {"reasons": right, "opened": 1_958_000, "rejected": 42_000}
    telemetry._check_command(json.dumps(about), 2_000_000)
    wrong = right | {"forged": 19_999, "opened": 1_958_001}
    with pytest.raises(LabError, match=r"'forged': 20000.* expected"):
        telemetry._check_command(json.dumps(about | {"reasons": wrong}), 2_000_000)
    with pytest.raises(LabError, match="expected"):
        telemetry._check_command(json.dumps(about | {"rejected": 41_999}), 2_000_000)
    telemetry._check_polars("first\nopened: 3956\nforged: 40\nunknown device: 4\n", 4000)
    with pytest.raises(LabError, match="'forged': 40"):
        telemetry._check_polars("first\nopened: 3957\nforged: 39\nunknown device: 4\n", 4000)
    with pytest.raises(LabError, match="5 frames expected"):
        telemetry._polars("4 frames, 1.0 s of processor time, 1.0 s of wall time", 5)
    monkeypatch.setattr(telemetry.shutil, "disk_usage", lambda path: type("", (), {"free": 1}))
    with pytest.raises(LabError, match="has no room for"):
        next(telemetry.lake(ROOT, "gcc", "a command", frames=4000, devices=300, turns=1))
