# SPDX-License-Identifier: Apache-2.0
"""The compiled part of hanji.gpu."""

from typing import Any

import hanji._core


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
