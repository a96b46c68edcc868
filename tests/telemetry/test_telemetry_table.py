# SPDX-License-Identifier: Apache-2.0
"""hanji.table: columns by their names, any algorithm, any rule for nonces, bad rows and bad
columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest

from hanji import InvalidTag, _core, aead, fleet, hazmat, table, telemetry

pytestmark = pytest.mark.quick

SIZES = {"ascon-aead128": (16, 16), "schwaemm192-192": (24, 24), "speck-64/128-eax": (16, 8)}


def rows(algorithm: str, count: int = 40) -> pa.Table:
    random = np.random.default_rng(len(algorithm))
    key, nonce = SIZES[algorithm]
    lengths = random.integers(0, 70, count).tolist()
    return pa.table(
        {
            "key": [random.bytes(key) for _ in range(count)],
            "nonce": [random.bytes(nonce) for _ in range(count)],
            "text": [random.bytes(length) for length in lengths],
            "about": [random.bytes(length % 9) for length in lengths],
            "row": pa.array(range(count), pa.int32()),
        }
    )


def one(algorithm: str, row: dict[str, Any], nonce: bytes) -> bytes:
    """What the classes for one message make of a row."""
    if algorithm.endswith("-eax"):
        cipher = hazmat.eax(algorithm.removesuffix("-eax"), row["key"])
        return bytes(cipher.encrypt(nonce, row["text"], row["about"]))
    kind = {"ascon-aead128": aead.AsconAEAD128, "schwaemm192-192": aead.Schwaemm192_192}
    return bytes(kind[algorithm](row["key"]).encrypt(nonce, row["text"], row["about"]))


@pytest.mark.parametrize("algorithm", SIZES)
def test_equals_single_messages(algorithm: str) -> None:
    """Every row is what the AEAD makes of it alone; sliced and chunked tables, and Polars."""
    whole = rows(algorithm)
    names = {"algorithm": algorithm, "key": "key", "nonce": "nonce", "associated_data": "about"}
    chunked = pa.concat_tables([whole.slice(0, 13), whole.slice(13, 1), whole.slice(14)])
    want = [one(algorithm, row, row["nonce"]) for row in whole.to_pylist()]
    sealed = table.seal(chunked, **names, data="text")
    assert sealed.column_names == [*whole.column_names, "sealed"]
    assert sealed["sealed"].to_pylist() == want
    opened = table.open(sealed.slice(5, 30), **names, data="sealed")
    assert opened["plaintext"].to_pylist() == whole["text"].to_pylist()[5:35]
    assert opened["status"].to_pylist() == [0] * 30 and opened["status"].type == pa.int8()
    (batch,) = sealed.combine_chunks().to_batches()
    assert isinstance(table.open(batch, **names, data="sealed"), pa.RecordBatch)
    frame = table.seal(polars.from_arrow(whole), **names, data="text")
    assert isinstance(frame, polars.DataFrame) and frame["sealed"].to_list() == want
    assert table.open(frame, **names, data="sealed")["plaintext"].to_list() == (
        whole["text"].to_pylist()
    )
    apart = table.seal(whole, **names, data="text", tag="tag")
    assert [
        a + b for a, b in zip(*(apart[n].to_pylist() for n in ("sealed", "tag")), strict=True)
    ] == want
    again = table.open(apart, **names, data="sealed", tag="tag")
    assert again["plaintext"].to_pylist() == whole["text"].to_pylist()


@pytest.mark.parametrize("algorithm", SIZES)
def test_rules_for_nonces(algorithm: str) -> None:
    """A counter is little-endian with zeros behind; a function may make any other nonce."""
    whole, size = rows(algorithm), SIZES[algorithm][1]
    names = {"algorithm": algorithm, "key": "key", "associated_data": "about", "data": "text"}
    counted = [
        one(algorithm, row, row["row"].to_bytes(size, "little")) for row in whole.to_pylist()
    ]
    assert table.seal(whole, nonce="row", **names)["sealed"].to_pylist() == counted

    def rule(given: Any) -> np.ndarray:
        made = np.zeros((given.num_rows, size), np.uint8)
        made[:, -1] = given["row"].to_numpy()
        return made

    ended = [one(algorithm, row, row["row"].to_bytes(size, "big")) for row in whole.to_pylist()]
    assert table.seal(whole, nonce=rule, **names)["sealed"].to_pylist() == ended


def test_bad_rows() -> None:
    """Forged, cut and null rows do not stop the others; each has its status."""
    algorithm = "ascon-aead128"
    whole = rows(algorithm)
    names = {"algorithm": algorithm, "key": "key", "nonce": "nonce", "associated_data": "about"}
    sealed = table.seal(whole, **names, data="text")
    data = sealed["sealed"].to_pylist()
    columns = {name: sealed[name].to_pylist() for name in sealed.column_names}
    data[0] = data[0][:-1] + bytes([data[0][-1] ^ 1])
    data[1], data[2], data[3] = None, data[2][:15], b""
    columns["key"][4] = columns["nonce"][5] = columns["about"][6] = None
    given = pa.table({**columns, "sealed": data})
    opened = table.open(given, **names, data="sealed")
    codes = [-3, -22, -16, -16, -22, -22, -22] + [0] * 33
    assert opened["status"].to_pylist() == codes
    plain = [None] * 7 + whole["text"].to_pylist()[7:]
    assert opened["plaintext"].to_pylist() == plain
    assert [table.STATUSES[code] for code in (-3, -22, -16)] == ["forged", "null", "truncated"]
    assert table.open(given.slice(1, 1), **names, data="sealed")["plaintext"].to_pylist() == [None]
    nothing = table.open(given.slice(0, 0), **names, data="sealed")
    assert nothing.num_rows == 0 and nothing["plaintext"].type == pa.binary()
    with pytest.raises(ValueError, match="row 4: its data, key, nonce or associated data is null"):
        table.seal(given, **names, data="text", output="again")


def test_one_key() -> None:
    whole, key = rows("ascon-aead128"), bytes(range(16))
    sealed = table.seal(whole, algorithm="ascon-aead128", key=key, nonce="nonce", data="text")
    single = aead.AsconAEAD128(key)
    for row in sealed.to_pylist():
        assert bytes(single.decrypt(row["nonce"], row["sealed"], b"")) == row["text"]
    other = table.open(
        sealed, algorithm="ascon-aead128", key=bytes(16), nonce="nonce", data="sealed"
    )
    assert set(other["status"].to_pylist()) == {-3}
    with pytest.raises(InvalidTag):
        aead.AsconAEAD128(bytes(16)).decrypt(
            *sealed.select(["nonce", "sealed"]).to_pylist()[0].values(), b""
        )
    twice = pa.concat_tables([whole, whole.slice(3, 1)])
    with pytest.raises(ValueError, match="rows 3 and 40 have the same nonce under one key"):
        table.seal(twice, algorithm="ascon-aead128", key=key, nonce="nonce", data="text")
    table.seal(twice, algorithm="ascon-aead128", key="key", nonce="nonce", data="text")


def test_limits_and_tags_of_eax() -> None:
    whole, name = rows("speck-64/128-eax"), "speck-64/128-eax"
    names = {"algorithm": name, "key": "key", "nonce": "nonce", "tag_size": 4}
    sealed = table.seal(whole, **names, data="text")
    sizes = [len(each) for each in sealed["sealed"].to_pylist()]
    assert sizes == [len(each) + 4 for each in whole["text"].to_pylist()]
    assert not any(table.open(sealed, **names, data="sealed")["status"].to_pylist())
    limited = table.open(sealed, **names, data="sealed", limit=6)["status"].to_pylist()
    assert set(limited) == {0, -4}
    tags = pa.array([each[-4:] for each in sealed["sealed"].to_pylist()])
    texts = pa.array([each[:-4] for each in sealed["sealed"].to_pylist()])
    want = fleet.decrypt(
        name,
        np.array([list(each) for each in whole["key"].to_pylist()], np.uint8),
        np.array([list(each) for each in whole["nonce"].to_pylist()], np.uint8),
        texts,
        tags.cast(pa.binary(4)),
        tag_size=4,
        limit=6,
    )
    assert limited == want.status.tolist()


NAMES = {"algorithm": "ascon-aead128", "key": "key", "nonce": "nonce", "data": "text"}


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"data": "none"}, ValueError, "data: the table has no column of this name"),
        ({"key": "none"}, ValueError, "key: the table has no column of this name"),
        ({"associated_data": "none"}, ValueError, "associated_data: the table has no column"),
        (
            {"key": "short"},
            ValueError,
            "key has 15 bytes in row 2 of column 'short'; ascon-aead128 takes 16",
        ),
        ({"nonce": "short"}, ValueError, "nonce has 15 bytes in row 2"),
        ({"nonce": "less"}, ValueError, "nonce is -1 in row 0; numbers begin with 0"),
        ({"key": "row"}, TypeError, "key: column 'row' has the type int32; it takes binary"),
        ({"data": "words"}, TypeError, "data: column 'words' has the type string"),
        ({"key": b"short"}, ValueError, "key has 5 bytes; ascon-aead128 takes 16"),
        ({"key": 5}, TypeError, "key is a int; it takes the name of a column, or one key"),
        ({"nonce": b"bytes"}, TypeError, "nonce is a bytes; it takes the name of a column"),
        (
            {"nonce": lambda given: np.zeros((3, 16), np.uint8)},
            ValueError,
            r"\(3, 16\).*\(40, 16\)",
        ),
        ({"nonce": lambda given: 1}, ValueError, "the function for nonces gave int"),
        ({"associated_data": lambda given: pa.array([b""])}, TypeError, "each of the 40 rows"),
        ({"algorithm": "ascon"}, ValueError, "knows no algorithm an unknown name"),
        ({"output": "row"}, ValueError, "the table has a column 'row' already"),
        ({"tag_size": 8}, ValueError, "tag_size is 8; ascon-aead128 takes 16"),
    ],
)
@pytest.mark.parametrize("call", [table.open, table.seal])
def test_errors_name_the_column(call: Any, change: dict[str, Any], error: type, said: str) -> None:
    whole = rows("ascon-aead128")
    short = [b"x" * (15 if row == 2 else 16) for row in range(40)]
    given = whole.append_column("short", [short]).append_column("words", [["a"] * 40])
    given = given.append_column("less", [[*range(-1, 39)]])
    with pytest.raises(error, match=said):
        call(given, **NAMES | change)


def test_errors_of_one_direction() -> None:
    whole = rows("ascon-aead128")
    with pytest.raises(TypeError, match="the table is a dict"):
        table.open({"key": []}, **NAMES)
    with pytest.raises(ValueError, match=r"tag has \d+ bytes in row"):
        table.open(whole, **NAMES, tag="about")
    with pytest.raises(ValueError, match="a column 'x' already"):
        table.open(whole, **NAMES, output="x", status="x")
    with pytest.raises(ValueError, match="a column 'row' already"):
        table.seal(whole, **NAMES, tag="row")


# ---- splitting and joining the byte strings of a column


def flat(texts: list[bytes], first: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Byte strings side by side behind `first` other bytes, and their n + 1 offsets."""
    ends = np.cumsum([first, *map(len, texts)])
    return np.frombuffer(b"x" * first + b"".join(texts) + b"yz", np.uint8), ends.astype(np.int64)


def test_rows_are_split_and_joined_as_python_does() -> None:
    random = np.random.default_rng(44)
    for tail in (0, 1, 4, 8, 16, 24):
        texts = [random.bytes(tail + int(extra)) for extra in random.integers(0, 40, 50)]
        data, offsets = flat(texts, first=int(random.integers(0, 9)))
        for use in (None, np.arange(0), np.array([7]), random.permutation(50)[:20], np.arange(50)):
            chosen = texts if use is None else [texts[row] for row in use]
            heads, starts, tails = telemetry._split(data, offsets, use, tail)
            parts = [text[: len(text) - tail] for text in chosen]
            assert heads.tobytes() == b"".join(parts)
            assert starts.tolist() == np.cumsum([0, *map(len, parts)]).tolist()
            assert [row.tobytes() for row in tails] == [text[len(text) - tail :] for text in chosen]
            joined, ends = table._joined(heads, starts, tails)
            assert joined.tobytes() == b"".join(chosen)
            assert ends.tolist() == np.cumsum([0, *map(len, chosen)]).tolist()


def test_rows_beyond_four_gibibytes() -> None:
    """No length or offset is cut to 32 bits. Only the pages of the three rows are touched."""
    far = (1 << 32) + 5
    try:
        data = np.zeros(far + 100, np.uint8)
    except MemoryError:
        pytest.skip("no address space for 4 GiB")
    data[5:9], data[far : far + 9] = 1, range(9)  # 5 is far, cut to 32 bits
    offsets = np.array([0, 5, far, far + 9, far + 9], np.int64)
    heads, starts, tails = telemetry._split(data, offsets, np.array([2, 0, 3]), 0)
    assert heads.tobytes() == bytes(range(9)) + bytes(5)
    assert (starts.tolist(), tails.shape) == ([0, 9, 14, 14], (3, 0))
    with pytest.raises(ValueError, match="outputs do not have the size"):
        split(data, offsets, np.array([1]), heads=np.empty((far - 5) & 0xFFFFFFFF, np.uint8))


DATA, OFFSETS = flat([b"0123", b"", b"456789"])
HUGE = 1 << 62


def split(data: Any = DATA, offsets: Any = OFFSETS, use: Any = None, **given: Any) -> None:
    """split_rows with a tail of 0 bytes and outputs that fit DATA."""
    count = len(offsets) - 1 if use is None else len(use)
    made = {
        "tail": 0,
        "heads": np.empty(10, np.uint8),
        "starts": np.empty(8 * (count + 1), np.uint8),
        "tails": np.empty(0, np.uint8),
    } | given
    words = [None if one is None else telemetry._view(one) for one in (offsets, use)]
    _core.split_rows(data, *words, **made)


@pytest.mark.parametrize(
    ("offsets", "said"),
    [
        ([0, 4, 3, 10], "row 1: its offsets"),
        ([-1, 4, 4, 10], "row 0: its offsets"),
        ([0, 4, 4, 13], "row 2: its offsets"),
        ([0, 4, 4, HUGE], "row 2: its offsets"),
        ([0, 4, 4, -HUGE], "row 2: its offsets"),
        ([0, 4, 4, (1 << 32) + 10], "row 2: its offsets"),
        ([0, 4, 4, 11], "outputs do not have the size"),
        ([0, 4, 4, 9], "outputs do not have the size"),
        ([], "offsets are empty; n . 1 numbers for n rows expected"),
    ],
)
def test_wrong_offsets_name_the_row(offsets: list[int], said: str) -> None:
    given = np.array(offsets, np.int64)
    with pytest.raises(ValueError, match=said):
        split(offsets=given, starts=np.empty(8 * max(len(given), 1), np.uint8))
    with pytest.raises(ValueError, match=said):
        _core.join_rows(
            DATA,
            telemetry._view(given),
            np.empty(0, np.uint8),
            0,
            np.empty(10, np.uint8),
            np.empty(8 * max(len(given), 1), np.uint8),
        )


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (
            {"use": np.array([0, 3])},
            ValueError,
            "entry 1 of use is not the number of one of 3 rows",
        ),
        ({"use": np.array([-1])}, ValueError, "entry 0 of use"),
        ({"use": np.array([HUGE])}, ValueError, "entry 0 of use"),
        (
            {"tail": 1, "tails": bytearray(3)},
            ValueError,
            "row 1: .* hold fewer bytes than the tail",
        ),
        ({"tail": (1 << 64) - 1}, ValueError, "row 0: .* hold fewer bytes than the tail"),
        ({"tail": 1, "use": np.array([2])}, ValueError, "outputs do not have the size"),
        ({"tails": np.empty(1, np.uint8)}, ValueError, "outputs do not have the size"),
        ({"starts": np.empty(24, np.uint8)}, ValueError, "starts is 24 bytes; 3 rows take 8 . 4"),
        ({"starts": np.empty(33, np.uint8)}, ValueError, "starts is 33 bytes"),
        ({"heads": bytes(10)}, TypeError, "heads is a read-only bytes"),
        ({"heads": np.empty(20, np.uint8)[::2]}, BufferError, "heads is a .* not C-contiguous"),
        ({"heads": np.empty(10, ">i8")}, TypeError, "heads must be bytes-like"),
        ({"data": np.zeros(20, np.uint8)[::2]}, BufferError, "data is a .* not C-contiguous"),
        ({"data": None}, TypeError, "data must be bytes-like"),
    ],
)
def test_split_rows_refuses_misuse(given: dict[str, Any], error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        split(**given)


def test_words_are_given_as_bytes() -> None:
    """Arrays of numbers are refused, because their byte order or their stride could be another."""
    for wrong in (OFFSETS, OFFSETS.astype(">i8"), OFFSETS[::2]):
        with pytest.raises(TypeError, match="offsets must be bytes-like"):
            _core.split_rows(DATA, wrong, None, 0, bytearray(10), bytearray(32), bytearray())
    with pytest.raises(TypeError, match="use must be bytes-like"):
        _core.split_rows(
            DATA, bytes(32), np.array([0]), 0, bytearray(10), bytearray(16), bytearray()
        )
    with pytest.raises(ValueError, match="offsets is 7 bytes; a multiple of 8"):
        _core.split_rows(DATA, bytes(7), None, 0, bytearray(10), bytearray(8), bytearray())


def test_join_rows_refuses_misuse() -> None:
    words = telemetry._view(OFFSETS)

    def join(tails: int, tail: int, out: int, starts: int = 32) -> None:
        _core.join_rows(DATA, words, bytes(tails), tail, bytearray(out), bytearray(starts))

    join(6, 2, 16)
    for tails, tail in ((5, 2), (7, 2), (8, 2), (1, 0), (3, 1 << 63)):
        with pytest.raises(ValueError, match=f"tails is {tails} bytes; 3 rows take {tail} each"):
            join(tails, tail, 16)
    for out in (0, 15, 17):
        with pytest.raises(ValueError, match="outputs do not have the size"):
            join(6, 2, out)
    with pytest.raises(ValueError, match=r"starts is 24 bytes; 3 rows take 8 \* 4"):
        join(6, 2, 16, 24)


def test_tables_of_every_layout() -> None:
    """Types, slices, nulls and chunks give the rows that Python makes of them one by one."""
    algorithm, key = "ascon-aead128", bytes(range(16))
    names = {"algorithm": algorithm, "key": key, "nonce": "nonce", "associated_data": "about"}
    single = aead.AsconAEAD128(key)
    given = rows(algorithm, 60).to_pydict()
    want: list[bytes | None] = [
        bytes(single.encrypt(*row))
        for row in zip(given["nonce"], given["text"], given["about"], strict=True)
    ]
    cut: list[bytes | None] = [sealed[:16] for sealed in want if sealed is not None]
    for row in range(0, 60, 7):
        want[row] = cut[row] = given["nonce"][(row + 3) % 60] = None
    plain = [
        None if None in (want[row], given["nonce"][row]) else given["text"][row]
        for row in range(60)
    ]
    for kind, column in (
        (pa.binary(), want),
        (pa.large_binary(), want),
        (pa.binary_view(), want),
        (pa.binary(16), cut),
    ):
        whole = pa.table(
            {
                "nonce": pa.array(given["nonce"], pa.binary(16)),
                "about": given["about"],
                "sealed": pa.array(column, kind),
            }
        )
        pieces = [whole.slice(0, 1), whole.slice(1, 20), whole.slice(21, 0), whole.slice(21)]
        for rows_of in (whole, pa.concat_tables(pieces), pa.concat_tables(pieces).slice(3, 40)):
            first = 0 if len(rows_of) == 60 else 3
            expected = plain[first : first + len(rows_of)]
            if column is cut:  # a tag alone opens where the text is empty
                expected = [text if text == b"" else None for text in expected]
            opened = table.open(rows_of, **names, data="sealed")
            assert opened["plaintext"].to_pylist() == expected
            chunked = rows_of["sealed"].num_chunks > 1
            small = kind == pa.binary() and not chunked
            assert opened["plaintext"].type == (pa.binary() if small else pa.large_binary())
    none = pa.table(
        {name: pa.chunked_array([], pa.binary()) for name in ("nonce", "about", "text")}
    )
    assert table.seal(none, **names, data="text")["sealed"].to_pylist() == []
    assert table.open(none, **names, data="text")["status"].to_pylist() == []


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (3, 10, r"place 3 \(10, in row 2\); numbers from 0 to 156 that never decrease expected"),
        (3, -2, r"place 3 \(-2, in row 2\)"),
        (3, 500, r"place 4 \(104, in row 3\)"),
        (0, -5, r"place 0 \(-5, in row 0\)"),
        (6, 1000, "offsets end at 1000, but the data have 156 bytes"),
    ],
)
@pytest.mark.parametrize("chunks", [1, 2])
def test_offsets_that_others_spoilt_are_refused(
    kind: pa.DataType, place: int, value: int, said: str, chunks: int
) -> None:
    """Arrow checks a table when it is made; after that, whoever shares its memory may write."""
    offsets = np.arange(0, 157, 26, dtype=np.int32 if kind == pa.binary() else np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(bytes(156))]
    column = pa.Array.from_buffers(kind, 6, buffers)
    parts = pa.chunked_array([pa.array([bytes(26)] * 6, kind)] * (chunks - 1) + [column])
    nonces = pa.array([bytes([row]) * 16 for row in range(6 * chunks)])
    given = pa.table({"nonce": nonces, "text": parts})
    offsets[place] = value
    where = "" if chunks == 1 else ", chunk 1"
    for call in (table.open, table.seal):
        with pytest.raises(ValueError, match=f"data: column 'text'{where}: .*{said}"):
            call(given, algorithm="ascon-aead128", key=bytes(16), nonce="nonce", data="text")


@pytest.mark.parametrize("nulls", [False, True])
def test_offsets_are_read_once(monkeypatch: pytest.MonkeyPatch, nulls: bool) -> None:
    """Whoever writes to the memory of a table after its offsets were checked changes nothing."""
    whole = rows("ascon-aead128")
    names = NAMES | {"associated_data": "about"}
    sealed = table.seal(whole, **names)
    lengths = [len(one) for one in sealed["sealed"].to_pylist()]
    offsets = np.cumsum([0, *lengths], dtype=np.int64)
    text = b"".join(sealed["sealed"].to_pylist())
    valid = pa.py_buffer(b"\xfe" + b"\xff" * 4) if nulls else None
    column = pa.Array.from_buffers(
        pa.large_binary(), 40, [valid, pa.py_buffer(offsets), pa.py_buffer(text)]
    )
    given = whole.append_column("sealed", column)
    checked, spoilt = telemetry._checked_offsets, []

    def spoil(found: np.ndarray, size: int) -> np.ndarray:
        ours = checked(found, size)
        if np.array_equal(ours, offsets):
            offsets[:] = HUGE
            spoilt.append(True)
        return ours

    monkeypatch.setattr(telemetry, "_checked_offsets", spoil)
    monkeypatch.setattr(table, "_checked_offsets", spoil)
    opened = table.open(given, **names | {"data": "sealed"})
    assert spoilt == [True]
    texts = whole["text"].to_pylist()
    assert opened["plaintext"].to_pylist() == ([None, *texts[1:]] if nulls else texts)


def test_nonces_of_a_function_may_have_strides() -> None:
    whole = rows("ascon-aead128")
    nonces = np.random.default_rng(3).integers(0, 256, (40, 32), np.uint8)
    names = NAMES | {"key": bytes(16)}
    strided = table.seal(whole, **names | {"nonce": lambda given: nonces[:, ::2]})
    straight = table.seal(whole, **names | {"nonce": lambda given: nonces[:, ::2].copy()})
    assert strided["sealed"].to_pylist() == straight["sealed"].to_pylist()
