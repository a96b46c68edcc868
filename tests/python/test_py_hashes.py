# SPDX-License-Identifier: Apache-2.0
"""hanji.hashes: split updates, copies, output in pieces, and the shape of hashlib."""

from __future__ import annotations

import hashlib
import hmac
import io
import pickle
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanji
from hanji import hashes
from hanji.hashes import (
    AsconCXOF128,
    AsconHash256,
    AsconXOF128,
    Esch256,
    Esch384,
    XOEsch256,
    XOEsch384,
)

pytestmark = pytest.mark.quick

FIXED = [AsconHash256, Esch256, Esch384]
FREE = [AsconXOF128, AsconCXOF128, XOEsch256, XOEsch384]
pieces = st.lists(st.binary(max_size=50), max_size=6)


def digest(message) -> bytes:
    return message.digest(77) if message.digest_size == 0 else message.digest()


@pytest.mark.parametrize("cls", FIXED + FREE, ids=lambda c: c.name)
@settings(max_examples=60)
@given(parts=pieces)
def test_split_updates_equal_one_shot(cls, parts):
    message = cls()
    for part in parts:
        message.update(part)
    assert digest(message) == digest(cls(b"".join(parts)))


@pytest.mark.parametrize("cls", FIXED + FREE, ids=lambda c: c.name)
def test_every_tail_length_and_every_split(cls):
    whole = bytes(range(50))
    for size in range(len(whole)):
        expected = digest(cls(whole[:size]))
        for at in range(size + 1):
            message = cls(whole[:at])
            message.update(whole[at:size])
            assert digest(message) == expected, f"{size} bytes split at {at}"


@pytest.mark.parametrize("cls", FIXED + FREE, ids=lambda c: c.name)
def test_digest_and_copy_leave_the_message_open(cls):
    message = cls(b"ab")
    before = digest(message)
    fork = message.copy()
    assert digest(message) == before
    message.update(b"c")
    assert digest(message) == digest(cls(b"abc"))
    assert digest(fork) == before
    fork.update(b"d")
    assert digest(fork) == digest(cls(b"abd"))


@pytest.mark.parametrize("cls", FREE, ids=lambda c: c.name)
@settings(max_examples=60)
@given(data=st.binary(max_size=60), sizes=st.lists(st.integers(0, 60), max_size=6))
def test_output_in_pieces_equals_output_at_once(cls, data, sizes):
    message = cls(data)
    whole = message.digest(sum(sizes) + 1)
    got = b""
    for size in [*sizes, 1]:
        got += message.read(size)
        assert message.digest(sum(sizes) + 1) == whole
    assert got == whole
    assert message.hexdigest(40) == message.digest(40).hex()


@pytest.mark.parametrize("cls", FREE, ids=lambda c: c.name)
def test_reading_ends_the_message(cls):
    message = cls(b"x")
    message.read(0)
    with pytest.raises(ValueError, match="make a copy"):
        message.update(b"y")
    fork = message.copy()
    assert fork.read(20) == message.read(20)
    with pytest.raises(ValueError, match="make a copy"):
        fork.update(b"y")


def test_shape_of_hashlib():
    for cls, like in ((Esch256, hashlib.sha256), (XOEsch256, hashlib.shake_128)):
        ours, theirs = cls(b"abc"), like(b"abc")
        for name in ("update", "digest", "hexdigest", "copy", "name", "digest_size", "block_size"):
            assert hasattr(ours, name)
            assert callable(getattr(ours, name)) == callable(getattr(theirs, name))
        assert type(ours.name) is type(theirs.name)
    assert (Esch256().digest_size, Esch384().digest_size, XOEsch256().digest_size) == (
        32,
        48,
        hashlib.shake_128().digest_size,
    )
    assert Esch256(b"abc").hexdigest() == Esch256(b"abc").digest().hex()
    assert hashlib.file_digest(io.BytesIO(b"abc"), Esch256).digest() == Esch256(b"abc").digest()
    sizes = {a.name: a for a in hanji.algorithms()}
    for cls in FIXED:
        assert (cls.digest_size, cls.block_size) == (
            sizes[cls.name].digest_size,
            sizes[cls.name].block_size,
        )


def test_customization():
    outputs = {AsconCXOF128(b"abc", customization=bytes(size)).digest(16) for size in range(257)}
    outputs.add(AsconXOF128(b"abc").digest(16))
    assert len(outputs) == 258
    assert AsconCXOF128(b"abc", b"").digest(16) == AsconCXOF128(b"abc").digest(16)
    with pytest.raises(
        ValueError, match=r"^customization is 257 bytes; AsconCXOF128 takes 0 to 256$"
    ):
        AsconCXOF128(customization=bytes(257))
    message = AsconCXOF128(customization=b"use")
    message.update(b"abc")
    assert message.copy().read(9) == AsconCXOF128(b"abc", customization=b"use").digest(9)


def test_an_output_of_no_bytes_is_empty_however_it_is_asked_for():
    for cls in (AsconXOF128, AsconCXOF128, XOEsch256, XOEsch384):
        message = cls(b"x")
        assert (message.digest(0), message.hexdigest(0), message.copy().read(0)) == (b"", "", b"")
        assert message.digest(3) == message.read(3)


@pytest.mark.parametrize("name", hashes.__all__)
def test_hmac_refuses_our_hashes_with_a_sentence(name):
    """With a rate of 8 bytes hmac.new took a block size of 64 and gave a warning, with 16 none."""
    function = getattr(hashes, name)
    for call in (
        lambda: hmac.new(bytes(16), b"message", function),
        lambda: hmac.new(bytes(16), digestmod=lambda: function()),
        lambda: hmac.digest(bytes(16), b"message", function),
    ):
        with (
            warnings.catch_warnings(action="error"),
            pytest.raises(TypeError, match=f"^{name} is not for HMAC, .* take hanji.hazmat.cmac"),
        ):
            call()
    assert function.block_size == function().block_size in (8, 16)
    assert len(hmac.new(bytes(16), b"message", "sha256").digest()) == 32  # the control


def test_refusals():
    with pytest.raises(ValueError, match="length is -1"):
        XOEsch256().digest(-1)
    with pytest.raises(TypeError, match="length must be an int, not float"):
        XOEsch256().read(1.0)
    with pytest.raises(TypeError, match=r"data must be bytes-like .*, not str"):
        Esch256("text")
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(Esch256())
    with pytest.raises((OverflowError, MemoryError)):
        XOEsch256().digest(2**70)
