# SPDX-License-Identifier: Apache-2.0
"""Whole messages with keys of their own, one in each lane of AVX-512: proofs, spoilt kernels,
mutants, and attacks on the argument of messages.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import proving
import pytest
from test_proofs_fleets import spoilt
from test_proofs_x86 import need

from hanji_lab import spec
from hanji_lab.kernels import Kernel
from hanji_lab.prove import messages, mutants
from hanji_lab.prove.build import linked
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.messages import MessageTask, message_tasks
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import RefusedError
from hanji_lab.prove.words import number_bits
from hanji_lab.prove.x86 import X86Image
from hanji_lab.spec.block import BlockCipher

SPECK, CHAM = "speck/speck64_avx512.c", "cham/cham64_avx512.c"
UNIFORM, NARROW = "speck64_128_avx512_uniform_x16", "cham64_128_avx512_uniform_x32"
TAGS = "speck64_128_avx512_macs_x32"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A file of the library, compiled by gcc once for all tests."""
    need()

    @cache
    def program(source: str) -> Path:
        directory = tmp_path_factory.mktemp("avx512")
        return linked(proving.ROOT, proving.ROOT / "src" / source, "avx512", directory)

    return program


def few(one: Kernel, *lanes: int) -> MessageTask:
    """A task about one lane or some."""
    return proving.of_lanes(next(message_tasks(one)), messages.calls_of, lanes)


@pytest.mark.parametrize(
    ("source", "function", "scope"),
    [
        (SPECK, TAGS, "fewer than 2^40 bytes"),
        *(
            pytest.param(*row, "1 to 32767 blocks", marks=pytest.mark.slow)
            for row in ((SPECK, UNIFORM), (CHAM, NARROW))
        ),
    ],
)
def test_a_lane_is_proved(
    source: str, function: str, scope: str, compiled: Callable[[str], Path]
) -> None:
    one = proving.kernel(source, function)
    found = proving.verdict_of(one, compiled(source), few(one, 3))
    assert (found.verdict, found.why) == ("proved", "")
    assert list(found.scope.values()) == [f"{scope}, 0 and more groups"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "compiler"), [(UNIFORM, "gcc"), (TAGS, "gcc"), (UNIFORM, "clang")]
)
def test_kernel_is_proved(function: str, compiler: str, tmp_path: Path) -> None:
    need(compiler)
    one = proving.kernel(SPECK, function)
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path, compiler)
    found = proving.verdict_of(one, program, *message_tasks(one))
    assert (found.verdict, found.why) == ("proved", "")


MESSAGES, GROUPS, MACS = "lanes/messages.h", "lanes/vector.h", "lanes/macs.h"
STREAMS = (
    "W(message_streams)(stream, &of, (W(number))(at / (WORDS * WORD_BYTES)), rk, run, rounds);"
)
NUMBER = f"{STREAMS}\n        W(xor_messages)"
# kernel, header, what is changed, the verdicts and words of the reason
SPOILT: dict[str, tuple[tuple[str, str], str, str, str, tuple[str, ...], str]] = {
    "one byte more": (
        (SPECK, UNIFORM), MESSAGES, "(64 - (bytes < SPAN ? bytes : SPAN))",
        "(63 - (bytes < SPAN ? bytes : SPAN) % 64)", ("refused", "open"), "",
    ),
    "one byte less": (
        (SPECK, UNIFORM), MESSAGES, "(64 - (bytes < SPAN ? bytes : SPAN))",
        "(64 - (bytes < SPAN ? bytes : SPAN) + (bytes == 7))", ("refused",), "is never written",
    ),
    "the first number for all spans": (
        (SPECK, UNIFORM), MESSAGES, NUMBER, NUMBER.replace("at /", "0 * at /"),
        ("counterexample",), "differs",
    ),
    "a number that goes wrong late": (
        (SPECK, UNIFORM), MESSAGES, "(at * BLOCKS_16 + b)));",
        "(at * BLOCKS_16 + b))) & W(splat)((W(number))~UINT64_C(512));", ("open",), "",
    ),
    "no carry": (
        (SPECK, UNIFORM), MESSAGES, "(W(above)(n, of->room) & of->change[w])",
        "(W(above)(n, of->room) & 0)", ("counterexample",), "differs",
    ),
    "the key stream of another message": (
        (SPECK, UNIFORM), MESSAGES, "_mm512_mask_storeu_epi8(out, these, row[b] ^",
        "_mm512_mask_storeu_epi8(out, these, row[b ^ 1] ^", ("counterexample", "open"), "",
    ),
    "a byte of a neighbour": (
        (SPECK, UNIFORM), MESSAGES, "in += stride;\n            out += stride;",
        "in += stride;\n            out += stride - (i == 3 && b == 2);", ("refused", "open"), "",
    ),
    "a whole span of a part": (
        (SPECK, UNIFORM), MESSAGES, "if (bytes >= SPAN)",
        "if (bytes >= SPAN - 1)", ("refused",), "which has 0 to",
    ),
    "keys of a place before those of the group": (
        (SPECK, UNIFORM), GROUPS, "nonces += (lanes)*WORDS * WORD_BYTES;",
        "nonces += (lanes)*WORDS * WORD_BYTES, keys -= 8;", ("counterexample", "open"), "",
    ),
    "the fifth group from the end": (
        (SPECK, UNIFORM), GROUPS, "out += (lanes)*bytes;", "out += (lanes)*bytes - (groups == 5);",
        ("open",), "",
    ),
    "a secret branch": (
        (SPECK, UNIFORM), MESSAGES, "W(load_messages)(v, nonces, WORDS",
        "if (keys[0] & 1)\n        return;\n    W(load_messages)(v, nonces, WORDS",
        ("refused",), "depends on data",
    ),
    "the other subkey": (
        (SPECK, TAGS), MACS,
        "if (bytes < WORDS * WORD_BYTES) {", "if (bytes <= WORDS * WORD_BYTES) {",
        ("counterexample",), "differs",
    ),
    "padding one byte late": (
        (SPECK, TAGS), MACS,
        "0x80 << 8 * (bytes % WORD_BYTES)", "0x80 << 8 * ((bytes + 1) % WORD_BYTES)",
        ("counterexample",), "differs",
    ),
    "a chain that stops": (
        (SPECK, TAGS), MACS, "^= (W(word))v[g][b * WORDS + (size_t)w];",
        "^= (W(word))v[g][b * WORDS + (size_t)w] & W(splat)((W(number))(left > 1000 ? 0 : -1));",
        ("open",), "",
    ),
    "a chain that begins with the subkey": (
        (SPECK, TAGS), MACS, "mac[w * VECTORS + g] = W(splat)(0);\n        }",
        "mac[w * VECTORS + g] = block[w];\n        }", ("counterexample",), "differs",
    ),
    "a text read too far": (
        (SPECK, TAGS), MACS, "(__mmask16)((UINT32_C(1) << bytes) - 1)",
        "(__mmask16)((UINT32_C(1) << (bytes | 1)) - 1)", ("refused",), "which has 0 to",
    ),
    "the reduction without its bit": (
        (SPECK, TAGS), MACS, "? 0x1b : 0x87", "? 0x19 : 0x87", ("counterexample",), "differs",
    ),
}  # fmt: skip


BY_CLANG = ("one byte less", "a number that goes wrong late", "the fifth group from the end")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "compiler"),
    [*((name, "gcc") for name in SPOILT), *((name, "clang") for name in BY_CLANG)],
)
def test_spoilt_kernel_is_not_proved(name: str, compiler: str, tmp_path: Path) -> None:
    need(compiler)
    (source, function), header, old, new, wanted, why = SPOILT[name]
    one = proving.kernel(source, function)
    path = spoilt(source, header, old, new, tmp_path)
    program = linked(proving.ROOT, path, one.isa, tmp_path, compiler)
    found = proving.verdict_of(one, program, few(one, 3, 15))
    print(name, found.verdict, found.why)
    assert found.verdict in wanted, (found.verdict, found.why)
    assert why in found.why


WRITES_FIRST = {
    "whole vectors": (
        "vector_store(out, row[b] ^ vector_load(in));",
        "vector_store(out, row[b]), vector_store(out, row[b] ^ vector_load(in));",
    ),
    "parts of one": (
        "_mm512_mask_storeu_epi8(out, these, row[b] ^",
        "_mm512_mask_storeu_epi8(out, 1, row[b]), _mm512_mask_storeu_epi8(out, these, row[b] ^",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [None, *WRITES_FIRST])
def test_what_writes_before_it_reads_is_proved_apart_alone(
    name: str | None, tmp_path: Path
) -> None:
    need()
    one = proving.kernel(SPECK, UNIFORM)
    path = proving.ROOT / "src" / SPECK
    if name:
        path = spoilt(SPECK, MESSAGES, *WRITES_FIRST[name], tmp_path)
    ways = {task.in_place: task for task in message_tasks(one)}
    tasks = [
        replace(proving.of_lanes(ways[here], messages.calls_of, (3,)), name=ways[here].name)
        for here in (False, True)
    ]
    found = proving.verdict_of(one, linked(proving.ROOT, path, one.isa, tmp_path), *tasks)
    assert list(found.scope)[:1] == [tasks[0].name]
    assert len(found.scope) == (1 if name else 2)
    assert (found.verdict == "proved") == (name is None), found.why


def test_header_that_says_otherwise_is_refused() -> None:
    one = proving.kernel(SPECK, UNIFORM)
    for other in (replace(one, secrets=one.secrets[:1]), replace(one, aliasing="none")):
        with pytest.raises(RefusedError, match="the header gives"):
            list(message_tasks(other))


@pytest.mark.parametrize("size", [*range(18), 31, 32, 33])
@pytest.mark.parametrize("name", ["speck64_128", "simon128_128"])
def test_what_is_wanted_of_macs_is_cmac(name: str, size: int) -> None:
    """On numbers it is what `lab/spec` says."""
    cipher = spec.algorithm(name)
    assert isinstance(cipher, BlockCipher)
    g = Graph()
    key, text = bytes(range(7, 7 + cipher.key_size)), bytes(range(200, 200 + size))
    parts = {
        name: [number_bits(byte, 8) for byte in data]
        for name, data in (("keys", key), ("in", text))
    }
    shape = messages.MacShape(cipher, 8, (0,), False)
    made = messages._made(g, shape, parts)
    assert bytes(sum(x << i for i, x in enumerate(byte)) for byte in made) == cipher.cmac(text, key)


MUTANTS: list[tuple[str, str, int]] = []
MORE_MUTANTS = [(SPECK, UNIFORM, 6), (SPECK, TAGS, 6)]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_mutants_are_wrong_or_compute_the_same(
    source: str, function: str, count: int, compiled: Callable[[str], Path]
) -> None:
    """Accepted are those alone that give what is wanted on random numbers, too."""
    one = proving.kernel(source, function)
    prover = Prover(proving.ROOT)
    prover.images[one.source, one.isa] = X86Image(compiled(source))
    proving.wrong_or_the_same(mutants.x86_mutants(prover, one, count, fleet=few(one, 3)), count)
