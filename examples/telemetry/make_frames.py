# SPDX-License-Identifier: Apache-2.0
"""Make the data that the other scripts open: `python make_frames.py FOLDER [FRAMES] [DEVICES]
[ALGORITHM]`.

FOLDER/in/*.parquet holds frames of 64-byte readings, FOLDER/masters.parquet the master keys. Of the
frames 1 % are forged, 1 % sent twice and 0.1 % of devices that are not in the table. The keys come
from a seed: they protect nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hanji import telemetry

FILE = 1_000_000  # frames


def column(data: np.ndarray, offsets: np.ndarray) -> pa.Array:
    """Bytes side by side as an Arrow array."""
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_binary(), len(offsets) - 1, buffers)


def main() -> None:
    folder = Path(sys.argv[1])
    count, devices = (int(word) for word in [*sys.argv[2:4], "1000000", "1000000"][:2])
    if len(sys.argv) == 3:
        devices = count
    algorithm = sys.argv[4] if len(sys.argv) > 4 else "schwaemm256-128"
    (folder / "in").mkdir(parents=True)
    random = np.random.default_rng(1)
    keys = pa.array([row.tobytes() for row in random.integers(0, 256, (devices, 16), np.uint8)])
    masters = pa.table({"device": pa.array(range(devices), pa.uint32()), "master": keys})
    pq.write_table(masters, folder / "masters.parquet")
    (folder / "masters.parquet").chmod(0o600)  # nobody else may read keys
    sealer = telemetry.Sealer(masters, direction="from-device", algorithm=algorithm)
    for first in range(0, count, FILE):
        rows = min(FILE, count - first)
        device = random.integers(0, devices, rows).astype(np.uint32)
        number = np.arange(first, first + rows, dtype=np.uint32)
        epoch = np.ones(rows, np.uint32)
        payload = random.integers(0, 256, rows * 64, np.uint8)
        sealed = sealer.flat(device, epoch, number, payload, np.arange(rows + 1) * 64)
        frames = sealed.data.reshape(rows, -1)
        kind = random.permutation(rows)
        forged, again, strange = np.split(kind[: rows * 21 // 1000], [rows // 100, rows // 50])
        frames[forged, 40] ^= 1
        kept = kind[rows * 21 // 1000 :]
        frames[again] = frames[kept[: len(again)]]
        frames[strange, 2:6] = 255
        table = pa.table({"frame": column(frames.reshape(-1), sealed.offsets)})
        options = {"compression": "none", "use_dictionary": False, "row_group_size": 131072}
        pq.write_table(table, folder / f"in/{first // FILE:04}.parquet", **options)


if __name__ == "__main__":
    main()
