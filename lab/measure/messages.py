# SPDX-License-Identifier: Apache-2.0
"""What whole messages take on microcontrollers: exact cycles on an ATmega328P by simavr, executed
instructions on a Cortex-M under qemu, of an amalgam at -Os with the kernels of each.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .. import depends, machines
from ..checkout import LabError, find_program, run
from ..machines.mcu.boards import Board, version
from ..machines.mcu.harness import FLAGS as PROGRAM_FLAGS
from ..machines.mcu.harness import HERE as MCU
from ..results import Provenance, Result, tool_version

# The algorithms of the program, and what a call of each is.
CALLS = {
    "schwaemm256-128": "seal",
    "ascon-aead128": "seal",
    "esch256": "hash",
    "ascon-hash256": "hash",
    "speck-64/128-ctr": "ctr",
    "cham-64/128-ctr": "ctr",
}
PROGRAM = "lab/measure/messages.c"
AMALGAM = "tools/amalgam.py"
# What they are made of; the rest of the amalgam does not run.
UNITS = (*depends.SPONGE, *depends.ASCON)


def board(name: str) -> Board:
    """A microcontroller of the laboratory; LabError that says what is missing."""
    found = [one for one in machines.find([name]) if isinstance(one, Board)]
    if len(found) != 1:
        raise LabError(
            f"machine {name!r} given, one microcontroller of hanji-lab machines expected"
        )
    if missing := found[0].why_not():
        raise LabError(missing)
    return found[0]


def isa_of(chosen: Board) -> str:
    """The instruction set of its amalgam; armv7em comes with armv7m."""
    (isa,) = chosen.isas - {"c", "armv7em"}
    return isa


def amalgam(root: Path, chosen: Board, folder: Path) -> None:
    """Write the amalgam for a board into a folder."""
    names, isa = ", ".join(CALLS), isa_of(chosen)
    run([sys.executable, root / AMALGAM, "--algorithms", names, "--isa", isa, "--out", folder])


def run_all(root: Path, chosen: Board, folder: Path, options: Sequence[str] = ()) -> dict[str, int]:
    """Cycles, or executed instructions, of each call, by "algorithm:bytes", with the amalgam in
    `folder`; LabError when a call fails or the program does not end.
    """
    target = chosen.target
    link = ["-Wl,--gc-sections", *target.link]
    sources = [root / PROGRAM, *sorted(folder.glob("*.S"))]
    if not target.avr:
        sources.append(MCU / "cortexm.S")
        link += ["-nostdlib", "-nostartfiles", f"-T{MCU / 'cortexm.ld'}", "-lgcc"]
    own = [*target.flags, *PROGRAM_FLAGS, "-Os", f"-I{folder}", *options]
    made, program = folder / "hanji.o", folder / "messages.elf"
    run([target.compiler, *own, "-c", folder / "hanji.c", "-o", made])
    own.append(f"-DTICK={round(2 * target.tick)}")
    found: dict[str, int] = {}
    # An ATmega328P has 2 KiB of RAM, too little for the constants of all at once.
    for part in (["-DWITHOUT_CTR"], ["-DWITHOUT_SPONGES"]) if target.avr else ([],):
        run([target.compiler, *own, *part, *sources, made, *link, "-o", program])
        found |= _said(chosen, program)
    return found


def counts(root: Path, chosen: Board, folder: Path, options: Sequence[str] = ()) -> dict[str, int]:
    """The figures of an amalgam that is made for them in `folder`."""
    amalgam(root, chosen, folder)
    return run_all(root, chosen, folder, options)


def _said(chosen: Board, program: Path) -> dict[str, int]:
    """The figures that a program prints."""
    runner = find_program(chosen.runner, chosen.package, chosen.name)
    try:
        done = subprocess.run(
            [runner, *chosen.options, str(program)],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=600,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LabError(f"the messages on {chosen.name} did not end") from None
    said = re.sub(r"\x1b\[[0-9;]*m", "", (done.stdout + done.stderr).decode(errors="replace"))
    if not re.search(r"^right ", said, re.MULTILINE):
        raise LabError(f"a call on {chosen.name} failed: {said[-500:]}")
    return {
        name: int(digits, 16)
        for name, digits in re.findall(r"^(\S+:\d+) ([0-9a-f]{8})", said, re.MULTILINE)
    }


def measure(root: Path, names: Sequence[str], command: str) -> Iterator[Result]:
    """The calls of Ascon and SPARKLE on these machines."""
    for name in names:
        chosen = board(name)
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as directory:
            found = counts(root, chosen, Path(directory))
        sources = depends.library(
            root, UNITS, tuple(sorted(chosen.isas - {"c"})), more=(PROGRAM, AMALGAM)
        )
        tools = [tool_version(chosen.target.compiler), version(chosen)]
        # -Os stands behind the board's own level
        flags = " ".join([*chosen.target.flags, *PROGRAM_FLAGS, "-Os"])
        exact = chosen.kind == "model"
        for call, count in found.items():
            algorithm, size = call.split(":")
            if CALLS[algorithm] == "ctr":
                continue
            yield Result(
                algorithm,
                name,
                chosen.kind,
                CALLS[algorithm],
                int(size),
                Provenance(sources, tools, flags, command),
                cache=None,
                instructions=None if exact else count,
                cycles=count if exact else None,
                cycles_per_byte=count / int(size) if exact else None,
            )
