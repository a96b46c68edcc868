# SPDX-License-Identifier: Apache-2.0
"""Different secrets leave the same traces on AArch64, and leaks that are planted do not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji_lab import trace
from hanji_lab.checkout import find_checkout
from hanji_lab.ct import FileCoverage, control_problems
from hanji_lab.ct.traces import ISAS, MORE_TURNS, Traces, with_traces
from hanji_lab.kernels import split_name

ROOT = find_checkout(Path(__file__))


@pytest.fixture(autouse=True)
def tools():
    need("qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "cmake", "gcc")


def test_traces_do_not_depend_on_secrets():
    checker = Traces(ROOT, trace.AARCH64, tiers=("neon", "sha3"))
    report = checker.run()
    assert report.problems == []
    checks = [entry for entry in report.objects if entry["kind"] == "check"]
    assert {
        "block",
        "ctr",
        "eax",
        "schwaemm",
        "esch",
        "ascon",
        "fleet schwaemm",
        "fleet ascon",
    } <= {entry["group"] for entry in checks}
    assert all(entry["instructions"] > 0 for entry in checks)
    files = {file.source: file for file in checker.files()}
    elsewhere = ("aimer", "keccak", "rainbow")  # steered, and a check of its own
    paths = [
        path for path in (ROOT / "src").rglob("*.[cS]") if split_name(path, list(ISAS["aarch64"]))
    ]
    kernels = {
        str(path.relative_to(ROOT))
        for path in paths
        if path.relative_to(ROOT / "src").parts[0] not in elsewhere
    }
    assert kernels <= set(files)
    assert [source for source in kernels if files[source].bare] == []


@pytest.mark.slow
def test_traces_of_more_secrets_with_every_tier():
    assert Traces(ROOT, trace.AARCH64, turns=MORE_TURNS).run().problems == []
    assert (
        Traces(ROOT, trace.AARCH64, turns=MORE_TURNS, tiers=("portable", "neon"), cpu="cortex-a72")
        .run()
        .problems
        == []
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checkout whose library may be spoilt."""
    root = tmp_path_factory.mktemp("spoilt")
    for part in ("CMakeLists.txt", "include", "src", "cmake"):
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, root / part)
    return root


LEAKS = {
    # an assembly kernel that branches on the first word of the state, and one that uses it as an
    # address
    "branch": (
        "    ldp w1, w2, [x0, #0]\n",
        "    ldp w1, w2, [x0, #0]\n    tbz w1, #0, 7f\n    nop\n7:\n",
    ),
    "address": (
        "    ldp w1, w2, [x0, #0]\n",
        "    ldp w1, w2, [x0, #0]\n    and x17, x1, #15\n    ldrb w17, [x0, x17]\n",
    ),
}


@pytest.mark.parametrize("kind", LEAKS)
def test_leaks_planted_in_assembly_are_caught_and_named(copy, kind):
    old, new = LEAKS[kind]
    source = "src/sparkle/generated/sparkle256_a64.S"
    text = (ROOT / source).read_text()
    assert old in text
    (copy / source).write_text(text.replace(old, new))
    report = Traces(copy, trace.AARCH64, tiers=("neon",), part="sparkle").run()
    (copy / source).write_text(text)
    assert report.problems and all(
        "hanji_sparkle256_a64_x1" in problem for problem in report.problems
    ), report.problems[:4]
    wrong = {
        entry["subject"] for entry in report.objects if entry["kind"] == "check" and entry["errors"]
    }
    assert wrong == {"sparkle256"}


def test_controls_are_caught():
    checker = Traces(ROOT, trace.AARCH64)
    controls, _ = checker.check(checker.build(), "controls", "portable")
    assert control_problems(controls) == []
    assert {entry["group"] for entry in controls} == {"leak", "quiet"}


def test_coverage_of_other_processors_comes_from_traces():
    checker = Traces(ROOT, trace.AARCH64, tiers=("neon",), part="sparkle")
    here = [
        FileCoverage(
            "src/sparkle/generated/sparkle256_a64.S",
            0,
            (),
            (),
            "no function of it is in this build",
        ),
        FileCoverage("src/x.c", 1, (), ("b",), ""),
    ]
    there, other = with_traces(here, [checker])
    assert there.checks == ("sparkle",) and there.note == "traced on aarch64" and not there.bare
    assert other == here[1]


@pytest.mark.slow
def test_command_says_which_check_covers_which_file():
    need("valgrind")
    command = [sys.executable, "-m", "hanji_lab.cli", "ct", "--on", "aarch64", "--json"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "COLUMNS": "200"}
    )
    assert done.returncode == 0, done.stderr
    files = {entry["source"]: entry for entry in json.loads(done.stdout) if entry["kind"] == "file"}
    assert files["src/speck/speck64_neon.c"]["note"] == "traced on aarch64"
    assert {"block", "ctr"} <= set(files["src/speck/speck64_neon.c"]["checks"])


def test_command_refuses_an_unknown_processor():
    done = subprocess.run(
        [sys.executable, "-m", "hanji_lab.cli", "ct", "--on", "z80"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 1 and "z80 given, host or one of aarch64" in done.stderr
