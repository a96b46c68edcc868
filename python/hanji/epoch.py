# SPDX-License-Identifier: Apache-2.0
"""Epoch keys: one key for each stretch of a device's life, derived from its master key. Source: docs/telemetry.md.

A device that has no random generator and may lose its power counts epochs in its storage, one more at every start, and messages only in
memory. The number of the message is the nonce, and the key belongs to the epoch, so that no nonce comes twice under a key.
"""

from __future__ import annotations

from hanji._derive import expand

__all__ = ["EPOCH_LAST", "epoch_key"]

LABEL = "hanji epoch key"
EPOCH_LAST = (1 << 32) - 1  #: The largest number of an epoch.


def epoch_key(master: bytes, label: str, epoch: int, size: int = 16) -> bytes:
    """The key of one epoch: ``size`` bytes of XOESCH256 over the master key, the label and the number of the epoch.

    Sizes: ``master`` any, 16 bytes or more for 128-bit security; ``size`` 1 byte or more; ``epoch`` 0 to 2**32 - 1. The label says in ASCII what the
    key is for; keys of different labels have nothing in common. Errors: ValueError for a size or an epoch outside of these bounds, and for a
    label that is not ASCII. Source: docs/telemetry.md, section "Epoch keys". Status: as XOESCH256, no known attack.
    """
    if not 0 <= epoch <= EPOCH_LAST:
        raise ValueError(f"epoch is {epoch}; epochs are numbers from 0 to {EPOCH_LAST}")
    if size < 1:
        raise ValueError(f"size is {size}; ask for at least one byte")
    if not label.isascii():
        raise ValueError(f"label is {label!r}; use ASCII characters only, as the device does")
    return expand(LABEL, bytes(master), label.encode("ascii"), epoch.to_bytes(8, "little"), length=size)
