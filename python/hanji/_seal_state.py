# SPDX-License-Identifier: Apache-2.0
"""Which numbers ``hanji telemetry seal`` has used: a file in which each run reserves them before it
seals anything.

A frame's key comes from its device and epoch, and its nonce is its number. Two payloads under one
number reveal each other and endanger the integrity of all frames of that epoch. The manifest of an
output folder knows the numbers of that folder only, so this file has, for each algorithm,
direction, device and epoch, the highest number that was ever reserved, and the digests of the
inputs. An input may use numbers above it; an input with a digest that is known may be sealed again,
which gives the same frames. Everything else is refused.

The file is an SQLite database: a reservation is one transaction, locked against other processes and
on the disk when it returns. A sum over all rows is kept with them, so that damage is noticed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hanji import HanjiError, _system

if TYPE_CHECKING:
    import sqlite3

    from numpy.typing import NDArray

NAME = "hanji-seal-state.db"
_FORMAT = 1
_APPLICATION = 0x68616E6A  # "hanj", in the header of the database
_PATIENCE = 30.0  # seconds that another process may hold the lock
_PAIRS = 1 << 22  # devices with epochs that wait to be joined
_MARK = b"SQLite format 3\0"
_SCHEMA = """
CREATE TABLE used (stream TEXT NOT NULL, device INTEGER NOT NULL, epoch INTEGER NOT NULL,
    last INTEGER NOT NULL, PRIMARY KEY (stream, device, epoch)) WITHOUT ROWID;
CREATE TABLE inputs (digest TEXT NOT NULL, stream TEXT NOT NULL, PRIMARY KEY (digest, stream))
    WITHOUT ROWID;
CREATE TABLE sums (one INTEGER PRIMARY KEY CHECK (one = 1), found TEXT NOT NULL);
"""
# Each number is in a sum, and in a product with its neighbours; sums of 2**31 rows fit. The sums
# are by stream, because a row whose stream has changed would be forgotten. Of the inputs a count
# suffices: one that is not recognised can only be refused.
_SUMS = """
SELECT (SELECT count(*) FROM inputs) || coalesce(group_concat(found, ''), '') FROM (
    SELECT '; ' || stream || ' ' || count(*) || ' ' || sum(device) || ' ' || sum(epoch) || ' ' ||
        sum(last) || ' ' ||
        sum((device % 65521) * (last % 65519) + (epoch % 65519) * (last % 65521)) AS found
    FROM used GROUP BY stream ORDER BY stream)
"""


@dataclass
class Numbers:
    """The numbers of one input: for each device and epoch the lowest and the highest."""

    digest: str
    done: bool = False  # sealed by an earlier run: nothing new will be sealed under its numbers
    _pairs: list[tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]] = field(
        default_factory=list
    )

    def add(
        self, device: NDArray[np.uint32], epoch: NDArray[np.uint32], number: NDArray[np.uint32]
    ) -> None:
        """Add the rows of a table."""
        pair = device.astype(np.uint64) << np.uint64(32) | epoch
        self._pairs.append(_joined([(pair, number, number)]))
        if sum(len(pair) for pair, _, _ in self._pairs) > _PAIRS:
            self._pairs = [_joined(self._pairs)]

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Device, epoch, lowest and highest number."""
        pair, first, last = _joined(self._pairs)
        device, epoch = pair >> np.uint64(32), pair & np.uint64(0xFFFFFFFF)
        columns = (device.tolist(), epoch.tolist(), first.tolist(), last.tolist())
        return zip(*columns, strict=True)


def _joined(parts: Sequence[tuple[Any, Any, Any]]) -> tuple[Any, Any, Any]:
    """Each pair of device and epoch once, with the lowest and the highest of its numbers."""
    if not parts:
        return np.empty(0, np.uint64), np.empty(0, np.uint32), np.empty(0, np.uint32)
    pair, first, last = (np.concatenate(column) for column in zip(*parts, strict=True))
    if not len(pair):
        return pair, first, last
    order = np.argsort(pair, kind="stable")
    pair, first, last = pair[order], first[order], last[order]
    begins = np.flatnonzero(np.concatenate([[True], pair[1:] != pair[:-1]]))
    return pair[begins], np.minimum.reduceat(first, begins), np.maximum.reduceat(last, begins)


class UsedNumberError(HanjiError, ValueError):
    """Payloads would be sealed under numbers that are used: the same key and nonce."""


def place_for(masters: Any, given: str | os.PathLike[str] | None) -> Path:
    """Where the state is: as given, or in the folder of the file of master keys, links followed."""
    if given is not None:
        return Path(given)
    if not isinstance(masters, str | os.PathLike):
        raise ValueError(
            "there is no file of master keys next to which the used numbers could be kept; name a"
            " file for them with --state"
        )
    return Path(masters).resolve().parent / NAME


def reserve(path: Path, stream: str, inputs: dict[Path, Numbers]) -> None:
    """Reserve the numbers of these inputs; they are on the disk when this returns.

    ``stream`` names what else decides the keys: direction and algorithm. UsedNumberError when an input
    would use numbers that are reserved for others. OSError when the state cannot be read or
    written, or is damaged. In both cases nothing is reserved.
    """
    import sqlite3

    _make(path)
    try:
        with contextlib.closing(_opened(path)) as state:
            state.execute("BEGIN IMMEDIATE")
            _require_sound(state, path)
            for place, numbers in inputs.items():
                known = state.execute(
                    "SELECT 1 FROM inputs WHERE digest = ? AND stream = ?", (numbers.digest, stream)
                ).fetchone()
                if not known and not numbers.done:
                    _require_unused(state, path, stream, place, numbers)
            for numbers in inputs.values():
                state.executemany(
                    "INSERT INTO used VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
                    " SET last = max(last, excluded.last)",
                    ((stream, device, epoch, last) for device, epoch, _, last in numbers.rows()),
                )
                state.execute(
                    "INSERT OR IGNORE INTO inputs VALUES (?, ?)", (numbers.digest, stream)
                )
            state.execute(f"INSERT OR REPLACE INTO sums SELECT 1, ({_SUMS})")
            state.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise _unusable(path, str(error)) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


def _require_unused(
    state: sqlite3.Connection, path: Path, stream: str, place: Path, numbers: Numbers
) -> None:
    for device, epoch, first, _ in numbers.rows():
        row = state.execute(
            "SELECT last FROM used WHERE stream = ? AND device = ? AND epoch = ?",
            (stream, device, epoch),
        ).fetchone()
        if row is not None and first <= row[0]:
            raise UsedNumberError(
                f"{place}: device {device}, epoch {epoch}: number {first} goes back behind"
                f" {row[0]}, which {path} has as the highest number used; a number that comes again"
                " reveals payloads. Number the frames above it, or raise the epoch; nothing was"
                " done"
            )


def _opened(path: Path) -> sqlite3.Connection:
    import sqlite3

    uri = f"{path.resolve().as_uri()}?mode=rw"
    state = sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)
    state.execute("PRAGMA synchronous = EXTRA")
    return state


def _require_sound(state: sqlite3.Connection, path: Path) -> None:
    identity = state.execute("PRAGMA application_id").fetchone()[0]
    version = state.execute("PRAGMA user_version").fetchone()[0]
    if identity != _APPLICATION:
        raise _foreign(path, "it is a database of another program")
    if version != _FORMAT:
        raise _foreign(path, f"its format is {version}, and this hanji knows {_FORMAT}")
    found = [row[0] for row in state.execute("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise _damaged(path, found[0])
    kept = state.execute("SELECT found FROM sums").fetchone()
    if kept is None or kept[0] != state.execute(_SUMS).fetchone()[0]:
        raise _damaged(path, "its rows do not add up")


def _make(path: Path) -> None:
    """Make an empty state, unless there is one; a file that is no state stays as it is."""
    import sqlite3

    try:
        found = path.lstat()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    else:
        if not stat.S_ISREG(found.st_mode):
            raise OSError(
                errno.EINVAL,
                "is a link or no regular file; name the file of used numbers itself with --state",
                str(path),
            )
        if found.st_size == 0:
            raise _damaged(path, "it is empty")
        try:
            with path.open("rb") as file:
                mark = file.read(len(_MARK))
        except OSError as error:
            raise _unusable(path, error.strerror or str(error)) from error
        if mark != _MARK:
            raise _foreign(path, "it is no SQLite database")
        return
    # Whole under another name first: a process that dies here leaves no empty state.
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with contextlib.closing(_opened(temporary)) as state:
            state.execute(f"PRAGMA application_id = {_APPLICATION}")
            state.execute(f"PRAGMA user_version = {_FORMAT}")
            state.executescript(f"BEGIN;{_SCHEMA};INSERT INTO sums SELECT 1, ({_SUMS});COMMIT")
        _system.store(temporary)
        with contextlib.suppress(FileExistsError):  # another run was faster
            _name(temporary, path)
        _system.store(path)
        if os.name != "nt":
            _store_folder(path.parent)
    except sqlite3.Error as error:
        raise _unusable(path, str(error)) from error
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _name(temporary: Path, path: Path) -> None:
    """Give a file its name unless there is one already: FileExistsError."""
    if os.name == "nt":
        temporary.rename(path)  # replaces nothing there
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "exists", str(path)) from None
        temporary.rename(path)


def _store_folder(folder: Path) -> None:
    """Write the names of a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unusable(path: Path, reason: str) -> OSError:
    return OSError(
        errno.EIO,
        f"cannot be written ({reason}): seal records there which numbers are used, before it seals"
        " anything; choose a place that keeps the file with --state",
        str(path),
    )


def _foreign(path: Path, reason: str) -> OSError:
    return OSError(
        errno.EINVAL,
        f"is no file of used numbers ({reason}) and is left as it is; --state takes a file that hanji"
        " telemetry seal has made, or a new name. If it was one, used numbers cannot be told from"
        " others: raise the epoch of all devices and begin a new state",
        str(path),
    )


def _damaged(path: Path, reason: str) -> OSError:
    return OSError(
        errno.EIO,
        f"is damaged ({reason}), so used numbers cannot be told from others; raise the epoch of all"
        " devices and begin a new state with --state",
        str(path),
    )
