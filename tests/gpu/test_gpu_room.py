# SPDX-License-Identifier: Apache-2.0
"""src/gpu with a driver that is not one (fake_cuda.c): which kernels a call launches, errors at
every call, what is wiped and given back.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "c"))
import builds  # noqa: E402
from gpu_driver import REAL  # noqa: E402

needs_fake = pytest.mark.skipif(REAL, reason="needs the driver that is not one")
PRESETS = ["host-gcc", pytest.param("asan", marks=pytest.mark.slow)]


def room(
    preset: str, *arguments: str, driver: bool = True, **extra: str
) -> subprocess.CompletedProcess[str]:
    """Run the program; `driver=False` hides the fake one."""
    folder = builds.build(preset) / "tests/gpu"
    if driver:
        extra["LD_LIBRARY_PATH"] = str(folder)
    return subprocess.run(
        [folder / "gpu_room", *arguments],
        capture_output=True,
        text=True,
        env=builds.environment(**extra),
        check=False,
    )


def fine(done: subprocess.CompletedProcess[str], output: str = "ok\n") -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, output, ""), (
        done.stdout[-2000:] + done.stderr[-2000:]
    )


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "command", ["sweep", "fleet", "sponge", "equal", "chunks", "helpers", "limits", "overlaps"]
)
def test_the_same_bytes_as_on_the_processor(preset: str, command: str) -> None:
    """Every cipher, both ways and CTR, sizes around every kernel's unit, counters that overflow
    their last word within a vector or between.
    """
    if REAL:
        from hanji import gpu

        if problem := gpu.reason():
            pytest.skip(f"no GPU: {problem}")
    fine(room(preset, command, driver=not REAL))


@needs_fake
@pytest.mark.parametrize("preset", PRESETS)
def test_an_error_at_any_call_is_reported_and_nothing_is_left(preset: str) -> None:
    log = room(preset, "scenario", FAKE_CUDA_LOG="1")
    calls = re.findall(r"^(\d+) (cu\w+)", log.stderr, re.MULTILINE)
    assert len(calls) > 60
    fine(room(preset, "scenario"), "HANJI_OK: nothing failed\n")
    first = {name: number for number, name in reversed(calls)}
    for number, name in calls:
        # The fake driver counts what is left; when the context cannot be entered, nothing can be
        # freed.
        done = room(preset, "scenario", FAKE_CUDA_FAIL=number, ASAN_OPTIONS="detect_leaks=0")
        # What tidies up cannot report, and an error of cuPointerGetAttribute(s) means memory that the
        # driver does not know; all else must.
        tidying = name in ("cuCtxPopCurrent_v2", "cuMemFree_v2", "cuMemFreeHost", "cuMemsetD8Async", "cuStreamDestroy_v2", "cuCtxSynchronize",
                           "cuDevicePrimaryCtxRelease_v2", "cuModuleUnload", "cuStreamSynchronize", "cuCtxPushCurrent_v2",
                           "cuPointerGetAttribute", "cuPointerGetAttributes", "cuCtxGetCurrent", "cuEventDestroy_v2",
                           "cuEventQuery", "cuEventRecord")  # fmt: skip
        # These begin a call, or make what it needs, and end one, or give memory back.
        twofold = ("cuThreadExchangeStreamCaptureMode", "cuEventCreate")
        tidying |= name in twofold and number != first[name]
        assert done.returncode == 0, (
            f"an error of call {number}, {name}: {done.stdout}{done.stderr}"
        )
        if not tidying:
            assert (
                done.stdout.startswith("HANJI_E_DEVICE: ")
                and "CUDA_ERROR_LAUNCH_FAILED" in done.stdout
            ), f"call {number}, {name}: {done.stdout}"
        if not (tidying and name in ("cuCtxPushCurrent_v2", twofold[0])):
            assert done.stderr == "", f"an error of call {number}, {name}: {done.stderr}"


@needs_fake
def test_large_calls_use_slices_then_words_then_the_tail() -> None:
    log = room("host-gcc", "scenario", FAKE_CUDA_LOG="1").stderr
    launches = re.findall(r"cuLaunchKernel (\S+) (\d+) x (\d+) stream (\d)", log)
    first = "hanji_simon64_128_sm75_"
    # 105,543 bytes: 12 warps of 8,192 bytes in one launch of 128 threads, 452 vectors, and 7 bytes;
    # then fleets of two messages, ragged.
    assert [(name.removeprefix(first), int(grid), int(block)) for name, grid, block, _ in launches] == [
        ("ctr_x32", 3, 128), ("ctr_x8", 1, 256), ("ctr_tail", 1, 32), ("fleet_x1", 1, 256), ("hanji_schwaemm256_128_sm75_seal_x1", 1, 128),
    ]  # fmt: skip
    assert [stream for *_, stream in launches] == ["1"] * 5, (
        "host memory is worked on in streams of its own"
    )
    assert "cuMemsetD8Async" in log


@needs_fake
def test_a_stream_that_is_captured_is_refused() -> None:
    done = room("host-gcc", "once", FAKE_CUDA_CAPTURE="1")
    assert done.stdout.startswith("HANJI_E_ARGUMENT: the stream is being captured into a graph")
    assert room("host-gcc", "once").stdout == "HANJI_OK: nothing failed\n"


@needs_fake
@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (
            {"FAKE_CUDA_DEVICES": "0"},
            "0 devices; HANJI_E_DEVICE: device 0 was asked for; there are 0",
        ),
        (
            {"FAKE_CUDA_BROKEN": "1"},
            "HANJI_E_DEVICE: the NVIDIA driver does not start: CUDA_ERROR_OF_SOME_KIND",
        ),
        (
            {"FAKE_CUDA_OLD": "1"},
            "HANJI_E_DEVICE: device 0 has compute capability 6.0; the kernels need 7.5",
        ),
    ],
)
def test_what_is_missing_is_said(extra: dict[str, str], message: str) -> None:
    assert message in room("host-gcc", "open", **extra).stdout


def test_without_a_driver_there_is_a_sentence() -> None:
    done = room("host-gcc", "open", driver=False)
    if "HANJI_OK" in done.stdout:
        pytest.skip("this machine has a driver")
    assert "HANJI_E_DEVICE" in done.stdout and (
        "libcuda.so.1 was not found" in done.stdout or "the NVIDIA driver" in done.stdout
    )


@needs_fake
def test_what_is_not_waited_for_is_not_there() -> None:
    """The control of the fake driver: a copy to page-locked memory that nobody waits for has not
    been done.
    """
    assert room("host-gcc", "hasty").stdout == "nothing has arrived; now it has\n"
