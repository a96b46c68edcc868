# SPDX-License-Identifier: Apache-2.0
"""Traces of a simulated Ibex: the toggles of every net in every cycle of a call.

The core is that of lab/machines/rv32/rtl.py, verilated with tracing; toggles.h counts instead of
writing a file, and ibex.cpp adds the counts up.
"""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from ..cases import CaseError
from ..checkout import LabError, run
from ..machines.rv32 import rtl
from ..machines.rv32.harness import COMPILER, FLAGS, OBJDUMP
from ..results import tool_version
from .subject import Batch, Bytes, Subject
from .welch import ALL, Statistics

HERE = Path(__file__).resolve().parent
BENCH, RECEIVER = HERE / "ibex.cpp", HERE / "toggles.h"
MAGIC = 0x6B61656C  # as in ibex.cpp
PROGRAM, BUFFERS, STACK = 0x40000000, 0x40080000, 0x400C0000
COUNTER = "TOP ibex_wrap core u_ibex_core pc_id"  # address of the instruction that is executed
STACK_MAX = 0x10000  # bytes, of a kernel whose header does not say how many it takes
TIMEOUT = 3600  # seconds after which a batch is taken to hang
OTHER_PATH, BAD_ADDRESS, NO_END, BAD_STORE = 103, 100, 102, 104
# Any other status says nothing of the kernel.
OF_KERNEL = (OTHER_PATH, BAD_ADDRESS, NO_END, BAD_STORE)
STATUS = {
    98: "the simulator could not read or write its files; is the disk full?",
    NO_END: "the call did not end: an endless loop?",
}

# Every register is cleared before a call, so that nothing is left of the trace before.
START = """
    .section .text.start, "ax"
    .org 0x80
    .globl lab_start
lab_start:
1:
    .irp i, {registers}
    li x\\i, 0
    .endr
    li sp, {stack}
{arguments}
    li t0, 0xf0000000
    sw zero, 0x10(t0)
    li t0, 0
    nop
    nop
    call {symbol}
    nop
    nop
    li t0, 0xf0000000
    nop
    sw zero, 0x14(t0)
    nop
    nop
    nop
    j 1b
"""
LINK = (
    "SECTIONS {{ . = {base:#x}; .text : {{ *(.text.start) *(.text*) *(.rodata*) *(.data*) "
    "*(.bss*) }} }}\n"
)


class Traced(rtl.Core):
    """A core whose simulator counts toggles."""

    def _build(
        self, home: Path, sources: list[Path], folders: list[Path], generated: dict[str, str]
    ) -> None:
        with tempfile.TemporaryDirectory(dir=home) as work:
            made = Path(work, "made")
            command: list[str | Path] = [
                "verilator", "--trace", "--trace-underscore",
                *rtl.VERILATE.split("--exe")[0].split(), "--prefix", "Vtop",
                "--top-module", self.top, *self.options, *(f"-I{folder}" for folder in folders),
                "--Mdir", made, *sources,
            ]  # fmt: skip
            run(command)
            (made / "verilated_vcd_c.h").write_text(generated[RECEIVER.name])
            levels = ("OPT_FAST=-O2", "OPT_SLOW=-O1")
            run(["make", "-C", made, "-f", "Vtop.mk", "Vtop__ALL.o", "CXX=g++", *levels])
            includes = Path(run(["verilator", "--getenv", "VERILATOR_ROOT"]).strip(), "include")
            folders = [made, includes, includes / "vltstd"]
            runtime = [includes / name for name in ("verilated.cpp", "verilated_threads.cpp")]
            linking: list[str | Path] = [
                "g++", "-O2", "-std=c++17", "-DVM_TRACE=1", *(f"-I{one}" for one in folders),
                made / "Vtop__ALL.o", BENCH, *runtime, "-pthread", "-o", Path(work, "simulator"),
            ]  # fmt: skip
            run(linking)
            Path(work, "simulator").replace(home / "simulator")


def _files(package: Path) -> tuple[list[Path], list[Path], dict[str, str]]:
    sources, folders, _ = rtl.ibex_files(package)
    return sources, folders, {RECEIVER.name: RECEIVER.read_text()}


@cache
def core() -> Traced:
    """Ibex in its configuration small, whose nets are looked at."""
    return Traced("pythondata-cpu-ibex", "ibex_wrap", str(BENCH), _files, ("-DSYNTHESIS",))


@dataclass
class Ibex:
    """The traces of one kernel on Ibex."""

    subject: Subject
    root: Path
    name: str = "rtl:ibex"
    program: bytes = b""
    listing: dict[int, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    ISAS = frozenset({"rv32i"})

    @staticmethod
    def why_not() -> str | None:
        """What is missing to simulate the core."""
        return core().missing()

    def prepare(self) -> None:
        """Build the simulator and the program."""
        self.simulator = core().simulator()
        self.names = _nets(self.simulator)
        widest = max(bits for _, bits, _ in self.names)
        self.most = ((1 << 32) - 1) // widest**2  # traces of a batch: sums of squares have 32 bits
        at = BUFFERS
        for buffer, size in self.subject.sizes.items():
            self.places[buffer] = at
            at += (-(-size // 64) + 1) * 64  # with a gap, so that a store behind it is noticed
        if at > STACK - STACK_MAX:
            raise LabError(f"{self.subject.kernel.name}: its buffers do not fit into the memory")
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
            self._link(Path(folder))

    def _link(self, folder: Path) -> None:
        symbol = self.subject.kernel.symbol
        if most := max((number for number, _ in self.subject.arguments if number > 7), default=0):
            raise LabError(f"{symbol}: argument {most} given; a0 to a7 pass eight of them")
        arguments = "\n".join(
            f"    li a{number}, {self.places[what] if isinstance(what, str) else what}"
            for number, what in self.subject.arguments
        )
        registers = ", ".join(str(i) for i in range(1, 32))
        start, script, program = folder / "start.S", folder / "link.ld", folder / "program.elf"
        start.write_text(
            START.format(registers=registers, stack=STACK, arguments=arguments, symbol=symbol)
        )
        script.write_text(LINK.format(base=PROGRAM))
        command: list[str | Path] = [
            COMPILER, "-march=rv32i", *FLAGS.split(), "-nostdlib", "-DHANJI_FREESTANDING",
            f"-I{self.root / 'include'}", f"-I{self.root / 'src'}", f"-I{self.subject.file.parent}",
            "-Wl,--no-relax,-e,lab_start", "-T", script, start, self.subject.file, "-o", program,
        ]  # fmt: skip
        run(command)
        flat = program.with_suffix(".bin")
        run([COMPILER.replace("gcc", "objcopy"), "-O", "binary", program, flat])
        self.program = flat.read_bytes()
        if len(self.program) > BUFFERS - PROGRAM:
            raise LabError(f"{self.subject.kernel.name}: its code does not fit into the memory")
        said = run([OBJDUMP, "-d", "--no-show-raw-insn", "-M", "no-aliases", program])
        for at, text in re.findall(r"^\s*([0-9a-f]+):\s+(.*)$", said, re.MULTILINE):
            self.listing[int(at, 16)] = " ".join(re.sub(r"\s(#|//) .*", "", text).split())

    def key(self) -> bytes:
        """What decides the traces, besides their inputs."""
        return self.program + str(self.simulator).encode()

    def tools(self) -> list[str]:
        """The versions on which the traces depend."""
        return [core().version, tool_version("verilator"), tool_version(COMPILER)]

    def traced(self, batch: Batch) -> tuple[Statistics, list[int], dict[str, Bytes]]:
        """The statistics of a batch, the program counter in each cycle, and the written buffers
        behind each call.
        """
        counter = next((code for code, _, name in self.names if name == COUNTER), None)
        if counter is None:
            raise LabError(f"the simulated core has no net {COUNTER}; is it another version?")
        if len(batch.classes) > self.most:
            raise LabError(f"{len(batch.classes)} traces in a batch, at most {self.most} expected")
        sizes = self.subject.sizes
        rows = [np.zeros((len(batch.classes), 4), np.uint8)]
        rows[0][:, 0] = batch.classes
        rows += [batch.contents[buffer] for buffer in sizes]
        stack = self._stack()
        head = (MAGIC, len(batch.classes), len(sizes), counter, STACK - stack, stack)
        data = struct.pack("<6I", *head)
        for buffer, size in sizes.items():
            data += struct.pack("<3I", self.places[buffer], size, buffer in self.subject.written)
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
            program, given, made = (Path(folder, name) for name in ("program", "batch", "result"))
            program.write_bytes(self.program)
            given.write_bytes(data + np.hstack(rows).tobytes())
            try:
                done = subprocess.run(
                    [self.simulator, program, given, made],
                    capture_output=True, text=True, timeout=TIMEOUT, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise CaseError(f"{self.name}: no end of a batch after {TIMEOUT} s") from None
            if status := done.returncode:
                error = CaseError if status in OF_KERNEL else LabError
                raise error(self._why(status, done.stdout))
            return self._read(made.read_bytes(), len(batch.classes))

    def _stack(self) -> int:
        """The bytes of stack that the header names; of C the compiler decides about it."""
        stack = self.subject.kernel.stack
        return STACK_MAX if stack is None else stack

    def _why(self, status: int, said: str) -> str:
        where = f"{self.subject.kernel.name} on {self.name}"
        if status == BAD_ADDRESS:
            return f"{where}: accesses address {int(said):#x}, where no memory is"
        if status == BAD_STORE:
            known = [f"buffer {name!r}" for name in self.subject.written]
            return (
                f"{where}: stores to {int(said):#x}, which is outside of what it may change: "
                f"{', '.join([*known, f'{self._stack()} bytes of stack'])}"
            )
        if status == OTHER_PATH:
            trace, cycle, _ = map(int, said.split())
            return (
                f"{where}: trace {trace} takes another path from cycle {cycle} on; a kernel whose "
                "time or path depends on its inputs cannot be tested (see hanji-lab ct)"
            )
        return f"{where}: {STATUS.get(status, f'the simulation ended with status {status}')}"

    def _read(self, data: bytes, traces: int) -> tuple[Statistics, list[int], dict[str, Bytes]]:
        magic, fixed, random, cycles, entries, results = struct.unpack_from("<6I", data)
        at = 24
        entry = np.dtype([("place", "<u4", 2), ("sum", "<u8", 2), ("squares", "<u8", 2)])
        if magic != MAGIC or len(data) != at + 4 * cycles + entry.itemsize * entries + results:
            raise LabError("the simulator wrote a damaged result; is the disk full?")
        path = np.frombuffer(data, "<u4", cycles, at).tolist()
        found = np.frombuffer(data, entry, entries, at + 4 * cycles)
        places = found["place"].astype(np.int64)
        sums = np.hstack([found["sum"], found["squares"]]).astype(np.int64)
        held = np.frombuffer(data, np.uint8, results, len(data) - results).reshape(traces, -1)
        after: dict[str, Bytes] = {}
        place = 0
        for buffer, size in self.subject.sizes.items():
            if buffer in self.subject.written:
                after[buffer] = held[:, place : place + size]
                place += size
        return Statistics((fixed, random), places, sums), path, after

    def net_names(self, net: int) -> list[str]:
        """The names of a net in the hierarchy of the design, the shortest first."""
        if net == ALL:
            return ["sum of all nets"]
        found = [name for code, _, name in self.names if code == net]
        short = [name.removeprefix("TOP ibex_wrap core ").replace(" ", ".") for name in found]
        return sorted(short, key=lambda name: (len(name), name))

    def about(self) -> Mapping[str, int]:
        """How much is looked at."""
        nets = {code: bits for code, bits, _ in self.names}
        return {"nets": len(nets), "bits": sum(nets.values())}


@cache
def _nets(simulator: Path) -> list[tuple[int, int, str]]:
    """Code, bits and name of every net; a net has one code, and a name in each module it enters."""
    found = []
    for line in run([simulator, "--nets"]).splitlines():
        code, bits, name = line.split(" ", 2)
        found.append((int(code), int(bits), name))
    return found
