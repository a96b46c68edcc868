# SPDX-License-Identifier: Apache-2.0
"""Assemble src/gpu/generated/*.ptx into machine code, for a build with HANJI_GPU_CUBINS=FOLDER.

.venv/bin/python tools/gpu_cubins.py FOLDER

The assembler is the ptxas that `./lab[gpu]` pins, or that of --ptxas, which needs nothing of
the laboratory. The files are made when a wheel is made, and never committed. Code for sm_80 runs on
8.6 and 8.9, too, and code for sm_100 and sm_120 on what follows them within the first digit.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURES = (75, 80, 90, 100, 120)
MOST = 20 << 20  # bytes of all together


class CubinError(RuntimeError):
    """What was asked for cannot be assembled."""


def installed() -> Path:
    """The ptxas of ./lab[gpu]; CubinError says what to install."""
    try:
        from hanji_lab.checkout import LabError
        from hanji_lab.gpu.assemble import tool
    except ImportError as error:
        raise CubinError(f"{error}; install './lab[gpu]', or name a ptxas: --ptxas") from error
    try:
        return tool("ptxas")
    except LabError as error:
        raise CubinError(str(error)) from error


def known(ptxas: Path) -> list[int]:
    """Those of ARCHITECTURES that this ptxas knows."""
    said = subprocess.run([ptxas, "--help"], capture_output=True, text=True, check=True).stdout
    return [one for one in ARCHITECTURES if f"'sm_{one}'" in said]


def assemble(ptxas: Path, ptx: Path, architecture: int, folder: Path) -> int:
    """Write one file into the folder; its bytes."""
    cubin = folder / f"{ptx.stem}.sm_{architecture}.cubin"
    command = [ptxas, "-O3", f"-arch=sm_{architecture}", ptx, "-o", cubin]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CubinError(f"ptxas refuses {ptx.name} for sm_{architecture}: {done.stderr.strip()}")
    return cubin.stat().st_size


def main() -> None:
    """Write all files; CubinError where they are more than may be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="*", help="a glob of names; by default all")
    parser.add_argument("--ptxas", type=Path, help="this assembler")
    parser.add_argument("--if-possible", action="store_true", help="without ptxas, make nothing")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for old in given.folder.glob("*.sm_*.cubin"):
        old.unlink()
    try:
        ptxas = given.ptxas or installed()
    except CubinError as error:
        if not given.if_possible:
            raise
        print(f"no machine code for GPUs, only PTX: {error}")
        return
    files = sorted((ROOT / "src/gpu/generated").glob(f"{given.only}.ptx"))
    if not files:
        raise CubinError(f"no file of src/gpu/generated is named {given.only}.ptx")
    tasks = [(ptx, one) for ptx in files for one in known(ptxas)]
    with ThreadPoolExecutor() as pool:
        sizes = list(pool.map(lambda task: assemble(ptxas, *task, given.folder), tasks))
    total = sum(sizes)
    print(f"{len(sizes)} files, {total / (1 << 20):.1f} MiB in {given.folder}")
    if total > MOST:
        raise CubinError(f"they are {total} bytes together; at most {MOST} are wanted")


if __name__ == "__main__":
    try:
        main()
    except CubinError as error:
        sys.exit(f"tools/gpu_cubins.py: {error}")
