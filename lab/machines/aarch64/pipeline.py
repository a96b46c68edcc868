# SPDX-License-Identifier: Apache-2.0
"""Estimates of cycles for straight-line AArch64 code: llvm-mca, and a model of the Cortex-A72 with
its short queues.

The code is what executed in one call, in order, without branches, loads, stores and addresses:
`straight_line` makes it. It is taken four times in a row, each time going on with the registers as
the last left them, and the figure is a quarter of the whole: permutations and blocks follow each
other like this in a mode. Caches, memory and branches are not in these figures. They are models,
never measurements.

The Cortex-A72 takes three instructions a cycle, in order, into queues, one for each pipe: two for
integers, one for shifts and products, two for vectors, one for loads. From a queue the oldest
instruction goes whose operands are ready. llvm-mca assumes one large window instead and finds
parallelism that such queues hide. What an instruction occupies and how long it takes stands in
LLVM's own model of the core, which llvm-mca prints (-instruction-tables). The queues hold eight
instructions; those of the vectors twelve. For the authors' code of Shin et al. it makes no
difference whether vector queues hold eight or sixteen; with eight our build of their NEON design
would be 13 to 16 % above their times. docs/models.md says how near the model comes, and which
changes of it did not help.
"""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import tempfile
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...checkout import LabError, cache_folder, find_program, run, shared_object

MCA, MCA_PACKAGE, MCA_VERSION = "llvm-mca-19", "llvm-19", "19.1.7"  # figures depend on it
REPEATS = 4

_DROPPED = re.compile(
    r"^(b|bl|br|blr|ret|cbn?z|tbn?z|b\.\w+|prfm|adrp?|dc|nop|hint|bti|paci\w+|auti\w+)$"
)
_MEMORY = re.compile(r"^(ld|st)\w*$")


def straight_line(executed: Sequence[str], memory: bool = False) -> list[str]:
    """Of executed instructions those that compute: no branches and addresses, and nothing that
    moves the stack pointer.

    Loads and stores stay only with `memory`: for code that cannot hold its state in registers. They
    then take as long as from the first-level cache.
    """
    kept = []
    for text in executed:
        text = re.sub(r"\s*(//|<).*", "", text).strip()
        mnemonic, _, operands = text.partition(" ")
        if _DROPPED.match(mnemonic) or re.search(r"\bsp\b", operands):
            continue
        if memory or not _MEMORY.match(mnemonic):
            kept.append(text)
    return kept


@cache
def _version(program: str) -> str:
    """What a program says of its version; each is asked once."""
    return subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False
    ).stdout


def mca_why_not() -> str | None:
    """None if the llvm-mca that the figures need is here; else what to install."""
    program = shutil.which(MCA)
    if program is None:
        return f"{MCA} is not installed. On Debian: apt-get install {MCA_PACKAGE}"
    if f"version {MCA_VERSION}" not in _version(program):
        return (
            f"{MCA} is not version {MCA_VERSION}, on which the figures depend. On Debian 12: "
            f"apt-get install {MCA_PACKAGE}"
        )
    return None


def _mca(cpu: str, code: Sequence[str], *options: str) -> str:
    program = find_program(MCA, MCA_PACKAGE, "a model of a pipeline")
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "code.s")
        source.write_text("\n".join(code) + "\n")
        features = "-mattr=+sha3,+sha2,+aes"
        return run([program, "-mtriple=aarch64", f"-mcpu={cpu}", features, *options, source])


def mca_cycles(cpu: str, code: Sequence[str]) -> float:
    """Cycles of one pass through the code by llvm-mca's model of a core."""
    if not code:
        raise LabError("there is no straight-line code to estimate")
    said = _mca(cpu, code, f"-iterations={REPEATS}", "-instruction-info=0", "-resource-pressure=0")
    found = re.search(r"^Total Cycles:\s*(\d+)", said, re.MULTILINE)
    if not found:
        raise LabError(f"{MCA} printed no number of cycles; is it version {MCA_VERSION}?")
    return int(found[1]) / REPEATS


@dataclass(frozen=True)
class Operation:
    """What the model knows of an instruction: registers, the kinds of pipes that it occupies, and
    after how many cycles its result is there.
    """

    writes: tuple[str, ...]
    reads: tuple[str, ...]
    pipes: tuple[str, ...]
    latency: int


_REGISTER = re.compile(r"\b(?:([wx])(\d+|zr)|([bhsdqv])(\d+)(?:\.\w+)?)\b")
_MERGES = re.compile(
    r"^(sri|sli|usra|ssra|ins|movk|bfi|bfxil|bsl|bit|bif|tbx|mla|fmla|sha\w+|bcax)$"
)
_FLAG_WRITERS = re.compile(r"^(adds|subs|ands|cmp|cmn|tst|ccmp|adcs|sbcs)$")
_FLAG_READERS = re.compile(r"^(csel|cset|csetm|cinc|csinc|csinv|csneg|ccmp|adc|sbc|adcs|sbcs)$")
_NO_RESULT = re.compile(r"^(cmp|cmn|tst|ccmp)$")


def _registers(text: str) -> list[str]:
    found = []
    for match in _REGISTER.finditer(text):
        if match[2] != "zr":
            found.append(f"r{match[2]}" if match[1] else f"v{match[4]}")
    return found


def _dependences(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(written, read) registers of an instruction that does not branch."""
    mnemonic, _, operands = text.partition(" ")
    if _MEMORY.match(mnemonic):
        data, _, address = operands.partition("[" if "}" not in operands else "}")
        moved, base = _registers(data), _registers(address)
        changed = base[:1] if "!" in address or "]," in address else []
        lanes = moved if re.search(r"\}\[\d+\]", operands) else []
        return (
            (tuple(changed), tuple(moved + base))
            if mnemonic.startswith("st")
            else (tuple(moved + changed), tuple(base + lanes))
        )
    destination, _, rest = operands.partition(",")
    into_lane = bool(re.search(r"v\d+\.\w\[\d+\]", destination))
    writes = [] if _NO_RESULT.match(mnemonic) else _registers(destination)
    reads = _registers(
        operands if _NO_RESULT.match(mnemonic) or _MERGES.match(mnemonic) or into_lane else rest
    )
    if _FLAG_WRITERS.match(mnemonic):
        writes.append("flags")
    if _FLAG_READERS.match(mnemonic):
        reads.append("flags")
    return tuple(writes), tuple(reads)


# A general register goes into lanes of a vector in two parts: a transfer, which LLVM's tables give
# five cycles (FMOV is the transfer alone), and the merge in a vector pipe, which alone waits for
# the other lanes. So lanes that are written one after the other are transferred side by side.
_FROM_GENERAL = re.compile(r"^(dup|ins|mov)\s+v\d+\.\w+(\[\d+\])?,\s*[wx](\d+|zr)$")
_TRANSFER, _TRANSFERRED = 5, "transferred"


def parts(text: str, whole: Operation) -> tuple[Operation, ...]:
    """The operation of a line in the parts that wait by themselves: mostly itself, but transfer and
    merge where a line writes lanes from a general register.
    """
    if not _FROM_GENERAL.match(text):
        return (whole,)
    general = tuple(one for one in whole.reads if one.startswith("r"))
    others = tuple(one for one in whole.reads if not one.startswith("r"))
    pipes = tuple(pipe for pipe in whole.pipes if pipe != "load")
    return (
        Operation((_TRANSFERRED,), general, ("load",), _TRANSFER),
        Operation(whole.writes, (_TRANSFERRED, *others), pipes, whole.latency - _TRANSFER),
    )


# The pipes of LLVM's model of this core and ours. Shifts of vectors by a constant run in the second
# vector pipe only: LLVM's 32-bit model of the core (ARMScheduleA57.td) has it, its 64-bit model
# leaves it out.
_PIPES = {
    "A57UnitI": "integer",
    "A57UnitM": "shift",
    "A57UnitW": "vector",
    "A57UnitX": "vector",
    "A57UnitL": "load",
    "A57UnitB": "branch",
    "A57UnitS": "store",
}
_SECOND_VECTOR = re.compile(r"^(shl|ushr|sshr|sri|sli|usra|ssra|shrn|ushll|sshll|ushl|sshl)$")


@dataclass(frozen=True)
class QueueModel:
    """The Cortex-A72: `width` instructions a cycle go in order into queues of `entries` or
    `vector_entries`; `window` are under way.
    """

    width: int = 3
    entries: int = 8
    vector_entries: int = 12
    window: int = 128
    cpu: str = "cortex-a72"

    def operations(self, code: Sequence[str]) -> list[Operation]:
        """What the lines of the code occupy, in parts."""
        return [
            part
            for text, whole in zip(code, self.whole(code), strict=True)
            for part in parts(text, whole)
        ]

    def whole(self, code: Sequence[str]) -> list[Operation]:
        """What each line of the code occupies, by LLVM's tables."""
        kinds = list(dict.fromkeys(code))
        said = json.loads(_mca(self.cpu, kinds, "-instruction-tables", "-iterations=1", "-json"))
        resources = said["TargetInfo"]["Resources"]
        region = said["CodeRegions"][0]
        usage: dict[int, dict[str, float]] = {}
        either: set[int] = set()  # instructions that are not bound to the first vector pipe
        for entry in region["ResourcePressureView"]["ResourcePressureInfo"]:
            if entry["InstructionIndex"] < len(kinds):
                name = resources[entry["ResourceIndex"]].partition(".")[0]
                pipe = _PIPES[name]
                per_line = usage.setdefault(entry["InstructionIndex"], {})
                per_line[pipe] = per_line.get(pipe, 0.0) + entry["ResourceUsage"]
                if name == "A57UnitX":
                    either.add(entry["InstructionIndex"])
        latencies = {
            entry["Instruction"]: entry["Latency"]
            for entry in region["InstructionInfoView"]["InstructionList"]
        }
        table = {}
        for index, text in enumerate(kinds):
            mnemonic = text.partition(" ")[0]
            pipes = [
                pipe
                for pipe, cycles in usage.get(index, {}).items()
                for _ in range(max(1, round(cycles)))
            ]
            if _SECOND_VECTOR.match(mnemonic):
                pipes = ["second vector" if pipe == "vector" else pipe for pipe in pipes]
            elif index not in either:
                pipes = ["first vector" if pipe == "vector" else pipe for pipe in pipes]
            table[text] = Operation(*self.dependences(text), tuple(pipes), latencies[index])
        return [table[text] for text in code]

    dependences = staticmethod(_dependences)

    def cycles(self, code: Sequence[str]) -> float:
        """Cycles of one pass through the code."""
        if not code:
            raise LabError("there is no straight-line code to estimate")
        return self.simulate(self.operations(code), REPEATS) / REPEATS

    def simulate(self, operations: Sequence[Operation], repeats: int) -> int:
        """Cycles until `repeats` passes are complete (queues.c)."""
        numbers: dict[str, int] = {}
        counts, values = array("i"), array("i")
        for one in operations:
            counts.extend((len(one.pipes), len(one.reads), len(one.writes)))
            values.extend(_PIPE_NUMBERS[pipe] for pipe in one.pipes)
            values.extend(
                numbers.setdefault(register, len(numbers)) for register in (*one.reads, *one.writes)
            )
        latencies = array("i", [one.latency for one in operations])
        given = [_pointer(array_) for array_ in (counts, values, latencies)]
        machine = _Machine(
            len(operations),
            *given,
            len(numbers),
            self.width,
            self.entries,
            self.vector_entries,
            self.window,
        )
        cycles = int(_queues().simulate(ctypes.byref(machine), ctypes.c_int64(repeats)))
        if cycles < 0:
            raise LabError(
                f"the model of the queues refuses this code ({cycles}): "
                "lab/machines/aarch64/queues.c says what that means"
            )
        return cycles


_PIPE_NUMBERS = {
    name: number
    for number, name in enumerate(
        ("integer", "shift", "vector", "first vector", "second vector", "load", "branch", "store")
    )
}


class _Machine(ctypes.Structure):
    """`machine` of queues.c."""

    _fields_ = (
        ("operations", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("counts", "values", "latencies")),
        *(
            (name, ctypes.c_int32)
            for name in ("registers", "width", "entries", "vector_entries", "window")
        ),
    )


def _pointer(numbers: array[int]) -> int:
    return numbers.buffer_info()[0]


@cache
def _queues() -> ctypes.CDLL:
    """queues.c, compiled."""
    library = ctypes.CDLL(str(shared_object(Path(__file__).with_name("queues.c"), cache_folder())))
    library.simulate.restype = ctypes.c_int64
    return library
