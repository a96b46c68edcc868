# SPDX-License-Identifier: Apache-2.0
"""What this machine can measure, part by part, and `hanji-lab measure all`, which does the whole of
it and can be interrupted.

A part writes one file of results/, or of the results of a paper. Adding a part is adding a line to
PARTS: who measures, into which file, the command that makes it alone, what it needs, and about how
long it takes. A campaign is one run of all parts, over as many commands as it takes:
build/lab/measure-all.json says which are done.
"""

from __future__ import annotations

import importlib.util
import json
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .. import calls, cycles, machines, papers, results, size
from ..checkout import LabError, find_compiler, find_program
from ..ct.rainbow import is_built as rainbow_is_built
from ..fingerprints import fingerprint
from ..gpu.assemble import tool
from ..kernels import own_tiers
from ..machines.aarch64 import pipeline
from ..results import Result
from ..trace import AARCH64
from . import Harness, aimer, cores, python, quiet, rainbow, seal, slhdsa, telemetry
from .breakeven import break_even
from .host import host

RV32_KERNELS = ("*rv32i*", "*zbkb*")
RV32_MACHINES = ("rtl", "qemu:hifive1")
MCUS = ("simavr:atmega328p", "qemu:cortex-m0", "qemu:cortex-m3", "qemu:cortex-m4")
STATE = "build/lab/measure-all.json"


@dataclass(frozen=True)
class Bench:
    """What a part measures with: the checkout, a family of compilers, and the C library built with
    it.
    """

    root: Path
    family: str = "gcc"

    @cached_property
    def _harness(self) -> Harness:
        return Harness(self.root, self.family)

    @property
    def harness(self) -> Harness:
        """lab/measure/host.c, built when a part first asks for it; every part begins with the best
        kernels, whatever the part before forced.
        """
        self._harness.force(own_tiers(self.root)[-1])
        return self._harness


# a sentence that says what is missing and how to install it, or None
Need = Callable[[Path], "str | None"]


@dataclass(frozen=True)
class Part:
    """One part of what can be measured: `make` gives its results, which go into `file` (without
    .json) of `folder`.

    `command` makes this part alone. `seconds` is about how long it takes on two cores, everything
    built. `timed` parts measure this machine itself: their figures are only as quiet as it is.
    """

    name: str
    about: str
    make: Callable[[Bench, str], Iterable[Result]]
    file: str
    command: str
    seconds: int
    needs: tuple[Need, ...] = ()
    timed: bool = False
    folder: str = "results"

    def path(self, bench: Bench) -> Path:
        """The file of its results; figures of another core than the reference lie apart."""
        stored = bench.root / self.folder
        name = self.file.format(machine=platform.machine(), compiler=bench.family)
        return (cores.folder(stored) if self.timed else stored) / f"{name}.json"

    def made_by(self, bench: Bench) -> str:
        """The command that makes it, for the provenance."""
        return self.command.format(compiler=bench.family)

    def why_not(self, root: Path) -> list[str]:
        """What is missing here, a sentence each with the command that installs it."""
        return list(dict.fromkeys(reason for need in self.needs if (reason := need(root))))


def _refused(check: Callable[[], object]) -> Need:
    """A need out of a check that raises."""

    def need(root: Path) -> str | None:
        try:
            check()
        except LabError as error:
            return str(error)
        return None

    return need


def _machines(*patterns: str) -> Need:
    def need(root: Path) -> str | None:
        reasons = dict.fromkeys(
            reason for machine in machines.find(patterns) if (reason := machine.why_not())
        )
        return "; ".join(reasons) or None

    return need


def _package(name: str, install: str) -> Need:
    return lambda root: (
        None
        if importlib.util.find_spec(name)
        else f"the Python package {name} is not installed: {install}"
    )


TABLES = tuple(_package(name, f"pip install {name}") for name in ("polars", "pyarrow"))
COMPILER = _refused(lambda: find_compiler("gcc"))
CMAKE = _refused(lambda: find_program("cmake", "cmake", "building the C library"))
RV32 = _refused(
    lambda: find_program("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf", "code for RV32")
)
ARM: Need = lambda root: AARCH64.why_not()  # noqa: E731
MCA: Need = lambda root: pipeline.mca_why_not()  # noqa: E731
PTXAS = _refused(lambda: tool("ptxas"))
LIBCRYPTO: Need = lambda root: (  # noqa: E731
    None
    if rainbow_is_built()
    else (
        "libhanji-rainbow cannot be built here, it needs OpenSSL 3. On Debian: apt-get install "
        "libssl-dev pkg-config"
    )
)
RAINBOW: Need = lambda root: (  # noqa: E731
    None
    if Path("/usr/lib/aarch64-linux-gnu/libcrypto.a").exists()
    else (
        "OpenSSL for AArch64 is missing. On Debian: dpkg --add-architecture arm64 && apt-get "
        "update && apt-get install libssl-dev:arm64"
    )
)


def _paper(name: str, seconds: int, *needs: Need) -> Part:
    return Part(
        f"paper-{name}",
        f"what the comparison in papers/{name} needs",
        lambda bench, command: papers.measure(name, bench.root, command),
        "measured",
        f"hanji-lab paper {name} --save",
        seconds,
        needs,
        folder=f"papers/{name}/results",
    )


def _cycles(bench: Bench, command: str) -> Iterable[Result]:
    kernels = [kernel for pattern in RV32_KERNELS for kernel in cycles.chosen(bench.root, pattern)]
    for case, machine in cycles.pairs(kernels, machines.ready(RV32_MACHINES), bench.root):
        yield from machine.measure(case, command)


PARTS = {
    part.name: part
    for part in (
        Part(
            "host", "the C library in core cycles by tier and length, beside Crypto++ and OpenSSL",
            lambda bench, command: host(bench.harness, command),
            "host-{machine}-{compiler}", "hanji-lab measure host --cc {compiler} --save", 60, (COMPILER, CMAKE), timed=True,
        ),
        Part(
            "break-even", "from how many blocks or messages on vectors pay", lambda bench, command: break_even(bench.root, bench.family, command),
            "break-even-{machine}-{compiler}", "hanji-lab measure break-even --cc {compiler} --save", 65, (COMPILER, CMAKE), timed=True,
        ),
        Part(
            "python", "the Python package beside C in the same process", lambda bench, command: python(bench.harness, command),
            "python-{machine}-{compiler}", "hanji-lab measure python --cc {compiler} --save", 3, (COMPILER, CMAKE), timed=True,
        ),
        Part(
            "seal", "`hanji seal` of 1 GiB: its speed and its memory", lambda bench, command: seal(bench.harness, command),
            "seal-{machine}-{compiler}", "hanji-lab measure seal --cc {compiler} --save", 100, (COMPILER, CMAKE), timed=True,
        ),
        Part(
            "aimer", "signatures of AIMer in core cycles, by set and tier, and in several threads",
            lambda bench, command: aimer.host(bench.harness, command),
            "aimer-{machine}-{compiler}", "hanji-lab measure aimer --cc {compiler} --save", 60, (COMPILER, CMAKE), timed=True,
        ),
        Part(
            "slh-dsa", "signatures of SLH-DSA in core cycles, by set and tier, beside OpenSSL 3.5 or newer and SPHINCS+",
            lambda bench, command: slhdsa.host(bench.root, bench.family, command),
            "slh-dsa-{machine}-{compiler}", "hanji-lab measure slh-dsa --cc {compiler} --save", 90, (COMPILER, CMAKE), timed=True,
        ),
        Part(
            "rainbow", "Rainbow's calls in core cycles, in portable C",
            lambda bench, command: rainbow.host(bench.root, bench.family, command),
            "rainbow-{machine}-{compiler}", "hanji-lab measure rainbow --cc {compiler} --save", 15, (COMPILER, CMAKE, LIBCRYPTO), timed=True,
            folder="papers/rainbow-armv8/results",
        ),
        Part(
            "telemetry",
            "opening telemetry: columns of frames, and ten million from Parquet to Parquet",
            lambda bench, command: telemetry.host(bench.root, bench.family, command),
            "telemetry-{machine}-{compiler}",
            "hanji-lab measure telemetry --cc {compiler} --save", 100,
            (COMPILER, CMAKE, *TABLES), timed=True,
        ),
        Part(
            "rv32-size", "what hanji costs RV32 firmware", lambda bench, command: size.measure_sizes(bench.root, command),
            "rv32-size", "hanji-lab size --save", 12, (RV32, CMAKE, _machines("qemu:hifive1")),
        ),
        Part(
            "rv32-kernel-size", "code, round keys and stack of the RV32 kernels",
            lambda bench, command: size.kernel_sizes(bench.root, "*rv32i*", command),
            "rv32-kernel-size", "hanji-lab size '*rv32i*' --save", 4, (RV32, CMAKE, _machines("qemu:hifive1")),
        ),
        Part(
            "rv32-kernels", "the RV32 kernels on simulated cores", _cycles,
            "rv32-kernels", (
                "hanji-lab cycles '*rv32i*' '*zbkb*' --on rtl --on qemu:hifive1 --save "
                "rv32-kernels"
            ), 120,
            (RV32, _machines(*RV32_MACHINES)),
        ),
        Part(
            "calls", "whole calls of the library on AArch64, counted and modelled",
            lambda bench, command: calls.measure(bench.root, calls.chosen("*"), command),
            "calls-aarch64", "hanji-lab calls --save", 25, (ARM, MCA, CMAKE),
        ),
        _paper("speck-cham-rv32", 60, RV32, _machines(*RV32_MACHINES)),
        _paper("sparkle-armv8", 60, ARM, MCA),
        _paper("speck-simon-simeck-ptx", 10, PTXAS),
        _paper("aimer-armv8", 90, ARM, CMAKE),
        _paper("rainbow-armv8", 240, ARM, CMAKE, RAINBOW),
        _paper("lwc-mcu", 20, COMPILER, _machines(*MCUS)),
    )
}  # fmt: skip


def find(names: Sequence[str]) -> list[Part]:
    """The parts of these names; LabError that lists them when one is no part."""
    if unknown := [name for name in names if name not in PARTS]:
        raise LabError(f"part {unknown[0]!r} given, all or one of {', '.join(PARTS)} expected")
    return [PARTS[name] for name in names]


def run(
    part: Part, bench: Bench, tell: Callable[[Result], object] = lambda result: None
) -> list[Result]:
    """Measure a part; `tell` hears of each result as it comes. LabError when something is missing."""
    if missing := part.why_not(bench.root):
        raise LabError(f"{part.name} cannot be measured here: {'; '.join(missing)}")
    found = []
    for result in part.make(bench, part.made_by(bench)):
        found.append(result)
        tell(result)
    return found


@dataclass(frozen=True)
class Campaign:
    """One run of all parts, over one command or several: what is done stands in a file, and is done
    again only when a source has changed.
    """

    bench: Bench
    parts: Sequence[Part]

    @property
    def state(self) -> Path:
        """The file that remembers it."""
        return self.bench.root / STATE

    def done(self) -> dict[str, str]:
        """The finished parts, each with the fingerprint of the file that it wrote."""
        try:
            found = json.loads(self.state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        known = found if isinstance(found, dict) else {}
        return {
            name: mark
            for name, mark in known.items()
            if isinstance(mark, str) and name in PARTS and self._holds(PARTS[name], mark)
        }

    def _holds(self, part: Part, mark: str) -> bool:
        path = part.path(self.bench)
        if not path.is_file() or fingerprint(path) != mark:
            return False
        return not any(
            results.stale(entry["provenance"]["sources"], self.bench.root)
            for entry in results.read(path)
        )

    def finish(self, part: Part, found: Sequence[Result]) -> Path:
        """Write a part's results, then remember that it is done."""
        done, path = self.done(), part.path(self.bench)
        results.write(path, found)
        results.write_text(
            self.state, json.dumps(done | {part.name: fingerprint(path)}, indent=1) + "\n"
        )
        return path

    def forget(self) -> None:
        """Begin again, or end: nothing is done any more."""
        self.state.unlink(missing_ok=True)


@dataclass(frozen=True)
class Outcome:
    """What became of a part: written, kept (it was done before), missing (a tool is not here) or
    failed; and what is to say about it.
    """

    part: Part
    word: str
    said: str
    seconds: float = 0.0


def all_parts(
    campaign: Campaign,
    start: Callable[[Part], object] = lambda part: None,
    tell: Callable[[Result], object] = lambda result: None,
) -> Iterable[Outcome]:
    """Measure every part that is not done yet; an interruption loses only the part that it falls
    into.
    """
    done = campaign.done()
    for part in campaign.parts:
        start(part)
        begin = time.monotonic()
        if part.name in done:
            yield Outcome(part, "kept", "measured before in this campaign")
        elif missing := part.why_not(campaign.bench.root):
            yield Outcome(part, "missing", "; ".join(missing))
        else:
            try:
                path = campaign.finish(part, run(part, campaign.bench, tell))
            except LabError as error:
                yield Outcome(part, "failed", str(error), time.monotonic() - begin)
            else:
                said = [path.relative_to(campaign.bench.root).as_posix(), quiet.remark()]
                yield Outcome(
                    part, "written", "; ".join(filter(None, said)), time.monotonic() - begin
                )
