# SPDX-License-Identifier: Apache-2.0
"""The command with the lowest versions of its dependencies that pyproject.toml allows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hanji.cli.main import HOMES

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = """
import importlib.metadata as metadata, json, sys
print(json.dumps({name: metadata.version(name) for name in sys.argv[1:]}))
"""
LIBRARY = """
import hanji, numpy as np
from hanji import fleet
assert all(hanji.selftest().values())
keys, nonces = np.ones((9, 16), np.uint8), np.ones((9, 16), np.uint8)
data, offsets = np.arange(90, dtype=np.uint8), np.arange(0, 91, 10)
sealed = fleet.encrypt("ascon-aead128", keys, nonces, data, offsets)
sealed.tags[3] ^= 1
opened = fleet.decrypt("ascon-aead128", keys, nonces, sealed.data, sealed.tags, offsets)
assert opened.failed.tolist() == [3]
assert opened.data[:30].tolist() == data[:30].tolist()
"""


def floors() -> dict[str, str]:
    """Name -> lowest version of what the package needs."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    return dict(line.split(">=") for line in listed)


@pytest.fixture(scope="session")
def oldest() -> Path:
    """A folder with the lowest versions of what the package needs; fetched once."""
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the lowest versions are those for the oldest Python, 3.11")
    folder = ROOT / "build/floors"
    stamp, wanted = folder / "stamp", json.dumps(floors())
    if not stamp.exists() or stamp.read_text() != wanted:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", folder]
        pinned = [f"{name}=={number}" for name, number in floors().items()]
        done = subprocess.run(
            [*pip, "--only-binary", ":all:", *pinned], capture_output=True, text=True
        )
        if done.returncode:
            pytest.skip(f"pip cannot fetch the lowest versions: {done.stderr[-300:]}")
        stamp.write_text(wanted)
    return folder


@pytest.fixture
def run(oldest: Path, tmp_path: Path) -> Callable[..., str]:
    """The output of Python with these versions, which must end with status 0."""

    def output(*words: object) -> str:
        done = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(oldest), "COLUMNS": "200"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{words}: {done.stdout[-1000:]}{done.stderr[-2000:]}"
        return done.stdout

    return output


def test_the_command_works_with_the_lowest_versions(
    run: Callable[..., str], tmp_path: Path
) -> None:
    for name, number in json.loads(run("-c", VERSIONS, *floors())).items():
        assert re.fullmatch(rf"{re.escape(floors()[name])}(\.0)*", number), (name, number)
    hanji = partial(run, "-m", "hanji.cli")
    (tmp_path / "in").write_text("23.5 C\n")
    (tmp_path / "phrase").write_text("correct horse battery staple\n")
    assert "--device" in hanji("bench", "--help")
    for name in HOMES:
        assert hanji(name, "-h")
    hanji("keygen", "-o", "key", "--passphrase-file", "phrase")  # argon2-cffi
    hanji("seal", "in", "-o", "sealed", "-k", "key", "--passphrase-file", "phrase")
    hanji("open", "sealed", "-o", "out", "-k", "key", "--passphrase-file", "phrase")
    assert (tmp_path / "out").read_text() == "23.5 C\n"
    assert len(hanji("hash", "in", "out").splitlines()) == 2  # a list of arguments
    assert "ascon-aead128" in hanji("list")  # rich
    rows = hanji("bench", "ascon-hash256", "--size", "64", "--seconds", "0.001", "--no-peers")
    assert "ascon-hash256" in rows
    run("-c", LIBRARY)
