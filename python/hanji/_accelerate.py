# SPDX-License-Identifier: Apache-2.0
"""Fleets on GPUs, for hanji.fleet: host arrays through the C library, device arrays in place, and
a comparison with the processor on demand.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hanji import _core, gpu
from hanji._core import HanjiError
from hanji._gpu import Memory, fleet_aeads, has
from hanji._gpu import fleet as fleet_on_devices
from hanji._protocols import is_device_array
from hanji._samples import SAMPLES, mismatch
from hanji.gpu import Array, MismatchError, UnsupportedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Offsets = NDArray[np.int64]


class Messages(Protocol):
    """Messages of a call: message i is flat[offsets[i]:offsets[i + 1]]."""

    @property
    def flat(self) -> Bytes: ...
    @property
    def offsets(self) -> Offsets: ...
    @property
    def count(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def starts(self) -> Offsets | None: ...
    @property
    def length(self) -> int | None: ...


class Call(Protocol):
    """What a device needs of a fleet call."""

    name: str
    mode: str
    operation: str
    cipher: str
    key_size: int
    block_size: int
    nonce_size: int
    tag_size: int
    limit: int
    one_key: bool
    keys: Bytes | None
    nonces: Bytes | None
    out: Bytes | None
    tags: Bytes | None
    status: NDArray[np.int8]

    @property
    def messages(self) -> Messages: ...
    @property
    def ad(self) -> Messages | None: ...


def require_kernels(call: Call) -> None:
    """UnsupportedError when there are no kernels for what a call does."""
    if call.operation == "ctr" and has(call.cipher, True):
        return
    if call.mode in fleet_aeads():
        return
    if call.operation == "ctr":
        names = [
            row["name"]
            for row in _core.algorithms()
            if row["kind"] == "block" and has(row["name"], True)
        ]
        raise UnsupportedError(
            f"there are no GPU kernels with a key per message for {call.name}; there are for "
            f"{', '.join(names)}"
        )
    raise UnsupportedError(
        f"there are no GPU kernels for fleet.{call.operation} with {call.name}; there are for "
        f"{', '.join(fleet_aeads())}"
    )


class _Gathered:
    """Some messages of a call in host memory, and what the processor makes of them."""

    def __init__(
        self, call: Call, places: NDArray[np.intp], read: Callable[[str, int, int], Bytes]
    ) -> None:
        self.call, self.places = call, places
        n = len(places)
        self.offsets, self.data = self._ragged(call.messages.offsets, "data", read)
        self.ad_offsets: Offsets | None = None
        self.ad: Bytes | None = None
        if call.ad is not None:
            self.ad_offsets, self.ad = self._ragged(call.ad.offsets, "ad", read)
        self.keys = (
            self._rows("keys", call.key_size, read)
            if not call.one_key
            else read("keys", 0, call.key_size)
        )
        self.nonces = self._rows("nonces", call.nonce_size, read)
        self.tags = (
            self._rows("tags", call.tag_size, read)
            if call.operation == "decrypt"
            else np.empty((n, call.tag_size), np.uint8)
        )
        self.out = np.empty(len(self.data), np.uint8)
        self.status = np.zeros(n, np.int8)

    def _ragged(
        self, offsets: Offsets, what: str, read: Callable[[str, int, int], Bytes]
    ) -> tuple[Offsets, Bytes]:
        parts = [read(what, int(offsets[i]), int(offsets[i + 1] - offsets[i])) for i in self.places]
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        return starts, np.concatenate([np.empty(0, np.uint8), *parts])

    def _rows(self, what: str, size: int, read: Callable[[str, int, int], Bytes]) -> Bytes:
        rows = [read(what, int(i) * size, size) for i in self.places]
        return np.concatenate([np.empty(0, np.uint8), *rows]).reshape(len(rows), size)

    def compare(
        self,
        devices: Sequence[str],
        status: NDArray[np.int8],
        read: Callable[[str, int, int], Bytes],
    ) -> str | None:
        """A sentence about the first message that differs."""
        call = self.call
        _core.fleet(
            call.mode, call.operation, call.cipher, self.offsets, self.data, self.out, self.ad_offsets, self.ad, self.keys, call.one_key,
            self.nonces, call.nonce_size, self.tags if call.tag_size else None, call.tag_size, self.status, call.limit, 1,
        )  # fmt: skip
        for i, place in enumerate(self.places):
            first = int(call.messages.offsets[place])
            wanted = self.out[self.offsets[i] : self.offsets[i + 1]]
            same = status[place] == self.status[i] and np.array_equal(
                read("out", first, len(wanted)), wanted
            )
            if same and call.operation == "encrypt":
                same = np.array_equal(
                    read("tags", int(place) * call.tag_size, call.tag_size), self.tags[i]
                )
            if not same:
                return mismatch(devices, f"message {place}")
        return None


def _places(count: int, verify: str) -> NDArray[np.intp]:
    if verify == "none" or count == 0:
        return np.empty(0, np.intp)
    if verify == "all" or count <= SAMPLES:
        return np.arange(count)
    chosen = {0, count - 1} | {secrets.randbelow(count) for _ in range(SAMPLES - 2)}
    return np.array(sorted(chosen))


def _host_offsets(messages: Messages) -> Offsets | int:
    """The offsets, or the length of messages of which each is a row."""
    return messages.offsets if messages.starts is not None else messages.length or 0


def run_host(call: Call, device: Any, verify: str, threads: int) -> int:
    """A call whose arrays are in host memory, on one or several devices; the number of messages
    that failed.
    """
    require_kernels(call)
    indices = gpu._indices(device)
    places = _places(call.messages.count, gpu._verify(verify))
    arrays: dict[str, Any] = {
        "data": call.messages.flat,
        "keys": call.keys,
        "nonces": call.nonces,
        "tags": call.tags,
        "out": call.out,
    }
    arrays["ad"] = None if call.ad is None else call.ad.flat

    def read(what: str, first: int, size: int) -> Bytes:
        part: Bytes = arrays[what].reshape(-1)[first : first + size].copy()
        return part

    gathered = _Gathered(call, places, read) if len(places) else None
    ad_offsets, ad = (None, None) if call.ad is None else (_host_offsets(call.ad), call.ad.flat)
    failures = fleet_on_devices(
        [gpu._handle(index) for index in indices], call.mode, call.operation, call.cipher, _host_offsets(call.messages), call.messages.flat, call.out,
        ad_offsets, ad, call.keys, call.one_key, call.nonces, call.nonce_size, call.tags, call.tag_size, call.status, call.limit, threads,
    )  # fmt: skip
    if gathered is not None and (
        problem := gathered.compare([f"cuda:{index}" for index in indices], call.status, read)
    ):
        for array in (call.out, call.tags if call.operation == "encrypt" else None):
            if array is not None:
                array[...] = 0
        raise MismatchError(problem)
    return failures


class DeviceArrays:
    """The arrays of a fleet call in device memory: those of the caller, and copies of what lies
    elsewhere or is not aligned.
    """

    out = 0
    tags: Array | None = None

    def __init__(self, index: int, stream: Any) -> None:
        self.index = index
        self.device = gpu._handle(index)
        self.given = gpu._stream(stream)
        self.stream_given = stream
        self.theirs: list[Any] = []
        self.stream = self.given or 0
        self.temporary: list[Memory] = []
        self.placed = False  # what came from host memory is wiped before the call returns
        self.pointers: dict[str, int] = {}
        self.taken: list[tuple[str, gpu._View]] = []
        self.device.check_stream(self.stream)

    def view(
        self, value: Any, what: str, *, write: bool = False, types: tuple[str, ...] = ("uint8",)
    ) -> gpu._View:
        """A device array on this device."""
        found = gpu._view(value, what, self.stream, write=write, types=types)
        self.theirs.append(value)
        if found.device != self.index:
            raise ValueError(
                f"{what} is on cuda:{found.device} and data on cuda:{self.index}; the arrays of a "
                "call lie on one device"
            )
        return found

    def place(self, name: str, host: Any) -> int:
        """Put host memory on the device for the time of the call."""
        flat = np.ascontiguousarray(host).reshape(-1).view(np.uint8)
        memory = Memory(self.device, max(len(flat), 16))
        self.temporary.append(memory)
        self.placed = True
        self.device.upload(memory.pointer, flat, self.stream)
        self.pointers[name] = memory.pointer
        return memory.pointer

    def room(self, size: int) -> int:
        """Device memory for the time of the call."""
        memory = Memory(self.device, max(size, 16))
        self.temporary.append(memory)
        return memory.pointer

    def take(self, name: str, view: gpu._View) -> None:
        """Use an array of the caller; through a copy when its address is not a multiple of 16, or
        when it is the output too.
        """
        pointer = view.pointer
        if pointer % 16 and view.nbytes:
            pointer = self.room(view.nbytes)
            self.device.copy(pointer, view.pointer, view.nbytes, self.stream)
        self.pointers[name] = pointer
        self.taken.append((name, view))

    def offsets(self, value: Any, what: str) -> Any:
        """Offsets in host memory, to be checked; from the device where they lie there."""
        if value is None or not is_device_array(value):
            return value
        found = self.view(value, what, types=("int32", "int64"))
        data = self.device.download(found.pointer, found.nbytes, self.stream)
        return np.frombuffer(data, np.int32 if found.item == 4 else np.int64).reshape(found.shape)

    def lengths(self, name: str, messages: Messages) -> tuple[int, int]:
        """The offsets on the device and 0; or 0 and the length that all messages have."""
        length = messages.length
        return (self.place(name, messages.offsets), 0) if length is None else (0, length)

    def read(self, pointer: int, size: int) -> Bytes:
        """Bytes of the device."""
        return (
            np.frombuffer(self.device.download(pointer, size, self.stream), np.uint8)
            if size
            else np.empty(0, np.uint8)
        )

    def finish(self, *, wait: bool) -> None:
        """Wait where the caller has to; wipe memory of ours and give it back after its last use."""
        for value in self.theirs:
            gpu._record(value, self.stream_given, self.index)
        if wait or self.placed:
            self.device.wait(self.stream)
        self.temporary.clear()


def index_of(data: Any, device: Any) -> int:
    """The device on which a call works whose data are a device array."""
    index = gpu._device_of(data, "data")
    if device is not None and gpu._indices(device) != [index]:
        raise ValueError(
            f"data is on cuda:{index}, but device is another one; leave device= out for device "
            "arrays"
        )
    return index


def run_device(call: Call, arrays: DeviceArrays, verify: str) -> int:
    """A call whose data are in device memory; the number of messages that failed. `call` has
    offsets and sizes, `arrays` the pointers.
    """
    count, size = call.messages.count, call.messages.size
    for name, view in arrays.taken:
        gpu._require_apart(arrays.out, size, view.pointer, view.nbytes, "out", name)
    if call.ad is not None:
        gpu._require_apart(
            arrays.out, size, arrays.pointers["ad"], call.ad.size, "out", "associated_data"
        )
    places = _places(count, verify)

    def read(what: str, first: int, number: int) -> Bytes:
        pointers = {**arrays.pointers, "out": arrays.out} | (
            {} if arrays.tags is None else {"tags": arrays.tags.pointer}
        )
        return arrays.read(pointers[what] + first, number)

    if call.one_key:  # the kernels take a key per message
        if call.keys is None:
            call.keys = read("keys", 0, call.key_size)
        arrays.place("keys", np.tile(call.keys.reshape(1, -1), (max(count, 1), 1)))
    gathered = _Gathered(call, places, read) if len(places) else None
    try:
        if count:
            _launch(call, arrays, count, size)
        problem = None
        if gathered is not None:
            arrays.device.wait(arrays.stream)
            problem = gathered.compare([f"cuda:{arrays.index}"], call.status, read)
        if problem is not None:
            raise MismatchError(problem)
        arrays.finish(wait=arrays.given is None)
        return int(np.count_nonzero(call.status)) if call.operation == "decrypt" else 0
    except HanjiError:
        with contextlib.suppress(HanjiError):  # the device may be unusable
            if size:
                arrays.device.zero(arrays.out, size, arrays.stream)
            if arrays.tags is not None and count:
                arrays.device.zero(arrays.tags.pointer, arrays.tags.nbytes, arrays.stream)
            arrays.device.wait(arrays.stream)
        raise


def _launch(call: Call, arrays: DeviceArrays, count: int, size: int) -> None:
    """Queue the kernels; for AEADs read the results of opening."""
    at, device, stream = arrays.pointers, arrays.device, arrays.stream
    offsets, length = arrays.lengths("offsets", call.messages)
    if call.operation == "ctr":
        if size:
            device.fleet_ctr(
                call.cipher,
                arrays.out,
                at["data"],
                at["keys"],
                at["nonces"],
                offsets,
                length,
                count,
                stream,
            )
        return
    ad_offsets, ad_length = (0, 0) if call.ad is None else arrays.lengths("ad_offsets", call.ad)
    status = arrays.room(count)
    opening = call.operation == "decrypt"
    tags = at["tags"] if arrays.tags is None else arrays.tags.pointer
    device.fleet_aead(
        call.mode,
        opening,
        arrays.out,
        at["data"],
        at["keys"],
        at["nonces"],
        tags,
        offsets,
        at.get("ad", 0),
        ad_offsets,
        status,
        count,
        length,
        ad_length,
        stream,
    )
    if opening:
        call.status = np.empty(count, np.int8)
        device.download_into(call.status, status, stream)
