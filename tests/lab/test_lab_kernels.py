# SPDX-License-Identifier: Apache-2.0
"""Kernel headers are read and checked; whatever is wrong in one is named with file, line and key."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from debian import need

from hanji_lab import cli, kernels, spec
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.layouts import LAYOUTS

ROOT = find_checkout(Path(__file__))

GOOD = """\
// SPDX-License-Identifier: Apache-2.0
// SPECK-32/64, two blocks per call.
// void hanji_speck32_rv32i_x2(uint16_t out[4], const uint16_t in[4], const uint32_t rk[22]);
/* kernel:
     spec: speck32_64.encrypt        # executable specification that it must equal
     isa: rv32i
     blocks: 2
     args: { a0: {buffer: out, bytes: 8, access: w}, a1: {buffer: in, bytes: 8, access: r},
             a2: {buffer: rk, bytes: 88, access: r} }
     aliasing: out == in allowed
     stack: 0
     secrets: in, rk
     cites: [shin2024riscv, section 3.2]
*/
hanji_speck32_rv32i_x2:
    ret
"""


@pytest.fixture
def checkout(tmp_path):
    """A small checkout with the instruction sets of the real one."""
    (tmp_path / "include/hanji").mkdir(parents=True)
    (tmp_path / "include/hanji/common.h").touch()
    (tmp_path / "CMakeLists.txt").touch()
    (tmp_path / "cmake").mkdir()
    shutil.copy(ROOT / "cmake/kernels.cmake", tmp_path / "cmake")
    (tmp_path / "src/speck").mkdir(parents=True)
    return tmp_path


def write(checkout, text, name="speck32_rv32i_x2.S"):
    (checkout / "src/speck" / name).write_text(text)
    return kernels.scan(checkout)


def test_good_header(checkout):
    found, errors = write(checkout, GOOD)
    assert errors == []
    (kernel,) = found
    assert kernel.name == "speck32_rv32i_x2"
    assert (kernel.spec, kernel.operation, kernel.isa) == ("speck32_64.encrypt", "encrypt", "rv32i")
    assert (kernel.blocks, kernel.stack, kernel.secrets) == (2, 0, ("in", "rk"))
    assert (kernel.source, kernel.line) == ("src/speck/speck32_rv32i_x2.S", 4)
    assert kernel.args["a2"] == {"buffer": "rk", "bytes": 88, "access": "r"}


def test_several_kernels_in_one_file(checkout):
    second = GOOD.replace("hanji_speck32_rv32i_x2", "hanji_speck32_rv32i_x2_decrypt").replace(
        ".encrypt", ".decrypt"
    )
    found, errors = write(checkout, GOOD + second)
    assert errors == []
    assert [(kernel.name, kernel.operation) for kernel in found] == [
        ("speck32_rv32i_x2", "encrypt"),
        ("speck32_rv32i_x2_decrypt", "decrypt"),
    ]


def test_ptx_and_intrinsics_files(checkout):
    ptx = GOOD.replace("isa: rv32i", "isa: sm75").replace("rv32i", "sm75")
    write(checkout, ptx, "speck32_sm75.ptx")
    found, errors = write(checkout, GOOD.replace("rv32i", "neon"), "speck32_neon_x16.c")
    assert errors == []
    assert [kernel.isa for kernel in found] == ["neon", "sm75"]


def test_ptx_kernels_have_the_names_of_their_own_entries(checkout):
    """In PTX the entry follows its header: the name is not that of the entry before."""
    header = GOOD[GOOD.index("/*") : GOOD.index("*/") + 2].replace("rv32i", "sm75")
    text = "".join(
        f"{header.replace('encrypt', what)}\n.visible .entry hanji_speck32_sm75_{what}_x2(\n)\n"
        for what in ("encrypt", "decrypt")
    )
    found, errors = write(checkout, text, "speck32_sm75.ptx")
    assert errors == []
    assert [(kernel.operation, kernel.symbol) for kernel in found] == [
        ("encrypt", "hanji_speck32_sm75_encrypt_x2"),
        ("decrypt", "hanji_speck32_sm75_decrypt_x2"),
    ]


def test_round_keys_lie_in_the_integers_of_contexts():
    """Words of 24 and 48 bits take 32 and 64 bits in memory, others their own width."""
    for name, size in (("speck48_96", 4), ("simon96_96", 8), ("speck64_128", 4), ("cham64_128", 2)):
        cipher = spec.algorithm(name)
        keys = cipher.round_keys(bytes(range(cipher.key_size)))
        laid_out = LAYOUTS["canonical"](cipher, keys)
        assert len(laid_out) == size * len(keys), name
        held = [
            int.from_bytes(laid_out[at : at + size], "little")
            for at in range(0, len(laid_out), size)
        ]
        assert held == keys, name


def test_plain_c_is_not_a_kernel_file(checkout):
    assert write(checkout, "int x;\n", "speck_kernels.c") == ([], [])


# (what is wrong, old text, new text, line of the error, key of the error, part of the message)
WRONG = [
    (
        "no spec",
        "     spec: speck32_64.encrypt        # executable specification that it must equal\n",
        "",
        4,
        "spec",
        "missing",
    ),
    ("unknown spec", "speck32_64.encrypt ", "speck32_64.encript ", 5, "spec", "speck32_64.encrypt"),
    (
        "spec of another cipher",
        "speck32_64.encrypt ",
        "speck64_128.encrypt ",
        5,
        "spec",
        "does not belong to a file of 'speck32'",
    ),
    ("isa against file name", "isa: rv32i", "isa: neon", 6, "isa", "says 'rv32i'"),
    ("no blocks", "     blocks: 2\n", "", 4, "blocks", "missing"),
    (
        "blocks zero",
        "blocks: 2",
        "blocks: 0",
        7,
        "blocks",
        "0 given, a whole number from 1 expected",
    ),
    ("blocks a word", "blocks: 2", "blocks: two", 7, "blocks", "'two' given"),
    (
        "stack negative",
        "stack: 0",
        "stack: -4",
        11,
        "stack",
        "-4 given, a whole number from 0 expected",
    ),
    ("stack yes", "stack: 0", "stack: yes", 11, "stack", "True given"),
    (
        "secret that is no argument",
        "secrets: in, rk",
        "secrets: in, key",
        12,
        "secrets",
        "'key' is none of the arguments out, in, rk",
    ),
    ("access misspelt", "access: w", "access: write", 8, "args", "a0: access is 'write'"),
    (
        "bytes missing",
        "{buffer: out, bytes: 8, access: w}",
        "{buffer: out, access: w}",
        8,
        "args",
        "a0: bytes is None",
    ),
    ("args a list", "args: {", "args: [{", 10, "kernel", "this is not YAML"),
    (
        "aliasing empty",
        "aliasing: out == in allowed",
        "aliasing:",
        10,
        "aliasing",
        "a text expected",
    ),
    (
        "unknown key",
        "     stack: 0\n",
        "     stack: 0\n     secret: in\n",
        12,
        "secret",
        "did you mean 'secrets'",
    ),
    ("key twice", "     stack: 0\n", "     stack: 0\n     stack: 4\n", 12, "stack", "given twice"),
    (
        "not keys and values",
        "/* kernel:\n",
        "/* kernel: x */ /*\n",
        4,
        "kernel",
        "keys and values expected",
    ),
    ("no header", "/* kernel:", "/* colonel:", 1, "kernel", "no header that begins with"),
]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "message"),
    [case[1:] for case in WRONG],
    ids=[case[0] for case in WRONG],
)
def test_wrong_header_is_caught(checkout, old, new, line, key, message):
    assert old in GOOD
    found, errors = write(checkout, GOOD.replace(old, new, 1))
    assert found == []
    (error,) = errors
    assert str(error).startswith(f"src/speck/speck32_rv32i_x2.S:{line}: {key}: "), error
    assert message in str(error)


def test_wrong_file_name_is_caught(checkout):
    _, errors = write(checkout, GOOD, "speck32-rv32i.S")
    assert "src/speck/speck32-rv32i.S:1: file name: 'speck32-rv32i.S' given, <cipher>_<isa>" in str(
        errors[0]
    )
    _, errors = write(checkout, GOOD, "speck_notes.c")
    assert "speck_notes.c:1: file name" in str(errors[-1])


def test_one_wrong_file_does_not_hide_the_others(checkout):
    write(checkout, GOOD)
    found, errors = write(checkout, GOOD.replace("blocks: 2", "blocks: 0"), "speck32_rv32i_x4.S")
    assert len(found) == len(errors) == 1


def test_outside_a_checkout(tmp_path):
    with pytest.raises(LabError, match="is not inside a checkout of hanji"):
        find_checkout(tmp_path)


def test_headers_of_this_checkout_are_right():
    _, errors = kernels.scan(ROOT)
    assert errors == []


def run_command(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "hanji_lab.cli", "kernels", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
    )


def test_command_lists_the_tables_of_the_library():
    need("cmake", "gcc")
    done = run_command("--json", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout)
    assert all(spec.resolve(kernel["spec"]) for kernel in listed)
    portable = {
        kernel["spec"] for kernel in listed if kernel["isa"] == "portable" and kernel["blocks"] == 1
    }
    for name, algorithm in spec.ALGORITHMS.items():
        operations = (
            ["encrypt", "decrypt", "ctr"] if isinstance(algorithm, spec.BlockCipher) else []
        )
        operations += ["permute"] if name.startswith("sparkle") else []
        for operation in operations:
            assert f"{spec.identifier(name)}.{operation}" in portable


def test_command_names_what_it_does_not_find(tmp_path):
    need("cmake", "gcc")
    done = run_command("nothing*", cwd=ROOT)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no kernel matches 'nothing*'" in done.stderr
    done = run_command("--root", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 1
    assert "is not inside a checkout of hanji" in done.stderr


def test_command_fails_on_a_wrong_header(checkout, monkeypatch):
    """Every other kernel is listed all the same."""
    row = kernels.Kernel(
        "speck32_64_portable_x1", "speck32_64.encrypt", "portable", "encrypt", 1, "src/speck"
    )
    monkeypatch.setattr(kernels, "table", lambda root: [row])
    write(checkout, GOOD.replace("blocks: 2", "blocks: two"))
    done = CliRunner().invoke(cli.app, ["kernels", "speck32*", "--root", str(checkout)])
    assert done.exit_code == 1
    assert "hanji-lab: src/speck/speck32_rv32i_x2.S:7: blocks: 'two' given" in done.stderr
    assert "speck32_64_portable_x1" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["specs", "--help"], ["kernels", "--help"], ["ct", "--help"], ["--version"]],
)
def test_help(arguments):
    done = subprocess.run(
        [sys.executable, "-m", "hanji_lab.cli", *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout


def test_specs_command():
    command = [sys.executable, "-m", "hanji_lab.cli", "specs"]
    done = subprocess.run([*command, "speck32_64.*crypt", "--json"], capture_output=True, text=True)
    assert [entry["name"] for entry in json.loads(done.stdout)] == [
        "speck32_64.encrypt",
        "speck32_64.decrypt",
    ]
    assert json.loads(done.stdout)[0]["arguments"] == "blocks, key"
    assert subprocess.run([*command, "nothing"], capture_output=True).returncode == 1
    assert subprocess.run([*command, "--nothing"], capture_output=True).returncode == 2
