# SPDX-License-Identifier: Apache-2.0
"""Kernels in C for RV32, Cortex-M and AVR as gcc makes them for firmware: proofs, spoilt kernels and
mutants.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import proving
import pytest

from hanji_lab.kernels import Kernel
from hanji_lab.prove import avr, build, induct, mutants
from hanji_lab.prove.avr import AvrMachine
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import OpenError, Region
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Ahead, Lin, RefusedError, Value

FIRST = '#include "support/cpu.h"\n'  # of every file; behind it goes a header that is spoilt
RV32, MCU = "lanes/rv32.h", "lanes/mcu.h"
SPECK32 = ("speck/speck32_rv32i.c", "rv32i_ctr_x2", RV32)
SPECK32X4 = ("speck/speck32_rv32i.c", "rv32i_ctr_x4", RV32)
SPECK32Z = ("speck/speck32_zbkb.c", "zbkb_ctr_x2", RV32)
CHAM = ("cham/cham64_rv32i.c", "rv32i_ctr_x2", RV32)
CHAMZ = ("cham/cham64_zbkb.c", "zbkb_ctr_x2", RV32)
SPECK6 = ("speck/speck64_armv6m.c", "speck64_96_armv6m_ctr_x1", MCU)
SPECK7 = ("speck/speck64_armv7m.c", "speck64_128_armv7m_ctr_x1", MCU)
CHAM7 = ("cham/cham64_armv7m.c", "armv7m_ctr_x1", MCU)
SPECKA = ("speck/speck64_avr.c", "speck64_96_avr_ctr_x1", MCU)
CHAMA = ("cham/cham64_avr.c", "avr_ctr_x1", MCU)
Row = tuple[str, str, str]

PROVED = {
    "1 and more": (SPECK32, SPECK32X4, SPECK32Z, CHAM, CHAMZ),  # without groups they write
    "0 and more": (
        *(SPECK6, SPECK7, CHAM7, SPECKA, CHAMA),
        ("speck/speck64_armv6m.c", "speck64_128_armv6m_ctr_x1", MCU),
        ("speck/speck64_armv7m.c", "speck64_96_armv7m_ctr_x1", MCU),
        ("speck/speck64_avr.c", "speck64_128_avr_ctr_x1", MCU),
    ),
}


@pytest.mark.parametrize(
    ("row", "groups"), [(row, groups) for groups, rows in PROVED.items() for row in rows]
)
def test_kernels_are_proved(row: Row, groups: str) -> None:
    found = proving.verdict(proving.kernel(*row[:2]))
    assert found.verdict == "proved", found.why
    assert found.scope == {"separate": groups, "in place": groups}
    assert found.binary.startswith("gcc ")


def test_flags_are_those_of_the_presets() -> None:
    """What CMake gives to every file of the library in firmware stands in FIRMWARE."""
    text = (proving.ROOT / "CMakeLists.txt").read_text()
    shown = {"-Os", "-DNDEBUG"}  # of MinSizeRel
    for flag in set(build.FIRMWARE) - shown - {"-fvisibility=hidden"}:
        assert flag.removeprefix("-D") in text, flag
    presets = json.loads((proving.ROOT / "CMakePresets.json").read_text())["configurePresets"]
    by_name = {one["name"]: one for one in presets}
    areas = {"rv32i": "freestanding", "zbkb": "freestanding"}
    for isa in (*build.MARCH, *build.CORES, "avr"):
        preset = by_name[areas.get(isa, "microcontroller")]["cacheVariables"]
        assert preset["CMAKE_BUILD_TYPE"] == "MinSizeRel"
        assert preset["HANJI_FREESTANDING"] == "ON"
        told = build.flags(proving.ROOT, isa, True)
        area = preset.get("HANJI_KEY_AREA_BYTES", "0")
        assert f"-DHANJI_KEY_AREA_BYTES={area}" in told
        assert shown < set(told)


def _spoilt(row: Row, directory: Path, *changes: tuple[str, str]) -> Kernel:
    """The kernel with these changes of its header."""
    source, function, header = row
    text = (proving.ROOT / "src" / header).read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return proving.spoilt(proving.kernel(source, function), directory, (FIRST, FIRST + text))


ADVANCE = "        counter_advance(counter, 8, 1);\n"
CARRY = "            high += ((low | (0u - low)) >> 31) ^ 1u;\n"
KEPT = "    for (; groups > 0; groups--) {\n        uint32_t *to"
# What is put in the place of what, and what the verdict or its reason must have.
SPOILT = {
    "a counter that stays": (SPECK32, "            low++;\n", "", "counterexample"),
    "a counter that stays, AVR": (SPECKA, ADVANCE, "", "counterexample"),
    "a counter that stays, Armv6-M": (SPECK6, ADVANCE, "", "counterexample"),
    "a counter that stays, Armv7-M": (SPECK7, ADVANCE, "", "counterexample"),
    "a counter by two": (CHAM7, "advance(counter, 8, 1)", "advance(counter, 8, 2)", "counterexample"),
    "a carry lost": (CHAM, CARRY, "", "counterexample"),
    "a carry lost, Zbkb": (CHAMZ, CARRY, "            high += (low & 1) & ~low;\n", "differs"),
    "a carry lost, AVR": (
        CHAMA, "advance(counter, 8, 1)", "advance(counter + 1, 7, 1)", "differs",
    ),
    "a carry lost, Armv7-M": (
        SPECK7, "advance(counter, 8, 1)", "advance(counter + 1, 7, 1)", "differs",
    ),
    "a counter one too far": (
        SPECK32, "    store_be32(counter + (block_bytes - 4), low);", "    low++;\n"
        "    store_be32(counter + (block_bytes - 4), low);", "counterexample",
    ),
    "a text that stays": (SPECK7, "        in += 8;\n", "", "neither"),
    "a text that goes too far": (CHAM, "        in += blocks", "        in += 2 * blocks", "of in"),
    "a text that goes too far, AVR": (CHAMA, "        in += 8;", "        in += 9;", "of in"),
    "an output that stays": (SPECK6, "        out += 8;\n", "", "never written"),
    "another group": (
        SPECK32Z, "rv32_load(in + i)", "rv32_load(in + (i ^ 4))", "counterexample",
    ),
    "words that change places": (
        SPECKA, "load_le32(in + 4) ^ load_le32(block + 4)", "load_le32(in + 4) ^ load_le32(block)",
        "counterexample",
    ),
    "other keys": (CHAM7, "encrypt(block, block, 1, keys)",
        "encrypt(block, block, 1, (const uint8_t *)keys + 4)", "of keys"),
    "other keys, AVR": (SPECKA, "encrypt(block, block, 1, keys)",
        "encrypt(block, block, 1, (const uint8_t *)keys + 4)", "of keys"),
    "other keys, RV32": (SPECK32, "stream, 1, keys)",
        "stream, 1, (const uint8_t *)keys + 4)", "of keys"),
    "two groups at a time": (SPECK6, "encrypt(block, block, 1, keys)",
        "encrypt(block, block, 2, keys)", "of stack"),
    "a branch on data": (SPECK7, "        in += 8;\n",
        "        in += 8;\n        if (block[0] & 1)\n            __asm__ volatile(\"nop\");\n",
        "depends on data"),
    "a branch on data, AVR": (CHAMA, "        in += 8;\n",
        "        in += 8;\n        if (block[0] & 1)\n            __asm__ volatile(\"nop\");\n",
        "depends on data"),
    "a branch on data, RV32": (SPECK32, "            low++;\n",
        "            low++;\n            if (low & 8)\n                __asm__ volatile(\"nop\");\n",
        "depends on data"),
    "a branch on rare data": (SPECK32Z, KEPT,
        "    if (((load_le32(keys) ^ 0x12345678) | (load_le32(in) ^ 0x9abcdef0)) == 0)\n"
        "        __asm__ volatile(\"nop\");\n" + KEPT, "depends on data"),
    "a secret index": (SPECKA, "load_le32(block + 4)", "load_le32(block + (block[0] & 4))",
        "depends on data"),
    "a secret index, Armv7-M": (SPECK7, "load_le32(block + 4)",
        "load_le32(block + (block[0] & 4))", "depends on data"),
    "a secret index, RV32": (CHAM, "^ stream[i / 4]", "^ stream[(i / 4) ^ (high & 1)]",
        "depends on data"),
    "a stack that nothing has written": (SPECK7, "        memcpy(block, counter, 8);\n",
        "        memcpy(block, counter, 7);\n", "nothing has written"),
    "a function that is nowhere": (SPECK7, "        in += 8;\n",
        "        in += 8;\n        hanji_cpu_features();\n", "of another file"),
    "a product by libgcc": (CHAMA, "        in += 8;\n",
        "        in += 8;\n        block[0] = (uint8_t)(load_le32(in - 8) / load_le32(block));\n",
        "of another file"),
    "many groups": (SPECK32, "    store_be32(counter + (block_bytes - 4), low);",
        "    low ^= (uint32_t)(out - in) & 0;\n"
        "    store_be32(counter + (block_bytes - 4), low + (n & 4));", "for more"),
}  # fmt: skip
QUICK = (
    *("a counter that stays", "a carry lost, AVR", "other keys", "a branch on rare data"),
    *("a branch on data, AVR", "a secret index, Armv7-M", "an output that stays"),
)


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_kernels_are_not_proved(name: str, tmp_path: Path) -> None:
    row, old, new, said = SPOILT[name]
    changes = [(old, new)]
    if name == "many groups":
        changes.append((KEPT, "    const size_t n = groups;\n" + KEPT))
    found = proving.verdict(_spoilt(row, tmp_path, *changes))
    assert found.verdict != "proved"
    assert said in f"{found.verdict} {found.why}"
