# SPDX-License-Identifier: Apache-2.0
"""The RV32 kernels of SPECK and CHAM under qemu: each by itself and through the calls, against
portable C, with damaged kernels as controls.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "c"))
from builds import FIRMWARE, ROOT, build, program, run

COMPILER = "riscv64-unknown-elf-gcc"
KERNELS = sorted(path for isa in ("rv32i", "zbkb") for path in (ROOT / "src").rglob(f"*_{isa}*.S"))


@pytest.mark.parametrize("preset", FIRMWARE)
def test_kernels_equal_portable(preset: str) -> None:
    """Every row, every length, unaligned, in place, counters before every carry, guard words;
    registers of the ABI. See rv32_kernels_main.c.
    """
    done = subprocess.run(
        program(preset, "rv32_kernels"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "all cases passed" in done.stdout, done.stdout + done.stderr


FLAGS = [
    "-march=rv32i",
    "-mabi=ilp32",
    "-Os",
    "-ffreestanding",
    "-fno-tree-loop-distribute-patterns",
    "-nostdlib",
]
INCLUDE = [f"-I{ROOT / folder}" for folder in ("include", "src", "tests/c")]
PROGRAM = [ROOT / "tests/rv32/rv32_kernels_main.c", ROOT / "tests/c/firmware.c"]


@pytest.mark.parametrize(
    ("options", "isa"),
    [
        ({"KEY_AREA_BYTES": "1496", "SMALL": "ON"}, "rv32i"),
        ({"KEY_AREA_BYTES": "88"}, "rv32i"),
        ({"KEY_AREA_BYTES": "64"}, "rv32i"),
        ({"KEY_AREA_BYTES": "1496"}, "rv32i_zbkb"),
        ({"KEY_AREA_BYTES": "0"}, "rv32i_zbkb"),
    ],
    ids=["small", "two blocks", "two blocks of CHAM", "Zbkb", "Zbkb without a key area"],
)
def test_other_builds(options: dict[str, str], isa: str, tmp_path: Path) -> None:
    """Builds with less code, less memory for keys, or bit manipulation: the same checks of the
    kernels that they have.
    """
    need("cmake", "ninja-build", "gcc-riscv64-unknown-elf", "qemu-user")
    toolchain = (
        (ROOT / "cmake/toolchains/rv32i-elf.cmake")
        .read_text()
        .replace("-march=rv32i ", f"-march={isa} ")
    )
    (tmp_path / "toolchain.cmake").write_text(toolchain)
    choices = [
        f"-DHANJI_{name}={value}"
        for name, value in {
            **options,
            "FREESTANDING": "ON",
            "BUILD_TESTS": "ON",
            "WERROR": "ON",
        }.items()
    ]
    choices.append(
        "-DCMAKE_EXE_LINKER_FLAGS=-march=rv32i",
    )  # the compiler has no libgcc for each ISA
    place = [
        "-S",
        ROOT,
        "-B",
        tmp_path / "build",
        f"-DCMAKE_TOOLCHAIN_FILE={tmp_path / 'toolchain.cmake'}",
    ]
    run(["cmake", "-G", "Ninja", *place, "-DCMAKE_BUILD_TYPE=MinSizeRel", *choices])
    run(["cmake", "--build", tmp_path / "build", "--target", "rv32_kernels"])
    emulator = ["qemu-riscv32", "-cpu", "rv32,zbkb=true"] if "zbkb" in isa else ["qemu-riscv32"]
    done = subprocess.run(
        [*emulator, str(tmp_path / "build/tests/c/rv32_kernels")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "all cases passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("source", "pattern", "replacement", "told"),
    [
        ("speck/speck32_rv32i_x2.S", r"sub     \\x, \\x, t\n", "nop\n", "speck32_64_rv32i_x2"),
        (
            "cham/cham64_rv32i_x2.S",
            r"rol8    w2, w2\n    number_odd",
            "number_odd",
            "cham64_128_rv32i_x2",
        ),
        ("cham/generated/cham64_rv32i_x32.S", r"not     s1, s1\n", "nop\n", "cham64_128_rv32i_x32"),
        (
            "speck/generated/speck32_rv32i_x32.S",
            r"or      t1, t2, ra\n",
            "nop\n",
            "speck32_64_rv32i_x32",
        ),
        (
            "cham/cham64_rv32i_x2.S",
            r"lw      s7, 44\(sp\)",
            "lw      s7, 40(sp)",
            "cham64_128_rv32i_x2",
        ),
    ],
    ids=[
        "a carry into the other block",
        "a rotation left out",
        "a number left out",
        "a carry of the counter",
        "a register not restored",
    ],
)
def test_control_a_damaged_kernel_is_seen(
    source: str,
    pattern: str,
    replacement: str,
    told: str,
    tmp_path: Path,
) -> None:
    need("gcc-riscv64-unknown-elf", "qemu-user")
    library = build("rv32i") / "libhanji.a"
    text = (ROOT / "src" / source).read_text()
    assert len(re.findall(pattern, text)) >= 1, "the place to damage has gone"
    damaged = tmp_path / "damaged.S"
    damaged.write_text(re.sub(pattern, replacement, text, count=1))
    defines = ["-DHANJI_FREESTANDING", "-DHANJI_KEY_AREA_BYTES=1496"]
    # The damaged kernel comes before the library, which then does not bring its own.
    run(
        [
            COMPILER,
            *FLAGS,
            *defines,
            *INCLUDE,
            *PROGRAM,
            damaged,
            library,
            "-lgcc",
            "-o",
            tmp_path / "kernels",
        ]
    )
    done = subprocess.run(
        ["qemu-riscv32", str(tmp_path / "kernels")],
        capture_output=True,
        text=True,
    )
    # a caller whose register is gone may end the program; what was wrong stands there by then
    assert done.returncode != 0 and f"[{told}]" in done.stdout, done.stdout + done.stderr


def test_generated_kernels_are_up_to_date() -> None:
    run([sys.executable, ROOT / "tools/rv32_kernels.py", "--check"])


def stack_moves(assembly: str) -> list[int]:
    return [int(found) for found in re.findall(r"\baddi\s+sp\s*,\s*sp\s*,\s*(-?\d+)", assembly)]


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_stack_pointer_stays_aligned(path: Path) -> None:
    """The ABI wants sp at a multiple of 16 at all times, so nothing else may move it."""
    text = path.read_text()
    assert all(step % 16 == 0 for step in stack_moves(text))
    moved = re.findall(r"^\s*(?!s[bhw]\b)\w+\s+sp\s*,.*", text, re.MULTILINE)
    assert len(moved) == len(stack_moves(text)), moved


def test_control_of_the_stack_pointer() -> None:
    assert stack_moves("  addi sp, sp, -24\n addi    sp,sp,16") == [-24, 16]
