# SPDX-License-Identifier: Apache-2.0
"""hanji.aead, and EAX where it behaves alike: properties and refusals."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanji
from hanji import aead, hazmat

pytestmark = pytest.mark.quick

CLASSES = [
    aead.AsconAEAD128,
    aead.Schwaemm256_128,
    aead.Schwaemm192_192,
    aead.Schwaemm128_128,
    aead.Schwaemm256_256,
]
each_class = pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.name)


def fixed(size: int) -> bytes:
    return bytes(range(100, 100 + size))


@each_class
def test_sizes_are_those_of_the_list(cls):
    row = {a.name: a for a in hanji.algorithms()}[cls.name]
    assert (cls.key_size, cls.nonce_size, cls.tag_size) == (
        row.key_size,
        row.nonce_size,
        row.tag_size,
    )
    assert len(cls.generate_key()) == cls.key_size
    assert len(cls.generate_nonce()) == cls.nonce_size
    assert cls.generate_key() != cls.generate_key()
    assert cls.generate_nonce() != cls.generate_nonce()


@each_class
@settings(max_examples=60)
@given(
    data=st.binary(max_size=200),
    ad=st.none() | st.binary(max_size=100),
    seed=st.binary(min_size=64, max_size=64),
)
def test_decrypt_inverts_encrypt(cls, data, ad, seed):
    cipher, nonce = cls(seed[: cls.key_size]), seed[-cls.nonce_size :]
    sealed = cipher.encrypt(nonce, data, ad)
    assert len(sealed) == len(data) + cls.tag_size
    assert cipher.decrypt(nonce, sealed, ad) == data


@each_class
def test_every_tail_length_in_place_and_apart(cls):
    cipher, nonce, ad = cls(fixed(cls.key_size)), fixed(cls.nonce_size), b"header"
    for size in range(4 * 32 + 2):
        data = bytes((7 * i + size) % 256 for i in range(size))
        sealed = cipher.encrypt(nonce, data, ad)
        buffer = bytearray(data) + bytes(cls.tag_size + 3)
        assert cipher.encrypt_into(nonce, memoryview(buffer)[:size], ad, buffer) == len(sealed)
        assert buffer == sealed + bytes(3), f"in place, {size} bytes"
        assert cipher.decrypt_into(nonce, memoryview(buffer)[: len(sealed)], ad, buffer) == size
        assert buffer[:size] == data, f"opened in place, {size} bytes"


@each_class
def test_no_associated_data_is_empty_associated_data(cls):
    cipher, nonce = cls(fixed(cls.key_size)), fixed(cls.nonce_size)
    assert (
        cipher.encrypt(nonce, b"x")
        == cipher.encrypt(nonce, b"x", None)
        == cipher.encrypt(nonce, b"x", b"")
    )
    assert cipher.encrypt(nonce=nonce, data=b"x", associated_data=b"a") == cipher.encrypt(
        nonce, b"x", b"a"
    )


@each_class
def test_every_flipped_bit_is_refused_and_nothing_is_released(cls):
    cipher, nonce, ad = cls(fixed(cls.key_size)), fixed(cls.nonce_size), b"ad"
    plain = b"some plaintext of forty bytes, or a few."
    sealed = cipher.encrypt(nonce, plain, ad)
    for bit in range(8 * len(sealed)):
        altered = bytearray(sealed)
        altered[bit // 8] ^= 1 << bit % 8
        out = bytearray(b"\xa5" * len(sealed))
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt_into(nonce, altered, ad, out)
        assert out == bytes(len(plain)) + b"\xa5" * cls.tag_size, f"bit {bit}"
    for size in range(len(sealed)):
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(nonce, sealed[:size], ad)
    for other in (None, b"", b"a", b"ad\0", b"aD"):
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(nonce, sealed, other)
    with pytest.raises(hanji.InvalidTag):
        cipher.decrypt(bytes(cls.nonce_size), sealed, ad)
    with pytest.raises(hanji.InvalidTag):
        cls(bytes(cls.key_size)).decrypt(nonce, sealed, ad)
    assert cipher.decrypt(nonce, sealed, ad) == plain


@each_class
def test_wrong_sizes_say_what_was_given_and_expected(cls):
    key, nonce = fixed(cls.key_size), fixed(cls.nonce_size)
    for size in (0, cls.key_size - 1, cls.key_size + 1):
        with pytest.raises(
            ValueError, match=f"^key is {size} bytes; {cls.__name__} takes {cls.key_size}$"
        ):
            cls(bytes(size))
    for size in (0, cls.nonce_size - 1, cls.nonce_size + 1):
        with pytest.raises(
            ValueError, match=f"^nonce is {size} bytes; {cls.__name__} takes {cls.nonce_size}$"
        ):
            cls(key).encrypt(bytes(size), b"")
        with pytest.raises(
            ValueError, match=f"^nonce is {size} bytes; {cls.__name__} takes {cls.nonce_size}$"
        ):
            cls(key).decrypt(bytes(size), bytes(100))
    with pytest.raises(
        ValueError, match=f"^buf has 9 bytes; the result takes {10 + cls.tag_size}$"
    ):
        cls(key).encrypt_into(nonce, bytes(10), None, bytearray(9))
    with pytest.raises(ValueError, match=r"^buf has 9 bytes; the result takes 10$"):
        cls(key).decrypt_into(nonce, bytes(10 + cls.tag_size), None, bytearray(9))


ASCON = [(aead.AsconAEAD128, range(8, 17)), (hazmat.AsconAEAD128ShortTag, range(4, 8))]


@pytest.mark.parametrize(("cls", "lengths"), ASCON, ids=lambda v: getattr(v, "__name__", ""))
def test_tag_lengths_of_ascon_belong_to_the_key(cls, lengths):
    key, nonce, text = fixed(16), fixed(16), b"some text of thirty-one bytes.."
    whole = aead.AsconAEAD128(key).encrypt(nonce, text, b"ad")
    for length in lengths:
        cipher = cls(key, tag_length=length)
        assert cipher.tag_length == length
        sealed = cipher.encrypt(nonce, text, b"ad")
        assert sealed == whole[: len(text) + length]
        assert cipher.decrypt(nonce, sealed, b"ad") == text
        for other, theirs in ASCON:
            for agreed in theirs:
                # a tag of another length is another boundary between text and tag
                if agreed != length:
                    with pytest.raises(hanji.InvalidTag):
                        other(key, tag_length=agreed).decrypt(nonce, sealed, b"ad")
        with pytest.raises(hanji.InvalidTag, match=f"shorter than the {length}-byte tag"):
            cipher.decrypt(nonce, bytes(length - 1))
    for length in {*range(20)} - {*lengths}:
        with pytest.raises(
            ValueError,
            match=f"^tag_length is {length}; {cls.__name__} takes {lengths[0]} to {lengths[-1]} ",
        ):
            cls(key, length)


def test_nonce_masking_of_ascon():
    key, nonce = fixed(32), fixed(16)
    cipher = aead.AsconAEAD128(key, nonce_masking=True)
    masked = bytes(a ^ b for a, b in zip(nonce, key[16:], strict=True))
    assert cipher.encrypt(nonce, b"text", b"ad") == aead.AsconAEAD128(key[:16]).encrypt(
        masked, b"text", b"ad"
    )
    assert cipher.decrypt(nonce, cipher.encrypt(nonce, b"text")) == b"text"
    assert len(aead.AsconAEAD128.generate_key(nonce_masking=True)) == 32
    with pytest.raises(ValueError, match="the halves of key are equal"):
        aead.AsconAEAD128(bytes(32), nonce_masking=True)
    with pytest.raises(ValueError, match="key is 16 bytes; AsconAEAD128 takes 32"):
        aead.AsconAEAD128(bytes(16), nonce_masking=True)
    with pytest.raises(ValueError, match="key is 32 bytes; AsconAEAD128 takes 16"):
        aead.AsconAEAD128(bytes(32))


def test_overlapping_memory_is_refused():
    cls = aead.Schwaemm256_128
    cipher, nonce = cls(fixed(16)), fixed(32)
    memory = bytearray(200)
    view = memoryview(memory)
    with pytest.raises(ValueError, match="overlaps data in part"):
        cipher.encrypt_into(nonce, view[1:41], None, view)
    with pytest.raises(ValueError, match="overlaps data in part"):
        cipher.decrypt_into(nonce, view[8:48], None, view[4:])
    with pytest.raises(ValueError, match="overlaps associated_data"):
        cipher.encrypt_into(nonce, bytes(10), view[20:30], view)
    with pytest.raises(ValueError, match="overlaps nonce"):
        cipher.encrypt_into(view[:32], bytes(10), None, view)
    assert memory == bytes(200)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: aead.Schwaemm256_128(b"K" * 16), "hanji.aead.Schwaemm256_128"),
        (lambda: aead.AsconAEAD128(b"K" * 16), "hanji.aead.AsconAEAD128"),
        (lambda: hazmat.AsconAEAD128ShortTag(b"K" * 16, 4), "hanji.hazmat.AsconAEAD128ShortTag"),
        (lambda: hazmat.block("speck-64/128", b"K" * 16), "hanji.hazmat.block"),
        (lambda: hazmat.ctr("speck-64/128", b"K" * 16, bytes(8)), "hanji.hazmat.ctr"),
        (lambda: hazmat.cmac("speck-64/128", b"K" * 16), "hanji.hazmat.cmac"),
        (lambda: hazmat.eax("speck-64/128", b"K" * 16), "hanji.hazmat.eax"),
    ],
)
def test_keyed_objects_show_no_key_and_are_not_pickled(make, name):
    keyed = make()
    assert repr(keyed).startswith(f"<{name}")
    assert "K" * 4 not in repr(keyed) + str(keyed)
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="holds a key"):
            attempt(keyed)


def test_classes_are_not_to_be_subclassed():
    with pytest.raises(TypeError):
        type("Mine", (aead.Schwaemm256_128,), {})
