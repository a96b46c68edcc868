# SPDX-License-Identifier: Apache-2.0
"""Columns of telemetry frames (docs/telemetry.md): open and seal the frames of many devices, each
under its own key.

    opener = telemetry.Opener("masters.parquet")       # columns device and master
    readings = opener(pyarrow.parquet.read_table("in.parquet"))
    readings["status"]                                 # 0: opened; telemetry.STATUSES has the names

An :class:`Opener` takes a pyarrow Table or RecordBatch, a Polars DataFrame, or a NumPy array with
a frame in each row, and gives the same back, with the columns of :data:`COLUMNS`. It can be
pickled: what travels is the source of the master keys, a path or a function, and never a key.
:class:`Sealer` is the other direction, :func:`replays` finds what was sent twice in data at rest.
Where the keys lie and which engine is for what: docs/scale.md.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import secrets
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hanji import _arrow, _core, _master_tables
from hanji._master_tables import Rotating
from hanji._master_tables import read as read_masters
from hanji._numpy import NUMPY
from hanji._pool import Pool
from hanji._protocols import refuse_masked
from hanji._text import (
    arrow_type,
    columns_like,
    described,
    encodable,
    file_name,
    hiding,
)
from hanji._threads import ForkedLock, usable_processors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Masters = str | os.PathLike[str] | bytes | Callable[[NDArray[np.uint32]], Any] | Any
    Direction = Literal["from-device", "to-device"]

__all__ = [
    "ALGORITHMS",
    "COLUMNS",
    "STATUSES",
    "Frames",
    "Opened",
    "Opener",
    "Replays",
    "Sealer",
    "read_masters",
    "replays",
]

#: The name of every status of a frame: 0 "opened", -3 "forged", ...
STATUSES: dict[int, str] = _core.frame_statuses()
_NUMBERS = {name: number for number, name in STATUSES.items()}
REPLAYED, NULL = _NUMBERS["replayed"], _NUMBERS["null"]
#: The algorithms of frames, by name.
ALGORITHMS = {"schwaemm256-128": 1, "speck-64/128-eax": 2, "ascon-aead128": 3}
#: What an opener makes of a column of frames.
COLUMNS = ("device", "epoch", "number", "payload", "status")

HEADER = 16
_PIECE, _PIECE_LEAST = 1 << 16, 1 << 12  # frames that a thread takes at once
_GROUP, _GROUP_BYTES = 1 << 14, 8 << 20  # what small chunks are put together to, for the cache


@dataclass(frozen=True, eq=False)
class Opened:
    """What an opener makes of NumPy arrays: payload i is payload[offsets[i]:offsets[i + 1]], and
    has no bytes where status[i] is not 0.
    """

    device: NDArray[np.uint32]
    epoch: NDArray[np.uint32]
    number: NDArray[np.uint32]
    payload: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    status: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.status)


@dataclass(frozen=True, eq=False)
class Frames:
    """What a sealer makes of NumPy arrays: frame i is data[offsets[i]:offsets[i + 1]], and has no
    bytes where status[i] is not 0.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    status: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.status)


class Opener:
    """Opens columns of frames, each frame under the key of its device.

    ``masters`` is the path of a Parquet file, or a table in memory, with the columns ``device``
    (integers of 0 to 2**32 - 1, each once) and ``master`` (binary, all of one size, 16 to 64
    bytes), and optionally ``valid_from_epoch`` and ``valid_to_epoch`` (inclusive, null is open),
    with a row for each key of a device; or a function from device numbers (a sorted uint32 array)
    to their keys (a list of bytes with None for devices that it does not know, or an n x k uint8
    array), which is asked once for each device that it knows, and about the others again after a
    minute; or one key, bytes-like, for all devices: for tests, or where all frames are those of one
    device. ``direction`` says who has sealed: "from-device" or "to-device". ``column`` is the
    column of frames, ``keep`` names the columns that the result takes over. ``threads`` work at
    once (default: the processors that this process may use).

    A result has the columns of `COLUMNS`: ``device``, ``epoch`` and ``number`` (uint32, as the
    header says: of a frame that did not open nobody vouches for them), ``payload`` (null where the
    frame did not open), ``status`` (int8, see `STATUSES`). Replays are not looked for:
    :func:`replays`.

    Pickled, it holds the path or the function; each process reads the keys once. Errors: ValueError
    and TypeError for tables that lack a column or have another type, for keys of other sizes and
    for devices that come twice, with the row; TypeError when an opener with keys in memory is
    pickled: keys do not travel with tasks. Source: docs/telemetry.md. Status: as the algorithm of
    each frame.
    """

    def __init__(
        self,
        masters: Masters,
        *,
        direction: Direction = "from-device",
        column: str = "frame",
        keep: Sequence[str] = (),
        threads: int | None = None,
    ) -> None:
        self._keys = _Keys(masters)
        self._to_device = _to_device(direction)
        self._column, self._keep, self._threads = column, tuple(keep), _thread_count(threads)
        clash = sorted({*COLUMNS} & {*keep})
        if clash:
            raise ValueError(f"keep names {clash[0]!r}, which the opener makes itself; rename it")

    def __call__(self, frames: Any) -> Any:
        """Open a pyarrow Table or RecordBatch, an Arrow array of frames, a Polars DataFrame, or an
        n x m uint8 array; see the class.
        """
        if isinstance(frames, np.ndarray):
            return self.rows(frames)
        if _is_polars(frames):
            polars = __import__("polars")
            return polars.from_arrow(self(frames.to_arrow()), rechunk=False)
        pa = _arrow.arrow()
        if isinstance(frames, pa.RecordBatch):
            return self._batch(frames)
        if isinstance(frames, pa.Table):
            return self._table(frames)
        if isinstance(frames, pa.Array | pa.ChunkedArray):
            return self._table(pa.table({self._column: frames}))
        raise TypeError(
            f"frames are a {type(frames).__name__}; an opener takes a pyarrow Table, RecordBatch or"
            " array, a Polars DataFrame, or an n x m uint8 array"
        )

    def rows(self, frames: NDArray[np.uint8]) -> Opened:
        """Open an n x m uint8 array: one frame in each row, all of one size."""
        if not isinstance(frames, np.ndarray):
            raise TypeError(
                f"frames are a {type(frames).__name__}; one frame in each row takes an n x m uint8"
                " array"
            )
        refuse_masked(frames, "frames")
        if frames.dtype != np.uint8 or frames.ndim != 2:
            raise TypeError(
                f"frames are {frames.dtype} of shape {frames.shape}; one frame in each row takes an"
                " n x m uint8 array, frames of unequal sizes an Arrow array"
            )
        n, size = frames.shape
        flat = np.ascontiguousarray(frames).reshape(-1)
        return self.flat(flat, np.arange(n + 1, dtype=np.int64) * size)

    def flat(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Opened:
        """Open frames that lie side by side: frame i is data[offsets[i]:offsets[i + 1]]."""
        frames = _core.ByteStrings(NUMPY, "data", data, offsets)
        return Opened(*self._keys_of(frames).open(NUMPY, frames, self._to_device))

    def _keys_of(self, frames: _core.ByteStrings) -> _core.MasterKeys | Rotating:
        """The keys of frames; none are loaded where there is no frame."""
        return self._keys.table(lambda: frames.devices(NUMPY)) if len(frames) else _NO_KEYS

    def schema(self, frames: Any) -> Any:
        """The Arrow schema of what the opener makes of a table with the schema ``frames``."""
        made = _schema_of_opened(_is_wide(_field(frames, self._column).type))
        if not self._keep:
            return made
        return _arrow.arrow().schema([*made, *(_field(frames, name) for name in self._keep)])

    def _table(self, table: Any) -> Any:
        pa = _arrow.arrow()
        schema = self.schema(table.schema)
        piece = min(_PIECE, max(_PIECE_LEAST, -(-table.num_rows // self._threads)))
        table = table.select([*dict.fromkeys([self._column, *self._keep])])
        table.validate()  # what may come from a file of others; ByteStrings looks at the rest
        batches = table.to_batches()
        alone = len(batches) == 1 and 0 < table.num_rows <= min(_GROUP, piece)
        groups = [batches] if alone else list(_groups(batches, piece))
        threads = min(self._threads, len(groups))
        if threads < 2:
            made = [self._group(group) for group in groups]
        else:
            with Pool(threads) as pool:
                made = pool.map(self._group, groups)
        return pa.Table.from_batches(itertools.chain(*made), schema=schema)

    def _group(self, batches: list[Any]) -> list[Any]:
        batches = [plain_column(batch, self._column) for batch in batches]
        if len(batches) > 1:
            batches = [self._joined(batches)]
        return [self._batch(batch) for batch in batches]

    def _joined(self, batches: list[Any]) -> Any:
        """Several batches as one. Arrow joins arrays by reading their offsets again after they were
        validated, and others may write to the memory of frames: those are joined here.
        """
        pa = _arrow.arrow()
        names = [*dict.fromkeys([self._column, *self._keep])]
        kept = [name for name in names if name != self._column]
        parts = [batch.column(batch.schema.get_field_index(self._column)) for batch in batches]
        kind = _payload_type(parts[0].type)
        taken = [(*_taken(part), _nulls_of(part)) for part in parts]
        lengths = np.concatenate([np.diff(offsets) for _, offsets, _ in taken])
        nulls = np.concatenate(
            [np.zeros(len(o) - 1, bool) if found is None else found for _, o, found in taken]
        )
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        data = np.concatenate([values for values, _, _ in taken])
        columns = {self._column: _binary(kind, data, offsets, nulls.astype(np.int8))}
        if kept:
            for batch in batches:
                _validate(batch.select(kept))
            others = pa.Table.from_batches([batch.select(kept) for batch in batches])
            columns |= {name: others[name].combine_chunks() for name in kept}
        return pa.RecordBatch.from_arrays([columns[name] for name in names], names=names)

    def _batch(self, batch: Any) -> Any:
        pa = _arrow.arrow()
        schema = self.schema(batch.schema)
        frames, nulls = _strings_of(batch.column(_place(batch.schema, self._column)))
        wide = not pa.types.is_binary(schema.field(COLUMNS.index("payload")).type)
        made = self._keys_of(frames).open_batch(frames, self._to_device, nulls, wide)
        opened = pa.record_batch(made)
        if not self._keep:
            return opened
        kept = [batch.column(_place(batch.schema, name)) for name in self._keep]
        return pa.RecordBatch.from_arrays([*opened.columns, *kept], schema=schema)


class Sealer:
    """Seals columns of payloads, each for its device: the other direction of `Opener`.

    ``masters`` and ``threads`` as for `Opener`. ``algorithm`` is one of `ALGORITHMS`. ``direction``
    is "to-device" for commands, which have keys of their own (docs/telemetry.md), or
    "from-device" for what devices seal: simulated fleets and tests. The table has the columns
    ``device``, ``epoch``, ``number`` (integers of 0 to 2**32 - 1) and ``payload`` (binary, at most
    65535 bytes each); the result has ``frame`` (null where nothing was sealed), ``status`` (int8)
    and the columns of ``keep``.

    **No (device, epoch, number) may ever come twice in one direction**: key and nonce would. Within
    one call that is refused; between calls the caller keeps count, as a device does, in storage
    that is written before the numbers are used. Errors: ValueError for numbers that come twice or
    are out of range, and as `Opener`. Source: docs/telemetry.md. Status: as the algorithm.
    """

    def __init__(
        self,
        masters: Masters,
        *,
        algorithm: str = "ascon-aead128",
        direction: Direction = "to-device",
        keep: Sequence[str] = (),
        threads: int | None = None,
    ) -> None:
        if algorithm not in ALGORITHMS:
            raise ValueError(
                f"algorithm is {described(algorithm)}; frames have {', '.join(ALGORITHMS)}"
            )
        self._keys, self._algorithm = _Keys(masters), ALGORITHMS[algorithm]
        self._to_device = _to_device(direction)
        self._keep, self._threads = tuple(keep), _thread_count(threads)

    def __call__(self, table: Any) -> Any:
        """Seal a pyarrow Table or RecordBatch, or a Polars DataFrame; see the class."""
        if _is_polars(table):
            polars = __import__("polars")
            return polars.from_arrow(self(table.to_arrow()), rechunk=False)
        pa = _arrow.arrow()
        if not isinstance(table, pa.RecordBatch | pa.Table):
            raise TypeError(
                f"the payloads are a {type(table).__name__}; a sealer takes a pyarrow Table or"
                " RecordBatch, or a Polars DataFrame"
            )
        whole = isinstance(table, pa.RecordBatch)
        batches = [table] if whole else table.to_batches(max_chunksize=_PIECE)
        # Copies: what is compared must be what is sealed, though others write to the table's
        # memory. The columns of one batch need not be looked up in the chunks of a table.
        numbered = batches[0] if len(batches) == 1 else table
        places = [_arrow.numbers(numbered, name).copy() for name in COLUMNS[:3]]
        _refuse_repeated(*places)
        payload = _place(table.schema, "payload")
        wide = _is_wide(table.schema.field(payload).type)
        kept = [_place(table.schema, name) for name in self._keep]
        schema = _schema_of_sealed(wide)
        if kept:
            schema = pa.schema([*schema, *(table.schema.field(place) for place in kept)])
        made, at = [], 0
        for batch in batches:
            part = [column[at : at + batch.num_rows] for column in places]
            payloads, nulls = _strings_of(batch.column(payload))
            if nulls is not None:
                row = at + int(np.argmax(nulls))
                raise ValueError(f"payload is null in row {row}; give an empty payload, or drop it")
            at += batch.num_rows
            keys, which = self._keys_of(part[0], payloads), _core.Places(NUMPY, *part)
            sealed = pa.record_batch(
                keys.seal_batch(self._algorithm, which, payloads, self._to_device, wide)
            )
            if kept:
                columns = [*sealed.columns, *(batch.column(place) for place in kept)]
                sealed = pa.RecordBatch.from_arrays(columns, schema=schema)
            made.append(sealed)
        return made[0] if whole else pa.Table.from_batches(made, schema=schema)

    def flat(
        self,
        device: NDArray[np.uint32],
        epoch: NDArray[np.uint32],
        number: NDArray[np.uint32],
        payload: NDArray[np.uint8],
        offsets: NDArray[np.int64],
    ) -> Frames:
        """Seal payloads that lie side by side; the caller answers for numbers that come twice."""
        places = _core.Places(NUMPY, device, epoch, number)
        payloads = _core.ByteStrings(NUMPY, "payload", payload, offsets)
        keys = self._keys_of(device, payloads)
        return Frames(*keys.seal(NUMPY, self._algorithm, places, payloads, self._to_device))

    def _keys_of(
        self, devices: NDArray[np.uint32], payloads: _core.ByteStrings
    ) -> _core.MasterKeys | Rotating:
        """The keys of devices; none are loaded where there is no payload."""
        return self._keys.table(lambda: devices) if len(payloads) else _NO_KEYS


class Replays:
    """Finds replays among any number of frames, in bounded memory: what opened is added file by
    file, and of frames with the same (device, epoch, number) all but the first by (file, row) are
    replays.

    Frames go to ``partitions`` files in ``folder`` (default: a temporary one), by a hash, 24 bytes
    a frame; of which one is in memory at a time, with 50 bytes a frame, and 80 for each that may be
    a replay. Of a file with more than four million frames, which one frame that was sent very often
    makes, a piece is in memory at a time, and the first frame of each device, epoch and number. Use
    it as a context manager, which removes the files.
    """

    _MOST = 1 << 22  # frames of a piece

    _RECORD = np.dtype(
        [("device", "<u4"), ("epoch", "<u4"), ("number", "<u4"), ("file", "<u4"), ("row", "<u8")]
    )

    def __init__(self, folder: str | os.PathLike[str] | None = None, partitions: int = 64) -> None:
        if not 1 <= partitions <= 1024:
            raise ValueError(f"partitions is {described(partitions)}; it takes 1 to 1024")
        place = None if folder is None else file_name(folder)
        with contextlib.nullcontext() if folder is None else hiding(folder):
            self._folder = tempfile.TemporaryDirectory(prefix="hanji-replays-", dir=place)
        paths = [Path(self._folder.name) / f"{place:04}" for place in range(partitions)]
        self._files = [path.open("w+b", buffering=1 << 16) for path in paths]
        # Odd numbers that no device knows: it might number its frames so that one partition gets
        # all of them, and holds more than memory does.
        self._factors = [np.uint64(secrets.randbits(64) | 1) for _ in range(2)]

    def __enter__(self) -> Replays:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the files."""
        for file in self._files:
            with contextlib.suppress(OSError):  # what a full disk did not take is not wanted now
                file.close()
        self._folder.cleanup()

    def add(
        self,
        file: int,
        row: NDArray[Any],
        device: NDArray[Any],
        epoch: NDArray[Any],
        number: NDArray[Any],
    ) -> None:
        """Add opened frames: the number of their file, and arrays of one length."""
        if not isinstance(file, int | np.integer):
            raise TypeError(f"file is {described(file)}; it takes the number of a file")
        records = np.empty(len(device), self._RECORD)
        for what, given in (("row", row), ("device", device), ("epoch", epoch), ("number", number)):
            if not isinstance(given, np.ndarray) or given.dtype.kind not in "iu":
                raise TypeError(f"{what} is {described(given)}; it takes an array of integers")
        values = (device, epoch, number, np.uint32(file), row)
        for name, value in zip(self._RECORD.names or (), values, strict=True):
            records[name] = value
        if len(self._files) == 1:
            _write(self._files[0], records)
            return
        place = (self._mixed(records) >> np.uint64(40)) * np.uint64(len(self._files))
        place = (place >> np.uint64(24)).astype(np.uint16)  # which NumPy sorts by digits
        order = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[order], np.arange(len(self._files) + 1))
        for which, (first, last) in enumerate(itertools.pairwise(ends)):
            if first < last:
                _write(self._files[which], records[order[first:last]])

    def found(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint64]]]:
        """Files and rows of the replays, one partition after the other."""
        for file in self._files:
            _write(file)
            if os.fstat(file.fileno()).st_size <= self._MOST * self._RECORD.itemsize:
                for records in self._pieces(file):
                    records, again = _sorted_by_place(self._suspects(records))
                    if again.any():
                        yield records["file"][again], records["row"][again]
                continue
            firsts = np.empty(0, self._RECORD)
            for records in self._pieces(file):
                records, again = _sorted_by_place(records)
                firsts, again = _sorted_by_place(np.concatenate([firsts, records[~again]]))
                firsts = firsts[~again]
            for records in self._pieces(file):
                records, again = _sorted_by_place(np.concatenate([firsts, records]))
                # of each place stand there the first of all, the same once more where it is in this
                # piece, and its replays
                first = records[np.flatnonzero(~again)[np.cumsum(~again) - 1]]
                again &= (records["file"] != first["file"]) | (records["row"] != first["row"])
                if again.any():
                    yield records["file"][again], records["row"][again]

    def _mixed(self, records: NDArray[Any]) -> NDArray[np.uint64]:
        """A hash of device, epoch and number; its high bits are the best."""
        mixed: NDArray[np.uint64] = records["device"].astype(np.uint64)
        mixed *= self._factors[0]
        mixed ^= records["epoch"].astype(np.uint64) << np.uint64(32) | records["number"]
        mixed *= self._factors[1]
        return mixed

    def _suspects(self, records: NDArray[Any]) -> NDArray[Any]:
        """Records without most of those whose device, epoch and number come once: by their hash,
        for one sort of numbers costs a tenth of a sort by five columns.
        """
        mixed = self._mixed(records)
        ordered = np.sort(mixed)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        marked = np.zeros(1 << 20, bool)
        marked[twice >> np.uint64(44)] = True
        found: NDArray[Any] = records[marked[mixed >> np.uint64(44)]]
        return found

    def _pieces(self, file: Any) -> Iterator[NDArray[Any]]:
        """The records of a partition, so many at once."""
        file.seek(0)
        while data := file.read(self._MOST * self._RECORD.itemsize):
            yield np.frombuffer(data, self._RECORD)


def _write(file: Any, records: NDArray[Any] | None = None) -> None:
    """Write records to a partition, or all that waits; OSError with its name where that fails."""
    try:
        if records is None:
            file.flush()
        else:
            file.write(records.tobytes())
    except OSError as error:  # a full disk
        raise OSError(error.errno, error.strerror, str(file.name)) from error


def _sorted_by_place(records: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Records of a search for replays in the order of device, epoch, number, file and row; and
    which have the device, epoch and number of the one before.
    """
    names = ("row", "file", "number", "epoch", "device")
    records = records[np.lexsort(tuple(records[name] for name in names))]
    again = np.zeros(len(records), bool)
    again[1:] = True
    for name in names[2:]:
        again[1:] &= records[name][1:] == records[name][:-1]
    return records, again


def replays(tables: Iterable[Any], *, partitions: int = 64) -> dict[int, NDArray[np.uint64]]:
    """The replays among opened tables: by the number of the table (its place in ``tables``), the
    rows that hold a (device, epoch, number) which an earlier table or row holds.

    Each table (Arrow, or Polars) has the columns of an opener; only rows with status 0 count.
    Tables are looked at one after the other, memory is bounded: see :class:`Replays`.
    """
    with Replays(partitions=partitions) as state:
        for place, given in enumerate(tables):
            table = given.to_arrow() if _is_polars(given) else given
            kept = np.flatnonzero(_arrow.numbers(table, "status", signed=True) == 0)
            columns = (_arrow.numbers(table, name)[kept] for name in COLUMNS[:3])
            state.add(place, kept, *columns)
        found: dict[int, list[NDArray[np.uint64]]] = {}
        for files, rows in state.found():
            for place in np.unique(files):
                found.setdefault(int(place), []).append(rows[files == place])
    return {place: np.sort(np.concatenate(rows)) for place, rows in sorted(found.items())}


class _Keys:
    """Master keys and where they come from. The keys are loaded on first use, once per process."""

    def __init__(self, source: Masters) -> None:
        self._given: Any = None
        self._travelled = False  # this is a worker of an engine
        self._token = ""
        if isinstance(source, str | os.PathLike):
            self._source: Any = source
        elif callable(source):
            self._source, self._token = source, uuid.uuid4().hex
        else:
            self._source = None
            self._given = _master_tables.Keys(_table_of_keys(source, "masters"))

    def __getstate__(self) -> dict[str, Any]:
        if self._source is None:
            raise TypeError(
                "the master keys of this opener lie in memory, and keys do not travel with tasks:"
                " give masters as the path of a Parquet file that workers can read, or as a"
                " function that fetches them"
            )
        return {
            "_source": self._source,
            "_token": self._token,
            "_given": None,
            "_travelled": True,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def load(self) -> None:
        """Read a file, unless that is done."""
        if self._given is None:
            if not callable(self._source):
                with hiding(self._source):
                    name = file_name(self._source)
                    self._given = _master_tables.from_path(name, _table_of_keys)
                if self._travelled:
                    _master_tables.keep(self._given)
            else:
                with _LOCK:
                    self._given = _ASKED.setdefault(self._token, _Asked(self._source))

    def table(self, devices: Callable[[], NDArray[np.uint32]]) -> _core.MasterKeys | Rotating:
        """The keys; ``devices`` says which are wanted, where they are asked for."""
        self.load()
        if isinstance(self._given, _Asked):
            return self._given.table(devices())
        table: _core.MasterKeys | Rotating = self._given.table
        return table


_LOCK = ForkedLock(renew=True)


class _Unknown:
    """Devices that a function for master keys did not know. Anybody can send frames with other
    device numbers, so their number is bounded: a device has one place, which the next with the same
    place takes. They are forgotten after a minute, for devices are added meanwhile.
    """

    _PLACES_LOG2, _SECONDS = 16, 60.0

    def __init__(self) -> None:
        places = 1 << self._PLACES_LOG2
        self._device = np.full(places, -1, np.int64)
        self._since = np.zeros(places)
        self._factor = np.uint64(secrets.randbits(64) | 1)  # nobody can choose who loses a place

    def _places(self, devices: NDArray[np.uint32]) -> NDArray[np.uint64]:
        shift = np.uint64(64 - self._PLACES_LOG2)
        return devices.astype(np.uint64) * self._factor >> shift

    def have(self, devices: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Which of the devices were unknown less than a minute ago."""
        places = self._places(devices)
        fresh = self._since[places] > time.monotonic() - self._SECONDS
        known: NDArray[np.bool_] = (self._device[places] == devices) & fresh
        return known

    def add(self, devices: NDArray[np.uint32]) -> None:
        places = self._places(devices)
        self._device[places] = devices
        self._since[places] = time.monotonic()


class _Asked:
    """Keys from a function, which is asked once for each device that it knows."""

    def __init__(self, ask: Callable[[NDArray[np.uint32]], Any]) -> None:
        self._ask, self._lock = ask, ForkedLock()
        self._devices = np.empty(0, np.uint32)  # those that it knows, sorted
        self._keys = np.empty((0, 16), np.uint8)
        self._unknown = _Unknown()
        self._table: _core.MasterKeys | None = None

    def table(self, devices: NDArray[np.uint32]) -> _core.MasterKeys:
        """The keys of these devices, and of others; they need not be sorted."""
        with self._lock:
            if len(self._devices):
                place = np.searchsorted(self._devices, devices)
                place[place == len(self._devices)] = 0
                devices = devices[self._devices[place] != devices]
            new = np.unique(devices[~self._unknown.have(devices)])
            if len(new) or self._table is None:
                self._add(new)
            assert self._table is not None
            return self._table

    def _add(self, new: NDArray[np.uint32]) -> None:
        answer = self._ask(new) if len(new) else []
        if not hasattr(answer, "__len__"):
            raise TypeError(
                f"the function for master keys gave a {type(answer).__name__} for {len(new)}"
                " devices; give a list with a key for each, or None"
            )
        if len(answer) != len(new):
            raise ValueError(
                f"the function for master keys gave {len(answer)} keys for {len(new)} devices;"
                " give one for each, or None"
            )
        # not bytes(key), which makes a key of zeros of a number
        rows = [None if key is None else _core.to_bytes(key, "a master key") for key in answer]
        sizes = {len(key) for key in rows if key is not None}
        sizes |= {self._keys.shape[1]} if len(self._devices) else set()
        if len(sizes) > 1:
            raise ValueError(f"master keys have {sorted(sizes)} bytes; give all of one size")
        if 0 in sizes:
            raise ValueError("master keys are 0 bytes; they have 16 to 64")
        size = sizes.pop() if sizes else 16
        known = np.array([key is not None for key in rows], bool)
        devices, keys = self._devices, self._keys
        if known.any():
            flat = np.frombuffer(b"".join(key for key in rows if key is not None), np.uint8)
            place = np.searchsorted(devices, new[known])
            devices = np.insert(devices, place, new[known])
            old = keys if len(keys) else np.empty((0, size), np.uint8)
            keys = np.insert(old, place, flat.reshape(-1, size), axis=0)
        if known.any() or self._table is None:  # not for devices that nobody knows, as in forgeries
            self._table = _core.MasterKeys(devices, keys, size)
        self._devices, self._keys = devices, keys
        self._unknown.add(new[~known])


_ASKED: dict[str, _Asked] = {}


def _table_of_keys(source: Any, what: str) -> _core.MasterKeys | Rotating:
    """One key for all, or a table with the columns device and master."""
    if isinstance(source, bytes | bytearray | memoryview):
        key = _core.to_bytes(source, "masters")
        return _core.MasterKeys(None, key, len(key))
    table = source.to_arrow() if _is_polars(source) else source
    lazy = type(table).__module__.startswith("polars")
    if lazy or not hasattr(table, "schema") or not hasattr(table, "column"):
        raise TypeError(
            f"masters are a {type(source).__name__}; give the path of a Parquet file, a table with"
            " the columns device and master, a function, or one key as bytes"
        )
    columns = _master_tables.columns_of(table.schema.names, what)
    for name in _master_tables.COLUMNS:
        if name not in columns:
            raise ValueError(
                f"{what} has no column {name!r}; a table of master keys has the columns device and"
                " master"
            )
    devices = _arrow.numbers(table, "device", where=f" of {what}")
    column = table.column(table.schema.get_field_index("master"))
    pa = _arrow.arrow()
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    _payload_type(kind, f"column 'master' of {what}")  # text would be taken for its letters
    whole = getattr(column, "num_chunks", 1) == 1
    if kind != column.type or not (whole or pa.types.is_fixed_size_binary(kind)):
        column = column.cast(pa.large_binary())  # and not before: it costs some 0.1 s
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if whole else column.combine_chunks()
    data, offsets, nulls = _bytes_of(column)
    if nulls is not None:
        raise ValueError(f"master{' of ' + what} is null in row {int(np.argmax(nulls))}")
    sizes = np.diff(offsets)
    size = int(sizes[0]) if len(sizes) else 16
    if (sizes != size).any():
        row = int(np.argmax(sizes != size))
        raise ValueError(
            f"the master key in row {row} of {what} has {sizes[row]} bytes, that in row 0 has"
            f" {size}; keys of one table have one size"
        )
    masters = data[int(offsets[0]) : int(offsets[-1])]
    if len(columns) > len(_master_tables.COLUMNS):
        return Rotating(table, devices, masters, size, what)
    return _core.MasterKeys(devices, masters, size)


_NO_KEYS = _core.MasterKeys(None, bytes(16), 16)  # for calls without a frame


def _checked_offsets(offsets: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """A copy, which nobody changes between the check and its use; ValueError unless they never
    decrease and lie in the data.
    """
    ours: NDArray[np.int64] = _core.checked_offsets(NUMPY, offsets, size)
    return ours


def _devices(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The device numbers in headers, sorted, each once."""
    return np.unique(_core.ByteStrings(NUMPY, "data", data, offsets).devices(NUMPY))


def _groups(batches: Iterable[Any], piece: int) -> Iterator[list[Any]]:
    """Batches in groups that are opened at once: large ones cut, small ones together."""
    waiting: list[Any] = []
    rows = size = 0
    most = min(_GROUP, piece)
    for batch in batches:
        full = rows + batch.num_rows > most or size + batch.nbytes > _GROUP_BYTES
        if waiting and full:
            yield waiting
            waiting, rows, size = [], 0, 0
        if batch.num_rows > most:
            yield from ([batch.slice(at, piece)] for at in range(0, batch.num_rows, piece))
        elif batch.num_rows:
            waiting.append(batch)
            rows, size = rows + batch.num_rows, size + batch.nbytes
    if waiting:
        yield waiting


def _view(array: NDArray[Any]) -> NDArray[np.uint8]:
    return array.view(np.uint8)


def _to_device(direction: str) -> bool:
    if direction not in ("from-device", "to-device"):
        raise ValueError(
            f"direction is {described(direction)}; it takes 'from-device' or 'to-device'"
        )
    return direction == "to-device"


def _thread_count(threads: int | None) -> int:
    if threads is None:
        return usable_processors()
    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads is {described(threads)}; it takes an int of 1 and more, or None")
    return threads


def _is_polars(given: Any) -> bool:
    """Whether it is a DataFrame or a Series; a LazyFrame has no rows yet."""
    return type(given).__module__.startswith("polars") and hasattr(given, "to_arrow")


def _called(name: str) -> str:
    """The name of a column that a table lacks: those of this module, others may be keys."""
    return repr(name) if name in {*COLUMNS, "frame"} else f"of this name ({described(name)})"


def _place(schema: Any, name: str) -> int:
    place: int = schema.get_field_index(name) if encodable(name) else -1
    if place < 0:
        raise ValueError(
            f"the table has no column {_called(name)}, or several;"
            f" {columns_like(name, schema.names)}"
        )
    return place


def _field(schema: Any, name: str) -> Any:
    return schema.field(_place(schema, name))


@functools.cache
def _schema_of_opened(wide: bool) -> Any:
    """What an opener makes, without the columns that it keeps."""
    pa = _arrow.arrow()
    payload = pa.large_binary() if wide else pa.binary()
    fields = [(name, pa.uint32()) for name in COLUMNS[:3]]
    return pa.schema([*fields, ("payload", payload), ("status", pa.int8())])


@functools.cache
def _schema_of_sealed(wide: bool) -> Any:
    """What a sealer makes, without the columns that it keeps."""
    pa = _arrow.arrow()
    frame = pa.large_binary() if wide else pa.binary()
    return pa.schema([("frame", frame), ("status", pa.int8())])


def plain_type(kind: Any) -> Any:
    """The type of the values of a column: its own, or what a dictionary or runs are of. A column of
    the type null, which pandas writes where it has no value, is one of byte strings that are null.
    """
    pa = _arrow.arrow()
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    return pa.binary() if pa.types.is_null(kind) else kind


def plain(array: Any) -> Any:
    """An Arrow array or chunked array with its values side by side, see `plain_type`. ValueError
    for one whose parts do not fit. Takes as much memory as all values have, so that callers give
    some rows at a time.
    """
    pa = _arrow.arrow()
    if plain_type(array.type) == array.type:
        return array
    if isinstance(array, pa.ChunkedArray):
        made = [plain(chunk) for chunk in array.chunks]
        return pa.chunked_array(made, plain_type(array.type))
    _validate(array)
    if pa.types.is_run_end_encoded(array.type):
        import pyarrow.compute

        return plain(pyarrow.compute.run_end_decode(array))
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), pa.binary())
    return plain(array.cast(array.type.value_type))


def plain_column(table: Any, name: str) -> Any:
    """A table or batch, one column of which is `plain`."""
    place = table.schema.get_field_index(name)
    if place < 0:
        return table
    kind = table.schema.field(place).type
    if kind.id in _widths() or plain_type(kind) == kind:
        return table
    return table.set_column(place, name, plain(table.column(place)))


def _payload_type(kind: Any, what: str = "the column of bytes") -> Any:
    pa = _arrow.arrow()
    if pa.types.is_large_binary(kind):  # first, because it is the most frequent
        return kind
    kind = plain_type(kind)
    if pa.types.is_binary(kind):
        return pa.binary()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        raise TypeError(
            f"{what} has the Arrow type {kind}, which is text; it takes bytes. If they are written"
            " as hexadecimal digits, decode these with bytes.fromhex, or in Polars with"
            " .str.decode('hex'); a cast to binary would take the digits themselves for the bytes"
        )
    if not (
        pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
        or pa.types.is_binary_view(kind)
    ):
        raise TypeError(
            f"{what} has the Arrow type {arrow_type(kind)}; cast it to binary, large_binary or"
            " fixed_size_binary"
        )
    return pa.large_binary()


def _validate(given: Any) -> None:
    """ValueError for an array or batch whose parts do not fit: Arrow copies by what they say."""
    try:
        given.validate(full=True)
    except _arrow.arrow().ArrowException as error:  # which may be an IndexError
        raise ValueError(str(error)) from error


def _is_wide(kind: Any) -> bool:
    """Whether byte strings that are made of a column of this type have the type large_binary."""
    width = _widths().get(kind.id)
    return width == 8 if width else not _arrow.arrow().types.is_binary(_payload_type(kind))


@functools.cache
def _widths() -> dict[int, int]:
    """The bytes of an offset in Arrow arrays of bytes that have offsets, by the number of the type."""
    pa = _arrow.arrow()
    return {pa.binary().id: 4, pa.large_binary().id: 8}


def _plain_layout(array: Any) -> Any:
    """An Arrow array of byte strings as one of type binary, large_binary or fixed_size_binary."""
    if array.type.id in _widths():
        return array
    pa = _arrow.arrow()
    _payload_type(array.type)
    array = plain(array)
    if pa.types.is_binary_view(array.type):
        _validate(array)
        array = array.cast(pa.large_binary())
    return array


def _strings_of(array: Any) -> tuple[_core.ByteStrings, NDArray[np.bool_] | None]:
    """The byte strings of an Arrow array, without bytes where they are null, and the places of
    nulls (None: there are none).
    """
    array = _plain_layout(array)
    nulls, count = _nulls_of(array), len(array)
    if nulls is not None and count:
        data, offsets = _emptied(*_taken(array), nulls)
        return _core.ByteStrings(NUMPY, "data", data, offsets), nulls
    buffers, width = array.buffers(), _widths().get(array.type.id)
    if width is None or count == 0:
        size = array.type.byte_width if count else 0
        return _core.ByteStrings(buffers[-1], None, size, array.offset, count), nulls
    return _core.ByteStrings(buffers[-1], buffers[1], width, array.offset, count), nulls


def _bytes_of(
    array: Any,
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_] | None]:
    """The bytes, n + 1 offsets and the places of nulls (None: there are none) of an Arrow array."""
    pa = _arrow.arrow()
    array = _plain_layout(array)
    nulls = _nulls_of(array)
    if nulls is not None and len(array):
        data, offsets = _taken(array)
        return (*_emptied(data, offsets, nulls), nulls)
    n, buffers = len(array), array.buffers()
    data = np.empty(0, np.uint8) if buffers[-1] is None else np.frombuffer(buffers[-1], np.uint8)
    if pa.types.is_fixed_size_binary(array.type):
        size = array.type.byte_width
        return data, (np.arange(n + 1, dtype=np.int64) + array.offset) * size, nulls
    if n == 0:
        return data, np.zeros(1, np.int64), nulls
    return data, _arrow.starts(array).astype(np.int64, copy=False), nulls


def _nulls_of(array: Any) -> NDArray[np.bool_] | None:
    """The places of nulls in an Arrow array, or None where there are none."""
    bits = array.buffers()[0] if array.null_count else None
    if bits is None:
        return None
    _validate(array)
    found = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")
    nulls: NDArray[np.bool_] = found[array.offset : array.offset + len(array)] == 0
    return nulls


def _taken(array: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """A copy of the bytes of an Arrow array and of its n + 1 offsets, the first of which is 0."""
    pa = _arrow.arrow()
    _payload_type(array.type)
    if pa.types.is_binary_view(array.type):
        _validate(array)
        array = array.cast(pa.large_binary())
    n, last = len(array), array.buffers()[-1]
    data = np.empty(0, np.uint8) if last is None else np.frombuffer(last, np.uint8)
    if n == 0:
        offsets = np.zeros(1, np.int64)
    elif pa.types.is_fixed_size_binary(array.type):
        offsets = (np.arange(n + 1, dtype=np.int64) + array.offset) * array.type.byte_width
    else:
        offsets = _arrow.starts(array).astype(np.int64)
    offsets = _checked_offsets(offsets, len(data))
    data = data[int(offsets[0]) : int(offsets[-1])].copy()
    return data, offsets - offsets[0]


def _emptied(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], nulls: NDArray[np.bool_]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The same bytes and offsets, with no bytes where there are nulls."""
    data, _, _ = _split(data, offsets, np.flatnonzero(~nulls), 0)
    lengths = np.diff(offsets)
    lengths[nulls] = 0
    return data, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _split(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], rows: NDArray[np.intp] | None, tail: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint8]]:
    """Byte strings (`rows`: of these rows only) without their last `tail` bytes, n + 1 offsets of
    what is left, and the last bytes as n rows. `offsets` are checked (`_checked_offsets`).
    """
    if rows is None:
        count, total = len(offsets) - 1, int(offsets[-1] - offsets[0])
    else:
        rows = rows.astype(np.int64, copy=False)
        count, total = len(rows), int(np.diff(offsets)[rows].sum())
    heads = np.empty(total - tail * count, np.uint8)
    starts, tails = np.empty(count + 1, np.int64), np.empty((count, tail), np.uint8)
    chosen = None if rows is None else _view(rows)
    _core.split_rows(data, _view(offsets), chosen, tail, heads, _view(starts), tails)
    return heads, starts, tails


def _binary(kind: Any, data: Any, offsets: Any, status: Any) -> Any:
    """An Arrow array of byte strings, null where the status is not 0."""
    pa = _arrow.arrow()
    wrong = int(np.count_nonzero(status))
    valid = pa.py_buffer(np.packbits(status == 0, bitorder="little")) if wrong else None
    if kind == pa.binary():
        if len(data) > np.iinfo(np.int32).max:
            raise ValueError("more than 2 GiB in one batch of type binary; use large_binary")
        offsets = offsets.astype(np.int32)
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, len(status), buffers, null_count=wrong)


def _only(column: Any, kept: NDArray[np.bool_]) -> Any:
    """The byte strings of an Arrow array that are kept. What is left out is, as in an opener's
    payloads, null and has no bytes, so that the bytes need no copy.
    """
    pa = _arrow.arrow()
    starts = _arrow.starts(column)
    starts = np.append(starts[:-1][kept], starts[-1:])
    buffers = [None, pa.py_buffer(starts), column.buffers()[2]]
    return pa.Array.from_buffers(column.type, len(starts) - 1, buffers, null_count=0)


def _refuse_repeated(
    device: NDArray[np.uint32], epoch: NDArray[np.uint32], number: NDArray[np.uint32]
) -> None:
    pair = _core.Places(NUMPY, device, epoch, number).repeated()
    if pair is not None:
        first, again = pair
        raise ValueError(
            f"rows {first} and {again} have the same device, epoch and number ({device[first]},"
            f" {epoch[first]}, {number[first]}): the same key and nonce; number each frame anew"
        )
