# SPDX-License-Identifier: Apache-2.0
"""Which tests run, and how much processor time each part of the suite may take.

Without options all tests run but the slow ones: the CI set. `--quick` takes the quick set
(quick.py), `--slow` all. Parts name the directories whose tests share a budget of processor time,
in seconds of a quiet core (meter.py). Where CI is set, a run of the CI set in which a part takes
longer than its budget fails; elsewhere that is a remark.
"""

from __future__ import annotations

import collections
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import quick
from debian import in_ci
from meter import METER

from hanji_lab import patience

HERE = Path(__file__).resolve().parent
MOST = 70 * 60  # what all budgets together may be: CI stops a run after 90 minutes on 2 cores


@dataclass(frozen=True)
class Part:
    name: str
    seconds: float  # of processor time of quiet cores, on all cores together
    directories: tuple[str, ...]  # under tests/; "" holds whatever no other part names


PARTS = (
    Part("foundation", 1450, ("",)),
    Part("RV32I", 200, ("rv32",)),
    Part("ARMv8", 380, ("a64",)),
    Part("GPU", 210, ("gpu",)),
    Part("AIMer", 350, ("aimer",)),
    Part("Rainbow", 130, ("rainbow",)),
    Part("report", 75, ("report",)),
    Part("x86-64", 220, ("x86",)),
    Part("installs", 330, ("consumers", "front")),
    Part("small", 190, ("small",)),
    Part("proofs", 360, ("proofs",)),
    Part("telemetry", 120, ("telemetry",)),
    Part("ship", 145, ("ship",)),
)

pytest_plugins = ["pytester"]


def part_of(directory: str, parts: tuple[Part, ...] = PARTS) -> Part:
    """The part that a directory under tests/ belongs to."""
    for part in parts:
        if directory in part.directories:
            return part
    return next(part for part in parts if "" in part.directories)


def function_of(nodeid: str) -> str:
    """tests/c/test_x.py::test_y of tests/c/test_x.py::test_y[z]."""
    return nodeid.partition("[")[0]


def directory_of(owner: str) -> str:
    """The directory under tests/ that a test, a fixture or a build belongs to; builds are no part's
    own."""
    path = Path(owner.split("::")[0])
    inside = path.parts[1:] if path.parts[:1] == ("tests",) else path.parts
    if owner.startswith("build "):
        return "builds"
    return inside[0] if len(inside) > 1 or (inside and not inside[0].endswith(".py")) else "."


class Clock:
    """Adds up the processor time of all tests by directory, and judges it at the end."""

    def __init__(
        self,
        parts: tuple[Part, ...],
        *,
        budgets: bool,
        enforced: bool,
        store: bool,
    ) -> None:
        self.parts, self.budgets, self.enforced, self.store = parts, budgets, enforced, store
        self.counts: collections.Counter[str] = collections.Counter()
        self.fixtures: dict[
            str,
            tuple[str, str],
        ] = {}  # owner -> node and name of a fixture that tests share

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        marker = item.get_closest_marker("timeout")
        seconds = (
            marker.args[0] if marker and marker.args else float(item.config.getini("timeout") or 0)
        )
        if seconds and (marker is None or not marker.kwargs):
            item.add_marker(pytest.mark.timeout(patience.timeout(float(seconds))), append=False)
        function = function_of(item.nodeid)
        self.counts[function] += 1
        names = set(getattr(item, "fixturenames", ()))
        with METER.charge(function):
            result = yield
        METER.needs[function].update(
            owner
            for owner, (node, name) in self.fixtures.items()
            if name in names and item.nodeid.startswith(node)
        )
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        if fixturedef.scope == "function":
            return (yield)
        # belongs to where it is defined, whoever asks first
        owner = f"{fixturedef.baseid or 'tests'}::{fixturedef.argname}"
        self.fixtures[owner] = (fixturedef.baseid, fixturedef.argname)
        with METER.charge(owner):
            return (yield)

    def spent(self) -> dict[str, float]:
        """Processor seconds by directory."""
        sums: collections.Counter[str] = collections.Counter()
        for owner, seconds in METER.spent.items():
            if owner:
                sums[directory_of(owner)] += seconds
        return dict(sums)

    def over(self) -> list[str]:
        """One sentence per part that took longer than its budget."""
        by_part: collections.Counter[Part] = collections.Counter()
        for directory, seconds in self.spent().items():
            by_part[part_of(directory, self.parts)] += seconds
        return [
            f"part {part.name!r} took {seconds:.0f} s of processor time; its budget is {part.seconds:g} s: make tests shorter or mark them slow"
            for part, seconds in by_part.items()
            if seconds > part.seconds
        ]

    def times(self) -> quick.Times:
        """What this run measured, over what is stored of other tests."""
        times = quick.Times.read()
        for owner, seconds in METER.spent.items():
            if owner.startswith("build "):  # one that has nothing left to do says nothing
                times.shared[owner] = max(seconds, times.shared.get(owner, 0.0))
            elif owner and owner not in self.counts and seconds >= 0.2:
                times.shared[owner] = seconds
        for function, count in self.counts.items():
            needs, more = set(), METER.needs[function]
            while more:
                needs |= more
                more = set().union(*(METER.needs[need] for need in more)) - needs
            times.functions[function] = (
                METER.spent[function],
                count,
                tuple(sorted(needs & set(times.shared))),
            )
        for gone in [
            key for key in times.functions if not (HERE.parent / key.partition("::")[0]).exists()
        ]:
            del times.functions[gone]
        used = {need for row in times.functions.values() for need in row[2]}
        times.shared = {owner: seconds for owner, seconds in times.shared.items() if owner in used}
        return times

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self.enforced and exitstatus == pytest.ExitCode.OK and self.over():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self.store and self.counts:
            self.times().write()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        spent = self.spent()
        if not spent:
            return
        terminalreporter.section("processor time by part")
        for part in self.parts:
            rows = {d: s for d, s in spent.items() if part_of(d, self.parts) is part}
            if not rows:
                continue
            budget = f"of {part.seconds:g} s" if self.budgets else "(no budget in this run)"
            terminalreporter.line(f"{part.name}: {sum(rows.values()):.1f} s {budget}")
            for directory, seconds in sorted(rows.items(), key=lambda row: -row[1]):
                terminalreporter.line(f"    {directory:<12} {seconds:7.1f} s")
        terminalreporter.line(
            f"all: {sum(spent.values()):.1f} s of a quiet core, {METER.here:.1f} s as this machine was"
        )
        for sentence in self.over() if self.budgets else []:
            terminalreporter.line(
                ("ERROR: " if self.enforced else "remark: ") + sentence,
                red=self.enforced,
                yellow=not self.enforced,
            )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="run the quick set, which has tests of every file (make test)",
    )
    parser.addoption(
        "--slow",
        action="store_true",
        help="run the slow tests too, without time budget (make test-all)",
    )
    parser.addoption(
        "--store-times",
        action="store_true",
        help="write the processor time of the tests that run into tests/times.json",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: only in make test-all")
    wants_slow = config.getoption("--slow") or "slow" in (
        config.getoption("markexpr") or ""
    ).replace("not slow", "")
    if config.getoption("--quick") and wants_slow:
        raise pytest.UsageError("--quick and slow tests were asked for together: give one of them")
    config.stash[SLOW] = wants_slow
    clock = Clock(
        PARTS,
        budgets=not wants_slow,
        enforced=not wants_slow and in_ci(),
        store=config.getoption("--store-times"),
    )
    config.pluginmanager.register(clock, "hanji-clock")


SLOW = pytest.StashKey[bool]()
SAID = pytest.StashKey[list[str]]()


def deselect(config: pytest.Config, items: list[pytest.Item], kept: list[pytest.Item]) -> None:
    gone = set(items) - set(kept)
    if gone:
        config.hook.pytest_deselected(items=[item for item in items if item in gone])
        items[:] = kept


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.stash[SLOW]:
        return
    deselect(config, items, [item for item in items if not item.get_closest_marker("slow")])
    if not config.getoption("--quick"):
        return
    times, functions = quick.Times.read(), [function_of(item.nodeid) for item in items]
    choice, kept, taken = quick.choose(functions, times), [], set()
    for item, function in zip(items, functions, strict=True):
        if function in choice.whole or (function in choice.first and function not in taken):
            kept.append(item)
            taken.add(function)
    deselect(config, items, kept)
    whole = times.total(functions)
    lines = [
        f"quick set: {len(kept)} of {len(functions)} tests, some of each of the {len({f.partition('::')[0] for f in functions})} files;"
        f" {choice.seconds / 60:.1f} minutes of processor time by tests/times.json",
        f"it will take about {choice.seconds * patience.factor() / 60:.0f} minutes on this machine as it is now",
        f"all tests of CI: make test-ci ({whole / 60:.0f} minutes of processor time or more); the slow ones, too: make test-all",
    ]
    if choice.unknown:
        lines.append(
            f"remark: of {len(choice.unknown)} files no time is stored, so the first test stands for each: {', '.join(sorted(choice.unknown))}",
        )
    config.stash[SAID] = lines


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    return config.stash.get(SAID, [])
