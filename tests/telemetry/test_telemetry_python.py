# SPDX-License-Identifier: Apache-2.0
"""hanji.telemetry: openers and sealers over tables, replays, and what they refuse."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hanji import _telemetry_files, hazmat, telemetry
from hanji.aead import AsconAEAD128, Schwaemm256_128
from hanji.epoch import epoch_key

pytestmark = pytest.mark.quick

MASTERS = {device: bytes([device % 251] * 15 + [7]) for device in (0, 1, 2, 77, 2**32 - 1)}
CIPHERS = {
    1: ("schwaemm256-128", Schwaemm256_128, 32),
    2: ("speck-64/128-eax", lambda key: hazmat.eax("speck-64/128", key), 8),
    3: ("ascon-aead128", AsconAEAD128, 16),
}


def frame(device: int, epoch: int, number: int, payload: bytes, algorithm: int = 1) -> bytes:
    """One frame as docs/telemetry.md says it, with the classes for single messages."""
    label, cipher, nonce = CIPHERS[algorithm]
    header = bytes([2, algorithm])
    header += b"".join(value.to_bytes(4, "little") for value in (device, epoch, number))
    header += len(payload).to_bytes(2, "little")
    key = epoch_key(MASTERS[device], label, epoch, device=device)
    return header + cipher(key).encrypt(number.to_bytes(nonce, "little"), payload, header)


def masters() -> pa.Table:
    return pa.table(
        {
            "device": pa.array(MASTERS, pa.uint32()),
            "master": pa.array(MASTERS.values(), pa.binary()),
        }
    )


def sample() -> tuple[list[bytes | None], list[bytes | None], list[int]]:
    """Frames, what they hold, and their statuses."""
    frames: list[bytes | None] = []
    payloads: list[bytes | None] = []
    statuses: list[int] = []
    for place in range(40):
        device = [*MASTERS][place % len(MASTERS)]
        payload = bytes([place]) * (place * 3)
        whole = frame(device, place % 3, place, payload, 1 + place % 3)
        bad: dict[int, tuple[bytes | None, int]] = {
            5: (whole[:-1] + bytes([whole[-1] ^ 1]), -3),
            6: (whole[:-1], -16),
            7: (whole[:9], -16),
            8: (b"", -16),
            9: (whole + b"x", -17),
            10: (b"\1" + whole[1:], -18),
            11: (whole[:1] + b"\4" + whole[2:], -19),
            12: (whole[:2] + b"\5\0\0\0" + whole[6:], -20),
            13: (None, -22),
        }
        sent, status = bad.get(place, (whole, 0))
        frames.append(sent)
        payloads.append(payload if status == 0 else None)
        statuses.append(status)
    return frames, payloads, statuses


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_opens_tables(kind: Any) -> None:
    frames, payloads, statuses = sample()
    opener = telemetry.Opener(masters(), keep=["line"], threads=2)
    table = pa.table({"line": range(len(frames)), "frame": pa.array(frames, kind)})
    table = pa.concat_tables([table.slice(0, 11), table.slice(11)])
    opened = opener(table)
    assert opened.schema == opener.schema(table.schema)
    assert opened.column_names == [*telemetry.COLUMNS, "line"]
    assert opened["status"].to_pylist() == statuses
    assert opened["payload"].to_pylist() == payloads
    assert opened["line"].to_pylist() == [*range(len(frames))]
    assert opened["device"].to_pylist()[3:5] == [77, 2**32 - 1]
    assert opened["number"].to_pylist()[14:] == [*range(14, 40)]
    assert opened["payload"].null_count == sum(status != 0 for status in statuses)
    opened.validate(full=True)
    batch = opener(table.combine_chunks().to_batches()[0].slice(2, 9))
    assert isinstance(batch, pa.RecordBatch)
    assert batch.column("payload").to_pylist() == payloads[2:11]
    assert telemetry.Opener(masters())(table["frame"])["status"].to_pylist() == statuses
    assert opener(table.slice(0, 0)).num_rows == 0


def test_opens_numpy_and_polars() -> None:
    frames, payloads, statuses = sample()
    opener = telemetry.Opener(masters())
    opened = opener(polars.DataFrame({"frame": frames}))
    assert isinstance(opened, polars.DataFrame)
    assert opened["status"].to_list() == statuses and opened["payload"].to_list() == payloads
    rows = [frame(2, 1, number, b"12345678") for number in range(5)]
    rows[3] = rows[3][:20] + b"?" + rows[3][21:]
    array = np.frombuffer(b"".join(rows), np.uint8).reshape(5, -1)
    result = opener(array)
    assert result.status.tolist() == [0, 0, 0, -3, 0] and len(result) == 5
    assert result.offsets.tolist() == [0, 8, 16, 24, 24, 32]
    assert result.payload.tobytes() == b"12345678" * 4


def test_every_status_has_a_name() -> None:
    assert telemetry.STATUSES[0] == "opened" and telemetry.STATUSES[-3] == "forged"
    assert set(sample()[2]) <= set(telemetry.STATUSES)


def test_masters_from_everywhere(tmp_path: Path) -> None:
    frames, payloads, _ = sample()
    path = tmp_path / "masters.parquet"
    pq.write_table(masters(), path)
    asked: list[int] = []

    def fetch(devices: Any) -> list[bytes | None]:
        asked.extend(devices.tolist())
        return [MASTERS.get(device) for device in devices.tolist()]

    table = pa.table({"frame": frames})
    fixed = masters().set_column(1, "master", pa.array(MASTERS.values(), pa.binary(16)))
    sources = [path, str(path), masters(), fixed, masters().to_batches()[0], fetch]
    sources.append(polars.DataFrame({"device": [*MASTERS], "master": [*MASTERS.values()]}))
    for source in sources:
        opener = telemetry.Opener(source)
        for _ in range(2):
            assert opener(table)["payload"].to_pylist() == payloads, source
    assert len(asked) == len(set(asked)) and set(asked) >= set(MASTERS)
    one = pa.table({"frame": [row for row in frames if row and row[2:6] == b"\1\0\0\0"]})
    only = telemetry.Opener(MASTERS[1])(one)
    assert only["status"].to_pylist().count(0) >= 4


def test_openers_travel_without_keys(tmp_path: Path) -> None:
    """A worker reads the keys itself: another process opens with what pickle carries."""
    path = tmp_path / "masters.parquet"
    pq.write_table(masters(), path)
    opener = telemetry.Opener(path)
    frames, payloads, _ = sample()
    table = pa.table({"frame": frames})
    assert opener(table)["payload"].to_pylist() == payloads
    carried = pickle.dumps(opener)
    assert not any(key in carried for key in MASTERS.values())
    (tmp_path / "opener").write_bytes(carried)
    pq.write_table(table, tmp_path / "frames.parquet")
    program = (
        "import pickle, pyarrow.parquet as pq\n"
        "opener = pickle.load(open('opener', 'rb'))\n"
        "print(opener(pq.read_table('frames.parquet'))['status'].to_pylist().count(0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == sum(payload is not None for payload in payloads)
    for source in (masters(), MASTERS[1]):
        with pytest.raises(TypeError, match="keys do not travel with tasks"):
            pickle.dumps(telemetry.Opener(source))


def columns(rows: int = 50, **more: Any) -> pa.Table:
    devices = [[*MASTERS][row % len(MASTERS)] for row in range(rows)]
    given = {
        "device": pa.array(devices, pa.int64()),
        "epoch": pa.array([3] * rows, pa.int32()),
        "number": pa.array(range(rows), pa.uint32()),
        "payload": pa.array([b"payload" * (row % 5) for row in range(rows)], pa.binary()),
    }
    return pa.table(given | more)


@pytest.mark.parametrize("algorithm", [*telemetry.ALGORITHMS])
def test_seals_what_opens(algorithm: str) -> None:
    table = columns()
    sealed = telemetry.Sealer(masters(), algorithm=algorithm, keep=["number"])(table)
    assert sealed.column_names == ["frame", "status", "number"]
    opened = telemetry.Opener(masters(), direction="to-device")(sealed)
    assert opened["payload"].to_pylist() == table["payload"].to_pylist()
    assert opened["device"].to_pylist() == table["device"].to_pylist()
    # A command that is sent back as a reading does not open: directions have keys of their own.
    reflected = telemetry.Opener(masters())(sealed)
    assert set(reflected["status"].to_pylist()) == {-3}
    readings = telemetry.Sealer(masters(), algorithm=algorithm, direction="from-device")(table)
    kind = telemetry.ALGORITHMS[algorithm]
    assert readings["frame"][7].as_py() == frame(2, 3, 7, b"payload" * 2, kind)
    label = CIPHERS[kind][0]
    key = epoch_key(MASTERS[2], f"command {label}", 3, device=2)
    whole = sealed["frame"][7].as_py()
    nonce = (7).to_bytes(CIPHERS[kind][2], "little")
    assert CIPHERS[kind][1](key).decrypt(nonce, whole[16:], whole[:16]) == b"payload" * 2


def test_what_is_not_sealed_is_null() -> None:
    table = columns(3, payload=pa.array([b"a", b"b" * 65536, b"c"]))
    table = table.set_column(0, "device", pa.array([1, 2, 5]))
    sealed = telemetry.Sealer(masters())(table)
    assert sealed["status"].to_pylist() == [0, -2, -20]
    assert [whole is None for whole in sealed["frame"].to_pylist()] == [False, True, True]


def test_repeated_numbers_are_not_sealed() -> None:
    table = pa.concat_tables([columns(50), columns(50).slice(17, 1)])
    with pytest.raises(ValueError, match=r"rows 17 and 50 have the same device, epoch and number"):
        telemetry.Sealer(masters())(table)


def test_bad_tables_are_named() -> None:
    good = {"device": [1, 2], "master": [b"k" * 16, b"l" * 16]}
    for change, message in (
        ({"device": [1, 1]}, "device 1 comes twice .* row 1"),
        ({"device": [1, -2]}, "-2 in row 1"),
        ({"device": [1, 2**32]}, "4294967296 in row 1"),
        ({"device": [1, None]}, "null in row 1"),
        ({"master": [b"k" * 16, None]}, "null in row 1"),
        ({"master": [b"k" * 16, b"k" * 17]}, "row 1 of masters has 17 bytes"),
        ({"master": [b"k" * 15, b"k" * 15]}, "15 bytes; they have 16 to 64"),
    ):
        with pytest.raises(ValueError, match=message):
            telemetry.Opener(pa.table(good | change))
    with pytest.raises(ValueError, match="no column 'master'"):
        telemetry.Opener(pa.table({"device": [1]}))
    with pytest.raises(TypeError, match="has the type string"):
        telemetry.Opener(pa.table(good | {"device": ["1", "2"]}))
    with pytest.raises(TypeError, match="masters are a int"):
        telemetry.Opener(5)
    with pytest.raises(ValueError, match="15 bytes; they have 16 to 64"):
        telemetry.Opener(b"k" * 15)
    opener = telemetry.Opener(b"k" * 16)
    with pytest.raises(ValueError, match="no column 'frame'"):
        opener(pa.table({"f": [b""]}))
    with pytest.raises(TypeError, match="Arrow type string"):
        opener(pa.table({"frame": ["text"]}))
    with pytest.raises(TypeError, match="frames are a list"):
        opener([b""])
    for no_array in ([bytes(32)], bytearray(32), 32, None):
        with pytest.raises(TypeError, match=f"frames are a {type(no_array).__name__}; one frame"):
            opener.rows(no_array)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="float64 of shape"):
        opener(np.zeros((2, 2)))
    with pytest.raises(
        ValueError, match="direction is a str of 2 characters; it takes 'from-device'"
    ):
        telemetry.Opener(b"k" * 16, direction="up")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="keep names 'status'"):
        telemetry.Opener(b"k" * 16, keep=["status"])
    with pytest.raises(ValueError, match="algorithm is a str of 3 characters"):
        telemetry.Sealer(b"k" * 16, algorithm="aes")
    with pytest.raises(ValueError, match="payload is null in row 1"):
        telemetry.Sealer(b"k" * 16)(columns(2, payload=pa.array([b"a", None])))
    with pytest.raises(ValueError, match="gave 1 keys for 2 devices"):
        telemetry.Opener(lambda devices: [b"k" * 16])(pa.table({"frame": sample()[0][:2]}))


@pytest.mark.parametrize(
    ("partitions", "most", "collide"),
    [(1, 7, False), (1, 1 << 22, False), (5, 7, False), (5, 1 << 22, False), (5, 1 << 22, True)],
)
def test_replays_are_all_but_the_first(
    partitions: int, most: int, collide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a partition is looked through in pieces, and where all hashes are equal: a hash
    says only what may be a replay."""
    monkeypatch.setattr(telemetry.Replays, "_MOST", most)
    if collide:
        monkeypatch.setattr(
            telemetry.Replays, "_mixed", lambda _, records: np.full(len(records), 9, np.uint64)
        )
    random = np.random.default_rng(4)
    tables, seen, expected = [], set(), {}
    for place in range(3):
        rows = random.integers(0, 6, (200, 3)).astype(np.uint32)
        status = np.where(random.integers(0, 5, 200) == 0, -3, 0).astype(np.int8)
        wanted = []
        for row, (key, code) in enumerate(zip(map(tuple, rows.tolist()), status, strict=True)):
            if code == 0 and key in seen:
                wanted.append(row)
            elif code == 0:
                seen.add(key)
        expected[place] = wanted
        names = dict(zip(telemetry.COLUMNS[:3], rows.T.copy(), strict=True))
        tables.append(pa.table(names | {"status": status}))
    found = telemetry.replays(tables, partitions=partitions)
    assert {place: rows.tolist() for place, rows in found.items()} == expected
    assert telemetry.replays([]) == {}


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_tables_of_small_chunks_open_as_one(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are put together: chunks of all sizes, none, nulls, frames that are long."""
    monkeypatch.setattr(telemetry, "_GROUP", 40)
    monkeypatch.setattr(telemetry, "_GROUP_BYTES", 3000)
    monkeypatch.setattr(telemetry, "_PIECE_LEAST", 16)
    frames = [
        frame(1, 1, row, bytes(row % 90) * (30 if row % 50 == 7 else 1)) for row in range(300)
    ]
    frames[5], frames[77] = None, frames[77][:-1] + b"?"
    whole = pa.table({"frame": pa.array(frames, kind), "mine": pa.array(range(300))})
    random, at, chunks = np.random.default_rng(2), 0, [whole.slice(0, 0)]
    while at < 300:
        rows = int(random.integers(0, 60)) if at else 150
        chunks.append(whole.slice(at, rows))
        at += rows
    table = pa.concat_tables(chunks)
    assert table["frame"].num_chunks > 3
    opener = telemetry.Opener(masters(), keep=["mine", "frame"], threads=2)
    once = opener(whole.combine_chunks())
    assert opener(table).equals(once)
    assert once["frame"].to_pylist() == frames and once["mine"].to_pylist() == [*range(300)]
    assert once["status"].to_pylist().count(0) == 298


def test_files_are_compared_by_their_numbers_whatever_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telemetry.Replays, "_MOST", 3)
    one = np.ones(4, np.uint32)
    with telemetry.Replays(partitions=2) as state:
        for file in (2, 0, 1):
            state.add(file, np.arange(4)[::-1], one, one, one)
        found = [(f, r) for files, rows in state.found() for f, r in zip(files, rows, strict=True)]
    assert sorted(found) == [(f, r) for f in range(3) for r in range(4)][1:]


def test_one_frame_sent_very_often_fits_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its copies lie in one partition, whatever the hash; anybody who can write to the files
    can send them."""
    monkeypatch.setattr(telemetry.Replays, "_MOST", 1 << 14)
    rows, one = 1 << 19, np.ones(1 << 15, np.uint32)
    with telemetry.Replays() as state:
        for first in range(0, rows, len(one)):
            state.add(0, np.arange(first, first + len(one)), one, one, one)
        tracemalloc.start()
        found = sum(len(again) for _, again in state.found())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert found == rows - 1 and peak < 8 << 20


def test_a_device_fills_no_partition() -> None:
    """The hash was the same in all runs, so that a device could choose numbers of one partition,
    which then was larger than memory."""
    old = 0xD6E8FEB86659FD93
    chosen = [(row << 46 | row) * pow(old, -1, 1 << 64) % (1 << 64) for row in range(1 << 14)]
    mixed = np.array(chosen, np.uint64) * np.uint64(old)
    assert not (mixed >> np.uint64(40) & np.uint64(63)).any()
    place = np.array(chosen, np.uint64)
    with telemetry.Replays(partitions=64) as state:
        columns = ((place >> np.uint64(32)).astype(np.uint32), place.astype(np.uint32))
        state.add(0, np.arange(len(place)), np.zeros(len(place), np.uint32), *columns)
        sizes = [file.seek(0, 2) // state._RECORD.itemsize for file in state._files]
        assert not [*state.found()]
    assert sum(sizes) == len(place) and max(sizes) < 3 * len(place) // 64, sizes


def test_arrow_arrays_that_lie_are_refused() -> None:
    """Arrow copies by what an array says, and a process that copies from elsewhere may crash; from
    a file of others an array comes as it is there."""
    whole = frame(1, 1, 1, b"text")
    starts = np.array([0, len(whole), 1 << 30, 2 * len(whole)], np.int32)
    data, holes = pa.py_buffer(whole * 2), pa.py_buffer(b"\x05")
    opener = telemetry.Opener(masters(), threads=1)
    for valid in (None, holes):
        wrong = pa.Array.from_buffers(pa.binary(), 3, [valid, pa.py_buffer(starts), data])
        small = pa.table({"frame": pa.chunked_array([wrong, pa.array([whole], pa.binary())])})
        batch = pa.RecordBatch.from_arrays([wrong], ["frame"])
        for given in (wrong, small, batch):
            with pytest.raises(ValueError, match=r"[Oo]ffset"):
                opener(given)
    view = np.array([200, 0, 0, 1 << 30], np.int32)
    wrong = pa.Array.from_buffers(pa.binary_view(), 1, [None, pa.py_buffer(view), data])
    with pytest.raises(ValueError, match="View at slot 0"):
        opener(wrong)


@pytest.mark.parametrize(
    "key",
    [16, True, np.int64(16), [0] * 16, "0" * 16, np.ma.zeros(16, np.uint8), np.zeros(4, "f4")],
)
def test_a_function_for_master_keys_gives_bytes(key: Any) -> None:
    """An int became a key of so many zeros, which everybody knows."""
    opener = telemetry.Opener(lambda devices: [key] * len(devices))
    with pytest.raises(TypeError, match="a master key"):
        opener(pa.array([frame(1, 1, 1, b"text")]))


def wrong_arrays(good: Any) -> dict[str, Any]:
    """What is no array of one dimension with items of this type, by name."""
    other = np.float32 if good.dtype.itemsize == 4 else np.float64
    return {
        "items of another type and this size": good.astype(other)
        if good.dtype != np.uint8
        else good.astype(np.int8),
        "wider": good.astype(np.uint16),
        "masked": np.ma.array(good),
        "steps": np.repeat(good, 2)[::2],
        "two dimensions": good.reshape(1, -1),
        "no dimension": np.array(good.flat[0]),
        "list": good.tolist(),
        "bytes": good.tobytes(),
        "memoryview": memoryview(good),
        "None": None,
        "int": 16,
    }


def test_flat_arrays_have_their_types() -> None:
    opener, whole = telemetry.Opener(masters()), frame(1, 1, 1, b"text")
    given = {"data": np.frombuffer(whole * 2, np.uint8), "offsets": np.arange(3) * len(whole)}
    assert opener.flat(**given).status.tolist() == [0, 0]
    sealer = telemetry.Sealer(masters(), direction="from-device")
    numbers = {name: np.array([1, 2], np.uint32) for name in telemetry.COLUMNS[:3]}
    payload = {"payload": np.frombuffer(b"text" * 2, np.uint8), "offsets": np.arange(3) * 4}
    assert sealer.flat(**numbers, **payload).status.tolist() == [0, 0]
    for call, arrays in ((opener.flat, given), (sealer.flat, numbers | payload)):
        for name, good in arrays.items():
            for kind, value in wrong_arrays(good).items():
                with pytest.raises(TypeError, match=f"^{name} "):
                    call(**arrays | {name: value})
                    pytest.fail(f"{name}: {kind} is taken")
        with pytest.raises(ValueError, match="offsets are empty"):
            call(**arrays | {"offsets": np.empty(0, np.int64)})


def test_masked_frames_are_refused() -> None:
    rows = np.ma.array(np.frombuffer(frame(1, 1, 1, b"text"), np.uint8).reshape(1, -1))
    with pytest.raises(TypeError, match="frames is a masked array"):
        telemetry.Opener(masters())(rows)


def test_offsets_that_change_meanwhile_are_not_followed() -> None:
    """Another thread that changed them while the library read made a process crash."""
    whole = frame(1, 1, 1, b"text")
    offsets = np.arange(3) * len(whole)

    def ask(devices: Any) -> list[bytes]:
        offsets[:] = [0, 1 << 40, 5]
        return [MASTERS[device] for device in devices.tolist()]

    data = np.frombuffer(whole * 2, np.uint8)
    assert telemetry.Opener(ask).flat(data, offsets).status.tolist() == [0, 0]
    numbers = [np.array([1, 2], np.uint32)] * 3
    offsets[:] = [0, 4, 8]
    sealer = telemetry.Sealer(ask, direction="from-device")
    assert sealer.flat(*numbers, np.zeros(8, np.uint8), offsets).status.tolist() == [0, 0]


def test_offsets_that_lie_elsewhere_are_refused() -> None:
    """They were a failure to take memory, or of NumPy, before anything looked at them."""
    whole = np.frombuffer(frame(1, 1, 1, b"text"), np.uint8)
    opener = telemetry.Opener(lambda devices: [MASTERS[1]] * len(devices))
    sealer, one = telemetry.Sealer(masters()), np.array([1], np.uint32)
    for offsets, said in (
        ([0, 1 << 60], "offsets end at 1152921504606846976, but the data have"),
        ([5, 0], "offsets decrease, or are negative, at place 1"),
        ([-1, 4], "offsets decrease, or are negative, at place 0"),
        ([0, -(1 << 63)], "at place 1"),
    ):
        given = np.array(offsets, np.int64)
        with pytest.raises(ValueError, match=said):
            opener.flat(whole, given)
        with pytest.raises(ValueError, match=said):
            sealer.flat(one, one, one, whole, given)


def layouts(values: list[bytes | None]) -> dict[str, Any]:
    """One column of byte strings in all layouts of Arrow that an opener takes, also as a part of a
    larger array, whose bits of nulls and offsets begin anywhere, and in pieces.
    """
    sizes = {len(value) for value in values if value is not None}
    kinds = {"binary": pa.binary(), "large": pa.large_binary(), "view": pa.binary_view()}
    if len(sizes) == 1:
        kinds["fixed"] = pa.binary(sizes.pop())
    found: dict[str, Any] = {}
    for name, kind in kinds.items():
        found[name] = pa.array(values, kind)
        for before in (1, 7, 8, 13):
            other = [None, values[-1]] * before
            found[f"{name} from {2 * before}"] = pa.array([*other, *values, *other], kind).slice(
                2 * before, len(values)
            )
        pieces = [[], values[:3], [], values[3:4], values[4:], []]
        found[f"{name} in pieces"] = pa.chunked_array([pa.array(piece, kind) for piece in pieces])
    return found


def test_every_layout_of_arrow() -> None:
    """Frames of one size and of several, with nulls and without, wherever the arrays begin."""
    mixed, payloads, statuses = sample()
    alike: list[bytes | None] = [frame(2, 1, number, b"12345678") for number in range(21)]
    holes = [None if place % 3 == 1 else each for place, each in enumerate(alike)]
    cases = [
        (mixed, payloads, statuses),
        (alike, [b"12345678"] * 21, [0] * 21),
        (
            holes,
            [None if each is None else b"12345678" for each in holes],
            [0 if each else -22 for each in holes],
        ),
        ([None] * 9, [None] * 9, [-22] * 9),
        ([], [], []),
    ]
    opener = telemetry.Opener(masters(), threads=2)
    for frames, wanted, codes in cases:
        for name, column in (
            layouts([*frames]).items() if frames else [("", pa.array([], "binary"))]
        ):
            opened = opener(column)
            opened.validate(full=True)
            assert opened["payload"].to_pylist() == wanted, name
            assert opened["status"].to_pylist() == codes, name
            if isinstance(column, pa.Array):
                batch = opener(pa.record_batch([column], names=["frame"]))
                batch.validate(full=True)
                assert batch.column("payload").to_pylist() == wanted, name
    for kind in (pa.string(), pa.list_(pa.uint8()), pa.timestamp("us"), pa.float64()):
        with pytest.raises(TypeError, match="has the Arrow type"):
            opener(pa.table({"frame": pa.array([None], kind)}))
    with pytest.raises(TypeError, match="has the Arrow type string"):
        opener(pa.array(["text"]).dictionary_encode())


def test_payloads_and_master_keys_in_every_layout() -> None:
    payloads: list[bytes | None] = [bytes([place]) * 8 for place in range(21)]
    keys: list[bytes | None] = [*MASTERS.values()]
    table = columns(21)
    wanted = telemetry.Sealer(masters())(table.set_column(3, "payload", [payloads]))["frame"]
    for name, column in layouts(payloads).items():
        sealed = telemetry.Sealer(masters())(table.set_column(3, "payload", column))
        assert sealed["frame"].to_pylist() == wanted.to_pylist(), name
    tables = layouts(keys) | {"dictionary": pa.chunked_array([pa.array(keys).dictionary_encode()])}
    for name, column in tables.items():
        given = masters().set_column(1, "master", column)
        sealed = telemetry.Sealer(given)(table.set_column(3, "payload", [payloads]))
        assert sealed["frame"].to_pylist() == wanted.to_pylist(), name


def test_polars_series_and_lazy_frames() -> None:
    """Both ended with an AttributeError."""
    frames, payloads, _ = sample()
    opener = telemetry.Opener(masters())
    opened = opener(polars.Series("any", frames))
    assert isinstance(opened, polars.DataFrame) and opened["payload"].to_list() == payloads
    empty = opener(polars.DataFrame({"frame": []}, schema={"frame": polars.Binary}))
    assert empty.shape == (0, 5)
    lazy = polars.LazyFrame({"frame": frames})
    for call in (opener, telemetry.Sealer(masters()), telemetry.Opener):
        with pytest.raises(TypeError, match="LazyFrame"):
            call(lazy)


def test_forgeries_of_strange_devices_build_no_tables() -> None:
    """Each batch with a device that nobody knows had the table of all known ones built again."""
    opener = telemetry.Opener(lambda devices: [MASTERS.get(d) for d in devices.tolist()], threads=1)
    good = frame(1, 1, 1, b"text")
    assert opener(pa.array([good]))["status"].to_pylist() == [0]
    asked = opener._keys._given
    table = asked._table
    for device in range(1000, 1020):
        strange = good[:2] + device.to_bytes(4, "little") + good[6:]
        assert opener(pa.array([strange, good]))["status"].to_pylist() == [-20, 0]
    assert asked._table is table
    other = frame(77, 1, 1, b"text")
    assert opener(pa.array([other, good]))["status"].to_pylist() == [0, 0]
    assert asked._table is not table


def fetch(devices: Any) -> list[bytes | None]:
    return [MASTERS.get(device) for device in devices.tolist()]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_no_pickle_holds_a_key(tmp_path: Path, protocol: int) -> None:
    """Of openers and sealers that have read their keys and worked, from a file and a function, and
    of the tasks of engines; as bytes, hexadecimal digits or escapes."""
    path = tmp_path / "masters.parquet"
    pq.write_table(masters(), path)
    for source in (path, fetch):
        opener = telemetry.Opener(source)
        assert 0 in opener(pa.array([frame(1, 1, 1, b"text")]))["status"].to_pylist()
        sealer = telemetry.Sealer(source)
        sealer(columns(5))
        task = _telemetry_files.Task(opener, tmp_path, "frame", "zstd")
        for each in (opener, sealer, task):
            carried = pickle.dumps(each, protocol)
            for key in MASTERS.values():
                shown = (key, key[:8], key.hex().encode(), repr(key)[2:-1].encode())
                assert not any(form in carried for form in shown), each
            assert type(pickle.loads(carried)) is type(each)


def test_unknown_devices_are_bounded_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function for keys is asked again about a device that it did not know, a minute later; and
    what is remembered of forged device numbers takes the same memory however many they are.
    """
    calls: list[list[int]] = []
    registered = {1}
    now = [1000.0]

    def ask(devices: Any) -> list[bytes | None]:
        calls.append(devices.tolist())
        return [MASTERS[1] if device in registered else None for device in devices.tolist()]

    monkeypatch.setattr(telemetry.time, "monotonic", lambda: now[0])
    opener = telemetry.Opener(ask, threads=1)
    whole = frame(1, 0, 0, b"x" * 8)
    rows = np.frombuffer(whole * 3, np.uint8).reshape(3, -1).copy()
    rows[1, 2:6], rows[2, 2:6] = (9, 0, 0, 0), (0, 0, 0, 9)
    strange = telemetry._NUMBERS["unknown device"]
    for _ in range(3):
        assert opener.rows(rows).status.tolist() == [0, strange, strange]
    assert calls == [[1, 9, 9 << 24]]  # sorted, each once
    registered.add(9)
    now[0] += 59
    opener.rows(rows)
    assert len(calls) == 1
    now[0] += 2
    assert opener.rows(rows).status[1] == telemetry._NUMBERS["forged"]
    assert calls[1:] == [[9, 9 << 24]]
    unknown = opener._keys._given._unknown
    size = unknown._device.nbytes
    for batch in range(8):
        many = np.repeat(rows[:1], 1 << 14, axis=0)
        many[:, 2:5] = np.arange(1 << 14).view(np.uint8).reshape(-1, 8)[:, :3]
        many[:, 5] = batch + 1
        opener.rows(many)
    assert unknown._device.nbytes == size == 8 << unknown._PLACES_LOG2
    assert opener.rows(rows).status[0] == 0


def test_what_a_sealer_compares_is_what_it_seals() -> None:
    """Memory of a table changes between the comparison of numbers and their use."""
    number = np.array([1, 2], np.uint32)
    column = pa.Array.from_buffers(pa.uint32(), 2, [None, pa.py_buffer(number)])
    table = pa.table(
        {
            "device": pa.array([1, 1], pa.uint32()),
            "epoch": pa.array([0, 0], pa.uint32()),
            "number": column,
            "payload": pa.array([b"a", b"b"]),
        }
    )
    refuse = telemetry._refuse_repeated

    def change(*places: Any) -> None:
        refuse(*places)
        number[:] = 7

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(telemetry, "_refuse_repeated", change)
        frames = telemetry.Sealer(MASTERS[1], direction="from-device")(table)["frame"]
    assert telemetry.Opener(MASTERS[1])(frames)["number"].to_pylist() == [1, 2]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary(40)])
def test_small_batches_with_nulls_are_joined(kind: Any) -> None:
    whole = frame(1, 0, 0, b"x" * 8)
    rows = [whole, None, whole]
    parts = [pa.array(rows, kind), pa.array([whole], kind), pa.array([None, whole, None], kind)[1:]]
    table = pa.table({"frame": pa.chunked_array(parts), "at": pa.array(range(6))})
    opened = telemetry.Opener(MASTERS[1], keep=["at"], threads=1)(table)
    assert opened["status"].to_pylist() == [0, telemetry.NULL, 0, 0, 0, telemetry.NULL]
    assert opened["payload"].to_pylist() == [b"x" * 8, None, *[b"x" * 8] * 3, None]
    assert opened["at"].to_pylist() == [*range(6)]
