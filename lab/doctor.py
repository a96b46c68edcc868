# SPDX-License-Identifier: Apache-2.0
"""What this machine can measure, what is missing for the rest, and the command that installs it."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import papers, results
from .checkout import LabError
from .machines import machines
from .measure import parts as measuring
from .measure.parts import Bench, Part
from .processor import machine as processor

PIP = re.compile(r"pip install '?(\./lab\[\w+\]|[\w-]+==?[\w.]*)'?")
APT = re.compile(
    r"(?:dpkg --add-architecture (\w+) && apt-get update && )?apt-get install ((?:[\w.+:-]+ ?)+)"
)


@dataclass(frozen=True)
class Finding:
    """One thing looked at: whether it is good, and what is to say about it."""

    what: str
    good: bool
    said: str


def parts(bench: Bench) -> list[Finding]:
    """Every part of `hanji-lab measure`: ready, or what is missing."""
    found = []
    for part in measuring.PARTS.values():
        missing = part.why_not(bench.root)
        found.append(Finding(part.name, not missing, "; ".join(missing) or _stored(part, bench)))
    return found


def _stored(part: Part, bench: Bench) -> str:
    """How long a part takes, and what its results are like now."""
    path = part.path(bench)
    said = f"about {part.seconds} s; {path.relative_to(bench.root).as_posix()} "
    if not path.exists():
        return said + "is not there yet"
    try:
        entries = results.read(path, part.made_by(bench))
    except LabError as error:
        return str(error)
    changed = papers.stale(entries, bench.root)
    dates = sorted({entry["provenance"]["date"] for entry in entries})
    return said + (
        f"is stale: {len(changed)} of its sources changed since {dates[-1]}"
        if changed
        else f"is fresh, of {dates[-1]}"
    )


def instruments() -> list[Finding]:
    """Every simulated or modelled machine: ready, or what is missing."""
    return [
        Finding(machine.name, (reason := machine.why_not()) is None, reason or machine.about)
        for machine in machines()
    ]


def surroundings(root: Path) -> list[Finding]:
    """This machine itself: its processor and tiers, how busy it is, a GPU, and what the report
    needs.
    """
    found = [Finding("processor", True, f"{processor()}, {os.cpu_count()} cores")]
    found.append(_tiers())
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    busy = load > 0.3 * cores
    note = f"{load:.1f} programs want to run on {cores} cores" + (
        "; timings will be noisy: let nothing else run" if busy else ""
    )
    found.append(Finding("quiet", not busy, note))
    found.append(_gpu())
    missing = [name for name in ("matplotlib", "jinja2") if importlib.util.find_spec(name) is None]
    found.append(
        Finding(
            "report",
            not missing,
            f"{' and '.join(missing)} not installed: pip install './lab[report]'"
            if missing
            else "`hanji-lab report` can be made",
        )
    )
    return found


def _tiers() -> Finding:
    """What the installed library says; building the checkout's to ask it would take minutes."""
    try:
        import hanji
    except ImportError as error:
        return Finding("tiers of kernels", False, f"hanji is not installed ({error}): make demo")
    ready = [str(tier["name"]) for tier in hanji.backends() if tier["available"]]
    return Finding("tiers of kernels", True, f"{', '.join(ready)} (of the installed hanji)")


def _gpu() -> Finding:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return Finding(
            "NVIDIA GPU",
            False,
            (
                "no driver (libcuda.so.1): GPU kernels are counted in an emulator here, and "
                "timed nowhere"
            ),
        )
    return Finding("NVIDIA GPU", True, "a driver is here")


def commands(findings: Sequence[Finding]) -> list[str]:
    """The commands that install all that is missing: one of pip, one of Debian's apt-get."""
    said = "; ".join(finding.said for finding in findings if not finding.good)
    pip = dict.fromkeys(found[1] for found in PIP.finditer(said))
    apt: dict[str, None] = {}
    foreign: dict[str, None] = {}
    for found in APT.finditer(said):
        if found[1]:
            foreign[found[1]] = None
        apt |= dict.fromkeys(found[2].split())
    made = [f"python -m pip install {' '.join(repr(name) for name in pip)}"] if pip else []
    if apt:
        made += [f"dpkg --add-architecture {name}" for name in foreign]
        made.append(f"apt-get update && apt-get install {' '.join(apt)}")
    return made if platform.system() == "Linux" else made[:1]
