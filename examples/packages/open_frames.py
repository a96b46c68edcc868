# SPDX-License-Identifier: Apache-2.0
"""Open the frames that the example prints: python open_frames.py < log

A frame is refused when its tag does not match, or when it is not after the last one of its device:
an attacker can send old frames again.
"""

from __future__ import annotations

import sys

from hanji.aead import AsconAEAD128
from hanji.epoch import epoch_key

MASTER = bytes.fromhex("00112233445566778899aabbccddeeff")  # that of readings.c


def opened(frame: bytes) -> tuple[int, int, int, int]:
    """Device, epoch, number and reading of a frame; an exception if it is not genuine."""
    if frame[:2] != b"\x02\x03" or len(frame) != 34:
        raise ValueError("not a frame of version 2 with Ascon-AEAD128 and a reading of 16 bits")
    device, epoch, number = (int.from_bytes(frame[at : at + 4], "little") for at in (2, 6, 10))
    key = epoch_key(MASTER, "ascon-aead128", epoch, device=device)
    nonce = frame[10:14] + bytes(12)
    reading = AsconAEAD128(key).decrypt(nonce, frame[16:], frame[:16])
    return device, epoch, number, int.from_bytes(reading, "little")


def main() -> int:
    """Print a line for each frame; 1 if one was refused."""
    last: dict[int, tuple[int, int]] = {}
    status = 0
    for line in sys.stdin:
        word, _, text = line.strip().partition(" ")
        if word != "frame":
            continue
        try:
            device, epoch, number, reading = opened(bytes.fromhex(text))
            if last.get(device, (0, 0)) >= (epoch, number):
                raise ValueError("not after the last frame of its device")
        except Exception as error:
            print(f"refused: {error or type(error).__name__}", file=sys.stderr)
            status = 1
            continue
        last[device] = epoch, number
        print(f"device {device} epoch {epoch} number {number}: {reading}")
    return status


if __name__ == "__main__":
    sys.exit(main())
