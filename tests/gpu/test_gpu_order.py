# SPDX-License-Identifier: Apache-2.0
"""What would break on a real GPU, with a driver that is not one: memory that is given back while
work uses it, captures of other threads, other contexts, default streams of threads, the driver's
library, and machine code beside PTX.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "c"))
import builds  # noqa: E402
from gpu_driver import REAL, ByDLPack, Driver  # noqa: E402

from hanji import gpu, hazmat  # noqa: E402

pytestmark = pytest.mark.skipif(REAL, reason="needs the driver that is not one")
KEY, IV = bytes(range(16)), bytes(8)


def program(name: str, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    folder = builds.build("host-gcc") / "tests/gpu"
    return subprocess.run(
        [folder / name, *arguments],
        capture_output=True,
        text=True,
        env=builds.environment(LD_LIBRARY_PATH=str(folder), **extra),
        check=False,
    )


@pytest.mark.parametrize("slow", [{}, {"FAKE_CUDA_SLOW": "1"}], ids=["quick", "slow"])
def test_order_and_memory(slow: dict[str, str]) -> None:
    done = program("gpu_order", FAKE_CUDA_USER_MEMORY="1", **slow)
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            "memory waits for its last use",
            "captures go on",
            "captures can be broken",
            "other contexts are refused",
            "all of the memory is looked at",
            "the driver stays",
        ],
    ), done.stdout + done.stderr


def test_memory_is_wiped_when_the_pool_has_no_place_for_it() -> None:
    done = program("gpu_order", "many")
    assert (done.returncode, done.stdout) == (0, "many pieces are wiped\n"), (
        done.stdout + done.stderr
    )
    assert "without having been wiped" not in done.stderr, done.stderr


def test_nothing_is_reserved_after_the_first_call() -> None:
    log = program("gpu_order", FAKE_CUDA_LOG="1", FAKE_CUDA_USER_MEMORY="1").stderr
    turns = re.split(r"^turn \d$", log.partition("end\n")[0], flags=re.MULTILINE)[1:]
    reserving = r"cuMemAlloc_v2|cuMemHostAlloc|cuStreamCreate|cuMemFree|cuStreamDestroy"
    assert [len(re.findall(reserving, turn)) for turn in turns][1:] == [0, 0]
    assert all("cuLaunchKernel" in turn for turn in turns)
    assert "cuCtxSynchronize" not in log


def wanted(data: bytes) -> bytes:
    return hazmat.ctr("speck-64/128", KEY, IV).update(data)


def test_the_default_stream_of_a_thread_is_known_to_others(driver: Driver) -> None:
    """An array that one thread has written in its own default stream, and another one reads."""
    data = os.urandom(1000)
    made: list[gpu.Array] = []

    def write() -> None:
        array = gpu.to_device(data)
        stream = hazmat.ctr("speck-64/128", KEY, IV, device="cuda")
        made.append(stream.update(array, stream=2))

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    (array,) = made
    assert array.__cuda_array_interface__["stream"] not in (None, 1, 2)
    assert array.numpy().tobytes() == wanted(data)


class Tensor(ByDLPack):
    """As one of PyTorch: its allocator must hear of the streams that use it."""

    heard: list[object]

    def record_stream(self, stream: object) -> None:
        self.heard.append(stream)


def test_allocators_of_tensors_hear_of_streams(driver: Driver) -> None:
    handle = ctypes.c_void_p()
    driver.enter(0)
    driver.call("cuStreamCreate", ctypes.byref(handle), 1)
    driver.leave(0)
    stream = SimpleNamespace(cuda_stream=handle.value)
    tensor = Tensor(driver, np.zeros(64, np.uint8))
    tensor.heard = []
    keystream = hazmat.ctr("speck-64/128", KEY, IV, device="cuda")
    keystream.update_into(tensor, tensor)
    assert tensor.heard == [], "the call has waited"
    keystream.update_into(tensor, tensor, stream=stream)
    assert tensor.heard == [stream, stream]
    array = gpu.to_device(bytes(64))
    array.record_stream(stream)
    with pytest.raises(TypeError, match="stream is None"):
        array.record_stream(None)
    driver.enter(0)
    driver.call("cuStreamSynchronize", handle)
    driver.call("cuStreamDestroy_v2", handle)
    driver.leave(0)


def test_machine_code_is_taken_and_ptx_where_it_is_not(tmp_path: Path) -> None:
    """gpu_room with machine code for sm_90 and sm_75; the device is 9.0."""
    from hanji_lab.checkout import LabError
    from hanji_lab.gpu.assemble import tool

    try:
        tool("ptxas")
    except LabError as error:
        pytest.skip(str(error))
    folder = builds.build("host-gcc")
    subprocess.run(
        [sys.executable, ROOT / "tools/gpu_cubins.py", tmp_path, "--only", "speck64_sm75"],
        check=True,
        capture_output=True,
    )
    assert {path.name for path in tmp_path.iterdir()} >= {
        f"speck64_sm75.sm_{one}.cubin" for one in (75, 80, 90)
    }
    made = [f"-DOUTPUT={tmp_path}/code", f"-DFOLDER={tmp_path}"]
    subprocess.run(["cmake", *made, "-P", ROOT / "cmake/cubins.cmake"], check=True)
    subprocess.run(
        ["gcc", "-I", ROOT / "include", "-I", ROOT / "src", HERE / "room_main.c",
         tmp_path / "code.c", tmp_path / "code.S", folder / "libhanji-gpu.a",
         folder / "libhanji.a", "-ldl", "-lpthread", "-o", tmp_path / "room"], check=True,
    )  # fmt: skip

    def room(**extra: str) -> subprocess.CompletedProcess[str]:
        extra |= {"LD_LIBRARY_PATH": str(folder / "tests/gpu"), "FAKE_CUDA_LOG": "1"}
        return subprocess.run(
            [tmp_path / "room", "sweep", "speck-64/128"],
            capture_output=True, text=True, env=builds.environment(**extra), check=False,
        )  # fmt: skip

    code, ptx = "cuModuleLoadData machine code", "cuModuleLoadData .version"
    taken, refused = room(FAKE_CUDA_CUBINS="1", FAKE_CUDA_NO_COMPILER="1"), room()
    assert (taken.stdout, refused.stdout) == ("ok\n", "ok\n")
    assert (taken.stderr.count(code), taken.stderr.count(ptx)) == (1, 0)
    assert (refused.stderr.count(code), refused.stderr.count(ptx)) == (1, 1)
    neither = room(FAKE_CUDA_NO_COMPILER="1")
    assert "ok" not in neither.stdout
