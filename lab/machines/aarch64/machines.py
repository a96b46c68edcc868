# SPDX-License-Identifier: Apache-2.0
"""qemu:aarch64, which counts instructions exactly, and the models, which estimate cycles of what it
saw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...cases import Case
from ...fingerprints import fingerprint
from ...results import Result, tool_version
from ...trace import Region
from . import pipeline
from .harness import TARGET, Figures, flags, measure

ISAS = frozenset({"a64", "neon", "sha3", "pmull", "c"})
CPU = "max"  # knows every extension that a kernel may use; what is executed does not depend on it


_seen: dict[tuple[object, ...], Figures] = {}


def _ordered(case: Case) -> Figures:
    """What a case executes, in order: all models of it ask for the same."""
    files = tuple((path, fingerprint(path)) for path in case.files)
    key = (files, case.symbol, case.operation, case.bytes, case.flags)
    if key not in _seen:
        _seen[key] = measure(case, "qemu:aarch64", CPU, ordered=True)
    return _seen[key]


def executed(case: Case) -> Region:
    """What the measured call of a case executes; `order` and `executed()` have it instruction by
    instruction.
    """
    return _ordered(case).region


def _tools() -> list[str]:
    return [tool_version(TARGET.emulator), tool_version(TARGET.compiler)]


class Counter:
    """qemu-user with the plugin of `trace`."""

    name = "qemu:aarch64"
    kind = "count"
    isas = ISAS
    about = (
        "executed instructions of ARMv8-A code, counted by a plugin of qemu-user; nothing about "
        "time"
    )

    def why_not(self) -> str | None:
        """What is missing."""
        return TARGET.why_not()

    def measure(self, case: Case, command: str) -> list[Result]:
        """Instructions of one call, from its first to its return."""
        figures = measure(case, self.name, CPU)
        provenance = case.provenance(_tools(), flags(case), command)
        more = {
            "blocks": case.kernel.blocks,
            "stack": figures.stack,
            "mnemonics": figures.region.by_mnemonic(),
        }
        count = figures.region.instructions
        return [
            Result(
                case.kernel.name,
                self.name,
                self.kind,
                case.operation,
                case.bytes,
                provenance,
                cache=None,
                instructions=count,
                more=more,
            )
        ]


@dataclass(frozen=True)
class Model:
    """An estimate of the cycles of the straight-line code of a call."""

    name: str
    core: str
    method: str
    estimate: Callable[[Sequence[str]], float]
    isas: frozenset[str]
    kind: str = "model"

    @property
    def about(self) -> str:
        """What it is."""
        return (
            f"model, not a measurement: cycles of the straight-line code on {self.core} by "
            f"{self.method}"
        )

    def why_not(self) -> str | None:
        """What is missing."""
        return TARGET.why_not() or pipeline.mca_why_not()

    def measure(self, case: Case, command: str) -> list[Result]:
        """Cycles of the straight-line code of one call, which qemu:aarch64 saw and checked."""
        region = executed(case)
        # a compiler keeps part of the state in memory; assembly here does not
        memory = case.kernel.source.endswith(".c")
        code = pipeline.straight_line(region.executed(), memory)
        cycles = self.estimate(code)
        provenance = case.provenance(
            [*_tools(), f"{pipeline.MCA} {pipeline.MCA_VERSION}"], flags(case), command
        )
        more = {"blocks": case.kernel.blocks, "straight_line": len(code), "with_memory": memory}
        result = Result(
            case.kernel.name,
            self.name,
            self.kind,
            case.operation,
            case.bytes,
            provenance,
            cache=None,
            instructions=region.instructions,
            cycles=cycles,
            cycles_per_byte=cycles / case.bytes,
            more=more,
        )
        return [result]


def _mca(cpu: str) -> Callable[[Sequence[str]], float]:
    return lambda code: pipeline.mca_cycles(cpu, code)


MODELS = (
    Model(
        "model:a72",
        "a Cortex-A72",
        "a model of its issue queues",
        pipeline.QueueModel().cycles,
        ISAS - {"sha3"},
    ),
    Model("model:a72-mca", "a Cortex-A72", "llvm-mca", _mca("cortex-a72"), ISAS - {"sha3"}),
    Model("model:a55", "a Cortex-A55", "llvm-mca", _mca("cortex-a55"), ISAS - {"sha3"}),
    Model("model:n1", "a Neoverse N1", "llvm-mca", _mca("neoverse-n1"), ISAS - {"sha3"}),
    Model("model:v1", "a Neoverse V1", "llvm-mca", _mca("neoverse-v1"), ISAS),
)
