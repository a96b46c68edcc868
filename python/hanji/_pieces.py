# SPDX-License-Identifier: Apache-2.0
"""Several buffers in one read or write of a descriptor, so that nothing is copied together."""

from __future__ import annotations

import os
from collections.abc import Sequence

# The most pieces of one call on Linux, the BSDs and macOS (IOV_MAX).
_MOST = 1024


def _after(pieces: Sequence[memoryview], count: int) -> list[memoryview]:
    """The pieces without their first ``count`` bytes."""
    for number, piece in enumerate(pieces):
        if count < piece.nbytes:
            return [piece[count:], *pieces[number + 1 :]]
        count -= piece.nbytes
    return []


def read_pieces(descriptor: int, pieces: Sequence[memoryview]) -> int:
    """Read until all pieces are full or the input ends; the number of bytes read is returned.

    No piece is empty. Errors: OSError; BlockingIOError from a descriptor in non-blocking mode.
    """
    done = 0
    while pieces:
        count = os.readv(descriptor, pieces[:_MOST])
        if count == 0:
            break
        done += count
        pieces = _after(pieces, count)
    return done


def write_pieces(descriptor: int, pieces: Sequence[memoryview]) -> None:
    """Write all pieces.

    Errors: OSError; BlockingIOError from a descriptor in non-blocking mode.
    """
    while pieces:
        pieces = _after(pieces, os.writev(descriptor, pieces[:_MOST]))
