# SPDX-License-Identifier: Apache-2.0
"""Which places of a stream `verify=` compares with the processor, and what a difference is called."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

SAMPLES = 64  # places or messages that verify="sample" computes again
_SPOT = 64  # bytes of a place


def spots(size: int, verify: str) -> list[tuple[int, int]]:
    """(first, bytes) of the places of a stream that are compared: the beginning, the end and some
    between, or all.
    """
    if verify == "none" or size == 0:
        return []
    if verify == "all" or size <= SAMPLES * _SPOT:
        step = 1 << 24
        return [(first, min(step, size - first)) for first in range(0, size, step)]
    chosen = {0, size - _SPOT} | {secrets.randbelow(size - _SPOT + 1) for _ in range(SAMPLES - 2)}
    return [(first, _SPOT) for first in sorted(chosen)]


def mismatch(devices: Sequence[str], where: str) -> str:
    """The sentence of a MismatchError."""
    return (
        f"{', '.join(devices)} and the processor do not agree about {where}; the output has been "
        "zeroed: do not use this device"
    )
