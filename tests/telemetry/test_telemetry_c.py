# SPDX-License-Identifier: Apache-2.0
"""hanji_telemetry_open and _seal on several machines, against single calls: telemetry_main.c."""

from __future__ import annotations

import subprocess

import pytest
from builds import environment, program


def run(*command: str, **extra: str) -> tuple[int, list[str]]:
    done = subprocess.run(command, capture_output=True, text=True, env=environment(**extra))
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert "all cases passed" in done.stdout or failed, done.stdout + done.stderr[-4000:]
    return done.returncode, failed


@pytest.mark.parametrize("preset", ["host-gcc", "host-clang", "asan", "aarch64", "s390x"])
def test_program(preset: str) -> None:
    assert run(*program(preset, "telemetry")) == (0, [])


def test_program_with_portable_forced() -> None:
    assert run(*program("host-gcc", "telemetry"), HANJI_FORCE="portable") == (0, [])


def test_unknown_tier_is_an_error() -> None:
    """Nothing falls back in silence: every call is refused, which the cases report."""
    status, failed = run(*program("host-gcc", "telemetry"), HANJI_FORCE="sse9")
    assert status == 1 and len(failed) > 3, failed
