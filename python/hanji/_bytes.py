# SPDX-License-Identifier: Apache-2.0
"""Random bytes, and a comparison in constant time, without what the modules ``secrets`` and
``hmac`` load besides: OpenSSL costs the command more than its work on a small file.
"""

from __future__ import annotations

import os

try:
    from _operator import _compare_digest as compare_digest  # which hmac takes, too
except ImportError:  # another interpreter
    from hmac import compare_digest  # type: ignore[no-redef]

__all__ = ["compare_digest", "random_bytes"]


def random_bytes(size: int) -> bytes:
    """Bytes from the randomness of the operating system, for keys."""
    return os.urandom(size)
