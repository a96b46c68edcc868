# SPDX-License-Identifier: Apache-2.0
"""hanji-lab sweep finds a slowdown that was planted, and reports nothing else. Time is always made
up here: it is injected, or it is a count of calls.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from hanji_lab import cli
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.measure import sweep
from hanji_lab.measure.sweep import Comparison, Point

ROOT = find_checkout(Path(__file__))
A, B, C = (Point("speck-64/128", "ctr", size) for size in (15, 16, 17))


class Machine:
    """A machine with injected times: each point takes a second in the old build and
    `factor(point, visit)` seconds in the new one.
    """

    def __init__(self, factor: Callable[[Point, int], float]) -> None:
        self.factor, self.visits, self.places = factor, dict.fromkeys((A, B, C), 0), list[int]()

    def measure(self, point: Point, seconds: float) -> Comparison:
        assert seconds > 0
        factor = self.factor(point, self.visits[point])
        self.visits[point] += 1
        return Comparison(point, 1.0, factor, factor)

    def slower(self) -> list[Point]:
        found = sweep.judged((A, B, C), self.measure, self.places.append, 1, 0.05)
        return [one.point for one in found if one.confirmed]


def test_a_slowdown_beyond_the_tolerance_is_found_at_its_length_alone() -> None:
    assert Machine(lambda point, visit: 1.1 if point == B else 1.0).slower() == [B]
    assert Machine(lambda point, visit: 1.04 if point == B else 1.0).slower() == []
    assert Machine(lambda point, visit: 0.5).slower() == []


def test_a_disturbance_of_the_first_measurements_is_not_reported() -> None:
    machine = Machine(lambda point, visit: 1.5 if point == B and visit < sweep.ROUNDS else 1.0)
    assert machine.slower() == []
    assert machine.visits == {A: 3, B: 3 + sweep.AGAIN, C: 3}
    assert machine.places == [0, 1, 2, 0, 1, 2, 3], "other places in every turn"


def test_code_that_is_slow_at_some_addresses_only_is_not_reported() -> None:
    assert Machine(lambda point, visit: 1.2 if visit != 4 else 1.0).slower() == []


def test_neighbours_are_reported_together_with_the_worst_of_them() -> None:
    found = [
        Comparison(Point("x", "ctr", size), 1.0, ratio, ratio, ratio > 1.05)
        for size, ratio in ((1, 1.0), (2, 1.1), (3, 1.3), (4, 1.0), (9, 1.2))
    ]
    shown = [(s.first, s.last, s.worst.new) for s in sweep.stretches(found)]
    assert shown == [(2, 3, 1.3), (9, 9, 1.2)]
    mean, best, worst = sweep.averages(found)["x", "ctr"]
    assert (best, worst) == (1.0, 1.3)
    assert mean == pytest.approx((1.1 * 1.3 * 1.2) ** 0.2)


def test_the_grid_has_every_short_length_and_the_borders_of_long_ones() -> None:
    assert sweep.LENGTHS[:131] == tuple(range(131))
    assert {255, 256, 257, 1023, 1024, 1025, 2047, 2048} <= set(sweep.LENGTHS)
    assert sweep.LENGTHS[-1] == sweep.LONGEST == 2048
    assert len(set(sweep.LENGTHS)) == len(sweep.LENGTHS)
    series = {point.series for point in sweep.points()}
    assert ("speck-64/128", "ctr, key in the call") in series
    assert ("ascon-aead128", "fleet decrypt, 64 B each") in series


ONLY = ("speck-64/128 ctr", "ascon-aead128 encrypt", "speck-64/128 fleet cmac")


@pytest.fixture(scope="module")
def own() -> sweep.Side:
    """The working tree."""
    return sweep.side(ROOT, str(ROOT))


class Clock:
    """A clock on which every call takes a microsecond. It disturbs one slice of 13, so neither the
    least of five slices nor the median of five pairs can contain a disturbance.
    """

    def __init__(self) -> None:
        self._readings, self._lost = 0, 0.0

    def __call__(self, calls: int) -> float:
        self._readings += 1
        if self._readings % 26 == 5:
            self._lost += 30e-6
        return 1e-6 * calls + self._lost


def test_a_build_is_as_fast_as_itself(own: sweep.Side) -> None:
    """Both sides are the same library, so every report would be false."""
    chosen = sweep.points(ONLY, (0, 1, 16, 65), (1, 16))
    found, hertz = sweep.sweep(ROOT, own, own, chosen, minutes=0.02, clock=Clock())
    assert [one.point for one in found] == chosen
    assert not [one for one in found if one.confirmed]
    assert sweep.average(found) == pytest.approx(1.0, abs=1e-6)
    assert hertz > 0


@pytest.mark.parametrize("size", [0, 64])
def test_a_build_that_was_slowed_on_purpose_is_named_with_its_length(
    own: sweep.Side, size: int
) -> None:
    """A control: the new side makes 10 % more calls where messages have this length."""
    chosen = sweep.points(ONLY[:2], (0, 63, 64, 65))
    found, _ = sweep.sweep(ROOT, own, own, chosen, minutes=0.02, planted=size, clock=Clock())
    slower = {one.point for one in found if one.confirmed}
    assert slower == {point for point in chosen if point.size == size}
    assert [(one.first, one.last) for one in sweep.stretches(found)] == [(size, size)] * 2
    for one in found:
        assert one.ratio == pytest.approx(1.1 if one.confirmed else 1.0, abs=1e-6)


def test_results_that_differ_end_the_sweep(own: sweep.Side, tmp_path: Path) -> None:
    """A control: the new side encrypts another text."""
    folder = tmp_path / "lab/measure"
    folder.mkdir(parents=True)
    for name in ("sweep_calls.c", "sweep_runner.c", "sweep.h", "chain.h"):
        text = (ROOT / "lab/measure" / name).read_text()
        (folder / name).write_text(text)
    pair = sweep.Pair(tmp_path, own, own, "gcc", tmp_path)
    broken = (folder / "sweep_calls.c").read_text()
    assert broken.count("t->at.out, t->at.in, t->at.bytes, &t->ctr") == 1
    (folder / "sweep_calls.c").write_text(
        broken.replace(
            "t->at.out, t->at.in, t->at.bytes, &t->ctr",
            "t->at.out, t->at.in + 1, t->at.bytes, &t->ctr",
        )
    )
    other = sweep.Pair(tmp_path, own, own, "gcc", tmp_path)
    pair._shims = [[a[0], b[1]] for a, b in zip(pair._shims, other._shims, strict=True)]
    pair.reload(0)
    assert pair.compare(Point("ascon-hash256", "hash", 16), 0.001).old > 0
    with pytest.raises(LabError, match="different results: speck-64/128 ctr, 16 bytes"):
        pair.compare(B, 0.001)


def test_calls_of_an_older_interface_are_found_in_a_file_of_their_own(
    own: sweep.Side, tmp_path: Path
) -> None:
    folder = tmp_path / "lab/measure"
    folder.mkdir(parents=True)
    calls = (ROOT / "lab/measure/sweep_calls.c").read_text()
    (folder / "sweep.h").write_text((ROOT / "lab/measure/sweep.h").read_text())
    (folder / "sweep_calls.c").write_text(calls.replace("hanji_ctr(", "hanji_ctr_of_tomorrow("))
    made = tmp_path / "made"
    made.mkdir()
    alone = sweep.Side("old", tmp_path / "none", own.archive, None)
    with pytest.raises(LabError, match="compiles with the headers of old"):
        alone.shim(tmp_path, "gcc", made, 0)
    (folder / "sweep_calls_of_today.c").write_text(calls)
    assert own.shim(tmp_path, "gcc", made, 0).is_file()


def test_a_call_that_one_build_lacks_is_skipped(own: sweep.Side) -> None:
    unknown = Point("speck-64/128", "no such call", 16)
    found, _ = sweep.sweep(ROOT, own, own, [B, unknown], minutes=0.01)
    assert [one.point for one in found] == [B]
    with pytest.raises(LabError, match="none of these calls is in both builds"):
        sweep.sweep(ROOT, own, own, [unknown], minutes=0.01)


def test_a_side_is_a_revision_a_tree_or_a_build_folder(own: sweep.Side) -> None:
    assert own.root == ROOT
    assert own.tier is None
    by_folder = sweep.side(ROOT, f"{own.archive.parent}@portable")
    assert (by_folder.archive, by_folder.tier) == (own.archive, "portable")
    for text, said in (
        ("no-such-revision", "neither a revision"),
        ("HEAD@avx3", "tier 'avx3' given, one of portable"),
        (str(ROOT / "docs"), "neither a revision"),
    ):
        with pytest.raises(LabError, match=said):
            sweep.side(ROOT, text)


def test_the_sources_of_a_revision_are_exported_once() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository: sources of an archive")
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    folder = sweep.export(ROOT, head)
    assert (folder / "include/hanji/common.h").is_file()
    assert not (folder / "docs").exists()
    before = folder.stat().st_mtime_ns
    assert sweep.export(ROOT, head).stat().st_mtime_ns == before


@pytest.mark.slow
def test_a_revision_is_built_and_compared() -> None:
    """The exit status depends on times, so that of the report is not judged."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository: sources of an archive")
    arguments = ["sweep", "HEAD", ".", "--only", "speck-64/128 ctr", "--lengths", "1,16"]
    done = CliRunner().invoke(cli.app, [*arguments, "--minutes", "0.05"])
    assert "2 points; on average" in done.output


def test_the_command_prints_averages_and_what_became_slower(
    monkeypatch: pytest.MonkeyPatch, own: sweep.Side
) -> None:
    found = [Comparison(B, 1e-6, 1.2e-6, 1.2, True), Comparison(C, 1e-6, 1e-6, 1.0)]
    monkeypatch.setattr(sweep, "sweep", lambda *_, **__: (found, 1e9))
    monkeypatch.setattr(sweep, "side", lambda *_: own)
    arguments = ["sweep", "OLD", ".", "--only", "speck-64/128 ctr", "--lengths", "16-17"]
    done = CliRunner().invoke(cli.app, arguments)
    assert done.exit_code == 1
    assert "1.20 at 16" in done.output
    assert "1000 -> 1200" in done.output
    assert "on average (geometric mean over the rows above) the working tree takes 1.095" in (
        done.output
    )
    as_json = CliRunner().invoke(cli.app, [*arguments, "--json"])
    assert '"ratio": 1.2' in as_json.stdout
    left = [*arguments, "--lengths", "15-17"]
    assert "1 of 3 points were skipped" in CliRunner().invoke(cli.app, left).output


def test_the_planted_length_reaches_the_measurement(
    monkeypatch: pytest.MonkeyPatch, own: sweep.Side
) -> None:
    given: list[object] = []

    def measured(*arguments: object) -> tuple[list[Comparison], float]:
        given.extend(arguments)
        return [Comparison(B, 1e-6, 1e-6, 1.0)], 1e9

    monkeypatch.setattr(sweep, "sweep", measured)
    monkeypatch.setattr(sweep, "side", lambda *_: own)
    only = ["--only", "speck-64/128 ctr", "--lengths", "16"]
    done = CliRunner().invoke(cli.app, ["sweep", ".", ".", *only, "--plant", "64"])
    assert (done.exit_code, given[-1]) == (0, 64)
    assert "no point is more than 5 % slower" in done.output


@pytest.mark.parametrize(
    ("option", "text", "least", "most"),
    [
        ("--counts", "0-3", 1, 130),
        ("--counts", "131", 1, 130),
        ("--lengths", "2049", 0, 2048),
        ("--lengths", "7-3", 0, 2048),
        ("--lengths", "1,,2", 0, 2048),
        ("--lengths", "1-2-3", 0, 2048),
        ("--lengths", "\u0663", 0, 2048),
    ],
)
def test_wrong_numbers_are_refused(option: str, text: str, least: int, most: int) -> None:
    done = CliRunner().invoke(cli.app, ["sweep", option, text])
    assert isinstance(done.exception, LabError)
    assert f"{option} {text!r} given; numbers from {least} to {most} expected" in (
        str(done.exception)
    )
