# SPDX-License-Identifier: Apache-2.0
"""hanji.c of the amalgam is C++, too: compilers take it without a warning, and it is as right."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tests/consumers"))
import amalgam  # noqa: E402
import test_small_selftest  # noqa: E402

CPP = ["-x", "c++", "-std=c++17", "-Wall", "-Werror", "-c"]
BARE = ["-Os", "-ffreestanding", "-fno-exceptions", "-fno-tree-loop-distribute-patterns"]
FIRMWARE = {
    "armv7m": ["arm-none-eabi-g++", "-mcpu=cortex-m4", "-mthumb", *BARE],
    "armv6m": ["arm-none-eabi-g++", "-mcpu=cortex-m0", "-mthumb", *BARE],
    "rv32i": ["riscv64-unknown-elf-g++", "-march=rv32imac", "-mabi=ilp32", *BARE],
}
MAIN = """#include "hanji.h"
#include <stdio.h>
int main()
{
    const char *failed = nullptr;
    const int rc = hanji_selftest(&failed);
    puts(failed == nullptr ? "right" : failed);
    return rc != HANJI_OK;
}
"""


def compiled(command, folder):
    made = folder / "hanji.o"
    source = [*command, *CPP, folder / "hanji.c", "-o", made]
    done = subprocess.run(source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return made


def on_host(command, folder):
    """What the self-test says, of library and program as C++."""
    main = folder / "main.cpp"
    main.write_text(MAIN)
    made = [main, compiled(command, folder), f"-I{folder}", "-o", folder / "main"]
    subprocess.run([*command, *made], check=True)
    return subprocess.run([folder / "main"], capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Every symmetric algorithm, and modes, with the self-test."""
    folder = tmp_path_factory.mktemp("portable")
    names = ",".join(test_small_selftest.every())
    amalgam.write(amalgam.chosen(names), "portable", {"selftest"}, folder)
    return folder


CLANG = pytest.param("clang++-14", marks=pytest.mark.slow)


@pytest.mark.parametrize("compiler", ["g++", CLANG])
def test_a_host_answers_the_selftest(everything, tmp_path, compiler):
    need("g++" if compiler == "g++" else "clang-14")
    folder = shutil.copytree(everything, tmp_path / "copy")
    assert on_host([compiler, "-O0", "-DHANJI_ALLOW_O0"], folder) == "right"


def test_control_a_wrong_constant_is_named(tmp_path):
    need("g++")
    amalgam.write(amalgam.chosen("esch256"), "portable", {"selftest"}, tmp_path)
    text = (tmp_path / "hanji.c").read_text()
    assert "0x324e7738" in text
    (tmp_path / "hanji.c").write_text(text.replace("0x324e7738", "0x324e7739"))
    assert on_host(["g++", "-O0", "-DHANJI_ALLOW_O0"], tmp_path) == "esch256"


def test_kernels_in_assembly_are_found(tmp_path):
    """Their names are names of C."""
    need("gcc-arm-none-eabi")
    names = "schwaemm256-128, ascon-aead128, speck-64/128-ctr, cham-64/128-ctr"
    amalgam.write(amalgam.chosen(names), "armv7m", {"selftest"}, tmp_path)
    made = compiled(FIRMWARE["armv7m"], tmp_path)
    lines = test_small_selftest.on_qemu(tmp_path, "cortex-m4", made)
    assert re.search("^right", lines, re.MULTILINE), lines


@pytest.mark.slow
@pytest.mark.parametrize("isa", FIRMWARE)
def test_firmware_compiles(tmp_path, isa):
    need("gcc-arm-none-eabi", "gcc-riscv64-unknown-elf")
    names = [*test_small_selftest.every(), "aimer3-128f", "aimer3-256s"]
    amalgam.write(amalgam.chosen(",".join(names)), isa, set(), tmp_path)
    compiled(FIRMWARE[isa], tmp_path)


@pytest.mark.parametrize("compiler", ["g++", CLANG])
def test_signatures_compile(tmp_path, compiler):
    need("g++" if compiler == "g++" else "clang-14")
    amalgam.write(amalgam.chosen("aimer3-128f"), "portable", set(), tmp_path)
    compiled([compiler, "-O0", "-DHANJI_ALLOW_O0"], tmp_path)


def test_control_a_missing_cast_is_refused(tmp_path):
    need("g++")
    amalgam.write(amalgam.chosen("cham-64/128-ctr"), "portable", set(), tmp_path)
    text = (tmp_path / "hanji.c").read_text()
    assert "(W(keys))keys" in text
    (tmp_path / "hanji.c").write_text(text.replace("(W(keys))keys", "keys"))
    with pytest.raises(AssertionError, match="invalid conversion"):
        compiled(["g++"], tmp_path)


def test_an_old_compiler_is_told(tmp_path):
    """avr-g++ 5 of Debian knows no designated initialisers."""
    need("gcc-avr")
    amalgam.write(amalgam.chosen("ascon-aead128"), "avr", set(), tmp_path)
    command = ["avr-g++", "-mmcu=atmega328p", *BARE, "-x", "c++", "-fsyntax-only"]
    done = subprocess.run([*command, tmp_path / "hanji.c"], capture_output=True, text=True)
    assert done.returncode != 0
    assert "hanji.c as C++ needs g++ 8 or newer, or clang" in done.stderr.splitlines()[0]
