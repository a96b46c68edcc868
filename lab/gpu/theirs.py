# SPDX-License-Identifier: Apache-2.0
"""CUDA kernels of others: compiled by the pinned nvcc, run in the emulator over random data,
compared with a specification, and counted. No GPU is needed.

A kernel encrypts one block for each thread, under a key of its own. Its arguments are named in
order: `in`, `out`, or `text` where it works in place, `keys`, and `messages`, their number.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import spec
from ..checkout import LabError
from ..spec.block import BlockCipher
from . import plain
from .assemble import disassemble, tool
from .sass import Buffer, Instruction, Parameter, run

THREADS = 32


@dataclass(frozen=True)
class Count:
    """Instructions of one thread, all together and by pipe; and whether the output is right."""

    instructions: float
    pipes: dict[str, float]
    right: bool


def compiled(text: str, architecture: int, name: str) -> dict[str, list[Instruction]]:
    """The kernels of a CUDA program as machine code; LabError with what nvcc says."""
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
        source, cubin = Path(folder, "theirs.cu"), Path(folder, "theirs.cubin")
        source.write_text(text, encoding="utf-8")
        flags = ["-O3", f"-arch=sm_{architecture}", "-cubin"]
        command: list[str | Path] = [tool("nvcc"), *flags, "-o", cubin, source]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(f"nvcc refuses {name}: {(done.stdout + done.stderr).strip()}")
        return disassemble(cubin)


def _kernel(found: Mapping[str, list[Instruction]], symbol: str, name: str) -> list[Instruction]:
    """The kernel of this name; in C++ the name is followed by the types of its arguments."""
    mangled = re.compile(rf"(_Z{len(symbol)})?{re.escape(symbol)}\w*")
    names = [one for one in found if one == symbol] or [one for one in found if mangled.match(one)]
    if len(names) != 1:
        raise LabError(f"{name} has {len(names)} kernels {symbol!r}; it has {', '.join(found)}")
    return found[names[0]]


def count(
    text: str, symbol: str, algorithm: str, arguments: Sequence[str], architecture: int, name: str
) -> Count:
    """One launch of 32 threads over random data; LabError for arguments that are not known."""
    cipher = spec.algorithm(algorithm)
    assert isinstance(cipher, BlockCipher)
    sizes = dict.fromkeys(("in", "out", "text"), cipher.block_size) | {"keys": cipher.key_size}
    if unknown := [one for one in arguments if one not in sizes and one != "messages"]:
        raise LabError(f"argument {unknown[0]!r} given, one of {', '.join(sizes)} expected")
    code = _kernel(compiled(text, architecture, name), symbol, name)
    chance = np.random.default_rng(2021)
    data = {
        one: chance.integers(0, 256, sizes[one] * THREADS, np.uint8)
        for one in arguments
        if one in sizes
    }
    first = data["text" if "text" in data else "in"].copy()
    keys = data["keys"].copy()
    buffers = {one: Buffer(array, True) for one, array in data.items()}

    def parameters(given: Mapping[str, Buffer]) -> Sequence[Parameter]:
        return [given.get(one, THREADS) for one in arguments]

    outcome = run(code, architecture, buffers, parameters, 1, THREADS)
    wanted = b"".join(
        cipher.encrypt(block.tobytes(), key.tobytes())
        for block, key in zip(first.reshape(THREADS, -1), keys.reshape(THREADS, -1), strict=True)
    )
    made = buffers["text" if "text" in buffers else "out"].data.tobytes()
    pipes = {pipe: round(n / THREADS, 3) for pipe, n in sorted(outcome.pipes.items())}
    return Count(round(sum(outcome.pipes.values()) / THREADS, 3), pipes, made == wanted)


def compiler() -> list[str]:
    """What made the counts, for a provenance."""
    return [plain.COMPILER, "emulator of lab/gpu/sass.py"]
