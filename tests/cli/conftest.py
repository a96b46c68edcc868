# SPDX-License-Identifier: Apache-2.0
"""The command line as a child process, and keys for it."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from cli_process import Hanji, Result, forked

from hanji import keys


@pytest.fixture
def hanji(tmp_path: Path) -> Hanji:
    """Run `hanji ARGUMENT...` in a folder of its own, without a terminal; standard output and error
    are bytes.
    """
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HANJI_")
    }
    environment |= {"COLUMNS": "200", "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def run(*arguments: object, stdin: bytes = b"", env: dict[str, str] | None = None) -> Result:
        command = [sys.executable, "-m", "hanji.cli", *map(str, arguments)]
        # Without a session of its own the child could ask for a passphrase on the tester's
        # terminal.
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env=environment | (env or {}),
            start_new_session=True,
            check=False,
        )

    return run


@pytest.fixture
def quick(tmp_path: Path) -> Hanji:
    """As `hanji`, in a fork of this process: for tests that run many commands. At most 64 KiB of
    input.
    """
    return partial(forked, tmp_path)


@pytest.fixture
def key() -> keys.Key:
    return keys.Key("schwaemm256-128", bytes(range(16)))


@pytest.fixture
def key_file(tmp_path: Path, key: keys.Key) -> Path:
    path = tmp_path / "test.key"
    keys.save(key, path)
    return path
