# SPDX-License-Identifier: Apache-2.0
"""Kernels for Cortex-M: proofs, spoilt kernels, mutants, and the lifter beside an emulator."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import debian
import proving
import pytest

from hanji_lab.prove import lifter, soundness, thumb
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import Image, Region
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Lin, RefusedError, Unreadable, Value

SPECK = ("speck/speck64_armv6m_x1.S", "speck64_128_armv6m_encrypt_x1")
SPECK7 = ("speck/speck64_armv7m_x1.S", "speck64_128_armv7m_encrypt_x1")
CHAM = ("cham/cham64_armv7m_x1.S", "armv7m_encrypt_x1")
PAIRS = ("cham/cham64_armv7em_x2.S", "armv7em_ctr_x2")
ABSORB = ("ascon/ascon_armv6m_x1.S", "aead128_armv6m_absorb_x1")
SEAL = ("ascon/ascon_armv6m_x1.S", "aead128_armv6m_seal_x1")
SEAL7 = ("ascon/ascon_armv7m_x1.S", "aead128_armv7m_seal_x1")
SPARKLE = ("sparkle/sparkle256_armv7m.S", "sparkle256_armv7m_x1")
KECCAK = ("keccak/generated/keccak_armv7m_x1.S", "keccak_armv7m_x1")

PROVED = [
    (*SPECK, "0 and more"),
    (*CHAM, "0 and more"),
    (*KECCAK, "one"),
    pytest.param(*SEAL7, "1 and more; 0 begins like more", marks=pytest.mark.slow),
    pytest.param(*PAIRS, "0 and more", marks=pytest.mark.slow),
    pytest.param(*SPARKLE, "0 and more", marks=pytest.mark.slow),
    pytest.param(*SEAL, "1 and more; 0 begins like more", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("source", "function", "groups"), PROVED)
def test_kernels_are_proved(source: str, function: str, groups: str) -> None:
    found = proving.verdict(proving.kernel(source, function))
    assert found.verdict == "proved", found.why
    assert set(found.scope.values()) == {groups}


@pytest.mark.slow
@pytest.mark.parametrize("row", [SPECK, SPECK7, SEAL7])
def test_small_kernels_are_proved(row: tuple[str, str], tmp_path: Path) -> None:
    proving.small_is_proved(*row, tmp_path, 0)


# What is put in the place of what, and what the verdict or its reason must have.
SPOILT = {
    "a register that is not given back": (
        *SPECK, "    pop {r4}\n    mov r8, r4\n", "    pop {r4}\n", "r8 is not given back",
    ),
    "a return to Arm": (
        *SPECK, "    pop {r4-r7}\n    bx lr", "    pop {r4-r7}\n    mov r3, lr\n"
        "    subs r3, r3, #1\n    bx r3", "leaves Thumb state",
    ),
    "several words that may lie anywhere": (
        *SPECK7, "    ldr r4, [r1], #4\n    ldr r5, [r1], #4", "    ldm r1!, {r4, r5}",
        "not aligned",
    ),
    "a group less": (*SPECK7, "    cmp r2, #0", "    subs r2, r2, #1", "never written"),
    "a condition on data": (*CHAM, "    tst I, #8", "    tst S0, #8", "depends on data"),
    "a product": (*CHAM, "    rev16 S0, S0", "    mul S0, S0, S0", "time of INT_MULT"),
    "keys turned round": (
        *CHAM, "    ite ne\n    addne r3, r3, #16\n    subeq", "    ite eq\n"
        "    addeq r3, r3, #16\n    subne", "of keys",
    ),
    "a rotation that is one off": (
        *KECCAK, "eor r0, r0, r10, ror #31", "eor r0, r0, r10, ror #30", "counterexample",
    ),
    "words that change places": (
        *KECCAK, "str r0, [r5, #156]\n    str r1, [r5, #196]",
        "str r1, [r5, #156]\n    str r0, [r5, #196]", "counterexample",
    ),
    "a wrong constant in the last round": (
        *KECCAK, "0x80010000, 0x00010105, 0", "0x80010000, 0x00010107, 0", "counterexample",
    ),
    "a round less": (*KECCAK, "0x80010000, 0x00010105, 0", "0x80010000, 0", "counterexample"),
    "bits that are left interleaved": (
        *KECCAK, "eor r1, r1, r2\n    eor r0, r0, r2, lsl #1\n    eor r2, r1, r0, lsr #2",
        "eor r2, r1, r0, lsr #2", "counterexample",
    ),
    "a word behind the states": (
        *KECCAK, "strd r0, r1, [r6], #40", "strd r0, r1, [r6, #40]!", "of states",
    ),
    "more stack than the header says": (*KECCAK, "stack: 260", "stack: 256", "stack"),
    "a branch on a lane": (
        *KECCAK, "    ldrd r0, r1, [r6], #40\n",
        "    ldrd r0, r1, [r6], #40\n    cmp r0, #0\n    beq .Llane\n", "depends on data",
    ),
    "a wrong half": (*PAIRS, "sel K0, K1, K0", "sel K0, K0, K1", "counterexample"),
    "a carry less": (
        *PAIRS, "    adds r6, r6, #1\n    adc r5, r5, #0\n    rev r2, r5",
        "    adds r6, r6, #1\n    rev r2, r5", "counterexample",
    ),
    "another argument": (*PAIRS, "    ldr r12, [sp]\n", "    ldr r12, [sp, #4]\n", "of stack"),
    "half words that are not aligned": (
        *ABSORB, "    lsls r3, r2, #30", "    lsls r3, r2, #31", "not aligned",
    ),
    "outputs that are not aligned": (
        *SEAL, "    movs r3, r1\n    orrs r3, r2\n", "    movs r3, r2\n", "not aligned",
    ),
    "a word too many below": (
        *SEAL7, "    push {\\arguments, r4-r11, lr}", "    push {\\arguments, r4-r11, lr}\n"
        "    str r4, [sp, #-4]", "stack",
    ),
    "wrong after many": (
        *ABSORB, "    subs r3, #1\n    str r3, [sp, #\\blocks]",
        "    cmp r3, #200\n    bne 9f\n    str r3, [r0]\n9:\n    subs r3, #1\n"
        "    str r3, [sp, #\\blocks]", "open",
    ),
}  # fmt: skip
QUICK = ("a return to Arm", "several words that may lie anywhere", "a condition on data")
QUICK += ("a rotation that is one off", "a wrong constant in the last round", "a branch on a lane")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_kernels_are_not_proved(name: str, tmp_path: Path) -> None:
    source, function, old, new, said = SPOILT[name]
    one = proving.spoilt(proving.kernel(source, function), tmp_path, (old, new))
    found = proving.verdict(one)
    assert found.verdict != "proved"
    assert said in f"{found.verdict} {found.why}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "change", "machine"),
    [
        (SPECK7, ("    eor r5, r5, r6", "    orr r5, r5, r6"), "qemu:cortex-m3"),
        (PAIRS, ("sel K0, K1, K0", "sel K0, K0, K1"), "qemu:cortex-m4"),
        (KECCAK, ("eor r0, r0, r10, ror #31", "eor r0, r0, r10, ror #30"), "qemu:cortex-m3"),
    ],
)
def test_machines_run_a_counterexample(
    row: tuple[str, str], change: tuple[str, str], machine: str, tmp_path: Path
) -> None:
    debian.need("qemu-system-arm")
    proving.machine_runs(*row, change, machine, tmp_path)


MUTANTS = [(*SPECK, 6)]
MORE_MUTANTS = [(*SPECK, 80), (*CHAM, 60), (*PAIRS, 60), (*SPARKLE, 60), (*KECCAK, 60)]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    proving.attacked(source, function, count)


LIFTED = {
    "armv6m": [
        SPECK,
        ABSORB,
        SEAL,
        ("ascon/ascon_armv6m_x1.S", "ascon_p_armv6m_x1"),
        ("sparkle/sparkle256_armv6m.S", "x1"),
        ("sparkle/sparkle384_armv6m.S", "x1"),
        ("speck/speck64_armv6m.c", "speck64_128_armv6m_ctr_x1"),
    ],
    "armv7m": [
        SPECK7,
        CHAM,
        SEAL7,
        ("ascon/ascon_armv7m_x1.S", "aead128_armv7m_open_x1"),
        ("ascon/ascon_armv7m_x1.S", "ascon_p_armv7m_x1"),
        SPARKLE,
        KECCAK,
        ("sparkle/sparkle384_armv7m.S", "x1"),
        ("sparkle/sparkle512_armv7m.S", "x1"),
        ("speck/speck64_armv7m.c", "speck64_128_armv7m_ctr_x1"),
    ],
    "armv7em": [PAIRS, ("cham/cham64_armv7em_x2.S", "armv7em_encrypt_x2")],
}


@cache
def _words(isa: str, of_each: int) -> tuple[Image, Path, dict[int, str]]:
    """Some instructions of each mnemonic of the kernels."""
    found: dict[int, str] = {}
    counts: Counter[str] = Counter()
    for source, function in LIFTED[isa]:
        one = proving.kernel(source, function)
        proving.need(one)
        prover = Prover(proving.ROOT)
        image = prover.image(one)
        places = lifter.reached(image, image.symbols[one.symbol])
        for word, name in lifter.instructions(image, places, of_each).items():
            counts[name] += word not in found
            if counts[name] <= of_each:
                found[word] = name
        path = Path(prover.directory.name) / f"{Path(one.source).stem}.elf"
        held.append(prover)
    return image, path, found


held: list[Prover] = []  # their directories live as long as the tests


@pytest.mark.parametrize("of_each", [1, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("isa", LIFTED)
def test_lifter_agrees_with_the_emulator(isa: str, of_each: int) -> None:
    """Every mnemonic of these kernels, on numbers and symbols, and IT with what stands under it."""
    image, path, words = _words(isa, of_each)
    judge = lifter.Judge(image.isa, path)
    assert not [found for word, name in words.items() if (found := judge.judge(word, name))]
    wanted = {
        "armv6m": {"rors", "ldmia", "push", "pop", "bx", "bl", "mvns", "bics", "lsls", "adr"},
        "armv7m": {"ite", "it", "bfi", "orn.w", "ldrd", "strd", "ldm.w", "stm.w", "eor.w", "bl"},
        "armv7em": {"uadd16", "sel", "pkhbt.w", "pkhtb.w", "rev", "rev16", "cbz", "adc", "it"},
    }[isa]
    assert wanted <= set(words.values())


@pytest.mark.parametrize("isa", LIFTED)
def test_every_mnemonic_of_a_proof_was_judged(isa: str) -> None:
    """What kernels with a stored proof execute is what the emulator was asked about; under IT, too,
    where an instruction is judged with IT.
    """
    rows = json.loads((proving.ROOT / soundness.STORED).read_text())
    used = {
        name
        for row in rows
        if row["verdict"] == "proved" and row["isa"] == isa
        for name in row["mnemonics"]
    }
    assert used
    assert used <= set(_words(isa, 1)[2].values())


def test_judge_sees_flags_that_an_instruction_under_it_sets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: short instructions that set flags under IT, too, are refuted."""
    image, path, words = _words("armv7m", 1)
    word = next(word for word, name in words.items() if name == "ite")
    assert lifter.Judge(image.isa, path).judge(word, "ite") is None
    monkeypatch.setattr(thumb, "_compares", lambda half: True)
    found = lifter.Judge(image.isa, path).judge(word, "ite")
    assert found is not None
    assert "differs" in found.what


def test_judge_sees_wrong_rules_of_ours() -> None:
    """The control for our own rules: SEL with operands exchanged, UADD16 of another register."""
    image, path, words = _words("armv7em", 1)
    for name in ("sel", "uadd16"):
        word = next(word for word, said in words.items() if said == name)
        n, m = word & 15, word >> 16 & 15
        others = {"sel": word - n + m + (n - m << 16), "uadd16": word ^ 1 << 16}
        judge = lifter.Judge(image.isa, path)
        judge.image.isa = replace(
            image.isa, own=lambda i, _, other=others[name]: image.isa.own(i, other)
        )
        found = judge.judge(word, name)
        assert found is not None
        assert "differs" in found.what


@pytest.mark.parametrize(
    ("row", "code"),
    [(SPECK, code) for code in ("08bf", "08b1", "81ea0102", "7447")]
    + [(SPECK7, "7447"), (SPECK7, "2ded028b")],
)
def test_instructions_of_another_core_are_open(row: tuple[str, str], code: str) -> None:
    """IT, CBZ and long instructions on Armv6-M; BXNS and floating point on all of them."""
    one = proving.kernel(*row)
    proving.need(one)
    prover = Prover(proving.ROOT)
    image = prover.image(one)
    image.patched(image.symbols[one.symbol], bytes.fromhex(code))
    found = prover.prove(one)
    assert found.verdict == "open"
    assert "-M does not have" in found.why


def test_arguments_are_where_headers_say() -> None:
    names = ("r0", "r3", "a0", "a3", "a4", "a7")
    assert [thumb.place_of(name) for name in names] == [0, 3, 0, 3, 4, 7]
    for name in ("r4", "sp", "a", "4"):
        with pytest.raises(RefusedError, match="r0 to r3"):
            thumb.place_of(name)
    one = proving.kernel(*PAIRS)
    proving.need(one)
    stack = Region(-8, 0, "rw", 8)
    m = Prover(proving.ROOT).image(one).machine(Graph(), {"stack": stack})
    m.argument("a1", 7)
    m.argument("a5", 9)
    assert m.register("r1") == 7
    assert m.read("stack", 4, 4) == 9
    assert m.regions["stack"] == replace(stack, high=8)


def test_low_bits_of_joined_addresses_are_known() -> None:
    """OR of two addresses, and what shifts and masks leave of it; no two of them are the same."""
    one = proving.kernel(*SPECK)
    proving.need(one)
    m = Prover(proving.ROOT).image(one).machine(Graph(), {})
    m.alignment |= {"p": 4, "q": 8}
    pair: list[Value] = [Lin(1, {"p": 1}), Lin(2, {"q": 1})]
    both = m._alu("INT_OR", pair, [32, 32], 32)
    assert m._alu("INT_AND", [both, 3], [32, 32], 32) == 3
    assert m._alu("INT_LEFT", [both, 30], [32, 32], 32) == 3 << 30
    assert m._alu("INT_LEFT", [Lin(6, {"q": 1}), 29], [32, 32], 32) == 6 << 29 & 0xFFFFFFFF
    assert isinstance(m._alu("INT_AND", [both, 7], [32, 32], 32), Unreadable)
    assert isinstance(m._alu("INT_LEFT", [both, 29], [32, 32], 32), Lin)
    assert m._alu("INT_OR", pair, [32, 32], 32) != both
    assert m._alu("INT_AND", [Lin(5, {"q": 1}), 0xFFFFFFFC], [32, 32], 32) == Lin(4, {"q": 1})
    assert isinstance(m._alu("INT_AND", [Lin(5, {"p": 1}), 0xFFFFFFF8], [32, 32], 32), Unreadable)
