# SPDX-License-Identifier: Apache-2.0
"""hanji.gpu, and device= in hanji.fleet and hanji.hazmat: the bytes of the processor, arrays of
others, streams, errors, wiping.

With the driver that is not one (fake_cuda.c), which does the work of a stream as late as a driver
may; with a real one in `make test-gpu`.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpu_driver import ByDLPack, ByInterface, Driver, Theirs, taken

from hanji import LimitError, _gpu, fleet, gpu, hazmat

pytestmark = pytest.mark.quick

CIPHERS = [name for name in hazmat.ciphers() if _gpu.has(name, False)]
FLEETS = [name for name in hazmat.ciphers() if _gpu.has(name, True)]
KINDS = [ByInterface, ByDLPack]
SPONGE = "schwaemm256-128"
AEADS = {"ascon-aead128": 16, SPONGE: 32}  # with fleets, and the bytes of their nonces
rng = np.random.default_rng(20261121)


def random(*shape: int) -> np.ndarray:
    return rng.integers(0, 256, shape, np.uint8)


def sizes_of(name: str) -> tuple[int, int]:
    return hazmat._SIZES[name]


def secrets_of(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    block, key = sizes_of(name)
    return random(count, key), random(count, block)


@pytest.fixture(autouse=True)
def _driver(driver: Driver) -> None:
    """Every test needs it."""


def wide(limit: int = 1 << 40) -> dict[str, int]:
    return {"limit": limit}


# Devices


def test_devices_are_described(fake: Driver) -> None:
    found = gpu.devices()
    assert [str(device) for device in found] == ["cuda:0", "cuda:1"]
    assert (
        found[1].name,
        found[1].memory,
        found[1].compute_capability,
        found[1].multiprocessors,
    ) == ("Fake GPU 1", 8 << 30, (9, 0), 1)
    assert gpu.available() and gpu.reason() == ""


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"FAKE_CUDA_DEVICES": "0"}, "the NVIDIA driver is there, but it has no device"),
        ({"FAKE_CUDA_BROKEN": "1"}, "the NVIDIA driver does not start: CUDA_ERROR_OF_SOME_KIND"),
        (
            {"FAKE_CUDA_OLD": "1"},
            (
                "Fake GPU 0 (cuda:0) cannot be used: it has compute capability 6.0; the kernels "
                "need 7.5"
            ),
        ),
        ({"LD_LIBRARY_PATH": "/nowhere"}, "there is no NVIDIA driver: libcuda.so.1 was not found"),
    ],
)
def test_why_there_is_no_device_is_a_sentence(
    fake: Driver, environment: dict[str, str], sentence: str
) -> None:
    code = "from hanji import gpu; assert not gpu.available(); print(gpu.reason())"
    folder = os.path.dirname(fake.cuda._name)  # noqa: PTH120
    plain = {name: value for name, value in os.environ.items() if not name.startswith("FAKE_")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=plain | {"LD_LIBRARY_PATH": folder} | environment,
    )
    assert done.stdout == sentence + "\n", done.stderr


def test_importing_costs_nothing_and_opens_nothing() -> None:
    code = (
        "import hanji, sys, numpy as np, pyarrow as pa; from hanji import fleet\n"
        "fleet.ctr('speck-64/128', bytes(16), np.zeros((2, 8), np.uint8), pa.array([b'12', "
        "b'3'], pa.binary()))\n"
        "assert 'hanji._gpu' not in sys.modules; import hanji.gpu; print('libcuda' in "
        "open('/proc/self/maps').read())"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "False\n"
    )


def test_an_installation_without_gpus_says_so() -> None:
    code = (
        "import sys; sys.modules['hanji._gpu'] = None; import numpy as np; from hanji import "
        "fleet; from hanji.cli.machine import _gpu_lines\n"
        "print(*_gpu_lines()); fleet.ctr('speck-64/128', bytes(16), np.zeros((1, 8), "
        "np.uint8), np.zeros((1, 5), np.uint8))\n"
        "try: fleet.ctr('speck-64/128', bytes(16), np.zeros((1, 8), np.uint8), np.zeros((1, "
        "5), np.uint8), device='cuda')\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    sentence = (
        "this installation of hanji was built without GPUs (HANJI_GPU=OFF); `make all` in a clone "
        "installs it with them\n"
    )
    assert done.stdout == f"GPU: none; {sentence}{sentence}", done.stderr


def test_the_package_carries_the_kernels() -> None:
    """All of them, without comments."""
    files = (Path(__file__).resolve().parents[2] / "src/gpu/generated").glob("*.ptx")
    carried = _gpu.images()
    assert set(carried) == {path.stem for path in files}
    assert all(
        text.lstrip().startswith(".version 7.0") and ".entry hanji_" in text and "//" not in text
        for text in carried.values()
    )


@pytest.mark.parametrize(
    ("device", "error", "sentence"),
    [
        ("gpu", ValueError, "no device has this name"),
        ("cuda:x", ValueError, "no device has this name"),
        ("cuda:-1", ValueError, "no device has this name"),
        (0, TypeError, "device must be a str such as 'cuda'"),
        ([], ValueError, "device is an empty list"),
        (["cuda:0", "cuda"], ValueError, "names a device twice"),
        ("cuda:99", gpu.DeviceError, "device 99 was asked for; there "),
    ],
)
def test_devices_that_are_not_there_are_refused(
    device: object, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        hazmat.ctr("speck-64/128", bytes(16), bytes(8), device=device)


def test_a_forked_child_is_told(fake: Driver) -> None:
    gpu.empty(5)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            gpu.empty(5)
        except gpu.DeviceError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert "was forked after cuda:0 was opened" in os.read(read, 1000).decode()
    os.close(read)
    os.close(write)


# Arrays


@pytest.mark.parametrize("shape", [(0,), (1,), (7, 5), (3, 0)])
def test_arrays_go_there_and_back(shape: tuple[int, ...]) -> None:
    data = random(*shape)
    array = gpu.to_device(data)
    assert np.array_equal(array.numpy(), data) and array.shape == shape and len(array) == shape[0]
    assert (array.nbytes, array.ndim, array.dtype, array.device) == (
        data.size,
        len(shape),
        np.uint8,
        "cuda:0",
    )
    assert array.numpy().flags.writeable
    interface = array.__cuda_array_interface__
    assert (
        interface["shape"],
        interface["typestr"],
        interface["data"][1],
        interface["version"],
    ) == (shape, "|u1", False, 3)
    for options in ({}, {"max_version": (1, 0)}, {"stream": 1, "dl_device": (2, 0), "copy": False}):
        tensor = _gpu.DLTensor(array.__dlpack__(**options))
        assert (
            tensor.pointer,
            tensor.shape,
            tensor.dtype,
            tensor.device_type,
            tensor.device_id,
        ) == (array.pointer, shape, (1, 8, 1), 2, 0)
    with pytest.raises(BufferError, match="without a copy only"):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="is on cuda:0"):
        array.__dlpack__(dl_device=(1, 0))
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(array)


def test_a_capsule_keeps_its_array_and_is_taken_once() -> None:
    data = random(100)
    array = gpu.to_device(data)
    capsule = array.__dlpack__(max_version=(1, 0))
    pointer = array.pointer
    del array
    gc.collect()
    tensor = _gpu.DLTensor(capsule)
    assert tensor.pointer == pointer and not tensor.read_only
    with pytest.raises(BufferError, match="taken already"):
        _gpu.DLTensor(capsule)
    assert _gpu.Device(0).download(pointer, 100, 0) == data.tobytes()


def test_memory_is_given_back_and_wiped(fake: Driver, capfd: pytest.CaptureFixture[str]) -> None:
    """What is given back is wiped and used again: from the second turn on nothing is added. Only
    offsets of equal messages stay, which say nothing but lengths.
    """
    os.environ.pop("FAKE_CUDA_USER_MEMORY")
    try:
        for device in ("cuda:0", "cuda:1"):  # those of 1,000 bytes and more, in place of others
            for size in range(1000, 1004):
                fleet.ctr(
                    "speck-64/128", *secrets_of("speck-64/128", 2), random(2, size), device=device
                )
        gc.collect()
        dirty, left = fake.dirty(), 0
        kept = {
            size: np.count_nonzero((np.arange(4096) * size).view(np.uint8))
            for size in (3, 33, *range(1000, 1004))
        }
        dirty += 2 * kept[33] + kept[3] - 2 * kept[1000] - kept[1001]
        for turn in range(3):
            array = gpu.to_device(random(1000))
            del array
            gpu.to_device(random(10)).__dlpack__()  # a capsule that nobody takes
            _gpu.DLTensor(gpu.to_device(random(10)).__dlpack__(max_version=(1, 0)))
            locked = gpu.pinned((3, 7))
            locked[...] = 9
            part = locked[1]
            del locked
            assert part.sum() == 63
            del part
            stream = hazmat.ctr("simon-64/128", random(16), bytes(8), device="cuda:all")
            stream.update(random(100000))
            del stream
            keys, ivs = secrets_of("speck-64/128", 50)
            fleet.ctr("speck-64/128", keys, ivs, random(50, 33), device="cuda:all")
            fleet.ctr("speck-64/128", keys[0], ivs, gpu.to_device(random(50, 33)))
            fleet.encrypt(
                SPONGE,
                random(50, 16),
                random(50, 32),
                gpu.to_device(random(50, 33)),
                associated_data=random(50, 3),
            )
            gc.collect()
            assert fake.dirty() == dirty, "something was not wiped"
            assert turn == 0 or fake.left() == left, "something was not given back"
            left = fake.left()
        assert capfd.readouterr().err == ""
        kept = gpu.to_device(np.ones(5, np.uint8))  # the control: memory in use
        assert fake.dirty() >= dirty + 5
        del kept
        Theirs(fake, random(10))  # the control: memory of others that is not wiped
        assert "were freed without having been wiped" in capfd.readouterr().err
    finally:
        os.environ["FAKE_CUDA_USER_MEMORY"] = "1"


def test_copies_need_bytes() -> None:
    with pytest.raises(TypeError, match="data has dtype int32"):
        gpu.to_device(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="an array lies on one device"):
        gpu.empty(3, device=["cuda:0", "cuda:1"])


# One key


@pytest.mark.parametrize("name", CIPHERS)
def test_ctr_is_that_of_the_processor(name: str) -> None:
    """In pieces of all kinds, whose ends lie anywhere in a block; counters that overflow their last
    word.
    """
    block, key_size = sizes_of(name)
    key, iv = random(key_size).tobytes(), random(block - 4).tobytes() + b"\xff\xff\xff\xf0"
    pieces = [0, 1, block - 1, block, 5, 16, 333, 0, 5000, 3, 20000, 2 * block]
    data = random(sum(pieces))
    wanted = hazmat.ctr(name, key, iv, **wide()).update(data)
    stream = hazmat.ctr(name, key, iv, device="cuda", verify="all", **wide())
    assert (stream.name, stream.block_size, stream.key_size, stream.devices) == (
        name,
        block,
        key_size,
        ("cuda:0",),
    )
    at, got = 0, []
    for number, size in enumerate(pieces):
        piece = data[at : at + size]
        at += size
        if number % 3 == 0:
            got.append(stream.update(piece))
        elif number % 3 == 1:
            got.append(stream.update(gpu.to_device(piece)).numpy().tobytes())
        else:
            buffer = bytearray(piece) + b"more"
            assert (
                stream.update_into(memoryview(buffer)[:size], buffer) == size
                and buffer[size:] == b"more"
            )
            got.append(bytes(buffer[:size]))
    assert b"".join(got) == wanted
    assert stream.remaining == (1 << 40) - (len(data) + block - 1) // block


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("skew", [0, 1, 8])
@pytest.mark.parametrize("in_place", [False, True])
def test_arrays_of_others_are_used_where_they_are(
    driver: Driver, kind: type[Theirs], skew: int, in_place: bool
) -> None:
    key, iv, data = bytes(range(16)), bytes(8), random(70001)
    wanted = hazmat.ctr("simon-64/128", key, iv).update(data)
    stream = hazmat.ctr("simon-64/128", key, iv, device="cuda")
    # the second begins within a block
    first, second = kind(driver, data[:40001], skew=skew), kind(driver, data[40001:], skew=skew)
    for array, part in ((first, wanted[:40001]), (second, wanted[40001:])):
        out = array if in_place else kind(driver, np.zeros(array.shape, np.uint8), skew=16 - skew)
        assert stream.update_into(array, out) == array.size
        assert out.get().tobytes() == part


def test_work_in_a_stream_is_ordered_and_not_waited_for(fake: Driver) -> None:
    handle = ctypes.c_void_p()
    fake.enter(0)
    fake.call("cuStreamCreate", ctypes.byref(handle), 1)
    fake.leave(0)
    data = random(5000)
    stream = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda")
    mine = ByDLPack(fake, data)
    stream.update_into(mine, mine, stream=handle.value)
    assert mine.asked == handle.value
    assert np.array_equal(mine.get(), data), "nothing has been waited for"
    result = stream.update(mine, stream=handle.value)
    assert result.__cuda_array_interface__["stream"] == handle.value
    wanted = hazmat.ctr("speck-64/128", bytes(16), bytes(8)).update(data)
    again = hazmat.ctr("speck-64/128", bytes(16), bytes(8))
    again.update(data)
    wanted_twice = again.update(wanted)
    # Another stream waits for it on the device.
    third = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda").update(result)
    assert third.numpy().tobytes() == hazmat.ctr("speck-64/128", bytes(16), bytes(8)).update(
        wanted_twice
    )
    assert result.numpy().tobytes() == wanted_twice and mine.get().tobytes() == wanted
    fake.enter(0)
    fake.call("cuStreamDestroy_v2", handle)
    fake.leave(0)


def test_the_stream_that_writes_an_array_is_waited_for(fake: Driver) -> None:
    """Version 3 of the interface says in which stream; the work of that stream is not done yet."""
    handle = ctypes.c_void_p()
    fake.enter(0)
    fake.call("cuStreamCreate", ctypes.byref(handle), 1)
    array = ByInterface(fake, np.zeros(64, np.uint8))
    fake.call("cuMemsetD8Async", ctypes.c_uint64(array.pointer), 7, ctypes.c_size_t(64), handle)
    fake.leave(0)
    wanted = hazmat.ctr("speck-64/128", bytes(16), bytes(8)).update(bytes([7]) * 64)
    array.stream = handle.value
    assert (
        hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda")
        .update(array)
        .numpy()
        .tobytes()
        == wanted
    )
    fake.enter(0)
    fake.call("cuStreamDestroy_v2", handle)
    fake.leave(0)


class _Protocol:
    def __init__(self, **members: object) -> None:
        self.__dict__.update(members)


class _CudaStream:
    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 0


@pytest.mark.parametrize(
    "stream",
    [
        0,
        _Protocol(ptr=0),
        _Protocol(cuda_stream=0),
        _Protocol(handle=ctypes.c_void_p(None)),
        _CudaStream(),
    ],
    ids=repr,
)
def test_streams_of_all_libraries_are_taken(stream: object) -> None:
    data = gpu.to_device(random(100))
    out = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda").update(data, stream=stream)
    assert out.numpy().tobytes() == hazmat.ctr("speck-64/128", bytes(16), bytes(8)).update(
        data.numpy()
    )


@pytest.mark.parametrize(
    ("stream", "error"),
    [("1", TypeError), (True, TypeError), (-1, ValueError), (object(), TypeError)],
)
def test_what_is_no_stream_is_refused(stream: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="stream"):
        hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda").update(
            gpu.empty(16), stream=stream
        )


def test_arrays_that_do_not_fit_are_refused(driver: Driver) -> None:
    stream = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda")
    words, old = (
        ByDLPack(driver, np.zeros(8, np.int32)),
        ByDLPack(driver, np.zeros(8, np.uint8), read_only=True),
    )
    old.versioned = False
    # before version 1 nothing was said about writing
    assert stream.update_into(gpu.empty(0), old) == 0
    strided = ByInterface(driver, np.zeros((4, 4), np.uint8))
    strided.strides = (8, 1)
    locked = ByInterface(driver, np.zeros(16, np.uint8), read_only=True)
    other = ByDLPack(driver, np.zeros(16, np.uint8))
    other.kind = 10
    good = gpu.empty(16)
    numbers = ByInterface(driver, np.zeros(4, ">i4"))
    for data, buf, error, sentence in [
        (words, None, TypeError, "data has dtype int32; it takes uint8"),
        (
            good,
            ByDLPack(driver, np.zeros(16, np.uint8), read_only=True),
            TypeError,
            "buf is read-only",
        ),
        (numbers, None, TypeError, "data has dtype int32 of the other byte order; it takes uint8"),
        (strided, None, BufferError, "data is not C-contiguous"),
        (other, None, TypeError, "number 10 of DLPack"),
        (good, locked, TypeError, "buf is read-only"),
        (good, gpu.empty(15), ValueError, "buf has 15 bytes; 16 are needed"),
        (good, bytearray(16), TypeError, "buf is not in device memory"),
        (bytes(16), good, TypeError, "data is not in device memory"),
    ]:
        with pytest.raises(error, match=sentence):
            if buf is None:
                stream.update(data)
            else:
                stream.update_into(data, buf)
    assert taken() == 0, "an array was not given back"
    with pytest.raises(ValueError, match="in part"):
        stream.update_into(good, ByPointer(good.pointer + 8, 16))
    with pytest.raises(ValueError, match="calls on host memory have streams of their own"):
        stream.update(b"123", stream=0)
    with pytest.raises(ValueError, match="buf has 2 bytes; 3 are needed"):
        stream.update_into(b"123", bytearray(2))
    assert stream.remaining == 1 << 20, "what was refused has used nothing"


class ByPointer:
    """Some place in device memory."""

    def __init__(self, pointer: int, size: int) -> None:
        self.__cuda_array_interface__ = {
            "shape": (size,),
            "typestr": "|u1",
            "data": (pointer, False),
            "version": 2,
        }


def test_several_devices_give_the_bytes_of_one(driver: Driver) -> None:
    if len(gpu.devices()) < 2:
        pytest.skip("needs two devices")
    data = random(100_003)
    wanted = hazmat.ctr("speck-128/256", bytes(32), bytes(16)).update(data)
    for device in ("cuda:1", "cuda:all", ["cuda:1", "cuda:0"], gpu.devices()[:2]):
        stream = hazmat.ctr("speck-128/256", bytes(32), bytes(16), device=device, verify="sample")
        assert stream.update(data[:7]) + stream.update(data[7:]) == wanted
        for kind in KINDS:
            assert stream.update(kind(driver, data, device=1)).device == "cuda:1"
        if device == "cuda:1":
            with pytest.raises(
                ValueError, match="data is on cuda:0; this stream has its key on cuda:1"
            ):
                stream.update(gpu.empty(16))
    for name in FLEETS:
        keys, ivs = secrets_of(name, 300)
        offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 90, 300))])
        flat = random(int(offsets[-1]))
        assert np.array_equal(
            fleet.ctr(name, keys, ivs, flat, offsets).data,
            fleet.ctr(name, keys, ivs, flat, offsets, device="cuda:all").data,
        )


def test_limits_are_enforced_before_anything_is_launched(fake: Driver) -> None:
    stream = hazmat.ctr("speck-64/128", bytes(16), bytes(8), limit=10, device="cuda")
    stream.update(bytes(41))
    fake.restart()
    buffer = gpu.to_device(random(40))
    before = buffer.numpy()
    for call in (lambda: stream.update(bytes(40)), lambda: stream.update_into(buffer, buffer)):
        with pytest.raises(
            LimitError,
            match=(
                r"this call needs more blocks than speck-64/128 has left under this key \(4 of "
                r"10\)"
            ),
        ):
            call()
    assert np.array_equal(buffer.numpy(), before)
    assert stream.update(bytes(39)) and stream.remaining == 0
    for limit, error in [("1", TypeError), (-1, ValueError), (1 << 64, ValueError)]:
        with pytest.raises(error, match="limit"):
            hazmat.ctr("speck-64/128", bytes(16), bytes(8), limit=limit, device="cuda")
    assert hazmat.ctr("speck-64/128", bytes(16), bytes(8), limit=0, device="cuda").remaining == 0


def test_keys_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(ValueError, match="key is 15 bytes; speck-64/128 takes 16"):
        hazmat.ctr("speck-64/128", bytes(15), bytes(8), device="cuda")
    with pytest.raises(ValueError, match="iv is 9 bytes; speck-64/128 takes 8"):
        hazmat.ctr("speck-64/128", bytes(16), bytes(9), device="cuda")
    with pytest.raises(gpu.UnsupportedError, match="there are no GPU kernels for 'speck-48/72'"):
        hazmat.ctr("speck-48/72", bytes(9), bytes(6), device="cuda")
    with pytest.raises(ValueError, match="verify is a str of 4 characters"):
        hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda", verify="some")
    with pytest.raises(ValueError, match="without device="):
        hazmat.ctr("speck-64/128", bytes(16), bytes(8), verify="all")
    with pytest.raises(TypeError, match="holds a key"):
        pickle.dumps(hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda"))


def test_a_captured_stream_is_refused_with_the_reason(fake: Driver) -> None:
    stream = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda")
    array = gpu.to_device(random(100))
    keys, nonces = gpu.to_device(random(1, 16)), gpu.to_device(random(1, 32))
    gpu.to_device(random(1, 8))  # reserved, and given back
    left = fake.left()
    os.environ["FAKE_CUDA_CAPTURE"] = "1"
    calls = [
        lambda: stream.update(array, stream=0),
        lambda: fleet.ctr(
            "speck-64/128", keys, gpu.to_device(random(1, 8)), array, np.array([0, 100]), stream=0
        ),
        lambda: fleet.encrypt(SPONGE, keys, nonces, array, np.array([0, 100]), stream=0),
    ]
    for call in calls:
        with pytest.raises(
            ValueError,
            match="is being captured into a graph, which would use the same counters each time",
        ):
            call()
    assert fake.left() <= left and stream.remaining == 1 << 20


def test_page_locked_arrays() -> None:
    data = gpu.pinned(100_000)
    assert not data.any()
    data[:] = random(100_000)
    wanted = hazmat.ctr("speck-64/128", bytes(16), bytes(8)).update(data)
    hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda", verify="sample").update_into(
        data, data
    )
    assert data.tobytes() == wanted
    assert gpu.pinned((0, 5)).shape == (0, 5)


def test_page_locked_fleets_are_copied_without_a_detour(
    fake: Driver, capfd: pytest.CaptureFixture[str]
) -> None:
    """In several chunks. The control: one array that is not page-locked, and buffers are needed."""
    count = 1_400_000
    arrays = [gpu.pinned((count, size)) for size in (16, 8, 8)]
    for array in arrays:
        array[...] = random(*array.shape)
    keys, ivs, data = arrays
    wanted = fleet.ctr("speck-64/128", keys, ivs, data).data
    os.environ["FAKE_CUDA_LOG"] = "1"
    for k, buffers in ((keys, 0), (keys.copy(), 4)):
        out = gpu.pinned((count, 8))
        capfd.readouterr()
        fleet.ctr("speck-64/128", k, ivs, data, out=out, device="cuda")
        log = capfd.readouterr().err
        assert (log.count("cuMemHostAlloc"), log.count("cuLaunchKernel")) == (buffers, 6)
        assert np.array_equal(out, wanted)
    fleet.ctr("speck-64/128", keys, ivs, data, out=data, device="cuda")
    assert np.array_equal(data, wanted)


# Host memory after a call has returned


Make = Callable[[tuple[int, ...]], np.ndarray]


def ordinary(shape: tuple[int, ...]) -> np.ndarray:
    return np.zeros(shape, np.uint8)


class HostCalls:
    """Calls over host memory that `make` gives: what they read, and what the processor answers.
    With `on_device` the data are on the device, and only what goes with them is in host memory.
    """

    def __init__(self, make: Make, on_device: bool = False) -> None:
        count, size = 40, 64
        shapes = {"keys": 16, "ivs": 8, "nonces": AEADS[SPONGE], "data": size, "ad": 9}
        self.arrays = {name: make((count, width)) for name, width in shapes.items()}
        for array in self.arrays.values():
            array[...] = random(*array.shape)
        keys, ivs, nonces, data, ad = self.arrays.values()
        self.key = keys[0].tobytes()
        sealed = fleet.encrypt(SPONGE, keys, nonces, data, associated_data=ad)
        for name, wanted in (("text", sealed.data), ("tags", sealed.tags)):
            self.arrays[name] = make(wanted.shape)
            self.arrays[name][...] = wanted
        self.expected = {
            "fleet.ctr": fleet.ctr("speck-64/128", keys, ivs, data).data.tobytes(),
            "fleet.encrypt": sealed.data.tobytes(),
            "fleet.decrypt": data.tobytes(),
        }
        self.where: dict[str, Any] = {"stream": 0} if on_device else {"device": "cuda"}
        self.data, self.text = data, self.arrays["text"]
        if on_device:
            self.data, self.text = (gpu.to_device(array) for array in (self.data, self.text))
        else:
            stream = hazmat.ctr("speck-64/128", self.key, bytes(8))
            self.expected |= {"CTR": stream.update(data), "to_device": data.tobytes()}

    def run(self, name: str, out: np.ndarray | None = None) -> Any:
        keys, ivs, nonces, _, ad, _, tags = self.arrays.values()
        if name == "to_device":
            return gpu.to_device(self.data)
        if name == "CTR":
            stream = hazmat.ctr("speck-64/128", self.key, bytes(8), device="cuda")
            if out is None:
                return np.frombuffer(stream.update(self.data), np.uint8)
            stream.update_into(self.data, out)
            return out
        more: dict[str, Any] = {"out": out, **self.where}
        if name == "fleet.ctr":
            return fleet.ctr("speck-64/128", keys, ivs, self.data, **more).data
        more["associated_data"] = ad
        if name == "fleet.encrypt":
            return fleet.encrypt(SPONGE, keys, nonces, self.data, **more).data
        return fleet.decrypt(SPONGE, keys, nonces, self.text, tags, **more).data


MAKERS = pytest.mark.parametrize("make", [ordinary, gpu.pinned], ids=["ordinary", "page-locked"])


@MAKERS
@pytest.mark.parametrize("on_device", [False, True], ids=["host", "device"])
def test_host_memory_may_be_changed_as_soon_as_a_call_returns(make: Make, on_device: bool) -> None:
    """Work in a stream is done as late as may be, so that a copy which is still to come would read
    what stands there now.
    """
    for name in HostCalls(make, on_device).expected:
        calls = HostCalls(make, on_device)
        result = calls.run(name)
        for array in calls.arrays.values():
            array[...] = 0xEE
        found = result.tobytes() if isinstance(result, np.ndarray) else result.numpy().tobytes()
        assert found == calls.expected[name], name


@MAKERS
def test_host_memory_is_not_touched_after_a_call_has_failed(fake: Driver, make: Make) -> None:
    """At whatever call of the driver: nothing is queued any more that reads or writes it."""
    for name in ("CTR", "fleet.ctr", "fleet.encrypt", "fleet.decrypt"):
        calls = HostCalls(make)
        out = make(calls.data.shape)
        fake.restart()
        assert calls.run(name, out).tobytes() == calls.expected[name]
        count, failures = fake.restart(), 0
        for number in range(1, count + 1):
            fake.restart()
            os.environ["FAKE_CUDA_FAIL"] = str(number)
            try:
                calls.run(name, out)
            except gpu.DeviceError:
                failures += 1
            finally:
                os.environ.pop("FAKE_CUDA_FAIL")
            out[...] = 0x5A
            fake.dirty()  # does all work that is left
            assert (out == 0x5A).all(), f"{name}, call {number} of the driver"
        assert failures >= 8, name


def test_control_work_that_nobody_waited_for_shows(fake: Driver) -> None:
    """Copies out of and into page-locked memory that are queued and not waited for use it
    afterwards: the tests above would see them.
    """
    source = gpu.pinned(64)
    source[:] = 1
    target = gpu.to_device(np.zeros(64, np.uint8))
    fake.enter(0)
    places = ctypes.c_uint64(target.pointer), ctypes.c_void_p(source.ctypes.data)
    fake.call("cuMemcpyHtoDAsync_v2", *places, ctypes.c_size_t(64), None)
    fake.leave(0)
    source[:] = 2
    assert (target.numpy() == 2).all()
    fake.enter(0)
    places = ctypes.c_void_p(source.ctypes.data), ctypes.c_uint64(target.pointer)
    fake.call("cuMemcpyDtoHAsync_v2", *places, ctypes.c_size_t(64), None)
    fake.leave(0)
    source[:] = 3
    fake.dirty()
    assert (source == 2).all()


# Fleets


def ragged(count: int, first: int = 0) -> tuple[np.ndarray, np.ndarray]:
    offsets = first + np.concatenate([[0], np.cumsum(rng.integers(0, 70, count))])
    return random(int(offsets[-1]) + 9), offsets


@pytest.mark.parametrize("name", FLEETS)
@pytest.mark.parametrize("first", [0, 5])
def test_fleets_in_ctr(driver: Driver, name: str, first: int) -> None:
    block, _ = sizes_of(name)
    keys, ivs = secrets_of(name, 1100)
    flat, offsets = ragged(1100, first)
    wanted = fleet.ctr(name, keys, ivs, flat, offsets)
    host = fleet.ctr(name, keys, ivs, flat, offsets, device="cuda", verify="sample")
    assert np.array_equal(host.data, wanted.data) and np.array_equal(host.offsets, wanted.offsets)
    one = fleet.ctr(name, keys[0], ivs, flat, offsets, device="cuda", verify="all")
    assert np.array_equal(one.data, fleet.ctr(name, keys[0], ivs, flat, offsets).data)
    for kind in KINDS:
        data, there = kind(driver, flat, skew=3), kind(driver, offsets.astype(np.int64))
        for k, v, o in (
            (keys, ivs, offsets),
            (kind(driver, keys), kind(driver, ivs, skew=1), there),
            (kind(driver, keys[0]), ivs, there),
        ):
            got = fleet.ctr(name, k, v, data, o, verify="sample")
            reference = one if len(k.shape) == 1 else wanted
            assert taken() == 0 or kind is ByInterface
            assert np.array_equal(got.data.numpy(), reference.data) and np.array_equal(
                got.offsets, reference.offsets
            )
        # in place; the whole array comes back
        got = fleet.ctr(name, keys, ivs, data, offsets.astype(np.int32), out=data, verify="all")
        assert got.data is data and np.array_equal(got.offsets, offsets)
        assert np.array_equal(data.get()[first : offsets[-1]], wanted.data)
        assert np.array_equal(data.get()[offsets[-1] :], flat[offsets[-1] :]) and np.array_equal(
            data.get()[:first], flat[:first]
        )
    single = random(1100, block)
    wanted = fleet.ctr(name, keys, ivs, single)
    for data in (single, gpu.to_device(single), ByDLPack(driver, single, skew=4)):
        got = fleet.ctr(
            name, keys, ivs, data, device="cuda" if data is single else None, verify="sample"
        ).data
        assert np.array_equal(got if data is single else got.numpy(), wanted.data)


@pytest.mark.parametrize("with_ad", [False, True])
@pytest.mark.parametrize("algorithm", AEADS)
def test_fleets_of_aeads(driver: Driver, algorithm: str, with_ad: bool) -> None:
    keys, nonces = random(300, 16), random(300, AEADS[algorithm])
    flat, offsets = ragged(300, 3)
    ad, ad_offsets = ragged(300, 4) if with_ad else (None, None)
    more = {"associated_data": ad, "ad_offsets": ad_offsets}
    wanted = fleet.encrypt(algorithm, keys, nonces, flat, offsets, **more)
    sealed = fleet.encrypt(
        algorithm, keys, nonces, flat, offsets, device="cuda:all", verify="sample", **more
    )
    assert np.array_equal(sealed.data, wanted.data) and np.array_equal(sealed.tags, wanted.tags)
    tags = wanted.tags.copy()
    tags[[7, 200]] ^= 1
    opened = fleet.decrypt(
        algorithm,
        keys,
        nonces,
        wanted.data,
        tags,
        wanted.offsets,
        device="cuda:all",
        verify="all",
        **more,
    )
    reference = fleet.decrypt(algorithm, keys, nonces, wanted.data, tags, wanted.offsets, **more)
    assert opened.failed.tolist() == [7, 200] and np.array_equal(opened.data, reference.data)
    for kind in KINDS:
        arrays = (
            {"associated_data": kind(driver, ad, skew=1), "ad_offsets": kind(driver, ad_offsets)}
            if with_ad
            else {}
        )
        data = kind(driver, flat, skew=5)
        there = fleet.encrypt(
            algorithm,
            kind(driver, keys, skew=2),
            nonces,
            data,
            kind(driver, offsets),
            verify="sample",
            **arrays,
        )
        assert np.array_equal(there.data.numpy(), wanted.data) and np.array_equal(
            there.tags.numpy(), wanted.tags
        )
        back = fleet.decrypt(
            algorithm,
            keys,
            kind(driver, nonces),
            there.data,
            kind(driver, tags, skew=4),
            there.offsets,
            verify="sample",
            **more,
        )
        assert back.failed.tolist() == [7, 200] and np.array_equal(
            back.data.numpy(), reference.data
        )
        with pytest.raises(TypeError, match=r"take data\.numpy\(\)"):
            back.to_arrow()


@pytest.mark.parametrize("size", [0, 1, 8, 16, 33, 300])
@pytest.mark.parametrize("name", ["speck-64/128", "speck-128/192", "simeck-64/128"])
def test_ctr_of_messages_of_one_length(driver: Driver, name: str, size: int) -> None:
    """Rows and equal offsets; at addresses that are aligned and that are not."""
    keys, ivs = secrets_of(name, 1000)
    data = random(1000, size)
    wanted = fleet.ctr(name, keys, ivs, data).data
    flat, offsets = data.reshape(-1), np.arange(1001) * size
    for given in ((data,), (flat, offsets)):
        for threads in (1, 3):
            got = fleet.ctr(name, keys, ivs, *given, device="cuda:all", threads=threads)
            assert np.array_equal(got.data.reshape(wanted.shape), wanted)
    for skew in (0, 4, 5):
        for array, *rest in ((data,), (flat, offsets)):
            there = ByDLPack(driver, array, skew=skew)
            got = fleet.ctr(name, keys, ivs, there, *rest, verify="sample")
            assert np.array_equal(got.data.numpy().reshape(wanted.shape), wanted)
            fleet.ctr(name, keys, ivs, there, *rest, out=there)
            assert np.array_equal(there.get().reshape(wanted.shape), wanted)
    one = fleet.ctr(name, keys[0], ivs, data).data
    assert np.array_equal(fleet.ctr(name, keys[0], ivs, data, device="cuda").data, one)


@pytest.mark.parametrize("ad_size", [None, 0, 5, 16])
@pytest.mark.parametrize("size", [0, 1, 16, 33, 300])
@pytest.mark.parametrize("algorithm", AEADS)
def test_aeads_of_messages_of_one_length(
    driver: Driver, algorithm: str, size: int, ad_size: int | None
) -> None:
    keys, nonces = random(1000, 16), random(1000, AEADS[algorithm])
    data = random(1000, size)
    ad = None if ad_size is None else random(1000, ad_size)
    wanted = fleet.encrypt(algorithm, keys, nonces, data, associated_data=ad)
    tags = wanted.tags.copy()
    tags[::77, 5] ^= 4
    back = fleet.decrypt(algorithm, keys, nonces, wanted.data, tags, associated_data=ad)
    assert len(back.failed) == 13
    more = {"associated_data": ad, "device": "cuda:all"}
    for threads in (1, 3):
        sealed = fleet.encrypt(algorithm, keys, nonces, data, **more, threads=threads)
        assert np.array_equal(sealed.data, wanted.data) and np.array_equal(sealed.tags, wanted.tags)
        opened = fleet.decrypt(algorithm, keys, nonces, sealed.data, tags, **more, threads=threads)
        assert np.array_equal(opened.data, back.data) and np.array_equal(opened.status, back.status)
    for skew in (0, 3):
        there, more = ByDLPack(driver, data, skew=skew), {"associated_data": ad}
        if ad is not None and skew:
            more["associated_data"] = ByDLPack(driver, ad, skew=skew)
        sealed = fleet.encrypt(algorithm, keys, nonces, there, **more, verify="sample")
        assert np.array_equal(sealed.data.numpy(), wanted.data)
        assert np.array_equal(sealed.tags.numpy(), wanted.tags)
        opened = fleet.decrypt(algorithm, keys, nonces, sealed.data, tags, **more)
        assert np.array_equal(opened.data.numpy(), back.data)
        assert np.array_equal(opened.status, back.status)


def test_some_lengths_are_equal_and_others_not() -> None:
    """Messages of one length with associated data of others, and the other way round."""
    keys, nonces = random(300, 16), random(300, 16)
    rows, (flat, offsets) = random(300, 24), ragged(300, 3)
    for text, ad in (((rows, None), (flat, offsets)), ((flat, offsets), (rows, None))):
        more = {"associated_data": ad[0], "ad_offsets": ad[1]}
        wanted = fleet.encrypt("ascon-aead128", keys, nonces, *text, **more)
        host = fleet.encrypt("ascon-aead128", keys, nonces, *text, **more, device="cuda:all")
        there = fleet.encrypt(
            "ascon-aead128", keys, nonces, gpu.to_device(text[0]), text[1], **more
        )
        for got in (host.data, there.data.numpy()):
            assert np.array_equal(got, wanted.data)
        for got in (host.tags, there.tags.numpy()):
            assert np.array_equal(got, wanted.tags)


def test_offsets_of_equal_messages_are_made_once(
    fake: Driver, capfd: pytest.CaptureFixture[str]
) -> None:
    """What a call copies to the device: nothing for arrays that are there, whatever the length."""
    keys, nonces = (gpu.to_device(random(500, 16)) for _ in range(2))

    def copies(size: int) -> int:
        data = gpu.to_device(random(500, size))
        capfd.readouterr()
        os.environ["FAKE_CUDA_LOG"] = "1"
        try:
            fleet.encrypt("ascon-aead128", keys, nonces, data)
            return capfd.readouterr().err.count("cuMemcpyHtoDAsync")
        finally:
            os.environ.pop("FAKE_CUDA_LOG")

    sizes = range(2000, 2003)
    copies(1999)  # of no associated data they are there now, too
    assert [copies(size) for size in sizes] == [1, 1, 1]
    assert [copies(size) for size in sizes] == [0, 0, 0]
    assert [copies(size) for size in (2003, 2001, 2000)] == [1, 0, 1], "the oldest went"


@pytest.mark.parametrize("in_place", [False, True])
def test_bytes_around_the_messages_stay(in_place: bool) -> None:
    """Helpers begin the pages of an output ahead of what arrives there; more chunks than slots."""
    count = 500_000
    keys, ivs = secrets_of("speck-64/128", count)
    offsets = 5 + np.concatenate([[0], np.cumsum(rng.integers(0, 100, count))])
    flat = random(int(offsets[-1]) + 9)
    wanted = flat.copy() if in_place else np.full(len(flat), 0xA5, np.uint8)
    out = wanted.copy()
    fleet.ctr("speck-64/128", keys, ivs, flat, offsets, out=wanted)
    data = out if in_place else flat
    fleet.ctr("speck-64/128", keys, ivs, data, offsets, out=out, device="cuda", threads=3)
    assert np.array_equal(out, wanted)


# Of page-locked arrays, one at a time: copies to the device in a chunk, and copies back. What stands
# before it in the buffer goes by itself, and what stands behind it.
LOCKED = {"keys": (2, 1), "nonces": (3, 1), "data": (2, 1), "ad": (3, 1), "tags": (3, 1), "out": (1, 2)}  # fmt: skip


@pytest.mark.parametrize("locked", [None, *LOCKED])
def test_a_page_locked_array_of_an_aead_is_copied_without_a_detour(
    fake: Driver, capfd: pytest.CaptureFixture[str], locked: str | None
) -> None:
    """In more chunks than slots, which several threads fill."""
    count = 320_000
    keys, nonces, text, ad = (random(count, size) for size in (16, 16, 60, 20))
    sealed = fleet.encrypt("ascon-aead128", keys, nonces, text, associated_data=ad)
    arrays = {"keys": keys, "nonces": nonces, "data": sealed.data, "tags": sealed.tags, "ad": ad}
    arrays["out"] = np.empty_like(text)
    if locked is not None:
        page_locked = gpu.pinned(arrays[locked].shape)
        page_locked[...] = arrays[locked]
        arrays[locked] = page_locked
    capfd.readouterr()
    os.environ["FAKE_CUDA_LOG"] = "1"
    try:
        more = {"associated_data": arrays.pop("ad"), "device": "cuda", "threads": 3}
        opened = fleet.decrypt("ascon-aead128", **arrays, **more)
    finally:
        os.environ.pop("FAKE_CUDA_LOG")
    log = capfd.readouterr().err.partition("cuLaunchKernel")
    assert opened.ok and np.array_equal(opened.data, text)
    chunks = 1 + log[2].count("cuLaunchKernel")
    up, down = LOCKED.get(str(locked), (1, 1))
    made = log[0].count("cuMemcpyHtoDAsync") - up  # offsets
    assert chunks > 4 and made in (0, 1, 2)
    assert log[2].count("cuMemcpyHtoDAsync") == up * (chunks - 1)
    assert log[2].count("cuMemcpyDtoHAsync") == down * chunks


@pytest.mark.parametrize("count", [0, 1, 3])
def test_small_and_empty_fleets(count: int) -> None:
    keys, ivs = secrets_of("speck-64/128", count)
    for size in (0, 1, 8):
        data = random(count, size)
        wanted = fleet.ctr("speck-64/128", keys, ivs, data).data
        assert np.array_equal(
            fleet.ctr("speck-64/128", keys, ivs, data, device="cuda", verify="all").data, wanted
        )
        assert np.array_equal(
            fleet.ctr("speck-64/128", keys, ivs, gpu.to_device(data), verify="all").data.numpy(),
            wanted,
        )
        for name, nonce_size in AEADS.items():
            k, n = random(count, 16), random(count, nonce_size)
            sealed = fleet.encrypt(name, k, n, data)
            for there in (data, gpu.to_device(data)):
                got = fleet.encrypt(name, k, n, there, device="cuda", verify="all")
                tags = got.tags if there is data else got.tags.numpy()
                assert np.array_equal(tags, sealed.tags)
                assert fleet.decrypt(name, k, n, got.data, got.tags, device="cuda", verify="all").ok


def test_fleet_arrays_that_do_not_fit_are_refused(driver: Driver) -> None:
    keys, ivs, data = random(4, 16), random(4, 8), gpu.to_device(random(4, 20))
    flat = gpu.to_device(random(80))
    name = "speck-64/128"
    cases = [
        (
            lambda: fleet.ctr(name, keys, ivs, flat),
            ValueError,
            "data is one-dimensional: give offsets",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, flat, np.array([0, 9, 5, 20, 80])),
            ValueError,
            "offsets decrease at message 1: 9, then 5",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, flat, gpu.to_device(random(5))),
            TypeError,
            "offsets has dtype uint8; it takes int32 or int64",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, flat, np.array([0, 9, 12, 20, 81])),
            ValueError,
            "offsets go from 0 to 81, but data has 80 bytes",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, data, np.array([0, 20, 40, 60, 79])),
            ValueError,
            "offsets say otherwise",
        ),
        (
            lambda: fleet.ctr(name, gpu.to_device(keys[:3]), ivs, data),
            ValueError,
            r"keys has shape \(3, 16\); expected \(4, 16\), or one of 16",
        ),
        (
            lambda: fleet.ctr(name, keys, gpu.to_device(ivs[0]), data),
            ValueError,
            r"ivs has shape \(8,\); expected \(4, 8\)",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, data, out=flat),
            ValueError,
            r"out must be a uint8 array of shape \(4, 20\)",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, data, out=np.zeros((4, 20), np.uint8)),
            TypeError,
            "out must be a device array",
        ),
        (
            lambda: fleet.ctr(name, gpu.to_device(keys), ivs, random(4, 20)),
            TypeError,
            "keys is in device memory and data in host memory",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, data, device="cuda:1"),
            ValueError,
            "data is on cuda:0, but device is another one",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, random(4, 20), stream=0),
            ValueError,
            "stream= goes with device arrays",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, data, limit=2),
            LimitError,
            "message 0 needs 3 blocks; the limit of speck-64/128 is 2",
        ),
        (
            lambda: fleet.ctr(name, keys[0], ivs, data, limit=11),
            LimitError,
            "need 12 blocks under one key",
        ),
        (
            lambda: fleet.ctr(name, keys, ivs, data, verify="yes"),
            ValueError,
            "verify is a str of 3 characters",
        ),
        (
            lambda: fleet.ctr("speck-48/72", random(4, 9), random(4, 6), data),
            gpu.UnsupportedError,
            "key per message for speck-48/72; there are for",
        ),
        (
            lambda: fleet.encrypt("speck-64/128-eax", keys, ivs, data),
            gpu.UnsupportedError,
            "fleet.encrypt with speck-64/128-eax",
        ),
        (
            lambda: fleet.encrypt("schwaemm128-128", keys, keys, random(4, 20), device="cuda"),
            gpu.UnsupportedError,
            "there are for ascon-aead128, schwaemm256-128",
        ),
        (
            lambda: fleet.encrypt(SPONGE, keys, random(4, 32), data, associated_data=random(3, 2)),
            ValueError,
            "3 entries for 4 messages",
        ),
        (
            lambda: fleet.ctr(
                name, keys, ivs, ByInterface(driver, random(4, 20), read_only=True), out="data"
            ),
            TypeError,
            "out must be a device array",
        ),
        (
            lambda: fleet.ctr(name, gpu.to_device(random(4, 20)), ivs, data),
            ValueError,
            "keys has shape",
        ),
    ]
    for call, error, sentence in cases:
        with pytest.raises(error, match=sentence):
            call()
    big = gpu.to_device(random(4, 20))
    with pytest.raises(ValueError, match="out overlaps keys; give it memory of its own"):
        fleet.ctr(name, ByPointer2(big.pointer, (4, 16)), ivs, data, out=big)
    locked = ByInterface(driver, random(4, 20), read_only=True)
    assert fleet.ctr(name, keys, ivs, locked).data.shape == (4, 20)
    with pytest.raises(TypeError, match="out is read-only"):
        fleet.ctr(name, keys, ivs, locked, out=locked)


class ByPointer2(ByPointer):
    """The same, of any shape."""

    def __init__(self, pointer: int, shape: tuple[int, ...]) -> None:
        super().__init__(pointer, 0)
        self.__cuda_array_interface__["shape"] = shape


def test_messages_beyond_the_limit_when_opening_are_not_for_the_device() -> None:
    keys, ivs = secrets_of("speck-64/128", 3)
    with pytest.raises(LimitError, match="message 1 needs 3 blocks"):
        fleet.ctr(
            "speck-64/128",
            keys,
            ivs,
            random(100),
            np.array([0, 10, 30, 40]),
            limit=2,
            device="cuda",
        )


# What goes wrong on the device


def wrong_results() -> list[object]:
    keys, ivs = secrets_of("speck-64/128", 40)
    k, n, host = random(40, 16), random(40, 32), random(40, 50)
    sealed = fleet.encrypt(SPONGE, k, n, host)
    flat, there = random(3000), gpu.to_device(random(3000))
    return [
        pytest.param(lambda v: hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda", verify=v).update_into(flat, flat), flat, id="ctr"),
        pytest.param(lambda v: hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda", verify=v).update_into(there, there), there, id="array"),
        pytest.param(lambda v: fleet.ctr("speck-64/128", keys, ivs, host, device="cuda", verify=v, out=host), host, id="fleet"),
        pytest.param(lambda v: fleet.encrypt(SPONGE, k, n, there, np.arange(41) * 75, out=there, verify=v), there, id="seal"),
        pytest.param(lambda v: fleet.decrypt(SPONGE, k, n, sealed.data, sealed.tags, device="cuda", verify=v, out=host), host, id="open"),
    ]  # fmt: skip


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("verify", ["sample", "all"])
def test_a_wrong_result_is_found_and_zeroed(fake: Driver, which: int, verify: str) -> None:
    call, out = wrong_results()[which].values
    fake.restart()
    os.environ["FAKE_CUDA_WRONG"] = "1"
    with pytest.raises(
        gpu.MismatchError,
        match=r"cuda:0 and the processor do not agree about (bytes 0 to|message 0)",
    ):
        call(verify)
    assert not (out.numpy() if isinstance(out, gpu.Array) else out).any()
    fake.restart()
    assert call("none") is not None, "the control: without verify= nobody looks"


def test_a_stream_is_dead_after_a_failure(fake: Driver) -> None:
    stream = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda", verify="all")
    os.environ["FAKE_CUDA_WRONG"] = "1"
    with pytest.raises(gpu.MismatchError):
        stream.update(bytes(100))
    os.environ.pop("FAKE_CUDA_WRONG")
    with pytest.raises(gpu.DeviceError, match="a call of this stream failed"):
        stream.update(bytes(1))


def everything() -> None:
    """Calls of all kinds."""
    data = bytearray(bytes(5000))
    stream = hazmat.ctr("simeck-64/128", bytes(16), bytes(8), device="cuda:all")
    stream.update_into(data, data)
    array = gpu.to_device(np.zeros(100, np.uint8))
    stream.update_into(array, array)
    offsets = np.array([0, 33, 100])
    keys, nonces = np.zeros((2, 16), np.uint8), np.zeros((2, 32), np.uint8)
    fleet.ctr("simeck-64/128", keys, nonces[:, :8], array, offsets, out=array)
    sealed = fleet.encrypt(SPONGE, keys, nonces, array, offsets)
    opened = fleet.decrypt(
        SPONGE, keys, nonces, sealed.data, sealed.tags, sealed.offsets, verify="all"
    )
    assert opened.ok and np.array_equal(opened.data.numpy(), array.numpy())
    fleet.encrypt(SPONGE, keys, nonces, np.zeros((2, 40), np.uint8), device="cuda:all")


def test_an_error_at_any_call_is_an_error_here_and_nothing_is_left(fake: Driver) -> None:
    everything()
    gc.collect()
    left = fake.left()
    fake.restart()
    everything()
    count = fake.restart()
    assert 200 < count < 2000
    failures = 0
    for number in range(1, count + 1):
        fake.restart()
        os.environ["FAKE_CUDA_FAIL"] = str(number)
        try:
            everything()
        except gpu.DeviceError as error:
            failures += 1
            if "CUDA_ERROR_LAUNCH_FAILED" not in str(error):
                pytest.fail(f"call {number}: {error}")
        finally:
            os.environ.pop("FAKE_CUDA_FAIL")
    assert failures > count / 3
    everything()
    gc.collect()
    # Where the context of a device cannot be entered nothing can be freed; that is the error of one
    # call in each place that frees.
    assert fake.left() - left < 60


def test_host_output_is_zero_after_an_error(fake: Driver) -> None:
    keys, ivs = secrets_of("speck-64/128", 40)
    data = random(40, 50)
    fleet.ctr("speck-64/128", keys, ivs, data, device="cuda")
    fake.restart()
    fleet.ctr("speck-64/128", keys, ivs, data, device="cuda")
    count = fake.restart()
    failures = 0
    for number in range(1, count + 1):
        out = np.full((40, 50), 0xA5, np.uint8)
        fake.restart()
        os.environ["FAKE_CUDA_FAIL"] = str(number)
        try:
            fleet.ctr("speck-64/128", keys, ivs, data, device="cuda", out=out)
        except gpu.DeviceError:
            failures += 1
            assert not out.any(), f"call {number}"
        finally:
            os.environ.pop("FAKE_CUDA_FAIL")
    assert failures >= 8


def test_threads_share_a_device_and_a_stream() -> None:
    data = random(30_000)
    keys, ivs = secrets_of("simon-64/128", 100)
    messages = random(100, 40)
    wanted = fleet.ctr("simon-64/128", keys, ivs, messages).data
    shared = hazmat.ctr("speck-64/128", bytes(16), bytes(8), device="cuda:all")
    problems: list[object] = []

    def work(number: int) -> None:
        try:
            for _ in range(5):
                own = hazmat.ctr("speck-64/128", bytes([number]) * 16, bytes(8), device="cuda")
                assert own.update(data) == hazmat.ctr(
                    "speck-64/128", bytes([number]) * 16, bytes(8)
                ).update(data)
                assert np.array_equal(
                    fleet.ctr(
                        "simon-64/128", keys, ivs, gpu.to_device(messages), verify="sample"
                    ).data.numpy(),
                    wanted,
                )
                shared.update(bytes(16 * number))
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert shared.remaining == (1 << 20) - 5 * 2 * (1 + 2 + 3 + 4)


# The command


def command(fake: Driver, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    folder = os.path.dirname(fake.cuda._name)  # noqa: PTH120
    plain = os.environ | {"LD_LIBRARY_PATH": folder, "COLUMNS": "200"} | environment
    return subprocess.run(
        [sys.executable, "-m", "hanji.cli", *arguments], capture_output=True, text=True, env=plain
    )


def test_list_shows_the_devices(fake: Driver) -> None:
    assert (
        "GPU cuda:1: Fake GPU 1, 8 GiB, compute capability 9.0, 1 multiprocessors\n"
        in command(fake, "list").stdout
    )
    assert (
        "; cannot be used: it has compute capability 6.0; the kernels need 7.5\n"
        in command(fake, "list", FAKE_CUDA_OLD="1").stdout
    )
    done = command(fake, "list", LD_LIBRARY_PATH="/nowhere")
    assert (
        "GPU: none; there is no NVIDIA driver: libcuda.so.1 was not found\n" in done.stdout
        and done.returncode == 0
    )
    assert (
        "GPU: none; the NVIDIA driver is there, but it has no device\n"
        in command(fake, "list", FAKE_CUDA_DEVICES="0").stdout
    )


def test_bench_measures_a_device(fake: Driver) -> None:
    options = ("--size", "4096", "--seconds", "0.001", "--device", "cuda:1")
    done = command(fake, "bench", "speck-64/128", *AEADS, *options, "--json")
    rows = json.loads(done.stdout)
    places = [f"cuda:1, {where} memory" for where in ("device", "host")]
    wanted = {
        (name, what, place)
        for name, what in [
            ("speck-64/128", "ctr"),
            ("speck-64/128", "fleet"),
            *((aead, "seal") for aead in AEADS),
        ]
        for place in places
    }
    assert {(row["kernel"], row["operation"], row["backend"]) for row in rows} == wanted
    assert all(
        row["bytes"] == 4096
        and row["seconds"] > 0
        and row["machine"] == "Fake GPU 1"
        and row["kind"] == "gpu"
        for row in rows
    )
    table = command(fake, "bench", "speck-64/128", *options).stdout
    assert "Fake GPU 1, one call at a time" in table and "4 KiB" in table and "GB/s" in table
    for more, sentence in [
        (
            ("esch256", *options),
            "no algorithm with kernels for GPUs is called esch256; there are ascon-aead128, cham-",
        ),
        (("--device", "cuda:7"), "device 7 was asked for; there are 2, numbered from 0"),
        (("--device", "cpu"), "no device has this name"),
        (("--device", "cuda", "--all-backends"), "are for the processor"),
    ]:
        done = command(fake, "bench", *more)
        assert (
            done.returncode in (1, 2) and sentence in done.stderr and "Traceback" not in done.stderr
        )
    done = command(fake, "bench", "--device", "cuda", LD_LIBRARY_PATH="/nowhere")
    assert done.returncode == 1
    assert done.stderr == (
        "hanji: there is no NVIDIA driver: libcuda.so.1 was not found; --device needs an NVIDIA GPU "
        "and its driver (Debian: nvidia-driver); without --device hanji bench measures the processor\n"
    )
