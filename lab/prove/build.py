# SPDX-License-Identifier: Apache-2.0
"""A kernel file as the build makes it, linked alone: what is proved is this binary."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..checkout import LabError, find_program, run
from ..kernels import Kernel, isa_flags
from . import objects
from .avr import AVR, AvrImage
from .contracts import ISAS
from .pcode import A64, RV32, A64Image, Image
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
# And in firmware, with the presets of CMakePresets.json; a test compares them.
FIRMWARE = (
    *("-Os", "-DNDEBUG", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"),
    *("-ffreestanding", "-DHANJI_FREESTANDING"),
)
PROTECTOR = ("__stack_chk_guard", "__stack_chk_fail")
GUARD = 0x7F0000  # where __stack_chk_guard, which the C library has, is said to be
# And memcpy and memset, which calls of AVR and Armv6-M reach there.
LIBRARY = {"memcpy": 0x7E0000, "memset": 0x7D0000}
NEAR = {"avr": {"memcpy": 0x7E00, "memset": 0x7D00}}
NEAR |= {isa: {"memcpy": 0x7E000, "memset": 0x7D000} for isa in CORES}
# Files under src that have functions which a file in C calls.
CALLED = {
    "esch_neon.c": tuple(f"sparkle/generated/sparkle{n}_neon_x4.S" for n in (384, 512)),
    "schwaemm_neon.c": tuple(f"sparkle/generated/sparkle{n}_neon_x4.S" for n in (256, 384, 512)),
    "speck32_rv32i.c": ("speck/speck32_rv32i_x2.S", "speck/speck32_rv32i_x4.S"),
    "speck32_zbkb.c": ("speck/speck32_zbkb_x2.S",),
    "cham64_rv32i.c": ("cham/cham64_rv32i_x2.S",),
    "cham64_zbkb.c": ("cham/cham64_zbkb_x2.S",),
    "speck64_armv6m.c": ("speck/speck64_armv6m_x1.S",),
    "speck64_armv7m.c": ("speck/speck64_armv7m_x1.S",),
    "cham64_armv7m.c": ("cham/cham64_armv7m_x1.S",),
    "speck64_avr.c": ("speck/speck64_avr_x1.S",),
    "cham64_avr.c": ("cham/cham64_avr_x1.S",),
}
WIPES = "support/secret.c"  # hanji_wipe, which all C for microcontrollers calls
VECTORS = {"gcc": "-falign-loops=32", "clang": "-mstackrealign"}
COMPILERS = ("gcc", "clang")
VERSIONED = {"gcc": ("gcc-12", "gcc"), "clang": ("clang-14", "clang")}


def compiler(name: str) -> str:
    """The program of a compiler for x86-64: the version that the verdicts are of, else any."""
    return next((found for found in VERSIONED[name] if shutil.which(found)), VERSIONED[name][0])


@cache
def _version(program: str, package: str, name: str) -> str:
    find_program(program, package, "the prover")
    short = name != "gcc" or program == "avr-gcc"  # gcc 5, which says all there
    said = subprocess.run(
        [program, "-dumpversion" if short else "-dumpfullversion"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return f"{name} {said.strip()}"


def compiled_by(kernel: Kernel, chosen: str) -> str:
    """The compiler whose machine code of a kernel is proved: for x86-64 the one that is chosen, for
    C elsewhere gcc, and none for assembly.
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
    prefix, package = _tools(kernel.isa)
    return _version(f"{prefix}-gcc", package, name)


def _tools(isa: str) -> tuple[str, str]:
    """The prefix of gcc and ld for an instruction set of another machine, and gcc's package."""
    if ISAS[isa] is RV32:
        return RISCV, "gcc-riscv64-unknown-elf"
    if isa in THUMB:
        return CORTEX, "gcc-arm-none-eabi"
    if ISAS[isa] is AVR:
        return "avr", "gcc-avr"
    return AARCH64, "gcc-aarch64-linux-gnu"


def image_of(program: Path, isa: str) -> Image:
    """A linked file, with the front end of its instruction set."""
    found = ISAS[isa]
    if found is X86:
        return X86Image(program)
    image: Image
    if isa in THUMB:
        image = ThumbImage(program, found)
    elif found is AVR:
        image = AvrImage(program)
    elif found is RV32:
        image = Image(program, found)
    else:
        image = A64Image(program, found, GUARD)
    image.library = {at: name for name, at in NEAR.get(isa, LIBRARY).items()}
    if any(image.bytes_at(at, 1) for at in image.library):
        raise LabError(f"{program} has code where memcpy and memset are said to be")
    return image


def flags(root: Path, isa: str, in_c: bool, with_: str = "gcc") -> list[str]:
    """What the assembler or the compiler of a kernel file is told, but for folders."""
    if ISAS[isa] is X86:
        return [*HOST, *isa_flags(root, isa), VECTORS[with_]]
    firmware = FIRMWARE if in_c else ()
    if ISAS[isa] is RV32:
        area = ("-std=c17", "-DHANJI_KEY_AREA_BYTES=1496") if in_c else ()
        return [f"-march={MARCH[isa]}", "-mabi=ilp32", "-mno-relax", *firmware, *area]
    area = (f"-std=c{11 if isa == 'avr' else 17}", "-DHANJI_KEY_AREA_BYTES=0") if in_c else ()
    if isa in THUMB:
        return [f"-mcpu={CORES[isa]}", "-mthumb", *firmware, *area]
    if ISAS[isa] is AVR:
        return ["-mmcu=atmega328p", *firmware, *area]
    return [*isa_flags(root, isa), *(ARM if in_c else ())]


def folders(root: Path, source: Path) -> list[Path]:
    """Where its headers are, besides the folder of the file that includes them."""
    return [root / "src", root / "include", source.parent]


def called(root: Path, source: Path) -> list[Path]:
    """The files that are linked with it."""
    names = CALLED.get(source.name, ())
    small = any(f"_{isa}." in source.name for isa in (*MARCH, *CORES, "avr"))
    return [root / "src" / name for name in (*names, *((WIPES,) if names and small else ()))]


def _include(root: Path, source: Path) -> list[str]:
    return [f"-I{folder}" for folder in folders(root, source)]


def code_at(
    root: Path, source: Path, isa: str, directory: Path, at: int, with_: str = "gcc"
) -> str:
    """The instruction at an address and its line, as FILE:LINE: `TEXT`; empty where no code is. The
    file is made once more, with debugging information, which changes no code.
    """
    apart = directory / "lines"
    apart.mkdir(exist_ok=True)
    x86 = ISAS[isa] is X86
    prefix = "" if x86 else f"{_tools(isa)[0]}-"
    ends = (f"--start-address={at:#x}", f"--stop-address={at + 16:#x}")
    try:
        program = linked(root, source, isa, apart, with_, ("-g",))
        listed = run([f"{prefix}objdump", "-d", *(("-M", "intel") if x86 else ()), *ends, program])
        said = run([f"{prefix}addr2line", "-e", program, f"{at:#x}"]).split()[0]
    except LabError:
        return ""
    found = re.search(rf"^\s*{at:x}:\t[^\t]*\t(.*)$", listed, re.MULTILINE)
    if found is None:
        return ""
    text = " ".join(re.split(r"\t[;@]|\s//|\s{2,}#", found[1])[0].split())
    path, _, line = said.rpartition(":")
    place = f"{Path(path).name}:{line}: " if line.isdecimal() and int(line) else ""
    return f"{place}`{text}`"


def _linked_x86(
    root: Path, source: Path, isa: str, directory: Path, with_: str, more: Sequence[str]
) -> Path:
    made = directory / f"{source.stem}.{with_}.o"
    program = directory / f"{source.stem}.{with_}.elf"
    program_name = compiler(with_)
    find_program(program_name, VERSIONED[with_][0], "the prover")
    told = [*flags(root, isa, True, with_), *more]
    run([program_name, *told, *_include(root, source), "-c", source, "-o", made])
    objects.check(made, (*ELSEWHERE, *PROTECTOR))
    link = ["-Ttext=0x10000", "-e", "0", "--unresolved-symbols=ignore-all", "-z", "noexecstack"]
    link += [f"--defsym={name}={at}" for name, at in ELSEWHERE.items()]
    run(["ld", *link, made, "-o", program])
    return program


def linked(
    root: Path,
    source: Path,
    isa: str,
    directory: Path,
    with_: str = "gcc",
    more: Sequence[str] = (),
) -> Path:
    """The file, assembled with the flags of its instruction set, and linked at a fixed address; for
    x86-64 compiled by gcc or clang as the build of the library does. `more` are other flags.
    RefusedError where the linker of the library decides what its code does.
    """
    if isa not in ISAS:
        raise LabError(f"{isa!r} given, one of {', '.join(ISAS)} expected")
    if ISAS[isa] is X86:
        return _linked_x86(root, source, isa, directory, with_, more)
    prefix, package = _tools(isa)
    link: list[str] = []
    if ISAS[isa] is RV32:
        link = ["-m", "elf32lriscv", "--no-relax"]
    elif ISAS[isa] is AVR:
        link = ["--no-relax"]
    elif isa not in THUMB:
        link = [f"--defsym=__stack_chk_guard={GUARD}"]
    if source.suffix == ".c" or ISAS[isa] is A64:
        link += [f"--defsym={name}={at}" for name, at in NEAR.get(isa, LIBRARY).items()]
    find_program(f"{prefix}-gcc", package, "the prover")
    made, program = [], directory / f"{source.stem}.elf"
    for file in (source, *called(root, source)):
        made.append(directory / f"{file.stem}.o")
        told = [*flags(root, isa, file.suffix == ".c"), *more, *_include(root, source)]
        run([f"{prefix}-gcc", *told, "-c", file, "-o", made[-1]])
        objects.check(made[-1], (*NEAR.get(isa, LIBRARY), *PROTECTOR))
    link += [f"-Ttext={TEXT.get(isa, 0x10000):#x}", "-e", "0", "--unresolved-symbols=ignore-all"]
    if "-g" not in more:  # binutils for AVR would relocate the lines twice
        link.append("--emit-relocs")  # the images say what the linker fills
    run([f"{prefix}-ld", *link, *made, "-o", program])
    return program
