# SPDX-License-Identifier: Apache-2.0
"""Parquet files with frames in every form that pyarrow writes, and damaged copies of them."""

from __future__ import annotations

import collections
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 60
COLUMNS = ("device", "epoch", "number", "payload", "frame")
# Thrift's list and struct headers, ends of structs, long and negative numbers.
BYTES = (0, 1, 0x0C, 0x15, 0x16, 0x18, 0x19, 0x1C, 0x7F, 0x80, 0xF9, 0xFF)
LARGE = (b"\xff\xff\xff\xff\x0f", b"\xfe\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\x80" * 12)


def whole_files(folder: Path) -> list[bytes]:
    """Whole files: codecs, encodings, page versions, types of the column, nested neighbours."""
    chance = np.random.default_rng(5)
    frames = [chance.bytes(16 + row % 40) for row in range(ROWS)]
    same = [chance.bytes(48) for row in range(ROWS)]
    plain = {
        "device": pa.array([row % 7 for row in range(ROWS)], pa.uint32()),
        "epoch": pa.array([1] * ROWS, pa.uint32()),
        "number": pa.array(range(ROWS), pa.uint32()),
        "payload": pa.array([b"reboot"] * ROWS),
        "frame": pa.array(frames),
    }
    nested = {
        "lists": pa.array([[row, None] * (row % 3) for row in range(ROWS)]),
        "tree": pa.array([{"a": {"frame": b"x", "b": [[b"y"]]}}] * ROWS),
        "map": pa.array([[("k", row)] for row in range(ROWS)], pa.map_(pa.string(), pa.int64())),
    }
    flat, delta = {"use_dictionary": False}, "DELTA_BINARY_PACKED"
    forms: list[tuple[dict[str, Any], dict[str, Any]]] = [
        *(({}, {"compression": name}) for name in ("none", "snappy", "gzip", "brotli", "lz4")),
        ({}, {"compression": "zstd", "row_group_size": 20}),
        ({}, flat | {"column_encoding": {"frame": "DELTA_BYTE_ARRAY", "number": delta}}),
        ({}, flat | {"column_encoding": {"frame": "DELTA_LENGTH_BYTE_ARRAY"}}),
        ({}, flat | {"data_page_version": "2.0", "compression": "zstd", "data_page_size": 300}),
        ({}, {"data_page_version": "2.0", "write_page_index": True, "write_page_checksum": True}),
        ({"frame": pa.array(same, pa.binary(48))}, {"compression": "zstd"}),
        (
            {"frame": pa.array(same, pa.binary(48))},
            flat | {"column_encoding": {"frame": "BYTE_STREAM_SPLIT"}},
        ),
        ({"frame": pa.array([*frames[1:], None], pa.large_binary())}, {}),
        ({"frame": pa.array(frames).dictionary_encode()}, {}),
        ({"frame": pa.array(frames, pa.binary_view())}, {}),
        ({"frame": pa.nulls(ROWS)}, {}),
        (nested, {"compression": "snappy"}),
        (nested, flat | {"data_page_version": "2.0", "row_group_size": 25}),
    ]
    made = []
    for place, (change, options) in enumerate(forms):
        path = folder / f"whole-{place}"
        pq.write_table(pa.table(plain | change), path, **options)
        made.append(path.read_bytes())
        path.unlink()
    return made


def places(data: bytes) -> list[range]:
    """The parts of a file that are damaged apart: footer, headers of pages (with statistics and
    dictionaries right behind them), and all values.
    """
    end = len(data) - 8
    start = end - int.from_bytes(data[end : end + 4], "little")
    about = pq.read_metadata(pa.BufferReader(data))
    found = [range(start, end)] * 4 + [range(4, start), range(len(data))]
    for group in map(about.row_group, range(about.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            for at in (chunk.dictionary_page_offset, chunk.data_page_offset):
                if at:
                    found.append(range(at, min(at + 40, start)))
    return found


def damaged(whole: list[bytes], parts: list[list[range]], chance: np.random.Generator) -> bytes:
    """A damaged copy of one of the files."""
    which = int(chance.integers(len(whole)))
    data = bytearray(whole[which])
    ends = len(data) - 8
    size = int.from_bytes(data[ends : ends + 4], "little")
    for _ in range(int(chance.choice([1, 1, 1, 2, 3, 8]))):
        part = parts[which][int(chance.integers(len(parts[which])))]
        at = min(int(chance.integers(part.start, part.stop)), len(data) - 1)
        in_footer = at >= ends - size
        kind = int(chance.integers(6))
        before = len(data)
        if kind in (0, 1):
            data[at] ^= 1 << int(chance.integers(8))
        elif kind == 2:
            data[at] = BYTES[int(chance.integers(len(BYTES)))]
        elif kind == 3:
            large = LARGE[int(chance.integers(len(LARGE)))]
            data[at : at + int(chance.integers(len(large) + 1))] = large
        elif kind == 4:
            length = int(chance.integers(1, 9))
            data[at : at + int(chance.integers(2)) * length] = data[at - length : at]
        else:
            del data[at : at + int(chance.integers(1, 5))]
        grown = len(data) - before
        if in_footer and grown:  # a footer of another length is found all the same
            size = max(0, size + grown)
            data[-8:-4] = size.to_bytes(4, "little")
        ends = len(data) - 8
    return bytes(data)


def mutants(count: int, seed: int, folder: Path) -> Iterator[Path]:
    """So many damaged files, one after the other under one name."""
    whole = whole_files(folder)
    parts = [places(data) for data in whole]
    chance = np.random.default_rng(seed)
    path = folder / "mutant.parquet"
    for _ in range(count):
        path.write_bytes(damaged(whole, parts, chance))
        yield path


def read_mutants(count: int, seed: int, folder: Path, keep: Path | None = None) -> None:
    """Read damaged files as a run does and print how many ended how. Files that ended the reader
    process are kept in a folder.
    """
    from hanji import _telemetry_reader as reader

    ends: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    for place, path in enumerate(mutants(count, seed, folder)):
        began = time.monotonic()
        columns = ["frame"] if place % 4 else [*COLUMNS[:4]]
        try:
            rows = reader.footer(path, columns, metadata="run").rows
            read = sum(table.num_rows for table in reader.read(path, columns))
            ends["read" if rows == read else "other rows"] += 1
        except reader.InputError as error:
            text = str(error)
            assert text and "\n" not in text and len(text) < 2000, text
            gone = text.startswith("the process that reads it")
            ends[text if gone else "refused"] += 1
            if gone and keep is not None:
                (keep / f"{seed}-{place}.parquet").write_bytes(path.read_bytes())
        slowest = max(slowest, time.monotonic() - began)
    print(dict(ends), f"the slowest took {slowest:.1f} s; reader processes: {reader.started}")


if __name__ == "__main__":  # COUNT SEED FOLDER
    os.makedirs(sys.argv[3], exist_ok=True)  # noqa: PTH103
    read_mutants(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[3]))
