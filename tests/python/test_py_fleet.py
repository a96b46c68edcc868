# SPDX-License-Identifier: Apache-2.0
"""hanji.fleet: equal to a loop, one bad message spoils no other, arrays of every kind, limits,
refusals.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanji
from hanji import _core, aead, fleet, hashes, hazmat

pytestmark = pytest.mark.quick

pa = pytest.importorskip("pyarrow", reason="pip install pyarrow")

AEADS = {
    c.name: c
    for c in (
        aead.AsconAEAD128,
        aead.Schwaemm256_128,
        aead.Schwaemm192_192,
        aead.Schwaemm128_128,
        aead.Schwaemm256_256,
    )
}
ROWS = {a.name: a for a in hanji.algorithms()}
ALL = fleet.algorithms()


def seal_one(algorithm, key, nonce, data, ad, tag_size=None):
    if algorithm in AEADS:
        return AEADS[algorithm](key).encrypt(nonce, data, ad)
    return hazmat.eax(algorithm.removesuffix("-eax"), key, tag_size=tag_size).encrypt(
        nonce, data, ad
    )


def sizes(algorithm):
    if algorithm in AEADS:
        return AEADS[algorithm].key_size, AEADS[algorithm].nonce_size
    return ROWS[algorithm.removesuffix("-eax")].key_size, 12


def ragged(messages):
    offsets = np.concatenate([[0], np.cumsum([len(m) for m in messages])]).astype(np.int64)
    return np.frombuffer(b"".join(messages), np.uint8), offsets


def random_rows(seed, n, size):
    return np.random.default_rng(seed).integers(0, 256, (n, size), dtype=np.uint8)


def split(data, offsets):
    return [data[a:b].tobytes() for a, b in pairwise(offsets)]


def messages_of(n, seed=0, longest=70):
    rng = np.random.default_rng(seed)
    return [rng.bytes(int(size)) for size in rng.integers(0, longest, n)]


@pytest.mark.parametrize("algorithm", ALL["aead"])
@pytest.mark.parametrize("one_key", [False, True])
def test_fleet_equals_a_loop(algorithm, one_key):
    n, (key_size, nonce_size) = 23, sizes(algorithm)
    texts, ads = messages_of(n, 1), messages_of(n, 2, 40)
    keys, nonces = random_rows(3, n, key_size), random_rows(4, n, nonce_size)
    if one_key:
        keys = keys[0]
    (data, offsets), (ad, ad_offsets) = ragged(texts), ragged(ads)
    sealed = fleet.encrypt(
        algorithm, keys, nonces, data, offsets, associated_data=ad, ad_offsets=ad_offsets
    )
    for i, (text, got) in enumerate(zip(texts, split(sealed.data, sealed.offsets), strict=True)):
        key = keys if one_key else keys[i]
        assert got + sealed.tags[i].tobytes() == seal_one(
            algorithm, key, nonces[i], text, ads[i]
        ), f"message {i}"
    opened = fleet.decrypt(
        algorithm,
        keys,
        nonces,
        sealed.data,
        sealed.tags,
        offsets,
        associated_data=ad,
        ad_offsets=ad_offsets,
    )
    assert opened.ok
    assert opened.failed.size == 0
    assert split(opened.data, opened.offsets) == texts


@pytest.mark.parametrize("cipher", ALL["ctr"])
def test_ctr_fleet_equals_a_loop(cipher):
    n, row = 23, ROWS[cipher]
    texts = messages_of(n, 5)
    keys, ivs = random_rows(6, n, row.key_size), random_rows(7, n, row.block_size)
    done = fleet.ctr(cipher, keys, ivs, *ragged(texts))
    assert split(done.data, done.offsets) == [
        hazmat.ctr(cipher, k, iv).update(t) for k, iv, t in zip(keys, ivs, texts, strict=True)
    ]
    again = fleet.ctr(cipher, keys, ivs, done.data, done.offsets)
    assert split(again.data, again.offsets) == texts


@pytest.mark.parametrize("cipher", ALL["cmac"])
@pytest.mark.parametrize("one_key", [False, True])
def test_cmac_fleet_equals_a_loop(cipher, one_key):
    n, row = 23, ROWS[cipher]
    texts = messages_of(n, 5)
    keys = random_rows(6, n, row.key_size)
    if one_key:
        keys = keys[0]
    tag_size = row.block_size - 3
    data, offsets = ragged(texts)
    tags = fleet.cmac(cipher, keys, data, offsets, tag_size=tag_size)
    for i, text in enumerate(texts):
        one = hazmat.cmac(cipher, keys if one_key else keys[i])
        one.update(text)
        assert tags[i].tobytes() == one.digest(tag_size), f"message {i}"
    assert not fleet.cmac_verify(cipher, keys, data, tags, offsets, tag_size=tag_size).any()
    tags[4, tag_size - 1] ^= 0x40
    status = fleet.cmac_verify(cipher, keys, data, tags, offsets, tag_size=tag_size)
    assert status.tolist() == [-3 if i == 4 else 0 for i in range(n)]


def test_cmac_fleet_limits_and_refusals():
    name, rows, keys = "speck-64/128", np.zeros((3, 16), np.uint8), random_rows(9, 3, 16)
    with pytest.raises(hanji.LimitError, match="need 7 blocks under one key"):
        fleet.cmac(name, keys[0], rows, limit=6)
    assert fleet.cmac(name, keys[0], rows, limit=7).shape == (3, 8)
    with pytest.raises(hanji.LimitError, match="message 0 needs 3 blocks"):
        fleet.cmac(name, keys, rows, limit=2)
    tags = fleet.cmac(name, keys, rows, limit=3)
    assert fleet.cmac_verify(name, keys, rows, tags, limit=2).tolist() == [-4, -4, -4]
    assert fleet.cmac(name, keys, np.empty((3, 0), np.uint8), limit=2).shape == (3, 8)
    with pytest.raises(ValueError, match="tag_size is 9; speck-64/128 takes 1 to 8"):
        fleet.cmac(name, keys, rows, tag_size=9)
    with pytest.raises(ValueError, match="knows no algorithm 'speck-48/96'"):
        fleet.cmac("speck-48/96", keys, rows)
    with pytest.raises(ValueError, match="keys"):
        fleet.cmac(name, keys[:2], rows)
    assert fleet.cmac(name, keys[:0], rows[:0]).shape == (0, 8)


@pytest.mark.parametrize("algorithm", [name for name in ALL["aead"] if name.endswith("-eax")])
def test_eax_fleet_equals_a_loop_whatever_the_lanes(tier, algorithm):
    """As many messages as lanes, one less, one more; no text, no associated data, nonces and tags
    of any size, one long message among short ones.
    """
    cipher = algorithm.removesuffix("-eax")
    row, rng = ROWS[cipher], np.random.default_rng(12)
    for n in (0, 1, 2, 3, 15, 16, 17, 31, 33):
        lengths, ad_lengths = rng.integers(0, 3 * row.block_size + 2, (2, n))
        if n > 2:
            lengths[n // 2], lengths[0], ad_lengths[0] = 300, 0, 0
        texts, ads = [[rng.bytes(int(size)) for size in s] for s in (lengths, ad_lengths)]
        nonce_size, tag_size = int(rng.integers(1, 40)), int(rng.integers(1, row.block_size + 1))
        keys, nonces = random_rows(n, n, row.key_size), random_rows(n + 1, n, nonce_size)
        (data, offsets), (ad, ad_offsets) = ragged(texts), ragged(ads)
        more = {"associated_data": ad, "ad_offsets": ad_offsets, "tag_size": tag_size, "threads": 1}
        sealed = fleet.encrypt(algorithm, keys, nonces, data, offsets, **more)
        for i, got in enumerate(split(sealed.data, sealed.offsets)):
            assert got + sealed.tags[i].tobytes() == seal_one(
                algorithm, keys[i], nonces[i], texts[i], ads[i], tag_size
            ), f"message {i} of {n}"
        forged = np.flatnonzero(rng.integers(0, 3, n) == 0)
        sealed.tags[forged, tag_size - 1] ^= 1
        opened = fleet.decrypt(
            algorithm, keys, nonces, sealed.data, sealed.tags, sealed.offsets, **more
        )
        assert opened.failed.tolist() == forged.tolist()
        for i, got in enumerate(split(opened.data, opened.offsets)):
            assert got == (bytes(len(texts[i])) if i in forged else texts[i])


@pytest.fixture(params=[row["name"] for row in hanji.backends() if row["available"]])
def tier(request):
    hanji.force(request.param)
    yield request.param
    hanji.force(None)


@pytest.mark.parametrize("cipher", ALL["ctr"])
def test_ctr_fleet_equals_a_loop_wherever_messages_go(tier, cipher):
    """Few messages and long ones go past the lanes, by how many lanes are busy and how much is
    left: on both sides of every border.
    """
    row, limit = ROWS[cipher], 1 << 40
    borders = [256, 257, 768, 769, 1024, 1025, 2048, 2049, 4096, 4097, 5000]
    rng = np.random.default_rng(8)
    for n in (1, 2, 5, 8, 11, 16, 21, 33):
        for lengths in (
            np.full(n, borders[n % len(borders)]),
            rng.choice(borders, n),
            rng.integers(0, 1200, n),
        ):
            texts = [rng.bytes(int(size)) for size in lengths]
            keys, ivs = random_rows(6, n, row.key_size), random_rows(7, n, row.block_size)
            done = fleet.ctr(cipher, keys, ivs, *ragged(texts), limit=limit, threads=1)
            assert split(done.data, done.offsets) == [
                hazmat.ctr(cipher, k, iv, limit).update(t)
                for k, iv, t in zip(keys, ivs, texts, strict=True)
            ]


@pytest.mark.parametrize("cls", [hashes.AsconHash256, hashes.Esch256, hashes.Esch384])
def test_hash_fleet_equals_a_loop(cls):
    texts = messages_of(40, 8)
    assert [row.tobytes() for row in fleet.hash(cls.name, *ragged(texts))] == [
        cls(t).digest() for t in texts
    ]


@pytest.mark.parametrize("cls", [hashes.AsconXOF128, hashes.XOEsch256, hashes.XOEsch384])
@pytest.mark.parametrize("size", [None, 1, 16, 33, 100])
def test_xof_fleet_equals_a_loop(cls, size):
    texts = messages_of(20, 9)
    default = 48 if cls is hashes.XOEsch384 else 32
    assert [row.tobytes() for row in fleet.hash(cls.name, *ragged(texts), digest_size=size)] == [
        cls(t).digest(size or default) for t in texts
    ]


@pytest.mark.parametrize("size", [None, 1, 33])
@pytest.mark.parametrize("string", [b"", b"hanji", bytearray(8), bytes(256)], ids=len)
def test_customized_fleet_equals_a_loop(size, string):
    texts = messages_of(20, 10)
    made = fleet.hash("ascon-cxof128", *ragged(texts), size, customization=string)
    assert [row.tobytes() for row in made] == [
        hashes.AsconCXOF128(t, string).digest(size or 32) for t in texts
    ]


def test_customized_fleet_on_threads():
    data = random_rows(11, 9000, 64)
    made = fleet.hash("ascon-cxof128", data, customization=b"use", threads=3)
    for i in (0, 4499, 8999):
        assert made[i].tobytes() == hashes.AsconCXOF128(data[i].tobytes(), b"use").digest(32)


@settings(max_examples=50)
@given(
    texts=st.lists(st.binary(max_size=60), max_size=12),
    algorithm=st.sampled_from(
        ["schwaemm256-128", "schwaemm128-128", "speck-64/128-eax", "cham-128/256-eax"]
    ),
    bad=st.sets(st.integers(0, 11)),
    threads=st.integers(1, 3),
)
def test_a_bad_tag_zeroes_that_message_alone(texts, algorithm, bad, threads):
    n, (key_size, nonce_size) = len(texts), sizes(algorithm)
    keys, nonces = random_rows(n, n, key_size), random_rows(n + 1, n, nonce_size)
    sealed = fleet.encrypt(algorithm, keys, nonces, *ragged(texts))
    bad = sorted(i for i in bad if i < n)
    sealed.tags[bad, -1] ^= 0x80
    opened = fleet.decrypt(
        algorithm, keys, nonces, sealed.data, sealed.tags, sealed.offsets, threads=threads
    )
    assert opened.failed.tolist() == bad
    assert opened.ok == (not bad)
    assert opened.status.tolist() == [-3 if i in bad else 0 for i in range(n)]
    assert split(opened.data, opened.offsets) == [
        bytes(len(t)) if i in bad else t for i, t in enumerate(texts)
    ]
    assert opened.to_arrow().to_pylist() == [None if i in bad else t for i, t in enumerate(texts)]


def test_every_bit_of_a_tag_counts():
    tag_bits = 128
    keys, nonces = random_rows(1, tag_bits, 16), random_rows(2, tag_bits, 32)
    data = random_rows(3, tag_bits, 20)
    sealed = fleet.encrypt("schwaemm256-128", keys, nonces, data)
    for bit in range(tag_bits):
        sealed.tags[bit, bit // 8] ^= 1 << bit % 8
    opened = fleet.decrypt("schwaemm256-128", keys, nonces, sealed.data, sealed.tags)
    assert (opened.status == -3).all()
    assert not opened.data.any()


def test_in_place_equals_apart_and_keeps_what_lies_around():
    texts = messages_of(50, 10)
    keys, nonces = random_rows(1, 50, 16), random_rows(2, 50, 32)
    data, offsets = ragged([b"before", *texts, b"after"])
    inner = offsets[1:-1]
    apart = fleet.encrypt("schwaemm256-128", keys, nonces, data, inner)
    memory = data.copy()
    sealed = fleet.encrypt("schwaemm256-128", keys, nonces, memory, inner, out=memory)
    assert np.shares_memory(sealed.data, memory)
    assert (sealed.data == apart.data).all()
    assert (sealed.tags == apart.tags).all()
    assert (memory[:6].tobytes(), memory[-5:].tobytes()) == (b"before", b"after")
    opened = fleet.decrypt("schwaemm256-128", keys, nonces, memory, sealed.tags, inner, out=memory)
    assert opened.ok
    assert (memory == data).all()


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_offsets_of_both_widths_and_with_a_base(dtype):
    texts = messages_of(9, 11)
    data, offsets = ragged(texts)
    assert (
        fleet.hash("esch256", data, offsets[4:].astype(dtype))
        == fleet.hash("esch256", data, offsets)[4:]
    ).all()


@pytest.mark.parametrize("kind", ["binary", "large_binary"])
def test_arrow_arrays_slices_and_results_of_the_same_type(kind):
    texts = messages_of(30, 12)
    kind = getattr(pa, kind)()
    array = pa.array([b"left out", *texts, b"left out too"], kind)[1:-1]
    assert array.offset == 1
    keys, nonces = random_rows(1, 30, 16), random_rows(2, 30, 32)
    sealed = fleet.encrypt("schwaemm256-128", keys, nonces, array, associated_data=array)
    ciphertexts = sealed.to_arrow()
    assert ciphertexts.type == kind
    ciphertexts.validate(full=True)
    expected = [
        seal_one("schwaemm256-128", k, n, t, t) for k, n, t in zip(keys, nonces, texts, strict=True)
    ]
    tags = fleet.to_fixed_size_binary(sealed.tags)
    assert [
        c + t for c, t in zip(ciphertexts.to_pylist(), tags.to_pylist(), strict=True)
    ] == expected
    arrow_keys, arrow_nonces = fleet.to_fixed_size_binary(keys), fleet.to_fixed_size_binary(nonces)
    opened = fleet.decrypt(
        "schwaemm256-128",
        arrow_keys[7:],
        arrow_nonces[7:],
        ciphertexts[7:],
        tags[7:],
        associated_data=array[7:],
    )
    assert opened.to_arrow().to_pylist() == texts[7:]


def test_arrow_fixed_size_binary_and_two_dimensions():
    rows = random_rows(3, 20, 24)
    array = fleet.to_fixed_size_binary(rows)
    keys, nonces = random_rows(1, 20, 16), random_rows(2, 20, 32)
    from_rows = fleet.encrypt("schwaemm256-128", keys, nonces, rows)
    from_arrow = fleet.encrypt("schwaemm256-128", keys[2:9], nonces[2:9], array[2:9])
    assert from_rows.data.shape == rows.shape
    assert len(from_rows) == 20
    assert from_arrow.to_arrow().type == pa.binary(24)
    assert from_arrow.to_arrow().to_pylist() == [row.tobytes() for row in from_rows.data[2:9]]
    assert from_rows.to_arrow().to_pylist() == [row.tobytes() for row in from_rows.data]


def test_any_object_with_the_arrow_interface():
    texts = messages_of(12, 13)
    plain = pa.array(texts, pa.binary())

    class Array:
        def __arrow_c_array__(self, requested_schema=None):
            return plain.__arrow_c_array__(requested_schema)

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.chunked_array([plain[:5], plain[5:]]).__arrow_c_stream__(requested_schema)

    expected = fleet.hash("esch256", plain)
    for other in (
        Array(),
        Stream(),
        pa.chunked_array([plain[:5], plain[5:]]),
        plain.cast(pa.binary_view()),
    ):
        assert (fleet.hash("esch256", other) == expected).all(), type(other)


def test_nulls_are_refused_with_the_first_index():
    array = pa.array([b"0", b"1", None, b"3", None], pa.binary())
    with pytest.raises(ValueError, match="index 2"):
        fleet.hash("esch256", array)
    with pytest.raises(ValueError, match="index 1"):
        fleet.hash("esch256", array[1:])
    assert len(fleet.hash("esch256", array[:2])) == 2


@pytest.mark.parametrize(
    "empty",
    [
        pa.array([], pa.binary()),
        pa.array([], pa.binary(3)),
        np.empty((0, 5), np.uint8),
        pa.array([b"a", b"b"])[2:],
    ],
)
def test_no_messages(empty):
    none = np.empty((0, 16), np.uint8), np.empty((0, 32), np.uint8)
    sealed = fleet.encrypt("schwaemm256-128", *none, empty)
    assert len(sealed) == 0
    assert sealed.tags.shape == (0, 16)
    opened = fleet.decrypt("schwaemm256-128", *none, sealed.data, sealed.tags, sealed.offsets)
    assert opened.ok
    assert sealed.to_arrow().to_pylist() == []
    assert fleet.hash("esch256", empty).shape == (0, 32)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_do_not_change_the_result(threads):
    n = 4000
    rng = np.random.default_rng(14)
    lengths = rng.integers(0, 600, n)
    lengths[17] = 300_000  # one long message among short ones
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    data = rng.integers(0, 256, offsets[-1], dtype=np.uint8)
    keys, nonces = random_rows(1, n, 16), random_rows(2, n, 32)
    one = fleet.encrypt("schwaemm256-128", keys, nonces, data, offsets, threads=1)
    many = fleet.encrypt("schwaemm256-128", keys, nonces, data, offsets, threads=threads)
    assert (one.data == many.data).all()
    assert (one.tags == many.tags).all()
    bad = [0, 17, 1234, n - 1]
    many.tags[bad, 3] ^= 1
    opened = fleet.decrypt(
        "schwaemm256-128", keys, nonces, many.data, many.tags, offsets, threads=threads
    )
    assert opened.failed.tolist() == bad
    for i in bad:
        data[offsets[i] : offsets[i + 1]] = 0
    assert (opened.data == data).all()


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize(("n", "size"), [(50_000, 13), (700, 3000), (4097, 96)])
def test_threads_do_not_change_rows(n, size, threads):
    """Numbers of rows on both sides of those from which on ranges end with a whole group, and of
    those that one call of the library takes.
    """
    data = np.random.default_rng(15).integers(0, 256, (n, size), dtype=np.uint8)
    keys, ivs = random_rows(1, n, 16), random_rows(2, n, 8)
    many = fleet.ctr("speck-64/128", keys, ivs, data, threads=threads)
    flat = fleet.ctr(
        "speck-64/128", keys, ivs, data.reshape(-1), np.arange(n + 1) * size, threads=1
    )
    assert (many.data.reshape(-1) == flat.data).all()
    digests = fleet.hash("esch256", data, threads=threads)
    for i in (0, 1, n // 2, n - 1):
        assert digests[i].tobytes() == hashes.Esch256(data[i].tobytes()).digest()


def test_short_eax_tags_need_their_size():
    rows = random_rows(3, 6, 24)
    keys, nonces = random_rows(1, 6, 16), random_rows(2, 6, 5)
    sealed = fleet.encrypt("speck-64/128-eax", keys, nonces, rows, tag_size=4)
    assert sealed.tags.shape == (6, 4)
    assert fleet.decrypt("speck-64/128-eax", keys, nonces, sealed.data, sealed.tags, tag_size=4).ok
    with pytest.raises(ValueError, match=r"tags has shape \(6, 4\); expected \(6, 8\)"):
        fleet.decrypt("speck-64/128-eax", keys, nonces, sealed.data, sealed.tags)


def ctr_blocks(lengths, block):
    return sum(-(-length // block) for length in lengths)


def eax_blocks(lengths, block, nonce, ad):
    return sum(
        3 + -(-nonce // block) + -(-ad // block) + 2 * -(-length // block) for length in lengths
    )


@pytest.mark.parametrize("threads", [1, 4])
def test_limit_of_one_key_covers_the_whole_call(threads):
    lengths = [0, 1, 8, 9, 1000]
    data, offsets = ragged([bytes(length) for length in lengths])
    key, nonces, ivs = bytes(16), random_rows(1, 5, 12), random_rows(2, 5, 8)
    exact = ctr_blocks(lengths, 8)
    fleet.ctr("speck-64/128", key, ivs, data, offsets, limit=exact, threads=threads)
    out = np.full_like(data, 0xA5)
    with pytest.raises(
        hanji.LimitError,
        match=f"need {exact} blocks under one key; the limit of speck-64/128 is {exact - 1}",
    ):
        fleet.ctr(
            "speck-64/128", key, ivs, data, offsets, limit=exact - 1, threads=threads, out=out
        )
    ads = np.zeros((5, 3), np.uint8)
    exact = 1 + eax_blocks(lengths, 8, 12, 3)
    arguments = {"associated_data": ads, "threads": threads}
    sealed = fleet.encrypt("speck-64/128-eax", key, nonces, data, offsets, limit=exact, **arguments)
    assert fleet.decrypt(
        "speck-64/128-eax", key, nonces, sealed.data, sealed.tags, offsets, limit=exact, **arguments
    ).ok
    with pytest.raises(hanji.LimitError, match="under one key"):
        fleet.encrypt(
            "speck-64/128-eax", key, nonces, data, offsets, limit=exact - 1, out=out, **arguments
        )
    with pytest.raises(hanji.LimitError, match="under one key"):
        fleet.decrypt(
            "speck-64/128-eax",
            key,
            nonces,
            sealed.data,
            sealed.tags,
            offsets,
            limit=exact - 1,
            out=out,
            **arguments,
        )
    assert (out == 0xA5).all()


@settings(max_examples=40)
@given(
    lengths=st.lists(st.integers(0, 40), min_size=1, max_size=6),
    ad=st.integers(0, 20),
    nonce=st.integers(1, 20),
    limit=st.integers(1, 60),
    name=st.sampled_from(["speck-64/128", "simon-128/256"]),
    eax=st.booleans(),
    one_key=st.booleans(),
)
def test_the_library_counts_blocks_as_this_package_does(
    lengths, ad, nonce, limit, name, eax, one_key
):
    """Both refuse the same calls: the package before it splits a call, the library within a call
    that is not split.
    """
    n = len(lengths)
    data, offsets = ragged([bytes(length) for length in lengths])
    keys = random_rows(0, n, ROWS[name].key_size)
    ivs = random_rows(1, n, nonce if eax else ROWS[name].block_size)

    ads = np.zeros((n, ad), np.uint8)
    keys = keys[0] if one_key else keys

    def attempt():
        if eax:
            fleet.encrypt(
                f"{name}-eax", keys, ivs, data, offsets, associated_data=ads, limit=limit, threads=1
            )
        else:
            fleet.ctr(name, keys, ivs, data, offsets, limit=limit, threads=1)

    def refused():
        try:
            attempt()
        except hanji.LimitError:
            return True
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fleet._Call, "check_limit", lambda self, each: None)
        by_library = refused()
    assert refused() == by_library


def test_limit_of_many_keys_covers_each_message():
    lengths = [8, 100, 8]
    data, offsets = ragged([bytes([i]) * length for i, length in enumerate(lengths)])
    keys, nonces, ivs = random_rows(0, 3, 16), random_rows(1, 3, 12), random_rows(2, 3, 8)
    assert len(fleet.ctr("speck-64/128", keys, ivs, data, offsets, limit=13)) == 3
    with pytest.raises(hanji.LimitError, match="message 1 needs 13 blocks"):
        fleet.ctr("speck-64/128", keys, ivs, data, offsets, limit=12)
    exact = 1 + eax_blocks([100], 8, 12, 0)
    sealed = fleet.encrypt("speck-64/128-eax", keys, nonces, data, offsets, limit=exact)
    with pytest.raises(hanji.LimitError, match="message 1"):
        fleet.encrypt("speck-64/128-eax", keys, nonces, data, offsets, limit=exact - 1)
    opened = fleet.decrypt(
        "speck-64/128-eax", keys, nonces, sealed.data, sealed.tags, offsets, limit=exact - 1
    )
    assert opened.status.tolist() == [0, -4, 0]  # a hostile length costs its own message only
    assert split(opened.data, opened.offsets) == [bytes([0]) * 8, bytes(100), bytes([2]) * 8]


def test_refusals_name_the_array_and_what_was_expected():
    n = 5
    keys, nonces, rows = random_rows(1, n, 16), random_rows(2, n, 32), random_rows(3, n, 10)
    tags = random_rows(4, n, 16)
    flat, offsets = rows.reshape(-1), np.arange(n + 1) * 10
    name = "schwaemm256-128"

    def refused(error, message, call):
        with pytest.raises(error, match=message):
            call()

    refused(
        ValueError,
        "did you mean schwaemm256-128",
        lambda: fleet.encrypt("schwaemm-256-128", keys, nonces, rows),
    )
    refused(ValueError, "fleet.hash knows no algorithm", lambda: fleet.hash("sha256", rows))
    refused(
        ValueError,
        r"keys has shape \(5, 15\); expected \(5, 16\), or one of 16 bytes",
        lambda: fleet.encrypt(name, keys[:, :15], nonces, rows),
    )
    refused(
        ValueError,
        r"keys has shape \(4, 16\); expected \(5, 16\)",
        lambda: fleet.encrypt(name, keys[:4], nonces, rows),
    )
    refused(
        ValueError,
        r"keys has shape \(15,\); expected \(5, 16\), or one",
        lambda: fleet.encrypt(name, bytes(15), nonces, rows),
    )
    refused(
        ValueError,
        r"nonces has shape \(32,\); expected \(5, 32\)",
        lambda: fleet.encrypt(name, keys, bytes(32), rows),
    )
    refused(
        ValueError,
        r"ivs has shape \(5, 16\); expected \(5, 8\)",
        lambda: fleet.ctr("speck-64/128", keys, keys, rows),
    )
    refused(
        ValueError,
        r"tags has shape \(5, 15\); expected \(5, 16\)",
        lambda: fleet.decrypt(name, keys, nonces, rows, tags[:, 1:]),
    )
    refused(
        TypeError,
        "data has dtype float64",
        lambda: fleet.encrypt(name, keys, nonces, rows.astype(float)),
    )
    refused(
        TypeError,
        "data must be a uint8 array.*not list",
        lambda: fleet.encrypt(name, keys, nonces, [b"a"] * n),
    )
    refused(
        TypeError,
        "Arrow type int64; cast it to binary",
        lambda: fleet.encrypt(name, keys, nonces, pa.array(range(n))),
    )
    refused(
        ValueError, "one-dimensional: give offsets", lambda: fleet.encrypt(name, keys, nonces, flat)
    )
    refused(
        ValueError,
        "offsets say otherwise",
        lambda: fleet.encrypt(name, keys, nonces, rows, offsets + 1),
    )
    refused(
        ValueError,
        "do not give offsets",
        lambda: fleet.encrypt(name, keys, nonces, fleet.to_fixed_size_binary(rows), offsets),
    )
    refused(
        ValueError,
        "offsets must be n \\+ 1 numbers.*float64",
        lambda: fleet.encrypt(name, keys, nonces, flat, offsets * 1.0),
    )
    refused(
        ValueError,
        "offsets decrease at message 2: 20, then 5",
        lambda: fleet.hash("esch256", flat, np.array([0, 10, 20, 5, 40])),
    )
    refused(
        ValueError,
        "offsets go from 0 to 51, but data has 50 bytes",
        lambda: fleet.hash("esch256", flat, np.array([0, 51])),
    )
    refused(
        ValueError,
        "offsets go from -1 to 5",
        lambda: fleet.hash("esch256", flat, np.array([-1, 5])),
    )
    refused(
        ValueError,
        "associated_data has 4 entries for 5 messages",
        lambda: fleet.encrypt(name, keys, nonces, rows, associated_data=rows[:4]),
    )
    refused(
        ValueError,
        "without associated_data",
        lambda: fleet.encrypt(name, keys, nonces, rows, ad_offsets=offsets),
    )
    refused(
        ValueError,
        r"out must be a uint8 array of shape \(5, 10\)",
        lambda: fleet.encrypt(name, keys, nonces, rows, out=flat),
    )
    refused(
        ValueError,
        "tag_size is 8; schwaemm256-128 takes 16",
        lambda: fleet.encrypt(name, keys, nonces, rows, tag_size=8),
    )
    refused(
        ValueError,
        "tag_size is 9; speck-64/128-eax takes 1 to 8",
        lambda: fleet.encrypt("speck-64/128-eax", keys, nonces, rows, tag_size=9),
    )
    refused(
        ValueError,
        "digest_size is 31; esch256 takes 32",
        lambda: fleet.hash("esch256", rows, digest_size=31),
    )
    refused(
        ValueError,
        "customization is 257 bytes; ascon-cxof128 takes 0 to 256 bytes",
        lambda: fleet.hash("ascon-cxof128", rows, customization=bytes(257)),
    )
    refused(
        ValueError,
        "customization is 3 bytes; ascon-xof128 takes none; only ascon-cxof128 takes one",
        lambda: fleet.hash("ascon-xof128", rows, customization=b"use"),
    )
    refused(
        TypeError,
        "customization must be bytes-like",
        lambda: fleet.hash("ascon-cxof128", rows, customization="use"),
    )
    refused(
        ValueError, "has no limit to set", lambda: fleet.encrypt(name, keys, nonces, rows, limit=5)
    )
    refused(ValueError, "threads is 0", lambda: fleet.encrypt(name, keys, nonces, rows, threads=0))
    refused(
        TypeError,
        "out is read-only",
        lambda: fleet.encrypt(name, keys, nonces, rows, out=np.broadcast_to(rows, rows.shape)),
    )
    refused(
        BufferError,
        "not C-contiguous",
        lambda: fleet.encrypt(name, keys, nonces, rows, out=np.asfortranarray(rows)),
    )


def test_outputs_may_not_lie_in_other_inputs():
    memory = np.zeros(32 * 20, np.uint8)
    rows, nonces = memory[:640].reshape(20, 32), memory[:640].reshape(20, 32)
    keys = random_rows(1, 20, 16)
    with pytest.raises(ValueError, match="overlaps nonces"):
        fleet.encrypt("schwaemm256-128", keys, nonces, rows.copy(), out=rows)
    with pytest.raises(ValueError, match="overlaps data in part"):
        fleet.encrypt(
            "schwaemm256-128",
            keys,
            nonces.copy(),
            memory[0:600].reshape(20, 30),
            out=memory[10:610].reshape(20, 30),
        )
    assert not memory.any()


def laid_over(memory, start, rows, size):
    """Rows in a piece of memory."""
    return memory[start : start + rows * size].reshape(rows, size)


@pytest.mark.parametrize("name", ["schwaemm256-128", "cham-128/128-eax"])
@pytest.mark.parametrize("shift", [0, 1, 100, 639])
def test_out_may_not_lie_in_any_other_array(name, shift):
    """By all, by one byte and in between; side by side they are taken."""
    memory = np.zeros(4000, np.uint8)
    data, keys, nonces, ad = (
        random_rows(1, 20, 32),
        random_rows(2, 20, 16),
        random_rows(3, 20, 32),
        random_rows(4, 20, 5),
    )
    out = laid_over(memory, 1000, 20, 32)
    before = [array.copy() for array in (data, keys, nonces, ad)]
    for what, wrong in (
        ("keys", {"keys": laid_over(memory, 1000 + shift, 20, 16)}),
        ("nonces", {"nonces": laid_over(memory, 1000 + shift, 20, 32)}),
        ("associated_data", {"associated_data": laid_over(memory, 1000 + shift, 20, 5)}),
        *([("data in part", {"data": laid_over(memory, 1000 + shift, 20, 32)})] if shift else []),
    ):
        arguments = {
            "keys": keys,
            "nonces": nonces,
            "data": data,
            "associated_data": ad,
            "out": out,
        } | wrong
        with pytest.raises(ValueError, match=f"out overlaps {what}"):
            fleet.encrypt(name, **arguments)
        with pytest.raises(ValueError, match=f"out overlaps {what}"):
            fleet.decrypt(name, **arguments, tags=random_rows(5, 20, 16))
    with pytest.raises(ValueError, match="out overlaps tags"):
        fleet.decrypt(
            name,
            keys,
            nonces,
            data,
            tags=laid_over(memory, 1000 + shift, 20, 16),
            associated_data=ad,
            out=out,
        )
    assert not memory.any() and all(
        np.array_equal(a, b) for a, b in zip(before, (data, keys, nonces, ad), strict=True)
    )
    beside = laid_over(memory, 1640, 20, 16)
    beside[:] = keys
    fleet.encrypt(name, beside, nonces, data, associated_data=ad, out=out)


def test_arrays_reach_from_their_first_byte_to_their_last():
    """Associated data in the same memory as the output, before and behind it."""

    def call(at: object) -> object:
        texts = {"offsets": offsets, "associated_data": memory, "ad_offsets": at, "out": memory}
        return fleet.encrypt("schwaemm256-128", keys, nonces, memory, **texts)

    memory = np.zeros(400, np.uint8)
    keys, nonces = random_rows(2, 2, 16), random_rows(3, 2, 32)
    offsets, before, behind = (
        np.array([100, 130, 160]),
        np.array([0, 40, 100]),
        np.array([160, 170, 200]),
    )
    for ad_offsets, taken in (
        (before, True),
        (behind, True),
        (before + 1, False),
        (behind - 1, False),
    ):
        if taken:
            call(ad_offsets)
            continue
        with pytest.raises(ValueError, match="out overlaps associated_data"):
            call(ad_offsets)


def test_the_compiled_call_refuses_what_python_never_passes():
    """Tags and status inside other arrays, offsets inside the output: the module checks them by
    itself.
    """
    memory = bytearray(1024)
    view = memoryview(memory)

    def call(**changed: object) -> int:
        arguments: dict[str, object] = {
            "algorithm": "schwaemm256-128", "operation": "encrypt", "cipher": "", "offsets": np.array([0, 16, 32]).tobytes(), "data": bytes(32),
            "out": bytearray(32), "ad_offsets": None, "ad": None, "keys": bytes(32), "one_key": False, "nonces": bytes(64), "nonce_size": 32,
            "tags": bytearray(32), "tag_size": 16, "status": bytearray(2), "limit": 0, "threads": 1,
        }  # fmt: skip
        return _core.fleet(**(arguments | changed))

    assert call() == 0
    assert call(out=view[0:32], tags=view[32:64], status=view[64:66], keys=view[66:98]) == 0
    memory[:] = np.array([0, 16, 32]).tobytes() + bytes(1000)
    before = bytes(memory)
    for changed, message in (
        ({"out": view[0:32], "tags": view[31:63]}, "out overlaps tags"),
        ({"out": view[0:32], "status": view[30:32]}, "out overlaps status"),
        ({"data": view[0:32], "status": view[31:33]}, "status overlaps data"),
        ({"tags": view[0:32], "status": view[31:33]}, "status overlaps tags"),
        ({"data": view[0:32], "tags": view[0:32]}, "tags overlaps data"),
        ({"keys": view[0:32], "tags": view[31:63]}, "tags overlaps keys"),
        ({"nonces": view[0:64], "tags": view[63:95]}, "tags overlaps nonces"),
        ({"keys": view[0:32], "status": view[4:6]}, "status overlaps keys"),
        ({"customization": view[0:9], "tags": view[8:40]}, "tags overlaps customization"),
        ({"customization": b"use"}, "takes no customization string"),
        ({"offsets": view[0:24], "out": view[23:55]}, "out overlaps offsets"),
        ({"offsets": view[0:24], "tags": view[0:32]}, "tags overlaps offsets"),
        ({"offsets": view[0:24], "status": view[0:2]}, "status overlaps offsets"),
    ):
        with pytest.raises(ValueError, match=message):
            call(**changed)
    assert memory == before


def test_contiguity_of_inputs_does_not_matter():
    wide = random_rows(3, 10, 40)
    keys, nonces = random_rows(1, 10, 32)[:, ::2], random_rows(2, 10, 64)[:, 1::2]
    strided = fleet.encrypt("schwaemm256-128", keys, nonces, wide[:, ::2])
    dense = fleet.encrypt("schwaemm256-128", keys.copy(), nonces.copy(), wide[:, ::2].copy())
    assert (strided.data == dense.data).all()
    assert (strided.tags == dense.tags).all()
