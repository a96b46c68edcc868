# SPDX-License-Identifier: Apache-2.0
"""The compiled part of hanji.gpu."""

from collections.abc import Sequence
from typing import Any, final

import hanji._core
import hanji._typing


class DeviceError(hanji._core.HanjiError):
    """There is no GPU that can be used, or its driver reports an error."""

class UnsupportedError(hanji._core.HanjiError):
    """There are no kernels for GPUs for this algorithm."""

def count() -> int:
    """How many devices the driver has. DeviceError without a driver."""

def describe(device: int) -> dict[str, Any]:
    """A device by its number."""

def has(cipher: str, fleet: bool) -> bool:
    """
    Whether there are kernels for a cipher, or with `fleet` for a key per message.
    """

def images() -> dict[str, str]:
    """The PTX of the kernels, by file."""

@final
class Device:
    """A device that is open; see hanji.gpu."""

    def __init__(self, index: int) -> None: ...

    @property
    def index(self) -> int: ...

    def upload(self, out: int, data: hanji._typing.BytesLike, stream: int) -> None: ...

    def download(self, pointer: int, size: int, stream: int) -> bytes: ...

    def copy(self, out: int, pointer: int, size: int, stream: int) -> None: ...

    def zero(self, out: int, size: int, stream: int) -> None: ...

    def wait(self, stream: int) -> None: ...

    def follow(self, stream: int, other: int) -> None: ...

    def device_of(self, pointer: int) -> int: ...

    def check_stream(self, stream: int) -> None: ...

    def fleet_ctr(self, cipher: str, out: int, data: int, keys: int, counters: int, offsets: int, messages: int, stream: int) -> None: ...

    def fleet_schwaemm(self, open: bool, out: int, data: int, keys: int, nonces: int, tags: int, offsets: int, ad: int, ad_offsets: int, status: int, messages: int, stream: int) -> None: ...

@final
class Memory:
    """Device memory, wiped and freed with the object."""

    def __init__(self, device: Device, size: int) -> None: ...

    @property
    def pointer(self) -> int: ...

    @property
    def size(self) -> int: ...

@final
class Pinned:
    """Page-locked host memory, a buffer; wiped and freed with the object."""

    def __init__(self, device: Device, size: int) -> None: ...

    @property
    def size(self) -> int: ...

@final
class CTR:
    """A stream in counter mode on devices; see hanji.gpu.CTR."""

    def __init__(self, devices: Sequence[Device], name: str, key: hanji._typing.BytesLike, iv: hanji._typing.BytesLike, limit: int) -> None: ...

    @property
    def remaining(self) -> int: ...

    @property
    def counter(self) -> bytes: ...

    @property
    def used(self) -> int: ...

    def kill(self) -> None: ...

    def update(self, data: hanji._typing.BytesLike) -> bytes: ...

    def update_into(self, data: hanji._typing.BytesLike, buf: hanji._typing.BytesLike) -> None: ...

    def device(self, which: int, out: int, data: int, size: int, stream: int) -> None: ...

    def expected(self, counter: hanji._typing.BytesLike, used: int, skip: int, data: hanji._typing.BytesLike) -> bytes: ...

@final
class DLTensor:
    """An array from a DLPack capsule."""

    def __init__(self, capsule: Any) -> None: ...

    @property
    def pointer(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def strides(self) -> tuple[int, ...] | None: ...

    @property
    def device_type(self) -> int: ...

    @property
    def device_id(self) -> int: ...

    @property
    def dtype(self) -> tuple[int, int, int]: ...

    @property
    def read_only(self) -> bool: ...

def dlpack_export(owner: object, pointer: int, shape: Sequence[int], device: int, versioned: bool) -> Any:
    """A DLPack capsule for bytes in device memory that owner keeps alive."""

def fleet(devices: Sequence[Device], algorithm: str, operation: str, cipher: str, offsets: hanji._typing.BytesLike, data: hanji._typing.BytesLike, out: hanji._typing.BytesLike | None, ad_offsets: hanji._typing.BytesLike | None, ad: hanji._typing.BytesLike | None, keys: hanji._typing.BytesLike | None, one_key: bool, nonces: hanji._typing.BytesLike | None, nonce_size: int, tags: hanji._typing.BytesLike | None, tag_size: int, status: hanji._typing.BytesLike, limit: int) -> int:
    """One fleet call over host memory; see hanji.fleet."""
