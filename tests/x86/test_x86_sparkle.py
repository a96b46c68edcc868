# SPDX-License-Identifier: Apache-2.0
"""SPARKLE on x86-64: the kernels of one state called by themselves, every tier on all vectors, the
generator, and what is seen of secrets.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import catalogue
import generated
import pytest
import sparkle_x86
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/c"))

from builds import environment, program  # noqa: E402
from test_c_vectors import failures, requests  # noqa: E402
from test_x86_tiers import TIERS, need_tier  # noqa: E402

from hanji_lab.ct import opcodes  # noqa: E402

FILES = catalogue.files("aead", "hash", "xof", "permutation")
WRITTEN = ("sparkle384_avx512_x1", "sparkle512_avx512_x1")
KERNELS = (*WRITTEN, "sparkle384_avx2_x1")

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="kernels of x86-64")


def test_the_files_are_what_the_generator_writes() -> None:
    written = sparkle_x86.files()
    assert not generated.stale(written), "run tools/sparkle_x86.py"
    assert len(written) == len(WRITTEN)


@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_kernels(preset: str) -> None:
    """Counts of states from 0 to 17, numbers of steps up to 64, guard pages, the registers of the
    caller; see tests/a64/sparkle_main.c.
    """
    need_tier("avx512")
    done = subprocess.run(
        program(preset, "x86_sparkle"), capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(name in done.stdout for name in KERNELS)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_vectors(preset: str, tier: str) -> None:
    need_tier(tier)
    assert len(FILES) >= 4
    for name in FILES:
        wrong = failures(name, requests(name), program(preset, "vectors"), HANJI_FORCE=tier)
        assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])


LEAKS = {
    "a branch": ("    add $8, %r14", "    test %eax, %eax\n    jz .Lend0\n    add $8, %r14"),
    "an address": ("    xor 8(%r14), ", "    xor 8(%r14,%rax), "),
    "a quotient": ("    add $8, %r14", "    div %ecx\n    add $8, %r14"),
    "the table after it": ("    add $8, %r14", "    add %rax, %r14"),
}


@pytest.mark.parametrize("what", ["nothing", *LEAKS])
def test_the_scan_sees_what_secrets_decide(what: str, tmp_path: Path) -> None:
    need("gcc")
    text = (ROOT / "src/sparkle/generated/sparkle384_avx512.S").read_text(encoding="utf-8")
    changed = text.replace(*LEAKS[what], 1) if what in LEAKS else text
    assert (changed == text) == (what == "nothing")
    (tmp_path / "kernel.S").write_text(changed, encoding="utf-8")
    subprocess.run(
        ["gcc", "-c", "-I", ROOT / "src", "-I", ROOT / "include", "kernel.S", "-o", "kernel.o"],
        cwd=tmp_path,
        check=True,
    )
    found = opcodes.OpcodeScan(ROOT, "gcc").scan(tmp_path / "kernel.o", strict=False)
    assert list(found) == ["hanji_sparkle384_avx512_x1"]
    assert bool(found["hanji_sparkle384_avx512_x1"]) == (what != "nothing"), found
