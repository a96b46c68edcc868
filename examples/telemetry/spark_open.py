# SPDX-License-Identifier: Apache-2.0
"""Open frames with Spark: `python spark_open.py FOLDER [sc://HOST:PORT]`.

Without a server the script starts pysail in this process, which speaks Spark's protocol and needs
no Java. Reads FOLDER/in, opens with mapInArrow, writes FOLDER/spark, prints the statuses. Workers
get the path of the master keys, not the keys, and read them once per process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from hanji import telemetry

SCHEMA = "device long, epoch long, number long, payload binary, status byte"
ARROW = pa.schema(
    [
        *((name, pa.int64()) for name in telemetry.COLUMNS[:3]),
        ("payload", pa.binary()),
        ("status", pa.int8()),
    ]
)


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    server = None
    if len(sys.argv) > 2:
        address = sys.argv[2]
    else:
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer()
        server.start(background=True)
        address = f"sc://127.0.0.1:{server.listening_address[1]}"
    spark = SparkSession.builder.remote(address).getOrCreate()
    opener = telemetry.Opener(folder / "masters.parquet", threads=1)
    kinds = ARROW

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            # Spark has no unsigned integers.
            yield from pa.Table.from_batches([opener(batch)]).cast(kinds).to_batches()

    frames = spark.read.parquet(str(folder / "in"))
    frames.mapInArrow(work, SCHEMA).write.mode("overwrite").parquet(str(folder / "spark"))
    counts = spark.read.parquet(str(folder / "spark")).groupBy("status").count().collect()
    for row in sorted(counts, key=lambda row: -row["status"]):
        print(f"{telemetry.STATUSES[row['status']]}: {row['count']}")
    spark.stop()
    if server is not None:
        server.stop()


if __name__ == "__main__":
    main()
