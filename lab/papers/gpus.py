# SPDX-License-Identifier: Apache-2.0
"""What the model of a GPU knows: how many messages a second it can do at most."""

from __future__ import annotations

from dataclasses import dataclass

# of the ALU pipe, per clock and multiprocessor (NVIDIA, CUDA C++ Programming Guide, throughput of
# arithmetic instructions)
LANES = 64


@dataclass(frozen=True)
class Gpu:
    """A GPU after NVIDIA's data sheet: multiprocessors, boost clock in GHz, bytes per second of
    its memory.
    """

    name: str
    architecture: int
    multiprocessors: int
    clock: float
    memory: float

    def messages(self, alu: float, moved: float) -> tuple[float, str]:
        """Messages per second at most, and what binds: the ALU pipe, or memory."""
        by_alu = self.multiprocessors * self.clock * 1e9 * LANES / alu
        by_memory = self.memory / moved
        return min(by_alu, by_memory), "ALU" if by_alu < by_memory else "memory"


GPUS = (Gpu("H200", 90, 132, 1.98, 4.8e12), Gpu("RTX 2060", 75, 30, 1.68, 3.36e11))
BY_NAME = {gpu.name: gpu for gpu in GPUS}
