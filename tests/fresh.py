# SPDX-License-Identifier: Apache-2.0
"""Runs a function of a test in a process of its own.

For tests of what a process is made of (its peak of memory, how long a fork takes): the process that
runs all tests holds gigabytes by then, and a child begins with the peak of its parent.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = """
import importlib, sys
module, function, *words = sys.argv[1:]
getattr(importlib.import_module(module), function)(*words)
"""


def call(function: Callable[..., None], *words: str) -> None:
    """Calls a function of a test module with strings; what it raises fails the test that asks."""
    asked = os.environ.get("PYTHONPATH", "").split(os.pathsep)  # of a fixture: before the installed
    folders = [*asked, str(Path(inspect.getfile(function)).parent), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, function.__module__, function.__name__, *words],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, folders))},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.fail(f"{function.__name__}{words} failed in its process:\n{done.stderr}")
