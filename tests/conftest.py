# SPDX-License-Identifier: Apache-2.0
"""Slow tests only on demand, and a time budget per part of the suite.

Parts name the directories whose tests share a budget. A run without slow tests that takes longer than the budget of a part fails.
"""

from __future__ import annotations

import collections
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Part:
    name: str
    seconds: float
    directories: tuple[str, ...]  # under tests/; "" holds whatever no other part names


PARTS = (
    Part("foundation", 600, ("",)),
    Part("RV32I", 300, ("rv32",)),
    Part("ARMv8", 240, ("a64",)),
    Part("GPU", 240, ("gpu",)),
    Part("AIMer", 300, ("aimer",)),
    Part("Rainbow", 240, ("rainbow",)),
    Part("report", 120, ("report",)),
    Part("x86-64", 240, ("x86",)),
    Part("installs", 120, ("consumers", "front")),
)

pytest_plugins = ["pytester"]


def part_of(directory: str, parts: tuple[Part, ...] = PARTS) -> Part:
    """The part that a directory under tests/ belongs to."""
    for part in parts:
        if directory in part.directories:
            return part
    return next(part for part in parts if "" in part.directories)


class Clock:
    """Adds up the time of all test phases by directory and judges it at the end."""

    def __init__(self, parts: tuple[Part, ...], enforced: bool) -> None:
        self.parts, self.enforced = parts, enforced
        self.spent: collections.Counter[str] = collections.Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        path = Path(report.nodeid.split("::")[0])
        inside = path.parts[1:] if path.parts[0] == "tests" else path.parts
        self.spent[inside[0] if len(inside) > 1 else "."] += report.duration

    def over(self) -> list[str]:
        """One sentence per part that took longer than its budget."""
        by_part: collections.Counter[Part] = collections.Counter()
        for directory, seconds in self.spent.items():
            by_part[part_of(directory, self.parts)] += seconds
        return [
            f"part {part.name!r} took {seconds:.0f} s; its budget is {part.seconds:.0f} s: make tests shorter or mark them slow"
            for part, seconds in by_part.items()
            if seconds > part.seconds
        ]

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self.enforced and exitstatus == pytest.ExitCode.OK and self.over():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.spent:
            return
        terminalreporter.section("time by part")
        for part in self.parts:
            rows = {d: s for d, s in self.spent.items() if part_of(d, self.parts) is part}
            budget = f"of {part.seconds:.0f} s" if self.enforced else "(no budget in this run)"
            terminalreporter.line(f"{part.name}: {sum(rows.values()):.1f} s {budget}")
            for directory, seconds in sorted(rows.items(), key=lambda row: -row[1]):
                terminalreporter.line(f"    {directory:<12} {seconds:7.1f} s")
        for sentence in self.over() if self.enforced else []:
            terminalreporter.line("ERROR: " + sentence, red=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too, without time budget (make test-all)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: only in make test-all")
    wants_slow = config.getoption("--slow") or "slow" in (config.getoption("markexpr") or "").replace("not slow", "")
    config.stash[SLOW] = wants_slow
    config.pluginmanager.register(Clock(PARTS, enforced=not wants_slow), "hanji-clock")


SLOW = pytest.StashKey[bool]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.stash[SLOW]:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
