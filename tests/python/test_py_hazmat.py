# SPDX-License-Identifier: Apache-2.0
"""hanji.hazmat: names, sizes, streams, limits, printed order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanji
from hanji import hazmat

pytestmark = pytest.mark.quick

CIPHERS = hazmat.ciphers()
BLOCK = {a.name: a.block_size for a in hanji.algorithms() if a.kind == "block"}
KEY = {a.name: a.key_size for a in hanji.algorithms() if a.kind == "block"}
LIMIT = {a.name: a.limit_blocks for a in hanji.algorithms() if a.kind == "block"}
MODES = [name for name in CIPHERS if BLOCK[name] in (8, 16)]
NO_LIMIT = 2**64 - 1

each_cipher = pytest.mark.parametrize("name", CIPHERS)


def key_of(name: str) -> bytes:
    return bytes(range(1, KEY[name] + 1))


def test_all_ciphers_are_there():
    families = ("speck", "simon")
    sizes = (
        "32/64",
        "48/72",
        "48/96",
        "64/96",
        "64/128",
        "96/96",
        "96/144",
        "128/128",
        "128/192",
        "128/256",
    )
    expected = {f"{f}-{s}" for f in families for s in sizes} | {
        f"simeck-{s}" for s in ("32/64", "48/96", "64/128")
    }
    for size in ("64/128", "128/128", "128/256"):
        expected |= {f"cham-{size}", f"cham-{size}-original"}
    assert set(CIPHERS) == expected


@each_cipher
def test_block_sizes_and_inverse(name):
    cipher = hazmat.block(name, key_of(name))
    assert (cipher.name, cipher.block_size, cipher.key_size) == (name, BLOCK[name], KEY[name])
    for blocks in (0, 1, 2, 3, 7, 16, 33, 1000):
        data = bytes((3 * i) % 251 for i in range(blocks * cipher.block_size))
        sealed = cipher.encrypt(data)
        assert cipher.decrypt(sealed) == data, f"{blocks} blocks"
        assert sealed == b"".join(
            cipher.encrypt(data[i : i + BLOCK[name]]) for i in range(0, len(data), BLOCK[name])
        )


@each_cipher
def test_wrong_sizes(name):
    n, k = BLOCK[name], KEY[name]
    with pytest.raises(ValueError, match=f"^key is {k - 1} bytes; {name} takes {k}$"):
        hazmat.block(name, bytes(k - 1))
    with pytest.raises(
        ValueError, match=f"^blocks is {n + 1} bytes; {name} takes a multiple of {n}$"
    ):
        hazmat.block(name, bytes(k)).encrypt(bytes(n + 1))
    with pytest.raises(ValueError, match=f"^iv is {n + 1} bytes; {name} takes {n}$"):
        hazmat.ctr(name, bytes(k), bytes(n + 1))


@pytest.mark.parametrize(
    ("given_name", "suggestion"),
    [
        ("speck64/128", "speck-64/128"),
        ("SPECK-64/128", "speck-64/128"),
        ("cham-64/129", "cham-64/128"),
        ("aes", "ciphers"),
    ],
)
def test_unknown_names_list_close_ones(given_name, suggestion):
    with pytest.raises(ValueError, match=suggestion):
        hazmat.block(given_name, bytes(16))


@each_cipher
@settings(max_examples=25)
@given(parts=st.lists(st.binary(max_size=40), max_size=6), seed=st.binary(min_size=16, max_size=16))
def test_ctr_split_equals_one_shot(name, parts, seed):
    iv = seed[: BLOCK[name]]
    whole = hazmat.ctr(name, key_of(name), iv).update(b"".join(parts))
    stream, again = hazmat.ctr(name, key_of(name), iv), b""
    for part in parts:
        buffer = bytearray(part)
        assert stream.update_into(buffer, buffer) == len(part)
        again += buffer
    assert again == whole
    assert hazmat.ctr(name, key_of(name), iv).update(whole) == b"".join(parts)


@each_cipher
def test_ctr_counts_up_as_a_big_endian_integer_and_wraps(name):
    n, cipher = BLOCK[name], hazmat.block(name, key_of(name))
    for start in (0, 255, 2**32 - 2, 2 ** (8 * n) - 3):
        first = start % 2 ** (8 * n)
        counters = b"".join(((first + i) % 2 ** (8 * n)).to_bytes(n) for i in range(10))
        assert hazmat.ctr(name, key_of(name), first.to_bytes(n)).update(
            bytes(10 * n)
        ) == cipher.encrypt(counters), hex(first)


@pytest.mark.parametrize("name", MODES)
@settings(max_examples=25)
@given(parts=st.lists(st.binary(max_size=40), max_size=6))
def test_cmac_split_equals_one_shot(name, parts):
    whole = hazmat.cmac(name, key_of(name))
    whole.update(b"".join(parts))
    split = hazmat.cmac(name, key_of(name))
    for part in parts:
        split.update(part)
        split.digest()  # does not disturb
    tag = whole.digest()
    assert split.digest() == tag
    assert [split.digest(size) for size in range(1, BLOCK[name] + 1)] == [
        tag[:size] for size in range(1, BLOCK[name] + 1)
    ]
    fork = split.copy()
    fork.update(b"more")
    assert split.digest() == tag != fork.digest()


@pytest.mark.parametrize("name", ["speck-64/128", "cham-128/256"])
def test_cmac_refuses_every_other_tag(name):
    mac = hazmat.cmac(name, key_of(name))
    mac.update(b"message")
    tag = mac.digest()
    mac.verify(tag)
    mac.verify(tag[:4], tag_size=4)
    for bit in range(8 * len(tag)):
        altered = bytearray(tag)
        altered[bit // 8] ^= 1 << bit % 8
        with pytest.raises(hanji.InvalidTag):
            mac.verify(altered)
    for size in range(len(tag)):
        with pytest.raises(hanji.InvalidTag, match=f"tag is {size} bytes"):
            mac.verify(tag[:size])
    for size in (0, len(tag) + 1, -1):
        with pytest.raises(ValueError, match="tag_size"):
            mac.digest(size)


@pytest.mark.parametrize("name", MODES)
@settings(max_examples=25)
@given(
    data=st.binary(max_size=70),
    ad=st.none() | st.binary(max_size=40),
    nonce=st.binary(min_size=1, max_size=40),
    size=st.integers(1, 8),
)
def test_eax_decrypt_inverts_encrypt(name, data, ad, nonce, size):
    cipher = hazmat.eax(name, key_of(name), tag_size=size)
    sealed = cipher.encrypt(nonce, data, ad)
    assert len(sealed) == len(data) + size
    assert cipher.decrypt(nonce, sealed, ad) == data


@pytest.mark.parametrize("name", ["speck-64/128", "simon-128/128"])
def test_eax_refuses_every_flipped_bit(name):
    cipher = hazmat.eax(name, key_of(name))
    sealed = cipher.encrypt(b"nonce", b"twenty-one bytes long", b"ad")
    for bit in range(8 * len(sealed)):
        altered = bytearray(sealed)
        altered[bit // 8] ^= 1 << bit % 8
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(b"nonce", altered, b"ad")
    others = (
        (b"nonce", sealed, b"aD"),
        (b"nonce", sealed, None),
        (b"nonc", sealed, b"ad"),
        (b"nonce", sealed[:-1], b"ad"),
        (b"n", b"", b""),
    )
    for nonce, data, ad in others:
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(nonce, data, ad)


@pytest.mark.parametrize("name", [name for name in CIPHERS if name not in MODES])
def test_cmac_and_eax_need_blocks_of_8_or_16_bytes(name):
    with pytest.raises(ValueError, match=f"{name} has {BLOCK[name]}"):
        hazmat.cmac(name, key_of(name))
    with pytest.raises(ValueError, match=f"{name} has {BLOCK[name]}"):
        hazmat.eax(name, key_of(name))


def test_default_limits():
    assert {BLOCK[name]: limit for name, limit in LIMIT.items()} == {
        4: 2**6,
        6: 2**14,
        8: 2**20,
        12: 2**38,
        16: 2**48,
    }
    for name in CIPHERS:
        assert hazmat.ctr(name, key_of(name), bytes(BLOCK[name])).remaining == LIMIT[name]


def test_ctr_limit_is_exact_and_a_refused_call_changes_nothing():
    name, n = "speck-32/64", 4
    stream = hazmat.ctr(name, key_of(name), bytes(n))
    stream.update(bytes(63 * n))
    buffer = bytearray(b"\x11" * (n + 1))
    with pytest.raises(hanji.LimitError, match="limit="):
        stream.update_into(buffer, buffer)
    assert buffer == b"\x11" * (n + 1)
    assert stream.remaining == 1
    reference = hazmat.ctr(name, key_of(name), bytes(n), limit=NO_LIMIT).update(bytes(65 * n))
    assert stream.update(bytes(n)) == reference[63 * n : 64 * n]
    with pytest.raises(hanji.LimitError):
        stream.update(b"x")
    assert stream.update(b"") == b""


@each_cipher
@settings(max_examples=25)
@given(text=st.binary(max_size=200), iv=st.binary(min_size=16, max_size=16))
def test_ctr_message_equals_a_stream(name, text, iv):
    first, most = iv[: BLOCK[name]], LIMIT[name] * BLOCK[name]
    stream = hazmat.ctr(name, key_of(name), first)
    done = hazmat.ctr_message(name, key_of(name), first, text[:most])
    assert done == stream.update(text[:most])


def test_ctr_message_refuses_what_is_wrong():
    name = "speck-32/64"
    assert len(hazmat.ctr_message(name, bytes(8), bytes(4), bytes(256))) == 256
    with pytest.raises(hanji.LimitError, match=r"data is 257 bytes; .* at most 64 blocks of 4"):
        hazmat.ctr_message(name, bytes(8), bytes(4), bytes(257))
    with pytest.raises(ValueError, match=r"^key is 7 bytes; speck-32/64 takes 8$"):
        hazmat.ctr_message(name, bytes(7), bytes(4), b"")
    with pytest.raises(ValueError, match=r"^iv is 8 bytes; speck-32/64 takes 4$"):
        hazmat.ctr_message(name, bytes(8), bytes(8), b"")
    with pytest.raises(ValueError, match="did you mean speck-32/64"):
        hazmat.ctr_message("speck-32/65", bytes(8), bytes(4), b"")


def test_limit_is_lowered_and_raised_by_the_caller():
    assert hazmat.ctr("speck-64/128", bytes(16), bytes(8), limit=2).remaining == 2
    assert hazmat.ctr("speck-64/128", bytes(16), bytes(8), limit=NO_LIMIT).remaining == NO_LIMIT
    for bad, error in ((-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("1", TypeError)):
        with pytest.raises(error, match="limit"):
            hazmat.ctr("speck-64/128", bytes(16), bytes(8), limit=bad)


def test_cmac_copies_share_one_limit():
    first = hazmat.cmac("speck-64/128", bytes(16), limit=5)  # one block goes into the subkeys
    second = first.copy()
    first.update(bytes(8))
    assert first.digest() != second.digest()
    assert first.remaining == second.remaining == 2
    second.update(bytes(24))  # two blocks now, one at the end
    with pytest.raises(hanji.LimitError):
        first.digest()


def test_eax_limit_covers_all_messages():
    cipher = hazmat.eax("speck-64/128", bytes(16), limit=1 + 2 * (3 + 1 + 2 * 1))
    sealed = cipher.encrypt(b"1", b"12345678")
    assert cipher.decrypt(b"1", sealed) == b"12345678"
    assert cipher.remaining == 0
    with pytest.raises(hanji.LimitError, match="0 of 13"):
        cipher.encrypt(b"2", b"")


def test_sparkle_states_side_by_side():
    for bits in (256, 384, 512):
        states = [bytes(i + j for j in range(bits // 8)) for i in range(5)]
        for steps in ("slim", "big", 1, 64):
            assert hazmat.sparkle(bits, b"".join(states), steps) == b"".join(
                hazmat.sparkle(bits, s, steps) for s in states
            )
    for bad in (0, 65, "huge", 1.0):
        with pytest.raises(ValueError, match="steps"):
            hazmat.sparkle(256, bytes(32), bad)
    with pytest.raises(ValueError, match="256, 384 and 512"):
        hazmat.sparkle(128, bytes(16), 1)
    with pytest.raises(ValueError, match="SPARKLE384 takes 48"):
        hazmat.sparkle(384, bytes(47), 1)


def test_printed_order_refuses_what_is_not_one_block_or_key():
    assert hazmat.from_printed("cham-64/128", "1100 3322 5544 7766") == bytes.fromhex(
        "0011223344556677"
    )
    assert hazmat.from_printed("speck-48/96", "1a1918 121110 0a0908 020100") == bytes.fromhex(
        "00010208090a10111218191a"
    )
    assert hazmat.to_printed("speck-48/96", bytes.fromhex("6e6420636972")) == "726963 20646e"
    for text in ("1100", "", "zz" * 8, "123"):
        with pytest.raises(ValueError, match=r"speck-64/128|hexadecimal"):
            hazmat.from_printed("speck-64/128", text)
    with pytest.raises(ValueError, match="did you mean"):
        hazmat.from_printed("speck-64-128", "00" * 8)
