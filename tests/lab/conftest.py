# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

import pytest

# vectors_io is shared by all test folders and lies one level up.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes long; run by `make test-all` only")
