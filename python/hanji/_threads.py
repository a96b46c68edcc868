# SPDX-License-Identifier: Apache-2.0
"""How many threads work at once when nobody says it."""

from __future__ import annotations

import os


def usable_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
