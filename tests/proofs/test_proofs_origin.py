# SPDX-License-Identifier: Apache-2.0
"""A stored verdict says of which sources it is and by which rules, and counts for these alone."""

from __future__ import annotations

import ast
import json
import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import prove_all
import proving
import pytest

from hanji_lab import fingerprints, kernels
from hanji_lab.fingerprints import DIGITS, code
from hanji_lab.kernels import Kernel
from hanji_lab.prove import build, origin, pages, report, soundness
from hanji_lab.prove.origin import Sources
from hanji_lab.prove.report import Prover, Verdict

AVX2 = ("speck/speck64_avx2.c", "speck64_128_avx2_encrypt_x8")
LIKE = ("speck/speck128_avx2.c", "speck128_128_avx2_encrypt_x4")
RV32 = ("ascon/ascon_p_rv32i_x1.S", "ascon_p_rv32i_x1")
NEON = ("sparkle/esch_neon.c", "esch256_neon_absorb_words_x4")
THUMB = ("speck/speck64_armv6m.c", "speck64_128_armv6m_ctr_x1")
FLAGS = "set(hanji_isa_avx2_flags -mavx2"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the library, which a test may change and must mend."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("src", "include", "cmake"):
        shutil.copytree(proving.ROOT / folder, root / folder)
    return root


def _kernel(root: Path, source: str, function: str) -> Kernel:
    found = kernels.parse(root / "src" / source, root, kernels.known_isas(root))
    return next(one for one in found if one.symbol.endswith(function))


def _digest(root: Path, source: str, function: str, compiler: str = "gcc") -> str:
    return Sources(root).digest(_kernel(root, source, function), compiler)


def _changed(root: Path, path: str, old: str, new: str, *kernel: str) -> tuple[str, str]:
    """The digests of a kernel before and after a text of a file is another one."""
    place = root / path
    text = place.read_text()
    assert old in text, f"{path} has no {old!r}"
    before = _digest(root, *kernel)
    place.write_text(text.replace(old, new, 1))
    try:
        return before, _digest(root, *kernel)
    finally:
        place.write_text(text)


COUNTS = {
    "its file": (AVX2, "src/speck/speck64_avx2.c", "#include", "#define HANJI_NEW 1\n#include"),
    "a header": (AVX2, "src/speck/speck_rounds.h", "#ifndef", "#define HANJI_NEW 1\n#ifndef"),
    "a header's header": (AVX2, "src/lanes/x86.h", "#include", "#define HANJI_NEW 1\n#include"),
    "a header beside it": (RV32, "src/ascon/ascon_rv32i.inc", ".macro", ".p2align 2\n.macro"),
    "what is linked": (
        THUMB,
        "src/speck/speck64_armv6m_x1.S",
        "    bx lr\n",
        "    nop\n    bx lr\n",
    ),
    "a flag": (AVX2, "cmake/kernels.cmake", FLAGS, f"{FLAGS} -mfma"),
    "its contract": (
        AVX2,
        "src/speck/speck64_avx2.c",
        "aliasing: out == in",
        "aliasing: in == out",
    ),
    "the contract that it takes": (
        *(LIKE, "src/speck/speck64_avx2.c", "aliasing: out == in", "aliasing: in == out"),
    ),
    "a literal": (AVX2, "src/lanes/x86.h", "#include", '#define HANJI_NEW "/* x */"\n#include'),
}
NOTHING = {
    "a comment": (
        AVX2,
        "src/speck/speck64_avx2.c",
        "#include",
        "/* new,\n   long */ // and\n#include",
    ),
    "a comment in a header": (AVX2, "src/lanes/x86.h", "#include", '// "new"\n\n\n#include'),
    "a comment in assembly": (
        RV32,
        "src/ascon/ascon_p_rv32i_x1.S",
        "\n    .section",
        "\n// new\n    .section",
    ),
    "another cipher": (AVX2, "src/simon/simon_rounds.h", "#ifndef", "#define HANJI_NEW 1\n#ifndef"),
    "a flag of others": (
        AVX2,
        "cmake/kernels.cmake",
        "set(hanji_isa_sha3_flags",
        "set(hanji_isa_sha3_flags -g",
    ),
    "a contract beside it": (
        *(AVX2, "src/speck/speck64_avx2.c", "value: blocks of a lane", "value: blocks"),
    ),
}


@pytest.mark.parametrize("what", COUNTS)
def test_digest_hangs_on_what_makes_the_binary(checkout: Path, what: str) -> None:
    kernel, path, old, new = COUNTS[what]
    before, after = _changed(checkout, path, old, new, *kernel)
    assert before and after and before != after


@pytest.mark.parametrize("what", NOTHING)
def test_digest_hangs_on_nothing_else(checkout: Path, what: str) -> None:
    kernel, path, old, new = NOTHING[what]
    before, after = _changed(checkout, path, old, new, *kernel)
    assert before == after


def test_digest_hangs_on_the_flags_of_the_build(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [_digest(checkout, *AVX2, compiler) for compiler in build.COMPILERS]
    assert len(set(before)) == 2
    monkeypatch.setattr(build, "HOST", (*build.HOST, "-fno-inline"))
    assert set(before).isdisjoint(_digest(checkout, *AVX2, x) for x in build.COMPILERS)


def test_linker_gets_what_the_digest_is_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands that make a binary have the flags, folders and files of the digest."""
    commands: list[list[str]] = []
    monkeypatch.setattr(build, "run", lambda said: commands.append([str(x) for x in said]))
    monkeypatch.setattr(build, "find_program", lambda *_: "")
    monkeypatch.setattr(build.objects, "check", lambda *_: None)
    small = [("speck/speck32_rv32i.c", "rv32i"), ("speck/speck64_armv6m.c", "armv6m")]
    small.append(("speck/speck64_avr.c", "avr"))
    for source, isa in ((AVX2[0], "avx2"), (NEON[0], "neon"), (RV32[0], "rv32i"), *small):
        path = proving.ROOT / "src" / source
        commands.clear()
        build.linked(proving.ROOT, path, isa, tmp_path)
        files = [path, *build.called(proving.ROOT, path)]
        folders = [f"-I{one}" for one in build.folders(proving.ROOT, path)]
        for command, file in zip(commands[:-1], files, strict=True):
            told = build.flags(proving.ROOT, isa, file.suffix == ".c")
            assert command[1:-4] == [*told, *folders]
            assert command[-4:-1] == ["-c", str(file), "-o"]


@pytest.mark.parametrize(
    "text",
    [
        "#include HANJI_STEPS\n",
        '    .include "steps.inc"\n',
        '    .incbin "steps"\n',
        "int f(void) { return __LINE__; }\n",
        '??=include "steps.inc"\n',
        '%:include "steps.inc"\n',
        '#import "steps.inc"\n',
        '#include_next "steps.inc"\n',
        '#if __has_include("steps.inc")\n#endif\n',
        '__asm__(".inc" "bin \\"steps\\"");\n',
        '__asm__(".inc"\n"bin \\"steps\\"");\n',
        '__asm__("\\x2eincbin");\n',
        '__asm__("." TEXT_OF(incbin) "f");\n',
        "const char *made = __TIME__;\n",
    ],
)
def test_of_what_cannot_be_told_there_is_no_digest(tmp_path: Path, text: str) -> None:
    one = proving.spoilt(
        proving.kernel(*RV32), tmp_path, ("\n    .section", f"\n{text}    .section")
    )
    assert Sources(proving.ROOT).digest(one) == ""
    path = Path(one.source)
    path.write_text(path.read_text().replace(text, ""))
    assert len(Sources(proving.ROOT).digest(one)) == DIGITS


def test_every_kernel_has_a_digest_of_its_own() -> None:
    sources = Sources(proving.ROOT)
    found = [sources.digest(one) for one in soundness.all_kernels(proving.ROOT)]
    assert len(set(found)) == len(found) and "" not in found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a /* b\n c */ d // e\nf", "a d\nf"),
        ("a /* // */ b", "a b"),
        ("a // b \\\n c\nd", "a\nd"),
        ('x = "/* no */ // \\" no"; // yes', 'x = "/* no */ // \\" no";'),
        ("x = '\"'; /* yes */ y", "x = '\"'; y"),
        ("x = '\\''; // yes", "x = '\\'';"),
        ("it's // a comment\nit's", "it's\nit's"),
        ("\n\n  a  \t b\n\n", "a b"),
        ("# a comment of the assembler", "# a comment of the assembler"),
        ("a /\\\n* b */ c", "a c"),
        ("a/**/b", "a b"),
    ],
)
def test_comments_are_none_in_literals(text: str, left: str) -> None:
    assert code(text) == left


def test_folders_of_headers_do_not_count(checkout: Path) -> None:
    """A header that moves, under the same name, makes nothing stale."""
    before = _digest(checkout, *AVX2)
    place, header = checkout / "src/speck/speck64_avx2.c", checkout / "src/speck/speck_rounds.h"
    text, moved = place.read_text(), checkout / "src/speck/x86/speck_rounds.h"
    assert '"speck/speck_rounds.h"' in text
    moved.parent.mkdir()
    header.rename(moved)
    place.write_text(text.replace('"speck/speck_rounds.h"', '"speck/x86/speck_rounds.h"'))
    try:
        assert _digest(checkout, *AVX2) == before
    finally:
        moved.rename(header)
        moved.parent.rmdir()
        place.write_text(text)


def test_digest_hangs_on_the_specification_of_the_kernel_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def changing(name: str) -> list[str]:
        """Which of two specifications change with a module of lab/spec."""
        named = ("speck64_128.encrypt", "esch256.absorb_words")
        before = [origin.specification.__wrapped__(one) for one in named]
        marked = origin._mark
        monkeypatch.setattr(origin, "_mark", lambda p: "other" if p.name == name else marked(p))
        after = [origin.specification.__wrapped__(one) for one in named]
        monkeypatch.undo()
        return [one for one, a, b in zip(named, before, after, strict=True) if a != b]

    assert changing("speck.py") == ["speck64_128.encrypt"]
    assert changing("esch.py") == changing("sparkle.py") == ["esch256.absorb_words"]
    assert changing("word.py") == ["speck64_128.encrypt", "esch256.absorb_words"]
    assert changing("simon.py") == []


RULES = {
    "x86": ("x86", ("fleets",)),
    "avr": ("avr", ("contracts", "induct")),
    "ptx": ("ptx", ("launch",)),
    "pcode": ("pcode", ("contracts", "induct")),
}


@pytest.mark.parametrize(
    ("module", "changed"),
    [
        ("x86.py", {"x86"}),
        ("avr.py", {"avr"}),
        ("ptx.py", {"ptx"}),
        ("fleets.py", {"x86"}),
        ("graph.py", {"x86", "avr", "ptx", "pcode"}),
        ("core.cpp", {"x86", "avr", "ptx", "pcode"}),
        ("report.py", {"x86", "avr", "ptx", "pcode"}),
        ("mutants.py", set()),
    ],
)
def test_rules_are_those_of_the_front_end_and_the_claim(
    monkeypatch: pytest.MonkeyPatch, module: str, changed: set[str]
) -> None:
    before = {name: origin.rules.__wrapped__(*one) for name, one in RULES.items()}
    marked = origin._mark
    monkeypatch.setattr(origin, "_mark", lambda p: "other" if p.name == module else marked(p))
    after = {name: origin.rules.__wrapped__(*one) for name, one in RULES.items()}
    assert {name for name in RULES if before[name] != after[name]} == changed


def test_rules_hang_on_the_versions_of_the_instruments(monkeypatch: pytest.MonkeyPatch) -> None:
    before = origin.rules.__wrapped__(*RULES["x86"])
    monkeypatch.setattr(origin.importlib.metadata, "version", lambda _: "0")
    assert origin.rules.__wrapped__(*RULES["x86"]) != before


def test_syntax_has_one_form_in_all_versions_of_python() -> None:
    assert fingerprints.meaning(ast.parse("x = f'{y}', None, b'z', ...")) == (
        "(Module body=[(Assign targets=[(Name id='x' ctx=(Store))] value=(Tuple elts=["
        "(JoinedStr values=[(FormattedValue value=(Name id='y' ctx=(Load)) conversion=-1)]),"
        "(Constant),(Constant value=b'z'),(Constant value=Ellipsis)] ctx=(Load)))])"
    )


def test_run_says_what_it_proved(tmp_path: Path) -> None:
    """A verdict has both digests, from the cache, too."""
    one = proving.kernel(*RV32)
    proving.need(one)
    wanted = Sources(proving.ROOT).digest(one), report.rules_of(one)
    for cached in (False, True):
        found = Prover(proving.ROOT, kept=tmp_path / "cache").prove(one)
        assert (found.verdict, found.cached) == ("proved", cached)
        assert (found.source_sha256, found.rules_sha256) == wanted
    spoilt = proving.spoilt(one, tmp_path, ("\n    .section", "\n    .p2align 2\n    .section"))
    assert Prover(proving.ROOT).prove(spoilt).source_sha256 not in wanted


def test_change_that_makes_the_same_binary_needs_no_proof(tmp_path: Path) -> None:
    """A verdict holds where the binary and the contract are those that were proved."""
    one = proving.kernel(*RV32)
    proving.need(one)
    found = Prover(proving.ROOT).prove(one)
    same = proving.spoilt(one, tmp_path, ("\n    .section", "\n    .p2align 1\n    .section"))
    prover = Prover(proving.ROOT)
    kept = prover.confirmed(same, found)
    assert kept and kept.verdict == "proved"
    assert kept.source_sha256 == Sources(proving.ROOT).digest(same) != found.source_sha256
    assert kept.rules_sha256 == found.rules_sha256
    assert prover.confirmed(replace(same, stack=16), found) is None  # another contract
    other = tmp_path / "other"
    other.mkdir()
    moved = proving.spoilt(one, other, ("\n    .section", "\n    nop\n    .section"))
    assert prover.confirmed(moved, found) is None
    assert prover.confirmed(one, replace(found, binary_sha256="")) is None


def _stored() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((proving.ROOT / soundness.STORED).read_text())
    return rows


def test_stored_verdicts_are_of_the_code() -> None:
    """No row is stale; else the test names those that are, and what proves them again."""
    stale = soundness.stale(proving.ROOT, _stored())
    names = " ".join(sorted({function.removeprefix("hanji_") for _, function, _ in stale}))
    if stale:
        pytest.fail(
            f"{len(stale)} rows are stale; tools/prove_all.py --stale proves them again: {names}"
        )


@pytest.mark.parametrize("digest", ["0123456789abcdef", "", None])
def test_stale_row_is_named_and_does_not_count(digest: str | None) -> None:
    first = next(row for row in _stored() if row["verdict"] == "proved")
    forged = {**first, "source_sha256": digest}
    if digest is None:
        del forged["source_sha256"]
    stale = soundness.stale(proving.ROOT, [forged])
    assert stale == {soundness.key_of(first)}
    (shown,) = soundness.opened([forged], stale)
    assert (shown["verdict"], shown["why"]) == ("open", soundness.CHANGED)
    name = f"`{first['function'].removeprefix('hanji_')}`"

    def page(row: dict[str, object]) -> str:
        return pages.page(pages.lines(proving.ROOT, [row]), [first["isa"]])

    assert f"</a>{name}" not in page(shown)
    assert "The code has changed since it was proved: `tools/prove_all.py --stale` proves it " in (
        page(shown)
    )
    assert f"</a>{name}" in page(*soundness.opened([first], ()))


def test_row_that_waits_is_not_stale_but_one_of_no_kernel_is() -> None:
    blank = {**_stored()[0], "source_sha256": ""}
    waits = {**blank, "verdict": "open", "why": soundness.WAITING}
    gone = {**blank, "function": "hanji_gone"}
    assert soundness.stale(proving.ROOT, [waits, gone]) == {soundness.key_of(gone)}


def test_rows_of_earlier_rules_are_counted_apart() -> None:
    rows = [row for row in _stored() if row["verdict"] == "proved"][:3]
    forged = [{**rows[0], "rules_sha256": "ab" * 8}, {**rows[1], "rules_sha256": ""}, rows[2]]
    found = soundness.earlier(proving.ROOT, forged)
    assert {soundness.key_of(row) for row in forged[:2]} <= found
    assert soundness.earlier(proving.ROOT, [{**forged[0], "why": soundness.WAITING}]) == set()


def test_verdicts_are_stored_as_they_stand(tmp_path: Path) -> None:
    """Writing the verdicts again changes no byte of them."""
    (tmp_path / soundness.STORED).parent.mkdir(parents=True)
    soundness.write(tmp_path, [Verdict(**row) for row in reversed(_stored())])
    stored = (proving.ROOT / soundness.STORED).read_bytes()
    assert (tmp_path / soundness.STORED).read_bytes() == stored


def test_tool_chooses_stale_and_old_verdicts() -> None:
    kernels = {(one.source, one.symbol): one for one in soundness.all_kernels(proving.ROOT)}
    rules = {key: report.rules_of(one) for key, one in kernels.items()}
    rows = [
        Verdict(**{**row, "rules_sha256": rules[row["source"], row["function"]]})
        for row in _stored()
    ]
    before = {soundness.key_of(vars(row)): row for row in rows}
    in_c = [key for key in before if key[2] == "clang"]

    def keys(*options: str) -> set[soundness.Key]:
        chosen = prove_all.chosen(options, before, in_c[:2])
        return {(one.source, one.symbol, build.compiled_by(one, with_)) for one, with_ in chosen}

    assert keys("--old") == set()
    assert keys("--stale") == set(in_c[:2])
    assert keys("--stale", in_c[1][1].removeprefix("hanji_")) == set(in_c[1:2])
    assert keys("--stale", "--gcc") == set()
    gone = before.pop(in_c[3])
    assert in_c[3] in keys("--waiting") and not keys("--waiting") & set(before)
    before[in_c[3]] = gone
    before[in_c[2]] = Verdict(**{**vars(before[in_c[2]]), "rules_sha256": "0"})
    assert keys("--old") == set(in_c[2:3])


def _waiting(rows: list[dict[str, Any]]) -> list[str]:
    held = {soundness.key_of(row) for row in rows if row["why"] != soundness.WAITING}
    return [
        f"{one.symbol.removeprefix('hanji_')} {build.compiled_by(one, compiler)}".strip()
        for one, compiler in soundness.unproved(proving.ROOT, held)
    ]


def test_kernels_that_wait_for_a_proof_are_named() -> None:
    """A kernel without a verdict fails nothing, because a change of many kernels may land before
    their proofs; the summary of the run names it.
    """
    names = _waiting(_stored())
    if names:
        warnings.warn(
            pytest.PytestWarning(
                f"{len(names)} kernels wait for a proof; tools/prove_all.py --waiting proves them: "
                + ", ".join(names)
            ),
            stacklevel=1,
        )


def test_control_a_kernel_without_a_verdict_waits() -> None:
    rows = _stored()
    first = next(row for row in rows if row.get("binary", "").startswith("clang"))
    name = f"{first['function'].removeprefix('hanji_')} clang"
    assert name not in _waiting(rows)
    assert name in _waiting([row for row in rows if row is not first])
    assert name in _waiting([{**row, "why": soundness.WAITING} for row in rows])


def test_times_are_summed_by_instruction_set_and_compiler() -> None:
    def one(function: str, isa: str, seconds: float, binary: str = "") -> Verdict:
        facts = (function, f"hanji_{function}", "speck64_128.encrypt", isa, "some.c", "proved")
        return Verdict(*facts, seconds=seconds, binary=binary)

    rows = [one("a", "avx2", 1.5, "gcc 12.2.0"), one("b", "avx2", 2.0, "gcc 12.2.0")]
    rows += [one("c", "avx2", 4.0, "clang 14.0.6"), one("d", "rv32i", 0.25)]
    assert [
        (x.kernel, x.more["proofs"], x.more["seconds"], x.more["longest"])
        for x in prove_all.times(rows)
    ] == [("avx2 clang", 1, 4.0, "c"), ("avx2 gcc", 2, 3.5, "b"), ("rv32i", 1, 0.2, "d")]


@pytest.mark.slow
@pytest.mark.parametrize("compiler", build.COMPILERS)
def test_stored_verdicts_are_of_the_machine_code_that_the_build_makes(compiler: str) -> None:
    """What no digest of texts can show: each file still makes the binary that was proved."""
    kernels = {(one.source, one.symbol): one for one in soundness.all_kernels(proving.ROOT)}
    prover, other = Prover(proving.ROOT, compiler=compiler), []
    for row in _stored():
        kernel = kernels[row["source"], row["function"]]
        wanted = build.compiled_by(kernel, compiler)
        if row["why"] == soundness.WAITING or soundness.key_of(row)[2] != wanted:
            continue
        if row.get("binary", "") != build.version(kernel, compiler):
            pytest.skip(f"the verdicts are of {row.get('binary')}")
        if prover.confirmed(kernel, Verdict(**row)) is None:
            other.append(kernel.symbol)
    assert not other, f"{len(other)} verdicts are of other machine code: {' '.join(other)}"
