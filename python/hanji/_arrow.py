# SPDX-License-Identifier: Apache-2.0
"""Columns of Arrow tables as NumPy arrays, and back. pyarrow is imported on first use."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from hanji._text import arrow_type, columns_like

if TYPE_CHECKING:
    from numpy.typing import NDArray


_UINT32 = np.dtype(np.uint32)


def arrow() -> Any:
    """The module pyarrow; ImportError says how to get it."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("Arrow tables need pyarrow: pip install pyarrow") from error
    return pyarrow


def parquet() -> Any:
    """The module pyarrow.parquet."""
    arrow()
    import pyarrow.parquet

    return pyarrow.parquet


# pyarrow.array() and to_numpy() import pandas where it is installed, which takes half a second in
# each process, as long as it takes to open some million frames.


def array(values: NDArray[Any]) -> Any:
    """Integers or truths as an Arrow array, without a copy of integers."""
    pa = arrow()
    truths = values.dtype == np.bool_
    data = np.packbits(values, bitorder="little") if truths else np.ascontiguousarray(values)
    kind = pa.bool_() if truths else getattr(pa, str(values.dtype))()
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(data)], null_count=0)


@functools.cache
def _integers() -> dict[int, np.dtype[Any]]:
    """The NumPy type of each integer type of Arrow, by its number."""
    pa = arrow()
    kinds = (getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64))
    return {kind.id: np.dtype(str(kind)) for kind in kinds}


def values(column: Any) -> NDArray[Any]:
    """The integers of an Arrow column, without a copy where it is one chunk; ValueError for others
    and for nulls.
    """
    kind = _integers().get(column.type.id)
    if kind is None or column.null_count:
        raise ValueError(f"integers without nulls are expected, not {arrow_type(column.type)}")
    return _values(column, kind)


def _values(column: Any, kind: np.dtype[Any]) -> NDArray[Any]:
    """The values of an Arrow column without nulls, whose items NumPy calls `kind`."""
    if not isinstance(column, arrow().ChunkedArray):
        return _values_of(column, kind)
    if column.num_chunks == 1:
        return _values_of(column.chunk(0), kind)
    parts = [_values_of(chunk, kind) for chunk in column.iterchunks()]
    return np.concatenate([np.empty(0, kind), *parts])


def _values_of(array: Any, kind: np.dtype[Any]) -> NDArray[Any]:
    """The same for an Arrow array."""
    count = len(array)
    if count == 0:  # it may have no buffer
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind, count, array.offset * kind.itemsize)


def starts(array: Any) -> NDArray[Any]:
    """The n + 1 offsets of an Arrow array of type binary or large_binary."""
    width = np.dtype(np.int32 if arrow().types.is_binary(array.type) else np.int64)
    start = array.offset * width.itemsize
    return np.frombuffer(array.buffers()[1], width, len(array) + 1, start)


def numbers(
    table: Any, name: str, *, signed: bool = False, where: str = "", first: int = 0
) -> NDArray[Any]:
    """A column of integers as uint32 (or int8), without nulls and within bounds; `first` is the
    number of its first row in messages.
    """
    place = table.schema.get_field_index(name)
    if place < 0:
        raise ValueError(
            f"the table{where} has no column {name!r}; {columns_like(name, table.schema.names)}"
        )
    column = table.column(place)
    kind = _integers().get(column.type.id)
    if kind is None:
        raise TypeError(
            f"column {name!r}{where} has the type {arrow_type(column.type)}; it takes integers"
        )
    if column.null_count:
        row = int(np.argmax(np.asarray(column.is_null())))
        raise ValueError(f"column {name!r}{where} is null in row {first + row}")
    found = _values(column, kind)
    if signed or kind == _UINT32:
        return found
    outside = (found < 0) | (found > np.iinfo(np.uint32).max)
    if outside.any():
        row = int(np.argmax(outside))
        raise ValueError(
            f"column {name!r}{where} is {found[row]} in row {first + row}; it takes 0 to 2**32 - 1"
        )
    return found.astype(np.uint32)
