# SPDX-License-Identifier: Apache-2.0
"""Tables of master keys: which file they are, keys for some epochs, sealed files, key services."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hanji import HanjiError, _master_tables, telemetry

pytestmark = pytest.mark.quick

A, B, C = b"a" * 16, b"b" * 16, b"c" * 16
UNKNOWN, FORGED = telemetry._NUMBERS["unknown device"], telemetry._NUMBERS["forged"]


def rows(count: int = 1, **columns: Any) -> pa.Table:
    given = {"device": [7] * count, "epoch": [1] * count, "number": [*range(count)]} | columns
    given = {name: pa.array(values, pa.uint32()) for name, values in given.items()}
    return pa.table(given | {"payload": [b"payload %d" % row for row in range(count)]})


def frames(master: Any, count: int = 1, **columns: Any) -> pa.Array:
    table = telemetry.Sealer(master, direction="from-device")(rows(count, **columns))
    return table["frame"].combine_chunks()


def put(path: Path, master: bytes = A, **columns: Any) -> None:
    pq.write_table(pa.table({"device": [7], "master": [master], **columns}), path)


def hanji(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hanji.cli", "telemetry", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


def open_in(folder: Path, *arguments: str, **environment: str) -> Any:
    pq.write_table(pa.table({"frame": frames(A)}), folder / "in.parquet")
    given = ("open", "in.parquet", "-o", "out", "--rejected", "bad", *arguments)
    return hanji(folder, *given, **environment)


@pytest.mark.parametrize("name", ["device", "master", "valid_from_epoch", "valid_to_epoch"])
def test_a_column_that_comes_twice_is_refused(tmp_path: Path, name: str) -> None:
    """It is not for hanji to choose which of two keys is meant."""
    columns = {"device": pa.array([7], pa.uint32()), "master": pa.array([A])}
    columns |= {"valid_from_epoch": pa.array([0]), "valid_to_epoch": pa.array([9])}
    table = pa.Table.from_arrays([*columns.values(), columns[name]], [*columns, name])
    pq.write_table(table, tmp_path / "two.parquet")
    for source in (table, tmp_path / "two.parquet"):
        for made in (telemetry.Opener, telemetry.Sealer):
            with pytest.raises(ValueError, match=f"has the column '{name}' 2 times; keep one"):
                made(source)._keys.load()


def test_tables_are_forgotten_with_their_openers(tmp_path: Path) -> None:
    put(tmp_path / "m.parquet")
    first, second = (telemetry.Opener(tmp_path / "m.parquet") for _ in range(2))
    first._keys.load()
    second._keys.load()
    assert first._keys._given is second._keys._given and len(_master_tables._TABLES) == 1
    table = weakref.ref(first._keys._given)
    del first
    gc.collect()
    assert table() is not None
    del second
    gc.collect()
    assert table() is None and not _master_tables._TABLES


def test_a_worker_keeps_the_last_table(tmp_path: Path) -> None:
    """Each task of an engine brings an opener, and would read the keys anew."""
    put(tmp_path / "m.parquet")
    opener = telemetry.Opener(str(tmp_path / "m.parquet"))
    try:
        for _ in range(2):
            pickle.loads(pickle.dumps(opener))(frames(A))
            gc.collect()
            assert len(_master_tables._TABLES) == len(_master_tables._KEPT) == 1
    finally:
        _master_tables._KEPT.clear()


def test_a_file_that_takes_the_place_of_another_is_read(tmp_path: Path) -> None:
    """Of the same size and with the same time, as `cp --preserve` and `mv` leave it."""
    path = tmp_path / "m.parquet"
    put(path)
    old = telemetry.Opener(path)
    assert old(frames(A))["status"].to_pylist() == [0]
    found = path.stat()
    for way in ("replaced", "in place"):
        key = B if way == "replaced" else C
        put(tmp_path / "new.parquet", key)
        if way == "replaced":
            (tmp_path / "new.parquet").replace(path)
        else:
            path.write_bytes((tmp_path / "new.parquet").read_bytes())
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
        assert path.stat().st_size == found.st_size
        new = telemetry.Opener(path)
        assert new(frames(key))["status"].to_pylist() == [0], way
        assert old(frames(key))["status"].to_pylist() == [FORGED]


def rotation(kind: Any = None) -> pa.Table:
    kind = kind or pa.uint32()
    return pa.table(
        {
            "device": pa.array([7, 7, 7, 8], pa.uint32()),
            "master": [B, A, C, A],
            "valid_from_epoch": pa.array([10, None, 30, 5], kind),
            "valid_to_epoch": pa.array([19, 9, None, 5], kind),
        }
    )


@pytest.mark.parametrize("kind", [pa.uint32(), pa.int64(), pa.uint8()])
def test_keys_are_valid_for_their_epochs(kind: Any) -> None:
    epochs = [0, 9, 10, 19, 20, 29, 30, 2**32 - 1]
    wanted = [A, A, B, B, None, None, C, C]
    opener = telemetry.Opener(rotation(kind), threads=1)
    for key in (A, B, C):
        opened = opener(frames(key, len(epochs), epoch=epochs))
        codes = [0 if key == right else UNKNOWN if right is None else FORGED for right in wanted]
        assert opened["status"].to_pylist() == codes
        payloads = [b"payload %d" % row if not code else None for row, code in enumerate(codes)]
        assert opened["payload"].to_pylist() == payloads
        assert opened["epoch"].to_pylist() == epochs
    # Both ends of one epoch, another device, and frames that are no frames.
    other = frames(A, 3, device=[8] * 3, epoch=[4, 5, 6]).to_pylist()
    mixed = pa.array([b"short", *other, None, other[1][:-1], frames(B, epoch=[10])[0].as_py()])
    found = opener(mixed)["status"].to_pylist()
    truncated = telemetry._NUMBERS["truncated"]
    assert found == [truncated, UNKNOWN, 0, UNKNOWN, telemetry.NULL, truncated, 0]
    sealed = telemetry.Sealer(rotation(kind), direction="from-device")(
        rows(len(epochs), epoch=epochs)
    )
    assert sealed["status"].to_pylist() == [0 if key else UNKNOWN for key in wanted]
    for row, key in enumerate(wanted):
        if key is not None:
            assert (
                sealed["frame"][row].as_py() == frames(key, len(epochs), epoch=epochs)[row].as_py()
            )
    assert opener(sealed)["status"].to_pylist() == [0 if key else telemetry.NULL for key in wanted]


def test_many_devices_with_many_keys() -> None:
    """Against a search row by row."""
    random = np.random.default_rng(5)
    table: dict[str, list[Any]] = {name: [] for name in (*_master_tables.COLUMNS, "from", "to")}
    for device in range(40):
        ends = sorted(set(random.integers(0, 60, 2 * int(random.integers(1, 4))).tolist()))
        for first, last in zip(ends[::2], ends[1::2], strict=False):
            for name, value in zip(table, (device, os.urandom(16), first, last), strict=True):
                table[name].append(value)
    order = random.permutation(len(table["device"])).tolist()
    shuffled = {name: [values[at] for at in order] for name, values in table.items()}
    names = dict(zip(("from", "to"), (_master_tables.FROM, _master_tables.TO), strict=True))
    masters = pa.table({names.get(name, name): values for name, values in shuffled.items()})
    n = 2000
    device, epoch = random.integers(0, 42, n).tolist(), random.integers(0, 60, n).tolist()
    sealed = telemetry.Sealer(masters, direction="from-device")(rows(n, device=device, epoch=epoch))
    spans = [*zip(table["device"], table["from"], table["to"], strict=True)]
    valid = [
        any(d == device[row] and first <= epoch[row] <= last for d, first, last in spans)
        for row in range(n)
    ]
    assert 100 < sum(valid) < n
    assert sealed["status"].to_pylist() == [0 if right else UNKNOWN for right in valid]
    opened = telemetry.Opener(masters)(sealed.filter(pa.array(valid)))
    assert set(opened["status"].to_pylist()) == {0}
    assert opened["payload"].to_pylist() == [b"payload %d" % r for r in range(n) if valid[r]]


def test_intervals_that_overlap_name_both_rows() -> None:
    for first, last in (([10, None, 9], [19, 9, None]), ([None, None, 5], [None, 0, 5])):
        table = pa.table(
            {
                "device": [7, 7, 8],
                "master": [A, B, C],
                "valid_from_epoch": pa.array([first[0], first[2], 0], pa.uint32()),
                "valid_to_epoch": pa.array([last[0], last[2], 0], pa.uint32()),
            }
        )
        with pytest.raises(ValueError, match="rows 0 and 1 of masters give device 7 two keys"):
            telemetry.Opener(table)
    bad = rotation().set_column(2, "valid_from_epoch", pa.array([20, 0, 30, 5], pa.uint32()))
    with pytest.raises(ValueError, match="row 0 of masters is valid from epoch 20 to epoch 19"):
        telemetry.Opener(bad)


def test_an_empty_rotation_knows_nobody() -> None:
    assert telemetry.Opener(rotation().slice(0, 0))(frames(A))["status"].to_pylist() == [UNKNOWN]


def test_sealed_tables_are_opened_in_memory(tmp_path: Path) -> None:
    put(tmp_path / "plain.parquet")
    command = [sys.executable, "-m", "hanji.cli"]
    for arguments in (
        ["keygen", "-o", "key"],
        ["seal", "plain.parquet", "-o", "by-key", "--key", "key"],
        ["seal", "plain.parquet", "-o", "by-word", "--passphrase-file", "word"],
    ):
        (tmp_path / "word").write_text("word\n")
        subprocess.run([*command, *arguments], cwd=tmp_path, check=True)
    (tmp_path / "plain.parquet").unlink()
    with pytest.raises(ValueError, match="is a sealed file; open it with"):
        telemetry.Opener(tmp_path / "by-key")._keys.load()
    table = telemetry.read_masters(tmp_path / "by-word", passphrase="word")
    assert telemetry.Opener(table)(frames(A))["status"].to_pylist() == [0]
    subprocess.run([*command, "keygen", "-o", "other"], cwd=tmp_path, check=True)
    put(tmp_path / "swapped.parquet")
    (tmp_path / "in.parquet").touch()
    paths = ("in.parquet", "-o", "no", "--rejected", "none", "--masters")
    for given, status, message in (
        (("by-key",), 2, "hanji: by-key: the file was sealed with key"),
        (("by-key", "--masters-key", "other"), 1, "hanji: by-key: wrong key"),
        (("by-word", "--masters-key", "key"), 2, "hanji: by-word: the file was sealed with a pass"),
        (("swapped.parquet", "--masters-key", "key"), 1, "swapped.parquet is not sealed, so"),
        (("swapped.parquet", "--passphrase-file", "word"), 1, "leave out --passphrase-file"),
    ):
        done = hanji(tmp_path, "open", *paths, *given)
        assert done.returncode == status and message in done.stderr, (given, done.stderr)
    (tmp_path / "in.parquet").unlink()
    before = {path.name for path in tmp_path.iterdir()}
    done = open_in(tmp_path, "--masters", "by-key", "--masters-key", "key")
    assert done.returncode == 0 and "1 opened" in done.stdout, done.stderr
    assert {path.name for path in tmp_path.iterdir()} - before == {"in.parquet", "out", "bad"}
    pq.write_table(rows(), tmp_path / "commands.parquet")
    given = (
        "commands.parquet",
        "-o",
        "sealed",
        "--masters",
        "by-word",
        "--passphrase-file",
        "word",
    )
    assert hanji(tmp_path, "seal", *given).returncode == 0
    (tmp_path / "word").write_text("wrong\n")
    assert hanji(tmp_path, "seal", *given).returncode != 0


def test_a_table_that_others_can_read_gets_a_warning(tmp_path: Path) -> None:
    put(tmp_path / "m.parquet")
    for mode, warned in ((0o600, False), (0o640, True)):
        (tmp_path / "m.parquet").chmod(mode)
        (tmp_path / str(mode)).mkdir()
        done = open_in(tmp_path / str(mode), "--masters", "../m.parquet")
        assert done.returncode == 0
        warning = "warning: ../m.parquet can be read by other users (mode 0640); do: chmod 600"
        assert (warning in done.stderr) == warned, done.stderr


def test_keys_come_from_a_function_of_a_module(tmp_path: Path) -> None:
    away, here = tmp_path / "away", tmp_path / "here"
    away.mkdir()
    here.mkdir()
    text = (
        "def ask(devices):\n    return [b'a' * 16 if d == 7 else None for d in devices.tolist()]\n"
    )
    text += "def fails(devices):\n    raise ValueError('the key is 00112233')\nnothing = 5\n"
    (away / "service.py").write_text(text)
    (away / "broken.py").write_text("raise RuntimeError('the key is 00112233')\n")
    (here / "local.py").write_text(text + "open('was-imported', 'w')\n")
    (here / "package").mkdir()
    (here / "package/__init__.py").write_text("open('was-imported', 'w')\ndef ask(d): pass\n")
    path = f"{away}{os.pathsep}{here}"
    done = open_in(here, "--masters-from", "service:ask", PYTHONPATH=path)
    assert done.returncode == 0 and "1 opened" in done.stdout, done.stderr
    for name, message in {
        "service:fails": "raised ValueError when it was asked for the keys of 1 device",
        "service:missing": "cannot be imported (AttributeError)",
        "service:nothing": "is 5, not a function",
        "broken:ask": "cannot be imported (RuntimeError)",
        "local:ask": "cannot be imported (ModuleNotFoundError)",
        "package:ask": "cannot be imported (ModuleNotFoundError)",
        "package.sub:ask": "cannot be imported",
        "service": "names no function; give MODULE:FUNCTION",
        "../service:ask": "names no function; give MODULE:FUNCTION",
    }.items():
        given = ("in.parquet", "-o", "out2", "--rejected", "bad2", "--masters-from", name)
        done = hanji(here, "open", *given, PYTHONPATH=path)
        status = 2 if "names no" in message else 3
        assert done.returncode == status and message in done.stderr, (name, done.stderr)
        assert "00112233" not in done.stderr + done.stdout and "Traceback" not in done.stderr
    assert not (here / "was-imported").exists()
    pq.write_table(rows(), here / "commands.parquet")
    given = ("commands.parquet", "-o", "sealed", "--masters-from", "service:ask")
    done = hanji(here, "seal", *given, PYTHONPATH=path)
    assert done.returncode != 0 and "--state" in done.stderr
    assert hanji(here, "seal", *given, "--state", "s", PYTHONPATH=path).returncode == 0
    (away / "other.py").write_text("def ask(devices):\n    return [b'z' * 16] * len(devices)\n")
    given = ("in.parquet", "-o", "out3", "--rejected", "bad3", "--masters-from", "other:ask")
    done = hanji(here, "open", *given, PYTHONPATH=path)
    assert done.returncode == 1 and "of the keys in other:ask: is it" in done.stderr, done.stderr
    done = hanji(here, "open", *given, "--masters-key", "key", PYTHONPATH=path)
    assert done.returncode == 2 and "a function opens its keys itself" in done.stderr
    both = open_in(here, "--masters", "m", "--masters-from", "service:ask", PYTHONPATH=path)
    assert "give either --masters FILE or --masters-from" in both.stderr


def test_a_function_by_name_travels_without_what_it_has_found() -> None:
    service = _master_tables.FromModule("os.path:join")
    service.load()
    again = pickle.loads(pickle.dumps(service))
    assert again._found is None and again.name == "os.path:join"
    with pytest.raises(
        HanjiError, match="raised TypeError when it was asked for the keys of 2 devices"
    ):
        again([1, 2])
