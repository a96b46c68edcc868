# SPDX-License-Identifier: Apache-2.0
"""NVIDIA GPUs: which there are, arrays in their memory, and what `device=` takes in `hanji.fleet`
and `hanji.hazmat.ctr`.

    gpu.devices()                                              # the GPUs of this machine
    gpu.reason()                                               # why there is none, in a sentence
    fleet.ctr("speck-64/128", keys, ivs, data, device="cuda")  # arrays in host memory
    fleet.ctr("speck-64/128", keys, ivs, on_gpu, stream=s)     # CuPy, PyTorch, Numba: no copy

The module needs only the driver. The first call that needs the driver opens it; the import opens
nothing.

`device=` is "cuda" (the first), "cuda:1", "cuda:all", or a list of such names. With several
devices, calls on host memory are split by counter or by messages. The bytes equal the bytes of the
processor.

Device arrays are objects with DLPack (`__dlpack__`) or `__cuda_array_interface__`: uint8,
contiguous, of any alignment. Results are `gpu.Array`, which gives out both. Kernels and copies go
to the CUDA stream `stream=`: a handle (int), a stream of CuPy, PyTorch or Numba, or an object with
`__cuda_stream__`. The call then returns when the work is queued. Without `stream=` the call
returns when the work is done. Calls refuse a stream that is being captured into a CUDA graph: each
launch of the graph would use the same counters and nonces.

No call keeps a view of host memory. Arrays in host memory are copied or worked on before the call
returns, also when they are page-locked, when `stream=` is given and when the call fails; so they
may be changed at once. Arrays in device memory are not copied: with `stream=`, leave them unchanged
until the stream has done the work.

`verify="sample"` computes some places of the result, chosen at random, on the processor too, and
compares; `verify="all"` compares all. The call then waits for the device. On a difference it zeroes
the output, and MismatchError names the place.

Memory goes back when nobody uses it: after the work that hanji queued on it in any stream, after
what the default stream holds when the array goes, and after what `Array.record_stream` named. No
call waits for that, and no capture of another thread breaks. PyTorch hears of the streams in which
hanji uses its tensors (`Tensor.record_stream`).

A process opens a device once, as its primary context, which other libraries share. A process that
was forked afterwards cannot use the device. Threads may share all objects.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from hanji import _core, _samples

try:
    from hanji import _gpu
    from hanji._gpu import DeviceError, UnsupportedError
except ImportError as _error:
    raise ImportError(
        "this installation of hanji was built without GPUs (HANJI_GPU=OFF); `make all` in a clone "
        "installs it with them"
    ) from _error
from hanji._catalogue import shown
from hanji._core import HanjiError
from hanji._protocols import is_device_array, refuse_masked
from hanji._text import described
from hanji._threads import ForkedLock, usable_processors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hanji._typing import BytesLike

__all__ = [
    "CTR",
    "Array",
    "Device",
    "DeviceError",
    "MismatchError",
    "UnsupportedError",
    "available",
    "devices",
    "empty",
    "pinned",
    "reason",
    "to_device",
]

MINIMUM = (7, 5)  # compute capability that the kernels need
_PER_THREAD = 2  # the handle of the default stream of the calling thread
VERIFY = ("none", "sample", "all")
_CUDA, _CUDA_MANAGED = 2, 13  # device types of DLPack
_UNSIGNED_BYTE = (1, 8, 1)  # its type: code, bits, lanes


class MismatchError(HanjiError):
    """The device's result is not that of the processor (`verify=`); the output has been zeroed. Do
    not use the device.
    """


@dataclass(frozen=True, slots=True)
class Device:
    """One GPU: its number, name, bytes of memory, compute capability and multiprocessors; `problem`
    is "" or says why it cannot be used.
    """

    index: int
    name: str
    memory: int
    compute_capability: tuple[int, int]
    multiprocessors: int
    problem: str

    def __str__(self) -> str:
        return f"cuda:{self.index}"


def devices() -> list[Device]:
    """All GPUs that the driver has, also those that are too old; DeviceError without a driver.
    Opens no context on them.
    """
    return [_describe(index) for index in range(_gpu.count())]


def _describe(index: int) -> Device:
    row = _gpu.describe(index)
    capability = divmod(row["capability"], 10)
    problem = (
        ""
        if capability >= MINIMUM
        else "it has compute capability {}.{}; the kernels need {}.{}".format(*capability, *MINIMUM)
    )
    return Device(index, row["name"], row["memory"], capability, row["multiprocessors"], problem)


def available() -> bool:
    """Whether there is a GPU that can be used; never an error."""
    return not reason()


def reason() -> str:
    """One sentence why there is no GPU that can be used, or "" when there is one; never an error."""
    try:
        found = devices()
    except DeviceError as error:
        return str(error)
    if not found:
        return "the NVIDIA driver is there, but it has no device"
    if all(device.problem for device in found):
        return f"{found[0].name} (cuda:0) cannot be used: {found[0].problem}"
    return ""


_open: dict[int, _gpu.Device] = {}
_open_lock = ForkedLock(renew=True)


def _handle(index: int) -> _gpu.Device:
    with _open_lock:
        if index not in _open:
            _open[index] = _gpu.Device(index)
        return _open[index]


def _indices(device: Any) -> list[int]:
    """The numbers of the devices that `device=` names."""
    if isinstance(device, Device):
        return [device.index]
    if isinstance(device, list | tuple):
        found = [index for one in device for index in _indices(one)]
        if not found:
            raise ValueError("device is an empty list; name at least one device")
        if len(set(found)) < len(found):
            raise ValueError("device names a device twice")
        return found
    if not isinstance(device, str):
        raise TypeError(
            "device must be a str such as 'cuda', 'cuda:1' or 'cuda:all', or a list of them, not "
            f"{type(device).__name__}"
        )
    if device == "cuda":
        return [0]
    if device == "cuda:all":
        usable = [one.index for one in devices() if not one.problem]
        if not usable:
            raise DeviceError(reason())
        return usable
    kind, _, number = device.partition(":")
    if kind != "cuda" or not number.isdecimal() or len(number) > 4:
        raise ValueError(
            f"no device has this name ({described(device)}); devices are 'cuda', 'cuda:0', 'cuda:1', .. and "
            "'cuda:all'"
        )
    return [int(number)]


def _stream(stream: Any) -> int | None:
    """The handle of a CUDA stream, 0 being the default one; None for None."""
    if stream is None:
        return None
    if isinstance(stream, int) and not isinstance(stream, bool):
        handle = stream
    elif hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        handle = (protocol() if callable(protocol) else protocol)[1]
    elif hasattr(stream, "cuda_stream"):  # PyTorch
        handle = stream.cuda_stream
    elif hasattr(stream, "ptr"):  # CuPy
        handle = stream.ptr
    elif hasattr(
        stream, "handle"
    ):  # Numba: a ctypes pointer, whose value is None for the default stream
        handle = getattr(stream.handle, "value", stream.handle) or 0
    else:
        raise TypeError(
            "stream must be a handle (int) or a stream of CuPy, PyTorch, Numba or with "
            f"__cuda_stream__, or None, not {type(stream).__name__}"
        )
    if not isinstance(handle, int) or not 0 <= handle < 1 << 64:
        raise ValueError(f"stream has the handle {described(handle)}, which is no address")
    return handle


def _record(value: Any, stream: Any, index: int) -> None:
    """Tell the allocator of a tensor, which is PyTorch's, that a stream uses its memory."""
    if stream is None or isinstance(value, Array) or not hasattr(value, "record_stream"):
        return
    if not hasattr(stream, "cuda_stream") and (torch := sys.modules.get("torch")) is not None:
        stream = torch.cuda.ExternalStream(_stream(stream), device=index)
    value.record_stream(stream)


def _verify(verify: Any) -> str:
    if verify not in VERIFY:
        raise ValueError(f"verify is {described(verify)}; it takes 'none', 'sample' or 'all'")
    return str(verify)


class Array:
    """Bytes in device memory (uint8, contiguous), wiped when they are freed; made by this package,
    and by `to_device` and `empty`.

    CuPy, PyTorch and Numba take it without a copy, through `__dlpack__` and
    `__cuda_array_interface__`; `numpy()` copies it to host memory.
    """

    __slots__ = ("__weakref__", "_device", "_memory", "_stream", "shape")

    shape: tuple[int, ...]

    def __init__(self, shape: Sequence[int], device: int, stream: int | None = None) -> None:
        self.shape = tuple(operator.index(size) for size in shape)
        self._device = _handle(device)
        self._memory = _gpu.Memory(self._device, prod(self.shape))
        # The stream in which it is written; None: it has been. Other threads cannot name the
        # default stream of this one, but the device has a stream that follows it.
        self._stream = self._device.own_stream if stream == _PER_THREAD else stream

    @property
    def dtype(self) -> np.dtype[np.uint8]:
        """uint8, always."""
        return np.dtype(np.uint8)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the array."""
        return prod(self.shape)

    @property
    def pointer(self) -> int:
        """Address in device memory; 0 for no bytes."""
        return self._memory.pointer

    @property
    def device(self) -> str:
        """Name of the device, such as "cuda:0"."""
        return f"cuda:{self._device.index}"

    def record_stream(self, stream: Any) -> None:
        """Keep the memory until what is queued in a stream now is done: call it after another
        library has queued work on the array there. The stream may be gone when the array goes.
        """
        handle = _stream(stream)
        if handle is None:
            raise TypeError("stream is None; record_stream takes the stream that uses the array")
        self._device.record_stream(handle)

    def numpy(self) -> NDArray[np.uint8]:
        """A copy in host memory; waits for the work that writes the array. DeviceError when that
        failed.
        """
        data = self._device.download(self.pointer, self.nbytes, self._stream or 0)
        return np.frombuffer(bytearray(data), np.uint8).reshape(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<hanji.gpu.Array of shape {self.shape} on {self.device}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an array in device memory is not pickled; take numpy()")

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The CUDA Array Interface, version 3."""
        # 1 is the default stream there
        stream = None if self._stream is None else self._stream or 1
        return {
            "shape": self.shape,
            "typestr": "|u1",
            "data": (self.pointer, False),
            "strides": None,
            "version": 3,
            "stream": stream,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """Device type and number, as DLPack counts them."""
        return _CUDA, self._device.index

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule; the consumer's `stream` waits for the work that writes the array.
        BufferError for copies and other devices.
        """
        if copy:
            raise BufferError("this array gives itself out without a copy only; copy it afterwards")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(
                f"the array is on {self.device}; it does not move to device {tuple(dl_device)}"
            )
        if self._stream is not None and stream != -1:
            self._device.follow(_stream(stream) or 0, self._stream)
        return _gpu.dlpack_export(
            self,
            self.pointer,
            self.shape,
            self._device.index,
            max_version is not None and max_version[0] >= 1,
        )


def _one_index(device: Any) -> int:
    found = _indices(device)
    if len(found) != 1:
        raise ValueError(f"device is {described(device)}; an array lies on one device")
    return found[0]


def empty(shape: int | Sequence[int], device: Any = "cuda") -> Array:
    """Bytes in device memory, of undefined content. DeviceError when there is no such device, or
    not so much memory.
    """
    return Array((shape,) if isinstance(shape, int) else shape, _one_index(device))


def to_device(data: Any, device: Any = "cuda") -> Array:
    """A copy of a uint8 array or bytes-like object in device memory."""
    if not isinstance(data, np.ndarray):
        _core.require_bytes(data, "data")
        data = np.frombuffer(data, np.uint8)
    refuse_masked(data, "data")
    host = data
    if host.dtype != np.uint8:
        raise TypeError(
            f"data has dtype {host.dtype}; it takes uint8 (an array of another type: "
            "array.view(numpy.uint8))"
        )
    array = Array(host.shape, _one_index(device))
    array._device.upload(array.pointer, np.ascontiguousarray(host).reshape(-1), 0)
    return array


def pinned(shape: int | Sequence[int], device: Any = "cuda") -> NDArray[np.uint8]:
    """Zeros in page-locked host memory, as a NumPy array, wiped when it is freed: the device copies
    from and to it without a detour.
    """
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    memory = _gpu.Pinned(_handle(_one_index(device)), prod(sizes))
    return np.frombuffer(memory, np.uint8).reshape(sizes)  # type: ignore[call-overload, no-any-return]


@dataclass(frozen=True, eq=False)
class _View:
    """An array of somebody's in device memory: contiguous bytes."""

    pointer: int
    shape: tuple[int, ...]
    device: int
    item: int  # bytes of an item
    owner: Any  # keeps it alive

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.item


def _device_of(value: Any, what: str) -> int:
    """The number of the GPU on which an array is."""
    if isinstance(value, Array):
        return value._device.index
    if hasattr(value, "__dlpack_device__"):
        kind, number = (int(part) for part in value.__dlpack_device__())
        if kind not in (_CUDA, _CUDA_MANAGED):
            raise TypeError(
                f"{what} is on a device of another kind (number {kind} of DLPack); it must be in "
                "host memory or on a GPU of NVIDIA"
            )
        return number
    pointer = int(value.__cuda_array_interface__["data"][0] or 0)
    if pointer:  # the interface does not say it, but the driver knows
        return _handle(0).device_of(pointer)
    return 0


def _view(
    value: Any, what: str, stream: int, *, write: bool = False, types: tuple[str, ...] = ("uint8",)
) -> _View:
    """Any device array. Its own stream has been waited for in `stream`, on the device."""
    if isinstance(value, Array):
        _require_type("uint8", what, types)
        if value._stream is not None:
            value._device.follow(stream, value._stream)
        return _View(value.pointer, value.shape, value._device.index, 1, value)
    if hasattr(value, "__dlpack__"):
        return _view_dlpack(value, what, stream, write, types)
    return _view_interface(value, what, stream, write, types)


def _require_type(kind: str, what: str, types: tuple[str, ...]) -> None:
    if kind not in types:
        raise TypeError(f"{what} has dtype {kind}; it takes {' or '.join(types)}")


def _require_contiguous(shape: tuple[int, ...], strides: tuple[int, ...] | None, what: str) -> None:
    """`strides` in items, or None."""
    expected = 1
    if strides is None or prod(shape) == 0:
        return
    for size, step in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and step != expected:
            raise BufferError(
                f"{what} is not C-contiguous (shape {shape}, strides {strides} in items); pass a "
                "contiguous copy"
            )
        expected *= size


_CODES = {(1, 8): "uint8", (0, 32): "int32", (0, 64): "int64"}


def _view_dlpack(value: Any, what: str, stream: int, write: bool, types: tuple[str, ...]) -> _View:
    number = _device_of(value, what)
    wanted = stream or 1  # the default stream has the number 1 there
    try:
        capsule = value.__dlpack__(stream=wanted, max_version=(1, 0))
    except TypeError:  # a library from before version 1
        capsule = value.__dlpack__(stream=wanted)
    tensor = _gpu.DLTensor(capsule)
    code, bits, lanes = tensor.dtype
    name = _CODES.get((code, bits), f"of code {code}, {bits} bits")
    _require_type(name if lanes == 1 else f"{name} x {lanes}", what, types)
    _require_contiguous(tensor.shape, tensor.strides, what)
    if write and tensor.read_only:
        raise TypeError(f"{what} is read-only")
    return _View(tensor.pointer, tensor.shape, number, bits // 8, (tensor, value))


def _view_interface(
    value: Any, what: str, stream: int, write: bool, types: tuple[str, ...]
) -> _View:
    interface = value.__cuda_array_interface__
    kind = np.dtype(interface["typestr"])
    _require_type(
        kind.name if kind.isnative else f"{kind.name} of the other byte order", what, types
    )
    shape = tuple(int(size) for size in interface["shape"])
    pointer, read_only = interface["data"]
    strides = interface.get("strides")
    if strides is not None:
        _require_contiguous(shape, tuple(int(step) // kind.itemsize for step in strides), what)
    if interface.get("mask") is not None:
        raise TypeError(f"{what} has a mask; pass plain bytes")
    if write and read_only:
        raise TypeError(f"{what} is read-only")
    number = _device_of(value, what)
    if interface.get("stream") is not None:
        _handle(number).follow(stream, int(interface["stream"]))
    return _View(int(pointer or 0), shape, number, kind.itemsize, value)


class CTR:
    """A stream in counter mode on one or several devices; made by `hanji.hazmat.ctr(..., device=)`.

    Takes host memory (bytes-like) and device arrays, in any order. The round keys lie in device
    memory until the object goes, and are wiped then. After a call that failed on the device the
    stream is dead: some of its counters may have been used.
    """

    def __init__(
        self, name: str, key: BytesLike, iv: BytesLike, limit: int | None, device: Any, verify: str
    ) -> None:
        if not _gpu.has(name, False):
            raise UnsupportedError(f"there are no GPU kernels for {shown(name)}")
        _core.require_bytes(key, "key")  # before a device is opened
        _core.require_bytes(iv, "iv")
        self._verify = _verify(verify)
        self._indices = _indices(device)
        self.name = name
        self._lock = ForkedLock()
        sizes = next(row for row in _core.algorithms() if row["name"] == name)
        self.key_size: int = sizes["key_size"]
        self.block_size: int = sizes["block_size"]
        if limit is None:
            limit = 1 << sizes["limit_log2"]
        elif not isinstance(limit, int):
            raise TypeError(f"limit must be an int (blocks) or None, not {type(limit).__name__}")
        elif not 0 <= limit < 1 << 64:
            raise ValueError(
                f"limit is {described(limit)} (blocks); it takes 0 to 2**64 - 1, of which the last means no "
                "limit"
            )
        devices = [_handle(index) for index in self._indices]
        self._stream = _gpu.CTR(devices, name, key, iv, limit, usable_processors())

    @property
    def devices(self) -> tuple[str, ...]:
        """The names of the devices."""
        return tuple(f"cuda:{index}" for index in self._indices)

    @property
    def remaining(self) -> int:
        """Blocks that the limit still allows under this key."""
        return self._stream.remaining

    def __repr__(self) -> str:
        return f'<hanji.gpu.CTR("{self.name}", ...) on {", ".join(self.devices)}>'

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "this object holds a key and is not pickled or copied; send the key by a way that you "
            "trust and make a new object"
        )

    def update(self, data: Any, *, stream: Any = None) -> Any:
        """Encrypt or decrypt the next bytes: bytes for host memory, a `gpu.Array` for a device
        array.

        LimitError past the limit: the stream is then as before. DeviceError, MismatchError: it is
        then dead.
        """
        if not is_device_array(data):
            self._no_stream(stream)
            with self._lock:
                check = self._check(data)
                out = self._stream.update(data)
                if check is not None:
                    check(out)
                return out
        return self._on_device(data, None, stream)[0]

    def update_into(self, data: Any, buf: Any, *, stream: Any = None) -> int:
        """update() into the first bytes of buf, which may begin at the same byte as data; returns
        how many.
        """
        if is_device_array(data) or is_device_array(buf):
            for what, value in (("data", data), ("buf", buf)):
                if not is_device_array(value):
                    raise TypeError(
                        f"{what} is not in device memory; data and buf must both be, or neither"
                    )
            return self._on_device(data, buf, stream)[1]
        self._no_stream(stream)
        with self._lock:
            check = self._check(data)
            self._stream.update_into(data, buf)
            if check is not None:
                check(buf)
        return memoryview(data).nbytes

    def _no_stream(self, stream: Any) -> None:
        if stream is not None:
            raise ValueError(
                "stream= goes with device arrays; calls on host memory have streams of their own"
            )

    def _check(self, data: Any) -> Any:
        """A function that compares what host memory became of data, or None."""
        source = memoryview(data).cast("B")
        spots = _samples.spots(len(source), self._verify)
        if not spots:
            return None
        counter, used = self._stream.counter, self._stream.used
        before = [bytes(source[first : first + size]) for first, size in spots]

        def check(out: Any) -> None:
            result = memoryview(out).cast("B")
            for (first, size), given in zip(spots, before, strict=True):
                if (
                    self._stream.expected(counter, used, first, given)
                    != result[first : first + size]
                ):
                    self._stream.kill()
                    if not result.readonly:
                        result[: len(source)] = bytes(len(source))
                    raise MismatchError(
                        _samples.mismatch(self.devices, f"bytes {first} to {first + size}")
                    )

        return check

    def _on_device(self, data: Any, buf: Any, stream: Any) -> tuple[Array | None, int]:
        """The array that was made, if `buf` is None, and the number of bytes."""
        given = _stream(stream)
        queue = given or 0
        with self._lock:
            which = self._place(data)
            device = _handle(self._indices[which])
            device.check_stream(queue)
            source = _view(data, "data", queue)
            result = Array(source.shape, device.index, given) if buf is None else None
            target = _view(buf if result is None else result, "buf", queue, write=True)
            if target.device != source.device:
                raise ValueError(
                    f"data is on cuda:{source.device} and buf on cuda:{target.device}; they must "
                    "be on one device"
                )
            if target.nbytes < source.nbytes:
                raise ValueError(
                    f"buf has {target.nbytes} bytes; {source.nbytes} are needed, as many as data "
                    "has"
                )
            size = source.nbytes
            _require_apart(target.pointer, size, source.pointer, size, "buf", "data", in_place=True)
            spots = _samples.spots(size, self._verify)
            counter, used = self._stream.counter, self._stream.used
            before = [
                device.download(source.pointer + first, count, queue) for first, count in spots
            ]
            self._stream.device(which, target.pointer, source.pointer, size, queue)
            _record(data, stream, device.index)
            _record(buf, stream, device.index)
            if given is None or spots:
                self._settled(device, queue)
            for (first, count), old in zip(spots, before, strict=True):
                if self._stream.expected(counter, used, first, old) != device.download(
                    target.pointer + first, count, queue
                ):
                    self._stream.kill()
                    device.zero(target.pointer, size, queue)
                    device.wait(queue)
                    raise MismatchError(
                        _samples.mismatch(self.devices, f"bytes {first} to {first + count}")
                    )
            return result, size

    def _settled(self, device: _gpu.Device, stream: int) -> None:
        try:
            device.wait(stream)
        except DeviceError:
            self._stream.kill()
            raise

    def _place(self, data: Any) -> int:
        """Which of our devices an array is on."""
        index = _device_of(data, "data")
        if index not in self._indices:
            raise ValueError(
                f"data is on cuda:{index}; this stream has its key on {', '.join(self.devices)}"
            )
        return self._indices.index(index)


def _require_apart(
    out: int,
    out_bytes: int,
    pointer: int,
    size: int,
    what: str,
    other: str,
    *,
    in_place: bool = False,
) -> None:
    if (
        out_bytes
        and size
        and out < pointer + size
        and pointer < out + out_bytes
        and not (in_place and out == pointer)
    ):
        raise ValueError(
            f"{what} overlaps {other}{' in part' if in_place else ''}; give it memory of its own"
        )
