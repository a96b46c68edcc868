# SPDX-License-Identifier: Apache-2.0
"""The first NVIDIA GPU of this machine, for the kernels in PTX. They are measured by themselves
(lab/gpu/bench.py), not as cases of C functions.
"""

from __future__ import annotations

from ..cases import Case
from ..checkout import LabError
from ..results import Result
from . import register


class Gpu:
    """A GPU with its driver."""

    name = "gpu"
    kind = "gpu"
    isas = frozenset({"sm75"})
    about = (
        "the first NVIDIA GPU here: clocks of its multiprocessors per block, large batches, "
        "kernel alone"
    )

    def why_not(self) -> str | None:
        """None where there is a GPU that can be used."""
        try:
            from ..gpu.device import Device
        except ImportError:
            return "NumPy is not installed: python -m pip install './lab[gpu]'"
        try:
            with Device():
                return None
        except LabError as error:
            return str(error)

    def measure(self, case: Case, command: str) -> list[Result]:
        """Cases are functions in C, which a GPU does not run."""
        raise LabError(
            f"{case.kernel.name} is no kernel for GPUs; hanji-lab cycles 'GLOB' --on gpu "
            "measures those"
        )


register(Gpu())
