# SPDX-License-Identifier: Apache-2.0
"""The numbers that ``hanji telemetry seal`` has used: reserved before anything is sealed, whatever
the output folder.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hanji import _seal_state
from hanji import _telemetry_files as job

pytestmark = pytest.mark.quick


def put(folder: Path, name: str, numbers: list[int], payload: bytes = b"a", **more: int) -> Path:
    about = {"device": 1, "epoch": 1} | more
    columns: dict[str, Any] = {key: [value] * len(numbers) for key, value in about.items()}
    path = folder / name
    pq.write_table(
        pa.table(columns | {"number": numbers, "payload": [payload] * len(numbers)}), path
    )
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "keys").mkdir()
    masters = pa.table({"device": [1, 2], "master": [b"m" * 16, b"n" * 16]})
    pq.write_table(masters, tmp_path / "keys/masters.parquet")
    return tmp_path


def seal(folder: Path, out: str, *inputs: Path, **more: Any) -> int:
    done = job.Sealing(str(folder / "keys/masters.parquet"), folder / out, **more).run(inputs)
    assert not done.failed
    return done.rows["sealed"]


def test_another_folder_seals_nothing_under_used_numbers(folder: Path) -> None:
    assert seal(folder, "one", put(folder, "a.parquet", [0, 1, 2])) == 3
    state = folder / "keys" / _seal_state.NAME
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert [path.name for path in (folder / "keys").iterdir() if path != state] == [
        "masters.parquet"
    ]
    for numbers in ([2], [0], [3, 1]):
        again = put(folder, "b.parquet", numbers, b"other payload")
        with pytest.raises(ValueError, match=r"b.parquet: device 1, epoch 1: number \d goes back"):
            seal(folder, "two", again)
        assert not [*(folder / "two").glob("*.parquet")]
    # What was refused has reserved nothing.
    assert seal(folder, "three", put(folder, "b.parquet", [3, 4])) == 2
    assert seal(folder, "three2", put(folder, "c.parquet", [0], device=2)) == 1
    assert seal(folder, "three3", put(folder, "d.parquet", [0], epoch=2)) == 1
    # Another direction and another algorithm have other keys.
    assert seal(folder, "four", put(folder, "e.parquet", [0]), direction="from-device") == 1
    assert seal(folder, "five", put(folder, "f.parquet", [0]), algorithm="schwaemm256-128") == 1


def test_the_same_input_may_be_sealed_again(folder: Path) -> None:
    """It gives the same frames: a run that died goes on, also in another folder."""
    source = put(folder, "a.parquet", [5, 6])
    seal(folder, "one", source)
    seal(folder, "two", source)
    frames = [pq.read_table(folder / out / "a.parquet")["frame"] for out in ("one", "two")]
    assert frames[0] == frames[1]
    put(folder, "a.parquet", [5, 6], b"b")
    with pytest.raises(ValueError, match="goes back behind 6"):
        seal(folder, "three", source)


def test_inputs_of_a_run_may_be_in_any_order_and_grow(folder: Path) -> None:
    a, b = put(folder, "a.parquet", [10, 12]), put(folder, "b.parquet", [9, 11])
    assert seal(folder, "out", a, b) == 4
    assert seal(folder, "out", a, b, put(folder, "c.parquet", [13])) == 5
    with pytest.raises(ValueError, match=r"d.parquet: .* number 8 goes back behind 13"):
        seal(folder, "out", a, b, folder / "c.parquet", put(folder, "d.parquet", [8]))


def test_numbers_are_reserved_before_anything_is_sealed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the reservation and the output: the same input goes on, no other does."""

    def dies(*_: Any) -> None:
        raise KeyboardInterrupt

    source = put(folder, "a.parquet", [0, 1])
    with monkeypatch.context() as patch:
        patch.setattr(job.Sealing, "_seal", dies)
        with pytest.raises(KeyboardInterrupt):
            seal(folder, "out", source)
    with pytest.raises(ValueError, match="goes back behind 1"):
        seal(folder, "other", put(folder, "b.parquet", [1], b"other"))
    assert seal(folder, "out", source) == 2


def test_a_process_killed_while_it_reserves_leaves_a_sound_state(folder: Path) -> None:
    state = folder / "state"
    text = (
        "import sys, os, signal; from pathlib import Path; import numpy as np\n"
        "from hanji import _seal_state as s\n"
        "n = s.Numbers('d'); a = np.arange(20000, dtype=np.uint32); n.add(a, a, a)\n"
        "s._require_unused = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "s.reserve(Path(sys.argv[1]), 'x', {Path('a'): n})\n"
    )
    done = subprocess.run([sys.executable, "-c", text, str(state)])
    assert done.returncode == -signal.SIGKILL
    seal(folder, "out", put(folder, "a.parquet", [0]), state=state)


def test_two_processes_at_once(folder: Path) -> None:
    """Of inputs with the same numbers one is sealed."""
    command = [sys.executable, "-m", "hanji.cli", "telemetry", "seal", "--masters"]
    running = []
    for place in range(4):
        source = put(folder, f"{place}.parquet", [0, 1], bytes([place]))
        given = [*command, "keys/masters.parquet", "-o", f"out{place}", str(source)]
        running.append(subprocess.Popen(given, cwd=folder, stderr=subprocess.PIPE))
    answers = [(process.communicate()[1], process.wait()) for process in running]
    assert sorted(status == 0 for _, status in answers) == [False] * 3 + [True], answers
    assert all(b"goes back behind 1" in text for text, status in answers if status)
    assert len([*folder.glob("out*/*.parquet")]) == 1


def test_a_damaged_state_is_refused(folder: Path) -> None:
    """Cut, emptied, another file, or with a page of zeros: refused, and left as it is."""
    state = folder / "keys" / _seal_state.NAME
    for device in (1, 2):
        seal(folder, f"out{device}", put(folder, "a.parquet", [0, 1], device=device))
    whole = state.read_bytes()
    assert len(whole) % 4096 == 0 and len(whole) >= 3 * 4096
    damaged = [b"", b"not a database" * 1000, whole[:60] + b"\0\0\0\0" + whole[64:]]
    damaged += [whole[:size] for size in range(1000, len(whole), 3096)]
    for page in range(0, len(whole), 4096):
        damaged.append(whole[:page] + bytes(4096) + whole[page + 4096 :])
    for changed in damaged:
        state.write_bytes(changed)
        with pytest.raises(OSError, match=r"used numbers cannot be told|cannot be written"):
            seal(folder, "next", put(folder, "b.parquet", [9]))
        assert state.read_bytes() == changed
    state.write_bytes(whole)
    assert seal(folder, "next", put(folder, "b.parquet", [9])) == 1


def test_a_file_of_others_is_not_called_damaged(folder: Path) -> None:
    other = folder / "keys" / _seal_state.NAME
    for make in (lambda: other.write_bytes(b"name,value\n"), lambda: _database(other)):
        other.unlink(missing_ok=True)
        make()
        with pytest.raises(OSError, match=r"is no file of used numbers .* --state takes a file"):
            seal(folder, "next", put(folder, "b.parquet", [9]))


def _database(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE other (one INTEGER)")
        database.commit()


def test_a_changed_row_is_noticed(folder: Path) -> None:
    seal(folder, "out", put(folder, "a.parquet", [0, 7]))
    state = folder / "keys" / _seal_state.NAME
    changes = ["UPDATE used SET last = 3", "DELETE FROM used", "DELETE FROM inputs"]
    changes += ["UPDATE used SET stream = 'To-device'", "UPDATE used SET stream = stream || 'x'"]
    for change in changes:
        whole = state.read_bytes()
        with sqlite3.connect(state) as database:
            database.execute(change)
        database.close()
        with pytest.raises(OSError, match="its rows do not add up"):
            seal(folder, "next", put(folder, "b.parquet", [9]))
        state.write_bytes(whole)


def test_places_that_cannot_hold_a_state_name_the_option(folder: Path) -> None:
    source = put(folder, "a.parquet", [0])
    missing = folder / "none/state"
    (folder / "link").symlink_to(folder / "elsewhere")
    (folder / "folder").mkdir()
    for place in (missing, folder / "link", folder / "folder", Path("/proc/state")):
        with pytest.raises(OSError, match="--state"):
            seal(folder, "out", source, state=place)
    assert not (folder / "elsewhere").exists()
    masters = pq.read_table(folder / "keys/masters.parquet")
    with pytest.raises(ValueError, match="--state"):
        job.Sealing(masters, folder / "memory").run([source])
    assert not [*folder.glob("*/a.parquet")]
    assert seal(folder, "out", source, state=folder / "state") == 1


def test_a_full_disk_reserves_nothing(folder: Path) -> None:
    """A file that may not grow stands for a full disk."""
    source = put(folder, "a.parquet", [0])
    seal(folder, "out", source)
    state = folder / "keys" / _seal_state.NAME
    numbers = _seal_state.Numbers("digest")
    many = np.arange(50_000, dtype=np.uint32)
    numbers.add(many, many, many)
    whole, old = state.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, old[1]))
        with pytest.raises(OSError, match="cannot be written"):
            _seal_state.reserve(state, "x", {source: numbers})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)
    assert state.read_bytes() == whole
    assert seal(folder, "again", put(folder, "b.parquet", [1])) == 1


def test_numbers_of_many_devices_are_joined() -> None:
    random = np.random.default_rng(1)
    device, epoch, number = random.integers(0, 50, (3, 20_000)).astype(np.uint32)
    numbers = _seal_state.Numbers("d")
    for at in range(0, 20_000, 999):
        part = slice(at, at + 999)
        numbers.add(device[part], epoch[part], number[part])
        numbers._pairs = [_seal_state._joined(numbers._pairs)]
    found = {(d, e): (first, last) for d, e, first, last in numbers.rows()}
    wanted: dict[tuple[int, int], tuple[int, int]] = {}
    for d, e, n in zip(device.tolist(), epoch.tolist(), number.tolist(), strict=True):
        first, last = wanted.get((d, e), (n, n))
        wanted[d, e] = min(first, n), max(last, n)
    assert found == wanted


def test_links_to_the_master_keys_share_a_state(folder: Path) -> None:
    (folder / "current.parquet").symlink_to(folder / "keys/masters.parquet")
    place = _seal_state.place_for(str(folder / "current.parquet"), None)
    assert place == folder.resolve() / "keys" / _seal_state.NAME
    assert os.fspath(_seal_state.place_for(b"k" * 16, folder / "s")) == str(folder / "s")
