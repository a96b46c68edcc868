# SPDX-License-Identifier: Apache-2.0
"""RV32 firmware that links what it uses: it stays small. The figures themselves are in
results/rv32-size.json.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from debian import need

import hanji
from hanji_lab.checkout import LabError
from hanji_lab.results import Result
from hanji_lab.size import (
    FIRMWARES,
    LEAST_MEMORY,
    MACHINES,
    SMALL_MEMORY,
    linked_sections,
    measure_sizes,
)

ROOT = Path(__file__).resolve().parents[2]
# what fits a small part with room to spare; a cipher too many or libgcc would pass it
CODE_MAX = 16384
STACK_MAX = 1024
SIGNING_STACK_MAX = 8192  # mostly of what it overwrites at the end
# of aimer2-256s; the authors' own variant for little memory needs as much
SIGNING_MEMORY_MAX = 135_000
LIBRARY = r"libhanji\.a\("


@pytest.fixture(scope="module")
def sizes() -> list[Result]:
    need("cmake", "ninja-build", "gcc-riscv64-unknown-elf", "qemu-user")
    return list(measure_sizes(ROOT, "test"))


def code(sizes: list[Result], machine: str, kernel: str) -> int:
    return next(
        r.bytes or 0
        for r in sizes
        if (r.machine, r.kernel, r.operation) == (machine, kernel, "code")
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_code_is_small_and_only_what_is_used(sizes: list[Result], machine: str) -> None:
    ascon, aead, ctr, both = (code(sizes, machine, name) for name in FIRMWARES)
    assert ascon < CODE_MAX
    assert max(aead, ctr) < both <= aead + ctr, (
        "both together share code and need no more than each alone"
    )
    assert both < CODE_MAX


def test_no_static_ram(sizes: list[Result]) -> None:
    assert all(r.more["static_ram"] <= 4 for r in sizes if r.operation == "code"), (
        "firmware keeps the selection at most"
    )


def test_stack_is_bounded(sizes: list[Result]) -> None:
    stacks = [r for r in sizes if r.operation.startswith("stack")]
    assert len(stacks) == 6 * len(MACHINES) + 2  # AIMer signs and verifies on one
    for result in stacks:
        if result.kernel.startswith("aimer"):
            assert 1024 <= (result.bytes or 0) <= SIGNING_STACK_MAX
            continue
        assert 32 <= (result.bytes or 0) <= STACK_MAX, (
            f"{result.kernel} {result.operation} on {result.machine}: {result.bytes} bytes"
        )


def test_signing_needs_little_memory(sizes: list[Result]) -> None:
    memory = {r.kernel: r.bytes or 0 for r in sizes if r.operation == SMALL_MEMORY}
    assert list(memory) == [a.name for a in hanji.algorithms() if a.name.startswith("aimer")]
    assert memory["aimer2-256s"] <= SIGNING_MEMORY_MAX
    least = {r.kernel: r.bytes or 0 for r in sizes if r.operation == LEAST_MEMORY}
    assert list(least) == [name for name in memory if name.startswith("aimer3")]
    assert all(count < memory[name] for name, count in least.items())


def test_control_a_map_without_the_library_is_an_error() -> None:
    with pytest.raises(LabError, match="names no code"):
        linked_sections(
            "Linker script and memory map\n .text.main  0x100  0x20 /tmp/firmware.o\n", LIBRARY
        )
    rows = (
        " .text.a\n                0x0000000000010100       0x10 b/libhanji.a(a.o)\n .sbss  0x1 "
        "0x4 libhanji.a(b.o)\n"
    )
    kept = linked_sections(f"x\nLinker script and memory map\n{rows}", LIBRARY)
    assert kept == {"text": 16, "rodata": 0, "data": 0, "bss": 4}
