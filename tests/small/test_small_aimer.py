# SPDX-License-Identifier: Apache-2.0
"""aimer3-128f of the tiny profile: the signatures of the library, its refusals, and nothing left in
memory; signing and verifying fit 16 KiB of RAM with the signature.
"""

from __future__ import annotations

import ctypes
import hashlib
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tests/aimer"))
sys.path.insert(0, str(ROOT / "tests/consumers"))
import amalgam  # noqa: E402
import kat  # noqa: E402
import test_residue  # noqa: E402
import test_small_selftest  # noqa: E402
import test_small_tiny  # noqa: E402
import tiny_sizes  # noqa: E402

import tiny  # noqa: E402
from hanji_lab.measure import messages  # noqa: E402

NAME = "aimer3-128f"
PUBLIC, SECRET, SIGNATURE = 32, 48, 6944
CHECK, DETERMINISTIC = 1, 2
ARGUMENT, LENGTH, TAG, UNLUCKY = -1, -2, -3, -5
FILLED = 0xA5
RANDOM = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t, ctypes.c_void_p
)
STORED = next(entry for entry in kat.vectors3()["sets"] if entry["set"] == NAME)
ZERO_INPUT = kat.vectors3()["extra"]["n128"]["zero_input"]


def source(given):
    """A source of random bytes that gives these, and fails behind them."""
    left = bytearray(given)

    def fill(out, size, state):
        if len(left) < size:
            return -77
        for i in range(size):
            out[i] = left.pop(0)
        return 0

    return RANDOM(fill)


class Library:
    """The calls of an amalgam."""

    def __init__(self, folder, profile):
        if profile == "tiny":
            tiny.write([NAME], "0", folder)
        else:
            amalgam.write(amalgam.chosen(NAME), "portable", set(), folder)
        self.c = self.built(folder)
        self.c.hanji_aimer_by_name.restype = ctypes.c_void_p
        self.c.hanji_aimer_at.restype = ctypes.c_void_p
        self.set = ctypes.c_void_p(self.c.hanji_aimer_by_name(NAME.encode()))
        self.is_least = False

    @staticmethod
    def built(folder):
        need("gcc")
        made = folder / "hanji.so"
        command = ["gcc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        subprocess.run([*command, "-o", str(made), str(folder / "hanji.c")], check=True)
        return ctypes.CDLL(str(made))

    @property
    def scratch_bytes(self):
        call = "hanji_aimer_scratch_bytes" + "_least" * self.is_least
        return getattr(self.c, call)(self.set)

    def scratch(self, offset=0):
        """Memory that has had other uses, and its arguments."""
        memory = ctypes.create_string_buffer(bytes([FILLED]) * (self.scratch_bytes + offset))
        at = ctypes.c_void_p(ctypes.addressof(memory) + offset)
        return memory, at, ctypes.c_size_t(self.scratch_bytes)

    def keypair(self, given):
        public, secret = (ctypes.create_string_buffer(n) for n in (PUBLIC, SECRET))
        _, *scratch = self.scratch()
        rc = self.c.hanji_aimer_keypair(public, secret, self.set, source(given), None, *scratch)
        return rc, public.raw, secret.raw

    def sign(self, secret, message, context=b"", options=DETERMINISTIC, given=b"", offset=0):
        out = ctypes.create_string_buffer(bytes([FILLED]) * SIGNATURE, SIGNATURE)
        _, *scratch = self.scratch(offset)
        rc = self.c.hanji_aimer_sign(
            out,
            *(message, ctypes.c_size_t(len(message)), context, ctypes.c_size_t(len(context))),
            *(secret, ctypes.c_size_t(len(secret)), self.set, ctypes.c_uint(options)),
            *(source(given), None, *scratch),
        )
        return rc, out.raw

    def verify(self, public, message, signature, context=b"", offset=0):
        _, *scratch = self.scratch(offset)
        return self.c.hanji_aimer_verify(
            *(signature, ctypes.c_size_t(len(signature))),
            *(message, ctypes.c_size_t(len(message)), context, ctypes.c_size_t(len(context))),
            *(public, ctypes.c_size_t(len(public)), self.set, *scratch),
        )


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return Library(tmp_path_factory.mktemp("full"), "full")


@pytest.fixture(scope="module", params=["kept", "least"])
def small(request, built):
    built.is_least = request.param == "least"
    return built


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return Library(tmp_path_factory.mktemp("tiny"), "tiny")


def test_known_answers(small):
    for count in kat.counts(3, 16, 0, 2):
        stored = STORED["counts"][count.number]
        rc, public, secret = small.keypair(count.random[:32])
        assert (rc, public.hex()) == (0, stored["pk"])
        rc, signature = small.sign(secret, count.message, options=0, given=count.random[32:])
        assert rc == 0
        assert hashlib.sha256(signature).hexdigest() == stored["signature_sha256"]
        assert small.verify(public, count.message, signature) == 0


def test_it_equals_the_library(small, library):
    """Messages, contexts, options; and each verifies what the other has signed."""
    chance = random.Random(1)
    for options, length, context_length in ((DETERMINISTIC, 0, 0), (3, 500, 255), (CHECK, 168, 1)):
        given = chance.randbytes(48)
        message, context = chance.randbytes(length), chance.randbytes(context_length)
        pair = small.keypair(given)
        assert pair == library.keypair(given) and pair[0] == 0
        _, public, secret = pair
        offset = chance.randrange(9)
        signed = small.sign(secret, message, context, options, given[32:], offset)
        assert signed == library.sign(secret, message, context, options, given[32:])
        assert signed[0] == 0
        assert small.verify(public, message, signed[1], context, offset) == 0
        assert library.verify(public, message, signed[1], context) == 0


def test_every_part_of_a_signature_is_verified(built):
    """A bit of the salt, of both hashes, and of every element of two rows."""
    chance = random.Random(2)
    _, public, secret = built.keypair(chance.randbytes(32))
    _, signature = built.sign(secret, b"message", b"context")
    rows = 80 + 208 * chance.randrange(33), 80 + 208 * 32
    places = [*range(0, 80, 16), *(row + at for row in rows for at in range(0, 208, 16))]
    for place in places:
        bad = bytearray(signature)
        bad[place + chance.randrange(16)] ^= 1 << chance.randrange(8)
        assert built.verify(public, b"message", bytes(bad), b"context") == TAG, place
    other = bytes([public[0] ^ 1]) + public[1:]
    assert built.verify(other, b"message", signature, b"context") == TAG
    assert built.verify(public, b"massage", signature, b"context") == TAG
    assert built.verify(public, b"message", signature, b"contexx") == TAG
    assert built.verify(public, b"message", signature, b"context") == 0


def test_what_is_no_key_is_refused(small, library):
    _, public, secret = small.keypair(bytes(range(32)))
    wrong = secret[:-1] + bytes([secret[-1] ^ 1])
    zeros = [bytes.fromhex(key + ZERO_INPUT["iv"]) for key in ZERO_INPUT["key_with_x_s_zero"]]
    for key, code in ((wrong, TAG), *((zero + public[16:], ARGUMENT) for zero in zeros)):
        found = small.sign(key, b"")
        assert found == library.sign(key, b"") == (code, bytes(SIGNATURE))
    # the first draw is no key, the second is
    draws = zeros[0] + bytes(range(32))
    assert small.keypair(draws) == (0, public, secret) == library.keypair(draws)
    never = small.keypair(zeros[0] * 100)
    assert never == (UNLUCKY, bytes(PUBLIC), bytes(SECRET))


def test_random_bytes_that_fail(small, library):
    _, _, secret = small.keypair(bytes(32))
    assert small.keypair(bytes(16)) == (-77, bytes(PUBLIC), bytes(SECRET))
    assert small.sign(secret, b"", options=0) == (-77, bytes(SIGNATURE))
    assert small.sign(secret, b"", options=0) == library.sign(secret, b"", options=0)
    none = ctypes.cast(None, RANDOM)
    out, (_, *scratch) = ctypes.create_string_buffer(SIGNATURE), small.scratch()
    arguments = (None, ctypes.c_size_t(0), None, ctypes.c_size_t(0), secret, ctypes.c_size_t(48))
    call = small.c.hanji_aimer_sign
    assert call(out, *arguments, small.set, 0, none, None, *scratch) == UNLUCKY


def calls(one):
    """Wrong calls of signing and verifying, by what is wrong: what each answers, and whether it
    wrote the signature.
    """
    _, public, secret = one.keypair(bytes(32))
    arena = ctypes.create_string_buffer(12000 + one.scratch_bytes)
    at = {"signature": 0, "message": 8000, "context": 9000, "key": 10000, "scratch": 11000}
    size = {"message": 10, "context": 5, "scratch": one.scratch_bytes}
    base = ctypes.addressof(arena)

    def run(verb, missing=None, options=DETERMINISTIC, **more):
        signs = verb == "sign"
        key = secret if signs else public
        where, sizes = dict(at), dict(size, key=len(key), signature=SIGNATURE)
        for name, value in more.items():
            (sizes if name.endswith("_bytes") else where)[name.removesuffix("_bytes")] = value
        ctypes.memset(base, FILLED, len(arena))
        ctypes.memmove(base + at["key"], key, len(key))
        pointers = {
            name: ctypes.c_void_p(None if name == missing else base + place)
            for name, place in where.items()
        }
        of = {name: (pointers[name], ctypes.c_size_t(n)) for name, n in sizes.items()}
        chosen = None if missing == "set" else one.set
        texts = (*of["message"], *of["context"], *of["key"], chosen)
        if signs:
            flags = (ctypes.c_uint(options), None, None)
            rc = one.c.hanji_aimer_sign(pointers["signature"], *texts, *flags, *of["scratch"])
        else:
            rc = one.c.hanji_aimer_verify(*of["signature"], *texts, *of["scratch"])
        written = bytes(arena)[: 8000 if signs else 0]
        return rc, hashlib.sha256(written).hexdigest()

    found = {}
    for verb in ("sign", "verify"):
        for name in ("signature", "message", "context", "key", "scratch", "set"):
            found[verb, "missing", name] = run(verb, missing=name)
        for name, n in (("key", 1), ("context", 256), ("context", 0), ("scratch", 100)):
            found[verb, "bytes", name, n] = run(verb, **{f"{name}_bytes": n})
        for name in ("message", "context", "key"):
            for place in (-1, 0, 1, 100):
                found[verb, "scratch over", name, place] = run(
                    verb, **{name: at["scratch"] + place}
                )
                if verb == "sign":
                    found[verb, "signature over", name, place] = run(
                        verb, **{name: SIGNATURE - 2 + place}
                    )
        found[verb, "scratch over signature"] = run(verb, signature=at["scratch"] - SIGNATURE + 1)
    found["verify", "signature bytes"] = run("verify", signature_bytes=SIGNATURE - 1)
    found["sign", "options"] = run("sign", options=4)
    return found


def test_it_refuses_what_the_library_refuses(built, library):
    built.is_least = False
    found, wanted = calls(built), calls(library)
    assert {key: answer for key, answer in found.items() if answer != wanted[key]} == {}
    codes = [rc for rc, _ in found.values()]
    assert codes.count(ARGUMENT) > 30 and codes.count(LENGTH) > 5


def test_keys_that_overlap_are_refused(built):
    memory, *scratch = built.scratch()
    at = ctypes.addressof(memory)
    apart = ctypes.create_string_buffer(200)
    key = ctypes.addressof(apart)
    for public, secret in ((key, key + 31), (key + 47, key), (at, key), (key, at + 5), (None, key)):
        keys = ctypes.c_void_p(public), ctypes.c_void_p(secret)
        rc = built.c.hanji_aimer_keypair(*keys, built.set, source(bytes(99)), None, *scratch)
        assert rc == ARGUMENT
    assert memory.raw[:-1] == bytes([FILLED]) * built.scratch_bytes


def test_scratch_memory_is_erased(small):
    chance = random.Random(3)
    _, _, secret = small.keypair(chance.randbytes(32))
    memory, *scratch = small.scratch()
    out = ctypes.create_string_buffer(SIGNATURE)
    rest = (b"text", ctypes.c_size_t(4), None, ctypes.c_size_t(0), secret, ctypes.c_size_t(48))
    for options, code in ((DETERMINISTIC, 0), (0, -77)):
        ctypes.memset(memory, FILLED, small.scratch_bytes)
        flags = (ctypes.c_uint(options), source(b""), None)
        assert small.c.hanji_aimer_sign(out, *rest, small.set, *flags, *scratch) == code
        assert not any(memory.raw[: small.scratch_bytes])
    rest = (b"text", ctypes.c_size_t(4), None, ctypes.c_size_t(0), bytes(32), ctypes.c_size_t(32))
    ctypes.memset(memory, FILLED, small.scratch_bytes)
    signature = out, ctypes.c_size_t(SIGNATURE)
    assert small.c.hanji_aimer_verify(*signature, *rest, small.set, *scratch) == TAG
    assert not any(memory.raw[: small.scratch_bytes])


def test_its_one_set(built, library):
    assert built.c.hanji_aimer_at(ctypes.c_size_t(0)) == built.set.value
    assert built.c.hanji_aimer_at(ctypes.c_size_t(1)) is None
    for name in (b"aimer3-128", b"aimer3-128s", b"aimer3-128fx", b"", None):
        assert built.c.hanji_aimer_by_name(name) is None
    for call in ("public_key", "secret_key", "signature"):
        sizes = [getattr(one.c, f"hanji_aimer_{call}_bytes")(one.set) for one in (built, library)]
        assert sizes[0] == sizes[1]
        assert getattr(built.c, f"hanji_aimer_{call}_bytes")(None) == 0


# What a fault, or a leak, of the source does.
DAMAGES = {
    "the corrected party": ("AIMER_CORRECTED = AIMER_PARTIES - 1", "AIMER_CORRECTED = 0"),
    "a rotation": ("AIMER_MOVE(1, high, low, 12)", "AIMER_MOVE(1, high, low, 13)"),
    "the sum of all v": ("aimer_sum(v, s->tape->c, 1)", "(void)v"),
    "an exponent": ("4 * k + 3", "4 * k + 5"),
}


@pytest.mark.parametrize(
    "damage",
    [
        damage if damage == "the sum of all v" else pytest.param(damage, marks=pytest.mark.slow)
        for damage in DAMAGES
    ],
)
def test_control_a_damage_is_found(tmp_path, damage):
    tiny.write([NAME], "0", tmp_path)
    before, after = DAMAGES[damage]
    text = (tmp_path / "hanji.c").read_text()
    assert text.count(before) == 1
    (tmp_path / "hanji.c").write_text(text.replace(before, after))
    one = Library.__new__(Library)
    one.c, one.is_least = Library.built(tmp_path), False
    one.c.hanji_aimer_at.restype = ctypes.c_void_p
    one.set = ctypes.c_void_p(one.c.hanji_aimer_at(ctypes.c_size_t(0)))
    (count,) = kat.counts(3, 16, 0, 1)
    stored = STORED["counts"][0]
    _, public, secret = one.keypair(count.random[:32])
    _, signature = one.sign(secret, count.message, options=0, given=count.random[32:])
    right = public.hex() == stored["pk"]
    right &= hashlib.sha256(signature).hexdigest() == stored["signature_sha256"]
    right &= one.verify(public, count.message, signature) == 0
    assert not right


def test_the_option_check_finds_a_fault(tmp_path):
    """The second computing of the hidden parties gives others: no signature is given away."""
    tiny.write([NAME], "0", tmp_path)
    text = (tmp_path / "hanji.c").read_text()
    line = "aimer_parties(s->again, s);"
    assert text.count(line) == 1
    (tmp_path / "hanji.c").write_text(text.replace(line, f"{line} s->again[5] ^= 4;"))
    one = Library.__new__(Library)
    one.c, one.is_least = Library.built(tmp_path), False
    one.c.hanji_aimer_at.restype = ctypes.c_void_p
    one.set = ctypes.c_void_p(one.c.hanji_aimer_at(ctypes.c_size_t(0)))
    _, public, secret = one.keypair(bytes(32))
    rc, faulty = one.sign(secret, b"message")
    assert rc == 0 and one.verify(public, b"message", faulty) == TAG
    assert bytes(16) in faulty, "of a path with a hidden node only zeros are given"
    assert one.sign(secret, b"message", options=3) == (TAG, bytes(SIGNATURE))


# ---- microcontrollers ----

KNOWN = """
static uint8_t signature[6944];
static uint64_t scratch[HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST / 8];
int hanji_selftest(const char **failed)
{
    static const uint8_t secret[] = {@secret@}, digest[] = {@digest@}, text[] = {1, 2, 3};
    const hanji_aimer *set = hanji_aimer_at(0);
    *failed = "sign";
    if (hanji_aimer_sign(signature, text, 3, NULL, 0, secret, 48, set, HANJI_AIMER_DETERMINISTIC,
                         NULL, NULL, scratch, sizeof scratch) != HANJI_OK ||
        !hanji_equal(signature + 16, digest, sizeof digest))
        return HANJI_E_TAG;
    *failed = "verify";
    if (hanji_aimer_verify(signature, sizeof signature, text, 3, NULL, 0, secret + 16, 32, set,
                           scratch, sizeof scratch) != HANJI_OK)
        return HANJI_E_TAG;
    *failed = "verify, forged";
    signature[6943] ^= 1;
    if (hanji_aimer_verify(signature, sizeof signature, text, 3, NULL, 0, secret + 16, 32, set,
                           scratch, sizeof scratch) != HANJI_E_TAG)
        return HANJI_E_TAG;
    return HANJI_OK;
}
"""


def in_least_ram(folder, built, machine):
    """What firmware prints that signs and verifies, in 16 KiB of RAM with its signature."""
    tiny.write([NAME], "0", folder)
    _, _, secret = built.keypair(bytes(range(32)))
    _, signature = built.sign(secret, bytes([1, 2, 3]))
    given = {"secret": secret, "digest": signature[16:80]}  # both challenges
    with (folder / "hanji.c").open("a") as out:
        out.write(re.sub(r"@(\w+)@", lambda found: ", ".join(map(str, given[found[1]])), KNOWN))
    with (folder / "hanji.h").open("a") as out:
        out.write("int hanji_selftest(const char **failed);\n")
    return test_small_selftest.on_qemu(folder, machine)


@pytest.mark.parametrize(
    "machine",
    [
        "cortex-m4",
        pytest.param("cortex-m0", marks=pytest.mark.slow),
        pytest.param("rv32imac", marks=pytest.mark.slow),
    ],
)
def test_it_is_right_in_16_kib_of_ram_on(tmp_path, built, machine):
    lines = in_least_ram(tmp_path, built, machine)
    assert test_residue.MACHINES[machine][2][2] == 16384
    assert re.search("^right", lines, re.MULTILINE), lines


RESIDUE = [
    pytest.param(
        machine, level, marks=() if (machine, level) == ("cortex-m4", "-Os") else pytest.mark.slow
    )
    for machine in test_residue.MACHINES
    for level in ("-O0", *test_residue.LEVELS)
]


@pytest.mark.parametrize(("machine", "level"), RESIDUE)
def test_nothing_is_left_on_the_stack(tmp_path, machine, level):
    tiny.write([NAME], "0", tmp_path)
    found, depths = test_small_tiny.residues(tmp_path, machine, "aimer", level)
    assert [line.split(",")[0] for line in found] == [
        "residue control leaves its key",
        "residue control leaves bytes of its text",
    ], "\n".join(found[2:])
    if (machine, level) == ("cortex-m4", "-Os"):
        stack = max(n for call, n in depths.items() if "control" not in call)
        said = f"{stack} bytes of stack on a Cortex-M4"
        assert said in " ".join((ROOT / "docs/firmware.md").read_text().split()), said


@pytest.mark.slow
def test_control_a_wiper_that_is_too_short_is_found(tmp_path):
    tiny.write([NAME], "0", tmp_path)
    text = (tmp_path / "hanji.c").read_text()
    short = re.sub(r"^#define AIMER_DEPTH \d+$", "#define AIMER_DEPTH 16", text, flags=re.M)
    assert short != text
    (tmp_path / "hanji.c").write_text(short)
    found, _ = test_small_tiny.residues(tmp_path, "cortex-m4", "aimer", "-Os")
    assert len(found) > 2


COUNTED = Path(__file__).parent / "aimer_count.c"


def ticks(folder, *options):
    """Of the timer, which are instructions, in the order in which aimer_count.c prints them."""
    board = messages.board("qemu:cortex-m4")
    tiny.write([NAME], "0", folder)
    made = folder / "count.elf"
    script = (folder / "roomy.ld", "-lgcc", "-nostdlib", "-nostartfiles")
    text = (messages.MCU / "cortexm.ld").read_text()
    script[0].write_text(text.replace("lab_ram + 0x4000", "lab_ram + 0x10000"))
    sources = [COUNTED, folder / "hanji.c", messages.MCU / "cortexm.S"]
    flags = [*board.target.flags, *tiny_sizes.FLAGS, f"-I{folder}", *board.target.link, *options]
    command = [board.target.compiler, *flags, *sources, f"-T{script[0]}", *script[1:]]
    subprocess.run([*command, "-o", made], check=True)
    done = subprocess.run([board.runner, *board.options, made], capture_output=True, text=True)
    return [int(digits, 16) for digits in (done.stdout or done.stderr).split()]


def test_a_key_pair_takes_the_same_instructions_for_other_secrets(tmp_path):
    """Which run all that works on secrets: products, squares, S-boxes and matrices."""
    *same, control = ticks(tmp_path)
    assert len(same) == 3 and same[0] > 10_000
    assert len(set(same)) == 1, same
    assert control != same[0], "the control, a branch on a secret, is not seen"


@pytest.mark.slow
def test_it_takes_what_the_documents_say(tmp_path):
    tick = messages.board("qemu:cortex-m4").target.tick
    millions = []
    for least in ("", "_LEAST"):
        found = ticks(tmp_path, "-DWHOLE", f"-DSCRATCH=HANJI_AIMER3_128F_SCRATCH_BYTES{least}")
        millions += [round(n * tick / 1_000_000) for n in found[1:]]
    text = " ".join((ROOT / "docs/firmware.md").read_text().split())
    sign, verify, slow_sign, slow_verify = millions
    said = f"{verify} million to verify and {sign} million to sign, and with the least memory "
    said += f"{slow_verify} and {slow_sign} million"
    assert said in text, said


@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++-14", marks=pytest.mark.slow)])
def test_it_is_cpp_too(tmp_path, compiler):
    need("g++" if compiler == "g++" else "clang-14")
    tiny.write([NAME], "0", tmp_path)
    options = ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-c"]
    source_file = str(tmp_path / "hanji.c")
    subprocess.run([compiler, *options, source_file, "-o", str(tmp_path / "x.o")], check=True)
