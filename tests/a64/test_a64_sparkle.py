# SPDX-License-Identifier: Apache-2.0
"""SPARKLE on AArch64 under qemu: every kernel called by itself, every tier forced in turn, and what
selects them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import generated
import pytest
import sparkle_a64
import vectors_io
from sparkle_a64_schedule import SMALL, Code, NoRegisters, order, schedule
from sparkle_a64_steps import branches, scalar_step

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/c"))

from builds import environment, program, run  # noqa: E402
from test_c_vectors import failures, requests  # noqa: E402

CPUS = ("max", "cortex-a72")
TIERS = ("portable", "neon", "crypto", "sha3")
FILES = tuple(
    name
    for name in vectors_io.names()
    if name.startswith(("sparkle", "schwaemm", "esch", "xoesch"))
)


def test_the_files_are_what_the_generator_writes() -> None:
    written = sparkle_a64.files()
    assert not generated.stale(written), "run tools/sparkle_a64.py"
    assert len(written) == 12


def test_a_schedule_without_registers_is_refused() -> None:
    code, state = Code(), branches([f"w{n}" for n in range(1, 9)])
    scalar_step(code, state, [f"w{n}" for n in range(19, 27)], None)
    with pytest.raises(NoRegisters, match="too few temporaries"):
        schedule(code, [], SMALL)
    assert len(schedule(code, ["w9", "w10", "w11", "w12"], SMALL)) == len(code.ops)


def test_a_piece_of_a_loop_waits_for_the_piece_before_it() -> None:
    """Only the piece is put in order; what follows says which of its operations is urgent."""
    code = Code()
    for register in ("w1", "w2", "w3"):
        code.put("ror {d}, {0}, #1", "R", register, register)
    code.put("eor {d}, {0}, {0}", "I", "w3", "w3")  # the next piece
    first = order(code, [], SMALL, shown=3)
    assert first.lines == ["ror w3, w3, #1", "ror w1, w1, #1", "ror w2, w2, #1"]
    assert first.late == {"w1": 1, "w2": 2, "w3": 1}
    later = order(code, [], SMALL, shown=3, since={"w3": 2, "w1": 1})
    assert later.lines == ["ror w2, w2, #1", "ror w1, w1, #1", "ror w3, w3, #1"]


@pytest.mark.parametrize("cpu", CPUS)
def test_kernels(cpu: str) -> None:
    """Counts of states from 0 to 17, numbers of steps, masks, guard pages, the registers of the
    caller; see tests/a64/sparkle_main.c.
    """
    done = subprocess.run(
        program("aarch64", "a64_sparkle"),
        capture_output=True,
        text=True,
        env=environment(QEMU_CPU=cpu),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sparkle512_neon_x4" in done.stdout


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("cpu", CPUS)
def test_vectors(cpu: str, tier: str) -> None:
    if states(cpu)[tier] == 0:
        assert (cpu, tier) == ("cortex-a72", "sha3")
        return
    for name in FILES:
        wrong = failures(
            name, requests(name), program("aarch64", "vectors"), HANJI_FORCE=tier, QEMU_CPU=cpu
        )
        assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])


def states(cpu: str, **extra: str) -> dict[str, int]:
    words = run(program("aarch64", "tiers"), env=environment(QEMU_CPU=cpu, **extra)).stdout.split()[
        1:
    ]
    return {name: int(state) for name, state in (word.split("=") for word in words)}


@pytest.mark.parametrize(
    ("cpu", "forced", "expected"),
    [
        ("cortex-a72", "", (2, 2, 2, 0)),
        ("cortex-a53", "", (2, 2, 2, 0)),
        ("neoverse-n1", "", (2, 2, 2, 0)),
        ("max", "", (2, 2, 2, 2)),
        ("cortex-a72", "crypto", (2, 2, 2, 0)),
        ("neoverse-n1", "neon", (2, 2, 1, 0)),
        ("max", "portable", (2, 1, 1, 1)),
    ],
)
def test_selection(cpu: str, forced: str, expected: tuple[int, ...]) -> None:
    """By features: 2 in use, 1 left out, 0 not there."""
    assert states(cpu, HANJI_FORCE=forced) == dict(zip(TIERS, expected, strict=True))
