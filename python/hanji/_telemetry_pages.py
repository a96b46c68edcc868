# SPDX-License-Identifier: Apache-2.0
"""How much memory the columns of a Parquet file may take, from the headers of their pages and
before any of them is decoded. A file of some kilobytes may hold gigabytes: compression makes a page
of zeros small, and encodings give long values again in a few bytes. Who can write to a data lake
could end every run that meets such a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from hanji import telemetry

PAGE = 100 << 20  # bytes of the largest page that is read: whole, in memory; DuckDB makes such
_HEADER, _HEADER_MOST = 1 << 10, 1 << 24  # bytes: what is read first of a header, and the most
_DATA, _DICTIONARY, _DATA_2 = 0, 2, 3  # kinds of pages
_IN_DICTIONARY, _DELTA_BYTES = (2, 8), 7  # encodings that give a value once more in some bits
_DEPTH = 8
_DAMAGED = "the header of a page is damaged"


@dataclass(frozen=True)
class Sizes:
    """Bounds over the columns that are read."""

    page: int  # bytes of the largest page
    value: int  # bytes of the longest value that is given again in some bits
    row: float  # bytes of a row of the page with the longest ones, on the average over its rows
    group: int  # bytes of the largest row group, decoded

    def rows(self, most: int, size: int) -> int:
        """How many rows, at most ``most``, to decode at once, so that they have about ``size``
        bytes and those of two pages.
        """
        return max(1, min(most, int(size / max(self.row, self.value, 1))))


def look(path: Path, columns: Sequence[str]) -> Sizes:
    """The sizes of some columns of a file, each a column of one value a row. ValueError for pages
    that are too large, or whose headers are damaged; OSError.
    """
    parquet = telemetry._parquet()
    page = value = group_most = 0
    row = 0.0
    about = parquet.read_metadata(path)
    with path.open("rb") as file:
        for place in range(about.num_row_groups):
            group = about.row_group(place)
            decoded = 0
            for chunk in map(group.column, range(group.num_columns)):
                if chunk.path_in_schema not in columns:
                    continue
                longest = -1  # of the values in the dictionary, when it is wanted
                for kind, size, count, encoding in _pages(file, chunk):
                    if size > PAGE:
                        raise ValueError(
                            f"a page of column {chunk.path_in_schema!r} has {size} bytes without"
                            f" compression; pages have at most {PAGE}"
                        )
                    page = max(page, size)
                    if kind == _DICTIONARY:
                        continue
                    if encoding in _IN_DICTIONARY:
                        if longest < 0:
                            longest = _longest(path, place, chunk)
                        value = max(value, longest)
                        decoded += count * longest
                    elif encoding == _DELTA_BYTES:
                        value = max(value, size)
                        decoded += count * size
                    else:
                        row = max(row, size / max(count, 1))
                        decoded += size
            group_most = max(group_most, decoded)
    return Sizes(page, value, row, group_most)


def _longest(path: Path, group: int, chunk: Any) -> int:
    """Bytes of the longest value in the dictionary of a chunk."""
    import pyarrow.compute

    if chunk.physical_type != "BYTE_ARRAY":
        return 16
    name = chunk.path_in_schema
    with telemetry._parquet().ParquetFile(path, read_dictionary=[name], pre_buffer=False) as file:
        batches = file.iter_batches(1, row_groups=[group], columns=[name], use_threads=False)
        first = next(batches, None)
    column: Any = None if first is None else first.column(0)
    if not hasattr(column, "dictionary"):
        raise ValueError(f"column {name!r} has a dictionary that cannot be read")
    lengths = telemetry._values(pyarrow.compute.binary_length(column.dictionary))
    return int(np.max(lengths, initial=0))


def _pages(file: BinaryIO, chunk: Any) -> Iterator[tuple[int, int, int, int]]:
    """The pages of a chunk, as whoever decodes them walks over them: kind, bytes without
    compression, values, encoding.
    """
    at = chunk.data_page_offset
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < at:
        at = chunk.dictionary_page_offset
    end, values = at + chunk.total_compressed_size, 0
    while at < end and values < chunk.num_values:
        header, size = _header(file, at)
        kind = _number(header, 1)
        about = header.get({_DATA: 5, _DICTIONARY: 7, _DATA_2: 8}.get(kind, 0), {})
        unpacked, packed, count = _number(header, 2), _number(header, 3), _number(about, 1, 0)
        if min(unpacked, packed, count) < 0:
            raise ValueError(_DAMAGED)
        at += size + packed
        if kind not in (_DATA, _DICTIONARY, _DATA_2):
            continue  # an index, over which readers step
        yield kind, unpacked, count, _number(about, 4 if kind == _DATA_2 else 2, 0)
        if kind != _DICTIONARY:
            values += count


def _number(fields: Any, place: int, absent: int = -1) -> int:
    """A field that is a number."""
    value = fields.get(place, absent) if isinstance(fields, dict) else None
    if type(value) is not int:
        raise ValueError(_DAMAGED)
    return value


def _header(file: BinaryIO, at: int) -> tuple[dict[int, Any], int]:
    """The header of a page, and its size."""
    size = _HEADER
    while True:
        file.seek(at)
        data = file.read(size)
        try:
            return _struct(data, 0)
        except IndexError:
            if len(data) < size or size >= _HEADER_MOST:
                raise ValueError("the header of a page is cut short") from None
        size *= 16


# Thrift's compact protocol, as far as headers of pages use it. IndexError: more bytes are needed.


def _struct(data: bytes, at: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """A struct, as its fields by number, and where it ends."""
    if depth > _DEPTH:
        raise ValueError(_DAMAGED)
    fields: dict[int, Any] = {}
    number = 0
    while head := data[at]:
        at += 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = _integer(data, at)
        if head & 15 in (1, 2):
            fields[number] = head & 15 == 1
        else:
            fields[number], at = _value(data, at, head & 15, depth)
    return fields, at + 1


def _value(data: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    """A value of some kind, None for what nobody here asks for; and where it ends."""
    if kind in (1, 2, 3):
        return data[at], at + 1
    if kind in (4, 5, 6):
        return _integer(data, at)
    if kind == 7:
        return None, at + 8
    if kind == 8:
        size, at = _varint(data, at)
        return None, at + size
    if kind in (9, 10):
        head, at = data[at], at + 1
        count = head >> 4
        if count == 15:
            count, at = _varint(data, at)
        for _ in range(count):
            _, at = _value(data, at, head & 15, depth + 1)
        return None, at
    if kind == 12:
        return _struct(data, at, depth + 1)
    raise ValueError(_DAMAGED)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte, at = data[at], at + 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at
        if shift > 63:
            raise ValueError(_DAMAGED)


def _integer(data: bytes, at: int) -> tuple[int, int]:
    number, at = _varint(data, at)
    return number >> 1 ^ -(number & 1), at
