# SPDX-License-Identifier: Apache-2.0
"""The tiers of x86-64: each forced in turn on every vector and on swept inputs, each taken away,
and what selects them.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import catalogue
import pytest
import vectors_io
from builds import ROOT, environment, program, run
from debian import need
from test_c_selftest import Damage, damaged_library
from test_c_vectors import failures, requests

import hanji

TIERS = ("portable", "avx2", "avx512")
CANNOT = 77  # exit status of the program on a machine without the tier

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="tiers of x86-64")


def states(command: list[str], **extra: str) -> dict[str, int]:
    """State of each tier after the first look at HANJI_FORCE: 2 in use, 1 capped, 0 not here."""
    words = run(command, env=environment(**extra)).stdout.split()[1:]
    return {name: int(state) for name, state in (word.split("=") for word in words)}


def need_tier(tier: str) -> None:
    if states(program("host-gcc", "tiers"))[tier] == 0:
        pytest.skip(f"this processor or its operating system has no {tier}")


def served(tier: str) -> set[str]:
    """The algorithms that have kernels of their own in a tier."""
    return {row["algorithm"] for row in hanji.kernels() if row["tier"] == tier}


# What test_vectors runs: all that is in the catalogue, but for the spongy algorithms, whose tiers
# test_x86_sparkle.py runs.
SPONGES = set(catalogue.algorithms("aead", "hash", "xof", "permutation"))
FILES = tuple(
    name
    for name in catalogue.files()
    if not {test["variant"] for test in vectors_io.document(name)["tests"]} <= SPONGES
)
# kernels within signatures: tests/aimer runs the tiers
WITHIN = {"keccak": "aimer", "aimer": "aimer"}


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_vectors(preset: str, tier: str) -> None:
    need_tier(tier)
    for name in FILES:
        wrong = failures(name, requests(name), program(preset, "vectors"), HANJI_FORCE=tier)
        assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])


@pytest.mark.parametrize("tier", TIERS)
def test_no_algorithm_skips_a_tier(tier: str) -> None:
    """Every algorithm with kernels in a tier has vectors that run with the tier forced: here, or in
    the tests named.
    """
    from test_x86_sparkle import FILES as SPONGE_FILES

    run_here = {
        test["variant"]
        for name in (*FILES, *SPONGE_FILES)
        for test in vectors_io.document(name)["tests"]
    }
    run_here |= {
        test["mode"].lower() for name in FILES for test in vectors_io.document(name)["tests"]
    }
    left = served(tier) - run_here
    assert left <= set(WITHIN), (
        f"no vector of {', '.join(sorted(left - set(WITHIN)))} runs with the tier {tier} forced"
    )
    for part in {WITHIN[name] for name in left}:
        texts = [
            path.read_text(encoding="utf-8") for path in (ROOT / "tests" / part).glob("test_*.py")
        ]
        assert any("HANJI_FORCE=tier" in text for text in texts), (
            f"nothing in tests/{part} forces every tier"
        )


def test_control_a_family_that_skips_tiers_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new family with kernels, or one whose vectors are not run, fails the test above."""
    rows = [*hanji.kernels(), {"algorithm": "walnut-64/128", "tier": "avx2"}]
    monkeypatch.setattr(hanji, "kernels", lambda: rows)
    with pytest.raises(
        AssertionError, match="no vector of walnut-64/128 runs with the tier avx2 forced"
    ):
        test_no_algorithm_skips_a_tier("avx2")
    monkeypatch.setitem(
        globals(),
        "FILES",
        tuple(name for name in FILES if name not in ("cham", "cham_cryptopp_be", "eax", "cmac")),
    )
    with pytest.raises(AssertionError, match="no vector of cham-128/128"):
        test_no_algorithm_skips_a_tier("avx512")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang", "asan"])
def test_kernels_equal_portable(preset: str, tier: str) -> None:
    """Every tail, unaligned, in place, every carry of the counter, guard pages; see
    tests/c/kernels_main.c.
    """
    done = subprocess.run(
        program(preset, "kernels", tier), capture_output=True, text=True, env=environment()
    )
    if done.returncode == CANNOT:
        pytest.skip(f"this processor or its operating system has no {tier}")
    assert done.returncode == 0, done.stdout + done.stderr


AVX512 = (
    "-mavx512f",
    "-mavx512bw",
    "-mavx512dq",
    "-mavx512vl",
    "-mavx512vbmi",
    "-mavx512vbmi2",
    "-mgfni",
)
DAMAGES = {
    "a lost carry": Damage(
        "lanes/vector_ctr.h", r"return \(W\(word\)\)\(\(W\(signed_word\)\)n > .*;", "return n & limit & 0;", "speck-64/128", "speck/speck64_avx2.c"
    ),
    "a wrong rotation": Damage(
        "lanes/vector_words.h", r"return W\(rotl\)\(v, WORD_BITS - r\);", "return W(rotl)(v, WORD_BITS - r - 1);", "speck-64/128", "speck/speck64_avx2.c"
    ),
    "a byte too far": Damage(
        "lanes/vector_blocks.h", r"W\(store_words\)\(out \+ at, mask", "W(store_words)(out + at + 1, mask", "speck-64/128", "speck/speck64_avx2.c"
    ),
    "a bit in the wrong slice": Damage("lanes/slices.h", r"0x0f : step == 1", "0x07 : step == 1", "simon-64/128", "simon/simon64_avx2.c"),
    "a plane of another bit": Damage("simon/simon_slices.h", r"V_XOR\(y2, g\)", "V_XOR(x2, g)", "simon-128/128", "simon/simon128_avx2.c"),
    "a carry lost between groups": Damage(
        "lanes/slices.h", r"carry &= plane;", "carry &= plane & (vector)MM(set1_epi8)(j - 7);", "simon-64/128", "simon/simon64_avx2.c"
    ),
    "a key of another round": Damage(
        "lanes/slices.h", r"keys \+= 2 \* on;", "keys += i == 4 ? on : 2 * on;", "simon-64/128", "simon/simon64_avx2.c"
    ),
    "a key of another round of octets": Damage(
        "lanes/octets.h", r"\+ keys\[i\]\)", "+ keys[i == 5 ? 4 : i])", "simon-64/128", "simon/simon64_avx2.c"
    ),
    "a folded plane of another bit": Damage(
        "simon/simon_folds.h", r"Z_XOR_AND\(x7, x0, y8\)", "Z_XOR_AND(x7, x1, y8)", "simon-128/128", "simon/simon128_avx512.c"
    ),
    "a folded plane that is turned too far": Damage(
        "simon/simon_folds.h", r"turn\(x8, 31\)", "Z_TURN_64(x8, 31)", "simon-64/128", "simon/simon64_avx512.c"
    ),
    "a lost carry of folded counters": Damage(
        "lanes/folds.h", r"\[FOLDED_LOW\] = carry;", "[FOLDED_LOW] = carry & of->group.low[0];", "simon-64/128", "simon/simon64_avx512.c"
    ),
    "a key of another round of folds": Damage(
        "lanes/folds.h", r"rounds - 1 - i : i\]", "rounds - 1 - (i | 4) : i]", "simon-64/128", "simon/simon64_avx512.c"
    ),
    "a lost carry in a message": Damage("lanes/messages.h", r"of->upper\[w\] \^ .*;", "of->upper[w];", "speck-64/128", "speck/speck64_avx512.c"),
    "a byte too many of a message": Damage(
        "lanes/messages.h", r"UINT64_MAX >> \(64 - \(bytes", "UINT64_MAX >> (63 - (bytes", "speck-64/128", "speck/speck64_avx512.c"
    ),
    "a lane that does not wait": Damage(
        "sparkle/sponge_ragged.h", r"active & 0x00f0\) << 4", "active & 0x00f0)", "schwaemm256-128", "sparkle/schwaemm_avx512.c"
    ),
    "a padding in the wrong place": Damage("sparkle/sponge_ragged.h", r"set1_epi32\(0x80\)", "set1_epi32(0x40)", "esch256", "sparkle/esch_avx512.c"),
    "an end that comes too early": Damage(
        "lanes/messages.h", r"bytes > at \?", "bytes >= at + 1 + 64 * (at > 0) ?", "simon-64/128", "simon/simon64_avx512.c"
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_control_a_damaged_kernel_is_seen(damage: Damage, tmp_path: Path) -> None:
    tier = "avx512" if "avx512" in damage.compiled else "avx2"
    need_tier(tier)
    library = damaged_library(damage, tmp_path, *(AVX512 if tier == "avx512" else ["-mavx2"]))
    binary = tmp_path / "kernels"
    run(
        [
            "gcc",
            "-O1",
            "-D_GNU_SOURCE",
            "-I",
            ROOT / "src",
            "-I",
            ROOT / "include",
            ROOT / "tests/c/kernels_main.c",
            library,
            "-o",
            binary,
        ]
    )
    done = subprocess.run(
        [binary, tier, damage.algorithm], capture_output=True, text=True, env=environment()
    )
    assert done.returncode != 0 and (
        f"[{damage.algorithm}]" in done.stdout or done.returncode < 0
    ), done.stdout


@pytest.mark.parametrize("tier", TIERS[:-1])
def test_python_without_the_higher_tiers(tier: str) -> None:
    """The vectors through the Python package, with each tier above `tier` taken away."""
    need_tier(tier)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/python/test_py_vectors.py",
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=environment(HANJI_FORCE=tier)
    )
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout + done.stderr
    report = "import hanji; print(*{row['tier'] for row in hanji.kernels() if row['usable']})"
    used = run([sys.executable, "-c", report], env=environment(HANJI_FORCE=tier)).stdout.split()
    assert set(used) == set(TIERS[: TIERS.index(tier) + 1]), "the cap has not reached the package"


def test_a_cap_leaves_the_tiers_below() -> None:
    command = program("host-gcc", "tiers")
    here = {tier: state > 0 for tier, state in states(command).items()}
    for at, tier in enumerate(TIERS):
        if here[tier]:
            expected = {
                name: 0 if not here[name] else 2 if place <= at else 1
                for place, name in enumerate(TIERS)
            }
            assert states(command, HANJI_FORCE=tier) == expected


@pytest.mark.parametrize(("processor", "best"), [("Opteron_G1", 0), ("max", 1)])
def test_selection_follows_the_processor(processor: str, best: int) -> None:
    """Processors of qemu: without AVX2, and with it; none has AVX-512. The self-test of the library
    runs on all.
    """
    need("qemu-user")
    emulator = ["qemu-x86_64", "-cpu", processor]
    expected = {name: 2 if place <= best else 0 for place, name in enumerate(TIERS)}
    assert states([*emulator, *program("host-gcc", "tiers")]) == expected
    done = subprocess.run(
        [*emulator, *program("host-gcc", "vectors")],
        input="selftest all\n",
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.stdout == "-\n", done.stdout + done.stderr
