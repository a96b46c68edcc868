# SPDX-License-Identifier: Apache-2.0
"""Kernels for AVR: proofs, spoilt kernels, mutants, and the rules beside simavr."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import debian
import proving
import pytest

from hanji_lab.prove import lifter, lifter_avr, mutants, soundness
from hanji_lab.prove.avr import AvrImage, C, Instruction, N, Z
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.lifter_avr import AvrJudge, FlatAvr
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Cond, Lin, RefusedError, Value

SPECK = ("speck/speck64_avr_x1.S", "speck64_128_avr_encrypt_x1")
CHAM = ("cham/cham64_avr_x1.S", "cham64_128_avr_encrypt_x1")
ABSORB = ("ascon/ascon_avr_x1.S", "aead128_avr_absorb_x1")
SEAL = ("ascon/ascon_avr_x1.S", "aead128_avr_seal_x1")
SPARKLE = ("sparkle/sparkle256_avr.S", "sparkle256_avr_x1")

PROVED = [
    SPECK,
    CHAM,
    pytest.param(*ABSORB, marks=pytest.mark.slow),
    pytest.param(*SEAL, marks=pytest.mark.slow),
    pytest.param(*SPARKLE, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("source", "function"), PROVED)
def test_kernels_are_proved(source: str, function: str) -> None:
    found = proving.verdict(proving.kernel(source, function))
    assert found.verdict == "proved", found.why
    assert set(found.scope.values()) == {"0 and more"}


@pytest.mark.slow
def test_small_kernels_are_proved(tmp_path: Path) -> None:
    proving.small_is_proved(*SPARKLE, tmp_path, 2)


# What is put in the place of what, and what the verdict or its reason must have.
SPOILT = {
    "registers that change places": (*SPECK, "5, 4, 3, 2\n", "5, 4, 2, 3\n", "not given back"),
    "a register that is not saved": (*SPECK, "8, 9, 28, 29\n", "8, 9, 28\n", "of stack"),
    "one in r1": (*SPECK, ".Lend\\@:\n", ".Lend\\@:\n    inc r1\n", "r1 is not given back"),
    "a branch on data": (*SPECK, "    dec ROUND\n", "    dec X0\n", "depends on data"),
    "a skip on data": (*CHAM, "    sbrs I, 3", "    sbrs A0, 3", "depends on data"),
    "a carry less": (*SPECK, "    adc X1, Y1", "    add X1, Y1", "counterexample"),
    "a fixed address": (
        *CHAM, "    clr I\n", "    clr I\n    ldi r30, 64\n    ldi r31, 1\n", "a fixed address",
    ),
    "keys that move on": (*CHAM, "    sbiw r30, 16", "    sbiw r30, 15", "of keys"),
    "a table by data": (*SPARKLE, "    mov r30, STEP", "    mov r30, X0", "depends on data"),
    "another constant": (*SPARKLE, "    andi r30, 7", "    andi r30, 3", "counterexample"),
    "a half that is forgotten": (*SPARKLE, "    sbci r23, 0", "    nop", "lower half"),
    "a count of 256 more": (*ABSORB, "    sbci r21, 0", "    sbci r21, 1", ""),
    "the last block alone": (*ABSORB, "    ldi CONSTANT, \\first", "    ldi CONSTANT, 0x78", ""),
    "the text for the output": (*SEAL, "    st Z+, r20", "    st Z+, r19", "counterexample"),
}  # fmt: skip
QUICK = ("one in r1", "a branch on data", "a fixed address")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_kernels_are_not_proved(name: str, tmp_path: Path) -> None:
    source, function, old, new, said = SPOILT[name]
    included = "sparkle" in source  # what is spoilt is in the file that it includes
    changes = () if included else ((old, new),)
    one = proving.spoilt(proving.kernel(source, function), tmp_path, *changes)
    if included:
        path = Path(one.source).with_name("sparkle_avr.inc")
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
    found = proving.verdict(one)
    assert found.verdict != "proved"
    assert said in f"{found.verdict} {found.why}"


@pytest.mark.slow
def test_machines_run_a_counterexample(tmp_path: Path) -> None:
    debian.need("simavr")
    change = ("    adc X1, Y1", "    add X1, Y1")
    proving.machine_runs(*SPECK, change, "simavr:atmega328p", tmp_path)


def _attacked(source: str, function: str, count: int) -> None:
    one = proving.kernel(source, function)
    proving.need(one)
    seen: Counter[str] = Counter()
    for mutant in mutants.mutants(Prover(proving.ROOT), one, count):
        seen[mutant.verdict.verdict] += 1
        assert mutant.verdict.verdict != "proved", f"{mutant.before} became {mutant.after}"
    print(function, dict(seen))
    assert seen["counterexample"] + seen["refused"] >= count // 2


MUTANTS = [(*SPECK, 6)]
MORE_MUTANTS = [(*SPECK, 80), (*CHAM, 60), (*SPARKLE, 60)]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    _attacked(source, function, count)


LIFTED = [
    SPECK,
    CHAM,
    ("ascon/ascon_avr_x1.S", "ascon_p_avr_x1"),
    ABSORB,
    SEAL,
    SPARKLE,
    ("sparkle/sparkle384_avr.S", "x1"),
    ("speck/speck64_avr.c", "speck64_128_avr_ctr_x1"),
]


@cache
def _words() -> dict[int, str]:
    """An instruction of each mnemonic of the kernels."""
    found: dict[int, str] = {}
    for source, function in LIFTED:
        one = proving.kernel(source, function)
        proving.need(one)
        image = Prover(proving.ROOT).image(one)
        places = lifter.reached(image, image.symbols[one.symbol])
        for word, name in lifter.instructions(image, places, 1).items():
            if name not in found.values():
                found[word] = name
    return found


def test_rules_agree_with_simavr(tmp_path: Path) -> None:
    """Every mnemonic of these kernels, on numbers and symbols."""
    debian.need("simavr")
    assert AvrJudge(tmp_path, rounds=2).judge(_words()) == []
    assert {"adc", "sbci", "sbiw", "cpse", "sbrs", "lpm z+", "rcall", "ret"} <= set(
        _words().values()
    )


@pytest.mark.slow
def test_all_rules_agree_with_simavr(tmp_path: Path) -> None:
    """Every instruction that has a rule, with any operands."""
    debian.need("simavr")
    words = lifter_avr.drawn(random.Random(1), 12)
    assert AvrJudge(tmp_path).judge(words) == []
    assert {"cpc", "sbc", "neg", "asr", "brmi", "brtc", "ld -x", "std z"} <= set(words.values())


def test_every_mnemonic_of_a_proof_was_judged() -> None:
    """What kernels with a stored proof execute is what simavr was asked about."""
    rows = json.loads((proving.ROOT / soundness.STORED).read_text())
    used = {
        name
        for row in rows
        if row["verdict"] == "proved" and row["isa"] == "avr"
        for name in row["mnemonics"]
    }
    assert used
    assert used <= set(_words().values())


class _Wrong(FlatAvr):
    """Z of SBCI hangs on its own byte alone, and INC takes two."""

    def _both(self, before: Value) -> None:
        return

    def _arithmetic(self, one: Instruction) -> None:
        super()._arithmetic(one)
        if one.name == "inc":
            super()._arithmetic(one)


def test_judge_sees_wrong_rules(tmp_path: Path) -> None:
    """The control."""
    debian.need("simavr")
    judge = AvrJudge(tmp_path, rounds=12)
    judge.machine = _Wrong
    words = {word: name for word, name in _words().items() if name in ("sbci", "inc", "dec")}
    found = {finding.mnemonic for finding in judge.judge(words)}
    assert found == {"sbci", "inc"}


@cache
def _image() -> AvrImage:
    one = proving.kernel(*SPECK)
    proving.need(one)
    image = Prover(proving.ROOT).image(one)
    assert isinstance(image, AvrImage)
    return image


def _machine(g: Graph) -> FlatAvr:
    return FlatAvr(g, _image(), {})


def test_sums_of_bytes_are_those_of_numbers() -> None:
    """Any order of additions, moves and shifts, where sums are read early, late, or in part."""
    source = random.Random(3)
    names = ["add", "adc", "adc", "adc", "mov", "eor", "sub", "sbc", "ror"]
    g = Graph()
    symbolic, numbers = _machine(g), _machine(g)
    for _ in range(40):
        for k in range(8):
            number = source.randrange(256)
            numbers.put(k, number)
            bits = [
                g.input(f"r{k}", i, source.getrandbits(60) << 1 | number >> i & 1) for i in range(8)
            ]
            symbolic.put(k, tuple(bits))
        for m in (symbolic, numbers):
            for flag in (C, Z, N):
                m.put(flag, 0)
        for _ in range(30):
            one = Instruction(source.choice(names), source.randrange(8), source.randrange(8))
            for m in (symbolic, numbers):
                if one.name == "mov":
                    m.spaces["register"][one.d] = m.cell(one.r)
                else:
                    m._arithmetic(one)
        for at in (*range(8), C, Z, N):
            a, b = (m.concrete(m.value(m.cell(at))) for m in (symbolic, numbers))
            assert a == b


def test_halves_of_counts_are_those_of_numbers() -> None:
    """SUBI and SBCI, ADD and ADC, CPI and CPC on expressions, for all values of a symbol."""
    source = random.Random(4)
    decided = 0
    for _ in range(200):
        lin = Lin(source.randrange(-300, 300), {"n": source.choice((1, 2, 16, -1))})
        low, high = source.randrange(256), source.choice((0, 0, 1, 255, source.randrange(256)))
        names = source.choice((("subi", "sbci"), ("cpi", "cpc"), ("add", "adc")))
        ends = sorted(source.sample(range(900), 2))
        m = _machine(Graph())
        m.bounds["n"] = (ends[0], ends[1])
        m.write("register", 20, lin, 2)
        m.put(18, low)
        m.put(19, high)
        for i, (name, k) in enumerate(zip(names, (low, high), strict=True)):
            m._arithmetic(Instruction(name, 20 + i, 18 + i, k))
        held = m.pair(20)
        flags = [m.cell(at)[0] for at in (C, Z)]
        for n in ends:
            before = (lin.c + lin.factors["n"] * n) % 65536
            number = low + 256 * high
            after = {"c": before, "s": before - number, "a": before + number}[names[0][0]] % 65536
            assert isinstance(held, Lin)
            assert (held.c + held.factors["n"] * n) % 65536 == after
            for flag, truth in zip(flags, (before < number, before == number), strict=True):
                if not isinstance(flag, Cond):
                    assert names[0] == "add"
                    continue
                try:
                    assert flag.decide(m.bounds) == truth
                except RefusedError:
                    continue
                decided += 1
    assert decided > 100


def test_halves_of_different_expressions_are_no_address() -> None:
    m = _machine(Graph())
    m.spaces["register"] |= {26: (Lin(1, {"p": 1}), 0, 2), 27: (Lin(257, {"p": 1}), 1, 2)}
    assert m.pair(26) == Lin(257, {"p": 1})
    for other in (Lin(256, {"p": 1}), Lin(1, {"q": 1})):
        m.spaces["register"][27] = (other, 1, 2)
        with pytest.raises(OpenError, match="no halves"):
            m.pair(26)
    m.spaces["register"][27] = (Lin(1, {"p": 1}), 0, 2)
    with pytest.raises(OpenError, match="no halves"):
        m.pair(26)
