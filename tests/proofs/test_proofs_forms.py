# SPDX-License-Identifier: Apache-2.0
"""The forms of x86-64 that rules are used for: each runs next to the processor, and no other is
taken.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hanji_lab.prove import forms_x86, native, x86
from hanji_lab.prove.pcode import OpenError

EACH = 16  # of the vector forms one in so many is in the CI set
ROTATIONS = ("rol", "ror", "rorx", "shl", "shr", "sar", "shlx", "shrx", "sarx", "shrd", "bt")


def quick() -> list[str]:
    """Rotations, shifts and one in some of all others."""
    names = sorted(forms_x86.forms())
    return [one for i, one in enumerate(names) if one.split()[0] in ROTATIONS or i % EACH == 0]


def judged(forms: list[str], folder: Path, count: int) -> native.Judge:
    """Compare so many examples of each form; those with an immediate have other numbers."""
    if not native.able():
        pytest.skip("the processor lacks AVX-512")
    judge = native.Judge(native.blank(), folder, partly=True)
    source = random.Random(1)
    texts = []
    for form in forms:
        numbers = source.sample(native.NUMBERS, count) if form.endswith("i") else [0] * count
        most = 32 if "!" in form else 16
        texts += [native.example(form, source, most, number) for number in numbers]
    codes = [one.hex() for one in native.assembled(texts, folder) if one]
    assert len(codes) >= len(texts) * 9 // 10  # ah to dh are not with every register
    assert not judge.judge(codes, 1)
    memory = [code for code, text in zip(codes, texts, strict=False) if "[" in text]
    judge.beside = 1
    assert not judge.judge(memory[: 2 * len(forms)], 1)
    return judge


def test_forms_agree_with_the_processor(tmp_path: Path) -> None:
    judge = judged(quick(), tmp_path, 2)
    assert len(judge.forms) > 100 and "rol r16,i" in judge.forms


@pytest.mark.slow
def test_every_form_agrees_with_the_processor(tmp_path: Path) -> None:
    judge = judged(sorted(forms_x86.forms()), tmp_path, 6)
    assert judge.forms >= forms_x86.forms() - {"rep stosq m8,r64", "call i"}


# Rotations by their own width, and by more than that.
@pytest.mark.parametrize("number", [0, 1, 8, 16, 24, 32, 40, 48, 64, 72, 128, 255])
@pytest.mark.parametrize("form", ["rol r8,i", "ror h8,i", "rol r16,i", "ror r32,i", "rol r64,i"])
def test_rotations_by_any_number_agree(form: str, number: int, tmp_path: Path) -> None:
    if not native.able(wide=False):
        pytest.skip("the processor lacks AVX2")
    judge = native.Judge(native.blank(), tmp_path, wide=native.able())
    text = native.example(form, random.Random(number), 8, number)
    (code,) = native.assembled([text], tmp_path)
    assert code and not judge.judge([code.hex()], 4)


def test_rotation_that_forgets_the_carry_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a rule that takes the number modulo the width before it looks at flags."""
    if not native.able(wide=False):
        pytest.skip("the processor lacks AVX2")
    right = x86.RULES["rol"]

    def wrong(m: x86.X86Machine, one: x86.Instruction) -> None:
        carry, flags = m.carry, m.flags
        right(m, one)
        if one.ops[1].number == 16:
            m.carry, m.flags = carry, flags

    monkeypatch.setitem(x86.RULES, "rol", wrong)
    judge = native.Judge(native.blank(), tmp_path, wide=native.able())
    (code,) = native.assembled(["rol r10w, 16"], tmp_path)
    assert code and judge.judge([code.hex()], 16)


def test_a_form_that_is_not_in_the_list_has_no_rule(tmp_path: Path) -> None:
    """A name with a rule, and operands that nobody has tried."""
    codes = native.assembled(["xchg [rsi], rax", "mul bl", "mulx eax, ecx, edx"], tmp_path)
    image = native.blank()
    for code in codes:
        assert code
        image.sections = [(native.CODE, code + bytes(16))]
        image.executable = [(native.CODE, native.CODE + len(code))]
        image._decoded.clear()
        m = native.Flat(x86.Graph(), image, {})
        m.memory = bytearray(native.PAGE)
        assert image.instruction(native.CODE).name in x86.RULES
        with pytest.raises(OpenError, match="no rule for"):
            m.step(native.CODE)


def test_list_is_sorted_and_whole() -> None:
    assert forms_x86.listed(set(forms_x86.forms())) == forms_x86.LIST.read_text()
    assert {name_of(one) for one in forms_x86.forms()} <= set(x86.RULES)


def name_of(form: str) -> str:
    """The name of an instruction of a form."""
    return "rep stosq" if form.startswith("rep stosq") else form.split()[0].rstrip("!")
