# SPDX-License-Identifier: Apache-2.0
"""Compiles plain.cu, the ciphers of the paper in plain CUDA C, with NVIDIA's nvcc: `python -m hanji_lab.gpu.plain`.

What it makes is kept in the repository, because a machine with a GPU need not have the compiler: machine code for sm_90, and PTX for all others.
A test compares them with what this makes.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from ..checkout import LabError
from .assemble import tool
from .ptx import TARGET, VERSION

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "plain.cu"
CUBIN, PTX = HERE / "plain_sm90.cubin", HERE / "plain_sm75.ptx"
COMPILER = "nvcc 13.5.37"
FLAGS = ("-O3", "--fmad=false")
FAMILIES = ("speck", "simon", "simeck")
HEAD = f"// SPDX-License-Identifier: Apache-2.0\n// Compiled from plain.cu by {COMPILER}: python -m hanji_lab.gpu.plain\n"


def _run(*arguments: str | Path) -> str:
    done = subprocess.run([tool("nvcc"), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"nvcc refuses {SOURCE.name}: {(done.stdout + done.stderr).strip()}")
    return done.stdout


def compile_all() -> dict[Path, bytes]:
    """Both files with their contents; LabError if the compiler is not there, is another one, or refuses."""
    if f"V{COMPILER.split()[1]}" not in _run("--version"):
        raise LabError(f"{COMPILER} makes these files; another one is installed: pip install 'hanji-lab[gpu]'")
    with tempfile.TemporaryDirectory() as folder:
        cubin, ptx = Path(folder, "plain.cubin"), Path(folder, "plain.ptx")
        _run(*FLAGS, "-arch=sm_90", "-cubin", "-o", cubin, SOURCE)
        _run(*FLAGS, f"-arch={TARGET.replace('sm', 'compute')}", "-ptx", "-o", ptx, SOURCE)
        text = re.sub(r"//.*\n", "", ptx.read_text(encoding="ascii"))
        # The compiler writes the newest version, which older drivers refuse; the instructions are old ones.
        text = re.sub(r"\.version \d+\.\d+", f".version {VERSION}", text)
        return {CUBIN: cubin.read_bytes(), PTX: (HEAD + re.sub(r"\n\s*\n+", "\n", text.strip()) + "\n").encode("ascii")}


if __name__ == "__main__":
    for path, made in compile_all().items():
        path.write_bytes(made)
