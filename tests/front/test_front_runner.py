# SPDX-License-Identifier: Apache-2.0
"""The test runner itself: time budget, slow tests, missing tools."""

from __future__ import annotations

from pathlib import Path

import debian
import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A suite of one quick and one slow test, under a budget of 0.2 seconds, whose quick test takes as long as SECONDS says."""
    text = CONFTEST.read_text()
    assert 'Part("foundation", 600,' in text
    tests = pytester.mkdir("tests")
    (tests / "conftest.py").write_text(text.replace('Part("foundation", 600,', 'Part("foundation", 0.2,'))
    (tests / "test_it.py").write_text(
        "import os, time, pytest\ndef test_quick(): time.sleep(float(os.environ['SECONDS']))\n@pytest.mark.slow\ndef test_slow(): time.sleep(0.4)\n"
    )
    return pytester


def outcome(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, seconds: str, *options: str) -> pytest.RunResult:
    monkeypatch.setenv("SECONDS", seconds)
    return suite.runpytest_subprocess("tests", *options)


def test_within_budget(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    result = outcome(suite, monkeypatch, "0")
    assert result.ret == 0
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["*time by part*", "foundation: 0.* s of 0 s", "*1 passed, 1 deselected*"])


def test_over_budget_fails(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    result = outcome(suite, monkeypatch, "0.4")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["ERROR: part 'foundation' took*its budget is*"])


@pytest.mark.parametrize("options", [["--slow"], ["-m", "slow"]])
def test_slow_tests_have_no_budget(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    result = outcome(suite, monkeypatch, "0.4", *options)
    assert result.ret == 0
    result.assert_outcomes(passed=2 if options == ["--slow"] else 1, deselected=0 if options == ["--slow"] else 1)


def test_not_slow_is_not_slow(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    result = outcome(suite, monkeypatch, "0", "-m", "not slow")
    result.assert_outcomes(passed=1, deselected=1)


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
    for name, value in (("CI", "true"), ("HANJI_REQUIRE_ALL", "1")):
        monkeypatch.setenv(name, value)
        with pytest.raises(pytest.fail.Exception, match="missing-1"):
            debian.need("missing-1")
        monkeypatch.delenv(name)
    with pytest.raises(KeyError, match="not in"):
        debian.need("unlisted-1")
