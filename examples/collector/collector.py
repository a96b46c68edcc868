# SPDX-License-Identifier: Apache-2.0
"""The collector of one partition:
`python collector.py PORT FOLDER PARTITION PARTITIONS [--batch FRAMES] [--seconds S]`.

FOLDER/broker has the certificates, FOLDER/masters.parquet the master keys, and
FOLDER/partition-PARTITION gets readings, rejected frames and the state (store.py). Frames come over
MQTT in batches of at most FRAMES, or what there is after S seconds; a batch is acknowledged when it
is on the disk. Where the disk does not take it, the collector says so, keeps the batch and tries
again; the broker keeps the rest. SIGTERM ends it after the batch that it has.
"""

from __future__ import annotations

import argparse
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

from link import Link
from store import Store, timed

BYTES = 64 << 20  # a batch of large frames
AGAIN = 0.5  # seconds until the disk is tried again


class Collector:
    """Frames of the broker into a store."""

    def __init__(
        self,
        port: int,
        folder: Path,
        partition: int,
        partitions: int,
        batch: int = 20_000,
        seconds: float = 0.5,
    ) -> None:
        self._batch, self._seconds = batch, seconds
        place = folder / f"partition-{partition}"
        self.store = Store(place, folder / "masters.parquet", partition, partitions)
        self.stopping = False
        self._waiting: list[tuple[bytes, int, int, int]] = []  # frame, number, QoS, connection
        self._bytes, self._since = 0, 0.0
        try:
            self.link = Link(
                f"collector-{partition}",
                port,
                folder / "broker",
                "collector",
                subscribe=f"frames/{partition}/+",
                received=self._received,
                most=min(2 * batch, 65535),
            )
        except BaseException:
            self.store.close()  # another collector may begin with it
            raise

    def _received(self, message: Any) -> None:
        if not self._waiting:
            self._since = time.monotonic()
        frame = bytes(message.payload)
        self._waiting.append((frame, message.mid, message.qos, self.link.connections))
        self._bytes += len(frame)

    def _full(self) -> bool:
        return len(self._waiting) >= self._batch or self._bytes >= BYTES

    def run(self) -> None:
        """Until SIGTERM; then what waits is taken, and the rest stays with the broker."""
        announced, said = False, ""
        while not self.stopping or self._waiting:
            with timed(self.store.spent, "receive"):
                self.link.pump(0.05)
            if self.link.refused != said:
                said = self.link.refused
                complain(f"broker: {said}; trying again" if said else "connected again")
            if self.link.ready and not announced:
                print("ready", flush=True)
                announced = True
            if self._waiting and (self._full() or self._late() or self.stopping):
                self._take()
        self.link.close()
        self.store.close()

    def _late(self) -> bool:
        return time.monotonic() - self._since >= self._seconds

    def _take(self) -> None:
        batch, self._waiting, self._bytes = self._waiting, [], 0
        frames, failed = [frame for frame, *_ in batch], False
        while True:
            try:
                self.store.take(frames)
                break
            except (OSError, sqlite3.OperationalError) as error:
                if not failed:
                    complain(f"{error}; {len(batch):,} frames wait until the disk takes them")
                failed = True
                if self.stopping:
                    raise SystemExit("collector: the broker keeps the last frames") from None
                deadline = time.monotonic() + AGAIN
                while time.monotonic() < deadline:
                    if self._full():
                        time.sleep(0.05)  # the broker keeps what is not read
                    else:
                        self.link.pump(0.05)
        if failed:
            complain("the disk takes them again")
        with timed(self.store.spent, "acknowledge"):
            for _, number, qos, connection in batch:
                if qos and connection == self.link.connections and self.link.connected:
                    self.link.acknowledge(number)


def complain(text: str) -> None:
    """A line for whoever looks after the collector."""
    print(f"collector: {text}", file=sys.stderr, flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("port", type=int)
    options.add_argument("folder", type=Path)
    options.add_argument("partition", type=int)
    options.add_argument("partitions", type=int)
    options.add_argument("--batch", type=int, default=20_000)
    options.add_argument("--seconds", type=float, default=0.5)
    given = options.parse_args()
    if not 0 <= given.partition < given.partitions:
        options.error(f"there is no partition {given.partition} of {given.partitions}")
    if given.batch < 1:
        options.error("a batch has 1 frame and more")
    for path in (given.folder / "masters.parquet", given.folder / "broker"):
        if not path.exists():
            raise SystemExit(f"collector: there is no {path}; run.py makes such a folder")
    try:
        collector = Collector(**vars(given))
    except (OSError, ValueError) as error:  # keys or certificates that are none, a folder of others
        raise SystemExit(f"collector: {given.folder}: {error}") from None

    def stop(*_: object) -> None:
        collector.stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    collector.run()


if __name__ == "__main__":
    main()
