# SPDX-License-Identifier: Apache-2.0
"""Coverage-guided fuzzing of the readers of sealed files and key files: seconds from committed
seeds, minutes in make test-all.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from debian import all_required

pytestmark = pytest.mark.quick

HERE = Path(__file__).resolve().parent
TARGETS = ("sealed", "key")


@pytest.fixture(autouse=True)
def _atheris() -> None:
    if importlib.util.find_spec("atheris") is None:
        message = (
            "missing: atheris, which has wheels for Linux on x86-64; make test installs it there"
        )
        if all_required():
            pytest.fail(message, pytrace=False)
        pytest.skip(message)


def fuzz(
    target: str, folder: Path, seconds: int, *options: str
) -> subprocess.CompletedProcess[str]:
    """Run from a copy of the seeds; a failing input is left in `folder`."""
    corpus = folder / "inputs"
    shutil.copytree(HERE / "seeds" / target, corpus)
    (folder / "tmp").mkdir()
    # A shell between: the peak of memory that the limit is about begins with that of who forked.
    words = ["sh", "-c", '"$@"; exit $?', "sh"]
    words += [sys.executable, str(HERE / "fuzz_python.py"), target, *options, str(corpus)]
    words += [
        f"-max_total_time={seconds}",
        "-timeout=10",
        "-rss_limit_mb=1024",
        "-max_len=1024",
        f"-artifact_prefix={folder}/",
    ]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HANJI_")
    } | {"TMPDIR": str(folder / "tmp")}
    return subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
        timeout=seconds + 60,
    )


def check(target: str, folder: Path, seconds: int) -> None:
    done = fuzz(target, folder, seconds)
    found = [path.read_bytes().hex() for path in folder.iterdir() if path.is_file()]
    report = "\n".join(
        line for line in done.stdout.splitlines() if not line.startswith(("#", "INFO"))
    )
    assert done.returncode == 0, (
        f"{target}: something was found:\n{report[:5000]}\nthe input, in hex: {found}"
    )
    assert "Done " in done.stdout, done.stdout[-2000:]
    assert "\tNEW " in done.stdout, (
        f"{target}: no input reached anything new, so coverage leads nowhere"
    )


@pytest.mark.parametrize("target", TARGETS)
def test_readers_for_seconds(target: str, tmp_path: Path) -> None:
    check(target, tmp_path, 4)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_readers_for_minutes(target: str, tmp_path: Path) -> None:
    check(target, tmp_path, 180)


@pytest.mark.parametrize(
    ("target", "plant", "report"),
    [
        ("sealed", "tag", "text was given out that was not sealed"),
        ("sealed", "frame", "a file was opened that nobody sealed"),
        ("sealed", "memory", "MemoryError"),
        ("sealed", "leftover", "a refused file left"),
        ("key", "body", "binascii.a2b_base64"),
        ("key", "checksum", "a key was read that nobody wrote"),
    ],
)
def test_control_a_broken_reader_is_found(
    target: str, plant: str, report: str, tmp_path: Path
) -> None:
    # Mostly a second, but chance decides, and on a busy machine 20 seconds are few inputs: then
    # other seeds are tried.
    for seed in range(1, 31):
        folder = tmp_path / str(seed)
        folder.mkdir()
        done = fuzz(target, folder, 20, "--plant", plant, f"-seed={seed}")
        if done.returncode != 0:
            break
    assert done.returncode != 0 and report in done.stdout, (
        f"{plant} was not found, or taken for something else:\n{done.stdout[-3000:]}"
    )
