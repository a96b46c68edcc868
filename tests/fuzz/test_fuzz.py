# SPDX-License-Identifier: Apache-2.0
"""libFuzzer under the address and undefined-behaviour sanitizers: a few seconds each from committed
seeds, minutes in make test-all.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import builds
import pytest
from debian import need

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGETS = (
    *("aead_open", "eax", "splits", "fleet", "telemetry", "frames"),
    *("aimer", "slhdsa", "rainbow"),
)


@pytest.fixture(scope="session")
def programs() -> Path:
    need("libssl-dev")
    return builds.build("asan") / "tests/c/fuzz"


def fuzz(
    programs: Path,
    target: str,
    corpus: Path,
    seconds: int,
) -> subprocess.CompletedProcess[str]:
    """Run from a copy of the seeds, so that what the fuzzer adds stays out of the checkout; a
    failing input is left in `corpus`.
    """
    shutil.copytree(HERE / "seeds" / target, corpus / "inputs")
    command = [
        programs / f"fuzz_{target}",
        corpus / "inputs",
        f"-max_total_time={seconds}",
        "-timeout=100",
        "-max_len=2048",
        f"-artifact_prefix={corpus}/",
    ]
    environment = {"PATH": "/usr/bin:/bin", "ASAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-14"}
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        errors="replace",
        env=environment,
    )


def check(programs: Path, target: str, corpus: Path, seconds: int) -> None:
    done = fuzz(programs, target, corpus, seconds)
    found = [path for path in corpus.iterdir() if path.is_file()]
    report = "\n".join(line for line in done.stderr.splitlines() if not line.startswith("#"))
    example = f"\nthe input, in hex: {found[0].read_bytes().hex()}" if found else ""
    assert done.returncode == 0, f"fuzz_{target} found something:\n{report[-5000:]}{example}"
    assert "Done " in done.stderr, done.stderr[-2000:]


def test_every_target_has_a_program_and_seeds() -> None:
    """What is not listed would not run, and without seeds a fuzzer begins at nothing."""
    programs = {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.c")}
    assert programs == {*TARGETS, "control"}
    for target in programs:
        assert any(path.stat().st_size for path in (HERE / "seeds" / target).iterdir()), target


@pytest.mark.parametrize("target", TARGETS)
def test_for_seconds(programs: Path, target: str, tmp_path: Path) -> None:
    check(programs, target, tmp_path, 4)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_for_minutes(programs: Path, target: str, tmp_path: Path) -> None:
    check(programs, target, tmp_path, 180)


def test_control_is_found(programs: Path, tmp_path: Path) -> None:
    """A target that reads beyond its input must be caught."""
    done = fuzz(programs, "control", tmp_path, 60)
    assert done.returncode != 0 and "heap-buffer-overflow" in done.stderr, done.stderr[-2000:]
