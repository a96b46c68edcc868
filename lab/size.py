# SPDX-License-Identifier: Apache-2.0
"""What hanji costs RV32 firmware: code, constants, RAM and stack, of programs that link only what
they use; and what each kernel for RV32 and microcontrollers costs.

Code and constants are what the linker keeps of libhanji.a (its map says it); the stack is what
calls touch of a painted stack under qemu-user. The library is built for size, with the RV32 kernels
and, where it says portable, without them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from . import cycles, depends, machines
from .cases import Buffer
from .checkout import LabError, find_program, run
from .gates import GATES
from .machines.mcu.boards import Board
from .machines.mcu.harness import FLAGS as BOARD_FLAGS
from .machines.rv32.harness import FLAGS as KERNEL_FLAGS
from .machines.rv32.harness import linked_sections
from .machines.rv32.qemu import Qemu
from .results import Provenance, Result, tool_version

# Name -> instruction set and options of the build.
MACHINES: dict[str, tuple[str, tuple[str, ...]]] = {
    "rv32i": ("rv32i", ()),
    "rv32i portable": ("rv32i", ("-DHANJI_PORTABLE=ON",)),
    "rv32imac": ("rv32imac", ()),
    "rv32imac portable": ("rv32imac", ("-DHANJI_PORTABLE=ON",)),
}
FLAGS = "-Os -ffreestanding -ffunction-sections -fdata-sections -Wl,--gc-sections"
FIRMWARES = {
    "ascon-aead128": ("WITH_ASCON",),
    "schwaemm256-128": ("WITH_SCHWAEMM",),
    "speck-64/128-ctr": ("WITH_CTR",),
    "schwaemm256-128 and speck-64/128-ctr": ("WITH_SCHWAEMM", "WITH_CTR"),
}
STACKS = {
    "stack-ascon-encrypt": ("ascon-aead128", "encrypt"),
    "stack-ascon-decrypt": ("ascon-aead128", "decrypt"),
    "stack-encrypt": ("schwaemm256-128", "encrypt"),
    "stack-decrypt": ("schwaemm256-128", "decrypt"),
    "stack-expand": ("speck-64/128", "expand"),
    "stack-ctr": ("speck-64/128", "ctr"),
}
CONTEXTS = {"context-key": ("speck-64/128", "expand"), "context-ctr": ("speck-64/128", "ctr")}
SIGNING = "rv32i"  # what signing needs is the same on all
SMALL_MEMORY, LEAST_MEMORY = "little memory of sign", "least memory of sign"
COMPILER, RUNNER = "riscv64-unknown-elf-gcc", "qemu-riscv32"
PACKAGES = {
    COMPILER: "gcc-riscv64-unknown-elf",
    RUNNER: "qemu-user",
    "cmake": "cmake",
    "ninja": "ninja-build",
}


def _library(root: Path, machine: str) -> Path:
    march, given = MACHINES[machine]
    build = root / f"build/lab/size-{machine.replace(' ', '-')}"
    toolchain = root / f"cmake/toolchains/{march}-elf.cmake"
    options = [
        "-DHANJI_FREESTANDING=ON",
        "-DCMAKE_BUILD_TYPE=MinSizeRel",
        f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
        *given,
    ]
    run(["cmake", "-G", "Ninja", "-S", root, "-B", build, *options])
    run(["cmake", "--build", build, "--target", "hanji_static"])
    return build / "libhanji.a"


@dataclass(frozen=True)
class Firmware:
    """What one firmware shows: the sections that the linker kept of the library, the numbers that
    it printed, and the units that it has code of.
    """

    kept: dict[str, int]
    printed: dict[str, int]
    units: frozenset[str]


def _units(root: Path, link_map: str) -> frozenset[str]:
    """The files of the library of which the linker kept something. Where two rooms have files of
    one name, both.
    """
    memory_map = link_map.partition("Linker script and memory map")[2]
    members = set(
        re.findall(
            r"0x[0-9a-f]+\s+0x0*[1-9a-f][0-9a-f]*\s+\S*libhanji\.a\(([\w.]+)\.o(?:bj)?\)",
            memory_map,
        )
    )
    return frozenset(
        path.relative_to(root).as_posix()
        for path in root.glob("src/**/*.[cS]")
        if path.name in members
    )


def _firmware(
    root: Path, machine: str, library: Path, name: str, defines: tuple[str, ...]
) -> Firmware:
    program = library.with_name("-".join(re.findall(r"\w+", name)) + ".elf")
    link_map = program.with_suffix(".map")
    options = [
        f"-march={MACHINES[machine][0]}",
        "-mabi=ilp32",
        *FLAGS.split(),
        "-nostdlib",
        f"-Wl,-Map={link_map}",
    ]
    options += ["-fno-tree-loop-distribute-patterns", *(f"-D{define}" for define in defines)]
    run(
        [
            COMPILER,
            *options,
            "-I",
            root / "include",
            root / "lab/measure/firmware.c",
            library,
            "-o",
            program,
        ]
    )
    printed = subprocess.run(
        [RUNNER, str(program)], capture_output=True, text=True, timeout=600, check=False
    )
    if printed.returncode != 0:
        raise LabError(
            f"the firmware {name} for {machine} failed under {RUNNER} "
            f"({printed.returncode}): {printed.stdout}{printed.stderr}"
        )
    rows = (line.split() for line in printed.stdout.splitlines())
    numbers = {label: int(number) for label, number in rows}
    return Firmware(
        linked_sections(link_map.read_text(), r"libhanji\.a\("),
        numbers,
        _units(root, link_map.read_text()),
    )


def measure_sizes(root: Path, command: str) -> Iterator[Result]:
    """Sizes in bytes for every machine: of each firmware (operation "code"), the stack and contexts
    of each call, and what signing needs.
    """
    for program, package in PACKAGES.items():
        find_program(program, package, "measuring firmware")
    tools = [tool_version(COMPILER), tool_version(RUNNER)]
    for machine, (march, given) in MACHINES.items():
        flags = " ".join([f"-march={march} -mabi=ilp32 {FLAGS}", *given])

        def origin(units: Iterable[str], flags: str = flags) -> Provenance:
            # The portable build has no kernels: no unit is one for this instruction set there.
            more = ("cmake/toolchains/*elf.cmake", "lab/measure/firmware.c", "lab/measure/bare.h")
            measured = depends.library(root, sorted(units), ("rv32i",), more=more)
            return Provenance(measured, tools, flags, command)

        library = _library(root, machine)
        made = {
            name: _firmware(root, machine, library, name, defines)
            for name, defines in FIRMWARES.items()
        }
        numbers: dict[str, int] = {}
        for name, one in made.items():
            numbers |= one.printed
            more = {
                "constants": one.kept["rodata"],
                "static_ram": one.kept["data"] + one.kept["bss"],
            }
            yield Result(
                name, machine, "size", "code", one.kept["text"], origin(one.units), more=more
            )
        both = origin(frozenset().union(*(one.units for one in made.values())))
        for label, (kernel, operation) in STACKS.items():
            yield Result(
                kernel,
                machine,
                "size",
                f"stack of {operation}",
                numbers[label] - numbers["stack-nothing"],
                both,
            )
        for label, (kernel, operation) in CONTEXTS.items():
            yield Result(kernel, machine, "size", f"context of {operation}", numbers[label], both)
        if machine == SIGNING:
            signing = _firmware(root, machine, library, "aimer", ("WITH_AIMER",))
            printed, provenance = dict(signing.printed), origin(signing.units)
            idle = printed.pop("stack-nothing")
            for operation in ("sign", "verify"):
                used = printed.pop(f"stack-{operation}") - idle
                what = f"stack of {operation}"
                yield Result("aimer3-128f", machine, "size", what, used, provenance)
            for label, count in printed.items():
                name = label.removesuffix("-least")
                what = SMALL_MEMORY if name == label else LEAST_MEMORY
                yield Result(name, machine, "size", what, count, provenance)


def kernel_sizes(root: Path, pattern: str, command: str) -> Iterator[Result]:
    """Sizes in bytes of the kernels for RV32I and microcontrollers whose names match: code,
    constants, round keys in the layout that it takes, stack as touched when it runs.
    """
    rv32 = Qemu()
    runners: dict[str, Qemu | Board] = dict.fromkeys(rv32.isas, rv32)
    for isa, names in GATES["mcu"].own_machines.items():
        for one in machines.find(names):
            if isinstance(one, Board):
                runners[isa] = one
    wanted = [kernel for kernel in cycles.chosen(root, pattern) if kernel.isa in runners]
    if not wanted:
        raise LabError(f"{pattern!r} names no kernel for RV32I, Armv6-M, Armv7-M or AVR")
    for isa in sorted({kernel.isa for kernel in wanted}):
        if reason := runners[isa].why_not():
            raise LabError(reason)
    for kernel in wanted:
        machine = runners[kernel.isa]
        case, _ = next(cycles.pairs([kernel], [machine], root))
        figures = machine.run(case)
        keys = sum(
            len(a.data)
            for a in case.calls[0].arguments.values()
            if isinstance(a, Buffer) and a.name in ("keys", "rk", "round_keys")
        )
        if isinstance(machine, Board):
            compiler = machine.target.compiler
            name, flags = machine.name, " ".join([*machine.target.flags, *BOARD_FLAGS])
        else:
            compiler, name, flags = COMPILER, "rv32i", f"-march=rv32i {KERNEL_FLAGS}"
        provenance = case.provenance([tool_version(compiler)], flags, command)
        more = {"constants": figures.constants, "round_keys": keys, "stack": figures.stack}
        yield Result(
            kernel.name,
            name,
            "size",
            f"code of {kernel.operation}",
            figures.code,
            provenance,
            cache=None,
            more=more,
        )
