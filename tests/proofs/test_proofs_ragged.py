# SPDX-License-Identifier: Apache-2.0
"""Messages with keys of their own that lie anywhere, one in each lane of AVX-512: proofs, spoilt
kernels, mutants, and attacks on the argument of ragged.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import proving
import pytest
from test_proofs_fleets import spoilt
from test_proofs_x86 import need

from hanji_lab.kernels import Kernel
from hanji_lab.prove import mutants, ragged
from hanji_lab.prove.build import linked
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.messages import SPAN, Template, message
from hanji_lab.prove.pcode import Region
from hanji_lab.prove.ragged import RaggedCall, RaggedMachine, RaggedTask, ragged_tasks
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Lin, RefusedError
from hanji_lab.prove.x86 import X86, X86Image

SPECK, LARGE = "speck/speck64_avx512.c", "speck/speck128_avx512.c"
NARROW = "cham/cham64_avx512.c"
SIXTEEN, EIGHT = "speck64_128_avx512_ragged_x16", "speck128_128_avx512_ragged_x8"
THIRTY_TWO = "cham64_128_avx512_ragged_x32"


def few(one: Kernel, *lanes: int) -> RaggedTask:
    """A task about one lane or some."""
    return proving.of_lanes(next(ragged_tasks(one)), ragged.calls_of, lanes)


ROWS = [(SPECK, SIXTEEN, 15), (NARROW, THIRTY_TWO, 31)]


@pytest.mark.parametrize(
    ("source", "function", "lane", "compiler"),
    [
        (LARGE, EIGHT, 3, "gcc"),
        *(pytest.param(*row, "gcc", marks=pytest.mark.slow) for row in ROWS),
        pytest.param(LARGE, EIGHT, 3, "clang", marks=pytest.mark.slow),
    ],
)
def test_a_lane_is_proved(
    source: str, function: str, lane: int, compiler: str, tmp_path: Path
) -> None:
    need(compiler)
    one = proving.kernel(source, function)
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path, compiler)
    found = proving.verdict_of(one, program, few(one, lane))
    assert (found.verdict, found.why) == ("proved", "")
    assert found.scope == {"few": "fewer than 2^15 blocks each, 0 and more spans"}


@pytest.mark.slow
def test_kernel_is_proved(tmp_path: Path) -> None:
    need()
    one = proving.kernel(SPECK, SIXTEEN)
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path)
    found = proving.verdict_of(one, program, *ragged_tasks(one))
    assert (found.verdict, found.why) == ("proved", "")
    assert len(found.scope) == 2


MESSAGES = "lanes/messages.h"
MASK = "bytes > at ? W(row_mask)(bytes - at) : 0;"
STORED = """_mm512_mask_storeu_epi8(out + at, these,
                                        row[b] ^ _mm512_maskz_loadu_epi8(these, in + at));"""
STREAMS = (
    "W(message_streams)(stream, &of, (W(number))(at / (WORDS * WORD_BYTES)), rk, run, rounds);\n"
    "        if (at + SPAN <= shortest)"
)
IN, OUT = "const uint8_t *in = r->in[4 * i + b];", "uint8_t *out = r->out[4 * i + b];"
ANY = ("counterexample", "refused", "open")
# what is changed, the verdicts and words of the reason
SPOILT: dict[str, tuple[str, str, tuple[str, ...], str]] = {
    "one byte more": (
        MASK, MASK.replace("bytes - at)", "bytes - at + 1)"), ("refused",), "which has 0 to",
    ),
    "one byte more of one lane": (
        MASK, MASK.replace("bytes - at)", "bytes - at + (4 * i + b == 5))"),
        ("refused",), "of message 5",
    ),
    "one byte less": (
        MASK, MASK.replace("bytes - at)", "bytes - at - (bytes - at == 7))"),
        ("refused",), "is never written",
    ),
    "nothing of the last byte": (
        MASK, MASK.replace("bytes > at", "bytes > at + 1"), ("refused",), "is never written",
    ),
    "the length of a neighbour": (
        "r->bytes[4 * i + b]", "r->bytes[(4 * i + b) ^ 1]", ("refused",), "of message",
    ),
    "the length of the first lane": (
        "r->bytes[4 * i + b]", "r->bytes[4 * i]", ("refused",), "of message",
    ),
    "the longest for a length": (
        "r->bytes[4 * i + b]", "4 * i + b == 7 ? r->longest : r->bytes[4 * i + b]",
        ("refused", "open"), "",
    ),
    "the output of a neighbour": (
        OUT, OUT.replace("4 * i + b", "(4 * i + b) ^ 1"), ("counterexample",), "differs",
    ),
    "the text of a neighbour": (
        IN, IN.replace("4 * i + b", "(4 * i + b) ^ 1"), ("counterexample",), "differs",
    ),
    "an output one byte on": (
        OUT, OUT.replace("[4 * i + b]", "[4 * i + b] + (4 * i + b == 6)"),
        ("refused",), "which has 0 to",
    ),
    "a text one byte before": (
        IN, IN.replace("[4 * i + b]", "[4 * i + b] - (4 * i + b == 6)"),
        ("refused",), "which has 0 to",
    ),
    "keys and counters of a neighbour": (
        "const uint8_t *from = p[4 * i + b];", "const uint8_t *from = p[4 * i + (b ^ 1)];",
        ("counterexample",), "differs",
    ),
    "keys read too far": (
        "W(load_ragged)(v, r->keys, at, here);", "W(load_ragged)(v, r->keys, at + 1, here);",
        ("refused",), "which has 0 to",
    ),
    "the key stream of a neighbour": (
        STORED, STORED.replace("row[b]", "row[b ^ 1]"), ("counterexample",), "differs",
    ),
    "the first number for all spans": (
        STREAMS, STREAMS.replace("at /", "0 * at /"), ("counterexample",), "differs",
    ),
    "a number that goes wrong late": (
        "(at * BLOCKS_16 + b)));",
        "(at * BLOCKS_16 + b))) & W(splat)((W(number))~UINT64_C(512));", ("open",), "not proved",
    ),
    "whole spans of one byte less": (
        "at + SPAN <= shortest", "at + SPAN <= shortest + 1", ANY, "",
    ),
    "whole spans as long as any": (
        "at + SPAN <= shortest", "at + SPAN <= longest", ("refused",), "which has 0 to",
    ),
    "an end that is early": (
        "at < longest; at += SPAN", "at + 1 < longest; at += SPAN", ("refused", "open"), "",
    ),
    "an end that is early for long messages": (
        "at < longest; at += SPAN", "at < longest && at < 1000 * SPAN; at += SPAN",
        ("refused", "open"), "",
    ),
    "an end that is late": (
        "at < longest; at += SPAN", "at < longest + SPAN; at += SPAN", ("open",), "",
    ),
    "a lane that stops late": (
        MASK, MASK.replace("bytes > at", "bytes > at && at != 20 * SPAN"), ("open",), "",
    ),
    "round keys that change with a span": (
        STREAMS, f"rk[3] ^= rk[4];\n        {STREAMS}", ("counterexample",), "differs",
    ),
    "round keys that change late": (
        STREAMS, f"if (at == 640)\n            rk[3] ^= rk[4];\n        {STREAMS}", ("open",), "",
    ),
    "round keys behind their memory": (
        "schedule(rk, key_words, rounds, z);\n    W(load_ragged)",
        "schedule(rk, key_words, rounds, z);\n    rk[rounds] = rk[0];\n    W(load_ragged)",
        ("refused",), "which has 0 to",
    ),
    "a text read behind its output": (
        STORED, f"_mm512_mask_storeu_epi8(out + at, these, row[b]);\n{' ' * 16}{STORED}",
        ("counterexample",), "differs",
    ),
    "a secret branch": (
        "W(load_ragged)(v, r->nonces", "if (r->keys[0][0] & 1)\n        return;\n"
        "    W(load_ragged)(v, r->nonces", ("refused",), "depends on data",
    ),
    "a lane that waits for a neighbour": (
        MASK, MASK.replace("bytes > at", "bytes > at && r->bytes[0] > at"), ANY, "",
    ),
}  # fmt: skip


BY_CLANG = ("one byte more", "a lane that stops late", "a lane that waits for a neighbour")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compiler"),
    [*((name, "gcc") for name in SPOILT), *((name, "clang") for name in BY_CLANG)],
)
def test_spoilt_kernel_is_not_proved(name: str, compiler: str, tmp_path: Path) -> None:
    need(compiler)
    old, new, wanted, why = SPOILT[name]
    one = proving.kernel(LARGE, EIGHT)
    path = spoilt(LARGE, MESSAGES, old, new, tmp_path)
    program = linked(proving.ROOT, path, one.isa, tmp_path, compiler)
    found = proving.verdict_of(one, program, few(one, 3, 5))
    print(name, found.verdict, found.why)
    assert found.verdict in wanted, (found.verdict, found.why)
    assert why in found.why


def _stays(spans: Template, *_: Any) -> None:
    """That nothing changes from span to span."""


def _moves(spans: Template, *_: Any) -> None:
    """That every number in a register moves on by two spans."""
    for at, (value, i, size) in list(spans.m.spaces["register"].items()):
        if isinstance(value, int) and size == 8:
            spans.m.spaces["register"][at] = (Lin(value, {SPAN: 128}), i, size)


def _early(call: RaggedCall, m: RaggedMachine, pc: int, k: int, stop: int) -> int | None:
    """That runs are one again before they have stored."""
    found = MEETING(call, m, pc, k, stop)
    if found is None:
        return None
    state = m.with_length(k, m.span, call.shape.most)
    before = at = pc
    while at != found:
        before, at = at, call._next(state, at)
    return before


MEETING = RaggedCall._meeting
SUGGESTED: dict[str, tuple[type, str, Any]] = {
    "nothing changes": (Template, "suggest", _stays),
    "numbers move on too far": (Template, "suggest", _moves),
    "lanes meet early": (RaggedCall, "_meeting", _early),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SUGGESTED)
def test_wrong_suggestions_prove_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need()
    one = proving.kernel(LARGE, EIGHT)
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path)
    where, what, other = SUGGESTED[name]
    monkeypatch.setattr(where, what, other)
    found = proving.verdict_of(one, program, few(one, 3))
    print(name, found.verdict, found.why)
    assert found.verdict in ("open", "refused")


@pytest.mark.parametrize("span", [48, 64])
def test_every_length_has_one_run(span: int) -> None:
    """Of the runs that a lane parts into, on numbers."""
    most = 5 * span
    image: Any = SimpleNamespace(isa=X86)
    names = [message(text, 2) for text in ("in", "out")]
    before = RaggedMachine(Graph(), image, {name: Region(0, 0, "rw", 1) for name in names})
    before.span, before.messages = span, 8
    runs = []
    for size in range(ragged.BEFORE, span + 2):
        m = before.with_length(2, size, most)
        length = m.read(ragged.RAGGED, 8 * (4 * 32 + 2), 8)
        assert isinstance(length, Lin)
        runs.append((size, length, m))
    for done in range(3):
        for given in range(most + 1):
            found = []
            for size, length, m in runs:
                factors = length.factors
                gap = given - length.c - factors.pop(SPAN) * done
                if not factors:
                    fits = gap == 0
                else:
                    ((symbol, sign),) = factors.items()
                    low, high = m.bounds[symbol]
                    fits = low <= gap * sign <= high
                if fits:
                    found.append((size, m))
            ((size, m),) = found
            left = min(max(given - span * done, 0), span)
            assert min(max(size, 0), span) == left
            assert {m.regions[name].high for name in names} == {left}


def test_header_that_says_otherwise_is_refused() -> None:
    one = proving.kernel(SPECK, SIXTEEN)
    for other in (replace(one, secrets=[]), replace(one, aliasing="out == in allowed")):
        with pytest.raises(RefusedError, match="the header gives"):
            list(ragged_tasks(other))


MUTANTS: list[tuple[str, str, int]] = []
MORE_MUTANTS = [(LARGE, EIGHT, 8), (NARROW, THIRTY_TWO, 4)]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_mutants_are_wrong_or_compute_the_same(
    source: str, function: str, count: int, tmp_path: Path
) -> None:
    """Accepted are those alone that give what is wanted on random numbers, too."""
    need()
    one = proving.kernel(source, function)
    prover = Prover(proving.ROOT)
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path)
    prover.images[one.source, one.isa] = X86Image(program)
    proving.wrong_or_the_same(mutants.x86_mutants(prover, one, count, fleet=few(one, 3)), count)
