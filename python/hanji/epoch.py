# SPDX-License-Identifier: Apache-2.0
"""Epoch keys: one key for each stretch of a device's life, derived from its master key. Source:
docs/telemetry.md.

A device without a random generator that may lose its power counts epochs in its storage, one more
at every start, and counts messages in memory. The number of the message is the nonce, and the key
belongs to the device and the epoch. So no nonce comes twice under a key, not even where devices
share a master key by mistake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanji import _core
from hanji._derive import expand
from hanji._text import described

if TYPE_CHECKING:
    from hanji._typing import BytesLike

__all__ = ["DEVICE_LAST", "EPOCH_LAST", "MASTER_SIZE_MAX", "MASTER_SIZE_MIN", "epoch_key"]

LABELS = {1: "hanji epoch key", 2: "hanji epoch key 2"}  # by version of the derivation
EPOCH_LAST = (1 << 32) - 1  #: The largest number of an epoch.
DEVICE_LAST = (1 << 32) - 1  #: The largest number of a device.
MASTER_SIZE_MIN = 16  #: Bytes of the shortest master key, as in include/hanji/telemetry.h.
MASTER_SIZE_MAX = 64  #: Bytes of the longest master key.


def epoch_key(
    master: BytesLike,
    label: str,
    epoch: int,
    size: int = 16,
    *,
    device: int,
    version: int = 2,
    allow_version_1: bool = False,
) -> bytes:
    """The key of one device in one epoch: ``size`` bytes of XOESCH256 over master key, label, epoch
    and device.

    Sizes: ``master`` 16 to 64 bytes; ``size`` 1 byte or more; ``epoch`` and ``device`` 0 to
    2**32 - 1. The label says in ASCII what the key is for; keys of different
    labels have nothing in common. Version 1 of the derivation lacks the device: under it, devices
    that share a master key share keys and nonces, and what they sent can be xored. It is there to
    open old frames of a device whose master key no other device has, and only with
    ``allow_version_1``.
    Errors: TypeError for a master key that is not bytes-like, for numbers that are no int, and for
    an ``allow_version_1`` that is no bool;
    ValueError for a master key of another size, a size, an epoch, a device or a version outside of
    these bounds, for version 1 without ``allow_version_1``, and for a label that is not ASCII.
    Source: docs/telemetry.md, section "Epoch keys". Status: as XOESCH256, no known attack.
    """
    secret = _core.to_bytes(master, "master")
    if not MASTER_SIZE_MIN <= len(secret) <= MASTER_SIZE_MAX:
        raise ValueError(
            f"master has {len(secret)} bytes; a master key has {MASTER_SIZE_MIN} to "
            f"{MASTER_SIZE_MAX}"
        )
    if not isinstance(label, str):
        raise TypeError(f"label must be a str, not {type(label).__name__}")
    for name, value in (("epoch", epoch), ("size", size), ("device", device), ("version", version)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if not isinstance(allow_version_1, bool):
        raise TypeError(f"allow_version_1 must be a bool, not {type(allow_version_1).__name__}")
    if not 0 <= epoch <= EPOCH_LAST:
        raise ValueError(f"epoch is {described(epoch)}; epochs are numbers from 0 to {EPOCH_LAST}")
    if not 0 <= device <= DEVICE_LAST:
        raise ValueError(
            f"device is {described(device)}; devices are numbers from 0 to {DEVICE_LAST}"
        )
    if size < 1:
        raise ValueError(f"size is {described(size)}; ask for at least one byte")
    if not label.isascii():
        wrong = next(i for i, character in enumerate(label) if not character.isascii())
        raise ValueError(
            f"character {wrong + 1} of the label is not ASCII; use ASCII characters only, as the "
            "device does"
        )
    if version not in LABELS:
        raise ValueError(
            f"version is {described(version)}; there are versions 1 and 2 of the derivation"
        )
    place = epoch.to_bytes(8, "little")
    if version == 2:
        place += device.to_bytes(4, "little")
    elif not allow_version_1:
        raise ValueError(
            "version 1 of the derivation lacks the device: devices that share a master key would "
            "share key and nonce."
            " allow_version_1=True opens old frames of a device whose master key no other device "
            "has"
        )
    return expand(LABELS[version], secret, label.encode("ascii"), place, length=size)
