# SPDX-License-Identifier: Apache-2.0
"""The processor of this machine, by its names."""

from __future__ import annotations

import platform
import re
from pathlib import Path


def machine() -> str:
    """The processor, as the kernel names it."""
    try:
        found = re.search(
            r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE
        )
    except OSError:
        found = None
    return f"{found[1] if found else platform.processor() or 'unknown'} ({platform.machine()})"


def processor() -> str:
    """Its generation, which the name that machine() gives may leave out: cycles of one are not
    those of another.
    """
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    fields = ("vendor_id", "cpu family", "model", "stepping", "CPU implementer", "CPU part")
    found = (re.search(rf"^{name}\s*:\s*(.+)$", text, re.MULTILINE) for name in fields)
    parts = [f"{name} {match[1]}" for name, match in zip(fields, found, strict=True) if match]
    return ", ".join(["processor", *parts] if parts else ["processor unknown"])
