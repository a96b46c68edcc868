# SPDX-License-Identifier: Apache-2.0
"""Tables of master keys that hanji.telemetry takes: read from files, sealed or not; with keys that
are valid for some epochs only; and functions of key services by name. docs/scale.md, "Where the
keys lie".
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import io
import os
import stat
import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hanji import HanjiError, _arrow, _core
from hanji._numpy import NUMPY
from hanji._text import count_of, described, file_name, hiding
from hanji._threads import ForkedLock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    _Opened = tuple[Any, Any, Any, Any, Any, Any]  # what MasterKeys.open() makes

COLUMNS = ("device", "master")
FROM, TO = "valid_from_epoch", "valid_to_epoch"
_LAST_EPOCH = 0xFFFFFFFF
_HEADER = 16
_SEALED = b"\x89hanji\r\n"  # how a sealed file begins


class Keys:
    """A table as the library takes it; the last opener that lets it go wipes it."""

    def __init__(self, table: _core.MasterKeys | Rotating) -> None:
        self.table = table


_LOCK = ForkedLock(renew=True)
_TABLES: weakref.WeakValueDictionary[tuple[Any, ...], Keys] = weakref.WeakValueDictionary()
# In a worker of an engine: each task brings an opener of its own, and the table outlives it.
_KEPT: list[Keys] = []


def keep(keys: Keys) -> None:
    """Keep a table, instead of the one before, though no opener has it."""
    _KEPT[:] = [keys]


def identity_of(found: os.stat_result, path: str) -> tuple[Any, ...]:
    """What tells a file from the one that had its name before."""
    change = found.st_ctime_ns
    return (
        str(Path(path).resolve()),
        found.st_dev,
        found.st_ino,
        found.st_size,
        found.st_mtime_ns,
        change,
    )


def from_path(path: str, make: Any) -> Keys:
    """The table of a file, read once while an opener has it; ``make`` takes an Arrow table."""

    if not stat.S_ISREG(Path(path).stat().st_mode):  # to open a pipe might take for ever
        raise OSError(errno.EINVAL, "is no regular file", path)
    with _LOCK, Path(path).open("rb") as file:
        name = identity_of(os.fstat(file.fileno()), path)
        found = _TABLES.get(name)
        if found is None:
            if file.read(len(_SEALED)) == _SEALED:
                raise ValueError(
                    f"{path} is a sealed file; open it with hanji.telemetry.read_masters, or in the"
                    " command with --masters-key or a passphrase"
                )
            file.seek(0)
            with _arrow.parquet().ParquetFile(file) as table:  # read_table() would import pandas
                found = Keys(make(table.read(columns_of(table.schema_arrow.names, path)), path))
            _TABLES[name] = found
        return found


def is_sealed(path: Path) -> bool:
    """Whether a file of master keys is sealed."""
    with path.open("rb") as file:
        return file.read(len(_SEALED)) == _SEALED


def read(path: str | os.PathLike[str], *, key: Any = None, passphrase: Any = None) -> Any:
    """The Arrow table in a file of master keys that is sealed; nothing of it goes to a disk."""
    from hanji import files

    plain = io.BytesIO()
    with hiding(path), Path(file_name(path)).open("rb") as file:
        files.open(file, plain, key=key, passphrase=passphrase)
    try:
        with _arrow.parquet().ParquetFile(plain) as table:
            return table.read(columns_of(table.schema_arrow.names, str(path)))
    finally:
        with plain.getbuffer() as memory:
            memory[:] = bytes(len(memory))


def columns_of(names: list[str], what: str) -> list[str]:
    """The columns that a table of keys may have, of those that it has; ValueError for one that
    comes twice: which of two keys is meant?
    """
    wanted = [name for name in (*COLUMNS, FROM, TO) if name in names]
    for name in wanted:
        if names.count(name) > 1:
            raise ValueError(f"{what} has the column {name!r} {names.count(name)} times; keep one")
    return wanted


def _epochs(table: Any, name: str, missing: int, what: str) -> NDArray[np.int64]:
    """A column of epochs; where it is null or not there, the first or the last of all."""

    pa = _arrow.arrow()
    place = table.schema.get_field_index(name)
    if place < 0:
        return np.full(table.num_rows, missing, np.int64)
    column = table.column(place)
    if pa.types.is_null(column.type):
        return np.full(table.num_rows, missing, np.int64)
    if column.null_count:
        column = (
            column.fill_null(missing)
            if column.type.bit_width == 64
            else column.cast(pa.int64()).fill_null(missing)
        )
    filled = pa.table({name: column})
    return _arrow.numbers(filled, name, where=f" of {what}").astype(np.int64)


class Rotating:
    """Master keys that are valid for some epochs. A device may have several, one after the other;
    in an epoch without a key it is unknown.

    The library looks keys up by device. So the keys are in layers, tables with at most one key a
    device, and each frame goes to the layer of its device and epoch. What is opened is a copy, so
    that the header that chose the layer is the one that is authenticated.
    """

    def __init__(
        self,
        table: Any,
        devices: NDArray[np.uint32],
        masters: NDArray[np.uint8],
        size: int,
        what: str,
    ) -> None:
        first = _epochs(table, FROM, 0, what)
        last = _epochs(table, TO, _LAST_EPOCH, what)
        if (first > last).any():
            row = int(np.argmax(first > last))
            raise ValueError(
                f"row {row} of {what} is valid from epoch {first[row]} to epoch {last[row]};"
                f" {FROM} may not be above {TO}"
            )
        order = np.lexsort((first, devices))
        same = devices[order][1:] == devices[order][:-1]
        clash = same & (first[order][1:] <= last[order][:-1])
        if clash.any():
            place = int(np.argmax(clash))
            one, other = sorted(order[place : place + 2].tolist())
            raise ValueError(
                f"rows {one} and {other} of {what} give device {devices[one]} two keys for the same"
                f" epoch (rows count from 0): change {FROM} and {TO} so that they do not overlap"
            )
        self._begin = devices[order].astype(np.uint64) << np.uint64(32) | first[order].astype(
            np.uint64
        )
        self._end = self._begin - first[order].astype(np.uint64) + last[order].astype(np.uint64)
        starts = np.flatnonzero(np.concatenate([[True], ~same])) if len(order) else order
        counts = np.diff(np.append(starts, len(order)))
        self._layer = np.arange(len(order)) - np.repeat(starts, counts)
        rows = masters.reshape(-1, size)
        self._layers = [
            _core.MasterKeys(devices[chosen], rows[chosen], size)
            for chosen in (order[self._layer == layer] for layer in range(max(counts, default=0)))
        ]
        self._none = _core.MasterKeys(np.empty(0, np.uint32), np.empty(0, np.uint8), size)

    def _parts(
        self, device: NDArray[np.uint32], epoch: NDArray[np.uint32]
    ) -> Iterable[tuple[_core.MasterKeys, NDArray[np.int64]]]:
        """Each layer with the places of what it is for; those without a key come last."""
        layer = np.full(len(device), -1)
        if len(self._begin):
            wanted = device.astype(np.uint64) << np.uint64(32) | epoch
            place = np.searchsorted(self._begin, wanted, side="right") - 1
            found = (place >= 0) & (wanted <= self._end[place])
            layer[found] = self._layer[place[found]]
        for number in np.unique(layer).tolist():
            keys = self._none if number < 0 else self._layers[number]
            yield keys, np.flatnonzero(layer == number)

    def open(self, numpy: Any, frames: _core.ByteStrings, to_device: bool) -> _Opened:
        """As MasterKeys.open()."""
        data, offsets = frames.copies(numpy)
        n = len(frames)
        whole = np.diff(offsets) >= _HEADER
        named, dated = (np.zeros(n, np.uint32) for _ in range(2))
        for values, at in ((named, 2), (dated, 6)):
            for place in range(4):
                byte = data[offsets[:-1][whole] + at + place].astype(np.uint32)
                values[whole] |= byte << np.uint32(8 * place)
        columns = [np.empty(n, np.uint32) for _ in range(3)]
        status = np.empty(n, np.int8)
        made: list[tuple[NDArray[np.int64], Any]] = []
        for keys, places in self._parts(named, dated):
            part = _core.ByteStrings(numpy, "data", *_taken(data, offsets, places))
            *found, opened, ends, codes = keys.open(numpy, part, to_device)
            for column, values in zip(columns, found, strict=True):
                column[places] = values
            status[places] = codes
            made.append((places, _array(opened, ends)))
        payload, ends = _joined(made)
        return columns[0], columns[1], columns[2], payload, ends, status

    def open_batch(
        self, frames: _core.ByteStrings, to_device: bool, nulls: Any, wide: bool
    ) -> _core.ArrowBatch:
        """As MasterKeys.open_batch()."""
        return _core.opened_batch(*self.open(NUMPY, frames, to_device), nulls, wide)

    def seal(
        self, numpy: Any, algorithm: int, places: _core.Places, payloads: _core.ByteStrings,
        to_device: bool,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """As MasterKeys.seal()."""
        n = len(payloads)
        places.require_frames(n)
        columns = [column.copy() for column in places.arrays()]
        payload, offsets = payloads.copies(numpy)
        status = np.empty(n, np.int8)
        made: list[tuple[NDArray[np.int64], Any]] = []
        for keys, rows in self._parts(columns[0], columns[1]):
            part = _core.ByteStrings(numpy, "payload", *_taken(payload, offsets, rows))
            which = _core.Places(numpy, *(column[rows] for column in columns))
            sealed, ends, codes = keys.seal(numpy, algorithm, which, part, to_device)
            status[rows] = codes
            made.append((rows, _array(sealed, ends)))
        return (*_joined(made), status)

    def seal_batch(
        self, algorithm: int, places: _core.Places, payloads: _core.ByteStrings, to_device: bool,
        wide: bool,
    ) -> _core.ArrowBatch:  # fmt: skip
        """As MasterKeys.seal_batch()."""
        made = self.seal(NUMPY, algorithm, places, payloads, to_device)
        return _core.sealed_batch(*made, wide)


def _array(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Any:

    pa = _arrow.arrow()
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_binary(), len(offsets) - 1, buffers, null_count=0)


def _split(array: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Bytes and offsets of an array of ours; the first offset is 0."""

    offsets, last = _arrow.starts(array), array.buffers()[2]
    data = np.empty(0, np.uint8) if last is None else np.frombuffer(last, np.uint8)
    return data[int(offsets[0]) : int(offsets[-1])], offsets - offsets[0]


def _taken(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Some of the byte strings, side by side."""

    if len(places) == len(offsets) - 1:
        return data[int(offsets[0]) : int(offsets[-1])], offsets - offsets[0]
    return _split(_array(data, offsets).take(_arrow.array(places.astype(np.int64))))


def _joined(
    made: list[tuple[NDArray[np.int64], Any]],
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The byte strings of all layers, in the order of their places."""

    places = np.concatenate([where for where, _ in made])
    together = made[0][1] if len(made) == 1 else _arrow.arrow().concat_arrays([a for _, a in made])
    if len(made) > 1:
        together = together.take(_arrow.array(np.argsort(places).astype(np.int64)))
    found, starts = _split(together)
    return found.copy(), starts


class KeyServiceError(HanjiError):
    """A function for master keys cannot be imported, or has raised: no keys could be read."""


class FromModule:
    """The function of a key service by name, MODULE:FUNCTION: what it is asked, hanji.telemetry
    Opener says. It is imported in each process that asks it, and never from the current directory,
    where anybody may have put a file.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        module, colon, function = name.partition(":")
        if not colon or not all(part.isidentifier() for part in (*module.split("."), function)):
            raise ValueError(f"{name!r} names no function; give MODULE:FUNCTION")
        self._module, self._function = module, function
        self._found: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_found": None}

    def __str__(self) -> str:
        return self.name

    def load(self) -> None:
        """Import it; KeyServiceError where that fails, without what the error says, for it may hold
        a key.
        """
        failed = ""
        try:
            self._found = self._import()
        except Exception as error:  # whatever a module raises
            failed = type(error).__name__
        if failed:
            raise KeyServiceError(
                f"{self.name} cannot be imported ({failed}); give MODULE:FUNCTION with an installed"
                " module, or one in a folder of PYTHONPATH; modules in the current directory are"
                " not imported"
            )
        if not callable(self._found):
            raise KeyServiceError(f"{self.name} is {described(self._found)}, not a function")

    def _import(self) -> Any:
        here = Path.cwd().resolve()
        old = sys.path[:]
        sys.path[:] = [entry for entry in old if entry and Path(entry).resolve() != here]
        try:
            top = importlib.util.find_spec(self._module.partition(".")[0])
            places = [] if top is None else [*(top.submodule_search_locations or ())]
            if top is not None and top.has_location:
                places.append(str(top.origin))
            for place in places:
                if Path(place).resolve().parent == here:
                    raise ImportError("it is in the current directory")
            module = importlib.import_module(self._module)
        finally:
            sys.path[:] = old
        return getattr(module, self._function)

    def __call__(self, devices: NDArray[np.uint32]) -> Any:
        if self._found is None:
            self.load()
        failed = ""
        try:
            return self._found(devices)
        except Exception as error:  # whatever a service raises; its text may hold a key
            failed = type(error).__name__
        raise KeyServiceError(
            f"{self.name} raised {failed} when it was asked for the keys of"
            f" {count_of(len(devices), 'device')}"
        )
