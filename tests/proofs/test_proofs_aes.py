# SPDX-License-Identifier: Apache-2.0
"""AES-256 with VAES is proved on a graph with S-boxes; changed kernels are not."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import proving
import pytest
from test_proofs_fields import need

from hanji_lab.prove import aes, boxes, mutants
from hanji_lab.prove.aes import HALF, AesTask, Counting, aes_tasks
from hanji_lab.prove.boxes import Boxed
from hanji_lab.prove.build import linked
from hanji_lab.prove.graph import RUNS
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.values import RefusedError
from hanji_lab.prove.words import constant, number_bits
from hanji_lab.prove.x86 import X86, X86Image
from hanji_lab.spec.aes import BOX, VARIANTS

SOURCE = "rainbow/aes256_avx512.c"
EXPAND, STREAM = "aes256_avx512_expand", "aes256_avx512_stream"


def _tasks(function: str, *sizes: int) -> list[AesTask]:
    """The tasks of a kernel, or one with these numbers of bytes."""
    listed = list(aes_tasks(proving.kernel(SOURCE, function)))
    if not sizes:
        return listed
    return [replace(listed[0], name="some", builds=tuple(aes.stream(size) for size in sizes))]


def _verdict(function: str, tasks: list[AesTask], path: Path, directory: Path) -> Verdict:
    one = proving.kernel(SOURCE, function)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    image = X86Image(linked(proving.ROOT, path, one.isa, directory))
    return Prover(proving.ROOT, seconds=120).proved(blank, image, list(tasks))


@pytest.mark.parametrize(
    ("function", "sizes"),
    [
        (EXPAND, ()),
        (STREAM, (0,)),
        (STREAM, (300,)),
        pytest.param(STREAM, (1, 16, 17, 31, 255, 256, 257), marks=pytest.mark.slow),
    ],
)
def test_aes_is_proved(function: str, sizes: tuple[int, ...], tmp_path: Path) -> None:
    need()
    path = proving.ROOT / "src" / SOURCE
    found = _verdict(function, _tasks(function, *sizes), path, tmp_path)
    assert (found.verdict, found.why) == ("proved", "")


# A change of the file, the kernel and numbers of bytes that show it, and the verdict.
SPOILT = {
    "constant": ("_mm_set1_epi32(1 << i)", "_mm_set1_epi32(2 << i)", EXPAND, (), "counter"),
    "word": ("0x0c0f0e0d", "0x0d0c0f0e", EXPAND, (), "counterexample"),
    "no word": ("_mm_slli_si128(before, 8)", "_mm_slli_si128(before, 4)", EXPAND, (), "counter"),
    "last round": ("_mm512_aesenclast_epi128(s0", "_mm512_aesenc_epi128(s0", STREAM, (5,), "c"),
    "key of a round": ("aesenc_epi128(s0, key[r])", "aesenc_epi128(s0, key[1])", STREAM, (5,), "c"),
    "rounds": ("r < ROUNDS", "r < ROUNDS - 1", STREAM, (5,), "counterexample"),
    "number": ("n1 = add_numbers(n0, four)", "n1 = add_numbers(n0, sixteen)", STREAM, (70,), "c"),
    "carry": (
        "_mm512_maskz_set1_epi64(_mm512_cmplt_epu64_mask(sum, more), 1)",
        "_mm512_setzero_si512()",
        STREAM,
        (5,),
        "counterexample|open",
    ),
    "carry of another number": (
        "cmplt_epu64_mask(sum, more)", "cmplt_epu64_mask(sum, _mm512_add_epi64(more, more))",
        STREAM, (70,), "counterexample|open",
    ),
    "carry behind the first blocks": (
        "n2 = add_numbers(n2, sixteen)", "n2 = _mm512_add_epi64(n2, sixteen)", STREAM, (400,),
        "counterexample|open",
    ),
    "numbers behind the first blocks": (
        "n3 = add_numbers(n3, sixteen)", "n3 = add_numbers(n3, four)", STREAM, (500,), "counter",
    ),
    "counter behind": ("(bytes + 15) / 16", "bytes / 16", STREAM, (5,), "counterexample"),
    "one byte more": ("first_bytes(bytes), s0", "first_bytes(bytes + 1), s0", STREAM, (5,), "ref"),
}  # fmt: skip
QUICK = ("constant", "word")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_aes_is_not_proved(name: str, tmp_path: Path) -> None:
    need()
    old, new, function, sizes, wanted = SPOILT[name]
    text = (proving.ROOT / "src" / SOURCE).read_text()
    assert old in text
    path = tmp_path / "aes256_avx512.c"
    path.write_text(text.replace(old, new, 1))
    found = _verdict(function, _tasks(function, *sizes), path, tmp_path)
    assert found.verdict.startswith(tuple(wanted.split("|"))), found.why


MUTANTS = [(SOURCE, EXPAND, 4)]  # of these the slow set has more
MORE_MUTANTS = [(SOURCE, EXPAND, 40)]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_of_aes_are_not_accepted(source: str, function: str, count: int) -> None:
    need()
    one = proving.kernel(source, function)
    listed = list(mutants.x86_mutants(Prover(proving.ROOT), one, count))
    accepted = [(m.before, m.after) for m in listed if m.verdict.verdict == "proved"]
    assert len(listed) == count and not accepted


def test_sums_of_counters_are_those_of_numbers() -> None:
    """Numbers that are added one behind the other to the halves of any counter, near its end in
    many runs, with the carries; and what is no such sum has the rules of all words.
    """
    g, source = Boxed(), random.Random(1)
    m: Any = Counting(g, SimpleNamespace(isa=X86), {})
    m.first = g.counter("counter", 128)
    half = 1 << HALF
    first = [_number(g, m.first, run) for run in range(RUNS)]
    bits = m.numbered(0)
    low, high, total = bits[:HALF], bits[HALF:], 0
    for c in (1, 3, 4, 16, 0, 16, half - 60, 5):
        low = m._alu("INT_ADD", [low, c], [HALF, HALF], HALF)
        low = low if isinstance(low, tuple) else low.bits()
        bit = m.below(low, number_bits(c, HALF))
        total += c
        if total < half:
            assert low in m.low
        high = m._alu("INT_ADD", [high, (bit, *(0,) * (HALF - 1))], [HALF, HALF], HALF)
        high = high if isinstance(high, tuple) else high.bits()
        for run, number in enumerate(first):
            got = _number(g, low, run) + half * _number(g, high, run)
            assert got == (number + total) % half**2
    other = g.word("other", HALF)
    for _ in range(9):
        c, run = source.getrandbits(HALF), source.randrange(RUNS)
        assert g.value(m.below(other, number_bits(c, HALF))) >> run & 1 == (
            _number(g, other, run) < c
        )
        assert m._sum(other, c) is None and m._sum(high, (other[0], *(0,) * 63)) is None


def _number(g: Boxed, bits: tuple[int, ...], run: int) -> int:
    return sum((g.value(x) >> run & 1) << i for i, x in enumerate(bits))


def test_what_is_wanted_is_what_the_specification_makes() -> None:
    """On random keys and counters, among them one that overflows."""
    source, spec = random.Random(1), VARIANTS["aes256"]
    g = Boxed()

    def lifted(data: bytes) -> boxes.Bytes:
        return [number_bits(byte, 8) for byte in data]

    def shown(data: boxes.Bytes) -> bytes:
        return bytes(number for byte in data if (number := constant(byte)) is not None)

    for counter in (source.randbytes(16), b"\xff" * 16, bytes(8) + b"\xff" * 8):
        key = source.randbytes(32)
        keys = aes.expanded(g, lifted(key))
        assert shown(keys) == spec.expand(key)
        first = number_bits(int.from_bytes(counter, "big"), 128)
        for size in (0, 1, 16, 40):
            want = spec.stream(size, counter, spec.expand(key))
            assert shown(aes.streamed(g, first, keys, size)) == want


def test_boxes_are_a_function_and_no_more() -> None:
    """Equal inputs have equal outputs; others stay apart, and evaluate as the S-box does."""
    g = Boxed()
    a, b = g.word("a", 8), g.word("b", 8)
    assert g.box(a) == g.box(a) and g.box(number_bits(5, 8)) == number_bits(BOX[5], 8)
    assert not any(g.same(x, y) for x, y in zip(g.box(a), g.box(b), strict=True))
    twice = g.box(tuple(map(g.xor, g.box(a), b)))
    for x, y in ((0, 0), (0x53, 7), (255, 128)):
        inputs = {bit >> 1: x >> i & 1 for i, bit in enumerate(a)}
        inputs |= {bit >> 1: y >> i & 1 for i, bit in enumerate(b)}
        made = g.evaluate(inputs, twice, 1)
        assert sum(bit << i for i, bit in enumerate(made)) == BOX[BOX[x] ^ y]
    values = [g.value(x) for x in a]
    for run in (0, 100, RUNS - 1):
        byte = sum((value >> run & 1) << i for i, value in enumerate(values))
        made = [value >> run & 1 for value in boxes.boxed_values(values, RUNS)]
        assert sum(bit << i for i, bit in enumerate(made)) == BOX[byte]
    with pytest.raises(NotImplementedError):
        g.substituted(twice, {})


def test_header_of_aes_that_says_otherwise_is_refused(tmp_path: Path) -> None:
    one = proving.kernel(SOURCE, EXPAND)
    wrong = proving.spoilt(one, tmp_path, ("bytes: 240", "bytes: 241"))
    with pytest.raises(RefusedError):
        list(aes_tasks(wrong))
