# SPDX-License-Identifier: Apache-2.0
"""The SPARKLE kernels for RV32I: right, well-behaved, constant in time, and short."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from debian import need

from hanji_lab import trace
from hanji_lab.checkout import find_checkout

ROOT = find_checkout(Path(__file__))
RV32 = trace.Target(
    "rv32",
    "qemu-riscv32",
    "riscv64-unknown-elf-gcc",
    "gcc-riscv64-unknown-elf",
    "riscv64-unknown-elf-",
    (),
    "rv32i-elf.cmake",
    ("rv32",),
)
KERNELS = ("sparkle256", "sparkle384", "sparkle512")


def compiled(folder: Path, march: str) -> Path:
    """The program of sparkle_main.c with the kernels."""
    need("gcc-riscv64-unknown-elf", "qemu-user")
    sources = [
        ROOT / "tests/rv32/sparkle_main.c",
        ROOT / "tests/c/firmware.c",
        ROOT / "src/sparkle/sparkle.c",
    ]
    sources += [ROOT / f"src/sparkle/{name}_rv32i.S" for name in KERNELS]
    program = folder / f"sparkle-{march}"
    options = [
        f"-march={march}",
        "-mabi=ilp32",
        "-O2",
        "-ffreestanding",
        "-DHANJI_FREESTANDING",
        "-nostdlib",
        "-Wall",
        "-Wextra",
        "-Werror",
    ]
    options += [
        "-fno-tree-loop-distribute-patterns",
        *(f"-I{ROOT / folder}" for folder in ("include", "src", "lab")),
    ]
    done = subprocess.run(
        [RV32.compiler, *options, *sources, "-lgcc", "-o", program], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("sparkle"), "rv32i")


@pytest.fixture(scope="module")
def calls(program):
    """What each of the counted calls executes, by kernel: slim with two states, then big with two."""
    need("gcc")
    found, _ = trace.watch(ROOT, RV32, program, trace=True)
    return {name: found[4 * i : 4 * i + 4] for i, name in enumerate(KERNELS)}


# With compressed instructions around them the kernels stay as they are.
@pytest.mark.parametrize("march", ["rv32i", "rv32imac"])
def test_kernels_equal_portable_c_and_keep_the_registers(tmp_path, march):
    done = subprocess.run(
        [RV32.emulator, compiled(tmp_path, march)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert "case controls are caught" in done.stdout


def test_sparkle384_keeps_to_its_bounds(calls):
    """What it is to reach; the exact counts of all three are held in lab/gates/rv32.json."""
    assert calls["sparkle384"][0].by_function()["hanji_sparkle384_rv32i_x1"] <= 1650, (
        "instructions of seven steps, the return included"
    )


@pytest.mark.parametrize("kernel", KERNELS)
def test_path_and_addresses_do_not_depend_on_the_state(calls, kernel):
    slim, other, big, other_big = calls[kernel]
    assert (slim.path, slim.addresses) == (other.path, other.addresses)
    assert (big.path, big.addresses) == (other_big.path, other_big.addresses)
    assert slim.path != big.path, "control: the number of steps is in the path"


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "compiler",
    [
        ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"],
        ["clang-14", "--target=riscv32", "-march=rv32i"],
    ],
)
def test_both_assemblers_make_small_code(tmp_path, compiler, kernel):
    need("gcc-riscv64-unknown-elf", "clang-14")
    made = tmp_path / "kernel.o"
    subprocess.run(
        [*compiler, "-c", ROOT / f"src/sparkle/{kernel}_rv32i.S", "-o", made],
        check=True,
        capture_output=True,
    )
    listed = subprocess.run(
        ["riscv64-unknown-elf-size", "-A", made], check=True, capture_output=True, text=True
    ).stdout
    (size,) = (
        int(line.split()[1])
        for line in listed.splitlines()
        if line.startswith(f".text.hanji_{kernel}")
    )
    assert size <= {"sparkle256": 1600, "sparkle384": 2200, "sparkle512": 2900}[kernel], (
        "bytes, with the constants"
    )
