# SPDX-License-Identifier: Apache-2.0
"""Ascon's kernels for messages one behind the other: proofs, spoilt kernels, what a message is."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import capstone
import debian
import proving
import pytest

from hanji_lab import spec
from hanji_lab.kernels import Kernel
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.rows import (
    GONE,
    LANES,
    LEAST,
    ROW,
    STRIDE,
    TEXT,
    TIMES,
    Digests,
    Messages,
    RowsMachine,
    Shape,
    multiplied,
    row_tasks,
    shapes,
)
from hanji_lab.prove.values import Lin
from hanji_lab.prove.words import folded, number_bits
from hanji_lab.prove.x86 import REGISTERS, RULES, X86, Operand, decoded
from hanji_lab.spec.ascon import PERMUTATION, Aead, Hash
from hanji_lab.spec.word import to_bytes

SOURCE = "ascon/ascon_avx512_x24.c"
SEAL, OPEN = "ascon_aead128_avx512_seal_x24", "ascon_aead128_avx512_open_x24"
HASH = "ascon_hash256_avx512_digest_x24"
FULL = Shape(LANES, 3, False, 16, (3, 51))
SMALL = Shape(LANES, 3, False, 16, (3,))
FEWER = Shape(19, 18, True, STRIDE, (5,))
FEWEST = Shape(LEAST, LEAST - 2, False, 0, (0, 16))
WHOLE_ROWS, LONG = replace(SMALL, lasts=(0,)), Shape(21, 20, False, 0, (43,))


def _found() -> Aead:
    found = spec.algorithm("ascon-aead128")
    assert isinstance(found, Aead)
    return found


def _hash() -> Hash:
    found = spec.algorithm("ascon-hash256")
    assert isinstance(found, Hash)
    return found


def _proved(one: Kernel, shape: Shape, compiler: str = "gcc") -> Verdict:
    debian.need("gcc" if compiler == "gcc" else "clang-14")
    prover = Prover(proving.ROOT, seconds=proving.SECONDS, compiler=compiler)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    build = partial(Messages, found=_found(), shape=shape, opened=one.operation == "open")
    if one.operation == "digest":
        build = partial(Digests, found=_hash(), shape=shape)
    source = replace(one, source=f"src/{SOURCE}")  # a spoilt kernel has tasks, too
    task = replace(
        next(iter(row_tasks(source))),
        kernel=one,
        messages=build,
    )
    return prover.proved(blank, prover.image(one), [task])


PROVED = [
    *((SEAL, FULL, "gcc"), (OPEN, FEWER, "gcc"), (OPEN, SMALL, "gcc"), (SEAL, FEWEST, "gcc")),
    *((HASH, SMALL, "gcc"), (HASH, WHOLE_ROWS, "gcc"), (HASH, LONG, "gcc")),
    *((SEAL, WHOLE_ROWS, "clang"), (OPEN, FULL, "clang"), (SEAL, FEWEST, "clang")),
    *((HASH, SMALL, "clang"), (HASH, WHOLE_ROWS, "clang")),
]


@pytest.mark.parametrize(
    ("function", "shape", "compiler"),
    [
        row if row == (SEAL, WHOLE_ROWS, "clang") else pytest.param(*row, marks=pytest.mark.slow)
        for row in PROVED
    ],
)
def test_messages_are_proved(function: str, shape: Shape, compiler: str) -> None:
    found = _proved(proving.kernel(SOURCE, function), shape, compiler)
    assert found.verdict == "proved", found.why
    assert list(found.scope.values()) == ["0 and more"]


WRONG, LATE = "counterexample: .* differs from the specification", "open|refused"
SEALED = "rows_seal(work, r->out + m * stride, r->in + m * stride, stride, rows, count);"
SPOILT = {
    "nonces too far": (SEAL, SMALL, ("+ 3, nonces,", "+ 3, nonces + 1,"), "refused"),
    "the key of the begin": (
        SEAL, SMALL, ("x[g][2] = key[1] ^", "x[g][2] = key[0] ^"), WRONG
    ),
    "the key of the end": (
        SEAL, SMALL, ("x[g][3] ^ load(word_of(work, 5, g))", "x[g][3] ^ load(word_of(work, 6, g))"),
        WRONG,
    ),
    "the key of a later group": (
        SEAL, SMALL, ("r->keys + m * r->key_stride", "r->keys + (m & 4096) * r->key_stride"), LATE
    ),
    "data of one byte": (
        SEAL, replace(SMALL, lasts=(1,)), ("if (r->ad_bytes > 0)", "if (r->ad_bytes > 1)"),
        f"{WRONG}|{LATE}",
    ),
    "rows of data that stay": (SEAL, SMALL, ("rows--, ad += ROW", "rows--"), f"{WRONG}|{LATE}"),
    "a late row": (
        OPEN, SMALL, ("text_blocks(x, work, ROW / HANJI_ASCON_RATE, use);",
                      "text_blocks(x, work, rows == 4096 ? 3 : ROW / HANJI_ASCON_RATE, use);"),
        LATE,
    ),
    "a late group": (
        SEAL, SMALL, (SEALED, f"if (groups != 4096)\n                {SEALED}"), LATE
    ),
    "messages of a later group": (
        SEAL, SMALL, (SEALED, SEALED.replace("r->in + m * stride", "r->in + (m & 4095) * stride")),
        LATE,
    ),
    "messages change places": (
        SEAL, SMALL, ("d[l] = bytes == ROW ?", "d[l ^ 1] = bytes == ROW ?"), f"{WRONG}|{LATE}"
    ),
    "padding": (
        SEAL, FULL, ("splat(padding_of(part, 8 * w))", "splat(padding_of(bytes, 8 * w))"),
        f"{WRONG}|{LATE}",
    ),
    "what is opened": (
        OPEN, SMALL, ("if (use == OPEN) /*", "if (use == SEAL) /*"), f"{WRONG}|{LATE}",
    ),
    "a byte too many": (
        SEAL, SMALL, ("UINT64_MAX >> (ROW - bytes);\n    size_t at = 0;\n    UNROLL\n    for (size_t g"
                      " = 0; g < GROUPS; g++) {\n        vec d[LANES];\n        UNROLL\n        for"
                      " (size_t l = 0; l < LANES; l++) {\n            d[l]",
                      "UINT64_MAX >> (ROW - bytes - 1);\n    size_t at = 0;\n    UNROLL\n    for "
                      "(size_t g = 0; g < GROUPS; g++) {\n        vec d[LANES];\n        UNROLL\n   "
                      "     for (size_t l = 0; l < LANES; l++) {\n            d[l]"),
        LATE,
    ),
    "one message more": (
        OPEN, FEWER, ("|| lane + 1 < count ? stride", "|| lane < count ? stride"), LATE
    ),
    "one message fewer": (
        SEAL, replace(FEWEST, count=LEAST + 2, message=LEAST + 1),
        ("|| lane + 1 < count ? stride", "|| lane + 2 < count ? stride"), f"{WRONG}|{LATE}",
    ),
    "a branch on a state": (
        SEAL, SMALL, ("        if (r->ad_bytes > 0)\n", "        if (work[0] == 7) return;\n"
                      "        if (r->ad_bytes > 0)\n"),
        "refused",
    ),
    "a late row of a digest": (
        HASH, SMALL, ("for (size_t b = 0; b < 8; b++) {\n            UNROLL",
                      "for (size_t b = 0; b < (rows == 4096 ? 7 : 8); b++) {\n            UNROLL"),
        LATE,
    ),
    "words of the begin": (HASH, SMALL, ("= splat(start[w]);", "= splat(start[4 - w]);"), WRONG),
    "a begin behind the state": (
        HASH, SMALL, ("= splat(start[w]);", "= splat(start[w + 1]);"), "refused"
    ),
    "padding of a digest": (
        HASH, LONG, ("padding_of(bytes % 8, 0)", "padding_of(bytes, 0)"), WRONG
    ),
    "padding alone": (HASH, WHOLE_ROWS, ("^= splat(1);", "^= splat(2);"), WRONG),
    "what is squeezed": (HASH, SMALL, ("g, w) = x[g][0];", "g, w) = x[g][1];"), WRONG),
    "digests of a later group": (
        HASH, SMALL, ("8 * r->words * m, r->words", "8 * r->words * (m & 4095), r->words"), LATE
    ),
    "digests of another message": (
        HASH, LONG, ("|| lane + 1 < count ? stride", "|| lane + 2 < count ? stride"),
        f"{WRONG}|{LATE}",
    ),
    "a digest that is too long": (
        HASH, SMALL, ("rows_squeeze(work, r->tags + 8 * r->words * m, r->words,",
                      "rows_squeeze(work, r->tags + 8 * r->words * m, r->words + 1,"),
        LATE,
    ),
    "a branch on a digest": (
        HASH, SMALL, ("        if (left > 0)\n            rows_absorb_last",
                      "        if (work[0] == 7) return;\n"
                      "        if (left > 0)\n            rows_absorb_last"),
        "refused",
    ),
}  # fmt: skip
BY_CLANG = (
    *("nonces too far", "the key of a later group", "a late row", "a late group", "padding"),
    *("one message more", "a branch on a state", "a late row of a digest", "a branch on a digest"),
)
QUICK = {("nonces too far", "gcc")}


@pytest.mark.parametrize(
    ("name", "compiler"),
    [
        row if row in QUICK else pytest.param(*row, marks=pytest.mark.slow)
        for row in [*((name, "gcc") for name in SPOILT), *((name, "clang") for name in BY_CLANG)]
    ],
)
def test_spoilt_messages_are_not_proved(name: str, compiler: str, tmp_path: Path) -> None:
    """Also those that are right for few rows and groups, and wrong for many."""
    function, shape, change, wanted = SPOILT[name]
    one = proving.spoilt(proving.kernel(SOURCE, function), tmp_path, change)
    found = _proved(one, shape, compiler)
    assert found.verdict != "proved"
    assert re.match(wanted, f"{found.verdict}: {found.why}", re.DOTALL), found.why
    assert not re.search("no rule|more than .* nodes", found.why), found.why


@pytest.mark.parametrize(("ad_bytes", "size"), [(0, 0), (5, 64), (64, 33), (81, 128)])
def test_a_message_is_that_of_the_specification(ad_bytes: int, size: int) -> None:
    """What is wanted of calls with some lengths, on numbers."""
    found, source = _found(), random.Random(f"{ad_bytes} {size}")
    nonce, key, data, text = map(source.randbytes, (16, 16, ad_bytes, size))
    sealed = found.seal(nonce, data, text, key)
    for opened in (False, True):
        messages = Messages(Graph(), found, Shape(LANES, 5, False, 16, ()), opened)
        given = {"nonce": nonce, "key": key}
        for kind, whole in (("data", data), ("text", sealed[:size] if opened else text)):
            for i in range(len(whole) // ROW):
                given[f"{kind} row {i}"] = whole[ROW * i : ROW * (i + 1)]
            given[f"last {kind}"] = whole[len(whole) // ROW * ROW :].ljust(ROW, b"\0")
        for name, known in given.items():
            messages.inputs.held[name, len(known)] = [number_bits(x, 8) for x in known]
        _, pieces = messages.whole(1, ad_bytes, size)
        made = b"".join(
            bytes(int(folded(byte)) for _, byte in sorted(one.wanted.items())) for one in pieces
        )
        assert made == (text + sealed[size:] if opened else sealed)


@pytest.mark.parametrize("size", [0, 33, 64, 135])
def test_a_digest_is_that_of_the_specification(size: int) -> None:
    found, message = _hash(), random.Random(size).randbytes(size)
    shape = Shape(LANES, 5, False, 0, (size % ROW,))
    messages = Digests(Graph(), found, shape)
    begin = to_bytes(PERMUTATION.permute_words([found.initial, 0, 0, 0, 0], PERMUTATION.big), 64)
    given = {"start": begin, "last text": message[size // ROW * ROW :].ljust(ROW, b"\0")}
    given |= {f"text row {i}": message[ROW * i : ROW * (i + 1)] for i in range(size // ROW)}
    for name, known in given.items():
        messages.inputs.held[name, len(known)] = [number_bits(x, 8) for x in known]
    _, pieces = messages.whole(1, 0, size)
    assert proving.written(pieces) == found.digest(message)


def test_each_length_of_a_digest_has_a_proof() -> None:
    names = [task.name for task in row_tasks(proving.kernel(SOURCE, HASH))]
    assert len(set(names)) == len(names) == 64 + LANES - LEAST
    full = [name for name in names if f"{LANES} in a group" in name]
    lasts = {int(name.split()[-4]) for name in full}
    assert len(full) == ROW and lasts == set(range(ROW))


def test_products_are_those_of_numbers() -> None:
    source = random.Random(1)
    length = Lin(0, {TEXT.rows: ROW, TEXT.last: 1})
    for _ in range(50):
        numbers = {name: source.getrandbits(64) for name in (GONE, TEXT.rows, TEXT.last)}
        numbers[f"{TEXT.name}{TIMES}"] = numbers[GONE] * _value(length, numbers)
        a = Lin(source.getrandbits(20), {GONE: source.randrange(1, 99)})
        times = source.randrange(1, 99)
        b = Lin(0, {name: factor * times for name, factor in length.t})
        for x, y in ((a, b), (b, a)):
            made = multiplied(x, y, {TEXT.name: length})
            assert made is not None
            assert (_value(made, numbers) - _value(a, numbers) * _value(b, numbers)) % 2**64 == 0
    for other in (Lin(1, {TEXT.rows: ROW, TEXT.last: 1}), Lin(0, {TEXT.rows: ROW}), length):
        assert multiplied(Lin(0, {"other": 1}), other, {TEXT.name: length}) is None
    assert multiplied(Lin(0, {GONE: 1}), Lin(0, {TEXT.rows: 1}), {TEXT.name: length}) is None


def _value(value: int | Lin, numbers: dict[str, int]) -> int:
    if isinstance(value, int):
        return value
    return value.c + sum(factor * numbers[name] for name, factor in value.t)


HALVES = (("rdi", 8), ("edi", 4))
AND_63 = bytes.fromhex("83e73f")  # and edi, 0x3f


def test_low_bits_of_a_count_are_a_count() -> None:
    """32 bits of it clear the upper half of a register; what does not fit is no count."""
    image: Any = SimpleNamespace(isa=X86)
    m = RowsMachine(Graph(), image, {})
    m.bounds = {TEXT.rows: (0, 1 << 50), TEXT.last: (0, ROW - 1)}
    rdi, edi = (Operand(register=REGISTERS[name], size=size) for name, size in HALVES)
    m.write("register", rdi.register[1], Lin(0, {TEXT.rows: ROW, TEXT.last: 1}), 8)
    with pytest.raises(OpenError):
        m.scalar(edi, 4)
    one = decoded(capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64), AND_63, 0x1000)
    RULES[one.name](m, one)
    assert m.scalar(rdi, 8) == m.scalar(edi, 4) == Lin(0, {TEXT.last: 1})


def test_each_length_and_each_message_has_a_proof() -> None:
    listed = list(shapes(16))
    full = [shape for shape in listed if shape.count == LANES]
    assert [shape.message for shape in full] == list(range(LANES))
    for in_place in (False, True):
        assert any(shape.in_place == in_place for shape in full)
    assert {last for shape in full for last in shape.lasts} == set(range(ROW))
    assert {shape.stride for shape in full} == {16, 0, STRIDE}
    fewer = {shape.count: shape for shape in listed if shape.count < LANES}
    assert set(fewer) == set(range(LEAST, LANES))
    assert all(shape.message == count - 1 for count, shape in fewer.items())
    assert list(FEWER.lanes) == list(range(18, LANES))
    assert list(FULL.lanes) == [3]
