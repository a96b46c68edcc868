# SPDX-License-Identifier: Apache-2.0
"""Bytes of code and constants that a program keeps which uses one algorithm of the tiny profile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tiny  # noqa: E402

TARGETS = {
    "Cortex-M4": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"),
    "Cortex-M0": ("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"),
    "rv32imac": ("riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"),
    "rv32i": ("riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32"),
    "AVR": ("avr-gcc", "-mmcu=atmega328p"),
}
# The kernels of the targets.
ISAS = {
    "Cortex-M4": "armv7m",
    "Cortex-M0": "armv6m",
    "rv32imac": "rv32i",
    "rv32i": "rv32i",
    "AVR": "avr",
}
FLAGS = (
    "-Os",
    "-std=gnu11",
    "-ffreestanding",
    "-fno-tree-loop-distribute-patterns",
    "-ffunction-sections",
    "-fdata-sections",
    "-nostdlib",
    "-nostartfiles",
)
ASCON = ("hanji_ascon_aead128_encrypt", "hanji_ascon_aead128_decrypt")
ASCON_HASH = ("hanji_ascon_hash256",)
SCHWAEMM = ("hanji_schwaemm256_128_encrypt", "hanji_schwaemm256_128_decrypt")
CTR = ("hanji_block_init", "hanji_ctr_init", "hanji_ctr_update")
EAX = ("hanji_block_init", "hanji_eax_init", "hanji_eax_encrypt", "hanji_eax_decrypt")
AIMER_VERIFY = ("hanji_aimer_by_name", "hanji_aimer_verify")
AIMER = (*AIMER_VERIFY, "hanji_aimer_sign")
USES = {
    "ascon-aead128": ASCON,
    "ascon-hash256": ASCON_HASH,
    "ascon-aead128 and ascon-hash256": (*ASCON, *ASCON_HASH),
    "schwaemm256-128": SCHWAEMM,
    "speck-64/128-ctr": ("hanji_speck64_128", *CTR),
    "speck-64/128-eax": ("hanji_speck64_128", *EAX),
    "cham-64/128-ctr": ("hanji_cham64_128", *CTR),
    "esch256": ("hanji_esch256",),
}
# By what a program does with it; not on AVR.
SIGNING = {"verify": AIMER_VERIFY, "sign and verify": AIMER}
# What a firmware brings with it.
STUB = """
void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes) { return from && bytes ? to : to; }
void *memmove(void *to, const void *from, __SIZE_TYPE__ bytes) { return from && bytes ? to : to; }
void *memset(void *to, int value, __SIZE_TYPE__ bytes) { (void)value; (void)bytes; return to; }
void _start(void) {}
"""


def size(folder: Path, calls: tuple[str, ...], target: str) -> int:
    """Of what the linker keeps of hanji.c and the kernels for a program with these calls."""
    link_map, stub = folder / "program.map", folder / "stub.c"
    stub.write_text(STUB)
    roots = [f"-Wl,-u,{call}" for call in calls]
    command = [*TARGETS[target], *FLAGS, *roots, f"-Wl,--gc-sections,-e,_start,-Map={link_map}"]
    object_files = []
    for source in (folder / "hanji.c", *sorted(folder.glob("*.S"))):
        object_files.append(folder / f"tiny_{source.stem}.o")
        compiling = [*TARGETS[target], *FLAGS, "-c", source, "-o", object_files[-1]]
        subprocess.run(compiling, check=True)
    linking = [*command, stub, *object_files, "-lgcc", "-o", folder / "program.elf"]
    subprocess.run(linking, check=True)
    kept = link_map.read_text().partition("Linker script and memory map")[2]
    sections = r"^ \.(?:text|rodata|srodata|progmem|data|bss)\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)"
    return sum(int(n, 16) for n in re.findall(sections + r"\s+\S*tiny_\w+\.o", kept, re.MULTILINE))


def measure(folder: Path) -> dict[str, dict[str, int]]:
    """By algorithm and target."""
    found: dict[str, dict[str, int]] = {}
    for name, calls in USES.items():
        place = folder / re.sub(r"\W", "-", name)
        tiny.write(name.split(" and "), "0", place)
        found[name] = {target: size(place, calls, target) for target in TARGETS}
    place = folder / "aimer"
    tiny.write(["aimer3-128f"], "0", place)
    for what, calls in SIGNING.items():
        found[f"aimer3-128f, {what}"] = {
            target: size(place, calls, target) for target in TARGETS if target != "AVR"
        }
    return found


def has_kernel(name: str, isa: str) -> bool:
    """Of every algorithm of a program."""
    held = tiny.KERNELS[isa]
    return all(held.keys() & set(tiny.PARTS[part]) for part in name.split(" and "))


def measure_kernels(folder: Path) -> dict[str, dict[str, int]]:
    """The same with the kernels of each target in the place of the C, where it has them."""
    found: dict[str, dict[str, int]] = {}
    for name, calls in USES.items():
        for target, isa in ISAS.items():
            if has_kernel(name, isa):
                place = folder / re.sub(r"\W", "-", f"{name} {isa}")
                tiny.write(name.split(" and "), "0", place, isa)
                found.setdefault(name, {})[target] = size(place, calls, target)
    return found
