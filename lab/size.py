# SPDX-License-Identifier: Apache-2.0
"""What hanji costs RV32 firmware: code, constants, RAM and stack, of programs that link only what they use; and what each kernel costs.

Code and constants are what the linker keeps of libhanji.a (its map says it); the stack is what calls touch of a painted
stack under qemu-user. The library is built for size, with the RV32 kernels and, where it says portable, without them.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from . import cycles
from .cases import Buffer
from .checkout import LabError, find_program, run
from .machines.rv32.harness import FLAGS as KERNEL_FLAGS
from .machines.rv32.harness import linked_sections
from .machines.rv32.qemu import Qemu
from .results import Provenance, Result, sources, tool_version

# Name -> instruction set and options of the build.
MACHINES: dict[str, tuple[str, tuple[str, ...]]] = {
    "rv32i": ("rv32i", ()),
    "rv32i portable": ("rv32i", ("-DHANJI_PORTABLE=ON",)),
    "rv32imac": ("rv32imac", ()),
    "rv32imac portable": ("rv32imac", ("-DHANJI_PORTABLE=ON",)),
}
FLAGS = "-Os -ffreestanding -ffunction-sections -fdata-sections -Wl,--gc-sections"
FIRMWARES = {
    "schwaemm256-128": ("WITH_SCHWAEMM",),
    "speck-64/128-ctr": ("WITH_CTR",),
    "schwaemm256-128 and speck-64/128-ctr": ("WITH_SCHWAEMM", "WITH_CTR"),
}
STACKS = {
    "stack-encrypt": ("schwaemm256-128", "encrypt"),
    "stack-decrypt": ("schwaemm256-128", "decrypt"),
    "stack-expand": ("speck-64/128", "expand"),
    "stack-ctr": ("speck-64/128", "ctr"),
}
CONTEXTS = {"context-key": ("speck-64/128", "expand"), "context-ctr": ("speck-64/128", "ctr")}
SIGNING = "rv32i"  # what signing needs is the same on all
MEMORY = "least memory of sign"
COMPILER, RUNNER = "riscv64-unknown-elf-gcc", "qemu-riscv32"
PACKAGES = {COMPILER: "gcc-riscv64-unknown-elf", RUNNER: "qemu-user", "cmake": "cmake", "ninja": "ninja-build"}


def _library(root: Path, machine: str) -> Path:
    march, given = MACHINES[machine]
    build = root / f"build/lab/size-{machine.replace(' ', '-')}"
    toolchain = root / f"cmake/toolchains/{march}-elf.cmake"
    options = ["-DHANJI_FREESTANDING=ON", "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", *given]
    run(["cmake", "-G", "Ninja", "-S", root, "-B", build, *options])
    run(["cmake", "--build", build, "--target", "hanji_static"])
    return build / "libhanji.a"


def _firmware(root: Path, machine: str, library: Path, name: str, defines: tuple[str, ...]) -> tuple[dict[str, int], dict[str, int]]:
    """(kept sections, printed numbers) of one firmware."""
    program = library.with_name("-".join(re.findall(r"\w+", name)) + ".elf")
    link_map = program.with_suffix(".map")
    options = [f"-march={MACHINES[machine][0]}", "-mabi=ilp32", *FLAGS.split(), "-nostdlib", f"-Wl,-Map={link_map}"]
    options += ["-fno-tree-loop-distribute-patterns", *(f"-D{define}" for define in defines)]
    run([COMPILER, *options, "-I", root / "include", root / "lab/measure/firmware.c", library, "-o", program])
    printed = subprocess.run([RUNNER, str(program)], capture_output=True, text=True, timeout=60, check=False)
    if printed.returncode != 0:
        raise LabError(f"the firmware {name} for {machine} failed under {RUNNER} ({printed.returncode}): {printed.stdout}{printed.stderr}")
    rows = (line.split() for line in printed.stdout.splitlines())
    return linked_sections(link_map.read_text(), r"libhanji\.a\("), {label: int(number) for label, number in rows}


def measure_sizes(root: Path, command: str) -> list[Result]:
    """Sizes in bytes for every machine: of each firmware (operation "code"), the stack and contexts of each call, and what signing needs."""
    for program, package in PACKAGES.items():
        find_program(program, package, "measuring firmware")
    found: list[Result] = []
    for machine, (march, given) in MACHINES.items():
        flags = " ".join([f"-march={march} -mabi=ilp32 {FLAGS}", *given])
        measured = sources(
            root, ["include/hanji/*.h", "src/*/*.[ch]", "src/*/*.S", "src/*/*.inc", "CMakeLists.txt", "cmake/*.cmake", "lab/measure/firmware.c"]
        )
        provenance = Provenance(measured, [tool_version(COMPILER), tool_version(RUNNER)], flags, command)
        library = _library(root, machine)
        numbers: dict[str, int] = {}
        for name, defines in FIRMWARES.items():
            kept, printed = _firmware(root, machine, library, name, defines)
            numbers |= printed
            more = {"constants": kept["rodata"], "static_ram": kept["data"] + kept["bss"]}
            found.append(Result(name, machine, "size", "code", kept["text"], provenance, more=more))
        for label, (kernel, operation) in STACKS.items():
            used = numbers[label] - numbers["stack-nothing"]
            found.append(Result(kernel, machine, "size", f"stack of {operation}", used, provenance))
        for label, (kernel, operation) in CONTEXTS.items():
            found.append(Result(kernel, machine, "size", f"context of {operation}", numbers[label], provenance))
        if machine == SIGNING:
            _, printed = _firmware(root, machine, library, "aimer", ("WITH_AIMER",))
            used = printed.pop("stack-sign") - printed.pop("stack-nothing")
            found.append(Result("aimer128f", machine, "size", "stack of sign", used, provenance))
            found += [Result(name, machine, "size", MEMORY, count, provenance) for name, count in printed.items()]
    return found


def kernel_sizes(root: Path, pattern: str, command: str) -> list[Result]:
    """Sizes in bytes of the RV32I kernels whose names match: code, constants, round keys in the layout that it takes, stack as touched under qemu."""
    machine = Qemu()
    if reason := machine.why_not():
        raise LabError(reason)
    found = []
    for kernel in cycles.chosen(root, pattern):
        if kernel.isa not in machine.isas:
            continue
        case, _ = next(cycles.pairs([kernel], [machine], root))
        figures = machine.run(case)
        keys = sum(len(a.data) for a in case.calls[0].arguments.values() if isinstance(a, Buffer) and a.name in ("keys", "rk", "round_keys"))
        provenance = case.provenance([tool_version(COMPILER)], f"-march=rv32i {KERNEL_FLAGS}", command)
        more = {"constants": figures.constants, "round_keys": keys, "stack": figures.stack}
        found.append(Result(kernel.name, "rv32i", "size", f"code of {kernel.operation}", figures.code, provenance, cache=None, more=more))
    if not found:
        raise LabError(f"{pattern!r} names no kernel that runs on RV32I")
    return found
