# SPDX-License-Identifier: Apache-2.0
"""Ascon's engines for messages in lockstep: proofs of lanes, and spoilt kernels."""

from __future__ import annotations

import re
from pathlib import Path

import debian
import proving
import pytest

from hanji_lab.kernels import Kernel
from hanji_lab.prove.ascon_lanes import LOCKSTEP, VECTOR, ascon_lane_tasks
from hanji_lab.prove.contracts import EACH
from hanji_lab.prove.engines import EngineTask
from hanji_lab.prove.report import Prover, Verdict

EIGHT, SIXTEEN = "ascon/ascon_avx2_x8.c", "ascon/ascon_avx512_x16.c"
SEAL = (EIGHT, "ascon_aead128_avx2_seal_blocks_x8", "seal", 1)
ABSORB = (EIGHT, "ascon_aead128_avx2_absorb_blocks_x8")
SLOW = [
    (*ABSORB, "absorb", 6),
    (*ABSORB, "begin and end", 7),
    (EIGHT, "ascon_aead128_avx2_open_blocks_x8", "open in place", 4),
    (EIGHT, "ascon_hash256_avx2_absorb_blocks_x8", "absorb", 3),
    (EIGHT, "ascon_p_avx2_permute_big_x8", "p[12]", 5),
    (SIXTEEN, "ascon_aead128_avx512_seal_blocks_x16", "seal in place", 13),
]
HEADER = "ascon/ascon_vector.h"


def _task(one: Kernel, part: str, lane: int) -> EngineTask:
    name = f"{LOCKSTEP}: {part}{EACH}{lane}"
    return next(task for task in ascon_lane_tasks(one) if task.name == name)


def _proved(one: Kernel, part: str, lane: int) -> Verdict:
    debian.need("gcc")
    prover = Prover(proving.ROOT, seconds=proving.SECONDS)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    return prover.proved(blank, prover.image(one), [_task(one, part, lane)])


@pytest.mark.parametrize(
    ("source", "function", "part", "lane"),
    [SEAL, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)],
)
def test_a_lane_is_proved(source: str, function: str, part: str, lane: int) -> None:
    found = _proved(proving.kernel(source, function), part, lane)
    assert found.verdict == "proved", found.why
    assert list(found.scope.values()) in (["0 and more"], ["one"])


# A change of the header and a lane that shows it, and what must be said of it.
SPOILT = {
    "lanes change places": (
        SEAL,
        ("source(r->in, g * LANES + l) + at)", "source(r->in, g * LANES + (l ^ 1)) + at)"),
    ),
    "text of another lane": (
        SEAL,
        ("si256(load16(source(in, odd) + at))", "si256(load16(source(in, odd ^ 1) + at))"),
    ),
    "all lanes take part": (SEAL, ("((old ^ x[g][w]) & mask)", "(old ^ x[g][w])")),
    "rows that stay": (SEAL, ("at += VECTOR_BYTES", "at += VECTOR_BYTES / 2")),
    "rounds behind a row": (SEAL, ("for (size_t b = 0; b < ROW_BLOCKS; b++)",
                                   "for (size_t b = 1; b < ROW_BLOCKS; b++)")),
    "what is sealed": (SEAL, ("use == OPEN ? d[w] : made", "use != OPEN ? d[w] : made")),
    "wrong after many": (SEAL, ("if (use == ABSORB)\n", "if (use == ABSORB || at == 8192)\n")),
    "the key of the end": (
        (*ABSORB, "begin and end", 2),
        ("x[g][3] ^ load(word_of(state, 5, g))", "x[g][3] ^ load(word_of(state, 6, g))"),
    ),
}  # fmt: skip
QUICK = {"the key of the end"}


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_lanes_are_not_proved(name: str, tmp_path: Path) -> None:
    (source, function, part, lane), change = SPOILT[name]
    text = (proving.ROOT / "src" / HEADER).read_text()
    assert change[0] in text, f"the header has no {change[0]!r}"
    include = f'#include "{HEADER}"\n'
    one = proving.kernel(source, function)
    found = _proved(proving.spoilt(one, tmp_path, (include, text.replace(*change, 1))), part, lane)
    assert found.verdict in ("counterexample", "refused", "open")
    assert not re.search("no rule|more than .* nodes", found.why), found.why


def test_lanes_have_each_number_of_blocks() -> None:
    for source, function in ((EIGHT, ABSORB[1]), (SIXTEEN, "aead128_avx512_seal_blocks_x16")):
        one = proving.kernel(source, function)
        lanes = {int(task.name.rpartition(EACH)[2]) for task in ascon_lane_tasks(one)}
        assert lanes == set(range(one.blocks))
        assert {lane % (VECTOR[one.isa] // 16) for lane in lanes} == set(
            range(VECTOR[one.isa] // 16)
        )
