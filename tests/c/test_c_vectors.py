# SPDX-License-Identifier: Apache-2.0
"""Every test vector through the C library, on every machine and compiler. The program
tests/c/vectors_main.c answers.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import catalogue
import pytest
import vectors_io
from builds import environment, program

PRESETS = ("host-gcc", "host-clang", "asan", "aarch64", "s390x", "rv32i", "rv32imac")
BLOCK_FILES = catalogue.files("block")  # what reaches all kernels for blocks


def hexed(value: bytes) -> str:
    return value.hex() or "-"


@dataclass
class Request:
    """One line to the program, and what its answer must be."""

    line: str
    expected: str | tuple[str, ...]
    what: str


def whole_blocks(operation: str, test: dict, key: bytes, data: bytes, expected: bytes) -> Request:
    return Request(
        f"{operation} {test['variant']} {hexed(key)} {hexed(data)}", hexed(expected), operation
    )


def block_bytes(variant: str) -> int:
    if variant in ("aes-128", "tdea"):
        return 16 if variant == "aes-128" else 8
    return int(variant.split("-")[1].split("/")[0]) // 8


def to_library(variant: str, text: bytes) -> bytes:
    """From printed byte order: whole strings reversed, for CHAM each word in place. The way back is
    the same.
    """
    if not variant.startswith("cham"):
        return text[::-1]
    word = block_bytes(variant) // 4
    return b"".join(text[i : i + word][::-1] for i in range(0, len(text), word))


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def blocks_of(text: bytes, size: int) -> list[bytes]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def ecb(test: dict, printed: bool) -> Iterator[Request]:
    size, turn = block_bytes(test["variant"]), to_library if printed else (lambda _, text: text)
    key = turn(test["variant"], test["key"])
    plain, cipher = (
        b"".join(turn(test["variant"], b) for b in blocks_of(test[name], size))
        for name in ("pt", "ct")
    )
    yield whole_blocks("encrypt", test, key, plain, cipher)
    yield whole_blocks("decrypt", test, key, cipher, plain)


def cbc(test: dict) -> Iterator[Request]:
    """The library has no CBC: what enters the cipher is known, so one call over all blocks checks
    it.
    """
    size = block_bytes(test["variant"])
    chain = [test["iv"], *blocks_of(test["ct"], size)]
    entering = b"".join(xor(p, c) for p, c in zip(blocks_of(test["pt"], size), chain, strict=False))
    yield whole_blocks("encrypt", test, test["key"], entering, test["ct"])
    yield whole_blocks("decrypt", test, test["key"], test["ct"], entering)


def ctr(test: dict, printed: bool) -> Iterator[Request]:
    variant, size = test["variant"], block_bytes(test["variant"])
    if not printed:
        yield Request(
            f"ctr {variant} {hexed(test['key'])} {hexed(test['iv'])} {hexed(test['pt'])}",
            hexed(test["ct"]),
            "ctr",
        )
        yield Request(
            f"ctr {variant} {hexed(test['key'])} {hexed(test['iv'])} {hexed(test['ct'])}",
            hexed(test["pt"]),
            "ctr back",
        )
        return
    # The counter runs over printed bytes, so only the single (counter block, key stream block)
    # pairs can be compared; the last may be cut.
    first = int.from_bytes(test["iv"])
    for i, (p, c) in enumerate(
        zip(blocks_of(test["pt"], size), blocks_of(test["ct"], size), strict=True)
    ):
        counter = ((first + i) % (1 << 8 * size)).to_bytes(size)
        if len(p) == size:
            yield whole_blocks(
                "encrypt",
                test,
                to_library(variant, test["key"]),
                to_library(variant, counter),
                to_library(variant, xor(p, c)),
            )


def iterated(test: dict) -> Iterator[Request]:
    rekey = test["mode"] == "ECB-ITER-REKEY"
    line = (
        f"{'rekey' if rekey else 'iterate'} {test['variant']} {hexed(test['key'])} "
        f"{hexed(test['pt'])} {test['iterations']}"
    )
    yield Request(line, hexed(test["ct"] + (test["keyOut"] if rekey else b"")), test["mode"])


def cmac(test: dict) -> Iterator[Request]:
    head = f"{test['variant']} {hexed(test['key'])} {hexed(test['msg'])}"
    if test["result"] == "valid":
        yield Request(f"cmac {head} {len(test['tag'])}", hexed(test["tag"]), "cmac")
        yield Request(f"cmac-verify {head} {hexed(test['tag'])}", "-", "cmac-verify")
    else:
        wrong_length = not 1 <= len(test["tag"]) <= block_bytes(test["variant"])
        yield Request(
            f"cmac-verify {head} {hexed(test['tag'])}",
            "HANJI_E_LENGTH" if wrong_length else "HANJI_E_TAG",
            "cmac-verify",
        )


def eax(test: dict) -> Iterator[Request]:
    head = f"{test['variant']} {hexed(test['key'])} {hexed(test['nonce'])} {hexed(test['aad'])}"
    size, tag = block_bytes(test["variant"]), test["tag"]
    agreed = len(tag) if tag else size
    opened = f"eax-open {head} {hexed(test['ct'])} {hexed(tag)} {agreed}"
    if not test["nonce"]:
        yield Request(
            f"eax-seal {head} {hexed(test['pt'])} {agreed}",
            "HANJI_E_LENGTH",
            "eax-seal without nonce",
        )
        yield Request(opened, "HANJI_E_LENGTH", "eax-open without nonce")
    elif test["result"] == "valid":
        yield Request(
            f"eax-seal {head} {hexed(test['pt'])} {agreed}", hexed(test["ct"] + tag), "eax-seal"
        )
        yield Request(opened, hexed(test["pt"]), "eax-open")
    else:
        yield Request(opened, "HANJI_E_TAG" if len(tag) == agreed else "HANJI_E_LENGTH", "eax-open")


def aead(test: dict) -> Iterator[Request]:
    head = f"{test['variant']} {hexed(test['key'])} {hexed(test['nonce'])} {hexed(test['aad'])}"
    opened = f"aead-open {head} {hexed(test['ct'])} {hexed(test['tag'])}"
    if test["result"] == "valid":
        yield Request(
            f"aead-seal {head} {hexed(test['pt'])}", hexed(test["ct"] + test["tag"]), "aead-seal"
        )
        yield Request(opened, hexed(test["pt"]), "aead-open")
    else:  # a tag that is cut so far that less than a tag is left of the whole string is refused by its length
        yield Request(opened, ("HANJI_E_TAG", "HANJI_E_LENGTH"), "aead-open")


def options(test: dict) -> Iterator[Request]:
    head = f"{len(test['tag'])} {hexed(test['key'])} {hexed(test['nonce'])} {hexed(test['aad'])}"
    opened = f"ascon-open {head} {hexed(test['ct'])} {hexed(test['tag'])}"
    if test["result"] == "valid":
        yield Request(
            f"ascon-seal {head} {hexed(test['pt'])}", hexed(test["ct"] + test["tag"]), "ascon-seal"
        )
        yield Request(opened, hexed(test["pt"]), "ascon-open")
    else:
        yield Request(opened, "HANJI_E_TAG", "ascon-open")


def customized(test: dict) -> Iterator[Request]:
    size = len(test["digest"]) if test["result"] == "valid" else test["outBytes"]
    line = f"cxof {test['variant']} {hexed(test['custom'])} {hexed(test['msg'])} 1 {size}"
    yield Request(
        line, hexed(test["digest"]) if test["result"] == "valid" else "HANJI_E_LENGTH", "cxof"
    )


def digest(test: dict, stored: dict) -> Iterator[Request]:
    pattern = bytes.fromhex(stored["msgPattern"]) if "msgPattern" in stored else test["msg"]
    times = stored.get("msgRepeat", 1)
    while times > 1 and times % 10 == 0 and len(pattern) < 10000:
        pattern, times = pattern * 10, times // 10
    yield Request(
        f"hash {test['variant']} {hexed(pattern)} {times} {len(test['digest'])}",
        hexed(test["digest"]),
        "hash",
    )


def permutation(test: dict) -> Iterator[Request]:
    yield Request(
        f"permute {test['variant']} {hexed(test['in'])} {test['steps']}",
        hexed(test["out"]),
        "permute",
    )


def requests(name: str) -> list[list[Request]]:
    """What each test of a file asks, in the order of the file."""
    document = vectors_io.document(name)
    printed = document["byteOrder"] == "printed"
    makers: dict[str, Callable[[dict, dict], Iterator[Request]]] = {
        "ECB": lambda t, _: ecb(t, printed),
        "CBC": lambda t, _: cbc(t),
        "CTR": lambda t, _: ctr(t, printed),
        "ECB-ITER": lambda t, _: iterated(t),
        "ECB-ITER-REKEY": lambda t, _: iterated(t),
        "CMAC": lambda t, _: cmac(t),
        "EAX": lambda t, _: eax(t),
        "AEAD": lambda t, _: aead(t),
        "AEAD-OPTIONS": lambda t, _: options(t),
        "CXOF": lambda t, _: customized(t),
        "HASH": digest,
        "XOF": digest,
        "PERM": lambda t, _: permutation(t),
    }
    pairs = zip(vectors_io.load(name), document["tests"], strict=True)
    return [list(makers[test["mode"]](test, stored)) for test, stored in pairs]


def ask(command: list[str], lines: list[str], **extra: str) -> list[str]:
    """Answers of one run of the program to all these lines; `extra` are environment variables."""
    done = subprocess.run(
        command,
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        env=environment(**extra),
    )
    answers = done.stdout.splitlines()
    assert done.returncode == 0 and len(answers) == len(lines), (
        f"the program ended with {done.returncode} after {len(answers)} of {len(lines)} "
        f"answers; stderr:\n{done.stderr[-4000:]}"
    )
    return answers


def failures(name: str, asked: list[list[Request]], command: list[str], **extra: str) -> list[str]:
    """One line per wrong answer."""
    flat = [(i + 1, request) for i, test in enumerate(asked) for request in test]
    answers = ask(command, [request.line for _, request in flat], **extra)
    wrong = []
    for (number, request), answer in zip(flat, answers, strict=True):
        expected = (request.expected,) if isinstance(request.expected, str) else request.expected
        if answer not in expected:
            wrong.append(
                f"{name} tcId {number} {request.what}: got {answer[:200]}, expected "
                f"{' or '.join(expected)[:200]}; {request.line[:60]}..."
            )
    return wrong


@pytest.mark.parametrize("name", vectors_io.names())
@pytest.mark.parametrize("preset", PRESETS)
def test_vectors(preset: str, name: str) -> None:
    wrong = failures(name, requests(name), program(preset, "vectors"))
    assert not wrong, f"{len(wrong)} wrong answers, the first: " + "\n".join(wrong[:5])


def test_every_vector_asks_something() -> None:
    asked = [test for name in vectors_io.names() for test in requests(name)]
    assert len(asked) == 15996
    assert all(asked), f"{sum(not test for test in asked)} tests ask nothing"


def test_every_algorithm_of_the_catalogue_has_vectors() -> None:
    assert catalogue.without_vectors() == []


def test_control_an_algorithm_without_vectors_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a new algorithm, of a known kind and of a new one, somebody has to bring vectors."""
    one = catalogue.hanji.algorithms()[0]
    new = [
        replace(one, name=name, kind=kind)
        for name, kind in (
            ("walnut-64/128", "block"),
            ("walnut", "signature"),
            ("ctr2", "mode"),
            ("x", "y"),
        )
    ]
    monkeypatch.setattr(catalogue.hanji, "algorithms", lambda: [one, *new])
    assert [sentence.partition(":")[0] for sentence in catalogue.without_vectors()] == [
        "walnut-64/128",
        "walnut",
        "ctr2",
        "x",
    ]


def test_control_wrong_expectations_are_seen() -> None:
    """Change one bit of the expectation of one test per file: exactly that test must be reported."""
    for name in vectors_io.names():
        asked = requests(name)[-3:]
        valid = [
            r
            for test in asked
            for r in test
            if isinstance(r.expected, str) and not r.expected.startswith(("HANJI", "-"))
        ]
        if not valid:
            asked, valid = requests(name)[:3], requests(name)[0]
            valid = [asked[0][0]]
        request = valid[0]
        first = int(str(request.expected)[0], 16) ^ 1
        request.expected = f"{first:x}{str(request.expected)[1:]}"
        assert len(failures(name, asked, program("host-gcc", "vectors"))) == 1, name


@pytest.mark.parametrize("preset", PRESETS)
def test_selftest_succeeds(preset: str) -> None:
    assert ask(program(preset, "vectors"), ["selftest all"]) == ["-"]
