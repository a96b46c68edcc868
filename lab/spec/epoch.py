# SPDX-License-Identifier: Apache-2.0
"""Keys of epochs, as docs/telemetry.md derives them: XOESCH256 over fields, each after its length."""

from __future__ import annotations

from .esch import VARIANTS

LABELS = {1: b"hanji epoch key", 2: b"hanji epoch key 2"}


def expand(fields: list[bytes], size: int) -> bytes:
    """`size` bytes of XOESCH256 over the fields, each preceded by its length as 8 bytes
    (docs/format.md, Derivation).
    """
    return VARIANTS["xoesch256"].digest(
        b"".join(len(field).to_bytes(8, "little") + field for field in fields), size
    )


def key(master: bytes, label: str, epoch: int, device: int, size: int, version: int = 2) -> bytes:
    """The key of a device in an epoch; version 1 leaves the device out."""
    place = epoch.to_bytes(8, "little")
    if version == 2:
        place += device.to_bytes(4, "little")
    return expand([LABELS[version], master, label.encode("ascii"), place], size)
