# SPDX-License-Identifier: Apache-2.0
"""A GPU for the tests of hanji.gpu: the driver that is not one, or with HANJI_TEST_GPU=1 a real one
(`make test-gpu`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gpu_driver import REAL, Driver


@pytest.fixture(scope="session")
def driver() -> Driver:
    if REAL:
        from hanji import gpu

        if problem := gpu.reason():
            pytest.skip(f"no GPU: {problem}")
    return Driver()


@pytest.fixture
def fake(driver: Driver) -> Iterator[Driver]:
    """The fake driver, for what only it can do."""
    if REAL:
        pytest.skip("needs the driver that is not one")
    driver.restart()
    yield driver
    for name in ("FAKE_CUDA_FAIL", "FAKE_CUDA_CAPTURE", "FAKE_CUDA_WRONG", "FAKE_CUDA_LOG"):
        os.environ.pop(name, None)
