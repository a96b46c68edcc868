# SPDX-License-Identifier: Apache-2.0
"""sass:*: kernels in PTX that a user brings, assembled by ptxas and executed by the emulator of its
output (gpu/sass.py). Instructions are exact; a GPU is not needed, and time is not known.

A call launches one thread per group, 32 threads per CTA. The arguments are the parameters of the
kernel in their order: addresses of buffers, and values of the width that the PTX declares.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..cases import Buffer, Call, Case, CaseError
from ..checkout import LabError
from ..results import Result
from . import register

if TYPE_CHECKING:
    from ..gpu.assemble import Function

THREADS = 32
ARCHITECTURES = (75, 90)
ENTRY = r"\.entry\s+{}\s*\(([^)]*)\)"


def widths(text: str, name: str) -> list[int]:
    """The sizes in bytes of the parameters of a kernel, in their order."""
    found = re.search(ENTRY.format(re.escape(name)), re.sub(r"//.*", "", text))
    if not found:
        raise LabError(f"the PTX has no .entry {name}")
    return [int(bits) // 8 for bits in re.findall(r"\.param\s+\.[usb](\d+)", found[1])]


class Sass:
    """What ptxas makes of PTX for one architecture, emulated."""

    kind = "count"
    isas = frozenset({"ptx"})

    def __init__(self, architecture: int) -> None:
        self.architecture = architecture
        self.name = f"sass:sm_{architecture}"
        self.about = (
            f"executed instructions of PTX as ptxas assembles it for sm_{architecture}, emulated;"
            " nothing about time"
        )

    def why_not(self) -> str | None:
        """What is missing."""
        try:
            import numpy  # noqa: F401

            from ..gpu.assemble import tool

            for name in ("ptxas", "cuobjdump", "nvdisasm"):
                tool(name)
        except ImportError:
            return "NumPy is not installed: python -m pip install './lab[gpu]'"
        except LabError as error:
            return str(error)
        return None

    def measure(self, case: Case, command: str) -> list[Result]:
        """Instructions of one call, of all its threads together."""
        from ..gpu.assemble import assemble

        (path,) = case.files
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
            functions = assemble(path, self.architecture, Path(folder))
        if case.symbol not in functions:
            raise LabError(f"{path.name} has no kernel {case.symbol!r}, but {', '.join(functions)}")
        function = functions[case.symbol]
        sizes = widths(path.read_text(encoding="utf-8"), case.symbol)
        counted = [
            self._run(case, call, number, function, sizes) for number, call in enumerate(case.calls)
        ]
        pipes = counted[0]
        provenance = case.provenance(["ptxas 13.5.37", "emulator of lab/gpu/sass.py"], "", command)
        threads = _threads(case.calls[0])
        more = {"threads": threads, "registers": function.registers, "spilled": function.spilled}
        return [
            Result(
                case.kernel.name,
                self.name,
                self.kind,
                case.operation,
                case.bytes,
                provenance,
                cache=None,
                instructions=sum(pipes.values()),
                more=more | {f"on {pipe}": count for pipe, count in sorted(pipes.items())},
            )
        ]

    def _run(
        self, case: Case, call: Call, number: int, function: Function, sizes: Sequence[int]
    ) -> dict[str, int]:
        import numpy as np

        from ..gpu import sass

        if len(sizes) != len(call.arguments):
            raise LabError(
                f"{case.kernel.name} has {len(sizes)} parameters in its PTX,"
                f" but {len(call.arguments)} arguments are given"
            )
        buffers = {
            buffer.name: sass.Buffer(np.frombuffer(buffer.data, np.uint8).copy(), buffer.written)
            for buffer in call.buffers
        }

        def parameters(given: Mapping[str, sass.Buffer]) -> list[sass.Parameter]:
            return [
                given[argument.name] if isinstance(argument, Buffer) else (argument, size)
                for argument, size in zip(call.arguments.values(), sizes, strict=True)
            ]

        where = f"{case.kernel.name} on {self.name}: call {number}"
        blocks = -(-_threads(call) // THREADS)
        try:
            outcome = sass.run(
                function.instructions, self.architecture, buffers, parameters, blocks, THREADS
            )
        except sass.EmulationError as error:
            raise CaseError(f"{where}: {error}") from None
        for name, wanted in call.after(1).items():
            got = buffers[name].data.tobytes()
            if got != wanted:
                place = next(i for i, (a, b) in enumerate(zip(got, wanted, strict=True)) if a != b)
                raise CaseError(
                    f"{where}: byte {place} of {name}: {got[:64].hex()} given,"
                    f" {wanted[:64].hex()} expected by {case.kernel.spec}"
                )
        return dict(outcome.pipes)


def _threads(call: Call) -> int:
    """The groups of a call: its first value, for a kernel in PTX."""
    return next((value for value in call.arguments.values() if isinstance(value, int)), 1)


for _architecture in ARCHITECTURES:
    register(Sass(_architecture))
