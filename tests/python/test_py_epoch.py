# SPDX-License-Identifier: Apache-2.0
"""Epoch keys equal what docs/telemetry.md says, computed from the executable specification, in
Python and in the firmware; nonsense is refused.
"""

import ctypes
import gzip
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from debian import need
from hypothesis import given
from hypothesis import strategies as st

from hanji import aead
from hanji.epoch import DEVICE_LAST, EPOCH_LAST, MASTER_SIZE_MAX, MASTER_SIZE_MIN, epoch_key
from hanji_lab.spec import epoch as specification

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/hifive1-telemetry"
MASTER = bytes.fromhex("00112233445566778899aabbccddeeff")
IN_THE_DOCUMENT = "bc770cae16b3e1e7648b5125ff99aacb"  # docs/telemetry.md
VECTORS = json.loads(
    gzip.decompress((ROOT / "tests/vectors/telemetry/epoch_keys.json.gz").read_bytes())
)["tests"]
NUMBERS = st.integers(0, (1 << 32) - 1)


def arguments(vector):
    return bytes.fromhex(vector["master"]), vector["label"], vector["epoch"], vector["device"]


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['tcId']} v{vector['version']}"
)
def test_vectors(vector):
    master, label, epoch, device = arguments(vector)
    key = bytes.fromhex(vector["key"])
    assert specification.key(master, label, epoch, device, len(key), vector["version"]) == key
    assert (
        epoch_key(
            master,
            label,
            epoch,
            len(key),
            device=device,
            version=vector["version"],
            allow_version_1=True,
        )
        == key
    )


@given(
    st.binary(min_size=16, max_size=64),
    st.text(st.characters(max_codepoint=127), max_size=20),
    NUMBERS,
    NUMBERS,
    st.integers(1, 70),
    st.sampled_from([1, 2]),
)
def test_equals_the_specification(master, label, epoch, device, size, version):
    expected = specification.key(master, label, epoch, device, size, version)
    assert (
        epoch_key(master, label, epoch, size, device=device, version=version, allow_version_1=True)
        == expected
    )


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    """epoch.c of the firmware, compiled for this machine."""
    need("gcc")
    folder = tmp_path_factory.mktemp("epoch")
    amalgam = [
        sys.executable,
        ROOT / "tools/amalgam.py",
        "--algorithms",
        "xoesch256",
        "--isa",
        "portable",
        "--out",
        folder,
    ]
    subprocess.run(amalgam, check=True, capture_output=True)
    command = [
        "gcc",
        "-O1",
        "-shared",
        "-fPIC",
        "-o",
        folder / "epoch.so",
        f"-I{folder}",
        f"-I{EXAMPLE}",
        EXAMPLE / "epoch.c",
        folder / "hanji.c",
    ]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "epoch.so"))


def test_firmware_derives_the_same_keys(firmware):
    done = 0
    for vector in VECTORS:
        if vector["version"] != 2:
            continue
        master, label, epoch, device = arguments(vector)
        expected = bytes.fromhex(vector["key"])
        key = ctypes.create_string_buffer(len(expected))
        sizes = ctypes.c_size_t(len(expected)), ctypes.c_size_t(len(master))
        code = firmware.epoch_key(
            key,
            sizes[0],
            master,
            sizes[1],
            label.encode(),
            ctypes.c_uint32(device),
            ctypes.c_uint32(epoch),
        )
        assert (code, key.raw) == (0, expected), vector["tcId"]
        done += 1
    assert done >= 10


def test_firmware_refuses_master_keys_of_other_sizes(firmware):
    for size, right in ((0, -2), (15, -2), (16, 0), (64, 0), (65, -2), (1000, -2)):
        key = ctypes.create_string_buffer(b"\xff" * 16, 16)
        code = firmware.epoch_key(
            key,
            ctypes.c_size_t(16),
            bytes(size),
            ctypes.c_size_t(size),
            b"a",
            ctypes.c_uint32(1),
            ctypes.c_uint32(1),
        )
        assert code == right, size
        assert key.raw == (specification.key(bytes(size), "a", 1, 1, 16) if not code else bytes(16))


def test_example_of_the_document():
    assert epoch_key(MASTER, "schwaemm256-128", 1, device=7).hex() == IN_THE_DOCUMENT
    assert IN_THE_DOCUMENT in (ROOT / "docs/telemetry.md").read_text()


def test_everything_counts():
    keys = [
        epoch_key(MASTER, "a", 1, device=1),
        epoch_key(MASTER, "a", 2, device=1),
        epoch_key(MASTER, "a", 1, device=2),
        epoch_key(MASTER, "b", 1, device=1),
        epoch_key(MASTER + b"\0", "a", 1, device=1),
        epoch_key(MASTER + b"a", "", 1, device=1),
        epoch_key(MASTER, "a", 1, device=1, version=1, allow_version_1=True),
    ]
    assert len(set(keys)) == len(keys)


def test_devices_with_one_master_key_share_no_key_stream():
    """What version 1 gave away, as a control: the same epoch and number of two devices, and the xor
    of their readings shows.
    """
    one, two = b"reading of device 1", b"reading of device 2"
    difference = bytes(a ^ b for a, b in zip(one, two, strict=True))
    for version, leaks in ((1, True), (2, False)):
        sealed = []
        for device, text in ((1, one), (2, two)):
            key = epoch_key(
                MASTER, "schwaemm256-128", 5, device=device, version=version, allow_version_1=True
            )
            sealed.append(aead.Schwaemm256_128(key).encrypt(bytes(32), text))
        xored = bytes(a ^ b for a, b in zip(*sealed, strict=True))[:16]
        assert (xored == difference[:16]) is leaks, f"version {version}"


@pytest.mark.parametrize(
    ("label", "epoch", "size", "device"),
    [
        ("a", -1, 16, 1),
        ("a", EPOCH_LAST + 1, 16, 1),
        ("a", 1, 0, 1),
        ("a", 1, -5, 1),
        ("ä", 1, 16, 1),
        ("a", 1, 16, -1),
        ("a", 1, 16, DEVICE_LAST + 1),
    ],
)
def test_nonsense_is_refused(label, epoch, size, device):
    with pytest.raises(ValueError, match="is "):
        epoch_key(MASTER, label, epoch, size, device=device)


@pytest.mark.parametrize("master", [16, None, "0011", [0] * 16, 1.5])
def test_a_master_key_is_bytes(master):
    with pytest.raises(TypeError, match=r"^master must be bytes-like"):
        epoch_key(master, "a", 1, device=1)


@pytest.mark.parametrize("size", [0, 1, 15, 65, 1000])
def test_a_master_key_has_16_to_64_bytes(size):
    """An empty one is mostly a variable that is not set."""
    expected = rf"^master has {size} bytes; a master key has 16 to 64$"
    for version in (1, 2):
        with pytest.raises(ValueError, match=expected):
            epoch_key(bytes(size), "a", 1, device=1, version=version, allow_version_1=version == 1)
    with pytest.raises(ValueError, match=expected):
        telemetry.Opener(bytes(size))


def test_its_sizes_are_those_of_the_c_library():
    header = (ROOT / "include/hanji/telemetry.h").read_text()
    assert f"#define HANJI_MASTER_BYTES_MIN {MASTER_SIZE_MIN} " in header
    assert f"#define HANJI_MASTER_BYTES_MAX {MASTER_SIZE_MAX} " in header
    assert len(epoch_key(bytes(MASTER_SIZE_MIN), "a", 1, device=1)) == MASTER_SIZE_MIN
    assert len(epoch_key(bytes(MASTER_SIZE_MAX), "a", 1, device=1)) == 16


@pytest.mark.parametrize("wrong", [None, "1", 1.0, True, b"\1"])
@pytest.mark.parametrize("name", ["epoch", "size", "device", "version"])
def test_numbers_are_ints(name, wrong):
    given_numbers = {"epoch": 1, "size": 16, "device": 1} | {name: wrong}
    with pytest.raises(TypeError, match=f"^{name} must be an int"):
        epoch_key(MASTER, "a", **given_numbers)


def test_the_device_must_be_given():
    with pytest.raises(TypeError, match="device"):
        epoch_key(MASTER, "a", 1)


def test_version_1_must_be_allowed():
    with pytest.raises(ValueError, match=r"version 1 .* lacks the device"):
        epoch_key(MASTER, "a", 1, device=1, version=1)
    for no_bool in ("no", 1, [False], None):
        with pytest.raises(TypeError, match=r"^allow_version_1 must be a bool"):
            epoch_key(MASTER, "a", 1, device=1, version=1, allow_version_1=no_bool)
    with pytest.raises(ValueError, match="version is 3"):
        epoch_key(MASTER, "a", 1, device=1, version=3, allow_version_1=True)
    assert epoch_key(MASTER, "a", 1, device=1, allow_version_1=True) == epoch_key(
        MASTER, "a", 1, device=1
    ), "to allow it is not to take it"


# The program on the host.

_specification = importlib.util.spec_from_file_location(
    "open_telemetry_v2", EXAMPLE / "open_telemetry.py"
)
assert _specification
assert _specification.loader
telemetry = importlib.util.module_from_spec(_specification)
sys.modules["open_telemetry_v2"] = telemetry
_specification.loader.exec_module(telemetry)


def frame(device, epoch, number, version=2, text=b"twelve bytes"):
    header = (
        bytes([version, 1])
        + b"".join(value.to_bytes(4, "little") for value in (device, epoch, number))
        + len(text).to_bytes(2, "little")
    )
    key = specification.key(MASTER, "schwaemm256-128", epoch, device, 16, version)
    return header + aead.Schwaemm256_128(key).encrypt(number.to_bytes(32, "little"), text, header)


def test_frames_of_devices_that_share_a_master_key_open_in_version_2_only():
    opener = telemetry.Opener(MASTER)
    assert [opener.open(frame(device, 1, 0)).device for device in (1, 2)] == [1, 2]
    with pytest.raises(telemetry.Refused, match="version 1 and algorithm 1; known are version 2"):
        opener.open(frame(3, 1, 0, version=1))
    with pytest.raises(telemetry.Refused, match="tag does not match"):
        opener.open(frame(1, 2, 0)[:2] + (2).to_bytes(4, "little") + frame(1, 2, 0)[6:])


def test_version_1_is_opened_for_one_device_only():
    with pytest.raises(ValueError, match="for one device only"):
        telemetry.Opener(MASTER, allow_version_1=True)
    opener = telemetry.Opener(MASTER, only_device=7, allow_version_1=True)
    assert opener.open(frame(7, 1, 0, version=1)).data == b"twelve bytes"
    assert opener.open(frame(7, 2, 0)).epoch == 2
    for version in (1, 2):
        with pytest.raises(telemetry.Refused, match="master key is that of device 7 alone"):
            opener.open(frame(8, 1, 0, version=version))
    with pytest.raises(telemetry.Refused, match="not after"):
        opener.open(frame(7, 1, 0, version=1))
    with pytest.raises(telemetry.Refused, match="version 1"):
        telemetry.Opener(MASTER, only_device=7).open(frame(7, 1, 0, version=1))


def run(*arguments, lines=""):
    command = [sys.executable, EXAMPLE / "open_telemetry.py", *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True)


def test_the_program_on_the_host():
    old = f"frame {frame(7, 1, 0, version=1).hex()}\n"
    assert "version 1 and algorithm 1" in run("--key", MASTER.hex(), lines=old).stderr
    assert run("--key", MASTER.hex(), "--allow-version-1", lines=old).returncode == 2
    assert (
        run("--key", MASTER.hex(), "--allow-version-1", "--only-device", "7", lines=old).returncode
        == 0
    )


def test_the_program_does_not_show_a_mistyped_key():
    done = run("--key", "")
    assert done.returncode == 2
    assert "not hexadecimal: 0 characters" in done.stderr
    for short in ("00" * 15, "11" * 65):
        done = run("--key", short)
        assert done.returncode == 2
        assert f"has {len(short) // 2} bytes; a master key has 16 to 64" in done.stderr
        assert short not in done.stdout + done.stderr
    wrong = MASTER.hex()[:-1] + "x"
    done = run("--key", wrong)
    assert done.returncode == 2
    assert "not hexadecimal: 32 characters" in done.stderr
    assert wrong not in done.stdout + done.stderr
