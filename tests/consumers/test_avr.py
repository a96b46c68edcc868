# SPDX-License-Identifier: Apache-2.0
"""The amalgam on a processor whose int and size_t have 16 bits, under qemu: its self-test is right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent / "avr"
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

# Words of 16, 24, 32 and 64 bits, every mode, and the three sizes of SPARKLE; in two images,
# because constants lie in 8 KiB of RAM.
IMAGES = {
    "small words": (
        "speck-32/64, simon-48/96-ctr, cham-64/128-eax, simeck-32/64-ctr, schwaemm128-128, "
        "sparkle256"
    ),
    "large words": (
        "speck-128/256-cmac, simon-64/128-eax, cham-128/128-ctr, schwaemm192-192, esch256, "
        "xoesch384"
    ),
}
OPTIONS = [
    "-mmcu=atmega2560",
    "-std=gnu11",
    "-Os",
    "-ffreestanding",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-tree-loop-distribute-patterns",
]


def line_of(folder: Path) -> str:
    """Build the image, and the first line that it sends."""
    need("gcc", "gcc-avr", "qemu-system-misc")
    files = [HERE / "main.c", HERE / "start.S", folder / "hanji.c"]
    command = [
        "avr-gcc",
        *OPTIONS,
        "-Wall",
        "-Wextra",
        "-Werror",
        "-nostdlib",
        "-nostartfiles",
        "-Wl,--gc-sections",
        f"-I{folder}",
    ]
    built = subprocess.run(
        [*command, *map(str, files), "-lgcc", "-o", str(folder / "image.elf")],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr[-3000:]
    emulator = [
        "qemu-system-avr",
        "-machine",
        "mega2560",
        "-nographic",
        "-monitor",
        "none",
        "-serial",
        "stdio",
        "-bios",
        str(folder / "image.elf"),
    ]
    with subprocess.Popen(
        emulator, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            assert running.stdout
            return running.stdout.readline().strip()
        finally:
            running.kill()


@pytest.mark.parametrize("names", IMAGES.values(), ids=IMAGES)
def test_selftest_with_an_int_of_16_bits(tmp_path: Path, names: str) -> None:
    need("gcc")
    amalgam.write(amalgam.chosen(names), "portable", {"selftest"}, tmp_path)
    assert line_of(tmp_path) == "right"


def test_control_a_wrong_constant_is_found(tmp_path: Path) -> None:
    need("gcc")
    amalgam.write(amalgam.chosen("schwaemm128-128"), "portable", {"selftest"}, tmp_path)
    source = (tmp_path / "hanji.c").read_text()
    assert source.count("0x324e7738") == 1
    (tmp_path / "hanji.c").write_text(source.replace("0x324e7738", "0x324e7739"))
    assert line_of(tmp_path) == "schwaemm128-128"
