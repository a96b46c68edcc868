# SPDX-License-Identifier: Apache-2.0
"""The Python package with Rainbow, which no wheel has: the installed package, with the library of
the build for tests next to its module.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from debian import need

from hanji import _core

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/c"))
import builds  # noqa: E402

INSTALLED = Path(_core.__file__)


@cache
def package() -> Path:
    """A folder for PYTHONPATH with the package: links to what is installed, and the library."""
    need("libssl-dev")
    built = builds.build("host-gcc")
    subprocess.run(
        ["cmake", "--build", built, "--target", "hanji_librainbow"], check=True, capture_output=True
    )
    made = built / "with-rainbow/hanji"
    made.mkdir(parents=True, exist_ok=True)
    for old in made.iterdir():
        old.unlink()
    for path in INSTALLED.parent.iterdir():
        (made / path.name).symlink_to(path)
    library = made / "_librainbow.so"
    library.unlink(missing_ok=True)  # of an installation that has Rainbow
    library.symlink_to(built / library.name)
    return made.parent


def library() -> Path:
    """The library that the package loads."""
    return package() / "hanji/_librainbow.so"


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the fixture `rainbow`: this process loads the library, and those that it starts."""
    monkeypatch.setattr(_core, "__file__", str(package() / "hanji" / INSTALLED.name))
    monkeypatch.setenv("PYTHONPATH", str(package()))
