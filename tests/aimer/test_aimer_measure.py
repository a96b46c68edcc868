# SPDX-License-Identifier: Apache-2.0
"""What is measured of AIMer: kinds of work, the recorded cycles, and their place beside the paper."""

from __future__ import annotations

import platform
import shutil

import pytest
from builds import ROOT
from debian import need

from hanji_lab import papers, results
from hanji_lab.kernels import own_tiers
from hanji_lab.measure import Harness, aimer
from hanji_lab.measure.parts import Bench
from hanji_lab.spec.aimer import VARIANTS

pytestmark = pytest.mark.quick

RECORDED = results.read(ROOT / "results/aimer-x86_64-gcc.json")


def test_kinds_of_work() -> None:
    functions = {
        "hanji_keccak_avx2_x4": "Keccak",
        "hanji_aimer_avx512_products": "field",
        "apply_two_of_2": "linear",
        "transpose64": "linear",
        "hanji_lanes_add": "rest",
    }
    assert {name: aimer.kind_of_work(name) for name in functions} == functions


def test_every_set_and_tier_is_recorded() -> None:
    found = {(e["kernel"], e["operation"]) for e in RECORDED}
    for name in VARIANTS:
        for tier in ("portable", "avx2", "avx512"):
            for operation in aimer.KEY_EXPANDED_ANEW:
                assert (f"{name} {tier}", operation) in found, f"{name} {tier} {operation}"
    for e in RECORDED:
        if "shares" in e:
            assert sum(e["shares"].values()) == pytest.approx(1, abs=0.01), e["kernel"]
            assert e["shares"]["Keccak"] > 0.3, e["kernel"]


def test_a_better_tier_is_faster() -> None:
    cycles = {(e["kernel"], e["operation"]): e["cycles"] for e in RECORDED}
    for name in VARIANTS:
        for operation in aimer.KEY_EXPANDED_ANEW:
            assert (
                cycles[f"{name} avx512", operation]
                < cycles[f"{name} avx2", operation]
                < cycles[f"{name} portable", operation]
            )


def test_cycles_stand_beside_the_paper() -> None:
    with_cycles = papers.stored("aimer-armv8", ROOT)
    machine = RECORDED[0]["machine"]
    (table,) = [
        t for t in with_cycles.tables if t.title.startswith(f"{machine}: thousand core cycles")
    ]
    assert len(table.rows) == 6 * 3
    counted = [e for e in papers.own("aimer-armv8", ROOT) if e["kind"] != "host"]
    assert not [
        t for t in papers.compare("aimer-armv8", ROOT, counted).tables if "core cycles" in t.title
    ], "a control: without cycles no table of them"


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64") or not shutil.which("gcc"),
    reason="cycles are measured on x86-64 and AArch64",
)
def test_the_harness_measures_and_samples() -> None:
    need("cmake", "gcc")
    harness = Harness(ROOT)
    assert harness.measure_aimer("aimer2-128f", "keypair", 0.001) > 1000
    shares = aimer.shares(harness, "aimer2-128f", "sign")
    assert shares["Keccak"] > 0.3 and sum(shares.values()) == pytest.approx(1, abs=0.01)
    with pytest.raises(Exception, match="cannot measure nothing of aimer2-128f"):
        harness.measure_aimer("aimer2-128f", "nothing", 0.001)
    with pytest.raises(Exception, match="cannot measure keccak_x3"):
        harness.measure_keccak("keccak_x3")
    kernels = {"avx2": "keccak_avx2_x4", "avx512": "keccak_avx512_x8"}
    if best := kernels.get(own_tiers(ROOT)[-1]):
        harness.force("portable")
        with pytest.raises(Exception, match=f"cannot measure {best}"):
            harness.measure_keccak(best)
        assert Harness(ROOT).measure_keccak(best, 3) > 0, (
            "the next one begins with the best kernels"
        )
        bench = Bench(ROOT)
        bench.harness.force("portable")
        assert bench.harness.measure_keccak(best, 3) > 0, "and so does the next part"
