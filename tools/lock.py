#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pin what CI installs from PyPI, with hashes: for building, for tests and for the laboratory.

    .venv/bin/python tools/lock.py            write tests/ci-lock.txt and ci-lock-sources.txt, as
                                              new as the floors allow
    .venv/bin/python tools/lock.py --check    say what is missing or breaks a floor; status 1 then

The lock is for CPython 3.11 on x86-64 Linux, where it must be written. Users and other versions
have the floors of pyproject.toml.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK, SOURCES = ROOT / "tests/ci-lock.txt", ROOT / "tests/ci-lock-sources.txt"
HEADS = {
    LOCK: """\
# SPDX-License-Identifier: Apache-2.0
# What CI installs from PyPI, on CPython 3.11 and x86-64 Linux. Written by tools/lock.py.
""",
    SOURCES: """\
# SPDX-License-Identifier: Apache-2.0
# What CI installs from PyPI and builds, because there is no wheel. Written by tools/lock.py.
""",
}
# Packages without wheels, in pure Python. To build one runs its program, which its hash pins as the
# hash of a wheel pins what is imported; the tools of the build are pinned, too.
FROM_SOURCE = ("pyspark-client",)
LINE = re.compile(r"([a-z0-9-]+)==(\S+) --hash=sha256:([0-9a-f]{64})")
OWN = ("hanji", "hanji-lab")


def wanted() -> list[Requirement]:
    """Requirements of both projects with their extra `test`, and of their builds."""
    found: dict[str, Requirement] = {}
    for project in ("pyproject.toml", "lab/pyproject.toml"):
        about = tomllib.loads((ROOT / project).read_text())
        extras = about["project"]["optional-dependencies"]
        waiting = [
            *about["build-system"]["requires"],
            *about["project"]["dependencies"],
            *extras["test"],
        ]
        while waiting:
            requirement = Requirement(waiting.pop())
            if requirement.name in OWN:
                waiting += [line for extra in requirement.extras for line in extras[extra]]
            elif requirement.marker is None or requirement.marker.evaluate():
                found[str(requirement)] = requirement
    return [found[key] for key in sorted(found)]


def locked(path: Path = LOCK) -> dict[str, str]:
    """Name -> version; every line that is no comment must be one with a hash."""
    pins = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            row = LINE.fullmatch(line)
            if not row:
                raise SystemExit(
                    f"{path.name}: {line!r} is not of the form name==version --hash=sha256:...; "
                    "run tools/lock.py",
                )
            pins[row[1]] = row[2]
    return pins


def all_locked() -> dict[str, str]:
    """The pins of both files; only what has no wheel stands in the second."""
    sources = locked(SOURCES)
    for name in sources:
        if name not in FROM_SOURCE:
            raise SystemExit(f"{SOURCES.name}: {name} is not one of {', '.join(FROM_SOURCE)}")
    return locked() | sources


def problems(pins: dict[str, str]) -> list[str]:
    """Requirements that the lock does not meet."""
    said = []
    for requirement in wanted():
        version = pins.get(canonicalize_name(requirement.name))
        if version is None:
            said.append(f"{requirement} is not in {LOCK.name}: run tools/lock.py")
        elif not requirement.specifier.contains(version, prereleases=True):
            said.append(f"{requirement} is asked for, {version} is locked: run tools/lock.py")
    return said


def resolve() -> dict[Path, str]:
    """Both files, as pip resolves the requirements now: wheels, each with the hash of the one for
    this machine, and the sources of what has none."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--ignore-installed",
        "--quiet",
        "--only-binary",
        ":all:",
        "--no-binary",
        ",".join(FROM_SOURCE),
        "--report",
        "-",
    ]
    done = subprocess.run([*command, *map(str, wanted())], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    rows: dict[Path, list[str]] = {path: [] for path in HEADS}
    for item in json.loads(done.stdout)["install"]:
        name, version = canonicalize_name(item["metadata"]["name"]), item["metadata"]["version"]
        rows[SOURCES if name in FROM_SOURCE else LOCK].append(
            f"{name}=={version} "
            f"--hash=sha256:{item['download_info']['archive_info']['hashes']['sha256']}",
        )
    return {path: HEADS[path] + "\n".join(sorted(lines)) + "\n" for path, lines in rows.items()}


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--check", action="store_true", help="write nothing")
    if options.parse_args().check:
        said = problems(all_locked())
        print("\n".join(said) or f"{LOCK.name} meets every requirement")
        return bool(said)
    here = (
        platform.python_implementation(),
        sys.version_info[:2],
        sys.platform,
        platform.machine(),
    )
    if here != ("CPython", (3, 11), "linux", "x86_64"):
        raise SystemExit(
            f"the lock is for CPython 3.11 on x86-64 Linux, and this is {here}: run it there",
        )
    for path, text in resolve().items():
        path.write_text(text)
        print(f"{path.relative_to(ROOT)}: {len(locked(path))} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
