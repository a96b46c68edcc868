# SPDX-License-Identifier: Apache-2.0
"""Open frames with Polars on one machine: `python polars_open.py FOLDER [pass]`.

Reads FOLDER/in/*.parquet, opens each batch as it streams by, writes FOLDER/polars.parquet, and
prints how many frames have which status, and the seconds of processor time and of wall time. With
`pass` the frames are copied and not opened: the difference is the price of opening.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

# Polars gives freed memory back to the system almost at once, and the next batch takes it again,
# page by page: a third of the price of opening. To be said before Polars is there.
os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:10000,muzzy_decay_ms:-1")

import polars as pl
import pyarrow as pa

from hanji import telemetry


def main() -> None:
    folder, copying = Path(sys.argv[1]), sys.argv[2:] == ["pass"]
    opener = telemetry.Opener(folder / "masters.parquet", threads=1)
    frames = pl.scan_parquet(folder / "in/*.parquet")
    if copying:
        result = frames.map_batches(lambda batch: batch, streamable=True)
    else:
        schema = opener.schema(pa.schema([("frame", pa.large_binary())]))
        kinds = pl.from_arrow(schema.empty_table()).schema
        result = frames.map_batches(opener, schema=kinds, streamable=True)
    began, start = time.process_time(), time.perf_counter()
    out = folder / ("copied.parquet" if copying else "polars.parquet")
    result.sink_parquet(out, compression="uncompressed", statistics=False)
    seconds, wall = time.process_time() - began, time.perf_counter() - start
    written = pl.scan_parquet(out)
    rows = written.select(pl.len()).collect().item()
    print(
        f"{rows} frames, {seconds:.3f} s of processor time, {wall:.3f} s of wall time,"
        f" {1e9 * seconds / rows:.0f} ns of processor time a frame"
    )
    if not copying:
        counts = written.group_by("status").len().collect().iter_rows()
        for status, count in sorted(counts, reverse=True):
            print(f"{telemetry.STATUSES[status]}: {count}")


if __name__ == "__main__":
    main()
