# SPDX-License-Identifier: Apache-2.0
"""What a proof trusts is checked by other means: rules and joins by another solver, the lifter by an
emulator, all of it by mutants.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import proving
import pytest
import test_proofs_arm_fields
import test_proofs_arm_fleets
import test_proofs_avr
import test_proofs_engines
import test_proofs_fields
import test_proofs_firmware
import test_proofs_fleets
import test_proofs_messages
import test_proofs_neon_lanes
import test_proofs_ptx
import test_proofs_ragged
import test_proofs_solving
import test_proofs_sponges
import test_proofs_thumb
import test_proofs_x86

from hanji_lab import spec
from hanji_lab.prove import contracts, lift, lifter, mutants, rules, soundness
from hanji_lab.prove.graph import Graph, Join
from hanji_lab.prove.induct import Call
from hanji_lab.prove.pcode import Image
from hanji_lab.prove.report import Prover, graph_of
from hanji_lab.prove.values import Cond, Lin, UndecidedError
from hanji_lab.prove.words import Sum, Word, less_carry, plus_borrow

WIDTHS = [
    8,
    16,
    *(
        pytest.param(width, marks=pytest.mark.slow)
        for width in rules.WIDTHS
        if width not in (8, 16)
    ),
]


@pytest.mark.parametrize("width", WIDTHS)
def test_rules_for_sums_are_proved(width: int) -> None:
    names = Counter(rule.name.split(" of ")[0] for rule in rules.rules(width))
    assert sum(names.values()) > 2 * (width - 1)
    for rule in rules.rules(width):
        assert rules.proved(rule), f"{rule.name}, {width} bits"


@pytest.mark.parametrize("bit", [0, 3, 7])
def test_wrong_rule_is_not_proved(bit: int) -> None:
    """The control: one bit of what a rule built is another."""
    for rule in rules.rules(8):
        wrong = list(rule.built)
        wrong[bit % len(wrong)] ^= 1
        assert not rules.proved(rule, tuple(wrong)), rule.name


def test_rules_for_carries_want_the_carry() -> None:
    """Another bit than the carry, or the carry in another place, is no reason to split a sum."""
    g = Graph()
    x, y = g.word("x", 16), g.word("y", 16)
    total = Sum(g, (x, y))
    assert less_carry(g, total, (0,) * 8 + (x[3],) + (0,) * 7) is None
    assert less_carry(g, total, (x[0],) + (0,) * 15) is None
    assert less_carry(g, Sum(g, (x, y, y)), (0,) * 16) is None
    from hanji_lab.prove.words import Difference, carry_out, less, not_

    assert less(g, total.bits(), x) == less(g, total.bits(), y) == carry_out(g, x, y)
    for a, b in ((x, y), (x, total.bits()), (total.bits(), (*x[:-1], x[-1] ^ 1))):
        assert less(g, a, b) == carry_out(g, a, not_(b), 1) ^ 1 != carry_out(g, x, y)

    borrow = carry_out(g, x[:8], not_(y[:8]), 1) ^ 1
    difference = Difference(g, x, y)
    assert plus_borrow(g, difference, (0,) * 8 + (borrow ^ 1,) + (0,) * 7) is None
    assert plus_borrow(g, difference, (0,) * 9 + (borrow,) + (0,) * 6) is None


def test_unequal_nodes_are_not_joined() -> None:
    """Nodes that agree in all runs but are not equal stay apart, and the solver says for what."""
    g = Graph()
    bits = g.word("x", 64)
    rare = bits[0]
    for bit in bits[1:]:
        rare = g.and_(rare, bit)
    assert g.value(rare) == 0
    assert not g.same(rare, 0)
    model = g.difference(rare, 0)
    assert model is not None
    assert all(model[bit >> 1] for bit in bits)


def test_joins_are_right_for_random_inputs() -> None:
    """Joined literals have the same values on inputs that no run of the graph had."""
    import random

    g, _ = _proved_graph("simon/simon64_avx2.c", "simon64_128_avx2_ctr_x8")
    assert {join.method for join in g.joins} == {"sum", "table", "solver"}
    source = random.Random(5)
    inputs = {n: source.getrandbits(256) for n in g.names}
    literals = [x for join in g.joins for x in (join.left, join.right)]
    values = g.evaluate(inputs, literals, 256)
    assert values[0::2] == values[1::2]


def _proved_graph(source: str, function: str) -> tuple[Graph, Call]:
    one = proving.kernel(source, function)
    proving.need(one)
    prover = Prover(proving.ROOT)
    task = next(iter(contracts.tasks(one)))
    g = graph_of(task)(seconds=proving.SECONDS)
    call = Call(g, prover.image(one), task)
    call.fixed(1)
    return g, call


def test_second_solver_sees_a_wrong_join() -> None:
    g = Graph()
    x, y = g.word("x", 2)
    assert rules.rechecked(g, Join("table", g.or_(x, y), g.xor(g.xor(x, y), g.and_(x, y)))) is True
    assert rules.rechecked(g, Join("table", g.or_(x, y), g.xor(x, y))) is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "function"),
    [
        ("ascon/ascon_p_rv32i_x1.S", "x1"),
        ("simon/simon64_avx2.c", "simon64_128_avx2_ctr_x8"),
        ("speck/speck64_avx2.c", "speck64_128_avx2_ctr_x8"),
        ("speck/speck64_neon.c", "speck64_128_neon_ctr_x4"),
    ],
)
def test_second_solver_agrees_with_joins(source: str, function: str) -> None:
    g, _ = _proved_graph(source, function)
    answers = Counter(rules.rechecked(g, join) for join in g.joins[:: max(1, len(g.joins) // 300)])
    assert answers[False] == 0
    assert answers[True] > 40


def test_conditions_are_decided_for_all_values() -> None:
    bounds = {"n": (1, 1 << 30), "p": (1, (1 << 32) - 101)}
    n = Lin(0, {"n": 1})
    assert not Cond("equal", Lin(1, {"n": 1}), 1, 32).decide(bounds)
    assert not Cond("equal", Lin(0, {"p": 1}), 0, 32).decide(bounds)
    assert Cond("below", 0, n, 32).decide(bounds)
    assert Cond("equal", Lin(0, {"n": 2}), 2, 32, True).decide({"n": (2, 1 << 30)})
    for undecided in (
        Cond("equal", n, 1, 32),
        Cond("equal", Lin(0, {"n": 4}), 0, 32),  # 4 * 2^30 is 0
        Cond("below", Lin(-2, {"n": 1}), 5, 32),  # n = 1 wraps around
        Cond("below", 1, n, 32),
        Cond("less", Lin(0, {"n": 2}), 0, 32),  # 2^31 is negative
        Cond("equal", n, Lin(0, {"p": 1}), 32),
    ):
        with pytest.raises(UndecidedError):
            undecided.decide(bounds)


def test_order_of_negative_numbers_is_that_of_what_they_stand_for() -> None:
    """Of all values that a symbol may have, of six bits and without a sign."""
    rows = itertools.product(range(-66, 67, 3), (-2, -1, 1, 3), (0, 1, 20, 40, 63), (0, 1))
    decided = Counter[bool]()
    for c, factor, other, swapped in rows:
        for ends in ((1, 4), (0, 4), (0, 20)):
            pair = [Lin(c, {"n": factor}), other]
            a, b = pair[::-1] if swapped else pair
            values = [((c + factor * n) % 64, other) for n in range(ends[0], ends[1] + 1)]
            truth = {(y < x) if swapped else (x < y) for x, y in values}
            try:
                found = Cond("below", a, b, 6).decide({"n": ends})
            except UndecidedError:
                continue
            assert truth == {found}
            decided[found] += c < -12
    assert min(decided.values()) > 20


def test_symbolic_words_compute_as_numbers_do() -> None:
    """What lifts a specification gives the specification's own values in every run."""
    for name in ("speck48_96", "cham64_128", "simon64_128", "simeck48_96"):
        g = Graph()
        cipher = spec.algorithm(name)
        lifted = lift.blocks(g, cipher, "ctr", 2, "keys", "canonical")
        data = [g.word(f"in {i}", 8) for i in range(lifted.size)]
        made = lifted.compute(data, lifted.counter)
        held = list(lifted.fixed["keys"])
        width = cipher.width // 8

        def run(cells: list[tuple[int, ...]], g: Graph = g) -> bytes:
            return bytes(sum((g.value(x) >> 7 & 1) << i for i, x in enumerate(c)) for c in cells)

        wide = len(held) // lift.round_key_count(cipher)
        keys = [
            int.from_bytes(run(held)[at : at + width], "little") for at in range(0, len(held), wide)
        ]
        iv = int.from_bytes(run(lifted.fixed["counter"]), "big")
        stream = b""
        for i in range(2):
            block = ((iv + i) % (1 << 8 * cipher.block_size)).to_bytes(cipher.block_size, "big")
            words = cipher.encrypt_words(cipher.block_to_words(block), keys)
            stream += cipher.words_to_block(words)
        assert run(made) == bytes(a ^ b for a, b in zip(run(data), stream, strict=True)), name


def test_symbolic_word_refuses_what_is_too_wide() -> None:
    g = Graph()
    with pytest.raises(ValueError, match="at most 8"):
        Word(g, g.word("x", 9)).bits(8)


LIFTED = {
    "RV32": [
        ("speck/speck32_rv32i_x2.S", "encrypt_x2"),
        ("cham/cham64_rv32i_x2.S", "decrypt_x2"),
        ("speck/speck32_zbkb_x2.S", "encrypt_x2"),
        ("sparkle/sparkle256_rv32i.S", "x1"),
        ("ascon/ascon_p_rv32i_x1.S", "x1"),
        ("ascon/ascon_zbkb_x1.S", "p_zbkb_x1"),
        ("ascon/ascon_zbkb_x1.S", "seal_x1"),
        ("speck/generated/speck32_rv32i_x32.S", "ctr_x32"),
        ("cham/cham64_zbkb_x2.S", "decrypt_x2"),
        ("cham/generated/cham64_rv32i_x32.S", "encrypt_x32"),
        ("cham/generated/cham64_rv32i_x32.S", "ctr_x32"),
    ],
    # of those in C only instructions whose mnemonic and lanes none before has
    "A64": [
        ("sparkle/generated/sparkle256_a64.S", "x1"),
        ("sparkle/generated/sparkle256_neon_x4.S", "x4"),
        ("ascon/generated/ascon_neon_x5.S", "ascon_p_neon_x5"),
        ("ascon/generated/ascon_sha3_x5.S", "ascon_p_sha3_x5"),
        ("cham/cham64_neon.c", "cham64_128_neon_ctr_x8"),
        ("simon/simon64_neon.c", "simon64_128_neon_ctr_x4"),
        ("keccak/keccak_sha3_x1.c", "keccak_sha3_x1"),
        ("cham/cham128_neon.c", "cham128_128_neon_chains_x4"),
        ("speck/speck64_neon.c", "speck64_128_neon_short_x64"),
        ("simon/simon128_neon.c", "simon128_128_neon_streams_x2"),
        ("cham/cham64_neon.c", "cham64_128_neon_encrypt_x32"),
    ],
}
# Other lanes of the same mnemonics.
MORE_LIFTED = [
    ("speck/speck64_neon.c", "speck64_128_neon_encrypt_x8"),
    ("speck/speck128_neon.c", "speck128_256_neon_decrypt_x4"),
    ("simon/simon64_neon.c", "simon64_128_neon_encrypt_x8"),
    ("simon/simon128_neon.c", "simon128_128_neon_decrypt_x4"),
    ("cham/cham64_neon.c", "cham64_128_neon_encrypt_x8"),
    ("cham/cham128_neon.c", "cham128_256_neon_decrypt_x4"),
    ("speck/speck64_neon.c", "speck64_128_neon_ctr_x8"),
    ("speck/speck128_neon.c", "speck128_128_neon_ctr_x4"),
    ("keccak/keccak_neon_x2.c", "keccak_neon_x2"),
    ("sparkle/esch_neon.c", "esch256_neon_absorb_words_x4"),
]
# Fields in C, whose products and stores of four vectors take long on symbolic words.
FIELDS = [
    ("aimer/aimer_neon.c", "aimer_neon_prepare"),
    ("aimer/aimer_neon.c", "aimer_neon_apply"),
    ("aimer/aimer_sha3.c", "aimer_sha3_apply"),
    ("aimer/aimer_pmull.c", "aimer_pmull_products"),
    ("aimer/aimer_pmull.c", "aimer_pmull_power"),
    ("rainbow/gf_neon.c", "gf16_neon_prepare"),
    ("rainbow/gf_neon.c", "gf256_neon_prepare"),
    ("rainbow/gf_neon.c", "gf16_neon_accumulate"),
    ("rainbow/gf_neon.c", "gf256_neon_accumulate"),
    ("rainbow/gf_neon.c", "gf16_neon_evaluate"),
    ("rainbow/gf_neon.c", "gf256_neon_evaluate"),
    ("rainbow/gf_neon.c", "gf16_neon_solve"),
    ("rainbow/gf_neon.c", "gf256_neon_solve"),
]


@cache
def _words(
    isa: str, fields: bool = False, more: bool = False
) -> tuple[Image, Path, dict[int, str]]:
    """Instructions of the kernels, as far as they can be reached from where they begin."""
    found: dict[int, str] = {}
    forms: dict[str, int] = {}  # of kernels in C, which share them
    provers: dict[str, Prover] = {}  # by file, each of which is compiled once
    rows = FIELDS if fields else [*LIFTED[isa], *(MORE_LIFTED if more else ())]
    for source, function in rows:
        one = proving.kernel(source, function)
        proving.need(one)
        prover = provers.setdefault(source, Prover(proving.ROOT))
        image = prover.image(one)
        start = one.symbol.replace("neon_absorb_words", "neon_round")
        parts = (f"{start}_{width}" for width in ("one", "two", "three", "four", "eight"))
        places = set[int]()
        waiting = [image.symbols[name] for name in (start, *parts) if name in image.symbols]
        while waiting:
            pc = waiting.pop()
            code = image.bytes_at(pc, 4)
            if pc in places or code is None:
                continue
            try:
                operations = image.operations(pc)
            except Exception:  # constants behind the kernel
                continue
            if image.mnemonic(pc).lower() == "udf":  # constants behind a call that does not return
                continue
            places.add(pc)
            jumps = [op for op in operations if op[0] in ("BRANCH", "CBRANCH", "CALL")]
            waiting += [op[1][0][1] for op in jumps if op[1][0][0] == "ram"]
            ends = any(op[0] in ("BRANCH", "RETURN", "BRANCHIND") for op in operations)
            # a call may keep its return address in another register than ra
            if not ends or image.mnemonic(pc).lower() == "jal":
                waiting.append(pc + 4)
        of_c = source.endswith(".c")
        found |= lifter.instructions(image, places, 1 if of_c else 3, forms if of_c else None)
        path = Path(prover.directory.name) / f"{Path(one.source).stem}.elf"
        kept = path.read_bytes()
    blank = Path(prover.directory.name) / "blank.elf"
    blank.write_bytes(kept)
    held.append(prover)
    return image, blank, found


held: list[Prover] = []  # their directories live as long as the tests


@pytest.mark.parametrize("isa", LIFTED)
def test_lifter_agrees_with_the_emulator(isa: str) -> None:
    """Data, loads, stores and branches: every mnemonic of these kernels, on numbers and symbols."""
    image, blank, words = _words(isa)
    judge = lifter.Judge(image.isa, blank)
    findings = [found for word, name in words.items() if (found := judge.judge(word, name))]
    assert not findings
    names = {name.removeprefix("c.") for name in words.values()}
    wanted = {
        "RV32": {
            "lw",
            "sw",
            "lhu",
            "sh",
            "bne",
            "add",
            "xor",
            "pack",
            "slli",
            "srli",
            "ret",
            "andn",
            "orn",
            "rori",
            "shfli",
            "unshfli",
        },
        "A64": {"ldp", "stp", "b.ne", "eor3", "bcax", "usra", "sri", "tbl", "ccmp", "csel", "ret"},
    }[isa]
    assert wanted - names <= {"bcax"}, "the kernels have no such instruction"


@pytest.mark.parametrize("isa", LIFTED)
def test_every_mnemonic_of_a_proof_was_judged(isa: str) -> None:
    """What kernels with a stored proof execute is what the emulator was asked about."""
    sets = {"RV32": ("rv32i", "zbkb"), "A64": ("a64", "neon", "sha3", "pmull")}[isa]
    rows = json.loads((proving.ROOT / soundness.STORED).read_text())
    used = {
        name.removeprefix("c.")
        for row in rows
        if row["verdict"] == "proved" and row["isa"] in sets
        for name in row["mnemonics"]
    }
    assert used
    words = [*_words(isa)[2].values(), *(_words(isa, True)[2].values() if isa == "A64" else ())]
    assert used <= {name.removeprefix("c.") for name in words}


@pytest.mark.slow
def test_lifter_agrees_with_the_emulator_on_other_lanes() -> None:
    image, blank, words = _words("A64", more=True)
    judge = lifter.Judge(image.isa, blank)
    assert not [found for word, name in words.items() if (found := judge.judge(word, name))]
    assert len(words) > 100


@pytest.mark.slow
def test_lifter_agrees_with_the_emulator_on_fields() -> None:
    """Among others look-ups by data and products of polynomials, for which the rules are ours."""
    image, blank, words = _words("A64", True)
    judge = lifter.Judge(image.isa, blank)
    assert not [found for word, name in words.items() if (found := judge.judge(word, name))]
    assert {"tbl", "pmull", "pmull2", "st4"} <= set(words.values())


def test_lifter_alone_has_instructions_of_sha3_wrong() -> None:
    """The control: SLEIGH's own p-code of them is refuted, ours is not."""
    _, blank, _ = _words("A64")
    words = {"eor3": 0xCE020C20, "bcax": 0xCE220C20, "xar": 0xCE824C20, "rax1": 0xCE628C20}
    for name, word in words.items():
        assert lifter.Judge(contracts.ISAS["sha3"], blank).judge(word, name) is None
        found = lifter.Judge(contracts.ISAS["sha3"], blank, own=False).judge(word, name)
        assert found is not None
        assert "differs" in found.what


MUTANTS = [
    ("speck/speck32_rv32i_x2.S", "encrypt_x2", 14),
    ("speck/speck32_zbkb_x2.S", "decrypt_x2", 10),
    ("sparkle/sparkle256_rv32i.S", "x1", 12),
    ("ascon/ascon_p_rv32i_x1.S", "x1", 8),
    ("ascon/ascon_zbkb_x1.S", "p_zbkb_x1", 8),
    ("sparkle/generated/sparkle256_a64.S", "x1", 10),
]


def _attacked(source: str, function: str, count: int) -> None:
    seen = proving.attacked(source, function, count)
    assert seen["proved"] <= count // 4


@pytest.mark.parametrize(("source", "function", "count"), MUTANTS)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    _attacked(source, function, count)


MORE_MUTANTS = [
    ("speck/speck32_rv32i_x2.S", "encrypt_x2", 30),
    ("speck/speck32_zbkb_x2.S", "decrypt_x2", 20),
    ("sparkle/sparkle256_rv32i.S", "x1", 25),
    ("ascon/ascon_p_rv32i_x1.S", "x1", 15),
    ("ascon/ascon_zbkb_x1.S", "p_zbkb_x1", 15),
    ("sparkle/generated/sparkle256_a64.S", "x1", 20),
    ("cham/cham64_rv32i_x2.S", "encrypt_x2", 60),
    ("sparkle/generated/sparkle384_a64.S", "x1", 60),
    ("sparkle/generated/sparkle256_neon_x4.S", "x4", 40),
    ("speck/speck64_neon.c", "speck64_128_neon_encrypt_x4", 60),
    ("simon/simon64_neon.c", "simon64_128_neon_ctr_x4", 20),
]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_more_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    _attacked(source, function, count)


def test_mutants_are_as_many_as_the_page_says() -> None:
    """How many each front end has, in the CI set and in the slow one; a mutant that both have, which
    are the first of the same kernel, counts once.
    """
    modules = [
        ("p-code", sys.modules[__name__]), ("Thumb", test_proofs_thumb), ("AVR", test_proofs_avr),
        ("x86-64", test_proofs_x86), ("PTX", test_proofs_ptx),
        ("AEADs in PTX", test_proofs_sponges), ("fields", test_proofs_fields),
        ("fields of AArch64", test_proofs_arm_fields),
        ("engines", test_proofs_engines), ("fleets", test_proofs_fleets),
        ("messages", test_proofs_messages), ("messages anywhere", test_proofs_ragged),
        ("fleets of AArch64", test_proofs_arm_fleets),
        ("engines of AArch64", test_proofs_neon_lanes), ("C of firmware", test_proofs_firmware),
        ("systems", test_proofs_solving),
    ]  # fmt: skip
    said, few, all_ = [], 0, 0
    for name, module in modules:
        quick = {row[:2]: row[2] for row in module.MUTANTS}
        every = dict(quick)
        for *which, count in module.MORE_MUTANTS:
            every[tuple(which)] = max(count, every.get(tuple(which), 0))
        few, all_ = few + sum(quick.values()), all_ + sum(every.values())
        said.append(f"{name} {sum(quick.values())} and {sum(every.values())}")
    assert all_ >= 300
    page = " ".join((proving.ROOT / "docs/proofs-trusted.md").read_text().split())
    assert f"{few} mutants in the CI set, {all_} with the slow one ({', '.join(said)})" in page


def test_emulator_sees_a_wrong_mutant() -> None:
    """The control of the emulator: a mutant that the prover refutes differs there, too."""
    one = proving.kernel("speck/speck32_rv32i_x2.S", "encrypt_x2")
    proving.need(one)
    prover = Prover(proving.ROOT)
    image = prover.image(one)
    path = Path(prover.directory.name) / "speck32_rv32i_x2.elf"
    task = next(iter(contracts.tasks(one)))
    assert mutants.disagreement(image, path, _mutant(image, "slli", 20), task) is not None
    right = mutants.Emulated(image, task)
    contents = mutants.random_contents(task, 2, 1)
    made = right.run(contents, 2)
    assert made is not None
    assert made["out"] != contents["out"]


def _mutant(image: Image, name: str, bit: int) -> mutants.Mutant:
    from hanji_lab.prove.report import Verdict

    base, data = image.sections[0]
    at = next(
        pc
        for pc in range(base, base + len(data), 4)
        if mutants.disassembled(image, pc).startswith(name)
    )
    blank = Verdict("", "", "", "", "", "proved")
    return mutants.Mutant("", at, bit, "", "", blank)
