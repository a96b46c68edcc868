# SPDX-License-Identifier: Apache-2.0
"""What `hanji-lab leak` does: run the controls, test kernels, and say where they leak."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..checkout import LabError
from ..kernels import Kernel, known_isas, parse
from .campaign import Campaign, Machine, Made
from .controls import CONTROLS, SEED, Controls
from .isa import Model
from .rtl import Ibex
from .subject import Subject, is_known, subject, value_names
from .welch import ALL, SUM_THRESHOLD, TRACES_LEAST, Judgement, Test, judged

MACHINES: dict[str, type[Ibex] | type[Model]] = {"rtl:ibex": Ibex, "isa:armv7m": Model}
LEAST = TRACES_LEAST
SHOWN = 8  # leaking cycles that are named, unless all are asked for
LIMITS = {
    "rtl:ibex": (
        "first order, settled values of every cycle of one core (Ibex, configuration small), "
        "memory of one cycle; no glitches, no coupling, no noise, no memory cells"
    ),
    "isa:armv7m": (
        "first order, a model of registers, operand latches, result and bus by instruction; it is "
        "no core: no pipeline, no glitches, no coupling, no noise"
    ),
}
CLEAN = "none"  # the name of the control without a fault

# (what is run, how many of how many traces there are)
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Leak:
    """One cycle that leaks: its largest |t|, the instruction with the two before it, and the nets
    over the threshold, the worst first; none where only their sum is over its own.
    """

    cycle: int
    t: float
    instruction: str
    before: tuple[str, ...]
    nets: tuple[tuple[str, float], ...]
    sum_t: float | None


@dataclass(frozen=True)
class Finding:
    """What was found of a kernel."""

    kernel: Kernel
    machine: Machine
    seed: int
    made: Made
    judgement: Judgement
    leaks: tuple[Leak, ...]

    @property
    def verdict(self) -> str:
        """leaks, passes or undecided."""
        return self.judgement.verdict

    @property
    def traces(self) -> int:
        """Of both classes."""
        return sum(self.judgement.traces)


@dataclass(frozen=True)
class Control:
    """A control and whether it came out as it must."""

    name: str
    about: str
    finding: Finding
    good: bool


def test(
    one: Subject, on: str, root: Path, traces: int, seed: int, jobs: int, again: bool, tell: Tell
) -> Finding:
    """Make the traces of a kernel and test them."""
    machine: Machine = MACHINES[on](one, root, on)
    machine.prepare()
    campaign = Campaign(machine, root / "build/leak", seed)
    if again:
        campaign.forget()
    made = campaign.run(traces, jobs, lambda done: tell(one.kernel.name, done, traces))
    judgement = judged(made.statistics)
    return Finding(one.kernel, machine, seed, made, judgement, _leaks(machine, made, judgement))


def _leaks(machine: Machine, made: Made, found: Judgement) -> tuple[Leak, ...]:
    """The leaking cycles, the largest |t| first."""
    nets: dict[int, list[Test]] = {}
    for one in found.nets:
        nets.setdefault(one.cycle, []).append(one)
    sums = {one.cycle: one.t for one in found.sums}
    leaks = []
    for cycle in nets.keys() | sums.keys():
        worst = nets.get(cycle, [])
        instruction, before = around(machine.listing, made.path, cycle)
        strongest = max([abs(one.t) for one in worst] or [abs(sums[cycle])])
        named = tuple((machine.net_names(one.net)[0], one.t) for one in worst)
        leaks.append(Leak(cycle, strongest, instruction, before, named, sums.get(cycle)))
    return tuple(sorted(leaks, key=lambda leak: (-leak.t, leak.cycle)))


def around(
    listing: Mapping[int, str], path: Sequence[int], cycle: int
) -> tuple[str, tuple[str, ...]]:
    """The instruction of a cycle, and the two before it, the nearest last; an instruction may take
    several cycles.
    """
    order = [path[cycle]]
    for address in reversed(path[:cycle]):
        if address != order[-1]:
            order.append(address)
        if len(order) == 3:
            break
    named = [f"{address:#x}: {listing.get(address, 'no instruction')}" for address in order]
    return named[0], tuple(reversed(named[1:]))


def controls(on: str, root: Path, jobs: int, again: bool, tell: Tell) -> Iterator[Control]:
    """Run the kernel of the controls as it is, which must pass, and with each of its faults, which
    must be found.
    """
    wanted = CONTROLS[on]
    for name, about, text, traces in planted(wanted):
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
            file = Path(folder, wanted.file.name)
            file.write_text(text, encoding="utf-8")
            (kernel,) = parse(file, file.parent, known_isas(root), free=True)
            one = subject(kernel, file, {"rounds": wanted.rounds})

            def said(_: str, done: int, whole: int, what: str = name) -> None:
                tell(f"control {what}", done, whole)

            finding = test(one, on, root, traces, SEED, jobs, again, said)
        good = finding.verdict == ("passes" if name == CLEAN else "leaks")
        yield Control(name, about, finding, good)


def planted(wanted: Controls) -> list[tuple[str, str, str, int]]:
    """Name, description, text and traces of every control."""
    text = wanted.file.read_text(encoding="utf-8")
    return [
        (CLEAN, "no fault: nothing may be found", text, TRACES_LEAST),
        *(
            (fault.name, fault.about, fault.planted(text, wanted.file.name), fault.traces)
            for fault in wanted.faults
        ),
    ]


def why(control: Control) -> str:
    """What is wrong with a control that did not come out as it must."""
    found = control.finding
    if control.name != CLEAN:
        return (
            f"the planted fault {control.name!r} ({control.about}) was not found in "
            f"{found.traces} traces"
        )
    where = f"cycle {found.leaks[0].cycle}, {found.leaks[0].instruction}" if found.leaks else ""
    return f"the kernel without a fault {found.verdict}: |t| {found.leaks[0].t:.1f} at {where}"


def subjects(
    kernels: Sequence[Kernel], on: str, root: Path, values: Mapping[str, int]
) -> list[Subject]:
    """The kernels as subjects of a machine; LabError that says why one of them cannot be tested."""
    known = MACHINES[on].ISAS
    for kernel in kernels:
        if kernel.isa not in known:
            raise LabError(
                f"{kernel.name} is for {kernel.isa}, but {on} runs {', '.join(sorted(known))}"
            )
    if values and all(kernel.masking for kernel in kernels):  # else that is what is wrong
        names = set[str]().union(*map(value_names, kernels))
        if unknown := [name for name in values if not is_known(name, names)]:
            which = ", ".join(kernel.name for kernel in kernels) or "no kernel is given, which"
            there = ", ".join(sorted(names)) or "none"
            raise LabError(
                f"--value {unknown[0]} given, but {which} takes no such value; there are: {there}"
            )
    return [subject(kernel, root / kernel.source, values) for kernel in kernels]


def _number(t: float) -> float | str:
    """A statistic in JSON, which has no number for infinity."""
    return round(t, 4) if math.isfinite(t) else str(t)


def _test(machine: Machine, made: Made, one: Test | None, limit: float) -> dict[str, Any]:
    if one is None:
        return {"threshold": limit, "t": None}
    instruction, before = around(machine.listing, made.path, one.cycle)
    return {
        "threshold": round(limit, 4),
        "t": _number(one.t),
        "cycle": one.cycle,
        "instruction": instruction,
        "before": list(before),
        **({} if one.net == ALL else {"nets": machine.net_names(one.net)}),
    }


def to_json(found: Finding) -> dict[str, Any]:
    """A finding as a JSON object."""
    machine, made, judgement = found.machine, found.made, found.judgement
    return {
        "kernel": found.kernel.name,
        "machine": machine.name,
        "verdict": found.verdict,
        "traces": {"fixed": judgement.traces[0], "random": judgement.traces[1]},
        "traces_least": TRACES_LEAST,
        "seed": found.seed,
        "values": dict(machine.subject.values),
        "cycles": len(made.path),
        **machine.about(),
        "tests": judgement.tests,
        "sum": _test(machine, made, judgement.worst_sum, SUM_THRESHOLD),
        "net": _test(machine, made, judgement.worst_net, judgement.limit),
        "leaks": [
            {
                "cycle": leak.cycle,
                "t": _number(leak.t),
                "instruction": leak.instruction,
                "before": list(leak.before),
                "nets": [{"net": net, "t": _number(t)} for net, t in leak.nets],
                "sum_t": None if leak.sum_t is None else _number(leak.sum_t),
            }
            for leak in found.leaks
        ],
        "limits": LIMITS[machine.name],
        "tools": machine.tools(),
    }
