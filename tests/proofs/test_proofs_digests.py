# SPDX-License-Identifier: Apache-2.0
"""Kernels for one message of ESCH, whole or in pieces: proofs, spoilt ones, what a message is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import proving
import pytest

from hanji_lab import spec
from hanji_lab.kernels import Kernel
from hanji_lab.prove import digests, sponges
from hanji_lab.prove.digests import Digest
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.words import number_bits
from hanji_lab.spec.esch import RATE, Esch

AVX2, AVX512 = "sparkle/esch_avx2_x1.c", "sparkle/esch_avx512_x1.c"
WIDE, NARROW = (AVX512, "esch256_avx512_digest_x1"), (AVX2, "esch256_avx2_digest_x1")
SLOW = [NARROW, (AVX2, "esch384_avx2_digest_x1"), (AVX512, "esch384_avx512_digest_x1")]
PIECES = [(AVX512, "esch256_avx512_absorb_blocks_x1"), (AVX2, "esch384_avx2_end_x1")]
BLOCKS_OF, END_OF = (AVX2, "esch384_avx2_absorb_blocks_x1"), (AVX512, "esch256_avx512_end_x1")
HEADER, STEPS = "sparkle/esch_halves.h", "sparkle/sparkle_halves.h"


@pytest.mark.parametrize(
    ("source", "function"), [WIDE, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)]
)
def test_digests_are_proved(source: str, function: str) -> None:
    found = proving.verdict_by_gcc(proving.kernel(source, function))
    assert found.verdict == "proved", found.why
    assert found.scope == {digests.HASHES: "0 and more"}


@pytest.mark.parametrize(
    ("source", "function"),
    [*PIECES, *(pytest.param(*row, marks=pytest.mark.slow) for row in (BLOCKS_OF, END_OF))],
)
def test_pieces_of_a_message_are_proved(source: str, function: str) -> None:
    found = proving.verdict_by_gcc(proving.kernel(source, function))
    assert found.verdict == "proved", found.why
    name = sponges.ENDS if function.endswith("end_x1") else sponges.ALONE
    assert found.scope == {name: "0 and more"}


# A change of the header, and what must be said of it.
WRONG, LATE = "counterexample: .* differs from the specification", "open|refused"
BLOCKS = "    const size_t blocks = bytes == 0"
SLIM, BIG = "    halves_slim(s, half);\n", "    halves_big(s, half);\n"
SPOILT = {
    "domain": (NARROW, ("left == 16 ? 2u : 1u", "left == 16 ? 1u : 2u"), WRONG),
    "domain of many": (NARROW, ("left == 16 ?", "left == 16 || (left == 1 && bytes > 99) ?"), LATE),
    "domain of output": (NARROW, ("1u) ^ domain", "1u) ^ (domain & 3)"), WRONG),
    "padding": (NARROW, ("at_end(padding, left)", "at_end(padding, left & 15)"), WRONG),
    "a last block that is whole": (NARROW, ("(bytes - 1) / 16", "bytes / 16"), f"{WRONG}|{LATE}"),
    "blocks that stay": (NARROW, ("blocks--, message += 16", "blocks--"), f"{WRONG}|{LATE}"),
    "blocks": (NARROW, (BLOCKS, BLOCKS.replace("bytes", "bytes == 640 || bytes", 1)), LATE),
    "injection": (NARROW, ("both, 16)", "both, 15)"), WRONG),
    "steps behind a block": (NARROW, (f"    {SLIM}", f"    {BIG}"), WRONG),
    "steps of the last": (WIDE, (BIG, SLIM), WRONG),
    "steps of the output": (WIDE, (f"());\n{SLIM}", f"());\n{BIG}"), WRONG),
    "output that ends early": (WIDE, ("out_bytes <= 16", "out_bytes <= 17"), f"{WRONG}|{LATE}"),
    "output of many": (
        WIDE,
        ("_mm_storeu_si128((__m128i *)out, block);",
         "_mm_storeu_si128((__m128i *)(out_bytes == 4096 ? out - 16 : out), block);"),
        LATE,
    ),
    "a byte too many": (WIDE, ("block, out_bytes)", "block, out_bytes + 1)"), LATE),
    "a branch on the text": (
        WIDE,
        ("    last_into(&s,\n", "    if (bytes && message[0] == 7) return;\n    last_into(&s,\n"),
        "refused",
    ),
    "a look behind the message": (
        WIDE,
        ("message + 16 * blocks, left)", "message + 16 * blocks, left | 1)"),
        LATE,
    ),
    "blocks in pieces": (
        BLOCKS_OF, ("message, blocks, HALF_OF)", "message, blocks & 4095, HALF_OF)"), LATE
    ),
    "a part of a state": (BLOCKS_OF, ("rate, inner_of", "rate, outer_of"), WRONG),
    "a block that is behind": (
        BLOCKS_OF, ("(const __m128i *)message), half", "(const __m128i *)message + 1), half"),
        "refused|open",
    ),
    "domain of the end": (END_OF, ("domain << 8", "domain << 9"), WRONG),
    "steps of the end": (END_OF, (BIG, SLIM), WRONG),
    "the first output": (END_OF, ("if (i > 0)", "if (i + 1 < blocks)"), WRONG),
    "an output more": (END_OF, ("i < blocks; i++", "i <= blocks; i++"), "refused|open"),
    "an output of many": (END_OF, ("(out + 16 * i)", "(out + 16 * (i & 4095))"), LATE),
    "a branch on the state": (
        END_OF,
        ("(size_t i = 0; i < blocks; i++)", "(size_t i = bytes[0] == 7; i < blocks; i++)"),
        "refused",
    ),
}  # fmt: skip
QUICK = {"blocks in pieces", "an output of many"}


def _spoilt(one: Kernel, directory: Path, change: tuple[str, str]) -> Kernel:
    """The kernel with another header."""
    text = (proving.ROOT / "src" / HEADER).read_text()
    assert change[0] in text, f"the header has no {change[0]!r}"
    return proving.in_one_header(one, directory, HEADER, STEPS, text.replace(*change, 1))


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_digests_are_not_proved(name: str, tmp_path: Path) -> None:
    """Also those that are right for short messages, and wrong for long ones."""
    row, change, wanted = SPOILT[name]
    found = proving.verdict_by_gcc(_spoilt(proving.kernel(*row), tmp_path, change))
    assert found.verdict != "proved"
    assert re.match(wanted, f"{found.verdict}: {found.why}", re.DOTALL), found.why


MORE_MUTANTS = [(*NARROW, 20), (*WIDE, 20)]  # all of them are slow


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_mutants_of_digests_are_not_accepted(source: str, function: str, count: int) -> None:
    proving.mutants_are_refused(source, function, count)


@pytest.mark.parametrize("name", ["esch256", "xoesch384"])
def test_a_digest_is_that_of_the_specification(name: str) -> None:
    """What is wanted of calls with some lengths, on numbers; extendable output by its domain."""
    found, kept = spec.algorithm(name), spec.algorithm(name.removeprefix("xo"))
    assert isinstance(found, Esch)
    assert isinstance(kept, Esch)
    source, size = random.Random(name), found.digest_size or 37
    for length in (0, 16, 37):
        digest = Digest(Graph(), kept)
        message = source.randbytes(length)
        digest.domain = number_bits(found.domain_short ^ kept.domain_short, 8)
        count = max(1, -(-length // RATE))
        for at in range(count):
            block = [number_bits(byte, 8) for byte in message[RATE * at : RATE * (at + 1)]]
            tag = "last" if at == count - 1 else f"block {at}"
            digest.inputs.held[tag, RATE] = block + [(0,) * 8] * (RATE - len(block))
        part = digest.whole(length, size)
        made = proving.written(part.pieces(None, 0))
        assert made == found.digest(message, size)


def test_parts_of_a_message_are_the_whole_of_it() -> None:
    """A last block is the permutation behind what it leaves."""
    found = spec.algorithm("esch256")
    assert isinstance(found, Esch)
    digest = Digest(Graph(), found)
    for size in (7, RATE):
        before = digest.ended(digest.state, size, digests.PERMUTES)
        behind = digest.permuted(before, found.permutation.big)
        assert behind == digest.ended(digest.state, size, digests.ASKS)


@pytest.mark.parametrize("name", ["esch256", "xoesch384"])
def test_pieces_are_those_of_the_specification(name: str) -> None:
    """What is wanted of calls with some blocks, for random inputs."""
    found = spec.algorithm(name)
    assert isinstance(found, Esch)
    size = found.permutation.state_size
    for count in (0, 1, 3):
        g = proving.Known(count)
        wanted = proving.wanted_of(next(sponges._hash_blocks(g, found)), count)
        message = b"".join(g.given(f"unit {i}", RATE) for i in range(count))
        assert wanted["state"] == found.absorb_blocks(g.given("state", size), message)
        g = proving.Known(count)
        *few, case = sponges._hash_end(g, found)
        assert case.otherwise
        last, domain = g.given("last", RATE), g.given("domain", 1)[0]
        made = found.end(g.given("state", size), last, domain, count)
        for one in [case, case.otherwise] if count > 1 else [few[count]]:
            wanted = proving.wanted_of(one, max(count - 1, 0))
            names = sorted(one for one in wanted if one.startswith("out"))
            names.sort(key=lambda one: ["out firs", "out unit", "out last"].index(one[:8]))
            out = b"".join(wanted[name] for name in names)
            assert (wanted["state"], out) == made
