# SPDX-License-Identifier: Apache-2.0
"""Whole calls of Python: many messages, each with its own key, from host arrays, page-locked arrays
and device arrays, and the same call on the processors.

A sample of what a call makes is compared with what the processor makes of the sample alone. A call
that is wrong is marked in the results and is not measured. All that a call takes counts: checks,
copies, new arrays for results, and the wiping of those that nobody has any more.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import results, spec
from ..processor import machine, processor
from ..results import Provenance, Result
from . import ptx_path
from .device import CudaError
from .session import Session

Bytes = NDArray[np.uint8]

# Where the arrays lie that a call takes. Results are new arrays, of the same kind but for those of
# page-locked ones: there the call has an array for the texts, and tags are NumPy's.
HOST, PINNED, DEVICE, PROCESSORS = PLACES = (
    "host arrays",
    "page-locked arrays",
    "device arrays",
    "processors",
)
SAMPLES = 256  # messages that are compared
SOURCES = ("lab/gpu/calls.py", "python/hanji/fleet.py", "python/src/fleet.cpp")
GPU_SOURCES = (
    "python/hanji/_accelerate.py",
    "python/hanji/gpu.py",
    "python/src/gpu.cpp",
    "src/gpu/*.[ch]",
)


@dataclass(frozen=True)
class Call:
    """A function of hanji.fleet with an algorithm, for messages of one length."""

    algorithm: str
    operation: str
    file: str  # of its kernels
    size: int

    @property
    def rows(self) -> dict[str, int]:
        """Its arrays: bytes of a message in each."""
        made = spec.algorithm(self.algorithm)
        nonce = made.block_size if self.operation == "ctr" else made.nonce_size
        return {"keys": made.key_size, "nonces": nonce, "data": self.size}

    @property
    def name(self) -> str:
        return f"{self.algorithm}, {self.operation}, {self.size} bytes"


CALLS = (
    *(Call("ascon-aead128", "encrypt", "ascon_sm75_fleet", n) for n in (16, 64, 300, 1024)),
    *(Call("schwaemm256-128", "encrypt", "schwaemm256_sm75_fleet", n) for n in (64, 1024)),
    *(Call("speck-64/128", "ctr", "speck64_sm75_fleet", n) for n in (8, 64, 300)),
)


def calls(s: Session) -> None:
    """Every call in every place."""
    for call in CALLS:
        given: dict[str, Bytes] = {}
        for place in PLACES:
            item = f"call {call.name}, {place}"
            if not s.todo(item):
                continue
            given = given or _random(call, _messages(s, call))
            try:
                result = _measured(s, call, place, given)
            except import_module("hanji.gpu").DeviceError as error:
                raise CudaError(str(error)) from None
            if what := result.more.get("wrong"):
                s.mark_wrong(item, what)
            else:
                took = f"{result.more['nanoseconds_per_message']:.2f} ns a message"
                s.say(f"{call.name}, {place}: {took}")
            s.add(item, result)


def _messages(s: Session, call: Call) -> int:
    """As many as are asked for, or half of them as often as it takes until they fit into memory."""
    n = s.sizes.call_messages
    host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    each = sum(call.rows.values()) + call.size  # and the output
    # the host has both twice for a time, page-locked, too
    while each * n > 0.6 * s.device.memory or 2 * each * n > 0.6 * host:
        n //= 2
    return n


def _random(call: Call, n: int) -> dict[str, Bytes]:
    chance = np.random.default_rng(call.size)

    def rows(size: int) -> Bytes:
        words = chance.integers(0, 1 << 64, -(-n * size // 8), np.uint64)
        return words.view(np.uint8)[: n * size].reshape(n, size)

    return {name: rows(size) for name, size in call.rows.items()}


def _measured(s: Session, call: Call, place: str, given: dict[str, Bytes]) -> Result:
    n = len(given["data"])
    function = partial(getattr(import_module("hanji.fleet"), call.operation), call.algorithm)
    chosen = np.unique(np.linspace(0, n - 1, min(n, SAMPLES)).astype(np.intp))
    wanted = function(*(array[chosen] for array in given.values()), threads=1)
    once = _prepared(s, function, place, given)
    what = _difference(once(), wanted, chosen)
    more: dict[str, Any] = {"correct": not what, "place": place, "messages": n}
    if what:
        more["wrong"] = what
    else:
        times = _times(s, once)
        seconds = statistics.median(times)
        more |= {
            "seconds": seconds,
            "spread": (max(times) - min(times)) / seconds,
            "nanoseconds_per_message": 1e9 * seconds / n,
        }
    more |= {
        "processors": import_module("hanji._threads").usable_processors(),
        "processor": machine(),
    }
    there = place == PROCESSORS
    return Result(
        call.algorithm,
        "processor beside the GPU" if there else s.machine,
        "host" if there else "gpu",
        f"call of {call.operation}",
        n * call.size,
        _provenance(s, call, place),
        cache=None,
        more=more,
    )


def _prepared(
    s: Session, function: Callable[..., Any], place: str, given: dict[str, Bytes]
) -> Callable[[], Any]:
    """The call with its arrays in their place."""
    if place == PROCESSORS:
        return partial(function, *given.values())
    gpu, device = import_module("hanji.gpu"), f"cuda:{s.device.index}"
    if place == DEVICE:
        return partial(function, *(gpu.to_device(array, device) for array in given.values()))
    if place == HOST:
        return partial(function, *given.values(), device=device)
    arrays = []
    for array in given.values():
        arrays.append(gpu.pinned(array.shape, device))
        arrays[-1][...] = array
    out = gpu.pinned(given["data"].shape, device)
    return partial(function, *arrays, device=device, out=out)


def _difference(made: Any, wanted: Any, chosen: NDArray[np.intp]) -> str:
    """What is wrong with the chosen messages; "" for nothing."""
    for name in ("data", "tags"):
        if not hasattr(wanted, name):
            continue
        array = getattr(made, name)
        host = array if isinstance(array, np.ndarray) else array.numpy()
        wrong = chosen[(host[chosen] != getattr(wanted, name)).any(axis=1)]
        if wrong.size:
            return f"the {name} of message {wrong[0]} are not those of a call for the sample alone"
    return ""


def _times(s: Session, once: Callable[[], object]) -> list[float]:
    """Seconds of one call, several times: each the mean over as many, one after the other, as fill
    the time of a repeat.
    """

    def mean(number: int) -> float:
        s.device.wait()
        begin = time.perf_counter()
        for _ in range(number):
            once()
        s.device.wait()
        return (time.perf_counter() - begin) / number

    number = max(1, min(1000, int(s.sizes.seconds / mean(1))))
    return [mean(number) for _ in range(s.sizes.call_repeats)]


def _provenance(s: Session, call: Call, place: str) -> Provenance:
    """The wheel, which the tools name, holds the rest of what runs."""
    there = () if place == PROCESSORS else (ptx_path(call.file), *GPU_SOURCES)
    origin = s.provenance(call.file)
    return replace(
        origin,
        sources=results.sources(s.root, (*SOURCES, *there)),
        tools=[*origin.tools, processor()],
    )
