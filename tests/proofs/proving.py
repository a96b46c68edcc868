# SPDX-License-Identifier: Apache-2.0
"""What the tests of `hanji-lab prove` share: kernels, provers, and kernels that are spoilt."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import debian
from click.testing import CliRunner

from hanji_lab import cli, kernels
from hanji_lab.kernels import Kernel
from hanji_lab.prove import contracts, mutants, report
from hanji_lab.prove.engines import Case, Piece
from hanji_lab.prove.fleets import FleetTask
from hanji_lab.prove.graph import Bits, Graph
from hanji_lab.prove.messages import MessageTask
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.words import folded, number_bits
from hanji_lab.prove.x86 import X86Image

Message = TypeVar("Message", bound=MessageTask)

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"rv32i": "gcc-riscv64-unknown-elf", "zbkb": "gcc-riscv64-unknown-elf"}
PACKAGES |= dict.fromkeys(("armv6m", "armv7m", "armv7em"), "gcc-arm-none-eabi") | {"avr": "gcc-avr"}
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


def verdict_by_gcc(one: Kernel) -> Verdict:
    """The verdict on what gcc makes of a kernel for x86-64, not from the cache."""
    debian.need("gcc")
    return Prover(ROOT, seconds=SECONDS).prove(one)


def verdict_of(one: Kernel, program: Path, *tasks: FleetTask) -> Verdict:
    """The verdict on a linked file for x86-64, from these tasks."""
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return Prover(ROOT, seconds=250).proved(blank, X86Image(program), tasks)


def of_lanes(task: Message, calls_of: Callable[..., Any], lanes: Sequence[int]) -> Message:
    """A task about one lane or some: it takes a few seconds."""
    shape = replace(task.shape, seen=lanes)
    return replace(task, name="few", shape=shape, build=partial(calls_of, shape, shape.calls))


def changed_copy(source: Path, header: str, old: str, new: str, directory: Path) -> Path:
    """A copy of a file in another folder, with a change there, or in a header that it includes."""
    changed = ROOT / "src" / header if header else source
    text = changed.read_text()
    assert old in text
    for path in {source, changed}:
        target = directory / (header if path != source else source.name)
        target.parent.mkdir(exist_ok=True)
        target.write_text(text.replace(old, new, 1) if path == changed else path.read_text())
    return directory / source.name


def in_one_header(one: Kernel, directory: Path, header: str, steps: str, text: str) -> Kernel:
    """The kernel with this text in place of a header, which holds that of the steps."""
    held = (ROOT / "src" / steps).read_text()
    text = text.replace(f'#include "{steps}"\n', held, 1)
    return spoilt(one, directory, (f'#include "{header}"\n', text))


def mutants_are_refused(
    source: str, function: str, count: int, equivalent: Collection[tuple[str, str]] = ()
) -> None:
    """No mutant of a kernel with SPARKLE's steps is proved, but those that compute the same."""
    debian.need("gcc")
    seen: Counter[str] = Counter()
    for mutant in mutants.x86_mutants(Prover(ROOT), kernel(source, function), count):
        seen[mutant.verdict.verdict] += 1
        turns = {re.sub(r"vpro[lr]d", "turn", said) for said in (mutant.before, mutant.after)}
        if len(turns) == 1 and turns.pop().endswith(", 0x10"):
            continue  # a word turned by 16 to the left is one to the right
        if (mutant.before, mutant.after) in equivalent:
            continue
        assert mutant.verdict.verdict != "proved", f"{mutant.before} became {mutant.after}"
    print(dict(seen))


def wrong_or_the_same(found: Iterable[mutants.Mutant], count: int) -> None:
    """So many mutants, of which only such as compute the same on numbers may be proved, and few."""
    seen: Counter[str] = Counter()
    for mutant in found:
        seen[mutant.verdict.verdict] += 1
        said = f"{mutant.at:#x}: {mutant.before} became {mutant.after}"
        assert mutant.verdict.verdict != "proved" or mutant.same, said
    print(dict(seen))
    assert sum(seen.values()) == count
    assert 2 * seen["proved"] <= count


def machine_runs(
    source: str, function: str, change: tuple[str, str], machine: str, directory: Path
) -> None:
    """A spoilt kernel has a counterexample; the machine finds it wrong there, too, and right once
    it is mended.
    """
    one = spoilt(kernel(source, function), directory, change)
    path = report.write_case(verdict(one), directory)
    assert path is not None
    options = ["--case", "--on", machine, "--root", str(ROOT), "--json"]
    made = CliRunner().invoke(cli.app, ["cycles", str(path), *options])
    assert made.exit_code == 1
    assert re.search(r"\b(out|states)\b", str(made.exception))
    place = Path(one.source)
    place.write_text(place.read_text().replace(change[1], change[0], 1))
    made = CliRunner().invoke(cli.app, ["cycles", str(path), *options])
    assert made.exit_code == 0, made.output


def small_is_proved(source: str, function: str, directory: Path, more: int) -> None:
    """With HANJI_SMALL the kernel is proved, and takes so many bytes of stack more."""
    line = "// SPDX-License-Identifier: Apache-2.0\n"
    one = spoilt(kernel(source, function), directory, (line, f"{line}#define HANJI_SMALL\n"))
    for extra in {0, more}:
        found = verdict(replace(one, stack=(one.stack or 0) + extra))
        assert found.verdict == ("proved" if extra == more else "refused"), found.why


def attacked(source: str, function: str, count: int) -> Counter[str]:
    """The verdicts on mutants; one that is proved has a reason, and computes the same in the
    emulator.
    """
    one = kernel(source, function)
    need(one)
    prover = Prover(ROOT)
    seen: Counter[str] = Counter()
    for mutant in mutants.mutants(prover, one, count):
        seen[mutant.verdict.verdict] += 1
        if mutant.verdict.verdict != "proved":
            continue
        said = f"{mutant.at:#x} bit {mutant.bit}: {mutant.before} became {mutant.after}"
        assert mutant.reason, f"{said} is accepted"
        path = Path(prover.directory.name) / f"{Path(one.source).stem}.elf"
        task = next(iter(contracts.tasks(one)))
        seed = mutants.disagreement(prover.image(one), path, mutant, task)
        assert seed is None, f"{said} is accepted, and wrong for seed {seed}"
    print(function, dict(seen))
    assert sum(seen.values()) == count
    assert seen["counterexample"] + seen["refused"] > count // 2
    return seen


def written(pieces: Iterable[Piece]) -> bytes:
    """What a call with numbers is to write, one piece after the other."""
    return bytes(
        int(folded(byte))
        for one in pieces
        if one.access == "w"
        for _, byte in sorted(one.wanted.items())
    )


class Known(Graph):
    """A graph whose inputs are random bytes."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.source, self.values = random.Random(seed), dict[str, int]()

    def word(self, name: str, width: int) -> Bits:
        value = self.values.setdefault(name, self.source.getrandbits(width))
        return number_bits(value, width)

    def given(self, name: str, size: int) -> bytes:
        """So many bytes of an input."""
        return bytes(self.values[f"{name} {i}"] for i in range(size))


def wanted_of(case: Case, units: int) -> dict[str, bytes]:
    """What the pieces of a call with so many units must hold at the end, in a graph that knows."""
    state, pieces = case.begins, list[Piece]()
    for i in range(units):
        assert case.step
        state, more = case.step(state, f"unit {i}", i, units)
        pieces += more
    return {
        one.name: bytes(int(folded(byte)) for _, byte in sorted(one.wanted.items()))
        for one in [*pieces, *case.pieces(state, units)]
    }


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
