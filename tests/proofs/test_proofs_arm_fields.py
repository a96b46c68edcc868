# SPDX-License-Identifier: Apache-2.0
"""Fields in C for AArch64 on polynomials: proofs, spoilt kernels, mutants."""

from __future__ import annotations

from pathlib import Path

import proving
import pytest

from hanji_lab.prove import mutants
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.fields import FieldTask, field_tasks
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import Image, _looked_up
from hanji_lab.prove.report import Prover, Verdict

PMULL, NEON, SHA3 = "aimer/aimer_pmull.c", "aimer/aimer_neon.c", "aimer/aimer_sha3.c"
GF = "rainbow/gf_neon.c"
CI = [
    (PMULL, "aimer_pmull_power", "128 bits, 1 squarings, apart"),
    (GF, "gf16_neon_accumulate", "3 columns of 64 bytes"),
    (GF, "gf16_neon_prepare", "2 elements"),
]
SLOW = [
    (PMULL, "aimer_pmull_products", "192 bits, 2 terms"),
    (NEON, "aimer_neon_prepare", "128 bits"),
    (NEON, "aimer_neon_apply", "128 bits, 1 octets"),
    (SHA3, "aimer_sha3_apply", "128 bits, 1 octets"),
    (GF, "gf256_neon_accumulate", "9 columns of 16 bytes"),
    (GF, "gf256_neon_prepare", "17 elements"),
    (GF, "gf16_neon_evaluate", "5 variables, 32 bytes"),
]


def _verdict(source: str, function: str, begin: str, path: Path, directory: Path) -> Verdict:
    one = proving.kernel(source, function)
    proving.need(one)
    tasks: list[FieldTask] = [t for t in field_tasks(one) if t.name.startswith(begin)]
    assert tasks, begin
    image: Image = image_of(linked(proving.ROOT, path, one.isa, directory), one.isa)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return Prover(proving.ROOT, seconds=120).proved(blank, image, tasks)


@pytest.mark.parametrize(
    ("source", "function", "begin"),
    CI + [pytest.param(*row, marks=pytest.mark.slow) for row in SLOW],
)
def test_field_kernel_is_proved(source: str, function: str, begin: str, tmp_path: Path) -> None:
    found = _verdict(source, function, begin, proving.ROOT / "src" / source, tmp_path)
    assert (found.verdict, found.why) == ("proved", "")


# A kernel, a change of its file, and the verdict.
SPOILT = {
    "odd and even": (CI[0], "vmull_p64((poly64_t)a, (poly64_t)b)", "vmull_p64((poly64_t)a, 3)", "c"),
    "row of products": (CI[2], "{0, 2, 3, 1, 8,", "{0, 2, 3, 1, 9,", "open"),
    "high half": (CI[1], "vshlq_n_u8(highs[i], 4)", "vshlq_n_u8(highs[i], 3)", "counterexample"),
    "index of all bits": (
        CI[1], "vqtbl1q_u8(row, vandq_u8(data[i], nibble))", "vqtbl1q_u8(row, data[i])", "open|c",
    ),
    "behind the columns": (CI[1], "vld1q_u8_x4(in)", "vld1q_u8_x4(in + 16)", "refused"),
    "power of two": (SLOW[6], "products[1 << b % 4]", "products[1 << b % 3]", "counterexample"),
    "coefficient as address": (
        SLOW[6], "scratch + factors[j] * SUM_BYTES, in, v", "scratch + in[0] * SUM_BYTES, in, v",
        "refused",
    ),
    "number of elements": (CI[2], "elements + i / 2, (now + 1) / 2", "elements + i / 2, now", "ref"),
}  # fmt: skip
QUICK = ("row of products",)


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_field_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    (source, function, begin), old, new, wanted = SPOILT[name]
    text = (proving.ROOT / "src" / source).read_text()
    assert old in text
    path = tmp_path / Path(source).name
    path.write_text(text.replace(old, new, 1))
    found = _verdict(source, function, begin, path, tmp_path)
    assert found.verdict != "proved"
    assert found.verdict.startswith(tuple(wanted.split("|"))), found.why


MUTANTS = [(GF, "gf16_neon_accumulate", 4)]  # of these the slow set has more
MORE_MUTANTS = [(GF, "gf16_neon_accumulate", 40), (PMULL, "aimer_pmull_power", 40)]
NAMED = {"gf16_neon_accumulate": CI[1][2], "aimer_pmull_power": CI[0][2]}


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_accepted_mutants_of_field_kernels_compute_the_same(
    source: str, function: str, count: int
) -> None:
    """Sizes are fixed, so a mutant may be right for these; a run on numbers says so."""
    one = proving.kernel(source, function)
    proving.need(one)
    seen = []
    for mutant in mutants.mutants(Prover(proving.ROOT), one, count, named=NAMED[function]):
        seen.append(mutant.verdict.verdict)
        said = f"{mutant.at:#x}: {mutant.before} became {mutant.after}"
        print(mutant.verdict.verdict, said)
        assert mutant.verdict.verdict != "proved" or mutant.same, said
    assert len(seen) == count
    assert 2 * seen.count("proved") <= count


def test_look_up_gives_zero_behind_the_table() -> None:
    """An index of more than four bits, whose upper ones are data, is no product of two elements."""
    g = Graph()
    table = [g.word(f"entry {i}", 8) for i in range(16)]
    index = g.word("index", 4)
    made = _looked_up(g, table, [(*index, 0, 0, 0, 0), (*index, 1, 0, 0, 0)])
    for number in (0, 5, 15):
        inputs = {x >> 1: number >> i & 1 for i, x in enumerate(index)}
        inputs |= {x >> 1: 0xA5 + number >> i & 1 for i, x in enumerate(table[number])}
        values = g.evaluate(inputs, made, 1)
        assert sum(x << i for i, x in enumerate(values)) == 0xA5 + number & 0xFF
