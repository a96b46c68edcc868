# SPDX-License-Identifier: Apache-2.0
"""Kernels over fields and matrices: proofs on polynomials, spoilt kernels, mutants, and what the
polynomials and the wanted results trust.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import proving
import pytest

from hanji_lab.kernels import Kernel
from hanji_lab.prove import fields, mutants, native, x86
from hanji_lab.prove.build import linked
from hanji_lab.prove.fields import FieldCall, FieldTask, field_tasks
from hanji_lab.prove.forms import DegreeError, Forms, places
from hanji_lab.prove.graph import Bits, Graph
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.values import RefusedError
from hanji_lab.prove.x86 import X86Image
from hanji_lab.spec.aimer import Field, apply
from hanji_lab.spec.field import FIELDS

AIMER2, AIMER512 = "aimer/aimer_avx2.c", "aimer/aimer_avx512.c"

# source, function, what the names of the tasks begin with
CI = [
    (AIMER2, "aimer_avx2_products", "128 bits, 1 terms, 1 octets, gap 0, apart"),
    (AIMER2, "aimer_avx2_power", "128 bits, 1 squarings"),
    (AIMER512, "aimer_avx512_products", "128 bits, 1 terms, 1 octets, gap 0, in place"),
    (AIMER512, "aimer_avx512_prepare", "128 bits"),
    (AIMER512, "aimer_avx512_apply", "128 bits, 1 octets, set, in place"),
]
SLOW = [
    (AIMER2, "aimer_avx2_prepare", "128 bits"),
    (AIMER2, "aimer_avx2_apply", "128 bits"),
    (AIMER512, "aimer_avx512_products", "256 bits, 4 terms"),
]


def need() -> None:
    """Skip where no gcc compiles for x86-64."""
    program = shutil.which("gcc-12") or shutil.which("gcc")
    if program is None:
        pytest.skip("gcc is not installed")
    target = subprocess.run([program, "-dumpmachine"], capture_output=True, text=True, check=True)
    if "x86_64" not in target.stdout:
        pytest.skip("gcc does not compile for x86-64")


def chosen(source: str, function: str, begin: str) -> tuple[Kernel, list[FieldTask]]:
    """A kernel and some of its tasks."""
    need()
    one = proving.kernel(source, function)
    tasks = [task for task in field_tasks(one) if task.name.startswith(begin)]
    assert tasks, begin
    return one, tasks


def verdict(one: Kernel, tasks: list[FieldTask], program: Path) -> Verdict:
    """The verdict on a linked file."""
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return Prover(proving.ROOT, seconds=120).proved(blank, X86Image(program), tasks)


@pytest.mark.parametrize(
    ("source", "function", "begin", "compiler"),
    [
        *((*row, "gcc") for row in CI),
        *(pytest.param(*row, "gcc", marks=pytest.mark.slow) for row in SLOW),
        *(pytest.param(*row, "clang", marks=pytest.mark.slow) for row in CI),
    ],
)
def test_field_kernel_is_proved(
    source: str, function: str, begin: str, compiler: str, tmp_path: Path
) -> None:
    one, tasks = chosen(source, function, begin)
    if compiler == "clang" and not (shutil.which("clang-14") or shutil.which("clang")):
        pytest.skip("clang is not installed")
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path, compiler)
    found = verdict(one, tasks, program)
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope) == {task.name for task in tasks}


# A change of a file or of a header that it includes, the verdict and its reason.
PRODUCTS = (AIMER2, "aimer_avx2_products", "128 bits, 1 terms, 1 octets, gap 0, apart")
POWER = (AIMER2, "aimer_avx2_power", "128 bits, 2 squarings")
BLOCKS = (AIMER512, "aimer_avx512_prepare", "128 bits")
APPLY = (AIMER512, "aimer_avx512_apply", "128 bits, 1 octets, set, in place")
HEADER = "aimer/aimer_products.h"
SPOILT: dict[str, tuple[tuple[str, str, str], str, str, str, str]] = {
    "reduction": (PRODUCTS, HEADER, "V_SHL(h, 7)", "V_SHL(h, 6)", "counterexample"),
    "karatsuba": (PRODUCTS, HEADER, "p[1] = p[2] ^ p[0] ^ p[1]", "p[1] = p[2] ^ p[0]", "counter"),
    "sum of shares": (PRODUCTS, HEADER, "sums[2] = sums[0] ^ sums[1]", "sums[2] = sums[0]", "c"),
    "not bilinear": (
        PRODUCTS, HEADER, "share[i] = V_LOAD(in + 8 * i);",
        "share[i] = V_LOAD(in + 8 * i) & V_SHR(V_LOAD(in + 8 * i), 1);", "open",
    ),
    "branch on a share": (
        PRODUCTS, HEADER, "share[i] = V_LOAD(in + 8 * i);",
        "share[i] = V_LOAD(in + 8 * i); if (in[8 * i] & 1) share[i] = V_SET1(0);", "refused",
    ),
    "read behind the shares": (
        PRODUCTS, HEADER, "share[i] = V_LOAD(in + 8 * i);",
        "share[i] = V_LOAD(in + 8 * i) ^ V_LOAD(in + 64);", "refused",
    ),
    "squaring": (
        POWER, "", "_mm_clmulepi64_si128(a, a, 0x11)", "_mm_clmulepi64_si128(a, a, 0x01)", "open",
    ),
    "tail of the field": (POWER, "", "si32_si128(0x87)", "si32_si128(0x86)", "counter"),
    "order of rows": (
        BLOCKS, "", "7, 6, 5, 4, 3, 2, 1, 0, 15", "6, 7, 5, 4, 3, 2, 1, 0, 15", "counter",
    ),
    "half of the matrix": (APPLY, "", "block += 16 * words)", "block += 8 * words)", "counter"),
}  # fmt: skip


QUICK = ("reduction", "branch on a share", "tail of the field")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_field_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    which, header, old, new, wanted = SPOILT[name]
    one, tasks = chosen(*which)
    source = proving.ROOT / one.source
    path = proving.changed_copy(source, header, old, new, tmp_path)
    program = linked(proving.ROOT, path, one.isa, tmp_path)
    found = verdict(one, tasks, program)
    assert found.verdict.startswith(wanted), found.why


def test_counterexample_is_right_by_the_specification(tmp_path: Path) -> None:
    """What a wrong squaring should give is what the specification makes of the case's inputs."""
    one, tasks = chosen(*POWER)
    text = (proving.ROOT / one.source).read_text()
    path = tmp_path / "aimer_avx2.c"
    path.write_text(text.replace("_mm_cvtsi32_si128(0x87)", "_mm_cvtsi32_si128(0x85)"))
    found = verdict(one, tasks[:1], linked(proving.ROOT, path, one.isa, tmp_path))
    assert found.case is not None
    contents, wanted, got = (found.case[key] for key in ("contents", "wanted", "found"))
    assert isinstance(contents, dict) and isinstance(wanted, dict) and isinstance(got, dict)
    base, factor = (
        int.from_bytes(bytes.fromhex(contents[name]), "little") for name in ("base", "factor")
    )
    field = Field(128)
    assert field.mul(field.sqr(base, 2), factor).to_bytes(16, "little").hex() == wanted["out"]
    assert wanted != got
    assert base.bit_count() < 3 and factor.bit_count() < 3


def test_header_that_says_otherwise_is_refused(tmp_path: Path) -> None:
    one = proving.kernel(AIMER2, "aimer_avx2_power")
    text = (proving.ROOT / one.source).read_text()
    for old, new in (
        ("8 * words, access: r}, sq", "8 * words, access: rw}, sq"),
        ("secrets: out, base, factor", "secrets: out, base"),
    ):  # fmt: skip
        wrong = proving.spoilt(one, tmp_path, (old, new))
        assert text != (tmp_path / "aimer_avx2.c").read_text()
        with pytest.raises(RefusedError):
            list(field_tasks(wrong))


SHARES = ("128 bits, 1 terms, 1 octets, gap 0, apart",)


MUTANTS = [(AIMER2, "aimer_avx2_power", 4)]
MORE_MUTANTS = [
    (AIMER512, "aimer_avx512_products", 40),
    (AIMER2, "aimer_avx2_power", 40),
]
NAMED = {  # what the names of the tasks of a mutant begin with
    "aimer_avx512_products": SHARES,
    "aimer_avx2_power": ("128 bits, 3",),
}


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_accepted_mutants_of_field_kernels_compute_the_same(
    source: str, function: str, count: int
) -> None:
    """Sizes are fixed, so a mutant may be right for these: where a pointer or a count is changed
    that no load takes any more, or a vector that is zero. A run on numbers says so.
    """
    need()
    one = proving.kernel(source, function)
    seen = []
    for mutant in mutants.x86_mutants(Prover(proving.ROOT), one, count, named=NAMED[function]):
        seen.append(mutant.verdict.verdict)
        said = f"{mutant.at:#x}: {mutant.before} became {mutant.after}"
        print(mutant.verdict.verdict, said)
        assert mutant.verdict.verdict != "proved" or mutant.same, said
    assert len(seen) == count
    assert 2 * seen.count("proved") <= count


def test_numbers_refute_a_wrong_kernel(tmp_path: Path) -> None:
    """The control of the second opinion."""
    one, tasks = chosen(*POWER)
    path = tmp_path / "aimer_avx2.c"
    text = (proving.ROOT / one.source).read_text()
    for change, wanted in (("si32_si128(0x87)", True), ("si32_si128(0x86)", False)):
        path.write_text(text.replace("si32_si128(0x87)", change))
        image = X86Image(linked(proving.ROOT, path, one.isa, tmp_path))
        assert FieldCall(Forms(), image, tasks[0]).right_on_numbers(1) == wanted


# The polynomials


def _random_form(
    g: Forms, groups: list[Bits], source: random.Random
) -> tuple[int, Callable[[list[int]], int]]:
    """A literal and the same function of numbers, one for each group."""
    total, rules = 0, []
    for _ in range(6):
        picked = source.sample(range(len(groups)), source.randrange(1, len(groups) + 1))
        product, at = 1, []
        for k in picked:
            bit = source.randrange(len(groups[k]))
            flip = source.getrandbits(1)
            product = g.and_(product, groups[k][bit] ^ flip)
            at.append((k, bit, flip))
        total = g.xor(total, product)
        rules.append(at)

    def compute(numbers: list[int]) -> int:
        return sum(all((numbers[k] >> bit & 1) ^ flip for k, bit, flip in at) for at in rules) & 1

    return total, compute


def test_polynomials_compute_as_bits_do() -> None:
    source = random.Random(3)
    for _ in range(40):
        g = Forms()
        groups = [g.group(name, size) for name, size in (("a", 5), ("b", 8), ("c", 3))]
        one, two = (_random_form(g, groups, source) for _ in range(2))
        for _ in range(8):
            numbers = [source.getrandbits(len(bits)) for bits in groups]
            inputs = {
                x >> 1: number >> i & 1
                for bits, number in zip(groups, numbers, strict=True)
                for i, x in enumerate(bits)
            }
            want = [one[1](numbers), two[1](numbers)]
            assert g.evaluate(inputs, [one[0], two[0]], 1) == want
            assert g.evaluate(inputs, [g.xor(one[0], two[0])], 1) == [want[0] ^ want[1]]
        model = g.difference(one[0], two[0])
        assert (model is None) == (one[0] == two[0])
        if model is not None:
            values = g.evaluate(model, [one[0], two[0]], 1)
            assert values[0] != values[1]


def test_products_of_one_group_have_no_rule() -> None:
    g = Forms()
    a = g.group("a", 4)
    with pytest.raises(DegreeError):
        g.and_(a[0], a[1])
    assert g.and_(a[0], a[0]) == a[0] and g.and_(a[0], a[0] ^ 1) == 0


def test_swept_polynomials_are_not_read() -> None:
    g = Forms()
    a, b = g.group("a", 8), g.group("b", 8)
    kept, gone = g.and_(a[0], b[0]), g.and_(a[1], b[1])
    g.sweep([kept])
    assert g.xor(kept, a[0]) and g.polynomial(kept)
    with pytest.raises(Exception, match="forgotten"):
        g.xor(gone, kept)
    assert g.and_(a[0], b[0]) == kept and g.and_(a[1], b[1]) != gone


def test_products_of_words_agree_on_graph_and_polynomials() -> None:
    """A square, which has a rule of its own, as well: bits of one word, in the graph."""
    source = random.Random(1)
    g = Graph()
    a = g.word("a", 6)
    square = x86.carryless(g, a, a)
    terms = [[(a[i], a[k - i]) for i in range(6) if 0 <= k - i < 6] for k in range(12)]
    slow = [g.dot(pairs) for pairs in terms]
    assert all(g.same(x, y) for x, y in zip(square, slow, strict=True))
    forms = Forms()
    x, y = forms.group("x", 6), forms.group("y", 6)
    made = x86.carryless(forms, x, y)
    for _ in range(50):
        p, q = source.getrandbits(6), source.getrandbits(6)
        inputs = {bit >> 1: p >> i & 1 for i, bit in enumerate(x)}
        inputs |= {bit >> 1: q >> i & 1 for i, bit in enumerate(y)}
        product = 0
        for i in places(q):
            product ^= p << i
        values = forms.evaluate(inputs, made, 1)
        assert sum(bit << i for i, bit in enumerate(values)) == product


# The specification on a basis


@pytest.mark.parametrize("n", [128, 192, 256])
def test_specification_of_aimer_is_linear(n: int) -> None:
    source = random.Random(n)
    field = Field(n)
    columns = [source.getrandbits(n) for _ in range(n)]
    for _ in range(20):
        a, b, c = (source.getrandbits(n) for _ in range(3))
        assert field.mul(a ^ b, c) == field.mul(a, c) ^ field.mul(b, c)
        assert field.mul(c, a ^ b) == field.mul(c, a) ^ field.mul(c, b)
        assert field.sqr(a ^ b, 3) == field.sqr(a, 3) ^ field.sqr(b, 3)
        assert apply(columns, a ^ b) == apply(columns, a) ^ apply(columns, b)
    assert field.mul(0, c) == field.mul(c, 0) == field.sqr(0) == apply(columns, 0) == 0


@pytest.mark.parametrize("bits", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_specification_of_rainbow_is_bilinear_everywhere(bits: int) -> None:
    forms, spec = fields.tower_forms(bits), FIELDS[f"gf{1 << bits}"]
    for a in range(1 << bits):
        row = [0] * bits
        for k in range(bits):
            for i in places(a):
                row[k] ^= forms[k] >> bits * i & ((1 << bits) - 1)
        for b in range(1 << bits):
            value = sum(((row[k] & b).bit_count() & 1) << k for k in range(bits))
            assert value == spec.multiply(a, b)


# The rules for their instructions

CODES = {
    "vpclmulqdq": ("c4e37144c211", "vpunpckhqdq"),
    "vgf2p8mulb": ("62f27548cfc2", "vpshufb"),
    "vpshufb": ("c4e27100c2", "vpand"),
    "vmovddup": ("c5fb12c1", "vmovdqa"),
    "kxnorq": ("c4e1ec46c1", "kxorq"),
}


def test_rules_of_fields_agree_with_the_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the rules of other instructions do not."""
    need()
    if not native.able():
        pytest.skip("the processor lacks instructions of the kernels")
    source = proving.ROOT / "src/sparkle/generated/sparkle384_avx512.S"
    image = X86Image(linked(proving.ROOT, source, "avx512", tmp_path))
    judge = native.Judge(image, tmp_path)
    assert not judge.judge([code for code, _ in CODES.values()], 6)
    assert judge.names == set(CODES)
    for name, (code, other) in CODES.items():
        with monkeypatch.context() as changed:
            changed.setitem(x86.RULES, name, x86.RULES[other])
            assert judge.judge([code], 6), name
