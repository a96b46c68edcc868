# SPDX-License-Identifier: Apache-2.0
"""Tools that tests need, by their Debian package, and pseudo-terminals: an error in CI when one is
missing, a skip elsewhere.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

LIST = Path(__file__).with_name("debian-packages.txt")


@cache
def packages() -> dict[str, str]:
    """Package name -> shell command that succeeds when it is there."""
    rows = (
        line.split("|", 2)
        for line in LIST.read_text().splitlines()
        if not line.lstrip().startswith("#")
    )
    return {row[0].strip(): row[1].strip() for row in rows if len(row) == 3}


@cache
def present(package: str) -> bool:
    """Whether the tools of a package are on this machine."""
    if package not in packages():
        raise KeyError(
            f"{package!r} is not in {LIST.name}; add it there, so that `make deps` installs it"
        )
    return subprocess.run(["sh", "-c", packages()[package]], capture_output=True).returncode == 0


def in_ci() -> bool:
    """Whether CI is set, to anything but 0 or false."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def all_required() -> bool:
    """CI, or HANJI_REQUIRE_ALL=1: nothing may be skipped for want of a tool."""
    return in_ci() or os.environ.get("HANJI_REQUIRE_ALL") == "1"


def need(*wanted: str) -> None:
    """Skip the test, or fail it in CI, unless all these Debian packages (or what they contain) are
    there.
    """
    missing = [package for package in wanted if not present(package)]
    if missing:
        message = (
            f"missing: {' '.join(missing)}; `make deps` says how to install (Debian 12: apt-get "
            f"install {' '.join(missing)})"
        )
        if all_required():
            pytest.fail(message, pytrace=False)
        pytest.skip(message)


def need_terminals() -> None:
    """Skip the test, or fail it in CI, where no pseudo-terminals can be made: a container or a
    chroot without devpts.
    """
    try:
        ours, theirs = os.openpty()
    except OSError as error:
        message = f"no pseudo-terminals here ({error}): mount devpts on /dev/pts"
        if all_required():
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    os.close(ours)
    os.close(theirs)
