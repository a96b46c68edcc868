# SPDX-License-Identifier: Apache-2.0
"""Which tests run, in which order, and how a failure is reported.

Two markers sort the tests. `quick` tests need little time and run with `--quick` (make test);
`slow` tests run with `--slow` alone (make test-all). Without an option, everything but the slow
tests runs: the CI set. No limit of time fails a run, except that a test which hangs is ended.
"""

from __future__ import annotations

import os
import shlex

import pytest

SLOW = pytest.StashKey[bool]()

pytest_plugins = ["pytester"]


@pytest.fixture
def rainbow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python package has Rainbow: in this process, which keeps it, and in those it starts."""
    import with_rainbow

    with_rainbow.use(monkeypatch)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="run the quick tests only (make test)")
    parser.addoption("--slow", action="store_true", help="run slow tests, too (make test-all)")


def pytest_configure(config: pytest.Config) -> None:
    # Under `make test`, a make that a test starts would otherwise count as part of that one.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "GNUMAKEFLAGS"):
        os.environ.pop(name, None)
    asked = (config.getoption("markexpr") or "").replace("not slow", "")
    wants_slow = config.getoption("--slow") or "slow" in asked
    if config.getoption("--quick") and wants_slow:
        raise pytest.UsageError("--quick and slow tests were asked for together: give one of them")
    config.stash[SLOW] = wants_slow
    config.pluginmanager.register(Failures(config), "hanji-failures")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = [
        item
        for item in items
        if (config.stash[SLOW] or not item.get_closest_marker("slow"))
        and (not config.getoption("--quick") or item.get_closest_marker("quick"))
    ]
    gone = set(items) - set(kept)
    if gone:
        config.hook.pytest_deselected(items=[item for item in items if item in gone])
    # Files with quick tests come first, so that most mistakes show within minutes. Files stay
    # whole, because their tests share fixtures.
    early = {item.path for item in kept if item.get_closest_marker("quick")}
    items[:] = sorted(kept, key=lambda item: item.path not in early)


class Failures:
    """Shows each failure as soon as it happens, with the command that runs this test again."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.failed:
            return
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        crash = getattr(report.longrepr, "reprcrash", None)
        lines = str(crash.message if crash else report.longrepr).strip().splitlines()
        reporter.ensure_newline()
        reporter.line(f"FAILED {report.nodeid}: {lines[0] if lines else report.when}", red=True)
        command = f".venv/bin/python -m pytest {shlex.quote(report.nodeid)}"
        slow = " --slow" if "slow" in report.keywords else ""
        reporter.line(f"       run it again: {command}{slow}")
