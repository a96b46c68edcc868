# SPDX-License-Identifier: Apache-2.0
"""What a collector keeps: batches of frames opened, judged and on the disk, each wholly or not at
all.

A batch goes through four stages. *open*: every frame under the key of its device. *judge*: of the
frames that opened, those are new whose (epoch, number) is greater than all that were accepted of
their device. *write*: new readings and rejected frames go to Parquet files in ``pending``, and the
disk has them. *commit*: one transaction of SQLite says that the batch is there and what is now the
largest (epoch, number) of each device. After it the files get their names, and the caller may
acknowledge. Whoever is killed before the commit finds the old state, and the broker sends the
frames again; whoever is killed after it finds the new state, and frames that come again are
rejected as replayed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hanji import telemetry

# ciphertext does not compress, and what is forged shall cost no more than what is not
OPTIONS: dict[str, dict[str, Any]] = {
    "readings": {"compression": "zstd", "use_dictionary": ["device", "epoch"]},
    "rejected": {"compression": "none", "use_dictionary": ["status", "reason"]},
}
KINDS = tuple(OPTIONS)
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS last (device INTEGER PRIMARY KEY, epoch INTEGER NOT NULL,
    number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS batches (batch INTEGER PRIMARY KEY, readings INTEGER NOT NULL,
    rejected INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS reasons (reason TEXT PRIMARY KEY, frames INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stages (stage TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE asked (device INTEGER PRIMARY KEY);
"""
ADD = "VALUES (?, ?) ON CONFLICT DO UPDATE SET {0} = {0} + excluded.{0}"


def fresh(
    device: np.ndarray, position: np.ndarray, last: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """The new frames of a batch, in the order of device and position.

    ``position`` is epoch * 2**32 + number + 1 (uint64), ``last`` gives the largest accepted
    position of devices that are sorted and unique, or 0. Returns indices into the arrays.
    """
    order = np.lexsort((position, device))
    devices, which = np.unique(device[order], return_inverse=True)
    new = position[order] > last(devices)[which]
    same = (device[order][1:] == device[order][:-1]) & (position[order][1:] == position[order][:-1])
    new[1:] &= ~same  # of equal frames the first that came is new
    return order[new]


def positions(epoch: np.ndarray, number: np.ndarray) -> np.ndarray:
    """One number in the order of (epoch, number), greater than 0."""
    return (epoch.astype(np.uint64) << np.uint64(32)) + number.astype(np.uint64) + np.uint64(1)


class Store:
    """One partition of the devices: those with ``device % partitions == partition``.

    ``masters`` is the Parquet file of master keys; the store takes those of its partition only, so
    that a frame that somebody sends to a wrong partition, where its number would look new, is one
    of an unknown device. ``folder`` gets ``readings`` and ``rejected`` (Parquet files, one per
    batch), ``pending`` and ``state.sqlite``; one process at a time. BlockingIOError where another
    works in it, ValueError where the folder belongs to another partition.
    """

    def __init__(
        self, folder: Path, masters: Path, partition: int = 0, partitions: int = 1, threads: int = 1
    ) -> None:
        self.folder = folder
        self.spent: dict[str, float] = {}  # processor seconds by stage, since the last commit
        for name in (*KINDS, "pending"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._lock = (folder / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise BlockingIOError(f"{folder}: another collector works in it; stop it") from None
        keys = pq.read_table(masters, columns=["device", "master"])
        ours = keys["device"].to_numpy() % partitions == partition
        self._opener = telemetry.Opener(keys.filter(pa.array(ours)), threads=threads)
        self._db = sqlite3.connect(folder / "state.sqlite", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.executescript(SCHEMA)
        about = {"partition": partition, "partitions": partitions}
        self._db.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about.items())
        found = dict(self._db.execute("SELECT name, value FROM about"))
        if found != about:
            self.close()
            raise ValueError(f"{folder} belongs to {found}, this collector is {about}")
        self._recover()

    def close(self) -> None:
        """Give the folder free."""
        with contextlib.suppress(sqlite3.Error), transaction(self._db):
            self._note()
        self._db.close()
        self._lock.close()

    def take(self, frames: Sequence[bytes]) -> None:
        """Open, judge, write and commit one batch. Where that fails nothing is lost: OSError and
        sqlite3.Error where the disk does not take the batch; call again later.
        """
        self._recover()
        with timed(self.spent, "open"):
            given = pa.array(frames, pa.binary())
            opened = self._opener(given)
            device, epoch, number = (opened[name].to_numpy() for name in telemetry.COLUMNS[:3])
            status = opened["status"].to_numpy().copy()
        with timed(self.spent, "judge"):
            at = np.flatnonzero(status == 0)
            new = at[fresh(device[at], positions(epoch[at], number[at]), self._last)]
            status[at] = telemetry.REPLAYED
            status[new] = 0
            old = np.flatnonzero(status)
            codes, numbers = np.unique(status, return_counts=True)
            names = [telemetry.STATUSES[code] for code in codes.tolist()]
            reasons = dict(zip(names, numbers.tolist(), strict=True))
        with timed(self.spent, "write"):
            columns = [*telemetry.COLUMNS[:3], "payload"]
            self._write("readings", opened.select(columns).take(pa.array(new)))
            words = pa.array(
                [telemetry.STATUSES[code] for code in status[old].tolist()], pa.string()
            )
            rejected = {"status": pa.array(status[old]), "reason": words}
            self._write("rejected", pa.table(rejected | {"frame": given.take(pa.array(old))}))
            sync(self.folder / "pending")
        with timed(self.spent, "commit"):
            self._commit(device[new], epoch[new], number[new], len(old), reasons)
        self._publish()

    def _last(self, devices: np.ndarray) -> np.ndarray:
        found = np.zeros(len(devices), np.uint64)
        db = self._db
        with transaction(db):
            db.execute("DELETE FROM asked")
            db.executemany("INSERT INTO asked VALUES (?)", zip(devices.tolist()))
            # CROSS JOIN: SQLite keeps this order of the tables; the other scans all devices
            rows = db.execute(
                "SELECT last.device, epoch, number FROM asked CROSS JOIN last"
                " ON last.device = asked.device"
            ).fetchall()
        if rows:
            known = np.array(rows, np.uint64)
            place = np.searchsorted(devices, known[:, 0].astype(devices.dtype))
            found[place] = positions(known[:, 1], known[:, 2])
        return found

    def _write(self, kind: str, table: Any) -> None:
        if table.num_rows:
            with self._pending(kind, self.batch + 1).open("wb") as file:
                pq.write_table(table, file, **OPTIONS[kind])
                file.flush()
                os.fsync(file.fileno())

    def _commit(
        self,
        device: np.ndarray,
        epoch: np.ndarray,
        number: np.ndarray,
        rejected: int,
        reasons: dict[str, int],
    ) -> None:
        ends = np.flatnonzero(np.append(device[1:] != device[:-1], [True] * bool(len(device))))
        largest = zip(*(column[ends].tolist() for column in (device, epoch, number)), strict=True)
        with transaction(self._db):
            self._db.executemany("INSERT OR REPLACE INTO last VALUES (?, ?, ?)", largest)
            row = (self.batch + 1, len(device), rejected)
            self._db.execute("INSERT INTO batches VALUES (?, ?, ?)", row)
            self._db.executemany(f"INSERT INTO reasons {ADD.format('frames')}", reasons.items())
            self._note()
        self.spent.clear()
        self.batch += 1

    def _note(self) -> None:
        self._db.executemany(f"INSERT INTO stages {ADD.format('seconds')}", self.spent.items())

    def _publish(self) -> None:
        """Name the files of the last batch; when that is cut short, the next start does it."""
        for kind in KINDS:
            with contextlib.suppress(FileNotFoundError):  # the batch has none of this kind
                name = f"{self.batch:08}.parquet"
                self._pending(kind, self.batch).replace(self.folder / kind / name)

    def _recover(self) -> None:
        """Name what was committed and has no name yet, remove what was not committed."""
        (self.batch,) = self._db.execute("SELECT ifnull(max(batch), 0) FROM batches").fetchone()
        self._publish()
        for path in (self.folder / "pending").iterdir():
            path.unlink()

    def _pending(self, kind: str, batch: int) -> Path:
        return self.folder / "pending" / f"{kind}-{batch:08}"


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Add the processor time of a stage."""
    start = time.process_time()
    yield
    seconds[stage] = seconds.get(stage, 0.0) + time.process_time() - start


def sync(folder: Path) -> None:
    """Have the names of a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def counts(folder: Path) -> tuple[dict[str, int], dict[str, float]]:
    """What a store has counted, for whoever looks on: frames by reason, seconds by stage."""
    path = folder / "state.sqlite"
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            reasons = dict(db.execute("SELECT reason, frames FROM reasons"))
            stages = dict(db.execute("SELECT stage, seconds FROM stages"))
    except sqlite3.OperationalError:  # it is not there yet
        return {}, {}
    return reasons, stages


def readings(folder: Path) -> Iterator[Any]:
    """The tables of readings of all partitions below a folder."""
    for path in sorted(folder.glob("*/readings/*.parquet")):
        yield pq.read_table(path)
