# SPDX-License-Identifier: Apache-2.0
"""The C test programs on every machine and compiler; a failing case names its line and what it was
about.
"""

from __future__ import annotations

import platform
import subprocess
import time
from pathlib import Path

import pytest
from builds import FIRMWARE, ROOT, environment, program, run
from debian import need

PRESETS = ("host-gcc", "host-clang", "asan", "aarch64", "s390x", "rv32i", "rv32imac")
PROGRAMS = ("api_block", "api_sparkle", "api_ascon", "api_common", "fleet", "misuse")


def outcome(command: list[str], **extra: str) -> tuple[int, list[str]]:
    """Exit status, and the failing cases, each with its failure."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environment(**extra),
    )
    case, failed = "", []
    for line in done.stdout.splitlines():
        if line.startswith("case "):
            case = line[5:]
        elif line.startswith("FAILED"):
            failed.append(f"{case}: {line}")
    assert "all cases passed" in done.stdout or failed, (
        f"died in case {case!r} ({done.returncode}):\n{done.stderr[-4000:]}"
    )
    return done.returncode, failed


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("preset", PRESETS)
def test_program(preset: str, name: str) -> None:
    status, failed = outcome(program(preset, name))
    assert not failed, "\n".join(failed)
    assert status == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_dispatch(preset: str) -> None:
    """Fake kernels show how calls are split over rows and what a cap does; both kinds of selection,
    of hosts and of firmware.
    """
    for name in (
        ("dispatch_freestanding",) if preset in FIRMWARE else ("dispatch", "dispatch_freestanding")
    ):
        assert outcome(program(preset, name)) == (0, [])


@pytest.mark.parametrize("preset", PRESETS)
def test_control_failures_are_reported(preset: str) -> None:
    status, failed = outcome(program(preset, "control"))
    assert status == 1
    assert (
        len(failed) == 1
        and failed[0].startswith("second: FAILED line")
        and "[control]" in failed[0]
    ), failed


@pytest.mark.parametrize("name", ["api_block", "api_sparkle", "api_common"])
def test_program_with_portable_forced(name: str) -> None:
    assert outcome(program("host-gcc", name), HANJI_FORCE="portable") == (0, [])


def test_unknown_tier_is_an_error() -> None:
    """HANJI_FORCE with a tier that is not there: every keyed operation refuses, nothing falls back
    in silence.
    """
    requests = (
        f"encrypt speck-64/128 {'00' * 16} {'00' * 8}\naead-seal schwaemm256-128 {'00' * 16} "
        f"{'00' * 32} - 00\n"
    )
    answers = {}
    for tier in ("", "portable", "sse9"):
        done = subprocess.run(
            program("host-gcc", "vectors"),
            input=requests,
            capture_output=True,
            text=True,
            env=environment(HANJI_FORCE=tier),
        )
        answers[tier] = done.stdout.split()
    assert (
        answers[""] == answers["portable"]
        and len(answers[""]) == 2
        and not any(answer.startswith("HANJI_E") for answer in answers[""])
    )
    assert answers["sse9"] == ["HANJI_E_UNSUPPORTED", "HANJI_E_UNSUPPORTED"]


@pytest.mark.parametrize("tier", ["", "portable"])
def test_tier_states(tier: str) -> None:
    assert run(program("host-gcc", "tiers"), env=environment(HANJI_FORCE=tier)).stdout.split()[
        :2
    ] == ["HANJI_OK", "portable=2"]


def test_short_messages() -> None:
    """CTR of 0 to 130 blocks under every cipher and tier, against single blocks."""
    assert outcome(program("host-gcc", "short")) == (0, [])


@pytest.mark.parametrize("preset", ["host-gcc", "asan"])
def test_checks_of_fleets_are_those_of_every_two_arrays(preset: str) -> None:
    """Of random fleets whose arrays lie anywhere in little memory."""
    assert outcome(program(preset, "apart")) == (0, [])


@pytest.mark.skipif(platform.machine() != "x86_64", reason="its signal handler is for x86-64 Linux")
@pytest.mark.parametrize("tier", ["", pytest.param("avx2", marks=pytest.mark.slow), "portable"])
def test_nothing_is_read_twice(tier: str) -> None:
    """Memory that changes between any two accesses of the library, as another process can change
    it: nothing opens that nobody sealed, no tag is made of what others wrote, no byte outside the
    arrays is touched.
    """
    assert outcome(program("host-gcc", "twice"), HANJI_FORCE=tier) == (0, [])


@pytest.mark.slow  # a limit on times, which a busy machine may exceed without a fault of ours
def test_few_messages_cost_no_more_than_single_calls() -> None:
    """Fleets of 1 to 16 messages against a loop of calls, and 17 against 16 and 1. One message has
    checks that a call for one has not: of arrays, offsets and results, on an idle core 1 to 4
    percent, on one of Zen 5 up to 11. Others may share the core, for minutes: the least of some
    runs counts, and the later ones wait for each other.
    """
    allowed = 112
    found: dict[tuple[str, int, int], int] = {}
    for turn in range(30):
        time.sleep(max(0, turn - 5) / 4)
        for line in run(program("host-gcc", "few"), env=environment()).stdout.splitlines():
            name, size, count, percent = line.split()
            key = (name, int(size), int(count))
            found[key] = min(found.get(key, int(percent)), int(percent))
        dear = {key: n for key, n in found.items() if n > allowed}
        if not dear:
            break
    assert len(found) == 8 * 2 * 17
    assert not dear, f"in percent of single calls, by name, bytes and messages: {dear}"


def test_first_use_by_many_threads() -> None:
    for _ in range(20):
        run(program("host-gcc", "race"), env=environment())


def test_first_use_by_many_threads_has_no_data_race() -> None:
    """The detector sees a race in most runs, not in all: what is clean twenty times while the
    control is seen within twenty is clean.
    """
    runs = [
        subprocess.run(program("tsan", "race"), capture_output=True, text=True, env=environment())
        for _ in range(20)
    ]
    assert all(done.returncode == 0 for done in runs), next(
        done.stdout + done.stderr for done in runs if done.returncode
    )
    controls = (
        subprocess.run(
            program("tsan", "race", "control"),
            capture_output=True,
            text=True,
            env=environment(),
        )
        for _ in range(20)
    )
    assert any(done.returncode != 0 and "data race" in done.stderr for done in controls), (
        "the detector did not see the control's race"
    )


def test_results_must_be_used(tmp_path: Path) -> None:
    """The compiler complains when a result is ignored, and only then."""
    need("gcc", "clang-14")
    include = str(ROOT / "include")
    for body, accepted in (("return hanji_force(0);", True), ("hanji_force(0); return 0;", False)):
        source = tmp_path / "use.c"
        source.write_text(f'#include "hanji/hanji.h"\nint main(void) {{ {body} }}\n')
        for compiler in ("gcc", "clang-14"):
            done = subprocess.run(
                [
                    compiler,
                    "-Werror",
                    "-I",
                    include,
                    "-c",
                    str(source),
                    "-o",
                    str(tmp_path / "use.o"),
                ],
                capture_output=True,
                text=True,
            )
            assert (done.returncode == 0) is accepted, f"{compiler}: {body} {done.stderr}"
