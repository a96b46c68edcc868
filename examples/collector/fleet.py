# SPDX-License-Identifier: Apache-2.0
"""Devices: `python fleet.py PORT FOLDER FRAMES [--devices N] [--partitions N] [--epoch N]
[--forged SHARE] [--replayed SHARE]` publishes the frames of many devices, and bad ones beside them.

FOLDER/masters.parquet has the master keys. FRAMES valid frames are sent, every device numbers its
own; a forged one is a valid one with another tag bit, a replayed one has been sent before. With
`--board IMAGE` the frames of a firmware image under qemu are sent instead
(examples/hifive1-telemetry). The last line says how many frames the broker has taken.
"""

from __future__ import annotations

import argparse
import itertools
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from link import Link, topic

from hanji import telemetry

FIRST = 1000  # number of the first device of the fleet
BOARD = 7  # number of the first board
BOARD_KEY = bytes.fromhex("00112233445566778899aabbccddeeff")  # stands in the firmware: for tests
ALGORITHMS = ("ascon-aead128", "schwaemm256-128")
CHUNK, PAYLOAD, WINDOW = 5_000, 64, 2_000
SUCCESS = 0


def make_masters(path: Path, devices: int, boards: int = 0) -> None:
    """Master keys of the fleet and of boards, for one run; only the owner may read them."""
    keys = [BOARD_KEY] * boards + [os.urandom(16) for _ in range(devices)]
    numbers = [*range(BOARD, BOARD + boards), *range(FIRST, FIRST + devices)]
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        pq.write_table(pa.table({"device": pa.array(numbers, pa.uint32()), "master": keys}), file)


def payloads(device: np.ndarray, epoch: np.ndarray, number: np.ndarray) -> np.ndarray:
    """What devices measure here: 64 bytes that device, epoch and number tell, so that whoever
    reads them can say whether they are right.
    """
    words = np.stack([device, epoch, number, device ^ number], 1).astype("<u4")
    return np.tile(words.view(np.uint8), (1, PAYLOAD // 16))


def frames(
    masters: Path, count: int, devices: int, epoch: int, forged: float, replayed: float
) -> Iterator[bytes]:
    """Valid frames in the order of their numbers, and behind some of them a bad one."""
    sealers = itertools.cycle(
        telemetry.Sealer(str(masters), algorithm=name, direction="from-device")
        for name in ALGORITHMS
    )
    random = np.random.default_rng(epoch)
    for first in range(0, count, CHUNK):
        place = np.arange(first, min(count, first + CHUNK))
        device = (FIRST + place % devices).astype(np.uint32)
        number = (place // devices).astype(np.uint32)
        epochs = np.full(len(place), epoch, np.uint32)
        flat = payloads(device, epochs, number).reshape(-1)
        offsets = np.arange(len(place) + 1, dtype=np.int64) * PAYLOAD
        sealed = next(sealers).flat(device, epochs, number, flat, offsets)
        data, ends = sealed.data.tobytes(), sealed.offsets.tolist()
        made = [data[a:b] for a, b in itertools.pairwise(ends)]
        fate = random.random(len(made))
        earlier = (random.random(len(made)) * np.arange(1, len(made) + 1)).astype(int).tolist()
        for which, frame in enumerate(made):
            yield frame
            if fate[which] < forged:
                yield frame[:-1] + bytes([frame[-1] ^ 1])
            elif fate[which] < forged + replayed:
                yield made[earlier[which]]


def board(image: Path, count: int) -> Iterator[bytes]:
    """The frames that the firmware prints under qemu."""
    command = ["qemu-system-riscv32", "-M", "sifive_e,revb=true", "-display", "none"]
    command += ["-monitor", "none", "-serial", "stdio", "-semihosting-config"]
    command += [f"enable=on,target=native,arg=telemetry,arg=readings={count}"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "epoch.bin").write_bytes(b"\xff" * 32)
        with subprocess.Popen(
            [*command, "-kernel", str(image.resolve())],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as device:
            assert device.stdout
            for line in device.stdout:
                if line.startswith("frame "):
                    yield bytes.fromhex(line.removeprefix("frame "))
    if device.returncode:
        raise SystemExit(f"{image} ended with status {device.returncode}")


def publish(link: Link, given: Iterable[bytes], partitions: int, waiting: set[int]) -> int:
    """Publish frames in their order, at most WINDOW of them without an answer; their number."""
    count = 0
    for frame in given:
        while len(waiting) >= WINDOW or not link.connected:
            link.pump(0.05)
        device = int.from_bytes(frame[2:6], "little")
        waiting.add(link.publish(topic(device, partitions), frame))
        count += 1
        if count % 50 == 0:
            link.pump(0)
    while waiting:
        link.pump(0.05)
    return count


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("port", type=int)
    options.add_argument("folder", type=Path)
    options.add_argument("frames", type=int)
    options.add_argument("--devices", type=int, default=1000)
    options.add_argument("--partitions", type=int, default=1)
    options.add_argument("--epoch", type=int, default=1)
    options.add_argument("--forged", type=float, default=0.01)
    options.add_argument("--replayed", type=float, default=0.01)
    options.add_argument("--board", type=Path)
    given = options.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    waiting: set[int] = set()
    refused: dict[int, int] = {}

    def sent(number: int, reason: int) -> None:
        waiting.discard(number)
        if reason != SUCCESS:
            refused[reason] = refused.get(reason, 0) + 1

    name = f"board-{given.board}" if given.board else "fleet"
    link = Link(name, given.port, given.folder / "broker", "devices", sent=sent)
    masters = given.folder / "masters.parquet"
    if given.board:
        made = board(given.board, given.frames)
    else:
        shares = (given.forged, given.replayed)
        made = frames(masters, given.frames, given.devices, given.epoch, *shares)
    count = publish(link, made, given.partitions, waiting)
    link.close()
    print(count, flush=True)
    if refused:
        raise SystemExit(f"the broker gave frames to no collector, by reason code: {refused}")


if __name__ == "__main__":
    main()
