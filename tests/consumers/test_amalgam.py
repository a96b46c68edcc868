# SPDX-License-Identifier: Apache-2.0
"""The library as one file: it compiles alone and without warnings everywhere, answers the vectors,
and holds nothing that was not chosen.
"""

from __future__ import annotations

import base64
import itertools
import re
import secrets
import subprocess
import sys
from pathlib import Path

import catalogue
import pytest
import vectors_io
from debian import need

import hanji
from hanji import sign
from hanji_lab import forge
from hanji_lab.spec.aimer import VARIANTS

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

KINDS = {one.name: one.kind for one in hanji.algorithms()}
SOME = "schwaemm256-128, speck-64/128-eax, xoesch256"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wpedantic", "-Werror"]
FREESTANDING = [
    "-ffreestanding",
    "-DHANJI_FREESTANDING",
    "-ffunction-sections",
    "-fno-tree-loop-distribute-patterns",
]
RV32 = ["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-Os", *FREESTANDING]


def run(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, (
        f"{' '.join(map(str, command))} failed ({done.returncode}):\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    )
    return done.stdout


def made(folder: Path, names: str, isa: str = "portable", *more: str) -> Path:
    need("gcc")
    run(
        sys.executable,
        ROOT / "tools/amalgam.py",
        "--algorithms",
        names,
        "--isa",
        isa,
        "--out",
        folder,
        *more,
    )
    return folder


def array(data: bytes) -> str:
    return "(const uint8_t[]){" + ",".join(map(str, data or b"\0")) + "}, " + str(len(data))


def checks(name: str, most: int) -> list[str]:
    """C expressions that are true when the amalgam answers the vectors of an algorithm, up to
    `most` of them spread over the file.
    """
    identifier = amalgam.known_algorithms()[name]
    cipher, _, mode = name.rpartition("-")
    if mode not in ("eax", "cmac", "ctr"):
        cipher, mode = name, ""
    family = re.match("[a-z]+", name)
    assert family
    file = (
        "ascon"
        if name == "ascon-p"
        else f"{name}_kat"
        if KINDS.get(name) in ("aead", "hash", "xof")
        else mode
        if mode in ("eax", "cmac")
        else family[0]
    )
    wanted = {"ctr": "CTR", "": "ECB"}.get(mode)
    tests = [
        test
        for test in vectors_io.load(file)
        if test["variant"] in (cipher, name)
        and test["result"] == "valid"
        and (file.endswith("_kat") or test["mode"] == (wanted or mode.upper()))
    ]
    # The library refuses EAX without a nonce.
    tests = [test for test in tests if test.get("nonce") != b"" and len(test.get("pt", b"")) < 4000]
    tests = tests[:: max(1, len(tests) // most)]
    if not tests:
        return []
    if name == "ascon-p":
        return [
            f"hanji_ascon_permute(out, 1, {t['steps']}) == 0 && same(out, {array(t['out'])})"
            for t in tests
            if not any(t["in"])
        ][:1]
    if KINDS.get(name) == "aead":
        return [
            f"aead(hanji_{identifier}_encrypt, hanji_{identifier}_decrypt, {array(t['pt'])}, {array(t['aad'])}, {array(t['nonce'])}, "
            f"{array(t['key'])}, {array(t['ct'] + t['tag'])})"
            for t in tests
        ]
    if KINDS.get(name) in ("hash", "xof"):
        size = f", {len(tests[0]['digest'])}" if KINDS[name] == "xof" else ""
        custom = [f", {array(t['custom'])}" if "custom" in t else "" for t in tests]
        return [
            f"hanji_{identifier}(out{size}{z}, {array(t['msg'])}) == 0 && same(out, {array(t['digest'])})"
            for t, z in zip(tests, custom, strict=True)
        ]
    context = f"hanji_{identifier.removesuffix('_original')}_ctx"
    head = f"&(({context} *)room)->head"
    keyed = f"hanji_block_init({{key}}, hanji_{identifier}(), {head}, sizeof({context})) == 0 && "
    found = []
    for t in tests:
        first = keyed.format(key=array(t["key"]))
        if mode == "eax":
            found.append(
                first
                + f"hanji_eax_init({len(t['tag'])}, {head}, &eax) == 0 && hanji_eax_encrypt(out, {array(t['pt'])}, {array(t['aad'])}, "
                f"{array(t['nonce'])}, &eax) == 0 && same(out, {array(t['ct'] + t['tag'])})"
            )
        elif mode == "ctr":
            text, first_counter = array(t["pt"]), array(t["iv"])
            found += [
                f"{first}hanji_ctr_init({first_counter}, {head}, &ctr) == 0 && "
                f"hanji_ctr_update(out, {text}, &ctr) == 0 && same(out, {array(t['ct'])})",
                f"hanji_ctr(out, {text}, {first_counter}, {array(t['key'])}, hanji_{identifier}())"
                f" == 0 && same(out, {array(t['ct'])})",
            ]
        elif mode == "":
            blocks = len(t["pt"]) // (int(re.findall(r"\d+", cipher)[0]) // 8)
            found.append(
                first
                + f"hanji_block_encrypt(out, {array(t['pt']).rpartition(',')[0]}, {blocks}, {head}) == 0 && same(out, {array(t['ct'])})"
            )
    return found


HELPERS = """\
#include "hanji.h"
static uint8_t out[4096];
static uint64_t room[256];
static inline int same(const uint8_t *a, const uint8_t *b, size_t n) { while (n-- > 0) if (*a++ != *b++) return 0; return 1; }
typedef int aead_fn(uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, const uint8_t *);
static inline int aead(aead_fn *seal, aead_fn *open, const uint8_t *pt, size_t n, const uint8_t *ad, size_t m, const uint8_t *nonce,
    size_t nonce_bytes, const uint8_t *key, size_t key_bytes, const uint8_t *sealed, size_t bytes)
{
    (void)nonce_bytes; (void)key_bytes;
    if (seal(out, pt, n, ad, m, nonce, key) != 0 || !same(out, sealed, bytes)) return 0;
    if (open(out, out, bytes, ad, m, nonce, key) != 0 || !same(out, pt, n)) return 0;
    for (size_t i = 0; i < bytes; i++) out[i] = sealed[i];
    out[bytes - 1] ^= 1;
    return open(out, out, bytes, ad, m, nonce, key) == HANJI_E_TAG;
}
"""


def program(folder: Path, conditions: list[str], declarations: str = "") -> Path:
    """A C program that ends with 0, or with the number of the first condition that does not hold."""
    body = "".join(
        f"    if (!({condition})) return {number % 255 + 1};\n"
        for number, condition in enumerate(conditions)
    )
    source = folder / "main.c"
    source.write_text(
        f"{HELPERS}{declarations}int main(void)\n{{\n    (void)room; (void)same; (void)aead;\n{body}    return 0;\n}}\n"
    )
    return source


MODES = "static hanji_eax_ctx eax;\nstatic hanji_ctr_ctx ctr;\n"


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    return made(tmp_path_factory.mktemp("some"), SOME, "rv32i")


def conditions_of_some() -> list[str]:
    found = [condition for name in amalgam.chosen(SOME) for condition in checks(name, 12)]
    assert len(found) > 30
    return found


@pytest.mark.parametrize("compiler", ["gcc", "clang-14"])
@pytest.mark.parametrize(
    "options", [["-O1"], ["-Os", *FREESTANDING]], ids=["hosted", "freestanding"]
)
def test_hosts_answer_the_vectors(some, tmp_path, compiler, options):
    need(compiler)
    run(
        compiler,
        *STRICT,
        *[o for o in options if compiler == "gcc" or "tree-loop" not in o],
        "-c",
        some / "hanji.c",
        "-o",
        tmp_path / "hanji.o",
    )
    main = program(tmp_path, conditions_of_some(), MODES)
    run(compiler, "-w", f"-I{some}", main, tmp_path / "hanji.o", "-o", tmp_path / "main")
    run(tmp_path / "main")


@pytest.mark.parametrize("portable", [False, True])
def test_rv32_answers_the_vectors(some, tmp_path, portable):
    need("gcc-riscv64-unknown-elf", "qemu-user")
    define = ["-DHANJI_PORTABLE"] if portable else []
    run(*RV32, *define, *STRICT, "-c", some / "hanji.c", "-o", tmp_path / "hanji.o")
    kernels = [] if portable else sorted(some.glob("*.S"))
    main = program(tmp_path, conditions_of_some(), MODES)
    run(
        *RV32,
        "-w",
        "-nostdlib",
        f"-I{some}",
        main,
        ROOT / "tests/c/firmware.c",
        tmp_path / "hanji.o",
        *kernels,
        "-Wl,--gc-sections",
        "-lgcc",
        "-o",
        tmp_path / "main",
    )
    run("qemu-riscv32", tmp_path / "main")


def wycheproof() -> list[str]:
    """Every test of Project Wycheproof: valid messages both ways; a forgery is refused, and what
    was to be the plaintext is zeros.
    """
    found = []
    for t in vectors_io.load("ascon-aead128_wycheproof"):
        if t["result"] == "valid":
            found.append(
                f"aead(hanji_ascon_aead128_encrypt, hanji_ascon_aead128_decrypt, {array(t['pt'])}, "
                f"{array(t['aad'])}, {array(t['nonce'])}, {array(t['key'])}, "
                f"{array(t['ct'] + t['tag'])})"
            )
        else:
            nonce, key = (array(t[name]).rpartition(",")[0] for name in ("nonce", "key"))
            found.append(
                f"filled(out) && hanji_ascon_aead128_decrypt(out, {array(t['ct'] + t['tag'])}, "
                f"{array(t['aad'])}, {nonce}, {key}) == HANJI_E_TAG && zeros(out, {len(t['ct'])})"
            )
    assert len(found) == 252  # the program's status names the first that is wrong
    return found


OUTPUT = """\
static inline int filled(uint8_t *p) { for (size_t i = 0; i < sizeof out; i++) p[i] = 0x5a; return 1; }
static inline int zeros(const uint8_t *p, size_t n) { while (n-- > 0) if (*p++ != 0) return 0; return 1; }
"""


@pytest.mark.parametrize("profile", ["full", "tiny"])
@pytest.mark.parametrize("is_damaged", [False, True], ids=["", "control"])
def test_wycheproof(tmp_path, profile, is_damaged):
    need("gcc", "gcc-riscv64-unknown-elf", "qemu-user")
    conditions = wycheproof()
    if is_damaged:  # a forgery is said to be valid
        assert "HANJI_E_TAG" in conditions[250]
        conditions[250] = conditions[250].replace("HANJI_E_TAG", "HANJI_OK")
    main = program(tmp_path, conditions, OUTPUT)
    for isa in ("portable", "rv32i"):
        folder = made(tmp_path / isa, "ascon-aead128", isa, "--profile", profile)
        command = ["-w", f"-I{folder}", main, folder / "hanji.c", "-o", tmp_path / f"{isa}.elf"]
        if isa == "portable":
            run("gcc", "-O1", *command)
        else:
            command += [*sorted(folder.glob("*.S")), ROOT / "tests/c/firmware.c", "-lgcc"]
            run(*RV32, "-nostdlib", *command)
        emulator = ["qemu-riscv32"] if isa == "rv32i" else []
        done = subprocess.run([*emulator, tmp_path / f"{isa}.elf"])
        assert done.returncode == (251 if is_damaged else 0), isa


def test_clang_compiles_for_rv32(some, tmp_path):
    need("clang-14")
    target = [
        "clang-14",
        "--target=riscv32",
        "-march=rv32i",
        "-Os",
        "-ffreestanding",
        "-DHANJI_FREESTANDING",
        *STRICT,
    ]
    for source in [some / "hanji.c", *some.glob("*.S")]:
        run(*target, "-Wno-unused-command-line-argument", "-c", source, "-o", tmp_path / "object.o")


def test_only_what_was_chosen(some, tmp_path):
    assert [path.name for path in sorted(some.glob("*.S"))] == ["sparkle384_rv32i.S"]
    header = (some / "hanji.h").read_text()
    not_chosen = [family for family in catalogue.families() if family != "speck"]
    others = "schwaemm128 hanji_speck32 esch384 hanji_ctr_init hanji_cmac( fleet hanji_kernel"
    for other in [*(f"hanji_{family}" for family in not_chosen), *others.split()]:
        assert other not in header.lower(), other
    need("gcc-riscv64-unknown-elf")
    run(*RV32, "-c", some / "hanji.c", "-o", tmp_path / "hanji.o")
    symbols = [
        line.split() for line in run("riscv64-unknown-elf-nm", tmp_path / "hanji.o").splitlines()
    ]
    needed = {symbol[-1] for symbol in symbols if symbol[-2] == "U"}
    assert needed <= {"memcpy", "memmove", "memset", "hanji_sparkle384_rv32i_x1"}
    defined = {symbol[-1] for symbol in symbols if symbol[-2] in "TtRrDdBb"}
    assert "hanji_schwaemm256_128_encrypt" in defined
    for other in (
        *not_chosen,
        "schwaemm128",
        "schwaemm192",
        "sparkle256",
        "sparkle512",
        "speck32",
        "esch384",
        "w48",
        "fleet",
    ):
        assert not [name for name in defined if other in name], other


def test_control_a_wrong_vector_is_found(some, tmp_path):
    need("gcc")
    wrong = conditions_of_some()
    wrong[20] = wrong[20].replace("{", "{1+", 1)
    main = program(tmp_path, wrong, MODES)
    run("gcc", "-O1", "-w", f"-I{some}", main, some / "hanji.c", "-o", tmp_path / "main")
    assert subprocess.run([tmp_path / "main"]).returncode == 21


def test_all_algorithms_in_one_file(tmp_path):
    need("gcc", "clang-14", "gcc-riscv64-unknown-elf")
    names = [name for name in amalgam.known_algorithms() if not name.startswith("sparkle")]
    folder = made(tmp_path, ",".join([*amalgam.known_algorithms(), "selftest"]), "rv32i")
    for command in (
        RV32,
        ["clang-14", "-O0", "-DHANJI_ALLOW_O0"],
        ["gcc", "-O0", "-DHANJI_ALLOW_O0"],
    ):
        run(*command, *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")
    main = program(tmp_path, [condition for name in names for condition in checks(name, 3)], MODES)
    run(
        "gcc",
        "-O0",
        "-DHANJI_ALLOW_O0",
        "-w",
        f"-I{folder}",
        main,
        tmp_path / "hanji.o",
        "-o",
        tmp_path / "main",
    )
    run(tmp_path / "main")
    main.write_text(SELFTEST)
    run(
        "gcc",
        "-O0",
        "-DHANJI_ALLOW_O0",
        f"-I{folder}",
        main,
        tmp_path / "hanji.o",
        "-o",
        tmp_path / "main",
    )
    run(tmp_path / "main")


SELFTEST = '#include "hanji.h"\nint main(void) { const char *failed; int rc = hanji_selftest(&failed); return rc == 0 ? 0 : failed == 0 ? 2 : 1; }\n'


@pytest.mark.parametrize("damaged", [False, True])
def test_selftest_of_the_amalgam(tmp_path, damaged):
    """It passes on a host and on RV32, and fails when a constant of SPARKLE is another."""
    need("gcc", "gcc-riscv64-unknown-elf", "qemu-user")
    last = catalogue.algorithms("block")[-1]
    names = (
        "schwaemm128-128, speck-64/128-eax, speck-64/128-ctr, speck-128/128-cmac, "
        f"{last}, esch384, xoesch256, sparkle512, selftest"
    )
    folder = made(tmp_path, names, "rv32i")
    if damaged:
        source = (folder / "hanji.c").read_text()
        assert source.count("0x324e7738") >= 1
        (folder / "hanji.c").write_text(source.replace("0x324e7738", "0x324e7739"))
    (tmp_path / "main.c").write_text(SELFTEST)
    run(
        "gcc",
        "-O0",
        "-DHANJI_ALLOW_O0",
        *STRICT,
        tmp_path / "main.c",
        folder / "hanji.c",
        "-o",
        tmp_path / "host",
    )
    assert subprocess.run([tmp_path / "host"]).returncode == (1 if damaged else 0)
    if not damaged:
        files = [
            tmp_path / "main.c",
            folder / "hanji.c",
            *folder.glob("*.S"),
            ROOT / "tests/c/firmware.c",
        ]
        run(
            *RV32,
            *STRICT,
            "-nostdlib",
            *files,
            "-lgcc",
            "-Wl,--gc-sections",
            "-o",
            tmp_path / "rv32",
        )
        run("qemu-riscv32", tmp_path / "rv32")


# Nothing but what a user of each would say: no -D of ours.
PLAIN = {
    "rv32": (
        ["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-Os", "-ffreestanding"],
        "gcc-riscv64-unknown-elf",
    ),
    "aarch64": (["aarch64-linux-gnu-gcc", "-O1"], "gcc-aarch64-linux-gnu"),
    "cortex-m0": (
        ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-Os", "-ffreestanding"],
        "gcc-arm-none-eabi",
    ),
    "host": (["gcc", "-O1"], "gcc"),
    "s390x": (["s390x-linux-gnu-gcc", "-O1"], "gcc-s390x-linux-gnu"),
}


@pytest.fixture(scope="module", params=["portable", "rv32i"])
def several(request, tmp_path_factory):
    return made(
        tmp_path_factory.mktemp(request.param),
        "schwaemm256-128, cham-64/128-eax, esch256, selftest",
        request.param,
    ), request.param


@pytest.mark.parametrize("machine", list(PLAIN))
def test_compiles_without_defines(several, tmp_path, machine):
    command, package = PLAIN[machine]
    need(package)
    folder, isa = several
    run(*command, *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")
    assert isa == "rv32i" or not list(folder.glob("*.S"))


# Some of every shape: families, block sizes, modes; the rest are slow ones.
LAST = [
    [name for name in catalogue.algorithms("block") if name.startswith(f"{family}-")][-1]
    for family in catalogue.families()
]
SHAPES = [
    *(
        name + mode
        for name, mode in zip(LAST, itertools.cycle(("", "-ctr", "-eax", "-cmac")), strict=False)
    ),
    *("sparkle384", "schwaemm192-192", "xoesch384"),
]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in SHAPES else [pytest.mark.slow])
        for name in sorted(amalgam.known_algorithms())
    ],
)
def test_the_selftest_of_each_alone(tmp_path, name):
    """It compiles without a warning, passes, and tests what was named."""
    need("gcc")
    folder = made(tmp_path, f"{name}, selftest")
    (tmp_path / "main.c").write_text(SELFTEST)
    run(
        "gcc",
        "-O0",
        "-DHANJI_ALLOW_O0",
        *STRICT,
        tmp_path / "main.c",
        folder / "hanji.c",
        "-o",
        tmp_path / "host",
    )
    run(tmp_path / "host")
    source = (folder / "hanji.c").read_text()
    assert f'{{"{name}", selftest_' in source, "the self-test has no row of that name"


@pytest.mark.parametrize("mode", ["ctr", "cmac", "eax"])
def test_the_selftest_sees_a_broken_mode(tmp_path, mode):
    """Damage that leaves the cipher right: only a test of the mode can see it."""
    need("gcc")
    cipher = "cham-64/128"
    folder = made(tmp_path, f"{cipher}-{mode}, selftest")
    source = (folder / "hanji.c").read_text()
    right, wrong = {
        "ctr": ("xor_text(out, in, aligned, bytes);", "xor_text(out, in, aligned, bytes - 1);"),
        "cmac": ("carry = byte >> 7;", "carry = byte >> 6;"),
        "eax": ("(uint64_t)t << 56", "(uint64_t)(t + 2) << 56"),
    }[mode]
    assert source.count(right) == 1
    (folder / "hanji.c").write_text(source.replace(right, wrong))
    three = f"rc == 0 ? 0 : failed != 0 && failed[{len(cipher) + 1}] == '{mode[0]}' ? 3"
    (tmp_path / "main.c").write_text(SELFTEST.replace("rc == 0 ? 0", three))
    run(
        "gcc",
        "-O0",
        "-DHANJI_ALLOW_O0",
        tmp_path / "main.c",
        folder / "hanji.c",
        "-o",
        tmp_path / "host",
    )
    assert subprocess.run([tmp_path / "host"]).returncode == 3


def test_error_texts_only_when_asked_for(tmp_path):
    need("gcc")
    for names, there in (("esch256", False), ("esch256, error-texts", True)):
        folder = made(tmp_path / str(there), names)
        for file in ("hanji.c", "hanji.h"):
            assert ("hanji_error_text" in (folder / file).read_text()) is there
        assert ("the tag does not match" in (folder / "hanji.c").read_text()) is there
        run("gcc", "-O1", *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")


# One of each kind for which modes are left out; test_each_alone has the others.
KINDS_ALONE = ("cham-64/128", "cham-64/128-ctr", catalogue.algorithms("hash")[0])


@pytest.mark.parametrize("name", KINDS_ALONE)
def test_clang_finds_nothing_unused_in_one_alone(tmp_path, name):
    """It tells inline functions, too, that nothing calls."""
    need("clang-14")
    folder = made(tmp_path, name)
    firmware = ["--target=thumbv6m-none-eabi", "-ffreestanding", "-DHANJI_FREESTANDING"]
    for options in ([], firmware):
        run("clang-14", "-O1", *options, *STRICT, "-fsyntax-only", folder / "hanji.c")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(amalgam.known_algorithms()))
def test_each_alone(tmp_path, name):
    folder = made(tmp_path, name, "rv32i")
    for command in (["gcc", "-O1"], ["clang-14", "-O0", "-DHANJI_ALLOW_O0"], RV32):
        run(*command, *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("schwaem256-128", "there is no algorithm 'schwaem256-128'; did you mean schwaemm256-128"),
        ("speck-64/128-exa", "did you mean speck-64/128-eax"),
        ("speck-32/64-eax", "there is no algorithm 'speck-32/64-eax'"),
        ("aes", "known are speck-32/64"),
        ("esch256, selftests", "did you mean selftest"),
        ("aimer3-128f-verify", "there is no algorithm 'aimer3-128f-verify'; did you mean aimer3"),
        ("slh-dsa-shake-128s-verify, selftest", "no self-test of signatures"),
        (" , ", "no algorithm was chosen"),
    ],
)
def test_unknown_names_are_errors(tmp_path, names, message):
    refused(tmp_path, names, message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ascon", "did you mean ascon-aead128 or ascon-hash256 or ascon-xof128 or"),
        ("speck", "did you mean speck-64/128 or speck-64/128-ctr or"),
    ],
)
def test_the_name_of_a_family_suggests_its_algorithms(tmp_path, name, message):
    refused(tmp_path, name, message)


def refused(tmp_path: Path, names: str, message: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/amalgam.py", "--algorithms", names, "--out", tmp_path],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


FORGEABLE = ["aimer2-128f", "aimer1-l1-param2"]


@pytest.mark.parametrize("profile", ["full", "tiny"])
def test_files_of_others_stay_where_it_is_written(tmp_path: Path, profile: str) -> None:
    """A folder of a firmware has a start.S of its own; the kernels of an earlier call go."""
    (tmp_path / "start.S").write_text("_start: j _start\n")
    made(tmp_path, "esch256", "armv7m", "--profile", profile)
    assert sorted(path.name for path in tmp_path.glob("*.S")) == ["sparkle384_armv7m.S", "start.S"]
    made(tmp_path, "speck-64/128-ctr", "portable", "--profile", profile)
    assert [path.name for path in tmp_path.glob("*.S")] == ["start.S"]
    assert (tmp_path / "start.S").read_text() == "_start: j _start\n"


def test_broken_signatures_only_when_that_is_known(tmp_path):
    begins = tuple(begin for begin, _ in amalgam.SIGNATURES.values())
    assert sorted(amalgam.signature_sets()) == sorted(
        a.name for a in hanji.algorithms() if a.name.startswith(begins)
    )
    assert {name for name, status in amalgam.signature_sets().items() if status} == {
        a.name for a in hanji.algorithms() if a.broken and a.name.startswith("aimer")
    }
    for name in FORGEABLE:
        command = [
            sys.executable,
            ROOT / "tools/amalgam.py",
            "--algorithms",
            f"esch256, {name}",
            "--out",
            tmp_path,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1
        assert f"{name}: BROKEN: forgeable from the public key alone" in done.stderr
        assert "BROKEN=1" in done.stderr
        assert not list(tmp_path.iterdir())
    for broken, status in (("", 2), ("BROKEN=0", 2), ("BROKEN=1", 0)):
        command = [
            "make",
            "-s",
            "amalgam",
            f"PYTHON={sys.executable}",
            "ALGORITHMS=aimer2-128f",
            f"OUT={tmp_path}",
            *filter(None, [broken]),
        ]
        assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == status, broken
        assert (tmp_path / "hanji.c").exists() == (status == 0)
    command = [
        sys.executable,
        ROOT / "tools/amalgam.py",
        "--algorithms",
        "aimer2-128f, selftest",
        "--i-know-it-is-broken",
    ]
    done = subprocess.run([*command, "--out", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert "no self-test of signatures" in done.stderr


@pytest.mark.parametrize("names", [FORGEABLE, ["aimer3-128f"]], ids=["broken", "v3"])
def test_signatures_in_one_file(tmp_path, names):
    """The chosen sets and no others; they accept what the library accepts, and no other message.

    Of broken sets that is a forgery. Those that are not broken need no permission.
    """
    need("gcc", "clang-14", "gcc-riscv64-unknown-elf")
    known = ["--i-know-it-is-broken"] if names == FORGEABLE else []
    folder = made(tmp_path, ", ".join(names), "rv32i", *known)
    text = (folder / "hanji.c").read_text()
    assert set(re.findall(r'\{"(aimer[^"]+)"', text)) == set(names)
    for command in (RV32, ["clang-14", "-O0", "-DHANJI_ALLOW_O0"], ["gcc", "-O1"]):
        run(*command, *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")
    conditions = [f"hanji_aimer_count() == {len(names)}"]
    for name in names:
        find = f'hanji_aimer_by_name("{name}")'
        conditions.append(f"hanji_aimer_is_broken({find}) == {int(bool(known))}")
        if known:
            public, _ = VARIANTS[name].keypair(secrets.token_bytes)
            signature = forge.forge(VARIANTS[name], public, b"image")
        else:
            private = sign.scheme(name).generate()
            public, signature = private.public_key.raw, private.sign(b"image")
        for image, code in ((b"image", "HANJI_OK"), (b"imagE", "HANJI_E_TAG")):
            parts = f"{array(signature)}, {array(image)}, (const uint8_t *)0, 0, {array(public)}"
            memory = f"memory, hanji_aimer_scratch_bytes_small({find})"
            conditions.append(f"hanji_aimer_verify({parts}, {find}, {memory}) == {code}")
    main = program(tmp_path, conditions, "static uint8_t memory[1 << 19];\n")
    run("gcc", "-w", f"-I{folder}", main, tmp_path / "hanji.o", "-o", tmp_path / "main")
    run(tmp_path / "main")


def test_slhdsa_beside_aimer_in_one_file(tmp_path: Path) -> None:
    """A set that signs and verifies as NIST's test says; both schemes have files, functions and
    tables whose names begin alike.
    """
    need("gcc", "clang-14", "gcc-riscv64-unknown-elf")
    name = "slh-dsa-shake-128f"
    folder = made(tmp_path, f"{name}, aimer3-128f", "rv32i")
    assert re.findall(r'\{"(slh-dsa[^"]+)"', (folder / "hanji.c").read_text()) == [name]
    for command in (RV32, ["clang-14", "-O0", "-DHANJI_ALLOW_O0"], ["gcc", "-O1"]):
        run(*command, *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")
    signature, message, context, public = (array(value) for value in slhdsa_vector(name))
    parts = f"{signature}, {message}, {context}, 0, {public}, set"
    main = program(
        tmp_path,
        [
            "hanji_slhdsa_count() == 1",
            f"hanji_slhdsa_verify({parts}) == HANJI_OK",
            "hanji_slhdsa_keypair(pk, sk, set, NULL, NULL) == HANJI_OK",
            'hanji_slhdsa_sign(made, (const uint8_t *)"a", 1, NULL, 0, 0, sk, 64, set, '
            "HANJI_SLHDSA_CHECK, NULL, NULL) == HANJI_OK",
            'hanji_slhdsa_verify(made, sizeof made, (const uint8_t *)"a", 1, NULL, 0, 0, pk, 32, '
            "set) == HANJI_OK",
        ],
        "static uint8_t pk[32], sk[64], made[17088];\n"
        f'#define set hanji_slhdsa_by_name("{name}")\n',
    )
    run("gcc", "-w", f"-I{folder}", main, tmp_path / "hanji.o", "-o", tmp_path / "main")
    run(tmp_path / "main")


IN_PIECES = """
/* The signature and the message are array() of the tests: pointer and bytes. */
static uint32_t verified(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                         size_t message_bytes, const uint8_t *context, size_t context_bytes,
                         const uint8_t *key, size_t key_bytes, const hanji_slhdsa *set)
{
    static hanji_slhdsa_stream s;
    const size_t n = key_bytes / 2;
    int rc = hanji_slhdsa_stream_init(&s, signature, n, context, context_bytes, HANJI_SLHDSA_PURE,
                                      key, key_bytes, set);
    if (rc == HANJI_OK)
        rc = hanji_slhdsa_stream_message(message, message_bytes, &s);
    for (size_t at = n; rc == HANJI_OK && at < signature_bytes; at += 97)
        rc = hanji_slhdsa_stream_signature(
            signature + at, signature_bytes - at < 97 ? signature_bytes - at : 97, &s);
    return hanji_slhdsa_stream_end(&s);
}
"""


def slhdsa_vector(name: str) -> list[bytes]:
    """Signature, message, context and public key of a valid test of NIST for a set."""
    test = next(
        test
        for test in vectors_io.document("slhdsa/signatures")["tests"]
        if test["variant"] == name
        and test["mode"] == "VERIFY"
        and test["result"] == "valid"
        and test.get("interface") == "external"
        and "preHash" not in test
    )
    return [base64.b64decode(test.get(f, "")) for f in ("signature", "msg", "context", "pk")]


def verifies(name: str) -> list[str]:
    """Expressions: the signature of NIST is valid, and one with a flipped bit is not."""
    signature, *others = slhdsa_vector(name)
    altered = bytearray(signature)
    altered[len(altered) // 2] ^= 8
    rest = ", ".join([*map(array, others), f'hanji_slhdsa_by_name("{name}")'])
    return [
        f"verified({array(signature)}, {rest}) == HANJI_SLHDSA_VALID",
        f"verified({array(bytes(altered))}, {rest}) == HANJI_SLHDSA_INVALID",
    ]


@pytest.mark.parametrize("names", ["slh-dsa-shake-128s", "slh-dsa-shake-192s, aimer3-128f"])
def test_only_the_verifier_of_slhdsa(tmp_path: Path, names: str) -> None:
    """-verify behind the name of a set: its stream, no call that signs, and no random bytes where
    nothing else wants them.
    """
    need("gcc", "clang-14", "gcc-riscv64-unknown-elf")
    name, _, other = names.partition(", ")
    folder = made(tmp_path, names.replace(name, f"{name}-verify"), "rv32i")
    header = re.sub(r"/\*.*?\*/", "", (folder / "hanji.h").read_text(), flags=re.DOTALL)
    declared = set(re.findall(r"\b(hanji_(?:slhdsa|random)\w*)\(", header))
    stream = {f"hanji_slhdsa_stream_{call}" for call in ("init", "message", "signature", "end")}
    assert stream < declared
    assert not [call for call in declared if re.search("sign$|keypair|key_check|verify", call)]
    assert ("hanji_random" in declared) == bool(other)
    text = (folder / "hanji.c").read_text()
    assert re.findall(r'\{"(slh-dsa[^"]+)"', text) == [name]
    assert "hanji_slhdsa_make" not in text, "the code that signs"
    for command in (RV32, ["clang-14", "-O0", "-DHANJI_ALLOW_O0"], ["gcc", "-O1"]):
        run(*command, *STRICT, "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o")
    main = program(tmp_path, verifies(name), IN_PIECES)
    run("gcc", "-w", f"-I{folder}", main, tmp_path / "hanji.o", "-o", tmp_path / "main")
    run(tmp_path / "main")


def test_the_verifier_beside_the_whole_set_is_the_whole_set(tmp_path: Path) -> None:
    name = "slh-dsa-shake-128f"
    whole = made(tmp_path / "whole", name)
    both = made(tmp_path / "both", f"{name}-verify, {name}")
    texts = [(folder / "hanji.c").read_text().split("\n", 2)[2] for folder in (whole, both)]
    assert texts[0] == texts[1]


ENTROPY = """
#include "hanji.h"
#include <stdio.h>
#include <string.h>

#ifdef SOURCE
int hanji_entropy(uint8_t *out, size_t bytes)
{
    static unsigned asked;
    for (size_t i = 0; i < bytes && i < (SOURCE); i++)
        out[i] = (uint8_t)++asked;
    return bytes <= (SOURCE) ? HANJI_OK : HANJI_E_RANDOM;
}
#endif

static unsigned pauses;

void hanji_yield(void)
{
    pauses++;
}

static uint8_t memory[1 << 20], signature[1 << 13];

/* Pauses since the last call. */
static unsigned paused(void)
{
    const unsigned now = pauses;
    pauses = 0;
    return now;
}

int main(void)
{
    uint8_t some[48], pk[65], sk[97];
    const hanji_aimer *set = hanji_aimer_by_name("aimer3-128f");
    memset(some, 7, sizeof some);
    const int rc = hanji_random(some, sizeof some), empty = hanji_random(NULL, 0);
    unsigned sum = 0, key = 0;
    for (size_t i = 0; i < sizeof some; i++)
        sum += some[i];
    const int made = hanji_aimer_keypair(pk, sk, set, NULL, NULL, memory, sizeof memory);
    for (size_t i = 0; i < hanji_aimer_secret_key_bytes(set); i++)
        key |= sk[i];
    printf("%d %d %u %d %d\\n", rc, empty, sum, made, key != 0);
    if (made != HANJI_OK)
        return 0;
    const size_t bytes = hanji_aimer_scratch_bytes_least(set),
                 pk_bytes = hanji_aimer_public_key_bytes(set);
    printf("%u ", paused());
    if (hanji_aimer_sign(signature, some, 48, NULL, 0, sk, hanji_aimer_secret_key_bytes(set), set, 0,
                         NULL, NULL, memory, bytes) != HANJI_OK)
        return 1;
    printf("%u ", paused());
    if (hanji_aimer_verify(signature, hanji_aimer_signature_bytes(set), some, 48, NULL, 0, pk,
                           pk_bytes, set, memory, bytes) != HANJI_OK)
        return 2;
    printf("%u\\n", paused());
    return 0;
}
"""


def test_firmware_says_where_its_random_bytes_come_from(tmp_path: Path) -> None:
    """Without a source, or with one that fails, there are no bytes and no keys."""
    folder = made(tmp_path / "made", "aimer3-128f")
    (tmp_path / "main.c").write_text(ENTROPY)
    compiled = [*STRICT, *FREESTANDING, "-O1", "-c", folder / "hanji.c", "-o", tmp_path / "hanji.o"]
    run("gcc", *compiled)
    said = []
    for source in ([], ["-DSOURCE=47"], ["-DSOURCE=64"]):
        main = [*STRICT, *source, "-I", folder, tmp_path / "main.c", tmp_path / "hanji.o"]
        run("gcc", *main, "-o", tmp_path / "main")
        said.append([int(word) for word in run(tmp_path / "main").split()])
    none, short, whole = said
    *whole, keypair, sign_, verify = whole
    assert keypair >= 2 and sign_ >= 100 and verify >= 33, "pauses of long calls"
    assert none == [-5, 0, 0, -5, 0]
    assert short[:3] == [-5, 0, 0], "what a source that fails left is zeroed"
    assert whole == [0, 0, sum(range(1, 49)), 0, 1]
