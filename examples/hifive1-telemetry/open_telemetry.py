# SPDX-License-Identifier: Apache-2.0
"""Open the telemetry that a device prints, line by line: readings to standard output, what is
refused to standard error.

Usage: python open_telemetry.py --key HEX < lines        for example < /dev/ttyACM0

Lines that are no frames are passed over. A frame that does not open, or that is not newer than the
last one of its device, is refused and the rest go on; the exit status is then 1. Frames of version
1, whose keys do not depend on the device, are refused as well, unless --allow-version-1 is given
together with --only-device: the one device that has this master key. docs/telemetry.md has the
format.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hanji import InvalidTag, hazmat
from hanji.aead import AsconAEAD128, Schwaemm256_128
from hanji.epoch import MASTER_SIZE_MAX, MASTER_SIZE_MIN, epoch_key

HEADER = 16
ALGORITHMS = {1: "schwaemm256-128", 2: "speck-64/128-eax", 3: "ascon-aead128"}
TAGS = {1: 16, 2: 8, 3: 16}
NONCES = {1: 32, 2: 8, 3: 16}
VERSION = 2


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
    """Opens the frames that were sealed under a master key, and remembers how far each device is.

    ``only_device`` says that no other device has the master key; frames of others are then refused.
    ``allow_version_1`` opens old frames too, and needs ``only_device``: under version 1, devices
    that share a master key share keys and nonces. Errors: ValueError for ``allow_version_1``
    without ``only_device``.
    """

    def __init__(
        self, master: bytes, *, only_device: int | None = None, allow_version_1: bool = False
    ) -> None:
        if allow_version_1 and only_device is None:
            raise ValueError(
                "version 1 is opened for one device only, whose master key no other device "
                "has: name it (only_device)"
            )
        # Wrong keys end here: refused frame by frame, they would look like forgeries.
        if not MASTER_SIZE_MIN <= len(master) <= MASTER_SIZE_MAX:
            raise ValueError(
                f"master has {len(master)} bytes; a master key has {MASTER_SIZE_MIN} to "
                f"{MASTER_SIZE_MAX}"
            )
        self._master, self._only_device = bytes(master), only_device
        self._versions = (1, VERSION) if allow_version_1 else (VERSION,)
        self._last: dict[int, tuple[int, int]] = {}

    def open(self, frame: bytes) -> Reading:
        """The reading in a frame; Refused with the reason when it is not what the device has
        sealed, or is not new.
        """
        if len(frame) < HEADER:
            raise Refused(f"{len(frame)} bytes; a frame has {HEADER} and more")
        version, algorithm = frame[0], frame[1]
        device, epoch, number = (int.from_bytes(frame[at : at + 4], "little") for at in (2, 6, 10))
        size = int.from_bytes(frame[14:16], "little")
        if version not in self._versions or algorithm not in ALGORITHMS:
            known = f"version {VERSION}" + (
                " and, as allowed, version 1" if 1 in self._versions else ""
            )
            raise Refused(
                f"version {version} and algorithm {algorithm}; known are {known}, and algorithms"
                " 1 to 3"
            )
        if self._only_device is not None and device != self._only_device:
            raise Refused(
                f"from device {device}; the master key is that of device {self._only_device} alone"
            )
        if len(frame) != HEADER + size + TAGS[algorithm]:
            raise Refused(
                f"{len(frame)} bytes; its header tells of {HEADER + size + TAGS[algorithm]}"
            )
        key = epoch_key(
            self._master,
            ALGORITHMS[algorithm],
            epoch,
            device=device,
            version=version,
            allow_version_1=1 in self._versions,
        )
        nonce = number.to_bytes(NONCES[algorithm], "little")
        cipher = {
            1: Schwaemm256_128,
            2: lambda key: hazmat.eax("speck-64/128", key),
            3: AsconAEAD128,
        }[algorithm](key)
        try:
            data = cipher.decrypt(nonce, frame[HEADER:], frame[:HEADER])
        except InvalidTag:
            raise Refused(
                "the tag does not match: altered on the way, or sealed under another key"
            ) from None
        if (epoch, number) <= self._last.get(device, (-1, -1)):
            raise Refused(
                f"epoch {epoch}, number {number} is not after what device {device} has sent: "
                "sent twice, or replayed"
            )
        self._last[device] = (epoch, number)
        return Reading(device, epoch, number, data)


def frames(lines: Iterable[str]) -> Iterator[tuple[int, bytes | None]]:
    """(number of the line, frame) of every line that begins with `frame`; None when it is not
    hexadecimal.
    """
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0] != "frame":
            continue
        try:
            yield number, bytes.fromhex("".join(words[1:]))
        except ValueError:
            yield number, None


def master_key(text: str) -> bytes:
    """A key in hexadecimal; what is none is not shown, for it may be a key with a slip of the
    finger.
    """
    key = b""
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(text)
    if not key:
        raise argparse.ArgumentTypeError(
            f"the key is not hexadecimal: {len(text)} characters, of which two make a byte"
        )
    if not MASTER_SIZE_MIN <= len(key) <= MASTER_SIZE_MAX:
        raise argparse.ArgumentTypeError(
            f"the key has {len(key)} bytes; a master key has {MASTER_SIZE_MIN} to {MASTER_SIZE_MAX}"
        )
    return key


def main() -> int:
    parser = argparse.ArgumentParser(description="Open the telemetry that a device prints.")
    parser.add_argument(
        "--key", required=True, type=master_key, metavar="HEX", help="the master key of the device"
    )
    parser.add_argument(
        "--only-device",
        type=int,
        metavar="N",
        help="the only device that has this master key; frames of others are refused",
    )
    parser.add_argument(
        "--allow-version-1",
        action="store_true",
        help="open frames of version 1, too; needs --only-device",
    )
    given = parser.parse_args()
    if given.allow_version_1 and given.only_device is None:
        parser.error(
            "--allow-version-1 needs --only-device N: under version 1, devices that share a "
            "master key share keys and nonces"
        )
    opener = Opener(given.key, only_device=given.only_device, allow_version_1=given.allow_version_1)
    refused = 0
    for line, frame in frames(
        io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    ):
        try:
            if frame is None:
                raise Refused("not hexadecimal digits")
            reading = opener.open(frame)
        except Refused as reason:
            refused += 1
            print(f"line {line}: refused: {reason}", file=sys.stderr)
            continue
        count, temperature, voltage = (
            int.from_bytes(reading.data[at : at + 4], "little") for at in (0, 4, 8)
        )
        print(
            f"device {reading.device} epoch {reading.epoch} number {reading.number}: "
            f"reading {count}, {temperature / 100:.2f} C, {voltage / 1000:.3f} V"
        )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
