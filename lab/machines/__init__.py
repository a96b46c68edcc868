# SPDX-License-Identifier: Apache-2.0
"""Machines that the laboratory can run a kernel on, by name.

A machine is an object with the attributes of `Machine`; a module of this package makes some and
hands each to `register`. MODULES lists these modules: adding a machine is adding a line. `find`
turns what a user wrote into machines.

Kinds: `rtl` (the register-transfer description of a core, simulated cycle by cycle), `count`
(instructions, counted exactly), `model` (a model of a pipeline: an estimate), `host` (this
processor), `gpu`.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from ..cases import Case
from ..checkout import LabError
from ..results import Result

MODULES = ("rv32", "aarch64", "mcu", "sass", "gpu")


class Machine(Protocol):
    """Something that runs kernels and says what that takes."""

    @property
    def name(self) -> str:
        """For example rtl:ibex-small: what kind of instrument, then what it shows."""

    @property
    def kind(self) -> str:
        """One of results.KINDS."""

    @property
    def isas(self) -> frozenset[str]:
        """The instruction sets of kernels that it runs, as cmake/kernels.cmake calls them; `c` for
        plain C.
        """

    @property
    def about(self) -> str:
        """One sentence: what it is, and what its figures mean."""

    def why_not(self) -> str | None:
        """None if it can run here; else a sentence that says what is missing and how to install it."""

    def measure(self, case: Case, command: str) -> list[Result]:
        """Run a case: check its outputs against the specification and its manners, then say its
        figures.

        CaseError when an output is wrong, a register is not kept or a byte outside of the buffers
        is written: then there are no figures. UnsupportedError when the kernel has an instruction
        that the machine does not know. `command` goes into the provenance.
        """


_machines: dict[str, Machine] = {}


def register(machine: Machine) -> None:
    """Make a machine known by its name."""
    if machine.name in _machines:
        raise LabError(f"two machines are called {machine.name!r}")
    _machines[machine.name] = machine


def machines() -> list[Machine]:
    """All machines, whether or not they can run here."""
    for module in MODULES:
        importlib.import_module(f".{module}", __package__)
    return list(_machines.values())


def find(patterns: Sequence[str]) -> list[Machine]:
    """The machines that the patterns name, in the order of `machines`, each once; LabError if a
    pattern names none.

    A pattern is a whole name (rtl:ibex-small), the beginning of names up to a `-` or `:` (rtl:ibex,
    rtl), or a glob (rtl:*).
    """
    known = machines()
    chosen: set[str] = set()
    for pattern in patterns:
        matching = {m.name for m in known if m.name == pattern}
        matching = matching or {
            m.name
            for m in known
            if fnmatchcase(m.name, pattern) or m.name.startswith((f"{pattern}-", f"{pattern}:"))
        }
        if not matching:
            names = [m.name for m in known]
            near = difflib.get_close_matches(pattern, names, n=3)
            hint = f"close to it are {', '.join(near)}" if near else f"there are {', '.join(names)}"
            raise LabError(f"no machine is named {pattern!r}; {hint}")
        chosen |= matching
    return [m for m in known if m.name in chosen]


def ready(patterns: Sequence[str]) -> list[Machine]:
    """The machines that the patterns name; LabError that says what is missing if one of them cannot
    run here.
    """
    found = find(patterns)
    missing = [f"{m.name}: {reason}" for m in found if (reason := m.why_not())]
    if missing:
        raise LabError("\n".join(missing))
    return found
