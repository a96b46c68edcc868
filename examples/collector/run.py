# SPDX-License-Identifier: Apache-2.0
"""Broker, collectors and devices on this machine, and a table of what arrives: `make collector`, or
`python run.py [FOLDER] [--frames N] [--devices N] [--partitions N] [--boards N]`.

It listens on the loopback only and ends when all frames are on the disk; status 1 where readings
are missing or come twice. Ctrl-C ends it, and all that it has started. Without FOLDER everything is
in a temporary one and goes.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from broker import PROGRAM, Broker
from rich.console import Console
from rich.live import Live
from rich.table import Table
from store import counts, readings

import fleet

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parent / "hifive1-telemetry"
TOOLS = ("make", "riscv64-unknown-elf-gcc", "qemu-system-riscv32")
BOARD_FRAMES = 10
PATIENCE = 60  # seconds without a frame until something must be wrong
STAGES = ("receive", "open", "judge", "write", "commit", "acknowledge")


class Collectors:
    """One process for each partition."""

    def __init__(self, folder: Path, port: int, partitions: int) -> None:
        self.folder, self.port, self.partitions = folder, port, partitions
        self.processes: list[subprocess.Popen[str]] = []
        try:
            for partition in range(partitions):
                self.processes.append(self.start(partition))
        except BaseException:
            self.stop()
            raise

    def start(self, partition: int) -> subprocess.Popen[str]:
        """Start the collector of a partition and wait until it has subscribed."""
        words = [HERE / "collector.py", self.port, self.folder, partition, self.partitions]
        process = subprocess.Popen(
            [sys.executable, *map(str, words)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        try:
            if process.stdout.readline() != "ready\n":
                raise SystemExit(f"the collector of partition {partition} did not start")
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process

    def places(self) -> list[Path]:
        """The folders of the partitions."""
        return [self.folder / f"partition-{partition}" for partition in range(self.partitions)]

    def stop(self) -> None:
        """End all; they take what they have."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()
            if process.stdout:
                process.stdout.close()


def images(folder: Path, count: int) -> list[Path]:
    """Firmware images for qemu, one for each board."""
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing and count:
        print(f"no boards: {', '.join(missing)} is missing", file=sys.stderr)
    if missing or not count:
        return []
    made = []
    for device in range(fleet.BOARD, fleet.BOARD + count):
        built = folder / f"firmware-{device}"
        words = ["make", "-s", "-C", FIRMWARE, f"OUT={built}", f"PYTHON={sys.executable}"]
        image = built / "qemu.elf"
        subprocess.run([*words, f"DEFINES=-DDEVICE={device}", image], check=True)
        made.append(image)
    return made


def totals(places: list[Path]) -> tuple[int, int]:
    """Frames that all partitions have received and opened."""
    found = [counts(place)[0] for place in places]
    return sum(sum(each.values()) for each in found), sum(each.get("opened", 0) for each in found)


def shown(places: list[Path], seconds: float) -> Table:
    """What all partitions have counted so far."""
    frames, _ = totals(places)
    table = Table(title=f"{frames:,} frames in {seconds:.1f} s", title_justify="left")
    found = [counts(place)[0] for place in places]
    names = sorted({name for reasons in found for name in reasons} | {"opened"})
    names.remove("opened")
    for column in ("partition", "opened", *names):
        table.add_column(column, justify="right")
    for partition, reasons in enumerate(found):
        row = [f"{reasons.get(name, 0):,}" for name in ("opened", *names)]
        table.add_row(str(partition), *row)
    return table


def stages(places: list[Path], frames: int) -> Table:
    """Processor time of the collectors by stage."""
    spent: collections.Counter[str] = collections.Counter()
    for place in places:
        spent.update(counts(place)[1])
    table = Table(title="processor time of the collectors", title_justify="left")
    for column in ("stage", "us per frame", "frames per second and core"):
        table.add_column(column, justify="right")
    rows = [(name, spent[name]) for name in STAGES]
    for name, seconds in [*rows, ("all", sum(spent.values()))]:
        rate = f"{frames / seconds:,.0f}" if seconds else ""
        table.add_row(name, f"{1e6 * seconds / max(frames, 1):.1f}", rate)
    return table


def wrong(folder: Path, devices: int, frames: int) -> str:
    """What is not right with the readings of the fleet: "" where each is there once."""
    found: list[np.ndarray] = []
    for table in readings(folder):
        device, at, number = (table[name].to_numpy() for name in ("device", "epoch", "number"))
        ours = device >= fleet.FIRST
        text = b"".join(table["payload"].filter(ours).to_pylist())
        payload = np.frombuffer(text, np.uint8).reshape(-1, fleet.PAYLOAD)
        if not np.array_equal(payload, fleet.payloads(device[ours], at[ours], number[ours])):
            return "a payload is not what the device has sealed"
        found.append(number[ours].astype(np.int64) * devices + (device[ours] - fleet.FIRST))
    places = np.sort(np.concatenate([np.zeros(0, np.int64), *found]))
    twice = int((places[1:] == places[:-1]).sum())
    lost = frames - len(np.unique(places))
    if twice:
        return f"{twice:,} readings are there twice"
    return f"{lost:,} readings are missing" if lost else ""


def work(folder: Path, given: Any, console: Console) -> str:
    """Run everything; what went wrong, or ""."""
    fleet.make_masters(folder / "masters.parquet", given.devices, given.boards)
    firmware = images(folder, given.boards)
    wanted = given.frames + BOARD_FRAMES * len(firmware)
    senders: list[Any] = []
    with contextlib.ExitStack() as held:  # all end, whatever happens: senders first
        try:
            server = Broker(folder / "broker")
        except RuntimeError as error:
            return str(error)
        held.callback(server.close)
        collectors = Collectors(folder, server.port, given.partitions)
        held.callback(collectors.stop)
        held.callback(end, senders)
        started = time.monotonic()
        words = [sys.executable, str(HERE / "fleet.py"), str(server.port), str(folder)]
        parts = ["--partitions", str(given.partitions)]
        many = [*words, str(given.frames), *parts, "--devices", str(given.devices)]
        senders.append(subprocess.Popen(many, stdout=subprocess.PIPE, text=True))
        for image in firmware:
            few = [*words, str(BOARD_FRAMES), *parts, "--board", str(image)]
            senders.append(subprocess.Popen(few, stdout=subprocess.PIPE, text=True))
        said = watch(collectors, senders, wanted, started, console)
        seconds = time.monotonic() - started
    places = collectors.places()
    received, opened = totals(places)
    console.print(shown(places, seconds))
    console.print(stages(places, received))
    said = said or wrong(folder, given.devices, given.frames)
    if not said and opened != wanted:
        said = f"{opened:,} readings are there, {wanted:,} were sent"
    if not said:
        console.print(f"{opened:,} readings, each once; {received - opened:,} frames rejected")
    return said


def end(senders: list[Any]) -> None:
    """End what still sends."""
    for sender in senders:
        sender.kill()
        sender.wait()


def stop(number: int, _: object) -> None:
    """SIGINT and SIGTERM: end all that was started, and say so."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # the end takes a moment; a second signal adds nothing
    print("stopped; what collectors had acknowledged they have written", file=sys.stderr)
    raise SystemExit(128 + number)


def watch(
    collectors: Collectors, senders: list[Any], wanted: int, started: float, console: Console
) -> str:
    """Show what arrives until all readings are there; what went wrong, or ""."""
    places, before, since = collectors.places(), 0, time.monotonic()
    with Live(console=console, auto_refresh=False, transient=True) as live:
        while True:
            received, opened = totals(places)
            live.update(shown(places, time.monotonic() - started), refresh=True)
            if received != before:
                before, since = received, time.monotonic()
            if all(sender.poll() is not None for sender in senders):
                if any(sender.returncode for sender in senders):
                    return "a sender failed"
                if opened >= wanted and received >= sum(map(printed, senders)):
                    return ""
            for process in collectors.processes:
                if process.poll() is not None:
                    return f"a collector ended with status {process.returncode}"
            if time.monotonic() - since > PATIENCE:
                return f"{opened:,} of {wanted:,} readings are there, and no more come"
            time.sleep(0.1)


def printed(sender: Any) -> int:
    """How many frames a sender has counted: it has ended."""
    if not hasattr(sender, "count"):
        sender.count = int(sender.communicate()[0])
    return int(sender.count)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, nargs="?")
    options.add_argument("--frames", type=int, default=100_000)
    options.add_argument("--devices", type=int, default=10_000)
    options.add_argument("--partitions", type=int, default=2)
    options.add_argument("--boards", type=int, default=2)
    given = options.parse_args()
    if min(given.frames, given.devices, given.partitions) < 1 or given.boards < 0:
        options.error("frames, devices and partitions are 1 and more, boards 0 and more")
    for program in (PROGRAM, "openssl"):
        if not shutil.which(program):
            raise SystemExit(f"{program} is missing (Debian: apt-get install {program})")
    if given.folder:
        try:
            given.folder.mkdir(parents=True)
        except OSError as error:
            raise SystemExit(f"{error}; give a folder that is not there yet") from None
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    console = Console()
    if given.folder:
        said = work(given.folder.resolve(), given, console)
    else:
        with tempfile.TemporaryDirectory(prefix="hanji-collector-") as folder:
            said = work(Path(folder), given, console)
    if said:
        raise SystemExit(said)


if __name__ == "__main__":
    main()
