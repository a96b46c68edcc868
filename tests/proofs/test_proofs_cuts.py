# SPDX-License-Identifier: Apache-2.0
"""Kernels for one message of SCHWAEMM: proofs, spoilt kernels, and what a message is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import proving
import pytest

from hanji_lab import spec
from hanji_lab.kernels import Kernel
from hanji_lab.prove import cuts
from hanji_lab.prove.cuts import AD, APART, IN_PLACE, Message
from hanji_lab.prove.engines import flat_of
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.words import number_bits
from hanji_lab.spec.schwaemm import Schwaemm

AVX2, AVX512 = "sparkle/schwaemm_avx2_x1.c", "sparkle/schwaemm_avx512_x1.c"
SEAL, OPEN = (AVX2, "schwaemm128_128_avx2_seal_x1"), (AVX2, "schwaemm128_128_avx2_open_x1")
SLOW = [
    OPEN,
    (AVX2, "schwaemm192_192_avx2_open_x1"),
    (AVX512, "schwaemm256_128_avx512_seal_x1"),
    (AVX512, "schwaemm256_256_avx512_open_x1"),
]
HEADER, STEPS = "sparkle/schwaemm_halves.h", "sparkle/sparkle_halves.h"


@pytest.mark.parametrize(
    ("source", "function"), [SEAL, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)]
)
def test_messages_are_proved(source: str, function: str) -> None:
    found = proving.verdict_by_gcc(proving.kernel(source, function))
    assert found.verdict == "proved", found.why
    assert found.scope == {cuts.MESSAGES: "0 and more"}


# A change of the headers that all kernels of messages share, and what must be said of it.
WRONG = "counterexample: .* differs from the specification"
SPOILT = {
    "domain of associated data": (SEAL, ("full ? 1 : 0", "full ? 0 : 1"), WRONG),
    "domain of the text": (SEAL, ("full ? 3 : 2", "full ? 2 : 3"), WRONG),
    "padding": (SEAL, ("{[32] = 0x80}", "{[32] = 0x81}"), WRONG),
    "a last chunk that is whole": (
        SEAL,
        ("ad_bytes > chunk_bytes;", "ad_bytes >= chunk_bytes;"),
        WRONG,
    ),
    "text that follows": (SEAL, ("in += chunk_bytes, out", "in += 1, out"), "refused|open|counter"),
    "text that stays": (
        SEAL,
        ("in += chunk_bytes, out += chunk_bytes", "in += chunk_bytes"),
        "refused|open|counter",
    ),
    "steps behind a chunk": (
        SEAL,
        ("halves_slim(&s, HALF_OF);", "halves_big(&s, HALF_OF);"),
        WRONG,
    ),
    "key of the tag": (
        SEAL,
        ("sum(k, inner_of", "sum(state_of(k, k, rate, capacity).x, inner_of"),
        WRONG,
    ),
    "a byte too many": (
        SEAL,
        (
            "store_few(p, _mm256_castsi256_si128(v), bytes);",
            "store_few(p, _mm256_castsi256_si128(v), bytes + 1);",
        ),
        "refused|open",
    ),
    "a branch on the text": (
        SEAL,
        (
            "const int full = bytes ==",
            "if (bytes && in[0] == 7) return;\n        const int full = bytes ==",
        ),
        "refused",
    ),
    "what is opened": (OPEN, ("_mm256_and_si256(changed, at_end(kept, bytes))", "changed"), WRONG),
    "sealed for opened": (OPEN, ("if (open)\n                d = changed;", ""), WRONG),
}  # fmt: skip
SPOILT["wrong after many"] = (
    SEAL,
    (
        "    store_chunk(tag, sum",
        "    if (tag_bytes > 100000) s.x = s.y;\n    store_chunk(tag, sum",
    ),
    "open|refused",
)
QUICK = {"wrong after many"}


def _spoilt(one: Kernel, directory: Path, change: tuple[str, str]) -> Kernel:
    """The kernel with another header."""
    text = (proving.ROOT / "src" / HEADER).read_text()
    if "tag_bytes" in change[1]:
        text = text.replace(
            "    const size_t chunk_bytes", "    const size_t tag_bytes = bytes, chunk_bytes", 1
        )
    assert change[0] in text, f"the header has no {change[0]!r}"
    return proving.in_one_header(one, directory, HEADER, STEPS, text.replace(*change, 1))


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_messages_are_not_proved(name: str, tmp_path: Path) -> None:
    """Also those that are right for short texts, and wrong for long ones."""
    row, change, wanted = SPOILT[name]
    found = proving.verdict_by_gcc(_spoilt(proving.kernel(*row), tmp_path, change))
    assert found.verdict != "proved"
    assert re.match(wanted, f"{found.verdict}: {found.why}", re.DOTALL), found.why


# Behind a vmovq, which clears the rest of the register; the other one is written before it is read.
EQUIVALENT = {("vmovdqa xmm6, xmm6", "vmovdqa xmm8, xmm6")}
MUTANTS: list[tuple[str, str, int]] = []  # all of them are slow
MORE_MUTANTS = [(*SEAL, 20), (AVX512, "schwaemm128_128_avx512_open_x1", 20)]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_mutants_of_messages_are_not_accepted(source: str, function: str, count: int) -> None:
    proving.mutants_are_refused(source, function, count, EQUIVALENT)


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize(
    "name", ["schwaemm256_128", "schwaemm192_192", "schwaemm128_128", "schwaemm256_256"]
)
def test_a_message_is_that_of_the_specification(name: str, opened: bool) -> None:
    """What is wanted of calls with some lengths, on numbers."""
    found, source = spec.algorithm(name), random.Random(name)
    assert isinstance(found, Schwaemm)
    rate = found.rate
    for ad_size, size in ((0, 0), (1, rate), (rate, rate - 1), (rate + 3, 2 * rate), (2 * rate, 5)):
        message = Message(Graph(), found, opened)
        key, nonce = source.randbytes(found.key_size), source.randbytes(found.nonce_size)
        ad, text = source.randbytes(ad_size), source.randbytes(size)
        sealed = found.seal(nonce, ad, text, key)
        given = sealed[:size] if opened else text
        message.key = [number_bits(byte, 8) for byte in key]
        message.nonce = [number_bits(byte, 8) for byte in nonce]
        for buffer, data in (("ad", ad), ("in", given)):
            for at in range(0, len(data), rate):
                chunk = [number_bits(byte, 8) for byte in data[at : at + rate]]
                message.inputs.held[f"{buffer} {at // rate}", len(chunk)] = chunk
        part = message.whole(ad_size, size, APART)
        made = proving.written(part.pieces(None, 0))
        assert made == (text if opened else sealed[:size]) + sealed[size:]


def test_a_last_chunk_is_the_permutation_behind_what_it_leaves() -> None:
    found = spec.algorithm("schwaemm192_192")
    assert isinstance(found, Schwaemm)
    message = Message(Graph(), found, False)
    data = message.inputs.bytes_of("last", found.rate)[:7]
    for phase in (AD, IN_PLACE):
        _, still = message.unpermuted().absorbed(phase, message.state, data, True)
        words = cuts.words_of(message.g, still, cuts.WIDTH)
        behind = found.permutation.permute_words(words, found.permutation.big)
        assert flat_of(behind, cuts.WIDTH) == message.absorbed(phase, message.state, data, True)[1]
