# SPDX-License-Identifier: Apache-2.0
"""The library keeps its secrets out of branches and addresses, and the check that says so catches leaks that are planted."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji_lab import checkout, ct, spec
from hanji_lab.checkout import LabError, find_checkout

ROOT = find_checkout(Path(__file__))
DEBIAN = {"gcc": "gcc", "clang": "clang-14"}

CONFIGURATIONS = [
    pytest.param(family, level, marks=() if (family, level) == ("gcc", 2) else pytest.mark.slow, id=f"{family}-O{level}")
    for family in DEBIAN
    for level in ct.LEVELS
]


@pytest.fixture(autouse=True)
def tools():
    need("valgrind", "cmake", "gcc")


def checks(report):
    return [entry for entry in report.objects if entry["kind"] == "check"]


@pytest.fixture(scope="module")
def command_objects():
    """What `hanji-lab ct --json` prints about this machine."""
    done = run_command("ct", "--on", "host", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("family", "level"), CONFIGURATIONS)
def test_no_secret_decides_a_branch_or_an_address(family, level, command_objects):
    need(DEBIAN[family])
    if (family, level) == ("gcc", 2):  # what the command does unless told otherwise
        seen = {(entry["group"], entry["subject"]) for entry in command_objects if entry["kind"] == "check"}
    else:
        report = ct.Valgrind(ROOT, family, level).run()
        assert report.problems == []
        seen = {(entry["group"], entry["subject"]) for entry in checks(report)}
    for name, algorithm in spec.ALGORITHMS.items():
        match type(algorithm).__name__:
            case "Sparkle":
                wanted = {("sparkle", name)}
            case "Schwaemm" | "Esch" as kind:
                wanted = {(kind.lower(), spec.identifier(name))}
            case "Aimer":  # one code for all sets: one set of each generation
                wanted = {("aimer", name)} if name in ("aimer2-128f", "aimer1-l1-param1") else set()
            case "Keccak" | "Shares" | "Rainbow":  # within the signatures; in a library and a check of its own
                wanted = set()
            case _:
                modes = ["block", "ctr"] + (["cmac", "eax"] if algorithm.block_size in (8, 16) else [])
                wanted = {(mode, name) for mode in modes}
        assert wanted <= seen, f"no check of {wanted - seen}"


def test_checks_reach_every_source_file():
    files = {file.source: file for file in ct.Coverage(ROOT).files}
    assert set(files) == {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.[chS]")}
    assert [source for source, file in files.items() if file.bare] == []
    assert "block" in files["src/speck/speck.c"].checks
    assert files["src/modes/eax.c"].checks == ("eax", "fleet eax")


# Statements put at the beginning of hanji_equal (src/support/secret.c), which compares secret tags.
PLANTS = {
    "branch": "if (bytes > 0 && a[0] > b[0]) return 0;",
    "address": "static const uint8_t box[256] = {1, 2}; static volatile uint8_t sink; if (bytes > 0) sink = box[a[0]];",
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checkout whose library may be spoilt."""
    root = tmp_path_factory.mktemp("spoilt")
    for part in ("CMakeLists.txt", "include", "src", "cmake"):
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, root / part)
    # What is planted lies in portable C: the vector kernels would take most of the time of the builds.
    switch = 'option(HANJI_PORTABLE "Portable kernels only" '
    text = (root / "CMakeLists.txt").read_text()
    assert text.count(switch + "OFF)") == 1
    (root / "CMakeLists.txt").write_text(text.replace(switch + "OFF)", switch + "ON)"))
    return root


def plant(root, statement):
    source = (ROOT / "src/support/secret.c").read_text()
    spoilt, count = re.subn(r"(int hanji_equal\([^)]*\)\n\{\n)", lambda found: found[1] + statement + "\n", source)
    assert count == 1
    (root / "src/support/secret.c").write_text(spoilt)


@pytest.mark.parametrize("kind", [pytest.param("branch", marks=pytest.mark.slow), "address"])  # the command is tried with the branch below
def test_planted_leak_is_caught(copy, kind):
    plant(copy, PLANTS[kind])
    report = ct.Valgrind(copy, "gcc", 1).run()
    assert not report.passed
    assert all(problem.startswith("src/support/secret.c:") for problem in report.problems), report.problems
    assert any(kind in problem for problem in report.problems), report.problems
    wrong = {entry["group"] for entry in checks(report) if entry["errors"]}
    assert {"schwaemm", "eax", "cmac"} <= wrong
    assert not wrong & {"block", "esch"}


def run_command(*arguments, cwd=ROOT):
    command = [sys.executable, "-m", "hanji_lab.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={**os.environ, "COLUMNS": "200"})


def test_command_reports_a_leak_and_fails(copy):
    plant(copy, PLANTS["branch"])
    done = run_command("ct", "-O", "1", "--on", "host", "--check", "ct-gcc-O1", "--root", str(copy))
    assert done.returncode == 1
    assert "hanji-lab: ct-gcc-O1: src/support/secret.c:" in done.stderr
    assert "a branch depends on a secret" in done.stderr
    assert "ct-gcc-O1: no secret in a branch" not in done.stdout


def test_command_gives_objects(command_objects):
    assert {entry["kind"] for entry in command_objects} == {"control", "check", "file"}
    assert all(entry["errors"] > 0 for entry in command_objects if entry["kind"] == "control" and entry["group"] == "leak")


def test_command_refuses_an_unknown_check():
    done = run_command("ct", "--on", "host", "--check", "ct-tcc-O2")
    assert done.returncode == 1
    assert "--check ct-tcc-O2 given, one of ct-gcc-O2, " in done.stderr


def test_command_refuses_an_unknown_level():
    done = run_command("ct", "-O", "4")
    assert done.returncode == 2


DULL_CONTROLS = """
#include "harness.h"
void run_controls(void)
{
    begin("leak", "nothing leaks here", "none");
    end();
    begin("quiet", "nor here", "none");
    end();
}
"""


def test_result_is_withheld_when_a_control_is_not_caught(copy, tmp_path):
    """Were the check blind, it would say so, and nothing about the library."""
    plant(copy, "")
    (tmp_path / "controls.c").write_text(DULL_CONTROLS)
    report = ct.Valgrind(copy, "gcc", 1, (ct.HERE / "harness.c", tmp_path / "controls.c")).run()
    assert report.problems == ["control 'nothing leaks here' was not caught: the check means nothing here, and no result is given"]
    assert checks(report) == []


def test_controls_are_judged():
    leak, quiet = {"group": "leak", "subject": "l", "errors": 1}, {"group": "quiet", "subject": "q", "errors": 0}
    assert ct.control_problems([leak, quiet]) == []
    assert "'l' was not caught" in ct.control_problems([{**leak, "errors": 0}, quiet])[0]
    assert "'q' was taken for a leak" in ct.control_problems([leak, {**quiet, "errors": 2}])[0]
    assert ct.control_problems([leak]) == ["no control of group 'quiet' ran"]
    assert ct.control_problems([quiet]) == ["no control of group 'leak' ran"]


def test_harness_refuses_to_run_without_valgrind():
    harness = ct.Valgrind(ROOT, "gcc", 2).build()
    done = subprocess.run([harness, "library"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "not under valgrind" in done.stderr


@pytest.mark.parametrize(
    ("program", "message"),
    [("valgrind", "valgrind is not installed.*apt-get install valgrind"), ("cmake", "cmake is not installed.*apt-get install cmake")],
)
def test_missing_program_is_named_with_its_package(monkeypatch, program, message):
    which = shutil.which
    monkeypatch.setattr(checkout.shutil, "which", lambda name: None if name == program else which(name))
    with pytest.raises(LabError, match=message):
        ct.Valgrind(ROOT, "gcc", 2).run()


def test_unknown_compiler():
    with pytest.raises(LabError, match="compiler 'tcc' given, gcc or clang expected"):
        checkout.find_compiler("tcc")
