# SPDX-License-Identifier: Apache-2.0
"""What several files of these tests need: the JavaScript modules that web/package-lock.json pins."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"


@pytest.fixture(scope="session")
def modules() -> Path:
    """node_modules with what web/package-lock.json pins; npm fetches it once, by its digests."""
    # Debian 12 has an older one, so it is no package of tests/debian-packages.txt.
    said = ["node", "--version"] if shutil.which("npm") else ["echo", "none"]
    version = subprocess.run(said, capture_output=True, text=True).stdout.strip()
    if int((re.findall(r"\d+", version) or ["0"])[0]) < 20:
        pytest.skip(f"Node with npm is needed, 20 or newer; here is: {version}")
    folder = ROOT / "build/web-modules"
    lock = (WEB / "package-lock.json").read_text()
    stamp = folder / "stamp"
    if not stamp.exists() or stamp.read_text() != lock:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(WEB / "package.json", folder)
        shutil.copy(WEB / "package-lock.json", folder)
        done = subprocess.run(
            ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            pytest.skip(f"npm cannot fetch what web/package-lock.json pins: {done.stderr[-300:]}")
        stamp.write_text(lock)
    return folder / "node_modules"
