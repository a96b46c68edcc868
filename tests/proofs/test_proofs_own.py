# SPDX-License-Identifier: Apache-2.0
"""Kernels and specifications of a user: the files of docs/own-kernel.md, on every front end."""

from __future__ import annotations

import json
import operator
import random
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import debian
import proving
import pytest
from click.testing import CliRunner

from hanji_lab import cli, spec
from hanji_lab.checkout import LabError
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.own import Integer, Text, called
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.words import number_bits

GIVEN = ("--spec", "xtea.py:encrypt", "--signature", "out:8,text:8,key:16")
GROUPS = (
    "--spec",
    "xtea.py:encrypt",
    "--signature",
    "out:8 * groups,text:8 * groups,key:16,groups",
)
LEA = ("--spec", "lea.py:lea128.encrypt", "--signature", "out,in,groups,keys")
FRONTS = ("rv32i", "a64", "armv7m", "avr", "avx2")
MORE_FRONTS = ("zbkb", "armv6m", "armv7em", "neon")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the page, each under the name in its first line."""
    monkeypatch.chdir(tmp_path)
    page = (proving.ROOT / "docs/own-kernel.md").read_text()
    for text in re.findall(r"^```\w+\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        name = re.match(r"(?://|#|/\*) ([\w.]+)( \*/)?\n", text)
        if name:
            (tmp_path / name[1]).write_text(text)
    source = (tmp_path / "xtea_a64.S").read_text()
    (tmp_path / "kept_a64.S").write_text(source.replace("w18", "w10"))  # x18 is the platform's
    return tmp_path


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Plant a fault."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))


def prove(folder: Path, *told: str) -> tuple[int, str]:
    """Exit status and output of `hanji-lab prove` in the folder, which is the working directory."""
    assert Path.cwd() == folder
    made = CliRunner().invoke(cli.app, ["prove", "--again", "--root", str(proving.ROOT), *told])
    if isinstance(made.exception, LabError):
        return made.exception.status, str(made.exception)
    assert made.exception is None or isinstance(made.exception, SystemExit), made.exception
    return made.exit_code, made.output


def as_user(folder: Path, *told: str, before: str = "pass") -> tuple[int, str]:
    """The same of a process of its own."""
    script = f"import sys; {before}; from hanji_lab.cli import main; main()"
    command = [sys.executable, "-c", script, "prove", "--again", "--root", str(proving.ROOT), *told]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def need(isa: str) -> None:
    """Skip where a compiler is missing."""
    debian.need("gcc" if isa == "avx2" else proving.PACKAGES.get(isa, "gcc-aarch64-linux-gnu"))


@pytest.mark.parametrize(
    "isa", [*FRONTS, *(pytest.param(isa, marks=pytest.mark.slow) for isa in MORE_FRONTS)]
)
def test_kernel_in_c_equals_a_function_of_the_user(isa: str, folder: Path) -> None:
    need(isa)
    status, said = prove(folder, "xtea.c", "--isa", isa, *GIVEN)
    assert (status, "1 proved" in said) == (0, True), said
    change(folder, "xtea.c", "v[1] >> 5", "v[1] >> 6")
    status, said = prove(folder, "xtea.c", "--isa", isa, *GIVEN)
    assert (status, "1 counterexample" in said) == (1, True), said


OTHERS = {
    "rv32i": ("xtea.S", ("--isa", "rv32i", *GIVEN), ("srli    t2, a4, 5", "srli    t2, a4, 6")),
    "a64": ("kept_a64.S", GIVEN, ("w4, lsr #5", "w4, lsr #6")),
    "ptx": ("xtea.ptx", GROUPS, ("shr.b32 %t1, %v1, 5", "shr.b32 %t1, %v1, 6")),
    "lea": ("lea_rv32i.S", LEA, ("slli    t2, t2, 29", "slli    t2, t2, 28")),
}


@pytest.mark.parametrize("name", OTHERS)
def test_kernel_equals_the_specification_of_the_user(name: str, folder: Path) -> None:
    source, told, fault = OTHERS[name]
    if name != "ptx":
        need("a64" if name == "a64" else "rv32i")
    run = as_user if name == "lea" else prove  # a process registers a name once
    status, said = run(folder, source, *told)
    assert (status, "1 proved" in said) == (0, True), said
    change(folder, source, *fault)
    status, said = run(folder, source, *told)
    assert (status, "1 counterexample" in said) == (1, True), said


# Other faults of the kernel in PTX: none is proved.
LAUNCHES = {
    "a thread too many": ("setp.ge.u32 %p0", "setp.gt.u32 %p0"),
    "no bound": ("@%p0 ret;", ""),
    "number of the thread": ("mad.lo.u32 %i, %i, %n, %c;", "mad.lo.u32 %i, %i, 32, %c;"),
    "group of another thread": ("mad.wide.u32 %o, %i, 8, %o;", "mad.wide.u32 %o, %c, 8, %o;"),
    "half of a group": ("st.global.v2.u32 [%o], {%v0, %v1};", "st.global.u32 [%o], %v0;"),
    "past a group": ("st.global.v2.u32 [%o],", "st.global.v2.u32 [%o+8],"),
    "branch on a secret": ("again:\n", "    setp.eq.u32 %p1, %v0, 7;\n    @%p1 ret;\nagain:\n"),
    "order of parameters": (
        ".param .u64 out, .param .u64 text",
        ".param .u64 text, .param .u64 out",
    ),
    "small launch bounds": ("key, .param .u32 blocks)", "key, .param .u32 blocks)\n.maxntid 0"),
}


PLACES = {  # the line of each file's last store, and how its machine writes it
    "rv32i": ("xtea.c", r"xtea\.c:14: `jalr?\s"),  # the call of memcpy
    "a64": ("xtea.c", r"xtea\.c:14: `str x\d+, \[x\d+\]`"),
    "armv7m": ("xtea.c", r"xtea\.c:14: `str\S* r\d+, \[r\d+, #\d+\]`"),
    "avr": ("xtea.c", r"xtea\.c:14: `std? [XYZ]"),
    "avx2": ("xtea.c", r"xtea\.c:14: `mov QWORD PTR \[rdi\],r"),
}


@pytest.mark.parametrize("isa", PLACES)
def test_counterexample_names_the_instruction_and_its_line(isa: str, folder: Path) -> None:
    need(isa)
    source, wanted = PLACES[isa]
    change(folder, source, "v[1] >> 5", "v[1] >> 6")
    status, said = prove(folder, source, "--isa", isa, *GIVEN, "--json")
    assert status == 1
    (row,), _ = json.JSONDecoder().raw_decode(said, said.index("["))
    assert re.search(wanted, row["why"]), row["why"]


def test_refusal_names_the_instruction_and_its_line(folder: Path) -> None:
    need("rv32i")
    change(folder, "xtea.S", "    sw      a3, 0(a0)", "    sw      a3, 8(a0)")
    status, said = prove(folder, "xtea.S", "--isa", "rv32i", *GIVEN, "--json")
    (row,), _ = json.JSONDecoder().raw_decode(said, said.index("["))
    assert (status, row["verdict"]) == (1, "refused")
    line = (folder / "xtea.S").read_text().split("sw      a3, 8(a0)")[0].count("\n") + 1
    assert row["why"].endswith(f"(xtea.S:{line}: `sw a3,8(a0)`)")


def test_refusal_in_ptx_names_the_instruction_and_its_line(folder: Path) -> None:
    change(folder, "xtea.ptx", "st.global.v2.u32 [%o],", "st.global.v2.u32 [%o+8],")
    _, said = prove(folder, "xtea.ptx", *GROUPS, "--json")
    (row,), _ = json.JSONDecoder().raw_decode(said, said.index("["))
    line = (folder / "xtea.ptx").read_text().split("[%o+8]")[0].count("\n") + 1
    assert f"line {line} (`st.global.v2.u32 [%o+8], {{%v0,%v1}}`)" in row["why"]


@pytest.mark.parametrize("name", LAUNCHES)
def test_wrong_launch_is_not_proved(name: str, folder: Path) -> None:
    change(folder, "xtea.ptx", *LAUNCHES[name])
    status, said = prove(folder, "xtea.ptx", *GROUPS)
    assert "0 proved" in said, said
    assert status in (0, 1)


def test_threads_of_smaller_ctas_are_enough(folder: Path) -> None:
    change(folder, "xtea.ptx", "key, .param .u32 blocks)", "key, .param .u32 blocks)\n.maxntid 64")
    assert prove(folder, "xtea.ptx", *GROUPS)[0] == 0


# Wrong usage has status 2 and one line that says what to do.
WRONG = {
    "C without a machine": (("xtea.c", *GIVEN), "give --isa"),
    "C without header": (("xtea.c",), "needs --spec"),
    "no function": (("xtea.S", "--isa", "rv32i", "--spec", "xtea.py"), "xtea.py:FUNCTION expected"),
    "other function": (("xtea.S", "--isa", "rv32i", "--spec", "xtea.py:none"), "no function 'none'"),
    "no signature": (("xtea.S", "--isa", "rv32i", "--spec", "xtea.py:encrypt"), "needs --signature"),
    "no machine": (("xtea.S", *GIVEN), "give --isa"),
    "unknown machine": (("xtea.S", "--isa", "z80", *GIVEN), "--isa z80 given"),
    "unknown kernel": (("no_such_kernel",), "no kernel with a header matches"),
    "no file": (("none.ptx",), "none.ptx does not exist"),
    "specification of a name": (("speck*", *GIVEN), "are for a file of yours"),
    "unknown specification": (("xtea.S", "--isa", "rv32i", "--spec", "xtea.encrypt"), "no specification"),
    "compiler": (("xtea.c", "--isa", "avx2", *GIVEN, "--compiler", "tcc"), "'tcc' given"),
    "groups": (("xtea.c", "--isa", "avx2", *GIVEN, "--groups", "many"), "'many' given"),
    "unknown option": (("--no-such",), "No such option"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_has_status_2(name: str, folder: Path) -> None:
    need("rv32i")
    told, wanted = WRONG[name]
    status, said = prove(folder, *told)
    assert status == 2, said
    assert wanted in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("told", "wanted"), [("no_such", "no kernel"), ("cham64*", "is not installed")]
)
def test_unknown_name_comes_before_a_missing_package(told: str, wanted: str, folder: Path) -> None:
    status, said = as_user(folder, told, before="sys.modules['pypcode'] = None")
    assert (status, wanted in said) == (2, True), said


# Functions that have no value on symbols, and what is said of them.
STRANGE = {
    "branch": ("    if text[0]:\n        return text\n    return text", "branches on a word"),
    "comparison": ("    return text if text[0] < 5 else key", "compares words"),
    "equal bytes": ("    return text if text == key[:8] else key", "compares bytes"),
    "table": ("    return bytes(b'0123456789'[x] for x in text)", "uses an index"),
    "loop": ("    for _ in range(text[0]):\n        pass\n    return text", "uses an index"),
    "product": ("    return bytes((x * x) & 255 for x in text)", "multiplies two words"),
    "too long": ("    return (text[0] + 1).to_bytes(1, 'little')", "may not fit"),
    "an error": ("    return text[0].nothing", "AttributeError"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_function_that_looks_at_data_is_open(name: str, tmp_path: Path) -> None:
    body, wanted = STRANGE[name]
    (tmp_path / "strange.py").write_text(f"def f(text, key):\n{body}\n")
    g = Graph()
    given = {key: [g.word(f"{key} {i}", 8) for i in range(8)] for key in ("text", "key")}
    with pytest.raises(OpenError, match=wanted):
        called(g, f"{tmp_path / 'strange.py'}:f", "out", given)


BINARY: list[Callable[[int, int], int]] = [
    *(operator.add, operator.sub, operator.xor, operator.and_, operator.or_),
]


def test_integers_of_symbols_are_integers_of_python() -> None:
    """Chains of operations on random numbers, some of them negative, against Python's."""
    source, g = random.Random(1), Graph()
    for _ in range(300):
        a = source.getrandbits(source.choice((1, 8, 32, 64)))
        x = Integer(g, number_bits(a, max(a.bit_length(), 1)))
        for _ in range(6):
            b = source.getrandbits(32) * source.choice((1, -1))
            n = source.randrange(9)
            rule = source.choice(BINARY)
            a, x = source.choice(
                [
                    (rule(a, b), rule(x, b)),
                    (rule(b, a), rule(b, x)),
                    (a << n, x << n),
                    (a >> n, x >> n),
                    (~a, ~x),
                    (-a, -x),
                    (a * n, n * x),
                    (a % (1 << n), x % (1 << n)),
                    (a // (1 << n), x // (1 << n)),
                    (a & 0xFFFFFFFF, x & 0xFFFFFFFF),
                ]
            )
            assert x == a


@pytest.mark.parametrize("form", ["<2I", ">IH", "<QB", "!4H", "=2q", "<bhi"])
def test_unpacked_bytes_of_symbols_are_those_of_struct(form: str, tmp_path: Path) -> None:
    data = random.Random(2).randbytes(struct.calcsize(form))
    (tmp_path / "form.py").write_text(
        "import struct\n\n\ndef f(text):\n"
        f"    held = struct.unpack({form!r}, text)\n"
        "    assert all(isinstance(x, int) for x in held)\n"
        "    return b''.join([]) + bytes((sum(held) >> 8 * i) & 255 for i in range(12))\n"
    )
    g = Graph()
    found = called(
        g, f"{tmp_path / 'form.py'}:f", "out", {"text": [number_bits(x, 8) for x in data]}
    )
    wanted = sum(struct.unpack(form, data)) % (1 << 96)
    assert [sum(x << i for i, x in enumerate(byte)) for byte in found] == list(
        wanted.to_bytes(12, "little")
    )
    assert len(Text(g, found)[2:4]) == 2


def test_names_of_the_laboratory_stay_its_own() -> None:
    with pytest.raises(ValueError, match="already"):
        spec.register(_Named("speck-64/128"))


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name


def test_state_in_place_equals_a_function_of_the_user(folder: Path) -> None:
    """A buffer that is read and written; and a permutation of the laboratory without header."""
    need("rv32i")
    Path("turned.py").write_text("def f(state):\n    return bytes(x ^ 1 for x in state)\n")
    Path("turned_rv32i.S").write_text(
        ".globl turned\nturned: lw a1, 0(a0)\n li a2, 0x01010101\n xor a1, a1, a2\n"
        " sw a1, 0(a0)\n ret\n"
    )
    told = ("turned_rv32i.S", "--spec", "turned.py:f", "--signature", "state:4:rw")
    assert prove(folder, *told)[0] == 0
    change(folder, "turned_rv32i.S", "0x01010101", "0x01010100")
    assert prove(folder, *told)[0] == 1
    held = proving.ROOT / "src/ascon"
    text = (held / "ascon_p_rv32i_x1.S").read_text().replace("/* kernel:", "/*")
    Path("permutation_rv32i.S").write_text(text)
    Path("ascon_rv32i.inc").write_text((held / "ascon_rv32i.inc").read_text())
    status, said = prove(folder, "permutation_rv32i.S", "--spec", "ascon_p.permute")
    assert (status, "1 proved" in said) == (0, True), said
