# SPDX-License-Identifier: Apache-2.0
"""A GPU through its driver: the few calls of libcuda.so.1 that measuring needs, by ctypes. Nothing
has to be installed but the driver and Python.

Names and numbers are those of NVIDIA's CUDA driver API reference.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p

import numpy as np
from numpy.typing import NDArray

from ..checkout import LabError

LIBRARY = "libcuda.so.1"
# of CUdevice_attribute
MULTIPROCESSORS, CLOCK_KHZ, MEMORY_CLOCK_KHZ, BUS_BITS, MAJOR, MINOR = 16, 13, 36, 37, 75, 76
NON_BLOCKING = 1

Argument = int | tuple[int, int]  # an address or (value, bytes)


class CudaError(LabError):
    """The driver reports an error."""


class Kernel:
    """A function of a module; call it with its grid, its arguments and a stream."""

    def __init__(self, device: Device, handle: c_void_p, name: str) -> None:
        self.device, self.handle, self.name = device, handle, name

    def __call__(
        self, grid: int, threads: int, arguments: Sequence[Argument], stream: c_void_p | None = None
    ) -> None:
        """Queue it. Addresses are plain numbers, 32-bit values pairs of (value, 4)."""
        held = [
            c_uint32(a[0])
            if isinstance(a, tuple) and a[1] == 4
            else c_uint64(a[0] if isinstance(a, tuple) else a)
            for a in arguments
        ]
        pointers = (c_void_p * len(held))(*(ctypes.cast(byref(value), c_void_p) for value in held))
        self.device.call(
            "cuLaunchKernel",
            self.handle,
            *map(c_uint, (grid, 1, 1, threads, 1, 1, 0)),
            stream,
            pointers,
            None,
        )


class Device:
    """Device `number` with its primary context; close it, or use it in a with statement. LabError
    without driver or device.
    """

    def __init__(self, number: int = 0, library: str = LIBRARY) -> None:
        try:
            self.library = ctypes.CDLL(library)
        except OSError:
            raise LabError(f"there is no NVIDIA driver: {library} was not found") from None
        self.context = c_void_p()
        self.call("cuInit", c_uint(0))
        count, handle = c_int(), c_int()
        self.call("cuDeviceGetCount", byref(count))
        if not 0 <= number < count.value:
            raise LabError(
                f"device {number} was asked for; there are {count.value}, numbered from 0"
            )
        self.call("cuDeviceGet", byref(handle), c_int(number))
        self.index, self.number = number, handle
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, c_int(256), handle)
        self.name = text.value.decode(errors="replace")
        total = c_size_t()
        self.call("cuDeviceTotalMem_v2", byref(total), handle)
        self.memory = total.value
        self.multiprocessors = self.attribute(MULTIPROCESSORS)
        self.capability = 10 * self.attribute(MAJOR) + self.attribute(MINOR)
        if self.capability < 75:
            raise LabError(
                f"{self.name} has compute capability "
                f"{self.capability // 10}.{self.capability % 10}; the kernels need 7.5"
            )
        self.call("cuDevicePrimaryCtxRetain", byref(self.context), handle)
        self.call("cuCtxPushCurrent_v2", self.context)
        self._events = [self._event(), self._event()]

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        for event in self._events:
            self.tidy("cuEventDestroy_v2", event)
        popped = c_void_p()
        self.tidy("cuCtxPopCurrent_v2", byref(popped))
        self.tidy("cuDevicePrimaryCtxRelease_v2", self.number)

    def call(self, name: str, *arguments: object) -> None:
        """A function of the driver; CudaError with the driver's word when it fails."""
        rc = getattr(self.library, name)(*arguments)
        if rc:
            word = c_char_p()
            self.library.cuGetErrorName(c_int(rc), byref(word))
            raise CudaError(f"{name}: {(word.value or b'unknown error').decode()}")

    def tidy(self, name: str, *arguments: object) -> None:
        """A call that gives something back. After an error of the driver these fail, too, and the
        first error is the one to report.
        """
        with suppress(CudaError):
            self.call(name, *arguments)

    def attribute(self, number: int) -> int:
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), c_int(number), self.number)
        return value.value

    def driver_version(self) -> str:
        """The newest CUDA version that the driver knows, such as 13.0; "unknown" if it does not
        say.
        """
        version = c_int()
        try:
            self.call("cuDriverGetVersion", byref(version))
        except (AttributeError, CudaError):
            return "unknown"
        return f"{version.value // 1000}.{version.value % 1000 // 10}"

    @contextmanager
    def module(self, image: bytes) -> Iterator[Module]:
        """PTX or a cubin, loaded."""
        handle = c_void_p()
        self.call("cuModuleLoadData", byref(handle), c_char_p(image))
        try:
            yield Module(self, handle)
        finally:
            self.tidy("cuModuleUnload", handle)

    @contextmanager
    def arrays(self, **sizes: int) -> Iterator[dict[str, int]]:
        """Device memory: addresses by name. It is zeroed before it is freed."""
        held: dict[str, int] = {}
        try:
            for name, size in sizes.items():
                pointer = c_uint64()
                self.call("cuMemAlloc_v2", byref(pointer), c_size_t(max(size, 16)))
                held[name] = pointer.value
            yield held
        finally:
            for name, address in held.items():
                self.tidy(
                    "cuMemsetD8Async",
                    c_uint64(address),
                    ctypes.c_ubyte(0),
                    c_size_t(max(sizes[name], 16)),
                    None,
                )
            self.tidy("cuCtxSynchronize")
            for address in held.values():
                self.tidy("cuMemFree_v2", c_uint64(address))

    @contextmanager
    def pinned(self, size: int) -> Iterator[NDArray[np.uint8]]:
        """Page-locked memory as an array; zeroed before it is freed."""
        pointer = c_void_p()
        self.call("cuMemHostAlloc", byref(pointer), c_size_t(size), c_uint(0))
        array = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(pointer.value or 0))
        try:
            yield array
        finally:
            array[:] = 0
            self.tidy("cuMemFreeHost", pointer)

    @contextmanager
    def streams(self, count: int) -> Iterator[list[c_void_p]]:
        made: list[c_void_p] = []
        try:
            for _ in range(count):
                handle = c_void_p()
                self.call("cuStreamCreate", byref(handle), c_uint(NON_BLOCKING))
                made.append(handle)
            yield made
        finally:
            for handle in made:
                self.tidy("cuStreamSynchronize", handle)
                self.tidy("cuStreamDestroy_v2", handle)

    def fill(self, address: int, size: int, value: int = 0) -> None:
        self.call("cuMemsetD8Async", c_uint64(address), ctypes.c_ubyte(value), c_size_t(size), None)

    def put(
        self, address: int, data: NDArray[np.uint8] | bytes, stream: c_void_p | None = None
    ) -> None:
        array = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
        if array.size:
            self.call(
                "cuMemcpyHtoDAsync_v2",
                c_uint64(address),
                c_void_p(array.ctypes.data),
                c_size_t(array.size),
                stream,
            )

    def take(self, address: int, into: NDArray[np.uint8], stream: c_void_p | None = None) -> None:
        if into.size:
            self.call(
                "cuMemcpyDtoHAsync_v2",
                c_void_p(into.ctypes.data),
                c_uint64(address),
                c_size_t(into.size),
                stream,
            )

    def bytes_at(self, address: int, size: int) -> bytes:
        """What lies in device memory, after all work that is queued."""
        into = np.zeros(size, np.uint8)
        self.take(address, into)
        self.wait()
        return into.tobytes()

    def copy(self, to: int, source: int, size: int) -> None:
        self.call("cuMemcpyDtoDAsync_v2", c_uint64(to), c_uint64(source), c_size_t(size), None)

    def wait(self) -> None:
        self.call("cuCtxSynchronize")

    def _event(self) -> c_void_p:
        event = c_void_p()
        self.call("cuEventCreate", byref(event), c_uint(0))
        return event

    @contextmanager
    def timed(self, seconds: list[float]) -> Iterator[None]:
        """Append the time between two events in the default stream, around what is queued inside."""
        begin, end = self._events
        self.call("cuEventRecord", begin, None)
        yield
        self.call("cuEventRecord", end, None)
        self.wait()
        milliseconds = c_float()
        self.call("cuEventElapsedTime", byref(milliseconds), begin, end)
        seconds.append(milliseconds.value / 1000)


class Module:
    """Kernels that are loaded."""

    def __init__(self, device: Device, handle: c_void_p) -> None:
        self.device, self.handle = device, handle

    def kernel(self, name: str) -> Kernel:
        found = c_void_p()
        self.device.call("cuModuleGetFunction", byref(found), self.handle, c_char_p(name.encode()))
        return Kernel(self.device, found, name)
