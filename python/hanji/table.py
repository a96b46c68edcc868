# SPDX-License-Identifier: Apache-2.0
"""Tables with sealed messages: open and seal a column, each row under its own key and nonce, with
any algorithm of `hanji.fleet`.

    opened = table.open(rows, algorithm="ascon-aead128", key="key", nonce="counter", data="sealed")
    opened["plaintext"], opened["status"]    # null where a row did not open; 0 where it did

Tables are a pyarrow Table or RecordBatch, or a Polars DataFrame; the same comes back, with new
columns behind the others. Columns are named:

- ``key``: binary, every key of the size of the algorithm; or one key, bytes-like, for all rows.
- ``nonce``: binary, every nonce of the size of the algorithm (for EAX: all of one size, at least 1
  byte); or integers, which stand for nonces as in docs/telemetry.md: little-endian, with zeros
  behind up to the size; or, for any other rule, a function from the table to an n x size uint8
  array.
- ``data``: binary, ciphertext and tag one after the other, as the classes of `hanji.aead` write
  them; or ciphertexts alone, where ``tag`` names a column of tags.
- ``associated_data``: binary; or a function from the table to an Arrow array of byte strings.

Frames of docs/telemetry.md, with headers and derived keys, are for `hanji.telemetry`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hanji import _arrow, _core, fleet
from hanji._text import arrow_type, columns_like, described, encodable
from hanji.telemetry import STATUSES as _ALL
from hanji.telemetry import _binary, _bytes_of, _checked_offsets, _payload_type, _split, _view

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    _Column = tuple[Bytes, NDArray[np.int64], NDArray[np.bool_]]  # bytes, n + 1 offsets, nulls
    Key = str | bytes | bytearray | memoryview
    Nonce = str | Callable[[Any], Any]
    Data = str | Callable[[Any], Any]

__all__ = ["STATUSES", "open", "seal"]

_NO_BYTES = np.empty(0, np.uint8)
_TRUNCATED, _NULL = (
    next(code for code, name in _ALL.items() if name == wanted) for wanted in ("truncated", "null")
)
#: The name of every status of a row: 0 "opened", -3 "forged", ...
STATUSES: dict[int, str] = {code: _ALL[code] for code in (0, -3, -4, _TRUNCATED, _NULL)}


def open(
    table: Any,
    *,
    algorithm: str,
    key: Key,
    nonce: Nonce,
    data: str,
    associated_data: Data | None = None,
    tag: str | None = None,
    tag_size: int | None = None,
    output: str = "plaintext",
    status: str = "status",
    limit: int | None = None,
    threads: int | None = None,
) -> Any:
    """Open the messages of a table; a bad row does not stop the others.

    Columns: see the module. ``tag_size`` (bytes) and ``limit`` (blocks per key) are for EAX, as for
    `hanji.fleet.decrypt`. The result has all columns of the table, ``output`` (binary, null where
    the row did not open) and ``status`` (int8, see `STATUSES`): -3 where the tag does not match,
    -16 where ``data`` is shorter than a tag, -22 where a column that is named is null.

    Errors: ValueError for columns that are absent, or there already, and for keys, nonces and tags
    of another size, with the row; TypeError for other types; LimitError. Source and status: as of
    the algorithm, see `hanji.algorithms()`.
    """
    given = _Given(table, algorithm, key, nonce, data, associated_data, tag_size)
    given.refuse_outputs(output, status)
    count, size = given.count, given.call.tag_size
    flat, offsets, nulls = given.data
    codes = np.zeros(count, np.int8)
    codes[nulls | given.nulls] = _NULL
    tags: Bytes | None = None
    if tag is not None:
        tags, missing = given.rows("tag", tag, size)
        codes[missing] = _NULL
    else:
        codes[(codes == 0) & (np.diff(offsets) < size)] = _TRUNCATED
    use = np.flatnonzero(codes == 0) if codes.any() else None
    opened = count if use is None else len(use)
    plain, ends = np.empty(0, np.uint8), np.zeros(count + 1, np.int64)
    if opened:
        if tags is None:
            texts, starts, given_tags = _split(flat, offsets, use, size)
        else:
            texts, starts = _gathered(flat, offsets, use)
            given_tags = tags if use is None else tags[use]
        done = fleet.decrypt(
            algorithm,
            *given.under(use),
            texts,
            given_tags,
            starts,
            **given.associated(use),
            tag_size=tag_size,
            limit=limit,
            threads=threads,
        )
        plain = done.data
        if use is None:
            codes, ends = done.status, starts
        else:
            codes[use] = done.status
            lengths = np.zeros(count, np.int64)
            lengths[use] = np.diff(starts)
            ends = _ends(lengths)
    column = _binary(given.kind, plain, ends, codes)
    return given.result({output: column, status: _arrow.arrow().array(codes)})


def seal(
    table: Any,
    *,
    algorithm: str,
    key: Key,
    nonce: Nonce,
    data: str,
    associated_data: Data | None = None,
    tag: str | None = None,
    tag_size: int | None = None,
    output: str = "sealed",
    limit: int | None = None,
    threads: int | None = None,
) -> Any:
    """Seal the messages of a table.

    Columns: see the module; ``tag_size`` and ``limit`` as for `hanji.fleet.encrypt`. The result has
    all columns of the table and ``output`` (binary: ciphertext and tag; where ``tag`` names a new
    column, that has the tags).

    **No nonce may come twice under a key.** With one key for all rows a nonce that comes twice
    within the call is refused; with a column of keys, and between calls, the caller prevents it.
    Errors: as `open`; ValueError where a column that is named is null, with the row. Source and
    status: as of the algorithm, see `hanji.algorithms()`.
    """
    given = _Given(table, algorithm, key, nonce, data, associated_data, tag_size)
    given.refuse_outputs(output, *([] if tag is None else [tag]))
    flat, offsets, nulls = given.data
    missing = nulls | given.nulls
    if missing.any():
        raise ValueError(
            f"row {int(np.argmax(missing))}: its data, key, nonce or associated data is null; drop"
            " the row, or give an empty value"
        )
    given.refuse_repeated_nonces()
    texts, starts = _gathered(flat, offsets, None)
    done = fleet.encrypt(
        algorithm,
        *given.under(None),
        texts,
        starts,
        **given.associated(None),
        tag_size=tag_size,
        limit=limit,
        threads=threads,
    )
    codes = np.zeros(given.count, np.int8)
    if tag is not None:
        sealed = {output: _binary(given.kind, done.data, starts, codes)}
        return given.result(sealed | {tag: fleet.to_fixed_size_binary(done.tags)})
    joined, ends = _joined(done.data, starts, done.tags)
    return given.result({output: _binary(given.kind, joined, ends, codes)})


class _Given:
    """The columns of a call, checked."""

    def __init__(
        self,
        table: Any,
        algorithm: str,
        key: Any,
        nonce: Any,
        data: Any,
        associated_data: Any,
        tag_size: int | None,
    ) -> None:
        self.call = fleet._Call("decrypt", algorithm, tag_size)
        self._algorithm = algorithm
        pa = _arrow.arrow()
        self._polars = type(table).__module__.startswith("polars") and hasattr(table, "to_arrow")
        self.table = table.to_arrow() if self._polars else table
        if not isinstance(self.table, pa.Table | pa.RecordBatch):
            raise TypeError(
                f"the table is a {type(table).__name__}; it takes a pyarrow Table or RecordBatch,"
                " or a Polars DataFrame"
            )
        self._given, self.count = table, self.table.num_rows
        self.nulls = np.zeros(self.count, bool)
        self.data, self.kind = self.column("data", data)
        self._one = not isinstance(key, str)
        if self._one:
            if not isinstance(key, bytes | bytearray | memoryview):
                raise TypeError(
                    f"key is a {type(key).__name__}; it takes the name of a column, or one key as"
                    " bytes"
                )
            self._keys: Bytes = np.frombuffer(_core.to_bytes(key, "key"), np.uint8)
            if len(self._keys) != self.call.key_size:
                raise ValueError(
                    f"key has {len(self._keys)} bytes; {algorithm} takes {self.call.key_size}"
                )
        else:
            self._keys, missing = self.rows("key", key, self.call.key_size)
            self.nulls |= missing
        self._nonces = self._nonces_of(nonce)
        self._ad: tuple[Bytes, NDArray[np.int64]] | None = None
        if associated_data is not None:
            (flat, offsets, missing), _ = self.column("associated_data", associated_data)
            self._ad = flat, offsets
            self.nulls |= missing

    def _array(self, what: str, source: Any) -> Any:
        """A column: an Arrow array, or a chunked one."""
        pa = _arrow.arrow()
        if callable(source):
            array = source(self._given)
            if type(array).__module__.startswith("polars"):
                array = array.to_arrow()
            if not isinstance(array, pa.Array | pa.ChunkedArray) or len(array) != self.count:
                raise TypeError(
                    f"the function for {what} gave {type(array).__name__}; it takes an Arrow array"
                    f" with an entry for each of the {self.count} rows"
                )
        elif isinstance(source, str):
            place = self.table.schema.get_field_index(source) if encodable(source) else -1
            if place < 0:
                raise ValueError(
                    f"{what}: the table has no column of this name ({described(source)}), or"
                    f" several; {columns_like(source, self.table.schema.names)}"
                )
            array = self.table.column(place)
        else:
            raise TypeError(f"{what} is a {type(source).__name__}; it takes the name of a column")
        return array

    @staticmethod
    def _called(source: Any) -> str:
        """What a message calls a column that is there, or the function that made one."""
        return f"column {source!r}" if isinstance(source, str) else "the function's array"

    def column(self, what: str, source: Any) -> tuple[_Column, Any]:
        """The byte strings of a column, and the Arrow type of a column that is made from them.

        The offsets are a checked copy: others may be able to write to the memory of the table.
        Chunks are joined here, because Arrow would read their offsets again to do it.
        """
        pa = _arrow.arrow()
        array = self._array(what, source)
        try:
            kind = _payload_type(array.type)
        except TypeError:
            raise TypeError(
                f"{what}: {self._called(source)} has the type {arrow_type(array.type)}; it takes"
                " binary, large_binary or fixed_size_binary"
            ) from None
        chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
        parts = []
        for place, chunk in enumerate(chunks):
            try:
                flat, offsets, nulls = _bytes_of(chunk)
                offsets = _checked_offsets(offsets, len(flat))
            except ValueError as error:
                where = f", chunk {place}" if len(chunks) > 1 else ""
                raise ValueError(f"{what}: {self._called(source)}{where}: {error}") from None
            parts.append((flat, offsets, np.zeros(len(chunk), bool) if nulls is None else nulls))
        if len(parts) == 1:
            return parts[0], kind
        if pa.types.is_binary(array.type) and parts:
            kind = pa.large_binary()  # together the chunks may have more than 2 GiB
        lengths = [np.diff(offsets) for _, offsets, _ in parts]
        return (
            np.concatenate([_NO_BYTES, *(flat[int(at[0]) : int(at[-1])] for flat, at, _ in parts)]),
            _ends(np.concatenate([np.empty(0, np.int64), *lengths])),
            np.concatenate([np.empty(0, bool), *(nulls for _, _, nulls in parts)]),
        ), kind

    def rows(self, what: str, source: Any, size: int) -> tuple[Bytes, NDArray[np.bool_]]:
        """A column of byte strings of one size, as n rows, and the places of nulls. A size of 0:
        that of the first."""
        (flat, offsets, nulls), _ = self.column(what, source)
        lengths = np.diff(offsets)
        there = np.flatnonzero(~nulls)
        size = size or (int(lengths[there[0]]) if len(there) else 1)
        wrong = there[lengths[there] != size]
        if len(wrong) or not size:
            row = int(wrong[0]) if len(wrong) else int(there[0])
            raise ValueError(
                f"{what} has {lengths[row]} bytes in row {row} of {self._called(source)};"
                f" {self._algorithm} takes {size or '1 and more'} in every row"
            )
        if len(there) == self.count:
            return _split(flat, offsets, None, size)[2], nulls
        made = np.zeros((self.count, size), np.uint8)
        made[there] = _split(flat, offsets, there, size)[2]
        return made, nulls

    def _nonces_of(self, source: Any) -> Bytes:
        pa, size = _arrow.arrow(), self.call.nonce_size
        if callable(source):
            made = source(self._given)
            if (
                not isinstance(made, np.ndarray)
                or made.dtype != np.uint8
                or made.ndim != 2
                or len(made) != self.count
                or (size and made.shape[1] != size)
            ):
                shown = (
                    f"{made.dtype} of shape {made.shape}" if isinstance(made, np.ndarray) else ""
                )
                raise ValueError(
                    f"the function for nonces gave {shown or type(made).__name__};"
                    f" {self._algorithm} takes a uint8 array of shape"
                    f" ({self.count}, {size or 'size'})"
                )
            return np.ascontiguousarray(made)
        array = self._array("nonce", source)
        if not pa.types.is_integer(array.type):
            rows, missing = self.rows("nonce", source, size)
            self.nulls |= missing
            return rows
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        missing = array.is_null().to_numpy(zero_copy_only=False)
        self.nulls |= missing
        values = array.fill_null(0).to_numpy(zero_copy_only=False)
        if values.dtype.kind == "i" and (values < 0).any():
            row = int(np.argmax(values < 0))
            raise ValueError(f"nonce is {values[row]} in row {row}; numbers begin with 0")
        size = size or self.call.block_size
        bytes_ = values.astype("<u8").view(np.uint8).reshape(self.count, 8)
        made = np.zeros((self.count, size), np.uint8)
        made[:, : min(size, 8)] = bytes_[:, :size]
        return made

    def under(self, use: NDArray[np.intp] | None) -> tuple[Bytes, Bytes]:
        """Keys and nonces of some rows, or (None) of all."""
        if use is None:
            return self._keys, self._nonces
        return self._keys if self._one else self._keys[use], self._nonces[use]

    def associated(self, use: NDArray[np.intp] | None) -> dict[str, Any]:
        """Associated data of some rows, or (None) of all, as arguments of a fleet call."""
        if self._ad is None:
            return {}
        flat, offsets = _gathered(*self._ad, use)
        return {"associated_data": flat, "ad_offsets": offsets}

    def refuse_outputs(self, *names: str) -> None:
        """The new columns must be new."""
        for at, name in enumerate(names):
            if not encodable(name):
                raise ValueError("the name of a new column holds half of a surrogate pair")
            if name in self.table.schema.names or name in names[:at]:
                raise ValueError(
                    f"the table has a column {name!r} already; give the new column another name"
                )

    def refuse_repeated_nonces(self) -> None:
        """Under one key; nonces are public, so they may be sorted."""
        if not self._one:
            return
        _, first, which = np.unique(
            self._nonces.view(f"V{self._nonces.shape[1]}").reshape(-1),
            return_index=True,
            return_inverse=True,
        )
        again = np.flatnonzero(first[which] != np.arange(self.count))
        if len(again):
            row = int(again[0])
            raise ValueError(
                f"rows {int(first[which[row]])} and {row} have the same nonce under one key; give"
                " each row a nonce of its own"
            )

    def result(self, columns: dict[str, Any]) -> Any:
        """The table with new columns, in the form that was given."""
        made = self.table
        for name, column in columns.items():
            made = made.append_column(name, column)
        if self._polars:
            polars = __import__("polars")
            return polars.from_arrow(made, rechunk=False)
        return made


def _ends(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _gathered(
    flat: Bytes, offsets: NDArray[np.int64], use: NDArray[np.intp] | None
) -> tuple[Bytes, NDArray[np.int64]]:
    """Some of the byte strings, or (None) all of them without a copy."""
    if use is None:
        return flat[int(offsets[0]) : int(offsets[-1])], offsets - offsets[0]
    heads, starts, _ = _split(flat, offsets, use, 0)
    return heads, starts


def _joined(
    flat: Bytes, offsets: NDArray[np.int64], tags: Bytes
) -> tuple[Bytes, NDArray[np.int64]]:
    """Each ciphertext with its tag behind it."""
    count, size = tags.shape
    made = np.empty(int(offsets[-1]) - int(offsets[0]) + size * count, np.uint8)
    ends = np.empty(count + 1, np.int64)
    _core.join_rows(flat, _view(offsets), tags, size, made, _view(ends))
    return made, ends
