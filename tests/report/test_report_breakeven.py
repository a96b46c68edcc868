# SPDX-License-Identifier: Apache-2.0
"""Break-even points: found in the cycles of two libraries, compared with what the library has."""

from pathlib import Path

import pytest

import hanji
from hanji_lab.checkout import find_checkout
from hanji_lab.kernels import own_tiers
from hanji_lab.measure import Harness, breakeven

ROOT = find_checkout(Path(__file__))


def test_the_lanes_pay_from_where_they_are_never_slower_again() -> None:
    assert breakeven.first((1, 2, 3, 4), (1.0, 3.0, 4.0, 5.0), (2.0, 2.0, 4.1, 4.0)) == 2
    assert breakeven.first((1, 2, 3, 4), (3.0, 1.0, 4.0, 5.0), (2.0, 2.0, 2.0, 2.0)) == 3, "a lucky first point does not count"
    assert breakeven.first((1, 2), (1.0, 1.0), (2.0, 2.0)) is None
    assert breakeven.last((1, 2, 3), (3.0, 3.0, 1.0), (2.0, 2.0, 2.0)) == 2
    assert breakeven.last((1, 2), (1.0, 3.0), (2.0, 2.0)) is None


def test_the_points_of_the_library_are_those_of_its_tables() -> None:
    for tier in {"avx2", "avx512"} & set(own_tiers(ROOT)):
        least = min(row["minimum"] for row in hanji.kernels() if (row["algorithm"], row["tier"], row["operation"]) == ("speck-64/128", tier, "ctr"))
        assert breakeven.chosen("speck-64/128", tier, "ctr")[0] == least
        assert breakeven.chosen("schwaemm256-128", tier, "fleet") is not None
    assert breakeven.chosen("speck-64/128", "portable", "permute") is None


class Machine(Harness):
    """What the measurement asks a harness for, with cycles that are known: lanes cost as much as three blocks or four messages."""

    def __init__(self, root: Path, family: str = "gcc", variant: str = "", macros: object = None) -> None:
        self.root, self.compiler, self.lanes = root, "gcc", variant == "always"

    def force(self, tier: str) -> None:
        pass

    def measure(self, name: str, operation: str, size: int, rounds: int = 41) -> tuple[float, float]:
        cipher = next(a for a in hanji.algorithms() if a.name == name)
        return 300.0 if self.lanes else 100.0 * size / cipher.block_size, 0.0

    def measure_fleet(self, name: str, messages: int, size: int, rounds: int = 21, longest: int = 0) -> float:
        if messages == breakeven.LONG_MESSAGES:
            return size * (2.0 if self.lanes else 1.0) + (0 if self.lanes else 3000)
        return 400.0 if self.lanes else 100.0 * messages


@pytest.mark.skipif(len(own_tiers(ROOT)) < 2, reason="this processor has no vectors that hanji has kernels for")
def test_known_cycles_give_known_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakeven, "Harness", Machine)
    found = list(breakeven.break_even(ROOT, "gcc", "a test"))
    points = {(result.kernel, result.operation): result.more["break_even"] for result in found}
    tier = own_tiers(ROOT)[-1]
    assert points[f"speck-48/96 {tier}", "decrypt"] == 3 and points[f"schwaemm256-128 {tier}", "fleet"] == 4
    assert points[f"cham-128/128 {tier}", "longest in lanes"] == 2048
    has = {(result.kernel, result.operation): result.more["library_has"] for result in found}
    assert has[f"speck-64/128 {tier}", "ctr"] == breakeven.chosen("speck-64/128", tier, "ctr")[0]
