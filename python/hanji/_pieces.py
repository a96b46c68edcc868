# SPDX-License-Identifier: Apache-2.0
"""Several buffers in one read or write of a descriptor, so that nothing is copied together."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence

# The most pieces of one call on Linux, the BSDs and macOS (IOV_MAX).
_MOST = 1024


def _after(pieces: Sequence[memoryview], count: int) -> list[memoryview]:
    """The pieces without their first ``count`` bytes."""
    if count == sum(map(len, pieces)):  # most often; no piece is looked at by itself
        return []
    for number, piece in enumerate(pieces):
        if count < piece.nbytes:
            return [piece[count:], *pieces[number + 1 :]]
        count -= piece.nbytes
    return []


def _read(descriptor: int, pieces: Sequence[memoryview]) -> int:
    """Read into pieces, as much as comes at once; Windows takes them one by one."""
    if sys.platform != "win32":
        return os.readv(descriptor, pieces[:_MOST])
    with io.FileIO(descriptor, closefd=False) as file:
        count = file.readinto(pieces[0])
    if count is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return count


def _write(descriptor: int, pieces: Sequence[memoryview]) -> int:
    """Write pieces, as much as is taken at once."""
    if sys.platform != "win32":
        return os.writev(descriptor, pieces[:_MOST])
    return os.write(descriptor, pieces[0])


def read_pieces(descriptor: int, pieces: Sequence[memoryview]) -> int:
    """Read until all pieces are full or the input ends; the number of bytes read is returned.

    No piece is empty. Errors: OSError; BlockingIOError from a descriptor in non-blocking mode.
    """
    done = 0
    while pieces:
        count = _read(descriptor, pieces)
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
        pieces = _after(pieces, _write(descriptor, pieces))
