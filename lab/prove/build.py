# SPDX-License-Identifier: Apache-2.0
"""A kernel file as the build makes it, linked alone: what is proved is this binary."""

from __future__ import annotations

from pathlib import Path

from ..checkout import LabError, find_program, run
from ..kernels import isa_flags
from .contracts import ISAS
from .pcode import RV32

RISCV = "riscv64-unknown-elf"
AARCH64 = "aarch64-linux-gnu"
MARCH = {"rv32i": "rv32i", "zbkb": "rv32i_zbkb"}


def linked(root: Path, source: Path, isa: str, directory: Path) -> Path:
    """The file, assembled with the flags of its instruction set, and linked at a fixed address."""
    if isa not in ISAS:
        raise LabError(f"{isa!r} given, one of {', '.join(ISAS)} expected")
    if ISAS[isa] is RV32:
        prefix, package = RISCV, "gcc-riscv64-unknown-elf"
        flags = [f"-march={MARCH[isa]}", "-mabi=ilp32", "-mno-relax"]
        link = ["-m", "elf32lriscv", "--no-relax"]
    else:
        prefix, package = AARCH64, "gcc-aarch64-linux-gnu"
        flags, link = isa_flags(root, isa), []
    find_program(f"{prefix}-gcc", package, "the prover")
    made, program = directory / f"{source.stem}.o", directory / f"{source.stem}.elf"
    include = ["-I", str(root / "src"), "-I", str(root / "include"), "-I", str(source.parent)]
    run([f"{prefix}-gcc", *flags, *include, "-c", source, "-o", made])
    link += ["-Ttext=0x10000", "-e", "0", "--unresolved-symbols=ignore-all"]
    run([f"{prefix}-ld", *link, made, "-o", program])
    return program
