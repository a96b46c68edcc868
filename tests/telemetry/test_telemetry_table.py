# SPDX-License-Identifier: Apache-2.0
"""hanji.table: columns by their names, any algorithm, any rule for nonces, bad rows and bad
columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest

from hanji import InvalidTag, aead, fleet, hazmat, table

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
