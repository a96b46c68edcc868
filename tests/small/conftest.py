# SPDX-License-Identifier: Apache-2.0
"""What several files here share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import firmware_packages  # noqa: E402


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The packages for the build systems of firmware, made once; nobody writes into them."""
    need("gcc")
    out = tmp_path_factory.mktemp("packages")
    return {path.name: path for path in firmware_packages.make(out)}
