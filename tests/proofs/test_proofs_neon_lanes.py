# SPDX-License-Identifier: Apache-2.0
"""Engines for several messages on NEON and SHA3: proofs, spoilt kernels, mutants."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import proving
import pytest
from test_proofs_fleets import spoilt

from hanji_lab import spec
from hanji_lab.prove import mutants
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.neon_lanes import FOUR, HASH_KINDS, KINDS, Four, _run, neon_lane_tasks
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.spec.esch import RATE, Esch
from hanji_lab.spec.modes import xor
from hanji_lab.spec.schwaemm import Schwaemm

NEON, SHA3 = "ascon/generated/ascon_neon_x5.S", "ascon/generated/ascon_sha3_x5.S"
ABSORB, SEAL = (SHA3, "aead128_sha3_absorb_x5"), (NEON, "aead128_neon_seal_x5")
OPEN, HASH = (SHA3, "aead128_sha3_open_x5"), (NEON, "hash256_neon_absorb_x5")
ESCH = ("sparkle/esch_neon.c", "esch256_neon_absorb_words_x4")
SCHWAEMM = ("sparkle/schwaemm_neon.c", "schwaemm128_128_neon_absorb_words_x4")
RUN_ESCH = ("sparkle/esch_neon.c", "esch384_neon_absorb_blocks_x4")
RUN = ("sparkle/schwaemm_neon.c", "schwaemm192_192_neon_absorb_blocks_x4")


def _verdict(source: str, function: str, path: Path, room: Path, named: str = "") -> Verdict:
    """The verdict on a file in place of the kernel's own, from tasks that are named so."""
    one = proving.kernel(source, function)
    proving.need(one)
    tasks = [task for task in neon_lane_tasks(one) if task.name.startswith(named)]
    assert tasks, named
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    image = image_of(linked(proving.ROOT, path, one.isa, room), one.isa)
    return Prover(proving.ROOT, seconds=200).proved(blank, image, tasks)


@pytest.mark.parametrize(
    ("source", "function", "named", "scope"),
    [
        (*ABSORB, "", "1 and more; 0 begins like more"),
        (*RUN_ESCH, "", "0 and more"),
        (*RUN, "in place: whole chunks", "0 and more"),
        *(
            pytest.param(*row, marks=pytest.mark.slow)
            for row in (
                (*SEAL, "", "1 and more; 0 begins like more"),
                (*OPEN, "", "1 and more; 0 begins like more"),
                (*HASH, "", "1 and more; 0 begins like more"),
                (*ESCH, "a round: lanes end or begin", "one"),
                (*SCHWAEMM, "a round: no lane ends", "one"),
                (*SCHWAEMM, "a round: all lanes begin", "one"),
                (*RUN, "", "0 and more"),
            )
        ),
    ],
)
def test_engine_is_proved(
    source: str, function: str, named: str, scope: str, tmp_path: Path
) -> None:
    found = _verdict(source, function, proving.ROOT / "src" / source, tmp_path, named)
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope.values()) == {scope}


# A kernel, its task, and a change of its file.
BLOCKS = {
    "text of another lane": (ABSORB, "ldr x3, [x1, #136]", "ldr x3, [x1, #128]"),
    "a place of a lane behind the last": (HASH, "ldr x3, [x1, #160]", "ldr x3, [x1, #168]"),
    "two blocks at once": (ABSORB, "sub x0, x0, #1", "sub x0, x0, #2"),
    "wrong after many": (ABSORB, "sub x0, x0, #1", "sub x0, x0, #1\n    and x0, x0, #0xfff"),
    "fewer rounds": (ABSORB, "adr x29, .Lp_eight", "adr x29, .Lp_eight + 16"),
    "text that stays": (ABSORB, "    str x0, [sp, #144]\n", ""),
    "a word of the state": (SEAL, "eor x13, x13, x3", "eor x13, x13, x2"),
    "words of what is sealed": (SEAL, "stp x12, x13, [x1], #16", "stp x13, x12, [x1], #16"),
    "lanes of what is sealed": (SEAL, "str q20, [x1], #16", "str q21, [x1], #16"),
    "a saved register": (ABSORB, "ldp x21, x22, [sp, #32]", "ldp x22, x21, [sp, #32]"),
    "a secret branch": (ABSORB, "cbnz x0, .Labsorb", "cbnz x0, .Labsorb\n    cbnz x12, .Labsorb"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BLOCKS)
def test_spoilt_blocks_are_not_proved(name: str, tmp_path: Path) -> None:
    (source, function), old, new = BLOCKS[name]
    text = (proving.ROOT / "src" / source).read_text()
    begin = text.index(f"_{function}:")
    assert old in text[begin:], old
    path = tmp_path / Path(source).name
    path.write_text(text[:begin] + text[begin:].replace(old, new, 1))
    found = _verdict(source, function, path, tmp_path)
    assert found.verdict in ("counterexample", "refused", "open"), found.why
    assert not re.search("no rule|more than .* nodes", found.why), found.why


FOUR_LANES = "sparkle/sponge_four.h"
ROUNDS = {
    "the domain of another lane": (
        ESCH, "lanes end", "l, d, control->domain[l]", "l, d, control->domain[l ^ 1]",
    ),
    "a lane that does not begin": (
        ESCH, "lanes end or begin", "control->fresh_lane[l],\n                  branches",
        "0, branches",
    ),
    "the other lanes are big": (ESCH, "lanes end", "if (large[l] != 0)", "if (large[l] == 0)"),
    "all are big if two are": (
        ESCH, "lanes end", "(large[0] & large[1] & large[2] & large[3])", "(large[0] & large[1])",
    ),
    "what another lane opens": (
        SCHWAEMM, "no lane ends", "control->opened[l],", "control->opened[3 - l],",
    ),
    "the output of another lane": (
        SCHWAEMM, "no lane ends", "memcpy(stage + at, d, 4 * rate)",
        "memcpy(stage + (at ^ 32), d, 4 * rate)",
    ),
    "bytes behind a part": (
        SCHWAEMM, "parts of chunks", "memcpy(keep, control->keep + at",
        "memcpy(keep, control->pad + at",
    ),
    "a begin of fewer words": (
        SCHWAEMM, "all lanes begin", "memcpy(state, control->fresh, 4 * words * LANES)",
        "memcpy(state, control->fresh, 4 * words * LANES - 4)",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_spoilt_rounds_are_not_proved(name: str, tmp_path: Path) -> None:
    (source, function), kind, old, new = ROUNDS[name]
    path = spoilt(source, FOUR_LANES, old, new, tmp_path)
    found = _verdict(source, function, path, tmp_path, f"a round: {kind}")
    assert found.verdict == "counterexample", (found.verdict, found.why)


RUNS = {  # changes of the header
    "a step of another lane": (
        RUN_ESCH, "run->in_step[l];\n    }\n}\n\n#endif",
        "run->in_step[l ^ 1];\n    }\n}\n\n#endif",
    ),
    "addresses behind the last round": (RUN, "run->out[l] += run->out_step[l];", ""),
    "the chunk of another lane": (
        RUN_ESCH, "memcpy(d, run->in[l], sizeof d)", "memcpy(d, run->in[l ^ 1], sizeof d)",
    ),
    "the output of another lane": (RUN, "memcpy(run->out[l], d", "memcpy(run->out[l ^ 1], d"),
    "what no lane opens": (RUN, "run->opened[l], 0, 0", "0, 0, 0"),
}  # fmt: skip
QUICK = {"addresses behind the last round"}


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in RUNS],
)
def test_spoilt_runs_are_not_proved(name: str, tmp_path: Path) -> None:
    """Also the addresses that they leave behind."""
    (source, function), old, new = RUNS[name]
    path = spoilt(source, FOUR_LANES, old, new, tmp_path)
    found = _verdict(
        source, function, path, tmp_path, "input alone" if function == RUN_ESCH[1] else "separate"
    )
    assert found.verdict in ("counterexample", "refused", "open"), found.why
    assert not re.search("no rule|more than .* nodes", found.why), found.why
    print(name, found.verdict, found.why)


@pytest.mark.parametrize("name", ["schwaemm192-192", "esch384"])
def test_runs_are_those_of_the_specification(name: str) -> None:
    """What is wanted of three rounds, for random inputs; of an opened lane what comes out of it is
    absorbed.
    """
    found, rounds = spec.algorithm(name), 3
    assert isinstance(found, Schwaemm | Esch)
    g = proving.Known(rounds)
    wanted = proving.wanted_of(next(_run(g, found, False)), rounds)
    rate, size = getattr(found, "rate", RATE), found.permutation.state_size
    lanes = Four(FOUR, size // 4, FOUR)
    states = wanted["state"]
    for lane in range(FOUR):
        state, opened = g.given(f"state {lane}", size), g.given(f"opened {lane}", 1)[0] & 1
        for i in range(rounds):
            data = g.given(f"unit {i} {lane}", rate)
            if isinstance(found, Schwaemm):
                out = xor(data, state[:rate])
                assert wanted[f"out unit {i} of lane {lane}"] == out
                data = out if opened else data
            state = found.absorb_blocks(state, data)
        places = (lanes.word(i // 4, lane) + i % 4 for i in range(size))
        assert bytes(states[at] for at in places) == state


def test_rounds_are_of_every_kind() -> None:
    """Of each choice of flags that the engines bring, and all choices of lanes that are big."""
    for (source, function), kinds in ((ESCH, HASH_KINDS), (SCHWAEMM, tuple(KINDS))):
        tasks = list(neon_lane_tasks(proving.kernel(source, function)))
        assert [task.name for task in tasks] == [f"a round: {kind}" for kind in kinds]


MUTANTS: list[tuple[str, str, int]] = []  # the slow set alone has some
MORE_MUTANTS = [(*ABSORB, 24), (*SEAL, 16)]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    one = proving.kernel(source, function)
    proving.need(one)
    seen: Counter[str] = Counter()
    for mutant in mutants.mutants(Prover(proving.ROOT), one, count):
        seen[mutant.verdict.verdict] += 1
        said = f"{mutant.at:#x} bit {mutant.bit}: {mutant.before} became {mutant.after}"
        assert mutant.verdict.verdict != "proved" or mutant.reason, f"{said} is accepted"
    print(function, dict(seen))
    assert sum(seen.values()) == count
    assert seen["proved"] <= count // 4
