# SPDX-License-Identifier: Apache-2.0
"""The driver as other libraries use it, for the tests of hanji.gpu: the one that is not one
(fake_cuda.c), or with HANJI_TEST_GPU=1 a real one.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "c"))
import builds  # noqa: E402

REAL = os.environ.get("HANJI_TEST_GPU") == "1"


class Driver:
    """The driver, for what a user does with it: memory, streams; and for the fake one what can be
    asked of it.
    """

    def __init__(self) -> None:
        if not REAL:
            os.environ["FAKE_CUDA_DEVICES"] = "2"
            os.environ["FAKE_CUDA_USER_MEMORY"] = "1"
        # The library finds what is loaded already by its name.
        path = "libcuda.so.1" if REAL else str(builds.build("host-gcc") / "tests/gpu/libcuda.so.1")
        self.cuda = ctypes.CDLL(path)
        self.call("cuInit", 0)

    def call(self, name: str, *arguments: object) -> None:
        code = getattr(self.cuda, name)(*arguments)
        assert code == 0, f"{name}: error {code} of the driver"

    def enter(self, device: int) -> None:
        number, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(number), device)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
        self.call("cuCtxPushCurrent_v2", context)

    def leave(self, device: int) -> None:
        number, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuCtxPopCurrent_v2", ctypes.byref(context))
        self.call("cuDeviceGet", ctypes.byref(number), device)
        self.call("cuDevicePrimaryCtxRelease_v2", number)

    def restart(self) -> int:
        """Count calls from 1 again; how many there were."""
        return int(self.cuda.fake_cuda_restart())

    def dirty(self) -> int:
        """Bytes that are not zero in all device memory and page-locked memory, after all work."""
        return int(self.cuda.fake_cuda_dirty())

    def left(self) -> int:
        """What has not been given back, but for modules, which stay as long as their device is
        open.
        """
        return int(self.cuda.fake_cuda_left()) - int(self.cuda.fake_cuda_modules())


class Theirs:
    """Device memory as another library has it: an array of some type, at some offset from the
    beginning of an allocation.
    """

    def __init__(
        self,
        driver: Driver,
        data: np.ndarray,
        device: int = 0,
        skew: int = 0,
        read_only: bool = False,
    ) -> None:
        self.driver, self.number, self.shape, self.dtype, self.read_only = (
            driver,
            device,
            data.shape,
            data.dtype,
            read_only,
        )
        self.size = data.nbytes
        base = ctypes.c_uint64()
        driver.enter(device)
        driver.call("cuMemAlloc_v2", ctypes.byref(base), ctypes.c_size_t(self.size + skew + 1))
        self.base, self.pointer = base.value, base.value + skew
        driver.leave(device)
        self.set(data)

    def set(self, data: np.ndarray) -> None:
        data = np.ascontiguousarray(data)
        self.driver.enter(self.number)
        if data.nbytes:
            self.driver.call(
                "cuMemcpyHtoDAsync_v2",
                ctypes.c_uint64(self.pointer),
                ctypes.c_void_p(data.ctypes.data),
                ctypes.c_size_t(data.nbytes),
                None,
            )
        self.driver.call("cuStreamSynchronize", None)
        self.driver.leave(self.number)

    def get(self) -> np.ndarray:
        """What has arrived there: whoever writes must have waited."""
        out = np.empty(self.shape, self.dtype)
        if self.size:
            if not REAL:
                ctypes.memmove(out.ctypes.data, self.pointer, self.size)
                return out
            self.driver.enter(self.number)
            arguments = (
                ctypes.c_void_p(out.ctypes.data),
                ctypes.c_uint64(self.pointer),
                ctypes.c_size_t(self.size),
            )
            self.driver.call("cuMemcpyDtoHAsync_v2", *arguments, None)
            self.driver.call("cuStreamSynchronize", None)
            self.driver.leave(self.number)
        return out

    def __del__(self) -> None:
        self.driver.enter(self.number)
        self.driver.call("cuCtxSynchronize")
        self.driver.call("cuMemFree_v2", ctypes.c_uint64(self.base))
        self.driver.leave(self.number)


class ByInterface(Theirs):
    """With __cuda_array_interface__, as Numba: it may name the stream that writes it."""

    stream: int | None = None
    strides: tuple[int, ...] | None = None
    version = 3

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        interface = {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.pointer, self.read_only),
            "version": self.version,
        }
        return (
            interface
            | {"strides": self.strides}
            | ({"stream": self.stream} if self.version == 3 else {})
        )


class ByDLPack(Theirs):
    """With DLPack, as PyTorch and CuPy; `versioned` False: from before version 1."""

    versioned = True
    kind = 2

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, self.number

    def __dlpack__(self, *, stream: int, **options: object) -> object:
        if options and not self.versioned:
            raise TypeError("an unexpected argument: max_version")
        self.asked = stream
        return self._capsule()

    def _capsule(self) -> object:
        """By our own reading of dlpack.h: the structures are not those of the package that is
        tested.
        """
        sizes = (ctypes.c_int64 * len(self.shape))(*self.shape)
        code = {"u": 1, "i": 0}[self.dtype.kind]
        tensor = _Tensor(
            self.pointer,
            self.kind,
            self.number,
            len(self.shape),
            code,
            8 * self.dtype.itemsize,
            1,
            ctypes.addressof(sizes),
            None,
            0,
        )
        kind = _Versioned if self.versioned else _Plain
        managed = (
            kind(1, 0, None, _DELETER, int(self.read_only), tensor)
            if self.versioned
            else kind(tensor, None, _DELETER)
        )
        _alive[ctypes.addressof(managed)] = (managed, sizes, self)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = (
            ctypes.py_object,
            [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
        )
        return new(
            ctypes.addressof(managed),
            b"dltensor_versioned" if self.versioned else b"dltensor",
            None,
        )


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
    )  # fmt: skip


class _Plain(ctypes.Structure):
    _fields_ = (
        ("tensor", _Tensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    )  # fmt: skip


_alive: dict[int, object] = {}  # what consumers have


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _DELETER(managed: int) -> None:  # noqa: N802
    del _alive[managed]


def taken() -> int:
    """Arrays that have been given out by DLPack and not given back."""
    return len(_alive)
