# SPDX-License-Identifier: Apache-2.0
"""The telemetry firmware from end to end: sealed under qemu and opened on the host, cut off while
it writes, at the end of its counters, altered.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji.hashes import XOEsch256

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/hifive1-telemetry"
MASTER = bytes.fromhex("00112233445566778899aabbccddeeff")
NEW = b"\xff" * 32
RECORD = 16
CUT = 77  # the status with which storage_semihosting.c ends at a loss of power

_specification = importlib.util.spec_from_file_location(
    "open_telemetry", EXAMPLE / "open_telemetry.py"
)
assert _specification and _specification.loader
telemetry = importlib.util.module_from_spec(_specification)
sys.modules["open_telemetry"] = telemetry
_specification.loader.exec_module(telemetry)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(folder of the images, what the build printed)"""
    need(
        "gcc", "make", "gcc-riscv64-unknown-elf", "picolibc-riscv64-unknown-elf", "qemu-system-misc"
    )
    folder = tmp_path_factory.mktemp("firmware")
    done = subprocess.run(
        ["make", "-s", "-C", EXAMPLE, f"OUT={folder}", f"PYTHON={sys.executable}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return folder, done.stdout


class Device:
    """A device under qemu: its storage stays when it is started again."""

    def __init__(self, image: Path, folder: Path, stored: bytes = NEW) -> None:
        self.image, self.folder = image, folder
        folder.mkdir(exist_ok=True)
        (folder / "epoch.bin").write_bytes(stored)

    def start(self, status: int = 0, **options: int) -> str:
        """What it prints until it ends with `status`."""
        arguments = ",".join(
            ["arg=telemetry", *(f"arg={name}={value}" for name, value in options.items())]
        )
        command = [
            "qemu-system-riscv32",
            "-M",
            "sifive_e,revb=true",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "stdio",
        ]
        command += [
            "-semihosting-config",
            f"enable=on,target=native,{arguments}",
            "-kernel",
            self.image,
        ]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
        )
        assert done.returncode == status, (
            f"ended with {done.returncode}, {status} expected: "
            f"{done.stdout[-1000:]}{done.stderr[-1000:]}"
        )
        return done.stdout


@pytest.fixture
def device(built, tmp_path):
    return Device(built[0] / "qemu.elf", tmp_path / "device")


def opened(text: str, opener=None) -> list:
    """Every reading of what devices printed; refuses nothing."""
    opener = opener or telemetry.Opener(MASTER)
    return [opener.open(frame) for _, frame in telemetry.frames(text.splitlines())]


def places(readings) -> list[tuple[int, int]]:
    return [(reading.epoch, reading.number) for reading in readings]


def record(epoch: int) -> bytes:
    body = b"hepo" + epoch.to_bytes(4, "little")
    xof = XOEsch256()
    xof.update(body)
    return body + xof.digest(8)


def test_frames_are_opened_on_the_host(device):
    found = opened(device.start(readings=6))
    assert places(found) == [(1, number) for number in range(6)]
    for count, reading in enumerate(found):
        expected = [count, 2350 + count % 32, 3300 - count % 8]
        assert reading.data == b"".join(value.to_bytes(4, "little") for value in expected)
        assert reading.device == 7
    assert places(opened(device.start(readings=2))) == [(2, 0), (2, 1)]
    assert places(opened(device.start(readings=1))) == [(3, 0)]


def test_epoch_advances_when_its_messages_are_used_up(device):
    text = device.start(readings=8, limit=3)
    assert places(opened(text)) == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1)]
    assert places(opened(device.start(readings=1, limit=3))) == [(4, 0)]


def cut_off(device, cut: int) -> None:
    """Lose power after `cut` bytes went to storage: at the first start, at a later one, and when an
    epoch ends.
    """
    text = ""
    (device.folder / "epoch.bin").write_bytes(NEW)
    text += device.start(CUT, readings=2, cut=cut)
    assert "frame" not in text, "a frame was sealed before its epoch was stored"
    for cut_here in (None, cut, None):
        text += (
            device.start(readings=2)
            if cut_here is None
            else device.start(CUT, readings=2, cut=cut_here)
        )
    text += device.start(CUT, readings=4, limit=2, cut=2 * RECORD + cut)
    text += device.start(readings=2)
    found = opened(text)  # the opener refuses what is not after the last: no place comes twice
    assert len(found) == 8
    assert len(set(places(found))) == len(found)


@pytest.mark.parametrize("cut", [0, 1, 15, 16, 17, 24, 31])
def test_power_is_lost_while_the_epoch_is_written(device, cut):
    cut_off(device, cut)


@pytest.mark.slow
def test_power_is_lost_after_each_byte(device):
    for cut in range(2 * RECORD):
        cut_off(device, cut)


def test_control_a_repeated_epoch_is_refused(device):
    text = device.start(readings=2)
    # storage forgets: what the two slots are there to prevent
    (device.folder / "epoch.bin").write_bytes(NEW)
    with pytest.raises(telemetry.Refused, match="not after what device 7 has sent"):
        opened(text + device.start(readings=2))


@pytest.mark.parametrize(
    ("stored", "error"),
    [
        (record((1 << 32) - 2) + record((1 << 32) - 3), 4),  # HANJI_E_LIMIT: the last epoch is used
        (b"\0" * 32, 101),
        (record(8)[:-1] + b"\0" + record(9)[:-1] + b"\0", 101),
        (b"\xff" * 8, 100),  # no place for a record
    ],
    ids=["last epoch", "zeros", "both damaged", "short"],
)
def test_device_stops_rather_than_repeat(built, tmp_path, stored, error):
    device = Device(built[0] / "qemu.elf", tmp_path / "device", stored)
    text = device.start(1, readings=2)
    assert f"stopped: error -{error}" in text
    assert "frame" not in text


def test_one_damaged_slot_is_enough_to_go_on(built, tmp_path):
    for stored in (record(8) + b"\x12" * 16, b"\xff" * 16 + record(8), record(7) + record(8)):
        device = Device(built[0] / "qemu.elf", tmp_path / "device", stored)
        assert places(opened(device.start(readings=1))) == [(9, 0)]


def test_altered_frames_are_refused_and_the_rest_go_on(device):
    lines = [line for line in device.start(readings=10).splitlines() if line.startswith("frame")]
    altered = lines.copy()
    altered[2] = lines[2][:60] + ("0" if lines[2][60] != "0" else "1") + lines[2][61:]  # ciphertext
    altered[3] = lines[3].replace("frame 0202070000000", "frame 0202080000000")  # another device
    altered[5] = lines[5][:-2]  # cut short
    altered[7] = lines[7].replace("0", "x", 1)
    altered[8] = lines[6]  # sent again
    assert altered[3] != lines[3]
    command = [sys.executable, EXAMPLE / "open_telemetry.py", "--key", MASTER.hex()]
    done = subprocess.run(
        command, input="\n".join(["noise", *altered, ""]), capture_output=True, text=True
    )
    assert done.returncode == 1
    assert [int(n) for n in re.findall(r"number (\d+): reading", done.stdout)] == [0, 1, 4, 6, 9]
    refused = dict(re.findall(r"^line (\d+): refused: (.*)$", done.stderr, re.MULTILINE))
    assert list(refused) == ["4", "5", "7", "9", "10"]
    assert "tag does not match" in refused["4"]
    assert "tag does not match" in refused["5"]
    assert "its header tells of" in refused["7"]
    assert "hexadecimal" in refused["9"]
    assert "not after" in refused["10"]
    good = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
    assert (good.returncode, good.stderr) == (0, "")
    wrong = subprocess.run(
        [*command[:-1], bytes(16).hex()], input="\n".join(lines), capture_output=True, text=True
    )
    assert (wrong.returncode, wrong.stdout) == (1, "")


def test_build_prints_what_it_costs(built):
    found = dict(re.findall(r"^(\w+) +(\d+) bytes", built[1], re.MULTILINE))
    # Ascon, SPECK, and SPARKLE384 for the epoch keys
    assert 4096 < int(found["flash"]) <= 20736
    assert int(found["RAM"]) <= 1024
    # 656 of it are the frame that wipes as deep as the calls of every compiler level went.
    assert 256 < int(found["stack"]) <= 1152, "painted and measured"


def bodies(image: Path, functions: str) -> dict[str, list[str]]:
    """The instructions of functions, in flash or RAM; the compiler may have put a suffix to a name."""
    command = [
        "riscv64-unknown-elf-objdump",
        "-D",
        "-j",
        ".text",
        "-j",
        ".data",
        "--no-show-raw-insn",
        image,
    ]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^([0-9a-f]+) <(\w+)[.\w]*>:\n((?:.+\n)+)", text, re.MULTILINE)
    return {
        f"{name} at {address}": body.splitlines()
        for address, name, body in found
        if re.fullmatch(functions, name)
    }


def to_flash(image: Path, functions: str) -> list[str]:
    """Jumps, calls and addresses that lead into the flash from where functions are."""
    lines = [line.strip() for body in bodies(image, functions).values() for line in body]
    return [
        line
        for line in lines
        if re.search(r"\b20[0-3][0-9a-f]{5} <|\bjalr\b|\blui\s+\w+,0x20[0-3]|\bauipc\b", line)
    ]


def test_code_that_writes_the_flash_stays_in_ram(built):
    board = built[0] / "board.elf"
    found = bodies(board, "exchange|command|replace")
    assert len(found) == 3
    assert all(re.search(r" at 8000[0-9a-f]{4}$", name) for name in found), list(found)
    assert all(len(body) > 5 for body in found.values())
    assert to_flash(board, "exchange|command|replace") == []
    assert to_flash(board, "main"), "control: main calls functions in the flash"
