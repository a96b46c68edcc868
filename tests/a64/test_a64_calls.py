# SPDX-License-Identifier: Apache-2.0
"""Whole calls of the library are counted with each tier, and the lanes pay."""

from pathlib import Path

import pytest
from debian import need

from hanji_lab import calls, papers, trace
from hanji_lab.checkout import LabError, find_checkout

ROOT = find_checkout(Path(__file__))


@pytest.fixture(autouse=True)
def tools():
    need("qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "cmake", "llvm-19")


def figures(pattern, tiers):
    made = calls.measure(ROOT, calls.chosen(pattern), "a test", tiers)
    return {
        (result.kernel, result.operation, result.bytes, result.machine): result for result in made
    }


def test_lanes_and_assembly_execute_fewer_instructions():
    found = figures("schwaemm256-128 *64", ("portable", "neon"))
    one, many = ("encrypt", 64), ("fleet", 64 * 64)
    count = {key: result.instructions for key, result in found.items() if key[3] == "qemu:aarch64"}
    assert (
        count["schwaemm256-128 neon", *one, "qemu:aarch64"]
        < count["schwaemm256-128 portable", *one, "qemu:aarch64"]
    )
    assert (
        count["schwaemm256-128 neon", *many, "qemu:aarch64"]
        < 0.6 * count["schwaemm256-128 portable", *many, "qemu:aarch64"]
    )
    cycles = {key: result.cycles_per_byte for key, result in found.items() if key[3] == "model:a72"}
    assert (
        cycles["schwaemm256-128 neon", *many, "model:a72"]
        < 0.7 * cycles["schwaemm256-128 neon", *one, "model:a72"]
    )


def test_a_round_of_whole_chunks_executes_what_is_held():
    """No single call of the laboratory reaches this kernel: its count is that of 16 rounds more, of
    four messages.
    """
    counted = []
    for size in (512, 1024):
        call = calls.schwaemm_fleet(size, 4)
        counted.append(
            trace.count_call(
                ROOT,
                call.name,
                call.declarations,
                call.call,
                prepare=call.prepare,
                tier="neon",
                flags=calls.FLAGS,
            ).instructions
        )
    assert counted[1] - counted[0] <= 16 * 1646, counted


# Instructions of a block of 16 bytes of five messages; the goal for one message is 215.
ASCON_BLOCKS = {"neon": 1059, "sha3": 915}


@pytest.mark.parametrize("tier", ASCON_BLOCKS)
def test_a_block_of_ascon_in_lanes_executes_what_is_held(tier):
    """No single call of the laboratory reaches these kernels: a count is that of 32 blocks more, of
    five messages.
    """
    counted = []
    for size in (512, 1024):
        call = calls.ascon_fleet(size, 5)
        counted.append(
            trace.count_call(
                ROOT,
                call.name,
                call.declarations,
                call.call,
                prepare=call.prepare,
                tier=tier,
                flags=calls.FLAGS,
            ).instructions
        )
    assert counted[1] - counted[0] <= 32 * ASCON_BLOCKS[tier], counted


def test_ctr_takes_lanes_where_they_pay():
    """A message that would have a vector for itself goes alone: the fifth costs no more than those
    before it, and 16 cost less than four times four.
    """

    def fleet(messages, size):
        call = calls.ascon_fleet(size, messages)
        return trace.count_call(
            ROOT,
            f"{messages} messages of {size} bytes",
            call.declarations,
            "hanji_ctr_fleet(&fleet, hanji_speck64_128())",
            prepare="(prepare(), fleet.nonce_bytes = 8, fleet.tags = NULL, fleet.tag_bytes = 0)",
            tier="neon",
            flags=calls.FLAGS,
        ).instructions

    for size, gain in ((64, 0.85), (192, 0.8)):
        four = fleet(4, size)
        assert fleet(5, size) <= 1.25 * four, size
        assert fleet(16, size) <= 4 * gain * four, size


def test_speck_in_vectors_takes_a_third_of_the_instructions():
    """The goal: at most 0.35 of the instructions per byte of our C, as gcc makes it without vectors
    of its own; and no more than there were.
    """
    size = 16384
    (call,) = calls.chosen(f"speck-64/128 ctr {size}")
    scalar = f"{calls.FLAGS} -fno-tree-vectorize -fno-tree-slp-vectorize"
    counted = {
        tier: trace.count_call(
            ROOT,
            call.name,
            call.declarations,
            call.call,
            prepare=call.prepare,
            tier=tier,
            flags=flags,
        ).instructions
        for tier, flags in (("portable", scalar), ("neon", calls.FLAGS))
    }
    assert counted["neon"] <= 0.35 * counted["portable"], counted
    assert counted["neon"] <= 6.05 * size, f"{counted['neon'] / size:.2f} a byte: it was 6.03"


# Thousand instructions of aimer3-128f with SHA3; the goals are 3,200 and 2,900.
AIMER = {"sign": 2_730, "verify": 2_345}


def test_aimer_executes_what_is_held():
    said = " ".join((ROOT / "docs/signatures-reference.md").read_text(encoding="utf-8").split())
    counted = {
        operation: trace.count_call(
            ROOT,
            f"{operation} of aimer3-128f",
            papers.comparison("aimer-armv8", ROOT).DECLARATIONS,
            operation.upper(),
            prepare='set = hanji_aimer_by_name("aimer3-128f"); if (KEYGEN != 0 || SIGN != 0) return 9',
            head="#include <hanji/sign.h>\n",
            cpu="max",
            tier="sha3",
            flags=papers.comparison("aimer-armv8", ROOT).FLAGS,
        ).instructions
        for operation in AIMER
    }
    for operation, thousands in AIMER.items():
        assert counted[operation] <= 1000 * thousands, counted
    millions = [f"{count / 1e6:.1f}" for count in counted.values()]
    assert f"{millions[0]} million instructions to sign and {millions[1]} million to verify" in said


def test_unknown_calls_and_tiers_are_named():
    with pytest.raises(
        LabError, match="no call matches 'rot13'; there are schwaemm256-128 encrypt 16"
    ):
        calls.chosen("rot13")
    with pytest.raises(LabError, match="tier 'avx2' given, one of portable, neon"):
        figures("esch256 hash 64", ("avx2",))
