# SPDX-License-Identifier: Apache-2.0
"""Epoch keys equal what docs/telemetry.md says, computed from the executable specification, and nonsense is refused."""

import pytest

from hanji.epoch import EPOCH_LAST, epoch_key
from hanji_lab import spec

MASTER = bytes.fromhex("00112233445566778899aabbccddeeff")
EXAMPLE = "d15933ba83ac8b4ca260fee352a851ff"  # in docs/telemetry.md too


def by_the_document(master, label, epoch, size):
    fields = [b"hanji epoch key", master, label.encode(), epoch.to_bytes(8, "little")]
    return spec.algorithm("xoesch256").digest(b"".join(len(field).to_bytes(8, "little") + field for field in fields), size)


@pytest.mark.parametrize("epoch", [0, 1, 255, 1 << 31, EPOCH_LAST])
@pytest.mark.parametrize(("label", "size"), [("schwaemm256-128", 16), ("", 1), ("x" * 70, 64)])
def test_equals_the_document(epoch, label, size):
    assert epoch_key(MASTER, label, epoch, size) == by_the_document(MASTER, label, epoch, size)


def test_example_of_the_document():
    assert epoch_key(MASTER, "schwaemm256-128", 1).hex() == EXAMPLE


def test_everything_counts():
    keys = [
        epoch_key(MASTER, "a", 1),
        epoch_key(MASTER, "a", 2),
        epoch_key(MASTER, "b", 1),
        epoch_key(MASTER[:-1], "a", 1),
        epoch_key(MASTER + b"a", "", 1),
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("label", "epoch", "size"), [("a", -1, 16), ("a", EPOCH_LAST + 1, 16), ("a", 1, 0), ("ä", 1, 16)])
def test_nonsense_is_refused(label, epoch, size):
    with pytest.raises(ValueError, match="is "):
        epoch_key(MASTER, label, epoch, size)
