# SPDX-License-Identifier: Apache-2.0
"""Headers against the dispatch tables of the library and its function types: none asks for more
than callers give.
"""

from __future__ import annotations

import re
from functools import cache

import debian
import proving
import pytest

from hanji_lab.checkout import run
from hanji_lab.kernels import Kernel
from hanji_lab.prove import contracts, promises, soundness

# How the tables of each target are preprocessed, and Debian's package.
TARGETS = {
    "x86-64": (("gcc",), "gcc"),
    "aarch64": (("aarch64-linux-gnu-gcc",), "gcc-aarch64-linux-gnu"),
    "rv32i": (
        ("riscv64-unknown-elf-gcc", "-march=rv32i_zbkb", "-mabi=ilp32", "-D__riscv_zbkb=1"),
        "gcc-riscv64-unknown-elf",
    ),
    "armv6m": (("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"), "gcc-arm-none-eabi"),
    "armv7m": (("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"), "gcc-arm-none-eabi"),
    "avr": (("avr-gcc", "-mmcu=atmega328p"), "gcc-avr"),
}
FIRMWARE = ("-ffreestanding", "-DHANJI_FREESTANDING", "-DHANJI_KEY_AREA_BYTES=1496")
LEAST = {"x86-64": 300, "aarch64": 140, "rv32i": 15, "armv6m": 4, "armv7m": 8, "avr": 4}
ROW = re.compile(
    r'\(?"(\w+)".*?\.align\s*=\s*(\d+).*?\.run(?:\s*=\s*\{)?\s*\.(\w+)\s*=\s*[&(]*(\w+)', re.DOTALL
)
TYPE = re.compile(r"typedef void (hanji_\w+_fn)\(([^)]*)\);")


@cache
def kernels() -> dict[str, Kernel]:
    """The kernels of the checkout by their functions."""
    return {one.symbol: one for one in soundness.all_kernels(proving.ROOT)}


def rows(target: str) -> list[tuple[str, int, str, str]]:
    """Name, alignment, member of `run` and function of each row of the tables for a target."""
    command, package = TARGETS[target]
    debian.need(package)
    more = () if target in ("x86-64", "aarch64") else FIRMWARE
    found = []
    for path in sorted((proving.ROOT / "src").glob("*/*_kernels.c")):
        folders = [f"-I{proving.ROOT / name}" for name in ("src", "include")]
        try:
            text = run([*command, *more, *folders, "-E", "-P", path])
        except Exception:  # a room that firmware does not have
            assert more, path
            continue
        for part in text.split(".name =")[1:]:
            if one := ROW.match(part.strip()):
                found.append((one[1], int(one[2]), one[3], one[4]))
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_no_header_asks_for_more_than_its_row(target: str) -> None:
    """The dispatcher copies what is aligned less than a row says, and no more."""
    compared = 0
    for name, align, member, function in rows(target):
        if (one := kernels().get(function)) is None:
            continue
        compared += 1
        for buffer in ("out", "in", "counter"):
            needed = contracts.align_of(one, buffer)
            assert needed <= align, f"{name} needs {buffer} aligned to {needed}"
        assert one.operation != "ctr" or member == "ctr", name
        assert one.operation not in ("encrypt", "decrypt") or member == "blocks", name
    assert compared >= LEAST[target]


def test_every_header_keeps_what_the_library_promises() -> None:
    for one in kernels().values():
        promises.check(one, proving.ROOT / one.source)


def test_orders_of_arguments_are_those_of_the_function_types() -> None:
    text = (proving.ROOT / "src/support/kernel.h").read_text()
    types = {
        name: tuple(re.findall(r"(\w+)(?:,|$)", parameters))
        for name, parameters in TYPE.findall(text)
    }
    assert promises.ORDERS["encrypt"] == promises.ORDERS["decrypt"] == types["hanji_blocks_fn"]
    assert promises.ORDERS["ctr"] == types["hanji_ctr_fn"]
    assert promises.ORDERS["permute"] == types["hanji_permute_fn"]


def test_texts_may_be_in_place_wherever_the_interface_says_so() -> None:
    """Each operation of a kernel that has texts `in` and `out` of callers."""
    text = (proving.ROOT / "src/support/kernel.h").read_text()
    assert "may be called in place (out == in)" in text.replace("\n * ", " ")
    for one in kernels().values():
        names = {str(what.get("buffer")) for what in (one.args or {}).values()}
        block = one.operation in ("encrypt", "decrypt", "ctr", "short", "once", "uniform")
        if block and {"in", "out"} <= names:
            assert promises.ALIASING[one.operation] == (promises.IN_PLACE,)
            assert one.aliasing == promises.IN_PLACE, one.symbol
