# SPDX-License-Identifier: Apache-2.0
"""What hanji does, in one minute: seal a file, refuse a forgery, open the messages of ten thousand
devices.

Run it with `make demo`. Everything that it makes lies in demo-out/ under the current folder. It
ends with status 1 as soon as something is not as it should be.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import math
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np
from rich.console import Console
from rich.table import Table

import hanji
from hanji import fleet, hazmat
from hanji.cli import bench
from hanji.cli.peers import PeerUnavailableError
from hanji.cli.peers.openssl import openssl

OUT = Path("demo-out")
LINES = 150_000
DEVICES = 10_000
TAMPERED = (7, 1234, 5678, 9999)

console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def main() -> None:
    OUT.mkdir(exist_ok=True)
    begin = time.perf_counter()
    console.print(
        f"[bold]hanji {hanji.__version__}[/bold] on {bench.processor()}; kernels in this build: "
        f"{tiers()}"
    )
    seal_and_open()
    refuse_a_forgery()
    sign_and_verify()
    open_a_fleet()
    compare_speeds()
    console.print(
        f"\n[bold green]Everything was as it should be[/bold green]; it took "
        f"{time.perf_counter() - begin:.1f} s. The files are in {OUT}."
    )
    program = shown(Path(sys.executable).with_name("hanji"))
    console.print(
        f"Go on with `{program} list`, `{program} bench` and `{program} --help`; docs/README.md "
        "has the guides.",
        soft_wrap=True,
    )


def shown(path: Path) -> str:
    """A path as it is typed here: relative where it lies under the current folder."""
    here = Path.cwd()
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))


def tiers() -> str:
    """The tiers of this build, and which of them this machine has not."""
    return ", ".join(
        b["name"] + ("" if b["selected"] else " (not used here)") for b in hanji.backends()
    )


def title(text: str) -> None:
    console.print(f"\n[bold cyan]{text}[/bold cyan]")


def size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count} bytes"


def stop(message: str) -> NoReturn:
    console.print(f"[bold red]This is wrong:[/bold red] {message}")
    raise SystemExit(1)


def command(*arguments: object, status: int = 0) -> str:
    """Show a command line and run it; what it printed is returned. It must end with the expected
    status.
    """
    words = ["hanji", *map(str, arguments)]
    console.print(f"  [green]$ {shlex.join(words)}[/green]", soft_wrap=True)
    result = subprocess.run(
        [sys.executable, "-m", "hanji.cli", *words[1:]], capture_output=True, text=True, check=False
    )
    for line in (result.stdout + result.stderr).splitlines():
        console.print(f"    {line}", markup=False, soft_wrap=True)
    if result.returncode != status:
        stop(f"the command ended with status {result.returncode}, not {status}")
    return result.stdout


def telemetry() -> bytes:
    """A log as sensors write it: some megabytes of lines, always the same."""
    random = np.random.default_rng(2024)
    device = random.integers(0, DEVICES, LINES)
    celsius = 18 + 6 * np.sin(np.arange(LINES) / 5000) + random.normal(0, 0.3, LINES)
    battery = random.integers(310, 420, LINES)
    rows = zip(device.tolist(), celsius.tolist(), battery.tolist(), strict=True)
    lines = [
        f"{1_700_000_000 + i},device-{d:05d},{t:.2f} C,{b / 100:.2f} V\n"
        for i, (d, t, b) in enumerate(rows)
    ]
    return "".join(["time,device,temperature,battery\n", *lines]).encode()


def seal_and_open() -> None:
    title("A file is sealed and opened")
    log = telemetry()
    (OUT / "telemetry.csv").write_bytes(log)
    console.print(
        f"  A log of {LINES:,} telemetry lines, {size(len(log))}, was written to "
        f"{OUT / 'telemetry.csv'}."
    )
    command("keygen", "--force", "-o", OUT / "telemetry.key", "--comment", "of the demonstration")
    begin = time.perf_counter()
    command(
        "seal",
        OUT / "telemetry.csv",
        "-o",
        OUT / "telemetry.hanji",
        "--key",
        OUT / "telemetry.key",
        "--force",
    )
    middle = time.perf_counter()
    command(
        "open",
        OUT / "telemetry.hanji",
        "-o",
        OUT / "telemetry.opened.csv",
        "--key",
        OUT / "telemetry.key",
        "--force",
    )
    end = time.perf_counter()
    if (OUT / "telemetry.opened.csv").read_bytes() != log:
        stop("the opened file differs from the original")
    if log[:64] in (OUT / "telemetry.hanji").read_bytes():
        stop("the sealed file shows the text")
    console.print(
        f"  It equals the original. Sealing took {middle - begin:.2f} s, opening "
        f"{end - middle:.2f} s."
    )


def refuse_a_forgery() -> None:
    title("A copy in which one bit was changed is refused")
    sealed = bytearray((OUT / "telemetry.hanji").read_bytes())
    sealed[len(sealed) // 2] ^= 1
    (OUT / "tampered.hanji").write_bytes(sealed)
    command(
        "open",
        OUT / "tampered.hanji",
        "-o",
        OUT / "tampered.csv",
        "--key",
        OUT / "telemetry.key",
        status=1,
    )
    if (OUT / "tampered.csv").exists():
        stop("there is an output although the file was refused")
    console.print("  Nothing was written: there is no tampered.csv.")


def sign_and_verify() -> None:
    title("The log is signed, and a changed copy does not verify")
    key, log = OUT / "signing.key", OUT / "telemetry.csv"
    command("sign-keygen", "--force", "-o", key)
    command("sign", "--force", "-k", key, "--context", "telemetry", log)
    command("verify", "-k", f"{key}.pub", "--context", "telemetry", log)
    changed = OUT / "changed.csv"
    changed.write_bytes(log.read_bytes().replace(b" C,", b" F,", 1))
    command(
        "verify",
        "-k",
        f"{key}.pub",
        "--context",
        "telemetry",
        "-s",
        f"{log}.sig",
        changed,
        status=1,
    )


def open_a_fleet() -> None:
    title(f"{DEVICES:,} devices report, each under its own key")
    random = np.random.default_rng(7)
    # The keys of a demonstration may come from a seed; real ones come from hanji.keys or
    # generate_key().
    keys = random.integers(0, 256, (DEVICES, 16), np.uint8)
    nonces = random.integers(0, 256, (DEVICES, 32), np.uint8)
    reports = [
        f'{{"device": {i}, "celsius": {20 + 3 * math.sin(i):.2f}, "note": "{"." * (i % 50)}"}}'
        for i in range(DEVICES)
    ]
    data = np.frombuffer("".join(reports).encode(), np.uint8)
    offsets = np.concatenate([[0], np.cumsum([len(r) for r in reports])])
    names = (
        np.char.encode(np.array([f"device-{i:05d}" for i in range(DEVICES)]))
        .view(np.uint8)
        .reshape(DEVICES, -1)
    )

    begin = time.perf_counter()
    sealed = fleet.encrypt("schwaemm256-128", keys, nonces, data, offsets, associated_data=names)
    middle = time.perf_counter()
    received = sealed.data.copy()
    for device in TAMPERED:
        received[offsets[device] + 3] ^= 0x20
    opened = fleet.decrypt(
        "schwaemm256-128", keys, nonces, received, sealed.tags, offsets, associated_data=names
    )
    end = time.perf_counter()

    console.print(
        f"  {DEVICES:,} messages of {min(map(len, reports))} to {max(map(len, reports))} "
        f"bytes, {size(len(data))} in all:"
    )
    console.print(
        f"  sealed in {1e3 * (middle - begin):.1f} ms, opened in {1e3 * (end - middle):.1f} "
        "ms, one call each."
    )
    expected = data.copy()
    for device in TAMPERED:
        expected[offsets[device] : offsets[device + 1]] = 0
    if opened.failed.tolist() != list(TAMPERED):
        stop(f"devices {TAMPERED} were tampered with; reported were {opened.failed.tolist()}")
    if not np.array_equal(opened.data, expected):
        stop("an opened message differs from what was sealed")
    listed = ", ".join(map(str, opened.failed.tolist()))
    console.print(
        f"  {len(TAMPERED)} were tampered with on the way: devices {listed} are reported and "
        "blank; the other messages are delivered."
    )
    summary = {
        "messages": DEVICES,
        "bytes": len(data),
        "refused": opened.failed.tolist(),
        "seconds_to_open": end - middle,
    }
    (OUT / "fleet.json").write_text(json.dumps(summary, indent=2) + "\n")


SIZE = 16384  # bytes of a message
SHORT = 64  # bytes of a message of a fleet
SECONDS = 0.05  # for each figure


def rate(size: int, call: Callable[[], object]) -> float:
    """Megabytes per second, the best of several runs."""
    return size / bench.seconds_per_call(call, SECONDS)[0] / 1e6


def fleet_call() -> Callable[[], object]:
    """Seal short messages of all devices, each under its own key."""
    keys, nonces = (np.zeros((DEVICES, 16), np.uint8) for _ in range(2))
    data = np.zeros(DEVICES * SHORT, np.uint8)
    offsets = np.arange(DEVICES + 1) * SHORT
    return lambda: fleet.encrypt("ascon-aead128", keys, nonces, data, offsets, threads=1)


def compare_speeds() -> None:
    """What a user would take hanji for, next to what they would take otherwise."""
    title("Speeds in one thread, MB/s, next to what you would take otherwise")
    if not all(hanji.selftest().values()):
        stop("an algorithm does not give its known answer")
    data = bytes(SIZE)
    context, version = None, "OpenSSL: not installed"
    with contextlib.suppress(PeerUnavailableError):
        context = openssl()
        version = context.name

    def other(cipher: str, size: int) -> float | None:
        if context is None:
            return None
        once = context.seconds(cipher, size, 1, 3)
        repeats = max(1, round(SECONDS / bench.RUNS / once))
        return size / context.seconds(cipher, size, bench.RUNS, repeats) / 1e6

    cases: list[tuple[str, str, Callable[[], float], str, Callable[[], float | None]]] = [
        ("seal 16 KiB", "ascon-aead128",
         lambda: rate(SIZE, bench.prepare("ascon-aead128", SIZE)),
         "chacha20-poly1305", lambda: other("chacha20-poly1305", SIZE)),
        (f"seal {DEVICES:,} x {SHORT} bytes", "ascon-aead128",
         lambda: rate(DEVICES * SHORT, fleet_call()),
         "chacha20-poly1305", lambda: other("chacha20-poly1305", SHORT)),
        ("encrypt 16 KiB", "speck-128/256 CTR",
         lambda: rate(SIZE, bench.prepare("speck-128/256", SIZE)),
         "aes-128-ctr", lambda: other("aes-128-ctr", SIZE)),
        ("hash 16 KiB", "ascon-hash256",
         lambda: rate(SIZE, bench.prepare("ascon-hash256", SIZE)),
         "sha256", lambda: rate(SIZE, lambda: hashlib.sha256(data).digest())),
        ("authenticate 16 KiB", "speck-128/256 CMAC",
         lambda: rate(SIZE, cmac_call(data)),
         "hmac-sha256", lambda: rate(SIZE, lambda: hmac.digest(bytes(32), data, "sha256"))),
    ]  # fmt: skip
    table = Table(box=None, pad_edge=True, header_style="bold")
    for column in ("", "hanji", "", version, ""):
        table.add_column(column, justify="left" if column else "right", no_wrap=True)
    table.columns[0].justify = "left"
    with console.status("measuring"):
        for what, name, ours, peer, theirs in cases:
            left, right = ours(), theirs()
            shown = "-" if right is None else f"{right:,.0f}"
            color = "green" if right is None or left >= right else "yellow"
            table.add_row(what, name, f"[{color}]{left:,.0f}[/{color}]", peer, shown)
    console.print(table)


def cmac_call(data: bytes) -> Callable[[], object]:
    """A tag over a message under one key."""
    fresh = hazmat.cmac("speck-128/256", bytes(32))

    def call() -> bytes:
        state = fresh.copy()
        state.update(data)
        return bytes(state.digest())

    return call


if __name__ == "__main__":
    main()
