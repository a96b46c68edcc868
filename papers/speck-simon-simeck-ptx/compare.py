# SPDX-License-Identifier: Apache-2.0
"""Jang et al. on SPECK, SIMON and SIMECK in CUDA PTX: their table 3 beside what our kernels
execute.

What is exact without a GPU is the number of instructions that ptxas makes of a kernel: of their
design as we build it, of plain CUDA C, and of ours. Those on the ALU pipe limit a GPU with 64 lanes
per multiprocessor and clock: a model. Where `lab/gpu/run-all` has left results/gpu-*.json, its
times stand beside theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hanji_lab.gpu import counts
from hanji_lab.papers import Cell, Chart, Report, Series, Table
from hanji_lab.papers.gpus import GPUS, LANES
from hanji_lab.papers.rows import statements
from hanji_lab.results import Entry, Result

FAMILIES = ("speck", "simon", "simeck")
LAYOUTS = {
    "own key, two messages per thread": "fleet_x2",
    "own key, 32 messages per thread in bit slices": "fleet_x32",
}
# the operation of the paper: a block under a key of its own, no counter
SAME = {"the same operation, two per thread": "own_x2", "the same, in bit slices": "own_x32"}
ARCHITECTURES = (90, 75)  # the first is counted for the tables, both for the model
NOT_MEASURED = "not measured: no GPU"


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """The instructions per message of our build of the paper's design, of plain C, and of our
    kernels for a key per message.
    """
    for architecture in ARCHITECTURES:
        for result in counts.measure(
            root,
            command,
            architecture,
            lambda name: name.endswith("_ptx_paper") or "_fleet_x" in name or "_own_x" in name,
        ):
            if result.kernel.startswith(tuple(f"{family}64" for family in FAMILIES)):
                yield result
        yield from counts.plain_kernels(root, command, architecture)


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """Table 3, what a GPU needed for it if there was one, and the counts beside each other."""
    counted = {
        f"sm_{a}": {
            e["kernel"]: e
            for e in entries
            if e["kind"] == "count" and e["machine"] == f"sass:sm_{a}"
        }
        for a in ARCHITECTURES
    }
    results = counted["sm_90"]
    tables = [_published(published), _measured(published, entries), _ours(results), _model(counted)]
    return Report(tables, list(entries), _findings(published, results), [_chart(results)])


def _published(published: dict[str, Any]) -> Table:
    rows = []
    for family in FAMILIES:
        for messages in sorted({row["messages"] for row in published["rows"]}):
            values = {
                row["design"]: row["value"]
                for row in published["rows"]
                if row["cipher"] == family and row["messages"] == messages
            }
            gain = values["gpu-c"] / values["gpu-ptx"]
            cells = [f"{values[design]:g} ms" for design in ("cpu-c", "gpu-c", "gpu-ptx")]
            rows.append(
                [
                    f"{family.upper()}-64/128",
                    f"{messages:,}",
                    *cells,
                    f"{gain:.2f}",
                    f"{messages / values['gpu-ptx'] / 1000:.0f} M/s",
                ]
            )
    columns = ["cipher", "messages", "CPU (C)", "GPU (C)", "GPU (PTX)", "C / PTX", "messages, PTX"]
    return Table(f"published: table 3, {published['machine']}", columns, rows)


def _measured(published: dict[str, Any], entries: Sequence[Entry]) -> Table:
    """Table 3 on the GPUs that run-all has measured: the kernel alone, one launch; the processor
    beside it with one thread.
    """
    columns = [
        "machine",
        "cipher",
        "messages",
        "CPU (C)",
        "GPU (C)",
        "GPU (PTX of the paper)",
        *(f"ours: {label}" for label in SAME | LAYOUTS),
    ]
    title = "table 3 by lab/gpu/run-all: median time of one launch, without transfers"
    mine = [e for e in entries if e.get("table") == "3" and "milliseconds" in e]
    rows = []
    for machine in sorted({e["machine"] for e in mine if e["kind"] == "gpu"}):
        for family in FAMILIES:
            for messages in sorted({row["messages"] for row in published["rows"]}):

                def cell(kernel: str, messages: int = messages, machine: str = machine) -> str:
                    wanted = [
                        e for e in mine if e["kernel"] == kernel and e["messages"] == messages
                    ]
                    wanted = [
                        e
                        for e in wanted
                        if (
                            e["machine"] == machine
                            if e["kind"] == "gpu"
                            else e["tier"] == "portable"
                        )
                    ]
                    return (
                        Cell(f"{wanted[0]['milliseconds']:.3g} ms", wanted[0])
                        if wanted
                        else "not measured"
                    )

                stem = f"{family}64"
                kernels = [
                    f"{stem}_128",
                    f"{stem}_c",
                    f"{stem}_ptx_paper",
                    *(f"{stem}_128_sm75_{layout}" for layout in (SAME | LAYOUTS).values()),
                ]
                there = [
                    kernel
                    for kernel in kernels
                    if not (family == "speck" and kernel.endswith("x32"))
                ]
                cells = [cell(kernel) if kernel in there else "" for kernel in kernels]
                rows.append([machine, f"{family.upper()}-64/128", f"{messages:,}", *cells])
    return Table(title, columns, rows or [[NOT_MEASURED, *[""] * (len(columns) - 1)]])


def _model(counted: dict[str, dict[str, Entry]]) -> Table:
    """Messages per second that a GPU can do at most: by its ALU pipes, and by what its memory
    moves.
    """
    rows = []
    for gpu in GPUS:
        for family in FAMILIES:
            results = counted[f"sm_{gpu.architecture}"]
            layout = "x2" if family == "speck" else "x32"
            named = {
                "the paper's design": (f"{family}64_ptx_paper", 32),
                "ours, the same operation": (f"{family}64_128_sm75_own_{layout}", 32),
                "ours, counter mode": (f"{family}64_128_sm75_fleet_{layout}", 40),
            }
            for label, (kernel, moved) in named.items():
                if kernel not in results:
                    continue
                alu = results[kernel]["per_block"]["alu"]
                by_alu = gpu.multiprocessors * gpu.clock * LANES / alu
                by_memory, least = gpu.memory / moved / 1e9, gpu.messages(alu, moved)[1]
                rows.append(
                    [
                        gpu.name, f"{family.upper()}-64/128", label, Cell(f"{alu:.1f}", results[kernel]), f"{by_alu:.1f} G/s", f"{by_memory:.1f} G/s",
                        f"{min(by_alu, by_memory):.1f} G/s ({least})",
                    ]
                )  # fmt: skip
    columns = [
        "GPU",
        "cipher",
        "kernel",
        "ALU per message",
        "bound of the ALU",
        "bound of memory",
        "bound",
    ]
    clocks = "; ".join(
        f"{g.name}: {g.multiprocessors} multiprocessors, {g.clock} GHz, {g.memory / 1e9:.0f} GB/s"
        for g in GPUS
    )
    return Table(
        f"model: messages per second at most, large batches ({clocks})",
        columns,
        rows,
    )


def _ours(results: dict[str, Entry]) -> Table:
    rows = []
    for family in FAMILIES:
        paper = results[f"{family}64_ptx_paper"]
        kernels = {
            "the paper's design, as we build it": paper,
            "plain CUDA C by nvcc": results[f"{family}64_c"],
        } | {
            label: results[name]
            for label, layout in (SAME | LAYOUTS).items()
            if (name := f"{family}64_128_sm75_{layout}") in results
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
    columns = [
        "cipher",
        "kernel",
        "instructions",
        "ALU",
        "FMA",
        "paper's ALU / this",
        "bound per multiprocessor and GHz",
    ]
    return Table("counted per message in the machine code for sm_90 (kind: count)", columns, rows)


def _chart(results: dict[str, Entry]) -> Chart:
    """Instructions on the ALU pipe, the one that limits: the paper's design, and our kernels."""
    designs = {"the paper's design, as we build it": "{}64_ptx_paper"} | {
        label: f"{{}}64_128_sm75_{layout}" for label, layout in (SAME | LAYOUTS).items()
    }
    series = []
    for label, kernel in designs.items():
        there = {
            f"{family.upper()}-64/128": results[name]
            for family in FAMILIES
            if (name := kernel.format(family)) in results
        }
        series.append(
            Series(label, {place: entry["per_block"]["alu"] for place, entry in there.items()})
        )
    title = (
        "ALU instructions per message with its own key (fewer is faster; counted in the machine "
        "code for sm_90)"
    )
    return Chart("alu", title, "bars", "cipher", "ALU instructions per message", series)


def _findings(published: dict[str, Any], results: dict[str, Entry]) -> list[str]:
    said = [sentence for agreed, sentence in statements(published) if not agreed]
    for family in FAMILIES:
        paper = results[f"{family}64_ptx_paper"]["per_block"]["alu"]
        best = min(
            result["per_block"]["alu"]
            for name, result in results.items()
            if name.startswith(f"{family}64_128_sm75_own")
        )
        what = "times the ALU instructions of ours for the same operation (machine code for sm_90)"
        said.append(f"{family.upper()}: the paper's design executes {paper / best:.2f} {what}.")
    return said
