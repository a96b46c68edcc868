# SPDX-License-Identifier: Apache-2.0
"""The library keeps its secrets out of branches and addresses, and the check that says so catches
leaks that are planted.
"""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from copies import copy_with_portable_kernels
from debian import need

import hanji
from hanji_lab import checkout, ct, spec
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.ct import rainbow, verdicts

ROOT = find_checkout(Path(__file__))
DEBIAN = {"gcc": "gcc", "clang": "clang-14"}

CONFIGURATIONS = [
    pytest.param(
        family,
        level,
        marks=() if (family, level) == ("gcc", 2) else pytest.mark.slow,
        id=f"{family}-O{level}",
    )
    for family in DEBIAN
    for level in ct.LEVELS
]


# The first test waits for the whole command: builds, and everything under valgrind.
pytestmark = pytest.mark.timeout(1200)


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
        seen = {
            (entry["group"], entry["subject"])
            for entry in command_objects
            if entry["kind"] == "check"
        }
    else:
        report = ct.Valgrind(ROOT, family, level).run()
        assert report.problems == []
        seen = {(entry["group"], entry["subject"]) for entry in checks(report)}
    assert unchecked(hanji.algorithms(), seen) == []


def unchecked(algorithms, seen):
    """The algorithms of the catalogue that no check looks at, of the groups and subjects that ran."""
    alone = {subject for group, subject in seen if not group.startswith("fleet")}
    families = {subject.partition("-")[0] for _, subject in seen} | {
        name.partition("-")[0] for name in rainbow.SETS.values()
    }
    missing = []
    for one in algorithms:
        match one.kind:
            case "block":
                modes = ["block", "ctr"] + (["cmac", "eax"] if one.block_size in (8, 16) else [])
                found = all((mode, one.name) in seen for mode in modes)
            case "mode":
                found = any(group == one.name for group, _ in seen)
            case "permutation" | "aead" | "hash" | "xof":
                found = not alone.isdisjoint({one.name, spec.identifier(one.name)})
            case "signature":  # one code for all sets of a generation
                found = one.name.partition("-")[0] in families
            case _:
                found = False
        if not found:
            missing.append(one.name)
    return missing


def test_control_an_algorithm_that_nothing_checks_is_seen():
    seen = {
        ("block", "speck-64/128"),
        ("ctr", "speck-64/128"),
        ("fleet eax", "walnut128"),
        ("esch", "esch256"),
        ("aimer", "aimer9-128f"),
    }
    one = hanji.algorithms()[0]
    made = [
        ("speck-64/128", "block"),  # without CMAC and EAX
        ("ctr", "mode"),
        ("cmac", "mode"),
        ("walnut128", "aead"),
        ("esch256", "hash"),
        ("aimer9-256s", "signature"),
        ("aimer8-256s", "signature"),
        ("new", "kind"),
    ]
    algorithms = [
        dataclasses.replace(one, name=name, kind=kind, block_size=8) for name, kind in made
    ]
    assert unchecked(algorithms, seen) == [
        "speck-64/128",
        "cmac",
        "walnut128",
        "aimer8-256s",
        "new",
    ]


def test_checks_reach_every_source_file(command_objects):
    files = {entry["source"]: entry for entry in command_objects if entry["kind"] == "file"}
    assert set(files) == {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.[chS]")}
    bare = [file for file in files.values() if 0 < file["functions"] == len(file["unreached"])]
    assert [file["source"] for file in bare] == []
    assert "block" in files["src/speck/speck.c"]["checks"]
    assert files["src/modes/eax.c"]["checks"] == ["eax", "fleet eax", "telemetry"]


# Statements put at the beginning of hanji_equal (src/support/secret.c), which compares secret tags.
PLANTS = {
    "branch": "if (bytes > 0 && a[0] > b[0]) return 0;",
    "address": (
        "static const uint8_t box[256] = {1, 2}; static volatile uint8_t sink; if (bytes > 0) "
        "sink = box[a[0]];"
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checkout whose library may be spoilt."""
    return copy_with_portable_kernels(ROOT, tmp_path_factory.mktemp("spoilt"))


def plant(root, statement):
    source = (ROOT / "src/support/secret.c").read_text()
    spoilt, count = re.subn(
        r"(int hanji_equal\([^)]*\)\n\{\n)", lambda found: found[1] + statement + "\n", source
    )
    assert count == 1
    (root / "src/support/secret.c").write_text(spoilt)


# the command is tried with the branch below, and all kinds are planted in test_lab_ct_plants.py
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["branch", "address"])
def test_planted_leak_is_caught(copy, kind):
    plant(copy, PLANTS[kind])
    report = ct.Valgrind(copy, "gcc", 1).run()
    assert not report.passed
    # the portable kernels divide less often than the record of the whole library says
    problems = [problem for problem in report.problems if " recorded for " not in problem]
    assert all(problem.startswith("src/support/secret.c:") for problem in problems), problems
    assert any(kind in problem for problem in problems), problems
    wrong = {entry["group"] for entry in checks(report) if entry["errors"]}
    assert {"ascon", "schwaemm", "eax", "cmac"} <= wrong
    assert not wrong & {"block", "esch"}
    with_tags = {
        entry["group"] for entry in checks(report) if "associated data" in entry["secrets"]
    }
    assert with_tags <= wrong | {"fleet wide"}, f"no tag check of {with_tags - wrong} is looked at"


# Each reads what it is given byte by byte through hanji_equal, where a tag is checked or beside it.
ABUSES = {  # the line of a tag check, and a call beside it
    "src/modes/cmac.c": (
        "    const int rc = hanji_equal(whole, tag, tag_bytes) ? HANJI_OK : HANJI_E_TAG;",
        "hanji_equal(whole, guess, 1)",
    ),
    "src/modes/eax.c": (
        "    const int rc = hanji_equal(whole, tag, ctx->tag_bytes) ? HANJI_OK : HANJI_E_TAG;",
        "hanji_equal(whole, guess, 1)",
    ),
    "src/sparkle/schwaemm.c": (
        "    const int equal = hanji_equal(expected, given, 4 * c->capacity);",
        "hanji_equal(expected, guess, 1)",
    ),
}


def test_verdicts_are_public_only_where_they_are_named(copy):
    """A call that reads a byte, on the line before a tag check and in the same function, is not
    taken for that check.
    """
    for source, (line, condition) in ABUSES.items():
        text = (ROOT / source).read_text()
        assert text.count(line + "\n") == 1, source
        asked = (
            f"    static const uint8_t guess[1] = {{7}};\n    static volatile int sink;\n    if "
            f"({condition})\n        sink = 1;\n"
        )
        (copy / source).write_text(text.replace(line, asked + line))
    plant(copy, "")
    try:
        check = ct.Valgrind(copy, "gcc", 1)
        assert verdicts.missing(copy) == []
        checks_, leaks = check.memcheck(check.build(), "library")
    finally:
        for source in ABUSES:
            (copy / source).write_text((ROOT / source).read_text())
    found = {leak.where.partition(":")[0] for leak in leaks}
    assert found == set(ABUSES), found
    assert {"a branch depends on a secret"} == {ct.KINDS[leak.kind] for leak in leaks}
    reasons = {reason for entry in checks_ for reason in entry["released"]}
    assert "whether a tag was right is public (src/modes/cmac.c)" in reasons


def test_verdicts_name_calls_that_are_there(copy):
    assert verdicts.missing(ROOT) == []
    source = "src/modes/eax.c"
    text = (ROOT / source).read_text()
    (copy / source).write_text(
        text.replace(
            "hanji_equal(whole, tag, ctx->tag_bytes)", "hanji_equal(tag, whole, ctx->tag_bytes)"
        )
    )
    try:
        (sentence,) = verdicts.missing(copy)
    finally:
        (copy / source).write_text(text)
    assert sentence.startswith("src/modes/eax.c: no call `hanji_equal(whole, tag, ctx->tag_bytes)`")
    named = {source for source, _ in verdicts.PUBLIC_VERDICTS}
    calling = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.[ch]")
        if "hanji_equal(" in path.read_text()
        and path.parent.name not in ("support", "rainbow", "catalog")
    }
    assert named == calling, "every file that compares tags names its calls"


def run_command(*arguments, cwd=ROOT):
    command = [sys.executable, "-m", "hanji_lab.cli", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env={**os.environ, "COLUMNS": "200"}
    )


def test_command_reports_a_leak_and_fails(copy):
    plant(copy, PLANTS["branch"])
    done = run_command("ct", "-O", "1", "--on", "host", "--check", "ct-gcc-O1", "--root", str(copy))
    assert done.returncode == 1
    assert "hanji-lab: ct-gcc-O1: src/support/secret.c:" in done.stderr
    assert "a branch depends on a secret" in done.stderr
    assert "ct-gcc-O1: no secret in a branch" not in done.stdout


def test_command_gives_objects(command_objects):
    assert {entry["kind"] for entry in command_objects} == {"control", "check", "file"}
    assert all(
        entry["errors"] > 0
        for entry in command_objects
        if entry["kind"] == "control" and entry["group"] == "leak"
    )


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
    report = ct.Valgrind(
        copy, "gcc", 1, (ct.HERE / "harness.c", tmp_path / "controls.c", ct.HERE / "plants.c")
    ).run()
    assert report.problems == [
        (
            "control 'nothing leaks here' was not caught: the check means nothing here, and no "
            "result is given"
        )
    ]
    assert checks(report) == []


def test_controls_are_judged():
    leak, quiet = (
        {"group": "leak", "subject": "l", "errors": 1},
        {"group": "quiet", "subject": "q", "errors": 0},
    )
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
    [
        ("valgrind", "valgrind is not installed.*apt-get install valgrind"),
        ("cmake", "cmake is not installed.*apt-get install cmake"),
    ],
)
def test_missing_program_is_named_with_its_package(monkeypatch, program, message):
    which = shutil.which
    monkeypatch.setattr(
        checkout.shutil, "which", lambda name: None if name == program else which(name)
    )
    with pytest.raises(LabError, match=message):
        ct.Valgrind(ROOT, "gcc", 2).run()


def test_unknown_compiler():
    with pytest.raises(LabError, match="compiler 'tcc' given, gcc or clang expected"):
        checkout.find_compiler("tcc")
