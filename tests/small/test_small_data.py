# SPDX-License-Identifier: Apache-2.0
"""Firmware whose start code copies no initialised data: the full profile has none, and selects the
assembly kernels all the same.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji_lab.spec import algorithm

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

FLAGS = ["-Os", "-std=gnu11", "-ffreestanding", "-fno-tree-loop-distribute-patterns"]
SECTIONS = ["-ffunction-sections", "-fdata-sections"]
# prefix of the tools, flags, instruction set, Debian package
MACHINES = {
    "rv32": ("riscv64-unknown-elf-", ["-march=rv32i", "-mabi=ilp32"], "rv32i"),
    "cortex-m0": ("arm-none-eabi-", ["-mcpu=cortex-m0", "-mthumb"], "armv6m"),
    "cortex-m3": ("arm-none-eabi-", ["-mcpu=cortex-m3", "-mthumb"], "armv7m"),
    "avr": ("avr-", ["-mmcu=atmega2560"], "avr"),
}
PACKAGES = {"riscv64-unknown-elf-": "gcc-riscv64-unknown-elf", "avr-": "gcc-avr"}
SIGNATURES = [name for name, broken in amalgam.signature_sets().items() if not broken]
INITIALISED = re.compile(r"\.(s|t)?data\b|\.init_array|\.preinit_array|\.ctors")


def compiled(folder: Path, machine: str, names: str) -> list[Path]:
    """The objects of an amalgam with the kernels of a machine."""
    prefix, flags, isa = MACHINES[machine]
    need("gcc", PACKAGES.get(prefix, "gcc-arm-none-eabi"))
    objects = []
    for source in amalgam.write(amalgam.chosen(names), isa, amalgam.extras(names), folder):
        if source.suffix != ".h":
            objects.append(folder / f"{source.name}.o")
            command = [f"{prefix}gcc", *flags, *FLAGS, *SECTIONS, "-c", source]
            subprocess.run([*command, "-o", objects[-1]], check=True)
    return objects


def initialised(prefix: str, objects: list[Path]) -> list[str]:
    """The sections that start code would have to copy, with their sizes."""
    found = []
    for path in objects:
        command = [f"{prefix}objdump", "-h", path]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        sections = re.findall(r"^\s*\d+ (\S+)\s+([0-9a-f]+) ", listed, re.MULTILINE)
        assert any(name.startswith(".text") for name, _ in sections), listed
        found += [
            f"{path.name} {name} {size}"
            for name, size in sections
            if INITIALISED.match(name) and int(size, 16) > 0
        ]
    return found


# Every kind of algorithm and every mode; the whole library is a slow test.
SOME = (
    "ascon-aead128, ascon-hash256, ascon-cxof128, schwaemm256-128, xoesch256, sparkle512, "
    "speck-64/128-eax, cham-64/128-ctr, simon-64/128-cmac, selftest, error-texts"
)
WHOLE = ", ".join(amalgam.known_algorithms())


@pytest.mark.parametrize(
    ("machine", "names"),
    [
        *((machine, SOME) for machine in MACHINES),
        ("cortex-m0", ", ".join(SIGNATURES[:1])),
        *(pytest.param(machine, WHOLE, marks=pytest.mark.slow) for machine in MACHINES),
    ],
)
def test_objects_have_no_initialised_data(tmp_path, machine, names):
    prefix = MACHINES[machine][0]
    objects = compiled(tmp_path, machine, names)
    assert initialised(prefix, objects) == []
    # the control: a variable like the one that there was
    (tmp_path / "control.c").write_text("unsigned long cap = 4294967295;\nvoid f(void) {}\n")
    command = [f"{prefix}gcc", *MACHINES[machine][1], *SECTIONS, "-c", tmp_path / "control.c"]
    subprocess.run([*command, "-o", tmp_path / "control.o"], check=True)
    (found,) = initialised(prefix, [tmp_path / "control.o"])
    assert re.fullmatch(r"control\.o \.s?data\.cap 0+4", found)


# 0: the kernels are selected, and a cap on them works and can be taken back; the digest is right.
MAIN = """
#include "hanji.h"
uint32_t hanji_cpu_features(void); /* not in hanji.h: what the selection has chosen from */
static int right(void)
{
    static const uint8_t empty[] = {DIGEST};
    uint8_t out[sizeof empty];
    return hanji_esch256(out, empty, 0) == HANJI_OK && hanji_equal(out, empty, sizeof empty);
}
int main(void)
{
    if (hanji_cpu_features() == 0)
        return 1;
    if (!right())
        return 2;
    if (hanji_force("portable") != HANJI_OK || hanji_cpu_features() != 0 || !right())
        return 3;
    if (hanji_force("no such tier") != HANJI_E_UNSUPPORTED || hanji_cpu_features() != 0)
        return 4;
    if (hanji_force(NULL) != HANJI_OK || hanji_cpu_features() == 0 || !right())
        return 5;
    return 0;
}
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}
void *memmove(void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        ((uint8_t *)to)[bytes] = ((const uint8_t *)from)[bytes];
    return to;
}
void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}
"""
# From reset to main: a stack and zeros in .bss, and junk where initialised data would be.
ARM = """
    .syntax unified
    .thumb
    .section .start, "a"
    .word stack_top, start + 1
    .text
    .thumb_func
start:
    ldr r0, =data_start
    ldr r1, =data_end
    movs r2, #0
1:  cmp r0, r1
    bcs 2f
    str r2, [r0]
    adds r0, #4
    b 1b
2:  ldr r0, =bss_start
    ldr r1, =bss_end
3:  cmp r0, r1
    bcs 4f
    str r2, [r0]
    adds r0, #4
    b 3b
4:  bl main
    ldr r3, =status
    ldr r1, =0x20026
    str r1, [r3]
    str r0, [r3, #4]
    mov r1, r3
    movs r0, #0x20
    bkpt 0xab
    .bss
    .balign 4
status: .zero 8
"""
RISCV = """
    .section .start, "ax"
    la sp, stack_top
    la t0, data_start
    la t1, bss_end
1:  bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:  call main
    slli a0, a0, 16
    li t0, 0x3333
    li t1, 0x5555
    beqz a0, 3f
    or t1, a0, t0
3:  li t0, 0x100000
    sw t1, 0(t0)
4:  j 4b
"""
LINK = """
ENTRY(start_of_all)
SECTIONS
{
    . = ROM;
    start_of_all = .;
    .text : { KEEP(*(.start)) *(.text .text.*) *(.rodata .rodata.* .srodata .srodata.*)
              . = ALIGN(8); data_image = .; }
    . = RAM;
    .data : AT(data_image) { data_start = .; *(.data .data.* .sdata .sdata.*) . = ALIGN(4);
                             data_end = .; }
    .bss (NOLOAD) : { bss_start = .; *(.bss .bss.* .sbss .sbss.* COMMON) . = ALIGN(4);
                      bss_end = .; }
    stack_top = RAM + 0x4000;
    /DISCARD/ : { *(.comment) *(.note*) *(.ARM.*) *(.eh_frame*) }
}
"""
QEMU = {
    "rv32": ("qemu-system-riscv32 -M virt -bios none", RISCV, 0x80000000, 0x80100000),
    "cortex-m0": (
        "qemu-system-arm -M microbit -semihosting-config enable=on,target=native",
        ARM,
        0,
        0x20000000,
    ),
    "cortex-m3": (
        "qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native",
        ARM,
        0,
        0x20000000,
    ),
}
RUN = [
    (machine, damaged)
    for machine in QEMU
    for damaged in ((False, True) if machine == "cortex-m3" else (False,))
]


@pytest.mark.parametrize(("machine", "damaged"), RUN)
def test_start_code_that_copies_no_data_selects_the_kernels(tmp_path, machine, damaged):
    """Damaged, which is the control: the selection needs a word of initialised data."""
    need("qemu-system-misc" if machine == "rv32" else "qemu-system-arm")
    command, start, rom, ram = QEMU[machine]
    compiled(tmp_path, machine, "esch256")
    source = tmp_path / "hanji.c"
    if damaged:
        text = source.read_text()
        assert text.count("~(uint32_t)withheld") == 1
        text = text.replace("~(uint32_t)withheld", "cap")
        variable = "static uint16_t withheld;"
        assert text.count(variable) == 1
        text = text.replace(variable, f"{variable}\nuint32_t cap = UINT32_MAX;")
        source.write_text(text)
    prefix, flags, _ = MACHINES[machine]
    digest = algorithm("esch256").digest(b"")
    (tmp_path / "main.c").write_text(MAIN.replace("DIGEST", ", ".join(map(str, digest))))
    (tmp_path / "start.S").write_text(start)
    (tmp_path / "link.ld").write_text(LINK.replace("ROM", hex(rom)).replace("RAM", hex(ram)))
    sources = [source, *tmp_path.glob("*.S"), tmp_path / "main.c"]
    link = ["-nostdlib", "-nostartfiles", "-T", tmp_path / "link.ld", *sources, "-lgcc"]
    compiler = [f"{prefix}gcc", *flags, *FLAGS, f"-I{tmp_path}"]
    subprocess.run([*compiler, *link, "-o", tmp_path / "main.elf"], check=True)
    run = [*command.split(), "-display", "none", "-monitor", "none", "-serial", "none"]
    done = subprocess.run(
        [*run, "-kernel", tmp_path / "main.elf"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert done.returncode == (1 if damaged else 0), done.stderr[-500:]
