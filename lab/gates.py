# SPDX-License-Identifier: Apache-2.0
"""Exact counts of our own assembly, held in files: a change that makes one worse is an error that
says the old and the new figure.

A gate is a file lab/gates/<name>.json: for every kernel and operation the figure of each machine
(executed instructions, or cycles of a simulated core with warm caches) and the bytes of its code.
`measure` makes the figures of the present sources, `problems` compares. Only assembly is held, the
library's and the files that our generators write for papers/: machine code from a compiler changes
with the compiler.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from . import cycles, machines
from .cases import measurable
from .checkout import LabError
from .gpu import counts
from .kernels import Kernel, scan

Figures = dict[str, dict[str, int]]  # "kernel operation" -> machine, or `code` -> figure

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Gate:
    """Which kernels are held on which machines, and how large code may be at most (by a glob over
    kernels, in bytes).
    """

    isas: tuple[str, ...]
    machines: tuple[str, ...]
    code_limits: Mapping[str, int] = field(default_factory=dict)
    # of instruction sets that `machines` do not run
    own_machines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # what measures instead, for kernels that are no functions of a processor
    figures: Callable[[Path], Figures] | None = None


def gpu_figures(root: Path) -> Figures:
    """Instructions of the PTX kernels on the ALU pipe, which limits them, as ptxas assembles them
    for one architecture.
    """
    results = counts.measure(root, "hanji-lab gates gpu")
    return {
        f"{r.kernel} {r.operation}": {
            f"{r.machine} ALU of 1000 blocks": round(1000 * r.more["per_block"]["alu"])
        }
        for r in results
    }


GATES = {
    "rv32": Gate(
        ("rv32i", "zbkb"),
        ("qemu:hifive1", "rtl:ibex-maxperf", "rtl:picorv32"),
        {"*_x32": 12 << 10, "*_small*": 4 << 10},
        {"zbkb": ("rtl:ibex-zbkb",)},
    ),
    "a64": Gate(("a64", "neon", "sha3"), ("qemu:aarch64",)),
    "mcu": Gate(
        ("armv6m", "armv7m", "armv7em", "avr"),
        (),
        own_machines={
            "armv6m": ("qemu:cortex-m0",),
            "armv7m": ("qemu:cortex-m4",),
            "armv7em": ("qemu:cortex-m4",),
            "avr": ("simavr:atmega328p",),
        },
    ),
    "gpu": Gate(("sm75",), (), figures=gpu_figures),
}


def file(name: str) -> Path:
    """The file of a gate."""
    return HERE / "gates" / f"{name}.json"


def held(name: str) -> Figures:
    """The figures that are held; LabError when there is no such gate."""
    if name not in GATES:
        raise LabError(f"gate {name!r} given, one of {', '.join(GATES)} expected")
    if not file(name).is_file():
        return {}
    content: Figures = json.loads(file(name).read_text(encoding="utf-8"))
    return content


def kernels(root: Path, gate: Gate) -> list[Kernel]:
    """The assembly kernels that a gate holds: those that the laboratory can call by themselves."""
    found, errors = scan(root)
    if errors:
        raise LabError("\n".join(map(str, errors)))
    found += [kernel for kernel in cycles.of_papers(root) if "/generated/" in kernel.source]
    return [
        kernel
        for kernel in found
        if kernel.isa in gate.isas and kernel.source.endswith(".S") and measurable(kernel)
    ]


def measure(root: Path, name: str, on: Sequence[str] = ()) -> Figures:
    """The figures of the present sources, on all machines of the gate or on some."""
    gate = GATES[name]
    if gate.figures:
        return gate.figures(root)
    figures: Figures = {}
    jobs = [
        job
        for isa in gate.isas
        for job in cycles.pairs(
            [kernel for kernel in kernels(root, gate) if kernel.isa == isa],
            machines.ready(on or gate.own_machines.get(isa, gate.machines)),
            root,
        )
    ]
    for case, machine in jobs:
        result = next(
            result for result in machine.measure(case, "hanji-lab gates") if result.cache != "cold"
        )
        count = result.instructions if result.cycles is None else result.cycles
        assert count is not None
        row = figures.setdefault(f"{result.kernel} {result.operation}", {})
        row[machine.name] = int(count)
        if result.more.get("code") is not None:
            row["code"] = result.more["code"]
    return figures


def problems(name: str, before: Figures, now: Figures) -> list[str]:
    """What is worse than it was, not held, gone, or over its limit; figures that are better are
    none.
    """
    said = []
    for row, figures in now.items():
        for what, figure in figures.items():
            old = before.get(row, {}).get(what)
            if old is None:
                said.append(f"{row}: {what} is not held yet ({figure})")
            elif figure > old:
                said.append(f"{row}: {what} was {old}, is {figure}")
        for pattern, limit in GATES[name].code_limits.items():
            if fnmatchcase(row.partition(" ")[0], pattern) and figures.get("code", 0) > limit:
                said.append(f"{row}: {figures['code']} bytes of code, at most {limit} are allowed")
    return said + [f"{row}: held, but there is no such kernel" for row in before if row not in now]


def write(name: str, figures: Figures) -> Path:
    """Hold these figures from now on."""
    path = file(name)
    path.parent.mkdir(exist_ok=True)
    lines = [
        f" {json.dumps(row)}: {json.dumps(dict(sorted(values.items())))}"
        for row, values in sorted(figures.items())
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return path
