# SPDX-License-Identifier: Apache-2.0
"""Fleets on the host: EAX and CMAC beside CTR, and the goals that they answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hanji_lab import papers, report
from hanji_lab.kernels import own_tiers
from hanji_lab.measure import Harness, host
from hanji_lab.report import goals
from hanji_lab.results import Provenance

ROOT = Path(__file__).resolve().parents[2]
CYCLES = {"eax": 3.0, "cmac": 2.0}  # of a byte; CTR and all others: one


class Machine(Harness):
    """Known cycles, and which sources a figure is said to come from."""

    def __init__(self) -> None:
        self.root, self.compiler = ROOT, "gcc"
        self.asked: list[tuple[str, str, int]] = []

    def force(self, tier: str) -> None:
        self.tier = tier

    def measure_fleet(
        self, name: str, messages: int, size: int, rounds: int = 21, longest: int = 0
    ) -> float:
        self.asked.append((self.tier, name, messages))
        return CYCLES.get(name.partition(" ")[0], 1.0) * messages * size

    def fleet_bytes(self, messages: int, size: int, longest: int) -> int:
        return messages * (size + longest) // 2

    def provenance(self, *units: str, **__: object) -> Provenance:
        return Provenance(dict.fromkeys(units, ""), ["a tool"], "-O3", "a test", "2026-11-23")


@pytest.fixture(scope="module")
def measured() -> tuple[Machine, list[dict[str, object]]]:
    """Without a look for the sources of each figure, which takes long."""

    def told(
        harness: Harness, command: str, name: str, tier: str = "", units: Sequence[str] = ()
    ) -> Provenance:
        return harness.provenance(*units)

    machine = Machine()
    with pytest.MonkeyPatch.context() as patched:
        for name in ("cipher_provenance", "sponges"):
            patched.setattr(host, name, told)
        results = list(host._fleets(machine, "a test"))
    for result in results:
        mode = result.operation.partition(", fleet")[0]
        if mode in CYCLES:
            assert result.cycles_per_byte == CYCLES[mode]
            sources = result.provenance.sources
            assert f"src/modes/{mode}_fleet.c" in sources and "src/modes/ctr_fleet.c" not in sources
    return machine, [result.to_json() for result in results]


def test_modes_are_measured_few_and_many(
    measured: tuple[Machine, list[dict[str, object]]],
) -> None:
    asked = measured[0].asked
    many = [ask for ask in asked if ask[0] == "portable" and ask[2] >= host.MANY]
    assert not many, "a million messages are not timed with portable kernels"
    assert {ask[2] for ask in asked if ask[1] == "eax speck-64/128"} >= {1, 2, 16, 17}


def test_names_say_the_mode(measured: tuple[Machine, list[dict[str, object]]]) -> None:
    names = {report.fleet_name(entry) for entry in measured[1]}
    assert "speck-64/128 EAX, 17 messages of 64 bytes" in names
    assert "speck-64/128 CMAC, 1,000 messages of 1,024 bytes" in names
    assert "speck-64/128, 32,768 messages of 1,024 bytes" in names


def test_goals_of_fleets_of_modes_pick_rows(
    measured: tuple[Machine, list[dict[str, object]]],
) -> None:
    wanted = [
        goal
        for goal in papers.data(goals.FILE)["goals"]
        if goal["select"].get("operation") in ("eax, fleet", "cmac, fleet")
    ]
    assert len(wanted) == 4
    if own_tiers(ROOT)[-1] == "avx512":
        assert all(goals._picked(measured[1], goal["select"]) for goal in wanted)
