# SPDX-License-Identifier: Apache-2.0
"""CMake builds of the C library and its test programs, one per preset and made once per run."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from debian import need

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = {
    "host-gcc": ("gcc",),
    "host-clang": ("clang-14",),
    "asan": ("clang-14", "libclang-rt-14-dev", "llvm-14"),
    "tsan": ("clang-14", "libclang-rt-14-dev", "llvm-14"),
    "aarch64": ("gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"),
    "aarch64-clang": ("clang-14", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"),
    "s390x": ("gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "qemu-user"),
    "rv32i": ("gcc-riscv64-unknown-elf", "qemu-user"),
    "rv32imac": ("gcc-riscv64-unknown-elf", "qemu-user"),
}
EMULATORS = {
    "aarch64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    "aarch64-clang": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    "s390x": ["qemu-s390x", "-L", "/usr/s390x-linux-gnu"],
    "rv32i": ["qemu-riscv32"],
    "rv32imac": ["qemu-riscv32"],
}
FIRMWARE = ("rv32i", "rv32imac")


def run(command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a tool; a failure shows everything that it printed."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, **options
    )  # type: ignore[call-overload]
    assert done.returncode == 0, (
        f"{' '.join(map(str, command))} failed "
        f"({done.returncode}):\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
    )
    return done


@cache
def _failure(preset: str) -> str | None:
    """Build; what went wrong, or None. A failure is remembered too, so that it costs its time once."""
    try:
        run(["cmake", "--preset", preset], cwd=ROOT)
        run(["cmake", "--build", "--preset", preset], cwd=ROOT)
    except AssertionError as error:
        return str(error)
    return None


def build(preset: str) -> Path:
    """Build a preset (cmake does nothing when it is up to date) and return its directory; skips
    when its tools are missing.
    """
    need("cmake", "ninja-build", *PACKAGES[preset])
    failure = _failure(preset)
    assert failure is None, failure
    return ROOT / "build" / preset


def program(preset: str, name: str, *arguments: str) -> list[str]:
    """Command that runs a test program of a preset, through qemu where it is another machine's."""
    return [*EMULATORS.get(preset, []), str(build(preset) / "tests/c" / name), *arguments]


def environment(**extra: str) -> dict[str, str]:
    """Ours, without HANJI_FORCE and with readable sanitizer reports."""
    plain = {name: value for name, value in os.environ.items() if name != "HANJI_FORCE"}
    symbolizer = "/usr/bin/llvm-symbolizer-14"
    return (
        plain
        | {
            "ASAN_SYMBOLIZER_PATH": symbolizer,
            "TSAN_OPTIONS": f"external_symbolizer_path={symbolizer} history_size=7",
        }
        | extra
    )
