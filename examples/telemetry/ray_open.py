# SPDX-License-Identifier: Apache-2.0
"""Open frames with Ray Data: `python ray_open.py FOLDER [ADDRESS]`.

Without the address of a cluster a Ray of this machine starts, which needs some seconds of an idle
machine. Reads FOLDER/in, opens with map_batches, writes FOLDER/ray, prints the statuses. Workers
get the path of the master keys, not the keys, and read them once per process.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ray
import ray.data

from hanji import telemetry


class Open:
    """What a worker does, from the first batch to the last."""

    def __init__(self, masters: Path) -> None:
        self._opener = telemetry.Opener(masters, threads=1)

    def __call__(self, batch: Any) -> Any:
        return self._opener(batch)


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    if len(sys.argv) > 2:
        ray.init(address=sys.argv[2], log_to_driver=False)
    else:
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    opened = ray.data.read_parquet(str(folder / "in")).map_batches(
        Open,
        fn_constructor_args=(folder / "masters.parquet",),
        batch_format="pyarrow",
        batch_size=65536,
        compute=ray.data.ActorPoolStrategy(size=1),
    )
    opened.write_parquet(str(folder / "ray"))
    counts = ray.data.read_parquet(str(folder / "ray")).groupby("status").count().take_all()
    for row in sorted(counts, key=lambda row: -row["status"]):
        print(f"{telemetry.STATUSES[row['status']]}: {row['count()']}")
    ray.shutdown()


if __name__ == "__main__":
    main()
