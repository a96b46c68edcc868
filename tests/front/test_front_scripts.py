# SPDX-License-Identifier: Apache-2.0
"""make, tools/deps.sh, tools/venv.sh and .ci/run where something is missing or goes wrong: what
they say, and their exit status.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from debian import in_ci, need

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
TOOLS = (
    "sh",
    "bash",
    "env",
    "dirname",
    "grep",
    "sed",
    "awk",
    "cat",
    "touch",
    "test",
    "true",
    "false",
    "printf",
    "tr",
    "rm",
    "mkdir",
    "nice",
    "tail",
)


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
    program.unlink(missing_ok=True)  # a link to the real one, which must stay as it is
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)


def packages(checkout: Path, *missing: str) -> None:
    lines = ["# a list", "here-1 | true | needed"] + [
        f"{name} | test -e {checkout}/{name} | needed too" for name in missing
    ]
    (checkout / "tests/debian-packages.txt").write_text("\n".join(lines) + "\n")


def run(checkout: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {"PATH": str(checkout / "bin"), "HOME": str(checkout)}
    return subprocess.run(
        command,
        cwd=checkout,
        env=plain | environment,
        capture_output=True,
        text=True,
    )


def test_deps_with_everything_here(checkout: Path) -> None:
    packages(checkout)
    done = run(checkout, "tools/deps.sh")
    assert (
        done.returncode == 0
        and "here     here-1" in done.stdout
        and "Nothing is missing." in done.stdout
    )


def test_every_row_of_the_list_has_three_fields() -> None:
    """A command with `||` would be cut, and its rest shown as what the package is for."""
    rows = (ROOT / "tests/debian-packages.txt").read_text().splitlines()
    rows = [row for row in rows if not row.startswith("#")]
    assert len(rows) > 40 and [row for row in rows if row.count("|") != 2] == []


APT = """
case "$*" in
update*) ;;
*--assume-no*)
    echo "0 upgraded, 7 newly installed, 0 to remove and 1 not upgraded."
    echo "Need to get 117 MB of archives."
    echo "After this operation, 669 MB of additional disk space will be used."
    exit 1 ;;
*) {installing} ;;
esac
"""
SIZES = "  7 packages, dependencies included\n  download: 117 MB\n  disk space: 669 MB\n"


def test_deps_without_root_gives_the_command(checkout: Path) -> None:
    packages(checkout, "absent-1", "absent-2")
    fake(checkout, "id", "echo 1000")
    fake(checkout, "apt-get", APT.format(installing="exit 9"))
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1
    assert SIZES in done.stderr
    assert "missing  absent-1" in done.stdout
    assert (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends absent-1 absent-2"
        in done.stderr
    )


def test_deps_tells_how_much_where_an_architecture_is_unknown(checkout: Path) -> None:
    """apt-get simulates nothing then, so the packages of that architecture are left out."""
    packages(checkout, "absent-1", "absent-2:arm64")
    fake(checkout, "id", "echo 1000")
    fake(checkout, "apt-get", 'case "$*" in *:arm64*) exit 100 ;; esac\n' + APT)
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1
    assert SIZES + "  and the packages of other architectures\n" in done.stderr
    assert "--no-install-recommends absent-1 absent-2:arm64" in done.stderr


def test_deps_as_root_installs(checkout: Path) -> None:
    packages(checkout, "absent-1")
    fake(checkout, "id", "echo 0")
    fake(checkout, "apt-get", APT.format(installing=f"touch {checkout}/absent-1"))
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 0 and "All are here." in done.stdout, done.stdout + done.stderr
    assert SIZES in done.stdout, "it does not say how much it will install"


@pytest.mark.parametrize(
    ("apt", "says"),
    [("exit 100", "could not install"), ("exit 0", "still not usable: absent-1")],
)
def test_deps_as_root_reports_failure(checkout: Path, apt: str, says: str) -> None:
    packages(checkout, "absent-1")
    fake(checkout, "id", "echo 0")
    fake(checkout, "apt-get", apt)
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1 and says in done.stderr


# What `apt-cache madison` prints for packages that the lists of `apt-get update` have.
APT_CACHE = """
for package in {known}; do
    [ "$2" = "$package" ] && echo " $2 | 1.0 | http://deb.example trixie/main amd64 Packages"
done
exit 0
"""
LEFT_OUT = """\
Left out, because this system has no such packages (the list is that of Debian 12): absent-1.
Not tested without them: needed too.
"""


def test_deps_leaves_out_what_the_system_does_not_have(checkout: Path) -> None:
    packages(checkout, "absent-1", "absent-2", "absent-3:arm64")
    fake(checkout, "id", "echo 1000")
    fake(checkout, "apt-get", APT.format(installing="exit 9"))
    fake(checkout, "apt-cache", APT_CACHE.format(known="base-files absent-2 absent-3"))
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1
    assert LEFT_OUT in done.stderr
    assert done.stderr.endswith("--no-install-recommends absent-2 absent-3:arm64\n")


def test_deps_as_root_installs_the_others(checkout: Path) -> None:
    """The lists are empty until `apt-get update` has run, as in an image."""
    packages(checkout, "absent-1", "absent-2")
    fake(checkout, "id", "echo 0")
    lists = APT_CACHE.format(known="base-files absent-2")
    fake(checkout, "apt-cache", f"[ -e {checkout}/updated ] || exit 0\n{lists}")
    apt = 'case "$*" in update*) touch updated ;; *absent-1*) exit 100 ;; esac\n'
    fake(checkout, "apt-get", apt + APT.format(installing=f"touch {checkout}/absent-2"))
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    assert LEFT_OUT + "Installing: absent-2\n" in done.stdout
    assert done.stdout.endswith("All others are here.\n")
    assert (checkout / "updated").exists()
    # and again, when nothing is left to install
    fake(checkout, "apt-get", "exit 9")
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(LEFT_OUT + "Nothing else is missing.\n")


def test_deps_leaves_nothing_out_where_there_are_no_lists(checkout: Path) -> None:
    packages(checkout, "absent-1")
    fake(checkout, "id", "echo 1000")
    fake(checkout, "apt-get", APT.format(installing="exit 9"))
    fake(checkout, "apt-cache", "exit 0")
    done = run(checkout, "tools/deps.sh")
    assert done.returncode == 1 and "Left out" not in done.stderr
    assert done.stderr.endswith("--no-install-recommends absent-1\n")


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ("", "missing: absent-1 absent-2; Debian: apt-get install --no-install-recommends "
             "absent-1 absent-2\n"),
        ("base-files absent-1", "missing: absent-1; Debian: apt-get install "
         "--no-install-recommends absent-1\n"
         "missing: absent-2; this system has no such packages (the list is that of Debian 12)\n"),
    ],
)  # fmt: skip
def test_what_one_target_needs_is_named(checkout: Path, known: str, says: str) -> None:
    packages(checkout, "absent-1", "absent-2")
    fake(checkout, "apt-cache", APT_CACHE.format(known=known))
    done = run(checkout, "tools/deps.sh", "--need", "here-1", "absent-1", "absent-2")
    assert (done.returncode, done.stderr) == (1, says)
    assert run(checkout, "tools/deps.sh", "--need", "here-1").returncode == 0
    assert run(checkout, "tools/deps.sh", "--need", "no-such-row").returncode == 2


@pytest.mark.parametrize("target", ["lint", "format"])
def test_make_names_the_package_of_a_missing_tool(checkout: Path, target: str) -> None:
    need("make")
    shutil.copy(ROOT / "tests/debian-packages.txt", checkout / "tests/debian-packages.txt")
    (checkout / "bin/make").symlink_to(str(shutil.which("make")))
    done = run(checkout, "make", "-o", ".venv/hanji-test.stamp", target)
    assert done.returncode == 2
    assert done.stderr.startswith("missing: clang-format-14"), done.stderr
    assert "; Debian: apt-get install --no-install-recommends clang-format-14" in done.stderr


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
tools/progress.py*) shift; exec "$@" ;;
esac
"""


def python(
    checkout: Path,
    *,
    old: int = 0,
    no_venv: int = 0,
    headers: bool = True,
    venv_fails: int = 0,
) -> None:
    include = checkout / "include"
    include.mkdir(exist_ok=True)
    if headers:
        (include / "Python.h").touch()
    fake(
        checkout,
        "python3",
        PYTHON.format(
            old=old,
            minor=9 if old else 11,
            no_venv=no_venv,
            include=include,
            venv_fails=venv_fails,
        ),
    )


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
            checkout,
            old=int(what == "old python"),
            no_venv=int(what == "no venv"),
            headers=what != "no headers",
            venv_fails=int(what == "read-only"),
        )
    compilers(
        checkout,
        *(
            ["gcc", "g++"]
            if what not in ("no C", "no C++")
            else ["gcc"]
            if what == "no C++"
            else []
        ),
    )
    done = run(checkout, "tools/venv.sh")
    assert done.returncode == 1
    for text in says:
        assert text in done.stderr, done.stderr


def test_venv_reports_a_failed_installation(checkout: Path) -> None:
    """pip's own words come first, then what to do without a network; no stamp is left that would
    hide the failure.
    """
    python(checkout)
    compilers(checkout, "cc", "c++")
    (checkout / ".venv/bin").mkdir(parents=True)
    inside = checkout / ".venv/bin/python"
    inside.write_text(
        '#!/bin/sh\ncase "$*" in *pip*) echo "no matching distribution" >&2; exit 1 ;; esac\n',
    )
    inside.chmod(0o755)
    done = run(checkout, "tools/venv.sh", "test")
    assert done.returncode == 1
    assert (
        "no matching distribution" in done.stderr
        and "PIP_INDEX_URL" in done.stderr
        and "hanji[test]" in done.stdout
    )
    assert not (checkout / ".venv/hanji.stamp").exists()


SETTING_UP = "deps .venv/hanji-test.stamp"


@pytest.mark.parametrize("failing", ["", SETTING_UP, "test", "lint"])
def test_ci_run_fails_when_a_part_fails(checkout: Path, failing: str) -> None:
    """The tests and lint run side by side, also when one of them fails; lint's words are shown."""
    compilers(checkout, "python3")
    fake(
        checkout,
        "make",
        f'echo "CI=$CI make $*" >> {checkout}/log\n[ "$*" != lint ] || echo "a finding"\n'
        f'[ "$*" != "{failing}" ]\n',
    )
    done = run(checkout, "bash", ".ci/run")
    assert (done.returncode != 0) == bool(failing)
    calls = sorted((checkout / "log").read_text().splitlines())
    others = [] if failing == SETTING_UP else ["CI=true make lint", "CI=true make test"]
    assert calls == [f"CI=true make {SETTING_UP}", *others]
    assert ("a finding" in done.stdout) == (failing == "lint")


@pytest.mark.parametrize(
    ("target", "arguments", "quick"),
    [
        ("test", [], True),
        ("test", ["CI="], True),
        ("test", ["CI=false"], True),
        ("test", ["CI=true"], False),
        ("test", ["CI=1"], False),
        ("test", ["PYTEST=tests/c"], False),
        ("test-ci", [], False),
        ("test-all", [], False),
    ],
)
def test_make_leaves_tests_out_only_where_it_may(
    target: str,
    arguments: list[str],
    quick: bool,
) -> None:
    need("make")
    plain = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST")}
    done = subprocess.run(
        ["make", "-n", target, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=plain,
    )
    line = next(line for line in done.stdout.splitlines() if "-m pytest" in line)
    assert ("--quick" in line) == quick and ("--slow" in line) == (target == "test-all"), line


LOCKED_PYTHON = """
echo "$*" >> {log}
case "$*" in *platform.python_implementation*) exit {other} ;; esac
"""


@pytest.mark.parametrize(
    ("ci", "extra", "other", "expected"),
    [
        ("true", "test", 0, True),
        ("1", "test", 0, True),
        ("", "test", 0, False),
        ("false", "test", 0, False),
        ("true", "", 0, False),
        ("true", "test", 1, False),
    ],
)
def test_ci_installs_what_is_locked(
    checkout: Path,
    ci: str,
    extra: str,
    other: int,
    expected: bool,
) -> None:
    """With CI set, tests asked for and the Python of the lock, nothing comes without its hash; else
    the floors hold.
    """
    python(checkout)
    compilers(checkout, "cc", "c++")
    (checkout / ".venv/bin").mkdir(parents=True)
    fake(checkout, "../.venv/bin/python", LOCKED_PYTHON.format(log=checkout / "log", other=other))
    done = run(checkout, "tools/venv.sh", *([extra] if extra else []), CI=ci)
    assert done.returncode == 0, done.stderr
    installs = [
        line for line in (checkout / "log").read_text().splitlines() if "pip install" in line
    ]
    if expected:
        assert (
            len(installs) == 3
            and "--require-hashes --no-deps --only-binary :all: -r tests/ci-lock.txt" in installs[0]
        )
        sources = "--no-binary :all: --no-build-isolation -r tests/ci-lock-sources.txt"
        assert f"--require-hashes --no-deps {sources}" in installs[1]
        assert "--no-deps --no-build-isolation . --editable ./lab" in installs[2]
    else:
        # what builds hanji, then hanji, in the same environment: nothing is compiled twice
        assert len(installs) == 2 and not any("--require-hashes" in line for line in installs)
        assert "scikit-build-core" in installs[0] and "nanobind" in installs[0]
        assert "--no-build-isolation" in installs[1] and "--editable ./lab" in installs[1]
        gpu = "ON" if extra else "OFF"
        assert f"--config-settings=cmake.define.HANJI_GPU={gpu}" in installs[1]


def test_pip_is_given_settings_by_their_long_name() -> None:
    """pip 23.0, which the venv of Debian 12 has, knows --config-settings and no -C."""
    listed = ("git", "grep", "-In", "-e", "-C[a-z-]*[.][a-z]", "-e", "-Cbuild-dir", "--")
    places = (":(glob)**/*.sh", ":(glob)**/*.md", ":(glob)**/Makefile", "python", "tools", ".ci")
    done = subprocess.run([*listed, *places], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, ""), done.stdout + done.stderr


def test_venv_names_what_pyproject_builds_with() -> None:
    script = (ROOT / "tools/venv.sh").read_text()
    for project in ("pyproject.toml", "lab/pyproject.toml"):
        for wanted in tomllib.loads((ROOT / project).read_text())["build-system"]["requires"]:
            assert f"'{wanted}'" in script, (project, wanted)


def test_lock_meets_every_requirement() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/lock.py", "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("pytest==", "pytest==7.0.0+", "7.0.0"),
        ("ruff==0.17.5", "ruff==0.17.4", "ruff==0.17.5 is asked for"),
        ("mypy==2.4.1", "#", "mypy==2.4.1 is not in"),
        (" --hash", "", "not of the form"),
    ],
)
def test_control_a_lock_that_lags_behind_is_seen(
    tmp_path: Path,
    old: str,
    new: str,
    says: str,
) -> None:
    locks = ("tests/ci-lock.txt", "tests/ci-lock-sources.txt")
    for name in ("tools/lock.py", *locks, "pyproject.toml", "lab/pyproject.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    lock = tmp_path / "tests/ci-lock.txt"
    lines = lock.read_text().splitlines(keepends=True)
    at = next(
        i
        for i, line in enumerate(lines)
        if re.match(f"{re.escape(old)}", line) or (old == " --hash" and old in line)
    )
    lines[at] = lines[at].replace(old, new, 1)
    lock.write_text("".join(lines))
    done = subprocess.run(
        [sys.executable, tmp_path / "tools/lock.py", "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and says in done.stdout + done.stderr, done.stdout + done.stderr


def test_ci_runs_with_what_is_locked() -> None:
    """In CI the packages of this environment are those of the lock, which names no registry and has
    a hash on every line.
    """
    sources = (ROOT / "tests/ci-lock-sources.txt").read_text()
    text = (ROOT / "tests/ci-lock.txt").read_text() + sources
    assert re.findall("^([^#=]+)==", sources, re.M) == ["pyspark-client"]  # all others are wheels
    pins = re.findall(r"^([a-z0-9-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$", text, re.M)
    assert len(pins) == len([line for line in text.splitlines() if not line.startswith("#")]) > 50
    assert "://" not in text and "--index" not in text
    if in_ci() and (sys.version_info[:2], sys.platform, platform.machine()) == (
        (3, 11),
        "linux",
        "x86_64",
    ):
        assert {name: metadata.version(name) for name, _ in pins} == dict(pins)


def test_make_lists_its_targets() -> None:
    """Each target of the Makefile has a line of help, and plain `make` prints them."""
    if not shutil.which("make"):
        pytest.skip("no make (Debian: apt-get install make)")
    text = (ROOT / "Makefile").read_text()
    phony = " ".join(re.findall(r"^\.PHONY: (.*)$", text, re.M)).split()
    assert phony
    help_text = subprocess.run(
        ["make", "-s"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout
    listed = re.findall(r"^  make ([\w-]+)", help_text, re.M)
    assert sorted(listed) == sorted(phony)
