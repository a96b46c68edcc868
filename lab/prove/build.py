# SPDX-License-Identifier: Apache-2.0
"""A kernel file as the build makes it, linked alone: what is proved is this binary."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from ..checkout import LabError, find_program, run
from ..kernels import Kernel, isa_flags
from .avr import AVR, AvrImage
from .contracts import ISAS
from .pcode import RV32, A64Image, Image
from .thumb import THUMB, ThumbImage
from .x86 import ELSEWHERE, X86, X86Image

RISCV = "riscv64-unknown-elf"
AARCH64 = "aarch64-linux-gnu"
MARCH = {"rv32i": "rv32i", "zbkb": "rv32i_zbkb"}
TEXT = {"avr": 0x1000}  # where code is linked, unless at 0x10000
CORTEX = "arm-none-eabi"
CORES = {"armv6m": "cortex-m0", "armv7m": "cortex-m3", "armv7em": "cortex-m4"}

# What CMakeLists.txt gives to every C file of the library on x86-64; a test compares the code.
HOST = (
    *("-O3", "-DNDEBUG", "-std=c17", "-fPIC", "-fvisibility=hidden"),
    *("-ffunction-sections", "-fdata-sections", "-DHANJI_KEY_AREA_BYTES=0"),
    *("-fstack-protector-strong", "-fcf-protection=full", "-U_FORTIFY_SOURCE"),
    "-D_FORTIFY_SOURCE=2",
)
# And on AArch64, whose compiler knows no landing pads of Intel's.
ARM = tuple(flag for flag in HOST if flag != "-fcf-protection=full")
GUARD = 0x7F0000  # where __stack_chk_guard, which the C library has, is said to be
COPY, FILL = 0x7E0000, 0x7D0000  # and memcpy and memset
# Files in assembly that have functions which a file in C for AArch64 calls.
CALLED = {
    "esch_neon.c": ("sparkle384_neon_x5.S", "sparkle512_neon_x5.S"),
    "schwaemm_neon.c": tuple(f"sparkle{bits}_neon_x5.S" for bits in (256, 384, 512)),
}
VECTORS = {"gcc": "-falign-loops=32", "clang": "-mstackrealign"}
COMPILERS = ("gcc", "clang")
VERSIONED = {"gcc": ("gcc-12", "gcc"), "clang": ("clang-14", "clang")}


def compiler(name: str) -> str:
    """The program of a compiler for x86-64: the version that the verdicts are of, else any."""
    return next((found for found in VERSIONED[name] if shutil.which(found)), VERSIONED[name][0])


@cache
def _version(program: str, package: str, name: str) -> str:
    find_program(program, package, "the prover")
    said = subprocess.run(
        [program, "-dumpfullversion" if name == "gcc" else "-dumpversion"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return f"{name} {said.strip()}"


def compiled_by(kernel: Kernel, chosen: str) -> str:
    """The compiler whose machine code of a kernel is proved: for x86-64 the one that is chosen, for
    C on AArch64 gcc, and none for assembly elsewhere.
    """
    if ISAS.get(kernel.isa) is X86:
        return chosen
    return "gcc" if kernel.source.endswith(".c") else ""


def version(kernel: Kernel, chosen: str) -> str:
    """That compiler and its version."""
    name = compiled_by(kernel, chosen)
    if not name:
        return ""
    if ISAS[kernel.isa] is X86:
        return _version(compiler(name), VERSIONED[name][0], name)
    return _version(f"{AARCH64}-gcc", "gcc-aarch64-linux-gnu", name)


def image_of(program: Path, isa: str) -> Image:
    """A linked file, with the front end of its instruction set."""
    found = ISAS[isa]
    if found is X86:
        return X86Image(program)
    if isa in THUMB:
        return ThumbImage(program, found)
    if found is AVR:
        return AvrImage(program)
    if found is RV32:
        return Image(program, found)
    return A64Image(program, found, GUARD, COPY, FILL)


def flags(root: Path, isa: str, in_c: bool, with_: str = "gcc") -> list[str]:
    """What the assembler or the compiler of a kernel file is told, but for folders."""
    if ISAS[isa] is X86:
        return [*HOST, *isa_flags(root, isa), VECTORS[with_]]
    if ISAS[isa] is RV32:
        return [f"-march={MARCH[isa]}", "-mabi=ilp32", "-mno-relax"]
    if isa in THUMB:
        return [f"-mcpu={CORES[isa]}", "-mthumb"]
    if ISAS[isa] is AVR:
        return ["-mmcu=atmega328p"]
    return [*isa_flags(root, isa), *(ARM if in_c else ())]


def folders(root: Path, source: Path) -> list[Path]:
    """Where its headers are, besides the folder of the file that includes them."""
    return [root / "src", root / "include", source.parent]


def called(root: Path, source: Path) -> list[Path]:
    """The files in assembly that are linked with it."""
    here = root / "src" / "sparkle" / "generated"
    return [here / name for name in CALLED.get(source.name, ())]


def _include(root: Path, source: Path) -> list[str]:
    return [f"-I{folder}" for folder in folders(root, source)]


def _linked_x86(root: Path, source: Path, isa: str, directory: Path, with_: str) -> Path:
    made = directory / f"{source.stem}.{with_}.o"
    program = directory / f"{source.stem}.{with_}.elf"
    program_name = compiler(with_)
    find_program(program_name, VERSIONED[with_][0], "the prover")
    told = flags(root, isa, True, with_)
    run([program_name, *told, *_include(root, source), "-c", source, "-o", made])
    link = ["-Ttext=0x10000", "-e", "0", "--unresolved-symbols=ignore-all", "-z", "noexecstack"]
    link += [f"--defsym={name}={at}" for name, at in ELSEWHERE.items()]
    run(["ld", *link, made, "-o", program])
    return program


def linked(root: Path, source: Path, isa: str, directory: Path, with_: str = "gcc") -> Path:
    """The file, assembled with the flags of its instruction set, and linked at a fixed address; for
    x86-64 compiled by gcc or clang as the build of the library does.
    """
    if isa not in ISAS:
        raise LabError(f"{isa!r} given, one of {', '.join(ISAS)} expected")
    if ISAS[isa] is X86:
        return _linked_x86(root, source, isa, directory, with_)
    link: list[str] = []
    if ISAS[isa] is RV32:
        prefix, package = RISCV, "gcc-riscv64-unknown-elf"
        link = ["-m", "elf32lriscv", "--no-relax"]
    elif isa in THUMB:
        prefix, package = CORTEX, "gcc-arm-none-eabi"
    elif ISAS[isa] is AVR:
        prefix, package = "avr", "gcc-avr"
        link = ["--no-relax"]
    else:
        prefix, package = AARCH64, "gcc-aarch64-linux-gnu"
        link = [f"--defsym=__stack_chk_guard={GUARD}"]
        link += [f"--defsym=memcpy={COPY}", f"--defsym=memset={FILL}"]
    find_program(f"{prefix}-gcc", package, "the prover")
    objects, program = [], directory / f"{source.stem}.elf"
    for file in (source, *called(root, source)):
        objects.append(directory / f"{file.stem}.o")
        told = [*flags(root, isa, file.suffix == ".c"), *_include(root, source)]
        run([f"{prefix}-gcc", *told, "-c", file, "-o", objects[-1]])
    link += [f"-Ttext={TEXT.get(isa, 0x10000):#x}", "-e", "0", "--unresolved-symbols=ignore-all"]
    run([f"{prefix}-ld", *link, *objects, "-o", program])
    return program
