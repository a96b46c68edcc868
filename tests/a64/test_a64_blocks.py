# SPDX-License-Identifier: Apache-2.0
"""The block ciphers in NEON: every vector, and swept inputs against portable C, under qemu on two
processors and from two compilers.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from builds import EMULATORS, ROOT, environment, program, run
from test_c_selftest import Damage, damaged_library
from test_c_vectors import BLOCK_FILES, failures, requests

import hanji

PRESETS = ("aarch64", "aarch64-clang")
PROCESSORS = ("cortex-a72", "max")


def on(processor: str, preset: str, name: str, *arguments: str) -> list[str]:
    """Command that runs a test program on a processor of qemu."""
    emulator = EMULATORS[preset]
    return [
        emulator[0],
        "-cpu",
        processor,
        *emulator[1:],
        *program(preset, name, *arguments)[len(emulator) :],
    ]


def test_every_size_of_block_has_a_neon_kernel() -> None:
    """The catalogue says which there are, and which nobody is warned against: a file for each
    family and block.
    """
    good = ("recommended", "ok")
    blocks = [row.name for row in hanji.algorithms() if row.kind == "block" and row.advice in good]
    wanted = {name.split("/")[0].replace("-", "") for name in blocks}
    files = {path.name.removesuffix("_neon.c") for path in (ROOT / "src").glob("*/*_neon.c")}
    assert wanted and wanted <= files, f"no NEON kernel of {sorted(wanted - files)}"


@pytest.mark.parametrize("preset", PRESETS)
def test_vectors(preset: str) -> None:
    for name in BLOCK_FILES:
        wrong = failures(name, requests(name), program(preset, "vectors"), HANJI_FORCE="neon")
        assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])


@pytest.mark.parametrize(
    ("preset", "processor"), [("aarch64", "cortex-a72"), ("aarch64-clang", "max")]
)
def test_kernels_equal_portable(preset: str, processor: str) -> None:
    """Every tail, unaligned, in place, every carry of the counter, guard pages; see
    tests/c/kernels_main.c.
    """
    done = subprocess.run(
        on(processor, preset, "kernels", "neon"), capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_short_messages() -> None:
    """CTR of 0 to 130 blocks under every cipher and tier, against single blocks; EAX; the rows for
    short texts."""
    done = subprocess.run(
        on("cortex-a72", "aarch64", "short"), capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "pattern", "replacement"),
    [
        (
            "lanes/vector_blocks.h",
            r"W\(store_words\)\(out \+ at, mask",
            "W(store_words)(out + at + 1, mask",
        ),
        ("lanes/neon.h", r"\(bits\) - \(n\)\)\);", "(bits) - (n) - ((n) > 1)));"),
    ],
    ids=["a byte too far", "a wrong rotation"],
)
def test_control_a_damaged_kernel_is_seen(
    file: str, pattern: str, replacement: str, tmp_path: Path
) -> None:
    damage = Damage(file, pattern, replacement, "speck-64/128", "speck/speck64_neon.c")
    library = damaged_library(damage, tmp_path, preset="aarch64", compiler="aarch64-linux-gnu-gcc")
    binary = tmp_path / "kernels"
    include = ["-I", ROOT / "src", "-I", ROOT / "include"]
    run(
        [
            "aarch64-linux-gnu-gcc",
            "-O1",
            "-D_GNU_SOURCE",
            *include,
            ROOT / "tests/c/kernels_main.c",
            library,
            "-o",
            binary,
        ]
    )
    done = subprocess.run(
        [*EMULATORS["aarch64"], binary, "neon", damage.algorithm],
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.returncode != 0 and ("[speck-64/128]" in done.stdout or done.returncode < 0), (
        done.stdout
    )


def test_a_cap_takes_neon_away() -> None:
    states = run(
        program("aarch64", "tiers"), env=environment(HANJI_FORCE="portable")
    ).stdout.split()
    assert "portable=2" in states and "neon=1" in states, states
