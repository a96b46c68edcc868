# SPDX-License-Identifier: Apache-2.0
"""AEADs in PTX are proved for messages of any length; kernels that are spoilt are not."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import proving
import pytest

from hanji_lab import spec
from hanji_lab.prove import launch, lift, mutants, ptx_sponges
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.ptx_sponges import AsconAead, Form, Oracle, SchwaemmAead, Step
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Cond, Lin
from hanji_lab.prove.words import Word, bits_of, folded, number_bits

SCHWAEMM, ASCON = "gpu/generated/schwaemm256_sm75_fleet.ptx", "gpu/generated/ascon_sm75_fleet.ptx"
SEAL, OPEN = (SCHWAEMM, "sm75_seal_x1"), (SCHWAEMM, "sm75_open_x1")
ASCON_SEAL, ASCON_OPEN = (ASCON, "sm75_seal_x1"), (ASCON, "sm75_open_x1")
CI = [OPEN, ASCON_OPEN]
SLOW = [SEAL, ASCON_SEAL]


@pytest.mark.parametrize(
    ("source", "function"), CI + [pytest.param(*one, marks=pytest.mark.slow) for one in SLOW]
)
def test_aead_in_ptx_is_proved(source: str, function: str) -> None:
    found = proving.verdict(proving.kernel(source, function))
    assert (found.verdict, found.why) == ("proved", "")
    assert found.scope == {"separate": launch.ALL, "in place": launch.ALL}


WRONG = "counterexample: .* comes out wrong"
# A change of a proved kernel, and what must be said of it. No change may be proved.
SPOILT = {
    "domain": (SEAL, ("lop3.b32 %r330, %r30, 4,", "lop3.b32 %r330, %r30, 5,"), WRONG),
    "padding": (SEAL, ("shl.b32 %r263, 0x80", "shl.b32 %r263, 0x81"), WRONG),
    "steps of the last block": (SEAL, ("selp.u32 %r31, 11, 7, %p13", "mov.u32 %r31, 7"), WRONG),
    "steps of the others": (SEAL, ("selp.u32 %r31, 11, 7, %p13", "mov.u32 %r31, 11"), WRONG),
    "constant of a step": (SEAL, ("0x324e7738, %r36", "0x324e7739, %r36"), WRONG),
    "rate-whitening": (SEAL, ("%r24, %r283, %r28, 0x96", "%r24, %r283, %r29, 0x96"), WRONG),
    "key behind the end": (SEAL, ("xor.b32 %r348, %r29, %r9", "xor.b32 %r348, %r29, %r8"), WRONG),
    "status": (SEAL, ("mov.u32 %r349, 0;", "mov.u32 %r349, 1;"), WRONG),
    "text for associated data": (SEAL, ("mov.u32 %r30, 2;", "mov.u32 %r30, 0;"), "counterexample|open"),
    "no text": (
        SEAL,
        ("mov.u64 %d26, %d27;\n    setp.eq.u64", "mov.u64 %d26, 0;\n    setp.eq.u64"),
        WRONG,
    ),
    "data of the block before": (SEAL, ("    mov.b32 %r220, %r178;\n", ""), WRONG),
    "next block": (SEAL, ("add.u64 %d22, %d22, 32;", "add.u64 %d22, %d22, 16;"), "refused|open"),
    "pointer that stays": (
        SEAL,
        ("add.u64 %d25, %d25, %d29;", "add.u64 %d25, %d25, 0;"),
        "refused|counterexample",
    ),
    "bytes left": (SEAL, ("sub.u64 %d26, %d26, %d29;", "sub.u64 %d26, %d26, 16;"), "refused|open|counterexample"),
    "one byte too many": (SEAL, ("min.u64 %d28, %d26, 32;", "min.u64 %d28, %d26, 33;"), "refused|open|counterexample"),
    "other message's nonce": (
        SEAL,
        ("mad.wide.u32 %d6, %r4, 32", "mad.wide.u32 %d6, %r4, 16"),
        "refused: .* is in no part of nonces",
    ),
    "other message's tag": (
        SEAL,
        ("mad.wide.u32 %d32, %r4, 16", "mad.wide.u32 %d32, %r4, 32"),
        "refused: .* is in no part of tags",
    ),
    "aligned anywhere": (
        SEAL,
        ("and.pred %p17, %p15, %p16;", "and.pred %p17, %p15, %p15;"),
        "refused: .* are not aligned",
    ),
    "one message too many": (SEAL, ("setp.ge.u32 %p1, %r4, %r5", "setp.gt.u32 %p1, %r4, %r5"), "open"),
    "branch on data": (
        SEAL,
        ("setp.ne.u32 %p11, %r30, 0;", "setp.ne.u32 %p11, %r18, 0;"),
        "refused: .* a branch depends on secret data",
    ),
    "address from data": (
        SEAL,
        ("add.u64 %d36, %d34, %d35;", "cvt.u64.u32 %d36, %r345;"),
        "refused: .* an address depends on data",
    ),
    "part of the tag": (
        OPEN,
        ("or.b32 %r359, %r357, %r358;", "or.b32 %r359, %r357, %r357;"),
        "refused: .* more than whether a tag is right",
    ),
    "more than the tag": (
        OPEN,
        ("or.b32 %r359, %r357, %r358;", "or.b32 %r359, %r357, %r358;\n    or.b32 %r359, %r359, %r10;"),
        "refused: .* more than whether a tag is right",
    ),
    "other verdict": (OPEN, ("setp.ne.u32 %p94, %r359", "setp.eq.u32 %p94, %r359"), WRONG),
    "bits of the verdict": (OPEN, ("selp.u32 %r360, 253, 0", "selp.u32 %r360, 252, 0"), WRONG),
    "no verdict": (OPEN, ("    st.global.u8 [%d36], %r360;\n", ""), WRONG),
    "text that stays": (OPEN, ("@!%p94 bra L11;", "bra L11;"), "open|counterexample"),
    "ones for zeros": (OPEN, ("mov.u32 %r361, 0;", "mov.u32 %r361, 1;"), WRONG),
    "byte that stays": (OPEN, ("add.u64 %d39, %d38, %d10;", "add.u64 %d39, %d38, %d10;\n    add.u64 %d39, %d39, 1;"), "refused"),
    "every other byte": (OPEN, ("add.u64 %d39, %d39, 1;", "add.u64 %d39, %d39, 2;"), "refused|open"),
    "last byte stays": (OPEN, ("setp.eq.u64 %p95, %d27, 0;", "setp.le.u64 %p95, %d27, 1;"), "open|counterexample"),
    "half of the key": (ASCON_SEAL, ("xor.b32 %r20, %r20, %r6;", "xor.b32 %r20, %r20, %r7;"), WRONG),
    "bytes of nonces": (
        SEAL,
        ("bytes: 32 * messages", "bytes: 16 * messages"),
        "refused: the header gives nonces 16",
    ),
    "access to tags": (
        SEAL,
        ("bytes: 16 * messages, access: w", "bytes: 16 * messages, access: r"),
        "refused: the header gives tags access 'r'",
    ),
}  # fmt: skip
# The others are slow tests.
QUICK = {"domain", "data of the block before", "part of the tag", "byte that stays"}


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_aead_is_not_proved(name: str, tmp_path: Path) -> None:
    (source, function), change, wanted = SPOILT[name]
    one = proving.spoilt(proving.kernel(source, function), tmp_path, change)
    found = proving.verdict(one)
    assert found.verdict != "proved"
    assert re.match(wanted, f"{found.verdict}: {found.why}", re.DOTALL), found.why


MUTANTS = [(*SEAL, 4)]  # of these the slow set has more
MORE_MUTANTS = [(*SEAL, 40), (*OPEN, 40), (*ASCON_SEAL, 40), (*ASCON_OPEN, 40)]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_accepted_mutants_of_aeads_compute_the_same(source: str, function: str, count: int) -> None:
    """Bytes behind the last one are masked, whatever they are: mutants of them may be accepted."""
    one = proving.kernel(source, function)
    seen: Counter[str] = Counter()
    for mutant in mutants.ptx_mutants(Prover(proving.ROOT), one, count):
        seen[mutant.verdict.verdict] += 1
        if mutant.verdict.verdict == "proved":
            assert mutant.same, f"{mutant.before} became {mutant.after}"
    print(function, dict(seen))
    assert sum(seen.values()) == count
    assert seen["proved"] <= count // 3


def _done(aead: ptx_sponges.Aead, key: bytes, nonce: bytes, ad: bytes, text: bytes) -> bytes:
    """What the steps make of a message on numbers: text and tag."""
    g, width, rate = Graph(), aead.width, aead.rate

    def lifted(data: bytes) -> lift.Bytes:
        return [number_bits(byte, 8) for byte in data]

    def shown(data: lift.Bytes) -> bytes:
        return bytes(byte for bits in data if isinstance(byte := folded(bits), int))

    keys = lift.from_bytes(g, lifted(key), width)
    state, rounds = aead.begin(lift.from_bytes(g, lifted(nonce), width), keys)
    phase = aead.first[0] if ad or len(aead.first) == 1 else aead.first[1]
    left, out, ads = text, b"", ad
    while True:
        numbers = [folded(bits_of(word, width)) for word in state]
        made = aead.real.permute_words(numbers, rounds)
        options = list(aead.steps(phase))
        amount = tuple(
            ptx_sponges.MANY if len(data) >= rate + aead.rest else len(data) for data in (ads, left)
        )
        ((ad_left, text_left),) = (
            (a, b)
            for a, b in options
            if (a == amount[0] and (b == amount[1] or a != 0 or phase == "ad"))
        )
        data = {"ad": lifted(ads[:rate]), "in": lifted(left[:rate])}
        words = [Word(g, number_bits(word, width)) for word in made]
        step = Step(g, words, keys, data, ad_left, text_left)
        phase = aead.step(phase, step)
        out += shown(step.out)
        ads, left = ads[step.taken.get("ad", 0) :], left[step.taken.get("text", 0) :]
        if phase == ptx_sponges.ENDS:
            assert step.tag is not None
            return out + shown(step.tag)
        assert step.permuted is not None
        state, rounds = step.permuted


@pytest.mark.parametrize("opening", [False, True])
@pytest.mark.parametrize(
    ("name", "kind"), [("schwaemm256_128", SchwaemmAead), ("ascon_aead128", AsconAead)]
)
def test_steps_are_those_of_the_specification(
    name: str, kind: type[ptx_sponges.Aead], opening: bool
) -> None:
    """For all lengths up to two blocks and more of text, and of associated data."""
    found, source = spec.algorithm(name), random.Random(name)
    aead = kind(found, opening)
    most = 2 * aead.rate + 2
    lengths = [(0, n) for n in range(most)] + [(n, (7 * n) % most) for n in range(most)]
    for ad_size, size in lengths:
        key, nonce = source.randbytes(16), source.randbytes(aead.nonce_size)
        ad, text = source.randbytes(ad_size), source.randbytes(size)
        sealed = found.seal(nonce, ad, text, key)
        if opening:
            assert _done(aead, key, nonce, ad, sealed[:size]) == text + sealed[size:]
        else:
            assert _done(aead, key, nonce, ad, text) == sealed


def test_invariants_hold_nothing_of_one_step() -> None:
    """A word of a block, or an expression with a symbol of one run, is something else in another."""
    fixed = frozenset(range(1, 9))
    key, data = tuple(range(2, 10)), tuple(range(40, 48))
    known: dict[str, Lin | int] = {"place": 32, "left": Lin(0, {"@rest": 1})}
    assert ptx_sponges.forms("%r1", key, known, fixed) == [Form(key)]
    assert ptx_sponges.forms("%r1", data, known, fixed) == []
    assert ptx_sponges.forms("%r1", Lin(0, {"@rest": 1}), known, fixed) == []
    assert ptx_sponges.forms("%d1", Lin(0, {"@other": 1}), known, fixed) == []
    assert ptx_sponges.forms("%p1", Cond("equal", Lin(0, {"@rest": 1}), 0, 64), known, fixed) == []
    assert ptx_sponges.forms("%p1", Cond("equal", Lin(0, {"in": 1}), 0, 64), known, fixed)
    left = ptx_sponges.forms("%d1", Lin(4, {"@rest": 1}), known, fixed)
    assert Form(4, ("left",)) in left and all("left" in one.variables for one in left)


def test_permutation_of_other_rounds_is_not_taken() -> None:
    """An oracle says what it was given, and nothing of what it returns."""
    oracle = Oracle(7, 11)
    g = Graph()
    word = Word(g, g.word("x", 32))
    oracle.after = [Word(g, g.word("y", 32))]
    assert oracle.permute_words([word], 7) == oracle.after
    assert oracle.given == [([word], 7)]
