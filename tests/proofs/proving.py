# SPDX-License-Identifier: Apache-2.0
"""What the tests of `hanji-lab prove` share: kernels, provers, and kernels that are spoilt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import debian

from hanji_lab import kernels
from hanji_lab.kernels import Kernel
from hanji_lab.prove.report import Prover, Verdict

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"rv32i": "gcc-riscv64-unknown-elf", "zbkb": "gcc-riscv64-unknown-elf"}
SECONDS = 120.0


def kernel(source: str, function: str) -> Kernel:
    """A kernel of a file under src, by the end of its function's name."""
    found = kernels.parse(ROOT / "src" / source, ROOT, kernels.known_isas(ROOT))
    return next(one for one in found if one.symbol.endswith(function))


def need(one: Kernel) -> None:
    """Skip where the assembler of a kernel is missing; PTX needs none."""
    if not one.source.endswith(".ptx"):
        debian.need(PACKAGES.get(one.isa, "gcc-aarch64-linux-gnu"))


def verdict(one: Kernel, seconds: float = SECONDS) -> Verdict:
    """The verdict on a kernel, not from the cache."""
    need(one)
    return Prover(ROOT, seconds=seconds).prove(one)


def spoilt(one: Kernel, directory: Path, *changes: tuple[str, str]) -> Kernel:
    """The kernel with a text of its file replaced, once for each change."""
    source = ROOT / one.source
    text = source.read_text()
    for old, new in changes:
        assert old in text, f"{source.name} has no {old!r}"
        text = text.replace(old, new, 1)
    for beside in source.parent.glob("*.inc"):
        (directory / beside.name).write_text(beside.read_text())
    path = directory / source.name
    path.write_text(text)
    again = kernels.parse(path, directory, kernels.known_isas(ROOT))
    found = next(kernel for kernel in again if kernel.symbol == one.symbol)
    return replace(found, source=str(path))
