# SPDX-License-Identifier: Apache-2.0
"""A checkout whose results can be spoiled: everything is a link to this one but results/, papers/
and what a test copies.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    for name in ("CMakeLists.txt", "cmake", "include", "lab", "src"):
        (root / name).symlink_to(ROOT / name)
    for name in ("results", "papers"):
        shutil.copytree(ROOT / name, root / name)
    return root
