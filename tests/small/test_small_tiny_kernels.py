# SPDX-License-Identifier: Apache-2.0
"""The tiny profile with kernels in the place of the C: as right and as strict on every length,
nothing is left on the stack, and its sizes and counts are held.
"""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(ROOT / "tests/consumers"))
import amalgam  # noqa: E402
import test_residue  # noqa: E402
import test_small_tiny  # noqa: E402
import tiny_sizes  # noqa: E402
from test_small_tiny import AEADS, BLOCKS, HASHES, SETS  # noqa: E402

import tiny  # noqa: E402
from hanji_lab import spec  # noqa: E402
from hanji_lab.measure import messages  # noqa: E402

ISAS = {"cortex-m4": "armv7m", "cortex-m0": "armv6m", "rv32imac": "rv32i", "avr": "avr"}
CASES = [(machine, name) for machine in ISAS for name in AEADS] + [("avr", "speck64_128")]
# 128 bytes of SCHWAEMM256-128 and a KiB on a Cortex-M4, and 2.4 KB of code.
GOALS = {"schwaemm256-128:128": 5_900, "schwaemm256-128:1024": 35_000}
CODE = 2_457
SPONGES = [name for given in test_small_tiny.SPONGES.values() for name in given]
BOARDS = {"avr": "simavr:atmega328p", "cortex-m0": "qemu:cortex-m0", "cortex-m4": "qemu:cortex-m4"}


# The kernels for Armv7-M in C, for a host.
MODEL = """
#include <stddef.h>
#include <stdint.h>
#define NOINLINE
#define IN_FLASH
#define FLASH_WORD(at) (*(at))
@permutations@
void hanji_sparkle384_armv7m_x1(uint32_t *states, size_t groups, uint32_t steps);
void hanji_sparkle384_armv7m_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    while (groups-- > 0) {
        sparkle384(states, (uint8_t)steps);
        states += 12;
    }
}
void hanji_ascon_p_armv7m_x1(uint32_t *state, uint32_t rounds);
void hanji_ascon_p_armv7m_x1(uint32_t *state, uint32_t rounds)
{
    ascon_permute(state, 60 + 15 * rounds);
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The whole library of all sets."""
    need("gcc")
    folder = tmp_path_factory.mktemp("full")
    names = [*SPONGES, *BLOCKS["speck64_128"]]
    amalgam.write(amalgam.chosen(", ".join(names)), "portable", set(), folder)
    command = ["gcc", "-O1", "-std=gnu11", "-shared", "-fPIC", folder / "hanji.c"]
    subprocess.run([*command, "-o", folder / "hanji.so"], check=True)
    found = ctypes.CDLL(str(folder / "hanji.so"))
    found.hanji_speck64_128.restype = ctypes.c_void_p
    found.hanji_block_remaining.restype = ctypes.c_uint64
    return found


@pytest.fixture(scope="module")
def modelled(tmp_path_factory, library):
    """Of each set the C that calls kernels for Armv7-M, here in C, and the whole library."""
    need("gcc")
    found = {}
    for name in AEADS:
        folder = tmp_path_factory.mktemp(f"{name}-model")
        tiny.write(SETS[name], "0", folder, "armv7m")
        texts = [(ROOT / f"tiny/{part}.c").read_text() for part in ("sparkle", "ascon")]
        (folder / "model.c").write_text(MODEL.replace("@permutations@", "\n".join(texts)))
        sources = [folder / "hanji.c", folder / "model.c"]
        options = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-D__ARM_ARCH_7M__"]
        command = ["gcc", *options, "-shared", "-fPIC", *sources, "-o", folder / "hanji.so"]
        subprocess.run(command, check=True)
        found[name] = (ctypes.CDLL(str(folder / "hanji.so")), library)
    return found


@pytest.mark.parametrize("name", AEADS)
def test_it_answers_and_refuses_as_the_library(modelled, name):
    test_small_tiny.test_an_aead_equals_the_library(modelled, name)
    test_small_tiny.test_a_hash_equals_the_library(modelled, name)
    test_small_tiny.test_an_aead_refuses_what_the_library_refuses(modelled, name)
    test_small_tiny.test_a_hash_refuses_what_the_library_refuses(modelled, name)


# Messages of all lengths, each under a key that the message before it has made: sealed at the next
# address, opened in place, refused; and a chain of digests.
CHAIN = """
int hanji_selftest(const char **failed)
{
    static const uint8_t last_key[] = {@key@}, last_digest[] = {@digest@};
    static const uint8_t nonce[32] = {0};
    static uint8_t text[@n@], ad[@n@], sealed[@n@ + 20], key[16], digest[32 + @n@];
    for (uint8_t i = 0; i < @n@; i++) {
        text[i] = (uint8_t)(i * 7 + 1);
        ad[i] = (uint8_t)(i * 5 + 2);
    }
    for (uint8_t n = 0; n < @n@; n++) {
        uint8_t *out = sealed + (n & 3);
        const uint8_t ads = n % 3 == 0 ? 0 : (uint8_t)(@n@ - n);
        *failed = "encrypt";
        if (@aead@_encrypt(out, text, n, ad, ads, nonce, key) != HANJI_OK)
            return HANJI_E_TAG;
        *failed = "decrypt, forged";
        out[n] ^= 1;
        if (@aead@_decrypt(digest, out, n + 16u, ad, ads, nonce, key) != HANJI_E_TAG)
            return HANJI_E_TAG;
        out[n] ^= 1;
        *failed = "decrypt";
        if (@aead@_decrypt(out, out, n + 16u, ad, ads, nonce, key) != HANJI_OK ||
            !hanji_equal(out, text, n))
            return HANJI_E_TAG;
        memcpy(key, out + n, 16);
    }
    memset(digest, 0, sizeof digest);
    for (uint8_t n = 0; n < @n@; n++) {
        *failed = "hash";
        memcpy(digest + 32, text, n);
        if (@hash@(digest, digest, 32u + n) != HANJI_OK)
            return HANJI_E_TAG;
    }
    return hanji_equal(key, last_key, 16) & hanji_equal(digest, last_digest, 32) ? HANJI_OK
                                                                                : HANJI_E_TAG;
}
"""
MOST = 70


def chained(folder, name, isa):
    """The tiny amalgam of a set with a self-test: answers of the executable specification."""
    tiny.write(SETS[name], "0", folder, isa)
    sealing, hashing = (spec.algorithm(algorithm) for algorithm in SETS[name])
    text, ad = (bytes((i * by + 1 + (by == 5)) & 255 for i in range(MOST)) for by in (7, 5))
    key, digest = bytes(16), bytes(32)
    for n in range(MOST):
        ads = 0 if n % 3 == 0 else MOST - n
        key = sealing.seal(bytes(sealing.nonce_size), ad[:ads], text[:n], key)[n:]
        digest = hashing.digest(digest + text[:n])
    values = {"key": ", ".join(map(str, key)), "digest": ", ".join(map(str, digest))}
    values |= {"aead": f"hanji_{AEADS[name]}", "hash": f"hanji_{HASHES[name]}", "n": str(MOST)}
    with (folder / "hanji.c").open("a") as out:
        out.write(re.sub(r"@(\w+)@", lambda found: values[found[1]], CHAIN))
    with (folder / "hanji.h").open("a") as out:
        out.write("int hanji_selftest(const char **failed);\n")


@pytest.mark.parametrize(("machine", "name"), CASES)
def test_it_is_right_on(tmp_path, request, machine, name):
    if name in BLOCKS:
        whole = request.getfixturevalue("library")
        test_small_tiny.modes_with_known_answers(tmp_path, name, whole, ISAS[machine])
    else:
        chained(tmp_path, name, ISAS[machine])
    lines = test_small_tiny.printed(tmp_path, machine)
    assert re.search("^right", lines, re.MULTILINE), lines


@pytest.mark.parametrize(
    ("machine", "kernel", "damage"),
    [
        ("cortex-m4", "hanji.c", ("right ^ left ^ b", "right ^ b")),
        ("cortex-m4", "sparkle384_armv7m.S", ("0x324e7738", "0x324e7739")),
        ("avr", "sparkle384_avr.S", ("0x324e7738", "0x324e7739")),
    ],
)
def test_control_a_wrong_kernel_is_found(tmp_path, machine, kernel, damage):
    chained(tmp_path, "sparkle", ISAS[machine])
    source = (tmp_path / kernel).read_text()
    assert damage[0] in source
    (tmp_path / kernel).write_text(source.replace(*damage))
    assert not re.search("^right", test_small_tiny.printed(tmp_path, machine), re.MULTILINE)


@pytest.mark.parametrize(
    ("machine", "name", "level"),
    [
        pytest.param(*case, level, marks=[] if level == "-Os" else pytest.mark.slow)
        for case in CASES
        for level in test_residue.LEVELS
    ],
)
def test_nothing_is_left_on_the_stack(tmp_path, machine, name, level):
    tiny.write(SETS[name], "0", tmp_path, ISAS[machine])
    found, _ = test_small_tiny.residues(tmp_path, machine, name, level)
    assert [line.split(",")[0] for line in found] == [
        "residue control leaves its key",
        "residue control leaves bytes of its text",
    ], "\n".join(found[2:])


@pytest.mark.parametrize(("machine", "name"), CASES)
def test_control_a_wiper_that_is_too_short_is_found(tmp_path, machine, name):
    tiny.write(SETS[name], "0", tmp_path, ISAS[machine])
    source = (tmp_path / "hanji.c").read_text()
    short = re.sub(r"^#define (\w+_DEPTH) \d+$", r"#define \1 16", source, flags=re.MULTILINE)
    assert short != source
    (tmp_path / "hanji.c").write_text(short)
    assert len(test_small_tiny.residues(tmp_path, machine, name, "-Os")[0]) > 2


@pytest.mark.parametrize(
    ("machine", "name", "compiler", "level"),
    [
        pytest.param(*case, compiler, level, marks=() if level == "-Os" else pytest.mark.slow)
        for case in CASES
        for compiler in ("gcc", "clang")
        for level in ("-Os", "-Os -flto", "-O0", "-O2", "-O3")
        if level not in ({"-Os -flto"} if compiler == "clang" else set())
        if (case[0], compiler) != ("avr", "clang")
    ],
)
def test_every_call_wipes_as_deep_as_it_goes(tmp_path, machine, name, compiler, level):
    isa = ISAS[machine]
    found = test_small_tiny.depths_of(tmp_path, name, machine, compiler, level, isa)
    for call, depth in found.items():
        most = test_small_tiny.held_depth(tiny.KERNEL_DEPTHS[isa], name, call, level)
        assert depth <= most, f"{call}: {depth} bytes, the wiper is made for {most}"


def stacks(folder):
    """Bytes of stack of every call on a Cortex-M4, its own frame with what it wipes."""
    found = {}
    for name in AEADS:
        tiny.write(SETS[name], "0", folder, "armv7m")
        depths = test_small_tiny.residues(folder, "cortex-m4", name, "-Os")[1]
        found |= {f"{name} {call}": n for call, n in depths.items() if "control" not in call}
    return found


def test_sizes_and_stacks_are_as_held(tmp_path):
    """After a change that is meant, the figures that this test prints go into
    tiny_kernel_sizes.json.
    """
    need("gcc-arm-none-eabi", "gcc-riscv64-unknown-elf", "gcc-avr", "qemu-system-arm")
    found = tiny_sizes.measure_kernels(tmp_path)
    found["stack Cortex-M4"] = stacks(tmp_path)
    held = json.loads((HERE / "tiny_kernel_sizes.json").read_text())
    assert found == held, json.dumps(found, indent=1)


def counts(folder, machine, isa):
    """Cycles on an ATmega328P, executed instructions on a Cortex-M, by call and bytes; those of a
    KiB, too, on a Cortex-M4, whose buffer is then a KiB.
    """
    need("gcc-avr", "avr-libc", "simavr", "gcc-arm-none-eabi", "qemu-system-arm")
    board = messages.board(BOARDS[machine])
    made = folder / "made"
    tiny.write(SPONGES, "0", made, isa)
    found = messages.run_all(ROOT, board, made, ["-DWITHOUT_CTR"])
    other = folder / messages.PROGRAM
    other.parent.mkdir(parents=True)
    program = (ROOT / messages.PROGRAM).read_text()
    if machine == "cortex-m4":
        other.write_text(program.replace("512", "1024"))
        found |= messages.run_all(folder, board, made, ["-DWITHOUT_CTR"])
    if machine == "avr":  # of two block ciphers in the program the profile has one
        without = re.sub(r"static void ctr_cham\(void\)\n\{.*?\n\}\n", "", program, flags=re.DOTALL)
        other.write_text(re.sub(r"(?m)^.*cham.*\n", "", without))
        tiny.write(["speck-64/128-ctr"], "0", made, isa)
        found |= messages.run_all(folder, board, made, ["-DWITHOUT_SPONGES"])
    return found


@pytest.mark.parametrize(
    ("machine", "isa"),
    [("cortex-m4", "portable"), ("avr", "portable"), *((m, ISAS[m]) for m in BOARDS)],
)
def test_messages_take_what_they_took(tmp_path, machine, isa):
    """After a change that is meant, the figures that this test prints go into
    tiny_kernel_counts.json.
    """
    found = counts(tmp_path, machine, isa)
    held = json.loads((HERE / "tiny_kernel_counts.json").read_text())
    assert found == held[f"{machine} {isa}"], json.dumps(found, indent=1)


@pytest.mark.parametrize("machine", BOARDS)
def test_counts_do_not_depend_on_secrets(tmp_path, machine):
    """Cycles on an ATmega328P and instructions on a Cortex-M of random keys and texts are those of
    zeros.
    """
    need("gcc-avr", "avr-libc", "simavr", "gcc-arm-none-eabi", "qemu-system-arm")
    tiny.write(SPONGES, "0", tmp_path, ISAS[machine])
    board = messages.board(BOARDS[machine])
    held = json.loads((HERE / "tiny_kernel_counts.json").read_text())[f"{machine} {ISAS[machine]}"]
    found = messages.run_all(ROOT, board, tmp_path, ["-DWITHOUT_CTR", "-DLAB_SEED=5"])
    assert found == {call: held[call] for call in found}
    assert len(found) > 8


def test_schwaemm_is_within_its_limits_on_a_cortex_m4():
    counted = json.loads((HERE / "tiny_kernel_counts.json").read_text())["cortex-m4 armv7m"]
    for call, most in GOALS.items():
        assert counted[call] <= most
    sizes = json.loads((HERE / "tiny_kernel_sizes.json").read_text())
    assert sizes["schwaemm256-128"]["Cortex-M4"] <= CODE


@pytest.mark.parametrize(
    ("names", "isa", "said"),
    [
        (
            ["schwaemm256-128", "speck-64/128-ctr"],
            "armv7m",
            "speck-64/128-ctr: the tiny profile has",
        ),
        (["cham-64/128-eax"], "avr", "no kernel of it for avr, but of ascon-aead128"),
        (["aimer3-128f"], "rv32i", "leave out ISA=rv32i, or PROFILE=tiny"),
    ],
)
def test_a_kernel_that_is_not_there_is_said(monkeypatch, capsys, tmp_path, names, isa, said):
    command = ["amalgam.py", "--profile", "tiny", "--algorithms", ",".join(names), "--isa", isa]
    monkeypatch.setattr(sys, "argv", [*command, "--out", str(tmp_path / "out")])
    assert amalgam.main() == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_another_processor_is_refused_by_the_compiler(tmp_path):
    need("gcc-arm-none-eabi")
    tiny.write(["esch256"], "0", tmp_path, "armv7m")
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-ffreestanding", "-c"]
    done = subprocess.run(
        [*command, tmp_path / "hanji.c", "-o", tmp_path / "x.o"], capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "this amalgam has kernels for armv7m" in done.stderr


def test_files_of_an_earlier_call_go(tmp_path):
    made = tiny.write(["esch256", "ascon-hash256"], "0", tmp_path, "armv7m")
    kernels = ["ascon_armv7m_x1.S", "sparkle384_armv7m.S"]
    assert {path.name for path in made} == {*kernels, "hanji.c", "hanji.h"}
    assert "#include" not in (tmp_path / kernels[1]).read_text()
    tiny.write(["esch256"], "0", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hanji.c", "hanji.h"]


@pytest.mark.parametrize("name", AEADS)
def test_it_is_cpp_too(tmp_path, name):
    need("g++")
    tiny.write(SETS[name], "0", tmp_path, "armv7m")
    options = ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-D__ARM_ARCH_7M__"]
    made = tmp_path / "x.o"
    subprocess.run(["g++", *options, "-c", tmp_path / "hanji.c", "-o", made], check=True)
    symbols = subprocess.run(["nm", "-u", made], check=True, capture_output=True, text=True)
    assert re.search(r" hanji_\w+_armv7m_x1$", symbols.stdout, re.MULTILINE)
