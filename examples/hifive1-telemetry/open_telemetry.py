# SPDX-License-Identifier: Apache-2.0
"""Open the telemetry that a device prints, line by line: readings to standard output, what is refused to standard error.

Usage: python open_telemetry.py --key HEX < lines        for example < /dev/ttyACM0

Lines that are no frames are passed over. A frame that does not open, or that is not newer than the last one of its device, is refused and the rest go
on; the exit status is then 1. docs/telemetry.md has the format.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hanji import InvalidTag, hazmat
from hanji.aead import Schwaemm256_128
from hanji.epoch import epoch_key

HEADER = 16
ALGORITHMS = {1: "schwaemm256-128", 2: "speck-64/128-eax"}
TAGS = {1: 16, 2: 8}


class Refused(Exception):
    """A frame that must not be used."""


@dataclass(frozen=True)
class Reading:
    """What a frame says: the device, where the frame stands in its life, and the data."""

    device: int
    epoch: int
    number: int
    data: bytes


class Opener:
    """Opens frames of devices that share a master key, and remembers how far each device is."""

    def __init__(self, master: bytes) -> None:
        self._master = master
        self._last: dict[int, tuple[int, int]] = {}

    def open(self, frame: bytes) -> Reading:
        """The reading in a frame; Refused with the reason when it is not what the device has sealed, or is not new."""
        if len(frame) < HEADER:
            raise Refused(f"{len(frame)} bytes; a frame has {HEADER} and more")
        version, algorithm = frame[0], frame[1]
        device, epoch, number = (int.from_bytes(frame[at : at + 4], "little") for at in (2, 6, 10))
        size = int.from_bytes(frame[14:16], "little")
        if version != 1 or algorithm not in ALGORITHMS:
            raise Refused(f"version {version} and algorithm {algorithm}; known are version 1 and algorithms 1 and 2")
        if len(frame) != HEADER + size + TAGS[algorithm]:
            raise Refused(f"{len(frame)} bytes; its header tells of {HEADER + size + TAGS[algorithm]}")
        key = epoch_key(self._master, ALGORITHMS[algorithm], epoch)
        nonce = number.to_bytes(32 if algorithm == 1 else 8, "little")
        cipher = Schwaemm256_128(key) if algorithm == 1 else hazmat.eax("speck-64/128", key)
        try:
            data = cipher.decrypt(nonce, frame[HEADER:], frame[:HEADER])
        except InvalidTag:
            raise Refused("the tag does not match: altered on the way, or sealed under another key") from None
        if (epoch, number) <= self._last.get(device, (-1, -1)):
            raise Refused(f"epoch {epoch}, number {number} is not after what device {device} has sent: sent twice, or replayed")
        self._last[device] = (epoch, number)
        return Reading(device, epoch, number, data)


def frames(lines: Iterable[str]) -> Iterator[tuple[int, bytes | None]]:
    """(number of the line, frame) of every line that begins with `frame`; None when it is not hexadecimal."""
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0] != "frame":
            continue
        try:
            yield number, bytes.fromhex("".join(words[1:]))
        except ValueError:
            yield number, None


def main() -> int:
    parser = argparse.ArgumentParser(description="Open the telemetry that a device prints.")
    parser.add_argument("--key", required=True, type=bytes.fromhex, metavar="HEX", help="the master key of the device")
    opener = Opener(parser.parse_args().key)
    refused = 0
    for line, frame in frames(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")):
        try:
            if frame is None:
                raise Refused("not hexadecimal digits")
            reading = opener.open(frame)
        except Refused as reason:
            refused += 1
            print(f"line {line}: refused: {reason}", file=sys.stderr)
            continue
        count, temperature, voltage = (int.from_bytes(reading.data[at : at + 4], "little") for at in (0, 4, 8))
        print(
            f"device {reading.device} epoch {reading.epoch} number {reading.number}: "
            f"reading {count}, {temperature / 100:.2f} C, {voltage / 1000:.3f} V"
        )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
