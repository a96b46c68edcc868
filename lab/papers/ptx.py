# SPDX-License-Identifier: Apache-2.0
"""Jang et al. on SPECK, SIMON and SIMECK in CUDA PTX: their table 3 beside what our kernels execute.

There is no GPU here, so no time of ours stands beside theirs. What is exact without one is the number of instructions that ptxas makes of a
kernel: of their design as we build it, and of ours. Those on the ALU pipe limit a GPU with 64 lanes per multiprocessor and clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..gpu import counts
from ..results import Result
from . import Report, Table

FAMILIES = ("speck", "simon", "simeck")
LANES = 64  # of the ALU pipe, per clock and multiprocessor (NVIDIA, CUDA C++ Programming Guide, throughput of arithmetic instructions)
LAYOUTS = {"own key, two messages per thread": "fleet_x2", "own key, 32 messages per thread in bit slices": "fleet_x32"}


def report(published: dict[str, Any], root: Path, command: str) -> Report:
    """Table 3, our build of the paper's design, and our kernels for a key per message, in instructions per message."""
    results = {
        result.kernel: result
        for result in counts.measure(root, command, wanted=lambda name: name.endswith("_ptx_paper") or "_fleet_x" in name)
        if result.kernel.startswith(FAMILIES)
    }
    return Report([_published(published), _ours(results)], list(results.values()), _findings(published, results))


def _published(published: dict[str, Any]) -> Table:
    rows = []
    for family in FAMILIES:
        for messages in sorted({row["messages"] for row in published["rows"]}):
            values = {row["design"]: row["value"] for row in published["rows"] if row["cipher"] == family and row["messages"] == messages}
            gain = values["gpu-c"] / values["gpu-ptx"]
            cells = [f"{values[design]:g} ms" for design in ("cpu-c", "gpu-c", "gpu-ptx")]
            rows.append([f"{family.upper()}-64/128", f"{messages:,}", *cells, f"{gain:.2f}", f"{messages / values['gpu-ptx'] / 1000:.0f} M/s"])
    columns = ["cipher", "messages", "CPU (C)", "GPU (C)", "GPU (PTX)", "C / PTX", "messages, PTX"]
    return Table(f"published: table 3, {published['machine']}", columns, rows)


def _ours(results: dict[str, Result]) -> Table:
    rows = []
    for family in FAMILIES:
        paper = results[f"{family}64_ptx_paper"]
        kernels = {"the paper's design, as we build it": paper} | {
            label: results[name] for label, layout in LAYOUTS.items() if (name := f"{family}64_128_sm75_{layout}") in results
        }
        for label, result in kernels.items():
            pipes = result.more["per_block"]
            alu = pipes["alu"]
            rows.append(
                [
                    f"{family.upper()}-64/128", label, f"{result.instructions:.0f}", f"{alu:.1f}", f"{pipes.get('fma', 0):.1f}",
                    f"{paper.more['per_block']['alu'] / alu:.2f}", f"{LANES / alu * 1000:.0f} M/s",
                ]
            )  # fmt: skip
    columns = ["cipher", "kernel", "instructions", "ALU", "FMA", "paper's ALU / this", "bound per multiprocessor and GHz"]
    return Table("counted per message in the machine code for sm_90 (kind: count; no GPU has run)", columns, rows)


def _findings(published: dict[str, Any], results: dict[str, Result]) -> list[str]:
    said = []
    for family, claim in published["claims"].items():
        gains = []
        for messages in sorted({row["messages"] for row in published["rows"]}):
            values = {row["design"]: row["value"] for row in published["rows"] if row["cipher"] == family and row["messages"] == messages}
            gains.append(f"{100 * (1 - values['gpu-ptx'] / values['gpu-c']):.0f} % less time for {messages:,} messages")
        said.append(f"{family.upper()}: the text says that PTX gains {claim:g} %; table 3 says {' and '.join(gains)}.")
    for family in FAMILIES:
        paper = results[f"{family}64_ptx_paper"].more["per_block"]["alu"]
        best = min(result.more["per_block"]["alu"] for name, result in results.items() if name.startswith(f"{family}64_128_sm75_fleet"))
        what = "times the ALU instructions of our best kernel for a key per message"
        said.append(f"{family.upper()}: the paper's design executes {paper / best:.2f} {what}.")
    said.append("The published times are of 15,360 and 35,840 messages, too few to fill a GPU; they include what a launch costs.")
    return said
