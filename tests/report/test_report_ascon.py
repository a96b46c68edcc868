# SPDX-License-Identifier: Apache-2.0
"""Ascon on the host: what is measured, its ratio to portable C, and which goals it answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanji_lab import papers, report
from hanji_lab.kernels import own_tiers
from hanji_lab.measure import Harness, host
from hanji_lab.report import goals, public
from hanji_lab.results import Provenance

ROOT = Path(__file__).resolve().parents[2]


class Machine(Harness):
    """Known cycles: four a byte for one message in portable C, two with a kernel; half a cycle in a
    fleet. Every other call of a tier is disturbed.
    """

    def __init__(self) -> None:
        self.root, self.compiler, self.calls = ROOT, "gcc", 0
        self.told: list[str] = []

    def force(self, tier: str) -> None:
        self.tier = tier

    def measure(
        self, name: str, operation: str, size: int, rounds: int = 41
    ) -> tuple[float, float]:
        self.calls += 1
        assert operation in host.ASCON[name]
        return (4.0 if self.tier == "portable" else 2.0) * size * (1 + self.calls // 2 % 2), 0.0

    def measure_fleet(
        self, name: str, messages: int, size: int, rounds: int = 21, longest: int = 0
    ) -> float:
        return 0.5 * messages * (size + (longest - size) / 2 if longest else size)

    def fleet_bytes(self, messages: int, size: int, longest: int) -> int:
        return messages * (size + longest) // 2

    def provenance(self, *units: str, tier: str = "", **__: object) -> Provenance:
        assert "src/ascon/*" in units
        self.told.append(tier)
        return Provenance({}, ["a tool"], "-O3", "a test", "2026-11-23")


@pytest.fixture(scope="module")
def entries() -> list[dict[str, object]]:
    machine = Machine()
    found = [result.to_json() for result in host._ascon(machine, "a test")]
    assert machine.told == own_tiers(ROOT)
    return found


def test_ratios_are_of_the_least_of_turns(entries: list[dict[str, object]]) -> None:
    """To portable C of the same run; portable rows have none."""
    for entry in entries:
        portable = str(entry["kernel"]).endswith(" portable")
        if entry["operation"] == "fleet, unequal":
            assert entry["ratio_to_equal"] == 1.0
            continue
        many = entry["operation"] == "fleet"
        wanted = None if portable else 0.125 if many else 0.5
        assert entry.get("ratio_to_portable") == wanted, entry
        assert entry["cycles_per_byte"] == (0.5 if many else 4.0 if portable else 2.0)
    grid = report.portable_grid(
        [e for e in entries if "ratio_to_portable" in e], report.Origins("host", ROOT)
    )
    tier = own_tiers(ROOT)[-1]
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in grid.rows}
    assert grid.columns[1:3] == ["16 bytes", "64 bytes"]
    assert rows[f"ascon-aead128 {tier} fleet, 1000 messages at once"][:3] == ["", "0.12", "0.12"]


def test_no_tier_is_measured_without_a_kernel(entries: list[dict[str, object]]) -> None:
    """One message has none on AVX-512."""
    one = {e["kernel"] for e in entries if "messages" not in e}
    assert one == {f"{name} {tier}" for name in host.ASCON for tier in ("portable", "avx2")}
    many = {e["kernel"] for e in entries if "messages" in e}
    assert many == {f"{name} {tier}" for name in host.ASCON for tier in own_tiers(ROOT)}


def test_every_goal_of_ascon_is_answered(entries: list[dict[str, object]]) -> None:
    """Every goal picks one of the rows, and no other row than its own."""
    wanted = [g for g in papers.data(goals.FILE)["goals"] if "ascon" in g["what"]]
    assert len(wanted) == 8
    picked = [goals._picked(entries, goal["select"]) for goal in wanted]
    if own_tiers(ROOT)[-1] == "avx512":
        assert all(picked)
    found = [id(entry) for entry in picked if entry]
    assert len(found) == len(set(found)) >= 5


def test_the_public_c_stands_beside_ours() -> None:
    """Both of one run, with their source."""
    grid = report.ascon_grid()
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in grid.rows}
    assert grid.columns == ["what", "16 bytes", "64 bytes", "1,024 bytes", "16,384 bytes"]
    assert rows["ascon-aead128 ascon-c opt64, clang 14"] == ["332", "547", "4,907", "74,356"]
    assert rows["ascon-aead128 hanji avx2"] == ["316", "526", "4,735", "70,966"]
    assert rows["ascon-hash256 ascon-c opt64, gcc 12"][0] == "700"
    assert "446347f" in grid.note and "one run" in grid.note and "Zen 5" in grid.note
    programs = ["hanji portable", "hanji avx2"]
    programs += ["ascon-c opt64, clang 14", "ascon-c opt64, gcc 12"]
    assert list(rows) == [f"{name} {one}" for name in public.ASCON for one in programs]
    for one in (one for several in public.ASCON.values() for one in several):
        assert set(one.cycles) == set(public.ASCON_SIZES)
