# SPDX-License-Identifier: Apache-2.0
"""Machine code of AVX2 and AVX-512: proofs, spoilt kernels, mutants, and the rules for instructions
beside the processor.
"""

from __future__ import annotations

import json
import operator
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import capstone
import proving
import pytest

from hanji_lab import kernels
from hanji_lab.kernels import Kernel
from hanji_lab.prove import contracts, mutants, native, soundness, x86
from hanji_lab.prove.build import COMPILERS, HOST, linked
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.induct import Call
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.values import Cond, Lin, RefusedError, UndecidedError
from hanji_lab.prove.x86 import X86Image, X86Machine

SPECK = ("speck/speck64_avx2.c", "speck64_128_avx2_encrypt_x8")
SPARKLE = ("sparkle/generated/sparkle384_avx512.S", "sparkle384_avx512_x1")
KECCAK = ("keccak/keccak_avx2_x1.c", "keccak_avx2_x1")
KECCAK_512 = ("keccak/keccak_avx512_x1.c", "keccak_avx512_x1")
KECCAK_8 = ("keccak/keccak_avx512_x8.c", "keccak_avx512_x8")

CI = [
    (*SPECK, "gcc", "0 and more"),
    ("speck/speck64_avx2.c", "speck64_128_avx2_decrypt_x8", "clang", "0 and more"),
    (*SPARKLE, "gcc", "0 and more"),
    (*KECCAK, "gcc", "one"),
]
SLOW = [
    ("simon/simon64_avx512.c", "simon64_128_avx512_ctr_x256", "gcc", "0 and more"),  # low bits
    ("simon/simon64_avx2.c", "simon64_128_avx2_ctr_x256", "gcc", "0 and more"),  # counts behind
    ("speck/speck64_avx2.c", "speck64_128_avx2_ctr_x112", "clang", "0 and more"),  # hands on
    ("cham/cham64_avx2.c", "cham64_128_avx2_ctr_x16", "gcc", "0 and more"),
    ("simon/simon64_avx2.c", "simon64_128_avx2_ctr_x16", "gcc", "0 and more"),
    ("simon/simon64_avx2.c", "simon64_128_avx2_encrypt_x64", "gcc", "0 and more"),  # slices
    ("speck/speck64_avx2.c", "speck64_128_avx2_encrypt_x8", "clang", "0 and more"),
    ("speck/speck64_avx512.c", "speck64_128_avx512_decrypt_x16", "clang", "0 and more"),
    ("simon/simon64_avx512.c", "simon64_128_avx512_encrypt_x16", "clang", "0 and more"),
    ("cham/cham64_avx2.c", "cham64_128_avx2_encrypt_x16", "clang", "0 and more"),
    ("simon/simon64_avx2.c", "simon64_128_avx2_decrypt_x8", "clang", "0 and more"),
    ("keccak/keccak_avx2_x4.c", "keccak_avx2_x4", "clang", "one"),
    ("speck/speck128_avx2.c", "speck128_192_avx2_encrypt_x4", "clang", "0 and more"),  # an index
    ("sparkle/sparkle384_avx2.c", "sparkle384_avx2_x1", "clang", "0 and more"),  # entered inside
    ("cham/cham64_avx2.c", "cham64_128_avx2_encrypt_x64", "clang", "0 and more"),  # memset
    (*KECCAK_512, "gcc", "one"),
    (*KECCAK_8, "gcc", "one"),
    (*KECCAK_8, "clang", "one"),
]


def need(compiler: str = "gcc") -> None:
    """Skip where the compiler is missing, or is not for x86-64."""
    program = shutil.which(f"{compiler}-{'12' if compiler == 'gcc' else '14'}") or shutil.which(
        compiler
    )
    if program is None:
        pytest.skip(f"{compiler} is not installed")
    target = subprocess.run([program, "-dumpmachine"], capture_output=True, text=True, check=True)
    if "x86_64" not in target.stdout:
        pytest.skip(f"{compiler} does not compile for x86-64")


def verdict(source: str, function: str, compiler: str = "gcc") -> Verdict:
    need(compiler)
    one = proving.kernel(source, function)
    return Prover(proving.ROOT, seconds=proving.SECONDS, compiler=compiler).prove(one)


@pytest.mark.parametrize(
    ("source", "function", "compiler", "groups"),
    [*CI, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)],
    ids=lambda value: value[-24:],
)
def test_kernel_is_proved(source: str, function: str, compiler: str, groups: str) -> None:
    found = verdict(source, function, compiler)
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope.values()) == {groups}
    assert found.binary.startswith(compiler)


COUNTER = ("simon/simon64_avx2.c", "simon64_128_avx2_ctr_x8")
# What is changed in CTR, and the words of the verdict. The second one is right for one group: what
# is ready for the last group is of the group before it.
WRONG_COUNTERS = {
    "a carry one block late": ("W(splat)(255) & ~c[WORDS - 1]", "W(splat)(254) & ~c[WORDS - 1]"),
    "the last of many groups": (
        "if (groups > 0)\n            W(group_of)",
        "if (groups > 1)\n            W(group_of)",
    ),
    "blocks of a group twice": (
        "return (W(block_numbers)() +",
        "return ((W(block_numbers)() & ~W(splat)(2)) +",
    ),
    "a block between groups": (
        "(part * (size_t)(width * BLOCKS))",
        "(part * (size_t)(width * BLOCKS + 1))",
    ),
    "bits above a word": (
        "of->at[p][w] = W(from_be)(p > 0 ? sum : c[w]);",
        "of->at[p][w] = ~W(from_be)(p > 0 ? sum : c[w]);",
    ),
}
# Words of 16 bits fill their counters sooner, and counters of 128 bits have long carries.
COUNTERS = {
    "simon64": COUNTER,
    "cham64": ("cham/cham64_avx2.c", "cham64_128_avx2_ctr_x16"),
    "simon64 on AVX-512": (
        *("simon/simon64_avx512.c", "simon64_128_avx512_ctr_x16"),
    ),  # in mask registers
    "simon128": ("simon/simon128_avx2.c", "simon128_128_avx2_ctr_x4"),
}


@pytest.mark.slow
@pytest.mark.parametrize("cipher", COUNTERS)
@pytest.mark.parametrize("name", ["", *WRONG_COUNTERS])
def test_wrong_counter_is_not_proved(name: str, cipher: str, tmp_path: Path) -> None:
    """CTR whose loop carries what is ready for the next group, compiled with an error."""
    need()
    counted = COUNTERS[cipher]
    source = proving.ROOT / "src" / counted[0]
    header = (proving.ROOT / "src/lanes/vector_ctr.h").read_text()
    old, new = WRONG_COUNTERS[name] if name else ("", "")
    assert not name or header.count(old) == 1
    (tmp_path / "lanes").mkdir()
    for beside in (proving.ROOT / "src/lanes").glob("*.h"):
        (tmp_path / "lanes" / beside.name).write_text(beside.read_text())
    if name:
        (tmp_path / "lanes/vector_ctr.h").write_text(header.replace(old, new))
    path = tmp_path / source.name
    path.write_text(source.read_text().replace("lanes/vector.h", f"{tmp_path}/lanes/vector.h"))
    vector = tmp_path / "lanes/vector.h"
    vector.write_text(vector.read_text().replace('"lanes/', f'"{tmp_path}/lanes/'))
    one = proving.kernel(*counted)
    image = X86Image(linked(proving.ROOT, path, one.isa, tmp_path))
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    found = Prover(proving.ROOT, seconds=60).proved(blank, image, list(contracts.tasks(one))[:1])
    assert (found.verdict == "proved") == (not name), found.why
    if name == "a carry one block late":
        assert found.verdict == "counterexample", found.why
    elif name:
        assert "for more: " in found.why or found.verdict == "counterexample", found.why


def _text(path: Path) -> str:
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True
    ).stdout
    return listing.partition("Disassembly")[2]


def test_flags_are_those_of_the_build() -> None:
    """What CMake gives to every file of the library stands in HOST, but for what does not change
    the code: definitions of names and warnings.
    """
    text = "".join(
        (proving.ROOT / name).read_text()
        for name in ("CMakeLists.txt", "cmake/kernels.cmake", "cmake/hardening.cmake")
    )
    for flag in HOST:
        if flag in ("-O3", "-DNDEBUG", "-std=c17", "-fPIC", "-fvisibility=hidden"):
            continue  # Release, C_STANDARD, POSITION_INDEPENDENT_CODE, C_VISIBILITY_PRESET
        name = flag.replace("HANJI_KEY_AREA_BYTES=0", "HANJI_KEY_AREA_BYTES").removeprefix("-D")
        name = name.replace("_FORTIFY_SOURCE=2", "_FORTIFY_SOURCE")
        assert name in text, flag


# A change of a proved kernel, the verdicts that it may have, and why. None of them is proved.
LEAKS = {
    "branch on data": ("    cmp $0, (%rdi)\n    je 9f\n9:\n", "the branch at .* depends on data"),
    "address from data": (
        "    mov (%rdi), %r11d\n    mov (%rdi, %r11), %r11d\n",
        "an address or count is mixed with data",
    ),
    "read past a buffer": ("    mov 48(%rdi), %r11d\n", "bytes 48 to 51 of states"),
    "read before a buffer": ("    mov -4(%rdi), %r11d\n", "bytes -4 to -1 of states"),
    "saved register": ("    inc %rbx\n", "rbx is not given back|no rule|mixed with data"),
    "stack pointer": ("    sub $16, %rsp\n", "."),
    "below the red zone": ("    mov %r11, -136(%rsp)\n", "below the stack pointer|of stack"),
    "aligned access": ("    vmovdqa (%rdi), %xmm15\n", "are not aligned"),
    "unknown instruction": ("    rdtsc\n", "no rule for rdtsc"),
    "rotation by data": ("    mov (%rdi), %ecx\n    shl %cl, %r11d\n", "depends on data"),
    "undefined flag": ("    imul $3, %r11, %r11\n    jc 9f\n9:\n", "not defined|nothing has"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_spoilt_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    need()
    inserted, why = LEAKS[name]
    change = ("    endbr64\n", f"    endbr64\n    mov $0, %r11d\n{inserted}")
    one = proving.spoilt(proving.kernel(*SPARKLE), tmp_path, change)
    found = Prover(proving.ROOT, seconds=30).prove(one)
    assert found.verdict in ("refused", "counterexample", "open"), name
    assert re.search(why, found.why), found.why


def test_wrong_template_has_a_counterexample(tmp_path: Path) -> None:
    """A round of SPECK with OR in the place of XOR, compiled and refuted."""
    need()
    source = proving.ROOT / "src" / SPECK[0]
    rounds = (proving.ROOT / "src/speck/speck_rounds.h").read_text()
    changed = rounds.replace("y[l] ^= x[l];", "y[l] |= x[l];")
    assert changed != rounds
    (tmp_path / "wrong.h").write_text(changed)
    path = tmp_path / source.name
    path.write_text(source.read_text().replace("speck/speck_rounds.h", f"{tmp_path}/wrong.h"))
    one = proving.kernel(*SPECK)
    program = linked(proving.ROOT, path, one.isa, tmp_path)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    tasks = list(contracts.tasks(one))
    found = Prover(proving.ROOT, seconds=30).proved(blank, X86Image(program), tasks)
    assert found.verdict == "counterexample"
    assert found.case is not None
    assert found.case["wanted"] != found.case["found"]


# Wrong stores of a lane by the kernel for eight states, and the state that is wrong first.
MIXED = {
    "states change places": ("_mm512_permutex_epi64(v, 0xb1)", 0),
    "a bit of the last state": ("_mm512_xor_si512(v, _mm512_set_epi64(1, 0, 0, 0, 0, 0, 0, 0))", 7),
}


@pytest.mark.parametrize(
    "name",
    ["states change places", pytest.param("a bit of the last state", marks=pytest.mark.slow)],
)
def test_mixed_states_have_a_counterexample(name: str, tmp_path: Path) -> None:
    need()
    stored, state = MIXED[name]
    change = ("states + 8 * (w), v)", f"states + 8 * (w), (w) == 3 ? {stored} : (v))")
    one = proving.spoilt(proving.kernel(*KECCAK_8), tmp_path, change)
    found = Prover(proving.ROOT, seconds=proving.SECONDS).prove(one)
    assert found.verdict == "counterexample", found.why
    assert f" of byte {8 * (3 * 8 + state)} of states differs" in found.why


def _attacked(source: str, function: str, count: int) -> None:
    need()
    one = proving.kernel(source, function)
    seen: Counter[str] = Counter()
    for mutant in mutants.x86_mutants(Prover(proving.ROOT), one, count):
        seen[mutant.verdict.verdict] += 1
        said = f"{mutant.at:#x}: {mutant.before} became {mutant.after}"
        assert mutant.verdict.verdict != "proved" or (mutant.before, mutant.after) in SAME, said
    print(function, dict(seen))
    assert sum(seen.values()) == count
    assert seen["counterexample"] + seen["refused"] > count // 2


# Accepted mutants, and why they compute the same.
SAME = {("rol r10d, 0x10", "ror r10d, 0x10"): "half of the bits either way"}


MUTANTS = [(*SPECK, 3), (*SPARKLE, 4)]  # of these the slow set has more
MORE_MUTANTS = [
    (*SPECK, 16),
    (*SPARKLE, 24),
    (*COUNTER, 24),
    ("cham/cham64_avx2.c", "cham64_128_avx2_encrypt_x16", 16),
    (*KECCAK, 16),
    (*KECCAK_8, 12),
]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    _attacked(source, function, count)


FILES = [SPECK[0], SPARKLE[0], KECCAK_512[0]]
MORE = [
    *("speck/speck64_avx512.c", "speck/speck128_avx2.c", "speck/speck128_avx512.c"),
    *("simon/simon64_avx512.c", "simon/simon64_avx2.c"),
    *("simon/simon128_avx2.c", "simon/simon128_avx512.c"),
    *("cham/cham64_avx2.c", "cham/cham64_avx512.c", "cham/cham128_avx2.c", "cham/cham128_avx512.c"),
    *("keccak/keccak_avx2_x1.c", "keccak/keccak_avx2_x4.c", "keccak/keccak_avx512_x8.c"),
    "keccak/keccak_avx512_x1.c",
    *("sparkle/sparkle384_avx2.c", "sparkle/generated/sparkle512_avx512.S"),
    *("aimer/aimer_avx2.c", "aimer/aimer_avx512.c"),
    *(
        "ascon/ascon_avx2_x1.c",
        "ascon/ascon_avx2_x8.c",
        "ascon/ascon_avx512_x16.c",
        "ascon/ascon_avx512_x24.c",
        "sparkle/schwaemm_avx2.c",
        "sparkle/schwaemm_avx512.c",
    ),
    *("sparkle/esch_avx2.c", "sparkle/esch_avx512.c"),
    *("sparkle/schwaemm_avx2_x1.c", "sparkle/schwaemm_avx512_x1.c"),
    *("sparkle/esch_avx2_x1.c", "sparkle/esch_avx512_x1.c"),
]
COUNTED = [  # whose CTR is judged, too: comparisons, masks and blends
    *("speck/speck64_avx2.c", "speck/speck64_avx512.c", "cham/cham64_avx512.c"),
    *("simon/simon64_avx2.c", "simon/simon64_avx512.c", "simon/simon128_avx512.c"),
]
OPERATIONS = re.compile(
    r"_(encrypt|decrypt)_x\d+$|(keccak|sparkle\d+)_avx\d+_x\d$|^apply_"
    r"|_(prepare|apply|products|power)(\.constprop\.\d+|\.isra\.\d+)*$"
    r"|^hanji_schwaemm.*_(seal|open)_x1$|_digest_x1$|_(short|once)_x\d+(_[a-z]+)?(\.constprop\.\d+)?$"
    r"|_(streams|chains|uniform|ragged|macs)_x\d+$|^wipe_frames"
    r"|^(slice_(keys|group)|store_slices|simon_slices)_w\d+"
    r"|^(fold|store_folds|folded_group|fold_keys|simon_folds)_w\d+"
)
CTR = re.compile(r"_ctr_x\d+$")
ENGINES = re.compile(  # functions of engines, whose rows have the names of their tables
    r"^(absorb|seal|open)_blocks$|^(aead|hash)_ragged_\w+$|^rows_\w+$|^absorb_words$"
    r"|_round_x8$|_uniform_x16$|^hanji_esch\d+_avx\d+_(absorb|end)_x1$"
    r"|^(schwaemm\d+_\d+|esch\d+)_(begin|end|((seal|open)(_whole|_last)?)|pairs|block|squeeze|slim)$"
)


def _stored(wide: bool) -> list[dict[str, object]]:
    """Proofs of kernels for this processor that are stored."""
    rows: list[dict[str, object]] = json.loads((proving.ROOT / soundness.STORED).read_text())
    sets = ("avx2", "avx512") if wide else ("avx2",)
    return [row for row in rows if row["verdict"] == "proved" and row["isa"] in sets]


def _able() -> bool:
    """Whether the processor has AVX-512; skip where it has no AVX2 either."""
    need()
    if native.able():
        return True
    if not native.able(wide=False):
        pytest.skip("the processor lacks instructions of the kernels")
    return False


def _judged(
    files: list[str], tmp_path: Path, rounds: int, compiler: str = "gcc"
) -> tuple[native.Judge, list[native.Finding], int]:
    """Instructions of kernels of some files beside the processor; without AVX-512 those of AVX2."""
    wide = _able()
    codes: dict[str, int] = {}
    for source in files:
        isa = "avx512" if "avx512" in source else "avx2"
        if isa == "avx512" and not wide:
            continue
        rows = [row for row in _stored(wide) if _of(row, source, compiler)]
        if compiler != "gcc" and not rows:
            continue
        path = proving.ROOT / "src" / source
        image = X86Image(linked(proving.ROOT, path, isa, tmp_path, compiler))
        named = [str(row["function"]) for row in rows if row["function"] in image.symbols]
        if compiler != "gcc":
            parts_of = (ENGINES, re.compile(r"^apply_"))
            named += [n for n in image.symbols if any(one.search(n) for one in parts_of)]
        else:
            named = [
                name for name in image.symbols if OPERATIONS.search(name) or ENGINES.search(name)
            ]
            if source in COUNTED and files != FILES:
                named += [name for name in image.symbols if CTR.search(name)]
        assert named, source
        parts = (*(f"{name}_" for name in named), "wipe_frames")  # functions that these call
        named += [name for name in image.symbols if name.startswith(parts)]
        codes |= native.instructions(image, named)
    judge = native.Judge(image, tmp_path, wide=wide)
    return judge, judge.judge(codes, rounds), len(codes)


def _of(row: dict[str, object], source: str, compiler: str) -> bool:
    return row["source"] == f"src/{source}" and str(row["binary"]).startswith(compiler)


def test_rules_agree_with_the_processor(tmp_path: Path) -> None:
    judge, findings, count = _judged(FILES, tmp_path, 1)
    assert not findings
    assert count > (80 if judge.wide else 30)
    assert judge.names >= {"vpaddd", "vpxor", "ret"}
    if judge.wide:
        assert judge.names >= {"vpternlogq", "je", "push", "vprolq", "rol"}


# Forms that clang makes of intrinsics, also in files without a stored proof.
OF_CLANG = {
    "vpmovb2m k1,zmm8": "62d27e4829c8",
    "vpmovw2m k2,ymm8": "62d2fe2829d0",
    "vpmovd2m k1,zmm8": "62d27e4839c8",
    "vpmovq2m k3,xmm9": "62d2fe0839d9",
    "vblendps xmm15,xmm14,xmm5,0x1": "c463090cfd01",
    "vblendps ymm1,ymm2,ymm3,0xa5": "c4e36d0ccba5",
    "vblendpd ymm1,ymm2,ymm3,0x6": "c4e36d0dcb06",
    "vpermilps ymm1,ymm11,0xed": "c4c37d04cbed",
    "vpermpd ymm1,ymm1,0x84": "c4e3fd01c984",
    "vpermpd zmm1,zmm2,0x1b": "62f3fd4801ca1b",
    "vpermpd zmm3,zmm1,zmm3": "62f2f54816db",
    "vpermps ymm0,ymm0,ymm15": "c4c27d16c7",
    "vpermps zmm1,zmm2,zmm3": "62f26d4816cb",
    "vpermi2ps ymm1,ymm8,ymm0": "62f23d2877c8",
    "vpermt2ps zmm1,zmm8,zmm0": "62f23d487fc8",
    "vpermi2pd zmm1,zmm8,zmm0": "62f2bd4877c8",
    "vpermt2pd ymm1,ymm8,ymm0": "62f2bd287fc8",
    "vpexpandd ymm1{k1}{z},ymm1": "62f27da989c9",
    "vpexpandd zmm2{k1},zmm3": "62f27d4989d3",
    "vpexpandq zmm12{k1}{z},zmm1": "6272fdc989e1",
    "vpmovqd xmm0,xmm1": "62f27e0835c8",
    "vpmovqd ymm0,zmm1": "62f27e4835c8",
    "vpmovdw ymm3,zmm4": "62f27e4833e3",
    "vpmovdb xmm3,zmm4": "62f27e4831e3",
    "vpmovwb ymm3,zmm4": "62f27e4830e3",
    "vpmovzxdq xmm0,xmm6": "c4e27935c6",
    "vpmovzxdq zmm0,ymm6": "62f27d4835c6",
    "vpmovzxbw ymm1,xmm2": "c4e27d30ca",
    "vpmovzxbd zmm1,xmm2": "62f27d4831ca",
    "vpmovzxwd ymm1,xmm2": "c4e27d33ca",
    "sbb rbx,-1": "4883dbff",
    "sbb eax,ecx": "19c8",
    "sbb rax,rax": "4819c0",
    "bt r15,rcx": "490fa3cf",
    "bt eax,5": "0fbae005",
    "shrd esi,ecx,0x10": "0facce10",
    "shrd rax,rdx,3": "480facd003",
    "shr eax,1": "d1e8",
    "shr al,3": "c0e803",
    "shl eax,5": "c1e005",
    "shl rbx,63": "48c1e33f",
    "sar rcx,3": "48c1f903",
    "sar al,7": "c0f807",
    "vpextrb eax,xmm3,5": "c4e37914d805",
    "vpextrb BYTE PTR [rdi+3],xmm3,5": "c4e379145f0305",
    "vpextrw r9d,xmm11,6": "c44179c5cb06",
    "vpextrw WORD PTR [rdi+3],xmm9,5": "c46379154f0305",
    "xorps xmm0,xmm0": "0f57c0",
    "xorps xmm1,xmm2": "0f57ca",
}


def test_rules_for_code_of_clang_agree_with_the_processor(tmp_path: Path) -> None:
    if not _able():
        pytest.skip("the processor lacks AVX-512")
    image = X86Image(linked(proving.ROOT, proving.ROOT / "src" / SPARKLE[0], "avx512", tmp_path))
    judge = native.Judge(image, tmp_path)
    assert not judge.judge(list(OF_CLANG.values()), 2)
    assert judge.names == {text.split()[0] for text in OF_CLANG}


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_instruction_of_a_proof_was_judged(compiler: str, tmp_path: Path) -> None:
    """On a processor without AVX-512 this is said of AVX2 alone."""
    need(compiler)
    judge, findings, count = _judged([*FILES, *MORE], tmp_path, 3, compiler)
    assert not findings
    if compiler == "gcc":
        assert count > 300 and judge.names >= {"vpblendvb", "cmovbe"}
        assert not judge.wide or judge.names >= {"vpblendmd", "vpcmpnleud"}
    used: set[str] = set()
    for row in _stored(judge.wide):
        if str(row["binary"]).startswith(compiler):
            assert isinstance(row["mnemonics"], list)
            used |= set(row["mnemonics"])
    assert used
    assert used <= judge.names, used - judge.names


@pytest.mark.parametrize("name", ["vpaddw", "vpternlogq", "vprolq", "push", "je"])
def test_wrong_rule_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the rule of another instruction in the place of one."""
    wide = _able()
    if not wide and name in ("vpternlogq", "vprolq"):
        pytest.skip("the processor lacks AVX-512")
    code, other = {
        "vpaddw": ("c5ddfdca", "vpsubw"),
        "vpternlogq": ("62f3f54825c296", "vpermt2q"),
        "vprolq": ("62f1f54872c803", "vpshufd"),
        "push": ("53", "pop"),
        "je": ("7410", "jne"),
    }[name]
    decoder = x86.capstone.Cs(x86.capstone.CS_ARCH_X86, x86.capstone.CS_MODE_64)
    one = x86.decoded(decoder, bytes.fromhex(code), 0)
    image = X86Image(linked(proving.ROOT, proving.ROOT / "src" / SPARKLE[0], "avx512", tmp_path))
    judge = native.Judge(image, tmp_path, wide=wide)
    assert not judge.judge([code], 6)
    monkeypatch.setitem(x86.RULES, one.name, x86.RULES[other])
    assert judge.judge([code], 6)


def _machine() -> X86Machine:
    image = X86Image.__new__(X86Image)
    image.isa, image.registers = x86.X86, x86.REGISTERS
    m = X86Machine(Graph(), image, {"stack": x86.Region(-64, 0, "rw", 16)})
    m.alignment = {"stack": 16}
    return m


def test_low_bits_of_multiples_are_those_of_the_number() -> None:
    m = _machine()
    rules = {"INT_OR": operator.or_, "INT_XOR": operator.xor, "INT_AND": operator.and_}
    for name, rule in rules.items():
        for c, factor, y in ((0, 2, 1), (16, 48, 15), (5, -8, 3), (-31, 32, 31), (16, 32, 16)):
            for values in ([Lin(c, {"n": factor}), y], [y, Lin(c, {"n": factor})]):
                found = m._linear(name, values, 64, 64)
                d, t = (found, {}) if isinstance(found, int) else (found.c, found.factors)
                for n in (0, 1, 5, 1 << 63):
                    number = (c + factor * n) % (1 << 64)
                    assert rule(number, y) == (d + t.get("n", 0) * n) % (1 << 64)
        for c, factor, y in ((0, 1, 2), (0, 24, 16), (8, 16, 17)):
            with pytest.raises(OpenError):
                m._linear(name, [Lin(c, {"n": factor}), y], 64, 64)


def _run(m: X86Machine, code: str) -> None:
    """Run machine code without jumps."""
    for one in capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64).disasm(
        bytes.fromhex(code), 0
    ):
        found = x86.decoded(capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64), one.bytes, 0)
        x86.RULES[found.name](m, found)


TO_MASK = "c5fb92c8"  # kmovd k1, eax
BLEND_4, BLEND_16 = "62f17d896fc8", "62f17dc96fc8"  # vmovdqa32 x/zmm1 {k1} {z}, x/zmm0


def test_of_a_mask_only_what_elements_need_is_read() -> None:
    """Its other bits may be those of an address, which none may read."""
    m = _machine()
    m.set_register("rax", Lin(0, {"canary": 1}))
    m.set_register("zmm0", (1,) * 512)
    m.set_register("k2", 5)
    _run(m, "b002" + TO_MASK + BLEND_4)  # mov al, 2
    assert m.register("xmm1") == 0xFFFFFFFF << 32
    assert m.register("k2") == 5
    with pytest.raises(OpenError, match="canary"):
        _run(m, BLEND_16)
    with pytest.raises(OpenError, match="canary"):
        _run(_with(Lin(0, {"canary": 1}), "rax"), TO_MASK)  # all of it


@pytest.mark.parametrize("code", ["8d0cfd00000000", "89f9"])  # lea ecx, [8 * rdi] and mov ecx, edi
def test_of_half_an_address_low_bits_are_known(code: str) -> None:
    for factor, mask, known in ((16, "08", True), (16, "38", False), (64, "38", True)):
        m = _with(Lin(24, {"n": factor}), "rdi")
        _run(m, code)
        with pytest.raises(OpenError, match="a part of the address or count"):
            m.register("rcx")
        if not known and code == "89f9":
            with pytest.raises(OpenError, match="no rule for INT_AND"):
                _run(m, "83e1" + mask)
            continue
        _run(m, "83e1" + mask)  # and ecx, mask
        assert m.register("rcx") == 24 * (8 if code != "89f9" else 1) & int(mask, 16)


def test_a_vector_of_a_quotient_is_one_where_it_is_shifted() -> None:
    """clang divides a count by three once and twice: in a register and in a vector."""
    m = _with(Lin(7, {"n": 6}), "rcx")
    m.bounds["n"] = (0, 1 << 50)
    m.set_register("rax", 0xAAAAAAAAAAAAAAAB)
    _run(m, "48f7e1" + "62f2fd487cca")  # mul rcx; vpbroadcastq zmm1, rdx
    _run(m, "62f1ed4873d101")  # vpsrlq zmm2, zmm1, 1
    at = x86.REGISTERS["zmm2"][1]
    assert m.spaces["register"][at + 56] == (Lin(2, {"n": 2}), 0, 8)
    for code in ("62f1ed4873d109", "62f1ed4873f102"):  # by 9, and to the left
        with pytest.raises(OpenError):
            _run(m, code)


def _with(value: Lin, register: str) -> X86Machine:
    m = _machine()
    m.set_register(register, value)
    return m


def test_aligned_stack_is_apart_from_the_frame_above() -> None:
    m = _machine()
    assert m.align_stack(Lin(-8, {"stack": 1}), -32) == Lin(0, {"frame": 1})
    assert m.regions["stack"].low == -8
    # A second call from the same place has the same frame.
    assert m.align_stack(Lin(-8, {"stack": 1}), -32) == Lin(0, {"frame": 1})
    with pytest.raises(RefusedError, match="bytes -16 to -9 of stack"):
        m._place(Lin(-16, {"stack": 1}), 8, "load")
    with pytest.raises(OpenError, match="no rule for the alignment"):
        m.align_stack(Lin(-8, {"stack": 1}), -128)


def test_a_function_that_is_called_may_align_its_frame_again() -> None:
    """To no more than the region is aligned, by a power of two."""
    m = _machine()
    m.align_stack(Lin(-8, {"stack": 1}), -32)
    assert m.align_stack(Lin(-40, {"frame": 1}), -32) == Lin(-64, {"frame": 1})
    assert m.align_stack(Lin(-64, {"frame": 1}), -32) == Lin(-64, {"frame": 1})
    assert m.align_stack(Lin(-40, {"frame": 1}), -16) == Lin(-48, {"frame": 1})
    for value, mask in ((Lin(-40, {"frame": 1}), -64), (Lin(-40, {"frame": 1}), -24)):
        with pytest.raises(OpenError, match="no rule for the alignment"):
            m.align_stack(value, mask)
    with pytest.raises(OpenError, match="no rule for the alignment"):
        m.align_stack(Lin(-48, {"stack": 1}), -24)


def test_frame_of_a_function_that_has_returned_is_gone() -> None:
    """A call from another place has a frame of its own: of the old one neither what it held is left
    nor an address.
    """
    m = _machine()
    m.align_stack(Lin(-24, {"stack": 1}), -32)
    m.write("frame", -8, 7, 8)
    m.write("stack", -24, 5, 8)
    m.write("stack", -16, 6, 8)
    m.set_register("rax", Lin(-8, {"frame": 1}))
    assert m.align_stack(Lin(-16, {"stack": 1}), -64) == Lin(0, {"frame": 1})
    assert m.regions["stack"].low == -16 and m.alignment["frame"] == 64
    assert sorted(m.spaces["stack"]) == list(range(-16, -8)) and not m.spaces["frame"]
    with pytest.raises(OpenError, match="a function that has returned"):
        m.bits(m.register("rax"), 64)
    with pytest.raises(RefusedError):
        m._place(m.register("rax"), 8, "load")


def _before_a_call(size: int | Lin = 16, target: Lin | None = None, **registers: int) -> X86Machine:
    """A machine that has put the arguments of memcpy into their registers."""
    m = _machine()
    m.regions["out"], m.touched = x86.Region(0, 32, "rw", 1), []
    m.set_register("rsp", Lin(-32, {"stack": 1}))
    for at in range(-64, 0, 8):
        m.write("stack", at, m.g.word(f"{at}", 64), 8)
    m.set_register("rbx", 5)
    m.set_register("rdi", target or Lin(3, {"out": 1}))
    m.set_register("rsi", Lin(-16, {"stack": 1}))
    m.set_register("rdx", size)
    for name, value in registers.items():
        m.set_register(name, value)
    return m


def test_calls_of_the_c_library_do_what_c_says() -> None:
    """What a function need not give back is gone, and so is what lies below the stack pointer."""
    for name in ("memcpy", "__memcpy_chk", "memset"):
        m = _before_a_call(rcx=16)
        held = [m.bits(m.read("stack", at, 1), 8) for at in range(-16, 0)]
        low = m.g.word("byte", 64)
        if name == "memset":
            m.set_register("rsi", low)
        m.called_elsewhere(name)
        got = [m.bits(m.read("out", 3 + i, 1), 8) for i in range(16)]
        assert got == ([low[:8]] * 16 if name == "memset" else held)
        assert sorted(m.spaces["out"]) == list(range(3, 19))
        assert sorted(m.spaces["stack"]) == list(range(-32, 0))
        assert m.register("rax") == Lin(3, {"out": 1}) and m.register("rbx") == 5
        for register in ("rcx", "rdi", "zmm17", "k1"):
            with pytest.raises(OpenError, match="leaves undefined"):
                m.bits(m.register(register), 64)


def test_gaps_of_a_structure_are_copied_and_never_read() -> None:
    """Of memory that is not the kernel's own, they are not even copied."""
    m = _before_a_call(16)
    for at in range(-10, -7):
        del m.spaces["stack"][at]
    m.called_elsewhere("memcpy")
    for at in (*range(3, 9), *range(12, 19)):
        m.bits(m.read("out", at, 1), 8)
    for at in range(9, 12):
        with pytest.raises(OpenError, match="that nothing has written"):
            m.bits(m.read("out", at, 1), 8)
    m = _before_a_call(16)
    m.regions["in"] = x86.Region(0, 32, "r", 1)
    m.set_register("rsi", Lin(0, {"in": 1}))
    with pytest.raises(RefusedError, match="nothing has written"):
        m.called_elsewhere("memcpy")


def test_an_address_of_a_frame_is_never_zero() -> None:
    """Nor is one of any byte of the frame; one of what lies below it may be."""
    m = _machine()
    m.align_stack(Lin(-16, {"stack": 1}), -64)
    low = m.regions["frame"].low
    for at in (0, -64, low):
        assert not Cond("equal", Lin(at, {"frame": 1}), 0, 64).decide(m.bounds)
    with pytest.raises(UndecidedError):
        Cond("equal", Lin(low - 1, {"frame": 1}), 0, 64).decide(m.bounds)


@pytest.mark.parametrize(
    ("name", "m", "why"),
    [
        ("memcpy", _before_a_call(Lin(0, {"n": 1})), "n \\+ 0 bytes are copied"),
        ("memset", _before_a_call(Lin(0, {"n": 1}), rsi=0), "bytes are wiped or set"),
        ("memcpy", _before_a_call(30), "bytes -16 to 13 of stack"),
        ("memset", _before_a_call(30, rsi=0), "bytes 3 to 32 of out"),
        ("memcpy", _before_a_call(16, Lin(-31, {"stack": 1})), "onto themselves"),
        ("__memcpy_chk", _before_a_call(16, rcx=15), "16 bytes are copied to 15"),
        ("memcpy", _before_a_call(16, rsp=7), "another file"),
        ("memmove", _before_a_call(16), "another file"),
    ],
)
def test_calls_that_c_does_not_define_are_not_proved(name: str, m: X86Machine, why: str) -> None:
    with pytest.raises((OpenError, RefusedError), match=why):
        m.called_elsewhere(name)


def test_frame_is_gone_when_a_caller_stores_below() -> None:
    """The stack pointer is above the frame again; what stores with it in the frame is refused."""
    m = _machine()
    m.touched = []
    m.align_stack(Lin(-24, {"stack": 1}), -32)
    m.write("frame", -8, 7, 8)
    m.set_register("rax", Lin(-8, {"frame": 1}))
    for sp in (Lin(0, {"frame": 1}), Lin(-8, {"frame": 1})):
        m.set_register("rsp", sp)
        with pytest.raises(RefusedError, match="bytes -32 to -25 of stack"):
            m._place(Lin(-32, {"stack": 1}), 8, "store")
    m.set_register("rsp", Lin(-32, {"stack": 1}))
    with pytest.raises(RefusedError, match="bytes -32 to -25 of stack"):
        m._place(Lin(-32, {"stack": 1}), 8, "load")
    assert m._place(Lin(-32, {"stack": 1}), 8, "store") == ("stack", -32)
    assert "frame" not in m.regions and not m.spaces["frame"]
    with pytest.raises(RefusedError):
        m._place(m.register("rax"), 8, "load")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("f3480fb8c1", id="popcnt"),
        pytest.param("f3aa", id="rep stosb"),
        pytest.param("f00fb111", id="lock cmpxchg"),
        pytest.param("0f58c1", id="addps of SSE"),
        pytest.param("c4e27d4000", id="bytes that are no instruction of ours"),
        pytest.param("67488b00", id="address of 32 bits"),
    ],
)
def test_unknown_instruction_has_no_rule(text: str) -> None:
    decoder = x86.capstone.Cs(x86.capstone.CS_ARCH_X86, x86.capstone.CS_MODE_64)
    with pytest.raises(OpenError):
        one = x86.decoded(decoder, bytes.fromhex(text), 0)
        if one.name not in x86.RULES:
            raise OpenError(one.text)


def test_every_kernel_for_x86_has_a_verdict_or_a_reason() -> None:
    """Kernels of AVX2 and AVX-512 with a stored verdict exist, and none is refused."""
    rows = json.loads((proving.ROOT / soundness.STORED).read_text())
    held: dict[tuple[str, str], Kernel] = {
        (one.source, one.symbol): one for one in soundness.all_kernels(proving.ROOT)
    }
    own = [row for row in rows if row["isa"] in ("avx2", "avx512")]
    assert own
    for row in own:
        assert (row["source"], row["function"]) in held
        assert row["verdict"] in ("proved", "open")
        assert row["verdict"] != "proved" or row["binary"].startswith(COMPILERS)


def test_call_uses_the_registers_of_the_header() -> None:
    need()
    one = proving.kernel(*SPARKLE)
    prover = Prover(proving.ROOT)
    call = Call(Graph(), prover.image(one), next(iter(contracts.tasks(one))))
    assert [name for name, _ in call.arguments()] == ["rdi", "rsi", "rdx"]
    assert kernels.isa_flags(proving.ROOT, "avx512")
