# SPDX-License-Identifier: Apache-2.0
"""The self-test of every symmetric algorithm, with the kernels of each processor."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tests/consumers"))
import amalgam  # noqa: E402
import test_residue  # noqa: E402

ISAS = {"cortex-m0": "armv6m", "cortex-m4": "armv7m", "rv32imac": "rv32i"}
FLAGS = ["-Os", "-std=gnu11", "-ffreestanding", "-ffunction-sections", "-fdata-sections"]
FLAGS += ["-fno-tree-loop-distribute-patterns", "-Wl,--gc-sections"]
# On AVR constants lie in 8 KiB of RAM: so many algorithms at a time.
AT_A_TIME = 9


def every() -> list[str]:
    """The algorithms, and of the modes those over one cipher of each block size that has them."""
    names = list(test_residue.algorithms())
    return [*names, "speck-64/128-ctr", "speck-64/128-eax", "cham-64/128-cmac", "speck-32/64-ctr"]


def said(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def on_qemu(
    folder: Path, machine: str, library: Path | None = None, amalgamated: Path | None = None
) -> str:
    """What the firmware prints on a Cortex-M or on RV32; `library` is hanji.c compiled, and its
    header and kernels lie in `amalgamated` if not in the folder.
    """
    sources_in = amalgamated or folder
    compiler, emulator, (rom, ram, ram_bytes), packages = test_residue.MACHINES[machine]
    need(*packages)
    program = folder / "selftest.elf"
    places = f"--defsym=rom={rom},--defsym=ram={ram},--defsym=ram_bytes={ram_bytes},-e,begin"
    sources = [
        HERE / "selftest_main.c",
        library or folder / "hanji.c",
        *sorted(sources_in.glob("*.S")),
    ]
    link = ["-nostdlib", f"-Wl,{places}", "-Wl,--no-warn-rwx-segments", "-lgcc"]
    script = f"-T{ROOT / 'tests/consumers/residue/firmware.ld'}"
    subprocess.run(
        [*compiler, *FLAGS, f"-I{sources_in}", *sources, script, *link, "-o", program], check=True
    )
    console = ["-nographic", "-monitor", "none", "-serial", "none"]
    console += ["-semihosting-config", "enable=on,target=native"]
    return said([*emulator, *console, "-kernel", str(program)])


def on_avr(folder: Path) -> str:
    """What the firmware prints on an ATmega2560."""
    need("gcc-avr", "avr-libc", "simavr")
    program = folder / "selftest.elf"
    sources = [HERE / "selftest_main.c", folder / "hanji.c", *sorted(folder.glob("*.S"))]
    command = ["avr-gcc", "-mmcu=atmega2560", "-DF_CPU=16000000UL", *FLAGS, f"-I{folder}"]
    subprocess.run([*command, *sources, "-o", program], check=True)
    return said(["simavr", "-m", "atmega2560", "-f", "16000000", str(program)])


@pytest.mark.parametrize("machine", ISAS)
def test_every_algorithm_is_right_on(tmp_path, machine):
    """With all modes: the library that the test of secrets on the stack has at -Os."""
    isa = ISAS[machine]
    library = test_residue.compiled(isa, machine, "-Os")
    assert "right" in on_qemu(tmp_path, machine, library, test_residue.whole(isa)).split()


BATCHES = [every()[at : at + AT_A_TIME] for at in range(0, len(every()), AT_A_TIME)]


@pytest.mark.parametrize("names", BATCHES, ids=[names[0] for names in BATCHES])
def test_every_algorithm_is_right_on_avr(tmp_path, names):
    need("gcc")
    amalgam.write(amalgam.chosen(",".join(names)), "avr", {"selftest"}, tmp_path)
    printed = on_avr(tmp_path)
    assert re.search(r"^right", printed, re.MULTILINE), printed


@pytest.mark.parametrize("machine", ["cortex-m4", "avr"])
def test_control_a_wrong_kernel_is_named(tmp_path, machine):
    need("gcc")
    isa = ISAS.get(machine, machine)
    amalgam.write(amalgam.chosen("schwaemm256-128, esch256"), isa, {"selftest"}, tmp_path)
    (kernel,) = tmp_path.glob("sparkle384*.S")
    text = kernel.read_text()
    assert "0x324e7738" in text
    kernel.write_text(text.replace("0x324e7738", "0x324e7739"))
    printed = on_avr(tmp_path) if machine == "avr" else on_qemu(tmp_path, machine)
    assert "schwaemm256-128" in printed
