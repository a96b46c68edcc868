# SPDX-License-Identifier: Apache-2.0
"""Write the known answers of the self-tests into src/catalog/generated, from the executable
specifications.

Usage: python tools/selftest_vectors.py [--check] selftest_vectors.h is for hanji_selftest() of the
library. From amalgam_answers.h, which has modes over every cipher, tools/amalgam.py takes what an
amalgam tests. Block ciphers answer for the published example of their paper (tests/vectors), AIMer
v3 for the first known answer of its designers' program; everything else for counting bytes, SLH-DSA
with smaller trees, because its own take a second.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/aimer")]

import kat  # noqa: E402
import vectors_io  # noqa: E402
from generated import complete, write_or_check  # noqa: E402

from hanji_lab import spec  # noqa: E402
from hanji_lab.spec.aimer import VARIANTS as AIMER  # noqa: E402
from hanji_lab.spec.esch import VARIANTS as ESCH  # noqa: E402
from hanji_lab.spec.schwaemm import VARIANTS as SCHWAEMM  # noqa: E402
from hanji_lab.spec.slhdsa import VARIANTS as SLHDSA  # noqa: E402
from hanji_lab.spec.sparkle import VARIANTS as SPARKLE  # noqa: E402

TARGET = "src/catalog/generated/selftest_vectors.h"
MODES = "src/catalog/generated/amalgam_answers.h"
MESSAGE = bytes(range(67))  # several chunks of every rate, and a tail
ASSOCIATED = bytes(range(35))
COUNT = bytes(range(64))
OUTPUT = 40  # bytes of an extendable output
# with one of v3, those that sign in the memory that a self-test may take
SIGNED = ("aimer2-128f", "aimer1-l1-param1")
# of SLH-DSA: two layers of trees of height 3, FORS trees of height 3
SMALL_TREES = {"h": 6, "d": 2, "a": 3}
IV = bytes.fromhex("fffffffffffffffe")  # the counter wraps in the second block


def array(data: bytes) -> str:
    return "{" + ", ".join(f"0x{b:02x}" for b in data) + "}"


def published(family: str) -> dict[str, dict[str, Any]]:
    """The first example of the paper for every variant of the family."""
    found: dict[str, dict[str, Any]] = {}
    for test in vectors_io.load(family):
        if test["mode"] == "ECB" and test["source"].startswith("paper"):
            found.setdefault(test["variant"].lower(), test)
    return found


def lines() -> list[str]:
    out = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Known answers of the self-test. */",
        "",
        "/* clang-format off */",
        f"#define SELFTEST_MESSAGE_BYTES {len(MESSAGE)}",
        f"#define SELFTEST_AD_BYTES {len(ASSOCIATED)}",
        "",
        (
            "static const struct { const char *name; uint8_t key[32], plaintext[16], "
            "ciphertext[16]; } block_answers[] = {"
        ),
    ]
    for family in spec.families():
        for name, test in published(family).items():
            key, plain, cipher = (test[k] for k in ("key", "pt", "ct"))
            assert spec.algorithm(name).encrypt(plain, key) == cipher, name
            out.append(f'    {{"{name}", {array(key)}, {array(plain)}, {array(cipher)}}},')
    out += ["};", ""]
    small, large = spec.algorithm("speck-64/128"), spec.algorithm("speck-128/128")
    key = COUNT[:16]
    out += [
        f"static const uint8_t ctr_iv[8] = {array(IV)};",
        f"static const uint8_t ctr_answer[{len(MESSAGE)}] = {array(small.ctr(MESSAGE, key, IV))};",
        f"static const uint8_t cmac64_answer[8] = {array(small.cmac(MESSAGE, key))};",
        f"static const uint8_t cmac128_answer[16] = {array(large.cmac(MESSAGE, key))};",
        (
            f"static const uint8_t eax64_answer[{len(MESSAGE) + 8}] = "
            f"{array(small.eax_seal(COUNT[:16], ASSOCIATED, MESSAGE, key))};"
        ),
        (
            f"static const uint8_t eax128_answer[{len(MESSAGE) + 16}] = "
            f"{array(large.eax_seal(COUNT[:16], ASSOCIATED, MESSAGE, key))};"
        ),
        "",
        (
            "static const struct { const char *name; uint32_t bits, slim, big; uint8_t "
            "slim_answer[64], big_answer[64]; } sparkle_answers[] = {"
        ),
    ]
    for name, permutation in SPARKLE.items():
        steps, size = (permutation.slim, permutation.big), 8 * permutation.branches
        answers = ", ".join(array(permutation.permute(COUNT[:size], count)) for count in steps)
        numbers = ", ".join(map(str, (8 * size, *steps)))
        out.append(f'    {{"{name}", {numbers}, {answers}}},')
    out += ["};", ""]
    state = COUNT[:40]
    for rounds in (8, 12, 16):
        answer = array(spec.algorithm("ascon-p").permute(state, rounds))
        out.append(f"static const uint8_t ascon_p{rounds}_answer[40] = {answer};")
    ascon = spec.algorithm("ascon-aead128").seal(COUNT[:16], ASSOCIATED, MESSAGE, COUNT[:16])
    out += [f"static const uint8_t ascon_aead128_answer[{len(ascon)}] = {array(ascon)};", ""]
    for name, aead in SCHWAEMM.items():
        sealed = aead.seal(COUNT[: aead.rate], ASSOCIATED, MESSAGE, COUNT[: aead.capacity])
        out.append(
            f"static const uint8_t {spec.identifier(name)}_answer[{len(sealed)}] = {array(sealed)};"
        )
    out.append("")
    for name, function in ESCH.items():
        size = function.digest_size or OUTPUT
        answer = function.digest(MESSAGE, *(() if function.digest_size else (size,)))
        out.append(f"static const uint8_t {name}_answer[{size}] = {array(answer)};")
    for name, size, customization in (
        ("hash256", 32, b""),
        ("xof128", 40, b""),
        ("cxof128", 40, MESSAGE[:9]),
    ):
        answer = spec.algorithm(f"ascon-{name}").digest(MESSAGE, size, customization)
        out.append(f"static const uint8_t ascon_{name}_answer[{size}] = {array(answer)};")
    public_keys: list[str] = []
    digests: list[str] = []
    for stored in kat.vectors3()["sets"]:
        answer = bytes.fromhex(stored["counts"][0]["pk"])
        (count,) = kat.counts(3, len(answer) // 2, 0, 1)
        public_keys.append(f'    {{"{stored["set"]}", {array(answer)}, {array(count.random)}}},')
        if hashed := stored["counts"][0].get("signature_esch256"):
            digests.append(
                f'    {{"{stored["set"]}", {array(count.message)}, {len(count.message)}, '
                f"{array(bytes.fromhex(hashed))}}},"
            )
    for name, scheme in AIMER.items():
        if name.startswith("aimer3"):
            continue
        public, _ = scheme.keypair(lambda size: COUNT[:size])
        public_keys.append(f'    {{"{name}", {array(public)}, {{0}}}},')
    for name in SIGNED:
        _, secret = AIMER[name].keypair(lambda size: COUNT[:size])
        signature = AIMER[name].sign(secret, MESSAGE, lambda size: COUNT[:size])
        digests.append(
            f'    {{"{name}", {array(MESSAGE)}, {len(MESSAGE)}, '
            f"{array(spec.algorithm('esch256').digest(signature))}}},"
        )
    small_trees: list[str] = []
    for name, scheme in SLHDSA.items():
        small = replace(scheme, **SMALL_TREES)
        n = small.n
        public, secret = small.keypair(COUNT[:n], COUNT[n : 2 * n], MESSAGE[-n:])
        signature = small.sign(secret, MESSAGE)
        digest = spec.algorithm("esch256").digest(signature)
        small_trees.append(f'    {{"{name}", {array(public[n:])}, {array(digest)}}},')
    out += [
        "",
        "#ifndef HANJI_FREESTANDING",
        "/* Random bytes: those of the known answer, or zeros where they count. */",
        (
            "static const struct { const char *name; uint8_t public_key[65], random[96]; } "
            "signature_answers[] = {"
        ),
        *public_keys,
        "};",
        "/* ESCH256 of a signature. */",
        (
            "static const struct { const char *name; uint8_t message[SELFTEST_MESSAGE_BYTES], "
            "bytes, digest[32]; } signed_answers[] = {"
        ),
        *digests,
        "};",
        ("/* SLH-DSA with smaller trees: the root, and ESCH256 of a deterministic signature. */"),
        (
            f"enum {{ SMALL_LAYERS = {SMALL_TREES['d']}, SMALL_HEIGHT = "
            f"{SMALL_TREES['h'] // SMALL_TREES['d']}, SMALL_FORS_HEIGHT = {SMALL_TREES['a']} }};"
        ),
        (
            "static const struct { const char *name; uint8_t root[32], digest[32]; } "
            "small_tree_answers[] = {"
        ),
        *small_trees,
        "};",
        "#endif",
    ]
    out.append("/* clang-format on */")
    return out


def modes() -> list[str]:
    """The answer of every mode over every cipher to counting bytes, keys too; a counter that wraps
    in the second block.
    """
    out = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Known answers of modes over every cipher, for the self-test of an amalgam. */",
        "",
        "/* clang-format off */",
        (
            f"static const struct {{ const char *name; uint8_t answer[{len(MESSAGE) + 16}]; }} "
            f"mode_answers[] = {{"
        ),
    ]
    for family in spec.families():
        for name, test in published(family).items():
            cipher, key, size = spec.algorithm(name), COUNT[: len(test["key"])], len(test["pt"])
            answers = {"ctr": cipher.ctr(MESSAGE, key, bytes([0xFF] * (size - 1) + [0xFE]))}
            if size in (8, 16):
                answers["cmac"] = cipher.cmac(MESSAGE, key)
                answers["eax"] = cipher.eax_seal(COUNT[:16], ASSOCIATED, MESSAGE, key)
            out += [
                f'    {{"{name}-{mode}", {array(answer)}}},' for mode, answer in answers.items()
            ]
    return [*out, "};", "/* clang-format on */"]


def files() -> dict[str, str]:
    """Path and text of each file."""
    texts = {path: "\n".join(made) + "\n" for path, made in ((TARGET, lines()), (MODES, modes()))}
    return complete(texts, "selftest_vectors.py", "lab/spec and tests/vectors")


if __name__ == "__main__":
    sys.exit(write_or_check(files, "selftest_vectors.py", __doc__))
