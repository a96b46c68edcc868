# SPDX-License-Identifier: Apache-2.0
"""Calls on an AVR that an interrupt breaks into, whose handler makes the same calls."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(HERE))
import amalgam  # noqa: E402
import test_small_selftest  # noqa: E402

import tiny  # noqa: E402

NAMES = ["ascon-aead128", "ascon-hash256", "schwaemm256-128", "esch256", "speck-64/128-ctr"]


def printed(folder: Path) -> str:
    need("gcc-avr", "avr-libc", "simavr")
    program = folder / "interrupts.elf"
    command = ["avr-gcc", "-mmcu=atmega2560", "-DF_CPU=16000000UL", *test_small_selftest.FLAGS]
    sources = [HERE / "interrupt_main.c", folder / "hanji.c", *sorted(folder.glob("*.S"))]
    subprocess.run([*command, f"-I{folder}", *sources, "-o", program], check=True)
    return test_small_selftest.said(["simavr", "-m", "atmega2560", "-f", "16000000", str(program)])


def test_the_library_may_be_interrupted(tmp_path):
    need("gcc")
    amalgam.write(amalgam.chosen(", ".join(NAMES)), "avr", set(), tmp_path)
    said = printed(tmp_path)
    assert re.search("^right", said, re.MULTILINE), said


@pytest.mark.parametrize("isa", [pytest.param(tiny.PORTABLE, marks=pytest.mark.slow), "avr"])
def test_the_tiny_profile_may_be_interrupted(tmp_path, isa):
    tiny.write(NAMES, "0", tmp_path, isa)
    said = printed(tmp_path)
    assert re.search("^right", said, re.MULTILINE), said


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        # a state that two calls share
        (r"uint32_t s\[12\], b\[4\];", r"static uint32_t s[12]; uint32_t b[4];", "esch256"),
        # interrupts that stay off
        (r"(?m)^(int hanji_\w+\([^)]*\)\n\{)", r'\1 __asm__("cli");', "no interrupts"),
    ],
)
def test_control_a_call_that_may_not_be_interrupted_is_named(tmp_path, old, new, name):
    tiny.write(NAMES, "0", tmp_path, "avr")
    source = (tmp_path / "hanji.c").read_text()
    damaged = re.sub(old, new, source)
    assert damaged != source
    (tmp_path / "hanji.c").write_text(damaged)
    assert re.search(f"^{name}", printed(tmp_path), re.MULTILINE)
