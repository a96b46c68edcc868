# SPDX-License-Identifier: Apache-2.0
"""A specification that lies outside of the laboratory: `FILE.py:FUNCTION`, a function over bytes.

The parameters of the function have the names of the kernel's buffers and values. It returns the
bytes of the one buffer that the kernel writes, or a dict of buffer names and bytes. In place of
a function there may be an operation of a block cipher, `FILE.py:CIPHER.encrypt`.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ..checkout import LabError
from .block import BlockCipher


def is_outside(name: str) -> bool:
    """Whether a specification is named by a file and a function."""
    return ".py:" in name


def path(name: str) -> Path:
    """The file of such a specification."""
    return Path(name.rpartition(":")[0])


@cache
def function(name: str) -> Callable[..., Any]:
    """The function of FILE.py:FUNCTION; LabError when there is none."""
    file, called = path(name).resolve(), name.rpartition(":")[2]
    if not file.is_file():
        raise LabError(f"--spec {name}: there is no file {file}")
    made = importlib.util.spec_from_file_location(f"hanji_lab_outside_{file.stem}", file)
    assert made
    assert made.loader
    module = importlib.util.module_from_spec(made)
    sys.modules[made.name] = module  # where dataclasses look for their annotations
    try:
        made.loader.exec_module(module)
    except Exception as error:
        raise LabError(
            f"--spec {name}: {file.name} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    found: Any = module
    for part in called.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        there = [one for one, value in vars(module).items() if inspect.isfunction(value)]
        raise LabError(
            f"--spec {name}: {file.name} has no function {called!r},"
            f" but {', '.join(there) or 'none'}"
        )
    return found  # type: ignore[no-any-return]


def cipher(name: str) -> BlockCipher | None:
    """The cipher of FILE.py:CIPHER.OPERATION; None where the file has a function there."""
    owner = getattr(function(name), "__self__", None)
    return owner if isinstance(owner, BlockCipher) else None


def parameters(name: str) -> list[str]:
    """The names of its parameters."""
    return list(inspect.signature(function(name)).parameters)
