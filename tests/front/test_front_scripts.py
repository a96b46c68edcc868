# SPDX-License-Identifier: Apache-2.0
"""make, tools/deps.sh, tools/venv.sh and .ci/run where something is missing or goes wrong: what they say, and their exit status."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hanji_lab.patience import timeout

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "bash", "env", "dirname", "grep", "sed", "awk", "cat", "touch", "test", "true", "false", "printf", "tr", "rm", "mkdir")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The scripts in an otherwise empty checkout, with a PATH of its own in bin/."""
    for name in ("tools/deps.sh", "tools/venv.sh", ".ci/run", "Makefile"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "tests").mkdir()
    (tmp_path / "bin").mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found, name
        (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def fake(checkout: Path, name: str, script: str) -> None:
    program = checkout / "bin" / name
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)


def packages(checkout: Path, *missing: str) -> None:
    lines = ["# a list", "here-1 | true | needed"] + [f"{name} | test -e {checkout}/{name} | needed too" for name in missing]
    (checkout / "tests/debian-packages.txt").write_text("\n".join(lines) + "\n")


def run(checkout: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {"PATH": str(checkout / "bin"), "HOME": str(checkout)}
    return subprocess.run(command, cwd=checkout, env=plain | environment, capture_output=True, text=True, timeout=timeout(60))


def test_deps_with_everything_here(checkout: Path) -> None:
    packages(checkout)
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 0 and "here     here-1" in done.stdout and "Nothing is missing." in done.stdout


def test_deps_without_root_gives_the_command(checkout: Path) -> None:
    packages(checkout, "absent-1", "absent-2")
    fake(checkout, "id", "echo 1000")
    fake(checkout, "apt-get", "exit 9")
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1
    assert "missing  absent-1" in done.stdout
    assert "sudo apt-get update && sudo apt-get install -y --no-install-recommends absent-1 absent-2" in done.stderr


def test_deps_as_root_installs(checkout: Path) -> None:
    packages(checkout, "absent-1")
    fake(checkout, "id", "echo 0")
    fake(checkout, "apt-get", f'[ "$1" = update ] || touch {checkout}/absent-1\n')
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 0 and "All are here." in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(("apt", "says"), [("exit 100", "could not install"), ("exit 0", "still not usable: absent-1")])
def test_deps_as_root_reports_failure(checkout: Path, apt: str, says: str) -> None:
    packages(checkout, "absent-1")
    fake(checkout, "id", "echo 0")
    fake(checkout, "apt-get", apt)
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1 and says in done.stderr


def test_deps_elsewhere_than_debian(checkout: Path) -> None:
    packages(checkout, "absent-1")
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1 and "no apt-get" in done.stderr and "absent-1" in done.stderr


PYTHON = """
case "$*" in
*version_info*) exit {old} ;;
--version) echo "Python 3.{minor}.0" ;;
*ensurepip*) exit {no_venv} ;;
*sysconfig*) echo {include} ;;
*"-m venv"*) exit {venv_fails} ;;
esac
"""


def python(checkout: Path, *, old: int = 0, no_venv: int = 0, headers: bool = True, venv_fails: int = 0) -> None:
    include = checkout / "include"
    include.mkdir(exist_ok=True)
    if headers:
        (include / "Python.h").touch()
    fake(checkout, "python3", PYTHON.format(old=old, minor=9 if old else 11, no_venv=no_venv, include=include, venv_fails=venv_fails))


def compilers(checkout: Path, *names: str) -> None:
    for name in names:
        fake(checkout, name, "")


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("no python", ["no python3", "apt-get install python3"]),
        ("old python", ["Python 3.9.0", "3.11 or newer", "make PYTHON="]),
        ("no venv", ["no venv module", "apt-get install python3-venv"]),
        ("no C", ["no C compiler", "apt-get install gcc g++"]),
        ("no C++", ["no C++ compiler", "apt-get install g++"]),
        ("no headers", ["Python.h", "apt-get install python3-dev"]),
        ("read-only", ["could not make .venv", "writable"]),
    ],
)
def test_venv_says_what_is_missing(checkout: Path, what: str, says: list[str]) -> None:
    if what != "no python":
        python(
            checkout, old=int(what == "old python"), no_venv=int(what == "no venv"), headers=what != "no headers", venv_fails=int(what == "read-only")
        )
    compilers(checkout, *(["gcc", "g++"] if what not in ("no C", "no C++") else ["gcc"] if what == "no C++" else []))
    done = run(checkout, "tools/venv.sh")
    assert done.returncode == 1
    for text in says:
        assert text in done.stderr, done.stderr


def test_venv_reports_a_failed_installation(checkout: Path) -> None:
    """pip's own words come first, then what to do without a network; no stamp is left that would hide the failure."""
    python(checkout)
    compilers(checkout, "cc", "c++")
    (checkout / ".venv/bin").mkdir(parents=True)
    inside = checkout / ".venv/bin/python"
    inside.write_text('#!/bin/sh\ncase "$*" in *pip*) echo "no matching distribution" >&2; exit 1 ;; esac\n')
    inside.chmod(0o755)
    done = run(checkout, "tools/venv.sh", "test")
    assert done.returncode == 1
    assert "no matching distribution" in done.stderr and "PIP_INDEX_URL" in done.stderr and "hanji[test]" in done.stdout
    assert not (checkout / ".venv/hanji.stamp").exists()


@pytest.mark.parametrize(("failing", "expected"), [("", 0), ("deps test", 1), ("lint", 1)])
def test_ci_run_stops_at_the_first_failure(checkout: Path, failing: str, expected: int) -> None:
    compilers(checkout, "python3")
    fake(checkout, "make", f'echo "CI=$CI make $*" >> {checkout}/log\n[ "$*" != "{failing}" ]\n')
    done = run(checkout, "bash", ".ci/run")
    assert (done.returncode != 0) == bool(expected)
    assert (checkout / "log").read_text().splitlines() == ["CI=true make deps test", "CI=true make lint"][: 1 if failing == "deps test" else 2]


def test_make_lists_its_targets() -> None:
    """Each target of the Makefile has a line of help, and plain `make` prints them."""
    if not shutil.which("make"):
        pytest.skip("no make (Debian: apt-get install make)")
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, re.M)
    assert phony
    help_text = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, env=os.environ | {"MAKEFLAGS": ""}).stdout
    listed = re.findall(r"^  make ([\w-]+)", help_text, re.M)
    assert sorted(listed) == sorted(phony[1].split())
