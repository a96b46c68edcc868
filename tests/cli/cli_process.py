# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

Result = subprocess.CompletedProcess[bytes]
Hanji = Callable[..., Result]


def names(folder: Path) -> list[str]:
    """Files in a folder, but for the cache that a command may fill."""
    return sorted(p.name for p in folder.iterdir() if p.name != "cache")


def assert_failed(result: Result, message: str, status: int = 1) -> None:
    """The command failed with this exit status and said this; the frame around a usage error does not count."""
    error = " ".join(result.stderr.decode().replace("│", " ").split())
    assert result.returncode == status, f"exit status {result.returncode}, expected {status}: {error}"
    assert message in error
    assert "Traceback" not in error
