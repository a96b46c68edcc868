# SPDX-License-Identifier: Apache-2.0
"""The full amalgam on Cortex-M at -Os: its bytes with every symmetric algorithm, and the stack of
single calls. The figures are held, and docs/firmware.md has them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tests/consumers"))
import amalgam  # noqa: E402
import test_residue  # noqa: E402

HELD = json.loads((HERE / "whole_sizes.json").read_text())
ISAS = {"cortex-m4": "armv7m", "cortex-m0": "armv6m"}
FLAGS = ("-Os", "-std=gnu11", "-ffreestanding", "-fno-tree-loop-distribute-patterns")
# By the names that the firmware of the test of secrets on the stack prints.
CALLS = ("schwaemm256_128", "ascon_aead128", "cham64_128")


def page() -> str:
    return " ".join((ROOT / "docs/firmware.md").read_text().split())


@pytest.mark.slow
def test_the_whole_library_has_the_held_size(tmp_path):
    """Code and constants of every symmetric algorithm with all modes, nothing left out by a linker.
    After a change that is meant, the figures that this test prints go into whole_sizes.json.
    """
    need("gcc", "gcc-arm-none-eabi")
    found = {}
    for core, isa in ISAS.items():
        made = amalgam.write(amalgam.known_algorithms(), isa, set(), tmp_path / core)
        sources = [path for path in made if path.suffix != ".h"]
        compiler = ["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", *FLAGS, "-c", *sources]
        subprocess.run(compiler, check=True, cwd=tmp_path / core)
        size = ["arm-none-eabi-size", "-t", *sorted((tmp_path / core).glob("*.o"))]
        done = subprocess.run(size, check=True, capture_output=True, text=True)
        found[core] = int(done.stdout.splitlines()[-1].split()[0])
    assert found == HELD["whole"], json.dumps(found)


@pytest.mark.slow
def test_a_message_takes_the_held_stack(tmp_path):
    """With the frame of its caller, and what it wipes: nothing deeper was written."""
    need("gcc")
    amalgam.write(amalgam.known_algorithms(), "armv7m", set(), tmp_path)
    (tmp_path / "jobs.h").write_text(test_residue.jobs())
    found, name = {}, ""
    for line in test_residue.lines_of(tmp_path, tmp_path, "cortex-m4", "-Os"):
        assert "overflow" not in line
        kind, _, rest = line.partition(" ")
        if kind == "cipher":
            name = rest
        elif kind == "job" and name in CALLS:
            call, _, count = rest.rpartition(" ")
            found[f"{name} {call}"] = int(count)
    assert {call.split()[0] for call in found} == set(CALLS)
    assert found == HELD["stack cortex-m4"], json.dumps(found, indent=1)


def test_the_page_has_these_figures():
    for core, count in HELD["whole"].items():
        assert f"{count:,} bytes on a {core.title()}" in page()
    stack = HELD["stack cortex-m4"]
    for name in ("schwaemm256_128", "ascon_aead128"):
        most = max(n for call, n in stack.items() if call.startswith(name))
        assert f"{most} bytes of stack in the full profile" in page()
