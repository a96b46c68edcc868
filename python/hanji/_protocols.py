# SPDX-License-Identifier: Apache-2.0
"""How arrays of other libraries are told apart, without importing what processes them."""

from __future__ import annotations

from typing import Any

_HOST = (1, 3)  # device types of DLPack: the processor's memory, page-locked or not


def is_device_array(value: Any) -> bool:
    """Whether an object is an array in the memory of a device, by DLPack or the CUDA Array
    Interface; of any kind of device, for a better error.
    """
    if (
        value is None
        or isinstance(value, bytes | bytearray | memoryview)
        or hasattr(value, "__arrow_c_array__")
    ):
        return False
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[0]) not in _HOST
    return hasattr(value, "__cuda_array_interface__")


def is_masked(value: Any) -> bool:
    """Whether an object is a masked array of NumPy, whose module is not loaded for the question."""
    return any(base.__name__ == "MaskedArray" for base in type(value).__mro__)


def refuse_masked(value: Any, what: str) -> None:
    """TypeError for a masked array, which `what` names."""
    if is_masked(value):
        raise TypeError(
            f"{what} is a masked array; the bytes under its mask would be used: give "
            "array.filled(...) or array.data"
        )
