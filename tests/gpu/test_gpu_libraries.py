# SPDX-License-Identifier: Apache-2.0
"""hanji.gpu beside PyTorch and CuPy on a real GPU (`make test-gpu`): their arrays, their streams,
their memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu_driver import REAL

from hanji import fleet, gpu, hazmat

pytestmark = pytest.mark.skipif(not REAL, reason="needs a GPU; HANJI_TEST_GPU=1 uses it")

KEY, IV = bytes(range(16)), bytes(8)
CIPHER = "speck-64/128"
rng = np.random.default_rng(20261126)


def random(*shape: int) -> np.ndarray:
    return rng.integers(0, 256, shape, np.uint8)


@pytest.fixture(autouse=True)
def _driver(driver: object) -> None:
    """Every test needs a GPU."""


@pytest.fixture
def torch() -> Any:
    module = pytest.importorskip("torch")
    if not module.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return module


@pytest.fixture
def cupy() -> Any:
    return pytest.importorskip("cupy")


def enciphered(data: np.ndarray) -> bytes:
    return bytes(hazmat.ctr(CIPHER, KEY, IV).update(data))


def test_tensors_are_used_where_they_are(torch: Any) -> None:
    data = random(100_003)
    tensor = torch.from_numpy(data.copy()).cuda()
    result = torch.from_dlpack(hazmat.ctr(CIPHER, KEY, IV, device="cuda").update(tensor))
    assert result.is_cuda and result.cpu().numpy().tobytes() == enciphered(data)
    assert np.array_equal(tensor.cpu().numpy(), data)
    hazmat.ctr(CIPHER, KEY, IV, device="cuda").update_into(tensor, tensor)
    assert tensor.cpu().numpy().tobytes() == enciphered(data)


def test_cupy_arrays_are_used_where_they_are(cupy: Any) -> None:
    data = random(100_003)
    array = cupy.asarray(data)
    result = hazmat.ctr(CIPHER, KEY, IV, device="cuda").update(array)
    assert cupy.asnumpy(cupy.asarray(result)).tobytes() == enciphered(data)
    hazmat.ctr(CIPHER, KEY, IV, device="cuda").update_into(array, array)
    assert cupy.asnumpy(array).tobytes() == enciphered(data)


@pytest.mark.parametrize("algorithm", ["ascon-aead128", "schwaemm256-128"])
def test_fleets_of_tensors(torch: Any, algorithm: str) -> None:
    size = {"ascon-aead128": 16, "schwaemm256-128": 32}[algorithm]
    keys, nonces, data = random(5000, 16), random(5000, size), random(5000, 77)
    wanted = fleet.encrypt(algorithm, keys, nonces, data)
    given = [torch.from_numpy(array).cuda() for array in (keys, nonces, data)]
    sealed = fleet.encrypt(algorithm, *given, device="cuda")
    assert torch.from_dlpack(sealed.data).cpu().numpy().tobytes() == wanted.data.tobytes()
    assert torch.from_dlpack(sealed.tags).cpu().numpy().tobytes() == wanted.tags.tobytes()
    tags = torch.from_dlpack(sealed.tags).clone()
    tags[17, 3] ^= 1
    opened = fleet.decrypt(
        algorithm, given[0], given[1], torch.from_dlpack(sealed.data), tags, device="cuda"
    )
    plain = torch.from_dlpack(opened.data).cpu().numpy()
    assert not plain[17].any()
    plain[17] = data[17]
    assert np.array_equal(plain, data)


def test_work_of_a_side_stream_of_pytorch_comes_first_and_after(torch: Any) -> None:
    """A side stream fills the tensor late, hanji enciphers it there, and the side stream reads the
    result; nobody waits but at the end.
    """
    side = torch.cuda.Stream()
    size = 1 << 24
    for _ in range(8):
        with torch.cuda.stream(side):
            tensor = torch.zeros(size, dtype=torch.uint8, device="cuda")
            torch.cuda._sleep(20_000_000)
            tensor.fill_(7)
            stream = hazmat.ctr(CIPHER, KEY, IV, device="cuda", limit=1 << 40)
            stream.update_into(tensor, tensor, stream=side)
            copy = tensor.clone()
        del tensor  # its memory is not used again before the work is done
        with torch.cuda.stream(side):
            torch.full((size,), 9, dtype=torch.uint8, device="cuda")
        side.synchronize()
        wanted = hazmat.ctr(CIPHER, KEY, IV, limit=1 << 40).update(np.full(size, 7, np.uint8))
        assert copy.cpu().numpy().tobytes() == wanted


def test_work_of_a_stream_of_cupy_is_ordered(cupy: Any) -> None:
    side = cupy.cuda.Stream(non_blocking=True)
    data = random(1 << 22)
    with side:
        array = cupy.asarray(data)
        hazmat.ctr(CIPHER, KEY, IV, device="cuda").update_into(array, array, stream=side)
        array ^= cupy.uint8(0xFF)
    side.synchronize()
    assert (cupy.asnumpy(array) ^ 0xFF).tobytes() == enciphered(data)


def test_arrays_come_and_go_beside_the_allocator_of_pytorch(torch: Any) -> None:
    """Results are dropped at once, and the memory is used again, by either library."""
    data = random(1 << 20)
    wanted = enciphered(data)
    tensor = torch.from_numpy(data).cuda()
    for _ in range(200):
        result = torch.from_dlpack(hazmat.ctr(CIPHER, KEY, IV, device="cuda").update(tensor))
        copy = result.clone()
        del result
        gpu.to_device(np.zeros(1 << 20, np.uint8))
        assert copy.sum().item() == int(np.frombuffer(wanted, np.uint8).sum(dtype=np.int64))
    assert copy.cpu().numpy().tobytes() == wanted
