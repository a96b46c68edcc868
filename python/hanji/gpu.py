# SPDX-License-Identifier: Apache-2.0
"""NVIDIA GPUs: which there are.

    gpu.devices()      # what is there
    gpu.reason()       # why there is nothing, in a sentence

Nothing but the driver is needed. It is opened at the first call of this module that needs it; to import the module opens nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanji import _gpu
from hanji._gpu import DeviceError, UnsupportedError

__all__ = ["Device", "DeviceError", "UnsupportedError", "available", "devices", "reason"]

MINIMUM = (7, 5)  # compute capability that the kernels need


@dataclass(frozen=True, slots=True)
class Device:
    """One GPU: its number, name, bytes of memory, compute capability and multiprocessors; `problem` is "" or says why it cannot be used."""

    index: int
    name: str
    memory: int
    compute_capability: tuple[int, int]
    multiprocessors: int
    problem: str

    def __str__(self) -> str:
        return f"cuda:{self.index}"


def devices() -> list[Device]:
    """All GPUs that the driver has, also those that are too old; DeviceError without a driver. Opens no context on them."""
    return [_describe(index) for index in range(_gpu.count())]


def _describe(index: int) -> Device:
    row = _gpu.describe(index)
    capability = divmod(row["capability"], 10)
    problem = "" if capability >= MINIMUM else "it has compute capability {}.{}; the kernels need {}.{}".format(*capability, *MINIMUM)
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
