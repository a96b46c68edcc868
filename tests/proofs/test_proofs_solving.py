# SPDX-License-Identifier: Apache-2.0
"""Kernels that solve systems of linear equations: they are proved, wrong ones are not, and the
steps that the proofs are about solve every system as the specification does.
"""

from __future__ import annotations

import random
import shutil
from functools import reduce
from operator import xor
from pathlib import Path

import proving
import pytest

from hanji_lab.prove import mutants, native
from hanji_lab.prove.boxes import Tabled
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.core import constant
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.solving import SOLVED, SolveCall, SolveTask, isomorphic, solve_tasks, steps_of
from hanji_lab.prove.words import number_bits
from hanji_lab.prove.x86 import X86Image
from hanji_lab.spec.field import FIELDS

GF2, GF512 = "rainbow/gf_avx2.c", "rainbow/gf_avx512.c"
SSSE3, NEON = "rainbow/gf_ssse3.c", "rainbow/gf_neon.c"
FILES = {"ssse3": SSSE3, "avx2": GF2, "avx512": GF512, "neon": NEON}
PSHUFB = "rainbow/matrix_pshufb.h"
SMALL = 5


def chosen(isa: str, field: str, sizes: tuple[int, ...]) -> list[SolveTask]:
    """Some tasks of a kernel."""
    one = proving.kernel(FILES[isa], f"{field}_{isa}_solve")
    if isa == "neon":
        proving.need(one)
    elif not (shutil.which("gcc-12") or shutil.which("gcc")):
        pytest.skip("gcc is not installed")
    tasks = [task for task in solve_tasks(one) if task.size in sizes]
    assert len(tasks) == len(sizes)
    return tasks


def verdict(
    tasks: list[SolveTask], source: Path, directory: Path, compiler: str = "gcc"
) -> Verdict:
    """The verdict on a file."""
    one = tasks[0].kernel
    program = linked(proving.ROOT, source, one.isa, directory, compiler)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return Prover(proving.ROOT, seconds=150).proved(blank, image_of(program, one.isa), tasks)


EACH = [(isa, field) for isa in FILES for field in FIELDS]
CASES = [
    ("ssse3", "gf16", "gcc", (2, SMALL)),
    ("avx2", "gf256", "gcc", (2, SMALL)),
    ("avx512", "gf256", "gcc", (2, SMALL)),
    ("neon", "gf16", "gcc", (2, SMALL)),
    ("avx2", "gf16", "clang", (2, SMALL)),
]
MORE_CASES = [
    (isa, field, compiler, SOLVED[field])
    for isa, field in EACH
    for compiler in ("gcc", "clang")
    if isa != "neon" or compiler == "gcc"
]


@pytest.mark.parametrize(
    ("isa", "field", "compiler", "sizes"),
    [*CASES, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_CASES)],
)
def test_systems_are_proved(
    isa: str, field: str, compiler: str, sizes: tuple[int, ...], tmp_path: Path
) -> None:
    tasks = chosen(isa, field, sizes)
    if compiler == "clang" and not (shutil.which("clang-14") or shutil.which("clang")):
        pytest.skip("clang is not installed")
    found = verdict(tasks, proving.ROOT / tasks[0].kernel.source, tmp_path, compiler)
    assert (found.verdict, found.why) == ("proved", "")
    assert list(found.scope) == [task.name for task in tasks]
    assert found.joins["solver"] == 0


# Kernel, header or "" for its file, a change, and the verdict; "not" is any but proved.
SPOILT: dict[str, tuple[str, str, str, str, str, str]] = {
    "two rows help": (
        "avx2", "gf16", PSHUFB, "below & ((uint64_t)0 - below) & needed", "below & needed", "counter",
    ),
    "the last row never helps": (
        "avx2", "gf256", PSHUFB, "below = filled & ~(own | (own - 1))",
        "below = filled & ~(own | (own - 1)) & ~((uint64_t)1 << 4)", "not",
    ),
    "regular if any row is filled": (
        "avx2", "gf16", PSHUFB, "(filled >> k & 1) |", "(filled != 0) |", "not",
    ),
    "inverse": ("avx2", "gf16", PSHUFB, "set1)(15), logarithm", "set1)(14), logarithm", "counter"),
    "row of the pivot": (
        "avx2", "gf16", PSHUFB, "V(and)(pivot.own[i], V8(set1)(1))",
        "V(and)(pivot.own[i], V8(set1)(3))", "counter",
    ),
    "no right side": ("ssse3", "gf16", PSHUFB, "c = k + 1; c <= size", "c = k + 1; c < size", "c"),
    "branch on the pivot": (
        "avx2", "gf16", PSHUFB, "regular &= pivot.regular;",
        "regular &= pivot.regular; if (pivots[k] == 0) continue;", "refused",
    ),
    "address by the pivot": (
        "avx2", "gf256", PSHUFB, "gf256_invert(value)", "gf256_invert(pivots[value & 1])", "refused",
    ),
    "behind the system": (
        "avx2", "gf16", PSHUFB, "uint8_t *column = system + (k + 1) * stride;",
        "uint8_t *column = system + (k + 1) * stride; system[66 * 64 + k] = 0;", "refused",
    ),
    "the pivot's row keeps itself": (
        "avx512", "gf256", "", "_mm512_maskz_mov_epi8(here, inverse)", "zero", "counter",
    ),
    "a row is used twice": (
        "avx512", "gf16", "", "unused = _mm512_mask_mov_epi8(unused, here, zero);", "", "counter",
    ),
    "order of the solution": (
        "avx512", "gf256", "", "order, (uint64_t)1 << k, row", "order, (uint64_t)1 << (k ^ 1), row",
        "counter",
    ),
    "a bit of the isomorphism": (
        "avx512", "gf256", "", "0xe5301ebe463224b2", "0xe5301ebe463224b3", "counter",
    ),
    "row 0 where none helps": (
        "neon", "gf256", "", "(helper | ~helped)", "(helper)", "counter",
    ),
    "regular without help": (
        "neon", "gf16", "", "regular &= ~zero_mask(pivot);", "regular &= ~zero_mask(pivots[k]);",
        "not",
    ),
    "the last but one helps for the last": (
        "neon", "gf16", "", "helper |= j & take;", "helper |= (j == 4 ? 3 : j) & take;", "not",
    ),
}  # fmt: skip


SPOILT_IN_CI = (
    *("regular if any row is filled", "address by the pivot", "no right side"),
    *("a row is used twice", "row 0 where none helps"),
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SPOILT_IN_CI else pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_systems_are_not_proved(name: str, tmp_path: Path) -> None:
    isa, field, header, old, new, wanted = SPOILT[name]
    tasks = chosen(isa, field, (SMALL,))
    source = proving.ROOT / tasks[0].kernel.source
    path = proving.changed_copy(source, header, old, new, tmp_path)
    found = verdict(tasks, path, tmp_path)
    assert found.verdict != "proved"
    if wanted != "not":
        assert found.verdict.startswith(wanted), found.why
    if found.verdict == "counterexample":
        assert found.case is not None
        assert found.case["wanted"] != found.case["found"]


def _system(source: random.Random, field: str, size: int) -> list[bytes]:
    """Columns and a right side; zeros are frequent, and sometimes the columns are not free."""
    spec = FIELDS[field]
    zeros = source.choice((0.0, 0.3, 0.6, 0.85))
    rows = [
        [source.randrange(1 << spec.bits) * (source.random() >= zeros) for _ in range(size + 1)]
        for _ in range(size)
    ]
    if source.random() < 0.3 and size > 1:
        rows[-1][:-1] = [spec.multiply(3, x) for x in rows[0][:-1]]
    if source.random() < 0.3:
        source.shuffle(rows)
    return [bytes(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    ("isa", "field"),
    [
        pytest.param(*row, marks=pytest.mark.slow if row == ("avx512", "gf16") else ())
        for row in EACH
    ],
)
def test_steps_solve_systems(isa: str, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved of a kernel is that it does these steps: here they run on numbers."""
    source, spec = random.Random(field + isa), FIELDS[field]
    answers = []
    for size in [*(1 + i % 6 for i in range(30)), 20 if isa == "avx512" else 33]:
        system = _system(source, field, size)
        g, steps = Tabled(), steps_of(isa, spec, size)
        placed = [[_placed(isa, field, x) for x in column] for column in system]
        width = steps.bits if field == "gf16" else 8
        numbers = [[number_bits(x, width) for x in column] for column in placed]
        monkeypatch.setattr(steps, "column", lambda g, c, k, bits=0, held=numbers: held[c])
        _, state = steps.begun(g)
        for k in range(size):
            state = steps.step(g, state, k)
        right, answer = steps.solution(g, state)
        wanted = spec.solve(system[:-1], system[-1])
        assert answer == (wanted is not None)
        answers.append(answer)
        if wanted is not None:
            assert bytes(constant(x) or 0 for x in right[:size]) == wanted
    assert min(answers.count(0), answers.count(1)) > 4


def _placed(isa: str, field: str, x: int) -> int:
    """An element as the first state has it: in the field of AES, if it has eight bits."""
    if isa != "avx512" or field == "gf16":
        return x
    back = isomorphic()
    for image in range(256):
        if reduce(xor, (y * (image >> i & 1) for i, y in enumerate(back))) == x:
            return image
    raise AssertionError(f"{x} has no image")


@pytest.mark.slow
def test_random_systems_find_a_wrong_kernel(tmp_path: Path) -> None:
    """The control of the runs on numbers: a right kernel agrees with all, a wrong one does not."""
    (task,) = chosen("avx2", "gf16", (SMALL,))
    source = proving.ROOT / task.kernel.source
    for new in ("14, 3, 12, 11", "3, 14, 12, 11"):  # logarithms
        path = proving.changed_copy(source, PSHUFB, "14, 3, 12, 11", new, tmp_path)
        image = image_of(linked(proving.ROOT, path, task.kernel.isa, tmp_path), task.kernel.isa)
        right = [SolveCall(Tabled(), image, task).right_on_numbers(seed) for seed in range(4)]
        assert all(right) is (new == "14, 3, 12, 11")


def test_whole_tables_are_compared() -> None:
    """Functions of up to 14 inputs are told apart and found equal; beyond, nobody knows."""
    g = Tabled()
    x = g.word("x", 15)
    for count, known in ((14, True), (15, False)):
        up = down = 0
        for i in range(count):  # the same majority of neighbours, in another form
            a, b, c = x[i], x[(i + 1) % count], x[(i + 2) % count]
            up = g.xor(up, g.or_(g.and_(a, b), g.and_(c, g.or_(a, b))))
        for i in reversed(range(count)):
            a, b, c = x[i], x[(i + 1) % count], x[(i + 2) % count]
            down = g.xor(down, g.choose(g.xor(a, b), c, b))
        assert (up == down) or not known
        few = 1
        for bit in x[:count]:
            few = g.and_(few, bit)
        assert not g.same(up, g.xor(up, few))


WANTED = {
    "ssse3": {"psadbw", "pmovmskb", "paddusb", "pminub"},
    "avx2": {"vpsadbw", "vpmovmskb", "shlx"},
    "avx512": {"vpcompressb", "vgf2p8affineinvqb", "vpermb"},
}


@pytest.mark.parametrize(
    "isa", ["avx512", *(pytest.param(isa, marks=pytest.mark.slow) for isa in ("ssse3", "avx2"))]
)
def test_rules_for_systems_agree_with_the_processor(isa: str, tmp_path: Path) -> None:
    (task,) = chosen(isa, "gf16", (SMALL,))
    if not native.able(isa == "avx512"):
        pytest.skip("the processor lacks instructions of the kernels")
    program = linked(proving.ROOT, proving.ROOT / task.kernel.source, isa, tmp_path)
    image = image_of(program, isa)
    assert isinstance(image, X86Image)
    judge = native.Judge(image, tmp_path, wide=native.able())
    codes = native.instructions(image, [task.kernel.symbol])
    assert not judge.judge(codes, 4)
    assert judge.names >= WANTED[isa]


MUTANTS = [(GF2, "gf16_avx2_solve", 4)]
MORE_MUTANTS = [
    (GF2, "gf256_avx2_solve", 20),
    (GF512, "gf256_avx512_solve", 40),
    (NEON, "gf16_neon_solve", 30),
]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_accepted_mutants_of_systems_compute_the_same(
    source: str, function: str, count: int
) -> None:
    """The size is fixed, so that a change may do nothing for it."""
    one = proving.kernel(source, function)
    chosen(one.isa, one.spec.partition(".")[0], (SMALL,))
    of = mutants.mutants if one.isa == "neon" else mutants.x86_mutants
    named = f"{SMALL} equations"
    found = of(Prover(proving.ROOT), one, count, named=named if one.isa == "neon" else (named,))
    proving.wrong_or_the_same(found, count)
