# SPDX-License-Identifier: Apache-2.0
"""The test runner itself: time budgets, slow tests, missing tools, limits of time."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path

import debian
import pytest
from meter import Meter, living

from hanji_lab import patience

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of one quick and one slow test under a budget of half a second, in CI; the quick one
    works for SECONDS. Its meter takes the core as quiet."""
    text = (TESTS / "conftest.py").read_text()
    cut, count = re.subn(r'Part\("foundation", \d+,', 'Part("foundation", 0.5,', text)
    assert count == 1
    tests = pytester.mkdir("tests")
    (tests / "conftest.py").write_text(cut)
    for module in ("quick.py", "debian.py"):
        shutil.copy(TESTS / module, tests)
    meter, count = re.subn(
        r"^METER = Meter\(patience\.slowness\)$",
        "METER = Meter()",
        (TESTS / "meter.py").read_text(),
        flags=re.MULTILINE,
    )
    assert count == 1
    (tests / "meter.py").write_text(meter)
    (tests / "test_it.py").write_text(
        "import os, subprocess, sys, time, pytest\n"
        "def test_quick():\n"
        "    if os.environ['SECONDS'] == 'sleep': time.sleep(0.7)\n"
        "    else: subprocess.run([sys.executable, '-c', f'while "
        '__import__("time").process_time() < {os.environ["SECONDS"]}: pass\'])\n'
        "@pytest.mark.slow\ndef test_slow(): time.sleep(0.4)\n"
    )
    monkeypatch.setenv("CI", "true")
    return pytester


def outcome(
    suite: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    seconds: str,
    *options: str,
) -> pytest.RunResult:
    monkeypatch.setenv("SECONDS", seconds)
    return suite.runpytest_subprocess("tests", *options)


def test_within_budget(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting costs no processor time, and so no budget: another process may have the machine."""
    result = outcome(suite, monkeypatch, "sleep")
    assert result.ret == 0
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(
        ["*processor time by part*", "foundation: 0.* s of 0.5 s", "*1 passed, 1 deselected*"],
    )


def test_over_budget_fails_in_ci(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test waits for a child, which does the work."""
    result = outcome(suite, monkeypatch, "0.6")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "ERROR: part 'foundation' took*processor time; its budget is 0.5 s*",
            "*1 passed, 1 deselected*",
        ]
    )


@pytest.mark.parametrize("ci", ["", "false", "0"])
def test_over_budget_is_a_remark_elsewhere(
    suite: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    ci: str,
) -> None:
    monkeypatch.setenv("CI", ci)
    result = outcome(suite, monkeypatch, "0.6")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["remark: part 'foundation' took*its budget is 0.5 s*"])


@pytest.mark.parametrize("options", [["--slow"], ["-m", "slow"]])
def test_slow_tests_have_no_budget(
    suite: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
) -> None:
    result = outcome(suite, monkeypatch, "0.6", *options)
    assert result.ret == 0
    result.assert_outcomes(
        passed=2 if options == ["--slow"] else 1,
        deselected=0 if options == ["--slow"] else 1,
    )


def test_not_slow_is_not_slow(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    result = outcome(suite, monkeypatch, "0", "-m", "not slow")
    result.assert_outcomes(passed=1, deselected=1)


def suite_conftest() -> types.ModuleType:
    """tests/conftest.py by its path: other folders have a module of that name, too."""
    found = importlib.util.spec_from_file_location("suite_conftest", TESTS / "conftest.py")
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module  # its dataclasses look there
    found.loader.exec_module(module)
    return module


def test_budgets_leave_room_in_ci() -> None:
    """Each part has a budget, together 70 minutes of processor time at most: CI stops after 90
    minutes on two cores."""
    conftest = suite_conftest()
    assert sum(part.seconds for part in conftest.PARTS) <= conftest.MOST == 70 * 60
    named = [directory for part in conftest.PARTS for directory in part.directories]
    assert len(named) == len(set(named)) and "" in named
    assert {"small", "proofs", "telemetry", "ship"} <= {part.name for part in conftest.PARTS}


def spin(seconds: float) -> str:
    return f"import time\nwhile time.process_time() < {seconds}: pass\n"


@pytest.mark.skipif(
    not any(Path("/proc").glob("self/task/*/children")),
    reason="this kernel does not list the children of a process",
)
def test_a_child_that_lives_on_is_charged_to_who_started_it() -> None:
    """One test leaves a child behind, which works while another test only waits."""
    meter = Meter()
    with meter.charge("first"):
        child = subprocess.Popen(
            [sys.executable, "-c", spin(0.8) + "input()"],
            stdin=subprocess.PIPE,
        )
        try:
            while not living(os.getpid()):
                pass
        except BaseException:
            child.kill()
            raise
    with meter.charge("second"):
        before = os.times()
        while sum(living(os.getpid()).values()) < 0.5:
            pass
        own = sum(os.times()[:2]) - sum(before[:2])
    child.kill()
    child.wait()
    child.stdin.close()
    assert meter.spent["first"] >= 0.4
    assert meter.spent["second"] <= own + 0.2


def test_grandchildren_count_and_nothing_counts_twice() -> None:
    meter = Meter()
    with meter.charge("tests"):
        inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin(0.3)!r}])"
        subprocess.run([sys.executable, "-c", inner], check=True)
    with meter.charge("later"):
        pass
    assert 0.3 <= meter.spent["tests"] <= 1.0
    assert meter.spent["later"] <= 0.1


def test_a_core_that_is_shared_is_no_fault_of_the_tests() -> None:
    """What a core needs twice the time for is charged once; the mean of what was seen before and
    after counts."""
    seen = iter((1.0, 1.0, 3.0, 1.0, 1.0))
    meter = Meter(lambda: next(seen))
    with meter.charge("slow"):
        exec(spin(time.process_time() + 0.4))
    assert 0.15 <= meter.spent["slow"] <= 0.3


def test_slowness_is_measured_and_one_at_least() -> None:
    patience._last = None
    assert 1.0 <= patience.slowness() < 20
    before = patience._last
    assert patience.slowness() == patience._last[2] and patience._last is before


def test_shared_work_has_an_account_of_its_own() -> None:
    meter = Meter()
    with meter.charge("test"):
        with meter.charge("build x", shared=True):
            subprocess.run([sys.executable, "-c", spin(0.3)], check=True)
        with meter.charge("build x", shared=True):
            pass
    assert meter.spent["build x"] >= 0.3 and meter.spent["test"] <= 0.1
    assert meter.needs["test"] == {"build x"}


def test_limits_of_time_grow_with_load_and_a_slow_processor() -> None:
    fast, cores = patience.REFERENCE, 2
    assert patience.scale(fast, fast, 1.0, cores) == 1.0
    assert patience.scale(fast / 3, fast / 3, 0.0, cores) == 1.0, (
        "a faster machine must not wait less"
    )
    assert patience.scale(4 * fast, 4 * fast, 1.0, cores) == pytest.approx(4)
    assert patience.scale(fast, 3 * fast, 1.0, cores) == pytest.approx(3)
    assert patience.scale(2 * fast, 2 * fast, 20.0, cores) == pytest.approx(20)
    assert patience.timeout(60) >= 60


def limits(source: str) -> Iterator[int]:
    """Lines of calls whose limit of time is a number of its own."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if (
                    keyword.arg == "timeout"
                    and isinstance(keyword.value, ast.Constant)
                    and keyword.value.value is not None
                ):
                    yield node.lineno


def test_every_limit_of_time_is_scaled() -> None:
    folders = (TESTS, ROOT / "lab", ROOT / "tools")
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in folders
        for path in folder.rglob("*.py")
        for line in limits(path.read_text())
    ]
    assert not found, (
        f"write timeout=timeout(SECONDS), with timeout of hanji_lab.patience: {', '.join(found)}"
    )


def test_control_an_unscaled_limit_is_found() -> None:
    assert list(
        limits("run(command,\n    timeout=60)\nrun(timeout=timeout(60))\nwait(timeout=None)\n"),
    ) == [1]


@pytest.mark.parametrize(("factor", "status"), [(1.0, 1), (100.0, 0)])
def test_the_limit_of_each_test_is_scaled(
    suite: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    factor: float,
    status: int,
) -> None:
    """pytest-timeout ends a test after its limit on an idle machine; a busy machine waits
    longer."""
    suite.makeini("[pytest]\ntimeout = 0.3\n")
    conftest_path = suite.path / "tests/conftest.py"
    changed = conftest_path.read_text().replace(
        "\nfrom hanji_lab import patience\n",
        f"\nfrom hanji_lab import patience\npatience.factor = lambda: {factor}\n",
    )
    assert f"lambda: {factor}" in changed
    conftest_path.write_text(changed)
    assert outcome(suite, monkeypatch, "sleep").ret == status


@pytest.fixture
def one_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = tmp_path / "packages.txt"
    listing.write_text("# comment\nhere-1 | true | a thing\nmissing-1 | false | another\n")
    monkeypatch.setattr(debian, "LIST", listing)
    debian.packages.cache_clear()
    debian.present.cache_clear()
    yield
    debian.packages.cache_clear()
    debian.present.cache_clear()


@pytest.mark.usefixtures("one_missing")
def test_a_missing_tool_skips_here_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("HANJI_REQUIRE_ALL", raising=False)
    debian.need("here-1")
    with pytest.raises(pytest.skip.Exception, match="apt-get install missing-1"):
        debian.need("here-1", "missing-1")
    for name, value in (("CI", "true"), ("CI", "1"), ("HANJI_REQUIRE_ALL", "1")):
        monkeypatch.setenv(name, value)
        with pytest.raises(pytest.fail.Exception, match="missing-1"):
            debian.need("missing-1")
        monkeypatch.delenv(name)
    with pytest.raises(KeyError, match="not in"):
        debian.need("unlisted-1")
