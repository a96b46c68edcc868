# SPDX-License-Identifier: Apache-2.0
"""Speed through the Python API, best of several runs, in one thread."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import platform
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hanji
from hanji import aead, algorithms, hashes, hazmat
from hanji._catalogue import similar
from hanji.cli import MAC_ALGORITHM, peers
from hanji.cli.peers.openssl import CONTEXT, OpenSSL, openssl
from hanji.cli.terminal import complain, console, write_text

DEFAULT_SIZES = (16, 1024, 16384, 1 << 20)
#: Every length of a few blocks, then ever larger steps.
SWEEP_SIZES = (
    *range(1, 33),
    *range(40, 129, 8),
    *range(160, 513, 32),
    *range(640, 2049, 128),
)
RUNS = 5

_KINDS = {a.name: a.kind for a in algorithms()}
_AEADS: dict[str, Any] = {c.name: c for c in (getattr(aead, n) for n in aead.__all__)}
_HASHES: dict[str, Any] = {c.name: c for c in (getattr(hashes, n) for n in hashes.__all__)}
_NO_LIMIT = 1 << 62


def default_names() -> list[str]:
    """What is measured when nothing is named: the first AEAD and the first hash of each family, the
    block ciphers with 64-bit blocks and 128-bit keys, and the cipher of MACs.
    """
    found = algorithms()
    first: dict[tuple[str, str], str] = {}
    for a in found:
        if a.kind in ("aead", "hash"):
            first.setdefault((a.kind, re.split("[-0-9]", a.name)[0]), a.name)
    blocks = [a.name for a in found if a.kind == "block" and (a.block_size, a.key_size) == (8, 16)]
    return [*first.values(), *blocks, MAC_ALGORITHM]


@dataclass(frozen=True)
class Clock:
    """The frequency by which seconds are turned into cycles, and where it comes from."""

    ghz: float
    source: str


def find_clock(stated: float | None) -> Clock | None:
    """The stated clock, else that of the x86 time stamp counter, else none.

    The kernel's bogomips is twice the counter's frequency in MHz where the counter is constant. The
    counter runs at a fixed reference rate: a core that boosts does more cycles of its own than are
    counted here.
    """
    if stated is not None:
        return Clock(stated, "as stated by --clock-ghz")
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return None
    found = re.search(r"^bogomips\s*:\s*([0-9.]+)$", text, re.MULTILINE)
    if found is None or not re.search(r"^flags\s*:.*\bconstant_tsc\b", text, re.MULTILINE):
        return None
    return Clock(float(found[1]) / 2000, "time stamp counter, not the core's own clock")


def processor() -> str:
    try:
        found = re.search(
            r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE
        )
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def operation(name: str, kind: str) -> str:
    """What is measured of an algorithm, "" when nothing is."""
    return {"aead": "encrypt", "hash": "hash", "xof": "hash", "block": "ctr"}.get(kind, "")


def prepare(name: str, size: int) -> Callable[[], Any]:
    """A function that processes one message of ``size`` bytes, in place where that is possible."""
    if name in _AEADS:
        cipher = _AEADS[name](bytes(_AEADS[name].key_size))
        buffer = bytearray(size + cipher.tag_size)
        nonce, text = bytes(cipher.nonce_size), memoryview(buffer)[:size]
        return lambda: cipher.encrypt_into(nonce, text, None, buffer)
    if name in _HASHES:
        make, data = _HASHES[name], bytes(size)
        if _KINDS[name] == "xof":
            return lambda: make(data).digest(32)
        return lambda: make(data).digest()
    sizes = {a.name: (a.key_size, a.block_size) for a in hanji.algorithms() if a.kind == "block"}
    key_size, block_size = sizes[name]
    stream = hazmat.ctr(name, bytes(key_size), bytes(block_size), limit=_NO_LIMIT)
    buffer = bytearray(size)
    return lambda: stream.update_into(buffer, buffer)


def seconds_per_call(call: Callable[[], Any], budget: float) -> tuple[float, int]:
    """The best of several runs, and the calls per run that fill the budget."""

    def run(repeats: int) -> float:
        steps = range(repeats)
        begin = time.perf_counter()
        for _ in steps:
            call()
        return (time.perf_counter() - begin) / repeats

    call()
    repeats = 1
    while (once := run(repeats)) * repeats < budget / (4 * RUNS):
        repeats *= 4
    repeats = max(1, round(budget / RUNS / once))
    return min(run(repeats) for _ in range(RUNS)), repeats


def select(patterns: Sequence[str]) -> list[tuple[str, str]]:
    """Names and operations that match; ValueError when a pattern matches nothing."""
    known = [(a.name, operation(a.name, a.kind)) for a in hanji.algorithms()]
    known = [(name, what) for name, what in known if what]
    for pattern in patterns:
        if not any(fnmatch.fnmatch(name, pattern) for name, _ in known):
            hint = similar(pattern, [name for name, _ in known], "see hanji list")
            raise ValueError(f"no algorithm that is measured is called {pattern}; {hint}")
    wanted = patterns or default_names()
    return [(name, what) for name, what in known if any(fnmatch.fnmatch(name, p) for p in wanted)]


def measure(
    chosen: list[tuple[str, str]],
    sizes: Sequence[int],
    budget: float,
    tiers: list[str],
    peer: peers.CryptoPP | None,
    context: OpenSSL | None = None,
) -> Iterator[dict[str, Any]]:
    """One figure after the other; a peer's directly after ours, so that both meet the same machine,
    and other ciphers at the end, as context.
    """
    for name, what in chosen:
        for size in sizes:
            row = {"kernel": name, "operation": what, "bytes": size}
            for tier in tiers:
                with forced(tier):
                    seconds, repeats = seconds_per_call(prepare(name, size), budget)
                yield row | {
                    "implementation": f"hanji {hanji.__version__}",
                    "backend": tier,
                    "seconds": seconds,
                }
            if peer is not None and name in peers.CIPHERS:
                once = peer.ctr_seconds(name, size, 1, repeats)
                seconds = peer.ctr_seconds(name, size, RUNS, max(1, round(budget / RUNS / once)))
                yield row | {"implementation": peer.name, "backend": "", "seconds": seconds}
    for name in CONTEXT if context is not None else ():
        for size in sizes:
            assert context is not None
            once = context.seconds(name, size, 1, 3)
            seconds = context.seconds(name, size, RUNS, max(1, round(budget / RUNS / once)))
            yield {
                "kernel": name,
                "operation": "encrypt",
                "bytes": size,
                "implementation": context.name,
                "backend": "",
                "seconds": seconds,
            }


@contextlib.contextmanager
def forced(tier: str) -> Iterator[None]:
    """Kernels capped at a tier, for as long as the block lasts; the selected tier is left alone."""
    selected = selected_tier()
    if tier == selected:
        yield
        return
    hanji.force(tier)
    try:
        yield
    finally:
        hanji.force(selected)


def selected_tier() -> str:
    """The best tier in use; those before it are in use too."""
    return str([b["name"] for b in hanji.backends() if b["selected"]][-1])


def run(
    patterns: Sequence[str],
    sizes: Sequence[int],
    budget: float,
    all_tiers: bool,
    with_peers: bool,
    stated_clock: float | None,
    as_json: bool,
    sweep: bool = False,
) -> None:
    """Measure and print; a sweep measures SWEEP_SIZES. Errors: ValueError for a pattern without a
    match.
    """
    sizes = SWEEP_SIZES if sweep else sizes or DEFAULT_SIZES
    clock = find_clock(stated_clock)
    chosen = select(patterns)
    peer = None
    if with_peers and any(name in peers.CIPHERS for name, _ in chosen):
        try:
            peer = peers.cryptopp()
        except peers.PeerUnavailableError as error:
            complain(f"measured without Crypto++: {error}")
    context = None
    if with_peers:
        try:
            context = openssl()
        except peers.PeerUnavailableError as error:
            complain(f"measured without OpenSSL: {error}")
    tiers = (
        [b["name"] for b in hanji.backends() if b["available"]] if all_tiers else [selected_tier()]
    )
    rows = []
    for row in measure(chosen, sizes, budget, tiers, peer, context):
        row["gigabytes_per_second"] = row["bytes"] / row["seconds"] / 1e9
        row["cycles_per_byte"] = row["seconds"] * clock.ghz * 1e9 / row["bytes"] if clock else None
        row |= {
            "kind": "host",
            "machine": processor(),
            "cache": "warm",
            "timing": "wall clock, best of runs",
        }
        row |= {
            "clock_ghz": clock.ghz if clock else None,
            "clock_source": clock.source if clock else None,
        }
        rows.append(row)
    if as_json:
        write_text(json.dumps(rows, indent=2) + "\n")
    elif sweep:
        _print_sweep(rows)
    else:
        _print_table(rows, clock)


DEVICE_SIZES = (1 << 20, 16 << 20, 256 << 20)
SEALED_MESSAGE = 64  # bytes of each message of a fleet of an AEAD


def device_operations() -> list[tuple[str, str]]:
    """Names and operations with kernels for GPUs."""
    from hanji import _gpu

    rows: list[tuple[str, str]] = []
    for name in hazmat.ciphers():
        rows += [(name, "ctr")] * _gpu.has(name, False) + [(name, "fleet")] * _gpu.has(name, True)
    return [*rows, *((name, "seal") for name in _gpu.fleet_aeads())]


def prepare_device(
    name: str, what: str, size: int, device: str, on_device: bool
) -> tuple[Callable[[], Any], int]:
    """A function that processes about ``size`` bytes in place on a GPU and waits, and how many they
    are; all arrays are in the same memory.
    """
    import numpy as np

    from hanji import fleet, gpu

    def there(rows: int, columns: int) -> Any:
        return (
            gpu.to_device(np.zeros((rows, columns), np.uint8), device)
            if on_device
            else gpu.pinned((rows, columns), device)
        )

    if what == "seal":
        count = max(1, size // SEALED_MESSAGE)
        nonce_size = next(a.nonce_size for a in hanji.algorithms() if a.name == name)
        keys, nonces = there(count, 16), there(count, nonce_size)
        data = there(count, SEALED_MESSAGE)
        return lambda: fleet.encrypt(
            name, keys, nonces, data, out=data, device=device
        ), count * SEALED_MESSAGE
    sizes = {a.name: (a.key_size, a.block_size) for a in hanji.algorithms() if a.kind == "block"}
    key_size, block_size = sizes[name]
    if what == "ctr":
        stream = hazmat.ctr(
            name, bytes(key_size), bytes(block_size), limit=_NO_LIMIT, device=device
        )
        data = there(1, size)
        return lambda: stream.update_into(data, data), size
    count = max(1, size // block_size)
    keys, counters, data = (
        there(count, key_size),
        there(count, block_size),
        there(count, block_size),
    )
    return lambda: fleet.ctr(
        name, keys, counters, data, out=data, device=device
    ), count * block_size


def run_device(
    patterns: Sequence[str], sizes: Sequence[int], budget: float, device: str, as_json: bool
) -> None:
    """Measure a GPU and print. Errors: ValueError for a pattern without a match or a name of no
    device; DeviceError.
    """
    from hanji import gpu

    index = gpu._one_index(device)
    known = device_operations()
    for pattern in patterns:
        if not any(fnmatch.fnmatch(name, pattern) for name, _ in known):
            raise ValueError(
                f"no algorithm with kernels for GPUs is called {pattern}; there are "
                f"{', '.join(sorted(dict(known)))}"
            )
    try:
        found = gpu.devices()
    except gpu.DeviceError as error:
        raise gpu.DeviceError(
            f"{error}; --device needs an NVIDIA GPU and its driver (Debian: nvidia-driver); without"
            " --device hanji bench measures the processor"
        ) from None
    gpu.empty(0, device)  # opens the device, or says why it cannot
    machine = found[index].name
    rows = []
    for name, what in known:
        if patterns and not any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            continue
        for wanted in sizes or DEVICE_SIZES:
            for on_device in (True, False):
                call, size = prepare_device(name, what, wanted, device, on_device)
                seconds, _ = seconds_per_call(call, budget)
                row = {
                    "kernel": name,
                    "operation": what,
                    "bytes": size,
                    "implementation": f"hanji {hanji.__version__}",
                    "seconds": seconds,
                }
                row |= {
                    "backend": f"cuda:{index}, {'device' if on_device else 'host'} memory",
                    "gigabytes_per_second": size / seconds / 1e9,
                }
                row |= {
                    "kind": "gpu",
                    "machine": machine,
                    "timing": "wall clock, best of runs, each call waited for",
                    "cycles_per_byte": None,
                }
                rows.append(row)
    if as_json:
        write_text(json.dumps(rows, indent=2) + "\n")
    else:
        _print_table(
            rows,
            None,
            (
                f"{machine}, one call at a time, through Python; device memory: without copies; "
                "host memory: page-locked, with copies"
            ),
        )


def _print_table(rows: list[dict[str, Any]], clock: Clock | None, title: str = "") -> None:
    from rich import box
    from rich.table import Table

    sizes = sorted({row["bytes"] for row in rows})
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("algorithm", no_wrap=True)
    for size in sizes:
        table.add_column(_human(size), justify="right", no_wrap=True)
    lines: dict[str, dict[int, str]] = {}
    for row in rows:
        cell = f"{row['gigabytes_per_second']:.3f} GB/s"
        if clock is not None:
            cell = f"{row['cycles_per_byte']:.2f} c/B\n{cell}"
        lines.setdefault(_measured_call(row, "\n  "), {})[row["bytes"]] = cell
    for name, cells in lines.items():
        table.add_row(name, *(cells.get(size, "") for size in sizes))
    output = console()
    output.print(title or f"{processor()}, one thread, through Python")
    output.print(table)
    if clock is not None:
        output.print(f"c/B: wall-clock time times {clock.ghz:.3f} GHz ({clock.source}).")
    elif not title:
        output.print("No clock is known here, so no cycles per byte; state it with --clock-ghz.")


def _print_sweep(rows: list[dict[str, Any]]) -> None:
    """A table for each algorithm and implementation, with a line for each length."""
    from rich import box
    from rich.table import Table

    output = console()
    output.print(f"{processor()}, one thread, through Python")
    calls: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        calls.setdefault(_measured_call(row, ", "), []).append(row)
    for name, found in calls.items():
        output.print(name, markup=False, soft_wrap=True)
        table = Table(box=box.SIMPLE, pad_edge=False)
        for column in ("bytes", "ns per call", "ns per byte"):
            table.add_column(column, justify="right", no_wrap=True)
        for row in found:
            nanoseconds = row["seconds"] * 1e9
            table.add_row(
                str(row["bytes"]), f"{nanoseconds:.0f}", f"{nanoseconds / row['bytes']:.2f}"
            )
        output.print(table)


def _measured_call(row: dict[str, Any], separator: str) -> str:
    """Algorithm and operation, then who implements them."""
    source = f"{row['implementation']} {row['backend']}".rstrip()
    return f"{row['kernel']} {row['operation']}{separator}{source}"


def _human(size: int) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"
