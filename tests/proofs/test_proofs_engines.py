# SPDX-License-Identifier: Apache-2.0
"""Engines of sponges: proofs, spoilt kernels, and the rules for counts that they rest on."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import debian
import proving
import pytest

from hanji_lab.kernels import Kernel
from hanji_lab.prove import mutants
from hanji_lab.prove.contracts import EACH
from hanji_lab.prove.engines import EngineTask
from hanji_lab.prove.graph import STRANGE, Blind, Graph
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.sponges import ROUND, UNIFORM, engine_tasks, lengths_of
from hanji_lab.prove.values import Lin, made, parted_low
from hanji_lab.prove.words import and_, or_, ripple, xor
from hanji_lab.prove.x86 import Quotient

ASCON = "ascon/ascon_avx2_x1.c"
SCHWAEMM = ("sparkle/schwaemm_avx2.c", "schwaemm128_128_avx2_absorb_words_x8")
WIDE = ("sparkle/schwaemm_avx512.c", "schwaemm128_128_avx512_absorb_words_x16")
HASH = ("sparkle/esch_avx512.c", "esch256_avx512_absorb_words_x16")
ASSEMBLY = [
    ("ascon/ascon_a64_x1.S", "aead128_a64_open_x1", "1 and more; 0 begins like more"),
    ("ascon/ascon_rv32i_x1.S", "hash256_rv32i_absorb_x1", "1 and more; 0 begins like more"),
    ("ascon/ascon_rv32i_x1.S", "aead128_rv32i_start_x1", "one"),
    ("ascon/ascon_rv32i_x1.S", "aead128_rv32i_finish_x1", "one"),
]


def _tasks(one: Kernel, name: str = "") -> list[EngineTask]:
    found = [task for task in engine_tasks(one) if name in task.name]
    assert found
    return found


def _of(one: Kernel, tasks: list[EngineTask], compiler: str = "gcc") -> Verdict:
    """The verdict on some of a kernel's tasks."""
    if one.isa.startswith("avx"):
        debian.need(compiler)
    prover = Prover(proving.ROOT, seconds=proving.SECONDS, compiler=compiler)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return prover.proved(blank, prover.image(one), tasks)


@pytest.mark.parametrize(("source", "function", "units"), ASSEMBLY)
def test_functions_in_assembly_are_proved(source: str, function: str, units: str) -> None:
    found = proving.verdict(proving.kernel(source, function))
    assert found.verdict == "proved", found.why
    assert set(found.scope.values()) == {units}


def test_blocks_in_c_are_proved() -> None:
    found = _of(one := proving.kernel(ASCON, "seal_blocks_x1"), _tasks(one))
    assert found.verdict == "proved", found.why
    assert found.scope == {"separate": "0 and more", "in place": "0 and more"}


SPOILT = {
    "open for seal": ("ascon_seal(state, out, in, blocks);", "ascon_open(state, out, in, blocks);"),
    "a block less": ("ascon_seal(state, out, in, blocks);", "ascon_seal(state, out, in, blocks - 1);"),
    "wrong after many": (
        "ascon_seal(state, out, in, blocks);",
        "ascon_seal(state, out, in, blocks); if (blocks > 1000) state[0] ^= 1;",
    ),
    "a block behind": (
        "ascon_seal(state, out, in, blocks);",
        "ascon_seal(state, out, in, blocks); out[16 * blocks] = 0;",
    ),
    "a state that is left": (
        "ascon_seal(state, out, in, blocks);",
        "uint64_t s[5]; ascon_load(s, state); ascon_seal(s, out, in, blocks);",
    ),
    "a text that decides": (
        "ascon_seal(state, out, in, blocks);",
        "if (blocks > 0 && in[0] == 7) return; ascon_seal(state, out, in, blocks);",
    ),
    "an old state": (
        "ascon_seal(state, out, in, blocks);",
        "ascon_seal(state, out, in, blocks); if (blocks > 3) out[0] ^= 1;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
def test_spoilt_blocks_are_not_proved(name: str, tmp_path: Path) -> None:
    """Also those that are right for few blocks, and wrong for many."""
    one = proving.spoilt(proving.kernel(ASCON, "seal_blocks_x1"), tmp_path, SPOILT[name])
    found = _of(one, _tasks(one, "separate"))
    few = name in ("wrong after many", "an old state")
    assert found.verdict in (("open",) if few else ("refused", "counterexample")), found.why


def test_a_lane_that_hangs_on_another_has_a_counterexample(tmp_path: Path) -> None:
    change = (
        "HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64);                    \\",
        "HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64); state[5] ^= state[6];  \\",
    )
    one = proving.spoilt(proving.kernel(*SCHWAEMM), tmp_path, change)
    found = _of(one, _tasks(one, f"{ROUND}{EACH}5"))
    assert found.verdict == "counterexample", found.why


def test_a_lane_of_a_round_is_proved() -> None:
    found = _of(one := proving.kernel(*SCHWAEMM), _tasks(one, f"{ROUND}{EACH}2"))
    assert found.verdict == "proved", found.why


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("row", [WIDE, HASH])
@pytest.mark.parametrize("lane", [0, 5, 15])
def test_lanes_of_sixteen_messages_are_proved(
    row: tuple[str, str], lane: int, compiler: str
) -> None:
    one = proving.kernel(*row)
    at = f"{EACH}{lane}"
    tasks = [task for task in _tasks(one, UNIFORM) if task.name.endswith(at)]
    found = _of(one, tasks, compiler)
    assert found.verdict == "proved", found.why
    assert set(found.scope.values()) == {"0 and more"}


def _attacked(source: str, function: str, count: int) -> None:
    debian.need("gcc")
    one = proving.kernel(source, function)
    seen: Counter[str] = Counter()
    named = (TASKS[function],)
    for mutant in mutants.x86_mutants(Prover(proving.ROOT), one, count, named=named):
        seen[mutant.verdict.verdict] += 1
        assert mutant.verdict.verdict != "proved", f"{mutant.before} became {mutant.after}"
    assert seen["counterexample"] + seen["refused"] > count // 2


# The tasks of kernels that mutants are put to.
TASKS = {
    "seal_blocks_x1": "separate",
    "open_blocks_x1": "in place",
    "hash256_avx2_absorb_blocks_x1": "",
    SCHWAEMM[1]: f"{ROUND}{EACH}5",
    WIDE[1]: f"{UNIFORM}: seal{EACH}9",
}
MUTANTS = [(ASCON, "seal_blocks_x1", 6)]
MORE_MUTANTS = [
    (ASCON, "seal_blocks_x1", 60),
    (ASCON, "open_blocks_x1", 40),
    (ASCON, "hash256_avx2_absorb_blocks_x1", 40),
    (*SCHWAEMM, 30),
    (*WIDE, 20),
]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    _attacked(source, function, count)


def test_each_length_of_a_last_chunk_has_a_lane() -> None:
    for rate in (16, 24, 32):
        lengths = {length for lane in range(16) for length in lengths_of(lane, rate)}
        assert lengths == set(range(1, rate + 1))


def test_parts_of_counts_are_those_of_numbers() -> None:
    source = random.Random(1)
    known = bounded = 0
    for _ in range(6000):
        f, h, k = (1 << source.randrange(8) for _ in range(3))
        most = source.randrange(40)
        bounds = {"n": (0, 1 << 40), "m": (0, 1 << 40), "r": (0, most)}
        x = Lin(source.randrange(-9, 300), {"n": f, "m": h, "r": k * source.choice((1, 1, -1))})
        low = source.randrange(1, 8)
        name = source.choice(("INT_AND", "INT_RIGHT"))
        mask = (1 << low) - 1
        y = low if name == "INT_RIGHT" else source.choice((mask, (1 << 64) - 1 - mask, 5, 0))
        found = parted_low(x, y, name, 64, bounds)
        if found is None:
            continue
        known += 1
        values = {s: source.randrange(ends[1] + 1) for s, ends in bounds.items()}
        bounded += isinstance(found, Lin) and "r" in found.factors
        number = (x.c + sum(factor * values[s] for s, factor in x.t)) % (1 << 64)
        wanted = number >> y if name == "INT_RIGHT" else number & y
        held = found if isinstance(found, int) else found.c + sum(k * values[s] for s, k in found.t)
        assert held % (1 << 64) == wanted
    assert known > 100
    assert bounded > 100


@pytest.mark.parametrize("d", [3, 5, 6, 7, 24, 48])
def test_quotients_of_counts_are_those_of_numbers(d: int) -> None:
    held_by = SimpleNamespace(pc=0, bounds={"n": (0, 1 << 50)})
    source = random.Random(d)
    for n in range(6):
        factor = -(-(1 << (64 + n)) // d)
        if factor >> 64:
            break
        found = []
        for spoilt in (0, 1 << n):
            try:
                found.append(Quotient(Lin(5, {"n": d}), factor + spoilt).shifted(held_by, n))
            except OpenError:
                found.append(None)
        held, wrong = found
        assert wrong is None or wrong == held
        if held is None:
            continue
        for _ in range(100):
            number = source.randrange(1 << 50)
            x = 5 + d * number
            assert x * factor >> (64 + n) == x // d
            assert isinstance(held, Lin)
            assert held == made(5 // d, {"n": 1}, 64)


def test_words_that_are_unknown_stay_so() -> None:
    g = Blind()
    a, b = g.unknowns(8), tuple(g.word("b", 8))
    for word in (xor(g, a, b), and_(g, a, b), or_(g, a, b), ripple(g, a, b), ripple(g, a, a)):
        assert all(x >= STRANGE for x in word)
        assert len(set(word)) == 8
    assert xor(g, a, a) == (0,) * 8
    assert and_(g, a, (0,) * 4 + (1,) * 4) == (0,) * 4 + a[4:]
    assert not isinstance(Graph(), Blind)
