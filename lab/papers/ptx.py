# SPDX-License-Identifier: Apache-2.0
"""Jang et al. on SPECK, SIMON and SIMECK in CUDA PTX: their table 3 beside what our kernels execute.

There is no GPU here, so no time of ours stands beside theirs. What is exact without one is the number of instructions that ptxas makes of a
kernel: of their design as we build it, and of ours. Those on the ALU pipe limit a GPU with 64 lanes per multiprocessor and clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..gpu import counts
from ..results import Entry, Result
from . import Cell, Chart, Report, Series, Table
from .rows import statements

FAMILIES = ("speck", "simon", "simeck")
LANES = 64  # of the ALU pipe, per clock and multiprocessor (NVIDIA, CUDA C++ Programming Guide, throughput of arithmetic instructions)
LAYOUTS = {"own key, two messages per thread": "fleet_x2", "own key, 32 messages per thread in bit slices": "fleet_x32"}


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """The instructions per message of our build of the paper's design, and of our kernels for a key per message."""
    for result in counts.measure(root, command, wanted=lambda name: name.endswith("_ptx_paper") or "_fleet_x" in name):
        if result.kernel.startswith(FAMILIES):
            yield result


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """Table 3, and the counts of both beside each other."""
    results = {entry["kernel"]: entry for entry in entries if entry["kind"] == "count"}
    return Report([_published(published), _ours(results)], list(entries), _findings(published, results), [_chart(results)])


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


def _ours(results: dict[str, Entry]) -> Table:
    rows = []
    for family in FAMILIES:
        paper = results[f"{family}64_ptx_paper"]
        kernels = {"the paper's design, as we build it": paper} | {
            label: results[name] for label, layout in LAYOUTS.items() if (name := f"{family}64_128_sm75_{layout}") in results
        }
        for label, result in kernels.items():
            pipes = result["per_block"]
            alu = pipes["alu"]
            rows.append(
                [
                    f"{family.upper()}-64/128", label, Cell(f"{result['instructions']:.0f}", result), Cell(f"{alu:.1f}", result),
                    f"{pipes.get('fma', 0):.1f}",
                    f"{paper['per_block']['alu'] / alu:.2f}", f"{LANES / alu * 1000:.0f} M/s",
                ]
            )  # fmt: skip
    columns = ["cipher", "kernel", "instructions", "ALU", "FMA", "paper's ALU / this", "bound per multiprocessor and GHz"]
    return Table("counted per message in the machine code for sm_90 (kind: count; no GPU has run)", columns, rows)


def _chart(results: dict[str, Entry]) -> Chart:
    """Instructions on the ALU pipe, the one that limits: the paper's design, and our kernels."""
    designs = {"the paper's design, as we build it": "{}64_ptx_paper"} | {label: f"{{}}64_128_sm75_{layout}" for label, layout in LAYOUTS.items()}
    series = []
    for label, kernel in designs.items():
        there = {f"{family.upper()}-64/128": results[name] for family in FAMILIES if (name := kernel.format(family)) in results}
        series.append(Series(label, {place: entry["per_block"]["alu"] for place, entry in there.items()}))
    title = "ALU instructions per message with its own key (fewer is faster; counted in the machine code for sm_90)"
    return Chart("alu", title, "bars", "cipher", "ALU instructions per message", series)


def _findings(published: dict[str, Any], results: dict[str, Entry]) -> list[str]:
    said = [sentence for agreed, sentence in statements(published) if not agreed]
    for family in FAMILIES:
        paper = results[f"{family}64_ptx_paper"]["per_block"]["alu"]
        best = min(result["per_block"]["alu"] for name, result in results.items() if name.startswith(f"{family}64_128_sm75_fleet"))
        what = "times the ALU instructions of our best kernel for a key per message"
        said.append(f"{family.upper()}: the paper's design executes {paper / best:.2f} {what}.")
    return said
