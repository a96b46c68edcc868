# SPDX-License-Identifier: Apache-2.0
"""No change makes our AArch64 assembly execute more instructions unnoticed: exact counts are held
in lab/gates/a64.json.
"""

from pathlib import Path

from debian import need

from hanji_lab import gates
from hanji_lab.checkout import find_checkout

ROOT = find_checkout(Path(__file__))
HELD = gates.held("a64")

# Instructions of one call of the big permutation of one state that the project set out to reach.
GOALS = {"a64_x1": {256: 767, 384: 1242, 512: 1789}}


def test_nothing_got_worse():
    need("qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross")
    problems = gates.problems("a64", HELD, gates.measure(ROOT, "a64"))
    assert not problems, "\n".join(
        [*problems, "if that is meant: hanji-lab gates a64 --update, and say why in the commit"]
    )


def test_a_block_of_ascon_is_as_short_as_it_can_be():
    """Behind a state of one block: 208 instructions of eight rounds, and six for text and loop."""
    for use in ("absorb", "seal", "open"):
        row = f"ascon_aead128_a64_{use}_x1 {use}-blocks"
        assert HELD[row]["qemu:aarch64"] <= 236, row


def test_goals_are_reached():
    for kernel, widths in GOALS.items():
        for bits, goal in widths.items():
            assert HELD[f"sparkle{bits}_{kernel} permute-big"]["qemu:aarch64"] <= goal, (
                f"sparkle{bits}_{kernel}"
            )


def test_a_worse_figure_is_named_with_the_old_one():
    row = "sparkle256_a64_x1 permute-big"
    old = HELD[row]["qemu:aarch64"]
    worse = HELD | {row: {"qemu:aarch64": old + 1}}
    assert gates.problems("a64", HELD, worse) == [f"{row}: qemu:aarch64 was {old}, is {old + 1}"]
    assert gates.problems(
        "a64", HELD, {name: figures for name, figures in HELD.items() if name != row}
    ) == [f"{row}: held, but there is no such kernel"]
