# SPDX-License-Identifier: Apache-2.0
"""Break-even points: found in the cycles of two libraries, compared with what the library has."""

from pathlib import Path

import pytest
from debian import need

import hanji
from hanji_lab import results
from hanji_lab.checkout import find_checkout
from hanji_lab.kernels import least, own_tiers
from hanji_lab.measure import Harness, breakeven

ROOT = find_checkout(Path(__file__))


@pytest.fixture(autouse=True)
def buildable() -> None:
    """The library of the checkout says which kernels it has, so it is built."""
    need("cmake", "gcc")


def test_the_point_is_where_the_least_is_lost() -> None:
    assert breakeven.first((1, 2, 3, 4), (1.0, 3.0, 4.0, 5.0), (2.0, 2.0, 4.1, 4.0)) == 2
    assert breakeven.first((1, 2, 3, 4), (3.0, 1.0, 4.0, 5.0), (2.0, 2.0, 2.0, 2.0)) == 3, (
        "a lucky first point does not count"
    )
    assert breakeven.first((1, 2, 3), (1.0, 2.0, 3.0), (2.0, 2.0, 2.0)) == 2, (
        "the least of like ones"
    )
    assert breakeven.first((1, 2), (1.0, 1.0), (2.0, 2.0)) is None
    assert breakeven.last((1, 2, 3), (3.0, 3.0, 1.0), (2.0, 2.0, 2.0)) == 2
    assert breakeven.last((1, 2), (1.0, 3.0), (2.0, 2.0)) is None


def test_a_loss_is_that_of_the_worst_number() -> None:
    points, alone, lanes = (1, 2, 3), (1.0, 2.0, 3.0), (2.0, 2.0, 2.0)
    assert [breakeven.loss(point, points, alone, lanes) for point in (1, 2, 3, 4, None)] == [
        2.0,
        1.0,
        1.0,
        1.5,
        1.5,
    ]


def test_numbers_are_the_first_and_those_around_a_full_vector_of_half_the_lanes() -> None:
    assert breakeven.counts(4) == [1, 2, 3]
    assert breakeven.counts(16) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert breakeven.counts(32) == [1, 2, 3, 4, 5, 6, 7, 8, 16, 17]


def test_the_points_of_the_library_are_those_of_its_tables() -> None:
    table = least(ROOT)
    for name, tier, operation, size in (
        ("speck-64/128", "avx2", "ctr", 8),
        ("simon-128/128", "avx512", "decrypt", 8),
    ):
        rows = [
            row
            for row in hanji.kernels()
            if (row["algorithm"], row["tier"], row["operation"]) == (name, tier, operation)
        ]
        if rows:  # this build has the tier
            assert breakeven.chosen(table, name, tier, operation) == (
                min(row["minimum"] for row in rows),
                size,
            )
            assert breakeven.chosen(table, name, tier, *breakeven.LANES) is not None
            assert breakeven.chosen(table, "schwaemm256-128", tier, "fleet") is not None
    assert breakeven.chosen(table, "speck-64/128", "portable", "permute") is None


STORED = [
    entry for path in sorted(ROOT.glob("results/break-even-*.json")) for entry in results.read(path)
]
# the measured points of some pairs lie so near each other that another run may choose the other
MOST = 0.2


@pytest.mark.parametrize("tier", sorted({entry["kernel"].partition(" ")[2] for entry in STORED}))
def test_the_library_chooses_what_was_measured(tier: str) -> None:
    """Nothing is timed here: figures that are stored, the table of the sources, and what its points
    lose by those figures.
    """
    table = least(ROOT)
    if not any(row == tier for _, row, _ in table):
        pytest.skip(f"a build for this processor has no {tier}")
    wrong, seen = [], 0
    for entry in STORED:
        name, _, its_tier = entry["kernel"].partition(" ")
        if its_tier != tier or entry["library_has"] is None:
            continue
        operations = (
            (entry["operation"],)
            if entry["operation"] != "fleet" or name in breakeven.SPONGES
            else breakeven.LANES
        )
        chosen = breakeven.chosen(table, name, tier, *operations)
        assert chosen is not None, f"{name} has no rows for {operations} with {tier}"
        loses = (
            breakeven.loss(
                chosen[0], entry["points"], entry["cycles_alone"], entry["cycles_in_lanes"]
            )
            - 1
        )
        if loses > MOST:
            what = f"{name} {entry['operation']} of {entry['bytes']} bytes"
            wrong.append(
                f"{what}: {chosen[0]} stands in the table, {entry['break_even']} is best: "
                f"{loses:.0%} is lost"
            )
        seen += 1
    assert seen > 40
    assert not wrong, (
        "change the kernel tables or measure again (hanji-lab measure break-even --save):\n"
        + "\n".join(wrong)
    )


def test_unmeasured_variants_have_the_points_of_their_kin() -> None:
    """A cipher of another key size in the same table has the same kernels."""
    table = least(ROOT)
    if not any(tier == "avx2" for _, tier, _ in table):
        pytest.skip("a build for this processor has no avx2")
    measured = {entry["kernel"].partition(" ")[0] for entry in STORED}
    strange = set()
    for name in {name for name, tier, _ in table if tier == "avx2" and "/" in name} - measured:
        family, _, rest = name.partition("/")
        original = "-original" if rest.endswith("-original") else ""
        kin = [
            other
            for other in measured
            if other.partition("/")[0] == family and other.endswith("-original") == bool(original)
        ]
        points = [
            {key[1:]: row for key, row in table.items() if key[0] == which}
            for which in (name, *kin)
        ]
        if not any(points[0] == other for other in points[1:]):
            strange.add(name)
    assert not strange, (
        f"{sorted(strange)}: not measured, and not like a cipher of their block size that was"
    )


class Machine(Harness):
    """What the measurement asks a harness for, with cycles that are known: lanes cost as much as
    three blocks or four messages.
    """

    def __init__(
        self, root: Path, family: str = "gcc", variant: str = "", macros: object = None
    ) -> None:
        self.root, self.compiler, self.lanes = root, "gcc", variant == "always"
        self.block_sizes = {one.name: one.block_size for one in hanji.algorithms()}

    def force(self, tier: str) -> None:
        pass

    def measure(
        self, name: str, operation: str, size: int, rounds: int = 41
    ) -> tuple[float, float]:
        return 300.0 if self.lanes else 100.0 * size / self.block_sizes[name], 0.0

    def measure_fleet(
        self, name: str, messages: int, size: int, rounds: int = 21, longest: int = 0
    ) -> float:
        if messages == breakeven.LONG_MESSAGES:
            return size * (2.0 if self.lanes else 1.0) + (0 if self.lanes else 3000)
        return 400.0 if self.lanes else 100.0 * messages


def test_known_cycles_give_known_points(monkeypatch: pytest.MonkeyPatch) -> None:
    if len(own_tiers(ROOT)) < 2:
        pytest.skip("this processor has no vectors that hanji has kernels for")
    monkeypatch.setattr(breakeven, "Harness", Machine)
    found = list(breakeven.break_even(ROOT, "gcc", "a test"))
    points = {(result.kernel, result.operation): result.more["break_even"] for result in found}
    tier = own_tiers(ROOT)[-1]
    assert (
        points[f"simon-64/128 {tier}", "decrypt"] == 3
        and points[f"schwaemm256-128 {tier}", "fleet"] == 4
    )
    assert points[f"cham-128/128 {tier}", "longest in lanes"] == 2048
    has = {(result.kernel, result.operation): result.more["library_has"] for result in found}
    table = least(ROOT)
    loses = {
        (result.kernel, result.operation): result.more["library_loses"]
        for result in found
        if "library_loses" in result.more
    }
    chosen = breakeven.chosen(table, "speck-64/128", tier, "encrypt")
    assert chosen is not None and has[f"speck-64/128 {tier}", "encrypt"] == chosen[0]
    assert loses[f"speck-64/128 {tier}", "encrypt"] == round(
        max((chosen[0] - 1) / 3, 3 / chosen[0], 1) - 1, 3
    )
