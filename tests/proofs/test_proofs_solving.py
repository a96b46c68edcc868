# SPDX-License-Identifier: Apache-2.0
"""Kernels that solve systems of linear equations: they are proved, wrong ones are not, and the
steps that the proofs are about solve every system as the specification does.
"""

from __future__ import annotations

import random
from pathlib import Path

import proving
import pytest

from hanji_lab.prove import mutants
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.core import constant
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.solving import SOLVED, SolveCall, SolveTask, Steps, Tabled, solve_tasks
from hanji_lab.prove.words import number_bits
from hanji_lab.spec.field import FIELDS

NEON = "rainbow/gf_neon.c"
SMALL = 5


def chosen(field: str, sizes: tuple[int, ...]) -> list[SolveTask]:
    """Some tasks of a kernel."""
    one = proving.kernel(NEON, f"{field}_neon_solve")
    proving.need(one)
    tasks = [task for task in solve_tasks(one) if task.size in sizes]
    assert len(tasks) == len(sizes)
    return tasks


def verdict(tasks: list[SolveTask], source: Path, directory: Path) -> Verdict:
    """The verdict on a file."""
    one = tasks[0].kernel
    program = linked(proving.ROOT, source, one.isa, directory)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return Prover(proving.ROOT, seconds=150).proved(blank, image_of(program, one.isa), tasks)


CASES = [("gf16", (2, SMALL))]
MORE_CASES = [("gf16", SOLVED["gf16"]), ("gf256", SOLVED["gf256"])]


@pytest.mark.parametrize(
    ("field", "sizes"),
    [*CASES, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_CASES)],
)
def test_systems_are_proved(field: str, sizes: tuple[int, ...], tmp_path: Path) -> None:
    tasks = chosen(field, sizes)
    found = verdict(tasks, proving.ROOT / tasks[0].kernel.source, tmp_path)
    assert (found.verdict, found.why) == ("proved", "")
    assert list(found.scope) == [task.name for task in tasks]
    assert found.joins["solver"] == 0


# Field, a change of the file, and the verdict; "not" is any but proved.
SPOILT: dict[str, tuple[str, str, str, str]] = {
    "row 0 where none helps": ("gf256", "(helper | ~helped)", "(helper)", "counter"),
    "regular without help": (
        "gf16", "regular &= ~zero_mask(pivot);", "regular &= ~zero_mask(pivots[k]);", "not",
    ),
    "the last but one helps for the last": (
        "gf16", "helper |= j & take;", "helper |= (j == 4 ? 3 : j) & take;", "not",
    ),
    "no right side": ("gf16", "columns = size - k;", "columns = size - k - 1;", "counter"),
    "branch on the pivot": (
        "gf16", "regular &= ~zero_mask(pivot);",
        "regular &= ~zero_mask(pivot); if (pivots[k] == 0) continue;", "refused",
    ),
    "address by the pivot": (
        "gf256", "regular &= ~zero_mask(pivot);", "regular &= ~zero_mask(pivots[pivot & 1]);",
        "refused",
    ),
}  # fmt: skip


SPOILT_IN_CI = ("row 0 where none helps", "no right side", "address by the pivot")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SPOILT_IN_CI else pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_systems_are_not_proved(name: str, tmp_path: Path) -> None:
    field, old, new, wanted = SPOILT[name]
    tasks = chosen(field, (SMALL,))
    source = proving.ROOT / tasks[0].kernel.source
    path = proving.changed_copy(source, "", old, new, tmp_path)
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


@pytest.mark.parametrize("field", FIELDS)
def test_steps_solve_systems(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved of a kernel is that it does these steps: here they run on numbers."""
    source, spec = random.Random(f"{field}neon"), FIELDS[field]
    answers = []
    for size in [*(1 + i % 6 for i in range(30)), 33]:
        system = _system(source, field, size)
        g, steps = Tabled(), Steps(spec, size)
        numbers = [[number_bits(x, steps.bits) for x in column] for column in system]
        monkeypatch.setattr(steps, "column", lambda g, c, k, held=numbers: held[c])
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


@pytest.mark.slow
def test_random_systems_find_a_wrong_kernel(tmp_path: Path) -> None:
    """The control of the runs on numbers: a right kernel agrees with all, a wrong one does not."""
    (task,) = chosen("gf16", (SMALL,))
    source = proving.ROOT / task.kernel.source
    right = "helper |= j & take;"
    for new in (right, "helper |= 1 & take;"):
        path = proving.changed_copy(source, "", right, new, tmp_path)
        image = image_of(linked(proving.ROOT, path, task.kernel.isa, tmp_path), task.kernel.isa)
        agreed = [SolveCall(Tabled(), image, task).right_on_numbers(seed) for seed in range(16)]
        assert all(agreed) is (new == right)


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


MUTANTS = [(NEON, "gf16_neon_solve", 4)]
MORE_MUTANTS = [(NEON, "gf16_neon_solve", 30), (NEON, "gf256_neon_solve", 20)]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_accepted_mutants_of_systems_compute_the_same(
    source: str, function: str, count: int
) -> None:
    """The size is fixed, so that a change may do nothing for it."""
    one = proving.kernel(source, function)
    chosen(one.spec.partition(".")[0], (SMALL,))
    found = mutants.mutants(Prover(proving.ROOT), one, count, named=f"{SMALL} equations")
    proving.wrong_or_the_same(found, count)
