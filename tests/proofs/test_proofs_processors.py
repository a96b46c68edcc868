# SPDX-License-Identifier: Apache-2.0
"""Kernels run once under QEMU on a processor that has their instruction set and not the next one:
an instruction that assembler and disassembler both take for one of the set would be a fault there.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import debian
import planted
import proving
import pytest

from hanji_lab.cases import arguments_of
from hanji_lab.kernels import Kernel
from hanji_lab.prove import build, soundness
from hanji_lab.prove.contracts import tasks
from hanji_lab.prove.induct import registers_of
from hanji_lab.prove.report import NoHarnessError

RV32 = "rv32,m=off,a=off,f=off,d=off,c=off,zba=off,zbb=off,zbc=off,zbs=off"
# By instruction set QEMU's program, its processor, and how a program begins and ends.
A64_START = "bl %s\n mov x0, #0\n mov x8, #93\n svc #0"
THUMB_START = "bl %s\n movs r0, #0\n movs r7, #1\n svc #0"
SETS = {
    "a64": ("qemu-aarch64", "cortex-a57", A64_START),
    "neon": ("qemu-aarch64", "cortex-a57", A64_START),
    "rv32i": ("qemu-riscv32", RV32, "call %s\n li a0, 0\n li a7, 93\n ecall"),
    "zbkb": ("qemu-riscv32", f"{RV32},zbkb=on", "call %s\n li a0, 0\n li a7, 93\n ecall"),
    "avx2": ("qemu-x86_64", "Haswell", "call %s\n xor %%edi, %%edi\n mov $60, %%eax\n syscall"),
}
MOVES = {"a64": "ldr {}, ={}", "neon": "ldr {}, ={}", "rv32i": "li {}, {}", "zbkb": "li {}, {}"}
MOVES |= {"armv7m": "ldr {}, ={}", "armv7em": "ldr {}, ={}", "avx2": "mov ${1}, %{0}"}
BUFFERS, EACH = 0x500000, 0x10000


def runs(one: Kernel, folder: Path) -> int:
    """The status of a program that calls a kernel with one group; below zero after a signal."""
    program, processor, start = SETS[one.isa]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    lines = [".text", ".globl _start", "_start:"]
    if one.isa.startswith("armv"):
        lines[:1] = [".syntax unified", ".thumb", ".text", ".thumb_func"]
    task = next(iter(tasks(one)))
    for i, (register, what) in enumerate(registers_of(task)):
        value = task.values.get(str(what.get("value")), 1)
        if "buffer" in what:
            value = 0 if what["buffer"] in task.absent else BUFFERS + EACH * i
        if one.isa.startswith("armv") and register.startswith("a"):
            lines += [f"ldr r7, ={value}", "push {r7}"]  # only one is on the stack
            continue
        lines.append(MOVES[one.isa].format(register, value))
    lines += [start % one.symbol, f'.section .buffers,"aw",%nobits\n.space {8 * EACH}']
    begin = folder / "start.S"
    begin.write_text(
        "\n".join([*lines, ""]).replace("%nobits", "@nobits" if one.isa == "avx2" else "%nobits")
    )
    source = proving.ROOT / one.source
    prefix = "" if one.isa == "avx2" else f"{build._tools(one.isa)[0]}-"
    link = [f"-Wl,--section-start=.buffers={BUFFERS:#x}", "-Wl,-Ttext=0x100000", "-no-pie"]
    told = build.flags(proving.ROOT, one.isa, source.suffix == ".c")
    program_file = folder / "program"
    files = [begin, source, *build.called(proving.ROOT, source)]
    command = [f"{prefix}gcc", *told, *build._include(proving.ROOT, source), "-nostdlib", "-static"]
    subprocess.run(
        [*command, *link, *map(str, files), "-o", str(program_file)],
        check=True,
        capture_output=True,
    )
    return subprocess.run([program, "-cpu", processor, str(program_file)], check=False).returncode


def sample() -> list[Kernel]:
    """The kernels in assembly of block ciphers and permutations."""
    found = []
    for one in soundness.all_kernels(proving.ROOT):
        if one.isa in SETS and one.source.endswith(".S"):
            try:
                next(iter(tasks(one)))
            except NoHarnessError:
                continue
            found.append(one)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("one", sample(), ids=lambda one: one.name)
def test_kernel_runs_without_the_next_extension(one: Kernel, tmp_path: Path) -> None:
    proving.need(one)
    assert runs(one, tmp_path) == 0


# An instruction that the processor does not have: the controls.
OUTSIDE = {
    "x86": "vpaddd zmm0, zmm0, zmm1",
    "a64": ".arch armv8.2-a+sha3\neor3 v0.16b, v1.16b, v2.16b, v3.16b",
    "rv32": ".option arch,+zbkb\nrori t2, t2, 8",
}


@pytest.mark.parametrize("front", OUTSIDE)
@pytest.mark.parametrize("spoilt", [False, True], ids=["right", "spoilt"])
def test_processor_refuses_another_extension(front: str, spoilt: bool, tmp_path: Path) -> None:
    one = planted.SMALL[front].kernel(tmp_path, **({"stored": OUTSIDE[front]} if spoilt else {}))
    debian.need(proving.PACKAGES.get(one.isa, "gcc-aarch64-linux-gnu"))
    assert arguments_of(one)
    assert (runs(one, tmp_path) == 0) == (not spoilt)
