# SPDX-License-Identifier: Apache-2.0
"""The tiny profile: as right as the library, as strict, and nothing is left on the stack; its
size is held.
"""

from __future__ import annotations

import ctypes
import json
import random
import re
import shutil
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
import test_small_selftest  # noqa: E402
import tiny_sizes  # noqa: E402

import tiny  # noqa: E402
from hanji_lab import spec  # noqa: E402

# The AEAD and the hash of a set, with the prefix of their functions.
SPONGES = {
    "ascon": {"ascon-aead128": "ascon_aead128", "ascon-hash256": "ascon_hash256"},
    "sparkle": {"schwaemm256-128": "schwaemm256_128", "esch256": "esch256"},
}
AEADS = {name: next(iter(given.values())) for name, given in SPONGES.items()}
HASHES = {name: list(given.values())[1] for name, given in SPONGES.items()}
BLOCKS = {
    "speck64_128": ["speck-64/128-ctr", "speck-64/128-eax"],
    "cham64_128": ["cham-64/128-ctr", "cham-64/128-eax"],
}
SETS = {**{name: list(given) for name, given in SPONGES.items()}, **BLOCKS}
ARGUMENT, LENGTH, TAG, LIMIT = -1, -2, -3, -4


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """Of each set the tiny library and the whole one."""
    found = {}
    for name, names in SETS.items():
        pair = []
        for profile in ("tiny", "full"):
            folder = tmp_path_factory.mktemp(f"{name}-{profile}")
            if profile == "tiny":
                tiny.write(names, "0", folder)
            else:
                amalgam.write(amalgam.chosen(", ".join(names)), "portable", set(), folder)
            made = folder / "hanji.so"
            command = ["gcc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared"]
            need("gcc")
            subprocess.run(
                [*command, "-fPIC", "-o", str(made), str(folder / "hanji.c")], check=True
            )
            library = ctypes.CDLL(str(made))
            if name in BLOCKS:
                getattr(library, f"hanji_{name}").restype = ctypes.c_void_p
                library.hanji_block_remaining.restype = ctypes.c_uint64
            pair.append(library)
        found[name] = tuple(pair)
    return found


class Memory:
    """An arena in which the arrays of a call lie; addresses are offsets into it."""

    def __init__(self, content):
        self.bytes = ctypes.create_string_buffer(content, len(content))
        self.base = ctypes.addressof(self.bytes)

    def at(self, offset):
        return ctypes.c_void_p(None if offset is None else self.base + offset)

    def size(self, number):
        return ctypes.c_size_t(number)


ARENA = 2048
KEY, NONCE, AD, IN, OUT, CONTEXT, MODE = 0, 100, 200, 400, 700, 1000, 1600


def both(libraries, content, run):
    """What both libraries answer and leave in the arena."""
    answers = []
    for library in libraries:
        memory = Memory(content)
        answers.append((run(library, memory), bytes(memory.bytes)))
    return answers


def aead(name, verb, n, adn, out=OUT, data=IN, ad=AD, nonce=NONCE, key=KEY):
    def run(library, memory):
        call = getattr(library, f"hanji_{AEADS[name]}_{verb}")
        at, size = memory.at, memory.size
        return call(at(out), at(data), size(n), at(ad), size(adn), at(nonce), at(key))

    return run


@pytest.mark.parametrize("name", AEADS)
def test_an_aead_equals_the_library(libraries, name):
    source = random.Random(1)
    for n in [*range(70), *(source.randrange(250) for _ in range(200))]:
        content = bytearray(source.randbytes(ARENA))
        adn = source.randrange(100)
        out = source.choice([OUT, IN])
        sealed, wanted = both(
            libraries[name], bytes(content), aead(name, "encrypt", n, adn, out=out)
        )
        assert sealed == wanted and sealed[0] == 0, n
        to = source.choice([OUT + 600, out])
        opening = aead(name, "decrypt", n + 16, adn, out=to, data=out)
        opened, wanted = both(libraries[name], sealed[1], opening)
        assert opened == wanted and opened[0] == 0
        assert opened[1][to : to + n] == bytes(content[IN : IN + n])
        damaged = bytearray(sealed[1])
        damaged[out + source.randrange(n + 16)] ^= 1 << source.randrange(8)
        refused, wanted = both(libraries[name], bytes(damaged), opening)
        assert refused == wanted and refused[0] == TAG
        assert not any(refused[1][to : to + n])


@pytest.mark.parametrize("name", HASHES)
def test_a_hash_equals_the_library(libraries, name):
    source = random.Random(2)
    for n in [*range(70), 255, 256, 257]:

        def run(library, memory, n=n):
            call = getattr(library, f"hanji_{HASHES[name]}")
            return call(memory.at(OUT), memory.at(IN), memory.size(n))

        found, wanted = both(libraries[name], source.randbytes(ARENA), run)
        assert found == wanted and found[0] == 0


PLACES = (-40, -33, -32, -31, -17, -16, -15, -8, -1, 0, 1, 7, 15, 16, 17, 31, 32, 33, 40, 47, 48)


@pytest.mark.parametrize("name", AEADS)
def test_an_aead_refuses_what_the_library_refuses(libraries, name):
    content = random.Random(3).randbytes(ARENA)
    refusals = 0
    for verb, n in (("encrypt", 32), ("decrypt", 48)):
        for moved in ("data", "ad", "nonce", "key"):
            for place in PLACES:
                run = aead(name, verb, n, 20, **{moved: OUT + place})
                found, wanted = both(libraries[name], content, run)
                assert found == wanted, (verb, moved, place)
                refusals += found[0] == ARGUMENT
        for missing in ("out", "data", "ad", "nonce", "key"):
            found, wanted = both(
                libraries[name], content, aead(name, verb, n, 20, **{missing: None})
            )
            assert found == wanted and found[0] == ARGUMENT, (verb, missing)
        empty = both(libraries[name], content, aead(name, verb, 16, 0, ad=None))
        assert empty[0] == empty[1]
    for n in (0, 15):
        found, wanted = both(libraries[name], content, aead(name, "decrypt", n, 0))
        assert found == wanted and found[0] == LENGTH
    huge = aead(name, "encrypt", 2**64 - 16, 0)
    found, wanted = both(libraries[name], content, huge)
    assert found == wanted and found[0] == LENGTH
    assert refusals > 60


@pytest.mark.parametrize("name", HASHES)
def test_a_hash_refuses_what_the_library_refuses(libraries, name):
    content = random.Random(4).randbytes(ARENA)
    for place in PLACES:

        def run(library, memory, place=place):
            call = getattr(library, f"hanji_{HASHES[name]}")
            return call(memory.at(OUT), memory.at(OUT + place), memory.size(20))

        found, wanted = both(libraries[name], content, run)
        assert found == wanted, place
    for out, data in ((None, IN), (OUT, None)):

        def run_missing(library, memory, out=out, data=data):
            call = getattr(library, f"hanji_{HASHES[name]}")
            return call(memory.at(out), memory.at(data), memory.size(20))

        found, wanted = both(libraries[name], content, run_missing)
        assert found == wanted and found[0] == ARGUMENT


def keyed(library, memory, cipher, limit=None):
    """A context at CONTEXT with the key at KEY."""
    rc = library.hanji_block_init(
        memory.at(KEY),
        memory.size(16),
        ctypes.c_void_p(getattr(library, f"hanji_{cipher}")()),
        memory.at(CONTEXT),
        memory.size(MODE - CONTEXT),
    )
    if limit is not None:
        assert library.hanji_block_set_limit(ctypes.c_uint64(limit), memory.at(CONTEXT)) == 0
    return rc


def answers(library, memory, *codes):
    """The codes, what the key may still do, and the texts; contexts differ."""
    return (
        *codes,
        library.hanji_block_remaining(memory.at(CONTEXT)),
        bytes(memory.bytes)[:CONTEXT],
    )


def same(libraries, content, run):
    found = [answer for answer, _ in both(libraries, content, run)]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("cipher", BLOCKS)
def test_ctr_equals_the_library(libraries, cipher):
    source = random.Random(5)
    for _ in range(150):
        cuts = sorted(source.randrange(200) for _ in range(3))
        limit = source.choice([None, 20, 3, 2**64 - 1])

        def run(library, memory, cuts=cuts, limit=limit):
            codes = [keyed(library, memory, cipher, limit)]
            codes.append(
                library.hanji_ctr_init(
                    memory.at(NONCE), memory.size(8), memory.at(CONTEXT), memory.at(MODE)
                )
            )
            for start, end in zip([0, *cuts], cuts, strict=False):
                codes.append(
                    library.hanji_ctr_update(
                        memory.at(OUT + start),
                        memory.at(IN + start),
                        memory.size(end - start),
                        memory.at(MODE),
                    )
                )
            found = answers(library, memory, *codes)
            return (*found[:-2], min(found[-2], 2**32 - 100), found[-1])

        same(libraries[cipher], source.randbytes(ARENA - 300) + b"\xff" * 300, run)


@pytest.mark.parametrize("cipher", BLOCKS)
def test_eax_equals_the_library(libraries, cipher):
    source = random.Random(6)
    seen = set()
    for _ in range(200):
        n, adn, nn, tag = (source.randrange(size) for size in (90, 60, 20, 10))
        limit = source.choice([None, None, 30, 12])
        damage = source.choice([0, 0, 1])
        out = source.choice([OUT, IN])

        def run(library, memory, n=n, adn=adn, nn=nn, tag=tag, limit=limit, damage=damage, out=out):
            at, size = memory.at, memory.size
            codes = [keyed(library, memory, cipher, limit)]
            codes.append(library.hanji_eax_init(size(tag), at(CONTEXT), at(MODE)))
            rest = (at(AD), size(adn), at(NONCE), size(nn), at(MODE))
            codes.append(library.hanji_eax_encrypt(at(out), at(IN), size(n), *rest))
            memory.bytes[out + n // 2] = bytes([memory.bytes[out + n // 2][0] ^ damage])
            codes.append(library.hanji_eax_decrypt(at(out), at(out), size(n + tag), *rest))
            return answers(library, memory, *codes)

        seen |= set(same(libraries[cipher], source.randbytes(ARENA), run)[:4])
    assert seen >= {0, ARGUMENT, LENGTH, TAG, LIMIT}


@pytest.mark.parametrize("cipher", BLOCKS)
def test_modes_refuse_what_the_library_refuses(libraries, cipher):
    """Buffers over each other, and over the memory of the contexts, from their first byte on."""
    content = random.Random(7).randbytes(ARENA)
    refusals = 0
    for moved in ("out", "data", "ad", "nonce"):
        for target in (OUT, IN, CONTEXT, MODE):
            for place in (-24, -17, -16, -15, -1, 0, 1, 7):

                def run(library, memory, moved=moved, target=target, place=place):
                    at, size = memory.at, memory.size
                    where = {"out": OUT, "data": IN, "ad": AD, "nonce": NONCE}
                    where[moved] = target + place
                    keyed(library, memory, cipher)
                    library.hanji_eax_init(size(8), at(CONTEXT), at(MODE))
                    rest = (at(where["ad"]), size(16), at(where["nonce"]), size(16), at(MODE))
                    out, data = at(where["out"]), at(where["data"])
                    codes = [library.hanji_eax_encrypt(out, data, size(8), *rest)]
                    codes.append(library.hanji_eax_decrypt(out, data, size(24), *rest))
                    if moved in ("out", "data"):
                        library.hanji_ctr_init(at(NONCE), size(8), at(CONTEXT), at(MODE))
                        codes.append(library.hanji_ctr_update(out, data, size(16), at(MODE)))
                    return tuple(codes)

                found = same(libraries[cipher], content, run)
                refusals += found.count(ARGUMENT)
    assert refusals > 100


@pytest.mark.parametrize("cipher", BLOCKS)
def test_what_was_never_begun_is_refused(libraries, cipher):
    def run(library, memory):
        at, size = memory.at, memory.size
        codes = [
            library.hanji_ctr_init(at(NONCE), size(8), at(CONTEXT), at(MODE)),
            library.hanji_eax_init(size(8), at(CONTEXT), at(MODE)),
            library.hanji_ctr_update(at(OUT), at(IN), size(8), at(MODE)),
            library.hanji_block_set_limit(ctypes.c_uint64(5), at(CONTEXT)),
            library.hanji_block_init(None, size(16), None, at(CONTEXT), size(600)),
        ]
        cipher_at = ctypes.c_void_p(getattr(library, f"hanji_{cipher}")())
        for key, key_bytes, bytes_ in ((None, 16, 600), (KEY, 15, 600), (KEY, 16, 30)):
            codes.append(
                library.hanji_block_init(
                    at(key), size(key_bytes), cipher_at, at(CONTEXT), size(bytes_)
                )
            )
        keyed(library, memory, cipher)
        for iv, iv_bytes, mode in ((None, 8, MODE), (NONCE, 7, MODE), (NONCE, 8, CONTEXT + 1)):
            codes.append(library.hanji_ctr_init(at(iv), size(iv_bytes), at(CONTEXT), at(mode)))
        library.hanji_block_wipe(at(CONTEXT))
        codes.append(library.hanji_ctr_init(at(NONCE), size(8), at(CONTEXT), at(MODE)))
        return tuple(codes)

    found = same(libraries[cipher], bytes(ARENA), run)
    assert 0 not in found


@pytest.mark.parametrize(
    ("name", "check"),
    [("ascon", "wrong(out, written, nonce, 16)"), ("sparkle", "wrong(out, written, nonce, RATE)")],
)
def test_control_a_check_that_is_left_out_is_found(tmp_path, libraries, name, check):
    tiny.write(SETS[name], "0", tmp_path)
    source = (tmp_path / "hanji.c").read_text()
    assert source.count(check) == 1
    (tmp_path / "hanji.c").write_text(source.replace(check, "0"))
    subprocess.run(
        ["gcc", "-O2", "-shared", "-fPIC", "-o", str(tmp_path / "x.so"), str(tmp_path / "hanji.c")],
        check=True,
    )
    pair = (ctypes.CDLL(str(tmp_path / "x.so")), libraries[name][1])
    found, wanted = both(
        pair, random.Random(3).randbytes(ARENA), aead(name, "encrypt", 32, 20, nonce=OUT + 1)
    )
    assert found[0] == 0 and wanted[0] == ARGUMENT


def at_borders(folder):
    """What tests/small/borders_main.c prints of hanji.c in a folder, sanitizers included."""
    need("gcc")
    program = folder / "borders"
    command = ["gcc", "-std=gnu11", "-O1", "-fsanitize=address,undefined", f"-I{folder}"]
    sources = [HERE / "borders_main.c", folder / "hanji.c"]
    subprocess.run([*command, *sources, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True)
    return done.stdout + done.stderr


def test_empty_buffers_sizes_of_tags_and_limits_are_as_promised(tmp_path):
    tiny.write([*SETS["ascon"], *SETS["sparkle"], *SETS["speck64_128"]], "0", tmp_path)
    assert at_borders(tmp_path) == "end\n"
    source = (tmp_path / "hanji.c").read_text()
    for old, new, said in (
        ("if (need > block->blocks_left)", "if (need > block->blocks_left + 1)", "call 18: 0"),
        (
            "while (to != (uint8_t *)b + part)",
            "memcpy(b, in, part); while (to != (uint8_t *)b + part)",
            "null pointer",
        ),
    ):
        assert source.count(old) == 1
        (tmp_path / "hanji.c").write_text(source.replace(old, new))
        assert said in at_borders(tmp_path)


KNOWN = """
int hanji_selftest(const char **failed)
{
    static const uint8_t key[] = {@key@}, nonce[] = {@nonce@}, ad[] = {@ad@}, text[] = {@text@},
                         sealed[] = {@sealed@}, digest[] = {@digest@};
    uint8_t made[sizeof sealed];
    *failed = "encrypt";
    if (@aead@_encrypt(made, text, sizeof text, ad, sizeof ad, nonce, key) != HANJI_OK ||
        !hanji_equal(made, sealed, sizeof sealed))
        return HANJI_E_TAG;
    *failed = "decrypt";
    if (@aead@_decrypt(made, made, sizeof made, ad, sizeof ad, nonce, key) != HANJI_OK ||
        !hanji_equal(made, text, sizeof text))
        return HANJI_E_TAG;
    *failed = "decrypt, forged";
    if (@aead@_decrypt(made, sealed, sizeof sealed, ad, 0, nonce, key) != HANJI_E_TAG ||
        made[0] != 0 || made[sizeof text - 1] != 0)
        return HANJI_E_TAG;
    *failed = "hash";
    if (@hash@(made, text, sizeof text) != HANJI_OK || !hanji_equal(made, digest, sizeof digest))
        return HANJI_E_TAG;
    return HANJI_OK;
}
"""


def with_known_answers(folder, name):
    """The tiny amalgam of a set with a self-test: answers of the executable specification."""
    tiny.write(SETS[name], "0", folder)
    aead_spec, hash_spec = (spec.algorithm(algorithm) for algorithm in SETS[name])
    source = random.Random(8)
    given = {part: source.randbytes(n) for part, n in {"key": 16, "ad": 17, "text": 37}.items()}
    given["nonce"] = source.randbytes(aead_spec.nonce_size)
    order = (given[part] for part in ("nonce", "ad", "text", "key"))
    given |= {"sealed": aead_spec.seal(*order), "digest": hash_spec.digest(given["text"])}
    values = {part: ", ".join(map(str, held)) for part, held in given.items()}
    values |= {"aead": f"hanji_{AEADS[name]}", "hash": f"hanji_{HASHES[name]}"}
    with (folder / "hanji.c").open("a") as out:
        out.write(re.sub(r"@(\w+)@", lambda found: values[found[1]], KNOWN))
    with (folder / "hanji.h").open("a") as out:
        out.write("int hanji_selftest(const char **failed);\n")


def printed(folder, machine):
    if machine == "avr":
        return test_small_selftest.on_avr(folder)
    return test_small_selftest.on_qemu(folder, machine)


@pytest.mark.parametrize("machine", [*test_small_selftest.ISAS, "avr"])
@pytest.mark.parametrize("name", SPONGES)
def test_it_is_right_on(tmp_path, name, machine):
    with_known_answers(tmp_path, name)
    lines = printed(tmp_path, machine)
    assert re.search("^right", lines, re.MULTILINE), lines


KNOWN_MODES = """
int hanji_selftest(const char **failed)
{
    static const uint8_t key[] = {@key@}, iv[] = {@iv@}, text[] = {@text@}, ctr_text[] = {@ctr@},
                         eax_text[] = {@eax@};
    static hanji_@cipher@_ctx block;
    static hanji_ctr_ctx ctr;
    static hanji_eax_ctx eax;
    uint8_t made[sizeof eax_text];
    *failed = "ctr";
    if (hanji_block_init(key, 16, hanji_@cipher@(), &block.head, sizeof block) != HANJI_OK ||
        hanji_ctr_init(iv, 8, &block.head, &ctr) != HANJI_OK ||
        hanji_ctr_update(made, text, 5, &ctr) != HANJI_OK ||
        hanji_ctr_update(made + 5, text + 5, sizeof text - 5, &ctr) != HANJI_OK ||
        !hanji_equal(made, ctr_text, sizeof ctr_text))
        return HANJI_E_TAG;
    *failed = "eax";
    if (hanji_eax_init(8, &block.head, &eax) != HANJI_OK ||
        hanji_eax_encrypt(made, text, sizeof text, iv, 8, key, 16, &eax) != HANJI_OK ||
        !hanji_equal(made, eax_text, sizeof eax_text) ||
        hanji_eax_decrypt(made, made, sizeof made, iv, 8, key, 16, &eax) != HANJI_OK ||
        !hanji_equal(made, text, sizeof text))
        return HANJI_E_TAG;
    return HANJI_OK;
}
"""
CARRIES = b"\0\0\0" + b"\xff" * 4 + b"\xfe"  # the third counter block has a carry into each byte


def modes_with_known_answers(folder, cipher, library, isa=tiny.PORTABLE):
    """The tiny amalgam of both modes with a self-test: answers of the whole library on a host."""
    tiny.write(BLOCKS[cipher], "0", folder, isa)
    source = random.Random(9)
    given = {"key": source.randbytes(16), "iv": CARRIES, "text": source.randbytes(43)}
    memory = Memory(bytes(ARENA))
    at, size = memory.at, memory.size
    for place, part in ((KEY, "key"), (NONCE, "iv"), (IN, "text")):
        memory.bytes[place : place + len(given[part])] = given[part]
    codes = [keyed(library, memory, cipher)]
    codes.append(library.hanji_ctr_init(at(NONCE), size(8), at(CONTEXT), at(MODE)))
    codes.append(library.hanji_ctr_update(at(OUT), at(IN), size(43), at(MODE)))
    given["ctr"] = bytes(memory.bytes[OUT : OUT + 43])
    codes.append(library.hanji_eax_init(size(8), at(CONTEXT), at(MODE)))
    rest = (at(NONCE), size(8), at(KEY), size(16), at(MODE))
    codes.append(library.hanji_eax_encrypt(at(OUT), at(IN), size(43), *rest))
    given["eax"] = bytes(memory.bytes[OUT : OUT + 51])
    assert codes == [0] * 5
    values = {part: ", ".join(map(str, held)) for part, held in given.items()} | {"cipher": cipher}
    with (folder / "hanji.c").open("a") as out:
        out.write(re.sub(r"@(\w+)@", lambda found: values[found[1]], KNOWN_MODES))
    with (folder / "hanji.h").open("a") as out:
        out.write("int hanji_selftest(const char **failed);\n")


@pytest.fixture
def cortex_m3(monkeypatch):
    """Thumb-2 without the instructions for halves of words."""
    compiler, _, places, packages = test_residue.MACHINES["cortex-m4"]
    third = [*compiler[:-2], "-mcpu=cortex-m3", "-mthumb"]
    board = ["qemu-system-arm", "-M", "mps2-an385"]
    monkeypatch.setitem(test_residue.MACHINES, "cortex-m3", (third, board, places, packages))


@pytest.mark.parametrize("machine", [*test_small_selftest.ISAS, "cortex-m3", "avr"])
@pytest.mark.parametrize("cipher", BLOCKS)
def test_modes_are_right_on(tmp_path, libraries, cortex_m3, cipher, machine):
    modes_with_known_answers(tmp_path, cipher, libraries[cipher][1])
    lines = printed(tmp_path, machine)
    assert re.search("^right", lines, re.MULTILINE), lines


@pytest.mark.parametrize("damage", ["asr #16", "next >> 32"])
def test_control_a_wrong_mode_is_named(tmp_path, libraries, damage):
    modes_with_known_answers(tmp_path, "cham64_128", libraries["cham64_128"][1])
    source = (tmp_path / "hanji.c").read_text()
    assert source.count(damage) == 1
    (tmp_path / "hanji.c").write_text(source.replace(damage, damage[:-1] + "1"))
    assert "ctr" in printed(tmp_path, "cortex-m4")


@pytest.mark.parametrize("machine", ["cortex-m4", "avr"])
def test_control_a_wrong_round_is_named(tmp_path, machine):
    with_known_answers(tmp_path, "ascon")
    source = (tmp_path / "hanji.c").read_text()
    assert source.count("s + 4, 1, 6") == 1
    (tmp_path / "hanji.c").write_text(source.replace("s + 4, 1, 6", "s + 4, 1, 7"))
    assert "encrypt" in printed(tmp_path, machine)


@pytest.mark.parametrize("compiler", ["g++", "clang++-14"])
@pytest.mark.parametrize("name", SETS)
def test_it_is_cpp_too(tmp_path, compiler, name):
    need("g++" if compiler == "g++" else "clang-14")
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not there")
    tiny.write(SETS[name], "0", tmp_path)
    options = ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-c"]
    source = str(tmp_path / "hanji.c")
    subprocess.run([compiler, *options, source, "-o", str(tmp_path / "x.o")], check=True)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["schwaemm192-192"], "schwaemm192-192: not in the tiny profile"),
        (["speck-64/128-ctr", "cham-64/128-ctr"], "one block cipher at a time"),
    ],
)
def test_what_the_profile_has_not_is_said(names, said):
    with pytest.raises(tiny.TinyError, match=said):
        tiny.make(names, "0")


RESIDUE = [
    pytest.param(
        machine, name, level, marks=() if level in ("-O0", "-O2", "-Os") else pytest.mark.slow
    )
    for machine in [*test_residue.MACHINES, "avr"]
    for name in SETS
    for level in ("-O0", *test_residue.LEVELS)  # unlike the full profile
]
# Another compiler, or other options: what a wiper of a fixed depth could miss.
CLANG = {
    "rv32imac": ["--target=riscv32-unknown-elf", "-march=rv32imac", "-mabi=ilp32"],
    "cortex-m0": ["--target=thumbv6m-none-eabi"],
    "cortex-m4": ["--target=thumbv7em-none-eabi"],
}
LTO = "-flto"
LEAST, MOST = 16, 800


def compiled(folder, machine, compiler, level):
    """hanji.c of a folder for a machine."""
    need("clang-14" if compiler == "clang" else "gcc")
    compiling = test_residue.MACHINES.get(machine, (["avr-gcc", "-mmcu=atmega2560"],))[0]
    flags = test_residue.FLAGS
    if compiler == "clang":
        compiling = ["clang-14", *CLANG[machine]]
        flags = [flag for flag in flags if "loop-distribute" not in flag]
    made = folder / "library.o"
    command = [*compiling, *level.split(), *flags, "-c", folder / "hanji.c", "-o", made]
    subprocess.run(command, check=True)
    return made


def residues(folder, machine, name, level, library=None):
    flags = "#define TINY_CTR\n#define TINY_EAX\n" if name in BLOCKS else ""
    (folder / "jobs.h").write_text(flags + (HERE / "tiny_jobs.h").read_text())
    lines = test_residue.lines_of(
        folder, folder, machine, level, is_roomy=name == "aimer", library=library
    )
    jobs = [line for line in lines if line.startswith("job ")]
    assert not [line for line in lines if re.match("refused |.*overflow", line)]
    # the stack of each call, in bytes
    depths = {line.rpartition(" ")[0][4:]: int(line.rpartition(" ")[2]) for line in jobs}
    return [line for line in lines if line.startswith("residue ")], depths


@pytest.mark.parametrize(("machine", "name", "level"), RESIDUE)
def test_nothing_is_left_on_the_stack(tmp_path, machine, name, level):
    tiny.write(SETS[name], "0", tmp_path)
    found, _ = residues(tmp_path, machine, name, level)
    assert [line.split(",")[0] for line in found] == [
        "residue control leaves its key",
        "residue control leaves bytes of its text",
    ], "\n".join(found[2:])


def depths_of(folder, name, machine, compiler, level, isa=tiny.PORTABLE):
    """Bytes of stack below every call. A wiper that is much deeper shows what the frames above it
    take; what is less with one that is short is the depth of the call.
    """
    totals = {}
    most = 500 if machine == "avr" else MOST
    for depth in (LEAST, most):
        tiny.write(SETS[name], "0", folder, isa)
        source = (folder / "hanji.c").read_text()
        made = re.sub(r"(?m)^#define (\w+_DEPTH) \d+$", rf"#define \1 {depth}", source)
        (folder / "hanji.c").write_text(made)
        library = None if LTO in level else compiled(folder, machine, compiler, level)
        build = level if LTO in level else "-Os"
        totals[depth] = residues(folder, machine, name, build, library)[1]
    return {
        call: totals[LEAST][call] - (deep - most)
        for call, deep in totals[most].items()
        # ctr init wipes nothing below itself
        if "control" not in call and call != "ctr init"
    }


def held_depth(of, name, call, level):
    """What the wiper of a call is made for."""
    names = {
        "ascon": ("ASCON_DEPTH", "ASCON_HASH_DEPTH"),
        "sparkle": ("SCHWAEMM_DEPTH", "ESCH_DEPTH"),
    }
    row = of[names.get(name, ("BLOCK_DEPTH",) * 2)[call == "hash"]]
    first = level.split()[0]
    return row[2 if first == "-O0" else 0 if first in ("-Os", "-Oz") else 1]


# Of every processor where the calls are deep, at -Os; the rest is for the slow set.
DEEP = [
    ("cortex-m0", "ascon", "gcc", "-Os -flto"),
    ("cortex-m0", "ascon", "clang", "-Os"),
    ("cortex-m0", "ascon", "clang", "-O2"),
    ("cortex-m0", "sparkle", "gcc", "-Os -flto"),
    ("cortex-m0", "sparkle", "clang", "-O2"),
    ("cortex-m4", "ascon", "clang", "-Os"),
    ("cortex-m4", "sparkle", "clang", "-Os"),
    ("cortex-m4", "speck64_128", "clang", "-Os"),
    ("rv32imac", "sparkle", "gcc", "-O3"),
    ("avr", "ascon", "gcc", "-Os"),
    ("avr", "sparkle", "gcc", "-Os"),
    ("avr", "cham64_128", "gcc", "-Os"),
]
ALL_DEEP = [
    (machine, name, compiler, level)
    for machine in [*test_residue.MACHINES, "avr"]
    for name in SETS
    for compiler in ("gcc", "clang")
    for level in ("-Os", "-Os -flto", "-Oz", "-O0", "-O1", "-O2", "-O3")
    if level not in ({"-Os -flto"} if compiler == "clang" else {"-Oz"})
    if (machine, compiler) != ("avr", "clang")
]


@pytest.mark.parametrize(
    ("machine", "isa", "name"),
    [
        *(("cortex-m0", tiny.PORTABLE, name) for name in SETS),
        *(("cortex-m0", "armv6m", name) for name in SPONGES),
        *(("cortex-m4", "armv7m", name) for name in SPONGES),
    ],
)
def test_buffers_may_have_any_address(tmp_path, machine, isa, name):
    tiny.write(SETS[name], "0", tmp_path, isa)
    flags = "#define TINY_CTR\n#define TINY_EAX\n" if name in BLOCKS else ""
    (tmp_path / "jobs.h").write_text(flags + (HERE / "tiny_jobs.h").read_text())
    control, *found = test_residue.at_addresses(tmp_path, tmp_path, machine)
    assert control.startswith("differs ") and found
    assert [line for line in found if not line.startswith("job ")] == []


@pytest.mark.parametrize(
    ("machine", "name", "compiler", "level"),
    [pytest.param(*case, marks=() if case in DEEP else pytest.mark.slow) for case in ALL_DEEP],
)
def test_every_call_wipes_as_deep_as_it_goes(tmp_path, machine, name, compiler, level):
    processor = {"avr": 0, "cortex-m0": 1}.get(machine, 2)
    held = list(tiny.DEPTHS.values())[processor]
    found = depths_of(tmp_path, name, machine, compiler, level)
    assert max(found.values()) > LEAST
    for call, depth in found.items():
        most = held_depth(held, name, call, level)
        assert depth <= most, f"{call}: {depth} bytes, the wiper is made for {most}"


def test_control_a_call_that_goes_deeper_is_seen(tmp_path, monkeypatch):
    before = depths_of(tmp_path, "sparkle", "cortex-m4", "gcc", "-Os")
    write = tiny.write

    def deeper(names, version, out, isa):
        made = write(names, version, out, isa)
        source = (out / "hanji.c").read_text()
        assert source.count("uint32_t s[12], k[4];") == 1
        more = "volatile uint8_t more[64];\n    more[0] = 0;\n    (void)more;\n    uint32_t s[12], k[4];"
        (out / "hanji.c").write_text(source.replace("uint32_t s[12], k[4];", more))
        return made

    monkeypatch.setattr(tiny, "write", deeper)
    after = depths_of(tmp_path, "sparkle", "cortex-m4", "gcc", "-Os")
    assert after["hash"] == before["hash"]
    assert after["encrypt"] == before["encrypt"] + 64


@pytest.mark.parametrize("machine", [*test_residue.MACHINES, "avr"])
@pytest.mark.parametrize("name", BLOCKS)
def test_nothing_is_left_of_counter_mode_alone(tmp_path, machine, name):
    """Where the cipher is part of the loop over bytes."""
    tiny.write(BLOCKS[name][:1], "0", tmp_path)
    (tmp_path / "jobs.h").write_text("#define TINY_CTR\n" + (HERE / "tiny_jobs.h").read_text())
    lines = test_residue.lines_of(tmp_path, tmp_path, machine, "-O2")
    assert [line for line in lines if line.startswith("job ")]
    found = [line.split(",")[0] for line in lines if line.startswith("residue ")]
    assert found == ["residue control leaves its key", "residue control leaves bytes of its text"]


SHORT = [("cortex-m4", name) for name in SETS] + [("avr", name) for name in ("ascon", *BLOCKS)]


@pytest.mark.parametrize(("machine", "name"), SHORT)
def test_control_a_wiper_that_is_too_short_is_found(tmp_path, machine, name):
    tiny.write(SETS[name], "0", tmp_path)
    source = (tmp_path / "hanji.c").read_text()
    short = re.sub(r"^#define (\w+_DEPTH) \d+$", r"#define \1 16", source, flags=re.MULTILINE)
    assert short != source
    (tmp_path / "hanji.c").write_text(short)
    found, _ = residues(tmp_path, machine, name, "-Os")
    assert len(found) > 2


def stacks(folder):
    """Bytes of stack of every call on a Cortex-M4, its own frame with what it wipes."""
    found = {}
    for name in SETS:
        place = folder / f"stack-{name}"
        tiny.write(SETS[name], "0", place)
        depths = residues(place, "cortex-m4", name, "-Os")[1]
        found |= {f"{name} {call}": n for call, n in depths.items() if "control" not in call}
    return found


def test_sizes_and_stacks_are_as_held(tmp_path):
    """Bytes of code and constants that a program keeps which uses an algorithm, and stack. After a
    change that is meant, the figures that this test prints go into tiny_sizes.json.
    """
    need("gcc-arm-none-eabi", "gcc-riscv64-unknown-elf", "gcc-avr", "qemu-system-arm")
    found = tiny_sizes.measure(tmp_path) | {"stack Cortex-M4": stacks(tmp_path)}
    held = json.loads((HERE / "tiny_sizes.json").read_text())
    assert found == held, json.dumps(found, indent=1)


@pytest.mark.slow
def test_aimer_takes_what_the_documents_say(tmp_path):
    """Full amalgam of one set, of which a program verifies, or signs, too."""
    need("gcc", "gcc-arm-none-eabi", "gcc-riscv64-unknown-elf")
    amalgam.write(amalgam.chosen("aimer3-128f"), "portable", set(), tmp_path)
    verify = ("hanji_aimer_verify", "hanji_aimer_by_name")
    found = [
        tiny_sizes.size(tmp_path, calls, target)
        for calls in (verify, (*verify, "hanji_aimer_sign"))
        for target in ("Cortex-M4", "rv32imac")
    ]
    text = " ".join((ROOT / "docs/firmware.md").read_text().split())
    one, two, three, four = (f"{n:,}" for n in found)
    said = f"keeps {one} bytes on a Cortex-M4 and {two} on rv32imac to verify, {three} and {four}"
    assert said in text, said


def test_control_a_larger_function_is_found(tmp_path):
    tiny.write(["esch256"], "0", tmp_path)
    source = tmp_path / "hanji.c"
    before = tiny_sizes.size(tmp_path, tiny_sizes.USES["esch256"], "Cortex-M4")
    source.write_text(source.read_text() + "\nvoid more(void);\nvoid more(void) {}\n")
    calls = (*tiny_sizes.USES["esch256"], "more")
    assert tiny_sizes.size(tmp_path, calls, "Cortex-M4") > before


@pytest.mark.parametrize(
    ("names", "isa", "calls"),
    [
        ("speck-64/128-ctr", "portable", "hanji_ctr_update"),
        ("schwaemm256-128;esch256", "armv7m", "hanji_schwaemm256_128_encrypt"),
    ],
)
def test_cmake_builds_it(tmp_path, names, isa, calls):
    need("cmake", "ninja-build", "gcc-arm-none-eabi")
    options = [
        f"-DHANJI_TINY={names}",
        f"-DHANJI_TINY_ISA={isa}",
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/toolchains/cortex-m4.cmake'}",
        f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'installed'}",
    ]
    build = tmp_path / "build"
    for command in (
        ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(build), *options],
        ["cmake", "--build", str(build)],
        ["cmake", "--install", str(build)],
    ):
        subprocess.run(command, check=True, capture_output=True)
    assert calls in (tmp_path / "installed/include/hanji.h").read_text()
    (archive,) = (tmp_path / "installed").rglob("libhanji.a")
    held = subprocess.run(["ar", "t", archive], check=True, capture_output=True, text=True)
    assert ("sparkle384_armv7m" in held.stdout) == (isa == "armv7m")


def test_the_documents_say_these_sizes():
    text = (ROOT / "docs/firmware.md").read_text()
    held = json.loads((HERE / "tiny_sizes.json").read_text())
    for name in tiny_sizes.USES:
        figures = " | ".join(f"{n:,}" for n in held[name].values())
        assert f"| {name} | {figures} |" in text, f"docs/firmware.md: {name} is {figures} now"
    for what in tiny_sizes.SIGNING:
        figures = " | ".join(f"{n:,}" for n in held[f"aimer3-128f, {what}"].values())
        assert f"| aimer3-128f, {what} | {figures} |" in text, figures
    for name in AEADS:
        assert f"takes {held['stack Cortex-M4'][f'{name} decrypt']} bytes of stack" in text


def test_the_comparison_says_these_sizes():
    text = (ROOT / "docs/which.md").read_text()
    held = json.loads((HERE / "tiny_sizes.json").read_text())
    names = ("ascon-aead128", "schwaemm256-128", "speck-64/128-eax")
    figures = [held[name]["Cortex-M4"] for name in names]
    assert figures[0] == min(figures), "docs/which.md says that Ascon-AEAD128 is the smallest"
    row = " | ".join(f"{n:,}" for n in figures)
    assert f"(firmware.md#the-tiny-profile)) | {row} |" in text, f"docs/which.md: {row} now"
