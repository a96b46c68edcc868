# SPDX-License-Identifier: Apache-2.0
"""Executed instructions of the PTX kernels per block, counted in the machine code that ptxas makes:
exact, and without a GPU.

Every thread of a launch has full work, so a figure is what large calls approach. The pipe that is
busiest decides how many blocks a second a GPU can do at most; memory can be the limit before that.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..results import Provenance, Result, sources
from . import ciphers, fleets, generate, plain, ptx_path
from .assemble import Function, assemble, disassemble
from .sass import Buffer, Outcome, Parameter, run

THREADS = 32
SEALED_BYTES = 64  # of a message, without associated data


@dataclass(frozen=True)
class Launch:
    """One CTA with full work: the kernel's name, what it computes, its arrays in order, and what
    follows them.
    """

    name: str
    operation: str
    file: str
    blocks: int
    arrays: dict[str, int]  # sizes; `offsets` are those of equal messages
    extra: list[Parameter]
    writable: tuple[str, ...] = ("out",)
    threads: int = THREADS


def launches() -> Iterator[Launch]:
    """Every kernel but the tails."""
    for stem, variants in ciphers.FILES.items():
        for cipher in variants:
            words, vectors = cipher.words, generate.THREADS * generate.STREAM_VECTORS[cipher.words]
            per_thread = generate.STREAM_VECTORS[words] * 4 // words
            counter: list[Parameter] = [0] * words
            for operation in ("encrypt", "decrypt", "ctr"):
                arrays = {
                    "out": 16 * vectors,
                    "in": 16 * vectors,
                    "keys": 4 * cipher.round_key_words,
                }
                extra = [vectors, *(counter if operation == "ctr" else [])]
                name = f"{cipher.key}_sm75_{operation}_x{per_thread}"
                yield Launch(
                    name,
                    operation,
                    f"{stem}_sm75",
                    generate.THREADS * per_thread,
                    arrays,
                    extra,
                    threads=generate.THREADS,
                )
        cipher = variants[0]
        for operation in generate.SLICED.get(stem, {}):
            size = 128 * cipher.words * THREADS
            arrays = {
                "out": size,
                "in": size,
                "masks": 4 * (16 if stem == "cham64" else 32) * cipher.round_key_words,
            }
            extra = [0] * cipher.words if operation == "ctr" else []
            yield Launch(
                f"{cipher.key}_sm75_{operation}_x32",
                operation,
                f"{stem}_sm75_x32",
                32 * THREADS,
                arrays,
                extra,
            )
        for cipher in variants:
            for layout, each, threads in (
                ("x1", 1, THREADS),
                (f"x{fleets.SINGLES}", fleets.SINGLES, fleets.THREADS),
                ("x32", 32, THREADS),
            ):
                if layout == "x32" and cipher.key not in fleets.SLICED:
                    continue
                n, block = each * threads, 4 * cipher.words
                arrays = {
                    "out": block * n,
                    "in": block * n,
                    "keys": 4 * fleets.OWN[cipher.key].key_words * n,
                    "counters": block * n,
                }
                arrays |= {"offsets": 8 * n + 8} if layout == "x1" else {}
                extra = [] if layout == "x32" else [n]
                yield Launch(
                    f"{cipher.key}_sm75_fleet_{layout}",
                    "fleet",
                    f"{stem}_sm75_fleet",
                    n,
                    arrays,
                    extra,
                    threads=threads,
                )
        if stem in fleets.PAPER:
            cipher = variants[0]
            for layout, each, threads in (
                (f"x{fleets.SINGLES}", fleets.SINGLES, fleets.THREADS),
                ("x32", 32, THREADS),
            ):
                if layout == "x32" and cipher.key not in fleets.SLICED:
                    continue
                n = each * threads
                arrays = {"out": 8 * n, "in": 8 * n, "keys": 16 * n}
                yield Launch(
                    f"{cipher.key}_sm75_own_{layout}",
                    "own",
                    f"{stem}_sm75_own",
                    n,
                    arrays,
                    [] if layout == "x32" else [n],
                    threads=threads,
                )
            arrays = {"out": 8 * THREADS, "in": 8 * THREADS, "keys": 16 * THREADS}
            yield Launch(
                f"{stem}_ptx_paper", "fleet", f"{stem}_sm75_paper", THREADS, arrays, [THREADS]
            )
    n = THREADS
    for file, _, key, nonce, _ in generate.SPONGES:
        arrays = {
            "out": SEALED_BYTES * n,
            "in": SEALED_BYTES * n,
            "keys": 16 * n,
            "nonces": nonce * n,
            "tags": 16 * n,
            "offsets": 8 * n + 8,
            "ad": 0,
            "ad_offsets": 8 * n + 8,
            "status": n,
        }
        yield Launch(
            f"{key}_sm75_seal_x1",
            "seal",
            f"{file}_sm75_fleet",
            n,
            arrays,
            [n],
            ("out", "tags", "status"),
        )


def count(function: Function, launch: Launch) -> Outcome:
    """Run it over zeros."""
    buffers = {}
    for name, size in launch.arrays.items():
        data = np.zeros(size, np.uint8)
        if name == "offsets":
            message = launch.arrays["in"] // launch.blocks
            data = (np.arange(size // 8, dtype="<i8") * message).view(np.uint8)
        buffers[name] = Buffer(data, name in launch.writable)

    def parameters(given: Mapping[str, Buffer]) -> Sequence[Parameter]:
        return [*given.values(), *launch.extra]

    return run(function.instructions, function.architecture, buffers, parameters, 1, launch.threads)


def plain_kernels(root: Path, command: str, architecture: int = 90) -> list[Result]:
    """The same of the C kernels, per message: as nvcc made them for sm_90 (plain_sm90.cubin), for
    others as ptxas makes them of its PTX.
    """
    if architecture == 90:
        file, tools = "lab/gpu/generated/plain_sm90.cubin", [plain.COMPILER]
        functions = {
            name: Function(name, 90, 0, 0, 0, tuple(code))
            for name, code in disassemble(root / file).items()
        }
    else:
        file, tools = "lab/gpu/generated/plain_sm75.ptx", [plain.COMPILER, "ptxas 13.5.37"]
        with tempfile.TemporaryDirectory() as folder:
            functions = assemble(root / file, architecture, Path(folder))
    provenance = Provenance(
        sources(root, ["lab/gpu/plain.cu", file]),
        [*tools, "emulator of lab/gpu/sass.py"],
        " ".join(plain.FLAGS),
        command,
    )
    found = []
    for name, function in functions.items():
        arrays = {"out": 8 * THREADS, "in": 8 * THREADS, "keys": 16 * THREADS}
        launch = Launch(name.removeprefix("hanji_"), "fleet", "plain", THREADS, arrays, [THREADS])
        outcome = count(function, launch)
        per_block = {
            pipe: round(number / THREADS, 3) for pipe, number in sorted(outcome.pipes.items())
        }
        found.append(
            Result(
                launch.name, f"sass:sm_{architecture}", "count", "fleet", 8, provenance, cache=None,
                instructions=round(sum(outcome.pipes.values()) / THREADS, 3), more={"per_block": per_block},
            )
        )  # fmt: skip
    return found


def measure(
    root: Path,
    command: str,
    architecture: int = 90,
    wanted: Callable[[str], bool] = lambda name: True,
) -> list[Result]:
    """One result per kernel: instructions per block (per message in fleets), by pipe."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        assembled: dict[str, dict[str, Function]] = {}
        for launch in launches():
            if not wanted(launch.name):
                continue
            path = root / ptx_path(launch.file)
            if launch.file not in assembled:
                assembled[launch.file] = assemble(path, architecture, Path(folder))
            function = assembled[launch.file][f"hanji_{launch.name}"]
            outcome = count(function, launch)
            per_block = {
                pipe: round(number / launch.blocks, 3)
                for pipe, number in sorted(outcome.pipes.items())
            }
            provenance = Provenance(
                sources(root, [path.relative_to(root).as_posix()]),
                ["ptxas 13.5.37", "emulator of lab/gpu/sass.py"],
                "-O3",
                command,
            )
            found.append(
                Result(
                    launch.name, f"sass:sm_{architecture}", "count", launch.operation, launch.arrays["in"] // launch.blocks, provenance, cache=None,
                    instructions=round(sum(outcome.pipes.values()) / launch.blocks, 3),
                    more={"registers": function.registers, "per_block": per_block},
                )
            )  # fmt: skip
    return found
