# SPDX-License-Identifier: Apache-2.0
"""What hanji costs RV32 firmware: code, constants, RAM and stack, of programs that link only what they use.

Code and constants are what the linker keeps of libhanji.a (its map says it); the stack is what calls touch of a painted
stack under qemu-user. The library is built as the presets of the same names build it: for size.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from .checkout import LabError, find_program, run
from .results import Provenance, Result, sources, tool_version

MACHINES = ("rv32i", "rv32imac")
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
COMPILER, RUNNER = "riscv64-unknown-elf-gcc", "qemu-riscv32"
PACKAGES = {COMPILER: "gcc-riscv64-unknown-elf", RUNNER: "qemu-user", "cmake": "cmake", "ninja": "ninja-build"}


def linked_sections(link_map: str) -> dict[str, int]:
    """Bytes that a linker map says are kept of libhanji.a, by kind of section: text, rodata, data, bss."""
    kept = dict.fromkeys(("text", "rodata", "data", "bss"), 0)
    memory_map = link_map.partition("Linker script and memory map")[2]
    # " .text.name  0xaddress  0xsize  path/libhanji.a(object)", with a line break after long names.
    pattern = r"^ \.(s?)(text|rodata|data|bss)\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+\S*libhanji\.a\("
    for found in re.finditer(pattern, memory_map, re.MULTILINE):
        kept[found[2]] += int(found[3], 16)
    if kept["text"] == 0:
        raise LabError("the linker map names no code of libhanji.a; has its format changed?")
    return kept


def _library(root: Path, machine: str) -> Path:
    build = root / f"build/lab/size-{machine}"
    toolchain = root / f"cmake/toolchains/{machine}-elf.cmake"
    options = ["-DHANJI_FREESTANDING=ON", "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}"]
    run(["cmake", "-G", "Ninja", "-S", root, "-B", build, *options])
    run(["cmake", "--build", build, "--target", "hanji_static"])
    return build / "libhanji.a"


def _firmware(root: Path, machine: str, library: Path, name: str, defines: tuple[str, ...]) -> tuple[dict[str, int], dict[str, int]]:
    """(kept sections, printed numbers) of one firmware."""
    program = library.with_name("-".join(re.findall(r"\w+", name)) + ".elf")
    link_map = program.with_suffix(".map")
    options = [f"-march={machine}", "-mabi=ilp32", *FLAGS.split(), "-nostdlib", f"-Wl,-Map={link_map}"]
    options += ["-fno-tree-loop-distribute-patterns", *(f"-D{define}" for define in defines)]
    run([COMPILER, *options, "-I", root / "include", root / "lab/measure/firmware.c", library, "-o", program])
    printed = subprocess.run([RUNNER, str(program)], capture_output=True, text=True, timeout=60, check=False)
    if printed.returncode != 0:
        raise LabError(f"the firmware {name} for {machine} failed under {RUNNER} ({printed.returncode}): {printed.stdout}{printed.stderr}")
    rows = (line.split() for line in printed.stdout.splitlines())
    return linked_sections(link_map.read_text()), {label: int(number) for label, number in rows}


def measure_sizes(root: Path, command: str) -> list[Result]:
    """Sizes in bytes for every machine: of each firmware (operation "code"), and the stack and contexts of each call."""
    for program, package in PACKAGES.items():
        find_program(program, package, "measuring firmware")
    found = []
    for machine in MACHINES:
        flags = f"-march={machine} -mabi=ilp32 {FLAGS}"
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
    return found
