# SPDX-License-Identifier: Apache-2.0
"""The test runner itself: quick and slow tests, reports of failures, missing tools."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import debian
import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
# Folders whose tests need foreign compilers, emulators or proofs: no test of theirs is quick.
DEAR = {"a64", "proofs", "rv32", "ship", "small", "x86"}


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A suite with this project's conftest.py; its files sort as the names of plain files do."""
    tests = pytester.mkdir("tests")
    shutil.copy(TESTS / "conftest.py", tests)
    (tests / "test_a_plain.py").write_text("def test_plain(): pass\n")
    (tests / "test_b_mixed.py").write_text(
        "import pytest\n"
        "def test_before(): pass\n"
        "@pytest.mark.quick\ndef test_quick(): pass\n"
        "@pytest.mark.slow\ndef test_slow(): pass\n"
    )
    pytester.makeini("[pytest]\nmarkers =\n    quick: q\n    slow: s\n")
    return pytester


def ran(result: pytest.RunResult) -> list[str]:
    """The names of the tests that ran, in order."""
    return [line.split("::")[1].split()[0] for line in result.outlines if "::test_" in line]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--quick"], ["test_quick"]),
        ([], ["test_before", "test_quick", "test_plain"]),
        (["--slow"], ["test_before", "test_quick", "test_slow", "test_plain"]),
        (["-m", "slow"], ["test_slow"]),
        (["-m", "not slow"], ["test_before", "test_quick", "test_plain"]),
    ],
)
def test_options_choose_tests_and_files_with_quick_tests_come_first(
    suite: pytest.Pytester, options: list[str], expected: list[str]
) -> None:
    result = suite.runpytest_subprocess("-v", "-p", "no:randomly", "tests", *options)
    assert result.ret == 0
    assert ran(result) == expected


def test_quick_and_slow_together_are_refused(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess("--quick", "--slow", "tests")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*give one of them*"])


def test_a_failure_is_shown_at_once_with_the_command_that_repeats_it(
    suite: pytest.Pytester,
) -> None:
    (suite.path / "tests/test_c_wrong.py").write_text(
        "import pytest\n"
        "@pytest.mark.slow\n@pytest.mark.parametrize('x', ['a b'])\n"
        "def test_wrong(x): assert x == 'c', 'it is not c'\n"
        "@pytest.fixture\ndef broken(): raise OSError('no disk')\n"
        "def test_setup(broken): pass\n"
    )
    result = suite.runpytest_subprocess("tests", "--slow")
    assert result.ret == 1
    shown = "tests/test_c_wrong.py::test_wrong?a b?"  # brackets are special in patterns
    result.stdout.fnmatch_lines(
        [
            "FAILED tests/test_c_wrong.py::test_wrong?a b?: AssertionError: it is not c",
            f"*run it again: .venv/bin/python -m pytest '{shown}' --slow",
            "FAILED tests/test_c_wrong.py::test_setup: OSError: no disk",
            "*run it again: .venv/bin/python -m pytest tests/test_c_wrong.py::test_setup",
            "*= FAILURES =*",
        ]
    )


def collected(*options: str) -> set[str]:
    """Files of the tests that pytest would run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}


def test_every_folder_but_those_of_other_machines_has_quick_tests() -> None:
    folders = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    assert {Path(name).parts[1] for name in collected("--quick")} == folders - DEAR


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


def test_missing_terminals_skip_here_and_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> tuple[int, int]:
        raise OSError("out of pty devices")

    monkeypatch.setattr(debian.os, "openpty", none)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("HANJI_REQUIRE_ALL", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"out of pty devices.*mount devpts"):
        debian.need_terminals()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="mount devpts"):
        debian.need_terminals()


def test_every_test_that_makes_a_terminal_asks_for_it() -> None:
    asked = 0
    for path in sorted(TESTS.glob("*/test_*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(r" = (pty\.fork|pty\.openpty|os\.openpty)\(\)", line):
                assert "need_terminals()" in lines[number - 1], f"{path.name}: {number + 1}"
                asked += 1
    assert asked >= 6
