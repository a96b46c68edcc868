# SPDX-License-Identifier: Apache-2.0
"""The tiers of x86-64: each forced in turn on every vector and on swept inputs, each taken away, and what selects them."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest
import vectors_io
from builds import ROOT, environment, program, run
from debian import need
from test_c_selftest import Damage, damaged_library
from test_c_vectors import failures, requests

TIERS = ("portable", "ssse3", "avx2", "avx512")
WITH_KERNELS = ("portable", "avx2", "avx512")  # ssse3 is for libhanji-rainbow alone
BLOCK_FILES = ("speck", "simon", "simeck", "cham", "cmac", "eax")
CANNOT = 77  # exit status of the program on a machine without the tier

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="tiers of x86-64")


def states(command: list[str], **extra: str) -> dict[str, int]:
    """State of each tier after the first look at HANJI_FORCE: 2 in use, 1 capped, 0 not here."""
    words = run(command, env=environment(**extra)).stdout.split()[1:]
    return {name: int(state) for name, state in (word.split("=") for word in words)}


def need_tier(tier: str) -> None:
    if states(program("host-gcc", "tiers"))[tier] == 0:
        pytest.skip(f"this processor or its operating system has no {tier}")


@pytest.mark.parametrize("tier", WITH_KERNELS)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_vectors(preset: str, tier: str) -> None:
    need_tier(tier)
    for name in BLOCK_FILES:
        wrong = failures(name, requests(name), program(preset, "vectors"), HANJI_FORCE=tier)
        assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])
    assert set(BLOCK_FILES) <= set(vectors_io.names())


@pytest.mark.parametrize("tier", WITH_KERNELS)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang", "asan"])
def test_kernels_equal_portable(preset: str, tier: str) -> None:
    """Every tail, unaligned, in place, every carry of the counter, guard pages; see tests/c/kernels_main.c."""
    done = subprocess.run(program(preset, "kernels", tier), capture_output=True, text=True, env=environment())
    if done.returncode == CANNOT:
        pytest.skip(f"this processor or its operating system has no {tier}")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"carry = \(W\(word\)\)\(sum\[w\] < carry\) & W\(splat\)\(1\);", "carry = W(splat)(0);"),
        (r"return W\(rotl\)\(v, WORD_BITS - r\);", "return W(rotl)(v, WORD_BITS - r - 1);"),
        (r"W\(store_words\)\(out \+ at, mask", "W(store_words)(out + at + 1, mask"),
    ],
    ids=["a lost carry", "a wrong rotation", "a byte too far"],
)
def test_control_a_damaged_kernel_is_seen(pattern: str, replacement: str, tmp_path: Path) -> None:
    need_tier("avx2")
    damage = Damage("lanes/vector.h", pattern, replacement, "speck-64/96", "speck/speck64_avx2.c")
    library = damaged_library(damage, tmp_path, "-mavx2")
    binary = tmp_path / "kernels"
    run(["gcc", "-O1", "-D_GNU_SOURCE", "-I", ROOT / "src", "-I", ROOT / "include", ROOT / "tests/c/kernels_main.c", library, "-o", binary])
    done = subprocess.run([binary, "avx2"], capture_output=True, text=True, env=environment())
    assert done.returncode != 0 and ("[speck-64/96]" in done.stdout or done.returncode < 0), done.stdout


def test_a_cap_leaves_the_tiers_below() -> None:
    command = program("host-gcc", "tiers")
    here = {tier: state > 0 for tier, state in states(command).items()}
    for at, tier in enumerate(TIERS):
        if here[tier]:
            expected = {name: 0 if not here[name] else 2 if place <= at else 1 for place, name in enumerate(TIERS)}
            assert states(command, HANJI_FORCE=tier) == expected


@pytest.mark.parametrize(("processor", "best"), [("Opteron_G1", 0), ("Nehalem", 1), ("max", 2)])
def test_selection_follows_the_processor(processor: str, best: int) -> None:
    """Processors of qemu: with SSE3 at most, with SSSE3, and with AVX2; none has AVX-512. The self-test of the library runs on all."""
    need("qemu-user")
    emulator = ["qemu-x86_64", "-cpu", processor]
    expected = {name: 2 if place <= best else 0 for place, name in enumerate(TIERS)}
    assert states([*emulator, *program("host-gcc", "tiers")]) == expected
    done = subprocess.run([*emulator, *program("host-gcc", "vectors")], input="selftest all\n", capture_output=True, text=True, env=environment())
    assert done.stdout == "-\n", done.stdout + done.stderr
