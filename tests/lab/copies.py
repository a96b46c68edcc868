# SPDX-License-Identifier: Apache-2.0
"""Copies of the checkout whose library may be spoilt."""

from __future__ import annotations

import shutil
from pathlib import Path

PARTS = ("CMakeLists.txt", "include", "src", "cmake")
SWITCH = 'option(HANJI_PORTABLE "Portable kernels only" '


def copy_with_portable_kernels(checkout: Path, root: Path) -> Path:
    """Copy what a build needs, for portable kernels only: the others take most of a build's time."""
    for part in PARTS:
        source = checkout / part
        (shutil.copytree if source.is_dir() else shutil.copy)(source, root / part)
    text = (root / "CMakeLists.txt").read_text()
    assert text.count(SWITCH + "OFF)") == 1
    (root / "CMakeLists.txt").write_text(text.replace(SWITCH + "OFF)", SWITCH + "ON)"))
    return root
