# SPDX-License-Identifier: Apache-2.0
"""The compiled half of hanji.telemetry: byte strings whose offsets are checked, numbers that repeat,
and the record batches that Arrow takes over.
"""

from __future__ import annotations

import gc
import random
import struct
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hanji import _core, telemetry
from hanji._numpy import NUMPY

pytestmark = pytest.mark.quick

KEY = bytes(range(16))
TRUNCATED = telemetry._NUMBERS["truncated"]


def strings_of(values: list[bytes], width: int, before: int = 0, spare: bytes = b"") -> Any:
    """The byte strings as those of an Arrow array, of which `before` come first."""
    ends = [0]
    for value in [spare] * before + values:
        ends.append(ends[-1] + len(value))
    offsets = struct.pack(f"={len(ends)}{'i' if width == 4 else 'q'}", *ends)
    data = spare * before + b"".join(values)
    return _core.ByteStrings(data, offsets, width, before, len(values))


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("before", [0, 3])
def test_byte_strings_of_arrow_buffers(width: int, before: int) -> None:
    values = [b"", b"one", b"", b"three"]
    found = strings_of(values, width, before, b"zz")
    data, offsets = found.copies(NUMPY)
    assert len(found) == 4 and data.tobytes() == b"onethree"
    assert offsets.tolist() == [0, 0, 3, 3, 8] and offsets.dtype == np.int64
    fixed = _core.ByteStrings(b"aabbccdd", None, 2, 1, 3)
    data, offsets = fixed.copies(NUMPY)
    assert data.tobytes() == b"bbccdd" and offsets.tolist() == [0, 2, 4, 6]
    none = _core.ByteStrings(None, None, 0, 0, 0)
    assert len(none) == 0 and none.copies(NUMPY)[1].tolist() == [0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((b"", struct.pack("=2i", 0, 0), 3, 0, 1), "offsets of 3 bytes; 4 or 8 expected"),
        ((b"", b"", 4, 0, 0), "has only 0 offsets"),
        ((b"", struct.pack("=2i", 0, 0), 4, 0, 2), "has only 2 offsets"),
        ((b"", struct.pack("=2i", 0, 0), 4, 2, 0), "has only 2 offsets"),
        ((b"", struct.pack("=2i", 0, 0), 8, 0, 1), "has only 1 offsets"),
        ((b"", struct.pack("=2i", 0, 0), 4, 1, (1 << 64) - 1), "has only 2 offsets"),
        ((b"", struct.pack("=2i", 0, 0), 4, (1 << 64) - 1, 1), "has only 2 offsets"),
        ((b"x", struct.pack("=2i", 0, 2), 4, 0, 1), "end at 2, but the data have 1 bytes"),
        ((None, struct.pack("=2i", 0, 1), 4, 0, 1), "end at 1, but the data have 0 bytes"),
        ((b"xxx", struct.pack("=3i", 0, 3, 2), 4, 0, 2), r"at place 2 \(2, in row 1\); .* 0 to 3 "),
        ((b"xxx", struct.pack("=2i", -1, 2), 4, 0, 1), r"at place 0 \(-1, in row 0\)"),
        (
            (b"xxx", struct.pack("=2q", 0, -(1 << 63)), 8, 0, 1),
            r"at place 1 \(-9223372036854775808",
        ),
        ((b"xxx", struct.pack("=2q", (1 << 63) - 1, -1), 8, 0, 1), r"at place 1 \(-1, in row 0\)"),
        ((b"xxx", None, 4, 0, 1), "end at 4, but the data have 3 bytes"),
        ((b"xxx", None, 1 << 62, 1, 1), "are more than an array holds"),
        ((b"xxx", None, 1, (1 << 63) - 1, 1), "are more than an array holds"),
        ((b"xxx", None, 0, 0, (1 << 63) - 1), "are more than an array holds"),
    ],
)
def test_byte_strings_that_lie_are_refused(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        _core.ByteStrings(*given)


def test_offsets_are_a_copy() -> None:
    """Whoever changes them after the check changes nothing, also those of 32 bits."""
    for kind in (np.int32, np.int64):
        offsets = np.array([0, 3, 5], kind)
        found = _core.ByteStrings(b"abcde", offsets.view(np.uint8), kind().itemsize, 0, 2)
        flat = _core.ByteStrings(
            NUMPY, "data", np.frombuffer(b"abcde", np.uint8), offsets.astype(np.int64)
        )
        offsets[:] = [9, -1, 1 << 30]
        for each in (found, flat):
            assert each.copies(NUMPY)[1].tolist() == [0, 3, 5]
    checked = _core.checked_offsets(NUMPY, np.array([0, 3, 5]), 5)
    assert checked.tolist() == [0, 3, 5]
    with pytest.raises(ValueError, match="end at 5, but the data have 4 bytes"):
        _core.checked_offsets(NUMPY, np.array([0, 3, 5]), 4)
    with pytest.raises(TypeError, match="offsets is int32 of shape"):
        _core.checked_offsets(NUMPY, np.array([0, 3, 5], np.int32), 5)


def test_errors_of_many_offsets() -> None:
    """Where there are so many that other Python threads run while they are checked."""
    n = 5000
    data, good = np.zeros(2 * n, np.uint8), np.arange(n + 1, dtype=np.int64) * 2
    frames = _core.ByteStrings(NUMPY, "data", data, good)
    found, offsets = frames.copies(NUMPY)
    assert found.tobytes() == bytes(2 * n) and (offsets == good).all()
    assert len(frames.devices(NUMPY)) == 0
    wrong = good.copy()
    wrong[n - 1] = 1
    for make in (
        lambda: _core.ByteStrings(NUMPY, "data", data, wrong),
        lambda: _core.ByteStrings(data, wrong.astype(np.int32), 4, 0, n),
        lambda: _core.checked_offsets(NUMPY, wrong, len(data)),
        lambda: _core.sealed_batch(data, wrong, np.zeros(n, np.int8), False),
    ):
        with pytest.raises(ValueError, match=f"at place {n - 1} .1, in row {n - 2}"):
            make()
    with pytest.raises(ValueError, match="end at 20000, but the data have 10000 bytes"):
        _core.ByteStrings(data, None, 4, 0, n)


@pytest.mark.parametrize("steps", [2, -1, -3])
def test_arrays_with_steps_are_refused(steps: int) -> None:
    """Also by what only this package calls: the bytes behind the first item are those of other
    items, or of nobody.
    """
    made = sealed(4)
    frames = _core.ByteStrings(NUMPY, "data", made.data, made.offsets)
    keys = _core.MasterKeys(None, KEY, 16)
    arrays = keys.open(NUMPY, frames, False)

    def stepped(array: Any) -> Any:
        spread = np.zeros(abs(steps) * len(array), array.dtype)[::steps]
        spread[:] = array
        return spread

    offsets = np.array([0, 1, 2])
    assert len(_core.ByteStrings(np.zeros(2, np.uint8), offsets, 8, 0, 2)) == 2
    calls = [
        lambda: _core.ByteStrings(stepped(np.zeros(9, np.uint8)), None, 1, 0, 9),
        lambda: _core.ByteStrings(np.zeros(2, np.uint8), stepped(offsets), 8, 0, 2),
        lambda: keys.open_batch(frames, False, stepped(np.zeros(4, bool)), False),
        lambda: _core.MasterKeys(stepped(np.arange(2, dtype=np.uint32)), bytes(32), 16),
        lambda: keys.open((lambda *_: stepped(np.zeros(4, np.uint32)), *NUMPY[1:]), frames, False),
    ]
    for place in range(6):
        given = [stepped(array) if i == place else array for i, array in enumerate(arrays)]
        calls.append(lambda given=given: _core.opened_batch(*given, None, False))
    for call in calls:
        with pytest.raises((TypeError, BufferError), match="not C-contiguous"):
            call()


def shifted(array: Any) -> Any:
    """The same numbers one byte behind where whole words may begin."""
    found = np.frombuffer(bytearray(b"-" + array.tobytes()), array.dtype, offset=1)
    assert not found.flags.aligned
    return found


@pytest.mark.parametrize("n", [3, 5000])
def test_arrays_may_begin_anywhere(n: int) -> None:
    """The C library reads whole words, so that numbers which lie elsewhere are copied: what changes
    later is not seen.
    """
    numbers = np.arange(n, dtype=np.uint32)
    masters = np.arange(16 * n, dtype=np.uint32).astype(np.uint8)
    payload, offsets = np.zeros(2 * n, np.uint8), np.arange(n + 1, dtype=np.int64) * 2
    table = {"device": numbers, "master": [row.tobytes() for row in masters.reshape(n, 16)]}
    sealer, opener = telemetry.Sealer(pa.table(table)), telemetry.Opener(KEY)
    wanted = sealer.flat(numbers, numbers, numbers, payload, offsets)
    found = sealer.flat(*[shifted(numbers)] * 3, payload, shifted(offsets))
    assert found.data.tobytes() == wanted.data.tobytes() and not found.status.any()
    opened = opener.flat(found.data, shifted(found.offsets))
    assert opened.device.tolist() == numbers.tolist()

    keys = _core.MasterKeys(shifted(numbers), masters, 16)
    columns = [shifted(numbers) for _ in range(3)]
    places = _core.Places(NUMPY, *columns)
    for column in columns:
        column[:] = 1
    assert places.repeated() is None
    payloads = _core.ByteStrings(NUMPY, "payload", payload, offsets)
    data, _, status = keys.seal(NUMPY, 3, places, payloads, True)
    assert data.tobytes() == wanted.data.tobytes() and not status.any()
    twice = shifted(np.append(numbers, numbers[1]))
    with pytest.raises(ValueError, match=f"device 1 comes twice .* in row {n} "):
        _core.MasterKeys(twice, bytes(16 * len(twice)), 16)


def first_repeated(rows: list[tuple[int, ...]]) -> tuple[int, int] | None:
    """Of the least row that repeats, its first two places: by comparing all."""
    found = min((row for row in rows if rows.count(row) > 1), default=None)
    if found is None:
        return None
    first = rows.index(found)
    return first, rows.index(found, first + 1)


def test_numbers_that_repeat_are_found() -> None:
    """In any order and size; none among numbers that differ in one column or by a carry."""
    source, seen = random.Random(3), set()
    for _ in range(400):
        n = source.choice([0, 1, 2, 3, 9, 33])
        most = source.choice([2, 8, 1 << 32])
        rows = [tuple(source.choice([0, 1, source.randrange(most)]) for _ in range(3))]
        rows += [tuple(source.randrange(most) for _ in range(3)) for _ in range(n)]
        if source.random() < 0.3:
            rows.sort()
        columns = [np.array(column, np.uint32) for column in zip(*rows, strict=True)]
        wanted = first_repeated(rows)
        assert _core.Places(NUMPY, *columns).repeated() == wanted
        seen.add(wanted is None)
    assert seen == {True, False}
    corners = [0, 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]
    rows = [(a, b, c) for a in corners for b in corners for c in corners]
    source.shuffle(rows)
    assert _core.Places(NUMPY, *np.array(rows, np.uint32).T.copy()).repeated() is None
    with pytest.raises(ValueError, match="epoch is 4 bytes; 2 frames take 4 bytes each"):
        one = np.zeros(1, np.uint32)
        _core.Places(NUMPY, np.zeros(2, np.uint32), one, one).repeated()


def test_many_numbers_that_repeat_once() -> None:
    n = 70_000
    device = np.random.default_rng(1).integers(0, 1 << 32, n).astype(np.uint32)
    epoch, number = np.zeros(n, np.uint32), np.arange(n, dtype=np.uint32)[::-1].copy()
    places = _core.Places(NUMPY, device, epoch, number)
    assert places.repeated() is None
    device[n - 1], number[n - 1] = device[5], number[5]
    assert places.repeated() == (5, n - 1)


def sealed(n: int, algorithm: str = "ascon-aead128") -> telemetry.Frames:
    """Frames with payloads of 0 to 40 bytes, of which every fifth is forged or cut."""
    sizes = [i * 7 % 41 for i in range(n)]
    numbers = np.arange(n, dtype=np.uint32)
    sealer = telemetry.Sealer(KEY, direction="from-device", algorithm=algorithm)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    payload = np.arange(int(offsets[-1]), dtype=np.uint32).astype(np.uint8)
    made = sealer.flat(numbers % 3, numbers // 9, numbers, payload, offsets)
    for frame in range(0, n, 5):
        made.data[int(made.offsets[frame]) + (0 if frame % 2 else 14)] ^= 1
    return made


@pytest.mark.parametrize("algorithm", telemetry.ALGORITHMS)
def test_arrays_and_batches_hold_the_same(algorithm: str) -> None:
    """Of one key and of keys that rotate, in both types of byte strings, for every size of the
    validity bits.
    """
    rotating = pa.table(
        {
            "device": pa.array([0, 1, 2, 2], pa.uint32()),
            "master": [KEY, KEY, KEY, KEY],
            "valid_from_epoch": [0, 0, 0, 2],
            "valid_to_epoch": [None, None, 1, None],
        }
    )
    for n in (0, 1, 7, 8, 9, 64, 600):
        made = sealed(n, algorithm)
        for masters in (KEY, rotating):
            opener = telemetry.Opener(masters, threads=1)
            flat = opener.flat(made.data, made.offsets)
            assert np.count_nonzero(flat.status) == len(range(0, n, 5))
            payloads = [
                flat.payload[begin:end].tobytes() if status == 0 else None
                for begin, end, status in zip(
                    flat.offsets[:-1], flat.offsets[1:], flat.status, strict=True
                )
            ]
            for kind in (pa.binary(), pa.large_binary()):
                width = np.int32 if kind == pa.binary() else np.int64
                buffers = [None, pa.py_buffer(made.offsets.astype(width)), pa.py_buffer(made.data)]
                column = pa.Array.from_buffers(kind, n, buffers)
                batch = opener(pa.record_batch({"frame": column}))
                batch.validate(full=True)
                assert batch.schema == opener.schema(pa.schema({"frame": kind}))
                assert batch.column("payload").to_pylist() == payloads
                assert batch.column("payload").null_count == np.count_nonzero(flat.status)
                for name in ("device", "epoch", "number", "status"):
                    values = getattr(flat, name)
                    assert batch.column(name).to_pylist() == values.tolist()
                    assert batch.column(name).null_count == 0


def test_a_batch_outlives_what_made_it() -> None:
    """Its memory goes with the last array, in whatever order and thread they go."""
    made = sealed(9)
    frames = _core.ByteStrings(NUMPY, "data", made.data, made.offsets)
    keys = _core.MasterKeys(None, KEY, 16)
    whole = keys.open_batch(frames, False, None, True)
    first, second = (pa.record_batch(whole) for _ in range(2))
    assert first.equals(second)
    wanted = first.to_pydict()
    capsules = whole.__arrow_c_array__()
    parts = pa.Array._import_from_c_capsule(*capsules).flatten()
    with pytest.raises(ValueError, match=r"released|Cannot import"):
        pa.Array._import_from_c_capsule(*capsules)
    for _ in range(50):
        whole.__arrow_c_array__()  # nobody takes them over
    del frames, keys, whole, first, made, capsules
    payload = parts[3]
    del parts
    gc.collect()
    assert second.to_pydict() == wanted and payload.to_pylist() == wanted["payload"]
    held = [second]
    del second
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert payload.to_pylist() == wanted["payload"]


LEAKS = """
import resource
import sys

import numpy as np
import pyarrow as pa

from hanji import _core
from hanji._numpy import NUMPY

SIZE = 8 << 20
frames = _core.ByteStrings(np.zeros(SIZE, np.uint8), np.array([0, SIZE]), 8, 0, 1)
places = _core.Places(NUMPY, *[np.zeros(1, np.uint32)] * 3)
keys = _core.MasterKeys(None, bytes(16), 16)


def refused(call):
    try:
        call()
    except ValueError:
        return
    raise AssertionError("not refused")


def open_batch(nulls=None):
    return keys.open_batch(frames, False, nulls, True)


def child():
    return pa.Array._import_from_c_capsule(*open_batch().__arrow_c_array__()).flatten()[3]


ways = {
    "not exported": open_batch,
    "not taken over": lambda: open_batch().__arrow_c_array__(),
    "taken over": lambda: pa.record_batch(open_batch()),
    "taken over in part": child,
    "taken over twice": lambda: [pa.record_batch(each) for each in [open_batch()] * 2],
    "refused": lambda: refused(lambda: open_batch(np.zeros(3, bool))),
    "sealed": lambda: pa.record_batch(keys.seal_batch(3, places, frames, False, True)),
    "not sealed": lambda: refused(lambda: keys.seal_batch(9, places, frames, False, True)),
}
held = []
for way in ways.values():
    way()  # and what it allocates once
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (256 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for name, way in ways.items():
    if sys.argv[1] in ("all", name):
        for _ in range(100):
            made = way()
            if sys.argv[1] != "all":
                held.append(made)
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
@pytest.mark.parametrize("kept", ["all", "taken over", "taken over in part"])
def test_no_batch_is_left_behind(kept: str) -> None:
    """A hundred batches of 8 MiB each, in 256 MiB. Controls: what is held does not fit."""
    done = subprocess.run(
        [sys.executable, "-c", LEAKS, kept], capture_output=True, text=True, check=False
    )
    if kept == "all":
        assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    else:
        assert done.returncode == 1 and "MemoryError" in done.stderr


def test_threads_share_objects() -> None:
    made = sealed(64)
    frames = _core.ByteStrings(NUMPY, "data", made.data, made.offsets)
    keys = _core.MasterKeys(None, KEY, 16)
    batch = keys.open_batch(frames, False, None, True)
    wanted = pa.record_batch(batch)
    found: list[Any] = []

    def work() -> None:
        for _ in range(50):
            found.append(pa.record_batch(batch))
            found.append(pa.record_batch(keys.open_batch(frames, False, None, True)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400 and all(each.equals(wanted) for each in found)


def test_nulls_have_one_truth_for_each_frame() -> None:
    made = sealed(4)
    frames = _core.ByteStrings(NUMPY, "data", made.data, made.offsets)
    keys = _core.MasterKeys(None, KEY, 16)
    batch = pa.record_batch(keys.open_batch(frames, False, np.array([0, 1, 0, 0], bool), False))
    assert batch.column("status").to_pylist()[1] == telemetry.NULL
    for wrong in (3, 5):
        with pytest.raises(ValueError, match=f"nulls is {wrong} bytes; 4 frames take 1 bytes"):
            keys.open_batch(frames, False, np.zeros(wrong, bool), False)


@pytest.mark.parametrize(
    ("empty", "error", "said"),
    [
        (lambda *_: np.empty(1, np.uint8), ValueError, "a new array has 1 bytes; 16 expected"),
        (lambda *_: None, TypeError, "a new array must be a writable bytes-like object"),
        (lambda *_: bytes(60), TypeError, "a new array is a read-only bytes"),
        (lambda *_: 1 // 0, ZeroDivisionError, "by zero"),
    ],
)
def test_new_arrays_are_checked(empty: Any, error: type[Exception], said: str) -> None:
    made = sealed(4)
    frames = _core.ByteStrings(NUMPY, "data", made.data, made.offsets)
    keys = _core.MasterKeys(None, KEY, 16)
    with pytest.raises(error, match=said):
        keys.open((empty, *NUMPY[1:]), frames, False)
    with pytest.raises(ValueError, match="numpy has 0 entries; 6 expected"):
        keys.open((), frames, False)


def test_batches_of_arrays_have_arrays_that_fit() -> None:
    """What the Python half makes of keys that rotate is checked as what a caller gives."""
    made = sealed(3)
    frames = _core.ByteStrings(NUMPY, "data", made.data, made.offsets)
    arrays = _core.MasterKeys(None, KEY, 16).open(NUMPY, frames, False)
    good = pa.record_batch(_core.opened_batch(*arrays, None, True))
    assert good.column("status").to_pylist() == arrays[5].tolist() == [TRUNCATED, 0, 0]
    for place in (0, 1, 2, 4):
        wrong = [*arrays]
        wrong[place] = wrong[place][:-1]
        with pytest.raises(ValueError, match=r"take \d bytes each"):
            _core.opened_batch(*wrong, None, True)
    wrong = [*arrays]
    wrong[4] = wrong[4] + 1000  # beyond the payloads
    with pytest.raises(ValueError, match="offsets"):
        _core.opened_batch(*wrong, None, True)
    with pytest.raises(ValueError, match="offsets"):
        _core.sealed_batch(made.data, made.offsets[::-1].copy(), made.status, True)


def test_arrays_of_other_lengths_are_refused() -> None:
    """The same for one key and for keys that rotate, whose layers took what NumPy broadcasts."""
    two, payload, offsets = np.zeros(2, np.uint32), np.zeros(8, np.uint8), np.array([0, 4, 8])
    rotating = {"device": [0], "master": [KEY], "valid_from_epoch": [0]}
    for masters in (KEY, pa.table(rotating)):
        sealer = telemetry.Sealer(masters)
        for place, name in enumerate(("device", "epoch", "number")):
            for wrong in (np.zeros(1, np.uint32), np.zeros(3, np.uint32)):
                arrays = [two, two, two]
                arrays[place] = wrong
                with pytest.raises(ValueError, match=f"{name} is {4 * len(wrong)} bytes; 2 frames"):
                    sealer.flat(*arrays, payload, offsets)
