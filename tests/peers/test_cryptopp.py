# SPDX-License-Identifier: Apache-2.0
"""The C library against Crypto++ on random keys and data.

Crypto++ orders the bytes of SIMECK and CHAM as papers print them, and has the CHAM of 2017.
"""

from __future__ import annotations

import ctypes
import random
import subprocess

import pytest
from builds import program
from debian import need

from hanji.cli import peers

pytestmark = pytest.mark.quick

CASES = 40


@pytest.fixture(scope="module")
def cryptopp():  # type: ignore[no-untyped-def]
    need("g++", "libcrypto++-dev")
    return peers.cryptopp()


@pytest.fixture(scope="module")
def runner() -> list[str]:
    return program("host-gcc", "vectors")


def ask(command: list[str], lines: list[str]) -> list[bytes]:
    answers = subprocess.run(
        command,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
    ).stdout.split("\n")[:-1]
    assert len(answers) == len(lines)
    wrong = [
        (line[:60], answer)
        for line, answer in zip(lines, answers, strict=True)
        if not set(answer) <= set("0123456789abcdef-")
    ]
    assert not wrong, wrong[:3]
    return [bytes.fromhex("" if answer == "-" else answer) for answer in answers]


def sizes(cipher: str) -> tuple[int, int]:
    """Block and key size in bytes."""
    block, key = cipher.removesuffix("-original").split("-")[1].split("/")
    return int(block) // 8, int(key) // 8


def cases(cipher: str) -> list[tuple[bytes, bytes, int]]:
    """(key, counter block, number of blocks): the same in every run, so that a failure can be
    repeated.
    """
    block, key = sizes(cipher)
    source = random.Random(cipher)
    return [
        (
            source.randbytes(key),
            source.randbytes(block),
            source.choice((1, 2, 3, 15, 16, 17, 31, 64, 100, 257)),
        )
        for _ in range(CASES)
    ]


def to_crypto(cipher: str, data: bytes) -> bytes:
    return peers.swap_order(cipher, data, sizes(cipher)[0])


@pytest.mark.parametrize("cipher", peers.CIPHERS)
def test_blocks(cipher: str, cryptopp, runner: list[str]) -> None:  # type: ignore[no-untyped-def]
    source, block = random.Random(cipher + "data"), sizes(cipher)[0]
    inputs = [(key, source.randbytes(count * block)) for key, _, count in cases(cipher)]
    sealed = ask(runner, [f"encrypt {cipher} {key.hex()} {data.hex()}" for key, data in inputs])
    opened = ask(runner, [f"decrypt {cipher} {key.hex()} {data.hex()}" for key, data in inputs])
    for i, (key, data) in enumerate(inputs):
        assert sealed[i] == cryptopp.ecb(cipher, key, data), (
            f"{cipher} case {i}: encrypting {len(data) // block} blocks"
        )
        assert opened[i] == cryptopp.ecb(cipher, key, data, decrypt=True), (
            f"{cipher} case {i}: decrypting {len(data) // block} blocks"
        )


def their_counter_mode(cryptopp, cipher: str, key: bytes, iv: bytes, data: bytes) -> bytes:  # type: ignore[no-untyped-def]
    """Counter mode of Crypto++ in its own byte order; the wrapper's class offers it only where the
    order is ours.
    """
    out = ctypes.create_string_buffer(len(data))
    key_there = peers.swap_order(cipher, key, len(key))
    size = ctypes.c_size_t
    code = cryptopp._library.hanji_peer_ctr(
        cipher.encode(),
        key_there,
        size(len(key)),
        to_crypto(cipher, iv),
        size(len(iv)),
        data,
        out,
        size(len(data)),
    )
    assert code == 0, f"Crypto++ refused {cipher}"
    return out.raw


@pytest.mark.parametrize("cipher", [c for c in peers.CIPHERS if c.startswith(("speck", "simon"))])
def test_counter_mode(cipher: str, cryptopp, runner: list[str]) -> None:  # type: ignore[no-untyped-def]
    source, block = random.Random(cipher + "data"), sizes(cipher)[0]
    inputs = [
        (key, iv, source.randbytes(count * block - i % block))
        for i, (key, iv, count) in enumerate(cases(cipher))
    ]
    inputs += [
        (inputs[0][0], b"\xff" * block, source.randbytes(70 * block + 1)),
    ]  # the counter wraps
    answers = ask(
        runner,
        [f"ctr {cipher} {key.hex()} {iv.hex()} {data.hex()}" for key, iv, data in inputs],
    )
    for i, (key, iv, data) in enumerate(inputs):
        assert answers[i] == cryptopp.ctr(cipher, key, iv, data), (
            f"{cipher} case {i}: {len(data)} bytes"
        )


@pytest.mark.parametrize(
    "cipher",
    [c for c in peers.CIPHERS if not c.startswith(("speck", "simon"))],
)
def test_key_stream_of_counters(cipher: str, cryptopp, runner: list[str]) -> None:  # type: ignore[no-untyped-def]
    """SIMECK and CHAM: their counter runs over other bytes, so the counter blocks are made here and
    encrypted one by one.
    """
    block = sizes(cipher)[0]
    lines, expected = [], []
    for key, iv, count in cases(cipher):
        first = int.from_bytes(to_crypto(cipher, iv))
        counters = b"".join(((first + i) % (1 << 8 * block)).to_bytes(block) for i in range(count))
        lines.append(f"encrypt {cipher} {key.hex()} {to_crypto(cipher, counters).hex()}")
        expected.append(
            to_crypto(cipher, their_counter_mode(cryptopp, cipher, key, iv, bytes(len(counters)))),
        )
    for i, answer in enumerate(ask(runner, lines)):
        assert answer == expected[i], f"{cipher} case {i}"


def test_control_the_printed_order_differs(cryptopp, runner: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Without the change of byte order the two must disagree: the comparison can fail."""
    key, data = bytes(range(16)), bytes(range(8))
    for cipher in ("simeck-64/128", "cham-64/128-original"):
        raw = ctypes.create_string_buffer(8)
        assert (
            cryptopp._library.hanji_peer_ecb(
                cipher.encode(),
                0,
                key,
                ctypes.c_size_t(16),
                data,
                raw,
                ctypes.c_size_t(8),
            )
            == 0
        )
        assert ask(runner, [f"encrypt {cipher} {key.hex()} {data.hex()}"]) != [raw.raw]
    revised = ask(runner, [f"encrypt cham-64/128 {key.hex()} {data.hex()}"])
    assert revised != [cryptopp.ecb("cham-64/128-original", key, data)]
