# SPDX-License-Identifier: Apache-2.0
"""Ascon on AArch64 under qemu: every kernel called by itself, every tier forced in turn, and how
many instructions a block takes.

Eight rounds take 208 for one state: fifteen for the S-box, one for the constant and two for each
word of the linear layer, whose rotations ride on an xor, in portable C as long as the compiler
keeps to the order of src/ascon/ascon_rounds.h.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import ascon_a64
import generated
import pytest
import vectors_io
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/c"))

from builds import environment, program  # noqa: E402
from test_c_vectors import failures, requests  # noqa: E402

COMPILERS = {
    "gcc": (["aarch64-linux-gnu-gcc"], "gcc-aarch64-linux-gnu"),
    "clang": (["clang-14", "--target=aarch64-linux-gnu"], "clang-14"),
}
LIMITS = {"seal_blocks": 217, "open_blocks": 218, "absorb_blocks": 215, "absorb_words": 320}


CPUS = {"max": ("portable", "neon", "sha3"), "cortex-a72": ("portable", "neon")}


def test_the_files_are_what_the_generator_writes() -> None:
    written = ascon_a64.files()
    assert not generated.stale(written), "run tools/ascon_a64.py"
    assert len(written) == 2


@pytest.mark.parametrize("cpu", CPUS)
def test_kernels(cpu: str) -> None:
    """Rounds, blocks, alignments, in place, lanes that take no part, guard pages, the registers of
    the caller; see tests/a64/ascon_main.c.
    """
    done = subprocess.run(
        program("aarch64", "a64_ascon"),
        capture_output=True,
        text=True,
        env=environment(QEMU_CPU=cpu),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ascon_neon_x5" in done.stdout
    assert ("ascon_sha3_x5" in done.stdout) == (cpu == "max")


@pytest.mark.parametrize(("cpu", "tier"), [(cpu, tier) for cpu in CPUS for tier in CPUS[cpu]])
def test_vectors(cpu: str, tier: str) -> None:
    names = [name for name in vectors_io.names() if name.startswith("ascon")]
    assert names
    for name in names:
        asked = requests(name)
        wrong = failures(name, asked, program("aarch64", "vectors"), HANJI_FORCE=tier, QEMU_CPU=cpu)
        assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])


def loops(listing: str, function: str) -> list[int]:
    """Instructions of each loop of a function in the output of objdump."""
    body = listing[listing.index(f"<{function}>:") :]
    rows = re.findall(r"^\s+([0-9a-f]+):\s+(.*)$", body[: body.index("ret")], re.MULTILINE)
    places = [int(address, 16) for address, _ in rows]
    found = []
    for place, (_, text) in zip(places, rows, strict=True):
        jump = re.match(r"(?:b\.\w+|cbnz)\s.*?([0-9a-f]+) <", text)
        if jump and int(jump[1], 16) < place:
            found.append(sum(int(jump[1], 16) <= at <= place for at in places))
    return found


def listing(compiler: str, source: Path, folder: Path) -> str:
    command, package = COMPILERS[compiler]
    need(package, "gcc-aarch64-linux-gnu")  # objdump comes with the latter
    made = folder / "ascon.o"
    flags = [
        "-std=c11",
        "-O3",
        f"-I{ROOT / 'src'}",
        f"-I{ROOT / 'include'}",
        "-c",
        str(source),
        "-o",
        str(made),
    ]
    subprocess.run([*command, *flags], check=True)
    objdump = ["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", str(made)]
    return subprocess.run(objdump, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("compiler", COMPILERS)
def test_rotations_ride_on_the_xors(compiler: str, tmp_path: Path) -> None:
    said = listing(compiler, ROOT / "src/ascon/ascon.c", tmp_path)
    for function, most in LIMITS.items():
        (count,) = loops(said, function)
        assert 208 <= count <= most, (
            f"{function}: {count} instructions for a block, at most {most} expected"
        )


def test_control_without_the_order_there_are_more(tmp_path: Path) -> None:
    rounds = (ROOT / "src/ascon/ascon_rounds.h").read_text()
    assert '__asm__("" : "+r"(sum));' in rounds
    source = tmp_path / "ascon.c"
    text = (ROOT / "src/ascon/ascon.c").read_text()
    plain = rounds.replace('__asm__("" : "+r"(sum));', "")
    source.write_text(text.replace('#include "ascon/ascon_rounds.h"', plain))
    (count,) = loops(listing("gcc", source, tmp_path), "seal_blocks")
    assert count > LIMITS["seal_blocks"]
