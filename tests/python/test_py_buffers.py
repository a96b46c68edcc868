# SPDX-License-Identifier: Apache-2.0
"""Bytes-like arguments of every kind, and those that are refused."""

from __future__ import annotations

import array
import ctypes
import mmap

import numpy as np
import pytest

import hanji
from hanji import aead, hashes, hazmat

pytestmark = pytest.mark.quick

KEY, NONCE = bytes(range(16)), bytes(range(32))
DATA = bytes(range(48))


class Bytes(bytes):
    """A subclass, which is exported as a buffer like any foreign type."""


def mapped(data: bytes) -> mmap.mmap:
    memory = mmap.mmap(-1, len(data))
    memory[:] = data
    return memory


KINDS = {
    "bytes": bytes,
    "subclass": Bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "slice": lambda d: memoryview(b"--" + d + b"--")[2:-2],
    "numpy": lambda d: np.frombuffer(d, np.uint8),
    "numpy rows": lambda d: np.frombuffer(d, np.uint8).reshape(-1, 8),
    "array": lambda d: array.array("B", d),
    "ctypes": lambda d: (ctypes.c_uint8 * len(d)).from_buffer_copy(d),
    "mmap": mapped,
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_all_kinds_are_taken_everywhere(kind):
    expected = aead.Schwaemm256_128(KEY).encrypt(NONCE, DATA, DATA)
    cipher = aead.Schwaemm256_128(kind(KEY))
    assert cipher.encrypt(kind(NONCE), kind(DATA), kind(DATA)) == expected
    assert cipher.decrypt(kind(NONCE), kind(expected), kind(DATA)) == DATA
    assert hashes.Esch256(kind(DATA)).digest() == hashes.Esch256(DATA).digest()
    assert hazmat.block("speck-64/128", kind(KEY)).encrypt(kind(DATA)) == hazmat.block(
        "speck-64/128", KEY
    ).encrypt(DATA)
    assert hazmat.ctr("speck-64/128", kind(KEY), kind(KEY[:8])).update(kind(DATA)) == hazmat.ctr(
        "speck-64/128", KEY, KEY[:8]
    ).update(DATA)
    assert hazmat.ctr_message(
        "speck-64/128", kind(KEY), kind(KEY[:8]), kind(DATA)
    ) == hazmat.ctr_message("speck-64/128", KEY, KEY[:8], DATA)
    assert hazmat.sparkle(384, kind(DATA), "slim") == hazmat.sparkle(384, DATA, "slim")


@pytest.mark.parametrize(
    "kind", [k for name, k in KINDS.items() if name in ("bytearray", "array", "ctypes", "mmap")]
)
def test_writable_kinds_are_taken_as_output(kind):
    expected = aead.Schwaemm256_128(KEY).encrypt(NONCE, DATA, None)
    out = kind(bytes(len(expected)))
    assert aead.Schwaemm256_128(KEY).encrypt_into(NONCE, DATA, None, out) == len(expected)
    assert bytes(memoryview(out).cast("B")) == expected


def test_no_alignment_is_asked_for():
    memory = bytearray(300)
    expected = hazmat.block("speck-128/256", bytes(32)).encrypt(DATA)
    for shift in range(16):
        view = memoryview(memory)[shift : shift + len(DATA)]
        view[:] = DATA
        assert hazmat.block("speck-128/256", bytes(32)).encrypt(view) == expected
        stream = hazmat.ctr("speck-128/256", bytes(32), bytes(16))
        assert stream.update_into(view, view) == len(DATA)
        assert view == hazmat.ctr("speck-128/256", bytes(32), bytes(16)).update(DATA)


@pytest.mark.parametrize(
    "kind", [np.uint16, np.uint32, np.int64, np.float32, np.float64, np.complex128, np.bool_]
)
def test_words_have_another_order_on_another_machine_and_are_no_bytes(kind):
    words = np.frombuffer(DATA, kind)
    expected = (
        r"must be bytes-like .*not a numpy.ndarray with items of \d+ bytes of format '.+'; give "
        r"its bytes, for example array.view\(numpy.uint8\)$"
    )
    with pytest.raises(TypeError, match="^data " + expected):
        hashes.Esch256(words)
    with pytest.raises(TypeError, match="^buf " + expected):
        aead.Schwaemm256_128(KEY).encrypt_into(NONCE, b"", None, np.zeros(8, kind))
    assert hashes.Esch256(words.view(np.uint8)).digest() == hashes.Esch256(DATA).digest()


def test_masked_arrays_are_refused():
    masked = np.ma.array(np.frombuffer(DATA, np.uint8), mask=True)
    for bad in (masked, memoryview(masked), masked[:16]):
        with pytest.raises(
            TypeError, match=r"^data is a masked array; the bytes under its mask would be used"
        ):
            hashes.Esch256(bad)
    with pytest.raises(TypeError, match=r"^buf is a masked array"):
        aead.Schwaemm256_128(KEY).encrypt_into(
            NONCE, b"", None, np.ma.array(np.zeros(99, np.uint8))
        )
    assert hashes.Esch256(masked.data).digest() == hashes.Esch256(DATA).digest()


@pytest.mark.parametrize("bad", ["text", 5, 1.0, [1, 2], object()])
def test_other_types_are_a_type_error(bad):
    with pytest.raises(TypeError, match=rf"^key must be bytes-like .* not {type(bad).__name__}$"):
        aead.Schwaemm256_128(bad)
    with pytest.raises(TypeError, match=r"^data must be bytes-like"):
        aead.Schwaemm256_128(KEY).encrypt(NONCE, bad)
    with pytest.raises(TypeError, match=r"^associated_data must be bytes-like"):
        aead.Schwaemm256_128(KEY).encrypt(NONCE, b"", bad)
    with pytest.raises(TypeError, match=r"^buf must be a writable bytes-like"):
        aead.Schwaemm256_128(KEY).encrypt_into(NONCE, b"", None, bad)


def test_none_is_associated_data_only():
    with pytest.raises(TypeError, match="NoneType"):
        aead.Schwaemm256_128(None)
    with pytest.raises(TypeError, match="NoneType"):
        aead.Schwaemm256_128(KEY).encrypt(NONCE, None)


@pytest.mark.parametrize(
    "bad",
    [
        memoryview(DATA)[::2],
        np.frombuffer(DATA, np.uint8)[::2],
        np.asfortranarray(np.frombuffer(DATA, np.uint8).reshape(6, 8)),
    ],
)
def test_non_contiguous_memory_is_a_buffer_error(bad):
    with pytest.raises(
        BufferError, match=r"^data is a .* not C-contiguous; pass a contiguous copy"
    ):
        aead.Schwaemm256_128(KEY).encrypt(NONCE, bad)
    writable = np.zeros((6, 8), np.uint8)
    with pytest.raises(BufferError, match=r"^buf is a .* not C-contiguous"):
        aead.Schwaemm256_128(KEY).encrypt_into(NONCE, b"", None, writable[:, ::2])


@pytest.mark.parametrize("bad", [DATA, memoryview(DATA), np.frombuffer(DATA, np.uint8)])
def test_read_only_output_is_a_type_error(bad):
    with pytest.raises(TypeError, match=r"^buf is a read-only .*; pass a writable buffer"):
        aead.Schwaemm256_128(KEY).encrypt_into(NONCE, b"", None, bad)
    with pytest.raises(TypeError, match=r"^buf is a read-only"):
        hazmat.ctr("speck-64/128", KEY, bytes(8)).update_into(b"", bad)


def test_a_bytearray_is_free_again_after_success_and_after_an_error():
    data, buffer = bytearray(DATA), bytearray(100)
    cipher = aead.Schwaemm256_128(KEY)
    cipher.encrypt_into(NONCE, data, data, buffer)
    for nonce in (NONCE, b"short"):
        with pytest.raises((ValueError, hanji.InvalidTag)):
            cipher.decrypt_into(nonce, data, data, buffer)
    data.extend(b"x")  # a BufferError if an export were left behind
    buffer.clear()
