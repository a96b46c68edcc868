# SPDX-License-Identifier: Apache-2.0
"""Assembles PTX with NVIDIA's ptxas, from the packages on PyPI, and looks at what came out. No GPU
is needed.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..checkout import LabError
from .sass import PARAMETERS, Instruction, parse

# pinned in lab/pyproject.toml
PACKAGES = ("nvidia-cuda-nvcc", "nvidia-cuda-cuobjdump", "nvidia-cuda-nvdisasm")


@cache
def tool(name: str) -> Path:
    """A program of the CUDA toolkit, as PyPI's packages install it. LabError says what to install."""
    found = importlib.util.find_spec("nvidia")
    for folder in found.submodule_search_locations or [] if found else []:
        for program in sorted(Path(folder).glob(f"cu*/bin/{name}")):
            return program
    raise LabError(
        f"{name} is not installed; it comes with: python -m pip install './lab[gpu]' "
        f"({', '.join(PACKAGES)})"
    )


@dataclass(frozen=True)
class Function:
    """A kernel as assembled for one architecture."""

    name: str
    architecture: int
    registers: int
    stack: int  # bytes of local memory
    spilled: int  # bytes stored and loaded
    instructions: tuple[Instruction, ...]


def disassemble(cubin: Path) -> dict[str, list[Instruction]]:
    """The functions of a cubin; LabError with what cuobjdump says."""
    listing = subprocess.run(
        [tool("cuobjdump"), "-sass", cubin], capture_output=True, text=True, check=False
    )
    if listing.returncode:
        raise LabError(f"cuobjdump cannot read {cubin.name}: {listing.stderr.strip()}")
    return parse(listing.stdout)


def assemble(ptx: Path, architecture: int, folder: Path) -> dict[str, Function]:
    """All kernels of a PTX file for one architecture such as 90; the cubin is left in `folder`.
    LabError with what ptxas says.
    """
    if architecture not in PARAMETERS:
        raise LabError(
            f"sm_{architecture} given, one of {', '.join(f'sm_{a}' for a in PARAMETERS)} expected"
        )
    cubin = folder / f"{ptx.stem}_{architecture}.cubin"
    command = [
        str(tool("ptxas")),
        "-O3",
        f"-arch=sm_{architecture}",
        "-v",
        str(ptx),
        "-o",
        str(cubin),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"ptxas refuses {ptx.name} for sm_{architecture}: {done.stderr.strip()}")
    code = disassemble(cubin)
    functions = {}
    report = done.stdout + done.stderr
    for part in report.split("Compiling entry function '")[1:]:
        name = part.partition("'")[0]
        frame = re.search(
            r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", part
        )
        used = re.search(r"Used (\d+) registers", part)
        if not frame or not used:
            raise LabError(f"ptxas says nothing about the registers of {name}")
        stack, stores, loads = map(int, frame.groups())
        registers = int(used[1])
        functions[name] = Function(
            name, architecture, registers, stack, stores + loads, tuple(code[name])
        )
    if not functions:
        raise LabError(f"{ptx.name} has no kernel")
    return functions
