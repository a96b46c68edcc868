# SPDX-License-Identifier: Apache-2.0
"""Everything there is to measure on a GPU, in one call: what `lab/gpu/run-all` does.

It needs Python, NumPy, an NVIDIA driver and a wheel of hanji that `make wheel` built elsewhere; no
compiler, no network, nothing installed. First every kernel is compared with the library on the
processor; one that is wrong is named, is marked in the results and is not measured. Then come the
measurements, the most important first. Each part has a time limit, and what is not done in time is
done by the same command with --resume.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import spec
from ..checkout import LabError
from ..results import Result
from . import ciphers, fleets, generate
from .calls import calls
from .ciphers import Cipher
from .device import Argument, CudaError, Device, Kernel
from .session import COMMAND, FULL, SHORT, Session, Sizes, slug

# of the ALU pipe, per clock and multiprocessor (NVIDIA, CUDA C++ Programming Guide, throughput of
# arithmetic instructions)
LANES = 64
FAMILIES = ("speck64", "simon64", "simeck64")
TABLE3 = (15_360, 35_840)  # 1,024 x 15 and 1,024 x 35 messages
WARP, SLICED = 32, generate.SLICED_THREADS
WRONG, USAGE, CUT = 1, 2, 3  # exit statuses

Bytes = NDArray[np.uint8]

# What the processor does of table 3: own key per block, one thread. Run in a process of its own, so
# that HANJI_FORCE can choose the tier.
PROCESSOR = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
from hanji import fleet
found = {}
for cipher in sys.argv[2].split(","):
    for n in map(int, sys.argv[3].split(",")):
        keys, ivs, data = np.ones((n, 16), np.uint8), np.ones((n, 8), np.uint8), np.zeros((n, 8), np.uint8)
        times = []
        for _ in range(int(sys.argv[4])):
            begin = time.perf_counter()
            fleet.ctr(cipher, keys, ivs, data, threads=1)
            times.append(time.perf_counter() - begin)
        found[f"{cipher} {n}"] = sorted(times)[len(times) // 2]
print(json.dumps(found))
"""


def unpack(wheel: Path, folder: Path) -> None:
    """Unpack a wheel of hanji for this Python; LabError that says what is wrong with it."""
    if not wheel.is_file():
        raise LabError(
            f"{wheel} does not exist; `make wheel` makes dist/hanji-*.whl, on a machine with "
            "a compiler and the same Python"
        )
    found = re.fullmatch(r"hanji-[^-]+(?:-\d[^-]*)?-([^-]+)-([^-]+)-([^-]+)\.whl", wheel.name)
    if not found:
        raise LabError(
            f"{wheel.name} given, a wheel of hanji expected, such as "
            "hanji-0.2.0-cp311-cp311-linux_x86_64.whl"
        )
    here = f"cp{sys.version_info.major}{sys.version_info.minor}"
    if found[1] != here and found[2] != "abi3":
        raise LabError(
            f"{wheel.name} is for {found[1]}, this Python is {here}: build a wheel with the "
            "Python that runs it"
        )
    platform = sysconfig.get_platform().rpartition("-")[2]
    if not found[3].endswith(platform):
        raise LabError(f"{wheel.name} is for {found[3]}, this machine is {platform}")
    try:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    except zipfile.BadZipFile as error:
        raise LabError(f"{wheel.name} is not a wheel: {error}") from None
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name == "hanji" or name.startswith("hanji.")]:
        del sys.modules[name]
    try:
        module = import_module("hanji")
    except ImportError as error:
        raise LabError(f"{wheel.name} cannot be used here: {error}") from None
    if Path(module.__file__ or "").resolve().parent != (folder / "hanji").resolve():
        raise LabError(
            f"{wheel.name} holds no package hanji; another one at {module.__file__} was "
            "found instead"
        )


def kernels_of(wheel: Path, root: Path) -> dict[str, str]:
    """The PTX that the wheel holds; LabError unless it is that of this checkout."""
    try:
        images: dict[str, str] = import_module("hanji._gpu").images()
    except (ImportError, AttributeError) as error:
        raise LabError(
            f"{wheel.name} has no kernels for GPUs ({error}); build it anew: make wheel"
        ) from None
    for path in sorted((root / "src/gpu/generated").glob("*.ptx")):
        if path.stem not in images:
            raise LabError(
                f"{wheel.name} holds no {path.stem}.ptx; build it from this checkout: make wheel"
            )
        if _instructions(images[path.stem]) != _instructions(path.read_text(encoding="ascii")):
            raise LabError(
                f"{wheel.name} holds another {path.stem}.ptx than src/gpu; build it from "
                "this checkout: make wheel"
            )
    return images


def _instructions(ptx: str) -> list[str]:
    """The lines of PTX without comments and indentation, which the build leaves out."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", ptx.strip("\0"), flags=re.DOTALL)
    return [line.strip() for line in text.splitlines() if line.strip()]


# Launches. All arrays are addresses in device memory.


@dataclass(frozen=True)
class Stream:
    """A kernel with one key: whole vectors on words, in slices, or a tail."""

    cipher: Cipher
    stem: str
    operation: str
    layout: str  # words, x32 or tail

    @property
    def name(self) -> str:
        per_vector = 4 // self.cipher.words
        layout = (
            f"x{generate.STREAM_VECTORS[self.cipher.words] * per_vector}"
            if self.layout == "words"
            else self.layout
        )
        return f"hanji_{self.cipher.key}_sm75_{self.operation}_{layout}"

    @property
    def file(self) -> str:
        return f"{self.stem}_sm75{'_x32' if self.layout == 'x32' else ''}"

    @property
    def unit(self) -> int:
        """Bytes must be a multiple of this."""
        return (
            4096 * self.cipher.words
            if self.layout == "x32"
            else 16
            if self.layout == "words"
            else 1
        )

    def keys(self, secret: bytes) -> bytes:
        """Round keys, or in slices their bits as masks."""
        algorithm = spec.algorithm(self.cipher.key)
        keys = [int(k) for k in algorithm.round_keys(secret)]
        if self.layout == "x32":
            return b"".join(
                (0xFFFFFFFF * (k >> i & 1)).to_bytes(4, "little")
                for k in keys
                for i in range(algorithm.width)
            )
        return b"".join(k.to_bytes(max(4, algorithm.width // 8), "little") for k in keys)

    def launch(
        self,
        kernel: Kernel,
        out: int,
        source: int,
        keys: int,
        size: int,
        iv: bytes,
        stream: Any = None,
    ) -> None:
        arguments: list[Argument] = [out, source, keys]
        if self.layout == "words":
            arguments.append((size // 16, 4))
        elif self.layout == "tail":
            arguments.append((size, 4))
        if self.operation == "ctr":
            fixed = [
                int.from_bytes(iv[4 * w : 4 * w + 4], "little")
                for w in range(self.cipher.words - 1)
            ]
            arguments += [(value, 4) for value in (int.from_bytes(iv[-4:], "big"), *fixed)]
        if self.layout == "words":
            per_cta = generate.THREADS * generate.STREAM_VECTORS[self.cipher.words]
            kernel(-(-size // (16 * per_cta)), generate.THREADS, arguments, stream)
        elif self.layout == "x32":
            threads = size // (128 * self.cipher.words)
            per_cta = SLICED if threads % SLICED == 0 else WARP
            kernel(threads // per_cta, per_cta, arguments, stream)
        else:
            kernel(1, WARP, arguments, stream)


def streams() -> Iterator[Stream]:
    for stem, variants in ciphers.FILES.items():
        for cipher in variants:
            for operation in ("ctr", "encrypt", "decrypt"):
                yield Stream(cipher, stem, operation, "words")
                yield Stream(cipher, stem, operation, "tail")
        for operation in generate.SLICED.get(stem, {}):
            yield Stream(variants[0], stem, operation, "x32")


@dataclass(frozen=True)
class Fleet:
    """A kernel with a key per message: ours in CTR, ours for the operation of the paper (a block
    each, encrypted), or one of those to compare with.
    """

    key: str
    file: str
    name: str
    layout: str  # x1, x2, x32, paper or c
    words: int
    key_words: int
    ecb: bool = False  # a block is encrypted, as the paper does it; otherwise CTR

    @property
    def unit(self) -> int:
        return 1024 if self.layout == "x32" else 1

    def sizes(self, messages: int) -> dict[str, int]:
        """Of its arrays, for messages of one block."""
        block = 4 * self.words * messages
        found = {"out": block, "in": block, "keys": 4 * self.key_words * messages}
        return (
            found
            | ({} if self.ecb else {"counters": block})
            | ({"offsets": 8 * messages + 8} if self.layout == "x1" else {})
        )

    def moved(self, messages: int) -> int:
        """Bytes read and written for messages of one block."""
        return sum(self.sizes(messages).values())

    def launch(self, kernel: Kernel, at: dict[str, int], messages: int) -> None:
        arguments: list[Argument] = [at[name] for name in self.sizes(1)]
        if self.layout == "x32":
            per_cta = SLICED if messages % (4 * 1024) == 0 else WARP
            kernel(messages // (WARP * per_cta), per_cta, arguments)
            return
        arguments.append((messages, 4))
        threads = 1024 if self.layout in ("paper", "c") else fleets.THREADS
        kernel(
            -(
                -messages
                // (threads * (fleets.SINGLES if self.layout == f"x{fleets.SINGLES}" else 1))
            ),
            threads,
            arguments,
        )


def own_keys() -> Iterator[Fleet]:
    for stem in FAMILIES:
        key = f"{stem}_128"
        yield Fleet(key, f"{stem}_sm75_paper", f"hanji_{stem}_ptx_paper", "paper", 2, 4, True)
        yield Fleet(key, "plain", f"hanji_{stem}_c", "c", 2, 4, True)
        for layout in (f"x{fleets.SINGLES}", "x32"):
            if layout != "x32" or key in fleets.SLICED:
                name = f"hanji_{key}_sm75_own_{layout}"
                yield Fleet(key, f"{stem}_sm75_own", name, layout, 2, 4, True)
    for stem, variants in ciphers.FILES.items():
        for cipher in variants:
            for layout in (f"x{fleets.SINGLES}", "x32", "x1"):
                if layout != "x32" or cipher.key in fleets.SLICED:
                    name = f"hanji_{cipher.key}_sm75_fleet_{layout}"
                    yield Fleet(
                        cipher.key,
                        f"{stem}_sm75_fleet",
                        name,
                        layout,
                        cipher.words,
                        fleets.OWN[cipher.key].key_words,
                    )


# Correctness


def check(s: Session) -> None:
    """Every kernel against the library on the processor, which passes its self-test of published
    vectors first.
    """
    hanji = import_module("hanji")
    failed = [name for name, right in hanji.selftest().items() if not right]
    if failed:
        raise LabError(f"the library fails its self-test on this processor: {', '.join(failed)}")
    for stream in streams():
        _checked(s, stream.name, stream.file, stream.operation, partial(_check_stream, s, stream))
    for fleet in own_keys():
        _checked(s, fleet.name, fleet.file, "fleet", partial(_check_fleet, s, fleet))
    for sponge in SPONGES:
        _checked(s, sponge.entry("seal"), sponge.file, "seal", partial(_check_sponge, s, sponge))


def _checked(s: Session, name: str, file: str, operation: str, run: Callable[[], str]) -> None:
    item = f"check {name}"
    if not s.todo(item):
        return
    what = run()
    if what:
        s.mark_wrong(name, what)
    s.add(
        item,
        Result(
            name.removeprefix("hanji_"),
            s.machine,
            "gpu",
            operation,
            None,
            s.provenance(file),
            cache=None,
            more={"correct": False, "wrong": what} if what else {"correct": True},
        ),
    )


def _difference(got: bytes, wanted: bytes) -> str:
    if got == wanted:
        return ""
    place = next(i for i, (a, b) in enumerate(zip(got, wanted, strict=True)) if a != b)
    return (
        f"byte {place} of {len(wanted)} is {got[place]:#04x}, the library says {wanted[place]:#04x}"
    )


def _check_stream(s: Session, stream: Stream) -> str:
    hazmat = import_module("hanji.hazmat")
    algorithm = spec.algorithm(stream.cipher.key)
    chance = random.Random(stream.name)
    kernel = s.kernel(stream.file, stream.name)
    block = algorithm.block_size
    if stream.layout == "tail":
        sizes = list(range(1, 16)) if stream.operation == "ctr" else [8] if block == 8 else []
    else:
        sizes = [
            stream.unit * n
            for n in ((1, 3, 4, 21) if stream.layout == "x32" else (1, 5, 1023, 1024, 1025, 70001))
        ]
    for size in sizes:
        secret, data = chance.randbytes(algorithm.key_size), chance.randbytes(size)
        # The largest counters that a launch may have, and any.
        last = ((1 << 32) - -(-size // block)) if size % 3 else chance.randrange(1 << 31)
        iv = chance.randbytes(block - 4) + last.to_bytes(4, "big")
        if stream.operation == "ctr":
            wanted = hazmat.ctr(algorithm.name, secret, iv).update(data)
        else:
            wanted = getattr(hazmat.block(algorithm.name, secret), stream.operation)(data)
        keys = stream.keys(secret)
        for in_place in (False, True):
            with s.device.arrays(data=size + 16, out=size + 16, keys=len(keys)) as at:
                s.device.put(at["keys"], keys)
                s.device.put(at["data"], data)
                s.device.fill(at["out"], size + 16, 0xA5)
                out = at["data"] if in_place else at["out"]
                stream.launch(kernel, out, at["data"], at["keys"], size, iv)
                got = s.device.bytes_at(out, size)
                after = b"\xa5" * 16 if in_place else s.device.bytes_at(at["out"] + size, 16)
            what = _difference(got, wanted) or (
                "" if after == b"\xa5" * 16 else "bytes after the output were written"
            )
            if what:
                return f"{size} bytes{' in place' if in_place else ''}: {what}"
    return ""


def _check_fleet(s: Session, fleet: Fleet) -> str:
    library = import_module("hanji.fleet")
    algorithm = spec.algorithm(fleet.key)
    chance = random.Random(fleet.name)
    block, key_size = algorithm.block_size, algorithm.key_size
    kernel = s.kernel(fleet.file, fleet.name)
    for n in (1024, 5120) if fleet.layout == "x32" else (1, 255, 513, 4099):
        lengths = (
            [chance.randrange(4 * block + 1) for _ in range(n)]
            if fleet.layout == "x1"
            else [block] * n
        )
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype("<i8")
        total = int(offsets[-1])
        keys = np.frombuffer(chance.randbytes(n * key_size), np.uint8).reshape(n, key_size)
        counters = np.frombuffer(chance.randbytes(n * block), np.uint8).reshape(n, block).copy()
        counters[::3, block // 2 :] = 0xFF
        data = np.frombuffer(chance.randbytes(total), np.uint8)
        given = {
            "in": counters.tobytes() if fleet.ecb else data.tobytes(),
            "keys": keys.tobytes(),
            "counters": counters.tobytes(),
        }
        given["offsets"] = offsets.tobytes()
        # One block encrypted is what CTR makes of zeros.
        expected = library.ctr(
            algorithm.name, keys, counters, np.zeros_like(data) if fleet.ecb else data, offsets
        )
        sizes = fleet.sizes(n) | {"in": total, "out": total}
        with s.device.arrays(**sizes) as at:
            for name in sizes:
                if name != "out":
                    s.device.put(at[name], given[name])
            s.device.fill(at["out"], max(total, 16))
            fleet.launch(kernel, at, n)
            what = _difference(
                s.device.bytes_at(at["out"], total), np.asarray(expected.data).tobytes()[:total]
            )
        if what:
            return f"{n} messages: {what}"
    return ""


SPONGE = ("out", "in", "keys", "nonces", "tags", "offsets", "ad", "ad_offsets", "status")


@dataclass(frozen=True)
class Sponge:
    """An AEAD whose fleets have a message per thread."""

    algorithm: str  # of hanji.fleet
    key: str
    file: str
    nonce: int

    def entry(self, operation: str) -> str:
        return f"hanji_{self.key}_sm75_{operation}_x1"


SPONGES = (
    Sponge("ascon-aead128", "ascon_aead128", "ascon_sm75_fleet", 16),
    Sponge("schwaemm256-128", "schwaemm256_128", "schwaemm256_sm75_fleet", 32),
)


def _sponge_sizes(sponge: Sponge, n: int, total: int, ad: int) -> dict[str, int]:
    return dict(
        zip(
            SPONGE,
            (total, total, 16 * n, sponge.nonce * n, 16 * n, 8 * n + 8, ad, 8 * n + 8, n),
            strict=True,
        )
    )


def _check_sponge(s: Session, sponge: Sponge) -> str:
    library = import_module("hanji.fleet")
    chance = random.Random("sponge")
    n = 500
    lengths, ad_lengths = ([chance.randrange(100) for _ in range(n)] for _ in range(2))
    offsets, ad_offsets = (
        np.concatenate([[0], np.cumsum(x)]).astype("<i8") for x in (lengths, ad_lengths)
    )
    keys = np.frombuffer(chance.randbytes(16 * n), np.uint8).reshape(n, 16)
    nonces = np.frombuffer(chance.randbytes(sponge.nonce * n), np.uint8).reshape(n, sponge.nonce)
    data, ad = (
        np.frombuffer(chance.randbytes(int(o[-1])), np.uint8) for o in (offsets, ad_offsets)
    )
    sealed = library.encrypt(
        sponge.algorithm, keys, nonces, data, offsets, associated_data=ad, ad_offsets=ad_offsets
    )
    wanted, tags = np.asarray(sealed.data).tobytes(), np.asarray(sealed.tags).copy()
    sizes = _sponge_sizes(sponge, n, data.size, ad.size)
    given = {
        "keys": keys,
        "nonces": nonces,
        "offsets": offsets.view(np.uint8),
        "ad": ad,
        "ad_offsets": ad_offsets.view(np.uint8),
    }
    for operation in ("seal", "open"):
        kernel = s.kernel(sponge.file, sponge.entry(operation))
        damaged = list(range(0, n, 7)) if operation == "open" else []
        with s.device.arrays(**sizes) as at:
            for name, array in given.items():
                s.device.put(at[name], np.ascontiguousarray(array).reshape(-1))
            s.device.put(at["in"], wanted if operation == "open" else data.tobytes())
            if operation == "open":
                tags[damaged, 3] ^= 1
                s.device.put(at["tags"], tags.tobytes())
            kernel(-(-n // 128), 128, [*(at[name] for name in SPONGE), (n, 4)])
            out, made, status = (
                s.device.bytes_at(at[name], size)
                for name, size in (("out", data.size), ("tags", 16 * n), ("status", n))
            )
        plain_text = data.copy()
        for i in damaged:
            plain_text[offsets[i] : offsets[i + 1]] = 0
        what = _difference(out, wanted if operation == "seal" else plain_text.tobytes())
        what = what or (_difference(made, tags.tobytes()) if operation == "seal" else "")
        what = what or _difference(status, bytes(0xFD if i in damaged else 0 for i in range(n)))
        if what:
            return f"{operation}: {what}"
    return ""


# Speed


def _repeat(s: Session, once: Callable[[], None]) -> list[float]:
    """Seconds of one call, several times: each the mean over as many as fill the time of a repeat."""
    once()
    times: list[float] = []
    with s.device.timed(times):
        once()
    calls = max(1, min(1000, int(s.sizes.seconds / max(times[0], 1e-9))))
    times = []
    for _ in range(s.sizes.repeats):
        with s.device.timed(times):
            for _ in range(calls):
                once()
    return [t / calls for t in times]


def _speed(
    s: Session,
    name: str,
    file: str,
    operation: str,
    size: int,
    blocks: int,
    moved: int,
    times: Sequence[float],
    **more: Any,
) -> Result:
    """A kernel's result: blocks and bytes per second, its share of the model's bound and of what
    copying moves, SM cycles per block.
    """
    seconds = statistics.median(times)
    found: dict[str, Any] = {
        "correct": True,
        "seconds": seconds,
        "spread": (max(times) - min(times)) / seconds,
        "blocks_per_s": blocks / seconds,
    }
    found |= {
        "gb_per_s": size / seconds / 1e9,
        "moved_gb_per_s": moved / seconds / 1e9,
        "clock_ghz": s.clock / 1e9,
    }
    alu = _alu(s.root).get(name)
    if alu and s.clock:
        bound = LANES * s.device.multiprocessors * s.clock / alu
        found |= {
            "alu_per_block": alu,
            "alu_bound_blocks_per_s": bound,
            "share_of_alu_bound": blocks / seconds / bound,
        }
    if s.copy:
        found["share_of_copy"] = moved / seconds / s.copy
    cycles = seconds * s.clock * s.device.multiprocessors / blocks if s.clock else None
    return Result(
        name.removeprefix("hanji_"), s.machine, "gpu", operation, size, s.provenance(file), cache=None, cycles=cycles,
        cycles_per_byte=cycles / (size / blocks) if cycles else None, more=found | more,
    )  # fmt: skip


def _alu(root: Path) -> dict[str, float]:
    """Executed ALU instructions per block or message, counted in the machine code for sm_90, by
    entry.
    """
    held = json.loads((root / "lab/gates/gpu.json").read_text(encoding="utf-8"))
    return {
        f"hanji_{row.split()[0]}": next(iter(values.values())) / 1000
        for row, values in held.items()
    }


def copies(s: Session) -> None:
    """The clock, copying within the device, and over PCIe: each way, and both at once."""
    item, size = "copies", s.sizes.copy_bytes
    if not s.todo(item):
        return
    times: list[float] = []
    with s.device.arrays(out=8) as at:
        kernel = s.kernel("clock", "hanji_clock")
        kernel(1, 1, [at["out"], (s.sizes.ticks // 10, 4)])
        with s.device.timed(times):
            kernel(1, 1, [at["out"], (s.sizes.ticks, 4)])
        s.clock = int.from_bytes(s.device.bytes_at(at["out"], 8), "little") / times[0]
        times = []
        for _ in range(s.sizes.table_repeats):  # a kernel that does nothing
            with s.device.timed(times):
                kernel(1, 1, [at["out"], (0, 4)])
        launch = statistics.median(times)
    with s.device.arrays(a=size, b=size) as at:
        within = statistics.median(_repeat(s, lambda: s.device.copy(at["b"], at["a"], size)))
        s.copy = 2 * size / within
        rates = {}
        with (
            s.device.pinned(size) as up,
            s.device.pinned(size) as down,
            s.device.streams(2) as (one, two),
        ):

            def to_device() -> None:
                s.device.put(at["a"], up, one)

            def to_host() -> None:
                s.device.take(at["b"], down, two)

            def both() -> None:
                to_device()
                to_host()

            for name, call in (("to_device", to_device), ("to_host", to_host), ("both", both)):
                call()
                s.device.wait()
                begin = time.perf_counter()
                for _ in range(s.sizes.repeats):
                    call()
                s.device.wait()
                rates[name] = s.sizes.repeats * size / (time.perf_counter() - begin)
        s.two_way = rates["both"]
    more: dict[str, Any] = {
        "clock_ghz": s.clock / 1e9, "copy_moved_gb_per_s": s.copy / 1e9, "to_device_gb_per_s": rates["to_device"] / 1e9,
        "launch_milliseconds": 1000 * launch,
        "to_host_gb_per_s": rates["to_host"] / 1e9, "two_way_gb_per_s_each": rates["both"] / 1e9, "multiprocessors": s.device.multiprocessors,
        "compute_capability": s.device.capability, "memory_bytes": s.device.memory,
    }  # fmt: skip
    s.add(
        item,
        Result(
            "copy", s.machine, "gpu", "copy", size, s.provenance("clock"), cache=None, more=more
        ),
    )
    s.say(
        f"{s.clock / 1e9:.3f} GHz; copy moves {s.copy / 1e9:.0f} GB/s; PCIe both ways at "
        f"once {rates['both'] / 1e9:.1f} GB/s each"
    )


def _filled(s: Session, at: dict[str, int], sizes: dict[str, int]) -> None:
    for name, size in sizes.items():
        s.device.fill(at[name], size, 0x5A)


def _fleet_offsets(s: Session, address: int, messages: int, block: int) -> None:
    s.device.put(address, (np.arange(messages + 1, dtype="<i8") * block).view(np.uint8))


def table3(s: Session) -> None:
    """The paper's table 3: processor, C for the GPU, the paper's PTX, and ours; kernel alone, one
    launch.
    """
    names = ",".join(spec.algorithm(f"{stem}_128").name for stem in FAMILIES)
    for tier in ("portable", ""):
        item = f"table3 processor {tier}"
        if not s.todo(item):
            continue
        environment = {k: v for k, v in os.environ.items() if k != "HANJI_FORCE"} | (
            {"HANJI_FORCE": tier} if tier else {}
        )
        command = [
            sys.executable,
            "-c",
            PROCESSOR,
            str(s.folder),
            names,
            ",".join(map(str, TABLE3)),
            str(s.sizes.repeats),
        ]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode:
            raise LabError(f"the processor's part of table 3 failed: {done.stderr.strip()[-300:]}")
        for what, seconds in json.loads(done.stdout).items():
            cipher, n = what.split()
            more = {
                "milliseconds": 1000 * seconds,
                "messages": int(n),
                "table": "3",
                "tier": tier or "best",
            }
            result = Result(
                spec.identifier(cipher),
                "processor beside the GPU",
                "host",
                "fleet",
                8 * int(n),
                s.provenance("clock"),
                more=more,
            )
            s.made[f"{item} {what}"] = result.to_json()
        s.add(
            item,
            Result(
                "table3",
                "processor beside the GPU",
                "host",
                "done",
                None,
                s.provenance("clock"),
                more={"tier": tier or "best"},
            ),
        )
    for n in TABLE3:
        for fleet in own_keys():
            item = f"table3 {fleet.name} {n}"
            if (
                fleet.key.partition("_")[0] not in FAMILIES
                or fleet.name in s.wrong
                or fleet.layout == "x1"
                or not s.todo(item)
            ):
                continue
            kernel, times = s.kernel(fleet.file, fleet.name), list[float]()
            with s.device.arrays(**fleet.sizes(n)) as at:
                _filled(s, at, fleet.sizes(n))
                fleet.launch(kernel, at, n)
                for _ in range(s.sizes.table_repeats):
                    with s.device.timed(times):
                        fleet.launch(kernel, at, n)
            more = {"milliseconds": 1000 * statistics.median(times), "messages": n, "table": "3"}
            s.add(
                item,
                _speed(s, fleet.name, fleet.file, "fleet", 8 * n, n, fleet.moved(n), times, **more),
            )
            s.say(
                f"table 3: {fleet.name.removeprefix('hanji_')}, {n:,} messages: "
                f"{1000 * more['milliseconds']:.2f} us"
            )


def large_fleets(s: Session) -> None:
    """Many messages of one block, each with its own key."""
    for fleet in own_keys():
        item = f"fleet {fleet.name}"
        if fleet.name in s.wrong or not s.todo(item):
            continue
        result = _fleet_speed(s, fleet)
        s.add(item, result)
        _say_speed(s, result, "messages")


def _fleet_speed(s: Session, fleet: Fleet) -> Result:
    n = s.sizes.fleet_messages
    while fleet.moved(n) > 0.6 * s.device.memory:
        n //= 2
    sizes, kernel = fleet.sizes(n), s.kernel(fleet.file, fleet.name)
    with s.device.arrays(**sizes) as at:
        _filled(s, at, sizes)
        if "offsets" in sizes:
            _fleet_offsets(s, at["offsets"], n, 4 * fleet.words)
        times = _repeat(s, lambda: fleet.launch(kernel, at, n))
    return _speed(
        s,
        fleet.name,
        fleet.file,
        "fleet",
        4 * fleet.words * n,
        n,
        fleet.moved(n),
        times,
        messages=n,
    )


def _say_speed(s: Session, result: Result, unit: str) -> None:
    bound, copy = result.more.get("share_of_alu_bound"), result.more.get("share_of_copy")
    shares = ", ".join(
        f"{100 * x:.0f} % of {of}" for x, of in ((bound, "the ALU bound"), (copy, "copying")) if x
    )
    said = f"{result.more['blocks_per_s'] / 1e9:.2f} G {unit}/s, {result.more['gb_per_s']:.0f} GB/s"
    s.say(f"{result.kernel}: {said}{f' ({shares})' if shares else ''}")


def large_streams(s: Session) -> None:
    """One key over much data, kernel alone; CTR before blocks."""
    for stream in sorted(
        (x for x in streams() if x.layout != "tail"),
        key=lambda x: (x.operation != "ctr", x.layout == "words"),
    ):
        item = f"stream {stream.name}"
        if stream.name in s.wrong or not s.todo(item):
            continue
        result = _stream_speed(s, stream)
        s.add(item, result)
        _say_speed(s, result, "blocks")


def _stream_speed(s: Session, stream: Stream) -> Result:
    size, iv = s.sizes.stream_bytes, bytes(4 * stream.cipher.words)
    while 2 * size > 0.8 * s.device.memory:
        size //= 2
    keys, kernel = (
        stream.keys(bytes(spec.algorithm(stream.cipher.key).key_size)),
        s.kernel(stream.file, stream.name),
    )
    with s.device.arrays(out=size, data=size, keys=len(keys)) as at:
        s.device.put(at["keys"], keys)
        s.device.fill(at["data"], size, 0x5A)
        times = _repeat(
            s, lambda: stream.launch(kernel, at["out"], at["data"], at["keys"], size, iv)
        )
    return _speed(
        s, stream.name, stream.file, stream.operation, size, size // len(iv), 2 * size, times
    )


def matching(patterns: Sequence[str]) -> list[Stream | Fleet]:
    """The kernels that are measured and whose names match; LabError when there are none."""
    every: list[Stream | Fleet] = [*(x for x in streams() if x.layout != "tail"), *own_keys()]
    chosen = [
        x for x in every if any(fnmatchcase(x.name.removeprefix("hanji_"), p) for p in patterns)
    ]
    if not chosen:
        raise LabError(
            f"no kernel for GPUs matches {' '.join(patterns)}; `hanji-lab kernels '*sm75*'` "
            "lists the names, * stands for any part of one"
        )
    return chosen


def cycles(
    root: Path, patterns: Sequence[str], command: str, sizes: Sizes = FULL, number: int = 0
) -> list[Result]:
    """SM cycles per block of the kernels whose names match, each compared with the library on the
    processor before: `hanji-lab cycles GLOB --on gpu`.

    LabError without a GPU, without a kernel of such a name, or when one is wrong.
    """
    chosen = matching(patterns)
    found = []
    with (
        Device(number) as device,
        ExitStack() as stack,
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
    ):
        s = Session(
            root,
            device,
            None,
            root,
            None,
            sizes,
            nowhere,
            stack=stack,
            command=command,
            quiet=True,
            deadline=float("inf"),
        )
        copies(s)
        for x in chosen:
            what = _check_stream(s, x) if isinstance(x, Stream) else _check_fleet(s, x)
            if what:
                raise LabError(f"{x.name} is wrong: {what}")
            found.append(_stream_speed(s, x) if isinstance(x, Stream) else _fleet_speed(s, x))
    return found


def transfers(s: Session) -> None:
    """CTR with one key over host memory: page-locked chunks on three streams, so that copies both
    ways and work overlap.
    """
    chunk, count = s.sizes.chunk_bytes, s.sizes.chunks
    wanted = {
        ("speck64_128", "words"),
        ("speck128_128", "words"),
        ("simon64_128", "x32"),
        ("simeck64_128", "x32"),
        ("cham128_128", "words"),
    }
    for stream in streams():
        item = f"transfers {stream.name}"
        if (
            stream.operation != "ctr"
            or (stream.cipher.key, stream.layout) not in wanted
            or stream.name in s.wrong
            or not s.todo(item)
        ):
            continue
        keys, kernel = (
            stream.keys(bytes(spec.algorithm(stream.cipher.key).key_size)),
            s.kernel(stream.file, stream.name),
        )
        block = 4 * stream.cipher.words
        with ExitStack() as stack:
            at = stack.enter_context(
                s.device.arrays(keys=len(keys), chunk0=chunk, chunk1=chunk, chunk2=chunk)
            )
            host = [
                (
                    stack.enter_context(s.device.pinned(chunk)),
                    stack.enter_context(s.device.pinned(chunk)),
                )
                for _ in range(3)
            ]
            lines = stack.enter_context(s.device.streams(3))
            s.device.put(at["keys"], keys)
            s.device.wait()
            times = []
            for _ in range(max(2, s.sizes.repeats // 2)):
                begin = time.perf_counter()
                for i in range(count):
                    line, (up, down), data = lines[i % 3], host[i % 3], at[f"chunk{i % 3}"]
                    s.device.put(data, up, line)
                    iv = (i * chunk // block % (1 << 31)).to_bytes(block, "big")
                    stream.launch(kernel, data, data, at["keys"], chunk, iv, line)
                    s.device.take(data, down, line)
                s.device.wait()
                times.append(time.perf_counter() - begin)
        size = chunk * count
        more = {"transfers": True} | (
            {"share_of_two_way": size / statistics.median(times) / s.two_way} if s.two_way else {}
        )
        result = _speed(
            s,
            stream.name,
            stream.file,
            "ctr with transfers",
            size,
            size // block,
            2 * size,
            times,
            **more,
        )
        s.add(item, result)
        share = more.get("share_of_two_way")
        s.say(
            f"{result.kernel} with transfers: {result.more['gb_per_s']:.1f} GB/s"
            + (f", {100 * share:.0f} % of copying both ways" if share else "")
        )


def sponges(s: Session) -> None:
    """Ascon-AEAD128 and SCHWAEMM256-128: seals of 64 bytes without associated data."""
    for sponge in SPONGES:
        _sponge_speed(s, sponge)


def _sponge_speed(s: Session, sponge: Sponge) -> None:
    item, name, n = f"sponge {sponge.algorithm}", sponge.entry("seal"), s.sizes.sponge_messages
    if name in s.wrong or not s.todo(item):
        return
    sizes, kernel = _sponge_sizes(sponge, n, 64 * n, 0), s.kernel(sponge.file, name)
    with s.device.arrays(**sizes) as at:
        _filled(s, at, sizes)
        _fleet_offsets(s, at["offsets"], n, 64)
        s.device.fill(at["ad_offsets"], sizes["ad_offsets"])
        times = _repeat(s, lambda: kernel(-(-n // 128), 128, [*(at[x] for x in SPONGE), (n, 4)]))
    result = _speed(s, name, sponge.file, "seal", 64 * n, n, sum(sizes.values()), times, messages=n)
    s.add(item, result)
    _say_speed(s, result, "seals")


@dataclass(frozen=True)
class Part:
    name: str
    seconds: float
    run: Callable[[Session], None]


# In the order of importance; the limits add up to less than eight minutes.
PARTS = (
    Part("check", 110, check),
    Part("copies", 20, copies),
    Part("table3", 60, table3),
    Part("fleets", 70, large_fleets),
    Part("streams", 70, large_streams),
    Part("transfers", 40, transfers),
    Part("sponge", 20, sponges),
    Part("calls", 70, calls),
)


def newest_wheel(root: Path) -> Path:
    found = sorted((root / "dist").glob("hanji-*.whl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise LabError(
            "there is no dist/hanji-*.whl; `make wheel` makes it on a machine with a "
            "compiler; or give one with --wheel"
        )
    return found[-1]


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").split("\n\n")[0])
    p.add_argument("--wheel", type=Path, help="the wheel of hanji; by default the newest in dist/")
    p.add_argument(
        "--out", type=Path, help="where the results go; by default results/ of the checkout"
    )
    p.add_argument("--device", type=int, default=0, help="number of the GPU")
    p.add_argument(
        "--part",
        action="append",
        choices=[part.name for part in PARTS],
        help="only this part; may be repeated",
    )
    p.add_argument(
        "--resume",
        action="store_true",
        help="keep what an earlier run with the same wheel has done",
    )
    p.add_argument("--seconds", type=float, default=460, help="time limit of all together")
    p.add_argument(
        "--short",
        action="store_true",
        help="little of everything: figures that mean nothing, for tests",
    )
    return p


def run(session: Session, parts: Sequence[Part], seconds: float) -> int:
    """All parts; the exit status."""
    end = time.monotonic() + seconds
    status = 0
    for part in parts:
        begin = time.monotonic()
        session.deadline = min(end, begin + part.seconds)
        session.say(f"== {part.name}, at most {max(0.0, session.deadline - begin):.0f} s")
        try:
            part.run(session)
        except CudaError as error:
            # After an error of the driver its context is not to be used again.
            session.say(f"FAILED: {part.name}: {error}; run again with --resume")
            return WRONG
        session.say(f"   {part.name} took {time.monotonic() - begin:.1f} s")
    if session.wrong:
        session.say(f"WRONG: {', '.join(session.wrong)}")
        status = WRONG
    if session.cut:
        session.say(
            f"no time was left for {len(session.cut)} items: "
            f"{', '.join(session.cut[:5])}{' ..' if len(session.cut) > 5 else ''}; use "
            "--resume"
        )
        status = status or CUT
    return status


def main(arguments: Sequence[str], root: Path) -> int:
    """What the command does; the exit status: 0, 1 a kernel is wrong or the driver failed, 2 it
    cannot run here, 3 there was no time for all.
    """
    given = parser().parse_args(arguments)
    try:
        wheel = given.wheel or newest_wheel(root)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            unpack(wheel, folder)
            images = kernels_of(wheel, root)
            with Device(given.device) as device:
                out = given.out or root / "results"
                out.mkdir(parents=True, exist_ok=True)
                sizes = SHORT if given.short else FULL
                with (
                    (out / f"gpu-{slug(device.name)}.log").open(
                        "a" if given.resume else "w", encoding="utf-8"
                    ) as log,
                    ExitStack() as stack,
                ):
                    session = Session(
                        root, device, wheel, folder, out, sizes, log, images=images, stack=stack
                    )
                    if given.resume:
                        session.resume()
                    session.say(
                        f"{device.name}: sm_{device.capability}, {device.multiprocessors} "
                        f"multiprocessors, {device.memory >> 20} MiB, {wheel.name}"
                    )
                    parts = [
                        part for part in PARTS if given.part is None or part.name in given.part
                    ]
                    status = run(session, parts, given.seconds)
                    session.say(f"written: {out / f'gpu-{slug(device.name)}.json'}")
                    return status
    except LabError as error:
        print(f"{COMMAND}: {error}", file=sys.stderr)
        return USAGE
